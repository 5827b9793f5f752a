"""How a script gets the table: from the user's own file when plain reading gives the same values, else written out."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from statistikles.errors import DataError
from statistikles.output.code.languages import Language

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["Reading", "reading_of"]

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_BLANKS = " \t\r\n"
_LARGEST_FILE = 64 * 2**20
_MOST_VALUES = 200_000
_SEPARATORS = (",", ";", "\t", "|")
_SUFFIXES = (".csv", ".tsv", ".txt", ".dat", ".tab")


@dataclass(frozen=True, slots=True)
class Reading:
    """Where a table comes from: a delimited file with its signs, or the columns themselves when `path` is empty."""

    variable: str
    path: str = ""
    separator: str = ","
    decimal: str = "."
    missing: tuple[str, ...] = ()

    def lines(self, table: Table, uses: dict[str, set[str]], language: Language) -> list[str]:
        """The lines that define the table in a script; `uses` says which columns are read as number or text."""
        if self.path:
            lines = [language.comment(f"The table {table.name}, every cell read as text.")]
            arguments = [language.string(self.path)]
            if self.separator != ",":
                arguments.append(language.string(self.separator))
            lines.append(language.set(self.variable, f"read_table({', '.join(arguments)})"))
            lines.append(language.set("missing_codes", language.names(self.missing)))
            lines.append(language.set("decimal_mark", language.string(self.decimal)))
            return lines
        return self._written_out(table, uses, language)

    def _written_out(self, table: Table, uses: dict[str, set[str]], language: Language) -> list[str]:
        if table.n_rows * max(1, len(uses)) > _MOST_VALUES:
            raise DataError(
                f"The table '{table.name}' is too large to be written into a script, and its file cannot be read plainly.",
                hint="Save it as a plain CSV file and compute from that.",
                where=table.name,
                code="too_large",
            )
        parts = {}
        for name, kinds in uses.items():
            if "text" in kinds:
                parts[name] = language.strings(table.labels(name).tolist())
            else:
                values = table.numbers(name)
                parts[name] = language.numbers([None if v is None else float(v) for v in values.tolist()])
        why = f"The table {table.name} as Statistikles read it; its source needs more than plain reading."
        return [
            language.comment(why),
            language.set(self.variable, language.mapping(parts)),
            language.set("missing_codes", language.names([""])),
            language.set("decimal_mark", language.string(".")),
        ]


def reading_of(table: Table, source: str, uses: dict[str, set[str]], variable: str) -> Reading:
    """The plainest way to read the columns used that gives exactly the table's values."""
    path = Path(source) if source else None
    if path is None or path.suffix.lower() not in _SUFFIXES or not path.is_file():
        return Reading(variable)
    codes = sorted({"", *(code for found in table.missing_codes.values() for code in found)})
    if path.stat().st_size > _LARGEST_FILE:
        return Reading(variable, source, missing=tuple(codes))
    for separator in _SEPARATORS:
        columns = _columns(path, separator)
        if columns is None or not set(uses) <= set(columns):
            continue
        for decimal in (".", ","):
            if all(
                _same(table, name, kind, columns[name], codes, decimal)
                for name, kinds in uses.items()
                for kind in kinds
            ):
                return Reading(variable, source, separator, decimal, tuple(codes))
    return Reading(variable)


def _columns(path: Path, separator: str) -> dict[str, list[str]] | None:
    """{heading: cells} as the scripts read them; None when the file is not such a table."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row for row in csv.reader(file, delimiter=separator) if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        return None
    if not rows or len(set(rows[0])) != len(rows[0]) or any(len(row) != len(rows[0]) for row in rows):
        return None
    return {name: [row[i].strip(_BLANKS) for row in rows[1:]] for i, name in enumerate(rows[0])}


def _same(table: Table, name: str, kind: str, cells: list[str], codes: Iterable[str], decimal: str) -> bool:
    """Whether these cells, read plainly, are the table's column."""
    gone = set(codes)
    if len(cells) != table.n_rows or name not in table.column_names:
        return False
    if kind == "text":
        return bool([None if c in gone else c for c in cells] == table.labels(name).tolist())
    if table.dtype(name) not in ("integer", "float"):
        return False
    wanted = table.numbers(name).tolist()
    for cell, value in zip(cells, wanted, strict=True):
        plain = cell.replace(decimal, ".") if decimal == "," and "." not in cell else cell
        if cell in gone:
            if value is not None:
                return False
        elif value is None or not _NUMBER.fullmatch(plain) or float(plain) != value:
            return False
    return True
