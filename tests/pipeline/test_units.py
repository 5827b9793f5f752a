"""Units: what headers and cells say, what they must not be taken for, conversion, and the units results carry."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import audit, collect_numbers, execute_tool
from statistikles.errors import InputError
from statistikles.pipeline import load
from statistikles.pipeline.stewardship import examine
from statistikles.pipeline.stewardship.headers import SURE_ENOUGH, read_header
from statistikles.pipeline.stewardship.unit_columns import table_units
from statistikles.pipeline.stewardship.unit_words import KNOWN
from statistikles.pipeline.stewardship.units import NONE, Unit, compatible, conversion, parse_unit, through
from statistikles.results.roles import Role

ROOT = Path(__file__).parents[2]
PENGUINS = str(ROOT / "examples" / "penguins.csv")


def unit(text: str) -> Unit:
    found = parse_unit(text)
    assert found is not None, text
    return found[0]


# Headers ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("body_mass_g", "g"),
        ("Height (cm)", "cm"),
        ("temp [°C]", "°C"),
        ("Temperature (C)", "°C"),
        ("dose mg/kg", "mg/kg"),
        ("HT_M", "m"),
        ("DBH_CM", "cm"),
        ("BA_M2", "m²"),
        ("glucose_mg_dl", "mg/dL"),
        ("speed_km_per_h", "km/h"),
        ("weightKg", "kg"),
        ("bmi kg/m2", "kg/m²"),
        ("vo2max mL/kg/min", "mL/(kg·min)"),
        ("Sales ($)", "$"),
        ("Revenue (USD millions)", "million $"),
        ("salary_in_thousands_of_dollars", "thousand $"),
        ("weight, kg", "kg"),
        ("income in EUR", "€"),
        ("height_in", "in"),
        ("duration (min)", "min"),
        ("age_years", "years"),
        ("humidity (%)", "%"),
        ("Concentration (µg/m³)", "µg/m³"),
        ("mass (Mg)", "Mg"),
        ("mass (mg)", "mg"),
        ("days", "days"),
        ("Elevation (ft)", "ft"),
    ],
)
def test_a_header_that_names_its_unit(header: str, expected: str) -> None:
    found = read_header(header)
    assert found is not None
    assert str(found.unit) == expected
    assert found.confidence >= SURE_ENOUGH
    assert found.reason


@pytest.mark.parametrize(
    "header",
    [
        "n_g", "group_m", "id_s", "temp_min", "temp_max", "check_in", "Sex (M/F)", "Answer (A)", "Group (C)", "score (a)",
        "Year", "budget_year_end", "Weight", "t", "sales_k", "pct_change", "gdpPercap_1952", "Kidhome", "IP", "size_b",
        "rank (st)", "per_day", "MedInd", "TPH_PLT", "Pclass", "X5 latitude", "P_VALUE", "n (%)x", "", "()", "_", "m",
    ],
)  # fmt: skip
def test_a_header_that_names_none(header: str) -> None:
    assert read_header(header) is None


def test_a_doubtful_unit_is_asked_about_and_not_used() -> None:
    table = load({"Tail (m)": [1.5, 2.5, 3.5, 4.0]})
    inspection = examine(table)
    assert inspection.of("Tail (m)").unit == ""
    [finding] = [f for f in inspection.findings if f.code == "unit_uncertain"]
    assert finding.stage == "units"
    assert "'Tail (m)' in m?" in finding.asked
    assert table_units(table) == {}


def test_capitals_say_nothing_about_case() -> None:
    found = read_header("DOSE_MG")
    assert found is not None
    assert str(found.unit) == "mg"
    assert read_header("SCORE_MG") is None  # mg or Mg, and no word of mass beside it


@given(st.text(max_size=60))
def test_no_header_breaks_the_reading(header: str) -> None:
    found = read_header(header)
    assert found is None or 0 < found.confidence <= 1


# The table of spellings, and pint ---------------------------------------------------------------------------


def test_every_unit_of_one_dimension_converts_into_the_others() -> None:
    """pint is the authority on dimensions: a label may not stand under a dimension that is not its own."""
    first: dict[str, Unit] = {}
    for label, known in KNOWN.items():
        here = unit(label)
        if known.dimension in ("currency", "activity", "level"):
            continue
        assert compatible(here, first.setdefault(known.dimension, here)), label
    assert len(first) > 20


def test_every_label_is_read_as_itself() -> None:
    for label in KNOWN:
        assert str(unit(label)) == label


@pytest.mark.parametrize(
    ("source", "target", "factor", "offset"),
    [  # definitions: 1 in = 2.54 cm, 1 lb = 0.45359237 kg, 1 mi = 1609.344 m, 0 °C = 273.15 K (SI, 1959 yard and pound)
        ("in", "cm", Fraction(254, 100), 0),
        ("lb", "kg", Fraction("0.45359237"), 0),
        ("mi", "m", Fraction("1609.344"), 0),
        ("°C", "K", 1, Fraction("273.15")),
        ("°F", "°C", Fraction(5, 9), Fraction(-160, 9)),
        ("km/h", "m/s", Fraction(1000, 3600), 0),
        ("mg/dL", "g/L", Fraction(1, 100), 0),
        ("thousand $", "$", 1000, 0),
        ("%", "ppm", 10_000, 0),
        ("m²", "ha", Fraction(1, 10_000), 0),
    ],
)
def test_conversion_is_exact(source: str, target: str, factor: Fraction, offset: Fraction) -> None:
    found = conversion(unit(source), unit(target))
    assert found.factor == float(factor)
    assert found.offset == float(offset)


def test_an_offset_moves_values_and_not_differences() -> None:
    found = conversion(unit("°F"), unit("°C"))
    assert found.value(212.0) == pytest.approx(100.0, abs=1e-12)
    assert found.difference(18.0) == pytest.approx(10.0)
    assert found.variance(81.0) == pytest.approx(25.0)
    assert str(found) == "°C = °F × 5/9 - 160/9"


@pytest.mark.parametrize(
    ("source", "target"), [("kg", "cm"), ("$", "€"), ("IU", "mg"), ("°C", "m"), ("m", "m²")]
)
def test_different_things_do_not_convert(source: str, target: str) -> None:
    assert not compatible(unit(source), unit(target))
    with pytest.raises(InputError, match="measure different things"):
        conversion(unit(source), unit(target))


_LABELS = sorted(
    label for label, k in KNOWN.items() if k.dimension in ("mass", "length", "time", "volume", "pressure")
)


@given(st.sampled_from(_LABELS), st.sampled_from(_LABELS), st.floats(-1e6, 1e6))
def test_there_and_back_again(a: str, b: str, x: float) -> None:
    first, second = unit(a), unit(b)
    if not compatible(first, second):
        return
    there, back = conversion(first, second), conversion(second, first)
    assert back.value(there.value(x)) == pytest.approx(x, rel=1e-12, abs=1e-9)


def test_factors_agree_with_pint() -> None:
    registry: Any = pint.UnitRegistry()
    for a in _LABELS:
        for b in _LABELS:
            if KNOWN[a].dimension == KNOWN[b].dimension:
                wanted = registry.Quantity(1, KNOWN[a].pint).to(KNOWN[b].pint).magnitude
                assert conversion(unit(a), unit(b)).factor == pytest.approx(wanted, rel=1e-13)


# Algebra ---------------------------------------------------------------------------------------------------


def test_products_powers_and_quotients() -> None:
    g, mm, s = unit("g"), unit("mm"), unit("s")
    assert str(g / mm) == "g/mm"
    assert str(g / (mm * s)) == "g/(mm·s)"
    assert str(NONE / mm) == "1/mm"
    assert str(unit("m²") ** 2) == "m⁴"
    assert mm / mm == NONE
    assert str(unit("cm") / unit("m")) == "cm/m"  # as written, not simplified away


_UNITS = st.sampled_from(sorted(KNOWN)).map(unit)


@given(_UNITS, _UNITS, st.integers(-3, 3))
def test_the_algebra_of_units(a: Unit, b: Unit, n: int) -> None:
    assert dict((a * b).parts) == dict((b * a).parts)
    assert a / a == NONE
    assert (a * b) / b == a or dict(((a * b) / b).parts) == dict(a.parts)
    assert dict(((a * b) ** n).parts) == dict(((a**n) * (b**n)).parts)


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        (Role.MEAN, "°C"),
        (Role.QUANTILE, "°C"),
        (Role.STD_DEV, "Δ°C"),
        (Role.RANGE, "Δ°C"),
        (Role.VARIANCE, "Δ°C²"),
        (Role.CORRELATION, None),
        (Role.EFFECT_SIZE, None),
        (Role.STATISTIC, None),
        (Role.P_VALUE, None),
        (Role.SHAPE, None),
        (Role.COUNT, None),
    ],
)
def test_how_statistics_change_units(role: Role, expected: str | None) -> None:
    found = through(role, unit("°C"))
    assert (None if found is None else str(found)) == expected


# Cells -----------------------------------------------------------------------------------------------------


def codes(table: Any) -> dict[str, Any]:
    return {f.code: f for f in examine(table).findings if f.stage == "units"}


def test_one_unit_in_all_cells() -> None:
    found = codes(load({"dose": ["12 mg", "3 mg", "7.5 mg"]}))["unit_in_cells"]
    assert found.severity == "warning"
    assert found.seen == ("12 mg", "3 mg", "7.5 mg")
    assert found.asked


def test_mixed_units_that_convert() -> None:
    found = codes(load({"height": ["170 cm", "1.82 m", "165 cm", "68 in"]}))["mixed_units"]
    assert found.severity == "problem"
    assert "1 m = 100 cm" in found.message
    assert "1 in = 2.54 cm" in found.message
    assert found.rows == (2, 4)
    assert found.done == ""


def test_mixed_units_that_do_not_convert() -> None:
    found = codes(load({"amount": ["12 mg", "3 mL", "5 mg"]}))["mixed_dimensions"]
    assert found.severity == "problem"
    assert found.rows == (2,)


def test_cells_with_and_without_a_unit() -> None:
    found = codes(load({"dose": ["12 mg", "30", "7 mg", "9 mg"]}))["unit_in_some_cells"]
    assert found.count == 1
    assert found.rows == (2,)


def test_feet_and_inches_only_where_the_header_speaks_of_length() -> None:
    cells = ["5'11\"", "6'0\"", "5 ft 2 in"]
    assert "feet_and_inches" in codes(load({"height": cells}))
    assert codes(load({"angle": cells})) == {}


def test_a_column_of_units_beside_its_values() -> None:
    table = load({"value": [1.0, 2.0, 3.0, 4.0], "unit": ["mg", "g", "mg", "mg"], "k": [1, 2, 3, 5]})
    assert "several units" in codes(table)["mixed_units"].message
    assert codes(load({"value": [1.0, 2.0, 3.0], "unit": ["mg", "mg", "mg"]})) == {}


def test_one_quantity_in_two_units() -> None:
    cm = [170.2, 182.9, 165.1, 157.5]
    agreeing = codes(load({"height_cm": cm, "height_in": [67, 72, 65, 62]}))
    assert "agree" in agreeing["same_quantity"].message
    found = codes(load({"height_cm": cm, "height_in": [67, 72, 165.1, 62]}))["units_disagree"]
    assert (found.severity, found.rows) == ("problem", (3,))
    assert codes(load({"height_cm": cm, "depth_in": [1.5, 2.5, 3.5, 4.5]})) == {}
    assert codes(load({"Temp (°C)": [0.0, 100.0], "Temp (°F)": [32.0, 212.0], "k": [1, 2]})).keys() <= {
        "same_quantity"
    }


@pytest.mark.parametrize(
    "cells",
    [["12 a", "13 b", "14 c"], ["Room 1", "Room 2", "Room 3"], ["1 of 3", "2 of 3", "3 of 3"], ["3 m", "4 f", "5 m"],
     ["2020 A", "2021 A", "2022 A"], ["7:15 PM", "7:16 PM", "8:01 PM"]],
)  # fmt: skip
def test_cells_that_hold_no_units(cells: list[str]) -> None:
    assert codes(load({"code": cells})) == {}


def test_a_declared_unit_leads() -> None:
    table = load({"weight": [1.0, 2.0, 4.0]})
    report = examine(table, constraints={"columns": {"weight": {"unit": "kg"}}}).of("weight")
    assert (report.unit, report.unit_confidence) == ("kg", 1.0)
    with pytest.raises(InputError, match="not known"):
        examine(table, constraints={"columns": {"weight": {"unit": "stoone"}}})


def test_a_unit_that_the_source_gives() -> None:
    table = load({"weight": [1.0, 2.0, 4.0]})
    table.units["weight"] = "kg"
    assert examine(table).of("weight").unit == "kg"
    table.units["weight"] = "quux"  # unknown: no unit, and no failure
    assert examine(table).of("weight").unit == ""
    assert table_units(table) == {}


def test_a_percentage_written_as_fractions_is_left_alone() -> None:
    table = load({"on_base_percentage": [0.31, 0.27, 0.4, 0.35]})
    assert "percent_as_fraction" in codes(table)
    assert table_units(table) == {}


# Results ---------------------------------------------------------------------------------------------------


def run(tool: str, arguments: dict[str, Any], data: Any = PENGUINS) -> dict[str, Any]:
    result = execute_tool(tool, arguments, data=data)
    assert "error" not in result, result
    return result


def test_a_description_carries_units() -> None:
    units = run("descriptive_statistics", {"data": "body_mass_g"})["units"]
    assert units["mean"] == units["std_dev"] == units["iqr"] == units["conf_low"] == "g"
    assert units["variance"] == "g²"
    for pure in (
        "skewness",
        "skewness_std_error",
        "cv",
        "n",
        "excess_kurtosis",
        "lag1_autocorrelation",
        "conf_level",
    ):
        assert pure not in units


def test_a_comparison_carries_units() -> None:
    groups = {"column": "body_mass_g", "by": "sex"}
    male, female = ({"column": "body_mass_g", "where": f"sex = '{s}'"} for s in ("male", "female"))
    units = run("t_test", {"type": "independent", "group1": male, "group2": female})["units"]
    assert units["estimate"] == units["conf_low"] == units["std_error"] == "g"
    assert "statistic" not in units and "p_value" not in units and "effect_size" not in units
    assert units["groups"]["male"] == dict.fromkeys(
        ("mean", "std_dev", "std_error", "median", "minimum", "maximum"), "g"
    )
    ranks = run("nonparametric_test", {"type": "mann_whitney", "group1": male, "group2": female})["units"]
    assert "mean_rank" not in ranks["groups"]["male"]
    assert run("anova", {"groups": groups})["units"]["groups"]["female"]["mean"] == "g"


def test_a_slope_is_in_y_per_x() -> None:
    result = run("regression", {"x": ["flipper_length_mm", "year"], "y": "body_mass_g"})
    assert result["units"]["terms"]["flipper_length_mm"]["estimate"] == "g/mm"
    assert result["units"]["terms"]["intercept"]["std_error"] == "g"
    assert result["units"]["terms"]["year"]["estimate"] == "g"  # year is no unit here: g per step of it
    assert result["units"]["residual_std_error"] == "g"
    square = run("regression", {"x": ["flipper_length_mm"], "y": "body_mass_g", "degree": 2})["units"][
        "terms"
    ]
    assert square["flipper_length_mm^2"]["estimate"] == "g/mm²"


def test_a_correlation_has_no_unit_but_its_variables_do() -> None:
    units = run("correlation", {"x": "flipper_length_mm", "y": "body_mass_g"})["units"]
    assert set(units) == {"groups"}
    assert units["groups"]["flipper_length_mm"]["mean"] == "mm"


def test_a_temperature_difference_is_no_temperature() -> None:
    data = {"temp [°C]": [20.0, 21.5, 19.0, 30.0, 31.0, 29.5], "site": ["a", "a", "a", "b", "b", "b"]}
    one, two = ({"column": "temp [°C]", "where": f"site = '{s}'"} for s in "ab")
    units = run("t_test", {"type": "independent", "group1": one, "group2": two}, data)["units"]
    assert units["estimate"] == "Δ°C"
    assert units["groups"]["a"]["mean"] == "°C"
    assert units["groups"]["a"]["std_dev"] == "Δ°C"


def test_comparing_different_units_is_warned_about() -> None:
    result = run("t_test", {"type": "paired", "group1": "bill_length_mm", "group2": "body_mass_g"})
    assert "units" not in result
    assert any("different units" in text for text in result["warnings"])


def test_no_units_without_columns_or_without_known_units() -> None:
    assert "units" not in execute_tool("descriptive_statistics", {"data": [1, 2, 3]})
    assert "units" not in run("descriptive_statistics", {"data": "year"})


def test_the_bootstrap_of_a_variance_is_in_squares() -> None:
    units = run("bootstrap", {"data": "body_mass_g", "statistic": "variance", "n_reps": 200})["units"]
    assert units["estimate"] == "g²"


@pytest.mark.parametrize(
    ("tool", "arguments", "place", "expected"),
    [
        ("robust_stats", {"type": "huber", "data": "body_mass_g"}, ("estimate",), "g"),
        ("robust_stats", {"type": "ransac", "x": ["flipper_length_mm"], "y": "body_mass_g"},
         ("terms", "flipper_length_mm", "estimate"), "g/mm"),
        ("anova", {"type": "factorial", "y": "body_mass_g", "factor_a": "species", "factor_b": "sex"},
         ("details", "adjusted_means", "sex", "male", "mean"), "g"),
        ("inter_rater_reliability", {"type": "bland_altman", "rater1": "bill_length_mm", "rater2": "bill_depth_mm"},
         ("estimate",), "mm"),
        ("advanced_modeling", {"type": "mixed_effects", "y": "body_mass_g", "x": ["flipper_length_mm"],
         "group_ids": "species"}, ("terms", "intercept", "estimate"), "g"),
        ("survival_analysis", {"type": "kaplan_meier", "times": "weeks", "events": "relapsed", "groups": "treatment"},
         ("groups", "placebo", "median_survival"), "weeks"),
    ],
)  # fmt: skip
def test_further_tools(tool: str, arguments: dict[str, Any], place: tuple[str, ...], expected: str) -> None:
    data = PENGUINS if tool != "survival_analysis" else str(ROOT / "examples" / "leukaemia.csv")
    found: Any = run(tool, arguments, data)
    assert "error" not in found
    units: Any = found["units"]
    for key in place:
        found, units = found[key], units[key]
    assert isinstance(found, int | float)
    assert units == expected


def test_a_bootstrapped_correlation_has_no_unit_and_no_warning() -> None:
    arguments = {"data": "body_mass_g", "y": "flipper_length_mm", "statistic": "correlation", "n_reps": 200}
    result = run("bootstrap", arguments)
    assert "units" not in result
    assert not any("different units" in text for text in result.get("warnings", ()))


BODIES = {"weight_kg": [60.0, 71.5, 82.0, 55.5], "height_m": [1.6, 1.75, 1.9, 1.55], "waist_cm": [70.0, 80, 90, 66],
          "temp [°C]": [36.5, 36.6, 38.0, 36.9], "site": ["a", "b", "a", "b"]}  # fmt: skip


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("weight_kg / (height_m * height_m)", "kg/m²"),
        ("weight_kg / square(height_m)", "kg/m²"),
        ("power(height_m, 3)", "m³"),
        ("(weight_kg + weight_kg) / 2", "kg"),
        ("weight_kg - mean(weight_kg)", "kg"),
        ("1 / height_m", "1/m"),
        ("sqrt(height_m * height_m)", "m"),
        ('"temp [°C]" - mean("temp [°C]")', "Δ°C"),
        ("zscore(weight_kg)", None),
        ("log(weight_kg)", None),
        ("weight_kg / 1000", None),  # a thousandth of the mass, or the mass in tonnes: not known
        ("height_m * 100", None),
        ("height_m / height_m", None),
    ],
)
def test_the_unit_of_a_defined_column(formula: str, expected: str | None) -> None:
    result = run("descriptive_statistics", {"data": {"column": "new", "define": {"new": formula}}}, BODIES)
    assert result.get("units", {}).get("mean") == expected
    assert not any("mixes units" in text for text in result.get("warnings", ()))


def test_a_formula_that_adds_what_cannot_be_added() -> None:
    arguments = {"data": {"column": "new", "define": {"new": "height_m + waist_cm"}}}
    result = run("descriptive_statistics", arguments, BODIES)
    assert "units" not in result
    assert "A formula mixes units: m is added to cm." in result["warnings"]


def test_a_defined_column_hides_the_one_of_its_name() -> None:
    arguments = {"data": {"column": "weight_kg", "define": {"weight_kg": "weight_kg / 1000"}}}
    assert "units" not in run("descriptive_statistics", arguments, BODIES)


def test_units_are_text_for_the_audit() -> None:
    result = run("descriptive_statistics", {"data": "body_mass_g"})
    bare = {k: v for k, v in result.items() if k != "units"}
    assert collect_numbers(result) == collect_numbers(bare)
    text = "The mean is 4201.75 g, the variance 643131.08 g²."
    assert audit(text, [result]).ok
    assert not audit("The mean is 4311.2 g.", [result]).ok
    json.dumps(result, allow_nan=False)


def test_carrying_units_loads_no_pint() -> None:
    code = (
        "import sys; from statistikles import execute_tool\n"
        f"r = execute_tool('descriptive_statistics', {{'data': 'body_mass_g'}}, data={PENGUINS!r})\n"
        "print(r['units']['mean'], 'pint' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8",
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "PYTHONUTF8": "1"},
    )  # fmt: skip
    assert done.stdout.split() == ["g", "False"]
