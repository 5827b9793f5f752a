"""Sample sizes for comparing means or proportions, testing a correlation, multiple regression and ANOVA."""

from __future__ import annotations

import math
from typing import Annotated

from statistikles.errors import InputError
from statistikles.registry.arguments import Alpha, Alternative, Fraction, Real, ScalarNumber
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Power
from statistikles.stats._distributions import norm_cdf, norm_isf, norm_sf
from statistikles.stats._power_curves import (
    check_reachable,
    correlation_power,
    f_power,
    least_first,
    normal_power,
    t_curve,
    whole_n,
)

__all__ = [
    "sample_size_anova",
    "sample_size_correlation",
    "sample_size_means",
    "sample_size_proportions",
    "sample_size_regression",
]

_COHEN = "Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, 2nd ed."

declare_tool(
    "sample_size_calculator",
    title="Sample size",
    summary="How many participants a design needs: means, proportions, correlation, regression or ANOVA.",
    chooser="design",
)

PowerValue = Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True, open_high=True)]
Ratio = Annotated[float, ScalarNumber(low=1e-3, high=1e3)]
Whole = Annotated[int, ScalarNumber(low=1.0, high=10_000.0, whole=True)]
GroupCount = Annotated[int, ScalarNumber(low=2.0, high=10_000.0, whole=True)]
Correlation = Annotated[float, ScalarNumber(low=-1.0, high=1.0, open_low=True, open_high=True)]
Nonnegative = Annotated[float, ScalarNumber(low=0.0, open_low=True)]


@statistic(
    tool="sample_size_calculator",
    subtype="means",
    title="Sample size for two means",
    use_when="planning to compare two group means; the effect is Cohen's d",
    utterances=("how many participants per group for two means", "sample size for a t test", "n for d = 0.5"),
    refs=(_COHEN,),
    oracle="statsmodels.stats.power:TTestIndPower",
    formula="smallest n with P(|T'| > t(1 − α/2, 2n − 2)) ≥ power, T' noncentral t with δ = d·sqrt(n/2)",
    equivalents={
        "R": "pwr::pwr.t.test(d = effect_size, power = 0.8)",
        "Python": "statsmodels.stats.power.TTestIndPower().solve_power(effect_size, alpha=0.05, power=0.8)",
    },
    example={"effect_size": 0.5, "alpha": 0.05, "power": 0.8},
    aliases=("mean", "t_test", "two_means"),
)
def sample_size_means(
    effect_size: Real,
    *,
    alpha: Alpha = 0.05,
    power: PowerValue = 0.8,
    ratio: Ratio = 1.0,
    alternative: Alternative = "two-sided",
) -> Power:
    """Participants per group for a two-sample t test.

    Parameters
    ----------
    effect_size : standardised mean difference (Cohen's d).
    alpha : significance level.
    power : wanted probability of a significant result.
    ratio : size of the second group divided by that of the first.
    alternative : "two-sided", "greater" or "less".

    Returns
    -------
    Power : n per group, exact and rounded up, with the power achieved.
    """
    check_reachable(effect_size, alpha, power, alternative)

    def curve(size: float, second: float) -> float:
        return t_curve(size, second, effect_size, alpha, alternative, "two_sample")

    exact, n, undefined = whole_n(lambda size: curve(size, size * ratio), power, least_first(ratio))
    second = math.ceil(n * ratio - 1e-9)
    return Power(
        method="Two-sample t test, power from the noncentral t distribution",
        solved_for="n",
        effect_size_name="Cohen's d",
        effect_size=effect_size,
        n=n,
        n_per_group=n,
        n_exact=exact,
        n_total=n + second,
        alpha=alpha,
        power=power,
        achieved_power=curve(n, second),
        alternative=alternative,
        details={"n1": n, "n2": second},
        undefined=undefined,
        conventions=(
            "n is per group"
            if ratio == 1.0
            else f"n is the first group's; the second has {ratio:g} times as many",
            "both tails count" if alternative == "two-sided" else "only the tail of the alternative counts",
        ),
    )


