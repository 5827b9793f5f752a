"""Hodges-Lehmann estimates with the intervals that invert the rank tests."""

from __future__ import annotations

import math

import numpy as np

from statistikles.stats._distributions import norm_isf, norm_sf
from statistikles.stats._numerics import Vector
from statistikles.stats._pair_sums import select_differences, select_walsh_averages
from statistikles.stats._rank_exact import critical_rank, critical_u, signed_rank_table

__all__ = ["pseudomedian", "shift_of_medians"]


def shift_of_medians(
    x: Vector, y: Vector, alpha: float, alternative: str, *, exact: bool
) -> dict[str, object]:
    """Median of all differences, and the interval between two of them that inverts the rank-sum test."""
    n1, n2 = int(x.size), int(y.size)
    pairs = n1 * n2
    tail = alpha / 2 if alternative == "two-sided" else alpha
    if exact:
        # Without ties; with them the same ranks give an interval that covers at least as often.
        rank, left_out = critical_u(n1, n2, tail)
        how = "exact: order statistics of the differences"
    else:
        deviation = math.sqrt(pairs * (n1 + n2 + 1) / 12)
        rank = min(pairs, max(1, math.floor(pairs / 2 + 0.5 - norm_isf(tail) * deviation)))
        left_out = norm_sf((pairs / 2 + 0.5 - rank) / deviation)
        how = "order statistics of the differences, their ranks by the normal approximation"
    lower, upper = (pairs + 1) // 2, pairs // 2 + 1
    with np.errstate(over="ignore"):
        chosen = select_differences(x, y, [lower, upper, rank, pairs + 1 - rank])
    return _median_interval(chosen, alpha, alternative, left_out, how)


def _median_interval(
    chosen: list[float], alpha: float, alternative: str, left_out: float, how: str
) -> dict[str, object]:
    """The fields of an estimate from (two middle values, low end, high end) of ordered pairwise quantities."""
    middle = chosen[0] if chosen[0] == chosen[1] else chosen[0] / 2 + chosen[1] / 2
    low: float | None = chosen[2]
    high: float | None = chosen[3]
    undefined: dict[str, str] = {}
    open_side = f"the interval is one-sided (alternative: {alternative})"
    tails = 2 if alternative == "two-sided" else 1
    level = 1 - tails * left_out
    warnings: tuple[str, ...] = ()
    if level < 1 - alpha - 1e-9 and how.startswith("exact"):
        warnings = (
            f"So few values cannot give {100 * (1 - alpha):g}% confidence; the widest interval is given.",
        )
    else:
        level = 1 - alpha
    if alternative == "greater":
        high, undefined = None, {"conf_high": open_side}
    elif alternative == "less":
        low, undefined = None, {"conf_low": open_side}
    if not all(math.isfinite(v) for v in (middle, low or 0.0, high or 0.0)):
        reason = "the differences do not fit a double-precision number"
        return {"undefined": dict.fromkeys(("estimate", "conf_low", "conf_high"), reason)}
    return {
        "estimate": middle,
        "conf_low": low,
        "conf_high": high,
        "conf_level": level,
        "conf_method": how,
        "undefined": undefined,
        "warnings": warnings,
    }


def pseudomedian(d: Vector, alpha: float, alternative: str, *, exact: bool) -> dict[str, object]:
    """Median of the Walsh averages, and the interval between two of them that inverts the signed-rank test."""
    n = d.size
    averages = n * (n + 1) // 2
    tail = alpha / 2 if alternative == "two-sided" else alpha
    if exact:
        rank, left_out = critical_rank(signed_rank_table(np.arange(1.0, n + 1)).weights, tail)
        how = "exact: order statistics of the averages of two differences"
    else:
        deviation = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        rank = min(averages, max(1, math.floor(averages / 2 + 0.5 - norm_isf(tail) * deviation)))
        left_out = norm_sf((averages / 2 + 0.5 - rank) / deviation)
        how = "order statistics of the averages of two differences, their ranks by the normal approximation"
    chosen = select_walsh_averages(d, [(averages + 1) // 2, averages // 2 + 1, rank, averages + 1 - rank])
    return _median_interval(chosen, alpha, alternative, left_out, how)
