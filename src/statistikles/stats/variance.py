"""One-way analysis of variance: the classic F table, Welch's F beside it, effect sizes and post-hoc pairs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, FloatArray, GroupMap, Switch
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, SignificanceTest, Source
from statistikles.stats._distributions import f_sf
from statistikles.stats._levene import levene_of_medians
from statistikles.stats._magnitude import ETA_SQUARED, magnitude
from statistikles.stats._noncentral import nc_f_noncentrality
from statistikles.stats._one_way import Partition, describe_group, partition
from statistikles.stats._pairs import games_howell_pairs, tukey_pairs

__all__ = ["one_way_anova"]

# Above this many groups the pairs are too many to be read, and to be computed in a moment.
_POST_HOC_LIMIT = 20

declare_tool(
    "anova",
    title="Analysis of variance",
    summary="Compares means: of several groups, by two factors or with covariates held constant, or of repeated "
    "measures; with effect sizes and comparisons of all pairs.",
    chooser="type",
    default="one_way",
)


@statistic(
    tool="anova",
    subtype="one_way",
    title="One-way analysis of variance",
    use_when="two or more independent groups (usually three or more), a numeric outcome",
    utterances=(
        "do the three groups differ",
        "compare the means of several groups",
        "is there a difference between the species in body mass",
        "one-way ANOVA",
        "which groups differ from each other",
        "post hoc comparisons Tukey",
    ),
    refs=(
        "Fisher 1925, Statistical Methods for Research Workers",
        "Welch 1951, doi:10.1093/biomet/38.3-4.330",
        "Tukey 1953, The Problem of Multiple Comparisons (Collected Works, volume 8, 1994)",
        "Kramer 1956, doi:10.2307/3001469",
        "Games & Howell 1976, doi:10.3102/10769986001002113",
        "Steiger 2004, doi:10.1037/1082-989X.9.2.164",
        "Brown & Forsythe 1974, doi:10.1080/01621459.1974.10482955",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="scipy.stats:f_oneway",
    formula="F = (SS_between / (k − 1)) / (SS_within / (N − k))",
    equivalents={
        "R": "summary(aov(value ~ group)); oneway.test(value ~ group); TukeyHSD(aov(value ~ group))",
        "Python": "scipy.stats.f_oneway(*groups); scipy.stats.tukey_hsd(*groups)",
    },
    example={
        "groups": {
            "control": [4.17, 5.58, 5.18, 6.11, 4.50, 4.61, 5.17, 4.53, 5.33, 5.14],
            "treatment1": [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
            "treatment2": [6.31, 5.12, 5.54, 5.50, 5.37, 5.29, 4.92, 6.15, 5.80, 5.26],
        }
    },
    from_sums=lambda given: not given.get("decimal"),
)
def one_way_anova(
    groups: Annotated[Mapping[str, FloatArray], GroupMap(min_groups=2)],
    *,
    alpha: Alpha = 0.05,
    decimal: Switch = False,
    post_hoc: Switch = True,
) -> SignificanceTest:
    """One-way analysis of variance; Welch's and Brown and Forsythe's tests beside, and all pairs compared.

    Parameters
    ----------
    groups : the groups: named lists, a list of lists, or a column split by another.
    alpha : significance level; intervals have confidence 1 - alpha.
    decimal : read each number as the decimal it prints as and add without rounding (long constant digits).
    post_hoc : compare all pairs of groups as well (Tukey HSD and Games-Howell).

    Returns
    -------
    SignificanceTest : the classic F test leads; `details` holds the variance table, `also` Welch's test.

    Raises
    ------
    InputError : no group has two values.
    NotDefined : no variation within the groups.
    """
    parts = partition(groups, decimal=decimal)
    k, n = len(parts.sizes), parts.n
    if n == k:
        raise InputError(
            "The analysis of variance needs at least one group with two or more values.",
            hint="Every group given has a single value; check the grouping column.",
            where="groups",
            code="too_few_values",
        )
    if parts.ss_within == 0:
        same = (
            "all values are the same"
            if parts.ss_between == 0
            else "the groups differ only in their constants"
        )
        raise NotDefined(
            "The F test is undefined: every value within each group is the same, so there is no variation "
            f"to compare the differences with ({same}).",
            hint="Check that the right columns were used.",
            code="zero_variance",
        )
    between, within = parts.ss_between, parts.ss_within
    df1, df2 = k - 1, n - k
    f = float((between / df1) / (within / df2))
    level = 1 - alpha
    effects = _effect_sizes(between, within, df1, df2, f, level)
    homogeneity = levene_of_medians(groups, alpha)
    warnings = _cautions(groups, parts, homogeneity)
    pairs: dict[str, dict[str, SignificanceTest]] = {}
    if post_hoc and k <= _POST_HOC_LIMIT:
        pairs = {
            "tukey_hsd": tukey_pairs(parts, alpha),
            "games_howell": games_howell_pairs(parts, alpha),
        }
    elif post_hoc:
        warnings += (f"Pairs are compared for up to {_POST_HOC_LIMIT} groups; there are {k}.",)
    return SignificanceTest(
        method="One-way analysis of variance (classic F test, equal variances)",
        statistic_name="F",
        statistic=f,
        df=df1,
        df_error=df2,
        p_value=f_sf(f, df1, df2),
        alpha=alpha,
        effect_size=effects.pop("eta_squared"),
        effect_sizes=effects,
        n=n,
        groups={name: describe_group(values) for name, values in groups.items()},
        details={**_table(parts, f, df1, df2), "homogeneity": homogeneity},
        also={"welch": _welch(parts, alpha), "brown_forsythe": _brown_forsythe(parts, alpha)},
        post_hoc=pairs,
        warnings=warnings,
        conventions=(
            "the classic F test leads; Welch's test, which does not assume equal variances, stands beside it",
            "sums of squares exact in the decimals given" if decimal else "sums of squares in double-double",
            f"interval of η² and Cohen's f: noncentral F pivoted at {100 * level:g}% confidence",
            "ω² and ε² are left negative when F is below 1",
        ),
    )


# Table and effects ---------------------------------------------------------------------------------------


def _table(parts: Partition, f: float, df1: int, df2: int) -> dict[str, Any]:
    between, within = parts.ss_between, parts.ss_within
    rows = {
        "between": (between, df1, f, f_sf(f, df1, df2)),
        "within": (within, df2, None, None),
        "total": (between + within, df1 + df2, None, None),
    }
    out: dict[str, Any] = {}
    for name, (ss, df, statistic_, p) in rows.items():
        sum_sq = parts.natural(ss, 2)
        mean_sq = parts.natural(ss / df, 2) if name != "total" else None
        missing = "it does not fit a double-precision number; rescale the values"
        undefined = {"sum_sq": missing} if sum_sq is None else {}
        if name != "total" and mean_sq is None:
            undefined["mean_sq"] = missing
        out[name] = Source(
            sum_sq=sum_sq, df=df, mean_sq=mean_sq, statistic=statistic_, p_value=p, undefined=undefined
        )
    out["r_squared"] = float(between / (between + within))
    out["residual_std_dev"] = math.ldexp(_root(within / df2), -parts.shift)
    return out


def _root(value: Fraction) -> float:
    """Square root of a fraction whose parts may be too long for doubles."""
    whole = float(value)
    return math.sqrt(whole) if whole > 1e-290 else math.sqrt(float(value * 2**600)) * 2.0**-300


def _effect_sizes(
    between: Fraction, within: Fraction, df1: int, df2: int, f: float, level: float
) -> dict[str, EffectSize]:
    """η², ω², ε² and Cohen's f; the interval of η² and f comes from the noncentrality of F (Steiger 2004)."""
    n = df1 + df2 + 1
    mean_within = within / df2
    total = between + within
    eta = float(between / total)
    tail = (1 - level) / 2
    low, high = (nc_f_noncentrality(f, df1, df2, p) if f * df1 < 2e5 else None for p in (1 - tail, tail))
    note = (
        {}
        if low is not None
        else dict.fromkeys(("conf_low", "conf_high"), "F is too large for its noncentrality")
    )

    def made(name: str, value: float, bounds: tuple[float | None, float | None], size: str) -> EffectSize:
        return EffectSize(
            name=name,
            estimate=value,
            conf_low=bounds[0],
            conf_high=bounds[1],
            conf_level=level,
            conf_method="noncentral F",
            magnitude=size,
            undefined=note,
        )

    size = magnitude(eta, ETA_SQUARED)
    eta_bounds = tuple(None if b is None else b / (b + n) for b in (low, high))
    f_bounds = tuple(None if b is None else math.sqrt(b / n) for b in (low, high))
    return {
        "eta_squared": made("η²", eta, (eta_bounds[0], eta_bounds[1]), size),
        "omega_squared": EffectSize(
            name="ω²", estimate=float((between - df1 * mean_within) / (total + mean_within))
        ),
        "epsilon_squared": EffectSize(name="ε²", estimate=float((between - df1 * mean_within) / total)),
        "cohens_f": made("Cohen's f", math.sqrt(float(between / within)), (f_bounds[0], f_bounds[1]), size),
    }


