"""Independent components: both matrices, uncorrelated sources, recovery, conventions, units, limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined
from statistikles.stats import independent_components


def signals(n: int, p: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    sources = np.column_stack([rng.laplace(size=n) if j % 2 else rng.uniform(-1, 1, n) for j in range(p)])
    return sources @ rng.normal(size=(p, p)).T + rng.normal(size=p), sources


def matrix(table: dict[str, dict[str, float]]) -> np.ndarray:
    return np.array([list(row.values()) for row in table.values()])


@given(p=st.integers(1, 4), seed=st.integers(0, 10**5))
def test_sources_are_uncorrelated_and_the_matrices_are_inverse(p: int, seed: int) -> None:
    x, _ = signals(200, p, seed)
    try:
        r = independent_components(x)
    except NotDefined as error:
        assert error.code == "no_convergence"
        return
    s = np.array(list(r.sources.values())).T
    np.testing.assert_allclose(s.T @ s / 200, np.eye(p), atol=1e-9)
    np.testing.assert_allclose(matrix(r.mixing_matrix) @ matrix(r.unmixing_matrix), np.eye(p), atol=1e-8)
    np.testing.assert_allclose(s @ matrix(r.mixing_matrix).T + list(r.means.values()), x, atol=1e-8)


def test_known_sources_are_recovered() -> None:
    x, sources = signals(4000, 3, 1)
    found = np.array(list(independent_components(x).sources.values()))
    match = np.abs(np.corrcoef(np.vstack((found, sources.T)))[:3, 3:])
    assert match.max(axis=0).min() > 0.99
    assert sorted(match.argmax(axis=0)) == [0, 1, 2]


def test_order_and_sign_follow_the_convention_and_not_the_units() -> None:
    x, _ = signals(300, 3, 2)
    plain, far = independent_components(x), independent_components(np.ldexp(x, [500, -500, 1]))
    np.testing.assert_allclose(list(far.sources.values()), list(plain.sources.values()), atol=1e-7)
    relative = matrix(plain.mixing_matrix) / x.std(axis=0)[:, None]
    assert (relative.max(axis=0) >= -relative.min(axis=0) * (1 - 1e-9)).all()
    sizes = np.sum(relative**2, axis=0)
    assert list(sizes) == sorted(sizes, reverse=True)


def test_scikit_learn_finds_the_same_sources() -> None:
    import warnings

    from sklearn.decomposition import FastICA

    x, _ = signals(1000, 2, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = FastICA(2, whiten="unit-variance", random_state=0, tol=1e-12, max_iter=2000).fit_transform(x)
    mine = np.array(list(independent_components(x).sources.values()))
    match = np.abs(np.corrcoef(np.vstack((mine, other.T)))[:2, 2:])
    assert match.max(axis=0).min() > 1 - 1e-6


def test_fewer_sources_than_signals() -> None:
    x, _ = signals(200, 4, 3)
    r = independent_components(x, 2)
    assert list(r.unmixing_matrix) == ["IC1", "IC2"]
    assert 0 < r.proportion_kept < 1
    s = np.array(list(r.sources.values())).T
    np.testing.assert_allclose(s.T @ s / 200, np.eye(2), atol=1e-9)


def test_normal_sources_raise_a_caution() -> None:
    rng = np.random.default_rng(4)
    try:
        r = independent_components(rng.normal(size=(400, 2)))
    except NotDefined as error:
        assert error.code == "no_convergence"
    else:
        assert any("normal" in w for w in r.warnings)


def test_refusals() -> None:
    x, _ = signals(50, 2, 0)
    with pytest.raises(InputError, match="sources"):
        independent_components(x, 3)
    with pytest.raises(InputError, match="too few"):
        independent_components(x[:4, [0, 1, 0]])
    with pytest.raises(NotDefined, match="dimensions"):
        independent_components(np.column_stack((x, x[:, 0] - x[:, 1])))


def test_the_same_seed_gives_the_same_numbers() -> None:
    x, _ = signals(150, 3, 9)
    assert independent_components(x, seed=4).to_dict() == independent_components(x, seed=4).to_dict()


def test_the_constant_of_the_negentropy() -> None:
    from scipy.integrate import quad

    from statistikles.stats.ica import _NORMAL_LOG_COSH

    value = quad(
        lambda z: np.log(np.cosh(z)) * np.exp(-z * z / 2) / np.sqrt(2 * np.pi), -30, 30, epsabs=1e-14
    )[0]
    assert pytest.approx(value, rel=1e-12) == _NORMAL_LOG_COSH
