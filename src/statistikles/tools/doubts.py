"""What is open about the columns that an answer uses: problems and spellings that nobody has decided about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.references import Catalog

__all__ = ["doubts_about", "told"]

# Warnings that change which rows belong to a group; every finding of severity "problem" counts anyway.
_SPELLINGS = ("variants", "look_alikes")
_SAID_FIRST = {"problem": "Problem", "warning": "Caution"}


def doubts_about(catalog: Catalog | None, records: Iterable[Mapping[str, Any]]) -> tuple[Finding, ...]:
    """The open findings about the columns and tables that these calls name, each once.

    Parameters
    ----------
    catalog : the tables.
    records : calls as {tool, arguments, ...}.
    """
    from statistikles.pipeline.canonicalise.hints import hints
    from statistikles.pipeline.spark import SparkTable

    if not catalog:
        return ()
    texts = [text for record in records for text in _texts(record.get("arguments"))]
    if not texts:
        return ()
    found: dict[Finding, None] = {}
    for table in catalog.values():
        used = [name for name in table.column_names if any(_names(text, name) for text in texts)]
        about = [f for f in table.findings if f.column in used or (used and not f.column)]
        about += [] if isinstance(table, SparkTable) else hints(table, used)
        found |= dict.fromkeys(finding for finding in about if _is_open(finding))
    return tuple(found)


def told(finding: Finding) -> str:
    """A finding as one line: what is wrong, and the decision that settles it."""
    return " ".join(filter(None, (f"{_SAID_FIRST[finding.severity]}: {finding.message}", finding.asked)))


def _is_open(finding: Finding) -> bool:
    return finding.severity == "problem" or (
        finding.severity == "warning" and finding.code in _SPELLINGS and bool(finding.asked)
    )


def _texts(value: Any) -> Iterator[str]:
    """Every text in the arguments of a call, whether a column's name, a filter or a formula."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)) and not (value and isinstance(value[0], float)):
        for inner in value:
            yield from _texts(inner)


def _names(text: str, column: str) -> bool:
    """Whether a text is the name of the column, or has it as a whole word."""
    return column in text and bool(re.search(rf"(?<!\w){re.escape(column)}(?!\w)", text))
