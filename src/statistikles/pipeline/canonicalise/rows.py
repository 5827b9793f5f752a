"""Rows of a written table that are no data: repeated headers, units, notes, blank rows, and totals at the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from statistikles.pipeline.canonicalise.codes import notice
from statistikles.pipeline.canonicalise.footers import find_footers, total_word
from statistikles.pipeline.engine import literal
from statistikles.pipeline.inference import POINT_READINGS, readings_among, readings_of

if TYPE_CHECKING:
    from statistikles.pipeline.engine import RawTable

__all__ = ["is_note", "tidy_rows"]

_Row: TypeAlias = tuple[int, list["str | None"]]
_HEAD = 40
_TAIL = 15
_MOST_NOTES = 10
_NOTE = re.compile(
    r"\s*(?:sources?|quellen?|fuente|note|notes|nota|anm(?:erkung(?:en)?)?|hinweis|legende?|remarks?|key|footnotes?|"
    r"data (?:from|as of)|last updated?|updated|retrieved|generated|exported|erstellt|stand|copyright)\b|"
    r"\s*[*†‡§¹²³©]|\s*https?://|\s*\(?\d\)\s|\s*[a-z]\)\s",
    re.IGNORECASE,
)
_LONG_NOTE = 30
_UNITS = frozenset((
    "kg", "g", "mg", "µg", "μg", "ug", "ng", "t", "lb", "lbs", "oz", "m", "cm", "mm", "km", "µm", "μm",
    "nm", "in", "inch", "inches", "ft", "feet", "yd", "mi", "mile", "miles", "s", "sec", "secs", "second",
    "seconds", "ms", "min", "mins", "minute", "minutes", "h", "hr", "hrs", "hour", "hours", "d", "day",
    "days", "week", "weeks", "month", "months", "y", "yr", "yrs", "year", "years", "a", "l", "ml", "dl",
    "µl", "μl", "cl", "hl", "mol", "mmol", "µmol", "nmol", "pmol", "pa", "hpa", "kpa", "mpa", "bar", "mbar",
    "atm", "mmhg", "psi", "n", "kn", "j", "kj", "cal", "kcal", "w", "kw", "mw", "kwh", "wh", "v", "mv", "a",
    "ma", "hz", "khz", "mhz", "ghz", "k", "°c", "°f", "c", "f", "degc", "degf", "deg", "rad", "%",
    "percent", "ppm", "ppb", "iu", "u", "bpm", "rpm", "db", "eur", "usd", "gbp", "chf", "euro", "euros",
    "dollar", "dollars", "$", "€", "£", "count", "counts", "n", "score", "points", "number", "ratio",
    "index", "jahre", "jahr", "tage", "stunden", "minuten", "sekunden", "m2", "m3", "m²", "m³", "cm2",
    "cm3", "cm²", "cm³", "ha", "cells", "copies", "fte", "persons", "people",
))  # fmt: skip
_TOKENS = re.compile(r"[\s/*·^×.\-]+|(?<=[A-Za-z])[-−]?\d+")


def tidy_rows(raw: RawTable, n_rows: int) -> int:
    """Leave out rows that are certainly no data, and ask about those that may be; the number of rows left."""
    if not raw.loose or len(raw.headers) < 2 or n_rows < 2:
        return n_rows
    dropped: set[int] = set()
    head = _fetch(raw, f"rowid < {_HEAD}")
    _repeated_headers(raw, dropped)
    _blank_rows(raw, dropped)
    _units_row(raw, [row for row in head if row[0] not in dropped], dropped)
    tail = [row for row in _fetch(raw, f"rowid >= {n_rows - _TAIL}") if row[0] not in dropped]
    tail = _notes(raw, tail, head, dropped)
    if n_rows - len(dropped) > 2:
        find_footers(raw, tail, dropped)
    if not dropped or len(dropped) >= n_rows:
        return n_rows
    raw.con.execute(f"DELETE FROM raw WHERE rowid IN ({', '.join(map(str, sorted(dropped)))})")  # noqa: S608
    # A fresh table, so that row numbers count the rows that are left.
    raw.con.execute("CREATE TABLE tidied AS SELECT * FROM raw")
    raw.con.execute("DROP TABLE raw")
    raw.con.execute("ALTER TABLE tidied RENAME TO raw")
    # What mixed numbers with words may be the units or the repeated header that are gone now.
    raw.findings[:] = [finding for finding in raw.findings if finding.code != "mixed_types"]
    return n_rows - len(dropped)


def _fetch(raw: RawTable, condition: str) -> list[_Row]:
    cells = ", ".join(f"CAST(c{i} AS VARCHAR)" for i in range(len(raw.headers)))
    rows = raw.con.execute(f"SELECT rowid, {cells} FROM raw WHERE {condition} ORDER BY rowid").fetchall()  # noqa: S608
    return [(row[0], [_cell(text) for text in row[1:]]) for row in rows]


def _cell(text: str | None) -> str | None:
    return (text.strip() or None) if text is not None else None


def _repeated_headers(raw: RawTable, dropped: set[int]) -> None:
    named = [i for i, header in enumerate(raw.headers) if header != f"column{i + 1}"]
    if not named or raw.decisions.get("repeated_headers") == "keep":
        return
    if any(i in raw.typed and not readings_among(POINT_READINGS, [raw.headers[i]]) for i in named):
        return  # a header that is no number does not stand in a column of nothing but numbers
    same = " AND ".join(f"trim(CAST(c{i} AS VARCHAR)) = {literal(raw.headers[i])}" for i in named)
    found = _rows_where(raw, same)
    if found:
        dropped.update(found)
        raw.findings.append(
            notice(
                "repeated_header",
                f"{len(found)} row{'s' if len(found) > 1 else ''} in the body repeat{'' if len(found) > 1 else 's'} the "
                "header.",
                "",
                len(found),
                rows=[row + 1 for row in found],
                done="Left out.",
            )
        )


def _rows_where(raw: RawTable, condition: str) -> list[int]:
    query = f"SELECT rowid FROM raw WHERE {condition} ORDER BY rowid"  # noqa: S608
    return [int(row[0]) for row in raw.con.execute(query).fetchall()]


def _blank_rows(raw: RawTable, dropped: set[int]) -> None:
    if raw.decisions.get("blank_rows") == "keep":
        return
    # Columns of nothing but numbers first: the engine knows without a look when nothing is missing there.
    order = sorted(range(len(raw.headers)), key=lambda i: i not in raw.typed)
    blank = " AND ".join(
        f"c{i} IS NULL" if i in raw.typed else f"(c{i} IS NULL OR trim(CAST(c{i} AS VARCHAR)) = '')"
        for i in order
    )
    found = _rows_where(raw, blank)
    n_rows = raw.con.execute("SELECT count(*) FROM raw").fetchall()[0][0]
    if found and len(found) < n_rows:
        dropped.update(found)
        text = f"{len(found)} row{'s' if len(found) > 1 else ''} without any entry."
        rows = [row + 1 for row in found]
        raw.findings.append(notice("blank_rows", text, "", len(found), rows=rows, done="Left out."))


def _units_row(raw: RawTable, head: Sequence[_Row], dropped: set[int]) -> None:
    """The row below the header, when it holds known units over columns of numbers."""
    if len(head) < 3 or raw.decisions.get("units_row") == "keep":
        return
    first, body = head[0][1], [row for _, row in head[1:]]
    units: dict[int, str] = {}
    for i, cell in enumerate(first):
        below = {row[i] for row in body} - {None}
        if not below or readings_of([str(v) for v in below])[0].kind not in ("integer", "float"):
            continue
        if cell is None:
            continue
        if not _is_unit(cell):
            return
        units[i] = cell.strip("()[] ")
    if not units:
        return
    raw.units.update(units)
    dropped.add(head[0][0])
    told = ", ".join(f"{raw.headers[i]} in {unit}" for i, unit in list(units.items())[:5])
    raw.findings.append(
        notice(
            "units_row",
            f"The row below the header holds units: {told}.",
            "",
            1,
            rows=[head[0][0] + 1],
            seen=[cell for cell in first if cell],
            done="Left out; the units are kept with their columns.",
        )
    )


def _is_unit(text: str) -> bool:
    if text[0] in "([" and text[-1] in ")]" and any(c.isalpha() or c in "%°$€£" for c in text):
        return True
    tokens = [token for token in _TOKENS.split(text.lower()) if token]
    return bool(tokens) and all(token in _UNITS for token in tokens)


def is_note(text: str) -> bool:
    """Whether a line of its own below the data reads like a note, not like a cell."""
    return bool(_NOTE.match(text)) or (len(text) >= _LONG_NOTE and " " in text.strip())


def _notes(raw: RawTable, tail: list[_Row], head: Sequence[_Row], dropped: set[int]) -> list[_Row]:
    """Lines at the end with nothing but a text in their first cell; the tail without them."""
    usual = max((sum(c is not None for c in row) for _, row in head), default=0)
    found: list[_Row] = []
    for number, row in reversed(tail):
        filled = [i for i, cell in enumerate(row) if cell is not None]
        if usual < 2 or len(filled) != 1 or filled[0] != 0 or len(found) >= _MOST_NOTES:
            break
        # Behind a blank row any text is a note; elsewhere it must read like one, and not like a total.
        apart = number - 1 in dropped or any(n - 1 in dropped for n, _ in found)
        text = str(row[0])
        if total_word(text) or not (is_note(text) or (apart and not text.isdecimal())):
            break
        found.append((number, row))
    if not found or len(found) >= len(tail) or raw.decisions.get("notes") == "keep":
        return tail
    found.reverse()
    dropped.update(number for number, _ in found)
    note_lines(raw, [str(row[0]) for _, row in found], [number + 1 for number, _ in found])
    return [row for row in tail if row[0] not in dropped]


def note_lines(raw: RawTable, texts: Sequence[str], rows: Sequence[int]) -> None:
    """Say which lines below the data were left out."""
    many = len(texts) > 1
    message = f"{len(texts)} line{'s' if many else ''} of text below the data."
    raw.findings.append(
        notice("notes_below", message, "", len(texts), rows=rows, seen=texts, done="Left out.")
    )
