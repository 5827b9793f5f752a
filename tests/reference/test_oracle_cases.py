"""Inputs on which widely used packages have returned a wrong number, with the right outcome."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from statistikles import collect_numbers, execute_tool
from statistikles.registry.manifest import tool_names

CASES = json.loads(Path(__file__).with_name("oracle_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", [c for c in CASES if c["tool"] in tool_names()], ids=lambda c: c["id"])
def test_case(case: dict[str, Any]) -> None:
    result = execute_tool(case["tool"], case["arguments"])
    if case.get("expect_error"):
        assert result.get("error"), result
        assert result["code"] != "internal"
        return
    assert "error" not in result, result
    numbers = collect_numbers(result)
    for wanted in case["expect"]:
        if "between" in wanted:
            low, high = wanted["between"]
            assert any(low <= n <= high for n in numbers), wanted
        else:
            values = wanted.get("any_of", [wanted.get("value")])
            assert any(math.isclose(n, v, rel_tol=wanted["rtol"]) for n in numbers for v in values), wanted
