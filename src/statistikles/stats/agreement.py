"""Agreement of raters on categories: Cohen's kappa (plain and weighted) and Fleiss' kappa."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, FloatArray, Labels, MatrixOf, NameList
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._distributions import norm_isf, p_normal, t_isf
from statistikles.stats._moment_matrix import column_names
from statistikles.stats._tables import label_text, sorted_labels

__all__ = ["cohens_kappa", "fleiss_kappa"]

Categories = Annotated[tuple[str, ...], NameList()]
Counts = Annotated[FloatArray, MatrixOf(low=0.0, whole=True)]

declare_tool(
    "inter_rater_reliability",
    title="Agreement between raters",
    summary="How well raters or methods agree: kappa for categories, ICC and Bland-Altman for measurements.",
    chooser="type",
)


@dataclass(frozen=True)
class _Kappa:
    """A weighted kappa with its standard errors; the null one is None when chance agreement does not vary."""

    observed: float
    expected: float
    value: float
    std_error: float
    std_error_null: float | None


@statistic(
    tool="inter_rater_reliability",
    subtype="cohens_kappa",
    title="Cohen's kappa",
    use_when="two raters put the same subjects into categories",
    utterances=(
        "do the two raters agree",
        "Cohen's kappa",
        "agreement between two coders",
        "inter-rater reliability of two judges",
        "weighted kappa for ordered ratings",
    ),
    refs=(
        "Cohen 1960, doi:10.1177/001316446002000104",
        "Fleiss, Cohen & Everitt 1969, doi:10.1037/h0028106",
    ),
    laws=("swap_symmetric",),
    oracle="statsmodels.stats.inter_rater:cohens_kappa",
    formula="κ = (p_o − p_e)/(1 − p_e)",
    equivalents={
        "R": "psych::cohen.kappa(cbind(rater1, rater2))",
        "Python": "statsmodels.stats.inter_rater.cohens_kappa(table)",
    },
    example={
        "rater1": ["mild", "mild", "none", "severe", "none", "mild", "severe", "none", "mild", "none"],
        "rater2": ["mild", "none", "none", "severe", "none", "mild", "mild", "none", "mild", "mild"],
        "categories": ["none", "mild", "severe"],
    },
    aliases=("kappa", "cohen", "weighted_kappa"),
    aligned=(("rater1", "rater2"),),
)
def cohens_kappa(
    rater1: Labels, rater2: Labels, *, categories: Categories | None = None, alpha: Alpha = 0.05
) -> SignificanceTest:
    """Agreement of two raters beyond chance; unweighted kappa leads, linear and quadratic weights stand beside.

    Parameters
    ----------
    rater1 : category each subject got from the first rater.
    rater2 : category each subject got from the second rater, in the same order.
    categories : all categories in their order, which the weighted forms use; default: sorted.
    alpha : significance level; the interval has confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : the estimate is kappa; weighted forms, maximal kappa, PABAK and AC1 under `also`.

    Raises
    ------
    NotDefined : both raters gave every subject the same single category.
    """
    first, second = [label_text(v) for v in rater1], [label_text(v) for v in rater2]
    names = _categories(rater1, rater2, categories)
    k, n = len(names), len(first)
    place = {name: i for i, name in enumerate(names)}
    table = np.zeros((k, k))
    for a, b in zip(first, second, strict=True):
        table[place[a], place[b]] += 1
    distance = np.abs(np.subtract.outer(np.arange(k), np.arange(k))) / max(k - 1, 1)
    found = None if k < 2 else _weighted(table, np.eye(k))
    if found is None:
        raise NotDefined(
            "Kappa is undefined: both raters put every subject into the same category.",
            hint="Chance agreement is complete, so nothing can exceed it; report the plain agreement of 100 %.",
            where="rater1",
            code="zero_variance",
        )
    shared = min(1.0, float(np.minimum(table.sum(0), table.sum(1)).sum()) / n)
    return SignificanceTest(
        method="Cohen's kappa (unweighted)",
        **_tested(found, alpha, "Cohen's κ"),
        n=n,
        details={
            **_agreements(found),
            "n_categories": k,
            "table": {a: {b: int(table[i, j]) for j, b in enumerate(names)} for i, a in enumerate(names)},
        },
        also={
            "linear_weighted": _weighted_test(table, 1 - distance, alpha, "linear"),
            "quadratic_weighted": _weighted_test(table, 1 - distance**2, alpha, "quadratic"),
            "maximum_kappa": (shared - found.expected) / (1 - found.expected),
            "pabak": (k * found.observed - 1) / (k - 1),
            "gwet_ac1": _ac1(table, found.observed),
        },
        conventions=(
            "standard error and interval: Fleiss, Cohen and Everitt, large sample",
            "z and p: the standard error under no agreement beyond chance",
            f"order of categories for the weights: {', '.join(names[:12])}",
            "maximal kappa: the largest these margins allow; PABAK: chance agreement 1/k",
        ),
        warnings=("Fewer than 20 subjects: the large-sample errors are rough.",) if n < 20 else (),
    )


def _categories(rater1: Any, rater2: Any, given: Categories | None) -> tuple[str, ...]:
    seen = tuple(label_text(v) for v in sorted_labels([*rater1, *rater2]))
    if given is None:
        return seen
    if extra := [name for name in seen if name not in given]:
        raise InputError(
            f"Ratings outside the given categories: {', '.join(extra[:6])}.",
            hint="List every category that was used, in order.",
            where="categories",
            code="unknown_option",
        )
    return given


def _weighted(table: FloatArray, weights: FloatArray) -> _Kappa | None:
    """Weighted kappa of a square table; None when chance agreement is complete."""
    n = float(table.sum())
    p = table / n
    row, col = p.sum(axis=1), p.sum(axis=0)
    chance = np.outer(row, col)
    missing = 1 - weights
    disagreement, by_chance = float((missing * p).sum()), float((missing * chance).sum())
    if not by_chance > 0:
        return None
    kappa = 1 - disagreement / by_chance
    expected = 1 - by_chance
    margins = (weights @ col)[:, None] + (weights.T @ row)[None, :]
    own = float((p * (weights - margins * (1 - kappa)) ** 2).sum()) - (kappa - expected * (1 - kappa)) ** 2
    null = float((chance * (weights - margins) ** 2).sum()) - expected**2
    unit = by_chance**2 * n
    return _Kappa(
        1 - disagreement,
        expected,
        kappa,
        0.0 if disagreement == 0 else math.sqrt(max(own, 0.0) / unit),
        math.sqrt(null / unit) if null > 1e-14 else None,
    )


def _tested(found: _Kappa, alpha: float, name: str) -> dict[str, Any]:
    """Fields of the test of kappa = 0 and the interval."""
    reach = norm_isf(alpha / 2) * found.std_error
    low, high = max(-1.0, found.value - reach), min(1.0, found.value + reach)
    z = None if found.std_error_null is None else found.value / found.std_error_null
    undefined = {}
    if z is None:
        undefined = dict.fromkeys(
            ("statistic", "p_value"), "these margins leave chance agreement no variation"
        )
    return {
        "statistic_name": "z",
        "statistic": z,
        "p_value": None if z is None else p_normal(z),
        "alternative": "two-sided",
        "null_value": 0.0,
        "alpha": alpha,
        "estimate_name": name,
        "estimate": found.value,
        "std_error": found.std_error,
        "conf_low": low,
        "conf_high": high,
        "conf_level": 1 - alpha,
        "conf_method": "large-sample normal, cut off at −1 and 1",
        "effect_size": EffectSize(
            name=name,
            estimate=found.value,
            std_error=found.std_error,
            conf_low=low,
            conf_high=high,
            conf_level=1 - alpha,
            magnitude=_label(found.value),
        ),
        "undefined": undefined,
    }


def _agreements(found: _Kappa) -> dict[str, Any]:
    """Observed and chance agreement, and the standard error under the null hypothesis."""
    out: dict[str, Any] = {"observed_agreement": found.observed, "chance_agreement": found.expected}
    if found.std_error_null is None:
        return out | {"std_error_null": None, "undefined": {"std_error_null": "it does not vary"}}
    return out | {"std_error_null": found.std_error_null}


def _weighted_test(table: FloatArray, weights: FloatArray, alpha: float, kind: str) -> SignificanceTest:
    found = _weighted(table, weights)
    assert found is not None  # the unweighted form exists, so some pair of categories differs
    return SignificanceTest(
        method=f"Weighted kappa ({kind} weights)",
        **_tested(found, alpha, f"κ ({kind} weights)"),
        details=_agreements(found),
    )


def _ac1(table: FloatArray, observed: float) -> float:
    """Gwet's AC1."""
    share = (table.sum(0) + table.sum(1)) / (2 * table.sum())
    chance = float((share * (1 - share)).sum()) / (len(share) - 1)
    return (observed - chance) / (1 - chance)


