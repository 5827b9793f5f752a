"""The steps a recipe may name: each takes a table and its arguments and returns a new table and what was done.

A step is a function registered under its name. Its keyword arguments are the step's fields, read from plain data and
checked by their annotations' names here, so that a recipe of JSON or TOML cannot ask for anything else.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError, did_you_mean
from statistikles.pipeline.findings import Finding, Stage

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["STEPS", "Done", "added", "free_name", "name_list", "said", "step"]


@dataclass(frozen=True, slots=True)
class Done:
    """What a step returns: the new table, what is said about it, and the numbers that were estimated for it."""

    table: Table
    findings: tuple[Finding, ...]
    fitted: Mapping[str, Any]


_Step = Callable[..., Done]
STEPS: dict[str, _Step] = {}


def step(function: _Step) -> _Step:
    """Register a step under its function's name."""
    STEPS[function.__name__] = function
    return function


def run_step(
    table: Table, name: Any, arguments: Mapping[str, Any], tables: Mapping[str, Table] | None = None
) -> Done:
    """Run one step by name; `tables` are those that a step may name beside its own.

    Raises
    ------
    InputError : an unknown step or field, a missing field, or a value of the wrong kind.
    """
    if not isinstance(name, str) or name not in STEPS:
        raise InputError(
            f"Unknown step '{name}'.",
            hint=did_you_mean(str(name), STEPS) or f"The steps are {', '.join(sorted(STEPS))}.",
            where="step",
            code="unknown_step",
        )
    function = STEPS[name]
    known = inspect.signature(function).parameters
    fields = {k: p for k, p in known.items() if k not in ("table", "tables")}
    for given in arguments:
        if given not in fields:
            raise InputError(
                f"Step '{name}' has no field '{given}'.",
                hint=did_you_mean(given, fields) or f"Its fields are {', '.join(fields)}.",
                where=given,
                code="unknown_argument",
            )
    for field, parameter in fields.items():
        if parameter.default is parameter.empty and field not in arguments:
            raise InputError(
                f"Step '{name}' needs the field '{field}'.", where=field, code="missing_argument"
            )
        if field in arguments:
            _check(name, field, arguments[field], str(parameter.annotation))
    if "tables" in known:
        return function(table, **arguments, tables=tables)
    return function(table, **arguments)


_KINDS: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "float": (int, float),
    "int": (int,),
    "bool": (bool,),
    "Mapping": (Mapping,),
    "list": (list, tuple),
    "None": (type(None),),
}


def _check(name: str, field: str, value: Any, annotation: str) -> None:
    """Whether a value is of one of the kinds that an annotation such as `float | None` names."""
    names = [part.split("[")[0].strip() for part in annotation.split("|")]
    if "Any" in names:
        return
    allowed = tuple(kind for part in names for kind in _KINDS.get(part, ()))
    wrong = not isinstance(value, allowed) or (isinstance(value, bool) and "bool" not in names)
    if wrong or (isinstance(value, float) and not math.isfinite(value)):
        raise InputError(
            f"The field '{field}' of step '{name}' must be {' or '.join(n for n in names if n != 'None')}.",
            where=field,
        )


def said(
    code: str, message: str, stage: Stage, column: str = "", count: int = 0, done: str = "", **more: Any
) -> Finding:
    """The finding of a step: what was done, with its count."""
    return Finding(code, message, column, count, "info", stage, done=done or message, **more)


def free_name(table: Table, wanted: str) -> str:
    """A name for a new column; a blank one and one that is taken are refused."""
    if not wanted.strip():
        raise InputError("A column needs a name.", where="into")
    if wanted in table.column_names:
        raise InputError(
            f"There is a column '{wanted}' already.",
            hint="Give the new column another name with 'into'.",
            where="into",
            code="name_taken",
        )
    return wanted


def added(
    table: Table,
    header: str,
    sql: str,
    finding: Finding,
    fitted: Mapping[str, Any] | None = None,
    *,
    source: str = "data",
    extra: Mapping[str, Any] | None = None,
    order: str = "rowid",
) -> Done:
    """The table with one more column."""
    columns = [(name, table.engine_column(name)[0]) for name in table.column_names]
    new = table.derive(
        [*columns, (header, sql)],
        source=source,
        extra=extra,
        findings=(*table.findings, finding),
        order=order,
    )
    return Done(new, (finding,), fitted or {})


def name_list(values: Any, where: str) -> list[str]:
    """A list of column names."""
    names = [values] if isinstance(values, str) else values
    if not isinstance(names, list | tuple) or not names or not all(isinstance(n, str) for n in names):
        raise InputError(f"'{where}' must list the names of columns.", where=where)
    return list(names)
