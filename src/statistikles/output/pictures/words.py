"""Words in a terminal picture: names cut to a width, numbers at ticks, and signs that every terminal has."""

from __future__ import annotations

from collections.abc import Sequence

from statistikles.output.pictures.spec import Said

__all__ = [
    "FILLS",
    "SIGNS",
    "cells",
    "clipped",
    "fitted",
    "in_plain_signs",
    "number",
    "one_line",
    "tick_line",
]

SIGNS = "●×+o#@%*-"  # one for each colour of lines
FILLS = "█▒░▓#=+%:"  # one for each colour of bars

_PLAIN = {
    "█": "#", "▓": "%", "▒": "=", "░": ":", "▏": "|", "▎": "|", "▍": "#", "▌": "#", "▋": "#", "▊": "#", "▉": "#",
    "▁": "_", "▂": "_", "▃": "=", "▄": "=", "▅": "#", "▆": "#", "▇": "#", "─": "-", "│": "|", "┤": "|", "├": "|",
    "└": "+", "┊": ":", "┄": "-", "━": "=", "┃": "|", "●": "o", "○": "o", "◆": "*", "▲": "^", "■": "#", "·": ".", "…": "~",
    "−": "-", "–": "-", "×": "x", "²": "2", "χ": "chi", "τ": "tau", "ρ": "rho", "η": "eta", "±": "+/-", "∞": "inf",
    "∴": ":", "▪": ":",
}  # fmt: skip
_BRAILLE = {chr(c): "." if c == 0x2801 or bin(c).count("1") < 3 else ":" for c in range(0x2801, 0x2900)}
_TABLE = str.maketrans({**_PLAIN, **_BRAILLE})


def in_plain_signs(text: str) -> str:
    """The same picture in ASCII signs; names of the data stay as they are."""
    return text.translate(_TABLE)


def one_line(text: str | Said) -> str:
    """A text in one line, without signs that move the cursor."""
    return " ".join("".join(c if c.isprintable() else " " for c in str(text)).split())


def cells(text: str) -> int:
    """How many places of a terminal a text takes."""
    from rich.cells import cell_len

    return cell_len(text)


def fitted(text: str, width: int) -> str:
    """A text cut or filled to so many cells, wide letters counted as two."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) > width:
        return set_cell_size(text, max(0, width - 1)) + "…"
    return set_cell_size(text, width)


def clipped(text: str, width: int) -> str:
    """A line cut where it is too wide."""
    from rich.cells import cell_len

    return text if cell_len(text) <= width else fitted(text, width)


def number(value: float) -> str:
    """A number at a tick."""
    text = f"{value:.6g}"
    return text.replace("-", "−")


def tick_line(marks: Sequence[tuple[float, str]], width: int, *, clash: str = "") -> str:
    """Texts centred at places; one that would touch the one before is left out (or shown as `clash`)."""
    line = [" "] * width
    free = 0
    for place, text in sorted(marks):
        start = min(max(0, int(place) - len(text) // 2), max(0, width - len(text)))
        if start < free and not clash:
            continue
        for i, letter in enumerate(text[: width - start]):
            line[start + i] = letter
        free = start + len(text) + 1
    return "".join(line).rstrip()
