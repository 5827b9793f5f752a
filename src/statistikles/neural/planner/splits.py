"""Rows held out of a fit, as a question says it: 'split the data 80/20 with a random state of 42'."""

from __future__ import annotations

import re

__all__ = ["split_of"]

_SPLITS = re.compile(
    r"\b(?:train(?:ing)?\b[^.?!]{0,60}?\btest(?:ing)?|test(?:ing)?\b[^.?!]{0,60}?\btrain(?:ing)?|hold[- ]?out|held[- ]out|"
    r"test (?:set|data|size|share)|testing (?:set|data)|unseen (?:rows|data))\b",
    re.IGNORECASE,
)
_NUMBER = r"(\d+(?:\.\d+)?)\s*(%|percent)?"
# (pattern, what the number is a share of)
_SHARES = (
    ((r"\b(\d{2})\s*(%)?\s*[-/:–]\s*\d{2}\s*%?\s*(?:train|split|ratio)|"
    r"\bsplit\w*\b[^.?!]{0,40}?\b(\d{2})\s*(%)?\s*[-/:–]\s*\d{2}\b"), "train"),
    (rf"\btest[_ ]size\s*(?:of|=|is|:)?\s*{_NUMBER}", "test"),
    ((rf"{_NUMBER}\s*(?:of (?:the )?(?:data|rows|records|dataset|data set)\s*)?(?:is |are |being )?(?:used |"
    rf"set aside |kept |held )*"
     r"(?:for|as|in|to|out for|aside for)?\s*(?:the |a )?(?:test|hold)"), "test"),
    (rf"\b(?:test|testing|hold-?out)\b(?: set| data| sample| subset)?\s*\(?\s*{_NUMBER}", "test"),
    ((rf"{_NUMBER}\s*(?:of (?:the )?(?:data|rows|records|dataset|data set)\s*)?(?:is |are |being )?(?:used |kept )*"
     r"(?:for|as|in|to)?\s*(?:the |a )?train"), "train"),
    (rf"\btrain(?:ing)?\b(?: set| data| sample| subset)?\s*\(?\s*{_NUMBER}", "train"),
)  # fmt: skip
_SEED = re.compile(
    r"\b(?:random[_ ]?state|random[_ ]seed|seed)\s*(?:of|=|is|to|:|as|value)*\s*(\d+)", re.IGNORECASE
)
_USUAL = 0.2


def split_of(text: str) -> dict[str, float | str]:
    """The share of rows held out and the seed; empty when nothing is held out."""
    if not _SPLITS.search(text):
        return {}
    share = _USUAL
    for pattern, of in _SHARES:
        match = re.search(pattern, text, re.IGNORECASE)
        if match is None:
            continue
        groups = [g for g in match.groups() if g]
        number = float(groups[0])
        number = number / 100 if number >= 1 else number
        if 0 < number < 1:
            share = round(number if of == "test" else 1 - number, 6)
            break
    seed = _SEED.search(text)
    return {"test_share": share, "seed": int(seed[1]) if seed else 0}
