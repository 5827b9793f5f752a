"""Stage `units`: the unit of each column, from its header, its cells or a declaration, and what is odd about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError
from statistikles.pipeline.engine import literal
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.formula_units import reckon
from statistikles.pipeline.stewardship.headers import SURE_ENOUGH, header_words, read_header
from statistikles.pipeline.stewardship.units import Unit, compatible, conversion, parse_unit

if TYPE_CHECKING:
    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.stewardship.survey import Survey
    from statistikles.pipeline.tables import Table

__all__ = ["CELL", "FEET", "ColumnUnit", "column_units", "table_units", "unit_findings"]

# A cell of a sign or currency mark, a number and a unit; and feet with inches.
CELL = r"^\s*([$€£¥₹]?)\s*([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)\s*([^\d\s.,;:][^;]{0,15})?\s*$"
FEET = r"^\s*(\d+)\s*(?:'|′|ft\.?|feet)\s*(?:(\d{1,2}(?:\.\d+)?)\s*(?:\"|''|″|in\.?|inches)?)?\s*$"
_SHARE = 0.9
_TWIN_GAP = 0.02  # what rounding of whole numbers explains
_UNIT_HEADERS = frozenset({"unit", "units", "uom", "measure_unit"})


@dataclass(frozen=True, slots=True)
class ColumnUnit:
    """The unit of a column, where it was read, and in which cells which unit stands."""

    unit: Unit
    confidence: float
    reason: str
    source: str = "header"
    cells: tuple[tuple[str, int], ...] = ()

    @property
    def used(self) -> bool:
        """Whether the reading is sure enough to be used without asking."""
        return self.confidence >= SURE_ENOUGH


def table_units(table: Table) -> dict[str, Unit]:
    """The units of a table's numeric columns that are sure enough to go into results; no value is read."""
    from statistikles.pipeline.defined import DefinedTable

    if isinstance(table, DefinedTable):
        known = table_units(table.base)
        kept = {name: unit for name, unit in known.items() if name not in table.formulas}
        return {**kept, **reckon(table.formulas, known).units}
    out = {}
    for name in table.column_names:
        if name in table.units:
            declared = parse_unit(table.units[name])
            if declared is not None:
                out[name] = declared[0]
        elif table.dtype(name) in ("integer", "float"):
            found = read_header(name)
            if found is None or found.confidence < SURE_ENOUGH:
                continue
            if found.unit.dimension != "percent" or not _is_fraction(table.column(name)):
                out[name] = found.unit
    return out


def _is_fraction(column: Column) -> bool:
    """Whether a column that is called a percentage holds fractions of 1."""
    low, high = column.min, column.max
    return isinstance(low, int | float) and isinstance(high, int | float) and 0 <= low < high <= 1


def column_units(survey: Survey, constraints: Mapping[str, Any] | None = None) -> dict[str, ColumnUnit]:
    """The unit of every column that has one: declared, else from the header, else from the cells."""
    declared, read = _declared(survey, constraints), survey.table.units
    out: dict[str, ColumnUnit] = {}
    for column in survey.columns:
        if column.name in declared:
            out[column.name] = _of_declaration(column.name, declared[column.name])
            continue
        if column.name in read:  # taken from the cells or a row of units when the table was loaded or derived
            if (known := parse_unit(read[column.name])) is not None:
                out[column.name] = ColumnUnit(known[0], 1.0, "the source says so", "source")
            continue
        numeric = column.dtype in ("integer", "float") and column.n_unique > 2
        found = read_header(column.name, numeric=numeric) if column.dtype != "datetime" else None
        if found is not None and not (found.unit.dimension == "percent" and _is_fraction(column)):
            out[column.name] = ColumnUnit(found.unit, found.confidence, found.reason)
    for column in survey.columns:
        if column.dtype == "text" and column.n and (cells := _cells(survey, column)) is not None:
            out[column.name] = cells
    return out


def _declared(survey: Survey, constraints: Mapping[str, Any] | None) -> dict[str, str]:
    columns = (constraints or {}).get("columns", {})
    if not isinstance(columns, Mapping):
        return {}  # refused where constraints are checked
    return {
        survey.table.resolve(name): rules["unit"]
        for name, rules in columns.items()
        if isinstance(rules, Mapping) and "unit" in rules
    }


def _of_declaration(name: str, text: Any) -> ColumnUnit:
    found = parse_unit(text) if isinstance(text, str) else None
    if found is None:
        raise InputError(
            f"The unit '{text}' declared for '{name}' is not known.",
            hint="Write it as in 'kg', 'mg/dL', 'm/s' or '°C'.",
            where=name,
            code="unknown_unit",
        )
    return ColumnUnit(found[0], 1.0, "declared", "declared")


# Cells -----------------------------------------------------------------------------------------------------


