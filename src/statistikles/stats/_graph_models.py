"""The numbers behind pictures of models: a fitted curve, lines at a threshold, what covariates leave of two variables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.results import Quantity, Role
from statistikles.stats._distributions import t_isf
from statistikles.stats._formula import Expressions, evaluate, names_in, parse
from statistikles.stats._graph_numbers import histogram_numbers
from statistikles.stats._moment_matrix import Unit
from statistikles.stats._nonlinear import NonlinearFit
from statistikles.stats._sandwich import least_squares

__all__ = ["curve_numbers", "expected_counts", "jump_numbers", "residual_pairs", "spaced"]

Vector = NDArray[np.float64]

_CURVE = 101  # places of a fitted curve
_SIDE = 21  # places of a line on one side of a threshold
_MOST_BINS = 20
_MOST_PAIRS = 2000
_OUTERMOST = 10


def spaced(n: int, at_most: int, *keep: Vector) -> NDArray[np.int64]:
    """Rows that are listed of many: evenly spaced ones, and those where one of `keep` is largest in size."""
    if n <= at_most:
        return np.arange(n)
    rows = [np.rint(np.linspace(0, n - 1, at_most)).astype(np.int64)]
    rows += [np.argsort(-np.abs(values), kind="stable")[:_OUTERMOST] for values in keep]
    return np.unique(np.concatenate(rows))


# A curve -----------------------------------------------------------------------------------------------------


def curve_numbers(
    fit: NonlinearFit, formula: str, data: Mapping[str, Vector], alpha: float
) -> dict[str, Any]:
    """The curve over the range of its one predictor, with the band of the linear approximation (delta method)."""
    build = Expressions()
    model = parse(formula, [*data, *fit.names], build)
    predictors = sorted(names_in(model) - set(fit.names))
    rows = spaced(fit.n, _MOST_PAIRS, fit.residuals)
    cases = [
        {"row": Quantity(int(i) + 1, Role.INDEX), "fitted": _value(fit.fitted[i]), "residual": float(fit.residuals[i])}
        for i in rows
    ]  # fmt: skip
    if len(predictors) != 1:
        reason = "the formula has several predictors, or none"
        return {"cases": cases, "curve": None, "undefined": {"curve": reason}}
    x = np.asarray(data[predictors[0]], dtype=np.float64)
    grid = np.linspace(x.min(), x.max(), _CURVE)
    values = {predictors[0]: grid, **dict(zip(fit.names, fit.parameters.tolist(), strict=True))}
    with np.errstate(all="ignore"):
        found = evaluate([model, *(build.derivative(model, name) for name in fit.names)], values)
    height, *slopes = (np.broadcast_to(v, grid.shape) for v in found)
    wide = _reach(fit, np.column_stack(slopes), alpha)
    curve = []
    for i, at in enumerate(grid.tolist()):
        if not math.isfinite(float(height[i])):
            continue
        row: dict[str, Any] = {"at": _value(at), "fitted": _value(height[i])}
        if wide is None or not math.isfinite(float(wide[i])):
            reason = "no standard errors" if wide is None else "the derivative does not exist here"
            row |= {
                "conf_low": None,
                "conf_high": None,
                "undefined": dict.fromkeys(("conf_low", "conf_high"), reason),
            }
        else:
            row |= {"conf_low": float(height[i] - wide[i]), "conf_high": float(height[i] + wide[i])}
        curve.append(row)
    return {"cases": cases, "predictor": predictors[0], "curve": curve}


def _reach(fit: NonlinearFit, slopes: Vector, alpha: float) -> Vector | None:
    if fit.unscaled_covariance is None or fit.resid_sd is None:
        return None
    with np.errstate(all="ignore"):
        spread = np.einsum("ij,jk,ik->i", slopes, fit.unscaled_covariance, slopes)
        out: Vector = t_isf(alpha / 2, fit.df_resid) * fit.resid_sd * np.sqrt(np.maximum(spread, 0.0))
    return out


def _value(value: Any) -> Quantity:
    return Quantity(float(value), Role.VALUE)


# A distribution ----------------------------------------------------------------------------------------------


def expected_counts(
    values: Vector, cdf: Callable[[Vector], Vector], support: tuple[float, float], *, whole: bool
) -> list[dict[str, Any]]:
    """How many values a distribution lets one expect in each interval of the histogram.

    `support` is where the distribution function may be evaluated; below it is 0, above it 1.
    """
    bins = histogram_numbers(values)["bins"]
    lows, highs = (np.array([float(b[key].value) for b in bins]) for key in ("low", "high"))

    def share(at: Vector) -> Vector:
        inside = np.clip(at, *support)
        with np.errstate(all="ignore"):
            found = np.where(at < support[0], 0.0, np.where(at > support[1], 1.0, cdf(inside)))
        return np.clip(found, 0.0, 1.0)

    ends = (
        (np.ceil(lows) - 1, np.ceil(highs) - 1) if whole else (lows, highs)
    )  # intervals are closed on the left
    expected = values.size * np.maximum(share(ends[1]) - share(ends[0]), 0.0)
    return [
        {"low": _value(low), "high": _value(high), "expected": Quantity(float(e), Role.VALUE)}
        for low, high, e in zip(lows, highs, expected, strict=True)
        if math.isfinite(float(e))
    ]


# A threshold -------------------------------------------------------------------------------------------------


def jump_numbers(y: Vector, x: Vector, threshold: float, h: float, alpha: float) -> dict[str, Any]:
    """On each side of a threshold the means of equally wide bins, and the local line with its robust band.

    The line is that of the leading fit: triangular weights up to the distance `h`.
    """
    run, out = Unit.of(x, centre=threshold), Unit.of(y)
    u, v = run.standard, out.standard
    near = math.ldexp(h, -run.exponent)
    weights = 1 - np.abs(u) / near
    rows = weights > 1e-12
    treated = (x >= threshold).astype(np.float64)

    def design(at: Vector, side: Any) -> Vector:
        d = np.broadcast_to(side, at.shape)
        return np.column_stack((np.ones(at.size), d, at / near, d * at / near))

    fit = least_squares(design(u[rows], treated[rows]), v[rows], weights[rows])
    covariance = fit.robust("HC1")
    reach = t_isf(alpha / 2, fit.df)
    result: dict[str, Any] = {}
    for side, mask, sign in (("below", x < threshold, 0.0), ("above", x >= threshold, 1.0)):
        inside = u[mask]
        far = max(float(inside.min()), -near) if not sign else min(float(inside.max()), near)
        grid = np.linspace(far, 0.0, _SIDE) if not sign else np.linspace(0.0, far, _SIDE)
        columns = design(grid, sign)
        heights = columns @ fit.beta
        errors = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", columns, covariance, columns), 0.0))
        line = [
            {
                "at": _value(threshold + math.ldexp(at, run.exponent)),
                "fitted": _value(out.mean + math.ldexp(height, out.exponent)),
                "conf_low": out.mean + math.ldexp(height - reach * error, out.exponent),
                "conf_high": out.mean + math.ldexp(height + reach * error, out.exponent),
            }
            for at, height, error in zip(grid.tolist(), heights.tolist(), errors.tolist(), strict=True)
        ]
        result[side] = {"bins": _bins(x[mask], y[mask], threshold, above=bool(sign)), "line": line}
    return result


def _bins(x: Vector, y: Vector, threshold: float, *, above: bool) -> list[dict[str, Any]]:
    """Means of equally wide bins that begin at the threshold: about the square root of the count, at most twenty."""
    count = max(2, min(_MOST_BINS, math.isqrt(x.size)))
    end = float(x.max() if above else x.min())
    width = abs(end - threshold) / count or 1.0
    place = np.minimum((np.abs(x - threshold) / width).astype(np.int64), count - 1)
    rows = []
    for k in range(count) if above else reversed(range(count)):
        chosen = place == k
        if chosen.any():
            rows.append(
                {
                    "n": int(chosen.sum()),
                    "mean_x": Quantity(float(x[chosen].mean()), Role.MEAN),
                    "mean_y": Quantity(float(y[chosen].mean()), Role.MEAN),
                }
            )
    return rows


# Covariates held constant ------------------------------------------------------------------------------------


def residual_pairs(x: Vector, y: Vector, basis: Vector, df: int, alpha: float) -> dict[str, Any]:
    """What covariates leave of x and of y, and the line through it: the slope of x in the model with them."""
    a, b = Unit.of(x), Unit.of(y)
    rest_x, rest_y = _left(a.standard, basis), _left(b.standard, basis)
    xx, scale = float(rest_x @ rest_x), b.exponent - a.exponent
    slope = float(rest_x @ rest_y) / xx
    error = math.sqrt(float(((rest_y - slope * rest_x) ** 2).sum()) / df / xx)
    reach = t_isf(alpha / 2, df) * error
    rows = spaced(x.size, _MOST_PAIRS, rest_x, rest_y)
    ends = (float(rest_x.min()), float(rest_x.max()))
    return {
        "slope": Quantity(math.ldexp(slope, scale), Role.COEFFICIENT),
        "std_error": math.ldexp(error, scale),
        "conf_low": math.ldexp(slope - reach, scale),
        "conf_high": math.ldexp(slope + reach, scale),
        "conf_level": 1 - alpha,
        "line": [
            {"at": _value(math.ldexp(end, a.exponent)), "fitted": _value(math.ldexp(slope * end, b.exponent))}
            for end in ends
        ],
        "points": [
            {
                "row": Quantity(int(i) + 1, Role.INDEX),
                "x_residual": Quantity(math.ldexp(float(rest_x[i]), a.exponent), Role.RESIDUAL),
                "y_residual": Quantity(math.ldexp(float(rest_y[i]), b.exponent), Role.RESIDUAL),
            }
            for i in rows
        ],
    }


def _left(values: Vector, basis: Vector) -> Vector:
    """The residuals on an orthonormal basis; the second pass removes what rounding left of the first."""
    for _ in range(2):
        values = values - basis @ (basis.T @ values)
    return values
