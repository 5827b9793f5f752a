"""The flags of `run TOOL` follow the declarations: each statistic's example can be typed as flags."""

from __future__ import annotations

import json
from typing import Any

import pytest

from statistikles import execute_tool
from statistikles.registry.declare import Statistic
from statistikles.registry.manifest import manifest
from statistikles.surfaces.flags import joined_negatives, named_tool, read_value
from statistikles.surfaces.streams import UsageFault

from .conftest import Run

SPELT_OTHERWISE = {"data": "values"}


def typed(value: Any) -> str:
    """A value as someone would type it."""
    if isinstance(value, list | tuple) and value and all(isinstance(v, int | float | None) for v in value):
        return ",".join("" if v is None else repr(v) for v in value)
    return value if isinstance(value, str) else json.dumps(value)


def test_each_example_can_be_typed_as_flags(stat: Statistic, run: Run) -> None:
    example = json.loads(json.dumps(dict(stat.example)))
    chooser = manifest()["tools"][stat.tool]["chooser"]
    if chooser:
        example[chooser] = stat.subtype
    words = [
        f"--{SPELT_OTHERWISE.get(name, name).replace('_', '-')}={typed(v)}" for name, v in example.items()
    ]
    ran = run("run", stat.tool, *words, "--json")
    assert ran.code == 0, ran.err
    assert ran.json == execute_tool(stat.tool, example)


def test_each_result_can_be_drawn(stat: Statistic, run: Run) -> None:
    example = dict(stat.example)
    chooser = manifest()["tools"][stat.tool]["chooser"]
    if chooser:
        example[chooser] = stat.subtype
    ran = run("run", stat.tool, "--arguments", json.dumps(example))
    assert ran.code == 0, ran.err
    assert "r1" in ran.out
    assert " .000" not in ran.out
    assert "nan" not in ran.out.casefold().replace("covarian", "").replace("varian", "").split()


NUMBERS = {"type": "array", "items": {"type": ["number", "null"]}}
VECTOR = {"anyOf": [NUMBERS, {"type": "string"}, {"type": "object", "properties": {"column": {}}}]}
GROUPS = {
    "anyOf": [{"type": "object", "properties": {"column": {}, "by": {}}}, {"type": "array", "items": VECTOR}]
}
NAMES = {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    ("text", "schema", "value"),
    [
        ("1,2.5,-3e2", VECTOR, [1, 2.5, -300.0]),
        (" 1 , ,NA,null ", VECTOR, [1, None, None, None]),
        ("7", VECTOR, [7]),
        ("body_mass_g", VECTOR, "body_mass_g"),
        ("body mass, g", VECTOR, "body mass, g"),
        ('{"column": "m"}', VECTOR, {"column": "m"}),
        ("[1, null]", VECTOR, [1, None]),
        ("mass ~ species", GROUPS, {"column": "mass", "by": "species"}),
        ("1,2;3,4;", GROUPS, [[1, 2], [3, 4]]),
        ("a, b", NAMES, ["a", "b"]),
        ("3", {"type": "integer"}, 3),
        ("0.5", {"type": "number"}, 0.5),
        ("many", {"type": "number"}, "many"),
        ("true", {"type": "boolean"}, True),
        ("no", {"type": "boolean"}, False),
        ("12", {"type": "string"}, "12"),
        ("[a", {"type": "string"}, "[a"),
    ],
)
def test_reading_a_value(text: str, schema: dict[str, Any], value: Any) -> None:
    assert read_value(text, schema, "x") == value


def test_broken_json_is_a_usage_fault() -> None:
    with pytest.raises(UsageFault, match="--x: this is not valid JSON"):
        read_value("[1,", VECTOR, "x")


def test_the_tool_is_found_past_other_flags() -> None:
    assert named_tool(["run", "--json", "--data", "t_tset", "t_test"]) == "t_test"
    assert named_tool(["run", "--help"]) is None


def test_only_values_are_joined() -> None:
    assert joined_negatives(["--x", "-1,2", "--json", "--y", "-h"]) == ["--x=-1,2", "--json", "--y", "-h"]
