"""Units as products of powers: reading them from text, their dimension, conversion, and how statistics change them.

A `Unit` keeps the units as they were written (`cm/m` stays `cm/m`), because a result must say what the reader
wrote. Dimensions and factors are pint's, which is loaded only when two units have to be compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError
from statistikles.pipeline.stewardship.unit_words import KNOWN, find
from statistikles.results.roles import Role

if TYPE_CHECKING:
    import pint

__all__ = ["NONE", "Conversion", "Unit", "compatible", "conversion", "parse_unit", "through"]

_SUPERSCRIPT = str.maketrans("0123456789-/", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻ᐟ")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_OFFSET = ("°C", "°F")
_DELTA = "Δ"
_MULTIPLIERS = ("thousand", "million", "billion")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: ((symbol, exponent), ...) in the order written. No parts: a pure number."""

    parts: tuple[tuple[str, Fraction], ...] = ()

    def __str__(self) -> str:
        """The unit in print: `kg/m²`, `g/(mm·s)`, `1/s`, and nothing for a pure number."""
        above = [_power(s, e) for s, e in self.parts if e > 0]
        below = [_power(s, -e) for s, e in self.parts if e < 0]
        head = _product(above) or ("1" if below else "")
        if not below:
            return head
        return f"{head}/{below[0]}" if len(below) == 1 else f"{head}/({_product(below)})"

    def __mul__(self, other: Unit) -> Unit:
        powers: dict[str, Fraction] = {}
        for symbol, exponent in (*self.parts, *other.parts):
            powers[symbol] = powers.get(symbol, Fraction(0)) + exponent
        return Unit(tuple((s, e) for s, e in powers.items() if e))

    def __truediv__(self, other: Unit) -> Unit:
        return self * other**-1

    def __pow__(self, exponent: int | Fraction) -> Unit:
        return Unit(tuple((s, e * exponent) for s, e in self.parts)) if exponent else NONE

    @property
    def has_offset(self) -> bool:
        """Whether the zero of the scale is arbitrary (°C, °F), so that ratios of values mean nothing."""
        return len(self.parts) == 1 and self.parts[0][0] in _OFFSET and self.parts[0][1] == 1

    @property
    def difference(self) -> Unit:
        """The unit of a difference of two values: `Δ°C` for `°C`, else the unit itself."""
        return Unit(((_DELTA + self.parts[0][0], Fraction(1)),)) if self.has_offset else self

    @property
    def dimension(self) -> str:
        """The dimension in a word where the table of spellings names it (`length` for `cm`), else empty."""
        known = KNOWN.get(str(self))
        return known.dimension if known else ""

    def pint_text(self) -> str:
        """The unit in pint's words."""
        words = []
        for symbol, exponent in self.parts:
            name = (
                f"delta_{KNOWN[symbol[1:]].pint}" if symbol.startswith(_DELTA) else f"({KNOWN[symbol].pint})"
            )
            words.append(f"{name}**({exponent})")
        return " * ".join(words) or "dimensionless"


NONE = Unit()


def _power(symbol: str, exponent: Fraction) -> str:
    return symbol if exponent == 1 else symbol + str(exponent).translate(_SUPERSCRIPT)


def _product(words: list[str]) -> str:
    front = [w for w in words if w in _MULTIPLIERS]
    rest = "·".join(w for w in words if w not in _MULTIPLIERS)
    return " ".join(part for part in (*front, rest) if part)


# Reading ---------------------------------------------------------------------------------------------------

_FACTOR = re.compile(r"\s*(?P<token>[^\s\d*·/^⁰¹²³⁴⁵⁶⁷⁸⁹⁻-]+?)\s*(?:(?:\^|\*\*)?\s*(?P<power>-?[1-9]))?\s*\Z")
_SPLIT = re.compile(r"\s*(?P<mark>/|·|⋅|\*(?!\*)|\bper\b|\s)\s*")
_LONGEST = 40


@lru_cache(maxsize=2048)
def parse_unit(text: str, *, shouted: bool = False) -> tuple[Unit, bool] | None:
    """The unit a text is, and whether every part of it is sure to be one; None when it is no unit.

    Understands `kg`, `kg/m²`, `kg/m^2`, `m s-1`, `mg per dL`, `thousands of dollars`.
    """
    text = text.strip().translate(_PLAIN).replace(" of ", " ")
    if not text or len(text) > _LONGEST:
        return None
    whole = find(text, shouted=shouted)
    if whole is not None:
        return _of_label(whole[0].label), whole[1]
    unit, sure, sign, at = NONE, True, 1, 0
    marks = [*_SPLIT.finditer(text), None]
    for mark in marks:
        piece = text[at : mark.start()] if mark else text[at:]
        found = _factor(piece, shouted=shouted)
        if found is None:
            return None
        unit *= found[0] ** sign
        sure = sure and found[1]
        if mark:
            sign = -1 if mark["mark"] in ("/", "per") else 1 if sign == 1 else -1
            at = mark.end()
    return (unit, sure or len(marks) > 1) if unit.parts else None


