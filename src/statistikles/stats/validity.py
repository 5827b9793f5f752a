"""Validity of a measure: content (CVR, CVI), convergent and discriminant (AVE, Fornell-Larcker, HTMT), criterion."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Alternative,
    Choice,
    Count,
    FloatArray,
    NameList,
    Positive,
    RowSet,
    ScalarNumber,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, Measures, Quantity, Role, SignificanceTest
from statistikles.stats._comoments import correlate, require_spread
from statistikles.stats._correlation_report import described, fisher_interval, t_tested
from statistikles.stats._discrete import binom_pmf, binom_sf, clopper_pearson
from statistikles.stats._moment_matrix import column_names
from statistikles.stats._numerics import moments, rank_with_ties

__all__ = ["content_validity_index", "content_validity_ratio", "criterion_validity"]

_LARGEST_PANEL = 10_000

declare_tool(
    "validity_assessment",
    title="Validity of a measure",
    summary="Content validity from a panel of experts, and convergent and discriminant validity of constructs.",
    chooser="type",
    default="cvr",
)
declare_tool(
    "criterion_validity_test",
    title="Criterion validity",
    summary="How well a measure agrees with (concurrent) or predicts (predictive) a criterion.",
)


@statistic(
    tool="validity_assessment",
    subtype="cvr",
    title="Content validity ratio",
    use_when="a panel of experts said of an item whether it is essential",
    utterances=(
        "content validity ratio",
        "how many experts must call an item essential",
        "Lawshe's CVR",
        "8 of 10 experts rate the item essential",
    ),
    refs=(
        "Lawshe 1975, doi:10.1111/j.1744-6570.1975.tb01393.x",
        "Ayre & Scally 2014, doi:10.1177/0748175613513808",
    ),
    formula="CVR = (n_e − N/2)/(N/2); critical n_e: P(X ≥ n_e) ≤ α, X ~ Binomial(N, 1/2)",
    equivalents={
        "R": 'binom.test(n_essential, n_total, 0.5, alternative = "greater")',
        "Python": "scipy.stats.binomtest(n_essential, n_total, 0.5, alternative='greater')",
    },
    example={"n_essential": 9, "n_total": 10},
    aliases=("content_validity_ratio", "lawshe"),
)
def content_validity_ratio(
    n_essential: Count,
    n_total: Annotated[int, ScalarNumber(low=1.0, high=_LARGEST_PANEL, whole=True, limit=True)],
    *,
    alpha: Alpha = 0.05,
) -> SignificanceTest:
    """Lawshe's content validity ratio with its exact binomial critical value.

    Parameters
    ----------
    n_essential : number of experts who called the item essential.
    n_total : number of experts.
    alpha : one-sided significance level of the critical value.

    Returns
    -------
    SignificanceTest : the estimate is the CVR; the critical number and CVR under details.

    Raises
    ------
    InputError : more experts called it essential than there are.
    """
    if n_essential > n_total:
        raise InputError(
            f"{n_essential} of {n_total} experts cannot have called the item essential.",
            where="n_essential",
            code="out_of_range",
        )
    half = n_total / 2
    cvr = (n_essential - half) / half
    low, high = clopper_pearson(n_essential, n_total, 1 - alpha)
    critical = next((m for m in range(n_total + 1) if binom_sf(m - 1, n_total, 0.5) <= alpha), None)
    details: dict[str, Any] = {
        "critical_n": critical,
        "critical_cvr": None if critical is None else (critical - half) / half,
        "proportion_essential": n_essential / n_total,
        "reached": critical is not None and n_essential >= critical,
    }
    if critical is None:
        reason = "even unanimity of so small a panel is not significant"
        details["undefined"] = dict.fromkeys(("critical_n", "critical_cvr"), reason)
    bounds: dict[str, Any] = {"conf_low": 2 * low - 1, "conf_high": 2 * high - 1, "conf_level": 1 - alpha}
    return SignificanceTest(
        method="Content validity ratio (exact binomial test)",
        statistic_name="n essential",
        statistic=float(n_essential),
        p_value=binom_sf(n_essential - 1, n_total, 0.5),
        alternative="greater",
        null_value=0.0,
        alpha=alpha,
        estimate_name="CVR",
        estimate=cvr,
        **bounds,
        conf_method="Clopper-Pearson, two-sided",
        n=n_total,
        effect_size=EffectSize(name="CVR", estimate=cvr, **bounds),
        details=details,
        conventions=(
            "critical value: smallest number whose one-sided exact binomial p is at most alpha (Ayre and Scally)",
        ),
    )


@statistic(
    tool="validity_assessment",
    subtype="cvi",
    title="Content validity index",
    use_when="experts rated the relevance of each item (usually 1 to 4)",
    utterances=("content validity index", "I-CVI and S-CVI", "relevance ratings of the items by experts"),
    refs=("Polit, Beck & Owen 2007, doi:10.1002/nur.20199",),
    formula="I-CVI = A/N; κ* = (I-CVI − p_c)/(1 − p_c), p_c = C(N, A)·0.5^N",
    equivalents={"R": "rowMeans(ratings >= 3)", "Python": "(ratings >= 3).mean(axis=1)"},
    example={"ratings_matrix": [[4, 4, 3, 4, 3], [4, 2, 3, 4, 4], [2, 3, 1, 4, 2], [4, 4, 4, 4, 4]]},
    aliases=("content_validity_index",),
)
def content_validity_index(
    ratings_matrix: Annotated[FloatArray, RowSet(min_n=1, min_columns=2)],
    *,
    cutoff: Annotated[float, ScalarNumber()] = 3.0,
    item_names: Annotated[tuple[str, ...], NameList()] | None = None,
) -> Measures:
    """Content validity index of each item and of the scale, with kappa corrected for chance.

    Parameters
    ----------
    ratings_matrix : one row per item, one column per expert.
    cutoff : lowest rating that counts as relevant.
    item_names : names of the items (rows).

    Returns
    -------
    Measures : I-CVI and modified kappa per item; S-CVI by average and by universal agreement.
    """
    n_items, experts = ratings_matrix.shape
    names = column_names(item_names, n_items, "item", "item_names")
    agree = (ratings_matrix >= cutoff).sum(axis=1)
    items = {}
    for name, a in zip(names, agree.tolist(), strict=True):
        share, chance = a / experts, binom_pmf(int(a), experts, 0.5)
        items[name] = {"i_cvi": share, "chance": chance, "modified_kappa": (share - chance) / (1 - chance)}
    return Measures(
        method="Content validity index",
        quantities={
            "s_cvi_average": Quantity(float(agree.sum()) / (n_items * experts), Role.PROPORTION),
            "s_cvi_universal": Quantity(float((agree == experts).mean()), Role.PROPORTION),
            "n_items": Quantity(n_items, Role.COUNT),
            "n_experts": Quantity(experts, Role.COUNT),
            "cutoff": cutoff,
            "items": items,
        },
        conventions=(
            f"a rating of at least {cutoff:g} counts as relevant",
            "kappa corrected for chance agreement on relevance",
        ),
    )


@statistic(
    tool="criterion_validity_test",
    title="Criterion validity",
    use_when="a new measure is held against a criterion, measured now or later",
    utterances=(
        "does the test predict job performance",
        "concurrent validity against the gold standard",
        "predictive validity of the selection test",
        "validity coefficient corrected for attenuation",
    ),
    refs=(
        "Spearman 1904, doi:10.2307/1412159",
        "Thorndike 1949, Personnel selection",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="scipy.stats:pearsonr",
    formula="r = Pearson's correlation; corrected: r/sqrt(r_xx r_yy)",
    equivalents={
        "R": "cor.test(predictor, criterion)",
        "Python": "scipy.stats.pearsonr(predictor, criterion)",
    },
    example={
        "predictor": [52.0, 61, 47, 58, 66, 49, 55, 70, 63, 51],
        "criterion": [3.1, 3.4, 2.8, 3.0, 3.9, 3.2, 2.9, 3.8, 3.6, 2.7],
        "validity_type": "predictive",
        "predictor_reliability": 0.85,
    },
    aligned=(("predictor", "criterion"),),
)
def criterion_validity(
    predictor: Annotated[FloatArray, Vector(min_n=3)],
    criterion: Annotated[FloatArray, Vector(min_n=3)],
    *,
    validity_type: Annotated[str, Choice(("concurrent", "predictive"))] = "concurrent",
    predictor_reliability: Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True)] | None = None,
    criterion_reliability: Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True)] | None = None,
    unrestricted_sd: Positive | None = None,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    names: Annotated[tuple[str, ...], NameList(of=("predictor", "criterion"))] | None = None,
) -> SignificanceTest:
    """Validity coefficient: the correlation of a measure with a criterion, tested, with corrections on request.

    Parameters
    ----------
    predictor : scores of the measure.
    criterion : the criterion, matched row by row.
    validity_type : "concurrent" (measured at the same time) or "predictive" (measured later).
    predictor_reliability : reliability of the measure, for the correction for attenuation.
    criterion_reliability : reliability of the criterion, for the correction for attenuation.
    unrestricted_sd : SD of the predictor in the unselected population, for the correction for range restriction.
    alpha : significance level; the interval has confidence 1 - alpha.
    alternative : "two-sided", "greater" (positive validity) or "less".
    names : names of the two variables in the result.

    Returns
    -------
    SignificanceTest : the estimate is r; corrected coefficients and Spearman's rho under `also`.

    Raises
    ------
    NotDefined : the measure or the criterion is constant.
    """
    require_spread(predictor, "predictor")
    require_spread(criterion, "criterion")
    n = predictor.size
    found = correlate(predictor, criterion)
    how = "Fisher z"
    bounds = fisher_interval(found, 1 / (n - 3) if n > 3 else None, alpha, alternative, how)
    also: dict[str, Any] = {
        "spearman_rho": correlate(rank_with_ties(predictor)[0], rank_with_ties(criterion)[0]).r
    }
    warnings = []
    if predictor_reliability is not None or criterion_reliability is not None:
        factor = 1 / math.sqrt((predictor_reliability or 1.0) * (criterion_reliability or 1.0))
        also["corrected_for_attenuation"] = _corrected("r corrected for attenuation", found.r, bounds, factor)
        if abs(found.r) * factor > 1:
            warnings.append(
                "The corrected coefficient exceeds 1: the reliabilities are too low for these data."
            )
    if unrestricted_sd is not None:
        also["corrected_for_range_restriction"] = _unrestricted(found.r, predictor, unrestricted_sd)
    return t_tested(
        f"{validity_type.capitalize()} criterion validity (Pearson's correlation)",
        "r",
        found,
        n - 2,
        bounds,
        alpha,
        alternative,
        n=n,
        groups=described(predictor, criterion, names or ("predictor", "criterion")),
        also=also,
        details={"validity_type": validity_type},
        conventions=(
            "exact t test under normality, df = n − 2; interval by Fisher's z",
            "attenuation: r and its bounds divided by the root of the reliabilities, which count as known",
        ),
        warnings=tuple(warnings),
    )


def _corrected(name: str, r: float, bounds: Mapping[str, Any], factor: float) -> EffectSize:
    scaled = {k: bounds[k] * factor for k in ("conf_low", "conf_high") if k in bounds}
    return EffectSize(name=name, estimate=r * factor, undefined=bounds.get("undefined", {}), **scaled)


def _unrestricted(r: float, predictor: FloatArray, sd: float) -> EffectSize:
    """Thorndike's case 2."""
    own = moments(predictor).sd
    if not own or not math.isfinite(sd / own):
        raise NotDefined("The SD of the predictor leaves the range of a double.", where="predictor")
    ratio = sd / own
    return EffectSize(
        name="r corrected for range restriction",
        estimate=r * ratio / math.hypot(math.sqrt(max(0.0, 1 - r * r)), r * ratio) if r else 0.0,
    )
