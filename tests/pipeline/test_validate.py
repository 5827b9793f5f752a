"""Declared constraints and impossible values: every violation with its rows, and none where there is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles.errors import DataError, InputError
from statistikles.pipeline import load
from statistikles.pipeline.stewardship import examine
from statistikles.pipeline.stewardship.constraints import read_constraints

PEOPLE = {
    "id": [1, 2, 3, 3, 5, 6],
    "age": [30, -1, 45, 130, None, 61],
    "sex": ["f", "m", "x", "f", None, "m"],
    "code": ["AB-1234", "CD-0001", "E-12", "AB-1234", "ÄÖ-9999", "AB-12345"],
    "start": ["2024-01-01", "2024-02-01", "2024-03-01", "2024-01-05", "2024-05-01", "2024-06-01"],
    "end": ["2024-01-02", "2024-01-01", "2024-04-01", "2024-02-01", "2024-05-01", "2024-06-03"],
}


def codes(constraints: dict[str, Any] | None, data: Any = PEOPLE) -> dict[str, Any]:
    found = examine(load(data), constraints=constraints).findings
    return {f.code: f for f in found if f.stage == "validate"}


@pytest.mark.parametrize(
    ("rules", "code", "count", "rows"),
    [
        ({"columns": {"age": {"min": 0}}}, "below_minimum", 1, (2,)),
        ({"columns": {"age": {"max": 120}}}, "above_maximum", 1, (4,)),
        ({"columns": {"age": {"above": 30}}}, "not_above", 2, (1, 2)),
        ({"columns": {"age": {"below": 61}}}, "not_below", 2, (4, 6)),
        ({"columns": {"age": {"not_null": True}}}, "missing_value", 1, (5,)),
        ({"columns": {"sex": {"one_of": ["f", "m"]}}}, "not_in_set", 1, (3,)),
        ({"columns": {"id": {"one_of": [1, 2.0, 3, 5]}}}, "not_in_set", 1, (6,)),
        ({"columns": {"id": {"unique": True}}}, "not_unique", 2, (3, 4)),
        ({"columns": {"code": {"like": "@@-####"}}}, "unlike_pattern", 2, (3, 6)),
        ({"columns": {"code": {"like": "*-*"}}}, None, 0, ()),
        ({"columns": {"start": {"min": "2024-01-03"}}}, "below_minimum", 1, (1,)),
        ({"keys": [["id", "start"]]}, None, 0, ()),
        ({"keys": ["id"]}, "key_broken", 2, (3, 4)),
        ({"keys": [["id", "sex"]]}, "key_broken", 1, (5,)),
        ({"rows": ["end >= start"]}, "rule_broken", 1, (2,)),
        ({"foreign_keys": [{"columns": ["sex"], "values": ["f", "m"]}]}, "foreign_key_broken", 1, (3,)),
    ],
)
def test_constraints(rules: dict[str, Any], code: str | None, count: int, rows: tuple[int, ...]) -> None:
    found = codes(rules)
    assert "1 declared constraint checked" in found["constraints"].message
    broken = {k: f for k, f in found.items() if f.asked and k != "end_before_start" and k != "negative_age"}
    if code is None:
        assert broken == {}
        return
    assert set(broken) == {code}
    assert broken[code].count == count
    assert broken[code].rows == rows
    assert broken[code].severity == "problem"


def test_a_foreign_key_into_a_file(tmp_path: Path) -> None:
    plots = tmp_path / "plots.csv"
    plots.write_text("plot,year\n1,2020\n2,2020\n2,2021\n", encoding="utf-8")
    rules = tmp_path / "rules.toml"
    rules.write_text(
        '[[foreign_keys]]\ncolumns = ["p", "y"]\ntable = "plots.csv"\nreferences = ["plot", "year"]\n',
        encoding="utf-8",
    )
    found = codes(read_constraints(rules), {"p": [1, 2, 1, 2], "y": [2020, 2021, 2021, 2020]})
    assert found["foreign_key_broken"].rows == (3,)
    assert found["foreign_key_broken"].seen == ("1 + 2021",)


@pytest.mark.parametrize(
    ("rules", "error"),
    [
        ({"column": {}}, InputError),
        ({"columns": {"age": {"minimum": 0}}}, InputError),
        ({"columns": {"agee": {"min": 0}}}, DataError),
        ({"columns": {"age": {"min": "zero"}}}, InputError),
        ({"columns": {"age": {"min": True}}}, InputError),
        ({"columns": {"sex": {"min": 0}}}, InputError),
        ({"columns": {"start": {"min": "soon"}}}, InputError),
        ({"columns": {"sex": {"one_of": "f"}}}, InputError),
        ({"columns": {"sex": {"unique": "yes"}}}, InputError),
        ({"columns": {"sex": {"like": 3}}}, InputError),
        ({"columns": []}, InputError),
        ({"keys": [[]]}, InputError),
        ({"rows": ["age >"]}, DataError),
        ({"rows": [3]}, InputError),
        ({"foreign_keys": [{"columns": ["sex"], "vlaues": ["f"]}]}, InputError),
        ({"foreign_keys": [{"columns": ["sex"], "table": "nowhere.csv"}]}, DataError),
    ],
)
def test_constraints_that_cannot_be_meant(rules: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        examine(load(PEOPLE), constraints=rules)


def test_a_constraint_is_data_and_never_code() -> None:
    hostile = "x'); DROP TABLE data; --"
    table = load({"sex": ["f", hostile, "m"], "n": [1, 2, 3]})
    found = {
        f.code: f
        for f in examine(table, constraints={"columns": {"sex": {"one_of": [hostile, "m"]}}}).findings
    }
    assert found["not_in_set"].rows == (1,)
    examine(table, constraints={"columns": {"sex": {"like": "@'.*(["}}})
    assert table.n_rows == len(table.rows(limit=9)) == 3


def test_constraints_from_files(tmp_path: Path) -> None:
    good = tmp_path / "rules.json"
    good.write_text(json.dumps({"columns": {"age": {"min": 0}}}), encoding="utf-8")
    assert read_constraints(good) == {"columns": {"age": {"min": 0}}}
    for name, text in (("bad.json", "{"), ("bad.toml", "= 3"), ("absent.json", None)):
        path = tmp_path / name
        if text is not None:
            path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError):
            read_constraints(path)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-20, 20) | st.none(), min_size=1, max_size=30), st.integers(-20, 20))
def test_a_minimum_finds_exactly_what_lies_below(values: list[int | None], low: int) -> None:
    found = codes({"columns": {"v": {"min": low}}}, {"v": values, "k": list(range(len(values)))})
    below = [place + 1 for place, v in enumerate(values) if v is not None and v < low]
    if all(v is None for v in values):
        return
    assert ("below_minimum" in found) == bool(below)
    if below:
        assert found["below_minimum"].rows == tuple(below[:10])
        assert found["below_minimum"].count == len(below)


# Without a declaration ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "values", "code", "rows"),
    [
        ("age", [30, -1, 45, 61], "negative_age", (2,)),
        ("mass (kg)", [3.0, 4.0, -2.0, 5.0], "negative_amount", (3,)),
        ("temp [°C]", [20.0, 21.0, -300.0, 22.0], "below_absolute_zero", (3,)),
        ("temp (K)", [280.0, -3.0, 290.0, 300.0], "below_absolute_zero", (2,)),
        ("humidity (%)", [20.0, 101.5, 33.0, 40.0], "percent_out_of_range", (2,)),
        ("latitude", [51.0, 48.5, 151.2, 50.0], "off_the_globe", (3,)),
    ],
)
def test_impossible_values(name: str, values: list[float], code: str, rows: tuple[int, ...]) -> None:
    found = codes(None, {name: values, "k": [1, 2, 3, 5]})
    assert set(found) == {code}
    assert found[code].rows == rows
    assert found[code].column == name
    assert found[code].asked and not found[code].done


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("weight change (kg)", [3.0, -4.0, 2.0, 5.0]),
        ("age", [0, 1, 150, 3]),  # no maximum without a declaration
        ("bmi", [22.0, 500.0, 24.0, 25.0]),
        ("temp [°C]", [-80.0, 21.0, 56.0, 22.0]),
        ("temp diff [°C]", [-280.0, 1.0, 3.0, 2.0]),
        ("growth (%)", [-20.0, 150.0, 33.0, 40.0]),
        ("longitude", [-179.0, 179.0, 200.0, 359.0]),
        ("Altitude (m)", [-3.0, 4.0, 2.0, 5.0]),
        ("profit ($)", [-3.0, 4.0, 2.0, 5.0]),
        ("score", [-3.0, 4.0, 2.0, 5.0]),
    ],
)
def test_possible_values(name: str, values: list[float]) -> None:
    assert codes(None, {name: values, "k": [1, 2, 3, 5]}) == {}


def test_a_declared_range_takes_the_place_of_the_rule() -> None:
    found = codes({"columns": {"age": {"min": -5}}}, {"age": [30, -1, 45, 61], "k": [1, 2, 3, 5]})
    assert set(found) == {"constraints"}


@pytest.mark.parametrize(("odd", "place"), [("2202-03-04", "later"), ("1900-01-01", "earlier")])
def test_a_date_far_from_all_others(odd: str, place: str) -> None:
    days = [f"2022-{m:02d}-11" for m in range(1, 10)]
    found = codes(None, {"seen": [*days, odd], "k": list(range(10))})["far_date"]
    assert found.rows == (10,)
    assert found.seen == (odd,)
    assert place in found.message
    assert found.severity == "warning"
    assert codes(None, {"seen": days, "k": list(range(9))}) == {}
    decades = [f"{y}-01-01" for y in range(1900, 2020, 10)]  # wide steps all along are no slip
    assert codes(None, {"seen": decades, "k": list(range(12))}) == {}


def test_an_end_before_its_start() -> None:
    found = codes(None)
    assert found["end_before_start"].rows == (2,)
