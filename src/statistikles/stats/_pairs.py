"""All pairs of group means compared: Tukey-Kramer (equal variances) and Games-Howell (unequal)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._magnitude import COHENS_D, magnitude
from statistikles.stats._noncentral import nc_t_noncentrality
from statistikles.stats._one_way import Partition, hedges_factor
from statistikles.stats._studentized_range import studentized_range_isf, studentized_range_sf

__all__ = ["games_howell_pairs", "tukey_pairs"]


def tukey_pairs(parts: Partition, alpha: float) -> dict[str, SignificanceTest]:
    """Tukey's honestly significant differences, Kramer's form for unequal sizes."""
    k, df = len(parts.sizes), parts.n - len(parts.sizes)
    mean_within = parts.ss_within / df
    critical = studentized_range_isf(alpha, k, df)
    out = {}
    for i, j in combinations(range(k), 2):
        error2 = mean_within * (Fraction(1, parts.sizes[i]) + Fraction(1, parts.sizes[j]))
        out[_label(parts, i, j)] = _pair("Tukey–Kramer HSD", parts, (i, j), error2, df, critical, alpha)
    return out


def games_howell_pairs(parts: Partition, alpha: float) -> dict[str, SignificanceTest]:
    """Games and Howell's comparisons: Welch's standard error and df against the studentized range."""
    k = len(parts.sizes)
    out = {}
    for i, j in combinations(range(k), 2):
        n1, n2 = parts.sizes[i], parts.sizes[j]
        v1, v2 = parts.variance(i), parts.variance(j)
        if v1 is None or v2 is None or v1 + v2 == 0:
            reason = "a group has a single value" if v1 is None or v2 is None else "both groups are constant"
            out[_label(parts, i, j)] = _undefined_pair(parts, (i, j), reason, alpha)
            continue
        a, b = v1 / n1, v2 / n2
        df = float((a + b) ** 2 / (a * a / (n1 - 1) + b * b / (n2 - 1)))
        critical = studentized_range_isf(alpha, k, df)
        out[_label(parts, i, j)] = _pair("Games–Howell", parts, (i, j), a + b, df, critical, alpha)
    return out


def _label(parts: Partition, i: int, j: int) -> str:
    return f"{parts.names[i]} − {parts.names[j]}"


def _pair(
    method: str,
    parts: Partition,
    pair: tuple[int, int],
    error2: Fraction,
    df: float,
    critical: float,
    alpha: float,
) -> SignificanceTest:
    """One comparison. `error2` is the squared standard error of the difference, in scaled units."""
    i, j = pair
    difference = parts.means[i] - parts.means[j]
    error = math.sqrt(float(error2))
    q = abs(float(difference)) / error * math.sqrt(2.0)
    reach = critical * error / math.sqrt(2.0)
    unit = 2.0**-parts.shift
    return SignificanceTest(
        method=method,
        statistic_name="q",
        statistic=q,
        df=df,
        p_value=studentized_range_sf(q, len(parts.sizes), df),
        alternative="two-sided",
        alpha=alpha,
        estimate_name=f"difference of means ({_label(parts, i, j)})",
        estimate=float(difference) * unit,
        std_error=error * unit,
        conf_low=(float(difference) - reach) * unit,
        conf_high=(float(difference) + reach) * unit,
        conf_level=1 - alpha,
        conf_method="simultaneous, studentized range",
        effect_size=_hedges_g(parts, pair, 1 - alpha),
        n=parts.sizes[i] + parts.sizes[j],
    )


def _undefined_pair(parts: Partition, pair: tuple[int, int], reason: str, alpha: float) -> SignificanceTest:
    fields = ("statistic", "df", "p_value", "std_error", "conf_low", "conf_high")
    difference = parts.means[pair[0]] - parts.means[pair[1]]
    return SignificanceTest(
        method="Games–Howell",
        statistic_name="q",
        alpha=alpha,
        estimate_name=f"difference of means ({_label(parts, *pair)})",
        estimate=float(difference) * 2.0**-parts.shift,
        undefined=dict.fromkeys(fields, reason),
        effect_size=_hedges_g(parts, pair, 1 - alpha),
        n=parts.sizes[pair[0]] + parts.sizes[pair[1]],
    )


def _hedges_g(parts: Partition, pair: tuple[int, int], level: float) -> EffectSize:
    """Hedges' g of two groups, by the standard deviation pooled over these two; noncentral t interval."""
    i, j = pair
    n1, n2 = parts.sizes[i], parts.sizes[j]
    df = n1 + n2 - 2
    pooled = parts.ss_groups[i] + parts.ss_groups[j]
    if df < 2 or pooled == 0:
        reason = "fewer than 2 degrees of freedom" if df < 2 else "both groups are constant"
        return EffectSize(name="Hedges' g", undefined={"estimate": reason})
    d = float(parts.means[i] - parts.means[j]) / math.sqrt(float(pooled / df))
    scale = math.sqrt(1 / n1 + 1 / n2)
    tail = (1 - level) / 2
    factor = hedges_factor(df)
    return EffectSize(
        name="Hedges' g",
        estimate=factor * d,
        conf_low=factor * scale * nc_t_noncentrality(d / scale, df, 1 - tail),
        conf_high=factor * scale * nc_t_noncentrality(d / scale, df, tail),
        conf_level=level,
        conf_method="noncentral t, not adjusted for the number of pairs",
        magnitude=magnitude(d, COHENS_D),
    )
