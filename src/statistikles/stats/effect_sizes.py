"""Conversion between effect sizes of two groups: Cohen's d, Hedges' g, r, η², odds ratio, overlap measures."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from statistikles.errors import InputError
from statistikles.registry.arguments import ConfLevel, Real, ScalarNumber
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, Measures
from statistikles.stats._distributions import norm_cdf, norm_isf, norm_ppf, norm_sf
from statistikles.stats._magnitude import COHENS_D, COHENS_F, CORRELATION, ETA_SQUARED, magnitude
from statistikles.stats._noncentral import nc_f_noncentrality, nc_t_noncentrality
from statistikles.stats._one_way import hedges_factor

__all__ = ["convert_effect_size"]

declare_tool(
    "effect_size_calculator",
    title="Effect sizes and their conversion",
    summary="Converts one effect size of two groups into all others, with intervals when the group sizes are known.",
)

# A correlation closer to 1 than this has no usable d in double precision.
_LARGEST_R = 1 - 1e-12

Correlation = Annotated[float, ScalarNumber(low=-_LARGEST_R, high=_LARGEST_R)]
EtaSquared = Annotated[float, ScalarNumber(low=0.0, high=1.0, open_high=True)]
OddsRatio = Annotated[float, ScalarNumber(low=0.0, open_low=True)]
GroupSize = Annotated[int, ScalarNumber(low=2.0, high=1e12, whole=True)]
Rate = Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True, open_high=True)]

_COHEN = "Cohen 1988, Statistical Power Analysis for the Behavioral Sciences"
_LOGISTIC = math.sqrt(3) / math.pi  # Hasselblad and Hedges: d = ln(OR) * sqrt(3)/pi
_COX = 1.65
_CHEN_RATE = 0.01
# Beyond this |t| the noncentral t is not inverted: the interval would say nothing.
_LARGEST_T = 1e4
_NO_SIZES = "the group sizes n1 and n2 were not given"


@dataclass(frozen=True)
class _D:
    """Cohen's d with its interval, None where unknown, and why."""

    value: float
    low: float | None
    high: float | None
    method: str
    reason: str


