"""The unit of a column defined by a formula: `weight_kg / (height_m * height_m)` is in kg/m², `a_cm + b_kg` in nothing.

A column without a known unit makes the unit of its formula unknown, and so does a factor that may be a conversion
(`mass_g / 1000`): nothing is guessed. Sums of different units are clashes, which a result warns about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from statistikles.pipeline.filter_syntax import Binary, Call, Constant, Name, Negate, Node
from statistikles.pipeline.stewardship.units import NONE, Unit, parse_unit

__all__ = ["Reckoned", "reckon"]

_SAME = frozenset(
    {
        "abs", "min", "max", "mean", "median", "mode", "quantile", "sum", "within_iqr", "outside_iqr", "within_z",
        "outside_z", "within", "fill", "previous",
    }
)  # fmt: skip
_PURE = frozenset({"zscore", "minmax", "percent_change"})
_SPANS = {"days_between": "days", "hours_between": "h", "minutes_between": "min", "seconds_between": "s"}
_SMALL = 12  # dividing by more than that may turn one unit into another


@dataclass(slots=True)
class Reckoned:
    """The units of defined columns, and the sums in their formulas that mix units."""

    units: dict[str, Unit] = field(default_factory=dict)
    clashes: list[str] = field(default_factory=list)


def reckon(formulas: Mapping[str, Node], units: Mapping[str, Unit]) -> Reckoned:
    """The units of defined columns.

    Parameters
    ----------
    formulas : {column: parsed formula}.
    units : the known units of the columns of the table.
    """
    out = Reckoned()
    walker = _Walker(formulas, units, out)
    for name in formulas:
        found = walker.column(name)
        if found is not None and found.parts:
            out.units[name] = found
    return out


class _Walker:
    def __init__(self, formulas: Mapping[str, Node], units: Mapping[str, Unit], out: Reckoned) -> None:
        self._formulas, self._units, self._out = formulas, units, out
        self._pending: set[str] = set()

    def column(self, name: str) -> Unit | None:
        """The unit of a column; a formula that names its own column means the one of the table."""
        if name not in self._formulas or name in self._pending:
            return self._units.get(name)
        self._pending.add(name)
        try:
            return self._unit(self._formulas[name])
        finally:
            self._pending.discard(name)

    def _unit(self, node: Node) -> Unit | None:
        """The unit of a part of a formula, None when it is not known."""
        if isinstance(node, Name):
            return self.column(node.name)
        if isinstance(node, Negate):
            return self._unit(node.operand)
        if isinstance(node, Binary):
            return self._arithmetic(node)
        if isinstance(node, Call):
            return self._call(node)
        return None

    def _arithmetic(self, node: Binary) -> Unit | None:
        left, right = self._unit(node.left), self._unit(node.right)
        if isinstance(node.left, Constant) or isinstance(node.right, Constant):
            return self._with_constant(node, left, right)
        if left is None or right is None:
            return None
        if node.operator == "*":
            return left * right
        if node.operator == "/":
            return left / right
        if left.difference != right.difference:
            word = "added to" if node.operator == "+" else "taken from"
            first, second = (left, right) if node.operator == "+" else (right, left)
            self._out.clashes.append(f"{first or 'a pure number'} is {word} {second or 'a pure number'}")
            return None
        both_points = left.has_offset and right.has_offset
        return left.difference if node.operator == "-" and both_points else left

    def _with_constant(self, node: Binary, left: Unit | None, right: Unit | None) -> Unit | None:
        """A number beside a quantity: moving keeps the unit, halving too; a larger factor may convert."""
        constant = node.left if isinstance(node.left, Constant) else node.right
        quantity = right if isinstance(node.left, Constant) else left
        if quantity is None or not isinstance(constant, Constant) or isinstance(constant.value, str | bool):
            return None
        if node.operator in "+-":
            return quantity
        value = abs(float(constant.value))
        if value != int(value) or value > _SMALL:
            return None
        return NONE / quantity if node.operator == "/" and constant is node.left else quantity

    def _call(self, node: Call) -> Unit | None:
        if node.function in _SPANS:
            found = parse_unit(_SPANS[node.function])
            return found[0] if found else None
        unit = self._unit(node.arguments[0]) if node.arguments else None
        if unit is None or node.function in _SAME:
            return unit
        if node.function in _PURE:
            return NONE
        if node.function == "sd":
            return unit.difference
        if node.function in ("square", "sqrt"):
            return unit ** (2 if node.function == "square" else Fraction(1, 2))
        if node.function == "power" and len(node.arguments) > 1 and isinstance(node.arguments[1], Constant):
            exponent = node.arguments[1].value
            if isinstance(exponent, int | float) and not isinstance(exponent, bool):
                return unit ** Fraction(exponent).limit_denominator(12)
        return None
