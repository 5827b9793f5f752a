"""Proportional odds: the binary special case, separation, units, reversal of the scale, agreement with statsmodels."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import NotDefined
from statistikles.stats import logistic_regression, ordinal_logistic
from statistikles.stats._cumulative_logit import _bounds, _derivatives, _log_likelihood

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"


def sample(n: int, p: int, k: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p))
    latent = x @ np.linspace(0.3, 1.0, p) + rng.logistic(size=n)
    return np.digitize(latent, np.linspace(-1, 1.5, k - 1)).astype(object), x


@pytest.mark.parametrize("seed", range(3))
def test_two_categories_are_logistic_regression(seed: int) -> None:
    y, x = sample(60, 2, 2, seed)
    fit, binary = ordinal_logistic(y, x), logistic_regression(x, y.astype(float))
    for name in ("x1", "x2"):
        assert fit.terms[name].estimate == pytest.approx(binary.terms[name].estimate, rel=1e-9)
        assert fit.terms[name].std_error == pytest.approx(binary.terms[name].std_error, rel=1e-9)
    assert fit.details["thresholds"]["0|1"].estimate == pytest.approx(
        -binary.terms["intercept"].estimate, rel=1e-9
    )
    assert fit.statistic == pytest.approx(binary.statistic, rel=1e-9)


@given(k=st.integers(3, 6), p=st.integers(1, 3), seed=st.integers(0, 10**6))
def test_reversing_the_scale_turns_the_slopes(k: int, p: int, seed: int) -> None:
    y, x = sample(80, p, k, seed)
    try:
        fit = ordinal_logistic(y, x)
    except NotDefined:
        assume(False)
    turned = ordinal_logistic(np.array([-v for v in y], dtype=object), x)
    for name, term in fit.terms.items():
        assert turned.terms[name].estimate == pytest.approx(-term.estimate, rel=1e-7, abs=1e-9)
    cuts = [t.estimate for t in fit.details["thresholds"].values()]
    assert cuts == sorted(cuts)
    assert fit.statistic >= 0


def test_derivatives_are_those_of_the_likelihood() -> None:
    y, x = sample(40, 2, 4, 1)
    code = y.astype(np.int64)
    at = np.array([-1.0, 0.2, 1.1, 0.4, -0.3])

    def value(v: np.ndarray) -> float:
        return _log_likelihood(*_bounds(x, code, v, 4))

    gradient, information = _derivatives(x, code, *_bounds(x, code, at, 4), 4)
    for j in range(5):
        step = np.zeros(5)
        step[j] = 1e-5
        assert (value(at + step) - value(at - step)) / 2e-5 == pytest.approx(gradient[j], rel=1e-6, abs=1e-7)
        left = _derivatives(x, code, *_bounds(x, code, at - step, 4), 4)[0]
        right = _derivatives(x, code, *_bounds(x, code, at + step, 4), 4)[0]
        np.testing.assert_allclose(-(right - left) / 2e-5, information[j], rtol=1e-5, atol=1e-6)


def test_statsmodels_agrees() -> None:
    from statsmodels.miscmodels.ordinal_model import OrderedModel

    y, x = sample(120, 2, 4, 7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = OrderedModel(y.astype(int), x, distr="logit").fit(method="newton", disp=False, maxiter=200)
    fit = ordinal_logistic(y, x)
    assert fit.log_likelihood == pytest.approx(float(other.llf), rel=1e-9)
    assert [t.estimate for t in fit.terms.values()] == pytest.approx(
        list(map(float, other.params[:2])), rel=1e-5
    )
    assert [t.std_error for t in fit.terms.values()] == pytest.approx(
        list(map(float, other.bse[:2])), rel=1e-3
    )


def test_the_scale_and_place_of_a_predictor_do_not_matter() -> None:
    y, x = sample(60, 1, 3, 3)
    plain = ordinal_logistic(y, x)
    for power in (-500, 500):
        far = ordinal_logistic(y, np.ldexp(x, power))
        assert far.terms["x"].statistic == pytest.approx(plain.terms["x"].statistic, rel=1e-10)
        assert far.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-12)
    moved = ordinal_logistic(y, np.round(x * 1024) / 1024 + 2.0**20)
    assert moved.terms["x"].estimate == pytest.approx(plain.terms["x"].estimate, rel=1e-2)


def test_a_combination_that_separates_is_found() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(40, 2))
    y = np.digitize(x.sum(axis=1), [-0.5, 0.5]).astype(object)
    with pytest.raises(NotDefined) as caught:
        ordinal_logistic(y, x)
    assert caught.value.code == "separation"
    assert "x1" in caught.value.message
    assert "x2" in caught.value.message


def test_levels_give_the_order_and_unknown_ones_are_named() -> None:
    call = {
        "type": "ordinal_logistic",
        "y": ["lo", "hi", "mid", "lo", "hi", "mid", "lo", "hi", None],
        "x": [1, 5, 3, 4, 2, 6, 2, 7, 9],
        "levels": ["lo", "mid", "hi"],
    }
    result = execute_tool("advanced_modeling", call)
    assert list(result["details"]["thresholds"]) == ["lo|mid", "mid|hi"]
    assert result["n_missing"] == 1
    refused = execute_tool("advanced_modeling", {**call, "levels": ["lo", "hi"]})
    assert "mid" in refused["error"]


def test_proportional_data_pass_brants_test_and_others_do_not() -> None:
    y, x = sample(400, 1, 3, 5)
    assert ordinal_logistic(y, x).diagnostics["proportional_odds"]["p_value"] > 0.01
    rng = np.random.default_rng(1)
    z = rng.normal(size=(600, 1))
    crossed = ((rng.logistic(size=600) + 3 * z[:, 0] > 0).astype(int) + (rng.logistic(size=600) > 1)).astype(
        object
    )
    crossed[(crossed == 1) & (z[:, 0] > 0.5)] = 0
    assert ordinal_logistic(crossed, z).diagnostics["proportional_odds"]["p_value"] < 1e-3


def test_a_numeric_column_of_a_table_has_its_order() -> None:
    # R 4.2.2, MASS::polr(factor(year) ~ bill_length_mm, penguins, control = list(reltol = 1e-14))
    result = execute_tool(
        "advanced_modeling",
        {"type": "ordinal_logistic", "y": "year", "x": ["bill_length_mm"]},
        data=str(PENGUINS),
    )
    assert result["terms"]["bill_length_mm"]["estimate"] == pytest.approx(0.01882555149, rel=1e-4)
    assert list(result["details"]["thresholds"]) == ["2007|2008", "2008|2009"]
    assert result["log_likelihood"] == pytest.approx(-374.97970218590, rel=1e-9)
