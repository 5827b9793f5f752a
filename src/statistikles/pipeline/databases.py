"""Databases as sources, always read-only: SQLite and DuckDB files, and PostgreSQL by URL.

Only whole tables named by the user are read; their names are quoted, and no SQL comes from anywhere else.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from statistikles.errors import DataError, MissingDependency, did_you_mean
from statistikles.pipeline.cells import add_list
from statistikles.pipeline.engine import RawTable, connect, literal, quoted, unique_headers
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.readers import adopt, from_arrays

__all__ = ["is_database_url", "read_database", "read_postgres", "without_password"]

_SQLITE = b"SQLite format 3\x00"
_FETCH = 50_000
_PLAIN = {int, float, str, bool, type(None)}
_URLS = ("postgresql", "postgres")
_SYSTEM = ("pg_catalog", "information_schema", "pg_toast")


def read_database(path: Path, table: str | None) -> tuple[RawTable, str]:
    """One table of an SQLite or DuckDB file, and its name; which of the two it is shows its first bytes."""
    try:
        with path.open("rb") as stream:
            head = stream.read(16)
    except OSError as fault:
        raise DataError(
            f"The file '{path.name}' cannot be opened.",
            hint="Check that you may read it.",
            where=path.name,
            code="unreadable",
        ) from fault
    if head.startswith(_SQLITE):
        return _read_sqlite(path, table)
    if head[8:12] == b"DUCK":
        return _read_duckdb(path, table)
    raise DataError(
        f"The file '{path.name}' is neither an SQLite nor a DuckDB database.",
        hint="Check that it is complete.",
        where=path.name,
        code="unreadable",
    )


def _chosen(names: Sequence[str], table: str | None, source: str) -> str:
    """The table meant: the named one, or the only one."""
    if not names:
        raise DataError(f"'{source}' has no tables.", where=source, code="empty_file")
    listed = ", ".join(f"'{n}'" for n in names[:20]) + (f" and {len(names) - 20} more" if names[20:] else "")
    if table is None:
        if len(names) == 1:
            return names[0]
        raise DataError(
            f"'{source}' has several tables; say which one is meant.",
            hint=f"Its tables are {listed}. Name one: load(..., table=NAME), or SOURCE#NAME on a command line.",
            where="table",
            code="which_table",
        )
    if table in names:
        return table
    hits = [n for n in names if n.casefold() == table.casefold() or n.rpartition(".")[2] == table]
    if len(hits) == 1:
        return hits[0]
    raise DataError(
        f"'{source}' has no table '{table}'.",
        hint=" ".join(part for part in (did_you_mean(table, names), f"Its tables are {listed}.") if part),
        where="table",
        code="unknown_table",
    )


def _read_sqlite(path: Path, table: str | None) -> tuple[RawTable, str]:
    """A table or view of an SQLite file, opened read-only."""
    try:
        con = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)
        con.text_factory = _lenient
        try:
            con.execute("PRAGMA trusted_schema=OFF")
            found = con.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' "
                "ESCAPE '\\' ORDER BY name"
            ).fetchall()
            name = _chosen([row[0] for row in found], table, path.name)
            query = f"SELECT * FROM {quoted(name)}"  # noqa: S608
            con.text_factory = str  # quicker, where all text is UTF-8
            try:
                return _from_cursor(con.execute(query)), name
            except sqlite3.OperationalError as fault:
                if "decode" not in str(fault):
                    raise
                con.text_factory = _lenient
                return _from_cursor(con.execute(query)), name
        finally:
            con.close()
    except sqlite3.Error as fault:
        raise DataError(
            f"The database '{path.name}' cannot be read: {str(fault)[:200]}.",
            hint="Check that it is complete and not locked by another program.",
            where=path.name,
            code="unreadable",
        ) from fault


def _lenient(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


def _from_cursor(cursor: sqlite3.Cursor) -> RawTable:
    return _from_rows([column[0] for column in cursor.description], cursor)


def _read_duckdb(path: Path, table: str | None) -> tuple[RawTable, str]:
    """A table or view of a DuckDB file, attached read-only."""
    import duckdb

    con = connect()
    try:
        con.execute(f"ATTACH {literal(str(path))} AS source (READ_ONLY)")
        # A view of a foreign file must not read other files.
        con.execute("SET enable_external_access=false")
        found = con.execute(
            "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = 'source' UNION ALL "
            "SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = 'source' AND NOT internal "
            "ORDER BY 1, 2"
        ).fetchall()
        paths = {(t if s == "main" else f"{s}.{t}"): (s, t) for s, t in found}
        name = _chosen(list(paths), table, path.name)
        schema, plain = paths[name]
        raw = adopt(con, f"source.{quoted(schema)}.{quoted(plain)}")
        con.execute("DETACH source")
    except duckdb.Error as fault:
        con.close()
        raise DataError(
            f"The database '{path.name}' cannot be read: {str(fault).splitlines()[0][:200]}",
            hint="Check that it is complete and not open for writing in another program.",
            where=path.name,
            code="unreadable",
        ) from fault
    return raw, name


# PostgreSQL ----------------------------------------------------------------------------------------------


def is_database_url(source: str) -> bool:
    """Whether a source is the URL of a PostgreSQL server."""
    return source.partition("://")[0] in _URLS and "://" in source


def without_password(url: str) -> str:
    """A URL as it may be shown and recorded: without password, and without parameters that could carry one."""
    try:
        parts = urlsplit(url)
        user, at, host = parts.netloc.rpartition("@")
        netloc = f"{user.partition(':')[0]}{at}{host}"
    except ValueError:
        return f"{url.partition('://')[0]}://..."
    return urlunsplit((parts.scheme, netloc, parts.path, "", parts.fragment))


def read_postgres(url: str, table: str | None) -> tuple[RawTable, str]:
    """One table or view of a PostgreSQL database, in one read-only transaction."""
    try:
        import psycopg
        from psycopg import sql
    except ImportError:
        raise MissingDependency("psycopg", extra="postgres") from None
    address, _, fragment = url.partition("#")
    table = table or unquote(fragment) or None
    shown = without_password(address)
    reason = ""
    try:
        with psycopg.connect(address, connect_timeout=15, application_name="statistikles") as con:
            con.read_only = True
            con.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            # One process and no shared scans: the rows come in the same order every time.
            con.execute("SET LOCAL synchronize_seqscans = off")
            con.execute("SET LOCAL max_parallel_workers_per_gather = 0")
            names = _postgres_tables(con)
            name = _chosen(list(names), table, shown)
            target = sql.SQL("SELECT * FROM {}").format(sql.Identifier(*names[name]))
            with con.cursor(name="statistikles") as cursor:
                cursor.itersize = _FETCH
                cursor.execute(target)
                described = cursor.description or []
                types = {i: c.type_code for i, c in enumerate(described)}
                raw = _from_rows([c.name for c in described], cursor)
            _declare_enums(raw, con, types)
            return raw, name
    except psycopg.Error as fault:
        reason = _reason(fault, address)
    # Outside the handler: no chained error can carry the address with its password.
    raise DataError(
        f"The database {shown} cannot be read: {reason}",
        hint="Check the address, the user and that the table may be read.",
        where=shown,
        code="unreadable",
    )


def _reason(fault: Exception, url: str) -> str:
    """The first line of the server's complaint, unless it could repeat the address with its password."""
    if getattr(fault, "sqlstate", None) is None and type(fault).__name__ == "ProgrammingError":
        return "the address is not a valid PostgreSQL URL."
    text = (str(fault).strip().splitlines() or ["no reason given"])[0][:200]
    try:
        secret = urlsplit(url).password or ""
    except ValueError:
        return "no reason can be shown."
    for form in {secret, unquote(secret)} - {""}:
        text = text.replace(form, "***")
    return text


