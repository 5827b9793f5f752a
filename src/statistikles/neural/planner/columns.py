"""Which columns a question means: names, words of names, abbreviations, compounds, synonyms and misspellings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from statistikles.neural.planner.compounds import compound, may_stand_in
from statistikles.neural.planner.thesaurus import word_set
from statistikles.neural.planner.view import ColumnView, TableView
from statistikles.neural.planner.words import Word, is_common, likeness, tokenise

__all__ = ["LEAST", "Mention", "Question", "find_mentions", "read"]

_WINDOW = 14
_CONTENT = 7
LEAST = 0.5
# Words after which a new noun phrase begins, and prepositions that hang a complement on a noun phrase.
_BREAKS = word_set(
    """and or between versus vs than is are was were does do did on by across while when after with affect affects
    influence influences impact impacts have has had exhibit follow adjusting controlling accounting holding given
    among once when where
    within per if whether
    independent
    indicative predictor predictors correspond compared considering depend depends predict predicts differ differs isolating
    explain explains vary varies against but as using about change changes into from to terms each every"""
)
_HANGING = word_set("of for in at after before from to due caused because induced by")
_TO_AFTER = word_set(
    """compared compare related relative similar equal respect linked connected correspond corresponds close resemble
    tied attributed according relation relationship link
    connection association similarity comparison contribute contributes lead leads"""
)
# Words of measurement that may stand before any name: 'the average price', 'relationship of ...'.
_MEASURES = word_set(
    """number count amount share proportion
     percentage percent fraction odds probability likelihood level levels value values total average mean median
    relationship correlation association effect
    impact influence link connection difference differences predict distribution variance variability range strength
    controlling adjusting accounting holding constant fixed considering"""
)

# Letters that stand for a column of that name and for nothing else in a question (n, p, t, r, F are statistics).
_PLAIN_LETTERS = frozenset("bceghjklmoquvwxyz")


@dataclass(frozen=True)
class Question:
    """A question cut into words and noun phrases; `inside` marks words in brackets."""

    text: str
    words: tuple[Word, ...]
    chunks: tuple[int, ...]
    inside: tuple[bool, ...]


@dataclass(frozen=True)
class Mention:
    """A column found in the question: how well (score), where (word positions), on which words it rests (keys)."""

    column: ColumnView
    score: float
    first: int
    last: int
    keys: tuple[int, ...]
    explicit: bool = False
    demoted: bool = False
    places: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.column.name


def read(text: str) -> Question:
    """Cut a question into words, brackets and noun phrases."""
    words = tuple(tokenise(text))
    depth = 0
    depths = []
    for char in text:
        depth += (char in "([") - (char in ")]")
        depths.append(depth)
    inside = tuple(depths[w.start] > 0 for w in words)
    predicting = re.search(r"\b(predict|estimat|forecast|model|regress)", text, re.IGNORECASE) is not None
    chunks = []
    chunk = 0
    for place, word in enumerate(words):
        before = text[words[place - 1].end : word.start] if place else ""
        if re.search(r"[,;:?!\n]|\.\s", before) and not inside[place]:
            chunk += 1
        breaks = word.plain in _BREAKS and not inside[place]
        if breaks and word.plain == "by":
            breaks = place == 0 or words[place - 1].plain not in ("caused", "induced", "followed", "measured")
        if breaks and word.plain in ("to", "from", "after"):
            follower = words[place + 1].plain if place + 1 < len(words) else ""
            led = place > 0 and words[place - 1].plain in _TO_AFTER
            if word.plain == "from":
                breaks = predicting
            else:
                breaks = led if word.plain == "to" else follower.endswith("ing")
        chunk += breaks
        chunks.append(chunk)
    return Question(text, words, tuple(chunks), inside)


def find_mentions(question: Question, table: TableView, least: float = LEAST) -> list[Mention]:
    """Every column the question may mean, best first; overlapping readings are settled.

    Parameters
    ----------
    question : the question, cut into words.
    table : the columns to look for.
    least : share of a name's weight that must be found in the question.
    """
    exact = _exact_mentions(question, table)
    covered = _covered_by_names(question, exact)
    taken = {m.name for m in exact}
    loose = []
    for column in table.columns:
        if is_common(column.name):
            continue  # a column called 'differ' is meant only where it is quoted
        if column.name not in taken and column.kind != "empty" and not column.identifier:
            found = _word_mention(question, column, table, covered, least)
            if found is not None:
                loose.append(found)
    settled = _settle([*exact, *loose], table)
    settled = [_in_passing(question, m) for m in settled if not _counts_time(question, m)]
    return sorted(_demote(question, settled, table), key=lambda m: (m.demoted, -m.score, m.first))


def _exact_mentions(question: Question, table: TableView) -> list[Mention]:
    """Columns whose whole name stands in the text."""
    out = []
    for column in table.columns:
        name = column.name.strip()
        if not name:
            continue
        shown = re.escape(name).replace(r"\ ", r"\s+")
        edges = rf"(?<!\w){shown}(?!\w)" if name[-1:].isalnum() else rf"(?<!\w){shown}"
        places = list(re.finditer(edges, question.text))
        marked = bool(re.search(r"[_\d]|[a-zà-ÿ][A-Z]|^[A-Z]{2,}$|\s", name)) or name != name.casefold()
        if not places and len(name) > 2 and not is_common(name.casefold()):
            places = list(re.finditer(edges, question.text, re.IGNORECASE))
            marked = False
        for place in places:
            quoted = _is_quoted(question.text, place.start(), place.end())
            single = (
                len(name) <= 2
                and not any(c.isdigit() for c in name)
                and name.casefold() not in _PLAIN_LETTERS
            )
            opens = not question.text[: place.start()].strip(" 0123456789.")
            as_written = place.group() == name != name.casefold() and len(name) > 1 and not opens
            if (single or is_common(name.casefold())) and not quoted and not as_written:
                continue
            if not marked and not quoted and _bracketed(question, place.start()):
                continue
            at_start = place.start() == 0 and " " not in name and name.istitle()
            mention = _at(question, column, place.start(), place.end(), (marked and not at_start) or quoted)
            if mention is not None:
                out.append(mention)
    return _longest(question, out)


def _bracketed(question: Question, start: int) -> bool:
    return any(w.start == start and inside for w, inside in zip(question.words, question.inside, strict=True))


def _is_quoted(text: str, start: int, end: int) -> bool:
    return text[max(0, start - 1) : start] in tuple("\"'“‘`(") and text[end : end + 1] in tuple("\"'”’`)")


def _at(question: Question, column: ColumnView, start: int, end: int, explicit: bool) -> Mention | None:
    places = [i for i, w in enumerate(question.words) if w.end > start and w.start < end]
    if not places:
        return None
    return Mention(
        column,
        1.3 if explicit else 1.05,
        places[0],
        places[-1],
        tuple(places),
        explicit,
        places=tuple(places),
    )


def _longest(question: Question, mentions: list[Mention]) -> list[Mention]:
    """The longest name wins where names overlap; one mention per column: an explicit one, or one standing alone."""
    chunk_of = {id(m): question.chunks[m.first] for m in mentions}
    crowded = {
        id(m)
        for m in mentions
        if any(o.name != m.name and chunk_of[id(o)] == chunk_of[id(m)] for o in mentions)
    }
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.last - m.first, m.explicit), reverse=True):
        if any(set(mention.keys) & set(k.keys) and k.name != mention.name for k in kept):
            continue
        known = next((k for k in kept if k.name == mention.name), None)
        if known is None:
            kept.append(mention)
        elif (mention.explicit, id(mention) not in crowded) > (known.explicit, id(known) not in crowded):
            kept[kept.index(known)] = mention
    return kept


def _covered_by_names(question: Question, exact: Sequence[Mention]) -> frozenset[int]:
    """Words that only describe a column named in brackets or quotes right after them."""
    covered: set[int] = set()
    for mention in exact:
        if not mention.explicit:
            continue
        covered.update(mention.keys)
        if question.inside[mention.first]:
            place = mention.first - 1
            while place >= 0 and question.inside[place]:
                place -= 1
            home = question.chunks[place] if place >= 0 else -1
            while place >= 0 and question.chunks[place] == home and not question.inside[place]:
                covered.add(place)
                place -= 1
    return frozenset(covered)


def _word_mention(
    question: Question, column: ColumnView, table: TableView, covered: frozenset[int], least: float
) -> Mention | None:
    """The best window of the question that stands for the column's name."""
    weights = _weights(column, table)
    if max(weights) < 0.5:
        return None
    best: Mention | None = None
    spots = [
        i
        for i, word in enumerate(question.words)
        if not question.inside[i] and i not in covered and any(_touches(n, word.plain) for n in column.words)
    ]
    for first in spots:
        window = _window(question, first, covered)
        found = _score(question, table, column, weights, window, least)
        if found is not None and (best is None or found.score > best.score):
            best = found
    return best


