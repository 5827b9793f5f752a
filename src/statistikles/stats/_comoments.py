"""Product moments of two vectors, exact enough that a correlation of ±1 is told from one close to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from statistikles.errors import NotDefined
from statistikles.registry.summaries import NeedsValues
from statistikles.stats import _exact
from statistikles.stats._numerics import Vector
from statistikles.stats._sums import JointColumn

__all__ = ["Correlation", "correlate", "discordance", "require_spread"]

# Up to this many pairs sums are double-double; longer vectors are summed in pieces, unless r is close to ±1.
_COMPENSATED_LIMIT = 20_000
_CHUNK = 16_384


@dataclass(frozen=True)
class Correlation:
    """r, and 1 − r² formed without cancellation (0 only when the points lie exactly on a line)."""

    r: float
    unexplained: float

    @property
    def fisher_z(self) -> float:
        """atanh(r), good to the last digits of 1 − |r|; the points must not lie exactly on a line."""
        return math.copysign(math.log((1 + abs(self.r)) / math.sqrt(self.unexplained)), self.r)


def require_spread(values: Vector, name: str) -> None:
    """Refuse a constant.

    Raises
    ------
    NotDefined : all values are the same.
    """
    if float(values.min()) == float(values.max()):
        raise NotDefined(
            f"The correlation is undefined: all values of '{name}' are the same ({float(values.min()):g}).",
            hint="A constant varies with nothing; check that the right column was used.",
            where=name,
            code="zero_variance",
        )


def _centred(values: Vector) -> _exact.DD:
    """Deviations from the mean as double-doubles, scaled by a power of two to about 1."""
    top = float(np.abs(values).max())
    x = np.ldexp(values, -math.frexp(top)[1])
    deviation = _exact.two_sum(x, np.full_like(x, -float(x[0])))
    largest = float(np.abs(deviation[0]).max())
    shift = -math.frexp(largest)[1]
    deviation = (np.ldexp(deviation[0], shift), np.ldexp(deviation[1], shift))
    mean = _exact.dd_div_float(_exact.dd_sum_axis(deviation), float(x.size))
    return _exact.dd_sub(deviation, mean)


def _exact_total(product: _exact.DD) -> Fraction:
    high, low = _exact.dd_sum_axis(product)
    return Fraction(float(high)) + Fraction(float(low))


def _quick(x: Vector, y: Vector) -> Correlation | None:
    """r of long vectors by sums over pieces; None when 1 − r² would lose its digits that way."""

    def dot(a: Vector, b: Vector) -> float:
        return math.fsum(
            float(np.dot(a[i : i + _CHUNK], b[i : i + _CHUNK])) for i in range(0, a.size, _CHUNK)
        )

    def centred(values: Vector) -> Vector:
        x = np.ldexp(values, -math.frexp(float(np.abs(values).max()))[1])
        x = x - x[0]
        x = np.ldexp(x, -math.frexp(float(np.abs(x).max()))[1])
        for _ in range(2):
            x = x - math.fsum(float(np.sum(x[i : i + _CHUNK])) for i in range(0, x.size, _CHUNK)) / x.size
        out: Vector = x
        return out

    a, b = centred(x), centred(y)
    sxx, syy, sxy = dot(a, a), dot(b, b), dot(a, b)
    rest = 1 - sxy / sxx * (sxy / syy)
    return Correlation(sxy / math.sqrt(sxx * syy), rest) if rest > 1e-6 else None


def correlate(x: Vector, y: Vector) -> Correlation:
    """Pearson's correlation of two vectors that are not constant."""
    first: Any = x
    second: Any = y
    if isinstance(first, JointColumn) and isinstance(second, JointColumn):
        return _from_sums(first, second)
    if x.size > _COMPENSATED_LIMIT and (found := _quick(x, y)) is not None:
        return found
    a, b = _centred(x), _centred(y)
    sxx, syy = _exact_total(_exact.dd_mul(a, a)), _exact_total(_exact.dd_mul(b, b))
    sxy = _exact_total(_exact.dd_mul(a, b))
    squared = sxy * sxy / (sxx * syy)
    rest = 1 - squared
    # Double-double leaves about 1e-30; less than that is a line.
    unexplained = float(rest) if rest > Fraction(1, 10**29) else 0.0
    if not unexplained:
        return Correlation(math.copysign(1.0, float(sxy)), 0.0)
    return Correlation(math.copysign(math.sqrt(float(squared)), float(sxy)), unexplained)


def _from_sums(x: JointColumn, y: JointColumn) -> Correlation:
    """The same of columns that were summed together; close to a line, their sums lack the digits of 1 − r²."""
    if x.joint is not y.joint:
        raise NeedsValues("columns")
    cross = x.joint.cross
    sxx, syy, sxy = cross[x.index][x.index], cross[y.index][y.index], cross[x.index][y.index]
    squared = sxy * sxy / (sxx * syy)
    if 1 - squared < Fraction(1, 10**6):
        raise NeedsValues("line")
    return Correlation(math.copysign(math.sqrt(float(squared)), sxy), float(1 - squared))


def discordance(first: Vector, second: Vector) -> int:
    """Number of discordant pairs: inversions of `second` once sorted by `first` (ties by `second`)."""
    order = np.lexsort((second, first))
    _, codes = np.unique(second, return_inverse=True)
    codes = codes[order].astype(np.int64)
    total = 0
    for bit in range(int(codes.max()).bit_length() - 1, -1, -1):
        # Within a block of equal higher bits: pairs whose earlier member has this bit and the later has not.
        block, has = codes >> (bit + 1), (codes >> bit) & 1
        ones = np.cumsum(has)
        starts = np.flatnonzero(np.concatenate(([True], block[1:] != block[:-1])))
        before = np.repeat(ones[starts] - has[starts], np.diff(np.append(starts, codes.size)))
        total += int(((ones - before) * (1 - has)).sum())
        codes = codes[np.argsort(codes >> bit, kind="stable")]
    return total
