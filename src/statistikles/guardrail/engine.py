"""The audit itself: tokens, claims, matching and verdicts put together into one report."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .basic import _TOKEN, extract_numeric_values, validate_numeric_provenance
from .claims import read_claims
from .entities import Names
from .evidence import Evidence, entries_of
from .judge import Judge
from .layout import Layout
from .matching import Matcher
from .report import AuditReport, Coverage, Span, Verdict
from .scope import Scope
from .tokens import clean_text, tokenise
from .verdicts import judge_words

__all__ = ["audit_basic", "audit_full"]

# Where two digits, with or without a point, meet on the page although something stands between them.
_INVISIBLE = "[\u00ad\u034f\u180e\u200b-\u200f\u2060-\u2064\ufeff]"
_DRESS = r"</?(?:b|i|u|em|strong|span|code|small|mark)(?:[ ][^<>\n]{0,40})?>"
_JOINT = re.compile(
    rf"\d(?:{_INVISIBLE}+[.,]?|[.,]{_INVISIBLE}+|(?:{_DRESS})+[.,]?(?:{_DRESS})*)(?=\d)\d"
    r"|(?<!\*)\*\*[\d.,]{1,12}\*\*[.,]?\d|\d[.,]?\*\*[\d.,]{1,12}\*\*(?!\*)"
)
_JOINED = "its digits are joined to others by invisible characters or markup"


def audit_basic(reply: str, tool_results: Any, user_text: str = "") -> AuditReport:
    """The contract's minimal rules, reported in the same shape as the full ones."""
    user = extract_numeric_values(user_text)
    verdict_of: dict[str, bool] = {}
    spans = []
    for match in _TOKEN.finditer(reply):
        token = match.group()
        if token not in verdict_of:
            verdict_of[token] = validate_numeric_provenance(token, tool_results, user)[0]
        good = verdict_of[token]
        spans.append(
            Span(
                match.start(),
                match.end(),
                token,
                str(Verdict.COMPUTED if good else Verdict.ORPHAN),
                not good,
                "equals a known number under the basic rules"
                if good
                else "no result or user number equals it",
            )
        )
    return AuditReport(tuple(spans), Coverage(len(spans), 0, 0), 0.0, "basic")


def _gather(
    tool_results: Any, conversation: Sequence[Any], evidence: Evidence | None
) -> tuple[Evidence, list[str]]:
    """The index to audit against and what the user said earlier."""
    said = [item for item in conversation if isinstance(item, str)]
    if evidence is not None:
        return evidence, said
    index = Evidence()
    earlier = [item for item in conversation if isinstance(item, Mapping)]
    known = set()
    for ident, result in entries_of(earlier):
        index.add(ident, result)
        known.add(ident)
    for ident, result in entries_of(tool_results):
        index.add(ident if ident not in known else f"{ident}_now", result)
    return index, said


def audit_full(
    reply: str,
    tool_results: Any,
    user_text: str = "",
    *,
    conversation: Sequence[Any] = (),
    evidence: Evidence | None = None,
) -> AuditReport:
    """The full rules: every numeric expression and every verdict word gets a verdict with its reason."""
    index, said = _gather(tool_results, conversation, evidence)
    text = clean_text(reply)
    layout = Layout(text)
    tokens = tokenise(text)
    claims = read_claims(text, tokens, layout)
    if index.vocabulary is None:
        index.vocabulary = Names(index)
    index.vocabulary.grow()
    scope = Scope(text, layout, index.vocabulary, claims)
    matcher = Matcher(text, layout, index, index.vocabulary, scope)
    judge = Judge(text, layout, matcher, claims, "\n".join([*said, user_text]))
    spans = _without_joints(judge.spans(reply), reply)
    words = judge_words(judge, reply)
    words += [
        Span(a, b, reply[a:b], str(Verdict.WRONG_GROUP), True, reason, "") for a, b, reason in judge.misnamed
    ]
    for i in judge.excused:
        if spans[i].flagged and spans[i].verdict == str(Verdict.WRONG_GROUP):
            spans[i] = replace(spans[i], verdict=str(Verdict.COMPUTED), flagged=False)
    unparsed = _unparsed(text, spans)
    everything = sorted([*spans, *words], key=lambda s: (s.start, s.end))
    return AuditReport(
        tuple(everything), Coverage(len(spans), len(words), unparsed), judge.coincidence(), "full"
    )


def _without_joints(spans: list[Span], reply: str) -> list[Span]:
    """A reader sees one figure where digits meet across something invisible; its parts are no figures."""
    for m in _JOINT.finditer(reply):
        for k in range(bisect_left(spans, m.start(), key=lambda s: s.end - 1), len(spans)):
            span = spans[k]
            if span.start >= m.end():
                break
            spans[k] = replace(span, verdict=str(Verdict.ORPHAN), flagged=True, reason=_JOINED, source="")
    return spans


def _unparsed(text: str, spans: list[Span]) -> int:
    """Digits of any script that no span accounts for."""
    covered = bytearray(len(text))
    for span in spans:
        covered[span.start : span.end] = b"\x01" * (span.end - span.start)
    return sum(1 for i, ch in enumerate(text) if ch.isdigit() and not covered[i])
