"""Normal mixtures: the likelihood never falls, seeds, units, collapse, the single component, agreement with scikit-learn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.stats import normal_mixture


def two_groups(seed: int, n: int = 80) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.concatenate((rng.normal(0, 1, n), rng.normal(6, 1.5, n // 2)))


@given(k=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_the_log_likelihood_never_falls_and_weights_add_to_one(k: int, seed: int) -> None:
    result = normal_mixture(np.random.default_rng(seed).gamma(2, 1, 30), k, n_starts=2)
    trace = result.log_likelihood_trace
    assert all(later >= earlier for earlier, later in pairwise(trace))
    assert trace[-1] == pytest.approx(result.log_likelihood)
    assert sum(result.weights) == pytest.approx(1.0)
    assert result.means == sorted(result.means)
    assert sum(result.n_assigned) == 30


def test_the_log_likelihood_is_that_of_the_density() -> None:
    from scipy import stats

    x = two_groups(1)
    r = normal_mixture(x, 2)
    density = sum(w * stats.norm.pdf(x, m, s) for w, m, s in zip(r.weights, r.means, r.std_devs, strict=True))
    assert r.log_likelihood == pytest.approx(float(np.log(density).sum()), rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_scikit_learn_agrees(seed: int) -> None:
    from sklearn.mixture import GaussianMixture

    x = two_groups(seed)
    other = GaussianMixture(2, n_init=5, tol=1e-12, max_iter=5000, reg_covar=0, random_state=0).fit(
        x[:, None]
    )
    mine = normal_mixture(x, 2)
    order = np.argsort(other.means_[:, 0])
    np.testing.assert_allclose(mine.means, other.means_[order, 0], rtol=1e-4)
    np.testing.assert_allclose(mine.weights, other.weights_[order], rtol=1e-4)
    assert mine.bic == pytest.approx(float(other.bic(x[:, None])), rel=1e-8)
    assert mine.aic == pytest.approx(float(other.aic(x[:, None])), rel=1e-8)


def test_one_component_is_the_normal_fit() -> None:
    x = two_groups(4)
    r = normal_mixture(x, 1)
    assert r.means[0] == pytest.approx(x.mean())
    assert r.std_devs[0] == pytest.approx(x.std())
    assert r.bic == pytest.approx(r.bic_single_normal)
    assert r.separation is None


@pytest.mark.parametrize("power", [-600, 600])
def test_units_and_offsets_do_not_matter(power: int) -> None:
    x = np.round(two_groups(2) * 1024) / 1024
    plain, far, moved = normal_mixture(x), normal_mixture(np.ldexp(x, power)), normal_mixture(x + 2.0**30)
    assert far.means == list(np.ldexp(plain.means, power))
    assert far.variances is None
    assert far.undefined["variances"]
    np.testing.assert_allclose(np.array(moved.means) - 2.0**30, plain.means, atol=1e-5)
    assert moved.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-6)


def test_a_collapsed_component_is_said_and_stays_finite() -> None:
    x = np.concatenate((np.full(8, 3.0), np.random.default_rng(0).normal(0, 1, 30)))
    result = normal_mixture(x, 2)
    assert min(result.std_devs) > 0
    assert any("collapsed" in w for w in result.warnings)


def test_the_seed_is_recorded_and_decides() -> None:
    x = np.random.default_rng(3).uniform(0, 1, 60)
    assert normal_mixture(x, 5, seed=7).to_dict() == normal_mixture(x, 5, seed=7).to_dict()
    assert normal_mixture(x, 2, seed=7).seed == 7


def test_two_clear_groups_beat_one() -> None:
    r = normal_mixture(two_groups(5), 2)
    assert r.bic < r.bic_single_normal
    assert r.mean_responsibility > 0.95
