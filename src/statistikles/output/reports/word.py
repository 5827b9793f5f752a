"""A report as a Word document, through python-docx."""

from __future__ import annotations

import io
import re
from typing import Any

from statistikles.errors import MissingDependency
from statistikles.guardrail.report import AuditReport
from statistikles.output.reports.blocks import (
    Block,
    Bullets,
    Code,
    Heading,
    Paragraph,
    Report,
    Table,
    Words,
)

__all__ = ["report_docx"]

_RED = (0xB0, 0x00, 0x20)
_GREY = (0x55, 0x55, 0x55)
_CODE_POINTS, _TABLE_POINTS, _QUIET_POINTS = 8, 9, 9
_PICTURE_CM = 16.0
# XML cannot hold these at all.
_IMPOSSIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def report_docx(report: Report) -> bytes:
    """The whole report as the bytes of a .docx file.

    Raises
    ------
    MissingDependency : python-docx is not installed.
    """
    try:
        import docx
    except ImportError:
        raise MissingDependency("python-docx", extra="report") from None
    from docx.shared import Mm, Pt

    page = docx.Document()
    page.styles["Normal"].font.name = "Calibri"
    page.styles["Normal"].font.size = Pt(11)
    sheet = page.sections[0]
    sheet.page_width, sheet.page_height = Mm(210), Mm(297)
    sheet.left_margin = sheet.right_margin = sheet.top_margin = sheet.bottom_margin = Mm(20)
    page.core_properties.title = _text(report.title)[:255]
    page.core_properties.author = "Statistikles"
    page.add_heading(_text(report.title), 0)
    _run(page.add_paragraph(), report.subtitle, colour=_GREY)
    for section in report.sections:
        page.add_heading(_text(section.title), 1)
        for block in section.blocks:
            _add(page, block)
    stream = io.BytesIO()
    page.save(stream)
    return stream.getvalue()


def _text(text: str) -> str:
    return _IMPOSSIBLE.sub("�", text)


def _run(
    paragraph: Any,
    text: str,
    *,
    colour: tuple[int, int, int] | None = None,
    bold: bool = False,
    size: int = 0,
) -> Any:
    from docx.shared import Pt, RGBColor

    run = paragraph.add_run(_text(text))
    run.bold = bold or None
    if colour is not None:
        run.font.color.rgb = RGBColor(*colour)
    if size:
        run.font.size = Pt(size)
    return run


def _add(page: Any, block: Block) -> None:
    if isinstance(block, Heading):
        page.add_heading(_text(block.text), 2)
    elif isinstance(block, Paragraph):
        colour = _RED if block.grave else _GREY if block.quiet else None
        _run(
            page.add_paragraph(),
            block.text,
            colour=colour,
            bold=block.grave,
            size=_QUIET_POINTS if block.quiet else 0,
        )
    elif isinstance(block, Words):
        _add_words(page, block.text, block.audit)
    elif isinstance(block, Bullets):
        for item in block.items:
            page.add_paragraph(_text(item), style="List Bullet")
    elif isinstance(block, Table):
        _add_table(page, block)
    elif isinstance(block, Code):
        _run(page.add_paragraph(), block.language, bold=True)
        code = _run(page.add_paragraph(), block.text.rstrip(), size=_CODE_POINTS)
        code.font.name = "Consolas"
    else:
        from docx.shared import Cm

        page.add_picture(io.BytesIO(block.png), width=Cm(_PICTURE_CM))
        _run(page.add_paragraph(), block.caption, colour=_GREY, size=_QUIET_POINTS)


def _add_words(page: Any, text: str, report: AuditReport) -> None:
    """The reply paragraph by paragraph, flagged spans in red."""
    at = 0
    for line in text.split("\n"):
        start, end = at, at + len(line)
        at = end + 1
        if not line.strip():
            continue
        bullet = line.startswith("- ")
        paragraph = page.add_paragraph(style="List Bullet") if bullet else page.add_paragraph()
        last = start + 2 * bullet
        for span in sorted(report.flagged, key=lambda s: s.start):
            if last <= span.start < end:
                _run(paragraph, text[last : span.start])
                _run(paragraph, text[span.start : span.end], colour=_RED).font.underline = True
                last = min(span.end, end)
        _run(paragraph, text[last:end])


def _add_table(page: Any, table: Table) -> None:
    from docx.enum.text import WD_ALIGN_PARAGRAPH
    from docx.shared import Pt

    caption = page.add_paragraph()
    caption.paragraph_format.keep_with_next = True
    _run(caption, table.caption, bold=True, size=_TABLE_POINTS)
    grid = page.add_table(rows=0, cols=len(table.columns))
    grid.style = "Table Grid"
    for number, cells in enumerate((table.columns, *table.rows)):
        made = grid.add_row().cells
        for place, text in enumerate(cells):
            paragraph = made[place].paragraphs[0]
            paragraph.paragraph_format.space_after = Pt(1)
            _run(paragraph, text, bold=number == 0, size=_TABLE_POINTS)
            if place not in table.words:
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    _run(page.add_paragraph(), table.note, colour=_GREY, size=_QUIET_POINTS)
