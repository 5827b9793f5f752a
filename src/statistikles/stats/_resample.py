"""Statistics over many resamples at once, their leave-one-out values, and the seeded drawing of resamples.

Resamples are drawn in blocks of fixed size; every block has its own stream, spawned from the seed and
its number, so neither the number of threads nor their order changes a single value.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["STATISTICS", "Statistic", "draw", "jackknife", "on_rows"]

Array = NDArray[np.float64]
Positions = NDArray[Any]
_BLOCK = 2**18  # values per block: indices and values stay in cache
_THREADED = 2_000_000


@dataclass(frozen=True)
class Statistic:
    """A statistic of each row of values, with the words for it."""

    label: str
    rows: Callable[[Array], Array]
    smooth: bool = True
    # The same from the sorted sample and the drawn positions: small integers are ordered faster than doubles.
    positions: Callable[[Array, Positions], Array] | None = None


# Rows ----------------------------------------------------------------------------------------------------


def _mean(v: Array) -> Array:
    out: Array = v.mean(axis=1)
    return out


def _moment(v: Array) -> tuple[Array, Array]:
    d = v - v.mean(axis=1, keepdims=True)
    return d, np.einsum("ij,ij->i", d, d)


def _variance(v: Array) -> Array:
    out: Array = _moment(v)[1] / (v.shape[1] - 1)
    return out


def _sd(v: Array) -> Array:
    out: Array = np.sqrt(_variance(v))
    return out


def _cv(v: Array) -> Array:
    mean = v.mean(axis=1)
    return np.where(mean != 0, _sd(v) / np.where(mean != 0, mean, 1.0), np.nan)


def _skewness(v: Array) -> Array:
    """Type 2, as descriptive_statistics leads with."""
    n = v.shape[1]
    d, ss = _moment(v)
    m3 = np.einsum("ij,ij,ij->i", d, d, d) / n
    g1 = m3 / np.where(ss > 0, ss / n, np.nan) ** 1.5
    out: Array = g1 * math.sqrt(n * (n - 1)) / (n - 2)
    return out


def _kurtosis(v: Array) -> Array:
    n = v.shape[1]
    d, ss = _moment(v)
    q = d * d
    g2 = np.einsum("ij,ij->i", q, q) / n / np.where(ss > 0, ss / n, np.nan) ** 2 - 3
    out: Array = ((n + 1) * g2 + 6) * (n - 1) / ((n - 2) * (n - 3))
    return out


def _spots(n: int, p: float) -> tuple[int, int, float]:
    """Positions and weight of a type-7 quantile."""
    place = (n - 1) * p
    low = math.floor(place + 1e-12)
    return low, min(low + 1, n - 1), max(0.0, place - low)


def _quantiles(v: Array, *probabilities: float) -> list[Array]:
    spots = [_spots(v.shape[1], p) for p in probabilities]
    ordered = np.partition(v, sorted({k for low, high, _ in spots for k in (low, high)}), axis=1)
    return [(1 - g) * ordered[:, low] + g * ordered[:, high] for low, high, g in spots]


def _position_quantiles(ordered: Array, index: Positions, *probabilities: float) -> list[Array]:
    spots = [_spots(index.shape[1], p) for p in probabilities]
    index.partition(sorted({k for low, high, _ in spots for k in (low, high)}), axis=1)
    return [(1 - g) * ordered[index[:, low]] + g * ordered[index[:, high]] for low, high, g in spots]


def _median_at(ordered: Array, index: Positions) -> Array:
    return _position_quantiles(ordered, index, 0.5)[0]


def _iqr_at(ordered: Array, index: Positions) -> Array:
    q1, q3 = _position_quantiles(ordered, index, 0.25, 0.75)
    return q3 - q1


def _trimmed_at(ordered: Array, index: Positions) -> Array:
    n = index.shape[1]
    cut = n // 10
    if cut:
        index.partition((cut, n - cut - 1), axis=1)
    return _mean(ordered[index[:, cut : n - cut]])


def _median(v: Array) -> Array:
    return _quantiles(v, 0.5)[0]


def _iqr(v: Array) -> Array:
    q1, q3 = _quantiles(v, 0.25, 0.75)
    return q3 - q1


def _mad(v: Array) -> Array:
    return _median(np.abs(v - _median(v)[:, None]))


def _trimmed(v: Array) -> Array:
    cut = v.shape[1] // 10
    if cut == 0:
        return _mean(v)
    ordered = np.partition(v, (cut, v.shape[1] - cut - 1), axis=1)
    out: Array = ordered[:, cut : v.shape[1] - cut].mean(axis=1)
    return out


STATISTICS: dict[str, Statistic] = {
    "mean": Statistic("mean", _mean),
    "median": Statistic("median", _median, smooth=False, positions=_median_at),
    "variance": Statistic("variance (n − 1)", _variance),
    "sd": Statistic("standard deviation (n − 1)", _sd),
    "trimmed_mean": Statistic("10% trimmed mean", _trimmed, positions=_trimmed_at),
    "iqr": Statistic("interquartile range (type 7)", _iqr, smooth=False, positions=_iqr_at),
    "mad": Statistic("median absolute deviation (raw)", _mad, smooth=False),
    "cv": Statistic("coefficient of variation", _cv),
    "skewness": Statistic("skewness (type 2)", _skewness),
    "kurtosis": Statistic("excess kurtosis (type 2)", _kurtosis),
}


def correlations(x: Array, y: Array) -> Array:
    """Pearson's r of each pair of rows; NaN where a row is constant."""
    dx, sx = _moment(x)
    dy, sy = _moment(y)
    product = np.sqrt(sx) * np.sqrt(sy)
    r = np.einsum("ij,ij->i", dx, dy) / np.where(product > 0, product, np.nan)
    out: Array = np.clip(r, -1.0, 1.0)
    return out


