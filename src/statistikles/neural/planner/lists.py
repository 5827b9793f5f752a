"""Several columns asked about alike: 'the mean of A, B and C', 'each of the columns A and B'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from statistikles.neural.planner.columns import Mention, Question
from statistikles.neural.planner.scene import Scene, firm_in
from statistikles.neural.planner.view import ColumnView

__all__ = ["listed_numbers", "listed_with", "runs"]

# What may stand between the members of a list beside the signs of a list.
_GLUE = re.compile(
    r"(?:[\s,;/&'\"“”‘’`()+]|\b(?:and|or|as well as|along with|plus|both|the|of|for|in|each|also|columns?|"
    r"variables?|features?|"
    r"fields?|values?|scores?|mean|average|median|standard|deviations?|variances?|minimum|maximum|total|sum|respective|"
    r"missing|outliers?|distributions?|skewness|kurtosis)\b)*",
    re.IGNORECASE,
)


def runs(question: Question, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """The mentions cut into lists: neighbours with nothing but the signs of a list between them."""
    out: list[list[Mention]] = []
    for mention in sorted(mentions, key=lambda m: m.first):
        if out:
            last = out[-1][-1]
            between = question.text[question.words[last.last].end : question.words[mention.first].start]
            if re.search(r"[,&/;]|\b(?:and|or|as well as|along with|plus)\b", between) and _GLUE.fullmatch(
                between
            ):
                out[-1].append(mention)
                continue
        out.append([mention])
    return out


def listed_with(scene: Scene, column: ColumnView) -> tuple[ColumnView, ...]:
    """The columns of the list that a column stands in; itself alone when it stands in none."""
    for run in runs(scene.question, firm_in(scene)):
        columns = tuple(dict.fromkeys(m.column for m in run))
        if column in columns:
            return columns
    return (column,)


def listed_numbers(scene: Scene) -> tuple[ColumnView, ...]:
    """The longest list of numeric columns that a question holds."""
    found = [tuple(dict.fromkeys(m.column for m in run)) for run in runs(scene.question, firm_in(scene))]
    return max((f for f in found if all(c.numeric for c in f)), key=len, default=())
