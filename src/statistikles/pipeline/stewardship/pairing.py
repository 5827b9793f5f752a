"""Two tables about the same cases: matched by a key, with the columns that both have laid side by side.

Values are compared as what they are: numbers by value (in the unit of the first table), dates and times by the
moment, texts without blanks at their ends and whatever way their accents are coded. The key must tell every case
apart in both tables.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, InputError, StatistiklesError
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.survey import listed
from statistikles.pipeline.stewardship.unit_columns import table_units
from statistikles.pipeline.stewardship.units import Conversion, Unit, compatible, conversion, parse_unit

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["Matched", "Pair", "match", "text_key"]

_KINDS = {"integer": "number", "float": "number"}
_PLURAL = {"number": "numbers", "text": "text", "boolean": "truth values", "datetime": "dates"}
_EXACT = 2**53
_PIECES = re.compile(r"[\s_.\-:()\[\]{}/]+")
_BETWEEN = frozenset({"in", "per", "of"})


@dataclass(frozen=True, slots=True)
class Pair:
    """A column that both tables have, as SQL over the joined one.

    `same` is whether two values that are present are the same, `near` whether they differ by no more than their
    rounding (texts: in case only).
    """

    column: str
    other: str
    mine: str
    theirs: str
    same: str
    near: str
    conversion: Conversion | None = None
    note: str = ""
    kind: str = "number"


@dataclass(frozen=True, slots=True)
class Matched:
    """Two tables joined by their key.

    In `joined` the columns of the first table come first, under their own names in the engine; then the row
    numbers from 0 in each table (empty where it lacks the case); then the columns of the other table.
    """

    table: Table
    other: Table
    keys: tuple[tuple[str, str], ...]
    joined: Table
    here: str
    there: str
    theirs: Mapping[str, str]
    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]

    @property
    def names(self) -> tuple[str, str]:
        """What the two tables are called in a sentence."""
        first, second = self.table.name, self.other.name
        return first, second if first != second else f"{second} (the other)"

    @property
    def my_keys(self) -> list[str]:
        """The cells of the key in the first table."""
        return [self.table.engine_column(a)[0] for a, _ in self.keys]

    @property
    def their_keys(self) -> list[str]:
        """The cells of the key in the other table."""
        return [self.theirs[b] for _, b in self.keys]

    @property
    def both(self) -> str:
        """The rows whose case both tables have, as SQL."""
        return f"{self.here} IS NOT NULL AND {self.there} IS NOT NULL"


def match(table: Table, other: Table, key: Any, columns: Any = None, within: float = 0.0) -> Matched:
    """Join two tables and pair their columns.

    Parameters
    ----------
    table, other : the tables; both stay as they are.
    key : the column or columns that name a case, or {name here: name there}.
    columns : the columns to compare, or {name here: name there}; by default those of the same name.
    within : how far apart two numbers may be and still agree.

    Raises
    ------
    InputError : a key or column that cannot be meant.
    DataError : the key repeats, is of two kinds, or names no case in common.
    """
    keys = _named(table, other, key, "key")
    for mine, theirs in keys:
        _check_kinds(table, other, mine, theirs)
    for source, place in ((table, 0), (other, 1)):
        _check_unique(source, [pair[place] for pair in keys])
    joined, here, there, cells = _joined(table, other, keys)
    whole = Matched(table, other, keys, joined, here, there, cells, (), ())
    if not joined.query(f"SELECT 1 FROM data WHERE {whole.both} LIMIT 1"):  # noqa: S608
        raise _nothing_in_common(whole)
    pairs, findings = _pairs(whole, columns, float(within))
    return Matched(table, other, keys, joined, here, there, cells, tuple(pairs), tuple(findings))


# Keys --------------------------------------------------------------------------------------------------------


def _named(table: Table, other: Table, given: Any, where: str) -> tuple[tuple[str, str], ...]:
    """Columns named for both tables, as (name here, name there)."""
    if isinstance(given, str):
        given = [given]
    listed_pairs = list(given.items()) if isinstance(given, Mapping) else None
    if listed_pairs is None and isinstance(given, Sequence):
        listed_pairs = [(name, name) for name in given]
    if not listed_pairs or not all(isinstance(name, str) for pair in listed_pairs for name in pair):
        raise InputError(
            f"'{where}' must name a column or several.",
            hint='Write "id", ["site", "visit"], or {"id": "patient"} where the other table has another name.',
            where=where,
        )
    pairs = tuple((table.resolve(a, where=where), other.resolve(b, where=where)) for a, b in listed_pairs)
    for names in zip(*pairs, strict=True):
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"'{where}' names '{twice}' twice.", where=where)
    return pairs


def kind_of(table: Table, name: str) -> str:
    """number, text, boolean or datetime."""
    dtype = table.dtype(name)
    return _KINDS.get(dtype, dtype)


def text_key(cell: str) -> str:
    """A text as it is compared."""
    return f"nfc_normalize(trim({cell}))"


def _key(table: Table, name: str, cell: str) -> str:
    """A cell of a key as it is compared."""
    return text_key(cell) if kind_of(table, name) == "text" else cell


def _check_kinds(table: Table, other: Table, mine: str, theirs: str) -> None:
    kinds = [kind_of(table, mine), kind_of(other, theirs)]
    if kinds[0] != kinds[1]:
        shown = [_example(source, name) for source, name in ((table, mine), (other, theirs))]
        raise DataError(
            f"The key '{mine}' holds {_PLURAL[kinds[0]]} in one table ({shown[0]}) and {_PLURAL[kinds[1]]} in the "
            f"other ({shown[1]}).",
            hint=f"Read both alike, for example --decide {mine}:type=text; 007 and 7 stay different then.",
            where="key",
            code="key_kinds",
        )
    if _beyond(table, mine, other, theirs):
        raise DataError(
            f"The key '{mine}' has whole numbers too long to be compared with numbers that have decimals.",
            hint=f"Read both as text: --decide {mine}:type=text.",
            where="key",
            code="key_kinds",
        )


def _beyond(table: Table, mine: str, other: Table, theirs: str) -> bool:
    """Whether one column has whole numbers that a comparison with the floats of the other would round."""
    if {table.dtype(mine), other.dtype(theirs)} != {"integer", "float"}:
        return False
    whole = table.column(mine) if table.dtype(mine) == "integer" else other.column(theirs)
    return any(isinstance(v, int | float) and abs(v) > _EXACT for v in (whole.min, whole.max))


def _example(table: Table, name: str) -> str:
    c = table.engine_column(name)[0]
    rows = table.query(f"SELECT CAST({c} AS VARCHAR) FROM data WHERE {c} IS NOT NULL ORDER BY rowid LIMIT 1")  # noqa: S608
    return f"'{str(rows[0][0])[:40]}'" if rows else "no value"


def _check_unique(table: Table, names: Sequence[str]) -> None:
    """Refuse a key that names a case twice, and say which and where."""
    cells = ", ".join(
        f"{_key(table, name, table.engine_column(name)[0])} AS k{j}" for j, name in enumerate(names)
    )
    present = " AND ".join(f"{table.engine_column(name)[0]} IS NOT NULL" for name in names)
    keys = ", ".join(f"k{j}" for j in range(len(names)))
    rows = table.query(
        f"SELECT count(*) OVER (), min(r), max(r), count(*), {keys} FROM (SELECT {cells}, rowid + 1 AS r FROM data "  # noqa: S608
        f"WHERE {present}) GROUP BY {keys} HAVING count(*) > 1 ORDER BY min(r) LIMIT 1"
    )
    if not rows:
        return
    different, first, last, times = rows[0][:4]
    shown = ", ".join(f"{name} = {str(value)[:40]}" for name, value in zip(names, rows[0][4:], strict=True))
    more = f"; so {'do' if different > 2 else 'does'} {different - 1} more" if different > 1 else ""
    raise DataError(
        f"The key is not unique in '{table.name}': {shown} occurs {times} times (rows {first} and {last}){more}.",
        hint="Add a column to the key that tells the rows apart, or clean the table first (drop_duplicates).",
        where="key",
        code="duplicate_key",
    )


def _nothing_in_common(matched: Matched) -> StatistiklesError:
    mine, theirs = matched.keys[0]
    return DataError(
        f"'{matched.names[0]}' and '{matched.names[1]}' have no case in common by {listed([a for a, _ in matched.keys])}.",
        hint=(
            f"The first keys are {_example(matched.table, mine)} here and {_example(matched.other, theirs)} there: "
            "name another key, or write both alike."
        ),
        where="key",
        code="no_common_case",
    )


# Joining -----------------------------------------------------------------------------------------------------

_TRAVEL = {"datetime": ("epoch_us({c})", "make_timestamp({x})", "int64"), "boolean": ("{c}", "{x}", "bool")}
_TYPES = {"integer": ("BIGINT", "int64"), "float": ("DOUBLE", "float64")}


def _joined(
    table: Table, other: Table, keys: Sequence[tuple[str, str]]
) -> tuple[Table, str, str, dict[str, str]]:
    """The full outer join, ordered as the first table is, then as the other."""
    extra, cells = _carried(other)
    places = {name: f"o{j}" for j, name in enumerate(other.column_names)}
    conditions = " AND ".join(
        f"{_key(table, a, f'd.{table.engine_column(a)[0]}')} = {_key(other, b, f'o.{places[b]}')}"
        for a, b in keys
    )
    source = (
        f"(SELECT d.*, d.rowid AS here, o.* FROM data AS d FULL JOIN "  # noqa: S608
        f"(SELECT r AS there, {', '.join(cells)} FROM extra) AS o ON {conditions})"
    )
    columns = [(name, table.engine_column(name)[0]) for name in table.column_names]
    n = len(columns)
    columns += [("\x00here", "here"), ("\x00there", "there")]
    columns += [(f"\x00{name}", place) for name, place in places.items()]
    joined = table.derive(columns, source=source, extra=extra, order="here NULLS LAST, there")
    found = {name: f"c{n + 2 + j}" for j, name in enumerate(other.column_names)}
    return joined, f"c{n}", f"c{n + 1}", found


def _carried(other: Table) -> tuple[dict[str, Any], list[str]]:
    """The other table's columns as plain arrays with a mask each, and the SQL that makes them what they were."""
    import numpy as np

    dtypes = [other.dtype(name) for name in other.column_names]
    out = [_TRAVEL[d][0].format(c=f"c{j}") if d in _TRAVEL else f"c{j}" for j, d in enumerate(dtypes)]
    extra: dict[str, Any] = {"r": np.arange(other.n_rows)}
    cells = []
    for j, (dtype, array) in enumerate(zip(dtypes, other.arrays(out), strict=True)):
        mask, values = np.ma.getmaskarray(array), np.ma.getdata(array)
        if dtype == "text":
            values = np.where(mask, "", values).astype(object)
            back = f"CAST(x{j} AS VARCHAR)"
        elif dtype in _TRAVEL:
            values = np.where(mask, 0, values).astype(_TRAVEL[dtype][2])
            back = _TRAVEL[dtype][1].format(x=f"x{j}")
        else:
            name, kind = _TYPES[dtype]
            values, back = np.where(mask, 0, values).astype(kind), f"CAST(x{j} AS {name})"
        extra |= {f"x{j}": values, f"m{j}": mask}
        cells.append(f"CASE WHEN m{j} THEN NULL ELSE {back} END AS o{j}")
    return extra, cells


