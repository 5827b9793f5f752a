"""The units a result carries: derived from the units of the columns of its call and the role of each number.

Only tools whose numbers are understood take part (`_RULES`); for the others nothing is said, which is better than a
guess. A number that is not named in the result's `units` has no unit, or none is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from statistikles.pipeline.references import Catalog, Reference
from statistikles.pipeline.stewardship.formula_units import reckon
from statistikles.pipeline.stewardship.unit_columns import table_units
from statistikles.pipeline.stewardship.units import NONE, Unit, through
from statistikles.results.roles import Role, role_of_key

if TYPE_CHECKING:
    from statistikles.registry.declare import Statistic

__all__ = ["carry_units"]

# Numbers whose names end like a unit-bearing one but are pure: the standard error of the skewness, for example.
_PURE = re.compile(r"skew|kurtosis|rank|autocorrelation|correlation|_level|ratio|log_|effect|standard")
_LOCATION = re.compile(r"\b(?:means?|medians?|shift|location|midpoint|average|trimmed|bias)\b", re.IGNORECASE)
_DIFFERENCE = re.compile(r"\b(?:differences?|shift|minus|change|slope|bias)\b|−", re.IGNORECASE)
_ESTIMATES = ("estimate", "conf_low", "conf_high")
_CELLS = ("cells", "adjusted_means")  # of the details of an analysis of variance
_POWER = re.compile(r"(?P<name>.+?)(?:\^|\*\*)(?P<power>[2-9])\Z")


@dataclass(slots=True)
class _Columns:
    """The units of the columns of a call, by argument: (column, unit) in order; no unit is `NONE`."""

    known: dict[str, list[tuple[str, Unit]]] = field(default_factory=dict)

    def of(self, *arguments: str) -> list[tuple[str, Unit]]:
        return [pair for name in arguments for pair in self.known.get(name, [])]


_Tree: TypeAlias = dict[str, Any]


def carry_units(
    stat: Statistic, given: Mapping[str, Any], result: dict[str, Any], catalog: Catalog | None
) -> None:
    """Add `units` to a result, a tree like its own with a unit's text at each number that has one.

    Parameters
    ----------
    stat : what was computed.
    given : the arguments as they were sent, references unresolved.
    result : the plain result; gets `units` when there is anything to say, and a warning when units disagree.
    catalog : the tables, None without data.
    """
    if catalog is None or "units" in result:
        return
    _warn_of_clashes(stat, given, result, catalog)
    rule = _RULES.get(f"{stat.tool}:{stat.subtype}") or _RULES.get(stat.tool)
    if rule is None:
        return
    columns = _columns(stat, given, catalog)
    if not any(unit.parts for _, unit in columns.of(*columns.known)):
        return
    tree = rule(columns, result)
    if tree:
        result["units"] = tree


# Shapes of arguments in which a text names a column.
_REFERRING = frozenset({"vector", "labels", "groups", "columns", "rows", "vectors"})


def _columns(stat: Statistic, given: Mapping[str, Any], catalog: Catalog) -> _Columns:
    """The columns each argument refers to, with their units."""
    units: dict[tuple[str, str], dict[str, Unit]] = {}
    found = _Columns()
    for argument, value in given.items():
        pairs = []
        if stat.parameters[argument].kind.shape not in _REFERRING:
            continue
        for reference in _references(value):
            table = catalog.table_of(reference)
            key = (table.name, str(reference.define))
            if key not in units:
                units[key] = table_units(table)
            name = table.resolve(reference.column)
            pairs.append((name, units[key].get(name, NONE)))
        if pairs:
            found.known[argument] = pairs
    return found


def _references(value: Any) -> list[Reference]:
    """The references in the value of an argument, however they are nested."""
    if Reference.looks_like(value):
        return [Reference.parse(value)]
    if isinstance(value, Mapping) and isinstance(value.get("columns"), list):
        shared = {k: value[k] for k in ("where", "table", "define") if value.get(k) is not None}
        return [Reference.parse({"column": c, **shared}) for c in value["columns"]]
    parts = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return [Reference.parse(part) for part in parts if Reference.looks_like(part)]


def _warn_of_clashes(
    stat: Statistic, given: Mapping[str, Any], result: dict[str, Any], catalog: Catalog
) -> None:
    """Say so when a defined column adds metres to kilograms."""
    from statistikles.pipeline.defined import DefinedTable

    told: dict[str, None] = {}
    for argument, value in given.items():
        if stat.parameters[argument].kind.shape not in _REFERRING:
            continue
        for reference in _references(value):
            table = catalog.table_of(reference) if reference.define else None
            if isinstance(table, DefinedTable):
                told |= dict.fromkeys(reckon(table.formulas, table_units(table.base)).clashes)
    if told:
        _warn(result, f"A formula mixes units: {'; '.join(told)}.")


# Rules -----------------------------------------------------------------------------------------------------


def _of_one(columns: _Columns, result: dict[str, Any], *arguments: str) -> _Tree:
    """Everything is computed from values of one unit; values of different units are warned about."""
    pairs = columns.of(*arguments)
    units = list(dict.fromkeys(unit for _, unit in pairs))
    if len(units) > 1:
        named = ", ".join(f"'{name}' in {unit or 'no known unit'}" for name, unit in dict(pairs).items())
        if sum(bool(u.parts) for u in units) > 1:
            _warn(
                result, f"The values compared have different units: {named}. Convert them to one unit first."
            )
        return {}
    return _summary(result, units[0]) if units else {}


def _warn(result: dict[str, Any], text: str) -> None:
    result["warnings"] = [*result.get("warnings", ()), text]


def _summary(result: Mapping[str, Any], unit: Unit) -> _Tree:
    """Units of the numbers of a result about one variable, and of its groups."""
    tree = _described(result, unit)
    estimated = _estimate_unit(result, unit)
    for key in (*_ESTIMATES, "std_error", "null_value"):
        tree.pop(key, None)
        if estimated is not None and isinstance(result.get(key), int | float):
            tree[key] = str(estimated.difference if key == "std_error" else estimated)
    parts = {"groups": result.get("groups")}
    details = result.get("details")
    if isinstance(details, Mapping):
        parts["details"] = {name: details[name] for name in _CELLS if name in details}
    return {**tree, **_nested(parts, unit)}


def _nested(parts: Mapping[str, Any], unit: Unit) -> _Tree:
    """Units of the numbers of parts described alike, however deep."""
    out = {}
    for name, part in parts.items():
        if isinstance(part, Mapping) and (inner := {**_described(part, unit), **_nested(part, unit)}):
            out[name] = inner
    return out


def _described(part: Mapping[str, Any], unit: Unit) -> _Tree:
    """Units of the plain numbers of one part by the role of their names."""
    out = {}
    for key, value in part.items():
        if isinstance(value, bool) or not isinstance(value, int | float | list) or _PURE.search(key):
            continue
        role = role_of_key(key)
        if role is Role.CONF_BOUND or key == "sum":
            role = Role.MEAN
        found = through(role, unit)
        if found is not None and found.parts:
            out[key] = str(found)
    return out


def _estimate_unit(result: Mapping[str, Any], unit: Unit) -> Unit | None:
    """The unit of the estimate of a result, by what the result calls it."""
    name = str(result.get("estimate_name") or result.get("name") or "")
    if not name:  # a description: its interval is the mean's
        return unit if "mean" in result else None
    if _LOCATION.search(name):
        return unit.difference if _DIFFERENCE.search(name) else unit
    return through(role_of_key(name), unit) if role_of_key(name) is not Role.VALUE else None


def _descriptive(columns: _Columns, result: dict[str, Any]) -> _Tree:
    units = {unit for _, unit in columns.of("data", "groups", "samples", "y")}
    return (
        _of_one(columns, result, "data", "groups", "samples") if len(units) == 1 else {}
    )  # two variables: a correlation


def _comparison(columns: _Columns, result: dict[str, Any]) -> _Tree:
    return _of_one(columns, result, "group1", "group2", "groups", "data", "rater1", "rater2")


def _by_factors(columns: _Columns, result: dict[str, Any]) -> _Tree:
    return _of_one(columns, result, "y", "data")


def _robust(columns: _Columns, result: dict[str, Any]) -> _Tree:
    return _regression(columns, result) if "terms" in result else _of_one(columns, result, "data")


def _survival(columns: _Columns, result: dict[str, Any]) -> _Tree:
    return _of_one(columns, result, "times")


def _regression(columns: _Columns, result: dict[str, Any]) -> _Tree:
    """Intercept and residual error in the unit of y, slopes in it per unit of x."""
    y = next((unit for _, unit in columns.of("y")), NONE)
    terms = _slopes(columns, result, y.difference, y)
    tree: _Tree = {"terms": terms} if terms else {}
    if y.parts and isinstance(result.get("residual_std_error"), int | float):
        tree["residual_std_error"] = str(y.difference)
    return tree


def _log_odds(columns: _Columns, result: dict[str, Any]) -> _Tree:
    """Coefficients of logistic and Cox models: per unit of x."""
    terms = _slopes(columns, result, NONE, NONE)
    return {"terms": terms} if terms else {}


def _slopes(columns: _Columns, result: Mapping[str, Any], rise: Unit, level: Unit) -> _Tree:
    x = dict(columns.of("x"))
    out: _Tree = {}
    for name, term in dict(result.get("terms", {})).items():
        power = _POWER.match(name)
        column, exponent = (power["name"], int(power["power"])) if power else (name, 1)
        if name.casefold() in ("intercept", "const"):
            unit, spread = level, rise
        elif column in x:
            unit = spread = rise / x[column].difference ** exponent
        else:
            continue
        parts = {key: unit for key in _ESTIMATES if isinstance(term.get(key), int | float)}
        if isinstance(term.get("std_error"), int | float):
            parts["std_error"] = spread
        if unit.parts and parts:
            out[name] = {key: str(value) for key, value in parts.items()}
    return out


def _pairs(columns: _Columns, result: dict[str, Any]) -> _Tree:
    """A correlation is a pure number; the two variables described beside it keep their units."""
    units = dict(columns.of("x", "y"))
    groups = {
        name: inner
        for name, part in dict(result.get("groups", {})).items()
        if name in units and isinstance(part, Mapping) and (inner := _described(part, units[name]))
    }
    return {"groups": groups} if groups else {}


_RULES: dict[str, Callable[[_Columns, dict[str, Any]], _Tree]] = {
    "descriptive_statistics": _descriptive,
    "bootstrap": _descriptive,
    "t_test": _comparison,
    "anova": _comparison,
    "anova:factorial": _by_factors,
    "nonparametric_test": _comparison,
    "test_assumptions": _comparison,
    "regression": _regression,
    "logistic_regression": _log_odds,
    "robust_stats:huber": _robust,
    "robust_stats:ransac": _robust,
    "advanced_modeling:mixed_effects": _regression,
    "survival_analysis:cox": _log_odds,
    "survival_analysis:kaplan_meier": _survival,
    "inter_rater_reliability:bland_altman": _comparison,
    "correlation": _pairs,
}
