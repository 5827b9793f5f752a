"""Outliers, missing values and duplicates against R and by hand; repairs that are asked for and counted."""

from __future__ import annotations

import inspect
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles.errors import InputError, StatistiklesError
from statistikles.pipeline import Table, load
from statistikles.pipeline.stewardship import clean, examine, repairs, reshape, transforms
from statistikles.pipeline.stewardship.duplicates import folded
from statistikles.pipeline.stewardship.outliers import RULES, flag
from statistikles.pipeline.stewardship.steps import STEPS
from statistikles.pipeline.stewardship.survey import Survey
from statistikles.stats.sampling import littles_mcar_test

# From R 4.2.2: tests/pipeline/values/cleanse.R says how.
REFERENCE = json.loads((Path(__file__).parent / "values" / "cleanse.json").read_text(encoding="utf-8"))
assert repairs and reshape and transforms  # their steps are registered
EXAMPLES = Path(__file__).parents[2] / "examples"


def codes(data: Any) -> dict[str, Any]:
    table = data if isinstance(data, Table) else load(data)
    return {f.code: f for f in examine(table).findings}


# Outliers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REFERENCE["data"])
def test_the_three_rules_count_as_r_does(name: str) -> None:
    [found] = flag(Survey.of(load({"v": REFERENCE["data"][name]})), ["v"])
    wanted = {rule: REFERENCE["flags"][name][rule] for rule in RULES}
    assert found.counts == wanted


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-1000, 1000), min_size=8, max_size=60).filter(lambda v: len(set(v)) > 2))
def test_the_rules_count_as_the_kernel_does(values: list[int]) -> None:
    """The engine's counts, and those of `test_assumptions` type outliers, are two computations of the same rules."""
    from statistikles.stats._outliers import fences

    x = np.array(values, dtype=np.float64)
    [found] = flag(Survey.of(load({"v": x})), ["v"])
    kernel, _ = fences(x, 1.0)
    # At the very edge of a rule the two may round apart.
    z = np.abs(x - x.mean()) / x.std(ddof=1)
    if not np.any(np.abs(z - 3) < 1e-9):
        assert found.counts["z"] == kernel["z"]["n_outliers"]
    assert abs(found.counts["iqr"] - kernel["iqr"]["n_outliers"]) == 0
    away = np.abs(x - np.median(x))
    scale = np.median(away) / 0.6744897501960817 or 1.2533141373155003 * away.mean()
    if not np.any(np.abs(away / scale - 3.5) < 1e-9):
        assert found.counts["modified_z"] == kernel["modified_z"]["n_outliers"]


def test_outliers_are_told_and_never_removed() -> None:
    found = codes({"v": REFERENCE["data"]["rivers"], "k": list(range(141))})["outliers"]
    assert "v 11 / 4 / 12" in found.message
    assert "1.5 IQR / 3 z / 3.5 modified z" in found.message
    assert "skewed" in found.message
    assert found.severity == "info"


def test_a_slip_of_the_decimal_point_stands_apart() -> None:
    heights = [150 + (7 * i) % 41 for i in range(60)]
    slipped = [*heights[:30], 1750, *heights[30:]]
    found = codes({"height": slipped, "k": [i % 7 for i in range(61)]})["isolated_value"]
    assert found.rows == (31,)
    assert found.seen == ("1750",)
    assert "isolated_value" not in codes({"height": heights, "k": [i % 7 for i in range(60)]})


def test_the_top_of_a_skewed_amount_is_no_slip() -> None:
    sales = [0.01 * i for i in range(60)] + [1.3]
    assert "isolated_value" not in codes({"sales": sales, "k": [i % 7 for i in range(61)]})
    assert "isolated_value" in codes({"sales": [*sales[:-1], 13.0], "k": [i % 7 for i in range(61)]})


def test_one_odd_case_in_several_columns_is_one_finding() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(50, 5, 40), rng.normal(80, 5, 40)
    a[7], b[7] = 900.0, 4000.0
    found = [f for f in examine(load({"a": a, "b": b})).findings if f.code == "isolated_value"]
    assert len(found) == 1
    assert found[0].rows == (8,)
    assert "'a', 'b'" in found[0].message


def test_normal_samples_raise_no_warning() -> None:
    rng = np.random.default_rng(5)
    for size in (30, 300, 3000):
        table = load({f"v{i}x": rng.normal(10, 2, size) for i in range(4)})
        assert not [f for f in examine(table).findings if f.severity != "info"]


# Missing values --------------------------------------------------------------------------------------------