def on_rows(name: str) -> Callable[..., Array]:
    """The function from resampled rows (of one or two variables) to the statistic of each."""
    return correlations if name == "correlation" else STATISTICS[name].rows


# Drawing -------------------------------------------------------------------------------------------------


def draw(
    samples: tuple[Array, ...],
    n_reps: int,
    seed: int,
    rows: Callable[..., Array],
    width: int = 1,
    *,
    positions: bool = False,
) -> Array:
    """`width` values for each of `n_reps` resamples with replacement, matched across `samples`.

    `rows` gets the resampled values of each sample, or (`positions`) the sorted sample and the positions drawn.
    """
    if positions:
        samples = (np.sort(samples[0]),)
    n = samples[0].size
    size = max(1, _BLOCK // n)
    kind = np.uint16 if n <= 2**16 else np.uint32
    out = np.empty((n_reps, width))

    local = threading.local()  # each thread gathers into memory of its own, used again for every block

    def gathered(index: Positions) -> list[Array]:
        if not hasattr(local, "index"):
            local.index = np.empty((size, n), dtype=np.intp)
            local.values = [np.empty((size, n)) for _ in samples]
        place = local.index[: len(index)]
        np.copyto(place, index)
        return [
            np.take(sample, place, out=memory[: len(index)], mode="clip")
            for sample, memory in zip(samples, local.values, strict=True)
        ]

    def block(number: int) -> None:
        first = number * size
        count = min(size, n_reps - first)
        stream = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(number,))))
        index = stream.integers(0, n, size=(count, n), dtype=kind)
        with np.errstate(all="ignore"):
            values = rows(samples[0], index) if positions else rows(*gathered(index))
        out[first : first + count] = values.reshape(count, width)

    blocks = range(-(-n_reps // size))
    workers = min(os.cpu_count() or 1, 4, len(blocks))
    if workers > 1 and n * n_reps >= _THREADED:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(block, blocks))
    else:
        for number in blocks:
            block(number)
    return out


# Leaving one out -----------------------------------------------------------------------------------------


def jackknife(name: str, x: Array, y: Array | None = None) -> Array:
    """The statistic without each value in turn, in no particular order, in time proportional to n log n."""
    with np.errstate(all="ignore"):
        if name == "correlation":
            assert y is not None
            return _without_correlation(x, y)
        if name in ("median", "iqr", "mad", "trimmed_mean"):
            return _without_ordered(name, x)
        return _without_moments(name, x)


def _without_moments(name: str, x: Array) -> Array:
    """Central moments of the rest, from sums of powers about the mean of all."""
    n = x.size
    m = n - 1
    centre = float(x.mean())
    d = x - centre
    s1, s2, s3, s4 = (float((d**k).sum()) for k in (1, 2, 3, 4))
    t1, t2, t3, t4 = s1 - d, s2 - d**2, s3 - d**3, s4 - d**4
    mean = t1 / m
    ss = np.maximum(t2 - m * mean**2, 0.0)
    if name == "mean":
        shifted: Array = centre + mean
        return shifted
    if name in ("variance", "sd", "cv"):
        variance: Array = ss / (m - 1)
        if name == "variance":
            return variance
        sd: Array = np.sqrt(variance)
        return sd if name == "sd" else sd / (centre + mean)
    if name == "skewness":
        m3 = (t3 - 3 * mean * t2 + 3 * mean**2 * t1 - m * mean**3) / m
        skew: Array = m3 / (ss / m) ** 1.5 * math.sqrt(m * (m - 1)) / (m - 2)
        return skew
    m4 = (t4 - 4 * mean * t3 + 6 * mean**2 * t2 - 4 * mean**3 * t1 + m * mean**4) / m
    g2 = m4 / (ss / m) ** 2 - 3
    kurtosis: Array = ((m + 1) * g2 + 6) * (m - 1) / ((m - 2) * (m - 3))
    return kurtosis


def _without_correlation(x: Array, y: Array) -> Array:
    n = x.size
    dx, dy = x - x.mean(), y - y.mean()
    scale = n / (n - 1)  # leaving one out takes n/(n-1) times its own product from the central sums
    sxx = float(dx @ dx) - scale * dx**2
    syy = float(dy @ dy) - scale * dy**2
    sxy = float(dx @ dy) - scale * dx * dy
    out: Array = sxy / (np.sqrt(np.maximum(sxx, 0)) * np.sqrt(np.maximum(syy, 0)))
    return out


def _reduced_quantile(ordered: Array, ranks: NDArray[np.intp], p: float) -> Array:
    """A type-7 quantile of a sorted sample without the value at each of `ranks`."""
    low, high, g = _spots(ordered.size - 1, p)
    first = np.where(ranks > low, ordered[low], ordered[low + 1])
    second = np.where(ranks > high, ordered[high], ordered[high + 1])
    out: Array = (1 - g) * first + g * second
    return out


def _without_ordered(name: str, x: Array) -> Array:
    ordered = np.sort(x)
    n = x.size
    ranks = np.arange(n)
    if name == "median":
        return _reduced_quantile(ordered, ranks, 0.5)
    if name == "iqr":
        return _reduced_quantile(ordered, ranks, 0.75) - _reduced_quantile(ordered, ranks, 0.25)
    if name == "trimmed_mean":
        cut = (n - 1) // 10
        total = np.concatenate(([0.0], np.cumsum(ordered)))
        lower = total[n - cut] - total[cut + 1]  # without a value from the lower tail
        middle = total[n - cut] - total[cut] - ordered
        upper = total[n - 1 - cut] - total[cut]
        chosen = np.where(ranks < cut, lower, np.where(ranks >= n - cut, upper, middle))
        mean: Array = chosen / (n - 1 - 2 * cut)
        return mean
    medians = _reduced_quantile(ordered, ranks, 0.5)
    out = np.empty(n)
    for median in np.unique(medians):
        members = np.flatnonzero(medians == median)
        deviation = np.abs(ordered - median)
        order = np.argsort(deviation, kind="stable")
        place = np.empty(n, dtype=np.intp)
        place[order] = np.arange(n)
        out[members] = _reduced_quantile(deviation[order], place[members], 0.5)
    return out
