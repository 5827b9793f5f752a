"""Pictures of categories in characters: one row (of boxes: two) for each, bars and intervals along it."""

from __future__ import annotations

from statistikles.output.pictures.grid import Scale
from statistikles.output.pictures.spec import (
    WHITE,
    Area,
    Axis,
    Bars,
    Boxes,
    Intervals,
    Numbers,
    Picture,
    Points,
    Rule,
    TextAt,
)
from statistikles.output.pictures.words import FILLS, cells, fitted, number, one_line, tick_line

__all__ = ["draw_rows"]

_PARTS = " ▏▎▍▌▋▊▉█"
_HEIGHTS = " ▁▂▃▄▅▆▇█"
_WIDEST_NAME = 0.4  # of the width
_MANY = ((1, "·"), (3, ":"), (10**9, "▪"))
_SEEN = "·:▪"


def draw_rows(picture: Picture, width: int) -> list[str]:
    """The rows, whichever axis the categories are on in the drawn picture."""
    category = picture.y if picture.y.levels or picture.y.tick_labels else picture.x
    measure = picture.x if category is picture.y else picture.y
    names = [str(level) for level in category.levels] or [str(t) for t in category.tick_labels]
    spots = category.ticks.finite() if category.tick_labels else [float(k) for k in range(len(names))]
    beside = {
        mark.at.finite()[0]: str(mark.text)
        for mark in picture.marks
        if isinstance(mark, TextAt) and mark.x is None
    }
    right = max((len(text) for text in beside.values()), default=-1) + 1
    boxes = any(isinstance(mark, Boxes | Area) for mark in picture.marks)
    heads = [_head(name) for name in names]
    left = min(int(width * _WIDEST_NAME), max((_head_width(*head, boxes=boxes) for head in heads), default=0))
    room = width - left - 2 - right
    scale = _scale(picture, measure, room, upright=category is picture.x)
    out = _legend(picture)
    for spot, (first, second) in zip(spots, heads, strict=True):
        for level, line in enumerate(_lines(picture, spot, scale, room, boxes=boxes)):
            if boxes:
                head = first if level == 0 else second
            else:
                head = _one_head(first, second, left)
            text = beside.get(spot, "") if level == 0 else ""
            out.append(f"{fitted(head, left)} {line} {text}".rstrip())
    out.append(" " * left + " " + "─" * room)
    ticks = measure.ticks.finite() or scale.ticks(max(3, room // 7))
    words = [(scale.at(t), f"{number(100 * t)}%" if measure.percent else number(t)) for t in ticks]
    out.append(" " * (left + 1) + tick_line(words, room))
    out.append(" " * (left + 1) + one_line(measure.label).center(room).rstrip())
    if boxes and any(isinstance(mark, Points) and mark.hollow for mark in picture.marks):
        signs = "· one, : two or three, ▪ more"
        signs += "   [○] quartiles, median" if any(isinstance(mark, Area) for mark in picture.marks) else ""
        out.append(" " * (left + 1) + signs.center(room).rstrip())
    return out


def _head(name: str) -> tuple[str, str]:
    """What stands before the first and the second line of a category."""
    first, _, second = name.partition("\n")
    return one_line(first), one_line(second)


def _head_width(first: str, second: str, *, boxes: bool) -> int:
    if boxes or not second:
        return max(cells(first), cells(second))
    return cells(first) + 1 + cells(second)


def _one_head(first: str, second: str, width: int) -> str:
    """A name and its count in one line; the name is cut, the count is not."""
    if not second:
        return first
    return f"{fitted(first, max(1, min(cells(first), width - cells(second) - 1)))} {second}"


def _scale(picture: Picture, axis: Axis, room: int, *, upright: bool) -> Scale:
    values: list[float] = []
    for mark in picture.marks:
        if isinstance(mark, Bars):
            base = mark.base.values if mark.base is not None else [0.0] * len(mark.height)
            values += [0.0, *((b or 0.0) + (h or 0.0) for b, h in zip(base, mark.height.values, strict=True))]
        elif isinstance(mark, Intervals):
            values += mark.low.finite() + mark.high.finite()
        elif isinstance(mark, Area):
            values += mark.along.finite()
        elif isinstance(mark, Boxes):
            values += mark.whisker_low.finite() + mark.whisker_high.finite()
        elif isinstance(mark, Points):
            values += (mark.y if upright else mark.x).finite()
        elif isinstance(mark, Rule) and mark.across == ("y" if upright else "x"):
            values += mark.value.finite()
    values += [end for end in (axis.low, axis.high) if end is not None]
    return Scale.over(values, room - 0.01, log=axis.log)


def _lines(picture: Picture, spot: float, scale: Scale, room: int, *, boxes: bool) -> list[str]:
    """The line of a category; under a box a second one with the observations and the mean."""
    first, second = [" "] * room, [" "] * room
    for mark in picture.marks:
        if isinstance(mark, Rule) and mark.value.values[0] is not None:
            for line in (first, second):
                line[int(scale.at(mark.value.values[0]))] = "┊"
    lower = second if boxes else first
    violin = any(isinstance(mark, Area) for mark in picture.marks)
    for mark in picture.marks:
        if isinstance(mark, Bars):
            _bar(first, mark, spot, scale)
        elif isinstance(mark, Boxes):
            _box(first, mark, spot, scale)
        elif isinstance(mark, Area):
            _area(first, mark, spot, scale)
        elif isinstance(mark, Points) and mark.hollow:
            _observations(lower, mark, spot, scale)
        elif isinstance(mark, Intervals):
            _interval(lower, mark, spot, scale, "[]" if violin and not mark.caps else "├┤")
        elif isinstance(mark, Points):
            for at, value in _along(mark):
                if at == spot:
                    lower[int(scale.at(value))] = _sign(mark)
        elif isinstance(mark, TextAt) and mark.x is not None and mark.at.values[0] == spot:
            text = f" {mark.text} "
            start = max(0, int(scale.at(mark.x.finite()[0])) - len(text) // 2)
            first[start : start + len(text)] = list(text)[: room - start]
    return ["".join(first), "".join(second)] if boxes else ["".join(first)]


def _sign(mark: Points) -> str:
    if mark.colour == WHITE:
        return "○"
    return {"D": "◆", "s": "■"}.get(mark.sign, "●")


def _along(mark: Points) -> list[tuple[float, float]]:
    """(place, value) of points, whichever axis they lie along: places are whole numbers or the layout's own."""
    places, values = (mark.y, mark.x) if mark.y.layout else (mark.x, mark.y)
    return [
        (a, v) for a, v in zip(places.values, values.values, strict=True) if a is not None and v is not None
    ]


def _observations(line: list[str], mark: Points, spot: float, scale: Scale) -> None:
    counts: dict[int, int] = {}
    for at, value in _along(mark):
        if abs(at - spot) < 0.5:
            place = int(scale.at(value))
            counts[place] = counts.get(place, 0) + 1
    for place, count in counts.items():
        line[place] = next(sign for most, sign in _MANY if count <= most)


def _bar(line: list[str], mark: Bars, spot: float, scale: Scale) -> None:
    base = mark.base.values if mark.base is not None else (0.0,) * len(mark.height)
    spans = zip(mark.left.finite(), mark.right.finite(), base, mark.height.values, strict=True)
    for left, right, below, height in spans:
        if not left <= spot <= right or not height:
            continue
        start, end = scale.at(below or 0.0), scale.at((below or 0.0) + height)
        for place in range(round(start), min(int(end), len(line))):
            line[place] = FILLS[mark.colour % len(FILLS)]
        rest = int((end - int(end)) * 8)
        if mark.base is None and rest and int(end) < len(line):
            line[int(end)] = _PARTS[rest]


def _interval(line: list[str], mark: Intervals, spot: float, scale: Scale, signs: str) -> None:
    for at, low, high in zip(mark.at.values, mark.low.values, mark.high.values, strict=True):
        if at != spot or low is None or high is None:
            continue
        start, end = int(scale.at(low)), int(scale.at(high))
        for place in range(start, end + 1):
            if line[place] not in _SEEN:  # observations stay visible
                line[place] = "─"
        line[start], line[end] = (signs[0], signs[1]) if start < end else ("│", "│")


def _box(line: list[str], mark: Boxes, spot: float, scale: Scale) -> None:
    def values(numbers: Numbers, k: int) -> int:
        return int(scale.at(numbers.values[k] or 0.0))

    for k, at in enumerate(mark.at.values):
        if at != spot:
            continue
        low, high = values(mark.whisker_low, k), values(mark.whisker_high, k)
        for place in range(low, high + 1):
            line[place] = "─"
        line[low], line[high] = "├", "┤"
        for place in range(values(mark.q1, k), values(mark.q3, k) + 1):
            line[place] = "▒"
        line[values(mark.median, k)] = "┃"


def _area(line: list[str], mark: Area, spot: float, scale: Scale) -> None:
    """How wide a shape is along the line, in eighths of a sign."""
    spans = [
        (scale.at(along), high - low)
        for along, low, high in zip(mark.along.finite(), mark.low.finite(), mark.high.finite(), strict=True)
        if low <= spot <= high
    ]
    for place in range(len(line)):
        near = [width for at, width in spans if abs(at - place - 0.5) <= max(1.0, scale.size / len(spans))]
        if near and spans[0][0] - 1 <= place <= spans[-1][0]:
            line[place] = _HEIGHTS[min(8, round(8 * max(near)))]


def _legend(picture: Picture) -> list[str]:
    out = []
    if picture.legend is not None:
        out.append(
            "   ".join(f"{FILLS[k % len(FILLS)]} {one_line(name)}" for k, name in picture.legend.entries)
        )
    out += [f"┊ {one_line(mark.label)}" for mark in picture.marks if isinstance(mark, Rule) and mark.label]
    return out
