"""Sets of labels with a known order: grades of agreement, size, frequency, severity, and binned numbers."""

from __future__ import annotations

import re
from collections.abc import Collection

__all__ = ["order_of"]

_ORDERS = [
    [part.strip() for part in line.split("<")]
    for line in """
strongly disagree < disagree < somewhat disagree < neither agree nor disagree|neutral|undecided < somewhat agree < agree \
< strongly agree
very dissatisfied < dissatisfied < neutral|neither < satisfied < very satisfied
never < rarely|seldom < sometimes|occasionally < often|frequently < very often|usually|mostly < always
none < very low < low < medium|moderate|mid|middle|average|normal < high < very high < extreme
minimal < mild < moderate < severe < very severe|critical
very small|xs|extra small < small|s < medium|m < large|l < very large|xl|extra large < xxl < xxxl
very poor < poor|bad < fair|acceptable < good < very good < excellent|ideal
fair < good < very good < premium < ideal
very bad < bad < neutral|average|ok < good < very good
first|1st < second|2nd < third|3rd < fourth|4th < fifth|5th < sixth|6th
short < medium < tall
light < medium < heavy
slow < medium < fast
young < middle-aged|middle < old
before|pre|baseline < during < after|post|follow-up|followup
primary < secondary < tertiary
freshman < sophomore < junior < senior
bronze < silver < gold < platinum < diamond
beginner < intermediate < advanced < expert
low < mid|middle < high
cold < mild < warm < hot
monday|mon < tuesday|tue < wednesday|wed < thursday|thu < friday|fri < saturday|sat < sunday|sun
january|jan < february|feb < march|mar < april|apr < may < june|jun < july|jul < august|aug \
< september|sep|sept < october|oct < november|nov < december|dec
some high school < high school < some college < associate's degree < bachelor's degree < master's degree < doctorate|phd
basic < 2n cycle < graduation|bachelor < master < phd
stage i|i < stage ii|ii < stage iii|iii < stage iv|iv < stage v|v
t1 < t2 < t3 < t4 < t5
""".strip().splitlines()
]
_RANKS = [
    {name.strip(): rank for rank, names in enumerate(order) for name in names.split("|")} for order in _ORDERS
]
_BIN = re.compile(
    r"[\[(]?\s*(?:[<>≤≥]=?|under|over|below|above|less than|more than)?\s*(-?\d+(?:[.,]\d+)?)\s*"
    r"(?:(?:-|–|to|,|\.\.)\s*(-?\d+(?:[.,]\d+)?)\s*[\])]?|\+|\s*(?:and|or)\s+(?:over|older|more|above|under|younger))?"
    r"\s*(?:years?|yrs?|kg|cm|hours?|%)?\s*\Z",
    re.IGNORECASE,
)


def order_of(labels: Collection[str]) -> tuple[tuple[str, ...], str] | None:
    """The labels in their known order and where it is known from; None when they have none.

    All labels must belong to one known order (and be at least three), or all must be ranges of numbers.
    """
    if len(labels) < 3:
        return None
    folded = {" ".join(label.casefold().replace("_", " ").split()): label for label in labels}
    if len(folded) != len(labels):
        return None
    for ranks in _RANKS:
        if folded.keys() <= ranks.keys() and len({ranks[f] for f in folded}) == len(folded):
            ordered = tuple(folded[f] for f in sorted(folded, key=ranks.__getitem__))
            return ordered, f"labels of a known order: {' < '.join(ordered[:7])}"
    return _bins(labels)


def _bins(labels: Collection[str]) -> tuple[tuple[str, ...], str] | None:
    """Ranges such as `18-25`, `26-40`, `65+`, by their lower end."""
    lows: dict[str, tuple[float, int]] = {}
    ranges = 0
    for label in labels:
        match = _BIN.match(label.strip())
        if match is None:
            return None
        ranges += match[2] is not None
        first = label.strip()[:1] in "<≤" or label.strip().casefold().startswith(("under", "below", "less"))
        lows[label] = (float(match[1].replace(",", ".")), -1 if first else 1)
    if ranges < 0.5 * len(labels):
        return None
    if len(set(lows.values())) != len(lows):
        return None
    ordered = tuple(sorted(lows, key=lows.__getitem__))
    return ordered, f"ranges of numbers: {', '.join(ordered[:4])}"
