"""Commands over files: what a good table shows, and what each kind of bad file or request is told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from statistikles.surfaces.places import example_table

from .conftest import PENGUINS, ROOT, Run

Table = Callable[..., str]


def test_the_shipped_table_is_the_example() -> None:
    assert example_table().read_bytes() == Path(PENGUINS).read_bytes()


def test_inspect(run: Run) -> None:
    ran = run("inspect", PENGUINS)
    assert ran.code == 0
    assert "penguins: 344 rows, 8 columns" in ran.out
    assert "Adelie, Chinstrap, Gentoo" in ran.out
    found = run("inspect", PENGUINS, "--json").json
    assert found["rows"] == 344
    sex = next(column for column in found["columns"] if column["name"] == "sex")
    assert (sex["kind"], sex["n_missing"], sex["levels"]) == ("categorical", 11, ["female", "male"])
    assert found["findings"]


@pytest.mark.parametrize("path", sorted((ROOT / "examples").glob("*.csv")), ids=lambda p: p.name)
def test_every_example_is_read(run: Run, path: Path) -> None:
    assert run("inspect", str(path)).code == 0


BAD_FILES = {
    "empty": (b"", "empty.csv"),
    "blank": (b"\n\n  \n", "blank.csv"),
    "binary": (bytes(range(256)) * 20, "binary.csv"),
    "image": (b"\x89PNG\r\n\x1a\n" + bytes(200), "image.png"),
    "false Excel": (b"not a workbook", "false.xlsx"),
    "false Parquet": (b"PAR1 but no more", "false.parquet"),
}


@pytest.mark.parametrize("kind", BAD_FILES)
@pytest.mark.parametrize(
    "words",
    [("inspect", "FILE"), ("ask", "Do they differ?", "--data", "FILE"), ("run", "anova", "--data", "FILE")],
)
def test_a_file_that_is_no_table(run: Run, table: Table, kind: str, words: tuple[str, ...]) -> None:
    content, name = BAD_FILES[kind]
    path = table(content, name)
    ran = run(*(path if word == "FILE" else word for word in words))
    assert ran.code in (1, 2)
    assert ran.out == ""
    assert name in ran.err or kind in ran.err.casefold()


def test_columns_as_arguments(run: Run) -> None:
    words = ("run", "anova", "--groups", "body_mass_g ~ species", "--data", PENGUINS)
    result = run(*words, "--json").json
    assert set(result["groups"]) == {"Adelie", "Chinstrap", "Gentoo"}
    assert result["n_missing"] == 2
    assert "r1.groups" in run(*words).out


REFUSED = {
    "unknown column": ("body_mas_g ~ species", "Did you mean 'body_mass_g'"),
    "unknown group": ("body_mass_g ~ specis", "Did you mean 'species'"),
    "text for numbers": ("island ~ species", "island"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_request_that_does_not_fit_the_table(run: Run, kind: str) -> None:
    groups, said = REFUSED[kind]
    ran = run("run", "anova", "--groups", groups, "--data", PENGUINS)
    assert ran.code == 1
    assert ran.out == ""
    assert said in ran.err


ODD_TABLES = {
    "one group only": "g,v\na,1\na,2\na,3\n",
    "all values equal": "g,v\na,1\na,1\nb,1\nb,1\n",
    "all missing": "g,v\na,\na,\nb,\nb,\n",
    "header only": "g,v\n",
    "one row": "g,v\na,1\n",
}


@pytest.mark.parametrize("kind", ODD_TABLES)
@pytest.mark.parametrize(
    "words", [("run", "anova", "--groups", "v ~ g"), ("ask", "Do the groups of g differ in v?"), ("inspect",)]
)
def test_odd_tables_get_a_clear_sentence(run: Run, table: Table, kind: str, words: tuple[str, ...]) -> None:
    path = table(ODD_TABLES[kind])
    ran = run("inspect", path) if words == ("inspect",) else run(*words, "--data", path)
    assert ran.code in (0, 1)
    assert len(ran.out + ran.err) > 20
    assert "failed inside" not in ran.out + ran.err
    assert "fault of" not in ran.out + ran.err


def test_wide_tables_and_odd_names(run: Run, table: Table) -> None:
    wide = ",".join(f"column {i}" for i in range(200)) + "\n" + "\n".join(
        ",".join(str(i * j % 17) for i in range(200)) for j in range(12)
    )  # fmt: skip
    assert run("inspect", table(wide, "wide.csv"), "--json").json["columns"][199]["name"] == "column 199"
    odd = table("größe in cm,名前,a;b\n1.5,x,1\n2.5,y,2\n3.0,x,3\n4.5,y,4\n", "odd name — ü.csv")
    ran = run("run", "t_test", "--type", "independent", "--groups", "größe in cm ~ 名前", "--data", odd)
    assert ran.code == 0, ran.err
    assert "groups" in ran.out


def test_several_tables_by_name(run: Run, table: Table) -> None:
    one, two = table("v\n1\n2\n4\n", "one.csv"), table("w\n5\n6\n9\n", "two.csv")
    words = ("run", "t_test", "--type", "independent", "--group1", "v", "--group2", "w", "--json")
    assert run(*words, "--data", one, "--data", two).json["n"] == 6
    assert run(*words, "--data", f"a={one}", "--data", f"b={two}").json["n"] == 6
    assert run(*words, "--data", one, "--data", one).code == 2


def test_a_ledger_over_a_table_replays_and_notices_other_data(run: Run, table: Table, tmp_path: Path) -> None:
    path, ledger = table("g,v\na,1\na,2\na,4\nb,5\nb,6\nb,9\n"), str(tmp_path / "work.jsonl")
    words = (
        "run",
        "t_test",
        "--type",
        "independent",
        "--groups",
        "v ~ g",
        "--data",
        path,
        "--ledger",
        ledger,
    )
    assert run(*words).code == 0
    assert run("replay", ledger).code == 0
    moved = table("g,v\na,1\na,2\na,4\nb,5\nb,6\nb,9\n", "moved.csv")
    Path(path).write_text("g,v\na,1\na,2\na,4\nb,5\nb,6\nb,8\n", encoding="utf-8")
    changed = run("replay", ledger)
    assert changed.code == 1
    assert "is not the one it was computed from" in changed.out
    assert run("replay", ledger, "--data", f"table={moved}").code == 0
    Path(path).unlink()
    gone = run("replay", ledger)
    assert gone.code == 1
    assert "--data" in gone.err
