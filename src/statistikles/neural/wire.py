"""The chat-completions format: answers read leniently, messages adapted to what a model understands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from statistikles.errors import ModelError
from statistikles.neural.backend import Completion, ToolCall
from statistikles.neural.profiles import Profile

__all__ = [
    "Gathered",
    "Visible",
    "adapted",
    "calls_in_text",
    "completion_of",
    "request_of",
    "without_thinking",
]

_LENGTHS = ("length", "max_tokens", "model_length")


def request_of(
    messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]], profile: Profile
) -> dict[str, Any]:
    """The fields of a request that every chat-completions server takes."""
    request: dict[str, Any] = {"messages": adapted(messages, profile)}
    if tools and profile.tools == "native":
        request["tools"] = list(tools)
    if profile.temperature is not None:
        request["temperature"] = profile.temperature
    if profile.repeat_penalty:
        request["repeat_penalty"] = profile.repeat_penalty
    if profile.reply_tokens:
        request[profile.length_field] = profile.reply_tokens
    return request


def adapted(messages: Sequence[Mapping[str, Any]], profile: Profile) -> list[dict[str, Any]]:
    """The messages in the roles that the model understands."""
    out = [dict(m) for m in messages]
    if profile.tools != "native":
        out = _without_tool_messages(out)
    if not profile.system_role:
        out = _without_system(out)
    return out


def _without_tool_messages(messages: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Calls as the text a model would have written, their results as user messages; neighbours joined."""
    out: list[dict[str, Any]] = []
    for message in messages:
        if message["role"] == "tool":
            message = {"role": "user", "content": f"Tool result:\n{message['content']}"}
        elif message.get("tool_calls"):
            calls = [
                {"tool": c["function"]["name"], "arguments": _parsed(c["function"]["arguments"])}
                for c in message["tool_calls"]
            ]
            written = "\n".join(json.dumps(c, ensure_ascii=False) for c in calls)
            message = {"role": "assistant", "content": f"{message.get('content') or ''}\n{written}".strip()}
        if out and out[-1]["role"] == message["role"] == "user":
            out[-1] = {"role": "user", "content": f"{out[-1]['content']}\n\n{message['content']}"}
        else:
            out.append(message)
    return out


