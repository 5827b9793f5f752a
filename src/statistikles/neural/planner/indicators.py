"""Columns of two values made from a condition: "1 if age is below 25 and 0 otherwise", "those over 50 and the rest"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from statistikles.neural.planner.columns import Mention, find_mentions, read
from statistikles.neural.planner.filters import COMPARISONS, equals, quoted
from statistikles.neural.planner.levels import find_levels
from statistikles.neural.planner.view import ColumnView, TableView
from statistikles.neural.planner.words import Word

__all__ = ["indicated", "one_condition"]

_LABEL = r"(?:[\"'“‘`](?P<{0}>[^\"'”’`]{{1,30}})[\"'”’`]|(?P<{0}n>[01]|zero|one|true|false|yes|no)\b)"
_IF = (
    r"(?:if|when|where|for (?:all |every )?(?:rows|those|values|cases|\w+s)? ?(?:with|whose|where|in which|that|who)?|"
    r"whenever|in case)"
)
_ELSE = (
    r"(?:otherwise|else|if not|in all other cases|for (?:all )?(?:the )?(?:others?|rest)|for all other \w+|"
    r"for the remaining \w+)"
)
# (label) if (condition), (other label) otherwise; and the same with the label after the condition.
_EITHER = re.compile(
    rf"{_LABEL.format('yes')}\s+{_IF}\s+(?P<body>[^;?!\n]{{3,120}}?)\s*(?:,|;|\band\b|\bor\b)\s*(?:and\s+|or\s+)?"
    rf"(?:it is |is |as |to |with )?{_LABEL.format('no')}\s*(?:,\s*)?{_ELSE}",
    re.IGNORECASE,
)
_TWO_GROUPS = re.compile(
    r"\b(?:divid\w*|split\w*|group\w*|separat\w*|categori[sz]\w*|partition\w*|classif\w*)\b[^:;?!]{0,80}?(?:\binto\b[^:;?!]{0,60}?)?"
    r"(?::|,|\binto\b|\bby whether\b|\baccording to whether\b|\bbased on whether\b)\s*(?:those|ones|rows|the ones|one)?\s*"
    r"(?:with |where |whose |who have |that have |having |of |for )?(?P<body>[^;?!\n]{3,100}?)\s*(?:,|\band\b|"
    r"\bversus\b|\bvs\b|\bor\b)\s*"
    r"(?:and )?(?:the )?(?:rest|others?|remaining|remainder|not\b|those (?:without|with \w+)|all others?)(?: ones| \w+s)?",
    re.IGNORECASE,
)
_YES = {"one": "1", "zero": "0"}


def one_condition(text: str, table: TableView) -> tuple[str, str, ColumnView] | None:
    """The condition that a stretch of text says of one column: (expression, in words, column)."""
    question = read(text)
    mentions = [m for m in find_mentions(question, table) if m.score >= 0.6]
    numeric = [m for m in mentions if m.column.numeric]
    for pattern, sign in COMPARISONS:
        match = re.search(pattern, text, re.IGNORECASE)
        if match is None:
            continue
        place = match.start()
        near = min(numeric, key=lambda m: _distance(question.words, m, place), default=None)
        if near is not None:
            number = match[1].replace(",", "")
            return f"{quoted(near.name)} {sign} {number}", f"{near.name} {sign} {number}", near.column
    levels = find_levels(question, table, mentions)
    if len(levels) == 1:
        one = levels[0]
        return equals(one.column, one.level), f"{one.column.name} = {one.level}", one.column
    return None


def _distance(words: Sequence[Word], mention: Mention, place: int) -> int:
    start: int = words[mention.first].start
    return abs(place - start) + (1000 if start > place + 40 else 0)


def indicated(text: str, table: TableView) -> tuple[str, tuple[str, ...], str, int, int] | None:
    """(formula, labels, in words, start, end) of a column of two values said by a condition."""
    match = _EITHER.search(text)
    if match is not None:
        found = one_condition(match["body"], table)
        if found is not None:
            yes, no = (_shown(match[name] or match[f"{name}n"]) for name in ("yes", "no"))
            if yes != no:
                return _made(found, yes, no, match.start(), match.end())
    match = _TWO_GROUPS.search(text)
    if match is not None and "(" not in match.group():
        found = one_condition(match["body"], table)
        if found is not None and (re.search(r"\d", match["body"]) or re.search(r"\bthose\b", match.group())):
            return _made(found, found[1], f"not {found[1]}", match.start(), match.end())
    return None


def _shown(label: str) -> str:
    return _YES.get(label.casefold(), label)


def _made(
    found: tuple[str, str, ColumnView], yes: str, no: str, start: int, end: int
) -> tuple[str, tuple[str, ...], str, int, int]:
    texts = ["'" + label.replace("'", "''") + "'" for label in (yes, no)]
    return f"choose(({found[0]}), {texts[0]}, {texts[1]})", (yes, no), found[1], start, end
