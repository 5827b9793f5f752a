"""Maximum likelihood of the logit model: Newton's method, separation, profile likelihood."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined
from statistikles.stats._numerics import find_root

__all__ = ["LogitFit", "fit_logit", "log_likelihood", "profile", "refuse_separation", "suspicious"]

Vector = NDArray[np.float64]
_ITERATIONS = 60
_SUSPECT = 12.0  # a linear predictor beyond this calls for a proof that the maximum exists


@dataclass(frozen=True)
class LogitFit:
    """Estimates in the columns given, their covariance, and how they were reached."""

    beta: Vector
    covariance: Vector
    eta: Vector
    log_likelihood: float
    iterations: int
    gradient: float


def log_likelihood(eta: Vector, y: Vector) -> float:
    """Sum of the log probabilities of the outcomes, without overflow for any linear predictor."""
    return -float(np.sum(np.logaddexp(0.0, np.where(y > 0.5, -eta, eta))))


def fit_logit(
    design: Vector, y: Vector, *, offset: Vector | None = None, start: Vector | None = None
) -> LogitFit:
    """Newton's method with step halving, to the limit of double precision.

    The caller makes sure that the design has full rank and columns of comparable size.
    """
    q = design.shape[1]
    shift = np.zeros(y.size) if offset is None else offset
    beta = np.zeros(q) if start is None else start.copy()
    eta = design @ beta + shift
    value = log_likelihood(eta, y)
    tolerance = 1e-13 * math.sqrt(y.size)
    hessian = np.eye(q)
    largest = 0.0
    for iteration in range(1, _ITERATIONS + 1):
        p = _expit(eta)
        gradient = design.T @ (y - p)
        hessian = (design * (p * (1 - p))[:, None]).T @ design
        largest = float(np.abs(gradient).max(initial=0.0))
        if q == 0:
            return LogitFit(beta, np.zeros((0, 0)), eta, value, 0, 0.0)
        try:
            step = np.linalg.solve(hessian, gradient)
        except np.linalg.LinAlgError:
            break
        decrement = float(gradient @ step)
        factor = 1.0
        for _ in range(40):
            trial = beta + factor * step
            trial_eta = design @ trial + shift
            trial_value = log_likelihood(trial_eta, y)
            if trial_value >= value - 1e-13 * abs(value):
                break
            factor /= 2
        beta, eta, value = trial, trial_eta, trial_value
        if decrement < 1e-20 * max(1.0, abs(value)) or largest < tolerance:
            inverse: Vector = np.asarray(np.linalg.inv(hessian), dtype=np.float64)
            return LogitFit(beta, inverse, eta, value, iteration, largest)
    raise NotDefined(
        f"The logistic regression did not converge (largest gradient {largest:.1e} after {iteration} steps).",
        hint="Look for predictors that separate the outcomes, or combine rare categories.",
        code="no_convergence",
    )


def _expit(eta: Vector) -> Vector:
    e = np.exp(-np.abs(eta))
    out: Vector = np.where(eta >= 0, 1.0 / (1.0 + e), e / (1.0 + e))
    return out


def suspicious(eta: Vector) -> bool:
    """Whether the linear predictor is so large that separation must be ruled out."""
    return bool(np.abs(eta).max(initial=0.0) > _SUSPECT)


def refuse_separation(x: Vector, y: Vector, names: Sequence[str], *, thorough: bool) -> None:
    """Raise when the outcomes are separated by one predictor, or (thorough) by a combination of them."""
    for j, name in enumerate(names):
        low, high = x[y < 0.5, j], x[y > 0.5, j]
        for below, above in ((low, high), (high, low)):
            gap = float(above.min()) - float(below.max())
            if gap >= 0:
                _refuse(f"'{name}'", complete=gap > 0)
    if thorough:
        found = _separating_direction(x, y)
        if found is not None:
            direction, complete = found
            used = [n for n, d in zip(names, direction, strict=True) if abs(d) > 1e-6]
            _refuse("a combination of " + ", ".join(f"'{n}'" for n in used), complete=complete)


def _refuse(what: str, *, complete: bool) -> None:
    kind = "completely" if complete else "almost completely (quasi-separation)"
    raise NotDefined(
        f"The logistic regression has no finite estimates: {what} separates the outcomes {kind}.",
        hint="Leave the predictor out, combine categories, or report the separation itself.",
        where="x",
        code="separation",
    )


def _separating_direction(x: Vector, y: Vector) -> tuple[Vector, bool] | None:
    """A direction that never points the wrong way, by linear programming (Konis 2007); None when none exists."""
    from scipy.optimize import linprog

    signs = np.where(y > 0.5, 1.0, -1.0)
    rows = signs[:, None] * np.column_stack((np.ones(y.size), x))
    q = rows.shape[1]
    bounds = [(-1.0, 1.0)] * q
    weak = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(y.size), bounds=bounds, method="highs")
    if weak.x is None or float(weak.fun or 0.0) >= -1e-7 * y.size:
        return None
    strict = linprog(
        np.concatenate((np.zeros(q), [-1.0])),
        A_ub=np.column_stack((-rows, np.ones(y.size))),
        b_ub=np.zeros(y.size),
        bounds=[*bounds, (None, 1.0)],
        method="highs",
    )
    return np.asarray(weak.x[1:]), bool(strict.x is not None and float(strict.fun or 0.0) < -1e-7)


def profile(design: Vector, y: Vector, fit: LogitFit, j: int, drop: float) -> tuple[float, float, float]:
    """Profile-likelihood bounds of coefficient j, and the log likelihood with it set to zero.

    The bounds are where the profile log likelihood lies `drop` below its maximum.
    """
    others = np.delete(design, j, axis=1)
    column = design[:, j]
    centre, error = float(fit.beta[j]), math.sqrt(float(fit.covariance[j, j]))
    slope = np.delete(fit.covariance[:, j], j) / fit.covariance[j, j]
    rest = np.delete(fit.beta, j)

    def value(b: float) -> float:
        start = rest + slope * (b - centre)
        return fit_logit(others, y, offset=b * column, start=start).log_likelihood

    def signed_root(b: float) -> float:
        return math.copysign(math.sqrt(max(0.0, 2 * (fit.log_likelihood - value(b)))), b - centre)

    wanted = math.sqrt(2 * drop)
    low = _outwards(lambda b: signed_root(b) + wanted, centre, -wanted * error)
    high = _outwards(lambda b: signed_root(b) - wanted, centre, wanted * error)
    return low, high, value(0.0)


def _outwards(gap: Callable[[float], float], centre: float, step: float) -> float:
    """The root of a rising function, from `centre` in the direction of `step`."""
    inner, outer = centre, centre + step
    sign = math.copysign(1.0, step)
    for _ in range(60):
        if gap(outer) * sign >= 0:
            low, high = min(inner, outer), max(inner, outer)
            return find_root(gap, low, high, rtol=1e-9, atol=1e-12)
        inner, outer = outer, outer + step
        step *= 1.6
    raise NotDefined("The profile likelihood does not reach its bound.", code="no_convergence")
