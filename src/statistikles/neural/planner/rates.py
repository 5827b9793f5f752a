"""Readings that count or rank rows: shares within groups, rows beyond so many SDs, the row with the largest value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from statistikles.neural.planner.cleaning import SHARE
from statistikles.neural.planner.filters import Condition, equals, quoted
from statistikles.neural.planner.formulas import derived
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.scene import Scene, firm_in, numeric_in
from statistikles.neural.planner.special import SUPERLATIVE
from statistikles.neural.planner.view import ColumnView

__all__ = ["column_against_column", "combinations", "extreme_row", "far_on_one_side", "most_rows", "rate"]

_ASKS_HOW_MUCH = re.compile(
    r"^\W*(?:what|which|calculat\w*|comput\w*|find|report|give|determine|show|list|how (?:high|large|big|common)|in which|"
    r"for (?:each|every))\b",
    re.IGNORECASE,
)
_LED = re.compile(
    r"\b(?:by|per|each|every|within|across|among|amongst|in|for|of|which|what|between|and)(?:\s+(?:the|each|every|all|different))*"
    r"\W*$",
    re.IGNORECASE,
)
_YES = ("yes", "1", "true", "y", "t")


def rate(scene: Scene, base: Reading) -> Reading | None:
    """'What is the share of smokers in each region?': the share of rows with a value within each group."""
    text = scene.question.text
    if (
        not SHARE.search(text)
        or not _ASKS_HOW_MUCH.search(text)
        or scene.says(Intent.ASSOCIATE, Intent.PREDICT) >= 1
    ):
        return None
    group = _dividing(scene)
    target = _counted(scene, group)
    if group is None or target is None or group.name == target.column:
        return None
    if any(c.name not in (group.name, target.column) for c in numeric_in(firm_in(scene)) if not c.zero_one):
        return None
    formula = f"number(choose(({target.expression}), '1', '0'))"
    column = derived(target.words, formula, scene.table)
    return replace(
        base,
        intent=Intent.DESCRIBE,
        outcomes=(column,),
        group=group,
        conditions=tuple(c for c in base.conditions if c.column not in (target.column, group.name)),
        wanted=("mean",),
        table=scene.table.extended([column]),
        certainty=1.9,
    )


def _dividing(scene: Scene) -> ColumnView | None:
    """The column within whose groups a share is asked for: 'in each region', 'which region', 'for men and women'."""
    words, text = scene.question.words, scene.question.text
    for mention in sorted(firm_in(scene), key=lambda m: -m.first):
        column = mention.column
        if not column.groups or (
            column.yes_or_no and not column.formula and not _several_levels(scene, column)
        ):
            continue
        if _LED.search(text[: words[mention.first].start]) or _several_levels(scene, column):
            return column
    return None


def _several_levels(scene: Scene, column: ColumnView) -> bool:
    return len({lv.level for lv in scene.levels if lv.column.name == column.name}) > 1


def _counted(scene: Scene, group: ColumnView | None) -> Condition | None:
    """What the share is of: a value that the question names, or a yes-or-no column."""
    taken = group.name if group is not None else ""
    said = [c for c in scene.conditions if c.column != taken]
    if len(said) == 1:
        return said[0]
    for mention in sorted(scene.mentions, key=lambda m: (m.demoted, m.first)):
        column = mention.column
        if column.yes_or_no and column.name != taken and mention.score >= 0.5:
            level = next((lv for lv in column.levels if lv.casefold() in _YES), None)
            if level is not None:
                return Condition(column.name, equals(column, level), f"{column.name} = {level}")
    return None


_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
_FAR = re.compile(
    r"\b(?:more than|over|above|greater than|at least|beyond|exceed\w*(?: by)?|by)?\s*(?P<k>one|two|three|four|"
    r"five|\d(?:\.\d+)?)\s*"
    r"(?:standard deviations?|sds?|sigmas?|z-?scores?)\s*(?:or more\s*)?(?:units?\s*)?(?P<side>above|below|over|"
    r"under|greater than|"
    r"less than|higher than|lower than|away from|from|of|off)\s+(?:its|the|their)?\s*(?:mean|average)",
    re.IGNORECASE,
)


def far_on_one_side(scene: Scene, base: Reading) -> Reading | None:
    """'more than two standard deviations above the mean': the rows that lie there, counted."""
    match = _FAR.search(scene.question.text)
    numeric = numeric_in(firm_in(scene)) or numeric_in(scene.mentions)
    if match is None or not numeric:
        return None
    words = scene.question.words
    before = [m.column for m in scene.mentions if m.column.numeric and words[m.first].start < match.end()]
    column = min(before or numeric, key=lambda c: _away(scene, c, match.start()))
    k = _NUMBERS.get(match["k"].casefold(), match["k"])
    side = match["side"].casefold()
    score = f"zscore({quoted(column.name)})"
    low = side in ("below", "under", "less than", "lower than")
    high = side in ("above", "over", "greater than", "higher than")
    test = f"{score} < -{k}" if low else f"{score} > {k}" if high else f"abs({score}) > {k}"
    name = f"{column.name} {'far below' if low else 'far above' if high else 'far out'}"
    made = derived(name, f"choose(({test}), 'yes', 'no')", scene.table, ("yes", "no"))
    return replace(
        base,
        intent=Intent.FREQUENCIES,
        outcomes=(made,),
        conditions=tuple(c for c in base.conditions if c.column != column.name),
        wanted=(),
        table=scene.table.extended([made]),
        certainty=2.7,
    )


def _away(scene: Scene, column: ColumnView, place: int) -> int:
    return min(
        abs(scene.question.words[m.first].start - place) for m in scene.mentions if m.name == column.name
    )


_WHICH_ROW = re.compile(
    r"^\W*(?:which|what|who|whose|name|find|identify|list|show|give|determine|report)\b(?!\s+(?:is|are|was|were)\s+the\s+(?:mean|average))",
    re.IGNORECASE,
)
_LOWEST = re.compile(
    r"\b(lowest|least|smallest|lightest|youngest|shortest|poorest|cheapest|worst|coldest|slowest|weakest|fewest|minimum)\b",
    re.IGNORECASE,
)


def extreme_row(scene: Scene, base: Reading) -> Reading | None:
    """'Which country has the highest income?': the largest value, and the row that holds it."""
    text = scene.question.text
    match = SUPERLATIVE.search(text)
    if match is None or not _WHICH_ROW.search(text) or base.conditions:
        return None
    if scene.says(Intent.ASSOCIATE, Intent.COMPARE, Intent.PREDICT, Intent.OUTLIERS, Intent.PAIRED) >= 1:
        return None
    if {"mean", "median", "sum", "std_dev", "variance", "mode", "skewness", "kurtosis"} & set(base.wanted):
        return None
    numeric = numeric_in(firm_in(scene)) or numeric_in(scene.mentions)
    groups = [m.column for m in firm_in(scene) if m.column.groups and not m.column.numeric]
    label = _label(scene)
    if len(numeric) != 1 or groups or label is None or label.name == numeric[0].name:
        return None
    side = "min" if _LOWEST.search(text) else "max"
    name = quoted(numeric[0].name)
    made = derived("extreme", f"choose(({name} = {side}({name})), 'yes', 'no')", scene.table, ("yes", "no"))
    return replace(
        base,
        intent=Intent.DESCRIBE,
        outcomes=(numeric[0],),
        source=label,
        wanted=("minimum",) if side == "min" else ("maximum",),
        table=scene.table.extended([made]),
        certainty=1.8,
    )


def _label(scene: Scene) -> ColumnView | None:
    """The column whose values name the rows: the one named, else the first text that hardly repeats itself."""
    named = [m.column for m in scene.mentions if not m.column.numeric]
    columns: Sequence[ColumnView] = [*named, *(c for c in scene.table.columns if c not in named)]
    for column in columns:
        present = column.n - column.n_missing
        if (
            not column.numeric
            and not column.formula
            and column.kind != "empty"
            and column.n_distinct >= 0.9 * present
        ):
            return column
    return None


_MOST_ROWS = re.compile(
    r"^\W*(?:which|what|who|name|find|identify|determine|report|give)\b[^.?!]{0,80}?"
    r"\b(?:the (?:most|fewest|largest number of|highest number of|smallest number of|lowest number of|greatest number of)|"
    r"most (?:often|frequent|common)\w*)\b",
    re.IGNORECASE,
)


def most_rows(scene: Scene, base: Reading) -> Reading | None:
    """'Which publisher has the most journals?': the values of a column counted, where no number is named."""
    if not _MOST_ROWS.search(scene.question.text) or numeric_in(firm_in(scene)):
        return None
    named = [m.column for m in firm_in(scene) if m.column.kind in ("category", "boolean", "text")]
    repeated = [c for c in named if 1 < c.n_distinct < 0.9 * (c.n - c.n_missing)]
    if not repeated or scene.says(Intent.ASSOCIATE, Intent.COMPARE, Intent.PREDICT) >= 1.2:
        return None
    return replace(base, intent=Intent.FREQUENCIES, outcomes=(repeated[0],), wanted=("mode",), certainty=1.6)


_COUNTS = re.compile(
    r"^\W*(?:in |for |of |find (?:out )?|report |determine |calculate |compute |give )?(?:the )?"
    r"(?:how many|count|number of|what (?:percent\w*|share|proportion|fraction))\b",
    re.IGNORECASE,
)
_AGAINST = (
    (
        re.compile(
            r"\b(?:greater|larger|higher|more|bigger|longer|heavier|older|above|exceeds?|"
            r"exceed)\b(?:\s+than)?|>",
            re.IGNORECASE,
        ),
        ">",
    ),
    (
        re.compile(
            r"\b(?:less|lower|smaller|fewer|shorter|lighter|younger|below)\b(?:\s+than)?|<", re.IGNORECASE
        ),
        "<",
    ),
    (re.compile(r"\b(?:equals?|equal to|the same as|identical to)\b|=", re.IGNORECASE), "="),
)


def column_against_column(scene: Scene, base: Reading) -> Reading | None:
    """'In how many rows is A greater than B?': the rows counted."""
    words, text = scene.question.words, scene.question.text
    named = sorted((m for m in scene.mentions if m.column.numeric and m.score >= 0.6), key=lambda m: m.first)
    if len(named) != 2 or not _COUNTS.search(text):
        return None
    between = text[words[named[0].last].end : words[named[1].first].start]
    sign = next((sign for pattern, sign in _AGAINST if len(between) < 40 and pattern.search(between)), None)
    if sign is None or re.search(r"\d", between):
        return None
    test = f"{quoted(named[0].name)} {sign} {quoted(named[1].name)}"
    shown = f"{named[0].name} {sign} {named[1].name}"
    made = derived(shown, f"choose(({test}), 'yes', 'no')", scene.table, ("yes", "no"))
    used = {m.name for m in named}
    return replace(
        base,
        intent=Intent.FREQUENCIES,
        outcomes=(made,),
        conditions=tuple(c for c in base.conditions if c.column not in used),
        wanted=(),
        table=scene.table.extended([made]),
        certainty=2.3,
    )


_COMBINED = re.compile(
    r"\b(?:each|every|all|per|by) (?:possible )?(?:combinations?|pairs?|pairings?) of\b", re.IGNORECASE
)


def combinations(scene: Scene, base: Reading) -> Reading | None:
    """'Count the rows for each combination of A and B.'"""
    groups = [m.column for m in sorted(firm_in(scene), key=lambda m: m.first) if m.column.groups]
    if not _COMBINED.search(scene.question.text) or len(groups) != 2 or base.wanted:
        return None
    if any(not c.groups for c in numeric_in(firm_in(scene))):
        return None
    first, second = groups
    crossed = f"crossed({quoted(first.name)}, {quoted(second.name)})"
    made = derived(f"{first.name} and {second.name}", crossed, scene.table, ("",) * 4)
    table = scene.table.extended([made])
    return replace(base, intent=Intent.FREQUENCIES, outcomes=(made,), table=table, certainty=1.9)
