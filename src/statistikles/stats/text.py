"""Sentiment of a text by a word list: sums of scores, with and without the effect of negations."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any

from statistikles.errors import InputError
from statistikles.registry.arguments import NameList, NumberMap, TextKind
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["sentiment_score", "tokens_of"]

_REACH = 3  # how many words a negation reaches forward, unless the clause ends before
_NEGATIONS = (
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "nowhere", "hardly", "barely", "scarcely",
    "without", "cannot",
)  # fmt: skip
_PIECE = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[.,;:!?…]")

declare_tool(
    "nlp_symbolic",
    title="Text statistics",
    summary="Scores a text with a word list, or finds topics in a table of word counts.",
    chooser="type",
)

Body = Annotated[str, TextKind()]
Lexicon = Annotated[Mapping[str, float], NumberMap()]
Words = Annotated[tuple[str, ...], NameList()]


@statistic(
    tool="nlp_symbolic",
    subtype="sentiment",
    title="Sentiment by word list",
    use_when="the tone of a text is to be scored with a list of words and their scores",
    utterances=(
        "sentiment of this text",
        "is this review positive or negative",
        "score the text with a lexicon",
        "count positive and negative words",
        "tone of the answer",
    ),
    refs=("Taboada, Brooke, Tofiloski, Voll & Stede 2011, Lexicon-based methods for sentiment analysis",),
    formula="score = Σ lexicon[token] over the lower-cased tokens",
    equivalents={
        "R": "sum(lexicon[tolower(tokens)], na.rm = TRUE)",
        "Python": 'sum(lexicon.get(t, 0) for t in re.findall(r"\\w+", text.lower()))',
    },
    example={
        "text": "The staff were friendly and the food was not good, but the view is great!",
        "lexicon": {"friendly": 2, "good": 1.5, "great": 3, "bad": -2},
    },
)
def sentiment_score(text: Body, lexicon: Lexicon, *, negations: Words | None = None) -> Measures:
    """Sum of the scores of a text's words; a variant that turns the sign after a negation stands beside it.

    Parameters
    ----------
    text : the text itself.
    lexicon : words and their scores, such as {"good": 1, "bad": -1}; upper and lower case are the same.
    negations : words that turn the sign of scored words up to three words later; English ones when absent.

    Returns
    -------
    Measures : the plain score, the negation-aware one, counts, and what each word contributed.

    Raises
    ------
    InputError : a text without words, or a lexicon that names a word twice.
    """
    words = _lexicon(lexicon)
    pieces = tokens_of(text)
    tokens = [piece for piece in pieces if _is_word(piece)]
    if not tokens:
        raise InputError(
            "The text has no words.",
            hint="Send a text with at least one word.",
            where="text",
            code="too_few_values",
        )
    turned = _negated(pieces, {_folded(w) for w in (negations or _NEGATIONS)})
    hits = [(token, words[token], flag) for token, flag in zip(tokens, turned, strict=True) if token in words]
    plain = math.fsum(score for _, score, _ in hits)
    aware = math.fsum(-score if flag else score for _, score, flag in hits)
    counts: dict[str, int] = {}
    for token, *_ in hits:
        counts[token] = counts.get(token, 0) + 1
    contributions = {word: counts[word] * words[word] for word in sorted(counts)}
    n = len(tokens)
    unmatched = [word for word in words if len(tokens_of(word)) != 1]
    return Measures(
        method="Lexicon sentiment: sum of word scores over lower-cased tokens",
        quantities={
            "score": Quantity(plain, Role.VALUE),
            "negation_aware_score": Quantity(aware, Role.VALUE),
            "mean_per_token": Quantity(plain / n, Role.MEAN),
            "mean_per_match": Quantity(plain / len(hits), Role.MEAN) if hits else None,
            "positive_sum": Quantity(math.fsum(s for _, s, _ in hits if s > 0), Role.VALUE),
            "negative_sum": Quantity(math.fsum(s for _, s, _ in hits if s < 0), Role.VALUE),
            "n_tokens": Quantity(n, Role.COUNT),
            "n_matched": Quantity(len(hits), Role.COUNT),
            "n_positive": Quantity(sum(s > 0 for _, s, _ in hits), Role.COUNT),
            "n_negative": Quantity(sum(s < 0 for _, s, _ in hits), Role.COUNT),
            "n_negated": Quantity(sum(flag for *_, flag in hits), Role.COUNT),
            "coverage": Quantity(len(hits) / n, Role.PROPORTION),
            "counts": Quantity({word: counts[word] for word in sorted(counts)}, Role.COUNT),
            "contributions": Quantity(contributions, Role.VALUE),
            "label": "positive" if plain > 0 else "negative" if plain < 0 else "neutral",
        },
        undefined={} if hits else {"mean_per_match": "no word of the lexicon occurs in the text"},
        conventions=(
            "tokens are runs of Unicode letters and digits (apostrophes inside kept), lower-cased, NFC",
            "the plain sum leads; it ignores negations",
            "negation-aware: the sign turns when an odd number of negations stand up to three words before in the clause",
            "the built-in negations are English",
        ),
        warnings=_cautions(hits, unmatched),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _folded(word: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", word).lower()).replace("’", "'").strip()


def tokens_of(text: str) -> list[str]:
    """Lower-cased words and clause marks, in order."""
    return [piece.replace("’", "'") for piece in _PIECE.findall(_folded(text))]


def _is_word(piece: str) -> bool:
    return piece[0].isalnum()


def _lexicon(given: Mapping[str, float]) -> dict[str, float]:
    out: dict[str, float] = {}
    for word, score in given.items():
        key = _folded(word)
        if key in out and out[key] != score:
            raise InputError(
                f"The lexicon scores '{key}' twice (words differ in case only).",
                hint="Give every word once.",
                where="lexicon",
            )
        out[key] = score
    return out


def _negated(pieces: list[str], negations: set[str]) -> list[bool]:
    """For every word, whether an odd number of negations reaches it."""
    out: list[bool] = []
    recent: list[bool] = []  # whether each of the last words of this clause negates
    for piece in pieces:
        if not _is_word(piece):
            recent = []
            continue
        out.append(sum(recent[-_REACH:]) % 2 == 1)
        recent.append(piece in negations or piece.endswith("n't"))
    return out


def _cautions(hits: list[Any], unmatched: list[str]) -> tuple[str, ...]:
    said = []
    if not hits:
        said.append("No word of the lexicon occurs in the text: the score of 0 says nothing about its tone.")
    if unmatched:
        shown = ", ".join(repr(w) for w in unmatched[:3])
        said.append(f"Entries of the lexicon that are not single words never match: {shown}.")
    return tuple(said)
