"""What the text of a column means: numbers (in which notation), truth values, dates, missing codes, or text.

A reading is chosen from a sample of the cells, then checked against every cell by the engine; cells that
contradict it join the sample and the choice is made again. Nothing is decided silently: each decision that
another reader might have taken differently becomes a finding.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from statistikles.pipeline.canonicalise.codes import notice
from statistikles.pipeline.canonicalise.missing import (
    MISSING_CODES,
    Codes,
    codes_of,
    note_missing,
)
from statistikles.pipeline.canonicalise.typed import apply_to_typed
from statistikles.pipeline.engine import RawTable, literal

__all__ = [
    "COMMA_READINGS",
    "MISSING_CODES",
    "POINT_READINGS",
    "SAMPLE_ROWS",
    "TEXT",
    "Reading",
    "choose_plain",
    "infer_types",
    "plain_columns",
    "readings_among",
    "readings_of",
    "sampled",
]

SAMPLE_ROWS = 2000
_LARGE = 100_000  # rows from which on equal cells are looked at together
_FEW = 50  # different cells among the first rows that promise few in all
_BLANKS = " \t\r\n\u00a0\u202f\ufeff"

_INT = r"[+-]?(?:0|[1-9]\d*)"
_EXP = r"(?:[eE][+-]?\d+)?"
_INF = r"[+-]?(?:inf|Inf|INF|infinity|Infinity)"
_SPACE = "[ \u00a0\u202f']"


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a text column: its type, and for numbers the decimal mark and the thousands mark.

    `expr` is SQL over {t} for a notation that needs its own; it gives NULL for what does not fit.
    """

    kind: str
    pattern: str = ""
    decimal: str = "."
    group: str = ""
    expr: str = ""

    def sql(self, text: str) -> str:
        """The SQL that turns the cleaned text into a value."""
        if self.expr:
            return self.expr.replace("{t}", text)
        if self.kind == "text":
            return text
        if self.kind == "date":
            return f"CAST({text} AS TIMESTAMP)"
        if self.kind == "datetime":
            return f"CAST({text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'"
        if self.kind == "boolean":
            return f"CAST(lower({text}) AS BOOLEAN)"
        if self.group == " ":
            text = f"regexp_replace({text}, {literal(_SPACE)}, '', 'g')"
        elif self.group:
            text = f"replace({text}, {literal(self.group)}, '')"
        if self.decimal != ".":
            text = f"replace({text}, {literal(self.decimal)}, '.')"
        return f"CAST({text} AS {'BIGINT' if self.kind == 'integer' else 'DOUBLE'})"


