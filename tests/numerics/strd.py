"""Reading NIST StRD data sets, and the log relative error (LRE) that scores a result against them."""

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

VARIABLE = "STATISTIKLES_STRD_DIR"


def folder() -> Path | None:
    """The folder named by STATISTIKLES_STRD_DIR, when it is set and exists."""
    value = os.environ.get(VARIABLE, "")
    return Path(value) if value and Path(value).is_dir() else None


@lru_cache(maxsize=1)
def certified() -> dict[str, Any]:
    root = folder()
    if root is None:
        return {}
    out: dict[str, Any] = json.loads((root / "certified.json").read_text(encoding="utf-8"))
    return out


def names(family: str) -> list[str]:
    return [name for name, entry in certified().items() if entry["family"] == family]


def table(name: str) -> NDArray[np.float64]:
    """The numbers of the data part, one row per observation."""
    root = folder()
    assert root is not None
    return read(root / certified()[name]["family"] / f"{name}.dat")


def read(path: Path) -> NDArray[np.float64]:
    """Rows of a .dat file, from the line its header announces for the data."""
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


def linear_quantities(name: str, fit: Any) -> dict[str, float | None]:
    """Certified names of a linear set -> what a LinearFit says."""
    first = 0 if fit.intercept else 1
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
