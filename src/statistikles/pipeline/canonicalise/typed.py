"""Decisions about columns that their source has typed already: frames, workbooks, Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statistikles.pipeline.canonicalise.codes import notice
from statistikles.pipeline.canonicalise.missing import codes_of

if TYPE_CHECKING:
    from statistikles.pipeline.engine import RawTable

__all__ = ["apply_to_typed"]


def apply_to_typed(raw: RawTable) -> None:
    """Let a decided column be read as text, and take decided missing codes out of numbers."""
    types = [str(row[1]) for row in raw.con.execute("DESCRIBE raw").fetchall()]
    for i, (header, kind) in enumerate(zip(raw.headers, types, strict=True)):
        if kind == "VARCHAR":
            continue
        if raw.decisions.about(header, "type", "epoch", "dates"):
            raw.con.execute(f"ALTER TABLE raw ALTER c{i} TYPE VARCHAR")
            continue
        codes = codes_of(raw.decisions, header)
        if not codes.numbers or kind.startswith(("TIMESTAMP", "DATE", "BOOLEAN")):
            continue
        hit = f"c{i} IN {codes.sql_numbers}"
        found = raw.con.execute(
            f"SELECT count(*) OVER (), rowid + 1, c{i} FROM raw WHERE {hit} ORDER BY rowid LIMIT 5"  # noqa: S608
        ).fetchall()
        if found:
            raw.con.execute(f"UPDATE raw SET c{i} = NULL WHERE {hit}")  # noqa: S608
            raw.findings.append(
                notice(
                    "missing_decided",
                    f"'{header}': {found[0][0]} entries became missing.",
                    header,
                    int(found[0][0]),
                    rows=[row for _, row, _ in found],
                    seen=[cell for _, _, cell in found],
                    done="Made missing, as decided.",
                )
            )
