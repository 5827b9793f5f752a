"""Rank tests of two samples: Mann-Whitney for independent ones, Wilcoxon signed-rank for pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, Alternative, FloatArray, Real
from statistikles.registry.arguments import Vector as VectorKind
from statistikles.registry.declare import statistic
from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats import _exact
from statistikles.stats._distributions import (
    mann_whitney_exact_tails,
    norm_isf,
    norm_sf,
    p_from_tails,
)
from statistikles.stats._numerics import Vector, rank_with_ties
from statistikles.stats._rank_exact import rank_sum_cells, rank_sum_table, signed_rank_table
from statistikles.stats._rank_family import (
    GroupNames,
    RankMethod,
    TwoGroups,
    describe_ranked,
    dominance,
)
from statistikles.stats._rank_intervals import pseudomedian, shift_of_medians
from statistikles.stats._two_samples import two_samples

__all__ = ["mann_whitney", "wilcoxon"]

Values = Annotated[FloatArray, VectorKind(min_n=1)]

_WILCOXON = "Wilcoxon 1945, doi:10.2307/3001968"
_HODGES = "Hodges & Lehmann 1963, doi:10.1214/aoms/1177704172"

# The exact distribution is used without asking up to these sizes; on request while its work stays bearable.
_EXACT_GROUP = 50
_EXACT_PAIRS = 100
_EXACT_WORK = 2e9
_EXACT_PAIRS_MOST = 1000


@statistic(
    tool="nonparametric_test",
    subtype="mann_whitney",
    title="Mann-Whitney U test",
    use_when="two independent groups, an ordinal or skewed outcome, or outliers",
    utterances=(
        "compare two groups without assuming normality",
        "rank sum test of two independent samples",
        "nonparametric alternative to the t test",
        "are the values in one group usually higher than in the other",
        "Wilcoxon rank-sum",
    ),
    refs=(
        "Mann & Whitney 1947, doi:10.1214/aoms/1177730491",
        _WILCOXON,
        _HODGES,
        "Cliff 1993, doi:10.1037/0033-2909.114.3.494",
        "Vargha & Delaney 2000, doi:10.3102/10769986025002101",
        "Newcombe 2006, doi:10.1002/sim.2324",
    ),
    laws=("shift_invariant", "scale_invariant", "swap_negates", "order_invariant"),
    oracle="scipy.stats:mannwhitneyu",
    formula="U1 = #{x_i > y_j} + #{x_i = y_j}/2 = R1 − n1(n1 + 1)/2; δ = 2 U1/(n1 n2) − 1",
    equivalents={
        "R": "wilcox.test(group1, group2, conf.int = TRUE)",
        "Python": "scipy.stats.mannwhitneyu(group1, group2)",
    },
    example={
        "group1": [1.1, 2.3, 0.7, 3.9, 2.8, 4.4, 1.9],
        "group2": [3.1, 4.7, 5.2, 2.6, 6.3, 5.9, 4.1, 7.0],
    },
    aliases=("mann_whitney_u", "mannwhitney", "wilcoxon_rank_sum", "rank_sum", "mwu", "u_test"),
)
def mann_whitney(
    group1: Values | None = None,
    group2: Values | None = None,
    *,
    groups: TwoGroups | None = None,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    method: RankMethod = "auto",
    group_names: GroupNames | None = None,
) -> SignificanceTest:
    """Mann-Whitney U test of two independent groups, with the Hodges-Lehmann shift and rank-biserial correlation.

    Parameters
    ----------
    group1 : numbers of the first group.
    group2 : numbers of the second group.
    groups : both groups at once, named; instead of group1 and group2.
    alpha : significance level; intervals have confidence 1 - alpha.
    alternative : "two-sided", "greater" (values of the first group tend to be larger) or "less".
    method : "auto" (exact while both groups have at most 50 values), "exact" or "asymptotic".
    group_names : names of the two groups in the result.

    Returns
    -------
    SignificanceTest : the statistic is U of the first group; the estimate is the median of all differences
        first minus second.

    Raises
    ------
    InputError : a group is empty, or the exact distribution is too large to list.
    """
    (name1, name2), x, y = two_samples(group1, group2, groups, group_names)
    n1, n2 = int(x.size), int(y.size)
    ranks, ties = rank_with_ties(np.concatenate((x, y)))
    u1 = float(ranks[:n1].sum()) - n1 * (n1 + 1) / 2
    u2 = n1 * n2 - u1
    exact = _choose_exact(method, max(n1, n2) <= _EXACT_GROUP, rank_sum_cells(n1, n2) <= _EXACT_WORK)
    asymptotic = _normal_u(u1, n1, n2, ties, alternative, alpha)
    described = {name1: describe_ranked(x, ranks[:n1]), name2: describe_ranked(y, ranks[n1:])}
    effects = dominance(u1, n1, n2, 1 - alpha)
    shift = shift_of_medians(x, y, alpha, alternative, exact=exact)
    warnings = []
    if len(ties) == 1 and ties[0] == n1 + n2:
        warnings.append("All values are the same: every arrangement gives this U, so p is 1.")
    if exact:
        p = _exact_u_p(ranks, u1, n1, n2, bool(ties), alternative)
        how = "exact" + (", over all arrangements of the tied ranks" if ties else "")
    else:
        p, how = asymptotic.p_value or 0.0, "normal approximation, tie- and continuity-corrected"
    return SignificanceTest(
        method=f"Mann-Whitney U test ({how})",
        statistic_name="U",
        statistic=u1,
        p_value=p,
        alternative=alternative,
        null_value=0.0,
        alpha=alpha,
        estimate_name=f"Hodges-Lehmann shift (median of the differences {name1} − {name2})",
        effect_size=effects.pop("rank_biserial"),
        effect_sizes=effects,
        n=n1 + n2,
        groups=described,
        details={"u1": u1, "u2": u2, "n_tied_values": sum(ties)},
        also={"asymptotic": asymptotic},
        conventions=(
            f"U counts the pairs in which {name1} is larger, ties as one half; both U are reported",
            *(
                ("exact two-sided p: all arrangements whose U is at least as far from its mean",)
                if exact
                else ()
            ),
            "asymptotic: variance corrected for ties, continuity correction of 1/2 that never passes the mean",
        ),
        warnings=(*warnings, *shift.pop("warnings", ())),  # type: ignore[misc]
        **shift,  # type: ignore[arg-type]
    )


def _choose_exact(method: str, small: bool, feasible: bool) -> bool:
    if method == "exact" and not feasible:
        raise InputError(
            "The exact distribution is too large to list for samples of this size.",
            hint="Use method 'asymptotic', which is accurate for samples of this size.",
            where="method",
            code="limit_exceeded",
        )
    return method == "exact" or (method == "auto" and small)


def _exact_u_p(ranks: Vector, u1: float, n1: int, n2: int, tied: bool, alternative: str) -> float:
    if tied:
        return rank_sum_table(ranks, n1).p_value(float(ranks[:n1].sum()), alternative)
    return p_from_tails(*mann_whitney_exact_tails(u1, n1, n2), alternative)


def _normal_u(
    u1: float, n1: int, n2: int, ties: list[int], alternative: str, alpha: float
) -> SignificanceTest:
    """The normal approximation of U, corrected for ties and continuity."""
    n = n1 + n2
    tied = sum(t**3 - t for t in ties) / (n * (n - 1)) if n > 1 else 0.0
    variance = max(0.0, n1 * n2 / 12 * ((n + 1) - tied))
    return _normal_test(u1 - n1 * n2 / 2, 0.5, variance, alternative, alpha, "U")


def _normal_test(
    deviation: float, step: float, variance: float, alternative: str, alpha: float, what: str
) -> SignificanceTest:
    """z and p of a rank statistic's deviation from its mean; a zero variance leaves only p = 1."""
    shared = {
        "method": "normal approximation, tie- and continuity-corrected",
        "statistic_name": "z",
        "alternative": alternative,
        "alpha": alpha,
    }
    if variance == 0.0:
        return SignificanceTest(
            p_value=1.0,
            undefined={"statistic": f"{what} cannot vary: all values are tied"},
            **shared,  # type: ignore[arg-type]
        )
    sd = math.sqrt(variance)
    if alternative == "two-sided":
        z = math.copysign(max(0.0, abs(deviation) - step), deviation) / sd
        p = min(1.0, 2 * norm_sf(abs(z)))
    else:
        z = (deviation - step if alternative == "greater" else deviation + step) / sd
        p = norm_sf(z) if alternative == "greater" else norm_sf(-z)
    return SignificanceTest(statistic=z, p_value=p, **shared)  # type: ignore[arg-type]


