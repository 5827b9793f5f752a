"""Levene's test on deviations from the median, over the groups or cells of an analysis of variance."""

from __future__ import annotations

from collections.abc import Mapping

from statistikles.results import SignificanceTest
from statistikles.stats._distributions import f_sf
from statistikles.stats._numerics import Vector
from statistikles.stats._one_way import absolute_deviations, partition

__all__ = ["levene_of_medians"]


def levene_of_medians(groups: Mapping[str, Vector], alpha: float, *, over: str = "") -> SignificanceTest:
    """Brown and Forsythe's form of the test; `over` names what the groups are, when they are not plain groups."""
    method = f"Levene's test of equal variances{' over the ' + over if over else ''} (centre: median)"
    parts = partition(absolute_deviations(groups))
    k, n = len(parts.sizes), parts.n
    if n == k or parts.ss_within == 0:
        reason = f"the deviations from the median do not vary within the {over or 'groups'}"
        return SignificanceTest(
            method=method,
            statistic_name="F",
            alpha=alpha,
            undefined=dict.fromkeys(("statistic", "df", "df_error", "p_value"), reason),
        )
    f = float((parts.ss_between / (k - 1)) / (parts.ss_within / (n - k)))
    return SignificanceTest(
        method=method,
        statistic_name="F",
        statistic=f,
        df=k - 1,
        df_error=n - k,
        p_value=f_sf(f, k - 1, n - k),
        alpha=alpha,
    )
