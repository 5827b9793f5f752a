"""Columns defined by a formula over the columns of a table: `{"column": NAME, "define": {NAME: "sibsp + parch"}}`.

    fare / (sibsp + parch + 1)        log(income)        zscore(score)        cut(age, 18, 65)
    within_iqr(price, 1.5)            fill(age, median(age))                  days_between(start, end)

The grammar is that of row filters with calls of the functions of `definition_functions`; a tree is walked, no text
is run as code. A formula sees the rows that the filter keeps, so a z-score among women is a z-score of women.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, InputError
from statistikles.pipeline.definition_functions import FUNCTIONS, arithmetic
from statistikles.pipeline.filter_syntax import (
    Between,
    Binary,
    Call,
    Compare,
    Constant,
    InList,
    IsMissing,
    Junction,
    Name,
    Negate,
    Node,
    Not,
    parse,
)
from statistikles.pipeline.profile import label_of
from statistikles.pipeline.tables import Table

if TYPE_CHECKING:
    from statistikles.pipeline.tables import FloatVector, RowNumbers, TextVector

__all__ = ["DefinedTable", "numbers_written"]

_MOST = 40
_NAMES = frozenset(FUNCTIONS)


class DefinedTable(Table):
    """A table seen with further columns; it shares everything else with the table it extends."""

    def __init__(self, table: Table, definitions: Mapping[str, str]) -> None:
        if len(definitions) > _MOST:
            raise InputError(f"At most {_MOST} columns can be defined at once.", where="define")
        self.__dict__.update(table.__dict__)
        self._base = table
        self._formulas = {name: parse(text, _NAMES) for name, text in definitions.items()}
        self._pending: set[tuple[str, bool]] = set()

    @property
    def base(self) -> Table:
        """The table that is extended."""
        return self._base

    @property
    def formulas(self) -> Mapping[str, Node]:
        """The parsed formula of each defined column."""
        return self._formulas

    def resolve(self, name: str, *, where: str = "column") -> str:
        """The exact name of the column meant; a defined one goes before one of the table."""
        return name if name in self._formulas else self._base.resolve(name, where=where)

    def dtype(self, name: str) -> str:
        """The type of a column's values."""
        if name not in self._formulas:
            return self._base.dtype(name)
        return "text" if self._value(name, None).dtype == object else "float"

    def numbers(self, column: str, where: str | None = None) -> FloatVector:
        """A column as floats, missing values masked."""
        name = self.resolve(column)
        if name not in self._formulas:
            whole: FloatVector = self._base.numbers(name)
            return whole if where is None else whole[self.selection(where)]
        found: FloatVector = self._value(name, where)
        if found.dtype == object:
            raise InputError(
                f"'{name}' is defined as text where numbers are needed.",
                hint="Use it as a grouping column.",
                where=name,
                code="not_numeric",
            )
        if found.mask.all():
            raise DataError(f"'{name}' has no values: its formula is undefined in every row.", where=name)
        return found

    def labels(self, column: str, where: str | None = None) -> TextVector:
        """A column as text labels, missing values masked."""
        import numpy as np

        name = self.resolve(column)
        if name not in self._formulas:
            whole: TextVector = self._base.labels(name)
            return whole if where is None else whole[self.selection(where)]
        found: TextVector = self._value(name, where)
        if found.dtype != object:
            out = np.empty(len(found), dtype=object)
            out[:] = [label_of(v) for v in np.ma.getdata(found).tolist()]
            found = np.ma.MaskedArray(out, mask=np.ma.getmaskarray(found).copy())
        return found

    def level_order(self, column: str, present: set[str]) -> list[str]:
        """Labels in numeric order where they are numbers, else those of intervals by their bounds, else sorted."""
        if column not in self._formulas:
            return self._base.level_order(column, present)
        return sorted(present, key=_bound)

    def selection(self, where: str) -> RowNumbers:
        """The rows for which the filter is true; it may name defined columns."""
        import numpy as np

        tree = parse(where)
        if not _names(tree) & set(self._formulas):
            return self._base.selection(where)
        kept = self._walk(tree, None)
        rows = np.flatnonzero(np.ma.filled(kept.astype(bool), False)).astype(np.int64)
        if len(rows) == 0:
            raise DataError(
                f"No row of table '{self.name}' fulfils the filter: {where[:120]}", code="no_rows"
            )
        return rows

    # --- values of formulas --------------------------------------------------------------------------------

    def _value(self, name: str, where: str | None) -> Any:
        import numpy as np

        # The rows may themselves be chosen by a defined column, whose values over all rows are another matter.
        pending = (name, where is None)
        if pending in self._pending:
            raise InputError(f"'{name}' is defined by itself.", where="define")
        self._pending.add(pending)
        try:
            found = self._walk(self._formulas[name], where)
        finally:
            self._pending.discard(pending)
        length = self.n_rows if where is None else len(self.selection(where))
        if not np.ma.isMaskedArray(found) or found.ndim == 0:
            found = np.ma.MaskedArray(np.full(length, found), mask=np.zeros(length, dtype=bool))
        if found.dtype == bool:
            found = np.ma.MaskedArray(np.ma.getdata(found).astype(np.float64), mask=np.ma.getmaskarray(found))
        return np.ma.MaskedArray(np.ma.getdata(found), mask=np.ma.getmaskarray(found).copy())

    def _walk(self, node: Node, where: str | None) -> Any:
        if isinstance(node, Constant):
            return node.value
        if isinstance(node, Name):
            return self._column(node.name, where)
        if isinstance(node, Negate):
            return arithmetic("-", 0.0, self._walk(node.operand, where))
        if isinstance(node, Binary):
            return arithmetic(node.operator, self._walk(node.left, where), self._walk(node.right, where))
        if isinstance(node, Call):
            return self._call(node, where)
        return self._condition(node, where)

    def _column(self, name: str, where: str | None) -> Any:
        if name in self._formulas and (name, where is None) not in self._pending:
            return self._value(name, where)
        exact = self._base.resolve(name, where="define")
        numeric = self._base.dtype(exact) in ("integer", "float", "boolean")
        whole: Any = self._base.numbers(exact) if numeric else self._base.labels(exact)
        return whole if where is None else whole[self.selection(where)]

    def _call(self, node: Call, where: str | None) -> Any:
        given = [self._walk(argument, where) for argument in node.arguments]
        try:
            return FUNCTIONS[node.function](*given)
        except TypeError as fault:
            raise InputError(
                f"'{node.function}' does not take {len(given)} arguments of this kind.", where="define"
            ) from fault

    def _condition(self, node: Node, where: str | None) -> Any:
        """A condition as a masked array of truth values; a comparison with a missing value is missing."""
        import numpy as np

        if isinstance(node, Not):
            return ~self._walk(node.operand, where)
        if isinstance(node, Junction):
            parts = [np.ma.filled(self._walk(p, where), False) for p in node.parts]
            joined = np.logical_and.reduce(parts) if node.word == "and" else np.logical_or.reduce(parts)
            return np.ma.MaskedArray(joined, mask=np.zeros(len(joined), dtype=bool))
        if isinstance(node, IsMissing):
            gone = np.ma.getmaskarray(self._walk(node.operand, where))
            return np.ma.MaskedArray(gone != node.negated, mask=np.zeros(len(gone), dtype=bool))
        if isinstance(node, InList):
            values = self._walk(node.operand, where)
            wanted = [self._walk(item, where) for item in node.items]
            found = np.logical_or.reduce([_compared("=", values, w) for w in wanted])
            return np.ma.MaskedArray(found != node.negated, mask=np.ma.getmaskarray(values))
        if isinstance(node, Between):
            values = self._walk(node.operand, where)
            low, high = self._walk(node.low, where), self._walk(node.high, where)
            found = _compared(">=", values, low) & _compared("<=", values, high)
            return np.ma.MaskedArray(found != node.negated, mask=np.ma.getmaskarray(values))
        assert isinstance(node, Compare)
        left, right = self._walk(node.left, where), self._walk(node.right, where)
        mask = np.ma.getmaskarray(left) | np.ma.getmaskarray(right)
        return np.ma.MaskedArray(_compared(node.operator, left, right), mask=mask)


