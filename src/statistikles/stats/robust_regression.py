"""Huber location and regression, and regression by random sample consensus."""

from __future__ import annotations

import math
from itertools import combinations
from math import comb
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    ColumnSet,
    FloatArray,
    NameList,
    Positive,
    ScalarNumber,
    Seed,
    Vector,
)
from statistikles.registry.declare import statistic
from statistikles.results import Estimate, Fit, Quantity, Result, Role, Term
from statistikles.stats._columns import column_names, refuse_constant, standard_columns
from statistikles.stats._distributions import norm_isf, p_normal, p_t, t_isf
from statistikles.stats._least_squares import LinearFit, linear_least_squares
from statistikles.stats._m_estimate import MAD_FACTOR, huber_location, huber_regression, sandwich_factor
from statistikles.stats._numerics import moments, quantile

__all__ = ["huber_estimate", "ransac_regression"]

_LIST_LIMIT = 10_000
_EXHAUSTIVE = 5000

Values = Annotated[FloatArray, Vector(min_n=3)]
Response = Annotated[FloatArray, Vector(min_n=4)]
Predictors = Annotated[FloatArray, ColumnSet(min_n=4)]
PredictorNames = Annotated[tuple[str, ...], NameList(of=("x",))]
Tuning = Annotated[float, ScalarNumber(low=0.0, high=20.0, open_low=True, limit=True)]
Trials = Annotated[int, ScalarNumber(low=1.0, high=100_000.0, whole=True, limit=True)]


@statistic(
    tool="robust_stats",
    subtype="huber",
    title="Huber M-estimate",
    use_when="a mean, or a regression line, is wanted that a few outlying values cannot pull away",
    utterances=(
        "robust mean",
        "Huber estimate of location",
        "robust regression with outliers",
        "M-estimator",
        "average that resists outliers",
    ),
    refs=(
        "Huber 1964, doi:10.1214/aoms/1177703732",
        "Huber 1981, Robust Statistics",
    ),
    formula="Σ ψ((x − m)/s) = 0 with ψ(u) = max(−k, min(k, u)), s = 1.4826 · MAD",
    equivalents={
        "R": "MASS::huber(x, k = 1.345); MASS::rlm(y ~ x, k = 1.345)",
        "Python": "statsmodels.api.RLM(y, X, statsmodels.api.robust.norms.HuberT(1.345)).fit()",
    },
    example={"data": [4.1, 3.9, 4.4, 4.0, 4.2, 4.3, 3.8, 4.1, 9.7]},
    aligned=(("x", "y"),),
)
def huber_estimate(
    data: Values | None = None,
    *,
    x: Predictors | None = None,
    y: Response | None = None,
    k: Tuning = 1.345,
    var_names: PredictorNames | None = None,
    alpha: Alpha = 0.05,
) -> Result:
    """Huber's estimate of location of `data`, or, when x and y are given, the robust regression of y on x.

    Parameters
    ----------
    data : the values whose location is wanted.
    x : predictors of the regression, a list of columns.
    y : the response of the regression.
    k : tuning constant in units of the scale; 1.345 keeps 95% efficiency for normal data.
    var_names : names of the predictors in the result.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Estimate or Fit : the location with its interval, or the regression.

    Raises
    ------
    InputError : neither data nor both x and y, or all of them.
    NotDefined : the MAD scale is 0, because at least half of the values (or residuals) are equal.
    """
    regression = x is not None and y is not None
    if (data is None) == (not regression) or (data is not None and (x is not None or y is not None)):
        raise InputError(
            "Give either data (for a location), or both x and y (for a regression).",
            hint="Send data: [...] or x: [...] and y: [...].",
            where="data",
            code="missing_argument",
        )
    if data is not None:
        return _location(data, k, alpha)
    if x is None or y is None:  # excluded above
        raise InputError("Give both x and y.", where="x", code="missing_argument")
    return _regression(x, y, k, column_names(var_names, x.shape[1], reserved=("intercept",)), alpha)


