"""Certified univariate values of the NIST Statistical Reference Datasets; the raw files stay outside the project."""

from __future__ import annotations

import json
import math
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from statistikles.stats import describe

FOLDER = os.environ.get("STATISTIKLES_STRD_DIR", "")
# What rounding the decimals to doubles leaves, whatever the method: measured with 60-digit arithmetic on the doubles.
CEILING = {"Mavro": 13.0, "Michelso": 13.3, "NumAcc3": 9.4, "NumAcc4": 8.2}


def certified() -> dict[str, Any]:
    if not FOLDER:
        return {}
    entries = json.loads((Path(FOLDER) / "certified.json").read_text(encoding="utf-8"))
    return {k: v["certified"] for k, v in entries.items() if v["family"] == "univariate"}


def lre(value: float, target: str) -> float:
    c = float(target)
    error = abs(value - c) / abs(c) if c else abs(value)
    return 15.0 if error == 0 else min(15.0, max(0.0, -math.log10(error)))


@pytest.mark.parametrize("name", certified())
def test_certified_digits(name: str) -> None:
    lines = (Path(FOLDER) / "univariate" / f"{name}.dat").read_text(encoding="latin-1").splitlines()
    start = max(i for i, line in enumerate(lines) if re.match(r"-{5,}", line.strip()))
    x = np.array([float(line) for line in lines[start + 1 :] if line.strip()])
    for decimal, wanted in ((True, 14.0), (False, CEILING.get(name, 14.0))):
        result = describe(x, decimal=decimal)
        targets = certified()[name]
        digits = min(
            lre(result.mean, targets["mean"]),
            lre(result.std_dev, targets["sd"]),
            lre(result.lag1_autocorrelation, targets["acf1"]),
        )
        assert digits >= wanted, (name, decimal, digits)


@pytest.mark.parametrize(("base", "digits"), [(1.2, 14.0), (1000000.2, 9.4), (10000000.2, 8.2)])
def test_alternating_values_about_a_large_mean(base: float, digits: float) -> None:
    """NumAcc2 to 4 are built by rule: mean, SD 0.1 and lag-1 autocorrelation -0.999 are exact."""
    above, below = round(base + 0.1, 1), round(base - 0.1, 1)
    x = np.array([base] + [below, above] * 500)
    for decimal, wanted in ((True, 15.0), (False, digits)):
        result = describe(x, decimal=decimal)
        assert lre(result.mean, str(base)) >= wanted
        assert lre(result.std_dev, "0.1") >= wanted
        assert lre(result.lag1_autocorrelation, "-0.999") >= wanted
