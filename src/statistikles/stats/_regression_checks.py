"""Diagnostics of a linear fit: residual tests, influence, collinearity, heteroscedasticity-robust errors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import StatistiklesError
from statistikles.results import Quantity, Role, Term
from statistikles.stats._distributions import chi2_sf, p_normal, p_t, t_isf, t_sf
from statistikles.stats._least_squares import LinearFit
from statistikles.stats._normality import shapiro_wilk
from statistikles.stats._numerics import moments

__all__ = ["Design", "diagnostics", "robust_from_errors", "robust_terms"]

Matrix = NDArray[np.float64]
_SHAPIRO_LIMIT = 5000
_FULL_LEVERAGE = 1.0 - 1e-12
_ROBUST_CONDITION = 1e10
_PIECE = 2048


@dataclass(frozen=True)
class Design:
    """The design in convenient units: a column of the model is `units` times one of ours.

    `lengths` are those of the columns; `inverse` is (D'D)^-1 of the columns at unit length, `condition` the
    ratio of their largest to their smallest singular value
    (Belsley, Kuh and Welsch 1980).
    """

    predictors: Matrix
    intercept: bool
    lengths: Matrix
    units: Matrix
    inverse: Matrix
    condition: float

    @classmethod
    def of(cls, x: Matrix, degree: int, fit: LinearFit) -> Design:
        """Columns as the fit saw them: an intercept if any, then the predictors or the powers."""
        largest = np.maximum(x.max(axis=0), -x.min(axis=0))
        units = np.ones(x.shape[1])
        if degree > 1:
            unit = max(float(largest[0]), 5e-324)
            base = x[:, 0] / unit
            x = np.column_stack([base**k for k in range(1, degree + 1)])
            with np.errstate(over="ignore", under="ignore"):
                units = unit ** np.arange(1.0, degree + 1)
        elif bool(np.any((largest > 1e60) | (largest < 1e-60))):
            units = np.exp2(np.frexp(largest)[1] - 1.0)
            x = x / units
        if fit.intercept:
            units = np.concatenate(([1.0], units))
        draft = cls(x, fit.intercept, np.ones(0), units, np.zeros((0, 0)), 1.0)
        gram = draft.gram(None)
        lengths = np.sqrt(np.diag(gram))
        unit = gram / np.outer(lengths, lengths)
        values, vectors = np.linalg.eigh(unit)
        if values[0] > 1e-8 * values[-1]:
            inverse = (vectors / values) @ vectors.T
            condition = math.sqrt(float(values[-1] / values[0]))
        else:  # the squares have lost the small singular values: take them from the columns
            _, s, vt = np.linalg.svd(draft.full() / lengths, full_matrices=False)
            inverse = (vt.T / np.maximum(s, 1e-300) ** 2) @ vt
            condition = float(s[0] / max(float(s[-1]), 1e-300))
        return cls(x, fit.intercept, lengths, units, inverse, condition)

    def full(self) -> Matrix:
        """All columns, the intercept included."""
        return (
            np.column_stack((np.ones(len(self.predictors)), self.predictors))
            if self.intercept
            else self.predictors
        )

    def cross(self, v: Matrix) -> Matrix:
        """D'v for a vector."""
        out: Matrix = self.predictors.T @ v
        return np.concatenate(([v.sum()], out)) if self.intercept else out

    def gram(self, weights: Matrix | None) -> Matrix:
        """D' diag(weights**2) D, by pieces that stay in cache; D'D without weights."""
        if weights is None:
            inner: Matrix = self.predictors.T @ self.predictors
            if not self.intercept:
                return inner
            sums = self.predictors.sum(axis=0)
            return np.block(
                [[np.array([[float(len(self.predictors))]]), sums[None, :]], [sums[:, None], inner]]
            )
        x, first = self.predictors, int(self.intercept)
        q = x.shape[1] + first
        out = np.zeros((q, q))
        buffer = np.empty((_PIECE, q))
        for start in range(0, len(x), _PIECE):
            w = weights[start : start + _PIECE]
            piece = buffer[: w.size]
            np.multiply(x[start : start + _PIECE], w[:, None], out=piece[:, first:])
            if first:
                piece[:, 0] = w
            out += piece.T @ piece
        return out


def diagnostics(fit: LinearFit, design: Design) -> dict[str, Any]:
    """What to look at before trusting a fit; each entry carries its own reasons when undefined."""
    scale = math.frexp(max(float(np.abs(fit.residuals).max()), 5e-324))[1]
    e = np.ldexp(fit.residuals, -scale)
    degenerate = "the fit is exact: there are no residuals to examine" if fit.exact_fit else ""
    if not degenerate and fit.df_resid < 1:
        degenerate = "no residual degrees of freedom are left"
    return {
        "durbin_watson": _undefined(("statistic", "p_value"), degenerate) or _durbin_watson(e, fit, design),
        "breusch_pagan": _undefined(("statistic", "df", "p_value"), degenerate)
        or _breusch_pagan(e, fit, design),
        "residual_normality": _undefined(("statistic", "p_value"), degenerate) or _normality(e),
        "outlier": _undefined(("studentized_residual", "row", "p_value", "p_value_bonferroni"), degenerate)
        or _outlier(fit),
        "influence": _influence(fit, degenerate),
        "condition_number": Quantity(design.condition, Role.RATIO),
    }


def _undefined(names: tuple[str, ...], reason: str) -> dict[str, Any]:
    if not reason:
        return {}
    return {**dict.fromkeys(names), "undefined": dict.fromkeys(names, reason)}


def _durbin_watson(e: Matrix, fit: LinearFit, design: Design) -> dict[str, Any]:
    """The statistic, with a two-sided p by the normal law with its exact mean and variance."""
    d = float(np.sum(np.diff(e) ** 2) / (e @ e))
    n, q = fit.n, len(fit.names)
    method = "normal approximation with exact mean and variance"
    if n > _SHAPIRO_LIMIT:
        mean, variance, method = 2.0, 4.0 / n, "asymptotic normal, variance 4/n"
    else:
        u = design.full() / design.lengths
        au = 2.0 * u
        au[0] -= u[0]
        au[-1] -= u[-1]
        au[1:] -= u[:-1]
        au[:-1] -= u[1:]
        first, second = u.T @ au @ design.inverse, au.T @ au @ design.inverse
        p = 2 * (n - 1) - float(np.trace(first))
        r = 2 * (3 * n - 4) - 2 * float(np.trace(second)) + float(np.sum(first * first.T))
        df = n - q
        mean = p / df
        variance = 2.0 / (df * (df + 2)) * (r - p * mean)
    if not variance > 1e-12:
        reason = "too few observations for its distribution"
        return {"statistic": d, "p_value": None, "method": method, "undefined": {"p_value": reason}}
    return {"statistic": d, "p_value": p_normal((d - mean) / math.sqrt(variance)), "method": method}


def _breusch_pagan(e: Matrix, fit: LinearFit, design: Design) -> dict[str, Any]:
    """Koenker's studentised form: n R² of the squared residuals on the predictors."""
    df = len(fit.names) - 1 if fit.intercept else len(fit.names)
    squares = e * e
    centred = squares - squares.mean()
    total = float(centred @ centred)
    names = ("statistic", "p_value")
    if df == 0 or not total > 0:
        reason = "there are no predictors" if df == 0 else "all residuals have the same size"
        return {"df": df, **_undefined(names, reason)}
    if fit.intercept:
        cross = design.cross(centred) / design.lengths
        explained = float(cross @ design.inverse @ cross)
    else:  # the auxiliary regression has an intercept of its own
        full = np.column_stack((np.ones(fit.n), design.full() / design.lengths))
        beta = np.linalg.lstsq(full, centred, rcond=None)[0]
        explained = float(np.sum((full @ beta) ** 2))
    statistic = fit.n * min(max(explained / total, 0.0), 1.0)
    return {
        "statistic": statistic,
        "df": df,
        "p_value": chi2_sf(statistic, df),
        "method": "Koenker's studentised form",
    }


def _normality(e: Matrix) -> dict[str, Any]:
    if e.size > _SHAPIRO_LIMIT:
        m = moments(e)
        if m.skew_g1 is None or m.kurt_g2 is None:
            return {
                "method": "Jarque-Bera",
                **_undefined(("statistic", "p_value"), "the residuals do not vary"),
            }
        jb = e.size / 6 * (m.skew_g1**2 + m.kurt_g2**2 / 4)
        return {
            "statistic": jb,
            "p_value": chi2_sf(jb, 2),
            "method": "Jarque-Bera (more than 5,000 residuals)",
        }
    try:
        w, p = shapiro_wilk(e)
    except StatistiklesError as error:
        return {"method": "Shapiro-Wilk", **_undefined(("statistic", "p_value"), error.message)}
    return {"statistic": w, "p_value": p, "method": "Shapiro-Wilk"}


def _outlier(fit: LinearFit) -> dict[str, Any]:
    """The largest deleted residual, its t test, and the Bonferroni correction for having looked at all."""
    values = fit.studentised_residuals
    if fit.df_resid < 2 or not bool(np.isfinite(values).any()):
        reason = "it needs at least two residual degrees of freedom and a leverage below one"
        return _undefined(("studentized_residual", "row", "p_value", "p_value_bonferroni"), reason)
    row = int(np.nanargmax(np.abs(values)))
    p = p_t(float(values[row]), fit.df_resid - 1)
    return {
        "studentized_residual": Quantity(float(values[row]), Role.RESIDUAL),
        "row": Quantity(row + 1, Role.INDEX),
        "p_value": p,
        "p_value_bonferroni": min(1.0, p * int(np.isfinite(values).sum())),
    }


def _influence(fit: LinearFit, degenerate: str) -> dict[str, Any]:
    top = int(np.argmax(fit.leverage))
    limit = 2 * len(fit.names) / fit.n
    out: dict[str, Any] = {
        "leverage_max": Quantity(float(fit.leverage[top]), Role.WEIGHT),
        "leverage_max_row": Quantity(top + 1, Role.INDEX),
        "leverage_threshold": Quantity(limit, Role.WEIGHT),
        "n_high_leverage": Quantity(int((fit.leverage > limit).sum()), Role.COUNT),
    }
    cook = fit.cooks_distance
    if degenerate or not bool(np.isfinite(cook).any()):
        names = ("cooks_distance_max", "cooks_distance_max_row", "n_cooks_above_4_over_n")
        return out | _undefined(names, degenerate or "every leverage is one")
    row = int(np.nanargmax(cook))
    return out | {
        "cooks_distance_max": Quantity(float(cook[row]), Role.DISTANCE),
        "cooks_distance_max_row": Quantity(row + 1, Role.INDEX),
        "n_cooks_above_4_over_n": Quantity(int((cook > 4 / fit.n).sum()), Role.COUNT),
    }


def robust_terms(fit: LinearFit, design: Design, alpha: float) -> tuple[Mapping[str, Term] | None, str]:
    """Terms with HC3 standard errors (MacKinnon and White 1985), or the reason why there are none."""
    if fit.exact_fit or fit.df_resid < 1:
        return None, "the fit leaves no residual variation"
    if bool(np.any(fit.leverage >= _FULL_LEVERAGE)):
        return None, "an observation has leverage one, so its residual says nothing of its variance"
    if design.condition > _ROBUST_CONDITION:
        return (
            None,
            f"the design is too ill-conditioned ({design.condition:.1e}) for them in double precision",
        )
    scale = math.frexp(max(float(np.abs(fit.residuals).max()), 5e-324))[1]
    weighted = np.ldexp(fit.residuals, -scale) / (1.0 - fit.leverage)
    meat = design.gram(weighted) / np.outer(design.lengths, design.lengths)
    variance = np.einsum("ij,jk,ik->i", design.inverse, meat, design.inverse)
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        errors = np.ldexp(np.sqrt(np.maximum(variance, 0.0)) / design.lengths / design.units, scale)
    return robust_from_errors(fit, errors.tolist(), alpha)


def robust_from_errors(
    fit: LinearFit, errors: Sequence[float], alpha: float
) -> tuple[Mapping[str, Term] | None, str]:
    """Terms with given standard errors, or the reason why there are none."""
    reach = t_isf(alpha / 2, fit.df_resid)
    terms = {}
    for name, estimate, error in zip(fit.names, fit.coefficients.tolist(), errors, strict=True):
        if not (error > 0 and math.isfinite(error)):
            return None, "they do not fit a double-precision number"
        t = estimate / error
        terms[name] = Term(
            estimate=estimate,
            std_error=error,
            statistic=t,
            df=fit.df_resid,
            p_value=2 * t_sf(abs(t), fit.df_resid),
            conf_low=estimate - reach * error,
            conf_high=estimate + reach * error,
        )
    return terms, ""