# Pairing columns ---------------------------------------------------------------------------------------------


def _pairs(matched: Matched, columns: Any, within: float) -> tuple[list[Pair], list[Finding]]:
    """The columns that can be compared, and what is to be said of those that cannot."""
    table, other = matched.table, matched.other
    units, their_units = table_units(table), table_units(other)
    if columns is None:
        used = {a for a, _ in matched.keys}, {b for _, b in matched.keys}
        wanted = _of_one_name(matched, used, units, their_units)
    else:
        wanted = list(_named(table, other, columns, "columns"))
        taken = next((a for a, b in wanted if (a, b) in matched.keys), None)
        if taken is not None:
            raise InputError(f"'{taken}' is the key; it is the same by definition.", where="columns")
    pairs, findings = [], []
    for mine, theirs in wanted:
        why = _unlike(matched, mine, theirs, units.get(mine), their_units.get(theirs))
        if why is not None:
            findings.append(why)
        else:
            pairs.append(_pair(matched, mine, theirs, units.get(mine), their_units.get(theirs), within))
    findings += [_converted(matched, pair) for pair in pairs if pair.conversion is not None]
    return pairs, findings


def _of_one_name(
    matched: Matched,
    used: tuple[set[str], set[str]],
    units: Mapping[str, Unit],
    their_units: Mapping[str, Unit],
) -> list[tuple[str, str]]:
    """Columns of the same name but for case, blanks and marks; or of the same name but for its unit."""
    table, other = matched.table, matched.other
    left = [name for name in other.column_names if name not in used[1]]
    out, rest = [], []
    for name in (n for n in table.column_names if n not in used[0]):
        try:
            found = other.resolve(name)
        except DataError:
            found = ""
        if found in left:
            out.append((name, found))
            left.remove(found)
        else:
            rest.append(name)
    for name in rest:
        hits = [
            t
            for t in left
            if name in units
            and t in their_units
            and compatible(units[name], their_units[t])
            and _same_but_for_unit(name, t)
        ]
        back = [n for n in rest if n in units and hits and _same_but_for_unit(n, hits[0])]
        if len(hits) == 1 == len(back):
            out.append((name, hits[0]))
            left.remove(hits[0])
    order = {name: place for place, name in enumerate(table.column_names)}
    return sorted(out, key=lambda pair: order[pair[0]])


