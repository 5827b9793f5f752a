"""Descriptive statistics: conventions, degenerate samples, weights, extreme scale, agreement with scipy."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats as ss
from hypothesis import given
from hypothesis import strategies as st

from statistikles import collect_numbers, execute_tool
from statistikles.errors import InputError
from statistikles.stats import describe
from statistikles.stats._numerics import lag1_autocorrelation

finite = st.floats(-1e6, 1e6, allow_nan=False)


def test_all_modes_are_given() -> None:
    assert describe([1, 2, 2, 3, 3]).to_dict()["modes"] == [2.0, 3.0]


def test_no_mode_when_every_value_occurs_once() -> None:
    result = describe([1, 2, 3]).to_dict()
    assert result["modes"] is None
    assert "once" in result["undefined"]["modes"]


def test_one_value_has_a_mean_and_no_spread() -> None:
    result = describe([5.0]).to_dict()
    assert result["mean"] == result["median"] == 5.0
    for name in ("std_dev", "variance", "std_error", "conf_low", "skewness", "lag1_autocorrelation"):
        assert result[name] is None
        assert result["undefined"][name]


def test_constant_data_have_spread_zero_and_no_shape() -> None:
    result = describe([3.0] * 8).to_dict()
    assert result["std_dev"] == result["mad"] == result["iqr"] == 0.0
    assert result["skewness"] is None
    assert "same" in result["undefined"]["skewness"]
    assert any("same" in w for w in result["warnings"])


def test_means_of_positive_values_are_undefined_for_others() -> None:
    for values in ([-1.0, 2.0, 4.0], [0.0, 2.0, 4.0]):
        result = describe(values).to_dict()
        for name in ("geometric_mean", "harmonic_mean"):
            assert result[name] is None
            assert "above zero" in result["undefined"][name]


@pytest.mark.parametrize("values", [[-1.0, 2.0], [0.0, 3.0]])
def test_the_power_mean_refuses_values_that_are_not_positive(values: list[float]) -> None:
    with pytest.raises(InputError, match="positive"):
        describe(values, power=2)


@pytest.mark.parametrize(("power", "name"), [(1.0, "mean"), (0.0, "geometric_mean"), (-1.0, "harmonic_mean")])
def test_the_power_mean_holds_the_classical_means(power: float, name: str) -> None:
    result = describe([1.5, 2.25, 9.0, 4.0], power=power).to_dict()
    assert result["power_mean"] == pytest.approx(result[name], rel=1e-14)


@given(st.lists(st.floats(0.01, 100), min_size=2, max_size=20), st.floats(-30, 30), st.floats(-30, 30))
def test_power_means_rise_with_their_exponent(values: list[float], p: float, q: float) -> None:
    low, high = sorted((p, q))
    first, second = describe(values, power=low).power_mean, describe(values, power=high).power_mean
    assert first <= second * (1 + 1e-12)
    assert min(values) <= first
    assert second <= max(values)


@given(st.lists(finite, min_size=4, max_size=60))
def test_agrees_with_scipy(values: list[float]) -> None:
    x = np.array(values)
    result = describe(x).to_dict()
    assert result["mean"] == pytest.approx(float(np.mean(x)), rel=1e-9, abs=1e-9)
    assert result["q1"] == pytest.approx(float(np.percentile(x, 25)), rel=1e-12, abs=1e-12)
    assert result["trimmed_mean"] == pytest.approx(float(ss.trim_mean(x, 0.1)), rel=1e-9, abs=1e-9)
    assert result["mad"] == pytest.approx(float(ss.median_abs_deviation(x)), rel=1e-9, abs=1e-12)
    assert result["minimum"] <= result["q1"] <= result["median"] <= result["q3"] <= result["maximum"]
    if np.ptp(x) > 1e-3:
        assert result["skewness"] == pytest.approx(float(ss.skew(x, bias=False)), rel=1e-6, abs=1e-6)
        assert result["excess_kurtosis"] == pytest.approx(
            float(ss.kurtosis(x, bias=False)), rel=1e-6, abs=1e-6
        )


@pytest.mark.parametrize("power", [-600, -300, 300, 500, 600])
def test_extreme_scale_keeps_the_shape(power: int) -> None:
    x = np.array([1.0, 2.5, 3.25, 7.0, 9.5, 9.5, 11.0])
    here, there = describe(x).to_dict(), describe(np.ldexp(x, power)).to_dict()
    for name in ("skewness", "excess_kurtosis", "lag1_autocorrelation", "cv"):
        assert there[name] == pytest.approx(here[name], rel=1e-13)
    for name in ("mean", "std_dev", "std_error", "conf_low", "geometric_mean", "harmonic_mean", "mad"):
        assert there[name] == pytest.approx(math.ldexp(here[name], power), rel=1e-13)
    if abs(power) > 500:
        assert there["variance"] is None
        assert "double" in there["undefined"]["variance"]


def test_a_large_offset_costs_no_digits() -> None:
    x = np.array([4.0, 7.0, 13.0, 16.0])
    assert describe(x + 1e9).variance == 30.0
    assert describe(x + 1e15).variance == 30.0


def test_the_decimal_reading_is_exact() -> None:
    values = [0.1, 0.2, 0.30000000000000004, 1000000.2]
    exact = [Fraction(repr(v)) for v in values]
    mean = sum(exact) / 4
    variance = sum((v - mean) ** 2 for v in exact) / 3
    result = describe(values, decimal=True)
    assert result.mean == float(mean)
    assert result.variance == float(variance)


def test_the_median_interval_covers_as_it_says() -> None:
    result = describe(np.arange(1.0, 101.0))
    low, high = int(result.median_conf_low), int(result.median_conf_high)
    assert low + high == 101
    assert result.median_conf_level == pytest.approx(
        1 - 2 * float(ss.binom.cdf(low - 1, 100, 0.5)), rel=1e-12
    )
    assert result.median_conf_level >= 0.95
    assert 1 - 2 * float(ss.binom.cdf(low, 100, 0.5)) < 0.95


def test_five_values_are_too_few_for_a_95_percent_interval_of_the_median() -> None:
    result = describe([1.0, 2.0, 3.0, 4.0, 5.0]).to_dict()
    assert result["median_conf_low"] is None
    assert "too few" in result["undefined"]["median_conf_low"]


def test_weights_need_their_meaning() -> None:
    call = {"data": [1, 2, 3], "weights": [1, 1, 2]}
    assert execute_tool("descriptive_statistics", call)["where"] == "weight_type"
    assert (
        execute_tool("descriptive_statistics", {"data": [1, 2], "weight_type": "frequency"})["code"]
        == "missing_argument"
    )


@pytest.mark.parametrize("kind", ["frequency", "reliability", "probability"])
def test_weights_refuse_nonsense(kind: str) -> None:
    for weights in ([0, 0, 0], [-1, 1, 1], [1, 1]):
        call = {"data": [1, 2, 3], "weights": weights, "weight_type": kind}
        assert "weights" in execute_tool("descriptive_statistics", call)["error"]


def test_fractional_frequencies_are_refused() -> None:
    with pytest.raises(InputError, match="whole"):
        describe([1, 2], weights=[0.5, 2], weight_type="frequency")


def test_frequency_weights_equal_repetition() -> None:
    weighted = describe([2.0, 5.0, 9.0], weights=[3, 0, 2], weight_type="frequency").to_dict()
    repeated = describe([2.0, 2.0, 2.0, 9.0, 9.0]).to_dict()
    for name in ("n", "mean", "std_dev", "median", "skewness", "conf_low", "modes"):
        assert weighted[name] == repeated[name]


@pytest.mark.parametrize("kind", ["reliability", "probability"])
@given(factor=st.floats(1e-6, 1e6))
def test_the_unit_of_weights_does_not_matter(kind: str, factor: float) -> None:
    x, w = [1.0, 4.0, 2.5, 8.0], np.array([1.0, 3.0, 2.0, 0.5])
    one, two = describe(x, weights=w, weight_type=kind), describe(x, weights=w * factor, weight_type=kind)
    for name in ("mean", "std_error", "std_dev", "n_effective", "median", "q1"):
        assert getattr(two, name) == pytest.approx(getattr(one, name), rel=1e-12)


@pytest.mark.parametrize("kind", ["reliability", "probability"])
def test_equal_weights_give_the_plain_results(kind: str) -> None:
    x = [1.0, 4.0, 2.5, 8.0, 8.5]
    plain, weighted = describe(x), describe(x, weights=[2.0] * 5, weight_type=kind)
    for name in ("mean", "std_error", "std_dev", "conf_low", "conf_high", "median"):
        assert getattr(weighted, name) == pytest.approx(getattr(plain, name), rel=1e-14)


@pytest.mark.parametrize("power", [-600, 600])
def test_weighted_results_hold_at_extreme_scale(power: int) -> None:
    x, w = np.array([1.0, 4.0, 2.5, 8.0]), [1.0, 3.0, 2.0, 0.5]
    here = describe(x, weights=w, weight_type="reliability")
    there = describe(np.ldexp(x, power), weights=w, weight_type="reliability")
    assert there.std_error == pytest.approx(math.ldexp(here.std_error, power), rel=1e-14)
    assert there.variance is None


def test_groups_are_described_beside_the_whole() -> None:
    result = describe(groups={"a": [1.0, 2.0, 3.0], "b": [10.0]}).to_dict()
    assert result["groups"]["a"]["mean"] == 2.0
    assert result["groups"]["b"]["std_dev"] is None
    assert result["mean"] == 4.0


def test_data_or_groups_but_not_both() -> None:
    with pytest.raises(InputError):
        describe([1.0, 2.0], groups={"a": [1.0]})
    with pytest.raises(InputError):
        describe()


def test_core_detail_agrees_with_full() -> None:
    x = np.random.default_rng(3).normal(size=5001)
    core, full = describe(x, detail="core").to_dict(), describe(x).to_dict()
    for name, value in core.items():
        if name not in ("conventions", "undefined"):
            assert full[name] == value, name


def test_nothing_is_nan_for_subnormal_and_huge_values() -> None:
    for values in ([5e-324, 1e-323, 0.0], [1e308, -1e308, 5e307], [1.7e308, 1.7e308, 1.6e308]):
        result = execute_tool("descriptive_statistics", {"data": values})
        assert result.get("code") != "internal"
        assert all(math.isfinite(n) for n in collect_numbers(result))


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("n", [20_001, 24_576, 50_000])
def test_long_series_have_the_lag_1_autocorrelation_of_the_careful_path(n: int, offset: float) -> None:
    x = np.cumsum(np.random.default_rng(9).normal(size=n)) + offset
    assert describe(x).lag1_autocorrelation == pytest.approx(lag1_autocorrelation(x), rel=1e-12)
