"""Merged cells of a workbook: one value that stands for several rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from statistikles.pipeline.canonicalise.codes import ask, notice
from statistikles.pipeline.findings import Finding

__all__ = ["fill_merged"]

_Corner: TypeAlias = tuple[int, int]


def fill_merged(
    rows: list[list[Any]],
    ranges: Iterable[tuple[_Corner, _Corner]],
    start: _Corner,
    findings: list[Finding],
    *,
    leave: bool,
) -> None:
    """Write the value of a merged cell into each row that it spans; across columns it stays where it is.

    Parameters
    ----------
    rows : the cells of the sheet, changed in place.
    ranges : the merged areas as (first row, first column), (last row, last column) of the sheet.
    start : the row and column of the sheet at which `rows` begins.
    findings : where it is told.
    leave : keep only the first row's value.
    """
    seen: list[Any] = []
    filled = 0
    for (top, left), (bottom, _) in ranges:
        row, column, height = top - start[0], left - start[1], bottom - top
        if height < 1 or not (0 <= row < len(rows) and 0 <= column < len(rows[row])):
            continue
        value = rows[row][column]
        if value in ("", None):
            continue
        seen.append(value)
        for below in range(row + 1, min(row + height + 1, len(rows))):
            filled += 1
            if not leave:
                rows[below][column] = value
    if not seen:
        return
    text = f"{len(seen)} merged cell{'s' if len(seen) > 1 else ''} stand{'' if len(seen) > 1 else 's'} for several rows."
    done = "Only the first row has the value, as decided." if leave else "Each of their rows got the value."
    asked = (
        ""
        if leave
        else ask("", "merged", ("fill", "the value holds for each row"), ("leave", "for the first only"))
    )
    findings.append(notice("merged_cells", text, "", filled, seen=seen, done=done, asked=asked))
