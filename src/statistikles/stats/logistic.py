"""Binary logistic regression: estimates, odds ratios, likelihood-ratio test, fit and discrimination."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, Columns, FloatArray, NameList, Switch, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, Fit, Quantity, Role, Term
from statistikles.stats._distributions import chi2_isf, chi2_sf, norm_isf, p_normal
from statistikles.stats._least_squares import linear_least_squares
from statistikles.stats._logit import LogitFit, fit_logit, profile, refuse_separation, suspicious
from statistikles.stats._numerics import quantiles, rank_with_ties
from statistikles.stats._roc import roc_points

__all__ = ["logistic_regression"]

_PROFILE_LIMIT = 200_000  # observations times coefficients up to which profiles are worth their time

declare_tool(
    "logistic_regression",
    title="Logistic regression",
    summary="Models the probability of a yes/no outcome (1/0) from one or more numeric predictors.",
)

Outcome = Annotated[FloatArray, Vector(min_n=3, binary=True)]
PredictorNames = Annotated[tuple[str, ...], NameList(of=("x",))]


@statistic(
    tool="logistic_regression",
    title="Logistic regression",
    use_when="a yes/no (0/1) outcome is to be explained or predicted by one or more predictors",
    utterances=(
        "what predicts survival yes or no",
        "odds ratio of smoking",
        "probability of passing by hours studied",
        "logistic regression",
        "binary outcome model",
    ),
    refs=(
        "Cox 1958, doi:10.1111/j.2517-6161.1958.tb00292.x",
        "Albert & Anderson 1984, doi:10.1093/biomet/71.1.1",
        "Hosmer & Lemeshow 1980, doi:10.1080/03610928008827941",
        "DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595",
    ),
    laws=("order_invariant",),
    oracle="statsmodels.api:Logit",
    formula="log(p/(1 − p)) = b0 + b1·x1 + …; LR = 2(LL − LL0)",
    equivalents={
        "R": "summary(glm(y ~ x, family = binomial))",
        "Python": "statsmodels.api.Logit(y, statsmodels.api.add_constant(x)).fit()",
    },
    example={
        "x": [
            0.5,
            0.75,
            1.0,
            1.25,
            1.5,
            1.75,
            1.75,
            2.0,
            2.25,
            2.5,
            2.75,
            3.0,
            3.25,
            3.5,
            4.0,
            4.25,
            4.5,
            4.75,
            5.0,
            5.5,
        ],
        "y": [0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1],
        "var_names": ["hours"],
    },
    aligned=(("x", "y"),),
)
def logistic_regression(
    x: Columns,
    y: Outcome,
    *,
    var_names: PredictorNames | None = None,
    alpha: Alpha = 0.05,
    roc: Switch = False,
) -> Fit:
    """Logistic regression by maximum likelihood, with odds ratios, tests, fit measures and discrimination.

    Parameters
    ----------
    x : one predictor, or a list of predictor columns.
    y : the outcome, 1 for the event and 0 otherwise.
    var_names : names of the predictors in the result.
    alpha : significance level; intervals have confidence 1 - alpha.
    roc : list the points of the ROC curve (evenly spaced ones where there are more than 500).

    Returns
    -------
    Fit : coefficients on the log-odds scale with odds ratios; profile-likelihood intervals in `also`.

    Raises
    ------
    InputError : too few rows, unequal lengths, an outcome that is not 0/1.
    NotDefined : the outcome is constant, a predictor separates it, or predictors are collinear.
    """
    names = _names(var_names, x.shape[1])
    events = int(y.sum())
    if events in (0, y.size):
        raise NotDefined(
            f"The logistic regression is undefined: every outcome is {y[0]:g}.",
            hint="Both outcomes (0 and 1) must occur.",
            where="y",
            code="zero_variance",
        )
    linear_least_squares(x, y, names=names)  # refuses too few rows and collinear predictors by name
    z, centre, spread = _standardised(x)
    refuse_separation(z, y, names, thorough=False)
    design = np.column_stack((np.ones(y.size), z))
    fit = _fitted(design, y, names)
    rate = events / y.size
    null = events * math.log(rate) + (y.size - events) * math.log1p(-rate)
    statistic, p = 2 * (fit.log_likelihood - null), x.shape[1]
    statistic = max(statistic, 0.0)
    back = _back(centre, spread)
    beta, covariance = back @ fit.beta, back @ fit.covariance @ back.T
    probability = 1 / (1 + np.exp(-fit.eta))
    return Fit(
        method=f"Binary logistic regression, maximum likelihood (logit link), {p} predictor{'s' if p > 1 else ''}",
        terms=_terms(("intercept", *names), beta, np.sqrt(np.diag(covariance)), alpha),
        statistic_name="χ²",
        statistic=statistic,
        df=p,
        p_value=chi2_sf(statistic, p),
        alpha=alpha,
        conf_level=1 - alpha,
        pseudo_r_squared=_pseudo(fit.log_likelihood, null, y, probability),
        log_likelihood=fit.log_likelihood,
        aic=2 * (p + 1) - 2 * fit.log_likelihood,
        bic=(p + 1) * math.log(y.size) - 2 * fit.log_likelihood,
        effect_size=_auc(fit.eta, y, 1 - alpha),
        n=int(y.size),
        details={
            "n_events": Quantity(events, Role.COUNT),
            "deviance": Quantity(-2 * fit.log_likelihood, Role.LIKELIHOOD),
            "null_deviance": Quantity(-2 * null, Role.LIKELIHOOD),
            "classification": _classification(probability, y),
            "brier_score": Quantity(float(np.mean((probability - y) ** 2)), Role.MEAN_SQUARE),
            "converged": True,
            "n_iterations": Quantity(fit.iterations, Role.COUNT),
            **({"roc": roc_points(probability, y)} if roc else {}),
        },
        diagnostics={"hosmer_lemeshow": _hosmer_lemeshow(probability, y)},
        also={"profile_likelihood": _profiles(design, y, fit, names, spread, alpha)},
        conventions=(
            "coefficients are log odds; Wald z tests and Wald intervals lead, profile likelihood beside",
            "the overall test is the likelihood ratio against the model with the intercept only",
            "classification calls an event when the probability is at least .5",
            "AUC with DeLong's standard error; the interval is cut at 0 and 1",
        ),
        warnings=_cautions(events, y.size, p),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _names(given: tuple[str, ...] | None, p: int) -> tuple[str, ...]:
    names = given or (("x",) if p == 1 else tuple(f"x{j + 1}" for j in range(p)))
    if len(names) != p:
        raise InputError(
            f"{len(names)} names were given for {p} predictors.", where="var_names", code="shape"
        )
    if "intercept" in names:
        raise InputError("A predictor may not be named 'intercept'.", where="var_names")
    return names


def _fitted(design: FloatArray, y: FloatArray, names: tuple[str, ...]) -> LogitFit:
    """The fit, with proof that it exists wherever that is in doubt."""
    try:
        fit = fit_logit(design, y)
    except NotDefined:
        refuse_separation(design[:, 1:], y, names, thorough=True)
        raise
    if suspicious(fit.eta):
        refuse_separation(design[:, 1:], y, names, thorough=True)
    return fit


def _standardised(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Columns centred and scaled, so that Newton's method sees comparable sizes."""
    unit = np.exp2(np.frexp(np.abs(x).max(axis=0))[1] - 1.0)
    scaled = x / unit
    centre = scaled.mean(axis=0)
    centred = scaled - centre
    spread = np.sqrt(np.mean(centred**2, axis=0))
    return centred / spread, centre * unit, spread * unit