def test_shares_patterns_and_remedies() -> None:
    table = load({"a": [1.5, None, 3, 4, None, 6], "b": [1, 2, None, 4, None, 6], "c": list("uvwxyz")})
    found = codes(table)
    shares = found["missing_values"]
    assert "a 2 (33.3 %), b 2 (33.3 %)" in shares.message
    assert "3 of 6 rows (50 %) are complete" in shares.message
    assert shares.rows == (2, 3, 5)
    assert "completely at random" in shares.asked and "multiple imputation" in shares.asked
    assert "not monotone" in found["missing_patterns"].message
    assert found["missing_patterns"].count == 3


def test_drop_out_is_monotone() -> None:
    found = codes({"w1": [1.0, 2, 3, 4], "w2": [1.5, 2.5, 3.5, None], "w3": [1.1, 2.2, None, None]})
    assert "They are monotone" in found["missing_patterns"].message


def test_littles_test_is_the_kernels() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=200), rng.normal(size=200)
    y[x > 0.8] = math.nan  # depends on x: not completely at random
    found = codes({"x": x, "y": y})["little_test"]
    masked = {"x": np.ma.masked_invalid(x), "y": np.ma.masked_invalid(y)}
    kernel = littles_mcar_test(masked)
    assert f"= {kernel.statistic:.2f}" in found.message
    assert found.severity == "warning"
    z = rng.normal(size=200)
    z[rng.permutation(200)[:40]] = math.nan
    quiet = codes({"x": x, "z": z})["little_test"]
    assert quiet.severity == "info"
    assert "no proof" in quiet.message


def test_an_empty_column_and_no_missing_value() -> None:
    found = codes({"a": [1.0, 2.5, 3], "b": [None, None, None]})
    assert found["empty_column"].column == "b"
    assert "missing_values" not in found
    assert "missing_values" not in codes({"a": [1.0, 2.5, 3]})


# Duplicates ------------------------------------------------------------------------------------------------


def test_equal_rows_that_chance_cannot_make() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=50).tolist()
    found = codes({"a": [*values, values[4]], "b": [*range(50), 4]})["duplicate_rows"]
    assert (found.count, found.rows, found.severity) == (1, (51,), "warning")
    assert "drop_duplicates" in found.asked


def test_equal_rows_that_chance_makes() -> None:
    rng = np.random.default_rng(3)
    found = codes({"a": rng.integers(0, 3, 200), "b": rng.integers(0, 3, 200)})["duplicate_rows"]
    assert found.severity == "info"
    assert "by chance" in found.message


def test_rows_equal_but_for_their_number() -> None:
    values = np.random.default_rng(4).normal(size=30)
    found = codes({"id": list(range(1, 32)), "a": [*values, values[0]], "b": [*values, values[0]]})
    assert "all columns but id" in found["duplicate_rows"].message


def test_an_identifier_that_occurs_twice() -> None:
    ids = [*range(100, 140), 117]
    found = codes({"patient_id": ids, "y": np.random.default_rng(1).normal(size=41)})["duplicate_identifier"]
    assert found.rows == (18, 41)
    assert found.seen == ("117",)


def test_spellings_of_one_label() -> None:
    labels = ["Wi-Fi", "WiFi", "Zürich", "Zurich", "Wi-Fi", "LAN"] * 3
    found = codes({"net": labels, "y": list(range(18))})["label_spellings"]
    assert found.severity == "warning"
    assert found.seen == ("Wi-Fi", "WiFi", "Zurich", "Zürich")
    # Case and blanks alone are a doubt of the first stage, which is not told twice.
    assert "label_spellings" not in codes({"sex": ["Male", "male", "Female", "f"] * 4, "y": list(range(16))})
    assert "label_spellings" not in codes({"grade": ["A", "A+", "A-", "B"] * 5, "y": list(range(20))})
    assert "label_spellings" not in codes({"blood": ["0", "0+", "A", "B"] * 5, "y": list(range(20))})


@given(st.text(max_size=20))
def test_folding_is_stable(label: str) -> None:
    assert folded(folded(label)) == folded(label)
    assert folded(f"  {label}.") == folded(label)


# Steps -----------------------------------------------------------------------------------------------------


@pytest.fixture
def small() -> Table:
    return load(
        {"g": ["a", "b", "A", None, "b"], "v": [1, None, 3, 4, None], "w": [1.5, 2.5, 99.0, 4.5, 2.5]}
    )


