"""Statistics from sums in the engine: the same results as from values, the same bytes twice, in any order of rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from statistikles.pipeline import tables
from statistikles.tools import executor
from statistikles.tools.workspace import Workspace

N = 24_000
EXACT = {"x": "x1", "y": "y"}


def frame(seed: int = 3) -> dict[str, Any]:
    """Numbers with missing ones, labels with missing ones, an offset that centring must take out."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, N)
    out: dict[str, Any] = {f"x{i}": rng.normal(10.0 * i, 1 + i, N) for i in range(1, 5)}
    out["y"] = 1e3 + group + sum(0.3 * i * out[f"x{i}"] for i in range(1, 5)) + rng.normal(0, 1 + group)
    for name, share in (("x2", 0.02), ("y", 0.01)):
        out[name][rng.random(N) < share] = np.nan
    out["group"] = np.array(["a", "b", "c", None], dtype=object)[np.where(rng.random(N) < 0.01, 3, group)]
    out["two"] = np.array(["it's", 'x"y?'], dtype=object)[rng.integers(0, 2, N)]
    out["code"] = rng.integers(1, 4, N)
    out["count"] = rng.poisson(4, N)
    return out


CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "welch": ("t_test", {"type": "independent", "groups": {"column": "y", "by": "two"}}),
    "welch_where": (
        "t_test",
        {
            "type": "independent",
            "groups": {"column": "y", "by": "two", "where": "x1 > 10 and group in ('a', 'b')"},
        },
    ),
    "welch_vectors": (
        "t_test",
        {
            "type": "independent",
            "group1": {"column": "y", "where": "group = 'a'"},
            "group2": {"column": "y", "where": "group = 'b'"},
        },
    ),
    "paired": ("t_test", {"type": "paired", "group1": "x1", "group2": "x2"}),
    "one_sample": ("t_test", {"type": "one_sample", "group1": "y", "mu0": 1012.0}),
    "anova": ("anova", {"groups": {"column": "y", "by": "group"}}),
    "anova_numbers": ("anova", {"groups": {"column": "count", "by": "code"}}),
    "describe": ("descriptive_statistics", {"data": {"column": "y"}, "detail": "core"}),
    "describe_groups": (
        "descriptive_statistics",
        {"groups": {"column": "count", "by": "group"}, "detail": "core", "quantiles": [0.05, 0.5, 0.999]},
    ),
    "pearson": ("correlation", {"method": "pearson", **EXACT}),
    "pearson_where": (
        "correlation",
        {"method": "pearson", **{k: {"column": v, "where": "two = 'it''s'"} for k, v in EXACT.items()}},
    ),
    "regression": ("regression", {"x": ["x1", "x2", "x3", "x4"], "y": "y"}),
    "regression_simple": ("regression", {"x": "x2", "y": "y", "var_names": ["slope"]}),
    "chi_square_named": ("chi_square", {"type": "independence", "x": "group", "y": "two"}),
    "chi_square_numbers": (
        "chi_square",
        {
            "type": "independence",
            "x": {"column": "code", "where": "x1 > 9 and y > 1000"},
            "y": {"column": "two", "where": "x1 > 9 and y > 1000"},
        },
    ),
    "measures_of_association": ("pre_suite", {"x": "group", "y": {"column": "code"}}),
    "chi_square": ("chi_square", {"type": "independence", "observed": {"column": "group", "by": "two"}}),
}


def numbers(value: Any, path: str = "") -> dict[str, Any]:
    """Everything in a result, by address."""
    if isinstance(value, Mapping):
        return {k: v for name, inner in value.items() for k, v in numbers(inner, f"{path}.{name}").items()}
    if isinstance(value, list):
        return {k: v for i, inner in enumerate(value) for k, v in numbers(inner, f"{path}.{i}").items()}
    return {path: value}


def same(left: Any, right: Any, *, rtol: float, skip: tuple[str, ...] = ()) -> None:
    a, b = numbers(left), numbers(right)
    assert set(a) - set(b) == set() == set(b) - set(a)
    for path, value in a.items():
        if any(s in path for s in skip):
            continue
        if isinstance(value, float) and isinstance(b[path], float | int):
            # n R² of squared residuals: its scale is n, of which it is a small part here. A far tail magnifies.
            loose = 100.0 if "breusch_pagan" in path or "p_value" in path or ".hc3." in path else 1.0
            assert value == pytest.approx(b[path], rel=loose * rtol, abs=1e-300), path
        else:
            assert value == b[path], path


