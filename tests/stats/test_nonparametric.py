"""Rank tests: traps, degenerate data, laws, and comparison with scipy and statsmodels on random data."""

from __future__ import annotations

import itertools
import math
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats as sps

from statistikles.errors import InputError, NotDefined
from statistikles.stats import (
    cochrans_q,
    friedman,
    kruskal_wallis,
    ks_2sample,
    mann_whitney,
    mood_median,
    stuart_maxwell,
    wilcoxon,
)
from statistikles.stats._pair_sums import select_differences, select_walsh_averages

Array = NDArray[np.float64]
few = st.lists(st.integers(0, 6), min_size=2, max_size=9)


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


# Mann-Whitney --------------------------------------------------------------------------------------------


def test_u_at_its_mean_gives_p_one_exact_and_asymptotic() -> None:
    for method in ("exact", "asymptotic"):
        assert mann_whitney([1, 4], [2, 3], method=method).p_value == 1.0
    wide = mann_whitney([*range(0, 200, 2), 1000.0], [*range(1, 200, 2), -5.0], method="asymptotic")
    assert 0.0 < wide.p_value <= 1.0  # type: ignore[operator]


def test_all_tied_values_give_p_one_and_no_nan() -> None:
    result = mann_whitney([3, 3, 3], [3, 3])
    assert result.p_value == 1.0
    assert result.estimate == 0.0
    assert result.effect_size is not None
    assert result.effect_size.estimate == 0.0
    assert result.also["asymptotic"].undefined["statistic"]
    assert result.warnings


def test_the_sign_of_the_effect_follows_the_order_of_the_groups() -> None:
    low, high = [1, 2, 3, 4], [5, 6, 7, 8, 9]
    up, down = mann_whitney(high, low), mann_whitney(low, high)
    assert up.effect_size is not None and down.effect_size is not None
    assert up.effect_size.estimate == 1.0 and down.effect_size.estimate == -1.0
    assert up.estimate == -down.estimate > 0  # type: ignore[operator]
    assert up.effect_size.conf_low is not None and 0 < up.effect_size.conf_low < 1


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(5))
def test_mann_whitney_agrees_with_scipy(seed: int, alternative: str) -> None:
    r = rng(seed)
    for x, y in (
        (r.normal(size=int(r.integers(2, 30))), r.normal(0.3, size=int(r.integers(2, 30)))),
        (r.normal(size=80), r.normal(0.3, size=60)),
    ):
        for method in ("exact", "asymptotic"):
            ours = mann_whitney(x, y, alternative=alternative, method=method)
            theirs = sps.mannwhitneyu(x, y, alternative=alternative, method=method)
            assert ours.statistic == theirs.statistic
            assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    x, y = r.integers(0, 6, 70).astype(float), r.integers(0, 7, 90).astype(float)
    theirs = sps.mannwhitneyu(x, y, alternative=alternative, method="asymptotic")
    assert mann_whitney(x, y, alternative=alternative).p_value == pytest.approx(theirs.pvalue, rel=1e-9)


@given(few, few)
def test_the_exact_tied_distribution_is_the_enumeration(a: list[int], b: list[int]) -> None:
    pooled = sps.rankdata(a + b)
    sums = np.array([sum(c) for c in itertools.combinations(pooled, len(a))]) if len(pooled) <= 13 else None
    if sums is None:
        return
    seen, centre = pooled[: len(a)].sum(), len(a) * (len(pooled) + 1) / 2
    two = np.mean(np.abs(sums - centre) >= abs(seen - centre) - 1e-9)
    assert mann_whitney(a, b).p_value == pytest.approx(two, rel=1e-10)
    assert mann_whitney(a, b, alternative="greater").p_value == pytest.approx(np.mean(sums >= seen - 1e-9))
    assert mann_whitney(a, b, alternative="less").p_value == pytest.approx(np.mean(sums <= seen + 1e-9))


@given(few, few)
def test_swapping_the_groups_mirrors_everything(a: list[int], b: list[int]) -> None:
    one, two = mann_whitney(a, b), mann_whitney(b, a)
    assert one.p_value == pytest.approx(two.p_value, rel=1e-10)
    assert one.estimate == -two.estimate  # type: ignore[operator]
    assert one.conf_low == -two.conf_high  # type: ignore[operator]
    assert one.conf_low <= one.estimate <= one.conf_high  # type: ignore[operator]
    assert one.effect_size is not None
    assert one.effect_size.conf_low <= one.effect_size.estimate <= one.effect_size.conf_high  # type: ignore[operator]


