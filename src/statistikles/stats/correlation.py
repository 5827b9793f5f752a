"""Correlation of two variables: Pearson, Spearman, Kendall, and partial correlation."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Alternative,
    ColumnSet,
    Decimals,
    FloatArray,
    NameList,
    Switch,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._comoments import Correlation, correlate, require_spread
from statistikles.stats._correlation_report import described, fisher_interval, t_tested
from statistikles.stats._distributions import p_from_tails, p_normal, spearman_exact_tails
from statistikles.stats._graph_models import residual_pairs
from statistikles.stats._kendall import kendall_counts, kendall_exact_p
from statistikles.stats._numerics import rank_with_ties
from statistikles.stats._partial import covariate_basis, partial_of

__all__ = ["kendall", "partial_correlation", "pearson", "spearman"]

declare_tool(
    "correlation",
    title="Correlation",
    summary="Measures and tests the association of two numeric or ordinal variables.",
    chooser="method",
    default="pearson",
)

Pairs = Annotated[FloatArray, Vector(min_n=3)]
Names = Annotated[tuple[str, ...], NameList(of=("x", "y"))]

_SPEARMAN_EXACT = 10
_X = [44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1]
_Y = [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8]
_LAWS = ("shift_invariant", "scale_invariant", "swap_symmetric", "order_invariant")
_BONETT = "Bonett & Wright 2000, doi:10.1007/BF02294183"


@statistic(
    tool="correlation",
    subtype="pearson",
    title="Pearson correlation",
    use_when="two numeric variables, a straight-line relation",
    utterances=(
        "is there a relationship between height and weight",
        "how strongly are the two variables correlated",
        "correlation between x and y",
        "does one go up when the other goes up",
    ),
    refs=("Pearson 1895, doi:10.1098/rspl.1895.0041", "Fisher 1921, Metron 1, 3–32"),
    laws=_LAWS,
    oracle="scipy.stats:pearsonr",
    formula="r = Σ(x − mx)(y − my) / sqrt(Σ(x − mx)² Σ(y − my)²), t = r sqrt((n − 2)/(1 − r²))",
    equivalents={"R": "cor.test(x, y)", "Python": "scipy.stats.pearsonr(x, y)"},
    example={"x": _X, "y": _Y},
    aliases=("linear", "product_moment", "r"),
    aligned=(("x", "y"),),
    from_sums=lambda _given: True,
)
def pearson(
    x: Pairs,
    y: Pairs,
    *,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    names: Names | None = None,
    decimals: Decimals | None = None,
) -> SignificanceTest:
    """Pearson's product-moment correlation with its t test and Fisher z interval.

    Parameters
    ----------
    x : first variable.
    y : second variable, matched with x row by row.
    alpha : significance level; the interval has confidence 1 - alpha.
    alternative : "two-sided", "greater" (positive correlation) or "less".
    names : names of the two variables in the result.
    decimals : places of rounded copies of r and p.

    Returns
    -------
    SignificanceTest : the estimate is r.

    Raises
    ------
    NotDefined : a variable is constant.
    """
    require_spread(x, "x")
    require_spread(y, "y")
    n = x.size
    found = correlate(x, y)
    tested = t_tested(
        "Pearson's product-moment correlation",
        "Pearson's r",
        found,
        n - 2,
        fisher_interval(found, 1 / (n - 3) if n > 3 else None, alpha, alternative, "Fisher z"),
        alpha,
        alternative,
        n=n,
        groups=described(x, y, names),
        conventions=("exact t test under normality, df = n − 2",),
    )
    if decimals is None:
        return tested
    given = {"estimate": tested.estimate, "p_value": tested.p_value}
    rounded = {name: round(float(value), decimals) for name, value in given.items() if value is not None}
    return replace(tested, details={**tested.details, "rounded": rounded})


@statistic(
    tool="correlation",
    subtype="spearman",
    title="Spearman rank correlation",
    use_when="two ordinal or skewed numeric variables, a monotone relation",
    utterances=(
        "rank correlation",
        "monotonic relationship between two variables",
        "correlation of ordinal ratings",
        "Spearman's rho",
    ),
    refs=("Spearman 1904, doi:10.2307/1412159", _BONETT),
    laws=_LAWS,
    oracle="scipy.stats:spearmanr",
    formula="ρ = Pearson's r of the ranks (ties: mean ranks), t = ρ sqrt((n − 2)/(1 − ρ²))",
    equivalents={
        "R": 'cor.test(x, y, method = "spearman", exact = FALSE)',
        "Python": "scipy.stats.spearmanr(x, y)",
    },
    example={"x": _X, "y": _Y},
    aliases=("rho", "rank"),
    aligned=(("x", "y"),),
)
def spearman(
    x: Pairs,
    y: Pairs,
    *,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    names: Names | None = None,
) -> SignificanceTest:
    """Spearman's rank correlation; the t approximation leads, the exact p stands beside for small n.

    Parameters
    ----------
    x : first variable.
    y : second variable, matched with x row by row.
    alpha : significance level; the interval has confidence 1 - alpha.
    alternative : "two-sided", "greater" (positive association) or "less".
    names : names of the two variables in the result.

    Returns
    -------
    SignificanceTest : the estimate is rho.

    Raises
    ------
    NotDefined : a variable is constant.
    """
    require_spread(x, "x")
    require_spread(y, "y")
    n = x.size
    (rank_x, ties_x), (rank_y, ties_y) = rank_with_ties(x), rank_with_ties(y)
    found = correlate(rank_x, rank_y)
    spread = (1 + found.r**2 / 2) / (n - 3) if n > 3 else None
    exact_p = _spearman_exact(rank_x, rank_y, alternative)
    exact = SignificanceTest(
        method="Exact permutation test of Spearman's rho (ties kept)",
        statistic_name="ρ",
        statistic=found.r,
        p_value=exact_p,
        alternative=alternative,
        alpha=alpha,
        undefined={} if exact_p is not None else {"p_value": f"listed up to n = {_SPEARMAN_EXACT} only"},
    )
    replaced = _perfect_order_p(found, n, ties_x, alternative)
    return t_tested(
        "Spearman's rank correlation "
        + ("(t approximation)" if replaced is None else "(exact p of a perfect order)"),
        "Spearman's ρ",
        found,
        n - 2,
        fisher_interval(found, spread, alpha, alternative, "Fisher z, variance of Bonett and Wright"),
        alpha,
        alternative,
        p_value=replaced,
        n=n,
        groups=described(x, y, names),
        also={"exact": exact},
        conventions=(
            "ties get mean ranks; rho is Pearson's r of the ranks",
            "the p value of the t approximation leads; the exact one beside it for small n",
            f"ties: {sum(ties_x) if ties_x else 0} values of x, {sum(ties_y) if ties_y else 0} of y",
        ),
    )


@statistic(
    tool="correlation",
    subtype="kendall",
    title="Kendall rank correlation",
    use_when="two ordinal variables, few values or many ties",
    utterances=(
        "Kendall's tau",
        "concordance of two rankings",
        "do the two judges order the items alike",
        "ordinal association with ties",
    ),
    refs=(
        "Kendall 1938, doi:10.1093/biomet/30.1-2.81",
        "Knight 1966, doi:10.1080/01621459.1966.10480879",
        _BONETT,
    ),
    laws=_LAWS,
    oracle="scipy.stats:kendalltau",
    formula="τ_b = (C − D) / sqrt((n0 − n1)(n0 − n2))",
    equivalents={"R": 'cor.test(x, y, method = "kendall")', "Python": "scipy.stats.kendalltau(x, y)"},
    example={"x": _X, "y": _Y},
    aliases=("tau", "tau_b", "kendall_tau"),
    aligned=(("x", "y"),),
)
def kendall(
    x: Pairs,
    y: Pairs,
    *,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    names: Names | None = None,
) -> SignificanceTest:
    """Kendall's tau-b with its exact p (small n, no ties) or normal p; tau-a, tau-c, gamma, Somers' d beside.

    Parameters
    ----------
    x : first variable.
    y : second variable, matched with x row by row.
    alpha : significance level; the interval has confidence 1 - alpha.
    alternative : "two-sided", "greater" (positive association) or "less".
    names : names of the two variables in the result.

    Returns
    -------
    SignificanceTest : the estimate is tau-b; the statistic S is concordant minus discordant pairs.

    Raises
    ------
    NotDefined : a variable is constant.
    """
    require_spread(x, "x")
    require_spread(y, "y")
    counts = kendall_counts(x, y)
    tau = counts.tau_b
    exact_p = kendall_exact_p(counts, alternative)
    z = counts.score / math.sqrt(counts.variance)
    normal_p = p_normal(z, alternative)
    normal = SignificanceTest(
        method="Normal approximation with tie correction, no continuity correction",
        statistic_name="z",
        statistic=z,
        p_value=normal_p,
        alternative=alternative,
        alpha=alpha,
    )
    n = x.size
    unexplained = (1 - tau) * (1 + tau)
    bounds = fisher_interval(
        Correlation(tau, unexplained), 0.437 / (n - 4) if n > 4 else None, alpha, alternative,
        "Fisher z, variance 0.437/(n − 4) (Fieller, Hartley and Pearson)",
    )  # fmt: skip
    how = "exact p" if exact_p is not None else "normal approximation with tie correction"
    return SignificanceTest(
        method=f"Kendall's rank correlation tau-b ({how})",
        statistic_name="S",
        statistic=counts.score,
        p_value=normal_p if exact_p is None else exact_p,
        alternative=alternative,
        null_value=0.0,
        alpha=alpha,
        estimate_name="Kendall's τ_b",
        estimate=tau,
        conf_level=1 - alpha,
        effect_size=EffectSize(name="Kendall's τ_b", estimate=tau, conf_level=1 - alpha, **bounds),
        effect_sizes=counts.relatives(),
        n=n,
        groups=described(x, y, names),
        details={
            "concordant": counts.concordant,
            "discordant": counts.discordant,
            "tied_x_only": counts.tied_x - counts.tied_both,
            "tied_y_only": counts.tied_y - counts.tied_both,
            "tied_both": counts.tied_both,
        },
        also={"normal_approximation": normal},
        conventions=(
            "the exact p leads without ties up to n = 60, otherwise the normal approximation",
            "tau-b corrects for ties in both variables",
        ),
        **bounds,
    )


@statistic(
    tool="correlation",
    subtype="partial",
    title="Partial correlation",
    use_when="two numeric variables, controlling for others (covariates)",
    utterances=(
        "correlation controlling for age",
        "relationship between x and y holding z constant",
        "partial correlation adjusting for covariates",
    ),
    refs=("Fisher 1924, Metron 3, 329–332",),
    laws=("shift_invariant", "scale_invariant", "swap_symmetric", "order_invariant"),
    oracle="pingouin:partial_corr",
    formula="r of the residuals of x and y on the covariates, df = n − 2 − k",
    equivalents={
        "R": "cor(resid(lm(x ~ z)), resid(lm(y ~ z)))",
        "Python": "pingouin.partial_corr(data, x, y, covar)",
    },
    example={"x": _X, "y": _Y, "covariates": [[21, 34, 25, 41, 38, 29, 45, 23, 52]]},
    aliases=("controlled", "partial_correlation"),
    aligned=(("x", "y", "covariates"),),
)
def partial_correlation(
    x: Pairs,
    y: Pairs,
    *,
    covariates: Annotated[FloatArray, ColumnSet(min_n=3)],
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    names: Names | None = None,
    graph: Switch = False,
) -> SignificanceTest:
    """Correlation of x and y with the covariates held constant; rank version and semi-partials beside it.

    Parameters
    ----------
    x : first variable.
    y : second variable, matched with x row by row.
    covariates : one or more columns to control for, matched row by row.
    alpha : significance level; the interval has confidence 1 - alpha.
    alternative : "two-sided", "greater" (positive correlation) or "less".
    names : names of the two variables in the result.
    graph : list what an added-variable plot needs: the residuals of both, and the slope of y on x with the covariates.

    Returns
    -------
    SignificanceTest : the estimate is the partial correlation.

    Raises
    ------
    InputError : too few rows for the covariates.
    NotDefined : a variable is constant or fully explained by the covariates.
    """
    require_spread(x, "x")
    require_spread(y, "y")
    n = x.size
    basis, warnings = covariate_basis(covariates)
    df = n - 2 - basis.shape[1]
    if df < 1:
        raise InputError(
            f"Partial correlation with {basis.shape[1]} covariate(s) needs at least {basis.shape[1] + 3} rows; "
            f"there are {n}.",
            hint="Use fewer covariates or more rows.",
            where="covariates",
            code="too_few_values",
        )
    found, rest_x, rest_y = partial_of(x, y, basis)
    ranked = np.column_stack([rank_with_ties(c)[0] for c in covariates.T])
    zero_order = correlate(x, y)
    return t_tested(
        f"Partial correlation (Pearson), {basis.shape[1]} covariate(s) held constant",
        "partial r",
        found,
        df,
        fisher_interval(found, 1 / (df - 1) if df > 1 else None, alpha, alternative, "Fisher z, n − k − 3"),
        alpha,
        alternative,
        n=n,
        groups=described(x, y, names),
        effect_sizes={
            "semi_partial_x": EffectSize(
                name="semi-partial r (covariates removed from x)", estimate=correlate(rest_x, y).r
            ),
            "semi_partial_y": EffectSize(
                name="semi-partial r (covariates removed from y)", estimate=correlate(x, rest_y).r
            ),
            "zero_order": EffectSize(name="Pearson's r, covariates ignored", estimate=zero_order.r),
        },
        also={
            "spearman": _rank_partial(rank_with_ties(x)[0], rank_with_ties(y)[0], ranked, alpha, alternative)
        },
        warnings=warnings,
        details={"graph": residual_pairs(x, y, basis, df, alpha)} if graph else {},
        conventions=("covariates enter linearly, with an intercept", "df = n − 2 − number of covariates"),
    )


# Ranks ---------------------------------------------------------------------------------------------------


def _spearman_exact(rank_x: FloatArray, rank_y: FloatArray, alternative: str) -> float | None:
    if rank_x.size > _SPEARMAN_EXACT:
        return None
    lower, upper = spearman_exact_tails(rank_x, rank_y)
    return p_from_tails(lower, upper, alternative)


def _perfect_order_p(found: Correlation, n: int, ties: list[int], alternative: str) -> float | None:
    """Exact p when the order is perfect: the t approximation would give an impossible zero."""
    if found.unexplained:
        return None
    arrangements = math.prod(math.factorial(t) for t in ties)
    tail = arrangements / math.factorial(n)
    in_direction = alternative == "two-sided" or (alternative == "greater") == (found.r > 0)
    return min(1.0, 2 * tail) if alternative == "two-sided" else tail if in_direction else 1.0


def _rank_partial(
    rank_x: FloatArray, rank_y: FloatArray, ranks: FloatArray, alpha: float, alternative: str
) -> SignificanceTest:
    method = "Partial Spearman correlation (Pearson's partial r of the ranks)"
    basis, _ = covariate_basis(ranks)
    df = rank_x.size - 2 - basis.shape[1]
    try:
        found, _, _ = partial_of(rank_x, rank_y, basis)
    except NotDefined as error:
        reasons = dict.fromkeys(("statistic", "p_value", "estimate"), error.message)
        return SignificanceTest(method=method, statistic_name="t", alpha=alpha, undefined=reasons)
    bounds = fisher_interval(
        found, 1 / (df - 1) if df > 1 else None, alpha, alternative, "Fisher z, n − k − 3"
    )
    return t_tested(method, "partial ρ", found, df, bounds, alpha, alternative, n=rank_x.size)
