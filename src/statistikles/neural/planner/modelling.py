"""Readings with several explaining columns: predictions, groups with columns held constant, two grouping columns."""

from __future__ import annotations

import re
from dataclasses import replace

from statistikles.neural.planner.columns import Mention
from statistikles.neural.planner.controls import held_constant
from statistikles.neural.planner.filters import quoted
from statistikles.neural.planner.formulas import derived
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.scene import Scene, firm_in
from statistikles.neural.planner.splits import split_of
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["adjusted", "predict", "two_way"]

_MOST_LEVELS = 12
_YES = ("yes", "1", "true", "y", "t", "positive", "present", "malignant", "dead", "died")
# 'Can weight be predicted from height': the outcome stands before the verb.
_PASSIVE = re.compile(r"\b(be|been|being|is|are|was|were)\s+(\w+\s+)?$", re.IGNORECASE)
_TARGET = re.compile(
    r"\b(predict\w*|explain\w*|forecast\w*|model\w*|odds of|regress\w*|estimat\w*)\b", re.IGNORECASE
)
_SOURCE = re.compile(
    r"\b(from|based on|using|given|by|on|with|as a function of|in terms of|via|through|against)\b|:",
    re.IGNORECASE,
)


def predict(scene: Scene, base: Reading) -> Reading | None:
    """An outcome and its predictors: what is predicted stands after 'predict' or before 'from', 'by', 'based on'."""
    # Whole names count also where another column heads the phrase: 'predict salary for age 40'.
    firm = sorted((m for m in scene.mentions if not m.demoted or m.score >= 0.84), key=lambda m: m.first)
    if scene.says(Intent.PREDICT) < 1.4 or len(firm) < 2 or len(firm_in(scene)) < 1:
        return None
    outcome = _outcome(scene, firm)
    predictors = [m.column for m in firm if m is not outcome]
    if not any(c.numeric for c in predictors) and len(predictors) == 1:
        return _by_category(base, outcome.column, predictors[0])
    made = [c for p in predictors[:_MOST_LEVELS] for c in _coded(p, scene.table)]
    left = tuple(c for c in predictors if not c.numeric and not _codable(c))
    if not made:
        return None
    target = _as_outcome(outcome.column, scene.table)
    new = [c for c in (target, *made) if c.formula]
    at = _values(scene, made)
    used = {c.name for c in made} if at else set()
    return replace(
        base,
        intent=Intent.PREDICT,
        at=at,
        conditions=tuple(c for c in base.conditions if c.column not in used),
        outcomes=(target,),
        controls=tuple(made[:20]),
        left_out=left,
        numbers=split_of(base.question),
        table=scene.table.extended(new) if new else base.table,
        certainty=1.9,
    )


def _values(scene: Scene, predictors: list[ColumnView]) -> tuple[float, ...]:
    """A value for each predictor, when the question gives them all: 'for age 40 and 10 years of service'."""
    out = []
    for column in predictors:
        mention = next((m for m in scene.mentions if m.name == column.name), None)
        if mention is None or column.formula:
            return ()
        words, text = scene.question.words, scene.question.text
        said = re.escape(text[words[mention.first].start : words[mention.last].end])
        after = rf"{said}[\s\"'”’)]*(?:of|is|=|:|at|equals?|equal to)?\s*(-?\d+(?:\.\d+)?)\b(?!\s*%)"
        before = rf"(?<![\w.])(-?\d+(?:\.\d+)?)\s*(?:[a-z]{{1,5}}\s+)?(?:of\s+)?{said}"
        found = re.search(after, text, re.IGNORECASE) or re.search(before, text, re.IGNORECASE)
        if found is None:
            return ()
        out.append(float(found[1]))
    return tuple(out)


def _outcome(scene: Scene, firm: list[Mention]) -> Mention:
    text = scene.question.text

    def start(m: Mention) -> int:
        return scene.question.words[m.first].start

    target = _TARGET.search(text)
    if target is None:
        return firm[-1]
    after = [m for m in firm if start(m) >= target.end()]
    before = [m for m in firm if start(m) < target.start()]
    source = _SOURCE.search(text, target.end())
    if source is None:
        return after[0] if after else before[0] if before else firm[-1]
    if before and _PASSIVE.search(text[: target.start()]):
        return before[-1]
    return after[0] if after else firm[-1]


