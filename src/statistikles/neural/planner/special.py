"""Readings of the special designs: planning a study, time to an event, agreement, reliability, change over time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from statistikles.neural.planner import asked
from statistikles.neural.planner.filters import ADJECTIVES
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.scene import Scene, firm_in, numeric_in
from statistikles.neural.planner.thesaurus import ABBREVIATIONS, word_set
from statistikles.neural.planner.view import ColumnView, TableView
from statistikles.neural.planner.words import stem

__all__ = [
    "SUPERLATIVE",
    "agreement",
    "reliability",
    "series_pair",
    "study",
    "superlative",
    "survival",
    "time",
]

_TIMES = frozenset(
    stem(w) for w in word_set("time times days weeks months years duration survival followup tenure lifetime")
)
_EVENTS = frozenset(
    stem(w)
    for w in word_set(
        "event events status died dead death relapsed relapse censored censor cens failed failure churned recurrence"
    )
)


SUPERLATIVE = re.compile(
    r"\b(heaviest|lightest|oldest|youngest|tallest|shortest|longest|richest|poorest|cheapest|largest|smallest|biggest|"
    r"highest|lowest|best|worst|(?<!at )most|(?<!at )least|top(?! of)|\w{3,}iest|warmest|hottest|coldest|coolest|"
    r"fastest|slowest|strongest|weakest|"
    r"wealthiest|widest|narrowest|greatest|deepest|thickest|priciest)\b(?! (?:common|frequent|often|likely))",
    re.IGNORECASE,
)


def superlative(scene: Scene, base: Reading) -> Reading | None:
    """'Which species is heaviest?': the column that the superlative measures, within each group."""
    match = SUPERLATIVE.search(scene.question.text)
    groups = [m.column for m in firm_in(scene) if m.column.groups and not m.column.numeric]
    if match is None or len(groups) != 1:
        return None
    named = numeric_in(firm_in(scene))
    root = re.sub(r"i?est$", "", match[1].casefold())
    measured = next(
        (names for adjective, names in ADJECTIVES.items() if adjective.startswith(root)), frozenset()
    )
    fits = (
        [c for c in named if not c.groups]
        or named
        or [c for c in scene.table.columns if c.numeric and measured & set(c.words)]
    )
    if len(fits) != 1:
        return None
    return replace(base, intent=Intent.DESCRIBE, outcomes=(fits[0],), group=groups[0], certainty=1.7)


# Words that ask about lasting; together with a column of times and one of events they ask about survival.
_ABOUT = frozenset(stem(w) for w in word_set("time remission prolong prolongs last duration delay"))


def study(scene: Scene, base: Reading) -> Reading | None:
    """Sample size and power need no table."""
    for intent in (Intent.SAMPLE_SIZE, Intent.POWER):
        if scene.says(intent) >= 2 and scene.says(intent) >= scene.says(Intent.SAMPLE_SIZE):
            numbers = asked.study(base.question)
            return replace(base, intent=intent, numbers=numbers, conditions=(), certainty=3.0)
    return None


def survival(scene: Scene, base: Reading) -> Reading | None:
    """Time to an event: the time and event columns named, or the only ones that look the part."""
    times = _looks(
        scene.table,
        _TIMES,
        [c for c in scene.table.columns if c.numeric and not c.binary and "age" not in c.words],
    )
    events = _looks(scene.table, _EVENTS, [c for c in scene.table.columns if c.binary and c.zero_one])
    if times is None or events is None:
        return None
    about = {w.stem for w in scene.question.words} & _ABOUT
    groups = [
        m.column
        for m in firm_in(scene)
        if m.column.groups and m.column not in (times, events) and not m.column.numeric
    ]
    named = {m.name for m in scene.mentions}
    group = groups[0] if groups else _only_group(scene)
    if scene.says(Intent.SURVIVAL) < 2 and (group is None or not about or base.wanted):
        return None
    certainty = 2.2 if group is not None or {times.name, events.name} & named else 1.4
    return replace(base, intent=Intent.SURVIVAL, outcomes=(times, events), group=group, certainty=certainty)


def _only_group(scene: Scene) -> ColumnView | None:
    """What 'the groups' are in a table with one column of a few categories."""
    if not re.search(
        r"\b(the|two|both) (groups|arms|treatments|conditions)\b", scene.question.text, re.IGNORECASE
    ):
        return None
    columns = [c for c in scene.table.columns if c.groups and not c.numeric and c.n_distinct <= 6]
    return columns[0] if len(columns) == 1 else None


def _looks(table: TableView, words: frozenset[str], among: list[ColumnView]) -> ColumnView | None:
    fits = [c for c in among if c in table.columns and words & {stem(w) for w in c.words}]
    return fits[0] if fits else None


def agreement(scene: Scene, base: Reading) -> Reading | None:
    """A pair of raters or methods."""
    if scene.says(Intent.AGREEMENT) < 2 or len(scene.mentions) < 2:
        return None
    pair = sorted(scene.mentions[:2], key=lambda m: m.first)
    return replace(base, intent=Intent.AGREEMENT, outcomes=tuple(m.column for m in pair), certainty=2.2)


def reliability(scene: Scene, base: Reading) -> Reading | None:
    """The items of a scale: those named, or a numbered series of columns."""
    if scene.says(Intent.RELIABILITY) < 2:
        return None
    items = numeric_in(firm_in(scene))
    if len(items) < 3:
        items = _series(scene.table, items)
    if len(items) < 3:
        return None
    return replace(base, intent=Intent.RELIABILITY, outcomes=tuple(items), certainty=2.0)


def _series(table: TableView, named: list[ColumnView]) -> list[ColumnView]:
    """The largest set of numeric columns that differ only in their number."""
    series: dict[str, list[ColumnView]] = {}
    for column in table.columns:
        if column.numeric and (match := re.fullmatch(r"(.*?\D)[ _]?\d+", column.name)):
            series.setdefault(match[1], []).append(column)
    fits = [s for s in series.values() if all(c in s for c in named)]
    return max(fits, key=len, default=[])


def time(scene: Scene, base: Reading) -> Reading | None:
    """A numeric column in its order of time."""
    columns = numeric_in(firm_in(scene))
    if (
        scene.says(Intent.TIME) < 1.6
        or len(columns) != 1
        or scene.says(Intent.ASSOCIATE, Intent.COMPARE) >= 1
    ):
        return None
    return replace(base, intent=Intent.TIME, outcomes=(columns[0],), certainty=1.6)


def series_pair(scene: Scene, base: Reading) -> Reading | None:
    """'the two drugs' of a table with drug_1 and drug_2: the same measurement made twice on each row."""
    paired = scene.says(Intent.PAIRED) >= 1
    if scene.says(Intent.COMPARE, Intent.PAIRED) < 1:
        return None
    if any(m.column.formula for m in firm_in(scene)):
        return None
    if any(m.column.groups for m in firm_in(scene)) and not paired:
        return None
    asked_for = {w.stem for w in scene.question.words}
    twins: dict[tuple[str, ...], list[ColumnView]] = {}
    for column in scene.table.columns:
        if column.numeric and any(w.isdigit() or w in _MOMENTS for w in column.words):
            twins.setdefault(
                tuple(w for w in column.words if not w.isdigit() and w not in _MOMENTS), []
            ).append(column)
    pairs = {words: pair for words, pair in twins.items() if len(pair) == 2}
    fits = [pair for words, pair in pairs.items() if asked_for & _meanings(words)]
    timed = asked_for & {stem(w) for w in _MOMENTS} and all(
        any(w in _MOMENTS for w in c.words) for pair in pairs.values() for c in pair
    )
    if not fits and timed:
        fits = list(pairs.values())
    if len(fits) != 1:
        return None
    certainty = 2.0 if timed else 1.3
    return replace(base, intent=Intent.PAIRED, outcomes=tuple(fits[0]), certainty=certainty)


_MOMENTS = word_set("before after pre post baseline followup start end initial final")


def _meanings(words: Sequence[str]) -> set[str]:
    """The stems of words and of what they abbreviate."""
    out = {stem(w) for w in words if len(w) > 2}
    return out | {stem(full) for w in words for full in ABBREVIATIONS.get(w, ())}
