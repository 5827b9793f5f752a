"""How numbers and results are written: p values, estimates, degrees of freedom, and the APA sentence parts."""

from __future__ import annotations

import math

from statistikles.results.roles import ROLE_BOUNDS, Role

__all__ = [
    "decimal_text",
    "format_df",
    "format_interval",
    "format_number",
    "format_p",
    "format_role",
    "interval_decimals",
    "no_leading_zero",
]

MINUS = "−"
# Roles whose values cannot exceed one in magnitude are printed without the leading zero, as journals ask.
_UNIT_ROLES = frozenset(
    role
    for role, (low, high) in ROLE_BOUNDS.items()
    if low >= -1.0 and high <= 1.0 and role is not Role.CONF_LEVEL
)


def decimal_text(value: float, decimals: int) -> str:
    """A number to fixed decimals, with the typographic minus, never '-0.00'."""
    text = f"{value:.{decimals}f}"
    if text.startswith("-"):
        return text[1:] if float(text) == 0.0 else MINUS + text[1:]
    return text


def no_leading_zero(text: str) -> str:
    """'0.05' -> '.05', '−0.30' -> '−.30'."""
    if text.startswith("0."):
        return text[1:]
    if text.startswith(MINUS + "0."):
        return MINUS + text[2:]
    return text


def format_p(p: float) -> str:
    """A p value with its relation: '= .034', '< .001', '> .999'; never '.000'."""
    if p < 0.001:
        return "< .001"
    if p > 0.999:
        return "> .999"
    return "= " + no_leading_zero(f"{p:.3f}")


def format_number(value: float, decimals: int | None = None) -> str:
    """A number at a precision a reader can use: two decimals, more when it is small, fewer when it is large."""
    if not math.isfinite(value):
        return "undefined"
    if decimals is not None:
        return decimal_text(value, decimals)
    if float(value).is_integer() and abs(value) < 1e15:
        return decimal_text(value, 0)
    if abs(value) >= 1e7 or abs(value) < 1e-4:
        return f"{value:.3e}".replace("-", MINUS, 1) if value < 0 else f"{value:.3e}"
    return decimal_text(value, _decimals(value))


def _decimals(value: float) -> int:
    """Decimals that leave two or three digits a reader can use."""
    size = abs(value)
    return 1 if size >= 1000 else 2 if size >= 0.1 else 3 if size >= 0.01 else 4


def format_df(df: float) -> str:
    """Degrees of freedom: whole when whole, otherwise two decimals."""
    return str(int(df)) if float(df).is_integer() else decimal_text(df, 2)


def interval_decimals(low: float | None, high: float | None) -> int | None:
    """Decimals that suit both ends of an interval; None when an end needs powers of ten."""
    finite = [b for b in (low, high) if b is not None]
    if any(b and not 1e-4 <= abs(b) < 1e7 for b in finite):
        return None
    if all(float(b).is_integer() for b in finite):
        return 0
    return max((_decimals(b) for b in finite if b), default=2)


def format_interval(low: float | None, high: float | None, level: float | None, *, unit: bool = False) -> str:
    """'95% CI [0.12, 0.85]'; an open side is written as an infinity sign."""

    decimals = interval_decimals(low, high)

    def side(bound: float | None, sign: str) -> str:
        if bound is None:
            return sign + "∞"
        text = format_number(bound, decimals)
        return no_leading_zero(text) if unit else text

    label = f"{format_number(100 * level)}% CI " if level is not None else ""
    return f"{label}[{side(low, MINUS)}, {side(high, '')}]"


def format_role(value: float, role: Role) -> str:
    """A number as its role is usually printed."""
    if role is Role.P_VALUE:
        return no_leading_zero(f"{value:.3f}") if value >= 0.001 else "< .001"
    if role is Role.DF:
        return format_df(value)
    if role is Role.COUNT:
        return format_number(value)
    if role in _UNIT_ROLES and abs(value) <= 1:
        return no_leading_zero(decimal_text(value, 3 if role is Role.CORRELATION else 2))
    return format_number(value)
