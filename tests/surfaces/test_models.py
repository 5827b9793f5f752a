"""Models at the command line: asked for by flag, environment or file; said clearly when they cannot be had."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from statistikles import ScriptedModel, Session
from statistikles.surfaces import ask

from .conftest import PENGUINS, Run

DESCRIBE = {"tool": "descriptive_statistics", "arguments": {"data": "body_mass_g"}}
NOWHERE = "http://127.0.0.1:1/v1"


@pytest.fixture(autouse=True)
def no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No configuration of the machine the tests run on."""
    for name in ("XDG_CONFIG_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("STATISTIKLES_CONFIG", raising=False)


@pytest.mark.parametrize("how", ["flag", "environment", "address", "file"])
def test_a_server_that_is_not_there(how: str, run: Run, tmp_path: Path) -> None:
    environment = {"STATISTIKLES_LM_URL": NOWHERE} if how in ("flag", "address") else {}
    if how == "environment":
        environment = {"STATISTIKLES_MODEL": "m", "STATISTIKLES_LM_URL": NOWHERE}
    if how == "file":
        path = tmp_path / "mine.toml"
        path.write_text(f'model = "m"\nurl = "{NOWHERE}"\nretries = 0\n', encoding="utf-8")
        environment = {"STATISTIKLES_CONFIG": str(path)}
    words = ["ask", "Mean body mass?", "--data", PENGUINS, *(["--model", "m"] if how == "flag" else [])]
    ran = run(*words, environment=environment)
    assert ran.code == 1
    assert f"No model server answers at {NOWHERE}." in " ".join(ran.out.split())


def test_a_chat_goes_on_without_its_server(run: Run) -> None:
    ran = run(
        "chat",
        "--json",
        "--model",
        "m",
        stdin="Mean?\nAgain?\n",
        environment={"STATISTIKLES_LM_URL": NOWHERE},
    )
    assert ran.code == 0
    assert ["No model server" in json.loads(line)["text"] for line in ran.out.splitlines()] == [True, True]


@pytest.mark.parametrize(
    ("words", "environment", "said"),
    [
        (["--model", "missing.gguf"], {}, "no model file"),
        (["--model", "m"], {"STATISTIKLES_LM_URL": "localhost"}, "not an http address"),
        (["--model", "m"], {"STATISTIKLES_CONFIG": "missing.toml"}, "no configuration file"),
    ],
)
def test_what_cannot_be_a_model(words: list[str], environment: dict[str, str], said: str, run: Run) -> None:
    ran = run("ask", "Mean?", *words, environment=environment)
    assert ran.code == 1
    assert said in ran.err


def shown(monkeypatch: pytest.MonkeyPatch, steps: list[Any]) -> str:
    screen = Console(file=io.StringIO(), force_terminal=True, width=200, color_system=None, markup=False)
    monkeypatch.setattr(ask, "console", lambda: screen)
    ask.ask_on_screen(Session(data=PENGUINS, model=ScriptedModel(steps)), "Mean body mass?")
    return screen.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_a_reply_is_printed_once_while_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, [DESCRIBE, "The mean body mass is {{r1.mean:.1f}}. That is all."])
    assert text.count("The mean body mass is 4201.8. That is all.") == 1
    assert "[corrected]" not in text


def test_a_correction_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(
        monkeypatch, [DESCRIBE, "Mass varies. It is 99.73.", "The mean body mass is {{r1.mean:.1f}}."]
    )
    assert "[corrected]" in text
    assert "99.73" not in text


def test_debug_logs_every_step_and_no_value(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STATISTIKLES_LOG_LEVEL", raising=False)
    monkeypatch.setenv("STATISTIKLES_DEBUG", "")  # so that what --debug sets is undone after the test
    ran = run("--debug", "ask", "Mean body mass?", "--data", PENGUINS)
    lines = [json.loads(line) for line in ran.err.splitlines()]
    assert any(line["event"] == "turn" for line in lines)
    assert "4201" not in ran.err
    monkeypatch.setenv("STATISTIKLES_DEBUG", "")
    assert run("ask", "Mean body mass?", "--data", PENGUINS).err == ""
