"""Cubic regression splines: B-spline design, and the exact way back to the truncated-power basis."""

from __future__ import annotations

import math
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

__all__ = ["SplineBasis", "spline_basis"]

Matrix = NDArray[np.float64]
_DEGREE = 3


@dataclass(frozen=True)
class SplineBasis:
    """Design on [0, 1] and the matrix from its coefficients to truncated-power ones in `x * 2**-exponent`."""

    design: Matrix
    to_power: Matrix  # rows: 1, x, x², x³, (x - knot_j)³₊


def spline_basis(scaled: Matrix, low: float, high: float, knots: Matrix) -> SplineBasis:
    """Basis for values between low and high with the given interior knots, all scaled to at most one."""
    from scipy.interpolate import BSpline

    width = high - low
    u = np.clip((scaled - low) / width, 0.0, 1.0)
    inner = (knots - low) / width
    t = np.concatenate((np.zeros(_DEGREE + 1), inner, np.ones(_DEGREE + 1)))
    q = t.size - _DEGREE - 1
    design = BSpline.design_matrix(u, t, _DEGREE).toarray()
    family = BSpline(t, np.eye(q), _DEGREE)
    # Taylor coefficients at the left end, then the jumps of the third derivative at the knots.
    first = np.stack([family(0.0, nu=j) / math.factorial(j) for j in range(_DEGREE + 1)])
    edges = np.concatenate(([0.0], inner, [1.0]))
    third = family((edges[:-1] + edges[1:]) / 2, nu=_DEGREE) / math.factorial(_DEGREE)
    local = np.vstack((first, np.diff(third, axis=0)))
    return SplineBasis(np.asarray(design, dtype=np.float64), _shift(low, width, inner.size) @ local)


def _shift(low: float, width: float, n_knots: int) -> Matrix:
    """From powers of (x - low)/width to powers of x."""
    size = _DEGREE + 1 + n_knots
    out = np.zeros((size, size))
    for j in range(_DEGREE + 1):
        for i in range(j + 1):
            out[i, j] = comb(j, i) * (-low) ** (j - i) / width**j
    for j in range(_DEGREE + 1, size):
        out[j, j] = width**-_DEGREE
    return out
