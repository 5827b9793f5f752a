"""Declared constraints as plain data, and the rows that break them.

    {"columns": {"age":   {"min": 0, "max": 120, "not_null": true, "unit": "years"},
                 "sex":   {"one_of": ["female", "male"]},
                 "code":  {"unique": true, "like": "@@-####"}},
     "keys": [["plot", "year"]],
     "rows": ["discharge >= admission"],
     "foreign_keys": [{"columns": ["plot"], "table": "plots.csv", "references": ["id"]}]}

The same may be written as TOML. In `like`, `#` is a digit, `@` a letter, `?` one character, `*` any text, and every
other character stands for itself. `rows` are filters that must hold where all their columns have values.
"""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, InputError, did_you_mean
from statistikles.pipeline.engine import literal
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.survey import listed

if TYPE_CHECKING:
    from statistikles.pipeline.stewardship.survey import Survey
    from statistikles.pipeline.tables import Table

__all__ = ["check_constraints", "like_pattern", "read_constraints"]

_PARTS = ("columns", "keys", "rows", "foreign_keys")


def read_constraints(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Constraints from a TOML or JSON file.

    Raises
    ------
    DataError : the file cannot be read as either.
    """
    source = Path(path)
    try:
        text = source.read_text(encoding="utf-8")
        content: Any = tomllib.loads(text) if source.suffix.lower() == ".toml" else json.loads(text)
    except (OSError, ValueError, RecursionError) as fault:
        raise DataError(
            f"The constraints '{source.name}' cannot be read: {str(fault).splitlines()[0][:120]}.",
            hint="Write them as TOML (.toml) or JSON.",
            where=str(source),
        ) from fault
    if not isinstance(content, dict):
        raise _misshaped("The constraints must be an object.", "constraints")
    for key in content.get("foreign_keys", ()):
        if isinstance(key, dict) and isinstance(key.get("table"), str):
            key["table"] = str(source.parent / key["table"])
    return content


def check_constraints(survey: Survey, constraints: Mapping[str, Any]) -> list[Finding]:
    """One finding per constraint that is broken, and one that says how many were checked.

    Raises
    ------
    InputError : a constraint that does not exist, or of the wrong form.
    DataError : a column or table that does not exist.
    """
    _known(constraints, _PARTS, "constraints")
    checks = [*_column_checks(survey, constraints), *_table_checks(survey, constraints)]
    broken = [finding for finding in checks if finding is not None]
    if not checks:
        return []
    message = (
        f"{len(checks)} declared constraint{'s' if len(checks) > 1 else ''} checked, {len(broken)} broken."
    )
    return [Finding("constraints", message, "", len(checks), stage="validate"), *broken]


def _misshaped(message: str, where: str) -> InputError:
    return InputError(message, hint="See docs/units.md for the form of constraints.", where=where)


def _known(given: Any, names: Sequence[str], where: str) -> None:
    if not isinstance(given, Mapping):
        raise _misshaped(f"'{where}' must be an object.", where)
    for name in given:
        if name not in names:
            raise InputError(
                f"'{name}' in '{where}' is not known.",
                hint=did_you_mean(str(name), names) or f"Known are {', '.join(names)}.",
                where=where,
                code="unknown_constraint",
            )


# Columns ---------------------------------------------------------------------------------------------------


def _column_checks(survey: Survey, constraints: Mapping[str, Any]) -> list[Finding | None]:
    out: list[Finding | None] = []
    columns = constraints.get("columns", {})
    _known(columns, tuple(columns), "columns")
    for given, rules in columns.items():
        name = survey.table.resolve(given)
        _known(rules, (*_RULES, "unit"), given)
        for rule, wanted in rules.items():
            if rule != "unit":
                out.append(_RULES[rule](survey, name, rule, wanted))
    return out


def _violated(
    survey: Survey, name: str, code: str, condition: str, message: str, *, problem: bool = True
) -> Finding | None:
    """The finding for the rows of a column that fulfil an SQL condition; None when there are none."""
    c = survey.sql(name)
    count = int(survey.query(f"SELECT count(*) FROM data WHERE {condition}")[0][0])  # noqa: S608
    if not count:
        return None
    seen = survey.query(f"SELECT DISTINCT {c}::VARCHAR FROM data WHERE {condition} ORDER BY 1 LIMIT 5")  # noqa: S608
    return Finding(
        code,
        f"{message}: {count} row{'s' if count > 1 else ''}.",
        name,
        count,
        "problem" if problem else "warning",
        "validate",
        survey.first_rows(condition),
        tuple(str(row[0])[:30] for row in seen if row[0] is not None),
        asked="Correct or exclude them.",
    )


def _value(survey: Survey, name: str, rule: str, wanted: Any) -> str:
    """A bound as SQL, checked against the type of the column."""
    dtype = survey.column(name).dtype
    if isinstance(wanted, int | float) and not isinstance(wanted, bool) and dtype in ("integer", "float"):
        if math.isfinite(wanted):
            return f"{wanted!r}"
    elif dtype == "datetime" and (isinstance(wanted, str) or hasattr(wanted, "isoformat")):
        text = wanted if isinstance(wanted, str) else wanted.isoformat()
        if re.fullmatch(r"\d{4}-\d{2}-\d{2}(?:[ T][\d:.]+)?", text):
            return f"TIMESTAMP {literal(text.replace('T', ' '))}"
    raise InputError(
        f"'{rule}: {wanted}' does not fit '{name}', which holds {dtype} values.",
        hint="Numbers bound numbers; dates are bound by ISO dates such as 2024-01-31.",
        where=name,
        code="unfit_constraint",
    )


_BOUNDS = {
    "min": ("<", "below_minimum", "is below the declared minimum"),
    "max": (">", "above_maximum", "is above the declared maximum"),
    "above": ("<=", "not_above", "is not above the declared bound"),
    "below": (">=", "not_below", "is not below the declared bound"),
}


def _bound(survey: Survey, name: str, rule: str, wanted: Any) -> Finding | None:
    if survey.column(name).n == 0:
        return None
    sign, code, words = _BOUNDS[rule]
    condition = f"{survey.sql(name)} {sign} {_value(survey, name, rule, wanted)}"
    return _violated(survey, name, code, condition, f"'{name}' {words} {wanted}")


def _one_of(survey: Survey, name: str, rule: str, wanted: Any) -> Finding | None:
    if not isinstance(wanted, Sequence) or isinstance(wanted, str) or not wanted:
        raise _misshaped(f"'{rule}' of '{name}' must be a list of values.", name)
    c = survey.sql(name)
    labels = ", ".join(literal(str(int(v) if isinstance(v, float) and v.is_integer() else v)) for v in wanted)
    text = (
        f"regexp_replace({c}::VARCHAR, '\\.0$', '')"
        if survey.column(name).dtype == "float"
        else f"{c}::VARCHAR"
    )
    condition = f"{c} IS NOT NULL AND {text} NOT IN ({labels})"
    return _violated(
        survey, name, "not_in_set", condition, f"'{name}' is none of {listed([str(v) for v in wanted])}"
    )


def _flag(wanted: Any, name: str, rule: str) -> bool:
    if not isinstance(wanted, bool):
        raise _misshaped(f"'{rule}' of '{name}' must be true or false.", name)
    return wanted


def _not_null(survey: Survey, name: str, rule: str, wanted: Any) -> Finding | None:
    if not _flag(wanted, name, rule):
        return None
    return _violated(survey, name, "missing_value", f"{survey.sql(name)} IS NULL", f"'{name}' is missing")


def _unique(survey: Survey, name: str, rule: str, wanted: Any) -> Finding | None:
    if not _flag(wanted, name, rule):
        return None
    c = survey.sql(name)
    again = f"{c} IN (SELECT {c} FROM data WHERE {c} IS NOT NULL GROUP BY {c} HAVING count(*) > 1)"  # noqa: S608
    return _violated(survey, name, "not_unique", again, f"'{name}' is declared unique and repeats")


def like_pattern(pattern: str) -> str:
    """The engine's regular expression for a `like` pattern."""
    parts = {"#": "[0-9]", "@": r"\pL", "?": ".", "*": ".*"}
    return "".join(parts.get(mark) or re.escape(mark) for mark in pattern)


def _like(survey: Survey, name: str, rule: str, wanted: Any) -> Finding | None:
    if not isinstance(wanted, str):
        raise _misshaped(f"'{rule}' of '{name}' must be a pattern such as '@@-####'.", name)
    c = survey.sql(name)
    condition = (
        f"{c} IS NOT NULL AND NOT regexp_full_match({c}::VARCHAR, {literal(like_pattern(wanted))}, 's')"
    )
    return _violated(survey, name, "unlike_pattern", condition, f"'{name}' is not of the form '{wanted}'")


_RULES: dict[str, Callable[[Survey, str, str, Any], Finding | None]] = {
    "min": _bound,
    "max": _bound,
    "above": _bound,
    "below": _bound,
    "one_of": _one_of,
    "not_null": _not_null,
    "unique": _unique,
    "like": _like,
}


# Tables ----------------------------------------------------------------------------------------------------


def _table_checks(survey: Survey, constraints: Mapping[str, Any]) -> list[Finding | None]:
    out: list[Finding | None] = [_key(survey, key) for key in constraints.get("keys", ())]
    out += [_row_rule(survey, rule) for rule in constraints.get("rows", ())]
    return out + [_foreign(survey, key) for key in constraints.get("foreign_keys", ())]


def _names(survey_table: Table, key: Any, where: str) -> list[str]:
    names = [key] if isinstance(key, str) else key
    if not isinstance(names, Sequence) or not names or not all(isinstance(n, str) for n in names):
        raise _misshaped(f"'{where}' must list the names of columns.", where)
    return [survey_table.resolve(name) for name in names]


def _key(survey: Survey, key: Any) -> Finding | None:
    names = _names(survey.table, key, "keys")
    columns = ", ".join(survey.sql(name) for name in names)
    again = f"({columns}) IN (SELECT ({columns}) FROM data GROUP BY {columns} HAVING count(*) > 1)"  # noqa: S608
    empty = " OR ".join(f"{survey.sql(name)} IS NULL" for name in names)
    shown = " + ".join(names)
    return _violated(
        survey,
        names[0],
        "key_broken",
        f"{empty} OR {again}",
        f"'{shown}' is declared a key and is missing or repeats",
    )


def _row_rule(survey: Survey, rule: Any) -> Finding | None:
    if not isinstance(rule, str):
        raise _misshaped("'rows' must list filters such as 'end >= start'.", "rows")
    count, rows = survey.table.rows_against(rule)
    if not count:
        return None
    message = f"The declared rule '{rule}' does not hold in {count} row{'s' if count > 1 else ''}."
    return Finding(
        "rule_broken", message, "", count, "problem", "validate", rows, asked="Correct or exclude them."
    )


def _foreign(survey: Survey, key: Any) -> Finding | None:
    """Values that do not occur in the table (or list) they refer to."""
    _known(key, ("columns", "table", "references", "values"), "foreign_keys")
    names = _names(survey.table, key.get("columns"), "foreign_keys")
    if "values" in key:
        allowed = {(str(v),) if not isinstance(v, list) else tuple(map(str, v)) for v in key["values"]}
        where = "the declared values"
    else:
        from statistikles.pipeline.sources import load

        other = load(key.get("table"))
        referred = _names(other, key.get("references", names), "references")
        labels = [other.labels(name) for name in referred]
        allowed = {tuple(map(str, row)) for row in zip(*(v.tolist() for v in labels), strict=True)}
        where = f"table '{other.name}'"
    columns = [survey.table.labels(name).tolist() for name in names]
    lost = [
        place + 1
        for place, row in enumerate(zip(*columns, strict=True))
        if None not in row and tuple(map(str, row)) not in allowed
    ]
    if not lost:
        return None
    seen = tuple(dict.fromkeys(" + ".join(str(c[place - 1]) for c in columns) for place in lost[:50]))[:5]
    return Finding(
        "foreign_key_broken",
        f"'{' + '.join(names)}' has {len(lost)} value{'s' if len(lost) > 1 else ''} that do not occur in {where}.",
        names[0], len(lost), "problem", "validate", tuple(lost[:10]), seen, asked="Correct or exclude them.",
    )  # fmt: skip
