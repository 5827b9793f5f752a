"""Survival curves and their comparison: Kaplan–Meier with intervals, and the k-sample log-rank test."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Binary,
    Choice,
    ConfLevel,
    FloatArray,
    Labels,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Description, EffectSize, Measures, Quantity, Role, SignificanceTest
from statistikles.stats._distributions import chi2_sf, norm_isf

__all__ = ["kaplan_meier", "log_rank"]

Times = Annotated[FloatArray, Vector(min_n=1, low=0.0)]

_KAPLAN = "Kaplan & Meier 1958, doi:10.1080/01621459.1958.10501452"
_MANTEL = "Mantel 1966, Cancer Chemotherapy Reports 50:163-170"
_PETO = "Peto & Peto 1972, doi:10.2307/2344317"
# Survival levels closer than this to one half count as equal to it, as products of fractions round.
_HALF = 1e-9

declare_tool(
    "survival_analysis",
    title="Survival analysis",
    summary="Time until an event, with censoring: survival curves, comparison of groups, and proportional hazards.",
    chooser="type",
)


@statistic(
    tool="survival_analysis",
    subtype="kaplan_meier",
    title="Kaplan–Meier estimator",
    use_when="times until an event, some of them censored; the survival curve or median survival is wanted",
    utterances=(
        "survival curve",
        "median survival time",
        "Kaplan-Meier estimate",
        "how long until the event",
    ),
    refs=(
        _KAPLAN,
        "Greenwood 1926, The Natural Duration of Cancer",
        "Brookmeyer & Crowley 1982, doi:10.2307/2530286",
    ),
    formula="S(t) = Π (1 − dᵢ/nᵢ); Greenwood: Var S = S² Σ dᵢ/(nᵢ(nᵢ − dᵢ))",
    equivalents={
        "R": 'survfit(Surv(times, events) ~ 1, conf.type = "log-log")',
        "Python": "lifelines.KaplanMeierFitter().fit(times, events)",
    },
    example={
        "times": [6, 6, 6, 7, 10, 13, 16, 22, 23, 6, 9, 10],
        "events": [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0],
    },
    aliases=("km", "survival_curve"),
    aligned=(("times", "events", "groups"),),
)
def kaplan_meier(
    times: Times,
    events: Binary,
    *,
    groups: Labels | None = None,
    conf_level: ConfLevel = 0.95,
    conf_type: Annotated[str, Choice(("log-log", "log", "plain"))] = "log-log",
    at: Times | None = None,
) -> Measures:
    """Kaplan–Meier survival curve with pointwise intervals and the median, by group if groups are given.

    Parameters
    ----------
    times : time until the event or until censoring, not negative.
    events : 1 where the event happened, 0 where the time is censored.
    groups : group label of each subject.
    conf_level : confidence level of the intervals.
    conf_type : transformation on which the interval is symmetric.
    at : times at which the number at risk and the survival are wanted; the censored times are then listed too.

    Returns
    -------
    Measures : per group the curve (time, n at risk, events, survival, standard error, interval), median survival
        with interval, and the mean restricted to the longest time.

    Raises
    ------
    InputError : negative times, events other than 0 and 1, or vectors of different length.
    """
    labels = np.full(times.shape[0], "all", dtype=object) if groups is None else groups
    curves = {
        name: _curve_report(times[labels == raw], events[labels == raw], conf_level, conf_type)
        | ({} if at is None else _at_times(times[labels == raw], events[labels == raw], at))
        for name, raw in _group_names(labels)
    }
    return Measures(
        method="Kaplan–Meier estimator",
        quantities={
            "groups": curves,
            "n": Quantity(int(times.shape[0]), Role.COUNT),
            "n_events": Quantity(int(events.sum()), Role.COUNT),
            "n_censored": Quantity(int(times.shape[0] - events.sum()), Role.COUNT),
            "conf_level": conf_level,
        },
        conventions=(
            f"pointwise intervals on the {conf_type} scale, Greenwood variance",
            "subjects censored at an event time are at risk at it",
            "median: smallest time with survival at most one half (midpoint where the curve is exactly one half)",
        ),
        warnings=("No event was observed: the curve stays at 1.",) if not events.any() else (),
    )


def _group_names(labels: NDArray[Any]) -> list[tuple[str, Any]]:
    """(name, label) of the groups: numbers in order of size, then text in order."""
    distinct = set(labels.tolist())
    ordered = sorted(distinct, key=lambda v: (isinstance(v, str), v if not isinstance(v, str) else 0, str(v)))
    return [(f"{v:g}" if isinstance(v, float) else str(v), v) for v in ordered]


def risk_table(times: FloatArray, events: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(distinct times, number at risk, events) in order of time."""
    distinct, position = np.unique(times, return_inverse=True)
    at_each = np.bincount(position)
    deaths = np.bincount(position, weights=events)
    at_risk = times.shape[0] - np.concatenate(([0], np.cumsum(at_each)[:-1]))
    return distinct, at_risk.astype(np.float64), deaths.astype(np.float64)


