"""Checks of assumptions on one variable: agreement with a named distribution, and outliers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Alternative,
    Choice,
    FloatArray,
    NumberMap,
    Replicates,
    ScalarNumber,
    Seed,
)
from statistikles.registry.arguments import Vector as VectorKind
from statistikles.registry.declare import statistic
from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._assumption_tool import TOOL
from statistikles.stats._distributions import ks_one_sample_sf, lilliefors_p
from statistikles.stats._fitted import (
    FAMILIES,
    LARGEST_COUNT,
    check_support,
    distance,
    fit_one,
    simulated_p,
    unit_of,
)
from statistikles.stats._numerics import Vector, moments
from statistikles.stats._one_way import describe_group
from statistikles.stats._outliers import extreme_deviate, fences, generalised_esd, grubbs_p

__all__ = ["distribution_fit", "outliers"]

Values = Annotated[FloatArray, VectorKind(min_n=3)]
DistributionName = Annotated[
    str,
    Choice(
        tuple(FAMILIES),
        aliases=(
            ("norm", "normal"),
            ("gaussian", "normal"),
            ("expon", "exponential"),
            ("exp", "exponential"),
        ),
    ),
]
Parameters = Annotated[Mapping[str, float], NumberMap()]
MostOutliers = Annotated[int, ScalarNumber(low=1, high=1000, whole=True, limit=True)]

# Parameters in the unit of the data; the others have none.
_IN_UNITS = frozenset({"mean", "sd", "low", "high", "scale"})
_POSITIVE = frozenset({"sd", "sdlog", "scale", "shape"})
_ESTIMATED = (
    "normal and lognormal: mean and standard deviation (n − 1); the others by maximum likelihood",
    "uniform fitted by its extremes: the p of the inner values given them is exact",
)

# Simulated values in all: long data are simulated less often, but at least so many times.
_SIMULATED_MOST = 200_000_000
_FEWEST_REPS = 199
_BAND = "Dvoretzky-Kiefer-Wolfowitz-Massart band (conservative)"


@statistic(
    tool=TOOL,
    subtype="distribution",
    title="Goodness of fit to a named distribution",
    use_when="one variable compared with a normal, lognormal, uniform, exponential, gamma, Weibull or Poisson law",
    utterances=(
        "does this variable follow an exponential distribution",
        "Kolmogorov-Smirnov test against a distribution",
        "which distribution fits my data",
        "are the counts Poisson",
        "are these numbers uniform",
    ),
    refs=(
        "Massey 1951, Journal of the American Statistical Association 46, 68-78",
        "Marsaglia, Tsang & Wang 2003, doi:10.18637/jss.v008.i18",
        "Lilliefors 1967, doi:10.1080/01621459.1967.10482916",
        "Stute, González-Manteiga & Presedo-Quindimil 1993, Metrika 40, 243-256",
    ),
    laws=("order_invariant",),
    oracle="scipy.stats:ks_1samp",
    formula="D = max |F_n(x) − F(x)|; p exact for given parameters, Lilliefors or parametric bootstrap for fitted ones",
    equivalents={
        "R": 'ks.test(data, "pnorm", mean = 0, sd = 1)',
        "Python": "scipy.stats.kstest(data, 'norm', args=(mean, sd))",
    },
    example={
        "data": [0.41, -0.22, 1.13, 0.05, -0.97, 0.62, 1.84, -0.38, 0.27, -1.41],
        "distribution": "normal",
        "parameters": {"mean": 0.0, "sd": 1.0},
    },
    aliases=("ks", "kolmogorov_smirnov", "ks_1sample", "goodness_of_fit", "fit"),
)
def distribution_fit(
    data: Values,
    *,
    distribution: DistributionName = "normal",
    parameters: Parameters | None = None,
    alpha: Alpha = 0.05,
    n_reps: Replicates = 1999,
    seed: Seed = 0,
) -> SignificanceTest:
    """Kolmogorov-Smirnov test of a sample against a named distribution, with given or fitted parameters.

    Parameters
    ----------
    data : the values.
    distribution : normal (mean, sd), lognormal (meanlog, sdlog), uniform (low, high), exponential (scale or
        rate), gamma (shape, scale or rate), weibull (shape, scale) or poisson (mean).
    parameters : values of all parameters by name, fixed before seeing the data; without them they are fitted.
    alpha : significance level.
    n_reps : simulated samples, where the p value comes from simulation (fewer for very long data).
    seed : seed of the simulation.

    Returns
    -------
    SignificanceTest : D and a p value that is valid for the way the parameters were found; the plain
        Kolmogorov-Smirnov p beside it.

    Raises
    ------
    InputError : values outside the support, or parameters that are unknown, absent or impossible.
    NotDefined : the distribution cannot be fitted.
    """
    check_support(data, distribution)
    family = FAMILIES[distribution]
    unit = 1.0 if distribution in ("lognormal", "poisson") else unit_of(data)
    x = data / unit
    fitted = parameters is None
    if parameters is None:
        values = fit_one(x, distribution)
    else:
        given = _given(distribution, parameters)
        values = tuple(
            v / unit if name in _IN_UNITS else v for name, v in zip(family.names, given, strict=True)
        )
    with np.errstate(all="ignore"):
        d = float(distance(x[None, :], family, tuple(np.full((1, 1), v) for v in values))[0])
    named = {name: v * unit if name in _IN_UNITS else v for name, v in zip(family.names, values, strict=True)}
    if not all(math.isfinite(v) for v in (d, *named.values())):
        raise NotDefined(
            "The distribution function cannot be evaluated with these parameters.", code="out_of_scale"
        )
    n = int(x.size)
    reps = min(n_reps, max(_FEWEST_REPS, _SIMULATED_MOST // n))
    p, how, error = _valid_p(d, x, distribution, values, fitted, reps, seed)
    reach = math.sqrt(math.log(2 / alpha) / (2 * n))
    return SignificanceTest(
        method=f"Kolmogorov-Smirnov test, {distribution} distribution, "
        f"{'estimated' if fitted else 'given'} parameters ({how})",
        statistic_name="D",
        statistic=d,
        p_value=p,
        alpha=alpha,
        effect_size=EffectSize(
            name="largest distance D",
            estimate=d,
            conf_low=max(0.0, d - reach),
            conf_high=min(1.0, d + reach),
            conf_level=1 - alpha,
            conf_method=_BAND,
        ),
        n=n,
        groups={"sample": describe_group(data)},
        details={"parameters": named, "parameters_estimated": fitted}
        | ({} if error is None else {"monte_carlo_std_error": error, "n_reps": reps}),
        also=_plain_forms(x, d, fitted and distribution == "normal"),
        seed=seed if error is not None else None,
        conventions=_ESTIMATED if fitted else ("parameters fixed by the user, not estimated",),
        warnings=_fit_warnings(x, fitted, family.discrete),
    )


def _plain_forms(x: Vector, d: float, standardise: bool) -> dict[str, SignificanceTest]:
    """The plain Kolmogorov-Smirnov p; and, as is often done for normality, that of z-scores with the divisor n."""
    found = {
        "plain_ks": (
            d,
            "plain Kolmogorov-Smirnov p (for parameters fixed in advance and a continuous distribution)",
        )
    }
    spread = float(x.std())
    if standardise and spread > 0:
        z = (x - float(x.mean())) / spread
        ends = tuple(np.full((1, 1), v) for v in (0.0, 1.0))
        apart = float(distance(z[None, :], FAMILIES["normal"], ends)[0])
        found["standardised_ks"] = (
            apart,
            "plain Kolmogorov-Smirnov p of z-scores (SD with the divisor n; often reported)",
        )
    return {
        name: SignificanceTest(
            method=method, statistic_name="D", statistic=apart, p_value=ks_one_sample_sf(apart, int(x.size))
        )
        for name, (apart, method) in found.items()
    }


def _fit_warnings(x: Vector, fitted: bool, discrete: bool) -> tuple[str, ...]:
    out = []
    if fitted:
        out.append(
            "The parameters were estimated from the same data: the plain Kolmogorov-Smirnov p is too large."
        )
    if np.unique(x).size < x.size and not discrete:
        out.append("Equal values occur, which a continuous distribution does not produce.")
    return tuple(out)


def _given(distribution: str, parameters: Mapping[str, float]) -> tuple[float, ...]:
    """The parameters in order; a rate stands for the reciprocal of a scale."""
    names = FAMILIES[distribution].names
    given = dict(parameters)
    if "rate" in given and "scale" in names and "scale" not in given and distribution != "weibull":
        rate = given.pop("rate")
        if rate <= 0:
            raise InputError("Parameter 'rate' must be positive.", where="parameters", code="out_of_range")
        given["scale"] = 1 / rate
    if set(given) != set(names):
        raise InputError(
            f"The {distribution} distribution has the parameters {', '.join(names)}; given were: "
            f"{', '.join(given) or 'none'}.",
            hint="Give all of them, or leave 'parameters' out to estimate them.",
            where="parameters",
        )
    bad = [name for name in names if name in _POSITIVE and given[name] <= 0]
    if distribution == "poisson" and not 0 < given["mean"] <= LARGEST_COUNT:
        raise InputError(
            f"Parameter 'mean' of the poisson distribution must lie between 0 and {LARGEST_COUNT:g}.",
            where="parameters",
            code="out_of_range",
        )
    if bad:
        raise InputError(f"Parameter '{bad[0]}' must be positive.", where="parameters", code="out_of_range")
    if distribution == "uniform" and given["low"] >= given["high"]:
        raise InputError(
            "Parameter 'low' must be smaller than 'high'.", where="parameters", code="out_of_range"
        )
    return tuple(given[name] for name in names)


def _valid_p(
    d: float, x: Vector, distribution: str, values: tuple[float, ...], fitted: bool, reps: int, seed: int
) -> tuple[float, str, float | None]:
    """A p value valid for fitted or given parameters, what it is, and its standard error when simulated."""
    n, family = int(x.size), FAMILIES[distribution]
    if not fitted and not family.discrete:
        return ks_one_sample_sf(d, n), "exact", None
    if fitted and distribution in ("normal", "lognormal") and n >= 4:
        return lilliefors_p(d, n), "Lilliefors", None
    if fitted and distribution == "uniform":
        inner = np.sort(x)[1:-1]
        ends = tuple(np.full((1, 1), v) for v in values)
        return (
            ks_one_sample_sf(float(distance(inner[None, :], family, ends)[0]), n - 2),
            "exact, given the extremes",
            None,
        )
    p, error = simulated_p(d, n, family, values, reps, seed, refit=fitted)
    return p, f"{'parametric bootstrap' if fitted else 'Monte Carlo'}, {reps} samples, seed {seed}", error


@statistic(
    tool=TOOL,
    subtype="outliers",
    title="Tests for outliers",
    use_when="one numeric variable with values that look too extreme",
    utterances=(
        "are there outliers",
        "find extreme values",
        "Grubbs test",
        "which values lie outside 1.5 IQR",
        "is this value an outlier",
    ),
    refs=(
        "Grubbs 1969, doi:10.1080/00401706.1969.10490657",
        "Rosner 1983, doi:10.1080/00401706.1983.10487848",
        "Tukey 1977, Exploratory Data Analysis, Addison-Wesley",
        "Iglewicz & Hoaglin 1993, How to Detect and Handle Outliers, ASQC Quality Press",
    ),
    laws=("shift_invariant", "scale_invariant", "order_invariant"),
    oracle="",
    formula="G = max |x − m|/s; t = G sqrt(n(n − 2)/((n − 1)² − n G²)), p = 2n P(T_{n−2} > t)",
    equivalents={
        "R": "outliers::grubbs.test(data); EnvStats::rosnerTest(data)",
        "Python": "2 * n * scipy.stats.t.sf(t, n - 2) with t from the formula",
    },
    example={"data": [199.31, 199.53, 200.19, 200.82, 201.92, 201.95, 202.18, 245.57]},
    aliases=("outlier", "grubbs", "esd", "generalised_esd", "generalized_esd", "rosner"),
)
def outliers(
    data: Values,
    *,
    alpha: Alpha = 0.05,
    alternative: Alternative = "two-sided",
    max_outliers: MostOutliers | None = None,
) -> SignificanceTest:
    """Grubbs' test of the most extreme value, the generalised ESD test of several, and three common fences.

    Parameters
    ----------
    data : the values.
    alpha : significance level of Grubbs' and the ESD test.
    alternative : "two-sided", "greater" (test the largest value) or "less" (test the smallest).
    max_outliers : most outliers the generalised ESD test looks for (default a tenth of the values, from 1 to 10).

    Returns
    -------
    SignificanceTest : Grubbs' G with its p; in the details the ESD steps and the values beyond 1.5 IQR, 3.0 z and
        3.5 modified z, with their places counted from 0.

    Raises
    ------
    InputError : fewer than three values, or more outliers asked for than can be tested.
    NotDefined : all values are the same.
    """
    n = int(data.size)
    unit = unit_of(data)
    x = data / unit
    if not moments(x).sd:
        raise NotDefined(
            "A test for outliers is undefined: all values are the same.",
            hint="Check that the right column was used.",
            where="data",
            code="zero_variance",
        )
    most = max_outliers if max_outliers is not None else max(1, min(10, n // 10))
    if most > n - 2:
        raise InputError(
            f"Argument 'max_outliers' may be at most {n - 2} for {n} values.",
            where="max_outliers",
            code="out_of_range",
        )
    found = extreme_deviate(x, alternative)
    g = (
        abs(found.deviate)
        if alternative == "two-sided"
        else found.deviate * (-1 if alternative == "less" else 1)
    )
    beyond, flat = fences(x, unit)
    unbounded = "no interval is defined for an extreme chosen from the sample"
    return SignificanceTest(
        method="Grubbs' test for one outlier (t-based p, Bonferroni's inequality)",
        statistic_name="G",
        statistic=g,
        df=n - 2,
        p_value=grubbs_p(g, n, alternative),
        alternative=alternative,
        alpha=alpha,
        estimate_name="most extreme value",
        estimate=float(data[found.place]),
        effect_size=EffectSize(
            name="distance from the mean in standard deviations",
            estimate=found.deviate,
            undefined={"conf_low": unbounded, "conf_high": unbounded},
        ),
        n=n,
        groups={"sample": describe_group(data)},
        details={
            "index": found.place,
            "generalised_esd": _esd(x, most, alpha, unit),
            **beyond,
        },
        conventions=(
            "places are counted from 0",
            "fences: 1.5 times the interquartile range (type 7) beyond the quartiles",
            "|z| > 3.0 with the n − 1 standard deviation; |modified z| > 3.5 from the median and MAD",
            "generalised ESD: the number of outliers is the last step whose statistic exceeds its critical value",
        ),
        warnings=_outlier_warnings(n, flat),
    )


def _outlier_warnings(n: int, flat: bool) -> tuple[str, ...]:
    out = ["Grubbs' and the ESD test assume that the other values are normal."]
    if flat:
        out.append("More than half of the values are equal: the modified z uses the mean absolute deviation.")
    if n < 7:
        out.append("With so few values only a very extreme one can be shown to be an outlier.")
    return tuple(out)


def _esd(x: Vector, most: int, alpha: float, unit: float) -> dict[str, object]:
    """The generalised ESD test: the outliers are all up to the last step that exceeds its critical value."""
    steps = generalised_esd(x, most, alpha, unit)
    count = max((i for i, step in enumerate(steps, 1) if step["exceeds"]), default=0)
    return {
        "max_outliers": most,
        "n_outliers": count,
        "indices": [step["index"] for step in steps[:count]],
        "values": [step["value"] for step in steps[:count]],
        "steps": steps,
    }
