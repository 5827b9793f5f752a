"""What models and servers cannot do, in one table: later rows that match refine earlier ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from statistikles.errors import InputError

__all__ = ["TABLE", "Profile", "Row", "adjusted", "profile_for"]


@dataclass(frozen=True, slots=True)
class Profile:
    """How to talk to a model.

    tools : "native" (the server's tool calling), "schema" (the choice of a tool is a JSON reply under a schema),
        or "text" (asked for in words and read from the text).
    constraint : how digits outside citations are made impossible: "grammar" (GBNF), "json_schema" or "none".
    system_role : whether a system message is understood; otherwise it stands before the first user message.
    thinking : pairs of tags around hidden reasoning, which is no part of the reply.
    context : tokens the model can take in; tools are narrowed and old turns left out to fit. 0 is without limit.
    reply_tokens : limit of one reply; 0 leaves it to the server.
    length_field : the name of that limit on the wire.
    temperature : None leaves it to the server.
    repeat_penalty : discourages loops on servers of the llama.cpp family; 0 leaves it out.
    stream_usage : whether the server understands being asked for token counts while streaming.
    """

    tools: Literal["native", "schema", "text"] = "native"
    constraint: Literal["grammar", "json_schema", "none"] = "none"
    system_role: bool = True
    thinking: tuple[tuple[str, str], ...] = (("<think>", "</think>"),)
    context: int = 32768
    reply_tokens: int = 0
    length_field: str = "max_tokens"
    temperature: float | None = 0.0
    repeat_penalty: float = 0.0
    stream_usage: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: which models or servers, what differs, and why."""

    id: str
    reason: str
    model: str = ""
    server: str = ""
    change: tuple[tuple[str, Any], ...] = ()

    def matches(self, model: str, server: str) -> bool:
        """Whether the row speaks of this model at this server."""
        return bool(
            (not self.model or re.search(self.model, model, re.I))
            and (not self.server or re.search(self.server, server, re.I))
        )


TABLE: tuple[Row, ...] = (
    Row(
        "lm-studio",
        "LM Studio takes response_format with a JSON schema, not GBNF",
        server=r":1234\b",
        change=(("constraint", "json_schema"),),
    ),
    Row(
        "ollama",
        "Ollama cuts silently at 4096 tokens unless configured otherwise; it takes a JSON schema",
        server=r":11434\b|ollama",
        change=(("constraint", "json_schema"), ("context", 4096)),
    ),
    Row(
        "llama.cpp",
        "the llama.cpp server takes GBNF in the request, but not together with tools",
        server=r":8080\b",
        change=(("constraint", "grammar"),),
    ),
    Row(
        "vllm",
        "vLLM takes response_format with a JSON schema",
        server=r":8000\b",
        change=(("constraint", "json_schema"),),
    ),
    Row(
        "openai",
        "structured output with patterns; long context",
        server=r"//api\.openai\.com",
        change=(("constraint", "json_schema"), ("context", 128000)),
    ),
    Row(
        "anthropic",
        "the compatible endpoint ignores response_format, so nothing is asked that is not kept",
        server=r"//api\.anthropic\.com",
        change=(("context", 200000), ("stream_usage", False)),
    ),
    Row(
        "openai-reasoning",
        "reasoning models refuse temperature and max_tokens",
        model=r"^(o\d|gpt-5)",
        change=(("temperature", None), ("length_field", "max_completion_tokens")),
    ),
    Row(
        "gemma-early",
        "Gemma 1 and 2 have neither a system role nor tool calling",
        model=r"gemma-?[12]?-\d+b|gemma-?2",
        change=(("system_role", False), ("tools", "text"), ("context", 8192)),
    ),
    Row(
        "gemma-3",
        "Gemma 3 has no tool tokens of its own; servers differ",
        model=r"gemma-?3",
        change=(("tools", "text"),),
    ),
    Row(
        "mistral-7b-early",
        "the first two versions have no system role and no tools",
        model=r"mistral-7b-instruct-v0\.[12]",
        change=(("system_role", False), ("tools", "text")),
    ),
    Row(
        "phi",
        "Phi 2 and 3 were not trained to call tools",
        model=r"phi-?[23]\b",
        change=(("tools", "text"), ("context", 4096)),
    ),
    Row(
        "smollm",
        "SmolLM is too small to call tools unaided: the choice is made under a schema",
        model=r"smollm|tinyllama|stablelm-zephyr",
        change=(
            ("tools", "schema"),
            ("context", 4096),
            ("reply_tokens", 160),
            ("repeat_penalty", 1.15),
        ),
    ),
    Row(
        "mistral-thinking",
        "Magistral marks its reasoning in its own way",
        model=r"magistral",
        change=(("thinking", (("[THINK]", "[/THINK]"), ("<think>", "</think>"))),),
    ),
    Row(
        "granite-thinking",
        "Granite 3 marks its reasoning in words",
        model=r"granite-?3",
        change=(("thinking", (("<think>", "</think>"), ("<thought>", "</thought>"))),),
    ),
)


def profile_for(
    model: str,
    server: str = "",
    changes: Mapping[str, Any] | None = None,
    *,
    usual: Profile = Profile(),
) -> Profile:
    """The profile of a model at a server: the usual, as the table and then the user's changes refine it."""
    profile = usual
    for row in TABLE:
        if row.matches(model, server):
            profile = replace(profile, **dict(row.change))
    if changes:
        profile = adjusted(profile, changes)
    if profile.tools == "schema" and profile.constraint == "none":
        profile = replace(profile, tools="text")
    return profile


_CHOICES: dict[str, tuple[str, ...]] = {
    "tools": ("native", "schema", "text"),
    "constraint": ("grammar", "json_schema", "none"),
}


def adjusted(profile: Profile, changes: Mapping[str, Any]) -> Profile:
    """A profile with the user's changes.

    Raises
    ------
    InputError : a field or value does not exist.
    """
    known = {f.name: f for f in fields(Profile)}
    made: dict[str, Any] = {}
    for name, value in changes.items():
        if name not in known:
            raise InputError(
                f"A model profile has no field '{name}'.",
                hint="Fields: " + ", ".join(known),
                where=name,
            )
        if name in _CHOICES and value not in _CHOICES[name]:
            raise InputError(
                f"'{value}' is no value of the profile field '{name}'.",
                hint="One of: " + ", ".join(_CHOICES[name]),
                where=name,
            )
        if name in ("context", "reply_tokens") and (
            not isinstance(value, int) or isinstance(value, bool) or value < 0
        ):
            raise InputError(f"The profile field '{name}' must be a whole number.", where=name)
        if name in ("system_role", "stream_usage") and not isinstance(value, bool):
            raise InputError(f"The profile field '{name}' must be true or false.", where=name)
        made[name] = tuple((str(a), str(b)) for a, b in value) if name == "thinking" else value
    return replace(profile, **made)
