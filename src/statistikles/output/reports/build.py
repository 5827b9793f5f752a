"""Building a report: turns and ledger in, sections out. Every number of it stands in the ledger or in the data."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError
from statistikles.guardrail.report import AuditReport
from statistikles.output.code.languages import PYTHON, R
from statistikles.output.code.script import script
from statistikles.output.protocols import ReplyLike, audit_line, doubts_of
from statistikles.output.reports.blocks import (
    Block,
    Bullets,
    Code,
    Figure,
    Heading,
    Paragraph,
    Report,
    Section,
    Table,
    Words,
)
from statistikles.output.reports.claims import Claim, audit_claims, claim_of, records_of
from statistikles.output.reports.methods import methods_paragraphs, references, short_method, subject
from statistikles.output.stamp import Item, content_of, own_version
from statistikles.output.summary import Block as SummaryBlock
from statistikles.output.summary import heading_of, split_unit, summarise
from statistikles.results.text import format_number
from statistikles.tools.doubts import doubts_about
from statistikles.tools.workspace import DECIDE

if TYPE_CHECKING:
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.tables import Table as DataTable
    from statistikles.tools.ledger import Entry, Ledger
    from statistikles.tools.workspace import Workspace

__all__ = ["Turn", "build_report"]

_ROUNDED = "Numbers are rounded for reading; the CSV and JSON exports carry every digit."
_LEVELS_SHOWN = 8
_MOST_FIGURES = 12
_LABELS = {
    "r squared": "R²",
    "adj r squared": "adjusted R²",
    "residual std error": "residual SE",
    "std error": "SE",
    "std dev": "SD",
    "aic": "AIC",
    "bic": "BIC",
    "iqr": "IQR",
    "mad": "MAD",
}
_A_TEST = re.compile(r"\.also\..*\.p_value$|\.also\[.*\.p_value$")  # where the p of another test stands
_MOST_COLUMNS = 20
_KINDS = {
    "citation": "in citations",
    "convention": "conventions",
    "user": "from the question",
    "structural": "structural, such as a version",
    "false_inequality": "false inequality",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its reply."""

    question: str
    reply: ReplyLike


def build_report(workspace: Workspace, turns: Sequence[Turn] = (), *, title: str = "") -> Report:
    """The report over everything in the ledger of a workspace.

    Parameters
    ----------
    workspace : the tables and the ledger.
    turns : the questions with their replies, when there were any.
    title : heading of the report; the question, or a general one, when empty.
    """
    items = content_of(workspace.ledger).items
    entries = list(workspace.ledger)
    figures = _figures(workspace, turns)  # what they need beyond the results joins the ledger
    tables = list((workspace.catalog or {}).values())
    # Decisions compute nothing: the methods name them, and the findings say what they did.
    doubts = doubts_about(workspace.catalog, [e.record() for e in entries if e.tool != DECIDE])
    results = [list(_result(item)) if item.tool != DECIDE else [] for item in items]
    drawn = [block for blocks in results for block in blocks]
    if drawn:
        drawn.append(Paragraph(_ROUNDED, quiet=True))
    sections = [
        *([_answers(turns)] if turns else []),
        Section("Methods", tuple(Paragraph(text) for text in methods_paragraphs(items))),
        Section("Results", (*drawn, *figures)),
        Section("Data", tuple(_data(tables))),
        Section("Findings while reading the data", tuple(_findings(tables, doubts))),
        Section("Limits", tuple(_limits(items, turns, _open(workspace, doubts)))),
    ]
    sections = [section for section in sections if section.blocks]
    claims = _claims(sections, results, turns, records_of(workspace, entries))
    checked = audit_claims(claims)
    sections += _apparatus(items, entries, workspace)
    return Report(
        title or (turns[0].question if len(turns) == 1 else "Report of an analysis"),
        _subtitle(items, tables),
        (*sections[: 1 if turns else 0], _audit_section(checked, turns), *sections[1 if turns else 0 :]),
        checked,
        tuple(claims),
    )


