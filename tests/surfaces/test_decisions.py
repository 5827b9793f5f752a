"""Decisions about reading a table: on the command line, in a session, and again in a replay."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from statistikles import Session
from statistikles.errors import DataError, InputError, StatistiklesError
from statistikles.surfaces.cli import main
from statistikles.tools.replay import replay

VISITS = "seen,weight\n03/04/2021,1\n05/06/2021,2\n01/02/2021,3\n02/03/2021,5\n06/05/2021,-999\n"


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    path = tmp_path / "visits.csv"
    path.write_text(VISITS, encoding="utf-8")
    return path


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_inspect_takes_decisions_and_says_so(visits: Path, capsys: pytest.CaptureFixture[str]) -> None:
    decided = ("--decide", "seen:dates=dmy", "--decide", "WEIGHT:missing=-999")
    code, content = run(capsys, "inspect", str(visits), *decided)
    assert code == 0 and not [f for f in content["to_decide"] if f["stage"] == "canonicalise"]
    assert content["decisions"] == {"seen:dates": "dmy", "weight:missing": "-999"}
    seen, weight = content["columns"]
    assert (seen["kind"], seen["min"], weight["n_missing"]) == ("datetime", "2021-02-01", 1)


def test_run_ask_and_replay_agree(visits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ledger = tmp_path / "ledger.jsonl"
    flags = ("--data", str(visits), "--decide", "weight:missing=-999", "--ledger", str(ledger))
    code, result = run(capsys, "run", "descriptive_statistics", "--arguments", '{"data": "weight"}', *flags)
    assert code == 0 and result["mean"] == 2.75  # (1 + 2 + 3 + 5) / 4
    code, _ = run(capsys, "ask", "What is the mean weight?", *flags)
    assert code == 0
    report = replay(ledger)
    assert report.ok and [call.tool for call in report.calls].count("decide") == 2


def test_a_replay_on_other_data_is_not_the_same(visits: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    session = Session(str(visits), ledger=ledger, decisions={"weight:missing": "-999"})
    session.run("descriptive_statistics", {"data": "weight"})
    visits.write_text(VISITS.replace(",5\n", ",6\n"), encoding="utf-8")
    assert not replay(ledger).ok


def test_a_question_decided_on_the_way(visits: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    session = Session(str(visits), ledger=ledger)
    before = session.run("descriptive_statistics", {"data": "weight"})["result"]["mean"]
    record = session.decide("weight:missing=-999")
    assert record["tool"] == "decide"
    session.decide("seen:dates=mdy")
    after = session.run("descriptive_statistics", {"data": "weight"})["result"]["mean"]
    assert (before, after) == (-197.6, 2.75)
    assert replay(ledger).ok


def test_a_report_reads_the_table_as_decided(
    visits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "ledger.jsonl"
    session = Session(str(visits), ledger=ledger, decisions=["weight:missing=-999"])
    session.run("descriptive_statistics", {"data": "weight"})
    out = tmp_path / "report.md"
    assert main(["report", str(ledger), "--out", str(out)]) == 0
    assert "changed" not in out.read_text(encoding="utf-8").casefold()
    for language in ("r", "python"):
        assert main(["code", str(ledger), "--language", language]) == 0
    capsys.readouterr()


def test_a_decision_is_for_every_table_that_has_the_column(visits: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,-999\n2,1\n3,2\n", encoding="utf-8")
    data = {"visits": str(visits), "other": str(other)}
    session = Session(data, decisions=["weight:missing=-999"])
    assert session.workspace.catalog is not None
    assert session.workspace.catalog["visits"].column("weight").n_missing == 1
    assert session.workspace.catalog["other"].column("b").n_missing == 0
    assert [(entry.tool, entry.arguments["table"]) for entry in session.ledger] == [("decide", "visits")]
    with pytest.raises(DataError, match="does not exist"):
        Session(data, decisions=["nothing:missing=-999"])


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        ("seen:dates=dym", "dmy, mdy, ymd, text"),
        ("seen:date=dmy", "dates"),
        ("sen:dates=dmy", "seen"),
        ("seen=dmy", "COLUMN:KEY=VALUE"),
        ("weight:type=boolean", "text, number"),
        ("weight:footer=drop", "*:footer=drop"),
    ],
)
def test_a_wrong_decision_says_what_is_possible(
    decision: str, said: str, visits: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, content = run(capsys, "inspect", str(visits), "--decide", decision)
    assert code == 1 and said in content["hint"]
    session = Session(str(visits))
    with pytest.raises(StatistiklesError):
        session.decide(decision)
    assert not session.ledger.entries


def test_decisions_need_a_table() -> None:
    with pytest.raises(InputError, match="no table"):
        Session(decisions=["a:type=text"])


def test_chat_decides(
    visits: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("decide weight:missing=-999\n"))
    code = main(["chat", "--data", str(visits), "--json"])
    columns = json.loads(capsys.readouterr().out)["tables"][0]["columns"]
    assert code == 0 and columns[1]["n_missing"] == 1
