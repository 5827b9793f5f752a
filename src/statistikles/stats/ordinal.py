"""Ordinal logistic regression (proportional odds): thresholds, odds ratios, fit, Brant's test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, ColumnSet, FloatArray, LabelVector, NameList
from statistikles.registry.declare import statistic
from statistikles.results import Fit, Quantity, Role, SignificanceTest, Term
from statistikles.stats._columns import column_names, refuse_constant, standard_columns
from statistikles.stats._cumulative_logit import CumulativeFit, fit_cumulative_logit, separates
from statistikles.stats._distributions import chi2_sf, norm_isf, p_normal
from statistikles.stats._least_squares import linear_least_squares
from statistikles.stats._logit import fit_logit, refuse_separation
from statistikles.stats._tables import label_text, sorted_labels

__all__ = ["ordinal_logistic"]

_MAX_LEVELS = 50

Outcome = Annotated[NDArray[Any], LabelVector(min_n=4, numeric=True)]
Predictors = Annotated[FloatArray, ColumnSet(min_n=4)]
PredictorNames = Annotated[tuple[str, ...], NameList(of=("x",))]
Levels = Annotated[tuple[str, ...], NameList()]


@statistic(
    tool="advanced_modeling",
    subtype="ordinal_logistic",
    title="Ordinal logistic regression (proportional odds)",
    use_when="an ordered outcome (low/medium/high, ratings) is explained by predictors",
    utterances=(
        "predict a rating on an ordered scale",
        "proportional odds model",
        "ordinal regression of satisfaction",
        "ordered logit",
        "what raises the odds of a better category",
    ),
    refs=(
        "McCullagh 1980, Regression models for ordinal data",
        "Brant 1990, doi:10.2307/2532457",
        "Agresti 2010, Analysis of Ordinal Categorical Data",
    ),
    laws=("order_invariant",),
    oracle="statsmodels.miscmodels.ordinal_model:OrderedModel",
    formula="logit P(y ≤ j) = θ_j − (b1·x1 + …)",
    equivalents={
        "R": "MASS::polr(factor(y) ~ x, Hess = TRUE); ordinal::clm(factor(y) ~ x)",
        "Python": "statsmodels.miscmodels.ordinal_model.OrderedModel(y, x, distr='logit').fit()",
    },
    example={
        "y": [1, 1, 2, 1, 2, 2, 3, 1, 2, 3, 2, 3, 3, 2, 3, 3],
        "x": [0.5, 1.0, 1.2, 1.5, 1.8, 2.0, 2.1, 2.4, 2.6, 2.9, 3.1, 3.3, 3.6, 3.8, 4.1, 4.5],
        "var_names": ["dose"],
    },
    aligned=(("y", "x"),),
)
def ordinal_logistic(
    y: Outcome,
    x: Predictors,
    *,
    levels: Levels | None = None,
    var_names: PredictorNames | None = None,
    alpha: Alpha = 0.05,
) -> Fit:
    """Proportional-odds logistic regression by maximum likelihood, with a test of proportionality.

    Parameters
    ----------
    y : the ordered outcome: numbers in their order, or labels whose order `levels` gives.
    x : predictors, a list of columns.
    levels : the categories from lowest to highest; needed when y is text.
    var_names : names of the predictors in the result.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Fit : log odds and odds ratios of a higher category; thresholds in `details`.

    Raises
    ------
    InputError : fewer than two categories, text without `levels`, unequal lengths.
    NotDefined : a predictor separates the categories, is constant, or predictors are collinear.
    """
    names = column_names(var_names, x.shape[1])
    labels, code = _coded(y, levels)
    k, (n, p) = len(labels), x.shape
    refuse_constant(x, names, "The proportional-odds model")
    z, centre, unit = standard_columns(x)
    linear_least_squares(z, code.astype(np.float64), names=names)  # refuses collinear predictors by name
    fit = _fitted(z, code, k, names)
    counts = np.bincount(code)
    null = float(np.sum(counts * np.log(counts / n)))
    statistic = max(0.0, 2 * (fit.log_likelihood - null))
    back = _back(centre, unit, k)
    estimates = back @ np.concatenate((fit.thresholds, fit.slopes))
    rows = back / np.abs(back).max(axis=1, keepdims=True)
    errors = np.sqrt(np.einsum("ij,jk,ik->i", rows, fit.covariance, rows)) * np.abs(back).max(axis=1)
    cuts = tuple(f"{labels[j]}|{labels[j + 1]}" for j in range(k - 1))
    return Fit(
        method=f"Ordinal logistic regression (proportional odds), maximum likelihood, {k} ordered categories",
        terms={
            name: _term(b, e, alpha, odds=True)
            for name, b, e in zip(names, estimates[k - 1 :].tolist(), errors[k - 1 :].tolist(), strict=True)
        },
        statistic_name="χ²",
        statistic=statistic,
        df=p,
        p_value=chi2_sf(statistic, p),
        alpha=alpha,
        conf_level=1 - alpha,
        pseudo_r_squared=_pseudo(fit.log_likelihood, null, n),
        log_likelihood=fit.log_likelihood,
        aic=2 * (p + k - 1) - 2 * fit.log_likelihood,
        bic=(p + k - 1) * math.log(n) - 2 * fit.log_likelihood,
        n=n,
        details={
            "thresholds": {
                name: _term(b, e, alpha, odds=False)
                for name, b, e in zip(
                    cuts, estimates[: k - 1].tolist(), errors[: k - 1].tolist(), strict=True
                )
            },
            "counts": Quantity(dict(zip(labels, counts.tolist(), strict=True)), Role.COUNT),
            "null_log_likelihood": Quantity(null, Role.LIKELIHOOD),
            "n_iterations": Quantity(fit.iterations, Role.COUNT),
            "converged": True,
        },
        diagnostics={"proportional_odds": _brant(z, code, k, alpha)},
        conventions=(
            "logit P(y ≤ j) = θ_j − xβ: a positive coefficient raises the odds of a higher category",
            "Wald z tests and intervals from the observed information",
            "the overall test is the likelihood ratio against thresholds only",
            "proportionality by Brant's Wald test over the cumulative binary fits",
        ),
        warnings=_cautions(counts, labels, p),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _coded(y: NDArray[Any], levels: Sequence[str] | None) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """The categories in order, and each row's place among them."""
    present = sorted_labels(y.tolist())
    if levels is None:
        text = [v for v in present if isinstance(v, str)]
        if text:
            raise InputError(
                f"The order of the categories is not known: y holds text such as {text[0]!r}.",
                hint="Send levels: the categories from lowest to highest, or code them as numbers.",
                where="levels",
                code="missing_argument",
            )
        names = tuple(label_text(v) for v in present)
    else:
        found = {label_text(v) for v in present}
        if unknown := sorted(found - set(levels)):
            raise InputError(
                f"y holds categories that levels does not name: {', '.join(unknown[:5])}.",
                hint="List every category from lowest to highest.",
                where="levels",
            )
        names = tuple(level for level in levels if level in found)
    if len(names) < 2 or len(names) > _MAX_LEVELS:
        raise InputError(
            f"The outcome has {len(names)} categor{'y' if len(names) == 1 else 'ies'}; 2 to {_MAX_LEVELS} are needed.",
            hint="An ordered outcome has a few categories; for many values use regression.",
            where="y",
            code="out_of_range",
        )
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place[label_text(v)] for v in y.tolist()], dtype=np.int64)


