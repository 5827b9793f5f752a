"""Chi-squared tests of counts: independence (with exact tests), goodness of fit, stratified 2 x 2 tables."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    FloatArray,
    Labels,
    MatrixOf,
    NameList,
    Replicates,
    Seed,
    StructureKind,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Description, SignificanceTest
from statistikles.stats._association import (
    chi2_test,
    g_statistic,
    independence_details,
    independence_effects,
    noncentral_w,
    pearson_chi2,
    small_expected,
    yates_chi2,
)
from statistikles.stats._count_input import MOST_COUNTS, counted, informative, shares_of, strata_of, table_of
from statistikles.stats._distributions import chi2_sf
from statistikles.stats._fisher import exact_multinomial_p
from statistikles.stats._fisher_report import fisher_report
from statistikles.stats._stratified import common_odds, general_association
from statistikles.stats._tables import count_labels

__all__ = ["chi_square_goodness_of_fit", "chi_square_independence", "mantel_haenszel"]

declare_tool(
    "chi_square",
    title="Chi-squared tests of counts",
    summary="Tests association of two categories, fit of counts to expected proportions, and stratified 2 x 2 tables.",
    chooser="type",
)

CountMatrix = Annotated[FloatArray, MatrixOf(low=0.0, whole=True)]
CountVector = Annotated[FloatArray, Vector(min_n=2, low=0.0, whole=True)]
PlainNames = Annotated[tuple[str, ...], NameList()]

_PEARSON = "Pearson 1900, doi:10.1080/14786440009463897"


@statistic(
    tool="chi_square",
    subtype="independence",
    title="Chi-squared test of independence",
    use_when="two categorical variables: are they associated",
    utterances=(
        "is there an association between sex and species",
        "are these two categories related",
        "does the proportion differ between the groups",
        "chi-square test of a contingency table",
        "Fisher's exact test",
        "odds ratio of a 2x2 table",
    ),
    refs=(
        _PEARSON,
        "Yates 1934, doi:10.2307/2983604",
        "Fisher 1935, doi:10.2307/2342435",
        "Mehta & Patel 1983, doi:10.1080/01621459.1983.10477989",
        "Newcombe 1998, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I",
        "Bergsma 2013, doi:10.1016/j.jkss.2012.10.002",
    ),
    oracle="scipy.stats:chi2_contingency",
    formula="χ² = Σ (O − E)² / E, E = row total × column total / n, df = (r − 1)(c − 1)",
    equivalents={
        "R": "chisq.test(table, correct = FALSE); fisher.test(table)",
        "Python": "scipy.stats.chi2_contingency(table, correction=False); scipy.stats.fisher_exact(table)",
    },
    example={
        "observed": [[12, 5], [7, 14]],
        "row_names": ["treated", "control"],
        "column_names": ["yes", "no"],
    },
    aliases=("association", "contingency", "fisher", "fisher_exact", "pearson"),
    aligned=(("x", "y"),),
    from_sums=lambda given: given.get("x") is not None and given.get("y") is not None,
)
def chi_square_independence(
    observed: CountMatrix | None = None,
    *,
    x: Labels | None = None,
    y: Labels | None = None,
    row_names: PlainNames | None = None,
    column_names: PlainNames | None = None,
    alpha: Alpha = 0.05,
    n_reps: Replicates = 20_000,
    seed: Seed = 0,
) -> SignificanceTest:
    """Pearson's test of independence, with Yates, G and Fisher's exact test beside it.

    Parameters
    ----------
    observed : table of counts, a list of rows; or two columns crossed.
    x : categories of the first variable (the rows), instead of observed.
    y : categories of the second variable (the columns), matched with x row by row.
    row_names : names of the rows of observed.
    column_names : names of the columns of observed.
    alpha : significance level; intervals have confidence 1 - alpha.
    n_reps : simulated tables when the exact test of a large table is out of reach.
    seed : seed of that simulation.

    Returns
    -------
    SignificanceTest : Pearson's test leads; Cramér's V is the effect size; odds ratio and risks of 2 x 2 tables.

    Raises
    ------
    InputError : fewer than two rows or columns, or counts that are not whole.
    NotDefined : a row or column without any count.
    """
    table = table_of(observed, x, y, row_names, column_names)
    chi2, g = pearson_chi2(table), g_statistic(table)
    r, c = table.counts.shape
    df = (r - 1) * (c - 1)
    also: dict[str, Any] = {"g_test": chi2_test("G test (likelihood ratio)", g, df, alpha)}
    if (r, c) == (2, 2):
        also["yates"] = chi2_test("Pearson's test with Yates' correction", yates_chi2(table), 1, alpha)
    fisher, fisher_seed = fisher_report(table, alpha, n_reps, seed)
    also["fisher_exact"] = fisher
    effects = independence_effects(table, chi2, 1 - alpha)
    return SignificanceTest(
        method="Pearson's chi-squared test of independence",
        statistic_name="χ²",
        statistic=chi2,
        df=df,
        p_value=chi2_sf(chi2, df),
        alpha=alpha,
        effect_size=effects.pop("cramers_v"),
        effect_sizes=effects,
        n=table.n,
        groups={name: Description(n=int(t)) for name, t in zip(table.rows, table.row_totals, strict=True)},
        details=independence_details(table),
        also=also,
        seed=fisher_seed,
        warnings=small_expected(table.expected.ravel(), "Fisher's exact test stands beside it"),
        conventions=(
            "Pearson's chi-squared without continuity correction leads; Yates' correction beside it for 2 x 2",
            "rows are the groups and the first column the event (risk ratio, risk difference, odds ratio)",
            "interval of Cramér's V: noncentral chi-squared",
            "adjusted residuals are standard normal under independence",
        ),
    )


@statistic(
    tool="chi_square",
    subtype="goodness_of_fit",
    title="Chi-squared test of goodness of fit",
    use_when="counts of one categorical variable against expected proportions (equal ones by default)",
    utterances=(
        "are all categories equally frequent",
        "does the die look fair",
        "do the counts fit the expected 9:3:3:1 ratio",
        "compare observed counts with expected proportions",
    ),
    refs=(_PEARSON, "Cohen 1988, Statistical Power Analysis for the Behavioral Sciences"),
    oracle="scipy.stats:chisquare",
    formula="χ² = Σ (O − n p)² / (n p), df = k − 1",
    equivalents={
        "R": "chisq.test(observed, p = expected_proportions)",
        "Python": "scipy.stats.chisquare(observed, n * expected_proportions)",
    },
    example={"observed": [31, 10, 9, 4], "expected_proportions": [0.5625, 0.1875, 0.1875, 0.0625]},
    aliases=("gof", "one_way", "goodness"),
)
def chi_square_goodness_of_fit(
    observed: CountVector | None = None,
    *,
    data: Labels | None = None,
    expected_proportions: Annotated[FloatArray, Vector(min_n=2, low=0.0)] | None = None,
    names: PlainNames | None = None,
    alpha: Alpha = 0.05,
) -> SignificanceTest:
    """Chi-squared test that counts follow given proportions, with the G test and the exact test beside it.

    Parameters
    ----------
    observed : the counts, one per category.
    data : the categories themselves, one per subject, instead of observed; counted in sorted order.
    expected_proportions : expected share of each category, in the same order; equal shares by default.
    names : names of the categories.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : Cohen's w is the effect size; `details` compares each category with its expectation.

    Raises
    ------
    InputError : fewer than two categories, or proportions that are zero or do not match the counts.
    """
    counts, labels = counted(observed, data, names)
    n = float(counts.sum())
    if not 0 < n <= MOST_COUNTS:
        raise InputError(
            f"The counts add up to {n:g}; a positive total below 2^52 is needed.", where="observed"
        )
    shares, notes = shares_of(expected_proportions, counts.size)
    expected = n * shares
    terms = (counts - expected) ** 2 / expected
    chi2, df = math.fsum(terms), counts.size - 1
    g = 2 * math.fsum(o * math.log(o / e) for o, e in zip(counts, expected, strict=True) if o > 0)
    exact_p = exact_multinomial_p(counts.astype(np.int64), shares)
    exact = SignificanceTest(
        method="Exact multinomial test (outcomes no more probable than the observed)",
        statistic_name="probability",
        p_value=exact_p,
        alpha=alpha,
        undefined={}
        if exact_p is not None
        else {"p_value": "too many outcomes to list; chi-squared is close"},
    )
    residuals = (counts - expected) / np.sqrt(expected)
    return SignificanceTest(
        method="Pearson's chi-squared test of goodness of fit",
        statistic_name="χ²",
        statistic=chi2,
        df=df,
        p_value=chi2_sf(chi2, df),
        alpha=alpha,
        effect_size=noncentral_w("Cohen's w", chi2, df, n, 1 - alpha),
        n=int(n),
        details={
            "categories": {
                name: {
                    "observed": int(o),
                    "expected": float(e),
                    "proportion": float(o / n),
                    "expected_proportion": float(p),
                    "pearson_residual": float(res),
                    "adjusted_residual": float(res / math.sqrt(1 - p)),
                }
                for name, o, e, p, res in zip(labels, counts, expected, shares, residuals, strict=True)
            }
        },
        also={"g_test": chi2_test("G test (likelihood ratio)", max(0.0, g), df, alpha), "exact": exact},
        warnings=(*notes, *small_expected(expected, "the exact multinomial test stands beside it")),
        conventions=("interval of Cohen's w: noncentral chi-squared", "no continuity correction"),
    )


@statistic(
    tool="chi_square",
    subtype="mantel_haenszel",
    title="Mantel–Haenszel test of stratified tables",
    use_when="association of two categories, controlling for a third (strata)",
    utterances=(
        "association controlling for centre",
        "common odds ratio over strata",
        "Cochran-Mantel-Haenszel test",
        "is treatment related to recovery within each hospital",
    ),
    refs=(
        "Mantel & Haenszel 1959, doi:10.1093/jnci/22.4.719",
        "Robins, Breslow & Greenland 1986, doi:10.2307/2531052",
        "Tarone 1985, Biometrika 72, 91–95",
        "Breslow & Day 1980, Statistical Methods in Cancer Research, volume 1",
    ),
    oracle="statsmodels.stats.contingency_tables:StratifiedTable",
    formula="OR_MH = Σ(a d / n) / Σ(b c / n); χ² = (Σ(a − E a))² / Σ Var a",
    equivalents={
        "R": "mantelhaen.test(tables, correct = FALSE)",
        "Python": "statsmodels.stats.contingency_tables.StratifiedTable(tables)",
    },
    example={"tables": [[[4, 8], [2, 11]], [[9, 3], [6, 7]], [[12, 5], [8, 9]]]},
    aliases=("cmh", "cochran_mantel_haenszel", "stratified"),
    aligned=(("x", "y", "strata"),),
)
def mantel_haenszel(
    tables: Annotated[Any, StructureKind()] | None = None,
    *,
    x: Labels | None = None,
    y: Labels | None = None,
    strata: Labels | None = None,
    names: PlainNames | None = None,
    alpha: Alpha = 0.05,
) -> SignificanceTest:
    """Cochran-Mantel-Haenszel test, common odds ratio, and Breslow-Day test of equal odds ratios.

    Parameters
    ----------
    tables : one table of counts (a list of rows) per stratum, all of the same shape.
    x : categories of the rows, instead of tables.
    y : categories of the columns, matched with x row by row.
    strata : the stratum of each row of x and y.
    names : names of the strata.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : for 2 x 2 strata the estimate is the common odds ratio; larger ones get the general test.

    Raises
    ------
    InputError : tables of different shapes, or counts that are not whole.
    NotDefined : no stratum carries information.
    """
    given, labels = strata_of(tables, x, y, strata, names)
    kept_places = [i for i, t in enumerate(given) if informative(t)]
    if not kept_places:
        raise NotDefined(
            "The Mantel–Haenszel test is undefined: no stratum has counts in two rows and two columns.",
            hint="Check which columns are x, y and strata.",
            where="tables",
            code="zero_margin",
        )
    warnings = tuple(
        f"Stratum '{labels[i]}' carries no information (a single row, column or subject) and was left out."
        for i in range(len(given))
        if i not in kept_places
    )
    kept = np.array([given[i] for i in kept_places])
    groups = {labels[i]: Description(n=int(given[i].sum())) for i in kept_places}
    n = int(kept.sum())
    if kept.shape[1:] != (2, 2):
        statistic_, df = general_association(kept)
        return SignificanceTest(
            method="Generalised Cochran–Mantel–Haenszel test (nominal by nominal)",
            statistic_name="M²",
            statistic=statistic_,
            df=df,
            p_value=chi2_sf(statistic_, df),
            alpha=alpha,
            n=n,
            groups=groups,
            warnings=warnings,
            conventions=("no continuity correction",),
        )
    return common_odds(kept, [labels[i] for i in kept_places], groups, n, alpha, warnings, _odds_of(x, y))


def _odds_of(x: Any, y: Any) -> str:
    """What the odds ratio of two columns of categories is of; empty for tables, which have no names."""
    if x is None or y is None:
        return ""
    rows, columns = tuple(count_labels(x)), tuple(count_labels(y))
    return f"odds of '{columns[0]}' rather than '{columns[1]}': '{rows[0]}' against '{rows[1]}'"
