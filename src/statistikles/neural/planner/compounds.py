"""Run-together names: `famrel`, `goout`, `Mjob` read as the beginnings of words of the question."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from statistikles.neural.planner.thesaurus import forms_of, word_set
from statistikles.neural.planner.words import is_common, stem

__all__ = ["compound", "may_stand_in"]

_ALLOWED = word_set("out over on off up in by under")
# Endings that stand for a word of their own in English compounds: workday, household, schoolbook.
_TAILS = ("day", "time", "end", "house", "hold", "work", "book")


@lru_cache(maxsize=65536)
def compound(name: str, asked: tuple[tuple[int, str], ...]) -> tuple[float, tuple[int, ...]]:
    """(strength, word positions) when `name` can be cut into beginnings of two or three of the words asked."""
    best: tuple[float, tuple[int, ...]] = (0.0, ())
    pieces = [(place, form, cost) for place, word in asked for form, cost in _forms(word)]
    for cost, places in _cuts(name, pieces, (), True):
        if len(set(places)) < 2:
            continue
        disorder = sum(b < a for a, b in pairwise(places))
        gaps = max(places) - min(places) + 1 - len(places)
        strength = 0.92 - cost - 0.05 * disorder - 0.03 * gaps
        if strength > best[0]:
            best = (strength, tuple(sorted(places)))
    return best if best[0] >= 0.5 else (0.0, ())


@lru_cache(maxsize=16384)
def _forms(word: str) -> tuple[tuple[str, float], ...]:
    """The word, its stem, its parts and its synonyms, each with a cost."""
    if is_common(word) and word not in _ALLOWED:
        return ()
    out = {word: 0.0, stem(word): 0.0}
    for tail in _TAILS:
        if word.endswith(tail) and len(word) > len(tail) + 2:
            out[tail] = 0.05
            out[word[: -len(tail)]] = 0.05
    for form in forms_of(stem(word)):
        out.setdefault(form, 0.12)
    return tuple(out.items())


@lru_cache(maxsize=65536)
def may_stand_in(name: str, word: str) -> bool:
    """Whether a beginning of the word, or of a synonym, occurs in the name."""
    return any(form[:2] in name or form[0] == name[0] for form, _ in _forms(word))


def _cuts(
    rest: str, pieces: list[tuple[int, str, float]], used: tuple[int, ...], opening: bool
) -> Iterator[tuple[float, tuple[int, ...]]]:
    if not rest:
        yield 0.0, used
        return
    if len(used) == 3:
        return
    for place, form, cost in pieces:
        if place in used:
            continue
        shared = _shared(rest, form)
        least = 1 if opening and len(rest) >= 4 else 2
        for length in range(shared, least - 1, -1):
            whole = length == len(form)
            if length < 3 and not whole and not (length == 1 and opening) and length != len(rest):
                continue
            if length == 1 and cost > 0.05:
                continue
            short = 0.1 if length == 1 else 0.06 if length == 2 and not whole else 0.0
            for later, places in _cuts(rest[length:], pieces, (*used, place), False):
                yield cost + short + later, places


def _shared(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
