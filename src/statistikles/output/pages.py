"""The documentation page of every tool, generated from its declarations and a run of its example.

`python -m statistikles.output.pages docs/tools` writes them; a test fails when one is stale.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from statistikles.registry.declare import Parameter, Statistic, Tool
from statistikles.registry.manifest import load_all
from statistikles.tools.executor import execute_tool

__all__ = ["index", "page", "write"]

_LAWS = {
    "shift_invariant": "adding a constant to every value changes nothing",
    "scale_invariant": "changing the unit of measurement changes nothing",
    "swap_negates": "swapping the two arguments turns the sign of the estimate and keeps p",
    "swap_symmetric": "swapping the two arguments changes nothing",
    "order_invariant": "the order of the rows does not matter",
}
# Numbers in an example shorter than this many characters are shown; longer arrays are cut for reading.
_LONGEST_LINE = 1600


def page(tool: Tool) -> str:
    """Markdown of one tool."""
    parts = [f"# `{tool.name}`: {tool.title}", "", tool.summary, ""]
    if tool.chooser is not None:
        default = f" (default `{tool.default}`)" if tool.default else ""
        parts += [f"`{tool.chooser}` chooses the analysis{default}:", ""]
        parts += [f"- `{s.subtype}`: {s.title}. Use when: {s.use_when}." for s in tool.statistics.values()]
        parts.append("")
    for stat in tool.statistics.values():
        parts += _section(tool, stat)
    return "\n".join(parts).rstrip() + "\n"


def _section(tool: Tool, stat: Statistic) -> list[str]:
    parts = [f"## {stat.title}", "", stat.summary, ""]
    if tool.chooser is None:
        parts += [f"Use when: {stat.use_when}.", ""]
    if stat.formula:
        parts += [f"Definition: {stat.formula}", ""]
    parts += ["| argument | default | meaning |", "|---|---|---|"]
    parts += [_argument_row(p) for p in stat.parameters.values()]
    parts += ["", f"As a function: `statistikles.stats.{stat.function.__name__}`.", ""]
    arguments = ({tool.chooser: stat.subtype} if tool.chooser else {}) | dict(stat.example)
    result = execute_tool(tool.name, arguments)
    parts += ["```json", _json({"tool": tool.name, "arguments": arguments}), "```", "", "gives", ""]
    parts += [
        "```json",
        _json(_rounded(result)),
        "```",
        "",
        f"As a sentence: {stat.run(stat.example).apa()}",
        "",
    ]
    if stat.equivalents:
        parts += ["The same elsewhere:", ""]
        parts += [f"- {language}: `{code}`" for language, code in stat.equivalents.items()] + [""]
    if laws := [_LAWS[law] for law in stat.laws]:
        parts += [f"Tested laws: {'; '.join(laws)}.", ""]
    if raises := _raises(stat):
        parts += ["Refusals:", ""] + [f"- {line}" for line in raises] + [""]
    return [*parts, "Sources:", "", *(f"- {ref}" for ref in stat.refs), ""]


def _argument_row(parameter: Parameter) -> str:
    if parameter.required:
        default = "required"
    elif parameter.default is None:
        default = ""
    else:
        default = f"`{json.dumps(parameter.default)}`"
    return f"| `{parameter.name}` | {default} | {parameter.text.replace('|', chr(92) + '|')} |"


def _raises(stat: Statistic) -> list[str]:
    doc = inspect.getdoc(stat.function) or ""
    _, found, tail = doc.partition("Raises\n------\n")
    if not found:
        return []
    lines: list[str] = []
    for line in tail.splitlines():
        if line.startswith(" ") and lines:
            lines[-1] += " " + line.strip()
        elif line.strip():
            lines.append(line.strip())
        else:
            break
    return lines


def _rounded(value: Any) -> Any:
    """Ten significant digits: enough to check a page by, without the last-digit noise of platforms."""
    if isinstance(value, bool):
        return value
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, Mapping):
        return {k: _rounded(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_rounded(v) for v in value]
    return value


def _json(value: Any) -> str:
    """JSON with one line per top-level entry, long ones cut where a reader stops reading."""
    lines = []
    for key, inner in value.items():
        text = json.dumps(inner, ensure_ascii=False)
        lines.append(
            f"  {json.dumps(key)}: {text if len(text) <= _LONGEST_LINE else text[:_LONGEST_LINE] + ' …'}"
        )
    return "{\n" + ",\n".join(lines) + "\n}"


def index(tools: Mapping[str, Tool]) -> str:
    """Markdown of the list of tools."""
    n_stats = sum(len(t.statistics) for t in tools.values())
    rows = [
        f"| [`{t.name}`]({t.name}.md) | {t.title} | {', '.join(f'`{s}`' for s in t.statistics if s)} |"
        for t in tools.values()
    ]
    head = [
        "# The tools",
        "",
        f"{len(tools)} tools, {n_stats} analyses.",
        "",
        "| tool | what | analyses |",
        "|---|---|---|",
    ]
    return "\n".join([*head, *rows]) + "\n"


def build() -> dict[str, str]:
    """{file name: content} of all pages."""
    tools = load_all()
    return {"README.md": index(tools)} | {f"{name}.md": page(tool) for name, tool in tools.items()}


def write(folder: Path) -> None:
    """Write all pages, and remove those of tools that no longer exist."""
    folder.mkdir(parents=True, exist_ok=True)
    content = build()
    for old in folder.glob("*.md"):
        if old.name not in content:
            old.unlink()
    for name, text in content.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/tools"))
