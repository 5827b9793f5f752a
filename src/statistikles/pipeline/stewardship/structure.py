"""How the rows and columns hang together: repeated measures, pairs, panels, order in time, wide and long layout."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.headers import header_words, words_of
from statistikles.pipeline.stewardship.survey import listed

if TYPE_CHECKING:
    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.stewardship.detect import ColumnReport
    from statistikles.pipeline.stewardship.survey import Survey

__all__ = ["Layout", "layout_of", "structure"]

_NUMERIC_SCALES = ("ordinal", "interval", "ratio", "count", "proportion")
_PAIRS = (
    ("pre", "post"),
    ("pretest", "posttest"),
    ("before", "after"),
    ("baseline", "followup"),
    ("baseline", "endline"),
    ("baseline", "final"),
    ("initial", "final"),
)
_OCCASIONS = words_of(
    "t time week wk day visit wave session trial month year quarter phase round occasion measurement"
)
# Stems that number unrelated variables.
_GENERIC = words_of("x v var variable feature feat column col pc f c field unnamed model theta beta")
_FULL = {
    name[:3]: name
    for name in (
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november", "december",
    )
}  # fmt: skip
_MONTHS = tuple(_FULL)
_NUMBERED = re.compile(r"(.*?)[\s_.\-]*(\d{1,4})\Z")
_SUBJECT_WORDS = words_of(
    "id subject participant patient respondent person animal student child user customer pid sid plot plate "
    "household family mouse rat pupil worker employee member player"
)
_DATE_WORDS = words_of("dt date time day month year")
_ENDS_IN_ID = re.compile(r"[A-Z]ID\Z|[a-z]I[Dd]\Z")
_MOST_OCCASIONS = 60
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns that hold one quantity on several occasions, in their order."""

    kind: str
    name: str
    columns: tuple[str, ...]
    occasions: tuple[str, ...]


@dataclass(slots=True)
class Structure:
    """What was found: findings, and the role of each column that has a special one."""

    findings: list[Finding] = field(default_factory=list)
    roles: dict[str, str] = field(default_factory=dict)
    layouts: list[Layout] = field(default_factory=list)


def structure(survey: Survey, reports: Sequence[ColumnReport]) -> Structure:
    """The structure of a table."""
    out = Structure()
    scales = {report.column: report.scale for report in reports}
    for report in reports:
        out.roles[report.column] = _plain_role(report)
    _wide(survey, scales, out)
    _time_order(survey, scales, out)
    _repeated(survey, scales, out)
    return out


def _plain_role(report: ColumnReport) -> str:
    roles = {"identifier": "identifier", "date-time": "time", "nominal": "group", "binary": "group"}
    if report.scale in ("free text", "constant", "empty"):
        return ""
    return roles.get(report.scale, "measure")


# Wide ------------------------------------------------------------------------------------------------------


def _wide(survey: Survey, scales: Mapping[str, str], out: Structure) -> None:
    numeric = [name for name, scale in scales.items() if scale in _NUMERIC_SCALES]
    for layout in layout_of(numeric):
        if layout.kind == "numbered" and not _alike(survey, layout):
            continue
        out.layouts.append(layout)
        shown = listed(layout.columns, 4)
        for column, occasion in zip(layout.columns, layout.occasions, strict=True):
            out.roles[column] = f"{layout.name or 'value'} at {occasion}"
        if layout.kind == "pair":
            first, second = layout.columns
            message = f"'{first}' and '{second}' look like one quantity before and after: a paired design."
            finding = Finding("paired_columns", message, first, 0, stage="detect", seen=layout.columns)
        else:
            what = "items or occasions" if layout.kind == "numbered" else "occasions"
            message = (
                f"{len(layout.columns)} columns ({shown}) look like one quantity on several {what}: wide layout, "
                "the values of a row belong together."
            )
            finding = Finding(
                "wide_layout", message, layout.columns[0], len(layout.columns), stage="detect",
                seen=layout.columns[:6], asked="Reshape to one row per value (step to_long), where a method wants that?",
            )  # fmt: skip
        out.findings.append(finding)


