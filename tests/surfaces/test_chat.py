"""The conversation: at a terminal (prompt_toolkit fed by a pipe), over plain standard input, and as JSON lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output import DummyOutput

from statistikles import ScriptedModel, Session
from statistikles.surfaces.chat import Chat
from statistikles.surfaces.cli import main

from .conftest import PENGUINS, Run


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[PipeInput]:
    """A terminal whose keys the test presses; state is kept in the test's own folder."""
    for name in ("XDG_STATE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        yield keys


def test_a_conversation_at_a_terminal(
    typed: PipeInput, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # "tols", then the cursor goes back and mends the word: line editing works.
    typed.send_text("help\rtols\x1b[D\x1b[Do\rtools nothing\rdata\rquit\r")
    assert main(["chat", "--data", PENGUINS]) == 0
    shown = capsys.readouterr()
    assert "Ask about your data in plain words" in shown.out
    assert "t_test  t tests" in shown.out
    assert "Unknown tool: nothing" in shown.err
    assert "penguins: 344 rows" in shown.out
    [history] = tmp_path.rglob("history")
    assert "+tools nothing" in history.read_text(encoding="utf-8")
    assert history.parent.name == "statistikles"


def test_ctrl_c_drops_the_line_and_ctrl_d_leaves(
    typed: PipeInput, capsys: pytest.CaptureFixture[str]
) -> None:
    typed.send_text("half a quest\x03help\r\x04")
    assert main(["chat"]) == 0
    assert "Ask about your data in plain words" in capsys.readouterr().out


def test_earlier_lines_come_back(
    typed: PipeInput, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The history is read in the background, so at the second prompt "up" is pressed until an earlier line stands there.
    plain = PromptSession.prompt
    prompts = 0

    def prompt(self: PromptSession[str], *args: Any, **kwargs: Any) -> str:
        nonlocal prompts
        prompts += 1

        def drawn(_: object) -> None:
            if prompts == 2:
                typed.send_text("\r" if self.default_buffer.text else "\x1b[A")

        if prompts == 1:
            self.app.after_render += drawn
        if prompts != 2:
            typed.send_text("help\r" if prompts == 1 else "quit\r")
        return plain(self, *args, **kwargs)

    monkeypatch.setattr(PromptSession, "prompt", prompt)
    assert main(["chat"]) == 0
    assert capsys.readouterr().out.count("Ask about your data in plain words") == 2


def test_history_that_cannot_be_kept_stops_nothing(
    typed: PipeInput, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    for name in ("XDG_STATE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(blocked))
    typed.send_text("quit\r")
    assert main(["chat"]) == 0


def test_plain_standard_input(run: Run) -> None:
    ran = run("chat", stdin="\n  \ndata\ntools t_test\nEXIT\nhelp\n")
    assert ran.code == 0
    assert "No table is loaded" in ran.out
    assert "one_sample" in ran.out
    assert "Ask about your data in plain words" not in ran.out


def test_tables_are_loaded_in_the_conversation(run: Run) -> None:
    ran = run("chat", "--json", stdin=f"data {PENGUINS}\ndata missing.csv\ndata\n")
    assert ran.code == 0
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert lines[0]["tables"][0]["rows"] == 344
    assert lines[1]["code"] == "file_not_found"
    assert lines[2] == lines[0]


def test_failing_turns_do_not_end_the_conversation(capsys: pytest.CaptureFixture[str]) -> None:
    call = {
        "tool": "t_test",
        "arguments": {"type": "one_sample", "group1": {"column": "body_mass_g"}, "mu0": 4000},
    }
    model = ScriptedModel([RuntimeError("broken"), call, "The mean differs: t = {{r1.statistic}}."])
    chat = Chat(Session(data=PENGUINS, model=model))
    assert chat.take("first")
    assert "failed" in capsys.readouterr().out
    assert chat.take("Is the mean body mass 4000?")
    assert "r1.statistic" in capsys.readouterr().out
    assert chat.take("show r1")
    assert "r1.effect_size.estimate" in capsys.readouterr().out
    assert chat.take("show r9")
    assert "no result 'r9'" in capsys.readouterr().err


@pytest.mark.parametrize("fault", [ValueError("x"), KeyboardInterrupt(), OSError("y")])
def test_a_fault_below_the_conversation_is_a_sentence(
    capsys: pytest.CaptureFixture[str], fault: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("STATISTIKLES_DEBUG", raising=False)
    session = Session()

    def broken(_text: str) -> None:
        raise fault

    monkeypatch.setattr(session, "ask", broken)
    chat = Chat(session, as_json=True)
    assert chat.take("what?")
    assert not chat.take("quit")
    shown = capsys.readouterr()
    assert json.loads(shown.out)["code"] in ("internal", "interrupted")
    assert "statistikles: " in shown.err


@pytest.mark.parametrize("line", ["help me choose a test", "tools that test means?", "data on penguins?"])
def test_a_question_may_begin_with_a_command_word(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    chat = Chat(Session())
    monkeypatch.setattr(chat, "_ask", asked.append)
    assert chat.take(line)
    assert asked == [line]
