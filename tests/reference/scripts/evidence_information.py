"""Reference values of Dempster–Shafer (exact fractions over all subsets) and information theory (50 digits)."""

from __future__ import annotations

import itertools
import platform
from fractions import Fraction as F

import mpmath as mp
from _write import Cases

mp.mp.dps = 50

cases = Cases("dempster_shafer", "Python fractions", platform.python_version())


def combine(case_id: str, one: dict[str, F], two: dict[str, F]) -> None:
    """From the definition, with sets, over every subset of the frame."""
    a = {frozenset(k.split(",")): v for k, v in one.items()}
    b = {frozenset(k.split(",")): v for k, v in two.items()}
    frame = sorted(frozenset().union(*a, *b))
    subsets = [frozenset(c) for r in range(1, len(frame) + 1) for c in itertools.combinations(frame, r)]
    conflict = sum(x * y for s, x in a.items() for t, y in b.items() if not s & t)
    mass = {
        u: sum(x * y for s, x in a.items() for t, y in b.items() if s & t == u) / (1 - conflict)
        for u in subsets
    }
    expect = {"conflict": float(conflict)}
    for u in subsets:
        if mass[u]:
            label = ",".join(sorted(u))
            expect[f"mass.{label}"] = float(mass[u])
            expect[f"belief.{label}"] = float(sum(m for v, m in mass.items() if v <= u))
            expect[f"plausibility.{label}"] = float(sum(m for v, m in mass.items() if v & u))
    for name in frame:
        expect[f"pignistic.{name}"] = float(sum(m / len(v) for v, m in mass.items() if name in v))
    arguments = {
        "evidence1": {k: float(v) for k, v in one.items()},
        "evidence2": {k: float(v) for k, v in two.items()},
    }
    cases.add(
        case_id,
        arguments,
        expect,
        "sum of products over intersecting sets / (1 - K), in exact fractions",
        1e-12,
    )


combine(
    "textbook",
    {"A": F(3, 5), "A,B": F(3, 10), "A,B,C": F(1, 10)},
    {"B": F(1, 2), "A,B": F(3, 10), "A,B,C": F(1, 5)},
)
combine("zadeh", {"M": F(99, 100), "C": F(1, 100)}, {"T": F(99, 100), "C": F(1, 100)})
combine("subset-is-no-conflict", {"A": F(1)}, {"A,B": F(1)})
combine("ignorance-is-neutral", {"A": F(1, 4), "A,B,C": F(3, 4)}, {"A,B,C": F(1)})
cases.refuse("total-conflict", {"evidence1": {"A": 1.0}, "evidence2": {"B": 1.0}}, "total_conflict", "K = 1")
cases.refuse(
    "mass-sum", {"evidence1": {"A": 0.5}, "evidence2": {"A": 1.0}}, "invalid_input", "masses sum to 0.5"
)
cases.write()

cases = Cases("information_theory", "mpmath", mp.__version__)


def xlog(p: mp.mpf, q: mp.mpf) -> mp.mpf:
    return p * mp.log(p / q) if p else mp.mpf(0)


def entropy(case_id: str, arguments: dict[str, object], probabilities: list[mp.mpf], n: int = 0) -> None:
    nats = -sum(p * mp.log(p) for p in probabilities if p)
    expect = {
        "entropy_nats": float(nats),
        "entropy_bits": float(nats / mp.log(2)),
        "perplexity": float(mp.exp(nats)),
    }
    if n:
        expect["miller_madow_nats"] = float(nats + mp.mpf(sum(p > 0 for p in probabilities) - 1) / (2 * n))
    cases.add(case_id, {"type": "entropy", **arguments}, expect, "-sum(p log p)", 1e-12)


labels = ["a", "b", "a", "c", "a", "b", "d", "a", None]
entropy("labels-with-missing", {"data": labels}, [mp.mpf(c) / 8 for c in (4, 2, 1, 1)], 8)
entropy("fair-coin", {"p": [0.5, 0.5]}, [mp.mpf("0.5")] * 2)
entropy("with-zero", {"p": [0.2, 0.0, 0.8]}, [mp.mpf("0.2"), mp.mpf(0), mp.mpf("0.8")])
entropy("numbers", {"data": [1, 1, 2, 3, 3, 3]}, [mp.mpf(2) / 6, mp.mpf(1) / 6, mp.mpf(3) / 6], 6)


def divergence(case_id: str, p: list[float], q: list[float], rtol: float = 1e-11) -> None:
    a = [mp.mpf(v) / mp.fsum(map(mp.mpf, p)) for v in p]
    b = [mp.mpf(v) / mp.fsum(map(mp.mpf, q)) for v in q]
    m = [(x + y) / 2 for x, y in zip(a, b, strict=True)]
    expect: dict[str, object] = {}
    infinite = any(x and not y for x, y in zip(a, b, strict=True))
    kl = None if infinite else sum(xlog(x, y) for x, y in zip(a, b, strict=True))
    expect["divergence_nats"] = None if kl is None else float(kl)
    expect["divergence_bits"] = None if kl is None else float(kl / mp.log(2))
    js = (
        sum(xlog(x, z) for x, z in zip(a, m, strict=True))
        + sum(xlog(y, z) for y, z in zip(b, m, strict=True))
    ) / 2
    expect["jensen_shannon_bits"] = float(js / mp.log(2))
    cases.add(
        case_id,
        {"type": "kl_divergence", "p": p, "q": q},
        expect,
        "sum(p log(p/q)) of the normalised doubles",
        rtol,
    )
    cases.cases[-1]["atol"] = 0.0


divergence("three", [0.5, 0.3, 0.2], [0.4, 0.4, 0.2])
divergence("no-support", [0.5, 0.5, 0.0], [0.5, 0.0, 0.5])
divergence("skewed", [0.999, 0.001], [0.5, 0.5])
divergence("close", [0.5, 0.5], [0.5 + 2.0**-30, 0.5 - 2.0**-30])
cases.refuse(
    "sum", {"type": "kl_divergence", "p": [0.5, 0.6], "q": [0.5, 0.5]}, "invalid_input", "p sums to 1.1"
)
cases.write()
