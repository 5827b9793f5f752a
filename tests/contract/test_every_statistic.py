"""Contract tests run on every declared statistic: schema, documentation, JSON, refusals, determinism."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from statistikles import collect_numbers, execute_tool, get_tools
from statistikles.registry.arguments import GroupMap, Vector
from statistikles.registry.declare import Statistic
from statistikles.registry.manifest import PATH, build, load, render


def call(stat: Statistic, arguments: dict[str, Any]) -> dict[str, Any]:
    chooser = load(stat.tool).chooser
    return execute_tool(stat.tool, {chooser: stat.subtype, **arguments} if chooser else arguments)


def test_the_manifest_is_fresh() -> None:
    assert render(build()) == PATH.read_text(encoding="utf-8"), (
        "run: python -m statistikles.registry.manifest"
    )


def test_tool_schemas_have_the_function_calling_form() -> None:
    for tool in get_tools():
        function = tool["function"]
        assert tool["type"] == "function"
        assert re.fullmatch(r"[a-z0-9_]{1,64}", function["name"])
        assert len(function["description"]) >= 20
        schema = function["parameters"]
        assert schema["type"] == "object"
        assert set(schema["required"]) <= set(schema["properties"])
        for name, prop in schema["properties"].items():
            assert prop["description"], f"{function['name']}.{name} has no description"


def test_the_example_succeeds_with_finite_json_numbers(stat: Statistic) -> None:
    result = call(stat, stat.example)
    assert "error" not in result, result
    text = json.dumps(result, allow_nan=False)
    assert json.loads(text) == result
    numbers = collect_numbers(result)
    assert numbers
    assert all(math.isfinite(n) for n in numbers)


def test_the_same_call_gives_the_same_bytes(stat: Statistic) -> None:
    assert json.dumps(call(stat, stat.example)) == json.dumps(call(stat, stat.example))


def test_probabilities_and_intervals_are_possible(stat: Statistic) -> None:
    def walk(node: Any) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                if key == "p_value" or key.startswith("p_value_"):
                    assert value is None or 0 <= value <= 1
            low, high = node.get("conf_low"), node.get("conf_high")
            if isinstance(low, float) and isinstance(high, float):
                assert low <= high
            for key, value in node.items():
                if key != "undefined":  # there, the same keys hold reasons
                    walk(value)
        elif isinstance(node, list):
            for value in node:
                walk(value)

    walk(call(stat, stat.example))


def test_every_undefined_number_has_its_reason(stat: Statistic) -> None:
    def walk(node: Any) -> None:
        if isinstance(node, dict):
            for key, value in node.items():
                if value is None:
                    assert node["undefined"][key], f"{key} is null without a reason"
                walk(value)

    walk(call(stat, stat.example))


def test_what_was_done_is_said(stat: Statistic) -> None:
    assert call(stat, stat.example)["method"]
    assert stat.use_when
    assert stat.refs, "a statistic names its source"
    assert stat.run(stat.example).apa()


def test_nan_and_infinity_are_refused(stat: Statistic) -> None:
    for name, value in stat.example.items():
        kind = stat.parameters[name].kind
        for bad in (math.nan, math.inf):
            if isinstance(kind, Vector) and isinstance(value, list):
                damaged: Any = [bad, *value[1:]]
            elif isinstance(kind, GroupMap):
                groups = dict(value) if isinstance(value, dict) else dict(enumerate(value))
                first = next(iter(groups))
                groups[first] = [bad, *groups[first][1:]]
                damaged = groups
            elif isinstance(value, float | int) and not isinstance(value, bool):
                damaged = bad
            else:
                continue
            result = call(stat, {**stat.example, name: damaged})
            assert "error" in result, f"{name} = {bad} was accepted"
            assert result["code"] != "internal", result
            assert name in result["error"] or result.get("where") == name


@pytest.mark.parametrize(
    "bad",
    [None, "no such column", True, -1, 0, 1e308, [], [[]], {}, {"column": "x"}, [None], ["a"], "", [1, "x"]],
)
def test_bad_arguments_are_refused_or_answered_never_raised(stat: Statistic, bad: Any) -> None:
    for name in stat.parameters:
        result = call(stat, {**stat.example, name: bad})
        if "error" in result:
            assert result["code"] != "internal", (name, bad, result)
            assert len(result["error"]) > 10
        else:
            assert all(math.isfinite(n) for n in collect_numbers(result))


def test_unknown_and_absent_arguments_are_named(stat: Statistic) -> None:
    result = call(stat, {**stat.example, "no_such_argument": 1})
    assert "no_such_argument" in result["error"]
    for name, parameter in stat.parameters.items():
        if parameter.required:
            rest = {k: v for k, v in stat.example.items() if k != name}
            assert name in call(stat, rest)["error"]
