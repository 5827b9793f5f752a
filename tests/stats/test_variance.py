"""One-way analysis of variance: differential, degenerate and extreme input, NIST sets, pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from numerics.strd import lre
from statistikles import execute_tool
from statistikles.errors import NotDefined
from statistikles.stats.variance import one_way_anova


def samples(seed: int, sizes: tuple[int, ...], shift: float = 0.0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {f"g{i}": rng.normal(shift + 0.4 * i, 1 + 0.5 * i, n) for i, n in enumerate(sizes)}


@pytest.mark.parametrize("seed", range(8))
def test_the_same_as_scipy_on_random_data(seed: int) -> None:
    groups = samples(seed, (7, 12, 5, 20))
    ours = one_way_anova(groups)
    f, p = stats.f_oneway(*groups.values())
    assert ours.statistic == pytest.approx(f, rel=1e-11)
    assert ours.p_value == pytest.approx(p, rel=1e-9)
    tukey = stats.tukey_hsd(*groups.values())
    low = tukey.confidence_interval(0.95).low
    for (first, second), pair in zip(
        [(i, j) for i in range(4) for j in range(i + 1, 4)], ours.post_hoc["tukey_hsd"].values(), strict=True
    ):
        assert pair.p_value == pytest.approx(tukey.pvalue[first, second], rel=1e-7, abs=1e-12)
        assert pair.conf_low == pytest.approx(low[first, second], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("shift", [0.0, 1e9, -1e12])
def test_a_large_offset_costs_no_digits(shift: float) -> None:
    plain = {"a": [1.0, 2.0, 3.0, 5.0], "b": [2.0, 4.0, 4.0], "c": [9.0, 7.0, 8.0, 6.0]}
    moved = {k: [v + shift for v in values] for k, values in plain.items()}
    assert one_way_anova(moved).statistic == one_way_anova(plain).statistic


@pytest.mark.parametrize("power", [-600, -300, 300, 600])
def test_the_scale_does_not_matter(power: int) -> None:
    plain = one_way_anova(samples(1, (6, 7, 8))).to_dict()
    scaled = execute_tool(
        "anova", {"groups": {k: (v * 2.0**power).tolist() for k, v in samples(1, (6, 7, 8)).items()}}
    )
    assert scaled["statistic"] == pytest.approx(plain["statistic"], rel=1e-13)
    assert scaled["p_value"] == pytest.approx(plain["p_value"], rel=1e-12)
    assert scaled["also"]["welch"]["statistic"] == pytest.approx(
        plain["also"]["welch"]["statistic"], rel=1e-12
    )
    sum_sq = scaled["details"]["between"]["sum_sq"]
    if abs(power) == 600:
        assert sum_sq is None
        assert "fit" in scaled["details"]["between"]["undefined"]["sum_sq"]
    else:
        expected = plain["details"]["between"]["sum_sq"] * 2.0 ** (2 * power)
        assert sum_sq == pytest.approx(expected, rel=1e-12)


def test_no_variation_within_groups_is_said_not_answered() -> None:
    for groups in ([[1, 1], [2, 2]], [[3, 3, 3], [3, 3]]):
        result = execute_tool("anova", {"groups": groups})
        assert result["code"] == "zero_variance"
        assert "undefined" in result["error"]
    with pytest.raises(NotDefined):
        one_way_anova([[1e9, 1e9], [2e9, 2e9]])  # type: ignore[arg-type]


def test_one_constant_group_leaves_the_classic_test_and_explains_the_rest() -> None:
    result = execute_tool("anova", {"groups": {"a": [1, 1, 1], "b": [2, 3, 5], "c": [2, 2, 2]}})
    assert result["statistic"] > 0
    welch = result["also"]["welch"]
    assert welch["p_value"] is None
    assert "zero" in welch["undefined"]["p_value"]
    pair = result["post_hoc"]["games_howell"]["a − c"]
    assert pair["p_value"] is None
    assert "constant" in pair["undefined"]["p_value"]
    assert pair["effect_size"]["estimate"] is None
    assert any("'a'" in w for w in result["warnings"])


def test_a_group_of_one_is_allowed_and_named() -> None:
    result = execute_tool("anova", {"groups": {"a": [1.0], "b": [2, 3, 5], "c": [2, 2.5, 4]}})
    assert result["df_error"] == 4
    assert "single value" in result["also"]["welch"]["undefined"]["statistic"]
    assert any("single value" in w for w in result["warnings"])


def test_the_sign_of_a_difference_follows_the_order_of_the_groups() -> None:
    result = one_way_anova({"low": [1.0, 2, 3], "high": [7.0, 8, 10]})  # type: ignore[arg-type]
    for family in result.post_hoc.values():
        assert family["low − high"].estimate == pytest.approx(2 - 25 / 3)
        assert family["low − high"].effect_size.estimate < 0  # type: ignore[union-attr,operator]


def test_unequal_variances_bring_a_caution() -> None:
    rng = np.random.default_rng(3)
    groups = {"a": rng.normal(0, 1, 40), "b": rng.normal(0, 9, 12)}
    assert any("Welch" in w for w in one_way_anova(groups).warnings)
    assert one_way_anova(samples(5, (5, 5))).warnings == ()


def test_tiny_p_values_keep_their_digits() -> None:
    groups = [[0, 1e-3, 2e-3, 1e-3] * 5, [1000, 1000.001, 1000.002, 1000.001] * 5]
    result = execute_tool("anova", {"groups": groups})
    assert 0 < result["p_value"] < 1e-100
    # with two groups F is the square of Student's t
    t = stats.ttest_ind(*groups)
    assert result["statistic"] == pytest.approx(t.statistic**2, rel=1e-9)


def test_many_groups_are_answered_without_pairs() -> None:
    result = one_way_anova(samples(2, (4,) * 25))
    assert not result.post_hoc
    assert any("Pairs" in w for w in result.warnings)


@given(
    st.lists(st.lists(st.integers(-50, 50), min_size=2, max_size=8), min_size=2, max_size=5).filter(
        lambda g: any(len(set(x)) > 1 for x in g)
    )
)
def test_bounds_and_the_decomposition_hold(groups: list[list[int]]) -> None:
    result = execute_tool("anova", {"groups": groups})
    assert "error" not in result, result
    table = result["details"]
    assert table["between"]["sum_sq"] + table["within"]["sum_sq"] == pytest.approx(table["total"]["sum_sq"])
    assert 0 <= result["effect_size"]["estimate"] <= 1
    assert result["effect_size"]["conf_low"] <= result["effect_size"]["conf_high"]
    for family in result["post_hoc"].values():
        for pair in family.values():
            if pair["p_value"] is not None:
                assert pair["conf_low"] <= pair["estimate"] <= pair["conf_high"]
                assert (pair["p_value"] < 0.05 - 1e-9) <= (pair["conf_low"] > 0 or pair["conf_high"] < 0)


# NIST's sets of Simon and Lesage (1989) follow a rule: 9 groups, each a centre value and, equally often,
# the centre minus and plus 0.1; the certified F equals the number of values per group.
CENTRES = (4, 3, 5, 3, 5, 3, 5, 3, 5)


def simon_lesage(leading: int, size: int) -> dict[str, list[float]]:
    def value(tenths: int) -> float:
        return float(f"{leading}.{tenths}")

    pairs = (size - 1) // 2
    return {
        f"treatment {i}": [value(c)] + [value(c - 1)] * pairs + [value(c + 1)] * pairs
        for i, c in enumerate(CENTRES, 1)
    }


@pytest.mark.parametrize("leading", [1, 1_000_000, 1_000_000_000_000])
@pytest.mark.parametrize("size", [21, 201, 2001])
def test_simon_lesage_sets_to_the_last_digit(leading: int, size: int) -> None:
    groups = simon_lesage(leading, size)
    result = execute_tool("anova", {"groups": groups, "decimal": True, "post_hoc": False})
    table = result["details"]
    assert lre(result["statistic"], size) >= 14.0
    assert lre(table["between"]["sum_sq"], 0.08 * size) >= 14.0
    assert lre(table["within"]["sum_sq"], 0.09 * (size - 1)) >= 14.0
    assert lre(table["residual_std_dev"], 0.1) >= 14.0
    without = execute_tool("anova", {"groups": groups, "post_hoc": False})
    ceiling = {1: 14.0, 1_000_000: 9.5, 1_000_000_000_000: 3.8}[
        leading
    ]  # lost in reading decimals as doubles
    assert lre(without["statistic"], size) >= ceiling
