"""Explanations by templates: the answer first, then evidence, assumptions and limits. No number is typed here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.method import Row
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.summaries import (
    counted,
    described,
    described_groups,
    missing,
    outlying,
    planned,
    rows_kept,
)
from statistikles.neural.planner.writing import Record, safe

__all__ = ["explain"]

Made = Mapping[str, Record]
Paragraphs = list[str]


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
    paragraphs.append(_why(row, made))
    paragraphs += _limits(reading, lead)
    return "\n\n".join(p for p in paragraphs if p)


def _names(reading: Reading) -> list[str]:
    return [safe(c.name) for c in reading.outcomes]


def _kept(reading: Reading) -> str:
    return (
        " (rows where " + " and ".join(safe(c.words) for c in reading.conditions) + ")"
        if reading.conditions
        else ""
    )


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
    return f"Method: {made[row.lead].method}. Why: {row.reason}."


def _limits(reading: Reading, lead: Record) -> Paragraphs:
    """Rows left out, and what the design does not allow to be said."""
    out = []
    missing_rows = lead.value("n_missing")
    if missing_rows and reading.intent is not Intent.MISSING:
        out.append(f"{lead.number('n_missing')} rows with missing values were left out.")
    if reading.intent in (Intent.COMPARE, Intent.ASSOCIATE, Intent.PREDICT, Intent.PAIRED):
        out.append("These data show an association; they cannot show by themselves what brought it about.")
    return [" ".join(out)] if out else []


def _beside(row: Row, made: Made, agreed: bool | None) -> str:
    """The alternatives with their numbers, and whether they agree."""
    lines = []
    for name in row.beside:
        record = made.get(name)
        if record is None or record.failed or not record.test():
            continue
        same = record.significant()
        verdict = ""
        if agreed is not None and same is not None:
            verdict = (
                " It points the same way."
                if same == agreed
                else " It points the other way: read both with care."
            )
        lines.append(f"Alternative: {record.method}: {record.evidence()}.{verdict}")
    return "\n".join(lines)


def _checks(row: Row, made: Made) -> str:
    """The assumption checks in one paragraph."""
    lines = []
    for name in row.checks:
        record = made.get(name)
        if record is None or record.failed:
            continue
        if clause := record.test():
            lines.append(f"- {record.method}: {clause}")
    return "Assumption checks:\n" + "\n".join(dict.fromkeys(lines)) if lines else ""


_ASKS_YES_OR_NO = re.compile(
    r"^\W*(\d+\W+)?(do|does|did|is|are|was|were|has|have|can|could|would|will|should)\b", re.IGNORECASE
)


def _significance(reading: Reading, record: Record, yes: str, no: str) -> str:
    """The answer in the asker's terms: with 'Yes:' only where a yes-or-no question was asked."""
    verdict = record.significant()
    if verdict is None:
        return "No test could be made."
    if not verdict:
        return no
    return (
        f"Yes: {yes}"
        if _ASKS_YES_OR_NO.match(reading.question)
        else yes[:1].upper() + yes[1:]
        if yes.startswith("the ")
        else yes
    )


