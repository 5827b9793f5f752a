"""Adjusted means of a factorial analysis, with intervals and all pairs compared."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from statistikles.registry.arguments import FloatArray
from statistikles.results import Quantity, Role, SignificanceTest
from statistikles.stats._distributions import t_isf
from statistikles.stats._factorial_design import Design, Factor
from statistikles.stats._partial_sums import Explained, effect_columns
from statistikles.stats._studentized_range import studentized_range_isf, studentized_range_sf

__all__ = ["AdjustedMeans"]

_PAIRS_UP_TO = 20


class AdjustedMeans:
    """Predictions for every level of a factor, the other factor's levels weighing the same."""

    def __init__(self, design: Design, y: FloatArray, residual: Explained, unit: float, alpha: float) -> None:
        self.design, self.alpha, self.df = design, alpha, residual.df
        self.variance = residual.sum_sq / residual.df
        self.unit = unit
        names = list(design.columns)
        x = np.column_stack([np.ones(y.size), *(design.columns[n] for n in names)])
        self.offsets = dict(
            zip(names, np.cumsum([1, *(design.columns[n].shape[1] for n in names)])[:-1], strict=True)
        )
        q, r = np.linalg.qr(x)
        centre = float((y / unit).mean())
        self.inverse = np.linalg.inv(r)
        self.coefficients = self.inverse @ (q.T @ (y / unit - centre))
        self.coefficients[0] += centre

    def _row(self, factor: Factor, level: int) -> FloatArray:
        row = np.zeros(self.coefficients.size)
        row[0] = 1.0
        at = int(self.offsets[factor.name])
        row[at : at + len(factor.levels) - 1] = effect_columns(np.array([level]), len(factor.levels))[0]
        return row  # covariates are centred, and effects of the other factor sum to zero: both enter as 0

    def _cell_row(self, i: int, j: int) -> FloatArray:
        first, second = self.design.factors
        row = self._row(first, i)
        row += self._row(second, j)
        row[0] = 1.0
        if self.design.crossed:
            at = int(self.offsets[self.design.crossed])
            a = effect_columns(np.array([i]), len(first.levels))[0]
            b = effect_columns(np.array([j]), len(second.levels))[0]
            row[at : at + a.size * b.size] = np.outer(a, b).ravel()
        return row

    def cells(self) -> dict[str, Any]:
        """{level of the first factor: {level of the second: n, mean, interval}}, of two factors; else of the one."""
        reach = t_isf(self.alpha / 2, self.df)

        def told(row: FloatArray, n: int) -> dict[str, Any]:
            mean, error = float(row @ self.coefficients) * self.unit, self._error(row)
            ends = {"conf_low": mean - reach * error, "conf_high": mean + reach * error}
            return {"n": n, "mean": Quantity(mean, Role.MEAN), "std_error": error, **ends}

        first, *others = self.design.factors
        if not others:
            cells: dict[str, Any] = {
                level: told(self._row(first, i), int((first.place == i).sum()))
                for i, level in enumerate(first.levels)
            }
        else:
            second = others[0]
            cells = {
                a: {
                    b: told(self._cell_row(i, j), int(((first.place == i) & (second.place == j)).sum()))
                    for j, b in enumerate(second.levels)
                }
                for i, a in enumerate(first.levels)
            }
        return {
            "factors": [f.name for f in self.design.factors],
            "conf_level": 1 - self.alpha,
            "cells": cells,
        }

    def _error(self, row: FloatArray) -> float:
        along = row @ self.inverse
        return math.sqrt(self.variance * float(along @ along)) * self.unit

    def means(self) -> dict[str, dict[str, dict[str, float]]]:
        """{factor: {level: mean, std_error, conf_low, conf_high}}."""
        reach = t_isf(self.alpha / 2, self.df)
        out: dict[str, dict[str, dict[str, float]]] = {}
        for factor in self.design.factors:
            out[factor.name] = {}
            for i, level in enumerate(factor.levels):
                row = self._row(factor, i)
                mean, error = float(row @ self.coefficients) * self.unit, self._error(row)
                out[factor.name][level] = {
                    "mean": mean,
                    "std_error": error,
                    "conf_low": mean - reach * error,
                    "conf_high": mean + reach * error,
                }
        return out

    def pairs(self) -> dict[str, dict[str, SignificanceTest]]:
        """{factor: {pair: comparison}}, for factors of at most 20 levels."""
        return {f.name: self._pairs_of(f) for f in self.design.factors if len(f.levels) <= _PAIRS_UP_TO}

    def _pairs_of(self, factor: Factor) -> dict[str, SignificanceTest]:
        k = len(factor.levels)
        critical = studentized_range_isf(self.alpha, k, self.df) / math.sqrt(2.0)
        out = {}
        for i, j in combinations(range(k), 2):
            row = self._row(factor, i) - self._row(factor, j)
            difference, error = float(row @ self.coefficients) * self.unit, self._error(row)
            q = abs(difference) / error * math.sqrt(2.0)
            label = f"{factor.levels[i]} − {factor.levels[j]}"
            out[label] = SignificanceTest(
                method="Tukey–Kramer comparison of adjusted means",
                statistic_name="q",
                statistic=q,
                df=self.df,
                p_value=studentized_range_sf(q, k, self.df),
                alternative="two-sided",
                alpha=self.alpha,
                estimate_name=f"difference of adjusted means ({label})",
                estimate=difference,
                std_error=error,
                conf_low=difference - critical * error,
                conf_high=difference + critical * error,
                conf_level=1 - self.alpha,
                conf_method="simultaneous, studentized range",
            )
        return out
