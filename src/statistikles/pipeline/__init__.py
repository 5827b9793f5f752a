"""Data stewardship: sources, tables, column references and filters.

Importing this package loads neither numpy nor duckdb: its names are fetched when first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.references import Catalog, Reference
    from statistikles.pipeline.sources import load
    from statistikles.pipeline.tables import Column, Groups, Table

__all__ = ["Catalog", "Column", "Finding", "Groups", "Reference", "Table", "load"]

_HOME = {
    "Catalog": "references",
    "Reference": "references",
    "Finding": "findings",
    "load": "sources",
    "Column": "tables",
    "Groups": "tables",
    "Table": "tables",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
