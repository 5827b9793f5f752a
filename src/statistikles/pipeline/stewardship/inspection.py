"""The examination of a table: what its reading found and doubts, units, detect, validate, cleanse, normalise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from statistikles.pipeline.canonicalise import doubts
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.dependencies import dependency_findings
from statistikles.pipeline.stewardship.detect import ColumnReport, detect_scale
from statistikles.pipeline.stewardship.duplicates import duplicate_findings
from statistikles.pipeline.stewardship.missing import missing_findings
from statistikles.pipeline.stewardship.outliers import outlier_findings
from statistikles.pipeline.stewardship.structure import structure
from statistikles.pipeline.stewardship.survey import Survey
from statistikles.pipeline.stewardship.unit_columns import ColumnUnit, column_units, unit_findings
from statistikles.pipeline.stewardship.validate import validate

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["Inspection", "examine"]


@dataclass(frozen=True, slots=True)
class Inspection:
    """What was seen in a table: findings in the order of the stages, and one report per column."""

    findings: tuple[Finding, ...]
    detected: tuple[ColumnReport, ...]

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "columns": [report.to_dict() for report in self.detected],
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def of(self, column: str) -> ColumnReport:
        """The report of one column."""
        return next(report for report in self.detected if report.column == column)


def examine(table: Table, *, constraints: Mapping[str, Any] | None = None) -> Inspection:
    """Look at a table stage by stage; nothing is changed.

    Parameters
    ----------
    table : the table; it is only read.
    constraints : what is declared about it, as `statistikles.pipeline.stewardship.constraints` describes.

    Raises
    ------
    InputError : a constraint that cannot be understood.
    """
    survey = Survey.of(table)
    units = column_units(survey, constraints)
    reports = [_report(survey, column.name, units.get(column.name)) for column in survey.columns]
    found = structure(survey, reports)
    reports = [replace(report, role=found.roles.get(report.column, "")) for report in reports]
    read = [*table.findings, *doubts(table)]
    doubted = {finding.column for finding in read if finding.code == "missing_doubt"}
    odd = [*validate(survey, reports, constraints), *outlier_findings(survey, reports, doubted)]
    findings = [
        *read,
        *unit_findings(survey, units),
        *found.findings,
        *(finding for finding in odd if not _asked_already(finding, read)),
        *missing_findings(survey, reports),
        *duplicate_findings(survey, reports),
        *dependency_findings(survey, reports),
    ]
    return Inspection(tuple(findings), tuple(reports))


def _asked_already(finding: Finding, read: Sequence[Finding]) -> bool:
    """Whether the very same entries are in doubt as codes for missing."""
    return bool(finding.seen) and any(
        known.code == "missing_doubt"
        and known.column == finding.column
        and known.count == finding.count
        and set(finding.seen) <= set(known.seen)
        for known in read
    )


def _report(survey: Survey, name: str, unit: ColumnUnit | None) -> ColumnReport:
    used = unit if unit is not None and unit.used else None
    (scale, confidence, reason), order = detect_scale(
        survey, survey.column(name), used.unit if used else None
    )
    if used is None:
        return ColumnReport(name, scale, confidence, reason, order=order)
    return ColumnReport(
        name, scale, confidence, reason, str(used.unit), used.confidence, used.reason, order=order
    )
