"""Row filters: `where` is an expression over the columns of one table and nothing else.

    species = 'Adelie' and (body_mass_g > 3500 or sex is missing)
    "math score" between 50 and 80 and gender in ('female', 'male')

The text is parsed by `filter_syntax`, each part gets a type, and the tree becomes an SQL condition whose
columns are the engine's own names c0, c1, ... and whose values are bound parameters: no text of a filter ever
reaches the engine. There are no functions and no subqueries. A comparison with a missing value is not true,
so such a row is left out.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, did_you_mean
from statistikles.pipeline.filter_syntax import (
    Between,
    Binary,
    Compare,
    Constant,
    FilterError,
    InList,
    IsMissing,
    Junction,
    Name,
    Negate,
    Node,
    Not,
    parse,
)
from statistikles.pipeline.inference import MISSING_CODES

if TYPE_CHECKING:
    import duckdb
    import numpy as np

    from statistikles.pipeline.tables import Table

__all__ = ["CompiledFilter", "compile_filter", "no_rows_error", "run_filter"]

_KINDS = {"number": "a number", "text": "text", "boolean": "true or false", "datetime": "a date or time"}


@dataclass(frozen=True, slots=True)
class CompiledFilter:
    """An SQL condition over c0, c1, ... with its bound values."""

    sql: str
    parameters: tuple[Any, ...]


def compile_filter(text: str, table: Table) -> CompiledFilter:
    """Parse, check and translate a filter for a table."""
    tree = parse(text)
    compiler = _Compiler(text, table)
    sql, kind = compiler.visit(tree)
    if kind != "boolean":
        raise FilterError(
            f"The filter is {_KINDS[kind]}, not a condition.",
            text,
            0,
            hint="Compare it with something, as in: age > 30.",
        )
    return CompiledFilter(sql, tuple(compiler.parameters))


def run_filter(
    con: duckdb.DuckDBPyConnection, compiled: CompiledFilter
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The numbers of the rows for which the condition is true."""
    import duckdb
    import numpy as np

    try:
        found = con.execute(
            f"SELECT rowid AS r FROM data WHERE {compiled.sql}",  # noqa: S608
            list(compiled.parameters),
        ).fetchnumpy()["r"]
    except duckdb.Error as fault:
        raise DataError(
            "The filter cannot be evaluated on these values.",
            hint="Simplify it, or check that its numbers are of a reasonable size.",
            where="where",
            code="bad_filter",
        ) from fault
    return np.asarray(found, dtype=np.int64)


def no_rows_error(text: str, table: Table) -> DataError:
    """The refusal of a filter that leaves nothing, with what the columns it names do contain."""
    told = []
    names: dict[str, None] = {}
    _collect_names(parse(text), names)
    for name in list(names)[:3]:
        column = table.column(name)
        if column.levels:
            told.append(f"'{column.name}' has the values {', '.join(column.levels[:12])}.")
        elif column.min is not None:
            told.append(f"'{column.name}' runs from {column.min} to {column.max}.")
    return DataError(
        f"No row of table '{table.name}' fulfils the filter: {_short(text)}",
        hint=" ".join(told) or "Relax it.",
        where="where",
        code="no_rows",
    )


def _short(text: str) -> str:
    return text if len(text) <= 120 else text[:117] + "..."


