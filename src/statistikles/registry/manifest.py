"""The manifest: what the declarations say, as JSON, so that help and schemas need no numerical library.

`python -m statistikles.registry.manifest` rewrites it from the declarations; a test fails when it is stale.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from statistikles.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from statistikles.registry.declare import Parameter, Statistic, Tool

__all__ = ["build", "function_modules", "get_tools", "load", "load_all", "manifest", "tool_names"]

PATH = Path(__file__).with_name("manifest.json")


@cache
def manifest() -> dict[str, Any]:
    """The committed manifest."""
    return cast("dict[str, Any]", json.loads(PATH.read_text(encoding="utf-8")))


def tool_names() -> list[str]:
    """The names of all tools, in order."""
    return list(manifest()["tools"])


def function_modules() -> dict[str, str]:
    """{public function: family module} of `statistikles.stats`."""
    return cast("dict[str, str]", manifest()["functions"])


def get_tools() -> list[dict[str, Any]]:
    """Every tool as an OpenAI function-calling schema."""
    return [
        json.loads(json.dumps({"type": "function", "function": {"name": name, **entry["schema"]}}))
        for name, entry in manifest()["tools"].items()
    ]


def load(name: str) -> Tool:
    """The tool with its statistics, importing only the families that declare them.

    Raises
    ------
    InputError : no tool has this name.
    """
    from statistikles.registry.declare import tools

    entry = manifest()["tools"].get(name) if isinstance(name, str) else None
    if entry is None:
        raise InputError(
            f"Unknown tool: {name}",
            hint=did_you_mean(str(name), tool_names()) or "See the list of tools with: statistikles tools",
            where=str(name),
            code="unknown_tool",
        )
    for module in entry["modules"]:
        importlib.import_module(module)
    return _ordered(tools()[name])


def _ordered(tool: Tool) -> Tool:
    """The tool with its sub-types in the order of the source, whichever of its modules was imported first."""
    in_order = sorted(
        tool.statistics.items(),
        key=lambda item: (item[1].function.__module__, item[1].function.__code__.co_firstlineno),
    )
    if [name for name, _ in in_order] != list(tool.statistics):
        tool.statistics.clear()
        tool.statistics.update(in_order)
    return tool


def load_all() -> dict[str, Tool]:
    """Every tool, after importing every family module."""
    import statistikles.stats
    from statistikles.registry.declare import tools

    for found in pkgutil.iter_modules(statistikles.stats.__path__):
        if not found.name.startswith("_"):
            importlib.import_module(f"statistikles.stats.{found.name}")
    return {name: _ordered(tool) for name, tool in sorted(tools().items())}


def build() -> dict[str, Any]:
    """The manifest as the declarations have it now."""
    declared = load_all()
    functions = {
        s.function.__name__: s.function.__module__ for t in declared.values() for s in t.statistics.values()
    }
    return {
        "functions": dict(sorted(functions.items())),
        "tools": {name: _tool_entry(tool) for name, tool in declared.items()},
    }


def _tool_entry(tool: Tool) -> dict[str, Any]:
    stats = tool.statistics.values()
    return {
        "title": tool.title,
        "summary": tool.summary,
        "chooser": tool.chooser,
        "default": tool.default,
        "modules": sorted({s.function.__module__ for s in stats}),
        "subtypes": {
            s.subtype: {
                "title": s.title,
                "use_when": s.use_when,
                "utterances": list(s.utterances),
                "function": s.function.__name__,
                "arguments": list(s.parameters),
            }
            for s in stats
        },
        "schema": {"description": _description(tool), "parameters": _schema(tool)},
    }


def _description(tool: Tool) -> str:
    if tool.chooser is None:
        return f"{tool.summary} {tool.statistics[''].use_when}"
    kinds = "; ".join(f"{s.subtype}: {s.use_when}" for s in tool.statistics.values())
    return f"{tool.summary} Choose {tool.chooser}: {kinds}"


def _schema(tool: Tool) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    stats = list(tool.statistics.values())
    if tool.chooser is not None:
        properties[tool.chooser] = {
            "type": "string",
            "enum": list(tool.statistics),
            "description": "which analysis",
        }
        if tool.default is None:
            required.append(tool.chooser)
        else:
            properties[tool.chooser]["default"] = tool.default
    uses: dict[str, list[tuple[Statistic, Parameter]]] = {}
    for stat in stats:
        for name, parameter in stat.parameters.items():
            uses.setdefault(name, []).append((stat, parameter))
    for name, users in uses.items():
        properties[name] = _property(users, everywhere=len(users) == len(stats))
        if len(users) == len(stats) and all(p.required for _, p in users):
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _property(users: list[tuple[Statistic, Parameter]], *, everywhere: bool) -> dict[str, Any]:
    """One argument as its sub-types together allow it."""
    schemas = [parameter.schema() for _, parameter in users]
    texts = list(dict.fromkeys(s["description"] for s in schemas))
    bare = [{k: v for k, v in s.items() if k not in ("description", "default")} for s in schemas]
    different = [b for i, b in enumerate(bare) if b not in bare[:i]]
    out: dict[str, Any] = {"anyOf": different} if len(different) > 1 else different[0]
    out["description"] = " / ".join(texts) + (
        "" if everywhere else f" (for {', '.join(s.subtype for s, _ in users)})"
    )
    defaults = [s.get("default") for s in schemas]
    if defaults[0] is not None and all(d == defaults[0] for d in defaults):
        out["default"] = defaults[0]
    return out


def render(content: dict[str, Any]) -> str:
    """The manifest file's text."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PATH.write_text(render(build()), encoding="utf-8")
