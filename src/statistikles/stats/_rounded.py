"""Measures rounded to the places after the point that were asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from statistikles.results import Quantity

__all__ = ["rounded_measures"]

_NAMES = (
    "mean", "median", "std_dev", "variance", "minimum", "maximum", "range", "q1", "q3", "iqr", "sum", "skewness",
    "excess_kurtosis",
)  # fmt: skip


def rounded_measures(quantities: Mapping[str, Any], decimals: int) -> dict[str, Any]:
    """The common measures, also those of the groups, rounded as asked."""
    out: dict[str, Any] = {}
    for name in _NAMES:
        value = quantities.get(name)
        value = value.value if isinstance(value, Quantity) else value
        if isinstance(value, int | float):
            out[name] = round(float(value), decimals)
    groups = quantities.get("groups")
    if isinstance(groups, Mapping):
        out["groups"] = {name: rounded_measures(part.to_dict(), decimals) for name, part in groups.items()}
    return out
