"""One turn with a model: a bounded tool loop, the audit, one correction, and the warning if it stays unclean."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from statistikles.errors import ModelError
from statistikles.neural import observe
from statistikles.neural.backend import (
    Completion,
    Constraint,
    ModelBackend,
    ToolCall,
    Wish,
    ask_model,
    profile_of,
)
from statistikles.neural.choosing import Choices, choice_constraint, choice_message, read_choice
from statistikles.neural.compact import compact_text
from statistikles.neural.constraints import citations_only, digits_outside
from statistikles.neural.fence import fenced
from statistikles.neural.prompt import correction
from statistikles.neural.references import Filled, citable, fill, settled
from statistikles.neural.streaming import AuditedStream, Show
from statistikles.neural.wire import calls_in_text

if TYPE_CHECKING:
    from statistikles.guardrail import AuditReport

__all__ = ["ROUNDS", "ModelTurn", "Scene", "run_turn"]

ROUNDS = 5
_STOPPED = "The model kept calling tools and was stopped at the limit of rounds; no answer was written."
_SILENT = "The model returned an empty answer."
_NOWHERE = "this reference leads to no result"
_CUT_OFF = "the reply was cut off here: the model reached its limit of length"
_RESULT_AT_MOST = 6000

Execute = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
Audit = Callable[[str, Sequence[Mapping[str, Any]]], "AuditReport"]


@dataclass(frozen=True)
class Scene:
    """What the turn is about, for models that choose under a schema or write under a grammar.

    `names` are the column names and levels with a digit in them that a reply must be able to write.
    """

    choices: Choices = field(default_factory=Choices)
    names: tuple[str, ...] = ()


@dataclass
class ModelTurn:
    """What a turn with a model produced."""

    text: str
    links: tuple[tuple[int, int, str], ...]
    audit: AuditReport
    results: list[Mapping[str, Any]] = field(default_factory=list)
    corrected: bool = False
    trouble: str = ""


@dataclass(frozen=True)
class _Verdict:
    """A written text as a reader would get it, what the audit says, and what must be corrected."""

    text: str
    links: tuple[tuple[int, int, str], ...]
    audit: AuditReport
    faults: tuple[str, ...]
    cut_off: bool


def run_turn(
    model: ModelBackend,
    messages: list[dict[str, Any]],
    tools: Sequence[Mapping[str, Any]],
    execute: Execute,
    audit: Audit,
    earlier: Sequence[Mapping[str, Any]] = (),
    *,
    scene: Scene | None = None,
    show: Show | None = None,
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
    scene : what the turn is about.
    show : gets the reply as far as it is audited, while it is written.
    """
    loop = _Loop(model, messages, tools, execute, audit, earlier, scene or Scene(), show)
    first = loop.converse()
    verdict, trouble = loop.judge(first), ""
    corrected = bool(verdict.faults or verdict.cut_off)
    if corrected:
        computed = any(_succeeded(r) for r in loop.records)
        wanted = correction(verdict.faults, computed, cut_off=verdict.cut_off)
        kept = len(messages)
        messages.append({"role": "user", "content": wanted})
        loop.correcting = True
        try:
            verdict = loop.judge(loop.converse())
        except ModelError as error:  # the first reply is not lost: it is shown, with its warning
            del messages[kept:]
            verdict, trouble = loop.judge(first), f"{error.message} {error.hint}".strip()
    if loop.stream is not None:
        loop.stream.finish(verdict.text)
    return ModelTurn(verdict.text, verdict.links, verdict.audit, loop.records, corrected, trouble)


def _succeeded(record: Mapping[str, Any]) -> bool:
    return "error" not in record["result"]


