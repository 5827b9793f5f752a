"""How well a linear fit predicts rows that it was not fitted to: a split by a seed, and the errors on the rows held out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError
from statistikles.results import Quantity, Role
from statistikles.stats._least_squares import linear_least_squares

__all__ = ["held_out", "split_rows"]

Matrix = NDArray[np.float64]


def split_rows(n: int, share: float, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows to fit to and the rows held out: the first ceil(share·n) of a seeded permutation are held out.

    The permutation is that of NumPy's legacy generator, whose stream is frozen, so that the split can be repeated
    elsewhere (scikit-learn's train_test_split makes the same one for the same seed).
    """
    order = np.random.RandomState(seed).permutation(n)
    count = math.ceil(share * n)
    return order[count:], order[:count]


def held_out(
    x: Matrix,
    y: Matrix,
    *,
    share: float,
    seed: int,
    names: Sequence[str] | None,
    intercept: bool,
    degree: int,
) -> dict[str, Any]:
    """The fit to the training rows, and its errors on the rows held out."""
    if seed >= 2**32:
        raise InputError("The seed of a split must be below 4294967296.", where="seed", code="out_of_range")
    columns = x if x.ndim == 2 else x[:, None]
    train, test = split_rows(y.size, share, seed)
    if test.size < 2:
        raise InputError(
            f"A share of {share:g} holds out {test.size} of {y.size} rows; at least 2 are needed.",
            hint="Give a larger test_share, or more rows.",
            where="test_share",
            code="too_few_values",
        )
    fit = linear_least_squares(columns[train], y[train], names=names, intercept=intercept, degree=degree)
    powers = columns[test] if degree == 1 else columns[test] ** np.arange(1, degree + 1)
    predicted = powers @ fit.coefficients[int(intercept) :] + (fit.coefficients[0] if intercept else 0.0)
    error = y[test] - predicted
    squares = math.fsum((error * error).tolist())
    around = y[test] - math.fsum(y[test].tolist()) / test.size
    total = math.fsum((around * around).tolist())
    mse = squares / test.size
    return {
        "n_train": Quantity(int(train.size), Role.COUNT),
        "n_test": Quantity(int(test.size), Role.COUNT),
        "rmse": Quantity(math.sqrt(mse), Role.RESIDUAL),
        "mse": Quantity(mse, Role.MEAN_SQUARE),
        "mae": Quantity(math.fsum(np.abs(error).tolist()) / test.size, Role.RESIDUAL),
        "r_squared": Quantity(1 - squares / total, Role.VALUE) if total > 0 else None,
        "coefficients": {
            name: Quantity(float(b), Role.COEFFICIENT)
            for name, b in zip(fit.names, fit.coefficients, strict=True)
        },
        "test_share": Quantity(share, Role.PROPORTION),
        "seed": Quantity(seed, Role.SEED),
        **({} if total > 0 else {"undefined": {"r_squared": "all outcomes held out are equal"}}),
    }
