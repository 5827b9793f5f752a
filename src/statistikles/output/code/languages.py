"""How R and Python write values: literals that no text can break out of, assignments and comments."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["PYTHON", "Language", "R", "python_string", "r_string"]

_LINE = 100


def r_string(text: str) -> str:
    """An R string literal, plain ASCII; a NUL, which R cannot hold, is left out."""
    out = []
    for sign in text:
        code = ord(sign)
        if sign in '"\\':
            out.append("\\" + sign)
        elif sign == "\n":
            out.append("\\n")
        elif 32 <= code < 127:
            out.append(sign)
        elif code and not 0xD800 <= code <= 0xDFFF:
            out.append(f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}")
    return '"' + "".join(out) + '"'


def python_string(text: str) -> str:
    """A Python string literal, plain ASCII."""
    quoted = ascii(text)
    if quoted[0] == "'" and '"' not in quoted and "\\'" not in quoted:
        return f'"{quoted[1:-1]}"'
    return quoted


def _wrapped(opening: str, parts: Sequence[str], closing: str) -> str:
    """`c(1, 2, 3)`, over several lines when it is long."""
    whole = f"{opening}{', '.join(parts)}{closing}"
    if len(whole) <= _LINE:
        return whole
    lines, line = [], "  "
    for part in parts:
        if len(line) + len(part) > _LINE and line.strip():
            lines.append(line.rstrip())
            line = "  "
        line += part + ", "
    lines.append(line.rstrip().rstrip(","))
    return "\n".join([opening, *lines, closing])


@dataclass(frozen=True, slots=True)
class Language:
    """One of the two languages."""

    name: str
    suffix: str
    assign: str
    none: str
    true: str
    false: str
    missing: str
    vector: tuple[str, str]
    named: tuple[str, str, str]

    def string(self, text: str) -> str:
        """A text literal."""
        return r_string(text) if self.name == "R" else python_string(text)

    def comment(self, text: str) -> str:
        """A comment of one line, whatever the text holds."""
        return "# " + re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in text)).strip()

    def number(self, value: float | None) -> str:
        """A number with every digit."""
        if value is None:
            return self.missing
        return repr(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))

    def scalar(self, value: Any) -> str:
        """Any single value."""
        if value is None:
            return self.none
        if isinstance(value, bool):
            return self.true if value else self.false
        if isinstance(value, str):
            return self.string(value)
        return self.number(value)

    def numbers(self, values: Sequence[float | None]) -> str:
        """A vector of numbers."""
        return _wrapped(self.vector[0], [self.number(v) for v in values], self.vector[1])

    def strings(self, values: Sequence[str | None]) -> str:
        """A vector of texts."""
        parts = ["NA_character_" if v is None else r_string(v) for v in values]
        if self.name == "R":
            return _wrapped("c(", parts, ")")
        inside = ["None" if v is None else python_string(v) for v in values]
        return _wrapped("np.array([", inside, "], dtype=object)")

    def names(self, values: Sequence[str]) -> str:
        """A list of names."""
        if self.name == "R":
            return _wrapped("c(", [r_string(v) for v in values], ")")
        return _wrapped("[", [python_string(v) for v in values], "]")

    def mapping(self, parts: Mapping[str, str]) -> str:
        """Named expressions, in order."""
        opening, between, closing = self.named
        if self.name == "R" and not all(
            k.isascii() for k in parts
        ):  # as names R would take them in its own encoding
            return f"setNames({_wrapped('list(', list(parts.values()), ')')}, {self.names(list(parts))})"
        return _wrapped(opening, [f"{self.string(k)}{between}{v}" for k, v in parts.items()], closing)

    def columns(self, parts: Sequence[str]) -> str:
        """Vectors side by side, as a matrix."""
        opening, closing = ("cbind(", ")") if self.name == "R" else ("np.column_stack([", "])")
        return _wrapped(opening, parts, closing)

    def matrix(self, rows: Sequence[Sequence[float]]) -> str:
        """A matrix row by row."""
        parts = [self.numbers(row) for row in rows]
        if self.name == "R":
            return _wrapped("rbind(", parts, ")")
        inside = ["[" + ", ".join(self.number(v) for v in row) + "]" for row in rows]
        return _wrapped("np.array([", inside, "], dtype=float)")

    def set(self, name: str, expression: str) -> str:
        """An assignment."""
        return f"{name} {self.assign} {expression}"

    def either(self, parts: Sequence[str], word: str) -> str:
        """Conditions joined by 'and' or 'or'."""
        return (" & " if word == "and" else " | ").join(f"({part})" for part in parts)


R = Language("R", ".R", "<-", "NULL", "TRUE", "FALSE", "NA", ("c(", ")"), ("list(", " = ", ")"))
PYTHON = Language(
    "Python",
    ".py",
    "=",
    "None",
    "True",
    "False",
    "np.nan",
    ("np.array([", "], dtype=float)"),
    ("{", ": ", "}"),
)
