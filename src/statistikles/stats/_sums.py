"""Sufficient statistics: samples and sets of columns known by exact sums, as an engine delivers them.

The sums are whole numbers in a fixed unit, so they do not depend on the order of rows, on threads or on how a
table is split. They are taken about the mean (a first pass finds it), and kept as fractions: what follows from
them is rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

from statistikles.registry.summaries import NeedsValues, Summary

__all__ = [
    "GroupSums",
    "JointColumn",
    "JointColumns",
    "JointSums",
    "PowerSums",
    "Residuals",
    "SampleSums",
    "Weighted",
]


@dataclass(frozen=True, slots=True)
class PowerSums:
    """n, range, and the sums of the first to fourth powers of the deviations from `pivot`."""

    n: int
    low: float
    high: float
    pivot: float
    s1: Fraction
    s2: Fraction
    s3: Fraction
    s4: Fraction

    @property
    def mean(self) -> Fraction:
        """The mean."""
        return Fraction(self.pivot) + self.s1 / self.n

    @property
    def ss(self) -> Fraction:
        """Sum of squared deviations from the mean."""
        return (
            Fraction(0) if self.low == self.high else max(Fraction(0), self.s2 - self.s1 * self.s1 / self.n)
        )

    def shape(self) -> tuple[float | None, float | None]:
        """Skewness m3/m2^1.5 and excess kurtosis m4/m2² − 3; None for constant data."""
        n, m2 = self.n, self.ss
        if m2 == 0:
            return None, None
        e = self.s1 / n
        m3 = self.s3 - 3 * e * self.s2 + 2 * n * e**3
        m4 = self.s4 - 4 * e * self.s3 + 6 * e * e * self.s2 - 3 * n * e**4
        squared = m3 * m3 * n / m2**3
        return math.copysign(math.sqrt(float(squared)), m3), float(m4 * n / (m2 * m2)) - 3.0


class SampleSums(Summary):
    """One sample. Order statistics, and the sample of absolute deviations, are asked of the engine when needed."""

    def __init__(
        self,
        n: int,
        n_missing: int,
        low: float,
        high: float,
        *,
        powers: Callable[[], PowerSums],
        order: Callable[[Sequence[int]], list[float]],
        family: GroupSums | None = None,
    ) -> None:
        self.n, self.n_missing, self.minimum, self.maximum = n, n_missing, low, high
        self._powers, self._order, self._family = powers, order, family
        self._known: dict[int, float] = {1: low, n: high}

    @cached_property
    def powers(self) -> PowerSums:
        """The power sums."""
        return self._powers()

    @property
    def family(self) -> GroupSums:
        """The groups this sample is one of."""
        if self._family is None:
            raise NeedsValues("family")
        return self._family

    def order_statistics(self, ranks: Sequence[int]) -> list[float]:
        """The values of these ranks, counted from 1."""
        fresh = sorted({r for r in ranks if r not in self._known})
        if fresh:
            self._known.update(zip(fresh, self._order(fresh), strict=True))
        return [self._known[r] for r in ranks]


class GroupSums(Protocol):
    """Groups of one column, as a statistic may ask more of them."""

    def deviations(self, centres: Mapping[str, float]) -> dict[str, SampleSums]:
        """The samples of absolute deviations from one centre per group."""
        ...

    def pooled(self) -> SampleSums:
        """All values of all groups as one sample."""
        ...


# Columns together ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Residuals:
    """What a fit's second look at the rows gives; sums of residuals e and of their products with the columns.

    `cross` are Σ e·(xj − mean), `square_cross` Σ e²·(xj − mean); `steps` Σ (e − previous e)², None without
    an order of the rows. q = e²/(1 − leverage), largest among positive and among negative residuals.
    """

    powers: PowerSums
    cross: tuple[Fraction, ...]
    square_cross: tuple[Fraction, ...]
    steps: Fraction | None
    leverage_max: float
    n_high_leverage: int
    q_positive: float
    q_negative: float
    cook_max: float


class JointEngine(Protocol):
    """What the sums of columns taken together can still ask of their engine."""

    def column(self, j: int) -> SampleSums:
        """One column over the complete rows."""
        ...

    def difference(self, i: int, j: int) -> SampleSums:
        """The differences of two columns."""
        ...

    def residuals(
        self, slopes: Sequence[float], factor: Sequence[Sequence[float]], high_leverage: float
    ) -> Residuals:
        """Residuals of the last column on the others (deviations from means), and leverage by `factor`."""
        ...

    def weighted(self, leverage_max: float, cook_limit: float) -> Weighted:
        """The look after that of the residuals: what needs to know how large leverage becomes."""
        ...


@dataclass(frozen=True, slots=True)
class Weighted:
    """Σ w²·d·d' for w = e/(1 − leverage) and d = 1 and the columns about their means; Cook's distances above the
    limit; and the first rows of the largest leverage, q among positive and negative residuals, and Cook's
    distance (None without an order of the rows).
    """

    meat: tuple[tuple[Fraction, ...], ...]
    n_cook: int
    rows: tuple[int, int, int, int] | None


@dataclass(frozen=True)
class JointSums:
    """Columns over their complete rows: means and centred cross-products."""

    n: int
    n_missing: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    means: tuple[Fraction, ...]
    cross: tuple[tuple[Fraction, ...], ...]
    engine: JointEngine


class JointColumn(SampleSums):
    """One of several columns taken together."""

    def __init__(self, joint: JointSums, index: int) -> None:
        self.joint, self.index = joint, index
        super().__init__(
            joint.n,
            joint.n_missing,
            joint.low[index],
            joint.high[index],
            powers=lambda: joint.engine.column(index).powers,
            order=lambda ranks: joint.engine.column(index).order_statistics(ranks),
        )

    def __sub__(self, other: object) -> SampleSums:
        if not isinstance(other, JointColumn) or other.joint is not self.joint:
            raise NeedsValues("difference")
        return self.joint.engine.difference(self.index, other.index)


class JointColumns(Summary):
    """Several columns taken together, as the predictors of a model."""

    def __init__(self, joint: JointSums, indexes: Sequence[int]) -> None:
        self.joint, self.indexes = joint, tuple(indexes)
        self.n, self.n_missing = joint.n, joint.n_missing
        self.minimum = min(joint.low[i] for i in indexes)
        self.maximum = max(joint.high[i] for i in indexes)

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""
        return (self.n, len(self.indexes))
