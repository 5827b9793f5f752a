"""Power of t, F, proportion and correlation tests as functions of size and effect, and their inversion."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import special as sc

from statistikles.errors import InputError, NotDefined
from statistikles.stats._distributions import f_isf, norm_cdf, norm_isf, norm_sf, t_isf
from statistikles.stats._noncentral import nc_f_sf, nc_t_sf
from statistikles.stats._numerics import find_root

__all__ = [
    "check_reachable",
    "correlation_power",
    "f_power",
    "least_first",
    "normal_power",
    "smallest_n",
    "t_curve",
    "t_power",
    "whole_n",
]

# Beyond this many degrees of freedom the normal form of the noncentral t is exact to rounding.
_NORMAL_DF = 1e8
_LARGEST_N = 1e12


def t_power(df: float, noncentrality: float, alpha: float, alternative: str) -> float:
    """Power of a t test; a one-sided test counts its own tail only."""
    if alternative == "less":
        return t_power(df, -noncentrality, alpha, "greater")
    critical = t_isf(alpha / 2 if alternative == "two-sided" else alpha, df)
    power = _t_tail(critical, df, noncentrality)
    if alternative == "two-sided":
        power += _t_tail(critical, df, -noncentrality)
    return min(power, 1.0)


def _t_tail(t: float, df: float, nc: float) -> float:
    if abs(nc) > 1e6:  # so far from the critical value that the power is 0 or 1 to every digit
        return norm_sf(t - nc)
    if df > _NORMAL_DF:
        return norm_sf((t * (1 - 0.25 / df) - nc) / math.sqrt(1 + t * t / (2 * df)))
    return nc_t_sf(t, df, nc)


def f_power(df1: float, df2: float, noncentrality: float, alpha: float) -> float:
    """Power of an F test."""
    if noncentrality > 1e8:
        return 1.0
    return nc_f_sf(f_isf(alpha, df1, df2), df1, df2, noncentrality)


def normal_power(shift: float, alpha: float, alternative: str) -> float:
    """Power of a z test whose statistic has mean `shift` and variance one."""
    if alternative == "greater":
        return norm_sf(norm_isf(alpha) - shift)
    if alternative == "less":
        return norm_cdf(-norm_isf(alpha) - shift)
    critical = norm_isf(alpha / 2)
    return min(norm_sf(critical - shift) + norm_sf(critical + shift), 1.0)


def correlation_power(n: float, rho: float, alpha: float, alternative: str) -> float:
    """Exact power of the t test of a Pearson correlation under bivariate normality.

    r / sqrt(1 - r²) is distributed as (Z + rho' chi(n-1)) / chi(n-2) with independent parts and
    rho' = rho / sqrt(1 - rho²): the normal part is integrated in closed form, the two chis by quadrature.
    """
    if alternative == "less":
        return correlation_power(n, -rho, alpha, "greater")
    df = n - 2
    critical = t_isf(alpha / 2 if alternative == "two-sided" else alpha, df) / math.sqrt(df)
    slope = rho / math.sqrt((1 - rho) * (1 + rho))
    a, wa = _chi_grid(n - 1)
    b, wb = _chi_grid(df)
    power = float(wb @ sc.ndtr(slope * a[None, :] - critical * b[:, None]) @ wa)
    if alternative == "two-sided":
        power += float(wb @ sc.ndtr(-slope * a[None, :] - critical * b[:, None]) @ wa)
    return min(power, 1.0)


def _chi_grid(df: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and probabilities that integrate over a chi distribution with `df` degrees of freedom."""
    nodes, weights = np.polynomial.legendre.leggauss(96)
    centre = math.sqrt(max(df - 0.5, 0.1))
    low, high = max(0.0, centre - 7.0), centre + 7.0
    x = low + (high - low) * (nodes + 1) / 2
    with np.errstate(divide="ignore"):
        logs = (df - 1) * np.log(x / centre) - (x * x - centre * centre) / 2
    density = weights * np.exp(logs - logs.max())
    return x, density / density.sum()


def smallest_n(power_at: Callable[[float], float], power: float, least: float) -> float | None:
    """The (fractional) n at which the rising curve `power_at` reaches `power`; None when `least` already does."""
    if power_at(least) >= power:
        return None
    low, high = least, 2 * least
    while power_at(high) < power:
        low, high = high, 4 * high
        if high > _LARGEST_N:
            raise NotDefined(
                f"More than {_LARGEST_N:.0e} observations would be needed for this power.",
                hint="Use a larger effect size or a lower power.",
                code="too_large",
            )
    root = find_root(lambda u: power_at(math.exp(u)) - power, math.log(low), math.log(high), rtol=1e-14)
    return math.exp(root)


def whole_n(
    curve: Callable[[float], float], power: float, least: float
) -> tuple[float | None, int, dict[str, str]]:
    """The exact n, the whole n to use, and the reason when the exact one is undefined."""
    exact = smallest_n(curve, power, least)
    if exact is None:
        n = math.ceil(least)
        return (
            None,
            n,
            {"n_exact": f"n = {n}, the smallest possible, already gives more than the wanted power"},
        )
    return exact, math.ceil(exact - 1e-9), {}


def t_curve(n1: float, n2: float, d: float, alpha: float, alternative: str, design: str) -> float:
    """Power of a t test of standardised difference d; n2 is ignored by designs of one sample."""
    if design != "two_sample":
        return t_power(n1 - 1, d * math.sqrt(n1), alpha, alternative)
    return t_power(n1 + n2 - 2, d * math.sqrt(n1 / (n1 + n2) * n2), alpha, alternative)


def least_first(ratio: float) -> float:
    """The smallest first group for which both groups have two members."""
    return max(2.0, 2.0 / ratio)


def check_reachable(effect: float, alpha: float, power: float, alternative: str) -> None:
    """Refuses what no sample size can reach."""
    if power <= alpha:
        raise InputError(
            f"The power ({power:g}) must exceed alpha ({alpha:g}).", where="power", code="out_of_range"
        )
    if effect == 0:
        raise NotDefined(
            "No sample size gives power against an effect of zero.",
            hint="Give the smallest effect that would matter.",
            where="effect_size",
            code="no_solution",
        )
    if (alternative == "greater" and effect < 0) or (alternative == "less" and effect > 0):
        raise NotDefined(
            f"The effect ({effect:g}) lies against the alternative ({alternative}), so no n reaches the power.",
            hint="Turn the sign of the effect, or the alternative.",
            where="effect_size",
            code="no_solution",
        )
