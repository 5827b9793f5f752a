"""Expectation-maximisation for a mixture of normal distributions on standardised values, from several seeded starts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["FLOOR", "MixtureFit", "fit_mixture", "responsibilities"]

Vector = NDArray[np.float64]
State = tuple[Vector, Vector, Vector]

FLOOR = 1e-6  # least variance of a component, as a share of the variance of the data
_SHORT = 15  # cycles of three evaluations
_LONG = 2000
_BUDGET = 20_000_000  # values times components times cycles of a long run
_FINALISTS = 3
_SAMPLE = 5000  # values on which the starts are tried
_LARGE = 2000  # values from which one finalist and ten digits of the likelihood must do


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


def _maximise(x: Vector, r: Vector) -> State:
    size = np.maximum(r.sum(axis=0), 1e-300)
    means = (r * x[:, None]).sum(axis=0) / size
    variances = (r * (x[:, None] - means) ** 2).sum(axis=0) / size
    return np.maximum(size / size.sum(), 1e-300), means, np.maximum(variances, FLOOR)


def _run(
    x: Vector, start: State, steps: int, trace: tuple[float, ...] = ()
) -> tuple[State, tuple[float, ...], bool]:
    """Cycles of two EM steps and an extrapolated one (Varadhan & Roland 2008), kept only where it gains."""
    state, path = start, list(trace)
    tolerance = 1e-12 if x.size <= _LARGE else 1e-10
    r, value = responsibilities(x, *state)
    for _ in range(steps):
        path.append(value if not path else max(value, path[-1]))
        first = _maximise(x, r)
        r, value_1 = responsibilities(x, *first)
        if abs(value_1 - value) <= tolerance * max(1.0, abs(value_1)):
            path.append(max(value_1, path[-1]))
            return first, tuple(path), True
        second = _maximise(x, r)
        r, value = responsibilities(x, *second)
        path += [max(value_1, path[-1]), max(value, value_1, path[-1])]
        ahead = _extrapolated(state, first, second)
        state = second
        if ahead is not None:
            r_ahead, value_ahead = responsibilities(x, *ahead)
            if math.isfinite(value_ahead) and value_ahead > value:
                state, r, value = ahead, r_ahead, value_ahead
    return state, tuple(path), False


def _free(state: State) -> Vector:
    """Parameters without bounds: log weights, means, log variances."""
    return np.concatenate((np.log(state[0]), state[1], np.log(state[2])))


def _extrapolated(zero: State, one: State, two: State) -> State | None:
    start = _free(zero)
    step = _free(one) - start
    bend = _free(two) - _free(one) - step
    size = float(np.linalg.norm(bend))
    if not size > 0.0:
        return None
    reach = min(-1.0, max(-256.0, -float(np.linalg.norm(step)) / size))
    if reach == -1.0:  # the second step itself
        return None
    log_weights, means, log_variances = np.split(start - 2 * reach * step + reach * reach * bend, 3)
    weights = np.exp(log_weights - log_weights.max())
    weights = np.maximum(weights / weights.sum(), 1e-300)
    return weights, means, np.maximum(np.exp(np.clip(log_variances, -50.0, 50.0)), FLOOR)


def _from_centres(x: Vector, centres: Vector) -> State:
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
    few = x if x.size <= _SAMPLE else x[np.sort(rng.choice(x.size, _SAMPLE, replace=False))]
    ordered = np.sort(few)
    places = ((np.arange(k) + 0.5) / k * few.size).astype(int)
    starts = [ordered[places], *(_plus_plus(few, k, rng) for _ in range(n_starts))]
    runs = [_run(few, _from_centres(few, centres), _SHORT) for centres in starts]
    ranked = sorted(range(len(runs)), key=lambda i: (-runs[i][1][-1], i))
    ranked = ranked[: _FINALISTS if x.size <= _LARGE else 1]
    steps = max(20, min(_LONG, _BUDGET // (x.size * k)))
    finished = []
    for i in ranked:
        state, trace, done = runs[i]
        if few is not x:
            state, trace, done = _run(x, state, steps)
        elif not done:
            state, trace, done = _run(x, state, steps, trace)
        finished.append((state, trace, done))
    best = max(range(len(finished)), key=lambda i: (round(finished[i][1][-1], 9), -i))
    (weights, means, variances), trace, converged = finished[best]
    order = np.lexsort((variances, means))
    return MixtureFit(weights[order], means[order], variances[order], trace[-1], trace, converged)
