"""Export: one result, a reply or a ledger as text, Markdown, HTML, LaTeX, CSV or JSON, each with its provenance."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from statistikles.errors import InputError, did_you_mean
from statistikles.output.protocols import audit_line
from statistikles.output.stamp import Content, Item, content_of, own_version

__all__ = ["FORMATS", "export"]

_WIDTH = 100
_ROUNDED = "Numbers are rounded for reading; the CSV and JSON exports carry every digit."
JSON_FORMAT = "statistikles-results-1"


def export(thing: Any, format: str = "text") -> str:
    """A result, record, ledger entry, ledger or reply in one of the `FORMATS`.

    Parameters
    ----------
    thing : what to write: a typed result, a result dict, {id, tool, arguments, result}, a ledger entry, a ledger,
        a reply, or a list of these.
    format : text, markdown, html, latex, csv or json. The first four round numbers for reading; CSV and JSON
        carry every digit.

    Raises
    ------
    InputError : the format is unknown.
    """
    writer = FORMATS.get(format)
    if writer is None:
        raise InputError(
            f"There is no format '{format}'. The formats are: {', '.join(FORMATS)}.",
            hint=did_you_mean(format, FORMATS),
            where="format",
        )
    return writer(content_of(thing))


def _text(content: Content) -> str:
    import io

    from rich.console import Console
    from rich.text import Text

    from statistikles.output.terminal import draw_result, marked

    stream = io.StringIO()
    console = Console(file=stream, width=_WIDTH, highlight=False, markup=False, emoji=False)
    if content.audit is not None:
        for doubt in content.doubts:
            console.print(Text(f"{doubt}\n"))
        console.print(marked(content.text, content.audit))
        console.print()
        if content.warning:
            console.print(Text(content.warning))
        console.print(Text(audit_line(content.audit)))
        console.print()
    for item in content.items:
        draw_result(console, item.result, item.id, item.tool, full=True)
        console.print(Text("  " + item.stamp.line()), soft_wrap=True)
        console.print()
    console.print(Text(_ROUNDED))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def _markdown(content: Content) -> str:
    from statistikles.output.markdown import plain_markdown, result_markdown

    parts: list[str] = []
    if content.audit is not None:
        parts += [part for doubt in content.doubts for part in (f"**{plain_markdown(doubt)}**", "")]
        parts += [content.text, ""]
        if content.warning:
            parts += ["```text", content.warning.replace("```", "'''"), "```", ""]
        parts += [f"*{audit_line(content.audit)}*", ""]
    for item in content.items:
        parts += [result_markdown(item.result, item.id), f"*{plain_markdown(item.stamp.line())}*", ""]
    return "\n".join([*parts, f"*{_ROUNDED}*"]) + "\n"


def _html(content: Content) -> str:
    from statistikles.output.html import content_html, document

    title = "Results" if not content.items else content.items[0].result.get("method", "Results")
    return document(str(title), content_html(content) + f"<p><small>{_ROUNDED}</small></p>")


def _latex(content: Content) -> str:
    from statistikles.output.latex import PREAMBLE, escape_latex, result_latex

    parts = [PREAMBLE, ""]
    if content.audit is not None:
        parts += [f"\\textbf{{{escape_latex(doubt)}}}\n" for doubt in content.doubts]
        parts += [escape_latex(line) + "\n" for line in content.text.splitlines() if line.strip()]
        if content.warning:
            parts += [f"\\textbf{{{escape_latex(content.warning)}}}\n"]
        parts.append(f"\\emph{{{escape_latex(audit_line(content.audit))}}}\n")
    parts += [result_latex(item.result, item.id, item.stamp.line()) for item in content.items]
    return "\n".join([*parts, f"\\noindent{{\\footnotesize {_ROUNDED}}}"]) + "\n"


def _csv(content: Content) -> str:
    from statistikles.output.delimited import items_csv

    return items_csv(content.items)


def _json(content: Content) -> str:
    out: dict[str, Any] = {"format": JSON_FORMAT, "version": own_version()}
    if content.audit is not None:
        out |= {"doubts": list(content.doubts)} if content.doubts else {}
        out |= {"text": content.text, "warning": content.warning, "audit": content.audit.to_dict()}
    out["results"] = [_item_json(item) for item in content.items]
    return json.dumps(out, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _item_json(item: Item) -> dict[str, Any]:
    from statistikles.results.shapes import plain

    return {
        "id": item.id,
        "tool": item.tool,
        "arguments": plain(dict(item.arguments)),
        "result": dict(item.result),
        "provenance": item.stamp.to_dict(),
    }


FORMATS: dict[str, Callable[[Content], str]] = {
    "text": _text,
    "markdown": _markdown,
    "html": _html,
    "latex": _latex,
    "csv": _csv,
    "json": _json,
}
