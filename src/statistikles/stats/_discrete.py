"""Tail areas and probabilities of the discrete distributions, and the exact tests built on them.

Point probabilities use Loader's saddle-point form, which loses nothing for large counts.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special as sc

from statistikles.errors import InputError
from statistikles.stats._beta_inverse import beta_lower_inverse, beta_upper_inverse
from statistikles.stats._tails import p_from_tails, positive
from statistikles.stats._tails import probability as unit

__all__ = [
    "binom_cdf",
    "binom_logpmf",
    "binom_pmf",
    "binom_sf",
    "binom_test_p",
    "clopper_pearson",
    "fisher_exact_p",
    "hypergeom_cdf",
    "hypergeom_logpmf",
    "hypergeom_pmf",
    "hypergeom_sf",
    "nbinom_cdf",
    "nbinom_sf",
    "poisson_cdf",
    "poisson_logpmf",
    "poisson_sf",
]

_LOG_SQRT_2PI: Final = 0.9189385332046727


def _stirling_error(n: float) -> float:
    """log n! minus Stirling's formula (Loader 2000)."""
    if n <= 15.0:
        return math.lgamma(n + 1.0) - (n + 0.5) * math.log(n) + n - _LOG_SQRT_2PI if n > 0 else 0.0
    m = 1.0 / (n * n)
    tail = 1 / 1260 - m * (1 / 1680 - m * (1 / 1188 - m * (691 / 360360 - m * (1 / 156))))
    return (1 / 12 - m * (1 / 360 - m * tail)) / n


def _deviance(x: float, m: float) -> float:
    """x log(x/m) + m - x without cancellation (Loader's bd0)."""
    if abs(x - m) < 0.1 * (x + m):
        v = (x - m) / (x + m)
        total = (x - m) * v
        power = 2.0 * x * v
        for j in range(1, 1000):
            power *= v * v
            new = total + power / (2 * j + 1)
            if new == total:
                break
            total = new
        return total
    return x * math.log(x / m) + m - x


def poisson_logpmf(k: int, mean: float) -> float:
    """log P(X = k) of the Poisson distribution."""
    if mean < 0:
        raise InputError("'mean' must not be negative.", where="mean", code="out_of_range")
    if k < 0 or mean == 0.0:
        return 0.0 if k == 0 and mean == 0.0 else -math.inf
    if k == 0:
        return -mean
    return -_stirling_error(k) - _deviance(k, mean) - 0.5 * math.log(k) - _LOG_SQRT_2PI


def poisson_cdf(k: float, mean: float) -> float:
    """P(X <= k) of the Poisson distribution."""
    return 0.0 if k < 0 else (1.0 if mean == 0 else float(sc.gammaincc(math.floor(k) + 1.0, mean)))


def poisson_sf(k: float, mean: float) -> float:
    """P(X > k) of the Poisson distribution."""
    return 1.0 if k < 0 else (0.0 if mean == 0 else float(sc.gammainc(math.floor(k) + 1.0, mean)))


def nbinom_cdf(k: float, size: float, probability: float) -> float:
    """P(X <= k) failures before `size` successes."""
    p = unit(probability)
    return 0.0 if k < 0 else float(sc.betainc(positive(size, "size"), math.floor(k) + 1.0, p))


def nbinom_sf(k: float, size: float, probability: float) -> float:
    """P(X > k) failures before `size` successes."""
    p = unit(probability)
    return 1.0 if k < 0 else float(sc.betaincc(positive(size, "size"), math.floor(k) + 1.0, p))


def binom_logpmf(k: int, n: int, p: float) -> float:
    """log P(X = k) of the binomial distribution, by Loader's saddle point."""
    p = unit(p)
    if not 0 <= k <= n:
        return -math.inf
    q = 1.0 - p
    if p == 0.0 or q == 0.0:
        return 0.0 if k == (0 if p == 0.0 else n) else -math.inf
    if n == 0:
        return 0.0
    if k == 0:
        return n * math.log1p(-p)
    if k == n:
        return n * math.log(p)
    core = _stirling_error(n) - _stirling_error(k) - _stirling_error(n - k)
    core -= _deviance(k, n * p) + _deviance(n - k, n * q)
    return core - _LOG_SQRT_2PI + 0.5 * math.log(n / (k * float(n - k)))


def binom_pmf(k: int, n: int, p: float) -> float:
    """P(X = k) of the binomial distribution."""
    return math.exp(binom_logpmf(k, n, p))


def binom_cdf(k: float, n: int, p: float) -> float:
    """P(X <= k) of the binomial distribution."""
    k = math.floor(k)
    if k < 0 or k >= n:
        return 0.0 if k < 0 else 1.0
    return float(sc.betaincc(k + 1.0, float(n - k), unit(p)))


