"""Running the command line in this process, as the console script does."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from statistikles.surfaces.cli import main

ROOT = Path(__file__).parents[2]
PENGUINS = str(ROOT / "examples" / "penguins.csv")


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command; the exit code and both streams. A traceback is never an answer."""
    monkeypatch.delenv("STATISTIKLES_DEBUG", raising=False)
    monkeypatch.delenv("STATISTIKLES_MODEL", raising=False)
    monkeypatch.delenv("STATISTIKLES_LM_URL", raising=False)
    monkeypatch.setenv("COLUMNS", "100")

    def ran(*arguments: str, stdin: str | bytes = "", environment: Mapping[str, str] | None = None) -> Ran:
        for name, value in (environment or {}).items():
            monkeypatch.setenv(name, value)
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.out + captured.err
        return Ran(code, captured.out, captured.err)

    return ran


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., str]:
    """A file with this content; its path."""

    def made(content: str | bytes, name: str = "table.csv") -> str:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return made
