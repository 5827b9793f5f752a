"""The generated Python code, run: every number it prints is the ledger's."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reproduce import cases, variants
from reproduce.comparing import (
    ROOT,
    Ran,
    call_of,
    differences,
    ledger_of_examples,
    numbers_of,
    printed_of,
    reproduced,
    with_template,
)
from statistikles.output.code.script import language_of, script
from statistikles.output.summary import leaves
from statistikles.registry.manifest import load, load_all
from statistikles.tools.workspace import Workspace

CHECKED = with_template("python")


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Ran]:
    workspace = ledger_of_examples(CHECKED)
    return workspace, reproduced(workspace, "python", tmp_path_factory.mktemp("examples"))


@pytest.mark.parametrize("place", range(len(CHECKED)), ids=[s.name for s in CHECKED])
def test_the_example_of_every_statistic(place: int, examples: tuple[Workspace, Ran]) -> None:
    workspace, ran = examples
    entry = workspace.ledger.entries[place]
    assert differences(entry, ran) == []
    assert printed_of(entry, ran) > 0


@pytest.mark.parametrize(
    "changed", [{"alternative": "less"}, {"alternative": "greater"}, {"alpha": 0.1}], ids=str
)
def test_other_sides_and_levels(changed: dict[str, object], tmp_path: Path) -> None:
    workspace = ledger_of_examples([s for s in CHECKED if set(changed) <= set(s.parameters)], [changed])
    ran = reproduced(workspace, "python", tmp_path)
    assert [line for entry in workspace.ledger for line in differences(entry, ran)] == []


def test_analyses_of_a_file_read_that_file(tmp_path: Path) -> None:
    workspace = cases.penguins()
    assert "read_table(" in script(workspace, language_of("python"))
    ran = reproduced(workspace, "python", tmp_path)
    for entry in workspace.ledger:
        assert differences(entry, ran) == []
        assert printed_of(entry, ran) > 3, entry.tool


@pytest.mark.parametrize("make", [variants.of_columns, variants.inline])
def test_other_ways_through_a_statistic(make: Callable[[], Workspace], tmp_path: Path) -> None:
    workspace = make()
    ran = reproduced(workspace, "python", tmp_path)
    assert [line for entry in workspace.ledger for line in differences(entry, ran)] == []
    assert [entry.id for entry in workspace.ledger if printed_of(entry, ran) == 0] == []


def test_the_p_value_of_tied_ranks_is_printed(tmp_path: Path) -> None:
    workspace = variants.tied()
    ran = reproduced(workspace, "python", tmp_path)
    assert [line for entry in workspace.ledger for line in differences(entry, ran)] == []
    asked = [
        entry
        for entry in workspace.ledger
        if entry.arguments.get("type") != "ks_2sample" or "exact" in entry.result["method"]
    ]
    assert [entry.id for entry in asked if f"{entry.id}.p_value" not in ran.printed] == []


@pytest.mark.parametrize("make", [cases.hostile, cases.european, cases.spreadsheet])
def test_files_that_are_not_plain(make: Callable[[Path], Workspace], tmp_path: Path) -> None:
    workspace = make(tmp_path)
    ran = reproduced(workspace, "python", tmp_path)
    for entry in workspace.ledger:
        assert differences(entry, ran) == []
        assert printed_of(entry, ran) > 10
    assert not (tmp_path / "owned").exists()


ALL = [stat for tool in load_all().values() for stat in tool.statistics.values()]


def test_every_statistic_has_code_in_both_languages_as_the_manual_says() -> None:
    both = [s for s in ALL if s.template("R") and s.template("Python")]
    said = re.search(r"(\d+) of (\d+) statistics", (ROOT / "docs" / "reports.md").read_text(encoding="utf-8"))
    assert said is not None
    assert (len(both), len(ALL)) == (int(said[1]), int(said[2]))


def names_set(code: str) -> set[str]:
    """The names that Python code sets at its top level, where other code of the same script would see them."""
    out: set[str] = set()
    waiting: list[ast.AST] = list(ast.parse(code).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            out.add(node.name)
        elif isinstance(node, ast.Name):
            out |= {node.id} if isinstance(node.ctx, ast.Store) else set()
        elif not isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            waiting += ast.iter_child_nodes(node)
    return out


def test_no_code_hides_what_other_code_needs() -> None:
    helpers = (ROOT / "src/statistikles/output/code/helpers/helpers.py.txt").read_text(encoding="utf-8")
    codes = {stat.name: stat.template("Python") for stat in ALL}
    kept = names_set(helpers) | {"entry", "np", "csv", "json", "re"}
    for code in codes.values():
        for node in ast.parse(code).body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                kept |= {(alias.asname or alias.name) for alias in node.names}
    assert "cell_text" in kept and "stats" in kept
    assert {name: names_set(code) & kept for name, code in codes.items() if names_set(code) & kept} == {}
    assert {p for stat in ALL for p in stat.parameters} & kept == set()


def test_calls_that_independent_code_does_not_cover_say_so_and_run(tmp_path: Path) -> None:
    workspace = Workspace(str(cases.PENGUINS))
    cases.computed(
        workspace,
        [
            ("pca", {"x": ["body_mass_g", "bill_length_mm"], "scores": True}),
            (
                "nonlinear_regression",
                {**call_of(load("nonlinear_regression").statistics[""]), "decimal": True},
            ),
        ],
    )
    cases.computed(workspace, [("t_test", {"type": "independent", "group1": [1, 2, 4], "group2": [3, 5, 9]})])
    text = script(workspace, language_of("python"))
    assert text.count("Statistikles itself computes it again") == len(workspace.ledger.entries) - 1
    assert 'execute_tool("pca"' in text
    assert text.index("execute_tool") > text.index("# r3: ") > 0, "independent parts come first"
    assert "computes it with Statistikles itself" in script(workspace, language_of("r"))
    ran = reproduced(workspace, "python", tmp_path)
    for entry in workspace.ledger:
        assert differences(entry, ran) == []
        if entry.tool != "t_test":
            assert printed_of(entry, ran) == len([v for v in numbers_of(entry).values() if v is not None])


def test_code_after_a_picture_needs_nothing_of_statistikles(tmp_path: Path) -> None:
    from statistikles import Session

    session = Session(str(cases.PENGUINS))
    reply = session.ask("Do the three species differ in body mass?")
    assert reply.pictures()
    text = script(session.workspace, language_of("python"))
    assert "statistikles" not in re.sub(r"#.*", "", text)
    ran = reproduced(session.workspace, "python", tmp_path)
    assert [line for entry in session.ledger for line in differences(entry, ran)] == []
    assert [entry.id for entry in session.ledger if printed_of(entry, ran) == 0] == []


def test_every_form_spells_an_address_the_same_way(tmp_path: Path) -> None:
    from statistikles.guardrail.evidence import Evidence
    from statistikles.output.pictures.source import written

    groups = {"männlich": [1.0, 2, 4], "a b": [3.0, 5, 9]}
    workspace = cases.computed(Workspace(), [("t_test", {"type": "independent", "groups": groups})])
    entry = workspace.ledger.entries[0]
    address = 'r1.groups["männlich"].n'
    (tmp_path / "again.py").write_text(script(workspace, language_of("python")), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, tmp_path / "again.py"], capture_output=True, encoding="utf-8", check=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert f"{address} = 3.0" in done.stdout.splitlines()
    assert address in [a for a, _, _ in leaves(entry.result, "r1")]
    assert written("r1", ["groups", "männlich", "n"]) == address
    assert Evidence().address(("r1", "groups", "männlich", "n")) == address


def test_code_of_a_reply_and_on_the_command_line(tmp_path: Path) -> None:
    from statistikles import Session
    from statistikles.errors import InputError
    from statistikles.surfaces.cli import main

    reply = Session(str(cases.PENGUINS)).ask("Do the three species differ in body mass?")
    assert "t_test" not in reply.code("r")
    assert "oneway.test(" in reply.code("r")
    assert "f_oneway(" in reply.code("python")
    with pytest.raises(InputError):
        reply.code("julia")
    ledger, out = tmp_path / "l.jsonl", tmp_path / "code.R"
    question = ["ask", "Do the three species differ in body mass?", "--data", str(cases.PENGUINS)]
    assert main([*question, "--ledger", str(ledger)]) == 0
    assert main(["code", str(ledger), "--out", str(out)]) == 0
    assert "oneway.test(" in out.read_text(encoding="utf-8")
    assert main(["code", str(ledger), "--language", "python", "--json"]) == 0
    assert main([*question, "--code", "python"]) == 0
    assert main([*question, "--code", "r", "--json"]) == 2
