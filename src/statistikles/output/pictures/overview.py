"""The pictures of a whole table: one per column, and the correlations of its numeric columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statistikles.output.pictures.choice import picture_of
from statistikles.output.pictures.easel import Cited, Easel
from statistikles.output.pictures.relations import correlations
from statistikles.output.pictures.spec import Picture
from statistikles.tools.workspace import Workspace

if TYPE_CHECKING:
    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.tables import Table

__all__ = ["pictures_of_table"]

MOST_COLUMNS = 40
_CORRELATED = range(3, 13)  # from so many numeric columns to so many


def pictures_of_table(table: Table, *, workspace: Workspace | None = None) -> list[Picture]:
    """Histograms of numeric columns, bars of categories and of columns with two values, a heat map of correlations.

    Of two numeric columns a scatter is drawn instead of a heat map.

    Parameters
    ----------
    table : the table.
    workspace : where the numbers are computed and recorded; one of its own when absent.
    """
    desk = workspace if workspace is not None else Workspace({table.name: table})
    out = []
    for column in table.columns[:MOST_COLUMNS]:
        call = _call(column)
        if call is not None:
            entry = desk.computed(*call)
            picture = None if entry.failed else picture_of(entry.record(), desk)
            out += [picture] if picture is not None else []
    numeric = [c.name for c in table.columns if c.kind == "numeric"]
    last = _scatter(numeric, desk) if len(numeric) == 2 else _heat_map(numeric, desk)
    return [*out, last] if last is not None else out


def _call(column: Column) -> tuple[str, dict[str, object]] | None:
    """The call whose picture shows a column, None for identifiers, dates and running text."""
    if column.kind == "numeric" and column.n_unique > 2:
        return "descriptive_statistics", {"data": {"column": column.name}, "detail": "graph"}
    if column.kind in ("numeric", "categorical", "boolean"):
        return "frequency_analysis", {"data": {"column": column.name}}
    return None


def _scatter(names: list[str], desk: Workspace) -> Picture | None:
    x, y = names
    entry = desk.computed("correlation", {"method": "pearson", "x": {"column": x}, "y": {"column": y}})
    return None if entry.failed else picture_of(entry.record(), desk)


def _heat_map(names: list[str], desk: Workspace) -> Picture | None:
    if len(names) not in _CORRELATED:
        return None
    found: list[list[Cited | None]] = []
    easel: Easel | None = None
    for i, a in enumerate(names):
        row: list[Cited | None] = []
        for b in names[:i]:
            call = {"method": "pearson", "x": {"column": a}, "y": {"column": b}}
            entry = desk.computed("correlation", call)
            if entry.failed:
                row.append(None)
                continue
            easel = easel or Easel(entry.record(), desk)
            row.append(easel.compute("correlation", call))
        found.append(row)
    return None if easel is None else correlations(easel, names, found)
