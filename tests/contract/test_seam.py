"""The seam refuses unknown tools, unknown options and malformed calls with clear sentences."""

from __future__ import annotations

from typing import Any

import pytest

from statistikles import execute_tool
from statistikles.registry.manifest import load_all


@pytest.mark.parametrize("name", ["nope", "", "T_TEST", "t-test", "__class__", 7, None, ["t_test"]])
def test_unknown_tool(name: Any) -> None:
    result = execute_tool(name, {})
    assert result["error"] == f"Unknown tool: {name}"
    assert result["code"] == "unknown_tool"
    assert result["hint"]


@pytest.mark.parametrize("arguments", [[1], "x", 3, {1: 2}])
def test_arguments_must_be_named(arguments: Any) -> None:
    result = execute_tool("t_test", arguments)
    assert "error" in result
    assert result["code"] == "invalid_input"


def test_a_missing_choice_lists_the_valid_ones_and_an_unknown_one_too() -> None:
    for tool in load_all().values():
        if tool.chooser is None:
            continue
        unknown = execute_tool(tool.name, {tool.chooser: "no_such_thing"})
        assert unknown["error"].startswith(f"Unknown {tool.chooser} 'no_such_thing' for {tool.name}")
        assert all(subtype in unknown["error"] for subtype in tool.statistics)
        if tool.default is None:
            missing = execute_tool(tool.name, {})
            assert all(subtype in missing["error"] for subtype in tool.statistics)


def test_limits_are_said() -> None:
    for tool in load_all().values():
        for stat in tool.statistics.values():
            for name, limit in (
                ("n_reps", 100_000),
                ("n_permutations", 100_000),
                ("k", 20),
                ("n_components", 20),
            ):
                # Only counts are limited: Huber's k is a tuning constant.
                if name not in stat.parameters or not getattr(stat.parameters[name].kind, "whole", False):
                    continue
                call = {**stat.example, name: limit + 1}
                if tool.chooser:
                    call[tool.chooser] = stat.subtype
                result = execute_tool(tool.name, call)
                assert result["code"] in ("limit_exceeded", "out_of_range"), result
                assert str(limit) in result["error"].replace(",", "") or "100000" in result["error"]
