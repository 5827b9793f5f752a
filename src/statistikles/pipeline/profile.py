"""What each column is: its kind, counts, levels and range, read from the engine in one pass per column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import duckdb

__all__ = ["DTYPES", "MAX_LEVELS", "Column", "Kind", "label_of", "profile_columns"]

Kind: TypeAlias = Literal["numeric", "categorical", "boolean", "text", "datetime", "identifier", "constant"]

DTYPES = {
    "BIGINT": "integer",
    "DOUBLE": "float",
    "BOOLEAN": "boolean",
    "VARCHAR": "text",
    "TIMESTAMP": "datetime",
}
MAX_LEVELS = 50
_FEW_NUMBERS = 20
_ID_NAME = re.compile(
    r"(?i:(?:^|[\W_])(?:id|ids|uuid|guid|subject|participant|respondent|rownames|unnamed\W*\d*)$)|[a-z]I[Dd]$"
)
_UNIQUE_ID_NAME = re.compile(
    r"(?:^|[\W_])(?:index|idx|no|nr|key|code|case|record|row|column1)$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Column:
    """One column as detected. A kind is a hint for planning, never a silent decision about the data.

    `n` counts the values present. `levels` lists the labels when there are at most 50 (numbers: 20), in the
    order named by `level_order`: "declared" by the source, else "sorted". `min` and `max` are numbers, or ISO
    text for dates, or None. `description` is what the source says the column is.
    """

    name: str
    kind: Kind
    dtype: str
    n: int
    n_missing: int
    n_unique: int
    levels: tuple[str, ...] = ()
    level_order: str = "sorted"
    min: float | str | None = None
    max: float | str | None = None
    description: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The description as a plain dict."""
        out: dict[str, Any] = {
            "name": self.name,
            "kind": self.kind,
            "dtype": self.dtype,
            "n": self.n,
            "n_missing": self.n_missing,
            "n_unique": self.n_unique,
            "levels": list(self.levels),
            "level_order": self.level_order,
            "min": self.min,
            "max": self.max,
        }
        if self.description:
            out["description"] = self.description
        return out


def profile_columns(
    con: duckdb.DuckDBPyConnection,
    headers: list[str],
    types: list[str],
    n_rows: int,
    declared: dict[int, tuple[str, ...]],
) -> tuple[Column, ...]:
    """Describe every column of table `data`."""
    return tuple(
        _profile(con, i, header, kind, n_rows, declared.get(i))
        for i, (header, kind) in enumerate(zip(headers, types, strict=True))
    )


def _profile(
    con: duckdb.DuckDBPyConnection,
    i: int,
    header: str,
    sql_type: str,
    n_rows: int,
    declared: tuple[str, ...] | None,
) -> Column:
    dtype = DTYPES[sql_type]
    finite = f" FILTER (isfinite(c{i}))" if dtype == "float" else ""
    row = con.execute(
        f"SELECT count(c{i}), count(DISTINCT c{i}), min(c{i}){finite}, max(c{i}){finite} FROM data"  # noqa: S608
    ).fetchall()[0]
    n, n_unique, low, high = int(row[0]), int(row[1]), row[2], row[3]
    if dtype in ("text", "boolean"):
        low = high = None
    elif dtype == "datetime":
        low, high = (None if v is None else label_of(v) for v in (low, high))
    kind = _kind(con, i, header, dtype, n, n_unique, n_rows, declared)
    levels: tuple[str, ...] = ()
    order = "sorted"
    limit = _FEW_NUMBERS if dtype in ("integer", "float") else MAX_LEVELS
    if declared is not None:
        levels, order = declared[:MAX_LEVELS] if len(declared) <= MAX_LEVELS else (), "declared"
    elif (
        0 < n_unique <= limit
        and kind not in ("text", "datetime")
        and not (kind == "identifier" and n_unique == n)
    ):
        found = con.execute(f"SELECT DISTINCT c{i} FROM data WHERE c{i} IS NOT NULL").fetchall()  # noqa: S608
        levels = tuple(label_of(v) for v in sorted(r[0] for r in found))
    return Column(header, kind, dtype, n, n_rows - n, n_unique, levels, order, _plain(low), _plain(high))


def _plain(value: Any) -> float | str | None:
    return (
        value
        if value is None or isinstance(value, str)
        else (int(value) if isinstance(value, int) else float(value))
    )


def _kind(
    con: duckdb.DuckDBPyConnection,
    i: int,
    header: str,
    dtype: str,
    n: int,
    n_unique: int,
    n_rows: int,
    declared: tuple[str, ...] | None,
) -> Kind:
    """The kind of a column, from its type, its name and how its values repeat."""
    if n_unique <= 1 and declared is None:
        return "constant"
    if dtype in ("boolean", "datetime"):
        return "boolean" if dtype == "boolean" else "datetime"
    unique = n_unique == n == n_rows
    if dtype in ("integer", "float"):
        named = _ID_NAME.search(header) or (unique and _UNIQUE_ID_NAME.search(header))
        if dtype == "integer" and n_unique > 2 and (named or (unique and _counts_up(con, i, header, n_rows))):
            return "identifier"
        return "numeric"
    if declared is not None:
        return "categorical"
    if unique and n_rows > 2:
        length = con.execute(f"SELECT avg(length(c{i})) FROM data").fetchall()[0][0]  # noqa: S608
        return "identifier" if length <= 40 else "text"
    if _ID_NAME.search(header) and n_unique > MAX_LEVELS:
        return "identifier"
    if n_unique <= MAX_LEVELS or n_unique <= n / 2:
        return "categorical"
    return "text"


def _counts_up(con: duckdb.DuckDBPyConnection, i: int, header: str, n_rows: int) -> bool:
    """Whether a column without a proper name just numbers the rows from 0 or 1."""
    if header and not re.fullmatch(r"column\d+", header):
        return False
    rows = con.execute(f"SELECT count(*) FROM data WHERE c{i} IN (rowid, rowid + 1)").fetchall()  # noqa: S608
    return int(rows[0][0]) == n_rows


def label_of(value: Any) -> str:
    """A value as a group label."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if hasattr(value, "isoformat"):
        text = str(value.isoformat(sep=" "))
        return text.removesuffix(" 00:00:00")
    return str(value)