def layout_of(names: Sequence[str]) -> list[Layout]:
    """The sets of columns whose names differ only in the occasion: pairs, numbered ones, months."""
    return [*_pairs(names), *_numbered(names), *_months(names)]


def _pairs(names: Sequence[str]) -> list[Layout]:
    words = {name: header_words(name) for name in names}
    out = []
    for first, second in _PAIRS:
        for name in names:
            if first not in words[name]:
                continue
            at = words[name].index(first)
            wanted = [*words[name][:at], second, *words[name][at + 1 :]]
            partner = next((other for other in names if words[other] == wanted), None)
            if partner is not None:
                stem = " ".join(w for w in words[name] if w != first)
                out.append(Layout("pair", stem, (name, partner), (first, second)))
    return out


def _numbered(names: Sequence[str]) -> list[Layout]:
    families: dict[str, list[tuple[int, str]]] = {}
    for name in names:
        match = _NUMBERED.match(name)
        if match is not None:
            families.setdefault(match[1].casefold(), []).append((int(match[2]), name))
    out = []
    for stem, members in families.items():
        members.sort()
        last = (header_words(stem) or [""])[-1]
        numbers = [number for number, _ in members]
        years = all(1800 <= number <= 2200 for number in numbers)
        timed = last in _OCCASIONS or years
        if len(members) < (2 if timed else 3) or len(set(numbers)) < len(numbers):
            continue
        if not timed and (last in _GENERIC or not stem or (numbers[0] > 1) or numbers[-1] > len(numbers) + 1):
            continue
        columns = tuple(name for _, name in members)
        out.append(
            Layout("timed" if timed else "numbered", stem.strip(" _."), columns, tuple(map(str, numbers)))
        )
    return out


def _months(names: Sequence[str]) -> list[Layout]:
    found = {name.casefold()[:3]: name for name in names if name.casefold()[:3] in _MONTHS and name.isalpha()}
    months = [m for m in _MONTHS if m in found and _FULL[m].startswith(found[m].casefold())]
    if len(months) < 6:
        return []
    return [Layout("timed", "month", tuple(found[m] for m in months), tuple(months))]


def _alike(survey: Survey, layout: Layout) -> bool:
    """Whether the columns could hold the same quantity: each middle half lies within the others' ranges."""
    facts = [survey.numbers[name] for name in layout.columns]
    low, high = max(f.low for f in facts), min(f.high for f in facts)
    return low <= high and all(f.q1 <= high and f.q3 >= low for f in facts)


# Time ------------------------------------------------------------------------------------------------------


def _time_order(survey: Survey, scales: Mapping[str, str], out: Structure) -> None:
    """The first column of times that differ in every row, and whether the rows follow it."""
    for column in survey.columns:
        if scales[column.name] != "date-time" or column.n < 8 or column.n_unique < 0.95 * column.n:
            continue
        c = survey.sql(column.name)
        rising, falling = survey.query(
            f"SELECT count_if({c} > b), count_if({c} < b) FROM "  # noqa: S608
            f"(SELECT {c}, lag({c}) OVER (ORDER BY rowid) AS b FROM data WHERE {c} IS NOT NULL)"
        )[0]
        how = "in time order" if not falling else "in reversed time order" if not rising else ""
        if how:
            message = (
                f"The rows are {how} by '{column.name}': neighbouring rows may be alike (a time series)."
            )
        else:
            message = f"'{column.name}' gives each row a time, but the rows do not stand in time order."
        out.findings.append(Finding("time_order", message, column.name, column.n, stage="detect"))
        return


# Long ------------------------------------------------------------------------------------------------------


