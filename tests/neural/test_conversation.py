"""A conversation over a workspace: tools narrowed, calls traced, text streamed, steps logged."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from statistikles import ScriptedModel, Session, get_tools
from statistikles.errors import ModelError
from statistikles.neural.planner.tables import views_of
from statistikles.neural.profiles import Profile
from statistikles.neural.router import narrowed, size_of
from statistikles.tools.replay import replay

PENGUINS = str(Path(__file__).parents[2] / "examples" / "penguins.csv")
DATA = {"weight": [61.2, 58.4, 70.1, 66.3, 59.9, 72.5, 64.8, 68.0], "arm": ["old", "old", "new", "new"] * 2}
DESCRIBE = {"tool": "descriptive_statistics", "arguments": {"data": "weight"}}


@pytest.mark.parametrize(
    ("question", "tool"),
    [
        ("Do the three species differ in body mass?", "anova"),
        ("Is flipper length related to body mass?", "correlation"),
        ("Is sex associated with species?", "chi_square"),
        ("What is the mean body mass?", "descriptive_statistics"),
        ("Is body mass normally distributed?", "test_assumptions"),
        ("How many subjects do I need for 80% power?", "power_analysis"),
        ("What is Cronbach's alpha of these items?", "reliability_analysis"),
        ("Fit a Kaplan-Meier curve", "survival_analysis"),
    ],
)
@pytest.mark.parametrize("tokens", [3000, 6000])
def test_the_needed_tool_is_among_the_few(question: str, tool: str, tokens: int) -> None:
    views = views_of(Session(data=PENGUINS).workspace)
    kept = narrowed(get_tools(), question, views, tokens)
    assert tool in [t["function"]["name"] for t in kept]
    assert sum(map(size_of, kept)) <= tokens
    assert 1 < len(kept) < len(get_tools())


def test_all_tools_when_they_fit_and_one_when_none_does() -> None:
    assert narrowed(get_tools(), "anything", [], 10**6) == get_tools()
    assert len(narrowed(get_tools(), "compare two groups", [], 1)) == 1


def test_a_small_context_gets_fewer_tools_and_the_latest_turns() -> None:
    model = ScriptedModel(["Hello."] * 40, Profile(context=4096))
    session = Session(data=PENGUINS, model=model)
    for number in range(40):
        session.ask(f"Tell me about penguins, part {'x' * 200}{number}")
    assert 0 < len(model.tools_offered[-1]) < 12
    last = model.requests[-1]
    assert last[0]["role"] == "system"
    assert len(last) < 2 + 2 * 39
    assert "part" in last[-1]["content"]
    assert [m["role"] for m in last[1:]] == ["user", "assistant"] * ((len(last) - 2) // 2) + ["user"]


def test_an_overflow_is_met_with_less() -> None:
    overflow = ModelError("Too long.", code="context_overflow")
    model = ScriptedModel(["Hello.", overflow, "Well.", overflow, overflow, "Bye."], Profile(context=32768))
    session = Session(data={"trial": DATA}, model=model)
    session.ask("One?")
    assert session.ask("Two?").text == "Well."
    assert len(model.requests[2]) == 2  # the rules and the question
    assert len(model.tools_offered[2]) < len(model.tools_offered[1])
    assert session.ask("Three?").text == "Too long."
    assert session.ask("Four?").text == "Bye."


def test_a_refused_call_is_in_the_ledger_and_the_ledger_replays(tmp_path: Path) -> None:
    table = tmp_path / "trial.csv"
    rows = zip(DATA["weight"], DATA["arm"], strict=True)
    table.write_text("weight,arm\n" + "".join(f"{w},{a}\n" for w, a in rows), encoding="utf-8")
    invented = {"tool": "descriptive_statistics", "arguments": {"data": [1.5, 2.5, 9.75]}}
    path = tmp_path / "work.jsonl"
    session = Session(data=str(table), model=ScriptedModel([invented, DESCRIBE, "Done."]), ledger=path)
    reply = session.ask("Mean weight?")
    assert [r["result"].get("code", "") for r in reply.results] == ["no_provenance", ""]
    report = replay(path)
    assert [r.refused for r in report.calls] == [True, False]
    assert all(r.same for r in report.calls)


def streamed(*steps: Any) -> tuple[list[str | None], str]:
    shown: list[str | None] = []
    session = Session(data={"trial": DATA}, model=ScriptedModel(steps))
    return shown, session.ask("Mean weight?", show=shown.append).text


def test_a_clean_reply_is_shown_sentence_by_sentence() -> None:
    shown, text = streamed(DESCRIBE, "The mean weight is {{r1.mean}}. It varies. That is all.")
    assert shown == ["The mean weight is 65.15. ", "It varies. ", "That is all."]
    assert text == "The mean weight is 65.15. It varies. That is all."


def test_nothing_unaudited_is_shown_and_a_correction_begins_anew() -> None:
    shown, text = streamed(
        DESCRIBE,
        "Weight varies. The mean weight is 99.73. And so on.",
        "The mean weight is {{r1.mean}}. That is all.",
    )
    assert shown == ["Weight varies. ", None, "The mean weight is 65.15. ", "That is all."]
    assert "99.73" not in "".join(s or "" for s in shown)
    assert text == "The mean weight is 65.15. That is all."


def test_what_stays_unclean_is_shown_at_the_end() -> None:
    shown, text = streamed("Weight varies. It is 99.73. So.", "Weight varies. It is 99.73. So.")
    assert shown == ["Weight varies. ", "It is 99.73. So."]
    assert text == "Weight varies. It is 99.73. So."


def test_logs_hold_ids_digests_and_shapes_and_never_a_value(caplog: pytest.LogCaptureFixture) -> None:
    data = {"secret_column": [613.25, 584.5, 701.75, 663.0], "who": ["Ada", "Bob", "Cy", "Di"]}
    steps = [
        {"tool": "descriptive_statistics", "arguments": {"data": {"column": "secret_column"}}},
        {"tool": "descriptive_statistics", "arguments": {"data": [613.25, 584.5, 701.75, 663.0]}},
        {"tool": "made-up-Ada", "arguments": {"Ada": 1}},
        {"tool": "anova", "arguments": {"groups": {"Ada": [613.25, 584.5], "Bob": [701.75, 663.0]}}},
        "The mean is {{r1.mean}}. Or 98.765.",
        "The mean is {{r1.mean}}.",
    ]
    with caplog.at_level(logging.DEBUG, "statistikles"):
        Session(data={"t": data}, model=ScriptedModel(steps)).ask("What did Ada weigh, 4321?")
    records = [r for r in caplog.records if r.name.startswith("statistikles")]
    events = [r.getMessage() for r in records]
    assert events.count("tool.called") == 4
    assert events.count("model.answered") == 6
    assert events.count("audit") == 2
    assert events[-1] == "turn"
    assert len({r.__dict__["turn"] for r in records}) == 1
    assert len({r.__dict__["call"] for r in records if "call" in r.__dict__}) == 4
    usual = set(vars(logging.makeLogRecord({})))
    extras = [{k: v for k, v in vars(r).items() if k not in usual} for r in records]
    text = json.dumps([*events, *extras], default=str)
    for value in (
        "613",
        "584",
        "701.75",
        "640.625",
        "98.765",
        "4321",
        "Ada",
        "Bob",
        "secret_column",
        "weigh",
    ):
        assert value not in text, value
    [first, *_] = [e for e in extras if "arguments" in e]
    assert len(first["arguments"]) == len(first["result"]) == 16
    assert first["arguments_shape"] == {"data": "object of 1"}
