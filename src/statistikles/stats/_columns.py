"""What analyses of several columns share: names, groups of rows, safe scaling and the sign of directions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.stats._tables import label_text, sorted_labels

__all__ = [
    "centred",
    "column_names",
    "constant_columns",
    "fit_or_none",
    "group_index",
    "refuse_constant",
    "signs",
    "standard_columns",
    "to_unit",
]

Matrix = NDArray[np.float64]
_EPS = float(np.finfo(np.float64).eps)


def column_names(
    given: tuple[str, ...] | None, p: int, *, where: str = "var_names", reserved: Sequence[str] = ()
) -> tuple[str, ...]:
    """The names of p columns: those given, else x or x1, x2, ..."""
    names = given or (("x",) if p == 1 else tuple(f"x{j + 1}" for j in range(p)))
    if len(names) != p:
        raise InputError(
            f"{len(names)} name{'s were' if len(names) != 1 else ' was'} given for {p} "
            f"column{'s' if p != 1 else ''}.",
            hint="Give one name per column, or leave the names out.",
            where=where,
            code="shape",
        )
    for name in names:
        if name in reserved:
            raise InputError(f"A column may not be named '{name}' here.", where=where)
    return names


def to_unit(x: Matrix) -> tuple[Matrix, NDArray[np.int64]]:
    """Columns scaled by powers of two to magnitudes of at most one, and the exponents that scale back."""
    exponents = np.frexp(np.abs(x).max(axis=0))[1].astype(np.int64)
    return np.ldexp(x, -exponents), exponents


def centred(x: Matrix) -> tuple[Matrix, Matrix]:
    """Columns minus their means (taken twice, so that a large offset leaves no trace), and the means."""
    mean = x.mean(axis=0)
    first = x - mean
    rest = first.mean(axis=0)
    return first - rest, mean + rest


def constant_columns(x: Matrix) -> NDArray[np.bool_]:
    """Which columns hold one value only."""
    flags: NDArray[np.bool_] = x.min(axis=0) == x.max(axis=0)
    return flags


def refuse_constant(x: Matrix, names: Sequence[str], analysis: str, *, where: str = "x") -> None:
    """Raise when a column does not vary, naming it."""
    flat = [name for name, constant in zip(names, constant_columns(x).tolist(), strict=True) if constant]
    if flat:
        raise NotDefined(
            f"{analysis} is undefined: {', '.join(repr(n) for n in flat[:6])} "
            f"{'is' if len(flat) == 1 else 'are'} constant.",
            hint="Leave constant columns out.",
            where=where,
            code="zero_variance",
        )


def signs(directions: Matrix) -> Matrix:
    """The sign of each column that makes its entry of largest size positive; the first one in case of ties."""
    size = np.abs(directions)
    leading = np.argmax(size >= size.max(axis=0) * (1 - 1e-9), axis=0)
    picked = directions[leading, np.arange(directions.shape[1])]
    return np.where(picked < 0, -1.0, 1.0)


def group_index(
    labels: NDArray[Any], *, where: str = "group_ids"
) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Names of the distinct labels, sorted, and the place of each row's label among them."""
    distinct = sorted_labels(labels.tolist())
    names = tuple(label_text(label) for label in distinct)
    if len(set(names)) < len(names):
        raise InputError(
            "Two different labels read the same (such as 1 and '1').",
            hint="Write each group in one way.",
            where=where,
        )
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place[label_text(label)] for label in labels.tolist()], dtype=np.int64)


def fit_or_none(value: float, exponent: int = 0) -> float | None:
    """value * 2**exponent, or None where a double cannot hold it."""
    try:
        out = math.ldexp(value, exponent)
    except OverflowError:
        return None
    return None if not math.isfinite(out) or (out == 0.0 and value != 0.0) else out


def standard_columns(x: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Columns centred and divided by their standard deviation (divisor n)."""
    power = np.exp2(np.frexp(np.abs(x).max(axis=0))[1] - 1.0)
    scaled = x / power
    centre = scaled.mean(axis=0)
    z = scaled - centre
    spread = np.sqrt(np.mean(z * z, axis=0))
    return z / spread, centre * power, spread * power
