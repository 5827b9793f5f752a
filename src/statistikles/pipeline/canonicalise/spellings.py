"""Spellings of one label: the same but for case, blanks, invisible signs, or letters that look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping

__all__ = ["look_alikes", "merging", "variants"]

# Cyrillic and Greek letters that look like Latin ones.
_ALIKE = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧοινα",
    "ABESIJKMHOPCTYXaesijopcyxABEZHIKMNOPTYXoiva",
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_WORD = re.compile(r"[^\W\d_]+")


def _key(text: str) -> str:
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    # Only a word with some Latin letters is meant as Latin; "СССР" is Cyrillic throughout and stays so.
    plain = _WORD.sub(lambda m: m[0].translate(_ALIKE) if _foldable(m[0]) else m[0], plain)
    return " ".join(plain.split()).casefold()


def _foldable(word: str) -> bool:
    """Whether a word is Latin once its look-alikes are exchanged."""
    return not word.isascii() and word.translate(_ALIKE).isascii()


def variants(cells: Mapping[str, int]) -> list[list[str]]:
    """Groups of labels that are one but for their spelling, in each the most frequent spelling first.

    Parameters
    ----------
    cells : {label: how often it occurs}.
    """
    groups: dict[str, list[str]] = {}
    for cell in cells:
        groups.setdefault(_key(cell), []).append(cell)
    found = [sorted(group, key=lambda c: (-cells[c], c)) for group in groups.values() if len(group) > 1]
    return sorted(found, key=lambda group: group[0])


def merging(cells: Mapping[str, int]) -> dict[str, str]:
    """{spelling: the most frequent spelling} of all labels that have several."""
    return {cell: group[0] for group in variants(cells) for cell in group[1:]}


def look_alikes(cells: Iterable[str]) -> list[str]:
    """Labels with a word that mixes Latin letters and letters of another alphabet that look like them."""
    return sorted(cell for cell in cells if any(_mixed(word) for word in _WORD.findall(cell)))


def _mixed(word: str) -> bool:
    return any(c.isascii() for c in word) and any(not c.isascii() and c.translate(_ALIKE) != c for c in word)
