"""Cubic splines: the truncated-power coefficients give the fitted curve, units, offsets, exact fits, knots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined
from statistikles.stats import cubic_spline


def wave(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = np.sort(rng.uniform(-2, 3, n))
    return x, np.sin(2 * x) + 0.2 * rng.normal(size=n)


@given(n=st.integers(20, 60), k=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_the_truncated_power_coefficients_are_those_of_the_curve(n: int, k: int, seed: int) -> None:
    x, y = wave(n, seed)
    try:
        fit = cubic_spline(x, y, n_knots=k)
    except NotDefined as error:
        assert error.code == "singular"
        return
    b = [t.estimate for t in fit.terms.values()]
    knots = fit.details["knots"].value
    np.testing.assert_allclose(knots, x[0] + (x[-1] - x[0]) * np.arange(1, k + 1) / (k + 1))
    curve = b[0] + b[1] * x + b[2] * x**2 + b[3] * x**3
    for c, knot in zip(b[4:], knots, strict=True):
        curve = curve + c * np.maximum(x - knot, 0) ** 3
    np.testing.assert_allclose(curve, fit.details["fitted"].value, atol=1e-6 * (1 + np.abs(b).max()))
    assert 0 <= fit.r_squared <= 1


def test_scipy_finds_the_same_curve() -> None:
    from scipy.interpolate import make_lsq_spline

    x, y = wave(80, 3)
    fit = cubic_spline(x, y)
    t = np.concatenate(([x[0]] * 4, fit.details["knots"].value, [x[-1]] * 4))
    np.testing.assert_allclose(make_lsq_spline(x, y, t)(x), fit.details["fitted"].value, atol=1e-9)


def test_a_straight_line_is_no_curve_and_a_wave_is() -> None:
    rng = np.random.default_rng(0)
    x = np.linspace(0, 1, 60)
    assert cubic_spline(x, 3 * x + 0.1 * rng.normal(size=60)).diagnostics["nonlinearity"].p_value > 0.01
    assert cubic_spline(*wave(80, 1)).diagnostics["nonlinearity"].p_value < 1e-6


def test_an_exact_cubic_is_reproduced_without_a_made_up_test() -> None:
    x = np.arange(12.0)
    fit = cubic_spline(x, 1 + 2 * x - x**2 + 0.5 * x**3)
    assert [t.estimate for t in fit.terms.values()][:4] == pytest.approx([1, 2, -1, 0.5], abs=1e-8)
    assert fit.statistic is None
    assert fit.undefined["p_value"]
    assert fit.r_squared == 1.0


@pytest.mark.parametrize(("px", "py"), [(300, 0), (-300, 0), (0, 600), (0, -600)])
def test_units(px: int, py: int) -> None:
    x, y = wave(40, 2)
    plain, far = cubic_spline(x, y), cubic_spline(np.ldexp(x, px), np.ldexp(y, py))
    assert far.statistic == pytest.approx(plain.statistic, rel=1e-9)
    assert far.r_squared == pytest.approx(plain.r_squared, rel=1e-12)
    assert far.terms["x"].statistic == pytest.approx(plain.terms["x"].statistic, rel=1e-7)


def test_offsets() -> None:
    x, y = wave(40, 2)
    x, y = np.round(x * 1024) / 1024, np.round(y * 1024) / 1024
    plain, far = cubic_spline(x, y), cubic_spline(x + 2.0**30, y + 2.0**30)
    assert far.statistic == pytest.approx(plain.statistic, rel=1e-6)


def test_refusals() -> None:
    x, y = wave(12, 0)
    with pytest.raises(InputError, match="rows"):
        cubic_spline(x, y, n_knots=8)
    with pytest.raises(InputError, match="knots"):
        cubic_spline(x, y, knots=np.array([1.0, 0.5]))
    with pytest.raises(NotDefined, match="constant"):
        cubic_spline(np.ones(12), y)
