"""Contingency tables: crossing of labels, names of rows and columns, and how a table is written in a result."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError
from statistikles.registry.summaries import CrossedLabels

__all__ = [
    "CountTable",
    "codes_of",
    "count_labels",
    "cross_tabulate",
    "label_order",
    "label_text",
    "log_factorials",
    "named_table",
    "printed_number",
    "sorted_labels",
]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class CountTable:
    """Counts with the names of their rows and columns."""

    counts: Array
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def n(self) -> int:
        """Total count."""
        return int(self.counts.sum())

    @property
    def row_totals(self) -> Array:
        """Totals of the rows."""
        out: Array = self.counts.sum(axis=1)
        return out

    @property
    def column_totals(self) -> Array:
        """Totals of the columns."""
        out: Array = self.counts.sum(axis=0)
        return out

    @property
    def expected(self) -> Array:
        """Expected counts under independence."""
        out: Array = np.outer(self.row_totals, self.column_totals) / self.counts.sum()
        return out

    def nested(self, values: Array, *, whole: bool = False) -> dict[str, dict[str, float | int]]:
        """Values of the same shape as {row: {column: value}}."""
        return {
            row: {
                column: int(values[i, j]) if whole else float(values[i, j])
                for j, column in enumerate(self.columns)
            }
            for i, row in enumerate(self.rows)
        }


def label_text(label: Any) -> str:
    """A category as text: whole numbers without a decimal point."""
    if isinstance(label, bool):
        return "true" if label else "false"
    if isinstance(label, float) and label.is_integer() and abs(label) < 1e15:
        return str(int(label))
    return str(label)


# A number as a column prints it; codes with leading zeros stay text.
_PRINTED = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d{1,3})?")


def printed_number(label: Any) -> float | None:
    """The value of a number or of text that is one; None for other text."""
    if isinstance(label, str):
        if not _PRINTED.fullmatch(label):
            return None
        value = float(label)
        return value if math.isfinite(value) else None
    return float(label)


def label_order(label: Any) -> tuple[int, float, str]:
    """Sort key: numbers first, by value, printed ones among them; then text, alphabetically."""
    value = printed_number(label)
    return (1, 0.0, str(label)) if value is None else (0, value, str(label))


def sorted_labels(labels: Sequence[Any] | NDArray[Any]) -> list[Any]:
    """The different labels, numbers by value before text by alphabet."""
    return sorted(set(_distinct(labels)), key=label_order)


def _distinct(labels: Sequence[Any] | NDArray[Any]) -> Sequence[Any] | NDArray[Any]:
    """Labels in which true and 1, which are equal to Python, are told apart."""
    kinds = set(map(type, labels))
    return [label_text(v) if isinstance(v, bool) else v for v in labels] if bool in kinds else labels


def count_labels(labels: Sequence[Any] | NDArray[Any]) -> dict[str, int]:
    """{category: count}, in sorted order of the categories."""
    out: dict[str, int] = {}
    tally = Counter(_distinct(labels))
    for label in sorted(tally, key=label_order):
        name = label_text(label)
        out[name] = out.get(name, 0) + tally[label]
    return out


def codes_of(labels: Sequence[Any] | NDArray[Any], names: Sequence[str]) -> NDArray[np.int64]:
    """The place of each label among the names."""
    place = {name: i for i, name in enumerate(names)}
    distinct = _distinct(labels)
    known = {label: place[label_text(label)] for label in set(distinct)}
    return np.fromiter((known[label] for label in distinct), dtype=np.int64, count=len(labels))


def cross_tabulate(x: Any, y: Any) -> CountTable:
    """Counts of the pairs of labels: rows are the labels of x, columns those of y."""
    if isinstance(x, CrossedLabels) and isinstance(y, CrossedLabels):
        return _counted_table(x, y)
    rows, columns = tuple(count_labels(x)), tuple(count_labels(y))
    cells = codes_of(x, rows) * len(columns) + codes_of(y, columns)
    counts = np.bincount(cells, minlength=len(rows) * len(columns)).astype(np.float64)
    return CountTable(counts.reshape(len(rows), len(columns)), rows, columns)


def _counted_table(x: CrossedLabels, y: CrossedLabels) -> CountTable:
    """The table of labels that were counted where they are."""
    rows, columns = (tuple(sorted(labels.categories, key=label_order)) for labels in (x, y))
    counts = np.zeros((len(rows), len(columns)))
    for pair, count in x.counts.items():
        counts[rows.index(pair[x.place]), columns.index(pair[y.place])] += count
    return CountTable(counts, rows, columns)


def named_table(
    counts: Array, row_names: tuple[str, ...] | None, column_names: tuple[str, ...] | None
) -> CountTable:
    """A table with the names given, or 'row1', 'column1' and so on."""
    r, c = counts.shape

    def chosen(names: tuple[str, ...] | None, size: int, word: str) -> tuple[str, ...]:
        if names is None:
            return tuple(f"{word}{i}" for i in range(1, size + 1))
        if len(names) != size:
            raise InputError(
                f"'{word}_names' holds {len(names)} names for {size} {word}s.",
                hint=f"Give one name per {word}.",
                where=f"{word}_names",
                code="length_mismatch",
            )
        return names

    return CountTable(counts, chosen(row_names, r, "row"), chosen(column_names, c, "column"))


def log_factorials(top: int) -> Array:
    """log k! for k = 0 .. top, each to full precision."""
    return np.array([math.lgamma(k + 1.0) for k in range(top + 1)])