def _location(data: FloatArray, k: float, alpha: float) -> Estimate:
    power = int(np.frexp(np.abs(data).max())[1])
    z = np.ldexp(data, -power)
    centre, scale, iterations = huber_location(z, k)
    error = sandwich_factor(z - centre, scale, k, 1) / math.sqrt(z.size)
    reach = norm_isf(alpha / 2) * error
    outside = np.abs(z - centre) > k * scale
    m = moments(data)
    return Estimate(
        method="Huber M-estimate of location with fixed MAD scale",
        name="Huber location",
        estimate=math.ldexp(centre, power),
        std_error=math.ldexp(error, power),
        conf_low=math.ldexp(centre - reach, power),
        conf_high=math.ldexp(centre + reach, power),
        conf_level=1 - alpha,
        conf_method="asymptotic normal",
        n=int(data.size),
        also={
            "scale": Quantity(math.ldexp(scale, power), Role.STD_DEV),
            "mad": Quantity(math.ldexp(scale / MAD_FACTOR, power), Role.STD_DEV),
            "k": Quantity(k, Role.PARAMETER),
            "mean": Quantity(m.mean, Role.MEAN),
            "median": Quantity(quantile(data, 0.5), Role.MEDIAN),
            "n_limited": Quantity(int(outside.sum()), Role.COUNT),
            "n_iterations": Quantity(iterations, Role.COUNT),
        },
        conventions=(
            "scale is the MAD about the median times 1.4826, not re-estimated",
            "standard error by Huber's asymptotic formula with his correction factor",
        ),
    )


def _regression(x: FloatArray, y: FloatArray, k: float, names: tuple[str, ...], alpha: float) -> Fit:
    n, p = x.shape
    _refuse_few(n, p + 2, p)
    refuse_constant(x, names, "The robust regression")
    z, centre, unit = standard_columns(x)
    power = int(np.frexp(np.abs(y).max())[1])
    u = np.ldexp(y, -power)
    plain = linear_least_squares(z, u, names=names)  # refuses collinear predictors by name
    design = np.column_stack((np.ones(n), z))
    fit = huber_regression(design, u, k)
    back = np.diag(np.concatenate(([1.0], 1 / unit)))
    back[0, 1:] = -centre / unit
    rows, size = back / np.abs(back).max(axis=1, keepdims=True), np.abs(back).max(axis=1)
    unscaled = np.linalg.inv(design.T @ design)
    factor = sandwich_factor(fit.residuals, fit.scale, k, p + 1)
    errors = factor * np.sqrt(np.einsum("ij,jk,ik->i", rows, unscaled, rows)) * size
    labels = ("intercept", *names)
    estimates = np.ldexp(back @ fit.coefficients, power).tolist()
    limited = fit.weights < 1.0
    listed = n <= _LIST_LIMIT
    return Fit(
        method="Huber M-regression, iteratively reweighted least squares with re-estimated MAD scale",
        terms={
            name: _wald(b, e, alpha)
            for name, b, e in zip(labels, estimates, np.ldexp(errors, power).tolist(), strict=True)
        },
        alpha=alpha,
        conf_level=1 - alpha,
        residual_std_error=math.ldexp(fit.scale, power),
        n=n,
        details={
            "k": Quantity(k, Role.PARAMETER),
            "n_limited": Quantity(int(limited.sum()), Role.COUNT),
            "weights": Quantity(fit.weights.tolist(), Role.WEIGHT) if listed else None,
            "n_iterations": Quantity(fit.iterations, Role.COUNT),
            "converged": True,
            **({} if listed else {"undefined": {"weights": f"not listed for more than {_LIST_LIMIT} rows"}}),
        },
        also={"least_squares": _plain_terms(labels, np.ldexp(back @ plain.coefficients, power))},
        conventions=(
            "scale is the MAD of the residuals about 0 times 1.4826, re-estimated at every step",
            "standard errors by Huber's formula as in MASS::rlm; z tests from the asymptotic normal distribution",
        ),
        warnings=("The scale was frozen to reach convergence.",) if fit.scale_frozen else (),
    )


def _wald(b: float, error: float, alpha: float) -> Term:
    reach = norm_isf(alpha / 2) * error
    return Term(
        estimate=b,
        std_error=error,
        statistic=b / error,
        p_value=p_normal(b / error),
        conf_low=b - reach,
        conf_high=b + reach,
    )


def _plain_terms(names: tuple[str, ...], coefficients: FloatArray) -> dict[str, Any]:
    return {
        "method": "ordinary least squares on all rows",
        "coefficients": Quantity(dict(zip(names, coefficients.tolist(), strict=True)), Role.COEFFICIENT),
    }


def _refuse_few(n: int, least: int, p: int) -> None:
    if n < least:
        raise InputError(
            f"{n} rows are too few for {p} predictor{'s' if p != 1 else ''}; at least {least} are needed.",
            hint="Use fewer predictors or more rows.",
            where="y",
            code="too_few_values",
        )


