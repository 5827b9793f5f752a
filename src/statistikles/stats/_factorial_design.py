"""The design of a factorial analysis: factors, covariates held constant, and the coded columns of every term."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import FloatArray
from statistikles.stats._columns import group_index
from statistikles.stats._partial_sums import effect_columns

__all__ = ["RESIDUAL", "TOTAL", "Design", "Factor", "build_design"]

RESIDUAL, TOTAL = "residual", "total"
_EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Factor:
    """A grouping of the rows: its levels and the place of each row's level among them."""

    name: str
    levels: tuple[str, ...]
    place: NDArray[np.int64]

    @property
    def columns(self) -> FloatArray:
        """Sum-to-zero columns."""
        return effect_columns(self.place, len(self.levels))


@dataclass(frozen=True)
class Design:
    """The factors, the covariates and the columns of every term, covariates first."""

    factors: tuple[Factor, ...]
    covariates: Mapping[str, FloatArray]
    crossed: str  # name of the interaction; empty without one
    columns: Mapping[str, FloatArray]

    @property
    def title(self) -> str:
        """What the analysis is called."""
        names = " and ".join(f.name for f in self.factors)
        what = f"{'Two' if len(self.factors) == 2 else 'One'}-way analysis of "
        if not self.covariates:
            return f"{what}variance by {names}{'' if self.crossed else ' without interaction'} (type II)"
        held = ", ".join(self.covariates)
        crossed = " without interaction" if len(self.factors) == 2 and not self.crossed else ""
        return f"{what}covariance by {names}{crossed}, holding {held} constant (type II)"

    def not_containing(self, term: str) -> list[str]:
        """The other terms, but those that contain this one."""
        factors = {f.name for f in self.factors}
        return [o for o in self.columns if o != term and not (o == self.crossed and term in factors)]

    def cells(self, y: FloatArray) -> dict[str, FloatArray]:
        """The values of every combination of levels that occurs."""
        first = self.factors[0]
        if len(self.factors) == 1:
            return {level: y[first.place == i] for i, level in enumerate(first.levels)}
        second = self.factors[1]
        out = {}
        for i, a in enumerate(first.levels):
            for j, b in enumerate(second.levels):
                values = y[(first.place == i) & (second.place == j)]
                if values.size:
                    out[f"{a}, {b}"] = values
        return out


def build_design(
    factor_a: NDArray[Any],
    factor_b: NDArray[Any] | None,
    covariates: FloatArray | None,
    var_names: tuple[str, ...] | None,
    interaction: bool,
) -> Design:
    """The design that the arguments describe.

    Raises
    ------
    InputError : one factor and no covariate, a factor with one level or hardly any row per level, empty cells.
    NotDefined : a constant covariate.
    """
    if factor_b is None and covariates is None:
        raise InputError(
            "One factor alone is a one-way analysis.",
            hint="Add 'factor_b' or 'covariates', or send 'groups' to the one-way analysis.",
            where="factor_b",
            code="missing_argument",
        )
    labels = [("factor_a", factor_a), *([("factor_b", factor_b)] if factor_b is not None else [])]
    width = 0 if covariates is None else covariates.shape[1]
    names = _names(var_names, len(labels), width)
    factors = tuple(_factor(names[i], given, where) for i, (where, given) in enumerate(labels))
    numeric = {} if covariates is None else _scaled(covariates, names[len(labels) :])
    columns: dict[str, FloatArray] = {**numeric, **{f.name: f.columns for f in factors}}
    crossed = ""
    if interaction and len(factors) == 2:
        crossed = f"{factors[0].name} × {factors[1].name}"
        a, b = factors[0].columns, factors[1].columns
        columns[crossed] = (a[:, :, None] * b[:, None, :]).reshape(a.shape[0], -1)
        _refuse_empty_cells(*factors)
    return Design(factors, numeric, crossed, columns)


def _names(given: tuple[str, ...] | None, n_factors: int, n_covariates: int) -> tuple[str, ...]:
    usual = ("factor_a", "factor_b")[:n_factors]
    numbered = (
        ("covariate",) if n_covariates == 1 else tuple(f"covariate{j + 1}" for j in range(n_covariates))
    )
    names = given or (*usual, *numbered)
    if len(names) != n_factors + n_covariates:
        raise InputError(
            f"{len(names)} names were given for {n_factors + n_covariates} factors and covariates.",
            hint="Give one name per factor, then one per covariate, or leave the names out.",
            where="var_names",
            code="shape",
        )
    if len(set(names)) < len(names) or {RESIDUAL, TOTAL} & set(names):
        raise InputError(
            f"The names must differ, and none may be '{RESIDUAL}' or '{TOTAL}'.", where="var_names"
        )
    return names


def _factor(name: str, labels: NDArray[Any], where: str) -> Factor:
    levels, place = group_index(labels, where=where)
    if len(levels) < 2:
        raise InputError(
            f"The factor '{name}' has one level only.",
            hint="Choose a grouping column with at least two levels.",
            where=where,
            code="too_few_groups",
        )
    if len(levels) > labels.size // 2:
        raise InputError(
            f"The factor '{name}' has {len(levels)} levels for {labels.size} rows.",
            hint="A factor groups rows; a numeric column belongs into 'covariates'.",
            where=where,
            code="too_many_groups",
        )
    return Factor(name, levels, place)


def _scaled(covariates: FloatArray, names: tuple[str, ...]) -> dict[str, FloatArray]:
    out = {}
    for name, column in zip(names, covariates.T, strict=True):
        off = column - column.mean()
        off = off - off.mean()
        top = float(np.abs(off).max())
        if top <= 4 * _EPS * float(np.abs(column).max()):
            raise NotDefined(
                f"The covariate '{name}' is constant.",
                hint="Leave it out.",
                where="covariates",
                code="zero_variance",
            )
        out[name] = (off / top)[:, None]
    return out


def _refuse_empty_cells(a: Factor, b: Factor) -> None:
    seen = set(zip(a.place.tolist(), b.place.tolist(), strict=True))
    empty = [
        f"{x}, {z}" for i, x in enumerate(a.levels) for j, z in enumerate(b.levels) if (i, j) not in seen
    ]
    if empty:
        raise InputError(
            f"The interaction of {a.name} and {b.name} needs values in every combination; without any: "
            f"{'; '.join(empty[:4])}{' and others' if len(empty) > 4 else ''}.",
            hint="Send interaction: false, or leave out the levels concerned.",
            where="interaction",
            code="empty_cell",
        )