def binom_sf(k: float, n: int, p: float) -> float:
    """P(X > k) of the binomial distribution."""
    k = math.floor(k)
    if k < 0 or k >= n:
        return 1.0 if k < 0 else 0.0
    return float(sc.betainc(k + 1.0, float(n - k), unit(p)))


_RELATIVE = 1.0 + 1e-7  # R's tolerance: outcomes as probable as the observed one, to rounding, count


def binom_test_p(k: int, n: int, p: float = 0.5, alternative: str = "two-sided") -> float:
    """Exact binomial test; two-sided sums every outcome no more probable than the observed one."""
    lower, upper = binom_cdf(k, n, p), binom_sf(k - 1, n, p)
    if alternative != "two-sided":
        return p_from_tails(lower, upper, alternative)
    limit = binom_logpmf(k, n, p) + math.log(_RELATIVE)
    mean = n * p
    if k == mean:
        return 1.0
    if k < mean:  # the first outcome on the far side that is no more probable
        low, high = math.ceil(mean), n + 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if binom_logpmf(middle, n, p) <= limit else (middle + 1, high)
        return min(1.0, lower + binom_sf(low - 1, n, p))
    low, high = -1, math.floor(mean)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if binom_logpmf(middle, n, p) <= limit else (low, middle - 1)
    return min(1.0, upper + binom_cdf(low, n, p))


def clopper_pearson(k: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Exact interval of a proportion."""
    if not 0 <= k <= n or n < 1:
        raise InputError("'k' must lie between 0 and 'n', and 'n' must be at least 1.", where="k")
    tail = (1.0 - level) / 2.0
    low = 0.0 if k == 0 else beta_lower_inverse(k, n - k + 1.0, tail)
    high = 1.0 if k == n else beta_upper_inverse(k + 1.0, n - k, tail)
    return low, high


def hypergeom_logpmf(k: int, drawn: int, good: int, bad: int) -> float:
    """log P(k good among `drawn` from `good` + `bad`), through three binomials (Loader 2000)."""
    total = good + bad
    if k < max(0, drawn - bad) or k > min(drawn, good) or drawn > total:
        return -math.inf
    if drawn in (0, total):
        return 0.0
    p = drawn / total
    return binom_logpmf(k, good, p) + binom_logpmf(drawn - k, bad, p) - binom_logpmf(drawn, total, p)


def hypergeom_pmf(k: int, drawn: int, good: int, bad: int) -> float:
    """P(k good among `drawn`)."""
    return math.exp(hypergeom_logpmf(k, drawn, good, bad))


def _hypergeom_support(drawn: int, good: int, bad: int) -> tuple[int, NDArray[np.float64]]:
    """Least possible k and the probabilities of all of them, by ratios outwards from the mode."""
    low, high = max(0, drawn - bad), min(drawn, good)
    k = np.arange(low, high, dtype=np.float64)
    ratio = ((good - k) * (drawn - k)) / ((k + 1.0) * (bad - drawn + k + 1.0))  # p(k + 1) / p(k)
    mode = min(high, max(low, (drawn + 1) * (good + 1) // (good + bad + 2)))
    at = mode - low
    p = np.empty(high - low + 1)
    p[at] = math.exp(hypergeom_logpmf(mode, drawn, good, bad))
    with np.errstate(under="ignore", divide="ignore"):
        p[at + 1 :] = p[at] * np.cumprod(ratio[at:])
        p[:at] = (p[at] * np.cumprod(1.0 / ratio[:at][::-1]))[::-1]
    return low, p / math.fsum(p.tolist())


def hypergeom_cdf(k: int, drawn: int, good: int, bad: int) -> float:
    """P(at most k good among `drawn`)."""
    low, p = _hypergeom_support(drawn, good, bad)
    return min(1.0, math.fsum(p[: max(0, k - low + 1)].tolist()))


def hypergeom_sf(k: int, drawn: int, good: int, bad: int) -> float:
    """P(more than k good among `drawn`)."""
    low, p = _hypergeom_support(drawn, good, bad)
    return min(1.0, math.fsum(p[max(0, k - low + 1) :].tolist()))


def fisher_exact_p(a: int, b: int, c: int, d: int, alternative: str = "two-sided") -> float:
    """Fisher's exact p of the table [[a, b], [c, d]]; two-sided sums tables no more probable (as R)."""
    if min(a, b, c, d) < 0:
        raise InputError("Counts must not be negative.", where="observed", code="negative_count")
    low, p = _hypergeom_support(a + c, a + b, c + d)
    here = a - low
    if alternative != "two-sided":
        return p_from_tails(math.fsum(p[: here + 1].tolist()), math.fsum(p[here:].tolist()), alternative)
    return min(1.0, math.fsum(p[p <= p[here] * _RELATIVE].tolist()))
