"""Exports: every form says where its numbers come from, carries the digits it promises, and takes no data for code."""

from __future__ import annotations

import csv
import html.parser
import io
import json
import re
from typing import Any

import pytest

from statistikles import Session, execute_tool
from statistikles.errors import InputError
from statistikles.output import FORMAT_NAMES
from statistikles.output.delimited import COLUMNS, safe_cell
from statistikles.output.export import FORMATS, export
from statistikles.output.latex import escape_latex
from statistikles.registry.declare import Statistic
from statistikles.tools.workspace import Workspace

from .conftest import PENGUINS, Run

HOSTILE = [
    '=HYPERLINK("http://x","y")',
    "@SUM(1)",
    "-2+3",
    '"); system("touch owned")',
    "'); __import__('os').system('x') #",
    "a\\b{c}$d$ 50% #1 ^~_&<>|",
    "\\input{/etc/passwd}",
    "line one\nline two\r\nthree",
    "back`tick` ${HOME}",
    "<script>alert(1)</script>",
    "</td></table><img src=x onerror=alert(1)>",
    "| pipe [x](javascript:alert(1))",
    "ünïcode 数 −5",
]


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def numbers(value: Any) -> list[float]:
    if isinstance(value, dict):
        return [n for part in value.values() for n in numbers(part)]
    if isinstance(value, list):
        return [n for part in value for n in numbers(part)]
    return [value] if isinstance(value, int | float) and not isinstance(value, bool) else []


def unescaped(text: str) -> None:
    """Fails on LaTeX whose groups or environments do not close, or that has a command nobody wrote."""
    depth, opened = 0, []
    body = "\n".join(line for line in text.splitlines() if not line.startswith("%"))
    for found in re.finditer(r"\\([A-Za-z]+|.)|([{}&%#$_^~])", body):
        command, sign = found.groups()
        if command == "begin":
            opened.append(body[found.end() :].split("}")[0][1:])
        elif command == "end":
            assert opened.pop() == body[found.end() :].split("}")[0][1:]
        elif command is not None and len(command) > 1:
            assert command in KNOWN, command
        elif sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            assert depth >= 0
        else:
            assert sign not in ("%", "#"), body[found.start() - 30 : found.end()]
    assert depth == 0
    assert opened == []
    assert body.count("$") % 2 == body.count(r"\$") % 2


KNOWN = re.findall(
    r"\w+",
    "paragraph noindent textbf emph small footnotesize centering caption toprule midrule bottomrule textbackslash "
    "textasciicircum textasciitilde textless textgreater textbar textquotedbl textasciigrave textquotesingle dots "
    "leq geq neq approx times cdot surd infty pm rightarrow alpha beta gamma delta varepsilon eta theta kappa lambda "
    "mu nu pi rho sigma tau varphi chi psi omega Delta Lambda Phi Sigma Omega circ frac "
    "varrho zeta xi Gamma Pi Psi int sum prod in cap cup ell leftarrow",
)


