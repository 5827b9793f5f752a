"""Sums computed where the rows are: the same SQL for the embedded engine and for a Spark cluster.

Every sum is taken over whole numbers: a deviation from the mean is scaled to at most 1, its products are
multiplied by 2^61 and rounded, and the engine adds integers. Such a sum is exact, so it is the same
whatever the order of rows, the number of threads or the parts a table is split in; what the rounding loses lies
2^-61 below the largest term. Two passes: counts, range and a rough mean, then everything about that mean. The
rough mean is set on a coarse grid over the range, so that its last digits, which do depend on order, do not count.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from statistikles.errors import InputError
from statistikles.registry.summaries import NeedsValues
from statistikles.stats._sums import PowerSums, SampleSums

if TYPE_CHECKING:
    from statistikles.pipeline.order_statistics import Buckets

__all__ = [
    "DUCKDB",
    "SPARK",
    "Dialect",
    "Groups",
    "Pushdown",
    "Runner",
    "exponent_of",
    "grid_mean",
    "not_finite",
    "number",
]

_UNIT = 2**61
BUCKETS_FROM = 100_000  # values from which on counting by bucket is quicker than the engine's percentiles


class Runner(Protocol):
    """What answers a query over the table `data`."""

    def ask(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The rows of the answer."""
        ...


@dataclass(frozen=True, slots=True)
class Dialect:
    """Where engines differ: whether integer sums may outgrow 64 bits, and whether rows have an order."""

    wide_sums: bool
    ordered: bool

    def total(self, term: str) -> list[str]:
        """SQL of the exact sum of a term between -1 and 1; in two halves where sums have 64 bits."""
        # Both round half to even: the cast of the one engine does, that of the other cuts off.
        scaled = f"({term}) * {number(float(_UNIT))}"
        if self.wide_sums:
            return [f"sum(CAST({scaled} AS BIGINT))"]
        whole = f"CAST(rint({scaled}) AS BIGINT)"
        return [f"sum(shiftright({whole}, 32))", f"sum({whole} & 4294967295)"]

    def read(self, cells: Sequence[Any]) -> list[Fraction]:
        """The sums that `total` asked for, from their cells."""
        if self.wide_sums:
            return [Fraction(int(c), _UNIT) for c in cells]
        return [Fraction((int(cells[i]) << 32) + int(cells[i + 1]), _UNIT) for i in range(0, len(cells), 2)]


def number(value: float) -> str:
    """A double as SQL that reads back as the same double."""
    return f"CAST('{float(value)!r}' AS DOUBLE)"


def grid_mean(low: float, high: float, rough: float | None) -> float:
    """A rough mean moved to the nearest of 1025 points from the smallest to the largest value."""
    if rough is None or not low < high or not math.isfinite(rough):
        return low / 2 + high / 2
    step = high / 1024 - low / 1024
    return min(max(low + round((rough - low) / step) * step, low), high) if step else low


def exponent_of(low: float, high: float, pivot: float) -> int:
    """e with |x - pivot| <= 2^e for all x in the range, by a safe margin.

    Raises
    ------
    NeedsValues : the range is too wide for squares and fourth powers of doubles.
    """
    reach = max(high - pivot, pivot - low)
    if not reach < 2.0**250 or 0 < reach < 2.0**-250:
        raise NeedsValues("range")
    return math.frexp(reach)[1] + 1 if reach else 0


DUCKDB = Dialect(wide_sums=True, ordered=True)
SPARK = Dialect(wide_sums=False, ordered=False)


