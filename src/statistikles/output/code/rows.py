"""Row filters as conditions of R and Python; what has no plain counterpart is written as the numbers of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statistikles.output.code.languages import Language
from statistikles.pipeline.filter_syntax import (
    Between,
    Compare,
    Constant,
    InList,
    IsMissing,
    Junction,
    Name,
    Node,
    Not,
    parse,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from statistikles.pipeline.tables import Table

__all__ = ["selection"]

# What "not" makes of a comparison; with a missing value both are untrue, so "not" moves into the comparison.
_OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_SIGNS = {"=": "==", "<>": "!="}


class _NoCounterpart(Exception):
    """The filter says something that the languages say differently."""


def selection(where: str, table: Table, read: Callable[[str, str], str], language: Language) -> str:
    """The expression that chooses the rows.

    Parameters
    ----------
    where : the filter.
    table : the table it is about.
    read : gives the expression of a column, from its kind ("number" or "text") and its name.
    language : R or Python.
    """
    try:
        condition = _Writer(table, read, language).write(parse(where), negated=False)
    except _NoCounterpart:
        return _row_numbers(table.selection(where).tolist(), language)
    return f"which({condition})" if language.name == "R" else f"np.flatnonzero({condition})"


def _row_numbers(rows: list[int], language: Language) -> str:
    """The rows themselves, runs as ranges."""
    runs: list[tuple[int, int]] = []
    for row in rows:
        if runs and row == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    if language.name == "R":
        parts = [f"{a + 1}" if a == b else f"{a + 1}:{b + 1}" for a, b in runs]
        return "c(" + ", ".join(parts) + ")"
    return "np.r_[" + ", ".join(f"{a}:{b + 1}" for a, b in runs) + "]"


class _Writer:
    def __init__(self, table: Table, read: Callable[[str, str], str], language: Language) -> None:
        self.table, self.read, self.language = table, read, language

    def write(self, node: Node, *, negated: bool) -> str:
        if isinstance(node, Not):
            return self.write(node.operand, negated=not negated)
        if isinstance(node, Junction):
            word = {"and": "or", "or": "and"}[node.word] if negated else node.word
            return self.language.either([self.write(part, negated=negated) for part in node.parts], word)
        if isinstance(node, IsMissing):
            return self._missing(node.operand, present=node.negated is not negated)
        if isinstance(node, InList):
            inside = node.negated is negated
            parts = [self._compare(node.operand, "=" if inside else "<>", item) for item in node.items]
            return self.language.either(parts, "or" if inside else "and")
        if isinstance(node, Between):
            inside = node.negated is negated
            low = self._compare(node.operand, ">=" if inside else "<", node.low)
            high = self._compare(node.operand, "<=" if inside else ">", node.high)
            return self.language.either([low, high], "and" if inside else "or")
        if isinstance(node, Compare):
            operator = _OPPOSITE[node.operator] if negated else node.operator
            return self._compare(node.left, operator, node.right)
        raise _NoCounterpart

    def _kind(self, node: Node) -> tuple[str, str]:
        """'number' or 'text', and the exact name of the column."""
        if not isinstance(node, Name):
            raise _NoCounterpart
        name = self.table.resolve(node.name)
        dtype = self.table.dtype(name)
        if dtype not in ("integer", "float", "text"):
            raise _NoCounterpart
        return ("text" if dtype == "text" else "number"), name

    def _missing(self, node: Node, *, present: bool) -> str:
        kind, name = self._kind(node)
        column = self.read(kind, name)
        if self.language.name == "R":
            return f"{'!' if present else ''}is.na({column})"
        return f"{'~' if present else ''}missing({column})"

    def _compare(self, left: Node, operator: str, right: Node) -> str:
        kind, name = self._kind(left)
        if not isinstance(right, Constant) or isinstance(right.value, bool):
            raise _NoCounterpart
        if isinstance(right.value, str) is not (kind == "text") or (
            kind == "text" and operator not in _SIGNS
        ):
            raise _NoCounterpart
        column = self.read(kind, name)
        sign = _SIGNS.get(operator, operator)
        test = f"{column} {sign} {self.language.scalar(right.value)}"
        if (
            operator == "<>" and self.language.name == "Python"
        ):  # there, a missing value differs from everything
            return f"({test}) & ~missing({column})"
        return test
