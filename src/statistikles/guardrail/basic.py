"""The basic provenance rules: four small functions whose behaviour is fixed by contract.

They are the measuring stick beside the full rules and keep their known holes on purpose; the
full rules live in `engine.py`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from numbers import Real
from typing import Any

__all__ = [
    "collect_numbers",
    "extract_numeric_tokens",
    "extract_numeric_values",
    "validate_numeric_provenance",
]

_TOKEN = re.compile(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?%?")
_SMALL_INTEGER_MAX = 12
_ABS_TOL = 1e-9


def _as_float(value: Any) -> float | None:
    """The value of a real number, None for anything else; too large for a double is an infinity."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return float(value)
    except OverflowError:
        return -math.inf if str(value).startswith("-") else math.inf


def _children(obj: Any) -> Iterator[Any] | None:
    if isinstance(obj, Mapping):
        return iter(obj.values())
    if isinstance(obj, list | tuple | AbstractSet):
        return iter(obj)
    if hasattr(obj, "tolist") and hasattr(obj, "shape"):  # an array or array scalar, without importing numpy
        plain = obj.tolist()
        return iter(plain) if isinstance(plain, list) else iter((plain,))
    return None


def collect_numbers(obj: Any) -> list[float]:
    """Every real number in nested dicts, lists, tuples and sets, in order.

    Booleans, strings and None are skipped; non-finite numbers are kept. An explicit stack keeps any depth
    of nesting safe, and a container that holds itself is entered once.
    """
    found: list[float] = []
    if (number := _as_float(obj)) is not None:
        return [number]
    first = _children(obj)
    if first is None:
        return found
    stack: list[tuple[int, Iterator[Any]]] = [(id(obj), first)]
    open_ids = {id(obj)}
    while stack:
        ident, items = stack[-1]
        for item in items:
            if (number := _as_float(item)) is not None:
                found.append(number)
                continue
            inner = _children(item)
            if inner is not None and id(item) not in open_ids:
                open_ids.add(id(item))
                stack.append((id(item), inner))
                break
        else:
            stack.pop()
            open_ids.discard(ident)
    return found


def extract_numeric_tokens(text: str) -> list[str]:
    """The numeric literals of a prose, in order, duplicates kept."""
    return _TOKEN.findall(text)


def _face_value(token: str) -> float:
    return float(token.rstrip("%"))


def _decimals(token: str) -> int:
    """Digits after the point; 0 in scientific notation."""
    body = token.rstrip("%")
    if "e" in body.lower():
        return 0
    _, _, tail = body.partition(".")
    return len(tail)


def extract_numeric_values(text: str) -> list[float]:
    """The face values of the numeric literals of a prose, in order ("35%" is 35)."""
    return [_face_value(token) for token in extract_numeric_tokens(text)]


def _forms(candidate: float, decimals: int) -> Iterator[float]:
    """What the basic rules accept for one candidate: itself, sign flip, x100 and /100, each also rounded."""
    for form in (candidate, -candidate, candidate * 100.0, candidate / 100.0):
        if math.isfinite(form):
            yield form
            yield round(form, decimals)


def validate_numeric_provenance(
    text: str,
    tool_results: Any,
    user_numbers: Iterable[float] = (),
    rtol: float = 1e-6,
) -> tuple[bool, list[str]]:
    """Check each numeric literal of `text` against results and user numbers by the basic rules.

    Returns
    -------
    (ok, orphans) : whether every token has a source; the tokens that have none, in order, duplicates kept.
    """
    candidates = [
        x for x in (*collect_numbers(tool_results), *collect_numbers(list(user_numbers))) if math.isfinite(x)
    ]
    forms_of: dict[int, list[float]] = {}
    orphans: list[str] = []
    for token in extract_numeric_tokens(text):
        value, decimals = _face_value(token), _decimals(token)
        if decimals == 0 and 0 <= value <= _SMALL_INTEGER_MAX:
            continue
        if decimals not in forms_of:
            forms_of[decimals] = [form for c in candidates for form in _forms(c, decimals)]
        if not any(math.isclose(value, form, rel_tol=rtol, abs_tol=_ABS_TOL) for form in forms_of[decimals]):
            orphans.append(token)
    return not orphans, orphans
