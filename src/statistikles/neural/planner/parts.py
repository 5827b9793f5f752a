"""Several questions in one text: where it is cut, and what a later part takes over from an earlier one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.writing import safe

__all__ = ["asking_sentences", "carried", "parts_of", "sentences_of", "with_columns"]

# The end of a sentence: a stop that no number or abbreviation follows.
_SENTENCE = re.compile(r"(?<=[?!])\s+|(?<=[a-z)\"'’”][.])\s+(?=[A-Z\"'{(])|\n+")
_FURTHER = re.compile(
    r"\W*(additionally|also|furthermore|in addition|moreover|then|second(ly)?|finally|next|afterwards)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"^\W*(?:(?:and|also|then|additionally|furthermore|in addition|moreover|secondly|second|finally|next|afterwards)\b"
    r"[,\s]*)+",
    re.IGNORECASE,
)
_ASKING = r"(?:what|which|how|is|are|was|were|does|do|did|who|where)\b"
_TELLING = r"(?:test|check|compare|correlate|determine|report|give|find|count|compute|calculate|list|state|describe)\b"
# Within a sentence a further question begins after a comma and 'and'; 'and how' asks anew without the comma.
_CLAUSE = re.compile(
    rf",\s*(?:and\s+)?(?:then\s+|also\s+)?(?={_ASKING})|,?\s+and\s+(?={_ASKING}(?!\s+(?:not|no)\b))|"
    rf",?\s+(?:and then|then|and also|and)\s+(?={_TELLING})|;\s+(?={_ASKING})",
    re.IGNORECASE,
)
_SAME_ROWS = re.compile(
    r"\b(their|them|they|these|those|there|it|its|remain\w*|the rest|such|same)\b", re.IGNORECASE
)
_ITSELF = re.compile(
    r"\b(?:(?P<owned>its|their)|(?P<bare>it|they|them))\b(?!\s+(?:true|possible|safe|fair))", re.IGNORECASE
)
# What is done to the data first belongs to what is then asked.
_CLEANING = re.compile(
    r"^\W*(?:first\W+)?(?:remov|exclud|drop|delet|discard|eliminat|"
    r"trim)\w*\b[^.?!]*\boutliers?\b",
    re.IGNORECASE,
)
_MOST_PARTS = 4


def sentences_of(text: str) -> list[str]:
    """The sentences of a text that hold words."""
    return [s for s in _SENTENCE.split(text.strip()) if re.search(r"[^\W\d_]{2}", s)]


def parts_of(text: str) -> list[str]:
    """The questions of a text when there are several: the first sentence, those that ask or add something, and the
    clauses in which a sentence asks anew."""
    sentences = sentences_of(text)
    if not sentences:
        return []
    first = _opening_question(sentences)
    asking = [
        first,
        *(s for s in sentences if s is not first and (s.rstrip().endswith("?") or _FURTHER.match(s))),
    ]
    parts = [clause for sentence in asking for clause in _clauses(_OPENING.sub("", sentence))]
    return parts[:_MOST_PARTS] if len(parts) > 1 else []


# A statement before the question: it opens with a noun or a pronoun rather than with a verb that tells what to do.
_STATES = re.compile(
    r"^\W*(?:the|this|these|those|that|some|many|most|all|we|i|our|my|there|it|they|people|suppose|assume|a|an|"
    r"in this|each)\b",
    re.IGNORECASE,
)
_ASKS_PLAINLY = re.compile(
    r"^\W*(?:count|find|report|determine|calculate|compute|test|compare|list|give)\b", re.IGNORECASE
)


def _opening_question(sentences: Sequence[str]) -> str:
    """The first sentence, or the first that asks when the text opens with a plain statement."""
    first = sentences[0]
    if first.rstrip().endswith("?") or not first.rstrip().endswith(".") or not _STATES.match(first):
        return first
    later = (s for s in sentences[1:] if s.rstrip().endswith("?") or _ASKS_PLAINLY.match(s))
    return next(later, first)


def asking_sentences(sentences: Sequence[str]) -> list[str]:
    """The sentences that ask: the first, and those with a question mark."""
    first = _opening_question(sentences)
    return [first, *(s for s in sentences[1:] if s is not first and s.rstrip().endswith("?"))]


def _clauses(sentence: str) -> list[str]:
    """A sentence cut where it asks anew; brackets and quotes are kept whole."""
    hidden = re.sub(r"\([^()]*\)|\"[^\"]*\"", lambda m: "x" * len(m.group()), sentence)
    out, start = [], 0
    for match in _CLAUSE.finditer(hidden):
        if _CLEANING.match(hidden[start : match.start()]) and not hidden[match.end() :].lower().startswith(
            "how"
        ):
            continue
        # A clause of fewer than three words is no question of its own.
        if len(hidden[start : match.start()].split()) >= 3 and len(hidden[match.end() :].split()) >= 3:
            out.append(sentence[start : match.start()])
            start = match.end()
    return [*out, sentence[start:]]


def carried(reading: Reading, part: str, last: Reading) -> Reading:
    """A later part on the rows of an earlier one, when it points back and filters nothing itself."""
    if reading.conditions or not last.conditions or not _SAME_ROWS.search(part):
        return reading
    roles = {c.name for c in (*reading.outcomes, reading.group) if c is not None}
    kept = tuple(c for c in last.conditions if c.column not in roles)
    return replace(reading, conditions=kept)


def with_columns(part: str, last: Reading) -> str:
    """'its median' and 'it' in a later part stand for the column of the earlier one."""
    if not last.outcomes:
        return part
    name = f'"{safe(last.outcomes[0].name)}"'
    return _ITSELF.sub(lambda m: f"{name} " if m["owned"] else name, part)
