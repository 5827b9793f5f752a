"""Columns defined by formulas: the same values as pandas and NumPy, and refusals that say what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from statistikles.errors import DataError, InputError
from statistikles.pipeline.references import Catalog
from statistikles.tools.executor import execute_tool

FRAME = pd.DataFrame(
    {
        "a": [1.0, 2.0, 4.0, 8.0, 100.0, None],
        "b": [2.0, 0.0, 5.0, 1.0, 3.0, 6.0],
        "g": ["x", "y", "x", "y", "x", "y"],
        "start": ["2024-01-01", "2024-01-05", "2024-02-28", "2023-12-31", "2024-03-01", "2024-01-01"],
        "end": ["2024-01-03", "2024-01-05", "2024-03-01", "2024-01-01", "2024-02-28", "2024-12-31"],
        "us": ["1/2/2024", "1/31/2024", "2/3/2024", "4/5/2024", "6/7/2024", "8/9/2024"],
        "clock": ["00:00:05", "00:01:00", "01:00:00", "00:00:00", "00:02:30", "10:00:00"],
        "mixed": ["5", "TIE", "-3", "1,200", "7", "8"],
    }
)


def values(formula: str, where: str | None = None, frame: Any = FRAME) -> list[float | None]:
    catalog = Catalog.of({"t": frame})
    reference = {"column": "new", "define": {"new": formula}}
    return catalog.vector(reference if where is None else {**reference, "where": where}).tolist()


def labels(formula: str) -> list[str | None]:
    return Catalog.of({"t": FRAME}).labels({"column": "new", "define": {"new": formula}}).tolist()


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("a + b * 2", FRAME.a + FRAME.b * 2),
        ("(a - b) / 4", (FRAME.a - FRAME.b) / 4),
        ("log(a)", np.log(FRAME.a)),
        ("zscore(a)", (FRAME.a - FRAME.a.mean()) / FRAME.a.std()),
        ("minmax(a)", (FRAME.a - FRAME.a.min()) / (FRAME.a.max() - FRAME.a.min())),
        ("fill(a, mean(a))", FRAME.a.fillna(FRAME.a.mean())),
        ("fill(a, b)", FRAME.a.fillna(FRAME.b)),
        ("a - median(a)", FRAME.a - FRAME.a.median()),
        ("a - quantile(a, 0.1)", FRAME.a - FRAME.a.quantile(0.1)),
        ("within_iqr(a)", FRAME.a.where(FRAME.a < 50)),
        ("previous(b)", FRAME.b.shift(1)),
        ("code(g, 'x')", (FRAME.g == "x").astype(float)),
        ("(b > 1) + 0", (FRAME.b > 1).astype(float)),
        ("days_between(start, end)", (pd.to_datetime(FRAME.end) - pd.to_datetime(FRAME.start)).dt.days),
        ("month(us)", pd.to_datetime(FRAME.us, format="%m/%d/%Y").dt.month),
        ("number(clock)", pd.to_timedelta(FRAME.clock).dt.total_seconds()),
    ],
)
def test_a_formula_gives_what_pandas_gives(formula: str, expected: Any) -> None:
    ours = [np.nan if v is None else v for v in values(formula)]
    np.testing.assert_allclose(ours, np.asarray(expected, dtype=float), rtol=1e-13, atol=1e-13)


def test_what_is_undefined_is_missing() -> None:
    assert values("a / b")[1] is None
    assert values("log(b)")[1] is None
    assert values("number(mixed)") == [5.0, None, -3.0, 1200.0, 7.0, 8.0]


def test_groups_by_bounds() -> None:
    assert labels("cut(b, 2, 5)") == ["2 to < 5", "< 2", ">= 5", "< 2", "2 to < 5", ">= 5"]
    assert labels("cut(b, 2, 'low', 5, 'mid', 'high')")[:3] == ["mid", "low", "high"]
    assert labels("choose(a > 2, 'big', 'small')") == ["small", "small", "big", "big", "big", None]


def test_a_formula_sees_the_rows_of_the_filter() -> None:
    assert values("b - mean(b)", "g = 'x'") == pytest.approx([2 - 10 / 3, 5 - 10 / 3, 3 - 10 / 3])


def test_a_filter_may_name_a_defined_column() -> None:
    catalog = Catalog.of({"t": FRAME})
    found = catalog.vector({"column": "a", "where": "twice > 5", "define": {"twice": "2 * b"}})
    assert found.compressed().tolist() == [4.0, 100.0]


@pytest.mark.parametrize(
    ("formula", "says"),
    [
        ("system(a)", "not allowed"),
        ("__import__('os')", "not allowed"),
        ("a + nothing", "There is no column 'nothing'"),
        ("new + 1", "There is no column 'new'"),
        ("zscore(b, 1, 2)", "does not take"),
        ("cut(b, 5, 2)", "rising order"),
        ("log('text')", "needs a column of numbers"),
        ("zscore(0 * b)", "all values are equal"),
    ],
)
def test_a_bad_formula_is_refused_with_its_reason(formula: str, says: str) -> None:
    with pytest.raises((InputError, DataError), match=says):
        values(formula)


def test_an_order_of_day_and_month_that_nothing_tells_is_refused() -> None:
    with pytest.raises(InputError, match="day or the month first"):
        values("month(d)", frame=pd.DataFrame({"d": ["1/2/2024", "1/3/2024", "2/3/2024", "n/k", "6/7/2024"]}))


def test_a_tool_takes_a_defined_column_and_groups() -> None:
    groups = {"column": "r", "by": "size", "define": {"r": "a + b", "size": "cut(b, 3)"}}
    result = execute_tool("descriptive_statistics", {"groups": groups}, data={"t": FRAME})
    assert result["groups"]["< 3"]["mean"] == pytest.approx((3 + 2 + 9) / 3)


def test_numbers_in_a_models_formula_are_traced() -> None:
    from statistikles.tools.workspace import Workspace

    workspace = Workspace(data={"t": FRAME})
    call = {"data": {"column": "new", "define": {"new": "a * 0 + 41.5"}}}
    entry = workspace.execute_traced("descriptive_statistics", call, "what is the mean of a?", [])
    assert "41.5" in entry.result["error"]
    told = workspace.execute_traced("descriptive_statistics", call, "what is the mean of a * 0 + 41.5?", [])
    assert told.result["mean"] == 41.5