class _Loop:
    """The requests of one turn."""

    def __init__(
        self,
        model: ModelBackend,
        messages: list[dict[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        execute: Execute,
        audit: Audit,
        earlier: Sequence[Mapping[str, Any]],
        scene: Scene,
        show: Show | None,
    ) -> None:
        self.model, self.messages, self.tools = model, messages, list(tools)
        self.execute, self.audit, self.earlier, self.scene = execute, audit, earlier, scene
        self.records: list[Mapping[str, Any]] = []
        self.stream = AuditedStream(show, audit, self.records, earlier) if show is not None else None
        self._made: dict[str, str] = {}
        self._unconstrained = False
        self.correcting = False

    def converse(self) -> Completion:
        """Rounds of tool calls until the model writes; the last round offers no tool, so that it must."""
        completion = Completion()
        for left in range(ROUNDS - 1, -1, -1):
            completion = self._step(self.tools if left else [])
            if not completion.tool_calls:
                break
            self.messages.append(_assistant(completion))
            for place, call in enumerate(completion.tool_calls):
                self.messages.append(self._answered(call, place))
        written = completion.text if not completion.tool_calls else completion.text or _STOPPED
        self.messages.append({"role": "assistant", "content": written})
        return replace(completion, text=written if written.strip() else _SILENT)

    def judge(self, completion: Completion) -> _Verdict:
        """Citations filled in, the whole audited; references that lead nowhere and cut-off texts are faults."""
        filled = fill(completion.text, [*self.earlier, *self.records])
        shown = settled(filled)
        with observe.timed() as clock:
            report = self.audit(shown.text, self.records)
        orphans = tuple(span.text for span in report.flagged)
        report = _with_gaps(report, shown.text, shown.gaps, completion.cut_off)
        observe.event(
            "audit",
            milliseconds=clock.ms,
            spans=len(report.spans),
            flagged=len(report.flagged),
            unknown_references=len(filled.unknown),
            cut_off=completion.cut_off,
        )
        return _Verdict(shown.text, shown.links, report, _faults(orphans, filled), completion.cut_off)

    def _step(self, tools: Sequence[Mapping[str, Any]]) -> Completion:
        """One message of the model: calls, or the reply."""
        profile = profile_of(self.model)
        if tools and profile.tools != "native":
            return self._chosen(tools, under_schema=profile.tools == "schema")
        if not tools and profile.tools != "native":
            return self._written()
        completion = self._request(self.messages, tools)
        if not completion.tool_calls and tools:
            names = [t["function"]["name"] for t in tools]
            if calls := calls_in_text(completion.text, names):
                return replace(completion, text="", tool_calls=calls)
        if completion.tool_calls or profile.constraint == "none" or self._is_cited(completion):
            return completion
        return self._written()

    def _chosen(self, tools: Sequence[Mapping[str, Any]], *, under_schema: bool) -> Completion:
        """The next step of a model without tool calling."""
        if under_schema and self.correcting and any(_succeeded(r) for r in self.records):
            return self._written()
        names = [t["function"]["name"] for t in tools]
        asked = {"role": "user", "content": choice_message(tools, under_schema=under_schema)}
        computed = any(_succeeded(r) for r in self.records)
        constraint = (
            choice_constraint(tools, self.scene.choices, may_stop=computed or not self.scene.choices.columns)
            if under_schema
            else None
        )
        completion = self._request([*self.messages, asked], [], constraint, silent=under_schema)
        calls = read_choice(completion, names)
        fresh = [c for c in calls if _key(c) not in self._made]
        if fresh:
            return replace(completion, text="", tool_calls=tuple(fresh))
        if calls or under_schema or profile_of(self.model).constraint != "none":
            return self._written()  # nothing new to compute
        return completion

    def _written(self) -> Completion:
        """The reply, with digits only in citations where the back end can be held to that."""
        constraint = citations_only(citable([*self.earlier, *self.records]), self.scene.names)
        return self._request(self.messages, [], constraint)

    def _is_cited(self, completion: Completion) -> bool:
        filled = fill(completion.text, [*self.earlier, *self.records])
        return (
            not completion.cut_off
            and not filled.unknown
            and not digits_outside(completion.text, self.scene.names)
        )

    def _request(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]],
        constraint: Constraint | None = None,
        *,
        silent: bool = False,
    ) -> Completion:
        """One request, logged; without the constraint when the server does not take it."""
        show = None
        if self.stream is not None and not silent:
            self.stream.begin()
            show = self.stream.take
        wish = Wish(None if self._unconstrained else constraint, show)
        with observe.timed() as clock:
            try:
                completion = ask_model(self.model, messages, tools, wish)
            except ModelError as error:
                observe.event("model.failed", logging.WARNING, code=error.code)
                if error.code != "no_constraint" or wish.constraint is None:
                    raise
                self._unconstrained = True
                completion = ask_model(self.model, messages, tools, replace(wish, constraint=None))
        observe.event(
            "model.answered",
            milliseconds=clock.ms,
            messages=len(messages),
            tools=len(tools),
            constrained=wish.constraint is not None and not self._unconstrained,
            finish=completion.finish if completion.finish in ("stop", "length", "tool_calls") else "other",
            calls=len(completion.tool_calls),
            characters=len(completion.text),
            tokens_in=completion.tokens_in,
            tokens_out=completion.tokens_out,
        )
        return completion

    def _answered(self, call: ToolCall, place: int) -> dict[str, Any]:
        """The tool message for a call; a malformed one becomes a message the model can act on."""
        problem, arguments = _parsed(call)
        with observe.timed() as clock:
            if problem:
                named = call.name if isinstance(call.name, str) else ""
                record: Mapping[str, Any] = {
                    "id": "",
                    "tool": named,
                    "arguments": {},
                    "result": _problem(problem),
                }
            else:
                record = self.execute(call.name, arguments)
                self._made[_key(call)] = record["id"]
            self.records.append(record)
        _log_call(self.tools, call, arguments, record, clock.ms)
        content = {"id": record["id"], **record["result"]} if record["id"] else record["result"]
        context = profile_of(self.model).context
        text = compact_text(content, min(_RESULT_AT_MOST, context // 2) if context else _RESULT_AT_MOST)
        return {
            "role": "tool",
            "tool_call_id": call.id or f"call_{place}",
            "content": fenced(text, "tool result"),
        }


def _problem(said: str) -> dict[str, Any]:
    return {"error": said, "code": "malformed_call", "hint": "Send the call again."}


def _key(call: ToolCall) -> str:
    return json.dumps([call.name, _parsed(call)[1]], sort_keys=True, default=str)


def _log_call(
    tools: Sequence[Mapping[str, Any]],
    call: ToolCall,
    arguments: Mapping[str, Any],
    record: Mapping[str, Any],
    ms: float,
) -> None:
    schema = next((t["function"] for t in tools if t["function"]["name"] == call.name), None)
    known = frozenset(schema["parameters"].get("properties", {})) if schema else frozenset()
    result = record["result"]
    observe.event(
        "tool.called",
        call=observe.new_id(),
        tool=call.name if schema else "unknown",
        arguments=observe.digest(arguments),
        arguments_shape=observe.shape(arguments, known or frozenset({""})),
        result=observe.digest(result),
        result_shape=observe.shape(result),
        failed=str(result.get("code", "")) if "error" in result else "",
        entry=record["id"],
        milliseconds=ms,
    )


def _faults(orphans: Sequence[str], filled: Filled) -> tuple[str, ...]:
    whole = " ".join(filled.unknown)
    return (*filled.unknown, *(o for o in orphans if o not in whole))


def _with_gaps(report: AuditReport, text: str, gaps: Sequence[tuple[int, int]], cut_off: bool) -> AuditReport:
    """The report with a flagged span for each reference that leads nowhere and for the end of a cut-off text."""
    from statistikles.guardrail import Span, Verdict

    orphan = str(Verdict.ORPHAN)
    marks = [Span(a, b, text[a:b], orphan, True, _NOWHERE) for a, b in gaps]
    last = text.rstrip().rsplit(None, 1)[-1:]
    if cut_off and last and not (gaps and gaps[-1][1] >= len(text.rstrip())):
        end = len(text.rstrip())
        marks.append(Span(end - len(last[0]), end, last[0], orphan, True, _CUT_OFF))
    if not marks:
        return report
    kept = [s for s in report.spans if not any(s.start < m.end and m.start < s.end for m in marks)]
    return replace(report, spans=tuple(sorted([*kept, *marks], key=lambda s: (s.start, s.end))))


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
        except (ValueError, RecursionError):
            return f"The arguments of {call.name} are not valid JSON.", {}
    if not isinstance(arguments, Mapping):
        return f"The arguments of {call.name} must be an object.", {}
    return "", arguments
