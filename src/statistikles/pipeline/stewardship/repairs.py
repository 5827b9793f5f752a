"""Stage `cleanse` as steps: rows left out, values put in, labels merged, units taken out of cells; nothing unasked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError
from statistikles.pipeline.engine import literal
from statistikles.pipeline.stewardship.steps import Done, added, free_name, name_list, said, step
from statistikles.pipeline.stewardship.survey import Survey, listed

if TYPE_CHECKING:
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.tables import Table

__all__ = [
    "drop_duplicates",
    "drop_missing",
    "drop_rows",
    "flag_outliers",
    "impute",
    "merge_labels",
    "rename",
    "select",
    "set_missing",
]

_METHODS = ("mean", "median", "mode", "constant")


def _columns(table: Table) -> list[tuple[str, str]]:
    return [(name, table.engine_column(name)[0]) for name in table.column_names]


def _kept(table: Table, condition: str, finding: Finding) -> Done:
    """The table with only the rows that fulfil a condition."""
    if int(table.query(f"SELECT count(*) FROM data WHERE {condition}")[0][0]) == 0:  # noqa: S608
        raise InputError("This step would leave no rows.", hint="Relax it.", code="no_rows")
    source = f"(SELECT *, rowid AS r FROM data WHERE {condition})"  # noqa: S608
    new = table.derive(_columns(table), source=source, findings=(*table.findings, finding), order="r")
    return Done(new, (finding,), {})


def _replaced(table: Table, name: str, sql: str, finding: Finding, fitted: Mapping[str, Any]) -> Done:
    columns = [(n, sql if n == name else c) for n, c in _columns(table)]
    return Done(table.derive(columns, findings=(*table.findings, finding)), (finding,), fitted)


@step
def drop_missing(table: Table, columns: list[str] | str | None = None) -> Done:
    """Leave out the rows that have no value in one of the columns (default: in any)."""
    names = [table.resolve(n) for n in name_list(columns, "columns")] if columns else list(table.column_names)
    condition = " AND ".join(f"{table.engine_column(n)[0]} IS NOT NULL" for n in names)
    kept = int(table.query(f"SELECT count(*) FROM data WHERE {condition}")[0][0])  # noqa: S608
    gone = table.n_rows - kept
    message = (
        f"{gone} of {table.n_rows} rows without a value in {listed(names)} were left out; {kept} remain. Unbiased "
        "only if they are missing completely at random."
    )
    return _kept(table, condition, said("rows_dropped", message, "cleanse", "", gone))


@step
def drop_rows(table: Table, where: str) -> Done:
    """Leave out the rows for which a filter is true; rows with a missing value in it stay."""
    gone = {int(r) for r in table.selection(where).tolist()}
    condition = f"rowid NOT IN ({', '.join(map(str, sorted(gone)))})"
    message = f"{len(gone)} of {table.n_rows} rows with {where} were left out."
    return _kept(table, condition, said("rows_dropped", message, "cleanse", "", len(gone)))


@step
def drop_duplicates(table: Table, columns: list[str] | str | None = None) -> Done:
    """Keep the first of the rows that are equal in the columns (default: in all)."""
    names = [table.resolve(n) for n in name_list(columns, "columns")] if columns else list(table.column_names)
    grouped = ", ".join(table.engine_column(n)[0] for n in names)
    first = f"SELECT min(rowid) FROM data GROUP BY {grouped}"  # noqa: S608
    kept = int(table.query(f"SELECT count(*) FROM ({first})")[0][0])  # noqa: S608
    gone = table.n_rows - kept
    message = f"{gone} row{'' if gone == 1 else 's'} equal to an earlier one in {listed(names)} left out; {kept} remain."
    return _kept(table, f"rowid IN ({first})", said("rows_dropped", message, "cleanse", "", gone))


@step
def impute(table: Table, column: str, method: str, value: Any = None) -> Done:
    """Put the mean, median, mode or a constant where values are missing, and say what that does."""
    if method not in _METHODS:
        raise InputError(
            f"Unknown method '{method}' of impute.",
            hint=f"It is one of {', '.join(_METHODS)}.",
            where="method",
        )
    name = table.resolve(column)
    c, dtype = table.engine_column(name)
    missing = table.n_rows - int(table.query(f"SELECT count({c}) FROM data")[0][0])  # noqa: S608
    filled, sql = _filling(table, name, c, dtype, method, value)
    cell = f"coalesce({c}::DOUBLE, {sql})" if dtype in ("integer", "float") else f"coalesce({c}, {sql})"
    if dtype == "integer" and float(filled).is_integer():
        cell = f"coalesce({c}, {int(filled)})"
    message = (
        f"{missing} missing value{'' if missing == 1 else 's'} of '{name}' replaced by the {method} ({filled}). "
        "Spread, correlations and p values become too small."
    )
    finding = said("imputed", message, "cleanse", name, missing)
    return _replaced(table, name, cell, finding, {"method": method, "value": filled})


def _filling(table: Table, name: str, c: str, dtype: str, method: str, value: Any) -> tuple[Any, str]:
    """The value put in, and its SQL."""
    import numpy as np

    if method in ("mean", "median"):
        present = table.numbers(name).compressed()
        if len(present) == 0:
            raise InputError(f"Column '{name}' has no values.", where=name, code="all_missing")
        number = float(np.mean(present)) if method == "mean" else float(np.median(present))
        return number, repr(number)
    if method == "mode":
        rows = table.query(
            f"SELECT {c}, count(*) AS k FROM data WHERE {c} IS NOT NULL GROUP BY {c} ORDER BY k DESC, {c} LIMIT 2"  # noqa: S608
        )
        if not rows:
            raise InputError(f"Column '{name}' has no values.", where=name, code="all_missing")
        if len(rows) > 1 and rows[0][1] == rows[1][1]:
            raise InputError(
                f"'{name}' has several modes, so none can be put in.",
                hint="Choose another method.",
                where=name,
            )
        value = rows[0][0]
    return value, _literal(value, dtype, name)


def _literal(value: Any, dtype: str, name: str) -> str:
    """A constant as SQL of the column's type."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if dtype in ("integer", "float") and number:
        return repr(value)
    if dtype == "boolean" and isinstance(value, bool):
        return str(value).lower()
    if dtype == "text" and isinstance(value, str):
        return literal(value)
    if dtype == "datetime" and (hasattr(value, "isoformat") or isinstance(value, str)):
        return f"TIMESTAMP {literal(str(value))}"
    raise InputError(
        f"'{value}' is no value for '{name}', which holds {dtype} values.", where="value", code="unfit_value"
    )


