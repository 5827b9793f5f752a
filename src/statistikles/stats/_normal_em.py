"""Mean and covariance of multivariate normal data with missing values, by the EM algorithm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined

__all__ = ["Pattern", "missing_patterns", "normal_em"]

Matrix = NDArray[np.float64]
_STEPS = 5000


@dataclass(frozen=True)
class Pattern:
    """Rows that lack the same variables: which are observed, their number, and the sums the test needs."""

    observed: NDArray[np.bool_]
    n: int
    mean: Matrix
    products: Matrix


def missing_patterns(x: Matrix, missing: NDArray[np.bool_]) -> list[Pattern]:
    """The patterns of missing values, the most frequent first (then by what is observed)."""
    codes, place = np.unique(~missing, axis=0, return_inverse=True)
    place = place.ravel()
    found = []
    for i, observed in enumerate(codes):
        rows = x[place == i][:, observed]
        mean = rows.mean(axis=0)
        centred = rows - mean
        found.append(Pattern(observed, len(rows), mean, centred.T @ centred))
    return sorted(found, key=lambda p: (-p.n, tuple(~p.observed)))


def normal_em(
    patterns: list[Pattern], start_mean: Matrix, start_variance: Matrix
) -> tuple[Matrix, Matrix, int]:
    """Maximum-likelihood mean and covariance (divisor n), and the number of steps.

    EM, with a squared extrapolation every third step that is kept only when the covariance stays positive.

    Raises
    ------
    NotDefined : the covariance becomes singular or the steps do not settle.
    """
    state = np.concatenate((start_mean, np.diag(start_variance).ravel()))
    k = len(start_mean)
    for step in range(1, _STEPS + 1):
        first = _step(patterns, state, k)
        second = _step(patterns, first, k)
        r, v = first - state, (second - first) - (first - state)
        size = float(np.sqrt(v @ v))
        trial = second
        if size > 0:
            length = -max(1.0, float(np.sqrt(r @ r)) / size)
            moved = state - 2 * length * r + length * length * v
            if _positive(moved, k):
                trial = moved
        new = _step(patterns, trial, k)
        change = float(np.abs(second - first).max())
        state = new
        if change < 1e-13 * (1 + float(np.abs(new).max())):
            return second[:k], second[k:].reshape(k, k), step * 3
    raise NotDefined(
        "The EM algorithm did not converge.",
        hint="Too much is missing for these variables; leave out the emptiest.",
        where="data",
        code="no_convergence",
    )


def _positive(state: Matrix, k: int) -> bool:
    cov = state[k:].reshape(k, k)
    return bool(np.isfinite(cov).all()) and float(np.linalg.eigvalsh(cov)[0]) > 1e-9


def _step(patterns: list[Pattern], state: Matrix, k: int) -> Matrix:
    """One EM step on sufficient statistics."""
    mean, cov = state[:k], state[k:].reshape(k, k)
    total = sum(p.n for p in patterns)
    first, second = np.zeros(k), np.zeros((k, k))
    for p in patterns:
        o, m = p.observed, ~p.observed
        shift = np.zeros(k)
        shift[o] = p.mean - mean[o]
        block = np.zeros((k, k))
        block[np.ix_(o, o)] = p.products
        if m.any():
            try:
                slope = np.linalg.solve(cov[np.ix_(o, o)], cov[np.ix_(o, m)])
            except np.linalg.LinAlgError:
                raise _singular() from None
            shift[m] = shift[o] @ slope
            block[np.ix_(o, m)] = p.products @ slope
            block[np.ix_(m, o)] = block[np.ix_(o, m)].T
            block[np.ix_(m, m)] = slope.T @ p.products @ slope
            rest = cov[np.ix_(m, m)] - cov[np.ix_(m, o)] @ slope
            block[np.ix_(m, m)] += p.n * (rest + rest.T) / 2
        first += p.n * shift
        second += block + p.n * np.outer(shift, shift)
    moved = first / total
    new_cov = second / total - np.outer(moved, moved)
    if not (bool(np.isfinite(new_cov).all()) and float(np.linalg.eigvalsh(new_cov)[0]) > 1e-11):
        raise _singular()
    return np.concatenate((mean + moved, new_cov.ravel()))


def _singular() -> NotDefined:
    return NotDefined(
        "The covariance of the variables is singular: some variable is a combination of others.",
        hint="Leave out duplicate or derived variables, or give more complete rows.",
        where="data",
        code="singular",
    )
