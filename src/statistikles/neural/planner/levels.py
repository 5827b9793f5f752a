"""Values of categories in a question: 'women', 'the Adelie penguins', '(urban or rural)' point to a column and a level."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from statistikles.neural.planner.columns import Mention, Question
from statistikles.neural.planner.thesaurus import GROUP_WORDS
from statistikles.neural.planner.view import ColumnView, TableView
from statistikles.neural.planner.words import is_common, plain, stem, tokenise

__all__ = ["LevelMention", "find_levels", "leading_group", "named_by_levels"]

_GROUPS = {stem(word): options for word, options in GROUP_WORDS.items()}
_YES = frozenset({"yes", "no", "y", "n", "true", "false", "0", "1", "t", "f"})


@dataclass(frozen=True)
class LevelMention:
    """A level of a grouping column that stands in the question."""

    column: ColumnView
    level: str
    first: int
    last: int

    @property
    def places(self) -> frozenset[int]:
        """Word positions it takes."""
        return frozenset(range(self.first, self.last + 1))


def find_levels(question: Question, table: TableView, mentions: Sequence[Mention]) -> list[LevelMention]:
    """Levels named in the question, longest first where they overlap."""
    names = {i for m in mentions for i in m.keys}
    found: list[LevelMention] = []
    for column in table.columns:
        if not column.levels or column.kind == "number" or column.n_distinct > 60:
            continue
        for level in column.levels:
            found += _places(question, column, level, names)
    found += _sexes(question, table, names)
    # Of two spellings of one label the one that is written in the question is meant.
    found.sort(key=lambda f: (f.first - f.last, not _as_written(question, f), f.first))
    kept: list[LevelMention] = []
    for one in found:
        if not any(one.places & k.places for k in kept):
            kept.append(one)
    return sorted(kept, key=lambda f: f.first)


def _as_written(question: Question, mention: LevelMention) -> bool:
    return question.text.startswith(mention.level, question.words[mention.first].start)


def _places(question: Question, column: ColumnView, level: str, names: set[int]) -> list[LevelMention]:
    parts = [stem(w.plain) for w in tokenise(level)]
    if (
        not parts
        or level.casefold() in _YES
        or (len(parts) == 1 and (len(level) < 3 or is_common(level.casefold())))
    ):
        return []
    stems = [w.stem for w in question.words]
    out = []
    for start in range(len(stems) - len(parts) + 1):
        end = start + len(parts) - 1
        after = question.words[end + 1].plain if end + 1 < len(question.words) else ""
        if after in ("column", "variable", "feature", "field"):
            continue
        if stems[start : end + 1] == parts and not set(range(start, end + 1)) <= names:
            out.append(LevelMention(column, level, start, end))
    return out


def _sexes(question: Question, table: TableView, names: set[int]) -> list[LevelMention]:
    """'women' is the level 'F' or 'female' of the column that holds sexes."""
    out = []
    columns = [c for c in table.columns if _holds_sexes(c)]
    for place, word in enumerate(question.words):
        options = _GROUPS.get(word.stem) or GROUP_WORDS.get(word.plain)
        if options is None or place in names:
            continue
        for column in columns:
            level = next((lv for lv in column.levels if lv.casefold() in options), None)
            if level is not None:
                out.append(LevelMention(column, level, place, place))
    return out


def _holds_sexes(column: ColumnView) -> bool:
    levels = {lv.casefold() for lv in column.levels}
    female, male = set(GROUP_WORDS["woman"]), set(GROUP_WORDS["man"])
    return 2 <= len(levels) <= 3 and bool(levels & female) and bool(levels & male) and column.kind != "number"


def named_by_levels(question: Question, table: TableView) -> list[Mention]:
    """Columns named by a list of their values: '(proximity to home, reputation, course or other)', 'urban or rural'."""
    out = []
    for match in re.finditer(
        r"\(([^()]{3,160})\)|(?<![\w-])([\w-]+)\s+(?:or|and|versus|vs\.?)\s+([\w-]+)", question.text
    ):
        if match[1]:
            pieces = [p for p in re.split(r",|;|/|\bor\b|\band\b|\bversus\b|\bvs\b", match[1]) if p.strip()]
        else:
            pieces = [match[2], match[3]]
        if len(pieces) < 2:
            continue
        places = [i for i, w in enumerate(question.words) if match.start() <= w.start < match.end()]
        for column in table.columns:
            if column.kind == "number" or not 2 <= column.n_distinct <= 12:
                continue
            if _listed(pieces, column.levels, initials=bool(match[1])):
                out.append(Mention(column, 0.95, places[0], places[-1], tuple(places)))
    return out


def _listed(pieces: Sequence[str], levels: Sequence[str], *, initials: bool) -> bool:
    """Whether the pieces are the levels, by their words or, where `initials`, by the first letters of them."""
    if {lv.casefold() for lv in levels} <= _YES:
        return False
    stems = [{stem(w.plain) for w in tokenise(p)} for p in pieces]
    hits = 0
    for level in levels:
        parts = {stem(w.plain) for w in tokenise(level)} - {"other"}
        hits += bool(parts) and len(level) >= 3 and any(parts <= s for s in stems)
    if hits >= 2 and hits >= 0.5 * len(levels):
        return True
    codes = {lv.casefold() for lv in levels}
    if not initials or len(levels) > 4 or any(len(c) > 3 or not c.isalpha() for c in codes):
        return False
    letters = {_initials(p) for p in pieces}
    return codes <= letters and len(pieces) == len(codes)


def _initials(piece: str) -> str:
    words = [w for w in tokenise(piece) if not is_common(w.plain)]
    capitals = [w for w in words if w.text[:1].isupper()]
    return "".join(plain(w.text)[:1] for w in (capitals or words[:1]))


_HIGHER = re.compile(
    r"\b(higher|larger|greater|longer|heavier|taller|older|better|faster|warmer|hotter|stronger|bigger|wider|richer|wetter|"
    r"windier|more(?! or)|deeper|thicker|exceeds?|outweighs?|surpass(?:es)?)\b",
    re.IGNORECASE,
)
_LOWER = re.compile(
    r"\b(lower|smaller|shorter|lighter|younger|worse|slower|colder|cooler|weaker|narrower|poorer|drier|less|fewer|thinner|"
    r"cheaper)\b",
    re.IGNORECASE,
)


def leading_group(question: Question, levels: Sequence[LevelMention], group: ColumnView) -> str:
    """The group that a question asks to be the higher one: 'Are men taller than women?' asks for men."""
    named = [lv for lv in levels if lv.column.name == group.name]
    higher, lower = _HIGHER.search(question.text), _LOWER.search(question.text)
    if not named or (higher is None) == (lower is None):
        return ""
    others = [lv.level for lv in named if lv.level != named[0].level] or [
        level for level in group.levels if level != named[0].level
    ]
    if len(set(others)) != 1:
        return ""
    first, second = named[0].level, others[0]
    than = re.search(r"\bthan\b", question.text, re.IGNORECASE)
    if len({lv.level for lv in named}) == 1 and than and question.words[named[0].first].start > than.start():
        first, second = second, first  # 'more of the others than of these': the one named is the one below
    return first if higher else second
