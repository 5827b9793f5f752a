"""Path analysis: recursive systems of regressions with covariance fit, indirect effects and bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, FloatArray, Replicates, Seed, StructureKind, VectorMap
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Fit, Term
from statistikles.stats._distributions import norm_isf, p_normal, p_t
from statistikles.stats._fit_indices import fit_indices, srmr
from statistikles.stats._moment_matrix import Unit, correlation_of, require_finite
from statistikles.stats._numerics import quantiles
from statistikles.stats._path_model import (
    PathFit,
    PathModel,
    bootstrap_coefficients,
    fit_path_model,
    read_model,
)

__all__ = ["path_analysis"]

_FAILED = 0.1  # share of degenerate resamples above which bootstrap intervals are withheld

declare_tool(
    "path_analysis",
    title="Path analysis",
    summary="Several regressions at once along a causal diagram: path coefficients, fit, direct and indirect effects.",
)


@dataclass(frozen=True)
class _Units:
    """Mean, and SD with divisor n as factor times a power of two, of every variable of the model."""

    means: tuple[float, ...]
    sizes: tuple[float, ...]
    exponents: tuple[int, ...]

    def ratio(self, y: int, x: int) -> float:
        """SD of y over SD of x: what turns a standardised coefficient of x on y into units of the data."""
        return math.ldexp(self.sizes[y] / self.sizes[x], self.exponents[y] - self.exponents[x])


@statistic(
    tool="path_analysis",
    title="Path analysis",
    use_when="variables influence each other along an assumed causal diagram without feedback",
    utterances=(
        "path analysis of a mediation model",
        "indirect effect of x on y through m",
        "mediation with bootstrap interval",
        "direct and indirect effects",
        "fit of the path model",
    ),
    refs=(
        "Wright 1934, The method of path coefficients",
        "Sobel 1982, doi:10.2307/270723",
        "Hu & Bentler 1999, doi:10.1080/10705519909540118",
    ),
    formula="y = By + Γx + ζ; F = log|Σ(θ)| + tr(SΣ(θ)⁻¹) − log|S| − p; χ² = nF",
    equivalents={
        "R": 'lavaan::sem("M ~ X\\nY ~ X + M", data)',
        "Python": "semopy.Model('M ~ X\\nY ~ X + M').fit(data)",
    },
    example={
        "data": {
            "X": [1.0, 2.1, 2.9, 4.2, 5.1, 5.8, 7.2, 8.1, 8.8, 10.1, 3.3, 6.4],
            "M": [2.2, 2.7, 4.4, 4.1, 6.3, 5.9, 7.1, 9.2, 8.7, 10.9, 3.1, 7.5],
            "Y": [3.1, 4.9, 5.2, 6.8, 7.0, 9.1, 9.6, 11.5, 12.2, 13.1, 5.5, 8.3],
        },
        "model_spec": [["M", ["X"]], ["Y", ["M"]]],
        "n_reps": 200,
    },
    aligned=(("data",),),
)
def path_analysis(
    data: VectorMap,
    model_spec: Annotated[Any, StructureKind()],
    *,
    n_reps: Replicates = 1000,
    seed: Seed = 0,
    alpha: Alpha = 0.05,
) -> Fit:
    """Recursive path model by maximum likelihood: coefficients, covariance fit, indirect effects with intervals.

    Parameters
    ----------
    data : {name: column}; rows with a missing value in any column are left out.
    model_spec : equations [["Y", ["X1", "X2"]], ...], or texts "Y ~ X1 + X2"; feedback is refused.
    n_reps : bootstrap resamples for the intervals of indirect effects.
    seed : seed of the bootstrap.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Fit : one term per path ("Y ~ X"); equations, fit indices and effects under `details`.

    Raises
    ------
    InputError : unknown names, a cycle, or too few rows.
    NotDefined : a constant variable, or variables that determine each other.
    """
    model = read_model(model_spec, tuple(data))
    z, units = _standardise(model, data)
    n, p = z.shape
    if n <= p:
        raise InputError(
            f"{n} complete rows are too few for {p} variables; at least {p + 1} are needed.",
            hint="Use fewer variables or more rows.",
            where="data",
            code="too_few_values",
        )
    fit = fit_path_model(model, correlation_of(z))
    index = _fit(fit, n)
    draws, failed = bootstrap_coefficients(model, z, n_reps, seed)
    paths = model.paths()
    details = {
        "equations": _equations(fit, units),
        "fit": index,
        "indirect_effects": _indirect(fit, units, paths, draws, n, alpha, failed / n_reps),
        "total_effects": _totals(fit, units, paths, draws, n, alpha, failed / n_reps),
        "bootstrap": {"n_reps": n_reps, "n_failed": failed},
    }
    least = {_name(model, e): _least_squares(fit, units, e, n) for e in model.edges}
    require_finite((details, least))
    undefined = (
        {"p_value": "the model is saturated: no degrees of freedom are left"} if index["df"] == 0 else {}
    )
    return Fit(
        method="Path analysis (recursive model, maximum likelihood)",
        seed=seed,
        terms={_name(model, e): _term(fit, units, e, n, alpha) for e in model.edges},
        statistic_name="χ²",
        statistic=index["chi_square"],
        df=index["df"],
        p_value=index.get("p_value"),
        undefined=undefined,
        alpha=alpha,
        conf_level=1 - alpha,
        n=n,
        details=details,
        also={"least_squares": least},
        conventions=(
            "errors of different equations are unrelated, so maximum likelihood is least squares per equation",
            "standard errors with divisor n and z tests lead; least-squares t tests beside",
            "exogenous variables are taken as they are (fixed); chi-square is n times the discrepancy",
            "indirect effects: delta method (z) and percentile bootstrap over rows",
        ),
        warnings=_cautions(n, len(model.edges), failed, n_reps),
    )


def _standardise(model: PathModel, data: Mapping[str, FloatArray]) -> tuple[FloatArray, _Units]:
    columns, means, sizes, exponents = [], [], [], []
    for name in model.variables:
        values = data[name]
        if values.size < 3:
            raise InputError(f"{values.size} complete rows are too few.", where="data", code="too_few_values")
        if float(values.min()) == float(values.max()):
            raise NotDefined(
                f"'{name}' does not vary.",
                hint="Leave it out of the model.",
                where="data",
                code="zero_variance",
            )
        unit = Unit.of(values)
        v = unit.standard - unit.standard.mean()
        size = math.sqrt(float(v @ v) / v.size)
        columns.append(v / size)
        means.append(unit.mean)
        sizes.append(size)
        exponents.append(unit.exponent)
    return np.column_stack(columns), _Units(tuple(means), tuple(sizes), tuple(exponents))


def _name(model: PathModel, edge: tuple[int, int]) -> str:
    return f"{model.variables[edge[0]]} ~ {model.variables[edge[1]]}"


def _z(estimate: float, error: float, alpha: float) -> dict[str, Any]:
    """Estimate, standard error, z test and interval; without an error the test is undefined."""
    if not error > 0:
        keys = ("statistic", "p_value")
        reason = "its standard error is zero"
        return {
            "estimate": estimate,
            "std_error": 0.0,
            **dict.fromkeys(keys),
            "undefined": dict.fromkeys(keys, reason),
        }
    reach = norm_isf(alpha / 2) * error
    return {
        "estimate": estimate,
        "std_error": error,
        "statistic": estimate / error,
        "p_value": p_normal(estimate / error),
        "conf_low": estimate - reach,
        "conf_high": estimate + reach,
    }


def _term(fit: PathFit, units: _Units, edge: tuple[int, int], n: int, alpha: float) -> Term:
    at = fit.model.edges.index(edge)
    beta, factor = float(fit.coefficients[edge]), units.ratio(*edge)
    error = math.sqrt(float(fit.covariance[at, at]) / n)
    return Term(**_z(beta * factor, error * factor, alpha), standardized=beta)


def _least_squares(fit: PathFit, units: _Units, edge: tuple[int, int], n: int) -> dict[str, Any]:
    """The t test of ordinary least squares: the same coefficient, divisor n − k − 1."""
    df = n - len(fit.model.parents[edge[0]]) - 1
    at = fit.model.edges.index(edge)
    error = math.sqrt(float(fit.covariance[at, at]) / df)
    t = float(fit.coefficients[edge]) / error
    return {"std_error": error * units.ratio(*edge), "statistic": t, "df": df, "p_value": p_t(t, df)}


def _equations(fit: PathFit, units: _Units) -> dict[str, Any]:
    out = {}
    for y, xs in fit.model.parents.items():
        slopes = [float(fit.coefficients[y, x]) * units.ratio(y, x) for x in xs]
        sd = math.ldexp(units.sizes[y], units.exponents[y])
        out[fit.model.variables[y]] = {
            "r_squared": 1 - float(fit.residual[y]),
            "residual_sd": sd * math.sqrt(float(fit.residual[y])),
            "intercept": units.means[y]
            - math.fsum(b * units.means[x] for b, x in zip(slopes, xs, strict=True)),
            "n_predictors": len(xs),
        }
    return out


def _fit(fit: PathFit, n: int) -> dict[str, Any]:
    p, q = len(fit.model.variables), fit.model.n_exogenous
    moments = p * (p + 1) // 2 - q * (q + 1) // 2
    df = moments - len(fit.model.edges) - (p - q)
    chi2 = n * fit.discrepancy if df else 0.0
    return fit_indices(
        chi2, df, n * fit.baseline, moments - (p - q), n, srmr(fit.correlation, fit.implied) if df else 0.0
    )


def _along(model: PathModel, draws: FloatArray, path: tuple[int, ...]) -> FloatArray:
    """The product of coefficients along a path in every resample (standardised units of the sample)."""
    edges = model.edges
    columns = [edges.index((b, a)) for a, b in pairwise(path)]
    out: FloatArray = draws[:, columns].prod(axis=1)
    return out


def _bootstrap(values: FloatArray, factor: float, alpha: float, failed: float) -> dict[str, Any]:
    keys = ("boot_conf_low", "boot_conf_high", "boot_std_error")
    if failed > _FAILED or len(values) < 2:
        return dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, "too many resamples were degenerate")}
    low, high = quantiles(values, (alpha / 2, 1 - alpha / 2))
    return dict(zip(keys, (low * factor, high * factor, float(values.std(ddof=1)) * factor), strict=True))


def _effect(
    fit: PathFit, units: _Units, ends: tuple[int, int], beta: float, slopes: FloatArray, n: int, alpha: float
) -> dict[str, Any]:
    """An indirect effect in the units of the data, by the delta method."""
    y, x = ends
    error = math.sqrt(max(0.0, float(slopes @ fit.covariance @ slopes)) / n)
    factor = units.ratio(y, x)
    return {**_z(beta * factor, error * factor, alpha), "standardized": beta}


def _merged(*parts: dict[str, Any]) -> dict[str, Any]:
    """Parts side by side, their reasons together."""
    out: dict[str, Any] = {}
    reasons: dict[str, str] = {}
    for part in parts:
        reasons |= part.get("undefined", {})
        out |= {k: v for k, v in part.items() if k != "undefined"}
    return out | ({"undefined": reasons} if reasons else {})


def _indirect(
    fit: PathFit,
    units: _Units,
    paths: list[tuple[int, ...]],
    draws: FloatArray,
    n: int,
    alpha: float,
    failed: float,
) -> dict[str, Any]:
    """Every indirect path: the product of its coefficients."""
    out = {}
    for path in paths:
        steps = [float(fit.coefficients[b, a]) for a, b in pairwise(path)]
        ends = (path[-1], path[0])
        name = " -> ".join(fit.model.variables[v] for v in path)
        own = _effect(fit, units, ends, math.prod(steps), fit.path_slopes(path), n, alpha)
        out[name] = _merged(
            own, _bootstrap(_along(fit.model, draws, path), units.ratio(*ends), alpha, failed)
        )
    return out


def _totals(
    fit: PathFit,
    units: _Units,
    paths: list[tuple[int, ...]],
    draws: FloatArray,
    n: int,
    alpha: float,
    failed: float,
) -> dict[str, Any]:
    """Direct, total indirect and total effect of every pair that an indirect path joins."""
    out: dict[str, Any] = {}
    total = fit.total
    for x, y in dict.fromkeys((path[0], path[-1]) for path in paths):
        direct = float(fit.coefficients[y, x])
        slopes = fit.indirect_slopes(y, x)
        both = slopes + np.array([float(e == (y, x)) for e in fit.model.edges])
        indirect = float(total[y, x]) - direct
        values = np.sum(
            [_along(fit.model, draws, path) for path in paths if (path[0], path[-1]) == (x, y)], axis=0
        )
        factor = units.ratio(y, x)
        out[f"{fit.model.variables[x]} -> {fit.model.variables[y]}"] = {
            "direct": direct * factor,
            "indirect": _merged(
                _effect(fit, units, (y, x), indirect, slopes, n, alpha),
                _bootstrap(values, factor, alpha, failed),
            ),
            "total": _effect(fit, units, (y, x), float(total[y, x]), both, n, alpha),
        }
    return out


def _cautions(n: int, paths: int, failed: int, reps: int) -> tuple[str, ...]:
    out = []
    if n < 10 * paths:
        out.append("Fewer than ten rows per path: the large-sample tests are rough.")
    if failed:
        out.append(f"{failed} of {reps} resamples were degenerate and left out of the bootstrap intervals.")
    return tuple(out)
