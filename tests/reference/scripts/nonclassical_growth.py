"""Reference values of tropical algebra (all simple cycles), CHSH, Choquet and growth laws, from the definitions."""

from __future__ import annotations

import itertools
import platform
from fractions import Fraction as F

import mpmath as mp
import numpy as np
import statsmodels
import statsmodels.api as sm
from _write import Cases

mp.mp.dps = 40
cases = Cases(
    "non_classical_prob", "Python fractions and mpmath", f"{platform.python_version()}, {mp.__version__}"
)


def dot(case_id: str, a: list[float], b: list[float]) -> None:
    sums = [F(x) + F(y) for x, y in zip(a, b, strict=True)]
    cases.add(
        case_id,
        {"type": "tropical_dot", "v1": a, "v2": b},
        {"min_plus": float(min(sums)), "max_plus": float(max(sums)), "min_index": sums.index(min(sums))},
        "min and max of the sums by position",
        1e-12,
    )


dot("dot-three", [3.0, 1.0, 4.0], [2.0, 5.0, 1.0])
dot("dot-ties", [1.0, 0.0], [0.0, 1.0])
dot("dot-negative", [-2.5, 0.25, 7.0], [0.5, -3.0, -9.5])
cases.refuse(
    "dot-length", {"type": "tropical_dot", "v1": [1, 2], "v2": [1]}, "length_mismatch", "lengths differ"
)


def eigenvalue(case_id: str, rows: list[list[float | None]]) -> None:
    """Every simple cycle, by trying all ordered choices of nodes."""
    n = len(rows)
    means = []
    for size in range(1, n + 1):
        for nodes in itertools.permutations(range(n), size):
            if nodes[0] != min(nodes):
                continue
            arcs = [rows[a][b] for a, b in zip(nodes, nodes[1:] + nodes[:1], strict=True)]
            if None not in arcs:
                means.append(sum(F(w) for w in arcs) / size)
    cases.add(
        case_id,
        {"type": "tropical_eigenvalue", "matrix": rows},
        {"min_plus": float(min(means)), "max_plus": float(max(means))},
        "mean weight of every simple cycle",
        1e-12,
    )


eigenvalue("eigen-three", [[5.0, 2.0, None], [None, 4.0, 3.0], [1.0, None, 6.0]])
# The best cycle cannot be reached from the first node: Karp's method from one node alone would give 5.
eigenvalue("eigen-unreachable", [[5.0, None], [3.0, 1.0]])
eigenvalue(
    "eigen-dense",
    [[2.0, -1.0, 4.0, 0.5], [3.0, 7.0, -2.0, 1.0], [0.0, 2.5, 1.0, 6.0], [-3.0, 1.5, 2.0, 0.25]],
)
eigenvalue(
    "eigen-two-components",
    [[None, 1.0, 9.0, None], [2.0, None, None, 4.0], [None, None, 3.0, 1.0], [None, None, 0.5, None]],
)
cases.refuse(
    "eigen-acyclic",
    {"type": "tropical_eigenvalue", "matrix": [[None, 1], [None, None]]},
    "no_cycle",
    "no cycle",
)


