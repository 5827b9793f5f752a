"""`statistikles tools [NAME]`: the list of tools, or one tool with its sub-types and arguments."""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from statistikles.errors import did_you_mean
from statistikles.registry.manifest import get_tools, manifest, tool_names
from statistikles.surfaces.streams import UsageFault, print_json

__all__ = ["list_text", "main", "tool_text"]

_WIDTH = 100


def main(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.name is not None and args.name not in tool_names():
        hint = did_you_mean(args.name, tool_names()) or "See the list with: statistikles tools"
        raise UsageFault(f"Unknown tool: {args.name}", hint, "unknown_tool")
    if args.json:
        schemas = get_tools()
        one = [s for s in schemas if s["function"]["name"] == args.name]
        print_json(one[0] if args.name is not None else schemas)
    else:
        sys.stdout.write(tool_text(args.name) if args.name is not None else list_text())
    return 0


def list_text() -> str:
    """Every tool in one line, with its sub-types."""
    lines = []
    for name, entry in manifest()["tools"].items():
        lines.append(f"{name}  {entry['title']}")
        subtypes = [s for s in entry["subtypes"] if s]
        if subtypes:
            lines += _wrapped(f"{entry['chooser']}: {', '.join(subtypes)}", 4)
    lines += ["", "One tool in detail: statistikles tools NAME"]
    return "\n".join(lines) + "\n"


def tool_text(name: str) -> str:
    """One tool: what it is for, its sub-types and arguments."""
    entry = manifest()["tools"][name]
    parameters = entry["schema"]["parameters"]
    lines = [f"{name}: {entry['title']}", *_wrapped(entry["summary"], 2)]
    if entry["chooser"]:
        lines += ["", f"{entry['chooser']}:"]
    for subtype, facts in entry["subtypes"].items():
        label = f"{subtype}: {facts['title']}. Use for: " if subtype else "Use for: "
        lines += _wrapped(label + facts["use_when"], 2)
    lines += ["", "arguments:"]
    for argument, schema in parameters["properties"].items():
        lines += _argument(argument, schema, argument in parameters["required"])
    return "\n".join(lines) + "\n"


def _argument(name: str, schema: dict[str, Any], required: bool) -> Iterator[str]:
    notes = ["required"] if required else []
    if "enum" in schema:
        notes.append("one of " + ", ".join(map(str, schema["enum"])))
    if "default" in schema:
        notes.append(f"default {schema['default']}")
    tail = f" ({'; '.join(notes)})" if notes else ""
    yield from _wrapped(f"{name}: {schema.get('description', '')}{tail}", 2)


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + 4))
