"""Tests of counts: exact tests against enumeration, differential against scipy, zero cells, names, strata."""

from __future__ import annotations

import itertools
import math
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from statistikles import execute_tool
from statistikles.stats._fisher import exact_table_p, simulated_table_p
from statistikles.stats.contingency import (
    chi_square_goodness_of_fit,
    chi_square_independence,
    mantel_haenszel,
)


def independence(observed: Any, **more: Any) -> dict[str, Any]:
    return execute_tool("chi_square", {"type": "independence", "observed": observed, **more})


def random_table(seed: int, rows: int, columns: int, n: int) -> np.ndarray:  # type: ignore[type-arg]
    cells = np.random.default_rng(seed).integers(0, rows * columns, n)
    return np.bincount(cells, minlength=rows * columns).reshape(rows, columns)


def enumerated_fisher(table: list[list[int]]) -> float:
    """P by listing every table with these margins, in exact fractions."""
    rows, columns = [sum(r) for r in table], [sum(c) for c in zip(*table, strict=True)]
    top = math.prod(math.factorial(v) for v in rows + columns)

    def weight(cells: tuple[int, ...]) -> Fraction:
        return Fraction(top, math.factorial(sum(rows)) * math.prod(math.factorial(v) for v in cells))

    limit = weight(tuple(v for r in table for v in r)) * (1 + Fraction(1, 10**7))
    total = Fraction(0)
    ways = [
        [w for w in itertools.product(*(range(min(r, c) + 1) for c in columns)) if sum(w) == r]
        for r in rows[:-1]
    ]
    for upper in itertools.product(*ways):
        last = [c - sum(w[j] for w in upper) for j, c in enumerate(columns)]
        if min(last) >= 0:
            probability = weight((*itertools.chain(*upper), *last))
            total += probability if probability <= limit else 0
    return float(total)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("shape", [(2, 3), (3, 3), (3, 2), (2, 4)])
