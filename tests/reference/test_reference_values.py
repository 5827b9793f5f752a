"""Every tool against values computed by independent programs; `values/*.json` carries their provenance.

A case: {"id", "arguments", "expect": {address: value}, "rtol", "source": {program, version, command}}; an
address is dotted into the result dict (`groups.A.mean`, `rows.0.count`); null means undefined; "error_code"
instead of "expect" means a refusal with that code.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from statistikles import execute_tool

VALUES = sorted(Path(__file__).with_name("values").glob("*.json"))


def at(result: Any, address: str) -> Any:
    """The value at a dotted address; a key that holds dots is found as the longest one that fits."""
    node = result
    parts = address.split(".")
    while parts:
        if isinstance(node, list):
            node = node[int(parts.pop(0))]
            continue
        assert isinstance(node, dict), f"{address}: nothing below {node!r}"
        for cut in range(len(parts), 0, -1):
            key = ".".join(parts[:cut])
            if key in node:
                node, parts = node[key], parts[cut:]
                break
        else:
            raise AssertionError(f"{address}: no {'.'.join(parts)!r} among {list(node)}")
    return node


def cases() -> list[Any]:
    out = []
    for path in VALUES:
        content = json.loads(path.read_text(encoding="utf-8"))
        for case in content["cases"]:
            out.append(pytest.param(content["tool"], case, id=f"{path.stem}-{case['id']}"))
    return out


@pytest.mark.parametrize(("tool", "case"), cases())
def test_value(tool: str, case: dict[str, Any]) -> None:
    source = case["source"]
    assert source["program"] and source["version"] and source["command"], (
        "a reference value carries its provenance"
    )
    result = execute_tool(tool, case["arguments"])
    if "error_code" in case:
        assert result.get("code") == case["error_code"], result
        return
    assert "error" not in result, result
    for address, wanted in case["expect"].items():
        found = at(result, address)
        if wanted is None or isinstance(wanted, str | bool):
            assert found == wanted, address
        else:
            rtol = case.get("rtol", 1e-9)
            assert math.isclose(found, wanted, rel_tol=rtol, abs_tol=case.get("atol", 1e-12)), (
                address,
                found,
                wanted,
            )
