"""Tests of normality: Shapiro-Wilk (Royston 1995), Lilliefors, Anderson-Darling, with their p values."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import special as sc

from statistikles.errors import InputError, NotDefined
from statistikles.stats import _continuous as dist

__all__ = [
    "anderson_darling_normal_p",
    "anderson_darling_normal_statistic",
    "lilliefors_p",
    "lilliefors_statistic",
    "shapiro_wilk",
    "shapiro_wilk_p",
]


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    total = 0.0
    for c in reversed(coefficients):
        total = total * x + c
    return total


def _standardised(x: NDArray[np.float64], minimum: int) -> NDArray[np.float64]:
    """Sorted values scaled so that their spread is 1; refuses what no test of normality can use."""
    if x.size < minimum:
        raise InputError(f"At least {minimum} values are needed.", where="data", code="too_few_values")
    ordered = np.sort(x)
    spread = float(ordered[-1]) / 2 - float(ordered[0]) / 2
    if spread == 0.0:
        raise NotDefined(
            "A test of normality is not defined for constant data.", where="data", code="constant"
        )
    out: NDArray[np.float64] = (ordered / 2 - float(ordered[x.size // 2]) / 2) / spread
    return out


def _shapiro_weights(n: int) -> NDArray[np.float64]:
    """The antisymmetric weights of W: normal scores with Royston's corrections to the two outermost."""
    if n == 3:
        return np.array([-math.sqrt(0.5), 0.0, math.sqrt(0.5)])
    m = sc.ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    total = float(m @ m)
    scale = 1.0 / math.sqrt(n)
    last = _polynomial((0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056), scale)
    a_last = float(m[-1]) / math.sqrt(total) + last
    a = m.copy()
    if n > 5:
        second = _polynomial((0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633), scale)
        a_second = float(m[-2]) / math.sqrt(total) + second
        rest = (total - 2 * float(m[-1]) ** 2 - 2 * float(m[-2]) ** 2) / (1 - 2 * a_last**2 - 2 * a_second**2)
        a /= math.sqrt(rest)
        a[-2], a[1] = a_second, -a_second
    else:
        rest = (total - 2 * float(m[-1]) ** 2) / (1 - 2 * a_last**2)
        a /= math.sqrt(rest)
    a[-1], a[0] = a_last, -a_last
    return a


def shapiro_wilk(x: NDArray[np.float64]) -> tuple[float, float]:
    """W and its p value, for 3 to 5000 values."""
    z = _standardised(x, 3)
    n = int(z.size)
    if n > 5000:
        raise InputError(
            "Shapiro-Wilk is calibrated for at most 5000 values.", where="data", code="too_many_values"
        )
    a = _shapiro_weights(n)
    deviation = z - math.fsum(z.tolist()) / n
    ss = float(deviation @ deviation)
    # 1 - W as a sum of squares, so that a W close to 1 keeps its digits
    norm = math.sqrt(float(a @ a))
    unit = a / norm
    slope = float(unit @ deviation)
    residual = deviation - slope * unit
    one_minus_w = float(residual @ residual) / ss
    if abs(norm - 1.0) > 1e-7:
        one_minus_w = 1.0 - (float(a @ deviation) ** 2) / ss
    w = 1.0 - one_minus_w
    return w, shapiro_wilk_p(w, n, one_minus_w=one_minus_w)


