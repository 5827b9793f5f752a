"""Missing values: shares, patterns, whether they are monotone, Little's test, and what each remedy would cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from statistikles.errors import StatistiklesError
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.survey import listed
from statistikles.results.text import format_p

if TYPE_CHECKING:
    from statistikles.pipeline.stewardship.detect import ColumnReport
    from statistikles.pipeline.stewardship.survey import Survey

__all__ = ["missing_findings"]

_NUMERIC_SCALES = ("interval", "ratio", "count", "proportion", "ordinal")
_MOST_PATTERN_COLUMNS = 60
_LITTLE_COLUMNS = 6
_LITTLE_ROWS = 2000
_MUCH = 0.05
_REMEDIES = (
    "Leaving out incomplete rows loses rows and is unbiased only if values are missing completely at random; a "
    "mean or median put in keeps the rows and makes spread, correlations and p values too small; multiple "
    "imputation or a maximum-likelihood method needs only missing at random. Nothing is done unless a step says so "
    "(drop_missing, impute)."
)


def missing_findings(survey: Survey, reports: Sequence[ColumnReport]) -> list[Finding]:
    """What is missing, in which patterns, and whether completely at random."""
    n = survey.table.n_rows
    gaps = {c.name: c.n_missing for c in survey.columns if c.n_missing}
    empty = [name for name, missing in gaps.items() if missing == n]
    partial = {name: missing for name, missing in gaps.items() if missing < n}
    out = []
    if empty:
        message = f"{len(empty)} column{'s have' if len(empty) > 1 else ' has'} no values: {listed(empty)}."
        out.append(Finding("empty_column", message, empty[0], len(empty), stage="cleanse"))
    if partial:
        patterns = _patterns(survey, partial)
        out.append(_shares(survey, partial, patterns))
        if len(partial) > 1:
            out.append(_pattern_finding(partial, patterns))
        little = _little(survey, reports, partial)
        out += [little] if little is not None else []
    return out


def _patterns(survey: Survey, partial: dict[str, int]) -> list[tuple[str, int]]:
    """(one digit per column, 1 for missing; number of rows), the most frequent first."""
    columns = [survey.sql(name) for name in list(partial)[:_MOST_PATTERN_COLUMNS]]
    marks = " || ".join(f"CASE WHEN {c} IS NULL THEN '1' ELSE '0' END" for c in columns)
    rows = survey.query(f"SELECT {marks} AS p, count(*) FROM data GROUP BY p ORDER BY count(*) DESC, p")  # noqa: S608
    return [(str(pattern), int(count)) for pattern, count in rows]


def _shares(survey: Survey, partial: dict[str, int], patterns: list[tuple[str, int]]) -> Finding:
    n = survey.table.n_rows
    complete = sum(count for pattern, count in patterns if "1" not in pattern)
    worst = sorted(partial.items(), key=lambda item: -item[1])
    shown = listed([f"{name} {missing} ({100 * missing / n:.3g} %)" for name, missing in worst], 6)
    grave = complete < (1 - _MUCH) * n
    condition = " OR ".join(f"{survey.sql(name)} IS NULL" for name in partial)
    beside = ", empty columns aside" if any(c.n == 0 for c in survey.columns) else ""
    return Finding(
        "missing_values",
        f"Values are missing in {len(partial)} of {len(survey.columns)} columns: {shown}. "
        f"{complete} of {n} rows ({100 * complete / n:.4g} %) are complete{beside}.",
        "", n - complete, "warning" if grave else "info", "cleanse", survey.first_rows(condition),
        asked=_REMEDIES if grave else "",
    )  # fmt: skip


def _pattern_finding(partial: dict[str, int], patterns: list[tuple[str, int]]) -> Finding:
    names = list(partial)[:_MOST_PATTERN_COLUMNS]
    monotone = _monotone(names, partial, patterns)
    gaps = [(pattern, count) for pattern, count in patterns if "1" in pattern]
    told = []
    for pattern, count in gaps[:3]:
        lacking = [name for name, mark in zip(names, pattern, strict=True) if mark == "1"]
        told.append(f"{listed(lacking, 3)}: {count} row{'s' if count > 1 else ''}")
    shown = "; ".join(told)
    kind = (
        "They are monotone (as of drop-out): whoever lacks one column lacks all later ones."
        if monotone
        else "They are not monotone."
    )
    many = (
        f"{len(gaps)} patterns of missing values, the most frequent: "
        if len(gaps) > 1
        else "Missing together: "
    )
    message = f"{many}{shown}. {kind}"
    return Finding("missing_patterns", message, "", len(gaps), "info", "cleanse")


def _monotone(names: Sequence[str], partial: dict[str, int], patterns: list[tuple[str, int]]) -> bool:
    """Whether the columns can be ordered so that a row missing in one is missing in all that follow."""
    order = sorted(range(len(names)), key=lambda i: partial[names[i]])
    return all("10" not in "".join(pattern[i] for i in order) for pattern, _ in patterns)


def _little(survey: Survey, reports: Sequence[ColumnReport], partial: dict[str, int]) -> Finding | None:
    """Little's test over numeric columns that have gaps and some that have none; None where it is undefined."""
    from statistikles.stats.sampling import littles_mcar_test

    n = survey.table.n_rows
    numeric = [r.column for r in reports if r.scale in _NUMERIC_SCALES and r.column in survey.numbers]
    gappy = sorted(
        (name for name in numeric if 0 < partial.get(name, 0) <= 0.7 * n), key=lambda c: -partial[c]
    )
    whole = [name for name in numeric if name not in partial]
    chosen = [*gappy[: _LITTLE_COLUMNS - min(2, len(whole))], *whole][:_LITTLE_COLUMNS]
    if not gappy or len(chosen) < 2:
        return None
    columns = {name: survey.table.numbers(name)[:_LITTLE_ROWS] for name in chosen}
    try:
        test = littles_mcar_test(columns)
    except (StatistiklesError, ArithmeticError, ValueError):  # collinear or constant among the rows observed
        return None
    if test.p_value is None or test.statistic is None or test.df is None:
        return None
    random = test.p_value > 0.05
    verdict = (
        "no sign against missing completely at random, which is no proof of it"
        if random
        else "the values are not missing completely at random: leaving incomplete rows out may bias results"
    )
    bounds = f", first {_LITTLE_ROWS} rows" if n > _LITTLE_ROWS else ""
    bounds += f", {len(chosen)} of {len(numeric)} numeric columns" if len(chosen) < len(numeric) else ""
    message = (
        f"Little's test ({', '.join(chosen)}{bounds}): chi-square({test.df:g}) = {test.statistic:.2f}, "
        f"p {format_p(test.p_value)}: {verdict}."
    )
    return Finding("little_test", message, "", 0, "info" if random else "warning", "cleanse")
