"""Regression discontinuity: the jump of an outcome at a threshold of a running variable."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined, StatistiklesError
from statistikles.registry.arguments import Alpha, FloatArray, Positive, Real, Switch, Vector
from statistikles.registry.declare import statistic
from statistikles.results import Description, EffectSize, SignificanceTest, Term
from statistikles.stats._discrete import binom_test_p
from statistikles.stats._graph_models import jump_numbers
from statistikles.stats._moment_matrix import Unit
from statistikles.stats._one_way import describe_group
from statistikles.stats._sandwich import least_squares, robust_term

__all__ = ["regression_discontinuity"]

_PILOT = (
    1.84  # constants of Imbens and Kalyanaraman (2012): pilot, curvature, triangular kernel, regularisation
)
_CURVATURE = 3.56
_TRIANGULAR = 3.4375
_REGULAR = 2160.0
Values = Annotated[FloatArray, Vector(min_n=8)]
Mask = NDArray[np.bool_]


@statistic(
    tool="causal_inference",
    subtype="rdd",
    title="Regression discontinuity",
    use_when="treatment starts where a running variable reaches a threshold",
    utterances=(
        "regression discontinuity at the cutoff",
        "jump of the outcome at the threshold",
        "effect of passing the cutoff score",
        "discontinuity design",
    ),
    refs=(
        "Imbens & Kalyanaraman 2012, doi:10.1093/restud/rdr043",
        "Hahn, Todd & Van der Klaauw 2001, Identification and estimation of treatment effects",
    ),
    laws=("scale_invariant", "order_invariant"),
    formula="min Σ K((x − c)/h)·(y − a − τD − b(x − c) − gD(x − c))², D = 1 where x ≥ c, K triangular",
    equivalents={
        "R": "rdd::RDestimate(y ~ x, cutpoint = threshold)",
        "Python": "rdrobust.rdrobust(y, x, c=threshold)",
    },
    example={
        "y": [2.1, 2.4, 2.2, 2.9, 2.8, 3.1, 3.3, 3.2, 5.1, 5.0, 5.6, 5.4, 5.9, 6.1, 6.0, 6.4],
        "x": [42.0, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57],
        "threshold": 50.0,
    },
    aliases=("regression_discontinuity", "rd"),
    aligned=(("y", "x"),),
)
def regression_discontinuity(
    y: Values,
    x: Values,
    threshold: Real = 0.0,
    *,
    bandwidth: Positive | None = None,
    alpha: Alpha = 0.05,
    graph: Switch = False,
) -> SignificanceTest:
    """Sharp regression discontinuity: local linear fit with a triangular kernel leads, two global lines beside.

    Parameters
    ----------
    y : the outcome.
    x : the running variable.
    threshold : value of x from which on treatment is given (x >= threshold is treated).
    bandwidth : how far from the threshold rows are used; default: Imbens and Kalyanaraman's choice.
    alpha : significance level; the interval has confidence 1 - alpha.
    graph : list what a picture of the jump needs: means of bins and the two local lines with their bands.

    Returns
    -------
    SignificanceTest : the estimate is the jump at the threshold; other bandwidths and the global lines under `also`.

    Raises
    ------
    InputError : too few different values of x on a side of the threshold.
    NotDefined : the local lines cannot be fitted.
    """
    treated = _treated(x, threshold)
    run, out = Unit.of(x, centre=threshold), Unit.of(y)
    if float(y.min()) == float(y.max()):
        raise NotDefined("The outcome does not vary.", where="y", code="zero_variance")
    u, v = run.standard, out.standard
    pilot, why = (math.ldexp(bandwidth, -run.exponent), "") if bandwidth else _ik(u, v, treated)
    h = _usable(u, treated, pilot)
    scale = math.ldexp(1.0, out.exponent)
    lead, rows = _jump(u, v, treated, h, alpha, scale)
    method = "user bandwidth" if bandwidth else "Imbens-Kalyanaraman bandwidth"
    groups: dict[str, Description] = {
        "below": describe_group(y[rows & ~treated]),
        "above": describe_group(y[rows & treated]),
    }
    return SignificanceTest(
        method=f"Regression discontinuity, local linear, triangular kernel ({method})",
        statistic_name="t",
        statistic=lead.statistic,
        df=lead.df,
        p_value=lead.p_value,
        alternative="two-sided",
        null_value=0.0,
        alpha=alpha,
        estimate_name="jump at the threshold",
        estimate=lead.estimate,
        std_error=lead.std_error,
        conf_low=lead.conf_low,
        conf_high=lead.conf_high,
        conf_level=1 - alpha,
        undefined=lead.undefined,
        n=len(y),
        groups=groups,
        effect_size=_size(lead, y[~treated]),
        details={
            "threshold": threshold,
            "bandwidth": math.ldexp(h, run.exponent),
            "n_used": int(rows.sum()),
            "density": _density(u, treated, h / 2),
            **({"graph": jump_numbers(y, x, threshold, math.ldexp(h, run.exponent), alpha)} if graph else {}),
        },
        also={
            "half_bandwidth": _other(u, v, treated, h / 2, alpha, scale),
            "double_bandwidth": _other(u, v, treated, 2 * h, alpha, scale),
            "global_lines": _other(u, v, treated, None, alpha, scale),
        },
        conventions=(
            "x at the threshold counts as treated; HC1 robust errors of the weighted fit, t with n − 4 degrees of freedom",
            "the interval does not allow for the bias of the local line; compare the other bandwidths",
            "global_lines: one straight line per side through all rows, equal weights",
            "density: exact binomial test of equal counts within half the bandwidth, a rough check for sorting",
        ),
        warnings=_cautions(h, pilot, why, rows, treated),
    )


def _treated(x: FloatArray, threshold: float) -> Mask:
    """Which rows are treated; both sides need three different values for a line with residuals."""
    treated: Mask = x >= threshold
    for side, rows in (("below", ~treated), ("at or above", treated)):
        if np.unique(x[rows]).size < 3:
            raise InputError(
                f"Fewer than 3 different values of x lie {side} the threshold {threshold:g}.",
                hint="Check the threshold, or give more data.",
                where="threshold",
                code="too_few_values",
            )
    return treated


def _density(u: FloatArray, treated: Mask, reach: float) -> dict[str, Any]:
    """Counts on both sides close to the threshold, and the exact test that they are equal."""
    near = np.abs(u) <= reach
    left, right = int((near & ~treated).sum()), int((near & treated).sum())
    p = binom_test_p(right, left + right) if left + right else 1.0
    return {"n_below": left, "n_above": right, "p_value": p}


def _line(u: FloatArray, treated: Mask) -> FloatArray:
    d = treated.astype(np.float64)
    return np.column_stack((np.ones(len(u)), d, u, d * u))


def _jump(
    u: FloatArray, v: FloatArray, treated: Mask, h: float | None, alpha: float, scale: float
) -> tuple[Term, Mask]:
    """The jump, and which rows were used; without a bandwidth all rows count alike."""
    weights = np.ones(len(u)) if h is None else 1 - np.abs(u) / h
    rows = weights > 1e-12
    if rows.sum() < 5:
        raise NotDefined(
            "Fewer than 5 rows lie within the bandwidth.", where="bandwidth", code="too_few_values"
        )
    unit = 1.0 if h is None else h
    fit = least_squares(_line(u[rows] / unit, treated[rows]), v[rows], weights[rows])
    exact = fit.rss <= 1e-26 * float((v[rows] ** 2 * weights[rows]).sum())
    error = 0.0 if exact else math.sqrt(max(0.0, float(fit.robust("HC1")[1, 1])))
    return robust_term(float(fit.beta[1]) * scale, error * scale, fit.df, alpha), rows


def _other(
    u: FloatArray, v: FloatArray, treated: Mask, h: float | None, alpha: float, scale: float
) -> dict[str, Any]:
    try:
        term, rows = _jump(u, v, treated, h, alpha, scale)
    except StatistiklesError as error:
        keys = ("estimate", "std_error", "statistic", "p_value")
        return dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, error.message.rstrip("."))}
    return {**term.to_dict(), "n_used": int(rows.sum())}


def _ik(u: FloatArray, v: FloatArray, treated: Mask) -> tuple[float, str]:
    """Imbens and Kalyanaraman's bandwidth; when a step fails, the pilot bandwidth and what failed."""
    n = len(u)
    pilot = _PILOT * float(u.std(ddof=1)) * n ** (-1 / 5)
    sides = [rows & (np.abs(u) <= pilot) for rows in (~treated, treated)]
    counts = [int(rows.sum()) for rows in sides]
    if min(counts) < 2:
        return pilot, "too few rows near the threshold for its variances"
    density = sum(counts) / (2 * n * pilot)
    variance = [float(v[rows].var(ddof=1)) for rows in sides]
    if sum(variance) <= 0:
        return pilot, "the outcome does not vary near the threshold"
    try:
        cubic = least_squares(np.column_stack((np.ones(n), treated, u, u**2, u**3)), v).beta
    except NotDefined:
        return pilot, "the cubic cannot be fitted"
    third = 6 * float(cubic[4])
    curvature, regular = [], []
    for rows, var in zip((~treated, treated), variance, strict=True):
        size = int(rows.sum())
        reach = float(np.abs(u[rows]).max())
        wide = reach
        if third != 0 and var > 0:
            wide = min(reach, _CURVATURE * (var / (density * third**2)) ** (1 / 7) * size ** (-1 / 7))
        inside = rows & (np.abs(u) <= wide)
        if np.unique(u[inside]).size < 3:
            return pilot, "too few rows for the curvature"
        try:
            quadratic = least_squares(
                np.column_stack((np.ones(inside.sum()), u[inside], u[inside] ** 2)), v[inside]
            )
        except NotDefined:
            return pilot, "the curvature cannot be fitted"
        curvature.append(2 * float(quadratic.beta[2]))
        regular.append(_REGULAR * var / (int(inside.sum()) * wide**4))
    below = density * ((curvature[1] - curvature[0]) ** 2 + sum(regular))
    return _TRIANGULAR * (sum(variance) / below) ** (1 / 5) * n ** (-1 / 5), ""


