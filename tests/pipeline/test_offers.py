"""What is offered for damaged columns, that the offer is accepted, and what is no longer claimed of them.

Expected dates: date(1899, 12, 30) + 45321 days = 2024-01-30 by Python 3.11's datetime; the others are written out.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from statistikles.errors import DataError
from statistikles.pipeline.references import Catalog
from statistikles.pipeline.sources import load
from statistikles.pipeline.stewardship import examine
from statistikles.pipeline.tables import Table


def written(folder: Path, text: str, **more: object) -> Table:
    path = folder / "table.csv"
    path.write_text(text, encoding="utf-8")
    return load(path, **more)


def asked(table: Table, code: str) -> str:
    return next((f.asked for f in examine(table).findings if f.code == code), "")


def values(table: Table, name: str) -> list[str | None]:
    return [None if v is None else str(v)[:10] for v in table.labels(name).tolist()]


SERIALS = "id,seen\n1,1-Jan-24\n2,45321\n3,3-Feb-24\n4,5-Mar-24\n5,7-Apr-24\n6,9-May-24\n"


def test_day_numbers_among_dates(tmp_path: Path) -> None:
    told = asked(written(tmp_path, SERIALS), "dates_and_text")
    assert "`seen:epoch=excel`" in told and "2024-01-30" in told
    table = written(tmp_path, SERIALS, decisions="seen:epoch=excel")
    assert table.dtype("seen") == "datetime"
    assert values(table, "seen")[:3] == ["2024-01-01", "2024-01-30", "2024-02-03"]
    with pytest.raises(DataError, match="contradicts the data"):
        written(tmp_path, SERIALS.replace("45321", "soon"), decisions="seen:epoch=excel")


ORDERS = "id,visit\n1,13/01/2024\n2,01/14/2024\n3,25.12.2023\n4,02/02/2024\n5,12/31/2023 08:30\n"


def test_dates_each_in_the_only_order_it_has(tmp_path: Path) -> None:
    assert "`visit:dates=each`" in asked(written(tmp_path, ORDERS), "mixed_date_orders")
    table = written(tmp_path, ORDERS, decisions="visit:dates=each")
    assert values(table, "visit") == ["2024-01-13", "2024-01-14", "2023-12-25", "2024-02-02", "2023-12-31"]
    # 03/04/2024 is a date both ways: then it is neither offered nor accepted.
    both = ORDERS + "6,03/04/2024\n"
    assert "dates=each" not in asked(written(tmp_path, both), "mixed_date_orders")
    with pytest.raises(DataError, match="both orders"):
        written(tmp_path, both, decisions="visit:dates=each")


FILLED = "Region,City,Sales\nNorth,A,1\n,B,2\n,C,3\nSouth,D,4\n,E,5\nWest,F,6\n,G,7\n,H,8\n"


def test_labels_that_stand_once_above_their_rows(tmp_path: Path) -> None:
    plain = written(tmp_path, FILLED)
    assert "`Region:fill=down`" in asked(plain, "fill_down")
    assert plain.column("Region").n == 3  # nothing is filled silently
    table = written(tmp_path, FILLED, decisions="region:fill=down")
    assert table.labels("Region").tolist() == ["North"] * 3 + ["South"] * 2 + ["West"] * 3
    assert not asked(written(tmp_path, FILLED, decisions="Region:fill=leave"), "fill_down")


@pytest.mark.parametrize(
    "column",
    [
        ["a", "", "b", "c", "", "", "d", ""],  # missing here and there
        ["", "a", "", "", "b", "", "", "c"],  # blanks before the first label
        ["a", "", "a", "", "a", "", "b", ""],  # the label is repeated, so it does not hold for the blanks
        ["a", "b", "a", "b", "a", "b", "a", "b"],
    ],
)
def test_other_blanks_are_no_labels_to_fill(tmp_path: Path, column: list[str]) -> None:
    text = "g,x\n" + "".join(f"{cell},{i}\n" for i, cell in enumerate(column))
    assert not asked(written(tmp_path, text), "fill_down")


def test_a_fill_that_the_data_contradict(tmp_path: Path) -> None:
    for text, why in (
        (FILLED.replace("\n,", "\nNorth,"), "no blank"),
        (FILLED.replace(",B", "NA,B"), "'NA'"),
    ):
        with pytest.raises(DataError, match=why):
            written(tmp_path, text, decisions="Region:fill=down")


def test_codes_in_doubt_are_no_skew(tmp_path: Path) -> None:
    cells = [-999 if i % 9 == 0 else 110 + i * 13 % 31 for i in range(60)]
    text = "pain_t2,x\n" + "".join(f"{cell},{i % 7}\n" for i, cell in enumerate(cells))
    assert "skewed" not in " ".join(f.message for f in examine(written(tmp_path, text)).findings)
    assert "`pain_t2:missing=-999`" in asked(written(tmp_path, text), "missing_doubt")


def test_a_dose_with_a_word_among_its_values_is_no_entity(tmp_path: Path) -> None:
    doses = ["5", "10", "20", "n.a."]
    head = "patient,Dose [mg],seen\n"
    rows = [f"{i + 1},{doses[i % 4]},2024-{1 + i // 28:02d}-{1 + i % 28:02d}\n" for i in range(48)]
    assert not {"panel", "repeated_measures"} & {
        f.code for f in examine(written(tmp_path, head + "".join(rows))).findings
    }
    # A named entity over time stays a panel, whatever numbers the rows.
    named = [f"{i + 1},{'abcd'[i % 4]}land,2024-01-{1 + i // 4:02d}\n" for i in range(48)]
    found = examine(written(tmp_path, "id,country,seen\n" + "".join(named))).findings
    assert [f.column for f in found if f.code == "panel"] == ["country"]


def test_a_decision_is_for_the_tables_that_ask(tmp_path: Path) -> None:
    for name, text in (("a", "g,v\nx,1\ny,2\nx,-999\nx,4\ny,5\n"), ("b", "G,v\nx,1\nX,2\nx,3\ny,4\n")):
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    files = {name: tmp_path / f"{name}.csv" for name in "ab"}
    catalog = Catalog.of(files, ["g:variants=merge", "v:missing=-999"])
    assert catalog["a"].decisions.written() == {"v:missing": "-999"}
    assert catalog["b"].decisions.written() == {"G:variants": "merge", "v:missing": "-999"}
    (tmp_path / "b.csv").write_text("G,v\nx,1\ny,2\n", encoding="utf-8")
    with pytest.raises(DataError, match="in 'a' and 'b'"):
        Catalog.of(files, ["g:variants=merge"])
