"""One-way sums of squares to the last digit: double-double, or exact integers on the decimals as typed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError
from statistikles.stats import _exact
from statistikles.stats._exact import (
    DD,
    dd_add,
    dd_div,
    dd_mul,
    dd_sub,
    dd_sum_axis,
    dd_to_float,
    decimal_integers,
    scale_back,
)

__all__ = ["OneWay", "one_way_sums"]


@dataclass(frozen=True)
class OneWay:
    """Sums of squares of a one-way layout. `f` is None when nothing varies within the groups."""

    sizes: tuple[int, ...]
    means: tuple[float, ...]
    grand_mean: float
    group_ss: tuple[float, ...]
    ss_between: float
    ss_within: float
    ss_total: float
    df_between: int
    df_within: int
    ms_between: float
    ms_within: float | None
    f: float | None
    r2: float | None
    resid_sd: float | None


def one_way_sums(groups: Sequence[NDArray[np.float64]], *, decimal: bool = False) -> OneWay:
    """Between and within sums of squares of two or more groups of finite values."""
    if len(groups) < 2:
        raise InputError("At least 2 groups are needed.", where="groups", code="too_few_groups")
    for i, group in enumerate(groups):
        if group.size == 0:
            raise InputError(f"Group {i + 1} is empty.", where="groups", code="too_few_values")
    return _exact_sums(groups) if decimal else _double_double_sums(groups)


def _double_double_sums(groups: Sequence[NDArray[np.float64]]) -> OneWay:
    largest = max(float(np.max(np.abs(g))) for g in groups)
    exponent = math.frexp(largest)[1]
    sizes = [int(g.size) for g in groups]
    n = sum(sizes)
    # A value in the midst of the data is taken off first, so that tiny spreads on large offsets
    # rescale to ordinary numbers; the difference is kept in double-double.
    centre = float(np.ldexp(groups[0][0], -exponent))
    shifted: list[DD] = []
    for g in groups:
        scaled = np.ldexp(g, -exponent)
        shifted.append(_exact.two_sum(scaled, -centre))
    spread = max(float(np.max(np.abs(v[0]))) for v in shifted)
    lift = math.frexp(spread)[1] if spread > 0 else 0
    shifted = [(np.ldexp(v[0], -lift), np.ldexp(v[1], -lift)) for v in shifted]
    totals = [dd_sum_axis(v) for v in shifted]
    means = [dd_div(t, (float(k), 0.0)) for t, k in zip(totals, sizes, strict=True)]
    grand_total: DD = (0.0, 0.0)
    for t in totals:
        grand_total = dd_add(grand_total, t)
    grand = dd_div(grand_total, (float(n), 0.0))
    within: DD = (0.0, 0.0)
    between: DD = (0.0, 0.0)
    group_ss = []
    for v, mean, k in zip(shifted, means, sizes, strict=True):
        deviation = dd_sub(v, mean)
        ss = dd_sum_axis(dd_mul(deviation, deviation))
        group_ss.append(dd_to_float(ss))
        within = dd_add(within, ss)
        gap = dd_sub(mean, grand)
        between = dd_add(between, dd_mul((float(k), 0.0), dd_mul(gap, gap)))
    total = dd_add(within, between)
    unit = exponent + lift

    def place(mean: DD) -> float:
        back = dd_add((math.ldexp(float(mean[0]), lift), math.ldexp(float(mean[1]), lift)), (centre, 0.0))
        return math.ldexp(dd_to_float(back), exponent)

    return _assemble(
        sizes,
        [place(m) for m in means],
        place(grand),
        [scale_back(s, 2 * unit) for s in group_ss],
        (dd_to_float(between), dd_to_float(within), dd_to_float(total)),
        unit,
    )


def _assemble(
    sizes: Sequence[int],
    means: Sequence[float],
    grand: float,
    group_ss: Sequence[float],
    sums: tuple[float, float, float],
    unit: int,
) -> OneWay:
    """Mean squares, F, R2 from sums in units of 2**(2 * unit)."""
    between, within, total = sums
    k, n = len(sizes), sum(sizes)
    df_between, df_within = k - 1, n - k
    ms_between = between / df_between
    ms_within = within / df_within if df_within > 0 else None
    return OneWay(
        tuple(sizes),
        tuple(means),
        grand,
        tuple(group_ss),
        scale_back(between, 2 * unit),
        scale_back(within, 2 * unit),
        scale_back(total, 2 * unit),
        df_between,
        df_within,
        scale_back(ms_between, 2 * unit),
        None if ms_within is None else scale_back(ms_within, 2 * unit),
        ms_between / ms_within if ms_within else None,
        between / total if total > 0 else None,
        None if ms_within is None else scale_back(math.sqrt(ms_within), unit),
    )


def _exact_sums(groups: Sequence[NDArray[np.float64]]) -> OneWay:
    """The same from the decimals that the doubles print as: integers, rounded once at the end."""
    whole, power = decimal_integers(np.concatenate(groups))
    sizes = [int(g.size) for g in groups]
    k, n = len(sizes), len(whole)
    unit = Fraction(10) ** power
    totals, squares = [], []
    start = 0
    for size in sizes:
        part = whole[start : start + size]
        start += size
        totals.append(sum(part))
        squares.append(sum(v * v for v in part))
    group_ss = [Fraction(q) - Fraction(t * t, m) for q, t, m in zip(squares, totals, sizes, strict=True)]
    within = sum(group_ss, Fraction(0))
    grand_total = sum(totals)
    between = sum((Fraction(t * t, m) for t, m in zip(totals, sizes, strict=True)), Fraction(0)) - Fraction(
        grand_total * grand_total, n
    )
    total = within + between
    df_between, df_within = k - 1, n - k

    def out(value: Fraction) -> float:
        return _exact.ratio(value.numerator, value.denominator)

    ms_within = within / df_within if df_within > 0 else None
    resid_sd = None
    if ms_within is not None:
        variance = ms_within * unit * unit
        resid_sd = _exact.sqrt_ratio(variance.numerator, variance.denominator)
    return OneWay(
        tuple(sizes),
        tuple(out(Fraction(t, m) * unit) for t, m in zip(totals, sizes, strict=True)),
        out(Fraction(grand_total, n) * unit),
        tuple(out(s * unit * unit) for s in group_ss),
        out(between * unit * unit),
        out(within * unit * unit),
        out(total * unit * unit),
        df_between,
        df_within,
        out(between / df_between * unit * unit),
        None if ms_within is None else out(ms_within * unit * unit),
        out(between / df_between / ms_within) if ms_within else None,
        out(between / total) if total > 0 else None,
        resid_sd,
    )
