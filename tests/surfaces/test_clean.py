"""`clean`: a recipe on a file, what is written, what is refused, and the recipe in a session's ledger."""

from __future__ import annotations

import csv
import json
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
