"""Maximum likelihood of count distributions: Poisson, geometric, negative binomial, Bernoulli."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import special as sc

from statistikles.errors import NotDefined
from statistikles.stats._likelihood import Fitted, flat
from statistikles.stats._numerics import find_root

__all__ = ["COUNTS"]

Vector = NDArray[np.float64]


def poisson(x: Vector) -> Fitted:
    n, mean = x.size, float(x.mean())
    if mean == 0:
        raise _all_zero("Poisson", n)
    return Fitted(
        {"rate": mean},
        {"rate": math.sqrt(mean / n)},
        float(x.sum()) * math.log(mean) - n * mean - float(sc.gammaln(x + 1).sum()),
        lambda v: np.asarray(sc.gammaincc(np.floor(v) + 1, mean)),
        {"mean": mean, "mean_interval": 1 / mean},
    )


def _all_zero(family: str, n: int) -> NotDefined:
    return NotDefined(
        f"All counts are zero: the {family} rate is estimated as 0, at the edge of what is possible.",
        hint=f"Report an upper limit instead, such as 3/n = {3 / n:.3g} (rule of three).",
        where="data",
        code="boundary",
    )


def geometric(x: Vector) -> Fitted:
    """Failures before the first success."""
    n, mean = x.size, float(x.mean())
    if mean == 0:
        raise _all_zero("geometric failure", n)
    p = 1 / (1 + mean)
    return Fitted(
        {"probability": p},
        {"probability": p * math.sqrt(mean * p / n)},
        n * math.log(p) + float(x.sum()) * math.log(mean * p),
        lambda v: -np.expm1((np.floor(v) + 1) * math.log(mean * p)),
        {"mean_failures": mean, "mean_trials": 1 + mean, "odds": 1 / mean},
    )


def negative_binomial(x: Vector) -> Fitted:
    n, mean = x.size, float(x.mean())
    if mean == 0:
        raise _all_zero("negative binomial", n)
    if float(((x - mean) ** 2).mean()) <= mean * (1 + 1e-12):
        raise NotDefined(
            "The negative binomial likelihood has no maximum: the variance does not exceed the mean.",
            hint="Fit a Poisson distribution.",
            where="data",
            code="no_overdispersion",
        )
    values, counts = np.unique(x, return_counts=True)

    def score(u: float) -> float:
        r = math.exp(u)
        # digamma(x + r) - digamma(r) and log(1 + mean/r) shrink alike; dividing by 1/r keeps the sign visible
        return r * (float(counts @ (sc.digamma(values + r) - sc.digamma(r))) / n - math.log1p(mean / r))

    start = math.log(mean * mean / (float(x.var()) - mean))
    low, high = start - 2, start + 2
    while score(low) < 0 and low > -700:
        low -= 2
    while score(high) > 0 and high < 30:
        high += 2
    if score(high) > 0:
        raise NotDefined(
            "The negative binomial size is too large to estimate.", where="data", code="no_convergence"
        )
    r = math.exp(find_root(score, low, high, rtol=1e-14))
    curvature = float(counts @ (sc.polygamma(1, values + r) - float(sc.polygamma(1, r)))) + n * (
        1 / r - 1 / (r + mean)
    )
    p = r / (r + mean)
    return Fitted(
        {"size": r, "mean": mean},
        {"size": math.sqrt(-1 / curvature), "mean": math.sqrt((mean + mean * mean / r) / n)},
        float(counts @ (sc.gammaln(values + r) - math.lgamma(r) - sc.gammaln(values + 1)))
        + n * r * math.log(p)
        + float(x.sum()) * math.log(mean / (r + mean)),
        lambda v: np.asarray(sc.betainc(r, np.floor(v) + 1, p)),
        {"probability": p, "dispersion": 1 / r, "variance": mean + mean * mean / r},
    )


def bernoulli(x: Vector) -> Fitted:
    n, p = x.size, float(x.mean())
    if p in (0.0, 1.0):
        raise flat("Bernoulli")
    return Fitted(
        {"probability": p},
        {"probability": math.sqrt(p * (1 - p) / n)},
        n * (p * math.log(p) + (1 - p) * math.log1p(-p)),
        lambda v: np.where(v < 0, 0.0, np.where(v < 1, 1 - p, 1.0)),
        {"odds": p / (1 - p), "logit": math.log(p) - math.log1p(-p)},
    )


COUNTS: dict[str, Callable[[Vector], Fitted]] = {
    "poisson": poisson,
    "geometric": geometric,
    "negative_binomial": negative_binomial,
    "bernoulli": bernoulli,
}
