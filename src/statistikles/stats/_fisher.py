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

# R's relative tolerance: tables as probable as the observed one, to rounding, count as extreme.
_TOLERANCE = math.log1p(1e-7)
# What the network may hold before simulation is the better answer (about a second of work).
_MOST_STEPS = 2_000_000
_MOST_PASTS = 4_000_000
_LARGEST_EXACT = 3_000
_LARGEST_SUPPORT = 200_000
# Work a simulation may take: draws of single cells, or shuffled labels (about three seconds of either).
_MOST_DRAWS = 10_000_000
_MOST_SHUFFLED = 60_000_000
_LARGEST_DRAWN = 500_000_000  # the generator's own bound


def exact_table_p(counts: NDArray[np.int64]) -> float | None:
    """P of all tables with these margins that are no more probable than the observed; None when too many.

    Columns are dealt out one after the other. A node is what is left of the rows, sorted; the tables that
    reach it are kept as (log weight, number of tables), equal weights merged (the network idea of Mehta and
    Patel 1983). Tables whose completions are all extreme, or all not, are settled at once.
    """
    table = counts if counts.shape[0] <= counts.shape[1] else counts.T
    n = int(table.sum())
    rows, columns = np.sort(table.sum(axis=1)), np.sort(table.sum(axis=0))[::-1]
    if n > _LARGEST_EXACT or (int(rows[-1]) + 1.0) ** rows.size > 2.0**62:
        return None
    log_fact = log_factorials(n)
    limit = -float(log_fact[table].sum()) + _TOLERANCE
    constant = float(log_fact[rows].sum() + log_fact[columns].sum() - log_fact[n])
    layers = _build(rows, columns, log_fact)
    if layers is None:
        return None
    _bound(layers, columns, log_fact)
    node, weight, number = np.zeros(1, dtype=np.int64), np.zeros(1), np.ones(1)
    parts: list[float] = []
    for layer in layers:
        longest, shortest = layer.longest[node], layer.shortest[node]
        settled = weight + longest <= limit
        mass = np.exp(weight[settled] + layer.total[node[settled]] + constant)
        parts.append(float(np.dot(mass, number[settled])))
        open_ = ~settled & (weight + shortest <= limit)
        node, weight, number = node[open_], weight[open_], number[open_]
        if not node.size or layer is layers[-1]:
            break
        reach = layer.starts[node + 1] - layer.starts[node]
        if int(reach.sum()) > _MOST_PASTS:
            return None
        steps = np.repeat(layer.starts[node + 1] - np.cumsum(reach), reach) + np.arange(int(reach.sum()))
        weight, number = np.repeat(weight, reach) + layer.costs[steps], np.repeat(number, reach)
        node, weight, number = _merged(layer.targets[steps], weight, number)
    return min(1.0, math.fsum(parts))


def _merged(node: NDArray[np.int64], weight: Array, number: Array) -> tuple[NDArray[np.int64], Array, Array]:
    """Tables of equal weight at a node counted together (equal to 1e-9, far inside the tolerance of the test)."""
    key = np.rint(weight * 1e9)
    order = np.lexsort((key, node))
    node, key, weight, number = node[order], key[order], weight[order], number[order]
    first = np.flatnonzero(np.concatenate(([True], (key[1:] != key[:-1]) | (node[1:] != node[:-1]))))
    return node[first], weight[first], np.add.reduceat(number, first)


@dataclass
class _Layer:
    """The nodes before one column: what is left of the rows, and the steps to nodes of the next layer."""

    left: NDArray[np.int64]
    starts: NDArray[np.int64]
    targets: NDArray[np.int64]
    costs: Array
    longest: Array
    shortest: Array
    total: Array


