"""The typed reading of large delimited files gives the same table as the careful one, and cleans up after itself."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from statistikles.errors import DataError, StatistiklesError
from statistikles.pipeline import Table, delimited, engine, load
from statistikles.pipeline.inference import readings_of
from statistikles.pipeline.typed_text import _checked

NASTY: dict[str, Callable[[random.Random, int], str]] = {
    "integers": lambda r, i: str(r.randint(-99, 10**6)),
    "floats": lambda r, i: f"{r.gauss(0, 3):.4f}",
    "exponents": lambda r, i: f"{r.gauss(0, 1):.3e}",
    "short": lambda r, i: r.choice([".5", "-.5", "1.", "0.0", "-0", "0"]),
    "empty": lambda r, i: r.choice(["", "1.5", "2"]),
    "coded": lambda r, i: r.choice(["NA", "1.5", "2", "."]),
    "late_code": lambda r, i: "NA" if i == 2900 else "1.5",
    "late_float": lambda r, i: "1.5" if i == 2900 else str(i),
    "late_text": lambda r, i: "many" if i == 2900 else str(i),
    "late_zero": lambda r, i: "007" if i == 2900 else str(i),
    "late_zero_float": lambda r, i: "007.5" if i == 2900 else "7.5",
    "late_minus_zero": lambda r, i: "-07.5" if i == 2900 else "7.5",
    "late_nan": lambda r, i: "nan" if i == 2900 else "7.5",
    "late_inf": lambda r, i: "inf" if i == 2900 else "7.5",
    "late_minus_inf": lambda r, i: "-inf" if i == 2900 else "7.5",
    "late_odd_inf": lambda r, i: "iNf" if i == 2900 else "7.5",
    "late_underscore": lambda r, i: "1_000.5" if i == 2900 else "7.5",
    "late_blank": lambda r, i: " 7.5" if i == 2900 else "7.5",
    "late_blank_end": lambda r, i: "7.5 " if i == 2900 else "7.5",
    "late_nbsp": lambda r, i: "7.5\u00a0" if i == 2900 else "7.5",
    "late_form_feed": lambda r, i: "7.5\x0c" if i == 2900 else "7.5",
    "late_huge": lambda r, i: "1e999" if i == 2900 else "7.5",
    "late_long": lambda r, i: "12345678901234567890" if i == 2900 else str(i),
    "late_quoted_empty": lambda r, i: '""' if i == 2900 else str(i),
    "late_plus": lambda r, i: "+5" if i == 2900 else str(i),
    "grouped": lambda r, i: f'"{r.randint(1, 9)},{r.randint(100, 999)}"',
    "points": lambda r, i: f"{r.randint(1, 9)}.{r.randint(100, 999)}",
    "zeros": lambda r, i: f"{i:05d}",
    "truth": lambda r, i: r.choice(["true", "false", ""]),
    "day": lambda r, i: f"2024-01-{r.randint(1, 28):02d}",
    "label": lambda r, i: r.choice(["a", "b b", "NA", " c", "d "]),
    "label_under": lambda r, i: r.choice(["a_1", "b_2"]),
    "sentinel": lambda r, i: "-999" if i % 50 == 0 else f"{r.random():.3f}",
    "sentinel_whole": lambda r, i: "-999" if i % 50 == 0 else str(r.randint(1, 9)),
    "nothing": lambda r, i: "",
}


def written(path: Path, names: list[str], rows: int, delimiter: str = ",") -> Path:
    r = random.Random(len(names) * rows)
    lines = [delimiter.join(names)]
    lines += [delimiter.join(NASTY[n](r, i) for n in names) for i in range(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def told(path: Path) -> tuple[object, ...]:
    """All that a table says of itself, or the error of loading it."""
    try:
        table = load(path)
    except StatistiklesError as fault:
        return (fault.to_dict(),)
    return (
        table.n_rows,
        table.fingerprint,
        table.findings,
        table.missing_codes,
        [c.to_dict() for c in table.columns],
        [table.dtype(c) for c in table.column_names],
    )


def both(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[tuple[object, ...], tuple[object, ...], set[int]]:
    careful = told(path)
    typed: set[int] = set()
    original = delimited.read_typed

    def spy(raw: engine.RawTable, source: str, file: Path) -> bool:
        found = original(raw, source, file)
        typed.update(raw.typed)
        return found

    monkeypatch.setattr(delimited, "_LARGE", 0)
    monkeypatch.setattr(delimited, "read_typed", spy)
    fast = told(path)
    return careful, fast, typed


@pytest.mark.parametrize("name", list(NASTY))
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_one_column_beside_plain_ones(
    name: str, delimiter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "t.csv", ["integers", name, "floats"], 3000, delimiter)
    careful, fast, typed = both(path, monkeypatch)
    assert fast == careful
    # Whatever the middle column holds, the plain ones beside it are typed (a form feed is left to the careful path).
    assert typed >= (set() if name == "late_form_feed" else {0, 2})


def test_all_columns_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [n for n in NASTY if n != "late_form_feed"]
    careful, fast, typed = both(written(tmp_path / "t.csv", names, 3000), monkeypatch)
    assert fast == careful
    assert typed >= {names.index(n) for n in ("integers", "floats", "exponents", "empty")}


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n3\n",
        "a,b\n1,2\n3,4,5\n",
        'a,b\n1,"2\n3,4\n',
        "a\n1\n2\n",
        "1,2\n3,4\n",
        "Title\n\na,b\n1,2\n3,4\n",
        "a,a\n1,2\n3,4\n",
        "a,b\r\n1,2\r\n3,4\r\n",
        "a,b\n1,2\n\n3,4\n",
        "sep=;\na;b\n1;2,5\n3;4,5\n",
        "a,b\n1,2\r3,4\n",
        "a;b\n1.234;x\n2.345;y\n",
        "a;b;c\n1.234;1,5;x\n2.345;2,5;y\n",
        "ä,b\n1,2\n3,é\n",
    ],
)
def test_shapes_of_files(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    careful, fast, _ = both(path, monkeypatch)
    assert fast == careful


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet="0123456789.-+eE_ infNa/:'\t", min_size=1, max_size=9))
@example("1_0")
@example("00")
@example("-.e1")
@example("1.5\t")
@example("/1")
def test_what_is_taken_as_plain_is_a_number_to_the_careful_reader(text: str) -> None:
    """Every cell that the typed path accepts has the reading, and the value, that the careful path gives it."""
    with duckdb.connect() as con:
        for kind, sql in (("integer", "BIGINT"), ("float", "DOUBLE")):
            try:
                [(value,)] = con.execute(
                    f"SELECT {_checked(0, kind, '_' in text)} FROM (SELECT ? AS c0)", [text]
                ).fetchall()
            except duckdb.Error:
                continue
            trimmed = text.strip(" \t")
            kinds = {reading.kind for reading in readings_of([trimmed])}
            assert (
                kind in kinds
                or (kind == "float" and "integer" in kinds)
                or (kind == "float" and trimmed.lstrip("-").isdigit())
            )
            assert value == con.execute(f"SELECT CAST(? AS {sql})", [trimmed]).fetchone()[0]  # type: ignore[index]


# Memory, interruption, progress ----------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files go."""
    out = tmp_path / "temporary"
    out.mkdir()
    monkeypatch.setenv("TMPDIR", str(out))
    monkeypatch.setattr("tempfile.tempdir", str(out))
    return out


