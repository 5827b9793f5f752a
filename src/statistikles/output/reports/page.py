"""A report as one HTML page that needs nothing else; what comes from the data stays text."""

from __future__ import annotations

import base64
from html import escape

from statistikles.output.html import document, marked_html
from statistikles.output.reports.blocks import (
    Block,
    Bullets,
    Code,
    Heading,
    Paragraph,
    Report,
    Section,
    Table,
    Words,
)

__all__ = ["report_html"]


def report_html(report: Report) -> str:
    """The whole report."""
    head = f"<header><h1>{escape(report.title)}</h1><p class='stamp'>{escape(report.subtitle)}</p></header>"
    return document(report.title, head + "".join(_section(section) for section in report.sections))


def _section(section: Section) -> str:
    inside = "".join(_html(block) for block in section.blocks)
    return f"<section><h2>{escape(section.title)}</h2>{inside}</section>\n"


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h3>{escape(block.text)}</h3>"
    if isinstance(block, Paragraph):
        text = escape(block.text).replace("\n", "<br>")
        if block.grave:
            return f"<p class='note'>{text}</p>"
        return f"<p class='stamp'>{text}</p>" if block.quiet else f"<p>{text}</p>"
    if isinstance(block, Words):
        return f'<div class="answer">{marked_html(block.text, block.audit)}</div>'
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Code):
        return f"<details><summary>{escape(block.language)}</summary><pre><code>{escape(block.text)}</code></pre></details>"
    # As an image the picture cannot run anything or reach the page around it.
    inside = base64.b64encode(block.svg.encode()).decode()
    image = f'<img alt="{escape(block.words or block.caption)}" src="data:image/svg+xml;base64,{inside}">'
    return f"<figure>{image}<figcaption>{escape(block.caption)}</figcaption></figure>"


def _table(table: Table) -> str:
    def side(place: int) -> str:
        return "" if place in table.words else " class='number'"

    head = "".join(f"<th{side(i)}>{escape(c)}</th>" for i, c in enumerate(table.columns))
    rows = "".join(
        "<tr>" + "".join(f"<td{side(i)}>{escape(cell)}</td>" for i, cell in enumerate(row)) + "</tr>"
        for row in table.rows
    )
    note = f"<p class='stamp'>{escape(table.note)}</p>" if table.note else ""
    caption = f"<caption>{escape(table.caption)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"