@statistic(
    tool="sample_size_calculator",
    subtype="proportions",
    title="Sample size for two proportions",
    use_when="planning to compare two proportions; the effect is their difference around one half, or p1 and p2",
    utterances=(
        "how many per group to compare two percentages",
        "sample size for two proportions",
        "n for a rate of 40% versus 60%",
    ),
    refs=(_COHEN, "Fleiss, Levin & Paik 2003, Statistical Methods for Rates and Proportions, 3rd ed."),
    oracle="statsmodels.stats.power:NormalIndPower",
    formula="n = (z(1−α/2)·sqrt(2p̄q̄) + z(power)·sqrt(p1q1 + p2q2))² / (p1 − p2)²; Cohen's h: n = 2((z + z)/h)²",
    equivalents={
        "R": "power.prop.test(p1 = .6, p2 = .4, power = 0.8); pwr::pwr.2p.test(h = .2, power = 0.8)",
        "Python": "statsmodels.stats.power.NormalIndPower().solve_power(effect_size=h, alpha=0.05, power=0.8)",
    },
    example={"effect_size": 0.2, "alpha": 0.05, "power": 0.8},
    aliases=("proportion", "two_proportions", "rates"),
)
def sample_size_proportions(
    effect_size: Real | None = None,
    *,
    p1: Fraction | None = None,
    p2: Fraction | None = None,
    alpha: Alpha = 0.05,
    power: PowerValue = 0.8,
    alternative: Alternative = "two-sided",
) -> Power:
    """Participants per group to compare two proportions, by their difference and by Cohen's h.

    Parameters
    ----------
    effect_size : difference of the proportions, taken around one half (p = .5 ± effect_size/2); the
        second form takes the same number as Cohen's h.
    p1 : first proportion, with p2 instead of effect_size.
    p2 : second proportion.
    alpha : significance level.
    power : wanted probability of a significant result.
    alternative : "two-sided", "greater" (first larger) or "less".

    Returns
    -------
    Power : n per group for the difference; `also.cohens_h` and `also.continuity_corrected` beside.
    """
    if effect_size is None:
        if p1 is None or p2 is None:
            raise InputError(
                "Give 'effect_size', or both 'p1' and 'p2'.", where="effect_size", code="missing_argument"
            )
        h = 2 * math.asin(math.sqrt(p1)) - 2 * math.asin(math.sqrt(p2))
    elif p1 is not None or p2 is not None:
        raise InputError("Give 'effect_size' or 'p1' and 'p2', not both.", where="effect_size")
    elif not 0 < abs(effect_size) < 1:
        raise InputError(
            f"The difference of two proportions must lie between 0 and 1, not {effect_size:g}.",
            hint="Give the two proportions as p1 and p2.",
            where="effect_size",
            code="out_of_range",
        )
    else:
        p1, p2, h = 0.5 + effect_size / 2, 0.5 - effect_size / 2, effect_size
    check_reachable(p1 - p2, alpha, power, alternative)
    exact = _proportion_n(p1, p2, alpha, power, alternative)
    n = max(1, math.ceil(exact - 1e-9))
    corrected = exact / 4 * (1 + math.sqrt(1 + 4 / (exact * abs(p1 - p2)))) ** 2
    shared = {"solved_for": "n", "alpha": alpha, "power": power, "alternative": alternative}
    h_exact, h_n, h_undefined = whole_n(
        lambda size: normal_power(h * math.sqrt(size / 2), alpha, alternative), power, 1.0
    )
    by_h = Power(
        method="Two proportions, Cohen's h (arcsine)",
        effect_size_name="Cohen's h",
        effect_size=h,
        n=h_n,
        n_per_group=h_n,
        n_exact=h_exact,
        n_total=2 * h_n,
        achieved_power=normal_power(h * math.sqrt(h_n / 2), alpha, alternative),
        undefined=h_undefined,
        **shared,  # type: ignore[arg-type]
    )
    return Power(
        method="Two proportions, normal approximation with pooled variance under the null hypothesis",
        effect_size_name="difference of proportions",
        effect_size=p1 - p2 if effect_size is None else effect_size,
        n=n,
        n_per_group=n,
        n_exact=exact,
        n_total=2 * n,
        achieved_power=_proportion_power(n, p1, p2, alpha, alternative),
        details={"p1": p1, "p2": p2},
        also={
            "cohens_h": by_h,
            "continuity_corrected": {"n": math.ceil(corrected - 1e-9), "n_exact": corrected},
        },
        conventions=(
            "n is per group, equal groups",
            "the difference of proportions leads; the arcsine form (Cohen's h) stands beside it",
            "rejection in the wrong direction is not counted for the difference, and is for Cohen's h",
        ),
        **shared,  # type: ignore[arg-type]
    )


