"""The one-factor model by maximum likelihood: loadings and uniquenesses of a correlation matrix."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined

__all__ = ["LOWER", "OneFactor", "fit_one_factor"]

Matrix = NDArray[np.float64]
LOWER = 0.005  # the least uniqueness allowed, as in factanal: a Heywood case stops there
_STEPS = 500


@dataclass(frozen=True)
class OneFactor:
    """Standardised loadings and uniquenesses, the minimum of the discrepancy, and the parameters' covariance.

    `covariance` (order: loadings, then uniquenesses) is per row of data: divide by n. It is None when a uniqueness
    stands at its bound, where the usual theory does not hold.
    """

    loadings: Matrix
    uniquenesses: Matrix
    discrepancy: float
    heywood: tuple[int, ...]
    covariance: Matrix | None

    @property
    def implied(self) -> Matrix:
        """The correlations the model implies."""
        out: Matrix = np.outer(self.loadings, self.loadings) + np.diag(self.uniquenesses)
        return out


def fit_one_factor(correlation: Matrix) -> OneFactor:
    """The maximum-likelihood fit from several starts, polished by Newton's method.

    Raises
    ------
    NotDefined : the matrix is singular or the search does not settle.
    """
    k = len(correlation)
    sign, log_det = np.linalg.slogdet(correlation)
    inverse = np.linalg.inv(correlation) if sign > 0 else None
    if inverse is None or not float(np.linalg.eigvalsh(correlation)[0]) > 1e-11:
        raise NotDefined(
            "The factor model is undefined: an item is a combination of the others.",
            hint="Remove duplicate or derived items, or use more subjects than items.",
            where="items",
            code="singular",
        )
    values, vectors = np.linalg.eigh(correlation)
    smc = 1 - 1 / np.diag(inverse)
    reduced = correlation - np.diag(1 - smc)
    red_values, red_vectors = np.linalg.eigh(reduced)
    starts = (
        red_vectors[:, -1] * math.sqrt(max(float(red_values[-1]), 0.05)),
        0.9 * vectors[:, -1] * math.sqrt(float(values[-1])),
        np.full(k, 0.5),
    )
    found = [_descend(correlation, np.clip(s, -0.97, 0.97)) for s in starts]
    theta, value, gradient = min(found, key=lambda f: f[1])
    loadings, psi = theta[:k], theta[k:]
    if loadings.sum() < 0:
        loadings = -loadings
    bound = psi <= LOWER * (1 + 1e-9)
    free = np.concatenate((np.ones(k, dtype=bool), ~bound))
    if float(np.abs(gradient[free]).max()) > 1e-6:
        raise NotDefined(
            "The factor model did not converge.",
            hint="The items may share no common factor; look at their correlations.",
            where="items",
            code="no_convergence",
        )
    covariance: Matrix | None = None
    if not bound.any():
        information = _derivatives(correlation, np.concatenate((loadings, psi)))[2]
        if float(np.linalg.cond(information)) < 1e12:
            covariance = np.asarray(2 * np.linalg.inv(information), dtype=np.float64)
    return OneFactor(
        loadings,
        psi,
        max(0.0, value - float(log_det) - k),
        tuple(int(i) for i in np.flatnonzero(bound)),
        covariance,
    )


def _objective(s: Matrix, theta: Matrix) -> float:
    """log|Σ| + tr(SΣ⁻¹) of Σ = λλ' + Ψ, by the rank-one formulas."""
    k = len(s)
    loadings, psi = theta[:k], theta[k:]
    a = loadings / psi
    common = 1 + float(loadings @ a)
    return float(np.log(psi).sum() + math.log(common) + (np.diag(s) / psi).sum() - a @ s @ a / common)


def _derivatives(s: Matrix, theta: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Gradient, exact Hessian and expected Hessian of the objective."""
    k = len(s)
    loadings, psi = theta[:k], theta[k:]
    a = loadings / psi
    inverse = np.diag(1 / psi) - np.outer(a, a) / (1 + float(loadings @ a))
    c = inverse @ s @ inverse
    u, w = inverse @ loadings, c @ loadings
    gap = inverse - c
    gradient = np.concatenate((2 * gap @ loadings, np.diag(gap)))
    size_a, size_c = float(loadings @ u), float(loadings @ w)
    ll = 2 * (np.outer(w, u) + np.outer(u, w) + inverse * size_c + c * size_a)
    ll += 2 * gap - 2 * (np.outer(u, u) + inverse * size_a)
    lp = 2 * (c * u + inverse * w) - 2 * inverse * u
    pp = 2 * inverse * c - inverse**2
    exact = np.block([[ll, lp], [lp.T, pp]])
    expected_lp = 2 * inverse * u
    expected = np.block([[2 * (np.outer(u, u) + inverse * size_a), expected_lp], [expected_lp.T, inverse**2]])
    return gradient, exact, expected


def _descend(s: Matrix, start: Matrix) -> tuple[Matrix, float, Matrix]:
    """Damped Newton steps that keep every uniqueness at or above its bound."""
    k = len(s)
    theta = np.concatenate((start, np.maximum(1 - start**2, 0.05)))
    value = _objective(s, theta)
    damping = 1e-2
    gradient, exact, expected = _derivatives(s, theta)
    for _ in range(_STEPS):
        held = np.concatenate((np.zeros(k, dtype=bool), (theta[k:] <= LOWER) & (gradient[k:] > 0)))
        free = ~held
        if float(np.abs(gradient[free]).max()) < 1e-13:
            break
        inner = np.ix_(free, free)
        hessian = exact[inner]
        if float(np.linalg.eigvalsh(hessian)[0]) <= 0:
            hessian = expected[inner]
        step = np.zeros(2 * k)
        diagonal = np.diag(np.maximum(np.diag(hessian), 1e-8))
        step[free] = np.linalg.lstsq(hessian + damping * diagonal, -gradient[free], rcond=None)[0]
        trial = theta + step
        trial[k:] = np.maximum(trial[k:], LOWER)
        new = _objective(s, trial)
        if new <= value + 1e-15 * abs(value):
            still = float(np.abs(trial - theta).max()) < 1e-15
            theta, value, damping = trial, new, damping / 10 if damping > 1e-12 else 0.0
            gradient, exact, expected = _derivatives(s, theta)
            if still:
                break
        elif damping > 1e8:
            break
        else:
            damping = max(damping * 10, 1e-10)
    return theta, value, gradient
