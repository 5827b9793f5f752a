"""Addresses of numbers: written, read and followed back to the ledger; and the proof that a picture holds no other."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

from statistikles.output.pictures.derived import derive
from statistikles.output.pictures.spec import Mark, Numbers, Picture, Said, Shown
from statistikles.output.summary import address_of, is_plain_name
from statistikles.pipeline.stewardship.unit_columns import table_units

if TYPE_CHECKING:
    from statistikles.tools.workspace import Workspace

__all__ = ["EVERY", "VALUES", "follow", "resolve", "unsupported", "walk", "written"]


class _Every(str):
    """The part of a path that means every item; told from a level called "*" by being this one object."""

    __slots__ = ()


EVERY = _Every("*")
_NOWHERE = (KeyError, IndexError, TypeError)  # an address leads nowhere
VALUES = "given"  # r1.given.x: what the call r1 was computed from
_PART = re.compile(r'\.?([^\W\d]\w*|\*)|\[("(?:[^"\\]|\\.)*")\]|\[(\d+|\*)\]')
_NUMBER = re.compile(r"(?<![^\W\d_])\d+(?:[.,]\d+)*(?:e[-−+]?\d+)?", re.IGNORECASE)

_WORD = re.compile(r"\S*\d\S*")


def written(ident: str, path: Sequence[str | int]) -> str:
    """The address of a path below an entry; EVERY stands for all items."""
    text = ident
    for part in path:
        if part is EVERY:
            text = f"{text}.*"
        elif isinstance(part, str) and not is_plain_name(
            part
        ):  # quotes in it are escaped, so that it can be read
            text = f"{text}[{json.dumps(part, ensure_ascii=False)}]"
        else:
            text = address_of(text, part)
    return text


def _read(address: str) -> list[str | int]:
    parts: list[str | int] = []
    place = 0
    while place < len(address):
        found = _PART.match(address, place)
        if found is None:
            raise KeyError(address)
        word, quoted, index = found.groups()
        if "*" in (word, index):
            parts.append(EVERY)
        else:
            parts.append(
                word if word is not None else json.loads(quoted) if quoted is not None else int(index)
            )
        place = found.end()
    return parts


def follow(value: Any, path: Sequence[str | int]) -> Any:
    """The value at a path; a list of values when the path says EVERY, None for an item that has none."""
    for depth, part in enumerate(path):
        if part is EVERY:
            inner = list(value.values()) if isinstance(value, Mapping) else list(value)
            rest = path[depth + 1 :]
            return [_or_none(item, rest) for item in inner] if rest else inner
        value = value[part]
    return value


def _or_none(item: Any, path: Sequence[str | int]) -> Any:
    try:
        return follow(item, path)
    except (KeyError, IndexError, TypeError):
        return None


def resolve(address: str, workspace: Workspace) -> Any:
    """What stands at an address of the workspace's ledger, or of the data one of its calls was computed from.

    Raises
    ------
    KeyError : there is nothing there.
    """
    ident, *path = _read(address)
    entry = workspace.ledger[str(ident)]
    if path[:1] == [VALUES]:
        found = follow(workspace.values(entry.tool, entry.arguments), path[1:])
    else:
        found = follow(entry.result, path)
    return found.tolist() if hasattr(found, "tolist") else found


def walk(part: Any) -> Iterator[Numbers | Said]:
    """Every run of numbers and every text of a picture, or of a part of one."""
    if isinstance(part, Numbers | Said):
        yield part
    elif is_dataclass(part) and not isinstance(part, type):
        for field in fields(part):
            yield from walk(getattr(part, field.name))
    elif isinstance(part, tuple | list):
        for inner in part:
            yield from walk(inner)


Look = Callable[[str], Any]  # from an address to what stands there


def unsupported(picture: Picture | Mark | Numbers | Said, workspace: Workspace) -> list[str]:
    """What of a picture the ledger does not bear out, a sentence each; empty when every number is accounted for.

    Parameters
    ----------
    picture : a picture or a part of one.
    workspace : the workspace whose ledger the addresses lead into.
    """
    seen: dict[str, Any] = {}

    def look(address: str) -> Any:
        if address not in seen:
            seen[address] = resolve(address, workspace)
        return seen[address]

    known = _words(workspace)
    faults: list[str] = []
    for part in walk(picture):
        faults += _in_numbers(part, look) if isinstance(part, Numbers) else _in_text(part, look, known)
    return faults


def _in_numbers(part: Numbers, look: Look) -> list[str]:
    if part.source:
        try:
            same = _same(_taken(look(part.source), part), part.values)
        except _NOWHERE:
            same = False
        return [] if same else [f"{part.source} is not what is drawn"]
    if part.derived is None:
        return [f"{len(part)} positions are drawn without an address"] if len(part) else []
    faults = [fault for inner in part.derived.parts for fault in _in_numbers(inner, look)]
    if not _same(derive(part.derived), part.values):
        faults.append(f"what is drawn is not {part.derived.rule}")
    return faults


def _taken(found: Any, part: Numbers) -> list[Any]:
    items = found if isinstance(found, list) else [found]
    return items if part.taken is None else [items[i] for i in part.taken]


def _same(found: Sequence[Any], drawn: Sequence[Any]) -> bool:
    return len(found) == len(drawn) and all(a == b for a, b in zip(found, drawn, strict=True))


def _in_text(said: Said, look: Look, known: Callable[[str], bool]) -> list[str]:
    faults = [
        f"'{shown.token}' in '{said.text}' is not {shown.source or 'what is drawn'}"
        for shown in said.numbers
        if shown.token not in said.text or not _is_so(shown, look) or not is_written(shown)
    ]
    quoted = [name for name in said.names if any(c.isdigit() for c in name)]
    faults += [f"'{name}' in '{said.text}' stands nowhere" for name in quoted if not known(name)]
    rest = said.text
    for part in sorted((*quoted, *(s.token for s in said.numbers)), key=len, reverse=True):
        rest = _without(rest, part)
    return faults + [f"'{token}' in '{said.text}' has no source" for token in _NUMBER.findall(rest)]


def _is_so(shown: Shown, look: Look) -> bool:
    if shown.derived is None:
        try:
            return bool(look(shown.source) == shown.value)
        except _NOWHERE:
            return False
    return shown.derived.values == (shown.value,) and not _in_numbers(shown.derived, look)


def _without(text: str, part: str) -> str:
    """The text without one occurrence of a part, which must not be a piece of a longer number."""
    before = r"(?<!\d)(?<!\d[.,])" if part[:1].isdigit() else ""
    after = r"(?!\d|[.,]\d)" if part[-1:].isdigit() else ""
    return re.sub(before + re.escape(part) + after, " ", text, count=1)


def _words(workspace: Workspace) -> Callable[[str], bool]:
    """Whether every word with a digit stands somewhere in the ledger or names a column."""
    found: list[str] = []

    def collect(value: Any) -> None:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, Mapping):
            for key, inner in value.items():
                found.append(str(key))
                collect(inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                collect(inner)

    def known(name: str) -> bool:
        if not found:
            for entry in workspace.ledger:
                collect(entry.arguments)
                collect(entry.result)
            for table in (workspace.catalog or {}).values():
                found.extend((*table.column_names, *(str(unit) for unit in table_units(table).values())))
            found[:] = ["\n".join(found).replace('"', "").casefold()]
        words = (word.strip(",.;:()'") for word in _WORD.findall(name.replace('"', "").casefold()))
        return all(word in found[0] for word in words)

    return known


def is_written(shown: Shown) -> bool:
    """Whether the token is the value at the precision it states."""
    text = shown.token.replace("−", "-").replace(",", "").strip()
    value = shown.value
    if text.startswith(("<", ">")):
        bound = float(text[1:])
        return value < bound if text[0] == "<" else value > bound
    if text.endswith("%"):
        text, value = text[:-1], 100 * value
    decimals = len(text.partition("e")[0].partition(".")[2])
    if "e" in text:
        return math.isclose(float(text), value, rel_tol=0.5 * 10.0**-decimals)
    return abs(float(text) - value) <= 0.5 * 10.0**-decimals * (1 + 1e-9)
