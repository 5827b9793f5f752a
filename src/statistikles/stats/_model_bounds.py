"""Interval of the noncentrality of an F statistic, also where it is very large: for R², f² and the like."""

from __future__ import annotations

import math

import numpy as np
from scipy import special as sc

from statistikles.stats._noncentral import nc_f_noncentrality
from statistikles.stats._numerics import find_root

__all__ = ["f_noncentrality_interval"]

_WIDE = 200.0  # noncentrality from which the Poisson mixture is summed at spaced points
_SMALL = 100.0  # noncentrality below which it must be
_LARGEST = 1e14


def f_noncentrality_interval(f: float, df1: float, df2: float, level: float) -> tuple[float, float] | None:
    """The noncentralities whose F distributions have `f` at their upper and lower tail of (1 - level)/2.

    None when they are too large to be told apart from each other.
    """
    if not f * df1 < _LARGEST:
        return None
    tail = (1 - level) / 2
    if f * df1 < _WIDE:
        return nc_f_noncentrality(f, df1, df2, 1 - tail), nc_f_noncentrality(f, df1, df2, tail)
    return _wide_bound(f, df1, df2, 1 - tail), _wide_bound(f, df1, df2, tail)


def _wide_bound(f: float, df1: float, df2: float, probability: float) -> float:
    if _wide_cdf(f, df1, df2, _SMALL) <= probability:
        # The bound lies among few Poisson terms (it may be 0), where they are summed one by one.
        return nc_f_noncentrality(f, df1, df2, probability)
    centre = f * df1
    step = 4 * math.sqrt(4 * centre + 2 * centre / df2 * centre)
    low, high = centre, centre
    while low > 0 and _wide_cdf(f, df1, df2, low) <= probability:
        low = max(0.0, low - step)
    while _wide_cdf(f, df1, df2, high) >= probability:
        high += step
    return find_root(lambda nc: _wide_cdf(f, df1, df2, nc) - probability, low, high, rtol=1e-11)


def _wide_cdf(f: float, df1: float, df2: float, nc: float) -> float:
    """P(F <= f): the Poisson mixture of beta integrals, by the trapezoid rule over its smooth terms.

    With points a quarter of a standard deviation apart the rule is exact to rounding for a bell-shaped sum.
    """
    mean = max(0.5 * nc, 1.0)
    spread = math.sqrt(mean)
    j = mean + spread * np.arange(-34, 35) / 4
    j = j[j > 0.5]
    stirling = (1 / 12 - 1 / (360 * j * j)) / j
    weights = np.exp(j * np.log1p((mean - j) / j) + (j - mean) - stirling) / np.sqrt(j)
    # P(F <= f) by the smaller tail of the beta integral, which keeps its digits
    z = df2 / (df1 * f + df2)
    tail = sc.betainc(0.5 * df2, 0.5 * df1 + j, z)
    return 1.0 - float(weights @ tail / weights.sum())
