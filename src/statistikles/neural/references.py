"""Citations: `{{r3.p_value}}` in a text is replaced by the value at that address, and the link is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statistikles.results.roles import Role, role_of_key
from statistikles.results.text import decimal_text, format_number, format_p, format_role

__all__ = ["Filled", "cite", "fill", "look_up"]

_FORMAT = re.compile(r",?\.\d{1,2}[fe%]|,|p")
_CITATION = re.compile(rf"\{{\{{\s*(r\d+)\.([^{{}}]*?)\s*(?::({_FORMAT.pattern}))?\s*\}}\}}")
_RELATION = re.compile(r"(=|<|>|is|of)\s*$")


@dataclass(frozen=True)
class Filled:
    """A text with its citations filled in; `links` are (start, end, address); `unknown` those that led nowhere."""

    text: str
    links: tuple[tuple[int, int, str], ...]
    unknown: tuple[str, ...]


def cite(entry_id: str, *path: str, form: str = "") -> str:
    """A citation of an address."""
    return "{{" + entry_id + "." + ".".join(path) + (f":{form}" if form else "") + "}}"


def look_up(result: Any, address: str) -> Any:
    """The value at a dotted address; a key may itself hold dots. None when there is none."""
    if not address:
        return result
    if isinstance(result, Mapping):
        if address in result:
            return result[address]
        for key in sorted((k for k in result if address.startswith(f"{k}.")), key=len, reverse=True):
            found = look_up(result[key], address[len(key) + 1 :])
            if found is not None:
                return found
    if isinstance(result, Sequence) and not isinstance(result, str):
        head, _, rest = address.partition(".")
        if head.isdigit() and int(head) < len(result):
            return look_up(result[int(head)], rest)
    return None


def fill(text: str, records: Sequence[Mapping[str, Any]]) -> Filled:
    """Replace every citation by its number; one that leads nowhere stays visible as it was written."""
    results = {r["id"]: r["result"] for r in records}
    out: list[str] = []
    links: list[tuple[int, int, str]] = []
    unknown: list[str] = []
    length = place = 0
    for match in _CITATION.finditer(text):
        before = text[place : match.start()]
        out.append(before)
        length += len(before)
        place = match.end()
        value = look_up(results.get(match[1]), match[2])
        if isinstance(value, bool) or not isinstance(value, int | float):
            unknown.append(match.group())
            shown = match.group()
        else:
            key = match[2].rsplit(".", 1)[-1]
            shown = _shown(float(value), key, match[3] or "", bool(_RELATION.search(before)))
            links.append((length, length + len(shown), f"{match[1]}.{match[2]}"))
        out.append(shown)
        length += len(shown)
    out.append(text[place:])
    return Filled("".join(out), tuple(links), tuple(unknown))


def _shown(value: float, key: str, form: str, related: bool) -> str:
    role = role_of_key(key)
    if form and _FORMAT.fullmatch(form):
        return _formatted(value, form)
    if role is Role.P_VALUE:
        return format_role(value, role) if related else format_p(value)
    if role in (Role.COUNT, Role.DF):
        return format_role(value, role)
    if abs(value) >= 1e5 and value < 1e15:
        return _formatted(value, ",") if float(value).is_integer() else _formatted(value, ",.2f")
    return format_number(value)


def _formatted(value: float, form: str) -> str:
    if form == ",":
        return f"{value:,.0f}".replace("-", "−")
    if form.startswith(","):
        return f"{value:{form}}".replace("-", "−")
    if form == "p":
        return format_p(value)
    if form.endswith("f"):
        return decimal_text(value, int(form[1:-1]))
    return f"{value:{form}}".replace("-", "−")
