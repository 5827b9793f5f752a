"""A report as Markdown; what comes from the data stays text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from statistikles.output.markdown import markdown_table, plain_markdown
from statistikles.output.reports.blocks import (
    Bullets,
    Code,
    Figure,
    Heading,
    Paragraph,
    Report,
    Section,
    Table,
    Words,
)

__all__ = ["report_markdown", "section_markdown"]


def report_markdown(report: Report, figure_files: Sequence[str] = ()) -> str:
    """The whole report.

    Parameters
    ----------
    report : the report.
    figure_files : the names of the pictures' files, in order; without them a picture stands as its caption.
    """
    head = [f"# {plain_markdown(report.title)}", "", f"*{plain_markdown(report.subtitle)}*", ""]
    names = iter(figure_files)
    parts = [section_markdown(section, names) for section in report.sections]
    return "\n".join([*head, *parts]).rstrip() + "\n"


def section_markdown(section: Section, figure_files: Iterator[str] | None = None) -> str:
    """One section with its heading."""
    lines = [f"## {plain_markdown(section.title)}", ""]
    for block in section.blocks:
        if isinstance(block, Figure):
            lines += _figure_lines(block, next(figure_files, "") if figure_files is not None else "")
        else:
            lines += _lines(block)
    return "\n".join(lines)


def _lines(block: Heading | Paragraph | Words | Bullets | Table | Code) -> list[str]:
    if isinstance(block, Heading):
        return [f"### {plain_markdown(block.text)}", ""]
    if isinstance(block, Paragraph):
        if block.grave:
            return [f"**{plain_markdown(line)}**\n" for line in block.text.splitlines() if line.strip()]
        return [plain_markdown(block.text), ""]
    if isinstance(block, Words):
        return [*_reply_lines(block.text), ""]
    if isinstance(block, Bullets):
        return [*(f"- {plain_markdown(item)}" for item in block.items), ""]
    if isinstance(block, Table):
        note = [plain_markdown(block.note), ""] if block.note else []
        return [f"**{plain_markdown(block.caption)}**", "", *markdown_table(block.columns, block.rows), *note]
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", block.text)), default=0))
    return [f"{fence}{block.language.lower()}", block.text.rstrip(), fence, ""]


def _reply_lines(text: str) -> list[str]:
    """The reply line by line: its own list marks are kept, everything else stays text."""
    out = []
    for line in text.splitlines():
        mark = "- " if line.startswith("- ") else ""
        out.append(mark + plain_markdown(line[len(mark) :]))
    return out


def _figure_lines(figure: Figure, file: str) -> list[str]:
    caption = plain_markdown(figure.caption)
    shown = [f"![{plain_markdown(figure.words or figure.caption)}]({quote(file)})", ""] if file else []
    return [*shown, f"*{caption}*", ""]
