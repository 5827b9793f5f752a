"""Pictures of further fits: a curve, an added variable, the jump at a threshold, and the agreement of two measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from statistikles.output.pictures.derived import difference, ends, fixed, joined, mean_of
from statistikles.output.pictures.easel import Cited, Easel, Name, count, heads, join, said
from statistikles.output.pictures.labels import axis_label, filter_note, missing_note, name_of
from statistikles.output.pictures.relations import residual_picture
from statistikles.output.pictures.samples import MOST_POINTS
from statistikles.output.pictures.spec import (
    Axis,
    Line,
    Mark,
    Numbers,
    Picture,
    Points,
    Rule,
    Said,
    TableOfNumbers,
)

__all__ = ["added_variable", "agreement", "curve", "curve_residuals", "jump"]

_GRAPH = ("details", "graph")


def _graph(easel: Easel) -> Cited | None:
    """The call again, with what its picture needs."""
    return easel.compute(easel.lead.tool, {**easel.lead.arguments, "graph": True})


def _estimate(found: Cited, *path: str | int) -> Said:
    """'−0.18, 95% CI [−0.37, 0.01]'."""
    return said(
        found.shown(*path, "estimate"), ", ", found.level("conf_level"), " CI ", found.interval(*path)
    )


# Curves ------------------------------------------------------------------------------------------------------


def curve(easel: Easel) -> Picture | None:
    """The points and the fitted curve of a nonlinear regression on one predictor."""
    found = _graph(easel)
    response = str(easel.lead.arguments.get("response"))
    if found is None or not found.get(*_GRAPH, "curve") or easel.values("data", response) is None:
        return None
    predictor = str(found.get(*_GRAPH, "predictor"))
    columns: Any = easel.lead.arguments["data"]
    x, y = easel.data("data", predictor), easel.data("data", response)
    taken = _spaced(len(x))
    if taken is not None:
        x, y = (easel.data("data", name, taken=taken) for name in (predictor, response))
    part = found.each(*_GRAPH, "curve")
    nx, ny = (name_of(easel, columns.get(name), name) for name in (predictor, response))
    terms = [said(Name(name), " = ", _estimate(found, "terms", name)) for name in found.get("terms")]
    n = said("n = ", found.shown("n"))
    return Picture(
        kind="curve",
        title=said(ny, " against ", nx),
        x=Axis(axis_label(easel, columns.get(predictor), predictor)),
        y=Axis(said(axis_label(easel, columns.get(response), response), " (", n, ")")),
        marks=(
            Points(x, y, hollow=True),
            Line(part("at"), part("fitted"), colour=1, low=part("conf_low"), high=part("conf_high")),
        ),
        description=said("Scatter plot of ", ny, " against ", nx, " with the fitted curve, ", n, "."),
        provenance=easel.provenance(),
        notes=(
            said("Curve: ", Name(str(found.get("method"))), "; band: ", found.level("conf_level"),
                 " confidence band of the mean (linear approximation)."),
            said(join("; ", terms), "."),
            *_drawn(x, found, taken), *missing_note(easel), *filter_note(easel),
        ),
        table=_curve_table(found, (*_GRAPH, "curve"), nx, ny),
    )  # fmt: skip


def curve_residuals(easel: Easel) -> Picture | None:
    """Residuals against fitted values of a nonlinear regression."""
    found = _graph(easel)
    if found is None:
        return None
    response = easel.lead.arguments.get("response")
    columns: Any = easel.lead.arguments.get("data") or {}
    return residual_picture(easel, found, (*_GRAPH, "cases"), columns.get(response), str(response))


def _curve_table(found: Cited, path: Sequence[str], x: Said, y: Said) -> TableOfNumbers:
    rows = range(0, len(found.get(*path)), 10)
    keys = ("at", "fitted", "conf_low", "conf_high")
    cells = tuple(tuple(_cell(found, *path, i, key) for key in keys) for i in rows)
    return TableOfNumbers(heads(x, said(y, " on the curve"), "band from", "to"), cells)


def _cell(found: Cited, *path: str | int) -> Said:
    return said(found.shown(*path)) if found.get(*path) is not None else said("undefined")


def _spaced(n: int) -> list[int] | None:
    return None if n <= MOST_POINTS else [round(i * (n - 1) / (MOST_POINTS - 1)) for i in range(MOST_POINTS)]


def _drawn(points: Numbers, found: Cited, taken: Any) -> list[Said]:
    if taken is None:
        return []
    return [said("Evenly spaced rows are drawn: ", count(points), " of ", found.shown("n"), " points.")]


# Covariates held constant ------------------------------------------------------------------------------------


def added_variable(easel: Easel) -> Picture | None:
    """What covariates leave of two variables, and the line through it (added-variable plot)."""
    found = _graph(easel)
    if found is None:
        return None
    given = easel.lead.arguments
    part, line = found.each(*_GRAPH, "points"), found.each(*_GRAPH, "line")
    nx, ny = name_of(easel, given.get("x"), "x"), name_of(easel, given.get("y"), "y")
    held = _covariates(easel)
    slope = said(
        found.shown(*_GRAPH, "slope"),
        ", ",
        found.level(*_GRAPH, "conf_level"),
        " CI ",
        found.interval(*_GRAPH),
    )
    x = part("x_residual")
    thinned = None if len(x) == found.get("n") else True
    n = said("n = ", found.shown("n"))
    return Picture(
        kind="added-variable",
        title=said(ny, " against ", nx, ", ", held, " held constant"),
        x=Axis(said(axis_label(easel, given.get("x"), "x"), ": residual")),
        y=Axis(said(axis_label(easel, given.get("y"), "y"), ": residual (", n, ")")),
        marks=(
            Rule(fixed([0.0], "as the covariates say"), "y", dashed=False),
            Points(x, part("y_residual"), hollow=True),
            Line(line("at"), line("fitted"), colour=1),
        ),
        description=said("Added-variable plot of ", ny, " against ", nx, ", ", n, ". Slope ", slope, "."),
        provenance=easel.provenance(),
        notes=(
            said("What is left of both after a regression on ", held, ". Line: the slope with ", held, " in the model, ",
                 slope, "."),
            said("Partial r = ", found.shown("estimate"), ", ", found.level("conf_level"), " CI ", found.interval(), ", ",
                 found.p_value("p_value"), "."),
            *_drawn(x, found, thinned), *missing_note(easel), *filter_note(easel),
        ),
    )  # fmt: skip


def _covariates(easel: Easel) -> Said:
    held = easel.lead.arguments.get("covariates")
    several = held if isinstance(held, list | tuple) else [held]
    if any(isinstance(part, int | float) for part in several):
        several = [held]
    names = [name_of(easel, part, "the covariate") for part in several]
    return join(", ", names) if len({str(name) for name in names}) == len(names) else said("the covariates")


# A threshold -------------------------------------------------------------------------------------------------


def jump(easel: Easel) -> Picture | None:
    """Means of bins on both sides of a threshold, and the two local lines that meet it."""
    found = _graph(easel)
    if found is None:
        return None
    given = easel.lead.arguments
    marks: list[Mark] = []
    for k, side in enumerate(("below", "above")):
        dots, line = found.each(*_GRAPH, side, "bins"), found.each(*_GRAPH, side, "line")
        marks.append(Points(dots("mean_x"), dots("mean_y"), colour=7, sizes=dots("n")))
        marks.append(Line(line("at"), line("fitted"), colour=k, low=line("conf_low"), high=line("conf_high")))
    threshold = said("threshold ", found.shown("details", "threshold"))
    marks.append(Rule(found.numbers("details", "threshold"), "x", threshold))
    nx, ny = name_of(easel, given.get("x"), "x"), name_of(easel, given.get("y"), "y")
    n = said("n = ", found.shown("n"))
    return Picture(
        kind="discontinuity",
        title=said(ny, " against ", nx, ", at the ", threshold),
        x=Axis(axis_label(easel, given.get("x"), "x")),
        y=Axis(said(axis_label(easel, given.get("y"), "y"), " (", n, ")")),
        marks=tuple(marks),
        description=said("Means of intervals of ", nx, " and a line on each side. Jump ", _estimate(found), "."),
        provenance=easel.provenance(),
        notes=(
            said("Jump at the threshold: ", _estimate(found), ", ", found.p_value("p_value"), "."),
            said("Dots: means of equally wide intervals, as large as their count. Lines: local linear fit within ",
                 found.shown("details", "bandwidth"), " of the threshold, nearer values weighing more; bands: ",
                 found.level("conf_level"), ", robust."),
            *missing_note(easel), *filter_note(easel),
        ),
        table=TableOfNumbers(
            heads(said("mean ", nx), said("mean ", ny), "n"),
            tuple(
                tuple(said(found.shown(*_GRAPH, side, "bins", i, key)) for key in ("mean_x", "mean_y", "n"))
                for side in ("below", "above")
                for i in range(len(found.get(*_GRAPH, side, "bins")))
            ),
        ),
    )  # fmt: skip


# Agreement ---------------------------------------------------------------------------------------------------


def agreement(easel: Easel) -> Picture | None:
    """Differences of two measurements against their means, with bias and limits of agreement (Bland and Altman)."""
    lead, given = easel.lead, easel.lead.arguments
    if easel.values("rater1") is None or easel.values("rater2") is None:
        return None
    taken = _spaced(len(easel.values("rater1")))
    first, second = (easel.data(key, taken=taken) for key in ("rater1", "rater2"))
    x, y = mean_of(first, second), difference(first, second)
    marks: list[Mark] = [Points(x, y, hollow=True)]
    limits: tuple[tuple[str, ...], ...] = (("details", "lower_limit"), ("details", "upper_limit"))
    for path in ((), *limits):
        level, low, high = (lead.numbers(*path, key) for key in ("estimate", "conf_low", "conf_high"))
        twice = [joined(end, end) for end in (level, low, high)]
        colour = 1 if path else 0
        marks.append(Line(ends(x), twice[0], colour=colour, dashed=bool(path), low=twice[1], high=twice[2]))
    a, b = (
        name_of(easel, given.get(f"rater{k}"), f"measurement {word}") for k, word in ((1, "one"), (2, "two"))
    )
    both = [_estimate(lead, *path) for path in limits]
    n = said("n = ", lead.shown("n"))
    return Picture(
        kind="agreement",
        title=said("Agreement of ", a, " and ", b),
        x=Axis(said("mean of ", a, " and ", b)),
        y=Axis(said(a, " − ", b, " (", n, ")")),
        marks=(Rule(fixed([0.0], "no difference"), "y", dashed=False), *marks),
        description=said("Differences against means, ", n, ": bias ", _estimate(lead), "."),
        provenance=easel.provenance(),
        notes=(
            said("Line: bias ", _estimate(lead), "."),
            said("Dashed: limits of agreement ", both[0], ", and ", both[1], "; bands: their intervals."),
            said("Outside the limits: ", lead.shown("details", "n_outside_limits"), "."),
            *_slope(lead), *_drawn(first, lead, taken), *missing_note(easel), *filter_note(easel),
        ),
        table=TableOfNumbers(
            heads("", "estimate", "CI from", "to"),
            tuple(
                (said(words), *(said(lead.shown(*path, key)) for key in ("estimate", "conf_low", "conf_high")))
                for words, path in zip(("bias", "lower limit", "upper limit"), ((), *limits), strict=True)
            ),
        ),
    )  # fmt: skip


def _slope(lead: Cited) -> list[Said]:
    base = ("details", "proportional_bias")
    if lead.get(*base, "p_value") is None:
        return []
    return [
        said(
            "Slope of the differences: ",
            lead.shown(*base, "slope"),
            ", ",
            lead.p_value(*base, "p_value"),
            ".",
        )
    ]
