"""Which rows and groups a model's call selects: the numbers of its filters, and the names it gives to them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["filter_numbers", "misnamed", "references"]

_QUOTED = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`[^`]*`")
_PART = re.compile(
    r"(?P<op><=|>=|<>|!=|==|=|<|>|(?<!\w)(?:not[ ]+in|in|between|and|or)(?!\w))"
    r"|(?P<number>(?<![\w.])[-−]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))",
    re.IGNORECASE,
)
_EQUALITY = frozenset({"=", "==", "in"})
_LEVEL = re.compile(r"^[^=<>!]+(?<![<>!])==?\s*(?:'([^']*)'|\"([^\"]*)\"|(-?\d[\d.]*))\s*$")
_NAME_LISTS = ("group_names", "names")


def references(value: Any, where: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(place, reference) of every column reference below an argument, in order."""
    if isinstance(value, Mapping):
        if "column" in value or "columns" in value:
            yield where, value
            return
        for key, item in value.items():
            yield from references(item, f"{where}.{key}" if where else str(key))
    elif isinstance(value, list | tuple):
        for i, item in enumerate(value):
            yield from references(item, f"{where}[{i}]")


def filter_numbers(expression: str) -> Iterator[tuple[float, bool]]:
    """(number, whether rows equal to it are kept) of a filter; quoted names and levels hold no numbers."""
    sign, between = "", False
    for m in _PART.finditer(_QUOTED.sub(" ", expression)):
        if m["number"] is not None:
            yield float(m["number"].replace("−", "-")), sign in _EQUALITY
            continue
        op = " ".join(m["op"].casefold().split())
        if op == "and" and between:
            between = False
            continue
        between = op == "between"
        sign = "" if op in {"and", "or"} else op


def _level(reference: Mapping[str, Any]) -> str:
    """What a reference selects: the level its filter asks for, else its column."""
    found = _LEVEL.match(str(reference.get("where") or ""))
    if found is not None:
        return next(part for part in found.groups() if part is not None).casefold()
    return "" if reference.get("where") else str(reference.get("column", "")).casefold()


def misnamed(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(place, name given, what is really selected) where one group is called by another one's name."""
    for key, value in arguments.items():
        if isinstance(value, Mapping) and "column" not in value:
            parts = [(str(n), r) for n, r in value.items() if isinstance(r, Mapping) and "column" in r]
            yield from _crossed([n for n, _ in parts], [_level(r) for _, r in parts], str(key))
    names = next((arguments[k] for k in _NAME_LISTS if isinstance(arguments.get(k), list)), None)
    if names is None:
        return
    found = [r for _, r in references({k: arguments[k] for k in sorted(arguments, key=str)})]
    if len(found) == len(names):
        yield from _crossed([str(n) for n in names], [_level(r) for r in found], "group_names")


def _crossed(names: list[str], levels: list[str], where: str) -> Iterator[tuple[str, str, str]]:
    for name, level in zip(names, levels, strict=True):
        if level and name.casefold() != level and name.casefold() in levels:
            yield where, name, level
