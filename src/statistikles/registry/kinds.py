"""The base of argument kinds, and the words of their refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from statistikles.errors import InputError

__all__ = ["Kind", "Where", "is_reference", "kind_of", "shown", "too_few"]


@dataclass(frozen=True, slots=True)
class Where:
    """Which argument of which tool is being checked, for messages."""

    tool: str
    argument: str

    def refuse(self, problem: str, *, hint: str = "", code: str = "invalid_argument") -> InputError:
        """The error to raise for this argument."""
        return InputError(
            f"Argument '{self.argument}' of {self.tool}: {problem}", hint=hint, where=self.argument, code=code
        )


class Kind:
    """Base of argument kinds. `shape` tells the data layer how a column reference is to be resolved."""

    shape: ClassVar[str] = "scalar"

    def schema(self) -> dict[str, Any]:
        """JSON schema of the argument."""
        raise NotImplementedError

    def check(self, value: Any, where: Where) -> Any:
        """The value as the function wants it, or an InputError."""
        raise NotImplementedError


def is_reference(value: Any) -> bool:
    """Whether a value is a column reference rather than numbers."""
    return isinstance(value, str) or (isinstance(value, Mapping) and "column" in value)


def kind_of(value: Any) -> str:
    names = {
        dict: "an object",
        str: "text",
        bool: "true/false",
        int: "a single number",
        float: "a single number",
    }
    return "null" if value is None else names.get(type(value), type(value).__name__)


def shown(item: Any) -> str:
    text = repr(item)
    return text if len(text) <= 40 else text[:37] + "..."


def too_few(n: int, least: int, where: Where, what: str = "") -> InputError:
    subject = what or "it"
    return where.refuse(
        f"{subject} has {n} usable value{'s' if n != 1 else ''}; at least {least} "
        f"{'are' if least != 1 else 'is'} needed.",
        hint="Give more data, or check the filter and the missing values.",
        code="too_few_values",
    )