def test_rows_left_out(small: Table) -> None:
    done = clean(small, [{"step": "drop_missing", "columns": ["v"]}])
    assert [r["v"] for r in done.table.rows()] == [1, 3, 4]
    assert "2 of 5 rows" in done.findings[0].message
    assert done.findings[0].done
    assert clean(small, [{"step": "drop_missing"}]).table.n_rows == 2
    assert clean(small, [{"step": "drop_rows", "where": "w > 90"}]).table.n_rows == 4
    assert clean(small, [{"step": "drop_duplicates", "columns": ["v"]}]).table.n_rows == 4
    assert small.n_rows == 5


def test_values_put_in(small: Table) -> None:
    mean = clean(small, [{"step": "impute", "column": "v", "method": "mean"}])
    assert [r["v"] for r in mean.table.rows()] == pytest.approx([1, 8 / 3, 3, 4, 8 / 3])
    assert mean.record["steps"][0]["fitted"] == {"method": "mean", "value": 8 / 3}
    assert "too small" in mean.findings[0].message
    text = clean(small, [{"step": "impute", "column": "g", "method": "constant", "value": "it's"}])
    assert text.table.rows()[3]["g"] == "it's"
    assert clean(small, [{"step": "impute", "column": "g", "method": "mode"}]).table.rows()[3]["g"] == "b"


def test_values_made_missing(small: Table) -> None:
    by_value = clean(small, [{"step": "set_missing", "column": "w", "values": [99]}])
    by_filter = clean(small, [{"step": "set_missing", "column": "w", "where": "w > 90"}])
    assert by_value.table.rows() == by_filter.table.rows()
    assert by_value.table.column("w").n_missing == 1


def test_labels_merged(small: Table) -> None:
    done = clean(load({"g": ["Male", "male", "Male", "female"]}), [{"step": "merge_labels", "column": "g"}])
    assert [r["g"] for r in done.table.rows()] == ["Male", "Male", "Male", "female"]
    named = clean(small, [{"step": "merge_labels", "column": "g", "into": {"A": "a"}}])
    assert named.table.column("g").levels == ("a", "b")
    assert named.findings[0].count == 1


@pytest.mark.parametrize("rule", RULES)
def test_outliers_flagged(rule: str) -> None:
    rivers = REFERENCE["data"]["rivers"]
    done = clean(load({"v": rivers}), [{"step": "flag_outliers", "column": "v", "rule": rule}])
    assert sum(r["v_outlier"] for r in done.table.rows(limit=200)) == REFERENCE["flags"]["rivers"][rule]


def test_units_taken_out_of_cells_and_converted() -> None:
    table = load({"dose": ["12 mg", "0.5 g", None, "3 mg"], "height": ["5'11\"", "6'0\"", "5 ft 2 in", None]})
    done = clean(table, [{"step": "strip_units", "column": "dose"}, {"step": "strip_units", "column": "height"},
                         {"step": "convert_unit", "column": "dose (mg)", "to": "g"}])  # fmt: skip
    rows = done.table.rows()
    assert [r["dose (g)"] for r in rows] == [0.012, 0.5, None, 0.003]
    # 71, 72 and 62 inches of 2.54 cm
    assert [r["height (cm)"] for r in rows[:3]] == pytest.approx([180.34, 182.88, 157.48])
    assert done.table.units == {"dose (g)": "g", "height (cm)": "cm"}
    partly = load({"dose": ["12 mg", "30", "7 mg", "9 mg"]})
    with pytest.raises(InputError, match="no unit"):
        clean(partly, [{"step": "strip_units", "column": "dose"}])
    assumed = clean(partly, [{"step": "strip_units", "column": "dose", "assume": "g"}])
    assert [r["dose (mg)"] for r in assumed.table.rows()] == [12, 30_000, 7, 9]


def test_a_temperature_converted() -> None:
    done = clean(
        load({"temp (°F)": [212.0, 32.0, -40.0]}),
        [{"step": "convert_unit", "column": "temp (°F)", "to": "°C"}],
    )
    assert [r["temp (°C)"] for r in done.table.rows()] == pytest.approx([100, 0, -40])


