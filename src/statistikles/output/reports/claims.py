"""The audit of a report: each part that makes claims about the data is held against what it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from statistikles.guardrail import audit
from statistikles.guardrail.report import AuditReport, Coverage
from statistikles.output.reports.blocks import Block, Section

if TYPE_CHECKING:
    from statistikles.tools.ledger import Entry
    from statistikles.tools.workspace import Workspace

__all__ = ["Claim", "audit_claims", "claim_of", "records_of"]

_GAP = "\n\n"


@dataclass(frozen=True, slots=True)
class Claim:
    """One part of a report as Markdown, the records its numbers must come from, and what the user said."""

    text: str
    records: tuple[Mapping[str, Any], ...]
    said: str = ""

    def audit(self) -> AuditReport:
        """The part's own audit."""
        return audit(self.text, list(self.records), self.said)


def claim_of(blocks: Sequence[Block], records: Sequence[Mapping[str, Any]], said: str = "") -> Claim:
    """The claim that some blocks of a section make."""
    from statistikles.output.reports.markdown import section_markdown

    text = section_markdown(Section("", tuple(blocks))).removeprefix("## \n\n")
    return Claim(text, tuple(records), said)


def records_of(workspace: Workspace, entries: Sequence[Entry]) -> list[Mapping[str, Any]]:
    """What a report's numbers may come from: the results it is about, and what the tables hold."""
    records: list[Mapping[str, Any]] = [entry.record() for entry in entries]
    for name, table in (workspace.catalog or {}).items():
        columns = {
            c.name: {
                "n": c.n,
                "n_missing": c.n_missing,
                **({"minimum": c.min} if isinstance(c.min, int | float) else {}),
                **({"maximum": c.max} if isinstance(c.max, int | float) else {}),
            }
            for c in table.columns
        }
        content = {"rows": table.n_rows, "n_columns": len(table.columns), "columns": columns}
        records.append({"id": f"data_{name}", "tool": "inspect", "arguments": {}, "result": content})
    return records


def audit_claims(claims: Sequence[Claim]) -> AuditReport:
    """The audits of all parts as one; places count in the parts' texts joined by an empty line."""
    spans, at = [], 0
    numbers = words = unparsed = 0
    chances: list[tuple[float, int]] = []
    for claim in claims:
        report = claim.audit()
        spans += [replace(span, start=span.start + at, end=span.end + at) for span in report.spans]
        at += len(claim.text) + len(_GAP)
        numbers += report.coverage.numbers
        words += report.coverage.words
        unparsed += report.coverage.unparsed
        chances.append((report.coincidence, report.coverage.numbers))
    weight = sum(count for _, count in chances)
    chance = sum(c * count for c, count in chances) / weight if weight else 0.0
    return AuditReport(tuple(spans), Coverage(numbers, words, unparsed), chance, "full")
