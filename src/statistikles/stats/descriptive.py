"""Descriptive statistics of one sample, optionally weighted or by group."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, cast

import numpy as np

from statistikles.errors import InputError
from statistikles.registry.arguments import (
    Alpha,
    Choice,
    Decimals,
    FloatArray,
    GroupMap,
    Real,
    ScalarNumber,
    Switch,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Description, Measures, Quantity, Role
from statistikles.stats._distributions import t_isf
from statistikles.stats._graph_numbers import graph_numbers
from statistikles.stats._location import (
    kurtosis_types,
    lag1,
    mad,
    median_interval,
    modes,
    ordered_mean,
    power_mean,
    skewness_types,
    trimmed,
    weighted_quantile,
    winsorised,
)
from statistikles.stats._numerics import Moments, moments, quantiles
from statistikles.stats._rounded import rounded_measures
from statistikles.stats._sums import SampleSums

__all__ = ["describe"]

_HYNDMAN = "Hyndman & Fan 1996, doi:10.1080/00031305.1996.10473566"
_JOANES = "Joanes & Gill 1998, doi:10.1111/1467-9884.00122"
_OUT_OF_SCALE = "the value does not fit a double-precision number"
_CONSTANT = "all values are the same"
_MAX_EXPANDED = 10_000_000

declare_tool(
    "descriptive_statistics",
    title="Descriptive statistics",
    summary="Describes one numeric variable (optionally weighted or by group): place, spread, shape, intervals.",
)

Data = Annotated[FloatArray, Vector(min_n=1)]
Weights = Annotated[FloatArray, Vector(min_n=1, low=0.0)]
WeightType = Annotated[
    str,
    Choice(
        ("frequency", "reliability", "probability"),
        aliases=(
            ("fweight", "frequency"),
            ("aweight", "reliability"),
            ("analytic", "reliability"),
            ("pweight", "probability"),
            ("sampling", "probability"),
        ),
    ),
]
Probabilities = Annotated[FloatArray, Vector(min_n=1, low=0.0, high=1.0)]
AnyGroups = Annotated[Mapping[str, FloatArray], GroupMap(min_groups=1, min_n=1)]
TrimProportion = Annotated[float, ScalarNumber(low=0.0, high=0.5, open_high=True)]
Detail = Annotated[str, Choice(("full", "core", "graph", "shape"))]


@statistic(
    tool="descriptive_statistics",
    title="Descriptive statistics",
    use_when="one numeric variable is to be summarised: mean, median, spread, shape, quantiles; also by group",
    utterances=(
        "describe the body mass",
        "what is the average",
        "mean and standard deviation",
        "summary statistics of this column",
        "what are the median and the quartiles",
        "how spread out are the values",
        "describe by group",
    ),
    refs=(_HYNDMAN, _JOANES),
    laws=(),
    oracle="scipy.stats:describe",
    formula="mean = Σx/n; s² = Σ(x − mean)²/(n − 1); quartiles by linear interpolation at 1 + (n − 1)p (type 7)",
    equivalents={
        "R": "summary(data); sd(data); quantile(data); e1071::skewness(data, type = 2)",
        "Python": "pandas.Series(data).describe()",
    },
    example={"data": [39.1, 39.5, 40.3, 36.7, 39.3, 38.9, 39.2, 34.1, 42.0, 37.8, 37.8, 41.1]},
    aligned=(("data", "weights"),),
    from_sums=lambda given: (
        given.get("detail") == "core"
        and not any(given.get(name) for name in ("weights", "weight_type", "decimal", "power"))
    ),
)
def describe(
    data: Data | None = None,
    *,
    groups: AnyGroups | None = None,
    weights: Weights | None = None,
    weight_type: WeightType | None = None,
    quantiles: Probabilities | None = None,
    trim: TrimProportion = 0.1,
    power: Real | None = None,
    alpha: Alpha = 0.05,
    decimal: Switch = False,
    detail: Detail = "full",
    decimals: Decimals | None = None,
) -> Measures:
    """Place, spread, shape and intervals of one sample, every convention named.

    Parameters
    ----------
    data : the values.
    groups : named groups instead of data: each is described, and all values together at the top.
    weights : one non-negative weight per value of data; needs weight_type.
    weight_type : what a weight means: "frequency" (how often the value occurred), "reliability"
        (precision of the value) or "probability" (inverse of the chance of being sampled).
    quantiles : probabilities (0 to 1) at which further quantiles are wanted.
    trim : proportion cut (or moved in) at each end for the trimmed and winsorised means.
    power : exponent of a power mean (0 is the geometric mean); needs positive values.
    alpha : intervals have confidence 1 - alpha.
    decimal : read every double as the decimal it prints as, and calculate exactly.
    detail : "full", or "core" for moments, median, quartiles and interval only (very large data), or "graph"
        for these and the numbers behind a histogram, box plot and normal quantile plot ("shape": density curves too,
        and both for every group).
    decimals : places of rounded copies.

    Returns
    -------
    Measures : named quantities; by-group summaries under `groups`.

    Raises
    ------
    InputError : no values, a power mean of non-positive values, weights without their type.
    """
    values, by_group = _values(data, groups)
    if weights is not None or weight_type is not None:
        if groups is not None:
            raise InputError("'weights' go with 'data', not with 'groups'.", where="weights")
        weights = _checked_weights(weights, weight_type)
        if weight_type != "frequency":
            return _weighted(values, weights, str(weight_type), quantiles, alpha)
        values = _expanded(values, weights)
    collect = _Collector()
    m = moments(values, decimal=decimal)
    ordered = np.sort(values) if detail == "full" else values
    _core(collect, ordered, m, alpha)
    if quantiles is not None:
        collect.put("quantiles", _quantile_rows(ordered, quantiles))
    if detail == "full":
        _type6(collect, ordered)
        _spread_and_shape(collect, values, ordered, m)
        _other_means(collect, ordered, trim, decimal)
        _order_dependent(collect, values, m, decimal)
        _median_bounds(collect, ordered, alpha)
    if detail in ("graph", "shape"):
        collect.put("graph", graph_numbers(values, by_group, 1 - alpha, shape=detail == "shape"))
    if power is not None:
        collect.put("power_mean", power_mean(values, power))
        collect.put("power_mean_exponent", Quantity(power, Role.PARAMETER))
    if by_group:
        collect.put(
            "groups", {name: _describe_group(part, alpha, decimal) for name, part in by_group.items()}
        )
    if decimals is not None:
        collect.put("rounded", rounded_measures(collect.quantities, decimals))
    return collect.result(
        "Descriptive statistics" + (" (frequency weights)" if weights is not None else ""),
        conventions=_conventions(trim, decimal, detail, weights is not None),
        warnings=_cautions(m),
    )


# Steps ---------------------------------------------------------------------------------------------------


class _Collector:
    """Named quantities, and the reasons of those that are undefined."""

    def __init__(self) -> None:
        self.quantities: dict[str, Any] = {}
        self.undefined: dict[str, str] = {}

    def put(self, name: str, value: Any, reason: str = _OUT_OF_SCALE) -> None:
        inner = value.value if isinstance(value, Quantity) else value
        if inner is None or (isinstance(inner, float) and not math.isfinite(inner)):
            self.quantities[name] = None
            self.undefined[name] = reason
        else:
            self.quantities[name] = value

    def result(self, method: str, **more: Any) -> Measures:
        return Measures(method=method, quantities=self.quantities, undefined=self.undefined, **more)


def _values(
    data: FloatArray | None, groups: Mapping[str, FloatArray] | None
) -> tuple[FloatArray, Mapping[str, FloatArray]]:
    if (data is None) == (groups is None):
        raise InputError(
            "Give either 'data' or 'groups'." if data is None else "Give 'data' or 'groups', not both.",
            hint='For example {"groups": {"column": VALUE, "by": GROUP}}.',
            where="data" if data is None else "groups",
            code="missing_argument" if data is None else "invalid_argument",
        )
    if data is not None:
        return data, {}
    assert groups is not None
    first = next(iter(groups.values()))
    if isinstance(first, SampleSums):
        return cast("FloatArray", first.family.pooled()), groups
    return np.concatenate(list(groups.values())), groups


def _core(c: _Collector, ordered: FloatArray, m: Moments, alpha: float) -> None:
    one = "it needs at least two values"
    n = m.n
    c.put("n", n)
    c.put("sum", Quantity(m.total, Role.VALUE))
    c.put("mean", m.mean)
    error = None if m.sd is None else m.sd / math.sqrt(n)
    reach = None if error is None else t_isf(alpha / 2, n - 1) * error
    why = one if n < 2 else _OUT_OF_SCALE
    c.put("std_error", error, why)
    c.put("conf_low", None if reach is None else m.mean - reach, why)
    c.put("conf_high", None if reach is None else m.mean + reach, why)
    c.put("conf_level", 1 - alpha)
    q1, median, q3 = quantiles(ordered, (0.25, 0.5, 0.75))
    c.put("median", median)
    c.put("std_dev", m.sd, why)
    c.put("variance", m.variance, why)
    c.put("std_dev_population", None if m.sd is None else m.sd * math.sqrt((n - 1) / n), why)
    c.put("variance_population", None if m.variance is None else m.variance * ((n - 1) / n), why)
    c.put("minimum", m.minimum)
    c.put("maximum", m.maximum)
    c.put("range", m.maximum - m.minimum)
    c.put("q1", q1)
    c.put("q3", q3)
    c.put("iqr", q3 - q1)


def _type6(c: _Collector, ordered: FloatArray) -> None:
    six = quantiles(ordered, (0.25, 0.75), kind=6)
    c.put("q1_type6", Quantity(six[0], Role.QUANTILE))
    c.put("q3_type6", Quantity(six[1], Role.QUANTILE))
    c.put("iqr_type6", Quantity(six[1] - six[0], Role.RANGE))


def _spread_and_shape(c: _Collector, values: FloatArray, ordered: FloatArray, m: Moments) -> None:
    n = m.n
    most, times = modes(ordered)
    unique = times == 1 and n > 1
    c.put("modes", None if unique else most, "every value occurs once, so there is no mode")
    c.put("mode_count", Quantity(times, Role.COUNT))
    median = c.quantities["median"]
    deviation = mad(values, median)
    c.put("mad", Quantity(deviation, Role.STD_DEV))
    c.put("mad_scaled", Quantity(1.4826 * deviation, Role.STD_DEV))
    c.put(
        "cv",
        m.sd / m.mean if m.sd is not None and m.mean != 0 else None,
        "the mean is zero" if m.mean == 0 else "it needs at least two values" if n < 2 else _OUT_OF_SCALE,
    )
    flat = "it needs at least two values" if n < 2 else _CONSTANT
    skew = (None, None, None) if m.skew_g1 is None else skewness_types(m.skew_g1, n)
    kurt = (None, None, None) if m.kurt_g2 is None else kurtosis_types(m.kurt_g2, n)
    c.put("skewness", skew[1], flat if skew[0] is None else "type 2 needs at least three values")
    c.put("skewness_type1", skew[0], flat)
    c.put("skewness_type3", skew[2], flat)
    error = math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))) if n >= 3 else None
    c.put("skewness_std_error", error, "it needs at least three values")
    c.put("excess_kurtosis", kurt[1], flat if kurt[0] is None else "type 2 needs at least four values")
    c.put("excess_kurtosis_type1", kurt[0], flat)
    c.put("excess_kurtosis_type3", kurt[2], flat)
    spread = 2 * (error or 0.0) * math.sqrt((n * n - 1) / ((n - 3) * (n + 5))) if n >= 4 else None
    c.put("excess_kurtosis_std_error", spread, "it needs at least four values")


def _other_means(c: _Collector, ordered: FloatArray, trim: float, decimal: bool) -> None:
    low = float(ordered[0])
    reason = "it needs values above zero" if low <= 0 else _OUT_OF_SCALE
    c.put("geometric_mean", power_mean(ordered, 0.0) if low > 0 else None, reason)
    c.put("harmonic_mean", power_mean(ordered, -1.0) if low > 0 else None, reason)
    c.put("trim", Quantity(trim, Role.PROPORTION))
    c.put("trimmed_mean", ordered_mean(trimmed(ordered, trim), decimal=decimal))
    pulled = moments(winsorised(ordered, trim), decimal=decimal)
    c.put("winsorised_mean", pulled.mean)
    c.put(
        "winsorised_std_dev",
        pulled.sd,
        "it needs at least two values" if ordered.size < 2 else _OUT_OF_SCALE,
    )


def _order_dependent(c: _Collector, values: FloatArray, m: Moments, decimal: bool) -> None:
    flat = m.n < 2 or m.minimum == m.maximum
    c.put(
        "lag1_autocorrelation",
        None if flat else Quantity(lag1(values, m.mean, decimal=decimal), Role.CORRELATION),
        "it needs at least two values" if m.n < 2 else _CONSTANT,
    )


def _median_bounds(c: _Collector, ordered: FloatArray, alpha: float) -> None:
    found = median_interval(ordered.size, 1 - alpha)
    reason = f"{ordered.size} values are too few for an interval of the median at this confidence"
    c.put("median_conf_low", float(ordered[found[0] - 1]) if found else None, reason)
    c.put("median_conf_high", float(ordered[found[1] - 1]) if found else None, reason)
    c.put("median_conf_level", found[2] if found else None, reason)


def _quantile_rows(ordered: FloatArray, wanted: FloatArray) -> list[dict[str, Any]]:
    points = [float(p) for p in wanted]
    lead, beside = quantiles(ordered, points), quantiles(ordered, points, kind=6)
    return [
        {"probability": p, "quantile": a, "quantile_type6": b}
        for p, a, b in zip(points, lead, beside, strict=True)
    ]


def _describe_group(values: FloatArray, alpha: float, decimal: bool) -> Description:
    m = moments(values, decimal=decimal)
    q1, median, q3 = quantiles(values, (0.25, 0.5, 0.75))
    error = None if m.sd is None else m.sd / math.sqrt(m.n)
    reach = None if error is None else t_isf(alpha / 2, m.n - 1) * error
    reason = "it needs at least two values" if m.n < 2 else _OUT_OF_SCALE
    names: tuple[str, ...] = ("std_dev", "std_error", "conf_low", "conf_high") if error is None else ()
    names += ("variance",) if m.variance is None else ()
    return Description(
        n=m.n,
        mean=m.mean,
        std_dev=m.sd,
        variance=m.variance,
        std_error=error,
        conf_low=None if reach is None else m.mean - reach,
        conf_high=None if reach is None else m.mean + reach,
        median=median,
        iqr=q3 - q1,
        minimum=m.minimum,
        maximum=m.maximum,
        undefined=dict.fromkeys(names, reason),
    )


# Weights -------------------------------------------------------------------------------------------------


def _checked_weights(weights: FloatArray | None, weight_type: str | None) -> FloatArray:
    if weights is None:
        raise InputError(
            "'weight_type' was given without 'weights'.", where="weights", code="missing_argument"
        )
    if weight_type is None:
        raise InputError(
            "'weights' need their meaning: give 'weight_type'.",
            hint='"frequency", "reliability" or "probability".',
            where="weight_type",
            code="missing_argument",
        )
    if not weights.max() > 0:
        raise InputError("At least one of the 'weights' must be above zero.", where="weights")
    return weights


def _expanded(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Every value repeated as often as its frequency weight says."""
    if (weights != np.floor(weights)).any():
        raise InputError(
            "Frequency weights must be whole numbers.",
            hint='Use weight_type "reliability" or "probability" for fractional weights.',
            where="weights",
            code="out_of_range",
        )
    if float(weights.sum()) > _MAX_EXPANDED:
        raise InputError(
            f"The frequency weights add up to more than the limit of {_MAX_EXPANDED}.",
            hint="Describe a smaller table.",
            where="weights",
            code="limit_exceeded",
        )
    return np.repeat(values, weights.astype(np.int64))


