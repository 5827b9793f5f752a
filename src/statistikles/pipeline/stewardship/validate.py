"""Stage `validate`: declared constraints, and values that no declaration is needed to call impossible.

Undeclared rules rest on the unit or on a word of the header, and say which; nothing is judged by its size alone:
masses, areas, volumes and counts below zero, temperatures below absolute zero, ages below zero, percentages of a whole
outside 0 to 100, latitudes and longitudes off the globe, an end before its start, dates far from all others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.constraints import check_constraints
from statistikles.pipeline.stewardship.headers import header_words, words_of
from statistikles.pipeline.stewardship.units import parse_unit

if TYPE_CHECKING:
    from statistikles.pipeline.stewardship.detect import ColumnReport
    from statistikles.pipeline.stewardship.survey import Survey

__all__ = ["validate"]

_SIGNED_WORDS = words_of(
    "change diff difference delta net gain loss balance residual error anomaly elevation altitude depth z score "
    "position offset log return growth deviation profit relative vs minus increase decrease margin"
)
_ABSOLUTE_ZERO = {"°C": -273.15, "°F": -459.67, "K": 0.0}
_NEVER_NEGATIVE = ("mass", "volume", "area", "frequency", "amount", "concentration", "information")
_SPANS = {
    "start": "end",
    "begin": "end",
    "birth": "death",
    "admission": "discharge",
    "from": "to",
    "departure": "arrival",
    "opened": "closed",
    "ordered": "shipped",
    "first": "last",
    "entry": "exit",
}
_YEARS_APART = 5


def validate(
    survey: Survey, reports: Sequence[ColumnReport], constraints: Mapping[str, Any] | None
) -> list[Finding]:
    """Findings about broken constraints, then about impossible values."""
    out = check_constraints(survey, constraints) if constraints else []
    declared = (constraints or {}).get("columns", {})
    bounded = {survey.table.resolve(n) for n, r in declared.items() if not {"min", "max"}.isdisjoint(r)}
    for report in reports:
        if report.column in survey.numbers and report.column not in bounded:
            out += [f for f in (_number_rule(survey, report),) if f is not None]
    out += _far_dates(survey)
    out += _reversed_spans(survey)
    return out


def _number_rule(survey: Survey, report: ColumnReport) -> Finding | None:
    """The one rule that applies to a numeric column, if its values break it."""
    name, facts = report.column, survey.numbers[report.column]
    words = set(header_words(name))
    c = survey.sql(name)
    signed = not words.isdisjoint(_SIGNED_WORDS)
    dimension = _dimension(report.unit)
    if report.unit in _ABSOLUTE_ZERO and facts.low < _ABSOLUTE_ZERO[report.unit] and not signed:
        zero = _ABSOLUTE_ZERO[report.unit]
        why = f"the unit is {report.unit}: nothing is colder than {zero:g}"
        return _impossible(survey, name, "below_absolute_zero", f"{c} < {zero}", why)
    if facts.low < 0 and not signed:
        if dimension in _NEVER_NEGATIVE:
            return _impossible(
                survey, name, "negative_amount", f"{c} < 0", f"the unit is {report.unit}, a {dimension}"
            )
        if words & {"age"}:
            return _impossible(survey, name, "negative_age", f"{c} < 0", "the header says it is an age")
    if dimension == "percent" and not signed and (facts.high > 100 or facts.low < 0):
        return _impossible(
            survey, name, "percent_out_of_range", f"{c} > 100 OR {c} < 0",
            "the unit is %: a share of a whole lies between 0 and 100 (a rate of change need not)", sure=False,
        )  # fmt: skip
    limit = 90 if words & {"latitude", "lat"} else 180 if words & {"longitude", "lon", "lng"} else 0
    if limit and max(abs(facts.low), abs(facts.high)) > (limit if limit == 90 else 360):
        why = f"the header says it is a {'latitude' if limit == 90 else 'longitude'} in degrees"
        return _impossible(survey, name, "off_the_globe", f"abs({c}) > {limit}", why, sure=False)
    return None


def _dimension(unit: str) -> str:
    found = parse_unit(unit) if unit else None
    return found[0].dimension if found else ""


def _impossible(
    survey: Survey, name: str, code: str, condition: str, why: str, *, sure: bool = True
) -> Finding:
    count = int(survey.query(f"SELECT count(*) FROM data WHERE {condition}")[0][0])  # noqa: S608
    c = survey.sql(name)
    seen = survey.query(f"SELECT {c} FROM data WHERE {condition} ORDER BY rowid LIMIT 5")  # noqa: S608
    what = "impossible" if sure else "questionable"
    return Finding(
        code,
        f"'{name}' has {count} {what} value{'s' if count > 1 else ''}: {why}.",
        name,
        count,
        "problem" if sure else "warning",
        "validate",
        survey.first_rows(condition),
        tuple(f"{row[0]:g}" for row in seen),
        asked="Correct them, set them to missing (step set_missing), or declare what is allowed.",
    )


# Dates -----------------------------------------------------------------------------------------------------


def _far_dates(survey: Survey) -> list[Finding]:
    """Few dates at an end that lie farther from all others than these from each other, and years away."""
    out = []
    for column in survey.columns:
        if column.dtype != "datetime" or column.n < 5 or column.n_unique < 4:
            continue
        c = survey.sql(column.name)
        rows = survey.query(
            f"SELECT epoch(v), lead(epoch(v)) OVER (ORDER BY v), first_value(epoch(v)) OVER (ORDER BY v), "  # noqa: S608
            f"last_value(epoch(v)) OVER (ORDER BY v ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING), "
            f"v::VARCHAR, lead(v::VARCHAR) OVER (ORDER BY v) FROM "
            f"(SELECT DISTINCT {c} AS v FROM data WHERE {c} IS NOT NULL) "
            f"QUALIFY lead(epoch(v)) OVER (ORDER BY v) - epoch(v) > {_YEARS_APART * 31_557_600}"
        )
        for here, after, first, last, text, later in rows:
            gap = after - here
            if gap > here - first and last - after < 0.1 * (here - first + 1):
                out += _far(survey, column.name, f"{c} > TIMESTAMP '{text}'", "later", str(text)[:10])
            elif gap > last - after and here - first < 0.1 * (last - after + 1):
                out += _far(survey, column.name, f"{c} < TIMESTAMP '{later}'", "earlier", str(later)[:10])
    return out


def _far(survey: Survey, name: str, condition: str, side: str, nearest: str) -> list[Finding]:
    count = int(survey.query(f"SELECT count(*) FROM data WHERE {condition}")[0][0])  # noqa: S608
    if count > max(2, 0.02 * survey.column(name).n):
        return []
    c = survey.sql(name)
    seen = survey.query(f"SELECT {c}::VARCHAR FROM data WHERE {condition} ORDER BY rowid LIMIT 5")  # noqa: S608
    message = (
        f"'{name}' has {count} date{'s' if count > 1 else ''} years {side} than all others "
        f"(the next is {nearest}), farther than these lie from each other: a slip of the pen or a stand-in for missing?"
    )
    return [
        Finding(
            "far_date", message, name, count, "warning", "validate", survey.first_rows(condition),
            tuple(str(row[0])[:10] for row in seen), asked="Correct them or set them to missing (step set_missing).",
        )
    ]  # fmt: skip


def _reversed_spans(survey: Survey) -> list[Finding]:
    """Rows whose end lies before their start, where two headers say which is which."""
    times = [c.name for c in survey.columns if c.dtype == "datetime"]
    words = {name: header_words(name) for name in times}
    out = []
    for name in times:
        for first, second in _SPANS.items():
            if first not in words[name]:
                continue
            wanted = [second if w == first else w for w in words[name]]
            partner = next((other for other in times if words[other] == wanted), None)
            if partner is None:
                continue
            condition = f"{survey.sql(partner)} < {survey.sql(name)}"
            count = int(survey.query(f"SELECT count(*) FROM data WHERE {condition}")[0][0])  # noqa: S608
            if count:
                message = f"'{partner}' lies before '{name}' in {count} row{'s' if count > 1 else ''}."
                out.append(
                    Finding(
                        "end_before_start", message, partner, count, "problem", "validate",
                        survey.first_rows(condition), asked="Correct or exclude them.",
                    )
                )  # fmt: skip
    return out
