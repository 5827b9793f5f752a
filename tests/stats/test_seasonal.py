"""Seasonal decomposition against statsmodels, and its degenerate cases."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.tsa.seasonal import STL

from statistikles import execute_tool
from statistikles.stats._loess_season import decompose


@given(
    seed=st.integers(0, 10_000),
    period=st.integers(2, 30),
    periods=st.floats(2, 12),
    robust=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_the_parts_agree_with_statsmodels(seed: int, period: int, periods: float, robust: bool) -> None:
    n = max(int(period * periods), 2 * period + 3, 12)
    rng = np.random.default_rng(seed)
    y = np.sin(2 * np.pi * np.arange(n) / period) + np.cumsum(rng.normal(size=n)) / 5 + rng.normal(size=n)
    wanted = STL(y, period=period, robust=robust).fit()
    found = decompose(y, period, robust=robust)
    if np.median(np.abs(wanted.resid)) < 1e-6:
        return  # an exact fit: the weights of the robust rounds would be made of rounding errors
    assert found.trend == pytest.approx(wanted.trend, rel=1e-8, abs=1e-9)
    assert found.seasonal == pytest.approx(wanted.seasonal, rel=1e-8, abs=1e-9)


def test_the_parts_add_up_and_an_offset_moves_the_trend_only() -> None:
    y = np.tile([3.0, 5.0, 9.0, 4.0], 8) + np.arange(32) / 4
    near = execute_tool("time_series", {"type": "stl", "data": y.tolist(), "period": 4})
    far = execute_tool("time_series", {"type": "stl", "data": (y + 2.0**30).tolist(), "period": 4})
    total = np.add(np.add(near["trend"], near["seasonal"]), near["remainder"])
    assert total == pytest.approx(y, abs=1e-12)
    assert far["seasonal"] == pytest.approx(near["seasonal"], abs=1e-9)
    assert near["seasonal_strength"] > 0.99


@pytest.mark.parametrize("robust", [False, True])
def test_an_exact_series_and_a_constant_one_are_no_trouble(robust: bool) -> None:
    exact = execute_tool(
        "time_series", {"type": "stl", "data": [1.0, 2, 3, 4] * 2, "period": 4, "robust": robust}
    )
    assert np.abs(exact["remainder"]).max() < 1e-12
    constant = execute_tool("time_series", {"type": "stl", "data": [5.0] * 12, "period": 4, "robust": robust})
    assert constant["undefined"] == dict.fromkeys(
        ("trend_strength", "seasonal_strength"), "this part and the remainder do not vary"
    )
    assert constant["trend"] == [5.0] * 12
