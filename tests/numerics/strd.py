"""NIST StRD data sets: reading them, scoring against them (LRE), and what the tools say about them."""

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

from statistikles import execute_tool

VARIABLE = "STATISTIKLES_STRD_DIR"
DEGREE = {"Pontius": 2, "Filip": 10, **{f"Wampler{i}": 5 for i in range(1, 6)}}
NO_INTERCEPT = ("NoInt1", "NoInt2")
# Rat43.dat prints 9 degrees of freedom, but its n = 15 and 4 parameters give 11, and so does its own
# certified residual standard deviation.
NOT_SCORED = {("Rat43", "df")}

Scores = dict[str, float]
Said = dict[str, float | None]


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


def score(name: str, said: Said, targets: dict[str, str]) -> Scores:
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


def groups_of(rows: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    return [rows[rows[:, 0] == value, 1] for value in np.unique(rows[:, 0])]


def start_of(name: str, which: int) -> dict[str, float]:
    entry = certified()[name]
    parameters = [key for key in entry["certified"] if re.fullmatch(r"b\d+", key)]
    return dict(zip(parameters, map(float, entry[f"start{which}"]), strict=True))


def columns_of(name: str) -> dict[str, NDArray[np.float64]]:
    rows = table(name)
    return {column: rows[:, i] for i, column in enumerate(certified()[name]["columns"])}


def answered(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The result of a call that must succeed."""
    result = execute_tool(tool, arguments)
    assert "error" not in result, result
    return result


def univariate(rows: NDArray[np.float64], *, decimal: bool) -> Said:
    r = answered("descriptive_statistics", {"data": rows.ravel().tolist(), "decimal": decimal})
    return {"mean": r["mean"], "sd": r["std_dev"], "acf1": r["lag1_autocorrelation"]}


def anova(rows: NDArray[np.float64], *, decimal: bool) -> Said:
    groups = [group.tolist() for group in groups_of(rows)]
    r = answered("anova", {"groups": groups, "decimal": decimal, "post_hoc": False})
    details = r["details"]
    return {
        "F": r["statistic"],
        "r2": details["r_squared"],
        "resid_sd": details["residual_std_dev"],
        **{
            f"{short}_{row}": details[row][key]
            for row in ("between", "within")
            for short, key in (("ss", "sum_sq"), ("ms", "mean_sq"), ("df", "df"))
        },
    }


def linear(name: str, rows: NDArray[np.float64], *, decimal: bool) -> Said:
    intercept = name not in NO_INTERCEPT
    r = answered(
        "regression",
        {
            "x": rows[:, 1:].T.tolist(),
            "y": rows[:, 0].tolist(),
            "degree": DEGREE.get(name, 1),
            "intercept": intercept,
            "decimal": decimal,
        },
    )
    out = _terms(r, [f"B{i}" for i in range(0 if intercept else 1, 30)])
    details = r["details"]
    return out | {
        "F": r["statistic"],
        "r2": r["r_squared"],
        "resid_sd": r["residual_std_error"],
        "df_reg": r["df"],
        "df_res": r["df_error"],
        "ss_reg": details["sum_sq_model"],
        "ss_res": details["sum_sq_residual"],
        "ms_reg": details["sum_sq_model"] / r["df"],
        "ms_res": details["sum_sq_residual"] / r["df_error"],
    }


def nonlinear(name: str, *, which: int, decimal: bool) -> Said:
    entry = certified()[name]
    r = answered(
        "nonlinear_regression",
        {
            "formula": entry["model_expr"],
            "data": {column: values.tolist() for column, values in columns_of(name).items()},
            "response": entry["response"],
            "start": start_of(name, which),
            "decimal": decimal,
        },
    )
    return _terms(r, list(r["terms"])) | {
        "rss": r["details"]["sum_sq_residual"],
        "resid_sd": r["residual_std_error"],
        "df": r["df_error"],
    }


def _terms(result: dict[str, Any], names: list[str]) -> Said:
    out: Said = {}
    for name, term in zip(names, result["terms"].values(), strict=False):
        out[name] = term["estimate"]
        out[f"se_{name}"] = term["std_error"]
    return out


def cases() -> list[tuple[str, int]]:
    """(set, starting point) of all 58 sets; the starting point is 0 where there is none."""
    return [
        (name, which)
        for family in ("univariate", "anova", "linear", "nonlinear")
        for name in names(family)
        for which in ((1, 2) if family == "nonlinear" else (0,))
    ]


def said(name: str, which: int, *, decimal: bool) -> Said:
    """The certified quantities of a set as its tool gives them."""
    family = certified()[name]["family"]
    if family == "nonlinear":
        return nonlinear(name, which=which, decimal=decimal)
    rows = table(name)
    if family == "linear":
        return linear(name, rows, decimal=decimal)
    return (univariate if family == "univariate" else anova)(rows, decimal=decimal)


def title(name: str, which: int) -> str:
    """Norris, or MGH09, start 2."""
    return f"{name}, start {which}" if which else name