def _factor(piece: str, *, shouted: bool) -> tuple[Unit, bool] | None:
    found = find(piece, shouted=shouted)
    power = 1
    if found is None:
        match = _FACTOR.match(piece)
        if match is None or (found := find(match["token"], shouted=shouted)) is None:
            return None
        power = int(match["power"] or 1)
    return _of_label(found[0].label) ** power, found[1]


_BASE = re.compile(r"(.+?)([²³]?)\Z")


def _of_label(label: str) -> Unit:
    """A printed label as a unit: `m²` is m to the power 2, so that its square is m⁴."""
    unit = NONE
    for sign, part in zip((1, -1), label.split("/"), strict=False):
        match = _BASE.match(part)
        if match is not None:
            unit *= Unit(((match[1], Fraction(int(match[2].translate(_PLAIN) or 1))),)) ** sign
    return unit


# Dimensions and conversion ---------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _registry() -> pint.UnitRegistry[Any]:
    """Pint's own definitions, and currencies and activities, which convert into nothing else."""
    import pint

    registry: pint.UnitRegistry[Any] = pint.UnitRegistry(
        autoconvert_offset_to_baseunit=True, non_int_type=Fraction
    )
    for name in ("dollar", "euro", "pound_sterling", "yen", "swiss_franc", "rupee", "international_unit"):
        registry.define(f"{name} = [{name}]")
    return registry


def compatible(a: Unit, b: Unit) -> bool:
    """Whether values of the two units can be converted into each other."""
    if a == b:
        return True
    registry = _registry()
    first, second = (registry.parse_expression(u.pint_text()) for u in (a, b))
    return bool(registry.Quantity(1, _units(first)).check(_units(second).dimensionality))


def _units(value: Any) -> Any:
    """The units of what pint parsed (a bare factor such as 1e3 parses as a number)."""
    return value.units if hasattr(value, "units") else _registry().dimensionless


@dataclass(frozen=True, slots=True)
class Conversion:
    """value in `target` = value in `source` x factor + offset. Both are exact fractions where definitions are."""

    source: Unit
    target: Unit
    factor: float
    offset: float = 0.0
    exact: str = ""

    def value(self, x: float) -> float:
        """An absolute value (a mean, a median, a bound) converted."""
        return x * self.factor + self.offset

    def difference(self, x: float) -> float:
        """A difference, a standard deviation or a standard error converted: an offset drops out."""
        return x * self.factor

    def variance(self, x: float) -> float:
        """A variance converted."""
        return x * self.factor**2

    def __str__(self) -> str:
        """`1 in = 2.54 cm`, `°C = °F × 5/9 - 160/9`."""
        if self.offset or self.source.has_offset:
            sign = "-" if self.offset < 0 else "+"
            text = self.exact or f"{self.factor:.12g} {sign} {abs(self.offset):.12g}"
            return f"{self.target} = {self.source} × {text}"
        return f"1 {self.source} = {self.factor:.12g} {self.target}"


def conversion(source: Unit, target: Unit) -> Conversion:
    """How values of one unit become values of another.

    Raises
    ------
    InputError : the units measure different things.
    """
    if not compatible(source, target):
        raise InputError(
            f"'{source or 'a pure number'}' cannot be converted to '{target or 'a pure number'}': "
            "they measure different things.",
            hint="Choose a unit of the same dimension.",
            where="unit",
            code="incompatible_units",
        )
    zero, one = _at(source, target, 0), _at(source, target, 1)
    factor = one - zero
    exact = f"{factor} {'-' if zero < 0 else '+'} {abs(zero)}" if zero else ""
    return Conversion(source, target, float(factor), float(zero), exact if len(exact) < _LONGEST else "")


def _at(source: Unit, target: Unit, x: int) -> Fraction:
    """What x of the source is in the target."""
    registry = _registry()
    first, second = (registry.parse_expression(u.pint_text()) for u in (source, target))
    scale = [Fraction(str(getattr(q, "magnitude", q))) for q in (first, second)]
    if source.has_offset or target.has_offset:
        value = registry.Quantity(Fraction(x), _units(first)).to(_units(second)).magnitude
    else:
        value = Fraction(
            registry.Quantity(Fraction(x) * scale[0], _units(first)).to(_units(second)).magnitude
        )
        value /= scale[1]
    return Fraction(value)


# Through statistics ----------------------------------------------------------------------------------------

_AS_VALUE = frozenset({Role.MEAN, Role.MEDIAN, Role.MODE, Role.MINIMUM, Role.MAXIMUM, Role.QUANTILE})
_AS_DIFFERENCE = frozenset({Role.STD_DEV, Role.STD_ERROR, Role.RANGE, Role.RESIDUAL})
_SQUARED = frozenset({Role.VARIANCE, Role.SUM_OF_SQUARES, Role.MEAN_SQUARE})


def through(role: Role, unit: Unit) -> Unit | None:
    """The unit of a number of this role computed from values of `unit`; None when it is a pure number.

    A mean keeps the unit, a standard deviation has that of a difference, a variance its square; correlations,
    effect sizes, test statistics, z scores and p values have none.
    """
    if role in _AS_VALUE:
        return unit
    if role in _AS_DIFFERENCE:
        return unit.difference
    if role in _SQUARED:
        return unit.difference**2
    return None
