"""The flags of `run TOOL`, made from the tool's declaration, and the reading of their values."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from statistikles.errors import did_you_mean
from statistikles.registry.manifest import manifest, tool_names
from statistikles.surfaces.streams import UsageFault

__all__ = ["add_tool_flags", "given_arguments", "joined_negatives", "named_tool", "read_value"]

_TAKEN = {
    "data": "values",
    "arguments": "tool_arguments",
    "ledger": "tool_ledger",
    "json": "tool_json",
    "plot": "tool_plot",
    "format": "tool_format",
}
_PREFIX = "argument:"
_OWN_WITH_VALUE = ("--arguments", "--data", "--ledger", "--plot", "--format")
_NUMBER_FIRST = re.compile(r"-[\d.]")
_MISSING = frozenset({"", "na", "null", "none"})


def named_tool(words: Sequence[str]) -> str | None:
    """The tool that `run` names among these words, None when there is none yet.

    Raises
    ------
    UsageFault : it does not exist.
    """
    after = iter(words[list(words).index("run") + 1 :])
    for word in after:
        if word in _OWN_WITH_VALUE:
            next(after, None)
        elif not word.startswith("-"):
            if word in tool_names():
                return word
            hint = did_you_mean(word, tool_names()) or "See the list with: statistikles tools"
            raise UsageFault(f"Unknown tool: {word}", hint, "unknown_tool")
    return None


def joined_negatives(words: Sequence[str]) -> list[str]:
    """`--x -1,2` as `--x=-1,2`: a value that begins with a minus is not a flag."""
    out: list[str] = []
    for word in words:
        if out and out[-1].startswith("--") and "=" not in out[-1] and _NUMBER_FIRST.match(word):
            out[-1] = f"{out[-1]}={word}"
        else:
            out.append(word)
    return out


def _properties(tool: str) -> dict[str, Any]:
    found: dict[str, Any] = manifest()["tools"][tool]["schema"]["parameters"]["properties"]
    return found


def add_tool_flags(parser: argparse.ArgumentParser, tool: str) -> None:
    """One flag per argument of the tool."""
    entry = manifest()["tools"][tool]
    properties = _properties(tool)
    parser.description = f"{entry['title']}. {entry['summary']}"
    group = parser.add_argument_group(
        f"arguments of {tool}",
        "Numbers are written 1,2,3 (an empty place is missing); rows 1,2;3,4; a column of --data by its name; "
        "groups of a column as 'value ~ group'; anything as JSON.",
    )
    for name, schema in properties.items():
        group.add_argument(
            *_spellings(name, properties),
            dest=_PREFIX + name,
            metavar=_metavar(schema),
            help=_help(name, schema).replace("%", "%%"),
        )


def _spellings(name: str, properties: Mapping[str, Any]) -> list[str]:
    """`--conf-level` and `--conf_level`; a name the command itself uses gets another."""
    flag = _TAKEN.get(name, name)
    if flag != name and flag in properties:
        flag = f"tool_{name}"
    return list(dict.fromkeys((f"--{flag.replace('_', '-')}", f"--{flag}")))


def _metavar(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "{" + ",".join(map(str, schema["enum"])) + "}"
    types = set(_types(schema))
    for wanted, text in (("array", "VALUES"), ("object", "JSON"), ("number", "N"), ("integer", "N")):
        if wanted in types:
            return text
    return "TEXT"


def _help(name: str, schema: Mapping[str, Any]) -> str:
    text = str(schema.get("description", ""))
    if name in _TAKEN:
        text = f"the argument '{name}': {text}"
    return f"{text} (default: {schema['default']})" if "default" in schema else text


def given_arguments(tool: str, args: argparse.Namespace) -> dict[str, Any]:
    """The tool's arguments that were given as flags."""
    properties = _properties(tool)
    given = {name: getattr(args, _PREFIX + name, None) for name in properties}
    return {
        name: read_value(text, properties[name], name) for name, text in given.items() if text is not None
    }


def _types(schema: Mapping[str, Any]) -> Iterator[str]:
    kinds = schema.get("type", ())
    yield from (kinds,) if isinstance(kinds, str) else kinds
    for option in schema.get("anyOf", ()):
        yield from _types(option)


def _arrays(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """What the items of the schema's arrays may be."""
    if schema.get("type") == "array":
        yield schema.get("items", {})
    for option in schema.get("anyOf", ()):
        yield from _arrays(option)


def _takes_by(schema: Mapping[str, Any]) -> bool:
    return "by" in schema.get("properties", {}) or any(
        _takes_by(option) for option in schema.get("anyOf", ())
    )


def read_value(text: str, schema: Mapping[str, Any], name: str) -> Any:
    """A flag's text as the value the tool expects; what fits nothing is handed on as text, for the tool to refuse.

    Raises
    ------
    UsageFault : it begins like JSON and is not.
    """
    types = set(_types(schema))
    if "enum" in schema or types == {"string"}:
        return text
    stripped = text.strip()
    if stripped[:1] in ("[", "{", '"'):
        try:
            return json.loads(stripped)
        except (ValueError, RecursionError):
            raise UsageFault(
                f"--{name}: this is not valid JSON: {stripped[:60]}", code="invalid_json"
            ) from None
    if "~" in stripped and _takes_by(schema):
        value, _, group = stripped.partition("~")
        return {"column": value.strip(), "by": group.strip()}
    if "array" in types and (values := _listed(stripped, list(_arrays(schema)))) is not None:
        return values
    if "boolean" in types and stripped.casefold() in ("true", "false", "yes", "no"):
        return stripped.casefold() in ("true", "yes")
    if types & {"number", "integer"} and (number := _number(stripped)) is not None:
        return number
    return text


def _listed(text: str, items: Sequence[Mapping[str, Any]]) -> list[Any] | None:
    """Comma-separated numbers or names; rows between semicolons where the tool takes rows."""
    item_types = {t for item in items for t in _types(item)}
    if ";" in text and "array" in item_types:
        rows = [_numbers(row) for row in text.strip("; ").split(";")]
        return rows if all(row is not None for row in rows) else None
    if (numbers := _numbers(text)) is not None:
        return [numbers] if item_types == {"array"} else numbers
    return [part.strip() for part in text.split(",")] if "string" in item_types and "," in text else None


def _numbers(text: str) -> list[float | int | None] | None:
    values: list[float | int | None] = []
    for part in text.split(","):
        number = _number(part.strip())
        if number is None and part.strip().casefold() not in _MISSING:
            return None
        values.append(number)
    return values if any(v is not None for v in values) else None


def _number(text: str) -> float | int | None:
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return None
