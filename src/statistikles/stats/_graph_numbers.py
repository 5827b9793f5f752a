"""The numbers behind a histogram, a box plot, a density curve and a normal quantile plot of one sample."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.results import Quantity, Role
from statistikles.stats._distributions import norm_isf
from statistikles.stats._numerics import quantiles

__all__ = ["box_numbers", "density_numbers", "graph_numbers", "histogram_numbers", "quantile_numbers"]

Vector = NDArray[np.float64]

FENCE = 1.5  # Tukey: beyond so many interquartile ranges from the box a value stands alone
FAR = 10.0  # beyond so many, one value would squeeze all others into a single bar
MOST_BINS = 100
MOST_OUTSIDE = 200
MOST_QUANTILES = 500
_ALL_LISTED = 2000  # quantiles of all groups together, where they are not too many
_LEAST_LISTED = 60  # quantiles of each group, however many groups there are
DENSITY_PLACES = 65


def graph_numbers(
    values: Vector, by_group: Mapping[str, Vector], level: float, *, shape: bool = False
) -> dict[str, Any]:
    """What is drawn: of groups a box each, of one sample also its histogram and its quantiles.

    With `shape` the density curve too, and for every group its quantiles and its curve.
    """
    if by_group:
        more: dict[str, dict[str, Any]] = {name: {} for name in by_group}
        if shape:
            most = max(_LEAST_LISTED, min(MOST_QUANTILES, _ALL_LISTED // len(by_group)))
            more = {name: _shape(part, level, most) for name, part in by_group.items()}
        return {"groups": {name: {**box_numbers(part), **more[name]} for name, part in by_group.items()}}
    found = _shape(values, level, MOST_QUANTILES, density=shape)
    return {"histogram": histogram_numbers(values), "box": box_numbers(values), **found}


def _shape(values: Vector, level: float, most: int, *, density: bool = True) -> dict[str, Any]:
    """Quantiles and density curve of a sample, and why one of them does not exist."""
    found: dict[str, Any] = {"quantiles": quantile_numbers(values, level, most)}
    if density:
        found["density"] = density_numbers(values)
    reasons = {
        "quantiles": "it needs at least three values, half of which differ",
        "density": "it needs at least three values that differ",
    }
    undefined = {key: reasons[key] for key, value in found.items() if value is None}
    return {**found, "undefined": undefined} if undefined else found


def histogram_numbers(values: Vector) -> dict[str, Any]:
    """Counts in intervals closed on the left, with the rule that chose their width."""
    low, high = float(values.min()), float(values.max())
    q1, q3 = quantiles(values, (0.25, 0.75))
    whole = bool((values == np.floor(values)).all())
    if low == high:
        step = 1.0 if whole and abs(low) < 2**52 else _nice(max(abs(low) / 10, 1e-300))
        rule, edges = "one interval: all values are the same", [low - step / 2, low + step / 2]
        return _binned(values, edges, rule, step, values.size)
    window = (max(low, q1 - FAR * (q3 - q1)), min(high, q3 + FAR * (q3 - q1)))
    if q1 == q3:
        rule, width = "Sturges", (high - low) / math.ceil(math.log2(values.size) + 1)
        window = (low, high)
    else:
        rule, width = "Freedman–Diaconis", 2 * (q3 - q1) / values.size ** (1 / 3)
    most = (window[1] - window[0]) / MOST_BINS
    if width < most:
        rule, width = f"{rule}, at most {MOST_BINS} intervals", most
    step = _nice(width)
    while (window[1] - window[0]) / step > MOST_BINS:
        step = _nice(step * 1.5)
    if whole:
        step = max(1.0, math.floor(step))
    if step != width:
        rule += ", rounded"
    shift = 0.5 if whole and step == 1.0 else 0.0  # a bar for one whole number stands over it
    first = math.floor((window[0] + shift) / step)
    last = math.floor((window[1] + shift) / step) + 1
    edges = [float(f"{k * step:.12g}") - shift for k in range(first, last + 1)]
    if not all(b > a for a, b in pairwise(edges)):  # values too close for clean decimals
        edges = np.linspace(low, high, min(len(edges), MOST_BINS)).tolist()
        edges[-1] = float(np.nextafter(high, math.inf))
    return _binned(values, edges, rule, step, values.size)


def _binned(values: Vector, edges: list[float], rule: str, step: float, n: int) -> dict[str, Any]:
    inside = values[(values >= edges[0]) & (values < edges[-1])]
    places = np.searchsorted(np.array(edges), inside, side="right") - 1
    counts = np.bincount(places, minlength=len(edges) - 1)
    return {
        "rule": rule,
        "bin_width": Quantity(step, Role.RANGE),
        "bins": [
            {"low": Quantity(a, Role.VALUE), "high": Quantity(b, Role.VALUE), "count": int(c)}
            for (a, b), c in zip(pairwise(edges), counts.tolist(), strict=True)
        ],
        "n_below": Quantity(int((values < edges[0]).sum()), Role.COUNT),
        "n_above": Quantity(int((values >= edges[-1]).sum()), Role.COUNT),
        "n": n,
    }


def _nice(width: float) -> float:
    """The nearest of 1, 2, 2.5 and 5 times a power of ten, on the scale of ratios."""
    power = 10.0 ** math.floor(math.log10(width))
    choices = (1.0, 2.0, 2.5, 5.0, 10.0)
    best = min(choices, key=lambda c: abs(math.log(width / (c * power))))
    return float(f"{best * power:.12g}")


def box_numbers(values: Vector) -> dict[str, Any]:
    """Quartiles (type 7), whiskers to the last value within 1.5 interquartile ranges, and what lies beyond."""
    q1, median, q3 = quantiles(values, (0.25, 0.5, 0.75))
    reach = FENCE * (q3 - q1)
    inside = values[(values >= q1 - reach) & (values <= q3 + reach)]
    # With interpolated quartiles a whisker could end inside the box; it then ends at the box.
    low, high = min(float(inside.min()), q1), max(float(inside.max()), q3)
    beyond = np.sort(values[(values < q1 - reach) | (values > q3 + reach)])
    n_outside = int(beyond.size)
    if n_outside > MOST_OUTSIDE:  # the outermost of both sides stay
        beyond = np.concatenate((beyond[: MOST_OUTSIDE // 2], beyond[-MOST_OUTSIDE // 2 :]))
    return {
        "n": int(values.size),
        "q1": q1,
        "median": median,
        "q3": q3,
        "whisker_low": Quantity(low, Role.VALUE),
        "whisker_high": Quantity(high, Role.VALUE),
        "n_outside": Quantity(n_outside, Role.COUNT),
        "outside": Quantity(beyond.tolist(), Role.VALUE),
    }


def density_numbers(values: Vector) -> dict[str, Any] | None:
    """A Gaussian kernel density from the smallest to the largest value, bandwidth by Silverman's rule of thumb."""
    n = int(values.size)
    q1, q3 = quantiles(values, (0.25, 0.75))
    low, high = float(values.min()), float(values.max())
    if n < 3 or low == high:
        return None
    unit = high - low
    standard = (values - low) / unit
    spread = float(standard.std(ddof=1))
    narrow = (q3 - q1) / unit / 1.34
    width = 0.9 * min(spread, narrow if narrow > 0 else spread) * n**-0.2
    places = np.linspace(0.0, 1.0, DENSITY_PLACES)
    total = np.zeros(DENSITY_PLACES)
    for part in np.array_split(standard, max(1, n // 4096)):
        z = (places[:, None] - part[None, :]) / width
        total += np.exp(-z * z / 2).sum(axis=1)
    heights = total / (n * width * unit * math.sqrt(2 * math.pi))
    rows = [
        {"at": Quantity(low + unit * float(p), Role.VALUE), "density": Quantity(float(h), Role.VALUE)}
        for p, h in zip(places, heights, strict=True)
    ]
    return {"bandwidth": Quantity(width * unit, Role.RANGE), "points": rows}


def quantile_numbers(values: Vector, level: float, most: int = MOST_QUANTILES) -> dict[str, Any] | None:
    """Ordered values against normal quantiles, the line through the quartiles and its pointwise band (Fox)."""
    n = int(values.size)
    q1, q3 = quantiles(values, (0.25, 0.75))
    if n < 3 or q1 == q3:
        return None
    ordered = np.sort(values)
    ranks = np.unique(np.rint(np.linspace(1, n, min(n, most))).astype(int))
    offset = 0.375 if n <= 10 else 0.5
    p = (ranks - offset) / (n + 1 - 2 * offset)
    z = [-norm_isf(float(v)) for v in p]
    slope = (q3 - q1) / (2 * norm_isf(0.25))
    centre = (q1 + q3) / 2
    reach = norm_isf((1 - level) / 2)
    points = []
    for rank, share, score in zip(ranks.tolist(), p.tolist(), z, strict=True):
        density = math.exp(-score * score / 2) / math.sqrt(2 * math.pi)
        wide = reach * slope / density * math.sqrt(share * (1 - share) / n)
        line = centre + slope * score
        points.append(
            {
                "theoretical": Quantity(score, Role.QUANTILE),
                "value": Quantity(float(ordered[rank - 1]), Role.VALUE),
                "line": Quantity(line, Role.VALUE),
                "conf_low": line - wide,
                "conf_high": line + wide,
            }
        )
    return {"points": points, "n": n, "slope": slope, "intercept": centre, "conf_level": level}
