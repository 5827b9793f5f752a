"""MANOVA: perfect separation, equivalence to ANOVA and Hotelling's T², extreme scales, agreement with statsmodels."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.stats import one_way_anova, one_way_manova

RNG = np.random.default_rng(5)


def sample(n: int, p: int, g: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = np.array([f"g{i % g}" for i in range(n)], dtype=object)
    shift = rng.normal(size=(g, p))
    return rng.normal(size=(n, p)) + shift[np.arange(n) % g], labels


@given(p=st.integers(1, 4), g=st.integers(2, 4), seed=st.integers(0, 10**6))
def test_statistics_agree_with_determinants_and_traces(p: int, g: int, seed: int) -> None:
    x, labels = sample(24, p, g, seed)
    means = {k: x[labels == k].mean(axis=0) for k in set(labels)}
    within = x - np.array([means[k] for k in labels])
    e, t = within.T @ within, (x - x.mean(axis=0)).T @ (x - x.mean(axis=0))
    also = one_way_manova(x, labels).also
    assert also["wilks"].estimate == pytest.approx(np.linalg.det(e) / np.linalg.det(t), rel=1e-9)
    assert also["pillai"].estimate == pytest.approx(np.trace((t - e) @ np.linalg.inv(t)), rel=1e-9)
    assert also["hotelling_lawley"].estimate == pytest.approx(np.trace((t - e) @ np.linalg.inv(e)), rel=1e-9)
    assert also["roy"].estimate == pytest.approx(
        max(np.linalg.eigvals((t - e) @ np.linalg.inv(e)).real), rel=1e-8
    )


@pytest.mark.parametrize(("p", "g"), [(2, 2), (3, 3), (3, 4)])
def test_statsmodels_agrees(p: int, g: int) -> None:
    from statsmodels.multivariate.manova import MANOVA

    x, labels = sample(30, p, g, 11)
    design = np.column_stack([(labels == f"g{i}").astype(float) for i in range(g)])
    design[:, 0] = 1.0
    contrast = np.eye(g)[1:]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = MANOVA(x, design).mv_test([("g", contrast)]).results["g"]["stat"]
    for key, name in (
        ("wilks", "Wilks' lambda"),
        ("pillai", "Pillai's trace"),
        ("hotelling_lawley", "Hotelling-Lawley trace"),
    ):
        found = one_way_manova(x, labels).also[key]
        assert found.estimate == pytest.approx(float(table.loc[name, "Value"]), rel=1e-8)
    assert one_way_manova(x, labels).p_value == pytest.approx(
        float(table.loc["Wilks' lambda", "Pr > F"]), rel=1e-7
    )


def test_one_outcome_is_the_analysis_of_variance() -> None:
    x, labels = sample(20, 1, 3, 2)
    single = one_way_manova(x, labels)
    anova = one_way_anova({k: x[labels == k, 0] for k in sorted(set(labels))})
    assert single.statistic == pytest.approx(anova.statistic, rel=1e-12)
    assert single.p_value == pytest.approx(anova.p_value, rel=1e-10)
    for test in single.also.values():
        assert test.p_value == pytest.approx(anova.p_value, rel=1e-9)


def test_two_groups_give_four_times_hotellings_test() -> None:
    x, labels = sample(22, 3, 2, 7)
    assert {round(t.p_value, 12) for t in one_way_manova(x, labels).also.values()} == {
        round(one_way_manova(x, labels).p_value, 12)
    }


def test_perfect_separation_is_lambda_zero_with_p_zero_not_one() -> None:
    x = np.array([[1.0, 5], [1, 7], [1, 6], [2, 5], [2, 9], [2, 6]])
    result = one_way_manova(x, np.array(list("aaabbb"), dtype=object))
    assert result.estimate == 0.0
    assert result.p_value == 0.0
    assert result.statistic is None
    assert result.effect_size.estimate == 1.0
    assert result.also["hotelling_lawley"].estimate is None
    assert any("perfect" in w for w in result.warnings)
    assert result.also["pillai"].estimate == pytest.approx(1.0)
    shown = result.to_dict()
    assert shown["undefined"]["statistic"]
    assert shown["details"]["undefined"]["eigenvalues"]


def test_separation_survives_an_offset_and_rounding() -> None:
    x = np.array([[0.1, 5], [0.1, 7], [0.1, 6], [0.3, 5], [0.3, 9], [0.3, 6]])
    for shift in (0.0, 1e6, 1e9):
        assert one_way_manova(x + shift, np.array(list("aaabbb"), dtype=object)).estimate == 0.0


def test_nearly_separated_groups_are_still_measured() -> None:
    rng = np.random.default_rng(0)
    x = np.repeat([[0.0, 0.0], [1.0, 3.0]], 6, axis=0) + 1e-6 * rng.normal(size=(12, 2))
    result = one_way_manova(x, np.repeat(np.array(["a", "b"], dtype=object), 6))
    assert 0 < result.estimate < 1e-9
    assert 0 < result.p_value < 1e-30


@pytest.mark.parametrize("power", [-600, 600])
def test_extreme_scales(power: int) -> None:
    x, labels = sample(20, 2, 3, 3)
    far = one_way_manova(np.ldexp(x, [power, 0]), labels)
    assert far.statistic == pytest.approx(one_way_manova(x, labels).statistic, rel=1e-12)


def test_identical_groups_have_no_effect() -> None:
    block = np.array([[1.0, 2], [2, 5], [4, 1]])
    result = one_way_manova(np.vstack((block, block)), np.array(list("aaabbb"), dtype=object))
    assert result.estimate == pytest.approx(1.0)
    assert result.p_value == pytest.approx(1.0)
    assert result.effect_size.conf_low == 0.0


def test_numeric_labels_and_missing_ones() -> None:
    result = execute_tool(
        "advanced_modeling",
        {
            "type": "manova",
            "x": [[1, 2, 3, 5, 4, 9], [2, 1, 4, 3, 7, 6]],
            "group_ids": [2, 2, 10, 10, None, 10],
        },
    )
    assert list(result["groups"]) == ["2", "10"]
    assert result["n_missing"] == 1


def test_a_constant_outcome_is_named() -> None:
    result = execute_tool(
        "advanced_modeling",
        {
            "type": "manova",
            "x": [[1, 2, 3, 5], [2, 2, 2, 2]],
            "group_ids": list("aabb"),
            "var_names": ["u", "v"],
        },
    )
    assert result["code"] == "zero_variance"
    assert "'v'" in result["error"]


def test_interval_holds_the_estimate() -> None:
    for seed in range(8):
        x, labels = sample(40, 3, 4, seed)
        size = one_way_manova(x, labels).effect_size
        assert size.conf_low <= size.estimate <= size.conf_high
        assert math.isfinite(size.conf_high)


def test_many_groups_without_effect_have_an_interval_from_zero() -> None:
    rng = np.random.default_rng(0)
    result = one_way_manova(
        rng.normal(size=(1000, 5)), np.array([f"g{i % 50}" for i in range(1000)], dtype=object)
    )
    assert result.effect_size.conf_low == 0.0
    assert result.effect_size.conf_high > result.effect_size.estimate / 10
    assert result.post_hoc["univariate"]["x1"].effect_size.conf_low >= 0.0