# Pairs ---------------------------------------------------------------------------------------------------


@statistic(
    tool="nonparametric_test",
    subtype="wilcoxon",
    title="Wilcoxon signed-rank test",
    use_when="two measurements of the same subjects (or one sample and a fixed value), ordinal or skewed differences",
    utterances=(
        "compare before and after without assuming normality",
        "nonparametric alternative to the paired t test",
        "signed rank test",
        "did the paired scores shift",
        "is the median different from a value",
    ),
    refs=(
        _WILCOXON,
        "Pratt 1959, doi:10.1080/01621459.1959.10501526",
        _HODGES,
        "Kerby 2014, doi:10.2466/11.IT.3.1",
    ),
    laws=("scale_invariant", "swap_negates", "order_invariant"),
    oracle="scipy.stats:wilcoxon",
    formula="W+ = Σ rank(|d_i|) over d_i > 0, d = group1 − group2 − mu0; r = (W+ − W−) / (W+ + W−)",
    equivalents={
        "R": "wilcox.test(group1, group2, paired = TRUE, conf.int = TRUE)",
        "Python": "scipy.stats.wilcoxon(group1, group2)",
    },
    example={
        "group1": [7.2, 6.1, 8.4, 5.9, 9.3, 6.6, 7.7, 8.8, 5.2],
        "group2": [6.0, 6.3, 6.9, 5.2, 7.5, 6.9, 5.8, 6.7, 4.1],
    },
    aliases=("wilcoxon_signed_rank", "signed_rank", "paired", "matched_pairs"),
    aligned=(("group1", "group2", "groups"),),
)
def wilcoxon(
    group1: Values | None = None,
    group2: Values | None = None,
    *,
    groups: TwoGroups | None = None,
    mu0: Real = 0.0,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    method: RankMethod = "auto",
    group_names: GroupNames | None = None,
) -> SignificanceTest:
    """Wilcoxon signed-rank test of paired differences (or of one sample), zeros dropped; Pratt's test beside it.

    Parameters
    ----------
    group1 : first measurement, one value per subject; alone, it is tested against mu0.
    group2 : second measurement, in the same order of subjects.
    groups : both measurements at once, named, in the same order of subjects; instead of group1 and group2.
    mu0 : centre of the differences under the null hypothesis.
    alpha : significance level; intervals have confidence 1 - alpha.
    alternative : "two-sided", "greater" (first larger) or "less".
    method : "auto" (exact up to 100 non-zero differences), "exact" or "asymptotic".
    group_names : names of the two measurements in the result.

    Returns
    -------
    SignificanceTest : the statistic is the rank sum of the positive differences; the estimate is their
        pseudomedian, first minus second.

    Raises
    ------
    InputError : no pair is left, unequal lengths, or the exact distribution is too large to list.
    """
    if group2 is None and groups is None and group1 is not None:
        name1, name2 = "sample", ""
        x, y = group1, None
    else:
        (name1, name2), x, y = two_samples(group1, group2, groups, group_names)
    whole, differences = _exact_differences(x, y, mu0)
    if not np.isfinite(differences + mu0).all():
        raise NotDefined(
            "The differences do not fit double-precision numbers.",
            hint="Rescale the values (for example, divide all by the same constant).",
            code="out_of_scale",
        )
    n = len(whole)
    dropped = _signed_ranks(whole, method, alternative, alpha, pratt=False)
    pratt = _signed_ranks(whole, method, alternative, alpha, pratt=True)
    effect = _matched_rank_biserial(dropped, 1 - alpha)
    described = {name1: x} if y is None else {name1: x, name2: y, "difference": differences + mu0}
    warnings = [] if dropped.n else ["Every difference equals mu0: no rank is left, and p is 1."]
    if dropped.n_zero:
        warnings.append(
            f"{dropped.n_zero} differences equal to mu0 were dropped; Pratt's test keeps their ranks."
        )
    centre = pseudomedian(differences + mu0, alpha, alternative, exact=n <= _EXACT_PAIRS)
    paired = y is not None
    return SignificanceTest(
        method=f"Wilcoxon signed-rank test ({'pairs' if paired else 'one sample'}; {dropped.how})",
        statistic_name="W+",
        statistic=dropped.w_plus,
        p_value=dropped.p,
        alternative=alternative,
        null_value=mu0,
        alpha=alpha,
        estimate_name="Hodges-Lehmann pseudomedian"
        + (f" of the differences ({name1} − {name2})" if paired else ""),
        effect_size=effect,
        n=n,
        groups={name: describe_ranked(values) for name, values in described.items()},
        details={
            "w_plus": dropped.w_plus,
            "w_minus": dropped.w_minus,
            "n_positive": dropped.n_positive,
            "n_negative": dropped.n - dropped.n_positive,
            "n_zeros": dropped.n_zero,
        },
        also={
            "asymptotic": dropped.asymptotic,
            "pratt": _pratt(pratt, alternative, alpha),
        },
        conventions=(
            "zero differences dropped before ranking (Wilcoxon); Pratt's test, which ranks them first, beside it",
            "differences formed without rounding from the decimals given, so that equal ones are tied",
            "tied differences share their mean rank"
            + ("; the exact distribution runs over all signs of these ranks" if dropped.exact else ""),
            "the pseudomedian is the median of all averages of two differences, zeros included",
        ),
        warnings=(*warnings, *centre.pop("warnings", ())),  # type: ignore[misc]
        **centre,  # type: ignore[arg-type]
    )


