"""Results, replies and audits as HTML fragments for notebooks and pages; everything is escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from statistikles.guardrail.report import AuditReport
from statistikles.output.protocols import ReplyLike, audit_line, doubts_of
from statistikles.output.stamp import Content
from statistikles.output.summary import Block, Summary, summarise
from statistikles.results import Part

__all__ = ["content_html", "document", "html_table", "marked_html", "to_html"]

_FLAG = 'style="color:#b00020;text-decoration:underline"'
_CELL = 'style="text-align:left;padding:0 1em 0 0"'
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff; max-width: 52rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
h3, h4 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
table { border-collapse: collapse; margin: .6rem 0 1rem; font-size: .9rem; display: block; overflow-x: auto;
  border-top: 1.5px solid #333; border-bottom: 1.5px solid #333; width: fit-content; max-width: 100%; }
thead th { border-bottom: 1px solid #333; } th, td { padding: .15rem 1rem .15rem 0 !important; vertical-align: top; }
tbody th { font-weight: normal; } caption { font-weight: 600; padding: .3rem 0 !important;
  text-align: left; white-space: nowrap; }
thead th { text-align: left; } .note { border-left: 3px solid #b00020; padding-left: .8rem; }
td.number, thead th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: #f5f5f3; padding: .8rem; overflow-x: auto; font-size: .8rem; line-height: 1.4; }
img, figure svg { max-width: 100%; height: auto; } figure { margin: 1rem 0; }
.answer { white-space: pre-wrap; }
figcaption, .stamp { color: #555; font-size: .85rem; overflow-wrap: anywhere; }
@media print { body { max-width: none; margin: 0; font-size: 11pt; } pre { white-space: pre-wrap; } }
"""


def to_html(thing: Part | Mapping[str, Any] | AuditReport | ReplyLike, *, text: str = "") -> str:
    """An HTML fragment of a result, a result dict, a ledger record, an audit or a reply.

    Parameters
    ----------
    thing : what to draw.
    text : the audited text, when `thing` is an audit: it is shown with its flagged spans marked.
    """
    if isinstance(thing, Part):
        return _result(thing.to_dict())
    if isinstance(thing, AuditReport):
        return _audit(thing, text)
    if isinstance(thing, Mapping):
        if isinstance(thing.get("result"), Mapping) and "tool" in thing:
            return _result(thing["result"], str(thing.get("id", "")), str(thing["tool"]))
        return _result(thing)
    return _reply(thing)


def _reply(reply: ReplyLike) -> str:
    parts = [
        *(f"<p><strong>{escape(doubt)}</strong></p>" for doubt in doubts_of(reply)),
        f'<div class="statistikles-reply" style="white-space:pre-wrap">{marked_html(reply.text, reply.audit)}</div>',
    ]
    if reply.warning:
        parts.append(f'<pre class="statistikles-warning" {_FLAG}>{escape(reply.warning)}</pre>')
    parts.append(f"<p><em>{escape(audit_line(reply.audit))}</em></p>")
    parts += [_result(r["result"], str(r["id"]), str(r["tool"])) for r in reply.results]
    return f'<div class="statistikles">{"".join(parts)}</div>'


def content_html(content: Content) -> str:
    """Results with their stamps, after the audited text when there is one."""
    parts = []
    if content.audit is not None:
        parts += [f"<p><strong>{escape(doubt)}</strong></p>" for doubt in content.doubts]
        parts.append(f'<div style="white-space:pre-wrap">{marked_html(content.text, content.audit)}</div>')
        if content.warning:
            parts.append(f"<pre {_FLAG}>{escape(content.warning)}</pre>")
        parts.append(f"<p><em>{escape(audit_line(content.audit))}</em></p>")
    for item in content.items:
        parts.append(_result(item.result, item.id, item.tool))
        parts.append(f'<p class="stamp"><small>{escape(item.stamp.line())}</small></p>')
    return "".join(parts)


def document(title: str, body: str) -> str:
    """A page that needs nothing else: no script, no address of another server."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def _audit(report: AuditReport, text: str) -> str:
    rows = [
        (s.text, str(s.verdict) + (" (flagged)" if s.flagged else ""), s.source, s.reason)
        for s in report.spans
    ]
    body = f'<div style="white-space:pre-wrap">{marked_html(text, report)}</div>' if text else ""
    table = html_table(("text", "verdict", "source", "reason"), rows) if rows else ""
    return f'<div class="statistikles">{body}<p><em>{escape(audit_line(report))}</em></p>{table}</div>'


def marked_html(text: str, report: AuditReport) -> str:
    """A text with its flagged spans underlined."""
    out, last = [], 0
    for span in sorted(report.flagged, key=lambda s: s.start):
        if span.start < last:
            continue
        out.append(escape(text[last : span.start]))
        out.append(
            f'<span title="{escape(span.reason)}" {_FLAG}>{escape(text[span.start : span.end])}</span>'
        )
        last = span.end
    return "".join([*out, escape(text[last:])])


def _result(result: Mapping[str, Any], ident: str = "", tool: str = "") -> str:
    summary = summarise(result, ident, full=True)
    return f'<section class="statistikles-result">{_heading(summary, tool)}{_body(summary)}</section>'


def _heading(summary: Summary, tool: str) -> str:
    tag = f"<small>{escape(summary.ident)}</small> " if summary.ident else ""
    name = f" <small>{escape(tool)}</small>" if tool else ""
    colour = f" {_FLAG}" if summary.failed else ""
    return f"<h4{colour}>{tag}{escape(summary.title)}{name}</h4>"


def _body(summary: Summary) -> str:
    parts = []
    if summary.leading:
        rows = "".join(
            f'<tr title="{escape(address)}"><th {_CELL}>{escape(label)}</th><td {_CELL}>{escape(value)}</td></tr>'
            for label, value, address in summary.leading
        )
        parts.append(f"<table>{rows}</table>")
    parts += [_block(block) for block in summary.blocks]
    parts += [f"<p><strong>{escape(caution)}</strong></p>" for caution in summary.cautions]
    parts += [f"<p><small>{escape(convention)}</small></p>" for convention in summary.conventions]
    return "".join(parts)


def _block(block: Block) -> str:
    more = f"<p><small>and {block.left_out} more rows</small></p>" if block.left_out else ""
    caption = f'<caption title="{escape(block.address)}" {_CELL}>{escape(block.title)}</caption>'
    return html_table(block.columns, block.rows, caption) + more


def html_table(columns: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """A table; every cell is text."""
    head = "".join(f"<th {_CELL}>{escape(c)}</th>" for c in columns)
    body = "".join(
        "<tr>" + "".join(f"<td {_CELL}>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
