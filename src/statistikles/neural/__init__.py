"""The language side: planner, model back ends and the audited session. Names load on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from statistikles.neural.backend import Completion as Completion
    from statistikles.neural.backend import ModelBackend as ModelBackend
    from statistikles.neural.backend import ToolCall as ToolCall
    from statistikles.neural.profiles import Profile as Profile
    from statistikles.neural.reply import Reply as Reply
    from statistikles.neural.scripted import ScriptedModel as ScriptedModel
    from statistikles.neural.session import Session as Session

_HOMES = {
    "Completion": "backend",
    "ModelBackend": "backend",
    "Profile": "profiles",
    "Reply": "reply",
    "ScriptedModel": "scripted",
    "Session": "session",
    "ToolCall": "backend",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
