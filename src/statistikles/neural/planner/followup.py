"""Follow-up questions: 'and for men?', 'what about G3?', 'only those over 30' change one part of the last reading."""

from __future__ import annotations

import re
from dataclasses import replace

from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.scene import Scene, scene_of
from statistikles.neural.planner.view import ColumnView

__all__ = ["followed_up", "opens_follow_up"]

_OPENING = re.compile(
    r"^\s*(and|what about|how about|now|same (for|with|thing)|only|just|but|then|or|instead|also|with|for|by|in|among)\b",
    re.IGNORECASE,
)
_LONGEST = 9


def opens_follow_up(text: str) -> bool:
    """Whether a text is short and begins like a follow-up."""
    return _OPENING.match(text) is not None and len(text.split()) <= _LONGEST and not re.search(r"\d", text)


def followed_up(text: str, last: Reading) -> Reading | None:
    """The last reading with the part changed that the follow-up names; None when it is a question of its own."""
    if not _OPENING.match(text) or len(text.split()) > _LONGEST:
        return None
    scene = scene_of(text, last.table)
    if scene.intents and max(scene.intents.values()) >= 1.3:
        return None
    if scene.levels or scene.conditions:
        return _other_rows(text, last, scene)
    firm = [m.column for m in scene.mentions if not m.demoted]
    if not firm:
        return None
    return _other_column(text, last, firm[0])


def _other_rows(text: str, last: Reading, scene: Scene) -> Reading:
    from statistikles.neural.planner.filters import Condition, equals

    found = list(scene.conditions)
    named = {c.column for c in found}
    for level in scene.levels:
        if level.column.name not in named:
            words = f"{level.column.name} = {level.level}"
            found.append(Condition(level.column.name, equals(level.column, level.level), words))
    changed = {c.column for c in found}
    kept = [c for c in last.conditions if c.column not in changed]
    group = last.group
    if group is not None and group.name in changed:
        # One group alone cannot be compared; it can be described.
        return replace(
            last,
            question=text,
            intent=Intent.DESCRIBE,
            group=None,
            levels=(),
            conditions=tuple(kept + found),
            certainty=2.0,
        )
    return replace(last, question=text, conditions=tuple(kept + found), certainty=2.0)


def _other_column(text: str, last: Reading, column: ColumnView) -> Reading | None:
    """The new column takes the place of the one of its kind."""
    by = re.search(r"\b(by|per|between|across|each)\b", text, re.IGNORECASE)
    if last.group is not None and (by or not column.numeric) and column.groups:
        return replace(last, question=text, group=column, levels=(), certainty=2.0)
    if not last.outcomes:
        return None
    if column.numeric != last.outcomes[0].numeric and last.intent is not Intent.ASSOCIATE:
        return None
    if len(last.outcomes) == 1:
        return replace(last, question=text, outcomes=(column,), certainty=2.0)
    fits = [i for i, c in enumerate(last.outcomes) if c.numeric == column.numeric]
    if not fits or column in last.outcomes:
        return None
    outcomes = list(last.outcomes)
    outcomes[fits[-1]] = column
    return replace(last, question=text, outcomes=tuple(outcomes), certainty=2.0)
