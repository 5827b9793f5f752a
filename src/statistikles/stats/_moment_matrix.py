"""Second moments of several variables at once: centred columns at a safe scale, covariances, correlations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined

__all__ = [
    "Columns",
    "Unit",
    "centre",
    "coefficient_alpha",
    "column_names",
    "correlation_of",
    "inverse_of",
    "require_finite",
]

Matrix = NDArray[np.float64]
_SINGULAR = 1e-11
_FLAT = 1e-14  # a total whose variance is this small beside the items' is constant to rounding


@dataclass(frozen=True)
class Unit:
    """A column about its mean in units of a power of two: value = mean + standard * 2**exponent."""

    standard: Matrix
    mean: float
    exponent: int

    @classmethod
    def of(cls, v: Matrix, centre: float | None = None) -> Unit:
        """Centred at its mean, or at a given point, without losing digits to a large offset."""
        outer = math.frexp(max(float(np.abs(v).max()), abs(centre or 0.0), 5e-324))[1]
        scaled = np.ldexp(v, -outer)
        origin = float(scaled[0]) if centre is None else math.ldexp(centre, -outer)
        moved = scaled - origin
        shift = 0.0
        if centre is None:
            first = float(moved.mean())
            moved = moved - first
            rest = float(moved.mean())
            moved = moved - rest
            shift = first + rest
        top = float(np.abs(moved).max())
        inner = math.frexp(top)[1] if top > 0 else 0
        return cls(np.ldexp(moved, -inner), math.ldexp(origin + shift, outer), outer + inner)


@dataclass(frozen=True)
class Columns:
    """Columns about their means.

    `relative` holds each column in a unit of its own (largest about one); `deviations` all of them in the common
    unit 2**exponent, the largest about one.
    """

    relative: Matrix
    exponents: tuple[int, ...]
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
        """Covariance matrix, divisor n − 1, in the common unit."""
        out: Matrix = self.deviations.T @ self.deviations / (self.n - 1)
        return out

    @cached_property
    def correlation(self) -> Matrix:
        """Correlation matrix; no column may be constant."""
        return correlation_of(self.relative)

    def std_dev(self, j: int) -> float:
        """Standard deviation of one column, in the unit of the data."""
        own = self.relative[:, j]
        return math.ldexp(math.sqrt(math.fsum(own * own) / (self.n - 1)), self.exponents[j])

    def in_units(self, value: float) -> float:
        """A length of the common unit in the unit of the data."""
        return math.ldexp(value, self.exponent)


def centre(x: Matrix) -> Columns:
    """Columns about their means, at safe scales."""
    units = [Unit.of(column) for column in x.T]
    constant = x.min(axis=0) == x.max(axis=0)
    relative = np.column_stack([u.standard for u in units])
    relative[:, constant] = 0.0
    exponents = np.array([u.exponent for u in units])
    common = int(exponents[~constant].max()) if not constant.all() else 0
    shift = np.where(constant, 0, exponents - common)
    return Columns(
        relative,
        tuple(int(e) for e in exponents),
        np.ldexp(relative, shift),
        tuple(float(x[0, j]) if constant[j] else u.mean for j, u in enumerate(units)),
        common,
        tuple(bool(c) for c in constant),
    )


def require_finite(node: Any) -> None:
    """Refuse nested numbers that a double could not hold.

    Raises
    ------
    NotDefined : a number is infinite or not a number.
    """
    if isinstance(node, Mapping):
        for value in node.values():
            require_finite(value)
    elif isinstance(node, list | tuple):
        for value in node:
            require_finite(value)
    elif isinstance(node, float) and not math.isfinite(node):
        raise NotDefined(
            "A result leaves the range of a double.",
            hint="Rescale the data.",
            code="out_of_double_range",
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