@statistic(
    tool="effect_size_calculator",
    title="Effect size conversion",
    use_when="one effect size of a comparison of two groups is known and another one is wanted",
    utterances=(
        "convert Cohen's d to r",
        "what odds ratio corresponds to this d",
        "turn eta squared into Cohen's d",
        "is d = 0.4 a large effect",
        "Hedges' g from Cohen's d",
        "number needed to treat from an effect size",
    ),
    refs=(
        _COHEN,
        "Borenstein et al. 2009, Introduction to Meta-Analysis, chapter 7, doi:10.1002/9780470743386",
        "Hasselblad & Hedges 1995, doi:10.1037/0033-2909.117.1.167",
        "Chen, Cohen & Chen 2010, doi:10.1080/03610911003650383",
        "McGraw & Wong 1992, doi:10.1037/0033-2909.111.2.361",
        "Furukawa & Leucht 2011, doi:10.1371/journal.pone.0019070",
    ),
    formula="r = d/√(d² + a), a = (n1 + n2)²/(n1 n2) or 4; g = J d; ln OR = d π/√3; CL = Φ(d/√2); η² = r²",
    equivalents={
        "R": "effectsize::d_to_r(d, n1, n2); effectsize::d_to_oddsratio(d)",
        "Python": "pingouin.convert_effsize(d, 'cohen', 'pointbiserialr', nx=n1, ny=n2)",
    },
    example={"cohens_d": 0.5, "n1": 40, "n2": 25},
)
def convert_effect_size(
    *,
    cohens_d: Real | None = None,
    r: Correlation | None = None,
    eta_squared: EtaSquared | None = None,
    odds_ratio: OddsRatio | None = None,
    n1: GroupSize | None = None,
    n2: GroupSize | None = None,
    control_event_rate: Rate | None = None,
    conf_level: ConfLevel = 0.95,
) -> Measures:
    """Convert one effect size of two groups into the others; intervals when the group sizes are known.

    Parameters
    ----------
    cohens_d : standardised mean difference, first group minus second.
    r : point-biserial correlation of group (first = 1) and outcome.
    eta_squared : share of variance explained by two groups.
    odds_ratio : odds of the event in the first group over those in the second (the control group).
    n1 : size of the first group.
    n2 : size of the second group.
    control_event_rate : share of the second (control) group with the event; needed for the number needed to treat.
    conf_level : confidence of the intervals.

    Returns
    -------
    Measures : Cohen's d, Hedges' g, r, η², Cohen's f, odds ratio, common language and overlap measures, number
        needed to treat, each with its interval or the reason why there is none.

    Raises
    ------
    InputError : none or several effect sizes, only one group size, or a value outside its range.
    """
    given = {
        name: value
        for name, value in (
            ("cohens_d", cohens_d),
            ("r", r),
            ("eta_squared", eta_squared),
            ("odds_ratio", odds_ratio),
        )
        if value is not None
    }
    if len(given) != 1:
        raise InputError(
            f"Give exactly one of cohens_d, r, eta_squared, odds_ratio; given: {', '.join(given) or 'none'}.",
            hint="The others are computed from it.",
            where="cohens_d",
            code="missing_argument" if not given else "invalid_argument",
        )
    if (n1 is None) != (n2 is None):
        raise InputError(
            "Give both group sizes or neither.", where="n2" if n2 is None else "n1", code="missing_argument"
        )
    ((source, value),) = given.items()
    sizes = None if n1 is None or n2 is None else (n1, n2)
    d = _as_d(source, value, sizes, control_event_rate, conf_level)
    a = 4.0 if sizes is None else (sizes[0] + sizes[1]) ** 2 / (sizes[0] * sizes[1])
    rate = _CHEN_RATE if control_event_rate is None else control_event_rate
    quantities = _quantities(d, a, sizes, conf_level)
    quantities |= _odds(d, source, value, control_event_rate, conf_level)
    warnings = []
    if source == "eta_squared":
        warnings.append("η² has no sign: d and r are reported as positive.")
    return Measures(
        method=f"Effect size conversion from {_NAMES[source]}",
        quantities={"source": source, "a": a, **quantities},
        conventions=(
            "two groups, first minus second"
            + ("" if sizes else "; equal group sizes assumed (a = 4), as n1 and n2 were not given"),
            "odds ratio and d by the logistic distribution (Hasselblad & Hedges); Cox's factor 1.65 beside it",
            f"labels of d, r and η²: {_COHEN}",
            f"labels of the odds ratio: Chen, Cohen & Chen 2010, for a control event rate of {rate:g}",
            "r is Borenstein's conversion; r_sample is the point-biserial correlation in samples of these sizes",
            "the number needed to treat takes the event as desirable; a negative one is a number needed to harm",
        ),
        warnings=tuple(warnings),
    )


_NAMES = {"cohens_d": "Cohen's d", "r": "r", "eta_squared": "η²", "odds_ratio": "an odds ratio"}


# From what is given to d ---------------------------------------------------------------------------------


def _as_d(source: str, value: float, sizes: tuple[int, int] | None, rate: float | None, level: float) -> _D:
    """Cohen's d of the effect given, with the interval that suits its source."""
    a = 4.0 if sizes is None else (sizes[0] + sizes[1]) ** 2 / (sizes[0] * sizes[1])

    def from_r(r: float) -> float:
        return math.sqrt(a) * r / math.sqrt((1 - r) * (1 + r))

    if source == "cohens_d":
        low, high, reason = _noncentral_t(value, sizes, level)
        return _D(value, low, high, "noncentral t", reason)
    if source == "r":
        if sizes is None or sum(sizes) < 4:
            return _D(
                from_r(value), None, None, "", _NO_SIZES if sizes is None else "Fisher's z needs n above 3"
            )
        reach = norm_isf((1 - level) / 2) / math.sqrt(sum(sizes) - 3)
        z = math.atanh(value)
        ends = (math.tanh(z - reach), math.tanh(z + reach))
        if max(abs(e) for e in ends) > _LARGEST_R:
            return _D(from_r(value), None, None, "", "a bound of r is 1 in double precision")
        return _D(from_r(value), from_r(ends[0]), from_r(ends[1]), "Fisher z of r", "")
    if source == "eta_squared":
        d = from_r(math.sqrt(value))
        if sizes is None:
            return _D(d, None, None, "", _NO_SIZES)
        f = value / (1 - value) * (sum(sizes) - 2)
        if f > _LARGEST_T**2:
            return _D(d, None, None, "", "the effect is too large for the noncentral F")
        step = math.sqrt(1 / sizes[0] + 1 / sizes[1])
        tail = (1 - level) / 2
        low, high = (math.sqrt(nc_f_noncentrality(f, 1, sum(sizes) - 2, q)) * step for q in (1 - tail, tail))
        return _D(d, min(low, d), max(high, d), "noncentral F", "")
    log_odds = math.log(value)
    d = log_odds * _LOGISTIC
    if sizes is None or rate is None:
        return _D(d, None, None, "", "an odds ratio needs n1, n2 and control_event_rate for its interval")
    treated = _event_rate(value, rate)
    information = [sizes[0] * treated * (1 - treated), sizes[1] * rate * (1 - rate)]
    if min(information) < 1e-12:
        return _D(d, None, None, "", "no events (or only events) are expected in a group of this size")
    reach = norm_isf((1 - level) / 2) * math.sqrt(sum(1 / i for i in information)) * _LOGISTIC
    return _D(d, d - reach, d + reach, "Woolf's standard error from the expected counts", "")