def _back(centre: FloatArray, spread: FloatArray) -> FloatArray:
    """The matrix that takes coefficients of standardised columns to those of the data."""
    back = np.diag(np.concatenate(([1.0], 1 / spread)))
    back[0, 1:] = -centre / spread
    return back


def _terms(names: tuple[str, ...], beta: FloatArray, errors: FloatArray, alpha: float) -> dict[str, Term]:
    reach = norm_isf(alpha / 2)
    out = {}
    for name, b, error in zip(names, beta.tolist(), errors.tolist(), strict=True):
        z = b / error
        ratios = {
            "odds_ratio": _exp(b),
            "odds_ratio_low": _exp(b - reach * error),
            "odds_ratio_high": _exp(b + reach * error),
        }
        out[name] = Term(
            estimate=b,
            std_error=error,
            statistic=z,
            p_value=p_normal(z),
            conf_low=b - reach * error,
            conf_high=b + reach * error,
            **ratios,
            undefined={
                k: "it does not fit a double-precision number" for k, v in ratios.items() if v is None
            },
        )
    return out


def _exp(value: float) -> float | None:
    return math.exp(value) if value < 709 else None


def _pseudo(ll: float, null: float, y: FloatArray, probability: FloatArray) -> dict[str, float]:
    n = y.size
    cox_snell = -math.expm1(2 * (null - ll) / n)
    return {
        "mcfadden": 1 - ll / null,
        "cox_snell": cox_snell,
        "nagelkerke": cox_snell / -math.expm1(2 * null / n),
        "tjur": float(probability[y > 0.5].mean() - probability[y < 0.5].mean()),
    }


