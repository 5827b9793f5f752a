"""Every finding has a code with a meaning, and the page of them is the one that the code tables give."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from statistikles.output.stewardship_page import page
from statistikles.pipeline import canonicalise, stewardship
from statistikles.pipeline.canonicalise.codes import CODES
from statistikles.pipeline.canonicalise.decisions import KEYS
from statistikles.pipeline.findings import SEVERITIES, STAGES
from statistikles.pipeline.sources import load
from statistikles.pipeline.stewardship import examine
from statistikles.pipeline.stewardship.codes import EXAMINED

ROOT = Path(__file__).parents[2]
# Where the code stands among the arguments of what makes a finding.
_PLACES = {"Finding": 0, "notice": 0, "_impossible": 2, "_violated": 2, "_say": 1}


def _emitted(package: Path) -> Iterator[str]:
    for path in package.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _PLACES:
                place = _PLACES[node.func.id]
                if len(node.args) > place:
                    yield from _texts(node.args[place])


def _texts(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


@pytest.mark.parametrize(
    ("package", "known"),
    [(canonicalise, CODES), (stewardship, EXAMINED)],
    ids=["canonicalise", "stewardship"],
)
def test_every_code_has_a_meaning(package: object, known: dict[str, object]) -> None:
    folder = Path(str(getattr(package, "__file__", ""))).parent
    emitted = set(_emitted(folder))
    assert len(emitted) > 20 and emitted <= set(known)


def test_no_code_is_without_use() -> None:
    source = ROOT / "src" / "statistikles" / "pipeline"
    text = "".join(p.read_text(encoding="utf-8") for p in source.rglob("*.py") if p.name != "codes.py")
    assert not [code for code in (*CODES, *EXAMINED) if f'"{code}"' not in text]


def test_constraints_that_break_have_codes_too() -> None:
    table = load({"a": [1, 2, 3, 4], "b": ["x", "y", "x", None]})
    rules = {
        "columns": {
            "a": {"min": 2, "max": 3, "above": 1, "below": 4},
            "b": {"not_null": True, "unique": True},
        }
    }
    found = [f for f in examine(table, constraints=rules).findings if f.stage == "validate"]
    assert len(found) == 7
    for finding in found:
        assert finding.severity in EXAMINED[finding.code].severities


def test_the_tables_are_sound() -> None:
    assert not set(CODES) & set(EXAMINED)
    for code in CODES.values():
        assert code.severity in SEVERITIES and set(code.keys) <= set(KEYS)
    for meaning in EXAMINED.values():
        assert meaning.stage in STAGES and meaning.stage != "canonicalise"


def test_the_page_is_fresh() -> None:
    assert (ROOT / "docs" / "stewardship.md").read_text(encoding="utf-8") == page()
