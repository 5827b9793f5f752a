"""The inspection of a table as one page: what needs a decision first, then the columns, then every other finding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from statistikles.output.stamp import own_version
from statistikles.pipeline.findings import SEVERITIES, STAGES, Finding, Severity, Stage

if TYPE_CHECKING:
    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.stewardship import ColumnReport, Inspection
    from statistikles.pipeline.tables import Table

__all__ = ["COLUMN_HEADS", "Sheet", "column_values", "details", "inspection_html", "inspection_json", "seen"]

COLUMN_HEADS = ("column", "kind", "scale", "sure", "unit", "n", "missing", "distinct", "values", "why")
_LEVELS_SHOWN = 6
_LONGEST = 60
# Control signs, and signs that turn the direction of the text around them: a header may hold any of them.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with its inspection, in the order in which it is read."""

    table: Table
    inspection: Inspection

    @property
    def urgent(self) -> list[Finding]:
        """What is a problem or asks for a decision, the gravest first."""
        found = [f for f in self.inspection.findings if _is_urgent(f)]
        return sorted(found, key=lambda f: -SEVERITIES.index(f.severity))

    def others(self) -> Iterator[tuple[Stage, list[Finding]]]:
        """Every other finding by stage, within a stage the gravest first."""
        for stage in STAGES:
            found = [f for f in self.inspection.findings if f.stage == stage and not _is_urgent(f)]
            if found:
                yield stage, sorted(found, key=lambda f: -SEVERITIES.index(f.severity))

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """One row per column, as COLUMN_HEADS names its cells."""
        reports = {report.column: report for report in self.inspection.detected}
        return [_row(column, reports[column.name]) for column in self.table.columns]

    @property
    def heading(self) -> str:
        """How large the table is."""
        count = len(self.table.columns)
        return f"{self.table.name}: {self.table.n_rows} rows, {count} column{'s' if count != 1 else ''}"

    @property
    def verdict(self) -> str:
        """How many findings need attention."""
        urgent, total = self.urgent, len(self.inspection.findings)
        asked = sum(1 for f in urgent if f.asked)
        problems = sum(1 for f in urgent if f.severity == "problem")
        if not urgent:
            return f"Nothing needs a decision; {total} finding{'s' if total != 1 else ''}."
        return (
            f"{_count(problems, 'problem')}, {_count(asked, 'question')} to decide, "
            f"{_count(total, 'finding')} in all."
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"


def _is_urgent(finding: Finding) -> bool:
    return finding.severity == "problem" or (bool(finding.asked) and finding.severity != "info")


def _row(column: Column, report: ColumnReport) -> tuple[str, ...]:
    counts = (str(column.n), str(column.n_missing), str(column.n_unique))
    scale = f"{report.scale} ({report.role})" if report.role else report.scale
    why = report.reason + (f"; {report.unit}: {report.unit_reason}" if report.unit else "")
    head = (seen(column.name), column.kind, seen(scale), f"{report.confidence:.2f}", seen(report.unit))
    return (*head, *counts, seen(column_values(column)), seen(why))


def column_values(column: Column) -> str:
    """The levels of a category, the range of numbers and dates."""
    if column.levels and column.kind in ("categorical", "boolean", "constant"):
        shown = ", ".join(_short(level) for level in column.levels[:_LEVELS_SHOWN])
        return shown if len(column.levels) <= _LEVELS_SHOWN else f"{shown}, …"
    if column.min is None or column.max is None:
        return ""
    low, high = (v if isinstance(v, str) else f"{v:.10g}" for v in (column.min, column.max))
    return f"{low} to {high}"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def seen(text: str) -> str:
    """A text of the data with signs that nobody sees, or that turn the text around, made visible."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


def details(finding: Finding) -> list[tuple[str, str]]:
    """What a finding says beside its message: (label, text), empty parts left out."""
    out = []
    if finding.seen:
        out.append(("seen", ", ".join(f"'{_short(text)}'" for text in finding.seen)))
    if finding.rows:
        more = ", …" if finding.count > len(finding.rows) else ""
        out.append(("rows" if len(finding.rows) > 1 else "row", ", ".join(map(str, finding.rows)) + more))
    if finding.done:
        out.append(("done", finding.done))
    if finding.asked:
        out.append(("asked", finding.asked))
    return [(label, seen(text)) for label, text in out]


def inspection_json(table: Table, inspection: Inspection) -> dict[str, Any]:
    """The page as plain JSON."""
    sheet = Sheet(table, inspection)
    reports = {report.column: report.to_dict() for report in inspection.detected}
    columns = []
    for column in table.columns:
        told = {key: value for key, value in reports[column.name].items() if key != "column"}
        columns.append({**column.to_dict(), **told})
    return {
        "name": table.name,
        "rows": table.n_rows,
        "fingerprint": table.fingerprint,
        "decisions": table.decisions.written(),
        "to_decide": [finding.to_dict() for finding in sheet.urgent],
        "columns": columns,
        "findings": [finding.to_dict() for finding in inspection.findings],
    }


# HTML --------------------------------------------------------------------------------------------------------

_STYLE = """\
:root{color-scheme:light dark;--ink:#1b1b1b;--quiet:#555;--paper:#fff;--line:#d0d0cc;--card:#f6f6f3;
--problem:#a3001b;--warning:#8a4b00;--info:#0b5394}
@media (prefers-color-scheme:dark){:root{--ink:#e8e8e4;--quiet:#b3b3ad;--paper:#161618;--line:#45454a;--card:#212124;
--problem:#ff8a94;--warning:#f5b862;--info:#8ec5ff}}
body{font:16px/1.5 system-ui,"DejaVu Sans",Verdana,sans-serif;color:var(--ink);background:var(--paper);margin:0}
main{max-width:76rem;margin:2rem auto;padding:0 1rem}h1{font-size:1.5rem;line-height:1.25;margin:0}
h2{font-size:1.2rem;margin:2rem 0 .6rem}h3{font-size:1rem;margin:1.2rem 0 .4rem}
.quiet,footer{color:var(--quiet);font-size:.85rem;overflow-wrap:anywhere}
.wide{overflow-x:auto}.wide:focus-visible{outline:2px solid var(--info)}
table{border-collapse:collapse;font-size:.88rem;min-width:100%}
caption{text-align:left;color:var(--quiet);font-size:.85rem;padding-bottom:.3rem}
th,td{padding:.3rem .9rem .3rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{border-bottom:2px solid var(--line)}tbody th{font-weight:600;overflow-wrap:anywhere;min-width:6rem}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
ul.findings{list-style:none;padding:0;margin:0}
ul.findings li{background:var(--card);border-left:4px solid var(--info);border-radius:3px;padding:.5rem .9rem;margin:.5rem 0}
li.warning{border-color:var(--warning)!important}li.problem{border-color:var(--problem)!important}
.badge{font-weight:700;color:var(--info)}.warning .badge{color:var(--warning)}.problem .badge{color:var(--problem)}
code{font-size:.85em;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 .8rem;margin:.3rem 0 0;font-size:.88rem}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}p{margin:.3rem 0}
@media print{main{max-width:none;margin:0}ul.findings li{break-inside:avoid}}
"""
_NUMBERS = ("sure", "n", "missing", "distinct")
_STAGE_NAMES: dict[Stage, str] = {
    "canonicalise": "Reading the values",
    "units": "Units",
    "detect": "Structure and scales",
    "validate": "Constraints and impossible values",
    "cleanse": "Outliers, missing values, duplicates",
    "normalise": "Shape and normal forms",
}
_MARKS: dict[Severity, str] = {"problem": "Problem", "warning": "Warning", "info": "Note"}


def inspection_html(table: Table, inspection: Inspection) -> str:
    """The whole page; nothing in it is fetched from elsewhere, and what comes from the data stays text."""
    sheet = Sheet(table, inspection)
    title = _text(f"Inspection of {table.name}")
    parts = [
        f"<header><h1>{_text(sheet.heading)}</h1><p>{_text(sheet.verdict)}</p></header>",
        _urgent_html(sheet.urgent),
        _columns_html(sheet.rows),
        _others_html(sheet),
        _footer(table),
    ]
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _text(text: str) -> str:
    return escape(seen(text))


def _prose(text: str) -> str:
    """A sentence of a finding, in which what is to be typed stands between backticks."""
    return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", _text(text))


def _urgent_html(urgent: Sequence[Finding]) -> str:
    inside = _list(urgent) if urgent else "<p>Nothing needs a decision.</p>"
    return (
        f'<section aria-labelledby="decide"><h2 id="decide">To decide, and problems</h2>\n{inside}</section>'
    )


def _columns_html(rows: Sequence[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col"{_side(name)}>{name}</th>' for name in COLUMN_HEADS)
    body = "\n".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(
            f"<td{_side(name)}>{escape(cell)}</td>" for name, cell in zip(COLUMN_HEADS[1:], rest, strict=True)
        )
        + "</tr>"
        for first, *rest in rows
    )
    caption = (
        "scale: of measurement; sure: from 0 to 1, how sure the scale is; why: the reason for scale and unit"
    )
    return (
        '<section aria-labelledby="columns"><h2 id="columns">Columns</h2>\n'
        '<div class="wide" tabindex="0" role="region" aria-labelledby="columns">'
        f"<table><caption>{caption}</caption>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div></section>"
    )


def _side(name: str) -> str:
    return ' class="number"' if name in _NUMBERS else ""


def _others_html(sheet: Sheet) -> str:
    groups = [f"<h3>{_STAGE_NAMES[stage]}</h3>\n{_list(found)}" for stage, found in sheet.others()]
    inside = "\n".join(groups) or "<p>Nothing else was found.</p>"
    return f'<section aria-labelledby="found"><h2 id="found">Other findings</h2>\n{inside}</section>'


def _list(findings: Sequence[Finding]) -> str:
    return '<ul class="findings">\n' + "\n".join(_item(finding) for finding in findings) + "\n</ul>"


def _item(finding: Finding) -> str:
    parts = "".join(f"<dt>{label}</dt><dd>{_prose(text)}</dd>" for label, text in details(finding))
    more = f"<dl>{parts}</dl>" if parts else ""
    return (
        f'<li class="{finding.severity}"><p><span class="badge">{_MARKS[finding.severity]}</span> '
        f"{_prose(finding.message)} <code>{escape(finding.code)}</code></p>{more}</li>"
    )


def _footer(table: Table) -> str:
    decided = table.decisions.written()
    told = "; ".join(f"{name}={value}" for name, value in decided.items())
    lines = f"<p>Decided: {_text(told)}.</p>" if told else ""
    return f"<footer>{lines}<p>Statistikles {escape(own_version())}; data sha256 {escape(table.fingerprint)}</p></footer>"
