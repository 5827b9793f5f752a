"""Scores an audit on labelled replies: recall per fault kind, false alarms per label, clean replies."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

CORPUS = Path(__file__).parent / "data" / "corpus.jsonl"
Flags = Callable[[str, Any, str], list[tuple[int, int, str]]]


def load_corpus() -> list[dict[str, Any]]:
    """The labelled corpus, one case per line."""
    return [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines() if line.strip()]


def half(question: str) -> str:
    """Which half of the corpus a question falls in; joined questions follow their parts."""
    parts = [hashlib.sha256(part.strip().encode()).digest()[0] for part in question.split(";")]
    return "first" if any(byte % 2 == 0 for byte in parts) else "second"


def score(cases: Iterable[dict[str, Any]], flags: Flags) -> dict[str, Any]:
    """Counts over cases; a fault is found, and a span falsely alarmed, when a flagged range overlaps it."""
    faults, found, spans, alarms, replies = Counter(), Counter(), Counter(), Counter(), Counter()
    for case in cases:
        flagged = [
            (s, e) for s, e, v in flags(case["reply"], case["tool_results"], case["user_text"]) if v != "ok"
        ]
        touched: set[int] = set()
        wrong = clean = 0
        for span in case["spans"]:
            over = {i for i, (s, e) in enumerate(flagged) if s < span["end"] and e > span["start"]}
            touched |= over
            if span["label"] == "fab":
                wrong += 1
                faults[span["kind"]] += 1
                found[span["kind"]] += bool(over)
            else:
                spans[span["label"]] += 1
                alarms[span["label"]] += bool(over)
                clean += bool(over) and span["label"] != "derived"
        outside = len(flagged) - len(touched)
        if not wrong:
            replies["faithful"] += 1
            replies["clean"] += not clean and not outside
    return {"faults": faults, "found": found, "spans": spans, "alarms": alarms, "replies": replies}


def recall(result: dict[str, Any]) -> float:
    """Share of all faults found."""
    return sum(result["found"].values()) / sum(result["faults"].values())


def false_alarm_rate(result: dict[str, Any]) -> float:
    """Share of legitimate spans flagged; right arithmetic nobody computed is neutral."""
    legit = {k: v for k, v in result["spans"].items() if k != "derived"}
    return sum(result["alarms"][k] for k in legit) / sum(legit.values())


def clean_rate(result: dict[str, Any]) -> float:
    """Share of faithful replies without a single alarm."""
    return result["replies"]["clean"] / result["replies"]["faithful"]


def basic_flags(reply: str, tool_results: Any, user_text: str) -> list[tuple[int, int, str]]:
    """The contract's basic rules in the scorer's shape."""
    from statistikles.guardrail import audit

    report = audit(reply, tool_results, user_text, rules="basic")
    return [(s.start, s.end, s.verdict if s.flagged else "ok") for s in report.spans]
