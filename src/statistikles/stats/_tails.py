"""From tail areas to p values, and the checks that distribution parameters must pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from statistikles.errors import InputError

__all__ = [
    "ALTERNATIVES",
    "degrees",
    "log_chi_constant",
    "p_from_symmetric",
    "p_from_tails",
    "positive",
    "probability",
]

ALTERNATIVES: Final = ("two-sided", "greater", "less")


def positive(value: float, name: str) -> float:
    if not (value > 0 and math.isfinite(value)):
        raise InputError(f"'{name}' must be a positive number, not {value}.", where=name, code="out_of_range")
    return float(value)


def probability(value: float, name: str = "probability") -> float:
    if not 0.0 <= value <= 1.0:
        raise InputError(f"'{name}' must lie between 0 and 1, not {value}.", where=name, code="out_of_range")
    return float(value)


def degrees(df: float, name: str = "df") -> float:
    if not df > 0:
        raise InputError(f"'{name}' must be positive, not {df}.", where=name, code="out_of_range")
    return float(df)


def p_from_tails(lower: float, upper: float, alternative: str = "two-sided") -> float:
    """A p value from P(T <= t) and P(T >= t); two-sided is twice the smaller, at most 1."""
    if alternative == "greater":
        return min(1.0, upper)
    if alternative == "less":
        return min(1.0, lower)
    if alternative == "two-sided":
        return min(1.0, 2.0 * min(lower, upper))
    raise InputError(
        f"Unknown alternative '{alternative}'.",
        hint="Choose one of: " + ", ".join(ALTERNATIVES) + ".",
        where="alternative",
        code="unknown_alternative",
    )


def p_from_symmetric(sf: Callable[[float], float], statistic: float, alternative: str = "two-sided") -> float:
    """A p value for a statistic whose null distribution is symmetric about zero."""
    return p_from_tails(sf(-statistic), sf(statistic), alternative)


def log_chi_constant(df: float) -> float:
    """log of the constant c in the density c exp(df (u - expm1(2u)/2)) of u = log(chi / sqrt(df))."""
    if df > 100.0:  # Stirling's series: the large parts of the direct form would cancel
        return 0.5 * math.log(df / math.pi) - (1.0 / 6 - (1.0 / 45 - 8.0 / (315 * df**2)) / df**2) / df
    half = 0.5 * df
    return math.log(2.0) + half * math.log(half) - half - math.lgamma(half)
