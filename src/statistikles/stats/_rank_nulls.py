"""Exact null distributions of U without ties, of Kendall's tau and of Spearman's rho.

All are counting recursions over non-negative terms (exact integers where small enough), so the far
tails keep their digits. Tails are returned as (P(T <= t), P(T >= t)).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError

__all__ = [
    "kendall_exact_tails",
    "mann_whitney_exact_tails",
    "spearman_exact_tails",
]

_SPEARMAN_LIMIT = 12


def _tails(weights: list[int] | NDArray[np.float64], index: float) -> tuple[float, float]:
    """Both tails of a distribution on 0, 1, 2, ... at `index` (rounding noise in it is forgiven)."""
    at_most = math.floor(index + 1e-6)
    at_least = math.ceil(index - 1e-6)
    size = len(weights)
    lower_end = min(size, max(0, at_most + 1))
    upper_start = min(size, max(0, at_least))
    if isinstance(weights, list):
        total = sum(weights)
        return sum(weights[:lower_end]) / total, sum(weights[upper_start:]) / total
    total_mass = math.fsum(weights.tolist())
    return (
        min(1.0, math.fsum(weights[:lower_end].tolist()) / total_mass),
        min(1.0, math.fsum(weights[upper_start:].tolist()) / total_mass),
    )


# --- Mann-Whitney -----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _mann_whitney_counts(n1: int, n2: int) -> tuple[int, ...]:
    """Number of orderings of n1 + n2 distinct values with each U: the Gaussian binomial coefficient."""
    small, large = sorted((n1, n2))
    half = small * large // 2
    counts = [1] + [0] * half
    for i in range(1, small + 1):
        factor = large + i  # multiply by 1 - q**factor, then divide by 1 - q**i
        for u in range(half, factor - 1, -1):
            counts[u] -= counts[u - factor]
        for u in range(i, half + 1):
            counts[u] += counts[u - i]
    top = small * large
    mirrored = counts[: top + 1 - len(counts)][::-1]
    return tuple(counts + mirrored)


def mann_whitney_exact_tails(u: float, n1: int, n2: int) -> tuple[float, float]:
    """Tails of U for samples without ties."""
    if n1 < 1 or n2 < 1:
        raise InputError("Both groups need at least one value.", where="group1", code="too_few_values")
    return _tails(list(_mann_whitney_counts(n1, n2)), u)


# --- Kendall ----------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _inversion_counts(n: int) -> tuple[int, ...]:
    """Number of permutations of n items with each number of inversions."""
    counts = [1]
    for k in range(2, n + 1):
        size = len(counts) + k - 1
        new = [0] * size
        window = 0
        for i in range(size):
            if i < len(counts):
                window += counts[i]
            if i >= k:
                window -= counts[i - k]
            new[i] = window
        counts = new
    return tuple(counts)


def kendall_exact_tails(concordant: int, n: int) -> tuple[float, float]:
    """Tails of the number of concordant pairs among n untied pairs of values."""
    if n < 2:
        raise InputError("Kendall's tau needs at least 2 pairs.", where="x", code="too_few_values")
    return _tails(list(_inversion_counts(n)), concordant)


# --- Spearman ---------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _spearman_counts(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[float, ...]:
    """Number of the n! matchings with each value of sum x*y, by dynamic programming over subsets of y."""
    n = len(x)
    top = sum(a * b for a, b in zip(sorted(x), sorted(y), strict=True))
    layer: dict[int, NDArray[np.float64]] = {0: np.ones(1)}
    for a in x:
        following: dict[int, NDArray[np.float64]] = {}
        for mask, weights in layer.items():
            for j in range(n):
                if mask >> j & 1:
                    continue
                target, shift = mask | 1 << j, a * y[j]
                need = weights.size + shift
                held = following.get(target)
                if held is None:
                    held = np.zeros(need)
                elif held.size < need:
                    held = np.concatenate((held, np.zeros(need - held.size)))
                held[shift:need] += weights
                following[target] = held
        layer = following
    (final,) = layer.values()
    return tuple(np.concatenate((final, np.zeros(max(0, top + 1 - final.size)))).tolist())


def spearman_exact_tails(rank_x: NDArray[np.float64], rank_y: NDArray[np.float64]) -> tuple[float, float]:
    """Tails of Spearman's rho over all n! matchings of the given ranks (ties allowed), n up to 12."""
    n = int(rank_x.size)
    if n > _SPEARMAN_LIMIT:
        raise InputError(
            f"The exact distribution of Spearman's rho is offered up to n = {_SPEARMAN_LIMIT}.",
            where="x",
            code="too_many_values",
        )
    x = np.rint(2.0 * rank_x).astype(int)
    y = np.rint(2.0 * rank_y).astype(int)
    x, y = x - x.min(), y - y.min()
    x //= math.gcd(*x.tolist()) or 1
    y //= math.gcd(*y.tolist()) or 1
    observed = int((x * y).sum())
    counts = _spearman_counts(tuple(sorted(x.tolist())), tuple(sorted(y.tolist())))
    return _tails(np.array(counts), observed)
