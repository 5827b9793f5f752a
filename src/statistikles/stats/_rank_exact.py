"""Exact null distributions of rank sums as whole tables, ties as they are, and the p values and critical ranks
read from them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from statistikles.stats._distributions import mann_whitney_exact_tails
from statistikles.stats._numerics import Vector

__all__ = [
    "NullTable",
    "critical_rank",
    "critical_u",
    "rank_sum_cells",
    "rank_sum_table",
    "signed_rank_table",
]


@dataclass(frozen=True)
class NullTable:
    """Weights of the values origin, origin + step, ... of a statistic; proportional to their probabilities."""

    weights: NDArray[np.float64]
    origin: float
    step: float

    def p_value(self, observed: float, alternative: str) -> float:
        """Tail probability; two-sided counts every value at least as far from the mean as the observed one."""
        place = round((observed - self.origin) / self.step)
        total = math.fsum(self.weights.tolist())
        if alternative == "less":
            return min(1.0, math.fsum(self.weights[: place + 1].tolist()) / total)
        if alternative == "greater":
            return min(1.0, math.fsum(self.weights[place:].tolist()) / total)
        size = self.weights.size
        # The mean is a multiple of a small fraction: distances are compared with a tolerance well below it.
        mean = math.fsum((self.weights * np.arange(size)).tolist()) / total
        far = np.abs(np.arange(size) - mean) >= abs(place - mean) - 1e-7 * max(1.0, mean)
        return min(1.0, math.fsum(self.weights[far].tolist()) / total)


def rank_sum_cells(n1: int, n2: int) -> int:
    """Size of the work of `rank_sum_table`, in additions."""
    small, n = min(n1, n2), n1 + n2
    return n * small * small * (n - small) * 2


def rank_sum_table(ranks: Vector, n1: int) -> NullTable:
    """Rank sum of the first n1 over all choices of n1 of the given (mid)ranks."""
    n = ranks.size
    if n1 > n - n1:  # count the smaller sample: the other one's sum is the complement
        other = rank_sum_table(ranks, n - n1)
        top = other.origin + other.step * (other.weights.size - 1)
        return NullTable(other.weights[::-1], float(ranks.sum()) - top, other.step)
    doubled = np.sort(np.rint(2.0 * ranks).astype(np.int64))
    values = doubled - doubled[0]
    step = math.gcd(*values.tolist()) or 1
    values //= step
    size = int(values[n - n1 :].sum()) + 1
    table = np.zeros((n1 + 1, size))
    table[0, 0] = 1.0
    for done, value in enumerate(values.tolist()):
        top = min(n1, done + 1)
        table[: top + 1] *= 0.5  # keeps the numbers in range; the factor is common to all
        moved = table[:top, : size - value].copy()
        table[1 : top + 1, value:] += moved
    return NullTable(table[n1], n1 * float(doubled[0]) / 2, step / 2)


def signed_rank_table(ranks: Vector) -> NullTable:
    """Sum of the ranks with a positive sign over all sign patterns; midranks allowed."""
    doubled = np.rint(2.0 * ranks).astype(np.int64)
    step = math.gcd(*doubled.tolist()) or 1
    values = (doubled // step).tolist()
    weights = np.zeros(sum(values) + 1)
    weights[0] = 1.0
    reach = 0
    for value in values:
        weights[: reach + 1] *= 0.5
        moved = weights[: reach + 1].copy()
        weights[value : value + reach + 1] += moved
        reach += value
    return NullTable(weights, 0.0, step / 2)


def critical_rank(weights: NDArray[np.float64], tail: float) -> tuple[int, float]:
    """How far in from each end an interval may reach, and the tail area it then leaves out.

    The rank is the smallest u with P(U <= u) >= tail, at least 1; the area is P(U <= rank - 1).
    """
    reached = np.cumsum(weights) / math.fsum(weights.tolist())
    rank = min(weights.size - 1, max(1, int(np.searchsorted(reached, tail * (1 - 1e-12)))))
    return rank, float(reached[rank - 1])


def critical_u(n1: int, n2: int, tail: float) -> tuple[int, float]:
    """How many differences the interval leaves out at each end plus one, and the tail area beyond it."""
    low, high = 0, n1 * n2
    while low < high:  # the smallest u with P(U <= u) >= tail
        middle = (low + high) // 2
        if mann_whitney_exact_tails(middle, n1, n2)[0] >= tail * (1 - 1e-12):
            high = middle
        else:
            low = middle + 1
    rank = min(n1 * n2, max(1, low))
    return rank, mann_whitney_exact_tails(rank - 1, n1, n2)[0]