@dataclass(frozen=True, slots=True)
class Pushdown:
    """Where the rows are: who answers, how it adds, and how a group's value is called."""

    runner: Runner
    dialect: Dialect
    label: Callable[[Any], str]

    def over(self, inner: str, parameters: Sequence[Any]) -> Pushdown:
        """The same over a derived table (SQL that ends in "AS data") with the parameters it binds."""
        return replace(self, runner=_Over(self.runner, inner, tuple(parameters)))

    def sample(self, value: str, condition: str, parameters: Sequence[Any], name: str) -> SampleSums:
        """One column, or an expression, as a sample.

        Raises
        ------
        NeedsValues : there is no value.
        """
        whole = Groups(self, value, condition, tuple(parameters), name)
        whole.count()
        found = whole.samples()
        if not found:
            raise NeedsValues("empty")
        return found[""]

    def grouped(self, value: str, by: str, condition: str, parameters: Sequence[Any], name: str) -> Groups:
        """The groups of one column."""
        groups = Groups(self, value, condition, tuple(parameters), name, by)
        groups.count()
        return groups

    def crossed(
        self, a: str, b: str, condition: str, parameters: Sequence[Any]
    ) -> dict[tuple[str, str], int]:
        """How often each pair of labels of two columns occurs; rows without one of them are left out."""
        rows = self.runner.ask(
            f"SELECT {a}, {b}, count(*) FROM data WHERE {condition} AND {a} IS NOT NULL AND {b} IS NOT NULL "  # noqa: S608
            f"GROUP BY {a}, {b}",
            parameters,
        )
        return {(self.label(x), self.label(y)): int(n) for x, y, n in rows}


