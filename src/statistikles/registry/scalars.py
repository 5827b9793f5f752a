"""Argument kinds that hold one thing: a number, a choice, text, names, named numbers, a structure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from statistikles.errors import InputError, did_you_mean
from statistikles.registry.kinds import Kind, Where, kind_of, shown

__all__ = [
    "Cell",
    "Choice",
    "NameList",
    "NumberMap",
    "ScalarNumber",
    "StructureKind",
    "SwitchKind",
    "TextKind",
    "unknown_choice",
]


@dataclass(frozen=True)
class ScalarNumber(Kind):
    """A single number in a range; `open_low`/`open_high` exclude the end itself."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False
    whole: bool = False
    limit: bool = False

    def schema(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": "integer" if self.whole else "number"}
        if math.isfinite(self.low):
            out["exclusiveMinimum" if self.open_low else "minimum"] = self.low
        if math.isfinite(self.high):
            out["exclusiveMaximum" if self.open_high else "maximum"] = self.high
        return out

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0:
            value = value.item()
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise where.refuse(
                f"must be a single number, not {kind_of(value)}.", hint=f"Send {self._wanted()}."
            )
        if (isinstance(value, int) and abs(value) > 2**1000) or not math.isfinite(value):
            raise where.refuse("must be finite.", code="not_finite")
        too_low = value < self.low or (self.open_low and value == self.low)
        too_high = value > self.high or (self.open_high and value == self.high)
        if too_high and self.limit:
            raise where.refuse(
                f"{value:g} is above the limit of {self.high:g}.",
                hint=f"Use at most {self.high:g}.",
                code="limit_exceeded",
            )
        if too_low or too_high:
            raise where.refuse(
                f"{value:g} is out of range; it must be {self._wanted()}.", code="out_of_range"
            )
        if self.whole:
            if value != math.floor(value):
                raise where.refuse(f"must be a whole number, not {value:g}.", code="out_of_range")
            return int(value)
        return float(value)

    def _wanted(self) -> str:
        noun = "a whole number" if self.whole else "a number"
        low = f"{'above' if self.open_low else 'at least'} {self.low:g}" if math.isfinite(self.low) else ""
        high = f"{'below' if self.open_high else 'at most'} {self.high:g}" if math.isfinite(self.high) else ""
        return " ".join(part for part in (noun, low, "and" if low and high else "", high) if part)


@dataclass(frozen=True)
class Choice(Kind):
    """One of several named options. `aliases` maps other accepted names to a listed one."""

    options: tuple[str, ...]
    aliases: tuple[tuple[str, str], ...] = ()

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.options)}

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, str):
            wanted = value.strip().casefold().replace(" ", "_")
            known = {o.casefold(): o for o in self.options} | {a.casefold(): o for a, o in self.aliases}
            if wanted in known:
                return known[wanted]
            wanted = wanted.replace("-", "_")
            known = {k.replace("-", "_"): o for k, o in known.items()}
            if wanted in known:
                return known[wanted]
        raise unknown_choice(where, value, self.options)


def unknown_choice(where: Where, value: Any, options: Iterable[str]) -> InputError:
    """The refusal of an unknown option: names the argument's value and lists the valid ones."""
    options = list(options)
    named = value if isinstance(value, str) else shown(value)
    hint = did_you_mean(named, options)
    return InputError(
        f"Unknown {where.argument} '{named}' for {where.tool}. Valid: {', '.join(options)}.",
        hint=hint or f"Use one of: {', '.join(options)}.",
        where=where.argument,
        code="unknown_option",
    )


@dataclass(frozen=True)
class SwitchKind(Kind):
    """True or false."""

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, bool | np.bool_):
            return bool(value)
        raise where.refuse(f"must be true or false, not {kind_of(value)}.")


@dataclass(frozen=True)
class TextKind(Kind):
    """Plain text."""

    shape: ClassVar[str] = "text"
    max_length: int = 1_000_000

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def check(self, value: Any, where: Where) -> Any:
        if not isinstance(value, str):
            raise where.refuse(f"must be text, not {kind_of(value)}.")
        if len(value) > self.max_length:
            raise where.refuse(f"is longer than {self.max_length} characters.", code="limit_exceeded")
        return value


@dataclass(frozen=True)
class NameList(Kind):
    """A list of names, one per group or column. `of` says which arguments' column references supply them.

    With `one_each`, every one of several such arguments is named, by one name.
    """

    shape: ClassVar[str] = "names"
    of: tuple[str, ...] = ()
    one_each: bool = True

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string"}}

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, Sequence):
            raise where.refuse(f"must be a list of names, not {kind_of(value)}.")
        names = tuple(str(v) for v in value)
        if len(set(names)) != len(names):
            raise where.refuse("must hold different names.")
        if self.one_each and len(self.of) > 1 and len(names) != len(self.of):
            raise where.refuse(f"must hold {len(self.of)} names, not {len(names)}.")
        return names


@dataclass(frozen=True)
class NumberMap(Kind):
    """Named numbers, such as the masses of focal elements or the scores of words."""

    shape: ClassVar[str] = "mapping"
    low: float = -math.inf
    high: float = math.inf

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": {"type": "number"}}

    def check(self, value: Any, where: Where) -> Any:
        if not isinstance(value, Mapping) or not value:
            raise where.refuse(f"must be an object of named numbers, not {kind_of(value)}.")
        number = ScalarNumber(self.low, self.high)
        return {str(k): number.check(v, Where(where.tool, f"{where.argument}.{k}")) for k, v in value.items()}


@dataclass(frozen=True)
class StructureKind(Kind):
    """A nested list or object whose form the statistic itself checks; `form` describes it for the schema."""

    shape: ClassVar[str] = "structure"
    form: str = "array"

    def schema(self) -> dict[str, Any]:
        return {"type": self.form}

    def check(self, value: Any, where: Where) -> Any:
        wanted = Mapping if self.form == "object" else Sequence
        if hasattr(value, "tolist"):
            value = value.tolist()
        if isinstance(value, str) or not isinstance(value, wanted):
            raise where.refuse(
                f"must be {'an object' if self.form == 'object' else 'a list'}, not {kind_of(value)}."
            )
        return value


@dataclass(frozen=True)
class Cell(Kind):
    """A single label: text or a number, such as one category."""

    def schema(self) -> dict[str, Any]:
        return {"type": ["string", "number"]}

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise where.refuse(f"must be text or a number, not {kind_of(value)}.")
        return value
