"""Robust statistics: breakdown, zero MAD, refit on inliers, affine invariance, agreement with other programs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import huber_estimate, mahalanobis_distances, ransac_regression


def cloud(n: int, p: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) + rng.normal(size=p)


@given(n=st.integers(8, 30), p=st.integers(1, 4), seed=st.integers(0, 10**6))
def test_distances_are_those_of_the_inverse_covariance(n: int, p: int, seed: int) -> None:
    x = cloud(n, p, seed)
    deviation = x - x.mean(axis=0)
    wanted = np.sum(deviation @ np.linalg.inv(np.atleast_2d(np.cov(x.T))) * deviation, axis=1)
    result = mahalanobis_distances(x)
    np.testing.assert_allclose(result.d2, wanted, rtol=1e-6)
    np.testing.assert_allclose(np.square(result.d), result.d2, rtol=1e-12)
    assert sum(result.d2) == pytest.approx(p * (n - 1))


def test_masked_outliers_are_found_by_the_robust_distances() -> None:
    x = cloud(60, 2, 3)
    x[:14] = x[:14] * 0.1 + 30
    result = mahalanobis_distances(x)
    assert set(range(14)) <= set(result.robust["outlier_indices"].value)
    assert not set(range(14)) <= set(result.outlier_indices)


def test_the_robust_distances_do_not_depend_on_units() -> None:
    x = cloud(40, 3, 5)
    plain = mahalanobis_distances(x).robust["d2"].value
    far = mahalanobis_distances(np.ldexp(x, [500, -500, 3])).robust["d2"].value
    np.testing.assert_allclose(far, plain, rtol=1e-10)


def test_scikit_learn_finds_the_same_outliers() -> None:
    from sklearn.covariance import MinCovDet

    x = cloud(50, 2, 8)
    x[:5] += 40
    mine = mahalanobis_distances(x).robust["d2"].value
    other = MinCovDet(random_state=0).fit(x).mahalanobis(x)
    assert set(np.argsort(mine)[-5:]) == set(np.argsort(other)[-5:]) == set(range(5))


def test_rows_on_a_line_have_no_robust_covariance() -> None:
    x = np.array([[i, 2.0 * i] for i in range(8)] + [[1, 9], [4, 0]])
    result = mahalanobis_distances(x)
    assert result.robust["d2"] is None
    assert "hyperplane" in result.robust["undefined"]["d2"]


def test_few_rows_warn_that_distances_are_bounded() -> None:
    result = mahalanobis_distances(cloud(6, 2, 1))
    assert max(result.d2) <= 25 / 6 + 1e-9
    assert any("exceed" in w for w in result.warnings)


def test_large_data_are_summarised_without_lists() -> None:
    result = mahalanobis_distances(cloud(10_500, 2, 1))
    assert result.d2 is None
    assert result.undefined["d2"]
    assert result.max_d2 > 5


@given(st.lists(st.floats(-1e6, 1e6), min_size=5, max_size=40, unique=True), st.floats(0.5, 3))
def test_the_location_solves_its_equation(values: list[float], k: float) -> None:
    x = np.array(values)
    try:
        fit = huber_estimate(x, k=k)
    except NotDefined:
        return
    scale = fit.also["scale"].value
    psi = np.clip((x - fit.estimate) / scale, -k, k)
    assert abs(psi.sum()) < 1e-8 * x.size + 1e-12 * np.abs(x).max() / scale * x.size
    assert fit.conf_low <= fit.estimate <= fit.conf_high


def test_one_wild_value_hardly_moves_the_location() -> None:
    x = np.array([4.1, 3.9, 4.4, 4.0, 4.2, 4.3, 3.8, 4.1])
    ends = [huber_estimate(np.append(x, wild)).estimate for wild in (10.0, 1e6, 1e300)]
    assert max(ends) - min(ends) < 1e-9
    assert abs(ends[0] - x.mean()) < 0.2


def test_a_huge_constant_is_the_mean() -> None:
    x = np.array([1.0, 2.0, 4.0, 8.0])
    assert huber_estimate(x, k=20).estimate == pytest.approx(3.75)


def test_a_zero_mad_is_said() -> None:
    with pytest.raises(NotDefined, match="MAD"):
        huber_estimate(np.array([2.0, 2, 2, 2, 5]))
    x = np.arange(8.0)[:, None]
    with pytest.raises(NotDefined, match="MAD"):
        huber_estimate(x=x, y=np.append(2 * x[:-1, 0], 2 * x[-1, 0]))


@pytest.mark.parametrize("power", [-600, 600])
def test_extreme_scales_of_the_location(power: int) -> None:
    x = np.array([4.1, 3.9, 4.4, 4.0, 4.2, 9.7])
    far, plain = huber_estimate(np.ldexp(x, power)), huber_estimate(x)
    assert far.estimate == np.ldexp(plain.estimate, power)
    assert far.std_error == np.ldexp(plain.std_error, power)


def test_regression_agrees_with_statsmodels() -> None:
    import statsmodels.api as sm

    rng = np.random.default_rng(4)
    x = rng.normal(size=(60, 2))
    y = 1 + x @ [2.0, -1] + rng.normal(size=60)
    y[:6] += 30
    other = sm.RLM(y, sm.add_constant(x), sm.robust.norms.HuberT(1.345)).fit(
        scale_est=sm.robust.scale.mad, tol=1e-12, maxiter=500
    )
    mine = huber_estimate(x=x, y=y)
    # statsmodels centres the residuals at their median for the MAD, which changes the scale a little.
    np.testing.assert_allclose([t.estimate for t in mine.terms.values()], other.params, rtol=0.01)
    assert abs(mine.also["least_squares"]["coefficients"].value["intercept"] - 1) > 1.5
    assert abs(mine.terms["intercept"].estimate - 1) < 0.6


def test_regression_at_extreme_scales() -> None:
    rng = np.random.default_rng(4)
    x, e = rng.normal(size=(30, 1)), rng.normal(size=30)
    y = x[:, 0] + e
    plain, far = huber_estimate(x=x, y=y), huber_estimate(x=np.ldexp(x, 400), y=np.ldexp(y, -400))
    assert far.terms["x"].statistic == pytest.approx(plain.terms["x"].statistic, rel=1e-9)


def test_ransac_finds_a_minority_pattern_and_refits_on_it() -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, 60)
    y = 3 + 2 * x + 0.1 * rng.normal(size=60)
    y[:28] = rng.uniform(-50, 50, 28)
    fit = ransac_regression(x[:, None], y)
    kept = np.array(fit.details["inlier_mask"])
    assert kept[28:].all()
    assert fit.terms["x"].estimate == pytest.approx(np.polyfit(x[kept], y[kept], 1)[0], rel=1e-10)
    assert abs(fit.terms["x"].estimate - 2) < 0.05
    assert fit.seed == 0


def test_ransac_on_an_exact_line_with_one_outlier() -> None:
    x = np.arange(10.0)
    y = 2 * x + 1
    y[4] = 100
    fit = ransac_regression(x[:, None], y)
    assert fit.details["outlier_indices"].value == [4]
    assert fit.terms["x"].estimate == pytest.approx(2)
    assert fit.terms["x"].p_value is None
    assert any("exactly" in w for w in fit.warnings)


def test_ransac_is_the_same_for_the_same_seed_and_refuses_too_few() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(300, 3)), rng.normal(size=300)
    first, second = ransac_regression(x, y, seed=3), ransac_regression(x, y, seed=3)
    assert first.to_dict() == second.to_dict()
    with pytest.raises(InputError, match="too few"):
        ransac_regression(x[:4], y[:4])
    with pytest.raises(NotDefined):
        ransac_regression(x, y, threshold=1e-300)
    assert (
        execute_tool(
            "robust_stats", {"type": "ransac", "x": [1, 2, 3, 4], "y": [1, 2, 3, 4], "n_trials": 10**6}
        )["code"]
        == "limit_exceeded"
    )
