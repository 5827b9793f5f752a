"""Shared arithmetic of the kernel: checked vectors, moments, quantiles, ranks, roots.

Moments are two-pass and compensated (double-double) for ordinary sizes and chunked in cache for
large ones; every data set is first scaled by an exact power of two, so 2**-600 and 2**600 are as
good as 1. With `decimal=True` each double stands for its shortest decimal and the arithmetic is
exact (see `_exact`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.summaries import NeedsValues
from statistikles.stats import _exact
from statistikles.stats._sums import SampleSums

__all__ = [
    "Moments",
    "Vector",
    "as_vector",
    "compensated_sum",
    "find_root",
    "lag1_autocorrelation",
    "moments",
    "quantile",
    "quantiles",
    "rank_with_ties",
    "tie_sizes",
]

Vector: TypeAlias = NDArray[np.float64]

# Up to this many values the compensated path costs less than a millisecond or two.
_COMPENSATED_LIMIT = 20_000
_CHUNK = 16_384


def as_vector(values: Iterable[Any] | Vector, name: str = "data", *, minimum: int = 1) -> Vector:
    """`values` as a one-dimensional float64 array, all finite, at least `minimum` long."""
    try:
        array = np.asarray(values if isinstance(values, (np.ndarray, Sequence)) else list(values))
        if array.dtype == np.bool_ or array.dtype.kind in "cSUmM":
            raise TypeError
        vector = np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"'{name}' must be a list of numbers.", where=name, code="not_numeric") from None
    if vector.ndim != 1:
        raise InputError(
            f"'{name}' must be one list of numbers, not an array with {vector.ndim} dimensions.",
            where=name,
            code="shape",
        )
    if vector.size < minimum:
        raise InputError(
            f"'{name}' has {vector.size} value(s); at least {minimum} are needed.",
            where=name,
            code="too_few_values",
        )
    # One sum is cheaper than isfinite on every element; it is non-finite if any element is
    # (or if the sum itself overflows, which the second look settles).
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(np.sum(vector))
    if not math.isfinite(total) and not bool(np.isfinite(vector).all()):
        raise InputError(
            f"'{name}' contains values that are not finite (NaN or infinity).",
            hint="Remove them, or pass null for a missing value.",
            where=name,
            code="not_finite",
        )
    return vector


def compensated_sum(values: Iterable[float] | Vector) -> float:
    """The sum of `values`, correctly rounded (math.fsum), or to double-double for long arrays."""
    vector = np.asarray(values, dtype=np.float64)
    if vector.size <= _COMPENSATED_LIMIT:
        return math.fsum(vector.tolist())
    return _exact.dd_sum(vector)[0]


@dataclass(frozen=True)
class Moments:
    """n, mean and central moments of a sample; `None` where a value leaves the range of a double.

    `ss` is the sum of squared deviations, `skew_g1` = m3/m2**1.5 and `kurt_g2` = m4/m2**2 - 3 are
    the plain (type 1) coefficients; both are `None` for constant data.
    """

    n: int
    mean: float
    ss: float | None
    variance: float | None
    sd: float | None
    skew_g1: float | None
    kurt_g2: float | None
    minimum: float
    maximum: float
    total: float | None


def moments(values: Vector, *, decimal: bool = False, shape: bool = True) -> Moments:
    """Mean, sum of squares, SD, skewness and kurtosis of a finite vector with at least one value.

    `shape=False` leaves out skewness and kurtosis, which cost as much as the rest.
    """
    if isinstance(values, SampleSums):
        return _moments_of_sums(values, decimal=decimal)
    if values.size == 0:
        raise InputError("Moments need at least one value.", where="data", code="too_few_values")
    if decimal:
        return _moments_decimal(values)
    low, high = float(values.min()), float(values.max())
    n = int(values.size)
    if low == high:
        zero = 0.0 if n > 1 else None
        return Moments(n, low, 0.0, zero, zero, None, None, low, high, _finite(low * n))
    exponent = math.frexp(max(abs(low), abs(high)))[1]
    # Ordinary magnitudes are left as they are: scaling is for what squares or fourth powers would lose.
    shift = -exponent if abs(exponent) > 200 else 0
    small = n <= _COMPENSATED_LIMIT
    scaled = np.ldexp(values, shift) if shift else values
    mean, m2, m3, m4 = _sums_compensated(scaled, shape) if small else _sums_chunked(scaled)
    if m2 < 2.0**-400:  # a spread tiny beside its own scale: centre, rescale, and look again
        raise_to = math.frexp(max(high - low, 5e-324))[1]
        centred = np.ldexp(values - values[0], -raise_to)
        _, m2, m3, m4 = _sums_compensated(centred, shape) if small else _sums_chunked(centred)
        spread_shift = -raise_to
    else:
        spread_shift = shift
    ss, variance, sd = _unscale(m2, n, spread_shift)
    skew = m3 / n / (m2 / n) ** 1.5 if m2 > 0 and shape else None
    kurt = m4 / n / (m2 / n) ** 2 - 3.0 if m2 > 0 and shape else None
    return Moments(
        n,
        math.ldexp(mean, -shift),
        ss,
        variance,
        sd,
        skew,
        kurt,
        low,
        high,
        _finite(_ldexp_or_inf(mean * n, -shift)),
    )


def _moments_of_sums(sums: SampleSums, *, decimal: bool) -> Moments:
    """The same of a sample that is known by its sums."""
    if decimal:
        raise NeedsValues("decimal")
    n, low, high = sums.n, sums.minimum, sums.maximum
    if low == high:
        zero = 0.0 if n > 1 else None
        return Moments(n, low, 0.0, zero, zero, None, None, low, high, _finite(low * n))
    powers = sums.powers
    ss = powers.ss
    variance = float(ss / (n - 1))
    skew, kurt = powers.shape()
    total = float(powers.mean * n)
    return Moments(
        n, float(powers.mean), float(ss), variance, math.sqrt(variance), skew, kurt, low, high, total
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _ldexp_or_inf(value: float, exponent: int) -> float:
    try:
        return math.ldexp(value, exponent)
    except OverflowError:
        return math.inf


def _unscale(m2: float, n: int, shift: int) -> tuple[float | None, float | None, float | None]:
    """Sum of squares, variance and SD in the units of the data, or None where a double cannot hold them."""

    def square(value: float) -> float | None:
        out = _ldexp_or_inf(value, -2 * shift)
        return None if math.isinf(out) or (out == 0.0 and value > 0) else out

    if n < 2:
        return square(m2), None, None
    sd = _ldexp_or_inf(math.sqrt(m2 / (n - 1)), -shift)
    return square(m2), square(m2 / (n - 1)), _finite(sd)


def _sums_compensated(x: Vector, shape: bool = True) -> tuple[float, float, float, float]:
    """Mean and sums of the 2nd, 3rd and 4th powers of the deviations; the first two correctly rounded."""
    n = x.size
    values = x.tolist()
    total = math.fsum(values)
    mean = _exact.dd_div_float((total, math.fsum([*values, -total])), float(n))
    dev, rest = _exact.two_sum(x, -mean[0])
    rest = rest - mean[1]
    square, error = _exact.two_prod(dev, dev)
    # `fsum` is several times faster here than adding pairs. Below the last digit of the sum lies what the
    # low parts round off, and what the powers that only give a shape do.
    low = float(error.sum()) + 2.0 * float(np.dot(dev, rest))
    return (
        mean[0] + mean[1],
        math.fsum([*square.tolist(), low]),
        math.fsum((square * dev).tolist()) if shape else 0.0,
        math.fsum((square * square).tolist()) if shape else 0.0,
    )


def _sums_chunked(x: Vector) -> tuple[float, float, float, float]:
    """The same for long vectors: pairwise sums over pieces that stay in cache, added by fsum."""
    n = x.size
    rough = math.fsum(float(np.sum(x[i : i + _CHUNK])) for i in range(0, n, _CHUNK)) / n
    s1: list[float] = []
    s2: list[float] = []
    s3: list[float] = []
    s4: list[float] = []
    dev = np.empty(_CHUNK)
    square = np.empty(_CHUNK)
    for i in range(0, n, _CHUNK):
        piece = x[i : i + _CHUNK]
        d, q = dev[: piece.size], square[: piece.size]
        np.subtract(piece, rough, out=d)
        np.multiply(d, d, out=q)
        s1.append(float(np.sum(d)))
        s2.append(float(np.sum(q)))
        s3.append(float(np.dot(q, d)))
        s4.append(float(np.dot(q, q)))
    e = math.fsum(s1) / n  # what the rough mean was off by; the moments are moved to the true mean
    r2, r3, r4 = math.fsum(s2), math.fsum(s3), math.fsum(s4)
    m2 = r2 - n * e * e
    m3 = r3 - 3 * e * r2 + 2 * n * e**3
    m4 = r4 - 4 * e * r3 + 6 * e * e * r2 - 3 * n * e**4
    return rough + e, m2, m3, m4


def _moments_decimal(x: Vector) -> Moments:
    """Moments of the decimals that the doubles print as, in exact integer arithmetic."""
    whole, power = _exact.decimal_integers(x)
    n = len(whole)
    total = sum(whole)
    dev = [n * v - total for v in whole]  # n times the deviation, exactly
    s2 = sum(d * d for d in dev)
    s3 = sum(d * d * d for d in dev)
    s4 = sum(d**4 for d in dev)
    scale = (10**power, 1) if power >= 0 else (1, 10**-power)  # value = integer * num / den
    num, den = scale
    mean = _exact.ratio(total * num, n * den)
    ss = _exact.ratio_or_none(s2 * num * num, n * n * den * den)
    low, high = float(x.min()), float(x.max())
    total_value = _exact.ratio_or_none(total * num, den)
    if n < 2:
        return Moments(n, mean, 0.0, None, None, None, None, low, high, total_value)
    variance = _exact.ratio_or_none(s2 * num * num, n * n * (n - 1) * den * den)
    sd = _exact.sqrt_ratio(s2 * num * num, n * n * (n - 1) * den * den)
    skew = kurt = None
    if s2:
        root = _exact.sqrt_ratio(s2, n)  # sqrt(n**2 * m2 ... ) keeps both coefficients free of units
        skew = _exact.ratio(s3, n) / root**3 if root < 1e100 else _skew_large(s2, s3, n)
        kurt = _exact.ratio(s4 * n - 3 * s2 * s2, s2 * s2)
    return Moments(n, mean, ss, variance, sd, skew, kurt, low, high, total_value)


def _skew_large(s2: int, s3: int, n: int) -> float:
    """m3/m2**1.5 from integers too long for doubles: the square is exact, the root is taken last."""
    value = _exact.sqrt_ratio(s3 * s3 * n, s2**3)
    return math.copysign(value, s3) if s3 else 0.0


def lag1_autocorrelation(x: Vector, *, decimal: bool = False) -> float:
    """Autocorrelation at lag 1: sum of products of neighbouring deviations over the sum of squares."""
    if x.size < 2:
        raise InputError("The lag-1 autocorrelation needs at least 2 values.", where="data")
    if float(x.min()) == float(x.max()):
        raise NotDefined("The autocorrelation of constant data is not defined.", where="data")
    if decimal:
        whole, _ = _exact.decimal_integers(x)
        n, total = len(whole), sum(whole)
        dev = [n * v - total for v in whole]
        return _exact.ratio(sum(a * b for a, b in pairwise(dev)), sum(d * d for d in dev))
    exponent = math.frexp(max(abs(float(x.min())), abs(float(x.max()))))[1]
    scaled = np.ldexp(x, -exponent)
    mean = _exact.dd_div_float(_exact.dd_sum(scaled), float(x.size))
    dev_dd = _exact.dd_add((scaled, np.zeros_like(scaled)), (-mean[0], -mean[1]))
    head = (dev_dd[0][:-1], dev_dd[1][:-1])
    tail = (dev_dd[0][1:], dev_dd[1][1:])
    return _exact.dd_total(_exact.dd_mul(head, tail)) / _exact.dd_total(_exact.dd_mul(dev_dd, dev_dd))


# --- quantiles ------------------------------------------------------------------------------------

_CONTINUOUS: dict[int, tuple[float, float]] = {  # type -> (a, b): position p*(n + 1 - a - b) + a
    4: (0.0, 1.0),
    5: (0.5, 0.5),
    6: (0.0, 0.0),
    7: (1.0, 1.0),
    8: (1.0 / 3.0, 1.0 / 3.0),
    9: (3.0 / 8.0, 3.0 / 8.0),
}


def _position(p: float, n: int, kind: int) -> tuple[int, float]:
    """1-based lower index j and weight g of the value above it (Hyndman and Fan 1996)."""
    fuzz = 4.0 * np.finfo(np.float64).eps
    if kind in _CONTINUOUS:
        a, b = _CONTINUOUS[kind]
        # R's tolerance: a product that should be whole must not fall to the index below.
        place = a + p * (n + 1.0 - a - b)
        j = math.floor(place + fuzz)
        g = place - j
        return j, (0.0 if abs(g) < fuzz else g)
    place = n * p - 0.5 if kind == 3 else n * p
    j = math.floor(place + fuzz)
    above = place > j + fuzz
    if kind == 1:
        return j, 1.0 if above else 0.0
    if kind == 2:
        return j, 1.0 if above else 0.5
    return j, 1.0 if above or j % 2 == 1 else 0.0


def quantiles(x: Vector, probabilities: Sequence[float], *, kind: int = 7) -> list[float]:
    """Sample quantiles of types 1 to 9 in R's numbering, by selection rather than sorting."""
    if kind not in range(1, 10):
        raise InputError("The quantile type must be an integer from 1 to 9.", where="kind")
    if x.size == 0:
        raise InputError("Quantiles need at least one value.", where="data", code="too_few_values")
    n = int(x.size)
    spots = []
    for p in probabilities:
        if not 0.0 <= p <= 1.0:
            raise InputError(f"A probability must lie between 0 and 1, not {p}.", where="probabilities")
        spots.append(_position(float(p), n, kind))
    needed = sorted({min(max(j + k, 1), n) for j, _ in spots for k in (0, 1)})
    if isinstance(x, SampleSums):
        at = dict(zip(needed, x.order_statistics(needed), strict=True))
    else:
        ordered = np.sort(x) if n < 2000 else np.partition(x, [r - 1 for r in needed])
        at = {r: float(ordered[r - 1]) for r in needed}
    return [_interpolate(at[min(max(j, 1), n)], at[min(max(j + 1, 1), n)], g) for j, g in spots]


