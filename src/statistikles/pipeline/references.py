"""Column references: the arguments of a call that name columns instead of retyping values.

    "body_mass_g"                                              the whole column
    {"column": "body_mass_g", "where": "species = 'Adelie'"}   some of its rows
    {"column": "body_mass_g", "by": "species"}                 one vector per group

With several tables, a reference also carries "table". A reference may define new columns for itself:

    {"column": "family size", "define": {"family size": "sibsp + parch"}}
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, InputError, did_you_mean
from statistikles.pipeline.tables import Groups, Table

if TYPE_CHECKING:
    from statistikles.pipeline.tables import FloatVector, TextVector

__all__ = ["Catalog", "Reference"]

_KEYS = ("column", "by", "where", "table", "define")
_TEXTS = _KEYS[:-1]


@dataclass(frozen=True, slots=True)
class Reference:
    """A parsed reference to a column, part of it, or its groups."""

    column: str
    where: str | None = None
    by: str | None = None
    table: str | None = None
    define: Mapping[str, str] | None = None

    @staticmethod
    def looks_like(value: Any) -> bool:
        """Whether a JSON value is meant as a reference (a text, or an object with a column)."""
        return isinstance(value, (str, Reference)) or (isinstance(value, Mapping) and "column" in value)

    @classmethod
    def parse(cls, value: Any, *, argument: str = "column") -> Reference:
        """A reference from its JSON form."""
        if isinstance(value, Reference):
            return value
        if isinstance(value, str):
            return cls(value)
        if not isinstance(value, Mapping) or "column" not in value:
            raise InputError(
                f"'{argument}' does not name a column.",
                hint='Give a column name, or {"column": NAME, "where": CONDITION}.',
                where=argument,
            )
        unknown = [str(key) for key in value if key not in _KEYS]
        if unknown:
            raise InputError(
                f"'{argument}' has an unknown part '{unknown[0]}'.",
                hint=did_you_mean(unknown[0], _KEYS) or f"Its parts may be {', '.join(_KEYS)}.",
                where=argument,
            )
        for key in _TEXTS:
            if value.get(key) is not None and not isinstance(value[key], str):
                raise InputError(f"The part '{key}' of '{argument}' must be text.", where=argument)
        if value["column"] is None:
            raise InputError(f"'{argument}' does not name a column.", where=argument)
        define = value.get("define")
        if define is not None and not (
            isinstance(define, Mapping) and all(isinstance(p, str) for pair in define.items() for p in pair)
        ):
            raise InputError(
                f"The part 'define' of '{argument}' must map names of new columns to formulas.",
                hint='Write for example {"define": {"family size": "sibsp + parch"}}.',
                where=argument,
            )
        return cls(value["column"], value.get("where"), value.get("by"), value.get("table"), define or None)

    def to_dict(self) -> dict[str, Any]:
        """The JSON form, without empty parts."""
        parts = {key: getattr(self, key) for key in _KEYS}
        return {key: part for key, part in parts.items() if part is not None}


class Catalog(Mapping[str, Table]):
    """The tables of a session by name, and the resolution of references into them."""

    def __init__(self, tables: Mapping[str, Table] | None = None) -> None:
        self._tables = dict(tables or {})
        self._vectors: dict[bytes, str] | None = None
        self._values: dict[str, Any] = {}

    @classmethod
    def of(cls, data: Any, decisions: Any = None) -> Catalog:
        """A catalog from a path, a frame, a table, or a mapping of names to these.

        Parameters
        ----------
        data : the sources.
        decisions : what was decided about them; a column's decision is for every table that has the column.

        Raises
        ------
        InputError : a decision that cannot be meant.
        DataError : a source that cannot be read, or that contradicts a decision about it.
        """
        from statistikles.pipeline.sources import load

        if data is None:
            return cls()
        if isinstance(data, Catalog):
            return data
        if isinstance(data, Mapping) and not _is_columns(data):
            return cls(_loaded(data, decisions))
        table = load(data, decisions=decisions)
        return cls({table.name: table})

    def __getitem__(self, name: str) -> Table:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def table(self, name: str | None = None) -> Table:
        """The table meant: the named one, or the only one."""
        if not self._tables:
            raise DataError(
                "No data are loaded, so no column can be used.",
                hint="Give data, for example --data FILE.",
                where="data",
                code="no_data",
            )
        if name is None:
            if len(self._tables) > 1:
                listed = ", ".join(self._tables)
                raise DataError(
                    "Several tables are loaded; say which one is meant.",
                    hint=f'Add "table": one of {listed}.',
                    where="table",
                    code="which_table",
                )
            return next(iter(self._tables.values()))
        if name in self._tables:
            return self._tables[name]
        hits = [known for known in self._tables if known.casefold() == name.casefold()]
        if len(hits) == 1:
            return self._tables[hits[0]]
        listed = ", ".join(self._tables)
        raise DataError(
            f"There is no table '{name}'.",
            hint=did_you_mean(name, self._tables) or f"The tables are: {listed}.",
            where="table",
            code="unknown_table",
        )

    def table_of(self, reference: Reference) -> Table:
        """The table of a reference; without a name, the only one that has the column."""
        found = None
        if reference.table is None and len(self._tables) > 1:
            having = [t for t in self._tables.values() if reference.column in t.column_names]
            found = having[0] if len(having) == 1 else None
        found = found if found is not None else self.table(reference.table)
        if not reference.define:
            return found
        from statistikles.pipeline.defined import DefinedTable

        return DefinedTable(found, reference.define)

    def vector(self, value: Any, *, argument: str = "column") -> FloatVector:
        """A reference as numbers, missing values masked."""
        reference = self._ungrouped(value, argument)
        return self.table_of(reference).numbers(reference.column, reference.where)

    def labels(self, value: Any, *, argument: str = "column") -> TextVector:
        """A reference as text labels, missing values masked."""
        reference = self._ungrouped(value, argument)
        return self.table_of(reference).labels(reference.column, reference.where)

    def columns(self, values: Any, *, argument: str = "columns") -> dict[str, FloatVector]:
        """A list of references as named numeric columns of equal length."""
        if Reference.looks_like(values):
            values = [values]
        if not isinstance(values, Sequence) or not values:
            raise InputError(f"'{argument}' must be a list of columns.", where=argument)
        out: dict[str, FloatVector] = {}
        for value in values:
            reference = self._ungrouped(value, argument)
            table = self.table_of(reference)
            name = table.resolve(reference.column, where=argument)
            if name in out:
                raise InputError(f"Column '{name}' is named twice in '{argument}'.", where=argument)
            out[name] = table.numbers(name, reference.where)
        if len({len(v) for v in out.values()}) > 1:
            raise InputError(
                f"The columns of '{argument}' have different numbers of rows.",
                hint="Use the same table and the same filter for all of them.",
                where=argument,
            )
        return out

    def groups(self, value: Any, *, argument: str = "groups") -> Groups:
        """A reference with "by" as one vector per group."""
        reference = Reference.parse(value, argument=argument)
        if reference.by is None:
            raise InputError(
                f"'{argument}' does not say how to form groups.",
                hint='Add "by": a grouping column, as in {"column": "body_mass_g", "by": "species"}.',
                where=argument,
            )
        return self.table_of(reference).groups(reference.column, reference.by, reference.where)

    def _ungrouped(self, value: Any, argument: str) -> Reference:
        reference = Reference.parse(value, argument=argument)
        if reference.by is not None:
            raise InputError(
                f"'{argument}' needs one column, not groups.",
                hint='Leave out "by"; use "where" to choose one group.',
                where=argument,
            )
        return reference

    # --- where do these numbers come from? -----------------------------------------------------------------

    def contains_vector(self, values: Any) -> str | None:
        """The numeric column that holds exactly these numbers in this order (missing left out), if any."""
        import numpy as np

        try:
            array = np.asarray(values, dtype=np.float64).ravel()
        except (TypeError, ValueError):
            return None
        if len(array) == 0 or not bool(np.isfinite(array).all()):
            return None
        if self._vectors is None:
            self._vectors = {}
            for table, name in self._numeric_columns():
                self._vectors.setdefault(_digest(self._whole(table, name)), self._full_name(table, name))
        return self._vectors.get(_digest(array))

    def contains_value(self, x: float) -> bool:
        """Whether any numeric column of any table has this number in it."""
        import numpy as np

        wanted = float(x)
        for table, name in self._numeric_columns():
            key = self._full_name(table, name)
            if key not in self._values:
                self._values[key] = np.unique(self._whole(table, name))
            known = self._values[key]
            at = int(np.searchsorted(known, wanted))
            if at < len(known) and float(known[at]) == wanted:
                return True
        return False

    def _numeric_columns(self) -> Iterator[tuple[Table, str]]:
        for table in self._tables.values():
            for name in table.column_names:
                if table.dtype(name) in ("integer", "float"):
                    yield table, name

    def _whole(self, table: Table, name: str) -> Any:
        """The values present in a column, infinities left out."""
        import numpy as np

        present = table.values_present(name)
        return present[np.isfinite(present)]

    def _full_name(self, table: Table, name: str) -> str:
        return name if len(self._tables) == 1 else f"{table.name}.{name}"


def _loaded(data: Mapping[Any, Any], decisions: Any) -> dict[str, Table]:
    """Several tables, each with the decisions that are about it."""
    from statistikles.pipeline.canonicalise.decisions import TABLE, Decisions
    from statistikles.pipeline.sources import load

    decided = Decisions.of(decisions)
    if len(data) == 1:
        return {str(name): load(item, name=str(name), decisions=decided) for name, item in data.items()}
    whole = decided.only(())
    tables = {str(name): load(item, name=str(name), decisions=whole) for name, item in data.items()}
    decided.resolved([*{h.casefold(): h for table in tables.values() for h in table.column_names}.values()])
    shared = _shared(decided, tables, data)
    for name, item in data.items():
        about = shared[str(name)]
        if any(column != TABLE for column, _, _ in about):
            tables[str(name)] = load(item, name=str(name), decisions=about)
    return tables


def _shared(decided: Any, tables: Mapping[str, Table], data: Mapping[Any, Any]) -> dict[str, Any]:
    """Which decisions are for which table: those whose findings ask for it, else those that it can be about.

    Raises
    ------
    DataError : a decision that the data of every table with its column contradict.
    """
    from statistikles.pipeline.canonicalise.decisions import TABLE, Decisions
    from statistikles.pipeline.sources import load

    whole = [d for d in decided if d[0] == TABLE]
    chosen = {name: list(whole) for name in tables}
    for made in decided:
        column, key, _ = made
        if column == TABLE:
            continue
        having = [name for name, table in tables.items() if Decisions([made]).only(table.column_names)]
        asking = [name for name in having if _asks(tables[name], column, key)]
        refused: dict[str, DataError] = {}
        # A code for missing is one wherever it stands; everything else is settled where it is asked.
        meant = having if key == "missing" or not asking else asking
        for name in meant if len(having) > 1 else ():
            others = [d for d in decided if d[0].casefold() == column.casefold() and d != made]
            try:
                load(
                    next(item for known, item in data.items() if str(known) == name),
                    name=name,
                    decisions=Decisions([*whole, *others, made]),
                )
            except DataError as fault:
                if fault.code != "decision_contradicted":
                    raise
                refused[name] = fault
        if refused and len(refused) == len(meant):
            first = next(iter(refused.values()))
            listed = " and ".join(f"'{name}'" for name in having)
            first.message = f"{first.message.rstrip('.')} (in {listed})."
            first.args = (first.message,)
            raise first
        for name in meant:
            if name not in refused:
                chosen[name].append(made)
    return {name: Decisions(picked) for name, picked in chosen.items()}


def _asks(table: Table, column: str, key: str) -> bool:
    """Whether a finding of the table names this decision."""
    from statistikles.pipeline.canonicalise import doubts

    found = [*table.findings, *doubts(table)]
    return any(f"`{column}:{key}=".casefold() in finding.asked.casefold() for finding in found)


def _digest(array: Any) -> bytes:
    return hashlib.blake2b((array + 0.0).tobytes(), digest_size=16).digest()


def _is_columns(data: Mapping[Any, Any]) -> bool:
    """Whether a mapping holds columns (sequences of plain values) rather than tables."""
    return bool(data) and all(
        (isinstance(v, Sequence) and not isinstance(v, (str, bytes)))
        or (hasattr(v, "ndim") and v.ndim == 1 and not hasattr(v, "columns"))
        for v in data.values()
    )
