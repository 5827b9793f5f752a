"""Hostile tool calls and damaged ledgers: nothing escapes the seam, nothing half recorded is handed out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from statistikles import execute_tool
from statistikles.errors import DataError
from statistikles.tools.ledger import Ledger
from statistikles.tools.workspace import Workspace


class Unprintable:
    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


def nested(depth: int) -> list[Any]:
    out: list[Any] = [1]
    for _ in range(depth):
        out = [out]
    return out


@pytest.mark.parametrize("name", [nested(100_000), Unprintable(), None, 5, {}, b"t_test", "t\ud800"])
def test_any_name_is_answered(name: Any) -> None:
    result = execute_tool(name, {})
    assert result["code"] == "unknown_tool"
    assert result["error"].startswith("Unknown tool: ")


@pytest.mark.parametrize("arguments", [{"type": nested(100_000)}, {"data": nested(100_000)}])
@pytest.mark.parametrize("tool", ["descriptive_statistics", "advanced_modeling", "anova"])
def test_deep_nesting_is_no_fault_of_ours(tool: str, arguments: dict[str, Any]) -> None:
    assert execute_tool(tool, arguments)["code"] != "internal"


def test_a_session_that_fails_is_answered() -> None:
    class Broken:
        @property
        def workspace(self) -> Any:
            raise RuntimeError

    assert "error" in execute_tool("t_test", {}, session=Broken())


def test_arguments_that_cannot_be_recorded_yield_no_number() -> None:
    workspace = Workspace()
    result = execute_tool("descriptive_statistics", {"data": nested(100_000)}, session=workspace)
    assert result["code"] in {"ledger", "invalid_input"}
    assert len(workspace.ledger) == 0


def test_half_a_surrogate_pair_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    workspace = Workspace(ledger=path)
    execute_tool("x\ud800", {"\ud800": ["\ud801"]}, session=workspace)
    execute_tool("descriptive_statistics", {"data": {"column": "\ud800"}}, session=workspace)
    assert len(Ledger.read(path)) == 2


def test_line_separators_in_texts_do_not_split_entries(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    execute_tool("no\u2028such\x85tool", {}, session=Workspace(ledger=path))
    assert Ledger.read(path).entries[0].tool == "no\u2028such\x85tool"


def test_two_sessions_on_one_file_do_not_break_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    first, second = Workspace(ledger=path), Workspace(ledger=path)
    assert "mean" in execute_tool("descriptive_statistics", {"data": [1, 2, 3]}, session=first)
    assert (
        execute_tool("descriptive_statistics", {"data": [1, 2, 4]}, session=second)["code"] == "ledger_in_use"
    )
    assert "mean" in execute_tool("descriptive_statistics", {"data": [1, 2, 5]}, session=first)
    assert [e.id for e in Ledger.read(path)] == ["r1", "r2"]


HEADER = '{"format":"statistikles-ledger-1"}\n'


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n",
        "null",
        "5\n",
        "[" * 100_000,
        '{"format":"statistikles-ledger-1","sources":5}\n',
        HEADER + "5\n",
        HEADER + "{}\n",
        HEADER + "[" * 100_000 + "\n{}",
    ],
)
def test_what_is_no_ledger_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError):
        Ledger.read(path)


@pytest.mark.parametrize("change", ["result", "argument", "order", "gap"])
def test_an_altered_ledger_is_refused(change: str, tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    workspace = Workspace(ledger=path)
    for last in (3, 4, 5):
        execute_tool("descriptive_statistics", {"data": [1, 2, last]}, session=workspace)
    lines = path.read_text(encoding="utf-8").splitlines()
    if change in {"result", "argument"}:
        entry = json.loads(lines[2])
        target = entry["result"] if change == "result" else entry["arguments"]
        target["mean" if change == "result" else "data"] = 7.0 if change == "result" else [7, 7, 7]
        lines[2] = json.dumps(entry)
    elif change == "order":
        lines[1], lines[2] = lines[2], lines[1]
    else:
        del lines[2]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        Ledger.read(path)
    assert caught.value.code == "ledger_altered"