def _interpolate(low: float, high: float, weight: float) -> float:
    if weight == 0.0 or low == high:
        return low
    if weight == 1.0:
        return high
    if weight == 0.5:
        return low / 2 + high / 2 if abs(low) > 1e300 or abs(high) > 1e300 else (low + high) / 2
    return (1.0 - weight) * low + weight * high


def quantile(x: Vector, probability: float, *, kind: int = 7) -> float:
    """One sample quantile; see `quantiles`."""
    return quantiles(x, [probability], kind=kind)[0]


# --- ranks ----------------------------------------------------------------------------------------


def rank_with_ties(x: Vector) -> tuple[Vector, list[int]]:
    """Average ranks from 1, and the sizes of all groups of tied values (sizes above 1 only)."""
    n = int(x.size)
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    first = np.empty(n, dtype=bool)
    first[:1] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], n)
    average = 0.5 * (starts + ends + 1)
    ranks = np.empty(n)
    ranks[order] = np.repeat(average, ends - starts)
    sizes = ends - starts
    return ranks, [int(s) for s in sizes[sizes > 1]]


def tie_sizes(x: Vector) -> list[int]:
    """Sizes of the groups of tied values, in order of value; empty when all values differ."""
    ordered = np.sort(x)
    cuts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    sizes = np.diff(np.concatenate(([0], cuts, [ordered.size])))
    return [int(s) for s in sizes[sizes > 1]]


# --- roots ----------------------------------------------------------------------------------------


def find_root(
    f: Callable[[float], float], low: float, high: float, *, rtol: float = 4e-15, atol: float = 0.0
) -> float:
    """A root of `f` between `low` and `high`, which must differ in sign (Chandrupatla 1997)."""
    a, b = high, low
    fa, fb = f(a), f(b)
    if fa == 0.0:
        return a
    if fb == 0.0:
        return b
    if (fa > 0) == (fb > 0):
        raise NotDefined("No root lies between the two ends given.", code="no_root")
    c, fc = a, fa
    t = 0.5
    for _ in range(300):
        x = a + t * (b - a)
        fx = f(x)
        if (fx > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, b = b, a
            fc, fb = fb, fa
        a, fa = x, fx
        best, f_best = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        width = abs(b - a)
        limit = 0.5 * (rtol * abs(best) + atol)
        if f_best == 0.0 or width <= 2 * limit or width == 0.0:
            return best
        t = 0.5
        if fc not in (fa, fb) and fa != fb:
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            if phi**2 < xi and (1 - phi) ** 2 < 1 - xi:
                t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        floor = min(0.5, limit / width) if width else 0.5
        t = min(1.0 - floor, max(floor, t))
    return best
