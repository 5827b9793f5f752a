"""Turns in which nothing was computed: no figure, verdict or finding about data may stand, definitions may."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .claims import STRONG, Claim
from .matching import Outcome
from .report import Span, Verdict
from .tokens import Kind

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["findings", "revise"]

# A sentence that speaks of methods, of what would be or of what words mean, and states nothing of data.
_GENERAL = re.compile(
    r"(?<![^\W_])(?:if|when(?:ever)?|whether|unless|would|could|should|may|might|must|can|cannot|need\w*|suppos\w*|imagine|assum\w*|let['’]?s?|say|"
    r"for (?:example|instance)|e\.g|usual\w*|typical\w*|convention\w*|common\w*|customar\w*|traditional\w*|standard|by definition|defin\w+|means?(?= that| a| the| an| no)|"
    r"called?|calls|consider\w*|counts? as|regarded|denot\w+|indicat\w+|compares?|tests? (?:whether|if|that)|lies? between|ranges? (?:from|between)|rules? of thumb|"
    r"general\w*|often|sometimes|please|want|send|give me|load|ask|try|will|recommend\w*|suggest\w*|target|states? that|assumes?|requires?|enough|at least|"
    r"hypothes(?:is|es|ize\w*|ise\w*) (?:is that|are that|states?|says)|undefined|not defined|under (?:the|H)|expect\w*|threshold|benchmark\w*|Cohen|rule|textbook|in theory|theoretical\w*|possible|possibly|"
    r"wenn|falls|würde|könnte|sollte|üblich\w*|meist|si|serait|pourrait|devrait|habituel\w*|souvent)(?![^\W_])|\?[ ]*$|n['’]t (?:know|compute|calculate|say|tell|run)",
    re.IGNORECASE,
)
_IMAGINED = re.compile(
    r"(?<![^\W_])(?:if|suppos\w*|imagine|assum\w*|say|let|wenn|angenommen|si)(?![^\W_])", re.IGNORECASE
)
# Readings of a figure that are harmless beside computed results and a statistic without them.
_SOFT = frozenset(
    {
        "a customary benchmark",
        "a customary threshold",
        "a customary band",
        "the value under the null hypothesis",
        "the value under no autocorrelation",
        "a round number for illustration",
        "a point in time the sentence asks about",
        "the end of the measure's scale",
        "a round mark",
        "the whole",
        "half by definition",
        "an imagined case",
        "a unit of reporting",
        "counts what the sentence itself names",
        "a number word that states no result",
    }
)
_RULE = re.compile(
    r"(?<![^\W_])(?:rules? of thumb|for (?:example|instance)|common\w*|customar\w*|convention\w*|e\.g|usual\w*|typical\w*|üblich\w*)(?![^\W_])",
    re.IGNORECASE,
)
_STEP_MARK = re.compile(r"[.!:][ ]$")
_INPUTS = frozenset({"n", "mean", "alpha", "power", "d", "effect", "sd"})
_SYMBOL_GLUED = re.compile(r"(?<![^\W_])(?:(SD|SE|SEM|df|OR|HR|RR|AUC|ICC)|([nNMm]))$")
_NOUN_DOES = re.compile(
    r"[ ](?!tools?|methods?|options?|ways?|tests?|steps?|things?|columns?|questions?|ideas?|kinds?|types?|points?|values?|numbers?|choices?|of|or|to|and|more)"
    r"[^\W\d_]{3,}[ ](?:fit|fits|explain\w*|differ|differed|stand out|emerge\w*|suffice|remain\w*|show\w*|predict\w*|score\w*|improv\w*|correlate\w*|survived|died|failed|passed|responded)(?![^\W_])"
)
_RANGE_ENDS = re.compile(
    r"(?:lies?|ranges?|runs?|is|are|values?|scale)[^.;\d]{0,24}(?:between|from|in)[ ]?[-−]?[01]?[ ]?(?:and|to)?[ ]?[-−]?$|between 0 and $|from 0 to $|from [-−]1 to $",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"(?<![^\W_])(?:"
    r"(?:we|i|you)[ ](?:can[ ])?reject(?:ed)? the null|(?:null|hypothesis)[ ](?:\w+[ ])?(?:is|was|has been)[ ](?:therefore |thus |clearly |not )?(?:rejected|retained|confirmed)"
    r"|(?:there|it)[ ](?:is|was|are|were)[ ](?:a|an|no)[ ](?:\w+[ ]){0,2}?(?:strong|weak|moderate|clear|positive|negative|significant|large|small|medium|real|marked)[ ](?:\w+[ ]){0,2}?(?:correlation|association|relationship|effect|difference|trend|link)"
    r"|the[ ](?:\w+[ ])?(?:effect|difference|correlation|association|relationship|trend|slope)[ ](?:\w+[ ])?(?:is|was)[ ](?:\w+[ ])?(?:large|small|medium|moderate|strong|weak|positive|negative|upward|downward|negligible|increasing|decreasing)"
    r"|the[ ](?:\w+[ ])?(?:data|residuals|values|scores|variances?)[ ](?:are|is|were|was)[ ](?:not[ ])?(?:approximately[ ]|clearly[ ])?(?:normal(?:ly distributed)?|skewed|homogeneous|equal|unequal|homoscedastic)"
    r"|(?:was|were|had the|scored|performed|showed|came out)[ ](?:\w+[ ]){0,2}?(?:higher|lower|larger|smaller|longer|shorter|heavier|lighter|highest|lowest|largest|smallest|longest|shortest|best|worst|taller|faster|slower|stronger|weaker)"
    r"|fits? (?:the data )?best"
    r"|(?:rose|fell|increased|decreased|grew|dropped|declined|improved)[ ](?:by|from|over|sharply|steadily|significantly|markedly|slightly)"
    r")(?![^\W_])",
    re.IGNORECASE,
)  # fmt: skip


def _general(judge: Judge, sentence: tuple[int, int]) -> bool:
    return _GENERAL.search(judge.text, *sentence) is not None


def revise(judge: Judge) -> None:
    """Take back what a figure is let pass for beside results, and let pass what is plainly an imagined case."""
    for claim in judge.claims:
        outcome = judge.outcomes[claim.index]
        general = _general(judge, claim.sentence)
        if outcome.verdict is Verdict.ORPHAN:
            if _harmless(judge, claim):
                judge.outcomes[claim.index] = Outcome(Verdict.STRUCTURAL, "an imagined case")
        elif claim.token.identifier:
            if _glued(judge, claim) and not judge.user_match(claim.token):
                judge.outcomes[claim.index] = _nothing()
        elif outcome.reason in _SOFT and not general:
            if judge.user_match(claim.token) and not claim.strength:
                judge.outcomes[claim.index] = Outcome(Verdict.USER, "typed by the user", "user")
            elif _states(judge, claim, outcome):
                judge.outcomes[claim.index] = _nothing()


def _nothing() -> Outcome:
    return Outcome(Verdict.ORPHAN, "nothing was computed that could back it")


def _states(judge: Judge, claim: Claim, outcome: Outcome) -> bool:
    if outcome.reason == "a number word that states no result":
        return _NOUN_DOES.match(judge.text, claim.token.end) is not None
    if outcome.reason == "counts what the sentence itself names":
        return _NOUN_DOES.match(judge.text, claim.token.end) is not None
    return True


def _harmless(judge: Judge, claim: Claim) -> bool:
    """The number of a step, or a plain small number of a sentence that supposes, asks or explains."""
    token, text = claim.token, judge.text
    if token.integer and token.value <= 9 and _STEP_MARK.search(text, max(0, token.start - 3), token.start):
        return text[token.end : token.end + 2] == ". "
    if not _general(judge, claim.sentence):
        return False
    if text[claim.sentence[0] : claim.sentence[1]].rstrip().endswith("?"):
        return True
    label = claim.label if claim.strength else None
    if _IMAGINED.search(text, claim.sentence[0], token.start):
        return label is None or label.id in _INPUTS
    if label is not None and label.id == "p" and claim.comparator and 0 < token.value <= 0.1:
        return True
    if token.value in {-1, 0, 1} and _RANGE_ENDS.search(text, max(0, token.start - 40), token.start):
        return True
    small = token.value <= 12 or _RULE.search(text, *claim.sentence) is not None
    plain = token.integer and not token.percent and token.kind == Kind.FIGURE
    asserted = claim.strength == STRONG and label is not None and label.id != "n"
    return plain and small and token.value > 0 and not asserted


def _glued(judge: Judge, claim: Claim) -> bool:
    """ "SD3, n30": a statistic without the blank between its symbol and its value."""
    m = _SYMBOL_GLUED.search(judge.text, max(0, claim.token.start - 4), claim.token.start)
    return m is not None and (m[1] is not None or claim.token.value >= 10)


def findings(judge: Judge, reply: str) -> list[Span]:
    """Verdicts and findings in words, of which no computation knows."""
    found = []
    for m in _FINDING.finditer(judge.text):
        sentence = judge.layout.sentence(m.start())
        if not _general(judge, sentence):
            found.append(
                Span(
                    m.start(),
                    m.end(),
                    reply[m.start() : m.end()],
                    str(Verdict.ORPHAN),
                    True,
                    "a finding although nothing was computed",
                    "",
                )
            )
    return found
