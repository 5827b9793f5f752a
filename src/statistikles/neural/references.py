"""Citations: `{{r3.p_value}}` in a text is replaced by the value at that address, and the link is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statistikles.results.roles import Role, role_of_key
from statistikles.results.text import decimal_text, format_number, format_p, format_role

__all__ = ["Filled", "Settled", "citable", "cite", "fill", "look_up", "settled"]

_FORMAT = re.compile(r",?\.\d{1,2}[fe%]|,|p")
_CITATION = re.compile(rf"\{{\{{\s*(r\d+)\.([^{{}}]*?)\s*(?::({_FORMAT.pattern}))?\s*\}}\}}")
# Anything that was meant as a citation: closed, or cut off where the text ends.
_MEANT = re.compile(r"\{\{[^{}]*\}\}|\{\{[^{}]*\}?\Z")
_LONG = 12
_RELATION = re.compile(r"(=|<|>|is|of)\s*$")


@dataclass(frozen=True)
class Filled:
    """A text with its citations filled in; `links` are (start, end, address); `unknown` those that led nowhere."""

    text: str
    links: tuple[tuple[int, int, str], ...]
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class Settled:
    """A filled text as a reader gets it: what led nowhere is said to, at `gaps` (start, end)."""

    text: str
    links: tuple[tuple[int, int, str], ...]
    gaps: tuple[tuple[int, int], ...]


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
    for meant in _MEANT.finditer(text):
        before = text[place : meant.start()]
        out.append(before)
        length += len(before)
        place = meant.end()
        match = _CITATION.fullmatch(meant.group())
        value = look_up(results.get(match[1]), match[2]) if match else None
        if match is None:
            unknown.append(meant.group())
            shown = meant.group()
        elif isinstance(value, bool) or not isinstance(value, int | float):
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


def settled(filled: Filled) -> Settled:
    """The text with each reference that leads nowhere replaced by words that say so."""
    out: list[str] = []
    links: list[tuple[int, int, str]] = []
    gaps: list[tuple[int, int]] = []
    length = place = 0
    linked = {start: (end, address) for start, end, address in filled.links}
    for meant in _MEANT.finditer(filled.text):
        if any(start < meant.end() and meant.start() < end for start, (end, _) in linked.items()):
            continue
        before = filled.text[place : meant.start()]
        out.append(before)
        _shift(linked, place, meant.start(), length, links)
        length += len(before)
        name = meant.group().strip("{} \n")
        shown = f"[no result: {name}]" if meant.group().endswith("}}") and name else "[reference cut off]"
        gaps.append((length, length + len(shown)))
        out.append(shown)
        length += len(shown)
        place = meant.end()
    out.append(filled.text[place:])
    _shift(linked, place, len(filled.text), length, links)
    return Settled("".join(out), tuple(links), tuple(gaps))


def _shift(
    linked: Mapping[int, tuple[int, str]],
    start: int,
    end: int,
    length: int,
    links: list[tuple[int, int, str]],
) -> None:
    """The links of a stretch of the old text, moved to where it begins in the new one."""
    move = length - start
    links += [(s + move, e + move, address) for s, (e, address) in linked.items() if start <= s < end]


def citable(records: Sequence[Mapping[str, Any]], at_most: int = 300) -> list[str]:
    """The addresses of the numbers of the records, the newest record first; long lists are left out."""
    found: list[str] = []
    for record in reversed(records):
        if isinstance(record.get("result"), Mapping) and "error" not in record["result"]:
            _collect(record["result"], str(record["id"]), found, at_most)
    return found


def _collect(value: Any, address: str, found: list[str], at_most: int) -> None:
    if len(found) >= at_most:
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not any(c in str(key) for c in "{}\n"):
                _collect(inner, f"{address}.{key}", found, at_most)
    elif isinstance(value, list):
        if len(value) <= _LONG:
            for place, inner in enumerate(value):
                _collect(inner, f"{address}.{place}", found, at_most)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        found.append(address)


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
