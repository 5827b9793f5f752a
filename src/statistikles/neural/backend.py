"""The one small interface every model back end has: messages and tools in, text and tool calls out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from statistikles.neural.profiles import Profile

__all__ = [
    "Completion",
    "Constraint",
    "ModelBackend",
    "ProfiledBackend",
    "ToolCall",
    "Wish",
    "ask_model",
    "profile_of",
]

_PLAIN = Profile(context=0)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as a model sent it: nothing about it is trusted. `arguments` is JSON text or an object."""

    id: str = ""
    name: Any = None
    arguments: Any = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer of a model: its text, and the tool calls it wants made.

    `finish` is the server's word for why it stopped; "length" means that the text was cut off.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def cut_off(self) -> bool:
        """Whether the model reached its limit of length."""
        return self.finish == "length"


@dataclass(frozen=True, slots=True)
class Constraint:
    """The form a text must have, as a GBNF grammar and as a JSON schema; `unpack` makes plain text of either."""

    grammar: str
    schema: Mapping[str, Any]
    unpack: Callable[[str], str] = field(default=lambda text: text)


@dataclass(frozen=True, slots=True)
class Wish:
    """What a request asks for beyond messages and tools; a back end may be unable to grant it.

    `show` gets the text as it is written; it is never called with a tool call or with hidden reasoning.
    """

    constraint: Constraint | None = None
    show: Callable[[str], None] | None = None


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


@runtime_checkable
class ProfiledBackend(Protocol):
    """A back end that says what it can do and takes wishes."""

    profile: Profile

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        wish: Wish = ...,
    ) -> Completion:
        """The model's next message."""
        ...


def profile_of(model: ModelBackend) -> Profile:
    """What the back end says of itself; the usual when it says nothing."""
    return model.profile if isinstance(model, ProfiledBackend) else _PLAIN


def ask_model(
    model: ModelBackend,
    messages: Sequence[Mapping[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    wish: Wish,
) -> Completion:
    """One request, with the wish where the back end takes one."""
    if isinstance(model, ProfiledBackend):
        return model.complete(messages, tools, wish)
    return model.complete(messages, tools)
