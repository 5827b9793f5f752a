"""The decision table: every row is reached by a question, and the documentation shows the rows as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from neural.small_tables import shop, trial
from statistikles.neural.planner.calls import CALLS
from statistikles.neural.planner.document import page
from statistikles.neural.planner.method import CONDITIONS, ROWS, matching
from statistikles.neural.planner.phrases import PHRASES
from statistikles.neural.planner.planner import MAX_CALLS
from statistikles.neural.planner.understand import understand
from statistikles.neural.planner.view import TableView

EXAMPLES: dict[str, tuple[TableView, str]] = {
    "compare-two-ranks": (trial(), "Compare weight between the sexes with a Mann-Whitney rank test"),
    "compare-two": (trial(), "Does weight differ between men and women?"),
    "compare-many-ranks": (trial(), "Kruskal-Wallis test of weight between the arms"),
    "ancova": (trial(), "Does weight differ between the arms, controlling for age?"),
    "two-way": (trial(), "Do arm and sex interact in their effect on weight?"),
    "compare-many": (trial(), "Does weight differ between the arms?"),
    "paired": (trial(), "Did the paired measurements bp_before and bp_after differ?"),
    "fixed": (trial(), "Is the mean weight different from 70?"),
    "stratified": (trial(), "Is smoker associated with relapsed when stratified by sex?"),
    "partial": (trial(), "Is weight related to age when controlling for systolic blood pressure?"),
    "kendall": (trial(), "What is Kendall's correlation of weight and age?"),
    "spearman": (trial(), "What is the Spearman correlation of weight and age?"),
    "pearson": (trial(), "Pearson correlation of age and weight"),
    "coded-categories": (trial(), "Is being vaccinated related to relapsed?"),
    "correlate-small": (shop(), "Is the amount spent on wine related to household income?"),
    "ordered": (trial(), "Is the pain score related to weight?"),
    "correlate": (trial(), "Is weight related to age?"),
    "categories": (trial(), "Is smoker associated with arm?"),
    "logistic": (trial(), "Predict relapsed from age and weight"),
    "regression": (trial(), "Predict weight from age and systolic blood pressure"),
    "normality-groups": (trial(), "Is weight normally distributed in each arm?"),
    "normality": (trial(), "Is weight normally distributed?"),
    "fit": (trial(), "Does weight follow a gamma distribution?"),
    "same-distribution": (trial(), "Do weight and age have the same distribution?"),
    "variances": (trial(), "Are the variances of weight equal in the arms?"),
    "outliers": (trial(), "Are there outliers in weight?"),
    "describe-groups": (trial(), "What is the mean weight by arm?"),
    "extreme-row": (trial(), "Which patient has the highest weight?"),
    "every-pair": (trial(), "Which two of weight_kg, bp_before, bp_after and ageYears correlate most?"),
    "describe-side-by-side": (
        trial(),
        "What are the means of weight_kg, bp_before, bp_after, ageYears and systolicBP_mmHg?",
    ),
    "describe": (trial(), "Describe weight"),
    "frequencies": (trial(), "What are the frequencies of arm?"),
    "outliers-apart": (trial(), "What is the mean weight after removing outliers?"),
    "missing": (trial(), "How many missing values are in weight?"),
    "missing-in-table": (trial(), "How many missing values are there in the data set?"),
    "count": (trial(), "How many patients are older than 30?"),
    "sample-size": (trial(), "What sample size do I need for a medium effect?"),
    "power": (trial(), "What power do I have with n = 30 per group and d = 0.5?"),
    "survival-groups": (trial(), "Does the time to relapse differ by arm?"),
    "survival": (trial(), "What is the survival curve of weeks until relapsed?"),
    "agreement-numbers": (trial(), "Do bp_before and bp_after agree (Bland-Altman)?"),
    "agreement": (trial(), "Do rater1_grade and rater2_grade agree?"),
    "reliability": (trial(), "What is Cronbach's alpha of item1, item2 and item3?"),
    "time": (trial(), "Is there a trend over time in weight?"),
}
# Reached by a follow-up only: the distribution of one column in two groups.
CONSTRUCTED = {"same-distribution-groups"}


def test_every_row_has_an_example() -> None:
    assert {row.id for row in ROWS} == set(EXAMPLES) | CONSTRUCTED
    assert len({row.id for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row_id", EXAMPLES)
def test_the_row_is_chosen(row_id: str) -> None:
    table, question = EXAMPLES[row_id]
    readings = understand(question, table)
    assert readings, "not understood"
    rows = matching(readings[0])
    assert rows, readings[0].described()
    assert rows[0].id == row_id, readings[0].described()


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_a_row_is_complete(row: object) -> None:
    from statistikles.neural.planner.method import Row

    assert isinstance(row, Row)
    assert set(row.when) <= set(CONDITIONS)
    assert set(row.calls) <= set(CALLS)
    assert len(row.calls) <= MAX_CALLS
    assert len(row.reason) > 10
    assert any(c.isdigit() for c in row.source), "a source has a year"


def test_same_distribution_in_groups() -> None:
    from statistikles.neural.planner.intent import Intent

    reading = replace(
        understand("Does weight differ between men and women?", trial())[0], intent=Intent.SAME_DISTRIBUTION
    )
    assert [row.id for row in matching(reading)] == ["same-distribution-groups"]


def test_conditions_are_used() -> None:
    assert set(CONDITIONS) == {name for row in ROWS for name in row.when}


def test_phrases_are_distinct() -> None:
    assert len({p.id for p in PHRASES}) == len(PHRASES)


def test_the_page_is_current() -> None:
    path = Path(__file__).parents[2] / "docs" / "planner.md"
    assert path.read_text(encoding="utf-8") == page(), "run python -m statistikles.neural.planner.document"
