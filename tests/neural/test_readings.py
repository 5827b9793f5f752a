"""What questions are taken to mean: filters, controls, strata, follow-ups, and doubts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neural.small_tables import shop, trial
from statistikles.neural.planner.followup import followed_up
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.planner import SURE
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.understand import understand
from statistikles.neural.planner.view import TableView


def best(question: str, table: TableView | None = None) -> Reading:
    return understand(question, table or trial())[0]


@pytest.mark.parametrize(
    ("question", "expression"),
    [
        ("What is the mean weight among women?", "\"sex\" = 'F'"),
        ("Describe weight for men", "\"sex\" = 'M'"),
        ("What is the average weight of people over 30?", '"ageYears" > 30'),
        ("Median weight of patients at least 40 years old", '"ageYears" >= 40'),
        ("Average weight in 2019", '"year" = 2019'),
        ("Mean weight where arm = 'drug A'", "\"arm\" = 'drug A'"),
        ("Median weight among patients without smoker", "\"smoker\" = 'no'"),
    ],
)
def test_filters(question: str, expression: str) -> None:
    reading = best(question)
    assert reading.where == expression
    assert [c.name for c in reading.outcomes] == ["weight_kg"]


def test_a_comparison_with_a_fixed_value_is_no_filter() -> None:
    reading = best("Is the mean weight different from 70?")
    assert (reading.intent, reading.value, reading.where) == (Intent.FIXED, 70.0, "")


@pytest.mark.parametrize(
    "question",
    [
        "Controlling for age, is weight correlated with systolic blood pressure?",
        "How are weight and systolic blood pressure related when age is held constant?",
        "What is the partial correlation of weight and systolic blood pressure, taking into account age?",
        "Is the relationship between weight and systolic blood pressure influenced by age?",
    ],
)
def test_controls(question: str) -> None:
    reading = best(question)
    assert [c.name for c in reading.controls] == ["ageYears"]
    assert {c.name for c in reading.outcomes} == {"weight_kg", "systolicBP_mmHg"}


@pytest.mark.parametrize(
    "question",
    [
        "Does the association between smoker and relapsed differ across sexes?",
        "Is smoker associated with relapsed when stratified by sex?",
        "Does sex play a role in modifying the relationship between smoker and relapsed?",
    ],
)
def test_strata(question: str) -> None:
    reading = best(question)
    assert reading.strata is not None
    assert reading.strata.name == "sex"


def test_two_groups_of_many_are_compared_when_named() -> None:
    reading = best("Does weight differ between drug A and placebo?")
    assert (reading.intent, set(reading.levels)) == (Intent.COMPARE, {"drug A", "placebo"})
    assert reading.n_groups == 2


def test_the_numbers_of_a_planned_study() -> None:
    reading = best("How many participants do I need to detect d = 0.4 with 90% power at alpha = 0.01?")
    assert reading.intent is Intent.SAMPLE_SIZE
    assert reading.numbers == {"effect_size": 0.4, "power": 0.9, "alpha": 0.01}


def test_instructions_after_the_question_do_not_change_it() -> None:
    reading = best(
        "Is there a correlation between weight and age? Ignore missing values. Call it significant when the p-value is "
        "less than 0.01. Use a significance level of 0.01."
    )
    assert reading.intent is Intent.ASSOCIATE
    assert reading.alpha == 0.01


@pytest.mark.parametrize(
    "question", ["Does shoe size differ?", "What do you think?", "weight?", "Is weight different?", "sex"]
)
def test_doubt(question: str) -> None:
    readings = understand(question, trial())
    assert (
        not readings
        or readings[0].certainty < SURE
        or readings[0].intent in (Intent.DESCRIBE, Intent.FREQUENCIES)
    )


class TestFollowUps:
    first = replace(best("Does weight differ by arm?"), certainty=2.0)

    def test_other_rows(self) -> None:
        again = followed_up("and for men?", self.first)
        assert again is not None
        assert (again.intent, again.where) == (Intent.COMPARE, "\"sex\" = 'M'")

    def test_other_outcome(self) -> None:
        again = followed_up("what about age?", self.first)
        assert again is not None
        assert again.outcome is not None
        assert (again.outcome.name, again.group) == ("ageYears", self.first.group)

    def test_other_group(self) -> None:
        again = followed_up("and by sex?", self.first)
        assert again is not None
        assert again.group is not None
        assert again.group.name == "sex"

    def test_a_later_filter_replaces_an_earlier_one_on_the_same_column(self) -> None:
        men = followed_up("and for men?", self.first)
        assert men is not None
        women = followed_up("and for women?", men)
        assert women is not None
        assert women.where == "\"sex\" = 'F'"

    def test_a_question_of_its_own_is_none(self) -> None:
        assert followed_up("Is age normally distributed?", self.first) is None
        assert followed_up("And is there a correlation between age and weight?", self.first) is None


def test_words_of_a_column_name_do_not_ask_for_a_statistic() -> None:
    reading = best("Is the average basket price related to the amount spent on wine?", shop())
    assert (reading.intent, reading.wanted) == (Intent.ASSOCIATE, ())


@pytest.mark.parametrize(
    "question",
    [
        "Is the amount spent in the last 2 years normally distributed?",
        "Does the price of oil differ between countries?",
        "How strong is the correlation between rainfall and harvest?",
        "Is there a link between the colour of the car and its speed?",
        "What is the skewness of revenue?",
    ],
)
def test_a_question_about_another_table_is_not_answered(question: str) -> None:
    readings = understand(question, trial())
    assert not readings or readings[0].certainty < SURE
