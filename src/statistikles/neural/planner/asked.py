"""What a question asks by name: statistics, a fixed value, a named distribution, alpha, sizes for a study."""

from __future__ import annotations

import re

__all__ = [
    "DISTRIBUTIONS",
    "STATISTICS",
    "alpha",
    "confidence",
    "decimals",
    "distribution",
    "fixed_value",
    "statistics",
    "study",
]

# (id, pattern): the id is what the answer leads with.
STATISTICS: tuple[tuple[str, str], ...] = (
    ("quartiles", r"\b(quartiles?|quantiles?|five[- ]number)\b"),
    ("median", r"\b(medians?|middle value|middlemost)\b"),
    ("mode", r"\b(mode|most (frequent|common|often)|commonest|modal|frequently occurring|appears most)\b"),
    (
        "range",
        r"\b(range of|total range|the range|range in|range for|magnitude of (the )?(variability|range)|range\b)",
    ),
    ("skewness", r"\b(skew(ed|ness)?|asymmetr\w*|symmetr\w*|lopsided|tail(ed)?)\b"),
    ("kurtosis", r"\b(kurtosis|peak(ed)?(ness)?|leptokurtic|platykurtic|tailedness|pronounced|flatness)\b"),
    ("std_dev", r"\b(standard deviations?|std\.?|sd|spread|variability|dispersion)\b"),
    ("variance", r"\bvariances?\b"),
    ("iqr", r"\b(iqr|interquartile range)\b"),
    ("minimum", r"\b(minim(?:um|a)|min|lowest|smallest|(?<!at )least)\b"),
    ("maximum", r"\b(maxim(?:um|a)|max|highest|largest|greatest)\b"),
    ("sum", r"\b(sum|total)\b"),
    ("cv", r"\b(coefficients? of variation|relative standard deviation|cv)\b"),
    ("mean", r"\b(means?|averages?|avg|expected value|typical(ly)?|central tendency)\b"),
)

DISTRIBUTIONS: tuple[tuple[str, str], ...] = (
    ("lognormal", r"\blog[- ]?normal"),
    ("normal", r"\b(normal(ly|ity)?|gaussian|bell[- ]?(shaped|curve))\b"),
    ("uniform", r"\b(uniform(ly|ity)?|evenly distributed)\b"),
    ("exponential", r"\bexponential(ly)?\b"),
    ("gamma", r"\bgamma\b"),
    ("beta", r"\bbeta\b"),
    ("poisson", r"\bpoisson\b"),
    ("weibull", r"\bweibull\b"),
)

_NUMBER = r"(-?\d[\d,]*(?:\.\d+)?|-?\.\d+)"


def statistics(text: str) -> tuple[str, ...]:
    """The statistics asked for by name, in the order of the text."""
    found = [(match.start(), name) for name, p in STATISTICS if (match := re.search(p, text, re.IGNORECASE))]
    return tuple(name for _, name in sorted(found))


def distribution(text: str) -> str:
    """The distribution named, empty when none is."""
    return next((name for name, p in DISTRIBUTIONS if re.search(p, text, re.IGNORECASE)), "")


_LEVEL = (
    r"(?:alpha|significance level)\)?\s*(?:\(alpha\)\s*)?(?:level\s*)?(?:of|=|:|is|at)?\s*"
    rf"{_NUMBER}(?!\w)\s*(%)?"
)
_CONFIDENCE = re.compile(
    r"(?<![\d.])(\d{2}(?:\.\d+)?)\s*(?:%|percent|per cent)\s*(?:confidence|CIs?\b|interval)", re.IGNORECASE
)
_AT_LEVEL = rf"\bat (?:the |a )?{_NUMBER}\s*(%)?\s*(?:significance )?level"


def confidence(text: str) -> tuple[float, str] | None:
    """1 - level of an interval asked for ('a 90% confidence interval'), and the words that ask for it."""
    kept = _CONFIDENCE.search(text)
    level = 1.0 - float(kept[1]) / 100.0 if kept is not None else 0.0
    return (
        (round(level, 12), kept.group()) if kept is not None and 0 < level < 0.5 and kept[1] != "95" else None
    )


def alpha(text: str) -> float | None:
    """A significance level the user sets: 'alpha of 0.01', 'at the 1% level', 'significance level 0.01'."""
    match = re.search(_LEVEL, text, re.IGNORECASE) or re.search(_AT_LEVEL, text, re.IGNORECASE)
    if match is None:
        return None
    level = float(match[1].replace(",", "")) / (100.0 if match[2] else 1.0)
    return level if 0 < level < 0.5 else None


