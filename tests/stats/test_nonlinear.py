"""Nonlinear regression: certified values, refusals of formulas and starts, exact fits, invariances."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined, StatistiklesError
from statistikles.stats import linear_regression, nonlinear_regression

X = np.array([0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1, 1.1])
RATE = np.array([76.0, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200])
START = {"vm": 200.0, "k": 0.05}


def test_a_line_is_the_linear_regression() -> None:
    line = linear_regression(X, RATE)
    curve = nonlinear_regression("a+b*x", {"x": X, "y": RATE}, "y", {"a": 1.0, "b": 1.0})
    for linear, term in zip(line.terms.values(), curve.terms.values(), strict=True):
        for name in ("estimate", "std_error", "statistic", "p_value", "conf_low"):
            assert getattr(term, name) == pytest.approx(getattr(linear, name), rel=1e-12)
    assert curve.r_squared == pytest.approx(line.r_squared, rel=1e-12)
    assert curve.aic == pytest.approx(line.aic, rel=1e-12)


def test_the_gradient_vanishes_at_the_solution() -> None:
    result = nonlinear_regression("vm*x/(k+x)", {"x": X, "rate": RATE}, "rate", START)
    vm, k = (t.estimate for t in result.terms.values())
    residual = RATE - vm * X / (k + X)
    for column in (X / (k + X), -vm * X / (k + X) ** 2):
        assert abs(residual @ column) < 1e-9 * np.linalg.norm(residual) * np.linalg.norm(column)


def test_other_starts_reach_the_same_solution() -> None:
    one = nonlinear_regression("vm*x/(k+x)", {"x": X, "rate": RATE}, "rate", START)
    two = nonlinear_regression("vm*x/(k+x)", {"x": X, "rate": RATE}, "rate", {"vm": 20.0, "k": 2.0})
    for name in START:
        assert two.terms[name].estimate == pytest.approx(one.terms[name].estimate, rel=1e-13)


def test_an_exact_curve_has_no_test_and_says_so() -> None:
    result = nonlinear_regression(
        "a*x**2", {"x": [1.0, 2, 3, 4], "y": [3.0, 12, 27, 48]}, "y", {"a": 1.0}
    ).to_dict()
    assert result["terms"]["a"]["estimate"] == 3.0
    assert result["terms"]["a"]["statistic"] is None
    assert result["log_likelihood"] is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"formula": "vm*x/(k+x"}, "formula"),
        ({"formula": "__import__('os')"}, "formula"),
        ({"formula": "vm*z/(k+x)"}, "z"),
        ({"formula": "vm*x/(k+x)", "start": {"vm": 1}}, "k"),
        ({"start": {"vm": 200, "k": 0.05, "idle": 1}}, "idle"),
        ({"response": "speed"}, "speed"),
        ({"start": {"vm": 200, "x": 1}}, "x"),
        ({"data": {"x": [1, 2], "rate": [1]}}, "length"),
        ({"formula": ""}, "formula"),
    ],
)
def test_bad_calls_say_what_is_wrong(change: dict[str, Any], words: str) -> None:
    call = {
        "formula": "vm*x/(k+x)",
        "data": {"x": X.tolist(), "rate": RATE.tolist()},
        "response": "rate",
        "start": START,
    }
    answer = execute_tool("nonlinear_regression", {**call, **change})
    assert words in answer["error"]
    assert answer["code"] != "internal"


def test_confounded_parameters_are_refused() -> None:
    with pytest.raises(StatistiklesError) as caught:
        nonlinear_regression("a*b*x", {"x": X, "y": RATE}, "y", {"a": 1.0, "b": 2.0})
    assert isinstance(caught.value, NotDefined)


def test_starting_values_where_the_formula_is_undefined_are_refused() -> None:
    with pytest.raises(InputError, match="starting values"):
        nonlinear_regression("a*log(b*x)", {"x": X, "y": RATE}, "y", {"a": 1.0, "b": -1.0})


def test_rows_with_a_missing_value_are_dropped_jointly() -> None:
    x: list[Any] = X.tolist()
    x[3] = None
    result = nonlinear_regression("vm*x/(k+x)", {"x": x, "rate": RATE.tolist()}, "rate", START)
    assert result.n == 11
    assert result.n_missing == 1
