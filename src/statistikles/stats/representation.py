"""Compositional data (centred log-ratio) and closed intervals."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from statistikles.errors import InputError
from statistikles.registry.arguments import FloatArray, MatrixOf, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["centred_log_ratio", "interval_overlap"]

Interval = Annotated[FloatArray, Vector(min_n=2)]

declare_tool(
    "representation_stats",
    title="Compositions and intervals",
    summary="Log-ratio coordinates of compositional data, and the overlap of two intervals.",
    chooser="type",
)


@statistic(
    tool="representation_stats",
    subtype="clr",
    title="Centred log-ratio",
    use_when="parts of a whole (percentages, concentrations) to be analysed in real coordinates",
    utterances=(
        "clr transform",
        "compositional data",
        "centred log ratio",
        "analyse percentages that sum to 100",
    ),
    refs=(
        "Aitchison 1986, doi:10.1007/978-94-009-4109-0",
        "Egozcue et al. 2003, doi:10.1023/A:1023818214614",
    ),
    formula="clr(x)ᵢ = log(xᵢ / g(x)), g = geometric mean",
    equivalents={"R": "log(x) - mean(log(x))", "Python": "np.log(x) - np.log(x).mean()"},
    example={"data": [48.6, 31.7, 19.7]},
)
def centred_log_ratio(data: Annotated[FloatArray, MatrixOf(flat=True)]) -> Measures:
    """Centred log-ratio and isometric (pivot) coordinates of one or more compositions.

    Parameters
    ----------
    data : the parts of one composition, or a list of rows, one composition each; all positive.

    Returns
    -------
    Measures : clr (and pivot) coordinates, proportions after closure, geometric mean and Aitchison norm; for several
        rows, lists by row and the clr of their centre.

    Raises
    ------
    InputError : parts that are zero or negative, or fewer than two parts.
    """
    rows = data[None, :] if data.ndim == 1 else data
    if rows.shape[1] < 2:
        raise InputError("A composition needs at least two parts.", where="data", code="too_few_values")
    if (rows <= 0).any():
        raise InputError(
            "Every part must be positive: the logarithm of a zero or negative part does not exist.",
            hint="Replace zeros by a stated method (for example half the detection limit) before the transform.",
            where="data",
            code="out_of_range",
        )
    logs = np.log(rows)
    centre = np.array([math.fsum(row) for row in logs]) / rows.shape[1]
    clr = logs - centre[:, None]
    scaled = np.exp(logs - logs.max(axis=1, keepdims=True))
    closed = scaled / scaled.sum(axis=1, keepdims=True)
    single = data.ndim == 1
    norm = np.sqrt(np.array([math.fsum(row * row) for row in clr]))
    quantities: dict[str, object] = {
        "clr": clr[0] if single else clr,
        "pivot": _pivot(logs)[0] if single else _pivot(logs),
        "proportions": Quantity(closed[0] if single else closed, Role.PROPORTION),
        "geometric_mean": float(np.exp(centre[0])) if single else np.exp(centre),
        "aitchison_norm": float(norm[0]) if single else norm,
        "n_parts": Quantity(rows.shape[1], Role.COUNT),
    }
    if not single:
        quantities["centre_clr"] = clr.mean(axis=0)
    return Measures(
        method="Centred log-ratio transform",
        quantities=quantities,
        conventions=(
            "natural logarithm",
            "pivot coordinates: part i against the geometric mean of the parts after it",
        ),
    )


def _pivot(logs: FloatArray) -> FloatArray:
    """Isometric log-ratio coordinates of the sequential (pivot) basis."""
    d = logs.shape[1]
    columns = [
        math.sqrt((d - i - 1) / (d - i)) * (logs[:, i] - logs[:, i + 1 :].mean(axis=1)) for i in range(d - 1)
    ]
    return np.column_stack(columns)


@statistic(
    tool="representation_stats",
    subtype="interval_overlap",
    title="Overlap of two intervals",
    use_when="two closed intervals [low, high]",
    utterances=("do these intervals overlap", "overlap of two ranges", "Jaccard index of intervals"),
    refs=("Moore, Kearfott & Cloud 2009, doi:10.1137/1.9780898717716",),
    formula="overlap = max(0, min(b₁, b₂) − max(a₁, a₂)); Jaccard = overlap / length of the union",
    example={"interval_a": [1.0, 4.0], "interval_b": [3.0, 6.0]},
)
def interval_overlap(interval_a: Interval, interval_b: Interval) -> Measures:
    """Overlap, gap, Jaccard index and containment of two closed intervals.

    Parameters
    ----------
    interval_a : [low, high].
    interval_b : [low, high].

    Returns
    -------
    Measures : whether they meet, the length of overlap and gap, Jaccard index and overlap coefficient.

    Raises
    ------
    InputError : an interval that is not [low, high] with low ≤ high.
    """
    (a1, a2), (b1, b2) = _ends(interval_a, "interval_a"), _ends(interval_b, "interval_b")
    overlap = max(0.0, min(a2, b2) - max(a1, b1))
    gap = max(0.0, max(a1, b1) - min(a2, b2))
    meet = max(a1, b1) <= min(a2, b2)
    union = (a2 - a1) + (b2 - b1) - overlap
    shorter = min(a2 - a1, b2 - b1)
    undefined = {}
    if union == 0:
        undefined["jaccard"] = "both intervals are single points"
    if shorter == 0:
        undefined["overlap_coefficient"] = "the shorter interval is a single point"
    if not meet:
        relation = "disjoint"
    elif overlap == 0 and shorter > 0:
        relation = "touching"
    elif (a1, a2) == (b1, b2):
        relation = "equal"
    elif a1 <= b1 and b2 <= a2:
        relation = "a contains b"
    elif b1 <= a1 and a2 <= b2:
        relation = "b contains a"
    else:
        relation = "overlapping"
    return Measures(
        method="Overlap of two closed intervals",
        quantities={
            "meet": meet,
            "relation": relation,
            "overlap": Quantity(overlap, Role.RANGE),
            "gap": Quantity(gap, Role.DISTANCE),
            "jaccard": None if union == 0 else Quantity(overlap / union, Role.PROPORTION),
            "overlap_coefficient": None if shorter == 0 else Quantity(overlap / shorter, Role.PROPORTION),
            "intersection": [max(a1, b1), min(a2, b2)] if meet else [],
            "hull": [min(a1, b1), max(a2, b2)],
        },
        undefined=undefined,
        conventions=("closed intervals: intervals that share only an end point meet (touching)",),
    )


def _ends(interval: FloatArray, where: str) -> tuple[float, float]:
    if interval.shape[0] != 2 or interval[0] > interval[1]:
        raise InputError(
            f"'{where}' must be [low, high] with low ≤ high.", hint="Send two numbers in order.", where=where
        )
    return float(interval[0]), float(interval[1])
