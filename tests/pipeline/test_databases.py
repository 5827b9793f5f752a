"""Databases and files of statistical packages: read-only, tables named, labels and missing codes honoured."""

from __future__ import annotations

import contextlib
import datetime as dt
import sqlite3
import sys
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyreadstat
import pytest

from statistikles.errors import DataError, MissingDependency
from statistikles.pipeline import Table, load
from statistikles.pipeline.databases import without_password
from statistikles.surfaces.streams import UsageFault, data_argument
from statistikles.tools.replay import replay
from statistikles.tools.workspace import Workspace

FRAME = pd.DataFrame(
    {
        "sex": [1.0, 2.0, 9.0, 1.0, None],
        "age": [30.0, -99.0, 40.0, 50.0, 61.5],
        "mood": [0.0, 5.0, 10.0, 3.0, 7.0],
        "name": ["a", "b", "", "d", "e"],
        "born": pd.to_datetime(["2020-01-01", "2020-02-01", None, "2021-01-01", "2021-03-01"]),
    }
)
LABELS = {"sex": {1: "male", 2: "female", 9: "None"}, "mood": {0: "never", 10: "always"}}


def codes(table: Table) -> dict[str, str]:
    return {f.code: f.message for f in table.findings}


@pytest.fixture
def sav(tmp_path: Path) -> Path:
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(
        FRAME,
        str(path),
        variable_value_labels=LABELS,
        column_labels={"sex": "Sex of the person", "age": "Age in years"},
        missing_ranges={"age": [{"lo": -99, "hi": -90}]},
    )
    return path


def test_spss_labels_become_levels_and_missing_codes_are_reported(sav: Path) -> None:
    table = load(sav)
    assert table.name == "survey"
    # "None" is a label here, not a missing code.
    assert table.labels("sex").tolist() == ["male", "female", "None", "male", None]
    assert table.column("sex").levels == ("male", "female", "None")
    assert table.column("sex").level_order == "declared"
    assert table.column("sex").description == "Sex of the person"
    assert table.column("sex").to_dict()["description"] == "Sex of the person"
    assert table.numbers("age").tolist() == [30.0, None, 40.0, 50.0, 61.5]
    assert table.missing_codes["age"] == {"-99": 1}
    assert (
        "'age': 1 cells carry codes that the file declares as missing (-99: 1)."
        in codes(table)["user_missing"]
    )
    # A scale with labelled ends stays a number.
    assert table.numbers("mood").tolist() == FRAME["mood"].tolist()
    assert "0 = never, 10 = always" in codes(table)["partial_labels"]
    assert table.dtype("born") == "datetime"


