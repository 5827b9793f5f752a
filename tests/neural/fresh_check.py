"""Whether a reply used the method and the columns that were expected."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["columns_used", "verdict"]


def verdict(reply: Any, question: tuple[str, str, str, str, str]) -> str:
    """What is wrong with a reply, empty when nothing is."""
    _, _, methods, columns, holds = question
    if not reply.results:
        return "nothing computed"
    call = reply.results[0]
    if "error" in call["result"]:
        return f"failed: {call['result']['error']}"
    kind = str(call["arguments"].get("type") or call["arguments"].get("method") or "")
    if not any(
        call["tool"] == m.split("/")[0] and m.split("/")[-1] in (call["tool"], kind)
        for m in methods.split("|")
    ):
        return f"method {call['tool']}/{kind}"
    used = columns_used(call["arguments"])
    wanted = set(re.findall(r"mean \w+|\S+", columns))
    if columns and (missing := wanted - used):
        return f"columns {sorted(used)}, without {sorted(missing)}"
    if columns and (more := used - wanted - filtered(call["arguments"])):
        return f"columns {sorted(used)}, also {sorted(more)}"
    if holds and holds not in json.dumps(call["arguments"]):
        return f"without {holds}: {json.dumps(call['arguments'])}"
    return ""


def _references(value: Any) -> Iterator[Mapping[str, Any] | str]:
    if isinstance(value, Mapping):
        if "column" in value or "columns" in value:
            yield value
            return
        for part in value.values():
            yield from _references(part)
    elif isinstance(value, list):
        for part in value:
            yield from _references(part)
    elif isinstance(value, str):
        yield value


_NOT_COLUMNS = ("type", "method", "distribution", "alternative", "design", "var_names", "group_names")


def columns_used(arguments: Mapping[str, Any]) -> set[str]:
    """The columns of the table that a call uses, formulas looked into, filters left aside."""
    out: set[str] = set()
    for name, value in arguments.items():
        if name in _NOT_COLUMNS:
            continue
        for reference in _references(value):
            if isinstance(reference, str):
                out.add(reference)
                continue
            define = reference.get("define") or {}
            named = [reference.get("column"), reference.get("by"), *(reference.get("columns") or [])]
            for column in named:
                if column is None:
                    continue
                out |= set(_inside(column, define))
    return out


def _inside(column: str, define: Mapping[str, str], depth: int = 0) -> Iterator[str]:
    if column not in define or depth > 4:
        yield column
        return
    for inner in re.findall(r'"([^"]+)"', define[column]):
        yield from _inside(inner, {} if inner == column else define, depth + 1)


def filtered(arguments: Mapping[str, Any]) -> set[str]:
    """The columns that the filters of a call name."""
    return set(
        re.findall(
            r'\\"([^"\\]+)\\"',
            json.dumps([r for v in arguments.values() for r in _references(v) if not isinstance(r, str)]),
        )
    )
