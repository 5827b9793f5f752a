"""Elementary functions of double-double arrays: exp, log, sin, cos, tan, atan, powers (about 31 digits)."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from statistikles.stats._exact import DD, dd_add, dd_div, dd_mul, dd_sub

__all__ = [
    "DD_PI",
    "dd_atan",
    "dd_constant",
    "dd_cos",
    "dd_exp",
    "dd_integer_power",
    "dd_log",
    "dd_power",
    "dd_sin",
    "dd_tan",
]


def dd_constant(value: Fraction) -> tuple[float, float]:
    """The double-double nearest to an exact fraction."""
    high = value.numerator / value.denominator
    rest = value - Fraction(high)
    return high, rest.numerator / rest.denominator


def _parts(digits: str, count: int) -> tuple[float, ...]:
    """A constant as a sum of `count` doubles."""
    out = []
    with localcontext() as context:
        context.prec = 80
        rest = Decimal(digits)
        for _ in range(count):
            out.append(float(rest))
            rest -= Decimal(out[-1])
    return tuple(out)


_PI = _parts("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899", 3)
_LN2 = _parts("0.693147180559945309417232121458176568075500134360255254120680009493393621969694716", 3)
DD_PI: DD = (_PI[0], _PI[1])
_INVERSE_FACTORIALS = [dd_constant(Fraction(1, math.factorial(k))) for k in range(34)]


def _reduce(x: DD, parts: tuple[float, ...], scale: float) -> tuple[np.ndarray, DD]:
    """k and x - k * constant, the constant being the sum of `parts` times the power of two `scale`."""
    k = np.rint(np.asarray(x[0]) / (parts[0] * scale))
    zero = np.zeros_like(k)
    r = dd_sub(x, dd_mul((k, zero), (parts[0] * scale, parts[1] * scale)))
    return k, dd_sub(r, (k * (parts[2] * scale), zero))


def dd_exp(x: DD) -> DD:
    """e**x."""
    high = np.clip(np.asarray(x[0], dtype=np.float64), -800.0, 720.0)
    k, r = _reduce((high, np.where(high == x[0], x[1], 0.0)), _LN2, 1.0)
    r = (r[0] / 512.0, r[1] / 512.0)
    total: DD = (np.full_like(r[0], _INVERSE_FACTORIALS[9][0]), np.full_like(r[0], _INVERSE_FACTORIALS[9][1]))
    for n in range(8, 0, -1):
        total = dd_add(dd_mul(total, r), _INVERSE_FACTORIALS[n])
    total = dd_mul(total, r)  # expm1 of the reduced argument
    for _ in range(9):
        total = dd_add((2.0 * total[0], 2.0 * total[1]), dd_mul(total, total))
    total = dd_add(total, (1.0, 0.0))
    with np.errstate(over="ignore", under="ignore"):
        power = k.astype(np.int64)
        return np.ldexp(total[0], power), np.ldexp(total[1], power)


def dd_log(x: DD) -> DD:
    """Natural logarithm; nan for negative arguments, -inf for zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.log(np.asarray(x[0], dtype=np.float64))
    fine = np.isfinite(first)
    start = np.where(fine, first, 0.0)
    argument: DD = (np.where(fine, x[0], 1.0), np.where(fine, x[1], 0.0))
    d = dd_sub(dd_mul(argument, dd_exp((-start, np.zeros_like(start)))), (1.0, 0.0))
    correction = dd_sub(d, (0.5 * d[0] * d[0], 0.0 * d[0]))
    out = dd_add((start, np.zeros_like(start)), correction)
    return np.where(fine, out[0], first), np.where(fine, out[1], 0.0)


def _sin_cos(x: DD) -> tuple[DD, DD]:
    k, r = _reduce(x, _PI, 0.5)
    square = dd_mul(r, r)
    sine: DD = _INVERSE_FACTORIALS[29]
    cosine: DD = (-_INVERSE_FACTORIALS[30][0], -_INVERSE_FACTORIALS[30][1])
    for n in range(27, 0, -2):
        sign = 1.0 if n % 4 == 1 else -1.0
        high, low = _INVERSE_FACTORIALS[n]
        sine = dd_add(dd_mul(sine, square), (sign * high, sign * low))
    for n in range(28, -1, -2):
        sign = 1.0 if n % 4 == 0 else -1.0
        high, low = _INVERSE_FACTORIALS[n]
        cosine = dd_add(dd_mul(cosine, square), (sign * high, sign * low))
    sine = dd_mul(sine, r)
    quarter = np.mod(k, 4.0)
    swap = (quarter == 1.0) | (quarter == 3.0)
    s_sign = np.where(quarter >= 2.0, -1.0, 1.0)
    c_sign = np.where((quarter == 1.0) | (quarter == 2.0), -1.0, 1.0)
    s = (np.where(swap, cosine[0], sine[0]) * s_sign, np.where(swap, cosine[1], sine[1]) * s_sign)
    c = (np.where(swap, sine[0], cosine[0]) * c_sign, np.where(swap, sine[1], cosine[1]) * c_sign)
    return s, c


def dd_sin(x: DD) -> DD:
    """Sine, for arguments up to about 1e8."""
    return _sin_cos(x)[0]


def dd_cos(x: DD) -> DD:
    """Cosine, for arguments up to about 1e8."""
    return _sin_cos(x)[1]


def dd_tan(x: DD) -> DD:
    """Tangent."""
    s, c = _sin_cos(x)
    return dd_div(s, c)


def dd_atan(x: DD) -> DD:
    """Arc tangent: the double value and one Newton step on tan."""
    start = np.arctan(np.asarray(x[0], dtype=np.float64))
    zero = np.zeros_like(start)
    s, c = _sin_cos((start, zero))
    step = dd_div(dd_sub(dd_mul(x, c), s), dd_add(c, dd_mul(x, s)))
    return dd_add((start, zero), step)


def dd_integer_power(x: DD, n: int) -> DD:
    """x**n by repeated squaring."""
    if n < 0:
        return dd_div((1.0, 0.0), dd_integer_power(x, -n))
    out: DD = (
        np.ones_like(np.asarray(x[0], dtype=np.float64)),
        np.zeros_like(np.asarray(x[0], dtype=np.float64)),
    )
    base = x
    while n:
        if n & 1:
            out = dd_mul(out, base)
        n >>= 1
        if n:
            base = dd_mul(base, base)
    return out


def dd_power(x: DD, y: DD) -> DD:
    """x**y for positive x; zero where x is zero and y positive, nan for negative x."""
    positive = np.asarray(x[0]) > 0
    safe: DD = (np.where(positive, x[0], 1.0), np.where(positive, x[1], 0.0))
    value = dd_exp(dd_mul(y, dd_log(safe)))
    other = np.where((np.asarray(x[0]) == 0) & (np.asarray(y[0]) > 0), 0.0, math.nan)
    return np.where(positive, value[0], other), np.where(positive, value[1], 0.0)
