"""What the rank tests share: their tool, argument kinds, group summaries, effect sizes and pairwise comparisons."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated

import numpy as np

from statistikles.registry.arguments import Choice, FloatArray, GroupMap, NameList
from statistikles.registry.declare import declare_tool
from statistikles.results import Description, EffectSize, SignificanceTest
from statistikles.stats._adjust import adjust
from statistikles.stats._distributions import nc_chi2_noncentrality, norm_isf, norm_sf
from statistikles.stats._magnitude import CLIFFS_DELTA, magnitude
from statistikles.stats._numerics import Vector, find_root, quantiles

__all__ = [
    "GroupNames",
    "RankMethod",
    "TwoGroups",
    "chi_square_effect",
    "describe_ranked",
    "dominance",
    "pairwise_z",
]

declare_tool(
    "nonparametric_test",
    title="Rank tests and other tests without a distributional form",
    summary="Compares groups or repeated measurements through ranks, signs or counts instead of means.",
    chooser="type",
)

TwoGroups = Annotated[Mapping[str, FloatArray], GroupMap(min_groups=2, max_groups=2, min_n=1)]
GroupNames = Annotated[tuple[str, ...], NameList(of=("group1", "group2"))]
_LARGE_CHI_SQUARE = 2e4

RankMethod = Annotated[str, Choice(("auto", "exact", "asymptotic"), aliases=(("normal", "asymptotic"),))]


def describe_ranked(values: Vector, ranks: Vector | None = None) -> Description:
    """Size, median, interquartile range and extremes of a group, with its mean rank and rank sum."""
    q1, median, q3 = quantiles(values, (0.25, 0.5, 0.75))
    spread = q3 - q1
    return Description(
        n=int(values.size),
        median=median,
        iqr=spread if math.isfinite(spread) else None,
        minimum=float(values.min()),
        maximum=float(values.max()),
        mean_rank=None if ranks is None else float(ranks.mean()),
        sum_ranks=None if ranks is None else float(ranks.sum()),
    )


# Effect sizes --------------------------------------------------------------------------------------------


def _superiority_interval(a: float, n1: int, n2: int, level: float) -> tuple[float, float]:
    """Interval of P(X > Y) + P(X = Y)/2 from its estimate (Newcombe 2006, method 5: a score interval)."""
    z2 = norm_isf((1 - level) / 2) ** 2
    h = (n1 + n2) / 2 - 1

    def spread(p: float) -> float:
        return z2 * (1 + h * ((1 - p) / (2 - p) + p / (1 + p))) / (n1 * n2)

    def excess(p: float) -> float:
        return (a - p) ** 2 - p * (1 - p) * spread(p)

    # Where all pairs favour one side, that end is itself a root; the other one is found with it divided out.
    if a == 0.0:
        return 0.0, find_root(lambda p: p - (1 - p) * spread(p), 0.0, 1.0, atol=1e-15)
    if a == 1.0:
        return find_root(lambda p: 1 - p - p * spread(p), 0.0, 1.0, atol=1e-15), 1.0
    return find_root(excess, 0.0, a, atol=1e-15), find_root(excess, a, 1.0, atol=1e-15)


def dominance(u1: float, n1: int, n2: int, level: float) -> dict[str, EffectSize]:
    """Cliff's delta (the rank-biserial correlation) and Vargha and Delaney's A from U of the first group."""
    a = u1 / (n1 * n2)
    low, high = _superiority_interval(a, n1, n2, level)
    delta = (2 * u1 - n1 * n2) / (n1 * n2)
    shared: dict[str, object] = {
        "conf_level": level,
        "conf_method": "Newcombe 2006, method 5 (score interval)",
        "magnitude": magnitude(delta, CLIFFS_DELTA),
    }
    return {
        "rank_biserial": EffectSize(
            name="rank-biserial correlation (Cliff's δ)",
            estimate=delta,
            conf_low=2 * low - 1,
            conf_high=2 * high - 1,
            **shared,  # type: ignore[arg-type]
        ),
        "vargha_delaney_a": EffectSize(
            name="Vargha and Delaney's A",
            estimate=a,
            conf_low=low,
            conf_high=high,
            **shared,  # type: ignore[arg-type]
        ),
    }


def chi_square_effect(
    name: str, statistic: float, df: float, divisor: float, level: float, *, offset: bool, root: bool = False
) -> EffectSize:
    """An effect size statistic/divisor (or its root) with the interval of the noncentral chi-square.

    `offset` adds the degrees of freedom to the noncentrality, for measures of the statistic itself.
    """
    tail = (1 - level) / 2
    estimate = statistic / divisor
    ends = []
    for probability in (1 - tail, tail):
        noncentrality = _noncentrality(statistic, df, probability)
        ends.append((noncentrality + (df if offset else 0.0)) / divisor)
    low, high = min(max(0.0, ends[0]), max(0.0, estimate)), max(min(1.0, ends[1]), min(1.0, estimate))
    if root:
        estimate, low, high = math.sqrt(max(0.0, estimate)), math.sqrt(low), math.sqrt(high)
    return EffectSize(
        name=name,
        estimate=estimate,
        conf_low=low,
        conf_high=high,
        conf_level=level,
        conf_method="noncentral chi-square",
    )


def _noncentrality(statistic: float, df: float, probability: float) -> float:
    """Noncentrality of a chi-square; for large ones by the root's normal limit, whose error is then below 1e-5."""
    if statistic < _LARGE_CHI_SQUARE:
        return nc_chi2_noncentrality(statistic, df, probability)
    return max(0.0, (math.sqrt(statistic) - norm_isf(1 - probability)) ** 2 - (df - 1))


# Pairwise comparisons ------------------------------------------------------------------------------------


def pairwise_z(
    method: str,
    what: str,
    means: Mapping[str, float],
    errors: Mapping[tuple[str, str], float],
    alpha: float,
    extra: Mapping[tuple[str, str], Mapping[str, object]],
    effects: Mapping[tuple[str, str], EffectSize],
) -> dict[str, SignificanceTest]:
    """z tests of all pairs of mean ranks: Holm's p leads; unadjusted and Bonferroni beside it."""
    pairs = list(errors)
    z = [(means[a] - means[b]) / errors[a, b] for a, b in pairs]
    raw = np.array([2 * norm_sf(abs(v)) for v in z])
    holm, bonferroni = adjust(raw, "holm"), adjust(raw, "bonferroni")
    reach = norm_isf(alpha / 2 / len(pairs))
    out = {}
    for i, (a, b) in enumerate(pairs):
        difference = means[a] - means[b]
        out[f"{a} − {b}"] = SignificanceTest(
            method=method,
            statistic_name="z",
            statistic=z[i],
            p_value=float(holm[i]),
            alternative="two-sided",
            alpha=alpha,
            estimate_name=f"difference of {what} ({a} − {b})",
            estimate=difference,
            std_error=errors[a, b],
            conf_low=difference - reach * errors[a, b],
            conf_high=difference + reach * errors[a, b],
            conf_level=1 - alpha,
            conf_method="simultaneous (Bonferroni)",
            effect_size=effects.get((a, b)),
            details={
                "p_value_unadjusted": float(raw[i]),
                "p_value_holm": float(holm[i]),
                "p_value_bonferroni": float(bonferroni[i]),
                **extra.get((a, b), {}),
            },
        )
    return out
