"""Expectation-maximisation for a mixture of normal distributions on standardised values, from several seeded starts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FLOOR", "MixtureFit", "fit_mixture", "responsibilities"]

Vector = NDArray[np.float64]

FLOOR = 1e-6  # least variance of a component, as a share of the variance of the data
_SHORT = 60
_LONG = 5000
_TOLERANCE = 1e-12
_FINALISTS = 3


@dataclass(frozen=True)
class MixtureFit:
    """Weights, means and variances in order of the means, with the path of the log likelihood."""

    weights: Vector
    means: Vector
    variances: Vector
    log_likelihood: float
    trace: tuple[float, ...]
    converged: bool


def _log_joint(x: Vector, weights: Vector, means: Vector, variances: Vector) -> Vector:
    out: Vector = (
        np.log(weights) - 0.5 * np.log(2 * math.pi * variances) - 0.5 * (x[:, None] - means) ** 2 / variances
    )
    return out


def responsibilities(x: Vector, weights: Vector, means: Vector, variances: Vector) -> tuple[Vector, float]:
    """Posterior probabilities of the components for every value, and the log likelihood."""
    joint = _log_joint(x, weights, means, variances)
    top = joint.max(axis=1, keepdims=True)
    total = top[:, 0] + np.log(np.exp(joint - top).sum(axis=1))
    return np.exp(joint - total[:, None]), math.fsum(total.tolist()) if x.size < 10_000 else float(
        total.sum()
    )


def _maximise(x: Vector, r: Vector) -> tuple[Vector, Vector, Vector]:
    size = np.maximum(r.sum(axis=0), 1e-300)
    means = (r * x[:, None]).sum(axis=0) / size
    variances = (r * (x[:, None] - means) ** 2).sum(axis=0) / size
    return np.maximum(size / size.sum(), 1e-300), means, np.maximum(variances, FLOOR)


def _run(
    x: Vector, start: tuple[Vector, Vector, Vector], steps: int, trace: tuple[float, ...] = ()
) -> tuple[tuple[Vector, Vector, Vector], tuple[float, ...], bool]:
    state, path = start, list(trace)
    for _ in range(steps):
        r, value = responsibilities(x, *state)
        if path and abs(value - path[-1]) <= _TOLERANCE * max(1.0, abs(value)):
            path.append(max(value, path[-1]))
            return state, tuple(path), True
        path.append(value if not path else max(value, path[-1]))
        state = _maximise(x, r)
    return state, tuple(path), False


def _from_centres(x: Vector, centres: Vector) -> tuple[Vector, Vector, Vector]:
    """A start from the values nearest to each centre, with a spread that is never tiny."""
    nearest = np.abs(x[:, None] - centres).argmin(axis=1)
    r = np.zeros((x.size, centres.size))
    r[np.arange(x.size), nearest] = 1.0
    weights, means, variances = _maximise(x, r + 1e-3 / centres.size)
    return weights, means, np.maximum(variances, 1e-3)


def _plus_plus(x: Vector, k: int, rng: np.random.Generator) -> Vector:
    """Centres by k-means++: each next one far from those there are, with probability by squared distance."""
    centres = [float(x[rng.integers(x.size)])]
    while len(centres) < k:
        gap = np.min((x[:, None] - np.array(centres)) ** 2, axis=1)
        total = float(gap.sum())
        centres.append(float(x[rng.choice(x.size, p=gap / total)]) if total > 0 else centres[-1])
    return np.sort(np.array(centres))


def fit_mixture(x: Vector, k: int, *, n_starts: int, seed: int) -> MixtureFit:
    """The best of several EM runs on values of mean 0 and variance 1; the first start is by quantiles."""
    rng = np.random.default_rng(seed)
    ordered = np.sort(x)
    places = ((np.arange(k) + 0.5) / k * x.size).astype(int)
    starts = [ordered[places], *(_plus_plus(x, k, rng) for _ in range(n_starts))]
    runs = [_run(x, _from_centres(x, centres), _SHORT) for centres in starts]
    ranked = sorted(range(len(runs)), key=lambda i: (-runs[i][1][-1], i))[:_FINALISTS]
    finished = []
    for i in ranked:
        state, trace, done = runs[i]
        if not done:
            state, trace, done = _run(x, state, _LONG, trace)
        finished.append((state, trace, done))
    best = max(range(len(finished)), key=lambda i: (round(finished[i][1][-1], 9), -i))
    (weights, means, variances), trace, converged = finished[best]
    order = np.lexsort((variances, means))
    return MixtureFit(weights[order], means[order], variances[order], trace[-1], trace, converged)
