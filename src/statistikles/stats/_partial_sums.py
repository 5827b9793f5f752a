"""Sums of squares of the terms of a linear model, each after others, by orthogonal projection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Explained", "LinearModel", "effect_columns"]

Matrix = NDArray[np.float64]
# A direction counts when, relative to its column, more than this of it lies outside the columns before it.
_RANK = 1e-9


def effect_columns(place: NDArray[np.int64], levels: int) -> Matrix:
    """Sum-to-zero coding: one column per level but the last, which is −1 in all of them."""
    columns = np.zeros((place.size, levels - 1))
    for level in range(levels - 1):
        columns[:, level] = (place == level).astype(np.float64)
    columns[place == levels - 1] = -1.0
    return columns


@dataclass(frozen=True)
class Explained:
    """What a term explains after others: its sum of squares and degrees of freedom."""

    sum_sq: float
    df: int


class LinearModel:
    """A response and the columns of named terms; every projection is by an orthonormal basis.

    Projecting the residual of the others on what is new in a term keeps the digits that a difference of two
    residual sums of squares would lose.
    """

    def __init__(self, response: Matrix, terms: Mapping[str, Matrix]) -> None:
        self.terms = dict(terms)
        self.n = response.size
        self.response = _off_mean(response)

    def explained(self, term: str, after: Sequence[str]) -> Explained:
        """What `term` explains beyond the mean and the terms in `after`."""
        basis = self.basis(after)
        fresh = _off(self._columns([term]), basis)
        own = _orthonormal(fresh, self._columns([term]))
        rest = _off(self.response[:, None], basis)[:, 0]
        return Explained(float(np.sum((own.T @ rest) ** 2)), own.shape[1])

    def residual(self) -> Explained:
        """The residual sum of squares of the whole model and its degrees of freedom."""
        basis = self.basis(list(self.terms))
        rest = _off(self.response[:, None], basis)[:, 0]
        return Explained(float(rest @ rest), self.n - 1 - basis.shape[1])

    def basis(self, names: Sequence[str]) -> Matrix:
        """An orthonormal basis of the terms' columns beyond the mean."""
        columns = self._columns(names)
        return _orthonormal(columns, columns)

    def _columns(self, names: Sequence[str]) -> Matrix:
        if not names:
            return np.empty((self.n, 0))
        joined = np.column_stack([self.terms[name] for name in names])
        centred: Matrix = joined - joined.mean(axis=0)
        return centred


def _off_mean(y: Matrix) -> Matrix:
    first = y - y.mean()
    rest: Matrix = first - first.mean()
    return rest


def _off(columns: Matrix, basis: Matrix) -> Matrix:
    """The part of the columns outside the basis; twice, so that what is left is clean to rounding."""
    for _ in range(2):
        columns = columns - basis @ (basis.T @ columns)
    return columns


def _orthonormal(columns: Matrix, whole: Matrix) -> Matrix:
    """An orthonormal basis of the columns; directions that are only rounding of `whole` are left out."""
    if columns.shape[1] == 0:
        return columns
    size = np.sqrt((whole * whole).sum(axis=0))
    size[size == 0] = 1.0
    left, singular, _ = np.linalg.svd(columns / size, full_matrices=False)
    out: Matrix = left[:, singular > _RANK * max(1.0, float(singular[0]) if singular.size else 1.0)]
    return out