def _collect_names(node: Node, into: dict[str, None]) -> None:
    """The column names of a tree, in order."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Name):
            into.setdefault(here.name)
        elif not isinstance(here, Constant):
            stack.extend(reversed(here.children()))


@dataclass(slots=True)
class _Compiler:
    """Walks the tree, giving each part its SQL and its type."""

    text: str
    table: Table
    parameters: list[Any] = field(default_factory=list)

    def fail(self, message: str, node: Node, hint: str = "") -> FilterError:
        return FilterError(message, self.text, node.at, hint=hint)

    def visit(self, node: Node) -> tuple[str, str]:
        """SQL and type ('number', 'text', 'boolean', 'datetime') of a node."""
        if isinstance(node, Name):
            return self.name(node)
        if isinstance(node, Constant):
            return self.constant(node)
        if isinstance(node, Negate):
            sql = self.number(node.operand)
            return f"(-{sql})", "number"
        if isinstance(node, Binary):
            return self.arithmetic(node), "number"
        if isinstance(node, Not):
            return f"(NOT {self.condition(node.operand)})", "boolean"
        if isinstance(node, Junction):
            joined = f" {node.word.upper()} ".join(self.condition(part) for part in node.parts)
            return f"({joined})", "boolean"
        if isinstance(node, IsMissing):
            sql, _ = self.visit(node.operand)
            return f"({sql} IS {'NOT ' if node.negated else ''}NULL)", "boolean"
        if isinstance(node, InList):
            return self.in_list(node), "boolean"
        if isinstance(node, Between):
            return self.between(node), "boolean"
        assert isinstance(node, Compare)  # calls are refused while parsing
        return self.compare(node), "boolean"

    def name(self, node: Name) -> tuple[str, str]:
        try:
            sql, dtype = self.table.engine_column(node.name)
        except DataError as fault:
            hint = fault.hint
            if node.quote == '"' and self.is_value(node.name):
                hint = f"Text values take single quotes: '{node.name}'. " + hint
            raise FilterError(fault.message, self.text, node.at, hint=hint, code=fault.code) from None
        if dtype in ("integer", "float"):
            return sql, "number"
        return sql, dtype

    def is_value(self, text: str) -> bool:
        return any(text in column.levels for column in self.table.columns)

    def constant(self, node: Constant) -> tuple[str, str]:
        self.parameters.append(node.value)
        kind = (
            "boolean" if isinstance(node.value, bool) else "text" if isinstance(node.value, str) else "number"
        )
        cast = {"boolean": "BOOLEAN", "text": "VARCHAR"}.get(
            kind, "BIGINT" if isinstance(node.value, int) else "DOUBLE"
        )
        return f"CAST(? AS {cast})", kind

    def number(self, node: Node) -> str:
        """A part of an arithmetic expression, as a double; anything not finite is missing."""
        sql, kind = self.visit(node)
        if kind != "number":
            raise self.fail(f"Arithmetic needs numbers, but {self.told(node)} is {_KINDS[kind]}.", node)
        return f"CAST({sql} AS DOUBLE)"

    def arithmetic(self, node: Binary) -> str:
        left, right = self.number(node.left), self.number(node.right)
        if node.operator == "/":
            right = f"nullif({right}, 0)"
        raw = f"({left} {node.operator} {right})"
        return f"nullif(nullif(nullif({raw}, 'inf'::DOUBLE), '-inf'::DOUBLE), 'nan'::DOUBLE)"

    def condition(self, node: Node) -> str:
        sql, kind = self.visit(node)
        if kind != "boolean":
            raise self.fail(
                f"{self.told(node).capitalize()} is {_KINDS[kind]}, where a condition is needed.",
                node,
                "Compare it with something, as in: age > 30.",
            )
        return sql

    def told(self, node: Node) -> str:
        if isinstance(node, Name):
            return f"column '{node.name}'"
        if isinstance(node, Constant):
            return f"'{node.value}'" if isinstance(node.value, str) else str(node.value)
        return "this expression"

    def compare(self, node: Compare) -> str:
        left, right = self.aligned(node.left, node.right)
        self.check_values(node.left, [node.right])
        self.check_values(node.right, [node.left])
        return f"({left} {node.operator} {right})"

    def in_list(self, node: InList) -> str:
        parts = [
            self.aligned(node.operand, item, first=position == 0) for position, item in enumerate(node.items)
        ]
        self.check_values(node.operand, node.items)
        listed = ", ".join(right for _, right in parts)
        return f"({parts[0][0]} {'NOT ' if node.negated else ''}IN ({listed}))"

    def between(self, node: Between) -> str:
        left, low = self.aligned(node.operand, node.low)
        _, high = self.aligned(node.operand, node.high, first=False)
        return f"({left} {'NOT ' if node.negated else ''}BETWEEN {low} AND {high})"

    def aligned(self, left: Node, right: Node, *, first: bool = True) -> tuple[str, str]:
        """Both sides of a comparison, of one type. `first`: bind the left side's values (only once)."""
        mark = len(self.parameters)
        left_sql, left_kind = self.visit(left)
        if not first:
            del self.parameters[mark:]
        middle = len(self.parameters)
        right_sql, right_kind = self.visit(right)
        if left_kind == right_kind:
            return left_sql, right_sql
        if left_kind == "datetime" and isinstance(right, Constant) and right_kind == "text":
            self.parameters[middle] = self.time(right)
            return left_sql, "CAST(? AS TIMESTAMP)"
        if right_kind == "datetime" and isinstance(left, Constant) and left_kind == "text":
            self.parameters[mark] = self.time(left)
            return "CAST(? AS TIMESTAMP)", right_sql
        raise self.mismatch(left, left_kind, right, right_kind)

    def mismatch(self, left: Node, left_kind: str, right: Node, right_kind: str) -> FilterError:
        hint = ""
        for one, kind, other in ((left, left_kind, right), (right, right_kind, left)):
            if isinstance(other, Constant) and isinstance(one, Name):
                if kind == "text" and not isinstance(other.value, str):
                    hint = (
                        f"Column '{one.name}' holds text; write the value in single quotes: '{other.value}'."
                    )
                elif kind == "number" and other.value in MISSING_CODES:
                    hint = (
                        f"Missing values were recognised on loading; write: {self.written(one)} is missing."
                    )
                elif kind == "number" and isinstance(other.value, str):
                    hint = f"Column '{one.name}' holds numbers; write the value without quotes."
                elif kind == "boolean":
                    hint = f"Column '{one.name}' holds true and false; write: {self.written(one)} = true."
        return self.fail(
            f"Cannot compare {self.told(left)} ({_KINDS[left_kind]}) "
            f"with {self.told(right)} ({_KINDS[right_kind]}).",
            right,
            hint or "Compare like with like.",
        )

    def written(self, node: Name) -> str:
        return '"' + node.name.replace('"', '""') + '"' if not node.name.isidentifier() else node.name

    def time(self, node: Constant) -> dt.datetime:
        try:
            value = dt.datetime.fromisoformat(str(node.value))
        except ValueError:
            raise self.fail(
                f"'{node.value}' is not a date or time.", node, "Write dates as '2024-05-31'."
            ) from None
        return value.astimezone(dt.UTC).replace(tzinfo=None) if value.tzinfo else value

    def check_values(self, node: Node, items: list[Node] | tuple[Node, ...]) -> None:
        """Refuse a text value that a column of known categories never takes: it is nearly always a slip."""
        if not isinstance(node, Name):
            return
        column = self.table.column(node.name)
        if column.dtype != "text" or not column.levels:
            return
        for item in items:
            if not isinstance(item, Constant) or item.value in column.levels:
                continue
            value = str(item.value)
            if value in MISSING_CODES or value == "":
                hint = f"Missing values were recognised on loading; write: {self.written(node)} is missing."
            else:
                known = f"The values are: {', '.join(column.levels)}."
                hint = " ".join(part for part in (did_you_mean(value, column.levels), known) if part)
            raise FilterError(
                f"Column '{column.name}' never has the value '{value[:60]}', so no row can match it.",
                self.text,
                item.at,
                hint=hint,
                code="unknown_value",
            )
