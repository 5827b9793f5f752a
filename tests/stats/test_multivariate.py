"""Principal components: reconstruction, degenerate columns, extreme scales, agreement with scikit-learn's definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import pca


def sample(n: int, p: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) @ rng.normal(size=(p, p))


@given(n=st.integers(2, 30), p=st.integers(1, 8), seed=st.integers(0, 10**6))
def test_eigenvalues_are_those_of_the_covariance_matrix(n: int, p: int, seed: int) -> None:
    x = sample(n, p, seed)
    result = pca(x, n_components=p)
    wanted = np.sort(np.linalg.eigvalsh(np.atleast_2d(np.cov(x.T))))[::-1][: result.n_components]
    assert result.n_components == min(n - 1, p)
    np.testing.assert_allclose(result.eigenvalues, wanted, rtol=1e-8, atol=1e-9 * wanted[0])
    assert result.cumulative_proportion[-1] == pytest.approx(1.0)


@given(n=st.integers(3, 20), p=st.integers(1, 6), seed=st.integers(0, 10**6), scale=st.booleans())
def test_scores_and_loadings_give_the_data_back(n: int, p: int, seed: int, scale: bool) -> None:
    x = sample(n, p, seed)
    result = pca(x, scale=scale, scores=True)
    axes = np.array([list(row.values()) for row in result.loadings.values()])
    back = np.array(result.scores) @ axes
    if scale:
        back *= x.std(axis=0, ddof=1)
    np.testing.assert_allclose(back + x.mean(axis=0), x, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(axes @ axes.T, np.eye(len(axes)), atol=1e-12)
    assert all(row.max() >= -row.min() * (1 - 1e-9) for row in axes)


@pytest.mark.parametrize("power", [-600, -300, 300, 600])
def test_extreme_scales_keep_the_shares(power: int) -> None:
    x = sample(12, 3, 4)
    plain, far = pca(x), pca(np.ldexp(x, power))
    np.testing.assert_allclose(far.proportion_explained, plain.proportion_explained, rtol=1e-12)
    assert far.loadings == plain.loadings
    np.testing.assert_allclose(far.std_devs, np.ldexp(plain.std_devs, power), rtol=1e-12)
    assert pca(np.ldexp(x, power), scale=True).eigenvalues == pca(x, scale=True).eigenvalues
    if abs(power) == 600:
        assert far.eigenvalues is None
        assert "double" in far.undefined["eigenvalues"]


def test_a_large_offset_leaves_no_trace() -> None:
    x = np.round(sample(20, 3, 1) * 1024) / 1024
    for scale in (False, True):
        near, far = pca(x, scale=scale), pca(x + 2.0**30, scale=scale)
        np.testing.assert_allclose(far.eigenvalues, near.eigenvalues, rtol=1e-12)
        assert far.kmo["overall"].value == pytest.approx(near.kmo["overall"].value, rel=1e-10)


def test_a_standardised_tiny_spread_on_a_large_offset() -> None:
    x = np.array([[1e9 + 1, 3.0], [1e9 + 2, 1.0], [1e9 + 4, 2.0], [1e9 + 3, 5.0]])
    near = x - [1e9, 0]
    np.testing.assert_allclose(pca(x, scale=True).eigenvalues, pca(near, scale=True).eigenvalues, rtol=1e-12)


def test_a_constant_column_has_no_part() -> None:
    x = np.column_stack((sample(10, 2, 3), np.full(10, 7.0)))
    result = pca(x)
    assert result.n_components == 2
    assert [row["x3"] for row in result.loadings.values()] == pytest.approx([0.0, 0.0])
    assert result.kmo is None
    assert any("constant" in w for w in result.warnings)
    with pytest.raises(NotDefined, match="x3"):
        pca(x, scale=True)


def test_fewer_rows_than_columns() -> None:
    result = pca(sample(4, 7, 9), n_components=7)
    assert result.n_components == 3
    assert any("Only 3" in w for w in result.warnings)
    assert result.bartlett_sphericity is None


def test_limits_and_names() -> None:
    x = sample(30, 4, 2)
    with pytest.raises(InputError, match="limit"):
        pca(sample(6000, 4, 2), scores=True)
    with pytest.raises(InputError, match="only 4 columns"):
        pca(x, n_components=5)
    with pytest.raises(InputError, match="names"):
        pca(x, var_names=["a", "b"])
    refused = execute_tool("pca", {"x": [[1, 2], [2, 1]], "n_components": 21})
    assert "20" in refused["error"]


def test_uncorrelated_columns_have_no_kmo_and_no_sphericity_evidence() -> None:
    x = np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]], dtype=float)
    result = pca(x)
    assert result.bartlett_sphericity["p_value"] == 1.0
    assert result.kmo is None


def test_missing_rows_are_dropped_and_counted() -> None:
    result = execute_tool("pca", {"x": [[1, 2, None, 4, 6], [2, 1, 5, 3, 2]]})
    assert (result["n"], result["n_missing"]) == (4, 1)
