"""Canonicalise, the first stage of stewardship: what was written becomes values, and every doubt becomes a finding.

Importing this package loads nothing heavy: `doubts` is fetched when first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.tables import Table

__all__ = ["doubts"]


def doubts(table: Table) -> list[Finding]:
    """What makes one doubt a loaded table, beyond what its reading has told; looks at the values, changes none."""
    from statistikles.pipeline.canonicalise.hints import hints
    from statistikles.pipeline.canonicalise.precedence import disagreements, finding_of

    decided = {column for column, key, _ in table.decisions if key == "disagree"}
    found = [finding_of(table, d, None) for d in disagreements(table) if d.column not in decided]
    return [*hints(table), *found]
