"""`statistikles clean FILE --steps RECIPE --out OUT.csv`: a new table by named steps, each said with its counts.

`--with OTHER --key ID` settles the table with another one about the same cases before the steps.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statistikles.surfaces.sources import both_tables, reconciling
from statistikles.surfaces.streams import UsageFault, console, existing_file, json_argument, print_json

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["main"]

_MARKS = {".csv": ",", ".tsv": "\t"}
_AT_ONCE = 10_000
_WHOLE = 2**53


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    from statistikles.output.inspection import details, seen
    from statistikles.pipeline.stewardship.recipe import clean, decisions_of, steps_of

    source = existing_file(args.file)
    for out in (args.out, args.record):
        _not_the_source(source, out)
        if args.other is not None:
            _not_the_source(args.other, out)
    if args.out and Path(args.out).suffix.lower() not in _MARKS:
        raise UsageFault(f"The new table cannot be written as '{args.out}'.", "Name a .csv or .tsv file.")
    if args.steps is None and args.other is None and not args.decide:
        raise UsageFault(
            "There is nothing to do.",
            "Name a recipe with --steps, another table with --with, or a decision with --decide.",
        )
    content = [] if args.steps is None else _content(args.steps)
    steps = steps_of(content)
    table, other = both_tables(args, decisions_of(content))
    if other is not None:
        steps = [reconciling(args, table, other), *steps]
    cleaned = clean(table, steps, None if other is None else {args.other: other}, repeats=content)
    if args.out:
        _write(cleaned.table, Path(args.out))
    if args.record:
        text = json.dumps(cleaned.record, indent=2, ensure_ascii=False, allow_nan=False)
        Path(args.record).write_text(text + "\n", encoding="utf-8")
    if args.json:
        print_json(cleaned.record)
        return 0
    screen = console()
    for about in (table,) if other is None else (table, other):
        if about.decisions:
            told = ", ".join(f"{where}={value}" for where, value in about.decisions.written().items())
            screen.print(f"Decided about {about.name}: {seen(told)}", markup=False, highlight=False)
    for place, finding in enumerate(cleaned.findings, start=1):
        said = (
            finding.message if finding.done in ("", finding.message) else f"{finding.message} {finding.done}"
        )
        screen.print(f"{place}. {seen(said)}", markup=False, highlight=False)
        for label, text in details(finding):
            if finding.asked and label != "done":
                screen.print(f"   {label}: {text}", markup=False, highlight=False)
    rows, columns = cleaned.table.n_rows, len(cleaned.table.column_names)
    where = f" written to {args.out}" if args.out else "; nothing is written without --out"
    screen.print(f"{rows} rows, {columns} columns{where}. {args.file} is as it was.")
    return 0


def _not_the_source(source: str, out: str | None) -> None:
    """A cleaned table never takes the place of the one it was made from."""
    file = source.rpartition("#")[0] or source
    known = next((path for path in (Path(source), Path(file)) if path.exists()), None)
    if out is not None and known is not None and Path(out).exists() and Path(out).samefile(known):
        raise UsageFault(f"'{out}' is the file to be cleaned.", "Write the new table to another file.")


def _content(given: str) -> Any:
    """The recipe or record: a TOML file, or JSON as a file, a literal or standard input."""
    from statistikles.pipeline.stewardship.recipe import read_content

    if given.lower().endswith(".toml"):
        return read_content(existing_file(given))
    return json_argument(given, "--steps")


def _write(table: Table, path: Path) -> None:
    """The table as delimited text: numbers with all their digits, missing values empty."""
    columns = [table.engine_column(name)[0] for name in table.column_names]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=_MARKS[path.suffix.lower()], lineterminator="\n")
        writer.writerow(table.column_names)
        for start in range(0, table.n_rows, _AT_ONCE):
            rows = table.query(
                f"SELECT {', '.join(columns)} FROM data WHERE rowid >= {start} AND rowid < {start + _AT_ONCE}"  # noqa: S608
            )
            writer.writerows([_cell(value) for value in row] for row in rows)


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if hasattr(value, "isoformat"):
        return value.isoformat(sep=" ").removesuffix(" 00:00:00")
    if isinstance(value, float) and value.is_integer() and 0 < abs(value) < _WHOLE:
        return int(value)  # as files write it: a column that was settled may have become one of floats
    return value
