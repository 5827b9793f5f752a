"""`clean`: a recipe on a file, what is written, what is refused, and the recipe in a session's ledger."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

from statistikles import Session
from statistikles.tools.replay import replay

from .conftest import PENGUINS, Run

STEPS = [
    {"step": "drop_missing", "columns": ["body_mass_g"]},
    {"step": "convert_unit", "column": "body_mass_g", "to": "kg"},
    {"step": "z_score", "column": "body_mass_kg"},
]


def test_a_recipe_writes_a_new_table_and_its_record(run: Run, tmp_path: Path) -> None:
    out, record = tmp_path / "clean.csv", tmp_path / "record.json"
    ran = run("clean", PENGUINS, "--steps", json.dumps(STEPS), "--out", str(out), "--record", str(record))
    assert ran.code == 0, ran.err
    assert "2 of 344 rows" in ran.out
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 342
    assert rows[0]["body_mass_kg"] == "3.75"
    again = run("clean", PENGUINS, "--steps", str(record), "--json").json
    assert again["result"] == json.loads(record.read_text(encoding="utf-8"))["result"]
    assert (
        run("clean", str(out), "--steps", '[{"step": "drop_duplicates"}]', "--json").json["source"]["rows"]
        == 342
    )


def test_a_recipe_as_toml(run: Run, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[[steps]]\nstep = "log"\ncolumn = "body_mass_g"\nbase = 10\n', encoding="utf-8")
    ran = run("clean", PENGUINS, "--steps", str(recipe))
    assert ran.code == 0
    assert "nothing is written without --out" in ran.out


def test_what_is_refused(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "data.csv"
    copy.write_bytes(Path(PENGUINS).read_bytes())
    before = copy.read_bytes()
    assert run("clean", str(copy), "--steps", "[]", "--out", str(copy)).code == 2
    assert run("clean", str(copy), "--steps", "[]", "--out", str(tmp_path / "x.docx")).code == 2
    assert run("clean", str(copy)).code == 2
    unknown = run("clean", str(copy), "--steps", '[{"step": "z_scor", "column": "body_mass_g"}]')
    assert unknown.code == 1
    assert "Step 1: Unknown step 'z_scor'." in unknown.err
    assert "z_score" in unknown.err
    assert copy.read_bytes() == before


def test_a_session_cleans_and_its_ledger_replays(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    session = Session(PENGUINS, ledger=path)
    before = session.run("descriptive_statistics", {"data": "body_mass_g"})["result"]["mean"]
    record = session.clean(STEPS)
    assert record["tool"] == "clean"
    assert record["result"]["n_rows"] == 342
    after = session.run("descriptive_statistics", {"data": "body_mass_kg"})["result"]
    assert abs(after["mean"] * 1000 - before) < 1e-9 * before
    assert after["units"]["mean"] == "kg"
    assert "body_mass_kg" in str(session.ask("What is the mean of body_mass_kg?"))
    report = replay(path)
    assert report.ok, report.to_dict()
    assert [call.tool for call in report.calls][:2] == ["descriptive_statistics", "clean"]


def test_a_session_looks_before_it_cleans() -> None:
    session = Session(PENGUINS)
    inspection = session.examine(constraints={"columns": {"year": {"min": 2008}}})
    assert inspection.of("body_mass_g").unit == "g"
    assert [f.code for f in inspection.findings if f.severity == "problem"] == ["below_minimum"]


# A second table about the same cases ---------------------------------------------------------------------------

HERE = "id,weight,sex\n007,72.5,f\n012,80,m\n013,,f\n"
THERE = "sex,id,weight,site\nf,012,81,B\nf,007,72.5,A\nf,013,55,B\nm,099,60,C\n"


def two(folder: Path) -> tuple[str, str]:
    here, there = folder / "here.csv", folder / "there.csv"
    here.write_text(HERE, encoding="utf-8")
    there.write_text(THERE, encoding="utf-8")
    return str(here), str(there)


def test_two_tables_are_settled_as_stated_and_asked_about_otherwise(run: Run, tmp_path: Path) -> None:
    here, there = two(tmp_path)
    out, record = tmp_path / "out.csv", tmp_path / "record.json"
    asked = run("clean", here, "--with", there, "--key", "id")
    assert asked.code == 0, asked.err
    assert "`weight=other`" in asked.out.replace("\n", " ").replace("  ", " ")
    flags = ("--prefer", "weight=other", "--prefer", "*=this", "--add-rows", "--add-columns")
    ran = run(
        "clean", here, "--with", there, "--key", "id", *flags, "--out", str(out), "--record", str(record)
    )
    assert ran.code == 0, ran.err
    assert out.read_text(encoding="utf-8").splitlines() == [
        "id,weight,sex,site",
        "007,72.5,f,A",
        "012,81,m,B",
        "013,55,f,B",
        "099,60,m,C",
    ]
    again = run("clean", here, "--steps", str(record), "--json").json
    assert again["result"] == json.loads(record.read_text(encoding="utf-8"))["result"]
    steps = '[{"step": "drop_missing"}]'
    assert (
        run("clean", here, "--with", there, "--key", "id", "--no-fill", "--steps", steps, "--json").json[
            "result"
        ]["rows"]
        == 2
    )


def test_a_decision_is_for_each_table_that_has_the_column(run: Run, tmp_path: Path) -> None:
    here, there = two(tmp_path)
    Path(there).write_text(re.sub(",0+", ",", THERE).replace(",id,", ",patient,"), encoding="utf-8")
    apart = run("clean", here, "--with", there, "--key", "id=patient")
    assert apart.code == 1
    assert "007" in apart.err and "text" in apart.err
    flags = ("--key", "id=patient", "--decide", "id:type=number", "--prefer", "other", "--json")
    record = run("clean", here, "--with", there, *flags).json
    assert record["steps"][0]["fitted"]["cases"]["both"] == 3
    Path(there).write_text(THERE, encoding="utf-8")
    flags = ("--key", "id", "--decide", "id:type=number", "--prefer", "other", "--json")
    record = run("clean", here, "--with", there, *flags).json
    assert record["steps"][0]["decisions"] == {"id:type": "number"}


def test_inspect_shows_where_two_tables_differ(run: Run, tmp_path: Path) -> None:
    here, there = two(tmp_path)
    page = tmp_path / "page.html"
    found = run("inspect", here, "--with", there, "--key", "id", "--html", str(page), "--json").json
    differs = [f for f in found["to_decide"] if f["code"] == "sources_disagree"]
    assert [(f["column"], f["rows"]) for f in differs] == [("weight", [2]), ("sex", [2])]
    assert "sources_disagree" in page.read_text(encoding="utf-8")
    assert run("inspect", here, "--with", there).code == 2
    assert run("inspect", here, "--key", "id").code == 2
    assert run("clean", here, "--with", there, "--key", "id", "--out", there).code == 2
    assert run("clean", here, "--prefer", "other", "--steps", "[]").code == 2
    assert (
        run("clean", here, "--with", there, "--key", "id", "--prefer", "this", "--prefer", "other").code == 2
    )
    assert Path(there).read_text(encoding="utf-8") == THERE


def test_a_session_settles_its_tables_and_the_ledger_replays(tmp_path: Path) -> None:
    here, there = two(tmp_path)
    path = tmp_path / "ledger.jsonl"
    session = Session({"mine": here, "theirs": there}, ledger=path)
    step = {"step": "reconcile", "other": "theirs", "key": "id", "prefer": "other"}
    record = session.clean([step], table="mine")
    assert record["result"]["steps"][0]["fitted"]["columns"]["weight"]["settled"] == 1
    mean = session.run("descriptive_statistics", {"data": {"column": "weight", "table": "mine"}})["result"][
        "mean"
    ]
    assert abs(mean - (72.5 + 81 + 55) / 3) < 1e-12
    assert any(f.code == "sources_disagree" for f in session.examine(table="mine").findings)
    assert replay(path).ok
    Path(there).write_text(THERE.replace("81", "82"), encoding="utf-8")
    assert not replay(path).ok


# The record is a recipe ------------------------------------------------------------------------------------------

SURVEY = "id,group,Dose [mg]\n1,drug,5\n2,Drug,7\n3,drug,-999\n4,placebo,6\n5,placebo,n.a.\n6,placebo,8\n7,drug,9\n"
DECIDED = ("--decide", "Dose [mg]:missing=-999,n.a.")


def survey(folder: Path) -> str:
    path = folder / "umfrage.csv"
    path.write_text(SURVEY, encoding="utf-8")
    return str(path)


def test_a_record_repeats_the_decisions(run: Run, tmp_path: Path) -> None:
    data, record = survey(tmp_path), tmp_path / "record.json"
    steps = '[{"step": "drop_missing"}, {"step": "z_score", "column": "Dose [mg]"}]'
    first = run("clean", data, *DECIDED, "--steps", steps, "--record", str(record), "--json").json
    assert first["decisions"] == {"Dose [mg]:missing": "-999,n.a."}
    assert first["result"]["rows"] == 5
    again = run("clean", data, "--steps", str(record), "--json").json
    assert again == first
    assert "Dose [mg]:missing=-999,n.a." in run("clean", data, "--steps", str(record)).out


def test_a_record_on_another_table_says_so(run: Run, tmp_path: Path) -> None:
    data, record = survey(tmp_path), tmp_path / "record.json"
    assert run("clean", data, *DECIDED, "--steps", "[]", "--record", str(record)).code == 0
    assert "is not the table" not in run("clean", data, "--steps", str(record)).out
    Path(data).write_text(SURVEY.replace("7,drug,9", "7,drug,4"), encoding="utf-8")
    changed = run("clean", data, "--steps", str(record))
    assert changed.code == 0
    assert "'umfrage' is not the table that the record was made from" in " ".join(changed.out.split())


def test_a_record_with_two_tables_repeats_the_decisions_of_both(run: Run, tmp_path: Path) -> None:
    data, record, other = survey(tmp_path), tmp_path / "record.json", tmp_path / "other.csv"
    other.write_text(
        "Id,Group,weight\n1,drug,70\n2,drug,71\n4,placebo,-999\n5,placebo,66\n", encoding="utf-8"
    )
    decided = (*DECIDED, "--decide", "group:variants=merge", "--decide", "weight:missing=-999")
    flags = ("--with", str(other), "--key", "id=Id", "--add-columns", *decided)
    first = run("clean", data, *flags, "--record", str(record), "--json").json
    # Only the table whose finding asks for it is merged; the other has no second spelling.
    assert first["decisions"] == {"Dose [mg]:missing": "-999,n.a.", "group:variants": "merge"}
    assert first["steps"][0]["decisions"] == {"weight:missing": "-999"}
    assert run("clean", data, "--steps", str(record), "--json").json == first
    other.write_text(
        "Id,Group,weight\n1,drug,70\n2,drug,71\n4,placebo,-999\n5,placebo,67\n", encoding="utf-8"
    )
    assert "another table than recorded" in " ".join(run("clean", data, "--steps", str(record)).out.split())


def test_a_decision_that_neither_table_needs_is_refused_with_their_names(run: Run, tmp_path: Path) -> None:
    here, there = two(tmp_path)
    refused = run("clean", here, "--with", there, "--key", "id", "--decide", "sex:variants=merge")
    assert refused.code == 1
    assert "'here' and 'there'" in refused.err


def test_a_decision_alone_is_something_to_do(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    assert run("clean", survey(tmp_path), *DECIDED, "--out", str(out)).code == 0
    assert out.read_text(encoding="utf-8").splitlines()[:4] == [
        "id,group,Dose [mg]",
        "1,drug,5",
        "2,Drug,7",
        "3,drug,",
    ]
