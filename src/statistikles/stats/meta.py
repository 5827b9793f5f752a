"""Meta-analysis of effect sizes with known variances: fixed and random effects, heterogeneity, prediction."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError
from statistikles.registry.arguments import Alpha, Choice, FloatArray, NameList, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import SignificanceTest
from statistikles.stats._distributions import chi2_isf, chi2_sf, norm_isf, p_normal, p_t, t_isf
from statistikles.stats._numerics import find_root

__all__ = ["fixed_effect_meta", "random_effects_meta"]

Effects = Annotated[FloatArray, Vector(min_n=1)]
Variances = Annotated[FloatArray, Vector(min_n=1)]
Studies = Annotated[tuple[str, ...], NameList()]

_COCHRAN = "Cochran 1954, doi:10.2307/3001666"
_DL = "DerSimonian & Laird 1986, doi:10.1016/0197-2456(86)90046-2"
_HIGGINS = "Higgins & Thompson 2002, doi:10.1002/sim.1186"
_HK = "Hartung & Knapp 2001, doi:10.1002/sim.791"
_PM = "Paule & Mandel 1982, doi:10.6028/jres.087.022"
_VIECHTBAUER = "Viechtbauer 2005, doi:10.3102/10769986030003261"
_PREDICTION = "Higgins, Thompson & Spiegelhalter 2009, doi:10.1111/j.1467-985X.2008.00552.x"
_EXAMPLE = {
    "effect_sizes": [-0.8893, -1.5854, -1.3481, -1.4416, -0.2175, -0.7861],
    "variances": [0.3256, 0.1946, 0.4154, 0.0200, 0.0512, 0.0069],
}

declare_tool(
    "meta_analysis",
    title="Meta-analysis",
    summary="Combines effect sizes of several studies, each with its sampling variance.",
    chooser="model",
    default="random",
)


@statistic(
    tool="meta_analysis",
    subtype="fixed",
    title="Fixed-effect meta-analysis",
    use_when="effect sizes of studies that estimate one common effect",
    utterances=(
        "pool these studies with a fixed effect",
        "inverse variance pooling",
        "common-effect meta-analysis",
    ),
    refs=(_COCHRAN, _HIGGINS),
    formula="θ = Σ wᵢyᵢ/Σ wᵢ, wᵢ = 1/vᵢ; Q = Σ wᵢ(yᵢ − θ)²",
    equivalents={
        "R": 'metafor::rma(yi, vi, method = "FE")',
        "Python": "statsmodels.stats.meta_analysis.combine_effects",
    },
    example=_EXAMPLE,
    aliases=("fixed_effect", "common", "fe"),
    aligned=(("effect_sizes", "variances"),),
    laws=("order_invariant",),
)
def fixed_effect_meta(
    effect_sizes: Effects, variances: Variances, *, study_names: Studies | None = None, alpha: Alpha = 0.05
) -> SignificanceTest:
    """Inverse-variance pooled effect under one common effect, with heterogeneity.

    Parameters
    ----------
    effect_sizes : effect of each study (log odds ratios, mean differences, ...).
    variances : sampling variance of each effect, positive.
    study_names : names of the studies.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : the pooled effect with interval and z test; Q, I² and H² under details.

    Raises
    ------
    InputError : variances that are not positive, or vectors of different length.
    """
    y, v = _studies(effect_sizes, variances)
    weights = 1 / v
    pooled = _pool(y, weights)
    return SignificanceTest(
        method="Fixed-effect meta-analysis (inverse variance)",
        conventions=("weights 1/variance", "z test and interval", "I² and H² from Q"),
        details={
            "heterogeneity": _heterogeneity(y, v, alpha),
            "studies": _rows(y, v, weights, study_names, alpha),
        },
        **_tested(pooled.estimate, pooled.error, alpha, None),
        n=len(y),
    )


@statistic(
    tool="meta_analysis",
    subtype="random",
    title="Random-effects meta-analysis",
    use_when="effect sizes of studies whose true effects may differ",
    utterances=(
        "random effects meta-analysis",
        "pool heterogeneous studies",
        "combine trials",
        "tau squared and I squared",
    ),
    refs=(
        _DL,
        _PM,
        _VIECHTBAUER,
        _HK,
        _HIGGINS,
        "Higgins, Thompson & Spiegelhalter 2009, doi:10.1111/j.1467-985X.2008.00552.x",
    ),
    formula="θ = Σ wᵢyᵢ/Σ wᵢ, wᵢ = 1/(vᵢ + τ²)",
    equivalents={
        "R": 'metafor::rma(yi, vi, method = "REML")  # or "DL", "PM"; test = "knha"',
        "Python": "statsmodels.stats.meta_analysis.combine_effects(yi, vi, method_re='dl')",
    },
    example=_EXAMPLE,
    aliases=("random_effects", "re"),
    aligned=(("effect_sizes", "variances"),),
    laws=("order_invariant",),
)
def random_effects_meta(
    effect_sizes: Effects,
    variances: Variances,
    *,
    tau2_method: Annotated[str, Choice(("reml", "dl", "pm"))] = "reml",
    study_names: Studies | None = None,
    alpha: Alpha = 0.05,
) -> SignificanceTest:
    """Pooled mean of effects that differ between studies; τ² by REML (leads), DerSimonian–Laird and Paule–Mandel.

    Parameters
    ----------
    effect_sizes : effect of each study (log odds ratios, mean differences, ...).
    variances : sampling variance of each effect, positive.
    tau2_method : estimator of the between-study variance that leads.
    study_names : names of the studies.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : the pooled mean with interval and z test; the other estimators and Hartung–Knapp's t test
        under `also`, heterogeneity and the prediction interval under `details`.

    Raises
    ------
    InputError : variances that are not positive, or vectors of different length.
    """
    y, v = _studies(effect_sizes, variances)
    k = len(y)
    single = k == 1
    estimators: dict[str, Callable[[FloatArray, FloatArray], float]] = {
        "reml": _tau2_reml,
        "dl": _tau2_dl,
        "pm": _tau2_pm,
    }
    tau2 = {name: 0.0 if single else f(y, v) for name, f in estimators.items()}
    lead = tau2[tau2_method]
    weights = 1 / (v + lead)
    pooled = _pool(y, weights)
    also: dict[str, Any] = {
        name: SignificanceTest(
            method=f"Random-effects meta-analysis ({_TITLES[name]})",
            details={"tau2": value},
            **_tested(*_pool(y, 1 / (v + value)).pair, alpha, None),
        )
        for name, value in tau2.items()
        if name != tau2_method
    }
    details: dict[str, Any] = {
        "tau2": lead,
        "tau": math.sqrt(lead),
        "heterogeneity": _heterogeneity(y, v, alpha),
    }
    if not single:
        knapp = math.sqrt(math.fsum(weights * (y - pooled.estimate) ** 2) / (k - 1)) * pooled.error
        if knapp > 0:
            also["hartung_knapp"] = SignificanceTest(
                method="Random-effects meta-analysis with the Hartung–Knapp adjustment",
                **_tested(pooled.estimate, knapp, alpha, k - 1),
            )
    if k >= 3:
        reach = t_isf(alpha / 2, k - 2) * math.sqrt(lead + pooled.error**2)
        details |= {"prediction_low": pooled.estimate - reach, "prediction_high": pooled.estimate + reach}
    details["studies"] = _rows(y, v, weights, study_names, alpha)
    return SignificanceTest(
        method=f"Random-effects meta-analysis ({_TITLES[tau2_method]})",
        conventions=(
            f"τ² by {_TITLES[tau2_method]}; the other estimators beside it",
            "z test and interval lead; Hartung–Knapp's t beside",
            "prediction interval with t, k − 2 degrees of freedom",
            "Q, I² and H² use fixed-effect weights",
        ),
        warnings=("One study shows no variation between studies; τ² is taken as 0.",)
        if single
        else ("Fewer than five studies: the between-study variance is poorly known.",)
        if k < 5
        else (),
        details=details,
        also=also,
        **_tested(pooled.estimate, pooled.error, alpha, None),
        n=k,
    )


_TITLES = {"reml": "REML", "dl": "DerSimonian–Laird", "pm": "Paule–Mandel"}


@dataclass(frozen=True)
class _Pooled:
    estimate: float
    error: float

    @property
    def pair(self) -> tuple[float, float]:
        return self.estimate, self.error


def _studies(effects: FloatArray, variances: FloatArray) -> tuple[FloatArray, FloatArray]:
    if (variances <= 0).any():
        place = int(np.flatnonzero(variances <= 0)[0]) + 1
        raise InputError(
            f"Variance {place} is not positive.",
            hint="Give sampling variances (squared standard errors), all above zero.",
            where="variances",
            code="out_of_range",
        )
    return effects, variances


def _pool(y: FloatArray, weights: FloatArray) -> _Pooled:
    scale = float(weights.max())
    relative = weights / scale
    total = math.fsum(relative)
    return _Pooled(math.fsum(relative * y) / total, 1 / math.sqrt(total) / math.sqrt(scale))


def _q(y: FloatArray, weights: FloatArray) -> float:
    return math.fsum(weights * (y - _pool(y, weights).estimate) ** 2)


def _tested(estimate: float, error: float, alpha: float, df: int | None) -> dict[str, Any]:
    value = estimate / error
    reach = (norm_isf(alpha / 2) if df is None else t_isf(alpha / 2, df)) * error
    return {
        "statistic_name": "z" if df is None else "t",
        "statistic": value,
        "df": df,
        "p_value": p_normal(value) if df is None else p_t(value, df),
        "alternative": "two-sided",
        "alpha": alpha,
        "null_value": 0.0,
        "estimate_name": "pooled effect",
        "estimate": estimate,
        "std_error": error,
        "conf_low": estimate - reach,
        "conf_high": estimate + reach,
        "conf_level": 1 - alpha,
    }


def _heterogeneity(y: FloatArray, v: FloatArray, alpha: float) -> dict[str, Any]:
    """Cochran's Q with its p, I² and H², and the Q-profile interval of τ²."""
    k = len(y)
    q = _q(y, 1 / v)
    if k == 1:
        reason = "one study has no heterogeneity"
        undefined = dict.fromkeys(("p_value", "i2_percent"), reason)
        return {"q": 0.0, "df": 0, "p_value": None, "i2_percent": None, "undefined": undefined}
    low, high = (_profile(y, v, chi2_isf(tail, k - 1)) for tail in (alpha / 2, 1 - alpha / 2))
    return {
        "q": q,
        "df": k - 1,
        "p_value": chi2_sf(q, k - 1),
        "i2_percent": 100 * max(0.0, (q - (k - 1)) / q) if q > 0 else 0.0,
        "h2": q / (k - 1),
        "tau2_conf_low": low,
        "tau2_conf_high": high,
    }


