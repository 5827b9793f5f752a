"""Random forest: a nonlinear predictor that correlation misses, seeds, units, classes, limits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import random_forest

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"


def data(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, size=(n, 4))
    return x, x[:, 0] ** 2 * 4 + x[:, 1] + 0.1 * rng.normal(size=n)


def test_a_parabola_matters_although_its_correlation_is_nothing() -> None:
    x, y = data(300, 1)
    r = random_forest(x, y.astype(object), n_trees=100)
    assert r.ranking[0] == "x1"
    assert r.abs_r["x1"].value < 0.2
    assert r.permutation_importance["x1"] > 10 * abs(r.permutation_importance["x4"])
    assert r.oob_score > 0.7
    assert sum(r.impurity_importance.values()) == pytest.approx(1.0)


def test_the_same_seed_gives_the_same_bytes_and_another_one_another_forest() -> None:
    x, y = data(80, 2)
    first, second, other = (random_forest(x, y.astype(object), n_trees=30, seed=s) for s in (3, 3, 4))
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())
    assert first.oob_score != other.oob_score
    assert first.seed == 3


def test_units_do_not_matter() -> None:
    x, y = data(80, 5)
    plain = random_forest(x, y.astype(object), n_trees=30)
    far = random_forest(np.ldexp(x, [600, -600, 3, 0]), np.ldexp(y, -500).astype(object), n_trees=30)
    assert far.permutation_importance == pytest.approx(plain.permutation_importance)
    assert far.oob_score == pytest.approx(plain.oob_score)


def test_noise_predicts_nothing() -> None:
    rng = np.random.default_rng(0)
    r = random_forest(rng.normal(size=(150, 3)), rng.normal(size=150).astype(object), n_trees=60)
    assert r.oob_score < 0.1
    assert max(abs(v) for v in r.permutation_importance.values()) < 0.3


def test_classes() -> None:
    x, y = data(200, 6)
    labels = np.where(y > np.median(y), "high", "low").astype(object)
    r = random_forest(x, labels, n_trees=60)
    assert 0.7 < r.oob_score <= 1
    assert r.oob_error == pytest.approx(1 - r.oob_score)
    coded = random_forest(x, (y > np.median(y)).astype(int).astype(object), n_trees=60, task="classification")
    assert coded.oob_score > 0.7
    three = random_forest(x, np.digitize(y, [0.5, 1.5]).astype(str).astype(object), n_trees=30)
    assert three.abs_r is None
    assert three.undefined["abs_r"]


def test_a_constant_predictor_has_no_importance_and_no_correlation() -> None:
    x, y = data(60, 7)
    x[:, 2] = 5.0
    r = random_forest(x, y.astype(object), n_trees=30)
    assert r.permutation_importance["x3"] == 0.0
    assert r.abs_r["x3"] is None
    assert r.abs_r["undefined"]["x3"]


def test_refusals() -> None:
    x, _ = data(40, 8)
    with pytest.raises(NotDefined, match="constant"):
        random_forest(x, np.ones(40).astype(object))
    with pytest.raises(InputError, match="text"):
        random_forest(x, np.array(["a", "b"] * 20, dtype=object), task="regression")
    assert (
        execute_tool(
            "machine_learning",
            {"type": "rf_proxy", "x": [list(range(12))], "y": list(range(12)), "n_trees": 10**6},
        )["code"]
        == "limit_exceeded"
    )


def test_a_numeric_column_of_a_table_is_predicted_as_a_number() -> None:
    # scikit-learn 1.9: RandomForestRegressor(300, max_features=1, min_samples_split=6, oob_score=True, random_state=0)
    # .fit(bill_length_mm and flipper_length_mm, body_mass_g).oob_score_; other seeds give the same to 0.005.
    score = 0.7761
    result = execute_tool(
        "machine_learning",
        {"type": "rf_proxy", "x": ["bill_length_mm", "flipper_length_mm"], "y": "body_mass_g"},
        data=str(PENGUINS),
    )
    assert result["method"].startswith("Random forest, regression")
    assert result["oob_score"] == pytest.approx(score, abs=0.01)
    assert result["abs_r"]["flipper_length_mm"] > 0.8
