"""Inverse of the incomplete beta function, checked: scipy's own is wrong for some large parameters.

`betaincinv(1000, 1e9 + 1, 0.025)` gives 1.9e-6 (a point with probability 1), the root is 9.39e-7.
"""

from __future__ import annotations

import math

from scipy import special as sc

from statistikles.stats._numerics import find_root

__all__ = ["beta_lower_inverse", "beta_upper_inverse"]

# How well the point found must reproduce the probability asked for.
_AGREEMENT = 1e-10
# log-odds beyond which x is the smallest double, or indistinguishable from 1.
_LOWEST, _HIGHEST = -740.0, 37.0


def beta_lower_inverse(a: float, b: float, p: float) -> float:
    """x with I_x(a, b) = p."""
    x = float(sc.betaincinv(a, b, p))
    if p <= 0.0 or p >= 1.0 or abs(float(sc.betainc(a, b, x)) - p) <= _AGREEMENT * p:
        return x
    return _searched(a, b, p, upper=False)


def beta_upper_inverse(a: float, b: float, p: float) -> float:
    """x with 1 - I_x(a, b) = p."""
    x = float(sc.betainccinv(a, b, p))
    if p <= 0.0 or p >= 1.0 or abs(float(sc.betaincc(a, b, x)) - p) <= _AGREEMENT * p:
        return x
    return _searched(a, b, p, upper=True)


def _searched(a: float, b: float, p: float, *, upper: bool) -> float:
    """The root in log-odds, which give both ends of (0, 1) their digits."""
    area = sc.betaincc if upper else sc.betainc

    def gap(log_odds: float) -> float:
        return float(area(a, b, sc.expit(log_odds))) - p

    low, high = _LOWEST, _HIGHEST
    if (gap(low) > 0) == (gap(high) > 0):  # the root lies beyond the doubles next to 0 or 1
        return 0.0 if abs(gap(low)) < abs(gap(high)) else 1.0
    centre = math.log(a) - math.log(b)
    width = 40.0 * math.sqrt(1.0 / a + 1.0 / b)
    near_low, near_high = max(low, centre - width), min(high, centre + width)
    if near_low < near_high and (gap(near_low) > 0) != (gap(near_high) > 0):
        low, high = near_low, near_high
    return float(sc.expit(find_root(gap, low, high)))
