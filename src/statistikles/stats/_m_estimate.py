"""Huber's M-estimates: location with a fixed scale, and regression with the scale re-estimated."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined
from statistikles.stats._numerics import quantile

__all__ = ["MAD_FACTOR", "HuberFit", "huber_location", "huber_regression", "sandwich_factor"]

Vector = NDArray[np.float64]

MAD_FACTOR = 1.482602218505602  # 1 / (0.75 quantile of the standard normal)
_ITERATIONS = 1000


@dataclass(frozen=True)
class HuberFit:
    """Coefficients, scale and weights of a converged fit."""

    coefficients: Vector
    scale: float
    residuals: Vector
    weights: Vector
    iterations: int
    scale_frozen: bool


def huber_location(x: Vector, k: float) -> tuple[float, float, int]:
    """Location, MAD scale and iterations: the exact root of the piecewise linear equation sum psi = 0.

    Raises
    ------
    NotDefined : at least half of the values are equal, so that the MAD is 0.
    """
    centre = quantile(x, 0.5)
    scale = MAD_FACTOR * quantile(np.abs(x - centre), 0.5)
    refuse_zero_scale(scale, "values are equal to the median")
    reach = k * scale
    for iteration in range(1, _ITERATIONS + 1):
        deviation = x - centre
        inside = np.abs(deviation) <= reach
        pull = reach * (float((deviation > reach).sum()) - float((deviation < -reach).sum()))
        moved = float(deviation[inside].sum()) + pull
        step = moved / max(1, int(inside.sum()))
        # Never past the next half of the interval of values: the equation is monotone.
        step = math.copysign(min(abs(step), reach), step)
        if abs(step) <= 4e-16 * max(abs(centre), scale):
            return centre, scale, iteration
        centre += step
    return centre, scale, _ITERATIONS


def refuse_zero_scale(scale: float, what: str) -> None:
    """Raise when a MAD scale is zero."""
    if not scale > 0.0:
        raise NotDefined(
            f"The Huber estimate is undefined: at least half of the {what}, so the MAD scale is 0.",
            hint="Report the median, or look at the values that differ.",
            where="data",
            code="zero_scale",
        )


def huber_regression(design: Vector, y: Vector, k: float) -> HuberFit:
    """Iteratively reweighted least squares from the least-squares fit; scale = MAD about 0 of the residuals.

    When the scale and the fit chase each other without end, the scale is frozen and the fit (a convex
    problem then) completed.
    """
    tiny = 1e-13 * float(np.abs(y).max())
    beta: Vector = np.asarray(np.linalg.lstsq(design, y, rcond=None)[0])
    residuals = y - design @ beta
    scale, frozen = 0.0, False
    for iteration in range(1, _ITERATIONS + 1):
        if not frozen:
            scale = MAD_FACTOR * quantile(np.abs(residuals), 0.5)
            refuse_zero_scale(scale if scale > tiny else 0.0, "rows lie exactly on the fitted plane")
        weights = np.minimum(1.0, k * scale / np.maximum(np.abs(residuals), 1e-300))
        root = np.sqrt(weights)
        new: Vector = np.asarray(np.linalg.lstsq(design * root[:, None], y * root, rcond=None)[0])
        change = float(np.abs(design @ (new - beta)).max())
        beta, residuals = new, y - design @ new
        if change <= 1e-14 * max(scale, 1e-2 * float(np.abs(y).max())):
            return HuberFit(beta, scale, residuals, weights, iteration, frozen)
        frozen = frozen or iteration >= _ITERATIONS // 2
    raise NotDefined(
        "The Huber regression did not converge.",
        hint="Look for rows of extreme leverage, or use type ransac.",
        where="x",
        code="no_convergence",
    )


def sandwich_factor(residuals: Vector, scale: float, k: float, q: int) -> float:
    """Huber's factor by which the roots of the diagonal of (X'X)⁻¹ become standard errors (his correction K)."""
    n = residuals.size
    psi = np.clip(residuals, -k * scale, k * scale)
    inside = (np.abs(residuals) <= k * scale).astype(np.float64)
    share = float(inside.mean())
    if not share > 0.0:
        raise NotDefined(
            "No value lies within the tuning constant of the fit.", where="data", code="zero_scale"
        )
    spread = float(np.var(inside, ddof=1)) if n > 1 else 0.0
    kappa = 1 + q * spread / (n * share**2)
    return math.sqrt(float(psi @ psi) / (n - q)) * kappa / share
