"""Predictions of a linear fit: at new values with intervals, and at the cases it was fitted to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.results import Quantity, Role
from statistikles.stats._distributions import t_isf
from statistikles.stats._least_squares import LinearFit
from statistikles.stats._regression_checks import Design

__all__ = ["cases", "predictions"]

Matrix = NDArray[np.float64]

_FARTHEST = 20  # cases with the largest residuals are listed however many others are left out


def cases(fit: LinearFit, at_most: int) -> list[dict[str, Any]]:
    """Fitted value and residual of the cases; of many, evenly spaced rows and those with the largest residuals."""
    rows = np.arange(fit.n)
    if fit.n > at_most:
        spaced = np.rint(np.linspace(0, fit.n - 1, at_most)).astype(int)
        farthest = np.argsort(-np.abs(fit.residuals), kind="stable")[:_FARTHEST]
        rows = np.unique(np.concatenate((spaced, farthest)))
    return [
        {
            "row": Quantity(int(i) + 1, Role.INDEX),
            "fitted": Quantity(float(fit.fitted[i]), Role.ESTIMATE),
            "residual": float(fit.residuals[i]),
        }
        for i in rows
    ]


def predictions(
    new: Matrix, seen: Matrix, degree: int, fit: LinearFit, design: Design, alpha: float
) -> tuple[list[dict[str, Any]], str]:
    """One row per new observation, and a caution when some lie outside the range of the data."""
    if new.shape[1] != seen.shape[1]:
        raise InputError(
            f"'predict_at' has {new.shape[1]} column(s); the model has {seen.shape[1]} predictor(s).",
            hint="Give one column per predictor, in the order of x.",
            where="predict_at",
            code="shape",
        )
    rows = []
    for values in new:
        terms = [float(values[0]) ** k for k in range(1, degree + 1)] if degree > 1 else values.tolist()
        full = np.array([1.0, *terms] if fit.intercept else terms)
        at = values.tolist() if len(values) > 1 else float(values[0])
        rows.append({"at": Quantity(at, Role.VALUE), **_row(full, fit, design, alpha)})
    outside = int(((new < seen.min(axis=0)) | (new > seen.max(axis=0))).any(axis=1).sum())
    caution = f"{outside} of {len(new)} predictions lie outside the range of the data (extrapolation)."
    return rows, caution if outside else ""


def _row(full: Matrix, fit: LinearFit, design: Design, alpha: float) -> dict[str, Any]:
    estimate = math.fsum((full * fit.coefficients).tolist())
    bounds = ("conf_low", "conf_high", "prediction_low", "prediction_high")
    if fit.resid_sd is None:
        reason = "no residual degrees of freedom"
        names = ("std_error", *bounds)
        return {
            "predicted": Quantity(estimate, Role.ESTIMATE),
            **dict.fromkeys(names),
            "undefined": dict.fromkeys(names, reason),
        }
    unit = full / design.units / design.lengths
    share = max(float(unit @ design.inverse @ unit), 0.0)  # the leverage a case with these values would have
    if not math.isfinite(share) or not math.isfinite(estimate):
        raise NotDefined(
            "A prediction so far from the data does not fit a double-precision number.",
            hint="Give predict_at in the units of x.",
            where="predict_at",
            code="out_of_scale",
        )
    error = fit.resid_sd * math.sqrt(share)
    t = t_isf(alpha / 2, fit.df_resid)
    reach, wide = t * error, t * fit.resid_sd * math.sqrt(1 + share)
    sides = (estimate - reach, estimate + reach, estimate - wide, estimate + wide)
    return {
        "predicted": Quantity(estimate, Role.ESTIMATE),
        "std_error": error,
        **dict(zip(bounds, sides, strict=True)),
    }
