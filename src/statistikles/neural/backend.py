"""The one small interface every model back end has: messages and tools in, text and tool calls out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

__all__ = ["Completion", "ModelBackend", "ToolCall"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as a model sent it: nothing about it is trusted. `arguments` is JSON text or an object."""

    id: str = ""
    name: Any = None
    arguments: Any = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model: its text, and the tool calls it wants made."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


@runtime_checkable
class ModelBackend(Protocol):
    """A language model.

    `complete` gets the conversation as OpenAI-style messages and the tool schemas, and raises `ModelError`
    when the back end fails.
    """

    def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> Completion:
        """The model's next message."""
        ...
