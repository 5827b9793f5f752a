"""Sources: a path or a frame becomes a Table. Which reader serves which extension is the table at the end."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from statistikles.errors import DataError, InputError
from statistikles.pipeline.canonicalise.decisions import Decisions
from statistikles.pipeline.canonicalise.rows import tidy_rows
from statistikles.pipeline.canonicalise.settle import settle
from statistikles.pipeline.databases import is_database_url, read_database, read_postgres
from statistikles.pipeline.delimited import read_delimited
from statistikles.pipeline.engine import THREADS, RawTable, interruptible, seal
from statistikles.pipeline.inference import infer_types
from statistikles.pipeline.labelled import read_labelled
from statistikles.pipeline.readers import read_arrow, read_excel, read_frame, read_json, read_parquet
from statistikles.pipeline.spark import SparkTable, is_spark
from statistikles.pipeline.tables import PUSHED_FROM, Table

__all__ = ["load"]

_SIGNATURES = (
    (b"PK\x03\x04", "an Excel workbook or zip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls)"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"%PDF", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x1f\x8b", "a gzip archive"),
)


def load(
    source: Any,
    *,
    name: str | None = None,
    sheet: str | None = None,
    table: str | None = None,
    decisions: Any = None,
) -> Table:
    """Read a file, a table of a database, or a frame into a Table.

    Parameters
    ----------
    source : a path, the URL of a PostgreSQL database, a frame of any library (pandas, Polars, Arrow, DuckDB,
        Spark), or a mapping of column names to sequences. "PATH#TABLE" and "URL#TABLE" name a table, too.
    name : how the table is called; by default the file's name without extension, the database's table, or "data".
    sheet : the sheet of an Excel workbook; by default the first one.
    table : the table of a database; needed when it has several.
    decisions : what the user decided where a finding asks, as "COLUMN:KEY=VALUE" texts or {"COLUMN:KEY": VALUE}.
    """
    decided = Decisions.of(decisions)
    if isinstance(source, Table):
        if decided:
            raise InputError(
                "A loaded table takes no more decisions.", hint="Load its source again.", where="decisions"
            )
        return source
    with interruptible():
        return _loaded(source, name, sheet, table, decided)


def _loaded(source: Any, name: str | None, sheet: str | None, table: str | None, decided: Decisions) -> Table:
    """The reader for what is given, and the table it makes."""
    if isinstance(source, str) and is_database_url(source):
        _need_no("sheet", sheet, "A database")
        raw, found = read_postgres(source, table)
        return _finish(raw, name or found, decided)
    if isinstance(source, (str, Path)):
        path, table = _split_table(source, table)
        if path.suffix.lower() in _DATABASE:
            _check_path(path)
            _need_no("sheet", sheet, f"'{path.name}'")
            raw, found = read_database(path, table)
            return _finish(raw, name or found, decided)
        _need_no("table", table, f"'{path.name}'")
        raw = _read_path(path, sheet, decided)
        name = name or path.name.split(".")[0] or path.name
    elif is_spark(source):
        _need_no("table", table, "A frame")
        return SparkTable(source, name or "data")
    else:
        _need_no("table", table, "A frame")
        raw = read_frame(source)
        name = name or "data"
    return _finish(raw, name, decided)


def _split_table(source: str | Path, table: str | None) -> tuple[Path, str | None]:
    """A path, and the table named after it as in "survey.db#answers"."""
    path = Path(source).expanduser()
    head, mark, tail = str(source).rpartition("#")
    if mark and table is None and tail and Path(head).suffix.lower() in _DATABASE and not _exists(path):
        return Path(head).expanduser(), tail
    return path, table


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _need_no(argument: str, value: str | None, what: str) -> None:
    if value is not None:
        raise DataError(
            f"{what} has no {argument}s.",
            hint=f"Leave out '{argument}'.",
            where=argument,
            code=f"no_such_{argument}",
        )


def _finish(raw: RawTable, name: str, decided: Decisions) -> Table:
    """Type the columns, close the engine's doors, and hand over the table."""
    import duckdb

    try:
        return _typed_table(raw, name, decided)
    except duckdb.InterruptException:
        raise
    except duckdb.Error as fault:
        raise DataError(
            f"The table '{name}' cannot be loaded: {str(fault).splitlines()[0][:200]}",
            where=name,
            code="unreadable",
        ) from fault


def _typed_table(raw: RawTable, name: str, decided: Decisions) -> Table:
    n_rows = int(raw.con.execute("SELECT count(*) FROM raw").fetchall()[0][0])
    if n_rows == 0:
        raise DataError(
            f"The table '{name}' has columns but no rows.",
            hint="Check that the source was saved completely.",
            where=name,
            code="header_only",
        )
    raw.decisions = decided.resolved(raw.headers)
    n_rows = tidy_rows(raw, n_rows)
    missing = infer_types(raw, n_rows)
    # What is asked of a large table does not depend on threads: integer sums, order statistics, rows in order.
    seal(raw.con, threads=THREADS if n_rows >= PUSHED_FROM else 1)
    missing = {**missing, **raw.missing_codes}
    if any(key in ("variants", "disagree", "fill") for _, key, _ in raw.decisions):
        raw.findings += settle(raw, _table(raw, name, n_rows, missing))
    return _table(raw, name, n_rows, missing)


