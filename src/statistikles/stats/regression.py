"""Linear regression: simple, multiple and polynomial least squares with tests, intervals and diagnostics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Columns,
    ColumnSet,
    FloatArray,
    NameList,
    Sample,
    ScalarNumber,
    Seed,
    Switch,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.registry.summaries import Summary
from statistikles.results import EffectSize, Fit, Quantity, Role, Term
from statistikles.stats._distributions import f_sf, t_isf, t_sf
from statistikles.stats._holdout import held_out
from statistikles.stats._least_squares import LinearFit, linear_least_squares
from statistikles.stats._magnitude import COHENS_F2, magnitude
from statistikles.stats._model_bounds import f_noncentrality_interval
from statistikles.stats._regression_checks import Design, diagnostics, robust_terms
from statistikles.stats._regression_predict import cases as listed_cases
from statistikles.stats._regression_predict import predictions
from statistikles.stats._regression_sums import fit_sums

__all__ = ["linear_regression"]

declare_tool(
    "regression",
    title="Linear regression",
    summary="Fits a numeric outcome on one or more predictors (or powers of one) by least squares.",
)

Degree = Annotated[int, ScalarNumber(low=1.0, high=50.0, whole=True)]
Listed = Annotated[int, ScalarNumber(low=1.0, high=10_000.0, whole=True)]
Share = Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True, open_high=True)]
NewValues = Annotated[FloatArray, ColumnSet(min_n=1)]
PredictorNames = Annotated[tuple[str, ...], NameList(of=("x",))]


@statistic(
    tool="regression",
    title="Linear regression",
    use_when="a numeric outcome is to be explained or predicted by one or more numeric predictors",
    utterances=(
        "predict body mass from flipper length",
        "how does y change with x",
        "linear regression of price on size and age",
        "effect of several predictors on the outcome",
        "fit a line",
        "fit a quadratic",
    ),
    refs=(
        "Gauss 1823, Theoria combinationis observationum erroribus minimis obnoxiae",
        "MacKinnon & White 1985, doi:10.1016/0304-4076(85)90158-7",
        "Belsley, Kuh & Welsch 1980, doi:10.1002/0471725153",
    ),
    laws=("scale_invariant", "shift_invariant", "order_invariant"),
    oracle="statsmodels.api:OLS",
    formula="b = (X'X)⁻¹X'y; s² = Σe²/(n − q); F = (ESS/p)/s²",
    equivalents={
        "R": "summary(lm(y ~ x1 + x2))",
        "Python": "statsmodels.api.OLS(y, statsmodels.api.add_constant(X)).fit().summary()",
    },
    example={
        "x": [
            [181.0, 186, 195, 193, 190, 181, 195, 182, 191, 198],
            [39.1, 39.5, 40.3, 36.7, 39.3, 38.9, 39.2, 41.1, 38.6, 34.6],
        ],
        "y": [3750.0, 3800, 3250, 3450, 3650, 3625, 4675, 3200, 3800, 4400],
        "var_names": ["flipper_length", "bill_length"],
    },
    aligned=(("x", "y"),),
    from_sums=lambda given: (
        given.get("degree", 1) == 1
        and given.get("intercept", True) is not False
        and given.get("predict_at") is None
        and given.get("cases") is None
        and given.get("test_share") is None
        and not given.get("decimal")
    ),
)
def linear_regression(
    x: Columns,
    y: Sample,
    *,
    var_names: PredictorNames | None = None,
    degree: Degree = 1,
    intercept: Switch = True,
    predict_at: NewValues | None = None,
    cases: Listed | None = None,
    test_share: Share | None = None,
    seed: Seed = 0,
    alpha: Alpha = 0.05,
    decimal: Switch = False,
) -> Fit:
    """Least-squares fit of y on one or more predictors, with tests, intervals, effect sizes and diagnostics.

    Parameters
    ----------
    x : one predictor, or a list of predictor columns.
    y : the outcome.
    var_names : names of the predictors in the result.
    degree : highest power of a single predictor (2 fits a quadratic); powers are formed without rounding.
    intercept : whether the model has an intercept; without one, R2 is uncentred.
    predict_at : new values to predict y at: a list for one predictor, otherwise a list of columns like x.
    cases : list the fitted value and residual of up to so many cases, evenly spaced, and of the worst fitted ones.
    test_share : share of the rows to hold out; the errors of the fit to the other rows are in `details.holdout`.
    seed : the seed of the split.
    alpha : significance level; intervals have confidence 1 - alpha.
    decimal : read every double as the decimal it prints as.

    Returns
    -------
    Fit : coefficients, overall F test, R2 with interval, diagnostics; robust (HC3) errors in `also`.

    Raises
    ------
    InputError : too few rows, unequal lengths, names that do not match.
    NotDefined : a predictor is constant or a combination of the others, or y is constant.
    """
    if var_names and intercept and "intercept" in var_names:
        raise InputError("A predictor may not be named 'intercept'.", where="var_names")
    if isinstance(y, Summary):
        summed = fit_sums(x, y, var_names)
        terms = _terms(summed.fit, None, y, alpha)
        return _report(summed.fit, terms, summed.diagnostics(), summed.robust_terms(alpha), alpha)
    fit = linear_least_squares(x, y, names=var_names, intercept=intercept, degree=degree, decimal=decimal)
    if fit.r2 is None:
        raise NotDefined(
            f"The regression is undefined: every value of y is {y[0]:g}, so there is nothing to explain.",
            hint="Check that the right outcome column was used.",
            where="y",
            code="zero_variance",
        )
    design = Design.of(x, degree, fit)
    terms = _terms(fit, design, y, alpha)
    return _report(
        fit,
        terms,
        diagnostics(fit, design),
        robust_terms(fit, design, alpha),
        alpha,
        predictions(predict_at, x, degree, fit, design, alpha) if predict_at is not None else ([], ""),
        degree=degree,
        decimal=decimal,
        cases=cases,
        holdout=None
        if test_share is None
        else held_out(x, y, share=test_share, seed=seed, names=var_names, intercept=intercept, degree=degree),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _report(
    fit: LinearFit,
    terms: Mapping[str, Term],
    found: dict[str, Any],
    robust: tuple[Mapping[str, Term] | None, str],
    alpha: float,
    predicted: tuple[list[Any], str] = ([], ""),
    *,
    degree: int = 1,
    decimal: bool = False,
    cases: int | None = None,
    holdout: dict[str, Any] | None = None,
) -> Fit:
    """The result of a fit, from arrays and from sums alike."""
    likelihood = _likelihood(fit)
    count = len(fit.names) + 1
    effects = _effects(fit, 1 - alpha)
    hc3, why = robust
    rows, caution = predicted
    return Fit(
        method=_method(fit, degree),
        terms=terms,
        statistic_name="F",
        statistic=fit.f,
        df=fit.df_model,
        df_error=fit.df_resid,
        p_value=None if fit.f is None else f_sf(fit.f, fit.df_model, fit.df_resid),
        alpha=alpha,
        conf_level=1 - alpha,
        r_squared=fit.r2,
        adj_r_squared=fit.adj_r2,
        residual_std_error=fit.resid_sd,
        log_likelihood=likelihood,
        aic=None if likelihood is None else 2 * count - 2 * likelihood,
        bic=None if likelihood is None else count * math.log(fit.n) - 2 * likelihood,
        effect_size=effects.pop("cohens_f2"),
        effect_sizes=effects,
        n=fit.n,
        details={
            "sum_sq_model": Quantity(fit.ess, Role.SUM_OF_SQUARES),
            "sum_sq_residual": Quantity(fit.rss, Role.SUM_OF_SQUARES),
            "sum_sq_total": Quantity(fit.tss, Role.SUM_OF_SQUARES),
            "tolerance": {k: Quantity(1 / term.vif, Role.RATIO) for k, term in terms.items() if term.vif},
            "computed_by": fit.refinement,
            **({"predictions": rows} if rows else {}),
            **({"holdout": holdout} if holdout is not None else {}),
            **({"cases": listed_cases(fit, cases)} if cases is not None else {}),
        },
        diagnostics=found,
        also={
            "hc3": {
                "method": "heteroscedasticity-consistent standard errors, HC3, t with n − q degrees of freedom",
                "terms": hc3,
                **({"undefined": {"terms": why}} if hc3 is None else {}),
            }
        },
        undefined=_reasons(fit, likelihood),
        conventions=_conventions(fit.intercept, degree, decimal),
        warnings=(*fit.notes, *_cautions(fit, terms), *((caution,) if caution else ())),
    )


def _method(fit: LinearFit, degree: int) -> str:
    p = fit.df_model
    kind = (
        f"Polynomial regression of degree {degree}"
        if degree > 1
        else ("Simple linear regression" if p == 1 else f"Multiple linear regression with {p} predictors")
    )
    return kind + ("" if fit.intercept else ", without intercept") + ", least squares"


def _reasons(fit: LinearFit, likelihood: float | None) -> dict[str, str]:
    """Why a quantity of the whole fit is undefined."""
    none_left = "no residual degrees of freedom"
    out: dict[str, str] = {}
    if fit.f is None:
        reason = "the fit is exact" if fit.exact_fit and fit.df_resid > 0 else none_left
        out |= dict.fromkeys(("statistic", "p_value"), reason)
    if fit.adj_r2 is None:
        out["adj_r_squared"] = none_left
    if fit.resid_sd is None:
        out["residual_std_error"] = none_left
    if likelihood is None:
        reason = "the residuals are zero, so it is unbounded"
        out |= dict.fromkeys(("log_likelihood", "aic", "bic"), reason)
    return out


def _terms(fit: LinearFit, design: Design | None, y: FloatArray, alpha: float) -> Mapping[str, Term]:
    reach = t_isf(alpha / 2, fit.df_resid) if fit.df_resid > 0 else 0.0
    offset = int(fit.intercept)
    standard = _standardised(fit, design, y) if fit.intercept else {}
    out: dict[str, Term] = {}
    for j, name in enumerate(fit.names):
        b = float(fit.coefficients[j])
        shared: dict[str, Any] = {
            "estimate": b,
            "standardized": standard.get(name),
            "vif": float(fit.vif[j - offset]) if j >= offset else None,
        }
        error = None if fit.std_errors is None else float(fit.std_errors[j])
        if error is None:
            names = ("std_error", "statistic", "p_value", "conf_low", "conf_high")
            out[name] = Term(**shared, undefined=dict.fromkeys(names, "no residual degrees of freedom"))
        elif fit.exact_fit or error == 0.0:
            reason = "the fit is exact, so its standard error is zero"
            out[name] = Term(
                **shared,
                std_error=error,
                df=fit.df_resid,
                conf_low=b - reach * error,
                conf_high=b + reach * error,
                undefined={"statistic": reason, "p_value": reason},
            )
        else:
            t = b / error
            out[name] = Term(
                **shared,
                std_error=error,
                statistic=t,
                df=fit.df_resid,
                p_value=2 * t_sf(abs(t), fit.df_resid),
                conf_low=b - reach * error,
                conf_high=b + reach * error,
            )
    return out


def _standardised(fit: LinearFit, design: Design | None, y: FloatArray) -> dict[str, float]:
    """Coefficients in standard deviations of y per standard deviation of the predictor."""
    names = fit.names[1:]
    if fit.std_errors is not None and not fit.exact_fit and fit.resid_sd:
        # b·sd(x)/sd(y), with sd(x) from the standard error s·sqrt(vif/SSx)
        unit = fit.resid_sd / math.sqrt(fit.tss)
        t = fit.coefficients[1:] / fit.std_errors[1:]
        values = t * np.sqrt(fit.vif) * unit
    else:
        assert design is not None  # a fit from sums has errors
        largest = max(float(np.abs(y).max()), 5e-324)
        spread = np.std(design.predictors, axis=0) * design.units[1:]
        values = fit.coefficients[1:] / largest * spread / float(np.std(y / largest))
    return {name: float(v) for name, v in zip(names, values, strict=True) if math.isfinite(v)}


def _likelihood(fit: LinearFit) -> float | None:
    if fit.exact_fit or not fit.rss > 0:
        return None
    return -fit.n / 2 * (math.log(2 * math.pi) + math.log(fit.rss / fit.n) + 1)


def _effects(fit: LinearFit, level: float) -> dict[str, EffectSize]:
    """f² and R² with intervals from the noncentral F distribution (predictors taken as fixed)."""
    r2 = fit.r2 or 0.0
    bounds = None if fit.f is None else f_noncentrality_interval(fit.f, fit.df_model, fit.df_resid, level)
    reason = "F is not defined" if fit.f is None else "F is too large for an interval in double precision"
    missing = {} if bounds else dict.fromkeys(("conf_low", "conf_high"), reason)
    low, high = bounds or (None, None)
    shared: dict[str, Any] = {"conf_level": level, "conf_method": "noncentral F, fixed predictors"}
    f2 = None if fit.exact_fit or fit.rss == 0 else fit.ess / fit.rss
    return {
        "cohens_f2": EffectSize(
            name="Cohen's f²",
            estimate=f2,
            conf_low=None if low is None else low / fit.n,
            conf_high=None if high is None else high / fit.n,
            magnitude=None if f2 is None else magnitude(f2, COHENS_F2),
            undefined=missing if f2 is not None else {**missing, "estimate": "the fit is exact"},
            **shared,
        ),
        "r_squared": EffectSize(
            name="R²",
            estimate=r2,
            conf_low=None if low is None else low / (low + fit.n),
            conf_high=None if high is None else high / (high + fit.n),
            undefined=missing,
            **shared,
        ),
    }


def _conventions(intercept: bool, degree: int, decimal: bool) -> tuple[str, ...]:
    said = [
        "t and F tests assume independent normal errors of equal variance; HC3 robust errors are in `also`",
        "AIC and BIC count the error variance as a parameter (as R does)",
        "rows are counted from 1 among the complete rows",
        "condition_number is that of the columns scaled to unit length (Belsley)",
    ]
    if not intercept:
        said.append("without intercept: R², the F test and VIF refer to zero, not to the mean (uncentred)")
    else:
        said.append(
            "standardized coefficients: standard deviations of y per standard deviation of the predictor"
        )
    if degree > 1:
        said.append("powers of the predictor are formed without rounding")
    if decimal:
        said.append("each double is read as the decimal it prints as")
    return tuple(said)


def _cautions(fit: LinearFit, terms: Mapping[str, Term]) -> tuple[str, ...]:
    collinear = [name for name, term in terms.items() if term.vif is not None and term.vif > 10]
    out = []
    if collinear and fit.df_model > 1:
        out.append(f"Collinear predictors (VIF above 10): {', '.join(collinear)}.")
    if 0 < fit.df_resid < 10:
        out.append(f"Only {fit.df_resid} residual degrees of freedom.")
    return tuple(out)
