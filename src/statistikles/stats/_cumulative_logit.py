"""Likelihood of the proportional-odds model: Newton's method, and the search for a separating direction."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined

__all__ = ["CumulativeFit", "fit_cumulative_logit", "separates"]

Matrix = NDArray[np.float64]
_ITERATIONS = 100
_SUSPECT = 15.0


@dataclass(frozen=True)
class CumulativeFit:
    """Thresholds, then slopes; their covariance from the observed information."""

    thresholds: Matrix
    slopes: Matrix
    covariance: Matrix
    log_likelihood: float
    iterations: int
    suspicious: bool


def _expit(v: Matrix) -> Matrix:
    e = np.exp(-np.abs(v))
    out: Matrix = np.where(v >= 0, 1.0 / (1.0 + e), e / (1.0 + e))
    return out


def _bounds(z: Matrix, code: NDArray[np.int64], parameters: Matrix, k: int) -> tuple[Matrix, Matrix]:
    """Upper and lower cut point of each row's category minus its linear predictor."""
    cuts = np.concatenate(([-np.inf], parameters[: k - 1], [np.inf]))
    eta = z @ parameters[k - 1 :]
    return cuts[code + 1] - eta, cuts[code] - eta


def _log_likelihood(upper: Matrix, lower: Matrix) -> float:
    # P = F(u)(1 - F(l))(1 - exp(l - u)): no difference of nearly equal numbers.
    gap = upper - lower
    if not bool((gap > 0).all()):
        return -math.inf
    return float(np.sum(-np.logaddexp(0.0, -upper) - np.logaddexp(0.0, lower) + np.log(-np.expm1(-gap))))


def _derivatives(
    z: Matrix, code: NDArray[np.int64], upper: Matrix, lower: Matrix, k: int
) -> tuple[Matrix, Matrix]:
    """Gradient and observed information in (thresholds, slopes)."""
    n = z.shape[0]
    gap = upper - lower
    odd = 1.0 / np.expm1(gap)
    bend = odd * (1.0 + odd)
    at_top, at_low = _expit(upper), _expit(lower)
    du, dl = 1.0 - at_top + odd, -(at_low + odd)
    duu, dll = -at_top * (1.0 - at_top) - bend, -at_low * (1.0 - at_low) - bend
    ju, jl = np.zeros((n, k + 1)), np.zeros((n, k + 1))
    rows = np.arange(n)
    ju[rows, code + 1] = 1.0
    jl[rows, code] = 1.0
    # The outermost cut points are infinite and are no parameters.
    ju, jl = np.column_stack((ju[:, 1:k], -z)), np.column_stack((jl[:, 1:k], -z))
    ju[code == k - 1] = 0.0
    jl[code == 0] = 0.0
    gradient = ju.T @ du + jl.T @ dl
    cross = (ju * bend[:, None]).T @ jl
    information = -((ju * duu[:, None]).T @ ju + (jl * dll[:, None]).T @ jl + cross + cross.T)
    return gradient, information


def fit_cumulative_logit(z: Matrix, code: NDArray[np.int64], k: int) -> CumulativeFit:
    """Maximum likelihood for categories 0..k-1, all of which occur; columns of `z` of comparable size.

    Raises
    ------
    NotDefined : no convergence.
    """
    shares = np.cumsum(np.bincount(code, minlength=k))[:-1] / code.size
    parameters = np.concatenate((np.log(shares / (1 - shares)), np.zeros(z.shape[1])))
    upper, lower = _bounds(z, code, parameters, k)
    value = _log_likelihood(upper, lower)
    size = math.inf
    for iteration in range(1, _ITERATIONS + 1):
        gradient, information = _derivatives(z, code, upper, lower, k)
        try:
            step = np.linalg.solve(information, gradient)
        except np.linalg.LinAlgError:
            break
        decrement = float(gradient @ step)
        size = float(np.abs(gradient).max())
        factor = 1.0
        for _ in range(50):
            trial = parameters + factor * step
            upper, lower = _bounds(z, code, trial, k)
            found = _log_likelihood(upper, lower)
            if found >= value - 1e-13 * abs(value):
                break
            factor /= 2
        parameters, value = trial, found
        if decrement < 1e-20 * max(1.0, abs(value)) or size < 1e-13 * math.sqrt(code.size):
            _, information = _derivatives(z, code, upper, lower, k)
            inverse: Matrix = np.asarray(np.linalg.inv(information), dtype=np.float64)
            slopes = parameters[k - 1 :]
            far = float(np.abs(z @ slopes).max(initial=0.0)) > _SUSPECT
            return CumulativeFit(parameters[: k - 1], slopes, inverse, value, iteration, far)
    raise NotDefined(
        f"The proportional-odds model did not converge (largest gradient {size:.1e}).",
        hint="Look for predictors that separate the categories, or combine rare ones.",
        where="x",
        code="no_convergence",
    )


def separates(z: Matrix, code: NDArray[np.int64], k: int) -> Matrix | None:
    """Slopes of a direction along which the likelihood never falls, by linear programming; None when none exists."""
    from scipy.optimize import linprog

    n, p = z.shape
    upper, lower = np.zeros((n, k + 1)), np.zeros((n, k + 1))
    rows = np.arange(n)
    upper[rows, code + 1] = 1.0
    lower[rows, code] = 1.0
    up = np.column_stack((upper[:, 1:k], -z))[code < k - 1]  # must not fall
    low = np.column_stack((lower[:, 1:k], -z))[code > 0]  # must not rise
    gains = np.vstack((up, -low))
    found = linprog(
        -gains.sum(axis=0),
        A_ub=-gains,
        b_ub=np.zeros(gains.shape[0]),
        bounds=[(-1.0, 1.0)] * (k - 1 + p),
        method="highs",
    )
    if found.x is None or float(found.fun or 0.0) >= -1e-7 * n:
        return None
    return np.asarray(found.x[k - 1 :], dtype=np.float64)