def _weighted(
    values: FloatArray,
    weights: FloatArray,
    weight_type: str,
    wanted: FloatArray | None,
    alpha: float,
) -> Measures:
    """Weighted mean, spread and quantiles; the two kinds differ in variance and standard error."""
    keep = weights > 0
    order = np.argsort(values[keep], kind="stable")
    x, w = values[keep][order], weights[keep][order]
    w = w / float(w.max())  # all formulas are free of the weights' unit
    unit = math.ldexp(1.0, math.frexp(max(abs(float(x[0])), abs(float(x[-1])), 5e-324))[1] - 1)
    z = x / unit  # exact: a power of two, so that squares neither overflow nor vanish
    n, v1, v2 = int(x.size), math.fsum(w), math.fsum(w * w)
    centre = min(max(math.fsum(w / v1 * z), float(z[0])), float(z[-1]))
    squares = math.fsum(w * (z - centre) ** 2)
    effective = v1 * v1 / v2
    c = _Collector()
    spread = error = None
    df = 0.0
    if n > 1:
        if weight_type == "reliability":
            spread, df = math.sqrt(squares / (v1 - v2 / v1)), effective - 1
            error = spread / math.sqrt(effective) * unit
        else:
            spread, df = math.sqrt(n / (n - 1) * squares / v1), float(n - 1)
            error = math.sqrt(n / (n - 1) * math.fsum((w / v1 * (z - centre)) ** 2)) * unit
    mean = centre * unit
    reason = "it needs at least two values with a weight above zero"
    reach = None if error is None else t_isf(alpha / 2, df) * error
    c.put("n", n)
    c.put("n_effective", Quantity(effective, Role.COUNT))
    c.put("sum_of_weights", Quantity(math.fsum(weights), Role.WEIGHT))
    c.put("mean", mean)
    c.put("std_error", error, reason)
    c.put("conf_low", None if reach is None else mean - reach, reason)
    c.put("conf_high", None if reach is None else mean + reach, reason)
    c.put("conf_level", 1 - alpha)
    c.put("median", weighted_quantile(x, w, 0.5))
    c.put("std_dev", None if spread is None else spread * unit, reason)
    c.put("variance", None if spread is None else _squared(spread, unit), reason if n < 2 else _OUT_OF_SCALE)
    c.put("variance_population", _squared(math.sqrt(squares / v1), unit))
    c.put("minimum", float(x[0]))
    c.put("maximum", float(x[-1]))
    c.put("range", float(x[-1]) - float(x[0]))
    q1, q3 = weighted_quantile(x, w, 0.25), weighted_quantile(x, w, 0.75)
    c.put("q1", q1)
    c.put("q3", q3)
    c.put("iqr", q3 - q1)
    if wanted is not None:
        rows = [{"probability": float(p), "quantile": weighted_quantile(x, w, float(p))} for p in wanted]
        c.put("quantiles", rows)
    return c.result(
        f"Descriptive statistics ({weight_type} weights)",
        conventions=(
            "variance = Σw(x − mean)² / (Σw − Σw²/Σw); standard error = sd / sqrt(n_effective); "
            "t interval with n_effective − 1 degrees of freedom"
            if weight_type == "reliability"
            else "variance = n/(n − 1) · Σw(x − mean)² / Σw; standard error by linearisation (with-replacement "
            "design); t interval with n − 1 degrees of freedom",
            "n_effective = (Σw)² / Σw² (Kish)",
            "quantiles invert the weighted distribution function, averaging where it is flat",
        ),
    )