@dataclass(frozen=True, slots=True)
class _Over:
    """A runner whose `data` is a derived table."""

    runner: Runner
    inner: str
    parameters: tuple[Any, ...]

    def ask(self, sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        head, _, tail = sql.partition("FROM data")
        before = head.count("?")
        bound = [*parameters[:before], *self.parameters, *parameters[before:]]
        return self.runner.ask(f"{head}FROM {self.inner}{tail}", bound)


@dataclass(slots=True)
class _Part:
    """One group on its way: its key as the engine has it, its counts and range, and its pivot."""

    key: Any
    rows: int
    n: int
    low: float
    high: float
    pivot: float


@dataclass
class Groups:
    """The groups of one column (or one group, without `by`): their sums, and what more is asked of them."""

    push: Pushdown
    value: str
    condition: str
    parameters: tuple[Any, ...]
    name: str
    by: str | None = None
    parts: dict[str, _Part] = field(default_factory=dict)
    known: dict[str, PowerSums] = field(default_factory=dict)
    n_without_group: int = 0
    buckets: Buckets | None = None

    def samples(self) -> dict[str, SampleSums]:
        """{label: sample}."""
        return {label: self._sample(label, part) for label, part in self.parts.items() if part.n}

    def _sample(self, label: str, part: _Part) -> SampleSums:
        return SampleSums(
            part.n,
            part.rows - part.n,
            part.low,
            part.high,
            powers=lambda: self._powers(label),
            order=lambda ranks: self._order(label, ranks),
            family=self,
        )

    def count(self) -> None:
        """The first pass: which groups there are, their counts and ranges."""
        key = self.by or "1"
        rows = self.push.runner.ask(
            f"SELECT g, count(*), count(v), min(v), max(v), avg(v) FROM (SELECT {key} AS g, {self.value} AS v "  # noqa: S608
            f"FROM data WHERE {self.condition}) AS t GROUP BY g",
            self.parameters,
        )
        for g, n_rows, n, low, high, rough in rows:
            if self.by and g is None:
                self.n_without_group = int(n_rows)
                continue
            if n and not (math.isfinite(low) and math.isfinite(high)):
                raise not_finite(self.name)
            low, high = (0.0, 0.0) if not n else (float(low), float(high))
            pivot = grid_mean(low, high, rough)
            self.parts[self.push.label(g) if self.by else ""] = _Part(
                g, int(n_rows), int(n), low, high, pivot
            )

    def _powers(self, label: str) -> PowerSums:
        if not self.known:
            present = [p for p in self.parts.values() if p.n]
            found = dict(zip([id(p) for p in present], self._sums(present), strict=True))
            self.known = {
                name: PowerSums(p.n, p.low, p.high, p.pivot, *found[id(p)])
                for name, p in self.parts.items()
                if p.n
            }
        return self.known[label]

    def _sums(self, parts: list[_Part]) -> list[list[Fraction]]:
        """Sums of the first four powers of the deviations from each group's pivot."""
        exponents = [exponent_of(p.low, p.high, p.pivot) for p in parts]
        pivot, scale, keys = self._by_group(
            [(p.pivot, 2.0**-e) for p, e in zip(parts, exponents, strict=True)], parts
        )
        terms = ["d", "d * d", "d * d * d", "(d * d) * (d * d)"]
        asked = [sql for term in terms for sql in self.push.dialect.total(term)]
        rows = self.push.runner.ask(
            f"SELECT g, {', '.join(asked)} FROM (SELECT {self.by or '1'} AS g, ({self.value} - {pivot}) * {scale} AS d "  # noqa: S608
            f"FROM data WHERE {self.condition} AND {self.value} IS NOT NULL) AS t GROUP BY g",
            [*keys, *self.parameters],
        )
        wanted = {self._key(part.key) for part in parts}
        answers = {
            key: self.push.dialect.read(row[1:]) for row in rows if (key := self._key(row[0])) in wanted
        }
        out = []
        for part, e in zip(parts, exponents, strict=True):
            sums = answers[self._key(part.key)]
            out.append([s * Fraction(2) ** (e * (k + 1)) for k, s in enumerate(sums)])
        return out

    @staticmethod
    def _key(value: Any) -> Any:
        return (type(value).__name__, value)

    def _by_group(
        self, values: Sequence[tuple[float, float]], parts: Sequence[_Part]
    ) -> tuple[str, str, list[Any]]:
        """SQL of a pivot and a scale that depend on the group, with the keys they bind."""
        if self.by is None:
            return number(values[0][0]), number(values[0][1]), []
        keys = [p.key for p in parts]
        cases = [
            f"CASE {self.by} " + " ".join(f"WHEN ? THEN {number(pair[k])}" for pair in values) + " END"
            for k in (0, 1)
        ]
        return cases[0], cases[1], [*keys, *keys]

    def _order(self, label: str, ranks: Sequence[int]) -> list[float]:
        """Values by rank: the p-th discrete percentile with p half a rank below, which no rounding can move."""
        part = self.parts[label]
        found = (
            self._by_buckets(label, ranks) if part.n >= BUCKETS_FROM and self.push.dialect.ordered else None
        )
        if found is not None:
            return found
        asked = ", ".join(
            f"percentile_disc({number((r - 0.5) / part.n)}) WITHIN GROUP (ORDER BY {self.value})"
            for r in ranks
        )
        chosen, more = ("", []) if self.by is None else (f" AND {self.by} = ?", [part.key])
        rows = self.push.runner.ask(
            f"SELECT {asked} FROM data WHERE {self.condition} AND {self.value} IS NOT NULL{chosen}",  # noqa: S608
            [*self.parameters, *more],
        )
        return [float(v) for v in rows[0]]

    def _by_buckets(self, label: str, ranks: Sequence[int]) -> list[float] | None:
        from statistikles.pipeline.order_statistics import Buckets

        if self.buckets is None:
            self.buckets = Buckets(self)
        return self.buckets.values(label, ranks)

    def deviations(self, centres: Mapping[str, float]) -> dict[str, SampleSums]:
        """The samples of absolute deviations from one centre per group."""
        labels = [label for label, part in self.parts.items() if part.n]
        parts = [self.parts[label] for label in labels]
        centre, _, keys = self._by_group([(centres[label], 1.0) for label in labels], parts)
        derived = Groups(self.push, "w", "true", (), self.name, "k" if self.by else None)
        kept = "" if self.by is None else f", {self.by} AS k"
        inner = (
            f"(SELECT abs({self.value} - {centre}) AS w{kept} "  # noqa: S608
            f"FROM data WHERE {self.condition}) AS data"
        )
        derived.push = self.push.over(inner, [*keys[: len(keys) // 2], *self.parameters])
        derived.count()
        return {label: derived.samples()[label] for label in labels}

    def pooled(self) -> SampleSums:
        """All values of all groups as one sample."""
        condition = self.condition if self.by is None else f"{self.condition} AND {self.by} IS NOT NULL"
        whole = Groups(self.push, self.value, condition, self.parameters, self.name)
        whole.count()
        return whole.samples()[""]


def not_finite(name: str) -> InputError:
    """The refusal of infinite values, as for arrays."""
    return InputError(
        f"Column '{name}' contains infinite values, which no statistic can use.",
        hint=f'Leave them out with a filter, such as "{name}" < 1e300.',
        where=name,
        code="not_finite",
    )
