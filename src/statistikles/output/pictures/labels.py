"""What axes, groups and titles are called: columns by their names, with their unit where it is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from statistikles.errors import StatistiklesError
from statistikles.output.pictures.easel import Cited, Easel, Name, said
from statistikles.output.pictures.spec import Said
from statistikles.pipeline.references import Reference
from statistikles.pipeline.stewardship.headers import read_header
from statistikles.pipeline.stewardship.unit_columns import table_units

__all__ = ["axis_label", "column_of", "filter_note", "name_of", "plural", "predictor_names", "statistic_line"]


def column_of(argument: Any) -> Reference | None:
    """The reference an argument is, None for inline values."""
    if Reference.looks_like(argument):
        try:
            return Reference.parse(argument)
        except StatistiklesError:
            return None
    if isinstance(argument, Sequence) and not isinstance(argument, str) and len(argument) == 1:
        return column_of(argument[0])
    return None


def name_of(easel: Easel, argument: Any, otherwise: str) -> Said:
    """The name of the column an argument refers to, as the table writes it."""
    found = column_of(argument)
    if found is None:
        return said(otherwise)
    catalog = easel.workspace.catalog
    column = found.column
    if catalog is not None:
        with suppress(StatistiklesError):
            column = catalog.table_of(found).resolve(found.column)
    return said(Name(column))


def axis_label(easel: Easel, argument: Any, otherwise: str) -> Said:
    """The name of a column and, where the table knows it and the name does not say it, its unit in brackets."""
    name, found, catalog = name_of(easel, argument, otherwise), column_of(argument), easel.workspace.catalog
    if found is None or catalog is None or str(name).rstrip().endswith((")", "]")):
        return name
    try:
        unit = table_units(catalog.table_of(found)).get(str(name))
    except StatistiklesError:
        return name
    in_name = read_header(str(name))
    if unit is None or not str(unit) or (in_name is not None and str(in_name.unit) == str(unit)):
        return name
    return said(name, " (", Name(str(unit)), ")")


def filter_note(easel: Easel) -> list[Said]:
    """The condition on the rows, when the call had one."""
    wheres: dict[str, None] = {}

    def look(value: Any) -> None:
        if isinstance(value, Mapping):
            if isinstance(value.get("where"), str):
                wheres[value["where"]] = None
            for inner in value.values():
                look(inner)
        elif isinstance(value, list | tuple):
            for inner in value[:20]:
                look(inner)

    look(easel.lead.arguments)
    return (
        [said("Only rows where ", Name(" and ".join(wheres).replace('"', "")), ".")]
        if len(wheres) == 1
        else []
    )


def missing_note(easel: Easel) -> list[Said]:
    """How many rows were left out because a value was missing."""
    count = easel.lead.get("n_missing")
    if not isinstance(count, int) or count == 0:
        return []
    words = " row with a missing value was" if count == 1 else " rows with missing values were"
    return [said(easel.lead.shown("n_missing"), words, " left out.")]


def statistic_line(lead: Cited) -> list[Said]:
    """'Welch's t test: p < .001.'; of an analysis of variance Welch's version first, which leads its answer."""
    places: list[tuple[str, ...]] = [("also", "welch")] if lead.tool == "anova" else []
    places.append(())
    return [
        said(Name(str(lead.get(*place, "method") or lead.tool)), ": ", lead.p_value(*place, "p_value"), ".")
        for place in places
        if isinstance(lead.get(*place, "p_value"), int | float)
    ]


def predictor_names(lead: Cited) -> list[str]:
    """The terms of a model but for its intercept."""
    return [name for name in (lead.get("terms") or {}) if name != "intercept"]


def plural(count: int, word: str) -> str:
    """'group' or 'groups'."""
    return word if count == 1 else f"{word}s"