def _noncentral_t(
    d: float, sizes: tuple[int, int] | None, level: float
) -> tuple[float | None, float | None, str]:
    if sizes is None:
        return None, None, _NO_SIZES
    step = math.sqrt(1 / sizes[0] + 1 / sizes[1])
    t = d / step
    if abs(t) > _LARGEST_T:
        return None, None, "the effect is too large for the noncentral t"
    df, tail = sum(sizes) - 2, (1 - level) / 2
    return nc_t_noncentrality(t, df, 1 - tail) * step, nc_t_noncentrality(t, df, tail) * step, ""


def _event_rate(odds_ratio: float, rate: float) -> float:
    """Event rate of the first group, from that of the second and their odds ratio."""
    odds = odds_ratio * (rate / (1 - rate))
    return odds / (1 + odds) if odds < 1e300 else 1.0


# From d to everything else -------------------------------------------------------------------------------


def _through(
    name: str,
    d: _D,
    change: Callable[[float], float],
    level: float,
    label: Callable[[float], str] | None = None,
) -> EffectSize:
    """A measure that grows with d: its interval is that of d, changed likewise."""

    def safe(value: float | None) -> float | None:
        if value is None:
            return None
        try:
            out = change(value)
        except OverflowError:
            return None
        return out if math.isfinite(out) else None

    estimate, low, high = safe(d.value), safe(d.low), safe(d.high)
    undefined = {}
    if estimate is None:
        undefined["estimate"] = "it does not fit a double-precision number"
    if low is None:
        undefined["conf_low"] = d.reason or "it does not fit a double-precision number"
    if high is None:
        undefined["conf_high"] = d.reason or "it does not fit a double-precision number"
    return EffectSize(
        name=name,
        estimate=estimate,
        conf_low=low,
        conf_high=high,
        conf_level=None if low is None and high is None else level,
        conf_method=d.method or None,
        magnitude=label(estimate) if label is not None and estimate is not None else None,
        undefined=undefined,
    )


def _label(cuts: tuple[float, float, float]) -> Callable[[float], str]:
    return lambda value: magnitude(value, cuts)


def _quantities(d: _D, a: float, sizes: tuple[int, int] | None, level: float) -> dict[str, object]:
    def to_r(value: float) -> float:
        return value / math.hypot(value, math.sqrt(a))

    def to_eta(value: float) -> float:
        return to_r(value) ** 2

    out: dict[str, object] = {
        "cohens_d": _through("Cohen's d", d, lambda v: v, level, _label(COHENS_D)),
    }
    if sizes is None or sum(sizes) < 4:
        out["hedges_g"] = EffectSize(
            name="Hedges' g",
            undefined={"estimate": _NO_SIZES if sizes is None else "it needs at least 4 subjects"},
        )
    else:
        j = hedges_factor(sum(sizes) - 2)
        out["hedges_g"] = _through("Hedges' g", d, lambda v: j * v, level, _label(COHENS_D))
    out["r"] = _through("r", d, to_r, level, _label(CORRELATION))
    if sizes is None:
        out["r_sample"] = EffectSize(name="r in samples of these sizes", undefined={"estimate": _NO_SIZES})
    else:
        exact = (sum(sizes) - 2) * (1 / sizes[0] + 1 / sizes[1])
        out["r_sample"] = _through(
            "r in samples of these sizes", d, lambda v: v / math.hypot(v, math.sqrt(exact)), level
        )
    unsigned = _unsigned(d)
    out["eta_squared"] = _through("η²", unsigned, to_eta, level, _label(ETA_SQUARED))
    out["cohens_f"] = _through("Cohen's f", unsigned, lambda v: v / math.sqrt(a), level, _label(COHENS_F))
    out["common_language"] = _through(
        "common language effect size", d, lambda v: norm_cdf(v / math.sqrt(2)), level
    )
    out["cohens_u3"] = _through("Cohen's U3", d, norm_cdf, level)
    # The overlap falls as |d| grows: its ends change places.
    overlap = _D(unsigned.value, unsigned.high, unsigned.low, unsigned.method, unsigned.reason)
    out["overlap"] = _through(
        "overlap of the two distributions", overlap, lambda v: 2 * norm_sf(v / 2), level
    )
    return out


