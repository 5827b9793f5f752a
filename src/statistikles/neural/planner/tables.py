"""From the loaded tables to what the planner sees of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    return TableView(table.name, table.n_rows, tuple(_column(c) for c in table.columns), shared)


def _column(column: Column) -> ColumnView:
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
