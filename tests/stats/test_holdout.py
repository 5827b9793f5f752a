"""Rows held out of a regression against scikit-learn's split and scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_absolute_error, mean_squared_error
from sklearn.model_selection import train_test_split

from statistikles.errors import InputError
from statistikles.stats import linear_regression

RNG = np.random.default_rng(11)
X = RNG.normal(size=(53, 2))
Y = X @ [1.5, -2.0] + RNG.normal(size=53)


@pytest.mark.parametrize(("share", "seed"), [(0.2, 42), (0.3, 0), (0.25, 7)])
def test_split_and_errors_are_those_of_scikit_learn(share: float, seed: int) -> None:
    found = linear_regression(X.T.tolist(), Y.tolist(), test_share=share, seed=seed).to_dict()["details"][
        "holdout"
    ]
    x, x_test, y, y_test = train_test_split(X, Y, test_size=share, random_state=seed)
    model = LinearRegression().fit(x, y)
    predicted = model.predict(x_test)
    assert (found["n_train"], found["n_test"]) == (len(y), len(y_test))
    assert found["mse"] == pytest.approx(mean_squared_error(y_test, predicted), rel=1e-10)
    assert found["rmse"] == pytest.approx(mean_squared_error(y_test, predicted) ** 0.5, rel=1e-10)
    assert found["mae"] == pytest.approx(mean_absolute_error(y_test, predicted), rel=1e-10)
    assert found["r_squared"] == pytest.approx(model.score(x_test, y_test), rel=1e-10)
    assert found["seed"] == seed


def test_the_fit_itself_uses_all_rows() -> None:
    plain = linear_regression(X.T.tolist(), Y.tolist()).to_dict()
    split = linear_regression(X.T.tolist(), Y.tolist(), test_share=0.2).to_dict()
    assert plain["terms"] == split["terms"]
    assert "holdout" not in plain["details"]


def test_powers_are_predicted_too() -> None:
    x = np.linspace(0, 3, 30)
    y = 1 + x - 0.5 * x**2
    found = linear_regression(x.tolist(), (y + 0.01 * np.sin(50 * x)).tolist(), degree=2, test_share=0.2)
    assert found.to_dict()["details"]["holdout"]["r_squared"] > 0.999


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(InputError, match="at least 2 are needed"):
        linear_regression([1.0, 2, 3, 4], [1.0, 3, 2, 5], test_share=0.1)
