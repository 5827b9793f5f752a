"""A loaded table: what its columns are, and its values as row-aligned arrays with missing values masked.

All vectors asked for with the same `where` have the same length and order; missing values stay in place under
the mask, and dropping them is the caller's decision.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

from statistikles.errors import DataError, InputError, did_you_mean
from statistikles.pipeline.canonicalise.decisions import Decisions
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.profile import DTYPES, Column, label_of, profile_columns

if TYPE_CHECKING:
    import duckdb
    import numpy as np

    from statistikles.pipeline.pushdown import Pushdown

    FloatVector: TypeAlias = np.ma.MaskedArray[Any, np.dtype[np.float64]]
    TextVector: TypeAlias = np.ma.MaskedArray[Any, np.dtype[np.object_]]
    RowNumbers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

__all__ = ["Column", "Groups", "Table"]

_CACHED_FILTERS = 64
_CHOICES_SHOWN = 20
PUSHED_FROM = 1_000_000  # rows from which on sums are taken from the engine


class Groups(dict[str, "FloatVector"]):
    """Values by group label, in level order; `n_without_group` rows had no label and are in no group."""

    def __init__(self, column: str, by: str) -> None:
        super().__init__()
        self.column = column
        self.by = by
        self.n_without_group = 0


class Table:
    """A table held by a sealed in-memory engine."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        name: str,
        headers: list[str],
        n_rows: int,
        declared_levels: dict[int, tuple[str, ...]],
        missing_codes: dict[str, dict[str, int]],
        findings: tuple[Finding, ...],
        units: Mapping[str, str] | None = None,
        descriptions: Mapping[int, str] | None = None,
    ) -> None:
        self.name = name
        self.n_rows = n_rows
        self.column_names = tuple(headers)
        self.missing_codes = missing_codes
        self.findings = findings
        self.units = dict(units or {})
        self.decisions = Decisions()
        self.decimals: dict[str, int] = {}
        self._con = con
        self._lock = threading.RLock()
        self._declared = declared_levels
        self._descriptions = dict(descriptions or {})
        self._index = {header: i for i, header in enumerate(headers)}
        self._types = [str(row[1]) for row in con.execute("DESCRIBE data").fetchall()]
        self._arrays: dict[tuple[str, str], Any] = {}
        self._filters: OrderedDict[str, RowNumbers] = OrderedDict()

    def __repr__(self) -> str:
        return f"<Table '{self.name}': {self.n_rows} rows, {len(self.column_names)} columns>"

    def note_source(
        self, decisions: Decisions, units: Mapping[int, str], decimals: Mapping[int, int]
    ) -> None:
        """Keep what was decided, and for each column the unit and the number of decimals as written."""
        self.decisions = decisions
        self.units |= {self.column_names[i]: unit for i, unit in units.items()}
        self.decimals = {self.column_names[i]: count for i, count in decimals.items()}

    # --- what is there -------------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What each column is: its kind, counts, levels and range."""
        with self._lock:
            found = profile_columns(
                self._con, list(self.column_names), self._types, self.n_rows, self._declared
            )
        told = self._descriptions
        return tuple(replace(c, description=told[i]) if i in told else c for i, c in enumerate(found))

    def column(self, name: str) -> Column:
        """The description of one column."""
        return self.columns[self._index[self.resolve(name)]]

    def resolve(self, name: str, *, where: str = "column") -> str:
        """The exact name of the column meant: as written, else the only match but for case, blanks, marks."""
        if not isinstance(name, str):
            raise InputError(f"A column name must be text, not {type(name).__name__}.", where=where)
        if name in self._index:
            return name
        for folded in (_fold_blanks, fold_marks):
            wanted = folded(name)
            hits = [known for known in self.column_names if wanted and folded(known) == wanted]
            if len(hits) == 1:
                return hits[0]
            if hits:
                listed = ", ".join(f"'{hit}'" for hit in hits)
                raise DataError(
                    f"'{name}' could mean several columns: {listed}.",
                    hint="Write the name exactly.",
                    where=where,
                    code="ambiguous_column",
                )
        shown = ", ".join(self.column_names[:_CHOICES_SHOWN])
        more = len(self.column_names) - _CHOICES_SHOWN
        known = f"The columns are: {shown}" + (f" and {more} more." if more > 0 else ".")
        hint = " ".join(part for part in (did_you_mean(name, self.column_names), known) if part)
        raise DataError(
            f"There is no column '{name}' in table '{self.name}'.",
            hint=hint,
            where=where,
            code="unknown_column",
        )

    def dtype(self, name: str) -> str:
        """The type of a column's values: integer, float, boolean, text or datetime."""
        return DTYPES[self._types[self._index[self.resolve(name)]]]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of names and values; the same for the same content whatever the file format."""
        from statistikles.pipeline.digests import fingerprint_of

        dtypes = [DTYPES[kind] for kind in self._types]
        return fingerprint_of(self._con, self._lock, self.column_names, dtypes, self.n_rows)

    # --- values --------------------------------------------------------------------------------------------

    def numbers(self, column: str, where: str | None = None) -> FloatVector:
        """A numeric column as floats, missing values masked; truth values count as 1 and 0."""
        import numpy as np

        name = self.resolve(column)
        whole = self._arrays.get(("numbers", name))
        if whole is None:
            whole = self._read_numbers(name)
            self._arrays["numbers", name] = whole
        picked: FloatVector = whole.copy() if where is None else whole[self.selection(where)]
        chosen = picked.compressed()
        if not bool(np.isfinite(chosen).all()):
            raise InputError(
                f"Column '{name}' contains infinite values, which no statistic can use.",
                hint=f'Leave them out with a filter, such as "{quote_name(name)}" < 1e300.',
                where=name,
                code="not_finite",
            )
        return picked

    def values_present(self, column: str) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The numbers of a column without the missing ones, in row order (infinities included)."""
        name = self.resolve(column)
        if ("numbers", name) not in self._arrays:
            self._arrays["numbers", name] = self._read_numbers(name)
        present: np.ndarray[Any, np.dtype[np.float64]] = self._arrays["numbers", name].compressed()
        return present

    def _read_numbers(self, name: str) -> FloatVector:
        import numpy as np

        i = self._index[name]
        dtype = DTYPES[self._types[i]]
        if dtype in ("text", "datetime"):
            raise self._not_numeric(name, i, dtype)
        fetched = self._fetch(i)
        if dtype == "boolean":
            fetched = fetched.astype(np.int8)
        values = np.ma.getdata(fetched).astype(np.float64)
        mask = np.ma.getmaskarray(fetched).copy()
        values[mask] = 0.0
        return np.ma.MaskedArray(values, mask=mask)

    def _not_numeric(self, name: str, i: int, dtype: str) -> InputError:
        """The refusal of a column that holds no numbers, with an example of what it holds."""
        with self._lock:
            row = self._con.execute(
                f"SELECT c{i}::VARCHAR FROM data WHERE c{i} IS NOT NULL "  # noqa: S608
                f"ORDER BY try_cast(c{i}::VARCHAR AS DOUBLE) IS NOT NULL, rowid LIMIT 1"
            ).fetchone()
        if row is None:
            return InputError(
                f"Column '{name}' has no values: all {self.n_rows} are missing.",
                hint="Choose another column.",
                where=name,
                code="all_missing",
            )
        kind = "text" if dtype == "text" else "dates or times"
        numeric = [c.name for c in self.columns if c.dtype in ("integer", "float") and c.n > 0]
        listed = ", ".join(f"'{n}'" for n in numeric[:8]) or "none"
        return InputError(
            f"Column '{name}' holds {kind} (for example '{str(row[0])[:40]}') where numbers are needed.",
            hint=f"Use it as a grouping column, or choose a numeric column: {listed}.",
            where=name,
            code="not_numeric",
        )

    def labels(self, column: str, where: str | None = None) -> TextVector:
        """A column as text labels, missing values masked; whole numbers print without a point."""
        name = self.resolve(column)
        whole = self._arrays.get(("labels", name))
        if whole is None:
            whole = self._read_labels(name)
            self._arrays["labels", name] = whole
        picked: TextVector = whole.copy() if where is None else whole[self.selection(where)]
        return picked

    def _read_labels(self, name: str) -> TextVector:
        import numpy as np

        i = self._index[name]
        fetched = self._fetch(i)
        mask = np.ma.getmaskarray(fetched).copy()
        out = np.empty(len(mask), dtype=object)
        values = np.ma.getdata(fetched).tolist()
        out[:] = [None if gone else label_of(v) for v, gone in zip(values, mask.tolist(), strict=True)]
        return np.ma.MaskedArray(out, mask=mask)

    def groups(self, column: str, by: str, where: str | None = None) -> Groups:
        """The values of `column` for each label of `by`, in level order (declared, numeric, alphabetical)."""
        column, by = self.resolve(column), self.resolve(by, where="by")
        values = self.numbers(column, where)
        labels = self.labels(by, where)
        out = Groups(column, by)
        out.n_without_group = int(labels.mask.sum())
        present = set(labels.compressed().tolist())
        if len(present) > 1000:
            raise InputError(
                f"Column '{by}' has {len(present)} different values, too many to compare as groups.",
                hint="Choose a grouping column with few categories.",
                where=by,
                code="too_many_groups",
            )
        data = labels.filled(None)
        for level in self.level_order(by, present):
            out[level] = values[data == level]
        return out

    def level_order(self, column: str, present: set[str]) -> list[str]:
        """Labels in the order of the column's declared levels, else numerically, else alphabetically."""
        i = self._index[self.resolve(column)]
        if i in self._declared:
            return [level for level in self._declared[i] if level in present]
        if DTYPES[self._types[i]] in ("integer", "float"):
            return sorted(present, key=float)
        return sorted(present)

    def rows(
        self, columns: list[str] | None = None, where: str | None = None, limit: int = 20
    ) -> list[dict[str, Any]]:
        """The first rows as plain Python values, for display."""
        names = [self.resolve(c) for c in columns] if columns is not None else list(self.column_names)
        picked = None if where is None else self.selection(where)[:limit].tolist()
        listed = ", ".join(f"c{self._index[n]}" for n in names)
        condition = "" if picked is None else f"WHERE rowid IN ({', '.join(map(str, picked)) or '-1'})"
        with self._lock:
            query = f"SELECT {listed} FROM data {condition} ORDER BY rowid LIMIT ?"  # noqa: S608
            rows = self._con.execute(query, [limit]).fetchall()
        return [dict(zip(names, row, strict=True)) for row in rows]

    def selection(self, where: str) -> RowNumbers:
        """The numbers of the rows for which the filter is true, ascending; an empty choice is an error."""
        import numpy as np

        from statistikles.pipeline.filters import compile_filter, no_rows_error, run_filter

        if not isinstance(where, str):
            raise InputError(
                f"A filter must be text, not {type(where).__name__}.",
                hint='Write for example: "age > 30".',
                where="where",
            )
        with self._lock:
            if where in self._filters:
                self._filters.move_to_end(where)
                return self._filters[where]
            compiled = compile_filter(where, self)
            picked = np.sort(run_filter(self._con, compiled))
            if len(picked) == 0:
                raise no_rows_error(where, self)
            self._filters[where] = picked
            if len(self._filters) > _CACHED_FILTERS:
                self._filters.popitem(last=False)
            return picked

    def rows_against(self, where: str) -> tuple[int, tuple[int, ...]]:
        """How many rows contradict a condition (a missing value contradicts nothing), and the first ten of them."""
        import numpy as np

        from statistikles.pipeline.filters import CompiledFilter, compile_filter, run_filter

        with self._lock:
            compiled = compile_filter(where, self)
            found = np.sort(
                run_filter(self._con, CompiledFilter(f"NOT ({compiled.sql})", compiled.parameters))
            )
        return len(found), tuple(int(r) + 1 for r in found[:10])

    def _fetch(self, i: int) -> Any:
        """A whole column in row order, as the engine's masked array."""
        with self._lock:
            return self._con.execute(f"SELECT c{i} AS v FROM data").fetchnumpy()["v"]  # noqa: S608

    def arrays(self, picked: Sequence[str]) -> list[Any]:
        """Expressions over the engine's columns, each as a masked array in row order."""
        listed = ", ".join(f"{sql} AS v{j}" for j, sql in enumerate(picked))
        with self._lock:
            found = self._con.execute(f"SELECT {listed} FROM data ORDER BY rowid").fetchnumpy()  # noqa: S608
        return [found[f"v{j}"] for j in range(len(picked))]

    def needing(self, _texts: Sequence[str]) -> AbstractContextManager[None]:
        """While a call is resolved: the texts that name all columns whose values it may ask for."""
        return nullcontext()

    def pushes(self) -> bool:
        """Whether statistics should take sums from the engine instead of fetching values."""
        return self.n_rows >= PUSHED_FROM

    def pushdown(self) -> Pushdown:
        """The engine as a source of sums."""
        from statistikles.pipeline.pushdown import DUCKDB, Pushdown

        return Pushdown(self, DUCKDB, label_of)

    def crossed(self, first: str, second: str, where: str | None) -> dict[tuple[str, str], int]:
        """How often each pair of labels of two columns occurs."""
        condition, bound = self.condition(where)
        a, b = self.engine_column(first)[0], self.engine_column(second)[0]
        return self.pushdown().crossed(a, b, condition, bound)

    def ask(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The answer of the engine to a query over `data`."""
        with self._lock:
            return self._con.execute(sql, list(parameters)).fetchall()

    def condition(self, where: str | None) -> tuple[str, list[Any]]:
        """A filter as SQL with the values it binds; one that leaves nothing is an error."""
        from statistikles.pipeline.filters import compile_filter, no_rows_error

        if where is None:
            return "true", []
        compiled = compile_filter(where, self)
        bound = list(compiled.parameters)
        if self.ask(f"SELECT count(*) FROM data WHERE {compiled.sql}", bound)[0][0] == 0:  # noqa: S608
            raise no_rows_error(where, self)
        return compiled.sql, bound

    def summed(self, column: str) -> str:
        """SQL of a numeric column for sums.

        Raises
        ------
        NeedsValues : the column holds no numbers.
        """
        from statistikles.registry.summaries import NeedsValues

        i = self._index[self.resolve(column)]
        dtype = DTYPES[self._types[i]]
        if dtype not in ("integer", "float"):
            raise NeedsValues("type")
        return f"c{i}" if dtype == "float" else f"CAST(c{i} AS DOUBLE)"

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows of a query on the engine's table `data`, for code that knows its columns (`engine_column`)."""
        with self._lock:
            return self._con.execute(sql).fetchall()

    def derive(
        self,
        columns: Sequence[tuple[str, str]],
        *,
        source: str = "data",
        extra: Mapping[str, Any] | None = None,
        findings: tuple[Finding, ...] = (),
        units: Mapping[str, str] | None = None,
        order: str = "rowid",
        levels: Mapping[str, Sequence[str]] | None = None,
    ) -> Table:
        """A new table computed from this one inside the engine; this one stays as it is.

        Parameters
        ----------
        columns : (header, SQL over the source's columns) of the new table, in order.
        source : what to select from: `data`, or a query in brackets.
        extra : {name: array} of row-aligned values that the source may join as `extra` by its column `r`.
        findings : what is to be said about the new table.
        units : {header: unit} of columns whose unit is not in their header.
        order : the order of the rows.
        levels : {header: labels in order} of columns that are not a declared one as it stands.
        """
        names = {text: self._declared[i] for i in self._declared for text in (f"c{i}",)}
        declared = {j: names[sql] for j, (_, sql) in enumerate(columns) if sql in names}
        ordered = levels or {}
        declared |= {j: tuple(ordered[name]) for j, (name, _) in enumerate(columns) if name in ordered}
        picked = ", ".join(f"{sql} AS c{j}" for j, (_, sql) in enumerate(columns))
        with self._lock:
            if extra:
                self._con.register("extra", dict(extra))
            passing = f"memory.main.passing_{id(self)}"
            self._con.execute(f"CREATE TABLE {passing} AS SELECT {picked} FROM {source} ORDER BY {order}")  # noqa: S608
            if extra:
                self._con.unregister("extra")
            # A temporary table belongs to its own connection, so every table of the family calls its data `data`.
            con = self._con.cursor()
            con.execute(f"CREATE TEMP TABLE data AS SELECT * FROM {passing}")  # noqa: S608
            con.execute(f"DROP TABLE {passing}")
        n_rows = int(con.execute("SELECT count(*) FROM data").fetchall()[0][0])
        headers = [header for header, _ in columns]
        kept = {header: self.units[header] for header in headers if header in self.units}
        return Table(con, self.name, headers, n_rows, declared, {}, findings, {**kept, **(units or {})})

    def engine_column(self, name: str) -> tuple[str, str]:
        """The engine's name and the type of a column, for code that builds queries."""
        i = self._index[self.resolve(name)]
        return f"c{i}", DTYPES[self._types[i]]


def quote_name(name: str) -> str:
    """A column name as it is written inside double quotes of a filter."""
    return name.replace('"', '""')


def _fold_blanks(name: str) -> str:
    return re.sub(r"\s+", "", name.casefold())


def fold_marks(name: str) -> str:
    """A name without case, blanks and marks."""
    return re.sub(r"[\W_]+", "", name.casefold())