@step
def set_missing(table: Table, column: str, values: list[Any] | None = None, where: str | None = None) -> Done:
    """Make named values, or the values in the rows of a filter, missing."""
    name = table.resolve(column)
    c, dtype = table.engine_column(name)
    if (values is None) == (where is None):
        raise InputError("Step 'set_missing' needs either 'values' or 'where'.", where="values")
    if values is not None:
        condition = f"{c} IN ({', '.join(_literal(v, dtype, name) for v in values)})"
        what = f"equal to {listed([str(v) for v in values])}"
    else:
        picked = ", ".join(str(int(r)) for r in table.selection(str(where)).tolist())
        condition, what = f"rowid IN ({picked})", f"in rows with {where}"
    count = int(table.query(f"SELECT count(*) FROM data WHERE {c} IS NOT NULL AND {condition}")[0][0])  # noqa: S608
    message = f"{count} value{'' if count == 1 else 's'} of '{name}' {what} set to missing."
    cell = f"CASE WHEN {condition} THEN NULL ELSE {c} END"
    return _replaced(table, name, cell, said("set_missing", message, "cleanse", name, count), {})


@step
def merge_labels(table: Table, column: str, into: Mapping[str, Any] | None = None) -> Done:
    """Give labels one spelling: as `into` says ({old: new}), else the most frequent of those that differ in marks only."""
    from statistikles.pipeline.stewardship.duplicates import spelling_groups

    name = table.resolve(column)
    c, dtype = table.engine_column(name)
    if dtype != "text":
        raise InputError(f"'{name}' holds {dtype} values, not labels.", where=name, code="not_text")
    counted = table.query(f"SELECT {c}, count(*) FROM data WHERE {c} IS NOT NULL GROUP BY {c} ORDER BY {c}")  # noqa: S608
    labels = {str(label): int(n) for label, n in counted}
    if into is None:
        changes = {old: group[0] for group in spelling_groups(labels) for old in group[1:]}
    else:
        changes = {str(old): str(new) for old, new in into.items()}
        unknown = [old for old in changes if old not in labels]
        if unknown:
            raise InputError(f"'{name}' has no label '{unknown[0]}'.", where="into", code="unknown_label")
    count = sum(labels[old] for old in changes)
    cases = " ".join(f"WHEN {literal(old)} THEN {literal(new)}" for old, new in changes.items())
    shown = listed([f"'{old}' to '{new}'" for old, new in changes.items()]) or "none"
    message = f"{count} label{'' if count == 1 else 's'} of '{name}' respelled: {shown}."
    cell = f"CASE {c} {cases} ELSE {c} END" if cases else c
    return _replaced(
        table, name, cell, said("labels_merged", message, "cleanse", name, count), {"into": changes}
    )


@step
def flag_outliers(table: Table, column: str, rule: str = "modified_z", into: str = "") -> Done:
    """A new column that says which values a rule flags: iqr, z or modified_z. None is removed."""
    from statistikles.pipeline.stewardship.outliers import RULES, flag

    if rule not in RULES:
        raise InputError(f"Unknown rule '{rule}'.", hint=f"It is one of {', '.join(RULES)}.", where="rule")
    name = table.resolve(column)
    table.numbers(name)  # refuses a column that holds no numbers
    found = flag(Survey.of(table), [name])
    if not found:
        raise InputError(f"'{name}' has too few values to flag any.", where=name, code="too_few_values")
    header = free_name(table, into or f"{name}_outlier")
    count = found[0].counts[rule]
    message = f"'{header}' is true for {count} value{'' if count == 1 else 's'} of '{name}' flagged by {RULES[rule]}."
    cell = (
        f"CASE WHEN {table.engine_column(name)[0]} IS NULL THEN NULL ELSE ({found[0].conditions[rule]}) END"
    )
    return added(table, header, cell, said("outliers_flagged", message, "cleanse", header, count))


@step
def select(table: Table, columns: list[str] | str) -> Done:
    """Keep only the named columns, in this order."""
    names = list(dict.fromkeys(table.resolve(n) for n in name_list(columns, "columns")))
    message = f"{len(names)} of {len(table.column_names)} columns kept: {listed(names)}."
    finding = said("columns_kept", message, "cleanse", "", len(names))
    new = table.derive([(n, table.engine_column(n)[0]) for n in names], findings=(*table.findings, finding))
    return Done(new, (finding,), {})


@step
def rename(table: Table, column: str, into: str) -> Done:
    """Give a column another name."""
    name = table.resolve(column)
    header = free_name(table, into)
    finding = said("renamed", f"'{name}' is called '{header}' from here on.", "cleanse", header)
    columns = [(header if n == name else n, c) for n, c in _columns(table)]
    units = {header: table.units[name]} if name in table.units else None
    return Done(table.derive(columns, findings=(*table.findings, finding), units=units), (finding,), {})
