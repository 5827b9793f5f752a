"""The forms in which a digit can stand only inside a citation."""

from __future__ import annotations

import json
import re
import sys

import pytest

from statistikles.neural.compact import compact, compact_text
from statistikles.neural.constraints import citations_only, digits_outside, names_with_digits
from statistikles.neural.references import citable, fill, settled

RECORDS = [
    {
        "id": "r1",
        "result": {"mean": 4.5, "groups": {'a "b"': {"n": 3}}, "flag": True, "long": list(range(40))},
    },
    {"id": "r2", "result": {"error": "no", "code": "x"}},
]


def pattern() -> re.Pattern[str]:
    schema = citations_only(["r1.mean"]).schema
    [text] = [
        o["properties"]["text"]
        for o in schema["properties"]["reply"]["items"]["anyOf"]
        if "text" in o["properties"]
    ]
    return re.compile(text["pattern"])


def test_no_numeric_sign_of_unicode_is_allowed_as_text() -> None:
    free = pattern()
    loose = [
        c
        for c in map(chr, range(sys.maxunicode + 1))
        if c.isnumeric() and not c.isalpha() and free.fullmatch(c)
    ]
    assert loose == []
    for sign in '"\\{}':
        assert not free.fullmatch(sign)


@pytest.mark.parametrize(
    "text", ["The mean is higher (see above); p is small.", "Größe, η², α".replace("²", ""), "平均 は"]
)
def test_ordinary_prose_is_allowed(text: str) -> None:
    assert pattern().fullmatch(text)


def test_the_grammar_offers_exactly_the_addresses() -> None:
    addresses = citable(RECORDS)
    assert addresses == ["r1.mean", 'r1.groups.a "b".n']
    grammar = citations_only(addresses, ["week_2"]).grammar
    assert 'address ::= "r1.mean" | "r1.groups.a \\"b\\".n"' in grammar
    assert 'name ::= "week_2"' in grammar
    assert "citation" not in citations_only([]).grammar


def test_an_answer_in_the_schema_becomes_text() -> None:
    unpack = citations_only(["r1.mean"]).unpack
    written = {"reply": [{"text": "The mean of "}, {"name": "x1"}, {"text": " is "}, {"cite": "r1.mean"}]}
    assert unpack(json.dumps(written)) == "The mean of x1 is {{r1.mean}}"
    for broken in ('{"reply": [{"te', "plain text", "[]", '{"reply": 7}'):
        assert unpack(broken) == broken


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The mean is {{r1.mean}}.", 0),
        ("The mean of x1 is {{r1.mean:.2f}}.", 0),
        ("x12 is not x1", 2),
        ("about 5 or ½ or ² or ٣", 4),
        ("half a citation {{r1", 1),
        ("一 is a letter as well", 0),
    ],
)
def test_digits_outside(text: str, count: int) -> None:
    assert digits_outside(text, ["x1"]) == count


def test_names_that_must_be_writable() -> None:
    assert names_with_digits(["x1", "weight", "week_2", "42", "mean = 42.42", "x1"]) == ["x1", "week_2"]


@pytest.mark.parametrize(
    ("written", "shown", "gaps"),
    [
        ("m {{r1.mean}}", "m 4.50", []),
        ("m {{r9.mean}} and {{r1.mean}}", "m [no result: r9.mean] and 4.50", ["[no result: r9.mean]"]),
        ("m {{r1.me", "m [reference cut off]", ["[reference cut off]"]),
        ("m {{}}", "m [reference cut off]", ["[reference cut off]"]),
        ("the set {a, b}", "the set {a, b}", []),
    ],
)
def test_what_leads_nowhere_is_said(written: str, shown: str, gaps: list[str]) -> None:
    done = settled(fill(written, RECORDS))
    assert done.text == shown
    assert [done.text[a:b] for a, b in done.gaps] == gaps
    assert all(done.text[a:b] == "4.50" for a, b, _ in done.links)


def test_compact_results_keep_names_and_numbers() -> None:
    assert compact(
        {"p": 0.000123456789, "n": 12.0, "none": None, "empty": [], "long": list(range(99)), "ok": True}
    ) == {
        "p": 0.000123457,
        "n": 12,
        "long": "(99 values, cite one by its place: .0, .1, ...)",
        "ok": True,
    }
    deep = {"groups": {f"g{i}": {"mean": i, "more": {"x": [1, 2]}} for i in range(50)}, "p_value": 0.5}
    for limit in (4000, 1500, 300):
        text = compact_text(deep, limit)
        assert json.loads(text)["p_value"] == 0.5
    assert len(compact_text(deep, 1500)) <= 1500