@statistic(
    tool="sample_size_calculator",
    subtype="correlation",
    title="Sample size for a correlation",
    use_when="planning to test whether a correlation differs from zero; the effect is r",
    utterances=(
        "how many people to find a correlation of .3",
        "sample size for a correlation",
        "n for r = .25",
    ),
    refs=(_COHEN, "Fisher 1921, Metron 1, 3-32"),
    formula="n = ((z(1−α/2) + z(power)) / atanh(r))² + 3",
    equivalents={
        "R": "pwr::pwr.r.test(r = 0.3, power = 0.8)",
        "Python": "((z_a + z_b) / np.arctanh(r))**2 + 3",
    },
    example={"effect_size": 0.3, "alpha": 0.05, "power": 0.8},
    aliases=("r", "pearson"),
)
def sample_size_correlation(
    effect_size: Correlation,
    *,
    alpha: Alpha = 0.05,
    power: PowerValue = 0.8,
    alternative: Alternative = "two-sided",
) -> Power:
    """Pairs of observations needed to test a Pearson correlation against zero.

    Parameters
    ----------
    effect_size : correlation expected (r).
    alpha : significance level.
    power : wanted probability of a significant result.
    alternative : "two-sided", "greater" or "less".

    Returns
    -------
    Power : n by Fisher's z; `also.exact` uses the exact distribution of r.
    """
    check_reachable(effect_size, alpha, power, alternative)
    tail = alpha / 2 if alternative == "two-sided" else alpha
    exact = ((norm_isf(tail) + norm_isf(1 - power)) / math.atanh(effect_size)) ** 2 + 3
    n = max(4, math.ceil(exact - 1e-9))
    shared = {
        "solved_for": "n",
        "effect_size_name": "r",
        "effect_size": effect_size,
        "alpha": alpha,
        "power": power,
        "alternative": alternative,
    }
    t_exact, t_n, undefined = whole_n(
        lambda size: correlation_power(size, effect_size, alpha, alternative), power, 3.0
    )
    return Power(
        method="Correlation against zero, Fisher's z",
        n=n,
        n_exact=exact,
        n_total=n,
        achieved_power=norm_sf(norm_isf(tail) - abs(math.atanh(effect_size)) * math.sqrt(n - 3)),
        also={
            "exact": Power(
                method="Correlation against zero, exact distribution of r (bivariate normal)",
                n=t_n,
                n_exact=t_exact,
                n_total=t_n,
                achieved_power=correlation_power(t_n, effect_size, alpha, alternative),
                undefined=undefined,
                **shared,  # type: ignore[arg-type]
            )
        },
        conventions=(
            "n is the number of pairs of values",
            "Fisher's z leads (rejection in the wrong direction not counted); the exact t test of r stands beside it",
        ),
        **shared,  # type: ignore[arg-type]
    )


@statistic(
    tool="sample_size_calculator",
    subtype="regression",
    title="Sample size for multiple regression",
    use_when="planning a multiple regression; the effect is Cohen's f² = R²/(1 − R²)",
    utterances=(
        "how many cases for a regression with five predictors",
        "sample size for multiple regression",
        "n for f2 = 0.15",
    ),
    refs=(_COHEN,),
    oracle="statsmodels.stats.power:FTestPower",
    formula="smallest n with P(F' > F(1 − α; u, n − k − 1)) ≥ power, F' noncentral with λ = f²·n",
    equivalents={
        "R": "pwr::pwr.f2.test(u = n_predictors, f2 = effect_size, power = 0.8)",
        "Python": "statsmodels.stats.power.FTestPowerF2().solve_power(...)",
    },
    example={"effect_size": 0.15, "n_predictors": 5, "alpha": 0.05, "power": 0.8},
    aliases=("multiple_regression", "f2"),
)
def sample_size_regression(
    effect_size: Nonnegative,
    n_predictors: Whole,
    *,
    n_tested: Whole | None = None,
    alpha: Alpha = 0.05,
    power: PowerValue = 0.8,
) -> Power:
    """Observations needed for the F test of a multiple regression, or of some of its predictors.

    Parameters
    ----------
    effect_size : Cohen's f² of the tested predictors.
    n_predictors : number of predictors in the model.
    n_tested : how many of them are tested together; all when absent.
    alpha : significance level.
    power : wanted probability of a significant result.

    Returns
    -------
    Power : n in total, exact and rounded up, with the power achieved.
    """
    tested = n_predictors if n_tested is None else n_tested
    if tested > n_predictors:
        raise InputError(
            f"'n_tested' ({tested}) exceeds n_predictors ({n_predictors}).",
            where="n_tested",
            code="out_of_range",
        )
    check_reachable(effect_size, alpha, power, "two-sided")

    def curve(size: float) -> float:
        return f_power(tested, size - n_predictors - 1, effect_size * size, alpha)

    exact, n, undefined = whole_n(curve, power, n_predictors + 2.0)
    return Power(
        method="F test of a multiple regression, noncentral F",
        solved_for="n",
        effect_size_name="Cohen's f²",
        effect_size=effect_size,
        n=n,
        n_exact=exact,
        n_total=n,
        alpha=alpha,
        power=power,
        achieved_power=curve(n),
        details={
            "n_predictors": n_predictors,
            "n_tested": tested,
            "df": tested,
            "df_error": n - n_predictors - 1,
        },
        undefined=undefined,
        conventions=("n is the total number of observations", "noncentrality λ = f²·n"),
    )