def bell(case_id: str, e: list[str], n: list[int]) -> None:
    v = [mp.mpf(x) for x in e]
    s = v[0] - v[1] + v[2] + v[3]
    trials = n * (4 // len(n))
    error = mp.sqrt(sum((1 - x**2) / m for x, m in zip(v, trials, strict=True)))
    z = (abs(s) - 2) / error
    reach = mp.sqrt(2) * mp.erfinv(mp.mpf("0.95")) * error
    cases.add(
        case_id,
        {"type": "bell_test", "correlations": [float(x) for x in e], "n": n},
        {
            "estimate": float(s),
            "std_error": float(error),
            "statistic": float(z),
            "p_value": float(mp.erfc(z / mp.sqrt(2)) / 2),
            "conf_low": float(s - reach),
            "conf_high": float(s + reach),
        },
        "S = E1 - E2 + E3 + E4; SE = sqrt(sum (1 - E^2)/n); normal tail by erfc",
        1e-10,
    )


bell("bell-violation", ["0.68", "-0.71", "0.69", "0.72"], [1000, 1000, 1000, 1000])
bell("bell-classical", ["0.5", "-0.4", "0.5", "0.3"], [200])
bell("bell-negative", ["-0.7", "0.7", "-0.7", "-0.7"], [500, 400, 300, 200])
cases.refuse(
    "bell-three", {"type": "bell_test", "correlations": [0.1, 0.2, 0.3]}, "too_few_values", "four are needed"
)


def choquet(case_id: str, values: dict[str, float], capacity: dict[str, float]) -> None:
    sets = {frozenset(k.split(",")): F(v) for k, v in capacity.items()}
    names = sorted(values, key=lambda k: values[k])
    total, below = F(0), F(0)
    for i, name in enumerate(names):
        total += (F(values[name]) - below) * sets[frozenset(names[i:])]
        below = F(values[name])
    arguments = {"type": "choquet", "values": values, "capacity": capacity}
    cases.add(
        case_id, arguments, {"integral": float(total)}, "layers times capacity, in exact fractions", 1e-12
    )


choquet("choquet-two", {"speed": 0.6, "cost": 0.9}, {"speed": 0.4, "cost": 0.3, "speed,cost": 1.0})
choquet(
    "choquet-three",
    {"a": 0.2, "b": 0.8, "c": 0.5},
    {"a": 0.3, "b": 0.2, "c": 0.4, "a,b": 0.6, "a,c": 0.5, "b,c": 0.7, "a,b,c": 1.0},
)
choquet("choquet-negative", {"a": -1.0, "b": 2.0}, {"a": 0.5, "b": 0.25, "a,b": 1.0})
cases.refuse(
    "choquet-monotone",
    {"type": "choquet", "values": {"a": 1, "b": 2}, "capacity": {"a": 0.9, "b": 0.1, "a,b": 0.5}},
    "not_monotone",
    "{a} weighs more than {a, b}",
)
cases.write()

cases = Cases("complexity_analysis", "statsmodels", statsmodels.__version__)


def growth(case_id: str, sizes: list[float], times: list[float], law: str) -> None:
    fit = sm.OLS(np.log(times), sm.add_constant(np.log(sizes))).fit()
    low, high = fit.conf_int()[1]
    expect = {
        "exponent": float(fit.params[1]),
        "std_error": float(fit.bse[1]),
        "conf_low": float(low),
        "conf_high": float(high),
        "r_squared": float(fit.rsquared),
        "best_law": law,
    }
    cases.add(case_id, {"sizes": sizes, "times": times}, expect, "OLS(log times ~ log sizes)", 1e-7)


rng = np.random.default_rng(7)
n = [2.0**k for k in range(4, 16)]
noise = [float(v) for v in np.exp(rng.normal(0, 0.01, len(n)))]
growth("n-log-n", n, [round(3e-8 * a * np.log(a) * b, 12) for a, b in zip(n, noise, strict=True)], "n log n")
growth("quadratic", n, [round(2e-9 * a**2 * b, 12) for a, b in zip(n, noise, strict=True)], "n^2")
growth(
    "fourth-power-is-not-exponential",
    n,
    [float(a**4 * b) for a, b in zip(n, noise, strict=True)],
    "n^b (free exponent)",
)
small = [float(k) for k in range(4, 24, 2)]
growth(
    "exponential", small, [float(2.0**a * b) for a, b in zip(small, noise, strict=False)], "c^n (exponential)"
)
cases.refuse("two-sizes", {"sizes": [10, 20], "times": [1, 2]}, "too_few_values", "three are needed")
cases.refuse("zero-time", {"sizes": [10, 20, 40], "times": [1, 2, 0]}, "out_of_range", "log 0 does not exist")
cases.write()
