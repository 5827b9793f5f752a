"""What an adjective or a verb measures: 'warmer' is about temperature, 'earn' about a salary, 'longest' about a length."""

from __future__ import annotations

import re
from collections.abc import Sequence

from statistikles.neural.planner.columns import Mention, Question
from statistikles.neural.planner.thesaurus import word_set
from statistikles.neural.planner.view import ColumnView, TableView
from statistikles.neural.planner.words import stem

__all__ = ["implied"]

# (forms of the word, words of the names of columns it measures)
_MEASURES: tuple[tuple[str, str], ...] = (
    (r"older|oldest|younger|youngest|elder|eldest", "age ages"),
    (r"heavier|heaviest|lighter|lightest|weigh(?:s|ed)?", "weight mass wt"),
    (r"taller|tallest|shorter|shortest", "height tall stature"),
    (r"longer|longest|shorter|shortest|last(?:s|ed)? longer", "length duration time days minutes hours runtime stay"),
    (r"wider|widest|narrower|narrowest|broader", "width breadth"),
    (r"thicker|thickest|thinner|deeper|deepest|shallower", "thickness depth"),
    (r"richer|richest|poorer|poorest|wealthier|wealthiest", "income wealth salary"),
    ((r"earn(?:s|ed|ing)?|(?:best |worst |top )?paid(?: (?:less|more|better|worse))?|"
     r"better paid|worse paid|pay(?:ing)? gap|wage gap|salary gap"),
     "salary wage wages pay income earnings"),
    (r"cheaper|cheapest|more expensive|most expensive|dearer|pricier|costs? (?:more|less)|costlier",
     "price cost fare fee charges"),
    (r"warmer|warmest|hotter|hottest|colder|coldest|cooler", "temp temperature"),
    (r"wetter|wettest|drier|driest|rainier|rainiest", "rain rainfall precipitation precip"),
    (r"windier|windiest", "wind"),
    (r"sunnier|sunniest", "sun sunshine"),
    (r"faster|fastest|slower|slowest|quicker|quickest", "speed pace velocity time duration latency mpg"),
    (r"bigger|biggest|larger|largest", "size area volume population"),
    (r"stronger|strongest|weaker|weakest", "strength force"),
    (r"happier|happiest|more satisfied|less satisfied|most satisfied", "happiness satisfaction wellbeing"),
    (r"healthier|healthiest", "health"),
    (r"brighter|brightest|smarter", "brightness luminosity iq"),
    (r"sells?|sold", "sales quantity units sold"),
    (r"humid|damper", "humidity"),
    (r"better educated|more educated", "education educ schooling"),
)  # fmt: skip


def implied(question: Question, table: TableView, mentions: Sequence[Mention]) -> list[Mention]:
    """Columns that only an adjective or a verb of the question points to, where no numeric column is named."""
    if any(m.column.numeric and not m.demoted and m.score >= 0.5 and not m.column.binary for m in mentions):
        return []
    out: list[Mention] = []
    asked = {w.stem for w in question.words}
    for forms, names in _MEASURES:
        match = re.search(rf"\b(?:{forms})\b", question.text, re.IGNORECASE)
        if match is None:
            continue
        places = tuple(i for i, w in enumerate(question.words) if match.start() <= w.start < match.end())
        fits = _closest(table, word_set(names), asked)
        if any(m.column.groups for m in mentions):
            # Groups are compared, so one of the columns is measured.
            fits = _nearest(question, fits, word_set(names), places)
        out += [
            Mention(c, 0.9, places[0], places[-1], places, places=places)
            for c in fits
            if all(c.name != m.name for m in (*mentions, *out))
        ]
    return out


def _nearest(
    question: Question, fits: list[ColumnView], names: frozenset[str], places: Sequence[int]
) -> list[ColumnView]:
    """Of several columns of one measure the one whose other words stand nearest to the verb."""
    if len(fits) < 2 or not places:
        return fits

    def away(column: ColumnView) -> int:
        stems = {stem(w) for w in column.words if w not in names}
        return min((abs(i - places[0]) for i, w in enumerate(question.words) if w.stem in stems), default=99)

    return sorted(fits, key=away)[:1]


def _closest(table: TableView, names: frozenset[str], asked: set[str]) -> list[ColumnView]:
    """The numeric columns of that measure; of several, those whose other words the question has too."""
    fits = [c for c in table.columns if c.numeric and not c.binary and names & set(c.words)]
    if len(fits) < 2:
        return fits
    shared = {c.name: sum(stem(w) in asked for w in c.words if w not in names) for c in fits}
    best = max(shared.values())
    kept = [c for c in fits if shared[c.name] == best]
    return kept if best and len(kept) <= 2 else []
