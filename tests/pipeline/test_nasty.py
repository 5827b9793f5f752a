"""Nasty files: every doubt is found, every value is right, and no cell is changed without a finding."""

from __future__ import annotations

import csv
import datetime as dt
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.nasty.expectations import NASTY, Nasty
from statistikles.errors import DataError
from statistikles.pipeline.canonicalise import doubts
from statistikles.pipeline.canonicalise.codes import CODES
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.profile import label_of
from statistikles.pipeline.sources import load
from statistikles.pipeline.tables import Table

FILES = Path(__file__).parent / "nasty" / "files"
READABLE = [nasty for nasty in NASTY if not nasty.fails]


def read(nasty: Nasty, decisions: Any = None) -> tuple[Table, list[Finding]]:
    table = load(FILES / nasty.file, decisions=decisions)
    return table, [*table.findings, *doubts(table)]


def cells(table: Table, column: str) -> list[Any]:
    rows = table.query(f"SELECT {table.engine_column(column)[0]} FROM data ORDER BY rowid")
    return [label_of(v) if isinstance(v, bool | dt.datetime) else v for (v,) in rows]


def test_every_file_has_an_expectation() -> None:
    assert {path.name for path in FILES.iterdir()} == {nasty.file for nasty in NASTY}
    assert len(NASTY) >= 25


@pytest.mark.parametrize("nasty", READABLE, ids=lambda nasty: nasty.file)
def test_findings_and_values(nasty: Nasty) -> None:
    table, findings = read(nasty)
    assert {(f.code, f.column) for f in findings} == nasty.codes
    assert {f.code for f in findings if f.asked and f.severity != "info"} <= nasty.asks | {"footer_total"}
    assert nasty.asks <= {f.code for f in findings if f.asked}
    for column, values in nasty.values.items():
        assert cells(table, column) == values, column
    for finding in findings:
        assert finding.code in CODES and finding.stage == "canonicalise"
        assert finding.done or finding.asked or finding.seen


@pytest.mark.parametrize("nasty", [n for n in READABLE if n.decide], ids=lambda nasty: nasty.file)
def test_what_was_asked_is_settled_by_a_decision(nasty: Nasty) -> None:
    table, findings = read(nasty, nasty.decide)
    for column, values in nasty.then.items():
        assert cells(table, column) == values, column
    assert not {(f.code, f.column) for f in findings if f.asked and f.column in nasty.then} & nasty.codes


@pytest.mark.parametrize("nasty", [n for n in NASTY if n.fails], ids=lambda nasty: nasty.file)
def test_what_cannot_be_read_is_refused(nasty: Nasty) -> None:
    with pytest.raises(DataError) as refused:
        load(FILES / nasty.file)
    assert refused.value.code == nasty.fails and refused.value.hint


@pytest.mark.parametrize("nasty", [n for n in READABLE if n.file.endswith(".csv")], ids=lambda n: n.file)
def test_nothing_is_changed_silently(nasty: Nasty) -> None:
    table, findings = read(nasty)
    content = (FILES / nasty.file).read_bytes().decode(nasty.encoding)
    _, *written = [row for row in csv.reader(io.StringIO(content), delimiter=nasty.delimiter) if row]
    kept = [row for place, row in enumerate(written) if place not in nasty.gone]
    assert len(kept) == table.n_rows
    assert bool(nasty.gone) == any(f.rows and not f.column and f.done for f in findings)
    covered = {f.column for f in findings if f.done}
    for place, column in enumerate(table.column_names):
        typed = cells(table, column)
        changed = [
            (row[place], value) for row, value in zip(kept, typed, strict=True) if not same(row[place], value)
        ]
        assert not changed or column in covered, changed


def same(text: str, value: Any) -> bool:
    """Whether a typed value means what is written, read plainly: the text itself, a number, an ISO date, true."""
    if value is None:
        return text == ""
    if isinstance(value, str):
        return value in (text, text.lower())
    return float(text) == value if text.replace(".", "", 1).lstrip("-").isdecimal() else False


# Round trip --------------------------------------------------------------------------------------------------

_WORDS = st.text(alphabet="abcdefgxyzäßéž ,;\"'\n|", min_size=1, max_size=8).filter(
    lambda text: text == text.strip() and "xx" not in text
)
_COLUMNS = st.one_of(
    st.lists(st.integers(-(10**6), 10**6), min_size=4, max_size=4),
    st.lists(st.floats(-1e6, 1e6).map(lambda x: round(x, 2) + 0.001), min_size=4, max_size=4),
    st.lists(_WORDS.map("w".__add__), min_size=4, max_size=4),
    st.lists(st.dates(dt.date(1950, 1, 1), dt.date(2050, 1, 1)), min_size=4, max_size=4),
)


@settings(max_examples=150, deadline=None)
@given(
    columns=st.lists(_COLUMNS, min_size=2, max_size=4),
    delimiter=st.sampled_from(",;\t|"),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    every=st.booleans(),
)
def test_random_tables_come_back_from_random_dialects(
    columns: list[list[Any]], delimiter: str, encoding: str, newline: str, every: bool, tmp_path_factory: Any
) -> None:
    path = tmp_path_factory.mktemp("dialect") / "table.csv"
    names = [f"col{'abcd'[i]}" for i in range(len(columns))]
    comma = delimiter == ";"
    with path.open("w", encoding=encoding, newline="") as stream:
        writer = csv.writer(
            stream,
            delimiter=delimiter,
            lineterminator=newline,
            quoting=csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL,
        )
        writer.writerow(names)
        for row in zip(*columns, strict=True):
            writer.writerow([str(v).replace(".", ",") if comma and isinstance(v, float) else v for v in row])
    table = load(path)
    assert table.column_names == tuple(names)
    for name, values in zip(names, columns, strict=True):
        assert cells(table, name) == [v.isoformat() if isinstance(v, dt.date) else v for v in values]
