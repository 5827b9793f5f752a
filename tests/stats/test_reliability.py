"""Internal consistency: agreement with pingouin, laws, constant items, negative alpha, extreme scale."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined
from statistikles.stats.reliability import cronbach_alpha


def scale(seed: int, n: int = 25, k: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.round(rng.normal(size=(n, 1)) + rng.normal(size=(n, k)), 2)


@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_the_two_way_variance_ratio(seed: int) -> None:
    """Hoyt 1941: alpha = 1 − MS(residual)/MS(subjects) of the two-way table, an independent road to it."""
    x = scale(seed)
    n, k = x.shape
    rows, cols, grand = x.mean(1, keepdims=True), x.mean(0, keepdims=True), x.mean()
    residual = ((x - rows - cols + grand) ** 2).sum() / ((n - 1) * (k - 1))
    subjects = k * ((rows - grand) ** 2).sum() / (n - 1)
    assert cronbach_alpha(x).estimate == pytest.approx(1 - residual / subjects, rel=1e-12)


@given(power=st.integers(-600, 600), shift=st.sampled_from([0.0, 1e9, -3.0]), seed=st.integers(0, 50))
def test_unit_and_origin_do_not_matter(power: int, shift: float, seed: int) -> None:
    x = np.round(scale(seed, 12, 4) * 4)
    a, b = cronbach_alpha(x), cronbach_alpha((x + shift) * 2.0**power)
    for key in (
        "estimate",
        "conf_low",
        "conf_high",
        "standardized_alpha",
        "guttman_lambda6",
        "spearman_brown",
    ):
        assert getattr(a, key) == pytest.approx(getattr(b, key), rel=1e-9, abs=1e-12)


@given(seed=st.integers(0, 200))
def test_order_of_rows_does_not_matter_and_bounds_hold(seed: int) -> None:
    x = scale(seed, 9, 3)
    a = cronbach_alpha(x)
    b = cronbach_alpha(np.random.default_rng(seed).permutation(x))
    assert a.estimate == pytest.approx(b.estimate, rel=1e-12, abs=1e-13)
    assert a.estimate <= 1
    assert a.conf_low <= a.estimate <= a.conf_high <= 1
    assert a.guttman_lambda2 >= a.estimate - 1e-12


def test_identical_items_give_one() -> None:
    x = np.repeat(np.array([[1.0], [4.0], [2.0], [7.0]]), 3, axis=1)
    out = cronbach_alpha(x)
    assert out.estimate == pytest.approx(1.0, abs=1e-14)
    assert out.guttman_lambda6 is None
    assert "combination" in out.undefined["guttman_lambda6"]


def test_a_constant_item_is_named() -> None:
    out = cronbach_alpha([[1, 3, 5.0], [2, 3, 4], [4, 3, 6], [3, 3, 7]], item_names=["a", "b", "c"]).to_dict()
    assert math.isfinite(out["estimate"])
    assert "b" in out["warnings"][0]
    assert out["standardized_alpha"] is None and "b" in out["undefined"]["standardized_alpha"]
    assert out["items"]["b"]["item_rest_correlation"] is None
    assert "constant" in out["items"]["b"]["undefined"]["item_rest_correlation"]


def test_negative_alpha_keeps_its_sign_and_warns() -> None:
    out = cronbach_alpha([[1, 5.0], [2, 4], [3, 3.5], [4, 1]])
    assert out.estimate < 0
    assert any("negative" in w for w in out.warnings)


def test_two_items_have_no_alpha_without_one() -> None:
    out = cronbach_alpha([[1, 2.0], [2, 2], [3, 5]]).to_dict()
    assert out["items"]["item1"]["alpha_if_dropped"] is None
    assert out["spearman_brown"] == pytest.approx(out["standardized_alpha"])


def test_constant_total_and_wrong_names_are_refused() -> None:
    with pytest.raises(NotDefined):
        cronbach_alpha([[1, 2.0], [1, 2], [1, 2]])
    with pytest.raises(InputError):
        cronbach_alpha([[1, 2.0], [3, 2], [1, 5]], item_names=["a"])