def _repeated(survey: Survey, scales: Mapping[str, str], out: Structure) -> None:
    """An identifier, or an entity observed over time, that occurs in several rows."""
    identified = {
        c.name for c in survey.columns if scales[c.name] == "identifier" or _names_subject(c.name, c.kind)
    }
    for column in survey.columns:
        n, repeats = column.n, column.n / max(1, column.n_unique)
        if n < 6 or column.n_unique < 2 or repeats < 1.2 or column.dtype == "float":
            continue
        if scales[column.name] == "date-time":
            continue
        named = column.n_unique > 2 and _names_subject(column.name, column.kind)
        others = [
            other.name
            for other in survey.columns
            if other.name != column.name and other.n_unique >= 2 and other.n == n
            and (scales[other.name] == "date-time" or (named and other.n_unique <= _MOST_OCCASIONS
                 and scales[other.name] in ("binary", "nominal", "ordinal", "count", "date-time", "ratio")
                 and other.dtype != "float"))
        ]  # fmt: skip
        if not named and scales[column.name] not in ("nominal", "binary", "identifier"):
            continue
        if not named and identified - {column.name} and _measured(column):
            continue
        telling = _telling_apart(survey, column.name, others, n)
        if telling is None and not named:
            continue
        out.findings.append(_long_finding(survey, column.name, telling, scales))
        out.roles[column.name] = "subject" if named else "entity"
        if telling is not None:
            out.roles[telling] = "occasion"
        return


def _measured(column: Column) -> bool:
    """Whether the labels are numbers in the main: a dose with a word among its values names nobody."""
    numbers = sum(1 for label in column.levels if _NUMBER.fullmatch(label.strip()))
    return 2 * numbers >= len(column.levels)


def _names_subject(name: str, kind: str) -> bool:
    """Whether a header names what is observed: `ID`, `patient`, `PLTID`."""
    words = header_words(name)
    if not _DATE_WORDS.isdisjoint(words):
        return False
    known = not _SUBJECT_WORDS.isdisjoint(words[-1:]) or kind == "identifier"
    return known or (bool(_ENDS_IN_ID.search(name)) and words[-1] not in ("paid", "valid", "grid", "solid"))


def _telling_apart(survey: Survey, subject: str, others: Sequence[str], n: int) -> str | None:
    """The column that, with the subject, is different in every row; the one with fewest values."""
    ordered = sorted(others, key=lambda name: survey.column(name).n_unique)
    enough = [name for name in ordered if survey.column(name).n_unique * survey.column(subject).n_unique >= n]
    s = survey.sql(subject)
    for name in enough[:6]:
        if survey.column(name).n_unique >= n:
            continue
        pairs = survey.query(
            f"SELECT count(*) FROM (SELECT DISTINCT {s}, {survey.sql(name)} FROM data WHERE {s} IS NOT NULL)"  # noqa: S608
        )[0][0]
        if pairs == n:
            return name
    return None


def _long_finding(survey: Survey, subject: str, telling: str | None, scales: Mapping[str, str]) -> Finding:
    column = survey.column(subject)
    s = survey.sql(subject)
    low, high = survey.query(
        f"SELECT min(k), max(k) FROM (SELECT count(*) AS k FROM data WHERE {s} IS NOT NULL GROUP BY {s})"  # noqa: S608
    )[0]
    times = f"{low} times" if low == high else f"{low} to {high} times"
    if telling is None:
        return Finding(
            "clustered_rows",
            f"Each '{subject}' occurs {times} ({column.n_unique} different in {column.n} rows): rows of one "
            f"'{subject}' may be alike, so they are not independent.",
            subject, column.n_unique, "warning", "detect",
        )  # fmt: skip
    panel = scales[telling] == "date-time"
    what = "a panel over time" if panel else "repeated measures in long layout"
    return Finding(
        "panel" if panel else "repeated_measures",
        f"Each '{subject}' occurs {times}, told apart by '{telling}': {what}. Rows of one '{subject}' are not "
        "independent; paired or mixed methods respect that.",
        subject, column.n_unique, "warning", "detect", seen=survey.column(telling).levels[:6],
    )  # fmt: skip
