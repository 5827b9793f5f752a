"""How each mark of a picture is drawn on matplotlib axes, and its colours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from statistikles.output.pictures.lettering import cut, fill, printable, room_across, width_of
from statistikles.output.pictures.spec import (
    WHITE,
    Area,
    Bars,
    Boxes,
    Cells,
    Intervals,
    Line,
    Numbers,
    Picture,
    Points,
    RiskTable,
    Rule,
    TextAt,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["COLOURS", "draw_legend", "draw_marks"]

# Okabe and Ito: told apart with any colour vision; then grey and black.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#8A8A8A", "#222222")
_PALE = "#c9dcea"
_DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 2)),
    (0, (1, 1.2)),
    (0, (5, 1.5, 1, 1.5)),
    (0, (3, 1, 1, 1, 1, 1)),
    (0, (8, 2)),
)
_HANDLE = 0.55  # inches of a sign in a legend
_LEGEND_LETTERS = 8.0
_FIRST_ROW = 42  # points below the axes where a risk table begins
_ROW = 12


def draw_marks(axes: Axes, picture: Picture) -> None:
    """All marks in their order."""
    for mark in picture.marks:
        _DRAWERS[type(mark)](axes, mark)


def _gaps(numbers: Numbers) -> list[float]:
    """The values; what is undefined is a gap."""
    return [math.nan if v is None else v for v in numbers.values]


def _points(axes: Axes, mark: Points) -> None:
    colour = COLOURS[mark.colour % len(COLOURS)]
    x, y = _gaps(mark.x), _gaps(mark.y)
    if mark.sizes is not None:
        most = max(mark.sizes.finite(), default=1.0) or 1.0
        sizes = [max(12.0, 110.0 * (v or 0.0) / most) for v in mark.sizes.values]
        axes.scatter(x, y, s=sizes, marker=mark.sign, color=colour, linewidths=0, zorder=4)
    elif mark.sign == "|":
        axes.plot(x, y, linestyle="none", marker="|", markersize=6, color=colour, zorder=4)
    elif mark.hollow:
        many = len(x) > 500 or mark.size < 0.7
        axes.scatter(
            x, y, s=14 * mark.size, facecolors="none", edgecolors=colour,
            linewidths=0.5 if many else 0.7, alpha=0.45 if many else 0.7, zorder=3,
        )  # fmt: skip
    else:
        size = 5.5 * mark.size
        edge = "white"
        if mark.colour == WHITE:
            colour, edge = "white", COLOURS[8]
        axes.plot(
            x, y, linestyle="none", marker=mark.sign, markersize=size, color=colour,
            markeredgecolor=edge, markeredgewidth=0.6, zorder=5,
        )  # fmt: skip


def _line(axes: Axes, mark: Line) -> None:
    colour = COLOURS[mark.colour % len(COLOURS)]
    x, y = _gaps(mark.x), _gaps(mark.y)
    if mark.low is not None and mark.high is not None:
        axes.fill_between(
            x, _gaps(mark.low), _gaps(mark.high), step="post" if mark.steps else None,
            color=colour, alpha=0.16, linewidth=0, zorder=1,
        )  # fmt: skip
    style = "--" if mark.dashed else _DASHES[mark.colour % len(_DASHES)] if mark.steps or mark.keyed else "-"
    axes.plot(
        x, y, color="#9a9a9a" if mark.thin else colour, linewidth=0.6 if mark.thin else 1.6, linestyle=style,
        alpha=0.7 if mark.thin else 1.0, drawstyle="steps-post" if mark.steps else "default",
        zorder=2 if mark.thin else 4,
    )  # fmt: skip


def _bars(axes: Axes, mark: Bars) -> None:
    left, right = mark.left.finite(), mark.right.finite()
    height = [v or 0.0 for v in mark.height.values]
    base = [v or 0.0 for v in mark.base.values] if mark.base is not None else [0.0] * len(height)
    widths = [b - a for a, b in zip(left, right, strict=True)]
    look: dict[str, Any] = {
        "color": COLOURS[mark.colour % len(COLOURS)],
        "edgecolor": "white",
        "linewidth": 0.6,
    }
    if mark.sideways:
        axes.barh(left, height, height=widths, left=base, align="edge", **look)
    else:
        axes.bar(left, height, width=widths, bottom=base, align="edge", **look)


def _intervals(axes: Axes, mark: Intervals) -> None:
    colour, cap = COLOURS[mark.colour % len(COLOURS)], 0.09
    for at, low, high in zip(mark.at.values, mark.low.values, mark.high.values, strict=True):
        if at is None or low is None or high is None:
            continue
        ends = [low, high], [at, at]
        axes.plot(*(ends if mark.sideways else ends[::-1]), color=colour, linewidth=1.6, zorder=4)
        for end in (low, high) if mark.caps else ():
            tick = [end, end], [at - cap, at + cap]
            axes.plot(*(tick if mark.sideways else tick[::-1]), color=colour, linewidth=1.3, zorder=4)


def _boxes(axes: Axes, mark: Boxes) -> None:
    from matplotlib.patches import Rectangle

    half = 0.32
    parts = (mark.at, mark.whisker_low, mark.q1, mark.median, mark.q3, mark.whisker_high)
    for at, low, q1, median, q3, high in zip(*(part.finite() for part in parts), strict=True):
        corner, wide, tall = (q1, at - half), q3 - q1, 2 * half
        shape = (corner, wide, tall) if mark.sideways else (corner[::-1], tall, wide)
        axes.add_patch(Rectangle(*shape, facecolor=_PALE, edgecolor="#44617a", linewidth=0.9, zorder=2))
        for a, b in ((low, q1), (q3, high)):
            stem = [a, b], [at, at]
            axes.plot(*(stem if mark.sideways else stem[::-1]), color="#44617a", linewidth=0.9, zorder=2)
        middle = [median, median], [at - half, at + half]
        axes.plot(
            *(middle if mark.sideways else middle[::-1]), color="#16324a", linewidth=2.0, zorder=4,
            solid_capstyle="butt",
        )  # fmt: skip
    axes.autoscale_view()


def _area(axes: Axes, mark: Area) -> None:
    look: dict[str, Any] = {"facecolor": _PALE, "edgecolor": "#44617a", "linewidth": 0.8, "zorder": 2}
    fill_between = axes.fill_betweenx if not mark.sideways else axes.fill_between
    fill_between(_gaps(mark.along), _gaps(mark.low), _gaps(mark.high), **look)


def _rule(axes: Axes, mark: Rule) -> None:
    value = mark.value.values[0]
    if value is None:
        return
    style = "--" if mark.dashed else "-"
    across = axes.axvline if mark.across == "x" else axes.axhline
    colour = COLOURS[1] if mark.label else "#777777"
    width = 1.4 if mark.label else 0.9
    across(
        value, color=colour, linewidth=width, linestyle=style, zorder=3, label=str(mark.label) or "_nolegend_"
    )


def _cells(axes: Axes, mark: Cells) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    scale = LinearSegmentedColormap.from_list("blue-white-vermillion", ["#0072B2", "#ffffff", "#D55E00"])
    span = mark.high - mark.low
    for place, value in enumerate(mark.values.values):
        row, column = divmod(place, mark.columns)
        if value is None:
            continue
        share = (value - mark.low) / span
        corner = (column - 0.5, row - 0.5)
        axes.add_patch(Rectangle(corner, 1, 1, facecolor=scale(share), edgecolor="white", linewidth=1.2))
        dark = abs(share - 0.5) > 0.38
        axes.text(
            column, row, str(mark.texts[place]), ha="center", va="center", fontsize=7.5,
            color="white" if dark else "#111111",
        )  # fmt: skip


def _text(axes: Axes, mark: TextAt) -> None:
    at = mark.at.finite()[0]
    if mark.x is not None:
        axes.text(
            mark.x.finite()[0], at, str(mark.text), ha="center", va="center", fontsize=8, color="#111111", zorder=6,
            bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.8},
        )  # fmt: skip
        return
    axes.text(
        1.015, at, str(mark.text), transform=axes.get_yaxis_transform(), ha="left", va="center",
        fontsize=8, color="#222222", clip_on=False,
    )  # fmt: skip


def _risk_table(axes: Axes, mark: RiskTable) -> None:
    def put(text: str, x: float, where: str, **look: Any) -> None:
        axes.annotate(
            text, xy=(x, 0), xycoords=(where, "axes fraction"), textcoords="offset points", va="top",
            fontsize=8, annotation_clip=False, **look,
        )  # fmt: skip

    put("at risk", 0.0, "axes fraction", xytext=(-14, -_FIRST_ROW), ha="right", color="#555555")
    single = len(mark.rows) == 1
    for i, (name, counts) in enumerate(mark.rows):
        down = -(_FIRST_ROW + _ROW * (0 if single else i + 1))
        colour = COLOURS[i % len(COLOURS)]
        if not single:
            label = cut(printable(str(name)), 8, 1.3)
            put(label, 0.0, "axes fraction", xytext=(-14, down), ha="right", color=colour)
        for time, count in zip(mark.times.finite(), counts.finite(), strict=True):
            put(str(int(count)), time, "data", xytext=(0, down), ha="center", color="#222222")


def draw_legend(axes: Axes, picture: Picture) -> None:
    """What colours and rules mean, above the axes."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = []
    labels: list[str] = []
    title = None
    if picture.legend is not None:
        title = str(picture.legend.title) or None
        for colour, name in picture.legend.entries:
            shade = COLOURS[colour % len(COLOURS)]
            style = _DASHES[colour % len(_DASHES)]
            handles.append(
                Patch(color=shade)
                if picture.legend.filled
                else Line2D([], [], color=shade, linestyle=style, linewidth=1.8)
            )
            labels.append(str(name))
    else:
        handles, labels = axes.get_legend_handles_labels()
    if not handles:
        return
    room = room_across(picture)
    labels = [cut(printable(label), _LEGEND_LETTERS, room - _HANDLE) for label in labels]
    title = "\n".join(fill(printable(title), _LEGEND_LETTERS, room, most=2)) if title else None
    longest = max(width_of(label, _LEGEND_LETTERS) for label in labels) + _HANDLE
    columns = max(1, min(len(labels), int(room / longest)))
    legend = axes.legend(
        handles, labels, title=title, loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=columns, frameon=False,
        fontsize=_LEGEND_LETTERS, borderaxespad=0.2, handlelength=2.2, alignment="left",
    )  # fmt: skip
    legend.get_title().set_fontsize(_LEGEND_LETTERS)


_DRAWERS: dict[type, Any] = {
    Points: _points,
    Line: _line,
    Bars: _bars,
    Intervals: _intervals,
    Boxes: _boxes,
    Area: _area,
    Rule: _rule,
    Cells: _cells,
    TextAt: _text,
    RiskTable: _risk_table,
}
