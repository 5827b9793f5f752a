"""Rank tests of several samples: Kruskal-Wallis with Dunn, Friedman with Kendall's W, Cochran's Q."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Annotated

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, ColumnSet, FloatArray, GroupMap, NameList, Switch
from statistikles.registry.declare import statistic
from statistikles.results import Description, SignificanceTest
from statistikles.stats._adjust import adjust
from statistikles.stats._distributions import binom_test_p, chi2_sf, f_sf, norm_isf, studentized_range_sf
from statistikles.stats._numerics import Vector, rank_with_ties
from statistikles.stats._rank_family import chi_square_effect, describe_ranked, dominance, pairwise_z

__all__ = ["cochrans_q", "friedman", "kruskal_wallis"]

ManyGroups = Annotated[Mapping[str, FloatArray], GroupMap(min_groups=2, min_n=1)]
Treatments = Annotated[FloatArray, ColumnSet(min_n=2)]
TreatmentNames = Annotated[tuple[str, ...], NameList(of=("data",))]

# All pairs of more groups than this are not listed.
_MOST_PAIRED = 25


@statistic(
    tool="nonparametric_test",
    subtype="kruskal_wallis",
    title="Kruskal-Wallis test",
    use_when="three or more independent groups, an ordinal or skewed outcome, or outliers",
    utterances=(
        "compare several groups without assuming normality",
        "nonparametric alternative to one-way ANOVA",
        "do these three groups differ in rank",
        "which groups differ, with Dunn's test",
    ),
    refs=(
        "Kruskal & Wallis 1952, doi:10.1080/01621459.1952.10483441",
        "Dunn 1964, doi:10.1080/00401706.1964.10490181",
        "Holm 1979, Scandinavian Journal of Statistics 6, 65-70",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="scipy.stats:kruskal",
    formula="H = [12/(N(N+1)) Σ R_i²/n_i − 3(N+1)] / [1 − Σ(t³ − t)/(N³ − N)], df = k − 1; ε² = H/(N − 1)",
    equivalents={"R": "kruskal.test(groups)", "Python": "scipy.stats.kruskal(*groups)"},
    example={
        "groups": {
            "low": [2.1, 3.4, 1.9, 2.8, 3.0],
            "middle": [3.6, 2.9, 4.4, 3.9, 5.1, 4.0],
            "high": [4.8, 5.6, 4.4, 6.2, 5.0],
        }
    },
    aliases=("kruskal", "dunn", "kw", "anova_on_ranks"),
)
def kruskal_wallis(groups: ManyGroups, *, alpha: Alpha = 0.05, post_hoc: Switch = True) -> SignificanceTest:
    """Kruskal-Wallis test of several independent groups, with Dunn's comparisons of all pairs.

    Parameters
    ----------
    groups : the groups, named.
    alpha : significance level; intervals have confidence 1 - alpha.
    post_hoc : compare all pairs of groups as well (Dunn's test, Holm-adjusted).

    Returns
    -------
    SignificanceTest : H corrected for ties, epsilon squared, and Dunn's test of each pair.

    Raises
    ------
    InputError : fewer than two groups, or an empty group.
    NotDefined : all values are the same.
    """
    names, parts = list(groups), [np.asarray(g) for g in groups.values()]
    sizes = [int(p.size) for p in parts]
    n, k = sum(sizes), len(parts)
    ranks, ties = rank_with_ties(np.concatenate(parts))
    if ties and ties[0] == n:
        raise _all_tied("The Kruskal-Wallis test")
    split = np.split(ranks, np.cumsum(sizes)[:-1])
    means = [float(r.mean()) for r in split]
    centre = (n + 1) / 2
    # As a sum of squares about the mean rank: no cancellation, however large n is.
    plain = 12 / (n * (n + 1)) * math.fsum(m * (r - centre) ** 2 for m, r in zip(sizes, means, strict=True))
    correction = 1 - sum(t**3 - t for t in ties) / (n**3 - n)
    h = plain / correction
    epsilon = chi_square_effect("ε²", h, k - 1, n - 1, 1 - alpha, offset=True)
    effects = {}
    if n > k:
        effects["eta_squared_h"] = chi_square_effect(
            "η²_H", max(0.0, h - (k - 1)), k - 1, n - k, 1 - alpha, offset=False
        )
    variance = n * (n + 1) / 12 * correction
    warnings = []
    if min(sizes) < 5:
        warnings.append("A group has fewer than 5 values: the chi-square approximation of p is rough.")
    if post_hoc and k > _MOST_PAIRED:
        warnings.append(f"With more than {_MOST_PAIRED} groups the pairs are not compared.")
    return SignificanceTest(
        method="Kruskal-Wallis test (chi-square approximation, corrected for ties)",
        statistic_name="H",
        statistic=h,
        df=k - 1,
        p_value=chi2_sf(h, k - 1),
        alpha=alpha,
        effect_size=epsilon,
        effect_sizes=effects,
        n=n,
        groups={
            name: describe_ranked(part, rank) for name, part, rank in zip(names, parts, split, strict=True)
        },
        details={"statistic_uncorrected": plain, "tie_correction": correction, "n_groups": k},
        post_hoc={"dunn": _dunn(names, parts, means, variance, alpha)}
        if post_hoc and k <= _MOST_PAIRED
        else {},
        conventions=(
            "mean ranks for ties; H divided by the tie correction, the uncorrected value beside it",
            "Dunn's z uses the ranks of all groups; Holm-adjusted p leads, Bonferroni and unadjusted beside it",
            "effect sizes of pairs are Cliff's δ of the two groups alone",
        ),
        warnings=tuple(warnings),
    )


def _all_tied(what: str) -> NotDefined:
    return NotDefined(
        f"{what} is undefined: all values are tied, so there are no ranks to compare.",
        hint="Check that the right column was used.",
        code="zero_variance",
    )


def _dunn(
    names: list[str], parts: list[Vector], means: list[float], variance: float, alpha: float
) -> dict[str, SignificanceTest]:
    errors, effects = {}, {}
    for i, j in combinations(range(len(names)), 2):
        n1, n2 = parts[i].size, parts[j].size
        errors[names[i], names[j]] = math.sqrt(variance * (1 / n1 + 1 / n2))
        ranks, _ = rank_with_ties(np.concatenate((parts[i], parts[j])))
        u1 = float(ranks[:n1].sum()) - n1 * (n1 + 1) / 2
        effects[names[i], names[j]] = dominance(u1, int(n1), int(n2), 1 - alpha)["rank_biserial"]
    return pairwise_z(
        "Dunn's test", "mean ranks", dict(zip(names, means, strict=True)), errors, alpha, {}, effects
    )


# Repeated measurements -----------------------------------------------------------------------------------


@statistic(
    tool="nonparametric_test",
    subtype="friedman",
    title="Friedman test",
    use_when="three or more measurements of the same subjects, an ordinal or skewed outcome",
    utterances=(
        "compare repeated measurements without assuming normality",
        "nonparametric alternative to repeated-measures ANOVA",
        "do the judges agree on the ranking",
        "Kendall's coefficient of concordance",
    ),
    refs=(
        "Friedman 1937, doi:10.1080/01621459.1937.10503522",
        "Iman & Davenport 1980, doi:10.1080/03610928008827904",
        "Kendall & Babington Smith 1939, Annals of Mathematical Statistics 10, 275-287",
    ),
    laws=("shift_invariant", "scale_invariant"),
    oracle="scipy.stats:friedmanchisquare",
    formula="Q = [12/(nk(k+1)) Σ R_j² − 3n(k+1)] / [1 − Σ(t³ − t)/(nk(k² − 1))], df = k − 1; W = Q/(n(k − 1))",
    equivalents={
        "R": "friedman.test(do.call(cbind, data))",
        "Python": "scipy.stats.friedmanchisquare(*data)",
    },
    example={
        "data": [
            [7.0, 9.9, 8.5, 5.1, 10.3, 6.2],
            [5.3, 5.7, 4.7, 3.5, 7.7, 4.9],
            [4.9, 7.6, 5.5, 2.8, 8.4, 4.1],
        ]
    },
    aliases=("kendalls_w", "kendall_w", "friedmans_test"),
)
def friedman(
    data: Treatments, *, alpha: Alpha = 0.05, post_hoc: Switch = True, names: TreatmentNames | None = None
) -> SignificanceTest:
    """Friedman test of several measurements of the same subjects, with Kendall's W and all pairs.

    Parameters
    ----------
    data : one list per treatment, each with one value per subject in the same order.
    alpha : significance level; intervals have confidence 1 - alpha.
    post_hoc : compare all pairs of treatments as well.
    names : names of the treatments in the result.

    Returns
    -------
    SignificanceTest : Q corrected for ties, Kendall's W, Iman and Davenport's F, and each pair.

    Raises
    ------
    InputError : fewer than two treatments or subjects.
    NotDefined : the treatments are tied within every subject.
    """
    labels = _treatment_names(data, names)
    n, k = data.shape
    ranks = _ranks_in_rows(data)
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())  # within subjects, ties lower it
    if spread == 0.0:
        raise _all_tied("The Friedman test")
    means = ranks.mean(axis=0)
    between = n * n * math.fsum(((means - (k + 1) / 2) ** 2).tolist())
    plain = 12 * between / (n * k * (k + 1))
    q = min((k - 1) * between / spread, float(n * (k - 1)))
    w = chi_square_effect("Kendall's W", q, k - 1, n * (k - 1), 1 - alpha, offset=True)
    warnings = []
    if n * k < 30:
        warnings.append(
            "Few values: the chi-square approximation of p is rough; Iman and Davenport's F is closer."
        )
    step = math.sqrt(2 * spread / (k - 1)) / n
    pairs = {(labels[i], labels[j]): step for i, j in combinations(range(k), 2)}
    mean_of = dict(zip(labels, means.tolist(), strict=True))
    compared = post_hoc and k <= _MOST_PAIRED
    nemenyi: dict[tuple[str, str], Mapping[str, object]] = {}
    for a, b in pairs if compared else ():
        q_range = abs(mean_of[a] - mean_of[b]) / step * math.sqrt(2)
        nemenyi[a, b] = {"p_value_nemenyi": studentized_range_sf(q_range, k, math.inf)}
    return SignificanceTest(
        method="Friedman test (chi-square approximation, corrected for ties)",
        statistic_name="Q",
        statistic=q,
        df=k - 1,
        p_value=chi2_sf(q, k - 1),
        alpha=alpha,
        effect_size=w,
        n=n,
        groups={name: describe_ranked(data[:, j], ranks[:, j]) for j, name in enumerate(labels)},
        details={
            "statistic_uncorrected": plain,
            "tie_correction": 12 * spread / (n * k * (k * k - 1)),
            "n_subjects": n,
            "n_treatments": k,
        },
        also={"iman_davenport": _iman_davenport(q, n, k, alpha)},
        post_hoc={
            "pairs": pairwise_z("z test of mean ranks", "mean ranks", mean_of, pairs, alpha, nemenyi, {})
        }
        if compared
        else {},
        conventions=(
            "ranks within each subject, mean ranks for ties; Q corrected for ties, the uncorrected value beside it",
            "pairs: z of the mean ranks, Holm-adjusted p leads, Bonferroni, Nemenyi and unadjusted beside it",
            "n is the number of subjects with all measurements",
        ),
        warnings=tuple(warnings),
    )


def _ranks_in_rows(data: FloatArray) -> FloatArray:
    """Average ranks within each row, column by column."""
    ranks = np.empty_like(data)
    for j in range(data.shape[1]):
        column = data[:, j : j + 1]
        ranks[:, j] = (data < column).sum(axis=1) + ((data == column).sum(axis=1) + 1) / 2
    return ranks


def _treatment_names(data: FloatArray, names: tuple[str, ...] | None) -> list[str]:
    k = data.shape[1]
    if k < 2:
        raise InputError(
            "Argument 'data' needs at least two treatments: a list of columns, one per treatment.",
            where="data",
            code="too_few_groups",
        )
    if names is not None and len(names) != k:
        raise InputError(f"Argument 'names' has {len(names)} names for {k} treatments.", where="names")
    return list(names) if names else [f"treatment{j}" for j in range(1, k + 1)]


def _iman_davenport(q: float, n: int, k: int, alpha: float) -> SignificanceTest:
    rest = n * (k - 1) - q
    shared = {"method": "Iman and Davenport's F", "statistic_name": "F", "df": k - 1, "alpha": alpha}
    df_error = (k - 1) * (n - 1)
    if rest <= 1e-12 * n * k:
        reason = "the rankings agree completely, so F is infinite"
        return SignificanceTest(
            df_error=df_error,
            undefined={"statistic": reason, "p_value": reason},
            **shared,  # type: ignore[arg-type]
        )
    f = (n - 1) * q / rest
    return SignificanceTest(statistic=f, df_error=df_error, p_value=f_sf(f, k - 1, df_error), **shared)  # type: ignore[arg-type]


@statistic(
    tool="nonparametric_test",
    subtype="cochrans_q",
    title="Cochran's Q test",
    use_when="three or more yes/no measurements (0/1) of the same subjects",
    utterances=(
        "compare success rates measured on the same people",
        "do the proportions of yes differ across conditions for the same subjects",
        "McNemar for more than two conditions",
    ),
    refs=(
        "Cochran 1950, doi:10.1093/biomet/37.3-4.256",
        "Bonett & Price 2012, Journal of Educational and Behavioral Statistics 37, 479-488",
    ),
    laws=(),
    oracle="statsmodels.stats.contingency_tables:cochrans_q",
    formula="Q = (k − 1)(k Σ C_j² − T²) / (k T − Σ R_i²), df = k − 1",
    equivalents={
        "R": "friedman.test(do.call(cbind, data))  # the same value for 0/1 data",
        "Python": "statsmodels.stats.contingency_tables.cochrans_q(np.column_stack(data))",
    },
    example={
        "data": [
            [1, 1, 0, 1, 1, 1, 0, 1, 1, 1],
            [0, 1, 0, 1, 0, 1, 0, 1, 0, 1],
            [0, 0, 0, 1, 0, 1, 0, 0, 0, 1],
        ]
    },
    aliases=("cochran", "cochran_q"),
)
def cochrans_q(
    data: Treatments, *, alpha: Alpha = 0.05, post_hoc: Switch = True, names: TreatmentNames | None = None
) -> SignificanceTest:
    """Cochran's Q test of proportions in matched samples, with exact McNemar tests of all pairs.

    Parameters
    ----------
    data : one list of 0 and 1 per treatment, each with one value per subject in the same order.
    alpha : significance level; intervals have confidence 1 - alpha.
    post_hoc : compare all pairs of treatments as well (exact McNemar, Holm-adjusted).
    names : names of the treatments in the result.

    Returns
    -------
    SignificanceTest : Q, its share of the greatest value it could take, and each pair.

    Raises
    ------
    InputError : values other than 0 and 1, or fewer than two treatments or subjects.
    NotDefined : no subject changed between treatments.
    """
    labels = _treatment_names(data, names)
    if not np.isin(data, (0.0, 1.0)).all():
        raise InputError(
            "Argument 'data' of Cochran's Q must hold only 0 and 1.",
            hint="Code success as 1 and failure as 0; for other values use the Friedman test.",
            where="data",
            code="out_of_range",
        )
    n, k = data.shape
    columns, rows = data.sum(axis=0), data.sum(axis=1)
    total = float(columns.sum())
    changes = k * total - float((rows**2).sum())
    if changes == 0.0:
        raise NotDefined(
            "Cochran's Q is undefined: no subject has both 0 and 1, so nothing changes between treatments.",
            hint="Check that the right columns were used.",
            code="zero_variance",
        )
    q = (k - 1) * (k * float((columns**2).sum()) - total**2) / changes
    changing = int(((rows > 0) & (rows < k)).sum())
    warnings = []
    if changing * k < 24:
        warnings.append("Few subjects change: the chi-square approximation of p is rough.")
    return SignificanceTest(
        method="Cochran's Q test (chi-square approximation)",
        statistic_name="Q",
        statistic=q,
        df=k - 1,
        p_value=chi2_sf(q, k - 1),
        alpha=alpha,
        effect_size=chi_square_effect("η²_Q", q, k - 1, n * (k - 1), 1 - alpha, offset=True),
        n=n,
        groups={name: Description(n=n, mean=float(columns[j]) / n) for j, name in enumerate(labels)},
        details={"n_changing": changing, "n_treatments": k},
        post_hoc={"mcnemar": _mcnemar_pairs(data, labels, alpha)} if post_hoc and k <= _MOST_PAIRED else {},
        conventions=(
            "the mean of a group is its proportion of ones",
            "η²_Q is Q over its greatest value n(k − 1); it equals Kendall's W of the 0/1 ranks",
            "pairs: exact McNemar tests, Holm-adjusted p leads, Bonferroni and unadjusted beside it",
        ),
        warnings=tuple(warnings),
    )


def _mcnemar_pairs(data: FloatArray, labels: list[str], alpha: float) -> dict[str, SignificanceTest]:
    n = data.shape[0]
    pairs = list(combinations(range(len(labels)), 2))
    only_first = [int(((data[:, i] == 1) & (data[:, j] == 0)).sum()) for i, j in pairs]
    only_second = [int(((data[:, i] == 0) & (data[:, j] == 1)).sum()) for i, j in pairs]
    raw = np.array(
        [binom_test_p(b, b + c) if b + c else 1.0 for b, c in zip(only_first, only_second, strict=True)]
    )
    holm, bonferroni = adjust(raw, "holm"), adjust(raw, "bonferroni")
    z = norm_isf(alpha / 2 / len(pairs))

    def interval(b: int, c: int) -> tuple[float, float]:
        """Bonett and Price's interval: one more of each kind of change, then Wald's."""
        first, second = (b + 1) / (n + 2), (c + 1) / (n + 2)
        reach = z * math.sqrt((first + second - (first - second) ** 2) / (n + 2))
        return max(-1.0, first - second - reach), min(1.0, first - second + reach)

    ends = [interval(b, c) for b, c in zip(only_first, only_second, strict=True)]
    return {
        f"{labels[i]} − {labels[j]}": SignificanceTest(
            method="Exact McNemar test",
            statistic_name="b",
            statistic=only_first[m],
            p_value=float(holm[m]),
            alternative="two-sided",
            alpha=alpha,
            estimate_name=f"difference of proportions ({labels[i]} − {labels[j]})",
            estimate=(only_first[m] - only_second[m]) / n,
            conf_low=min(ends[m][0], (only_first[m] - only_second[m]) / n),
            conf_high=max(ends[m][1], (only_first[m] - only_second[m]) / n),
            conf_level=1 - alpha,
            conf_method="Bonett and Price 2012, simultaneous (Bonferroni)",
            details={
                "only_first": only_first[m],
                "only_second": only_second[m],
                "p_value_unadjusted": float(raw[m]),
                "p_value_holm": float(holm[m]),
                "p_value_bonferroni": float(bonferroni[m]),
            },
        )
        for m, (i, j) in enumerate(pairs)
    }
