"""The adapter through which a labelled corpus scores the audit: flagged and passed ranges of a reply."""

from __future__ import annotations

from typing import Any

from . import audit

__all__ = ["flags"]


def flags(reply: str, tool_results: Any, user_text: str) -> list[tuple[int, int, str]]:
    """(start, end, verdict) of every audited span; the verdict is "ok" unless the span is flagged."""
    report = audit(reply, tool_results, user_text)
    return [(s.start, s.end, str(s.verdict) if s.flagged else "ok") for s in report.spans]
