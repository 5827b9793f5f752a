"""Findings about a table as data: what was seen, where, how grave it is, and what was done or is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

__all__ = ["SEVERITIES", "STAGES", "Finding", "Severity", "Stage"]

Severity: TypeAlias = Literal["info", "warning", "problem"]
Stage: TypeAlias = Literal["canonicalise", "units", "detect", "validate", "cleanse", "normalise"]

SEVERITIES: tuple[Severity, ...] = ("info", "warning", "problem")
STAGES: tuple[Stage, ...] = ("canonicalise", "units", "detect", "validate", "cleanse", "normalise")


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: a stable code, a sentence, and where it applies (no column: the whole table).

    `severity`: "info" needs no attention, "warning" may change a number, "problem" makes numbers wrong unless
    somebody decides. `count` counts the cells or rows concerned, `rows` names the first of them (1-based data
    rows), `seen` quotes some of the values as written. `done` says what was changed (empty: nothing was), and
    `asked` what the user has to decide (empty: nothing).
    """

    code: str
    message: str
    column: str = ""
    count: int = 0
    severity: Severity = "info"
    stage: Stage = "canonicalise"
    rows: tuple[int, ...] = ()
    seen: tuple[str, ...] = ()
    done: str = ""
    asked: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The finding as a plain dict, without its empty parts."""
        out: dict[str, Any] = {
            "code": self.code,
            "message": self.message,
            "severity": self.severity,
            "stage": self.stage,
        }
        for name in ("column", "count", "done", "asked"):
            if getattr(self, name):
                out[name] = getattr(self, name)
        for name in ("rows", "seen"):
            if getattr(self, name):
                out[name] = list(getattr(self, name))
        return out
