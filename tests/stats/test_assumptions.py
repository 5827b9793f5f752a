"""Checks of assumptions: traps, degenerate data, and comparison with scipy on random data."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as sps

from statistikles.errors import InputError, NotDefined
from statistikles.stats import bartlett, distribution_fit, levene, normality, outliers

numbers = st.lists(st.floats(-100, 100).map(lambda v: round(v, 3)), min_size=3, max_size=25)


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


# Normality -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [4, 11, 60, 900])
def test_normality_agrees_with_scipy(seed: int, n: int) -> None:
    x = rng(seed).normal(size=n) ** (1 + seed % 3)
    ours, theirs = normality(x), sps.shapiro(x)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-6)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-4, abs=1e-12)
    jb = sps.jarque_bera(x)
    assert ours.also["jarque_bera"].statistic == pytest.approx(jb.statistic, rel=1e-9)
    assert ours.also["jarque_bera"].p_value == pytest.approx(jb.pvalue, rel=1e-9)


def test_the_leading_test_of_a_long_sample_is_anderson_darling() -> None:
    result = normality(rng(1).normal(size=5001))
    assert result.statistic_name == "A²"
    assert result.also["shapiro_wilk"].undefined["p_value"]
    assert 0 < (result.p_value or 0.0) <= 1


def test_small_samples_say_which_tests_are_missing() -> None:
    also = normality([1, 2, 4]).also
    assert also["anderson_darling"].undefined and also["lilliefors"].undefined
    assert also["shapiro_wilk"].p_value is not None


def test_constant_data_and_doubled_arguments_are_refused() -> None:
    with pytest.raises(NotDefined):
        normality([2, 2, 2, 2])
    with pytest.raises(InputError):
        normality([1, 2, 3], groups={"a": [1, 2, 3]})
    with pytest.raises(InputError):
        normality()


def test_groups_are_tested_together_as_residuals_and_one_by_one() -> None:
    r = rng(3)
    groups = {"a": r.normal(size=12), "b": 50 + r.normal(size=15), "flat": np.full(4, 7.0)}
    result = normality(groups=groups)
    residuals = np.concatenate([g - g.mean() for g in groups.values()])
    assert result.p_value == pytest.approx(sps.shapiro(residuals).pvalue, rel=1e-4)
    by_group = result.to_dict()["details"]["by_group"]
    assert by_group["b"]["p_value"] == pytest.approx(sps.shapiro(groups["b"]).pvalue, rel=1e-4)
    assert by_group["flat"]["p_value"] is None


@given(numbers)
def test_probabilities_are_possible_whatever_the_data(x: list[float]) -> None:
    if len(set(x)) == 1:
        return
    result = normality(x)
    for test in result.also.values():
        assert test.p_value is None or 0 <= test.p_value <= 1
    assert 0 < (result.statistic or 0.0) <= 1


def test_extreme_scales() -> None:
    x = rng(5).gamma(2, size=30)
    plain = normality(x)
    for power in (-600, 600):
        assert normality(np.ldexp(x, power)).p_value == pytest.approx(plain.p_value, rel=1e-9)
        assert levene([np.ldexp(x, power), np.ldexp(2 * x, power)]).p_value == pytest.approx(
            levene([x, 2 * x]).p_value, rel=1e-9
        )
        assert bartlett([np.ldexp(x, power), np.ldexp(2 * x, power)]).statistic == pytest.approx(
            bartlett([x, 2 * x]).statistic, rel=1e-9
        )
        assert outliers(np.ldexp(x, power)).p_value == pytest.approx(outliers(x).p_value, rel=1e-9)


# Variances -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_variance_tests_agree_with_scipy(seed: int) -> None:
    r = rng(seed)
    groups = [r.normal(0, 1 + i / 2, int(r.integers(3, 20))) for i in range(int(r.integers(2, 5)))]
    ours = levene(groups)
    for result, centre in ((ours, "median"), (ours.also["mean_centred"], "mean")):
        theirs = sps.levene(*groups, center=centre)
        assert result.statistic == pytest.approx(theirs.statistic, rel=1e-9)
        assert result.p_value == pytest.approx(theirs.pvalue, rel=1e-9)
    fligner = sps.fligner(*groups)
    assert ours.also["fligner_killeen"].p_value == pytest.approx(fligner.pvalue, rel=1e-9)
    theirs = sps.bartlett(*groups)
    assert bartlett(groups).statistic == pytest.approx(theirs.statistic, rel=1e-9)
    assert bartlett(groups).p_value == pytest.approx(theirs.pvalue, rel=1e-9)


def test_the_centre_of_levene_is_named() -> None:
    result = levene([[1, 2, 3, 9], [4, 5, 6, 6.5]])
    assert "median" in result.method
    assert "mean" in result.also["mean_centred"].method


def test_groups_of_two_have_no_levene_test() -> None:
    with pytest.raises(NotDefined):
        levene([[1, 2], [3, 9]])


def test_equal_variances_at_an_offset_are_still_equal() -> None:
    x = np.array([0.25, 0.5, 1.0, 2.25])
    assert bartlett([x, x + 1e9]).p_value == pytest.approx(1.0)
    assert levene([x, x + 1e9]).p_value == pytest.approx(1.0)


# Distributions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_given_parameters_have_the_exact_p(seed: int) -> None:
    x = rng(seed).normal(0.2, 1.1, 40)
    theirs = sps.kstest(x, "norm", method="exact")
    ours = distribution_fit(x, parameters={"mean": 0, "sd": 1})
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-12)
    assert ours.p_value == pytest.approx(theirs.pvalue, rel=1e-8)
    assert "given" in ours.method and not any("estimated" in w for w in ours.warnings)


def test_estimated_parameters_never_use_the_plain_p() -> None:
    x = rng(2).normal(3, 2, 60)
    result = distribution_fit(x)
    assert "Lilliefors" in result.method
    assert any("estimated" in w for w in result.warnings)
    assert result.p_value < result.also["plain_ks"].p_value


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("gamma", sps.gamma),
        ("weibull", sps.weibull_min),
        ("lognormal", sps.lognorm),
        ("exponential", sps.expon),
    ],
)
def test_fits_agree_with_scipy(name: str, peer: sps.rv_continuous) -> None:
    x = rng(8).gamma(1.7, 3.0, 200)
    fitted = distribution_fit(x, distribution=name, n_reps=10).details["parameters"]
    values = peer.fit(x, floc=0)
    wanted = {
        "gamma": lambda: (values[0], values[2]),
        "weibull": lambda: (values[0], values[2]),
        "lognormal": lambda: (math.log(values[2]), values[0] * math.sqrt(200 / 199)),
        "exponential": lambda: (values[1],),
    }[name]()
    assert tuple(fitted.values()) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("name", ["exponential", "gamma", "weibull", "poisson"])
def test_simulated_p_is_uniform_under_the_null(name: str) -> None:
    p = []
    for seed in range(60):
        r = rng(seed)
        x = r.poisson(4.0, 40).astype(float) if name == "poisson" else r.exponential(2.0, 40)
        p.append(distribution_fit(x, distribution=name, n_reps=199, seed=seed).p_value)
    assert sps.kstest(p, "uniform").pvalue > 0.001


def test_simulated_p_repeats_with_its_seed_and_says_it() -> None:
    x = rng(1).gamma(2.0, size=30)
    one, two = (distribution_fit(x, distribution="gamma", n_reps=300, seed=5) for _ in range(2))
    assert one == two
    assert one.seed == 5
    assert 0 < one.details["monte_carlo_std_error"] < 0.04
    assert "bootstrap" in one.method


def test_a_change_of_unit_changes_nothing_in_a_fit() -> None:
    x = rng(6).gamma(2.0, size=40)
    for name in ("gamma", "weibull", "exponential", "uniform", "normal"):
        plain = distribution_fit(x, distribution=name, n_reps=99)
        for power in (-500, 500):
            scaled = distribution_fit(np.ldexp(x, power), distribution=name, n_reps=99)
            assert scaled.statistic == pytest.approx(plain.statistic, rel=1e-9)
            assert scaled.p_value == pytest.approx(plain.p_value, rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"distribution": "gamma"}, "positive"),
        ({"distribution": "poisson"}, "at least 0"),
        ({"distribution": "normal", "parameters": {"mean": 0}}, "parameters"),
        ({"distribution": "normal", "parameters": {"mean": 0, "sd": -1}}, "sd"),
        ({"distribution": "uniform", "parameters": {"low": 2, "high": 1}}, "low"),
        ({"distribution": "cauchy"}, "Valid"),
    ],
)
def test_impossible_requests_are_named(arguments: dict[str, object], word: str) -> None:
    with pytest.raises(InputError, match=word):
        distribution_fit([-1.0, 0.5, 2.0, 3.0], **arguments)


def test_constant_data_cannot_be_fitted() -> None:
    for name in ("normal", "gamma", "weibull", "uniform", "lognormal"):
        with pytest.raises(NotDefined):
            distribution_fit([2.0, 2.0, 2.0], distribution=name)


# Outliers ------------------------------------------------------------------------------------------------


def test_grubbs_p_is_that_of_student() -> None:
    x = np.array([199.31, 199.53, 200.19, 200.82, 201.92, 201.95, 202.18, 245.57])
    result, n = outliers(x), 8
    g = np.abs(x - x.mean()).max() / x.std(ddof=1)
    t = math.sqrt(n * (n - 2) * g * g / ((n - 1) ** 2 - n * g * g))
    assert result.p_value == pytest.approx(2 * n * sps.t.sf(t, n - 2), rel=1e-9)
    assert result.estimate == 245.57 and result.details["index"] == 7


def test_grubbs_error_rate_under_the_null() -> None:
    r = rng(0)
    p = [outliers(r.normal(size=15)).p_value for _ in range(400)]
    assert 0.02 < np.mean(np.array(p) <= 0.05) < 0.09


def test_the_three_fences_have_their_own_thresholds() -> None:
    x = [*rng(4).normal(size=2000)]
    details = outliers(x).details
    assert [details[k]["threshold"] for k in ("iqr", "z", "modified_z")] == [1.5, 3.0, 3.5]
    # z beyond 3 flags 0.27 % of normal data, not the 12 % that a cut of 1.5 would
    assert details["z"]["n_outliers"] < 20
    assert details["modified_z"]["n_outliers"] <= details["z"]["n_outliers"]


def test_masked_outliers_are_found_by_the_generalised_esd() -> None:
    x = [*np.linspace(-2, 2, 40), 9.0, 9.1, 9.2]
    esd = outliers(x, max_outliers=5).details["generalised_esd"]
    assert esd["n_outliers"] == 3
    assert sorted(esd["values"]) == [9.0, 9.1, 9.2]


def test_one_different_value_among_equal_ones() -> None:
    result = outliers([5, 5, 5, 5, 6])
    assert result.p_value == 0.0
    assert any("mean absolute deviation" in w for w in result.warnings)
    with pytest.raises(NotDefined):
        outliers([5, 5, 5])
    with pytest.raises(InputError, match="max_outliers"):
        outliers([1, 2, 3, 4], max_outliers=3)


def test_values_at_the_ends_of_the_doubles() -> None:
    huge = [[-1e308, -1e308, 1e308, 1e300], [1e308, -1e308, 1e308]]
    plain = [[-1.0, -1.0, 1.0, 1e-8], [1.0, -1.0, 1.0]]
    assert levene(huge).p_value == pytest.approx(levene(plain).p_value, rel=1e-9)
    tiny = outliers([0.0, 5e-324, 0.0, 0.0])
    assert tiny.details["index"] == 1 and tiny.estimate == 5e-324
    with pytest.raises(NotDefined, match="double"):
        normality(groups={"a": [1.7e308, -1.7e308, 1.7e308], "b": [1.0, 2.0, 4.0]})
    with pytest.raises(InputError, match="counts up to"):
        distribution_fit([1e300, 1e300, 2e300], distribution="poisson")
    with pytest.raises(InputError, match="1000"):
        outliers(np.arange(5000.0), max_outliers=1001)
