"""The choice of a tool by models without tool calling: asked for in words, made under a schema where there is one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from statistikles.neural.backend import Completion, Constraint, ToolCall
from statistikles.neural.wire import calls_in_text

__all__ = ["NO_TOOL", "choice_constraint", "choice_message", "read_choice", "tool_lines"]

NO_TOOL = "none"
_LONG_TEXT = 60
_DESCRIPTION = 200
# Arguments that tune rather than choose; leaving them to their defaults keeps a small model's choice small.
_FINE_TUNING = {
    "decimal", "n_reps", "n_permutations", "seed", "group_names", "row_names", "column_names", "var_names",
    "conf_level", "post_hoc",
}  # fmt: skip


def tool_lines(tools: Sequence[Mapping[str, Any]]) -> str:
    """The tools, one a line, with their arguments."""
    lines = []
    for tool in tools:
        function = tool["function"]
        arguments = [_argument(n, s) for n, s in _properties(function).items() if n not in _FINE_TUNING]
        lines.append(
            f"- {function['name']}({', '.join(arguments)}): {function['description'][:_DESCRIPTION]}"
        )
    return "\n".join(lines)


def _properties(function: Mapping[str, Any]) -> Mapping[str, Any]:
    return function["parameters"].get("properties", {})  # type: ignore[no-any-return]


def _argument(name: str, schema: Mapping[str, Any]) -> str:
    return f"{name}: {'|'.join(map(str, schema['enum']))}" if "enum" in schema else name


def choice_message(tools: Sequence[Mapping[str, Any]], *, under_schema: bool) -> str:
    """The words that ask for the next step."""
    if under_schema:
        ask = f'Choose the next tool as JSON, or "{NO_TOOL}" when the results above answer the question.'
    else:
        ask = (
            'To call a tool, answer with nothing but {"tool": NAME, "arguments": {...}}. When the results above answer '
            "the question, or no tool fits, write the reply."
        )
    return f"{ask}\nTools:\n{tool_lines(tools)}"


def choice_constraint(
    tools: Sequence[Mapping[str, Any]], columns: Sequence[str], *, lists: bool, may_stop: bool
) -> Constraint:
    """The schema of a choice: a tool with its arguments, the columns being those that there are.

    Parameters
    ----------
    tools : the tools offered.
    columns : names of the columns of all tables.
    lists : whether the user typed numbers, so that an argument may be a list of them.
    may_stop : whether no tool is a choice.
    """
    options: list[dict[str, Any]] = [{"const": NO_TOOL}] if may_stop else []
    choices: list[dict[str, Any]] = [
        {
            "type": "object",
            "properties": {
                "tool": {"const": tool["function"]["name"]},
                "arguments": _arguments(tool["function"]["parameters"], columns, lists),
            },
            "required": ["tool", "arguments"],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    if options:
        choices.append(
            {
                "type": "object",
                "properties": {"tool": options[0]},
                "required": ["tool"],
                "additionalProperties": False,
            }
        )
    return Constraint("", {"anyOf": choices} if len(choices) > 1 else choices[0])


def _arguments(parameters: Mapping[str, Any], columns: Sequence[str], lists: bool) -> dict[str, Any]:
    required = set(parameters.get("required", ()))
    kept = {
        name: _narrow(schema, columns, lists)
        for name, schema in parameters.get("properties", {}).items()
        if name in required or name not in _FINE_TUNING
    }
    return {**parameters, "properties": kept}


def _narrow(schema: Any, columns: Sequence[str], lists: bool) -> Any:
    """The schema with column names in place of any text, and without lists of numbers nobody typed."""
    if not isinstance(schema, Mapping):
        return schema
    if "anyOf" in schema:
        kept = [
            o for o in schema["anyOf"] if lists or not columns or not (_is_list(o) or _is_named_lists(o))
        ] or schema["anyOf"]
        narrowed = [_narrow(o, columns, lists) for o in kept]
        return narrowed[0] if len(narrowed) == 1 else {"anyOf": narrowed}
    out = {k: v for k, v in schema.items() if k not in ("description", "default")}
    if out.get("type") == "string" and "enum" not in out:
        named = columns and schema.get("description") == "a column name"
        return {"type": "string", "enum": list(columns)} if named else {**out, "maxLength": _LONG_TEXT}
    if "column" in out.get("properties", {}) and columns:
        inner = {k: v for k, v in out["properties"].items() if k in ("column", "by")}
        inner = {k: {"type": "string", "enum": list(columns)} for k in inner}
        inner["where"] = {"type": "string", "maxLength": _LONG_TEXT}
        return {**out, "properties": inner, "additionalProperties": False}
    if isinstance(out.get("items"), Mapping):
        out["items"] = _narrow(out["items"], columns, lists)
    return out


def _is_list(schema: Mapping[str, Any]) -> bool:
    items = schema.get("items")
    if schema.get("type") != "array" or not isinstance(items, Mapping):
        return False
    kinds = items.get("type", ())
    return "number" in kinds or _is_list(items) or "string" in kinds


def _is_named_lists(schema: Mapping[str, Any]) -> bool:
    inner = schema.get("additionalProperties")
    return isinstance(inner, Mapping) and _is_list(inner)


def read_choice(completion: Completion, names: Sequence[str]) -> tuple[ToolCall, ...]:
    """The calls that an answer stands for; none when it chose no tool or is the reply itself."""
    try:
        content = json.loads(completion.text)
    except ValueError:
        return calls_in_text(completion.text, names)
    if isinstance(content, Mapping) and content.get("tool") == NO_TOOL:
        return ()
    return calls_in_text(completion.text, names)
