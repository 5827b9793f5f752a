"""Adjustment of p values for multiple testing: family-wise and false-discovery methods."""

from __future__ import annotations

import math

import numpy as np

from statistikles.stats._numerics import Vector

__all__ = ["METHODS", "adjust"]

METHODS = ("bonferroni", "holm", "hochberg", "hommel", "sidak", "bh", "by")


def adjust(p: Vector, method: str, m: int | None = None) -> Vector:
    """Adjusted p values in the order given; `m` is the number of tests when more were done than are listed."""
    n = p.size
    m = n if m is None else m
    if method == "bonferroni":
        return np.minimum(1.0, m * p)
    if method == "sidak":
        # 1 - (1 - p)**m, without losing small p to rounding
        with np.errstate(divide="ignore"):
            corrected: Vector = np.where(p >= 1.0, 1.0, -np.expm1(m * np.log1p(-np.minimum(p, 1.0))))
        return corrected
    order = np.argsort(p, kind="stable")
    ranked = p[order]
    if method == "hommel":
        adjusted = _hommel(np.concatenate((ranked, np.ones(m - n))))[:n]
    elif method == "holm":
        adjusted = np.maximum.accumulate((m - np.arange(n)) * ranked)
    else:
        rank = np.arange(1, n + 1)
        factor = {"hochberg": m + 1.0 - rank, "bh": m / rank}.get(method)
        if factor is None:
            factor = _harmonic(m) * m / rank
        scaled = factor * ranked
        adjusted = np.minimum.accumulate(scaled[::-1])[::-1]
    out = np.empty(n)
    out[order] = np.minimum(1.0, adjusted)
    return out


def _harmonic(m: int) -> float:
    """1 + 1/2 + ... + 1/m; by its asymptotic series where that is exact to rounding."""
    if m <= 10_000:
        return math.fsum(1.0 / i for i in range(1, m + 1))
    return math.log(m) + 0.57721566490153286 + 1 / (2 * m) - 1 / (12.0 * m * m)


def _hommel(ranked: Vector) -> Vector:
    """Hommel's adjusted values of sorted p values (Wright 1992, algorithm of the appendix)."""
    m = ranked.size
    rank = np.arange(1, m + 1)
    adjusted = np.full(m, float((m * ranked / rank).min()))
    for size in range(m - 1, 1, -1):
        split = m - size + 1
        smallest = float((size * ranked[split:] / np.arange(2, size + 1)).min())
        candidate = np.empty(m)
        candidate[:split] = np.minimum(size * ranked[:split], smallest)
        candidate[split:] = candidate[split - 1]
        adjusted = np.maximum(adjusted, candidate)
    out: Vector = np.maximum(adjusted, ranked)
    return out
