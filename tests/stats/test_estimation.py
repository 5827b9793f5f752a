"""Maximum likelihood: supports, degenerate samples, scale, agreement with scipy and with the definition of a maximum."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats as ss

from statistikles import collect_numbers, execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import mle_fit

POSITIVE = ["lognormal", "exponential", "gamma", "weibull", "pareto", "rayleigh", "inverse_gaussian"]
REAL = ["normal", "uniform", "laplace", "logistic", "gumbel"]
COUNTS = ["poisson", "geometric", "negative_binomial"]
X = [0.8, 1.9, 2.4, 3.1, 0.5, 1.2, 4.4, 2.2, 1.7, 2.9, 0.9, 3.6]


def frozen(name: str, t: dict[str, float]) -> ss.rv_continuous:
    return {
        "normal": lambda: ss.norm(t["mean"], t["std_dev"]),
        "lognormal": lambda: ss.lognorm(t["sdlog"], scale=math.exp(t["meanlog"])),
        "exponential": lambda: ss.expon(scale=1 / t["rate"]),
        "gamma": lambda: ss.gamma(t["shape"], scale=t["scale"]),
        "weibull": lambda: ss.weibull_min(t["shape"], scale=t["scale"]),
        "uniform": lambda: ss.uniform(t["minimum"], t["maximum"] - t["minimum"]),
        "laplace": lambda: ss.laplace(t["location"], t["scale"]),
        "logistic": lambda: ss.logistic(t["location"], t["scale"]),
        "gumbel": lambda: ss.gumbel_r(t["location"], t["scale"]),
        "pareto": lambda: ss.pareto(t["shape"], scale=t["scale"]),
        "rayleigh": lambda: ss.rayleigh(scale=t["scale"]),
        "inverse_gaussian": lambda: ss.invgauss(t["mean"] / t["shape"], scale=t["shape"]),
        "poisson": lambda: ss.poisson(t["rate"]),
        "geometric": lambda: ss.geom(t["probability"], loc=-1),
        "negative_binomial": lambda: ss.nbinom(t["size"], t["size"] / (t["size"] + t["mean"])),
    }[name]()


@pytest.mark.parametrize("name", POSITIVE + REAL)
@pytest.mark.parametrize("seed", [1, 2])
def test_likelihood_and_distance_agree_with_scipy(name: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.gamma(2.0, 1.5, size=30) + 0.05
    result = mle_fit(x, name)
    law = frozen(name, {k: v.estimate for k, v in result.terms.items()})
    assert result.log_likelihood == pytest.approx(float(law.logpdf(x).sum()), rel=1e-9)
    distance = ss.kstest(x, law.cdf).statistic
    assert result.to_dict()["diagnostics"]["kolmogorov_smirnov"]["distance"] == pytest.approx(
        distance, abs=1e-10
    )


@pytest.mark.parametrize("name", COUNTS)
def test_count_likelihoods_agree_with_scipy(name: str) -> None:
    x = np.random.default_rng(4).negative_binomial(2, 0.3, size=50)
    result = mle_fit(x, name)
    law = frozen(name, {k: v.estimate for k, v in result.terms.items()})
    assert result.log_likelihood == pytest.approx(float(law.logpmf(x).sum()), rel=1e-10)
    points = np.arange(-1, x.max() + 1)
    ecdf = np.array([(x <= p).mean() for p in points])
    wanted = float(np.abs(ecdf - law.cdf(points)).max())
    assert result.to_dict()["diagnostics"]["kolmogorov_smirnov"]["distance"] == pytest.approx(
        wanted, abs=1e-10
    )


@pytest.mark.parametrize(
    "name", ["gamma", "weibull", "logistic", "gumbel", "inverse_gaussian", "lognormal", "normal"]
)
def test_no_neighbour_is_more_likely(name: str) -> None:
    result = mle_fit(X, name)
    t = {k: v.estimate for k, v in result.terms.items()}
    best = float(frozen(name, t).logpdf(X).sum())
    for key in t:
        for factor in (0.999, 1.001):
            assert float(frozen(name, {**t, key: t[key] * factor}).logpdf(X).sum()) < best


@pytest.mark.parametrize(
    ("name", "data"),
    [(n, [1.0, -2.0, 3.0]) for n in POSITIVE]
    + [(n, [1.0, 2.5, 3.0]) for n in COUNTS]
    + [("beta", [0.2, 1.0, 0.5]), ("beta", [0.0, 0.5, 0.2]), ("bernoulli", [0.0, 1.0, 2.0])],
)
def test_values_outside_the_support_are_refused(name: str, data: list[float]) -> None:
    with pytest.raises(InputError) as caught:
        mle_fit(data, name)
    assert caught.value.code == "out_of_support"


@pytest.mark.parametrize(
    "name",
    [
        "normal",
        "lognormal",
        "gamma",
        "weibull",
        "uniform",
        "laplace",
        "logistic",
        "gumbel",
        "pareto",
        "inverse_gaussian",
    ],
)
def test_constant_data_are_refused(name: str) -> None:
    with pytest.raises(NotDefined):
        mle_fit([2.0] * 6, name)


def test_counts_at_the_edge_are_refused_with_a_way_out() -> None:
    with pytest.raises(NotDefined, match="zero"):
        mle_fit([0, 0, 0], "poisson")
    with pytest.raises(NotDefined, match="variance does not exceed"):
        mle_fit([3, 3, 4, 3, 4, 3], "negative_binomial")
    with pytest.raises(NotDefined):
        mle_fit([1, 1, 1], "bernoulli")


def test_unknown_distributions_are_named() -> None:
    answer = execute_tool("mle_fit", {"data": [1, 2, 3], "distribution": "magic"})
    assert "Unknown distribution 'magic' for mle_fit" in answer["error"]
    assert "weibull" in answer["error"]


def test_every_parametrisation_is_named() -> None:
    gamma = mle_fit(X, "gamma").to_dict()
    other = gamma["details"]["parametrisations"]
    assert other["rate"] == pytest.approx(1 / gamma["terms"]["scale"]["estimate"])
    assert other["mean"] == pytest.approx(float(np.mean(X)))
    normal = mle_fit(X, "normal").to_dict()
    assert normal["terms"]["std_dev"]["estimate"] == pytest.approx(float(np.std(X)), rel=1e-14)
    assert normal["details"]["parametrisations"]["std_dev_unbiased"] == pytest.approx(
        float(np.std(X, ddof=1)), rel=1e-14
    )


@pytest.mark.parametrize(
    "name",
    [
        "exponential",
        "gamma",
        "weibull",
        "normal",
        "logistic",
        "gumbel",
        "laplace",
        "rayleigh",
        "inverse_gaussian",
    ],
)
@pytest.mark.parametrize("power", [-600, -50, 50, 600])
def test_the_unit_of_the_data_does_not_matter(name: str, power: int) -> None:
    here, there = mle_fit(X, name).to_dict(), mle_fit(np.ldexp(X, power), name).to_dict()
    assert all(math.isfinite(v) for v in collect_numbers(there))
    moved = len(X) * power * math.log(2)
    assert there["log_likelihood"] == pytest.approx(here["log_likelihood"] - moved, rel=1e-9)
    for key, term in here["terms"].items():
        ratio = there["terms"][key]["estimate"] / term["estimate"]
        assert math.log2(ratio) == pytest.approx(round(math.log2(ratio)), abs=1e-9)
        assert there["terms"][key]["std_error"] / term["std_error"] == pytest.approx(ratio, rel=1e-8)


@pytest.mark.parametrize("name", ["gamma", "weibull", "lognormal"])
def test_nearly_constant_data_are_still_answered(name: str) -> None:
    x = 5 + 1e-4 * np.sin(np.arange(20.0))
    result = mle_fit(x, name)
    law = frozen(name, {k: v.estimate for k, v in result.terms.items()})
    assert law.mean() == pytest.approx(5.0, rel=1e-3)
    assert law.std() == pytest.approx(float(np.std(x)), rel=0.2)


def test_a_range_has_no_smooth_likelihood_and_says_so() -> None:
    term = mle_fit(X, "uniform").to_dict()["terms"]["maximum"]
    assert term["std_error"] is None
    assert "smooth" in term["undefined"]["std_error"]


def test_intervals_of_positive_parameters_stay_positive() -> None:
    term = mle_fit([0.1, 5.0, 9.0], "gamma").terms["shape"]
    assert 0 < term.conf_low < term.estimate < term.conf_high