def _pratt(signed: _SignedRanks, alternative: str, alpha: float) -> SignificanceTest:
    return SignificanceTest(
        method=f"Pratt's handling of zeros ({signed.how})",
        statistic_name="W+",
        statistic=signed.w_plus,
        p_value=signed.p,
        alternative=alternative,
        alpha=alpha,
        details={"w_minus": signed.w_minus},
        also={"asymptotic": signed.asymptotic},
    )


def _exact_differences(x: Vector, y: Vector | None, mu0: float) -> tuple[list[int], Vector]:
    """x - y - mu0 in units of one power of ten, exactly, and as the nearest doubles."""
    n = x.size
    parts = np.concatenate((x, np.zeros(0) if y is None else y, [mu0]))
    whole, power = _exact.decimal_integers(parts)
    null = whole[-1]
    exact = [whole[i] - (whole[n + i] if y is not None else 0) - null for i in range(n)]
    num, den = (10**power, 1) if power >= 0 else (1, 10**-power)
    return exact, np.array([_exact.ratio(d * num, den) for d in exact])


@dataclass(frozen=True)
class _SignedRanks:
    """The signed-rank test under one way of handling zeros."""

    w_plus: float
    w_minus: float
    n: int
    n_positive: int
    n_zero: int
    spread: float
    p: float
    how: str
    exact: bool
    asymptotic: SignificanceTest