def _compare(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    outcome = _names(reading)[0]
    group = safe(reading.group.name) if reading.group else "group"
    answer = _significance(
        reading,
        lead,
        f"{outcome} differs between the groups of {group}{_kept(reading)}",
        f"There is no evidence that {outcome} differs between the groups of {group}{_kept(reading)}",
    )
    answer += f" (p {lead.number('p_value')})." if lead.number("p_value") else "."
    groups = _group_lines(lead)
    out = [
        f"{answer} {_direction(lead)}".strip(),
        groups,
        f"Evidence: {lead.method}: {lead.evidence()}.",
    ]
    if welch := lead.number("also", "welch", "p_value"):
        out[-1] += (
            f" Welch's version, which does not assume equal variances: {lead.test('also', 'welch')}."
            if welch
            else ""
        )
    out += [_post_hoc(lead), _checks(row, made), _beside(row, made, lead.significant())]
    return out


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
    return f"The mean is higher in {safe(high)} ({shown[0]}) than in {safe(low)} ({shown[1]})."


def _group_lines(record: Record) -> str:
    groups = record.value("groups")
    if not isinstance(groups, Mapping):
        return ""
    lines = []
    for name in list(groups)[:12]:
        parts = []
        for label, key in (
            ("mean", "mean"),
            ("SD", "std_dev"),
            ("median", "median"),
            ("mean rank", "mean_rank"),
            ("n", "n"),
        ):
            if number := record.number("groups", name, key):
                parts.append(f"{label} {number}")
        if parts:
            lines.append(f"- {safe(name)}: {', '.join(parts)}")
    return "\n".join(lines)


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
            lines.append(f"- {safe(pair)}: {shown}{bounds + ', ' if bounds else ''}p {p}")
    title = str(record.value("post_hoc", kind, next(iter(pairs), ""), "method") or kind)
    return f"Pairwise comparisons ({title}, adjusted for their number):\n" + "\n".join(lines) if lines else ""


def _paired(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    first, second = _names(reading)[:2]
    answer = _significance(
        reading,
        lead,
        f"{first} and {second} differ on average within rows{_kept(reading)}",
        f"There is no evidence that {first} and {second} differ on average within rows{_kept(reading)}",
    )
    return [
        f"{answer} (p {lead.number('p_value')}).",
        _group_lines(lead),
        f"Evidence: {lead.method}: {lead.evidence()}.",
        _beside(row, made, lead.significant()),
    ]


def _fixed(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    value = lead.number("null_value")
    name = _names(reading)[0]
    answer = _significance(
        reading,
        lead,
        f"the mean of {name} differs from {value}{_kept(reading)}",
        f"There is no evidence that the mean of {name} differs from {value}{_kept(reading)}",
    )
    return [
        f"{answer} (p {lead.number('p_value')}).",
        _group_lines(lead),
        f"Evidence: {lead.method}: {lead.evidence()}.",
        _checks(row, made),
    ]


def _associate(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    first, second = _names(reading)[:2]
    held = ""
    if reading.controls:
        held = " with " + ", ".join(safe(c.name) for c in reading.controls) + " held constant"
    if reading.strata is not None:
        held = f" within the levels of {safe(reading.strata.name)}"
    answer = _significance(
        reading,
        lead,
        f"{first} and {second} are {_sign(reading, lead)}associated{held}{_kept(reading)}",
        f"There is no evidence of an association between {first} and {second}{held}{_kept(reading)}",
    )
    p = lead.number("p_value")
    out = [
        f"{answer} (p {p})." if p else f"{answer}.",
        _shares(reading, lead),
        f"Evidence: {lead.method}: {lead.evidence()}.",
    ]
    out += [_inside(lead), _beside(row, made, lead.significant())]
    return out


def _sign(reading: Reading, record: Record) -> str:
    """'positively ' or 'negatively ' for a correlation of numbers."""
    estimate = record.value("estimate")
    if reading.strata is not None or record.tool != "correlation" or not isinstance(estimate, int | float):
        return ""
    return "positively " if estimate > 0 else "negatively "


def _shares(reading: Reading, record: Record) -> str:
    """What share of each row of a cross table falls into each column."""
    first, second = _names(reading)[:2]
    rows = record.value("details", "row_proportions")
    if not isinstance(rows, Mapping) or len(rows) > 8:
        return ""
    lines = []
    for row in rows:
        cells = rows[row]
        if not isinstance(cells, Mapping) or len(cells) > 6:
            return ""
        shares = [
            f"{second} {safe(column)} {record.number('details', 'row_proportions', row, column, form='.1%')}"
            for column in cells
        ]
        n = record.number("groups", row, "n")
        lines.append(f"- {first} {safe(row)}{f' (n {n})' if n else ''}: {', '.join(shares)}")
    return "\n".join(lines)


# Tests that a result carries beside its own, in the order in which a reader wants them.
_INSIDE = (
    "fisher_exact",
    "yates",
    "continuity_corrected",
    "g_test",
    "likelihood_ratio",
    "breslow_day",
    "exact",
    "uncorrected",
)


def _inside(record: Record) -> str:
    """The tests a result carries beside its own, such as Fisher's exact test beside Pearson's."""
    paths = [p for p in _distinct(record) if p and p[0] in ("also", "details")]
    paths.sort(key=lambda p: next((i for i, name in enumerate(_INSIDE) if name in p[-1]), len(_INSIDE)))
    lines = []
    for path in paths[:4]:
        label = record.method_of(*path)
        lines.append(f"- {label}: {record.evidence(*path)}")
    return "Beside it:\n" + "\n".join(lines) if lines else ""


def _predict(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    name = _names(reading)[0]
    named = ", ".join(safe(c.name) for c in reading.controls)
    parts = [f"The model predicts {name} from {named}{_kept(reading)}."]
    fit = []
    if r2 := lead.number("r_squared", form=".3f"):
        fit.append(f"R² = {r2}")
    if adjusted := lead.number("adj_r_squared", form=".3f"):
        fit.append(f"adjusted R² = {adjusted}")
    if (spread := lead.number("residual_std_error")) != "":
        fit.append(f"residual standard error {spread}")
    test = lead.test()
    parts.append("Fit: " + ", ".join([*fit, test] if test else fit) + "." if fit or test else "")
    parts.append(_terms(lead))
    return parts


def _terms(record: Record) -> str:
    terms = record.value("terms")
    if not isinstance(terms, Mapping):
        return ""
    lines = []
    for term in list(terms)[:14]:
        at = ("terms", term)
        parts = [f"coefficient {record.number(*at, 'estimate')}"]
        if bounds := record.interval(*at):
            parts.append(bounds)
        if odds := record.number(*at, "odds_ratio"):
            parts.append(f"odds ratio {odds}")
        statistic = record.number(*at, "statistic")
        df = record.number(*at, "df")
        if statistic:
            parts.append(f"{'t' if df else 'z'}{f'({df})' if df else ''} = {statistic}")
        if p := record.number(*at, "p_value"):
            parts.append(f"p {p}")
        lines.append(f"- {safe(term)}: {', '.join(parts)}")
    return "Coefficients:\n" + "\n".join(lines)


def _shape(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """Normality and fit of a named distribution."""
    lead = made[row.lead]
    name = _names(reading)[0]
    named = reading.distribution or "normal"
    verdict = lead.significant()
    answer = f"{name} departs from a {named} distribution{_kept(reading)}"
    if not verdict:
        answer = f"There is no evidence that {answer}"
    p = lead.number("p_value")
    lines = []
    for record in [lead, *(made[b] for b in row.beside if b in made and not made[b].failed)]:
        for path in _distinct(record)[:6]:
            label = record.method_of(*path) if path else record.method
            if clause := record.test(*path):
                lines.append(f"- {label}: {clause}")
    return [f"{answer} (p {p})." if p else f"{answer}.", "Evidence:\n" + "\n".join(dict.fromkeys(lines))]


def _distinct(record: Record) -> list[tuple[str, ...]]:
    """The tests of a result without those that repeat another's statistic and p."""
    kept: dict[tuple[object, object], tuple[str, ...]] = {}
    for path in record.tests():
        kept.setdefault((record.value(*path, "statistic"), record.value(*path, "p_value")), path)
    return list(kept.values())


def _two_samples(reading: Reading, row: Row, made: Made) -> Paragraphs:
    lead = made[row.lead]
    between = " and ".join(_names(reading)[:2])
    if reading.group is not None:
        between = f"{_names(reading)[0]} in the groups of {safe(reading.group.name)}"
    what = "variances" if reading.intent is Intent.VARIANCES else "distributions"
    answer = _significance(
        reading,
        lead,
        f"the {what} of {between} differ{_kept(reading)}",
        f"There is no evidence that the {what} of {between} differ{_kept(reading)}",
    )
    out = [
        f"{answer} (p {lead.number('p_value')}).",
        _group_lines(lead),
        f"Evidence: {lead.method}: {lead.evidence()}.",
    ]
    out += [_inside(lead), _beside(row, made, lead.significant())]
    return out


def _any_test(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """Any other method: its own evidence, and what it calls its results."""
    lead = made[row.lead]
    evidence = lead.evidence()
    return [
        f"{lead.method}{_kept(reading)}: {evidence}." if evidence else described(reading, lead),
        _inside(lead),
    ]


def _survival(reading: Reading, row: Row, made: Made) -> Paragraphs:
    """Times to an event: the test of the curves, and the median of each."""
    lead = made[row.lead]
    times, events = _names(reading)[:2]
    out = []
    if reading.group is not None and lead.significant() is not None:
        group = safe(reading.group.name)
        what = f"the time to {events} ({times}) differs between the groups of {group}{_kept(reading)}"
        answer = _significance(reading, lead, what, f"There is no evidence that {what}")
        out += [
            f"{answer} (p {lead.number('p_value')}).",
            f"Evidence: {lead.method}: {lead.evidence()}.",
            _inside(lead),
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
        lines.append(f"- {safe(name)}: {shown}; {counts}")
    if lines:
        out.append(f"Median {times} until {events} ({curves.method}):\n" + "\n".join(lines))
    return out or [f"{lead.method}: {lead.evidence()}."]


_WRITERS: Mapping[str, Callable[[Reading, Row, Made], Paragraphs]] = {
    "describe-groups": lambda r, row, made: [described_groups(r, made[row.lead])],
    "outliers": lambda r, row, made: [outlying(r, made[row.lead], made.get("describe"))],
    "missing": lambda r, row, made: [missing(r, made[row.lead])],
    "missing-category": lambda r, row, made: [missing(r, made[row.lead])],
}

_WRITERS_BY_INTENT: Mapping[Intent, Callable[[Reading, Row, Made], Paragraphs]] = {
    Intent.COMPARE: _compare,
    Intent.PAIRED: _paired,
    Intent.SURVIVAL: _survival,
    Intent.FIXED: _fixed,
    Intent.ASSOCIATE: _associate,
    Intent.PREDICT: _predict,
    Intent.NORMALITY: _shape,
    Intent.FITS: _shape,
    Intent.SAME_DISTRIBUTION: _two_samples,
    Intent.VARIANCES: _two_samples,
    Intent.DESCRIBE: lambda r, row, made: [described(r, made[row.lead])],
    Intent.FREQUENCIES: lambda r, row, made: [counted(r, made[row.lead])],
    Intent.COUNT: lambda r, row, made: [rows_kept(r, made[row.lead])],
    Intent.SAMPLE_SIZE: lambda r, row, made: [planned(r, made[row.lead])],
    Intent.POWER: lambda r, row, made: [planned(r, made[row.lead])],
}
