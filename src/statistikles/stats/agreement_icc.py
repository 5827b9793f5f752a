"""Agreement on measurements: the six intraclass correlations of Shrout and Fleiss, and Bland-Altman limits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from statistikles.errors import NotDefined
from statistikles.registry.arguments import Alpha, Choice, FloatArray, NameList, RowSet, Vector
from statistikles.registry.declare import statistic
from statistikles.results import Description, EffectSize, SignificanceTest
from statistikles.stats._distributions import f_isf, f_sf, norm_isf, p_t, t_isf
from statistikles.stats._least_squares import linear_least_squares
from statistikles.stats._moment_matrix import centre, correlation_of, require_finite
from statistikles.stats._one_way import describe_group

__all__ = ["bland_altman", "intraclass_correlation"]

FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")
_ALIASES = tuple(
    (alias.format(f[4], f[6]), f) for f in FORMS for alias in ("icc({},_{})", "icc{}{}", "{},{}")
) + tuple((f"icc{f[4]}", f) for f in FORMS[:3])  # fmt: skip
Form = Annotated[str, Choice(FORMS, aliases=_ALIASES)]
Ratings = Annotated[FloatArray, RowSet(min_n=2, min_columns=2)]
_MODELS = {
    "1": "one-way random: each subject has its own raters",
    "2": "two-way random, absolute agreement: raters are a sample",
    "3": "two-way mixed, consistency: these raters only",
}


@dataclass(frozen=True)
class _MeanSquares:
    """Mean squares of the subjects x raters table, in a scaled unit."""

    n: int
    k: int
    subjects: float
    within: float
    raters: float
    error: float


@statistic(
    tool="inter_rater_reliability",
    subtype="icc",
    title="Intraclass correlation",
    use_when="several raters or repeated measurements give numeric scores to the same subjects",
    utterances=(
        "intraclass correlation of the raters",
        "ICC(2,1)",
        "test-retest reliability of a measurement",
        "reliability of the mean of the raters",
        "do the judges' scores agree",
    ),
    refs=("Shrout & Fleiss 1979, doi:10.1037/0033-2909.86.2.420",),
    oracle="pingouin:intraclass_corr",
    formula=(
        "ICC(1,1) = (BMS − WMS)/(BMS + (k−1)WMS); ICC(2,1) = (BMS − EMS)/(BMS + (k−1)EMS + k(JMS − EMS)/n); "
        "ICC(3,1) = (BMS − EMS)/(BMS + (k−1)EMS)"
    ),
    equivalents={
        "R": "psych::ICC(ratings, lmer = FALSE)",
        "Python": "pingouin.intraclass_corr(data, targets, raters, ratings)",
    },
    example={
        "ratings_matrix": [
            [9, 2, 5, 8],
            [6, 1, 3, 2],
            [8, 4, 6, 8],
            [7, 1, 2, 6],
            [10, 5, 6, 9],
            [6, 2, 4, 7],
        ],
        "icc_type": "ICC(2,1)",
    },
    aliases=("intraclass", "intraclass_correlation"),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
)
def intraclass_correlation(
    ratings_matrix: Ratings, *, icc_type: Form = "ICC(2,1)", alpha: Alpha = 0.05
) -> SignificanceTest:
    """The six intraclass correlations of Shrout and Fleiss with F tests and intervals.

    Parameters
    ----------
    ratings_matrix : one row per subject, one column per rater; rows with a missing rating are left out.
    icc_type : the form that leads: "ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)".
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : the chosen form; all six under `also`.

    Raises
    ------
    NotDefined : all ratings are the same.
    """
    columns = centre(ratings_matrix)
    if all(columns.constant) and ratings_matrix.min() == ratings_matrix.max():
        raise NotDefined(
            "The intraclass correlation is undefined: all ratings are the same.",
            hint="Without variation between subjects there is nothing to agree on.",
            where="ratings_matrix",
            code="zero_variance",
        )
    ms = _mean_squares(ratings_matrix)
    forms = {
        f"icc_{form[4]}_{form[6]}": _form_test(form, ms, alpha, {"n": ms.n}) for form in FORMS
    }  # fmt: skip
    return _form_test(
        icc_type,
        ms,
        alpha,
        {
            "n": ms.n,
            "details": {
                "n_raters": ms.k,
                "f_subjects": None if not ms.error else ms.subjects / ms.error,
                "f_raters": None if not ms.error else ms.raters / ms.error,
            }
            | (
                {}
                if ms.error
                else {"undefined": dict.fromkeys(("f_subjects", "f_raters"), "the error is zero")}
            ),
            "also": forms,
            "conventions": (
                _MODELS[icc_type[4]],
                "one rating" if icc_type[6] == "1" else "mean of k ratings",
                "intervals: Shrout and Fleiss (F; Satterthwaite for the two-way random forms)",
                "negative estimates are kept",
            ),
        },
    )


def _mean_squares(x: FloatArray) -> _MeanSquares:
    """Two-way mean squares; the values are first moved and scaled by powers of two, so no digits are lost."""
    n, k = x.shape
    outer = math.frexp(float(np.abs(x).max()))[1]
    moved = np.ldexp(x, -outer)
    moved = moved - moved[0, 0]
    top = float(np.abs(moved).max())
    moved = np.ldexp(moved, -math.frexp(top)[1])
    moved = moved - moved.mean()
    row, col = moved.mean(axis=1), moved.mean(axis=0)
    grand = moved.mean()
    within = moved - row[:, None]
    error = within - (col - grand)
    tiny = float(np.abs(moved).max()) * 1e-15

    def total(v: FloatArray) -> float:
        cleaned = np.where(np.abs(v) <= 8 * tiny, 0.0, v)
        return math.fsum((cleaned * cleaned).ravel())

    return _MeanSquares(
        n,
        k,
        k * total(row - grand) / (n - 1),
        total(within) / (n * (k - 1)),
        n * total(col - grand) / (k - 1),
        total(error) / ((n - 1) * (k - 1)),
    )


def _form_test(form: str, ms: _MeanSquares, alpha: float, more: dict[str, Any]) -> SignificanceTest:
    """One form: estimate, F test of zero and interval."""
    model, average = form[4], form[6] == "k"
    n, k = ms.n, ms.k
    noise = ms.within if model == "1" else ms.error
    df1, df2 = n - 1, n * (k - 1) if model == "1" else (n - 1) * (k - 1)
    extra = k * (ms.raters - ms.error) / n if model == "2" else 0.0
    top = ms.subjects - noise
    below = ms.subjects + extra / k if average else ms.subjects + (k - 1) * noise + extra
    undefined: dict[str, str] = {}
    estimate = top / below if below > 1e-15 * (ms.subjects + ms.within) else None
    if estimate is None:
        undefined |= dict.fromkeys(
            ("estimate", "conf_low", "conf_high"), "the subjects' means vary less than the model allows"
        )
    f = ms.subjects / noise if noise > 0 else None
    bounds: tuple[float, float] | None = None
    if f is None:
        undefined |= dict.fromkeys(
            ("statistic", "p_value", "conf_low", "conf_high"),
            "the error mean square is zero, so F is infinite",
        )
    elif estimate is not None:
        bounds = _bounds(model, average, ms, f, (df1, df2), alpha)
        if bounds is None:
            undefined |= dict.fromkeys(("conf_low", "conf_high"), "F is too small for an interval")
    low, high = bounds or (None, None)
    return SignificanceTest(
        method=f"{form}: {_MODELS[model]}",
        statistic_name="F",
        statistic=f,
        df=df1,
        df_error=df2,
        p_value=None if f is None else f_sf(f, df1, df2),
        alternative="greater",
        null_value=0.0,
        alpha=alpha,
        estimate_name=form,
        estimate=estimate,
        conf_low=low,
        conf_high=high,
        conf_level=1 - alpha,
        undefined=undefined,
        effect_size=EffectSize(
            name=form,
            estimate=estimate,
            conf_low=low,
            conf_high=high,
            conf_level=1 - alpha,
            undefined={a: b for a, b in undefined.items() if a in ("estimate", "conf_low", "conf_high")},
        ),
        **more,
    )


def _bounds(
    model: str, average: bool, ms: _MeanSquares, f: float, df: tuple[int, int], alpha: float
) -> tuple[float, float] | None:
    """Shrout and Fleiss's interval; None when it does not exist."""
    k = ms.k
    if model == "2":
        low, high = _two_way_bounds(ms, alpha)
        if (
            not low <= high
        ):  # also where Satterthwaite's degrees of freedom vanish and F's quantile is infinite
            return None
        if not average:
            return low, high
        spread = (1 + (k - 1) * low, 1 + (k - 1) * high)
        return (k * low / spread[0], k * high / spread[1]) if min(spread) > 0 else None
    f_low, f_high = f / f_isf(alpha / 2, *df), f * f_isf(alpha / 2, df[1], df[0])
    if average:
        return (1 - 1 / f_low, 1 - 1 / f_high) if f_low > 0 else None
    return (f_low - 1) / (f_low + k - 1), (f_high - 1) / (f_high + k - 1)