def _weights(column: ColumnView, table: TableView) -> list[float]:
    """How much each word of the name says; a mark before a full name (`X4 number of shops`) says little."""
    weights = [table.weight(w) for w in column.words]
    mark = 0
    while mark < len(column.words) and (len(column.words[mark]) == 1 or column.words[mark].isdigit()):
        mark += 1
    if mark < len(column.words):
        weights[:mark] = [w * 0.15 for w in weights[:mark]]
    return weights


def _window(question: Question, first: int, covered: frozenset[int]) -> list[int]:
    """Word positions from `first` on that can belong to one noun phrase."""
    out: list[int] = []
    content = 0
    for i in range(first, min(first + _WINDOW, len(question.words))):
        if question.inside[i] or i in covered or question.chunks[i] > question.chunks[first] + 1:
            continue
        content += not is_common(question.words[i].plain)
        if content > _CONTENT:
            break
        out.append(i)
    return out


def _touches(name_word: str, asked: str) -> bool:
    """A cheap sign that a word may belong to a name word, so that most windows are never scored."""
    if is_common(asked):
        return name_word == asked
    return (
        likeness(name_word, asked) > 0
        or name_word[0] == asked[0]
        or name_word.isdigit()
        or (len(name_word) >= 4 and may_stand_in(name_word, asked))
    )


