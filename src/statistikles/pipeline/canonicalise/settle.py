"""What was decided about a typed table: spellings merged, contradictions settled. Runs once, before it is used."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from statistikles.pipeline.canonicalise.codes import notice, quote
from statistikles.pipeline.canonicalise.decisions import TABLE, contradicted
from statistikles.pipeline.canonicalise.precedence import disagreements, finding_of
from statistikles.pipeline.canonicalise.spellings import merging

if TYPE_CHECKING:
    from statistikles.pipeline.engine import RawTable
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.tables import Table

__all__ = ["settle"]


def settle(raw: RawTable, table: Table) -> list[Finding]:
    """Apply the decisions that need typed columns; what was done, as findings.

    Parameters
    ----------
    raw : the engine's connection and the decisions.
    table : a first view of the typed table, thrown away afterwards.

    Raises
    ------
    DataError : a decision that the data contradict.
    """
    out = []
    for name, key, value in raw.decisions:
        if key == "fill" and value == "down":
            out.append(_fill(raw, table, name))
    for column in table.columns:
        if column.dtype == "text" and raw.decisions.get("variants", column.name) == "merge":
            out += _merge(raw, table, column.name)
    decided = [(column, value) for column, key, value in raw.decisions if key == "disagree"]
    if decided:
        found = {d.column: d for d in disagreements(table)}
        for name, value in decided:
            if name not in found:
                raise contradicted(name, "disagree", value, f"'{name}' contradicts no other column.")
            known = found[name]
            if value == "other" and not known.other:
                raise contradicted(name, "disagree", value, "the other column does not give its value.")
            finding = finding_of(table, known, value)
            c = table.engine_column(name)[0]
            if value != "keep":
                new = "NULL" if value == "missing" else known.other
                raw.con.execute(f"UPDATE data SET {c} = {new} WHERE {known.condition}")  # noqa: S608
            done = {
                "keep": "Left as they are",
                "missing": "Made missing",
                "other": "Replaced by what the other gives",
            }[value]
            out.append(replace(finding, severity="info", done=f"{done}, as decided."))
    return out


def _fill(raw: RawTable, table: Table, name: str) -> Finding:
    """The label above for each blank."""
    c, column = table.engine_column(name)[0], table.column(name)
    if coded := next(filter(None, table.missing_codes.get(name, {})), ""):
        raise contradicted(
            name, "fill", "down", f"{quote(coded)} stands for a missing value among its entries."
        )
    if not column.n_missing or not column.n:
        raise contradicted(name, "fill", "down", "it has no blank below an entry.")
    rows = [r for (r,) in table.query(f"SELECT rowid + 1 FROM data WHERE {c} IS NULL ORDER BY rowid LIMIT 5")]  # noqa: S608
    raw.con.execute(
        f"UPDATE data SET {c} = above.label FROM (SELECT rowid AS place, last_value({c} IGNORE NULLS) OVER "  # noqa: S608
        f"(ORDER BY rowid ROWS UNBOUNDED PRECEDING) AS label FROM data) AS above "
        f"WHERE data.rowid = above.place AND data.{c} IS NULL"
    )
    text = f"'{name}': {column.n_missing} blanks below an entry took it over."
    return notice("filled_down", text, name, column.n_missing, rows=rows, done="Filled, as decided.")


def _merge(raw: RawTable, table: Table, name: str) -> list[Finding]:
    c = table.engine_column(name)[0]
    cells = {
        str(cell): int(count)
        for cell, count in table.query(f"SELECT {c}, count(*) FROM data WHERE {c} IS NOT NULL GROUP BY 1")  # noqa: S608
    }
    merged = merging(cells)
    if not merged:
        if (name, "variants") in {(column, key) for column, key, _ in raw.decisions if column != TABLE}:
            raise contradicted(name, "variants", "merge", "no label has two spellings.")
        return []
    listed = list(merged)
    marks = ", ".join("?" * len(listed))
    found = raw.con.execute(
        f"SELECT count(*) OVER (), rowid + 1 FROM data WHERE {c} IN ({marks}) ORDER BY rowid LIMIT 5",  # noqa: S608
        listed,
    ).fetchall()
    for old, new in merged.items():
        raw.con.execute(f"UPDATE data SET {c} = ? WHERE {c} = ?", [new, old])  # noqa: S608
    old, new = next(iter(merged.items()))
    text = f"'{name}': spellings merged ({len(merged)}), such as {quote(old)} into {quote(new)}."
    rows = [row for _, row in found]
    return [
        notice(
            "variants",
            text,
            name,
            int(found[0][0]),
            severity="info",
            rows=rows,
            seen=listed,
            done="Merged, as decided.",
        )
    ]