# A test statistic is a quotient: what cancels in its numerator stands beside the scale of the data.
@pytest.mark.parametrize("name", list(CALLS))
def test_sums_give_what_values_give(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, arguments = CALLS[name]
    workspace = Workspace(frame())
    by_values = workspace.execute(tool, arguments).result
    asked: list[str] = []
    original = tables.Table.ask

    def spy(self: tables.Table, sql: str, parameters: Any) -> Any:
        asked.append(sql)
        return original(self, sql, parameters)

    fetched: list[str] = []
    numbers_of, labels_of = tables.Table.numbers, tables.Table.labels

    def fetch(self: tables.Table, column: str, where: str | None = None) -> Any:
        fetched.append(column)
        return numbers_of(self, column, where)

    def fetch_labels(self: tables.Table, column: str, where: str | None = None) -> Any:
        fetched.append(column)
        return labels_of(self, column, where)

    monkeypatch.setattr(tables, "PUSHED_FROM", 0)
    monkeypatch.setattr(tables.Table, "ask", spy)
    monkeypatch.setattr(tables.Table, "numbers", fetch)
    monkeypatch.setattr(tables.Table, "labels", fetch_labels)
    by_sums = Workspace(frame()).execute(tool, arguments).result
    assert "error" not in by_sums, by_sums
    assert asked and not fetched
    same(by_sums, by_values, rtol=1e-12)


@pytest.mark.parametrize("name", list(CALLS))
def test_the_same_bytes_whatever_the_order_of_rows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, arguments = CALLS[name]
    monkeypatch.setattr(tables, "PUSHED_FROM", 0)
    data = frame()
    order = np.random.default_rng(1).permutation(N)
    first = executor.execute_tool(tool, arguments, data=data)
    again = executor.execute_tool(tool, arguments, data=data)
    shuffled = executor.execute_tool(tool, arguments, data={k: v[order] for k, v in data.items()})
    assert json.dumps(first) == json.dumps(again)
    same(first, shuffled, rtol=0, skip=("row", "durbin_watson"))


@pytest.mark.parametrize(
    ("tool", "arguments", "data"),
    [
        ("t_test", {"type": "one_sample", "group1": "a"}, {"a": [3.0, 3.0, 3.0]}),
        ("t_test", {"type": "one_sample", "group1": "a"}, {"a": [3.0]}),
        (
            "t_test",
            {"type": "independent", "groups": {"column": "a", "by": "g"}},
            {"a": [1.0, 2, 3], "g": list("xyz")},
        ),
        (
            "t_test",
            {"type": "independent", "groups": {"column": "a", "by": "g"}},
            {"a": [1.0, 1, 1, 1], "g": list("xxyy")},
        ),
        (
            "t_test",
            {"type": "independent", "groups": {"column": "g", "by": "a"}},
            {"a": [1.0, 1, 2, 2], "g": list("xxyy")},
        ),
        ("correlation", {"x": "a", "y": "b"}, {"a": [1.0, 2, 3, 4], "b": [2.0, 4, 6, 8]}),
        ("correlation", {"x": "a", "y": "b"}, {"a": [1.0, 2, 3, 4], "b": [2.0, 2, 2, 2]}),
        ("regression", {"x": ["a"], "y": "b"}, {"a": [1.0, 2, 3, 4], "b": [2.0, 4, 6, 8]}),
        ("regression", {"x": ["a", "c"], "y": "b"}, {"a": [1.0, 2, 3], "b": [2.0, 4, 7], "c": [1.0, 5, 2]}),
        ("regression", {"x": ["a", "a"], "y": "b"}, {"a": [1.0, 2, 3], "b": [2.0, 4, 7]}),
        ("regression", {"x": ["a"], "y": "b"}, {"a": [1e200, 2e200, 4e200], "b": [2.0, 4, 7]}),
        ("anova", {"groups": {"column": "a", "by": "g"}}, {"a": [1.0, np.inf, 3, 4], "g": list("xxyy")}),
        ("anova", {"groups": {"column": "a", "by": "g"}}, {"a": [1.0, None, None, 4], "g": list("xyyz")}),
        (
            "anova",
            {"groups": {"column": "a", "by": "g", "where": "a > 9"}},
            {"a": [1.0, 2, 3, 4], "g": list("xxyy")},
        ),
        ("anova", {"groups": {"column": "a", "by": "nope"}}, {"a": [1.0, 2, 3, 4], "g": list("xxyy")}),
        (
            "descriptive_statistics",
            {"data": {"column": "a"}, "detail": "core"},
            {"a": [None, None], "g": list("xy")},
        ),
        (
            "descriptive_statistics",
            {"data": {"column": "a"}, "detail": "core"},
            {"a": [1e-300, 2e-300, 4e-300]},
        ),
        ("descriptive_statistics", {"data": {"column": "a"}, "detail": "core"}, {"a": [True, False, True]}),
    ],
)
def test_hard_and_bad_data_end_as_with_values(
    tool: str, arguments: dict[str, Any], data: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    by_values = executor.execute_tool(tool, arguments, data=data)
    monkeypatch.setattr(tables, "PUSHED_FROM", 0)
    by_sums = executor.execute_tool(tool, arguments, data=data)
    same(by_sums, by_values, rtol=1e-12)


def test_small_tables_are_read_as_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables.Table, "pushdown", lambda self: pytest.fail("pushed"))
    tool, arguments = CALLS["welch"]
    assert "p_value" in executor.execute_tool(tool, arguments, data=frame())
