"""Conversations with a scripted model, read from transcripts/*.toml: what the reader gets, whatever the model does.

A transcript has `script`, one step per request (a text; a call {tool, arguments}; a list of calls; {calls = [...]} for
malformed ones; {text, finish}; {error}), and turns with what was asked and what must come of it: `text` or `contains`, the
`flagged` items (none when absent), the `tools` run, the `codes` of refused calls, the number of `requests` so far. A number
in curly braces is one of values.json, which R computed.
"""

from __future__ import annotations

import json
import socket
import tomllib
from pathlib import Path
from typing import Any

import pytest

from statistikles import Session
from statistikles.errors import ModelError
from statistikles.neural import Completion, ScriptedModel, ToolCall
from statistikles.neural.profiles import Profile

HERE = Path(__file__).parent
VALUES = json.loads((HERE / "values.json").read_text(encoding="utf-8"))["values"]
HEADING = "UNVERIFIED NUMBERS — POSSIBLE MOLLOCK"
NOTHING = "(no symbolic computation was performed this turn)"
LAST = "Trust only numbers produced by symbolic tool calls."
TRIAL = {
    "weight": [61.2, 58.4, 70.1, 66.3, 59.9, 72.5, 64.8, 68.0],
    "height": [171, 165, 182, 178, 169, 185, 174, 180],
    "arm": ["control", "control", "drug", "drug", "control", "drug", "control", "drug"],
}
TRANSCRIPTS: list[dict[str, Any]] = [
    {"kind": path.stem, **transcript}
    for path in sorted((HERE / "transcripts").glob("*.toml"))
    for transcript in tomllib.loads(path.read_text(encoding="utf-8"))["transcript"]
]


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection anywhere fails the test."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a golden conversation tried to use the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)


def step(content: Any) -> Any:
    if isinstance(content, dict):
        if "error" in content:
            return ModelError(content["error"])
        if "calls" in content:
            return Completion(
                tool_calls=tuple(
                    ToolCall(c.get("id", ""), c.get("name"), c.get("arguments")) for c in content["calls"]
                )
            )
        if "text" in content:
            return Completion(text=content["text"], finish=content.get("finish", "stop"))
    return content


def filled(text: str) -> str:
    """An expected text with the values R computed; a minus is printed as a minus sign."""
    return text.format_map({k: Printed(v) for k, v in VALUES.items()})


class Printed(float):
    def __format__(self, form: str) -> str:
        return super().__format__(form).replace("-", "−")


@pytest.mark.parametrize("t", TRANSCRIPTS, ids=[f"{t['kind']}-{t['id']}" for t in TRANSCRIPTS])
def test_transcript(t: dict[str, Any]) -> None:
    steps = [step(s) for s in t["script"]] * t.get("times", 1)
    model = ScriptedModel(steps, Profile(**{"context": 0, **t.get("profile", {})}))
    table = {**TRIAL, **t.get("more_columns", {})} if not t.get("no_data") else None
    session = Session(data={"trial": table} if table else None, model=model)
    for turn in t["turn"]:
        shown: list[str | None] = []
        reply = session.ask(turn["ask"], show=shown.append)
        if "text" in turn:
            assert reply.text == filled(turn["text"])
        for part in turn.get("contains", []):
            assert filled(part) in reply.text
        flagged = [span.text for span in reply.audit.flagged]
        assert flagged == turn.get("flagged", []), reply.warning
        assert [r["tool"] for r in reply.results] == turn.get("tools", [])
        assert [r["result"]["code"] for r in reply.results if "error" in r["result"]] == turn.get("codes", [])
        for part in turn.get("warned", []):
            assert part in reply.warning
        if "requests" in turn:
            assert len(model.requests) == turn["requests"]
        for part in turn.get("told", []):
            assert part in str(model.requests[-1][-1]["content"])
        check_block(
            reply.text,
            reply.warning,
            str(reply),
            flagged,
            [r for r in reply.results if "error" not in r["result"]],
        )
        check_links(reply.text, reply.links)
        last = max((i for i, piece in enumerate(shown) if piece is None), default=-1)
        assert "".join(str(p) for p in shown[last + 1 :]) in ("", reply.text)
    if "roles" in t:
        assert [m["role"] for m in model.requests[-1]] == t["roles"]


def check_block(text: str, warning: str, whole: str, flagged: list[str], computed: list[Any]) -> None:
    """The block stands below the unchanged text exactly when something is flagged, one line each."""
    if not flagged:
        assert warning == ""
        assert whole == text
        return
    lines = warning.splitlines()
    assert lines[0] == HEADING
    assert (lines[1] == NOTHING) == (not computed)
    assert lines[-1] == LAST
    assert whole == f"{text}\n\n{warning}"
    items = [line for line in lines if line.startswith("- ")]
    assert len(items) == len(flagged)
    for item, name in zip(items, flagged, strict=True):
        assert item.startswith(f"- {' '.join(name.split())} ")


def check_links(text: str, links: tuple[tuple[int, int, str], ...]) -> None:
    for start, end, address in links:
        assert any(c.isdigit() for c in text[start:end])
        assert address.startswith("r")


def test_there_are_enough_and_each_has_its_own_name() -> None:
    names = [(t["kind"], t["id"]) for t in TRANSCRIPTS]
    assert len(names) >= 40
    assert len(set(names)) == len(names)
    assert all(t["about"] and t["turn"] for t in TRANSCRIPTS)