def test_a_table_too_big_for_memory_lives_in_a_file_that_goes_with_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "t.csv", ["integers", "floats", "label"], 50_000)
    in_memory = load(path)
    monkeypatch.setenv("STATISTIKLES_MEMORY_LIMIT", "1MB")
    table: Table | None = load(path)
    assert [p.name for p in folder.iterdir()] != []
    assert table is not None and table.fingerprint == in_memory.fingerprint
    assert table.findings == in_memory.findings
    assert table.numbers("floats", "integers > 0").sum() == in_memory.numbers("floats", "integers > 0").sum()
    table = None
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("text", ["lots", "-1GB", "5 apples"])
def test_a_limit_that_is_no_size_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATISTIKLES_MEMORY_LIMIT", text)
    with pytest.raises(DataError, match="no size"):
        engine.memory_limit()


def test_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, size in (("2GB", 2 * 10**9), ("1.5 M", 1_500_000), ("300", 300)):
        monkeypatch.setenv("STATISTIKLES_MEMORY_LIMIT", text)
        assert engine.memory_limit() == size
    monkeypatch.delenv("STATISTIKLES_MEMORY_LIMIT")
    assert engine.memory_limit() > 10**7


LOADING = """
import sys
from statistikles.pipeline import load
print("start", flush=True)
load(sys.argv[1])
print("loaded", flush=True)
"""


def test_an_interruption_leaves_no_files(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    block = "\n".join(f"{i / 7:.6f},{i},{i % 5}.5" for i in range(200_000)) + "\n"
    with path.open("w") as out:
        out.write("a,b,c\n")
        for _ in range(25):
            out.write(block)
    env = {**os.environ, "STATISTIKLES_MEMORY_LIMIT": "100MB", "TMPDIR": str(folder)}
    env["PYTHONPATH"] = str(Path(engine.__file__).parents[2])
    child = subprocess.Popen(
        [sys.executable, "-c", LOADING, str(path)], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"start\n"
    deadline = time.monotonic() + 20
    while not list(folder.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert list(folder.iterdir())
    time.sleep(0.1)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode != 0 and b"loaded" not in out
    assert b"KeyboardInterrupt" in err
    assert list(folder.iterdir()) == []
