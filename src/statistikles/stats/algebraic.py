"""Algebraic statistics: McNemar's test, p-adic numbers, modular arithmetic, greatest common divisor, circularity."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, Count, FloatArray, ScalarNumber, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, Measures, Quantity, Role, SignificanceTest
from statistikles.stats._distributions import binom_test_p, chi2_sf, clopper_pearson
from statistikles.stats._numerics import moments

__all__ = ["circularity_test", "greatest_common_divisor", "mcnemar", "modular_arithmetic", "padic"]

Whole = Annotated[int, ScalarNumber(low=-(2.0**53), high=2.0**53, whole=True)]
Modulus = Annotated[int, ScalarNumber(low=1, high=2.0**53, whole=True)]
Integers = Annotated[FloatArray, Vector(min_n=2, whole=True, low=-(2.0**53), high=2.0**53)]
Part = Annotated[FloatArray, Vector(min_n=3)]

declare_tool(
    "algebraic_stats",
    title="Algebraic statistics",
    summary="McNemar's test of paired proportions, number-theoretic quantities, and circularity of complex data.",
    chooser="type",
)


@statistic(
    tool="algebraic_stats",
    subtype="mcnemar",
    title="McNemar's test",
    use_when="the same subjects classified yes/no twice; b and c are the numbers that changed either way",
    utterances=(
        "did the proportion change in the same people",
        "paired yes/no before and after",
        "discordant pairs",
    ),
    refs=(
        "McNemar 1947, doi:10.1007/BF02295996",
        "Fagerland, Lydersen & Laake 2013, doi:10.1186/1471-2288-13-91",
    ),
    formula="χ² = (b − c)²/(b + c), df = 1; corrected: max(0, |b − c| − 1)²/(b + c); exact: binomial(b; b + c, ½)",
    equivalents={
        "R": "mcnemar.test(matrix(c(a, c, b, d), 2), correct = FALSE)",
        "Python": "statsmodels.stats.contingency_tables.mcnemar(table, exact=False, correction=False)",
    },
    example={"b": 18, "c": 33},
)
def mcnemar(b: Count, c: Count, *, alpha: Alpha = 0.05) -> SignificanceTest:
    """McNemar's test of marginal homogeneity: plain χ² leads; continuity-corrected, exact and mid-p beside it.

    Parameters
    ----------
    b : pairs that were yes first and no second.
    c : pairs that were no first and yes second.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : the estimate is the share b/(b + c) among the pairs that changed, one half under the null.

    Raises
    ------
    NotDefined : no pair changed (b + c = 0).
    """
    total = b + c
    if total == 0:
        raise NotDefined(
            "McNemar's test is undefined: b + c = 0, so no pair changed.",
            hint="There is no evidence of a change in either direction; report the counts.",
            code="no_discordant_pairs",
        )
    plain = (b - c) ** 2 / total
    corrected = max(0, abs(b - c) - 1) ** 2 / total
    exact = binom_test_p(b, total)
    low, high = clopper_pearson(b, total, 1 - alpha)
    log_choose = math.lgamma(total + 1) - math.lgamma(b + 1) - math.lgamma(c + 1)
    mid_p = (
        min(1.0, max(0.0, exact - math.exp(log_choose - total * math.log(2))))
        if b != c
        else 1 - math.exp(log_choose - total * math.log(2))
    )
    named = {
        "method": "McNemar's χ² with continuity correction",
        "statistic_name": "χ²",
        "df": 1.0,
        "alpha": alpha,
    }
    return SignificanceTest(
        method="McNemar's χ² test without continuity correction",
        statistic_name="χ²",
        statistic=plain,
        df=1.0,
        p_value=chi2_sf(plain, 1),
        alternative="two-sided",
        alpha=alpha,
        estimate_name="share of b among the pairs that changed",
        estimate=b / total,
        null_value=0.5,
        conf_low=low,
        conf_high=high,
        conf_level=1 - alpha,
        conf_method="Clopper–Pearson",
        effect_size=_odds_ratio(b, c, low, high, 1 - alpha),
        n=total,
        also={
            "corrected": SignificanceTest(statistic=corrected, p_value=chi2_sf(corrected, 1), **named),  # type: ignore[arg-type]
            "exact": SignificanceTest(
                method="McNemar's exact binomial test",
                statistic_name="b",
                statistic=float(b),
                p_value=exact,
                alpha=alpha,
            ),
            "mid_p": SignificanceTest(
                method="McNemar's mid-p test",
                statistic_name="b",
                statistic=float(b),
                p_value=mid_p,
                alpha=alpha,
            ),
        },
        conventions=("uncorrected χ² leads", "n counts the pairs that changed", "the odds ratio is b/c"),
        warnings=("Few pairs changed (b + c < 25): prefer the exact or mid-p value.",) if total < 25 else (),
    )


def _odds_ratio(b: int, c: int, low: float, high: float, level: float) -> EffectSize:
    """Conditional odds ratio b/c; its interval transforms that of the share."""
    undefined = {}
    if c == 0:
        undefined["estimate"] = "c is zero, so b/c is infinite"
    if high >= 1:
        undefined["conf_high"] = "the upper bound is infinite"
    return EffectSize(
        name="odds ratio b/c",
        estimate=b / c if c else None,
        conf_low=low / (1 - low),
        conf_high=None if high >= 1 else high / (1 - high),
        conf_level=level,
        conf_method="Clopper–Pearson, transformed",
        undefined=undefined,
    )


@statistic(
    tool="algebraic_stats",
    subtype="padic",
    title="p-adic valuation and norm",
    use_when="an integer and a prime",
    utterances=("p-adic norm", "how often does 3 divide 54", "p-adic valuation"),
    refs=("Gouvêa 2020, p-adic Numbers, doi:10.1007/978-3-030-47295-5",),
    formula="v_p(n) = max{k : pᵏ divides n}; |n|_p = p^(−v)",
    example={"n": 54, "p": 3},
)
def padic(n: Whole, p: Annotated[int, ScalarNumber(low=2, high=2.0**53, whole=True)]) -> Measures:
    """p-adic valuation and absolute value of an integer.

    Parameters
    ----------
    n : the integer.
    p : a prime.

    Returns
    -------
    Measures : valuation, norm, the unit part n / p^v, and the p-adic digits.

    Raises
    ------
    InputError : p is not prime.
    """
    if not _is_prime(p):
        raise InputError(
            f"{p} is not prime.", hint="p-adic numbers exist for primes only.", where="p", code="not_prime"
        )
    if n == 0:
        return Measures(
            method="p-adic valuation and norm",
            quantities={"valuation": None, "norm": 0.0, "unit": None, "digits": []},
            undefined={"valuation": "every power of p divides 0", "unit": "0 has no unit part"},
        )
    valuation, unit = 0, n
    while unit % p == 0:
        unit //= p
        valuation += 1
    digits, rest = [], abs(n)
    while rest:
        digits.append(rest % p)
        rest //= p
    return Measures(
        method="p-adic valuation and norm",
        quantities={"valuation": valuation, "norm": float(p) ** -valuation, "unit": unit, "digits": digits},
        conventions=("digits of |n|, lowest power first",),
    )


def _is_prime(n: int) -> bool:
    """Miller–Rabin with bases that are conclusive below 3.3e24."""
    small = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if n < 2 or any(n % q == 0 for q in small):
        return n in small
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in small:
        x = pow(base, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


@statistic(
    tool="algebraic_stats",
    subtype="modular",
    title="Modular arithmetic",
    use_when="integers modulo a number",
    utterances=("17 mod 5", "modular inverse", "remainder"),
    refs=("Hardy & Wright 2008, An Introduction to the Theory of Numbers, 6th ed.",),
    formula="a mod m, with 0 ≤ a mod m < m; inverse: a·x ≡ 1 (mod m)",
    equivalents={"R": "a %% m", "Python": "a % m; pow(a, -1, m)"},
    example={"a": 17, "modulus": 5},
)
def modular_arithmetic(a: Whole, modulus: Modulus, *, exponent: Count = 1) -> Measures:
    """Residue, power and inverses of an integer modulo another.

    Parameters
    ----------
    a : the integer.
    modulus : the modulus, at least 1.
    exponent : a power to raise a to.

    Returns
    -------
    Measures : residue of a, of a^exponent, the additive inverse, and the multiplicative inverse where it exists.

    Raises
    ------
    InputError : a modulus below 1.
    """
    divisor = math.gcd(a, modulus)
    undefined = {}
    if divisor != 1:
        undefined["multiplicative_inverse"] = f"a and the modulus share the factor {divisor}"
    return Measures(
        method="Modular arithmetic",
        quantities={
            "residue": a % modulus,
            "residue_of_power": pow(a, exponent, modulus),
            "additive_inverse": -a % modulus,
            "multiplicative_inverse": None if divisor != 1 else pow(a, -1, modulus),
        },
        undefined=undefined,
        conventions=("residues from 0 to modulus − 1",),
    )


@statistic(
    tool="algebraic_stats",
    subtype="gcd",
    title="Greatest common divisor",
    use_when="two or more integers",
    utterances=("greatest common divisor", "gcd of 12 and 18", "least common multiple"),
    refs=("Hardy & Wright 2008, An Introduction to the Theory of Numbers, 6th ed.",),
    formula="largest d that divides every value",
    equivalents={"Python": "math.gcd(*values); math.lcm(*values)"},
    example={"values": [84, 126, 210]},
    laws=("order_invariant",),
)
def greatest_common_divisor(
    values: Integers | None = None, *, a: Whole | None = None, b: Whole | None = None
) -> Measures:
    """Greatest common divisor and least common multiple, with Bézout coefficients for two integers.

    Parameters
    ----------
    values : the integers.
    a : first integer, instead of values.
    b : second integer, instead of values.

    Returns
    -------
    Measures : gcd, lcm and, for two integers, x and y with a·x + b·y = gcd.

    Raises
    ------
    InputError : neither values nor a and b given.
    """
    if (values is None) == (a is None or b is None):
        raise InputError("Give either 'values' or both 'a' and 'b'.", where="values", code="missing_argument")
    whole = [int(v) for v in values] if values is not None else [a or 0, b or 0]
    quantities: dict[str, object] = {
        "gcd": math.gcd(*whole),
        "lcm": math.lcm(*whole),
        "n": Quantity(len(whole), Role.COUNT),
    }
    if len(whole) == 2:
        quantities["bezout"] = list(_bezout(*whole))
    return Measures(
        method="Greatest common divisor", quantities=quantities, conventions=("gcd(0, 0) is 0, as usual",)
    )


def _bezout(a: int, b: int) -> tuple[int, int]:
    """x, y with a x + b y = gcd(a, b), by the extended Euclidean algorithm."""
    r0, r1, x0, x1, y0, y1 = a, b, 1, 0, 0, 1
    while r1:
        q = r0 // r1
        r0, r1, x0, x1, y0, y1 = r1, r0 - q * r1, x1, x0 - q * x1, y1, y0 - q * y1
    return (x0, y0) if r0 >= 0 else (-x0, -y0)


@statistic(
    tool="algebraic_stats",
    subtype="circularity",
    title="Circularity of complex data",
    use_when="complex-valued samples (real and imaginary parts) whose distribution may be rotation-invariant",
    utterances=("is the complex signal circular", "proper complex noise", "circularity quotient"),
    refs=("Ollila 2008, doi:10.1109/LSP.2008.2005050",),
    formula="ϱ = E[z²]/E[|z|²] of centred z; GLRT: −n log(1 − |ϱ|²) ~ χ²(2)",
    example={
        "real": [0.5, -1.2, 0.3, 0.8, -0.4, 1.1, -0.9, 0.2],
        "imag": [0.1, 0.4, -0.6, 0.2, -0.3, 0.5, 0.1, -0.7],
    },
    aligned=(("real", "imag"),),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
)
def circularity_test(real: Part, imag: Part, *, alpha: Alpha = 0.05) -> SignificanceTest:
    """Circularity quotient of complex data and the likelihood-ratio test that it is zero.

    Parameters
    ----------
    real : real parts.
    imag : imaginary parts, in the same order.
    alpha : significance level.

    Returns
    -------
    SignificanceTest : the estimate is the circularity coefficient |ϱ|, from 0 (circular) to 1 (all on one line).

    Raises
    ------
    InputError : fewer than three values.
    NotDefined : constant data, or data that lie exactly on a line.
    """
    n = real.shape[0]
    x, y = real - moments(real).mean, imag - moments(imag).mean
    size = max(float(np.abs(x).max()), float(np.abs(y).max()))
    if size == 0:
        raise NotDefined("Circularity is undefined: all values are the same.", code="zero_variance")
    x, y = x / size, y / size
    xx, yy, xy = math.fsum(x * x), math.fsum(y * y), math.fsum(x * y)
    coefficient = min(1.0, math.hypot(xx - yy, 2 * xy) / (xx + yy))
    # 1 − |ϱ|² = 4 (xx·yy − xy²)/(xx + yy)², which keeps its digits when |ϱ| is close to 1.
    remainder = 4 * (xx * yy - xy * xy) / (xx + yy) ** 2
    if remainder <= 0:
        raise NotDefined(
            "The values lie exactly on a line in the complex plane: the circularity coefficient is 1 and the "
            "test statistic is infinite.",
            code="on_a_line",
        )
    statistic_value = -n * math.log(remainder)
    return SignificanceTest(
        method="Generalised likelihood-ratio test of circularity",
        statistic_name="χ²",
        statistic=statistic_value,
        df=2.0,
        p_value=chi2_sf(statistic_value, 2),
        alpha=alpha,
        estimate_name="circularity coefficient |ϱ|",
        estimate=coefficient,
        null_value=0.0,
        n=n,
        details={"quotient_real": (xx - yy) / (xx + yy), "quotient_imag": 2 * xy / (xx + yy)},
        conventions=("data are centred at their mean", "χ²(2) is asymptotic, for complex Gaussian data"),
        warnings=("Fewer than 20 values: the χ² approximation is rough.",) if n < 20 else (),
    )
