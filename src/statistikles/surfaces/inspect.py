"""`statistikles inspect FILE`: what the columns of a table hold, and what was noticed while reading it."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from statistikles.surfaces.plots import check_plot, draw_after
from statistikles.surfaces.streams import console, existing_file, print_json

if TYPE_CHECKING:
    from rich.console import Console

    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.tables import Table

__all__ = ["draw_tables", "main", "table_json"]

_LEVELS_SHOWN = 6


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from statistikles.pipeline.sources import load

    check_plot(args.plot, folder=True)
    table = load(existing_file(args.file))
    if args.json:
        print_json(table_json(table))
    else:
        draw_tables(console(), [table])
    if args.plot is not None and not (args.json and args.plot == "-"):
        from statistikles.output.pictures.overview import pictures_of_table

        draw_after(pictures_of_table(table), args.plot, height=8)
    return 0


def table_json(table: Table) -> dict[str, Any]:
    """A table's description as plain JSON."""
    return {
        "name": table.name,
        "rows": table.n_rows,
        "fingerprint": table.fingerprint,
        "columns": [column.to_dict() for column in table.columns],
        "findings": [finding.to_dict() for finding in table.findings],
    }


def draw_tables(screen: Console, tables: Iterable[Table]) -> None:
    """One overview per table."""
    from rich.padding import Padding
    from rich.text import Text

    from statistikles.output.terminal import draw_rows

    for table in tables:
        count = len(table.columns)
        screen.print(
            Text(
                f"{table.name}: {table.n_rows} rows, {count} column{'s' if count != 1 else ''}", style="bold"
            )
        )
        heads = ("column", "kind", "n", "missing", "different", "values")
        draw_rows(screen, heads, [_row(column) for column in table.columns], words=("kind", "values"))
        for finding in table.findings:
            where = f"{finding.column}: " if finding.column else ""
            screen.print(
                Padding(Text(f"{where}{finding.message}", style="yellow"), (0, 0, 0, 2), expand=False)
            )


def _row(column: Column) -> tuple[str, ...]:
    counts = (str(column.n), str(column.n_missing), str(column.n_unique))
    return (column.name, column.kind, *counts, _values(column))


def _values(column: Column) -> str:
    """The levels of a category, the range of numbers and dates."""
    if column.levels and column.kind in ("categorical", "boolean", "constant"):
        shown = ", ".join(column.levels[:_LEVELS_SHOWN])
        return shown if len(column.levels) <= _LEVELS_SHOWN else f"{shown}, …"
    if column.min is None or column.max is None:
        return ""
    low, high = (v if isinstance(v, str) else f"{v:.10g}" for v in (column.min, column.max))
    return f"{low} to {high}"
