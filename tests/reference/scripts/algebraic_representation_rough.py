"""Reference values of number theory, circularity, compositions, intervals and rough sets, from the definitions."""

from __future__ import annotations

import math
import platform
from fractions import Fraction as F

import mpmath as mp
from _write import Cases

mp.mp.dps = 50
PYTHON = platform.python_version()

cases = Cases("algebraic_stats", "Python integers and mpmath", f"{PYTHON}, {mp.__version__}")
for n, p in ((54, 3), (-48, 2), (1001, 7), (5, 3), (2**40 * 9, 2)):
    v = max(k for k in range(60) if n % p**k == 0)
    cases.add(
        f"padic-{n}-{p}",
        {"type": "padic", "n": n, "p": p},
        {"valuation": v, "norm": float(F(1, p**v)), "unit": n // p**v},
        "largest k with p^k dividing n, by trial",
    )
cases.add(
    "padic-zero", {"type": "padic", "n": 0, "p": 5}, {"norm": 0.0, "valuation": None}, "every power divides 0"
)
cases.refuse("padic-one", {"type": "padic", "n": 4, "p": 1}, "out_of_range", "1 is not prime")
cases.refuse("padic-composite", {"type": "padic", "n": 4, "p": 6}, "not_prime", "6 = 2 * 3")
cases.refuse("padic-carmichael", {"type": "padic", "n": 4, "p": 561}, "not_prime", "561 = 3 * 11 * 17")
for a, m, e in ((17, 5, 1), (-7, 12, 3), (6, 9, 2), (123456, 9973, 1000)):
    inverse = next((x for x in range(m) if a * x % m == 1 % m), None)
    power = 1
    for _ in range(e):
        power = power * a % m
    cases.add(
        f"modular-{a}-{m}",
        {"type": "modular", "a": a, "modulus": m, "exponent": e},
        {
            "residue": a - m * math.floor(F(a, m)),
            "residue_of_power": power,
            "multiplicative_inverse": inverse,
            "additive_inverse": next(x for x in range(m) if (a + x) % m == 0),
        },
        "by trying every residue",
    )
for values in ([84, 126, 210], [12, 18], [17, 5], [0, 9]):
    divisors = [d for d in range(1, max(values) + 1) if all(v % d == 0 for v in values)]
    expect = {"gcd": max(divisors)}
    if all(values):
        expect["lcm"] = next(k for k in range(1, math.prod(values) + 1) if all(k % v == 0 for v in values))
    cases.add(
        f"gcd-{'-'.join(map(str, values))}",
        {"type": "gcd", "values": values},
        expect,
        "by trying every divisor",
    )


def circularity(case_id: str, real: list[float], imag: list[float]) -> None:
    z = [mp.mpc(a, b) for a, b in zip(real, imag, strict=True)]
    mean = mp.fsum(z) / len(z)
    z = [v - mean for v in z]
    q = mp.fsum(v * v for v in z) / mp.fsum(abs(v) ** 2 for v in z)
    statistic = -len(z) * mp.log(1 - abs(q) ** 2)
    cases.add(
        case_id,
        {"type": "circularity", "real": real, "imag": imag},
        {
            "estimate": float(abs(q)),
            "details.quotient_real": float(q.real),
            "details.quotient_imag": float(q.imag),
            "statistic": float(statistic),
            "p_value": float(mp.exp(-statistic / 2)),
        },
        "sum z^2 / sum |z|^2 of centred z; -n log(1 - |q|^2); chi2(2) tail is exp(-x/2)",
        1e-10,
    )


circularity(
    "circularity-eight",
    [0.5, -1.2, 0.3, 0.8, -0.4, 1.1, -0.9, 0.2],
    [0.1, 0.4, -0.6, 0.2, -0.3, 0.5, 0.1, -0.7],
)
circularity(
    "circularity-offset", [1e9 + v for v in (1.0, 2.5, -1.0, 0.25)], [1e9 + v for v in (0.5, -2.0, 1.0, 3.0)]
)
circularity("circularity-square", [1.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, -1.0])
cases.refuse(
    "circularity-line", {"type": "circularity", "real": [1, 2, 3], "imag": [2, 4, 6]}, "on_a_line", "|q| = 1"
)
cases.refuse("mcnemar-none", {"type": "mcnemar", "b": 0, "c": 0}, "no_discordant_pairs", "0/0")
cases.write()

cases = Cases("representation_stats", "mpmath", mp.__version__)


def clr(case_id: str, parts: list[float]) -> None:
    logs = [mp.log(mp.mpf(v)) for v in parts]
    mean = mp.fsum(logs) / len(logs)
    out = [v - mean for v in logs]
    expect = {f"clr.{i}": float(v) for i, v in enumerate(out)}
    expect["geometric_mean"] = float(mp.exp(mean))
    expect["aitchison_norm"] = float(mp.sqrt(mp.fsum(v * v for v in out)))
    total = mp.fsum(mp.mpf(v) for v in parts)
    expect |= {f"proportions.{i}": float(mp.mpf(v) / total) for i, v in enumerate(parts)}
    d = len(parts)
    for i in range(d - 1):
        rest = mp.fsum(logs[i + 1 :]) / (d - i - 1)
        expect[f"pivot.{i}"] = float(mp.sqrt(mp.mpf(d - i - 1) / (d - i)) * (logs[i] - rest))
    cases.add(
        case_id,
        {"type": "clr", "data": parts},
        expect,
        "log parts minus their mean; pivot by its definition",
        1e-11,
    )


clr("clr-three", [48.6, 31.7, 19.7])
clr("clr-extreme", [1e-300, 1.0, 1e300])
clr("clr-two", [0.25, 0.75])
cases.refuse("clr-zero", {"type": "clr", "data": [0.0, 1.0, 2.0]}, "out_of_range", "log 0 does not exist")


def overlap(case_id: str, a: tuple[float, float], b: tuple[float, float], relation: str) -> None:
    x, y = [F(v) for v in a], [F(v) for v in b]
    shared = max(F(0), min(x[1], y[1]) - max(x[0], y[0]))
    union = x[1] - x[0] + y[1] - y[0] - shared
    expect = {
        "overlap": float(shared),
        "gap": float(max(F(0), max(x[0], y[0]) - min(x[1], y[1]))),
        "meet": max(x[0], y[0]) <= min(x[1], y[1]),
        "relation": relation,
        "jaccard": float(shared / union) if union else None,
    }
    cases.add(
        case_id,
        {"type": "interval_overlap", "interval_a": list(a), "interval_b": list(b)},
        expect,
        "exact fractions",
        1e-12,
    )


overlap("interval-partial", (1.0, 4.0), (3.0, 6.0), "overlapping")
overlap("interval-touching", (1.0, 2.0), (2.0, 3.0), "touching")
overlap("interval-disjoint", (0.0, 1.0), (2.5, 3.0), "disjoint")
overlap("interval-inside", (0.0, 10.0), (2.0, 3.0), "a contains b")
overlap("interval-equal", (1.0, 2.0), (1.0, 2.0), "equal")
overlap("interval-points", (1.0, 1.0), (1.0, 1.0), "equal")
cases.refuse(
    "interval-reversed",
    {"type": "interval_overlap", "interval_a": [2, 1], "interval_b": [0, 1]},
    "invalid_input",
    "low exceeds high",
)
cases.write()

cases = Cases("unconventional_frameworks", "Python sets", PYTHON)


def rough(case_id: str, features: list[object], target: list[int]) -> None:
    keys = [tuple(f) if isinstance(f, list) else f for f in features]
    blocks = [{i for i, k in enumerate(keys) if k == key} for key in set(keys)]
    chosen = set(target)
    lower = {i for b in blocks if b <= chosen for i in b}
    upper = {i for b in blocks if b & chosen for i in b}
    expect: dict[str, object] = {f"lower.{j}": i for j, i in enumerate(sorted(lower))}
    expect |= {f"upper.{j}": i for j, i in enumerate(sorted(upper))}
    expect |= {"n_lower": len(lower), "n_upper": len(upper), "quality": len(lower) / len(features)}
    expect["accuracy"] = len(lower) / len(upper) if upper else None
    cases.add(
        case_id,
        {"type": "rough_set", "features": features, "target": target},
        expect,
        "unions of blocks",
        1e-12,
    )


rough("boundary", ["a", "a", "b", "b", "c", "c"], [0, 1, 2])
rough("definable", ["a", "a", "b"], [0, 1])
rough("two-attributes", [["x", 1], ["x", 2], ["x", 1], ["y", 2]], [0, 1])
rough("empty-target", ["a", "b"], [])
cases.refuse(
    "beyond", {"type": "rough_set", "features": ["a"], "target": [1]}, "out_of_range", "only object 0 exists"
)
cases.write()
