"""Noncentral t, F and chi-squared: tail areas to near full relative precision, and their inversions.

The t distribution is integrated over its chi factor; F and chi-squared are Poisson mixtures summed
around the largest term. Every term is positive, so far tails keep their digits on either side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special as sc

from statistikles.errors import InputError, NotDefined
from statistikles.stats import _continuous as dist
from statistikles.stats._numerics import find_root
from statistikles.stats._tails import log_chi_constant

__all__ = [
    "nc_chi2_cdf",
    "nc_chi2_noncentrality",
    "nc_chi2_sf",
    "nc_f_cdf",
    "nc_f_noncentrality",
    "nc_f_sf",
    "nc_t_cdf",
    "nc_t_noncentrality",
    "nc_t_sf",
]

_DEPTH = 42.0  # natural logarithms below the peak at which an integrand or a term is dropped


@lru_cache(maxsize=8)
def _legendre(n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return nodes, weights


# --- t ----------------------------------------------------------------------------------------------


def _t_lower(t: float, df: float, nc: float) -> tuple[float, float]:
    """P(T <= t), the integral over u = log(chi/sqrt(df)) of its density times Phi(t e**u - nc), and its slope in nc."""

    def parts(u: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        density: NDArray[np.float64] = df * (u - 0.5 * np.expm1(2.0 * u))
        return density, t * np.exp(u) - nc

    def log_integrand(u: NDArray[Any]) -> NDArray[np.float64]:
        density, z = parts(u)
        return density + np.asarray(sc.log_ndtr(z))

    # Locate the bulk: a coarse grid over everything that could matter, then finer ones until it is well covered.
    width = 12.0 / math.sqrt(df)
    low, high = -width - 50.0 / df, min(width, 0.5 * math.log1p(120.0 / df) + 0.1)
    if t < 0:  # a far negative t is reached by a small chi
        low -= max(0.0, math.log1p(abs(t) / math.sqrt(df)))
    elif nc > 0 and t > 0:
        high = max(high, math.log(max(nc / t, 1e-300)) + 0.1) if nc / t < 1e4 else 9.2
        low = min(low, -math.log1p(t))
    for size in (160, *[100] * 9):
        step = (high - low) / (size - 1)
        grid = low + step * np.arange(size)
        logs = log_integrand(grid)
        top = float(logs.max())
        inside = (logs > top - _DEPTH).nonzero()[0]
        low, high = float(grid[inside[0]]) - step, float(grid[inside[-1]]) + step
        if inside.size > 60:
            break
    if top < -1e5:
        return 0.0, 0.0
    breaks = {low, high, float(grid[int(logs.argmax())])}
    for depth in (3.0, 14.0):  # panels over which the integrand falls by a few powers only
        above = (logs > top - depth).nonzero()[0]
        breaks |= {float(grid[above[0]]), float(grid[above[-1]])}
    if nc * t > 0:  # Phi rises around t e**u = nc, over a width of 1/|nc| in u: a panel of its own
        centre, reach = math.log(nc / t), 8.0 / abs(nc)
        breaks |= {v for v in (centre - reach, centre, centre + reach) if low < v < high}
    nodes, weights = _legendre(40)
    edges = np.array(sorted(v for v in breaks if low <= v <= high))
    half = 0.5 * (edges[1:] - edges[:-1])
    u = edges[:-1, None] + half[:, None] * (1.0 + nodes)
    density, z = parts(u)
    total = float(np.dot(half, np.exp(density + sc.log_ndtr(z) - top) @ weights))
    slope = float(np.dot(half, np.exp(density - 0.5 * z * z - top) @ weights)) / math.sqrt(2.0 * math.pi)
    constant = top + log_chi_constant(df)
    return math.exp(min(0.0, constant + math.log(total))), -slope * math.exp(min(700.0, constant))


def _t_lower_far(t: float, df: float, nc: float) -> float:
    """P(T <= t) as the integral over the normal part; smooth where |t| is large beside sqrt(df).

    For t > 0 it is P(chi/sqrt(df) >= (Z + nc)/t), for t < 0 P(chi/sqrt(df) <= (Z + nc)/t), both nothing
    (or everything) where (Z + nc)/t is negative.
    """
    drift = df * nc / (t * t)
    low, high = -12.0 - abs(drift), 12.0 + abs(drift)
    edge = min(max(-nc, low), high)
    start, stop = (edge, high) if t > 0 else (low, edge)
    nodes, weights = _legendre(80)
    total = dist.norm_cdf(-nc) if t > 0 else 0.0
    tail = sc.gammaincc if t > 0 else sc.gammainc
    half = 0.25 * (stop - start)
    for centre in (start + half, stop - half):
        z = centre + half * nodes
        chi2 = df * ((z + nc) / t) ** 2
        density = np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
        total += half * float(np.dot(weights, density * tail(0.5 * df, 0.5 * chi2)))
    return min(1.0, total)


def nc_t_cdf(t: float, df: float, nc: float) -> float:
    """P(T <= t) of the noncentral t distribution."""
    return _t_cdf(t, df, nc)[0]


def _t_cdf(t: float, df: float, nc: float) -> tuple[float, float]:
    """P(T <= t) and its slope in nc, which is not a number where another formula than the integral serves."""
    _check(df, "df")
    if nc == 0.0:
        return dist.t_cdf(t, df), math.nan
    if math.isinf(df):
        return dist.norm_cdf(t - nc), -dist.norm_pdf(t - nc)
    if abs(t) > 20.0 * math.sqrt(df) and df * abs(nc) < 10.0 * t * t:
        return _t_lower_far(t, df, nc), math.nan
    return _t_lower(t, df, nc)


def nc_t_sf(t: float, df: float, nc: float) -> float:
    """P(T > t) of the noncentral t distribution."""
    return nc_t_cdf(-t, df, -nc)


def nc_t_noncentrality(t: float, df: float, probability: float) -> float:
    """The noncentrality for which P(T <= t) equals `probability`."""
    _check_probability(probability)
    if abs(t) > 1e7:  # the normal part is then below rounding beside t times the chi part
        upper = dist.chi2_ppf(probability if t < 0 else 1 - probability, df)
        return t * math.sqrt(upper / df)

    def gap(nc: float) -> tuple[float, float]:  # always from the smaller tail
        if probability < 0.5:
            value, slope = _t_cdf(t, df, nc)
            return value - probability, slope
        value, slope = _t_cdf(-t, df, -nc)
        return (1 - probability) - value, slope

    if (polished := _polished(gap, t, df, probability)) is not None:
        return polished
    centre = t - dist.norm_ppf(probability) * math.sqrt(1.0 + t * t / (2.0 * df))
    return _bracket_and_solve(lambda nc: gap(nc)[0], centre, 1.0 + 0.1 * abs(centre), lowest=-math.inf)


def _polished(
    gap: Callable[[float], tuple[float, float]], t: float, df: float, probability: float
) -> float | None:
    """The root from scipy's inverse, right to six digits or so, by Newton steps; None where that fails."""
    nc = float(sc.nctdtrinc(df, probability, t))
    if not math.isfinite(nc):
        return None
    for limit in (1e-2, 1e-3, 1e-5, 1e-7):
        excess, slope = gap(nc)
        enough = 3e-8  # with the true slope, the error after a step is the square of the step
        if math.isnan(slope):  # scipy's is right to some digits
            step, enough = 1e-3, 1e-10
            slope = float(sc.nctdtr(df, nc + step, t) - sc.nctdtr(df, nc - step, t)) / (2 * step)
        if not slope < 0:
            return None
        move = excess / slope
        if abs(move) > limit * (1 + abs(nc)):
            return None
        nc -= move
        if abs(move) < enough * (1 + abs(nc)):
            return nc
    return None


