"""Drawing: the same summary in three forms, nothing of the data taken for markup, undefined values with a reason."""

from __future__ import annotations

import html.parser
import io
from dataclasses import dataclass, field
from typing import Any

import pytest
from rich.console import Console

from statistikles.guardrail import AuditReport, audit
from statistikles.output.html import to_html
from statistikles.output.markdown import reply_markdown, result_markdown
from statistikles.output.protocols import audit_line
from statistikles.output.summary import summarise
from statistikles.output.terminal import draw_audit, draw_reply, draw_result
from statistikles.registry.declare import Statistic
from statistikles.results import EffectSize, SignificanceTest

EVIL = "<script>alert(1)</script> [red]x[/red] | a_b `c` & \"d\" 'e'"


def drawn(result: dict[str, Any], *, full: bool = True, width: int = 120) -> str:
    stream = io.StringIO()
    draw_result(Console(file=stream, width=width, markup=False), result, "r1", "tool", full=full)
    return stream.getvalue()


class Balanced(html.parser.HTMLParser):
    """Fails on a tag that is not closed or was not opened, and on any script."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.data = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.data += data


def read_html(fragment: str) -> str:
    parser = Balanced()
    parser.feed(fragment)
    parser.close()
    assert parser.open == []
    return parser.data


@dataclass
class OneReply:
    """A reply as output sees it."""

    text: str
    warning: str
    audit: AuditReport
    results: list[dict[str, Any]] = field(default_factory=list)


def reply_of(text: str, result: dict[str, Any]) -> OneReply:
    report = audit(text, [result])
    return OneReply(
        text,
        report.warning_block(True),
        report,
        [{"id": "r1", "tool": "t", "arguments": {}, "result": result}],
    )


def test_every_statistic_is_drawn_alike_in_all_forms(stat: Statistic) -> None:
    result = stat.run(dict(stat.example)).to_dict()
    text, page, marks = drawn(result), read_html(to_html(result)), result_markdown(result, "r1")
    summary = summarise(result, "r1", full=True)
    assert summary.leading or summary.blocks
    for label, value, _ in summary.leading:
        assert label in page
        assert value in page
        assert " ".join(value.split()[:1]) in text
    assert str(result["method"]) in page
    assert marks.startswith("### r1: ")


def test_addresses_lead_to_the_numbers(stat: Statistic) -> None:
    result = stat.run(dict(stat.example)).to_dict()
    for _, _, address in summarise(result, "r1", full=True).leading:
        assert follow(result, address.removeprefix("r1")) is not NotImplemented, address


def follow(value: Any, address: str) -> Any:
    """The value at an address."""
    import re

    for name, quoted, place in re.findall(r'\.(\w+)|\["((?:[^"])*)"\]|\[(\d+)\]', address):
        key = name or quoted
        if place:
            value = value[int(place)]
        elif key in value:
            value = value[key]
        else:
            return NotImplemented
    return value


def test_nothing_is_taken_for_markup() -> None:
    result = {
        "method": EVIL,
        "groups": {EVIL: {"n": 3, "label": EVIL}},
        "warnings": [EVIL],
        "conventions": [EVIL],
        "note": EVIL,
    }
    page = to_html({"id": EVIL, "tool": EVIL, "arguments": {}, "result": result})
    assert "<script" not in page
    assert EVIL in read_html(page)
    assert "[red]x[/red]" in drawn(result, width=300)
    marks = result_markdown(result)
    assert "<script" not in marks
    assert "\\| a_b" in marks


def test_replies_in_all_forms() -> None:
    result = {"method": "a mean", "mean": 4.25, "n": 8}
    clean, flagged = reply_of("The mean is 4.25.", result), reply_of("The mean is 9.75 <b>.", result)
    for reply in (clean, flagged):
        stream = io.StringIO()
        draw_reply(Console(file=stream, width=200, markup=False), reply)
        for form in (stream.getvalue(), read_html(to_html(reply)), reply_markdown(reply)):
            assert reply.text in form
            assert audit_line(reply.audit) in form
            assert ("POSSIBLE MOLLOCK" in form) is bool(reply.warning)
    assert 'underline">9.75</span>' in to_html(flagged)
    assert clean.warning == ""


def test_flagged_spans_are_underlined_in_colour() -> None:
    stream = io.StringIO()
    console = Console(file=stream, width=100, force_terminal=True, color_system="standard", markup=False)
    text = "The mean is 9.75."
    draw_audit(console, text, audit(text, [{"mean": 4.25}]))
    assert "\x1b[4;31m9.75\x1b[0m" in stream.getvalue()


def test_an_audit_as_html() -> None:
    text = "The mean is 9.75 & more."
    assert "9.75 & more" in read_html(to_html(audit(text, [{"mean": 4.25}]), text=text))
    assert "no numbers" in read_html(to_html(audit("Nothing here.", [])))


@pytest.mark.parametrize(
    ("p", "shown"), [(1e-300, "< .001"), (0.0, "< .001"), (0.0004, "< .001"), (0.9999, "> .999")]
)
def test_p_is_never_written_as_zero_or_one(p: float, shown: str) -> None:
    result = {
        "method": "m",
        "statistic": 2.0,
        "p_value": p,
        "terms": {"a": {"p_value": p}, "b": {"p_value": p}},
    }
    for form in (drawn(result), to_html(result), result_markdown(result)):
        assert ".000" not in form
    assert summarise(result).leading[1][1] == shown


def test_undefined_values_are_named_with_their_reason() -> None:
    test = SignificanceTest(
        method="m",
        statistic_name="t",
        effect_size=EffectSize(name="g"),
        undefined={"p_value": "the values are equal"},
    )
    summary = summarise(test.to_dict(), "r1")
    assert ("p", "undefined", "r1.p_value") in summary.leading
    assert "p value is undefined: the values are equal" in summary.cautions


def test_a_failure_is_drawn_as_one() -> None:
    failure = {"error": "There is no column 'mas'.", "code": "unknown_column", "hint": "Did you mean 'mass'?"}
    for form in (drawn(failure), read_html(to_html(failure)), result_markdown(failure)):
        assert "no column 'mas'" in form
        assert "Did you mean 'mass'?" in form


def test_long_tables_say_how_much_is_left_out() -> None:
    result = {"method": "m", "rows": [{"value": i, "count": i} for i in range(500)]}
    brief, full = summarise(result).blocks[0], summarise(result, full=True).blocks[0]
    assert len(brief.rows) + brief.left_out == len(full.rows) + full.left_out == 500
    assert "more rows" in drawn(result)


@pytest.mark.parametrize("width", [30, 40, 80])
def test_narrow_terminals_lose_no_digit(width: int) -> None:
    text = drawn({"method": "m", "mean": 1234567.25, "groups": {"a": {"mean": 98765.4}}}, width=width)
    assert "1234567.2" in text
    wide = {"method": "m", "terms": {x: {f"column_{i}": 1000.25 + i for i in range(12)} for x in "ab"}}
    text = drawn(wide, width=width)
    for i in range(12):
        assert text.count(f"{1000.2 + i:.1f}") == 2
        assert f"column_{i}" in text
