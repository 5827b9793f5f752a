"""Levenberg-Marquardt with exact derivatives, column scaling and a gain-ratio damping rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Search", "levenberg_marquardt"]

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Search:
    """Where a search ended."""

    parameters: Matrix
    rss: float
    iterations: int
    converged: bool


def levenberg_marquardt(
    residual: Callable[[Matrix], Matrix],
    jacobian: Callable[[Matrix], Matrix],
    first: Matrix,
    limit: int,
) -> Search | None:
    """Minimise the sum of squares of y - f(b); `jacobian` is that of f. None when the start is not finite.

    Damping follows Nielsen (1999), on columns scaled by their largest norm so far (More 1978). Steps
    to places where the model is not finite are refused like steps that worsen the fit.
    """
    b = first.copy()
    r = residual(b)
    j = jacobian(b)
    if not (np.isfinite(r).all() and np.isfinite(j).all()):
        return None
    with np.errstate(over="ignore"):
        rss = float(r @ r)
        scale = np.sqrt(np.einsum("ij,ij->j", j, j))
    if not (math.isfinite(rss) and np.isfinite(scale).all()):
        return None
    scale[scale == 0.0] = 1.0
    damping, growth = 1e-3, 2.0
    flat = 0
    for iteration in range(1, limit + 1):
        step = _damped_step(j, r, scale * math.sqrt(damping))
        trial = b + step
        trial_r = residual(trial)
        with np.errstate(over="ignore", invalid="ignore"):
            trial_rss = float(trial_r @ trial_r)
            predicted = r - j @ step
            expected = rss - float(predicted @ predicted)
        gain = (rss - trial_rss) / expected if expected > 0 and math.isfinite(trial_rss) else -1.0
        if gain > 1e-4:
            trial_j = jacobian(trial)
            with np.errstate(over="ignore", invalid="ignore"):
                trial_scale = np.sqrt(np.einsum("ij,ij->j", trial_j, trial_j))
            if not np.isfinite(trial_scale).all():
                gain = -1.0
        if gain > 1e-4:
            flat = flat + 1 if rss - trial_rss <= 1e-13 * rss else 0
            b, r, j, rss = trial, trial_r, trial_j, trial_rss
            scale = np.maximum(scale, trial_scale)
            damping = max(damping * max(1.0 / 3.0, 1.0 - (2.0 * gain - 1.0) ** 3), 1e-30)
            growth = 2.0
            if flat >= 3 or rss == 0.0:
                return Search(b, rss, iteration, True)
        else:
            small = float(np.max(np.abs(step) / (np.abs(b) + 1e-300)))
            if small < 1e-14 or expected <= 1e-15 * rss:
                return Search(b, rss, iteration, True)
            damping = min(damping * growth, 1e30)
            growth *= 2.0
    return Search(b, rss, limit, False)


def _damped_step(j: Matrix, r: Matrix, weights: Matrix) -> Matrix:
    """The step of the damped linear problem, by least squares on the columns scaled to unit length."""
    norms = np.sqrt(np.einsum("ij,ij->j", j, j) + weights**2)
    norms[norms == 0.0] = 1.0
    stacked = np.vstack((j, np.diag(weights))) / norms
    right = np.concatenate((r, np.zeros(weights.size)))
    q, upper = np.linalg.qr(stacked)
    diagonal = np.abs(np.diag(upper))
    if float(diagonal.min()) <= 1e-15 * float(diagonal.max()):
        solved = np.linalg.lstsq(stacked, right, rcond=1e-15)[0]
    else:
        solved = np.linalg.solve(upper, q.T @ right)
    out: Matrix = solved / norms
    return out
