"""`statistikles inspect FILE`: a table on one page: what needs a decision, what the columns hold, what was found."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statistikles.surfaces.plots import check_plot, draw_after
from statistikles.surfaces.sources import both_tables, given_key
from statistikles.surfaces.streams import UsageFault, console, existing_file, print_json, say_written

if TYPE_CHECKING:
    from rich.console import Console

    from statistikles.output.inspection import Sheet
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.tables import Table

__all__ = ["draw_tables", "main", "table_json"]

_STYLES = {"problem": "bold red", "warning": "yellow", "info": "cyan"}


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    check_plot(args.plot, folder=True)
    _check_page(args.html, args.file)
    from statistikles.output.inspection import Sheet, inspection_html, inspection_json
    from statistikles.pipeline.stewardship import compare_sources, examine

    table, other = both_tables(args)
    inspection = examine(table, constraints=_constraints(args.constraints))
    if other is not None:
        compared = compare_sources(table, other, given_key(args, table))
        inspection = replace(inspection, findings=(*inspection.findings, *compared))
    if args.json:
        print_json(inspection_json(table, inspection))
    else:
        _draw(console(), Sheet(table, inspection))
    if args.html:
        page = Path(args.html)
        page.write_text(inspection_html(table, inspection), encoding="utf-8")
        say_written(page)
    if args.plot is not None and not (args.json and args.plot == "-"):
        from statistikles.output.pictures.overview import pictures_of_table

        draw_after(pictures_of_table(table), args.plot, height=8)
    broken = any(f.stage == "validate" and f.severity == "problem" for f in inspection.findings)
    return 1 if args.constraints and broken else 0  # usable as a check in somebody's pipeline


def _check_page(target: str | None, source: str) -> None:
    """Refuse a page that cannot be written before anything is read."""
    if target is None:
        return
    path = Path(target)
    if path.suffix.lower() not in (".html", ".htm"):
        raise UsageFault(f"The page cannot be written as '{target}'.", "Name a .html file.")
    if not path.resolve().parent.is_dir():
        raise UsageFault(f"There is no folder '{path.parent}'.", "Check --html.", "file_not_found")
    if path.exists() and Path(source).exists() and path.samefile(source):
        raise UsageFault(f"'{target}' is the file to be inspected.", "Write the page to another file.")


def _constraints(given: str | None) -> dict[str, Any] | None:
    if given is None:
        return None
    from statistikles.pipeline.stewardship.constraints import read_constraints

    return read_constraints(existing_file(given))


def _draw(screen: Console, sheet: Sheet) -> None:
    """The page on the terminal."""
    from rich.text import Text

    from statistikles.output.inspection import COLUMN_HEADS
    from statistikles.output.terminal import draw_rows

    screen.print(Text(sheet.heading, style="bold"))
    screen.print(Text(sheet.verdict))
    if sheet.urgent:
        screen.print(Text("\nTo decide, and problems", style="bold"))
        _draw_findings(screen, sheet.urgent)
    screen.print(Text("\nColumns", style="bold"))
    draw_rows(screen, COLUMN_HEADS, sheet.rows, words=("kind", "scale", "unit", "values", "why"))
    for stage, found in sheet.others():
        screen.print(Text(f"\nFound in the stage {stage}", style="bold"))
        _draw_findings(screen, found)


def _draw_findings(screen: Console, findings: Iterable[Finding]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from statistikles.output.inspection import details, seen

    for finding in findings:
        line = Text.assemble(
            (finding.severity, _STYLES[finding.severity]),
            f"  {seen(finding.message)} ",
            (finding.code, "dim"),
        )
        screen.print(Padding(line, (0, 0, 0, 2), expand=False))
        for label, text in details(finding):
            screen.print(Padding(Text.assemble((f"{label}: ", "dim"), text), (0, 0, 0, 6), expand=False))


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
    """One short overview per table."""
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
    from statistikles.output.inspection import column_values

    counts = (str(column.n), str(column.n_missing), str(column.n_unique))
    return (column.name, column.kind, *counts, column_values(column))
