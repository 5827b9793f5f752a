"""Arithmetic beyond a double: error-free transformations, double-double arrays, exact integers.

A double-double is a pair (high, low) whose exact sum is the value, about 32 digits (Dekker 1971;
Hida, Li and Bailey 2001). All functions work elementwise on NumPy arrays or on plain floats, and
assume magnitudes between about 2**-450 and 2**450: callers scale by a power of two first.
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined

__all__ = [
    "DD",
    "dd_add",
    "dd_div",
    "dd_div_float",
    "dd_from_decimal",
    "dd_gram",
    "dd_matmul",
    "dd_mul",
    "dd_solve_cholesky",
    "dd_sqrt",
    "dd_sub",
    "dd_sum",
    "dd_sum_axis",
    "dd_to_float",
    "dd_total",
    "decimal_integers",
    "ratio",
    "ratio_or_none",
    "scale_back",
    "sqrt_ratio",
    "two_prod",
    "two_sum",
]

DD: TypeAlias = tuple[Any, Any]
_SPLITTER = 134217729.0  # 2**27 + 1
_BLOCK = 1024  # rows of a matrix handled at a time


def two_sum(a: Any, b: Any) -> DD:
    """a + b and its rounding error, exactly."""
    s = a + b
    v = s - a
    return s, (a - (s - v)) + (b - v)


def _quick_two_sum(a: Any, b: Any) -> DD:
    s = a + b
    return s, b - (s - a)


def two_prod(a: Any, b: Any) -> DD:
    """a * b and its rounding error, exactly (Veltkamp splitting)."""
    p = a * b
    t = _SPLITTER * a
    a1 = t - (t - a)
    a2 = a - a1
    t = _SPLITTER * b
    b1 = t - (t - b)
    b2 = b - b1
    return p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2


def dd_add(a: DD, b: DD) -> DD:
    """Sum of two double-doubles (accurate variant)."""
    s, e = two_sum(a[0], b[0])
    t, f = two_sum(a[1], b[1])
    s, e = _quick_two_sum(s, e + t)
    return _quick_two_sum(s, e + f)


def dd_sub(a: DD, b: DD) -> DD:
    """Difference of two double-doubles."""
    return dd_add(a, (-b[0], -b[1]))


def dd_mul(a: DD, b: DD) -> DD:
    """Product of two double-doubles."""
    p, e = two_prod(a[0], b[0])
    return _quick_two_sum(p, e + (a[0] * b[1] + a[1] * b[0]))


def dd_div(a: DD, b: DD) -> DD:
    """Quotient of two double-doubles (three correction steps)."""
    q1 = a[0] / b[0]
    r = dd_sub(a, dd_mul(b, (q1, 0.0 * q1)))
    q2 = r[0] / b[0]
    r = dd_sub(r, dd_mul(b, (q2, 0.0 * q2)))
    q3 = r[0] / b[0]
    s, e = _quick_two_sum(q1, q2)
    return dd_add((s, e), (q3, 0.0 * q3))


def dd_div_float(a: DD, b: float) -> DD:
    """Quotient of a double-double and a double."""
    return dd_div(a, (b, 0.0))


def dd_sqrt(a: DD) -> DD:
    """Square root of a non-negative double-double."""
    root = np.sqrt(a[0])
    safe = np.where(root == 0.0, 1.0, root)
    square = two_prod(root, root)
    rest = dd_sub(a, square)
    return _quick_two_sum(root, rest[0] / (2.0 * safe))


def dd_sum(x: NDArray[np.float64]) -> tuple[float, float]:
    """The sum of an array of doubles as a double-double."""
    high, low = dd_sum_axis((x, np.zeros_like(x)))
    return float(high), float(low)


def dd_sum_axis(a: DD) -> DD:
    """The sum of a double-double array along its first axis, by halving."""
    high, low = a
    while high.shape[0] > 1:
        n = high.shape[0]
        half = n // 2
        s = dd_add((high[:half], low[:half]), (high[half : 2 * half], low[half : 2 * half]))
        if n % 2:
            high = np.concatenate((s[0], high[-1:]))
            low = np.concatenate((s[1], low[-1:]))
        else:
            high, low = s
    if high.shape[0] == 0:
        zero = np.zeros(high.shape[1:])
        return zero, zero
    return high[0], low[0]


def dd_total(a: DD) -> float:
    """The sum of a double-double vector, rounded to a double."""
    high, low = dd_sum_axis(a)
    return float(high + low)


def dd_matmul(a: DD, b: DD) -> DD:
    """Matrix product of two double-double matrices (n x k times k x m), in row blocks that stay in cache."""
    n, k = a[0].shape
    m = b[0].shape[1]
    high, low = np.empty((n, m)), np.empty((n, m))
    for i in range(0, n, _BLOCK):
        rows = slice(i, min(i + _BLOCK, n))
        out: DD = (np.zeros((rows.stop - i, m)), np.zeros((rows.stop - i, m)))
        for j in range(k):
            left = (a[0][rows, j : j + 1], a[1][rows, j : j + 1])
            right = (b[0][j : j + 1, :], b[1][j : j + 1, :])
            out = dd_add(out, dd_mul(left, right))
        high[rows], low[rows] = out
    return high, low


def dd_gram(a: DD, b: DD) -> DD:
    """a' b for an n x q and an n x m double-double matrix, in row blocks that stay in cache."""
    n, q = a[0].shape
    m = b[0].shape[1]
    total: DD = (np.zeros((q, m)), np.zeros((q, m)))
    for i in range(0, n, _BLOCK):
        rows = slice(i, min(i + _BLOCK, n))
        high, low = np.empty((q, m)), np.empty((q, m))
        left = (a[0][rows], a[1][rows])
        for j in range(m):
            column = (b[0][rows, j : j + 1], b[1][rows, j : j + 1])
            high[:, j], low[:, j] = dd_sum_axis(dd_mul(left, column))
        total = dd_add(total, (high, low))
    return total


