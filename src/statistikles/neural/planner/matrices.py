"""Readings over every pair of several numeric columns, and how an answer about them is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.lists import listed_numbers
from statistikles.neural.planner.method import Row
from statistikles.neural.planner.phrasing import Made, Paragraphs, kept
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.scene import Scene, firm_in, numeric_in
from statistikles.neural.planner.writing import safe

__all__ = ["MOST_COLUMNS", "every_pair", "pairs"]

MOST_COLUMNS = 30
_ROWS_SHOWN = 15
_CORRELATES = re.compile(r"\b(correlat\w*|associat\w*|relat(?:ed|ion\w*)|pearson|spearman)\b", re.IGNORECASE)
_EVERY_PAIR = re.compile(
    r"\b(?:correlation (?:matrix|table|coefficients between (?:all|each|every))|pairwise|pair-wise|every pair|each pair|"
    r"all (?:the )?pairs|which pair|what pair|pairs? of (?:\w+ )?(?:columns|variables|features)|"
    r"which two|what two|two (?:\w+ )?(?:columns|variables|features) (?:are|that|with|have)|"
    r"correlations? (?:of|between|among|across) (?:all|each|every|the numeric)|correlated with (?:each other|"
    r"one another))\b",
    re.IGNORECASE,
)
_STRONGEST_WITH = re.compile(
    r"\b(?:which|what)\b[^.?!]{0,60}?\b(?:most|strongest|highest|largest|best|greatest|closest|least|weakest|lowest)\b"
    r"[^.?!]{0,40}?\b(?:correlat\w*|associat\w*|relat\w*)\b[^.?!]{0,12}?\b(?:with|to)\b|"
    r"\bcorrelat\w*\b[^.?!]{0,12}?\b(?:most|best|strongest)\b[^.?!]{0,12}?\bwith\b|"
    r"\bcorrelat\w*\b[^.?!]{0,40}?\b(?:with|and) (?:each|all|every|any) (?:of the )?(?:other|numeric)\b",
    re.IGNORECASE,
)
_WEAKEST = re.compile(r"\b(?:least|weakest|lowest|smallest)\b", re.IGNORECASE)


def every_pair(scene: Scene, base: Reading) -> Reading | None:
    """'Which two columns correlate most?', 'the correlations of A, B and C', 'what goes with price most?'"""
    text, words = scene.question.text, scene.question.words
    if not _CORRELATES.search(text):
        return None
    listed = listed_numbers(scene)
    named = numeric_in(firm_in(scene))
    whole = [
        c for c in scene.table.columns if c.numeric and not c.identifier and not c.constant and not c.formula
    ]
    target = None
    strongest = _STRONGEST_WITH.search(text)
    if strongest and named:
        later = [m for m in firm_in(scene) if m.column.numeric and words[m.first].start >= strongest.end()]
        target = min(later, key=lambda m: m.first).column if later else named[-1]
        columns = list(dict.fromkeys([*(listed if len(listed) > 1 else whole), target]))
    elif len(listed) >= 3:
        columns = list(listed)
    elif _EVERY_PAIR.search(text) and len(named) != 2:
        columns = whole
    else:
        return None
    if not 2 < len(columns) <= MOST_COLUMNS:
        return None
    return replace(
        base, intent=Intent.ASSOCIATE, outcomes=tuple(columns), source=target, controls=(), certainty=2.6
    )


def pairs(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """The strongest pair first, then the others."""
    record = made[row.lead]
    rows = record.value("rows")
    if not isinstance(rows, Sequence) or not rows:
        return [f"{record.method}."]
    order = list(range(len(rows)))
    weakest = _WEAKEST.search(reading.question) is not None
    if weakest:
        order.reverse()

    def said(place: int) -> str:
        at = ("rows", str(place))
        number = record.number_at(*at, "r_rounded") or record.number_at(*at, "r")
        low, high = record.number_at(*at, "conf_low"), record.number_at(*at, "conf_high")
        bounds = f", CI [{low}, {high}]" if low and high else ""
        names = f"{safe(str(rows[place]['first']))} and {safe(str(rows[place]['second']))}"
        return f"{names}: r = {number}{bounds}, p {record.number_at(*at, 'p_value')}"

    first = (
        f"The {'weakest' if weakest else 'strongest'} correlation{kept(reading)} is that of {said(order[0])}."
    )
    lines = [f"- {said(i)}" for i in order[:_ROWS_SHOWN]]
    more = "\n- further pairs are in the full result" if len(rows) > _ROWS_SHOWN else ""
    return [
        first,
        "Every pair (p of each pair by itself; adjusted for their number in the full result):\n"
        + "\n".join(lines)
        + more,
    ]
