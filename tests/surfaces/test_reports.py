"""Reports: their own numbers pass the audit, data stays text in every file, and each command writes one."""

from __future__ import annotations

import html.parser
import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import docx
import pytest

from statistikles import Session
from statistikles.errors import DataError, InputError
from statistikles.output.reports.blocks import Report
from statistikles.output.reports.build import Turn, build_report
from statistikles.output.reports.markdown import report_markdown
from statistikles.output.reports.page import report_html
from statistikles.output.reports.word import report_docx
from statistikles.registry.declare import Statistic
from statistikles.tools.workspace import Workspace

from .conftest import PENGUINS, Run

QUESTIONS = [
    "Do the three species differ in body mass?",
    "Does body mass differ between male and female penguins?",
    "predict body mass from flipper length and bill length",
    "Is sex associated with species?",
    "Describe body mass",
    "Is bill length correlated with flipper length?",
    "Is body mass normally distributed?",
    "How many penguins are on each island?",
    "median bill depth of Gentoo",
    "correlate bill length and bill depth controlling for body mass",
]


class Page(html.parser.HTMLParser):
    """Fails on anything that could run or fetch, and on markup that does not close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "a", "iframe", "object", "link")
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag == "img":
            assert str(dict(attrs)["src"]).startswith("data:image/")
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page_text(report: Report) -> str:
    parser = Page()
    parser.feed(report_html(report))
    parser.close()
    assert parser.open == []
    return parser.text


def document_text(report: Report) -> str:
    read = docx.Document(io.BytesIO(report_docx(report)))
    cells = [cell.text for table in read.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in read.paragraphs), *cells])


def asked(question: str, data: str = PENGUINS) -> tuple[Report, Session]:
    session = Session(data)
    reply = session.ask(question)
    return build_report(session.workspace, [Turn(question, reply)]), session


def flagged(report: Report) -> list[tuple[str, str]]:
    return [(span.text, span.reason) for claim in report.claims for span in claim.audit().flagged]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_numbers_of_a_report_are_traced(question: str) -> None:
    report, _ = asked(question)
    assert flagged(report) == []
    assert report.audit is not None
    assert report.audit.coverage.numbers > 25
    text = report_markdown(report)
    for claim in report.claims:
        assert claim.text in text
    assert "could not be traced" not in text


def test_a_report_of_several_questions_is_traced_part_by_part() -> None:
    session = Session(PENGUINS)
    turns = [Turn(question, session.ask(question)) for question in QUESTIONS[:4]]
    report = build_report(session.workspace, turns)
    assert flagged(report) == []
    assert report.audit is not None
    assert report.audit.coverage.numbers > 400


def test_an_invented_number_in_a_report_would_be_seen() -> None:
    report, _ = asked(QUESTIONS[0])
    bad = [
        replace(c, text=c.text.replace("343.63", "343.93").replace("3700.7", "3710.7")) for c in report.claims
    ]
    found = {span.text for claim in bad for span in claim.audit().flagged}
    assert {"343.93", "3710.7"} <= found


def test_a_report_has_all_its_parts_in_every_kind_of_file() -> None:
    report, session = asked(QUESTIONS[1])
    fingerprint = session.workspace.fingerprints()["penguins"]
    parts = [
        QUESTIONS[1], "Methods", "Results", "Limits", "References", "Provenance", fingerprint, "Student's t test",
        "https://doi.org/10.1093/biomet/34.1-2.28", "Welch, 1947", "rows = 344, columns = 8", "Audit",
        "α = .05", session.ledger.entries[0].hash[:16], "penguins.csv", "Statistikles 0.", "numbers, all traced",
    ]  # fmt: skip
    for text in (page_text(report), document_text(report), report_markdown(report)):
        for part in parts:
            assert part in text
    for text in (page_text(report), document_text(report)):
        for line in session.ledger and Session(PENGUINS).ask(QUESTIONS[1]).text.splitlines():
            assert line.removeprefix("- ") in text


def test_every_statistic_can_be_reported(stat: Statistic) -> None:
    workspace = Workspace()
    workspace.execute(stat.tool, {**({_chooser(stat): stat.subtype} if stat.subtype else {}), **stat.example})
    report = build_report(workspace)
    text = page_text(report)
    assert stat.refs == () or "References" in text
    assert "Methods" in text
    assert report_markdown(report).startswith("# Report of an analysis")


def _chooser(stat: Statistic) -> str:
    from statistikles.registry.manifest import load

    return load(stat.tool).chooser or ""


EVIL = (
    """</td><script>alert(1)</script> "); system("x") `b` \\input{x} [a](javascript:x) =1+1 | * _e_ & <b>"""
)


def evil_table(table: Callable[..., str]) -> str:
    quoted = '"' + EVIL.replace('"', '""') + '"'
    rows = [f"{quoted},{1.5 + i % 7}" for i in range(12)] + [
        f"'); import os #,{2.5 + i % 5}" for i in range(12)
    ]
    return table("\n".join([f"{quoted},mass", *rows]) + "\n", "evil <img src=x>.csv")


