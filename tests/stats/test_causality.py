"""Granger causality: agreement with statsmodels, direction, refusals instead of silent changes of the lag."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined
from statistikles.stats.causality import granger_causality


def pair(seed: int, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = np.zeros(n)
    for t in range(1, n):
        y[t] = 0.4 * y[t - 1] + 0.5 * x[t - 1] + rng.normal()
    return x, y


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lag", [1, 3])
def test_agrees_with_statsmodels(seed: int, lag: int) -> None:
    x, y = pair(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from statsmodels.tsa.stattools import grangercausalitytests

        theirs = grangercausalitytests(np.column_stack([y, x]), [lag])[lag][0]
    ours = granger_causality(x, y, lag)
    assert ours.statistic == pytest.approx(theirs["ssr_ftest"][0], rel=1e-9)
    assert ours.p_value == pytest.approx(theirs["ssr_ftest"][1], rel=1e-9)
    assert ours.also["chi_square"]["statistic"] == pytest.approx(theirs["ssr_chi2test"][0], rel=1e-9)
    assert ours.also["likelihood_ratio"]["p_value"] == pytest.approx(theirs["lrtest"][1], rel=1e-8)


def test_the_direction_is_from_x_to_y() -> None:
    x, y = pair(0, 150)
    out = granger_causality(x, y, 1)
    assert out.p_value < 0.001 < out.also["reverse"]["p_value"]
    assert granger_causality(y, x, 1).p_value == pytest.approx(out.also["reverse"]["p_value"])


@given(seed=st.integers(0, 50), power=st.integers(-500, 500))
def test_units_do_not_matter(seed: int, power: int) -> None:
    x, y = pair(seed, 30)
    a, b = granger_causality(x, y, 2), granger_causality(x * 2.0**power, y * 2.0**-power, 2)
    assert a.statistic == pytest.approx(b.statistic, rel=1e-9)
    assert 0 <= a.effect_size.conf_low <= a.effect_size.conf_high <= 1


def test_a_lag_too_long_is_refused_not_shortened() -> None:
    x, y = pair(1, 10)
    with pytest.raises(InputError, match="lag"):
        granger_causality(x, y, 3)
    assert granger_causality(x, y, 2).df_error == 10 - 2 - 5


def test_degenerate_series() -> None:
    x, y = pair(2, 30)
    with pytest.raises(NotDefined):
        granger_causality(np.ones(30), y)
    with pytest.raises(NotDefined):
        granger_causality(y, y, 1)
    with pytest.raises(NotDefined, match="without error"):
        granger_causality(x, np.concatenate(([0.3], x[:-1])), 1)


def test_a_random_walk_is_warned_about() -> None:
    rng = np.random.default_rng(3)
    walk = np.cumsum(rng.normal(size=100))
    out = granger_causality(walk, np.cumsum(rng.normal(size=100)), 1, names=["a", "b"])
    assert "difference" in out.warnings[0]
    assert out.details["stationarity"]["a"]["adf"]["p_value"] > 0.05