def _back(centre: FloatArray, unit: FloatArray, k: int) -> FloatArray:
    """The matrix that takes thresholds and slopes of standardised columns to those of the data."""
    p = unit.size
    back = np.zeros((k - 1 + p, k - 1 + p))
    back[: k - 1, : k - 1] = np.eye(k - 1)
    back[: k - 1, k - 1 :] = centre / unit
    back[k - 1 :, k - 1 :] = np.diag(1 / unit)
    return back


def _fitted(z: FloatArray, code: NDArray[np.int64], k: int, names: tuple[str, ...]) -> CumulativeFit:
    try:
        fit = fit_cumulative_logit(z, code, k)
    except NotDefined:
        _refuse_separation(z, code, k, names)
        raise
    if fit.suspicious or not bool((np.diag(fit.covariance) < 1e6).all()):
        _refuse_separation(z, code, k, names)
    return fit


def _refuse_separation(z: FloatArray, code: NDArray[np.int64], k: int, names: tuple[str, ...]) -> None:
    direction = separates(z, code, k)
    if direction is None:
        return
    used = [n for n, d in zip(names, direction.tolist(), strict=True) if abs(d) > 1e-6] or list(names)
    raise NotDefined(
        "The proportional-odds model has no finite estimates: "
        f"{', '.join(repr(n) for n in used)} separate{'s' if len(used) == 1 else ''} the categories.",
        hint="Leave the predictor out, combine categories, or report the separation itself.",
        where="x",
        code="separation",
    )


