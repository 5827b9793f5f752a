"""Far tails and noncentral distributions in 40-digit arithmetic, for tests/numerics/test_distributions.py.

Run: python tests/reference/scripts/numerics_distributions.py > tests/numerics/values/distributions_mpmath.json
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import comb, factorial
from typing import Any

import mpmath as mp

mp.mp.dps = 40
CASES: list[dict[str, Any]] = []


def add(fn: str, args: list[Any], value: Any, command: str, rtol: float) -> None:
    CASES.append({"fn": fn, "args": args, "value": mp.nstr(value, 25), "command": command, "rtol": rtol})


def t_sf(t: float, df: float) -> Any:
    t, df = mp.mpf(t), mp.mpf(df)
    return mp.betainc(df / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2


def f_sf(f: float, a: float, b: float) -> Any:
    f, a, b = mp.mpf(f), mp.mpf(a), mp.mpf(b)
    return mp.betainc(b / 2, a / 2, 0, b / (b + a * f), regularized=True)


def chi2_sf(x: float, k: float) -> Any:
    return mp.gammainc(mp.mpf(k) / 2, mp.mpf(x) / 2, regularized=True)


def nc_t_cdf(t: float, df: float, nc: float) -> Any:
    """Integral over s = chi/sqrt(df) of its density times Phi(t s - nc)."""
    t, df, nc = mp.mpf(t), mp.mpf(df), mp.mpf(nc)
    constant = 2 * (df / 2) ** (df / 2) / mp.gamma(df / 2)
    points = [mp.mpf(k) / 10 for k in range(40)] + [6, 10, 20]
    body = mp.quad(lambda s: s ** (df - 1) * mp.exp(-df * s * s / 2) * mp.ncdf(t * s - nc), points)
    return constant * body


def mixture(nc: float, component: Callable[[int], Any]) -> Any:
    """Poisson mixture, summed until nothing is added."""
    half = mp.mpf(nc) / 2
    terms = int(half + 40 * mp.sqrt(half) + 400)
    return mp.fsum(mp.exp(-half + j * mp.log(half) - mp.loggamma(j + 1)) * component(j) for j in range(terms))


def nc_chi2(x: float, k: float, nc: float, lower: bool) -> Any:
    x, k = mp.mpf(x) / 2, mp.mpf(k) / 2
    if lower:
        return mixture(nc, lambda j: mp.gammainc(k + j, 0, x, regularized=True))
    return mixture(nc, lambda j: mp.gammainc(k + j, x, regularized=True))


def nc_f(f: float, a: float, b: float, nc: float, lower: bool) -> Any:
    f, a, b = mp.mpf(f), mp.mpf(a), mp.mpf(b)
    y = a * f / (a * f + b)
    if lower:
        return mixture(nc, lambda j: mp.betainc(a / 2 + j, b / 2, 0, y, regularized=True))
    return mixture(nc, lambda j: mp.betainc(b / 2, a / 2 + j, 0, 1 - y, regularized=True))


def studentized_range_sf(q: float, k: int, df: float) -> Any:
    """The double integral, upper tail, in 20 digits."""
    with mp.workdps(20):
        q, df = mp.mpf(q), mp.mpf(df)

        def outer(w: Any) -> Any:
            def inner(z: Any) -> Any:
                upper = mp.ncdf(z)
                return mp.npdf(z) * (upper ** (k - 1) - (upper - mp.ncdf(z - w)) ** (k - 1))

            return k * mp.quad(inner, [-8, -2, w / 2, w / 2 + 4, w / 2 + 10])

        constant = 2 * (df / 2) ** (df / 2) / mp.gamma(df / 2)
        return constant * mp.quad(
            lambda s: s ** (df - 1) * mp.exp(-df * s * s / 2) * outer(q * s), [0, 0.3, 0.7, 1, 1.4, 2, 4]
        )


def signed_rank_all(n: int) -> list[int]:
    counts = [1]
    for r in range(1, n + 1):
        counts = [a + b for a, b in zip(counts + [0] * r, [0] * r + counts, strict=True)]
    return counts


def main() -> None:
    for t, df in [(1e-8, 3), (0.5, 3), (10, 5), (100, 30), (1e10, 2), (40, 1000), (1.5, 0.5)]:
        add("t_sf", [t, df], t_sf(t, df), "betainc", 1e-12)
    for t, df in [(200, 150), (1e6, 80), (1e200, 5)]:
        add("t_logsf", [t, df], mp.log(t_sf(t, df)), "log betainc", 1e-12)
    for f, a, b in [(1000, 3, 100), (1e6, 5, 2), (400, 3, 2000), (1e-3, 4, 7)]:
        add("f_sf", [f, a, b], f_sf(f, a, b), "betainc", 1e-12)
    for f, a, b in [(900, 3, 2000), (1e8, 2, 90)]:
        add("f_logsf", [f, a, b], mp.log(f_sf(f, a, b)), "log betainc", 1e-12)
    for x, k in [(100, 5), (1000, 900), (1e-3, 3)]:
        add("chi2_sf", [x, k], chi2_sf(x, k), "gammainc", 1e-12)
    for x, k in [(2000, 10), (1e5, 3)]:
        add("chi2_logsf", [x, k], mp.log(chi2_sf(x, k)), "log gammainc", 1e-12)
    for z in [10, 37, 1e4]:
        add("norm_logsf", [z], mp.log(mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2), "log erfc", 1e-13)
    for t, df, nc in [
        (-3, 10, 3),
        (-10, 20, 4),
        (5, 3, 20),
        (30, 50, 5),
        (12, 8, 40),
        (2, 100, 0.5),
        (0, 5, 2),
    ]:
        add("nc_t_cdf", [t, df, nc], nc_t_cdf(t, df, nc), "quad", 1e-11)
        add("nc_t_sf", [t, df, nc], nc_t_cdf(-t, df, -nc), "quad", 1e-11)
    for x, k, nc in [(5, 3, 4), (300, 2, 10), (0.01, 3, 20), (1, 5, 100), (150, 10, 100)]:
        add("nc_chi2_cdf", [x, k, nc], nc_chi2(x, k, nc, True), "Poisson mixture", 1e-12)
        add("nc_chi2_sf", [x, k, nc], nc_chi2(x, k, nc, False), "Poisson mixture", 1e-12)
    for f, a, b, nc in [(3, 2, 10, 4), (30, 2, 100, 4), (0.01, 3, 20, 30), (50, 4, 200, 20), (2, 3, 8, 60)]:
        add("nc_f_cdf", [f, a, b, nc], nc_f(f, a, b, nc, True), "Poisson mixture", 1e-12)
        add("nc_f_sf", [f, a, b, nc], nc_f(f, a, b, nc, False), "Poisson mixture", 1e-12)
    for q, k, df in [(3.5, 3, 10), (8, 4, 5), (4, 12, 40)]:
        add("studentized_range_sf", [q, k, df], studentized_range_sf(q, k, df), "double quad", 1e-10)
    counts = signed_rank_all(50)
    tail = Fraction(sum(counts[1200:]), 2**50)
    add(
        "signed_rank_exact_tails",
        [1200, list(range(1, 51))],
        mp.mpf(tail.numerator) / tail.denominator,
        "exact counts, upper tail",
        1e-13,
    )
    # Fisher by exact integers: the table [[30, 2], [4, 40]], both tails
    p = [Fraction(comb(32, k) * comb(44, 34 - k), comb(76, 34)) for k in range(33)]
    two_sided = sum(v for v in p if v <= p[30])
    add(
        "fisher_exact_p",
        [30, 2, 4, 40, "two-sided"],
        mp.mpf(two_sided.numerator) / two_sided.denominator,
        "exact fractions",
        1e-12,
    )
    # One-sample Kolmogorov, n = 6, D = 0.45, by exact rationals: Durbin's matrix with h = k - n d
    value = 1 - kolmogorov_cdf(Fraction(45, 100), 6)
    add("ks_one_sample_sf", [0.45, 6], mp.mpf(value.numerator) / value.denominator, "exact rationals", 1e-12)
    print(
        json.dumps(
            {
                "program": "mpmath",
                "version": mp.__version__,
                "script": "tests/reference/scripts/numerics_distributions.py",
                "cases": CASES,
            },
            indent=1,
        )
    )


def kolmogorov_cdf(d: Fraction, n: int) -> Fraction:
    """P(D < d) by Steck's recursion over the order statistics' bounds (Noe 1972 in polynomial form)."""
    lower = [max(Fraction(0), Fraction(i, n) - d) for i in range(1, n + 1)]
    upper = [min(Fraction(1), Fraction(i - 1, n) + d) for i in range(1, n + 1)]
    cuts = sorted({Fraction(0), Fraction(1), *lower, *upper})
    # probability that counts of uniforms in each cell keep every order statistic within its bounds
    state = {0: Fraction(1)}
    for left, right in pairwise(cuts):
        new: dict[int, Fraction] = {}
        for have, weight in state.items():
            for more in range(n - have + 1):
                inside = all(lower[i] <= left and right <= upper[i] for i in range(have, have + more))
                if inside:
                    new[have + more] = new.get(have + more, Fraction(0)) + weight * (
                        right - left
                    ) ** more / factorial(more)
        state = new
    return state.get(n, Fraction(0)) * factorial(n)


if __name__ == "__main__":
    main()
