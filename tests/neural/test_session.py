"""The session with the built-in planner: it never ends on a failure, records every call, and says what it cannot do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from statistikles import Session
from statistikles.errors import DataError, ModelError
from statistikles.neural.planner import planner

DATA = {
    "weight": [61.2, 58.4, 70.1, 66.3, 59.9, 72.5, 64.8, 68.0, None],
    "flat": [1.5] * 9,
    "arm": list("aabbaabba"),
    "one": ["x"] * 9,
    "überlänge (cm)": [4.1, 3.9, 4.4, 4.0, 4.2, 4.3, 3.8, 4.5, 4.6],
}


def ask(question: str, data: Any = None) -> Any:
    return Session(data={"t": data or DATA}).ask(question)


def test_an_object_that_is_no_model_is_refused() -> None:
    with pytest.raises(ModelError, match="complete"):
        Session(model=object())


def test_a_missing_file_is_refused_when_the_session_opens() -> None:
    with pytest.raises(DataError):
        Session(data="no/such/file.csv")


def test_without_data_nothing_is_computed() -> None:
    reply = Session().ask("Does weight differ by arm?")
    assert reply.results == []
    assert "No table is loaded" in reply.text
    assert reply.audit.ok


def test_planning_a_study_needs_no_data() -> None:
    reply = Session().ask("How many participants do I need to detect a medium effect with 80% power?")
    assert [r["tool"] for r in reply.results] == ["sample_size_calculator"]
    assert "64" in reply.text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Does flat differ by arm?", "arm"),
        ("Does weight differ by one?", "weight"),
        ("Is flat related to weight?", "undefined"),
        ("Is flat normally distributed?", ""),
        ("Predict weight from flat", ""),
    ],
)
def test_bad_questions_get_a_sentence(question: str, said: str) -> None:
    reply = ask(question)
    assert said in reply.text
    assert "Traceback" not in reply.text
    assert reply.text.strip()


def test_unicode_and_spaces_in_names() -> None:
    reply = ask("Is überlänge (cm) related to weight?")
    assert reply.results[0]["tool"] == "correlation"
    assert "überlänge (cm)" in reply.text


def test_a_failing_turn_does_not_end_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    s = Session(data={"t": DATA})
    with monkeypatch.context() as patch:
        patch.setattr(planner, "readings_of", lambda *_: 1 / 0)
        assert "failed inside" in s.ask("Describe weight").text
    assert s.ask("Describe weight").results


def test_run_returns_a_record_and_the_ledger_keeps_it(tmp_path: Path) -> None:
    s = Session(data={"t": DATA}, ledger=tmp_path / "ledger.jsonl")
    record = s.run("descriptive_statistics", {"data": "weight"})
    assert set(record) == {"id", "tool", "arguments", "result"}
    assert record["id"] == "r1"
    reply = s.ask("Describe weight")
    assert reply.results[0]["id"] == "r2"
    assert len(reply.ledger) == 2
    assert (tmp_path / "ledger.jsonl").read_text(encoding="utf-8").count("\n") == 3


def test_several_tables() -> None:
    s = Session(
        data={"people": {"height": [1.7, 1.8, 1.65, 1.72]}, "cars": {"speed": [90.5, 120.0, 101.5, 99.0]}}
    )
    assert "height" in s.ask("Describe height").text
    assert s.ask("Describe speed").results[0]["arguments"]["data"]["table"] == "cars"


def test_missing_rows_are_reported() -> None:
    assert "1 row with missing values was left out" in ask("Does weight differ by arm?").text


def test_a_name_cannot_pose_as_a_citation() -> None:
    data = {"{{r1.mean}}": [1.0, 2.0, 4.0, 8.0], "b": [2.0, 1.0, 3.0, 9.0]}
    reply = ask('Is "{{r1.mean}}" related to b?', data)
    assert "{{" not in reply.text


def test_the_same_question_gets_the_same_answer() -> None:
    assert ask("Does weight differ by arm?").text == ask("Does weight differ by arm?").text


def test_the_seed_reaches_the_tools_that_draw() -> None:
    data = {"colour": list("abcabcabcabc"), "shape": list("xyzzyxxyzzyx")}
    reply = Session(data={"t": data}, seed=7).ask("Is colour associated with shape?")
    assert reply.results[0]["arguments"]["seed"] == 7


def test_a_notebook_shows_the_reply_with_its_results() -> None:
    html = Session({"height": [1.0, 2.0, 4.0]}).ask("what is the average height?")._repr_html_()
    assert "<" in html
    assert "r1" in html


def test_an_answer_names_the_units_of_its_numbers() -> None:
    frame = pd.DataFrame({"weight (kg)": [60.1, 70, 80, 90, 55, 66, 71, 82], "arm": ["a", "b"] * 4})
    session = Session(data=frame)
    described = session.ask("What is the mean of weight (kg) by arm?")
    assert "mean 66.53 kg" in described.text
    compared = session.ask("Does weight (kg) differ between the arms?")
    assert " kg, 95% CI [" in compared.text
    assert described.audit.ok
    assert compared.audit.ok
