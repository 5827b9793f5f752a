"""Tail areas and quantiles of the continuous distributions.

Plain floats in, plain floats out. Upper tails are computed as such, never as 1 - cdf.
"""

from __future__ import annotations

import math
from typing import Final

from scipy import special as sc

from statistikles.errors import InputError
from statistikles.stats._beta_inverse import beta_lower_inverse, beta_upper_inverse
from statistikles.stats._tails import degrees, p_from_symmetric, positive
from statistikles.stats._tails import probability as unit

__all__ = [
    "beta_cdf",
    "beta_ppf",
    "beta_sf",
    "chi2_cdf",
    "chi2_isf",
    "chi2_logsf",
    "chi2_ppf",
    "chi2_sf",
    "expon_cdf",
    "expon_sf",
    "f_cdf",
    "f_isf",
    "f_logsf",
    "f_ppf",
    "f_sf",
    "gamma_cdf",
    "gamma_ppf",
    "gamma_sf",
    "lognorm_cdf",
    "lognorm_sf",
    "norm_cdf",
    "norm_isf",
    "norm_logcdf",
    "norm_logsf",
    "norm_pdf",
    "norm_ppf",
    "norm_sf",
    "p_normal",
    "p_t",
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

_LOG_SQRT_2PI: Final = 0.9189385332046727
_TINY: Final = 1e-290  # below this a tail area is taken from its logarithm


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
    return float(sc.ndtri(unit(p)))


def norm_isf(p: float) -> float:
    """z with P(Z > z) = p."""
    return -float(sc.ndtri(unit(p)))


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
    df = degrees(df)
    if math.isinf(df):
        return norm_sf(t)
    if t < 0:
        return 1.0 - t_sf(-t, df)
    if t * t < df or t < 1.0:
        return float(sc.stdtr(df, -t))
    ratio = t / math.sqrt(df)  # df / (df + t**2) without overflow
    return 0.5 * float(sc.betainc(0.5 * df, 0.5, 1.0 / (1.0 + ratio * ratio)))


def t_logsf(t: float, df: float) -> float:
    """log P(T > t), good far beyond the smallest double."""
    p = t_sf(t, df)
    if p > 0.5:
        return math.log1p(-t_sf(-t, df))
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
    p = unit(p)
    if math.isinf(degrees(df)):
        return norm_ppf(p)
    return float(sc.stdtrit(df, p)) if p >= 1e-12 else -t_isf(p, df)


def t_isf(p: float, df: float) -> float:
    """t with P(T > t) = p."""
    p = unit(p)
    if math.isinf(degrees(df)):
        return norm_isf(p)
    if p == 0.0:
        return math.inf
    if p < 0.25:
        x = beta_lower_inverse(0.5 * df, 0.5, 2.0 * p)
        if 0.0 < x < 0.5:
            return math.sqrt(df * ((1.0 - x) / x))
        if x > 0.0:  # the complement keeps the digits that 1 - x would lose
            y = beta_upper_inverse(0.5, 0.5 * df, 2.0 * p)
            return math.sqrt(df * (y / (1.0 - y)))
    return -float(sc.stdtrit(df, p))


# --- F and chi-squared ------------------------------------------------------------------------------


def f_sf(f: float, df1: float, df2: float) -> float:
    """P(F > f)."""
    df1, df2 = degrees(df1, "df1"), degrees(df2, "df2")
    if f <= 0:
        return 1.0
    if math.isinf(df2):
        return chi2_sf(f * df1, df1)
    return float(sc.fdtrc(df1, df2, f))


def f_cdf(f: float, df1: float, df2: float) -> float:
    """P(F <= f)."""
    df1, df2 = degrees(df1, "df1"), degrees(df2, "df2")
    if f <= 0:
        return 0.0
    if math.isinf(df2):
        return chi2_cdf(f * df1, df1)
    return float(sc.fdtr(df1, df2, f))


def f_logsf(f: float, df1: float, df2: float) -> float:
    """log P(F > f)."""
    p = f_sf(f, df1, df2)
    if p > 0.5:
        return math.log1p(-f_cdf(f, df1, df2))
    if p > _TINY:
        return math.log(p)
    if math.isinf(df2):
        return chi2_logsf(f * df1, df1)
    return _log_betainc_small(0.5 * df2, 0.5 * df1, 1.0 / (1.0 + df1 / df2 * f))


def f_ppf(p: float, df1: float, df2: float) -> float:
    """f with P(F <= f) = p."""
    p, df1, df2 = unit(p), degrees(df1, "df1"), degrees(df2, "df2")
    if math.isinf(df2):
        return chi2_ppf(p, df1) / df1
    x = beta_lower_inverse(0.5 * df1, 0.5 * df2, p)
    return df2 * x / (df1 * (1.0 - x)) if x < 0.5 else f_isf(1.0 - p, df1, df2)


def f_isf(p: float, df1: float, df2: float) -> float:
    """f with P(F > f) = p."""
    p, df1, df2 = unit(p), degrees(df1, "df1"), degrees(df2, "df2")
    if p == 0.0:
        return math.inf
    if math.isinf(df2):
        return chi2_isf(p, df1) / df1
    x = beta_lower_inverse(0.5 * df2, 0.5 * df1, p)
    if x <= 0.0:
        return math.inf
    if x > 0.5:  # the complement keeps the digits that 1 - x would lose
        y = beta_upper_inverse(0.5 * df1, 0.5 * df2, p)
        return df2 * (y / (1.0 - y)) / df1
    return df2 * ((1.0 - x) / x) / df1


def chi2_sf(x: float, df: float) -> float:
    """P(X > x)."""
    return 1.0 if x <= 0 else float(sc.gammaincc(0.5 * degrees(df), 0.5 * x))


def chi2_cdf(x: float, df: float) -> float:
    """P(X <= x)."""
    return 0.0 if x <= 0 else float(sc.gammainc(0.5 * degrees(df), 0.5 * x))


def chi2_logsf(x: float, df: float) -> float:
    """log P(X > x)."""
    p = chi2_sf(x, df)
    if p > 0.5:
        return math.log1p(-chi2_cdf(x, df))
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
    return 2.0 * float(sc.gammaincinv(0.5 * degrees(df), unit(p)))


def chi2_isf(p: float, df: float) -> float:
    """x with P(X > x) = p."""
    return 2.0 * float(sc.gammainccinv(0.5 * degrees(df), unit(p)))


# --- other continuous families ----------------------------------------------------------------------


def beta_cdf(x: float, a: float, b: float) -> float:
    """P(X <= x) of the beta distribution."""
    return float(sc.betainc(positive(a, "a"), positive(b, "b"), min(1.0, max(0.0, x))))


def beta_sf(x: float, a: float, b: float) -> float:
    """P(X > x) of the beta distribution."""
    return float(sc.betaincc(positive(a, "a"), positive(b, "b"), min(1.0, max(0.0, x))))


def beta_ppf(p: float, a: float, b: float) -> float:
    """x with P(X <= x) = p of the beta distribution."""
    return beta_lower_inverse(positive(a, "a"), positive(b, "b"), unit(p))


def gamma_cdf(x: float, shape: float, scale: float = 1.0) -> float:
    """P(X <= x) of the gamma distribution with shape and scale."""
    return 0.0 if x <= 0 else float(sc.gammainc(positive(shape, "shape"), x / positive(scale, "scale")))


def gamma_sf(x: float, shape: float, scale: float = 1.0) -> float:
    """P(X > x) of the gamma distribution."""
    return 1.0 if x <= 0 else float(sc.gammaincc(positive(shape, "shape"), x / positive(scale, "scale")))


def gamma_ppf(p: float, shape: float, scale: float = 1.0) -> float:
    """x with P(X <= x) = p of the gamma distribution."""
    return float(sc.gammaincinv(positive(shape, "shape"), unit(p))) * positive(scale, "scale")


def expon_cdf(x: float, scale: float = 1.0) -> float:
    """P(X <= x) of the exponential distribution with mean `scale`."""
    return -math.expm1(-max(0.0, x) / positive(scale, "scale"))


def expon_sf(x: float, scale: float = 1.0) -> float:
    """P(X > x) of the exponential distribution."""
    return math.exp(-max(0.0, x) / positive(scale, "scale"))


def weibull_cdf(x: float, shape: float, scale: float = 1.0) -> float:
    """P(X <= x) of the Weibull distribution."""
    return 0.0 if x <= 0 else -math.expm1(-((x / positive(scale, "scale")) ** positive(shape, "shape")))


def weibull_sf(x: float, shape: float, scale: float = 1.0) -> float:
    """P(X > x) of the Weibull distribution."""
    return 1.0 if x <= 0 else math.exp(-((x / positive(scale, "scale")) ** positive(shape, "shape")))


def lognorm_cdf(x: float, meanlog: float, sdlog: float) -> float:
    """P(X <= x) when log X is normal."""
    return 0.0 if x <= 0 else norm_cdf((math.log(x) - meanlog) / positive(sdlog, "sdlog"))


def lognorm_sf(x: float, meanlog: float, sdlog: float) -> float:
    """P(X > x) when log X is normal."""
    return 1.0 if x <= 0 else norm_sf((math.log(x) - meanlog) / positive(sdlog, "sdlog"))


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
