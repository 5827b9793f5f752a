"""Column references in the arguments of a call become values here, according to the shape an argument wants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError
from statistikles.pipeline.references import Catalog, Reference
from statistikles.tools.resolve_sums import summed_arguments

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table
    from statistikles.registry.declare import Statistic

__all__ = ["resolve_arguments"]

_EQUALS = re.compile(r"""^[^=<>!]+(?<![<>!])==?\s*(?:'([^']*)'|(-?\d[\d.]*))\s*$""")


def resolve_arguments(
    stat: Statistic, given: Mapping[str, Any], catalog: Catalog, *, values: bool = False
) -> dict[str, Any]:
    """The arguments with references replaced by values (or sums, unless `values`), and names taken from them.

    Raises
    ------
    DataError : an unknown table or column, or a filter that cannot be used.
    InputError : a reference of the wrong form for its argument, or a text column where numbers are needed.
    """
    with ExitStack() as stack:
        texts = list(_texts(given))
        for table in catalog.values():
            stack.enter_context(table.needing(texts))
        return _resolved(stat, given, catalog, values=values)


def _texts(value: Any) -> Iterator[str]:
    """Every text in the arguments of a call, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Reference):
        yield from _texts(value.to_dict())
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _resolved(stat: Statistic, given: Mapping[str, Any], catalog: Catalog, *, values: bool) -> dict[str, Any]:
    out: dict[str, Any] = {}
    references: dict[str, list[Reference]] = {}
    sums = {} if values else summed_arguments(stat, given, catalog)
    for name, value in given.items():
        shape = stat.parameters[name].kind.shape
        references[name] = _references_in(value, shape, name)
        if name in sums:
            out[name] = sums[name]
            continue
        if getattr(stat.parameters[name].kind, "numeric", False) and _names_numbers(value, catalog):
            shape = "vector"
        out[name] = _RESOLVERS[shape](value, name, catalog) if shape in _RESOLVERS else value
        if shape == "table" and isinstance(out[name], _Crossed):
            for extra in ("row_names", "column_names"):
                if extra in stat.parameters and given.get(extra) is None:
                    out[extra] = getattr(out[name], extra)
            out[name] = out[name].counts
    for name, parameter in stat.parameters.items():
        sources = getattr(parameter.kind, "of", ())
        if (
            sources
            and given.get(name) is None
            and (names := _names([references[s] for s in sources if given.get(s) is not None]))
        ):
            out[name] = names
    return out


# Names -----------------------------------------------------------------------------------------------------


def _references_in(value: Any, shape: str, argument: str) -> list[Reference]:
    """The references an argument holds, in order; empty when any part of it is inline."""
    if shape in ("vector", "labels") and _is_reference(value, shape):
        return [Reference.parse(value, argument=argument)]
    if shape == "columns":
        items = list(value) if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        if items and all(_is_reference(item, shape) for item in items):
            return [Reference.parse(item, argument=argument) for item in items]
    if shape == "rows" and isinstance(value, Mapping) and isinstance(value.get("columns"), list):
        return [Reference(str(column)) for column in value["columns"]]
    return []


def _names(found: list[list[Reference]]) -> list[str]:
    """Different names for the references of several arguments: columns, else the value filtered on, else both."""
    if not all(found):
        return []
    flat = [reference for part in found for reference in part]
    candidates: tuple[Callable[[Reference], str], ...] = (
        lambda r: r.column,
        _filtered_value,
        lambda r: f"{r.column} ({r.where})" if r.where else r.column,
    )
    for candidate in candidates:
        names = [candidate(reference) for reference in flat]
        if all(names) and len(set(names)) == len(names):
            return names
    return []


def _filtered_value(reference: Reference) -> str:
    """'Adelie' of `species = 'Adelie'`; empty for any other filter."""
    match = _EQUALS.match(reference.where or "")
    return (match.group(1) or match.group(2) or "") if match else ""


# Values ----------------------------------------------------------------------------------------------------


class _Crossed:
    """A table of counts of two crossed columns, with its labels."""

    def __init__(self, counts: list[list[int]], row_names: list[str], column_names: list[str]) -> None:
        self.counts, self.row_names, self.column_names = counts, row_names, column_names


def _is_reference(value: Any, shape: str) -> bool:
    if isinstance(value, str):
        return shape != "text_or_labels"
    return isinstance(value, Mapping) and "column" in value


def _vector(value: Any, argument: str, catalog: Catalog) -> Any:
    return catalog.vector(value, argument=argument) if Reference.looks_like(value) else value


def _labels(value: Any, argument: str, catalog: Catalog) -> Any:
    return catalog.labels(value, argument=argument) if Reference.looks_like(value) else value


def _names_numbers(value: Any, catalog: Catalog) -> bool:
    """Whether a value refers to a numeric column."""
    if not Reference.looks_like(value):
        return False
    reference = Reference.parse(value)
    return catalog.table_of(reference).dtype(reference.column) in ("integer", "float")


def _text_or_labels(value: Any, argument: str, catalog: Catalog) -> Any:
    return value if isinstance(value, str) else _labels(value, argument, catalog)


def _groups(value: Any, argument: str, catalog: Catalog) -> Any:
    if isinstance(value, str) or (isinstance(value, Mapping) and "column" in value):
        return catalog.groups(value, argument=argument)
    if isinstance(value, Mapping):
        return {str(name): _vector(part, argument, catalog) for name, part in value.items()}
    if isinstance(value, Sequence) and value and all(Reference.looks_like(part) for part in value):
        return catalog.columns(value, argument=argument)
    return value


def _columns(value: Any, argument: str, catalog: Catalog) -> Any:
    if Reference.looks_like(value):
        return [catalog.vector(value, argument=argument)]
    if isinstance(value, Sequence) and any(Reference.looks_like(part) for part in value):
        if all(Reference.looks_like(part) for part in value):
            return list(catalog.columns(value, argument=argument).values())
        return [_vector(part, argument, catalog) for part in value]
    return value


def _rows(value: Any, argument: str, catalog: Catalog) -> Any:
    import numpy as np

    if isinstance(value, Mapping) and "columns" in value:
        if not isinstance(value["columns"], list) or not value["columns"]:
            raise InputError(f"'{argument}': \"columns\" must be a list of column names.", where=argument)
        shared = _shared(value)
        parts = [{"column": column, **shared} for column in value["columns"]]
    elif isinstance(value, Sequence) and value and all(isinstance(part, str) for part in value):
        parts = [{"column": column} for column in value]
    else:
        return value
    columns = catalog.columns(parts, argument=argument)
    return list(np.ma.column_stack(list(columns.values())))


def _shared(value: Mapping[str, Any]) -> dict[str, Any]:
    """What the columns of one argument have in common: their rows, their table, and what they define."""
    return {k: value[k] for k in ("where", "table", "define") if value.get(k) is not None}


def _table(value: Any, argument: str, catalog: Catalog) -> Any:
    if isinstance(value, str):
        value = {"column": value}
    if not (isinstance(value, Mapping) and "column" in value):
        return _rows(value, argument, catalog)
    shared = _shared(value)
    table = catalog.table_of(Reference.parse(value, argument=argument))
    if value.get("by") is not None and table.pushes():
        return _crossed(table, table.crossed(value["column"], value["by"], value.get("where")), value)
    first = catalog.labels({"column": value["column"], **shared}, argument=argument)
    if value.get("by") is None:
        counts = _tally([(str(label),) for label in first.compressed()])
        return [counts[key] for key in sorted(counts)]
    second = catalog.labels({"column": value["by"], **shared}, argument=argument)
    pairs = [
        (str(a), str(b)) for a, b in zip(first.tolist(), second.tolist(), strict=True) if None not in (a, b)
    ]
    return _crossed(table, _tally(pairs), value)


def _crossed(table: Table, counts: Mapping[Any, int], value: Mapping[str, Any]) -> _Crossed:
    rows = table.level_order(value["column"], {key[0] for key in counts})
    columns = table.level_order(value["by"], {key[1] for key in counts})
    return _Crossed([[counts.get((r, c), 0) for c in columns] for r in rows], rows, columns)


def _tally(keys: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    out: dict[tuple[str, ...], int] = {}
    for key in keys:
        out[key] = out.get(key, 0) + 1
    return out


def _vectors(value: Any, argument: str, catalog: Catalog) -> Any:
    if isinstance(value, Mapping) and isinstance(value.get("columns"), list):
        shared = _shared(value)
        return catalog.columns([{"column": c, **shared} for c in value["columns"]], argument=argument)
    if isinstance(value, Mapping):
        return {str(name): _vector(part, argument, catalog) for name, part in value.items()}
    return value


def _structure(value: Any, argument: str, catalog: Catalog) -> Any:
    if isinstance(value, Mapping) and "column" in value:
        return catalog.labels(value, argument=argument).tolist()
    return value


_RESOLVERS: dict[str, Callable[[Any, str, Catalog], Any]] = {
    "vector": _vector,
    "labels": _labels,
    "text_or_labels": _text_or_labels,
    "groups": _groups,
    "columns": _columns,
    "rows": _rows,
    "table": _table,
    "vectors": _vectors,
    "structure": _structure,
}
