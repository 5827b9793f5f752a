"""Fonts of drawn pictures, and texts filled into lines by the width of their letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from statistikles.output.pictures.spec import Picture

__all__ = ["LETTERS", "LEVEL", "WIDTH", "cut", "families", "fill", "printable", "room_across", "width_of"]

WIDTH = 6.4  # inches of a picture
LETTERS = 9.0  # points
LEVEL = 1.9  # inches for the name of a category
_SIDES = 0.9  # inches that labels and margins take beside the axes
_FONTS = ("DejaVu Sans", "Verdana", "sans-serif")
# Tried in this order for letters that the first font lacks, where the machine has them.
_MORE_FONTS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Source Han Sans", "WenQuanYi Zen Hei", "Hiragino Sans",
    "PingFang SC", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Arial Unicode MS", "Noto Sans",
)  # fmt: skip
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
# What a line break may not part: 'p < .001', 'r = 0.87', '[0.84, 0.89]'.
_TOGETHER = re.compile(r"\S+ [=<>] \S+|(?:\d+% CI )?\[[^\]]{1,40}\]")
_POINTS = 72.0  # an inch
_FINE = 720.0  # dots an inch letters are measured at, so that rounding to whole dots adds nothing
_FIRST_FOREIGN = 0x2E80  # the usual fonts know nothing from here on


def printable(text: str) -> str:
    """A text without signs that XML forbids."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def families(picture: Picture) -> list[str]:
    """The fonts to draw with: more than the usual ones only where a picture needs them and the machine has them."""
    from statistikles.output.pictures.source import walk
    from statistikles.output.pictures.spec import Said

    letters = "".join(str(part) for part in walk(picture) if isinstance(part, Said))
    if all(ord(c) < _FIRST_FOREIGN for c in letters):
        return list(_FONTS)
    return [_FONTS[0], *_foreign(), *_FONTS[1:]]


@lru_cache(maxsize=1)
def _foreign() -> tuple[str, ...]:
    """Those of the further fonts that are here; matplotlib's own list is older than a font installed since."""
    from matplotlib import font_manager

    def known() -> tuple[str, ...]:
        here = {font.name for font in font_manager.fontManager.ttflist}
        return tuple(name for name in _MORE_FONTS if name in here)

    if not known():
        wanted = tuple(name.replace(" ", "").lower() for name in _MORE_FONTS[:-1])
        for path in sorted(font_manager.findSystemFonts()):
            if "".join(Path(path).stem.lower().split("-")[:1]).startswith(wanted) or "cjk" in path.lower():
                font_manager.fontManager.addfont(path)
    return known()


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """Inches that a text takes; a wide letter takes a whole em even where no font here has it."""
    from matplotlib.font_manager import FontProperties

    look: dict[str, Any] = {"size": size, "weight": "bold" if bold else "normal"}
    text = re.sub(r"[\n\r\t]", " ", text)
    wide = sum(1 for c in text if unicodedata.east_asian_width(c) in "WF")
    rest = "".join(c for c in text if unicodedata.east_asian_width(c) not in "WF")
    measured = (
        _renderer().get_text_width_height_descent(rest, FontProperties(**look), False)[0] if rest else 0.0
    )
    return float(measured) / _FINE + wide * size / _POINTS


@lru_cache(maxsize=1)
def _renderer() -> Any:
    from matplotlib.backends.backend_agg import RendererAgg

    return RendererAgg(8, 8, _FINE)  # type: ignore[no-untyped-call]


def fill(text: str, size: float, room: float, *, bold: bool = False, most: int | None = None) -> list[str]:
    """The lines of a text that is `room` inches wide; with `most` lines, what is left over ends in an ellipsis."""
    text = re.sub(r"[\n\r\t]", " ", text)
    text = _TOGETHER.sub(lambda found: found.group().replace(" ", "\N{NO-BREAK SPACE}"), text)
    lines: list[str] = []
    for word in text.split(" "):
        if not word:
            continue
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, bold=bold) <= room:
            lines[-1] = longer
            continue
        pieces = _pieces(word, size, room, bold=bold)
        lines += pieces
    if most is not None and len(lines) > most:
        lines = [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), size, room, bold=bold)]
    return lines


def _pieces(word: str, size: float, room: float, *, bold: bool) -> list[str]:
    """A word, in pieces where it is wider than a line."""
    if width_of(word, size, bold=bold) <= room:
        return [word]
    pieces = [""]
    for letter in word:
        if pieces[-1] and width_of(pieces[-1] + letter, size, bold=bold) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def room_across(picture: Picture) -> float:
    """Inches of the axes themselves: without the names left of them and the texts right of them."""
    from statistikles.output.pictures.spec import TextAt

    names = [*picture.y.levels, *picture.y.tick_labels]
    lines = [printable(line) for name in names for line in str(name).split("\n")]
    left = min(LEVEL, max((width_of(line, LETTERS) for line in lines), default=0.0))
    beside = [printable(str(m.text)) for m in picture.marks if isinstance(m, TextAt) and m.x is None]
    return WIDTH - _SIDES - left - max((width_of(text, LETTERS) for text in beside), default=0.0)


def cut(text: str, size: float, room: float, *, bold: bool = False) -> str:
    """A text, ended by an ellipsis where it is too wide."""
    if width_of(text, size, bold=bold) <= room:
        return text
    while text and width_of(text + "…", size, bold=bold) > room:
        text = text[:-1]
    return text.rstrip() + "…"
