"""The generated Python code, run: every number it prints is the ledger's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reproduce import cases, variants
from reproduce.comparing import (
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
from statistikles.registry.declare import Statistic
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
    assert [entry.id for entry in workspace.ledger if printed_of(entry, ran) < 3] == []


@pytest.mark.parametrize("make", [cases.hostile, cases.european, cases.spreadsheet])
def test_files_that_are_not_plain(make: Callable[[Path], Workspace], tmp_path: Path) -> None:
    workspace = make(tmp_path)
    ran = reproduced(workspace, "python", tmp_path)
    for entry in workspace.ledger:
        assert differences(entry, ran) == []
        assert printed_of(entry, ran) > 10
    assert not (tmp_path / "owned").exists()


WITHOUT = [stat for tool in load_all().values() for stat in tool.statistics.values() if stat not in CHECKED]


@pytest.mark.parametrize("without", WITHOUT, ids=[s.name for s in WITHOUT])
def test_what_has_no_independent_code_says_so(without: Statistic) -> None:
    workspace = Workspace()
    entry = workspace.execute(without.tool, call_of(without))
    text = script(workspace, language_of("python"))
    assert "Statistikles itself computes it again" in text
    assert f'execute_tool("{without.tool}"' in text
    assert numbers_of(entry)
    assert "computes it with Statistikles itself" in script(workspace, language_of("r"))


def test_calls_that_independent_code_does_not_cover_run(tmp_path: Path) -> None:
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
    ran = reproduced(workspace, "python", tmp_path)
    for entry in workspace.ledger:
        assert differences(entry, ran) == []
        assert printed_of(entry, ran) == len([v for v in numbers_of(entry).values() if v is not None])


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
