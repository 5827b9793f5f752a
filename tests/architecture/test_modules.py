"""Every module says what it holds, stays small and runs no text as code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "src" / "statistikles").rglob("*.py"))
MAX_MODULE_LINES = 500
MAX_FUNCTION_LINES = 60
NAMES = [str(path.relative_to(ROOT / "src")) for path in MODULES]


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body without the docstring, which documents every argument and may be long."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_the_modules_are_found() -> None:
    assert len(MODULES) > 40


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_the_first_line_says_what_lives_there(path: Path) -> None:
    first = path.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith('"""')
    assert len(first) > 20


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_modules_and_functions_are_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_MODULE_LINES
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = code_lines(node)
            assert length <= MAX_FUNCTION_LINES, f"{node.name} has {length} lines"


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_no_text_is_run_as_code(path: Path) -> None:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("eval", "exec", "compile", "__import__"), f"line {node.lineno}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            assert not names & {"pickle", "marshal", "shelve"}, f"line {node.lineno}"


@pytest.mark.parametrize("path", MODULES, ids=NAMES)
def test_nothing_is_left_unfinished(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not [word for word in ("TODO", "FIXME", "XXX", "HACK", "NotImplemented(") if word in text]
