"""Transformations against R and scipy, reshaping there and back, and functional dependencies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined, StatistiklesError
from statistikles.pipeline import Table, load
from statistikles.pipeline.stewardship import clean, examine
from statistikles.stats._power_transforms import (
    box_cox,
    box_cox_fit,
    rank_normal_scores,
    yeo_johnson,
    yeo_johnson_fit,
)

# From R 4.2.2: tests/pipeline/values/cleanse.R says how.
REFERENCE = json.loads((Path(__file__).parent / "values" / "cleanse.json").read_text(encoding="utf-8"))
FARES, MIXED = np.array(REFERENCE["data"]["fares"]), np.array(REFERENCE["mixed"])
PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"


def column(table: Table, name: str) -> list[Any]:
    return [row[name] for row in table.rows(limit=table.n_rows)]


# Powers ----------------------------------------------------------------------------------------------------


def test_box_cox_as_r_finds_it() -> None:
    wanted = REFERENCE["box_cox"]
    depth = load(PENGUINS).numbers("bill_depth_mm").compressed()
    for x, name in ((FARES, "fares"), (depth, "bill_depth_mm")):
        fit = box_cox_fit(x)
        assert fit.exponent == pytest.approx(wanted[name]["maximum"], abs=2e-6)
        assert fit.log_likelihood == pytest.approx(wanted[name]["objective"], rel=1e-10)


def test_yeo_johnson_as_r_finds_it() -> None:
    for x, name in ((MIXED, "mixed"), (FARES, "fares")):
        fit = yeo_johnson_fit(x)
        assert fit.exponent == pytest.approx(REFERENCE["yeo_johnson"][name]["maximum"], abs=2e-6)
        assert fit.log_likelihood == pytest.approx(REFERENCE["yeo_johnson"][name]["objective"], rel=1e-10)
    assert yeo_johnson(MIXED, 0.3) == pytest.approx(REFERENCE["yeo_johnson_values"], rel=1e-13)


@pytest.mark.parametrize("seed", range(6))
def test_powers_agree_with_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.lognormal(1, 0.3 + 0.2 * seed, 150)
    _, exponent, interval = scipy.stats.boxcox(x, alpha=0.05)
    fit = box_cox_fit(x)
    assert fit.exponent == pytest.approx(exponent, abs=1e-6)
    assert (fit.conf_low, fit.conf_high) == pytest.approx(interval, abs=1e-5)
    y = rng.normal(0.3, 2, 150) ** 3
    assert yeo_johnson_fit(y).exponent == pytest.approx(scipy.stats.yeojohnson_normmax(y), abs=1e-6)


def test_yeo_johnson_far_from_zero() -> None:
    """Values around 4000: a naive likelihood loses all digits below lambda -3 and finds its maximum there."""
    x = load(PENGUINS).numbers("body_mass_g").compressed()
    assert yeo_johnson_fit(x).exponent == pytest.approx(box_cox_fit(x + 1).exponent, abs=1e-6)
    assert yeo_johnson_fit(-x).exponent == pytest.approx(2 - box_cox_fit(x + 1).exponent, abs=1e-6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=30), st.floats(-3, 5))
def test_yeo_johnson_is_scipys_and_keeps_order(values: list[float], exponent: float) -> None:
    x = np.array(sorted(values))
    out = yeo_johnson(x, exponent)
    assert out == pytest.approx(scipy.stats.yeojohnson(x, exponent), rel=1e-9, abs=1e-9)
    assert bool((np.diff(out) >= 0).all())


def test_powers_that_do_not_exist() -> None:
    with pytest.raises(InputError, match="2 are zero or negative"):
        box_cox_fit(np.array([0.0, -1, 2, 3]))
    for fit in (box_cox_fit, yeo_johnson_fit):
        with pytest.raises(NotDefined):
            fit(np.array([2.0, 2, 2, 2]))
        with pytest.raises(InputError):
            fit(np.array([1.0, 2]))


def test_the_simple_exponents() -> None:
    assert box_cox(FARES, 0.0) == pytest.approx(np.log(FARES))
    assert box_cox(FARES, 1.0) == pytest.approx(FARES - 1)
    assert yeo_johnson(MIXED, 1.0) == pytest.approx(MIXED)


def test_rank_scores_as_r_finds_them() -> None:
    assert rank_normal_scores(MIXED) == pytest.approx(REFERENCE["blom"], rel=1e-12)
    assert rank_normal_scores(np.array([3.0, 1, 3, 2, 3])) == pytest.approx(REFERENCE["blom_ties"], rel=1e-12)


# Steps -----------------------------------------------------------------------------------------------------

DATA = {"v": [*MIXED.tolist(), None], "k": list(range(13))}


@pytest.mark.parametrize(
    ("step", "wanted"),
    [
        ({"step": "z_score"}, (MIXED - MIXED.mean()) / MIXED.std(ddof=1)),
        ({"step": "min_max"}, (MIXED - MIXED.min()) / (MIXED.max() - MIXED.min())),
        (
            {"step": "robust_z"},
            (MIXED - np.median(MIXED)) / scipy.stats.median_abs_deviation(MIXED, scale="normal"),
        ),
        ({"step": "yeo_johnson", "exponent": 0.3}, np.array(REFERENCE["yeo_johnson_values"])),
        ({"step": "rank_normal"}, np.array(REFERENCE["blom"])),
        ({"step": "log", "plus": 3, "base": 2}, np.log2(MIXED + 3)),
        ({"step": "z_score", "centre": 1, "scale": 2}, (MIXED - 1) / 2),
    ],
)
def test_a_new_column(step: dict[str, Any], wanted: np.ndarray[Any, Any]) -> None:
    table = load(DATA)
    done = clean(table, [{**step, "column": "v", "into": "new"}])
    values = column(done.table, "new")
    assert values[:-1] == pytest.approx(wanted.tolist(), rel=1e-12, abs=1e-14)
    assert values[-1] is None
    assert column(done.table, "v") == column(table, "v")
    assert table.column_names == ("v", "k")
    [finding] = done.findings
    assert finding.stage == "normalise"
    assert finding.count == 12
    assert finding.done


def test_box_cox_as_a_step_repeats_with_its_own_exponent() -> None:
    table = load({"fare": FARES})
    first = clean(table, [{"step": "box_cox", "column": "fare"}])
    exponent = first.record["steps"][0]["fitted"]["exponent"]
    again = clean(table, [{"step": "box_cox", "column": "fare", "exponent": exponent}])
    assert column(first.table, "fare_box_cox") == column(again.table, "fare_box_cox")
    assert column(first.table, "fare_box_cox") == pytest.approx(box_cox(FARES, exponent).tolist(), rel=1e-12)
    assert "95 % interval" in first.findings[0].message


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ({"step": "log"}, "4 values without a logarithm"),
        ({"step": "log", "base": 7}, "base"),
        ({"step": "box_cox"}, "positive"),
        ({"step": "box_cox", "exponent": 2}, "positive"),
        ({"step": "z_score", "into": "k"}, "already"),
        ({"step": "z_score", "scale": 0}, "zero"),
        ({"step": "rank_normal", "offset": 1}, "offset"),
        ({"step": "z_score", "centre": "x"}, "centre"),
    ],
)
def test_what_is_refused(step: dict[str, Any], text: str) -> None:
    with pytest.raises(StatistiklesError, match=text):
        clean(load(DATA), [{**step, "column": "v"}])


@pytest.mark.parametrize("name", ["z_score", "min_max", "robust_z", "box_cox", "yeo_johnson"])
def test_constants_cannot_be_scaled(name: str) -> None:
    with pytest.raises(NotDefined):
        clean(load({"v": [2.0, 2, 2, 2]}), [{"step": name, "column": "v"}])


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-100, 100), min_size=3, max_size=30).filter(lambda v: len(set(v)) > 1))
def test_z_scores_have_mean_zero_and_sd_one(values: list[int]) -> None:
    z = np.array(column(clean(load({"v": values}), [{"step": "z_score", "column": "v"}]).table, "v_z"))
    assert z.mean() == pytest.approx(0, abs=1e-12)
    assert z.std(ddof=1) == pytest.approx(1, rel=1e-12)
    ranks = scipy.stats.rankdata(values)
    scores = column(
        clean(load({"v": values}), [{"step": "rank_normal", "column": "v"}]).table, "v_rank_normal"
    )
    assert scipy.stats.rankdata(np.round(scores, 12)) == pytest.approx(ranks)


# Layout ----------------------------------------------------------------------------------------------------


def test_long_and_wide_again() -> None:
    wide = load({"id": [1, 2, 3], "t1": [1.5, 2.0, None], "t2": [4.0, 5.0, 6.0], "t10": [7.0, None, 9.0]})
    long = clean(wide, [{"step": "to_long", "columns": ["t1", "t2", "t10"]}])
    assert long.table.n_rows == 9
    assert [tuple(r.values()) for r in long.table.rows()][:4] == [
        (1, "t1", 1.5),
        (1, "t2", 4),
        (1, "t10", 7),
        (2, "t1", 2),
    ]
    assert "3 rows became 9" in long.findings[0].message
    back = clean(long.table, [{"step": "to_wide", "names_from": "occasion", "values_from": "value"},
                              {"step": "select", "columns": ["id", "t1", "t2", "t10"]}])  # fmt: skip
    assert back.table.fingerprint == wide.fingerprint
    assert wide.n_rows == 3


def test_reshaping_that_cannot_be_done() -> None:
    table = load({"id": [1, 1, 2], "c": ["a", "a", "b"], "v": [1, 2, 3], "name": ["x", "y", "z"]})
    for step, text in (
        ({"step": "to_wide", "names_from": "c", "values_from": "v", "keys": ["id"]}, "several values"),
        ({"step": "to_long", "columns": ["v"]}, "two columns"),
        ({"step": "to_long", "columns": ["v", "name"]}, "different types"),
        ({"step": "to_long", "columns": ["v", "id"], "names_to": "c"}, "taken"),
    ):
        with pytest.raises(StatistiklesError, match=text):
            clean(table, [step])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(*[st.floats(-1e6, 1e6) | st.none()] * 3), min_size=2, max_size=12))
def test_reshaping_keeps_every_value(rows: list[tuple[float | None, ...]]) -> None:
    if any(all(row[i] is None for row in rows) for i in range(3)):
        return  # a column without values has no type of its own
    wide = load({"id": list(range(len(rows))), **{f"w{i}": [row[i] for row in rows] for i in range(3)}})
    back = clean(wide, [{"step": "to_long", "columns": ["w0", "w1", "w2"]},
                        {"step": "to_wide", "names_from": "occasion", "values_from": "value"}])  # fmt: skip
    assert back.table.fingerprint == wide.fingerprint


# Dependencies ----------------------------------------------------------------------------------------------


def hints(data: Any) -> set[tuple[str, ...]]:
    return {f.seen for f in examine(load(data)).findings if f.stage == "normalise"}


def test_a_column_that_determines_another() -> None:
    city = ["Bern", "Basel", "Lyon", "Nice", "Turin", "Milan"] * 10
    land = {"Bern": "CH", "Basel": "CH", "Lyon": "F", "Nice": "F", "Turin": "I", "Milan": "I"}
    rng = np.random.default_rng(0)
    data = {"city": city, "country": [land[c] for c in city], "y": rng.integers(0, 9, 60)}
    assert hints(data) == {("city", "country")}
    data["country"][7] = "I"  # one exception, and it holds no longer
    assert hints(data) == set()


def test_a_code_and_its_label_and_a_chain() -> None:
    rng = np.random.default_rng(1)
    a = rng.integers(0, 8, 200)
    data = {
        "code": a,
        "label": [f"L{v}" for v in a],
        "half": a // 2,
        "quarter": a // 4 + 10,
        "y": rng.normal(size=200),
    }
    assert hints(data) == {("code", "label"), ("code", "half"), ("half", "quarter")}


def test_two_columns_together() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.integers(0, 5, 300), rng.integers(0, 4, 300)
    table = rng.integers(0, 6, (5, 4))
    found = hints({"a": a, "b": b, "c": table[a, b], "noise": rng.integers(0, 6, 300)})
    assert ("a", "b", "c") in found
    assert not any("noise" in seen for seen in found)


@pytest.mark.parametrize("seed", range(8))
def test_chance_is_no_dependency(seed: int) -> None:
    rng = np.random.default_rng(seed)
    few = {name: rng.integers(0, k, 25) for name, k in (("a", 12), ("b", 2), ("c", 3), ("d", 14))}
    assert hints(few) == set()
