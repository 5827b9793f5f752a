"""Residuals on covariates, and the correlation of what is left."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined
from statistikles.stats._comoments import Correlation, correlate

__all__ = ["covariate_basis", "partial_of"]

_FULLY_EXPLAINED = 1e-12


def _standard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centred and scaled to length one; zeros for a constant."""
    top = float(np.abs(values).max())
    if not top or float(values.min()) == float(values.max()):
        return np.zeros_like(values)
    x = np.ldexp(values, -math.frexp(top)[1])
    x = x - x[0]
    x = np.ldexp(x, -math.frexp(float(np.abs(x).max()))[1])
    x = x - math.fsum(x) / x.size
    out: NDArray[np.float64] = x / math.sqrt(math.fsum(x * x))
    return out


def covariate_basis(covariates: NDArray[np.float64]) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """An orthonormal basis of the centred covariates, leaving out what repeats."""
    standard = np.column_stack([_standard(c) for c in covariates.T])
    left, size, _ = np.linalg.svd(standard, full_matrices=False)
    rank = int((size > 1e-10 * max(1.0, float(size.max()))).sum())
    warnings: tuple[str, ...] = ()
    if rank < covariates.shape[1]:
        warnings = (
            f"{covariates.shape[1] - rank} covariate(s) are constant or follow from the others and add nothing.",
        )
    basis: NDArray[np.float64] = left[:, :rank]
    return basis, warnings


def _residual(values: NDArray[np.float64], basis: NDArray[np.float64], name: str) -> NDArray[np.float64]:
    rest = _standard(values)
    for _ in range(2):  # the second pass removes what rounding left of the first
        rest = rest - basis @ (basis.T @ rest)
    if float(np.linalg.norm(rest)) < _FULLY_EXPLAINED:
        raise NotDefined(
            f"The partial correlation is undefined: '{name}' is fully explained by the covariates.",
            hint="Leave out the covariate that repeats it.",
            where="covariates",
            code="zero_variance",
        )
    return rest


def partial_of(
    x: NDArray[np.float64], y: NDArray[np.float64], basis: NDArray[np.float64]
) -> tuple[Correlation, NDArray[np.float64], NDArray[np.float64]]:
    rest_x, rest_y = _residual(x, basis, "x"), _residual(y, basis, "y")
    found = correlate(rest_x, rest_y)
    if (
        found.unexplained < 1e-28
    ):  # residuals carry rounding, so a line is told less finely than from raw data
        found = Correlation(math.copysign(1.0, found.r), 0.0)
    return found, rest_x, rest_y