def dd_to_float(a: DD) -> float:
    """A scalar double-double rounded to a double."""
    return float(a[0]) + float(a[1])


def dd_solve_cholesky(gram: DD, right: DD) -> tuple[DD, DD]:
    """Inverse of the Cholesky factor of a well-conditioned matrix, and the solution for a right side."""
    q = gram[0].shape[0]
    high, low = gram[0].copy(), gram[1].copy()
    for j in range(q):  # right-looking factorisation, column by column
        pivot = dd_sqrt((high[j, j], low[j, j]))
        high[j:, j], low[j:, j] = dd_div((high[j:, j], low[j:, j]), pivot)
        if j + 1 < q:
            below = (high[j + 1 :, j : j + 1], low[j + 1 :, j : j + 1])
            update = dd_mul(below, (below[0].T, below[1].T))
            rest = dd_sub((high[j + 1 :, j + 1 :], low[j + 1 :, j + 1 :]), update)
            high[j + 1 :, j + 1 :], low[j + 1 :, j + 1 :] = rest
    inverse: DD = (np.eye(q), np.zeros((q, q)))
    for i in range(q):  # forward substitution on all columns of the identity at once
        row: DD = (inverse[0][i], inverse[1][i])
        for k in range(i):
            factor = (high[i, k], low[i, k])
            row = dd_sub(row, dd_mul((inverse[0][k], inverse[1][k]), factor))
        inverse[0][i], inverse[1][i] = dd_div(row, (high[i, i], low[i, i]))
    return inverse, dd_matmul((inverse[0].T, inverse[1].T), dd_matmul(inverse, right))


# --- decimals ---------------------------------------------------------------------------------------


def decimal_integers(x: NDArray[np.float64]) -> tuple[list[int], int]:
    """Integers m and one power p with value = m * 10**p, each double read as its shortest decimal."""
    pairs = []
    for value in x.tolist():
        sign, digits, exponent = Decimal(repr(value)).as_tuple()
        whole = int("".join(map(str, digits)))
        pairs.append((-whole if sign else whole, int(exponent) if whole else 0))
    power = min((e for w, e in pairs if w), default=0)
    return [w * 10 ** (e - power) if w else 0 for w, e in pairs], power


def dd_from_decimal(x: NDArray[np.float64]) -> DD:
    """The array as double-doubles nearest to the shortest decimals of its elements."""
    low = np.empty(x.size)
    for i, value in enumerate(x.ravel().tolist()):
        low[i] = float(Decimal(repr(value)) - Decimal(value)) if value else 0.0
    return x.copy(), low.reshape(x.shape)


def ratio_or_none(numerator: int, denominator: int) -> float | None:
    """numerator / denominator correctly rounded, or None when a double cannot hold it."""
    try:
        value = numerator / denominator
    except OverflowError:
        return None
    return None if value == 0.0 and numerator else value


def ratio(numerator: int, denominator: int) -> float:
    """numerator / denominator correctly rounded; refuses what a double cannot hold."""
    value = ratio_or_none(numerator, denominator)
    if value is None:
        raise NotDefined("A result is too large or too small for a double.", hint="Rescale the data.")
    return value


def sqrt_ratio(numerator: int, denominator: int) -> float:
    """sqrt(numerator / denominator) of non-negative integers, correctly rounded in all but freak cases."""
    if numerator == 0:
        return 0.0
    # Scale so that the integer root carries at least 64 bits more than a double keeps.
    bits = max(0, 240 - (numerator.bit_length() - denominator.bit_length()))
    bits += bits % 2
    root = math.isqrt((numerator << bits) // denominator)
    return ratio(root, 1 << (bits // 2))


def scale_back(value: float, exponent: int) -> float:
    """value * 2**exponent, refused when a double cannot hold it to full precision."""
    try:
        out = math.ldexp(value, exponent)
    except OverflowError:
        out = math.inf
    if math.isinf(out) or (value != 0.0 and abs(out) < 2.3e-308):
        size = "large" if math.isinf(out) else "small"
        raise NotDefined(
            f"A result (such as a sum of squares) is too {size} for a double.",
            hint="Rescale the data.",
            code="out_of_double_range",
        )
    return out
