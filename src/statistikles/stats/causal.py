"""Causal estimates from observational data: instrumental variables and difference in differences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, Binary, Columns, FloatArray, Labels, NameList, Sample
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, Fit, SignificanceTest, Term
from statistikles.stats._columns import column_names
from statistikles.stats._distributions import chi2_sf, f_sf
from statistikles.stats._moment_matrix import Unit
from statistikles.stats._one_way import describe_group
from statistikles.stats._sandwich import RobustFit, least_squares, robust_term, two_stage
from statistikles.stats._tables import label_text

__all__ = ["difference_in_differences", "instrumental_variables"]

_WEAK = 10.0  # first-stage F below which instruments count as weak (Staiger and Stock)

declare_tool(
    "causal_inference",
    title="Causal inference",
    summary="Instrumental variables, difference in differences and regression discontinuity, with robust errors.",
    chooser="type",
)


@dataclass(frozen=True)
class _Design:
    """Columns in convenient units, with the map back to the units of the data."""

    names: tuple[str, ...]
    matrix: FloatArray
    back: FloatArray

    @classmethod
    def of(cls, names: tuple[str, ...], units: list[Unit], y: Unit) -> _Design:
        """Intercept and standardised columns; `back` turns their coefficients into those of the data."""
        n, q = len(y.standard), len(units) + 1
        matrix = np.column_stack([np.ones(n), *[u.standard for u in units]])
        back = np.zeros((q, q))
        back[0, 0] = math.ldexp(1.0, y.exponent)
        for j, unit in enumerate(units, 1):
            back[j, j] = math.ldexp(1.0, y.exponent - unit.exponent)
            back[0, j] = -back[j, j] * unit.mean
        return cls(("intercept", *names), matrix, back)

    def terms(self, fit: RobustFit, covariance: FloatArray, y: Unit, alpha: float) -> dict[str, Term]:
        """Coefficients with tests, in the units of the data."""
        beta = self.back @ fit.beta
        beta[0] += y.mean
        top = np.abs(self.back).max(axis=1)  # taken out, so that squares neither overflow nor vanish
        rows = self.back / top[:, None]
        error = top * np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", rows, covariance, rows), 0.0))
        return {
            name: robust_term(float(b), float(e), fit.df, alpha)
            for name, b, e in zip(self.names, beta, error, strict=True)
        }


@statistic(
    tool="causal_inference",
    subtype="iv",
    title="Instrumental variables (two-stage least squares)",
    use_when="a predictor is confounded with the outcome and an instrument moves only the predictor",
    utterances=(
        "instrumental variable regression",
        "two-stage least squares",
        "effect of schooling with distance as an instrument",
        "is the instrument weak",
    ),
    refs=(
        "Staiger & Stock 1997, doi:10.2307/2171753",
        "Sargan 1958, The estimation of economic relationships using instrumental variables",
        "Hausman 1978, Specification tests in econometrics",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="statsmodels.sandbox.regression.gmm:IV2SLS",
    formula="b = (X̂'X̂)⁻¹X̂'y, X̂ = Z(Z'Z)⁻¹Z'X",
    equivalents={
        "R": "summary(AER::ivreg(y ~ x | z), diagnostics = TRUE)",
        "Python": "linearmodels.iv.IV2SLS(y, exog, x, z).fit(cov_type='robust', debiased=True)",
    },
    example={
        "y": [5.1, 6.0, 6.9, 4.2, 7.7, 6.4, 8.1, 5.5, 7.0, 4.8, 6.2, 7.9],
        "x": [2.0, 2.9, 3.6, 1.4, 4.2, 3.1, 4.4, 2.5, 3.3, 1.8, 2.7, 4.0],
        "z": [1.0, 1.6, 2.1, 0.6, 2.4, 1.5, 2.6, 1.2, 1.9, 0.9, 1.5, 2.2],
    },
    aliases=("instrumental_variables", "2sls", "tsls"),
    aligned=(("y", "x", "z", "controls"),),
)
def instrumental_variables(
    y: Sample,
    x: Columns,
    z: Columns,
    *,
    controls: Columns | None = None,
    var_names: Annotated[tuple[str, ...], NameList(of=("x",))] | None = None,
    alpha: Alpha = 0.05,
) -> Fit:
    """Two-stage least squares with robust errors, first-stage F, Wu-Hausman and Sargan tests.

    Parameters
    ----------
    y : the outcome.
    x : the confounded predictor, or a list of them.
    z : the instrument, or a list of them (columns).
    controls : further predictors that are not confounded (columns).
    var_names : names of the predictors x in the result.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Fit : coefficients with HC1 errors (classical beside), robust Wald F, and the instrument diagnostics.

    Raises
    ------
    InputError : fewer instruments than predictors, or too few rows.
    NotDefined : predictors or instruments that determine each other, or instruments unrelated to x.
    """
    p, m = x.shape[1], z.shape[1]
    names = column_names(var_names, p, reserved=("intercept",))
    extra = controls if controls is not None else np.zeros((len(y), 0))
    _check_order(len(y), p, m, extra.shape[1])
    unit_y = Unit.of(y)
    units_x, units_z, units_w = ([Unit.of(v) for v in a.T] for a in (x, z, extra))
    labels = (*names, *(f"control{j + 1}" for j in range(extra.shape[1])))
    design = _Design.of(labels, [*units_x, *units_w], unit_y)
    instruments = np.column_stack(
        [np.ones(len(y)), *[u.standard for u in units_z], *[u.standard for u in units_w]]
    )
    fit = two_stage(design.matrix, instruments, unit_y.standard)
    total = _total(unit_y, fit)
    robust = fit.robust("HC1")
    first = {name: _first_stage(u.standard, instruments, m) for name, u in zip(names, units_x, strict=True)}
    wald = _wald(fit.beta[1:], robust[1:, 1:])
    return Fit(
        method="Instrumental variables, two-stage least squares (HC1 robust errors)",
        terms=design.terms(fit, robust, unit_y, alpha),
        statistic_name="F",
        statistic=wald,
        df=len(labels),
        df_error=fit.df,
        p_value=f_sf(wald, len(labels), fit.df),
        alpha=alpha,
        conf_level=1 - alpha,
        r_squared=1 - fit.rss / total,
        residual_std_error=math.ldexp(math.sqrt(fit.rss / fit.df), unit_y.exponent),
        n=len(y),
        diagnostics={
            "first_stage": first,
            "wu_hausman": _wu_hausman(design.matrix, instruments, unit_y.standard, p),
            "sargan": _sargan(fit, instruments, m - p),
        },
        also={"classical": {"terms": design.terms(fit, fit.classical, unit_y, alpha)}},
        conventions=(
            "HC1 robust errors lead, t with n − q degrees of freedom; classical errors beside",
            "R² is 1 − RSS/TSS of the structural residuals and may be negative",
            "first-stage F of the excluded instruments, classical and robust",
            "overall F: Wald test of all slopes with the robust covariance",
        ),
        warnings=_iv_cautions(first),
    )


def _check_order(n: int, p: int, m: int, q: int) -> None:
    """Enough instruments for the predictors, and enough rows for both stages and their tests."""
    if m < p:
        raise InputError(
            f"{m} instrument(s) cannot identify {p} predictors.",
            hint="Give at least one instrument per confounded predictor.",
            where="z",
            code="too_few_values",
        )
    if n <= m + q + 2 or n <= 2 * p + q + 1:
        raise InputError(f"{n} rows are too few for this model.", where="y", code="too_few_values")


def _total(y: Unit, fit: RobustFit) -> float:
    """Total sum of squares of the outcome; refused when nothing is left to explain or unexplained."""
    total = float(((y.standard - y.standard.mean()) ** 2).sum())
    if not total > 0 or fit.rss <= 1e-26 * total:
        raise NotDefined(
            "The outcome does not vary, or is fitted without error: there is nothing to test.",
            where="y",
            code="perfect_fit",
        )
    return total


def _wald(beta: FloatArray, covariance: FloatArray) -> float:
    size = np.sqrt(np.diag(covariance))
    if not bool((size > 0).all()):
        raise NotDefined("The robust covariance is zero; there is no test.", code="zero_variance")
    unit = covariance / np.outer(size, size)
    try:
        solved = np.linalg.solve(unit, beta / size)
    except np.linalg.LinAlgError:
        raise NotDefined(
            "The robust covariance is singular; there is no overall test.", code="singular"
        ) from None
    return max(0.0, float(beta / size @ solved) / len(beta))


def _first_stage(x: FloatArray, instruments: FloatArray, m: int) -> dict[str, Any]:
    """F of the excluded instruments (columns 1..m) in the regression of x on all instruments."""
    full = least_squares(instruments, x)
    kept = np.delete(instruments, np.arange(1, m + 1), axis=1)
    short = least_squares(kept, x)
    out: dict[str, Any] = {"df": m, "df_error": full.df, "partial_r_squared": 1 - full.rss / short.rss}
    if full.rss <= 1e-26 * short.rss:
        keys = ("statistic", "p_value", "robust_statistic", "robust_p_value")
        return (
            out
            | dict.fromkeys(keys)
            | {"undefined": dict.fromkeys(keys, "the instruments determine the predictor exactly")}
        )
    f = (short.rss - full.rss) / m / (full.rss / full.df)
    robust = _wald(full.beta[1 : m + 1], full.robust("HC1")[1 : m + 1, 1 : m + 1])
    return out | {
        "statistic": f,
        "p_value": f_sf(max(f, 0.0), m, full.df),
        "robust_statistic": robust,
        "robust_p_value": f_sf(robust, m, full.df),
    }


def _wu_hausman(design: FloatArray, instruments: FloatArray, y: FloatArray, p: int) -> dict[str, Any]:
    """F of the first-stage residuals added to the structural equation: are the predictors endogenous?"""
    rest = np.column_stack([least_squares(instruments, design[:, j]).residuals for j in range(1, p + 1)])
    keys = ("statistic", "p_value")
    if bool((np.abs(rest).max(axis=0) < 1e-12).any()):
        return dict.fromkeys(keys) | {
            "undefined": dict.fromkeys(keys, "the instruments determine a predictor")
        }
    try:
        short, full = least_squares(design, y), least_squares(np.column_stack((design, rest)), y)
    except NotDefined:
        return dict.fromkeys(keys) | {
            "undefined": dict.fromkeys(keys, "the instruments determine the predictors")
        }
    if full.df < 1 or full.rss <= 1e-26 * float(y @ y):
        return dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, "no residual variation is left")}
    f = max(0.0, (short.rss - full.rss) / p / (full.rss / full.df))
    return {"statistic": f, "df": p, "df_error": full.df, "p_value": f_sf(f, p, full.df)}


def _sargan(fit: RobustFit, instruments: FloatArray, df: int) -> dict[str, Any]:
    """n R² of the structural residuals on the instruments: do spare instruments agree?"""
    keys = ("statistic", "p_value")
    if df == 0:
        reason = "the model is just identified: no instrument is spare"
        return {"df": 0, **dict.fromkeys(keys), "undefined": dict.fromkeys(keys, reason)}
    share = 1 - least_squares(instruments, fit.residuals).rss / fit.rss
    value = fit.n * max(0.0, share)
    return {"statistic": value, "df": df, "p_value": chi2_sf(value, df)}


def _iv_cautions(first: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    weak = [name for name, f in first.items() if f["statistic"] is not None and f["statistic"] < _WEAK]
    if not weak:
        return ()
    return (
        f"Weak instruments (first-stage F below {_WEAK:g}) for: {', '.join(weak)}; the estimate is unreliable.",
    )


@statistic(
    tool="causal_inference",
    subtype="did",
    title="Difference in differences",
    use_when="a treated and a control group were observed before and after an intervention",
    utterances=(
        "difference in differences",
        "effect of the policy compared with the control group before and after",
        "did the treated change more than the controls",
    ),
    refs=(
        "Card & Krueger 1994, Minimum wages and employment",
        "MacKinnon & White 1985, doi:10.1016/0304-4076(85)90158-7",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    formula="(ȳ_treated,after − ȳ_treated,before) − (ȳ_control,after − ȳ_control,before)",
    equivalents={
        "R": 'fit <- lm(y ~ treat * post); lmtest::coeftest(fit, sandwich::vcovHC(fit, "HC1"))',
        "Python": "statsmodels.formula.api.ols('y ~ treat * post', d).fit(cov_type='HC1')",
    },
    example={
        "y": [10.2, 11.1, 9.8, 12.0, 14.9, 16.2, 15.1, 15.8, 9.0, 10.3, 9.6, 10.9, 11.2, 10.1, 12.4, 11.0],
        "treat": [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0],
        "post": [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1],
    },
    aliases=("difference_in_differences", "diff_in_diff"),
    aligned=(("y", "treat", "post", "cluster"),),
)
def difference_in_differences(
    y: Sample, treat: Binary, post: Binary, *, cluster: Labels | None = None, alpha: Alpha = 0.05
) -> SignificanceTest:
    """Difference in differences by the interaction of group and period, with robust errors.

    Parameters
    ----------
    y : the outcome.
    treat : 1 for the treated group, 0 for the control group.
    post : 1 after the intervention, 0 before.
    cluster : unit each row belongs to; when given, cluster-robust errors lead.
    alpha : significance level; the interval has confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : the estimate is the difference in differences; group means under `groups`.

    Raises
    ------
    InputError : a combination of group and period without rows, or no more rows than cells.
    """
    cells = _cells(treat, post)
    unit = Unit.of(y)
    design = np.column_stack((np.ones(len(y)), treat, post, treat * post))
    fit = least_squares(design, unit.standard)
    exact = fit.rss <= 1e-26 * float(unit.standard @ unit.standard)
    codes, groups = _clusters(cluster)
    lead = fit.robust("HC1") if codes is None else fit.clustered(codes)
    df = fit.df if codes is None else groups - 1
    kind = "HC1 robust" if codes is None else f"cluster-robust CR1, {groups} clusters"
    covariances = {"classical": fit.classical, "hc1": fit.robust("HC1"), "hc3": fit.robust("HC3")}
    scale = math.ldexp(1.0, unit.exponent)

    def term(j: int, covariance: FloatArray, freedom: int) -> Term:
        value = float(fit.beta[j]) * scale + (unit.mean if j == 0 else 0.0)
        error = 0.0 if exact else math.sqrt(max(0.0, float(covariance[j, j]))) * scale
        return robust_term(value, error, freedom, alpha)

    effect = term(3, lead, df)
    singles = [name for name, rows in cells.items() if rows.sum() == 1]
    return SignificanceTest(
        method=f"Difference in differences ({kind} errors)",
        statistic_name="t",
        statistic=effect.statistic,
        df=df,
        p_value=effect.p_value,
        alternative="two-sided",
        null_value=0.0,
        alpha=alpha,
        estimate_name="difference in differences",
        estimate=effect.estimate,
        std_error=effect.std_error,
        conf_low=effect.conf_low,
        conf_high=effect.conf_high,
        conf_level=1 - alpha,
        undefined=effect.undefined,
        n=len(y),
        groups={name: describe_group(y[rows]) for name, rows in cells.items()},
        effect_size=_did_effect(float(fit.beta[3]), fit, exact),
        details={
            "terms": {name: term(j, lead, df) for j, name in enumerate(("intercept", "treat", "post", "treat_x_post"))}
        },
        also={name: term(3, v, fit.df) for name, v in covariances.items()},
        conventions=(
            f"{kind} errors lead; classical, HC1 and HC3 beside",
            "rests on parallel trends: without treatment both groups would have changed alike",
        ),
        warnings=(f"Cells with a single row: {', '.join(singles)}; robust errors are unreliable.",) if singles else (),
    )  # fmt: skip


def _cells(treat: FloatArray, post: FloatArray) -> dict[str, NDArray[np.bool_]]:
    """Rows of the four combinations of group and period; none may be empty."""
    cells = {
        "control_before": (treat == 0) & (post == 0),
        "control_after": (treat == 0) & (post == 1),
        "treated_before": (treat == 1) & (post == 0),
        "treated_after": (treat == 1) & (post == 1),
    }
    if empty := [name.replace("_", " ") for name, rows in cells.items() if not rows.any()]:
        raise InputError(
            f"No rows for: {', '.join(empty)}.",
            hint="All four combinations of treat and post are needed.",
            where="treat",
            code="empty_group",
        )
    if len(treat) < 5:
        raise InputError("At least 5 rows are needed.", where="y", code="too_few_values")
    return cells


def _clusters(cluster: Any) -> tuple[Any, int]:
    """Cluster numbers per row and how many there are."""
    if cluster is None:
        return None, 0
    labels = [label_text(c) for c in cluster]
    order = {name: i for i, name in enumerate(dict.fromkeys(labels))}
    if len(order) < 2:
        raise InputError(
            "Cluster-robust errors need at least two clusters.", where="cluster", code="too_few_groups"
        )
    return np.array([order[name] for name in labels], dtype=np.int64), len(order)


def _did_effect(effect: float, fit: RobustFit, exact: bool) -> EffectSize:
    name = "d (effect / residual SD)"
    if exact:
        return EffectSize(name=name, undefined={"estimate": "there is no residual variation"})
    return EffectSize(name=name, estimate=effect / math.sqrt(fit.rss / fit.df))
