"""Reference values of test_assumptions that R's base packages lack: Lilliefors and Anderson-Darling p (statsmodels).

Run from tests/reference: python scripts/assumptions.py
"""

from __future__ import annotations

import numpy as np
import statsmodels
from _write import Cases
from statsmodels.stats.diagnostic import lilliefors, normal_ad

SAMPLES = {
    "skewed": [1.2, 0.4, 3.9, 0.8, 2.2, 0.3, 1.7, 6.4, 0.9, 1.1, 0.6, 2.8, 0.2, 1.4, 4.7],
    "ties": [1, 1, 1, 2, 2, 3, 3, 8, 9, 14, 15, 2, 2, 1, 1],
    "two-humps": [1.0, 1.1, 1.3, 1.2, 0.9, 1.05, 8.9, 9.1, 9.0, 8.8, 9.2, 9.05],
    "near-normal": np.round(np.random.default_rng(4).normal(size=40), 4).tolist(),
}
cases = Cases("test_assumptions", "statsmodels", statsmodels.__version__)
for name, values in SAMPLES.items():
    x = np.array(values, dtype=float)
    a2, p_ad = normal_ad(x)
    cases.add(
        f"anderson-darling-{name}",
        {"type": "normality", "data": values},
        {"also.anderson_darling.statistic": float(a2), "also.anderson_darling.p_value": float(p_ad)},
        "statsmodels.stats.diagnostic.normal_ad(x)",
    )
    d, p = lilliefors(x, dist="norm", pvalmethod="approx")
    expect = {"also.lilliefors.statistic": float(d)}
    if p < 0.1:  # above, statsmodels falls back to a coarse table
        expect["also.lilliefors.p_value"] = float(p)
    arguments = {"type": "normality", "data": values}
    command = "statsmodels.stats.diagnostic.lilliefors(x, pvalmethod='approx')"
    cases.add(f"lilliefors-{name}", arguments, expect, command)
    if p < 0.1:
        cases.add(
            f"fitted-normal-{name}",
            {"type": "distribution", "data": values, "distribution": "normal"},
            {"statistic": float(d), "p_value": float(p)},
            command,
        )
cases.write("test_assumptions-statsmodels")