# Tests that do not assume equal variances ----------------------------------------------------------------


def _undefined_test(method: str, reason: str, alpha: float) -> SignificanceTest:
    return SignificanceTest(
        method=method,
        statistic_name="F",
        alpha=alpha,
        undefined=dict.fromkeys(("statistic", "df", "df_error", "p_value"), reason),
    )


def _scarce(parts: Partition) -> str:
    """Why a test built on the variance of every group does not exist; empty when it does."""
    for name, n, ss in zip(parts.names, parts.sizes, parts.ss_groups, strict=True):
        if n < 2:
            return f"group '{name}' has a single value, so no variance of its own"
        if ss == 0:
            return f"all values of group '{name}' are the same, so its variance is zero"
    return ""


def _welch(parts: Partition, alpha: float) -> SignificanceTest:
    method = "Welch's one-way test (variances not assumed equal)"
    if reason := _scarce(parts):
        return _undefined_test(method, reason, alpha)
    k = len(parts.sizes)
    weights = [n / _known(parts, i) for i, n in enumerate(parts.sizes)]
    total = sum(weights, Fraction(0))
    centre = sum((w * m for w, m in zip(weights, parts.means, strict=True)), Fraction(0)) / total
    spread = sum((w * (m - centre) ** 2 for w, m in zip(weights, parts.means, strict=True)), Fraction(0))
    lack = sum(
        ((1 - w / total) ** 2 / (n - 1) for w, n in zip(weights, parts.sizes, strict=True)), Fraction(0)
    )
    f = float(spread / (k - 1) / (1 + Fraction(2 * (k - 2), k * k - 1) * lack))
    df2 = float((k * k - 1) / (3 * lack))
    omega = (k - 1) * (f - 1) / ((k - 1) * (f - 1) + parts.n)
    return SignificanceTest(
        method=method,
        statistic_name="F",
        statistic=f,
        df=k - 1,
        df_error=df2,
        p_value=f_sf(f, k - 1, df2),
        alpha=alpha,
        effect_size=EffectSize(name="ω² (from Welch's F)", estimate=omega),
    )