def _same_but_for_unit(mine: str, theirs: str) -> bool:
    """Whether two headers share their words but for the unit at their ends: `height_cm` and `Height (ft)`."""
    first, second = ([p for p in _PIECES.split(name) if p] for name in (mine, theirs))
    shared = 0
    while shared < min(len(first), len(second)) and first[shared].casefold() == second[shared].casefold():
        shared += 1
    rests = first[shared:], second[shared:]
    return shared > 0 and all(
        rest and all(p.casefold() in _BETWEEN or parse_unit(p) for p in rest) for rest in rests
    )


def _unlike(
    matched: Matched, mine: str, theirs: str, unit: Unit | None, their_unit: Unit | None
) -> Finding | None:
    """Why two columns cannot be compared, None when they can."""
    table, other = matched.table, matched.other
    first, second = table.column(mine), other.column(theirs)
    if unit is not None and their_unit is not None and not compatible(unit, their_unit):
        message = f"'{mine}' is in {unit} in '{matched.names[0]}' and in {their_unit} in '{matched.names[1]}': not compared."
        return Finding("source_units", message, mine, severity="problem", stage="validate",
                       asked="Name the columns that belong together with 'columns', or correct a header.")  # fmt: skip
    kinds = kind_of(table, mine), kind_of(other, theirs)
    what = f"{_PLURAL[kinds[0]]} in '{matched.names[0]}' and {_PLURAL[kinds[1]]} in '{matched.names[1]}'"
    if _beyond(table, mine, other, theirs):
        what = "whole numbers too long to be compared with numbers that have decimals"
    elif first.n == 0 or second.n == 0 or kinds[0] == kinds[1]:
        return None
    asked = f"Decide how both are read, for example with --decide {mine}:type=text."
    shown = _example(table, mine)[1:-1], _example(other, theirs)[1:-1]
    message = f"'{mine}' holds {what}: not compared."
    return Finding(
        "source_kinds", message, mine, severity="problem", stage="validate", seen=shown, asked=asked
    )


