"""Rows said by who they are are kept, and what a question says of rows without effect is said in the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from statistikles.neural.session import Session

ROWS: list[tuple[object, ...]] = [("age", "smoker", "survived", "class", "children", "charges", "sex")]
for i in range(60):
    yes, alive, third = ("yes", "no")[i % 2], ("yes", "no")[i % 3 == 0], ("1st", "2nd", "3rd")[i % 3]
    ROWS.append((20 + i, yes, alive, third, i % 4, 100 + 7 * i * i, "mf"[i % 5 == 0]))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = Path(tmp_path_factory.mktemp("subsets")) / "people.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in ROWS) + "\n", encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the mean charges for smokers?", "smoker = yes"),
        ("What is the mean charges for non-smokers?", "smoker = no"),
        ("What is the mean charges excluding smokers?", "smoker = no"),
        ("What is the mean charges of smokers over 50?", "age over 50 and smoker = yes"),
        ("What is the mean charges where smoker is yes and age over 50?", "age over 50 and smoker = yes"),
        ("What is the mean charges of survivors?", "survived = yes"),
        ("What is the mean charges of third-class passengers?", "class = 3rd"),
        ("What is the mean charges in 2nd class?", "class = 2nd"),
        ("What is the mean charges of people with 3 children?", "children = 3"),
    ],
)
def test_rows_are_kept(file: str, question: str, said: str) -> None:
    reply = Session(data=file).ask(question)
    assert f"(rows where {said})" in reply.text
    assert reply.ok


def test_both_sides_are_compared_and_not_filtered(file: str) -> None:
    reply = Session(data=file).ask("Do charges differ between smokers and non-smokers?")
    assert "groups of smoker" in reply.text
    assert "rows where" not in reply.text


def test_what_is_not_used_is_said(file: str) -> None:
    reply = Session(data=file).ask("What is the mean charges of old people excluding drinkers?")
    assert "Not taken into account: " in reply.text
    assert "excluding drinkers" in reply.text


def test_the_level_of_an_interval_is_the_one_asked_for(file: str) -> None:
    told = Session(data=file).ask(
        "Do charges differ between smokers and non-smokers? Use a 99% confidence interval."
    )
    assert "99% confidence" in told.text  # it is said, and the verdict is not moved by it
    shares = Session(data=file).ask("Is the proportion of smokers equal to 25%?")
    assert "Not taken into account: 'equal to 25%'" in shares.text or "equal to 25%" in shares.text
    assert "90% CI" in Session(data=file).ask("What is the 90% confidence interval of the mean charges?").text
