"""Tables and references: column kinds, lookup, row-aligned vectors, groups, and where a number comes from."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from statistikles.errors import DataError, InputError
from statistikles.pipeline import Catalog, Reference, Table, load

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def penguins() -> Table:
    return load(EXAMPLES / "penguins.csv")


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog.of({"penguins": EXAMPLES / "penguins.csv", "sleep": EXAMPLES / "sleep.csv"})


@pytest.mark.parametrize(
    ("name", "rows", "kinds"),
    [
        ("penguins", 344, "categorical categorical numeric numeric numeric numeric categorical numeric"),
        ("sleep", 10, "numeric numeric numeric"),
        ("titanic", 2201, "categorical categorical categorical categorical"),
        ("leukaemia", 42, "numeric categorical numeric numeric"),
    ],
)
def test_example_tables(name: str, rows: int, kinds: str) -> None:
    table = load(EXAMPLES / f"{name}.csv")
    assert table.n_rows == rows
    assert " ".join(c.kind for c in table.columns) == kinds


def test_every_example_is_described() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES.glob("*.csv"):
        assert f"## {path.name}" in text


@pytest.mark.parametrize(
    ("header", "values", "kind"),
    [
        ("PassengerId", [3, 1, 2, 9], "identifier"),
        ("subject", [1, 1, 2, 2, 3, 3], "identifier"),
        ("", [1, 2, 3, 4], "identifier"),
        ("week", [1, 2, 3, 4], "numeric"),
        ("name", ["Ann", "Bob", "Cy", "Di"], "identifier"),
        ("remark", [f"a long remark number {i} about something quite particular" for i in range(4)], "text"),
        ("group", ["a", "b", "a", "b"], "categorical"),
        ("same", [4, 4, 4, None], "constant"),
        ("flag", [True, False, True, None], "boolean"),
        ("plasmid", [1, 2, 4], "numeric"),
        ("said", [1, 2, 5], "numeric"),
    ],
)
def test_column_kinds(header: str, values: list[object], kind: str) -> None:
    assert load({header: values}).columns[0].kind == kind


def test_column_as_a_plain_dict(penguins: Table) -> None:
    told = penguins.column("body_mass_g").to_dict()
    assert (told["n"], told["n_missing"], told["min"], told["max"]) == (342, 2, 2700, 6300)
    assert told["dtype"] == "integer"


def test_lookup(penguins: Table) -> None:
    assert penguins.resolve("body_mass_g") == "body_mass_g"
    assert penguins.resolve("Body_Mass_G") == "body_mass_g"
    assert penguins.resolve("body mass (g)") == "body_mass_g"
    with pytest.raises(DataError) as caught:
        penguins.resolve("body_mas")
    assert caught.value.code == "unknown_column"
    assert "body_mass_g" in caught.value.hint
    assert "flipper_length_mm" in caught.value.hint
    twins = load({"A b": [1], "a B": [2], "ab_": [3]})
    assert twins.resolve("A b") == "A b"
    with pytest.raises(DataError, match="several columns"):
        twins.resolve("AB")


def test_vectors_stay_aligned(penguins: Table) -> None:
    frame = pd.read_csv(EXAMPLES / "penguins.csv")
    where = "island = 'Biscoe' and year > 2007"
    kept = frame[(frame.island == "Biscoe") & (frame.year > 2007)]
    x = penguins.numbers("bill_length_mm", where)
    y = penguins.numbers("body_mass_g", where)
    g = penguins.labels("sex", where)
    assert len(x) == len(y) == len(g) == len(kept)
    both = ~(x.mask | y.mask | g.mask)
    expected = kept.dropna(subset=["bill_length_mm", "body_mass_g", "sex"])
    assert x[both].tolist() == expected.bill_length_mm.tolist()
    assert g[both].tolist() == expected.sex.tolist()


def test_vectors_belong_to_the_caller(penguins: Table) -> None:
    first = penguins.numbers("year")
    first[:] = 0
    assert penguins.numbers("year").min() == 2007


def test_text_where_numbers_are_needed(penguins: Table) -> None:
    with pytest.raises(InputError) as caught:
        penguins.numbers("species")
    assert "'species'" in caught.value.message
    assert "Adelie" in caught.value.message
    assert "body_mass_g" in caught.value.hint
    mixed = load({"x": ["1", "2", "three", "4"]})
    with pytest.raises(InputError, match="three"):
        mixed.numbers("x")
    with pytest.raises(InputError, match="dates"):
        load({"d": pd.to_datetime(["2024-01-01", "2024-01-02"]).to_list()}).numbers("d")


def test_groups(penguins: Table) -> None:
    groups = penguins.groups("body_mass_g", "sex")
    assert list(groups) == ["female", "male"]
    assert groups.n_without_group == 11
    assert (groups.column, groups.by) == ("body_mass_g", "sex")
    frame = pd.read_csv(EXAMPLES / "penguins.csv")
    for label, values in groups.items():
        assert values.compressed().tolist() == frame[frame.sex == label].body_mass_g.dropna().tolist()
    assert list(penguins.groups("body_mass_g", "year", "species = 'Gentoo'")) == ["2007", "2008", "2009"]
    assert list(load({"y": [1, 2, 3], "k": [10, 9, 2]}).groups("y", "k")) == ["2", "9", "10"]
    with pytest.raises(InputError, match="too many"):
        load({"y": list(range(1001)), "k": list(range(1001))}).groups("y", "k")


def test_rows_for_display(penguins: Table) -> None:
    rows = penguins.rows(["species", "sex"], "sex is missing", limit=2)
    assert rows == [{"species": "Adelie", "sex": None}] * 2
    assert len(penguins.rows()) == 20


def test_warm_vectors_are_fast(penguins: Table) -> None:
    penguins.numbers("body_mass_g", "species = 'Adelie'")
    start = time.process_time()
    for _ in range(20):
        penguins.numbers("body_mass_g", "species = 'Adelie'")
    assert (time.process_time() - start) / 20 < 0.005


def test_the_same_question_twice_gives_the_same_bytes() -> None:
    one, two = (load(EXAMPLES / "penguins.csv") for _ in range(2))
    where = "bill_depth_mm > 15"
    assert one.numbers("body_mass_g", where).tobytes() == two.numbers("body_mass_g", where).tobytes()
    assert one.fingerprint == two.fingerprint


# --- references --------------------------------------------------------------------------------------------


def test_reference_shapes(penguins: Table) -> None:
    catalog = Catalog.of(penguins)
    assert len(catalog.vector("body_mass_g")) == 344
    assert len(catalog.vector({"column": "body_mass_g", "where": "species = 'Gentoo'"})) == 124
    assert list(catalog.groups({"column": "body_mass_g", "by": "species"})) == [
        "Adelie",
        "Chinstrap",
        "Gentoo",
    ]
    assert catalog.labels("species")[0] == "Adelie"
    columns = catalog.columns(["Bill_Length_mm", {"column": "body_mass_g"}])
    assert list(columns) == ["bill_length_mm", "body_mass_g"]
    assert list(catalog.columns("year")) == ["year"]


@pytest.mark.parametrize(
    "value",
    [3, None, [], {}, {"col": "x"}, {"column": 3}, {"column": None}, {"column": "year", "wher": "x"},
     {"column": "year", "where": 3}, {"column": "year", "by": "species"}],
)  # fmt: skip
def test_bad_references(value: object, penguins: Table) -> None:
    with pytest.raises(InputError) as caught:
        Catalog.of(penguins).vector(value, argument="group1")
    assert "group1" in caught.value.message


def test_bad_groups_and_columns(penguins: Table) -> None:
    catalog = Catalog.of(penguins)
    for value in ("body_mass_g", {"column": "body_mass_g"}):
        with pytest.raises(InputError, match="form groups"):
            catalog.groups(value)
    for values in ([], 3, ["year", "Year"], ["year", {"column": "body_mass_g", "where": "year = 2007"}]):
        with pytest.raises(InputError):
            catalog.columns(values)


def test_reference_round_trip() -> None:
    value = {"column": "a", "by": "g", "where": "x > 1", "table": "t"}
    assert Reference.parse(value).to_dict() == value
    assert Reference.parse("a").to_dict() == {"column": "a"}
    assert Reference.looks_like("a")
    assert Reference.looks_like({"column": "a"})
    assert not Reference.looks_like([1, 2])
    assert not Reference.looks_like({"a": [1, 2]})


def test_several_tables(catalog: Catalog) -> None:
    assert list(catalog) == ["penguins", "sleep"]
    assert len(catalog.vector({"column": "year", "table": "Penguins"})) == 344
    assert len(catalog.vector("extra_sleep_drug_1_h")) == 10
    with pytest.raises(DataError, match="which one"):
        catalog.vector("nowhere")
    with pytest.raises(DataError) as caught:
        catalog.table("pengiuns")
    assert "penguins" in caught.value.hint
    with pytest.raises(DataError, match="No data"):
        Catalog.of(None).vector("x")


def test_catalog_of_a_mapping_of_columns() -> None:
    catalog = Catalog.of({"a": [1, 2, 3], "g": np.array(["x", "y", "x"])})
    assert list(catalog.groups({"column": "a", "by": "g"})) == ["x", "y"]


def test_where_numbers_come_from(penguins: Table) -> None:
    catalog = Catalog.of(penguins)
    present = penguins.numbers("bill_length_mm").compressed().tolist()
    assert catalog.contains_vector(present) == "bill_length_mm"
    assert catalog.contains_vector(np.array(present)) == "bill_length_mm"
    assert catalog.contains_vector(present[:-1]) is None
    assert catalog.contains_vector(present[::-1]) is None
    assert catalog.contains_vector([*present[:-1], present[-1] + 0.1]) is None
    for nothing in ([], ["a"], [float("nan")], None, [[1, 2], [3]]):
        assert catalog.contains_vector(nothing) is None
    assert catalog.contains_value(39.1)
    assert catalog.contains_value(2007)
    assert not catalog.contains_value(39.123)
    assert not catalog.contains_value(float("nan"))
    assert Catalog.of({"a": penguins}).contains_value(39.1)


def test_where_numbers_come_from_among_tables(catalog: Catalog) -> None:
    hours = catalog.vector("extra_sleep_drug_1_h").tolist()
    assert catalog.contains_vector(hours) == "sleep.extra_sleep_drug_1_h"