def test_the_exact_test_is_the_sum_over_all_tables(seed: int, shape: tuple[int, int]) -> None:
    table = random_table(seed, *shape, 12) + 0
    if (table.sum(axis=0) == 0).any() or (table.sum(axis=1) == 0).any():
        table = table + 1
    found = exact_table_p(table)
    assert found == pytest.approx(enumerated_fisher(table.tolist()), rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_two_by_two_agrees_with_scipy(seed: int) -> None:
    table = random_table(seed, 2, 2, 30) + 1
    result = chi_square_independence(table)
    plain = stats.chi2_contingency(table, correction=False)
    yates = stats.chi2_contingency(table, correction=True)
    assert result.statistic == pytest.approx(plain.statistic, rel=1e-12, abs=1e-14)
    assert result.p_value == pytest.approx(plain.pvalue, rel=1e-11)
    assert result.also["yates"].p_value == pytest.approx(yates.pvalue, rel=1e-11)
    fisher = result.also["fisher_exact"]
    assert fisher.p_value == pytest.approx(stats.fisher_exact(table).pvalue, rel=1e-10)
    odds = stats.contingency.odds_ratio(table, kind="conditional")
    assert fisher.estimate == pytest.approx(odds.statistic, rel=1e-6)
    interval = odds.confidence_interval(0.95)
    assert fisher.conf_low == pytest.approx(interval.low, rel=1e-6)
    assert fisher.conf_high == pytest.approx(interval.high, rel=1e-6)


@pytest.mark.parametrize("seed", range(10))
def test_larger_tables_agree_with_scipy(seed: int) -> None:
    table = random_table(seed, 4, 3, 200)
    result = chi_square_independence(table)
    assert result.statistic == pytest.approx(stats.chi2_contingency(table).statistic, rel=1e-12)
    g = stats.chi2_contingency(table, lambda_="log-likelihood")
    assert result.also["g_test"].statistic == pytest.approx(g.statistic, rel=1e-10)
    v = stats.contingency.association(table, method="cramer")
    assert result.effect_size is not None
    assert result.effect_size.estimate == pytest.approx(v, rel=1e-12)


def test_fisher_keeps_far_tails_apart() -> None:
    """An absolute tolerance would add every outcome below it and flatten tiny p values."""
    table = [[60, 2], [3, 55]]
    found = independence(table)["also"]["fisher_exact"]["p_value"]
    assert 0 < found < 1e-20
    (a, b), (c, d) = table
    total = math.comb(a + b + c + d, a + c)
    outcomes = {
        k: Fraction(math.comb(a + b, k) * math.comb(c + d, a + c - k), total) for k in range(3, a + c + 1)
    }
    limit = outcomes[a] * (1 + Fraction(1, 10**7))
    exact = float(sum(p for p in outcomes.values() if p <= limit))
    assert found == pytest.approx(exact, rel=1e-10)


def test_three_by_four_with_forty_counts_is_exact_within_a_second() -> None:
    for table in ([[3, 4, 3, 3], [4, 3, 3, 3], [3, 3, 4, 4]], [[6, 1, 3, 3], [2, 5, 3, 3], [1, 3, 4, 6]]):
        start = time.process_time()
        fisher = independence(table)["also"]["fisher_exact"]
        assert time.process_time() - start < 1.0
        assert "exact: all tables" in fisher["method"]


def test_too_many_tables_are_simulated_and_it_is_said() -> None:
    table = (random_table(4, 6, 6, 400) + 1).tolist()
    result = independence(table, seed=11, n_reps=4000)
    fisher = result["also"]["fisher_exact"]
    assert "Monte Carlo" in fisher["method"]
    assert result["seed"] == 11
    assert fisher["details"]["n_reps"] == 4000
    assert 0 < fisher["details"]["p_std_error"] < 0.01
    assert independence(table, seed=11, n_reps=4000) == result
    assert independence(table, seed=12, n_reps=4000)["also"]["fisher_exact"]["p_value"] != fisher["p_value"]


@pytest.mark.parametrize("seed", range(5))
def test_the_simulation_agrees_with_the_exact_test(seed: int) -> None:
    table = random_table(seed, 3, 4, 40)
    exact, simulated = exact_table_p(table), simulated_table_p(table, 20_000, seed)
    assert exact is not None
    assert simulated is not None
    assert abs(simulated[0] - exact) < 4.5 * max(simulated[1], 1e-4)


def test_zero_cells_are_said_not_divided_by() -> None:
    effects = independence([[5, 0], [1, 4]])["effect_sizes"]
    assert effects["odds_ratio"]["estimate"] is None
    assert "infinite" in effects["odds_ratio"]["undefined"]["estimate"]
    assert effects["odds_ratio_corrected"]["estimate"] == pytest.approx(5.5 * 4.5 / (0.5 * 1.5))
    both = independence([[3, 2], [0, 0]])
    assert both["code"] == "zero_margin"
    none = independence([[0, 4], [0, 3]])
    assert none["code"] == "zero_margin"
    diagonal = independence([[0, 4], [3, 0]])["effect_sizes"]
    assert diagonal["odds_ratio"]["estimate"] == 0.0
    assert diagonal["phi"]["estimate"] == -1.0


def test_yates_never_corrects_past_zero() -> None:
    result = independence([[10, 10], [10, 11]])
    assert result["also"]["yates"]["statistic"] == 0.0
    assert result["also"]["yates"]["p_value"] == 1.0


def test_independent_counts_give_exactly_zero() -> None:
    result = independence([[10, 20, 30], [20, 40, 60]])
    assert result["statistic"] == 0.0
    assert result["p_value"] == 1.0
    assert result["effect_size"]["estimate"] == 0.0


def test_small_expected_counts_are_warned_of() -> None:
    assert any("below 5" in w for w in independence([[3, 1], [1, 3]])["warnings"])
    assert "warnings" not in independence([[30, 10], [10, 30]])


def test_labels_are_crossed_with_their_names() -> None:
    arguments = {
        "type": "independence",
        "x": ["b", "a", "a", None, "b", "a", "b"],
        "y": [1, 0, 0, 1, 1, 1, None],
    }
    result = execute_tool("chi_square", arguments)
    assert result["details"]["observed"] == {"a": {"0": 2, "1": 1}, "b": {"0": 0, "1": 2}}
    assert result["n_missing"] == 2
    assert result["n"] == 5
    table = independence([[2, 1], [0, 2]], row_names=["a", "b"], column_names=["0", "1"])
    for key in ("statistic", "p_value", "details"):
        assert table[key] == result[key]


@pytest.mark.parametrize(
    "bad",
    [
        [[1, -1], [2, 3]],
        [[1.5, 2], [3, 4]],
        [[1, 2]],
        [[1], [2]],
        [[1, 2], [3]],
        [[1e300, 1], [1, 1]],
        "x",
        3,
    ],
)
def test_what_is_not_a_table_of_counts_is_refused(bad: Any) -> None:
    result = independence(bad)
    assert "error" in result
    assert result["code"] != "internal"


def test_names_must_match() -> None:
    assert independence([[1, 2], [3, 4]], row_names=["a"])["code"] == "length_mismatch"


def test_huge_counts_are_answered() -> None:
    result = independence([[10**12, 2 * 10**12], [2 * 10**12, 4 * 10**12 + 10**7]])
    assert result["statistic"] > 0
    assert result["also"]["fisher_exact"]["p_value"] is None
    assert result["effect_size"]["estimate"] > 0


@given(st.lists(st.lists(st.integers(0, 12), min_size=3, max_size=3), min_size=2, max_size=4))
def test_bounds_hold_and_transposing_changes_nothing(table: list[list[int]]) -> None:
    result = independence(table)
    if "error" in result:
        assert result["code"] == ("zero_margin" if any(map(any, table)) else "out_of_range")
        return
    turned = independence([list(c) for c in zip(*table, strict=True)])
    assert turned["statistic"] == pytest.approx(result["statistic"], abs=1e-12)
    assert turned["also"]["fisher_exact"]["p_value"] == pytest.approx(
        result["also"]["fisher_exact"]["p_value"], rel=1e-9
    )
    assert 0 <= result["effect_size"]["estimate"] <= 1
    assert result["effect_size"]["conf_low"] <= result["effect_size"]["conf_high"]


@given(st.lists(st.integers(0, 12), min_size=2, max_size=4).filter(lambda o: sum(o) > 0))
def test_goodness_of_fit_agrees_with_scipy(observed: list[int]) -> None:
    result = execute_tool("chi_square", {"type": "goodness_of_fit", "observed": observed})
    wanted = stats.chisquare(observed)
    assert result["statistic"] == pytest.approx(wanted.statistic, rel=1e-10, abs=1e-12)
    assert result["p_value"] == pytest.approx(wanted.pvalue, rel=1e-10)
    if len(observed) == 2:
        exact = stats.binomtest(observed[0], sum(observed)).pvalue
        assert result["also"]["exact"]["p_value"] == pytest.approx(exact, rel=1e-10)


def test_goodness_of_fit_refuses_what_cannot_be() -> None:
    def call(**arguments: Any) -> str:
        return str(execute_tool("chi_square", {"type": "goodness_of_fit", **arguments})["code"])

    assert call(observed=[0, 0, 0]) == "invalid_input"
    assert call(observed=[3, 4], expected_proportions=[0.5, 0.3, 0.2]) == "length_mismatch"
    assert call(data=["a", "a"]) == "too_few_values"
    assert call() == "missing_argument"
    assert any(
        "rescaled" in w for w in chi_square_goodness_of_fit([9, 3], expected_proportions=[3, 1]).warnings
    )  # type: ignore[arg-type]


def test_strata_from_labels_equal_strata_from_tables() -> None:
    tables = [[[4, 8], [2, 11]], [[9, 3], [6, 7]]]
    rows: list[tuple[str, str, str]] = []
    for s, table in zip("AB", tables, strict=True):
        for i, j in itertools.product(range(2), range(2)):
            rows += [(f"r{i}", f"c{j}", s)] * table[i][j]
    x, y, strata = (list(v) for v in zip(*rows, strict=True))
    by_labels = mantel_haenszel(x=x, y=y, strata=strata).to_dict()  # type: ignore[arg-type]
    by_tables = mantel_haenszel(tables, names=("A", "B")).to_dict()
    told = by_labels.pop("conventions")  # labels have names, so it is said which way round the odds ratio is
    assert told == [*by_tables.pop("conventions"), "odds of 'c0' rather than 'c1': 'r0' against 'r1'"]
    assert by_labels == {**by_tables, "n_missing": 0}


def test_strata_without_information_are_left_out_and_named() -> None:
    tables = [[[4, 8], [2, 11]], [[3, 4], [0, 0]]]
    result = mantel_haenszel(tables)
    assert any("stratum2" in w for w in result.warnings)
    assert result.n == 25
    assert "single stratum" in result.also["breslow_day"].undefined["p_value"]


def test_an_infinite_common_odds_ratio_is_said() -> None:
    result = mantel_haenszel([[[4, 0], [2, 3]], [[3, 0], [2, 5]]])
    assert result.estimate is None
    assert "infinite" in result.undefined["estimate"]
    assert result.p_value is not None


def test_mantel_haenszel_agrees_with_statsmodels() -> None:
    from statsmodels.stats.contingency_tables import StratifiedTable

    tables = [np.array([[4, 8], [2, 11]]), np.array([[9, 3], [6, 7]]), np.array([[12, 5], [8, 9]])]
    theirs = StratifiedTable([t.astype(float) for t in tables])
    ours = mantel_haenszel([t.tolist() for t in tables])
    assert ours.estimate == pytest.approx(theirs.oddsratio_pooled, rel=1e-12)
    assert (ours.conf_low, ours.conf_high) == pytest.approx(theirs.oddsratio_pooled_confint(), rel=1e-9)
    assert ours.p_value == pytest.approx(theirs.test_null_odds(correction=False).pvalue, rel=1e-9)
    for adjust, key in ((False, "breslow_day"), (True, "breslow_day_tarone")):
        assert ours.also[key].statistic == pytest.approx(
            theirs.test_equal_odds(adjust=adjust).statistic, rel=1e-9
        )
