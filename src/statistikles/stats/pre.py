"""Proportional reduction in error: of numeric predictions, and of one category by another (with ordinal kin)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    FloatArray,
    Kind,
    Labels,
    MatrixOf,
    Names,
    ScalarNumber,
    Vector,
    Where,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Estimate, Measures, Quantity, SignificanceTest
from statistikles.results.roles import Role
from statistikles.stats._association import noncentral_w, pearson_chi2
from statistikles.stats._comoments import correlate
from statistikles.stats._count_input import filled_table_of
from statistikles.stats._distributions import chi2_sf, norm_isf, p_normal
from statistikles.stats._kendall import score_variance
from statistikles.stats._numerics import compensated_sum, moments
from statistikles.stats._pre_measures import Measure, lambda_is_tied, nominal_measures, ordinal_measures
from statistikles.stats._tables import CountTable

__all__ = ["association_suite", "reduction_in_error"]

_GOODMAN_1954 = "Goodman & Kruskal 1954, doi:10.1080/01621459.1954.10501231"
_GOODMAN_1963 = "Goodman & Kruskal 1963, doi:10.1080/01621459.1963.10500850"

declare_tool(
    "calculate_pre",
    title="Proportional reduction in error of predictions",
    summary="How much predictions reduce the squared error of a baseline, such as always guessing the mean.",
)
declare_tool(
    "pre_suite",
    title="Association measures of a table",
    summary="Lambda, Goodman-Kruskal tau, uncertainty coefficient, gamma, Somers' d, tau-b and V of a table of counts.",
)


@dataclass(frozen=True)
class MatchedVector(Kind):
    """A vector matched with others by the function itself, which may also be a single number."""

    shape: ClassVar[str] = "vector"
    scalar: bool = False

    def schema(self) -> dict[str, Any]:
        options = list(Vector().schema()["anyOf"])
        return {"anyOf": [{"type": "number"}, *options] if self.scalar else options}

    def check(self, value: Any, where: Where) -> Any:
        if self.scalar and isinstance(value, int | float) and not isinstance(value, bool):
            return ScalarNumber().check(value, where)
        return Vector().check(value, where)


Matched = Annotated[FloatArray, MatchedVector()]


@statistic(
    tool="calculate_pre",
    title="Proportional reduction in error",
    use_when="numeric observations and predictions: how much better than a baseline guess",
    utterances=(
        "how much do the predictions reduce the error",
        "proportional reduction in error of a model",
        "compare predictions with always guessing the mean",
        "is the forecast better than the baseline",
    ),
    refs=("Judd, McClelland & Ryan 2017, Data Analysis: A Model Comparison Approach",),
    oracle="sklearn.metrics:r2_score",
    formula="PRE = (E1 − E2) / E1, E1 = Σ(y − baseline)², E2 = Σ(y − prediction)²",
    equivalents={
        "R": "1 - sum((observed - predicted)^2) / sum((observed - baseline)^2)",
        "Python": "sklearn.metrics.r2_score(observed, predicted)",
    },
    example={"observed": [3.0, 5.0, 7.0, 9.0, 12.0], "predicted": [2.5, 5.5, 7.0, 9.5, 11.0]},
)
def reduction_in_error(
    observed: Matched,
    predicted: Matched,
    *,
    baseline: Annotated[Any, MatchedVector(scalar=True)] | None = None,
) -> Measures:
    """Proportional reduction in squared (and absolute) error of predictions against a baseline.

    Parameters
    ----------
    observed : the values that were to be predicted.
    predicted : the predictions, matched with observed row by row.
    baseline : what would be guessed without the model: a number or one value per row; the mean by default.

    Returns
    -------
    Measures : PRE, the two errors, R² and the same by absolute errors.

    Raises
    ------
    InputError : lengths that differ, or fewer than two rows.
    NotDefined : the baseline is already without error.
    """
    y, guess, base, n_missing = _matched(observed, predicted, baseline)
    n = y.size
    scale = math.frexp(max(float(np.abs(v).max()) for v in (y, guess, base)) or 1.0)[1]
    y, guess, base = (np.ldexp(v, -scale) for v in (y, guess, base))
    reference = np.full(n, moments(y).mean) if baseline is None else base
    e1, e2 = compensated_sum((y - reference) ** 2), compensated_sum((y - guess) ** 2)
    if baseline is None:
        e1 = float(moments(y).ss or 0.0)
    if e1 == 0.0:
        raise NotDefined(
            "PRE is undefined: the baseline already predicts every value without error.",
            hint="All values are the same, or the baseline equals the observations.",
            where="baseline" if baseline is not None else "observed",
            code="zero_variance",
        )
    a1, a2 = compensated_sum(np.abs(y - reference)), compensated_sum(np.abs(y - guess))
    values, undefined = _fit_of(y, guess, e2)
    for name, error in (("e1", e1), ("e2", e2)):
        values[name] = _natural(error, 2 * scale)
        if values[name] is None:
            undefined[name] = "it does not fit a double-precision number; rescale the values"
    pre = (e1 - e2) / e1
    warnings = () if pre >= 0 else ("The predictions are worse than the baseline: PRE is negative.",)
    return Measures(
        method="Proportional reduction in squared error, baseline: "
        + ("the mean of the observed values" if baseline is None else "as given"),
        quantities={
            "pre": Quantity(pre, Role.DETERMINATION),
            "error_reduction_percent": Quantity(100 * pre, Role.PERCENT),
            "e1": Quantity(values["e1"], Role.SUM_OF_SQUARES),
            "e2": Quantity(values["e2"], Role.SUM_OF_SQUARES),
            "r_squared": Quantity(values["r_squared"], Role.DETERMINATION),
            "squared_correlation": Quantity(values["squared_correlation"], Role.DETERMINATION),
            "pre_absolute": Quantity((a1 - a2) / a1, Role.DETERMINATION),
            "n": n,
        },
        n_missing=n_missing,
        undefined=undefined,
        warnings=warnings,
        conventions=(
            "E1: squared error of the baseline; E2: squared error of the predictions",
            "R² is 1 − E2 / Σ(y − mean)², whatever the baseline; the squared correlation ignores bias and scale",
        ),
    )


@statistic(
    tool="pre_suite",
    title="Association measures of a table",
    use_when="a table of counts: how well does one category predict the other, and how strongly are they ordered",
    utterances=(
        "lambda and Goodman-Kruskal tau of the table",
        "proportional reduction in error of a contingency table",
        "uncertainty coefficient",
        "gamma and Somers' d for ordinal categories",
        "how well does X predict the category of Y",
    ),
    refs=(
        _GOODMAN_1954,
        _GOODMAN_1963,
        "Somers 1962, American Sociological Review 27, 799–811",
        "Theil 1970, American Journal of Sociology 76, 103–154",
    ),
    oracle="scipy.stats:kendalltau",
    formula="λ = (Σ max_j n_ij − max_j n_.j) / (n − max_j n_.j); γ = (C − D)/(C + D); d = (C − D)/(pairs untied on X)",
    equivalents={"R": "DescTools::Assocs(table)", "Python": "scipy.stats.somersd(table)"},
    example={
        "contingency_matrix": [[20, 8, 3], [10, 15, 9], [4, 7, 18]],
        "row_names": ["low", "middle", "high"],
        "column_names": ["never", "sometimes", "often"],
    },
    aligned=(("x", "y"),),
    from_sums=lambda given: given.get("x") is not None and given.get("y") is not None,
)
def association_suite(
    contingency_matrix: Annotated[FloatArray, MatrixOf(low=0.0, whole=True)] | None = None,
    *,
    x: Labels | None = None,
    y: Labels | None = None,
    row_names: Names | None = None,
    column_names: Names | None = None,
    alpha: Alpha = 0.05,
) -> Measures:
    """Nominal and ordinal association of the rows (X) with the columns (Y), with errors and intervals.

    Parameters
    ----------
    contingency_matrix : table of counts, a list of rows; rows are X, columns are Y, both in their order.
    x : categories of X, instead of the table; taken in sorted order.
    y : categories of Y, matched with x row by row.
    row_names : names of the rows.
    column_names : names of the columns.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Measures : each measure as an estimate; `error_reduction_percent` for lambda, tau and U only.

    Raises
    ------
    InputError : not a table of whole counts.
    NotDefined : fewer than two filled rows or columns.
    """
    table, warnings = filled_table_of(
        contingency_matrix, x, y, row_names, column_names, argument="contingency_matrix"
    )
    if lambda_is_tied(table.counts):
        warnings += (
            "A largest count is tied: the standard error of lambda rests on the first of the tied ones.",
        )
    n, level = table.n, 1 - alpha
    nominal, ordinal = nominal_measures(table.counts), ordinal_measures(table.counts)
    quantities: dict[str, Any] = {
        name: _estimate(name, measure, n, level, 0.0) for name, measure in nominal.items()
    }
    quantities |= {name: _estimate(name, measure, n, level, -1.0) for name, measure in ordinal.items()}
    chi2 = pearson_chi2(table)
    r, c = table.counts.shape
    df = (r - 1) * (c - 1)
    quantities["cramers_v"] = noncentral_w("Cramér's V", chi2, df, n, level, most=1.0, divide=min(r, c) - 1)
    quantities["independence"] = SignificanceTest(
        method="Pearson's chi-squared test of independence",
        statistic_name="χ²",
        statistic=chi2,
        df=df,
        p_value=chi2_sf(chi2, df),
        alpha=alpha,
    )
    quantities["ordinal_association"] = _trend(table, ordinal, alpha)
    quantities["error_reduction_percent"] = {
        name: 100 * measure.estimate for name, measure in nominal.items() if measure.estimate is not None
    }
    quantities["observed"] = table.nested(table.counts, whole=True)
    quantities["n"] = n
    return Measures(
        method="Association measures of a contingency table (X in rows, Y in columns)",
        quantities=quantities,
        warnings=warnings,
        conventions=(
            "only lambda, tau and U are reductions in prediction error; V, gamma, Somers' d and tau are strengths",
            "y_given_x: Y (the columns) is predicted from X (the rows)",
            "gamma, Somers' d, tau-b and tau-c take rows and columns in the order given",
            f"intervals: normal with the delta-method error at {100 * level:g}%; V by noncentral chi-squared",
        ),
    )


# Predictions ---------------------------------------------------------------------------------------------


def _matched(
    observed: FloatArray, predicted: FloatArray, baseline: Any
) -> tuple[FloatArray, FloatArray, FloatArray, int]:
    """The three vectors without the rows in which any value is missing, and the number of such rows."""
    n = len(observed)
    base = np.full(n, float(baseline or 0.0)) if baseline is None or isinstance(baseline, float) else baseline
    vectors = {"observed": observed, "predicted": predicted, "baseline": base}
    for name, vector in vectors.items():
        if len(vector) != n:
            raise InputError(
                f"'observed' has {n} values and '{name}' {len(vector)}; they are matched row by row.",
                hint="null marks a missing value.",
                where=name,
                code="length_mismatch",
            )
    missing = np.zeros(n, dtype=bool)
    for vector in vectors.values():
        missing |= np.ma.getmaskarray(vector)
    y, guess, kept = (np.ma.getdata(v)[~missing] for v in vectors.values())
    if y.size < 2:
        raise InputError(
            f"'observed' has {y.size} usable value(s); at least 2 are needed.",
            where="observed",
            code="too_few_values",
        )
    return y, guess, kept, int(missing.sum())


def _natural(value: float, exponent: int) -> float | None:
    try:
        out = math.ldexp(value, exponent)
    except OverflowError:
        return None
    return None if out == 0.0 and value else out


def _fit_of(y: FloatArray, guess: FloatArray, e2: float) -> tuple[dict[str, float | None], dict[str, str]]:
    """R² about the mean, and the squared correlation."""
    values: dict[str, float | None] = {"r_squared": None, "squared_correlation": None}
    undefined: dict[str, str] = {}
    total = moments(y).ss
    if total:
        values["r_squared"] = 1 - e2 / total
    else:
        undefined["r_squared"] = "all observed values are the same"
    if total and float(guess.min()) < float(guess.max()):
        values["squared_correlation"] = correlate(y, guess).r ** 2
    else:
        undefined["squared_correlation"] = "the observed or the predicted values are all the same"
    return values, undefined


# Tables --------------------------------------------------------------------------------------------------

_LABELS = {
    "lambda": "λ",
    "tau": "Goodman–Kruskal τ",
    "u": "uncertainty coefficient U",
    "somers_d": "Somers' d",
    "gamma": "Goodman–Kruskal γ",
    "tau_b": "Kendall's τ_b",
    "tau_c": "Stuart's τ_c",
}


def _named(key: str) -> str:
    if key in _LABELS:
        return _LABELS[key]
    for tail, words in (
        ("_y_given_x", "Y given X"),
        ("_x_given_y", "X given Y"),
        ("_symmetric", "symmetric"),
    ):
        if key.endswith(tail):
            return f"{_LABELS[key.removesuffix(tail)]} ({words})"
    return key


def _estimate(key: str, measure: Measure, n: int, level: float, lowest: float) -> Estimate:
    method = "delta-method standard error"
    if measure.estimate is None:
        return Estimate(
            method=method, name=_named(key), undefined={"estimate": measure.reason or "not defined"}
        )
    estimate = min(1.0, max(lowest, measure.estimate))
    error = measure.std_error or 0.0
    if error < 1e-12:
        reason = "the large-sample standard error is zero at this table, so it gives no interval"
        return Estimate(
            method=method,
            name=_named(key),
            estimate=estimate,
            n=n,
            undefined=dict.fromkeys(("std_error", "conf_low", "conf_high"), reason),
        )
    reach = norm_isf((1 - level) / 2) * error
    return Estimate(
        method=method,
        name=_named(key),
        estimate=estimate,
        std_error=error,
        conf_low=max(lowest, estimate - reach),
        conf_high=min(1.0, estimate + reach),
        conf_level=level,
        conf_method="normal, kept within the range of the measure",
        n=n,
    )


def _trend(table: CountTable, ordinal: dict[str, Measure], alpha: float) -> SignificanceTest:
    """Test that concordant and discordant pairs balance: one test for gamma, d, tau-b and tau-c."""
    row_sizes, column_sizes = ([int(t) for t in totals] for totals in (table.row_totals, table.column_totals))
    n = table.n
    variance = score_variance(n, row_sizes, column_sizes)
    gamma = ordinal["tau_c"].estimate
    method = "Kendall's test of ordered association (normal, tie-corrected)"
    if variance <= 0 or gamma is None:
        return SignificanceTest(
            method=method,
            statistic_name="z",
            alpha=alpha,
            undefined=dict.fromkeys(("statistic", "p_value"), "every pair is tied"),
        )
    m = min(table.counts.shape)
    score = gamma * (m - 1) / m * n * n / 2
    z = score / math.sqrt(variance)
    return SignificanceTest(
        method=method,
        statistic_name="z",
        statistic=z,
        p_value=p_normal(z),
        alternative="two-sided",
        alpha=alpha,
    )
