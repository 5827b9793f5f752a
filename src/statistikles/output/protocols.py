"""What output needs to know of a reply, so that it can draw one without importing the language floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from statistikles.guardrail.report import DIGITS_OF_A_NAME, AuditReport

__all__ = ["ReplyLike", "audit_line", "doubts_of"]


class ReplyLike(Protocol):
    """One turn's answer: the text, the warning block, the audit and the results it rests on."""

    @property
    def text(self) -> str:
        """The reply, unchanged."""

    @property
    def warning(self) -> str:
        """The block a reader must see, or the empty string."""

    @property
    def audit(self) -> AuditReport:
        """The provenance of every number."""

    @property
    def results(self) -> Sequence[Mapping[str, Any]]:
        """{id, tool, arguments, result} of this turn."""


def doubts_of(reply: ReplyLike) -> tuple[str, ...]:
    """What is open about the columns that a reply uses, to be read before it."""
    return tuple(getattr(reply, "doubts", ()))


def audit_line(report: AuditReport) -> str:
    """One line: how many numbers there are and whether each is traced."""
    # Digits inside the name of a column say no number.
    in_names = sum(1 for span in report.spans if span.reason == DIGITS_OF_A_NAME)
    numbers, flagged = report.coverage.numbers - in_names, len(report.flagged)
    if numbers == 0 and not flagged:
        line = "Audit: no numbers in this reply"
    elif flagged:
        line = f"Audit: {numbers} number{'s' if numbers != 1 else ''}, {flagged} flagged"
    else:
        line = f"Audit: {numbers} number{'s' if numbers != 1 else ''}, all traced"
    if report.coverage.unparsed:
        line += f"; {report.coverage.unparsed} not readable by any rule"
    return line
