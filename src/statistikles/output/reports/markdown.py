"""A report as Markdown; what comes from the data stays text."""

from __future__ import annotations

import base64
import re

from statistikles.output.markdown import markdown_table, plain_markdown
from statistikles.output.reports.blocks import (
    Block,
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


def report_markdown(report: Report) -> str:
    """The whole report."""
    head = [f"# {plain_markdown(report.title)}", "", f"*{plain_markdown(report.subtitle)}*", ""]
    return "\n".join([*head, *(section_markdown(section) for section in report.sections)]).rstrip() + "\n"


def section_markdown(section: Section) -> str:
    """One section with its heading."""
    lines = [f"## {plain_markdown(section.title)}", ""]
    for block in section.blocks:
        lines += _lines(block)
    return "\n".join(lines)


def _lines(block: Block) -> list[str]:
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
    if isinstance(block, Code):
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", block.text)), default=0))
        return [f"{fence}{block.language.lower()}", block.text.rstrip(), fence, ""]
    return _figure_lines(block)


def _reply_lines(text: str) -> list[str]:
    """The reply line by line: its own list marks are kept, everything else stays text."""
    out = []
    for line in text.splitlines():
        mark = "- " if line.startswith("- ") else ""
        out.append(mark + plain_markdown(line[len(mark) :]))
    return out


def _figure_lines(figure: Figure) -> list[str]:
    inside = base64.b64encode(figure.svg.encode()).decode()
    alt = plain_markdown(figure.caption)
    return [f"![{alt}](data:image/svg+xml;base64,{inside})", "", f"*{alt}*", ""]
