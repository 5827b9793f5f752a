"""LRE of the tools on the 58 NIST StRD sets, beside numpy, scipy and statsmodels from the same run.

LRE = -log10(relative error), capped at 15, least over the quantities each program gives for the set
(a peer that gives only some of the certified quantities is scored on those). "fails" = no result.

Run: STATISTIKLES_STRD_DIR=FOLDER python benchmarks/nist_table.py
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import linalg, optimize, stats
from statsmodels.api import OLS
from statsmodels.stats.weightstats import DescrStatsW
from statsmodels.tsa.stattools import acf

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from numerics import strd
from statistikles.stats._formula import Expressions, evaluate, parse

Said = dict[str, float | None]


def cell(name: str, run: Callable[[], Said]) -> str:
    """The worst LRE of what `run` says, as text."""
    target = strd.certified()[name]["certified"]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            said = run()
    except Exception:
        return "fails"
    scores = strd.score(name, said, {key: target[key] for key in said if key in target})
    return f"{min(scores.values()):.1f}"


def univariate_row(name: str) -> list[str]:
    x = strd.table(name).ravel()

    def with_numpy() -> Said:
        d = x - x.mean()
        return {"mean": x.mean(), "sd": x.std(ddof=1), "acf1": float(d[1:] @ d[:-1] / (d @ d))}

    def with_scipy() -> Said:
        described = stats.describe(x)
        return {"mean": described.mean, "sd": float(np.sqrt(described.variance))}

    def with_statsmodels() -> Said:
        described = DescrStatsW(x, ddof=1)
        return {"mean": described.mean, "sd": described.std, "acf1": acf(x, nlags=1, fft=False)[1]}

    return [
        cell(name, lambda: strd.said(name, 0, decimal=False)),
        cell(name, lambda: strd.said(name, 0, decimal=True)),
        cell(name, with_numpy),
        cell(name, with_scipy),
        cell(name, with_statsmodels),
    ]


def anova_row(name: str) -> list[str]:
    rows = strd.table(name)
    groups = strd.groups_of(rows)

    def with_numpy() -> Said:
        grand = rows[:, 1].mean()
        between = sum(g.size * (g.mean() - grand) ** 2 for g in groups)
        within = sum(float(((g - g.mean()) ** 2).sum()) for g in groups)
        k, n = len(groups), len(rows)
        return {
            "ss_between": between,
            "ss_within": within,
            "F": between / (k - 1) / (within / (n - k)),
            "r2": between / (between + within),
            "resid_sd": float(np.sqrt(within / (n - k))),
        }

    def with_statsmodels() -> Said:
        labels = np.unique(rows[:, 0])
        design = np.column_stack([np.ones(len(rows)), *(rows[:, 0] == v for v in labels[1:])]).astype(float)
        fit = OLS(rows[:, 1], design).fit()
        return {
            "ss_between": fit.ess,
            "ss_within": fit.ssr,
            "F": fit.fvalue,
            "r2": fit.rsquared,
            "resid_sd": float(np.sqrt(fit.mse_resid)),
        }

    return [
        cell(name, lambda: strd.said(name, 0, decimal=False)),
        cell(name, lambda: strd.said(name, 0, decimal=True)),
        cell(name, with_numpy),
        cell(name, lambda: {"F": float(stats.f_oneway(*groups).statistic)}),
        cell(name, with_statsmodels),
    ]


def linear_row(name: str) -> list[str]:
    rows = strd.table(name)
    y, x = rows[:, 0], rows[:, 1:]
    degree, intercept = strd.DEGREE.get(name, 1), name not in strd.NO_INTERCEPT
    if degree > 1:
        x = np.column_stack([x[:, 0] ** k for k in range(1, degree + 1)])
    design = np.column_stack((np.ones(y.size), x)) if intercept else x
    first = 0 if intercept else 1

    def coefficients(b: Any) -> Said:
        return {f"B{i + first}": float(v) for i, v in enumerate(b)}

    def with_statsmodels() -> Said:
        fit = OLS(y, design).fit()
        errors = {f"se_B{i + first}": float(v) for i, v in enumerate(fit.bse)}
        rest = {"r2": fit.rsquared, "resid_sd": float(np.sqrt(fit.mse_resid)), "ss_res": fit.ssr}
        return {**coefficients(fit.params), **errors, **rest}

    return [
        cell(name, lambda: strd.said(name, 0, decimal=False)),
        cell(name, lambda: strd.said(name, 0, decimal=True)),
        cell(name, lambda: coefficients(np.linalg.lstsq(design, y, rcond=None)[0])),
        cell(name, lambda: coefficients(linalg.lstsq(design, y)[0])),
        cell(name, with_statsmodels),
    ]


def nonlinear_row(name: str, which: int) -> list[str]:
    entry = strd.certified()[name]
    data, start = strd.columns_of(name), strd.start_of(name, which)
    build = Expressions()
    model = parse(entry["model_expr"], [*data, *start], build)
    y = np.log(data["y"]) if entry["response"] == "log(y)" else data["y"]

    def with_scipy() -> Said:
        def f(_: Any, *b: float) -> Any:
            (out,) = evaluate([model], {**data, **dict(zip(start, b, strict=True))})
            return np.broadcast_to(out, y.shape)

        best, covariance = optimize.curve_fit(f, None, y, p0=list(start.values()), maxfev=20_000)
        errors = {f"se_{k}": float(v) for k, v in zip(start, np.sqrt(np.diag(covariance)), strict=True)}
        return {**dict(zip(start, map(float, best), strict=True)), **errors}

    return [
        cell(name, lambda: strd.said(name, which, decimal=False)),
        cell(name, lambda: strd.said(name, which, decimal=True)),
        "-",
        cell(name, with_scipy),
        "-",
    ]


def main() -> int:
    if strd.folder() is None:
        print(f"Set {strd.VARIABLE} to the folder that holds the NIST StRD files.", file=sys.stderr)
        return 2
    print("| set | family | statistikles | statistikles, decimal | numpy | scipy | statsmodels |")
    print("|---|---|---|---|---|---|---|")
    least: dict[str, list[float]] = {}
    for family, row in (("univariate", univariate_row), ("anova", anova_row), ("linear", linear_row)):
        for name in strd.names(family):
            show(name, family, row(name), least)
    for name in strd.names("nonlinear"):
        for which in (1, 2):
            show(f"{name}, start {which}", "nonlinear", nonlinear_row(name, which), least)
    print()
    print(
        "| family, worst of its sets | statistikles | statistikles, decimal | numpy | scipy | statsmodels |"
    )
    print("|---|---|---|---|---|---|")
    for family, scores in least.items():
        print(f"| {family} | {' | '.join('-' if s == NOT_OFFERED else f'{s:.1f}' for s in scores)} |")
    return 0


NOT_OFFERED = 99.0


def show(title: str, family: str, cells: list[str], least: dict[str, list[float]]) -> None:
    print(f"| {title} | {family} | {' | '.join(cells)} |")
    scores = [NOT_OFFERED if c == "-" else 0.0 if c == "fails" else float(c) for c in cells]
    kept = least.setdefault(family, scores)
    least[family] = [min(pair) for pair in zip(kept, scores, strict=True)]


if __name__ == "__main__":
    sys.exit(main())
