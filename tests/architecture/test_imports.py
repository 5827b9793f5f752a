"""The floors hold, and starting loads nothing heavy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = (
    "numpy",
    "scipy",
    "pandas",
    "polars",
    "pyarrow",
    "duckdb",
    "narwhals",
    "rich",
    "prompt_toolkit",
    "pydantic",
    "pint",
)


def run_python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=environment, cwd=ROOT, check=False
    )


def test_every_import_contract_is_kept() -> None:
    done = run_python("from importlinter.cli import lint_imports_command as run; run()")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


START = {
    "import": "import statistikles",
    "public names listed": "import statistikles; dir(statistikles)",
    "get_tools": "import statistikles; statistikles.get_tools()",
    "help": "from statistikles.surfaces.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
    "version": "from statistikles.surfaces.cli import main\ntry: main(['--version'])\nexcept SystemExit: pass",
    "tools": "from statistikles.surfaces.cli import main; main(['tools'])",
    "one tool": "from statistikles.surfaces.cli import main; main(['tools', 't_test', '--json'])",
    "flags of a tool": (
        "from statistikles.surfaces.cli import main\ntry: main(['run', 't_test', '--help'])\nexcept SystemExit: pass"
    ),
}


@pytest.mark.parametrize("name", START)
def test_starting_loads_nothing_heavy(name: str) -> None:
    probe = f"\nimport sys; print('LOADED', *sorted({HEAVY!r} & sys.modules.keys()))".replace(
        repr(HEAVY), f"set({HEAVY!r})"
    )
    done = run_python(START[name] + probe)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "LOADED"


def test_the_kernel_does_not_load_scipy_stats() -> None:
    done = run_python(
        "from statistikles.registry.manifest import load_all; load_all(); import sys\n"
        "print('LOADED', *sorted({'scipy.stats', 'statsmodels', 'sklearn', 'pandas', 'duckdb'} & sys.modules.keys()))"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "LOADED"
