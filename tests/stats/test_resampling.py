"""Bootstrap: seeds, threads, coverage, leave-one-out values by brute force, degenerate samples, agreement with scipy."""

from __future__ import annotations

import json
import math
import os

import numpy as np
import pytest
import scipy.stats as ss
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import bootstrap
from statistikles.stats._resample import STATISTICS, draw, jackknife, on_rows

RNG = np.random.default_rng(12)
SKEWED = np.round(RNG.gamma(2.0, 3.0, size=40), 2)


@pytest.mark.parametrize("name", STATISTICS)
@given(values=st.lists(st.integers(-20, 20), min_size=8, max_size=40), seed=st.integers(0, 9))
@settings(max_examples=30, deadline=None)
def test_leaving_one_out_equals_brute_force(name: str, values: list[int], seed: int) -> None:
    x = np.array(values, dtype=float) + np.random.default_rng(seed).normal(scale=0.1, size=len(values)).round(
        1
    )
    rows = on_rows(name)
    with np.errstate(all="ignore"):
        brute = np.array([float(rows(np.delete(x, i)[None, :])[0]) for i in range(x.size)])
    fast = jackknife(name, x)
    brute, fast = np.sort(brute), np.sort(fast)
    usable = np.isfinite(brute) & np.isfinite(fast) & (np.abs(brute) < 1e6)
    if np.std(x) > 0.5 and (name != "cv" or abs(x.mean()) > 0.5):
        assert fast[usable] == pytest.approx(brute[usable], rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("name", ["median", "iqr", "trimmed_mean"])
def test_positions_give_the_values_of_the_resamples(name: str) -> None:
    known = STATISTICS[name]
    assert known.positions is not None
    fast = draw((SKEWED,), 300, 4, known.positions, positions=True)
    plain = draw((np.sort(SKEWED),), 300, 4, known.rows)
    assert fast[:, 0] == pytest.approx(plain[:, 0], rel=1e-12)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    call = {"data": SKEWED.tolist(), "n_reps": 400}
    one, two = execute_tool("bootstrap", call), execute_tool("bootstrap", call)
    assert json.dumps(one) == json.dumps(two)
    assert one["seed"] == 0
    assert execute_tool("bootstrap", {**call, "seed": 1})["conf_low"] != one["conf_low"]


@pytest.mark.parametrize("statistic", ["mean", "median", "sd"])
def test_the_number_of_threads_changes_nothing(statistic: str, monkeypatch: pytest.MonkeyPatch) -> None:
    x = RNG.normal(size=1000)
    results = []
    for count in (1, 2, 4):
        monkeypatch.setattr(os, "cpu_count", lambda count=count: count)
        results.append(json.dumps(bootstrap(x, statistic=statistic, n_reps=2500).to_dict()))
    assert len(set(results)) == 1


@pytest.mark.parametrize(
    ("name", "function"), [("mean", np.mean), ("sd", lambda v, axis: np.std(v, ddof=1, axis=axis))]
)
def test_bca_agrees_with_scipy_within_monte_carlo_error(name: str, function: object) -> None:
    ours = bootstrap(SKEWED, statistic=name, n_reps=20_000)
    theirs = ss.bootstrap((SKEWED,), function, n_resamples=20_000, rng=np.random.default_rng(3))
    slack = 0.05 * float(theirs.standard_error)
    assert ours.std_error == pytest.approx(float(theirs.standard_error), rel=0.03)
    assert ours.conf_low == pytest.approx(float(theirs.confidence_interval.low), abs=3 * slack)
    assert ours.conf_high == pytest.approx(float(theirs.confidence_interval.high), abs=3 * slack)


def test_intervals_cover_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(21)
    hits = {"bca": 0, "studentized": 0}
    for _ in range(300):
        result = bootstrap(rng.exponential(size=30), n_reps=500)
        hits["bca"] += result.conf_low <= 1.0 <= result.conf_high
        beside = result.also["studentized"]
        hits["studentized"] += beside["conf_low"] <= 1.0 <= beside["conf_high"]
    assert hits["bca"] / 300 > 0.86
    assert hits["studentized"] / 300 > 0.90


def test_the_basic_interval_mirrors_the_percentile_interval() -> None:
    result = bootstrap(SKEWED, statistic="median", n_reps=1500)
    percentile, basic = result.also["percentile"], result.also["basic"]
    assert basic["conf_low"] == pytest.approx(2 * result.estimate - percentile["conf_high"])
    assert basic["conf_high"] == pytest.approx(2 * result.estimate - percentile["conf_low"])


@pytest.mark.parametrize(("alternative", "closed"), [("greater", "conf_low"), ("less", "conf_high")])
def test_one_sided_intervals_have_one_bound(alternative: str, closed: str) -> None:
    result = bootstrap(SKEWED, n_reps=2000, alternative=alternative).to_dict()
    open_side = "conf_high" if closed == "conf_low" else "conf_low"
    assert result[open_side] is None
    assert "one-sided" in result["undefined"][open_side]
    both = bootstrap(SKEWED, n_reps=2000, alpha=0.10).to_dict()
    assert result[closed] == pytest.approx(both[closed], rel=1e-12)


def test_degenerate_resamples_are_counted_and_said() -> None:
    result = bootstrap([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0], statistic="skewness", n_reps=2000)
    assert result.also["bootstrap"]["n_undefined"].value > 0
    assert any("undefined in" in w for w in result.warnings)


def test_constant_data_are_refused() -> None:
    with pytest.raises(NotDefined, match="cannot vary"):
        bootstrap([3.0] * 10)
    with pytest.raises(NotDefined, match="'y'"):
        bootstrap([1.0, 2, 3, 4, 5], y=[2.0] * 5, statistic="correlation")


def test_correlation_needs_a_second_variable_and_nothing_else_takes_one() -> None:
    with pytest.raises(InputError, match="needs 'y'"):
        bootstrap([1.0, 2, 3, 4, 5], statistic="correlation")
    with pytest.raises(InputError, match="not used"):
        bootstrap([1.0, 2, 3, 4, 5], y=[1.0, 2, 3, 4, 6], statistic="mean")


def test_limits_and_unknown_statistics_are_named() -> None:
    over = execute_tool("bootstrap", {"data": [1, 2, 3], "n_reps": 100_001})
    assert over["code"] == "limit_exceeded"
    assert "100000" in over["error"]
    unknown = execute_tool("bootstrap", {"data": [1, 2, 3], "statistic": "magic"})
    assert "Unknown statistic 'magic' for bootstrap" in unknown["error"]


def test_perfect_correlation_has_no_bca_interval_and_says_why() -> None:
    x = np.arange(10.0)
    result = bootstrap(x, y=2 * x + 1, statistic="correlation", n_reps=500).to_dict()
    assert result["estimate"] == pytest.approx(1.0)
    assert result["conf_low"] is None
    assert result["undefined"]["conf_low"]


@pytest.mark.parametrize("power", [-600, 600])
@pytest.mark.parametrize("name", ["mean", "median", "iqr", "trimmed_mean"])
def test_the_unit_of_the_data_does_not_matter(name: str, power: int) -> None:
    here = bootstrap(SKEWED, statistic=name, n_reps=300)
    there = bootstrap(np.ldexp(SKEWED, power), statistic=name, n_reps=300)
    for key in ("estimate", "std_error", "conf_low", "conf_high"):
        assert getattr(there, key) == pytest.approx(math.ldexp(getattr(here, key), power), rel=1e-11)


def test_conf_level_and_alpha_say_the_same() -> None:
    a = bootstrap(SKEWED, n_reps=500, alpha=0.1).to_dict()
    b = execute_tool("bootstrap", {"data": SKEWED.tolist(), "n_reps": 500, "confidence": 0.9})
    assert a["conf_low"] == b["conf_low"]