@statistic(
    tool="sample_size_calculator",
    subtype="anova",
    title="Sample size for one-way ANOVA",
    use_when="planning to compare three or more group means; the effect is Cohen's f",
    utterances=(
        "how many per group for an anova with three groups",
        "sample size for anova",
        "n for f = 0.25",
    ),
    refs=(_COHEN,),
    oracle="statsmodels.stats.power:FTestAnovaPower",
    formula="smallest n with P(F' > F(1 − α; k − 1, k(n − 1))) ≥ power, F' noncentral with λ = f²·k·n",
    equivalents={
        "R": "pwr::pwr.anova.test(k = n_groups, f = effect_size, power = 0.8)",
        "Python": "statsmodels.stats.power.FTestAnovaPower().solve_power(effect_size, k_groups=3, power=0.8) / 3",
    },
    example={"effect_size": 0.25, "n_groups": 3, "alpha": 0.05, "power": 0.8},
    aliases=("one_way", "f"),
)
def sample_size_anova(
    effect_size: Nonnegative,
    n_groups: GroupCount,
    *,
    alpha: Alpha = 0.05,
    power: PowerValue = 0.8,
) -> Power:
    """Participants per group for a balanced one-way ANOVA.

    Parameters
    ----------
    effect_size : Cohen's f (standard deviation of the group means over that within groups).
    n_groups : number of groups.
    alpha : significance level.
    power : wanted probability of a significant result.

    Returns
    -------
    Power : n per group, exact and rounded up, with the power achieved.
    """
    check_reachable(effect_size, alpha, power, "two-sided")

    def curve(size: float) -> float:
        return f_power(
            n_groups - 1, n_groups * (size - 1), effect_size * effect_size * n_groups * size, alpha
        )

    exact, n, undefined = whole_n(curve, power, 2.0)
    return Power(
        method="One-way ANOVA, noncentral F",
        solved_for="n",
        effect_size_name="Cohen's f",
        effect_size=effect_size,
        n=n,
        n_per_group=n,
        n_exact=exact,
        n_total=n * n_groups,
        alpha=alpha,
        power=power,
        achieved_power=curve(n),
        details={"n_groups": n_groups, "df": n_groups - 1, "df_error": n_groups * (n - 1)},
        undefined=undefined,
        conventions=("n is per group, equal groups", "noncentrality λ = f²·k·n"),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _proportion_n(p1: float, p2: float, alpha: float, power: float, alternative: str) -> float:
    middle = (p1 + p2) / 2
    z = norm_isf(alpha / 2 if alternative == "two-sided" else alpha)
    null, own = math.sqrt(2 * middle * (1 - middle)), math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
    return ((z * null + norm_isf(1 - power) * own) / (p1 - p2)) ** 2


def _proportion_power(n: int, p1: float, p2: float, alpha: float, alternative: str) -> float:
    middle = (p1 + p2) / 2
    z = norm_isf(alpha / 2 if alternative == "two-sided" else alpha)
    null, own = math.sqrt(2 * middle * (1 - middle)), math.sqrt(p1 * (1 - p1) + p2 * (1 - p2))
    shift = math.sqrt(n) * abs(p1 - p2) - z * null
    return norm_cdf(shift / own) if own > 0 else float(shift > 0)
