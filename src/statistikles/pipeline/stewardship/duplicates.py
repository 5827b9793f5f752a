"""Duplicates: equal rows (weighed against chance), identifiers that occur twice, labels that differ in spelling only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import TYPE_CHECKING

from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.survey import listed

if TYPE_CHECKING:
    from statistikles.pipeline.stewardship.detect import ColumnReport
    from statistikles.pipeline.stewardship.survey import Survey

__all__ = ["duplicate_findings", "folded", "spelling_groups"]

_MOST_LEVELS = 2000
_MOST_REPEATED = 0.05
_BY_CHANCE = 0.01


def duplicate_findings(survey: Survey, reports: Sequence[ColumnReport]) -> list[Finding]:
    """Everything that seems to be there twice."""
    out = _equal_rows(survey)
    for report in reports:
        column = survey.column(report.column)
        if column.kind == "identifier" or report.role == "identifier":
            out += _repeated_ids(survey, report.column)
        elif column.dtype == "text" and report.scale in ("nominal", "ordinal", "binary"):
            out += _spellings(survey, report.column)
    return out


def _equal_rows(survey: Survey) -> list[Finding]:
    """Rows equal in every column, or in all but the row number or identifier."""
    numbered = [c.name for c in survey.columns if c.kind == "identifier" and c.dtype == "integer"]
    for names, but in (
        (list(survey.table.column_names), ""),
        ([c for c in survey.table.column_names if c not in numbered], listed(numbered, 3)),
    ):
        if not names or (but and not numbered):
            continue
        columns = ", ".join(survey.sql(name) for name in names)
        groups = f"SELECT count(*) AS k FROM data GROUP BY {columns} HAVING count(*) > 1"  # noqa: S608
        sets, rows, pairs = survey.query(
            f"SELECT count(*), coalesce(sum(k - 1), 0), coalesce(sum(k * (k - 1) / 2), 0) FROM ({groups})"  # noqa: S608
        )[0]
        if not sets:
            continue
        expected = _expected_pairs(survey, names)
        chance = expected >= _BY_CHANCE * float(pairs)
        later = survey.query(
            f"SELECT unnest(list(rowid ORDER BY rowid)[2:]) + 1 AS r FROM data GROUP BY {columns} "  # noqa: S608
            "HAVING count(*) > 1 ORDER BY r LIMIT 10"
        )
        what = f"equal in all columns but {but}" if but else "equal in every column"
        why = (
            "so many columns with few values can agree by chance, so they may be different cases"
            if chance
            else "unrelated columns would hardly agree so by chance: the same cases may be there twice"
        )
        return [
            Finding(
                "duplicate_rows",
                f"{int(rows)} row{'s repeat' if rows > 1 else ' repeats'} an earlier one ({what}); {why}.",
                "", int(rows), "info" if chance else "warning", "cleanse", tuple(int(row[0]) for row in later),
                asked="" if chance else "Keep them, or drop the repetitions (step drop_duplicates)?",
            )
        ]  # fmt: skip
    return []


def _expected_pairs(survey: Survey, names: Sequence[str]) -> float:
    """How many pairs of rows would be equal if the columns were independent of each other."""
    n = survey.table.n_rows
    pairs = n * (n - 1) / 2
    for name in names:
        c = survey.sql(name)
        sizes = f"SELECT count(*) AS k FROM data GROUP BY {c}"  # noqa: S608
        squares = survey.query(f"SELECT sum(k * (k - 1)::DOUBLE) FROM ({sizes})")  # noqa: S608
        pairs *= float(squares[0][0] or 0.0) / (n * max(1, n - 1))
    return pairs


def _repeated_ids(survey: Survey, name: str) -> list[Finding]:
    """An identifier that is different in nearly every row, and not in all."""
    column = survey.column(name)
    extra = column.n - column.n_unique
    if not 0 < extra <= max(1, _MOST_REPEATED * column.n):
        return []
    c = survey.sql(name)
    again = f"{c} IN (SELECT {c} FROM data WHERE {c} IS NOT NULL GROUP BY {c} HAVING count(*) > 1)"  # noqa: S608
    seen = survey.query(f"SELECT DISTINCT {c}::VARCHAR FROM data WHERE {again} ORDER BY 1 LIMIT 5")  # noqa: S608
    return [
        Finding(
            "duplicate_identifier",
            f"'{name}' is different in nearly every row but repeats in {extra}.",
            name, extra, "warning", "cleanse", survey.first_rows(again), tuple(str(row[0])[:30] for row in seen),
            asked="Is one case there twice, or several rows per case?",
        )
    ]  # fmt: skip


def folded(label: str) -> str:
    """A label without case, accents, blanks and punctuation: what two spellings of one label share."""
    plain = "".join(ch for ch in unicodedata.normalize("NFKD", label) if not unicodedata.combining(ch))
    return re.sub(r"[\W_]+", "", plain.casefold())


def spelling_groups(labels: dict[str, int]) -> list[list[str]]:
    """Labels that fold to the same text, most frequent first; signs and digits alone are never folded together."""
    groups: dict[str, list[str]] = {}
    for label in labels:
        key = folded(label)
        if key and not key.isdigit() and len(key) > 1:
            groups.setdefault(key, []).append(label)
    return [sorted(group, key=lambda g: (-labels[g], g)) for group in groups.values() if len(group) > 1]


def _told_before(group: list[str], labels: dict[str, int]) -> bool:
    """Whether the first stage doubts this group already: the same but for case, blanks and look-alike letters."""
    from statistikles.pipeline.canonicalise.spellings import variants

    return [len(group)] == [len(known) for known in variants({label: labels[label] for label in group})]


def _spellings(survey: Survey, name: str) -> list[Finding]:
    column = survey.column(name)
    if column.n_unique > _MOST_LEVELS:
        return []
    c = survey.sql(name)
    labels = {
        str(label): int(count)
        for label, count in survey.query(
            f"SELECT {c}, count(*) FROM data WHERE {c} IS NOT NULL GROUP BY {c} ORDER BY {c}"  # noqa: S608
        )
    }
    groups = [group for group in spelling_groups(labels) if not _told_before(group, labels)]
    if not groups:
        return []
    shown = "; ".join(" = ".join(f"'{label}' ({labels[label]})" for label in group) for group in groups[:4])
    return [
        Finding(
            "label_spellings",
            f"'{name}' has labels that differ in marks, accents or case only: {shown}.",
            name, sum(labels[label] for group in groups for label in group[1:]), "warning", "cleanse",
            seen=tuple(label for group in groups[:3] for label in group),
            asked="Are they the same? Then merge them (step merge_labels).",
        )
    ]  # fmt: skip
