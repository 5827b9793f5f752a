"""Replay: the same, changed data, an altered number, a cut file; and never a silent pass."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from statistikles.tools.ledger import Ledger, _digest
from statistikles.tools.replay import differences, replay
from statistikles.tools.workspace import Workspace

from .conftest import Run


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Three calls on inline numbers, one of them refused."""
    path = tmp_path / "work.jsonl"
    workspace = Workspace(ledger=path)
    workspace.execute("t_test", {"type": "one_sample", "group1": [1, 2, 4, None], "mu0": 1})
    workspace.execute("t_test", {"type": "independent", "group1": [1, 2, 4], "group2": [4, 5, 9]})
    workspace.execute("t_test", {"type": "one_sample", "group1": [1]})
    return path


def rewrite(path: Path, line: int, change: dict[str, object], *, sealed: bool) -> None:
    """Change an entry; with `sealed`, forge its hash and those after it."""
    lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    lines[line].update(change)
    if sealed:
        for place in range(line, len(lines)):
            if place > 1:
                lines[place]["previous"] = lines[place - 1]["hash"]
            lines[place]["hash"] = _digest(lines[place])
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")


def test_the_same(run: Run, ledger: Path) -> None:
    report = replay(ledger)
    assert report.ok
    assert [call.refused for call in report.calls] == [False, False, True]
    assert report.numbers > 20
    ran = run("replay", str(ledger))
    assert ran.code == 0
    assert f"3 calls recomputed, {report.numbers} numbers: every number is the same." in ran.out
    assert run("replay", str(ledger), "--json").json["ok"] is True


def test_a_number_that_is_not_what_was_computed(run: Run, ledger: Path) -> None:
    entry = Ledger.read(ledger).entries[1]
    forged = {**entry.result, "p_value": 0.049}
    rewrite(ledger, 2, {"result": forged}, sealed=True)
    ran = run("replay", str(ledger))
    assert ran.code == 1
    assert f"r2.p_value: was 0.049, is {entry.result['p_value']!r}" in ran.out
    assert "3 calls recomputed: 1 not the same." in ran.out
    [changed] = [call for call in run("replay", str(ledger), "--json").json["calls"] if not call["same"]]
    assert changed["differences"] == [{"address": "r2.p_value", "was": 0.049, "now": entry.result["p_value"]}]


def test_a_refusal_that_became_an_answer(ledger: Path) -> None:
    rewrite(ledger, 3, {"arguments": {"type": "one_sample", "group1": [1, 2, 4]}}, sealed=True)
    assert [call.same for call in replay(ledger).calls] == [True, True, False]


def test_an_altered_entry_is_refused(run: Run, ledger: Path) -> None:
    rewrite(ledger, 1, {"tool": "anova"}, sealed=False)
    ran = run("replay", str(ledger), "--json")
    assert ran.code == 1
    assert ran.json["code"] == "ledger_altered"
    assert "r1" in ran.json["error"]


def test_a_cut_last_line_is_reported(run: Run, ledger: Path) -> None:
    ledger.write_bytes(ledger.read_bytes()[:-40])
    ran = run("replay", str(ledger))
    assert ran.code == 1
    assert "middle of an entry" in ran.out
    assert "2 calls recomputed" in ran.out


def test_a_missing_middle_entry_is_refused(run: Run, ledger: Path) -> None:
    lines = ledger.read_text(encoding="utf-8").splitlines()
    ledger.write_text("\n".join([*lines[:2], *lines[3:]]) + "\n", encoding="utf-8")
    assert run("replay", str(ledger)).code == 1


@pytest.mark.parametrize("content", [b"", b"{}", b"not json", b"\x00\xff\xfe", b"[1]\n[2]\n", b"null\n"])
def test_what_is_no_ledger_is_said_to_be_none(run: Run, tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "no.jsonl"
    path.write_bytes(content)
    ran = run("replay", str(path))
    assert ran.code == 1
    assert "no.jsonl" in ran.err


def test_other_versions_are_named(ledger: Path) -> None:
    entry = Ledger.read(ledger).entries[0]
    rewrite(ledger, 1, {"versions": {**entry.versions, "scipy": "0.0.1"}}, sealed=True)
    assert replay(ledger).version_changes["scipy"][0] == "0.0.1"


def test_differences_are_exact() -> None:
    assert not list(differences({"a": [1, 2.0, None]}, {"a": [1.0, 2, None]}, "r1"))
    found = [
        d.address
        for d in differences({"a": 0.1, "b": [1], "c": True}, {"a": 0.1 + 1e-18, "b": [1, 2], "c": 1}, "r1")
    ]
    assert found == ["r1.b", "r1.c"]
    assert [d.address for d in differences({"x": 1}, {"y": 1}, "r1")] == ["r1.x", "r1.y"]
    assert [d.was for d in differences({"x": 0.3}, {"x": 0.1 + 0.2}, "r1")] == [0.3]


def test_the_replay_adds_nothing_to_the_file(ledger: Path) -> None:
    before = ledger.read_bytes()
    replay(ledger)
    assert ledger.read_bytes() == before
