"""The embedded engine: an in-memory DuckDB per table, sealed off from files and network once loaded.

While loading, a table lives in `raw` with columns c0, c1, ...; afterwards in `data` with the same names. The
headers of the source never become SQL text, so no header can inject anything. The order of the rows is the
order of insertion, which DuckDB preserves; `rowid` is that order as a number.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError
from statistikles.pipeline.canonicalise.codes import notice
from statistikles.pipeline.canonicalise.decisions import Decisions
from statistikles.pipeline.findings import Finding

if TYPE_CHECKING:
    import duckdb

__all__ = ["THREADS", "RawTable", "connect", "interruptible", "literal", "quoted", "seal", "unique_headers"]

THREADS = min(4, os.cpu_count() or 1)
_LEAST = 200_000_000  # what the engine itself needs to read a large file
_SIZES = ("", "K", "M", "G", "T")


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
    decimal: str | None = None  # the decimal mark the file gives evidence of, when the reader has looked
    typed: dict[int, str] = field(default_factory=dict)  # text columns that the reader has typed already
    descriptions: dict[int, str] = field(default_factory=dict)  # what a column is, in the source's words
    missing_codes: dict[str, dict[str, int]] = field(default_factory=dict)  # taken out by the reader already
    verbatim: set[int] = field(default_factory=set)  # text that is a label as it stands, never a missing code


def connect(*, threads: int = 1, expected_bytes: int = 0) -> duckdb.DuckDBPyConnection:
    """A fresh engine in memory; in a temporary file when what is expected would not fit there.

    One thread by default, so that no result depends on scheduling.
    """
    import duckdb

    config: dict[str, Any] = {
        "threads": threads,
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "preserve_insertion_order": "true",
    }
    limit = memory_limit()
    if expected_bytes <= limit // 2:
        con = duckdb.connect(":memory:", config=config)
    else:
        folder = tempfile.mkdtemp(prefix="statistikles-")
        try:
            config |= {"memory_limit": f"{max(limit, _LEAST)}B", "temp_directory": folder}
            con = duckdb.connect(f"{folder}/table.duckdb", config=config)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        # The file goes with its last user: when the table is dropped, after an interruption, or at exit.
        weakref.finalize(con, shutil.rmtree, folder, ignore_errors=True)
    con.execute("SET TimeZone='UTC'")
    con.execute("SET enable_progress_bar_print=false")  # standard output is not the engine's
    return con


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C during a query arrives as the KeyboardInterrupt that it is."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as fault:
        if "Query interrupted" in str(fault):
            raise KeyboardInterrupt from None
        raise


def memory_limit() -> int:
    """Bytes that a table may take: STATISTIKLES_MEMORY_LIMIT (such as "2GB"), else 60 % of what is free."""
    given = os.environ.get("STATISTIKLES_MEMORY_LIMIT", "")
    if given:
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?\s*", given, re.IGNORECASE)
        if match is None:
            raise DataError(
                f"STATISTIKLES_MEMORY_LIMIT is '{given}', which is no size.", hint="Write for example 2GB."
            )
        return max(1, int(float(match.group(1)) * 1000.0 ** _SIZES.index(match.group(2).upper())))
    try:
        return int(0.6 * os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):
        return 4 * 10**9


def seal(con: duckdb.DuckDBPyConnection, *, threads: int = 1) -> None:
    """Close every door: no files, no network, no Python variables, and no way to reopen them."""
    con.execute(f"SET threads={int(threads)}")
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
