"""A confidence level is accepted wherever alpha is, under all its names."""

from __future__ import annotations

import pytest

from statistikles import execute_tool
from statistikles.registry.declare import ARGUMENT_ALIASES, Statistic
from statistikles.registry.manifest import load

NAMES = ("conf_level", *ARGUMENT_ALIASES["conf_level"])


@pytest.mark.parametrize("name", NAMES)
def test_a_confidence_level_says_what_alpha_says(stat: Statistic, name: str) -> None:
    if "alpha" not in stat.parameters or name in stat.parameters or "conf_level" in stat.parameters:
        return
    chooser = load(stat.tool).chooser
    call = {k: v for k, v in stat.example.items() if k != "alpha"}
    call |= {chooser: stat.subtype} if chooser else {}
    by_alpha = execute_tool(stat.tool, {**call, "alpha": 0.1})
    by_level = execute_tool(stat.tool, {**call, name: 0.9})
    assert "error" not in by_level, by_level
    assert by_level == by_alpha
    assert execute_tool(stat.tool, {**call, name: 0.9, "alpha": 0.1})["where"] == name
    assert execute_tool(stat.tool, {**call, name: 95})["code"] == "out_of_range"
