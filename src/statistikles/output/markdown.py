"""Results, replies and audits as Markdown; text from data cannot break out of its cell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from statistikles.output.protocols import ReplyLike, audit_line, doubts_of
from statistikles.output.summary import summarise

__all__ = ["markdown_table", "plain_markdown", "reply_markdown", "result_markdown"]

# Only what Markdown would act on: a "<" before a space is text, and so is "_" inside a word or "[" alone.
_SPECIAL = re.compile(r"[\\`*|~]|(?<![^\W_])_|_(?![^\W_])|\](?=[(\[:])|^[#>+=-](?=\s|[#>+=-])")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_ENTITY = re.compile(r"&(?=#?\w+;)")
_LIST_NUMBER = re.compile(r"^(\d+)([.)])(?=\s)")


def plain_markdown(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    line = _SPECIAL.sub(lambda found: "\\" + found.group(), " ".join(text.split()))
    line = _TAG.sub("&lt;", _ENTITY.sub("&amp;", line))
    return _LIST_NUMBER.sub(r"\1\\\2", line)


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table."""
    lines = ["| " + " | ".join(plain_markdown(c) for c in columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(plain_markdown(cell) for cell in row) + " |" for row in rows]
    return [*lines, ""]


def result_markdown(result: Mapping[str, Any], ident: str = "") -> str:
    """A result dict as a Markdown section."""
    summary = summarise(result, ident, full=True)
    title = plain_markdown(summary.title)
    lines = [f"### {plain_markdown(ident)}: {title}" if ident else f"### {title}", ""]
    if summary.leading:
        lines += markdown_table(("quantity", "value", "address"), summary.leading)
    for block in summary.blocks:
        lines += [
            f"**{plain_markdown(block.title)}** ({plain_markdown(block.address)})",
            "",
            *markdown_table(block.columns, block.rows),
        ]
        if block.left_out:
            lines += [f"… and {block.left_out} more rows", ""]
    lines += [f"- **{plain_markdown(caution)}**" for caution in summary.cautions]
    lines += [f"- {plain_markdown(convention)}" for convention in summary.conventions]
    return "\n".join(lines).rstrip() + "\n"


def reply_markdown(reply: ReplyLike) -> str:
    """A whole turn as Markdown: the reply unchanged, the warning, the audit line and the results."""
    parts = [part for doubt in doubts_of(reply) for part in (f"**{plain_markdown(doubt)}**", "")]
    parts += [reply.text, ""]
    if reply.warning:
        parts += ["```text", reply.warning.replace("```", "'''"), "```", ""]
    parts += [f"*{audit_line(reply.audit)}*", ""]
    parts += [result_markdown(r["result"], str(r["id"])) for r in reply.results]
    return "\n".join(parts).rstrip() + "\n"
