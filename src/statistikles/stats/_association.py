"""Chi-squared statistics of a table, its residuals, and the effect sizes around Cramér's V."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._distributions import chi2_sf
from statistikles.stats._magnitude import COHENS_W, magnitude
from statistikles.stats._noncentral import nc_chi2_noncentrality
from statistikles.stats._tables import CountTable
from statistikles.stats._two_by_two import two_by_two_effects

__all__ = [
    "chi2_test",
    "g_statistic",
    "independence_details",
    "independence_effects",
    "noncentral_w",
    "pearson_chi2",
    "small_expected",
    "yates_chi2",
]

_METHOD = "noncentral chi-squared"


def noncentral_w(
    name: str, chi2: float, df: int, n: float, level: float, *, most: float = math.inf, divide: float = 1.0
) -> EffectSize:
    """sqrt(chi2 / (n divide)) with bounds from the noncentrality; `most` caps the upper bound."""
    tail = (1 - level) / 2
    w = math.sqrt(chi2 / n)
    low, high = (
        min(most, math.sqrt(nc_chi2_noncentrality(chi2, df, p) / (n * divide))) for p in (1 - tail, tail)
    )
    return EffectSize(
        name=name,
        estimate=min(most, w / math.sqrt(divide)),
        conf_low=low,
        conf_high=high,
        conf_level=level,
        conf_method=_METHOD,
        magnitude=magnitude(w, COHENS_W),
    )


def independence_effects(table: CountTable, chi2: float, level: float) -> dict[str, EffectSize]:
    """Cramér's V (plain, bias-corrected), Cohen's w, contingency coefficient; risks and odds for 2 x 2."""
    n = table.n
    r, c = table.counts.shape
    df = (r - 1) * (c - 1)
    out = {
        "cramers_v": noncentral_w("Cramér's V", chi2, df, n, level, most=1.0, divide=min(r, c) - 1),
        "cramers_v_corrected": _bergsma(chi2, n, r, c),
        "cohens_w": noncentral_w("Cohen's w", chi2, df, n, level),
        "contingency_coefficient": EffectSize(
            name="Pearson's contingency coefficient", estimate=math.sqrt(chi2 / (chi2 + n))
        ),
    }
    if (r, c) == (2, 2):
        (a, b), (d, e) = ((int(v) for v in row) for row in table.counts)
        out |= two_by_two_effects(a, b, d, e, level)
    return out


def _bergsma(chi2: float, n: int, r: int, c: int) -> EffectSize:
    name = "Cramér's V, bias-corrected (Bergsma)"
    if n < 2:
        return EffectSize(name=name, undefined={"estimate": "a single observation"})
    phi2 = max(0.0, chi2 / n - (r - 1) * (c - 1) / (n - 1))
    room = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    if room <= 0:
        return EffectSize(name=name, undefined={"estimate": "too few observations for the correction"})
    return EffectSize(name=name, estimate=math.sqrt(phi2 / room))


def chi2_test(method: str, value: float, df: int, alpha: float) -> SignificanceTest:
    return SignificanceTest(
        method=method, statistic_name="χ²", statistic=value, df=df, p_value=chi2_sf(value, df), alpha=alpha
    )


def pearson_chi2(table: CountTable, correction: float = 0.0) -> float:
    """Chi-squared with the deviations formed in exact integers."""
    n = table.n
    total = []
    for i, r in enumerate(table.row_totals):
        for j, c in enumerate(table.column_totals):
            product = int(r) * int(c)
            gap = max(0.0, abs(int(table.counts[i, j]) * n - product) / n - correction)
            total.append(gap * gap * n / product)
    return math.fsum(total)


def yates_chi2(table: CountTable) -> float:
    return pearson_chi2(table, 0.5)


def g_statistic(table: CountTable) -> float:
    n = table.n
    terms = []
    for i, r in enumerate(table.row_totals):
        for j, c in enumerate(table.column_totals):
            o, product = int(table.counts[i, j]), int(r) * int(c)
            if o:  # log1p keeps the digits of cells close to their expectation
                terms.append(o * math.log1p((o * n - product) / product))
    return max(0.0, 2 * math.fsum(terms))


def independence_details(table: CountTable) -> dict[str, Any]:
    n, expected = float(table.n), table.expected
    residuals = (table.counts - expected) / np.sqrt(expected)
    slack = np.outer(1 - table.row_totals / n, 1 - table.column_totals / n)
    return {
        "observed": table.nested(table.counts, whole=True),
        "expected": table.nested(expected),
        "row_proportions": table.nested(table.counts / table.row_totals[:, None]),
        "pearson_residuals": table.nested(residuals),
        "adjusted_residuals": table.nested(residuals / np.sqrt(slack)),
        "column_totals": {name: int(t) for name, t in zip(table.columns, table.column_totals, strict=True)},
    }


def small_expected(expected: NDArray[np.float64], instead: str) -> tuple[str, ...]:
    small = int((expected < 5).sum())
    if not small:
        return ()
    text = (
        f"{small} of {expected.size} expected counts are below 5 (smallest {expected.min():.2f}): the chi-squared "
        f"approximation is doubtful; {instead}."
    )
    return (text,)
