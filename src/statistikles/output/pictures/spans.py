"""Pictures of estimates side by side: forest plots of studies and of model terms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from statistikles.output.pictures.derived import fixed, in_order, joined
from statistikles.output.pictures.easel import EVERY, Cited, Easel, Name, heads, join, said
from statistikles.output.pictures.labels import (
    filter_note,
    missing_note,
    name_of,
    predictor_names,
    statistic_line,
)
from statistikles.output.pictures.spec import (
    Axis,
    Intervals,
    Mark,
    Picture,
    Points,
    Rule,
    Said,
    TableOfNumbers,
    TextAt,
)

__all__ = ["forest", "hazard_ratios", "odds_ratios", "pairwise", "strata"]

_MOST = 40


@dataclass(frozen=True, slots=True)
class _Column:
    """The texts beside the lines of a forest plot: 'estimate [low, high]', all to the same decimals."""

    found: Cited
    decimals: int | None
    keys: tuple[str, str, str] = ("estimate", "conf_low", "conf_high")

    @classmethod
    def of(
        cls,
        found: Cited,
        paths: Sequence[Sequence[str | int]],
        keys: tuple[str, str, str] = ("estimate", "conf_low", "conf_high"),
    ) -> _Column:
        """Decimals that leave two digits of the narrowest interval."""
        ends = [(found.get(*path, keys[1]), found.get(*path, keys[2])) for path in paths]
        widths = [high - low for low, high in ends if low is not None and high is not None and high > low]
        if not widths or not 1e-5 < min(widths) < 1e7:
            return cls(found, None, keys)
        most = 5 if keys[0] == "estimate" else 3  # ratios to more decimals say nothing more
        return cls(found, min(most, max(0, 1 - math.floor(math.log10(min(widths) / 2)))), keys)

    def text(self, *path: str | int) -> Said:
        """'0.42 [0.05, 0.79]'."""
        estimate, low, high = self.keys
        shown = self.found.shown(*path, estimate, decimals=self.decimals)
        return said(shown, " ", self.found.interval(*path, low=low, high=high, decimals=self.decimals))


def forest(easel: Easel) -> Picture | None:
    """One line per study, its square as large as its weight; the pooled estimate below."""
    found = easel.lead
    studies = found.get("details", "studies")
    if not studies or len(studies) > _MOST:
        return None
    names = list(studies)
    at = in_order(len(names))
    column = found.each("details", "studies")
    bottom = float(len(names)) + 0.4
    pooled = in_order(1, bottom)
    prediction = found.get("details", "prediction_low") is not None
    marks: list[Mark] = [
        Rule(
            found.numbers("null_value") if found.get("null_value") is not None else fixed([0.0], "no effect"),
            "x",
            dashed=False,
        ),
        Rule(found.numbers("estimate"), "x", dashed=True),
        Intervals(at, column("conf_low"), column("conf_high"), sideways=True, caps=False),
        Points(column("estimate"), at, sign="s", sizes=column("weight_percent")),
        Intervals(pooled, found.numbers("conf_low"), found.numbers("conf_high"), colour=1, sideways=True),
        Points(found.numbers("estimate"), pooled, colour=1, sign="D", size=1.4),
    ]
    levels = [said(Name(n)) for n in names]
    if prediction:
        below = in_order(1, bottom + 1)
        low, high = found.numbers("details", "prediction_low"), found.numbers("details", "prediction_high")
        marks.append(Intervals(below, low, high, colour=7, sideways=True))
    beside = _Column.of(found, [("details", "studies", n) for n in names])
    marks += [TextAt(in_order(1, i), beside.text("details", "studies", n)) for i, n in enumerate(names)]
    marks.append(TextAt(pooled, beside.text()))
    spots, tick_labels = [at, pooled], [*levels, said("pooled")]
    if prediction:
        marks.append(
            TextAt(
                below,
                found.interval(
                    "details", low="prediction_low", high="prediction_high", decimals=beside.decimals
                ),
            )
        )
        spots.append(below)
        tick_labels.append(said("prediction"))
    return Picture(
        kind="forest",
        title=said(Name(str(found.get("method")))),
        x=Axis(said("effect with ", found.level("conf_level"), " confidence interval")),
        y=Axis(said(""), ticks=joined(*spots), tick_labels=tuple(tick_labels), reverse=True),
        marks=tuple(marks),
        description=said(
            "Forest plot: pooled effect ", beside.text(), " from ", found.shown("n"), " studies."
        ),
        provenance=easel.provenance(),
        notes=(*_heterogeneity(found), *_prediction_note(prediction), *statistic_line(found)),
        table=_study_table(found, names),
    )


def strata(easel: Easel) -> Picture | None:
    """The odds ratio of every stratum, its square as large as its number of cases; the common one below."""
    found = easel.lead
    table = found.get("details", "strata")
    if not table or len(table) > _MOST or found.get("estimate") is None:
        return None
    names = list(table)
    at, bottom = in_order(len(names)), in_order(1, len(names) + 0.4)
    part = found.each("details", "strata")
    drawn = [
        i for i, name in enumerate(names) if found.get("details", "strata", name, "conf_low") is not None
    ]
    beside = _Column.of(found, [("details", "strata", names[i]) for i in drawn])
    marks: list[Mark] = [
        Rule(found.numbers("null_value"), "x", dashed=False),
        Rule(found.numbers("estimate"), "x", dashed=True),
        Intervals(at, part("conf_low"), part("conf_high"), sideways=True, caps=False),
    ]
    if drawn:
        dots = found.each("details", "strata", taken=drawn)("estimate")
        sizes = found.numbers("groups", EVERY, "n", taken=drawn)
        marks.append(Points(dots, joined(*(in_order(1, i) for i in drawn)), sign="s", sizes=sizes))
    texts = [
        beside.text("details", "strata", name) if i in drawn else _undrawn(found, name)
        for i, name in enumerate(names)
    ]
    marks += [TextAt(in_order(1, i), text) for i, text in enumerate(texts)]
    if found.get("conf_low") is not None:
        marks.append(
            Intervals(bottom, found.numbers("conf_low"), found.numbers("conf_high"), colour=1, sideways=True)
        )
    if found.get("estimate") > 0:
        marks.append(Points(found.numbers("estimate"), bottom, colour=1, sign="D", size=1.4))
    common = beside.text() if found.get("conf_low") is not None else said(found.shown("estimate"))
    marks.append(TextAt(bottom, common))
    x, y, by = (name_of(easel, found.arguments.get(key), "") for key in ("x", "y", "strata"))
    of = said(" of ", x, " and ", y) if x and y else said("")
    rows = [said(Name(n), "\n(n = ", found.shown("groups", n, "n"), ")") for n in names]
    return Picture(
        kind="forest",
        title=said("Odds ratios", of, said(" by ", by) if by else ""),
        x=Axis(said("odds ratio with ", found.level("conf_level"), " confidence interval (log scale)"), log=True),
        y=Axis(by, ticks=joined(at, bottom), tick_labels=(*rows, said("common")), reverse=True),
        marks=tuple(marks),
        description=said("Forest plot of strata: common odds ratio ", common, "."),
        provenance=easel.provenance(),
        notes=(
            said("Squares: strata, as large as their number of cases, with Woolf's interval. Diamond: Mantel–Haenszel."),
            *_odds_of(found),
            *statistic_line(found), *_equal_odds(found), *missing_note(easel), *filter_note(easel),
        ),
        table=_strata_table(found, names),
    )  # fmt: skip


def _odds_of(found: Cited) -> list[Said]:
    """Which way round the odds ratios are, where the categories have names."""
    told = [str(words) for words in found.get("conventions") or () if str(words).startswith("odds of")]
    return [said(Name(words[:1].upper() + words[1:]), ".") for words in told]


def _undrawn(found: Cited, name: str) -> Said:
    """What stands beside a stratum without an interval."""
    base = ("details", "strata", name)
    if found.get(*base, "estimate") is None:
        return said("not defined")
    return said(found.shown(*base, "estimate"), " [not defined]")


def _equal_odds(found: Cited) -> list[Said]:
    base = ("also", "breslow_day")
    if found.get(*base, "p_value") is None:
        return []
    return [said(Name(str(found.get(*base, "method"))), ": ", found.p_value(*base, "p_value"), ".")]


def _strata_table(found: Cited, names: Sequence[str]) -> TableOfNumbers:
    keys = ("estimate", "conf_low", "conf_high")
    base = ("details", "strata")

    def cell(*path: str) -> Said:
        return said(found.shown(*path)) if found.get(*path) is not None else said("undefined")

    rows = [
        (said(Name(n)), said(found.shown("groups", n, "n")), *(cell(*base, n, k) for k in keys))
        for n in names
    ]
    total = (said("common"), said(found.shown("n")), *(cell(k) for k in keys))
    return TableOfNumbers(heads("stratum", "n", "odds ratio", "CI from", "to"), (*rows, total))


def _prediction_note(there: bool) -> list[Said]:
    squares = "Squares: studies, as large as their weight."
    return [said(squares + (" Prediction: where a further study is expected." if there else ""))]


def _heterogeneity(found: Cited) -> list[Said]:
    base = ("details", "heterogeneity")
    if found.get(*base, "q") is None:
        return []
    parts: list[Any] = [
        "Heterogeneity: Q = ",
        found.shown(*base, "q"),
        ", df = ",
        found.shown(*base, "df"),
        ", ",
        found.p_value(*base, "p_value"),
    ]
    if found.get(*base, "i2_percent") is not None:
        parts += [", ", Name("I²"), " = ", found.shown(*base, "i2_percent", decimals=1), "%"]
    if found.get("details", "tau2") is not None:
        parts += [", ", Name("τ²"), " = ", found.shown("details", "tau2")]
    return [said(*parts, ".")]


def _study_table(found: Cited, names: Sequence[str]) -> TableOfNumbers:
    keys = ("estimate", "conf_low", "conf_high", "weight_percent")
    rows = [(said(Name(n)), *(said(found.shown("details", "studies", n, k)) for k in keys)) for n in names]
    pooled = (said("pooled"), *(said(found.shown(k)) for k in keys[:3]), said(""))
    return TableOfNumbers(heads("study", "effect", "CI from", "to", "weight (%)"), (*rows, pooled))


def _row(found: Cited, path: Sequence[str | int], keys: Sequence[str]) -> list[Said]:
    return [said(found.shown(*path, key)) for key in keys]


# Terms of models ---------------------------------------------------------------------------------------------


def odds_ratios(easel: Easel) -> Picture | None:
    """Odds ratios of a logistic regression on a scale of ratios."""
    return _ratios(easel, "odds_ratio", "odds ratio")


def hazard_ratios(easel: Easel) -> Picture | None:
    """Hazard ratios of a Cox regression on a scale of ratios."""
    return _ratios(easel, "hazard_ratio", "hazard ratio")


def _ratios(easel: Easel, key: str, words: str) -> Picture | None:
    found = easel.lead
    low, high = f"{key}_low", f"{key}_high"
    names = [
        n
        for n in predictor_names(found)
        if all(found.get("terms", n, k) is not None for k in (key, low, high))
    ]
    if not names or len(names) > _MOST:
        return None
    order = list(found.get("terms"))
    taken = [order.index(n) for n in names]
    at = in_order(len(names))
    part = found.each("terms", taken=taken)
    beside = _Column.of(found, [("terms", n) for n in names], (key, low, high))
    outcome = name_of(easel, found.arguments.get("y") or found.arguments.get("events"), "the event")
    return Picture(
        kind="forest",
        title=said(f"{words.capitalize()}s for ", outcome),
        x=Axis(said(f"{words} per unit, with ", found.level("conf_level"), " confidence interval (log scale)"), log=True),
        y=Axis(said(""), levels=tuple(said(Name(n)) for n in names), reverse=True),
        marks=(
            Rule(fixed([1.0], "no effect"), "x", dashed=False),
            Intervals(at, part(low), part(high), sideways=True),
            Points(part(key), at, sign="s"),
            *(TextAt(in_order(1, i), beside.text("terms", n)) for i, n in enumerate(names)),
        ),
        description=said(
            f"{words.capitalize()}s: ",
            join("; ", [said(Name(n), " ", beside.text("terms", n)) for n in names[:8]]), ".",
        ),
        provenance=easel.provenance(),
        notes=(
            said("Each for one unit more of its column, the others being equal; right of the upright line: more often."),
            said(Name(str(found.get("method"))), ", n = ", found.shown("n"), "."),
            *missing_note(easel), *filter_note(easel),
        ),
        table=TableOfNumbers(
            heads("term", words, "CI from", "to", "p"),
            tuple(
                (said(Name(n)), *_row(found, ("terms", n), (key, low, high)), found.p_value("terms", n, "p_value"))
                for n in names
            ),
        ),
    )  # fmt: skip


def pairwise(easel: Easel) -> Picture | None:
    """Differences of all pairs of groups with simultaneous intervals."""
    found = easel.lead
    procedures = found.get("post_hoc") or {}
    name = next((p for p in ("games_howell", "tukey_hsd") if p in procedures), None)
    pairs = (
        []
        if name is None
        else [
            p
            for p, row in procedures[name].items()
            if isinstance(row, dict) and row.get("conf_low") is not None
        ]
    )
    if name is None or not 2 <= len(pairs) <= _MOST:
        return None
    base = ("post_hoc", name)
    order = list(procedures[name])
    taken = [order.index(p) for p in pairs]
    at = in_order(len(pairs))
    part = found.each(*base, taken=taken)
    method = str(found.get(*base, pairs[0], "method"))
    beside = _Column.of(found, [(*base, p) for p in pairs])
    return Picture(
        kind="forest",
        title=said("Differences of means, pair by pair"),
        x=Axis(said("difference with ", found.level(*base, pairs[0], "conf_level"), " simultaneous interval")),
        y=Axis(said(""), levels=tuple(said(Name(p)) for p in pairs), reverse=True),
        marks=(
            Rule(fixed([0.0], "no difference"), "x", dashed=False),
            Intervals(at, part("conf_low"), part("conf_high"), sideways=True),
            Points(part("estimate"), at, sign="s"),
            *(TextAt(in_order(1, i), beside.text(*base, p)) for i, p in enumerate(pairs)),
        ),
        description=said(
            "Differences of means: ", join("; ", [said(Name(p), " ", beside.text(*base, p)) for p in pairs[:8]]), "."
        ),
        provenance=easel.provenance(),
        notes=(said("Intervals: ", Name(method), "."), *missing_note(easel), *filter_note(easel)),
        table=TableOfNumbers(
            heads("pair", "difference", "CI from", "to", "p"),
            tuple(
                (said(Name(p)), *_row(found, (*base, p), beside.keys), found.p_value(*base, p, "p_value"))
                for p in pairs
            ),
        ),
    )  # fmt: skip
