"""Explanations by templates: the answer first, then evidence, assumptions and limits. No number is typed here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from statistikles.neural.planner.comparisons import compare, factorial, fixed, paired, survival, two_samples
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.matrices import pairs
from statistikles.neural.planner.method import Row
from statistikles.neural.planner.phrasing import (
    Made,
    Paragraphs,
    distinct,
    inside,
    kept,
    leading_test,
    names,
)
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.relations import associate, predict
from statistikles.neural.planner.summaries import (
    counted,
    described,
    described_groups,
    extreme_rows,
    missing,
    missing_in_table,
    outliers_apart,
    outlying,
    planned,
    rows_kept,
)
from statistikles.neural.planner.writing import Record, category_text, safe

__all__ = ["explain"]


def explain(reading: Reading, row: Row, made: Made) -> str:
    """The explanation of what was computed, with citations in place of numbers.

    Parameters
    ----------
    reading : what the question was taken to mean.
    row : the row of the decision table that chose the method.
    made : the calls by their names in the row.
    """
    lead = made[row.lead]
    if lead.failed:
        return _refused(reading, row, made)
    writer = _WRITERS.get(row.id) or _WRITERS_BY_INTENT.get(reading.intent, _any_test)
    paragraphs = writer(reading, row, made)
    paragraphs.insert(1, defined(reading))
    if reading.unused:
        listed = ", ".join(category_text(name) for name in reading.unused)
        paragraphs.insert(1, f"Not taken into account: {listed}.")
    paragraphs.append(_why(row, made))
    paragraphs += _limits(reading, lead)
    return "\n\n".join(p for p in paragraphs if p)


def defined(reading: Reading) -> str:
    """The formulas of the columns that the question defined."""
    roles = (*reading.outcomes, reading.group, *reading.controls, reading.strata)
    made = list(dict.fromkeys(c for c in roles if c is not None and c.formula))
    return "\n".join(f"Defined: {safe(c.name)} = {safe(c.formula)}." for c in made)


def _refused(reading: Reading, row: Row, made: Made) -> str:
    """Why the leading method could not be computed, and what the others gave."""
    lead = made[row.lead]
    said = f"{lead.result['error']} {lead.result.get('hint', '')}".strip()
    for argument, column in lead.columns():
        said = said.replace(f"'{argument}'", f"'{safe(column)}'")
    text = f"This could not be computed. {said}"
    others = [r for name, r in made.items() if name != row.lead and not r.failed]
    lines = [f"- {r.method}: {r.evidence()}" for r in others if r.evidence()]
    if lines:
        text += "\n\nWhat could be computed:\n" + "\n".join(lines)
    return text + f"\n\nUnderstood as: {safe(reading.described())}."


def _why(row: Row, made: Made) -> str:
    """One line: which method and why, and what stands beside it."""
    lead = made[row.lead]
    at = leading_test(lead)
    return f"Method: {lead.method_of(*at) if at else lead.method}. Why: {row.reason}."


def _limits(reading: Reading, lead: Record) -> Paragraphs:
    """Rows left out, and what the design does not allow to be said."""
    out = []
    missing_rows = lead.value("n_missing")
    if missing_rows and reading.intent is not Intent.MISSING:
        rows = "row with missing values was" if missing_rows == 1 else "rows with missing values were"
        out.append(f"{lead.number('n_missing')} {rows} left out.")
    if reading.intent in (Intent.COMPARE, Intent.ASSOCIATE, Intent.PREDICT, Intent.PAIRED):
        out.append("These data show an association; they cannot show by themselves what brought it about.")
    return [" ".join(out)] if out else []


def _shape_by_group(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """Normality group by group."""
    lead = made[row.lead]
    name = names(reading)[0]
    groups = lead.value("details", "by_group")
    lines: list[str] = []
    departing: list[str] = []
    quiet: list[str] = []
    for group in groups if isinstance(groups, Mapping) else ():
        at = ("details", "by_group", group)
        lines.append(f"- {category_text(group)} (n {lead.number(*at, 'n')}): {lead.test(*at)}")
        (departing if lead.significant(*at) else quiet).append(category_text(group))
    if departing and quiet:
        answer = f"{name} departs from a normal distribution in {_listed(departing)}; no evidence of it in {_listed(quiet)}"
    elif departing:
        answer = f"{name} departs from a normal distribution in every group"
    else:
        answer = f"There is no evidence that {name} departs from a normal distribution in any group"
    together = lead.test()
    return [
        f"{answer}{kept(reading)} ({lead.method.split(' of normality')[0]} in each group).",
        "\n".join(lines),
        f"Evidence: the deviations from the group means, together: {together}.",
    ]


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


def _shape(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """Normality and fit of a named distribution."""
    lead = made[row.lead]
    name = names(reading)[0]
    named = reading.distribution or "normal"
    verdict = lead.significant()
    answer = f"{name} departs from a {named} distribution{kept(reading)}"
    if not verdict:
        answer = f"There is no evidence that {answer}"
    p = lead.number("p_value")
    lines = []
    for record in [lead, *(made[b] for b in row.beside if b in made and not made[b].failed)]:
        for path in distinct(record)[:6]:
            label = record.method_of(*path) if path else record.method
            if clause := record.test(*path):
                lines.append(f"- {label}: {clause}")
    test = f"{lead.method.split(' of normality')[0]}, " if reading.intent is Intent.NORMALITY else ""
    return [
        f"{answer} ({test}p {p})." if p else f"{answer}.",
        "Evidence:\n" + "\n".join(dict.fromkeys(lines)),
    ]


def _any_test(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """Any other method: its own evidence, and what it calls its results."""
    lead = made[row.lead]
    evidence = lead.evidence()
    return [
        f"{lead.method}{kept(reading)}: {evidence}." if evidence else described(reading, lead),
        inside(lead),
    ]


_WRITERS: Mapping[str, Callable[[Reading, Row, Made], Paragraphs]] = {
    "describe-groups": lambda r, row, made: [described_groups(r, made[row.lead])],
    "extreme-row": lambda r, row, made: [extreme_rows(r, made[row.lead], made.get(row.beside[0]))],
    "every-pair": pairs,
    "describe-side-by-side": lambda r, row, made: [described_groups(r, made[row.lead])],
    "outliers": lambda r, row, made: [outlying(r, made[row.lead], made.get("describe"))],
    "ancova": factorial,
    "two-way": factorial,
    "normality-groups": _shape_by_group,
    "outliers-apart": lambda r, row, made: [
        described(r, made[row.lead]),
        outliers_apart(r, made[row.lead], made.get("outliers of all")),
    ],
    "missing": lambda r, row, made: [missing(r, made[row.lead])],
    "missing-in-table": lambda _, row, made: [missing_in_table(made[row.lead])],
}

_WRITERS_BY_INTENT: Mapping[Intent, Callable[[Reading, Row, Made], Paragraphs]] = {
    Intent.COMPARE: compare,
    Intent.PAIRED: paired,
    Intent.SURVIVAL: survival,
    Intent.FIXED: fixed,
    Intent.ASSOCIATE: associate,
    Intent.PREDICT: predict,
    Intent.NORMALITY: _shape,
    Intent.FITS: _shape,
    Intent.SAME_DISTRIBUTION: two_samples,
    Intent.VARIANCES: two_samples,
    Intent.DESCRIBE: lambda r, row, made: [described(r, made[row.lead])],
    Intent.FREQUENCIES: lambda r, row, made: [counted(r, made[row.lead])],
    Intent.COUNT: lambda r, row, made: [rows_kept(r, made[row.lead])],
    Intent.SAMPLE_SIZE: lambda r, row, made: [planned(r, made[row.lead])],
    Intent.POWER: lambda r, row, made: [planned(r, made[row.lead])],
}
