"""Results as a model gets them: every name and number, without what would only fill its context."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["compact", "compact_text"]

_LONG_LIST = 12
_LONG_TEXT = 400
_DIGITS = 6


def compact(value: Any) -> Any:
    """A result with six significant digits, without empty fields and with long lists named by their length."""
    if isinstance(value, Mapping):
        return {str(k): compact(v) for k, v in value.items() if v is not None and v not in ({}, [], "")}
    if isinstance(value, list):
        if len(value) > _LONG_LIST:
            return f"({len(value)} values, cite one by its place: .0, .1, ...)"
        return [compact(v) for v in value]
    if isinstance(value, float):
        short = float(f"{value:.{_DIGITS}g}")
        return int(short) if short.is_integer() and abs(short) < 1e15 else short
    if isinstance(value, str) and len(value) > _LONG_TEXT:
        return value[:_LONG_TEXT] + " ..."
    return value


def compact_text(value: Mapping[str, Any], at_most: int) -> str:
    """The compact result as JSON; when longer than allowed, the deepest parts are left out first."""
    small = compact(value)
    for depth in (9, 4, 3, 2, 1):
        text = json.dumps(_cut(small, depth), ensure_ascii=False, separators=(",", ":"))
        if len(text) <= at_most:
            return text
    return text


def _cut(value: Any, depth: int) -> Any:
    if isinstance(value, Mapping):
        if depth == 0:
            return "(left out; its numbers can be cited: " + ", ".join(map(str, value)) + ")"
        return {k: _cut(v, depth - 1) for k, v in value.items()}
    if isinstance(value, list):
        return [_cut(v, depth - 1) for v in value] if depth else f"({len(value)} entries left out)"
    return value