def _cells(survey: Survey, column: Column) -> ColumnUnit | None:
    """The unit written in the cells of a text column, when nearly all of them are a number and a unit."""
    if survey.texts[column.name].longest > 60 and survey.texts[column.name].mean_length > 25:
        return None
    c = survey.sql(column.name)
    number = literal(CELL)
    n_numbers, n_feet = survey.query(
        f"SELECT count_if(regexp_matches({c}, {number})), count_if(regexp_matches({c}, {literal(FEET)})) FROM data"  # noqa: S608
    )[0]
    if n_feet >= _SHARE * column.n and n_feet > 0 and _speaks_of_length(column.name):
        feet = parse_unit("ft")
        if feet is not None:
            reason = "the cells are feet and inches"
            return ColumnUnit(feet[0], 0.9, reason, "cells", (("ft and in", int(n_feet)),))
    if n_numbers < _SHARE * column.n or n_numbers < 2:
        return None
    rows = survey.query(
        f"SELECT coalesce(nullif(regexp_extract({c}, {number}, 1), ''), trim(regexp_extract({c}, {number}, 3))) AS u, "  # noqa: S608
        f"count(*) FROM data WHERE regexp_matches({c}, {number}) GROUP BY u ORDER BY count(*) DESC, u"
    )
    found = {text: parse_unit(text) for text, _ in rows if text}
    if len(found) > 20 or any(unit is None for unit in found.values()) or not found:
        return None
    if not any(unit[1] for unit in found.values() if unit) and not _fits(column.name, found.values()):
        return None
    counts = tuple((str(text), int(n)) for text, n in rows)
    first = next(found[text] for text, _ in rows if text)
    if first is None:
        return None
    return ColumnUnit(first[0], 0.95, "the cells are numbers with a unit", "cells", counts)


def _speaks_of_length(name: str) -> bool:
    return not {"height", "length", "stature", "distance", "depth", "width", "ht"}.isdisjoint(
        header_words(name)
    )


def _fits(name: str, units: Any) -> bool:
    """Whether the header has a word for the dimension of the weakly spelled units in the cells."""
    from statistikles.pipeline.stewardship.unit_words import QUANTITY_WORDS

    words = set(header_words(name))
    return any(unit and QUANTITY_WORDS.get(unit[0].dimension, frozenset()) & words for unit in units)


# Findings --------------------------------------------------------------------------------------------------


def unit_findings(survey: Survey, units: Mapping[str, ColumnUnit]) -> list[Finding]:
    """What is to be said about the units of a table."""
    out = []
    for name, unit in units.items():
        if unit.source == "cells":
            out.append(_cell_finding(survey, name, unit))
        elif not unit.used:
            out.append(
                Finding(
                    "unit_uncertain",
                    f"'{name}' may be in {unit.unit}: {unit.reason}. The unit is not used.",
                    name,
                    stage="units",
                    seen=(name,),
                    asked=f"Is '{name}' in {unit.unit}? Declare its unit if so.",
                )
            )
    out.extend(_unit_columns(survey))
    out.extend(_twins(survey, units))
    for column in survey.columns:
        found = read_header(column.name) if column.dtype == "float" else None
        if found is not None and found.unit.dimension == "percent" and _is_fraction(column):
            message = f"'{column.name}' is called a percentage and holds fractions from 0 to 1; it is left as it is."
            out.append(Finding("percent_as_fraction", message, column.name, column.n, stage="units"))
    return out


def _cell_finding(survey: Survey, name: str, unit: ColumnUnit) -> Finding:
    """One unit in all cells, several that convert into each other, or several that do not."""
    c, marks = survey.sql(name), [text for text, _ in unit.cells if text]
    if marks == ["ft and in"]:
        message = f"'{name}' has feet and inches in its cells (1 ft = 12 in, 1 in = 2.54 cm); it is text as it stands."
        asked = "Make it a number in cm? (step strip_units)"
        return Finding(
            "feet_and_inches", message, name, unit.cells[0][1], "warning", "units", asked=asked,
            seen=_examples(survey, c),
        )  # fmt: skip
    bare = next((n for text, n in unit.cells if not text), 0)
    different = _different(marks)
    seen = tuple(f"{text or 'no unit'}: {n}" for text, n in unit.cells[:6])
    total = sum(n for _, n in unit.cells)
    if len(different) > 1:
        return _mixed(survey, name, different, seen, total, unit)
    if bare:
        rows = survey.first_rows(f"regexp_full_match(trim({c}), '[+-]?[0-9.,]+')")
        return Finding(
            "unit_in_some_cells",
            f"'{name}' has the unit {unit.unit} in {total - bare} cells and none in {bare}; it is text as it stands.",
            name, bare, "problem", "units", rows, seen,
            asked=f"Are the cells without a unit in {unit.unit} too? (step strip_units)",
        )  # fmt: skip
    return Finding(
        "unit_in_cells",
        f"'{name}' has the unit {unit.unit} in every cell and is text as it stands.",
        name, total, "warning", "units", seen=_examples(survey, c),
        asked="Take the unit out of the cells and make the column a number? (step strip_units)",
    )  # fmt: skip