def percentiles(text: str) -> tuple[float, ...]:
    """The percentiles asked for, as probabilities: 'the 90th percentile'."""
    found = re.findall(
        r"\b(\d{1,2}(?:\.\d+)?)(?:st|nd|rd|th)?\s*(?:%|percent)?[- ]*(?:percentile|quantile)", text, re.I
    )
    if listed := re.search(
        r"((?:\b\d{1,2}(?:st|nd|rd|th)[,\s]*(?:and\s+)?)+)(?:percentiles|quantiles)\b", text, re.I
    ):
        found = re.findall(r"\d+", listed[1])
    return tuple(dict.fromkeys(float(f) / 100 for f in found if 0 < float(f) < 100))


_PLACES = {"no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_NEAREST = {"whole": 0, "integer": 0, "tenth": 1, "hundredth": 2, "thousandth": 3}


def decimals(text: str) -> int | None:
    """The places after the point that a question wants its answer rounded to."""
    found = re.search(
        r"\b(?:to|with|at|off to|up to|have|the)\s+(?:the )?"
        r"(?P<n>no|zero|one|two|three|four|five|six|\d|first|second|third|fourth)"
        r"\s+(?:digits after the (?:decimal )?point|decimals?\b|decimal places?|significant decimals?|d\.?p\.?)",
        text,
        re.IGNORECASE,
    )
    if found:
        word = {"first": "one", "second": "two", "third": "three", "fourth": "four"}.get(
            found["n"], found["n"]
        )
        return int(word) if word.isdigit() else _PLACES[word.casefold()]
    near = re.search(r"\bnearest (whole|integer|tenth|hundredth|thousandth)", text, re.IGNORECASE)
    return _NEAREST[near[1].casefold()] if near else None


def fixed_value(text: str) -> float | None:
    """The value a mean is compared with."""
    match = re.search(
        rf"(?:from|to|than|equals?|value of|mean of|average of|norm of|standard of|target of|exceeds?|above|below|over|"
        rf"under|is|reach(?:es)?|against|with)\s+(?:a |an |the )?(?:value |mean |average |norm |target |fixed |reference )*"
        rf"(?:of )?{_NUMBER}(?![\d%])",
        text,
        re.IGNORECASE,
    )
    return float(match[1].replace(",", "")) if match else None


_EFFECT = (
    r"\b(?:cohen'?s d|effect size|effect|difference of|cohen'?s f|correlation|d|f|f2|r|h|w)\s*(?:size\s*)?"
    rf"(?:of|=|is|:)?\s*(?:d\s*=\s*)?{_NUMBER}(?!\s*%)"
)
_POWER = rf"{_NUMBER}\s*(?:%|percent)?\s*(?:statistical )?power|power\s*(?:of|=|is|:)?\s*{_NUMBER}"
_SIZE = rf"{_NUMBER}\s+(?:participants|people|subjects|patients|students|per group|in each|observations)|\bn\s*=\s*{_NUMBER}"
_SIZE_WORDS = (("small", "small"), ("medium", "medium"), ("moderate", "medium"), ("large", "large"))
_DESIGNS = (
    ("correlation", r"\bcorrelation\b"),
    ("proportions", r"\b(proportions?|percentages?|rates?)\b"),
    ("regression", r"\b(regression|predictors?)\b"),
)
_COUNTS = {"three": 3, "four": 4, "five": 5, "six": 6}


def study(text: str) -> dict[str, float | str]:
    """Numbers that plan a study: effect size, power, alpha, n, groups, design."""
    out: dict[str, float | str] = {}
    if effect := _first(_EFFECT, text):
        out["effect_size"] = float(effect)
    elif (word := next((s for w, s in _SIZE_WORDS if re.search(rf"\b{w}\b", text, re.I)), None)) is not None:
        out["size_word"] = word
    if power := _first(_POWER, text):
        number = float(power)
        out["power"] = number / 100 if number > 1 else number
    if (level := alpha(text)) is not None:
        out["alpha"] = level
    if size := _first(_SIZE, text):
        out["n"] = float(size.replace(",", ""))
    for design, pattern in _DESIGNS:
        if re.search(pattern, text, re.I):
            out["design"] = design
            break
    if count := _first(r"\b(\d+)\s+predictors?", text):
        out["n_predictors"] = int(count)
    groups = _first(r"\b(\d+|three|four|five|six)\s+(?:groups|arms|conditions)\b", text)
    if groups and groups != "2":
        out["design"] = "anova"
        out["n_groups"] = _COUNTS.get(groups.casefold()) or int(groups)
    return out


def _first(pattern: str, text: str) -> str:
    """The first group that matched, empty when the pattern does not occur."""
    match = re.search(pattern, text, re.IGNORECASE)
    return next((g for g in match.groups() if g), "") if match else ""
