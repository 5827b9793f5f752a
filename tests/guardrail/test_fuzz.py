"""Whatever the text and whatever the results: no crash, tight spans, every digit accounted for."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from statistikles.guardrail import audit
from statistikles.guardrail.tokens import clean_text, tokenise

_PIECES = st.sampled_from(
    [
        "p = .05",
        "t(28) = 2.1",
        "95% CI [0.1, 0.9]",
        "−0.24",
        "1.1 × 10⁻⁵",
        "two thirds",
        "1,234.5",
        "88 391",
        "0,70",
        "±",
        "F(2,116)",
        "(Smith, 1999)",
        "half of",
        "groups A and B",
        "mean",
        "SD",
        "not significant",
        "higher than",
        "1 in 5",
        "$\\alpha = .05$",
        "",
        " 3 ",
        " 4 ",
        "",
        "10^-3",
        "٣٫٥",
        "½",
        "x₁²",
        "\n",
        "; ",
        ". ",
        ", ",
        "%",
    ]
)
_TEXT = st.text(max_size=60) | st.lists(_PIECES, max_size=14).map(" ".join)
_LEAF = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
_KEYS = st.sampled_from(
    ["p", "mean", "A", "B", "group 1", "ci", "0.5", "", "n", "t", "q50", "A - B"]
) | st.text(max_size=8)
_RESULTS: st.SearchStrategy[Any] = st.recursive(
    _LEAF,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=16,
)
_SETTINGS = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@_SETTINGS
@given(_TEXT, _RESULTS, _TEXT)
def test_audit_never_raises_and_spans_are_sound(reply: str, results: Any, user: str) -> None:
    report = audit(reply, [results], user)
    end = 0
    for span in sorted(report.spans, key=lambda s: (s.start, s.end)):
        assert 0 <= span.start < span.end <= len(reply)
        assert reply[span.start : span.end] == span.text
        assert span.reason
        end = max(end, span.end)
    assert report.ok == (not report.flagged)
    assert 0.0 <= report.coincidence <= 1.0
    assert report.warning_block(True) == "" or not report.ok
    report.to_dict()


@_SETTINGS
@given(_TEXT)
def test_every_digit_belongs_to_one_token_or_is_counted(reply: str) -> None:
    text = clean_text(reply)
    assert len(text) == len(reply)
    tokens = tokenise(text)
    for a, b in pairwise(tokens):
        assert a.end <= b.start
    covered = {i for t in tokens for i in range(t.start, t.end)}
    missing = sum(1 for i, ch in enumerate(text) if ch.isdigit() and i not in covered)
    assert audit(reply, []).coverage.unparsed == missing
    assert all(i in covered for i, ch in enumerate(text) if ch in "0123456789")


@_SETTINGS
@given(st.text(max_size=80))
def test_nothing_computed_means_no_computed_verdict(reply: str) -> None:
    assert not [s for s in audit(reply, []).spans if s.verdict == "computed"]


def test_deep_and_self_containing_results() -> None:
    deep: Any = 1.25
    for _ in range(3_000):
        deep = {"a": deep}
    assert audit("It is 1.25.", [deep]).ok
    loop: dict[str, Any] = {"mean": 2.5}
    loop["self"] = loop
    assert audit("The mean is 2.5.", [loop]).ok
