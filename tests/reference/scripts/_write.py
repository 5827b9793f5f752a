"""Writes a reference file: the cases of one tool, each with its provenance."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VALUES = Path(__file__).resolve().parents[1] / "values"


class Cases:
    """Collects the cases of one tool and writes `values/<name>.json`."""

    def __init__(self, tool: str, program: str, version: str) -> None:
        self.tool, self.program, self.version = tool, program, version
        self.cases: list[dict[str, Any]] = []

    def add(
        self,
        case_id: str,
        arguments: dict[str, Any],
        expect: dict[str, Any],
        command: str,
        rtol: float = 1e-9,
    ) -> None:
        """A case with expected values by address."""
        self.cases.append(
            {
                "id": case_id,
                "arguments": arguments,
                "expect": expect,
                "rtol": rtol,
                "source": self._source(command),
            }
        )

    def refuse(self, case_id: str, arguments: dict[str, Any], code: str, why: str) -> None:
        """A case that must be refused with a code."""
        self.cases.append(
            {"id": case_id, "arguments": arguments, "error_code": code, "source": self._source(why)}
        )

    def _source(self, command: str) -> dict[str, str]:
        return {"program": self.program, "version": self.version, "command": command}

    def write(self, name: str | None = None) -> None:
        """Write the file."""
        content = {"tool": self.tool, "cases": self.cases}
        path = VALUES / f"{name or self.tool}.json"
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