def _curve_report(times: FloatArray, events: FloatArray, level: float, scale: str) -> dict[str, Any]:
    distinct, at_risk, deaths = risk_table(times, events)
    keep = deaths > 0
    t, n, d = distinct[keep], at_risk[keep], deaths[keep]
    survival: FloatArray = np.cumprod((n - d) / n).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        greenwood = np.cumsum(d / (n * (n - d)))
    alive = survival > 0
    error = np.where(alive, survival * np.sqrt(np.where(alive, greenwood, 0.0)), 0.0)
    low, high = _bands(survival, np.sqrt(np.where(alive, greenwood, 0.0)), level, scale)
    curve: list[dict[str, Any]] = []
    for i in range(len(t)):
        row: dict[str, Any] = {"time": float(t[i]), "n_at_risk": int(n[i]), "n_events": int(d[i])}
        row |= {"survival": float(survival[i])}
        if alive[i]:
            row |= {"std_error": float(error[i]), "conf_low": float(low[i]), "conf_high": float(high[i])}
        else:
            reason = "the curve has reached zero"
            row |= {"std_error": None, "conf_low": None, "conf_high": None}
            row["undefined"] = dict.fromkeys(("std_error", "conf_low", "conf_high"), reason)
        curve.append(row)
    longest = float(distinct[-1])
    steps = np.concatenate(([0.0], t, [longest]))
    heights = np.concatenate(([1.0], survival))
    return {
        "n": int(times.shape[0]),
        "n_events": int(events.sum()),
        **_median(t, survival, np.where(alive, low, 0.0), np.where(alive, high, np.nan)),
        "restricted_mean": float(np.sum(np.diff(steps) * heights)),
        "longest_time": longest,
        "curve": curve,
    }


def _at_times(times: FloatArray, events: FloatArray, at: FloatArray) -> dict[str, Any]:
    """At each time wanted: how many are still at risk and how many events came until then; and who was censored when."""
    distinct, at_risk, deaths = risk_table(times, events)
    survival = np.concatenate(([1.0], np.cumprod((at_risk - deaths) / at_risk)))
    until = np.concatenate(([0.0], np.cumsum(deaths)))
    left = np.concatenate((at_risk, [0.0]))
    rows = []
    for time in at.tolist():
        before, through = (int(np.searchsorted(distinct, time, side=side)) for side in ("left", "right"))
        row: dict[str, Any] = {"time": time, "n_at_risk": int(left[before]), "n_events": int(until[through])}
        rows.append(row | {"survival": float(survival[through])})
    lost = times[events == 0]
    gone, counts = np.unique(lost, return_counts=True)
    places = np.searchsorted(distinct, gone, side="right")
    censored = [
        {"time": t, "n_censored": c, "survival": float(survival[i])}
        for t, c, i in zip(gone.tolist(), counts.tolist(), places.tolist(), strict=True)
    ]
    return {"at": rows, "censored": censored}