def _squared(spread: float, unit: float) -> float | None:
    """The square of a scaled standard deviation, None where a double cannot hold it."""
    value = (spread * spread) * unit * unit
    return None if value == 0.0 < spread else value


# Words ---------------------------------------------------------------------------------------------------


def _conventions(trim: float, decimal: bool, detail: str, weighted: bool) -> tuple[str, ...]:
    said = [
        "variance and standard deviation divide by n − 1; the _population forms divide by n",
        "interval of the mean by Student's t",
        "quartiles: type 7 leads (R and NumPy default)",
    ]
    if detail == "full":
        said += [
            "the _type6 quartiles are those of SPSS and Minitab",
            "skewness and excess kurtosis (normal = 0): type 2 leads (SPSS, SAS, Excel)",
            "skewness and kurtosis type 1 is the plain moment coefficient, type 3 uses the n − 1 standard deviation",
            "mad is the raw median absolute deviation from the median; mad_scaled multiplies it by 1.4826",
            f"trimmed and winsorised means treat floor({trim:g}·n) values at each end",
            "interval of the median by order statistics, with its exact coverage",
        ]
    if decimal:
        said.append("each double is read as the decimal it prints as; moments and lag-1 are exact")
    if weighted:
        said.append("each value counts as often as its frequency weight says")
    return tuple(said)


def _cautions(m: Moments) -> tuple[str, ...]:
    out = []
    if m.n > 1 and m.minimum == m.maximum:
        out.append("All values are the same.")
    if m.minimum < 0 < m.maximum or m.maximum < 0:
        out.append("The coefficient of variation says little for a variable that takes negative values.")
    return tuple(out)
