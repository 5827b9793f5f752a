"""Minimum covariance determinant: seeded FAST-MCD with concentration steps, consistent and reweighted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from statistikles.stats._distributions import chi2_cdf, chi2_isf

__all__ = ["MCD_CUTOFF", "Mcd", "fast_mcd"]

Matrix = NDArray[np.float64]
Rows = NDArray[np.int64]

MCD_CUTOFF = 0.975  # quantile of chi-squared beyond which a row has no weight in the final estimate
_STARTS = 500
_ALL_STARTS = 3000  # starting subsets up to which all of them are tried
_KEPT = 10
_SAMPLE = 1500


@dataclass(frozen=True)
class Mcd:
    """Robust centre and covariance, the squared distances of all rows, and the subset behind them."""

    centre: Matrix
    covariance: Matrix
    distances: Matrix
    raw_log_determinant: float
    subset_size: int
    n_weighted: int


def fast_mcd(z: Matrix, seed: int) -> Mcd | None:
    """MCD of standardised rows; None when half of them lie on a hyperplane."""
    n, p = z.shape
    h = (n + p + 1) // 2
    rng = np.random.default_rng(seed)
    rows = z if n <= _SAMPLE else z[np.sort(rng.choice(n, _SAMPLE, replace=False))]
    m = rows.shape[0]
    size = (m + p + 1) // 2
    found: dict[tuple[int, ...], float] = {}
    for start in _starts(m, p, rng):
        if _hyperplane_holds(rows, start) >= size:
            return None
        subset = _concentrate(rows, start, size, steps=2)
        if subset is not None:
            found.setdefault(tuple(np.sort(subset[0]).tolist()), subset[1])
    if not found:
        return None
    ranked = sorted(found.items(), key=lambda item: (item[1], item[0]))[:_KEPT]
    finished = []
    for indices, _ in ranked:
        begin = np.array(indices)
        if m < n:  # the same centre and shape, now among all rows
            moved = _nearest(z, rows[begin], h)
            if moved is None:
                continue
            begin = moved
        final = _concentrate(z, begin, h, steps=200)
        if final is not None:
            finished.append((final[1], tuple(np.sort(final[0]).tolist())))
    if not finished:
        return None
    log_det, best = min(finished)
    return _reweighted(z, np.array(best), log_det, h)


def _starts(n: int, p: int, rng: np.random.Generator) -> list[Rows]:
    k = p + 1
    if comb(n, k) <= _ALL_STARTS:
        return [np.array(c) for c in combinations(range(n), k)]
    return [rng.choice(n, k, replace=False) for _ in range(_STARTS)]


def _hyperplane_holds(rows: Matrix, start: Rows) -> int:
    """How many rows lie on the hyperplane of a degenerate starting subset; 0 when it is not degenerate."""
    deviation = rows[start] - rows[start].mean(axis=0)
    _, values, axes = np.linalg.svd(deviation, full_matrices=False)
    if float(values[-1]) > 1e-7 * float(values[0]):
        return 0
    return int((np.abs((rows - rows[start].mean(axis=0)) @ axes[-1]) <= 1e-9).sum())


def _shape(rows: Matrix) -> tuple[Matrix, Matrix, float] | None:
    """Centre, lower Cholesky factor of the covariance and its log determinant; None when singular."""
    centre = rows.mean(axis=0)
    deviation = rows - centre
    covariance = deviation.T @ deviation / (rows.shape[0] - 1)
    values = np.linalg.eigvalsh(covariance)
    if not float(values[0]) > 1e-13 * max(float(values[-1]), 1e-300):
        return None
    factor = np.linalg.cholesky(covariance)
    return centre, factor, 2 * float(np.sum(np.log(np.diag(factor))))


def _distances(z: Matrix, centre: Matrix, factor: Matrix) -> Matrix:
    inverse = np.linalg.inv(factor)
    white = (z - centre) @ inverse.T
    out: Matrix = np.einsum("ij,ij->i", white, white)
    return out


def _inner(z: Matrix, shape: tuple[Matrix, Matrix, float], h: int) -> Rows:
    return np.argsort(_distances(z, shape[0], shape[1]), kind="stable")[:h].astype(np.int64)


def _nearest(z: Matrix, rows: Matrix, h: int) -> Rows | None:
    shape = _shape(rows)
    if shape is None:
        return None
    return _inner(z, shape, h)


def _concentrate(z: Matrix, start: Rows, h: int, *, steps: int) -> tuple[Rows, float] | None:
    """Concentration steps, each of which lowers the determinant, until nothing changes."""
    subset = start
    shape = _shape(z[subset])
    if shape is None:
        return None
    log_det = np.inf
    for _ in range(steps):
        subset = _inner(z, shape, h)
        shape = _shape(z[subset])
        if shape is None:
            return None
        if not shape[2] < log_det - 1e-12:
            break
        log_det = shape[2]
    return subset, shape[2]


def _consistency(share: float, p: int) -> float:
    """The factor that makes the covariance of the inner `share` of normal data consistent."""
    if share >= 1.0:
        return 1.0
    return share / chi2_cdf(chi2_isf(1 - share, p), p + 2)


def _reweighted(z: Matrix, subset: Rows, log_det: float, h: int) -> Mcd | None:
    n, p = z.shape
    shape = _shape(z[subset])
    if shape is None:
        return None
    raw = _distances(z, shape[0], shape[1]) / _consistency(h / n, p)
    kept = raw <= chi2_isf(1 - MCD_CUTOFF, p)
    inner = _shape(z[kept])
    if inner is None:
        return None
    factor = _consistency(float(kept.sum()) / n, p)
    return Mcd(
        centre=inner[0],
        covariance=inner[1] @ inner[1].T * factor,
        distances=_distances(z, inner[0], inner[1]) / factor,
        raw_log_determinant=log_det,
        subset_size=h,
        n_weighted=int(kept.sum()),
    )
