"""Column references of large tables become sums from the engine, where the statistic can do with sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError, StatistiklesError
from statistikles.pipeline.references import Catalog, Reference
from statistikles.registry.summaries import CrossedLabels, NeedsValues

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table
    from statistikles.registry.declare import Statistic

__all__ = ["summed_arguments"]

_SHAPES = ("vector", "columns", "groups", "labels", "rows", "table", "vectors", "text_or_labels", "structure")
_MOST_GROUPS = 1000


class _Groups(dict[str, Any]):
    """Samples by label, with the number of rows that have none."""

    n_without_group = 0


def summed_arguments(stat: Statistic, given: Mapping[str, Any], catalog: Catalog) -> dict[str, Any]:
    """{argument: sums} for all arguments that hold data, or nothing when values are to be fetched.

    A reference that cannot be resolved gives nothing: fetching its values raises the error that says why.
    """
    if stat.from_sums is None or not stat.from_sums(given):
        return {}
    holding = {
        name: stat.parameters[name].kind.shape
        for name, value in given.items()
        if value is not None and name in stat.parameters and stat.parameters[name].kind.shape in _SHAPES
    }
    try:
        found = {name: _references(given[name], shape) for name, shape in holding.items()}
        alone = {
            name for name in found if not found[name] and not any(name in names for names in stat.aligned)
        }
        found = {
            name: refs for name, refs in found.items() if name not in alone
        }  # a list of numbers stays one
        if not found or not all(found.values()):
            return {}
        tables = {id(t): t for refs in found.values() for r in refs for t in [catalog.table_of(r)]}
        if len(tables) != 1:
            return {}
        table = next(iter(tables.values()))
        return _summed(stat, holding, found, table) if table.pushes() else {}
    except (StatistiklesError, NeedsValues):
        return {}


def _references(value: Any, shape: str) -> list[Reference]:
    """The references an argument consists of; none when part of it is something else."""
    if shape in ("vector", "columns", "groups", "labels") and Reference.looks_like(value):
        return [Reference.parse(value)]
    if shape == "columns" and isinstance(value, Sequence) and all(Reference.looks_like(v) for v in value):
        return [Reference.parse(v) for v in value]
    return []


def _summed(
    stat: Statistic, holding: Mapping[str, str], found: Mapping[str, list[Reference]], table: Table
) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for names in stat.aligned:
        present = [n for n in names if n in found]
        labelled = [n for n in present if holding[n] == "labels"]
        if labelled:
            if len(labelled) != 2 or labelled != present:
                raise NeedsValues("labels")
            out |= _crossed(present, found, table)
        elif len(present) > 1 or any(holding[n] == "columns" for n in present):
            out |= _joint(present, holding, found, table)
    for name, shape in holding.items():
        if name in out or name not in found:
            continue
        [reference] = found[name]
        if shape == "labels" or (shape == "groups") is not (reference.by is not None) or shape == "columns":
            return {}
        out[name] = _groups(reference, table) if shape == "groups" else _sample(reference, table)
    return out


def _crossed(names: Sequence[str], found: Mapping[str, list[Reference]], table: Table) -> dict[str, Any]:
    """Two columns of labels as counts of their pairs."""
    first, second = (found[name][0] for name in names)
    if first.where != second.where or first.by is not None or second.by is not None:
        raise NeedsValues("filters")
    condition, bound = table.condition(first.where)
    n_rows = int(table.ask(f"SELECT count(*) FROM data WHERE {condition}", bound)[0][0])  # noqa: S608
    counts = table.crossed(first.column, second.column, first.where)
    return {
        name: CrossedLabels(counts, place, n_rows - sum(counts.values())) for place, name in enumerate(names)
    }


def _sample(reference: Reference, table: Table) -> Any:
    condition, bound = table.condition(reference.where)
    return table.pushdown().sample(table.summed(reference.column), condition, bound, reference.column)


def _groups(reference: Reference, table: Table) -> Any:
    assert reference.by is not None
    column, by = table.resolve(reference.column), table.resolve(reference.by, where="by")
    condition, bound = table.condition(reference.where)
    groups = table.pushdown().grouped(
        table.summed(column), table.engine_column(by)[0], condition, bound, column
    )
    if len(groups.parts) > _MOST_GROUPS or any(not part.n for part in groups.parts.values()):
        raise NeedsValues("groups")
    samples = groups.samples()
    out = _Groups({level: samples[level] for level in table.level_order(by, set(samples))})
    out.n_without_group = groups.n_without_group
    return out


def _joint(
    names: Sequence[str], holding: Mapping[str, str], found: Mapping[str, list[Reference]], table: Table
) -> dict[str, Any]:
    """Arguments that are matched row by row, summed over the rows in which none of them is missing."""
    from statistikles.pipeline.pushdown_joint import joint_sums
    from statistikles.stats._sums import JointColumn, JointColumns

    flat = [reference for name in names for reference in found[name]]
    if len({r.where for r in flat}) != 1 or any(r.by is not None for r in flat):
        raise NeedsValues("filters")
    columns = [table.resolve(r.column) for r in flat]
    if any(len({table.resolve(r.column) for r in found[n]}) < len(found[n]) for n in names):
        raise InputError("A column is named twice.")
    condition, bound = table.condition(flat[0].where)
    joint = joint_sums(table.pushdown(), [table.summed(c) for c in columns], condition, bound, columns)
    out: dict[str, Any] = {}
    at = 0
    for name in names:
        count = len(found[name])
        indexes = range(at, at + count)
        out[name] = JointColumns(joint, indexes) if holding[name] == "columns" else JointColumn(joint, at)
        at += count
    return out
