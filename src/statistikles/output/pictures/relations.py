"""Pictures of relations: scatter with fitted line and band, residuals, ROC curve, correlations of many columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from statistikles.output.pictures.derived import empty, fixed, joined
from statistikles.output.pictures.easel import EVERY, Cited, Easel, Name, count, heads, said
from statistikles.output.pictures.labels import axis_label, filter_note, missing_note, name_of, statistic_line
from statistikles.output.pictures.samples import MOST_POINTS
from statistikles.output.pictures.spec import (
    Axis,
    Cells,
    Line,
    Mark,
    Numbers,
    Picture,
    Points,
    Rule,
    Said,
    TableOfNumbers,
)

__all__ = [
    "correlations",
    "fitted_line",
    "residual_picture",
    "residuals",
    "roc_curve",
    "scatter",
    "scatter_with_line",
]

_GRID = 41  # places at which a fitted line and its band are computed
_CASES = 2000
_EXTREMES = 5  # points kept at each end of each axis when many are left out


# Scatter -----------------------------------------------------------------------------------------------------


def scatter(easel: Easel) -> Picture | None:
    """The points alone, for rank correlations, which assume no line."""
    return _scatter(easel, None)


def scatter_with_line(easel: Easel) -> Picture | None:
    """The points of a correlation with the least-squares line."""
    given = easel.lead.arguments
    return _scatter(easel, _line(easel, given.get("x"), given.get("y"), None))


def fitted_line(easel: Easel) -> Picture | None:
    """The points and the fit of a regression on one predictor; None when there are several."""
    given, grid = easel.lead.arguments, easel.values("x")
    if grid is None or len(grid[0]) != 1:
        return None
    kept = {key: given.get(key) for key in ("degree", "intercept", "decimal", "alpha")}
    return _scatter(easel, _line(easel, given["x"], given["y"], kept))


def _column(easel: Easel, key: str, taken: Sequence[int] | None = None) -> Any:
    """The values of x or y; predictors come as rows of one value."""
    found = easel.values(key)
    if found is None:
        return None
    return (
        easel.data(key, EVERY, 0, taken=taken)
        if getattr(found, "ndim", 1) == 2
        else easel.data(key, taken=taken)
    )


def _line(easel: Easel, x: Any, y: Any, kept: dict[str, Any] | None) -> Cited | None:
    """The regression of y on x at a grid over the observed range, band included."""
    seen = _column(easel, "x" if easel.values("x") is not None else "predictor")
    if seen is None or len(seen) < 3:
        return None
    low, high = min(seen.values), max(seen.values)
    grid = [low + (high - low) * i / (_GRID - 1) for i in range(_GRID - 1)] + [high]
    return easel.compute("regression", {"x": x, "y": y, "predict_at": grid, **(kept or {})})


def _scatter(easel: Easel, fit: Cited | None) -> Picture | None:
    given = easel.lead.arguments
    kx, ky = ("x", "y") if "x" in given else ("predictor", "criterion")
    x, y = _column(easel, kx), _column(easel, ky)
    if x is None or y is None or len(x) != len(y):
        return None
    taken = _thinned(x.values, y.values)
    if taken is not None:
        x, y = _column(easel, kx, taken), _column(easel, ky, taken)
    marks: list[Mark] = [Points(x, y, hollow=True)]
    notes: list[Said] = []
    if taken is not None:
        drawn = said(count(x), " of ", easel.lead.shown("n"))
        notes.append(said("Evenly spaced rows are drawn, and the outermost: ", drawn, " points."))
    if fit is not None:
        column = fit.each("details", "predictions")
        marks.append(
            Line(
                column("at"), column("predicted"), colour=1, low=column("conf_low"), high=column("conf_high")
            )
        )
        notes.insert(
            0,
            said(
                "Line: ",
                Name(str(fit.get("method"))),
                "; band: ",
                fit.level("conf_level"),
                " confidence band of the mean.",
            ),
        )
    nx, ny = name_of(easel, given.get(kx), "x"), name_of(easel, given.get(ky), "y")
    n = said("n = ", easel.lead.shown("n"))
    return Picture(
        kind="scatter",
        title=said(ny, " against ", nx),
        x=Axis(axis_label(easel, given.get(kx), "x")),
        y=Axis(said(axis_label(easel, given.get(ky), "y"), " (", n, ")")),
        marks=tuple(marks),
        description=said("Scatter plot of ", ny, " against ", nx, ", ", n, ". ", *_strength(easel.lead)),
        provenance=easel.provenance(),
        notes=(*notes, *_coefficient(easel.lead), *missing_note(easel), *filter_note(easel)),
        table=None if fit is None else _line_table(fit, nx, ny),
    )


def _thinned(x: Sequence[float], y: Sequence[float]) -> list[int] | None:
    """The rows that are drawn of very many: evenly spaced ones, and the outermost on each axis."""
    n = len(x)
    if n <= MOST_POINTS:
        return None
    kept = {round(i * (n - 1) / (MOST_POINTS - 1)) for i in range(MOST_POINTS)}
    for values in (x, y):
        order = sorted(range(n), key=values.__getitem__)
        kept |= {*order[:_EXTREMES], *order[-_EXTREMES:]}
    return sorted(kept)


def _strength(lead: Cited) -> list[Any]:
    name = lead.get("estimate_name")
    if name and lead.get("estimate") is not None:
        return [Name(str(name)), " = ", lead.shown("estimate"), "."]
    if lead.get("r_squared") is not None:
        return [Name("R²"), " = ", lead.shown("r_squared"), "."]
    return []


def _coefficient(lead: Cited) -> list[Said]:
    """'Pearson's r = 0.87, 95% CI [0.84, 0.89], p < .001.'"""
    parts = _strength(lead)
    if not parts:
        return statistic_line(lead)
    if lead.get("conf_low") is not None and lead.get("conf_level") is not None:
        parts[-1:] = [", ", lead.level("conf_level"), " CI ", lead.interval()]
    else:
        parts[-1:] = []
    if isinstance(lead.get("p_value"), int | float):
        parts += [", ", lead.p_value("p_value")]
    return [said(*parts, ".")]


