"""Association measures of a table with their large-sample errors, all by one delta method."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Measure", "lambda_is_tied", "nominal_measures", "ordinal_measures"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Measure:
    """A measure with its standard error; None with the reason where it does not exist."""

    estimate: float | None
    std_error: float | None = None
    reason: str = ""


def _ratio(
    p: Array, n: float, top: float, bottom: float, d_top: Array, d_bottom: Array, reason: str
) -> Measure:
    """top / bottom of cell proportions, with the multinomial error of its gradient."""
    if bottom <= 1e-15:
        return Measure(None, reason=reason)
    gradient = (d_top * bottom - top * d_bottom) / (bottom * bottom)
    return Measure(top / bottom, _error(p, n, gradient))


def _error(p: Array, n: float, gradient: Array) -> float:
    centre = math.fsum((p * gradient).ravel())
    return math.sqrt(max(0.0, math.fsum((p * (gradient - centre) ** 2).ravel())) / n)


# Nominal -------------------------------------------------------------------------------------------------


def nominal_measures(counts: Array) -> dict[str, Measure]:
    """Lambda, Goodman and Kruskal's tau and the uncertainty coefficient; rows are X, columns Y."""
    n = float(counts.sum())
    p = counts / n
    out: dict[str, Measure] = {}
    for name, table in (("y_given_x", p), ("x_given_y", p.T)):
        out[f"lambda_{name}"] = _lambda(table, n)
        out[f"tau_{name}"] = _tau(table, n)
    out["lambda_symmetric"] = _lambda_symmetric(p, n)
    out |= _uncertainty(p, n)
    return out


def lambda_is_tied(counts: Array) -> bool:
    """Whether a largest count is shared, so that lambda has no derivative and its error depends on a choice."""

    def shared(values: Array) -> bool:
        return int((values == values.max()).sum()) > 1

    lines = [*counts, *counts.T, counts.sum(axis=0), counts.sum(axis=1)]
    return any(shared(line) for line in lines)


def _lambda_parts(p: Array) -> tuple[float, float, Array, Array]:
    """Sum of row maxima minus the largest column total, one minus that total, and their gradients."""
    best, modal = p.argmax(axis=1), int(p.sum(axis=0).argmax())
    top_cells = np.zeros_like(p)
    top_cells[np.arange(p.shape[0]), best] = 1.0
    modal_cells = np.zeros_like(p)
    modal_cells[:, modal] = 1.0
    largest = float(p.sum(axis=0)[modal])
    gain = math.fsum(p.max(axis=1)) - largest
    return max(0.0, gain), 1.0 - largest, top_cells - modal_cells, -modal_cells


_ONE_CATEGORY = "the predicted variable has a single category"


def _lambda(p: Array, n: float) -> Measure:
    gain, room, d_gain, d_room = _lambda_parts(p)
    return _ratio(p, n, gain, room, d_gain, d_room, _ONE_CATEGORY)


def _lambda_symmetric(p: Array, n: float) -> Measure:
    gain, room, d_gain, d_room = _lambda_parts(p)
    gain_x, room_x, d_gain_x, d_room_x = _lambda_parts(p.T)
    return _ratio(
        p, n, gain + gain_x, room + room_x, d_gain + d_gain_x.T, d_room + d_room_x.T,
        "both variables have a single category",
    )  # fmt: skip


def _tau(p: Array, n: float) -> Measure:
    rows, columns = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True)
    within = (p * p / (rows * rows)).sum(axis=1, keepdims=True)
    unexplained = math.fsum((columns**2).ravel())
    gain = math.fsum((p * p / rows).ravel()) - unexplained
    d_gain = 2 * p / rows - within - 2 * columns
    d_room = np.broadcast_to(-2 * columns, p.shape)
    return _ratio(p, n, max(0.0, gain), 1 - unexplained, d_gain, d_room, _ONE_CATEGORY)


def _uncertainty(p: Array, n: float) -> dict[str, Measure]:
    rows, columns = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True)
    filled = p > 0

    def entropy(q: Array) -> float:
        q = q[q > 0]
        return -math.fsum(q * np.log(q))

    h_x, h_y = entropy(rows), entropy(columns)
    log_p = np.log(np.where(filled, p, 1.0))
    shared = max(0.0, math.fsum((p * (log_p - np.log(rows) - np.log(columns)))[filled]))
    # Gradients up to a common constant, which the error does not see.
    d_shared = np.where(filled, log_p - np.log(rows) - np.log(columns) - 1.0, 0.0)
    d_x = np.broadcast_to(-np.log(rows) - 1.0, p.shape)
    d_y = np.broadcast_to(-np.log(columns) - 1.0, p.shape)
    return {
        "u_y_given_x": _ratio(p, n, shared, h_y, d_shared, d_y, _ONE_CATEGORY),
        "u_x_given_y": _ratio(p, n, shared, h_x, d_shared, d_x, _ONE_CATEGORY),
        "u_symmetric": _ratio(
            p, n, 2 * shared, h_x + h_y, 2 * d_shared, d_x + d_y, "both variables have a single category"
        ),
    }


# Ordinal -------------------------------------------------------------------------------------------------


def ordinal_measures(counts: Array) -> dict[str, Measure]:
    """Gamma, Somers' d, tau-b and tau-c of ordered rows and columns."""
    n = float(counts.sum())
    p = counts / n
    rows, columns = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True)
    agree, differ = _surroundings(p)
    concordant, discordant = math.fsum((p * agree).ravel()), math.fsum((p * differ).ravel())
    score, d_score = concordant - discordant, 2 * (agree - differ)
    free_x, free_y = 1 - math.fsum((rows**2).ravel()), 1 - math.fsum((columns**2).ravel())
    d_x, d_y = np.broadcast_to(-2 * rows, p.shape), np.broadcast_to(-2 * columns, p.shape)
    tied = "every pair is tied"
    out = {
        "gamma": _ratio(p, n, score, concordant + discordant, d_score, 2 * (agree + differ), tied),
        "somers_d_y_given_x": _ratio(p, n, score, free_x, d_score, d_x, tied),
        "somers_d_x_given_y": _ratio(p, n, score, free_y, d_score, d_y, tied),
        "somers_d_symmetric": _ratio(p, n, 2 * score, free_x + free_y, 2 * d_score, d_x + d_y, tied),
    }
    if free_x > 1e-15 and free_y > 1e-15:
        both = math.sqrt(free_x * free_y)
        d_both = 0.5 * both * (d_x / free_x + d_y / free_y)
        out["tau_b"] = _ratio(p, n, score, both, d_score, d_both, tied)
    else:
        out["tau_b"] = Measure(None, reason=tied)
    m = min(counts.shape)
    if m > 1:
        factor = m / (m - 1)
        out["tau_c"] = Measure(score * factor, _error(p, n, d_score * factor))
    else:
        out["tau_c"] = Measure(None, reason="a variable has a single category")
    return out


def _surroundings(p: Array) -> tuple[Array, Array]:
    """Per cell: the proportion above-left plus below-right (concordant), and above-right plus below-left."""

    def before(q: Array) -> Array:
        inclusive = q.cumsum(axis=0).cumsum(axis=1)
        out = np.zeros_like(q)
        out[1:, 1:] = inclusive[:-1, :-1]
        return out

    agree = before(p) + before(p[::-1, ::-1])[::-1, ::-1]
    differ = before(p[:, ::-1])[:, ::-1] + before(p[::-1, :])[::-1, :]
    return agree, differ
