"""What a report is made of, whatever file it becomes: sections of headings, paragraphs, tables, code and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from statistikles.guardrail.report import AuditReport

if TYPE_CHECKING:
    from statistikles.output.reports.claims import Claim

__all__ = [
    "Block",
    "Bullets",
    "Code",
    "Figure",
    "Heading",
    "Paragraph",
    "Report",
    "Section",
    "Table",
    "Words",
]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section."""

    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph of plain text; `quiet` ones are set small, `grave` ones stand out."""

    text: str
    quiet: bool = False
    grave: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A reply as it was given, with its flagged spans."""

    text: str
    audit: AuditReport


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table; the first column names the rows, `words` are further columns that hold words."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    words: frozenset[int] = frozenset({0})


@dataclass(frozen=True, slots=True)
class Code:
    """A script."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture, as SVG for pages and PNG for documents; `words` say what it shows to those who cannot see it."""

    svg: str
    png: bytes
    caption: str
    words: str = ""


Block: TypeAlias = Heading | Paragraph | Words | Bullets | Table | Code | Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report, ready to be written; `audit` is of its own claims, in `claims`."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    audit: AuditReport | None = field(default=None)
    claims: tuple[Claim, ...] = ()
