"""Replies written to break the guardrail, in domains the other corpora lack: what is found must not fall.

The replies are labelled by hand, the results made up beside them. At the first score 64 of 80 faults were found (80 %),
with alarms on 7 of 166 passing figures; that is no blind figure, as kinds probed earlier had been mended by then, and
later mends came from the misses in this set.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from guardrail.scoring import clean_rate, false_alarm_rate, recall, score
from statistikles.guardrail import audit
from statistikles.guardrail.corpus import flags

DATA = Path(__file__).parent / "data" / "attack.jsonl"


def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def test_labels_fit_their_replies() -> None:
    replies = cases()
    assert len(replies) >= 60
    assert sum(not c["tool_results"] for c in replies) >= 15
    assert all(c["reply"][s["start"] : s["end"]] == s["text"] for c in replies for s in c["spans"])


def test_attack_set_floor() -> None:
    result = score(cases(), flags)
    assert recall(result) >= 0.85
    assert false_alarm_rate(result) <= 0.02
    assert clean_rate(result) >= 0.9


def test_nothing_computed_leaves_no_invented_figure_unflagged() -> None:
    result = score([c for c in cases() if not c["tool_results"]], flags)
    assert recall(result) == 1.0
    assert clean_rate(result) == 1.0


RESULTS = [
    {
        "t": 2.41, "df": 38, "p_value": 0.0211, "mean_difference": 3.27, "null_value": 0.4, "eta_sq": 0.33,
        "groups": {"drip": {"mean": 14.6, "sd": 3.1, "n": 20}, "flood": {"mean": 11.33, "sd": 2.8, "n": 20}},
    }
]  # fmt: skip


@pytest.mark.parametrize(
    "lie",
    [
        "p = l.9",
        "The mean of drip was I9.7.",
        "M4.2 for drip",
        "The mean difference was minus three.",
        "mean difference －3.27 for drip minus flood, so lower",
        "Yields rose 9-fold.",
        "There was an eightfold rise.",
        "There is no evidence of a difference.",
        "We removed three outliers.",
        "The share is 40 %.",
        "η² = .33 %",
        "The mean was 1\u200b4.6.",
        "The mean was **1**4.6 for drip.",
        "n = 2\u200b0",
    ],
)
def test_short_lies_are_flagged(lie: str) -> None:
    assert not audit(lie, RESULTS).ok


@pytest.mark.parametrize(
    "truth",
    [
        "The mean of drip was **14.6**.",
        "<b>14.6</b> (drip) and <i>11.33</i> (flood)",
        "<i>p</i> = .021, <i>t</i>(38) = 2.41",
        "The difference from the tested 40 % is not what p = .021 is about.",
        "The three-fold cross-validation was not run; p = .021.",
        "t has thirty-eight degrees of freedom.",
        "*t*(38) = 2.41, *p* = .021",
        "20 plots each: **20** and **20**.",
    ],
)
def test_short_truths_pass(truth: str) -> None:
    report = audit(truth, RESULTS)
    assert report.ok, [(s.text, s.reason) for s in report.flagged]


@pytest.mark.parametrize(
    ("reply", "results"),
    [
        ("|1" * 2_000, RESULTS),
        ("mean 3", [{"lower_" * 20_000: 3}]),
        ("mean 3", [{"a b " * 20_000: 3}]),
        ("1" * 5_000, RESULTS),
        ("1e" + "9" * 400, RESULTS),
        ("(" * 20_000 + "1" + ")" * 20_000, RESULTS),
    ],
)
def test_small_bombs_do_not_explode(reply: str, results: list[Any]) -> None:
    started = time.perf_counter()
    audit(reply, results)
    assert time.perf_counter() - started < 25
