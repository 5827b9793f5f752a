"""Results, replies and audits drawn in a terminal with rich."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from statistikles.guardrail.report import AuditReport
from statistikles.output.protocols import ReplyLike, audit_line, doubts_of
from statistikles.output.summary import Block, Summary, summarise

__all__ = ["draw_audit", "draw_reply", "draw_result", "draw_rows", "marked"]

_FLAGGED = "underline red"
_WIDTH_FOR_ADDRESSES = 60
_INDENT = 2
_GAP = 3
_BESIDE = (0, 0, 0, _INDENT)


def _draw_heading(console: Console, summary: Summary, tool: str) -> None:
    heading = Text(f"{summary.ident}  " if summary.ident else "", style="bold cyan")
    heading.append(summary.title, style="bold red" if summary.failed else "bold")
    if tool:
        heading.append(f"  {tool}", style="dim")
    console.print(heading)


def _draw_compactly(console: Console, summary: Summary, tool: str) -> None:
    """The leading numbers; tables only by their address."""
    _draw_heading(console, summary, tool)
    _draw_leading(console, summary)
    tables = [f"{b.address} ({len(b.rows) + b.left_out} rows)" for b in summary.blocks]
    if tables:
        console.print(Padding(Text("also: " + ", ".join(tables), style="dim"), _BESIDE, expand=False))
    for caution in summary.cautions:
        console.print(Padding(Text(caution, style="yellow"), _BESIDE, expand=False))


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
    _draw_heading(console, summary, tool)
    _draw_leading(console, summary)
    for block in summary.blocks:
        _draw_block(console, block)
    for caution in summary.cautions:
        console.print(Padding(Text(caution, style="yellow"), _BESIDE, expand=False))
    if full:
        for convention in summary.conventions:
            console.print(Padding(Text(convention, style="dim"), _BESIDE, expand=False))


def _draw_leading(console: Console, summary: Summary) -> None:
    if not summary.leading:
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(overflow="fold")
    table.add_column(overflow="fold", style="bold")
    with_address = console.width >= _WIDTH_FOR_ADDRESSES
    if with_address:
        table.add_column(overflow="fold", style="dim")
    for label, text, address in summary.leading:
        table.add_row(Text(label), Text(text), *([Text(address)] if with_address else []))
    console.print(Padding(table, _BESIDE, expand=False))


def _draw_block(console: Console, block: Block) -> None:
    title = f"{block.title}  {block.address}" if block.address else block.title
    draw_rows(console, block.columns, block.rows, title=title)
    if block.left_out:
        console.print(Padding(Text(f"… and {block.left_out} more rows", style="dim"), _BESIDE, expand=False))


def draw_rows(
    console: Console,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    title: str = "",
    words: Collection[str] = (),
) -> None:
    """A plain table; every cell is text, never markup. What is too wide is continued in a table below.

    Parameters
    ----------
    console : where to draw.
    columns : the headings; the first column names the rows.
    rows : the cells.
    title : heading of the table.
    words : columns that hold words, to be read from the left; the others are numbers.
    """
    for part in _parts(columns, rows, console.width - _INDENT):
        table = Table(
            title=Text(title, style="dim") if title else None,
            title_justify="left",
            box=SIMPLE_HEAD,
            pad_edge=False,
            show_edge=False,
        )
        for place in part:
            table.add_column(
                Text(columns[place]),
                justify="left" if place == 0 or columns[place] in words else "right",
                overflow="fold",
            )
        for row in rows:
            table.add_row(*(Text(row[place]) for place in part))
        console.print(Padding(table, _BESIDE, expand=False))
        title = ""


def _parts(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> list[list[int]]:
    """Which columns stand together so that no word, and so no number, has to be broken; the first is repeated."""
    needs = [
        max(
            (cell_len(word) for text in (head, *(row[i] for row in rows)) for word in text.split()), default=0
        )
        + _GAP
        for i, head in enumerate(columns)
    ]
    parts, current = [], [0]
    for place in range(1, len(columns)):
        if len(current) > 1 and sum(needs[i] for i in current) + needs[place] > width:
            parts.append(current)
            current = [0]
        current.append(place)
    return [*parts, current]


def marked(text: str, report: AuditReport) -> Text:
    """A reply with its flagged spans underlined."""
    drawn = Text(text)
    for span in report.flagged:
        drawn.stylize(_FLAGGED, span.start, span.end)
    return drawn


def draw_reply(console: Console, reply: ReplyLike, *, text: bool = True) -> None:
    """A whole turn: the reply (unless it was shown already), the leading numbers it rests on, the audit."""
    for doubt in doubts_of(reply):
        console.print(Text(f"{doubt}\n", style="bold yellow"))
    if text or not reply.audit.ok:
        console.print(marked(reply.text, reply.audit))
    for record in reply.results:
        console.print()
        _draw_compactly(console, summarise(record["result"], str(record["id"])), str(record["tool"]))
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
        heads = ("text", "verdict", "source", "reason")
        draw_rows(console, heads, rows, words=heads)
    console.print()
    console.print(Text(audit_line(report), style="green" if report.ok else "bold red"))