def _subtitle(items: Sequence[Item], tables: Sequence[DataTable]) -> str:
    names = ", ".join(table.name for table in tables)
    date = items[-1].stamp.time[:10] if items else ""
    return "; ".join(
        part for part in (f"Data: {names}" if names else "", date, f"Statistikles {own_version()}") if part
    )


def _answers(turns: Sequence[Turn]) -> Section:
    blocks: list[Block] = []
    for turn in turns:
        if len(turns) > 1:
            blocks.append(Heading(turn.question))
        blocks += [Paragraph(doubt, grave=True) for doubt in doubts_of(turn.reply)]
        blocks.append(Words(turn.reply.text, turn.reply.audit))
    return Section("Answer" if len(turns) == 1 else "Answers", tuple(blocks))


def _warnings(turns: Sequence[Turn]) -> Iterator[Block]:
    """What the audit found, in the words that stood below the reply."""
    for turn in turns:
        if turn.reply.warning:
            yield Paragraph(turn.reply.warning, grave=True)


def _audit_section(checked: AuditReport, turns: Sequence[Turn]) -> Section:
    """How many numbers there are and where each comes from; counts of the audit itself, not of the data."""
    blocks: list[Block] = list(_warnings(turns))
    for turn in turns:
        name = f"“{turn.question}”: " if len(turns) > 1 else "Answer: "
        blocks.append(Paragraph(name + audit_line(turn.reply.audit).removeprefix("Audit: ") + "."))
    counted: dict[str, int] = {}
    for span in checked.spans:
        counted[span.verdict] = counted.get(span.verdict, 0) + 1
    kinds = ", ".join(f"{count} {_KINDS.get(verdict, verdict)}" for verdict, count in sorted(counted.items()))
    numbers, flagged = checked.coverage.numbers, len(checked.flagged)
    traced = (
        "every one is traced to a result, the data or a convention"
        if not flagged
        else f"{flagged} could not be traced"
    )
    blocks.append(
        Paragraph(
            f"Whole report (answer, methods, results and limits): {numbers} numbers; {traced} ({kinds}). "
            "Data, findings, references, code and provenance are not audited: they are the profile of the file, names, "
            "scripts that can be run, and marks."
        )
    )
    blocks += [
        Paragraph(f"{' '.join(span.text.split())}: {span.reason}", grave=True)
        for span in checked.flagged[:20]
    ]
    return Section("Audit", tuple(blocks))


# Results ---------------------------------------------------------------------------------------------------


def _result(item: Item) -> Iterator[Block]:
    """One result: its numbers in a sentence or a table, the tests beside it, its tables and cautions."""
    summary = summarise(item.result, item.id)
    about = subject(item)
    yield Heading(f"{item.id}: {summary.title}" + (f" ({about})" if about else ""))
    if summary.failed:
        yield Paragraph("This call was refused; no number was produced.", grave=True)
    if summary.leading and "p_value" in item.result:
        beside = [row for row in summary.leading if _A_TEST.search(row[2])]
        yield Paragraph(_sentence([row for row in summary.leading if row not in beside]))
        if beside:
            yield Bullets(tuple(_beside(item, beside)))
    elif summary.leading:
        listed = tuple((_label(name), value) for name, value, _ in summary.leading)
        yield Table("Quantities", ("quantity", "value"), listed)
    crossed = _cross_table(item.result)
    yield from crossed
    for block in summary.blocks:
        if crossed and block.address == f"{item.id}.groups":
            continue  # the numbers of the rows stand in the cross table
        inside = _rows_at(item.result, block, item.id)
        columns = _without_errors(block.columns)
        heads = _heads([block.columns[i] for i in columns], inside, item.result)
        rows = tuple(tuple(row[i] for i in columns) for row in block.rows)
        note = "Further rows are in the CSV and JSON exports." if block.left_out else ""
        yield Table(_caption(inside, block), heads, rows, note)
    for caution in summary.cautions:
        yield Paragraph(caution, grave=True)


