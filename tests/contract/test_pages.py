"""The documentation pages say what the declarations say now."""

from __future__ import annotations

from pathlib import Path

from statistikles.output.pages import build

FOLDER = Path(__file__).parents[2] / "docs" / "tools"


def without_numbers(text: str) -> list[str]:
    """The lines of a page outside its example output, whose last digits may differ between platforms."""
    kept, inside = [], False
    for line in text.splitlines():
        inside = (line == "gives") or (inside and line != "```")
        if not inside and not line.startswith("As a sentence"):
            kept.append(line)
    return kept


def test_the_pages_are_fresh() -> None:
    content = build()
    assert {p.name for p in FOLDER.glob("*.md")} == set(content), "run: python -m statistikles.output.pages"
    for name, text in content.items():
        old = (FOLDER / name).read_text(encoding="utf-8")
        assert without_numbers(old) == without_numbers(text), (
            f"{name}: run: python -m statistikles.output.pages"
        )
