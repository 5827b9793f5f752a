"""Explanations of comparisons: groups, pairs, a fixed value, distributions and variances, times to an event."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.method import Row
from statistikles.neural.planner.phrasing import (
    Made,
    Paragraphs,
    asks_yes_or_no,
    beside,
    checks,
    group_lines,
    inside,
    kept,
    leading_test,
    names,
    significance,
)
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.writing import Record, category_text, safe

__all__ = ["compare", "factorial", "fixed", "paired", "survival", "two_samples"]


def compare(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    at = leading_test(lead)
    outcome = names(reading)[0]
    group = safe(reading.group.name) if reading.group else "group"
    what = f"{outcome} differs between the groups of {group}{kept(reading)}"
    answer = significance(reading, lead, what, f"There is no evidence that {what}", at)
    if said := _as_asked(reading, lead):
        answer = f"{said}: {what}"
    p = lead.number(*at, "p_value")
    test = re.split(r",| \(| of ", lead.method_of(*at) if at else lead.method)[0]
    answer += f" ({test}, p {p})." if p else "."
    evidence = f"Evidence: {lead.method_of(*at) if at else lead.method}: {lead.evidence(*at)}."
    if at:
        evidence += (
            " It leads because it does not assume equal variances, which cannot be known beforehand"
            f" (Delacre, Leys, Mora & Lakens). Beside it, {_lower(lead.method)}: {lead.evidence()}."
        )
    if lead.number("also", "student", "p_value"):
        method = lead.method_of("also", "student")
        evidence += f" Beside it, with equal variances assumed: {method}: {lead.test('also', 'student')}."
    return [
        f"{answer} {_direction(lead)}".strip(),
        group_lines(lead),
        evidence,
        _post_hoc(lead),
        checks(row, made),
        beside(row, made, lead.significant(*at)),
    ]


def _as_asked(reading: Reading, record: Record) -> str:
    """'Yes' or 'No' to a question for a direction: whether the group asked to be higher has the higher mean."""
    if not reading.leading or not record.significant() or not asks_yes_or_no(reading.question):
        return ""
    groups = record.value("groups")
    means = {n: record.value("groups", n, "mean") for n in groups} if isinstance(groups, Mapping) else {}
    if (
        len(means) != 2
        or reading.leading not in means
        or not all(isinstance(m, int | float) for m in means.values())
    ):
        return ""
    return "Yes" if max(means, key=lambda name: means[name]) == reading.leading else "No, the other way round"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _direction(record: Record) -> str:
    """Which of two groups has the higher mean, when the test found a difference."""
    groups = record.value("groups")
    if not record.significant() or not isinstance(groups, Mapping) or len(groups) != 2:
        return ""
    means = {name: record.value("groups", name, "mean") for name in groups}
    if not all(isinstance(m, int | float) for m in means.values()):
        return ""
    low, high = sorted(means, key=lambda name: means[name])
    shown = [record.number("groups", name, "mean") for name in (high, low)]
    return (
        f"The mean is higher in {category_text(high)} ({shown[0]}) than in {category_text(low)} ({shown[1]})."
    )


def _post_hoc(record: Record) -> str:
    """Pairwise comparisons of the most robust kind offered."""
    kinds = record.value("post_hoc")
    if not isinstance(kinds, Mapping) or not kinds:
        return ""
    kind = next((k for k in ("games_howell", "dunn", *kinds) if k in kinds), "")
    pairs = kinds[kind]
    if not isinstance(pairs, Mapping):
        return ""
    lines = []
    for pair in list(pairs)[:10]:
        at = ("post_hoc", kind, pair)
        estimate, p = record.number(*at, "estimate"), record.number(*at, "p_value")
        if p:
            shown = f"difference {estimate}, " if estimate else ""
            bounds = record.interval(*at)
            lines.append(f"- {category_text(pair)}: {shown}{bounds + ', ' if bounds else ''}p {p}")
    title = str(record.value("post_hoc", kind, next(iter(pairs), ""), "method") or kind)
    return f"Pairwise comparisons ({title}, adjusted for their number):\n" + "\n".join(lines) if lines else ""


def paired(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    first, second = names(reading)[:2]
    answer = significance(
        reading,
        lead,
        f"{first} and {second} differ on average within rows{kept(reading)}",
        f"There is no evidence that {first} and {second} differ on average within rows{kept(reading)}",
    )
    return [
        f"{answer} (p {lead.number('p_value')}).",
        group_lines(lead),
        f"Evidence: {lead.method}: {lead.evidence()}.",
        beside(row, made, lead.significant()),
    ]


def fixed(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    value = lead.number("null_value")
    name = names(reading)[0]
    answer = significance(
        reading,
        lead,
        f"the mean of {name} differs from {value}{kept(reading)}",
        f"There is no evidence that the mean of {name} differs from {value}{kept(reading)}",
    )
    return [
        f"{answer} (p {lead.number('p_value')}).",
        group_lines(lead),
        f"Evidence: {lead.method}: {lead.evidence()}.",
        checks(row, made),
    ]


def two_samples(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    between = " and ".join(names(reading)[:2])
    if reading.group is not None:
        between = f"{names(reading)[0]} in the groups of {safe(reading.group.name)}"
    what = "variances" if reading.intent is Intent.VARIANCES else "distributions"
    answer = significance(
        reading,
        lead,
        f"the {what} of {between} differ{kept(reading)}",
        f"There is no evidence that the {what} differ: {between}{kept(reading)}",
    )
    out = [
        f"{answer} (p {lead.number('p_value')}).",
        group_lines(lead),
        f"Evidence: {lead.method}: {lead.evidence()}.",
    ]
    out += [inside(lead), beside(row, made, lead.significant())]
    return out


def survival(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """Times to an event: the test of the curves, and the median of each."""
    lead = made[row.lead]
    times, events = names(reading)[:2]
    out = []
    if reading.group is not None and lead.significant() is not None:
        group = safe(reading.group.name)
        what = f"the time to {events} ({times}) differs between the groups of {group}{kept(reading)}"
        answer = significance(reading, lead, what, f"There is no evidence that {what}")
        out += [
            f"{answer} (p {lead.number('p_value')}).",
            f"Evidence: {lead.method}: {lead.evidence()}.",
            inside(lead),
        ]
    curves = made.get("Kaplan-Meier", lead)
    lines = []
    groups = curves.value("groups")
    for name in groups if isinstance(groups, Mapping) else ():
        at = ("groups", name)
        median = curves.number(*at, "median_survival")
        bounds = curves.interval(*at)
        counts = f"n {curves.number(*at, 'n')}, events {curves.number(*at, 'n_events')}"
        shown = f"median {median}{', ' + bounds if bounds else ''}" if median else "median not reached"
        lines.append(f"- {category_text(name)}: {shown}; {counts}")
    if lines:
        out.append(f"Median {times} until {events} ({curves.method}):\n" + "\n".join(lines))
    return out or [f"{lead.method}: {lead.evidence()}."]


_DEPENDS = re.compile(
    r"\b(interact\w*|depend\w*|var(?:y|ies)|same|differ\w* (?:by|between|across))\b", re.IGNORECASE
)


def _dependence(reading: Reading, lead: Record, sources: Sequence[str], outcome: str) -> str:
    """What a question about an interaction is answered first."""
    crossed = [s for s in sources if "×" in s]
    if (
        len(crossed) != 1
        or reading.group is None
        or reading.strata is None
        or not _DEPENDS.search(reading.question)
    ):
        return ""
    p = lead.value("sources", crossed[0], "p_value")
    if not isinstance(p, int | float):
        return ""
    one, two = safe(reading.group.name), safe(reading.strata.name)
    what = f"the effect of {one} on {outcome} depends on {two}"
    shown = lead.number("sources", crossed[0], "p_value")
    if p <= float(lead.value("alpha") or 0.05):
        return f"Yes: {what} (interaction, p {shown})."
    return f"There is no evidence that {what} (interaction, p {shown})."


def factorial(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """Two grouping columns, or groups with other columns held constant: each source, then the adjusted means."""
    lead = made[row.lead]
    outcome = names(reading)[0]
    group = reading.group.name if reading.group is not None else ""
    held = " and ".join(safe(c.name) for c in reading.controls)
    sources = lead.value("sources")
    listed = [s for s in sources if s not in ("residual", "total")] if isinstance(sources, Mapping) else []
    test = lead.value("sources", group, "p_value")
    answer = ""
    if isinstance(test, int | float):
        what = f"{outcome} differs between the groups of {safe(group)}{f' with {held} held constant' if held else ''}"
        found = test <= float(lead.value("alpha") or 0.05)
        answer = what if found else f"There is no evidence that {what}"
        answer += f"{kept(reading)} (p {lead.number('sources', group, 'p_value')})."
    other = reading.strata.name if reading.strata is not None and not reading.controls else ""
    second = lead.value("sources", other, "p_value") if other else None
    if answer and isinstance(second, int | float):
        between = (
            "it differs"
            if second <= float(lead.value("alpha") or 0.05)
            else "there is no evidence that it differs"
        )
        answer += (
            f" Between the groups of {safe(other)} {between} (p {lead.number('sources', other, 'p_value')})."
        )
    if depends := _dependence(reading, lead, listed, outcome):
        answer = f"{depends} {answer}"
    lines = []
    for source in listed:
        at = ("sources", source)
        statistic, df = lead.number(*at, "statistic"), lead.number(*at, "df")
        residual = lead.number("sources", "residual", "df")
        if statistic:
            lines.append(
                f"- {safe(source)}: F({df}, {residual}) = {statistic}, p {lead.number(*at, 'p_value')}"
            )
    means = []
    adjusted = lead.value("details", "adjusted_means", group)
    for level in adjusted if isinstance(adjusted, Mapping) else ():
        number = lead.number("details", "adjusted_means", group, level, "mean")
        if number:
            means.append(f"- {category_text(level)}: adjusted mean {number}")
    return [answer, "\n".join(means[:12]), "Evidence:\n" + "\n".join(lines)]
