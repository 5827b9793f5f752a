"""Pictures as SVG and PNG through matplotlib: it draws what the specification says and computes nothing."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any

from statistikles.errors import MissingDependency
from statistikles.output.pictures import marks as drawn
from statistikles.output.pictures.grid import log_ticks
from statistikles.output.pictures.lettering import (
    LETTERS,
    LEVEL,
    WIDTH,
    cut,
    families,
    fill,
    printable,
    room_across,
)
from statistikles.output.pictures.spec import Axis, Cells, Picture, RiskTable, TextAt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_png", "draw_svg", "laid_out"]

_NOTE_SIZE, _NOTE_LINE = 7.5, 0.15  # points, inches a line
_TITLE = 11.0  # points
_OVER_AND_UNDER = 0.9  # inches that labels and margins take over and under the axes
_LOG_TICKS = 8
_PANEL = 2.0  # inches that one row of panels is high
_ROOM = 0.97  # of the width, for texts
_SETTINGS: dict[str, Any] = {
    "svg.hashsalt": "statistikles",
    "svg.fonttype": "none",  # text stays text: it can be read aloud, searched and shown in the reader's fonts
    "text.parse_math": False,  # a column may be called "price in $"
    "text.usetex": False,
    "font.size": LETTERS,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "axes.labelcolor": "#222222",
    "axes.unicode_minus": True,
    "axes.linewidth": 0.8,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "xtick.labelcolor": "#222222",
    "ytick.labelcolor": "#222222",
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "savefig.facecolor": "white",
    "path.simplify": False,
    "agg.path.chunksize": 0,
}


def draw_svg(picture: Picture) -> str:
    """The picture as SVG with title and description."""
    with laid_out(picture) as figure:
        buffer = io.StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(buffer, format="svg", metadata=nothing)
    return _described(buffer.getvalue(), picture)


def draw_png(picture: Picture, dpi: int) -> bytes:
    """The picture as PNG without metadata."""
    with laid_out(picture) as figure:
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def _described(svg: str, picture: Picture) -> str:
    """The SVG with what a screen reader says, and without what changes from version to version."""
    start = svg.index("<svg")
    end = svg.index(">", start)
    head = svg[start:end].replace(
        "<svg", '<svg role="img" aria-label="' + _attribute(str(picture.title)) + '"', 1
    )
    words = " ".join(
        [str(picture.description), *(str(note) for note in picture.notes), picture.provenance.line()]
    )
    told = (
        f"\n <title>{escape(printable(str(picture.title)))}</title>\n <desc>{escape(printable(words))}</desc>"
    )
    body = re.sub(r"\n <metadata>.*?</metadata>", "", svg[end + 1 :], flags=re.DOTALL)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{head}>{told}{body}'


def _attribute(text: str) -> str:
    return escape(printable(" ".join(text.split())), quote=True)


@contextmanager
def laid_out(picture: Picture) -> Iterator[Figure]:
    """The figure, under our settings and no others; a letter without a glyph is no reason to fail."""
    try:
        import matplotlib
    except ImportError:
        raise MissingDependency("matplotlib", extra="plots") from None
    found = logging.getLogger("matplotlib.font_manager")
    before = found.level
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from", category=UserWarning)
        matplotlib.rcdefaults()
        settings: Any = {**_SETTINGS, "font.family": families(picture)}
        matplotlib.rcParams.update(settings)
        found.setLevel(logging.ERROR)
        try:
            yield _figure(picture)
        finally:
            found.setLevel(before)


def _figure(picture: Picture) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    notes = _note_lines(picture)
    height = _height(picture)
    below = _NOTE_LINE * (len(notes) + 1) + 0.12
    total = height + below
    figure = Figure(figsize=(WIDTH, total))
    FigureCanvasAgg(figure)
    figure.set_layout_engine(
        ConstrainedLayoutEngine(rect=(0.0, below / total, 1.0, 1.0 - below / total), h_pad=0.06, w_pad=0.08)
    )
    title = "\n".join(fill(printable(str(picture.title)), _TITLE, _ROOM * WIDTH, bold=True, most=3))
    figure.suptitle(title, x=0.015, ha="left", fontsize=_TITLE, fontweight="bold", color="#111111")
    if picture.panels:
        _draw_panels(figure, picture)
    else:
        _draw_one(figure.add_subplot(), picture)
    for i, line in enumerate([*notes, printable(picture.provenance.line())]):
        place = (below - _NOTE_LINE * (i + 0.3)) / total
        colour = "#444444" if i < len(notes) else "#767676"
        figure.text(0.015, place, line, fontsize=_NOTE_SIZE, color=colour, va="top")
    return figure


def _draw_one(axes: Axes, picture: Picture) -> None:
    drawn.draw_marks(axes, picture)
    _set_axes(axes, picture)
    drawn.draw_legend(axes, picture)


def _draw_panels(figure: Figure, picture: Picture) -> None:
    """Side by side, with one scale along x; the axes are named at the edges."""
    columns = _panel_columns(picture)
    rows = -(-len(picture.panels) // columns)
    grid = figure.subplots(rows, columns, sharex=True, squeeze=False)
    room = WIDTH / columns - 0.5
    for place, axes in enumerate(grid.flat):
        if place >= len(picture.panels):
            axes.remove()
            continue
        panel = picture.panels[place]
        part = replace(picture, marks=panel.marks, panels=())
        _draw_one(axes, part)
        lines = [cut(printable(line), LETTERS, room) for line in str(panel.title).split("\n")]
        axes.set_title("\n".join(lines), fontsize=LETTERS, loc="left")
        axes.set_ylabel("\n".join(fill(printable(str(picture.y.label)), LETTERS, _PANEL - 0.3, most=2)))
        if place % columns:
            axes.set_ylabel("")
        if place + columns < len(picture.panels):
            axes.set_xlabel("")
        else:
            axes.set_xlabel("\n".join(fill(printable(str(picture.x.label)), LETTERS, room, most=2)))
            axes.tick_params(labelbottom=True)


def _panel_columns(picture: Picture) -> int:
    count = len(picture.panels)
    return count if count <= 3 else 2 if count == 4 else 3


def _note_lines(picture: Picture) -> list[str]:
    """The notes, filled into lines."""
    return fill(" ".join(printable(str(note)) for note in picture.notes), _NOTE_SIZE, _ROOM * WIDTH)


def _height(picture: Picture) -> float:
    """Inches for title, axes and risk table."""
    if picture.panels:
        return 0.9 + _PANEL * -(-len(picture.panels) // _panel_columns(picture))
    rows = max(len(picture.y.levels), len(picture.y.ticks) if picture.y.tick_labels else 0)
    if any(isinstance(mark, Cells) for mark in picture.marks):
        return 2.0 + 0.42 * rows
    if rows:
        tall = 0.46 if any("\n" in str(level) for level in picture.y.levels) else 0.36
        return max(2.2, 1.5 + tall * rows)
    table = sum(len(m.rows) + 1 for m in picture.marks if isinstance(m, RiskTable))
    return 4.0 + 0.2 * table


def _set_axes(axes: Axes, picture: Picture) -> None:
    if picture.kind == "roc":
        axes.set_aspect("equal")
    cells = any(isinstance(mark, Cells) for mark in picture.marks)
    _set_axis(axes, picture.x, "x", room_across(picture), upright=not cells)
    _set_axis(axes, picture.y, "y", _height(picture) - _OVER_AND_UNDER, upright=True)
    if cells:
        axes.spines["left"].set_visible(False)  # and no grid: lines would run through empty cells
        axes.spines["bottom"].set_visible(False)
        axes.tick_params(length=0)
    elif picture.y.levels or picture.y.tick_labels:
        axes.spines["left"].set_visible(False)
        axes.tick_params(axis="y", length=0)
        if not any(isinstance(mark, TextAt) and mark.x is not None for mark in picture.marks):
            axes.grid(axis="x", color="#e6e6e6", linewidth=0.6)
    else:
        axes.grid(axis="y", color="#e6e6e6", linewidth=0.6)
    axes.set_axisbelow(True)


def _set_axis(axes: Axes, axis: Axis, which: str, room: float, *, upright: bool) -> None:
    label = "\n".join(fill(printable(str(axis.label)), LETTERS, room, most=2))
    line = getattr(axes, f"{which}axis")
    line.set_label_text(label)
    if axis.log:
        _log_scale(axes, line, which)
    elif axis.levels:
        space = LEVEL if which == "y" or not upright else min(LEVEL, (WIDTH - 1.0) / len(axis.levels) - 0.1)
        line.set_ticks(range(len(axis.levels)), [_level(str(level), space) for level in axis.levels])
        low, high = -0.6, len(axis.levels) - 0.4
        getattr(axes, f"set_{which}lim")((high, low) if axis.reverse else (low, high))
        if not upright:
            for text in line.get_ticklabels():
                text.set_rotation(40)
                text.set_ha("right")
                text.set_rotation_mode("anchor")
        return
    elif axis.tick_labels:
        line.set_ticks(axis.ticks.finite(), [_level(str(t), LEVEL) for t in axis.tick_labels])
    elif len(axis.ticks):
        line.set_ticks(axis.ticks.finite(), [f"{t:g}" for t in axis.ticks.finite()])
    elif axis.percent:
        from matplotlib.ticker import PercentFormatter

        line.set_major_formatter(PercentFormatter(xmax=1.0, decimals=None))
        axes.locator_params(axis=which, nbins=7)  # type: ignore[arg-type]
    else:
        axes.ticklabel_format(axis=which, useOffset=False, scilimits=(-5, 7))  # type: ignore[arg-type]
        axes.locator_params(axis=which, nbins=7)  # type: ignore[arg-type]
    _limits(axes, axis, which)


def _limits(axes: Axes, axis: Axis, which: str) -> None:
    get, put = getattr(axes, f"get_{which}lim"), getattr(axes, f"set_{which}lim")
    low, high = sorted(get())
    if axis.low is not None:
        low = axis.low if axis.high is None or which == "x" else axis.low - 0.02
    if axis.high is not None:
        high = axis.high + (0.02 if which == "y" else 0.0)
    if axis.tick_labels and which == "y":
        low, high = min(axis.ticks.finite()) - 0.6, max(axis.ticks.finite()) + 0.6
    if axis.reverse:
        low, high = high, low
    put(low, high)


def _log_scale(axes: Axes, line: Any, which: str) -> None:
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

    getattr(axes, f"set_{which}scale")("log")
    low, high = sorted(getattr(axes, f"get_{which}lim")())
    line.set_major_locator(FixedLocator(log_ticks(low, high, _LOG_TICKS)))
    line.set_minor_locator(NullLocator())
    line.set_major_formatter(FuncFormatter(lambda v, _: f"{v:g}"))
    line.set_minor_formatter(NullFormatter())


def _level(text: str, room: float) -> str:
    """The name of a category in at most two lines, its count below."""
    name, _, size = printable(text).partition("\n")
    lines = fill(name, LETTERS, room, most=2)
    return "\n".join([*lines, size] if size else lines)
