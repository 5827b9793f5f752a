"""What only describes another column: 'pressure related to smoking', 'as indicated by X', 'excluding Europe'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from statistikles.neural.planner import asked
from statistikles.neural.planner.columns import Mention, Question
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.phrases import weigh
from statistikles.neural.planner.reading import Reading

__all__ = ["at_level", "described_first", "set_aside"]

# After these words stands what is left out.
_EXCEPT = re.compile(
    r"\b(defined as|excluding|except(?:ing)?(?: for)?|other than|apart from|not including|excludes?|as opposed to|"
    r"rather than|instead of)\b",
    re.IGNORECASE,
)
# After these words stands what a column is a sign of; the column stands before.
_SIGN_OF = re.compile(
    r"\b(indicat(?:ing|ive of)|signif(?:ying|icative of)|reflecting|representing|suggest(?:ing|ive of)|implying|"
    r"denoting|related to|linked to|associated with|connected (?:to|with)|due to|caused by|attributable to|known as|"
    r"a sign of|(?<!vary )(?<!varies )(?<!differ )(?<!differs )(?<!change )(?<!changes )(?<!stratified )"
    r"(?<!grouped )based on|"
    r"(?:which|that) (?:indicates?|reflects?|represents?|denotes?|is related to))\b",
    re.IGNORECASE,
)
# Before these words stands what is meant in general; the column that measures it stands after.
_MEASURED_BY = re.compile(
    r"\b(?:as |is |are |being )?(?:indicated|measured|represented|denoted|reflected|captured|assessed|"
    r"recorded|operationali[sz]ed|quantified|given|expressed) (?:by|through|in|as|via)\b(?! relation)",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    r"[,;?!)]|\.\s|\b(?:and|or|with|differ\w*|vary|varies|affect\w*|influenc\w*|independent\w*|when|while|has|have|does|"
    r"do|among|across|for|if|depend\w*|correlat\w*|between|after|before|on|to|is|are|impact\w*|alter\w*|change\w*|stratified|by)\b",
    re.IGNORECASE,
)


def set_aside(question: Question, mentions: list[Mention]) -> list[Mention]:
    """The mentions with those left out removed and those that only describe another column demoted."""
    out = _without_exceptions(question, mentions)
    describing = {id(m) for m in _describing(question, out)}
    heads = {id(_before(question, m, out)) for m in out if id(m) in describing}
    left = [m for m in out if id(m) not in describing and (not m.demoted or id(m) in heads)]
    if describing and len(left) >= _needed(out):
        out = [
            replace(m, demoted=True, score=m.score * 0.7)
            if id(m) in describing
            else replace(m, demoted=False)
            if id(m) in heads
            else m
            for m in out
        ]
    return sorted(out, key=lambda m: (m.demoted, -m.score, m.first))


def _needed(mentions: Sequence[Mention]) -> int:
    return 2 if len(mentions) > 2 else 1


def _before(question: Question, mention: Mention, mentions: Sequence[Mention]) -> Mention | None:
    """What a describing column describes: the one named right before it in the same phrase."""
    chunk = question.chunks[mention.first]
    earlier = [m for m in mentions if m.last < mention.first and question.chunks[m.last] == chunk]
    return max(earlier, key=lambda m: m.last, default=None)


def _start(question: Question, mention: Mention) -> int:
    return question.words[mention.first].start


def _without_exceptions(question: Question, mentions: list[Mention]) -> list[Mention]:
    for match in _EXCEPT.finditer(question.text):
        end = re.search(r"[?;!]|\.\s|,\s*(?:in|what|how|is|are)\b|$", question.text[match.end() :])
        stop = match.end() + (end.start() if end else 0)
        named = [m for m in mentions if match.end() <= _start(question, m) < stop]
        rest = [m for m in mentions if m not in named]
        if named and any(_start(question, m) < match.start() for m in rest):
            mentions = rest
    return mentions


def _describing(question: Question, mentions: Sequence[Mention]) -> list[Mention]:
    text = question.text
    out: list[Mention] = []
    for match in _MEASURED_BY.finditer(text):
        before = [m for m in mentions if question.words[m.last].end <= match.start() + 1]
        after = [m for m in mentions if _start(question, m) >= match.end()]
        if before and after and min(_start(question, m) for m in after) - match.end() < 40:
            last = max(before, key=lambda m: m.last)
            if match.start() - question.words[last.last].end < 20 and not last.explicit:
                out.append(last)
    for match in _SIGN_OF.finditer(text):
        bare = text[: match.start()] + " " + text[match.end() :]
        weights = weigh(bare)
        if weights.get(Intent.PREDICT, 0.0) >= 1.4:
            continue
        if (
            max(
                (weights.get(i, 0.0) for i in (Intent.ASSOCIATE, Intent.COMPARE, Intent.PREDICT)), default=0.0
            )
            < 0.7
        ):
            continue
        end = _CLAUSE_END.search(text, match.end())
        stop = end.start() if end else len(text)
        out += [m for m in mentions if match.end() <= _start(question, m) < stop and not m.explicit]
    return out


def described_first(question: Question, mentions: Sequence[Mention]) -> int:
    """Up to which character the text only describes a column that is then named: '..., as indicated by "x"'."""
    match = _MEASURED_BY.search(question.text)
    if match is None:
        return 0
    named = [m for m in mentions if m.explicit and 0 <= _start(question, m) - match.end() < 40]
    return match.start() if named else 0


def at_level(reading: Reading) -> Reading:
    """A level of confidence is that of the interval of a description; it does not move the verdict of a test."""
    wanted = asked.confidence(reading.question)
    if wanted is None or reading.alpha is not None:
        return reading
    if reading.intent is Intent.DESCRIBE:
        return replace(reading, alpha=wanted[0])
    return replace(reading, unused=(*reading.unused, wanted[1]))
