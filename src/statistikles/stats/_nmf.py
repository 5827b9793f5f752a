"""Non-negative matrix factorisation: SVD start (NNDSVDa) and coordinate descent, without randomness."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from statistikles.stats._columns import signs

__all__ = ["Factors", "factorise"]

Matrix = NDArray[np.float64]
_ITERATIONS = 5000
_TOLERANCE = 1e-10


@dataclass(frozen=True)
class Factors:
    """x ~ weights @ topics, both without negative entries."""

    weights: Matrix
    topics: Matrix
    error: float  # Frobenius norm of the difference
    iterations: int
    converged: bool


def _start(x: Matrix, k: int) -> tuple[Matrix, Matrix]:
    """Non-negative parts of the leading singular vectors; zeros filled with the mean of x (Boutsidis & Gallopoulos)."""
    u, s, vt = np.linalg.svd(x, full_matrices=False)
    turn = signs(vt.T)
    u, vt = u * turn, vt * turn[:, None]
    w, h = np.zeros((x.shape[0], k)), np.zeros((k, x.shape[1]))
    for j in range(k):
        left, right = u[:, j], vt[j]
        parts = [(np.maximum(sign * left, 0.0), np.maximum(sign * right, 0.0)) for sign in (1.0, -1.0)]
        sizes = [float(np.linalg.norm(a) * np.linalg.norm(b)) for a, b in parts]
        best = 0 if sizes[0] >= sizes[1] else 1
        a, b = parts[best]
        if sizes[best] > 0:
            scale = np.sqrt(s[j] * sizes[best])
            w[:, j], h[j] = scale * a / np.linalg.norm(a), scale * b / np.linalg.norm(b)
    mean = float(x.mean())
    return np.where(w < 1e-6, mean, w), np.where(h < 1e-6, mean, h)


def _sweep(w: Matrix, gram: Matrix, cross: Matrix) -> float:
    """One pass over the columns of w for fixed h; the projected gradient's size, by which convergence is judged."""
    violation = 0.0
    for j in range(w.shape[1]):
        gradient = w @ gram[:, j] - cross[:, j]
        projected = np.where(w[:, j] == 0.0, np.minimum(0.0, gradient), gradient)
        violation += float(np.abs(projected).sum())
        if gram[j, j] > 0.0:
            w[:, j] = np.maximum(w[:, j] - gradient / gram[j, j], 0.0)
    return violation


def factorise(x: Matrix, k: int) -> Factors:
    """Factors of least squared error from the SVD start; entries of `x` of ordinary size."""
    w, h = _start(x, k)
    first, converged, iteration = 0.0, False, 0
    for iteration in range(1, _ITERATIONS + 1):
        violation = _sweep(w, h @ h.T, x @ h.T)
        columns = np.ascontiguousarray(h.T)
        violation += _sweep(columns, w.T @ w, x.T @ w)
        h = np.ascontiguousarray(columns.T)
        if iteration == 1:
            first = violation
        if violation <= _TOLERANCE * first:
            converged = True
            break
    return Factors(w, h, float(np.linalg.norm(x - w @ h)), iteration, converged)