def _score(
    question: Question,
    table: TableView,
    column: ColumnView,
    weights: Sequence[float],
    window: list[int],
    least: float,
) -> Mention | None:
    got = 0.0
    places: dict[int, float] = {}
    missed = matched = 0.0
    singular = named = False
    asked = [(i, question.words[i].plain) for i in window]
    for name_word, weight in zip(column.words, weights, strict=True):
        final = column.name in table.last_of_series
        strength, where = _best_word(name_word, asked, set(places), final)
        if strength < 0.6 and len(name_word) >= 4:
            part, spots = compound(name_word, tuple(asked))
            if part > strength:
                strength, where = part, spots
        if strength == 0.0:
            missed = max(missed, weight)
        else:
            matched = max(matched, weight)
        got += weight * strength
        named = named or (strength > 0 and not name_word.isdigit())
        singular = singular or (strength >= 0.8 and len(name_word) > 2 and table.columns_with(name_word) == 1)
        for spot in where:
            places[spot] = max(places.get(spot, 0.0), weight)
    coverage = got / sum(weights)
    if singular and coverage < 0.6 and _phrase_is_spent(question, places):
        # Part of a long name that no other column has, and nothing else in the phrase: 'price' for one price column.
        coverage, missed = 0.6, 0.0
    if not named or coverage < least or (least >= LEAST and missed > 1.15 * matched and coverage < 0.75):
        return None
    top = max(places.values())
    keys = tuple(sorted(i for i, w in places.items() if w >= 0.7 * top))
    spread = max(places) - min(places) + 1 - len(places)
    score = coverage - 0.015 * max(spread, 0)
    return Mention(column, score, min(places), max(places), keys, places=tuple(sorted(places)))


def _phrase_is_spent(question: Question, places: Mapping[int, float]) -> bool:
    """Whether every word of content in the noun phrase was used for the name."""
    chunk = {question.chunks[i] for i in places}
    left = [
        w.plain
        for i, w in enumerate(question.words)
        if question.chunks[i] in chunk and i not in places and not question.inside[i]
    ]
    return len(chunk) == 1 and all(is_common(w) or w in _MEASURES for w in left)


