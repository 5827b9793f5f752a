"""Kolmogorov-Smirnov null distributions: one sample exact, two samples exact with ties, asymptotic."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special as sc

from statistikles.errors import InputError

__all__ = [
    "kolmogorov_asymptotic_sf",
    "ks_one_sample_sf",
    "ks_one_sided_sf",
    "ks_two_sample_exact_p",
]

_EXACT_LIMIT = 3000


def kolmogorov_asymptotic_sf(x: float) -> float:
    """P(K > x) of the limiting Kolmogorov distribution."""
    return float(sc.kolmogorov(x))


def ks_one_sided_sf(d: float, n: int) -> float:
    """P(D+ >= d), exact for every n."""
    return float(sc.smirnov(n, min(1.0, max(0.0, d))))


def ks_one_sample_sf(d: float, n: int) -> float:
    """P(D >= d) for a sample of n from a fully specified continuous distribution.

    Exact up to n = 3000 (matrix power of Marsaglia, Tsang and Wang 2003, or twice the one-sided
    tail where both tails together are impossible or below 1e-10 of it); beyond that the limiting
    law at Vrbik's (2018) corrected argument, whose error is then below 1e-6.
    """
    if n < 1:
        raise InputError("'n' must be at least 1.", where="n", code="too_few_values")
    if d <= 0.5 / n:
        return 1.0
    if d >= 1.0:
        return 0.0
    nd2 = n * d * d
    if d >= 0.5 or nd2 > 4.0:
        return min(1.0, 2.0 * ks_one_sided_sf(d, n))
    if n > _EXACT_LIMIT:
        root = math.sqrt(n)
        x = d * root
        return kolmogorov_asymptotic_sf(x + 1.0 / (6.0 * root) + (x - 1.0) / (4.0 * n))
    return min(1.0, max(0.0, 1.0 - _matrix_cdf(d, n)))


def _matrix_cdf(d: float, n: int) -> float:
    """P(D < d) as n!/n**n times an entry of H**n."""
    k = math.floor(n * d) + 1
    m = 2 * k - 1
    h = k - n * d
    factorials = [math.factorial(min(i, 170)) for i in range(m + 2)]
    matrix = np.zeros((m, m))
    for i in range(m):
        for j in range(min(m, i + 2)):
            matrix[i, j] = 1.0 / factorials[i - j + 1] if i - j + 1 < 170 else 0.0
    for i in range(m):
        power = h ** (i + 1) / factorials[i + 1] if i + 1 < 170 else 0.0
        matrix[i, 0] -= power
        matrix[m - 1, m - 1 - i] -= power
    if 2.0 * h - 1.0 > 0:
        matrix[m - 1, 0] += (2.0 * h - 1.0) ** m / factorials[m] if m < 170 else 0.0
    result, exponent = _scaled_power(matrix, n)
    value = float(result[k - 1, k - 1])
    if value <= 0.0:
        return 0.0
    log_scale = math.lgamma(n + 1.0) - n * math.log(n)
    if n > 15:  # the same by Stirling's series, free of cancellation
        log_scale = (
            -n + 0.5 * math.log(2 * math.pi * n) + (1 / 12 - (1 / 360 - 1 / (1260.0 * n * n)) / (n * n)) / n
        )
    return math.exp(math.log(value) + exponent * math.log(2.0) + log_scale)


def _scaled_power(matrix: NDArray[np.float64], n: int) -> tuple[NDArray[np.float64], int]:
    """matrix**n as (mantissa matrix, power of two), by repeated squaring."""
    result, result_exponent = np.eye(matrix.shape[0]), 0
    base, base_exponent = matrix, 0
    while True:
        if n & 1:
            result, result_exponent = result @ base, result_exponent + base_exponent
            e = math.frexp(float(np.abs(result).max()))[1]
            result, result_exponent = np.ldexp(result, -e), result_exponent + e
        n >>= 1
        if not n:
            return result, result_exponent
        base, base_exponent = base @ base, 2 * base_exponent
        e = math.frexp(float(np.abs(base).max()))[1]
        base, base_exponent = np.ldexp(base, -e), base_exponent + e


def ks_two_sample_exact_p(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    alternative: str = "two-sided",
    *,
    as_if_untied: bool = False,
) -> tuple[float, float]:
    """D and P(D >= observed) over all splits of the pooled sample, whose ties stay as they are.

    "greater" means that the distribution function of `x` lies above that of `y`. `as_if_untied` takes the distribution
    of samples without ties for the D observed, as programs do that do not look at ties: the p is then too large.
    """
    m, n = int(x.size), int(y.size)
    pooled = np.concatenate((x, y))
    order = np.argsort(pooled, kind="stable")
    ordered = pooled[order]
    from_x = order < m
    # after each pooled value: is it the last of its tie, so that D may be read off here?
    readable = np.append(ordered[1:] != ordered[:-1], True)
    i = np.cumsum(from_x).astype(np.int64)
    j = np.arange(1, m + n + 1, dtype=np.int64) - i
    gap = i * n - j * m
    shown = {"two-sided": np.abs(gap), "greater": gap, "less": -gap}.get(alternative)
    if shown is None:
        raise InputError(
            f"Unknown alternative '{alternative}'.", where="alternative", code="unknown_alternative"
        )
    observed = int(max(0, shown[readable].max()))
    if observed == 0:
        return 0.0, 1.0
    if as_if_untied:
        readable = np.ones_like(readable)
    # hit[i]: probability that a path from (0, 0) to (i, t - i) has reached `observed` by then
    hit = np.zeros(m + 1)
    index = np.arange(m + 1, dtype=np.int64)
    for t in range(1, m + n + 1):
        low, high = max(0, t - n), min(m, t)
        a = index[low : high + 1]
        step_x = np.where(a > 0, hit[np.maximum(a - 1, 0)], 0.0)
        new = (a / t) * step_x + ((t - a) / t) * hit[low : high + 1]
        if readable[t - 1]:
            difference = a * n - (t - a) * m
            reached = {"two-sided": np.abs(difference), "greater": difference, "less": -difference}[
                alternative
            ]
            new[reached >= observed] = 1.0
        hit[low : high + 1] = new
    return observed / (m * n), min(1.0, float(hit[m]))