def test_exact_fifty_and_fifty_within_a_second() -> None:
    r = rng(7)
    for x, y in (
        (r.normal(size=50), r.normal(size=50)),
        (r.integers(0, 40, 50) / 8, r.integers(0, 40, 50) / 8),
    ):
        start = time.process_time()
        result = mann_whitney(x, y)
        assert time.process_time() - start < 1.0
        assert "exact" in result.method


def test_a_distribution_too_large_to_list_is_refused_with_the_way_out() -> None:
    with pytest.raises(InputError, match="too large") as caught:
        mann_whitney(rng(1).normal(size=2000), rng(2).normal(size=2000), method="exact")
    assert "asymptotic" in caught.value.hint


def test_interval_of_too_few_values_says_its_level() -> None:
    result = mann_whitney([1, 2], [3, 5])
    assert result.conf_level == pytest.approx(1 - 2 / 6)
    assert result.warnings


def test_extreme_scales_and_offsets() -> None:
    x, y = np.array([1.0, 2, 4, 7]), np.array([3.0, 5, 6, 8, 9])
    plain = mann_whitney(x, y)
    for power in (-600, 600):
        scaled = mann_whitney(np.ldexp(x, power), np.ldexp(y, power))
        assert scaled.p_value == plain.p_value
        assert scaled.estimate == math.ldexp(plain.estimate or 0.0, power)
    assert mann_whitney(x + 1e9, y + 1e9).estimate == plain.estimate
    huge = mann_whitney([-1.7e308, 1.0], [1.7e308, 1.6e308])
    assert huge.estimate is None and huge.undefined["estimate"]
    assert huge.p_value is not None


def test_far_tails_keep_their_digits() -> None:
    x = np.arange(50.0)
    assert mann_whitney(x, x + 100).p_value == pytest.approx(2 / math.comb(100, 50), rel=1e-12)
    assert 0 < (mann_whitney(x, np.arange(3000.0) + 100).p_value or 0.0) < 1e-30


# Order statistics of pairwise sums -----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["normal", "few values", "outliers"])
def test_selected_differences_are_those_of_the_full_list(seed: int, kind: str) -> None:
    r = rng(seed)
    x, y = r.normal(size=700), r.normal(0.5, size=600)
    if kind == "few values":
        x, y = np.round(x), np.round(y)
    elif kind == "outliers":
        x[:5], y[:3] = 1e200, -1e150
    full = np.sort(np.subtract.outer(x, y).ravel())
    for ranks in (
        [1, 1000, 210_000, 210_001, 420_000],
        [200_000, 210_000, 210_001, 220_000],
        [1, 900],
        [420_000],
    ):
        assert select_differences(x, y, ranks) == [full[k - 1] for k in ranks]
    half = x / 2
    walsh = np.sort((half[:, None] + half)[np.triu_indices(700)])
    for ranks in ([1, 5000, 122_675, 122_676, 245_350], [120_000, 122_675, 122_676, 125_000]):
        assert select_walsh_averages(x, ranks) == pytest.approx([walsh[k - 1] for k in ranks], rel=1e-15)


# Wilcoxon ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(5))
def test_wilcoxon_agrees_with_scipy(seed: int, alternative: str) -> None:
    r = rng(seed)
    x = r.normal(size=40)
    y = x + r.normal(0.3, size=40)
    theirs = sps.wilcoxon(x, y, alternative=alternative, method="exact")
    assert wilcoxon(x, y, alternative=alternative).p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    a = r.integers(0, 8, 60).astype(float)
    b = r.integers(0, 8, 60).astype(float)
    ours = wilcoxon(a, b, alternative=alternative, method="asymptotic")
    for zeros, p in (("wilcox", ours.p_value), ("pratt", ours.also["pratt"].p_value)):
        theirs = sps.wilcoxon(
            a, b, zero_method=zeros, alternative=alternative, method="asymptotic", correction=True
        )
        assert p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_equal_decimal_differences_are_tied_although_their_doubles_differ() -> None:
    # 1.1 - 1.0, 2.1 - 2.0 and 0.3 - 0.2 differ in binary; as decimals each is 0.1
    result = wilcoxon([1.1, 2.1, 0.3, 5.0], [1.0, 2.0, 0.2, 4.0])
    assert result.statistic == 10.0
    assert "tied" in result.method
    zero = wilcoxon([0.3, 1.2, 2.2], [0.2, 1.0, 1.9], mu0=0.1)
    assert zero.details["n_zeros"] == 1


