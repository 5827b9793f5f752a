"""Writes into README.md what its first command prints now. Run: python docs/refresh_readme.py"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"(<!-- output: the main job -->\n```text\n).*?(```)", re.S)


def main() -> None:
    """Run the README's question and paste its output."""
    question = "Do the three species differ in body mass?"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "statistikles", "ask", question, "--data", "examples/penguins.csv"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, encoding="utf-8", check=True
    )
    printed = "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    readme.write_text(BLOCK.sub(lambda m: m.group(1) + printed + m.group(2), text), encoding="utf-8")


if __name__ == "__main__":
    main()