def _postgres_tables(con: Any) -> dict[str, tuple[str, str]]:
    """{name: (schema, table)} of what may be read; tables of the schema `public` go by their plain name."""
    rows = con.execute(
        "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n "
        "ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> ALL(%s) "
        "AND n.nspname NOT LIKE 'pg\\_temp\\_%%' AND pg_catalog.has_table_privilege(c.oid, 'SELECT') "
        "ORDER BY n.nspname = 'public' DESC, 1, 2",
        [list(_SYSTEM)],
    ).fetchall()
    return {(t if s == "public" else f"{s}.{t}"): (s, t) for s, t in rows}


def _declare_enums(raw: RawTable, con: Any, type_codes: dict[int, int]) -> None:
    """Levels of the columns whose type lists its values."""
    rows = con.execute(
        "SELECT enumtypid, enumlabel FROM pg_catalog.pg_enum WHERE enumtypid = ANY(%s) ORDER BY 1, enumsortorder",
        [list(type_codes.values())],
    ).fetchall()
    for i, code in type_codes.items():
        labels = tuple(str(label) for kind, label in rows if kind == code)
        if labels:
            raw.declared_levels[i] = labels
            raw.verbatim.add(i)


# Rows of any driver --------------------------------------------------------------------------------------


def _from_rows(names: Sequence[str], cursor: Any) -> RawTable:
    """What a cursor yields as table `raw`."""
    findings: list[Finding] = []
    if not names:
        raise DataError("The table has no columns.", where="table", code="empty_file")
    headers = unique_headers(list(names), findings)
    columns: list[list[Any]] = [[] for _ in headers]
    while rows := cursor.fetchmany(_FETCH):
        for column, chunk in zip(columns, zip(*rows, strict=True), strict=True):
            column.extend(chunk)
    arrays: dict[str, Any] = {}
    for i, cells in enumerate(columns):
        kinds = set(map(type, cells))
        if kinds & {bytes, memoryview}:
            text = f"'{headers[i]}' holds binary values; kept as hexadecimal text."
            findings.append(Finding("binary_cells", text, headers[i]))
        plain = cells if kinds <= _PLAIN else [_plain(c) for c in cells]
        add_list(arrays, findings, i, headers[i], plain)
        columns[i] = []
    return from_arrays(headers, arrays, {}, findings)


def _plain(cell: Any) -> Any:
    """A driver's value as one of ours."""
    if isinstance(cell, Decimal):
        if not cell.is_finite():
            return None if cell.is_nan() else float(cell)
        return int(cell) if cell == cell.to_integral_value() and abs(cell) < 2**63 else float(cell)
    if isinstance(cell, (bytes, memoryview)):
        return bytes(cell).hex()
    if isinstance(cell, (dt.time, dt.timedelta)) or type(cell).__name__ == "UUID":
        return str(cell)
    return cell
