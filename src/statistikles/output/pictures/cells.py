"""Pictures of factorial analyses: an interaction plot of cell means, adjusted means of one factor."""

from __future__ import annotations

from statistikles.output.pictures.derived import in_order, shifted
from statistikles.output.pictures.easel import EVERY, Cited, Easel, Name, heads, join, said
from statistikles.output.pictures.labels import axis_label, filter_note, missing_note, name_of
from statistikles.output.pictures.spec import (
    Axis,
    Intervals,
    Legend,
    Line,
    Mark,
    Picture,
    Points,
    Said,
    TableOfNumbers,
    TextAt,
)

__all__ = ["means"]

_CELLS = ("details", "graph", "cells")
_MOST_LINES, _MOST_PLACES, _MOST_ROWS = 6, 12, 20
_APART = 0.07  # lines are moved so far from each other


def means(easel: Easel) -> Picture | None:
    """Two factors: the means of all combinations, lines for one of them; one factor: its adjusted means."""
    found = easel.compute(easel.lead.tool, {**easel.lead.arguments, "graph": True})
    if found is None:
        return None
    return _interaction(easel, found) if len(_factors(found)) == 2 else _adjusted(easel, found)


def _factors(found: Cited) -> list[str]:
    return [str(name) for name in found.get("details", "graph", "factors")]


def _factor(easel: Easel, found: Cited, place: int) -> Said:
    """The name of a factor: its column's, else what the result calls it."""
    return name_of(easel, easel.lead.arguments.get(("factor_a", "factor_b")[place]), _factors(found)[place])


def _interaction(easel: Easel, found: Cited) -> Picture | None:
    cells = found.get(*_CELLS)
    levels = (list(cells), list(next(iter(cells.values()))))
    lines = 0 if len(levels[0]) < len(levels[1]) else 1  # the factor with fewer levels has the lines
    along, keyed = levels[1 - lines], levels[lines]
    if len(keyed) > _MOST_LINES or len(along) > _MOST_PLACES:
        return None
    marks: list[Mark] = []
    for k, level in enumerate(keyed):
        path = (*_CELLS, level, EVERY) if lines == 0 else (*_CELLS, EVERY, level)
        at = shifted(in_order(len(along)), (k - (len(keyed) - 1) / 2) * _APART)
        mean, low, high = (found.numbers(*path, key) for key in ("mean", "conf_low", "conf_high"))
        marks.append(Line(at, mean, colour=k, keyed=True))
        marks.append(Intervals(at, low, high, colour=k, caps=False))
        marks.append(Points(at, mean, colour=k))
    names = [_factor(easel, found, place) for place in (0, 1)]
    outcome = easel.lead.arguments.get("y")
    name = name_of(easel, outcome, "y")
    n = said("n = ", found.shown("n"))
    return Picture(
        kind="interaction",
        title=said(name, " by ", names[0], " and ", names[1]),
        x=Axis(names[1 - lines], levels=tuple(said(Name(level)) for level in along)),
        y=Axis(said("mean ", axis_label(easel, outcome, "y"), " (", n, ")")),
        marks=tuple(marks),
        description=said("Interaction plot: means of ", name, " by ", names[0], " and ", names[1], ", ", n, "."),
        provenance=easel.provenance(),
        notes=(
            said(_held(easel), "lines: their ", found.level("details", "graph", "conf_level"),
                 " confidence intervals, from the residual variance of the model. Parallel lines: no interaction."),
            *_tests(found), *missing_note(easel), *filter_note(easel),
        ),
        legend=Legend(names[lines], tuple((k, said(Name(level))) for k, level in enumerate(keyed))),
        table=_cell_table(found, names, levels),
    )  # fmt: skip


def _held(easel: Easel) -> str:
    held = easel.lead.arguments.get("covariates") is not None
    return "Dots: means at the means of the covariates; upright " if held else "Dots: means; upright "


def _tests(found: Cited) -> list[Said]:
    """'tension: p = .003; wool × tension: p = .021.'"""
    sources = found.get("sources") or {}
    parts = [
        said(Name(name), ": ", found.p_value("sources", name, "p_value"))
        for name, row in sources.items()
        if isinstance(row, dict) and row.get("p_value") is not None
    ]
    return [said(join("; ", parts), ".")] if parts else []


def _cell_table(found: Cited, names: list[Said], levels: tuple[list[str], list[str]]) -> TableOfNumbers:
    keys = ("n", "mean", "conf_low", "conf_high")
    rows = tuple(
        (said(Name(a)), said(Name(b)), *(said(found.shown(*_CELLS, a, b, key)) for key in keys))
        for a in levels[0]
        for b in levels[1]
    )
    return TableOfNumbers(heads(names[0], names[1], "n", "mean", "CI from", "to"), rows)


def _adjusted(easel: Easel, found: Cited) -> Picture | None:
    levels = list(found.get(*_CELLS))
    if len(levels) > _MOST_ROWS:
        return None
    at = in_order(len(levels))
    part = found.each(*_CELLS)
    name, factor = name_of(easel, easel.lead.arguments.get("y"), "y"), _factor(easel, found, 0)
    texts = [
        said(found.shown(*_CELLS, level, "mean"), " ", found.interval(*_CELLS, level)) for level in levels
    ]
    keys = ("n", "mean", "conf_low", "conf_high")
    rows = tuple(said(Name(v), "\n(n = ", found.shown(*_CELLS, v, "n"), ")") for v in levels)
    told = join("; ", [said(Name(v), " ", text) for v, text in zip(levels, texts, strict=True)])
    return Picture(
        kind="adjusted",
        title=said("Adjusted means of ", name, " by ", factor),
        x=Axis(said(axis_label(easel, easel.lead.arguments.get("y"), "y"), " with ",
                    found.level("details", "graph", "conf_level"), " confidence interval")),
        y=Axis(factor, levels=rows, reverse=True),
        marks=(
            Intervals(at, part("conf_low"), part("conf_high"), sideways=True),
            Points(part("mean"), at, sign="s"),
            *(TextAt(in_order(1, i), text) for i, text in enumerate(texts)),
        ),
        description=said("Adjusted means: ", told, "."),
        provenance=easel.provenance(),
        notes=(said("Covariates held at their means."), *_tests(found), *missing_note(easel), *filter_note(easel)),
        table=TableOfNumbers(
            heads(factor, "n", "adjusted mean", "CI from", "to"),
            tuple((said(Name(v)), *(said(found.shown(*_CELLS, v, key)) for key in keys)) for v in levels),
        ),
    )  # fmt: skip
