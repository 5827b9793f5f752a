"""A model that says what it was told to say: for tests, demonstrations and documentation. No network."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from statistikles.errors import ModelError
from statistikles.neural.backend import Completion, ToolCall, Wish
from statistikles.neural.profiles import Profile

__all__ = ["ScriptedModel"]

Step = str | Mapping[str, Any] | Completion | Exception | Callable[[Sequence[Mapping[str, Any]]], Any]


class ScriptedModel:
    """Plays a list of steps, one per request.

    Parameters
    ----------
    steps : each a reply text; a tool call `{"tool": name, "arguments": {...}}` or a list of them; a
        `Completion`; an exception to raise; or a function from the messages to any of these.
    profile : what the model is said to be unable to do; nothing, and a context without limit, when not given.
    """

    def __init__(self, steps: Sequence[Any], profile: Profile | None = None) -> None:
        self._steps = list(steps)
        self.profile = profile or Profile(context=0)
        self.wishes: list[Wish] = []
        self.requests: list[list[Mapping[str, Any]]] = []
        self.tools_offered: list[list[str]] = []

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        wish: Wish = Wish(),  # noqa: B008 (frozen)
    ) -> Completion:
        """The next step of the script.

        Raises
        ------
        ModelError : the script is at its end.
        """
        self.requests.append([dict(m) for m in messages])
        self.wishes.append(wish)
        self.tools_offered.append([t["function"]["name"] for t in tools])
        if not self._steps:
            raise ModelError("The scripted model has no step left.", hint="Give it one step per request.")
        step = self._steps.pop(0)
        if callable(step):
            step = step(messages)
        completion = _completion(step, len(self.requests))
        if wish.show is not None:
            for piece in re.findall(r"\s*\S+|\s+", completion.text):
                wish.show(piece)
        return completion


def _completion(step: Any, number: int) -> Completion:
    if isinstance(step, Exception):
        raise step
    if isinstance(step, Completion):
        return step
    if isinstance(step, str):
        return Completion(text=step)
    calls = step if isinstance(step, list | tuple) else [step]
    return Completion(
        tool_calls=tuple(
            ToolCall(id=f"call_{number}_{i}", name=c.get("tool"), arguments=c.get("arguments"))
            for i, c in enumerate(calls, 1)
        )
    )
