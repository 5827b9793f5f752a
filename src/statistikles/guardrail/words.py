"""Numbers written in words: what each word is worth, as data, and the expression that finds them."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re

__all__ = [
    "FOREIGN",
    "FRACTION_WORDS",
    "MULTIPLE_WORDS",
    "NUMBER_STARTS",
    "WORD_NUMBER",
    "cardinal_value",
    "nth_value",
    "word_set",
]


def word_set(text: str) -> frozenset[str]:
    """The words of a string as a set: how word lists are written as data."""
    return frozenset(text.split())


_UNITS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "dozen": 12,
    # French and German, read only in replies written with decimal commas
    "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "onze": 11, "douze": 12,
    "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "elf": 11,
    "zwölf": 12,
}  # fmt: skip
_ONES = word_set("un une ein eine einer eines")
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    "vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "zwanzig": 20, "dreißig": 30, "vierzig": 40,
    "fünfzig": 50,
}  # fmt: skip
_SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "cent": 100,
    "mille": 1_000,
    "hundert": 100,
    "tausend": 1_000,
}
FOREIGN = word_set(
    "deux trois quatre cinq sept huit neuf dix onze douze zwei drei vier fünf sechs sieben acht neun zehn elf zwölf "
    "vingt trente quarante cinquante zwanzig dreißig vierzig fünfzig cent mille hundert tausend "
    "moitié tiers quart quarts cinquième dixième hälfte halb halbe drittel viertel fünftel zehntel "
    "doublé triplé verdoppelt verdoppelte halbiert halbierte verdreifacht"
)
# Parts of a whole; "second" is never a part.
FRACTION_WORDS: dict[str, float] = {
    "half": 1 / 2, "halves": 1 / 2, "third": 1 / 3, "thirds": 1 / 3, "quarter": 1 / 4, "quarters": 1 / 4,
    "fourth": 1 / 4, "fourths": 1 / 4, "fifth": 1 / 5, "fifths": 1 / 5, "sixth": 1 / 6, "sixths": 1 / 6,
    "seventh": 1 / 7, "sevenths": 1 / 7, "eighth": 1 / 8, "eighths": 1 / 8, "ninth": 1 / 9, "ninths": 1 / 9,
    "tenth": 1 / 10, "tenths": 1 / 10, "moitié": 1 / 2, "tiers": 1 / 3, "quart": 1 / 4, "quarts": 1 / 4,
    "cinquième": 1 / 5, "dixième": 1 / 10, "hälfte": 1 / 2, "halb": 1 / 2, "halbe": 1 / 2, "drittel": 1 / 3,
    "viertel": 1 / 4, "fünftel": 1 / 5, "zehntel": 1 / 10,
}  # fmt: skip
# Ratios to a reference: the changed amount over the reference amount.
MULTIPLE_WORDS: dict[str, float] = {
    "halve": 1 / 2, "halves": 1 / 2, "halved": 1 / 2, "halving": 1 / 2, "double": 2, "doubles": 2, "doubled": 2,
    "doubling": 2, "twice": 2, "twofold": 2, "triple": 3, "triples": 3, "tripled": 3, "tripling": 3, "thrice": 3,
    "threefold": 3, "treble": 3, "trebled": 3, "quadruple": 4, "quadrupled": 4, "quadruples": 4, "fourfold": 4,
    "fivefold": 5, "sixfold": 6, "sevenfold": 7, "eightfold": 8, "ninefold": 9, "tenfold": 10, "twelvefold": 12,
    "twentyfold": 20, "doublé": 2, "triplé": 3, "verdoppelt": 2, "verdoppelte": 2,
    "halbiert": 1 / 2, "halbierte": 1 / 2, "verdreifacht": 3,
}  # fmt: skip

# Words that can begin a number in words.
NUMBER_STARTS = frozenset(
    {*_UNITS, *_TENS, *FRACTION_WORDS, *MULTIPLE_WORDS, "a", "an"}
    | word_set("un une ein eine einer eines jede jeder jedes jeden jedem every")
)

_unit = "|".join(sorted(_UNITS, key=len, reverse=True))
_ten = "|".join(sorted(_TENS, key=len, reverse=True))
_scale = "|".join(_SCALES)
_frac = "|".join(sorted(FRACTION_WORDS, key=len, reverse=True))
_mult = "|".join(sorted(set(MULTIPLE_WORDS) - set(FRACTION_WORDS), key=len, reverse=True))
_cardinal = rf"(?:(?:{_ten})(?:[- ](?:{_unit}))?|(?:{_unit}))(?:[- ](?:{_scale}))?"

_few = "deux|trois|quatre|cinq|six|sept|huit|neuf|dix|vingt|cent|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwanzig|hundert"
# "Every fifth": one in five.
_NTH = {
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
    "twentieth": 20, "zweite": 2, "dritte": 3, "vierte": 4, "fünfte": 5, "sechste": 6, "siebte": 7, "achte": 8,
    "neunte": 9, "zehnte": 10, "zwanzigste": 20,
}  # fmt: skip
_nth = "|".join(f"{word}[nrs]?" for word in _NTH)

# One pass: "one in five", "two thirds", "a third", "twenty-five", "halved".
WORD_NUMBER = re.compile(
    rf"(?<![\w’'])(?:"
    rf"(?P<in_a>one|two|three|four|nine|[1-9]|(?:five|six|seven|eight)(?=[ -](?:in|out[ ]of)[ -](?:every[ ])?(?:ten|twenty|10|20|hundred|a[ ]hundred)))[ -](?:in|out[ ]of)[ -](?:every[ ])?(?P<in_b>(?!one\b){_cardinal}|a[ ](?:hundred|thousand|million)|(?!(?:1[5-9]|20)\d\d[ ]?[–-])[2-9]\d*|(?!(?:1[5-9]|20)\d\d[ ]?[–-])1[\d,]+)(?!\d|\.\d|[ ]?%|[ ]percent|[ ]per[ ]cent)"
    rf"|(?P<of_a>une?|deux|trois|quatre|eine[rs]?|zwei|drei|vier)[ ](?:sur|von)[ ](?P<of_b>{_few})(?![ ](?:de[rns]|les|[^\W\d_]+[ ]groupes))"
    rf"|(?P<every>jede[rsnm]?|every)[ ](?P<nth>{_nth})(?![^\W_]|[ ](?:days?|weeks?|months?|years?|hours?|minutes?|Tage?|Wochen?|Monate?|Jahre?|time))"
    rf"|(?P<num>{_cardinal}|an?)[ -](?P<den>{_frac})"
    rf"|(?P<card>{_cardinal})"
    rf"|(?P<frac>{_frac})"
    rf"|(?P<mult>{_mult})"
    rf")(?!\w)",
    re.IGNORECASE,
)


def nth_value(text: str) -> int:
    """What "fifth" or "fünften" counts."""
    low = text.casefold()
    return next(n for word, n in _NTH.items() if low.startswith(word))


def cardinal_value(text: str) -> float:
    """The value of a cardinal in words or digits: "twenty-five", "1,000", "a"."""
    plain = text.casefold().replace(",", "").removeprefix("a ")
    if plain in _ONES:
        return 1.0
    if plain.isdecimal():
        return float(plain)
    if plain in {"a", "an"}:
        return 1.0
    total = 0.0
    for part in re.split(r"[- ]", plain):
        if part in _SCALES:
            total = (total or 1.0) * _SCALES[part]
        else:
            total += _UNITS.get(part, _TENS.get(part, 0))
    return total