def _bands(
    survival: FloatArray, error: FloatArray, level: float, scale: str
) -> tuple[FloatArray, FloatArray]:
    """Pointwise bands; `error` is the standard error of the log survival."""
    z = norm_isf((1 - level) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        if scale == "plain":
            return np.clip(survival * (1 - z * error), 0, 1), np.clip(survival * (1 + z * error), 0, 1)
        log_survival = np.log(survival)
        if scale == "log":
            return np.exp(log_survival - z * error), np.minimum(1.0, np.exp(log_survival + z * error))
        # At survival 1 there is no log-log scale; the band is the point itself.
        theta = np.where(survival < 1, z * error / log_survival, 0.0)
        return survival ** np.exp(-theta), survival ** np.exp(theta)


def _median(t: FloatArray, survival: FloatArray, low: FloatArray, high: FloatArray) -> dict[str, Any]:
    """Median survival and its interval (Brookmeyer–Crowley): where the curve and its bands cross one half."""
    out: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    reasons = {
        "median_survival": "the curve does not fall to one half",
        "conf_low": "the lower band does not fall to one half",
        "conf_high": "the upper band does not fall to one half",
    }
    for name, band in (("median_survival", survival), ("conf_low", low), ("conf_high", high)):
        out[name] = _crossing(t, band)
        if out[name] is None:
            undefined[name] = reasons[name]
    return out | ({"undefined": undefined} if undefined else {})


def _crossing(t: FloatArray, band: FloatArray) -> float | None:
    reached = np.flatnonzero(band <= 0.5 + _HALF)  # a band that is undefined (nan) is not reached
    if not reached.size:
        return None
    first = int(reached[0])
    if abs(band[first] - 0.5) <= _HALF and first + 1 < len(t):
        return float((t[first] + t[first + 1]) / 2)
    return float(t[first])


@statistic(
    tool="survival_analysis",
    subtype="log_rank",
    title="Log-rank test",
    use_when="times until an event in two or more groups, with censoring",
    utterances=("do the survival curves differ", "log-rank test", "compare survival between treatments"),
    refs=(_MANTEL, _PETO),
    formula="χ² = (O − E)′ V⁻ (O − E), df = k − 1, hypergeometric V at each event time",
    equivalents={
        "R": "survdiff(Surv(times, events) ~ groups)",
        "Python": "lifelines.statistics.multivariate_logrank_test(times, groups, events)",
    },
    example={
        "times": [6, 7, 10, 13, 16, 22, 1, 2, 3, 4, 5, 8],
        "events": [1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1],
        "groups": ["drug", "drug", "drug", "drug", "drug", "drug"] + ["placebo"] * 6,
    },
    aliases=("logrank",),
    aligned=(("times", "events", "groups"),),
    laws=("scale_invariant", "order_invariant"),
)
def log_rank(times: Times, events: Binary, groups: Labels, *, alpha: Alpha = 0.05) -> SignificanceTest:
    """k-sample log-rank test; Gehan–Breslow and Peto–Peto weights beside it, and the hazard ratio of two groups.

    Parameters
    ----------
    times : time until the event or until censoring.
    events : 1 where the event happened, 0 where the time is censored.
    groups : group label of each subject.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : χ² with observed and expected events per group; for two groups the hazard ratio, first
        against second group in sorted order.

    Raises
    ------
    InputError : fewer than two groups.
    NotDefined : no events, or none while more than one group is at risk.
    """
    names = _group_names(groups)
    if len(names) < 2:
        raise InputError(
            f"There is only one group ('{names[0][0]}'); at least two are needed.",
            where="groups",
            code="too_few_groups",
        )
    if not events.any():
        raise NotDefined("No event was observed, so the groups cannot be compared.", code="no_events")
    member = np.array([groups == raw for _, raw in names])
    pieces = _compared(times, events, member)
    tests = {key: _weighted_test(*pieces, weight) for key, weight in _weights(pieces).items()}
    statistic_value, observed, expected, variance = tests["log_rank"]
    df = len(names) - 1
    also = {
        key: SignificanceTest(
            method=title,
            statistic_name="χ²",
            statistic=tests[key][0],
            df=float(df),
            p_value=chi2_sf(tests[key][0], df),
            alpha=alpha,
        )
        for key, title in (
            ("gehan_breslow", "Gehan–Breslow (Wilcoxon) test"),
            ("peto_peto", "Peto–Peto test"),
        )
    }
    return SignificanceTest(
        method="Log-rank test" if df == 1 else f"{df + 1}-sample log-rank test",
        statistic_name="χ²",
        statistic=statistic_value,
        df=float(df),
        p_value=chi2_sf(statistic_value, df),
        alternative="two-sided",
        alpha=alpha,
        effect_size=_hazard_ratio(names, observed, expected, variance, 1 - alpha) if df == 1 else None,
        n=int(times.shape[0]),
        groups={name: Description(n=int(m.sum())) for (name, _), m in zip(names, member, strict=True)},
        details={
            name: {"observed_events": float(o), "expected_events": float(e)}
            for (name, _), o, e in zip(names, observed, expected, strict=True)
        },
        also=also,
        conventions=(
            "log-rank weights lead; hypergeometric variance",
            "censored at an event time: at risk at it",
        ),
        warnings=("Fewer than five events expected in a group: the χ² approximation is rough.",)
        if expected.min() < 5
        else (),
    )


Pieces = tuple[FloatArray, FloatArray, FloatArray, FloatArray]


def _compared(times: FloatArray, events: FloatArray, member: NDArray[np.bool_]) -> Pieces:
    """At each event time: (deaths by group, at risk by group, all deaths, all at risk)."""
    event_times = np.unique(times[events == 1])
    at_risk, deaths = [], []
    for m in member:
        own = np.sort(times[m])
        at_risk.append(own.shape[0] - np.searchsorted(own, event_times, side="left"))
        dead = np.sort(times[m & (events == 1)])
        deaths.append(
            np.searchsorted(dead, event_times, side="right") - np.searchsorted(dead, event_times, side="left")
        )
    n_group, d_group = np.array(at_risk, dtype=float), np.array(deaths, dtype=float)
    return d_group, n_group, d_group.sum(axis=0), n_group.sum(axis=0)


def _weights(pieces: Pieces) -> dict[str, FloatArray]:
    _, _, d, n = pieces
    survival = np.cumprod((n - d) / n)
    return {
        "log_rank": np.ones_like(n),
        "gehan_breslow": n,
        "peto_peto": np.concatenate(([1.0], survival[:-1])),  # survival just before each time, as R's rho = 1
    }


def _weighted_test(
    d_group: FloatArray, n_group: FloatArray, d: FloatArray, n: FloatArray, weight: FloatArray
) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    share = n_group / n
    observed = (d_group * weight).sum(axis=1)
    expected = (share * d * weight).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        factor = np.where(n > 1, weight**2 * d * (n - d) / (n - 1), 0.0)
    variance = np.diag((share * factor).sum(axis=1)) - (share * factor) @ share.T
    gap = (observed - expected)[:-1]
    inner = variance[:-1, :-1]
    scale = float(np.trace(variance))
    if scale <= 0 or np.linalg.matrix_rank(inner, tol=1e-12 * scale) < len(gap):
        raise NotDefined(
            "The groups are never at risk together when an event happens, so they cannot be compared.",
            hint="Leave out groups without overlap in time.",
            code="no_overlap",
        )
    value = float(gap @ np.linalg.solve(inner, gap))
    return max(0.0, value), observed, expected, variance


def _hazard_ratio(
    names: list[tuple[str, Any]],
    observed: FloatArray,
    expected: FloatArray,
    variance: FloatArray,
    level: float,
) -> EffectSize:
    """Peto's one-step hazard ratio exp((O − E)/V), first group against the second."""
    v = float(variance[0, 0])
    log_ratio = float(observed[0] - expected[0]) / v
    reach = norm_isf((1 - level) / 2) / math.sqrt(v)
    return EffectSize(
        name=f"hazard ratio ({names[0][0]} / {names[1][0]})",
        estimate=math.exp(log_ratio),
        conf_low=math.exp(log_ratio - reach),
        conf_high=math.exp(log_ratio + reach),
        conf_level=level,
        conf_method="Peto one-step",
    )
