"""Pictures of repeated measures: one line per subject from condition to condition."""

from __future__ import annotations

from collections.abc import Mapping

from statistikles.output.pictures.derived import fixed, in_order, joined
from statistikles.output.pictures.easel import EVERY, Cited, Easel, Name, count, heads, join, said
from statistikles.output.pictures.labels import filter_note, missing_note, statistic_line
from statistikles.output.pictures.samples import MOST_POINTS
from statistikles.output.pictures.spec import (
    Axis,
    Line,
    Mark,
    Numbers,
    Picture,
    Points,
    Said,
    TableOfNumbers,
)

__all__ = ["paired_lines"]


def paired_lines(easel: Easel) -> Picture | None:
    """One line per subject from condition to condition, and the middle of each condition."""
    lead = easel.lead
    names = [n for n in (lead.get("groups") or {}) if n != "difference"]
    paths = _conditions(easel)
    if len(paths) != len(names) or any(easel.values(*path) is None for path in paths):
        return None
    columns = [easel.data(*path) for path in paths]
    n = len(columns[0])
    if len({len(c) for c in columns}) != 1:
        return None
    taken = _spaced(n, max(1, MOST_POINTS // (10 * len(columns))))
    columns = [easel.data(*path, taken=taken) for path in paths] if taken is not None else columns
    marks: list[Mark] = []
    for i in range(len(columns[0])):
        heights = [
            Numbers((c.values[i],), c.source, (c.taken[i] if c.taken is not None else i,)) for c in columns
        ]
        marks.append(Line(in_order(len(columns)), joined(*heights), thin=True))
    marks += [
        Points(fixed([k] * len(c), "one condition"), c, hollow=True, size=0.7) for k, c in enumerate(columns)
    ]
    key = "mean" if all(lead.get("groups", name, "mean") is not None for name in names) else "median"
    order, two = list(lead.get("groups")), len(names) == 2
    middle = lead.numbers("groups", EVERY, key, taken=[order.index(name) for name in names])
    marks += [
        Line(in_order(len(names)), middle, colour=1),
        Points(in_order(len(names)), middle, colour=1, sign="D"),
    ]
    return Picture(
        kind="paired",
        title=said(join(" and " if two else ", ", [said(Name(n)) for n in names]), ", pair by pair" if two else ""),
        x=Axis(said(""), levels=tuple(said(Name(n)) for n in names)),
        y=Axis(said("value (n = ", lead.shown("n"), ")")),
        marks=tuple(marks),
        description=said(
            "One line per subject. ",
            join(", ", [said(Name(n), f": {key} ", lead.shown("groups", n, key)) for n in names]), ".",
        ),
        provenance=easel.provenance(),
        notes=(
            said(f"Grey lines: one subject each. Diamonds: {key}s."),
            *_difference(lead), *statistic_line(lead), *missing_note(easel), *filter_note(easel),
            *_spaced_note(lead, columns[0], taken),
        ),
        table=TableOfNumbers(
            heads("condition", "n", key),
            tuple((said(Name(n)), said(lead.shown("groups", n, "n")), said(lead.shown("groups", n, key))) for n in names),
        ),
    )  # fmt: skip


def _conditions(easel: Easel) -> list[tuple[str | int, ...]]:
    """Where the values of each condition stand among what the call was given."""
    if "group1" in easel.lead.arguments:
        return [("group1",), ("group2",)]
    data = easel.values("data")
    if isinstance(data, Mapping):
        return [("data", name) for name in data]
    return [("data", EVERY, k) for k in range(data.shape[1])] if getattr(data, "ndim", 0) == 2 else []


def _spaced_note(lead: Cited, drawn: Numbers, taken: tuple[int, ...] | None) -> list[Said]:
    if taken is None:
        return []
    return [said("Evenly spaced subjects are drawn: ", count(drawn), " of ", lead.shown("n"), ".")]


def _spaced(n: int, most: int) -> tuple[int, ...] | None:
    return None if n <= most else tuple(round(i * (n - 1) / (most - 1)) for i in range(most))


def _difference(lead: Cited) -> list[Said]:
    if lead.get("estimate") is None or lead.get("estimate_name") is None or lead.get("conf_level") is None:
        return []
    words = str(lead.get("estimate_name"))
    name = Name(words[:1].upper() + words[1:])
    return [
        said(name, ": ", lead.shown("estimate"), ", ", lead.level("conf_level"), " CI ", lead.interval(), ".")
    ]
