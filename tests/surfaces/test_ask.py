"""`ask` and `demo`: the main job end to end, as a person and as a program sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from statistikles import audit
from statistikles.surfaces import demo

from .conftest import PENGUINS, ROOT, Run

QUESTION = "Do the three species differ in body mass?"


def test_the_main_job(run: Run) -> None:
    ran = run("ask", QUESTION, "--data", PENGUINS)
    assert ran.code == 0
    assert re.search(r"Audit: \d+ numbers, all traced", ran.out)
    for needed in ("Adelie", "Chinstrap", "Gentoo", "95% CI", "p < .001", "r1.p_value"):
        assert needed in ran.out
    assert " .000" not in ran.out


def test_the_readme_shows_what_is_printed(run: Run) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"<!-- output: the main job -->\n```text\n(.*?)```", text, re.S)
    assert block is not None
    printed = run("ask", QUESTION, "--data", PENGUINS).out
    as_printed = "".join(f"{line.rstrip()}\n" for line in printed.splitlines())
    assert block.group(1) == as_printed, "run: python docs/refresh_readme.py"


def test_the_answer_as_json(run: Run) -> None:
    answer = run("ask", QUESTION, "--data", PENGUINS, "--json").json
    assert answer["ok"] is True
    assert answer["warning"] == ""
    tools = [record["tool"] for record in answer["results"]]
    assert "anova" in tools
    assert audit(answer["text"], answer["results"], QUESTION).ok
    assert answer["audit"]["coverage"]["numbers"] > 10


def test_the_ledger_of_an_answer_replays(run: Run, tmp_path: Path) -> None:
    ledger = tmp_path / "work.jsonl"
    assert run("ask", QUESTION, "--data", PENGUINS, "--ledger", str(ledger), "--seed", "7").code == 0
    replayed = run("replay", str(ledger), "--json")
    assert replayed.code == 0
    assert replayed.json["numbers"] > 50


def test_the_same_question_twice_gives_the_same_answer(run: Run) -> None:
    first, second = (run("ask", QUESTION, "--data", PENGUINS, "--json").out for _ in range(2))
    assert first == second


@pytest.mark.parametrize(
    "question",
    [
        "Do the species differ in body mas?",
        "Does the price differ between the regions?",
        "?",
        "🐧" * 50,
        "x" * 20_000,
    ],
    ids=["misspelt", "no such columns", "sign", "emoji", "long"],
)
def test_questions_that_do_not_fit_get_a_sentence(run: Run, question: str) -> None:
    ran = run("ask", question, "--data", PENGUINS)
    assert ran.code in (0, 1)
    assert len(ran.out) > 20
    assert "failed inside" not in ran.out


def test_an_unknown_model_is_a_sentence(run: Run) -> None:
    ran = run("ask", QUESTION, "--data", PENGUINS, "--model", "no such model")
    assert ran.code == 1
    assert "model" in ran.out + ran.err


def test_a_table_of_any_name(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "mes données — été.csv"
    path.write_bytes(Path(PENGUINS).read_bytes())
    assert run("ask", QUESTION, "--data", str(path)).code == 0


# demo ----------------------------------------------------------------------------------------------------


def test_the_tour(run: Run) -> None:
    ran = run("demo")
    assert ran.code == 0
    for question in demo.QUESTIONS:
        assert question in ran.out
    assert ran.out.count("all traced") == len(demo.QUESTIONS)
    assert "FLAGGED" in ran.out
    assert "nothing was computed" not in ran.out


def test_the_tour_as_json(run: Run) -> None:
    toured = run("demo", "--json").json
    assert [turn["ok"] for turn in toured["turns"]] == [True] * len(demo.QUESTIONS)
    assert all(turn["results"] for turn in toured["turns"])
    flagged = [s["text"] for s in toured["invented"]["audit"]["spans"] if s["flagged"]]
    assert {"0.93", ".017", "4127"} <= set(flagged)
    assert json.dumps(toured)


# What is open about the data ---------------------------------------------------------------------------------------

_GROUPS = ["drug"] * 9 + ["Drug"] * 6 + ["placebo"] * 12
OPEN = "id,group,temperature,Blutdruck\n" + "".join(
    f"{i},{group},{36 + (i * 7 % 11) / 5:.1f},{-999 if i % 9 == 0 else 110 + i * 13 % 31}\n"
    for i, group in enumerate(_GROUPS, 1)
)


def test_an_answer_says_first_what_is_wrong_with_its_columns(run: Run, tmp_path: Path) -> None:
    data, page = tmp_path / "open.csv", tmp_path / "page.md"
    data.write_text(OPEN, encoding="utf-8")
    flags = ("--data", str(data))
    asked = run("ask", "What is the mean Blutdruck?", *flags, "--report", str(page))
    told = " ".join(asked.out.split())
    assert told.startswith("Problem: 'Blutdruck' has 3 entries -999")
    assert told.index("`Blutdruck:missing=-999`") < told.index("Blutdruck: mean")
    report = page.read_text(encoding="utf-8")
    findings = report.partition("Findings while reading the data")[2]
    assert "-999" in findings and "Blutdruck:missing" in findings
    assert "may be wrong" in report.partition("## Limits")[2]
    for kind in ("text", "markdown", "html", "latex", "json"):
        assert "Problem: " in run("ask", "What is the mean Blutdruck?", *flags, "--format", kind).out
    assert "Problem" not in run("ask", "What is the mean temperature?", *flags).out
    decided = run("ask", "What is the mean Blutdruck?", *flags, "--decide", "Blutdruck:missing=-999")
    assert "Problem" not in decided.out


def test_the_spelling_in_the_question_wins_and_the_other_is_said(run: Run, tmp_path: Path) -> None:
    data = tmp_path / "open.csv"
    data.write_text(OPEN, encoding="utf-8")
    question = "Does the temperature differ between drug and placebo?"
    content = run("ask", question, "--data", str(data), "--json").json
    groups = content["results"][0]["result"]["groups"]
    named = groups if isinstance(groups, list) else [{"name": name, **row} for name, row in groups.items()]
    assert [(row["name"], row["n"]) for row in named] == [("drug", 9), ("placebo", 12)]
    assert len(content["doubts"]) == 1 and "`group:variants=merge`" in content["doubts"][0]
    merged = run("ask", question, "--data", str(data), "--decide", "group:variants=merge", "--json").json
    assert merged["doubts"] == []
