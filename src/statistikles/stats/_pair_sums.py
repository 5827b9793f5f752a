"""Order statistics of pairwise sums and differences, without forming all of them: what Hodges-Lehmann needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from statistikles.stats._numerics import Vector

__all__ = ["select_differences", "select_walsh_averages"]

# Up to this many sums they are simply listed; above it the range is narrowed first, to so many candidates.
_LISTED = 60_000
_CANDIDATES = 6_000
_ROUNDS = 200
# A bracket of all ranks wanted, this much wider on each side, is tried while it holds at most so many sums.
_MARGIN = 0.012
_BRACKETED = 150_000


def select_differences(x: Vector, y: Vector, ranks: list[int]) -> list[float]:
    """The differences x_i - y_j with the given ranks (1 = smallest) among all of them."""
    return _select(np.sort(x), np.sort(-y), ranks, triangular=False)


def select_walsh_averages(d: Vector, ranks: list[int]) -> list[float]:
    """The averages (d_i + d_j) / 2, i <= j, with the given ranks (1 = smallest)."""
    half = np.sort(d) / 2
    return _select(half, half, ranks, triangular=True)


def _select(a: Vector, b: Vector, ranks: list[int], *, triangular: bool) -> list[float]:
    """Sums a_i + b_j of the given ranks, both sorted; `triangular` keeps only j >= i."""
    start = np.arange(a.size) if triangular else np.zeros(a.size, dtype=np.int64)
    stop = np.full(a.size, b.size, dtype=np.int64)
    total = int((stop - start).sum())
    if total <= _LISTED:
        sums = _listed(a, b, start, stop)
        sums.partition([r - 1 for r in sorted(set(ranks))])
        return [float(sums[r - 1]) for r in ranks]
    found = _bracketed(a, b, start, stop, sorted(set(ranks)), total)
    for rank in sorted(set(ranks)):
        if rank not in found:
            found.update(_narrowed(a, b, start, stop, rank, ranks))
    return [found[r] for r in ranks]


def _bracketed(
    a: Vector, b: Vector, start: NDArray[np.int64], stop: NDArray[np.int64], ranks: list[int], total: int
) -> dict[int, float]:
    """All wanted sums at once, when a grid of thinned sums brackets them narrowly enough; else nothing."""
    first, last = ranks[0] / total - _MARGIN, ranks[-1] / total + _MARGIN
    if (last - first) * total > _BRACKETED:
        return {}
    step_a, step_b = max(1, a.size // 64), max(1, b.size // 64)
    thin_a, thin_b = a[step_a // 2 :: step_a], b[step_b // 2 :: step_b]
    grid = np.sort((thin_a[:, None] + thin_b).ravel())
    bottom = float(grid[int(first * grid.size)]) if first > 0 else -np.inf
    top = float(grid[int(last * grid.size)]) if last < 1 else np.inf
    low = np.clip(np.searchsorted(b, bottom - a, "left"), start, stop)
    high = np.clip(np.searchsorted(b, top - a, "right"), start, stop)
    below, inside = int((low - start).sum()), int((high - low).sum())
    if not (below < ranks[0] and ranks[-1] <= below + inside <= below + 2 * _BRACKETED):
        return {}
    sums = _listed(a, b, low, high)
    sums.partition([r - below - 1 for r in ranks])
    return {r: float(sums[r - below - 1]) for r in ranks}


def _listed(a: Vector, b: Vector, low: NDArray[np.int64], high: NDArray[np.int64]) -> Vector:
    """All sums a_i + b_j with low_i <= j < high_i."""
    width = high - low
    row = np.repeat(np.arange(a.size), width)
    first = np.repeat(low - np.concatenate(([0], np.cumsum(width)[:-1])), width)
    out: Vector = a[row] + b[np.arange(row.size) + first]
    return out


def _narrowed(
    a: Vector, b: Vector, start: NDArray[np.int64], stop: NDArray[np.int64], rank: int, wanted: list[int]
) -> dict[int, float]:
    """The sum of `rank`, and any other wanted one found on the way: weighted medians of the row medians cut
    the candidates (Johnson and Mizoguchi 1978) until they can be listed."""
    low, high = start.copy(), stop.copy()
    below = 0  # sums known to be smaller than every candidate
    left = int((high - low).sum())
    for _ in range(_ROUNDS):
        if left <= max(_CANDIDATES, 4 * a.size):
            break
        pivot = _pivot(a, b, low, high)
        first_equal = np.clip(np.searchsorted(b, pivot - a, "left"), low, high)
        first_above = np.clip(np.searchsorted(b, pivot - a, "right"), low, high)
        smaller, not_larger = int((first_equal - low).sum()), int((first_above - low).sum())
        if rank <= below + smaller:
            high = first_equal
        elif rank > below + not_larger:
            low, below = first_above, below + not_larger
        else:
            return {r: pivot for r in wanted if below + smaller < r <= below + not_larger}
        remaining = int((high - low).sum())
        if remaining == left:
            break
        left = remaining
    sums = _listed(a, b, low, high)
    inside = sorted({r for r in wanted if below < r <= below + sums.size})
    sums.partition([r - below - 1 for r in inside])
    return {r: float(sums[r - below - 1]) for r in inside}


def _pivot(a: Vector, b: Vector, low: NDArray[np.int64], high: NDArray[np.int64]) -> float:
    """Weighted median of the middle candidates of the rows."""
    rows = np.flatnonzero(high > low)
    middles = a[rows] + b[(low[rows] + high[rows]) // 2]
    weights = (high - low)[rows]
    order = np.argsort(middles)
    reached = np.cumsum(weights[order])
    return float(middles[order[np.searchsorted(reached, reached[-1] / 2)]])