def _cross_table(result: Mapping[str, Any]) -> list[Table]:
    """The counts that a test of a table is about, each with its share of the row."""
    details = result.get("details")
    observed = details.get("observed") if isinstance(details, Mapping) else None
    shares = details.get("row_proportions") if isinstance(details, Mapping) else None
    if not isinstance(observed, Mapping) or not isinstance(shares, Mapping):
        return []
    columns = list(next(iter(observed.values())))
    if len(columns) > _MOST_COLUMNS:
        return []
    groups = result.get("groups") or {}
    rows = []
    for name, counts in observed.items():
        cells = []
        for column in columns:
            share = (shares.get(name) or {}).get(column)
            behind = f" ({100 * share:.1f}%)" if share is not None else ""
            cells.append(f"{format_number(counts[column])}{behind}")
        n = (groups.get(name) or {}).get("n")
        rows.append((name, *cells, "" if n is None else format_number(n)))
    totals = details.get("column_totals") or {} if isinstance(details, Mapping) else {}
    if totals:
        rows.append(("all", *(format_number(totals[c]) for c in columns), format_number(result["n"])))
    return [Table("Observed counts (percentages of the row)", ("", *columns, "n"), tuple(rows))]


def _figures(workspace: Workspace, turns: Sequence[Turn]) -> list[Figure]:
    """The pictures of the results, when the library that draws them is installed."""
    if find_spec("matplotlib") is None:
        return []
    from statistikles.output.pictures import pictures_of_turn

    made = [turn.reply.results for turn in turns] or [[entry.record() for entry in workspace.ledger]]
    pictures = [picture for records in made for picture in pictures_of_turn(records, workspace)]
    return [
        Figure(picture.svg(), picture.png(), f"Figure {place}. {picture.title}", str(picture.description))
        for place, picture in enumerate(pictures[:_MOST_FIGURES], 1)
    ]


def _title(text: str) -> str:
    return text[:1].upper() + text[1:] if text[:1].isascii() else text


def _label(name: str) -> str:
    """A quantity as a paper calls it: 'r squared' -> 'R²'."""
    return _LABELS.get(name, name)


def _sentence(leading: Sequence[tuple[str, str, str]]) -> str:
    """The leading numbers as a paper writes them: 'F(2, 339) = 343.63; p < .001; η² = 0.67, 95% CI [0.62, 0.71]'."""
    parts = []
    for name, value, _ in leading:
        label = _label(name)
        if value.startswith(("<", ">", "[")):
            parts.append(f"{label} {value}")
        else:
            parts.append(f"{label} = {value}")
    return "; ".join(parts) + "."


def _without_errors(columns: Sequence[str]) -> list[int]:
    """The columns of a table of groups; the standard error goes where the standard deviation and n say it."""
    heads = [heading_of(column).split(" (")[0] for column in columns]
    redundant = {"n", "SD", "SE"} <= set(heads)
    return [i for i, head in enumerate(heads) if not (redundant and head == "SE")]


def _beside(item: Item, rows: Sequence[tuple[str, str, str]]) -> Iterator[str]:
    """The other tests of the result, under the names they give themselves; the leading one is not repeated."""
    for name, value, address in rows:
        test = _part_at(item.result, address.removeprefix(item.id).removesuffix(".p_value"))
        method = str(test.get("method", "")) if isinstance(test, Mapping) else ""
        if not method or not str(item.result.get("method", "")).startswith(method):
            yield f"{short_method(method) or _title(_label(name))}: {value}"


def _part_at(result: Mapping[str, Any], address: str) -> Any:
    """The part of a result at an address."""
    place: Any = result
    for key in re.findall(r'\.(\w+)|\["([^"]*)"\]', address):
        place = place.get(key[0] or key[1], {}) if isinstance(place, Mapping) else {}
    return place


def _rows_at(result: Mapping[str, Any], block: SummaryBlock, ident: str) -> list[Mapping[str, Any]]:
    """The rows of a table as they stand in the result."""
    place = _part_at(result, block.address.removeprefix(ident))
    rows = place.values() if isinstance(place, Mapping) else place
    return [row for row in rows if isinstance(row, Mapping)]


