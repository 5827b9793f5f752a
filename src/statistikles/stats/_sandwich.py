"""Least squares with heteroscedasticity- and cluster-robust covariances, also weighted and in two stages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined
from statistikles.results import Term
from statistikles.stats._distributions import p_t, t_isf

__all__ = ["RobustFit", "least_squares", "robust_term", "two_stage"]

Matrix = NDArray[np.float64]
_CONDITION = 1e10


@dataclass(frozen=True)
class RobustFit:
    """Coefficients, residuals and covariances of a (weighted or two-stage) least-squares fit."""

    beta: Matrix
    residuals: Matrix
    bread: Matrix
    scores: Matrix
    leverage: Matrix
    rss: float

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.residuals)

    @property
    def df(self) -> int:
        """Residual degrees of freedom."""
        return self.n - len(self.beta)

    @property
    def classical(self) -> Matrix:
        """Covariance under one error variance."""
        return self.bread * (self.rss / self.df)

    def robust(self, kind: str = "HC1") -> Matrix:
        """HC0, HC1, HC2 or HC3 covariance (HC2 and HC3 need leverages below one)."""
        rest = np.maximum(1 - self.leverage, 1e-12)
        factor = {"HC2": 1 / np.sqrt(rest), "HC3": 1 / rest}.get(kind, np.ones(self.n))
        weighted = self.scores * factor[:, None]
        out: Matrix = self.bread @ (weighted.T @ weighted) @ self.bread
        return out * (self.n / self.df) if kind == "HC1" else out

    def clustered(self, code: NDArray[np.int64]) -> Matrix:
        """Cluster-robust covariance CR1: factor G/(G − 1) · (n − 1)/(n − q)."""
        groups = int(code.max()) + 1
        sums = np.zeros((groups, self.scores.shape[1]))
        np.add.at(sums, code, self.scores)
        factor = groups / (groups - 1) * (self.n - 1) / self.df
        out: Matrix = factor * (self.bread @ (sums.T @ sums) @ self.bread)
        return out


def _inverse(design: Matrix) -> Matrix:
    """(X'X)⁻¹ by the QR of columns at unit length.

    Raises
    ------
    NotDefined : the columns determine each other.
    """
    size = np.sqrt(np.einsum("ij,ij->j", design, design))
    if not bool((size > 0).all()):
        raise _singular()
    r = np.linalg.qr(design / size, mode="r")
    s = np.linalg.svd(r, compute_uv=False)
    if not s[-1] * _CONDITION > s[0]:
        raise _singular()
    inverse = np.linalg.inv(r) / size[:, None]
    out: Matrix = inverse @ inverse.T
    return out


def _singular() -> NotDefined:
    return NotDefined(
        "The estimate is undefined: some columns of the model are constant or combinations of others.",
        hint="Remove constant or duplicate variables.",
        code="singular",
    )


def least_squares(design: Matrix, y: Matrix, weights: Matrix | None = None) -> RobustFit:
    """(Weighted) least squares; all weights must be positive."""
    root = np.ones(len(y)) if weights is None else np.sqrt(weights)
    own, target = design * root[:, None], y * root
    bread = _inverse(own)
    beta = bread @ (own.T @ target)
    beta += bread @ (own.T @ (target - own @ beta))
    residual = target - own @ beta
    leverage = np.einsum("ij,jk,ik->i", own, bread, own)
    return RobustFit(beta, residual, bread, own * residual[:, None], leverage, float(residual @ residual))


def two_stage(design: Matrix, instruments: Matrix, y: Matrix) -> RobustFit:
    """Two-stage least squares: the design projected on the instruments, residuals from the design itself."""
    inverse = _inverse(instruments)
    projected = instruments @ (inverse @ (instruments.T @ design))
    bread = _inverse(projected)
    beta = bread @ (projected.T @ y)
    beta += bread @ (projected.T @ (y - design @ beta))
    residual = y - design @ beta
    leverage = np.einsum("ij,jk,ik->i", projected, bread, projected)
    return RobustFit(
        beta, residual, bread, projected * residual[:, None], leverage, float(residual @ residual)
    )


def robust_term(estimate: float, error: float, df: int, alpha: float) -> Term:
    """A coefficient with its t test; a zero standard error leaves the test undefined."""
    shared: dict[str, Any] = {"estimate": estimate, "std_error": error, "df": df}
    if not error > 0:
        reason = "its standard error is zero"
        return Term(**shared, undefined=dict.fromkeys(("statistic", "p_value"), reason))
    reach = t_isf(alpha / 2, df) * error
    return Term(
        **shared,
        statistic=estimate / error,
        p_value=p_t(estimate / error, df),
        conf_low=estimate - reach,
        conf_high=estimate + reach,
    )
