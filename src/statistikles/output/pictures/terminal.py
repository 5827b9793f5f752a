"""Pictures in characters, for terminals: title, drawing, notes; categories as rows, the rest on a grid."""

from __future__ import annotations

import itertools
import textwrap
from dataclasses import replace

from statistikles.output.pictures.grid import Canvas, Scale
from statistikles.output.pictures.rows import draw_rows
from statistikles.output.pictures.spec import (
    Area,
    Axis,
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
)
from statistikles.output.pictures.words import (
    SIGNS,
    clipped,
    fitted,
    in_plain_signs,
    number,
    one_line,
    tick_line,
)

__all__ = ["draw_text"]

_NARROWEST = 40
_WIDEST_NAME = 18
_MOST_THIN = 30  # lines of single subjects; more would be one grey area
_EIGHTHS = " ▁▂▃▄▅▆▇█"


def draw_text(picture: Picture, width: int, *, plain: bool = False, height: int = 16) -> str:
    """The picture at most `width` characters wide; `plain` uses signs that every terminal has."""
    width = max(width, _NARROWEST)
    if picture.panels:
        parts = [
            [one_line(panel.title), *_grid(replace(picture, marks=panel.marks), width, max(6, height // 2))]
            for panel in picture.panels
        ]
        body = list(itertools.chain.from_iterable(parts))
    elif any(isinstance(mark, Cells) for mark in picture.marks):
        body = _cells(picture, width)
    elif picture.y.levels or picture.y.tick_labels or any(isinstance(m, Boxes | Area) for m in picture.marks):
        body = draw_rows(picture, width)
    elif any(isinstance(mark, Bars) for mark in picture.marks):
        body = _columns(picture, width, height)
    else:
        body = _grid(picture, width, height)
    notes = textwrap.wrap(" ".join(one_line(str(note)) for note in picture.notes), width)
    lines = [one_line(str(picture.title)), *body, "", *notes, picture.provenance.line()]
    text = "\n".join(clipped(line.rstrip(), width) for line in lines) + "\n"
    return in_plain_signs(text) if plain else text


# Grid --------------------------------------------------------------------------------------------------------


def _grid(picture: Picture, width: int, height: int) -> list[str]:
    """Points and lines on two axes."""
    x_values, y_values = _extent(picture)
    names = [
        str(name) for m in picture.marks if isinstance(m, RiskTable) and len(m.rows) > 1 for name, _ in m.rows
    ]
    left = max(len(number(t)) for t in Scale.over(y_values, 1).ticks(max(2, height // 3))) + 1
    left = max(left, min(max(map(len, names), default=0) + 2, _WIDEST_NAME))
    canvas = Canvas(width - left - 3, height)
    across, up = _scale(picture.x, x_values, canvas.width), _scale(picture.y, y_values, canvas.height)
    curves = [mark for mark in picture.marks if isinstance(mark, Line) and mark.steps]
    crowded = sum(isinstance(mark, Line) and mark.thin for mark in picture.marks) > _MOST_THIN
    keyed = any(isinstance(mark, Line) and mark.keyed for mark in picture.marks)
    for mark in picture.marks:
        if isinstance(mark, Line) and not (mark.thin and crowded):
            _draw_line(canvas, mark, across, up, SIGNS[mark.colour] if len(curves) > 1 else "")
        elif isinstance(mark, Points):
            _draw_points(canvas, mark, across, up, SIGNS[mark.colour] if keyed else "")
        elif isinstance(mark, Intervals):
            for at, low, high in zip(mark.at.values, mark.low.values, mark.high.values, strict=True):
                if at is not None and low is not None and high is not None:
                    canvas.line((across.at(at), up.at(low)), (across.at(at), up.at(high)))
        elif isinstance(mark, Rule) and mark.value.values[0] is not None:
            _draw_rule(canvas, mark, across, up)
    rows = canvas.rows()
    labels = {height - 1 - min(int(up.at(t)), height - 1): number(t) for t in up.ticks(max(2, height // 3))}
    out = [one_line(str(picture.y.label)), *_legend(picture)]
    out += [
        f"{labels.get(i, ''):>{left}} ┤{row}" if i in labels else f"{'':>{left}} │{row}"
        for i, row in enumerate(rows)
    ]
    out += [" " * left + " └" + "─" * canvas.width]
    out += [" " * (left + 2) + line for line in _x_axis(picture.x, across, canvas.width)]
    if crowded:
        out.append("(The lines of single subjects are left out here.)")
    if len(curves) > 1 and any(curve.low is not None for curve in curves):
        out.append("(The bands are left out here.)")
    return out + _risk(picture, across, left)


def _extent(picture: Picture) -> tuple[list[float], list[float]]:
    """All values on both axes."""
    x: list[float] = [*range(len(picture.x.levels))]
    y: list[float] = []
    for mark in picture.marks:
        if isinstance(mark, Points | Line):
            x += mark.x.finite()
            y += mark.y.finite()
        if isinstance(mark, Line):
            y += [v for part in (mark.low, mark.high) if part is not None for v in part.finite()]
        if isinstance(mark, Intervals):
            x += mark.at.finite()
            y += mark.low.finite() + mark.high.finite()
        if isinstance(mark, Rule):
            (x if mark.across == "x" else y).extend(mark.value.finite())
    for values, axis in ((x, picture.x), (y, picture.y)):
        values += [end for end in (axis.low, axis.high) if end is not None]
    return x, y


def _scale(axis: Axis, values: list[float], size: int) -> Scale:
    if axis.levels:
        return Scale(-0.5, len(axis.levels) - 0.5, size - 0.01)
    fixed = axis.low is not None
    return Scale.over(values, size - 0.01, log=axis.log, margin=0.0 if fixed else 0.03)


def _draw_line(canvas: Canvas, mark: Line, across: Scale, up: Scale, sign: str) -> None:
    def path(y: Numbers, gap: int, sign: str) -> None:
        spots = [
            (across.at(a), up.at(b))
            for a, b in zip(mark.x.values, y.values, strict=True)
            if a is not None and b is not None
        ]
        for a, b in itertools.pairwise(spots):
            if mark.steps:
                canvas.line(a, (b[0], a[1]), sign, gap=gap)
                canvas.line((b[0], a[1]), b, sign, gap=gap)
            else:
                canvas.line(a, b, sign, gap=gap)

    path(mark.y, 3 if mark.dashed or mark.thin else 1, sign)
    if mark.low is not None and mark.high is not None and not sign:
        path(mark.low, 4, "")
        path(mark.high, 4, "")


def _draw_points(canvas: Canvas, mark: Points, across: Scale, up: Scale, sign: str) -> None:
    for a, b in zip(mark.x.values, mark.y.values, strict=True):
        if a is None or b is None:
            continue
        if mark.hollow:
            canvas.dot(across.at(a), up.at(b))
        else:
            canvas.sign(
                across.at(a),
                up.at(b),
                sign or ("|" if mark.sign == "|" else "●" if mark.sign == "o" else "◆"),
            )


def _draw_rule(canvas: Canvas, mark: Rule, across: Scale, up: Scale) -> None:
    value = mark.value.values[0]
    assert value is not None
    if mark.across == "x":
        for row in range(canvas.height):
            canvas.sign(across.at(value), row, "┊", over=False)
    else:
        for column in range(0, canvas.width, 2 if mark.dashed else 1):
            canvas.sign(column, up.at(value), "┄" if mark.dashed else "─", over=False)


def _legend(picture: Picture) -> list[str]:
    if picture.legend is None:
        return []
    return ["   ".join(f"{SIGNS[k]} {one_line(str(name))}" for k, name in picture.legend.entries)]


def _x_axis(axis: Axis, across: Scale, width: int) -> list[str]:
    if axis.levels:
        marks = [
            (across.at(float(k)), fitted(one_line(str(level)), max(6, width // len(axis.levels) - 2)).strip())
            for k, level in enumerate(axis.levels)
        ]
    elif axis.tick_labels:
        marks = [
            (across.at(t), str(label)) for t, label in zip(axis.ticks.finite(), axis.tick_labels, strict=True)
        ]
    elif len(axis.ticks):
        marks = [(across.at(t), number(t)) for t in axis.ticks.finite()]
    else:
        marks = [(across.at(t), number(t)) for t in across.ticks(max(2, width // 10))]
    return [tick_line(marks, width), one_line(str(axis.label)).center(width).rstrip()]


def _risk(picture: Picture, across: Scale, left: int) -> list[str]:
    out = []
    for mark in picture.marks:
        if isinstance(mark, RiskTable):
            out.append("at risk")
            for k, (name, counts) in enumerate(mark.rows):
                spots = [
                    (across.at(t), str(int(c)))
                    for t, c in zip(mark.times.finite(), counts.finite(), strict=True)
                ]
                head = f"{SIGNS[k]} " if len(mark.rows) > 1 else "  "
                if len(mark.rows) > 1:
                    head = fitted(head + one_line(name), left + 1)
                out.append(f"{head:<{left + 2}}" + tick_line(spots, int(across.size) + 2))
    return out


# Histogram ---------------------------------------------------------------------------------------------------


def _columns(picture: Picture, width: int, tall: int) -> list[str]:
    """Bars that stand, in eighths of a character."""
    bars = next(mark for mark in picture.marks if isinstance(mark, Bars))
    lows, highs = bars.left.finite(), bars.right.finite()
    heights = [v or 0.0 for v in bars.height.values]
    expected = _expected(picture)
    most = max([*heights, *(v for _, v in expected)]) or 1.0
    up = Scale(0.0, most, tall)
    ticks = up.ticks(5)
    left = max(len(number(t)) for t in ticks) + 1
    room = width - left - 3
    each = max(1, room // len(heights))
    across = Scale(lows[0], highs[-1], min(room, each * len(heights)) - 0.01)
    columns = [0.0] * (int(across.size) + 1)
    for place in range(len(columns)):  # the bar over the middle of each column
        value = lows[0] + (place + 0.5) / len(columns) * (highs[-1] - lows[0])
        inside = [h for low, high, h in zip(lows, highs, heights, strict=True) if low <= value < high]
        columns[place] = inside[0] if inside else 0.0
    labels = {round(up.at(t)): number(t) for t in ticks}
    out = [one_line(str(picture.y.label))]
    dots = {int(across.at(at)): min(int(up.at(v)), tall - 1) for at, v in expected}
    for row in range(tall - 1, -1, -1):
        cells = []
        for place, height in enumerate(columns):
            if dots.get(place) == row:
                cells.append("●")
                continue
            eighths = round((up.at(height) - row) * 8)
            full = min(max(eighths, 1 if height > 0 and row == 0 else 0), 8)
            cells.append(_EIGHTHS[full])
        label = labels.get(row + 1, "")
        out.append(f"{label:>{left}} {'┤' if label else '│'}{''.join(cells)}")
    out.append(" " * left + " └" + "─" * len(columns))
    out += [" " * (left + 2) + line for line in _x_axis(picture.x, across, len(columns))]
    rules = [mark for mark in picture.marks if isinstance(mark, Rule) and mark.label]
    pointers = [(across.at(m.value.finite()[0]), "▲") for m in rules]
    out.insert(len(out) - 1, " " * (left + 2) + tick_line(pointers, len(columns), clash="▲"))
    words = ", ".join(str(m.label) for m in sorted(rules, key=lambda m: m.value.finite()[0]))
    return [*out, f"▲ {words}"] if rules else out


def _expected(picture: Picture) -> list[tuple[float, float]]:
    """The points of a curve over a histogram."""
    marks = [mark for mark in picture.marks if isinstance(mark, Line | Points)]
    return [pair for mark in marks for pair in zip(mark.x.finite(), mark.y.finite(), strict=True)]


# Cells -------------------------------------------------------------------------------------------------------


def _cells(picture: Picture, width: int) -> list[str]:
    """A grid of numbers below the diagonal; columns go by their number, in blocks where they are too many."""
    cells = next(mark for mark in picture.marks if isinstance(mark, Cells))
    each = max(len(str(text)) for text in cells.texts) + 2
    left = min(28, width // 3)
    fit = max(1, (width - left) // each)
    out = [fitted(f"1 {one_line(picture.x.levels[0])}", left).rstrip()]
    for first in range(0, cells.columns, fit):
        block = range(first, min(first + fit, cells.columns))
        out.append(" " * left + "".join(f"{k + 1:>{each}}" for k in block))
        for row, name in enumerate(picture.y.levels):
            if row >= first:  # above the diagonal there is nothing
                texts = [str(cells.texts[row * cells.columns + c]) for c in block]
                head = fitted(f"{row + 2} {one_line(name)}", left)
                out.append(head + "".join(f"{text:>{each}}" for text in texts))
    return out
