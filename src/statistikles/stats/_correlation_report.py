"""A correlation as it stands in a result: Fisher z bounds, the t test of zero, and the case of an exact line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._comoments import Correlation
from statistikles.stats._distributions import norm_isf, p_t
from statistikles.stats._magnitude import CORRELATION, magnitude
from statistikles.stats._numerics import Vector
from statistikles.stats._one_way import describe_group

__all__ = ["described", "fisher_interval", "t_tested"]


def described(x: Vector, y: Vector, names: tuple[str, ...] | None) -> Mapping[str, Any]:
    name_x, name_y = names or ("x", "y")
    return {name_x: describe_group(x), name_y: describe_group(y)}


def fisher_interval(
    found: Correlation, variance: float | None, alpha: float, alternative: str, how: str
) -> dict[str, Any]:
    """Bounds, their method, and the reasons for absent ones, as fields of a result."""
    reason = ""
    if not found.unexplained:
        reason = "the correlation is exactly ±1, where Fisher's z is infinite"
    elif variance is None:
        reason = "too few rows for Fisher's z"
    if reason:
        return {"undefined": dict.fromkeys(("conf_low", "conf_high"), reason)}
    assert variance is not None
    reach = norm_isf(alpha / 2 if alternative == "two-sided" else alpha) * math.sqrt(variance)
    low, high = math.tanh(found.fisher_z - reach), math.tanh(found.fisher_z + reach)
    open_side = f"the interval is one-sided (alternative: {alternative})"
    out: dict[str, Any] = {"conf_method": how}
    if alternative != "less":
        out["conf_low"] = low
    if alternative != "greater":
        out["conf_high"] = high
    out["undefined"] = {b: open_side for b in ("conf_low", "conf_high") if b not in out}
    return out


def t_tested(
    method: str,
    name: str,
    found: Correlation,
    df: int,
    bounds: dict[str, Any],
    alpha: float,
    alternative: str,
    *,
    p_value: float | None = None,
    effect_sizes: Mapping[str, EffectSize] | None = None,
    warnings: tuple[str, ...] = (),
    **more: Any,
) -> SignificanceTest:
    """A correlation with the t test of zero; on an exact line t is infinite and p its limit."""
    undefined = dict(bounds.get("undefined", {}))
    statistic_: float | None = None
    error: float | None = None
    if found.unexplained:
        error = math.sqrt(found.unexplained / df)
        statistic_ = found.r / error
        p = p_t(statistic_, df, alternative)
    else:
        undefined["statistic"] = "t is infinite: the points lie exactly on a line"
        against = (alternative == "greater" and found.r < 0) or (alternative == "less" and found.r > 0)
        p = 1.0 if against else 0.0
        if p_value is None:
            warnings = (*warnings, "The correlation is exactly ±1; the p value is the limit of the t test.")
    effect_bounds = {k: v for k, v in bounds.items() if k != "undefined"}
    return SignificanceTest(
        method=method,
        statistic_name="t",
        statistic=statistic_,
        df=df,
        p_value=p if p_value is None else p_value,
        alternative=alternative,
        null_value=0.0,
        alpha=alpha,
        estimate_name=name,
        estimate=found.r,
        std_error=error,
        conf_level=1 - alpha,
        undefined=undefined,
        effect_size=EffectSize(
            name=name,
            estimate=found.r,
            conf_level=1 - alpha,
            magnitude=magnitude(found.r, CORRELATION),
            undefined=bounds.get("undefined", {}),
            **effect_bounds,
        ),
        effect_sizes={
            "r_squared": EffectSize(name=f"{name} squared", estimate=found.r**2),
            **(effect_sizes or {}),
        },
        warnings=warnings,
        **effect_bounds,
        **more,
    )
