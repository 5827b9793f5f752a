"""Numbers a model puts into a tool call: each needs a source, and a refusal says what to do instead."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from statistikles.errors import ProvenanceError
from statistikles.guardrail.evidence import Evidence
from statistikles.guardrail.inward import check_arguments, refuse


class Columns:
    """The smallest thing that answers the protocol: named lists."""

    def __init__(self, **columns: list[float]) -> None:
        self.columns = columns

    def contains_vector(self, values: Sequence[float]) -> str:
        return next((name for name, column in self.columns.items() if column == list(values)), "")

    def contains_value(self, value: float) -> str:
        return next((name for name, column in self.columns.items() if value in column), "")

    def has_column(self, name: str) -> bool:
        return name in self.columns

    def nearest_vector(self, values: Sequence[float]) -> str:
        def shared(column: list[float]) -> float:
            return sum(v in column for v in values) / len(values)

        best = max(self.columns, key=lambda name: shared(self.columns[name]))
        return best if shared(self.columns[best]) >= 0.5 else ""


BEFORE = [12.1, 13.4, 11.8, 15.2, 14.9, 12.7]
AFTER = [10.2, 12.9, 11.1, 13.8, 14.1, 11.6]
DATA = Columns(before=BEFORE, after=AFTER)


def faults(arguments: dict[str, object], user: str = "", evidence: Evidence | None = None) -> list[str]:
    return [
        f.message for f in check_arguments("t_test", arguments, user_text=user, evidence=evidence, data=DATA)
    ]


def test_whole_columns_pass() -> None:
    assert faults({"type": "paired", "group1": BEFORE, "group2": AFTER}) == []


def test_references_pass() -> None:
    assert faults({"group1": {"column": "before", "where": "age > 40"}, "group2": "after"}, "over 40") == []


@pytest.mark.parametrize(
    "where", ["age > 40", "12.5 < before", "before != 13.4 and before != 15.2", "before between 12 and 13.5"]
)
def test_a_filter_nobody_asked_for_is_refused(where: str) -> None:
    assert any("no source" in m for m in faults({"data": {"column": "before", "where": where}}))
    said = "over forty, over 40, over 12.5, without 13.4 and 15.2, between 12 and 13.5"
    assert faults({"data": {"column": "before", "where": where}}, said) == []


@pytest.mark.parametrize("where", ["sex = 'f'", "before > 0", "before = 13.4", "`x 12.5` > 0", "bp2 = 1"])
def test_levels_and_signs_need_no_word_of_the_user(where: str) -> None:
    assert faults({"data": {"column": "before", "where": where}}) == []


def test_two_rows_picked_from_the_data_are_refused() -> None:
    assert len(faults({"group1": [15.2, 14.9], "group2": [10.2, 11.1]})) == 2
    assert faults({"group1": [15.2, 14.9]}, "of 15.2 and 14.9") == []


def test_a_group_called_by_the_name_of_the_other_is_refused() -> None:
    of = {g: {"column": "before", "where": f"arm = '{g}'"} for g in ("drug", "placebo")}
    crossed = {"group1": of["drug"], "group2": of["placebo"], "group_names": ["placebo", "drug"]}
    assert "The group called 'placebo' selects 'drug'." in faults(crossed)
    assert faults({**crossed, "group_names": ["drug", "placebo"]}) == []
    assert faults({**crossed, "group_names": ["treated", "control"]}) == []
    assert len(faults({"groups": {"drug": of["placebo"], "placebo": of["drug"]}})) == 2


def test_invented_array_is_refused() -> None:
    messages = faults({"group1": [3.3, 4.4, 5.5, 6.6], "group2": AFTER})
    assert len(messages) == 1
    assert "no loaded data" in messages[0]


@pytest.mark.parametrize(
    "changed",
    [BEFORE[:-1], [*BEFORE[:2], 11.9, *BEFORE[3:]], BEFORE[::-1], [*BEFORE, 13.0]],
    ids=["dropped row", "altered value", "reordered", "added value"],
)
def test_tampered_column_is_refused_and_named(changed: list[float]) -> None:
    found = check_arguments("t_test", {"group1": changed}, user_text="", data=DATA)
    assert len(found) == 1
    assert "'before'" in found[0].message
    assert '{"column": "before"}' in found[0].hint


def test_swapped_groups_are_refused() -> None:
    found = check_arguments("anova", {"groups": {"before": AFTER, "after": BEFORE}}, user_text="", data=DATA)
    assert [f.where for f in found] == ["groups.before", "groups.after"]
    assert "column 'after'" in found[0].message


def test_numbers_typed_by_the_user_pass_in_their_order_only() -> None:
    user = "Compare 4.1, 5.2, 6.3 with 3.9, 4.4 and 5.0 please"
    assert faults({"group1": [4.1, 5.2, 6.3], "group2": [3.9, 4.4, 5.0]}, user) == []
    assert len(faults({"group1": [4.1, 6.3, 5.2]}, user)) == 1
    assert len(faults({"group1": [4.1, 5.2, 6.4]}, user)) == 1


def test_null_is_missing_in_an_inline_list() -> None:
    assert faults({"group1": [4.1, None, 5.2, 6.3]}, "values 4.1 5.2 6.3") == []


def test_conventions_and_choices_pass() -> None:
    assert faults({"alpha": 0.05, "power": 0.8, "conf_level": 0.95, "seed": 7, "lag": 3}) == []


@pytest.mark.parametrize("arguments", [{"mu0": 101.7}, {"alpha": 0.07}, {"effect_size": 0.62}, {"n": 88}])
def test_invented_parameter_is_refused(arguments: dict[str, float]) -> None:
    (message,) = faults(arguments)
    assert "has no source" in message


def test_user_parameters_pass_in_figures_words_and_percent() -> None:
    assert faults({"mu0": 101.7}, "is the mean above 101.7?") == []
    assert faults({"n": 20}, "with twenty people per group") == []
    assert faults({"proportion": 0.35}, "I expect 35 % to drop out") == []


def test_earlier_results_pass_also_as_printed() -> None:
    evidence = Evidence([{"cohens_d": 0.62341, "n": 88, "pvals": [0.012, 0.2, 0.044]}])
    assert faults({"effect_size": 0.62341, "n": 88}, evidence=evidence) == []
    assert faults({"effect_size": 0.623}, evidence=evidence) == []
    assert faults({"p_values": [0.012, 0.2, 0.044]}, evidence=evidence) == []
    assert len(faults({"p_values": [0.012, 0.2, 0.045]}, evidence=evidence)) == 1


def test_same_quantity_of_several_groups_passes() -> None:
    evidence = Evidence([{"groups": {"a": {"p": 0.01}, "b": {"p": 0.2}, "c": {"p": 0.03}}}])
    assert faults({"p_values": [0.01, 0.2, 0.03]}, evidence=evidence) == []


def test_declared_default_needs_no_source() -> None:
    assert check_arguments("x", {"trim_share": 0.17}, user_text="", defaults={"trim_share": 0.17}) == []


def test_names_are_not_numbers() -> None:
    assert faults({"formula": "b1*(1-exp(-b2*x1))/2", "var_names": ["x1", "x2"]}) == []


def test_a_constant_in_a_formula_needs_a_source() -> None:
    assert any("constant 2.5" in m for m in faults({"formula": "b1*(1-exp(-2.5*x))"}))
    assert faults({"formula": "b1*(1-exp(-2.5*x))"}, "with the rate fixed at 2.5") == []


def test_a_filter_of_the_call_itself_is_checked() -> None:
    assert any("limit 41" in m for m in faults({"where": "age > 41"}))
    assert faults({"where": "age > 41"}, "those over 41") == []


def test_rows_picked_by_hand_are_refused() -> None:
    picked = {"data": {"column": "before", "where": "before in (12.1, 11.8, 12.7)"}}
    assert len(faults(picked)) == 3
    assert faults(picked, "only 12.1, 11.8 and 12.7") == []


def test_a_scalar_that_merely_equals_a_value_of_the_data_is_refused() -> None:
    assert any("no source" in m for m in faults({"mu0": 13.4}))


def test_a_result_of_another_kind_is_no_source_for_a_parameter() -> None:
    evidence = Evidence([{"p_value": 0.07, "mean": 13.4, "n": 88}])
    assert any("no source" in m for m in faults({"alpha": 0.07}, evidence=evidence))
    assert any("no source" in m for m in faults({"n": 13.4}, evidence=evidence))
    assert faults({"mu0": 13.4, "n": 88}, evidence=evidence) == []


def test_a_part_of_a_typed_list_is_refused_unless_asked_for() -> None:
    user = "Here are my values: 4.1, 5.2, 6.3, 7.7, 8.1."
    assert faults({"data": [4.1, 5.2, 6.3, 7.7, 8.1]}, user) == []
    assert len(faults({"data": [4.1, 5.2, 6.3, 7.7]}, user)) == 1
    assert faults({"data": [4.1, 5.2, 6.3, 7.7]}, user + " Take only the first four.") == []


def test_non_finite_and_booleans_do_not_crash() -> None:
    assert faults({"group1": [math.inf, 1.5, 2.5], "flag": True})


def test_refusal_is_a_provenance_error_a_model_can_act_on() -> None:
    found = check_arguments("t_test", {"group1": BEFORE[:-1], "mu0": 9.9}, user_text="", data=DATA)
    error = refuse("t_test", found)
    assert isinstance(error, ProvenanceError)
    told = error.to_dict()
    assert told["code"] == "no_provenance"
    assert '{"column": NAME, "where": EXPR}' in told["hint"]
    assert told["where"] == "group1"
