"""James-Stein: lower risk than the observations (by simulation), degenerate input, invariances."""

from __future__ import annotations

import numpy as np
import pytest

from statistikles.errors import InputError
from statistikles.stats import james_stein

X = [0.4, 1.2, -0.7, 2.9, 0.1, 1.8, -1.5, 0.9]


@pytest.mark.parametrize("target", [None, 0.5])
@pytest.mark.parametrize("spread", [0.0, 0.5, 3.0])
def test_the_risk_is_lower_than_that_of_the_observations_and_estimated_without_bias(
    target: float | None, spread: float
) -> None:
    rng = np.random.default_rng(7)
    truth = rng.normal(scale=spread, size=10)
    losses, estimates = [], []
    for _ in range(1500):
        x = truth + rng.normal(size=10)
        result = james_stein(x, grand_mean=target)
        losses.append(float(((result.estimates - truth) ** 2).sum()))
        estimates.append(result.risk_estimate)
    error = 4 * float(np.std(np.array(losses) - np.array(estimates))) / 1500**0.5
    assert np.mean(losses) < 10
    assert abs(np.mean(losses) - np.mean(estimates)) < error


def test_estimates_lie_between_the_observation_and_the_target() -> None:
    result = james_stein(X)
    for shrunk, seen in zip(result.estimates, X, strict=True):
        assert min(seen, result.target) <= shrunk <= max(seen, result.target)
    assert float(np.mean(result.estimates)) == pytest.approx(result.target, rel=1e-12)


def test_small_variance_leaves_the_observations_alone() -> None:
    assert list(james_stein(X, variance=1e-12).estimates) == pytest.approx(X, rel=1e-9)


def test_observations_at_the_target_stay_there() -> None:
    result = james_stein([2.0, 2.0, 2.0], grand_mean=2.0).to_dict()
    assert result["estimates"] == [2.0, 2.0, 2.0]
    assert result["factor_plain"] is None
    assert result["undefined"]["factor_plain"]
    assert result["warnings"]


@pytest.mark.parametrize(("data", "target"), [([1.0, 2.0], 0.0), ([1.0, 2.0, 5.0], None), ([1.0], None)])
def test_too_few_means_are_refused(data: list[float], target: float | None) -> None:
    with pytest.raises(InputError, match="does not lower the risk"):
        james_stein(data, grand_mean=target)


@pytest.mark.parametrize("power", [-300, 300])
def test_the_unit_does_not_matter(power: int) -> None:
    here = james_stein(X, variance=0.7)
    there = james_stein(np.ldexp(X, power), variance=0.7 * 2.0 ** (2 * power))
    assert there.factor == pytest.approx(here.factor, rel=1e-14)
    assert list(np.ldexp(there.estimates, -power)) == pytest.approx(list(here.estimates), rel=1e-14)
