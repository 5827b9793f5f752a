"""Cubic regression spline: a smooth curve through the data, with the test against a straight line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, FloatArray, ScalarNumber, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, Fit, Quantity, Role, SignificanceTest, Term
from statistikles.stats._columns import fit_or_none
from statistikles.stats._distributions import f_sf, p_t, t_isf
from statistikles.stats._model_bounds import f_noncentrality_interval
from statistikles.stats._spline_basis import spline_basis

__all__ = ["cubic_spline"]

_LIST_LIMIT = 10_000
_EXACT = 1e-26  # residual share of the variance below which a fit is exact

declare_tool(
    "machine_learning",
    title="Flexible regression",
    summary="Curves and forests: models that learn the form of a relation from the data.",
    chooser="type",
)

Values = Annotated[FloatArray, Vector(min_n=6)]
Knots = Annotated[FloatArray, Vector(min_n=1)]
KnotCount = Annotated[int, ScalarNumber(low=1.0, high=20.0, whole=True, limit=True)]


@statistic(
    tool="machine_learning",
    subtype="spline",
    title="Cubic regression spline",
    use_when="a numeric outcome follows a curve of unknown form over one predictor",
    utterances=(
        "fit a smooth curve",
        "cubic spline with three knots",
        "is the relation curved or straight",
        "regression spline",
        "nonlinear trend over time",
    ),
    refs=(
        "de Boor 1978, A Practical Guide to Splines",
        "Hastie, Tibshirani & Friedman 2009, doi:10.1007/978-0-387-84858-7",
    ),
    laws=("order_invariant",),
    formula="y = b0 + b1·x + b2·x² + b3·x³ + Σ c_j (x − k_j)³₊ + e",
    equivalents={
        "R": "lm(y ~ splines::bs(x, knots = min(x) + (max(x) - min(x)) * 1:3 / 4))",
        "Python": "scipy.interpolate.make_lsq_spline(x, y, t)",
    },
    example={
        "x": [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0],
        "y": [0.1, 0.6, 0.7, 1.1, 0.8, 0.7, 0.1, -0.4, -0.7, -1.1, -0.9, -0.8, -0.2],
    },
    aligned=(("x", "y"),),
)
def cubic_spline(
    x: Values, y: Values, *, n_knots: KnotCount = 3, knots: Knots | None = None, alpha: Alpha = 0.05
) -> Fit:
    """Least-squares cubic spline with equally spaced interior knots (three unless told otherwise).

    Parameters
    ----------
    x : the predictor.
    y : the outcome.
    n_knots : number of interior knots, equally spaced between the smallest and largest x.
    knots : the interior knots themselves, increasing; takes the place of n_knots.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    Fit : truncated-power coefficients, fitted values, R², and the F test against a straight line.

    Raises
    ------
    InputError : too few rows, or knots that do not increase inside the range of x.
    NotDefined : x or y is constant, or too few different x values between the knots.
    """
    for name, values in (("x", x), ("y", y)):
        if float(values.min()) == float(values.max()):
            raise NotDefined(
                f"The spline is undefined: {name} is constant.", where=name, code="zero_variance"
            )
    exponent = int(np.frexp(np.abs(x).max())[1])
    scaled = np.ldexp(x, -exponent)
    low, high = float(scaled.min()), float(scaled.max())
    inner = _knots(low, high, n_knots, None if knots is None else np.ldexp(knots, -exponent))
    q = 4 + inner.size
    if x.size <= q:
        raise InputError(
            f"A cubic spline with {inner.size} interior knots needs at least {q + 1} rows; there are {x.size}.",
            hint="Use fewer knots or more rows.",
            where="x",
            code="too_few_values",
        )
    basis = spline_basis(scaled, low, high, inner)
    fit = _least_squares(basis.design, y)
    line = _line_rss((scaled - low) / (high - low), fit.u)
    to_power = _rescaled(basis.to_power, exponent)
    undefined: dict[str, str] = {}
    overall = _f_test(fit.tss, fit.rss, q - 1, x.size - q)
    if overall is None:
        undefined |= dict.fromkeys(("statistic", "p_value"), "the curve passes through every point exactly")
    sigma = math.sqrt(fit.rss / (x.size - q)) * fit.unit
    r2 = max(0.0, 1 - fit.rss / fit.tss)
    return Fit(
        method=f"Cubic regression spline with {inner.size} interior knots, least squares on B-splines",
        terms=_terms(fit, to_power, x.size - q, alpha),
        statistic_name="F",
        statistic=None if overall is None else overall[0],
        df=q - 1,
        df_error=x.size - q,
        p_value=None if overall is None else overall[1],
        alpha=alpha,
        conf_level=1 - alpha,
        r_squared=r2,
        adj_r_squared=1 - (1 - r2) * (x.size - 1) / (x.size - q),
        residual_std_error=sigma,
        effect_size=_r2_interval(overall, r2, q - 1, x.size - q, 1 - alpha),
        n=int(x.size),
        details=_details(fit, np.ldexp(inner, exponent), sigma),
        diagnostics={"nonlinearity": _nonlinearity(line, fit, q, x.size, alpha)},
        undefined=undefined,
        conventions=(
            "interior knots as given"
            if knots is not None
            else "interior knots equally spaced over the range of x",
            "fitted on B-splines by QR; coefficients are carried over exactly to powers of x and truncated cubes",
            "the overall F compares with a constant, nonlinearity with a straight line",
        ),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _knots(low: float, high: float, count: int, given: FloatArray | None) -> FloatArray:
    if given is None:
        return low + (high - low) * np.arange(1, count + 1) / (count + 1)
    inside = bool((given > low).all() and (given < high).all())
    if not inside or not bool((np.diff(given) > 0).all()):
        raise InputError(
            "The knots must increase and lie between the smallest and the largest x.",
            hint="Give interior knots only, sorted, each once.",
            where="knots",
            code="out_of_range",
        )
    if given.size > 20:
        raise InputError("At most 20 knots can be used.", where="knots", code="limit_exceeded")
    return given


@dataclass(frozen=True)
class _Spline:
    """The fit of standardised y: centre + unit * u."""

    coefficients: FloatArray  # of the B-splines, in units of u
    unscaled: FloatArray  # (B'B)⁻¹
    fitted: FloatArray
    leverage: FloatArray
    u: FloatArray
    rss: float
    tss: float
    centre: float
    unit: float


def _least_squares(design: FloatArray, y: FloatArray) -> _Spline:
    power = int(np.frexp(np.abs(y).max())[1])
    z = np.ldexp(y, -power)
    centre = float(z.mean())
    z = z - centre
    rest = float(z.mean())
    z -= rest
    size = float(np.sqrt(np.mean(z * z)))
    z /= size
    qmat, r = np.linalg.qr(design)
    values = np.linalg.svd(r, compute_uv=False)
    if not float(values[-1]) > 1e-10 * float(values[0]):
        raise NotDefined(
            "The spline is not determined: too few different x values lie between the knots.",
            hint="Use fewer knots, or knots where the data are.",
            where="x",
            code="singular",
        )
    inverse = np.linalg.inv(r)
    coefficients = inverse @ (qmat.T @ z)
    coefficients += inverse @ (qmat.T @ (z - design @ coefficients))  # one step of refinement
    residuals = z - design @ coefficients
    rss = float(residuals @ residuals)
    tss = float(z @ z)
    return _Spline(
        coefficients,
        inverse @ inverse.T,
        design @ coefficients,
        np.sum(qmat**2, axis=1),
        z,
        rss if rss > _EXACT * tss else 0.0,
        tss,
        math.ldexp(centre + rest, power),
        math.ldexp(size, power),
    )


def _line_rss(v: FloatArray, u: FloatArray) -> float:
    """Residual sum of squares of the straight line."""
    w = v - v.mean()
    slope = float(w @ u) / float(w @ w)
    rest = u - u.mean() - slope * w
    return float(rest @ rest)


def _rescaled(to_power: FloatArray, exponent: int) -> list[tuple[FloatArray, int]]:
    """Rows of the way back, with the power of two that takes each to the units of x."""
    degrees = [0, 1, 2, 3] + [3] * (to_power.shape[0] - 4)
    return [(row, -exponent * d) for row, d in zip(to_power, degrees, strict=True)]


def _terms(fit: _Spline, rows: list[tuple[FloatArray, int]], df: int, alpha: float) -> dict[str, Term]:
    names = ["intercept", "x", "x^2", "x^3", *(f"(x - knot{j + 1})^3+" for j in range(len(rows) - 4))]
    mantissa, power = math.frexp(fit.unit)
    scale = math.sqrt(fit.rss / df) * mantissa
    reach = t_isf(alpha / 2, df)
    out = {}
    for j, (name, (row, exponent)) in enumerate(zip(names, rows, strict=True)):
        value = float(row @ fit.coefficients) * mantissa
        if j == 0:
            value += math.ldexp(fit.centre, -power)
        error = math.sqrt(float(row @ fit.unscaled @ row)) * scale
        parts = {
            "estimate": fit_or_none(value, exponent + power),
            "std_error": fit_or_none(error, exponent + power),
            "conf_low": fit_or_none(value - reach * error, exponent + power),
            "conf_high": fit_or_none(value + reach * error, exponent + power),
        }
        reasons = {k: "it does not fit a double-precision number" for k, v in parts.items() if v is None}
        if error > 0.0:
            parts |= {"statistic": value / error, "df": df, "p_value": p_t(value / error, df)}
        else:
            reasons |= dict.fromkeys(("statistic", "p_value"), "the fit is exact")
        out[name] = Term(**parts, undefined=reasons)
    return out


def _f_test(larger: float, smaller: float, df1: int, df2: int) -> tuple[float, float] | None:
    if not smaller > 0.0:
        return None
    f = max(0.0, larger - smaller) / df1 / (smaller / df2)
    return f, f_sf(f, df1, df2)


def _r2_interval(
    overall: tuple[float, float] | None, r2: float, df1: int, df2: int, level: float
) -> EffectSize:
    bounds = None if overall is None else f_noncentrality_interval(overall[0], df1, df2, level)
    if bounds is None:
        reason = "the fit is exact"
        return EffectSize(name="R²", estimate=r2, undefined=dict.fromkeys(("conf_low", "conf_high"), reason))
    low, high = (b / (b + df1 + df2 + 1) for b in bounds)
    return EffectSize(
        name="R²",
        estimate=r2,
        conf_low=low,
        conf_high=high,
        conf_level=level,
        conf_method="noncentral F, fixed x",
    )


def _nonlinearity(line: float, fit: _Spline, q: int, n: int, alpha: float) -> SignificanceTest:
    line = line if line > _EXACT * fit.tss else 0.0
    test = _f_test(line, fit.rss, q - 2, n - q)
    share = 0.0 if line == 0.0 else max(0.0, 1 - fit.rss / line)
    return SignificanceTest(
        method="F test of the spline against a straight line",
        statistic_name="F",
        statistic=None if test is None else test[0],
        df=q - 2,
        df_error=n - q,
        p_value=None if test is None else test[1],
        alpha=alpha,
        effect_size=EffectSize(name="partial R²", estimate=share),
        undefined={} if test is not None else dict.fromkeys(("statistic", "p_value"), "the fit is exact"),
    )


def _details(fit: _Spline, knots: FloatArray, sigma: float) -> dict[str, Any]:
    n = fit.u.size
    keys = ("fitted", "fitted_std_error")
    mantissa, power = math.frexp(fit.unit)
    out: dict[str, Any] = {
        "knots": Quantity(knots.tolist(), Role.QUANTILE),
        "rss": None,
        "n_coefficients": Quantity(int(fit.coefficients.size), Role.COUNT),
    }
    reasons = {}
    rss = fit_or_none(fit.rss * mantissa * mantissa, 2 * power)
    if rss is None:
        reasons["rss"] = "it does not fit a double-precision number"
    else:
        out["rss"] = Quantity(rss, Role.SUM_OF_SQUARES)
    if n > _LIST_LIMIT:
        out |= dict.fromkeys(keys)
        reasons |= dict.fromkeys(keys, f"not listed for more than {_LIST_LIMIT} rows")
    else:
        out["fitted"] = Quantity((fit.centre + fit.unit * fit.fitted).tolist(), Role.ESTIMATE)
        out["fitted_std_error"] = Quantity((sigma * np.sqrt(fit.leverage)).tolist(), Role.STD_ERROR)
    return out | ({"undefined": reasons} if reasons else {})
