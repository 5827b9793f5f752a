"""The audit itself: tokens, claims, matching and verdicts put together into one report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .basic import _TOKEN, extract_numeric_values, validate_numeric_provenance
from .evidence import Evidence
from .report import AuditReport, Coverage, Span, Verdict

__all__ = ["audit_basic", "audit_full"]


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


def audit_full(
    reply: str,
    tool_results: Any,
    user_text: str = "",
    *,
    conversation: Sequence[Any] = (),
    evidence: Evidence | None = None,
) -> AuditReport:
    """The full rules (being landed in steps: for now the basic ones)."""
    return audit_basic(reply, tool_results, user_text)