def _without_system(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    said = "\n\n".join(str(m["content"]) for m in messages if m["role"] == "system")
    rest = [m for m in messages if m["role"] != "system"]
    if said and rest and rest[0]["role"] == "user":
        return [{**rest[0], "content": f"{said}\n\n{rest[0]['content']}"}, *rest[1:]]
    return [{"role": "user", "content": said}, *rest] if said else rest


def _parsed(arguments: Any) -> Any:
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def completion_of(answer: Any, profile: Profile) -> Completion:
    """A completion from an answer's JSON.

    Raises
    ------
    ModelError : the answer has no message.
    """
    if not isinstance(answer, Mapping):
        raise _malformed()
    if isinstance(answer.get("error"), Mapping) and "choices" not in answer:
        raise ModelError(
            "The model server answered with an error of its own.",
            hint=str(answer["error"].get("message", ""))[:300],
            code="model_server",
        )
    choices = answer.get("choices")
    if not isinstance(choices, Sequence) or isinstance(choices, str):
        raise _malformed()
    if not choices or not isinstance(choices[0], Mapping):
        raise ModelError(
            "The model server answered without any choice of text.",
            hint="Ask again; if it stays so, the model or its server is at fault.",
            code="empty_answer",
        )
    message = choices[0].get("message")
    if not isinstance(message, Mapping):
        raise _malformed()
    usage = answer.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    return Completion(
        text=without_thinking(_text(message.get("content")), profile.thinking),
        tool_calls=_calls(message),
        finish=_finish(choices[0].get("finish_reason")),
        tokens_in=_count(usage.get("prompt_tokens")),
        tokens_out=_count(usage.get("completion_tokens")),
    )


def _malformed() -> ModelError:
    return ModelError(
        "The model server's answer is not in the chat-completions format.",
        hint="Check that the address ends in /v1 and belongs to an OpenAI-compatible server.",
        code="malformed_answer",
    )


def _finish(value: Any) -> str:
    return "length" if value in _LENGTHS else str(value or "stop")


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(content: Any) -> str:
    """The text of a message: a string, or parts of which the textual ones count."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "".join(str(p.get("text", "")) for p in content if isinstance(p, Mapping))
    return ""


def _calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    given = message.get("tool_calls")
    if not isinstance(given, Sequence) or isinstance(given, str):
        old = message.get("function_call")
        given = [{"function": old}] if isinstance(old, Mapping) else []
    calls = []
    for place, call in enumerate(given, 1):
        function = call.get("function") if isinstance(call, Mapping) else None
        function = function if isinstance(function, Mapping) else {}
        ident = call.get("id") if isinstance(call, Mapping) else None
        calls.append(ToolCall(str(ident or f"call_{place}"), function.get("name"), function.get("arguments")))
    return tuple(calls)


def without_thinking(text: str, tags: Sequence[tuple[str, str]]) -> str:
    """The text without hidden reasoning; a block that was never closed has no reply after it."""
    for opening, closing in tags:
        if closing in text and opening not in text.split(closing, 1)[0]:
            text = text.split(closing, 1)[1]  # the template had opened the block
        text = re.sub(rf"{re.escape(opening)}.*?(?:{re.escape(closing)}|\Z)", "", text, flags=re.S)
    return text.strip() if any(o or c for o, c in tags) else text


# Ways in which models write a call into their text when nothing parses it for them.
_MARKED = (
    re.compile(r"<tool_call>\s*(\{.*?\})\s*(?:</tool_call>|\Z)", re.S),
    re.compile(r"<function_call>\s*(\{.*?\})\s*(?:</function_call>|\Z)", re.S),
    re.compile(r"\[TOOL_CALLS\]\s*(\[.*\])", re.S),
    re.compile(r"```(?:json|tool_call|tool_code)?\s*(\{.*?\}|\[.*?\])\s*```", re.S),
)
_NAMED = re.compile(r"<function=([\w-]+)>\s*(\{.*?\})\s*</function>", re.S)


def calls_in_text(text: str, known: Iterable[str]) -> tuple[ToolCall, ...]:
    """The calls of known tools that a model wrote as text."""
    names = set(known)
    found = [ToolCall(name=m[1], arguments=m[2]) for m in _NAMED.finditer(text) if m[1] in names]
    pieces = [m[1] for pattern in _MARKED for m in pattern.finditer(text)]
    if not found and not pieces and text.strip()[:1] in ("{", "["):
        pieces = [text.strip(), *text.strip().splitlines()]
    for piece in pieces:
        try:
            content = json.loads(piece)
        except ValueError:
            continue
        for item in content if isinstance(content, list) else [content]:
            if (call := _call_of(item)) is not None and call.name in names:
                found.append(call)
    unique = {(str(c.name), json.dumps(c.arguments, sort_keys=True, default=str)): c for c in found}
    return tuple(ToolCall(f"text_{place}", c.name, c.arguments) for place, c in enumerate(unique.values(), 1))


def _call_of(item: Any) -> ToolCall | None:
    if not isinstance(item, Mapping):
        return None
    inner = item.get("function")
    if isinstance(inner, Mapping):
        item = inner
    name = item.get("name") or item.get("tool") or item.get("tool_name") or inner
    arguments: Any = next((item[k] for k in ("arguments", "parameters", "args", "input") if k in item), {})
    return ToolCall(name=name, arguments=arguments) if isinstance(name, str) else None


class Gathered:
    """An answer put together from the pieces of a stream."""

    def __init__(self) -> None:
        self.text = ""
        self.finish: Any = None
        self.usage: Mapping[str, Any] = {}
        self._calls: dict[int, dict[str, Any]] = {}
        self._any = False

    def take(self, chunk: Any) -> str:
        """One piece; the text it adds."""
        if not isinstance(chunk, Mapping):
            return ""
        if isinstance(chunk.get("usage"), Mapping):
            self.usage = chunk["usage"]
        if isinstance(chunk.get("error"), Mapping):
            completion_of(chunk, Profile())
        choices = chunk.get("choices")
        if not isinstance(choices, Sequence) or not choices or not isinstance(choices[0], Mapping):
            return ""
        self._any = True
        self.finish = choices[0].get("finish_reason") or self.finish
        delta = choices[0].get("delta")
        if not isinstance(delta, Mapping):
            return ""
        for call in delta.get("tool_calls") or ():
            self._take_call(call)
        added = _text(delta.get("content"))
        self.text += added
        return added

    def _take_call(self, piece: Any) -> None:
        if not isinstance(piece, Mapping):
            return
        place = piece.get("index")
        call = self._calls.setdefault(
            place if isinstance(place, int) else len(self._calls), {"id": "", "name": "", "arguments": ""}
        )
        call["id"] = piece.get("id") or call["id"]
        function = piece.get("function")
        if isinstance(function, Mapping):
            call["name"] += function.get("name") or ""
            arguments = function.get("arguments")
            call["arguments"] += arguments if isinstance(arguments, str) else json.dumps(arguments or {})

    def answer(self) -> dict[str, Any]:
        """The whole, in the form of an answer that was not streamed."""
        if not self._any:
            return {"choices": []}
        calls = [
            {"id": c["id"], "function": {"name": c["name"] or None, "arguments": c["arguments"]}}
            for _, c in sorted(self._calls.items())
        ]
        message = {"content": self.text, "tool_calls": calls}
        return {"choices": [{"message": message, "finish_reason": self.finish}], "usage": self.usage}


class Visible:
    """Passes on the part of a growing text that is a reply: no hidden reasoning, and no half of a tag."""

    def __init__(self, show: Callable[[str], None], tags: Sequence[tuple[str, str]]) -> None:
        self._show, self._tags, self._shown = show, tags, ""

    def text(self, so_far: str) -> None:
        """The text as far as it has come."""
        reply = without_thinking(so_far, self._tags)
        for opening, _ in self._tags:
            held = next((n for n in range(len(opening) - 1, 0, -1) if reply.endswith(opening[:n])), 0)
            reply = reply[: len(reply) - held]
        if reply.startswith(self._shown) and len(reply) > len(self._shown):
            self._show(reply[len(self._shown) :])
            self._shown = reply