@pytest.mark.parametrize(
    "step",
    [
        {"step": "no_such"}, {"column": "v"}, {"step": "impute", "column": "v"},
        {"step": "impute", "column": "v", "method": "guess"}, {"step": "impute", "column": "g", "method": "mean"},
        {"step": "impute", "column": "v", "method": "constant", "value": "x"}, {"step": "drop_rows", "where": "w > 1"},
        {"step": "drop_rows"}, {"step": "drop_missing", "columns": [3]}, {"step": "drop_missing", "columns": ["zz"]},
        {"step": "set_missing", "column": "v"}, {"step": "merge_labels", "column": "v"},
        {"step": "merge_labels", "column": "g", "into": {"zz": "a"}}, {"step": "flag_outliers", "column": "g"},
        {"step": "flag_outliers", "column": "v", "rule": "magic"}, {"step": "strip_units", "column": "g"},
        {"step": "convert_unit", "column": "w", "to": "kg"},
        {"step": "convert_unit", "column": "w", "to": "m", "unit": "kg"},
        {"step": "rename", "column": "v", "into": "w"},
        {"step": "rename", "column": "v", "into": " "}, {"step": "select", "columns": []},
        {"step": "impute", "column": "v", "method": "mean", "sql": "1"},
        {"step": "impute", "column": ["v"], "method": "mean"},
    ],
)  # fmt: skip
def test_steps_that_cannot_be_done(small: Table, step: dict[str, Any]) -> None:
    before = small.fingerprint
    with pytest.raises(StatistiklesError, match=r"^Step 1: "):
        clean(small, [step])
    assert small.fingerprint == before


def test_a_recipe_repeats_itself() -> None:
    table = load(EXAMPLES / "penguins.csv")
    steps = [{"step": "drop_missing", "columns": ["sex"]}, {"step": "select", "columns": ["sex", "body_mass_g"]},
             {"step": "rename", "column": "body_mass_g", "into": "mass (g)"}]  # fmt: skip
    first = clean(table, steps)
    again = clean(table, json.loads(json.dumps(first.record)))
    assert again.record == first.record
    assert first.record["source"]["fingerprint"] == table.fingerprint
    assert first.record["result"]["fingerprint"] == first.table.fingerprint != table.fingerprint
    assert first.table.n_rows == 333
    assert [s["step"] for s in first.record["steps"]] == ["drop_missing", "select", "rename"]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(0, 9) | st.none(), min_size=3, max_size=30).filter(
        lambda v: any(x is not None for x in v)
    )
)
def test_every_step_leaves_its_table_alone(values: list[int | None]) -> None:
    table = load({"v": values, "k": [f"k{i}" for i in range(len(values))]})
    before = table.fingerprint
    for step in (
        {"step": "drop_missing"}, {"step": "impute", "column": "v", "method": "median"},
        {"step": "set_missing", "column": "v", "values": [3]}, {"step": "drop_duplicates", "columns": ["v"]},
    ):  # fmt: skip
        done = clean(table, [step])
        assert table.fingerprint == before
        assert done.findings[0].done
    assert clean(table, [{"step": "drop_missing"}]).table.n_rows == sum(v is not None for v in values)
    filled = clean(table, [{"step": "impute", "column": "v", "method": "median"}]).table
    assert filled.column("v").n_missing == 0


_FIELDS = st.dictionaries(
    st.sampled_from(
        ["column", "columns", "method", "value", "values", "where", "into", "rule", "to", "unit", "assume", "base", "plus",
         "exponent", "offset", "centre", "scale", "names_to", "values_to", "names_from", "values_from", "keys"]
    ),
    st.one_of(
        st.sampled_from(["v", "w", "g", "mean", "mode", "constant", "iqr", "kg", "w > 2", "new", "", "'; --", "e"]),
        st.lists(st.sampled_from(["v", "w", "g", 1, None, 2.5]), max_size=3),
        st.integers(-3, 3), st.floats(), st.booleans(), st.none(),
        st.dictionaries(st.text(max_size=2), st.text(max_size=2), max_size=2),
    ),
    max_size=4,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(STEPS)), _FIELDS)
def test_no_recipe_breaks_or_alters_the_table(name: str, fields: dict[str, Any]) -> None:
    table = load(
        {"g": ["a", "b", "A", None, "b"], "v": [1, None, 3, 4, None], "w": [1.5, 2.5, 99.0, 4.5, 2.5]}
    )
    needed = {
        k
        for k, p in inspect.signature(STEPS[name]).parameters.items()
        if p.default is p.empty and k != "table"
    }
    for field, usual in (("column", "w"), ("columns", ["v", "w"])):
        if field in needed:
            fields.setdefault(field, usual)
    before = table.fingerprint
    try:
        done = clean(table, [{"step": name, **fields}])
    except StatistiklesError as refused:
        assert refused.message.startswith("Step 1: ")
    else:
        assert done.table.n_rows > 0
        assert len(set(done.table.column_names)) == len(done.table.column_names)
        assert done.table.columns and done.table.fingerprint
        json.dumps(done.record, allow_nan=False)
    assert table.fingerprint == before
