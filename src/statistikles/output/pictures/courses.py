"""Pictures of a course: survival curves with their risk table, autocorrelations, series over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from statistikles.output.pictures.derived import fixed, joined, negative, numbered
from statistikles.output.pictures.easel import EVERY, Cited, Easel, Name, count, heads, join, placed, said
from statistikles.output.pictures.labels import axis_label, filter_note, missing_note, name_of, statistic_line
from statistikles.output.pictures.samples import MOST_POINTS
from statistikles.output.pictures.spec import (
    Axis,
    Intervals,
    Legend,
    Line,
    Mark,
    Numbers,
    Picture,
    Points,
    RiskTable,
    Rule,
    Said,
    Shown,
    TableOfNumbers,
)

__all__ = ["autocorrelations", "course", "scree", "survival_curves"]

_TICKS = 7
_MOST_CURVES = 6
_MOST_CENSORED = 300  # ticks of censored subjects per curve


# Survival ----------------------------------------------------------------------------------------------------


def survival_curves(easel: Easel) -> Picture | None:
    """Kaplan–Meier curves with bands, ticks where subjects were censored, and the numbers at risk below."""
    given = easel.lead.arguments
    asked = {
        "type": "kaplan_meier",
        **{k: given.get(k) for k in ("times", "events", "groups", "conf_level", "conf_type")},
    }
    longest = easel.lead.get("groups", EVERY, "longest_time") or [None]
    plain = easel.lead if None not in longest else easel.compute("survival_analysis", asked)
    if plain is None or len(plain.get("groups")) > _MOST_CURVES:
        return None
    ticks = _round_ticks(max(plain.get("groups", EVERY, "longest_time")))
    found = easel.compute("survival_analysis", {**asked, "at": ticks})
    if found is None:
        return None
    names = list(found.get("groups"))
    marks: list[Mark] = []
    for k, name in enumerate(names):
        marks += _curve(found, name, k)
    at = found.numbers("groups", names[0], "at", EVERY, "time")
    marks.append(
        RiskTable(
            at, tuple((said(Name(n)), found.numbers("groups", n, "at", EVERY, "n_at_risk")) for n in names)
        )
    )
    level = found.level("conf_level")
    several = len(names) > 1
    return Picture(
        kind="survival",
        title=said("Survival", " by " if several else "", name_of(easel, given.get("groups"), "group") if several else ""),
        x=Axis(axis_label(easel, given.get("times"), "time"), ticks=at, low=0.0),
        y=Axis(said("share without the event"), low=0.0, high=1.0),
        marks=tuple(marks),
        description=said("Kaplan–Meier curves. ", join("; ", [_median(found, n) for n in names]), "."),
        provenance=easel.provenance(),
        notes=(
            said("Kaplan–Meier estimate; bands: pointwise ", level, " (", Name(_scale(found)), ")", _ticks_note(marks), "."),
            *statistic_line(easel.lead),
            *([] if several else [said(_median(found, names[0]), ".")]),
            *missing_note(easel), *filter_note(easel),
        ),
        legend=_curve_names(found, names) if several else None,
        table=_survival_table(found, names),
    )  # fmt: skip


def _ticks_note(marks: Sequence[Mark]) -> str:
    return "; ticks: censored" if any(isinstance(mark, Points) for mark in marks) else ""


def _curve_names(found: Cited, names: Sequence[str]) -> Legend:
    sizes = [
        said(" (n = ", found.shown("groups", n, "n"), ", events ", found.shown("groups", n, "n_events"), ")")
        for n in names
    ]
    return Legend(
        said(""),
        tuple((k, said(Name(n), size)) for k, (n, size) in enumerate(zip(names, sizes, strict=True))),
    )


def _scale(found: Cited) -> str:
    first = next(iter(found.get("conventions") or ()), "")
    return first.partition(" on the ")[2].partition(" scale")[0] + " scale"


def _curve(found: Cited, name: str, colour: int) -> list[Mark]:
    """The steps from (0, 1) to the longest time, the band where it is defined, the censored ticks."""
    base = ("groups", name)
    steps = len(found.get(*base, "curve"))
    start, everyone = fixed([0.0], "the start"), fixed([1.0], "no event yet")

    def course(key: str) -> Numbers:
        """From the start over every step, kept to the longest time; the band ends where it is undefined."""
        last = found.each(*base, "curve", taken=[steps - 1])(key) if steps else everyone
        return joined(everyone, found.each(*base, "curve")(key), last)

    x = joined(start, found.each(*base, "curve")("time"), found.numbers(*base, "longest_time"))
    marks: list[Mark] = [
        Line(
            x, course("survival"), colour=colour, steps=True, low=course("conf_low"), high=course("conf_high")
        )
    ]
    censored = found.get(*base, "censored") or []
    if 0 < len(censored) <= _MOST_CENSORED:
        ticks = found.each(*base, "censored")
        marks.append(Points(ticks("time"), ticks("survival"), colour=colour, sign="|"))
    return marks


def _median(found: Cited, name: str) -> Said:
    base = ("groups", name)
    words = said(Name(name), ": median survival ") if name != "all" else said("Median survival ")
    if found.get(*base, "median_survival") is None:
        return said(words, "not reached")
    return said(
        words,
        found.shown(*base, "median_survival"),
        ", ",
        found.level("conf_level"),
        " CI ",
        found.interval(*base),
    )


def _survival_table(found: Cited, names: Sequence[str]) -> TableOfNumbers:
    rows = [
        (
            said(Name(n)),
            *(
                said(found.shown("groups", n, "at", i, key))
                for key in ("time", "n_at_risk", "n_events", "survival")
            ),
        )
        for n in names
        for i in range(len(found.get("groups", n, "at")))
    ]
    return TableOfNumbers(heads("group", "time", "at risk", "events so far", "survival"), tuple(rows))


def _round_ticks(longest: float) -> list[float]:
    """Zero to the longest time in round steps."""
    if longest <= 0:
        return [0.0]
    rough = longest / (_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(c * power for c in (1.0, 2.0, 2.5, 5.0, 10.0) if c * power >= rough * 0.999)
    return [float(f"{i * step:.12g}") for i in range(int(longest / step * (1 + 1e-12)) + 1)]


# Series ------------------------------------------------------------------------------------------------------


def autocorrelations(easel: Easel) -> Picture | None:
    """Autocorrelation at each lag with the band of white noise."""
    found = easel.lead
    key = next((k for k in ("acf", "pacf") if isinstance(found.get(k), list)), None)
    if key is None or found.get("band") is None:
        return None
    values = found.get(key)
    taken = range(1, len(values))  # the list begins with lag 0, which is always 1 and says nothing
    height = found.numbers(key, EVERY, taken=taken)
    at = numbered(height, 0)
    zero = fixed([0.0] * len(height), "no correlation")
    name = name_of(easel, found.arguments.get("data"), "the series")
    return Picture(
        kind="correlogram",
        title=said("Partial a" if key == "pacf" else "A", "utocorrelation of ", name),
        x=Axis(said("lag")),
        y=Axis(said("autocorrelation (n = ", found.shown("n"), ")")),
        marks=(
            Rule(fixed([0.0], "no correlation"), "y", dashed=False),
            Rule(found.numbers("band"), "y"),
            Rule(negative(found.numbers("band")), "y"),
            Intervals(at, zero, height, caps=False),
            Points(at, height, size=0.9),
        ),
        description=said("Autocorrelations of ", name, "."),
        provenance=easel.provenance(),
        notes=(
            said(
                "Dashed: ± ",
                found.shown("band"),
                ", the ",
                found.level("conf_level"),
                " band of white noise.",
            ),
            *missing_note(easel),
            *filter_note(easel),
        ),
        table=TableOfNumbers(
            heads("lag", key),
            tuple((said(_lag(found, key, i)), said(found.shown(key, i))) for i in taken),
        ),
    )


def _lag(found: Cited, key: str, place: int) -> Shown:
    return placed(numbered(found.numbers(key, EVERY, taken=[place]), 0))


def course(easel: Easel) -> Picture | None:
    """A series in the order of its rows, with its moving average where that was asked for."""
    found = easel.lead
    values = easel.values("data")
    if values is None or len(values) < 2:
        return None
    n = len(values)
    taken = None if n <= MOST_POINTS else [round(i * (n - 1) / (MOST_POINTS - 1)) for i in range(MOST_POINTS)]
    data = easel.data("data", taken=taken)
    at = numbered(data)
    marks: list[Mark] = [
        Line(at, data, colour=7 if found.get("values") else 0, thin=bool(found.get("values")))
    ]
    notes: list[Any] = []
    if isinstance(found.get("values"), list) and found.get("start"):
        smooth = found.numbers("values", EVERY)
        marks.append(Line(numbered(smooth, found.get("start")), smooth, colour=1))
        notes.append(
            said("Thick line: ", Name(str(found.get("method"))), ", window ", found.shown("window"), ".")
        )
    elif isinstance(found.get("p_value"), int | float):
        notes += statistic_line(found)
    if taken is not None:
        notes.append(said("Evenly spaced values are drawn: ", count(data), " of ", found.shown("n"), "."))
    name = name_of(easel, found.arguments.get("data"), "value")
    return Picture(
        kind="series",
        title=said(name, " in the order of the rows"),
        x=Axis(said("row")),
        y=Axis(axis_label(easel, found.arguments.get("data"), "value")),
        marks=tuple(marks),
        description=said("Line of ", name, " over the rows."),
        provenance=easel.provenance(),
        notes=(*notes, *missing_note(easel), *filter_note(easel)),
        table=None,
    )


def scree(easel: Easel) -> Picture | None:
    """Share of the variance explained by each component."""
    found = easel.lead
    if not found.get("proportion_explained"):
        return None
    height = found.numbers("proportion_explained", EVERY)
    at = numbered(height)
    parts = [found.numbers("proportion_explained", EVERY, taken=[i]) for i in range(len(height))]
    labels = tuple(said(placed(numbered(part))) for part in parts)
    return Picture(
        kind="scree",
        title=said("Variance explained by each component"),
        x=Axis(said("component"), ticks=at, tick_labels=labels),
        y=Axis(said("share of the variance (n = ", found.shown("n"), ")"), low=0.0, percent=True),
        marks=(Line(at, height), Points(at, height)),
        description=said("Scree plot."),
        provenance=easel.provenance(),
        notes=(said(Name(str(found.get("method"))), "."), *missing_note(easel)),
        table=TableOfNumbers(
            heads("component", "share", "cumulated"),
            tuple(
                (
                    labels[i],
                    *(
                        said(found.shown(k, i, percent=True, decimals=1))
                        for k in ("proportion_explained", "cumulative_proportion")
                    ),
                )
                for i in range(len(height))
            ),
        ),
    )
