"""Functional principal components: quadrature on unequal grids, unit norms, units, a known answer in the limit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import trapezoid

from statistikles.errors import NotDefined
from statistikles.stats import functional_components


def curves(n: int, m: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    grid = np.cumsum(rng.uniform(0.1, 2.0, m))
    return rng.normal(size=(n, 3)) @ np.vstack((np.ones(m), np.sin(grid), grid / m)) + 0.1 * rng.normal(
        size=(n, m)
    ), grid


@given(n=st.integers(3, 12), m=st.integers(2, 15), seed=st.integers(0, 10**6))
def test_eigenfunctions_are_orthonormal_in_the_integral_and_scores_have_the_eigenvalues(
    n: int, m: int, seed: int
) -> None:
    x, grid = curves(n, m, seed)
    r = functional_components(x, grid=grid)
    phi = np.array(list(r.eigenfunctions.values()))
    gram = trapezoid(phi[:, None, :] * phi[None, :, :], grid, axis=2)
    np.testing.assert_allclose(gram, np.eye(len(phi)), atol=1e-9)
    scores = np.array(list(r.scores.values()))
    np.testing.assert_allclose(np.cov(scores).reshape(len(phi), -1).diagonal(), r.eigenvalues, rtol=1e-8)
    np.testing.assert_allclose(scores.T @ phi + r.mean_curve, x, atol=1e-8)
    assert r.total_variance == pytest.approx(trapezoid(x.var(axis=0, ddof=1), grid), rel=1e-9)


def test_doubling_the_points_does_not_double_the_weight() -> None:
    t = np.sort(np.concatenate((np.linspace(0, 0.5, 400), np.linspace(0.5001, 1, 40))))
    even = np.linspace(0, 1, 300)
    a, b = np.random.default_rng(1).normal(size=(2, 40))

    def family(grid: np.ndarray) -> np.ndarray:
        return a[:, None] * np.sin(2 * np.pi * grid) + 0.5 * b[:, None] * np.cos(2 * np.pi * grid)

    uneven = functional_components(family(t), grid=t, n_components=2)
    equal = functional_components(family(even), n_components=2)
    np.testing.assert_allclose(uneven.eigenvalues, equal.eigenvalues, rtol=1e-3)


def test_a_known_eigenvalue() -> None:
    t = np.linspace(0, 1, 2001)
    a = np.array([-1.0, 0.0, 1.0])
    r = functional_components(a[:, None] * np.sin(np.pi * t), n_components=1)
    assert r.eigenvalues[0] == pytest.approx(0.5, rel=1e-6)  # variance 1 times the integral of sin²
    assert max(r.eigenfunctions["FPC1"]) == pytest.approx(np.sqrt(2), rel=1e-6)


@pytest.mark.parametrize("power", [-600, 600])
def test_extreme_scales(power: int) -> None:
    x, grid = curves(6, 5, 2)
    plain, far = functional_components(x, grid=grid), functional_components(np.ldexp(x, power), grid=grid)
    np.testing.assert_allclose(far.proportion_explained, plain.proportion_explained, rtol=1e-9)
    assert far.eigenfunctions == plain.eigenfunctions
    assert far.eigenvalues is None
    assert far.undefined["eigenvalues"]


def test_an_offset_leaves_no_trace() -> None:
    x, grid = curves(6, 5, 3)
    x = np.round(x * 1024) / 1024
    near, far = functional_components(x, grid=grid), functional_components(x + 2.0**30, grid=grid)
    np.testing.assert_allclose(far.eigenvalues, near.eigenvalues, rtol=1e-9)


def test_parallel_curves_have_one_component() -> None:
    base = np.array([1.0, 4.0, 2.0])
    r = functional_components(np.array([base, base + 1, base + 3]))
    assert r.n_components == 1
    assert r.proportion_explained == [1.0]
    assert any("equally spaced" in c for c in r.conventions)
    with pytest.raises(NotDefined):
        functional_components(np.array([base, base]))