# Random sample consensus -----------------------------------------------------------------------------------


@statistic(
    tool="robust_stats",
    subtype="ransac",
    title="Random sample consensus regression",
    use_when="a line is to be fitted to the majority of rows although many others do not belong to it",
    utterances=(
        "fit a line ignoring gross outliers",
        "RANSAC regression",
        "which points are inliers of the line",
        "random sample consensus",
    ),
    refs=(
        "Fischler & Bolles 1981, doi:10.1145/358669.358692",
        "Rousseeuw 1984, doi:10.1080/01621459.1984.10477105",
    ),
    laws=(),
    oracle="sklearn.linear_model:RANSACRegressor",
    formula="the elemental fit with most |y − b0 − b1·x| ≤ threshold; then least squares on those rows",
    equivalents={
        "R": "lm(y ~ x, subset = inliers)",
        "Python": "sklearn.linear_model.RANSACRegressor(residual_threshold=t, random_state=0).fit(x, y)",
    },
    example={
        "x": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        "y": [2.1, 3.9, 6.2, 7.8, 10.1, 30.0, 14.2, 15.9, -5.0, 20.1],
    },
    aligned=(("x", "y"),),
)
def ransac_regression(
    x: Predictors,
    y: Response,
    *,
    threshold: Positive | None = None,
    n_trials: Trials = 1000,
    var_names: PredictorNames | None = None,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
) -> Fit:
    """Regression on the largest set of rows that agree with one plane; the plane is refitted on those rows.

    Parameters
    ----------
    x : predictors, a list of columns.
    y : the response.
    threshold : largest residual of an inlier; 2.5 robust standard deviations (least median of squares) when absent.
    n_trials : number of random subsets tried; all subsets when they are few.
    var_names : names of the predictors in the result.
    alpha : significance level; intervals have confidence 1 - alpha.
    seed : seed of the random subsets.

    Returns
    -------
    Fit : the least-squares fit on the inliers; the inlier mask in `details`.

    Raises
    ------
    InputError : too few rows.
    NotDefined : no subset determines a plane, or too few rows agree with the best one.
    """
    n, p = x.shape
    names = column_names(var_names, p, reserved=("intercept",))
    _refuse_few(n, p + 3, p)
    refuse_constant(x, names, "RANSAC")
    power = int(np.frexp(np.abs(y).max())[1])
    u = np.ldexp(y, -power)
    z, _, _ = standard_columns(x)
    planes = _elemental_fits(np.column_stack((np.ones(n), z)), u, n_trials, seed)
    if not planes.size:
        raise NotDefined(
            "RANSAC found no subset of rows that determines a plane.",
            hint="The predictors may be collinear, or take too few values.",
            where="x",
            code="singular",
        )
    limit = _default_threshold(planes, z, u) if threshold is None else math.ldexp(threshold, -power)
    inliers = _consensus(planes, z, u, limit)
    chosen = np.flatnonzero(inliers)
    if chosen.size < p + 2:
        raise NotDefined(
            f"Only {chosen.size} rows agree with the best plane; a fit needs {p + 2}.",
            hint="Use a larger threshold.",
            where="threshold",
            code="no_consensus",
        )
    fit = linear_least_squares(x[chosen], y[chosen], names=names)
    plain = linear_least_squares(x, y, names=names)
    return Fit(
        method="Random sample consensus (RANSAC) regression, refitted by least squares on the inliers",
        terms=_terms(fit, alpha),
        alpha=alpha,
        conf_level=1 - alpha,
        r_squared=fit.r2,
        residual_std_error=fit.resid_sd,
        n=n,
        seed=seed,
        details={
            **_membership(inliers),
            "threshold": Quantity(math.ldexp(limit, power), Role.PARAMETER),
            "n_trials": Quantity(int(planes.shape[0]), Role.COUNT),
        },
        also={"least_squares": _plain_terms(plain.names, plain.coefficients)},
        conventions=(
            "the default threshold is 2.5 robust standard deviations from the least median of squares",
            "among planes with equally many inliers the one with the smallest sum of squares wins",
            "indices count the complete rows from 0",
            "standard errors treat the inliers as if they had been known beforehand",
        ),
        undefined={"r_squared": "the inliers do not vary in y"} if fit.r2 is None else {},
        warnings=_ransac_cautions(n, int(chosen.size), fit.exact_fit),
    )


