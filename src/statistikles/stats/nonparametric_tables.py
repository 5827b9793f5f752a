"""Tests of whole distributions and of classified counts: Kolmogorov-Smirnov, Stuart-Maxwell, Mood's median."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Alternative,
    FloatArray,
    GroupMap,
    MatrixOf,
    NameList,
)
from statistikles.registry.arguments import Vector as VectorKind
from statistikles.registry.declare import statistic
from statistikles.results import Description, EffectSize, SignificanceTest
from statistikles.stats._distributions import chi2_sf, kolmogorov_asymptotic_sf, ks_two_sample_exact_p
from statistikles.stats._numerics import Vector, quantile
from statistikles.stats._rank_family import (
    GroupNames,
    RankMethod,
    TwoGroups,
    chi_square_effect,
    describe_ranked,
)
from statistikles.stats._two_samples import two_samples

__all__ = ["ks_2sample", "mood_median", "stuart_maxwell"]

Values = Annotated[FloatArray, VectorKind(min_n=1)]
SquareTable = Annotated[FloatArray, MatrixOf(square=True, low=0.0, high=1e12, whole=True)]
CategoryNames = Annotated[tuple[str, ...], NameList(of=("data",))]
ManyGroups = Annotated[Mapping[str, FloatArray], GroupMap(min_groups=2, min_n=1)]

# The exact distribution takes (n1 + n2) x n1 steps: up to this many it is used without asking, or on request.
_PATHS_UNASKED = 4e6
_PATHS_MOST = 1e9


@statistic(
    tool="nonparametric_test",
    subtype="ks_2sample",
    title="Two-sample Kolmogorov-Smirnov test",
    use_when="two independent groups that may differ in anything: place, spread or shape of the distribution",
    utterances=(
        "do two samples come from the same distribution",
        "compare the whole distributions of two groups",
        "KS test of two samples",
        "largest difference of two cumulative distributions",
    ),
    refs=(
        "Smirnov 1939, Bulletin mathématique de l'Université de Moscou 2(2), 3-14",
        "Schröer & Trenkler 1995, Computational Statistics & Data Analysis 20, 185-202",
        "Massart 1990, doi:10.1214/aop/1176990746",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="scipy.stats:ks_2samp",
    formula="D = max |F1(x) − F2(x)| over all x",
    equivalents={"R": "ks.test(group1, group2)", "Python": "scipy.stats.ks_2samp(group1, group2)"},
    example={
        "group1": [0.61, 0.29, 0.06, 0.59, 1.73, 0.74, 0.51],
        "group2": [0.96, 1.92, 1.63, 0.84, 2.55, 1.30, 1.12, 1.45],
    },
    aliases=("ks", "kolmogorov_smirnov", "ks_2samp", "ks_two_sample", "smirnov"),
)
def ks_2sample(
    group1: Values | None = None,
    group2: Values | None = None,
    *,
    groups: TwoGroups | None = None,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    method: RankMethod = "auto",
    group_names: GroupNames | None = None,
) -> SignificanceTest:
    """Two-sample Kolmogorov-Smirnov test: the largest distance between two empirical distribution functions.

    Parameters
    ----------
    group1 : numbers of the first group.
    group2 : numbers of the second group.
    groups : both groups at once, named; instead of group1 and group2.
    alpha : significance level; intervals have confidence 1 - alpha.
    alternative : "two-sided", "greater" (the distribution function of the first group lies above: smaller
        values) or "less".
    method : "auto" (exact while the samples are not very large), "exact" or "asymptotic".
    group_names : names of the two groups in the result.

    Returns
    -------
    SignificanceTest : D, where it occurs, and its p value over all splits of the pooled values, ties included.

    Raises
    ------
    InputError : a group is empty, or the exact distribution is too large to count.
    """
    (name1, name2), x, y = two_samples(group1, group2, groups, group_names)
    n1, n2 = int(x.size), int(y.size)
    above, below, where_above, where_below = _distances(x, y)
    d = {"two-sided": max(above, below), "greater": above, "less": below}[alternative]
    place = where_above if alternative == "greater" or (d == above and alternative != "less") else where_below
    work = (n1 + n2) * min(n1, n2)
    if method == "exact" and work > _PATHS_MOST:
        raise _too_large()
    asymptotic = _ks_asymptotic(d, n1, n2, alternative)
    tied = np.unique(np.concatenate((x, y))).size < n1 + n2
    if method == "exact" or (method == "auto" and work <= _PATHS_UNASKED):
        p = ks_two_sample_exact_p(x, y, alternative)[1]
        how = "exact" + (", over all splits of the tied values" if tied else "")
    else:
        p, how = asymptotic, "asymptotic" + (", conservative with ties" if tied else "")
    untied = (
        ks_two_sample_exact_p(x, y, alternative, as_if_untied=True)[1] if tied and how[0] == "e" else None
    )
    # Two one-sample bands of half the error rate each hold together.
    reach = math.sqrt(math.log(4 / alpha) / 2) * (1 / math.sqrt(n1) + 1 / math.sqrt(n2))
    low, high = max(0.0, d - reach), min(1.0, d + reach)
    return SignificanceTest(
        method=f"Two-sample Kolmogorov-Smirnov test ({how})",
        statistic_name="D",
        statistic=d,
        p_value=p,
        alternative=alternative,
        alpha=alpha,
        effect_size=EffectSize(
            name="largest distance D",
            estimate=d,
            conf_low=low,
            conf_high=high,
            conf_level=1 - alpha,
            conf_method="Dvoretzky-Kiefer-Wolfowitz-Massart bands of both samples (conservative)",
        ),
        n=n1 + n2,
        groups={name1: describe_ranked(x), name2: describe_ranked(y)},
        details={"d_greater": above, "d_less": below, "location": place},
        also={
            "asymptotic": SignificanceTest(
                method="Asymptotic",
                statistic_name="D",
                statistic=d,
                p_value=asymptotic,
                alternative=alternative,
            ),
            **({} if untied is None else {"without_ties": _as_if_untied(d, untied, alternative)}),
        },
        conventions=(
            f"location: a value at which the distance occurs; d_greater is where {name1}'s function lies above",
            "the exact p conditions on the ties present; D = 0 gives p = 1"
            if how[0] == "e"
            else "D = 0 gives p = 1",
        ),
    )


def _as_if_untied(d: float, p: float, alternative: str) -> SignificanceTest:
    return SignificanceTest(
        method="Exact, as if no values were tied",
        statistic_name="D",
        statistic=d,
        p_value=p,
        alternative=alternative,
    )


def _too_large() -> InputError:
    return InputError(
        "The exact distribution is too large to count for samples of this size.",
        hint="Use method 'asymptotic', which is accurate for samples of this size.",
        where="method",
        code="limit_exceeded",
    )


def _distances(x: Vector, y: Vector) -> tuple[float, float, float, float]:
    """Largest F1 - F2 and F2 - F1 (at least 0) and where each occurs."""
    points = np.unique(np.concatenate((x, y)))
    first = np.searchsorted(np.sort(x), points, "right")
    second = np.searchsorted(np.sort(y), points, "right")
    gap = first * y.size - second * x.size  # whole numbers: no rounding decides a tie
    most, least = int(np.argmax(gap)), int(np.argmin(gap))
    cells = x.size * y.size
    return (
        max(0, int(gap[most])) / cells,
        max(0, -int(gap[least])) / cells,
        float(points[most]),
        float(points[least]),
    )


def _ks_asymptotic(d: float, n1: int, n2: int, alternative: str) -> float:
    effective = n1 * n2 / (n1 + n2)
    if alternative == "two-sided":
        return kolmogorov_asymptotic_sf(math.sqrt(effective) * d)
    return math.exp(-2 * effective * d * d)


# Counts --------------------------------------------------------------------------------------------------


@statistic(
    tool="nonparametric_test",
    subtype="stuart_maxwell",
    title="Stuart-Maxwell test",
    use_when="the same subjects classified twice into three or more categories (a square table of counts)",
    utterances=(
        "did the distribution over categories change between two occasions",
        "marginal homogeneity of a square table",
        "McNemar for more than two categories",
        "do two raters use the categories equally often",
    ),
    refs=(
        "Stuart 1955, doi:10.1093/biomet/42.3-4.412",
        "Maxwell 1970, doi:10.1192/bjp.116.535.651",
        "Bowker 1948, Journal of the American Statistical Association 43, 572-574",
        "Bhapkar 1966, Journal of the American Statistical Association 61, 228-235",
    ),
    laws=(),
    oracle="statsmodels.stats.contingency_tables:SquareTable.homogeneity",
    formula="X² = d' S⁻¹ d, d_i = n_i. − n_.i, S_ii = n_i. + n_.i − 2 n_ii, S_ij = −(n_ij + n_ji); df = k − 1",
    equivalents={
        "R": "DescTools::StuartMaxwellTest(data)",
        "Python": "statsmodels.stats.contingency_tables.SquareTable(data).homogeneity()",
    },
    example={"data": [[20, 10, 5], [3, 30, 15], [0, 5, 40]]},
    aliases=("marginal_homogeneity", "maxwell", "stuart"),
)
def stuart_maxwell(
    data: SquareTable, *, alpha: Alpha = 0.05, names: CategoryNames | None = None
) -> SignificanceTest:
    """Stuart-Maxwell test of marginal homogeneity, with Bhapkar's and Bowker's tests beside it.

    Parameters
    ----------
    data : square table of counts: rows = first classification, columns = second, categories in the same order.
    alpha : significance level.
    names : names of the categories in the result.

    Returns
    -------
    SignificanceTest : X² of the marginal differences, with the two marginal proportions of each category.

    Raises
    ------
    InputError : the table is not square, or has fewer than two categories.
    NotDefined : no subject changed category.
    """
    k = data.shape[0]
    if k < 2:
        raise InputError("Argument 'data' needs at least two categories.", where="data", code="shape")
    if names is not None and len(names) != k:
        raise InputError(f"Argument 'names' has {len(names)} names for {k} categories.", where="names")
    labels = list(names) if names else [f"category{i}" for i in range(1, k + 1)]
    n = float(data.sum())
    moved = data + data.T
    np.fill_diagonal(moved, 0.0)
    if not moved.any():
        raise NotDefined(
            "The Stuart-Maxwell test is undefined: every subject stays in the same category.",
            hint="Report the table itself: the two classifications agree completely.",
            code="zero_variance",
        )
    rows, columns = data.sum(axis=1), data.sum(axis=0)
    statistic_, df = _homogeneity(rows - columns, moved)
    p = chi2_sf(statistic_, df)
    effect = chi_square_effect("Cohen's w", statistic_, df, n, 1 - alpha, offset=False, root=True)
    discordant = moved.sum() / 2
    return SignificanceTest(
        method="Stuart-Maxwell test of marginal homogeneity (chi-square approximation)",
        statistic_name="X²",
        statistic=statistic_,
        df=df,
        p_value=p,
        alpha=alpha,
        effect_size=effect,
        n=int(n),
        details={
            "n_changed": int(discordant),
            "marginal_proportions": {
                label: {
                    "first": float(rows[i]) / n,
                    "second": float(columns[i]) / n,
                    "difference": float(rows[i] - columns[i]) / n,
                }
                for i, label in enumerate(labels)
            },
        },
        also={"bhapkar": _bhapkar(statistic_, df, n, alpha), "bowker": _bowker(data, alpha)},
        conventions=(
            "differences of the marginals are first classification (rows) minus second (columns)",
            "df counts the categories between which subjects moved, less one for each separate set of them",
            "Cohen's w is sqrt(X²/n); Bowker's test of symmetry is a stronger hypothesis",
        ),
        warnings=("Few subjects changed category: the chi-square approximation is rough.",)
        if discordant < 10
        else (),
    )


def _homogeneity(d: Vector, moved: FloatArray) -> tuple[float, int]:
    """X² and df: one quadratic form for each set of categories linked by moves."""
    total, df = 0.0, 0
    unseen = set(range(d.size))
    while unseen:
        block, edge = set(), {min(unseen)}
        while edge:
            i = edge.pop()
            block.add(i)
            edge |= {int(j) for j in np.flatnonzero(moved[i])} - block
        unseen -= block
        members = sorted(block)[:-1]  # the last difference follows from the others
        if members:
            part = np.ix_(members, members)
            s = np.diag(moved[members].sum(axis=1)) - moved[part]
            total += float(d[members] @ np.linalg.solve(s, d[members]))
            df += len(members)
    return max(0.0, total), df


def _bhapkar(statistic_: float, df: int, n: float, alpha: float) -> SignificanceTest:
    if statistic_ >= n * (1 - 1e-12):
        reason = "the Stuart-Maxwell statistic equals n, where Bhapkar's is infinite"
        return SignificanceTest(
            method="Bhapkar's test",
            statistic_name="X²",
            df=df,
            undefined={"statistic": reason, "p_value": reason},
        )
    value = statistic_ / (1 - statistic_ / n)
    return SignificanceTest(
        method="Bhapkar's test",
        statistic_name="X²",
        statistic=value,
        df=df,
        p_value=chi2_sf(value, df),
        alpha=alpha,
    )


def _bowker(data: FloatArray, alpha: float) -> SignificanceTest:
    upper = np.triu_indices(data.shape[0], 1)
    a, b = data[upper], data.T[upper]
    used = a + b > 0
    value = float(((a - b)[used] ** 2 / (a + b)[used]).sum())
    df = int(used.sum())
    return SignificanceTest(
        method="Bowker's test of symmetry",
        statistic_name="X²",
        statistic=value,
        df=df,
        p_value=chi2_sf(value, df),
        alpha=alpha,
    )


@statistic(
    tool="nonparametric_test",
    subtype="mood_median",
    title="Mood's median test",
    use_when="two or more independent groups whose medians are compared, with heavy tails or censored extremes",
    utterances=(
        "do the groups have the same median",
        "median test of several groups",
        "compare medians without assuming equal shapes",
    ),
    refs=("Mood 1950, Introduction to the Theory of Statistics, McGraw-Hill, 394-399",),
    laws=("scale_invariant", "order_invariant"),
    oracle="scipy.stats:median_test",
    formula="Pearson's χ² of the k x 2 table of counts above / not above the grand median, df = k − 1",
    equivalents={
        "R": "chisq.test(table(values > median(values), group), correct = FALSE)",
        "Python": "scipy.stats.median_test(*groups, correction=False)",
    },
    example={
        "groups": {
            "a": [3.1, 4.2, 2.7, 5.0, 3.8, 2.2, 4.4],
            "b": [4.9, 6.1, 5.3, 4.6, 7.0, 5.8],
            "c": [3.9, 4.1, 5.2, 3.3, 4.8, 6.2, 2.9],
        }
    },
    aliases=("median_test", "moods_median", "mood"),
)
def mood_median(groups: ManyGroups, *, alpha: Alpha = 0.05) -> SignificanceTest:
    """Mood's median test: do the groups lie above the grand median equally often.

    Parameters
    ----------
    groups : the groups, named.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : Pearson's chi-square, values equal to the median counted as not above; beside it the test
        without them, and with Yates's correction for two groups.

    Raises
    ------
    InputError : fewer than two groups, or an empty group.
    NotDefined : no value lies above the grand median.
    """
    pooled = np.concatenate(list(groups.values()))
    median = quantile(pooled, 0.5)
    above = np.array([float((g > median).sum()) for g in groups.values()])
    sizes = np.array([float(g.size) for g in groups.values()])
    equal = np.array([float((g == median).sum()) for g in groups.values()])
    if above.sum() == 0.0:
        raise NotDefined(
            "Mood's median test is undefined: no value lies above the grand median.",
            hint="More than half of the values equal the largest one; compare proportions instead.",
            code="zero_variance",
        )
    k, n = len(groups), float(sizes.sum())
    value, smallest = _pearson(above, sizes)
    warnings = []
    if smallest < 5:
        warnings.append("An expected count is below 5: the chi-square approximation is rough.")
    return SignificanceTest(
        method="Mood's median test (Pearson chi-square, values equal to the median counted as not above)",
        statistic_name="χ²",
        statistic=value,
        df=k - 1,
        p_value=chi2_sf(value, k - 1),
        alpha=alpha,
        estimate_name="grand median",
        estimate=median,
        effect_size=chi_square_effect("Cramér's V", value, k - 1, n, 1 - alpha, offset=False, root=True),
        n=int(n),
        groups={
            name: Description(
                n=int(g.size), median=quantile(g, 0.5), minimum=float(g.min()), maximum=float(g.max())
            )
            for name, g in groups.items()
        },
        details={
            "n_above": {name: int(a) for name, a in zip(groups, above, strict=True)},
            "n_not_above": {name: int(s - a) for name, s, a in zip(groups, sizes, above, strict=True)},
            "smallest_expected": smallest,
        },
        also={
            "ties_left_out": _without_ties(above, sizes - equal, alpha),
            "yates": _yates(above, sizes, alpha),
        },
        conventions=("no continuity correction; Yates's correction beside it for two groups",),
        warnings=tuple(warnings),
    )


def _pearson(above: Vector, sizes: Vector, *, correction: bool = False) -> tuple[float, float]:
    """Chi-square of above / not above by group, and the smallest expected count."""
    share = above.sum() / sizes.sum()
    expected = np.array((sizes * share, sizes * (1 - share)))
    gap = np.abs(above - expected[0])
    if correction:
        gap = gap - np.minimum(0.5, gap)
    return float((gap**2 * (1 / expected).sum(axis=0)).sum()), float(expected.min())


def _without_ties(above: Vector, sizes: Vector, alpha: float) -> SignificanceTest:
    method = "values equal to the median left out"
    df = above.size - 1
    if (sizes == 0).any() or above.sum() in (0.0, sizes.sum()):
        reason = "without the values equal to the median a group or a side of the table is empty"
        return SignificanceTest(
            method=method, statistic_name="χ²", undefined={"statistic": reason, "p_value": reason}
        )
    value, _ = _pearson(above, sizes)
    return SignificanceTest(
        method=method, statistic_name="χ²", statistic=value, df=df, p_value=chi2_sf(value, df), alpha=alpha
    )


def _yates(above: Vector, sizes: Vector, alpha: float) -> SignificanceTest:
    method = "Yates's continuity correction"
    if above.size > 2:
        reason = "Yates's correction is for two groups"
        return SignificanceTest(
            method=method, statistic_name="χ²", undefined={"statistic": reason, "p_value": reason}
        )
    value, _ = _pearson(above, sizes, correction=True)
    return SignificanceTest(
        method=method, statistic_name="χ²", statistic=value, df=1, p_value=chi2_sf(value, 1), alpha=alpha
    )