def _unsigned(d: _D) -> _D:
    """|d| with the interval it takes when d ranges over its own."""
    if d.low is None or d.high is None:
        return _D(abs(d.value), None, None, d.method, d.reason)
    low = 0.0 if d.low <= 0 <= d.high else min(abs(d.low), abs(d.high))
    return _D(abs(d.value), low, max(abs(d.low), abs(d.high)), d.method, d.reason)


def _odds(d: _D, source: str, value: float, rate: float | None, level: float) -> dict[str, object]:
    """Odds ratios and the number needed to treat."""
    cuts = [_shifted_odds(size, _CHEN_RATE if rate is None else rate) for size in (0.2, 0.5, 0.8)]
    small, medium, large = (math.log(c) for c in cuts)
    label = _label((small, medium, large))
    given = source == "odds_ratio"
    odds = _through("odds ratio", d, _odds_of, level, lambda v: label(math.log(v)))
    cox_d = math.log(value) / _COX if given else d.value
    cox_odds = value if given else (math.exp(_COX * d.value) if _COX * d.value < 700 else None)
    cox: dict[str, object] = {"cohens_d": cox_d, "odds_ratio": cox_odds}
    if cox_odds is None:
        cox["undefined"] = {"odds_ratio": "it does not fit a double-precision number"}
    return {
        "odds_ratio": odds,
        "log_odds_ratio": _through("log odds ratio", d, lambda v: v / _LOGISTIC, level),
        "odds_ratio_cutoffs": dict(zip(("small", "medium", "large"), cuts, strict=True)),
        "cox": cox,
        "number_needed_to_treat": _needed_to_treat(d, value if given else None, rate, level),
    }


def _odds_of(d: float) -> float:
    """The odds ratio of d by the logistic distribution; refuses one below the smallest double as well."""
    odds = math.exp(d / _LOGISTIC)
    if odds == 0.0:
        raise OverflowError
    return odds


def _shifted_odds(d: float, rate: float) -> float:
    """Odds ratio of a normal outcome shifted by d when the event rate is `rate` without the shift (Chen 2010)."""
    cut = norm_ppf(rate) + d
    return norm_cdf(cut) / norm_sf(cut) * (1 - rate) / rate


def _needed_to_treat(d: _D, odds_ratio: float | None, rate: float | None, level: float) -> EffectSize:
    """1 / (event rate treated - event rate control): from the odds ratio itself, or by Furukawa and Leucht."""
    name = "number needed to treat"
    if rate is None:
        return EffectSize(name=name, undefined={"estimate": "it needs control_event_rate"})
    control = rate

    def gain(value: float) -> float:
        if odds_ratio is not None:
            return _event_rate(math.exp(min(700.0, value / _LOGISTIC)), control) - control
        return norm_cdf(value + norm_ppf(control)) - control

    if d.value == 0.0 or abs(gain(d.value)) <= max(1e-10 * control, 1e-300):  # nothing beyond rounding
        return EffectSize(name=name, undefined={"estimate": "without an effect it is infinite"})
    if d.low is None or d.high is None or not gain(d.low) * gain(d.high) > 1e-300:
        reason = d.reason or "the interval of the effect includes zero, where the number is infinite"
        return EffectSize(
            name=name, estimate=1 / gain(d.value), undefined={"conf_low": reason, "conf_high": reason}
        )
    ends = sorted(1 / gain(v) for v in (d.low, d.high))
    return EffectSize(
        name=name,
        estimate=1 / gain(d.value),
        conf_low=ends[0],
        conf_high=ends[1],
        conf_level=level,
        conf_method=d.method,
    )