def _term(b: float, error: float, alpha: float, *, odds: bool) -> Term:
    reach = norm_isf(alpha / 2) * error
    ratios: dict[str, float | None] = {}
    if odds:
        ratios = {
            "odds_ratio": _exp(b),
            "odds_ratio_low": _exp(b - reach),
            "odds_ratio_high": _exp(b + reach),
        }
    return Term(
        estimate=b,
        std_error=error,
        statistic=b / error,
        p_value=p_normal(b / error),
        conf_low=b - reach,
        conf_high=b + reach,
        **ratios,
        undefined={k: "it does not fit a double-precision number" for k, v in ratios.items() if v is None},
    )


def _exp(value: float) -> float | None:
    return math.exp(value) if value < 709 else None


def _pseudo(ll: float, null: float, n: int) -> dict[str, float]:
    cox_snell = -math.expm1(2 * (null - ll) / n)
    return {
        "mcfadden": 1 - ll / null,
        "cox_snell": cox_snell,
        "nagelkerke": cox_snell / -math.expm1(2 * null / n),
    }


def _brant(z: FloatArray, code: NDArray[np.int64], k: int, alpha: float) -> dict[str, Any]:
    """Wald test that the slopes of the k - 1 binary regressions of y > j are the same."""
    keys = ("statistic", "df", "p_value")
    method = "Brant's test: equal slopes over the cumulative binary regressions"
    if k < 3:
        reason = "with two categories there is only one binary regression"
        return {"method": method, **dict.fromkeys(keys), "undefined": dict.fromkeys(keys, reason)}
    n, p = z.shape
    design = np.column_stack((np.ones(n), z))
    slopes, chances, inverses = [], [], []
    try:
        for j in range(k - 1):
            above = (code > j).astype(np.float64)
            refuse_separation(z, above, [str(i) for i in range(p)], thorough=False)
            one = fit_logit(design, above)
            slopes.append(one.beta[1:])
            chances.append(1 / (1 + np.exp(-one.eta)))
            inverses.append(one.covariance)
    except NotDefined:
        reason = "one of the binary regressions is separated or does not converge"
        return {"method": method, **dict.fromkeys(keys), "undefined": dict.fromkeys(keys, reason)}
    covariance = np.zeros(((k - 1) * p, (k - 1) * p))
    for i in range(k - 1):
        for j in range(k - 1):
            # Covariance of 1[y > i] and 1[y > j]: the rarer event lies inside the other.
            weight = chances[max(i, j)] - chances[i] * chances[j]
            block = inverses[i] @ ((design * weight[:, None]).T @ design) @ inverses[j]
            covariance[i * p : (i + 1) * p, j * p : (j + 1) * p] = block[1:, 1:]
    contrast = np.zeros(((k - 2) * p, (k - 1) * p))
    for j in range(k - 2):
        contrast[j * p : (j + 1) * p, :p] = np.eye(p)
        contrast[j * p : (j + 1) * p, (j + 1) * p : (j + 2) * p] = -np.eye(p)
    gap = contrast @ np.concatenate(slopes)
    statistic = float(gap @ np.linalg.lstsq(contrast @ covariance @ contrast.T, gap, rcond=None)[0])
    df = (k - 2) * p
    if not (math.isfinite(statistic) and statistic >= 0):
        reason = "the covariance of the binary slopes is singular"
        return {"method": method, **dict.fromkeys(keys), "undefined": dict.fromkeys(keys, reason)}
    test = SignificanceTest(
        method=method,
        statistic_name="χ²",
        statistic=statistic,
        df=df,
        p_value=chi2_sf(statistic, df),
        alpha=alpha,
    )
    return test.to_dict()


def _cautions(counts: NDArray[np.int64], labels: tuple[str, ...], p: int) -> tuple[str, ...]:
    said = []
    rare = [label for label, count in zip(labels, counts.tolist(), strict=True) if count < 5]
    if rare:
        said.append(
            f"Categories with fewer than 5 rows ({', '.join(rare[:5])}): the large-sample tests are rough."
        )
    if int(counts.sum() - counts.max()) < 10 * p:
        said.append(f"Fewer than 10 rows outside the commonest category for each of {p} predictors.")
    return tuple(said)
