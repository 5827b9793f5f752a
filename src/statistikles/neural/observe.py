"""Structured logs of a turn: ids that belong together, digests and shapes; never a value, a name or a text."""

from __future__ import annotations

import contextvars
import hashlib
import json
import logging
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

__all__ = ["digest", "event", "new_id", "shape", "timed", "turn"]

log = logging.getLogger("statistikles.neural")

_TURN: contextvars.ContextVar[str] = contextvars.ContextVar("statistikles_turn", default="")


def new_id() -> str:
    """A fresh correlation id."""
    return uuid.uuid4().hex[:12]


@contextmanager
def turn(ident: str) -> Iterator[None]:
    """Everything logged inside belongs to this turn."""
    token = _TURN.set(ident)
    try:
        yield
    finally:
        _TURN.reset(token)


def event(name: str, level: int = logging.INFO, **facts: Any) -> None:
    """One line of the log."""
    if log.isEnabledFor(level):
        log.log(level, name, extra={"turn": _TURN.get(), **facts})


class timed:  # noqa: N801 (used like a function)
    """Measures what happens inside: `with timed() as clock: ...; clock.ms`."""

    def __enter__(self) -> timed:
        self.started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.ms = round(1000 * (time.perf_counter() - self.started), 2)


def digest(value: Any) -> str:
    """A short digest of a value's canonical JSON."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def shape(value: Any, known: frozenset[str] = frozenset()) -> Any:
    """What a value is made of. Keys are shown only when they are among the known ones: others may be data."""
    if isinstance(value, Mapping):
        shown = {str(k): shape(v) for k, v in value.items() if str(k) in known}
        hidden = len(value) - len(shown)
        return shown | ({"others": hidden} if hidden else {}) if known else f"object of {len(value)}"
    if isinstance(value, list | tuple):
        kinds = sorted({_kind(v) for v in value})
        return f"list of {len(value)} {'/'.join(kinds)}".strip()
    return _kind(value)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return {"str": "text", "dict": "object", "list": "list"}.get(type(value).__name__, "other")
