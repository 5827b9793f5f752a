"""The embedded engine: an in-memory DuckDB per table, sealed off from files and network once loaded.

While loading, a table lives in `raw` with columns c0, c1, ...; afterwards in `data` with the same names. The
headers of the source never become SQL text, so no header can inject anything. The order of the rows is the
order of insertion, which DuckDB preserves; `rowid` is that order as a number.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError
from statistikles.pipeline.canonicalise.codes import notice
from statistikles.pipeline.canonicalise.decisions import Decisions
from statistikles.pipeline.findings import Finding

if TYPE_CHECKING:
    import duckdb

__all__ = ["RawTable", "connect", "literal", "quoted", "seal", "unique_headers"]


@dataclass(slots=True)
class RawTable:
    """What a reader hands over: table `raw` in `con`, its headers, and what was seen on the way."""

    con: duckdb.DuckDBPyConnection
    headers: list[str]
    declared_levels: dict[int, tuple[str, ...]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    delimiter: str = ""
    loose: bool = False  # written by hand or by a spreadsheet: rows may hold more than data
    decisions: Decisions = field(default_factory=Decisions)
    units: dict[int, str] = field(default_factory=dict)  # as written beside the numbers of a column
    decimals: dict[int, int] = field(default_factory=dict)  # most digits after the decimal mark, as written


def connect(*, threads: int = 1) -> duckdb.DuckDBPyConnection:
    """A fresh in-memory engine. One thread by default, so that no result depends on scheduling."""
    import duckdb

    con = duckdb.connect(
        ":memory:",
        config={
            "threads": threads,
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "preserve_insertion_order": "true",
        },
    )
    con.execute("SET TimeZone='UTC'")
    return con


def seal(con: duckdb.DuckDBPyConnection) -> None:
    """Close every door: no files, no network, no Python variables, and no way to reopen them."""
    con.execute("SET threads=1")
    con.execute("SET enable_external_access=false")
    con.execute("SET python_enable_replacements=false")
    con.execute("SET lock_configuration=true")


def literal(text: str) -> str:
    """A string as an SQL literal, for the few places where the engine takes no parameters."""
    if "\x00" in text:
        raise DataError("A name contains a NUL character.", hint="Rename it.", code="bad_name")
    return "'" + text.replace("'", "''") + "'"


def quoted(name: str) -> str:
    """A name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def unique_headers(headers: list[Any], findings: list[Finding]) -> list[str]:
    """Headers made non-blank and unique; every change is noted."""
    out: list[str] = []
    taken = {str(h).strip() for h in headers if h is not None}
    seen: set[str] = set()
    for position, raw in enumerate(headers, start=1):
        name = "" if raw is None else " ".join(str(raw).split())
        if name and name != str(raw):
            text = f"Blanks in header '{name}' were tidied."
            findings.append(notice("header_blanks", text, name, seen=[raw], done=f"Called '{name}'."))
        if not name:
            name = _free(f"column{position}", taken | seen)
            text = f"Column {position} has no header; it is called '{name}'."
            findings.append(notice("blank_header", text, name, done=f"Called '{name}'."))
        elif name in seen:
            fresh = _free(f"{name}_2", taken | seen)
            text = f"Header '{name}' occurs again at column {position}; that one is called '{fresh}'."
            findings.append(notice("duplicate_header", text, fresh, seen=[name], done=f"Called '{fresh}'."))
            name = fresh
        seen.add(name)
        out.append(name)
    return out


def _free(wanted: str, taken: set[str]) -> str:
    """`wanted`, or the next numbered name that is not taken."""
    stem, _, tail = wanted.rpartition("_")
    if not (stem and tail.isdigit()):
        stem, tail = wanted, "1"
    number = int(tail)
    name = wanted
    while name in taken:
        number += 1
        name = f"{stem}_{number}"
    return name
