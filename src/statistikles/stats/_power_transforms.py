"""Power transformations to normality: Box-Cox and Yeo-Johnson with lambda by maximum likelihood, and rank scores.

Box & Cox 1964 (doi:10.1111/j.2517-6161.1964.tb00553.x); Yeo & Johnson 2000 (doi:10.1093/biomet/87.4.954);
rank-based scores after Blom 1958: quantiles of the normal at (rank - 3/8) / (n + 1/4), ties sharing their mean rank.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.stats._distributions import norm_isf
from statistikles.stats._numerics import rank_with_ties

__all__ = ["PowerFit", "box_cox", "box_cox_fit", "rank_normal_scores", "yeo_johnson", "yeo_johnson_fit"]

_Floats: TypeAlias = NDArray[np.float64]
_LOW, _HIGH = -10.0, 10.0
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class PowerFit:
    """Lambda with its profile-likelihood interval (95 %), None at a side where none was found."""

    exponent: float
    conf_low: float | None
    conf_high: float | None
    log_likelihood: float


def box_cox(x: _Floats, exponent: float) -> _Floats:
    """(x^lambda - 1) / lambda, the logarithm at lambda 0; x must be positive."""
    logs = np.log(x)
    return logs if exponent == 0 else np.expm1(exponent * logs) / exponent


def yeo_johnson(x: _Floats, exponent: float) -> _Floats:
    """Box-Cox of 1 + x for x >= 0, and of 1 - x with 2 - lambda, negated, below."""
    out = np.empty_like(x)
    up = x >= 0
    for part, power, sign in ((up, exponent, 1.0), (~up, 2.0 - exponent, -1.0)):
        logs = np.log1p(sign * x[part])
        out[part] = sign * (logs if power == 0 else np.expm1(power * logs) / power)
    return out


def box_cox_fit(x: _Floats) -> PowerFit:
    """Lambda of the Box-Cox transformation.

    Raises
    ------
    InputError : values of zero or below, or fewer than three.
    NotDefined : all values are equal, or the likelihood has no maximum within [-10, 10].
    """
    if bool((x <= 0).any()):
        n = int((x <= 0).sum())
        raise InputError(
            f"The Box-Cox transformation needs positive values; {n} {'is' if n == 1 else 'are'} zero or negative.",
            hint="Use yeo_johnson, which takes any sign.",
            code="out_of_range",
        )
    _require_variation(x)
    logs = np.log(x)
    return _profile(lambda exponent: _likelihood(logs, exponent) + (exponent - 1) * float(logs.sum()))


def yeo_johnson_fit(x: _Floats) -> PowerFit:
    """Lambda of the Yeo-Johnson transformation.

    Raises
    ------
    InputError : fewer than three values.
    NotDefined : all values are equal, or the likelihood has no maximum within [-10, 10].
    """
    _require_variation(x)
    logs = np.log1p(np.abs(x))
    jacobian = float((np.sign(x) * logs).sum())
    if bool((x >= 0).all()):
        return _profile(lambda exponent: _likelihood(logs, exponent) + (exponent - 1) * jacobian)
    if bool((x <= 0).all()):
        return _profile(lambda exponent: _likelihood(logs, 2 - exponent) + (exponent - 1) * jacobian)

    def mixed(exponent: float) -> float:
        with np.errstate(over="ignore", invalid="ignore"):
            variance = float(yeo_johnson(x, exponent).var())
        return _of_variance(len(x), variance) + (exponent - 1) * jacobian

    return _profile(mixed)


def _require_variation(x: _Floats) -> None:
    if len(x) < 3:
        raise InputError(f"{len(x)} values are too few to estimate lambda.", code="too_few_values")
    if float(x.min()) == float(x.max()):
        raise NotDefined("All values are equal: no power makes them normal.", code="zero_variance")


def _likelihood(logs: _Floats, exponent: float) -> float:
    """-n/2 log of the variance of (e^(lambda logs) - 1) / lambda, without the cancellation of large lambda logs.

    Moving the logs to mean zero multiplies every power by one constant, whose logarithm is put back.
    """
    centre = float(logs.mean())
    moved = logs - centre
    with np.errstate(over="ignore", invalid="ignore"):
        y = moved if exponent == 0 else np.expm1(exponent * moved) / exponent
        variance = float(y.var())
    return _of_variance(len(logs), variance) - len(logs) * exponent * centre


def _of_variance(n: int, variance: float) -> float:
    """-n/2 log of a variance, minus infinity where it overflowed or vanished."""
    return -n / 2 * math.log(variance) if 0 < variance < math.inf else -math.inf


def _profile(likelihood: Callable[[float], float]) -> PowerFit:
    """The maximum over a grid, refined; then where the likelihood has fallen by half the chi-square quantile."""
    from scipy.optimize import brentq, minimize_scalar

    grid = np.linspace(_LOW, _HIGH, 81)
    heights = [likelihood(float(g)) for g in grid]
    top = int(np.argmax(heights))
    if top in (0, len(grid) - 1) or not math.isfinite(heights[top]):
        raise NotDefined(
            f"The likelihood of lambda has no maximum between {_LOW:g} and {_HIGH:g}.",
            hint="Look at the values for extremes first.",
            code="no_convergence",
        )
    found = minimize_scalar(
        lambda v: -likelihood(float(v)),
        bounds=(float(grid[top - 1]), float(grid[top + 1])),
        method="bounded",
        options={"xatol": 1e-10},
    )
    best, height = float(found.x), -float(found.fun)
    floor = height - norm_isf((1 - _LEVEL) / 2) ** 2 / 2  # a chi-square quantile of one degree of freedom
    sides: list[float | None] = []
    for points in (grid[top - 1 :: -1], grid[top + 1 :]):
        beyond = next((float(g) for g in points if likelihood(float(g)) < floor), None)
        usable = beyond is not None and math.isfinite(likelihood(beyond))
        sides.append(
            float(brentq(lambda v: likelihood(float(v)) - floor, beyond, best))
            if usable and beyond is not None
            else None
        )
    return PowerFit(best, sides[0], sides[1], height)


def rank_normal_scores(x: _Floats, offset: float = 0.375) -> _Floats:
    """The quantile of the standard normal at (rank - c) / (n + 1 - 2c) for each value; c = 3/8 is Blom's."""
    ranks, _ = rank_with_ties(x)
    return np.array([-norm_isf(float((r - offset) / (len(x) + 1 - 2 * offset))) for r in ranks])
