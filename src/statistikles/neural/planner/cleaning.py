"""Readings about the state of the data: outliers, what is left without them, missing values, shares of rows."""

from __future__ import annotations

import re
from dataclasses import replace

from statistikles.neural.planner import asked
from statistikles.neural.planner.filters import Condition, quoted
from statistikles.neural.planner.formulas import derived
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.lists import listed_with
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.scene import Scene, firm_in, numeric_in
from statistikles.neural.planner.view import ColumnView

__all__ = ["SHARE", "filled", "missing", "outlier_rule", "outliers", "share"]

_LEFT_OUT = re.compile(
    r"\b(remov\w+|exclud\w+|drop(?:ped|ping)?|without|discard\w*|eliminat\w*|trim(?:med|ming)?|filter\w* out|ignoring|"
    r"clean\w*|delet\w+|leav\w+ out|strip\w*|free of|after)\b(?:(?!\bmissing\b)[^.?!]){0,60}?\boutliers?\b|"
    r"\boutliers?\b[^.?!]{0,80}?\b(?:remov|exclud|drop|discard|eliminat|delet)\w*\s+(?:them|these|those|such)\b|"
    r"\boutliers? (?:are |were |being |is )?(?:removed|excluded|dropped|discarded|left out)",
    re.IGNORECASE,
)
_FAR_LEFT_OUT = re.compile(
    r"\b(remov\w+|exclud\w+|drop\w*|without|discard\w*|eliminat\w*|ignoring|leaving out)\b[^.?!]{0,60}?"
    r"\b(standard deviations?|sds?|sigmas?|iqr|interquartile)\b",
    re.IGNORECASE,
)
_OF_OUTLIERS = re.compile(
    r"\b(?:mean|average|median|standard deviation|sum|minimum|maximum|range|smallest|largest)\b[^.?!]{0,60}?"
    r"\b(?:of|for|among) "
    r"(?:all |the |these |those |identified |detected |such )*outliers\b|"
    r"\boutliers\b[^.?]{0,40}\b(?:what is their|their) (?:mean|average|median|range|minimum|maximum)",
    re.IGNORECASE,
)
_Z = re.compile(
    r"\bz[- ]?(scores?|values?|test|method)?\b|\bstandard deviations?\b|\bsigmas?\b|\bsd\b", re.IGNORECASE
)
_IQR = re.compile(r"\b(iqr|inter-?quartile|tukey\w*|quartiles?|fences?|box[- ]?plot)\b", re.IGNORECASE)
_Z_LIMIT = re.compile(
    r"\b(?:threshold|cut[- ]?off|greater than|more than|above|over|exceed\w*|beyond|outside|within|of|±|\+/-)\s*"
    r"(?:by |of |is |at |= ?)?(?:\+/- ?|± ?)?(\d(?:\.\d+)?)\b",
    re.IGNORECASE,
)
_IQR_LIMIT = re.compile(
    r"(\d(?:\.\d+)?)\s*(?:×|x|\*|times)?\s*(?:the )?\s*(?:iqr|inter-?quartile)", re.IGNORECASE
)


def outlier_rule(text: str) -> tuple[str, str]:
    """The rule for outliers a question names, and its factor: interquartile when none or both are said."""
    if _Z.search(text) and not _IQR.search(text):
        found = _Z_LIMIT.search(text)
        return "z", found[1] if found and 1 <= float(found[1]) <= 6 else "3"
    found = _IQR_LIMIT.search(text)
    return "iqr", found[1] if found else "1.5"


