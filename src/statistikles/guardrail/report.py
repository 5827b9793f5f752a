"""What an audit hands back: one span per number or verdict word, and the block a reader sees when some fail."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

__all__ = ["DIGITS_OF_A_NAME", "FAULTS", "HEADING", "AuditReport", "Coverage", "Span", "Verdict"]

HEADING = "UNVERIFIED NUMBERS — POSSIBLE MOLLOCK"
NOTHING_COMPUTED = "(no symbolic computation was performed this turn)"
DIGITS_OF_A_NAME = "digits of a name"
LAST_LINE = "Trust only numbers produced by symbolic tool calls."


class Verdict(StrEnum):
    """What the audit found about one span."""

    COMPUTED = "computed"
    USER = "user"
    STRUCTURAL = "structural"
    CONVENTION = "convention"
    CITATION = "citation"
    DERIVED = "derived"
    ORPHAN = "orphan"
    MISLABELLED = "mislabelled"
    WRONG_GROUP = "wrong_group"
    WRONG_SIGN = "wrong_sign"
    WRONG_ROUNDING = "wrong_rounding"
    WRONG_SCALE = "wrong_scale"
    FALSE_INEQUALITY = "false_inequality"
    WRONG_VERDICT = "wrong_verdict"
    WRONG_DIRECTION = "wrong_direction"


FAULTS = frozenset(
    {
        Verdict.ORPHAN,
        Verdict.MISLABELLED,
        Verdict.WRONG_GROUP,
        Verdict.WRONG_SIGN,
        Verdict.WRONG_ROUNDING,
        Verdict.WRONG_SCALE,
        Verdict.FALSE_INEQUALITY,
        Verdict.WRONG_VERDICT,
        Verdict.WRONG_DIRECTION,
    }
)


@dataclass(frozen=True, slots=True)
class Span:
    """One numeric expression or verdict word of a reply: `reply[start:end] == text`."""

    start: int
    end: int
    text: str
    verdict: str
    flagged: bool
    reason: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the reply was read: numeric expressions, judged words, digits no rule could read."""

    numbers: int
    words: int
    unparsed: int

    def __str__(self) -> str:
        return f"{self.numbers} numbers, {self.unparsed} unparsed"


@dataclass(frozen=True, slots=True)
class AuditReport:
    """The audit of one reply.

    `coincidence` is the mean chance that a random number of the same precision and magnitude would have
    passed as `computed`; 0 when nothing was matched.
    """

    spans: tuple[Span, ...]
    coverage: Coverage
    coincidence: float
    rules: str = "full"

    @property
    def ok(self) -> bool:
        """Whether nothing is flagged."""
        return not any(span.flagged for span in self.spans)

    @property
    def flagged(self) -> tuple[Span, ...]:
        """The spans a reader must be warned of, in order."""
        return tuple(span for span in self.spans if span.flagged)

    def warning_block(self, computed: bool) -> str:
        """The visible block that follows an unclean reply; empty when clean.

        Parameters
        ----------
        computed : whether a symbolic computation ran this turn.
        """
        bad = self.flagged
        if not bad:
            return ""
        lines = [HEADING]
        if not computed:
            lines.append(NOTHING_COMPUTED)
        lines.extend(f"- {' '.join(span.text.split())} — {span.reason}" for span in bad)
        lines.append(LAST_LINE)
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON."""
        return {
            "ok": self.ok,
            "rules": self.rules,
            "spans": [asdict(span) for span in self.spans],
            "coverage": {**asdict(self.coverage), "summary": str(self.coverage)},
            "coincidence": self.coincidence,
        }