def _caption(rows: Sequence[Mapping[str, Any]], block: SummaryBlock) -> str:
    """What a table shows: the method that all its rows share, else the words of its place in the result."""
    methods = {str(row.get("method", "")) for row in rows}
    shared = methods.pop() if len(methods) == 1 else ""
    return _title(shared or block.title.replace("post hoc ", "pairwise comparisons: "))


def _heads(
    columns: Sequence[str], rows: Sequence[Mapping[str, Any]], result: Mapping[str, Any]
) -> tuple[str, ...]:
    """The headings of a table: the statistic under its own name, the interval with its level."""
    named = {str(row["statistic_name"]) for row in rows if row.get("statistic_name")}
    statistic = named.pop() if len(named) == 1 else _ratio_name(rows)
    level = result.get("conf_level")
    own = {"statistic": statistic} if statistic else {}
    if isinstance(level, float):
        own["interval"] = f"{format_number(100 * level)}% CI"
    heads = []
    for column in columns:
        name, unit = split_unit(column)
        heads.append(own[name] + unit if name in own else heading_of(column))
    return tuple(heads)


def _ratio_name(rows: Sequence[Mapping[str, Any]]) -> str:
    """'t' or 'z' where every statistic is the estimate over its standard error, else nothing."""
    tested = [row for row in rows if row.get("statistic") is not None]
    for row in tested:
        estimate, error = row.get("estimate"), row.get("std_error")
        if not estimate or not error or not math.isclose(row["statistic"], estimate / error, rel_tol=1e-6):
            return ""
    return "" if not tested else "t" if all("df" in row for row in tested) else "z"


# Data and limits -------------------------------------------------------------------------------------------


def _data(tables: Sequence[DataTable]) -> Iterator[Block]:
    for table in tables:
        yield Paragraph(f"Table {table.name}: rows = {table.n_rows}, columns = {len(table.columns)}.")
        rows = []
        for column in table.columns:
            rows.append((column.name, column.kind, str(column.n), str(column.n_missing), _values(column)))
        heads = ("column", "kind", "n", "missing", "values")
        yield Table(f"Columns of {table.name}", heads, tuple(rows), words=frozenset({0, 1, 4}))


def _findings(tables: Sequence[DataTable], doubts: Sequence[Finding]) -> Iterator[Block]:
    """What the reading of the tables noticed, in its own words."""
    found = [finding for table in tables for finding in table.findings]
    if found or doubts:
        # What is open about the columns that were used comes first.
        yield Bullets(tuple(_finding(finding) for finding in dict.fromkeys([*doubts, *found])))


def _values(column: Any) -> str:
    if column.levels and column.kind in ("categorical", "boolean", "constant"):
        more = ", …" if len(column.levels) > _LEVELS_SHOWN else ""
        return ", ".join(column.levels[:_LEVELS_SHOWN]) + more
    if column.min is None or column.max is None:
        return ""
    low, high = (v if isinstance(v, str) else f"{v:.10g}".replace("-", "−") for v in (column.min, column.max))
    return f"{low} to {high}"


def _finding(finding: Any) -> str:
    where = f"{finding.column}: " if finding.column else ""
    mark = "Problem: " if finding.severity == "problem" else ""
    parts = [
        mark + where + finding.message,
        finding.done and f"Done: {finding.done}",
        finding.asked and f"To decide: {finding.asked}",
    ]
    return " ".join(part for part in parts if part)


def _changed_tables(workspace: Workspace) -> list[str]:
    """The tables that are no longer what the ledger's numbers were computed from."""
    now = workspace.fingerprints()
    return sorted({t for e in workspace.ledger for t, mark in e.data.items() if now.get(t) != mark})


def _open(workspace: Workspace, doubts: Sequence[Finding]) -> list[str]:
    """What is wrong with the data that the numbers rest on."""
    texts = [
        f"The table {name} has changed since, or is not the one given: the numbers were computed from the former one."
        for name in _changed_tables(workspace)
    ]
    # Without the figures: those stand in the findings, which say what was seen in the data.
    texts += [
        f"What rests on '{name}' may be wrong: a finding while reading the data is not decided."
        for name in dict.fromkeys(finding.column for finding in doubts if finding.column)
    ]
    return texts


