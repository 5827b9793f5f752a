"""Words of a question and of a column name: tokens, stems, and how strongly two words mean the same."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import lru_cache

from statistikles.neural.planner.thesaurus import ABBREVIATIONS, ORDINALS, SYNONYMS, word_set

__all__ = ["Word", "is_common", "likeness", "plain", "split_name", "stem", "tokenise"]

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?", re.UNICODE)
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-zà-ÿ]+|[A-Z]+|\d+|[^\W\d_]+", re.UNICODE)
_VOWELS = set("aeiou")
# What English adds to a root; anything else after a shared beginning is another word (school, schoolsup).
_ENDING = re.compile(
    r"(e|i|u|at|t|iv|n|ition|m)?"
    r"(d|r|rs|or|er|ing|ion|ions|al|ally|ity|ness|ment|ments|y|ive|able|ic|ical|ian|an|ant|ent|ance|ence|ful|ist|"
    r"hood|ship|ern|en|age|ation|ational|ional|cy|ty|ous|l|e)?"
)

# Words that carry grammar or the vocabulary of statistics, never the name of a variable on their own.
_COMMON = word_set(
    """a about above after against all am an and any are as at based be because been before being below between both but by
    can compare compared could data dataset did differ differs differed do does doing during each either evidence exist
    exists for from
    further had has have having he her here hers him his how i if in into is it its itself just low may me might more most
    much my no nor not of off on once one only or other our out over own per same she should show significant
    significantly so some statistical statistically such than that the their them then there these they this those
    through to too under until up us using versus very vs was we were what when where whether which while who whom why
    will with within would you your"""
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a question with its place in the text."""

    text: str
    plain: str
    stem: str
    start: int
    end: int


def plain(text: str) -> str:
    """Lower case without the possessive."""
    return re.sub(r"['’](s|S)?$", "", text).casefold()


def is_common(word: str) -> bool:
    """Whether a word is grammar rather than content."""
    return word in _COMMON


def tokenise(text: str) -> list[Word]:
    """The words of a text in order."""
    out = []
    for match in _TOKEN.finditer(text):
        word = plain(match.group())
        out.append(Word(match.group(), word, stem(word), match.start(), match.end()))
    return out


def split_name(name: str) -> list[str]:
    """The words of a column name: split at spaces, signs, underscores, changes of case and digits."""
    return [plain(part) for part in _CAMEL.findall(name.replace("_", " ").replace("'s", ""))]


_IRREGULAR = {"children": "child"}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A light stem: plural, -ing, -ed and -ly removed. Good enough to join a name and a question."""
    w = _IRREGULAR.get(word, word)
    if len(w) > 4 and w.endswith("ies"):
        w = w[:-3] + "y"
    elif len(w) > 4 and w.endswith(("sses", "shes", "ches", "xes")):
        w = w[:-2]
    elif len(w) > 3 and w.endswith("s") and not w.endswith(("ss", "us", "is")):
        w = w[:-1]
    for tail, least in (("ingly", 7), ("edly", 7), ("ing", 5), ("ed", 5), ("ly", 5)):
        if (
            w.endswith(tail)
            and len(w) >= least
            and _VOWELS & set(w[: -len(tail)] + ("y" if "y" in w else ""))
        ):
            w = w[: -len(tail)]
            if len(w) > 3 and w[-1] == w[-2] and w[-1] not in "lsz":
                w = w[:-1]
            break
    if len(w) > 4 and w.endswith("e"):
        w = w[:-1]
    return w


@lru_cache(maxsize=262144)
def likeness(name_word: str, asked: str) -> float:
    """How strongly a word of a question (`asked`) stands for a word of a column name, 0 to 1."""
    if name_word == asked:
        return 1.0
    a, b = stem(name_word), stem(asked)
    if a == b:
        return 0.97
    if name_word.isdigit() or asked.isdigit():
        return 1.0 if ORDINALS.get(asked) == name_word or ORDINALS.get(name_word) == asked else 0.0
    expanded = ABBREVIATIONS.get(name_word, ())
    if any(stem(full) == b for full in expanded) or any(
        stem(full) == a for full in ABBREVIATIONS.get(asked, ())
    ):
        return 0.9
    if _same_root(a, b):
        return 0.85
    if SYNONYMS.get(a) & SYNONYMS.get(b):
        return 0.8
    if any(SYNONYMS.get(stem(full)) & SYNONYMS.get(b) for full in expanded):
        return 0.75
    if not expanded and _shortened(name_word, asked):
        return 0.7
    if len(asked) >= 5 and name_word.endswith(asked) and len(name_word) - len(asked) <= 4:
        return 0.72
    return _misspelt(name_word, asked)


def _same_root(a: str, b: str) -> bool:
    """One stem begins the other (smok-, smoker) or they share a long beginning (educat-, education)."""
    short, long = sorted((a, b), key=len)
    if len(short) >= 4 and short[-1] == "y" and long.startswith(short[:-1] + "i"):
        return True  # deny, denial
    if len(short) >= 4 and long.startswith(short):
        return _ENDING.fullmatch(long[len(short) :]) is not None
    shared = next((i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    return shared >= 5 and shared >= (0.6 if shared >= 7 else 0.7) * len(long)


def _shortened(short: str, full: str) -> bool:
    """Whether `short` is `full` cut off or with letters left out: edu, temp, qlty."""
    if len(short) < 3 or len(full) <= len(short) or short[0] != full[0] or is_common(short):
        return False
    if full.startswith(short):
        return True
    if len(short) > 5 or len(full) > 3 * len(short) + 2 or len(_VOWELS & set(short)) > 1:
        return False
    letters = iter(full)
    return all(letter in letters for letter in short)


def _misspelt(a: str, b: str) -> float:
    if min(len(a), len(b)) < 5 or abs(len(a) - len(b)) > 2 or is_common(b):
        return 0.0
    ratio = difflib.SequenceMatcher(None, a, b).ratio()
    return 0.65 if ratio >= 0.84 or sorted(a) == sorted(b) else 0.0