def _known(parts: Partition, group: int) -> Fraction:
    variance = parts.variance(group)
    if not variance:
        raise NotDefined("A group has no variance.", code="zero_variance")
    return variance


def _brown_forsythe(parts: Partition, alpha: float) -> SignificanceTest:
    """Brown and Forsythe's F* for means: the between sum of squares over its expectation under equal means."""
    method = "Brown–Forsythe test of means (variances not assumed equal)"
    single = [name for name, n in zip(parts.names, parts.sizes, strict=True) if n < 2]
    if single:
        return _undefined_test(method, f"group '{single[0]}' has a single value", alpha)
    terms = [(1 - Fraction(n, parts.n)) * (parts.variance(i) or 0) for i, n in enumerate(parts.sizes)]
    expected = sum(terms, Fraction(0))
    f = float(parts.ss_between / expected)
    shares = sum(
        ((t / expected) ** 2 / (n - 1) for t, n in zip(terms, parts.sizes, strict=True)), Fraction(0)
    )
    df1, df2 = len(parts.sizes) - 1, float(1 / shares)
    return SignificanceTest(
        method=method,
        statistic_name="F",
        statistic=f,
        df=df1,
        df_error=df2,
        p_value=f_sf(f, df1, df2),
        alpha=alpha,
    )


def _cautions(
    groups: Mapping[str, FloatArray], parts: Partition, homogeneity: SignificanceTest
) -> tuple[str, ...]:
    out = []
    for name, n, ss in zip(parts.names, parts.sizes, parts.ss_groups, strict=True):
        if n == 1:
            out.append(f"Group '{name}' has a single value.")
        elif ss == 0:
            out.append(f"All values of group '{name}' are the same.")
    variances = [float(v) for i in range(len(groups)) if (v := parts.variance(i)) is not None]
    uneven = max(variances) > 4 * min(variances) and len(set(parts.sizes)) > 1
    if (homogeneity.p_value is not None and homogeneity.p_value < 0.05) or uneven:
        out.append(
            "The variances of the groups differ (Levene's test or a ratio of standard deviations above 2 with "
            "unequal group sizes): read Welch's test and the Games–Howell pairs rather than the classic F."
        )
    return tuple(out)
