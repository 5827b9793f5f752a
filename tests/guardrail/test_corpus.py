"""The figures on the labelled corpus and on our own replies must not fall."""

from __future__ import annotations

from guardrail.own_corpus import BATCHES, IMITATING, WRITER, Case, load
from guardrail.scoring import clean_rate, false_alarm_rate, half, load_corpus, recall, score
from statistikles.guardrail import audit
from statistikles.guardrail.corpus import flags


def own_as_corpus(cases: list[Case]) -> list[dict[str, object]]:
    return [
        {
            "reply": c.reply,
            "tool_results": c.results,
            "user_text": c.user,
            "spans": [{"start": a, "end": b, "label": "fab", "kind": k} for a, b, k in c.fabs]
            + [{"start": a, "end": b, "label": "derived", "kind": "arithmetic"} for a, b in c.derived],
        }
        for c in cases
    ]


def test_corpus_overall() -> None:
    result = score(load_corpus(), flags)
    assert recall(result) >= 0.95
    assert false_alarm_rate(result) <= 0.005
    assert clean_rate(result) >= 0.97


def test_each_half_of_the_corpus() -> None:
    cases = load_corpus()
    for part in ("first", "second"):
        result = score([c for c in cases if half(c["question"]) == part], flags)
        assert recall(result) >= 0.94
        assert false_alarm_rate(result) <= 0.005
        assert clean_rate(result) >= 0.97


def test_no_kind_of_fault_is_blind() -> None:
    result = score(load_corpus(), flags)
    weak = {k: (result["found"][k], n) for k, n in result["faults"].items() if result["found"][k] / n < 0.75}
    assert not weak


def test_own_replies_are_many_and_some_computed_nothing() -> None:
    cases = load()
    assert len(cases) >= 150
    assert sum(1 for c in cases if not c.results) >= 20
    assert all(c.reply[a:b] for c in cases for a, b, _ in c.fabs)


def test_own_replies_recall() -> None:
    result = score(own_as_corpus(load()), flags)
    assert recall(result) >= 0.95


def test_own_replies_raise_no_false_alarm() -> None:
    alarms = []
    for case in load():
        marked = [(a, b) for a, b, _ in case.fabs] + list(case.derived)
        for span in audit(case.reply, case.results, case.user).flagged:
            if not any(span.start < b and span.end > a for a, b in marked):
                alarms.append((case.line, span.text, span.reason))
    assert alarms == []


def alarm_rate(cases: list[Case]) -> float:
    """Share of the spans outside every marked one that are flagged."""
    alarms = spans = 0
    for case in cases:
        marked = [(a, b) for a, b, _ in case.fabs] + list(case.derived)
        for span in audit(case.reply, case.results, case.user).spans:
            if not any(span.start < b and span.end > a for a, b in marked):
                spans += 1
                alarms += span.flagged
    return alarms / spans


def test_blind_batches() -> None:
    cases = load(BATCHES)
    assert len(cases) >= 200
    assert recall(score(own_as_corpus(cases), flags)) >= 0.88
    assert alarm_rate(cases) <= 0.005


def test_batches_of_another_hand() -> None:
    cases = load(WRITER)
    assert len(cases) >= 600
    assert recall(score(own_as_corpus(cases), flags)) >= 0.76
    assert alarm_rate(cases) <= 0.015


def test_batches_that_imitate_the_corpus() -> None:
    cases = load(IMITATING)
    assert len(cases) >= 450
    assert recall(score(own_as_corpus(cases), flags)) >= 0.84
    assert alarm_rate(cases) <= 0.01
