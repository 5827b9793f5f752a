"""What is said about a column of numbers or text: its notation, its digits, and what it holds besides numbers."""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Collection
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from statistikles.pipeline.canonicalise.codes import notice, quote
from statistikles.pipeline.canonicalise.columns import Chosen, ambiguous
from statistikles.pipeline.findings import Finding, Severity
from statistikles.pipeline.inference import COMMA_READINGS, POINT_READINGS, TEXT, Reading, readings_among

if TYPE_CHECKING:
    from statistikles.pipeline.engine import RawTable

__all__ = ["note_reading"]

_DIGITS = re.compile(r"[+-]?\d+\Z")
_FEW = 3
_MANY_OTHERS = 0.2
_EXACT_DIGITS = 15
_LOOKED_AT = 50
_COUNTED = 500
_EXCEL_SCIENTIFIC = re.compile(r"\d(?:\.\d{1,2})?E\+\d{2}\Z")
_MARKS = {" ": "space or apostrophe", ",": "comma", ".": "point"}


def note_reading(raw: RawTable, i: int, chosen: Chosen, values: Collection[str], cells: str) -> None:
    """Say what was decided about a column when it was not the plain case.

    Parameters
    ----------
    raw : the table.
    i : the place of the column.
    chosen : its reading.
    values : its distinct cells, or a sample of them.
    cells : SQL of its cleaned cells.
    """
    header = raw.headers[i]
    noted = list(chosen.noted)
    if chosen.plain:
        noted += _plain(header, chosen, values)
    if chosen.reading.kind == "float" and not chosen.reading.expr:
        raw.decimals[i] = _most_decimals(values, chosen.reading.decimal)
        noted += _digits(raw, header, chosen.reading, values)
    if chosen.unit:
        raw.units[i] = chosen.unit
    for finding, texts in noted:
        raw.findings.append(_located(raw, cells, finding, texts))


def _located(raw: RawTable, cells: str, finding: Finding, texts: Collection[str]) -> Finding:
    """The finding with the rows of the cells that show it, and how many there are."""
    if not texts:
        return finding
    wanted = list(texts)
    query = (
        f"SELECT rowid + 1, count(*) OVER () FROM raw WHERE {cells} IN ({', '.join('?' * len(wanted))}) "  # noqa: S608
        "ORDER BY rowid LIMIT 5"
    )
    found = raw.con.execute(query, wanted).fetchall()
    if not found:
        return finding
    return replace(finding, rows=tuple(row for row, _ in found), count=finding.count or int(found[0][1]))


def _plain(header: str, chosen: Chosen, values: Collection[str]) -> list[tuple[Finding, tuple[str, ...]]]:
    """The findings of a plain reading."""
    reading = chosen.reading
    if (
        reading.decimal == "."
        and not reading.group
        and reading.kind in ("integer", "float", "date", "boolean")
    ):
        return []
    marked = [v for v in values if reading.group and reading.group in v]
    example = min(marked or values, key=lambda v: (-len(v), v), default="")
    if chosen.why:
        return [(ambiguous(header, example, chosen.why), (example,))]
    if reading.group:
        text = f"'{header}': the {_MARKS[reading.group]} was read as a thousands separator."
        return [
            (notice("thousands_separator", text, header, seen=[example], done="Read as numbers."), (example,))
        ]
    if reading.decimal == ",":
        text = f"'{header}': the comma was read as the decimal mark."
        return [(notice("decimal_comma", text, header, seen=[example], done="Read as numbers."), (example,))]
    if reading.kind == "datetime":
        text = f"The times of '{header}' are given in UTC."
        return [(notice("time_zone", text, header, seen=[example], done="Moved to UTC."), (example,))]
    if reading is TEXT and values:
        return _text(header, values)
    return []