def _line_table(fit: Cited, x: Said, y: Said) -> TableOfNumbers:
    base = ("details", "predictions")
    rows = range(0, len(fit.get(*base)), (_GRID - 1) // 10)
    keys = ("at", "predicted", "conf_low", "conf_high")
    return TableOfNumbers(
        heads(x, said(y, " on the line"), "band from", "to"),
        tuple(
            tuple(
                said(fit.shown(*base, i, key)) if fit.get(*base, i, key) is not None else said("undefined")
                for key in keys
            )
            for i in rows
        ),
    )


# Model checks ------------------------------------------------------------------------------------------------


def residuals(easel: Easel) -> Picture | None:
    """Residuals against fitted values."""
    given = easel.lead.arguments
    found = easel.compute("regression", {**given, "cases": _CASES})
    return (
        None if found is None else residual_picture(easel, found, ("details", "cases"), given.get("y"), "y")
    )


def residual_picture(easel: Easel, found: Cited, base: tuple[str, ...], y: Any, otherwise: str) -> Picture:
    """The residuals that a result lists at a path, against its fitted values."""
    column = found.each(*base)
    name = name_of(easel, y, otherwise)
    notes = [said("A funnel speaks against equal variances, a bow against the form of the relation.")]
    if len(found.get(*base)) < found.get("n"):
        drawn = said(count(column("fitted")), " of ", found.shown("n"))
        notes.append(said("Evenly spaced cases are drawn, and the worst fitted: ", drawn, "."))
    return Picture(
        kind="residuals",
        title=said("Residuals of ", name),
        x=Axis(said("fitted ", axis_label(easel, y, otherwise))),
        y=Axis(said("residual (n = ", found.shown("n"), ")")),
        marks=(
            Points(column("fitted"), column("residual"), hollow=True),
            Rule(fixed([0.0], "no error"), "y", dashed=False),
        ),
        description=said("Residuals against fitted values of ", name, ", n = ", found.shown("n"), "."),
        provenance=easel.provenance(),
        notes=(
            *notes,
            *(
                [said(Name(str(found.get("method"))), ": ", *_r2(found))]
                if found.get("r_squared") is not None
                else []
            ),
            *missing_note(easel),
            *filter_note(easel),
        ),
    )


def _r2(found: Cited) -> list[Any]:
    out: list[Any] = [Name("R²"), " = ", found.shown("r_squared")]
    if isinstance(found.get("p_value"), int | float):
        out += [", ", found.p_value("p_value")]
    return [*out, "."]


def roc_curve(easel: Easel) -> Picture | None:
    """True against false positive rate at every threshold."""
    found = easel.compute("logistic_regression", {**easel.lead.arguments, "roc": True})
    if found is None:
        return None
    column, base = found.each("details", "roc"), ("details", "roc")
    name = name_of(easel, easel.lead.arguments.get("y"), "the outcome")
    area: list[Any] = ["AUC = ", found.shown("effect_size", "estimate")]
    if found.get("effect_size", "conf_low") is not None:
        area += [", ", found.level("effect_size", "conf_level"), " CI ", found.interval("effect_size")]
    rows = range(0, len(found.get(*base)), max(1, math.ceil(len(found.get(*base)) / 50)))
    return Picture(
        kind="roc",
        title=said("ROC curve of the model of ", name),
        x=Axis(said("false positive rate (1 − specificity)".replace("1 −", "one minus")), low=0.0, high=1.0),
        y=Axis(said("true positive rate (sensitivity)"), low=0.0, high=1.0),
        marks=(
            Line(fixed([0.0, 1.0], "chance"), fixed([0.0, 1.0], "chance"), colour=7, dashed=True),
            Line(column("false_positive_rate"), column("true_positive_rate"), colour=0),
        ),
        description=said("ROC curve, n = ", found.shown("n"), ": ", *area, "."),
        provenance=easel.provenance(),
        notes=(
            said(*area, " (n = ", found.shown("n"), ")."),
            said("Dashed: chance. The model is judged on the data it was fitted to."),
            *missing_note(easel),
            *filter_note(easel),
        ),
        table=TableOfNumbers(
            heads("false positive rate", "true positive rate"),
            tuple(
                (
                    said(found.shown(*base, i, "false_positive_rate")),
                    said(found.shown(*base, i, "true_positive_rate")),
                )
                for i in rows
            ),
        ),
    )


# Many columns ------------------------------------------------------------------------------------------------


def correlations(easel: Easel, columns: Sequence[str], found: Sequence[Sequence[Cited | None]]) -> Picture:
    """Pearson's r of every pair of columns as coloured cells; `found[i][j]` for j < i."""
    k = len(columns)
    texts: list[Said] = []
    values: list[Numbers] = []
    for i in range(1, k):  # the first column has no row, the last no column: nothing would stand there
        for j in range(k - 1):
            cited = found[i][j] if j < i else None
            if cited is None:
                texts.append(said(""))
                values.append(empty(1))
            else:
                texts.append(said(cited.shown("estimate", decimals=2)))
                values.append(cited.numbers("estimate"))
    cells = Cells(k - 1, k - 1, joined(*values), tuple(texts))
    names = tuple(said(Name(c)) for c in columns)
    ns = [c.get("n") for row in found for c in row if c is not None]
    first = next(c for row in found for c in row if c is not None)
    size = (
        [said("n = ", first.shown("n"), " in every pair.")]
        if len(set(ns)) == 1
        else [said("Pairs with missing values are left out pair by pair.")]
    )
    rows = [
        (
            said(Name(columns[i])),
            said(Name(columns[j])),
            said(c.shown("estimate", decimals=2)),
            said(c.shown("n")),
        )
        for i, row in enumerate(found)
        for j, c in enumerate(row)
        if c is not None
    ]
    return Picture(
        kind="heatmap",
        title=said("Correlations (Pearson's r)"),
        x=Axis(said(""), levels=names[:-1]),
        y=Axis(said(""), levels=names[1:], reverse=True),
        marks=(cells,),
        description=said("Pearson correlations of ", Name(", ".join(columns)), "."),
        provenance=easel.provenance(),
        notes=(*size, said("Not corrected for looking at many pairs.")),
        table=TableOfNumbers(heads("column", "column", "r", "n"), tuple(rows)),
    )