def _compared(operator: str, left: Any, right: Any) -> Any:
    import numpy as np

    a, b = np.ma.getdata(left), np.ma.getdata(right)
    text = a.dtype == object or b.dtype == object or a.dtype.kind == "U" or b.dtype.kind == "U"
    if text and operator not in ("=", "<>"):
        raise InputError("Text can be compared for being equal or not, not for order.", where="define")
    if text:
        same = a.astype(str) == b.astype(str)
        return same if operator == "=" else ~same
    return {
        "=": np.equal,
        "<>": np.not_equal,
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
    }[operator](a, b)


def _names(node: Node) -> set[str]:
    if isinstance(node, Name):
        return {node.name}
    if isinstance(node, Constant):
        return set()
    return set().union(*(_names(child) for child in node.children()))


def _bound(label: str) -> tuple[int, float, str]:
    """Where a label stands: below the first bound, by its own number, or by the alphabet."""
    if label.startswith("< "):
        return (0, float(label[2:]), label)
    match = re.match(r"(?:>= )?(-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)", label)
    return (1, float(match[1]), label) if match else (2, 0.0, label)


def numbers_written(definitions: Mapping[str, str]) -> str:
    """The formulas as one text in which a reader of filters finds the numbers."""
    return " and ".join(f"x = ({text})" for text in definitions.values())