class Balanced(html.parser.HTMLParser):
    """Fails on markup that the data brought in."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in ("script", "img", "a")
        if tag not in ("meta",):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_formats_are_the_ones_the_command_line_offers() -> None:
    assert tuple(FORMATS) == FORMAT_NAMES


def test_every_statistic_in_every_form(stat: Statistic) -> None:
    result = json.loads(json.dumps(stat.run(dict(stat.example)).to_dict()))
    forms = {name: export(result, name) for name in FORMAT_NAMES}
    assert forms == {name: export(result, name) for name in FORMAT_NAMES}
    for text in forms.values():
        assert "NaN" not in text.replace("NaN or", "")
    assert json.loads(forms["json"])["results"][0]["result"] == result
    values = [r["value"] for r in rows_of(forms["csv"])]
    exact = [float(v) for v in values if re.fullmatch(r"-?\d+(\.\d+)?(e[-+]?\d+)?", v)]
    assert not set(numbers(result)) - set(exact)
    unescaped(forms["latex"])
    assert all(ord(sign) < 0x180 for sign in forms["latex"]), "a sign that pdfLaTeX does not know"
    Balanced().feed(forms["html"])
    for name in ("text", "markdown", "html", "latex"):
        assert "not recorded in a ledger" in forms[name]
        assert "every digit" in forms[name]


@pytest.mark.parametrize("form", FORMAT_NAMES)
def test_the_stamp_of_a_recorded_result(form: str) -> None:
    workspace = Workspace(PENGUINS)
    arguments = {"data": "body_mass_g", "n_reps": 200, "seed": 7}
    entry = workspace.execute("bootstrap", arguments)
    text = export(entry, form)
    fingerprint = workspace.fingerprints()["penguins"]
    for part in (entry.id, entry.hash[:12], fingerprint[:12], entry.time, "7"):
        assert part in text
    assert re.search(r"\b0\.\d+\.\d+", text)
    if form in ("csv", "json"):
        assert fingerprint in text
        assert entry.hash in text
    assert text == export(workspace.ledger, form)


def test_a_reply_in_every_form() -> None:
    reply = Session(PENGUINS).ask("Do the three species differ in body mass?")
    for form in FORMAT_NAMES:
        text = reply.export(form)
        assert text == reply.export(form)
        assert "anova" in text or "One-way analysis of variance" in text
        if form != "csv":
            assert "numbers" in text
    content = json.loads(reply.export("json"))
    assert content["text"] == reply.text
    assert content["audit"]["ok"] is True
    assert [r["result"] for r in content["results"]] == [r["result"] for r in reply.results]
    unescaped(reply.export("latex"))


def test_a_failure_in_every_form() -> None:
    failure = execute_tool("t_test", {"type": "independent", "group1": [1], "group2": [2, 3]})
    for form in FORMAT_NAMES:
        assert "at least 2" in export(failure, form)


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_stay_text(evil: str) -> None:
    result = execute_tool(
        "anova", {"groups": {evil: [1.5, 2.0, 3.1], "b": [2.0, 4.5, 3.7], "c": [5.0, 6.1, 4.4]}}
    )
    assert "error" not in result
    record = {
        "id": evil,
        "tool": evil,
        "arguments": {},
        "result": {**result, "method": evil, "warnings": [evil]},
    }
    unescaped(export(record, "latex"))
    page = export(record, "html")
    Balanced().feed(page)
    assert "<script>" not in page
    assert "default-src 'none'" in page
    for row in rows_of(export(record, "csv")):
        for name, cell in row.items():
            assert name == "value" or not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
            if name == "value" and cell.startswith(("=", "+", "-", "@")):
                float(cell)
    marks = export(record, "markdown")
    assert "<script>" not in marks
    assert re.search(r"(?<!\\)\]\(", marks) is None
    assert json.loads(export(record, "json"))["results"][0]["id"] == evil


def test_formula_cells_of_a_spreadsheet() -> None:
    assert [safe_cell(t) for t in ("=1+1", "+1", "-a", "@x", "\tx", "plain", "", "−5")] == [
        "'=1+1", "'+1", "'-a", "'@x", "'\tx", "plain", "", "−5",
    ]  # fmt: skip
    assert rows_of(export({"method": "m", "value": -1.5}, "csv"))[1]["value"] == "-1.5"
    assert tuple(rows_of(export({"method": "m"}, "csv"))[0]) == COLUMNS


def test_latex_signs() -> None:
    assert escape_latex("5% of a_b & {c} $x$ #1 \\d ~^") == (
        r"5\% of a\_b \& \{c\} \$x\$ \#1 \textbackslash{}d \textasciitilde{}\textasciicircum{}"
    )
    assert escape_latex("η² = −0.5, ω²\n\n x") == r"$\eta$$^2$ = $-$0.5, $\omega$$^2$ x"


def test_an_unknown_format_and_an_unknown_thing() -> None:
    with pytest.raises(InputError, match="There is no format 'pdf'"):
        export({"method": "m"}, "pdf")
    with pytest.raises(TypeError):
        export(7, "text")


@pytest.mark.parametrize("form", FORMAT_NAMES)
def test_on_the_command_line(run: Run, form: str) -> None:
    ran = run(
        "run",
        "t_test",
        "--type",
        "independent",
        "--group1",
        "5.1,4.9,6.2",
        "--group2",
        "4,4.4,3.9",
        "--format",
        form,
    )
    assert ran.code == 0
    assert "Welch" in ran.out
    asked = run("ask", "Do the three species differ in body mass?", "--data", PENGUINS, "--format", form)
    assert asked.code == 0
    assert "r2" in asked.out


def test_two_forms_at_once_are_refused(run: Run) -> None:
    assert run("ask", "q", "--json", "--format", "csv").code == 2
    assert run("ask", "q", "--format", "pdf").code == 2
    assert run("run", "t_test", "--format", "csv", "--group1", "1").code == 1