def _membership(inliers: FloatArray) -> dict[str, Any]:
    kept, n = int(inliers.sum()), inliers.size
    counts: dict[str, Any] = {
        "n_inliers": Quantity(kept, Role.COUNT),
        "n_outliers": Quantity(n - kept, Role.COUNT),
    }
    keys = ("outlier_indices", "inlier_mask")
    if n > _LIST_LIMIT:
        reason = f"not listed for more than {_LIST_LIMIT} rows"
        return {**counts, **dict.fromkeys(keys), "undefined": dict.fromkeys(keys, reason)}
    outside = Quantity(np.flatnonzero(np.logical_not(inliers)).tolist(), Role.INDEX)
    return {**counts, "outlier_indices": outside, "inlier_mask": inliers.tolist()}


def _ransac_cautions(n: int, kept: int, exact: bool) -> tuple[str, ...]:
    said = []
    if kept < 0.5 * n:
        said.append(f"Only {kept} of {n} rows agree with the plane: there may be no majority pattern.")
    if exact:
        said.append("The inliers lie on the plane exactly: standard errors and tests are undefined.")
    return tuple(said)


def _elemental_fits(design: FloatArray, u: FloatArray, trials: int, seed: int) -> FloatArray:
    """Coefficients of the planes through subsets of as many rows as coefficients."""
    n, q = design.shape
    if comb(n, q) <= _EXHAUSTIVE:
        subsets = np.array(list(combinations(range(n), q)))
    else:
        rng = np.random.default_rng(seed)
        subsets = np.array([rng.choice(n, q, replace=False) for _ in range(trials)])
    matrices = design[subsets]
    usable = np.abs(np.linalg.det(matrices)) > 1e-10
    if not usable.any():
        return np.zeros((0, q))
    out: FloatArray = np.linalg.solve(matrices[usable], u[subsets[usable]][..., None])[..., 0]
    return out


def _residuals(planes: FloatArray, z: FloatArray, u: FloatArray) -> FloatArray:
    out: FloatArray = np.abs(u - (planes[:, :1] + planes[:, 1:] @ z.T))
    return out


def _chunks(planes: FloatArray, n: int) -> list[FloatArray]:
    size = max(1, 2_000_000 // n)
    return [planes[i : i + size] for i in range(0, planes.shape[0], size)]


def _default_threshold(planes: FloatArray, z: FloatArray, u: FloatArray) -> float:
    """2.5 times the robust standard deviation of Rousseeuw's least median of squares."""
    n, q = z.shape[0], planes.shape[1]
    h = (n + q + 1) // 2
    middle = [np.partition(_residuals(part, z, u), h - 1, axis=1)[:, h - 1] for part in _chunks(planes, n)]
    best = min(float(m.min()) for m in middle)
    scale = MAD_FACTOR * (1 + 5 / (n - q)) * best
    # Rows that lie on the plane up to rounding are its inliers even when the scale is 0.
    return float(max(2.5 * scale, 1e-10 * float(np.abs(u).max())))


def _consensus(planes: FloatArray, z: FloatArray, u: FloatArray, limit: float) -> Any:
    """Inliers of the plane with most of them; the least sum of squares decides between equals."""
    best: tuple[int, float] = (-1, 0.0)
    mask = np.zeros(z.shape[0], dtype=bool)
    for part in _chunks(planes, z.shape[0]):
        distance = _residuals(part, z, u)
        inside = distance <= limit
        counts = inside.sum(axis=1)
        squares = np.sum(np.where(inside, distance, 0.0) ** 2, axis=1)
        lead = int(np.lexsort((squares, -counts))[0])
        key = (int(counts[lead]), -float(squares[lead]))
        if key > best:
            best, mask = key, inside[lead]
    return mask


def _terms(fit: LinearFit, alpha: float) -> dict[str, Term]:
    out = {}
    for i, name in enumerate(fit.names):
        b = float(fit.coefficients[i])
        error = None if fit.std_errors is None or fit.exact_fit else float(fit.std_errors[i])
        if error is None or not error > 0.0 or fit.df_resid < 1:
            keys = ("std_error", "statistic", "p_value", "conf_low", "conf_high")
            out[name] = Term(
                estimate=b, undefined=dict.fromkeys(keys, "the inliers lie on the plane exactly")
            )
            continue
        reach = t_isf(alpha / 2, fit.df_resid) * error
        out[name] = Term(
            estimate=b,
            std_error=error,
            statistic=b / error,
            df=fit.df_resid,
            p_value=p_t(b / error, fit.df_resid),
            conf_low=b - reach,
            conf_high=b + reach,
        )
    return out