def _codable(column: ColumnView) -> bool:
    return not column.numeric and bool(column.levels) and 2 <= len(column.levels) <= _MOST_LEVELS


def _coded(column: ColumnView, table: TableView) -> list[ColumnView]:
    """A predictor as numbers: itself, or a column of zeros and ones for every level but the first."""
    if column.numeric:
        return [column]
    if not _codable(column):
        return []
    return [replace(_is_level(column, level, table), against=column.levels[0]) for level in column.levels[1:]]


def _is_level(column: ColumnView, level: str, table: TableView) -> ColumnView:
    escaped = level.replace("'", "''")
    made = derived(f"{column.name}: {level}", f"code({quoted(column.name)}, '{escaped}')", table)
    return replace(made, n_distinct=2, whole=True, minimum=0.0, maximum=1.0)


def _as_outcome(column: ColumnView, table: TableView) -> ColumnView:
    """A column of two values as zeros and ones, the positive value being one."""
    if column.numeric or len(column.levels) != 2:
        return column
    yes = next((lv for lv in column.levels if lv.casefold() in _YES), column.levels[1])
    return _is_level(column, yes, table)


def _by_category(base: Reading, outcome: ColumnView, predictor: ColumnView) -> Reading | None:
    """A prediction from one category is a comparison of its groups, or an association of categories."""
    if not predictor.groups:
        return None
    if outcome.numeric:
        return replace(base, intent=Intent.COMPARE, outcomes=(outcome,), group=predictor, certainty=1.9)
    if outcome.groups:
        return replace(base, intent=Intent.ASSOCIATE, outcomes=(predictor, outcome), certainty=1.9)
    return None


def adjusted(scene: Scene, base: Reading) -> Reading | None:
    """A numeric outcome in groups with numeric columns held constant; with a category held constant as well."""
    firm = sorted(firm_in(scene), key=lambda m: m.first)
    if len(firm) < 3 or scene.says(Intent.COMPARE, Intent.ASSOCIATE, Intent.PREDICT) <= 0:
        return None
    governed = held_constant(scene.question, firm)
    rest = [m.column for m in firm if m not in governed]
    groups = [c for c in rest if c.groups and (not c.numeric or c.zero_one)]
    numeric = [c for c in rest if c.numeric and c not in groups]
    controls = [m.column for m in governed]
    if not governed or len(rest) != 2 or len(groups) != 1 or len(numeric) != 1:
        return None
    number = tuple(c for c in controls if c.numeric)
    other = [c for c in controls if not c.numeric and c.groups]
    if not number and len(other) != 1:
        return None
    return replace(
        base,
        intent=Intent.COMPARE,
        outcomes=(numeric[0],),
        group=groups[0],
        controls=number,
        strata=other[0] if other else None,
        certainty=2.3,
    )


_TWO_WAY = re.compile(
    r"\b(two[- ]way|interact\w*|(effect|impact|influence|difference)\w* (of|between|in) .*\b(depend|differ|vary|varies|"
    r"same)\w*|factorial|together|jointly|combined|(both|and) [\w ]{1,40} (affect|influence|explain|determine|matter)\w*)\b",
    re.IGNORECASE,
)


def two_way(scene: Scene, base: Reading) -> Reading | None:
    """One numeric outcome and two grouping columns asked about together."""
    firm = sorted(firm_in(scene), key=lambda m: m.first)
    groups = [m.column for m in firm if m.column.groups and not m.column.numeric]
    numeric = [m.column for m in firm if m.column.numeric and m.column not in groups]
    if len(groups) != 2 or len(numeric) != 1 or (scene.says(Intent.DESCRIBE) >= 1 and base.wanted):
        return None
    asks = _TWO_WAY.search(scene.question.text) is not None
    if not asks and scene.says(Intent.COMPARE, Intent.ASSOCIATE) < 0.9:
        return None
    return replace(
        base,
        intent=Intent.COMPARE,
        outcomes=(numeric[0],),
        group=groups[0],
        strata=groups[1],
        certainty=2.1 if asks else 1.85,
    )
