"""Named distributions for goodness of fit: distribution function, maximum-likelihood fit and simulation, each over
many samples at once (rows), and the Kolmogorov-Smirnov distance with its Monte Carlo p value."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special as sc

from statistikles.errors import InputError, NotDefined
from statistikles.stats._numerics import Vector

__all__ = [
    "FAMILIES",
    "LARGEST_COUNT",
    "Family",
    "check_support",
    "distance",
    "fit_one",
    "simulated_p",
    "unit_of",
]

Rows = NDArray[np.float64]
_BATCH = 2_000_000
# Beyond this, whole numbers and their distances are no longer exact in double precision.
LARGEST_COUNT = 1e12


@dataclass(frozen=True)
class Family:
    """A family of distributions. Parameters are arrays of one column per sample."""

    names: tuple[str, ...]
    support: str
    cdf: Callable[..., Rows]
    fit: Callable[[Rows], tuple[Rows, ...]]
    draw: Callable[..., Rows]
    discrete: bool = False


def _column(values: Rows) -> Rows:
    return values[:, None]


def _fit_normal(x: Rows) -> tuple[Rows, ...]:
    return _column(x.mean(axis=1)), _column(x.std(axis=1, ddof=1))


def _fit_gamma(x: Rows) -> tuple[Rows, ...]:
    mean = x.mean(axis=1)
    s = np.log(mean) - np.log(x).mean(axis=1)
    shape = (3 - s + np.sqrt((s - 3) ** 2 + 24 * s)) / (12 * s)  # Minka 2002's start
    for _ in range(20):
        step = (np.log(shape) - sc.digamma(shape) - s) / (1 / shape - sc.zeta(2, shape))
        shape = np.where(step < shape, shape - step, shape / 2)
        if (np.abs(step) <= 1e-14 * shape).all():
            break
    return _column(shape), _column(mean / shape)


def _fit_weibull(x: Rows) -> tuple[Rows, ...]:
    y = np.log(x)
    top = y.max(axis=1)
    y = y - top[:, None]
    mean = y.mean(axis=1)
    shape = math.pi / math.sqrt(6) / y.std(axis=1)
    for _ in range(100):  # Newton on the profile likelihood of the shape, which is increasing
        weight = np.exp(shape[:, None] * y)
        total = weight.sum(axis=1)
        first = (weight * y).sum(axis=1) / total
        second = (weight * y * y).sum(axis=1) / total
        step = (first - 1 / shape - mean) / (second - first**2 + 1 / shape**2)
        shape = np.where(step < shape, shape - step, shape / 2)
        if (np.abs(step) <= 1e-13 * shape).all():
            break
    scale = np.exp(top) * np.exp(shape[:, None] * y).mean(axis=1) ** (1 / shape)
    return _column(shape), _column(scale)


def _poisson_cdf(x: Rows, mean: Rows) -> Rows:
    return np.where(x < 0, 0.0, sc.pdtr(np.maximum(np.floor(x), 0.0), mean))


def _positive_part(x: Rows) -> Rows:
    return np.maximum(x, 0.0)


FAMILIES: dict[str, Family] = {
    "normal": Family(
        ("mean", "sd"),
        "real",
        lambda x, mean, sd: sc.ndtr((x - mean) / sd),
        _fit_normal,
        lambda rng, shape, mean, sd: mean + sd * rng.standard_normal(shape),
    ),
    "lognormal": Family(
        ("meanlog", "sdlog"),
        "positive",
        lambda x, mean, sd: np.where(x > 0, sc.ndtr((np.log(np.where(x > 0, x, 1.0)) - mean) / sd), 0.0),
        lambda x: _fit_normal(np.log(x)),
        lambda rng, shape, mean, sd: np.exp(mean + sd * rng.standard_normal(shape)),
    ),
    "uniform": Family(
        ("low", "high"),
        "real",
        lambda x, low, high: np.clip((x - low) / (high - low), 0.0, 1.0),
        lambda x: (_column(x.min(axis=1)), _column(x.max(axis=1))),
        lambda rng, shape, low, high: low + (high - low) * rng.random(shape),
    ),
    "exponential": Family(
        ("scale",),
        "not negative",
        lambda x, scale: -np.expm1(-_positive_part(x) / scale),
        lambda x: (_column(x.mean(axis=1)),),
        lambda rng, shape, scale: scale * rng.standard_exponential(shape),
    ),
    "gamma": Family(
        ("shape", "scale"),
        "positive",
        lambda x, shape, scale: sc.gammainc(shape, _positive_part(x) / scale),
        _fit_gamma,
        lambda rng, size, shape, scale: scale * rng.standard_gamma(np.broadcast_to(shape, size)),
    ),
    "weibull": Family(
        ("shape", "scale"),
        "positive",
        lambda x, shape, scale: -np.expm1(-((_positive_part(x) / scale) ** shape)),
        _fit_weibull,
        lambda rng, size, shape, scale: scale * rng.standard_exponential(size) ** (1 / shape),
    ),
    "poisson": Family(
        ("mean",),
        "counts",
        _poisson_cdf,
        lambda x: (_column(x.mean(axis=1)),),
        lambda rng, size, mean: rng.poisson(np.broadcast_to(mean, size)).astype(np.float64),
        discrete=True,
    ),
}


def unit_of(x: Vector) -> float:
    """A power of two near the size of the data when that is extreme, else 1: fits are made in this unit."""
    top = float(np.abs(x).max())
    exponent = math.frexp(top)[1] if top else 0
    return math.ldexp(1.0, exponent - 1) if abs(exponent) > 200 else 1.0


def fit_one(x: Vector, name: str) -> tuple[float, ...]:
    """Maximum-likelihood parameters of one sample (the normal's standard deviation with n - 1)."""
    if x.size < 2 or float(x.min()) == float(x.max()):
        if name in ("exponential", "poisson") and float(x.max()) > 0:
            return (float(x.mean()),)
        raise NotDefined(
            f"The {name} distribution cannot be fitted to constant data.", where="data", code="zero_variance"
        )
    with np.errstate(all="ignore"):
        fitted = tuple(float(p[0, 0]) for p in FAMILIES[name].fit(x[None, :]))
    if not all(math.isfinite(p) for p in fitted) or (name != "uniform" and fitted[-1] <= 0):
        raise NotDefined(
            f"The fit of the {name} distribution did not converge.",
            hint="The values are nearly constant or far too spread out for this distribution.",
            where="data",
            code="no_convergence",
        )
    return fitted


def check_support(x: Vector, name: str) -> None:
    """Refuse values the distribution cannot produce."""
    support = FAMILIES[name].support
    low = float(x.min())
    problem = ""
    if support == "positive" and low <= 0:
        problem = f"needs positive values; the smallest is {low:g}"
    elif support != "real" and low < 0:
        problem = f"needs values of at least 0; the smallest is {low:g}"
    elif support == "counts" and bool((x != np.floor(x)).any()):
        problem = "needs counts: whole numbers from 0"
    elif support == "counts" and float(x.max()) > LARGEST_COUNT:
        problem = f"is offered for counts up to {LARGEST_COUNT:g}"
    if problem:
        raise InputError(f"The {name} distribution {problem}.", where="data", code="out_of_range")


def distance(rows: Rows, family: Family, parameters: tuple[Rows, ...]) -> Vector:
    """The Kolmogorov-Smirnov distance of each row from its distribution."""
    n = rows.shape[1]
    ordered = np.sort(rows, axis=1)
    probability = family.cdf(ordered, *parameters)
    step = np.arange(1, n + 1) / n
    if not family.discrete:
        out: Vector = np.maximum((step - probability).max(axis=1), (probability - step + 1 / n).max(axis=1))
        return out
    # Both functions jump at whole numbers only: compare them at each value and just below it.
    last = np.append(ordered[:, 1:] != ordered[:, :-1], np.ones((rows.shape[0], 1), dtype=bool), axis=1)
    first = np.roll(last, 1, axis=1)
    at = np.where(last, np.abs(step - probability), 0.0)
    before = np.where(first, np.abs(family.cdf(ordered - 1, *parameters) - step + 1 / n), 0.0)
    discrete: Vector = np.maximum(at.max(axis=1), before.max(axis=1))
    return discrete


def simulated_p(
    observed: float,
    n: int,
    family: Family,
    parameters: tuple[float, ...],
    reps: int,
    seed: int,
    *,
    refit: bool,
) -> tuple[float, float]:
    """Monte Carlo p of a distance, (b + 1)/(m + 1), and its standard error; `refit` fits every simulated sample."""
    rng = np.random.default_rng(seed)
    fixed = tuple(np.full((1, 1), p) for p in parameters)
    reached, done = 0, 0
    batch = max(1, min(reps, _BATCH // n))
    while done < reps:
        size = min(batch, reps - done)
        rows = family.draw(rng, (size, n), *fixed)
        with np.errstate(all="ignore"):
            found = distance(rows, family, family.fit(rows) if refit else fixed)
        # A sample that cannot be fitted counts as extreme: the p value may only grow.
        reached += int((~(found < observed - 1e-12)).sum())
        done += size
    p = (reached + 1) / (reps + 1)
    return p, math.sqrt(p * (1 - p) / reps)
