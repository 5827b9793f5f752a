"""t tests: one sample, two independent samples (Welch leads, Student beside it), and pairs."""

from __future__ import annotations

import math
from typing import Annotated, Any

from statistikles.errors import NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Alternative,
    FloatArray,
    GroupMap,
    NameList,
    Real,
    Sample,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._distributions import norm_cdf, p_t, t_isf
from statistikles.stats._magnitude import COHENS_D, magnitude
from statistikles.stats._noncentral import nc_t_noncentrality
from statistikles.stats._numerics import moments
from statistikles.stats._one_way import describe_group, hedges_factor
from statistikles.stats._two_samples import two_samples

__all__ = ["one_sample_t", "paired_t", "welch_t"]

_STUDENT = "Student 1908, doi:10.1093/biomet/6.1.1"
_WELCH = "Welch 1947, doi:10.1093/biomet/34.1-2.28"
_HEDGES = "Hedges 1981, doi:10.3102/10769986006002107"
_DELACRE = "Delacre, Lakens & Leys 2017, doi:10.5334/irsp.82"

declare_tool(
    "t_test",
    title="t tests",
    summary="Compares one mean with a value, or two means with each other.",
    chooser="type",
)

TwoGroups = Annotated[dict[str, FloatArray], GroupMap(min_groups=2, max_groups=2, min_n=2)]
GroupNames = Annotated[tuple[str, ...], NameList(of=("group1", "group2"))]


@statistic(
    tool="t_test",
    subtype="independent",
    title="Welch's t test",
    use_when="two independent groups, a numeric outcome; variances and group sizes may differ",
    utterances=(
        "do these two groups differ in their mean",
        "compare treatment with control",
        "is the average higher in men than in women",
        "difference between two groups",
    ),
    refs=(_WELCH, _STUDENT, _DELACRE, _HEDGES),
    laws=("shift_invariant", "scale_invariant", "swap_negates", "order_invariant"),
    oracle="scipy.stats:ttest_ind(equal_var=False)",
    formula="t = (m1 − m2) / sqrt(s1²/n1 + s2²/n2), df by Welch–Satterthwaite",
    equivalents={
        "R": "t.test(group1, group2)",
        "Python": "scipy.stats.ttest_ind(group1, group2, equal_var=False)",
    },
    example={
        "group1": [27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1, 21.9, 22.6],
        "group2": [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0, 24.8, 20.2, 21.9],
    },
    aliases=("welch", "student", "two_sample", "unpaired"),
    from_sums=lambda _given: True,
)
def welch_t(
    group1: Sample | None = None,
    group2: Sample | None = None,
    *,
    groups: TwoGroups | None = None,
    mu0: Real = 0.0,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    group_names: GroupNames | None = None,
) -> SignificanceTest:
    """Welch's t test of two independent means, with Student's equal-variance test beside it.

    Parameters
    ----------
    group1 : numbers of the first group.
    group2 : numbers of the second group.
    groups : both groups at once, named; instead of group1 and group2.
    mu0 : difference of means (first minus second) under the null hypothesis.
    alpha : significance level; intervals have confidence 1 - alpha.
    alternative : "two-sided", "greater" (first mean larger) or "less".
    group_names : names of the two groups in the result.

    Returns
    -------
    SignificanceTest : the estimate is the mean of the first group minus that of the second.

    Raises
    ------
    InputError : fewer than two values in a group.
    NotDefined : both groups are constant.
    """
    (name1, name2), first, second = two_samples(group1, group2, groups, group_names)
    m1, m2 = moments(first, shape=False), moments(second, shape=False)
    v1, v2 = _variance(m1.variance) / m1.n, _variance(m2.variance) / m2.n
    if v1 + v2 == 0.0:
        raise NotDefined(
            "The t test is undefined: every value within each group is the same, so there is no variation "
            "to compare the difference with.",
            hint="Check that the right column was used.",
            code="zero_variance",
        )
    difference = m1.mean - m2.mean
    scale = max(v1, v2)
    w1, w2 = v1 / scale, v2 / scale  # scaled, so that tiny variances do not underflow when squared
    df = (w1 + w2) ** 2 / (w1**2 / (m1.n - 1) + w2**2 / (m2.n - 1))
    pooled_df = m1.n + m2.n - 2
    pooled = ((m1.n - 1) * _variance(m1.variance) + (m2.n - 1) * _variance(m2.variance)) / pooled_df
    student_error = math.sqrt(pooled) * math.sqrt(1 / m1.n + 1 / m2.n)
    described = {name1: describe_group(first, m1), name2: describe_group(second, m2)}
    effects = _two_sample_effects(difference, m1.n, m2.n, m1.variance, m2.variance, pooled, 1 - alpha)
    warnings = tuple(
        f"All values of {name} are the same." for name, m in ((name1, m1), (name2, m2)) if m.variance == 0.0
    )
    shared = {
        "estimate_name": f"difference of means ({name1} − {name2})",
        "n": m1.n + m2.n,
        "warnings": warnings,
    }
    student = _t_result(
        "Student's t test (equal variances)",
        difference,
        mu0,
        student_error,
        pooled_df,
        alpha,
        alternative,
        **shared,
    )
    return _t_result(
        "Welch's t test",
        difference,
        mu0,
        math.sqrt(v1 + v2),
        df,
        alpha,
        alternative,
        groups=described,
        effect_size=effects.pop("hedges_g"),
        effect_sizes=effects,
        conventions=(
            "variances not assumed equal (Welch–Satterthwaite degrees of freedom); Student's test beside it",
            "variance with n − 1",
            "Hedges' g uses the pooled standard deviation and the exact small-sample correction",
        ),
        also={"student": student},
        **shared,
    )


