"""Last-digit accuracy of the tools on the NIST StRD sets.

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


# What every set of a family must reach, least over its certified quantities, with the decimal reading and (but
# for the ceilings above) without it.
LEAST = {"univariate": 14.0, "anova": 14.0, "linear": 13.0, "nonlinear": 10.0}


def test_the_folder_holds_all_sets() -> None:
    if strd.folder() is None:
        pytest.skip(f"{strd.VARIABLE} is not set: the NIST files are not part of the project")
    counts = {f: len(strd.names(f)) for f in ("univariate", "anova", "linear", "nonlinear")}
    assert counts == {"univariate": 9, "anova": 11, "linear": 11, "nonlinear": 27}


def worst(scores: strd.Scores) -> float:
    assert scores
    return min(scores.values())


@needs_folder
@pytest.mark.parametrize(("name", "which"), [pytest.param(*c, id=strd.title(*c)) for c in strd.cases()])
def test_certified_digits(name: str, which: int) -> None:
    entry = strd.certified()[name]
    least = LEAST[entry["family"]]
    scores = strd.score(name, strd.said(name, which, decimal=True), entry["certified"])
    assert worst(scores) >= least, scores
    scores = strd.score(name, strd.said(name, which, decimal=False), entry["certified"])
    assert worst(scores) >= CEILING.get(name, least), scores


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
    for decimal, least in ((False, 13.4), (True, 14.0)):
        said = strd.linear("Norris", strd.read(path), decimal=decimal)
        assert worst(strd.score("Norris", said, target)) >= least


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


@pytest.mark.parametrize(("base", "digits"), [(1.2, 14.0), (1000000.2, 9.4), (10000000.2, 8.2)])
def test_alternating_values_about_a_large_mean(base: float, digits: float) -> None:
    """NumAcc2 to 4 are built by rule: mean, SD 0.1 and lag-1 autocorrelation -0.999 are exact."""
    above, below = round(base + 0.1, 1), round(base - 0.1, 1)
    x = np.array([base] + [below, above] * 500)
    target = {"mean": str(base), "sd": "0.1", "acf1": "-0.999"}
    for decimal, wanted in ((True, 15.0), (False, digits)):
        assert worst(strd.score("built", strd.univariate(x, decimal=decimal), target)) >= wanted
