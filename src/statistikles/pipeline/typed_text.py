"""Plain columns of large delimited files, typed while they are read instead of being kept as text first.

A column is typed here only when every cell is written in the plainest way: whole numbers as a program prints
them, or numbers with a decimal point. The first rows say which columns may be plain; the engine checks every
cell on the way. A column with any other cell stays text and takes the careful path of `inference`, so that
the table, its findings and its fingerprint are the same either way.
"""

from __future__ import annotations

import mmap
import re
from pathlib import Path

from statistikles.pipeline.engine import RawTable, interruptible
from statistikles.pipeline.inference import SAMPLE_ROWS, plain_columns, sampled

__all__ = ["read_typed"]

_MARK = "statistikles column "
_MARKED = re.compile(_MARK + r"(\d+)\.")
# Signs that the engine's casts pass over although they belong to no number.
_ODD_SPACES = (b"\x0b", b"\x0c")


def read_typed(raw: RawTable, source: str, path: Path) -> bool:
    """Read a file into `raw` with its plain columns typed; False when there is none, or the file is not clean."""
    import duckdb

    n_columns = len(raw.headers)
    odd, underscored = _marks(path)
    if odd:
        return False
    try:
        rows = raw.con.execute(f"SELECT * FROM {source} LIMIT {SAMPLE_ROWS}").fetchall()  # noqa: S608
    except duckdb.Error:
        return False
    samples = sampled(rows, list(range(n_columns)))
    plain, decimal = plain_columns(samples, raw.delimiter)
    while plain:
        picked = ", ".join(
            f"{_checked(i, plain[i], underscored)} AS c{i}" if i in plain else f"c{i}"
            for i in range(n_columns)
        )
        try:
            with interruptible():
                raw.con.execute(f"CREATE OR REPLACE TABLE raw AS SELECT {picked} FROM {source}")  # noqa: S608
        except duckdb.Error as fault:
            found = _MARKED.search(str(fault))
            if found is None:
                return False
            del plain[int(found.group(1))]
            continue
        raw.typed.update(plain)
        raw.decimal = decimal
        return True
    return False


def _marks(path: Path) -> tuple[bool, bool]:
    """Whether the file holds odd spaces, and whether it holds underscores (which casts accept within numbers)."""
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return any(data.find(mark) >= 0 for mark in _ODD_SPACES), data.find(b"_") >= 0


def _checked(i: int, kind: str, underscored: bool) -> str:
    """SQL that turns a plain cell into its value, keeps an empty one, and stops at any other."""
    c = f"c{i}"
    if kind == "integer":
        value = f"TRY_CAST({c} AS BIGINT)"
        fits = f"CAST({value} AS VARCHAR) = {c}"
    else:
        value = f"TRY_CAST({c} AS DOUBLE)"
        # No blank or plus in front, no leading zeros, and no words (all that the cast knows are not finite).
        fits = (
            f"isfinite({value}) AND {c} >= '-' AND NOT ({c} >= '00' AND {c} < '0:') "
            f"AND NOT ({c} >= '-00' AND {c} < '-0:')"
        )
        if underscored:
            fits += f" AND NOT contains({c}, '_')"
    # In this order a column without odd or empty cells costs one branch.
    return f"CASE WHEN {fits} THEN {value} WHEN {c} IS NULL THEN NULL ELSE error('{_MARK}{i}.') END"
