"""Words of size as claims of their own: a "strong" association, a "negligible" effect, each against the customary marks.

The marks are those of Cohen (1988), "Statistical Power Analysis for the Behavioral Sciences", 2nd ed. Authors differ on
them, so a word is only called wrong when the number misses the class by more than a whole class.
"""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .claims import Claim
from .lexicon import symbol_of_key
from .report import Span, Verdict
from .tokens import Kind

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["magnitude_spans"]

# Per family: (small, medium, large); what a "large" effect must at least reach is the mark of a small one doubled.
_MARKS = {
    "d": (0.2, 0.5, 0.8), "g": (0.2, 0.5, 0.8), "r": (0.1, 0.3, 0.5), "rho": (0.1, 0.3, 0.5), "tau": (0.1, 0.3, 0.5),
    "v": (0.1, 0.3, 0.5), "phi": (0.1, 0.3, 0.5), "rb": (0.1, 0.3, 0.5), "eta2": (0.01, 0.06, 0.14),
    "omega2": (0.01, 0.06, 0.14), "epsilon2": (0.01, 0.06, 0.14), "f2": (0.02, 0.15, 0.35),
}  # fmt: skip
_SIZES = re.compile(
    r"(?<![^\W_])(?:(?P<none>negligible|trivial|tiny|minute|vernachlässigbar\w*|négligeable)"
    r"|(?P<weak>small|weak|slight|schwach\w*|klein\w*|faible)"
    r"|(?P<strong>large|strong|huge|massive|very large|very strong|stark\w*|groß\w*|forte?))(?![^\W_])",
    re.IGNORECASE,
)
_OF_EFFECT = re.compile(
    r"[ ](?:(?:positive|negative|inverse|linear|monotone|monotonic|overall|practical|standardi[sz]ed|and|significant)[ ,]{1,2}){0,2}"
    r"(?:effects?|associations?|correlations?|relations?|relationships?|link|Zusammenhang|Effekt|Korrelation|effet|corrélation|association)?"
)
_BY = re.compile(r"(?:[^.;:()\d\n]{0,30})[(,:][ ]?(?:[^.;:()\d\n]{0,24}?)[=≈]?[ ]?[-−]?")
_BESIDE = re.compile(
    r"[),]{0,2}[ ](?:(?:is|was|are|which is|a|an|i\.e\.|that is|considered|conventionally|by|all of them|both)[ ,]{1,2}){1,4}"
)
_DENIED = re.compile(
    r"(?<![^\W_])(?:not|no|n['’]t|never|neither|nor|nicht|pas|kein\w*|whether|if|would|hardly|than|from|between|to|or)(?![^\W_])[^.;,]{0,14}$",
    re.IGNORECASE,
)


def _family(claim: Claim, key: str) -> str | None:
    label = claim.label.id if claim.label is not None else ""
    if label in _MARKS:
        return label
    symbol = symbol_of_key(key)
    return symbol if not label and symbol in _MARKS else None


def magnitude_spans(judge: Judge, reply: str) -> list[Span]:
    """A span per word of size that stands beside a computed effect size and misses it by more than a class."""
    out: list[Span] = []
    for m in _SIZES.finditer(judge.text) if judge.computed else ():
        start, end = judge.layout.sentence(m.start())
        if _DENIED.search(judge.text, max(start, m.start() - 24), m.start()):
            continue
        claim = _beside(judge, m, (start, end))
        outcome = judge.outcomes.get(claim.index) if claim is not None else None
        if claim is None or outcome is None or not outcome.hits:
            continue
        leaf = outcome.hits[0].leaf
        family = _family(claim, leaf.key)
        if family is None:
            continue
        small, medium, large = _MARKS[family]
        size = abs(leaf.value)
        wrong = (
            (m["none"] is not None and size > medium)
            or (m["weak"] is not None and size > large)
            or (m["strong"] is not None and size < (small + medium) / 2)
        )
        if wrong:
            reason = (
                f"{leaf.address} is {leaf.value:.4g}; customary marks {small}, {medium}, {large} (Cohen 1988)"
            )
            out.append(
                Span(
                    m.start(),
                    m.end(),
                    reply[m.start() : m.end()],
                    str(Verdict.WRONG_VERDICT),
                    True,
                    reason,
                    leaf.address,
                )
            )
    return out


def _beside(judge: Judge, m: re.Match[str], sentence: tuple[int, int]) -> Claim | None:
    """The figure a word of size is said of: in brackets behind the effect it describes, or right before the word."""
    figures = [c for c in judge.claims_in(*sentence) if c.token.kind == Kind.FIGURE and not c.level]
    named = _OF_EFFECT.match(judge.text, m.end())
    if named is not None and named.group().strip():
        after = next((c for c in figures if c.token.start >= named.end()), None)
        if after is not None and _BY.fullmatch(judge.text, named.end(), after.token.start):
            return after
    after = next((c for c in figures if c.token.start >= m.end()), None)
    if after is not None and re.fullmatch(r"[ ]?[(][^()\d.;]{0,24}", judge.text[m.end() : after.token.start]):
        return after
    before = [c for c in figures if c.token.end <= m.start()]
    if before and _BESIDE.fullmatch(judge.text, before[-1].token.end, m.start()):
        return before[-1]
    return None
