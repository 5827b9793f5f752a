"""One turn with a model: a bounded tool loop, the audit, one correction, and the warning if it stays unclean."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from statistikles.neural.backend import Completion, ModelBackend, ToolCall
from statistikles.neural.fence import fenced
from statistikles.neural.prompt import correction
from statistikles.neural.references import Filled, fill

if TYPE_CHECKING:
    from statistikles.guardrail import AuditReport

__all__ = ["ROUNDS", "ModelTurn", "run_turn"]

log = logging.getLogger("statistikles.neural")

ROUNDS = 5
_STOPPED = "The model kept calling tools and was stopped at the limit of rounds; no answer was written."
_SILENT = "The model returned an empty answer."

Execute = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
Audit = Callable[[str, Sequence[Mapping[str, Any]]], "AuditReport"]


@dataclass
class ModelTurn:
    """What a turn with a model produced."""

    text: str
    links: tuple[tuple[int, int, str], ...]
    audit: AuditReport
    results: list[Mapping[str, Any]] = field(default_factory=list)
    corrected: bool = False


def run_turn(
    model: ModelBackend,
    messages: list[dict[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    execute: Execute,
    audit: Audit,
    earlier: Sequence[Mapping[str, Any]] = (),
) -> ModelTurn:
    """Let the model call tools and write, audit what it wrote, and give it one chance to correct itself.

    Parameters
    ----------
    model : the back end.
    messages : the conversation so far, the user's message last; grows by what happens in the turn.
    tools : the tool schemas offered.
    execute : runs a call and returns its record.
    audit : audits a text against records of this turn.
    earlier : records of earlier turns, which may still be cited.
    """
    records: list[Mapping[str, Any]] = []
    filled = _converse(model, messages, tools, execute, records, earlier)
    report = audit(filled.text, records)
    corrected = False
    faults = [span.text for span in report.spans if span.flagged] + list(filled.unknown)
    if faults:
        corrected = True
        messages.append({"role": "user", "content": correction(faults, any(_succeeded(r) for r in records))})
        filled = _converse(model, messages, tools, execute, records, earlier)
        report = audit(filled.text, records)
    return ModelTurn(filled.text, filled.links, report, records, corrected)


def _succeeded(record: Mapping[str, Any]) -> bool:
    return "error" not in record["result"]


def _converse(
    model: ModelBackend,
    messages: list[dict[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    execute: Execute,
    records: list[Mapping[str, Any]],
    earlier: Sequence[Mapping[str, Any]],
) -> Filled:
    """Rounds of tool calls until the model writes text; its citations filled in."""
    completion = Completion()
    for _ in range(ROUNDS):
        completion = model.complete(messages, tools)
        if not completion.tool_calls:
            break
        messages.append(_assistant(completion))
        for place, call in enumerate(completion.tool_calls):
            messages.append(_answered(call, place, execute, records))
    written = completion.text if not completion.tool_calls else completion.text or _STOPPED
    messages.append({"role": "assistant", "content": written})
    return fill(written.strip() or _SILENT, [*earlier, *records])


def _assistant(completion: Completion) -> dict[str, Any]:
    calls = [
        {
            "id": call.id or f"call_{place}",
            "type": "function",
            "function": {"name": str(call.name or ""), "arguments": _as_text(call.arguments)},
        }
        for place, call in enumerate(completion.tool_calls)
    ]
    return {"role": "assistant", "content": completion.text or None, "tool_calls": calls}


def _as_text(arguments: Any) -> str:
    if isinstance(arguments, str):
        return arguments
    try:
        return json.dumps(arguments or {})
    except (TypeError, ValueError):
        return "{}"


def _answered(
    call: ToolCall, place: int, execute: Execute, records: list[Mapping[str, Any]]
) -> dict[str, Any]:
    """The tool message for a call; a malformed one becomes a message the model can act on."""
    content: Mapping[str, Any]
    problem, arguments = _parsed(call)
    if problem:
        content = {"error": problem, "code": "malformed_call", "hint": "Send the call again."}
    else:
        record = execute(call.name, arguments)
        records.append(record)
        content = {"id": record["id"], **record["result"]}
    text = json.dumps(content, ensure_ascii=False)
    return {
        "role": "tool",
        "tool_call_id": call.id or f"call_{place}",
        "content": fenced(text, "tool result"),
    }


def _parsed(call: ToolCall) -> tuple[str, Mapping[str, Any]]:
    """(what is wrong with the call, its arguments)."""
    if not isinstance(call.name, str) or not call.name.strip():
        return "The call names no function.", {}
    arguments = call.arguments
    if arguments is None or arguments == "":
        return "", {}
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except ValueError:
            return f"The arguments of {call.name} are not valid JSON.", {}
    if not isinstance(arguments, Mapping):
        return f"The arguments of {call.name} must be an object.", {}
    return "", arguments
