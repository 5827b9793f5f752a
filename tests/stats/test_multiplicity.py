"""Adjustment of p values: laws, limits, and comparison with statsmodels and with closed testing."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError
from statistikles.stats import adjust_p_values
from statistikles.stats._adjust import METHODS, adjust

p_lists = st.lists(st.floats(0, 1), min_size=1, max_size=30)
NAMES = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "sidak": "sidak",
    "bh": "fdr_bh",
    "by": "fdr_by",
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_statsmodels(method: str, seed: int) -> None:
    from statsmodels.stats.multitest import multipletests

    p = np.random.default_rng(seed).beta(0.4, 1, 41)
    assert adjust(p, method) == pytest.approx(multipletests(p, method=NAMES[method])[1], rel=1e-9)


@pytest.mark.parametrize("method", METHODS)
@given(p=p_lists)
def test_adjusted_values_grow_keep_order_and_stay_probabilities(method: str, p: list[float]) -> None:
    x = np.array(p)
    a = adjust(x, method)
    assert ((a >= x) & (a <= 1)).all()
    order = np.argsort(x, kind="stable")
    assert (np.diff(a[order]) >= -1e-15).all()
    shuffled = np.random.default_rng(1).permutation(x.size)
    assert adjust(x[shuffled], method) == pytest.approx(a[shuffled], rel=1e-12)


@given(p=p_lists)
def test_the_methods_are_ordered_by_their_power(p: list[float]) -> None:
    x = np.array(p)
    a = {m: adjust(x, m) for m in METHODS}
    slack = 1 + 1e-12
    for less, more in (("holm", "bonferroni"), ("hochberg", "holm"), ("hommel", "hochberg"), ("bh", "by")):
        assert (a[less] <= a[more] * slack).all()
    assert (a["sidak"] <= a["bonferroni"] * slack).all()


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_hommel_is_closed_testing_with_simes(p: list[float]) -> None:
    """The definition: the largest Simes p over all intersections that contain the hypothesis."""
    m = len(p)
    wanted = [0.0] * m
    for size in range(1, m + 1):
        for chosen in itertools.combinations(range(m), size):
            simes = min(size * v / (k + 1) for k, v in enumerate(sorted(p[i] for i in chosen)))
            for i in chosen:
                wanted[i] = max(wanted[i], simes)
    assert adjust(np.array(p), "hommel") == pytest.approx(wanted, rel=1e-12)


def test_small_p_values_keep_their_digits() -> None:
    for method in METHODS:
        assert adjust(np.array([1e-300, 0.5]), method)[0] == pytest.approx(
            {"by": 3e-300}.get(method, 2e-300), rel=1e-12
        )


def test_fdr_is_another_name_of_bh() -> None:
    p = [0.01, 0.02, 0.9]
    assert adjust_p_values(p, method="fdr") == adjust_p_values(p, method="bh")


def test_limits_and_unknown_methods() -> None:
    with pytest.raises(InputError, match="Valid: bonferroni"):
        adjust_p_values([0.1, 0.2], method="scheffe")
    with pytest.raises(InputError, match="20000"):
        adjust_p_values([0.1], method="hommel", n_tests=20_001)
    assert adjust_p_values(np.linspace(0, 1, 50_000), method="by").n == 50_000


def test_one_test_needs_no_correction() -> None:
    for method in METHODS:
        assert adjust_p_values([0.03], method=method).rows[0]["p_value_adjusted"] == pytest.approx(0.03)


def test_a_billion_tests_take_no_time() -> None:
    found = adjust(np.array([1e-12]), "by", 10**9)[0]
    assert found == pytest.approx(
        1e-3 * 21.300481502347944, rel=1e-9
    )  # harmonic number by mpmath.harmonic(10**9)
    assert adjust(np.array([1e-12]), "by", 10_001)[0] == pytest.approx(
        1e-12 * 10_001 * sum(1 / i for i in range(1, 10_002)), rel=1e-12
    )
