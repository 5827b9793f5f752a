"""Runs generated scripts for real and compares every number they print with the ledger."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from statistikles.output.code.script import language_of, script
from statistikles.output.summary import leaves
from statistikles.registry.declare import Statistic, choose
from statistikles.registry.manifest import load, load_all
from statistikles.tools.ledger import Entry
from statistikles.tools.workspace import Workspace

ROOT = Path(__file__).parents[2]
PENGUINS = ROOT / "examples" / "penguins.csv"
# Relative to the size of the number; numbers below the second are compared with it absolutely. Code whose search stops
# earlier says so in a line "# within 1e-6: why".
RELATIVE, ABSOLUTE = 1e-9, 1e-12
_WITHIN = re.compile(r"^# within (\S+): \S", re.M)


@dataclass(frozen=True)
class Ran:
    """What a script printed, by address."""

    printed: dict[str, str]
    errors: str
    code: int
    language: str


def plain(address: str) -> str:
    """One spelling of an address: r1.groups["a"] and r1.groups.a are the same."""
    return re.sub(r'\["([A-Za-z_]\w*)"\]', r".\1", address.replace("\n", "\\n"))


def interpreter(language: str) -> list[str]:
    """The program that runs scripts of a language; for R the test fails where there is none."""
    if language == "python":
        return [sys.executable]
    found = shutil.which("Rscript")
    assert found is not None, "Rscript is not installed: install r-base-core and r-recommended"
    return [found, "--vanilla"]


def run_script(text: str, language: str, folder: Path) -> Ran:
    """Run a script as a file of its own, in a locale that knows ASCII only."""
    path = folder / ("script.R" if language == "r" else "script.py")
    path.write_text(text, encoding="utf-8")
    environment = dict(os.environ, LC_ALL="C", PYTHONPATH=str(ROOT / "src"), PYTHONIOENCODING="utf-8")
    done = subprocess.run(
        [*interpreter(language), str(path)],
        capture_output=True,
        encoding="utf-8",
        env=environment,
        cwd=folder,
    )
    lines = [re.fullmatch(r"(.*) = (\S+)", line) for line in done.stdout.splitlines()]
    assert all(lines), f"a line that is no address and value: {done.stdout[:500]}"
    return Ran({plain(m[1]): m[2] for m in lines if m}, done.stderr, done.returncode, language)


def reproduced(workspace: Workspace, language: str, folder: Path) -> Ran:
    """The script of a whole ledger, run."""
    ran = run_script(script(workspace, language_of(language)), language, folder)
    assert ran.code == 0, ran.errors[-3000:]
    return ran


def numbers_of(entry: Entry) -> dict[str, float | None]:
    """Every number of an entry by its address; an undefined one is None."""
    return {
        plain(address): value
        for address, _, value in leaves(entry.result, entry.id)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool))
    }


def differences(entry: Entry, ran: Ran) -> list[str]:
    """What a script printed of an entry that is not in the result, or is another number there."""
    wanted = numbers_of(entry)
    relative = tolerance_of(entry, ran.language)
    out = []
    for address, shown in ran.printed.items():
        if not re.match(rf"{entry.id}(?!\d)", address):
            continue
        if shown == "undefined":
            if wanted.get(address) is not None:
                out.append(f"{address}: undefined, but {wanted[address]!r}")
        elif address not in wanted or wanted[address] is None:
            out.append(f"{address}: {shown}, but the result has no such number")
        elif not close(float(shown), float(wanted[address] or 0.0), relative):
            out.append(f"{address}: {shown}, but {wanted[address]!r}")
    return out


def close(a: float, b: float, relative: float = RELATIVE) -> bool:
    """Whether two numbers agree within the stated tolerance."""
    return abs(a - b) <= max(relative * abs(b), ABSOLUTE * max(1.0, relative / RELATIVE))


def tolerance_of(entry: Entry, language: str) -> float:
    """The relative tolerance that the code of an entry's statistic states; the common one when it states none."""
    stat, _ = choose(load(entry.tool), dict(entry.arguments))
    found = _WITHIN.search(stat.template({"r": "R", "python": "Python"}[language]))
    return float(found[1]) if found else RELATIVE


def printed_of(entry: Entry, ran: Ran) -> int:
    """How many numbers of an entry a script printed."""
    return sum(1 for address in ran.printed if re.match(rf"{entry.id}(?!\d)", address))


def with_template(language: str) -> list[Statistic]:
    """The statistics that have independent code in a language."""
    name = {"r": "R", "python": "Python"}[language]
    return [s for tool in load_all().values() for s in tool.statistics.values() if s.template(name)]


def call_of(stat: Statistic, **changed: Any) -> dict[str, Any]:
    """The arguments of a statistic's example, with some changed."""
    chooser = load(stat.tool).chooser
    return {**({chooser: stat.subtype} if chooser else {}), **stat.example, **changed}


def ledger_of_examples(stats: Sequence[Statistic], variants: Sequence[dict[str, Any]] = ({},)) -> Workspace:
    """Every example, and every variant of it that the statistic takes, in one ledger."""
    workspace = Workspace()
    for stat in stats:
        for changed in variants:
            if set(changed) <= set(stat.parameters):
                entry = workspace.execute(stat.tool, call_of(stat, **changed))
                # An effect of the other sign has no sample size; everything else must compute.
                assert not entry.failed or (changed and entry.result["code"] == "no_solution"), entry.result
    return workspace
