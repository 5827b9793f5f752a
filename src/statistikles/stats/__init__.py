"""The symbolic kernel: one module per family of statistics; numbers in, typed results out.

Every declared statistic is a plain function here (`statistikles.stats.welch_t(a, b)`), imported on first use.
"""

from __future__ import annotations

import importlib
from typing import Any

from statistikles.registry.manifest import function_modules


def __getattr__(name: str) -> Any:
    module = function_modules().get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(module), name)


def __dir__() -> list[str]:
    return sorted(function_modules())