def _profile(y: FloatArray, v: FloatArray, target: float) -> float:
    """The τ² at which the generalised Q equals a target, 0 when even τ² = 0 gives less."""
    if _q(y, 1 / v) <= target:
        return 0.0
    high = float(np.ptp(y)) ** 2 + float(v.max())
    while _q(y, 1 / (v + high)) > target:
        high *= 4
    return find_root(lambda t: _q(y, 1 / (v + t)) - target, 0.0, high)


def _tau2_dl(y: FloatArray, v: FloatArray) -> float:
    w = 1 / v
    c = math.fsum(w) - math.fsum(w**2) / math.fsum(w)
    return max(0.0, (_q(y, w) - (len(y) - 1)) / c)


def _tau2_pm(y: FloatArray, v: FloatArray) -> float:
    return _profile(y, v, len(y) - 1)


def _tau2_reml(y: FloatArray, v: FloatArray) -> float:
    """The root of the REML score, at the highest restricted likelihood if there are several; 0 at the edge."""

    def score(t: float) -> float:
        w = 1 / (v + t)
        total = math.fsum(w)
        residual = y - _pool(y, w).estimate
        return math.fsum(w**2 * residual**2) - total + math.fsum(w**2) / total

    def loss(t: float) -> float:
        w = 1 / (v + t)
        return -math.fsum(np.log(w)) + math.log(math.fsum(w)) + _q(y, w)

    top = float(np.ptp(y)) ** 2 + float(v.max())
    grid = np.concatenate(([0.0], np.geomspace(1e-8 * float(v.min()), 10 * top, 120)))
    scores = [score(float(t)) for t in grid]
    candidates = [0.0]
    for i in range(len(grid) - 1):
        if scores[i] > 0 >= scores[i + 1]:
            candidates.append(find_root(score, float(grid[i]), float(grid[i + 1])))
    return min(candidates, key=loss)


def _rows(
    y: FloatArray, v: FloatArray, weights: FloatArray, names: Studies | None, alpha: float
) -> dict[str, Any]:
    labels = names or tuple(f"study{i}" for i in range(1, len(y) + 1))
    if len(labels) != len(y):
        raise InputError(
            f"There are {len(y)} studies but {len(labels)} names.",
            where="study_names",
            code="length_mismatch",
        )
    total = math.fsum(weights)
    z = norm_isf(alpha / 2)
    return {
        name: {
            "estimate": float(a),
            "std_error": math.sqrt(b),
            "conf_low": float(a - z * math.sqrt(b)),
            "conf_high": float(a + z * math.sqrt(b)),
            "weight_percent": 100 * float(w) / total,
        }
        for name, a, b, w in zip(labels, y, v, weights, strict=True)
    }