def test_spss_declared_missing_codes_with_labels_are_no_level(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(FRAME[["sex"]], str(path), variable_value_labels=LABELS, missing_ranges={"sex": [9]})
    table = load(path)
    assert table.column("sex").levels == ("male", "female")
    assert table.labels("sex").tolist() == ["male", "female", None, "male", None]
    assert table.missing_codes["sex"] == {"9 (None)": 1}


def test_two_codes_with_one_label_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "t.sav"
    pyreadstat.write_sav(
        FRAME[["sex"]], str(path), variable_value_labels={"sex": {1: "yes", 2: "no", 9: "no"}}
    )
    assert load(path).column("sex").levels == ("yes", "no (2)", "no (9)")


@pytest.mark.parametrize("suffix", [".sav", ".zsav", ".dta", ".xpt", ".por"])
def test_every_package_format_gives_the_same_numbers(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"t{suffix}"
    frame = FRAME[["sex", "age"]].dropna()
    if suffix == ".zsav":
        pyreadstat.write_sav(frame, str(path), compress=True)
    else:
        writer = {".sav": "sav", ".dta": "dta", ".xpt": "xport", ".por": "por"}[suffix]
        getattr(pyreadstat, f"write_{writer}")(frame, str(path))
    table = load(path)
    named = {c.lower(): c for c in table.column_names}
    np.testing.assert_array_equal(table.numbers(named["age"]).compressed(), frame["age"])
    np.testing.assert_array_equal(table.numbers(named["sex"]).compressed(), frame["sex"])


def test_stata_labels(tmp_path: Path) -> None:
    path = tmp_path / "t.dta"
    pyreadstat.write_dta(FRAME, str(path), variable_value_labels={"sex": LABELS["sex"]})
    assert load(path).column("sex").levels == ("male", "female", "None")


@pytest.mark.parametrize("suffix", [".sav", ".dta", ".sas7bdat", ".xpt", ".por"])
def test_a_broken_package_file_is_a_clear_error(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(b"this is no such file" * 10)
    with pytest.raises(DataError, match="cannot be read") as caught:
        load(path)
    assert caught.value.code == "unreadable"


def test_without_pyreadstat_the_install_line_is_named(sav: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(MissingDependency) as caught:
        load(sav)
    assert "statistikles[stat]" in caught.value.hint


def test_without_psycopg_the_install_line_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingDependency) as caught:
        load("postgresql://localhost/nothing", table="x")
    assert "statistikles[postgres]" in caught.value.hint


# SQLite and DuckDB -----------------------------------------------------------------------------------------


@pytest.fixture
def lite(tmp_path: Path) -> Path:
    path = tmp_path / "store.db"
    with sqlite3.connect(path) as con:
        con.execute('CREATE TABLE "odd ""name" (id INTEGER, x REAL, g TEXT, b BLOB)')
        con.executemany(
            'INSERT INTO "odd ""name" VALUES (?, ?, ?, ?)',
            [(1, 1.5, "a", b"\x01"), (2, None, "b", None), (3, 2.5, "NA", b"\xff")],
        )
        con.execute("CREATE TABLE other (y INTEGER)")
        con.execute("INSERT INTO other VALUES (7)")
    con.close()
    return path


def test_sqlite_table(lite: Path) -> None:
    before = lite.read_bytes()
    table = load(lite, table='odd "name')
    assert table.name == 'odd "name'
    assert table.numbers("x").tolist() == [1.5, None, 2.5]
    assert table.labels("g").tolist() == ["a", "b", None]
    assert table.labels("b").tolist() == ["01", None, "ff"]
    assert {"binary_cells", "missing_code"} <= set(codes(table))
    assert lite.read_bytes() == before
    assert sorted(p.name for p in lite.parent.iterdir()) == ["store.db"]


def test_several_tables_must_be_told_apart(lite: Path) -> None:
    with pytest.raises(DataError) as caught:
        load(lite)
    assert caught.value.code == "which_table"
    assert "'other'" in caught.value.hint and "'odd \"name'" in caught.value.hint
    with pytest.raises(DataError) as caught:
        load(lite, table="othr")
    assert caught.value.code == "unknown_table" and "Did you mean 'other'?" in caught.value.hint
    assert load(f"{lite}#other").numbers("y").tolist() == [7.0]


def test_a_table_name_cannot_inject(lite: Path) -> None:
    with pytest.raises(DataError) as caught:
        load(lite, table='other"; DROP TABLE other; --')
    assert caught.value.code == "unknown_table"
    assert load(lite, table="other").n_rows == 1


def test_files_have_no_tables(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n")
    with pytest.raises(DataError) as caught:
        load(path, table="x")
    assert caught.value.code == "no_such_table"


def test_duckdb_file(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    con = duckdb.connect(str(path))
    con.execute("CREATE TYPE size AS ENUM ('small', 'large')")
    con.execute("CREATE TABLE t AS SELECT 1.5::DOUBLE x, 'large'::size s UNION ALL SELECT 2.5, 'small'::size")
    con.execute("CREATE SCHEMA inner_one")
    con.execute("CREATE TABLE inner_one.u AS SELECT 3 AS y")
    con.close()
    before = path.read_bytes()
    table = load(path, table="t")
    assert table.numbers("x").tolist() == [1.5, 2.5]
    assert table.column("s").levels == ("small", "large")
    assert load(path, table="inner_one.u").numbers("y").tolist() == [3.0]
    assert load(path, table="u").n_rows == 1
    with pytest.raises(DataError) as caught:
        load(path)
    assert caught.value.code == "which_table"
    assert path.read_bytes() == before


def test_a_view_of_a_duckdb_file_cannot_read_other_files(tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n42\n")
    path = tmp_path / "store.duckdb"
    con = duckdb.connect(str(path))
    con.execute(f"CREATE VIEW v AS SELECT * FROM read_csv('{secret}')")
    con.close()
    with pytest.raises(DataError) as caught:
        load(path, table="v")
    assert caught.value.code == "unreadable"


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    path.write_bytes(b"a,b\n1,2\n")
    with pytest.raises(DataError, match="neither an SQLite nor a DuckDB"):
        load(path)
    path.write_bytes(b"SQLite format 3\x00" + b"\x00" * 50)
    with pytest.raises(DataError, match="cannot be read"):
        load(path)


# Names and secrets -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:s3cret@host:5432/db", "postgresql://me@host:5432/db"),
        ("postgresql://me:p%40ss@host/db?password=s3cret#t", "postgresql://me@host/db#t"),
        ("postgresql://host/db", "postgresql://host/db"),
        ("postgresql://me:s3cret@[broken/db", "postgresql://..."),
    ],
)
def test_a_password_is_never_shown(url: str, shown: str) -> None:
    assert without_password(url) == shown


@pytest.mark.parametrize(
    "url", ["postgresql://me:s3cret@127.0.0.1:1/db", "postgresql://me:s3cret%ZZ@127.0.0.1:1/db"]
)
def test_a_failed_connection_does_not_tell_the_password(url: str) -> None:
    import traceback

    with pytest.raises(DataError) as caught:
        load(url, table="t")
    told = "".join(traceback.format_exception(caught.value)) + str(caught.value.to_dict())
    assert caught.value.code == "unreadable"
    # The line of this test that holds the URL is not part of what a user sees.
    assert "s3cret" not in told.replace(url, "")


def test_command_line_takes_urls_and_tables(lite: Path) -> None:
    assert data_argument([f"{lite}#other"]) == f"{lite}#other"
    assert data_argument(["postgresql://u@h/db?sslmode=require#t"]) == "postgresql://u@h/db?sslmode=require#t"
    assert data_argument([f"{lite}#other", f"o={lite}#other"]) == {
        "other": f"{lite}#other",
        "o": f"{lite}#other",
    }
    with pytest.raises(UsageFault):
        data_argument([f"{lite}.none#other"])


def test_a_ledger_finds_the_table_again(lite: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.jsonl"
    workspace = Workspace(f"{lite}#other", ledger=ledger)
    workspace.execute("frequency_analysis", {"data": {"column": "y"}})
    assert replay(ledger).ok


def test_dates_and_decimals_of_a_driver_become_ours() -> None:
    from decimal import Decimal

    from statistikles.pipeline.databases import _plain

    assert _plain(Decimal("12")) == 12 and isinstance(_plain(Decimal("12")), int)
    assert _plain(Decimal("1.5")) == 1.5
    assert _plain(Decimal("NaN")) is None
    assert _plain(dt.time(1, 2)) == "01:02:00"
    assert _plain(b"\x0f") == "0f"


def test_text_that_is_not_utf8_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with contextlib.closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE t (place TEXT, n INTEGER)")
        con.execute("INSERT INTO t VALUES ('Ulm', 1), (CAST(x'5AFC72696368' AS TEXT), 2)")
        con.commit()
    table = load(path)
    assert table.labels("place").tolist() == ["Ulm", "Z\N{REPLACEMENT CHARACTER}rich"]
    assert table.numbers("n").tolist() == [1, 2]