def _label(kappa: float) -> str:
    """Landis and Koch's words."""
    bounds = (
        (0.0, "poor"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"),
    )  # fmt: skip
    if kappa < 0:
        return "poor"
    return next((word for top, word in bounds[1:] if kappa <= top), "almost perfect")


@statistic(
    tool="inter_rater_reliability",
    subtype="fleiss_kappa",
    title="Fleiss' kappa",
    use_when="the same number of raters put each subject into categories; counts per category are given",
    utterances=(
        "agreement among several raters",
        "Fleiss' kappa",
        "kappa for more than two raters",
        "do the coders agree on the categories",
    ),
    refs=(
        "Fleiss 1971, doi:10.1037/h0031619",
        "Fleiss, Nee & Landis 1979, Large sample variance of kappa in the case of different sets of raters",
        "Gwet 2021, Large-sample variance of Fleiss generalized kappa",
    ),
    oracle="statsmodels.stats.inter_rater:fleiss_kappa",
    formula="κ = (P̄ − P̄_e)/(1 − P̄_e), P_i = (Σ n²_ij − m)/(m(m − 1)), P̄_e = Σ p²_j",
    equivalents={
        "R": "irr::kappam.fleiss(ratings, detail = TRUE)",
        "Python": "statsmodels.stats.inter_rater.fleiss_kappa(counts)",
    },
    example={
        "ratings_matrix": [
            [0, 0, 5],
            [1, 3, 1],
            [0, 5, 0],
            [4, 1, 0],
            [0, 2, 3],
            [5, 0, 0],
            [2, 2, 1],
            [0, 1, 4],
        ],
        "category_names": ["low", "medium", "high"],
    },
    aliases=("fleiss",),
)
def fleiss_kappa(
    ratings_matrix: Counts, *, category_names: Categories | None = None, alpha: Alpha = 0.05
) -> SignificanceTest:
    """Agreement of several raters beyond chance, overall and per category.

    Parameters
    ----------
    ratings_matrix : one row per subject; each cell counts the raters who chose that category.
    category_names : names of the columns.
    alpha : significance level; the interval has confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : the estimate is kappa; per-category kappas under `details`.

    Raises
    ------
    InputError : subjects with different numbers of raters, or fewer than two raters or categories.
    NotDefined : every rating is in one category.
    """
    counts = ratings_matrix
    n, k = counts.shape
    raters = _number_of_raters(counts)
    names = column_names(category_names, k, "category", "category_names")
    share = counts.sum(axis=0) / (n * raters)
    chance_disagreement = float((share * (1 - share)).sum())
    if not chance_disagreement > 0:
        raise NotDefined(
            "Kappa is undefined: every rating is in the same category.",
            hint="Chance agreement is complete, so nothing can exceed it.",
            where="ratings_matrix",
            code="zero_variance",
        )
    disagree = (raters**2 - (counts**2).sum(axis=1)) / (raters * (raters - 1))
    kappa = 1 - math.fsum(disagree) / n / chance_disagreement
    spread = float((share * (1 - share) * (1 - 2 * share)).sum())
    null = math.sqrt(max(0.0, 2 / (n * raters * (raters - 1)) * (chance_disagreement**2 - spread)))
    null /= chance_disagreement
    z = kappa / null
    bounds, undefined = _fleiss_interval(counts, raters, share, kappa, alpha)
    return SignificanceTest(
        method="Fleiss' kappa",
        statistic_name="z",
        statistic=z,
        p_value=p_normal(z),
        alternative="two-sided",
        null_value=0.0,
        alpha=alpha,
        estimate_name="Fleiss' κ",
        estimate=kappa,
        conf_level=1 - alpha,
        **bounds,
        undefined=undefined,
        n=n,
        effect_size=EffectSize(
            name="Fleiss' κ",
            estimate=kappa,
            conf_level=1 - alpha,
            magnitude=_label(kappa),
            undefined=undefined,
            **bounds,
        ),
        details={
            "n_raters": raters,
            "observed_agreement": 1 - math.fsum(disagree) / n,
            "chance_agreement": 1 - chance_disagreement,
            "std_error_null": null,
            "categories": {
                name: _category(counts[:, j], raters, float(share[j]), alpha) for j, name in enumerate(names)
            },
        },
        conventions=(
            "z and p: the standard error under no agreement beyond chance (Fleiss, Nee and Landis)",
            "standard error and interval: Gwet's large-sample variance over subjects, t with n − 1 degrees of freedom",
        ),
    )


def _number_of_raters(counts: FloatArray) -> int:
    totals = counts.sum(axis=1)
    if totals.min() != totals.max():
        odd = int(np.flatnonzero(totals != totals[0])[0]) + 1
        raise InputError(
            f"Subject {odd} has {totals[odd - 1]:g} ratings, subject 1 has {totals[0]:g}; all need the same number.",
            hint="Rows are subjects and cells count raters per category.",
            where="ratings_matrix",
            code="unequal_raters",
        )
    if totals[0] < 2 or counts.shape[1] < 2:
        raise InputError(
            "Fleiss' kappa needs at least two raters and two categories.",
            hint="Rows are subjects and cells count raters per category.",
            where="ratings_matrix",
            code="too_few_values",
        )
    if totals[0] > 1e6:
        raise InputError(
            "More than a million raters per subject.", where="ratings_matrix", code="limit_exceeded"
        )
    return int(totals[0])


def _fleiss_interval(
    counts: FloatArray, raters: int, share: FloatArray, kappa: float, alpha: float
) -> tuple[dict[str, Any], dict[str, str]]:
    """Gwet's standard error from how kappa varies over subjects, and the interval with t."""
    n = len(counts)
    if n < 2:
        return {}, dict.fromkeys(("std_error", "conf_low", "conf_high"), "one subject shows no variation")
    rest = float((share * (1 - share)).sum())
    expected = 1 - rest
    agree = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    own = (agree - expected) / rest - 2 * (1 - kappa) * (counts @ share / raters - expected) / rest
    error = math.sqrt(math.fsum((own - kappa) ** 2) / (n * (n - 1)))
    reach = t_isf(alpha / 2, n - 1) * error
    return {
        "std_error": error,
        "conf_low": min(kappa, max(-1.0, kappa - reach)),
        "conf_high": min(1.0, kappa + reach),
        "conf_method": "Gwet, cut off at −1 and 1",
    }, {}


def _category(column: FloatArray, raters: int, share: float, alpha: float) -> dict[str, Any]:
    """Kappa of one category against the rest, its null standard error, z and p."""
    n = len(column)
    error = math.sqrt(2 / (n * raters * (raters - 1)))
    out: dict[str, Any] = {"proportion": share}
    if not 0 < share < 1:
        reason = "no rating is in this category" if share == 0 else "every rating is in this category"
        keys = ("estimate", "std_error_null", "statistic", "p_value")
        return out | dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, reason)}
    kappa = 1 - math.fsum(column * (raters - column)) / (n * raters * (raters - 1) * share * (1 - share))
    z = kappa / error
    p = p_normal(z)
    return out | {
        "estimate": kappa,
        "std_error_null": error,
        "statistic": z,
        "p_value": p,
        "significant": p <= alpha,
    }
