"""Fisher's exact test as it stands in a result: 2 x 2 with its odds ratio, larger tables exact or simulated."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from statistikles.results import SignificanceTest
from statistikles.stats._discrete import fisher_exact_p
from statistikles.stats._fisher import conditional_odds, exact_table_p, simulated_table_p
from statistikles.stats._tables import CountTable

__all__ = ["fisher_report"]

# A 2 x 2 margin above this is not listed outcome by outcome.
_LARGEST_MARGIN = 1_000_000


def fisher_report(
    table: CountTable, alpha: float, n_reps: int, seed: int
) -> tuple[SignificanceTest, int | None]:
    """The test, and the seed when it had to be simulated."""
    counts = table.counts.astype(np.int64)
    if counts.shape == (2, 2):
        return _two_by_two(counts, alpha), None
    p = exact_table_p(counts)
    if p is not None:
        test = SignificanceTest(
            method="Fisher's exact test (Freeman–Halton), exact: all tables with these margins",
            statistic_name="probability",
            p_value=p,
            alpha=alpha,
        )
        return test, None
    simulated = simulated_table_p(counts, n_reps, seed)
    if simulated is None:
        reason = f"too many tables to list, and too large to simulate {n_reps} times"
        return _refused("Fisher's exact test (Freeman–Halton)", reason, alpha), None
    p, error = simulated
    test = SignificanceTest(
        method=f"Fisher's exact test (Freeman–Halton), Monte Carlo with {n_reps} tables, p = (b + 1)/(m + 1)",
        statistic_name="probability",
        p_value=p,
        alpha=alpha,
        seed=seed,
        details={"p_std_error": error, "n_reps": n_reps},
        warnings=(
            "Too many tables to list them all; the p value is simulated, with its standard error beside.",
        ),
    )
    return test, seed


def _refused(method: str, reason: str, alpha: float) -> SignificanceTest:
    return SignificanceTest(
        method=method, statistic_name="probability", alpha=alpha, undefined={"p_value": reason}
    )


def _two_by_two(counts: NDArray[np.int64], alpha: float) -> SignificanceTest:
    (a, b), (c, d) = ((int(v) for v in row) for row in counts)
    method = "Fisher's exact test (two-sided: tables no more probable, relative tolerance 1e-7)"
    if min(a + b, c + d, a + c, b + d) > _LARGEST_MARGIN:
        return _refused(method, "the counts are too large to list; chi-squared is then exact enough", alpha)
    odds = conditional_odds(a, b, c, d, 1 - alpha)
    values: dict[str, float | None] = {"estimate": None, "conf_low": None, "conf_high": None}
    undefined = dict.fromkeys(values, "the margins are too large for the conditional odds ratio")
    if odds is not None:
        values = {"estimate": odds.estimate, "conf_low": odds.low, "conf_high": odds.high}
        undefined = {}
        for key, value in values.items():
            if value is not None and not math.isfinite(value):
                values[key] = None
                undefined[key] = "infinite: the table is at the edge of what its margins allow"
    return SignificanceTest(
        method=method,
        statistic_name="probability",
        p_value=fisher_exact_p(a, b, c, d),
        alternative="two-sided",
        alpha=alpha,
        estimate_name="odds ratio (conditional maximum likelihood)",
        estimate=values["estimate"],
        conf_low=values["conf_low"],
        conf_high=values["conf_high"],
        conf_level=1 - alpha,
        conf_method="exact, conditional on the margins, equal tails",
        undefined=undefined,
        details={
            "p_value_greater": fisher_exact_p(a, b, c, d, "greater"),
            "p_value_less": fisher_exact_p(a, b, c, d, "less"),
        },
    )
