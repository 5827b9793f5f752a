"""The choice of a tool by models without tool calling: asked for in words, made under a schema where there is one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statistikles.neural.backend import Completion, Constraint, ToolCall
from statistikles.neural.wire import calls_in_text

__all__ = ["NO_TOOL", "Choices", "choice_constraint", "choice_message", "read_choice", "tool_lines"]

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


# Arguments that choose the analysis.
_WAYS = frozenset({"type", "method", "design", "model", "operation", "distribution", "statistic"})


@dataclass(frozen=True)
class Choices:
    """What an argument may name.

    `columns` are all columns, `numeric` those that hold numbers, `grouping` those that divide rows into groups.
    `typed` says whether the user typed numbers, so that an argument may be a number or a list of them.
    """

    columns: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    grouping: tuple[str, ...] = ()
    typed: bool = True


def choice_constraint(tools: Sequence[Mapping[str, Any]], among: Choices, *, may_stop: bool) -> Constraint:
    """The schema of a choice: a tool with its arguments, the columns being those that there are.

    Parameters
    ----------
    tools : the tools offered.
    among : what an argument may name.
    may_stop : whether no tool is a choice.
    """
    choices = [
        _object(
            {
                "tool": {"const": tool["function"]["name"]},
                "arguments": _arguments(tool["function"]["parameters"], among),
            }
        )
        for tool in tools
    ]
    if may_stop:
        choices.append(_object({"tool": {"const": NO_TOOL}}))
    return Constraint("", {"anyOf": choices} if len(choices) > 1 else choices[0])


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _arguments(parameters: Mapping[str, Any], among: Choices) -> dict[str, Any]:
    """The arguments worth choosing: what is required or names data, and ways to compute. The rest keeps its default."""
    required = set(parameters.get("required", ()))
    properties = parameters.get("properties", {})
    # Where the data have an argument of their own that must be given, what else may hold data is fine tuning.
    settled = any(_names_data(properties[name]) for name in required if name in properties)
    kept = {
        name: _narrow(schema, among)
        for name, schema in properties.items()
        if name in required
        or name in _WAYS
        or (not settled and "default" not in schema and name not in _FINE_TUNING)
        or (among.typed and schema.get("type") == "number")
    }
    return {**parameters, "properties": kept}


def _names_data(schema: Mapping[str, Any]) -> bool:
    return any(_is_column(option) for option in _flat(schema.get("anyOf", [schema])))


def _narrow(schema: Any, among: Choices) -> Any:
    """The schema with column names in place of any text, and without lists of numbers nobody typed."""
    if not isinstance(schema, Mapping):
        return schema
    if "anyOf" in schema:
        options = _flat(schema["anyOf"])
        if not among.typed and among.columns:
            options = [_reference(options, among)] if any(_is_column(o) for o in options) else options
        narrowed = [_narrow(o, among) for o in options]
        return narrowed[0] if len(narrowed) == 1 else {"anyOf": narrowed}
    out = {k: v for k, v in schema.items() if k not in ("description", "default")}
    if out.get("type") == "string" and "enum" not in out:
        named = among.columns and schema.get("description") == "a column name"
        return {"type": "string", "enum": list(among.columns)} if named else {**out, "maxLength": _LONG_TEXT}
    if isinstance(out.get("items"), Mapping):
        out["items"] = _narrow(out["items"], among)
    return out


def _flat(options: Sequence[Any]) -> list[Any]:
    return [o for option in options for o in (_flat(option["anyOf"]) if "anyOf" in option else [option])]


def _is_column(schema: Mapping[str, Any]) -> bool:
    return "column" in schema.get("properties", {}) or schema.get("description") == "a column name"


def _reference(options: Sequence[Mapping[str, Any]], among: Choices) -> dict[str, Any]:
    """A reference to a column, split by another where that is a form of the argument."""
    split = any("by" in o.get("properties", {}) for o in options)
    numbers = split or any(_holds_numbers(o) for o in options)
    values = {"type": "string", "enum": list((among.numeric if numbers else ()) or among.columns)}
    if not split:
        return values
    return _object(
        {"column": values, "by": {"type": "string", "enum": list(among.grouping or among.columns)}}
    )


def _holds_numbers(schema: Mapping[str, Any]) -> bool:
    items = schema.get("items", {})
    return schema.get("type") == "array" and items.get("type") == ["number", "null"]


def read_choice(completion: Completion, names: Sequence[str]) -> tuple[ToolCall, ...]:
    """The calls that an answer stands for; none when it chose no tool or is the reply itself."""
    try:
        content = json.loads(completion.text)
    except ValueError:
        return calls_in_text(completion.text, names)
    if isinstance(content, Mapping) and content.get("tool") == NO_TOOL:
        return ()
    return calls_in_text(completion.text, names)