def _text(header: str, values: Collection[str]) -> list[tuple[Finding, tuple[str, ...]]]:
    """Say so when a text column looks numeric at first sight."""
    if all(_DIGITS.match(v) for v in values):
        zeros = sorted(v for v in values if len(v.lstrip("+-")) > 1 and v.lstrip("+-").startswith("0"))
        if zeros:
            text = f"'{header}' has numbers with leading zeros; kept as text, as for codes and identifiers."
            return [(notice("leading_zeros", text, header, seen=zeros), tuple(zeros[:5]))]
        text = f"'{header}' has integers too long to hold exactly; kept as text, as for identifiers."
        long = max(values, key=lambda v: (len(v), v))
        return [(notice("huge_integers", text, header, seen=[long]), (long,))]
    usual = (*POINT_READINGS, *COMMA_READINGS)
    others = sorted(v for v in values if not readings_among(usual, [v]))
    if not 0 < len(others) < len(values) / 2:
        return []
    shown = ", ".join(map(quote, others[:_FEW]))
    text = f"'{header}' is mostly numbers but has other entries such as {shown}; kept as text."
    asked = ""
    if len(others) <= max(_FEW, _MANY_OTHERS * len(values)):
        asked = (
            f"Decide `{header}:type=number` (they are missing) or `{header}:type=text` (leave it as it is)."
        )
        if len(others) <= _FEW and not any("," in other for other in others):
            asked = f"Decide `{header}:missing={','.join(others)}` (they are missing) or `{header}:type=text` (leave it)."
    severity: Severity | None = None if asked else "info"
    finding = notice("numbers_and_text", text, header, seen=others, asked=asked, severity=severity)
    return [(finding, tuple(others[:100]))]


def _most_decimals(values: Collection[str], mark: str) -> int:
    """The most digits after the decimal mark that were written; an exponent moves the mark."""
    values = list(itertools.islice(values, _COUNTED))
    plain = max((len(v) - v.rfind(mark) - 1 for v in values if mark in v), default=0)
    if not any("e" in v or "E" in v for v in values):
        return plain
    most = 0
    for value in values:
        number, _, exponent = value.lower().partition("e")
        shift = int(exponent) if exponent.lstrip("+-").isdecimal() else 0
        most = max(most, len(number.partition(mark)[2]) - shift)
    return most


def _digits(
    raw: RawTable, header: str, reading: Reading, values: Collection[str]
) -> list[tuple[Finding, tuple[str, ...]]]:
    """Numbers with more digits than are kept, and identifiers that a spreadsheet has rounded."""
    if raw.decisions.about(header, "type", "genes"):
        return []
    longest = heapq.nlargest(_LOOKED_AT, values, key=len)
    lost = sorted(v for v in longest if len(v) > _EXACT_DIGITS and not _survives(v, reading))
    out = []
    if lost:
        text = f"'{header}' has numbers with more digits than are kept, such as {quote(lost[0])}."
        out.append(
            (
                notice("digits_lost", text, header, seen=lost, done="Rounded to 64-bit numbers."),
                tuple(lost[:5]),
            )
        )
    rounded = sorted(v for v in values if "E+" in v and _EXCEL_SCIENTIFIC.match(v))
    if rounded and all("." not in v or _EXCEL_SCIENTIFIC.match(v) for v in values):
        text = (
            f"'{header}' has entries such as {quote(rounded[0])}, as a spreadsheet writes long identifiers: "
            "digits are lost."
        )
        asked = (
            f"Restore them from the source, or decide `{header}:genes=missing` (they are missing) or "
            f"`{header}:genes=keep` (they are numbers)."
        )
        out.append((notice("sci_identifiers", text, header, seen=rounded, asked=asked), tuple(rounded[:5])))
    return out


def _survives(text: str, reading: Reading) -> bool:
    """Whether a 64-bit number keeps every digit that was written."""
    if reading.decimal == "." and not reading.group and repr(float(text)) == text:
        return True
    plain = text
    if reading.group:
        plain = (
            re.sub("[ \u00a0\u202f']", "", plain)
            if reading.group == " "
            else plain.replace(reading.group, "")
        )
    plain = plain.replace(reading.decimal, ".")
    try:
        written = Decimal(plain)
    except InvalidOperation:
        return True
    if not written.is_finite():
        return True
    kept = float(written)
    return Decimal(repr(kept)) == written if kept not in (float("inf"), float("-inf")) else False
