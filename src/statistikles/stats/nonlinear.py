"""Nonlinear regression: least-squares fit of a written formula, with standard errors and diagnostics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from statistikles.errors import NotDefined, StatistiklesError
from statistikles.registry.arguments import Alpha, FloatArray, NumberMap, Switch, TextKind, VectorMap
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Fit, Quantity, Role, Term
from statistikles.stats._distributions import t_isf, t_sf
from statistikles.stats._graph_models import curve_numbers
from statistikles.stats._nonlinear import NonlinearFit, nonlinear_least_squares
from statistikles.stats._normality import shapiro_wilk

__all__ = ["nonlinear_regression"]

declare_tool(
    "nonlinear_regression",
    title="Nonlinear regression",
    summary="Fits a formula with unknown parameters to data by least squares, from given starting values.",
)

Formula = Annotated[str, TextKind(max_length=4000)]
Start = Annotated[Mapping[str, float], NumberMap()]


@statistic(
    tool="nonlinear_regression",
    title="Nonlinear regression",
    use_when="a known curve (growth, decay, saturation) with unknown parameters is to be fitted to data",
    utterances=(
        "fit b1*(1-exp(-b2*x)) to the data",
        "fit an exponential decay",
        "estimate the Michaelis-Menten constants",
        "nonlinear least squares",
        "fit a growth curve",
    ),
    refs=(
        "Golub & Pereyra 1973, doi:10.1137/0710036",
        "Marquardt 1963, doi:10.1137/0111030",
        "Bates & Watts 1988, doi:10.1002/9780470316757",
    ),
    oracle="scipy.optimize:curve_fit",
    formula="b̂ = argmin Σ (y − f(x; b))²; standard errors from s²(J'J)⁻¹",
    equivalents={
        "R": "nls(y ~ b1 * (1 - exp(-b2 * x)), data, start = list(b1 = 240, b2 = 5e-4))",
        "Python": "scipy.optimize.curve_fit(f, x, y, p0)",
    },
    example={
        "formula": "vm*x/(k+x)",
        "data": {
            "x": [0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1, 1.1],
            "rate": [76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200],
        },
        "response": "rate",
        "start": {"vm": 200, "k": 0.05},
    },
    aligned=(("data",),),
)
def nonlinear_regression(
    formula: Formula,
    data: VectorMap,
    response: Formula,
    start: Start,
    *,
    alpha: Alpha = 0.05,
    decimal: Switch = False,
    graph: Switch = False,
) -> Fit:
    """Least-squares fit of a formula; its parameters are the names in `start`.

    Parameters
    ----------
    formula : the curve, such as "b1*(1-exp(-b2*x))", of columns of data and parameters: + - * / **,
        exp log sqrt sin cos tan atan, pi. It is parsed, never run as code.
    data : named columns of equal length.
    response : the column to be fitted, or a formula of columns such as "log(y)".
    start : a starting value for every parameter.
    alpha : intervals have confidence 1 - alpha.
    decimal : read every double as the decimal it prints as.
    graph : list what a picture of the fit needs: the curve with its band where there is one predictor, the residuals.

    Returns
    -------
    Fit : one term per parameter, residual standard error, R2 about the mean, information criteria.

    Raises
    ------
    InputError : a formula that cannot be read, unknown names, unusable starting values.
    NotDefined : no convergence, or parameters that the data cannot tell apart.
    """
    try:
        fit = nonlinear_least_squares(formula, data, response, start, decimal=decimal)
    except np.linalg.LinAlgError as error:
        raise NotDefined(
            "The parameters cannot be told apart by these data: their derivatives are linearly dependent.",
            hint="Use fewer parameters, other starting values, or data that cover the curve.",
            where="formula",
            code="singular",
        ) from error
    undefined: dict[str, str] = {}
    if fit.resid_sd is None:
        undefined["residual_std_error"] = "no residual degrees of freedom"
    r2 = 1 - fit.rss / fit.tss if fit.tss > 0 else None
    if r2 is None:
        undefined["r_squared"] = "the response does not vary"
    likelihood = None
    if fit.rss > 0 and not fit.exact_fit:
        likelihood = -fit.n / 2 * (math.log(2 * math.pi) + math.log(fit.rss / fit.n) + 1)
    else:
        reason = "the residuals are zero, so it is unbounded"
        undefined |= dict.fromkeys(("log_likelihood", "aic", "bic"), reason)
    count = len(fit.names) + 1
    return Fit(
        method=f"Nonlinear least squares: {response} = {formula}",
        terms=_terms(fit, alpha),
        df_error=fit.df_resid,
        alpha=alpha,
        conf_level=1 - alpha,
        r_squared=r2,
        residual_std_error=fit.resid_sd,
        log_likelihood=likelihood,
        aic=None if likelihood is None else 2 * count - 2 * likelihood,
        bic=None if likelihood is None else count * math.log(fit.n) - 2 * likelihood,
        n=fit.n,
        details={
            "sum_sq_residual": Quantity(fit.rss, Role.SUM_OF_SQUARES),
            "sum_sq_total": Quantity(fit.tss, Role.SUM_OF_SQUARES),
            "converged": True,
            "n_iterations": Quantity(fit.iterations + fit.polish_steps, Role.COUNT),
            "computed_by": f"{fit.strategy}, double-double polish",
            "linear_parameters": list(fit.linear_parameters),
            **({"graph": curve_numbers(fit, formula, data, alpha)} if graph else {}),
        },
        diagnostics=_diagnostics(fit),
        undefined=undefined,
        conventions=(
            "standard errors, t tests and intervals are those of the linear approximation at the solution",
            "r_squared is 1 − RSS/TSS about the mean: a description only, it may be negative for a poor curve",
            "AIC and BIC count the error variance as a parameter (as R does)",
            *(("each double is read as the decimal it prints as",) if decimal else ()),
        ),
        warnings=(*fit.notes, *_cautions(fit)),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _terms(fit: NonlinearFit, alpha: float) -> dict[str, Term]:
    reach = t_isf(alpha / 2, fit.df_resid) if fit.df_resid > 0 else 0.0
    out = {}
    for j, name in enumerate(fit.names):
        b = float(fit.parameters[j])
        if fit.std_errors is None:
            names = ("std_error", "statistic", "p_value", "conf_low", "conf_high")
            out[name] = Term(estimate=b, undefined=dict.fromkeys(names, "no residual degrees of freedom"))
            continue
        error = float(fit.std_errors[j])
        shared: dict[str, Any] = {
            "estimate": b,
            "std_error": error,
            "df": fit.df_resid,
            "conf_low": b - reach * error,
            "conf_high": b + reach * error,
        }
        if error == 0.0:
            reason = "the fit is exact, so its standard error is zero"
            out[name] = Term(**shared, undefined={"statistic": reason, "p_value": reason})
        else:
            t = b / error
            out[name] = Term(**shared, statistic=t, p_value=2 * t_sf(abs(t), fit.df_resid))
    return out


def _diagnostics(fit: NonlinearFit) -> dict[str, Any]:
    return {
        "residual_normality": _normality(fit.residuals, exact=fit.exact_fit or fit.df_resid < 1),
        "leverage_max": Quantity(float(fit.leverage.max()), Role.WEIGHT),
        "leverage_max_row": Quantity(int(np.argmax(fit.leverage)) + 1, Role.INDEX),
        "condition_number": Quantity(fit.condition, Role.RATIO),
    }


def _normality(residuals: FloatArray, *, exact: bool) -> dict[str, Any]:
    method = "Shapiro-Wilk"
    reason = "the fit is exact: there are no residuals to examine" if exact else ""
    if not reason:
        try:
            w, p = shapiro_wilk(residuals)
        except StatistiklesError as error:
            reason = error.message
        else:
            return {"statistic": w, "p_value": p, "method": method}
    names = ("statistic", "p_value")
    return {**dict.fromkeys(names), "method": method, "undefined": dict.fromkeys(names, reason)}


def _cautions(fit: NonlinearFit) -> tuple[str, ...]:
    if fit.condition > 1e7:
        return (
            f"The parameters are nearly confounded (condition {fit.condition:.1e}): their errors are highly correlated.",
        )
    return ()
