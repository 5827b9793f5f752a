"""From a question and a table to readings: the intents weighed against the kinds and number of columns meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from statistikles.neural.planner import asked
from statistikles.neural.planner.cleaning import missing, outliers, share
from statistikles.neural.planner.columns import Mention
from statistikles.neural.planner.controls import held_constant, stratifying
from statistikles.neural.planner.filters import both_ways, compared, quoted
from statistikles.neural.planner.formulas import derived
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.levels import leading_group
from statistikles.neural.planner.lists import listed_with
from statistikles.neural.planner.matrices import every_pair
from statistikles.neural.planner.modelling import adjusted, predict, two_way
from statistikles.neural.planner.modifiers import at_level
from statistikles.neural.planner.parts import asking_sentences, sentences_of
from statistikles.neural.planner.phrases import weigh
from statistikles.neural.planner.preparing import BEFORE_TOO, Prepared, prepare
from statistikles.neural.planner.rates import (
    column_against_column,
    combinations,
    extreme_row,
    far_on_one_side,
    most_rows,
    rate,
)
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.scene import Scene, firm_in, numeric_in, scene_of, without_names
from statistikles.neural.planner.special import (
    SUPERLATIVE,
    agreement,
    reliability,
    series_pair,
    study,
    superlative,
    survival,
    time,
)
from statistikles.neural.planner.subsets import unmet
from statistikles.neural.planner.thesaurus import word_set
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["readings_of", "understand"]

_I = Intent
# From this score on, a column is named and not only alluded to.
_NAMED = 0.9


def understand(text: str, table: TableView) -> list[Reading]:
    """Readings of a question, the most certain first.

    Of several sentences those that ask are read first; what follows are instructions, from which only the level
    of significance and the statistics named are taken.
    """
    return readings_of(prepare(text, table))


def readings_of(prepared: Prepared) -> list[Reading]:
    """Readings of a question whose instructions were carried out."""
    return [_on_rows(r, prepared) for r in _all_readings(prepared.text, prepared.table)]


def _on_rows(reading: Reading, prepared: Prepared) -> Reading:
    """A reading on the rows that the instructions keep; those that a column asked about drops itself are not named."""
    if not prepared.dropped or reading.intent in (_I.MISSING, _I.SAMPLE_SIZE, _I.POWER):
        return reading
    roles = (*reading.outcomes, reading.group, *reading.controls, reading.strata)
    single = len(reading.outcomes) < 2 and reading.intent is not _I.COUNT
    used = {c.name for c in roles if c is not None} if single else set()
    taken = {c.column for c in reading.conditions}
    more = tuple(
        c
        for c in prepared.dropped
        if c.column not in taken and (c.column not in used or not c.expression.endswith("IS NOT NULL"))
    )
    dropped = {c.column for c in prepared.dropped}
    unused = tuple(name for name in reading.unused if name not in dropped)
    return replace(reading, conditions=(*reading.conditions, *more), unused=unused)


def _all_readings(text: str, table: TableView) -> list[Reading]:
    sentences = sentences_of(text)
    if len(sentences) < 2:
        return _understood(text, text, table)
    asking = asking_sentences(sentences)
    found = [r for sentence in asking for r in _understood(sentence, text, table)]
    found.sort(key=lambda r: -r.certainty)
    if not found or found[0].certainty < 0.8:
        found = sorted([*found, *_understood(text, text, table)], key=lambda r: -r.certainty)
    return found


def _understood(text: str, whole: str, table: TableView) -> list[Reading]:
    """Readings of one sentence of a question."""
    scene = scene_of(text, table)
    unnamed = without_names(scene)
    scene = replace(scene, intents=weigh(without_names(scene, every=True)) or scene.intents)
    extra = asked.statistics(whole[len(text) :]) if whole is not text and whole.startswith(text) else ()
    base = Reading(
        question=whole,
        intent=_I.DESCRIBE,
        table=table,
        conditions=scene.conditions,
        wanted=tuple(dict.fromkeys([*asked.statistics(unnamed), *extra])),
        distribution=asked.distribution(text),
        alpha=asked.alpha(whole),
    )
    out: list[Reading] = []
    for rule in RULES:
        found = rule(scene, base)
        if found is not None:
            found = at_level(replace(found, unused=_unused(scene, found)))
        if found is not None and all(found != o for o in out):
            out.append(found)
    return sorted(out, key=lambda r: -r.certainty)


_ON_ROWS = frozenset({_I.DESCRIBE, _I.FREQUENCIES, _I.COMPARE, _I.ASSOCIATE, _I.NORMALITY, _I.VARIANCES})


def _unused(scene: Scene, reading: Reading) -> tuple[str, ...]:
    """Columns and categories that the question names beyond doubt and the reading makes no use of."""
    if reading.intent in (_I.SAMPLE_SIZE, _I.POWER):
        return ()
    roles = (*reading.outcomes, reading.group, *reading.controls, *reading.left_out, reading.strata)
    used = {c.name for c in roles if c is not None} | {c.column for c in reading.conditions}
    formulas = " ".join(c.formula for c in roles if c is not None)
    used |= {c.name for c in scene.table.columns if f'"{c.name}"' in formulas}
    columns = [m.name for m in firm_in(scene) if m.name not in used and m.score >= _NAMED]
    levels = [lv.level for lv in scene.levels if lv.column.name not in {*used, *columns}]
    rows = unmet(scene.question.text, scene.table, {*used, *columns})
    if reading.value is None and reading.intent in _ON_ROWS:
        placed = {i for c in (*reading.conditions, *scene.conditions) for i in c.places}
        rows += [m for m, places in compared(scene.question) if not places & placed]
    return tuple(dict.fromkeys([*columns, *levels, *rows]))


def _top(scene: Scene, count: int) -> list[Mention]:
    """The `count` best mentions, in the order of the text."""
    return sorted(scene.mentions[:count], key=lambda m: m.first)


def _held(scene: Scene, base: Reading) -> Reading | None:
    """Association of two variables with others held constant, or within strata."""
    firm = firm_in(scene)
    pool = firm if len(firm) >= 3 else list(scene.mentions)
    best = sorted(pool[: max(3, min(len(firm), 5))], key=lambda m: m.first)
    if len(best) < 3 or scene.says(_I.ASSOCIATE, _I.COMPARE, _I.PREDICT) <= 0:
        return None
    repeats = re.search(
        r"\b(var(y|ies|iation)|consisten\w*|differ\w*|modif\w*|stratif\w*|same|across|segment\w*|considering|within|separately|each|depend\w*|stable)\b",
        scene.question.text,
        re.I,
    )
    categories = all(m.column.groups and (m.column.binary or not m.column.numeric) for m in best[:3])
    governed = held_constant(scene.question, best)
    coded = all(m.column.numeric for m in best[:3]) and re.search(
        r"\b(partial|pearson|correlation coefficient)", scene.question.text, re.IGNORECASE
    )
    if categories and (repeats or governed) and not coded and len(firm) >= 3:
        strata = (
            governed[0] if governed and governed[0] in best[:3] else stratifying(scene.question, best[:3])
        )
        pair = [m.column for m in best[:3] if m is not strata]
        if strata is not None and len(pair) == 2:
            return replace(
                base, intent=_I.ASSOCIATE, outcomes=tuple(pair), strata=strata.column, certainty=2.2
            )
    rest = [m.column for m in best if m not in governed]
    if governed and len(rest) >= 2 and all(c.numeric for c in rest[:2]):
        return replace(
            base,
            intent=_I.ASSOCIATE,
            outcomes=tuple(rest[:2]),
            controls=tuple(m.column for m in governed),
            certainty=2.3,
        )
    return None


def _distribution(scene: Scene, base: Reading) -> Reading | None:
    """Normality, a named distribution, or two distributions compared."""
    numeric = numeric_in(firm_in(scene)) or numeric_in(scene.mentions)
    if not numeric:
        return None
    if len(numeric) == 1 and scene.says(_I.SAME_DISTRIBUTION) > 1:
        numeric = numeric_in(scene.mentions)
    named = base.distribution
    normal = scene.says(_I.NORMALITY)
    if named and named != "normal" and scene.says(_I.FITS) > 0:
        return replace(base, intent=_I.FITS, outcomes=(numeric[0],), certainty=2.4)
    if named == "normal" and (normal > 0 or scene.says(_I.FITS) > 1):
        alike = tuple(c for c in listed_with(scene, numeric[0]) if c.numeric)[:4]
        group = next(
            (
                m.column
                for m in scene.mentions
                if m.column.groups
                and not m.column.numeric
                and _per_group(scene, m.column, frozenset({"in", "inside"}))
            ),
            None,
        )
        if group is not None and len(alike) < 2:
            return replace(base, intent=_I.NORMALITY, outcomes=(numeric[0],), group=group, certainty=2.6)
        return replace(base, intent=_I.NORMALITY, outcomes=alike or (numeric[0],), certainty=2.5)
    if len(numeric) >= 2 and scene.says(_I.SAME_DISTRIBUTION) > 1:
        pair = (
            [m.column for m in _top(scene, 2)]
            if all(m.column.numeric for m in scene.mentions[:2])
            else numeric[:2]
        )
        return replace(base, intent=_I.SAME_DISTRIBUTION, outcomes=tuple(pair), certainty=2.0)
    return None


_TESTS = re.compile(
    r"\b(test\w*|differ\w*|equal\w*|same|homogen\w+|levene|bartlett|compar\w+|similar\w*|vary|"
    r"varies)\b",
    re.I,
)


def _variances(scene: Scene, base: Reading) -> Reading | None:
    firm = firm_in(scene)
    if scene.says(_I.VARIANCES) < 1.2 or re.search(r"\bcorrelat", scene.question.text, re.I):
        return None
    if {"mean", "median"} & set(base.wanted) and not _TESTS.search(scene.question.text):
        return None
    numeric = numeric_in(firm)
    outcome = next((c for c in numeric), None)
    group = next(
        (
            m.column
            for m in scene.mentions
            if m.column is not outcome
            and m.column.groups
            and not m.column.numeric
            and (not m.demoted or _per_group(scene, m.column, frozenset({"in"})))
        ),
        None,
    )
    if outcome is not None and group is not None and len(numeric) == 1:
        return replace(base, intent=_I.VARIANCES, outcomes=(outcome,), group=group, certainty=2.1)
    pair = [m.column for m in _top(scene, 2) if m.column.numeric]
    if len(pair) == 2:
        return replace(base, intent=_I.VARIANCES, outcomes=tuple(pair), certainty=2.1)
    return None


def _pair(scene: Scene, base: Reading) -> Reading | None:
    """Two columns meant: what they are decides between groups, cross table, correlation and pairs."""
    usable = [m for m in scene.mentions if m.column.numeric or m.column.groups]
    if len(usable) < 2:
        return None
    scene = replace(scene, mentions=tuple(usable))
    weight = scene.says(_I.ASSOCIATE, _I.COMPARE, _I.PAIRED, _I.SAME_DISTRIBUTION, _I.FREQUENCIES)
    best = _top(scene, 2)
    first, second = best[0].column, best[1].column
    certainty = min(1.8, 0.7 + 0.5 * weight) * (
        0.75 if any(m.demoted or m.score < 0.6 for m in best) else 1.0
    )
    if weight <= 0:
        certainty = 0.5
    correlates = re.search(r"\b(correlat|pearson|spearman|kendall)", scene.question.text, re.I) is not None
    by_name = (
        re.search(r"\b(pearson|spearman|kendall|correlation coefficient)", scene.question.text, re.I)
        is not None
    )
    divides = [m.column for m in best if m.column.groups and not m.column.numeric]
    coded = [m.column for m in best if m.column.numeric and m.column.binary]
    if len(divides) + len(coded) == 2 and not (len(coded) == 2 and by_name):
        rows, columns = (second, first) if first.yes_or_no and not second.yes_or_no else (first, second)
        return replace(base, intent=_I.ASSOCIATE, outcomes=(rows, columns), certainty=certainty)
    groups = divides or ([] if correlates else coded)
    numeric = [c for c in (first, second) if c.numeric and c not in groups]
    if len(groups) == 1 and len(numeric) == 1:
        describing = base.wanted and scene.says(_I.DESCRIBE) > 0 and scene.says(_I.COMPARE, _I.ASSOCIATE) < 1
        return replace(
            base,
            intent=_I.DESCRIBE if describing else _I.COMPARE,
            outcomes=(numeric[0],),
            group=groups[0],
            levels=_named_levels(scene, groups[0]),
            leading=leading_group(scene.question, scene.levels, groups[0]),
            certainty=max(certainty, 1.4 if describing else 0.0),
        )
    if first.numeric and second.numeric:
        return _two_numbers(scene, base, (first, second), certainty)
    return None


def _two_numbers(
    scene: Scene, base: Reading, pair: tuple[ColumnView, ColumnView], certainty: float
) -> Reading | None:
    paired, associated = scene.says(_I.PAIRED), scene.says(_I.ASSOCIATE)
    predicted, compared = scene.says(_I.PREDICT), scene.says(_I.COMPARE)
    if predicted > max(associated, compared) or (predicted >= 1.4 and not associated):
        return None
    if paired >= 1 or (compared > associated):
        coded = [c for c in pair if c.groups]
        if paired < 1 and len(coded) == 1:
            outcome = pair[0] if coded[0] is pair[1] else pair[1]
            return replace(base, intent=_I.COMPARE, outcomes=(outcome,), group=coded[0], certainty=certainty)
        return replace(base, intent=_I.PAIRED, outcomes=pair, certainty=certainty * (1.0 if paired else 0.9))
    return replace(base, intent=_I.ASSOCIATE, outcomes=pair, certainty=certainty)


def _named_levels(scene: Scene, group: ColumnView) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(lv.level for lv in scene.levels if lv.column.name == group.name))
    return named if 2 <= len(named) < group.n_distinct else ()


def _fixed(scene: Scene, base: Reading) -> Reading | None:
    numeric = numeric_in(firm_in(scene))
    value = asked.fixed_value(scene.question.text)
    counted = scene.says(_I.COUNT, _I.FREQUENCIES) > 0 or scene.says(_I.ASSOCIATE) >= 1.3
    if value is None or not numeric or scene.says(_I.FIXED) < 1.0 or counted:
        return None
    if any(c.column != numeric[0].name and c.expression.endswith(f" {value:g}") for c in base.conditions):
        return None
    kept = tuple(c for c in base.conditions if c.column != numeric[0].name)
    return replace(base, intent=_I.FIXED, outcomes=(numeric[0],), value=value, conditions=kept, certainty=2.0)


def _before_and_after(column: ColumnView, table: TableView) -> tuple[ColumnView, ...]:
    """A column and what the question made of it."""
    others = [c for c in table.columns if c is not column]
    if column.formula:
        sources = [c for c in others if quoted(c.name) in column.formula]
        return (sources[0], column) if len(sources) == 1 and sources[0].numeric else ()
    filled = [c for c in others if c.name == f"{column.name} filled"]
    return (column, filled[0]) if filled else ()


def _describe(scene: Scene, base: Reading) -> Reading | None:
    """One column meant: summarised, or counted when it holds categories."""
    firm = firm_in(scene) or list(scene.mentions)
    if not firm:
        return None
    weight = scene.says(_I.DESCRIBE, _I.FREQUENCIES, _I.COUNT)
    numeric = numeric_in(firm)
    asked_for = bool(base.wanted)
    divides = _dividing(scene, firm, numeric)
    group = next((c for c in divides if len(firm) > 1), None)
    numeric = [c for c in numeric if c is not group]
    together = scene.says(_I.ASSOCIATE, _I.COMPARE, _I.PAIRED, _I.PREDICT)
    if len(firm) < 2 and together < 1.2 and (asked_for or scene.says(_I.DESCRIBE) >= 1):
        together = 0.0
    settled = 0.5 if together >= 0.7 else 1.0
    if group is not None and not _per_group(scene, group):
        group = None
    others = [c for c in divides if c is not group and c not in numeric and c.levels and not c.numeric]
    if numeric and group is not None and others and group.levels and asked_for:
        crossed = f"crossed({quoted(group.name)}, {quoted(others[0].name)})"
        group = derived(f"{group.name} and {others[0].name}", crossed, scene.table, ("",) * 4)
        base = replace(base, table=scene.table.extended([group]))
        return replace(base, intent=_I.DESCRIBE, outcomes=(numeric[0],), group=group, certainty=1.6)
    if numeric and group is not None and (scene.says(_I.DESCRIBE) or asked_for):
        return replace(
            base,
            intent=_I.DESCRIBE,
            outcomes=tuple(c for c in listed_with(scene, numeric[0]) if c in numeric) or (numeric[0],),
            group=group,
            levels=_named_levels(scene, group),
            certainty=1.25 if asked_for and _only_describes(scene, together) else 1.1,
        )
    shape = scene.says(_I.NORMALITY, _I.FITS, _I.VARIANCES) > 1.5 and not numeric
    if shape or (SUPERLATIVE.search(scene.question.text) and not asked_for):
        settled = 0.5
    best = max(firm, key=lambda m: (m.explicit, m.score))
    counting = scene.says(_I.FREQUENCIES) > 0 and not (asked_for and set(base.wanted) - {"mode"})
    if not best.column.numeric or (counting and best.column.n_distinct <= 30):
        if best.column.kind == "text" and not counting and "mode" not in base.wanted:
            return None
        return replace(
            base, intent=_I.FREQUENCIES, outcomes=(best.column,), certainty=settled * (0.9 + min(weight, 0.6))
        )
    listed = tuple(c for c in listed_with(scene, best.column) if c.numeric)
    if BEFORE_TOO.search(base.question) and (pair := _before_and_after(best.column, scene.table)):
        listed, together = pair, 0.0
    alike = listed if asked_for or scene.says(_I.DESCRIBE) > 0 else ()
    return replace(
        base,
        intent=_I.DESCRIBE,
        outcomes=alike if len(alike) > 1 and together < 1.2 else (best.column,),
        certainty=(1.0 if len(alike) > 1 and together < 1.2 else settled)
        * ((1.2 if asked_for else 0.6) + min(weight, 0.4)),
    )


_SIDE_BY_SIDE = re.compile(
    r"^\W*(?:what|calculate|compute|find|report|give|determine)\b[^.?!]*\b(?:versus|"
    r"vs\.?)\s",
    re.IGNORECASE,
)


def _only_describes(scene: Scene, together: float) -> bool:
    """Whether groups are to be described and not tested: 'what is the mean of men versus women?'"""
    text = scene.question.text
    return together < 0.7 or (_SIDE_BY_SIDE.search(text) is not None and not _TESTS.search(text))


def _dividing(scene: Scene, firm: Sequence[Mention], numeric: Sequence[ColumnView]) -> list[ColumnView]:
    """The columns named that can divide the rows here."""
    return [
        m.column
        for m in firm
        if (m.column.groups and (not m.column.numeric or _per_group(scene, m.column)))
        or (len(numeric) > 1 and _numbered_groups(scene, m))
    ]


_EACH = re.compile(r"\b(?:by|per|each|every|which|what)\W*$", re.IGNORECASE)


def _numbered_groups(scene: Scene, mention: Mention) -> bool:
    """'per year', 'in which month': whole numbers, each on several rows, that divide the rows."""
    column = mention.column
    before = scene.question.text[: scene.question.words[mention.first].start]
    ends = (column.minimum, column.maximum)
    whole = column.whole or all(end is not None and end.is_integer() for end in ends)
    return column.numeric and whole and 2 <= column.n_distinct <= column.n // 2 and bool(_EACH.search(before))


_LEADS = word_set("by per each across every within among between for different various all")


def _per_group(scene: Scene, group: ColumnView, more: frozenset[str] = frozenset()) -> bool:
    """Whether a phrase such as 'by', 'for each' or 'across' leads to the grouping column."""
    for mention in scene.mentions:
        if mention.name == group.name and both_ways(scene.question, mention):
            return True
        if mention.name == group.name:
            if _numbered_groups(scene, mention):
                return True
            before = {w.plain for w in scene.question.words[max(0, mention.first - 3) : mention.first]}
            levels = {lv.level for lv in scene.levels if lv.column.name == group.name}
            return bool(before & (_LEADS | more)) or len(levels) >= 2
    return False


_REMAINING = re.compile(
    r"\bhow many \w+ (?:\w+ )?(?:remain\w*|are left|is left|are kept|do we have left)\b|"
    r"\b(?:rows?|records?|observations?|entries|cases|samples?)\s+(?:\w+\s+)?(?:remain\w*|are left|is left|"
    r"are kept|survive)\b|"
    r"\b(?:remaining|left over) (?:rows?|records?|observations?|cases|samples?)\b",
    re.IGNORECASE,
)


def _count(scene: Scene, base: Reading) -> Reading | None:
    if scene.says(_I.COUNT) <= 0 or scene.says(_I.MISSING, _I.OUTLIERS, _I.SAMPLE_SIZE) > 1:
        return None
    column = next((c.column for c in scene.conditions), None)
    if column is None and _REMAINING.search(scene.question.text) and scene.table.columns:
        column = scene.table.columns[0].name
    if column is None:
        return None
    return replace(base, intent=_I.COUNT, outcomes=(scene.table[column],), certainty=1.5)


RULES = (
    study,
    far_on_one_side,
    column_against_column,
    combinations,
    most_rows,
    rate,
    every_pair,
    extreme_row,
    survival,
    agreement,
    reliability,
    time,
    series_pair,
    superlative,
    _held,
    _distribution,
    _variances,
    outliers,
    missing,
    share,
    _fixed,
    adjusted,
    two_way,
    predict,
    _pair,
    _describe,
    _count,
)
