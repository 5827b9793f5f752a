"""Everything found in a question before it is decided what it means: columns, levels, conditions, intents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from statistikles.neural.planner.columns import Mention, Question, find_mentions, read
from statistikles.neural.planner.filters import Condition, both_ways, coded, conditions, held_by_name
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.levels import LevelMention, find_levels, named_by_levels
from statistikles.neural.planner.measures import implied
from statistikles.neural.planner.modifiers import described_first, set_aside
from statistikles.neural.planner.phrases import weigh
from statistikles.neural.planner.subsets import subsets
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["Scene", "firm_in", "numeric_in", "scene_of", "without_names"]


@dataclass(frozen=True)
class Scene:
    """Everything found in a question before it is decided what it means."""

    question: Question
    table: TableView
    intents: dict[Intent, float]
    mentions: tuple[Mention, ...]
    levels: tuple[LevelMention, ...]
    conditions: tuple[Condition, ...]

    def says(self, *intents: Intent) -> float:
        """Weight of the strongest of some intents."""
        return max(self.intents.get(i, 0.0) for i in intents)


def scene_of(text: str, table: TableView) -> Scene:
    """Everything a question mentions."""
    question = read(text)
    mentions = set_aside(question, find_mentions(question, table))
    described = described_first(question, mentions)
    levels = [
        lv for lv in find_levels(question, table, mentions) if question.words[lv.first].start >= described
    ]
    for column, values, places in coded(question, mentions):
        if len(values) > 1:
            levels += [LevelMention(column, value, max(places), max(places)) for value in values]
            mentions = [replace(m, demoted=False) if m.column is column else m for m in mentions]
    mentions = sorted(
        [*mentions, *implied(question, table, mentions)], key=lambda m: (m.demoted, -m.score, m.first)
    )
    mentions = _with_levels(question, mentions, named_by_levels(question, table))
    contrasted = _contrasted(question, levels)
    kept = [lv for lv in levels if lv.column.name not in contrasted]
    found = conditions(question, table, mentions, kept)
    found += held_by_name(question, mentions)
    found += subsets(question, table, [*(c.column for c in found), *contrasted])
    used = {i for c in found for i in c.places}
    explicit = {m.name for m in mentions if m.explicit}
    filtered = {c.column for c in found}
    left = [m for m in mentions if not set(m.keys) <= used or m.name in explicit]
    left = [m for m in left if not (m.name in filtered and len(left) > 2)]
    left = _without_qualified(left, found)
    left = [replace(m, demoted=False) if m.column.yes_or_no and both_ways(question, m) else m for m in left]
    for lv in levels:
        named = {m.name for m in left}
        if lv.column.name in contrasted and lv.column.name not in named:
            left.append(Mention(lv.column, 0.9, lv.first, lv.last, tuple(lv.places)))
    return Scene(question, table, weigh(text), tuple(left), tuple(levels), tuple(found))


def _without_qualified(mentions: list[Mention], found: Sequence[Condition]) -> list[Mention]:
    """'in the drug arm' says which rows; the arm itself is not asked about, and heads no phrase."""
    said = [
        m
        for m in mentions
        if any(c.column == m.name and c.places and m.first - 1 == max(c.places) for c in found)
    ]
    if not said or len(said) == len(mentions):
        return mentions
    rest = [m for m in mentions if m not in said]
    return [replace(m, demoted=False) for m in rest] if all(m.demoted for m in rest) else rest


def without_names(scene: Scene, *, every: bool = False) -> str:
    """The text with the words of the columns' names blanked: 'average price' is no call for an average when a column
    of that name is meant."""
    text = scene.question.text
    for mention in scene.mentions:
        if (every or len(mention.column.words) > 1) and not mention.demoted:
            for place in mention.places:
                word = scene.question.words[place]
                text = text[: word.start] + " " * (word.end - word.start) + text[word.end :]
    return text


def _with_levels(question: Question, mentions: list[Mention], by_levels: Sequence[Mention]) -> list[Mention]:
    """A list of values in brackets names the column better than a loose word before it does."""
    out = list(mentions)
    for one in by_levels:
        if any(m.name == one.name for m in out):
            out = [
                replace(m, demoted=False, score=max(m.score, 1.0)) if m.name == one.name else m for m in out
            ]
        else:
            out.append(one)
        chunk = question.chunks[max(one.first - 1, 0)]
        out = [
            replace(m, demoted=True)
            if m.name != one.name and not m.explicit and question.chunks[m.last] == chunk
            else m
            for m in out
        ]
    return sorted(out, key=lambda m: (m.demoted, -m.score, m.first))


def _contrasted(question: Question, levels: Sequence[LevelMention]) -> set[str]:
    """Columns of which two levels are set against each other: 'male and female', 'Adelie with Gentoo'."""
    out = set()
    contrast = re.search(
        r"\b(than|versus|vs\.?|compared (to|with)|(more|less) (often|likely|frequent|common|prone|prevalent)\w*|"
        r"(worse|better|more|less|higher|lower|larger|smaller|greater|longer|shorter|heavier|lighter|taller|older|younger|"
        r"faster|slower|warmer|colder|stronger|weaker|cheaper|wider|bigger|earlier|later)\b[^?.,]{0,25}\b(in|for|among|on)|"
        r"gap|(from|than) those who|unlike)\b",
        question.text,
        re.IGNORECASE,
    )
    for name in {lv.column.name for lv in levels}:
        mine = [lv for lv in levels if lv.column.name == name]
        if len({lv.level for lv in mine}) >= 2 or (contrast and len(mine) == 1 and mine[0].column.binary):
            out.add(name)
    return out


def firm_in(scene: Scene) -> list[Mention]:
    """The mentions that are heads of their phrases."""
    return [m for m in scene.mentions if not m.demoted]


def numeric_in(mentions: Sequence[Mention]) -> list[ColumnView]:
    """The numeric columns among mentions."""
    return [m.column for m in mentions if m.column.numeric]
