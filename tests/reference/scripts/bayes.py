"""Reference values of the Bayes family: exact fractions and 50-digit arithmetic from the definitions; numpy quantiles."""

from __future__ import annotations

import platform
from fractions import Fraction as F

import mpmath as mp
import numpy as np
from _write import Cases

mp.mp.dps = 50

# Bayes' theorem by exact fractions.
cases = Cases("bayesian_analysis", "Python fractions", platform.python_version())


def bayes(case_id: str, prior: list[F], like: list[list[F]], index: int) -> None:
    joint = [p * row[index] for p, row in zip(prior, like, strict=True)]
    evidence = sum(joint)
    expect = {f"posterior.H{i}": float(j / evidence) for i, j in enumerate(joint, 1)}
    expect["evidence"] = float(evidence)
    cases.add(
        case_id,
        {
            "prior": [float(p) for p in prior],
            "likelihood": [[float(x) for x in r] for r in like],
            "data_index": index,
        },
        expect,
        "joint = prior * column; posterior = joint / sum(joint), in exact fractions",
        1e-12,
    )


bayes("screening", [F(1, 100), F(99, 100)], [[F(9, 10), F(1, 10)], [F(5, 100), F(95, 100)]], 0)
bayes("screening-negative", [F(1, 100), F(99, 100)], [[F(9, 10), F(1, 10)], [F(5, 100), F(95, 100)]], 1)
bayes("three-machines", [F(1, 2), F(3, 10), F(1, 5)], [[F(3, 100)], [F(4, 100)], [F(5, 100)]], 0)
bayes("zero-prior", [F(0), F(1, 4), F(3, 4)], [[F(1)], [F(1, 2)], [F(1, 3)]], 0)
bayes("tiny", [F(1, 10**12), 1 - F(1, 10**12)], [[F(1, 2)], [F(1, 10**9)]], 0)
cases.refuse(
    "impossible", {"prior": [0.5, 0.5], "likelihood": [[0.0], [0.0]]}, "impossible_data", "evidence is zero"
)
cases.refuse(
    "prior-sum", {"prior": [0.5, 0.6], "likelihood": [[0.1], [0.2]]}, "invalid_input", "prior sums to 1.1"
)
cases.write()

# Bayes factor in 50 digits.
cases = Cases("bayes_factor", "mpmath", mp.__version__)


def factor(case_id: str, full: str, reduced: str, n: int, p1: int, p0: int) -> None:
    bic1 = n * mp.log(1 - mp.mpf(full)) + p1 * mp.log(n)
    bic0 = n * mp.log(1 - mp.mpf(reduced)) + p0 * mp.log(n)
    log_bf = (bic0 - bic1) / 2
    expect = {"log10_bf10": float(log_bf / mp.log(10)), "bic_full": float(bic1), "bic_reduced": float(bic0)}
    overflow = abs(log_bf) > 709
    expect["bf10"] = None if overflow else float(mp.exp(log_bf))
    expect["bf01"] = None if overflow else float(mp.exp(-log_bf))
    expect["probability_full"] = float(1 / (1 + mp.exp(-log_bf)))
    arguments = {
        "r_squared_full": float(full),
        "r_squared_reduced": float(reduced),
        "n": n,
        "p_full": p1,
        "p_reduced": p0,
    }
    cases.add(case_id, arguments, expect, "BIC = n log(1 - R2) + p log n; BF10 = exp((BIC0 - BIC1)/2)", 1e-11)


factor("added-predictors", "0.35", "0.2", 60, 4, 2)
factor("nothing-added", "0.2", "0.2", 30, 3, 2)
factor("against-intercept", "0.05", "0", 100, 2, 1)
factor("overflow", "0.999", "0.001", 1000, 3, 1)
cases.refuse(
    "swapped",
    {"r_squared_full": 0.1, "r_squared_reduced": 0.4, "n": 50, "p_full": 3, "p_reduced": 2},
    "not_nested",
    "R2 cannot fall when a predictor is added",
)
cases.write()

# Credible intervals: numpy's quantiles, and a search over all intervals for the shortest.
cases = Cases("credible_intervals", "numpy", np.__version__)


def interval(case_id: str, samples: list[float], level: float) -> None:
    x = np.sort(np.asarray(samples, dtype=float))
    low, high = np.quantile(x, [(1 - level) / 2, (1 + level) / 2])
    need = int(np.floor(level * len(x))) + 1
    shortest = min(
        ((x[j] - x[i], i, j) for i in range(len(x)) for j in range(i + need - 1, len(x))), key=lambda t: t[:2]
    )
    cases.add(
        case_id,
        {"samples": samples, "conf_level": level},
        {
            "conf_low": float(low),
            "conf_high": float(high),
            "also.hdi.conf_low": float(x[shortest[1]]),
            "also.hdi.conf_high": float(x[shortest[2]]),
            "also.median": float(np.median(x)),
        },
        "np.quantile; the shortest interval holding floor(level n) + 1 draws, by trying all",
    )


rng = np.random.default_rng(20240501)
interval("gamma-draws", [round(v, 6) for v in rng.gamma(2.0, 1.5, 400)], 0.95)
interval("normal-draws", [round(v, 6) for v in rng.normal(10.0, 2.0, 250)], 0.9)
interval("ties", [1, 1, 2, 2, 2, 3, 3, 4, 7, 9], 0.8)
interval("two", [1.0, 2.0], 0.5)
cases.write()
