"""Long and wide layout as steps, and units taken out of cells or converted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statistikles.errors import InputError
from statistikles.pipeline.engine import literal
from statistikles.pipeline.stewardship.steps import Done, free_name, name_list, said, step
from statistikles.pipeline.stewardship.survey import Survey, listed
from statistikles.pipeline.stewardship.unit_columns import CELL, FEET, column_units
from statistikles.pipeline.stewardship.units import Unit, conversion, parse_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statistikles.pipeline.tables import Table

__all__ = ["convert_unit", "strip_units", "to_long", "to_wide"]

_NUMBERS = ("integer", "float")
_MOST_COLUMNS = 200


@step
def to_long(table: Table, columns: list[str], names_to: str = "occasion", values_to: str = "value") -> Done:
    """One row per value: the columns become two, one with their names and one with their values."""
    names = [table.resolve(n) for n in name_list(columns, "columns")]
    if len(set(names)) < 2:
        raise InputError("To reshape into long layout takes at least two columns.", where="columns")
    kept = [n for n in table.column_names if n not in names]
    for header in (names_to, values_to):
        if header in kept or names_to == values_to:
            raise InputError(f"The name '{header}' is taken.", where="names_to", code="name_taken")
    types = {table.dtype(n) for n in names}
    kind = types.pop() if len(types) == 1 else "float" if types <= set(_NUMBERS) else ""
    if not kind:
        raise InputError("The columns hold values of different types.", where="columns", code="mixed_types")
    cast = "::DOUBLE" if kind == "float" else ""
    parts = []
    for place, name in enumerate(names):
        carried = "".join(f"{table.engine_column(n)[0]}, " for n in kept)
        value = f"{table.engine_column(name)[0]}{cast}"
        chosen = f"{carried}{literal(name)} AS occasion, {value} AS value, rowid AS a, {place} AS b"
        parts.append(f"SELECT {chosen} FROM data")  # noqa: S608
    source = f"(SELECT *, a * {len(names)} + b AS r FROM ({' UNION ALL '.join(parts)}))"  # noqa: S608
    rows = table.n_rows * len(names)
    message = (
        f"{len(names)} columns ({listed(names)}) became '{names_to}' and '{values_to}': {table.n_rows} rows "
        f"became {rows}, rows of one case stand together."
    )
    finding = said("reshaped_long", message, "normalise", values_to, rows)
    picked = [
        *((n, table.engine_column(n)[0]) for n in kept),
        (names_to, "occasion"),
        (values_to, "value"),
    ]
    new = table.derive(picked, source=source, findings=(*table.findings, finding), order="r")
    return Done(new, (finding,), {})


@step
def to_wide(table: Table, names_from: str, values_from: str, keys: list[str] | None = None) -> Done:
    """One row per case: the values become one column per label of `names_from`. A case with two values is refused."""
    names, values = table.resolve(names_from), table.resolve(values_from)
    by = (
        [table.resolve(k) for k in name_list(keys, "keys")]
        if keys
        else [n for n in table.column_names if n not in (names, values)]
    )
    n, v = table.engine_column(names)[0], table.engine_column(values)[0]
    labels = table.level_order(names, set(table.labels(names).compressed().tolist()))
    if not by or not 2 <= len(labels) <= _MOST_COLUMNS:
        raise InputError(
            f"'{names}' has {len(labels)} labels and {len(by)} key columns; wide layout needs 2 to {_MOST_COLUMNS} "
            "labels and a key.",
            where="names_from",
        )
    grouped = ", ".join(table.engine_column(k)[0] for k in by)
    twice = table.query(
        f"SELECT count(*) FROM (SELECT {grouped} FROM data GROUP BY {grouped}, {n} HAVING count(*) > 1)"  # noqa: S608
    )[0][0]
    if twice:
        raise InputError(
            f"{twice} cases have several values for one label of '{names}', so no single one can be placed.",
            hint="Name the columns that identify a case with 'keys', or aggregate first.",
            where="keys",
            code="not_unique",
        )
    label = "regexp_replace" if table.dtype(names) == "float" else ""
    text = f"{label}({n}::VARCHAR, '\\.0$', '')" if label else f"{n}::VARCHAR"
    cells = ", ".join(f"any_value({v}) FILTER ({text} = {literal(x)}) AS w{i}" for i, x in enumerate(labels))
    source = f"(SELECT {grouped}, {cells}, min(rowid) AS r FROM data GROUP BY {grouped})"  # noqa: S608
    picked = [(k, table.engine_column(k)[0]) for k in by]
    for i, x in enumerate(labels):
        header = x if x not in by else f"{values}_{x}"
        picked.append((header, f"w{i}"))
    new_rows = int(table.query(f"SELECT count(*) FROM {source}")[0][0])  # noqa: S608
    shown = f"{len(labels)} columns by '{names}' ({listed(labels)})"
    message = f"'{values}' became {shown}: {table.n_rows} rows became {new_rows}."
    finding = said("reshaped_wide", message, "normalise", values, new_rows)
    return Done(
        table.derive(picked, source=source, findings=(*table.findings, finding), order="r"), (finding,), {}
    )


# Units -----------------------------------------------------------------------------------------------------


@step
def convert_unit(table: Table, column: str, to: str, unit: str | None = None, into: str = "") -> Done:
    """A numeric column in another unit; its header says the new one. `unit` names the present one if it is not known."""
    name = table.resolve(column)
    table.numbers(name)
    source = _known_unit(table, name, unit)
    target = _parsed(to, "to")
    change = conversion(source, target)
    header = into or _renamed(name, source, target)
    if header != name:
        header = free_name(table, header)
    c = f"{table.engine_column(name)[0]}::DOUBLE"
    sql = f"{c} * {change.factor!r}" + (f" + {change.offset!r}" if change.offset else "")
    count = table.column(name).n
    message = f"'{name}' ({source}) became '{header}' ({target}): {change}, {count} values."
    finding = said("unit_converted", message, "units", header, count)
    columns = [
        (header if n == name else n, sql if n == name else table.engine_column(n)[0])
        for n in table.column_names
    ]
    new = table.derive(columns, findings=(*table.findings, finding), units={header: str(target)})
    return Done(new, (finding,), {"factor": change.factor, "offset": change.offset})


def _parsed(text: str, where: str) -> Unit:
    found = parse_unit(text)
    if found is None:
        raise InputError(
            f"The unit '{text}' is not known.",
            hint="Write it as in 'kg' or 'mg/dL'.",
            where=where,
            code="unknown_unit",
        )
    return found[0]


def _known_unit(table: Table, name: str, unit: str | None) -> Unit:
    if unit is not None:
        return _parsed(unit, "unit")
    known = column_units(Survey.of(table)).get(name)
    if known is None or not known.used:
        raise InputError(
            f"The unit of '{name}' is not known.",
            hint="Name it with 'unit'.",
            where="unit",
            code="unknown_unit",
        )
    return known.unit


def _renamed(name: str, source: Unit, target: Unit) -> str:
    """The header with the new unit in the place of the old one, or behind it in brackets."""
    from statistikles.pipeline.stewardship.headers import read_header

    for old in (f"({source})", f"[{source}]"):
        if old in name:
            return name.replace(old, old[0] + str(target) + old[-1])
    stem, mark, last = name.rpartition("_")
    found = parse_unit(last) if mark else None
    if stem and found is not None and found[0] == source:
        candidate = f"{stem}_{target}"
        again = read_header(candidate)
        if again is not None and again.unit == target:
            return candidate
    return f"{name.removesuffix(f'_{last}') if found and found[0] == source else name} ({target})"


@step
def strip_units(table: Table, column: str, to: str | None = None, assume: str | None = None) -> Done:
    """Numbers out of cells such as "12 mg" or 5'11", all in one unit; `assume` is the unit of cells that have none."""
    name = table.resolve(column)
    c, dtype = table.engine_column(name)
    found = column_units(Survey.of(table)).get(name) if dtype == "text" else None
    if found is None or found.source != "cells":
        raise InputError(f"'{name}' has no units in its cells.", where=name, code="no_units")
    marks = [mark for mark, _ in found.cells]
    feet = marks == ["ft and in"]
    target = _parsed(to, "to") if to else _parsed("cm", "to") if feet else found.unit
    if "" in marks and assume is None:
        raise InputError(
            f"Some cells of '{name}' have no unit.",
            hint="Say which with 'assume'.",
            where="assume",
            code="unknown_unit",
        )
    number = _feet_sql(c, target) if feet else _cells_sql(c, marks, target, assume)
    header = free_name(table, f"{name} ({target})")
    filled, read = table.query(f"SELECT count({c}), count({number}) FROM data")[0]  # noqa: S608
    lost = int(filled - read)
    units = listed([m or f"none, taken as {assume}" for m in marks])
    message = f"'{name}' became '{header}', a number in {target}: {read} cells read (units: {units})"
    message += f", {lost} could not be read and are missing." if lost else "."
    finding = said("units_stripped", message, "units", header, int(read))
    columns = [
        (header if n == name else n, number if n == name else table.engine_column(n)[0])
        for n in table.column_names
    ]
    new = table.derive(columns, findings=(*table.findings, finding), units={header: str(target)})
    return Done(new, (finding,), {})


def _feet_sql(c: str, target: Unit) -> str:
    feet, inches = (conversion(_parsed(u, "unit"), target).factor for u in ("ft", "in"))
    part = f"regexp_extract({c}, {literal(FEET)}"
    return (
        f"(CASE WHEN regexp_matches({c}, {literal(FEET)}) THEN {part}, 1)::DOUBLE * {feet!r} + "
        f"coalesce(TRY_CAST({part}, 2) AS DOUBLE), 0) * {inches!r} END)"
    )


def _cells_sql(c: str, marks: Sequence[str], target: Unit, assume: str | None) -> str:
    pattern = literal(CELL)
    mark = f"coalesce(nullif(regexp_extract({c}, {pattern}, 1), ''), trim(regexp_extract({c}, {pattern}, 3)))"
    value = f"TRY_CAST(replace(regexp_extract({c}, {pattern}, 2), ',', '') AS DOUBLE)"
    cases = []
    for text in marks:
        change = conversion(_parsed(text or str(assume), "assume"), target)
        shift = f" + {change.offset!r}" if change.offset else ""
        cases.append(f"WHEN {literal(text)} THEN {value} * {change.factor!r}{shift}")
    return f"(CASE {mark} {' '.join(cases)} END)"
