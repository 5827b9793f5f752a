"""Which columns a question means."""

from __future__ import annotations

import pytest

from neural.small_tables import shop, trial
from statistikles.neural.planner.columns import find_mentions, read
from statistikles.neural.planner.view import TableView
from statistikles.neural.planner.words import likeness, stem


def found(question: str, table: TableView, count: int) -> set[str]:
    mentions = find_mentions(read(question), table)
    return {m.name for m in mentions[:count]}


CASES = [
    ("exact name", trial(), "Describe weight_kg", {"weight_kg"}),
    ("words of the name", trial(), "What is the average weight?", {"weight_kg"}),
    ("camel case", trial(), "How does age relate to weight?", {"ageYears", "weight_kg"}),
    ("abbreviation", trial(), "Is systolic blood pressure normal?", {"systolicBP_mmHg"}),
    ("synonym", trial(), "Does weight differ by gender?", {"weight_kg", "sex"}),
    ("stem", trial(), "Do smokers relapse more often?", {"smoker", "relapsed"}),
    ("misspelling", trial(), "Does the wieght depend on sex?", {"weight_kg", "sex"}),
    (
        "run-together name",
        shop(),
        "Does household income differ by customer region?",
        {"hhincome", "custregion"},
    ),
    (
        "shared words",
        shop(),
        "Is the number of web orders related to the amount spent on wine?",
        {"NumWebOrders", "AmtWine"},
    ),
    ("shared head", shop(), "Are the amounts spent on fish and wine correlated?", {"AmtFish", "AmtWine"}),
    (
        "name in brackets",
        shop(),
        "Is what people pay at the till (AmtFish) related to income (hhincome)?",
        {"AmtFish", "hhincome"},
    ),
    (
        "several words",
        shop(),
        "Is the basket price associated with marital status?",
        {"Average Basket Price", "maritalStatus"},
    ),
    ("letter case", shop(), "describe NUMWEBORDERS", {"NumWebOrders"}),
    ("no such column", trial(), "Does shoe size matter for happiness?", set()),
]


@pytest.mark.parametrize(("table", "question", "names"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_columns_meant(table: TableView, question: str, names: set[str]) -> None:
    assert found(question, table, max(len(names), 1)) == names


def test_the_head_of_a_phrase_is_meant() -> None:
    table = TableView.of_rows(
        "pupils",
        [
            {"reason": "ab"[i % 2], "school": "xyz"[i % 3], "internet": ("no", "yes")[i % 2]}
            for i in range(12)
        ],
    )
    mentions = find_mentions(
        read("Is the reason for choosing this school related to internet access?"), table
    )
    assert [m.name for m in mentions if not m.demoted] == ["reason", "internet"]
    assert [m.name for m in mentions if m.demoted] == ["school"]


def test_words_in_brackets_name_no_column() -> None:
    mentions = find_mentions(read("Is the grade of the child (weight and sex aside) normal?"), trial())
    assert not {m.name for m in mentions} & {"weight_kg", "sex"}


def test_identifiers_are_not_meant() -> None:
    table = TableView.of_rows("t", [{"patient": i, "dose": 1.5 * i} for i in range(9)])
    marked = TableView(
        table.name,
        table.n_rows,
        tuple(type(c)(**{**c.__dict__, "identifier": c.name == "patient"}) for c in table.columns),
    )
    assert [m.name for m in find_mentions(read("Do patients with more dose recover?"), marked)] == ["dose"]


def test_a_wide_table_is_read_quickly() -> None:
    import time

    table = TableView.of_rows(
        "wide", [{f"measure_{i}_cm": i + 0.5 * j for i in range(200)} for j in range(5)]
    )
    question = read("Is measure_17_cm related to measure_18_cm after adjusting for the measure 19?")
    find_mentions(question, table)
    start = time.process_time()
    mentions = find_mentions(question, table)
    assert time.process_time() - start < 0.2
    assert {m.name for m in mentions[:2]} == {"measure_17_cm", "measure_18_cm"}


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("educ", "education"),
        ("temp", "temperature"),
        ("smoker", "smoking"),
        ("child", "kids"),
        ("jan", "january"),
        ("1", "first"),
    ],
)
def test_likeness_accepts(a: str, b: str) -> None:
    assert likeness(a, b) >= 0.6


@pytest.mark.parametrize(
    ("a", "b"), [("mar", "measurement"), ("schoolsup", "school"), ("age", "average"), ("man", "woman")]
)
def test_likeness_refuses(a: str, b: str) -> None:
    assert likeness(a, b) < 0.6


@pytest.mark.parametrize(
    ("word", "root"), [("studies", "study"), ("running", "run"), ("status", "status"), ("smoked", "smok")]
)
def test_stem(word: str, root: str) -> None:
    assert stem(word) == root
