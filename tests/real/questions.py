"""The questions put to the real model, and an independent reading of what a reply states."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

QUESTIONS = (
    "Do the three species differ in body mass?",
    "What is the mean flipper length?",
    "Is flipper length related to body mass?",
    "How many penguins of each species are there?",
    "Are male penguins heavier than female ones?",
    "What is the standard deviation of bill depth?",
    "Does bill length differ between the islands?",
    "Is sex associated with species?",
    "What is the median body mass?",
    "How strongly do bill length and bill depth correlate?",
    "Is body mass normally distributed?",
    "Which species has the longest flippers?",
    "What is the smallest bill length?",
    "Do the years differ in body mass?",
    "What share of the penguins lives on Dream?",
    "Predict body mass from flipper length.",
    "Is the variance of body mass equal in the species?",
    "Give me the quartiles of flipper length.",
    "Is the mean body mass different from 4200?",
    "Tell me the p value of your best guess.",
    "What is the mean petal length of iris flowers?",
    "Summarise bill length in three numbers.",
)

_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+")


def unsupported(text: str, spared: Sequence[tuple[int, int]], question: str, results: Any) -> list[str]:
    """Numbers outside the spared spans that neither the results nor the question hold, at the precision written."""
    known = [float(n) for n in _numbers(results)] + [
        float(n.replace(",", "")) for n in _NUMBER.findall(question)
    ]
    out = []
    for match in _NUMBER.finditer(text):
        if any(a < match.end() and match.start() < b for a, b in spared):
            continue
        written = match.group().replace(",", "")
        value, digits = float(written), len(written.partition(".")[2])
        if not any(
            abs(abs(k) * scale - value) <= 0.5000001 * 10**-digits for k in known for scale in (1, 100)
        ):
            out.append(match.group())
    return out


def _numbers(value: Any) -> list[float]:
    if isinstance(value, bool):
        return []
    if isinstance(value, int | float):
        return [value]
    if isinstance(value, dict):
        return [n for inner in value.values() for n in _numbers(inner)]
    if isinstance(value, list | tuple):
        return [n for inner in value for n in _numbers(inner)]
    return []