# --- Poisson mixtures -------------------------------------------------------------------------------


def _poisson_log_weights(j: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """log of the Poisson probabilities, free of cancellation for large means."""
    safe = np.where(j > 0, j, 1.0)
    ratio = (j - mean) / mean
    # j log(j/mean) + mean - j, written so that j close to the mean loses nothing
    deviance = np.where(
        np.abs(ratio) < 0.1,
        mean * _h(np.where(np.abs(ratio) < 0.1, ratio, 0.0)),
        sc.xlogy(j, safe / mean) + mean - j,
    )
    m = 1.0 / (safe * safe)
    series = (1 / 12 - m * (1 / 360 - m * (1 / 1260 - m * (1 / 1680 - m / 1188)))) / safe
    direct = sc.gammaln(np.minimum(safe, 16.0) + 1) - (safe + 0.5) * np.log(safe) + safe - 0.9189385332046727
    stirling = np.where(safe > 15.0, series, direct)
    out: NDArray[np.float64] = np.where(
        j > 0, -stirling - deviance - 0.5 * np.log(safe) - 0.9189385332046727, -mean
    )
    return out


def _h(r: NDArray[np.float64]) -> NDArray[np.float64]:
    """(1 + r) log(1 + r) - r for |r| < 0.1, by its alternating series."""
    total = np.zeros_like(r)
    for k in range(18, 1, -1):
        total = total * r + (-1.0) ** k / (k * (k - 1))
    return total * r * r


def _mixture(
    nc: float, component: Callable[[NDArray[np.float64]], NDArray[np.float64]], reach: float
) -> float:
    """Sum over j of Poisson(j; nc/2) times component(j), all terms that matter."""
    mean = 0.5 * nc
    if not math.isfinite(reach) or reach > 1e15 or mean > 1e15:
        raise _too_large()
    spread = 9.5 * math.sqrt(mean) + 45.0
    low, high = max(0.0, math.floor(mean - spread)), math.ceil(mean + spread)
    # In a tail of the mixture the terms that matter shift towards `reach`, the j that suits the point.
    low = max(0.0, min(low, math.floor(reach - 9.5 * math.sqrt(max(reach, 0.0)) - 45.0)))
    high = max(high, math.ceil(reach + 9.5 * math.sqrt(max(reach, 0.0)) + 45.0))
    # Terms vary on the scale of the square root of their place: where that is large, every `stride`-th
    # stands for its neighbours, to far below rounding (the trapezoidal rule on a smooth bump).
    stride = max(1.0, math.floor(math.sqrt(max(1.0, min(mean, reach))) / 24.0))
    j = np.arange(low, high + stride, stride)
    with np.errstate(under="ignore"):
        terms = stride * np.exp(_poisson_log_weights(j, mean)) * component(j)
    return min(1.0, math.fsum(terms.tolist()))


def _too_large() -> NotDefined:
    return NotDefined("The noncentrality is too large for this computation.", where="nc", code="too_large")


def nc_chi2_cdf(x: float, df: float, nc: float) -> float:
    """P(X <= x) of the noncentral chi-squared distribution."""
    _check(df, "df")
    _check_noncentrality(nc)
    if nc == 0.0 or x <= 0:
        return dist.chi2_cdf(x, df)
    return _mixture(nc, lambda j: np.asarray(sc.gammainc(0.5 * df + j, 0.5 * x)), math.sqrt(0.25 * nc * x))


def nc_chi2_sf(x: float, df: float, nc: float) -> float:
    """P(X > x) of the noncentral chi-squared distribution."""
    _check(df, "df")
    _check_noncentrality(nc)
    if nc == 0.0 or x <= 0:
        return dist.chi2_sf(x, df)
    return _mixture(nc, lambda j: np.asarray(sc.gammaincc(0.5 * df + j, 0.5 * x)), math.sqrt(0.25 * nc * x))


def _f_reach(f: float, df1: float, df2: float, nc: float) -> float:
    y = df1 * f / (df1 * f + df2)
    return 0.5 * nc * y + math.sqrt(0.25 * nc * y * (df1 + df2)) if y < 1 else 0.5 * nc


def nc_f_cdf(f: float, df1: float, df2: float, nc: float) -> float:
    """P(F <= f) of the noncentral F distribution."""
    _check(df1, "df1")
    _check(df2, "df2")
    _check_noncentrality(nc)
    if nc == 0.0 or f <= 0:
        return dist.f_cdf(f, df1, df2)
    y = df1 * f / (df1 * f + df2)
    return _mixture(
        nc, lambda j: np.asarray(sc.betainc(0.5 * df1 + j, 0.5 * df2, y)), _f_reach(f, df1, df2, nc)
    )


def nc_f_sf(f: float, df1: float, df2: float, nc: float) -> float:
    """P(F > f) of the noncentral F distribution."""
    _check(df1, "df1")
    _check(df2, "df2")
    _check_noncentrality(nc)
    if nc == 0.0 or f <= 0:
        return dist.f_sf(f, df1, df2)
    z = df2 / (df1 * f + df2)
    return _mixture(
        nc, lambda j: np.asarray(sc.betainc(0.5 * df2, 0.5 * df1 + j, z)), _f_reach(f, df1, df2, nc)
    )


def nc_f_noncentrality(f: float, df1: float, df2: float, probability: float) -> float:
    """The noncentrality for which P(F <= f) equals `probability`, or 0 when even 0 gives less."""
    _check_probability(probability)
    if dist.f_cdf(f, df1, df2) <= probability:
        return 0.0
    return _bracket_and_solve(
        lambda nc: nc_f_cdf(f, df1, df2, nc) - probability,
        max(1.0, f * df1),
        2.0 * (1.0 + df1 + f * df1 * math.sqrt(2.0 / df2) + 2.0 * math.sqrt(f * df1)),
        lowest=0.0,
    )


def nc_chi2_noncentrality(x: float, df: float, probability: float) -> float:
    """The noncentrality for which P(X <= x) equals `probability`, or 0 when even 0 gives less."""
    _check_probability(probability)
    if dist.chi2_cdf(x, df) <= probability:
        return 0.0
    if x > 1e8:  # sqrt(X) is then normal with mean sqrt(nc + df - 1) and variance 1, up to terms of 1/x
        return max(0.0, (math.sqrt(x) - dist.norm_ppf(probability)) ** 2 - (df - 1))
    return _bracket_and_solve(
        lambda nc: nc_chi2_cdf(x, df, nc) - probability,
        max(1.0, x - df),
        4.0 * (1.0 + math.sqrt(x + df)),
        lowest=0.0,
    )


def _bracket_and_solve(gap: Callable[[float], float], centre: float, step: float, *, lowest: float) -> float:
    """The root of a falling function, bracketed by widening steps around `centre`."""
    low, high = max(lowest, centre - step), centre + step
    for _ in range(200):
        if gap(low) >= 0 or low == lowest:
            break
        low, step = max(lowest, low - step), step * 1.6
    for _ in range(200):
        if gap(high) <= 0:
            break
        high, step = high + step, step * 1.6
    return find_root(gap, low, high, rtol=1e-13, atol=1e-13)


def _check(df: float, name: str) -> None:
    if not df > 0:
        raise InputError(f"'{name}' must be positive, not {df}.", where=name, code="out_of_range")


def _check_noncentrality(nc: float) -> None:
    if not (nc >= 0 and math.isfinite(nc)):
        raise InputError("The noncentrality must not be negative.", where="nc", code="out_of_range")


def _check_probability(p: float) -> None:
    if not 0 < p < 1:
        raise InputError(
            "The probability must lie between 0 and 1.", where="probability", code="out_of_range"
        )
