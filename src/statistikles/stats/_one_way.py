"""Partition of variation between and within groups: exact or double-double sums, and what tests need of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from statistikles.errors import NotDefined
from statistikles.registry.summaries import NeedsValues
from statistikles.results import Description
from statistikles.stats import _exact
from statistikles.stats._numerics import Moments, Vector, moments, quantile
from statistikles.stats._sums import SampleSums

__all__ = ["Partition", "absolute_deviations", "describe_group", "hedges_factor", "partition"]

# Magnitudes outside 2**±200 are scaled by a power of two, so that their squares stay in range.
_COMFORT = 200
# Groups longer than this are summed in pieces around a value of their own; shorter ones in double-double.
_COMPENSATED_LIMIT = 20_000


@dataclass(frozen=True)
class Partition:
    """Group means and sums of squares in units of 2**-shift; fractions, so that nothing more is lost."""

    names: tuple[str, ...]
    sizes: tuple[int, ...]
    means: tuple[Fraction, ...]
    ss_groups: tuple[Fraction, ...]
    shift: int

    @property
    def n(self) -> int:
        """Number of values."""
        return sum(self.sizes)

    @property
    def ss_within(self) -> Fraction:
        """Sum of squares within groups."""
        return sum(self.ss_groups, Fraction(0))

    @property
    def ss_between(self) -> Fraction:
        """Sum of squares between groups."""
        grand = sum((n * m for n, m in zip(self.sizes, self.means, strict=True)), Fraction(0)) / self.n
        return sum((n * (m - grand) ** 2 for n, m in zip(self.sizes, self.means, strict=True)), Fraction(0))

    def variance(self, group: int) -> Fraction | None:
        """Variance (n − 1) of one group in scaled units; None for a single value."""
        n = self.sizes[group]
        return self.ss_groups[group] / (n - 1) if n > 1 else None

    def natural(self, value: Fraction, power: int) -> float | None:
        """A quantity of the data's unit to the `power` as a double; None when a double cannot hold it."""
        exponent = -self.shift * power
        scaled = value * Fraction(2) ** exponent
        return _exact.ratio_or_none(scaled.numerator, scaled.denominator)


def partition(groups: Mapping[str, Vector], *, decimal: bool = False) -> Partition:
    """Means and within-group sums of squares; with `decimal`, of the decimals that the doubles print as."""
    arrays = list(groups.values())
    if any(isinstance(a, SampleSums) for a in arrays):
        return _summed(groups, decimal=decimal)
    top = max(float(np.abs(a).max()) for a in arrays)
    exponent = math.frexp(top)[1] if top else 0
    shift = -exponent if abs(exponent) > _COMFORT else 0
    parts = [_exact_part(a, shift) if decimal else _double_part(a, shift) for a in arrays]
    return Partition(
        names=tuple(groups),
        sizes=tuple(a.size for a in arrays),
        means=tuple(mean for mean, _ in parts),
        ss_groups=tuple(ss for _, ss in parts),
        shift=shift,
    )


def _summed(groups: Mapping[str, Vector], *, decimal: bool) -> Partition:
    """The partition of groups that are known by their sums."""
    found = [g.powers for g in groups.values() if isinstance(g, SampleSums)]
    if decimal or len(found) < len(groups):
        raise NeedsValues("decimal")
    return Partition(
        names=tuple(groups),
        sizes=tuple(p.n for p in found),
        means=tuple(p.mean for p in found),
        ss_groups=tuple(p.ss for p in found),
        shift=0,
    )


def absolute_deviations(groups: Mapping[str, Vector]) -> Mapping[str, Vector]:
    """|x − median of its group| for every value."""
    summed = [g for g in groups.values() if isinstance(g, SampleSums)]
    if summed:
        medians = {name: quantile(g, 0.5) for name, g in groups.items()}
        return cast("Mapping[str, Vector]", summed[0].family.deviations(medians))
    return {name: np.abs(x - float(np.median(x))) for name, x in groups.items()}


def _double_part(values: Vector, shift: int) -> tuple[Fraction, Fraction]:
    """Mean and sum of squared deviations of one group in double-double (about 30 digits)."""
    x = np.ldexp(values, shift) if shift else values
    pivot = float(x[0])
    if float(x.min()) == float(x.max()):
        return Fraction(pivot), Fraction(0)
    if x.size > _COMPENSATED_LIMIT:
        m = moments(x - pivot)
        if m.ss is not None:
            return Fraction(pivot) + Fraction(m.mean), Fraction(m.ss)
    deviation = _exact.two_sum(x, np.full_like(x, -pivot))  # exact
    mean = _exact.dd_div_float(_exact.dd_sum_axis(deviation), float(x.size))
    deviation = _exact.dd_sub(deviation, mean)
    high, low = _exact.dd_sum_axis(_exact.dd_mul(deviation, deviation))
    offset = Fraction(float(mean[0])) + Fraction(float(mean[1]))
    return Fraction(pivot) + offset, Fraction(float(high)) + Fraction(float(low))


def _exact_part(values: Vector, shift: int) -> tuple[Fraction, Fraction]:
    """The same of the shortest decimals, in exact integers."""
    whole, power = _exact.decimal_integers(values)
    n, total = len(whole), sum(whole)
    unit = Fraction(10) ** power * Fraction(2) ** shift
    squares = n * sum(w * w for w in whole) - total * total
    return Fraction(total, n) * unit, Fraction(squares, n) * unit * unit


def describe_group(values: Vector, known: Moments | None = None) -> Description:
    """n, mean, spread and centre of one group, whose moments may be known already."""
    m = known or moments(values, shape=False)
    undefined = {}
    if m.n < 2:
        undefined["std_dev"] = "a single value has no spread"
    elif m.sd is None:
        undefined["std_dev"] = "it does not fit a double-precision number"
    return Description(
        n=m.n,
        mean=m.mean,
        std_dev=m.sd,
        std_error=None if m.sd is None else m.sd / math.sqrt(m.n),
        median=quantile(values, 0.5),
        minimum=m.minimum,
        maximum=m.maximum,
        undefined=undefined,
    )


def hedges_factor(df: float) -> float:
    """Hedges' exact small-sample correction J (1981, equation 6e).

    Raises
    ------
    NotDefined : one degree of freedom, where the correction does not exist.
    """
    if df <= 1:
        raise NotDefined("Hedges' correction needs at least 2 degrees of freedom.", code="too_few_values")
    if df > 300:  # the difference of log gammas would cancel; the asymptotic series is exact to rounding
        r = 1 / df
        return 1 - r * (3 / 4 + r * (7 / 32 + r * (9 / 128 - r * (59 / 2048 + r * (483 / 8192)))))
    return math.exp(math.lgamma(df / 2) - math.lgamma((df - 1) / 2) - math.log(df / 2) / 2)
