"""Pictures of one sample: histogram and normal quantile plot; normal quantile plots of groups side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from statistikles.output.pictures.derived import mean_of, shifted
from statistikles.output.pictures.easel import EVERY, Cited, Easel, Name, count, heads, join, said
from statistikles.output.pictures.labels import (
    axis_label,
    filter_note,
    missing_note,
    name_of,
    plural,
    statistic_line,
)
from statistikles.output.pictures.spec import (
    Axis,
    Bars,
    Line,
    Mark,
    Numbers,
    Panel,
    Picture,
    Points,
    Rule,
    Said,
    TableOfNumbers,
)

__all__ = [
    "MOST_POINTS",
    "fitted_histogram",
    "histogram",
    "histogram_of",
    "quantile_plot",
    "quantile_plots",
    "sample_of",
]

MOST_POINTS = 3000  # single observations drawn in one picture
_WHOLE_TICKS = 16
_MOST_PANELS = 9
_MOST_GROUPS = 50  # the quantiles of more would fill the ledger


def sample_of(easel: Easel) -> tuple[Any, str]:
    """The argument that holds the one sample, and its name."""
    given = easel.lead.arguments
    for key in ("data", "group1", "samples"):
        if given.get(key) is not None:
            return given[key], key
    return None, ""


# One sample --------------------------------------------------------------------------------------------------


def histogram(easel: Easel) -> Picture | None:
    """Counts in intervals, with mean and median."""
    argument, _ = sample_of(easel)
    return None if argument is None else histogram_of(easel, argument)


def histogram_of(easel: Easel, argument: Any) -> Picture | None:
    """The histogram of a column or list."""
    found = easel.compute("descriptive_statistics", {"data": argument, "detail": "graph"})
    if found is None or found.get("graph") is None:
        return None
    label, base = axis_label(easel, argument, "value"), ("graph", "histogram")
    rows = found.get(*base, "bins")
    column = found.each(*base, "bins")
    marks: tuple[Mark, ...] = (
        Bars(column("low"), column("high"), column("count")),
        Rule(found.numbers("mean"), "x", said("mean ", found.shown("mean")), dashed=False),
        Rule(found.numbers("median"), "x", said("median ", found.shown("median"))),
    )
    notes = [
        said("Intervals: ", Name(found.get(*base, "rule")), ", width ", found.shown(*base, "bin_width"), "."),
        *_outside(found),
        *filter_note(easel),
    ]
    n = said("n = ", found.shown("n"))
    table = TableOfNumbers(
        heads("from", "to below", "count"),
        tuple(
            tuple(said(found.shown(*base, "bins", i, key)) for key in ("low", "high", "count"))
            for i in range(len(rows))
        ),
    )
    name = name_of(easel, argument, "value")
    return Picture(
        kind="histogram",
        title=said("Distribution of ", name),
        x=Axis(label, ticks=_whole_ticks(found)),
        y=Axis(said("count (", n, ")"), low=0.0),
        marks=marks,
        description=said(
            "Histogram of ", name, ": ", n, ", mean ", found.shown("mean"), ", median ", found.shown("median"),
            ", from ", found.shown("minimum"), " to ", found.shown("maximum"), ".",
        ),
        provenance=easel.provenance(),
        notes=tuple(notes),
        table=table,
    )  # fmt: skip


def fitted_histogram(easel: Easel) -> Picture | None:
    """The histogram of a sample with the counts that a fitted distribution lets one expect."""
    plain = histogram(easel)
    found = easel.compute("mle_fit", {**easel.lead.arguments, "graph": True})
    if plain is None or found is None or not found.get("details", "graph"):
        return plain
    column = found.each("details", "graph")
    at = mean_of(column("low"), column("high"))
    terms = [
        said(Name(name), " = ", found.shown("terms", name, "estimate"))
        for name in found.get("terms")
        if found.get("terms", name, "estimate") is not None
    ]
    fit = said("Diamonds: expected counts. ", Name(str(found.get("method"))), ": ", join(", ", terms), ".")
    return replace(
        plain,
        marks=(plain.marks[0], Points(at, column("expected"), colour=1, sign="D")),
        description=said(plain.description, " ", fit),
        notes=(fit, *plain.notes),
        provenance=easel.provenance(),
        table=_expected_table(plain.table, found),
    )


def _expected_table(plain: TableOfNumbers | None, found: Cited) -> TableOfNumbers | None:
    """The counts of the histogram with those expected beside them."""
    rows = found.get("details", "graph")
    if plain is None or len(plain.rows) != len(rows):
        return plain
    expected = [said(found.shown("details", "graph", i, "expected")) for i in range(len(rows))]
    both = tuple((*row, cell) for row, cell in zip(plain.rows, expected, strict=True))
    return TableOfNumbers((*plain.columns, said("expected")), both)


def _whole_ticks(found: Cited) -> Numbers:
    """The middles of bars that each stand over one whole number, when they are few."""
    bins = found.get("graph", "histogram", "bins")
    single = found.get("graph", "histogram", "bin_width") == 1 and bins[0]["low"] % 1 == 0.5
    if not single or len(bins) > _WHOLE_TICKS:
        return Numbers(())
    return shifted(found.each("graph", "histogram", "bins")("low"), 0.5)


def _outside(found: Cited) -> list[Said]:
    notes = []
    for key, side, end in (("n_below", "below", "minimum"), ("n_above", "above", "maximum")):
        count = found.get("graph", "histogram", key)
        if count:
            verb = "lies" if count == 1 else "lie"
            most = "smallest" if side == "below" else "largest"
            where = said("(the ", most, " is ", found.shown(end), ")")
            notes.append(
                said(
                    found.shown("graph", "histogram", key),
                    f" {plural(count, 'value')} {verb} {side} the picture ",
                    where,
                    ".",
                )
            )
    return notes


def quantile_plot(easel: Easel) -> Picture | None:
    """Ordered values against normal quantiles, with the line through the quartiles and its band."""
    argument, _ = sample_of(easel)
    if argument is None or easel.lead.arguments.get("distribution") not in (None, "normal"):
        return histogram(easel)
    found = easel.compute("descriptive_statistics", {"data": argument, "detail": "graph"})
    base = ("graph", "quantiles")
    if found is None or found.get(*base) is None:
        return histogram(easel)
    column = found.each(*base, "points")
    name = name_of(easel, argument, "value")
    n = said("n = ", found.shown("n"))
    return Picture(
        kind="qq",
        title=said("Normal quantile plot of ", name),
        x=Axis(said("normal quantiles")),
        y=Axis(said(axis_label(easel, argument, "value"), ", in order (", n, ")")),
        marks=(
            Line(column("theoretical"), column("line"), colour=1, low=column("conf_low"), high=column("conf_high")),
            Points(column("theoretical"), column("value"), hollow=True),
        ),
        description=said(
            "Normal quantile plot of ", name, ", ", n, ". Points along the line speak for a normal distribution."
        ),
        provenance=easel.provenance(),
        notes=(
            said("Line through the quartiles; band: pointwise ", found.level(*base, "conf_level"), "."),
            *_listed(found),
            *statistic_line(easel.lead),
            *filter_note(easel),
        ),
        table=TableOfNumbers(
            heads("normal quantile", "value"),
            tuple(
                (said(found.shown(*base, "points", i, "theoretical")), said(found.shown(*base, "points", i, "value")))
                for i in range(len(found.get(*base, "points")))
            ),
        ),
    )  # fmt: skip


def quantile_plots(easel: Easel) -> Picture | None:
    """Normal quantile plots: of one sample, or of every group beside each other."""
    given = easel.lead.arguments
    if given.get("groups") is None:
        return quantile_plot(easel)
    if len(easel.lead.get("details", "by_group") or ()) > _MOST_GROUPS:
        return None
    found = easel.compute("descriptive_statistics", {"groups": given["groups"], "detail": "shape"})
    if found is None:
        return None
    names = list(found.get("graph", "groups"))
    known = [n for n in names if found.get("graph", "groups", n, "quantiles") is not None]
    order = sorted(known, key=lambda n: (-found.get("groups", n, "n"), names.index(n)))[:_MOST_PANELS]
    shown = [n for n in names if n in order]
    if not shown:
        return None
    panels = [_panel(found, easel.lead, name) for name in shown]
    level = found.level("graph", "groups", shown[0], "quantiles", "conf_level")
    drawn = [
        count(found.numbers("groups", EVERY, "n", taken=part))
        for part in ([names.index(n) for n in shown], None)
    ]
    left_out = [said("Groups drawn: ", drawn[0], " of ", drawn[1], ".")] if len(shown) < len(names) else []
    value = axis_label(easel, given["groups"], "value")
    told = join(", ", [said(Name(n), " (n = ", found.shown("groups", n, "n"), ")") for n in shown])
    return Picture(
        kind="qq",
        title=said("Normal quantile plots of ", name_of(easel, given["groups"], "value"), " by group"),
        x=Axis(said("normal quantiles")),
        y=Axis(said(value, ", in order")),
        marks=(),
        panels=tuple(panels),
        description=said(
            "Normal quantile plots of ", told,
            ". Points along the line speak for a normal distribution.",
        ),
        provenance=easel.provenance(),
        notes=(
            said("Line through the quartiles; band: pointwise ", level, "."), *left_out,
            *[note for name in shown for note in _listed(found, ("graph", "groups", name, "quantiles"), name)],
            *_test_note(easel.lead, shown),
            *missing_note(easel), *filter_note(easel),
        ),
        table=_normality_table(easel.lead, shown),
    )  # fmt: skip


def _panel(found: Cited, lead: Cited, name: str) -> Panel:
    column = found.each("graph", "groups", name, "quantiles", "points")
    line, low, high = (column(key) for key in ("line", "conf_low", "conf_high"))
    return Panel(
        said(Name(name), "\n(n = ", found.shown("groups", name, "n"), *_group_test(lead, name), ")"),
        (
            Line(column("theoretical"), line, colour=1, low=low, high=high),
            Points(column("theoretical"), column("value"), hollow=True),
        ),
    )


def _group_test(lead: Cited, name: str) -> list[Said]:
    base = ("details", "by_group", name)
    return [said(", ", lead.p_value(*base, "p_value"))] if lead.get(*base, "p_value") is not None else []


def _test_note(lead: Cited, names: list[str]) -> list[Said]:
    tested = any(_group_test(lead, name) for name in names)
    return [said("p: ", Name(str(lead.get("method"))), ", group by group.")] if tested else []


def _normality_table(lead: Cited, names: list[str]) -> TableOfNumbers | None:
    """The test of each group, where the call has them."""
    base = ("details", "by_group")
    rows = tuple(
        (
            said(Name(n)),
            *(said(lead.shown(*base, n, key)) for key in ("n", "statistic")),
            lead.p_value(*base, n, "p_value"),
        )
        for n in names
        if lead.get(*base, n, "p_value") is not None
    )  # fmt: skip
    if not rows:
        return None
    return TableOfNumbers(heads("group", "n", said(Name(str(lead.get("statistic_name")))), "p"), rows)


def _listed(
    found: Cited, base: tuple[str, ...] = ("graph", "quantiles"), group: str | None = None
) -> list[Said]:
    if len(found.get(*base, "points")) == found.get(*base, "n"):
        return []
    drawn = count(found.each(*base, "points")("value"))
    if group is not None:
        return [said(Name(group), ": evenly spaced ranks, ", drawn, " of ", found.shown(*base, "n"), ".")]
    return [
        said(
            "Evenly spaced ranks are drawn, the smallest and the largest included: ",
            drawn,
            " of ",
            found.shown(*base, "n"),
            ".",
        )
    ]
