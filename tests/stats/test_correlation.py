"""Correlations: offsets and scales, exact lines, constants, ties, exact p values, differential against scipy."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats._comoments import discordance
from statistikles.stats.correlation import kendall, partial_correlation, pearson, spearman


def call(method: str, x: Any, y: Any, **more: Any) -> dict[str, Any]:
    return execute_tool("correlation", {"method": method, "x": x, "y": y, **more})


def pair(seed: int, n: int, ties: bool = False) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = 0.5 * x + rng.normal(size=n)
    return (np.round(x, 1), np.round(y)) if ties else (x, y)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", [False, True])
def test_the_same_as_scipy(seed: int, ties: bool) -> None:
    x, y = pair(seed, 40, ties)
    for ours, theirs in (
        (pearson(x, y), stats.pearsonr(x, y)),
        (spearman(x, y), stats.spearmanr(x, y)),
    ):
        assert ours.estimate == pytest.approx(theirs.statistic, rel=1e-12)
        assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    tau = kendall(x, y)
    assert tau.estimate == pytest.approx(stats.kendalltau(x, y).statistic, rel=1e-12)
    asymptotic = stats.kendalltau(x, y, method="asymptotic")
    assert tau.also["normal_approximation"].p_value == pytest.approx(asymptotic.pvalue, rel=1e-9)
    assert tau.effect_sizes["somers_d_yx"].estimate == pytest.approx(stats.somersd(x, y).statistic, rel=1e-12)
    assert tau.effect_sizes["tau_c"].estimate == pytest.approx(
        stats.kendalltau(x, y, variant="c").statistic, rel=1e-12
    )


@pytest.mark.parametrize("seed", range(5))
def test_one_sided_p_values(seed: int) -> None:
    x, y = pair(seed, 15)
    for alternative in ("greater", "less"):
        assert pearson(x, y, alternative=alternative).p_value == pytest.approx(
            stats.pearsonr(x, y, alternative=alternative).pvalue, rel=1e-9
        )
        assert kendall(x, y, alternative=alternative).p_value == pytest.approx(
            stats.kendalltau(x, y, alternative=alternative, method="exact").pvalue, rel=1e-9
        )
    greater = pearson(x, y, alternative="greater")
    assert greater.conf_high is None
    assert "one-sided" in greater.undefined["conf_high"]


@pytest.mark.parametrize("offset", [1e9, -3e12])
def test_an_offset_costs_no_digits(offset: float) -> None:
    x, y = [1.0, 2.0, 3.0, 4.0, 6.0], [2.0, 1.0, 4.0, 3.0, 7.0]
    moved = pearson([v + offset for v in x], [v - offset for v in y])  # type: ignore[arg-type]
    assert moved.estimate == pearson(x, y).estimate  # type: ignore[arg-type]
    assert moved.p_value == pytest.approx(pearson(x, y).p_value, rel=1e-14)  # type: ignore[arg-type]


@pytest.mark.parametrize("power", [-1000, -600, 600, 1000])
def test_the_scale_does_not_matter(power: int) -> None:
    x, y = pair(3, 12)
    assert call("pearson", (x * 2.0**power).tolist(), y.tolist())["statistic"] == pearson(x, y).statistic


@pytest.mark.parametrize("method", ["pearson", "spearman", "kendall", "partial"])
def test_a_constant_has_no_correlation(method: str) -> None:
    more = {"covariates": [[1, 3, 2, 5, 4, 7]]} if method == "partial" else {}
    result = call(method, [1, 2, 3, 4, 5, 6], [7] * 6, **more)
    assert result["code"] == "zero_variance"
    assert "'y'" in result["error"]


def test_an_exact_line_is_one_and_says_so() -> None:
    result = call("pearson", [1, 2, 3, 4], [3, 5, 7, 9])
    assert result["estimate"] == 1.0
    assert result["p_value"] == 0.0
    assert result["statistic"] is None
    assert "infinite" in result["undefined"]["statistic"]
    assert "±1" in result["undefined"]["conf_low"]
    assert any("limit" in w for w in result["warnings"])
    assert call("pearson", [1, 2, 3, 4], [9, 7, 5, 3], alternative="greater")["p_value"] == 1.0


def test_almost_a_line_is_not_a_line() -> None:
    x = np.arange(1.0, 11.0)
    y = x.copy()
    y[4] += 1e-12
    result = pearson(x, y)
    assert result.statistic is not None
    # 1 - r² to first order: variance of the disturbance beside that of the line
    unexplained = (1e-12**2 * (1 - 1 / 10 - 0.5**2 / 82.5)) / 82.5
    actual = y[4] - x[4]
    expected = math.sqrt(8 / (unexplained * (actual / 1e-12) ** 2))
    assert result.statistic == pytest.approx(expected, rel=1e-5)
    assert 0 < result.p_value < 1e-90  # type: ignore[operator]


def test_a_perfect_order_gets_its_exact_p() -> None:
    result = call("spearman", [1, 2, 3, 4, 5], [1, 4, 9, 16, 25])
    assert result["p_value"] == pytest.approx(2 / math.factorial(5))
    assert result["also"]["exact"]["p_value"] == pytest.approx(2 / math.factorial(5))
    assert "exact" in result["method"]
    long = call("spearman", list(range(14)), [v**3 for v in range(14)])
    assert long["p_value"] == pytest.approx(2 / math.factorial(14))
    assert long["also"]["exact"]["p_value"] is None
    tied = call("spearman", [1, 1, 2, 3, 4], [5, 5, 6, 7, 8])
    assert tied["p_value"] == pytest.approx(tied["also"]["exact"]["p_value"])


def listed_spearman(x: list[float], y: list[float]) -> float:
    rx, ry = stats.rankdata(x), stats.rankdata(y)
    observed = float(rx @ ry)
    values = np.array([float(rx @ np.array(p)) for p in itertools.permutations(ry)])
    lower, upper = np.mean(values <= observed + 1e-9), np.mean(values >= observed - 1e-9)
    return float(min(1.0, 2 * min(lower, upper)))


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([1, 2, 2.5, 2], [1, 3, 2.5, 4]),
        ([1, 2, 3, 4, 5, 6], [2, 1, 1, 5, 4, 6]),
        ([3, 1, 3, 2, 1, 5], [1, 1, 2, 2, 3, 3]),
    ],
)
def test_the_exact_spearman_p_is_that_of_all_orderings(x: list[float], y: list[float]) -> None:
    assert call("spearman", x, y)["also"]["exact"]["p_value"] == pytest.approx(listed_spearman(x, y))


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=40),
)
def test_pairs_are_counted_right(points: list[tuple[int, int]]) -> None:
    brute = sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in itertools.combinations(points, 2))
    x, y = (np.array(v, dtype=float) for v in zip(*points, strict=True))
    if len(set(y)) > 1:
        assert discordance(x, y) == brute


def test_kendall_of_many_values_is_quick_and_right() -> None:
    x, y = pair(9, 30_000, ties=True)
    ours = kendall(x, y)
    assert ours.estimate == pytest.approx(stats.kendalltau(x, y).statistic, rel=1e-12)
    assert "normal approximation" in ours.method


def test_tau_b_of_a_diagonal_table_is_one() -> None:
    result = call("kendall", [0] * 5 + [1] * 5, [0] * 5 + [1] * 5)
    assert result["estimate"] == 1.0
    assert result["effect_sizes"]["gamma"]["estimate"] == 1.0


def test_missing_pairs_are_dropped_jointly_and_counted() -> None:
    result = call("pearson", [1, None, 3, 4, 5], [2, 1, None, 3, 7])
    assert result["n"] == 3
    assert result["n_missing"] == 2
    assert call("pearson", [1, 2, 3], [1, 2])["code"] == "length_mismatch"
    assert call("pearson", [1, 2, None], [1, 2, 3])["code"] == "too_few_values"


def test_too_few_rows_leave_the_interval_out() -> None:
    result = call("pearson", [1, 2, 4], [1, 3, 2])
    assert result["conf_low"] is None
    assert "too few" in result["undefined"]["conf_low"]
    assert 0 < result["p_value"] < 1


def test_partial_correlation_with_repeated_or_constant_covariates() -> None:
    x, y = pair(1, 20)
    z = np.random.default_rng(5).normal(size=20)
    once = partial_correlation(x, y, covariates=[z])  # type: ignore[arg-type]
    repeated = partial_correlation(x, y, covariates=[z, 2 * z + 1, np.ones(20)])  # type: ignore[arg-type]
    assert repeated.estimate == pytest.approx(once.estimate, rel=1e-12)
    assert repeated.df == once.df
    assert any("add nothing" in w for w in repeated.warnings)


def test_partial_correlation_refuses_what_the_covariates_explain() -> None:
    x, y = pair(2, 12)
    with pytest.raises(NotDefined, match="fully explained"):
        partial_correlation(x, y, covariates=[3 * x - 1])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="at least"):
        partial_correlation(x[:4], y[:4], covariates=[x[:4] ** 2, x[:4] ** 3])  # type: ignore[arg-type]


def test_partial_correlation_at_a_large_offset() -> None:
    rng = np.random.default_rng(8)
    x, y, z = rng.integers(0, 50, (3, 30)).astype(float)
    plain = partial_correlation(x, y, covariates=[z])  # type: ignore[arg-type]
    moved = partial_correlation(x + 1e9, y - 1e9, covariates=[z + 1e9])  # type: ignore[arg-type]
    assert moved.estimate == pytest.approx(plain.estimate, rel=1e-12)


def test_pearson_is_the_default() -> None:
    arguments = {"x": [1, 2, 3, 4], "y": [1, 3, 2, 5]}
    assert execute_tool("correlation", arguments) == execute_tool(
        "correlation", {"method": "pearson", **arguments}
    )
    assert execute_tool("correlation", {"method": "nonsense", **arguments})["code"] == "unknown_option"


@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=5, max_size=20).filter(
        lambda p: len({a for a, _ in p}) > 1 and len({b for _, b in p}) > 1
    ),
    st.sampled_from(["pearson", "spearman", "kendall"]),
)
def test_bounds_hold_and_the_sign_turns(points: list[tuple[int, int]], method: str) -> None:
    x, y = (list(v) for v in zip(*points, strict=True))
    result, mirrored = call(method, x, y), call(method, x, [-v for v in y])
    assert "error" not in result, result
    assert -1 <= result["estimate"] <= 1
    assert mirrored["estimate"] == pytest.approx(-result["estimate"], abs=1e-12)
    assert mirrored["p_value"] == pytest.approx(result["p_value"], rel=1e-9)
    low, high = result["conf_low"], result["conf_high"]
    if low is not None:
        assert low <= result["estimate"] + 1e-12
        assert result["estimate"] <= high + 1e-12
