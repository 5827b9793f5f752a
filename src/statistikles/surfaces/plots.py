"""Where `--plot` puts pictures: on the terminal, or into SVG, PNG and HTML files."""

from __future__ import annotations

import argparse
import codecs
import re
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from statistikles.errors import MissingDependency
from statistikles.surfaces.streams import UsageFault, console

if TYPE_CHECKING:
    from statistikles.output.pictures import Picture

__all__ = ["add_plot_flag", "can_draw", "check_plot", "draw_after", "show_pictures", "terminal_text"]

SCREEN = "-"
STYLES = ("violins",)  # those of the table of pictures; named here so that help loads nothing
_FILES = (".svg", ".png", ".html", ".htm")
_WIDEST = 100
_UNSAFE = re.compile(r"[^\w.-]+")


def add_plot_flag(parser: argparse.ArgumentParser, *, folder: bool = False) -> None:
    """The flag `--plot`."""
    more = ", or a folder" if folder else ""
    parser.add_argument(
        "--plot",
        nargs="?",
        const=SCREEN,
        metavar="FILE",
        help=f"draw the picture that fits: here, or into FILE.svg, FILE.png or FILE.html{more}",
    )
    if not folder:
        parser.add_argument(
            "--plot-style", choices=STYLES, default="", help="draw violins where boxes would be drawn"
        )


def check_plot(target: str | None, *, folder: bool = False) -> None:
    """Refuse a target that cannot be written, before anything is computed.

    Raises
    ------
    UsageFault : the name says no kind of picture, or its folder is not there.
    """
    if target is None or target == SCREEN:
        return
    path = Path(target)
    known = path.suffix.lower() in _FILES
    if not known and not (folder and (path.is_dir() or not path.suffix)):
        more = " or a folder" if folder else ""
        raise UsageFault(
            f"--plot cannot draw into '{target}'.",
            f"Name a .svg, .png or .html file{more}; --plot alone draws on the terminal. Put the question before it.",
        )
    if not path.resolve().parent.is_dir():
        raise UsageFault(f"There is no folder '{path.parent}'.", "Check --plot.", "file_not_found")


def can_draw(target: str) -> None:
    """Refuse a file where the package that draws files is missing; what was computed has been shown by then.

    Raises
    ------
    MissingDependency : files are drawn by a package that is not installed.
    """
    if target != SCREEN and find_spec("matplotlib") is None:
        raise MissingDependency("matplotlib", extra="plots")


def terminal_text(picture: Picture, *, height: int = 16) -> str:
    """A picture as the terminal can show it: its width, and signs its encoding knows."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        plain = codecs.lookup(encoding).name not in ("utf-8", "utf-16", "utf-32")
    except LookupError:
        plain = True
    return picture.terminal(min(console().width, _WIDEST), plain=plain, height=height)


def show_pictures(pictures: Sequence[Picture], target: str, *, height: int = 16) -> list[Path]:
    """Draw pictures on the terminal or into files; the files written.

    Parameters
    ----------
    pictures : in order; a second one goes into FILE-2.svg, and so on, or onto the same page.
    target : "-", a file, or a folder.
    height : lines of each picture on the terminal.
    """
    if target == SCREEN:
        for picture in pictures:
            sys.stdout.write("\n" + terminal_text(picture, height=height))
        return []
    path = Path(target)
    if path.suffix.lower() in (".html", ".htm"):
        from statistikles.output.pictures.page import page_html

        path.write_text(page_html(pictures), encoding="utf-8")
        return [path]
    if path.suffix.lower() not in _FILES:
        path.mkdir(exist_ok=True)
    written = []
    for place, picture in enumerate(pictures, start=1):
        file = _file_of(path, place, picture)
        if file.suffix.lower() == ".png":
            file.write_bytes(picture.png())
        else:
            file.write_text(picture.svg(), encoding="utf-8")
        written.append(file)
    return written


def _file_of(path: Path, place: int, picture: Picture) -> Path:
    """The file of the picture at a place."""
    if path.suffix.lower() in _FILES:
        return path if place == 1 else path.with_stem(f"{path.stem}-{place}")
    name = _UNSAFE.sub("-", str(picture.title)).strip("-.")[:60] or picture.kind
    return path / f"{place:02d}-{name}.svg"


def draw_after(pictures: Sequence[Picture], target: str, *, height: int = 16) -> None:
    """Draw what a command was asked to draw, and say where it went (on standard error) or that there is nothing."""
    can_draw(target)
    if not pictures:
        sys.stderr.write("statistikles: there is no picture for this.\n")
        return
    sys.stdout.flush()
    for path in show_pictures(pictures, target, height=height):
        sys.stderr.write(f"written: {path}\n")