def shapiro_wilk_p(w: float, n: int, *, one_minus_w: float | None = None) -> float:
    """Upper-tail p of 1 - W (Royston 1995, AS R94)."""
    rest = 1.0 - w if one_minus_w is None else one_minus_w
    if n == 3:
        low = 0.75
        return (
            0.0
            if w <= low
            else min(1.0, 6.0 / math.pi * (math.asin(math.sqrt(w)) - math.asin(math.sqrt(low))))
        )
    if rest <= 0.0:
        return 1.0
    y = math.log(rest)
    if n <= 11:
        gamma = -2.273 + 0.459 * n
        if y >= gamma:
            return 0.0
        y = -math.log(gamma - y)
        mean = _polynomial((0.544, -0.39978, 0.025054, -6.714e-4), n)
        sd = math.exp(_polynomial((1.3822, -0.77857, 0.062767, -0.0020322), n))
    else:
        log_n = math.log(n)
        mean = _polynomial((-1.5861, -0.31082, -0.083751, 0.0038915), log_n)
        sd = math.exp(_polynomial((-0.4803, -0.082676, 0.0030302), log_n))
    return dist.norm_sf((y - mean) / sd)


def _standard_scores(x: NDArray[np.float64], minimum: int) -> NDArray[np.float64]:
    """Sorted z scores with the sample mean and the n - 1 standard deviation."""
    z = _standardised(x, minimum)
    deviation = z - math.fsum(z.tolist()) / z.size
    out: NDArray[np.float64] = deviation / math.sqrt(float(deviation @ deviation) / (z.size - 1))
    return out


def lilliefors_statistic(x: NDArray[np.float64]) -> float:
    """Largest distance between the empirical and the fitted normal distribution function."""
    z = _standard_scores(x, 4)
    n = z.size
    p = sc.ndtr(z)
    above = float((np.arange(1, n + 1) / n - p).max())
    below = float((p - np.arange(n) / n).max())
    return max(above, below)


def lilliefors_p(d: float, n: int) -> float:
    """Dallal and Wilkinson (1986) up to p = 0.1, Stephens' modified statistic above it."""
    if n < 4:
        raise InputError("At least 4 values are needed.", where="n", code="too_few_values")
    scaled, size = (d * (n / 100.0) ** 0.49, 100.0) if n > 100 else (d, float(n))
    root = size + 2.78019
    p = math.exp(
        -7.01256 * scaled**2 * root
        + 2.99587 * scaled * math.sqrt(root)
        - 0.122119
        + 0.974598 / math.sqrt(size)
        + 1.67997 / size
    )
    if p <= 0.1:
        return p
    k = (math.sqrt(n) - 0.01 + 0.85 / math.sqrt(n)) * d
    if k <= 0.302:
        return 1.0
    if k <= 0.5:
        p = _polynomial((2.76773, -19.828315, 80.709644, -138.55152, 81.218052), k)
    elif k <= 0.9:
        p = _polynomial((-4.901232, 40.662806, -97.490286, 94.029866, -32.355711), k)
    elif k <= 1.31:
        p = _polynomial((6.198765, -19.558097, 23.186922, -12.234627, 2.423045), k)
    else:
        p = 0.0
    return min(1.0, max(0.0, p))


def anderson_darling_normal_statistic(x: NDArray[np.float64]) -> float:
    """A squared against the normal distribution with estimated mean and SD."""
    z = _standard_scores(x, 8)
    n = z.size
    weights = 2.0 * np.arange(1, n + 1) - 1.0
    terms = weights * (sc.log_ndtr(z) + sc.log_ndtr(-z[::-1]))
    return -n - math.fsum(terms.tolist()) / n


def anderson_darling_normal_p(a2: float, n: int) -> float:
    """p value of A squared, case 4 (D'Agostino and Stephens 1986, table 4.9)."""
    a = a2 * (1.0 + 0.75 / n + 2.25 / n**2)
    if a < 0.2:
        return 1.0 - math.exp(-13.436 + 101.14 * a - 223.73 * a * a)
    if a < 0.34:
        return 1.0 - math.exp(-8.318 + 42.796 * a - 59.938 * a * a)
    if a < 0.6:
        return math.exp(0.9177 - 4.279 * a - 1.38 * a * a)
    # the quadratic turns upwards beyond a = 153; its value there is the smallest it vouches for
    a = min(a, 153.0)
    return math.exp(1.2937 - 5.709 * a + 0.0186 * a * a)
