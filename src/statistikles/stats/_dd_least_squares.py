"""Least squares in double-double: a QR factor from LAPACK preconditions, the rest keeps 30 digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined
from statistikles.stats._exact import DD, dd_gram, dd_matmul, dd_solve_cholesky, dd_sub

__all__ = ["DoubleDoubleSolution", "solve_double_double"]

Matrix = NDArray[np.float64]

# A column counts as aliased when what the columns before it leave of it is below this part of it.
_ALIAS_DOUBLE: Final = 1e-15
_ALIAS_EXACT: Final = 1e-26


@dataclass(frozen=True)
class DoubleDoubleSolution:
    """Coefficients and residuals in double-double; (X'X)^-1 and leverages rounded to doubles."""

    coefficients: DD
    residuals: DD
    unscaled_covariance: Matrix
    leverage: Matrix
    condition: float


def solve_double_double(
    x: DD, y: DD, *, names: Sequence[str] | None = None, exact: bool = False, what: str = "column"
) -> DoubleDoubleSolution:
    """Least squares for a double-double design of moderate scale (see `polynomial_columns`)."""
    basis, transform, condition = _orthonormalise(x, names, _ALIAS_EXACT if exact else _ALIAS_DOUBLE, what)
    gram = dd_gram(basis, basis)
    right = dd_gram(basis, (y[0][:, None], y[1][:, None]))
    inverse_factor, weights = dd_solve_cholesky(gram, right)  # L^-1, and (Y'Y)^-1 Y'y
    fitted = dd_matmul(basis, weights)
    residuals = dd_sub(y, (fitted[0][:, 0], fitted[1][:, 0]))
    coefficients = dd_matmul(transform, weights)
    half = dd_matmul(transform, (inverse_factor[0].T, inverse_factor[1].T))
    covariance = dd_matmul(half, (half[0].T, half[1].T))
    rows = basis[0] @ inverse_factor[0].T
    leverage = np.minimum(np.einsum("ij,ij->i", rows, rows), 1.0)
    return DoubleDoubleSolution(
        (coefficients[0][:, 0], coefficients[1][:, 0]), residuals, covariance[0], leverage, condition
    )


def _orthonormalise(x: DD, names: Sequence[str] | None, tolerance: float, what: str) -> tuple[DD, DD, float]:
    """A basis Y = X T, orthonormal to a few per cent, with T upper triangular, and the condition of X.

    One QR of the rounded columns does when the condition is below about 1e13; otherwise the basis it
    gave is treated again, which uncovers what the first pass could not see.
    """
    q = x[0].shape[1]
    norms = np.sqrt(np.maximum(np.einsum("ij,ij->j", x[0], x[0]), 1e-300))
    scales = np.exp2(-np.rint(np.log2(norms)))
    if bool(np.any(norms <= 1e-140)):
        _refuse_aliased([j for j in range(q) if norms[j] <= 1e-140], names, what)
    transform: DD = (np.diag(scales), np.zeros((q, q)))
    basis: DD = (x[0] * scales, x[1] * scales)
    kept = np.ones(q)
    condition = 1.0
    for _ in range(4):
        r = np.asarray(np.linalg.qr(basis[0], mode="r"))
        diagonal = np.abs(np.diag(r))
        kept = kept * diagonal
        aliased = [j for j in range(q) if kept[j] < tolerance * norms[j] * scales[j]]
        if aliased:
            _refuse_aliased(aliased, names, what)
        values = np.linalg.svd(r, compute_uv=False)
        condition *= float(values[0] / max(values[-1], 1e-300))
        step = _invert_upper(r)
        basis = dd_matmul(basis, (step, np.zeros_like(step)))
        transform = dd_matmul(transform, (step, np.zeros_like(step)))
        gram = basis[0].T @ basis[0]
        if float(np.max(np.abs(gram - np.eye(q)))) < 0.05:
            return basis, transform, condition
    raise NotDefined("The predictors are too nearly collinear to be told apart.", where="x", code="singular")


def _invert_upper(r: Matrix) -> Matrix:
    """Inverse of an upper triangular matrix, by back substitution."""
    q = r.shape[0]
    out = np.zeros((q, q))
    for j in range(q):
        out[j, j] = 1.0 / r[j, j]
        if j:
            out[:j, j] = -(out[:j, :j] @ r[:j, j]) * out[j, j]
    return out


def _refuse_aliased(which: list[int], names: Sequence[str] | None, what: str) -> None:
    labels = [names[j] if names is not None else f"column {j + 1}" for j in which]
    listed = ", ".join(f"'{label}'" for label in labels)
    if what == "parameter":
        raise NotDefined(
            f"The data do not determine the parameter(s) {listed}.",
            hint="Simplify the formula, or start elsewhere.",
            where="start",
            code="singular",
        )
    raise NotDefined(
        f"The design is singular: {listed} can be written as a combination of the other columns.",
        hint="Leave out the column(s) named.",
        where="x",
        code="singular",
    )
