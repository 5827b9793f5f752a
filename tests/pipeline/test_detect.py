"""Scales of measurement and structure: what is seen, with which confidence, and what must not be seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles.pipeline import Table, load
from statistikles.pipeline.findings import SEVERITIES, STAGES
from statistikles.pipeline.stewardship import Inspection, examine
from statistikles.pipeline.stewardship.orders import order_of
from statistikles.pipeline.stewardship.structure import layout_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def scale_of(values: list[Any], name: str = "q") -> str:
    return examine(load({name: values, "other": list(range(len(values)))})).of(name).scale


def codes(inspection: Inspection) -> dict[str, Any]:
    return {f.code: f for f in inspection.findings}


# Scales ----------------------------------------------------------------------------------------------------

GRADES = ["low", "high", "medium", "low", "medium", "high"] * 3


@pytest.mark.parametrize(
    ("name", "values", "scale"),
    [
        ("species", ["a", "b", "c"] * 6, "nominal"),
        ("sex", ["m", "f"] * 9, "binary"),
        ("alive", [True, False, True] * 6, "binary"),
        ("smoker", [0, 1, 1] * 6, "binary"),
        ("grade", GRADES, "ordinal"),
        ("age_group", ["18-25", "26-40", "65+", "41-64", "18-25", "65+"] * 3, "ordinal"),
        ("satisfaction", [1, 2, 3, 4, 5, 3] * 3, "ordinal"),
        ("n_visits", [0, 1, 2, 0, 7, 3] * 3, "count"),
        ("temp [°C]", [20.5, 21.0, -3.0, 15.2, 8.1, 3.3] * 3, "interval"),
        ("latitude", [51.2, 48.1, 52.9, 50.0, 49.5, 53.3] * 3, "interval"),
        ("mass (kg)", [3.2, 4.1, 2.2, 8.1, 5.0, 2.9] * 3, "ratio"),
        ("price", [3.2, 4.1, 2.2, 8.1, 5.0, 2.9] * 3, "ratio"),
        ("share", [0.1, 0.25, 0.3, 0.9, 0.5, 0.65] * 3, "proportion"),
        ("humidity (%)", [10.0, 25.0, 33.0, 90.0, 50.0, 65.5] * 3, "proportion"),
        ("year", [1999, 2000, 2001, 2002, 2003, 2004] * 3, "date-time"),
        ("day", ["2024-01-03", "2024-02-04", "2024-03-05", "2024-05-01", "2024-05-02", "2024-06-09"] * 3, "date-time"),
        ("region code", [11, 12, 13, 21, 22, 23] * 3, "nominal"),
        ("flat", [1] * 18, "constant"),
        ("none", [None] * 18, "empty"),
        ("patient_id", list(range(101, 119)), "identifier"),
        ("note", [f"the patient said on day {i} that it hurts less than before" for i in range(18)], "free text"),
    ],
)  # fmt: skip
def test_scales(name: str, values: list[Any], scale: str) -> None:
    assert len(values) == 18
    report = examine(load({name: values, "beside": list(range(18))})).of(name)
    if (
        scale == "free text" and report.scale == "identifier"
    ):  # every entry differs: both are right for so few rows
        assert report.confidence <= 0.9
        return
    assert report.scale == scale, report
    assert 0.5 <= report.confidence <= 1
    assert report.reason


def test_an_ordinal_column_says_its_order() -> None:
    report = examine(load({"grade": GRADES})).of("grade")
    assert report.order == ("low", "medium", "high")
    assert report.to_dict()["order"] == ["low", "medium", "high"]


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["Agree", "Strongly disagree", "Disagree", "Strongly Agree"],
         ("Strongly disagree", "Disagree", "Agree", "Strongly Agree")),
        (["<18", "65+", "18-40", "41-64"], ("<18", "18-40", "41-64", "65+")),
        (["often", "never", "sometimes"], ("never", "sometimes", "often")),
        (["II", "I", "IV", "III"], ("I", "II", "III", "IV")),
        (["red", "low", "high"], None),
        (["low", "high"], None),
        (["low", "LOW", "high"], None),
        (["1", "2", "3"], None),
    ],
)  # fmt: skip
def test_known_orders(labels: list[str], order: tuple[str, ...] | None) -> None:
    found = order_of(labels)
    assert (None if found is None else found[0]) == order


def test_codes_are_less_sure_than_what_a_unit_says() -> None:
    table = load({"q": [1, 2, 3, 4, 2, 1] * 4, "mass (kg)": [1.5, 2.5, 3.5, 4.5, 2.5, 1.5] * 4})
    inspection = examine(table)
    assert inspection.of("q").confidence < 0.6 < inspection.of("mass (kg)").confidence


# Layout ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "kind", "members"),
    [
        (["pre_score", "post_score", "age"], "pair", ("pre_score", "post_score")),
        (["weight before", "weight after"], "pair", ("weight before", "weight after")),
        (["week_1", "week_2", "age"], "timed", ("week_1", "week_2")),
        (["t2", "t1", "t10"], "timed", ("t1", "t2", "t10")),
        (["G1", "G2", "G3"], "numbered", ("G1", "G2", "G3")),
        (["gdp_1952", "gdp_1957", "gdp_1962"], "timed", ("gdp_1952", "gdp_1957", "gdp_1962")),
        (["JAN", "FEB", "MAR", "APR", "MAY", "JUN"], "timed", ("JAN", "FEB", "MAR", "APR", "MAY", "JUN")),
    ],
)
def test_wide_layouts(names: list[str], kind: str, members: tuple[str, ...]) -> None:
    [layout] = layout_of(names)
    assert (layout.kind, layout.columns) == (kind, members)


@pytest.mark.parametrize(
    "names",
    [
        ["x1", "x2", "x3"], ["V1", "V2", "V3", "V4"], ["q1", "q2"], ["X1 date", "X2 age", "X3 price"], ["before", "mass"],
        ["Parch", "SibSp", "Fare"], ["march", "mayor", "decor", "junction", "april fool", "marble"], ["PC1", "PC2", "PC3"],
        ["H2O", "CO2", "O2"], ["q1", "q2", "q9"],
    ],
)  # fmt: skip
def test_no_layout(names: list[str]) -> None:
    assert layout_of(names) == []


def test_numbered_columns_of_different_size_are_different_things() -> None:
    alike = load({"g1": [1.0, 2, 3, 4], "g2": [2.0, 3, 4, 5], "g3": [1.0, 3, 3, 5]})
    assert "wide_layout" in codes(examine(alike))
    apart = load({"g1": [1.0, 2, 3, 4], "g2": [200.0, 300, 400, 500], "g3": [1e6, 3e6, 3.5e6, 5e6]})
    assert "wide_layout" not in codes(examine(apart))


def test_a_paired_design() -> None:
    inspection = examine(load({"pre": [1.0, 2.5, 3, 4, 6], "post": [2.0, 3, 4.5, 5, 6.5]}))
    assert codes(inspection)["paired_columns"].seen == ("pre", "post")
    assert inspection.of("post").role == "value at post"


def test_repeated_measures_in_long_layout() -> None:
    rows = [(s, c, 10.0 + s + (c == "after")) for s in range(1, 7) for c in ("before", "after")]
    table = load(
        {"subject": [r[0] for r in rows], "phase": [r[1] for r in rows], "score": [r[2] for r in rows]}
    )
    inspection = examine(table)
    found = codes(inspection)["repeated_measures"]
    assert found.severity == "warning"
    assert "'phase'" in found.message
    assert "2 times" in found.message
    assert inspection.of("subject").role == "subject"
    assert inspection.of("phase").role == "occasion"


def test_a_panel_and_clusters() -> None:
    panel = load({"country": [c for c in "ABC" for _ in range(4)], "year": [2000, 2001, 2002, 2003] * 3,
                  "gdp": [float(i * i) for i in range(12)]})  # fmt: skip
    assert "told apart by 'year'" in codes(examine(panel))["panel"].message
    nested = load({"plot_id": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], "height": [float(i) for i in range(12)]})
    assert "not independent" in codes(examine(nested))["clustered_rows"].message


def test_order_in_time() -> None:
    days = [f"2024-01-{d:02d}" for d in range(1, 15)]
    assert "in time order" in codes(examine(load({"day": days, "y": list(range(14))})))["time_order"].message
    shuffled = [days[i] for i in np.random.default_rng(0).permutation(14)]
    assert (
        "not stand in time order"
        in codes(examine(load({"day": shuffled, "y": list(range(14))})))["time_order"].message
    )
    backwards = load({"day": days[::-1], "y": list(range(14))})
    assert "reversed" in codes(examine(backwards))["time_order"].message


# Everything ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["penguins", "titanic", "sleep", "leukaemia"])
def test_tidy_tables_raise_no_alarm(name: str) -> None:
    inspection = examine(load(EXAMPLES / f"{name}.csv"))
    assert not [f for f in inspection.findings if f.severity == "problem"]
    allowed = {"missing_values", "little_test", "repeated_measures"}
    assert {f.code for f in inspection.findings if f.severity == "warning"} <= allowed


def test_findings_come_in_the_order_of_the_stages_and_change_nothing() -> None:
    table = load(EXAMPLES / "penguins.csv")
    before = table.fingerprint
    inspection = examine(table)
    stages = [STAGES.index(f.stage) for f in inspection.findings]
    assert stages == sorted(stages)
    assert all(f.severity in SEVERITIES for f in inspection.findings)
    assert not [f for f in inspection.findings if f.done and f.stage != "canonicalise"]
    assert table.fingerprint == before
    assert [r.column for r in inspection.detected] == list(table.column_names)
    assert inspection.to_dict() == examine(table).to_dict()


_NAMES = ["id", "t1", "t2", "age (years)", "x_g", "lat", "pre", "post"]
_COLUMN = st.one_of(
    st.lists(st.integers(-5, 5) | st.none(), min_size=9, max_size=9),
    st.lists(st.floats(allow_nan=True, allow_infinity=True) | st.none(), min_size=9, max_size=9),
    st.lists(st.text(max_size=8) | st.none(), min_size=9, max_size=9),
    st.lists(st.sampled_from(["12 mg", "1 g", "3", "5'2\"", "", "NA"]), min_size=9, max_size=9),
    st.lists(st.booleans() | st.none(), min_size=9, max_size=9),
    st.lists(st.dates() | st.none(), min_size=9, max_size=9),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(_NAMES), _COLUMN), min_size=1, max_size=5))
def test_no_table_breaks_the_examination(columns: list[tuple[str, list[Any]]]) -> None:
    table = load(dict(columns))
    assert isinstance(table, Table)
    inspection = examine(table)
    assert len(inspection.detected) == len(table.column_names)
    for finding in inspection.findings:
        assert finding.message
        assert all(1 <= row <= table.n_rows for row in finding.rows)