def _classification(probability: FloatArray, y: FloatArray) -> dict[str, Any]:
    called = probability >= 0.5
    event = y > 0.5
    tp, fp = int((called & event).sum()), int((called & ~event).sum())
    fn, tn = int((~called & event).sum()), int((~called & ~event).sum())
    return {
        "true_positive": Quantity(tp, Role.COUNT),
        "false_positive": Quantity(fp, Role.COUNT),
        "true_negative": Quantity(tn, Role.COUNT),
        "false_negative": Quantity(fn, Role.COUNT),
        "accuracy": (tp + tn) / y.size,
        "sensitivity": tp / (tp + fn),
        "specificity": tn / (tn + fp),
    }


def _auc(score: FloatArray, y: FloatArray, level: float) -> EffectSize:
    """Area under the ROC curve with DeLong's standard error."""
    event = y > 0.5
    m, n = int(event.sum()), int((~event).sum())
    ranks = rank_with_ties(score)[0]
    own1, own0 = rank_with_ties(score[event])[0], rank_with_ties(score[~event])[0]
    above = (ranks[event] - own1) / n  # share of non-events below each event
    below = 1 - (ranks[~event] - own0) / m
    auc = float(above.mean())
    if m < 2 or n < 2:
        reason = "it needs at least two events and two non-events"
        return EffectSize(
            name="AUC", estimate=auc, undefined=dict.fromkeys(("std_error", "conf_low", "conf_high"), reason)
        )
    error = math.sqrt(float(above.var(ddof=1)) / m + float(below.var(ddof=1)) / n)
    reach = norm_isf((1 - level) / 2) * error
    return EffectSize(
        name="AUC",
        estimate=auc,
        std_error=error,
        conf_low=max(0.0, auc - reach),
        conf_high=min(1.0, auc + reach),
        conf_level=level,
        conf_method="DeLong",
    )


def _hosmer_lemeshow(probability: FloatArray, y: FloatArray) -> dict[str, Any]:
    """Chi-squared over groups between the deciles of the fitted probabilities."""
    # Rounded, so that equal patterns of predictors cannot fall on two sides of a cut.
    level = np.round(probability, 12)
    cuts = np.unique(quantiles(level, [k / 10 for k in range(1, 10)]))
    group = np.searchsorted(cuts[cuts > level.min()], level, side="left")
    sizes = np.bincount(group)
    kept = sizes > 0
    observed = np.bincount(group, weights=y)[kept]
    expected = np.bincount(group, weights=probability)[kept]
    sizes = sizes[kept]
    method = "groups between the deciles of the fitted probabilities"
    df = int(kept.sum()) - 2
    variance = expected * (sizes - expected) / sizes
    if df < 1 or not bool((variance > 0).all()):
        reason = "the fitted probabilities fall into too few groups"
        names = ("statistic", "df", "p_value")
        return {**dict.fromkeys(names), "method": method, "undefined": dict.fromkeys(names, reason)}
    statistic = float(np.sum((observed - expected) ** 2 / variance))
    return {"statistic": statistic, "df": df, "p_value": chi2_sf(statistic, df), "method": method}


def _profiles(
    design: FloatArray, y: FloatArray, fit: LogitFit, names: tuple[str, ...], spread: FloatArray, alpha: float
) -> Mapping[str, Any]:
    """Profile-likelihood intervals and likelihood-ratio tests of the slopes."""
    method = "profile likelihood intervals; likelihood-ratio tests of single coefficients"
    if design.size > _PROFILE_LIMIT:
        reason = "left out for data this large; Wald and profile intervals then agree closely"
        return {"method": method, "terms": None, "undefined": {"terms": reason}}
    drop = chi2_isf(alpha, 1) / 2
    terms = {}
    try:
        for j, (name, size) in enumerate(zip(names, spread.tolist(), strict=True), start=1):
            low, high, without = profile(design, y, fit, j, drop)
            statistic = max(0.0, 2 * (fit.log_likelihood - without))
            ratios = {"odds_ratio_low": _exp(low / size), "odds_ratio_high": _exp(high / size)}
            terms[name] = Term(
                statistic=statistic,
                df=1,
                p_value=chi2_sf(statistic, 1),
                conf_low=low / size,
                conf_high=high / size,
                **ratios,
                undefined={
                    k: "it does not fit a double-precision number" for k, v in ratios.items() if v is None
                },
            )
    except NotDefined as error:
        return {"method": method, "terms": None, "undefined": {"terms": error.message}}
    return {"method": method, "terms": terms}


def _cautions(events: int, n: int, p: int) -> tuple[str, ...]:
    rarer = min(events, n - events)
    if rarer < 10 * p:
        said = f"Only {rarer} cases of the rarer outcome for {p} predictor{'s' if p > 1 else ''}"
        return (f"{said} (fewer than 10 each): estimates may be biased away from zero.",)
    return ()
