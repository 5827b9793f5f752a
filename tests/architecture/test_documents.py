"""The documents agree with the code: links, decisions, dependencies, the README's commands and what they print."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
RECORDS = sorted((ROOT / "docs" / "adr").glob("0*.md"))
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)


@pytest.mark.parametrize("path", DOCUMENTS, ids=[str(p.relative_to(ROOT)) for p in DOCUMENTS])
def test_links_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(without_code(path.read_text(encoding="utf-8"))):
        if re.match(r"https?://|#|mailto:", target):
            continue
        assert (path.parent / target.partition("#")[0]).exists(), target


def test_every_decision_is_listed_with_its_title() -> None:
    index = (ROOT / "docs" / "adr" / "README.md").read_text(encoding="utf-8")
    assert RECORDS
    for record in RECORDS:
        title = record.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        number, _, name = title.partition(" ")
        assert record.name.startswith(number)
        assert f"| [{number}]({record.name}) | {name} |" in index


def test_every_dependency_has_its_reason() -> None:
    page = (ROOT / "docs" / "adr" / "0002-dependencies.md").read_text(encoding="utf-8")
    optional = PROJECT["project"]["optional-dependencies"]
    wanted = [*PROJECT["project"]["dependencies"], *(d for extra in optional.values() for d in extra)]
    explained = {name.strip() for row in re.findall(r"^\| ([^|]+) \|", page, re.M) for name in row.split(",")}
    names = {re.split(r"[<>=\[; ]", d)[0] for d in wanted}
    assert names <= explained, names - explained


def setup_commands() -> list[str]:
    """The commands a newcomer types, found as `.ci/run` finds them."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return [c.strip() for c in re.findall(r"<!-- setup: [^>]*-->\s*```sh\n(.*?)```", text, re.S)]


def test_the_readme_has_two_setup_commands_that_ci_finds_too() -> None:
    commands = setup_commands()
    assert len(commands) == 2
    assert all("\n" not in command for command in commands)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    finder = re.search(r"^commands\(\) \{ (awk .*) README\.md; \}$", script, re.M)
    assert finder is not None
    found = subprocess.run(
        [*shlex.split(finder.group(1)), "README.md"], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert found.stdout.splitlines() == commands


def test_the_changelog_names_the_version_or_is_unreleased() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in text or f"## [{PROJECT['project']['version']}]" in text


TEXTS = [
    path
    for path in ROOT.rglob("*")
    if path.suffix in (".py", ".md", ".toml", ".json", ".jsonl", ".csv", ".tsv", ".R", "")
    and path.is_file()
    and not any(part.startswith(".") and part != ".ci" for part in path.relative_to(ROOT).parts)
    and not {"build", "dist", "__pycache__", "node_modules", "venv"} & set(path.relative_to(ROOT).parts)
]


def test_no_file_names_a_place_of_one_machine() -> None:
    places = re.compile(r"(?<![\w.])/(?:work|home|Users|root)/\w")
    assert len(TEXTS) > 100
    for path in TEXTS:
        found = places.search(path.read_text(encoding="utf-8", errors="replace"))
        assert found is None, f"{path}: {found and found.group()}"