TEXT = Reading("text")
_INTEGER = Reading("integer", _INT)
_POINT = Reading("float", rf"{_INT}(?:\.\d*)?{_EXP}|[+-]?\.\d+{_EXP}|{_INF}")
_COMMA = Reading("float", rf"{_INT}(?:,\d*)?{_EXP}|[+-]?,\d+{_EXP}|{_INF}", decimal=",")
_GROUPED_EN = Reading(
    "float", rf"{_INT}(?:\.\d*)?|[+-]?\.\d+|[+-]?[1-9]\d{{0,2}}(?:,\d{{3}})+(?:\.\d*)?|{_INF}", group=","
)
_GROUPED_DE = Reading(
    "float",
    rf"{_INT}(?:,\d*)?|[+-]?,\d+|[+-]?[1-9]\d{{0,2}}(?:\.\d{{3}})+(?:,\d*)?|{_INF}",
    decimal=",",
    group=".",
)
_SPACED_POINT = Reading(
    "float", rf"{_INT}(?:\.\d*)?|[+-]?[1-9]\d{{0,2}}(?:{_SPACE}\d{{3}})+(?:\.\d*)?|{_INF}", group=" "
)
_SPACED_COMMA = Reading(
    "float",
    rf"{_INT}(?:,\d*)?|[+-]?[1-9]\d{{0,2}}(?:{_SPACE}\d{{3}})+(?:,\d*)?|{_INF}",
    decimal=",",
    group=" ",
)
_BOOLEAN = Reading("boolean", "true|false|True|False|TRUE|FALSE")
_DATE = Reading("date", r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?")
_DATETIME = Reading(
    "datetime",
    _DATE.pattern + r"|\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)",
)

# Order is preference: the first feasible one is taken unless the evidence of the file says otherwise.
_ALL = (
    _INTEGER,
    _POINT,
    _COMMA,
    _GROUPED_EN,
    _GROUPED_DE,
    _SPACED_POINT,
    _SPACED_COMMA,
    _BOOLEAN,
    _DATE,
    _DATETIME,
)
POINT_READINGS = (_INTEGER, _POINT, _GROUPED_EN, _SPACED_POINT)
COMMA_READINGS = (_INTEGER, _COMMA, _GROUPED_DE, _SPACED_COMMA)
_COMPILED = {reading: re.compile(rf"(?:{reading.pattern})\Z") for reading in _ALL}
_POINT_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+\Z")
_COMMA_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+\Z")
_DIGITS = re.compile(r"[+-]?\d+\Z")


def readings_of(values: Collection[str]) -> list[Reading]:
    """Every reading under which all the values make sense, most natural first (text is always possible)."""
    return [*readings_among(_ALL, values), TEXT]


def readings_among(candidates: Iterable[Reading], values: Collection[str]) -> list[Reading]:
    """Those of the candidates under which all the values make sense, in their order."""
    feasible = []
    for reading in candidates if values else ():
        match = _COMPILED[reading].match
        if all(match(v) for v in values) and _representable(reading, values):
            feasible.append(reading)
            if reading is _INTEGER:
                break
    return feasible


def _representable(reading: Reading, values: Iterable[str]) -> bool:
    """Whether the engine can hold the values exactly as the reading means them."""
    if reading.kind == "integer":
        return all(len(v) < 19 or -(2**63) <= int(v) < 2**63 for v in values)
    if reading.kind == "float":
        # An identifier of twenty digits would lose its tail as a float: it stays text.
        return not all(_DIGITS.match(v) for v in values)
    if reading.kind in ("date", "datetime"):
        return all(_is_iso(v) for v in values)
    return True


def _is_iso(text: str) -> bool:
    try:
        dt.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _file_decimal(samples: Iterable[tuple[Collection[str], list[Reading]]], delimiter: str) -> str:
    """The decimal mark the other columns give evidence of: ',' or '.' or '' when there is none."""
    comma = point = False
    for values, feasible in samples:
        if _COMMA in feasible and _POINT not in feasible and _GROUPED_EN not in feasible:
            comma = True
        if (
            _POINT in feasible
            and _INTEGER not in feasible
            and not all(_POINT_GROUPS.match(v) for v in values)
        ):
            point = True
    if comma != point:
        return "," if comma else "."
    return "," if delimiter == ";" and not point else ""


def choose_plain(feasible: list[Reading], file_decimal: str) -> tuple[Reading, str]:
    """The reading of one column and the reason when the notation was ambiguous ('' otherwise).

    Parameters
    ----------
    feasible : the readings under which every cell makes sense, most natural first.
    file_decimal : the decimal mark that the rest of the file gives evidence of.
    """
    first = feasible[0]
    if first is _COMMA and _GROUPED_EN in feasible:
        if file_decimal == ",":
            return _COMMA, "the comma was read as the decimal mark, as elsewhere in this file"
        return _GROUPED_EN, "the comma was read as a thousands separator"
    if first is _POINT and _GROUPED_DE in feasible and file_decimal == ",":
        return (
            _GROUPED_DE,
            "the point was read as a thousands separator, because this file uses decimal commas",
        )
    return first, ""


def infer_types(raw: RawTable, n_rows: int) -> dict[str, dict[str, int]]:
    """Turn table `raw` into the typed table `data`; returns the missing codes seen, per column and code.

    Only text columns are interpreted; a column declared categorical by its source keeps its labels.
    """
    if raw.decisions:
        apply_to_typed(raw)
    types = [str(row[1]) for row in raw.con.execute("DESCRIBE raw").fetchall()]
    codes = {i: codes_of(raw.decisions, header) for i, header in enumerate(raw.headers)}
    text = [i for i, kind in enumerate(types) if kind == "VARCHAR" and i not in raw.verbatim]
    cells = _survey(raw, text, codes, n_rows)
    open_cells = {i: cell for i, cell in cells.items() if i not in raw.declared_levels}
    readings = _readings(raw, open_cells, n_rows)
    missing = _count_missing(raw, cells | _typed_cells(raw))
    parts = []
    for i, kind in enumerate(types):
        if i in raw.typed:
            parts.append(f"c{i} AS c{i}")
        elif i in cells:
            parts.append(f"{readings.get(i, TEXT).sql(cells[i].cleaned)} AS c{i}")
        else:
            parts.append(f"{_typed(f'c{i}', kind, raw, i)} AS c{i}")
    if raw.typed and parts == [
        f"c{i} AS c{i}" for i in range(len(types))
    ]:  # nothing to change: no second copy
        raw.con.execute("ALTER TABLE raw RENAME TO data")
        return missing
    raw.con.execute(f"CREATE TABLE data AS SELECT {', '.join(parts)} FROM raw")  # noqa: S608
    _note_trimmed(raw, {i: cell for i, cell in cells.items() if readings.get(i, TEXT) is TEXT})
    raw.con.execute("DROP TABLE raw")
    return missing


@dataclass(frozen=True, slots=True)
class _Cells:
    """How the cells of a text column are reached: trimmed, and cleaned of missing codes, as SQL."""

    trimmed: str
    cleaned: str
    n_null: int
    coded: bool
    blank_ended: bool
    codes: Codes


_ENDS = literal(f"^[{_BLANKS}]|[{_BLANKS}]$")


def _survey(raw: RawTable, columns: list[int], codes: Mapping[int, Codes], n_rows: int) -> dict[int, _Cells]:
    """One look over all text columns, so that only those that need it are trimmed and decoded (slow)."""
    counted = {i: codes[i].sql(f"c{i}") for i in columns}
    found = _counted(raw, counted, n_rows)
    out = {}
    for i in columns:
        present, coded, ended = found[i]
        trimmed = f"trim(c{i}, {literal(_BLANKS)})" if ended else f"c{i}"
        decode = bool(coded or ended)
        cleaned = f"CASE WHEN {codes[i].sql(trimmed)} THEN NULL ELSE {trimmed} END" if decode else trimmed
        out[i] = _Cells(trimmed, cleaned, n_rows - present, decode, bool(ended), codes[i])
    return out


def _counted(raw: RawTable, coded: Mapping[int, str], n_rows: int) -> dict[int, tuple[int, int, int]]:
    """Per text column: its cells, those that the condition finds, and those with blanks at their ends."""
    few: list[int] = []
    if n_rows >= _LARGE and coded:
        asked = ", ".join(f"count(DISTINCT c{i})" for i in coded)
        row = raw.con.execute(f"SELECT {asked} FROM (SELECT * FROM raw LIMIT {SAMPLE_ROWS})").fetchall()[0]  # noqa: S608
        few = [i for i, different in zip(coded, row, strict=True) if different <= _FEW]
    out = {}
    for i in few:  # each of the few different cells is looked at once
        asked = ", ".join(
            f"coalesce(sum(n) FILTER ({condition}), 0)"
            for condition in (f"c{i} IS NOT NULL", coded[i], f"regexp_matches(c{i}, {_ENDS})")
        )
        row = raw.con.execute(
            f"SELECT {asked} FROM (SELECT c{i}, count(*) AS n FROM raw GROUP BY c{i})"  # noqa: S608
        ).fetchall()[0]
        out[i] = (int(row[0]), int(row[1]), int(row[2]))
    rest = [i for i in coded if i not in out]
    if rest:
        asked = ", ".join(
            f"count(c{i}), count_if({coded[i]}), count_if(regexp_matches(c{i}, {_ENDS}))" for i in rest
        )
        row = raw.con.execute(f"SELECT {asked} FROM raw").fetchall()[0]  # noqa: S608
        out |= {i: tuple(row[3 * k : 3 * k + 3]) for k, i in enumerate(rest)}
    return out


def _typed_cells(raw: RawTable) -> dict[int, _Cells]:
    """The cells of the columns that the reader has typed: nothing but values and empty ones."""
    if not raw.typed:
        return {}
    asked = ", ".join(f"count(*) - count(c{i})" for i in raw.typed)
    row = raw.con.execute(f"SELECT {asked} FROM raw").fetchall()[0]  # noqa: S608
    return {
        i: _Cells(f"c{i}", f"c{i}", n, False, False, Codes()) for i, n in zip(raw.typed, row, strict=True)
    }


def _typed(name: str, kind: str, raw: RawTable, i: int) -> str:
    """SQL that brings a typed column to one of the five house types; NaN becomes missing."""
    base = kind.split("(")[0]
    if base in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER"):
        return f"CAST({name} AS BIGINT)"
    if base in ("UBIGINT", "HUGEINT", "UHUGEINT"):
        beyond = f"SELECT count(*) FROM raw WHERE try_cast({name} AS BIGINT) IS NULL AND {name} IS NOT NULL"  # noqa: S608
        if raw.con.execute(beyond).fetchall()[0][0] == 0:
            return f"CAST({name} AS BIGINT)"
        header = raw.headers[i]
        text = f"'{header}' holds integers beyond 64 bits; kept as text."
        raw.findings.append(notice("huge_integers", text, header))
        return f"CAST({name} AS VARCHAR)"
    if base in ("FLOAT", "DOUBLE", "DECIMAL"):
        number = f"CAST({name} AS DOUBLE)"
        return f"CASE WHEN isnan({number}) THEN NULL ELSE {number} END"
    if base == "BOOLEAN":
        return name
    if kind == "TIMESTAMP WITH TIME ZONE":
        header = raw.headers[i]
        text = f"The times of '{header}' are given in UTC."
        raw.findings.append(notice("time_zone", text, header, done="Moved to UTC."))
        return f"{name} AT TIME ZONE 'UTC'"
    if base == "DATE" or base.startswith("TIMESTAMP"):
        return f"CAST({name} AS TIMESTAMP)"
    return f"CAST({name} AS VARCHAR)"


def _readings(raw: RawTable, columns: dict[int, _Cells], n_rows: int) -> dict[int, Reading]:
    """A reading for each text column, checked against every cell."""
    if not columns:
        return {}
    from statistikles.pipeline.canonicalise.columns import Chooser, Chosen
    from statistikles.pipeline.canonicalise.notes import note_reading

    names = ", ".join(f"c{i}" for i in columns)
    rows = raw.con.execute(f"SELECT {names} FROM raw LIMIT {SAMPLE_ROWS}").fetchall()  # noqa: S608
    seen = sampled(rows, list(columns))
    samples = {i: cells.codes.without(seen[i]) for i, cells in columns.items()}
    feasible = {i: readings_of(samples[i]) for i in columns}
    decimal = raw.decimal
    if decimal is None:
        decimal = _file_decimal(((samples[i], feasible[i]) for i in columns), raw.delimiter)
    chooser = Chooser(raw.headers, decimal, raw.decisions, samples, feasible)
    chosen: dict[int, Reading] = {}
    for i, cells in columns.items():
        if not samples[i] and n_rows > SAMPLE_ROWS:
            samples[i] = _contradictions(raw, cells, TEXT)
            feasible.pop(i)
        taken = chooser.choose(i, samples[i])
        while (n_rows > SAMPLE_ROWS or taken.reading.expr) and taken.reading is not TEXT:
            against = _contradictions(raw, cells, taken.reading)
            if (
                taken.lenient
            ):  # what is no number at all becomes missing; another notation of numbers must not
                against = {t for t in against if readings_among((*POINT_READINGS, *COMMA_READINGS), [t])}
            if not against:
                break
            known = against <= samples[i]
            samples[i] |= against
            taken = Chosen(TEXT, plain=True) if known else chooser.choose(i, samples[i])
        reading = _whole(raw, cells, taken.reading)
        chosen[i] = reading
        note_reading(raw, i, replace(taken, reading=reading), samples[i], cells.cleaned)
    return chosen


def sampled(rows: Sequence[Sequence[str | None]], columns: Sequence[int]) -> dict[int, set[str]]:
    """The different cells of some rows per column, without blanks at their ends."""
    out: dict[int, set[str]] = {}
    for position, i in enumerate(columns):
        seen = {cell for row in rows if (cell := row[position]) is not None}
        out[i] = {text.strip(_BLANKS) for text in seen} - {""}
    return out


def plain_columns(samples: Mapping[int, set[str]], delimiter: str) -> tuple[dict[int, str], str]:
    """{column: "integer" or "float"} of the columns whose notation leaves no choice, and the file's decimal mark."""
    usual = Codes()
    samples = {i: usual.without(values) for i, values in samples.items()}
    feasible = {i: readings_of(values) for i, values in samples.items()}
    decimal = _file_decimal(((values, feasible[i]) for i, values in samples.items()), delimiter)
    plain = {}
    for i, readings in feasible.items():
        reading, why = choose_plain(readings, decimal)
        # A point before three digits everywhere may separate thousands: the careful path says so.
        if reading in (_INTEGER, _POINT) and not why and _GROUPED_DE not in readings:
            plain[i] = reading.kind
    return plain, decimal


def _contradictions(raw: RawTable, cells: _Cells, reading: Reading) -> set[str]:
    """Up to a hundred distinct cells that do not fit the reading (for text: any cells at all)."""
    fits = "false"
    if reading is not TEXT:
        value = reading.sql("t") if reading.expr else re.sub(r"^CAST", "TRY_CAST", reading.sql("t"))
        fits = f"(regexp_full_match(t, {literal(reading.pattern)}) AND {value} IS NOT NULL)"
    rows = raw.con.execute(
        f"SELECT DISTINCT t FROM (SELECT {cells.cleaned} AS t FROM raw) "  # noqa: S608
        f"WHERE t IS NOT NULL AND NOT {fits} LIMIT 100"
    ).fetchall()
    return {row[0] for row in rows}


def _whole(raw: RawTable, cells: _Cells, reading: Reading) -> Reading:
    """A grouped notation without any fraction ("1,234") holds integers."""
    if reading.group:
        number = reading.sql("t")
        rest = raw.con.execute(
            f"SELECT count(*) FROM (SELECT {cells.cleaned} AS t FROM raw) "  # noqa: S608
            f"WHERE t IS NOT NULL AND ({number} <> round({number}) OR abs({number}) >= 9e15)"
        ).fetchall()[0][0]
        if rest == 0:
            return Reading("integer", reading.pattern, reading.decimal, reading.group)
    return reading


def _count_missing(raw: RawTable, columns: dict[int, _Cells]) -> dict[str, dict[str, int]]:
    """How often each missing code occurs, per column; empty cells count under ''."""
    out: dict[str, dict[str, int]] = {}
    rows: dict[str, list[int]] = {}
    for i, cells in sorted(columns.items()):
        counts = {"": cells.n_null} if cells.n_null else {}
        if cells.coded:
            text = f"coalesce({cells.trimmed}, '')"
            found = raw.con.execute(
                f"SELECT {text} AS t, count(*), list_slice(list(rowid + 1 ORDER BY rowid), 1, 5) FROM raw "  # noqa: S608
                f"WHERE {cells.codes.sql(text)} GROUP BY t ORDER BY t"
            ).fetchall()
            counts = {code: count for code, count, _ in found}
            for code, _, places in found:
                rows.setdefault(code, places)
        if counts:
            out[raw.headers[i]] = counts
    note_missing(raw, out, rows)
    return out


def _note_trimmed(raw: RawTable, columns: dict[int, _Cells]) -> None:
    """Say how many cells of a text column lost blanks at their ends."""
    for i, cells in columns.items():
        if not cells.blank_ended:
            continue
        changed = f"c{i} <> {cells.trimmed} AND {cells.trimmed} <> ''"
        found = raw.con.execute(
            f"SELECT count(*) OVER (), rowid + 1, c{i} FROM raw WHERE {changed} ORDER BY rowid LIMIT 5"  # noqa: S608
        ).fetchall()
        if found:
            header, count = raw.headers[i], int(found[0][0])
            raw.findings.append(
                notice(
                    "trimmed",
                    f"'{header}': blanks at the ends of {count} cells were removed.",
                    header,
                    count,
                    rows=[row for _, row, _ in found],
                    seen=[cell for _, _, cell in found],
                    done="Blanks removed.",
                )
            )