def outliers(scene: Scene, base: Reading) -> Reading | None:
    """Outliers of a column; or the column without them; or the outliers themselves summarised."""
    numeric = numeric_in(firm_in(scene)) or numeric_in(scene.mentions)
    if scene.says(Intent.OUTLIERS) < 2 or not numeric:
        return None
    column = numeric[0]
    alike = tuple(c for c in listed_with(scene, column) if c.numeric)[:4]
    found = replace(base, intent=Intent.OUTLIERS, outcomes=alike or (column,), certainty=2.6)
    text = base.question
    side = ("outside", "far values of") if _OF_OUTLIERS.search(text) else None
    wanted = set(asked.statistics(text)) & {
        "mean",
        "median",
        "std_dev",
        "variance",
        "sum",
        "skewness",
        "kurtosis",
    }
    if (
        side is None
        and (_LEFT_OUT.search(text) or _FAR_LEFT_OUT.search(text))
        and (wanted or re.search(r"\bdescri|\bsummar|\bstatistics", text, re.I))
    ):
        side = ("within", "without far values")
    if side is None:
        return _own_factor(found, column, scene) or found
    rule, factor = outlier_rule(text)
    name = f"{side[1]} {column.name}" if side[0] == "outside" else f"{column.name} {side[1]}"
    part = derived(name, f"{side[0]}_{rule}({_formula(column)}, {factor})", scene.table)
    table = scene.table.extended([part])
    return replace(found, outcomes=(part,), source=column, table=table, certainty=2.7)


def _own_factor(found: Reading, column: ColumnView, scene: Scene) -> Reading | None:
    """Outliers by a factor that is not the usual one: the rows beyond it, counted."""
    rule, factor = outlier_rule(found.question)
    if float(factor) == {"z": 3.0, "iqr": 1.5}[rule] or len(found.outcomes) > 1:
        return None
    formula = f"choose((within_{rule}({_formula(column)}, {factor}) is missing), 'yes', 'no')"
    made = derived(f"outlier of {column.name}", formula, scene.table, ("yes", "no"))
    here = Condition(column.name, f"{quoted(column.name)} IS NOT NULL", f"{column.name} is present")
    return replace(
        found,
        intent=Intent.FREQUENCIES,
        outcomes=(made,),
        wanted=(),
        conditions=(*found.conditions, *((here,) if column.n_missing else ())),
        table=scene.table.extended([made]),
    )


def _formula(column: ColumnView) -> str:
    return quoted(column.name)


_ASKS_MISSING = re.compile(
    r"\b(how many|number of|count|percent\w*|proportion|share|any|are there|fraction|rate)\b.{0,60}"
    r"\b(missing|null|nan|na|blank|empty)\b|"
    r"\b(missing|null|nan|blank|empty)\b.{0,30}\b(values?|entries|cells|data|percent\w*|rate|count)\b.{0,40}\?",
    re.IGNORECASE | re.DOTALL,
)


def missing(scene: Scene, base: Reading) -> Reading | None:
    """How many values of a column are missing, and their share."""
    if not _ASKS_MISSING.search(scene.question.text):
        return None
    columns = [m.column for m in firm_in(scene)[:1]] or [m.column for m in scene.mentions[:1]]
    if not columns:
        column = _whole_table(scene)
        if column is None:
            return None
        table = scene.table.extended([column])
        return replace(
            base, intent=Intent.MISSING, outcomes=(column,), table=table, conditions=(), certainty=2.0
        )
    made = [_state(c, scene) for c in listed_with(scene, columns[0])]
    sources = {c.name for c in listed_with(scene, columns[0])}
    return replace(
        base,
        intent=Intent.MISSING,
        outcomes=tuple(made),
        source=columns[0],
        conditions=tuple(c for c in base.conditions if c.column not in sources),
        table=scene.table.extended(made),
        certainty=2.6,
    )


def _state(column: ColumnView, scene: Scene) -> ColumnView:
    """Whether each value of a column is there, as a column of its own."""
    formula = f"choose({quoted(column.name)} is missing, 'missing', 'present')"
    return derived(f"values of {column.name}", formula, scene.table, ("missing", "present"))


def _whole_table(scene: Scene) -> ColumnView | None:
    """'How many missing values are there in the data set?': the missing values of each row, to be summed."""
    plain = [c for c in scene.table.columns if not c.formula]
    names = [c.name for c in plain if c.n_missing] or [c.name for c in plain[:40]]
    if not re.search(
        r"\b(data ?set|data|table|file|total|overall|altogether)\b", scene.question.text, re.IGNORECASE
    ):
        return None
    if not 0 < len(names) <= 40:
        return None
    formula = " + ".join(f"({quoted(name)} is missing)" for name in names)
    return derived("missing values of a row", formula if len(names) > 1 else f"0 + {formula}", scene.table)


