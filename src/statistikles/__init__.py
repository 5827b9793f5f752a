"""Statistikles: a statistics assistant in which no number is ever produced by the language model.

Public names load on first use; importing the package loads no numerical library.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from statistikles.guardrail import (
        audit as audit,
    )
    from statistikles.guardrail import (
        collect_numbers as collect_numbers,
    )
    from statistikles.guardrail import (
        extract_numeric_tokens as extract_numeric_tokens,
    )
    from statistikles.guardrail import (
        extract_numeric_values as extract_numeric_values,
    )
    from statistikles.guardrail import (
        validate_numeric_provenance as validate_numeric_provenance,
    )
    from statistikles.neural import Reply as Reply
    from statistikles.neural import ScriptedModel as ScriptedModel
    from statistikles.neural import Session as Session
    from statistikles.registry.manifest import get_tools as get_tools
    from statistikles.tools.executor import execute_tool as execute_tool

__version__ = "0.1.0"

_HOMES = {
    "Reply": "statistikles.neural",
    "ScriptedModel": "statistikles.neural",
    "Session": "statistikles.neural",
    "audit": "statistikles.guardrail",
    "collect_numbers": "statistikles.guardrail",
    "execute_tool": "statistikles.tools.executor",
    "extract_numeric_tokens": "statistikles.guardrail",
    "extract_numeric_values": "statistikles.guardrail",
    "get_tools": "statistikles.registry.manifest",
    "validate_numeric_provenance": "statistikles.guardrail",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
