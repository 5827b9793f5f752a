"""The generated R code, run by R when STATISTIKLES_R=1: every number it prints is the ledger's."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from reproduce import cases, variants
from reproduce.comparing import Ran, differences, ledger_of_examples, printed_of, reproduced, with_template
from statistikles.output.code.script import language_of, script
from statistikles.tools.workspace import Workspace

pytestmark = pytest.mark.skipif(
    os.environ.get("STATISTIKLES_R") != "1", reason="R is run by .ci/run, with STATISTIKLES_R=1"
)
CHECKED = with_template("r")


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, Ran]:
    workspace = ledger_of_examples(CHECKED)
    return workspace, reproduced(workspace, "r", tmp_path_factory.mktemp("examples"))


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
    ran = reproduced(workspace, "r", tmp_path)
    assert [line for entry in workspace.ledger for line in differences(entry, ran)] == []


def test_analyses_of_a_file_read_that_file(tmp_path: Path) -> None:
    workspace = cases.penguins()
    assert "read_table(" in script(workspace, language_of("r"))
    ran = reproduced(workspace, "r", tmp_path)
    for entry in workspace.ledger:
        assert differences(entry, ran) == []
        assert printed_of(entry, ran) > 3, entry.tool


@pytest.mark.parametrize("make", [variants.of_columns, variants.inline])
def test_other_ways_through_a_statistic(make: Callable[[], Workspace], tmp_path: Path) -> None:
    workspace = make()
    ran = reproduced(workspace, "r", tmp_path)
    assert [line for entry in workspace.ledger for line in differences(entry, ran)] == []
    assert [entry.id for entry in workspace.ledger if printed_of(entry, ran) == 0] == []


def test_the_p_value_of_tied_ranks_is_printed(tmp_path: Path) -> None:
    workspace = variants.tied()
    ran = reproduced(workspace, "r", tmp_path)
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
    ran = reproduced(workspace, "r", tmp_path)
    for entry in workspace.ledger:
        assert differences(entry, ran) == []
        assert printed_of(entry, ran) > 10
    assert not (tmp_path / "owned").exists()
