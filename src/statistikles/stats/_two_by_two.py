"""Measures of a 2 x 2 table of counts: odds ratio, risk ratio, risk difference, phi, with their intervals."""

from __future__ import annotations

import math

from statistikles.results import EffectSize
from statistikles.stats._distributions import norm_isf

__all__ = ["two_by_two_effects", "wilson_bounds"]


def wilson_bounds(k: float, n: float, level: float) -> tuple[float, float]:
    """Wilson's score interval of a proportion k / n."""
    z = norm_isf((1 - level) / 2)
    p = k / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (0.0 if k == 0 else max(0.0, centre - half)), (1.0 if k == n else min(1.0, centre + half))


def two_by_two_effects(a: int, b: int, c: int, d: int, level: float) -> dict[str, EffectSize]:
    """Effect sizes of [[a, b], [c, d]]: rows are the groups, the first column is the event."""
    return {
        "odds_ratio": _ratio("odds ratio", a * d, b * c, (a, b, c, d), level, "Woolf (log odds ratio)"),
        "odds_ratio_corrected": _ratio(
            "odds ratio (0.5 added to every cell)",
            (a + 0.5) * (d + 0.5),
            (b + 0.5) * (c + 0.5),
            (a + 0.5, b + 0.5, c + 0.5, d + 0.5),
            level,
            "Haldane–Anscombe correction, log odds ratio",
        ),
        "risk_ratio": _risk_ratio(a, b, c, d, level),
        "risk_difference": _risk_difference(a, b, c, d, level),
        "phi": _phi(a, b, c, d),
        "yules_q": _yules_q(a * d, b * c),
    }


def _ratio(
    name: str, top: float, bottom: float, cells: tuple[float, ...], level: float, how: str
) -> EffectSize:
    if bottom == 0:
        reason = "0/0: two zero cells" if top == 0 else "infinite: a zero cell in the denominator"
        return EffectSize(name=name, undefined=dict.fromkeys(("estimate", "conf_low", "conf_high"), reason))
    if top == 0:
        reason = "a zero cell: the logarithm of the odds ratio does not exist"
        return EffectSize(name=name, estimate=0.0, undefined=dict.fromkeys(("conf_low", "conf_high"), reason))
    reach = norm_isf((1 - level) / 2) * math.sqrt(math.fsum(1 / v for v in cells))
    return EffectSize(
        name=name,
        estimate=top / bottom,
        conf_low=top / bottom * math.exp(-reach),
        conf_high=top / bottom * math.exp(reach),
        conf_level=level,
        conf_method=how,
    )


def _risk_ratio(a: int, b: int, c: int, d: int, level: float) -> EffectSize:
    name = "risk ratio (first row to second)"
    bounds = ("conf_low", "conf_high")
    if c == 0:
        reason = "0/0: no events in either row" if a == 0 else "infinite: no events in the second row"
        return EffectSize(name=name, undefined=dict.fromkeys(("estimate", *bounds), reason))
    ratio = (a * (c + d)) / (c * (a + b))
    if a == 0:
        reason = "no events in the first row: the logarithm of the ratio does not exist"
        return EffectSize(name=name, estimate=0.0, undefined=dict.fromkeys(bounds, reason))
    reach = norm_isf((1 - level) / 2) * math.sqrt(b / (a * (a + b)) + d / (c * (c + d)))
    return EffectSize(
        name=name,
        estimate=ratio,
        conf_low=ratio * math.exp(-reach),
        conf_high=ratio * math.exp(reach),
        conf_level=level,
        conf_method="Katz (log risk ratio)",
    )


def _risk_difference(a: int, b: int, c: int, d: int, level: float) -> EffectSize:
    """Difference of the two proportions with Newcombe's (1998, method 10) interval from Wilson limits."""
    p1, p2 = a / (a + b), c / (c + d)
    low1, high1 = wilson_bounds(a, a + b, level)
    low2, high2 = wilson_bounds(c, c + d, level)
    difference = (a * d - b * c) / ((a + b) * (c + d))
    return EffectSize(
        name="risk difference (first row minus second)",
        estimate=difference,
        conf_low=difference - math.hypot(p1 - low1, high2 - p2),
        conf_high=difference + math.hypot(high1 - p1, p2 - low2),
        conf_level=level,
        conf_method="Newcombe's hybrid score",
    )


def _phi(a: int, b: int, c: int, d: int) -> EffectSize:
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    if margins == 0:
        return EffectSize(name="φ", undefined={"estimate": "a row or column is empty"})
    return EffectSize(name="φ", estimate=(a * d - b * c) / math.sqrt(margins))


def _yules_q(agree: int, differ: int) -> EffectSize:
    if agree + differ == 0:
        return EffectSize(name="Yule's Q", undefined={"estimate": "0/0: two zero cells"})
    return EffectSize(name="Yule's Q", estimate=(agree - differ) / (agree + differ))
