"""Power of t tests: solves the absent one of effect size, sample size, significance level and power."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Annotated

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, Alternative, Choice, Real, ScalarNumber
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Power
from statistikles.stats._numerics import find_root
from statistikles.stats._power_curves import check_reachable, least_first, t_curve, whole_n

__all__ = ["t_test_power"]

_COHEN = "Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, 2nd ed."

declare_tool(
    "power_analysis",
    title="Power of a t test",
    summary="Solves the absent one of effect size, n per group, alpha and power for a t test (exact noncentral t).",
)

Size = Annotated[int, ScalarNumber(low=2.0, whole=True)]
PowerValue = Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True, open_high=True)]
Ratio = Annotated[float, ScalarNumber(low=1e-3, high=1e3)]
Design = Annotated[
    str,
    Choice(
        ("two_sample", "paired", "one_sample"),
        aliases=(("independent", "two_sample"), ("dependent", "paired"), ("single", "one_sample")),
    ),
]


@statistic(
    tool="power_analysis",
    title="Power of a t test",
    use_when="planning a comparison of two means: which power, n, effect or alpha goes with the other three",
    utterances=(
        "what power do I have with 30 per group",
        "how many participants do I need to detect d = 0.5",
        "what effect can I detect with 50 people per group",
        "power analysis for a t test",
        "is my study underpowered",
    ),
    refs=(_COHEN,),
    oracle="statsmodels.stats.power:TTestIndPower",
    formula="power = P(|T'| > t(1 − α/2, n1 + n2 − 2)), T' noncentral t with δ = d·sqrt(n1·n2/(n1 + n2))",
    equivalents={
        "R": "power.t.test(delta = 0.5, power = 0.8, strict = TRUE)",
        "Python": "statsmodels.stats.power.TTestIndPower().solve_power(effect_size=0.5, alpha=0.05, power=0.8)",
    },
    example={"effect_size": 0.5, "alpha": 0.05, "power": 0.8},
)
def t_test_power(
    *,
    effect_size: Real | None = None,
    n: Size | None = None,
    alpha: Alpha | None = None,
    power: PowerValue | None = None,
    ratio: Ratio = 1.0,
    alternative: Alternative = "two-sided",
    design: Design = "two_sample",
) -> Power:
    """Power analysis of a t test: gives the absent one of effect size, n, alpha and power.

    Parameters
    ----------
    effect_size : standardised mean difference (Cohen's d), first group minus second.
    n : participants per group (in the first group when ratio is not 1; pairs for a paired design).
    alpha : significance level; 0.05 when it is absent along with another quantity.
    power : probability of a significant result; 0.80 when it is absent along with n or effect_size.
    ratio : size of the second group divided by that of the first.
    alternative : "two-sided", "greater" or "less"; a one-sided test counts its own tail only.
    design : "two_sample", "paired" or "one_sample".

    Returns
    -------
    Power : the four quantities, n exact and rounded up, and the power achieved at the whole n.

    Raises
    ------
    InputError : all four were given, or too few.
    NotDefined : no value solves it, such as n for an effect of zero.
    """
    solve, alpha, power, assumed = _absent(effect_size, n, alpha, power)
    if design != "two_sample" and ratio != 1.0:
        raise InputError("'ratio' needs the two_sample design.", where="ratio")

    def curve(size: float, d: float, level: float) -> float:
        return t_curve(size, size * ratio, d, level, alternative, design)

    n_exact: float | None = None
    undefined: dict[str, str] = {}
    if solve == "n":
        assert effect_size is not None and power is not None and alpha is not None
        check_reachable(effect_size, alpha, power, alternative)
        at_size = partial(curve, d=effect_size, level=alpha)
        n_exact, n, undefined = whole_n(at_size, power, least_first(ratio))
    elif solve == "effect_size":
        assert n is not None and power is not None and alpha is not None
        effect_size = _solve_effect(partial(curve, n, level=alpha), alpha, power, alternative)
    elif solve == "alpha":
        assert n is not None and effect_size is not None and power is not None
        alpha = _solve_alpha(partial(curve, n, effect_size), power)
    assert n is not None and effect_size is not None and alpha is not None
    second = math.ceil(n * ratio - 1e-9) if design == "two_sample" else 0
    achieved = t_curve(n, second, effect_size, alpha, alternative, design)
    return Power(
        method={"two_sample": "Two-sample", "paired": "Paired", "one_sample": "One-sample"}[design]
        + " t test, power from the noncentral t distribution",
        solved_for=solve,
        effect_size_name="Cohen's d" + ("_z" if design == "paired" else ""),
        effect_size=effect_size,
        n=n,
        n_per_group=n if design == "two_sample" else None,
        n_exact=n_exact,
        n_total=n + second,
        alpha=alpha,
        power=achieved if power is None else power,
        achieved_power=achieved,
        alternative=alternative,
        details={"n1": n, "n2": second} if design == "two_sample" else {},
        undefined=undefined,
        conventions=(
            "n is per group"
            if ratio == 1.0
            else f"n is the first group's; the second has {ratio:g} times as many",
            "n_exact solves the equation; n is rounded up and achieved_power belongs to whole group sizes"
            if solve == "n"
            else "exact noncentral t",
            "both tails count" if alternative == "two-sided" else "only the tail of the alternative counts",
            *assumed,
        )
        if design == "two_sample"
        else ("n is the number of pairs" if design == "paired" else "n is the sample size", *assumed),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _absent(
    effect_size: float | None, n: int | None, alpha: float | None, power: float | None
) -> tuple[str, float | None, float | None, tuple[str, ...]]:
    """Which quantity is solved for, and the conventions assumed for others that are absent."""
    absent = [k for k, v in (("effect_size", effect_size), ("n", n), ("power", power)) if v is None]
    assumed: list[str] = []
    if absent and alpha is None:
        alpha = 0.05
        assumed.append("alpha = .05 by convention")
    if len(absent) == 2 and power is None:
        power = 0.8
        absent.remove("power")
        assumed.append("power = .80 by convention")
    if len(absent) > 1:
        raise InputError(
            "Give at least one of 'effect_size' and 'n'.", where="effect_size", code="missing_argument"
        )
    if not absent and alpha is not None:
        raise InputError(
            "All of effect_size, n, alpha and power were given; leave out the one to solve for.", where="n"
        )
    return (absent or ["alpha"])[0], alpha, power, tuple(assumed)


def _solve_effect(curve: Callable[[float], float], alpha: float, power: float, alternative: str) -> float:
    """The effect, in the direction of the alternative, that has the wanted power."""
    sign = -1.0 if alternative == "less" else 1.0
    if power <= alpha:
        raise InputError(
            f"The power ({power:g}) must exceed alpha ({alpha:g}).", where="power", code="out_of_range"
        )
    high = 1.0
    while curve(sign * high) < power:
        high *= 2
    return sign * find_root(lambda d: curve(sign * d) - power, 0.0, high, rtol=1e-13)


def _solve_alpha(curve: Callable[[float], float], power: float) -> float:
    """The level at which the power is reached, on the scale of its logarithm."""

    def gap(u: float) -> float:
        return curve(math.exp(u)) - power

    low, high = math.log(1e-300), math.log1p(-1e-12)
    if gap(low) > 0 or gap(high) < 0:
        raise NotDefined(
            "No significance level gives this power with this effect and n.",
            hint="Change the wanted power, the effect or n.",
            where="power",
            code="no_solution",
        )
    return math.exp(find_root(gap, low, high, rtol=1e-14))
