"""Readers of typed sources: Excel workbooks, JSON, Parquet, Arrow files, and frames of any library."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, InputError, MissingDependency
from statistikles.pipeline.canonicalise.codes import notice
from statistikles.pipeline.canonicalise.decisions import Decisions
from statistikles.pipeline.canonicalise.merged import fill_merged
from statistikles.pipeline.cells import add_list
from statistikles.pipeline.delimited import detect_encoding
from statistikles.pipeline.engine import RawTable, connect, literal, quoted, unique_headers
from statistikles.pipeline.findings import Finding

if TYPE_CHECKING:
    import duckdb
    import numpy as np

__all__ = [
    "adopt",
    "from_arrays",
    "read_arrow",
    "read_excel",
    "read_frame",
    "read_json",
    "read_parquet",
]


def read_excel(path: Path, sheet: str | None = None, decisions: Decisions | None = None) -> RawTable:
    """One sheet of a workbook; its first non-empty row is the header."""
    decisions = decisions or Decisions()
    from python_calamine import CalamineError, CalamineWorkbook, WorksheetNotFound

    try:
        book = CalamineWorkbook.from_path(str(path))
        names = list(book.sheet_names)
        chosen = sheet if sheet is not None else _first_filled(book, names)
        page = book.get_sheet_by_name(chosen)
        rows = page.to_python(skip_empty_area=True)
    except WorksheetNotFound:
        raise DataError(
            f"'{path.name}' has no sheet '{sheet}'.",
            hint="Its sheets are " + ", ".join(f"'{n}'" for n in names) + ".",
            where="sheet",
            code="no_such_sheet",
        ) from None
    except (CalamineError, OSError, ValueError) as fault:
        raise DataError(
            f"The file '{path.name}' cannot be read as a workbook.",
            hint="Open it in a spreadsheet program and save it again.",
            where=path.name,
            code="unreadable",
        ) from fault
    findings: list[Finding] = []
    if merged := page.merged_cell_ranges:
        fill_merged(rows, merged, page.start or (0, 0), findings, leave=decisions.get("merged") == "leave")
    first = next((i for i, row in enumerate(rows) if any(cell not in ("", None) for cell in row)), 0)
    rows = rows[first:]
    while rows and not any(cell not in ("", None) for cell in rows[-1]):
        rows.pop()
    if len(rows) < 2:
        code = "header_only" if rows else "empty_file"
        what = "a header but no rows of data" if rows else "no cells"
        raise DataError(f"Sheet '{chosen}' of '{path.name}' has {what}.", where=path.name, code=code)
    if len(names) > 1 and sheet is None:
        others = ", ".join(f"'{n}'" for n in names if n != chosen)
        text = f"Sheet '{chosen}' was read; the workbook also has {others}."
        findings.append(notice("sheet", text, done=f"Sheet '{chosen}' was read."))
    title = 0
    while title < len(rows) - 2 and len(rows[0]) > 1 and sum(c not in ("", None) for c in rows[title]) <= 1:
        title += 1
    if title:
        seen = [cell for row in rows[:title] for cell in row if cell not in ("", None)]
        lines = sum(any(cell not in ("", None) for cell in row) for row in rows[:title])
        text = f"{lines} title line{'s' if lines != 1 else ''} above the header."
        findings.append(notice("title_lines", text, "", lines, seen=seen, done="Skipped."))
    headers = unique_headers([_header_text(c) for c in rows[title]], findings)
    columns = [[row[i] if i < len(row) else None for row in rows[title + 1 :]] for i in range(len(headers))]
    raw = _from_cells(headers, columns, findings)
    raw.loose = True
    return raw


def _first_filled(book: Any, names: list[str]) -> str:
    """The first sheet with any cells."""
    for name in names:
        if book.get_sheet_by_name(name).height > 0:
            return name
    return names[0]


def _header_text(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)


def read_json(path: Path) -> RawTable:
    """JSON lines, an array of records, or an object of columns."""
    data = path.read_bytes()
    encoding = detect_encoding(data, whole=True, name=path.name)
    text = data.decode(encoding, errors="replace").removeprefix("\ufeff").strip()
    if not text:
        raise DataError(f"The file '{path.name}' is empty.", where=path.name, code="empty_file")
    try:
        content = json.loads(text)
    except json.JSONDecodeError as whole_fault:
        content = _json_lines(text, path, whole_fault)
    except RecursionError:
        raise DataError(f"'{path.name}' is nested too deeply.", where=path.name, code="unreadable") from None
    if isinstance(content, dict) and content and all(isinstance(v, list) for v in content.values()):
        return _from_mapping(content)
    records = [content] if isinstance(content, dict) else content
    if not isinstance(records, list) or not records or not all(isinstance(r, dict) for r in records):
        raise DataError(
            f"'{path.name}' does not hold a list of records.",
            hint='Expected are lines or a list of objects such as {"height": 180, "sex": "male"}.',
            where=path.name,
            code="unreadable",
        )
    keys: dict[str, None] = {}
    for record in records:
        keys.update(dict.fromkeys(record))
    if not keys:
        raise DataError(f"The records of '{path.name}' have no fields.", where=path.name, code="empty_file")
    findings: list[Finding] = []
    names = list(keys)
    headers = unique_headers(list(names), findings)
    return _from_cells(headers, [[record.get(k) for record in records] for k in names], findings)


def _json_lines(text: str, path: Path, whole_fault: json.JSONDecodeError) -> list[Any]:
    out = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            out.append(json.loads(line))
        except (json.JSONDecodeError, RecursionError):
            at = number if out else whole_fault.lineno
            raise DataError(
                f"Line {at} of '{path.name}' is not valid JSON.",
                hint="Each line must be one complete object, or the whole file one list of objects.",
                where=f"line {at}",
                code="unreadable",
            ) from None
    return out


def read_parquet(path: Path) -> RawTable:
    """A Parquet file, read by the engine."""
    import duckdb

    con = connect()
    pattern = re.sub(r"([*?\[])", r"[\1]", str(path))
    try:
        return adopt(con, f"read_parquet({literal(pattern)})")
    except duckdb.Error as fault:
        raise DataError(
            f"The file '{path.name}' cannot be read as Parquet.",
            hint="Check that it is complete and really a Parquet file.",
            where=path.name,
            code="unreadable",
        ) from fault


def adopt(con: duckdb.DuckDBPyConnection, relation: str) -> RawTable:
    """A typed relation that the engine can read (given as SQL made here) as table `raw`."""
    described = con.execute(f"DESCRIBE SELECT * FROM {relation}").fetchall()  # noqa: S608
    findings: list[Finding] = []
    headers = unique_headers([row[0] for row in described], findings)
    picked = ", ".join(_plain(quoted(row[0]), str(row[1])) + f" AS c{i}" for i, row in enumerate(described))
    con.execute(f"CREATE TABLE raw AS SELECT {picked} FROM {relation}")  # noqa: S608
    raw = RawTable(con, headers, findings=findings)
    for i, row in enumerate(described):
        kind = str(row[1])
        if kind.startswith("ENUM("):
            levels = con.execute(f"SELECT unnest(enum_range(NULL::{kind}))::VARCHAR").fetchall()
            raw.declared_levels[i] = tuple(level[0] for level in levels)
        elif kind.startswith(("STRUCT", "MAP", "UNION")) or kind.endswith("]"):
            findings.append(
                notice("nested", f"'{headers[i]}' holds nested values; kept as text.", headers[i])
            )
    return raw


def _plain(name: str, kind: str) -> str:
    return f"CAST({name} AS VARCHAR)" if kind.startswith("ENUM(") else name


def read_arrow(path: Path) -> RawTable:
    """An Arrow or Feather file, through pyarrow."""
    try:
        import pyarrow as pa
        import pyarrow.feather as feather
    except ImportError:
        raise MissingDependency("pyarrow", extra="arrow") from None
    try:
        return read_frame(feather.read_table(path, memory_map=False))
    except (pa.ArrowException, OSError):
        pass
    try:
        with pa.ipc.open_stream(path.read_bytes()) as stream:
            return read_frame(stream.read_all())
    except (pa.ArrowException, OSError) as fault:
        raise DataError(
            f"The file '{path.name}' cannot be read as an Arrow file.",
            hint="Check that it is complete.",
            where=path.name,
            code="unreadable",
        ) from fault


def read_frame(frame: Any) -> RawTable:
    """Any pandas, Polars, Arrow or DuckDB frame, or a mapping of column names to sequences."""
    if isinstance(frame, Mapping):
        return _from_mapping(frame)
    import narwhals.stable.v1 as nw

    if type(frame).__module__.split(".")[0] in ("duckdb", "_duckdb") and hasattr(frame, "fetchnumpy"):
        return _from_relation(frame)
    try:
        wrapped: Any = nw.from_native(frame)
        if isinstance(wrapped, nw.LazyFrame):
            wrapped = wrapped.collect()
        names = list(wrapped.columns)
    except TypeError:
        raise InputError(
            f"A {type(frame).__name__} is not a table.",
            hint="Give a path, a pandas, Polars, Arrow or DuckDB frame, or {name: list of values}.",
            where="data",
        ) from None
    except Exception as fault:
        if type(fault).__module__.startswith("narwhals"):
            raise DataError(
                "The frame cannot be used: " + str(fault).splitlines()[0][:200],
                hint="Make its column names unique.",
                where="data",
                code="bad_frame",
            ) from fault
        raise
    if not names:
        raise DataError("The frame has no columns.", where="data", code="empty_file")
    findings: list[Finding] = []
    index = getattr(frame, "index", None)
    if any(n is not None for n in getattr(index, "names", ()) or ()):
        findings.append(
            notice(
                "index_left_out",
                "The frame's index was left out; use reset_index() to keep it as a column.",
                done="Left out.",
            )
        )
    headers = unique_headers(names, findings)
    arrays: dict[str, Any] = {}
    levels: dict[int, tuple[str, ...]] = {}
    for i, column in enumerate(names):
        _add_series(arrays, levels, findings, i, headers[i], wrapped.get_column(column), nw)
    return from_arrays(headers, arrays, levels, findings)


def _add_series(
    arrays: dict[str, Any],
    levels: dict[int, tuple[str, ...]],
    findings: list[Finding],
    i: int,
    header: str,
    s: Any,
    nw: Any,
) -> None:
    """One series of a frame as a value array and a mask array."""
    import numpy as np

    kind = s.dtype
    if kind in (nw.Categorical, nw.Enum):
        levels[i] = tuple(str(c) for c in s.cat.get_categories().to_list())
        add_list(arrays, findings, i, header, [None if v is None else str(v) for v in s.to_list()])
        return
    mask = np.asarray(s.is_null().to_numpy(), dtype=bool)
    if kind.is_integer() and kind != nw.UInt64:
        filled = s.fill_null(0) if mask.any() else s
        arrays[f"v{i}"], arrays[f"m{i}"] = np.asarray(filled.to_numpy(), dtype=np.int64), mask
    elif kind.is_float():
        values = np.asarray(s.to_numpy(), dtype=np.float64)
        arrays[f"v{i}"], arrays[f"m{i}"] = values, mask | np.isnan(values)
    elif kind == nw.Boolean:
        filled = s.fill_null(False) if mask.any() else s
        arrays[f"v{i}"], arrays[f"m{i}"] = np.asarray(filled.to_numpy(), dtype=bool), mask
    else:
        cells = [None if gone else v for v, gone in zip(s.to_list(), mask.tolist(), strict=True)]
        add_list(arrays, findings, i, header, cells)


def _from_relation(relation: Any) -> RawTable:
    """A DuckDB relation: its columns as arrays, without pyarrow."""
    findings: list[Finding] = []
    names = list(relation.columns)
    headers = unique_headers(names, findings)
    types = [str(t) for t in relation.types]
    fetched = relation.fetchnumpy()
    arrays: dict[str, Any] = {}
    for i, (name, kind) in enumerate(zip(names, types, strict=True)):
        _add_fetched(arrays, findings, i, headers[i], fetched[name], kind)
    return from_arrays(headers, arrays, {}, findings)


def _add_fetched(
    arrays: dict[str, Any], findings: list[Finding], i: int, header: str, values: Any, kind: str
) -> None:
    import numpy as np

    if hasattr(values, "categories"):  # an ENUM arrives as a pandas Categorical
        values = np.asarray(values.astype(object))
    mask = np.ma.getmaskarray(values)
    data = np.ma.getdata(values)
    if data.dtype.kind in "iub" or data.dtype.kind == "f":
        if data.dtype.kind == "f":
            mask = mask | np.isnan(data)
        arrays[f"v{i}"], arrays[f"m{i}"] = data, mask
        return
    cells = [None if gone else v for v, gone in zip(values.tolist(), mask.tolist(), strict=True)]
    if kind.startswith("DECIMAL"):
        cells = [None if v is None else float(v) for v in cells]
    add_list(arrays, findings, i, header, cells)


def _from_mapping(columns: Mapping[Any, Any]) -> RawTable:
    """A mapping of column names to equally long sequences."""
    findings: list[Finding] = []
    if not columns:
        raise DataError("The table has no columns.", where="data", code="empty_file")
    lists: dict[Any, list[Any]] = {}
    for name, values in columns.items():
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise InputError(
                f"Column '{name}' is not a sequence of values.", hint="Give a list.", where=str(name)
            )
        lists[name] = values.tolist() if hasattr(values, "tolist") else list(values)
    lengths = {len(v) for v in lists.values()}
    if len(lengths) > 1:
        told = ", ".join(f"'{n}' {len(v)}" for n, v in list(lists.items())[:5])
        raise DataError(f"The columns differ in length: {told}.", where="data", code="ragged_rows")
    headers = unique_headers(list(lists), findings)
    return _from_cells(headers, list(lists.values()), findings)


def _from_cells(headers: list[str], columns: Sequence[Sequence[Any]], findings: list[Finding]) -> RawTable:
    """Columns of Python values of any kind."""
    arrays: dict[str, Any] = {}
    for i, cells in enumerate(columns):
        add_list(arrays, findings, i, headers[i], cells)
    return from_arrays(headers, arrays, {}, findings)


def from_arrays(
    headers: list[str], arrays: dict[str, Any], levels: dict[int, tuple[str, ...]], findings: list[Finding]
) -> RawTable:
    """Value and mask arrays v0, m0, v1, m1, ... as table `raw`."""
    if len(arrays["v0"]) == 0:
        raise DataError(
            "The table has columns but no rows.", hint="Check the source.", where="data", code="header_only"
        )
    con = connect()
    for i in range(len(headers)):
        values = arrays[f"v{i}"]
        if values.dtype == object:
            text = ["" if v is None else v for v in values]
            arrays[f"v{i}"] = _string_array(text)
    con.register("source", arrays)
    picked = ", ".join(f"CASE WHEN m{i} THEN NULL ELSE v{i} END AS c{i}" for i in range(len(headers)))
    con.execute(f"CREATE TABLE raw AS SELECT {picked} FROM source")  # noqa: S608
    con.unregister("source")
    return RawTable(con, headers, declared_levels=levels, findings=findings)


def _string_array(text: list[str]) -> np.ndarray[Any, Any]:
    import numpy as np

    out = np.empty(len(text), dtype=object)
    out[:] = text
    return out
