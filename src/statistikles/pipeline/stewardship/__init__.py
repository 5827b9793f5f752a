"""Stewardship after loading: units, detect, validate, cleanse, normalise; looking, and changing only when asked.

Importing this package loads neither numpy, duckdb nor pint: its names are fetched when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from statistikles.pipeline.stewardship.detect import ColumnReport
    from statistikles.pipeline.stewardship.inspection import Inspection, examine
    from statistikles.pipeline.stewardship.recipe import Cleaned, clean
    from statistikles.pipeline.stewardship.reconcile import compare_sources

__all__ = ["RECORDED", "Cleaned", "ColumnReport", "Inspection", "clean", "compare_sources", "examine"]

# What a record adds to a step beside the fields it was given.
RECORDED = ("findings", "fitted")

_HOME = {
    "Cleaned": "recipe",
    "ColumnReport": "detect",
    "Inspection": "inspection",
    "clean": "recipe",
    "compare_sources": "reconcile",
    "examine": "inspection",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