def test_hostile_data_stays_text(table: Callable[..., str], tmp_path: Path) -> None:
    session = Session(evil_table(table))
    column = next(iter((session.workspace.catalog or {}).values())).column_names[0]
    record = session.run("t_test", {"type": "independent", "groups": {"column": "mass", "by": column}})
    assert "error" not in record["result"]
    report = build_report(session.workspace, title=EVIL)
    assert "<script>alert(1)</script>" in page_text(report)
    assert "<script>alert(1)</script>" in document_text(report)
    marks = report_markdown(report)
    marks = re.sub(r"^(`{3,})\w+\n.*?^\1$", "", marks, flags=re.S | re.M)
    assert "<script" not in marks
    assert re.search(r"(?<!\\)\]\(javascript", marks) is None


def test_a_flagged_answer_stays_flagged() -> None:
    from statistikles import ScriptedModel

    session = Session(PENGUINS, model=ScriptedModel(["The mean is 12345.6.", "The mean is 12345.6."]))
    reply = session.ask("What is the mean of body mass?")
    assert not reply.audit.ok
    report = build_report(session.workspace, [Turn("What is the mean of body mass?", reply)])
    page = report_html(report)
    assert 'underline">12345.6</span>' in page
    for text in (page_text(report), document_text(report), report_markdown(report)):
        assert "POSSIBLE MOLLOCK" in text
        assert "1 flagged" in text


@pytest.mark.parametrize("suffix", [".html", ".md", ".docx"])
def test_ask_writes_a_report(run: Run, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    ran = run("ask", QUESTIONS[0], "--data", PENGUINS, "--report", str(out))
    assert ran.code == 0
    assert f"written: {out}" in ran.err
    assert out.stat().st_size > 5000


def test_a_saved_ledger_becomes_a_report(run: Run, tmp_path: Path) -> None:
    ledger, out = tmp_path / "l.jsonl", tmp_path / "r.md"
    run("ask", QUESTIONS[0], "--data", PENGUINS, "--ledger", str(ledger))
    before = ledger.read_bytes()
    ran = run("report", str(ledger), "--out", str(out), "--title", "Penguins", "--json")
    assert ran.json == {"report": str(out), "ok": True}
    assert ledger.read_bytes() == before
    assert out.read_text(encoding="utf-8").startswith("# Penguins\n")


def test_changed_data_are_named(run: Run, tmp_path: Path) -> None:
    ledger, out, data = tmp_path / "l.jsonl", tmp_path / "r.md", tmp_path / "penguins.csv"
    data.write_text(Path(PENGUINS).read_text(encoding="utf-8").replace("3750", "3751", 1), encoding="utf-8")
    run("ask", QUESTIONS[0], "--data", PENGUINS, "--ledger", str(ledger))
    run("report", str(ledger), "--out", str(out), "--data", f"penguins={data}")
    assert "The table penguins has changed" in out.read_text(encoding="utf-8")


def test_the_chat_writes_a_report(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "talk.html"
    ran = run("chat", "--data", PENGUINS, stdin=f"{QUESTIONS[0]}\n{QUESTIONS[1]}\nreport {out}\nquit\n")
    assert f"written: {out}" in ran.out
    assert QUESTIONS[1] in out.read_text(encoding="utf-8")


def test_a_bad_path_is_refused_before_anything_is_computed(run: Run, tmp_path: Path) -> None:
    assert "must end in .html, .md, .docx" in run("ask", "q", "--report", "x.pdf").err
    assert "no folder" in run("ask", "q", "--report", str(tmp_path / "none" / "x.html")).err
    session = Session(PENGUINS)
    with pytest.raises(InputError):
        session.report("x.txt")
    with pytest.raises(DataError):
        session.report(tmp_path / "none" / "x.md")


def test_a_cross_table_is_shown_with_counts_and_shares() -> None:
    report, _ = asked("Is species related to sex?")
    text = report_markdown(report)
    # R 4.2: with(penguins, table(species, sex)) and prop.table(., 1)
    assert "| Gentoo | 58 (48.7%) | 61 (51.3%) | 119 |" in text
    assert "| all | 165 | 168 | 333 |" in text
    assert "fisher exact" not in text
    assert "all tables with these margins: p = .979" in text
    assert flagged(report) == []


def test_only_columns_are_what_a_call_is_about_in_the_order_declared(tmp_path: Path) -> None:
    session = Session(PENGUINS, ledger=tmp_path / "l.jsonl")
    session.run(
        "descriptive_statistics", {"detail": "graph", "groups": {"by": "sex", "column": "body_mass_g"}}
    )
    session.run("regression", {"y": "body_mass_g", "x": ["flipper_length_mm", "bill_length_mm"]})
    text = report_markdown(build_report(session.workspace))
    assert "We used descriptive statistics for body_mass_g by sex (" in text
    from statistikles.surfaces.report import workspace_of

    again = report_markdown(build_report(workspace_of(str(tmp_path / "l.jsonl"), None)))
    assert [x for x in again.splitlines() if "We used" in x] == [
        x for x in text.splitlines() if "We used" in x
    ]
    assert "and graph" not in text


def test_conventions_are_those_of_the_method_used() -> None:
    session = Session(PENGUINS)
    call = {"type": "mann_whitney", "groups": {"column": "body_mass_g", "by": "sex"}}
    session.run("nonparametric_test", call)
    assert "exact two-sided p" not in report_markdown(build_report(session.workspace))
    session.run(
        "nonparametric_test", {**call, "groups": {**call["groups"], "where": "species = 'Chinstrap'"}}
    )
    assert "exact two-sided p" in report_markdown(build_report(session.workspace))
