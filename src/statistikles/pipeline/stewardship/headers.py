"""The unit a column's header names, by a written rule with a confidence, never by the look of the values.

    in brackets, every spelling sure        "Height (cm)", "temp [°C]"        0.99
    in brackets, a weak spelling            "Mass (g)" beside a word of its dimension   0.95
    in brackets, m g s h L or two letters   "Tail (m)", alone                 0.6: asked, not used
    said in words                           "weight in kg", "salary_in_thousands_of_dollars", "mass, g"  0.95
    last word, sure spelling                "dbh_cm", "doseMg", "glucose_mg_dl"  0.9
    last word, weak spelling                "body_mass_g" beside a word of its dimension  0.85
    the whole header, sure spelling         "days", "kg"                      0.8
    anything else                           "n_g", "group_m", "id_s", "temp_min", "Answer (A)"  no unit

Below `SURE_ENOUGH` a reading is asked about and not used. A binary or text column takes a unit from its
header only when the header says it in brackets with a sure spelling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from statistikles.pipeline.stewardship.unit_words import COMPOUND_TAILS, QUANTITY_WORDS
from statistikles.pipeline.stewardship.units import Unit, parse_unit

__all__ = ["SURE_ENOUGH", "HeaderUnit", "header_words", "read_header", "words_of"]


def words_of(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


_BRACKETS = re.compile(r"[(\[{]\s*([^()\[\]{}]{1,40}?)\s*[)\]}]\s*\Z")
_IN_WORDS = re.compile(r"(?:\bin\b|,)\s+(?P<unit>[^,]{1,40})\Z", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_MARKS = re.compile(r"[\s_.\-:]+")
# A last word of a name that also is a unit's, after words which make it a number, a name or a part of the clock.
_NO_UNIT_AFTER = words_of("n num number no id code index group type class count per has is flag name label")
# What a reading must reach to be used without asking.
SURE_ENOUGH = 0.8


@dataclass(frozen=True, slots=True)
class HeaderUnit:
    """A unit read from a header, how sure that is, and why."""

    unit: Unit
    confidence: float
    reason: str


def header_words(name: str) -> list[str]:
    """The words of a header, split at blanks, underscores and camel case, lower case."""
    return [w.casefold() for part in _MARKS.split(name) for w in _CAMEL.split(part) if w]


def read_header(name: str, *, numeric: bool = True) -> HeaderUnit | None:
    """The unit named by a header, if the rule above finds one."""
    shouted = name.upper() == name
    words = header_words(re.sub(r"[()\[\]{}]", " ", name))
    bracketed = _BRACKETS.search(name)
    if bracketed:
        inside = bracketed[1].removeprefix("in ")
        found = parse_unit(inside, shouted=shouted)
        if found is None:
            return None
        if found[1]:
            return HeaderUnit(found[0], 0.99, f"'{bracketed[1]}' stands in brackets")
        if not numeric:
            return None
        if _named(found[0], words[:-1]):
            return HeaderUnit(found[0], 0.95, f"'{bracketed[1]}' stands in brackets")
        if len(inside) > 1 or inside in "mgshL":
            reason = f"'{bracketed[1]}' stands in brackets, but no word beside it names its dimension"
            return HeaderUnit(found[0], 0.6, reason)
        return None
    if not numeric:
        return None
    return _in_words(name, words, shouted) or _tail(name, words, shouted)


def _in_words(name: str, words: list[str], shouted: bool) -> HeaderUnit | None:
    """`weight in kg`, `mass, g`: the unit said as a phrase."""
    match = _IN_WORDS.search(re.sub(r"[_]+", " ", name))
    if match is None or match.start() == 0:
        return None
    found = parse_unit(match["unit"], shouted=shouted) or parse_unit(match["unit"].lower())
    if found is None or not (found[1] or _named(found[0], words)):
        return None
    return HeaderUnit(found[0], 0.95, f"the header says '{match['unit'].strip()}'")


def _tail(name: str, words: list[str], shouted: bool) -> HeaderUnit | None:
    """`dbh_cm`, `glucose_mg_dl`: the last word or two."""
    pieces = [w for w in _MARKS.split(name) if w]
    if len(pieces) == 1 and pieces[0] == name and (whole := _whole(name)) is not None:
        return whole
    if pieces and "/" not in pieces[-1]:
        pieces[-1:] = _CAMEL.split(pieces[-1])
    if len(pieces) < 2 or (words[-2] in _NO_UNIT_AFTER and not _division(pieces)):
        return None
    for ending in (_division(pieces), pieces[-1]):
        found = parse_unit(ending, shouted=shouted) if ending else None
        if found is None or found[0].dimension == "number":
            continue
        shown = ending.replace(" per ", "_per_")
        if found[1]:
            return HeaderUnit(found[0], 0.9, f"the name ends with '{shown}'")
        if _named(found[0], words[:-1]):
            reason = f"the name ends with '{shown}' and has a word for {found[0].dimension}"
            return HeaderUnit(found[0], 0.85, reason)
    return None


def _division(pieces: list[str]) -> str:
    """`mg_dl` and `km_per_h` at the end of a name as one unit, empty when there is none."""
    if len(pieces) > 3 and pieces[-2].casefold() == "per":
        return f"{pieces[-3]} per {pieces[-1]}"
    return COMPOUND_TAILS.get("_".join(pieces[-2:]).casefold(), "") if len(pieces) > 2 else ""


def _whole(name: str) -> HeaderUnit | None:
    """A header that is nothing but a unit: `days`, `mmHg`."""
    found = parse_unit(name)
    if found is None or not found[1] or found[0].dimension == "number":
        return None
    return HeaderUnit(found[0], 0.8, "the header is the name of a unit")


def _named(unit: Unit, words: list[str]) -> bool:
    """Whether one of the words names the dimension of the unit."""
    return not QUANTITY_WORDS.get(unit.dimension, frozenset()).isdisjoint(words)