def _two_way_bounds(ms: _MeanSquares, alpha: float) -> tuple[float, float]:
    """Interval of ICC(2,1) with Satterthwaite's degrees of freedom."""
    n, k = ms.n, ms.k
    icc = (ms.subjects - ms.error) / (ms.subjects + (k - 1) * ms.error + k * (ms.raters - ms.error) / n)
    ratio = ms.raters / ms.error
    inner = n * (1 + (k - 1) * icc) - k * icc
    top = (k - 1) * (n - 1) * (k * icc * ratio + inner) ** 2
    below = (n - 1) * k**2 * icc**2 * ratio**2 + inner**2
    v = top / below
    low_f, high_f = f_isf(alpha / 2, n - 1, v), f_isf(alpha / 2, v, n - 1)
    rest = k * ms.raters + (k * n - k - n) * ms.error
    low = n * (ms.subjects - low_f * ms.error) / (low_f * rest + n * ms.subjects)
    high = n * (high_f * ms.subjects - ms.error) / (rest + n * high_f * ms.subjects)
    return low, high


@statistic(
    tool="inter_rater_reliability",
    subtype="bland_altman",
    title="Bland-Altman limits of agreement",
    use_when="two methods or raters measure the same subjects on the same numeric scale",
    utterances=(
        "Bland-Altman analysis",
        "limits of agreement of two methods",
        "do the two instruments agree",
        "bias between two measurement methods",
    ),
    refs=(
        "Bland & Altman 1986, doi:10.1016/S0140-6736(86)90837-8",
        "Bland & Altman 1999, doi:10.1191/096228099673819272",
        "Lin 1989, doi:10.2307/2532051",
    ),
    laws=("shift_invariant", "scale_invariant", "swap_negates", "order_invariant"),
    formula="bias = mean(d), limits = bias ± z·sd(d), d = rater1 − rater2",
    equivalents={
        "R": "blandr::blandr.statistics(rater1, rater2)",
        "Python": "pingouin.plot_blandaltman(rater1, rater2)",
    },
    example={
        "rater1": [494.0, 395, 516, 434, 476, 557, 413, 442, 650, 433],
        "rater2": [512.0, 430, 520, 428, 500, 600, 364, 380, 658, 445],
    },
    aliases=("limits_of_agreement", "ba"),
    aligned=(("rater1", "rater2"),),
)
def bland_altman(
    rater1: Annotated[FloatArray, Vector(min_n=3)],
    rater2: Annotated[FloatArray, Vector(min_n=3)],
    *,
    alpha: Alpha = 0.05,
    rater_names: Annotated[tuple[str, ...], NameList(of=("rater1", "rater2"))] | None = None,
) -> SignificanceTest:
    """Bias between two methods and the limits within which their differences fall, each with its interval.

    Parameters
    ----------
    rater1 : measurements by the first method.
    rater2 : measurements of the same subjects by the second method.
    alpha : significance level; limits hold 1 - alpha of differences, intervals have confidence 1 - alpha.
    rater_names : names of the two methods in the result.

    Returns
    -------
    SignificanceTest : the estimate is the bias (first minus second), tested by paired t; limits under `details`.
    """
    n = len(rater1)
    difference = rater1 - rater2
    if not bool(np.isfinite(difference).all()):
        raise NotDefined(
            "The differences are too large for a double.", where="rater1", code="out_of_double_range"
        )
    columns = centre(difference[:, None])
    bias, sd = columns.means[0], columns.std_dev(0)
    error = sd / math.sqrt(n)
    reach = t_isf(alpha / 2, n - 1)
    z = norm_isf(alpha / 2)
    t = bias / error if error > 0 else None
    limit_error = sd * math.sqrt(1 / n + z * z / (2 * (n - 1)))
    name1, name2 = rater_names or ("rater1", "rater2")
    groups: dict[str, Description] = {name1: describe_group(rater1), name2: describe_group(rater2)}
    details = {
        "sd_difference": sd,
        "lower_limit": _limit(bias - z * sd, reach * limit_error),
        "upper_limit": _limit(bias + z * sd, reach * limit_error),
        "n_outside_limits": int(
            (np.abs(columns.deviations[:, 0]) > z * columns.covariance[0, 0] ** 0.5).sum()
        ),
        "proportional_bias": _proportional(rater1 / 2 + rater2 / 2, difference),
    }
    require_finite(details)
    return SignificanceTest(
        method="Bland-Altman analysis (paired t test of the bias)",
        statistic_name="t",
        statistic=t,
        df=n - 1,
        p_value=None if t is None else p_t(t, n - 1),
        alternative="two-sided",
        null_value=0.0,
        alpha=alpha,
        estimate_name="bias",
        estimate=bias,
        std_error=error,
        conf_low=bias - reach * error,
        conf_high=bias + reach * error,
        conf_level=1 - alpha,
        n=n,
        groups=groups,
        undefined={}
        if error > 0
        else dict.fromkeys(("statistic", "p_value"), "all differences are the same"),
        effect_sizes={"lins_concordance": _concordance(rater1, rater2, alpha)},
        details=details,
        conventions=(
            f"differences {name1} − {name2}; limits bias ± {z:.4g} SD",
            "intervals of the limits: Bland and Altman 1999, SE = SD·sqrt(1/n + z²/(2(n − 1))), t with n − 1 df",
            "proportional bias: slope of the differences on the means",
        ),
    )