def _best_word(
    name_word: str, asked: Sequence[tuple[int, str]], used: set[int], final: bool
) -> tuple[float, tuple[int, ...]]:
    best, where = 0.0, -1
    for place, word in asked:
        if place in used or (is_common(word) and word != name_word):
            continue
        if len(name_word) == 1 and name_word.isalpha():
            strength = 0.6 if word.startswith(name_word) and len(word) > 2 else 0.0
        else:
            strength = likeness(name_word, word)
            if word in _MEASURES and strength < 0.9:
                strength = 0.0
            if final and word == "final" and name_word.isdigit():
                strength = 0.9
        if strength > best:
            best, where = strength, place
    return best, ((where,) if where >= 0 else ())


def _settle(mentions: list[Mention], table: TableView) -> list[Mention]:
    """Of readings that rest on the same words, keep the best."""
    kept: list[Mention] = []
    order = sorted(
        mentions,
        key=lambda m: (m.explicit, m.score + 0.05 * (len(m.places) > 1), _specificity(m, table)),
        reverse=True,
    )
    for mention in order:
        rivals = [k for k in kept if set(k.keys) & set(mention.keys)]
        if not rivals:
            kept.append(mention)
    return kept


_SPANS = word_set("year years month months week weeks day days hour hours")


def _counts_time(question: Question, mention: Mention) -> bool:
    """'in the last 2 years' counts years; it is not about a column of years."""
    if mention.explicit or mention.first == 0 or question.words[mention.first].plain not in _SPANS:
        return False
    before = question.words[mention.first - 1].plain
    return before.isdigit() or before in ("last", "past", "few", "several", "two", "three", "five", "ten")


def _in_passing(question: Question, mention: Mention) -> Mention:
    """'in a given year' is not a question about the year."""
    before = [w.plain for w in question.words[max(0, mention.first - 3) : mention.first]]
    passing = before[1:] in (["a", word] for word in ("given", "particular", "specific", "certain", "single"))
    if passing and before[0] in ("in", "within", "during", "of", "for") and not mention.explicit:
        return replace(mention, demoted=True, score=mention.score * 0.6)
    return mention


def _specificity(mention: Mention, table: TableView) -> float:
    return max(table.weight(w) for w in mention.column.words)


def _demote(question: Question, mentions: list[Mention], table: TableView) -> list[Mention]:
    """In one noun phrase only the head is asked about: 'reason for choosing this school' is about the reason."""
    by_chunk: dict[int, list[Mention]] = {}
    for mention in mentions:
        by_chunk.setdefault(question.chunks[mention.keys[0]], []).append(mention)
    out = []
    for chunk, members in by_chunk.items():
        loose = [m for m in members if not m.explicit]
        if len(loose) < 2 and len(members) == len(loose):
            out += members
            continue
        explicit = [m for m in members if m.explicit]
        out += explicit
        head = None if explicit else _head(question, chunk, loose, table)
        out += [m if m is head else replace(m, demoted=True, score=m.score * 0.8) for m in loose]
    return out


def _whole(mention: Mention) -> bool:
    """Whether a name stands in the text word for word and in one piece (before it was set behind another)."""
    return (
        mention.score >= 0.99
        and mention.last - mention.first + 1 == len(mention.places) == len(mention.column.words) > 1
    )


def _head(question: Question, chunk: int, members: list[Mention], table: TableView) -> Mention:
    places = [i for i, c in enumerate(question.chunks) if c == chunk]
    start = places[0]
    cuts = [i for i in places if question.words[i].plain in _HANGING] + [places[-1] + 1]
    for cut in cuts:
        part = [m for m in members if start <= m.keys[0] < cut]
        if part:
            part.sort(key=lambda m: m.last)
            best = part[-1]
            for rival in part[:-1]:
                if (
                    (_whole(rival) and not _whole(best))
                    or _specificity(rival, table) > 1.15 * _specificity(best, table)
                    or rival.score > best.score + 0.15
                ):
                    best = rival
            return best
        start = cut
    return members[0]