def _limits(items: Sequence[Item], turns: Sequence[Turn], opened: Sequence[str]) -> Iterator[Block]:
    texts = list(opened)
    texts += [str(w) for item in items for w in item.result.get("warnings", ())]
    tests = [i for i in items if i.result.get("p_value") is not None and i.tool != "test_assumptions"]
    if len(tests) > 1:
        texts.append("The p values of the different tests of this report were not adjusted for one another.")
    if any(not turn.reply.audit.ok for turn in turns):
        texts.append(
            "The audit flagged parts of an answer; they are marked there and rest on no computation."
        )
    texts.append("A test that finds no clear difference does not show that there is none.")
    texts.append(
        "Observed data show association; they show cause only where the design of the study allows it."
    )
    yield Bullets(tuple(dict.fromkeys(texts)))


# The audit of the report itself ----------------------------------------------------------------------------


def _claims(
    sections: Sequence[Section],
    results: Sequence[Sequence[Block]],
    turns: Sequence[Turn],
    records: Sequence[Mapping[str, Any]],
) -> list[Claim]:
    """What the report says of the data, part by part: an answer against its turn, a result against itself."""
    named = {section.title: section.blocks for section in sections}
    said = "\n".join(turn.question for turn in turns)
    claims = [
        claim_of((Words(turn.reply.text, turn.reply.audit),), turn.reply.results, turn.question)
        for turn in turns
    ]
    claims += [claim_of(named[title], records, said) for title in ("Methods",) if title in named]
    claims += [claim_of(blocks, [record], said) for blocks, record in zip(results, records, strict=False)]
    claims += [claim_of(named[title], records, said) for title in ("Limits",) if title in named]
    return claims


# References and provenance ---------------------------------------------------------------------------------


def _apparatus(items: Sequence[Item], entries: Sequence[Entry], workspace: Workspace) -> list[Section]:
    conventions = [
        (item.id, str(c)) for item in items for c in item.result.get("conventions", ()) if not item.failed
    ]
    out = []
    if conventions:
        shared: dict[str, list[str]] = {}
        for ident, text in conventions:
            shared.setdefault(text, []).append(ident)
        lines = tuple(f"{text} ({', '.join(dict.fromkeys(ids))})" for text, ids in shared.items())
        out.append(Section("Conventions", (Bullets(lines),)))
    if refs := references(item for item in items if not item.failed):
        out.append(Section("References", (Bullets(tuple(refs)),)))
    if any(not item.failed for item in items):
        out.append(Section("Code", tuple(_code(workspace, entries))))
    out.append(
        Section("Provenance", tuple(_provenance(content_of(workspace.ledger).items, workspace.ledger)))
    )
    return out


def _code(workspace: Workspace, entries: Sequence[Entry]) -> Iterator[Block]:
    """The scripts that compute the numbers again, or why there is none."""
    yield Paragraph("Each script prints the address and the value of every number it computes again.")
    for language in (R, PYTHON):
        try:
            yield Code(language.name, script(workspace, language, entries))
        except DataError as error:
            yield Paragraph(f"{language.name}: {error.message} {error.hint}")


def _provenance(items: Sequence[Item], ledger: Ledger) -> Iterator[Block]:
    rows = tuple(
        (
            item.id,
            item.tool,
            item.stamp.time,
            "none" if item.stamp.seed is None else str(item.stamp.seed),
            item.stamp.entry_hash[:16] + "…",
        )
        for item in items
    )
    yield Table("Ledger", ("id", "tool", "computed", "seed", "hash"), rows, words=frozenset(range(5)))
    data: Mapping[str, str] = items[-1].stamp.data if items else {}
    yield Bullets(
        (
            *(f"Table {name}: fingerprint sha256 {mark}" for name, mark in data.items()),
            *(f"Table {name}: read from {source}" for name, source in ledger.sources.items()),
            *(
                f"{name} {version}"
                for name, version in (items[-1].stamp.versions if items else {}).items()
                if name != "statistikles"
            ),
            f"Statistikles {own_version()}; the ledger can be recomputed with: statistikles replay LEDGER",
        )
    )
