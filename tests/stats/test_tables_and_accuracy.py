"""Frequency tables, diagnostic accuracy and reduction in error: degenerate input, traps, differential tests."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from statistikles import execute_tool
from statistikles.stats._two_by_two import wilson_bounds


def frequency(data: Any, **more: Any) -> dict[str, Any]:
    return execute_tool("frequency_analysis", {"data": data, **more})


def diagnostic(tp: int, fn: int, tn: int, fp: int, **more: Any) -> dict[str, Any]:
    arguments = {"true_positive": tp, "false_negative": fn, "true_negative": tn, "false_positive": fp}
    return execute_tool("diagnostic_metrics", {**arguments, **more})


def suite(table: Any) -> dict[str, Any]:
    return execute_tool("pre_suite", {"contingency_matrix": table})


# Frequencies ---------------------------------------------------------------------------------------------


@given(st.lists(st.one_of(st.integers(-5, 5), st.sampled_from(["a", "B", "ß"])), min_size=1, max_size=40))
def test_counts_add_up(data: list[Any]) -> None:
    result = frequency(data)
    counts = Counter(data)
    assert {row["value"]: row["count"] for row in result["rows"]} == counts
    assert [row["count"] for row in result["rows"]] == sorted(counts.values(), reverse=True)
    assert result["rows"][-1]["cumulative_proportion"] == 1.0
    assert set(result["details"]["modes"]) == {v for v, c in counts.items() if c == max(counts.values())}
    for row in result["rows"]:
        assert row["conf_low"] <= row["proportion"] <= row["conf_high"]


def test_a_bare_string_is_a_text_even_when_a_column_has_that_name() -> None:
    result = execute_tool("frequency_analysis", {"data": "x y x"}, data={"t": {"x y x": [1, 2], "x": [3, 4]}})
    assert {row["value"]: row["count"] for row in result["rows"]} == {"x": 2, "y": 1}


def test_words_of_any_script_are_counted() -> None:
    rows = frequency("Ένα, ένα — δύο! L'été l’été naïve-bayes 3")["rows"]
    assert {row["value"]: row["count"] for row in rows} == {
        "ένα": 2, "δύο": 1, "l'été": 1, "l’été": 1, "naïve-bayes": 1, "3": 1
    }  # fmt: skip


def test_all_modes_are_named_and_missing_values_counted() -> None:
    result = frequency(["a", None, "b", "a", "b", "c"])
    assert result["details"]["modes"] == ["a", "b"]
    assert result["n_missing"] == 1
    assert result["n"] == 5
    assert any("equally often" in w for w in frequency([1, 2, 3])["warnings"])
    assert "warnings" not in frequency([1, 1])


def test_true_is_not_one() -> None:
    rows = frequency([True, 1, 1.0, "1", False])["rows"]
    assert {(str(type(r["value"]).__name__), r["value"]): r["count"] for r in rows} == {
        ("int", 1): 2, ("str", "1"): 1, ("str", "true"): 1, ("str", "false"): 1
    }  # fmt: skip


def test_bins_cover_every_value() -> None:
    data = np.random.default_rng(1).normal(size=200).tolist()
    result = frequency(data, bins=7, order="value")
    counts, _ = np.histogram(data, 7)
    assert [row["count"] for row in result["rows"]] == counts.tolist()
    assert frequency(["a", 1], bins=3)["code"] == "invalid_input"
    assert frequency([2, 2], bins=3)["code"] == "invalid_input"


def test_a_numeric_column_is_counted_as_numbers() -> None:
    table = {"t": {"score": [10, 2, 9, 2, 10, 10], "code": ["007", "12", "007", "12", "3", "3"]}}
    rows = execute_tool("frequency_analysis", {"data": {"column": "score"}, "order": "value"}, data=table)[
        "rows"
    ]
    assert [(row["value"], row["count"]) for row in rows] == [(2, 2), (9, 1), (10, 3)]
    codes = frequency(["007", "12", "007"])
    assert {row["value"] for row in codes["rows"]} == {"007", "12"}
    binned = execute_tool("frequency_analysis", {"data": {"column": "score"}, "bins": 2}, data=table)
    assert [row["count"] for row in binned["rows"]] == [4, 2]


def test_long_tables_are_cut_and_it_is_said() -> None:
    result = frequency(list(range(1500)))
    assert len(result["rows"]) == 1000
    assert any("1500" in w for w in result["warnings"])
    assert len(frequency([1, 2, 2, 3], top=2)["rows"]) == 2


@pytest.mark.parametrize("bad", [[], [None, None], "", "  ...  ", {"a": 1}, 3])
def test_nothing_to_count_is_refused(bad: Any) -> None:
    result = frequency(bad)
    assert "error" in result
    assert result["code"] != "internal"


# Diagnostics ---------------------------------------------------------------------------------------------


def test_undefined_measures_carry_their_reason() -> None:
    result = diagnostic(0, 0, 5, 1)
    assert result["sensitivity"] is None
    assert "no diseased" in result["undefined"]["sensitivity"]
    assert result["undefined"]["positive_likelihood_ratio"]
    assert result["specificity"] == 5 / 6
    perfect = diagnostic(5, 0, 5, 0)
    assert perfect["sensitivity"] == perfect["mcc"] == perfect["cohens_kappa"] == 1.0
    assert "infinite" in perfect["undefined"]["positive_likelihood_ratio"]
    assert perfect["negative_likelihood_ratio"] == 0.0
    alike = diagnostic(5, 0, 0, 5)
    assert alike["npv"] is None
    assert alike["mcc"] is None
    assert diagnostic(5, 0, 0, 0)["cohens_kappa"] is None


@given(st.tuples(*[st.integers(0, 30)] * 4).filter(any))
def test_every_null_is_explained_and_every_interval_holds_its_estimate(cells: tuple[int, ...]) -> None:
    result = diagnostic(*cells)
    for key, value in result.items():
        if value is None:
            assert result["undefined"][key], key
    for name, interval in result["intervals"].items():
        low, high = interval.get("conf_low"), interval.get("conf_high")
        if low is not None and high is not None:
            assert low <= interval["estimate"] + 1e-12, name
            assert interval["estimate"] <= high + 1e-12, name


def test_predictive_values_at_another_prevalence() -> None:
    result = diagnostic(90, 10, 160, 40, prevalence=0.01)
    assert result["ppv_adjusted"] == pytest.approx(0.9 * 0.01 / (0.9 * 0.01 + 0.2 * 0.99))
    assert result["npv_adjusted"] == pytest.approx(0.8 * 0.99 / (0.8 * 0.99 + 0.1 * 0.01))
    same = diagnostic(90, 10, 160, 40, prevalence=1 / 3)
    assert same["ppv_adjusted"] == pytest.approx(same["ppv"])


def test_labels_give_the_same_as_counts() -> None:
    actual = ["ill"] * 5 + ["well"] * 6
    predicted = ["ill"] * 4 + ["well"] * 5 + ["ill"] * 2
    by_labels = execute_tool(
        "diagnostic_metrics", {"actual": actual, "predicted": predicted, "positive": "ill"}
    )
    by_counts = diagnostic(4, 1, 4, 2)
    assert {**by_counts, "n_missing": 0} == by_labels
    unsaid = execute_tool("diagnostic_metrics", {"actual": actual, "predicted": predicted})
    assert "positive" in unsaid["error"]
    third = execute_tool("diagnostic_metrics", {"actual": ["a", "b", "c"], "predicted": ["a", "b", "b"]})
    assert third["code"] == "shape"


@pytest.mark.parametrize(("k", "n"), [(0, 10), (10, 10), (3, 10), (1, 1000)])
def test_wilson_agrees_with_scipy(k: int, n: int) -> None:
    wanted = stats.binomtest(k, n).proportion_ci(0.95, method="wilson")
    assert wilson_bounds(k, n, 0.95) == pytest.approx((wanted.low, wanted.high), rel=1e-12, abs=1e-15)


# Reduction in error --------------------------------------------------------------------------------------


def test_tau_b_of_a_diagonal_table_is_one() -> None:
    result = suite([[5, 0], [0, 5]])
    assert result["tau_b"]["estimate"] == 1.0
    assert result["tau_b"]["conf_low"] is None
    assert result["error_reduction_percent"]["lambda_y_given_x"] == 100.0


def test_only_prediction_measures_are_read_as_error_reduction() -> None:
    percents = suite([[20, 8, 3], [10, 15, 9], [4, 7, 18]])["error_reduction_percent"]
    assert {name.split("_")[0] for name in percents} == {"lambda", "tau", "u"}
    assert not set(percents) & {"tau_b", "tau_c", "gamma", "cramers_v"}


@pytest.mark.parametrize("seed", range(6))
def test_ordinal_measures_agree_with_scipy(seed: int) -> None:
    table = np.random.default_rng(seed).integers(1, 20, (3, 4))
    x, y = np.repeat(np.arange(3), 4), np.tile(np.arange(4), 3)
    x, y = np.repeat(x, table.ravel()), np.repeat(y, table.ravel())
    result = suite(table.tolist())
    assert result["tau_b"]["estimate"] == pytest.approx(stats.kendalltau(x, y).statistic, rel=1e-12)
    assert result["tau_c"]["estimate"] == pytest.approx(
        stats.kendalltau(x, y, variant="c").statistic, rel=1e-12
    )
    assert result["somers_d_y_given_x"]["estimate"] == pytest.approx(
        stats.somersd(table).statistic, rel=1e-12
    )
    same = execute_tool("correlation", {"method": "kendall", "x": x.tolist(), "y": y.tolist()})
    assert result["gamma"]["estimate"] == pytest.approx(same["effect_sizes"]["gamma"]["estimate"], rel=1e-12)


def test_an_empty_column_is_left_out_and_named() -> None:
    result = suite([[5, 0, 3], [2, 0, 6]])
    assert any("column2" in w for w in result["warnings"])
    plain = suite([[5, 3], [2, 6]])
    assert result["tau_b"] == plain["tau_b"]
    assert suite([[5, 0], [3, 0]])["code"] == "shape"
    assert suite([[0, 0], [0, 0]])["code"] == "out_of_range"


@given(st.lists(st.lists(st.integers(0, 15), min_size=3, max_size=3), min_size=2, max_size=4))
def test_measures_stay_in_their_range(table: list[list[int]]) -> None:
    result = suite(table)
    if "error" in result:
        assert result["code"] in ("shape", "out_of_range")
        return
    for name, measure in result.items():
        if isinstance(measure, dict) and isinstance(measure.get("estimate"), float):
            lowest = (
                0.0 if name.split("_")[0] in ("lambda", "u", "cramers") or name.startswith("tau_x") else -1.0
            )
            assert lowest <= measure["estimate"] <= 1.0, name
            if measure.get("conf_low") is not None:
                assert lowest <= measure["conf_low"] <= measure["conf_high"] <= 1.0


def test_reduction_in_error_of_a_perfect_and_an_absurd_prediction() -> None:
    def call(observed: Any, predicted: Any, **more: Any) -> dict[str, Any]:
        return execute_tool("calculate_pre", {"observed": observed, "predicted": predicted, **more})

    assert call([1, 2, 3], [1, 2, 3])["pre"] == 1.0
    assert call([1, 2, 3], [2, 2, 2])["pre"] == 0.0
    assert "squared_correlation" in call([1, 2, 3], [2, 2, 2])["undefined"]
    worse = call([1, 2, 3], [9, 9, 9])
    assert worse["pre"] < 0
    assert any("worse" in w for w in worse["warnings"])
    assert call([1, 2], [1, 2], baseline=[1, 2])["code"] == "zero_variance"
    assert call([1, 2], [1, 2, 3])["code"] == "length_mismatch"
    assert call([1, 2, 4], [1, 2, 3], baseline=[1, 2])["code"] == "length_mismatch"
    assert call([1, None], [1, 2])["code"] == "too_few_values"
    huge = call([1e300, 2e300, 4e300], [1e300, 2e300, 3e300])
    assert huge["pre"] == pytest.approx(call([1, 2, 4], [1, 2, 3])["pre"], rel=1e-12)
    assert huge["e1"] is None


def test_a_large_offset_does_not_disturb_the_reduction() -> None:
    y, f = [3.0, 5, 7, 9, 12], [2.5, 5.5, 7, 9.5, 11]
    moved = {"observed": [v + 1e9 for v in y], "predicted": [v + 1e9 for v in f]}
    plain = execute_tool("calculate_pre", {"observed": y, "predicted": f})
    assert execute_tool("calculate_pre", moved)["pre"] == pytest.approx(plain["pre"], rel=1e-12)
