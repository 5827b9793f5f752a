"""Stratified tables: Mantel-Haenszel odds ratio and test, Breslow-Day, and the general association test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined
from statistikles.results import Description, EffectSize, SignificanceTest
from statistikles.stats._distributions import chi2_sf, norm_isf

__all__ = ["common_odds", "general_association"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pooled:
    """The common odds ratio of Mantel and Haenszel; `log_error` by Robins, Breslow and Greenland (1986)."""

    odds_ratio: float
    log_error: float | None


def mantel_haenszel_odds(strata: Array) -> Pooled | None:
    """Common odds ratio of K tables [[a, b], [c, d]]; None where it is infinite or 0/0."""
    a, b, c, d = strata[:, 0, 0], strata[:, 0, 1], strata[:, 1, 0], strata[:, 1, 1]
    n = a + b + c + d
    r, s = a * d / n, b * c / n
    top, bottom = math.fsum(r), math.fsum(s)
    if bottom == 0:
        return None
    if top == 0:
        return Pooled(0.0, None)
    p, q = (a + d) / n, (b + c) / n
    variance = (
        math.fsum(p * r) / (2 * top * top)
        + math.fsum(p * s + q * r) / (2 * top * bottom)
        + math.fsum(q * s) / (2 * bottom * bottom)
    )
    return Pooled(top / bottom, math.sqrt(variance))


def mantel_haenszel_tests(strata: Array, alpha: float) -> tuple[SignificanceTest, SignificanceTest]:
    """Cochran-Mantel-Haenszel chi-squared without and with the continuity correction."""
    a = strata[:, 0, 0]
    n = strata.sum(axis=(1, 2))
    r1, r2 = strata[:, 0].sum(axis=1), strata[:, 1].sum(axis=1)
    c1, c2 = strata[:, :, 0].sum(axis=1), strata[:, :, 1].sum(axis=1)
    gap = abs(math.fsum((a * n - r1 * c1) / n))
    variance = math.fsum(r1 * r2 * c1 * c2 / (n * n * (n - 1)))
    if variance == 0:
        raise NotDefined(
            "The Cochran–Mantel–Haenszel test is undefined: no stratum has two different rows and columns.",
            hint="Every stratum needs counts in both rows and both columns.",
            where="tables",
            code="zero_margin",
        )
    tests = []
    for correction, words in ((0.0, "without continuity correction"), (0.5, "with continuity correction")):
        chi2 = max(0.0, gap - correction) ** 2 / variance
        tests.append(
            SignificanceTest(
                method=f"Cochran–Mantel–Haenszel test {words}",
                statistic_name="χ²",
                statistic=chi2,
                df=1,
                p_value=chi2_sf(chi2, 1),
                alpha=alpha,
            )
        )
    return tests[0], tests[1]


def breslow_day(strata: Array, odds_ratio: float, alpha: float) -> tuple[SignificanceTest, SignificanceTest]:
    """Breslow and Day's test that the odds ratios of the strata are equal, plain and with Tarone's correction."""
    chi2 = shift = total = 0.0
    for (a, b), (c, d) in strata:
        r1, c1, n = a + b, a + c, a + b + c + d
        expected = _expected_under(odds_ratio, r1, c1, n)
        parts = (expected, r1 - expected, c1 - expected, n - r1 - c1 + expected)
        variance = 1 / math.fsum(1 / v for v in parts)
        chi2 += (a - expected) ** 2 / variance
        shift += a - expected
        total += variance
    df = len(strata) - 1
    tests = []
    for value, words in ((chi2, ""), (chi2 - shift * shift / total, " with Tarone's correction")):
        value = max(0.0, value)
        tests.append(
            SignificanceTest(
                method=f"Breslow–Day test of equal odds ratios{words}",
                statistic_name="χ²",
                statistic=value,
                df=df,
                p_value=chi2_sf(value, df),
                alpha=alpha,
            )
        )
    return tests[0], tests[1]


def _expected_under(odds_ratio: float, r1: float, c1: float, n: float) -> float:
    """The first cell for which a table with these margins has the odds ratio."""
    if odds_ratio == 1.0:
        return r1 * c1 / n
    # (1 - w) x² + (n - r1 - c1 + w (r1 + c1)) x - w r1 c1 = 0, by the root that does not cancel
    q = 1 - odds_ratio
    linear = n - r1 - c1 + odds_ratio * (r1 + c1)
    constant = -odds_ratio * r1 * c1
    root = math.sqrt(max(0.0, linear * linear - 4 * q * constant))
    return -2 * constant / (linear + root)


def general_association(strata: Array) -> tuple[float, int]:
    """Generalised Cochran-Mantel-Haenszel statistic of K tables r x c (nominal by nominal), and its df."""
    _, r, c = strata.shape
    size = (r - 1) * (c - 1)
    gap, spread = np.zeros(size), np.zeros((size, size))
    for table in strata:
        n = table.sum()
        rows, columns = table.sum(axis=1), table.sum(axis=0)
        gap += (table - np.outer(rows, columns) / n)[:-1, :-1].ravel()
        row_part = (np.diag(rows) - np.outer(rows, rows) / n)[:-1, :-1]
        column_part = (np.diag(columns) - np.outer(columns, columns) / n)[:-1, :-1]
        spread += np.kron(row_part, column_part) / (n - 1)
    if np.linalg.matrix_rank(spread) < size:
        raise NotDefined(
            "The generalised Cochran–Mantel–Haenszel test is undefined: a row or column is empty in every stratum.",
            hint="Leave the empty category out.",
            where="tables",
            code="zero_margin",
        )
    return float(gap @ np.linalg.solve(spread, gap)), size


def common_odds(
    kept: Array,
    labels: list[str],
    groups: dict[str, Description],
    n: int,
    alpha: float,
    warnings: tuple[str, ...],
    odds_of: str = "",
) -> SignificanceTest:
    plain, corrected = mantel_haenszel_tests(kept, alpha)
    pooled = mantel_haenszel_odds(kept)
    also: dict[str, Any] = {"continuity_corrected": corrected}
    also |= _homogeneity(kept, pooled, alpha)
    effect = _pooled_effect(pooled, 1 - alpha)
    return SignificanceTest(
        method=plain.method,
        statistic_name="χ²",
        statistic=plain.statistic,
        df=1,
        p_value=plain.p_value,
        alpha=alpha,
        null_value=1.0,
        estimate_name="common odds ratio (Mantel–Haenszel)",
        estimate=effect.estimate,
        conf_low=effect.conf_low,
        conf_high=effect.conf_high,
        conf_level=1 - alpha,
        conf_method=effect.conf_method,
        undefined=effect.undefined,
        effect_size=effect,
        n=n,
        groups=groups,
        details={"strata": {name: _stratum(t, 1 - alpha) for name, t in zip(labels, kept, strict=True)}}
        | (
            {}
            if pooled is None or pooled.log_error is None
            else {"log_odds_ratio_std_error": pooled.log_error}
        ),
        also=also,
        warnings=warnings,
        conventions=(
            "the test without continuity correction leads; the corrected one (never past zero) beside it",
            "standard error of the log odds ratio by Robins, Breslow and Greenland",
            *((odds_of,) if odds_of else ()),
        ),
    )


def _pooled_effect(pooled: Pooled | None, level: float) -> EffectSize:
    name = "common odds ratio (Mantel–Haenszel)"
    if pooled is None:
        reason = "infinite or 0/0: no discordant products b·c in any stratum"
        return EffectSize(name=name, undefined=dict.fromkeys(("estimate", "conf_low", "conf_high"), reason))
    if pooled.log_error is None:
        reason = "the odds ratio is 0, so its logarithm does not exist"
        return EffectSize(name=name, estimate=0.0, undefined=dict.fromkeys(("conf_low", "conf_high"), reason))
    reach = norm_isf((1 - level) / 2) * pooled.log_error
    return EffectSize(
        name=name,
        estimate=pooled.odds_ratio,
        conf_low=pooled.odds_ratio * math.exp(-reach),
        conf_high=pooled.odds_ratio * math.exp(reach),
        conf_level=level,
        conf_method="Robins–Breslow–Greenland (log odds ratio)",
    )


def _homogeneity(kept: Array, pooled: Pooled | None, alpha: float) -> dict[str, SignificanceTest]:
    reason = ""
    if len(kept) < 2:
        reason = "a single stratum has nothing to differ from"
    elif pooled is None or pooled.odds_ratio == 0.0:
        reason = "the common odds ratio is 0 or infinite"
    if reason or pooled is None:
        undefined = SignificanceTest(
            method="Breslow–Day test of equal odds ratios",
            statistic_name="χ²",
            alpha=alpha,
            undefined=dict.fromkeys(("statistic", "p_value"), reason),
        )
        return {"breslow_day": undefined, "breslow_day_tarone": undefined}
    plain, tarone = breslow_day(kept, pooled.odds_ratio, alpha)
    return {"breslow_day": plain, "breslow_day_tarone": tarone}


def _stratum(table: Array, level: float) -> EffectSize:
    """The odds ratio of one table with Woolf's interval, which needs counts in all four cells."""
    (a, b), (c, d) = table
    ends = ("conf_low", "conf_high")
    if b * c == 0:
        reason = "0/0" if a * d == 0 else "infinite: a zero cell in the denominator"
        return EffectSize(name="odds ratio", undefined=dict.fromkeys(("estimate", *ends), reason))
    ratio = float(a * d / (b * c))
    if ratio == 0:
        reason = "the odds ratio is 0, so its logarithm does not exist"
        return EffectSize(name="odds ratio", estimate=0.0, undefined=dict.fromkeys(ends, reason))
    reach = norm_isf((1 - level) / 2) * math.sqrt(math.fsum((1 / a, 1 / b, 1 / c, 1 / d)))
    return EffectSize(
        name="odds ratio",
        estimate=ratio,
        conf_low=ratio * math.exp(-reach),
        conf_high=ratio * math.exp(reach),
        conf_level=level,
        conf_method="Woolf (log odds ratio)",
    )
