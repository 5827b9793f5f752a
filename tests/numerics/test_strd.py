"""Last-digit accuracy on the NIST StRD sets.

All 58 sets run when STATISTIKLES_STRD_DIR names the folder with them (their redistribution is
disputed, so they are not part of the project). Longley (in statsmodels), Norris and the eleven
ANOVA sets (in scipy's test data) are read from those installed packages and always run.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import scipy

from numerics import strd
from statistikles.stats._least_squares import linear_least_squares

needs_folder = pytest.mark.skipif(
    strd.folder() is None, reason=f"{strd.VARIABLE} is not set: the NIST files are not part of the project"
)

# What reading the data into doubles costs: no method can score higher on the doubles as read
# (measured with 60-digit arithmetic on the rounded data; half a digit of slack).
CEILING = {
    "Mavro": 12.6, "Michelso": 12.9, "NumAcc3": 9.0, "NumAcc4": 7.8, "SiRstv": 12.6, "AtmWtAg": 9.7,
    "SmLs04": 9.5, "SmLs05": 9.4, "SmLs06": 9.4, "SmLs07": 3.5, "SmLs08": 3.4, "SmLs09": 3.4, "Lanczos1": 2.6,
}  # fmt: skip


def test_the_folder_holds_all_sets() -> None:
    if strd.folder() is None:
        pytest.skip(f"{strd.VARIABLE} is not set: the NIST files are not part of the project")
    counts = {f: len(strd.names(f)) for f in ("univariate", "anova", "linear", "nonlinear")}
    assert counts == {"univariate": 9, "anova": 11, "linear": 11, "nonlinear": 27}


def worst(scores: strd.Scores) -> float:
    assert scores
    return min(scores.values())


@needs_folder
@pytest.mark.parametrize("name", strd.names("univariate"))
def test_univariate(name: str) -> None:
    x, target = strd.table(name).ravel(), strd.certified()[name]["certified"]
    assert worst(strd.score(name, strd.univariate(x, decimal=True), target)) >= 14.0
    assert worst(strd.score(name, strd.univariate(x, decimal=False), target)) >= CEILING.get(name, 14.0)


@needs_folder
@pytest.mark.parametrize("name", strd.names("anova"))
def test_anova(name: str) -> None:
    rows, target = strd.table(name), strd.certified()[name]["certified"]
    assert worst(strd.score(name, strd.anova(rows, decimal=True), target)) >= 14.0
    assert worst(strd.score(name, strd.anova(rows, decimal=False), target)) >= CEILING.get(name, 14.0)


@needs_folder
@pytest.mark.parametrize("decimal", [False, True])
@pytest.mark.parametrize("name", strd.names("linear"))
def test_linear(name: str, decimal: bool) -> None:
    fit = strd.fit_linear(name, strd.table(name), decimal=decimal)
    scores = strd.score(name, strd.linear(fit), strd.certified()[name]["certified"])
    assert worst(scores) >= 13.0, scores
    if name in ("Wampler1", "Wampler2"):
        assert fit.f is None and any("F is not defined" in note for note in fit.notes)


@needs_folder
@pytest.mark.parametrize("which", [1, 2])
@pytest.mark.parametrize("name", strd.names("nonlinear"))
def test_nonlinear(name: str, which: int) -> None:
    target = strd.certified()[name]["certified"]
    scores = strd.score(name, strd.nonlinear(strd.fit_nonlinear(name, which, decimal=True)), target)
    assert worst(scores) >= 10.0, scores
    scores = strd.score(name, strd.nonlinear(strd.fit_nonlinear(name, which, decimal=False)), target)
    assert worst(scores) >= CEILING.get(name, 10.0), scores


# --- sets that open-source packages ship --------------------------------------------------------------

SHIPPED = Path(scipy.__file__).parent / "stats" / "tests" / "data"
NUMBER = r"(-?\d+\.?\d*(?:[Ee][-+]?\d+)?)"


@pytest.mark.parametrize("name", ["SiRstv", "AtmWtAg", *(f"SmLs0{i}" for i in range(1, 10))])
def test_shipped_anova(name: str) -> None:
    path = SHIPPED / "nist_anova" / f"{name}.dat"
    text = path.read_text(encoding="latin-1")
    between = re.search(rf"Between \w+\s+(\d+)\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}", text)
    within = re.search(rf"Within \w+\s+(\d+)\s+{NUMBER}\s+{NUMBER}", text)
    r2 = re.search(rf"R-Squared\s+{NUMBER}", text)
    sd = re.search(rf"Residual\s+Standard Deviation\s+{NUMBER}", text)
    assert between and within and r2 and sd
    target = {
        "df_between": between[1], "ss_between": between[2], "ms_between": between[3], "F": between[4],
        "df_within": within[1], "ss_within": within[2], "ms_within": within[3], "r2": r2[1], "resid_sd": sd[1],
    }  # fmt: skip
    assert worst(strd.score(name, strd.anova(strd.read(path), decimal=True), target)) >= 14.0


def test_shipped_norris() -> None:
    path = SHIPPED / "nist_linregress" / "Norris.dat"
    text = path.read_text(encoding="latin-1")
    target = {}
    for key in ("B0", "B1"):
        match = re.search(rf"{key}\s+{NUMBER}\s+{NUMBER}", text)
        assert match
        target[key], target[f"se_{key}"] = match[1], match[2]
    table = re.search(rf"Regression\s+(\d+)\s+{NUMBER}\s+{NUMBER}\s+{NUMBER}", text)
    r2 = re.search(rf"R-Squared\s+{NUMBER}", text)
    assert table and r2
    target |= {"ss_reg": table[2], "F": table[4], "r2": r2[1]}
    rows = strd.read(path)
    for decimal, least in ((False, 13.4), (True, 14.0)):
        fit = strd.fit_linear("Norris", rows, decimal=decimal)
        assert worst(strd.score("Norris", strd.linear(fit), target)) >= least


def test_shipped_longley() -> None:
    from statsmodels.datasets import longley
    from statsmodels.regression.tests.results.results_regression import Longley

    data, want = longley.load_pandas(), Longley()
    fit = linear_least_squares(
        data.exog.to_numpy(dtype=float), data.endog.to_numpy(dtype=float), names=list(data.exog.columns)
    )
    order = [*range(1, 7), 0]  # statsmodels keeps the constant last
    assert fit.std_errors is not None
    pairs = [
        *zip(fit.coefficients[order], want.params, strict=True),
        *zip(fit.std_errors[order], want.bse, strict=True),
        (fit.r2, want.rsquared),
        (fit.f, want.fvalue),
        (fit.rss, want.ssr),
        (fit.ess, want.ess),
    ]
    assert min(strd.lre(float(a), float(b)) for a, b in pairs if a is not None) >= 13.9
    np.testing.assert_allclose(fit.residuals, want.resid, rtol=1e-6)
