"""What the planner knows of a table: its columns, their kinds, levels and how specific each name word is."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from statistikles.neural.planner.thesaurus import word_set
from statistikles.neural.planner.words import is_common, split_name

__all__ = ["ColumnView", "TableView"]

# Words that say how a column is measured rather than what it is about.
_GENERIC = word_set(
    """number num count amount amt mnt level levels value values total sum average avg mean rate status score
    index code data variable z x y the of in per and id unit no field measure name date year flag indicator
    customer client patient student passenger participant subject person people individual respondent product products
    item"""
)
# Units at the end of a name measure it, they do not name it.
_UNITS = word_set(
    "mm cm m km g kg mg ug lb lbs oz ml l mmhg hg s sec ms min h hr hrs c f k pct percent usd eur gbp ha"
)
# A column with at most this many different whole numbers is a code or an ordered scale rather than a measurement.
ORDERED_AT_MOST = 7


@dataclass(frozen=True)
class ColumnView:
    """One column as the planner sees it.

    `kind` is number, category, text, date or empty; `levels` lists the different values when they are few. `formula`
    defines a column that the table does not hold; `as_number` is how a column of text is read as numbers; a column
    of zeros and ones made from a category is read `against` its reference level.
    """

    name: str
    kind: str
    n: int = 0
    n_missing: int = 0
    n_distinct: int = 0
    levels: tuple[str, ...] = ()
    whole: bool = False
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    identifier: bool = False
    formula: str = ""
    as_number: str = ""
    against: str = ""

    @property
    def numeric(self) -> bool:
        """Whether it holds numbers."""
        return self.kind == "number"

    @property
    def constant(self) -> bool:
        """Whether all its values are equal."""
        return self.n_distinct <= 1

    @property
    def binary(self) -> bool:
        """Whether it has exactly two different values."""
        return self.n_distinct == 2

    @property
    def zero_one(self) -> bool:
        """Whether it is a number coded 0 and 1."""
        return self.numeric and self.binary and (self.minimum, self.maximum) == (0.0, 1.0)

    @property
    def yes_or_no(self) -> bool:
        """Whether it says yes or no of each row."""
        return self.binary and {lv.casefold() for lv in self.levels} <= {
            "yes",
            "no",
            "true",
            "false",
            "0",
            "1",
            "y",
            "n",
        }

    @property
    def groups(self) -> bool:
        """Whether it can divide the rows into groups: categories, or few whole-number codes."""
        if self.kind in ("category", "boolean"):
            return 2 <= self.n_distinct <= min(60, max(2, (self.n - self.n_missing) // 2))
        return self.numeric and self.whole and 2 <= self.n_distinct <= ORDERED_AT_MOST

    @property
    def ordered(self) -> bool:
        """Whether it looks like a rating or an ordered code."""
        return self.numeric and self.whole and 2 < self.n_distinct <= ORDERED_AT_MOST

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name."""
        words = split_name(self.name)
        while len(words) > 1 and words[-1] in _UNITS:
            words.pop()
        return tuple(words) or (self.name.casefold(),)


@dataclass(frozen=True)
class TableView:
    """A table as the planner sees it; `shared` when there are others, so that references must name it."""

    name: str
    n_rows: int
    columns: tuple[ColumnView, ...]
    shared: bool = False
    _weights: dict[str, float] = field(default_factory=dict, compare=False, repr=False)

    def __getitem__(self, name: str) -> ColumnView:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(name)

    def columns_with(self, word: str) -> int:
        """In how many column names a word occurs, alone or as part of another."""
        return sum(any(word in other for other in column.words) for column in self.columns)

    def extended(self, columns: Sequence[ColumnView]) -> TableView:
        """The table with further columns, which hide those of the same name."""
        if not columns:
            return self
        names = {c.name for c in columns}
        kept = tuple(c for c in self.columns if c.name not in names)
        return TableView(self.name, self.n_rows, (*kept, *columns), self.shared)

    def weight(self, word: str) -> float:
        """How specific a name word is in this table: rare words count more, words of measure less."""
        if word not in self._weights:
            count = self.columns_with(word)
            rarity = math.log(1 + len(self.columns) / max(count, 1))
            if is_common(word):
                rarity *= 0.2
            generic = word in _GENERIC or (len(word) == 1 and not word.isdigit())
            self._weights[word] = rarity * (0.3 if generic else 1.0)
        return self._weights[word]

    @cached_property
    def last_of_series(self) -> frozenset[str]:
        """Columns with the highest number of a numbered series (G3 of G1, G2, G3)."""
        series: dict[str, list[tuple[int, str]]] = {}
        for column in self.columns:
            if (match := re.fullmatch(r"(.*?\D)[ _]?(\d+)", column.name)) is not None:
                series.setdefault(match[1], []).append((int(match[2]), column.name))
        return frozenset(max(members)[1] for members in series.values() if len(members) > 1)

    @classmethod
    def of_rows(cls, name: str, rows: Sequence[Mapping[str, object]]) -> TableView:
        """A view of rows in memory; for tests and for small inline tables."""
        names = list(rows[0]) if rows else []
        return cls(name, len(rows), tuple(_column(n, [row.get(n) for row in rows]) for n in names))


def _column(name: str, values: Sequence[object]) -> ColumnView:
    present = [v for v in values if v is not None]
    numeric = bool(present) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in present)
    distinct = list(dict.fromkeys(str(v) for v in present))
    numbers = [float(v) for v in present] if numeric else []  # type: ignore[arg-type]
    kind = "number" if numeric else "category" if len(distinct) <= 60 else "text"
    return ColumnView(
        name=name,
        kind=kind if present else "empty",
        n=len(values),
        n_missing=len(values) - len(present),
        n_distinct=len(distinct),
        levels=tuple(sorted(distinct)) if len(distinct) <= 60 else (),
        whole=numeric and all(v.is_integer() for v in numbers),
        minimum=min(numbers, default=None),
        maximum=max(numbers, default=None),
    )
