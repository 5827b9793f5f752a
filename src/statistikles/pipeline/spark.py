"""Tables on a Spark cluster: sums are taken there; the rows come here only when a statistic needs their values."""

from __future__ import annotations

import hashlib
import re
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from statistikles.errors import DataError, MissingDependency, StatistiklesError
from statistikles.pipeline.canonicalise.decisions import Decisions
from statistikles.pipeline.engine import unique_headers
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.profile import DTYPES, MAX_LEVELS, Column, label_of
from statistikles.pipeline.tables import Groups, Table, fold_marks

if TYPE_CHECKING:
    from statistikles.pipeline.pushdown import Pushdown
    from statistikles.pipeline.tables import FloatVector, RowNumbers, TextVector

__all__ = ["SparkTable", "is_spark"]

_Answer = TypeVar("_Answer")

# Up to this many rows a table is simply fetched: everything can then be computed, order or not.
PUSHED_FROM = 20_000
_TYPES = {
    "tinyint": "BIGINT",
    "smallint": "BIGINT",
    "int": "BIGINT",
    "bigint": "BIGINT",
    "float": "DOUBLE",
    "double": "DOUBLE",
    "decimal": "DOUBLE",
    "boolean": "BOOLEAN",
    "string": "VARCHAR",
    "date": "TIMESTAMP",
    "timestamp": "TIMESTAMP",
    "timestamp_ntz": "TIMESTAMP",
}


def is_spark(frame: Any) -> bool:
    """Whether a frame is one of Spark's."""
    return type(frame).__module__.startswith("pyspark.sql")


