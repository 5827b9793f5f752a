"""What a command cannot write is said after the answer, which stands on the screen and in the ledger; exit codes."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from statistikles.surfaces import plots

from .conftest import PENGUINS, ROOT, Run

SLEEP = str(ROOT / "examples" / "sleep.csv")
QUESTION = "Do extra_sleep_drug_1_h and extra_sleep_drug_2_h differ?"
ANSWER = "Yes: extra_sleep_drug_1_h and extra_sleep_drug_2_h differ"


@pytest.fixture
def without_extras(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if neither matplotlib nor python-docx were installed."""
    found = importlib.util.find_spec
    monkeypatch.setattr(plots, "find_spec", lambda name: None if name == "matplotlib" else found(name))
    monkeypatch.setitem(sys.modules, "docx", None)


@pytest.mark.usefixtures("without_extras")
def test_a_missing_extra_keeps_nobody_from_the_answer(run: Run, tmp_path: Path) -> None:
    ledger = tmp_path / "l.jsonl"
    picture, report = tmp_path / "x.png", tmp_path / "x.docx"
    beside = ["--plot", str(picture), "--report", str(report), "--ledger", str(ledger)]
    ran = run("ask", QUESTION, "--data", SLEEP, *beside)
    assert ran.code == 1
    assert ANSWER in ran.out
    assert "statistikles[plots]" in ran.err and "statistikles[report]" in ran.err
    assert ledger.read_text(encoding="utf-8").count('"tool"') == 2
    assert not picture.exists() and not report.exists()
    ran = run(
        "run",
        "t_test",
        "--type",
        "independent",
        "--group1",
        "1,2,4",
        "--group2",
        "3,5,9",
        "--plot",
        str(picture),
    )
    assert (ran.code, "Welch" in ran.out, "statistikles[plots]" in ran.err) == (1, True, True)


def test_a_ledger_that_cannot_be_written_keeps_nobody_from_the_answer(run: Run, tmp_path: Path) -> None:
    # A file where a folder would have to be: nobody can write there, whatever rights one has.
    (tmp_path / "file").write_text("", encoding="utf-8")
    ledger = ["--ledger", str(tmp_path / "file" / "l.jsonl")]
    ran = run("ask", QUESTION, "--data", SLEEP, *ledger)
    assert (ran.code, ANSWER in ran.out) == (1, True)
    assert "The ledger cannot be written" in ran.err
    ran = run(
        "run", "t_test", "--type", "independent", "--group1", "1,2,4", "--group2", "3,5,9", *ledger, "--json"
    )
    assert (ran.code, ran.json["statistic_name"]) == (1, "t")
    ran = run("chat", "--data", SLEEP, *ledger, stdin=f"{QUESTION}\n")
    assert (ran.code, ran.out) == (1, "")


def test_a_ledger_in_which_nothing_was_recorded_leaves_no_file(run: Run, tmp_path: Path) -> None:
    ledger = tmp_path / "l.jsonl"
    assert run("ask", "hello", "--data", SLEEP, "--ledger", str(ledger)).code == 1
    assert not ledger.exists()


@pytest.mark.parametrize("data", [[], ["--data", SLEEP], ["--data", PENGUINS]])
def test_a_question_not_understood_is_exit_code_1(run: Run, data: list[str]) -> None:
    ran = run("ask", "hello", *data, "--json")
    assert (ran.code, ran.json["ok"], ran.json["results"]) == (1, False, [])


def test_digits_of_column_names_are_not_counted_as_numbers(run: Run) -> None:
    assert "Audit: no numbers in this reply" in run("ask", "hello", "--data", SLEEP).out
