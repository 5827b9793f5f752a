"""Outlying values: Grubbs' test, the generalised extreme studentised deviate, and the three common fences."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from statistikles.stats._distributions import t_isf, t_sf
from statistikles.stats._numerics import Vector, moments, quantiles

__all__ = ["Extreme", "extreme_deviate", "fences", "generalised_esd", "grubbs_p"]

IQR_FACTOR, Z_CUT, MODIFIED_Z_CUT = 1.5, 3.0, 3.5


@dataclass(frozen=True)
class Extreme:
    """The value farthest from the mean, in standard deviations, signed."""

    place: int
    deviate: float


def extreme_deviate(x: Vector, side: str = "two-sided") -> Extreme:
    """The most extreme studentised value: on either side, the largest ("greater") or the smallest ("less")."""
    m = moments(x)
    scaled = (x / 2 - m.mean / 2) / ((m.sd or math.nan) / 2)
    key = {"two-sided": np.abs(scaled), "greater": scaled, "less": -scaled}[side]
    place = int(np.argmax(key))
    return Extreme(place, float(scaled[place]))


def grubbs_p(g: float, n: int, side: str) -> float:
    """p of Grubbs' statistic through Student's t with n - 2 degrees of freedom and Bonferroni's inequality."""
    room = (n - 1) ** 2 - n * g * g
    if room <= 1e-12 * (n - 1) ** 2:  # the other values are all equal: t is infinite
        return 0.0
    t = g * math.sqrt(n * (n - 2) / room)
    return min(1.0, (2 if side == "two-sided" else 1) * n * t_sf(t, n - 2))


def generalised_esd(x: Vector, most: int, alpha: float, unit: float) -> list[dict[str, Any]]:
    """Rosner's steps: each takes out the value farthest from the mean of those left (values in units)."""
    left = np.arange(x.size)
    steps: list[dict[str, Any]] = []
    for i in range(1, most + 1):
        m = moments(x[left])
        if not m.sd:
            break
        extreme = extreme_deviate(x[left])
        n = x.size - i + 1
        t = t_isf(alpha / (2 * n), n - 2)
        critical = (n - 1) * t / math.sqrt((n - 2 + t * t) * n)
        steps.append(
            {
                "index": int(left[extreme.place]),
                "value": float(x[left[extreme.place]]) * unit,
                "statistic": abs(extreme.deviate),
                "critical_value": critical,
                "exceeds": abs(extreme.deviate) > critical,
            }
        )
        left = np.delete(left, extreme.place)
    return steps


def fences(x: Vector, unit: float) -> tuple[dict[str, dict[str, Any]], bool]:
    """Values (in units) outside 1.5 IQR, beyond 3.0 z and 3.5 modified z; and whether the MAD was zero.

    With a MAD of zero the modified z uses 1.2533 times the mean absolute deviation instead.
    """
    m = moments(x)
    q1, median, q3 = quantiles(x, (0.25, 0.5, 0.75))
    low, high = q1 - IQR_FACTOR * (q3 - q1), q3 + IQR_FACTOR * (q3 - q1)
    z = np.abs(x / 2 - m.mean / 2) / ((m.sd or math.nan) / 2)
    away = np.abs(x / 2 - median / 2)
    mad = float(np.median(away))
    flat = mad == 0.0
    spread = 1.2533141373155003 * float(away.mean()) if flat else mad / 0.6744897501960817
    modified = away / spread
    rules = {
        "iqr": (IQR_FACTOR, (x < low) | (x > high)),
        "z": (Z_CUT, z > Z_CUT),
        "modified_z": (MODIFIED_Z_CUT, modified > MODIFIED_Z_CUT),
    }
    found = {
        name: {
            "threshold": cut,
            "n_outliers": int(mask.sum()),
            "indices": [int(i) for i in np.flatnonzero(mask)],
            "values": [float(v) * unit for v in x[mask]],
        }
        for name, (cut, mask) in rules.items()
    }
    low, high = low * unit, high * unit
    if math.isfinite(low) and math.isfinite(high):
        found["iqr"] |= {"lower_fence": low, "upper_fence": high}
    else:
        reason = "it does not fit a double-precision number"
        found["iqr"] |= {
            "lower_fence": None,
            "upper_fence": None,
            "undefined": {"lower_fence": reason, "upper_fence": reason},
        }
    return found, flat
