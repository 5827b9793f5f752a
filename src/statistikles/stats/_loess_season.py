"""Seasonal-trend decomposition by LOESS: the smoother and the passes of Cleveland et al. (1990)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

__all__ = ["Decomposition", "decompose"]

Matrix = NDArray[np.float64]

_SEASONAL_WINDOW = 7
_INNER, _INNER_ROBUST, _OUTER_ROBUST = 5, 2, 15
_ROUNDING = 1e-14
_CHUNK = 2_000_000  # values per block of windows


@dataclass(frozen=True)
class Decomposition:
    """The parts of a series; they add up to it."""

    trend: Matrix
    seasonal: Matrix
    remainder: Matrix


def decompose(y: Matrix, period: int, *, robust: bool) -> Decomposition:
    """Trend, season and remainder of a series of at least two periods.

    Windows: 7 for the season, the smallest odd number above the period for the low-pass filter, and the smallest
    odd number of at least 1.5 period / (1 - 1.5/7) for the trend; straight lines throughout. Five passes, or two
    passes in each of sixteen rounds of bisquare weights when robust.
    """
    n = y.shape[0]
    low_pass = period + 1 + period % 2
    trend_window = _odd_at_least(1.5 * period / (1 - 1.5 / _SEASONAL_WINDOW))
    weights: Matrix | None = None
    trend, seasonal = np.zeros(n), np.zeros(n)
    for round_ in range(_OUTER_ROBUST + 1 if robust else 1):
        for _ in range(_INNER_ROBUST if robust else _INNER):
            cycles = _cycle_subseries(y - trend, period, weights)
            smooth = _loess(_three_averages(cycles, period), low_pass, None)
            seasonal = cycles[period : period + n] - smooth
            trend = _loess(y - seasonal, trend_window, weights)
        if robust and round_ < _OUTER_ROBUST:
            size = np.abs(y - trend - seasonal)
            if float(np.median(size)) <= _ROUNDING * float(np.abs(y).max()):
                break  # the fit is exact but for rounding, and weights made of rounding errors mean nothing
            weights = _bisquare(size)
    return Decomposition(trend, seasonal, y - trend - seasonal)


def _odd_at_least(value: float) -> int:
    whole = int(np.ceil(value))
    return whole + 1 - whole % 2


def _three_averages(series: Matrix, period: int) -> Matrix:
    """Moving averages of length period, period and 3, one after another."""
    for length in (period, period, 3):
        series = sliding_window_view(series, length).mean(axis=1)
    return series


def _bisquare(size: Matrix) -> Matrix:
    """Robustness weights from the absolute remainders."""
    reach = 6 * float(np.median(size))
    weights = np.where(size <= 0.999 * reach, (1 - (size / reach) ** 2) ** 2 if reach > 0 else 0.0, 0.0)
    weights[size <= 0.001 * reach] = 1.0
    return weights


def _cycle_subseries(series: Matrix, period: int, weights: Matrix | None) -> Matrix:
    """Each season's subseries smoothed and carried one step beyond both ends, woven together again."""
    out = np.empty(series.shape[0] + 2 * period)
    for start in range(period):
        part = series[start::period]
        own = None if weights is None else weights[start::period]
        k = part.shape[0]
        q = min(_SEASONAL_WINDOW, k)
        woven = np.empty(k + 2)
        woven[1:-1] = _loess(part, _SEASONAL_WINDOW, own)
        ends = np.array([-1, k])
        firsts = np.array([0, k - q])
        woven[[0, -1]] = _local_lines(part, _SEASONAL_WINDOW, own, ends, firsts, woven[[1, -2]])
        out[start::period][: k + 2] = woven
    return out


def _loess(series: Matrix, window: int, weights: Matrix | None) -> Matrix:
    """Local straight lines through the `window` nearest neighbours of every point."""
    n = series.shape[0]
    q = min(window, n)
    out = np.empty(n)
    step = max(1, _CHUNK // q)
    for begin in range(0, n, step):
        at = np.arange(begin, min(n, begin + step))
        firsts = np.clip(at - (q + 1) // 2 + 1, 0, n - q)
        out[at] = _local_lines(series, window, weights, at, firsts, series[at])
    return out


def _local_lines(
    series: Matrix,
    window: int,
    weights: Matrix | None,
    at: NDArray[np.int64],
    firsts: NDArray[np.int64],
    otherwise: Matrix,
) -> Matrix:
    """The weighted lines' values at the places `at`; `otherwise` where all weights vanish."""
    n = series.shape[0]
    q = min(window, n)
    places = firsts[:, None] + np.arange(q)
    away = (places - at[:, None]).astype(np.float64)
    reach = np.maximum(at - firsts, firsts + q - 1 - at).astype(np.float64)[:, None]
    if window > n:
        reach = reach + (window - n) // 2
    size = np.abs(away)
    weight = np.where(size <= 0.999 * reach, (1 - (size / reach) ** 3) ** 3, 0.0)
    weight[size <= 0.001 * reach] = 1.0
    if weights is not None:
        weight = weight * weights[places]
    total = weight.sum(axis=1)
    usable = total > 0
    weight = weight / np.where(usable, total, 1.0)[:, None]
    centre = (weight * away).sum(axis=1)
    off = away - centre[:, None]
    spread = (weight * off * off).sum(axis=1)
    tilted = np.sqrt(spread) > 0.001 * (n - 1)
    slope = np.where(tilted, -centre / np.where(tilted, spread, 1.0), 0.0)
    weight = weight * (1 + slope[:, None] * off)
    values = (weight * series[places]).sum(axis=1)
    return np.where(usable, values, otherwise)
