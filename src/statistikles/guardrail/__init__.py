"""Provenance: every number of a reply is traced to what was computed, to the user's words, or flagged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from .basic import (
    collect_numbers,
    extract_numeric_tokens,
    extract_numeric_values,
    validate_numeric_provenance,
)
from .report import AuditReport, Coverage, Span, Verdict

if TYPE_CHECKING:
    from .evidence import Evidence

__all__ = [
    "AuditReport",
    "Coverage",
    "Span",
    "Verdict",
    "audit",
    "collect_numbers",
    "extract_numeric_tokens",
    "extract_numeric_values",
    "validate_numeric_provenance",
]


def audit(
    reply: str,
    tool_results: Any,
    user_text: str = "",
    *,
    rules: Literal["full", "basic"] = "full",
    conversation: Sequence[Any] = (),
    evidence: Evidence | None = None,
) -> AuditReport:
    """Give every number and every verdict word of a reply its provenance.

    Parameters
    ----------
    reply : the prose to audit.
    tool_results : this turn's result dicts, or {id, tool, arguments, result} entries; arguments are never evidence.
    user_text : the user's message; a number in it is good as the user's number, not as a computed result.
    rules : "full", or "basic" for the contract's minimal rules.
    conversation : earlier turns: result entries (still citable) and the user's earlier messages (strings).
    evidence : an index kept by a session; `tool_results` are looked up in it and not indexed again.
    """
    if rules == "basic":
        from .engine import audit_basic

        return audit_basic(reply, tool_results, user_text)
    if rules != "full":
        raise ValueError(f"rules must be 'full' or 'basic', not {rules!r}")
    from .engine import audit_full

    return audit_full(reply, tool_results, user_text, conversation=conversation, evidence=evidence)
