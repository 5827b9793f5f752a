"""Instrumental variables, difference in differences, discontinuity: simulation, laws, refusals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined
from statistikles.stats.causal import difference_in_differences, instrumental_variables
from statistikles.stats.causal_rdd import regression_discontinuity


def confounded(seed: int, n: int = 200) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    z, u = rng.normal(size=(2, n))
    x = z + u + rng.normal(size=n)
    return 2 * x + 3 * u + rng.normal(size=n), x, z


def test_the_instrument_removes_the_confounding() -> None:
    y, x, z = confounded(0, 3000)
    out = instrumental_variables(y, x, z)
    ols = np.polyfit(x, y, 1)[0]
    assert abs(out.terms["x"].estimate - 2) < 0.2 < abs(ols - 2)
    assert out.diagnostics["wu_hausman"]["p_value"] < 1e-6
    assert not out.warnings


@pytest.mark.parametrize("seed", range(3))
def test_classical_errors_agree_with_statsmodels(seed: int) -> None:
    y, x, z = confounded(seed, 80)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import statsmodels.api as sm
        from statsmodels.sandbox.regression.gmm import IV2SLS

        theirs = IV2SLS(y, sm.add_constant(x), sm.add_constant(z)).fit()
    ours = instrumental_variables(y, x, z).also["classical"]["terms"]
    assert ours["x"].estimate == pytest.approx(theirs.params[1], rel=1e-9)
    assert ours["x"].std_error == pytest.approx(theirs.bse[1], rel=1e-9)
    assert ours["intercept"].std_error == pytest.approx(theirs.bse[0], rel=1e-9)


def test_an_instrument_for_itself_is_ordinary_least_squares() -> None:
    y, x, _ = confounded(1, 50)
    out = instrumental_variables(y, x, x)
    assert out.terms["x"].estimate == pytest.approx(np.polyfit(x, y, 1)[0], rel=1e-10)
    first = out.diagnostics["first_stage"]["x"]
    assert first["statistic"] is None and first["undefined"]["statistic"]
    assert out.diagnostics["wu_hausman"]["statistic"] is None


def test_a_weak_instrument_is_called_weak() -> None:
    rng = np.random.default_rng(5)
    y, x, _ = confounded(2, 60)
    out = instrumental_variables(y, x, rng.normal(size=60))
    assert out.diagnostics["first_stage"]["x"]["statistic"] < 10
    assert "Weak" in out.warnings[0]
    assert out.diagnostics["sargan"]["statistic"] is None


def test_iv_refusals() -> None:
    y, x, z = confounded(3, 30)
    with pytest.raises(InputError, match="instrument"):
        instrumental_variables(y, [x, z], [z])
    with pytest.raises(NotDefined):
        instrumental_variables(y, x, [z, 2 * z])
    with pytest.raises(NotDefined):
        instrumental_variables(y, x, np.ones(30))
    with pytest.raises(NotDefined):
        instrumental_variables(3 * x, x, z)
    with pytest.raises(InputError):
        instrumental_variables(y[:3], x[:3], z[:3])


@given(
    seed=st.integers(0, 40),
    a=st.integers(-300, 300),
    b=st.integers(-300, 300),
    shift=st.sampled_from([0, 1e6]),
)
def test_iv_units(seed: int, a: int, b: int, shift: float) -> None:
    y, x, z = (np.round(v, 3) for v in confounded(seed, 40))
    left = instrumental_variables(y, x, z)
    right = instrumental_variables(y * 2.0**a, (x + shift) * 2.0**b, z)
    assert left.terms["x"].statistic == pytest.approx(right.terms["x"].statistic, rel=1e-6)
    assert right.terms["x"].estimate == pytest.approx(left.terms["x"].estimate * 2.0 ** (a - b), rel=1e-6)


@given(seed=st.integers(0, 100))
def test_did_is_the_difference_of_the_mean_changes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    treat, post = rng.integers(0, 2, (2, 30)).astype(float)
    treat[:4], post[:4] = [0, 0, 1, 1], [0, 1, 0, 1]
    y = rng.normal(size=30)
    out = difference_in_differences(y, treat, post)
    g = out.groups
    by_hand = (
        g["treated_after"].mean
        - g["treated_before"].mean
        - g["control_after"].mean
        + g["control_before"].mean
    )
    assert out.estimate == pytest.approx(by_hand, abs=1e-12)
    assert out.conf_low <= out.estimate <= out.conf_high


def test_did_without_noise_has_no_test() -> None:
    out = difference_in_differences(
        [1.0, 1, 2, 2, 3, 3, 7, 7], [0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 1, 1]
    )
    assert out.estimate == pytest.approx(3.0)
    assert out.statistic is None and out.undefined["statistic"]
    assert out.effect_size.estimate is None


def test_did_refusals_and_cautions() -> None:
    with pytest.raises(InputError, match="control after"):
        difference_in_differences([1.0, 2, 3, 4, 5], [0, 0, 1, 1, 1], [0, 0, 0, 1, 1])
    with pytest.raises(InputError):
        difference_in_differences([1.0, 2, 3, 4, 5], [0, 0, 1, 1, 2], [0, 1, 0, 1, 1])
    with pytest.raises(InputError, match="clusters"):
        difference_in_differences([1.0, 2, 3, 4, 5], [0, 0, 1, 1, 1], [0, 1, 0, 1, 1], cluster=["a"] * 5)
    out = difference_in_differences([1.0, 2, 3, 4, 5.5, 1.2], [0, 0, 1, 1, 1, 0], [0, 1, 0, 1, 1, 0])
    assert any("single row" in w for w in out.warnings)


def jump(seed: int, n: int = 400, size: float = 3.0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, n)
    return np.sin(3 * x) + size * (x >= 0) + 0.3 * rng.normal(size=n), x


def test_the_jump_is_found_where_two_global_lines_miss_it() -> None:
    y, x = jump(0, 3000)
    out = regression_discontinuity(y, x, 0.0)
    assert abs(out.estimate - 3) < 0.15
    assert out.conf_low < 3 < out.conf_high
    assert abs(out.also["global_lines"]["estimate"] - 3) > 0.3


@given(seed=st.integers(0, 60))
def test_no_jump_is_rarely_significant_and_the_sign_follows_the_side(seed: int) -> None:
    y, x = jump(seed, 300, -2.0)
    out = regression_discontinuity(y, x, 0.0)
    assert out.estimate < 0 and out.effect_size.estimate < 0
    mirrored = regression_discontinuity(-y, x, 0.0)
    assert mirrored.estimate == pytest.approx(-out.estimate, rel=1e-9)


def test_equality_with_the_threshold_is_treated() -> None:
    x = np.array([-4.0, -3, -2, -1, 0, 1, 2, 3])
    out = regression_discontinuity(np.where(x >= 0, 5.0, 1.0) + 0.01 * x**2, x, 0.0, bandwidth=10)
    assert out.groups["above"].n == 4


def test_discontinuity_refusals() -> None:
    y, x = jump(1, 40)
    with pytest.raises(InputError, match="threshold"):
        regression_discontinuity(y, x, 5.0)
    with pytest.raises(NotDefined):
        regression_discontinuity(np.ones(40), x, 0.0)
    with pytest.raises(InputError):
        regression_discontinuity(y, x, 0.0, bandwidth=-1.0)
    out = regression_discontinuity(y, x, 0.0, bandwidth=1e-9)
    assert any("widened" in w for w in out.warnings)


def test_sorting_at_the_threshold_shows_in_the_counts() -> None:
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.uniform(-1, 1, 200), rng.uniform(0, 0.1, 150)])
    out = regression_discontinuity(x + rng.normal(size=350), x, 0.0, bandwidth=0.4)
    assert out.details["density"]["p_value"] < 1e-6
