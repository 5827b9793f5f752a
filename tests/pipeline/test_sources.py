"""Loading: every format gives the same table, and every bad file a clear typed error."""

from __future__ import annotations

import csv
import datetime as dt
import gzip
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles.errors import DataError, InputError, StatistiklesError
from statistikles.pipeline import Table, load

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def values(table: Table, name: str) -> list[object]:
    return table.numbers(name).tolist()


def codes(table: Table) -> set[str]:
    return {finding.code for finding in table.findings}


@pytest.fixture(scope="module")
def penguins() -> Table:
    return load(PENGUINS)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return pd.read_csv(PENGUINS)


def test_penguins_agree_with_pandas(penguins: Table, frame: pd.DataFrame) -> None:
    assert penguins.n_rows == len(frame) == 344
    assert penguins.column_names == tuple(frame.columns)
    for name in frame.columns:
        column = penguins.column(name)
        assert column.n == int(frame[name].count())
        assert column.n_unique == frame[name].nunique()
        if column.kind == "numeric":
            present = frame[name].dropna().to_numpy(dtype=float)
            np.testing.assert_array_equal(penguins.numbers(name).compressed(), present)
            np.testing.assert_array_equal(penguins.numbers(name).mask, frame[name].isna().to_numpy())
    assert penguins.missing_codes["sex"] == {"NA": 11}
    assert penguins.column("species").levels == ("Adelie", "Chinstrap", "Gentoo")


def write_as(kind: str, frame: pd.DataFrame, path: Path) -> Path:
    target = path / f"penguins.{kind}"
    if kind == "csv":
        frame.to_csv(target, index=False)
    elif kind == "tsv":
        frame.to_csv(target, index=False, sep="\t")
    elif kind == "csv.gz":
        with gzip.open(target, "wt", encoding="utf-8") as out:
            out.write(frame.to_csv(index=False))
    elif kind == "parquet":
        frame.to_parquet(target)
    elif kind in ("feather", "arrow"):
        frame.to_feather(target)
    elif kind == "jsonl":
        frame.to_json(target, orient="records", lines=True)
    elif kind == "json":
        frame.to_json(target, orient="records")
    elif kind == "xlsx":
        frame.to_excel(target, index=False, engine="xlsxwriter")
    return target


@pytest.mark.parametrize(
    "kind", ["csv", "tsv", "csv.gz", "parquet", "feather", "arrow", "jsonl", "json", "xlsx"]
)
def test_every_file_format_gives_the_same_table(
    kind: str, frame: pd.DataFrame, penguins: Table, tmp_path: Path
) -> None:
    table = load(write_as(kind, frame, tmp_path))
    assert table.name == "penguins"
    assert table.fingerprint == penguins.fingerprint
    assert [c.kind for c in table.columns] == [c.kind for c in penguins.columns]


def frames() -> dict[str, object]:
    import duckdb

    base = pd.read_csv(PENGUINS)
    polars = pl.read_csv(PENGUINS, null_values="NA")
    return {
        "pandas": base,
        "pandas nullable": base.convert_dtypes(),
        "polars": polars,
        "polars lazy": polars.lazy(),
        "polars text": pl.read_csv(PENGUINS),
        "arrow": polars.to_arrow(),
        "duckdb": duckdb.connect().sql(f"SELECT * FROM read_csv('{PENGUINS}', nullstr='NA')"),
        "mapping": {name: polars[name].to_list() for name in polars.columns},
    }


@pytest.mark.parametrize("kind", list(frames()))
def test_every_frame_gives_the_same_table(kind: str, penguins: Table) -> None:
    assert load(frames()[kind]).fingerprint == penguins.fingerprint


def test_fingerprint_sees_content_and_order(frame: pd.DataFrame, penguins: Table) -> None:
    changed = frame.copy()
    changed.loc[3, "year"] = 2010
    assert load(changed).fingerprint != penguins.fingerprint
    assert load(frame.iloc[::-1]).fingerprint != penguins.fingerprint
    assert load(frame.rename(columns={"year": "Year"})).fingerprint != penguins.fingerprint


