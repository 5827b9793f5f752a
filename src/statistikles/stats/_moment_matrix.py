"""Second moments of several variables at once: centred columns at a safe scale, covariances, correlations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError

__all__ = ["Columns", "centre", "coefficient_alpha", "column_names", "correlation_of", "inverse_of"]

Matrix = NDArray[np.float64]
_SINGULAR = 1e-11
_FLAT = 1e-14  # a total whose variance is this small beside the items' is constant to rounding


@dataclass(frozen=True)
class Columns:
    """Deviations from the column means, all multiplied by 2**-exponent so that the largest is about one."""

    deviations: Matrix
    means: tuple[float, ...]
    exponent: int
    constant: tuple[bool, ...]

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.deviations.shape[0])

    @property
    def k(self) -> int:
        """Number of columns."""
        return int(self.deviations.shape[1])

    @cached_property
    def covariance(self) -> Matrix:
        """Covariance matrix, divisor n − 1, in the scaled unit."""
        out: Matrix = self.deviations.T @ self.deviations / (self.n - 1)
        return out

    @cached_property
    def correlation(self) -> Matrix:
        """Correlation matrix; no column may be constant."""
        return correlation_of(self.deviations)

    def std_dev(self, j: int) -> float:
        """Standard deviation of one column, in the unit of the data."""
        return self.in_units(root_mean_square(self.deviations[:, j], self.n - 1))

    def in_units(self, value: float) -> float:
        """A scaled length in the unit of the data."""
        return math.ldexp(value, self.exponent)


def root_mean_square(v: Matrix, divisor: float) -> float:
    """sqrt(Σv²/divisor) without underflow."""
    top = float(np.abs(v).max())
    if top == 0.0:
        return 0.0
    shift = math.frexp(top)[1]
    unit = np.ldexp(v, -shift)
    return math.ldexp(math.sqrt(math.fsum(unit * unit) / divisor), shift)


def centre(x: Matrix) -> Columns:
    """Columns about their means; the first row is subtracted before, so that a large offset costs no digits."""
    outer = math.frexp(max(float(np.abs(x).max()), 5e-324))[1]
    scaled = np.ldexp(x, -outer)
    moved = scaled - scaled[0]
    inner = math.frexp(max(float(np.abs(moved).max()), 2.0**-1000))[1]
    moved = np.ldexp(moved, -inner)
    shift = moved.mean(axis=0)
    moved = moved - shift
    rest = moved.mean(axis=0)
    moved = moved - rest
    constant = x.min(axis=0) == x.max(axis=0)
    moved[:, constant] = 0.0
    means = np.ldexp(scaled[0] + np.ldexp(shift + rest, inner), outer)
    return Columns(
        moved,
        tuple(float(m) for m in np.where(constant, x[0], means)),
        outer + inner,
        tuple(bool(c) for c in constant),
    )


def correlation_of(deviations: Matrix) -> Matrix:
    """Correlations of centred columns that are not constant; every column is first brought to unit length."""
    top = np.abs(deviations).max(axis=0)
    unit = np.ldexp(deviations, -np.frexp(top)[1])
    unit = unit / np.sqrt(np.einsum("ij,ij->j", unit, unit))
    out: Matrix = np.clip(unit.T @ unit, -1.0, 1.0)
    np.fill_diagonal(out, 1.0)
    return out


def inverse_of(symmetric: Matrix) -> Matrix | None:
    """The inverse of a positive definite matrix, None when it is singular to working precision."""
    size = np.sqrt(np.diag(symmetric))
    if not bool((size > 0).all()):
        return None
    unit = symmetric / np.outer(size, size)
    values, vectors = np.linalg.eigh(unit)
    if not values[0] > _SINGULAR * values[-1]:
        return None
    out: Matrix = (vectors / values) @ vectors.T / np.outer(size, size)
    return out


def coefficient_alpha(covariance: Matrix) -> float | None:
    """Cronbach's alpha of a covariance matrix; None when the total does not vary or one item is left."""
    k = len(covariance)
    total, trace = float(covariance.sum()), float(np.trace(covariance))
    if k < 2 or not total > _FLAT * k * trace:
        return None
    return k / (k - 1) * (1 - trace / total)


def column_names(names: tuple[str, ...] | None, k: int, stem: str, where: str) -> tuple[str, ...]:
    """Given names, or stem1, stem2, ...

    Raises
    ------
    InputError : the number of names is not the number of columns.
    """
    if names is None:
        return tuple(f"{stem}{j}" for j in range(1, k + 1))
    if len(names) != k:
        raise InputError(
            f"There are {k} columns but {len(names)} names.",
            hint="Give one name per column, or none.",
            where=where,
            code="length_mismatch",
        )
    return names
