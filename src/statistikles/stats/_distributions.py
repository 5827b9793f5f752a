"""Tail areas and quantiles of the common distributions: the kernel's door to scipy.special.

Plain floats in, plain floats out. Upper tails are computed as such, never as 1 - cdf. The rarer
families live in `_noncentral`, `_studentized_range`, `_rank_nulls`, `_kolmogorov` and `_normality`.
Alternatives are "two-sided", "greater" and "less" everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from scipy import special as sc

from statistikles.errors import InputError

__all__ = [
    "ALTERNATIVES",
    "beta_cdf",
    "beta_ppf",
    "beta_sf",
    "binom_cdf",
    "binom_logpmf",
    "binom_pmf",
    "binom_sf",
    "binom_test_p",
    "chi2_cdf",
    "chi2_isf",
    "chi2_logsf",
    "chi2_ppf",
    "chi2_sf",
    "clopper_pearson",
    "expon_cdf",
    "expon_sf",
    "f_cdf",
    "f_isf",
    "f_logsf",
    "f_ppf",
    "f_sf",
    "fisher_exact_p",
    "gamma_cdf",
    "gamma_ppf",
    "gamma_sf",
    "hypergeom_cdf",
    "hypergeom_logpmf",
    "hypergeom_pmf",
    "hypergeom_sf",
    "lognorm_cdf",
    "lognorm_sf",
    "nbinom_cdf",
    "nbinom_sf",
    "norm_cdf",
    "norm_isf",
    "norm_logcdf",
    "norm_logsf",
    "norm_pdf",
    "norm_ppf",
    "norm_sf",
    "p_from_symmetric",
    "p_from_tails",
    "p_normal",
    "p_t",
    "poisson_cdf",
    "poisson_logpmf",
    "poisson_sf",
    "t_cdf",
    "t_isf",
    "t_logsf",
    "t_ppf",
    "t_sf",
    "uniform_cdf",
    "uniform_sf",
    "weibull_cdf",
    "weibull_sf",
]

ALTERNATIVES: Final = ("two-sided", "greater", "less")
_LOG_SQRT_2PI = 0.9189385332046727
_TINY = 1e-290  # below this a tail area is taken from its logarithm


def _positive(value: float, name: str) -> float:
    if not (value > 0 and math.isfinite(value)):
        raise InputError(f"'{name}' must be a positive number, not {value}.", where=name, code="out_of_range")
    return float(value)


def _probability(value: float, name: str = "probability") -> float:
    if not 0.0 <= value <= 1.0:
        raise InputError(f"'{name}' must lie between 0 and 1, not {value}.", where=name, code="out_of_range")
    return float(value)


def _degrees(df: float, name: str = "df") -> float:
    if not df > 0:
        raise InputError(f"'{name}' must be positive, not {df}.", where=name, code="out_of_range")
    return float(df)


# --- p values from tails ----------------------------------------------------------------------------


def p_from_tails(lower: float, upper: float, alternative: str = "two-sided") -> float:
    """A p value from P(T <= t) and P(T >= t); two-sided is twice the smaller, at most 1."""
    if alternative == "greater":
        return min(1.0, upper)
    if alternative == "less":
        return min(1.0, lower)
    if alternative == "two-sided":
        return min(1.0, 2.0 * min(lower, upper))
    raise InputError(
        f"Unknown alternative '{alternative}'.",
        hint="Choose one of: " + ", ".join(ALTERNATIVES) + ".",
        where="alternative",
        code="unknown_alternative",
    )


def p_from_symmetric(sf: Callable[[float], float], statistic: float, alternative: str = "two-sided") -> float:
    """A p value for a statistic whose null distribution is symmetric about zero."""
    return p_from_tails(sf(-statistic), sf(statistic), alternative)


def p_normal(z: float, alternative: str = "two-sided") -> float:
    """p value of a standard normal statistic."""
    return p_from_symmetric(norm_sf, z, alternative)


def p_t(t: float, df: float, alternative: str = "two-sided") -> float:
    """p value of a t statistic."""
    return p_from_symmetric(lambda x: t_sf(x, df), t, alternative)


# --- normal -----------------------------------------------------------------------------------------


def norm_pdf(x: float) -> float:
    """Standard normal density."""
    return math.exp(-0.5 * x * x - _LOG_SQRT_2PI)


def norm_cdf(x: float) -> float:
    """P(Z <= x)."""
    return float(sc.ndtr(x))


def norm_sf(x: float) -> float:
    """P(Z > x)."""
    return float(sc.ndtr(-x))


def norm_logcdf(x: float) -> float:
    """log P(Z <= x)."""
    return float(sc.log_ndtr(x))


def norm_logsf(x: float) -> float:
    """log P(Z > x)."""
    return float(sc.log_ndtr(-x))


def norm_ppf(p: float) -> float:
    """z with P(Z <= z) = p."""
    return float(sc.ndtri(_probability(p)))


def norm_isf(p: float) -> float:
    """z with P(Z > z) = p."""
    return -float(sc.ndtri(_probability(p)))


# --- incomplete beta in logarithms ------------------------------------------------------------------


def _log_betainc_small(a: float, b: float, x: float) -> float:
    """log I_x(a, b) where it underflows: x**a (1-x)**b / (a B(a,b)) * 2F1(a+b, 1; a+1; x)."""
    term = total = 1.0
    k = 0
    while term > total * 1e-17 and k < 100_000:
        term *= (a + b + k) / (a + 1.0 + k) * x
        total += term
        k += 1
    return a * math.log(x) + b * math.log1p(-x) - math.log(a) - float(sc.betaln(a, b)) + math.log(total)


# --- t ----------------------------------------------------------------------------------------------


def t_cdf(t: float, df: float) -> float:
    """P(T <= t)."""
    return t_sf(-t, df)


def t_sf(t: float, df: float) -> float:
    """P(T > t)."""
    df = _degrees(df)
    if math.isinf(df):
        return norm_sf(t)
    if t < 0:
        return 1.0 - t_sf(-t, df) if t < -1e-3 else 0.5 + float(sc.stdtr(df, -t)) - 0.5
    if t * t < df or t < 1.0:
        return float(sc.stdtr(df, -t))
    ratio = t / math.sqrt(df)  # df / (df + t**2) without overflow
    return 0.5 * float(sc.betainc(0.5 * df, 0.5, 1.0 / (1.0 + ratio * ratio)))


def t_logsf(t: float, df: float) -> float:
    """log P(T > t), good far beyond the smallest double."""
    p = t_sf(t, df)
    if p > _TINY:
        return math.log(p)
    if math.isinf(df):
        return norm_logsf(t)
    ratio = t / math.sqrt(df)
    x = 1.0 / (1.0 + ratio * ratio) if ratio < 1e150 else 0.0
    if x == 0.0:  # only the leading power is left
        return -df * math.log(ratio) - math.log(df) - float(sc.betaln(0.5 * df, 0.5))
    return _log_betainc_small(0.5 * df, 0.5, x) - math.log(2.0)


def t_ppf(p: float, df: float) -> float:
    """t with P(T <= t) = p."""
    p = _probability(p)
    if math.isinf(_degrees(df)):
        return norm_ppf(p)
    return float(sc.stdtrit(df, p)) if p >= 1e-12 else -t_isf(p, df)


def t_isf(p: float, df: float) -> float:
    """t with P(T > t) = p."""
    p = _probability(p)
    if math.isinf(_degrees(df)):
        return norm_isf(p)
    if p == 0.0:
        return math.inf
    if p < 0.25:
        x = float(sc.betaincinv(0.5 * df, 0.5, 2.0 * p))
        if x > 0.0:
            return math.sqrt(df * ((1.0 - x) / x))
    return -float(sc.stdtrit(df, p))


# --- F and chi-squared ------------------------------------------------------------------------------


def f_sf(f: float, df1: float, df2: float) -> float:
    """P(F > f)."""
    df1, df2 = _degrees(df1, "df1"), _degrees(df2, "df2")
    if f <= 0:
        return 1.0
    if math.isinf(df2):
        return chi2_sf(f * df1, df1)
    return float(sc.fdtrc(df1, df2, f))


def f_cdf(f: float, df1: float, df2: float) -> float:
    """P(F <= f)."""
    df1, df2 = _degrees(df1, "df1"), _degrees(df2, "df2")
    if f <= 0:
        return 0.0
    if math.isinf(df2):
        return chi2_cdf(f * df1, df1)
    return float(sc.fdtr(df1, df2, f))


def f_logsf(f: float, df1: float, df2: float) -> float:
    """log P(F > f)."""
    p = f_sf(f, df1, df2)
    if p > _TINY:
        return math.log(p)
    if math.isinf(df2):
        return chi2_logsf(f * df1, df1)
    return _log_betainc_small(0.5 * df2, 0.5 * df1, 1.0 / (1.0 + df1 / df2 * f))


def f_ppf(p: float, df1: float, df2: float) -> float:
    """f with P(F <= f) = p."""
    p, df1, df2 = _probability(p), _degrees(df1, "df1"), _degrees(df2, "df2")
    if math.isinf(df2):
        return chi2_ppf(p, df1) / df1
    x = float(sc.betaincinv(0.5 * df1, 0.5 * df2, p))
    return df2 * x / (df1 * (1.0 - x)) if x < 0.5 else f_isf(1.0 - p, df1, df2)


def f_isf(p: float, df1: float, df2: float) -> float:
    """f with P(F > f) = p."""
    p, df1, df2 = _probability(p), _degrees(df1, "df1"), _degrees(df2, "df2")
    if p == 0.0:
        return math.inf
    if math.isinf(df2):
        return chi2_isf(p, df1) / df1
    x = float(sc.betaincinv(0.5 * df2, 0.5 * df1, p))
    if x <= 0.0:
        return math.inf
    return df2 * ((1.0 - x) / x) / df1


def chi2_sf(x: float, df: float) -> float:
    """P(X > x)."""
    return 1.0 if x <= 0 else float(sc.gammaincc(0.5 * _degrees(df), 0.5 * x))


def chi2_cdf(x: float, df: float) -> float:
    """P(X <= x)."""
    return 0.0 if x <= 0 else float(sc.gammainc(0.5 * _degrees(df), 0.5 * x))


def chi2_logsf(x: float, df: float) -> float:
    """log P(X > x)."""
    p = chi2_sf(x, df)
    return math.log(p) if p > _TINY else _log_gammaincc(0.5 * df, 0.5 * x)


def _log_gammaincc(a: float, x: float) -> float:
    """log Q(a, x) for x well above a: Legendre's continued fraction, by Lentz's method."""
    b = x + 1.0 - a
    c, d = 1e300, 1.0 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2.0
        d = 1.0 / (an * d + b)
        c = b + an / c
        step = c * d
        h *= step
        if abs(step - 1.0) < 1e-16:
            break
    return a * math.log(x) - x - math.lgamma(a) + math.log(h)


def chi2_ppf(p: float, df: float) -> float:
    """x with P(X <= x) = p."""
    return 2.0 * float(sc.gammaincinv(0.5 * _degrees(df), _probability(p)))


def chi2_isf(p: float, df: float) -> float:
    """x with P(X > x) = p."""
    return 2.0 * float(sc.gammainccinv(0.5 * _degrees(df), _probability(p)))


# --- other continuous families ----------------------------------------------------------------------


def beta_cdf(x: float, a: float, b: float) -> float:
    """P(X <= x) of the beta distribution."""
    return float(sc.betainc(_positive(a, "a"), _positive(b, "b"), min(1.0, max(0.0, x))))


def beta_sf(x: float, a: float, b: float) -> float:
    """P(X > x) of the beta distribution."""
    return float(sc.betaincc(_positive(a, "a"), _positive(b, "b"), min(1.0, max(0.0, x))))


def beta_ppf(p: float, a: float, b: float) -> float:
    """x with P(X <= x) = p of the beta distribution."""
    return float(sc.betaincinv(_positive(a, "a"), _positive(b, "b"), _probability(p)))


def gamma_cdf(x: float, shape: float, scale: float = 1.0) -> float:
    """P(X <= x) of the gamma distribution with shape and scale."""
    return 0.0 if x <= 0 else float(sc.gammainc(_positive(shape, "shape"), x / _positive(scale, "scale")))


def gamma_sf(x: float, shape: float, scale: float = 1.0) -> float:
    """P(X > x) of the gamma distribution."""
    return 1.0 if x <= 0 else float(sc.gammaincc(_positive(shape, "shape"), x / _positive(scale, "scale")))


def gamma_ppf(p: float, shape: float, scale: float = 1.0) -> float:
    """x with P(X <= x) = p of the gamma distribution."""
    return float(sc.gammaincinv(_positive(shape, "shape"), _probability(p))) * _positive(scale, "scale")


def expon_cdf(x: float, scale: float = 1.0) -> float:
    """P(X <= x) of the exponential distribution with mean `scale`."""
    return -math.expm1(-max(0.0, x) / _positive(scale, "scale"))


def expon_sf(x: float, scale: float = 1.0) -> float:
    """P(X > x) of the exponential distribution."""
    return math.exp(-max(0.0, x) / _positive(scale, "scale"))


def weibull_cdf(x: float, shape: float, scale: float = 1.0) -> float:
    """P(X <= x) of the Weibull distribution."""
    return 0.0 if x <= 0 else -math.expm1(-((x / _positive(scale, "scale")) ** _positive(shape, "shape")))


def weibull_sf(x: float, shape: float, scale: float = 1.0) -> float:
    """P(X > x) of the Weibull distribution."""
    return 1.0 if x <= 0 else math.exp(-((x / _positive(scale, "scale")) ** _positive(shape, "shape")))


def lognorm_cdf(x: float, meanlog: float, sdlog: float) -> float:
    """P(X <= x) when log X is normal."""
    return 0.0 if x <= 0 else norm_cdf((math.log(x) - meanlog) / _positive(sdlog, "sdlog"))


def lognorm_sf(x: float, meanlog: float, sdlog: float) -> float:
    """P(X > x) when log X is normal."""
    return 1.0 if x <= 0 else norm_sf((math.log(x) - meanlog) / _positive(sdlog, "sdlog"))


def uniform_cdf(x: float, low: float, high: float) -> float:
    """P(X <= x) of the uniform distribution on [low, high]."""
    if not high > low:
        raise InputError("'high' must exceed 'low'.", where="high", code="out_of_range")
    return min(1.0, max(0.0, (x - low) / (high - low)))


def uniform_sf(x: float, low: float, high: float) -> float:
    """P(X > x) of the uniform distribution on [low, high]."""
    if not high > low:
        raise InputError("'high' must exceed 'low'.", where="high", code="out_of_range")
    return min(1.0, max(0.0, (high - x) / (high - low)))


# --- discrete families ------------------------------------------------------------------------------


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
    p = _probability(probability)
    return 0.0 if k < 0 else float(sc.betainc(_positive(size, "size"), math.floor(k) + 1.0, p))


def nbinom_sf(k: float, size: float, probability: float) -> float:
    """P(X > k) failures before `size` successes."""
    p = _probability(probability)
    return 1.0 if k < 0 else float(sc.betaincc(_positive(size, "size"), math.floor(k) + 1.0, p))


def binom_logpmf(k: int, n: int, p: float) -> float:
    """log P(X = k) of the binomial distribution, by Loader's saddle point."""
    p = _probability(p)
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
    return float(sc.betaincc(k + 1.0, float(n - k), _probability(p)))


def binom_sf(k: float, n: int, p: float) -> float:
    """P(X > k) of the binomial distribution."""
    k = math.floor(k)
    if k < 0 or k >= n:
        return 1.0 if k < 0 else 0.0
    return float(sc.betainc(k + 1.0, float(n - k), _probability(p)))


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
    low = 0.0 if k == 0 else float(sc.betaincinv(k, n - k + 1.0, tail))
    high = 1.0 if k == n else float(sc.betainccinv(k + 1.0, n - k, tail))
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


def _hypergeom_support(drawn: int, good: int, bad: int) -> tuple[int, np.ndarray]:
    """Least possible k and the probabilities of all of them, anchored at the mode."""
    low, high = max(0, drawn - bad), min(drawn, good)
    k = np.arange(low, high, dtype=np.float64)
    steps = np.log((good - k) / (k + 1.0)) + np.log((drawn - k) / (bad - drawn + k + 1.0))
    mode = min(high, max(low, (drawn + 1) * (good + 1) // (good + bad + 2)))
    path = np.concatenate(([0.0], np.cumsum(steps)))
    logs = path - path[mode - low] + hypergeom_logpmf(mode, drawn, good, bad)
    return low, np.exp(logs)


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
