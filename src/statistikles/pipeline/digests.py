"""The fingerprint of a table: a digest of its names and values that is the same whatever file they came from.

Each column is digested by itself, a chunk of rows at a time: which values are missing, then the values. The
columns share two threads, since hashing leaves the interpreter free while the engine fetches the next chunk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from statistikles.pipeline.engine import literal

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    import duckdb

__all__ = ["fingerprint_of"]

_CHUNK = 1_000_000  # part of the definition: lengths and bytes of texts alternate by chunk
_FEW = 200  # different texts up to which they are fetched as small numbers
_LONGEST = 64


def fingerprint_of(
    con: duckdb.DuckDBPyConnection,
    lock: AbstractContextManager[Any],
    names: Sequence[str],
    dtypes: Sequence[str],
    n_rows: int,
) -> str:
    """SHA-256 of the names and values of table `data`.

    Parameters
    ----------
    con : the engine.
    lock : held while the engine answers.
    names : the header of each column c0, c1, ...
    dtypes : integer, float, boolean, text or datetime, per column.
    n_rows : the number of rows.
    """
    columns = [_ColumnDigest(con, lock, i, dtype, n_rows) for i, dtype in enumerate(dtypes)]
    if n_rows <= _CHUNK:
        digests = [column.digest() for column in columns]
    else:
        with ThreadPoolExecutor(2) as pool:
            digests = list(pool.map(_ColumnDigest.digest, columns))
    whole = hashlib.sha256(f"statistikles table 1\n{n_rows}\n".encode())
    for name, digest in zip(names, digests, strict=True):
        whole.update(f"{len(name.encode())}:{name}".encode())
        whole.update(digest)
    return whole.hexdigest()


class _ColumnDigest:
    """The digest of one column on its way: what kind of value, which are missing, and the values, row by row."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        lock: AbstractContextManager[Any],
        i: int,
        dtype: str,
        n_rows: int,
    ) -> None:
        self.con, self.lock, self.c, self.dtype, self.n_rows = con, lock, f"c{i}", dtype, n_rows
        self.kind = "number" if dtype in ("integer", "float") else dtype
        self.missing = hashlib.sha256(self.kind.encode())
        self.values = hashlib.sha256()
        self.texts: list[str] = []

    def digest(self) -> bytes:
        """The digest of the whole column."""
        if self.kind == "text":
            self._look_for_few_texts()
        for start in range(0, self.n_rows, _CHUNK):
            limits = [start, start + _CHUNK]
            if self.kind != "text":
                self._add_values(limits)
            elif not (self.texts and self._add_few_texts(limits)):
                self._add_texts(limits)
        return self.missing.digest() + self.values.digest()

    def _fetch(self, picked: str, limits: list[int]) -> Any:
        query = f"SELECT {picked} FROM data WHERE rowid >= ? AND rowid < ?"  # noqa: S608
        with self.lock:
            return self.con.execute(query, limits).fetchnumpy()

    def _add_values(self, limits: list[int]) -> None:
        import numpy as np

        fetched = self._fetch(f"{self.c} AS v", limits)["v"]
        mask = np.ma.getmaskarray(fetched)
        data = np.ma.getdata(fetched)
        self.missing.update(np.packbits(mask).data)
        present = data[~mask] if mask.any() else data
        if self.kind != "number":
            self.values.update(present.astype("<i8" if self.kind == "datetime" else "u1").tobytes())
            return
        self.values.update(np.ascontiguousarray(present.astype("<f8", copy=False) + 0.0).data)
        if self.dtype == "integer" and bool((np.abs(present) > 2**53).any()):
            self.values.update(present.astype("<i8").tobytes())

    def _add_texts(self, limits: list[int]) -> None:
        """Add some rows of a text column: which are missing, how long the others are in bytes, and their bytes."""
        import numpy as np

        sizes = self._fetch(f"{self.c} IS NULL AS m, coalesce(strlen({self.c}), 0) AS n", limits)
        query = f"SELECT string_agg({self.c}, '' ORDER BY rowid) FROM data WHERE rowid >= ? AND rowid < ?"  # noqa: S608
        with self.lock:
            whole = self.con.execute(query, limits).fetchone()
        mask = np.ma.getdata(sizes["m"])
        self.missing.update(np.packbits(mask).data)
        self.values.update(np.ma.getdata(sizes["n"])[~mask].astype("<i8").data)
        if whole is not None and whole[0] is not None:
            self.values.update(whole[0].encode())

    def _look_for_few_texts(self) -> None:
        """The different texts of the first rows, when they are few and short."""
        query = f"SELECT DISTINCT {self.c} FROM data WHERE rowid < {_CHUNK} AND {self.c} IS NOT NULL"  # noqa: S608
        with self.lock:
            found = self.con.execute(f"{query} LIMIT {_FEW + 1}").fetchall()
        texts = [text for (text,) in found]
        if len(texts) <= _FEW and all(0 < len(t.encode()) <= _LONGEST and "\x00" not in t for t in texts):
            self.texts = texts

    def _add_few_texts(self, limits: list[int]) -> bool:
        """The same bytes as `_add_texts`, from the place of each text among the few; False when there is another."""
        import numpy as np

        listed = ", ".join(literal(text) for text in self.texts)
        place = f"CAST(enum_code(TRY_CAST({self.c} AS ENUM ({listed}))) AS UTINYINT) AS k"
        fetched = self._fetch(f"{self.c} IS NULL AS m, {place}", limits)
        mask, places = np.ma.getdata(fetched["m"]), fetched["k"]
        if not np.array_equal(np.ma.getmaskarray(places), mask):
            return False
        coded = [text.encode() for text in self.texts]
        sizes = np.array([len(code) for code in coded], dtype="<i8")
        letters = np.zeros((len(coded), int(sizes.max())), dtype=np.uint8)
        for row, code in zip(letters, coded, strict=True):
            row[: len(code)] = np.frombuffer(code, dtype=np.uint8)
        chosen = np.ma.getdata(places)[~mask]
        self.missing.update(np.packbits(mask).data)
        self.values.update(sizes[chosen].data)
        used = np.arange(letters.shape[1]) < sizes[:, None]
        self.values.update(letters[chosen][used[chosen]].data)
        return True