def _build(rows: NDArray[np.int64], columns: NDArray[np.int64], log_fact: Array) -> list[_Layer] | None:
    """All layers, the last one empty of counts; None when there are too many steps."""
    radix = (int(rows[-1]) + 1) ** np.arange(rows.size, dtype=np.int64)
    layers: list[_Layer] = []
    left = rows[None, :]
    none = np.zeros(0)
    room = _MOST_STEPS
    for column in columns:
        if _more_fills_than(room, left, int(column)):
            return None
        fills = [_fills(node, int(column)) for node in left]
        sizes = np.array([f.shape[0] for f in fills])
        room -= int(sizes.sum())
        after = np.sort(np.concatenate([node - f for node, f in zip(left, fills, strict=True)]), axis=1)
        costs = np.concatenate([-log_fact[f].sum(axis=1) for f in fills])
        _, first, targets = np.unique(after @ radix, return_index=True, return_inverse=True)
        starts = np.concatenate(([0], np.cumsum(sizes)))
        layers.append(_Layer(left, starts, targets, costs, none, none, none))
        left = after[first]
    no_steps = np.zeros(0, dtype=np.int64)
    layers.append(_Layer(left, np.zeros(2, dtype=np.int64), no_steps, none, none, none, none))
    return layers


def _bound(layers: list[_Layer], columns: NDArray[np.int64], log_fact: Array) -> None:
    """Per node: the largest and smallest log weight of a completion, and the log of the sum of all."""
    last = layers[-1]
    last.longest = last.shortest = last.total = np.zeros(1)
    for stage in range(len(columns) - 1, -1, -1):
        layer, after = layers[stage], layers[stage + 1]
        begin = layer.starts[:-1]
        layer.longest = np.maximum.reduceat(layer.costs + after.longest[layer.targets], begin)
        layer.shortest = np.minimum.reduceat(layer.costs + after.shortest[layer.targets], begin)
        rest = log_fact[layer.left.sum(axis=1)] - log_fact[layer.left].sum(axis=1)
        layer.total = rest - float(log_fact[columns[stage:]].sum())


def _fills(node: NDArray[np.int64], column: int) -> NDArray[np.int64]:
    """All ways to take `column` units out of the rows of a node, one per line."""
    taken = np.zeros((1, 0), dtype=np.int64)
    left = np.array([column])
    room = int(node.sum())
    for size in node:
        room -= int(size)
        low, high = np.maximum(0, left - room), np.minimum(size, left)
        count = high - low + 1
        offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        value = np.repeat(low, count) + offset
        taken = np.column_stack((np.repeat(taken, count, axis=0), value))
        left = np.repeat(left, count) - value
    return taken


def _more_fills_than(room: int, nodes: NDArray[np.int64], column: int) -> bool:
    """Whether the fills of all nodes together number more than `room`; stops counting as soon as they do."""
    total, piece = 0.0, max(1, 500_000 // (column + 1))
    return any(
        (total := total + float(_number_of_fills(nodes[start : start + piece], column).sum())) > room
        for start in range(0, len(nodes), piece)
    )


def _number_of_fills(nodes: NDArray[np.int64], column: int) -> Array:
    """How many ways there are to fill the column from each node, without listing them."""
    ways: Array = np.zeros((len(nodes), column + 1))
    ways[:, 0] = 1.0
    place = np.arange(column + 1)
    for size in nodes.T:
        sums = np.cumsum(ways, axis=1)
        beyond = place - size[:, None] - 1
        ways = sums - np.where(beyond >= 0, np.take_along_axis(sums, np.maximum(beyond, 0), axis=1), 0.0)
    return ways[:, column]


def simulated_table_p(counts: NDArray[np.int64], n_reps: int, seed: int) -> tuple[float, float] | None:
    """Monte Carlo p of the same ordering, (b + 1) / (n_reps + 1), and its standard error; None for huge tables."""
    n = int(counts.sum())
    draws, shuffled = counts.size * n_reps, n * n_reps
    if n > _LARGEST_DRAWN or (draws > _MOST_DRAWS and shuffled > _MOST_SHUFFLED):
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
        states = {node: _joined(w, m) for node, (w, m) in following.items()}
    weight, number = states[0]
    extreme = weight <= limit
    return min(1.0, float(np.dot(np.exp(weight[extreme] + log_fact[n]), number[extreme])))


def _joined(weights: list[Array], numbers: list[Array]) -> tuple[Array, Array]:
    weight = np.concatenate(weights)
    _, merged, number = _merged(np.zeros(weight.size, dtype=np.int64), weight, np.concatenate(numbers))
    return merged, number
