"""Random forest: which predictors matter, by permutation on the rows each tree has not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Choice,
    ColumnSet,
    FloatArray,
    LabelVector,
    NameList,
    ScalarNumber,
    Seed,
)
from statistikles.registry.declare import statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._columns import centred, column_names, constant_columns, group_index

__all__ = ["random_forest"]

_NODE = 5
_SIZE_LIMIT = 5_000_000  # rows times columns times trees / 100

Predictors = Annotated[FloatArray, ColumnSet(min_n=10)]
Outcome = Annotated[NDArray[Any], LabelVector(min_n=10, numeric=True)]
PredictorNames = Annotated[tuple[str, ...], NameList(of=("x",))]
Trees = Annotated[int, ScalarNumber(low=10.0, high=5000.0, whole=True, limit=True)]
Task = Annotated[str, Choice(("auto", "regression", "classification"))]


@statistic(
    tool="machine_learning",
    subtype="rf_proxy",
    title="Random forest",
    use_when="the predictors that matter most are wanted without assuming the form of the relation",
    utterances=(
        "random forest importance",
        "which variables matter most",
        "feature importance",
        "predict with a forest and rank predictors",
        "out of bag score",
    ),
    refs=(
        "Breiman 2001, doi:10.1023/A:1010933404324",
        "Pedregosa et al. 2011, Scikit-learn: machine learning in Python",
    ),
    oracle="sklearn.ensemble:RandomForestRegressor",
    formula="importance_j = mean over trees of (error with x_j permuted − error) on the tree's out-of-bag rows",
    equivalents={
        "R": "randomForest::randomForest(x, y, ntree = 300, importance = TRUE)",
        "Python": "sklearn.ensemble.RandomForestRegressor(300, max_features=1/3, min_samples_split=6, oob_score=True)",
    },
    example={
        "x": [
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
            [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3],
        ],
        "y": [1.2, 1.9, 3.3, 3.8, 5.4, 6.1, 6.8, 8.3, 9.1, 9.8, 11.2, 11.9, 13.3, 13.8, 15.1, 16.2],
        "n_trees": 50,
        "var_names": ["dose", "noise"],
    },
    aligned=(("x", "y"),),
)
def random_forest(
    x: Predictors,
    y: Outcome,
    *,
    task: Task = "auto",
    n_trees: Trees = 300,
    var_names: PredictorNames | None = None,
    seed: Seed = 0,
) -> Measures:
    """Random forest of CART trees on bootstrap samples: out-of-bag score, permutation and impurity importances.

    Parameters
    ----------
    x : predictors, a list of columns.
    y : the outcome: numbers (regression) or labels (classification).
    task : regression, classification, or auto: classification when y is text.
    n_trees : number of trees.
    var_names : names of the predictors in the result.
    seed : seed of the bootstrap samples, of the trees and of the permutations.

    Returns
    -------
    Measures : out-of-bag score, importances with standard errors, ranking; absolute correlations beside.

    Raises
    ------
    InputError : unequal lengths, too few rows, data too large.
    NotDefined : the outcome or every predictor is constant.
    """
    n, p = x.shape
    names = column_names(var_names, p)
    target = _target(y, task)
    if n * p * n_trees > 100 * _SIZE_LIMIT:
        raise InputError(
            f"{n} rows, {p} predictors and {n_trees} trees are too much; rows x predictors x trees may be "
            f"{100 * _SIZE_LIMIT} at most.",
            hint="Use fewer trees or a sample of the rows.",
            where="n_trees",
            code="limit_exceeded",
        )
    if constant_columns(x).all():
        raise NotDefined("Every predictor is constant.", where="x", code="zero_variance")
    grown = _grow(_ranks_free_of_units(x), target, n_trees, seed)
    related, reasons = _absolute_correlations(x, target, names)
    order = np.lexsort((np.arange(p), -grown.permutation))
    score, error = _out_of_bag(grown, target)
    return Measures(
        method=f"Random forest, {'classification' if target.labels else 'regression'}, {n_trees} trees "
        "(scikit-learn CART trees on bootstrap samples)",
        quantities={
            "n": Quantity(n, Role.COUNT),
            "n_predictors": Quantity(p, Role.COUNT),
            "n_trees": Quantity(n_trees, Role.COUNT),
            "oob_score": Quantity(score, Role.PROPORTION if target.labels else Role.DETERMINATION),
            "oob_error": Quantity(error, Role.PROPORTION if target.labels else Role.MEAN_SQUARE),
            "n_out_of_bag": Quantity(int((grown.votes > 0).sum()), Role.COUNT),
            "permutation_importance": Quantity(_named(names, grown.permutation), Role.VALUE),
            "permutation_std_error": Quantity(
                _named(names, grown.spread / math.sqrt(n_trees)), Role.STD_ERROR
            ),
            "impurity_importance": Quantity(_named(names, grown.impurity), Role.PROPORTION),
            "abs_r": related,
            "ranking": [names[j] for j in order],
        },
        undefined=reasons,
        seed=seed,
        conventions=(
            "regression: a third of the predictors per split, nodes of 5 rows or fewer are not split",
            "classification: the square root of the number of predictors per split, pure leaves",
            "trees split on the ranks of the predictors, so that units and offsets do not matter",
            "permutation importance leads: rise of the out-of-bag squared error in variances of y, or of the error rate",
            "impurity importances add to one and favour predictors with many different values",
            "oob_score is R² (may be negative) or accuracy; oob_error is the share of variance left, or of errors",
            "abs_r is the absolute Pearson correlation, a measure of linear relation only",
        ),
        warnings=_cautions(n, score, bool(target.labels)),
    )


# Steps ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Target:
    """The outcome: standardised numbers, or class codes with their labels."""

    values: FloatArray
    labels: tuple[str, ...]


def _target(y: NDArray[Any], task: str) -> _Target:
    text = any(isinstance(v, str) for v in y.tolist())
    if text and task == "regression":
        raise InputError(
            "Regression needs a numeric outcome, but y holds text.",
            hint="Use task: classification.",
            where="y",
        )
    if text or task == "classification":
        labels, code = group_index(y, where="y")
        if len(labels) < 2 or len(labels) > 100:
            raise NotDefined(
                f"The outcome has {len(labels)} class{'es' if len(labels) != 1 else ''}; 2 to 100 are needed.",
                where="y",
                code="zero_variance",
            )
        return _Target(code.astype(np.float64), labels)
    values = np.array([float(v) for v in y.tolist()])
    if float(values.min()) == float(values.max()):
        raise NotDefined("The forest is undefined: y is constant.", where="y", code="zero_variance")
    z, _ = centred(np.ldexp(values, -int(np.frexp(np.abs(values).max())[1]))[:, None])
    z = z[:, 0] / float(np.abs(z).max())
    return _Target(z / float(np.sqrt(np.mean(z * z))), ())


def _ranks_free_of_units(x: FloatArray) -> FloatArray:
    """Each column as places among its different values: trees only compare, and float32 cannot merge values."""
    out = np.empty(x.shape)
    for j in range(x.shape[1]):
        out[:, j] = np.unique(x[:, j], return_inverse=True)[1]
    return out


@dataclass(frozen=True)
class _Grown:
    """What the trees say together."""

    total: FloatArray  # summed out-of-bag predictions: values, or votes per class
    votes: FloatArray  # number of trees that have not seen each row
    permutation: FloatArray
    spread: FloatArray
    impurity: FloatArray


def _grow(x: FloatArray, target: _Target, n_trees: int, seed: int) -> _Grown:
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    n, p = x.shape
    k = len(target.labels)
    rng = np.random.default_rng(seed)
    total, votes = np.zeros((n, max(k, 1))), np.zeros(n)
    rises, gains = np.zeros((n_trees, p)), np.zeros((n_trees, p))
    features = max(1, math.isqrt(p) if k else p // 3)
    for b in range(n_trees):
        drawn = rng.integers(n, size=n)
        state = int(rng.integers(2**31 - 1))
        outside = np.setdiff1d(np.arange(n), drawn)
        tree = (
            DecisionTreeClassifier(max_features=features, random_state=state)
            if k
            else DecisionTreeRegressor(max_features=features, min_samples_split=_NODE + 1, random_state=state)
        )
        tree.fit(x[drawn], target.values[drawn])
        gains[b] = tree.feature_importances_
        if outside.size == 0:
            continue
        truth, rows = target.values[outside], x[outside]
        block = np.tile(rows, (p + 1, 1))
        for j in range(p):
            part = slice((j + 1) * outside.size, (j + 2) * outside.size)
            block[part, j] = rows[rng.permutation(outside.size), j]
        said = np.asarray(tree.predict(block), dtype=np.float64).reshape(p + 1, outside.size)
        errors = np.mean(said != truth, axis=1) if k else np.mean((said - truth) ** 2, axis=1)
        rises[b] = errors[1:] - errors[0]
        votes[outside] += 1
        if k:
            np.add.at(total, (outside, said[0].astype(np.int64)), 1.0)
        else:
            total[outside, 0] += said[0]
    impurity = gains.mean(axis=0)
    whole = float(impurity.sum())
    return _Grown(
        total,
        votes,
        rises.mean(axis=0),
        rises.std(axis=0, ddof=1),
        impurity / whole if whole > 0 else impurity,
    )


def _out_of_bag(grown: _Grown, target: _Target) -> tuple[float, float]:
    """Score and error on rows by the trees that have not seen them."""
    seen = grown.votes > 0
    truth = target.values[seen]
    if target.labels:
        accuracy = float(np.mean(grown.total[seen].argmax(axis=1) == truth))
        return accuracy, 1 - accuracy
    residual = truth - grown.total[seen, 0] / grown.votes[seen]
    left = float(np.mean(residual**2)) / float(np.mean((truth - truth.mean()) ** 2))
    return 1 - left, left


def _named(names: tuple[str, ...], values: FloatArray) -> dict[str, float]:
    return dict(zip(names, values.tolist(), strict=True))


def _absolute_correlations(
    x: FloatArray, target: _Target, names: tuple[str, ...]
) -> tuple[Any, dict[str, str]]:
    if len(target.labels) > 2:
        return None, {"abs_r": "the classes have no numeric order"}
    z, _ = centred(np.ldexp(x, -np.frexp(np.abs(x).max(axis=0))[1]))
    top = np.abs(z).max(axis=0)
    z = z / np.where(top > 0, top, 1.0)
    y = target.values - target.values.mean()
    size = np.sqrt(np.sum(z * z, axis=0))
    r = np.where(size > 0, np.abs(z.T @ y) / np.where(size > 0, size, 1.0) / math.sqrt(float(y @ y)), 0.0)
    flat = constant_columns(x).tolist()
    out: dict[str, Any] = {
        name: None if constant else Quantity(min(1.0, float(v)), Role.CORRELATION)
        for name, v, constant in zip(names, r, flat, strict=True)
    }
    if any(flat):
        out["undefined"] = {
            name: "the predictor is constant" for name, c in zip(names, flat, strict=True) if c
        }
    return out, {}


def _cautions(n: int, score: float, classes: bool) -> tuple[str, ...]:
    said = []
    if n < 50:
        said.append(f"With {n} rows a forest and its importances are unstable: try other seeds.")
    if not classes and score <= 0:
        said.append("The forest predicts no better than the mean: its importances say little.")
    return tuple(said)
