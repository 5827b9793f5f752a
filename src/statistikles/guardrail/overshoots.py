"""Predicted against observed, and equivalence: "too low", "overestimates", "is equivalent", each against its numbers."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .evidence import Leaf
from .report import Span, Verdict
from .tokens import Kind

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["equivalence_spans", "overshoot_spans"]

_OFF = re.compile(
    r"(?<![^\W_])(?:too (?P<low>low|small|short|pessimistic|few|cautious)|too (?P<high>high|large|long|optimistic|many|generous)"
    r"|(?P<under>under-?(?:estimat|predict|stat|shot|shoot)\w*)|(?P<over>over-?(?:estimat|predict|stat|shot|shoot)\w*)"
    r"|zu (?P<tief>niedrig|tief|klein|kurz)|zu (?P<hoch>hoch|groß|lang)|(?P<sous>sous-estim\w*)|(?P<sur>surestim\w*))(?![^\W_])",
    re.IGNORECASE,
)
_SEEN = re.compile(
    r"(?:^|_)(?:actual|observed|obs|true|truth|realised|realized|measured|real|beobachtet)(?:_|$)",
    re.IGNORECASE,
)
_FORESEEN = re.compile(
    r"(?:^|_)(?:predicted|prediction|pred|forecast|fitted|fit|expected|mean|point|estimate|model|yhat|prognose)(?:_|$)",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?<![^\W_])(?:not|no|n['’]t|never|neither|nor|nicht|pas|kein\w*|whether|if|would|hardly|or|could|may|might)(?![^\W_])[^.;,]{0,20}$",
    re.IGNORECASE,
)
_EQUIVALENT = re.compile(
    r"(?<![^\W_])(?:(?:is|are|was|were|proved|proves|indeed|therefore|statistically|also|both|deemed|considered)[ ](?:\w+[ ]){0,2}?(?:bio)?equivalent"
    r"|(?:bio)?equivalence (?:is|was|can be|has been|could be)[ ](?:shown|demonstrated|established|concluded|confirmed|met|accepted)"
    r"|(?:demonstrat|establish|show|confirm|conclud)\w*[ ](?:bio)?equivalence|Äquivalenz[ ](?:ist|wurde|konnte|kann)[ ](?:\w+[ ]){0,2}?(?:gezeigt|nachgewiesen|belegt)"
    r"|bioäquivalent|bioéquivalente?s?)(?![^\W_])",
    re.IGNORECASE,
)
_TESTED = re.compile(r"tost|equiv|äquiv|équiv", re.IGNORECASE)
_BARRED = re.compile(
    r"(?<![^\W_])(?:not|no|n['’]t|never|neither|nor|nicht|pas|kein\w*|cannot|fail\w*|without|whether|if|would|unable|than)(?![^\W_])[^.;]{0,30}$",
    re.IGNORECASE,
)


def overshoot_spans(judge: Judge, reply: str) -> Iterator[Span]:
    """ "The forecast was too low" of a prediction above what was observed."""
    for m in _OFF.finditer(judge.text) if judge.computed else ():
        sentence = judge.layout.sentence(m.start())
        if _DENIED.search(judge.text, max(sentence[0], m.start() - 28), m.start()):
            continue
        pair = _predicted_and_seen(judge, sentence)
        if pair is None:
            continue
        predicted, seen = pair
        below = any(m[name] is not None for name in ("low", "under", "tief", "sous"))
        wrong = (predicted.value < seen.value) != below
        reason = f"{predicted.address} is {predicted.value:.6g}, {seen.address} is {seen.value:.6g}"
        verdict = Verdict.WRONG_DIRECTION if wrong else Verdict.COMPUTED
        yield Span(
            m.start(), m.end(), reply[m.start() : m.end()], str(verdict), wrong, reason, predicted.address
        )


def _predicted_and_seen(judge: Judge, sentence: tuple[int, int]) -> tuple[Leaf, Leaf] | None:
    """The one prediction printed in a sentence with the observed value beside it in the results."""
    found = set()
    for c in judge.claims_in(*sentence):
        outcome = judge.outcomes.get(c.index)
        if c.token.kind != Kind.FIGURE or outcome is None or not outcome.hits:
            continue
        leaf = outcome.hits[0].leaf
        kids = judge.names.children(leaf.node)
        seen = [i for name, (kind, i) in kids.items() if kind == "leaf" and _SEEN.search(name)]
        foreseen = [
            i
            for name, (kind, i) in kids.items()
            if kind == "leaf" and _FORESEEN.search(name) and not _SEEN.search(name)
        ]
        if len(seen) == 1 and len(foreseen) == 1 and leaf.index in {seen[0], foreseen[0]}:
            found.add((foreseen[0], seen[0]))
    if len(found) != 1:
        return None
    predicted, observed = found.pop()
    a, b = judge.evidence.leaf(predicted), judge.evidence.leaf(observed)
    return (a, b) if a.value != b.value else None


def equivalence_spans(judge: Judge, reply: str) -> Iterator[Span]:
    """ "A is equivalent to B" although a test of equivalence did not show it."""
    if not judge.computed or _EQUIVALENT.search(judge.text) is None:
        return
    leaves = [judge.evidence.leaf(i) for i in judge.pvalues.every()[:200]]
    pool = [x for x in leaves if any(_TESTED.search(str(part)) for part in x.path[1:])]
    for m in _EQUIVALENT.finditer(judge.text) if pool else ():
        start, end = judge.layout.sentence(m.start())
        if (
            _BARRED.search(m.group() + " ")
            or _BARRED.search(judge.text, max(start, m.start() - 40), m.start())
            or judge.text[start:end].rstrip().endswith("?")
        ):
            continue
        meant = _of_the_named(judge, pool, (start, m.start()))
        if not meant:
            continue
        worst = max(meant, key=lambda x: x.value)
        wrong = worst.value >= 0.05
        verdict = Verdict.WRONG_VERDICT if wrong else Verdict.COMPUTED
        reason = f"{worst.address} is {worst.value:.3g}"
        yield Span(m.start(), m.end(), reply[m.start() : m.end()], str(verdict), wrong, reason, worst.address)


def _of_the_named(judge: Judge, pool: list[Leaf], place: tuple[int, int]) -> list[Leaf]:
    """The p values of what is named last before the claim; all of them when there is only one object."""
    for mention in reversed(judge.scope.mentions_between(*place)):
        owned = [
            x
            for x in pool
            if x.result_id in _roots(judge, mention.names)
            or any(n in judge.scope.children_meant(p, mention) for p, n, _ in judge.names.siblings_at(x))
        ]
        if owned and len(owned) < len(pool):
            return owned
    holders = {(x.result_id, x.node) for x in pool}
    return pool if len(holders) == 1 else []


def _roots(judge: Judge, names: frozenset[str]) -> set[str]:
    """The results that carry one of these names as a text of their own."""
    ev = judge.evidence
    return {
        str(ev.path_of_node(node)[0]) for node, _, text in ev.strings[:400] if text in names and node >= 0
    }