def test_all_differences_zero_is_p_one_without_an_effect() -> None:
    result = wilcoxon([1, 2, 3], [1, 2, 3])
    assert result.p_value == 1.0
    assert result.effect_size is not None
    assert result.effect_size.estimate is None and result.effect_size.undefined
    assert result.warnings


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=12))
def test_wilcoxon_is_symmetric_and_ordered(pairs: list[tuple[int, int]]) -> None:
    a, b = [p[0] for p in pairs], [p[1] for p in pairs]
    one, two = wilcoxon(a, b), wilcoxon(b, a)
    assert one.p_value == pytest.approx(two.p_value, rel=1e-12)
    assert one.statistic == two.details["w_minus"]
    assert one.estimate == -two.estimate  # type: ignore[operator]
    assert one.conf_low <= one.estimate <= one.conf_high  # type: ignore[operator]
    assert one.also["pratt"].p_value == pytest.approx(two.also["pratt"].p_value, rel=1e-12)


def test_groups_are_matched_row_by_row() -> None:
    by_name = wilcoxon(groups={"before": [5, 7, None, 3], "after": [4, 4, 9, 5]})
    assert by_name.n == 3 and by_name.n_missing == 1
    with pytest.raises(InputError):
        wilcoxon(groups={"before": [5, 7, 3], "after": [4, 4]})


# Several groups ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_kruskal_wallis_agrees_with_scipy(seed: int) -> None:
    r = rng(seed)
    groups = [r.integers(0, 9, int(r.integers(3, 20))).astype(float) for _ in range(int(r.integers(2, 6)))]
    ours, theirs = kruskal_wallis(groups), sps.kruskal(*groups)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    effect = ours.effect_size
    assert effect is not None
    assert 0 <= effect.conf_low <= effect.estimate <= effect.conf_high <= 1  # type: ignore[operator]


def test_kruskal_wallis_of_two_groups_is_the_uncorrected_mann_whitney() -> None:
    x, y = [1.0, 3, 4, 6, 8], [2.0, 5, 7, 9, 10, 11]
    h = kruskal_wallis([x, y])
    u = sps.mannwhitneyu(x, y, method="asymptotic", use_continuity=False)
    assert h.p_value == pytest.approx(u.pvalue, rel=1e-10)


def test_kruskal_wallis_of_constant_data_is_refused() -> None:
    with pytest.raises(NotDefined, match="tied"):
        kruskal_wallis([[1, 1], [1, 1, 1]])


def test_friedman_is_corrected_for_ties() -> None:
    # the uncorrected value of these ranks is 4.30 in the place of 6.62: both are reported, the corrected leads
    r = rng(12)
    m = r.integers(1, 4, (9, 4)).astype(float)
    ours, theirs = friedman(m), sps.friedmanchisquare(*m.T)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert ours.details["statistic_uncorrected"] == pytest.approx(
        ours.statistic * ours.details["tie_correction"]  # type: ignore[operator]
    )
    assert ours.details["statistic_uncorrected"] < ours.statistic  # type: ignore[operator]


def test_complete_agreement_has_w_one_and_no_infinite_f() -> None:
    result = friedman([[1, 2, 3], [2, 3, 4], [5, 6, 7]])
    assert result.effect_size is not None and result.effect_size.estimate == pytest.approx(1.0)
    assert result.also["iman_davenport"].undefined["p_value"]
    with pytest.raises(NotDefined):
        friedman([[1, 2], [1, 2], [1, 2]])


@pytest.mark.parametrize("seed", range(4))
def test_cochran_agrees_with_statsmodels_and_friedman(seed: int) -> None:
    from statsmodels.stats.contingency_tables import cochrans_q as peer

    m = rng(seed).integers(0, 2, (25, 4)).astype(float)
    ours = cochrans_q(m)
    assert ours.statistic == pytest.approx(peer(m).statistic, rel=1e-10)
    assert ours.statistic == pytest.approx(friedman(m).statistic, rel=1e-10)
    with pytest.raises(NotDefined):
        cochrans_q([[1, 0, 1], [1, 0, 1]])


def test_many_groups_are_not_compared_in_pairs_and_it_is_said() -> None:
    result = kruskal_wallis({f"g{i}": rng(i).normal(size=6) for i in range(30)})
    assert not result.post_hoc
    assert any("pairs" in w for w in result.warnings)


# Distributions and tables --------------------------------------------------------------------------------


