"""Fisher's exact test: r x c tables by a network of margins, by simulation when too many; 2 x 2 odds ratios."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special as sc

from statistikles.stats._numerics import find_root
from statistikles.stats._tables import log_factorials

__all__ = ["ConditionalOdds", "conditional_odds", "exact_multinomial_p", "exact_table_p", "simulated_table_p"]

Array = NDArray[np.float64]
Node = tuple[int, ...]

# R's relative tolerance: tables as probable as the observed one, to rounding, count as extreme.
_TOLERANCE = math.log1p(1e-7)
# What the network may hold before simulation is the better answer (about a second of work).
_MOST_STEPS = 150_000
_MOST_PASTS = 1_000_000
_LARGEST_EXACT = 3_000
_LARGEST_SUPPORT = 200_000
# Work a simulation may take: draws of single cells, or shuffled labels (about three seconds of either).
_MOST_DRAWS = 10_000_000
_MOST_SHUFFLED = 60_000_000


def exact_table_p(counts: NDArray[np.int64]) -> float | None:
    """P of all tables with these margins that are no more probable than the observed; None when too many.

    Columns are dealt out one after the other. A node is the multiset of what is left of the rows; the
    tables that reach it are kept as (log weight, number of tables), equal weights merged (the network
    idea of Mehta and Patel 1983). Pasts whose completions are all extreme, or all not, are settled at once.
    """
    table = counts if counts.shape[0] <= counts.shape[1] else counts.T
    if int(table.sum()) > _LARGEST_EXACT:
        return None
    rows = tuple(int(v) for v in sorted(table.sum(axis=1)))
    columns = [int(v) for v in sorted(table.sum(axis=0), reverse=True)]
    log_fact = log_factorials(int(table.sum()))
    observed = -float(log_fact[table].sum())
    limit = observed + _TOLERANCE
    constant = float(log_fact[list(rows)].sum() + log_fact[columns].sum() - log_fact[sum(rows)])
    network = _Network(columns, log_fact)
    layers = network.build(rows)
    if layers is None:
        return None
    network.bound(layers)
    pasts: dict[Node, tuple[Array, Array]] = {rows: (np.zeros(1), np.ones(1))}
    parts: list[float] = []
    for stage in range(len(columns)):
        following: dict[Node, tuple[list[Array], list[Array]]] = {}
        for node, (weight, number) in pasts.items():
            longest, shortest, total = network.ends[stage][node]
            settled = weight + longest <= limit
            if settled.any():
                parts.append(float(np.dot(np.exp(weight[settled] + constant + total), number[settled])))
            open_ = ~settled & (weight + shortest <= limit)
            if not open_.any():
                continue
            left, much = weight[open_], number[open_]
            for target, cost in network.steps[stage][node]:
                held = following.setdefault(target, ([], []))
                held[0].append(left + cost)
                held[1].append(much)
        pasts = {node: _merged(np.concatenate(w), np.concatenate(m)) for node, (w, m) in following.items()}
        if sum(w.size for w, _ in pasts.values()) > _MOST_PASTS:
            return None
    for weight, number in pasts.values():
        extreme = weight <= limit
        parts.append(float(np.dot(np.exp(weight[extreme] + constant), number[extreme])))
    return min(1.0, math.fsum(parts))


def _merged(weight: Array, number: Array) -> tuple[Array, Array]:
    """Tables of equal weight counted together (equal to 1e-9, far inside the tolerance of the test)."""
    key = np.rint(weight * 1e9)
    order = np.argsort(key, kind="stable")
    key, weight, number = key[order], weight[order], number[order]
    first = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    return weight[first], np.add.reduceat(number, first)


class _Network:
    """Nodes, steps and the extreme completions from each node."""

    def __init__(self, columns: list[int], log_fact: Array) -> None:
        self.columns = columns
        self.log_fact = log_fact
        self.steps: list[dict[Node, list[tuple[Node, float]]]] = []
        self.ends: list[dict[Node, tuple[float, float, float]]] = []

    def build(self, rows: Node) -> list[set[Node]] | None:
        """All nodes stage by stage; None when there are too many steps."""
        layers: list[set[Node]] = [{rows}]
        count = 0
        for column in self.columns:
            stage: dict[Node, list[tuple[Node, float]]] = {}
            reached: set[Node] = set()
            for node in layers[-1]:
                fills = _fills(node, column)
                count += len(fills) if fills is not None else _MOST_STEPS + 1
                if fills is None or count > _MOST_STEPS:
                    return None
                stage[node] = [
                    (
                        tuple(sorted(a - b for a, b in zip(node, fill, strict=True))),
                        -float(sum(self.log_fact[v] for v in fill)),
                    )
                    for fill in fills
                ]
                reached.update(target for target, _ in stage[node])
            self.steps.append(stage)
            layers.append(reached)
        return layers

    def bound(self, layers: list[set[Node]]) -> None:
        """Per node: the largest and smallest log weight of a completion, and the log of their sum."""
        ends: list[dict[Node, tuple[float, float, float]]] = [{} for _ in layers]
        ends[-1] = dict.fromkeys(layers[-1], (0.0, 0.0, 0.0))
        for stage in range(len(self.columns) - 1, -1, -1):
            remaining = self.columns[stage:]
            columns = float(self.log_fact[remaining].sum())
            for node in layers[stage]:
                longest, shortest = -math.inf, math.inf
                for target, cost in self.steps[stage][node]:
                    far, near, _ = ends[stage + 1][target]
                    longest, shortest = max(longest, cost + far), min(shortest, cost + near)
                total = float(self.log_fact[sum(node)] - self.log_fact[list(node)].sum()) - columns
                ends[stage][node] = (longest, shortest, total)
        self.ends = ends


def _fills(node: Node, column: int) -> list[Node] | None:
    """All ways to take `column` units out of the rows of a node; None when too many."""
    if _number_of_fills(node, column) > _MOST_STEPS:
        return None
    partial: list[tuple[Node, int]] = [((), column)]
    room = sum(node)
    for size in node:
        room -= size
        partial = [
            ((*taken, v), left - v)
            for taken, left in partial
            for v in range(max(0, left - room), min(size, left) + 1)
        ]
    return [taken for taken, _ in partial]


def _number_of_fills(node: Node, column: int) -> float:
    """How many there are, without listing them."""
    ways = np.zeros(column + 1)
    ways[0] = 1.0
    for size in node:
        sums = np.cumsum(ways)
        ways = sums.copy()
        if size < column:
            ways[size + 1 :] -= sums[: column - size]
    return float(ways[column])


def simulated_table_p(counts: NDArray[np.int64], n_reps: int, seed: int) -> tuple[float, float] | None:
    """Monte Carlo p of the same ordering, (b + 1) / (n_reps + 1), and its standard error; None for huge tables."""
    n = int(counts.sum())
    draws, shuffled = counts.size * n_reps, n * n_reps
    if draws > _MOST_DRAWS and shuffled > _MOST_SHUFFLED:
        return None
    random_weights = _drawn_weights if draws <= _MOST_DRAWS else _shuffled_weights
    rng = np.random.default_rng(seed)
    limit = -float(_log_factorial(counts).sum()) + _TOLERANCE
    below = 0
    piece = max(
        1,
        min(20_000, 20_000_000 // (counts.size + n if random_weights is _shuffled_weights else counts.size)),
    )
    for start in range(0, n_reps, piece):
        below += int((random_weights(rng, counts, min(piece, n_reps - start)) <= limit).sum())
    p = (below + 1) / (n_reps + 1)
    return p, math.sqrt(p * (1 - p) / n_reps)


def _log_factorial(k: NDArray[np.int64]) -> Array:
    """log k! of every count, looked up when they are small."""
    top = int(k.max()) + 1
    if top > k.size:
        out: Array = sc.gammaln(k + 1.0)
        return out
    return np.asarray(sc.gammaln(np.arange(1.0, top + 1.0))[k])


def _drawn_weights(rng: np.random.Generator, counts: NDArray[np.int64], size: int) -> Array:
    """Log weights of `size` random tables with the margins of `counts`, dealt out column by column."""
    left = np.tile(counts.sum(axis=1), (size, 1))
    weight = np.zeros(size)
    for column in counts.sum(axis=0)[:-1]:
        need = np.full(size, column)
        others = left.sum(axis=1)
        for i in range(left.shape[1] - 1):
            others = others - left[:, i]
            take = rng.hypergeometric(left[:, i], others, need)
            weight -= _log_factorial(take)
            left[:, i] -= take
            need = need - take
        weight -= _log_factorial(need)
        left[:, -1] -= need
    out: Array = weight - _log_factorial(left).sum(axis=1)
    return out


def _shuffled_weights(rng: np.random.Generator, counts: NDArray[np.int64], size: int) -> Array:
    """Log weights of `size` random tables, by shuffling the columns' labels against the rows'."""
    r, c = counts.shape
    rows = np.repeat(np.arange(r), counts.sum(axis=1))
    columns = np.repeat(np.arange(c), counts.sum(axis=0))
    shuffled = rng.permuted(np.tile(columns, (size, 1)), axis=1)
    cells = np.arange(size)[:, None] * (r * c) + rows[None, :] * c + shuffled
    tables = np.bincount(cells.ravel(), minlength=size * r * c).reshape(size, r * c)
    out: Array = -_log_factorial(tables).sum(axis=1)
    return out


# 2 x 2 ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ConditionalOdds:
    """Conditional maximum-likelihood odds ratio and its exact interval; infinity where unbounded."""

    estimate: float
    low: float
    high: float


def conditional_odds(a: int, b: int, c: int, d: int, level: float) -> ConditionalOdds | None:
    """Odds ratio of [[a, b], [c, d]] given all margins (noncentral hypergeometric); None for huge margins."""
    low, high = max(0, a - d), min(a + b, a + c)
    if high - low > _LARGEST_SUPPORT:
        return None
    support = np.arange(low, high + 1, dtype=np.float64)
    steps = np.log((a + b - support[:-1]) * (a + c - support[:-1])) - np.log(
        (support[:-1] + 1) * (d - a + support[:-1] + 1)
    )
    logs = np.concatenate(([0.0], np.cumsum(steps)))
    place = support - a  # centred, so that a large log odds ratio does not overflow

    def weights(log_odds: float) -> Array:
        w = logs + log_odds * place
        w = np.exp(w - w.max())
        out: Array = w / w.sum()
        return out

    def mean_gap(log_odds: float) -> float:
        return float(np.dot(weights(log_odds), place))

    tail = (1 - level) / 2
    at_least = place >= 0
    at_most = place <= 0
    estimate = 0.0 if a == low else math.inf if a == high else _solve(mean_gap)
    lower = 0.0 if a == low else _solve(lambda t: float(weights(t)[at_least].sum()) - tail)
    upper = math.inf if a == high else _solve(lambda t: tail - float(weights(t)[at_most].sum()))
    return ConditionalOdds(estimate, lower, upper)


def _solve(rising: Callable[[float], float]) -> float:
    """exp of the root of a rising function of the log odds ratio."""
    reach = 1.0
    while not (rising(-reach) <= 0 <= rising(reach)):
        reach *= 2
        if reach > 700:
            return math.inf if rising(0.0) < 0 else 0.0
    return math.exp(find_root(rising, -reach, reach, atol=1e-14))


# Multinomial ---------------------------------------------------------------------------------------------


def exact_multinomial_p(counts: NDArray[np.int64], proportions: Array) -> float | None:
    """P of all outcomes no more probable than the observed counts; None when there are too many."""
    n, k = int(counts.sum()), counts.size
    if n > _LARGEST_EXACT or math.comb(n + k - 1, k - 1) > 200_000:
        return None
    log_fact = log_factorials(n)
    logs = np.log(proportions)
    limit = float(np.dot(counts, logs) - log_fact[counts].sum()) + _TOLERANCE
    states: dict[int, tuple[Array, Array]] = {n: (np.zeros(1), np.ones(1))}
    for j in range(k):
        following: dict[int, tuple[list[Array], list[Array]]] = {}
        for left, (weight, number) in states.items():
            for take in range(left + 1) if j < k - 1 else (left,):
                held = following.setdefault(left - take, ([], []))
                held[0].append(weight + take * logs[j] - log_fact[take])
                held[1].append(number)
        states = {node: _merged(np.concatenate(w), np.concatenate(m)) for node, (w, m) in following.items()}
    weight, number = states[0]
    extreme = weight <= limit
    return min(1.0, float(np.dot(np.exp(weight[extreme] + log_fact[n]), number[extreme])))
