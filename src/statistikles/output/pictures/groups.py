"""Pictures of groups: boxes or violins with points, means with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from statistikles.output.pictures.derived import beside, fixed, in_order, scattered
from statistikles.output.pictures.easel import EVERY, Cited, Easel, Name, count, heads, join, placed, said
from statistikles.output.pictures.labels import (
    axis_label,
    column_of,
    filter_note,
    missing_note,
    name_of,
    statistic_line,
)
from statistikles.output.pictures.samples import MOST_POINTS, histogram, sample_of
from statistikles.output.pictures.spec import (
    WHITE,
    Area,
    Axis,
    Boxes,
    Intervals,
    Mark,
    Numbers,
    Picture,
    Points,
    Rule,
    Said,
    TableOfNumbers,
)

__all__ = [
    "boxes",
    "boxes_with_means",
    "described",
    "largest",
    "one_sample",
    "spread",
    "violins",
    "violins_with_means",
]

MOST_GROUPS = 20
_GROUPS_WITH_POINTS = 12
_SQUEEZED = 10.0  # all values spread over so many times what the boxes do
_UPRIGHT_GROUPS, _UPRIGHT_LABEL = 6, 14  # more groups or longer names are drawn sideways
_VIOLIN = 0.42  # half the width of the widest violin
_BOX_NOTE = (
    "Box: quartiles and median; whiskers to the last value within ",
    placed(fixed([1.5], "Tukey's fences")),
    " interquartile ranges.",
)
_VIOLIN_NOTE = (
    "Violin: density of the values (Gaussian kernel, bandwidth by Silverman's rule), all to one scale; "
    "bar: quartiles; white dot: median."
)


def one_sample(easel: Easel) -> Picture | None:
    """The sample as box and points, its mean with interval, and the value it is compared with."""
    argument, _ = sample_of(easel)
    if argument is None:
        return None
    name = str(name_of(easel, argument, "sample"))
    picture = _boxes(
        easel, {name: argument}, [("group1",)], means=easel.lead.tool == "t_test", title=said(Name(name))
    )
    if picture is None or easel.lead.get("null_value") is None:
        return picture
    rule = Rule(easel.lead.numbers("null_value"), "x", said("compared with ", easel.lead.shown("null_value")))
    return replace(picture, marks=(*picture.marks, rule))


def described(easel: Easel) -> Picture | None:
    """The histogram of one sample, boxes with means of groups."""
    return boxes_with_means(easel) if easel.lead.arguments.get("groups") is not None else histogram(easel)


def spread(easel: Easel) -> Picture | None:
    """Boxes of groups, or the box of one sample."""
    if easel.lead.arguments.get("groups") is not None:
        return boxes(easel)
    argument, key = sample_of(easel)
    if argument is None:
        return None
    name = str(name_of(easel, argument, "sample"))
    return _boxes(easel, {name: argument}, [(key,)], means=False, title=said(Name(name)))


# Groups ------------------------------------------------------------------------------------------------------


def boxes(easel: Easel) -> Picture | None:
    """Boxes with points, for tests that compare places in order or spreads."""
    return _compared(easel, means=False)


def boxes_with_means(easel: Easel) -> Picture | None:
    """Boxes with points and the means with their intervals, for tests of means."""
    return _compared(easel, means=True)


def violins(easel: Easel) -> Picture | None:
    """Violins with points, where boxes would be drawn."""
    return _compared(easel, means=False, violin=True)


def violins_with_means(easel: Easel) -> Picture | None:
    """Violins with points and the means with their intervals."""
    return _compared(easel, means=True, violin=True)


def _compared(easel: Easel, *, means: bool, violin: bool = False) -> Picture | None:
    given = easel.lead.arguments
    names = list(easel.lead.get("groups") or {})
    if violin and len(names) > MOST_GROUPS:
        return None  # the curves of all groups would fill the ledger
    if given.get("groups") is not None:
        return _boxes(easel, given["groups"], [("groups", n) for n in names], means=means, violin=violin)
    if given.get("group1") is not None and given.get("group2") is not None and len(names) >= 2:
        both = {names[0]: given["group1"], names[1]: given["group2"]}
        return _boxes(easel, both, [("group1",), ("group2",)], means=means, violin=violin)
    return None


def _boxes(
    easel: Easel,
    groups: Any,
    observations: Sequence[tuple[str, ...]],
    *,
    means: bool,
    title: Said | None = None,
    violin: bool = False,
) -> Picture | None:
    detail = "shape" if violin else "graph"
    found = easel.compute(
        "descriptive_statistics", {"groups": groups, "detail": detail, "alpha": easel.lead.get("alpha")}
    )
    if found is None:
        return None
    names = list(found.get("graph", "groups"))
    taken = largest(found, names)
    shown = [names[i] for i in taken]
    value, by = _heads(easel, groups)
    sideways = len(shown) > _UPRIGHT_GROUPS or len(shown) == 1 or max(len(n) for n in shown) > _UPRIGHT_LABEL
    marks, point_note = _box_marks(
        easel, found, taken, observations, sideways=sideways, means=means, violin=violin
    )
    if len(shown) == 1:  # its name stands at the other axis
        levels: tuple[Said, ...] = (said("n = ", found.shown("groups", shown[0], "n")),)
    else:
        levels = tuple(said(Name(n), "\n(n = ", found.shown("groups", n, "n"), ")") for n in shown)
    category = Axis(by if len(shown) > 1 else said(""), levels=levels, reverse=sideways)
    notes = [said(_VIOLIN_NOTE) if violin else said(*_BOX_NOTE), *point_note]
    if means:
        notes.append(said("Diamond: mean with ", found.level("conf_level"), " confidence interval."))
    if len(shown) < len(names):
        drawn = [count(found.numbers("groups", EVERY, "n", taken=part)) for part in (taken, None)]
        notes.append(said("Only the largest groups are drawn: ", drawn[0], " of ", drawn[1], "."))
    scale = (
        Axis(said(value, " (log scale)"), log=True)
        if not violin and _ratio_scale(found, shown)
        else Axis(value)
    )
    where = (value, " by ", by) if len(shown) > 1 and str(by) else (value,)
    return Picture(
        kind="violins" if violin else "boxes",
        title=title or said(*where),
        x=scale if sideways else category,
        y=category if sideways else scale,
        marks=tuple(marks),
        description=_described(found, shown, value, "Violins" if violin else "Box plots"),
        provenance=easel.provenance(),
        notes=(*notes, *statistic_line(easel.lead), *missing_note(easel), *filter_note(easel)),
        table=_group_table(found, shown),
    )


def _ratio_scale(found: Cited, names: Sequence[str]) -> bool:
    """Whether far values would squeeze all boxes together on a plain scale, and a scale of ratios can show them."""
    low = min(found.get("groups", n, "minimum") for n in names)
    high = max(found.get("groups", n, "maximum") for n in names)
    boxes = [found.get("graph", "groups", n, key) for n in names for key in ("q1", "q3")]
    ends = [found.get("groups", n, "conf_low") for n in names]
    positive = low > 0 and all(end is None or end > 0 for end in ends)
    return bool(positive and high - low > _SQUEEZED * (max(boxes) - min(boxes)))


def largest(found: Cited, names: Sequence[str], most: int = MOST_GROUPS) -> list[int]:
    """The places of the groups that are drawn: all, or the largest in their own order."""
    if len(names) <= most:
        return list(range(len(names)))
    sizes = {i: found.get("groups", name, "n") for i, name in enumerate(names)}
    return sorted(sorted(sizes, key=lambda i: (-sizes[i], i))[:most])


def _heads(easel: Easel, groups: Any) -> tuple[Said, Said]:
    """What is measured, and what the groups are."""
    if isinstance(groups, Mapping) and "column" not in groups:
        parts = [column_of(part) for part in groups.values()]
        columns = {part.column for part in parts if part is not None}
        if len(columns) == 1 and all(parts):
            return axis_label(easel, next(iter(groups.values())), "value"), said("")
        return said("value"), said("")
    found = column_of(groups)
    by = said(Name(found.by)) if found is not None and found.by else said("group")
    return axis_label(easel, groups, "value"), by


def _box_marks(
    easel: Easel,
    found: Cited,
    taken: Sequence[int],
    observations: Sequence[tuple[str, ...]],
    *,
    sideways: bool,
    means: bool,
    violin: bool,
) -> tuple[list[Mark], list[Said]]:
    at = in_order(len(taken))
    five = found.each("graph", "groups", taken=taken)
    whiskers = five("whisker_low"), five("whisker_high")
    box = Boxes(at, whiskers[0], five("q1"), five("median"), five("q3"), whiskers[1], sideways=sideways)
    marks: list[Mark] = _violins(found, taken, sideways=sideways) if violin else [box]
    drawn = _observations(easel, found, taken, observations)
    marks += [_points(numbers, k, jitter=bool(note), sideways=sideways) for k, numbers, note in drawn]
    if violin:
        marks.append(Intervals(at, five("q1"), five("q3"), colour=8, sideways=sideways, caps=False))
        middle = five("median")
        marks.append(Points(*((middle, at) if sideways else (at, middle)), colour=WHITE, size=0.9))
    every = bool(drawn) and drawn[0][2]
    note = []
    if every:
        note = [said("Each dot is one observation.")]
    elif drawn:
        note = [said("Dots: values beyond the whiskers.", *_outermost(found, taken))]
    if means and all(found.get("groups", name, "conf_low") is not None for name in _names(found, taken)):
        low, high, mean = (
            found.numbers("groups", EVERY, key, taken=taken) for key in ("conf_low", "conf_high", "mean")
        )
        marks.append(Intervals(at, low, high, colour=1, sideways=sideways))
        marks.append(Points(*((mean, at) if sideways else (at, mean)), colour=1, sign="D"))
    return marks, note


def _violins(found: Cited, taken: Sequence[int], *, sideways: bool) -> list[Mark]:
    """The densities on both sides of the places; none where the values do not differ."""
    names = _names(found, taken)
    base = [("graph", "groups", name, "density", "points") for name in names]
    tops = []
    for path in base:
        heights = [row["density"] for row in found.get(*path) or ()]
        if heights:
            at = heights.index(max(heights))
            tops.append(found.numbers(*path, EVERY, "density", taken=[at]))
    marks: list[Mark] = []
    for place, path in enumerate(base):
        if found.get(*path):
            column = found.each(*path)
            low, high = (beside(place, side * _VIOLIN, column("density"), *tops) for side in (-1.0, 1.0))
            marks.append(Area(column("at"), low, high, sideways=sideways))
    return marks


def _outermost(found: Cited, taken: Sequence[int]) -> list[Said]:
    """Of which groups only the outermost of these values are listed, and how many."""
    notes = []
    for name in _names(found, taken):
        base = ("graph", "groups", name)
        drawn = found.numbers(*base, "outside")
        if len(drawn) < found.get(*base, "n_outside"):
            many = said(count(drawn), " of ", found.shown(*base, "n_outside"))
            notes.append(said(" Of ", Name(name), " the outermost ", many, "."))
    return notes


def _names(found: Cited, taken: Sequence[int]) -> list[str]:
    names = list(found.get("groups"))
    return [names[i] for i in taken]


def _observations(
    easel: Easel, found: Cited, taken: Sequence[int], observations: Sequence[tuple[str, ...]]
) -> list[tuple[int, Numbers, bool]]:
    """(place, values, whether they are all): the observations when they are few, else those beyond the whiskers."""
    sizes = sum(found.get("groups", name, "n") for name in _names(found, taken))
    kept = [observations[i] for i in taken] if len(observations) > max(taken) else []
    few = sizes <= MOST_POINTS and len(taken) <= _GROUPS_WITH_POINTS
    if few and kept and all(easel.values(*path) is not None for path in kept):
        return [(k, easel.data(*path), True) for k, path in enumerate(kept)]
    out = []
    for k, name in enumerate(_names(found, taken)):
        outside = found.numbers("graph", "groups", name, "outside")
        if len(outside):
            out.append((k, outside, False))
    return out


def _points(numbers: Numbers, place: int, *, jitter: bool, sideways: bool) -> Points:
    count = len(numbers)
    spots = scattered(place, count) if jitter else fixed([place] * count, "one group")
    return Points(*((numbers, spots) if sideways else (spots, numbers)), colour=8, hollow=True, size=0.6)


def _described(found: Cited, names: Sequence[str], value: Said, what: str) -> Said:
    parts = [
        said(
            Name(n),
            " (n = ",
            found.shown("groups", n, "n"),
            ", median ",
            found.shown("groups", n, "median"),
            ")",
        )
        for n in names[:12]
    ]
    more = ", and more groups" if len(names) > 12 else ""
    return said(what, " of ", value, ": ", join(", ", parts), more, ".")


def _group_table(found: Cited, names: Sequence[str]) -> TableOfNumbers:
    keys = ("n", "mean", "conf_low", "conf_high", "std_dev", "minimum")
    boxed = ("q1", "median", "q3")
    rows = []
    for name in names:
        row = [said(Name(name))]
        row += [
            said(found.shown("groups", name, key))
            if found.get("groups", name, key) is not None
            else said("undefined")
            for key in keys
        ]
        row += [said(found.shown("graph", "groups", name, key)) for key in boxed]
        row.append(said(found.shown("groups", name, "maximum")))
        rows.append(tuple(row))
    interval = said(found.level("conf_level"), " CI from")
    columns = heads(
        "group", "n", "mean", interval, "to", "SD", "minimum", "lower quartile", "median", "upper quartile", "maximum"
    )  # fmt: skip
    return TableOfNumbers(columns, tuple(rows))