def _signed_ranks(
    whole: list[int], method: str, alternative: str, alpha: float, *, pratt: bool
) -> _SignedRanks:
    kept = whole if pratt else [d for d in whole if d]
    place = {size: i for i, size in enumerate(sorted({abs(d) for d in kept}))}
    ranks, _ = rank_with_ties(np.array([float(place[abs(d)]) for d in kept]))
    signs = np.array([(d > 0) - (d < 0) for d in kept])
    ranks, signs = ranks[signs != 0], signs[signs != 0]
    n, positive = int(ranks.size), ranks[signs > 0]
    w_plus = float(positive.sum())
    total = float(ranks.sum())
    asymptotic = _normal_test(
        w_plus - total / 2, 0.5, float((ranks**2).sum()) / 4, alternative, alpha, "the rank sum"
    )
    exact = _choose_exact(method, n <= _EXACT_PAIRS, n <= _EXACT_PAIRS_MOST)
    if exact:
        tied = " with tied ranks" if np.unique(ranks).size < n else ""
        p = signed_rank_table(ranks).p_value(w_plus, alternative) if n else 1.0
        how = f"exact{tied}"
    else:
        p, how = asymptotic.p_value or 0.0, "normal approximation, tie- and continuity-corrected"
    n_zero = len(whole) - n
    squares = float((ranks**2).sum())
    return _SignedRanks(
        w_plus,
        total - w_plus,
        n,
        int(positive.size),
        n_zero,
        squares / total**2 if n else 0.0,
        p,
        how,
        exact,
        asymptotic,
    )


def _matched_rank_biserial(signed: _SignedRanks, level: float) -> EffectSize:
    """Kerby's simple difference of favourable and unfavourable rank shares, with its score interval.

    Under independent signs with one probability the variance of r is (1 - r²) Σ rank² / (Σ rank)²; the bounds
    solve (estimate - r)² = z² times it, which also works when all differences have the same sign.
    """
    name = "matched-pairs rank-biserial correlation"
    if signed.n == 0:
        return EffectSize(name=name, undefined={"estimate": "every difference is zero"})
    r = (signed.w_plus - signed.w_minus) / (signed.w_plus + signed.w_minus)
    c = norm_isf((1 - level) / 2) ** 2 * signed.spread
    reach = math.sqrt(c * (1 + c - r * r))
    return EffectSize(
        name=name,
        estimate=r,
        conf_low=max(-1.0, (r - reach) / (1 + c)),
        conf_high=min(1.0, (r + reach) / (1 + c)),
        conf_level=level,
        conf_method="score interval for independent signs",
    )
