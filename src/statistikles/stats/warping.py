"""Alignment of two series by dynamic time warping."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from statistikles.errors import InputError
from statistikles.registry.arguments import FloatArray, ScalarNumber, Vector
from statistikles.registry.declare import statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["dynamic_time_warping"]

AnySeries = Annotated[FloatArray, Vector(min_n=1)]
Window = Annotated[int, ScalarNumber(low=1, whole=True)]

_MAX_CELLS = 100_000_000


@statistic(
    tool="time_series",
    subtype="dtw",
    title="Dynamic time warping",
    use_when="two series whose shapes are compared although they run at different speeds",
    utterances=("dynamic time warping", "DTW distance", "align two series"),
    refs=("Sakoe & Chiba 1978, doi:10.1109/TASSP.1978.1163055",),
    formula="D(i, j) = |a_i − b_j| + min(D(i−1, j), D(i, j−1), D(i−1, j−1))",
    equivalents={"R": "dtw::dtw(a, b, step.pattern = symmetric1)$distance"},
    example={"data": [1.0, 2.0, 3.0, 2.0], "target": [1.0, 1.0, 2.0, 3.0, 3.0, 2.0]},
)
def dynamic_time_warping(data: AnySeries, target: AnySeries, *, window: Window | None = None) -> Measures:
    """Dynamic-time-warping distance of two series and the alignment.

    Parameters
    ----------
    data : first series.
    target : second series.
    window : largest difference of aligned positions (Sakoe–Chiba band); none when absent.

    Returns
    -------
    Measures : distance (sum of absolute differences on the best path), the length of the path, and the distance
        per step; the path itself for up to 1000 steps.

    Raises
    ------
    InputError : a window too narrow for series of such different length, or series too long.
    """
    n, m = data.shape[0], target.shape[0]
    if n * m > _MAX_CELLS:
        raise InputError(
            f"The series are too long ({n} x {m}); at most {_MAX_CELLS:g} pairs are compared.",
            hint="Thin the series first.",
            where="data",
            code="limit_exceeded",
        )
    if window is not None and window < abs(n - m):
        raise InputError(
            f"The window ({window}) is narrower than the difference in length ({abs(n - m)}).",
            where="window",
            code="out_of_range",
        )
    cost = _warp(data, target, window)
    path = _path(cost)
    distance = float(cost[n, m])
    return Measures(
        method="Dynamic time warping",
        quantities={
            "distance": Quantity(distance, Role.DISTANCE),
            "path_length": Quantity(len(path), Role.COUNT),
            "distance_per_step": Quantity(distance / len(path), Role.DISTANCE),
            "path": Quantity(path if len(path) <= 1000 else [], Role.INDEX),
            "n_data": Quantity(n, Role.COUNT),
            "n_target": Quantity(m, Role.COUNT),
        },
        conventions=(
            "cost |a − b|; steps right, up and diagonal weigh the same",
            "positions are counted from 0",
        )
        + (("no window",) if window is None else (f"Sakoe–Chiba band of {window}",)),
    )


def _warp(a: FloatArray, b: FloatArray, window: int | None) -> FloatArray:
    """Cumulative cost, filled one anti-diagonal at a time: cells of a diagonal do not depend on each other."""
    n, m = len(a), len(b)
    cost: FloatArray = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0.0
    flat, stride = (
        cost.ravel(),
        m,
    )  # along a diagonal the flat index moves by m (one row down, one column left)
    for s in range(2, n + m + 1):
        first, last = max(1, s - m), min(n, s - 1)
        if window is not None:
            first, last = max(first, math.ceil((s - window) / 2)), min(last, (s + window) // 2)
        if first > last:
            continue
        rows = np.arange(first, last + 1)
        at = rows * (m + 1) + (s - rows)
        best = np.minimum(np.minimum(flat[at - 1], flat[at - stride - 1]), flat[at - stride - 2])
        flat[at] = np.abs(a[rows - 1] - b[s - rows - 1]) + best
    return cost


def _path(cost: FloatArray) -> list[list[int]]:
    """The best path from start to end; diagonal steps are preferred among equals."""
    i, j = cost.shape[0] - 1, cost.shape[1] - 1
    path = []
    while i > 0 and j > 0:
        path.append([i - 1, j - 1])
        steps = ((cost[i - 1, j - 1], i - 1, j - 1), (cost[i - 1, j], i - 1, j), (cost[i, j - 1], i, j - 1))
        _, i, j = min(steps, key=lambda step: step[0])
    return path[::-1]