def test_no_distance_gives_p_one() -> None:
    result = ks_2sample([1, 2, 3], [1, 2, 3])
    assert result.statistic == 0.0
    assert result.p_value == 1.0
    assert ks_2sample([1, 2], [5, 6], alternative="less").p_value == 1.0


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_ks_agrees_with_scipy_without_ties(seed: int, alternative: str) -> None:
    r = rng(seed)
    x, y = r.normal(size=23), r.normal(0.4, size=31)
    theirs = sps.ks_2samp(x, y, alternative=alternative, method="exact")
    ours = ks_2sample(x, y, alternative=alternative)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-8)


@given(few, few)
def test_ks_bounds(a: list[int], b: list[int]) -> None:
    result = ks_2sample(a, b)
    assert 0 <= result.p_value <= 1  # type: ignore[operator]
    assert result.p_value == pytest.approx(ks_2sample(b, a).p_value)
    assert result.statistic == max(result.details["d_greater"], result.details["d_less"])


@pytest.mark.parametrize("seed", range(5))
def test_stuart_maxwell_agrees_with_statsmodels(seed: int) -> None:
    from statsmodels.stats.contingency_tables import SquareTable

    table = rng(seed).integers(1, 30, (4, 4)).astype(float)
    ours = stuart_maxwell(table)
    peer = SquareTable(table, shift_zeros=False)
    assert ours.statistic == pytest.approx(peer.homogeneity().statistic, rel=1e-9)
    assert ours.also["bhapkar"].statistic == pytest.approx(peer.homogeneity("bhapkar").statistic, rel=1e-9)
    assert ours.also["bowker"].p_value == pytest.approx(peer.symmetry().pvalue, rel=1e-9)


def test_unused_and_separate_categories_lower_the_degrees_of_freedom() -> None:
    assert stuart_maxwell([[5, 2, 0], [3, 4, 0], [0, 0, 0]]).df == 1
    assert stuart_maxwell([[5, 2, 0, 0], [3, 4, 0, 0], [0, 0, 6, 1], [0, 0, 4, 7]]).df == 2
    with pytest.raises(NotDefined):
        stuart_maxwell([[5, 0], [0, 3]])


@pytest.mark.parametrize("seed", range(5))
def test_mood_agrees_with_scipy(seed: int) -> None:
    r = rng(seed)
    groups: list[Any] = [r.integers(0, 20, int(r.integers(5, 20))).astype(float) for _ in range(3)]
    ours = mood_median(groups)
    theirs = sps.median_test(*groups, ties="below", correction=False)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_mood_without_anything_above_the_median_is_refused() -> None:
    with pytest.raises(NotDefined):
        mood_median([[1, 2, 2], [2, 2]])
    two = mood_median([[1, 2, 3, 4], [3, 4, 5, 6]])
    assert two.also["yates"].p_value > two.p_value


def test_levels_of_confidence_near_zero_and_huge_tables_are_answered() -> None:
    x, y = [0.43, -1.27, 0.7], [0.52, 1.23, 0.2]
    for alternative in ("greater", "less", "two-sided"):
        for method in ("exact", "asymptotic"):
            for alpha in (1e-12, 0.999999):
                result = mann_whitney(x, y, alternative=alternative, method=method, alpha=alpha)
                assert result.estimate is not None
                assert (
                    wilcoxon(x, y, alternative=alternative, method=method, alpha=alpha).estimate is not None
                )
    start = time.process_time()
    large = stuart_maxwell([[1, 5, 10**6], [2, 1, 2], [0, 100, 10**6]])
    assert time.process_time() - start < 2
    assert large.effect_size is not None
    assert large.effect_size.conf_low <= large.effect_size.estimate <= large.effect_size.conf_high  # type: ignore[operator]


def test_differences_beyond_a_double_are_refused() -> None:
    with pytest.raises(NotDefined, match="double"):
        wilcoxon([1.7e308, 1e308], [-1.7e308, 1.0])


def test_complete_agreement_of_signs_still_has_an_interval() -> None:
    effect = wilcoxon([3, 5, 8, 12], [1, 2, 4, 7]).effect_size
    assert effect is not None
    assert effect.estimate == 1.0
    assert effect.conf_high == 1.0 and effect.conf_low < 1.0  # type: ignore[operator]


def test_the_p_without_regard_to_ties_stands_beside() -> None:
    rng = np.random.default_rng(5)
    x, y = rng.integers(0, 9, 40).astype(float), rng.integers(1, 11, 35).astype(float)
    result = ks_2sample(x, y)
    theirs = sps.ks_2samp(x, y, method="exact")  # scipy's exact p looks at D and the sizes only
    assert result.also["without_ties"].p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    assert result.p_value < result.also["without_ties"].p_value
    assert "without_ties" not in ks_2sample([1.0, 2, 3], [4.0, 5, 6.5]).also
