"""One look over all columns: the counts and moments that every later stage reads, in a few engine queries."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.tables import Table

__all__ = ["NumberFacts", "Survey", "TextFacts", "listed"]


@dataclass(frozen=True, slots=True)
class NumberFacts:
    """What a numeric column's finite values look like. Quartiles are type 7 (linear), the SD has divisor n - 1."""

    n: int
    n_unique: int
    n_infinite: int
    n_negative: int
    n_zero: int
    n_fractional: int
    low: float
    high: float
    mean: float
    q1: float
    median: float
    q3: float


@dataclass(frozen=True, slots=True)
class TextFacts:
    """How long the entries of a text column are, and how many have several words."""

    n: int
    longest: int
    mean_length: float
    n_with_blank: int


@dataclass(slots=True)
class Survey:
    """A table with what was measured on it, handed from stage to stage."""

    table: Table
    numbers: dict[str, NumberFacts] = field(default_factory=dict)
    texts: dict[str, TextFacts] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table) -> Survey:
        """Measure a table."""
        survey = cls(table)
        numeric = [c for c in table.columns if c.n and c.dtype in ("integer", "float")]
        if numeric:
            survey.numbers = _numbers(table, numeric)
        texts = [c for c in table.columns if c.n and c.dtype == "text"]
        if texts:
            survey.texts = _texts(table, texts)
        return survey

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the table."""
        return self.table.columns

    def column(self, name: str) -> Column:
        """One column."""
        return self.table.column(name)

    def sql(self, name: str) -> str:
        """The engine's name of a column."""
        return self.table.engine_column(name)[0]

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of a query on the table `data`."""
        return self.table.query(sql)

    def first_rows(self, condition: str, most: int = 10) -> tuple[int, ...]:
        """The first data rows (from 1) for which an SQL condition holds."""
        rows = self.query(f"SELECT rowid + 1 FROM data WHERE {condition} ORDER BY rowid LIMIT {most}")  # noqa: S608
        return tuple(int(row[0]) for row in rows)


def _numbers(table: Table, columns: Sequence[Column]) -> dict[str, NumberFacts]:
    asked, finite = [], []
    for column in columns:
        c = table.engine_column(column.name)[0]
        whole = column.dtype == "integer"
        finite.append(c if whole else f"CASE WHEN isfinite({c}) THEN {c} END AS {c}")
        fractional = "0" if whole else f"count_if({c} <> floor({c}))"
        asked.append(
            f"count({c}), count_if({c} < 0), count_if({c} = 0), {fractional}, min({c}), max({c}), "
            f"avg({c}), quantile_cont({c}, [0.25, 0.5, 0.75])"
        )
    row = table.query(f"SELECT {', '.join(asked)} FROM (SELECT {', '.join(finite)} FROM data)")[0]  # noqa: S608
    out = {}
    for place, column in enumerate(columns):
        n, negative, zero, fractional, low, high, mean, quartiles = row[8 * place : 8 * place + 8]
        moments = [0.0 if v is None else float(v) for v in (low, high, mean, *(quartiles or (0.0, 0.0, 0.0)))]
        counts = (int(n), column.n_unique, column.n - int(n), int(negative), int(zero), int(fractional))
        out[column.name] = NumberFacts(*counts, *moments)
    return out


def _texts(table: Table, columns: Sequence[Column]) -> dict[str, TextFacts]:
    names = [table.engine_column(c.name)[0] for c in columns]
    asked = ", ".join(
        f"count({c}), max(length({c})), avg(length({c})), count_if(contains(trim({c}), ' '))" for c in names
    )
    row = table.query(f"SELECT {asked} FROM data")[0]  # noqa: S608
    out = {}
    for place, column in enumerate(columns):
        n, longest, mean, blanks = row[4 * place : 4 * place + 4]
        out[column.name] = TextFacts(int(n), int(longest or 0), float(mean or 0.0), int(blanks or 0))
    return out


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names as a reader lists them: `a, b, c and 4 more`."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
