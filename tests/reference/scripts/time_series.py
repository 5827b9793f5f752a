"""Reference values of ADF, KPSS and STL from statsmodels; of DTW from the plain recursion."""

from __future__ import annotations

import warnings

import numpy as np
import statsmodels
from _write import Cases
from statsmodels.datasets import co2, nile
from statsmodels.tsa.seasonal import STL
from statsmodels.tsa.stattools import adfuller, kpss

warnings.simplefilter("ignore")
NILE = nile.load().data["volume"].astype(float).tolist()
CO2 = [round(float(v), 2) for v in co2.load().data["co2"].dropna().to_numpy()[:160]]
rng = np.random.default_rng(11)
WALK = [round(float(v), 4) for v in np.cumsum(rng.normal(size=120))]
NOISE = [round(float(v), 4) for v in rng.normal(size=90)]
CASES = {"nile": NILE, "co2": CO2, "walk": WALK, "noise": NOISE}

cases = Cases("time_series", "statsmodels", statsmodels.__version__)
for name, x in CASES.items():
    for trend in ("c", "ct", "n"):
        s, p, lag, used, critical, _ = adfuller(x, maxlag=6, regression=trend, autolag="AIC")
        cases.add(
            f"adf-{trend}-{name}",
            {"type": "adf", "data": x, "max_lag": 6, "trend": trend},
            {
                "statistic": float(s),
                "p_value": float(p),
                "details.lags": int(lag),
                "details.n_used": int(used),
                "details.critical_values.5%": float(critical["5%"]),
            },
            f"adfuller(x, 6, '{trend}', 'AIC')",
            1e-7,
        )
    s, p, lag, _, _ = adfuller(x, maxlag=2, autolag=None)
    cases.add(
        f"adf-fixed-{name}",
        {"type": "adf", "data": x, "max_lag": 2, "autolag": False},
        {"statistic": float(s), "p_value": float(p), "details.lags": 2},
        "adfuller(x, 2, autolag=None)",
        1e-7,
    )
    for trend in ("c", "ct"):
        s, p, lags, _ = kpss(x, regression=trend, nlags="auto")
        cases.add(
            f"kpss-{trend}-{name}",
            {"type": "kpss", "data": x, "trend": trend},
            {"statistic": float(s), "p_value": float(p), "details.lags": int(lags)},
            f"kpss(x, '{trend}', nlags='auto')",
            1e-8,
        )
for name, x, period in (("co2", CO2, 52), ("nile", NILE, 10), ("noise", NOISE, 4)):
    fit = STL(np.asarray(x), period=period).fit()
    expect = {f"trend.{i}": float(fit.trend[i]) for i in (0, 10, -1 % len(x))}
    expect |= {f"seasonal.{i}": float(fit.seasonal[i]) for i in (0, 10)}
    cases.add(
        f"stl-{name}",
        {"type": "stl", "data": x, "period": period},
        expect,
        f"STL(x, period={period}).fit()",
        1e-6,
    )


def warp(a: list[float], b: list[float]) -> float:
    cost = np.full((len(a) + 1, len(b) + 1), np.inf)
    cost[0, 0] = 0
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost[i, j] = abs(a[i - 1] - b[j - 1]) + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return float(cost[-1, -1])


for name, a, b in (
    ("shift", [1.0, 2.0, 3.0, 2.0], [1.0, 1.0, 2.0, 3.0, 3.0, 2.0]),
    ("noise", NOISE[:40], WALK[:25]),
    ("single", [2.0], [1.0, 5.0]),
    ("equal", NILE[:20], NILE[:20]),
):
    cases.add(
        f"dtw-{name}",
        {"type": "dtw", "data": a, "target": b},
        {"distance": warp(a, b)},
        "cell by cell",
        1e-12,
    )
cases.refuse("acf-constant", {"type": "acf", "data": [1, 1, 1, 1]}, "zero_variance", "0/0")
cases.refuse(
    "dtw-window", {"type": "dtw", "data": [1, 2, 3, 4], "target": [1], "window": 1}, "out_of_range", "no path"
)
cases.refuse(
    "ma-window", {"type": "moving_average", "data": [1, 2], "window": 3}, "out_of_range", "no full window"
)
cases.refuse(
    "stl-short", {"type": "stl", "data": [1, 2, 3], "period": 2}, "too_few_values", "two periods are needed"
)
cases.write("time_series-statsmodels")
