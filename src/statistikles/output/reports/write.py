"""Writing a report to a file whose name says which kind it is."""

from __future__ import annotations

import os
from pathlib import Path

from statistikles.errors import DataError, InputError
from statistikles.output.reports import REPORT_SUFFIXES
from statistikles.output.reports.blocks import Figure, Report

__all__ = ["check_report_path", "report_bytes", "write_report"]


def check_report_path(path: str | os.PathLike[str]) -> Path:
    """The path, refused when its ending is none of `REPORT_SUFFIXES` or its folder does not exist.

    Raises
    ------
    InputError : the ending is unknown.
    DataError : there is no such folder.
    """
    target = Path(path)
    if target.suffix.lower() not in REPORT_SUFFIXES:
        raise InputError(
            f"A report cannot be written as '{target.name}': its name must end in {', '.join(REPORT_SUFFIXES)}.",
            hint="For example: report.html",
            where="report",
            code="unknown_format",
        )
    if not target.parent.is_dir():
        raise DataError(
            f"There is no folder '{target.parent}'.",
            hint="Create it first, or choose another.",
            where=str(target),
        )
    return target


def report_bytes(report: Report, suffix: str) -> bytes:
    """The content of the file of this kind.

    Raises
    ------
    MissingDependency : the kind needs a package that is not installed.
    """
    if suffix == ".docx":
        from statistikles.output.reports.word import report_docx

        return report_docx(report)
    if suffix == ".html":
        from statistikles.output.reports.page import report_html

        return report_html(report).encode("utf-8", "replace")
    from statistikles.output.reports.markdown import report_markdown

    return report_markdown(report).encode("utf-8", "replace")


def write_report(report: Report, path: str | os.PathLike[str]) -> Path:
    """Write the report; the path.

    Raises
    ------
    InputError : the ending of the name is unknown.
    DataError : the file cannot be written.
    MissingDependency : the kind needs a package that is not installed.
    """
    target = check_report_path(path)
    try:
        if target.suffix.lower() == ".md":
            _write_markdown(report, target)
        else:
            target.write_bytes(report_bytes(report, target.suffix.lower()))
    except OSError as error:
        raise DataError(
            f"The report cannot be written: {error.strerror}.", hint="Choose another path.", where=str(target)
        ) from error
    return target


def _write_markdown(report: Report, target: Path) -> None:
    """The text, and its pictures beside it as NAME-figure1.svg and so on."""
    from statistikles.output.reports.markdown import report_markdown

    figures = [block for section in report.sections for block in section.blocks if isinstance(block, Figure)]
    names = [f"{target.stem}-figure{place}.svg" for place in range(1, len(figures) + 1)]
    for name, figure in zip(names, figures, strict=True):
        target.with_name(name).write_text(figure.svg, encoding="utf-8")
    target.write_bytes(report_markdown(report, names).encode("utf-8", "replace"))
