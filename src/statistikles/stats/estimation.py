"""Maximum-likelihood fit of named distributions, every parametrisation named."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, Choice, FloatArray, Switch, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Fit, Quantity, Role, Term
from statistikles.stats._distributions import norm_isf
from statistikles.stats._graph_models import expected_counts
from statistikles.stats._likelihood import CONTINUOUS, Fitted
from statistikles.stats._likelihood_counts import COUNTS

__all__ = ["mle_fit"]

declare_tool(
    "mle_fit",
    title="Maximum-likelihood fit of a distribution",
    summary="Fits a named distribution to one variable by maximum likelihood.",
)

Data = Annotated[FloatArray, Vector(min_n=2)]
Distribution = Annotated[
    str,
    Choice(
        (*CONTINUOUS, *COUNTS),
        aliases=(
            ("gaussian", "normal"),
            ("norm", "normal"),
            ("log_normal", "lognormal"),
            ("lognorm", "lognormal"),
            ("expon", "exponential"),
            ("exp", "exponential"),
            ("nbinom", "negative_binomial"),
            ("double_exponential", "laplace"),
            ("gumbel_r", "gumbel"),
            ("wald", "inverse_gaussian"),
            ("invgauss", "inverse_gaussian"),
            ("binary", "bernoulli"),
        ),
    ),
]

# What values each family can take: (test, what is said of it).
_POSITIVE = ("lognormal", "gamma", "weibull", "pareto", "rayleigh", "inverse_gaussian")
_WHOLE = ("poisson", "geometric", "negative_binomial")
# Families whose unit can be taken out; the others are free of scale or take logarithms.
_SCALED = (
    "normal",
    "exponential",
    "gamma",
    "weibull",
    "uniform",
    "laplace",
    "logistic",
    "gumbel",
    "pareto",
    "rayleigh",
    "inverse_gaussian",
)
_REAL = {
    "mean": ("normal",),
    "meanlog": ("lognormal",),
    "location": ("laplace", "logistic", "gumbel"),
    "minimum": ("uniform",),
    "maximum": ("uniform",),
}


@statistic(
    tool="mle_fit",
    title="Maximum-likelihood fit",
    use_when="a named distribution is to be fitted to one variable, to get its parameters and how well it fits",
    utterances=(
        "fit a gamma distribution",
        "estimate the parameters of a Weibull",
        "maximum likelihood estimate",
        "what is the rate of this Poisson process",
        "which parameters describe these waiting times",
    ),
    refs=(
        "Fisher 1922, doi:10.1098/rsta.1922.0009",
        "Johnson, Kotz & Balakrishnan 1994, Continuous Univariate Distributions, 2nd ed.",
    ),
    laws=(),
    oracle="scipy.stats:rv_continuous.fit",
    formula="θ̂ = argmax Σ log f(x; θ); standard errors from the inverse of −∂²ℓ/∂θ² at θ̂",
    equivalents={
        "R": 'MASS::fitdistr(data, "gamma")',
        "Python": "scipy.stats.gamma.fit(data, floc=0)",
    },
    example={
        "data": [0.8, 1.9, 2.4, 3.1, 0.5, 1.2, 4.4, 2.2, 1.7, 2.9, 0.9, 3.6],
        "distribution": "gamma",
    },
)
def mle_fit(data: Data, distribution: Distribution, *, alpha: Alpha = 0.05, graph: Switch = False) -> Fit:
    """Fit a distribution by maximum likelihood, with standard errors, information criteria and KS distance.

    Parameters
    ----------
    data : the values.
    distribution : name of the distribution: normal, lognormal, exponential, gamma, weibull, beta, uniform,
        laplace, logistic, gumbel, pareto, rayleigh, inverse_gaussian, poisson, geometric (failures before
        the first success), negative_binomial or bernoulli.
    alpha : intervals have confidence 1 - alpha.
    graph : list the counts that the fit lets one expect, for a picture over the histogram.

    Returns
    -------
    Fit : one term per parameter; other parametrisations under `details.parametrisations`.

    Raises
    ------
    InputError : values the distribution cannot take.
    NotDefined : the likelihood has no maximum, such as for constant data.
    """
    _check_support(data, distribution)
    unit = _unit(data, distribution)
    fitted, distance = _solved(data / unit, distribution)
    value = fitted.log_likelihood - data.size * math.log(unit)
    k = len(fitted.estimates)
    derived, missing = _derived(fitted, unit)
    irregular = {k: fitted.irregular for k, v in fitted.errors.items() if v is None}
    return Fit(
        method=f"Maximum-likelihood fit of the {distribution.replace('_', ' ')} distribution",
        terms={
            name: _term(name, estimate, fitted.errors[name], distribution, unit, alpha, irregular)
            for name, estimate in fitted.estimates.items()
        },
        conf_level=1 - alpha,
        alpha=alpha,
        log_likelihood=value,
        aic=2 * k - 2 * value,
        bic=k * math.log(data.size) - 2 * value,
        n=int(data.size),
        details={
            "parametrisations": {**derived, **({"undefined": missing} if missing else {})},
            **({"graph": _expected(data, fitted, distribution, unit)} if graph else {}),
        },
        diagnostics={
            "kolmogorov_smirnov": {
                "distance": Quantity(distance, Role.DISTANCE),
                "note": "no p value: the parameters were estimated from the same data",
            }
        },
        conventions=(
            f"standard errors from the {fitted.information} information at the maximum",
            "Wald intervals: on the log scale for positive parameters, on the logit scale for probabilities",
            *_SAID.get(distribution, ()),
        ),
    )


_SAID: dict[str, tuple[str, ...]] = {
    "normal": ("std_dev divides by n (maximum likelihood); std_dev_unbiased divides by n − 1",),
    "exponential": ("rate is 1/mean; scale is the mean",),
    "gamma": ("shape and scale; rate is 1/scale; location fixed at 0",),
    "weibull": ("S(x) = exp(−(x/scale)^shape); location fixed at 0",),
    "lognormal": (
        "meanlog and sdlog are the mean and (n-divisor) standard deviation of log x; scale is exp(meanlog)",
    ),
    "geometric": ("counts are failures before the first success",),
    "negative_binomial": ("size and mean: variance = mean + mean²/size; probability = size/(size + mean)",),
    "pareto": ("S(x) = (scale/x)^shape",),
    "gumbel": ("the Gumbel distribution of maxima",),
    "inverse_gaussian": ("mean and shape (λ): variance = mean³/shape",),
    "laplace": ("the location is the median",),
}


# Steps ---------------------------------------------------------------------------------------------------


def _expected(data: FloatArray, fitted: Fitted, distribution: str, unit: float) -> list[dict[str, Any]]:
    """Expected counts over the histogram; outside its support a distribution function is 0 or 1."""
    low, high = -math.inf, math.inf
    if distribution in _POSITIVE or distribution in COUNTS or distribution in ("exponential", "bernoulli"):
        low = 0.0 if distribution in COUNTS or distribution == "exponential" else math.ulp(0.0)
    if distribution in ("uniform", "pareto"):
        low = float(data.min())
    if distribution in ("uniform", "beta"):
        high = float(data.max()) if distribution == "uniform" else math.nextafter(1.0, 0.0)
    return expected_counts(data, lambda at: fitted.cdf(at / unit), (low, high), whole=distribution in COUNTS)


def _check_support(x: FloatArray, distribution: str) -> None:
    wanted = ""
    if distribution in _POSITIVE and x.min() <= 0:
        wanted = "values above zero"
    elif distribution == "exponential" and x.min() < 0:
        wanted = "values of at least zero"
    elif distribution == "beta" and (x.min() <= 0 or x.max() >= 1):
        wanted = "values strictly between 0 and 1"
    elif distribution in _WHOLE and (x.min() < 0 or x.max() > 2**53 or (x != np.floor(x)).any()):
        wanted = "counts: whole numbers from zero to 2**53"
    elif distribution == "bernoulli" and not np.isin(x, (0.0, 1.0)).all():
        wanted = "only 0 and 1"
    if wanted:
        raise InputError(
            f"The {distribution.replace('_', ' ')} distribution takes {wanted}; the data hold others "
            f"(from {x.min():g} to {x.max():g}).",
            hint="Choose a distribution that can take these values.",
            where="data",
            code="out_of_support",
        )


def _solved(x: FloatArray, distribution: str) -> tuple[Fitted, float]:
    """The fit and its Kolmogorov-Smirnov distance."""
    try:
        fitted = {**CONTINUOUS, **COUNTS}[distribution](x)
        return fitted, _ks_distance(x, fitted, discrete=distribution in COUNTS)
    except (ValueError, ArithmeticError) as error:
        raise NotDefined(
            f"The {distribution.replace('_', ' ')} likelihood cannot be evaluated: the values span too wide a range.",
            hint="Check for extreme or miscoded values.",
            where="data",
            code="numerical",
        ) from error


def _unit(x: FloatArray, distribution: str) -> float:
    """A power of two to divide by, where the squares of the values would leave the range of a double."""
    exponent = math.frexp(float(np.abs(x).max()))[1]
    return 2.0 ** (exponent - 1) if distribution in _SCALED and abs(exponent) > 200 else 1.0


# The power of the data's unit that a parameter carries.
_UNIT_POWER = {
    **dict.fromkeys(("scale", "location", "mean", "median", "minimum", "maximum", "width", "half_life"), 1),
    **dict.fromkeys(("std_dev", "std_dev_unbiased"), 1),
    **dict.fromkeys(("variance", "mean_square"), 2),
    **dict.fromkeys(("rate", "dispersion"), -1),
    "precision": -2,
}


def _in_units(name: str, value: float, distribution: str, unit: float) -> float:
    power = 1 if (name, distribution) == ("shape", "inverse_gaussian") else _UNIT_POWER.get(name, 0)
    for _ in range(abs(power)):
        value = value * unit if power > 0 else value / unit
    return value


def _derived(fitted: Fitted, unit: float) -> tuple[dict[str, float | None], dict[str, str]]:
    out: dict[str, float | None] = {}
    missing = {}
    for name, value in fitted.derived.items():
        shown = _in_units(name, value, "", unit)
        if math.isfinite(shown) and (shown != 0 or value == 0):
            out[name] = shown
        else:
            out[name] = None
            missing[name] = "it is infinite, or does not fit a double-precision number"
    return out, missing


def _term(
    name: str,
    estimate: float,
    error: float | None,
    distribution: str,
    unit: float,
    alpha: float,
    irregular: dict[str, str],
) -> Term:
    shown = _in_units(name, estimate, distribution, unit)
    if error is None:
        return Term(
            estimate=shown, undefined=dict.fromkeys(("std_error", "conf_low", "conf_high"), irregular[name])
        )
    reach = norm_isf(alpha / 2)
    if distribution in _REAL.get(name, ()):
        low, high = estimate - reach * error, estimate + reach * error
    elif name == "probability":
        logit, width = math.log(estimate / (1 - estimate)), reach * error / (estimate * (1 - estimate))
        low, high = 1 / (1 + math.exp(width - logit)), 1 / (1 + math.exp(-width - logit))
    else:
        factor = math.exp(min(reach * error / estimate, 700.0))
        low, high = estimate / factor, estimate * factor
    return Term(
        estimate=shown,
        std_error=_in_units(name, error, distribution, unit),
        conf_low=_in_units(name, low, distribution, unit),
        conf_high=_in_units(name, high, distribution, unit),
    )


def _ks_distance(x: FloatArray, fitted: Fitted, *, discrete: bool) -> float:
    """Largest distance between the empirical and the fitted distribution function."""
    ordered = np.sort(x)
    values, last = np.unique(ordered, return_index=True)
    after = np.append(last[1:], x.size) / x.size  # share of values up to and including each
    before = last / x.size
    model = fitted.cdf(values)
    if not bool(np.isfinite(model).all()):
        raise NotDefined("The fitted distribution cannot be evaluated.", where="data", code="numerical")
    if not discrete:
        return float(max(np.max(after - model), np.max(model - before), 0.0))
    just_below: Any = fitted.cdf(values - 1)
    low = np.where(values > 0, just_below, 0.0)
    return float(max(np.max(np.abs(after - model)), np.max(np.abs(low - before))))