SHARE = re.compile(
    r"\b(percent\w*|proportion|share|fraction|rate|how common|probability|chance|likelihood)\b", re.IGNORECASE
)


# What stands after this verb is asked of the rows before it: 'what share of women over 30 has a car?'
_SHARE_VERB = re.compile(
    r"\s(?:has|have|had|is|are|was|were|own|show|got|use|live|survived?)\s", re.IGNORECASE
)


def share(scene: Scene, base: Reading) -> Reading | None:
    """'What percentage of passengers are women over 30?': the share of rows that satisfy the last condition."""
    if not SHARE.search(scene.question.text) or not scene.conditions:
        return None
    if scene.says(Intent.ASSOCIATE, Intent.PREDICT, Intent.MISSING, Intent.OUTLIERS) >= 1:
        return None
    by_number = any(re.search(r"[<>=] -?\d", c.expression) for c in scene.conditions)
    if scene.says(Intent.COMPARE) >= 1 and not by_number:
        return None
    others = [m for m in firm_in(scene) if m.name not in {c.column for c in scene.conditions}]
    if numeric_in(others) or set(base.wanted) - {"mode"}:
        return None
    named = [m for m in scene.mentions if m.name not in {c.column for c in scene.conditions}]
    if any(m.column.groups for m in others) or any(m.column.yes_or_no and m.score >= 0.5 for m in named):
        return None
    split = re.search(r"\b(among|within|out of|of (?:the|all) )", scene.question.text, re.IGNORECASE)
    parts = list(base.conditions)
    kept: list[object] = []
    verb = _SHARE_VERB.search(scene.question.text)
    after = [
        c for c in parts if verb and c.places and scene.question.words[min(c.places)].start >= verb.end()
    ]
    if 0 < len(after) < len(parts):
        kept = [c for c in parts if c not in after]
        parts = after
    elif len(parts) > 1 and split:
        first = _of_whom(scene, split.end())
        kept = [c for c in parts if c.column == first]
        parts = [c for c in parts if c.column != first]
    asked_for = " and ".join(f"({c.expression})" for c in parts)
    words = " and ".join(c.words for c in parts)
    column = derived(words, f"choose({asked_for}, 'yes', 'no')", scene.table, ("yes", "no"))
    return replace(
        base,
        intent=Intent.FREQUENCIES,
        outcomes=(column,),
        conditions=tuple(c for c in base.conditions if c in kept),
        table=scene.table.extended([column]),
        certainty=1.6,
    )


def _of_whom(scene: Scene, start: int) -> str:
    """The column of the condition that says whose share it is."""
    later = [
        (min(c.places), c.column)
        for c in scene.conditions
        if c.places and scene.question.words[min(c.places)].start >= start - 1
    ]
    return min(later)[1] if later else ""


_FILL = re.compile(
    r"\b(?:fill\w*|imput\w*|replac\w*|substitut\w*)\b(?:[^.?!]|[.](?=\w)){0,60}?\b(?:missing|null|nan|na|empty|blank)\b(?:[^.?!]|[.](?=\w)){0,60}?"
    r"\b(?:with|by|using)\b"
    r"(?:[^.?!]|[.](?=\w)){0,25}?\b(?P<what>means?|averages?|medians?|modes?|zero|0)\b|\b(?P<what2>mean|median|"
    r"mode)[- ]imput\w+|"
    r"\bimput\w*\b(?:[^.?!]|[.](?=\w)){0,60}?\b(?:with|by|using)\b(?:[^.?!]|[.](?=\w)){0,25}?\b(?P<what3>means?|averages?|medians?|modes?|zero|0)\b",
    re.IGNORECASE,
)


def filled(text: str, column: ColumnView) -> str:
    """The formula of a column whose missing values are filled as the text says, empty when it says nothing."""
    match = _FILL.search(text)
    if match is None or not column.numeric or not column.n_missing:
        return ""
    what = (
        (match["what"] or match["what2"] or match["what3"]).casefold().rstrip("s").replace("average", "mean")
    )
    name = quoted(column.name)
    return f"fill({name}, 0)" if what in ("zero", "0") else f"fill({name}, {what}({name}))"
