"""Checks of assumptions on groups and residuals: normality and equal variances."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    FloatArray,
    GroupMap,
)
from statistikles.registry.arguments import Vector as VectorKind
from statistikles.registry.declare import statistic
from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._assumption_tool import TOOL
from statistikles.stats._distributions import (
    anderson_darling_normal_p,
    anderson_darling_normal_statistic,
    chi2_sf,
    f_sf,
    lilliefors_p,
    lilliefors_statistic,
    nc_f_noncentrality,
    norm_ppf,
    shapiro_wilk,
)
from statistikles.stats._numerics import Vector, moments, quantile, rank_with_ties
from statistikles.stats._one_way import describe_group, partition

__all__ = ["bartlett", "levene", "normality"]

Values = Annotated[FloatArray, VectorKind(min_n=3)]
SpreadGroups = Annotated[Mapping[str, FloatArray], GroupMap(min_groups=2, min_n=2)]
AnyGroups = Annotated[Mapping[str, FloatArray], GroupMap(min_groups=1, min_n=3)]

# Shapiro-Wilk is calibrated up to this size; beyond it Anderson-Darling leads.
_SHAPIRO_MOST = 5000
# The noncentral F is not inverted beyond this: the interval would end at 1 anyway.
_LARGEST_F = 1e5


@statistic(
    tool=TOOL,
    subtype="normality",
    title="Tests of normality",
    use_when="a numeric variable (or the groups of an analysis) that should follow a normal distribution",
    utterances=(
        "is this variable normally distributed",
        "check normality",
        "Shapiro-Wilk test",
        "can I use a t test or are the data too skewed",
        "are the residuals normal",
    ),
    refs=(
        "Shapiro & Wilk 1965, doi:10.1093/biomet/52.3-4.591",
        "Royston 1995, doi:10.2307/2986146",
        "Jarque & Bera 1987, doi:10.2307/1403192",
        "Lilliefors 1967, doi:10.1080/01621459.1967.10482916",
        "D'Agostino & Stephens 1986, Goodness-of-Fit Techniques, Marcel Dekker",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="scipy.stats:shapiro",
    formula="W = (Σ a_i x_(i))² / Σ (x_i − m)²; JB = n/6 (g1² + g2²/4)",
    equivalents={
        "R": "shapiro.test(data); tseries::jarque.bera.test(data)",
        "Python": "scipy.stats.shapiro(data)",
    },
    example={"data": [148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236]},
    aliases=("normal", "shapiro", "shapiro_wilk", "jarque_bera", "lilliefors", "anderson_darling"),
)
def normality(
    data: Values | None = None, *, groups: AnyGroups | None = None, alpha: Alpha = 0.05
) -> SignificanceTest:
    """Tests of normality: Shapiro-Wilk leads, with Anderson-Darling, Lilliefors and Jarque-Bera beside it.

    Parameters
    ----------
    data : the values.
    groups : several groups instead of data: each is tested, and the deviations from the group means together.
    alpha : significance level.

    Returns
    -------
    SignificanceTest : the leading test, the others, skewness and excess kurtosis; by group where groups are given.

    Raises
    ------
    InputError : fewer than three values.
    NotDefined : all values are the same.
    """
    if (data is None) == (groups is None):
        raise InputError(
            "Give 'data' (one variable) or 'groups', and not both.",
            where="data",
            code="missing_argument" if data is None else "invalid_argument",
        )
    if groups is None:
        return _normality_of(data, alpha, {}, ())  # type: ignore[arg-type]
    by_group: dict[str, object] = {}
    for name, values in groups.items():
        if float(values.min()) == float(values.max()):
            reason = "all values of this group are the same"
            by_group[name] = SignificanceTest(
                method="Shapiro-Wilk test",
                statistic_name="W",
                undefined={"statistic": reason, "p_value": reason},
            )
        else:
            by_group[name] = _normality_of(values, alpha, {}, ())
    pooled = np.concatenate([g / 2 - float(np.mean(g / 2)) for g in groups.values()]) * 2
    if not np.isfinite(pooled).all():
        raise NotDefined(
            "The deviations from the group means do not fit double-precision numbers.",
            hint="Rescale the values (for example, divide all by the same constant).",
            where="groups",
            code="out_of_scale",
        )
    return _normality_of(
        pooled,
        alpha,
        by_group,
        ("the leading values are of the deviations from the group means, together; each group is listed",),
    )


def _normality_of(
    x: Vector, alpha: float, by_group: Mapping[str, object], said: tuple[str, ...]
) -> SignificanceTest:
    tests = _normality_tests(x, alpha)
    leader = tests["shapiro_wilk" if x.size <= _SHAPIRO_MOST else "anderson_darling"]
    m = moments(x)
    n = m.n
    return SignificanceTest(
        method=f"{leader.method} of normality",
        statistic_name=leader.statistic_name,
        statistic=leader.statistic,
        p_value=leader.p_value,
        alpha=alpha,
        n=n,
        groups={"sample": describe_group(x)},
        details={
            "skewness_g1": m.skew_g1,
            "skewness_std_error": math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))),
            "excess_kurtosis_g2": m.kurt_g2,
            "by_group": by_group,
        },
        also=tests,
        conventions=(
            "Shapiro-Wilk by Royston's approximation for 3 to 5000 values; beyond, Anderson-Darling leads",
            "Jarque-Bera with the plain moments (divisor n), chi-square with 2 df",
            "Lilliefors and Anderson-Darling with estimated mean and standard deviation (n − 1)",
            "skewness and excess kurtosis are the plain coefficients g1 and g2",
            *said,
        ),
        warnings=("A sample this small rarely shows a departure from normality.",) if n < 10 else (),
    )


def _normality_tests(x: Vector, alpha: float) -> dict[str, SignificanceTest]:
    """All four tests; those the sample is too small or too large for say so."""

    def unavailable(method: str, name: str, reason: str) -> SignificanceTest:
        return SignificanceTest(
            method=method, statistic_name=name, undefined={"statistic": reason, "p_value": reason}
        )

    def made(method: str, name: str, value: float, p: float, df: float | None = None) -> SignificanceTest:
        return SignificanceTest(
            method=method, statistic_name=name, statistic=value, df=df, p_value=p, alpha=alpha
        )

    n = int(x.size)
    m = moments(x)
    out = {}
    if n <= _SHAPIRO_MOST:
        out["shapiro_wilk"] = made("Shapiro-Wilk test", "W", *shapiro_wilk(x))
    else:
        out["shapiro_wilk"] = unavailable(
            "Shapiro-Wilk test", "W", "it is calibrated for at most 5000 values"
        )
    if n >= 8:
        a2 = anderson_darling_normal_statistic(x)
        out["anderson_darling"] = made("Anderson-Darling test", "A²", a2, anderson_darling_normal_p(a2, n))
    else:
        out["anderson_darling"] = unavailable("Anderson-Darling test", "A²", "it needs at least 8 values")
    if n >= 4:
        d = lilliefors_statistic(x)
        out["lilliefors"] = made("Lilliefors test", "D", d, lilliefors_p(d, n))
    else:
        out["lilliefors"] = unavailable("Lilliefors test", "D", "it needs at least 4 values")
    if m.skew_g1 is None or m.kurt_g2 is None:
        raise NotDefined(
            "A test of normality is not defined for constant data.", where="data", code="zero_variance"
        )
    jb = n / 6 * (m.skew_g1**2 + m.kurt_g2**2 / 4)
    out["jarque_bera"] = made("Jarque-Bera test", "JB", jb, chi2_sf(jb, 2), 2)
    return out


# Equal variances -----------------------------------------------------------------------------------------


@statistic(
    tool=TOOL,
    subtype="levene",
    title="Levene's test of equal variances",
    use_when="two or more groups whose spread should be equal, also when they are not normal",
    utterances=(
        "are the variances equal",
        "check homogeneity of variance",
        "do the groups have the same spread",
        "Brown-Forsythe test",
    ),
    refs=(
        "Levene 1960, in Olkin (ed.), Contributions to Probability and Statistics, 278-292",
        "Brown & Forsythe 1974, doi:10.1080/01621459.1974.10482955",
        "Fligner & Killeen 1976, Journal of the American Statistical Association 71, 210-213",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="scipy.stats:levene",
    formula="one-way ANOVA F of |x_ij − centre_i|, centre the median (leads) or the mean",
    equivalents={"R": "car::leveneTest(values, group)", "Python": "scipy.stats.levene(*groups)"},
    example={
        "groups": {"a": [8.9, 9.1, 8.8, 9.4, 9.0], "b": [7.2, 10.8, 9.9, 6.1, 8.7], "c": [9.2, 8.1, 9.9, 8.8]}
    },
    aliases=("brown_forsythe", "homogeneity", "equal_variances", "homoscedasticity", "fligner"),
)
def levene(groups: SpreadGroups, *, alpha: Alpha = 0.05) -> SignificanceTest:
    """Levene's test of equal variances, centred at the median (Brown-Forsythe); mean-centred beside it.

    Parameters
    ----------
    groups : the groups, named.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : F of the absolute deviations from the group medians, and from the group means; and the
        Fligner-Killeen rank test.

    Raises
    ------
    InputError : fewer than two groups, or a group with fewer than two values.
    NotDefined : the deviations do not vary within the groups.
    """
    # Quarters of values near the largest double: their deviations fit, and F has no unit.
    unit = 0.25 if max(float(np.abs(g).max()) for g in groups.values()) > 1e307 else 1.0
    at_median = {k: np.abs(g * unit - quantile(g, 0.5) * unit) for k, g in groups.items()}
    at_mean = {k: np.abs(g * unit - moments(g).mean * unit) for k, g in groups.items()}
    n, k = sum(g.size for g in groups.values()), len(groups)
    df1, df2 = k - 1, n - k
    f = _one_way_f(at_median)
    if f is None:
        raise NotDefined(
            "Levene's test is undefined: within every group the deviations from the median are all the same.",
            hint="Give more values per group, or check for constant groups.",
            code="zero_variance",
        )
    f_mean = _one_way_f(at_mean)
    reason = "within every group the deviations from the mean are all the same"
    mean_centred = SignificanceTest(
        method="Levene's test (centred at the mean)",
        statistic_name="F",
        statistic=f_mean,
        df=df1,
        df_error=df2,
        p_value=None if f_mean is None else f_sf(f_mean, df1, df2),
        alpha=alpha,
        undefined={"statistic": reason, "p_value": reason} if f_mean is None else {},
    )
    eta = df1 * f / (df1 * f + df2)
    low, high = (
        _share(nc_f_noncentrality(min(f, _LARGEST_F), df1, df2, q), n) for q in (1 - alpha / 2, alpha / 2)
    )
    return SignificanceTest(
        method="Levene's test of equal variances (centred at the median: Brown-Forsythe)",
        statistic_name="F",
        statistic=f,
        df=df1,
        df_error=df2,
        p_value=f_sf(f, df1, df2),
        alpha=alpha,
        effect_size=EffectSize(
            name="η² of the absolute deviations",
            estimate=eta,
            conf_low=min(low, eta),
            conf_high=max(high, eta),
            conf_level=1 - alpha,
            conf_method="noncentral F",
        ),
        n=n,
        groups={name: describe_group(g) for name, g in groups.items()},
        details=_variance_details(groups),
        also={"mean_centred": mean_centred, "fligner_killeen": _fligner(at_median, alpha)},
        conventions=("centred at the group medians; centred at the means beside it",),
    )


def _share(noncentrality: float, n: int) -> float:
    return noncentrality / (noncentrality + n)


def _one_way_f(parts: Mapping[str, Vector]) -> float | None:
    """F of a one-way analysis of variance, None when nothing varies within the groups."""
    p = partition(parts)
    within, k = p.ss_within, len(p.sizes)
    if within == 0:
        return None
    return float(p.ss_between / (k - 1) / (within / (p.n - k)))


def _variance_details(groups: Mapping[str, Vector]) -> dict[str, object]:
    variances = {name: moments(g).variance for name, g in groups.items()}
    known = [v for v in variances.values() if v is not None]
    ratio = max(known) / min(known) if len(known) == len(groups) and min(known) > 0 else None
    out: dict[str, object] = {"variances": {k: v for k, v in variances.items() if v is not None}}
    if ratio is not None and math.isfinite(ratio):
        return out | {"variance_ratio": ratio}
    return out | {
        "variance_ratio": None,
        "undefined": {"variance_ratio": "the smallest variance is zero, or out of the range of a double"},
    }


def _fligner(deviations: Mapping[str, Vector], alpha: float) -> SignificanceTest:
    """Fligner-Killeen: normal scores of the ranks of the absolute deviations from the group medians."""
    parts = list(deviations.values())
    ranks, _ = rank_with_ties(np.concatenate(parts))
    n, k = ranks.size, len(parts)
    score = {r: norm_ppf(0.5 + r / (n + 1) / 2) for r in np.unique(ranks).tolist()}
    scores = np.array([score[r] for r in ranks.tolist()])
    variance = float(scores.var(ddof=1))
    shared: dict[str, Any] = {"method": "Fligner-Killeen test", "statistic_name": "χ²", "df": k - 1}
    if len(score) == 1:
        reason = "all deviations are tied"
        return SignificanceTest(**shared, undefined={"statistic": reason, "p_value": reason})
    cuts = np.cumsum([p.size for p in parts])[:-1]
    centre = float(scores.mean())
    value = math.fsum(s.size * (float(s.mean()) - centre) ** 2 for s in np.split(scores, cuts)) / variance
    return SignificanceTest(**shared, statistic=value, p_value=chi2_sf(value, k - 1), alpha=alpha)


@statistic(
    tool=TOOL,
    subtype="bartlett",
    title="Bartlett's test of equal variances",
    use_when="two or more normal groups whose variances should be equal",
    utterances=(
        "Bartlett's test",
        "are the variances equal, given normal data",
        "homogeneity of variances of normal samples",
    ),
    refs=("Bartlett 1937, doi:10.1098/rspa.1937.0109",),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="scipy.stats:bartlett",
    formula="K² = [(N − k) ln s_p² − Σ (n_i − 1) ln s_i²] / C, C = 1 + (Σ 1/(n_i − 1) − 1/(N − k)) / (3(k − 1))",
    equivalents={"R": "bartlett.test(groups)", "Python": "scipy.stats.bartlett(*groups)"},
    example={
        "groups": {"a": [8.9, 9.1, 8.8, 9.4, 9.0], "b": [7.2, 10.8, 9.9, 6.1, 8.7], "c": [9.2, 8.1, 9.9, 8.8]}
    },
)
def bartlett(groups: SpreadGroups, *, alpha: Alpha = 0.05) -> SignificanceTest:
    """Bartlett's test of equal variances of normal groups.

    Parameters
    ----------
    groups : the groups, named.
    alpha : significance level.

    Returns
    -------
    SignificanceTest : K², with the variances and the ratio of the largest to the smallest.

    Raises
    ------
    InputError : fewer than two groups, or a group with fewer than two values.
    NotDefined : a group is constant.
    """
    p = partition(groups)
    k, n = len(p.sizes), p.n
    constant = [name for name, ss in zip(p.names, p.ss_groups, strict=True) if ss == 0]
    if constant:
        raise NotDefined(
            f"Bartlett's test is undefined: all values of {', '.join(constant)} are the same.",
            hint="Leave that group out, or use Levene's test.",
            code="zero_variance",
        )
    logs = [_log(ss / (size - 1)) for ss, size in zip(p.ss_groups, p.sizes, strict=True)]
    pooled = _log(p.ss_within / (n - k))
    raw = math.fsum((size - 1) * (pooled - log) for size, log in zip(p.sizes, logs, strict=True))
    correction = 1 + (sum(1 / (size - 1) for size in p.sizes) - 1 / (n - k)) / (3 * (k - 1))
    value = max(0.0, raw / correction)
    unequal = "the two variances were chosen as the extreme ones, so no interval holds for their ratio"
    ratio = math.exp(max(logs) - min(logs)) if max(logs) - min(logs) < 700 else None
    return SignificanceTest(
        method="Bartlett's test of equal variances",
        statistic_name="K²",
        statistic=value,
        df=k - 1,
        p_value=chi2_sf(value, k - 1),
        alpha=alpha,
        effect_size=EffectSize(
            name="ratio of the largest to the smallest variance",
            estimate=ratio,
            undefined={"conf_low": unequal, "conf_high": unequal}
            | ({} if ratio is not None else {"estimate": "the ratio is out of the range of a double"}),
        ),
        n=n,
        groups={name: describe_group(g) for name, g in groups.items()},
        details=_variance_details(groups),
        conventions=("assumes normal groups: a departure from normality shows as unequal variances",),
    )


def _log(value: Fraction) -> float:
    """Natural logarithm of a positive fraction of any size."""
    whole = float(value) if 1e-300 < value < 1e300 else 0.0
    return math.log(whole) if whole else math.log(value.numerator) - math.log(value.denominator)
