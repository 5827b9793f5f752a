"""From the loaded tables to what the planner sees of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from statistikles.neural.planner.filters import quoted
from statistikles.neural.planner.view import ColumnView, TableView

if TYPE_CHECKING:
    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.tables import Table
    from statistikles.tools.workspace import Workspace

__all__ = ["view_of", "views_of"]

# A numeric column of this many categories at most is shown with its values.
_KINDS = {
    "numeric": "number",
    "categorical": "category",
    "boolean": "boolean",
    "text": "text",
    "datetime": "date",
}


def views_of(workspace: Workspace) -> list[TableView]:
    """Every table of a workspace."""
    catalog = workspace.catalog
    if catalog is None:
        return []
    return [view_of(table, shared=len(catalog) > 1) for table in catalog.values()]


def view_of(table: Table, *, shared: bool = False) -> TableView:
    """One table."""
    texts = [c.name for c in table.columns if c.dtype == "text" and c.n > 0]
    sample = table.rows(texts, limit=_SAMPLE) if texts else []
    columns = tuple(_column(c, [row[c.name] for row in sample if c.name in row]) for c in table.columns)
    return TableView(table.name, table.n_rows, columns, shared)


# How many rows are looked at, and how many of their values must be numbers for a column of text to be read as such.
_SAMPLE = 200
_MOSTLY = 0.8


def _number_formula(name: str, values: list[Any]) -> str:
    """How a column of text is read as numbers: durations such as 00:01:30, and numbers among a few words."""
    present = [str(v).strip() for v in values if v is not None]
    if not present:
        return ""
    clock = sum(re.fullmatch(r"\d{1,2}:\d{2}:\d{2}", v) is not None for v in present)
    plain = sum(re.fullmatch(r"[-+]?[$€£]?\d[\d,]*\.?\d*%?", v) is not None for v in present)
    return f"number({quoted(name)})" if max(clock, plain) >= _MOSTLY * len(present) else ""


def _column(column: Column, sample: list[Any]) -> ColumnView:
    numeric = column.dtype in ("integer", "float")
    low = float(column.min) if numeric and column.min is not None else None
    high = float(column.max) if numeric and column.max is not None else None
    return ColumnView(
        name=column.name,
        kind=_kind(column, numeric),
        n=column.n + column.n_missing,
        n_missing=column.n_missing,
        n_distinct=column.n_unique,
        levels=tuple(column.levels),
        whole=column.dtype == "integer"
        or (numeric and all(_is_whole(v) for v in column.levels) and bool(column.levels)),
        minimum=low,
        maximum=high,
        as_number=_number_formula(column.name, sample),
        identifier=column.kind == "identifier" or _numbers_rows(column, low, high),
    )


def _numbers_rows(column: Column, low: float | None, high: float | None) -> bool:
    """Whether the column only numbers the rows, from zero or one without a gap."""
    if column.dtype != "integer" or low is None or high is None or low not in (0.0, 1.0):
        return False
    return column.n_missing == 0 and column.n > 2 and column.n_unique == column.n == high - low + 1


def _is_whole(level: str) -> bool:
    try:
        return float(level).is_integer()
    except ValueError:
        return False


def _kind(column: Column, numeric: bool) -> str:
    if column.n == 0:
        return "empty"
    if numeric:
        return "number"
    if column.kind == "identifier":
        return "text"
    return _KINDS.get(column.kind, "category")