class SparkTable(Table):
    """A table that stays on its cluster. Its rows have no order, so nothing is told of row numbers."""

    def __init__(self, frame: Any, name: str) -> None:
        findings: list[Finding] = []
        headers = unique_headers(list(frame.columns), findings)
        if not headers:
            raise DataError("The frame has no columns.", where="data", code="empty_file")
        types = [_TYPES.get(kind.split("(")[0], "VARCHAR") for _, kind in frame.dtypes]
        picked = []
        for i, ((column, kind), house) in enumerate(zip(frame.dtypes, types, strict=True)):
            quoted = "`" + column.replace("`", "``") + "`"
            cell = f"CAST({quoted} AS {'STRING' if house == 'VARCHAR' else house})"
            if kind in ("float", "double"):
                cell = f"CASE WHEN isnan({quoted}) THEN NULL ELSE {cell} END"
            picked.append(f"{cell} AS c{i}")
        self._frame = frame.selectExpr(*picked)
        self._view = f"statistikles_{uuid.uuid4().hex}"
        self._frame.createOrReplaceTempView(self._view)
        self._spark = frame.sparkSession
        self.name, self.column_names = name, tuple(headers)
        self.units = {}
        self.findings = tuple(findings)
        self.missing_codes = {}
        self.note_source(Decisions(), {}, {})
        self._lock = threading.RLock()
        self._declared, self._descriptions = {}, {}
        self._index = {header: i for i, header in enumerate(headers)}
        self._types = types
        self._filters = OrderedDict()
        self._wanted: frozenset[str] | None = None
        self._part: tuple[frozenset[str], Table] | None = None
        self.n_rows = int(self.ask("SELECT count(*) FROM data", [])[0][0])
        if self.n_rows == 0:
            raise DataError(f"The table '{name}' has columns but no rows.", where=name, code="header_only")

    def ask(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The answer of the cluster to a query over `data`."""
        sql = re.sub(r"\bFROM data\b", f"FROM {self._view}", sql).replace("AS VARCHAR", "AS STRING")
        sql = re.sub(r"('-?(?:inf|nan)')::DOUBLE", r"CAST(\1 AS DOUBLE)", sql)
        return [tuple(row) for row in self._spark.sql(sql, args=list(parameters) or None).collect()]

    def pushes(self) -> bool:
        """Whether statistics should take sums from the cluster."""
        return self.n_rows >= PUSHED_FROM

    def pushdown(self) -> Pushdown:
        """The cluster as a source of sums."""
        from statistikles.pipeline.pushdown import SPARK, Pushdown

        return Pushdown(self, SPARK, label_of)

    @contextmanager
    def needing(self, _texts: Sequence[str]) -> Iterator[None]:
        """While a call is resolved only the columns that its texts may name are fetched, all in one go.

        One go, since the order of rows need not be the same in the next.
        """
        folded = [fold_marks(text) for text in _texts]
        names = frozenset(n for n in self.column_names if any(fold_marks(n) in text for text in folded))
        before, self._wanted = self._wanted, names or None
        try:
            yield
        finally:
            self._wanted = before

    @cached_property
    def _whole(self) -> Table:
        """All columns, fetched once, for what needs values outside a call."""
        self._part = None
        return self._fetched(self.column_names)

    def _fetched(self, names: Sequence[str]) -> Table:
        from statistikles.pipeline.sources import load

        try:
            arrow = self._frame.select(*(f"c{self._index[n]}" for n in names)).toArrow()
        except ImportError:
            raise MissingDependency("pyarrow", extra="spark") from None
        return load(arrow.rename_columns(list(names)), name=self.name)

    def _local(self, ask: Callable[[Table], _Answer]) -> _Answer:
        """The answer of the fetched rows: of the columns that the call needs, else of all."""
        wanted = self._wanted
        if wanted is None or "_whole" in self.__dict__:
            return ask(self._whole)
        if self._part is None or not wanted <= self._part[0]:
            self._part = wanted, self._fetched([n for n in self.column_names if n in wanted])
        try:
            return ask(self._part[1])
        except StatistiklesError:
            return ask(self._whole)  # refuses as well, and its hint knows all columns

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What each column is, from one query."""
        asked = ", ".join(
            f"count(c{i}), count(DISTINCT c{i}), min(c{i}), max(c{i})" for i in range(len(self._types))
        )
        [row] = self.ask(f"SELECT {asked} FROM data", [])  # noqa: S608
        return tuple(self._column(i, *row[4 * i : 4 * i + 4]) for i in range(len(self._types)))

    def _column(self, i: int, n: int, n_unique: int, low: Any, high: Any) -> Column:
        dtype = DTYPES[self._types[i]]
        levels: tuple[str, ...] = ()
        if dtype == "text" and 0 < n_unique <= MAX_LEVELS:
            rows = self.ask(f"SELECT DISTINCT c{i} FROM data WHERE c{i} IS NOT NULL", [])  # noqa: S608
            levels = tuple(sorted(row[0] for row in rows))
        few = n_unique <= MAX_LEVELS or n_unique <= n / 2
        kinds: dict[str, Any] = {
            "boolean": "boolean",
            "datetime": "datetime",
            "text": "categorical" if few else "text",
        }
        kind: Any = "constant" if n_unique <= 1 else kinds.get(dtype, "numeric")
        if dtype in ("text", "boolean"):
            low = high = None
        elif dtype == "datetime":
            low, high = (None if v is None else label_of(v) for v in (low, high))
        return Column(
            self.column_names[i], kind, dtype, n, self.n_rows - n, n_unique, levels, "sorted", low, high
        )

    @cached_property
    def fingerprint(self) -> str:
        """A digest of names, types and values that does not depend on the order of rows."""
        halves = ", ".join(
            f"sum(shiftright(xxhash64(c{i}, {i}), 32)), sum(xxhash64(c{i}, {i}) & 4294967295)"
            for i in range(len(self._types))
        )
        everything = ", ".join(f"c{i}" for i in range(len(self._types)))
        [row] = self.ask(
            f"SELECT {halves}, sum(shiftright(xxhash64({everything}), 32)), "  # noqa: S608
            f"sum(xxhash64({everything}) & 4294967295) FROM data",
            [],
        )
        told = repr((self.n_rows, self.column_names, tuple(self._types), tuple(map(int, row))))
        return hashlib.sha256(f"statistikles cluster table 1\n{told}".encode()).hexdigest()

    # --- values: from the fetched rows ---------------------------------------------------------------------

    def numbers(self, column: str, where: str | None = None) -> FloatVector:
        """As of a local table."""
        return self._local(lambda t: t.numbers(column, where))

    def labels(self, column: str, where: str | None = None) -> TextVector:
        """As of a local table."""
        return self._local(lambda t: t.labels(column, where))

    def groups(self, column: str, by: str, where: str | None = None) -> Groups:
        """As of a local table."""
        return self._local(lambda t: t.groups(column, by, where))

    def values_present(self, column: str) -> Any:
        """As of a local table."""
        return self._local(lambda t: t.values_present(column))

    def selection(self, where: str) -> RowNumbers:
        """As of a local table."""
        return self._local(lambda t: t.selection(where))

    def rows(
        self, columns: list[str] | None = None, where: str | None = None, limit: int = 20
    ) -> list[dict[str, Any]]:
        """As of a local table."""
        return self._local(lambda t: t.rows(columns, where, limit))
