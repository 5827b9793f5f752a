"""Omega, standard error of measurement and item analysis: optimality, laws, Heywood cases, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined
from statistikles.stats._one_factor import fit_one_factor
from statistikles.stats.measurement import item_analysis, mcdonald_omega, standard_error_of_measurement


def one_factor(seed: int, n: int = 80, k: int = 5) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) * rng.uniform(0.5, 1.5, k) + rng.normal(size=(n, k))


@pytest.mark.parametrize("seed", range(6))
def test_the_fit_is_a_minimum_that_another_optimiser_cannot_better(seed: int) -> None:
    from scipy.optimize import minimize

    r = np.corrcoef(one_factor(seed).T)
    k = len(r)

    def discrepancy(theta: np.ndarray) -> float:
        implied = np.outer(theta[:k], theta[:k]) + np.diag(theta[k:])
        return float(
            np.linalg.slogdet(implied)[1]
            + np.trace(np.linalg.solve(implied, r))
            - np.linalg.slogdet(r)[1]
            - k
        )

    fit = fit_one_factor(r)
    assert discrepancy(np.concatenate((fit.loadings, fit.uniquenesses))) == pytest.approx(
        fit.discrepancy, abs=1e-13
    )
    start = np.concatenate((np.full(k, 0.6), np.full(k, 0.6)))
    other = minimize(discrepancy, start, bounds=[(-2, 2)] * k + [(0.005, 2)] * k, method="L-BFGS-B")
    assert fit.discrepancy <= other.fun + 1e-10
    # At the optimum the implied variances are the observed ones.
    assert np.diag(fit.implied) == pytest.approx(1.0, abs=1e-10)


@given(seed=st.integers(0, 60), power=st.integers(-500, 500))
def test_omega_does_not_depend_on_the_unit(seed: int, power: int) -> None:
    x = one_factor(seed, 40, 4)
    a, b = mcdonald_omega(x), mcdonald_omega(x * 2.0**power + 0.0)
    assert 0 < a.estimate < 1
    assert a.estimate == pytest.approx(b.estimate, rel=1e-8)


def test_the_trap_of_earlier_code_is_gone() -> None:
    """Omega is a share of variance: it cannot exceed one, however alike the items are."""
    rng = np.random.default_rng(1)
    base = rng.normal(size=(50, 1))
    out = mcdonald_omega(base + 0.05 * rng.normal(size=(50, 4)))
    assert 0.99 < out.estimate < 1


def test_a_heywood_case_is_named_and_has_no_standard_error() -> None:
    rng = np.random.default_rng(0)
    f = rng.normal(size=200)
    x = np.column_stack((f, 0.9 * f + 0.4 * rng.normal(size=200), 0.2 * f + rng.normal(size=200)))
    x[:, 2] += 0.8 * (x[:, 0] - x[:, 1])
    out = mcdonald_omega(x)
    assert any("Heywood" in w for w in out.warnings)
    assert out.std_error is None and out.undefined["std_error"]


def test_items_that_determine_each_other_are_refused() -> None:
    x = one_factor(3, 30, 3)
    with pytest.raises(NotDefined, match="combination"):
        mcdonald_omega(np.column_stack((x, x[:, 0])))
    with pytest.raises(NotDefined):
        mcdonald_omega(x[:3])
    with pytest.raises(NotDefined, match="b"):
        mcdonald_omega(np.column_stack((x[:, :2], np.ones(30))), item_names=["x", "y", "b"])


@given(r=st.floats(0, 1), sd=st.floats(1e-6, 1e6))
def test_error_of_measurement_bounds(r: float, sd: float) -> None:
    out = standard_error_of_measurement(r, sd)
    assert 0 <= out.sem <= sd
    assert out.std_error_of_estimation <= out.sem + 1e-12 * sd
    assert out.sem**2 + r * sd**2 == pytest.approx(sd**2)


def test_a_reliability_above_one_is_refused() -> None:
    with pytest.raises(InputError):
        standard_error_of_measurement(1.2, 10)


@given(seed=st.integers(0, 100))
def test_item_statistics_do_not_depend_on_the_order_of_persons(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = (rng.random((17, 4)) < [0.2, 0.5, 0.7, 0.9]).astype(float)
    a, b = item_analysis(x), item_analysis(rng.permutation(x))
    for left, right in zip(a.rows, b.rows, strict=True):
        assert left["discrimination_index"] == pytest.approx(right["discrimination_index"], abs=1e-12)
        assert -1 <= left["discrimination_index"] <= 1
        assert 0 <= left["difficulty"] <= 1


def test_constant_and_reversed_items_are_named() -> None:
    out = item_analysis([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 1]], item_names=["easy", "b", "c"])
    assert out.rows[0]["point_biserial_corrected"] is None
    assert "easy" in out.warnings[-1]
    assert out.rows[1]["point_biserial_corrected"] == pytest.approx(-1.0)


def test_scores_outside_the_range_are_refused() -> None:
    with pytest.raises(InputError):
        item_analysis([[-1, 1.0], [1, 1], [1, 0]])
    with pytest.raises(InputError):
        item_analysis([[3, 1.0], [1, 1], [1, 0]], max_score=2)
    with pytest.raises(InputError):
        item_analysis([[0, 1.0], [1, 1], [1, 0]], group_fraction=0.0)
