"""Results, replies and audits drawn in a terminal with rich."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from statistikles.guardrail.report import AuditReport
from statistikles.output.protocols import ReplyLike, audit_line
from statistikles.output.summary import Block, Summary, summarise

__all__ = ["draw_audit", "draw_reply", "draw_result", "draw_rows"]

_FLAGGED = "underline red"


def draw_result(
    console: Console, result: Mapping[str, Any], ident: str = "", tool: str = "", *, full: bool
) -> None:
    """One result: heading, leading numbers with their addresses, tables, cautions.

    Parameters
    ----------
    console : where to draw.
    result : a result dict, or a failure.
    ident : its id.
    tool : the tool it came from.
    full : everything, rather than the numbers a reader looks at first.
    """
    summary = summarise(result, ident, full=full)
    heading = Text(f"{ident}  " if ident else "", style="bold cyan")
    heading.append(summary.title, style="bold red" if summary.failed else "bold")
    if tool:
        heading.append(f"  {tool}", style="dim")
    console.print(heading)
    _draw_leading(console, summary)
    for block in summary.blocks:
        _draw_block(console, block)
    for caution in summary.cautions:
        console.print(Padding(Text(caution, style="yellow"), (0, 0, 0, 2)))
    if full:
        for convention in summary.conventions:
            console.print(Padding(Text(convention, style="dim"), (0, 0, 0, 2)))


def _draw_leading(console: Console, summary: Summary) -> None:
    if not summary.leading:
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold", style="bold")
    table.add_column(overflow="fold", style="dim")
    for label, text, address in summary.leading:
        table.add_row(Text(label), Text(text), Text(address))
    console.print(Padding(table, (0, 0, 0, 2), expand=False))


def _draw_block(console: Console, block: Block) -> None:
    title = f"{block.title}  {block.address}" if block.address else block.title
    draw_rows(console, block.columns, block.rows, title=title)
    if block.left_out:
        console.print(Padding(Text(f"… and {block.left_out} more rows", style="dim"), (0, 0, 0, 2)))


def draw_rows(
    console: Console, columns: Sequence[str], rows: Sequence[Sequence[str]], *, title: str = ""
) -> None:
    """A plain table; every cell is text, never markup."""
    table = Table(
        title=Text(title, style="dim") if title else None,
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        show_edge=False,
    )
    for place, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if place == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(Padding(table, (0, 0, 0, 2), expand=False))


def marked(text: str, report: AuditReport) -> Text:
    """A reply with its flagged spans underlined."""
    drawn = Text(text)
    for span in report.flagged:
        drawn.stylize(_FLAGGED, span.start, span.end)
    return drawn


def draw_reply(console: Console, reply: ReplyLike) -> None:
    """A whole turn: the reply, the results it rests on, the audit."""
    console.print(marked(reply.text, reply.audit))
    for record in reply.results:
        console.print()
        draw_result(console, record["result"], str(record["id"]), str(record["tool"]), full=False)
    console.print()
    if reply.warning:
        console.print(Text(reply.warning, style="bold red"))
    console.print(Text(audit_line(reply.audit), style="green" if reply.audit.ok else "red"))


def draw_audit(console: Console, text: str, report: AuditReport) -> None:
    """An audited text: its marked spans, then one row per span."""
    console.print(marked(text, report))
    if report.spans:
        console.print()
        rows = [
            (" ".join(s.text.split()), ("FLAGGED " if s.flagged else "") + str(s.verdict), s.source, s.reason)
            for s in report.spans
        ]
        draw_rows(console, ("text", "verdict", "source", "reason"), rows)
    console.print()
    console.print(Text(audit_line(report), style="green" if report.ok else "bold red"))
