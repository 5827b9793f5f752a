"""Measures of place, spread and shape of one sample beside its moments: modes, means, deviations, intervals."""

from __future__ import annotations

import math

import numpy as np

from statistikles.errors import InputError
from statistikles.stats._distributions import binom_cdf, norm_isf
from statistikles.stats._numerics import Vector, compensated_sum, lag1_autocorrelation, moments, quantile

_LONG = 20_000  # from here on double-double costs more than it gains
_PIECE = 8192  # short enough for its dot products to stay in one thread

__all__ = [
    "kurtosis_types",
    "lag1",
    "mad",
    "median_interval",
    "modes",
    "ordered_mean",
    "power_mean",
    "skewness_types",
    "trimmed",
    "weighted_quantile",
    "winsorised",
]


def modes(ordered: Vector) -> tuple[Vector, int]:
    """All most frequent values of a sorted sample, and how often each occurs."""
    starts = np.concatenate(([0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1))
    counts = np.diff(np.append(starts, ordered.size))
    most = int(counts.max())
    return ordered[starts[counts == most]], most


def mad(values: Vector, centre: float) -> float:
    """Median absolute deviation from `centre`, unscaled."""
    return quantile(np.abs(values - centre), 0.5)


def trimmed(ordered: Vector, proportion: float) -> Vector:
    """The sorted sample without floor(n * proportion) values at each end."""
    cut = math.floor(ordered.size * proportion + 1e-12)
    return ordered[cut : ordered.size - cut]


def winsorised(ordered: Vector, proportion: float) -> Vector:
    """The sorted sample with floor(n * proportion) values at each end moved to the nearest kept one."""
    cut = math.floor(ordered.size * proportion + 1e-12)
    return np.clip(ordered, ordered[cut], ordered[ordered.size - cut - 1])


def power_mean(values: Vector, power: float) -> float:
    """The power (Hölder) mean of positive values: (mean of x**p)**(1/p); p = 0 is the geometric mean.

    Values are divided by the largest (the smallest for negative p), so no power overflows.
    """
    low, high = float(values.min()), float(values.max())
    if low <= 0:
        raise InputError(
            f"A power mean needs positive values; the smallest is {low:g}.",
            hint="Leave 'power' out, or analyse positive values only.",
            where="data",
            code="out_of_range",
        )
    if low == high:
        return low
    n = values.size
    if abs(power) < 1e-15:  # no double tells it from the limit
        fraction, whole = np.frexp(values)
        shift = math.frexp(high)[1]
        logs = compensated_sum(np.log(fraction)) / n + (float(whole.sum()) / n - shift) * math.log(2.0)
        centre = math.ldexp(math.exp(logs), shift)
    elif abs(power) == 1.0:
        shift = math.frexp(high if power > 0 else low)[1]
        scaled = np.ldexp(values, -shift)
        mean = compensated_sum(scaled) / n if power > 0 else n / compensated_sum(1.0 / scaled)
        centre = math.ldexp(mean, shift)
    else:
        unit = high if power > 0 else low
        # expm1 and log1p keep the digits of exponents close to zero
        centre = unit * math.exp(
            math.log1p(compensated_sum(np.expm1(power * np.log(values / unit))) / n) / power
        )
    return min(max(centre, low), high)


def median_interval(n: int, level: float) -> tuple[int, int, float] | None:
    """1-based ranks of the order statistics that bound the median, and their exact coverage.

    The narrowest symmetric pair with at least the wanted level; None when even the extremes fall short.
    """
    tail = (1 - level) / 2

    def below(k: int) -> float:
        return binom_cdf(k - 1, n, 0.5)

    if n < 2 or below(1) > tail:
        return None
    k = max(1, math.floor(n / 2 - norm_isf(tail) * math.sqrt(n) / 2))
    while k > 1 and below(k) > tail:
        k -= 1
    while k + 1 <= n // 2 and below(k + 1) <= tail:
        k += 1
    return k, n + 1 - k, 1 - 2 * below(k)


def skewness_types(g1: float, n: int) -> tuple[float, float | None, float]:
    """Skewness of types 1 to 3 (Joanes and Gill 1998) from the plain coefficient; type 2 needs n >= 3."""
    second = g1 * math.sqrt(n * (n - 1)) / (n - 2) if n >= 3 else None
    return g1, second, g1 * (1 - 1 / n) ** 1.5


def kurtosis_types(g2: float, n: int) -> tuple[float, float | None, float]:
    """Excess kurtosis of types 1 to 3 from the plain coefficient; type 2 needs n >= 4."""
    second = ((n + 1) * g2 + 6) * (n - 1) / ((n - 2) * (n - 3)) if n >= 4 else None
    return g2, second, (g2 + 3) * (1 - 1 / n) ** 2 - 3


def lag1(values: Vector, mean: float, *, decimal: bool) -> float:
    """Autocorrelation at lag 1: double-double or exact for ordinary sizes, by pieces in cache for long ones."""
    largest = float(np.abs(values).max()) if values.size > _LONG else 0.0
    if decimal or not 1e-100 < largest < 1e100:
        return lag1_autocorrelation(values, decimal=decimal)
    products: list[float] = []
    squares: list[float] = []
    sums: list[float] = []
    for start in range(0, values.size, _PIECE):
        d = values[start : start + _PIECE + 1] - mean  # one more than the piece: the neighbour of its last
        own = d[:_PIECE]
        products.append(float(own[: d.size - 1] @ d[1:]))
        squares.append(float(own @ own))
        sums.append(float(np.sum(own)))
    n, total = values.size, math.fsum(sums)
    e = total / n  # what the mean, rounded to a double, is off by
    ends = float(values[0]) + float(values[-1]) - 2 * mean
    product = math.fsum(products) - e * (2 * total - ends) + (n - 1) * e * e
    return product / (math.fsum(squares) - n * e * e)


def weighted_quantile(ordered: Vector, weights: Vector, probability: float) -> float:
    """Inverse of the weighted distribution function, with the average of two values where it is flat."""
    cumulative = np.cumsum(weights)
    wanted = probability * float(cumulative[-1])
    slack = 1e-12 * float(cumulative[-1])
    place = int(np.searchsorted(cumulative, wanted - slack))
    value = float(ordered[place])
    if abs(float(cumulative[place]) - wanted) <= slack:
        above = np.flatnonzero(weights[place + 1 :] > 0)
        if above.size:
            return value / 2 + float(ordered[place + 1 + int(above[0])]) / 2
    return value


def ordered_mean(values: Vector, *, decimal: bool = False) -> float:
    """Mean of a sample, or of the decimals it prints as."""
    return moments(values, decimal=decimal).mean