def _pair(
    matched: Matched, mine: str, theirs: str, unit: Unit | None, their_unit: Unit | None, within: float
) -> Pair:
    table, other = matched.table, matched.other
    a, b = table.engine_column(mine)[0], matched.theirs[theirs]
    if table.column(mine).n == 0 and kind_of(table, mine) != kind_of(other, theirs):
        a = f"CAST(NULL AS {_engine_type(other, theirs)})"
    elif other.column(theirs).n == 0 and kind_of(table, mine) != kind_of(other, theirs):
        b = f"CAST(NULL AS {_engine_type(table, mine)})"
    kind = kind_of(table, mine) if table.column(mine).n else kind_of(other, theirs)
    if kind == "text":
        folded = [text_key(c) for c in (a, b)]
        near = f"lower({folded[0]}) = lower({folded[1]})"
        return Pair(mine, theirs, a, b, " = ".join(folded), near, kind=kind)
    if kind != "number":
        return Pair(mine, theirs, a, b, f"{a} = {b}", "false", kind=kind)
    note = ""
    if (unit is None) != (their_unit is None):
        who, known = (matched.names[0], unit) if unit is not None else (matched.names[1], their_unit)
        note = f"Only '{who}' names a unit ({known}); the numbers are compared as they stand."
    change = (
        conversion(their_unit, unit)
        if unit is not None and their_unit is not None and unit != their_unit
        else None
    )
    steps = _step(table, mine), _step(other, theirs)
    if change is not None:
        b = f"({b} * {change.factor!r} + {change.offset!r})"
        slack = 0.5000001 * (steps[0] + abs(change.factor) * steps[1])
        far = f"{max(within, slack)!r} + 1e-9 * greatest(abs({a}), abs({b}))"
        return Pair(mine, theirs, a, b, f"abs({a} - {b}) <= {far}", "false", change)
    same = f"{a} = {b}" + (f" OR abs({a} - {b}) <= {within!r}" if within else "")
    # The coarser one may be the finer one rounded.
    near = (
        f"abs({a} - {b}) <= {0.5000001 * max(steps)!r}" if min(steps) < max(steps) and max(steps) else "false"
    )
    return Pair(mine, theirs, a, b, f"({same})", near, None, note)


def _engine_type(table: Table, name: str) -> str:
    return {"integer": "BIGINT", "float": "DOUBLE", "boolean": "BOOLEAN", "text": "VARCHAR"}.get(
        table.dtype(name), "TIMESTAMP"
    )


def _step(table: Table, name: str) -> float:
    """The place value of the last digit written, 0 when it is not known."""
    if table.dtype(name) == "integer":
        return 1.0
    return 10.0 ** -table.decimals[name] if name in table.decimals else 0.0


def _converted(matched: Matched, pair: Pair) -> Finding:
    message = (
        f"'{pair.column}' of '{matched.names[1]}' is compared in the unit of '{matched.names[0]}' ({pair.conversion}); what "
        "the written digits leave open counts as equal."
    )
    done = f"'{pair.other}' converted for the comparison."
    return Finding("source_converted", message, pair.column, severity="info", stage="validate", done=done)
