"""Missing values as they are written: which entries of a column stand for one, and how often each occurs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from statistikles.pipeline.canonicalise.codes import notice
from statistikles.pipeline.engine import literal

if TYPE_CHECKING:
    from statistikles.pipeline.canonicalise.decisions import Decisions
    from statistikles.pipeline.engine import RawTable

__all__ = ["MISSING_CODES", "SPREADSHEET_DAMAGE", "Codes", "codes_of", "note_missing"]

# Upper-case and well-known spellings only: a lower-case "none" is often a genuine category.
MISSING_CODES = ("NA", "N/A", "n/a", "NaN", "nan", "NAN", "null", "NULL", "None", ".", "#N/A", "<NA>", "NaT")
# What a spreadsheet makes of gene names such as SEPT2 or MARCH1, and of identifiers such as 2310009E13.
SPREADSHEET_DAMAGE = (
    r"\d{1,2}-(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)(?:-\d{2,4})?|"
    r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)-\d{1,4}|"
    r"\d{4}-\d{2}-\d{2}(?:[ T]00:00(?::00)?)?|\d{1,2}/\d{1,2}/\d{4}|\d(?:\.\d{1,2})?E\+\d{2}"
)
_SHOWN = 5


class Codes:
    """The entries of one column that stand for missing: as text, and as numbers when some were decided."""

    def __init__(
        self, texts: Sequence[str] = MISSING_CODES, decided: Sequence[str] = (), pattern: str = ""
    ) -> None:
        self.pattern = pattern
        self.texts = frozenset(("", *texts, *decided))
        self.numbers = tuple(sorted({float(code) for code in decided if _is_number(code)}))
        self._listed = ", ".join(literal(code) for code in sorted(self.texts))

    def sql(self, text: str) -> str:
        """The condition that a trimmed text is one of them."""
        plain = f"{text} IN ({self._listed})"
        if self.pattern:
            plain = f"({plain} OR coalesce(regexp_full_match({text}, {literal(self.pattern)}), false))"
        if not self.numbers:
            return plain
        return f"({plain} OR coalesce(try_cast(replace({text}, ',', '.') AS DOUBLE) IN {self.sql_numbers}, false))"

    @property
    def sql_numbers(self) -> str:
        """The numbers among them as an SQL list."""
        return "(" + ", ".join(repr(number) for number in self.numbers) + ")"

    def without(self, cells: set[str]) -> set[str]:
        """The cells that are values."""
        rest = cells - self.texts
        if self.pattern:
            rest = {text for text in rest if not re.fullmatch(self.pattern, text)}
        if self.numbers:
            rest = {text for text in rest if not self._is_coded_number(text.replace(",", "."))}
        return rest

    def _is_coded_number(self, text: str) -> bool:
        return _is_number(text) and float(text) in self.numbers


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def codes_of(decisions: Decisions, header: str) -> Codes:
    """What stands for missing in this column: the usual codes, those decided, or only empty cells."""
    if not decisions:
        return _USUAL
    wanted = decisions.get("missing", header)
    damaged = SPREADSHEET_DAMAGE if decisions.get("genes", header) == "missing" else ""
    if wanted is None:
        return Codes(pattern=damaged) if damaged else _USUAL
    if wanted == "none":
        return Codes((), pattern=damaged)
    return Codes(decided=[code.strip() for code in wanted.split(",") if code.strip()], pattern=damaged)


_USUAL = Codes()


def note_missing(
    raw: RawTable, counts: Mapping[str, Mapping[str, int]], rows: Mapping[str, Sequence[int]]
) -> None:
    """One finding per code: how often it was read as missing, and where.

    Parameters
    ----------
    raw : the table.
    counts : {column: {code: count}}; empty cells count under ''.
    rows : {code: the first rows that have it}.
    """
    totals: dict[str, dict[str, int]] = {}
    for header, found in counts.items():
        for code, count in found.items():
            totals.setdefault(code, {})[header] = count
    for code, by_column in totals.items():
        named = f"'{code}'" if code else "Empty cells"
        listed = ", ".join(f"{name} {n}" for name, n in list(by_column.items())[:_SHOWN])
        more = len(by_column) - _SHOWN
        listed += f" and {more} more column{'s' if more > 1 else ''}" if more > 0 else ""
        total = sum(by_column.values())
        column = next(iter(by_column)) if len(by_column) == 1 else ""
        raw.findings.append(
            notice(
                "missing_code",
                f"{named} read as missing: {total} ({listed}).",
                column,
                total,
                rows=rows.get(code, ()),
                seen=[code] if code else (),
                done="Read as missing.",
            )
        )