def _table(raw: RawTable, name: str, n_rows: int, missing: dict[str, dict[str, int]]) -> Table:
    table = Table(
        raw.con,
        name,
        raw.headers,
        n_rows,
        raw.declared_levels,
        missing,
        tuple(raw.findings),
        descriptions=raw.descriptions,
    )
    table.note_source(raw.decisions, raw.units, raw.decimals)
    return table


def _read_path(path: Path, sheet: str | None, decided: Decisions) -> RawTable:
    """The right reader for a path, after the checks that need no reader."""
    _check_path(path)
    suffix = path.suffix.lower()
    if suffix == ".gz":
        suffix = Path(path.stem).suffix.lower()
        if suffix not in _TEXT:
            raise DataError(
                f"The compressed file '{path.name}' is not a delimited text file.",
                hint="Unpack it first.",
                where=path.name,
                code="unknown_extension",
            )
    if suffix in _EXCEL:
        return read_excel(path, sheet, decided)
    _need_no("sheet", sheet, f"'{path.name}'")
    reader = _READERS.get(suffix)
    if reader is None:
        raise DataError(
            f"The extension '{path.suffix}' of '{path.name}' is not known."
            if suffix
            else f"The file '{path.name}' has no extension.",
            hint="Known are " + ", ".join(_KNOWN) + ".",
            where=path.name,
            code="unknown_extension",
        )
    if suffix in _TEXT or suffix in _JSON:
        _refuse_binary(path)
    if suffix in _TEXT:
        return read_delimited(path, decided)
    return reader(path)


def _check_path(path: Path) -> None:
    try:
        if path.is_dir():
            inside = sorted(p.name for p in path.iterdir() if p.suffix.lower() in _KNOWN)[:5]
            raise DataError(
                f"'{path}' is a folder, not a file.",
                hint=f"Name one of its files, such as {', '.join(inside)}."
                if inside
                else "Name a data file.",
                where=str(path),
                code="is_directory",
            )
        if not path.exists():
            raise DataError(
                f"There is no file '{path}'.", hint=_similar(path), where=str(path), code="file_not_found"
            )
        if not path.is_file():
            raise DataError(f"'{path}' is not a regular file.", where=str(path), code="not_a_file")
        if path.stat().st_size == 0:
            raise DataError(
                f"The file '{path.name}' is empty.",
                hint="Check that it was saved completely.",
                where=path.name,
                code="empty_file",
            )
    except (OSError, ValueError) as fault:
        raise DataError(
            f"The path '{str(path)[:200]}' cannot be used.",
            hint="Check its spelling and permissions.",
            where=str(path)[:200],
            code="file_not_found",
        ) from fault


def _similar(path: Path) -> str:
    """A phrase naming files with a similar name in the same folder."""
    folder = path.parent
    if not folder.is_dir():
        return f"The folder '{folder}' does not exist either."
    names = [p.name for p in folder.iterdir() if p.is_file()]
    lower = {n.casefold(): n for n in names}
    close = [lower[c] for c in difflib.get_close_matches(path.name.casefold(), list(lower), n=3, cutoff=0.6)]
    close += [n for n in names if Path(n).stem.casefold() == path.stem.casefold() and n not in close]
    if close:
        return "Did you mean " + " or ".join(f"'{folder / n}'" for n in close[:3]) + "?"
    return "Check the spelling of the path."


def _refuse_binary(path: Path) -> None:
    if path.suffix.lower() == ".gz":
        return
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
    for mark, what in _SIGNATURES:
        if head.startswith(mark):
            raise DataError(
                f"The file '{path.name}' is not text but {what}.",
                hint="Give it its proper extension, or export the data as CSV.",
                where=path.name,
                code="binary_file",
            )


_TEXT: dict[str, Callable[[Path], RawTable]] = dict.fromkeys(
    (".csv", ".tsv", ".tab", ".txt", ".dat"), read_delimited
)
_JSON: dict[str, Callable[[Path], RawTable]] = dict.fromkeys((".json", ".jsonl", ".ndjson"), read_json)
_ARROW: dict[str, Callable[[Path], RawTable]] = dict.fromkeys((".arrow", ".feather", ".ipc"), read_arrow)
_PARQUET: dict[str, Callable[[Path], RawTable]] = dict.fromkeys((".parquet", ".pq"), read_parquet)
_LABELLED: dict[str, Callable[[Path], RawTable]] = dict.fromkeys(
    (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"), read_labelled
)
_EXCEL = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods")
_DATABASE = (".db", ".sqlite", ".sqlite3", ".duckdb", ".ddb")
_READERS = {**_TEXT, **_JSON, **_ARROW, **_PARQUET, **_LABELLED}
_KNOWN = sorted({*_READERS, *_EXCEL, *_DATABASE})
