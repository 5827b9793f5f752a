"""Rows said by who they are: 'smokers', 'non-smokers', 'excluding survivors', 'third class', 'with 3 children'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from statistikles.neural.planner.columns import Question
from statistikles.neural.planner.filters import Condition, equals
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["subsets", "unmet"]

_LEAD = (
    r"\b(?P<lead>for|of|in|among|amongst|from|within|excluding|except(?: for)?|without|only)\s+"
    r"(?:(?:the|all|these|those|any)\s+)?(?:(?!non\b)[a-z]+\s+){0,2}?"
)
_HOLDER = re.compile(rf"{_LEAD}(?P<non>non[- ]?)?(?P<noun>[a-z]{{4,}}s)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"\b(number|share|proportion|percentage|percent|fraction|rate|count|many|interaction|effect|influence)\s+$",
    re.IGNORECASE,
)
_SET_AGAINST = re.compile(
    r"\b(than|versus|vs\.?|compared|between|differ\w*|unlike|by|impact\w*|associat\w*|relat\w*|correlat\w*|depend\w*|influenc\w*|"
    r"affect\w*|effects?)\b",
    re.IGNORECASE,
)
_YES, _NO = ("yes", "1", "true", "y"), ("no", "0", "false", "n")
_AWAY = ("excluding", "except", "except for", "without")
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "5th": 5,
}  # fmt: skip
_WORDS = {
    1: ("first", "1st"),
    2: ("second", "2nd"),
    3: ("third", "3rd"),
    4: ("fourth", "4th"),
    5: ("fifth", "5th"),
}
_ORDINAL = re.compile(rf"\b(?P<nth>{'|'.join(_ORDINALS)})[- ](?P<noun>[a-z]{{3,}})", re.IGNORECASE)
_NUMBERS = {"no": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_WITH = re.compile(
    rf"\b(?:with|having|have|had|has)\s+(?:exactly\s+)?(?P<n>\d+|{'|'.join(_NUMBERS)})\s+(?P<noun>[a-z]{{3,}})",
    re.IGNORECASE,
)
_MORE = re.compile(r"\s*(?:or more|or fewer|or less|and more)\b", re.IGNORECASE)
_GIVEN_SHARE = re.compile(
    r"\b(?:equal to|different from|differs? from|exactly) \d+(?:\.\d+)?\s?%", re.IGNORECASE
)
_VAGUE = re.compile(
    r"\b(heavy|light|old|young|rich|poor|tall|big|large|small|expensive|cheap|long|short)\s+(?:[a-z]{3,}s|[a-z]*men|people|children)\b",
    re.IGNORECASE,
)


def _says(noun: str, column: ColumnView) -> bool:
    """Whether a noun in the plural names those of whom a column of yes and no says yes: survivors for `survived`."""
    one = noun.casefold().removesuffix("s")
    if noun.casefold().endswith("ss") or len(column.words) != 1 or noun.casefold() in column.words:
        return False  # 'shortness', a column of several words, or the column's own name in the plural
    for word in column.words:
        if one == word:
            return True
        shared = next(
            (i for i, (a, b) in enumerate(zip(one, word, strict=False)) if a != b), min(len(one), len(word))
        )
        if shared >= 5 and shared >= min(len(one), len(word)) - 2:
            return True
    return False


def _places(question: Question, start: int, end: int) -> frozenset[int]:
    return frozenset(i for i, w in enumerate(question.words) if start <= w.start < end)


def subsets(question: Question, table: TableView, taken: Sequence[str]) -> list[Condition]:
    """Conditions that nouns put on the rows, on columns without one already."""
    found = [
        *_stated(question, table),
        *_holders(question, table),
        *_nth(question, table),
        *_with_so_many(question, table),
    ]
    by_column: dict[str, list[Condition]] = {}
    for one in found:
        by_column.setdefault(one.column, []).append(one)
    return [
        conditions[0]
        for name, conditions in by_column.items()
        if name not in taken
        and len({c.expression for c in conditions}) == 1  # two levels are set side by side
    ]


def _stated(question: Question, table: TableView) -> list[Condition]:
    """'where smoker is yes': a column of yes and no with its value."""
    out = []
    for column in table.columns:
        if not column.yes_or_no:
            continue
        name, values = re.escape(column.name), "|".join(re.escape(lv) for lv in column.levels)
        for m in re.finditer(
            rf"\b{name}\s+(?:is|are|was|=|equals)\s+['\"]?({values})\b", question.text, re.IGNORECASE
        ):
            level = next(lv for lv in column.levels if lv.casefold() == m[1].casefold())
            places = _places(question, m.start(), m.end())
            out.append(Condition(column.name, equals(column, level), f"{column.name} = {level}", places))
    return out


def _holders(question: Question, table: TableView) -> list[Condition]:
    out = []
    for m in _HOLDER.finditer(question.text):
        if _COUNTED.search(question.text[: m.start()]) or _SET_AGAINST.search(question.text):
            continue
        for column in table.columns:
            if not column.yes_or_no or not _says(m["noun"], column):
                continue
            away = m["lead"].casefold() in _AWAY
            wanted = _NO if (m["non"] is not None) != away else _YES
            level = next((lv for lv in column.levels if lv.casefold() in wanted), None)
            if level is not None:
                start = m.start("non") if m["non"] else m.start("noun")
                places = _places(question, start, m.end("noun"))
                out.append(Condition(column.name, equals(column, level), f"{column.name} = {level}", places))
    return out


def _nth(question: Question, table: TableView) -> list[Condition]:
    """'third-class passengers', 'in 2nd class': a level of a column whose name ends with the noun."""
    out = []
    for m in _ORDINAL.finditer(question.text):
        n, noun = _ORDINALS[m["nth"].casefold()], m["noun"].casefold()
        for column in table.columns:
            if not column.levels or not column.name.casefold().rstrip("_").endswith(noun):
                continue
            wanted = (str(n), f"{n}.0", *_WORDS[n], *(f"{w} {noun}" for w in _WORDS[n]))
            level = next((lv for lv in column.levels if lv.casefold() in wanted), None)
            if level is not None:
                places = _places(question, m.start(), m.end())
                out.append(Condition(column.name, equals(column, level), f"{column.name} = {level}", places))
    return out


def _with_so_many(question: Question, table: TableView) -> list[Condition]:
    """'people with 3 children', 'with no siblings': a column of whole numbers named by the noun."""
    out = []
    for m in _WITH.finditer(question.text):
        if _MORE.match(question.text, m.start("noun")):
            continue
        n = int(m["n"]) if m["n"].isdigit() else _NUMBERS[m["n"].casefold()]
        for column in table.columns:
            if (
                column.numeric
                and column.whole
                and m["noun"].casefold() in (column.name.casefold(), *column.words[-1:])
            ):
                if column.yes_or_no:
                    continue
                places = _places(question, m.start("n"), m.end())
                out.append(Condition(column.name, equals(column, str(n)), f"{column.name} = {n}", places))
    return out


def unmet(text: str, table: TableView, used: set[str]) -> list[str]:
    """Words that plainly keep or leave out rows and are not used: said, never dropped in silence."""
    out = []
    for m in _HOLDER.finditer(text):
        if any(c.yes_or_no and c.name not in used and _says(m["noun"], c) for c in table.columns):
            out.append((m["non"] or "") + m["noun"])
        elif m["lead"].casefold() in _AWAY and not any(
            c.yes_or_no and _says(m["noun"], c) for c in table.columns
        ):
            out.append(f"{m['lead']} {m['noun']}")
    for m in _ORDINAL.finditer(text):
        named = [
            c
            for c in table.columns
            if c.levels and c.name.casefold().rstrip("_").endswith(m["noun"].casefold())
        ]
        if named and not any(c.name in used for c in named):
            out.append(m.group())
    out += [m[1] for m in _VAGUE.finditer(text)]
    out += [m.group() for m in _GIVEN_SHARE.finditer(text)]
    return list(dict.fromkeys(out))
