"""Pictures of counts: bars with intervals, stacked shares of a table, observed against expected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from statistikles.output.pictures.derived import fixed, in_order, middle, shifted, stacked
from statistikles.output.pictures.easel import EVERY, Cited, Easel, Name, count, heads, join, said
from statistikles.output.pictures.labels import column_of, filter_note, missing_note, name_of, statistic_line
from statistikles.output.pictures.source import written
from statistikles.output.pictures.spec import (
    Axis,
    Bars,
    Intervals,
    Legend,
    Mark,
    Numbers,
    Picture,
    Points,
    Said,
    Shown,
    TableOfNumbers,
    TextAt,
)

__all__ = ["expected_counts", "frequencies", "measures_with_intervals", "shares"]

MOST_BARS = 20
_WIDTH = 0.8
_ROOM_FOR_TEXT = 0.06  # of the whole bar


def frequencies(easel: Easel) -> Picture | None:
    """Shares of the values of one column with their intervals, the most frequent first."""
    found = easel.lead
    rows = found.get("rows")
    if not rows or "count" not in rows[0]:
        return None
    taken = range(min(len(rows), MOST_BARS))
    at = in_order(len(taken))
    part = found.each("rows", taken=taken)
    names = [_value(found, i) for i in taken]
    name = name_of(easel, found.arguments.get("data"), "value")
    texts = tuple(
        TextAt(
            in_order(1, i),
            said(
                found.shown("rows", i, "count"),
                " (",
                found.shown("rows", i, "proportion", percent=True, decimals=1),
                ")",
            ),
        )
        for i in taken
    )
    notes = [
        said("Bars: share of the values present; lines: ", *_level(easel), " confidence intervals (Wilson).")
    ]
    if len(rows) > MOST_BARS:
        drawn = said(count(part("count")), " of ", count(found.numbers("rows", EVERY, "count")))
        notes.append(said("Only the most frequent values are drawn: ", drawn, "."))
    n = said("n = ", found.shown("n"))
    return Picture(
        kind="bars",
        title=said("How often each ", name, " occurs"),
        x=Axis(said("share (", n, ")"), low=0.0, percent=True),
        y=Axis(name, levels=tuple(names), reverse=True),
        marks=(
            *_bars(at, part("proportion")),
            Intervals(at, part("conf_low"), part("conf_high"), colour=8, sideways=True),
            *texts,
        ),
        description=said(
            "Bar chart of ",
            name,
            ", ",
            n,
            ": ",
            join(", ", [said(a, " ", t.text) for a, t in zip(names, texts, strict=True)][:8]),
            ".",
        ),
        provenance=easel.provenance(),
        notes=(*notes, *missing_note(easel), *filter_note(easel)),
        table=_frequency_table(found, name, names),
    )


def _value(found: Cited, place: int) -> Said:
    """A value of the column: a word, or a number with its address."""
    value = found.get("rows", place, "value")
    if isinstance(value, bool) or not isinstance(value, int | float):
        return said(Name(str(value)))
    address = written(found.id, ("rows", place, "value"))
    return said(Shown(str(value), float(value), address))


def _frequency_table(found: Cited, name: Said, names: Sequence[Said]) -> TableOfNumbers:
    shares = ("proportion", "conf_low", "conf_high")
    rows = [
        (
            names[i],
            said(found.shown("rows", i, "count")),
            *(said(found.shown("rows", i, key, percent=True, decimals=1)) for key in shares),
        )
        for i in range(len(names))
    ]
    return TableOfNumbers(heads(name, "count", "share", "CI from", "to"), tuple(rows))


def _level(easel: Easel) -> list[Any]:
    """The confidence level of a frequency table, which names it in its conventions."""
    for convention in easel.lead.get("conventions") or ():
        if "Wilson" in convention and "%" in convention:
            return [Name(convention.partition("Wilson, ")[2].partition("%")[0] + "%")]
    return []


def _bars(at: Numbers, height: Numbers, *, base: Numbers | None = None, colour: int = 0) -> list[Mark]:
    left, right = shifted(at, -_WIDTH / 2), shifted(at, _WIDTH / 2)
    return [Bars(left, right, height, base=base, colour=colour, sideways=True)]


def shares(easel: Easel) -> Picture | None:
    """Each row of a contingency table as one bar of shares that add up to all."""
    found = easel.lead
    table = found.get("details", "row_proportions")
    if not table:
        return None
    rows = list(table)[:MOST_BARS]
    columns = list(next(iter(table.values())))
    if len(columns) > 8:
        return None
    marks = _stacked(found, rows, columns)
    row_name, column_name = _crossed(easel)
    levels = tuple(said(Name(r), "\n(n = ", _size(found, r), ")") for r in rows)
    notes = [said("Each bar is all of one row of the table.")]
    if len(table) > len(rows):
        every = found.numbers("details", "row_proportions", EVERY, columns[0])
        drawn = found.numbers("details", "row_proportions", EVERY, columns[0], taken=range(len(rows)))
        notes.append(
            said("Only the first rows of the table are drawn: ", count(drawn), " of ", count(every), ".")
        )
    return Picture(
        kind="shares",
        title=said(column_name, " by ", row_name),
        x=Axis(said("share (n = ", found.shown("n"), ")"), low=0.0, high=1.0, percent=True),
        y=Axis(row_name, levels=levels, reverse=True),
        marks=tuple(marks),
        description=said("Stacked bars: ", join("; ", [_row_said(found, r, columns) for r in rows[:6]]), "."),
        provenance=easel.provenance(),
        notes=(*notes, *statistic_line(found), *_effect(found), *filter_note(easel)),
        legend=Legend(
            column_name, tuple((c, said(Name(name))) for c, name in enumerate(columns)), filled=True
        ),
        table=_crossed_table(found, row_name, rows, columns),
    )


def _stacked(found: Cited, rows: Sequence[str], columns: Sequence[str]) -> list[Mark]:
    """One run of bars per column, each on top of the one before, and the shares that have room inside."""
    at = in_order(len(rows))
    taken = range(len(rows))
    marks: list[Mark] = []
    before: list[Numbers] = [fixed([0.0] * len(rows), "bars start at zero")]
    for c, column in enumerate(columns):
        share = found.numbers("details", "row_proportions", EVERY, column, taken=taken)
        base = stacked(*before)
        marks += _bars(at, share, base=base, colour=c)
        for i, row in enumerate(rows):
            if (share.values[i] or 0.0) >= _ROOM_FOR_TEXT:
                shown = found.shown("details", "row_proportions", row, column, percent=True)
                inside = middle(_one(base, i), found.numbers("details", "row_proportions", row, column))
                marks.append(TextAt(in_order(1, i), said(shown), x=inside))
        before.append(share)
    return marks


def _one(base: Numbers, place: int) -> Numbers:
    """One of the bases, as the sum it is."""
    assert base.derived is not None
    parts = []
    for part in base.derived.parts:
        if part.source:
            assert part.taken is not None
            parts.append(Numbers((part.values[place],), part.source, (part.taken[place],)))
        else:
            parts.append(fixed([0.0], "bars start at zero"))
    return stacked(*parts)


def _effect(found: Cited) -> list[Said]:
    if found.get("effect_size", "estimate") is None:
        return []
    name = Name(str(found.get("effect_size", "name")))
    return [said(name, " = ", found.shown("effect_size", "estimate"), ".")]


def _crossed_table(found: Cited, name: Said, rows: Sequence[str], columns: Sequence[str]) -> TableOfNumbers:
    share = ("details", "row_proportions")
    lines = [
        (
            said(Name(r)),
            *(said(found.shown("details", "observed", r, c)) for c in columns),
            *(said(found.shown(*share, r, c, percent=True, decimals=1)) for c in columns),
        )
        for r in rows
    ]
    return TableOfNumbers(
        heads(name, *(said(Name(c)) for c in columns), *(said(Name(c), ", share") for c in columns)),
        tuple(lines),
    )


def _size(found: Cited, row: str) -> Any:
    return found.shown("groups", row, "n") if found.get("groups", row, "n") is not None else "?"


def _row_said(found: Cited, row: str, columns: Sequence[str]) -> Said:
    parts = [
        said(Name(c), " ", found.shown("details", "row_proportions", row, c, percent=True)) for c in columns
    ]
    return said(Name(row), ": ", join(", ", parts))


def _crossed(easel: Easel) -> tuple[Said, Said]:
    """What the rows and the columns of a contingency table are."""
    given = easel.lead.arguments
    found = column_of(given.get("observed"))
    if found is not None and found.by:
        return said(Name(found.column)), said(Name(found.by))
    if given.get("x") is not None and given.get("y") is not None:
        return name_of(easel, given["x"], "row"), name_of(easel, given["y"], "column")
    return said("row"), said("column")


def expected_counts(easel: Easel) -> Picture | None:
    """Observed counts as bars, expected ones as marks."""
    found = easel.lead
    table = found.get("details", "categories")
    if not table or len(table) > MOST_BARS:
        return None
    names = list(table)
    at = in_order(len(names))
    column = found.each("details", "categories")
    name = name_of(easel, found.arguments.get("data") or found.arguments.get("observed"), "category")
    return Picture(
        kind="bars",
        title=said("Observed and expected counts"),
        x=Axis(said("count (n = ", found.shown("n"), ")"), low=0.0),
        y=Axis(name, levels=tuple(said(Name(c)) for c in names), reverse=True),
        marks=(
            *_bars(at, column("observed")),
            Points(column("expected"), at, colour=1, sign="D"),
            *(
                TextAt(in_order(1, i), said(found.shown("details", "categories", c, "observed")))
                for i, c in enumerate(names)
            ),
        ),
        description=said(
            "Observed against expected counts of ", join(", ", [said(Name(c)) for c in names[:8]]), "."
        ),
        provenance=easel.provenance(),
        notes=(
            said("Bars: observed. Diamonds: expected."),
            *statistic_line(found),
            *missing_note(easel),
            *filter_note(easel),
        ),
        table=TableOfNumbers(
            heads("category", "observed", "expected"),
            tuple(
                (
                    said(Name(c)),
                    said(found.shown("details", "categories", c, "observed")),
                    said(found.shown("details", "categories", c, "expected")),
                )
                for c in names
            ),
        ),
    )


def _n_of(found: Cited, name: str) -> list[Any]:
    """The number of cases a measure rests on, where it is a share of some."""
    return (
        ["\n(n = ", found.shown("intervals", name, "n"), ")"]
        if found.get("intervals", name, "n") is not None
        else []
    )


def measures_with_intervals(easel: Easel) -> Picture | None:
    """Sensitivity, specificity and their kin with intervals."""
    found = easel.lead
    table = found.get("intervals")
    names = [
        n
        for n, row in (table or {}).items()
        if row.get("estimate") is not None and row.get("conf_low") is not None and row.get("n") is not None
    ]
    if not names:
        return None
    order = list(table)
    taken = [order.index(n) for n in names]
    part = found.each("intervals", taken=taken)
    at = in_order(len(names))
    words = {"ppv": "positive predictive value", "npv": "negative predictive value"}
    levels = tuple(said(Name(words.get(n, n.replace("_", " "))), *_n_of(found, n)) for n in names)
    return Picture(
        kind="estimates",
        title=said("Diagnostic accuracy"),
        x=Axis(said("estimate"), low=0.0, high=1.0, percent=True),
        y=Axis(said(""), levels=levels, reverse=True),
        marks=(
            Intervals(at, part("conf_low"), part("conf_high"), sideways=True),
            Points(part("estimate"), at),
            *(
                TextAt(
                    in_order(1, i), said(found.shown("intervals", n, "estimate", percent=True, decimals=1))
                )
                for i, n in enumerate(names)
            ),
        ),
        description=said("Diagnostic accuracy with confidence intervals."),
        provenance=easel.provenance(),
        notes=(
            said(
                "Lines: ",
                found.level("intervals", names[0], "conf_level"),
                " confidence intervals (",
                Name(str(found.get("intervals", names[0], "conf_method"))),
                ").",
            ),
        ),
        table=TableOfNumbers(
            heads("measure", "estimate", "CI from", "to"),
            tuple(
                (
                    said(Name(n)),
                    *(said(found.shown("intervals", n, k)) for k in ("estimate", "conf_low", "conf_high")),
                )
                for n in names
            ),
        ),
    )