def _different(marks: list[str]) -> list[Unit]:
    """The units behind the spellings, each once, in order."""
    units = [found[0] for text in marks if (found := parse_unit(text)) is not None]
    return list(dict.fromkeys(units))


def _mixed(
    survey: Survey, name: str, units: list[Unit], seen: tuple[str, ...], total: int, unit: ColumnUnit
) -> Finding:
    target = units[0]
    shown = ", ".join(str(u) for u in units)
    odd = [text for text, _ in unit.cells if text and (found := parse_unit(text)) and found[0] != target]
    listed = ", ".join(literal(text) for text in odd)
    rows = survey.first_rows(
        f"trim(regexp_extract({survey.sql(name)}, {literal(CELL)}, 3)) IN ({listed})"
        if listed
        else "false"
    )  # fmt: skip
    count = sum(n for text, n in unit.cells if text in odd)
    foreign = [u for u in units[1:] if not compatible(u, target)]
    if foreign:
        kinds = ", ".join(str(u) for u in foreign)
        return Finding(
            "mixed_dimensions",
            f"'{name}' mixes units that measure different things: {shown}. {kinds} cannot be converted to {target}.",
            name, count, "problem", "units", rows, seen,
            asked="Split the column, or correct the cells.",
        )  # fmt: skip
    factors = "; ".join(str(conversion(u, target)) for u in units[1:])
    return Finding(
        "mixed_units",
        f"'{name}' mixes the units {shown} ({total} cells); it is text as it stands. {factors}.",
        name, count, "problem", "units", rows, seen,
        asked=f"Convert all cells to {target}? (step strip_units)",
    )  # fmt: skip


def _examples(survey: Survey, c: str) -> tuple[str, ...]:
    rows = survey.query(f"SELECT {c} FROM data WHERE {c} IS NOT NULL ORDER BY rowid LIMIT 3")  # noqa: S608
    return tuple(str(row[0])[:30] for row in rows)


_NUMERIC = ("integer", "float")


def _unit_columns(survey: Survey) -> list[Finding]:
    """A column that names the unit of the values beside it, row by row."""
    out = []
    for column in survey.columns:
        name = re.sub(r"\W+", "_", column.name.casefold()).strip("_")
        if not (name in _UNIT_HEADERS or name.endswith("_unit")) or not column.levels:
            continue
        units = [parse_unit(level) for level in column.levels]
        if any(unit is None for unit in units) or len({u[0] for u in units if u}) < 2:
            continue
        values = [c.name for c in survey.columns if c.dtype in _NUMERIC and c.kind == "numeric"]
        beside = name.removesuffix("_unit")
        meant = [v for v in values if v.casefold() == beside] or [
            v for v in values if v.casefold() in ("value", "result", "amount", "quantity")
        ]
        if meant:
            out.append(
                Finding(
                    "mixed_units",
                    f"'{meant[0]}' is given in several units, named row by row in '{column.name}': "
                    f"{', '.join(column.levels)}.",
                    meant[0], column.n, "problem", "units", seen=column.levels[:6],
                    asked="Convert all values to one unit, or analyse the units apart.",
                )
            )  # fmt: skip
    return out


def _twins(survey: Survey, units: Mapping[str, ColumnUnit]) -> list[Finding]:
    """One quantity given in two units (`height_cm`, `height_in`): the same information, and whether it agrees."""
    stems: dict[tuple[str, str], list[str]] = {}
    for name, unit in units.items():
        if unit.used and unit.source == "header" and name in survey.numbers and unit.unit.dimension:
            plain = re.sub(r"[(\[].*", "", name)
            words = header_words(plain)
            stem = " ".join(words if plain != name else words[:-1])
            stems.setdefault((stem, unit.unit.dimension), []).append(name)
    out = []
    for (stem, _), names in stems.items():
        first, *others = names
        for other in others:
            a, b = units[first].unit, units[other].unit
            if not stem or a == b or not compatible(a, b):
                continue
            change = conversion(a, b)
            one, two = survey.sql(first), survey.sql(other)
            away = f"abs({one} * {change.factor!r} + {change.offset!r} - {two})"
            gap = f"{away} > {_TWIN_GAP} * greatest(abs({two}), 1e-300)"
            count = int(survey.query(f"SELECT count(*) FROM data WHERE {gap}")[0][0])  # noqa: S608
            told = f"'{first}' and '{other}' are one quantity in {a} and {b} ({change})"
            if not count:
                out.append(Finding("same_quantity", f"{told} and agree within 2 %.", other, stage="units"))
                continue
            out.append(
                Finding(
                    "units_disagree", f"{told}, and differ by more than 2 % in {count} row{'s' if count > 1 else ''}.",
                    other, count, "problem", "units", survey.first_rows(gap), asked="Which of the two is right?",
                )
            )  # fmt: skip
    return out