def _limit(value: float, reach: float) -> dict[str, Any]:
    return {"estimate": value, "conf_low": value - reach, "conf_high": value + reach}


def _proportional(means: FloatArray, difference: FloatArray) -> dict[str, Any]:
    """Regression of the differences on the means."""
    keys = ("slope", "std_error", "statistic", "p_value")
    if means.min() == means.max() or difference.min() == difference.max():
        reason = "the means or the differences do not vary"
        return dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, reason)}
    try:
        fit = linear_least_squares(means[:, None], difference, names=("mean",))
    except NotDefined as error:
        return dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, error.message.rstrip("."))}
    slope = float(fit.coefficients[1])
    if fit.std_errors is None or fit.exact_fit or not fit.std_errors[1] > 0:
        reason = "the differences lie exactly on a line"
        return {"slope": slope} | dict.fromkeys(keys[1:]) | {"undefined": dict.fromkeys(keys[1:], reason)}
    t = slope / float(fit.std_errors[1])
    return {
        "slope": slope,
        "std_error": float(fit.std_errors[1]),
        "statistic": t,
        "df": fit.df_resid,
        "p_value": p_t(t, fit.df_resid),
    }


def _concordance(x: FloatArray, y: FloatArray, alpha: float) -> EffectSize:
    """Lin's concordance correlation with his Fisher-z interval (moments with divisor n)."""
    columns = centre(np.column_stack((x, y)))
    n = columns.n
    bounds = ("conf_low", "conf_high")
    gap = math.ldexp(columns.means[0] - columns.means[1], -columns.exponent)
    v = columns.covariance * (n - 1) / n
    below = float(v[0, 0] + v[1, 1]) + gap * gap
    if not below > 0:
        reason = "neither varies and they do not differ"
        return EffectSize(name="Lin's concordance", undefined={"estimate": reason})
    ccc = min(1.0, max(-1.0, 2 * float(v[0, 1]) / below))
    if not min(v[0, 0], v[1, 1]) > 0 or abs(ccc) > 1 - 1e-12:
        reason = "it is exactly ±1" if abs(ccc) > 1 - 1e-12 else "a method does not vary (beside the other)"
        return EffectSize(name="Lin's concordance", estimate=ccc, undefined=dict.fromkeys(bounds, reason))
    r = float(correlation_of(columns.deviations)[0, 1])
    u = gap / (float(v[0, 0]) * float(v[1, 1])) ** 0.25
    if abs(r) < 1e-12:
        return EffectSize(
            name="Lin's concordance",
            estimate=ccc,
            undefined=dict.fromkeys(bounds, "the correlation is zero, where its variance does not exist"),
        )
    variance = (1 - r * r) * ccc**2 / ((1 - ccc**2) * r * r)
    variance += 2 * ccc**3 * (1 - ccc) * u * u / (r * (1 - ccc**2) ** 2)
    variance -= ccc**4 * u**4 / (2 * r * r * (1 - ccc**2) ** 2)
    reach = norm_isf(alpha / 2) * math.sqrt(max(variance, 0.0) / (n - 2))
    return EffectSize(
        name="Lin's concordance",
        estimate=ccc,
        conf_low=math.tanh(math.atanh(ccc) - reach),
        conf_high=math.tanh(math.atanh(ccc) + reach),
        conf_level=1 - alpha,
        conf_method="Lin 1989, Fisher z",
    )