@statistic(
    tool="t_test",
    subtype="paired",
    title="Paired t test",
    use_when="two measurements of the same subjects (before/after), a numeric outcome",
    utterances=(
        "did the scores change from before to after",
        "compare pre and post",
        "matched pairs difference",
    ),
    refs=(_STUDENT, "Lakens 2013, doi:10.3389/fpsyg.2013.00863"),
    laws=("shift_invariant", "scale_invariant", "swap_negates", "order_invariant"),
    oracle="scipy.stats:ttest_rel",
    formula="t = mean(d) / (sd(d) / sqrt(n)), d = group1 − group2, df = n − 1",
    equivalents={
        "R": "t.test(group1, group2, paired = TRUE)",
        "Python": "scipy.stats.ttest_rel(group1, group2)",
    },
    example={
        "group1": [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
        "group2": [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    },
    aliases=("dependent", "related", "repeated"),
    aligned=(("group1", "group2"),),
    from_sums=lambda _given: True,
)
def paired_t(
    group1: Sample,
    group2: Sample,
    *,
    mu0: Real = 0.0,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    group_names: GroupNames | None = None,
) -> SignificanceTest:
    """Paired t test of the mean difference between two measurements of the same subjects.

    Parameters
    ----------
    group1 : first measurement, one value per subject.
    group2 : second measurement, in the same order of subjects.
    mu0 : mean difference (first minus second) under the null hypothesis.
    alpha : significance level; intervals have confidence 1 - alpha.
    alternative : "two-sided", "greater" (first larger) or "less".
    group_names : names of the two measurements in the result.

    Returns
    -------
    SignificanceTest : the estimate is the mean of the differences, first minus second.

    Raises
    ------
    InputError : fewer than two pairs, or unequal lengths.
    NotDefined : all differences are the same.
    """
    name1, name2 = group_names or ("group1", "group2")
    differences = group1 - group2
    m = moments(differences, shape=False)
    if _variance(m.variance) == 0.0:
        raise NotDefined(
            f"The paired t test is undefined: every difference is the same ({m.mean:g}), so they do not vary.",
            hint="Report the constant difference itself.",
            code="zero_variance",
        )
    sd = math.sqrt(_variance(m.variance))
    effects = _one_sample_effects(m.mean - mu0, sd, m.n, 1 - alpha, suffix="z")
    average_variance = (
        _variance(moments(group1, shape=False).variance) + _variance(moments(group2, shape=False).variance)
    ) / 2
    if average_variance > 0:
        effects["cohens_d_average"] = EffectSize(
            name="Cohen's d (average SD)", estimate=(m.mean - mu0) / math.sqrt(average_variance)
        )
    return _t_result(
        "Paired t test",
        m.mean,
        mu0,
        sd / math.sqrt(m.n),
        m.n - 1,
        alpha,
        alternative,
        estimate_name=f"mean difference ({name1} − {name2})",
        n=m.n,
        groups={
            name1: describe_group(group1),
            name2: describe_group(group2),
            "difference": describe_group(differences, m),
        },
        effect_size=effects.pop("hedges_g"),
        effect_sizes=effects,
        conventions=(
            "pairs matched by position; n is the number of pairs",
            "Hedges' g standardises by the standard deviation of the differences (d_z, corrected)",
        ),
    )


@statistic(
    tool="t_test",
    subtype="one_sample",
    title="One-sample t test",
    use_when="one numeric sample compared with a fixed value mu0",
    utterances=(
        "is the mean different from 100",
        "compare the average with a known value",
        "differs from zero",
    ),
    refs=(_STUDENT,),
    laws=("scale_invariant", "order_invariant"),
    oracle="scipy.stats:ttest_1samp",
    formula="t = (m − mu0) / (s / sqrt(n)), df = n − 1",
    equivalents={"R": "t.test(group1, mu = mu0)", "Python": "scipy.stats.ttest_1samp(group1, mu0)"},
    example={"group1": [5.1, 4.9, 5.6, 5.8, 6.0, 5.2, 5.5], "mu0": 5.0},
    aliases=("single", "onesample"),
    from_sums=lambda _given: True,
)
def one_sample_t(
    group1: Sample,
    *,
    mu0: Real = 0.0,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
) -> SignificanceTest:
    """One-sample t test of a mean against a fixed value.

    Parameters
    ----------
    group1 : the sample.
    mu0 : mean under the null hypothesis.
    alpha : significance level; intervals have confidence 1 - alpha.
    alternative : "two-sided", "greater" (mean above mu0) or "less".

    Returns
    -------
    SignificanceTest : the estimate is the sample mean.

    Raises
    ------
    InputError : fewer than two values.
    NotDefined : all values are the same.
    """
    m = moments(group1, shape=False)
    if _variance(m.variance) == 0.0:
        raise NotDefined(
            f"The one-sample t test is undefined: every value is {m.mean:g}, so there is no variation.",
            hint="Check that the right column was used.",
            code="zero_variance",
        )
    sd = math.sqrt(_variance(m.variance))
    effects = _one_sample_effects(m.mean - mu0, sd, m.n, 1 - alpha)
    return _t_result(
        "One-sample t test",
        m.mean,
        mu0,
        sd / math.sqrt(m.n),
        m.n - 1,
        alpha,
        alternative,
        estimate_name="mean",
        n=m.n,
        groups={"sample": describe_group(group1, m)},
        effect_size=effects.pop("hedges_g"),
        effect_sizes=effects,
        conventions=("variance with n − 1", "the effect size is (mean − mu0) / standard deviation"),
    )


# Shared steps --------------------------------------------------------------------------------------------


def _variance(value: float | None) -> float:
    if value is None:
        raise NotDefined(
            "The variance of these values does not fit a double-precision number.",
            hint="Rescale the values (for example, divide all by the same constant).",
            code="out_of_scale",
        )
    return value


def _t_result(
    method: str,
    estimate: float,
    null: float,
    error: float,
    df: float,
    alpha: float,
    alternative: str,
    **more: Any,
) -> SignificanceTest:
    statistic = (estimate - null) / error
    reach = t_isf(alpha / 2 if alternative == "two-sided" else alpha, df) * error
    open_side = f"the interval is one-sided (alternative: {alternative})"
    low: float | None = estimate - reach
    high: float | None = estimate + reach
    undefined: dict[str, str] = {}
    if alternative == "greater":
        high, undefined = None, {"conf_high": open_side}
    elif alternative == "less":
        low, undefined = None, {"conf_low": open_side}
    return SignificanceTest(
        method=method,
        statistic_name="t",
        statistic=statistic,
        df=df,
        p_value=p_t(statistic, df, alternative),
        alternative=alternative,
        null_value=null,
        alpha=alpha,
        estimate=estimate,
        std_error=error,
        conf_low=low,
        conf_high=high,
        conf_level=1 - alpha,
        undefined=undefined,
        **more,
    )


def _noncentral_bounds(t: float, df: float, level: float, scale: float) -> tuple[float, float]:
    """Interval of a standardised mean difference: pivots the noncentral t (Steiger & Fouladi 1997)."""
    tail = (1 - level) / 2
    return nc_t_noncentrality(t, df, 1 - tail) * scale, nc_t_noncentrality(t, df, tail) * scale


def _two_sample_effects(
    difference: float, n1: int, n2: int, var1: float | None, var2: float | None, pooled: float, level: float
) -> dict[str, EffectSize]:
    df = n1 + n2 - 2
    scale = math.sqrt(1 / n1 + 1 / n2)
    d = difference / math.sqrt(pooled)
    low, high = _noncentral_bounds(d / scale, df, level, scale)
    out = _standardised(d, low, high, df, level, "")
    if var2:
        out["glass_delta"] = EffectSize(
            name="Glass's Δ (SD of the second group)", estimate=difference / math.sqrt(var2)
        )
    spread = math.sqrt(_variance(var1) + _variance(var2))
    out["common_language"] = EffectSize(
        name="probability of superiority (normal model)", estimate=norm_cdf(difference / spread)
    )
    return out


def _one_sample_effects(
    shift: float, sd: float, n: int, level: float, suffix: str = ""
) -> dict[str, EffectSize]:
    scale = 1 / math.sqrt(n)
    d = shift / sd
    low, high = _noncentral_bounds(d / scale, n - 1, level, scale)
    return _standardised(d, low, high, n - 1, level, f"_{suffix}" if suffix else "")


def _standardised(
    d: float, low: float, high: float, df: float, level: float, label: str
) -> dict[str, EffectSize]:
    """Hedges' g, which one degree of freedom leaves undefined, and Cohen's d."""
    both: dict[str, Any] = {
        "conf_level": level,
        "conf_method": "noncentral t",
        "magnitude": magnitude(d, COHENS_D),
    }
    if df > 1:
        j = hedges_factor(df)
        g = EffectSize(name=f"Hedges' g{label}", estimate=j * d, conf_low=j * low, conf_high=j * high, **both)
    else:
        reason = "Hedges' correction needs at least 2 degrees of freedom"
        g = EffectSize(
            name=f"Hedges' g{label}",
            undefined=dict.fromkeys(("estimate", "conf_low", "conf_high"), reason),
        )
    return {
        "hedges_g": g,
        "cohens_d": EffectSize(name=f"Cohen's d{label}", estimate=d, conf_low=low, conf_high=high, **both),
    }
