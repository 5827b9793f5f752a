"""A canvas of characters: scales with round ticks, and dots eight to a character."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Canvas", "Scale", "log_ticks", "round_ticks"]

# The bit of each of the 2 x 4 dots of a braille character, by (column, row).
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_BRAILLE = 0x2800
_FEWEST, _EVEN = 4, 6  # ticks of a scale of ratios: fewer become even steps, at most so many


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """Round values between low and high, at most so many."""
    if not high > low:
        return [low]
    rough = (high - low) / max(1, most)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((c * power for c in (1.0, 2.0, 2.5, 5.0) if c * power >= rough), 10.0 * power)
    first = math.ceil(low / step - 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float, most: int) -> list[float]:
    """Round values on a scale of ratios: powers of ten with or without factors, or over a short way even steps."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for factors in ((1.0, 1.5, 2.0, 3.0, 5.0, 7.0), (1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        found = [f * 10.0**k for k in range(first, last + 1) for f in factors]
        inside = [float(f"{v:.12g}") for v in found if low <= v <= high]
        if len(inside) < min(_FEWEST, most):
            return round_ticks(low, high, min(most, _EVEN))
        if len(inside) <= most:
            return inside
    return inside[:: max(1, math.ceil(len(inside) / most))]


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places: `low` stands at 0, `high` at `size`."""

    low: float
    high: float
    size: float
    log: bool = False

    @classmethod
    def over(cls, values: Sequence[float], size: float, *, log: bool = False, margin: float = 0.0) -> Scale:
        """A scale over all values; one value alone gets room on both sides."""
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        if log:
            low, high = (low / 1.1, high * 1.1) if low == high else (low, high)
            return cls(low, high, size, log=True)
        if low == high:
            room = abs(low) * 0.1 or 1.0
            return cls(low - room, high + room, size)
        room = margin * (high - low)
        return cls(low - room, high + room, size)

    def at(self, value: float) -> float:
        """The place of a value, kept inside."""
        if self.log:
            share = (math.log(max(value, 1e-300)) - math.log(self.low)) / (
                math.log(self.high) - math.log(self.low)
            )
        else:
            share = (value - self.low) / (self.high - self.low)
        return min(max(share, 0.0), 1.0) * self.size

    def ticks(self, most: int) -> list[float]:
        """Round values on the scale."""
        if not self.log:
            return round_ticks(self.low, self.high, most)
        return log_ticks(self.low, self.high, most)


class Canvas:
    """Characters in rows, with dots underneath; what is put as a character hides the dots."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._dots = [[0] * width for _ in range(height)]
        self._signs: list[list[str]] = [[""] * width for _ in range(height)]

    def dot(self, x: float, y: float) -> None:
        """A dot at (x, y) in characters from the lower left."""
        column, row = int(x * 2), int(y * 4)
        column, row = min(max(column, 0), 2 * self.width - 1), min(max(row, 0), 4 * self.height - 1)
        below = self.height - 1 - row // 4
        self._dots[below][column // 2] |= _DOTS[column % 2][3 - row % 4]

    def sign(self, x: float, y: float, sign: str, *, over: bool = True) -> None:
        """A character at (x, y); `over` false leaves what is there."""
        column, row = min(max(int(x), 0), self.width - 1), min(max(int(y), 0), self.height - 1)
        place = self._signs[self.height - 1 - row]
        if over or not place[column]:
            place[column] = sign

    def line(self, a: tuple[float, float], b: tuple[float, float], sign: str = "", *, gap: int = 1) -> None:
        """A straight line of dots, or of a character; `gap` leaves dots out."""
        steps = max(int(2 * abs(b[0] - a[0])), int(4 * abs(b[1] - a[1])), 1)
        for i in range(0, steps + 1, gap):
            x, y = a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps
            if sign:
                self.sign(x, y, sign)
            else:
                self.dot(x, y)

    def rows(self) -> list[str]:
        """The lines, the uppermost first."""
        out = []
        for dots, signs in zip(self._dots, self._signs, strict=True):
            out.append(
                "".join(s or (chr(_BRAILLE + d) if d else " ") for d, s in zip(dots, signs, strict=True))
            )
        return out
