"""Outliers by three named rules, counted in the engine: 1.5 IQR, 3 z, and 3.5 modified z.

    iqr         outside [Q1 - 1.5 IQR, Q3 + 1.5 IQR], quartiles of type 7 (Tukey's fences)
    z           more than 3 standard deviations (divisor n - 1) from the mean
    modified_z  0.6745 |x - median| / MAD above 3.5 (Iglewicz & Hoaglin 1993, How to Detect and Handle Outliers);
                with MAD = 0, |x - median| / (1.2533 x mean absolute deviation) instead

They flag values worth a look, never errors: 0.7 % of a normal sample lie outside the fences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.survey import listed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from statistikles.pipeline.stewardship.detect import ColumnReport
    from statistikles.pipeline.stewardship.survey import Survey

__all__ = ["RULES", "Flagged", "flag", "outlier_findings"]

RULES = {"iqr": "1.5 IQR", "z": "3 z", "modified_z": "3.5 modified z"}
_IQR, _Z, _MODIFIED = 1.5, 3.0, 3.5
_NORMAL_MAD = 0.6744897501960817  # the MAD of a standard normal
_NORMAL_MEAN_DEVIATION = 1.2533141373155003
_FEWEST = 8
_TIMES = 3
_SCALES = ("interval", "ratio", "count")


@dataclass(frozen=True, slots=True)
class Flagged:
    """One numeric column: for each rule the SQL condition of a flagged value and how many there are."""

    column: str
    conditions: dict[str, str]
    counts: dict[str, int]


def flag(survey: Survey, names: Sequence[str]) -> list[Flagged]:
    """The three rules applied to numeric columns, in three passes over the table for all of them."""
    names = [name for name in names if survey.numbers[name].n >= _FEWEST]
    if not names:
        return []
    cells = {name: f"{survey.sql(name)}::DOUBLE" for name in names}
    finite = {
        name: f" FILTER (isfinite({cell}))" if survey.numbers[name].n < survey.column(name).n else ""
        for name, cell in cells.items()
    }
    spreads = _spreads(survey, cells, finite)
    out = []
    for name, cell in cells.items():
        facts = survey.numbers[name]
        sd, mad, deviation = spreads[name]
        reach = _IQR * (facts.q3 - facts.q1)
        away = f"abs({cell} - {facts.median!r})"
        spread = mad / _NORMAL_MAD if mad > 0 else _NORMAL_MEAN_DEVIATION * deviation
        conditions = {
            "iqr": f"({cell} < {facts.q1 - reach!r} OR {cell} > {facts.q3 + reach!r})",
            "z": f"abs({cell} - {facts.mean!r}) > {_Z * sd!r}",
            "modified_z": f"{away} > {_MODIFIED * spread!r}",
        }
        out.append(Flagged(name, conditions, {}))
    asked = [f"count_if({c})" for item in out for c in item.conditions.values()]
    counts = survey.query(f"SELECT {', '.join(asked)} FROM data")[0]  # noqa: S608
    for place, item in enumerate(out):
        item.counts.update(zip(RULES, map(int, counts[3 * place : 3 * place + 3]), strict=True))
    return out


def _spreads(
    survey: Survey, cells: dict[str, str], finite: dict[str, str]
) -> dict[str, tuple[float, float, float]]:
    """(standard deviation, MAD, mean absolute deviation) of each column, centred first."""
    asked = []
    for name, cell in cells.items():
        facts, only = survey.numbers[name], finite[name]
        away = f"abs({cell} - {facts.median!r})"
        asked += [
            f"sum(({cell} - {facts.mean!r}) * ({cell} - {facts.mean!r})){only}",
            f"median({away}){only}",
            f"avg({away}){only}",
        ]
    row = survey.query(f"SELECT {', '.join(asked)} FROM data")[0]  # noqa: S608
    out = {}
    for place, name in enumerate(cells):
        squares, mad, deviation = (float(v or 0.0) for v in row[3 * place : 3 * place + 3])
        out[name] = (squares / max(1, survey.numbers[name].n - 1)) ** 0.5, mad, deviation
    return out


def outlier_findings(
    survey: Survey, reports: Sequence[ColumnReport], doubted: Collection[str] = ()
) -> list[Finding]:
    """Isolated extremes, each a finding of its own, then one finding with the counts of all columns.

    Parameters
    ----------
    survey : the table.
    reports : what its columns are.
    doubted : columns with entries that may be codes for missing; of their shape nothing can be said yet.
    """
    names = [r.column for r in reports if r.scale in _SCALES and r.column in survey.numbers]
    flagged = [item for item in flag(survey, names) if any(item.counts.values())]
    out = _together([f for item in flagged if (f := _isolated(survey, item)) is not None])
    if not flagged:
        return out
    order = " / ".join(RULES.values())
    parts = [f"{item.column} {' / '.join(str(item.counts[rule]) for rule in RULES)}" for item in flagged]
    skewed = [item.column for item in flagged if item.column not in doubted and _one_sided(survey, item)]
    skew = (
        f" In {listed(skewed)} they are the tail of a skewed distribution rather than outliers."
        if skewed
        else ""
    )
    message = f"Values worth a look by {order}: {listed(parts, 8)}. None is removed.{skew}"
    return [*out, Finding("outliers", message, "", len(flagged), "info", "cleanse", seen=tuple(parts))]


def _together(findings: list[Finding]) -> list[Finding]:
    """Findings about the same rows as one: a case that stands apart in several columns is one case."""
    by_rows: dict[tuple[int, ...], list[Finding]] = {}
    for finding in findings:
        by_rows.setdefault(finding.rows, []).append(finding)
    out = []
    for rows, same in by_rows.items():
        first = same[0]
        if len(same) > 1:
            names = listed([f"'{f.column}'" for f in same])
            which = (
                f"Row {rows[0]} stands" if len(rows) == 1 else f"Rows {listed([str(r) for r in rows])} stand"
            )
            message = f"{which} farther from all others than these lie from each other in {len(same)} columns: {names}."
            first = replace(
                first, message=message, seen=tuple(f"{f.column}: {', '.join(f.seen)}" for f in same[:5])
            )
        out.append(first)
    return out


def _one_sided(survey: Survey, item: Flagged) -> bool:
    """Whether more than 2 % are flagged and the upper half is more than twice as long as the lower, or the reverse."""
    facts = survey.numbers[item.column]
    if item.counts["iqr"] <= 0.02 * facts.n:
        return False
    above, below = facts.high - facts.median, facts.median - facts.low
    return above > 2 * below or below > 2 * above


def _isolated(survey: Survey, item: Flagged) -> Finding | None:
    """One or two extreme values farther from their neighbour than all the others lie apart."""
    cell, n = f"{survey.sql(item.column)}::DOUBLE", survey.numbers[item.column].n
    if item.counts["modified_z"] == 0 or n < 20:
        return None
    facts = survey.numbers[item.column]
    if facts.high - facts.low <= 2 * (max(facts.q3 - facts.q1, 0.0) or 1e-300):
        return None
    ends = survey.query(
        f"SELECT list_slice(min({cell}, 3), 1, 3), list_slice(max({cell}, 3), 1, 3) FROM data "  # noqa: S608
        f"WHERE isfinite({cell})"
    )[0]
    low, high = ends
    for top in (1, 2):
        # Of amounts only a multiple is odd: twice the runner-up is what skewed quantities do.
        amounts = low[0] >= 0
        high_odd = not amounts or high[top - 1] >= _TIMES * high[top]
        low_odd = not amounts or low[top] >= _TIMES * low[top - 1]
        if high_odd and high[top - 1] - high[top] > high[top] - low[0]:
            return _extreme(
                survey, item, f"{cell} > {high[top]!r}", top, f"the next largest is {high[top]:g}"
            )
        if low_odd and low[top] - low[top - 1] > high[0] - low[top]:
            return _extreme(survey, item, f"{cell} < {low[top]!r}", top, f"the next smallest is {low[top]:g}")
    return None


def _extreme(survey: Survey, item: Flagged, condition: str, count: int, beside: str) -> Finding:
    message = (
        f"'{item.column}' has {count} value{'s' if count > 1 else ''} farther from all others than these lie from "
        f"each other ({beside})."
    )
    return Finding(
        "isolated_value", message, item.column, count, "warning", "cleanse", survey.first_rows(condition),
        _seen(survey, item.column, condition),
        asked="Right, or a slip (a unit, a decimal point)? Keep it, correct it, or set it to missing.",
    )  # fmt: skip


def _seen(survey: Survey, name: str, condition: str) -> tuple[str, ...]:
    c = survey.sql(name)
    rows = survey.query(f"SELECT {c} FROM data WHERE {condition} ORDER BY rowid LIMIT 5")  # noqa: S608
    return tuple(f"{row[0]:.10g}" for row in rows)
