"""The points of a receiver operating characteristic curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.results import Quantity, Role

__all__ = ["roc_points"]

_MOST = 500


def roc_points(score: NDArray[np.float64], outcome: NDArray[np.float64]) -> list[dict[str, Any]]:
    """From (0, 0) to (1, 1): one point for each different score taken as the least that counts as an event."""
    order = np.argsort(-score, kind="stable")
    ordered, events = score[order], outcome[order]
    last = np.append(np.flatnonzero(np.diff(ordered) != 0), ordered.size - 1)  # of each run of equal scores
    hits = np.cumsum(events)[last]
    alarms = last + 1 - hits
    places = np.arange(last.size)
    if last.size > _MOST:
        places = np.unique(np.rint(np.linspace(0, last.size - 1, _MOST)).astype(int))
    none_called: dict[str, Any] = {"threshold": None, "undefined": {"threshold": "above every score"}}
    points = [{"false_positive_rate": 0.0, "true_positive_rate": 0.0, **none_called}]
    for i in places:
        points.append(
            {
                "false_positive_rate": float(alarms[i] / alarms[-1]),
                "true_positive_rate": float(hits[i] / hits[-1]),
                "threshold": Quantity(float(ordered[last[i]]), Role.PROBABILITY),
            }
        )
    return points
