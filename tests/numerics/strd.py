"""NIST StRD data sets: reading them, scoring against them (LRE), and what our functions say about them."""

from __future__ import annotations

import json
import math
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.stats import _numerics as num
from statistikles.stats._least_squares import LinearFit, linear_least_squares
from statistikles.stats._nonlinear import NonlinearFit, nonlinear_least_squares
from statistikles.stats._sums_of_squares import one_way_sums

VARIABLE = "STATISTIKLES_STRD_DIR"
DEGREE = {"Pontius": 2, "Filip": 10, **{f"Wampler{i}": 5 for i in range(1, 6)}}
NO_INTERCEPT = ("NoInt1", "NoInt2")
# Rat43.dat prints 9 degrees of freedom, but its n = 15 and 4 parameters give 11, and so does its own
# certified residual standard deviation.
NOT_SCORED = {("Rat43", "df")}

Scores = dict[str, float]


def folder() -> Path | None:
    """The folder named by STATISTIKLES_STRD_DIR, when it is set and exists."""
    value = os.environ.get(VARIABLE, "")
    return Path(value) if value and Path(value).is_dir() else None


@lru_cache(maxsize=1)
def certified() -> dict[str, Any]:
    """The content of certified.json, or nothing when the folder is not there."""
    root = folder()
    if root is None:
        return {}
    out: dict[str, Any] = json.loads((root / "certified.json").read_text(encoding="utf-8"))
    return out


def names(family: str) -> list[str]:
    """The data sets of one family."""
    return [name for name, entry in certified().items() if entry["family"] == family]


def table(name: str) -> NDArray[np.float64]:
    """The numbers of the data part, one row per observation."""
    root = folder()
    assert root is not None
    return read(root / certified()[name]["family"] / f"{name}.dat")


def read(path: Path) -> NDArray[np.float64]:
    """Rows of a .dat file, from the lines its header announces for the data."""
    text = path.read_text(encoding="latin-1").replace("\r\n", "\n")
    lines = text.split("\n")
    match = re.search(r"Data\s*(?:\(|:\s*)lines\s+(\d+)\s+to\s+(\d+)", text)
    assert match, path
    first, last = int(match[1]), int(match[2])
    rows = [[float(v) for v in line.split()] for line in lines[first - 1 : last] if line.strip()]
    return np.array(rows)


def lre(value: float | None, target: str | float) -> float:
    """-log10 of the relative error (absolute when the target is 0), between 0 and 15."""
    c = float(target)
    if value is None or not math.isfinite(value):
        return 0.0
    error = abs(value) if c == 0.0 else abs(value - c) / abs(c)
    return 15.0 if error < 1e-15 else max(0.0, -math.log10(error))


def score(name: str, said: dict[str, float | None], targets: dict[str, str]) -> Scores:
    """LRE of each certified quantity; an infinite F must be said to be undefined."""
    out = {}
    for key, target in targets.items():
        if (name, key) in NOT_SCORED:
            continue
        if target == "Infinity":
            out[key] = 15.0 if said[key] is None else 0.0
        else:
            out[key] = lre(said[key], target)
    return out


def univariate(x: NDArray[np.float64], *, decimal: bool) -> dict[str, float | None]:
    m = num.moments(x, decimal=decimal)
    return {"mean": m.mean, "sd": m.sd, "acf1": num.lag1_autocorrelation(x, decimal=decimal)}


def groups_of(rows: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    return [rows[rows[:, 0] == value, 1] for value in np.unique(rows[:, 0])]


def anova(rows: NDArray[np.float64], *, decimal: bool) -> dict[str, float | None]:
    r = one_way_sums(groups_of(rows), decimal=decimal)
    keys = ("df_between", "ss_between", "ms_between", "df_within", "ss_within", "ms_within", "r2", "resid_sd")
    return {"F": r.f, **{key: getattr(r, key) for key in keys}}


def fit_linear(name: str, rows: NDArray[np.float64], *, decimal: bool) -> LinearFit:
    return linear_least_squares(
        rows[:, 1:],
        rows[:, 0],
        degree=DEGREE.get(name, 1),
        intercept=name not in NO_INTERCEPT,
        decimal=decimal,
    )


def linear(fit: LinearFit) -> dict[str, float | None]:
    first = 0 if fit.intercept else 1
    assert fit.std_errors is not None
    out: dict[str, float | None] = {}
    for i, (b, se) in enumerate(zip(fit.coefficients, fit.std_errors, strict=True)):
        out[f"B{i + first}"] = float(b)
        out[f"se_B{i + first}"] = float(se)
    out.update(
        resid_sd=fit.resid_sd,
        r2=fit.r2,
        df_reg=fit.df_model,
        df_res=fit.df_resid,
        ss_reg=fit.ess,
        ss_res=fit.rss,
        ms_reg=fit.ess / fit.df_model,
        ms_res=fit.rss / fit.df_resid,
        F=fit.f,
    )
    return out


def start_of(name: str, which: int) -> dict[str, float]:
    entry = certified()[name]
    parameters = [key for key in entry["certified"] if re.fullmatch(r"b\d+", key)]
    return dict(zip(parameters, map(float, entry[f"start{which}"]), strict=True))


def columns_of(name: str) -> dict[str, NDArray[np.float64]]:
    rows = table(name)
    return {column: rows[:, i] for i, column in enumerate(certified()[name]["columns"])}


def fit_nonlinear(name: str, which: int, *, decimal: bool) -> NonlinearFit:
    entry = certified()[name]
    return nonlinear_least_squares(
        entry["model_expr"], columns_of(name), entry["response"], start_of(name, which), decimal=decimal
    )


def nonlinear(fit: NonlinearFit) -> dict[str, float | None]:
    assert fit.std_errors is not None
    out: dict[str, float | None] = {}
    for name, b, se in zip(fit.names, fit.parameters, fit.std_errors, strict=True):
        out[name] = float(b)
        out[f"se_{name}"] = float(se)
    out.update(rss=fit.rss, resid_sd=fit.resid_sd, df=fit.df_resid)
    return out
