"""Settings and profiles: the environment, the file, the table of quirks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from statistikles.errors import DataError, InputError, MissingDependency
from statistikles.neural.embedded import EmbeddedModel
from statistikles.neural.models import configured_model, open_model
from statistikles.neural.openai_compatible import OpenAICompatible
from statistikles.neural.profiles import TABLE, Profile, adjusted, profile_for
from statistikles.neural.settings import DEFAULT_URL, Settings, config_file, read_settings
from statistikles.neural.wire import request_of


def environment(tmp_path: Path, content: str | None = None, **more: str) -> dict[str, str]:
    if content is not None:
        (tmp_path / "statistikles").mkdir(exist_ok=True)
        (tmp_path / "statistikles" / "config.toml").write_text(content, encoding="utf-8")
    return {"XDG_CONFIG_HOME": str(tmp_path), "APPDATA": str(tmp_path), **more}


@pytest.fixture(autouse=True)
def linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")


def test_without_anything_the_planner_answers(tmp_path: Path) -> None:
    found = read_settings(environment(tmp_path))
    assert (found.url, found.model, found.chosen) == (DEFAULT_URL, "", False)
    assert configured_model(settings=found) is None


@pytest.mark.parametrize(
    "more",
    [{"STATISTIKLES_MODEL": "m"}, {"STATISTIKLES_LM_URL": "http://127.0.0.1:9/v1"}],
    ids=["model", "url"],
)
def test_a_model_or_an_address_asks_for_a_model(more: dict[str, str], tmp_path: Path) -> None:
    found = read_settings(environment(tmp_path, **more))
    assert found.chosen
    assert isinstance(configured_model(settings=found), OpenAICompatible)


def test_the_environment_comes_before_the_file(tmp_path: Path) -> None:
    content = (
        'model = "in-file"\nurl = "http://127.0.0.1:7/v1"\napi_key = "k1"\ntimeout = 5\nretries = 0\n'
        '[profile]\ntools = "text"\n'
    )
    found = read_settings(
        environment(tmp_path, content, STATISTIKLES_MODEL="in-env", STATISTIKLES_API_KEY="k2")
    )
    assert (found.model, found.url, found.api_key) == ("in-env", "http://127.0.0.1:7/v1", "k2")
    assert (found.timeout, found.retries, found.chosen) == (5.0, 0, True)
    assert open_model("x", found).profile.tools == "text"  # type: ignore[attr-defined]
    assert "k2" not in repr(found)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("model = ", "not valid TOML"),
        ("modell = 'x'", "unknown setting 'modell'"),
        ("timeout = 'long'", "must be a number"),
        ("retries = -1", "must be a number"),
        ("profile = 3", "must be a table"),
    ],
)
def test_a_file_that_cannot_be_used(content: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        read_settings(environment(tmp_path, content))


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no configuration file"):
        read_settings({"STATISTIKLES_CONFIG": str(tmp_path / "none.toml")})


@pytest.mark.parametrize(
    ("platform", "parts"),
    [
        ("darwin", ("Application Support", "statistikles")),
        ("win32", ("Roaming", "statistikles")),
        ("linux", (".config",)),
    ],
)
def test_the_folder_of_each_platform(
    platform: str, parts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    assert set(parts) <= set(config_file({}).parts)


def test_a_model_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no model file"):
        open_model(str(tmp_path / "none.gguf"), Settings())
    (tmp_path / "x.gguf").write_bytes(b"not a model")
    with pytest.raises(DataError, match="not a GGUF"):
        open_model(str(tmp_path / "x.gguf"), Settings())


def test_without_the_engine_the_install_line_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "xllamacpp", None)
    (tmp_path / "x.gguf").write_bytes(b"GGUF....")
    with pytest.raises(MissingDependency) as caught:
        EmbeddedModel(tmp_path / "x.gguf")
    assert "statistikles[embedded]" in caught.value.hint


def test_every_row_of_the_table_has_its_reason_and_changes_something() -> None:
    assert len({row.id for row in TABLE}) == len(TABLE)
    for row in TABLE:
        assert row.reason
        assert row.model or row.server
        assert adjusted(Profile(), dict(row.change)) != Profile()


@pytest.mark.parametrize(
    ("model", "server", "expected"),
    [
        ("qwen3-8b", "http://localhost:1234/v1", {"constraint": "json_schema", "tools": "native"}),
        ("llama3.1", "http://localhost:11434/v1", {"context": 4096}),
        ("any", "http://localhost:8080/v1", {"constraint": "grammar"}),
        (
            "gpt-5-mini",
            "https://api.openai.com/v1",
            {"temperature": None, "length_field": "max_completion_tokens"},
        ),
        ("gemma-2-9b-it", "", {"system_role": False, "tools": "text"}),
        ("gemma-3-4b-it", "", {"system_role": True, "tools": "text"}),
        ("Mistral-7B-Instruct-v0.2", "", {"system_role": False}),
        ("Mistral-7B-Instruct-v0.3", "", {"system_role": True, "tools": "native"}),
        ("SmolLM2-135M-Instruct", "http://localhost:8080/v1", {"tools": "schema", "constraint": "grammar"}),
        ("SmolLM2-135M-Instruct", "", {"tools": "text"}),
        ("unheard-of", "http://somewhere:5/v1", {"tools": "native", "constraint": "none"}),
    ],
)
def test_profiles(model: str, server: str, expected: dict[str, Any]) -> None:
    found = profile_for(model, server)
    assert {name: getattr(found, name) for name in expected} == expected


@pytest.mark.parametrize(
    "changes",
    [
        {"tool": "x"},
        {"tools": "x"},
        {"constraint": "x"},
        {"context": -1},
        {"context": True},
        {"system_role": 1},
    ],
)
def test_a_change_that_means_nothing(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        adjusted(Profile(), changes)


TALK = [
    {"role": "system", "content": "Rules."},
    {"role": "user", "content": "Well?"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": '{"a": 1}'}}],
    },
    {"role": "tool", "tool_call_id": "c", "content": "result"},
    {"role": "user", "content": "Go on."},
]


def test_messages_for_a_model_without_a_system_role() -> None:
    sent = request_of(TALK[:2], [], Profile(system_role=False))["messages"]
    assert sent == [{"role": "user", "content": "Rules.\n\nWell?"}]


def test_messages_for_a_model_without_tools() -> None:
    request = request_of(
        TALK, [{"type": "function"}], Profile(tools="text", reply_tokens=9, repeat_penalty=1.1)
    )
    assert "tools" not in request
    assert (request["max_tokens"], request["repeat_penalty"]) == (9, 1.1)
    assert request["messages"] == [
        TALK[0],
        TALK[1],
        {"role": "assistant", "content": '{"tool": "f", "arguments": {"a": 1}}'},
        {"role": "user", "content": "Tool result:\nresult\n\nGo on."},
    ]


def test_messages_for_an_able_model_are_left_alone() -> None:
    request = request_of(TALK, [{"type": "function"}], Profile(temperature=None))
    assert request == {"messages": TALK, "tools": [{"type": "function"}]}