def _usable(u: FloatArray, treated: Mask, h: float) -> float:
    """The bandwidth, widened where fewer than 3 different values lie inside it on a side."""
    least = max(float(np.unique(np.abs(u[rows]))[2]) for rows in (~treated, treated))
    return max(h, least * (1 + 1e-6))


def _size(lead: Term, control: FloatArray) -> EffectSize:
    """The jump in SDs of the outcome below the threshold (Glass's delta)."""
    name = "Glass's Δ (SD below the threshold)"
    spread = describe_group(control).std_dev
    if not spread or lead.estimate is None:
        return EffectSize(name=name, undefined={"estimate": "the outcome does not vary below the threshold"})
    return EffectSize(name=name, estimate=lead.estimate / spread)


def _cautions(h: float, pilot: float, why: str, rows: Mask, treated: Mask) -> tuple[str, ...]:
    out = []
    if why:
        out.append(
            f"Imbens and Kalyanaraman's bandwidth could not be found ({why}); their pilot bandwidth is used."
        )
    if h > pilot:
        out.append("The bandwidth was widened so that 3 different values lie on each side.")
    if min(int((rows & treated).sum()), int((rows & ~treated).sum())) < 10:
        out.append("Fewer than 10 rows on a side of the threshold are used; the local line is poorly known.")
    return tuple(out)
