"""Precedence between two tables about the same cases: what agrees, what differs, and whose value is kept.

    {"step": "reconcile", "other": "clinic.csv", "key": "id", "prefer": {"weight": "other", "*": "newest:updated"}}

Without a stated precedence a cell that differs stays as it is, and the finding names what settles it. `prefer` is one
rule for all columns or one per column (`*` is every other):

    ask             nothing is decided (the default)
    this, other     the value of this table, or of the other one
    missing         neither: the cell becomes missing
    newest:COLUMN   the value of the row that is later by a date or number in both tables
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError, did_you_mean
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.pairing import Matched, Pair, match
from statistikles.pipeline.stewardship.source_findings import (
    NEWEST,
    Counts,
    Rule,
    cases,
    count,
    keyed,
    told,
    used,
)
from statistikles.pipeline.stewardship.steps import Done, step
from statistikles.pipeline.stewardship.survey import listed

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["RULES", "compare_sources", "reconcile"]

RULES = ("ask", "this", "other", "missing")


def compare_sources(
    table: Table, other: Table, key: Any, *, columns: Any = None, within: float = 0.0
) -> list[Finding]:
    """What agrees and what differs between two tables about the same cases; nothing is changed.

    Parameters
    ----------
    table, other : the tables.
    key : the column or columns that name a case in both, or {name here: name there}.
    columns : what to compare: names, or {name here: name there}; by default the columns of the same name.
    within : how far apart two numbers may be and still agree.

    Raises
    ------
    InputError : a key or column that cannot be meant.
    DataError : the key repeats, is of two kinds, or names no case in common.
    """
    matched = match(table, other, key, columns, within)
    rules = {pair.column: _rule(matched, pair, "ask") for pair in matched.pairs}
    counted = count(matched, rules)
    return told(matched, rules, counted, fill=False, add_rows=False, add_columns=())


@step
def reconcile(
    table: Table,
    other: str,
    key: str | list[str] | Mapping[str, str],
    prefer: str | Mapping[str, str] = "ask",
    columns: str | list[str] | Mapping[str, str] | None = None,
    within: float = 0.0,
    fill: bool = True,
    add_rows: bool = False,
    add_columns: bool = False,
    decisions: Mapping[str, str] | None = None,
    *,
    tables: Mapping[str, Table] | None = None,
) -> Done:
    """Compare with another table about the same cases, and settle what differs by the precedence that is stated."""
    theirs = _other(other, decisions, tables or {})
    matched = match(table, theirs, key, columns, within)
    rules = _rules(matched, prefer)
    counted = count(matched, rules)
    fresh = _fresh(matched) if add_columns else {}
    findings = told(matched, rules, counted, fill=fill, add_rows=add_rows, add_columns=tuple(fresh))
    new = _settled(matched, rules, counted, fill=fill, add_rows=add_rows, fresh=fresh)
    met = cases(matched)
    fitted = {
        "other": {"table": theirs.name, "rows": theirs.n_rows, "fingerprint": theirs.fingerprint},
        "cases": {
            "both": met.both,
            "only_here": met.only_here,
            "only_there": met.only_there,
            "without_key": met.without_key,
        },
        "columns": {
            name: {
                "prefer": rules[name].name,
                "compared": c.compared,
                "agree": c.agree,
                "differ": c.differ,
                "settled": c.settled,
                "filled": c.fillable if fill else 0,
            }
            for name, c in counted.items()
        },
    }
    whole = new.derive(
        [(name, new.engine_column(name)[0]) for name in new.column_names],
        findings=(*table.findings, *findings),
        units={name: theirs.units[old] for name, old in fresh.items() if old in theirs.units},
    )
    return Done(whole, tuple(findings), fitted)


def _other(name: str, decisions: Mapping[str, str] | None, tables: Mapping[str, Table]) -> Table:
    """The other table: one that is loaded already, else a file."""
    from statistikles.pipeline.canonicalise.decisions import Decisions
    from statistikles.pipeline.sources import load

    if name not in tables:
        return load(name, decisions=decisions)
    found = tables[name]
    made = found.decisions.written()
    if any(made.get(where) != value for where, value in Decisions.of(decisions).written().items()):
        raise InputError(
            f"The table '{name}' is loaded already and was decided about otherwise.",
            hint="Leave 'decisions' out, and decide about the table where it is loaded.",
            where="decisions",
        )
    return found


# Precedence --------------------------------------------------------------------------------------------------


def _rules(matched: Matched, prefer: Any) -> dict[str, Rule]:
    """The rule of each pair of columns."""
    given = {"*": prefer} if isinstance(prefer, str) else dict(prefer)
    names = {pair.column for pair in matched.pairs}
    chosen: dict[str, str] = {}
    for name, rule in given.items():
        column = name if name == "*" else matched.table.resolve(str(name), where="prefer")
        if column != "*" and column not in names:
            raise InputError(
                f"'{column}' is not compared, so nothing is preferred there.",
                hint=f"Compared are: {listed(sorted(names), 10) or 'no columns'}.",
                where="prefer",
            )
        if not isinstance(rule, str) or not (rule in RULES or rule.startswith(NEWEST)):
            raise InputError(
                f"'{rule}' is no precedence.",
                hint=did_you_mean(str(rule), RULES) or f"It is one of {', '.join(RULES)} and newest:COLUMN.",
                where="prefer",
                code="unknown_precedence",
            )
        chosen[column] = rule
    usual = chosen.get("*", "ask")
    return {pair.column: _rule(matched, pair, chosen.get(pair.column, usual)) for pair in matched.pairs}


def _rule(matched: Matched, pair: Pair, rule: str) -> Rule:
    here, there = matched.names
    if rule == "this":
        return Rule(rule, pair.mine, "true", f"The value of '{here}' was kept.")
    if rule == "other":
        return Rule(rule, pair.theirs, "true", f"The value of '{there}' was taken.")
    if rule == "missing":
        return Rule(rule, "NULL", "true", "Made missing.")
    if rule == "ask":
        return Rule(rule, pair.mine, "false", "")
    mine, theirs = _times(matched, rule.removeprefix(NEWEST))
    cell = f"CASE WHEN {theirs} > {mine} THEN {pair.theirs} ELSE {pair.mine} END"
    settles = f"coalesce({theirs} <> {mine}, false)"
    return Rule(rule, cell, settles, f"The value that is later by '{rule.removeprefix(NEWEST)}' was kept.")


def _times(matched: Matched, name: str) -> tuple[str, str]:
    """The column that says which row is newer, in both tables."""
    table, other = matched.table, matched.other
    mine = table.resolve(name, where="prefer")
    pair = next((p for p in matched.pairs if p.column == mine), None)
    if pair is None or pair.conversion is not None:
        raise InputError(
            f"'{mine}' cannot say which row is newer: it is not a column that both tables have, of one kind.",
            hint="Name a date, or a number that grows, that both tables have.",
            where="prefer",
        )
    if table.dtype(mine) in ("text", "boolean") or other.dtype(pair.other) in ("text", "boolean"):
        raise InputError(
            f"'{mine}' cannot say which row is newer: it holds no dates or numbers.",
            hint=f"If it holds dates, decide how they are written, for example {mine}:dates=dmy.",
            where="prefer",
        )
    return pair.mine, pair.theirs


# The new table -----------------------------------------------------------------------------------------------


def _fresh(matched: Matched) -> dict[str, str]:
    """{new name: name there} of the columns that only the other table has."""
    taken = set(matched.table.column_names)
    return {n: n for n in matched.other.column_names if n not in used(matched)[1] and n not in taken}


def _settled(
    matched: Matched,
    rules: Mapping[str, Rule],
    counted: Mapping[str, Counts],
    *,
    fill: bool,
    add_rows: bool,
    fresh: Mapping[str, str],
) -> Table:
    """The table with the precedence applied: rows of this one in their order, then those added."""
    keys, pairs = dict(matched.keys), {pair.column: pair for pair in matched.pairs}
    adding = add_rows and cases(matched).only_there > 0
    columns, levels = [], {}
    for name in matched.table.column_names:
        c = matched.table.engine_column(name)[0]
        cell = c
        if name in pairs:
            pair, counts = pairs[name], counted[name]
            if (counts.settled and rules[name].name != "this") or (counts.fillable and fill):
                cell = _cell(pair, rules[name], fill=fill)
            added = pair.theirs
        else:
            added = matched.theirs[keys[name]] if name in keys else "NULL"
        if adding and added != "NULL":
            cell = f"CASE WHEN {matched.here} IS NULL THEN {added} ELSE {cell} END"
        columns.append((name, cell))
        declared = matched.table.column(name)
        if cell != c and declared.level_order == "declared":
            levels[name] = _levels(matched, declared.levels, cell)
    columns += [(name, matched.theirs[old]) for name, old in fresh.items()]
    kept = f"{matched.here} IS NOT NULL" + (f" OR ({keyed(matched)})" if adding else "")
    source = f"(SELECT *, rowid AS r FROM data WHERE {kept})"  # noqa: S608
    return matched.joined.derive(columns, source=source, order="r", levels=levels)


def _cell(pair: Pair, rule: Rule, *, fill: bool) -> str:
    filled = pair.theirs if fill else "NULL"
    chosen = f"CASE WHEN {pair.mine} IS NULL THEN {filled} WHEN {pair.theirs} IS NULL OR {pair.same} THEN {pair.mine} "
    return f"{chosen} ELSE {rule.cell} END"


def _levels(matched: Matched, declared: Sequence[str], cell: str) -> tuple[str, ...]:
    """The declared labels, and behind them in order those that come from the other table."""
    rows = matched.joined.query(f"SELECT DISTINCT CAST({cell} AS VARCHAR) FROM data")  # noqa: S608
    more = sorted(str(v) for (v,) in rows if v is not None and str(v) not in declared)
    return (*declared, *more)