def test_fingerprint_tells_missing_from_empty_neighbours() -> None:
    assert load({"a": ["x", None, "y"]}).fingerprint != load({"a": ["x", "y", None]}).fingerprint
    assert load({"a": ["ab", "c"]}).fingerprint != load({"a": ["a", "bc"]}).fingerprint


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "latin-1", "cp1252"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    text = "größe,Straße\n1.5,Köln\n2.5,Düsseldorf\n3.5,Köln\n"
    table = load(write(tmp_path / "t.csv", text, encoding))
    assert table.column_names == ("größe", "Straße")
    assert table.labels("Straße").tolist() == ["Köln", "Düsseldorf", "Köln"]
    assert ("encoding" in codes(table)) is (not encoding.startswith("utf-8"))


def test_windows_text_has_its_euro_sign_and_quotes(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.csv", "price,what\n1,5 €\n2,“ten” €\n", "cp1252"))
    assert table.labels("what").tolist() == ["5 €", "“ten” €"]


def test_cyrillic_text_is_recognised(tmp_path: Path) -> None:
    words = ["Москва", "Санкт-Петербург", "Новосибирск", "Екатеринбург", "Казань", "Нижний Новгород"]
    text = "город,население\n" + "".join(f"{w},{i}\n" for i, w in enumerate(words * 4))
    table = load(write(tmp_path / "t.csv", text, "cp1251"))
    assert table.labels("город").tolist() == words * 4


def test_latin1_far_down_a_long_file(tmp_path: Path) -> None:
    lines = "".join(f"{i},plain\n" for i in range(40_000))
    table = load(write(tmp_path / "t.csv", "n,word\n" + lines + "1,Köln\n", "latin-1"))
    assert table.n_rows == 40_001
    assert table.labels("word")[-1] == "Köln"


def test_german_excel_csv(tmp_path: Path) -> None:
    text = "Name;Größe (m);Gehalt;Anteil\r\nAnna;1,72;1.234,50;0,5\r\n"
    text += "Bert;1,85;12.345,00;0,25\r\nCleo;1,6;980,5;1\r\n"
    table = load(write(tmp_path / "t.csv", text, "cp1252"))
    assert values(table, "Größe (m)") == [1.72, 1.85, 1.6]
    assert values(table, "Gehalt") == [1234.5, 12345.0, 980.5]
    assert values(table, "Anteil") == [0.5, 0.25, 1.0]
    assert {"decimal_comma", "thousands_separator"} <= codes(table)


def test_decimal_comma_in_quotes_in_a_comma_file(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.csv", 'a,b\n"1,5",x\n"2,25",y\n'))
    assert values(table, "a") == [1.5, 2.25]
    assert "decimal_comma" in codes(table)


@pytest.mark.parametrize(
    ("text", "expected", "code"),
    [
        ('a,b\n"1,234",2.5\n"12,345",3.5\n', [1234.0, 12345.0], "ambiguous_number"),
        ("a;b\n1,234;2,5\n12,345;3,5\n", [1.234, 12.345], "ambiguous_number"),
        ("a;b\n1.234;2,5\n12.345;3,5\n", [1234.0, 12345.0], "ambiguous_number"),
        ('a,b\n"1,234,567",2.5\n"12",3.5\n', [1234567.0, 12.0], "thousands_separator"),
        ("a;b\n1 234,5;x\n12 345,5;y\n", [1234.5, 12345.5], "thousands_separator"),
        ("a;b\n1'234.5;x\n12'345.5;y\n", [1234.5, 12345.5], "thousands_separator"),
    ],
)
def test_thousands_and_decimal_marks_are_decided_and_told(
    text: str, expected: list[float], code: str, tmp_path: Path
) -> None:
    table = load(write(tmp_path / "t.csv", text))
    assert values(table, "a") == expected
    assert code in codes(table)


def test_plain_three_decimals_are_not_thousands(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.csv", "a,b\n1.234,x\n2.345,y\n"))
    assert values(table, "a") == [1.234, 2.345]
    assert codes(table) == set()


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_and_quoting(delimiter: str, tmp_path: Path) -> None:
    rows = [["id", "say", "n"], ["1", f'"a {delimiter} ""b"" c"', "2.5"], ["2", '"two\nlines"', "3.5"]]
    text = "\n".join(delimiter.join(row) for row in rows) + "\n"
    table = load(write(tmp_path / "t.csv", text))
    assert table.labels("say").tolist() == [f'a {delimiter} "b" c', "two\nlines"]
    assert values(table, "n") == [2.5, 3.5]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_blank_lines(end: str, tmp_path: Path) -> None:
    text = end.join(["", "a,b", "1,2", "", "3,4", ""])
    table = load(write(tmp_path / "t.csv", text))
    assert values(table, "a") == [1, 3]
    assert values(table, "b") == [2, 4]


def test_mixed_line_ends(tmp_path: Path) -> None:
    assert values(load(write(tmp_path / "t.csv", "a,b\r\n1,2\n3,4\r\n5,6\n")), "b") == [2, 4, 6]


def test_excel_sep_line_and_title_lines(tmp_path: Path) -> None:
    assert values(load(write(tmp_path / "s.csv", "sep=;\r\na;b\r\n1;2\r\n")), "b") == [2]
    table = load(write(tmp_path / "t.csv", "My study,,\n\na,b,c\n1,2,3\n4,5,6\n"))
    assert values(table, "c") == [3, 6]
    assert "title_lines" in codes(table)


def test_missing_codes_are_counted(tmp_path: Path) -> None:
    text = "x,g\n1,a\nNA,b\n.,a\n,NULL\nNaN,N/A\n3.5,None\n"
    table = load(write(tmp_path / "t.csv", text))
    assert table.missing_codes == {
        "x": {"": 1, ".": 1, "NA": 1, "NaN": 1},
        "g": {"N/A": 1, "NULL": 1, "None": 1},
    }
    assert values(table, "x") == [1.0, None, None, None, None, 3.5]
    assert table.column("g").levels == ("a", "b")
    assert "missing_code" in codes(table)


def test_lower_case_none_is_a_category(tmp_path: Path) -> None:
    assert load(write(tmp_path / "t.csv", "g\nnone\nsome\nnone\n")).column("g").levels == ("none", "some")


def test_types(tmp_path: Path) -> None:
    text = (
        "i,f,b,t,d,z,code,long\n"
        "1,1e-3,TRUE,red,2024-02-29,2024-05-01T12:00:00+02:00,007,12345678901234567890\n"
        "-2,.5,FALSE,blue,2023-12-31,2024-05-01T12:00:00Z,042,22345678901234567890\n"
        "3,-4.,TRUE,red,2024-01-01,2024-05-02T00:30:00Z,100,32345678901234567890\n"
    )
    table = load(write(tmp_path / "t.csv", text))
    assert [table.dtype(n) for n in table.column_names] == [
        "integer", "float", "boolean", "text", "datetime", "datetime", "text", "text",
    ]  # fmt: skip
    assert values(table, "f") == [0.001, 0.5, -4.0]
    assert values(table, "b") == [1.0, 0.0, 1.0]
    assert table.labels("d").tolist() == ["2024-02-29", "2023-12-31", "2024-01-01"]
    assert table.labels("z").tolist()[:2] == ["2024-05-01 10:00:00", "2024-05-01 12:00:00"]
    assert table.labels("code").tolist() == ["007", "042", "100"]
    assert {"leading_zeros", "huge_integers", "time_zone"} <= codes(table)


def test_impossible_dates_stay_text(tmp_path: Path) -> None:
    assert load(write(tmp_path / "t.csv", "d\n2024-02-30\n2024-01-01\n")).dtype("d") == "text"


def test_a_contradiction_far_down_changes_the_type(tmp_path: Path) -> None:
    head = "a,b,c,d\n" + "".join(f"{i},{i},{i},\n" for i in range(10_000))
    table = load(write(tmp_path / "t.csv", head + "1.5,oops,007,3\n"))
    assert [table.dtype(n) for n in "abcd"] == ["float", "text", "text", "integer"]
    assert values(table, "a")[-1] == 1.5
    assert table.labels("c")[-1] == "007"
    assert {"numbers_and_text", "leading_zeros"} <= codes(table)


def test_infinite_values_are_refused_where_numbers_are_used(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.csv", "x\n1\ninf\n2.5\n"))
    assert table.dtype("x") == "float"
    assert table.column("x").max == 2.5
    with pytest.raises(InputError, match="infinite"):
        table.numbers("x")
    assert table.numbers("x", "x < 1e300").tolist() == [1.0, 2.5]


def test_headers_are_made_unique_and_told(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.csv", "a,a,,a_2, b \n1,2,3,4,5\n"))
    assert table.column_names == ("a", "a_3", "column3", "a_2", "b")
    assert {"duplicate_header", "blank_header", "header_blanks"} <= codes(table)


def test_numeric_first_row_is_data(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.csv", "1,2\n3,4\n"))
    assert table.column_names == ("column1", "column2")
    assert values(table, "column2") == [2, 4]
    assert "no_header" in codes(table)


def test_unicode_and_blanks_in_names_and_a_hostile_header(tmp_path: Path) -> None:
    hostile = "x'); DROP TABLE data; --"
    table = load(write(tmp_path / "t.csv", f'"math score",体重 kg,"{hostile}","q""q"\n1,2,3,4\n5,6,7,8\n'))
    assert table.column_names == ("math score", "体重 kg", hostile, 'q"q')
    assert values(table, "体重 kg") == [2, 6]
    assert table.numbers(hostile, f'"{hostile}" > 3 and "q""q" = 8').tolist() == [7]


def test_two_hundred_columns(tmp_path: Path) -> None:
    names = [f"v{i}" for i in range(200)]
    text = (
        ",".join(names) + "\n" + "".join(",".join(str(i * j) for i in range(200)) + "\n" for j in range(30))
    )
    table = load(write(tmp_path / "t.csv", text))
    assert len(table.columns) == 200
    assert values(table, "v199")[:3] == [0, 199, 398]


def test_all_missing_column(tmp_path: Path) -> None:
    table = load(write(tmp_path / "t.csv", "a,b\n1,NA\n2,\n"))
    column = table.column("b")
    assert (column.n, column.n_missing, column.n_unique, column.kind) == (0, 2, 0, "constant")
    with pytest.raises(InputError, match="no values"):
        table.numbers("b")


def test_brackets_and_stars_in_a_file_name(tmp_path: Path) -> None:
    write(tmp_path / "d1.csv", "a\n9\n")
    assert values(load(write(tmp_path / "d[1].csv", "a,b\n1,2\n")), "a") == [1]
    assert values(load(write(tmp_path / "d'q*.csv", "a,b\n3,2\n")), "a") == [3]


def test_trailing_empty_cells_are_left_out_and_told(tmp_path: Path) -> None:
    assert values(load(write(tmp_path / "s.csv", "a,b\n1,2,\n3,4,\n")), "b") == [2, 4]
    table = load(write(tmp_path / "t.csv", "a,b\n1,2, \n3,4, \n"))
    assert values(table, "b") == [2, 4]
    assert "extra_cells" in codes(table)


# --- refusals ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("t.csv", b"", "empty_file"),
        ("t.csv", b"\n\n  \n", "empty_file"),
        ("t.csv", b"\xef\xbb\xbf", "empty_file"),
        ("t.csv", b"a,b\n", "header_only"),
        ("t.csv", b"a,b\n1,2\n3\n", "ragged_rows"),
        ("t.csv", b"a,b\n1,2\n3,4,5\n", "ragged_rows"),
        ("t.csv", bytes(range(256)) * 20, "binary_file"),
        ("t.csv", b"PK\x03\x04 rest of a workbook", "binary_file"),
        ("t.csv", b"PAR1" + bytes(50), "binary_file"),
        ("t.foo", b"a,b\n1,2\n", "unknown_extension"),
        ("noextension", b"a,b\n1,2\n", "unknown_extension"),
        ("t.xlsx", b"not a workbook", "unreadable"),
        ("t.ods", b"PK\x03\x04 broken", "unreadable"),
        ("t.parquet", b"PAR1 broken", "unreadable"),
        ("t.feather", b"ARROW1 broken", "unreadable"),
        ("t.csv.gz", b"not gzip", "unreadable"),
        ("t.json", b"{", "unreadable"),
        ("t.json", b"[1, 2]", "unreadable"),
        ("t.json", b"[" * 100_000, "unreadable"),
        ("t.json", b"[]", "unreadable"),
        ("t.jsonl", b'{"a": 1}\n{"a": \n', "unreadable"),
        ("t.json", b'{"a": [1, 2], "b": [1]}', "ragged_rows"),
        ("t.json", b"[{}]", "empty_file"),
    ],
)
def test_bad_files(name: str, content: bytes, code: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(DataError) as caught:
        load(path)
    assert caught.value.code == code
    assert caught.value.message.endswith((".", "!"))


def test_ragged_row_names_its_line(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", 'a,b\n"x\ny",2\n\n3,4\n5,6,7\n')
    with pytest.raises(DataError, match=r"Line 6 .* has 3 fields where 2"):
        load(path)


def test_missing_file_suggests_a_neighbour(tmp_path: Path) -> None:
    write(tmp_path / "penguins.csv", "a\n1\n")
    with pytest.raises(DataError) as caught:
        load(tmp_path / "pengiuns.csv")
    assert caught.value.code == "file_not_found"
    assert "penguins.csv" in caught.value.hint
    with pytest.raises(DataError) as caught:
        load(tmp_path / "penguins.parquet")
    assert "penguins.csv" in caught.value.hint
    with pytest.raises(DataError, match="no file"):
        load(tmp_path / "nowhere" / "x.csv")


def test_a_folder_and_strange_paths(tmp_path: Path) -> None:
    write(tmp_path / "inside.csv", "a\n1\n")
    with pytest.raises(DataError) as caught:
        load(tmp_path)
    assert (caught.value.code, "inside.csv" in caught.value.hint) == ("is_directory", True)
    for path in ("", "a\x00b.csv", "x" * 5000 + ".csv"):
        with pytest.raises(DataError):
            load(path)


def test_no_network_and_no_glob_paths() -> None:
    for path in ("https://example.org/x.csv", "s3://bucket/x.parquet", "*.csv"):
        with pytest.raises(DataError) as caught:
            load(path)
        assert caught.value.code == "file_not_found"


@pytest.mark.parametrize("thing", [3, None, object(), [1, 2, 3], {"a": "text"}, {"a": 3}])
def test_not_a_table(thing: object) -> None:
    with pytest.raises(InputError):
        load(thing)


@pytest.mark.parametrize(
    "thing", [{}, {"a": []}, {"a": [1], "b": [1, 2]}, pd.DataFrame(), pd.DataFrame({"a": []})]
)
def test_empty_or_uneven_frames(thing: object) -> None:
    with pytest.raises(DataError):
        load(thing)


def test_duplicate_names_in_a_pandas_frame() -> None:
    frame = pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
    with pytest.raises(DataError) as caught:
        load(frame)
    assert caught.value.code == "bad_frame"


# --- typed sources -----------------------------------------------------------------------------------------


def test_frame_types_are_kept() -> None:
    frame = pd.DataFrame(
        {
            "big": np.array([2**63 - 1, 1], dtype=np.int64),
            "huge": np.array([2**64 - 1, 1], dtype=np.uint64),
            "small": np.array([1.5, np.nan], dtype=np.float32),
            "when": pd.to_datetime(["2024-05-01 10:00", None]),
            "zoned": pd.to_datetime(["2024-05-01 10:00", "2024-05-02 00:00"]).tz_localize("Europe/Berlin"),
            "level": pd.Categorical(["low", "high"], categories=["low", "mid", "high"], ordered=True),
            "flag": pd.array([True, None], dtype="boolean"),
        }
    )
    table = load(frame)
    assert [c.dtype for c in table.columns] == [
        "integer", "text", "float", "datetime", "datetime", "text", "boolean",
    ]  # fmt: skip
    assert table.column("level").levels == ("low", "mid", "high")
    assert table.column("level").level_order == "declared"
    assert table.labels("zoned").tolist() == ["2024-05-01 08:00:00", "2024-05-01 22:00:00"]
    assert values(table, "small") == [1.5, None]
    assert values(table, "flag") == [1.0, None]


def test_declared_levels_survive_parquet_and_order_groups(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"dose": ["low", "high", "low"], "y": [1.0, 2.0, 3.0]},
        schema={"dose": pl.Enum(["low", "mid", "high"]), "y": pl.Float64},
    )
    groups = load(frame).groups("y", "dose")
    assert list(groups) == ["low", "high"]
    assert groups["low"].tolist() == [1.0, 3.0]


def test_a_named_index_is_told() -> None:
    table = load(pd.DataFrame({"a": [1, 2]}, index=pd.Index(["x", "y"], name="who")))
    assert "index_left_out" in codes(table)


def test_nested_parquet_and_decimals(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = pa.table(
        {
            "a": pa.array([[1, 2], [3]]),
            "d": pa.array([dt.date(2024, 1, 1), None]),
            "m": pa.array([1, None], pa.decimal128(8, 2)),
            "x": pa.array([1.5, float("nan")]),
        }
    )
    pq.write_table(content, tmp_path / "t.parquet")
    table = load(tmp_path / "t.parquet")
    assert [c.dtype for c in table.columns] == ["text", "datetime", "float", "float"]
    assert "nested" in codes(table)
    assert table.column("x").n_missing == 1


def test_json_forms(tmp_path: Path) -> None:
    lines = '{"a": 1, "g": "x"}\n{"a": 2.5, "g": null}\n\n{"g": "y", "extra": [1, 2]}\n'
    table = load(write(tmp_path / "t.jsonl", lines))
    assert values(table, "a") == [1.0, 2.5, None]
    assert table.labels("g").tolist() == ["x", None, "y"]
    columns = load(write(tmp_path / "c.json", json.dumps({"a": [1, 2], "b": ["x", "y"]})))
    assert values(columns, "a") == [1, 2]


def test_excel_sheets_dates_and_titles(tmp_path: Path) -> None:
    import xlsxwriter

    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd"}) as book:
        first, second = book.add_worksheet("First"), book.add_worksheet("Second one")
        first.write_row(0, 0, ["My study"])
        first.write_row(2, 0, ["n", "when", "what", 2019])
        first.write_row(3, 0, [1, dt.datetime(2024, 2, 29), "a", 1.5])
        first.write_row(4, 0, [2, dt.datetime(2024, 3, 1), "NA", "NA"])
        second.write_row(0, 0, ["b"])
        second.write_row(1, 0, [7])
    table = load(path)
    assert table.column_names == ("n", "when", "what", "2019")
    assert values(table, "2019") == [1.5, None]
    assert table.dtype("when") == "datetime"
    assert {"sheet", "title_lines"} <= codes(table)
    assert "mixed_types" not in codes(table)
    assert values(load(path, sheet="Second one"), "b") == [7]
    with pytest.raises(DataError, match="no sheet 'Third'"):
        load(path, sheet="Third")
    with pytest.raises(DataError, match="no sheets"):
        load(PENGUINS, sheet="First")


def test_open_document_spreadsheet(tmp_path: Path) -> None:
    def cell(value: object) -> str:
        number = f' office:value-type="float" office:value="{value}"' if isinstance(value, float) else ""
        kind = number or ' office:value-type="string"'
        return f"<table:table-cell{kind}><text:p>{value}</text:p></table:table-cell>"

    rows = (["g", "y"], ["a", 1.5], ["b", 2.5])
    cells = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    urn = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<office:document-content xmlns:office="{urn}:office:1.0" xmlns:table="{urn}:table:1.0" '
        f'xmlns:text="{urn}:text:1.0"><office:body><office:spreadsheet><table:table table:name="S">'
        f"{cells}</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    with zipfile.ZipFile(tmp_path / "t.ods", "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr("META-INF/manifest.xml", manifest)
        book.writestr("content.xml", content)
    table = load(tmp_path / "t.ods")
    assert values(table, "y") == [1.5, 2.5]
    assert table.labels("g").tolist() == ["a", "b"]


def test_the_engine_is_sealed(penguins: Table) -> None:
    import duckdb

    for query in (
        "SELECT * FROM read_csv('/etc/passwd')",
        "COPY data TO '/tmp/out.csv'",
        "ATTACH '/tmp/x.db'",
        "SET enable_external_access=true",
        "SET lock_configuration=false",
    ):
        with pytest.raises(duckdb.Error):
            penguins._con.execute(query)


def test_importing_the_pipeline_loads_nothing_heavy() -> None:
    code = (
        "import sys, statistikles.pipeline, statistikles.pipeline.sources, statistikles.pipeline.references;"
        "print([m for m in ('numpy','duckdb','pandas','polars','pyarrow','narwhals','python_calamine',"
        "'charset_normalizer') if m in sys.modules])"
    )
    source = str(Path(__file__).parents[2] / "src")
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": source}
    )
    assert run.stdout.strip() == "[]", run.stderr


def test_errors_are_the_house_errors(tmp_path: Path) -> None:
    with pytest.raises(StatistiklesError) as caught:
        load(tmp_path / "absent.csv")
    assert set(caught.value.to_dict()) == {"error", "code", "hint", "where"}


_CELLS = st.sampled_from(
    [
        "",
        "1",
        "2.5",
        "1,5",
        "1.234",
        "1,234",
        "007",
        "NA",
        "x",
        "é",
        " a ",
        '"q"',
        '"a,b"',
        '"',
        "true",
        "inf",
        "1e999",
        "2024-01-01",
        "2024-13-01",
        "99999999999999999999",
        "-",
        "−3",
        "'",
        "\x00",
        "\ufeff",
        "12%",
        "1e5",
        "+7",
        ";",
    ]
)
_TEXTS = st.builds(
    lambda rows, delimiter, end: end.join(delimiter.join(row) for row in rows),
    st.lists(st.lists(_CELLS, min_size=1, max_size=4), max_size=8),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n", "\r"]),
)


@settings(max_examples=250, deadline=None)
@given(
    st.one_of(st.binary(max_size=200), _TEXTS.map(str.encode), _TEXTS.map(lambda t: t.encode("utf-16"))),
    st.sampled_from([".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".parquet", ".csv.gz", ".arrow"]),
)
def test_no_file_causes_anything_but_a_table_or_a_clear_error(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, extension: str
) -> None:
    path = tmp_path_factory.getbasetemp() / f"fuzz{extension}"
    path.write_bytes(content)
    try:
        table = load(path)
    except StatistiklesError as fault:
        assert fault.message
        return
    assert table.n_rows > 0
    assert len(table.columns) == len(set(table.column_names)) > 0
    assert len(table.fingerprint) == 64


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.lists(_CELLS.filter(lambda c: '"' not in c and "\x00" not in c), min_size=3, max_size=3),
        min_size=2,
    )
)
def test_a_written_table_comes_back_cell_by_cell(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "round.csv"
    with path.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([["id", "b", "c"], *([f"k{i}", *row[1:]] for i, row in enumerate(rows))])
    table = load(path)
    assert table.n_rows == len(rows)
    for position, name in ((1, "b"), (2, "c")):
        if table.dtype(name) != "text":
            continue
        told = [row[position].strip(" \ufeff") for row in rows]
        assert table.labels(name).tolist() == [None if t in ("", "NA") else t for t in told]
