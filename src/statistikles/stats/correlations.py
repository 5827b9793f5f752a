"""Correlations of every pair of several variables, each on the rows that hold both."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, Choice, Decimals, Text
from statistikles.registry.declare import statistic
from statistikles.results import Quantity, Role, Table
from statistikles.stats._adjust import adjust
from statistikles.stats._comoments import correlate
from statistikles.stats._correlation_report import fisher_interval
from statistikles.stats._distributions import p_t
from statistikles.stats._incomplete import IncompleteData
from statistikles.stats._numerics import rank_with_ties

__all__ = ["correlation_matrix"]

_MOST = 30


@statistic(
    tool="correlation",
    subtype="matrix",
    title="Correlation matrix",
    use_when="several numeric variables: every pair at once, or which pair goes together most",
    utterances=(
        "correlation matrix",
        "which two variables correlate most strongly",
        "correlations between all numeric columns",
        "strongest correlation with the outcome",
    ),
    refs=("Pearson 1895, doi:10.1098/rspl.1895.0041", "Holm 1979, Scand. J. Statist. 6(2):65-70"),
    formula="r of each pair; t = r sqrt((n − 2)/(1 − r²)); p also adjusted by Holm for the number of pairs",
    equivalents={
        "R": 'cor(data, use = "pairwise.complete.obs")',
        "Python": "pandas.DataFrame(data).corr()",
    },
    example={
        "data": {
            "height": [44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1],
            "weight": [2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8],
            "age": [21, 34, 25, None, 38, 29, 45, 23, 52],
        }
    },
    aliases=("pairwise", "correlation_matrix", "all_pairs"),
)
def correlation_matrix(
    data: Annotated[Any, IncompleteData()],
    *,
    coefficient: Annotated[str, Choice(("pearson", "spearman"))] = "pearson",
    target: Text | None = None,
    alpha: Alpha = 0.05,
    decimals: Decimals | None = None,
) -> Table:
    """The correlation of every pair of variables, the strongest first, each on the rows that hold both values.

    Parameters
    ----------
    data : {name: column}, or rows; null marks a missing value.
    coefficient : "pearson" or "spearman" (Pearson's r of the ranks).
    target : only the pairs with this variable.
    alpha : intervals have confidence 1 - alpha.
    decimals : places of rounded copies of r.

    Returns
    -------
    Table : a row per pair; the strongest pair under details.

    Raises
    ------
    InputError : fewer than two variables, more than thirty, or a target that is none of them.
    NotDefined : no pair has a correlation.
    """
    names, matrix = data
    if not 2 <= len(names) <= _MOST:
        raise InputError(
            f"A correlation matrix needs 2 to {_MOST} variables, not {len(names)}.",
            hint="Name the columns.",
            where="data",
            code="out_of_range",
        )
    if target is not None and target not in names:
        raise InputError(
            f"'{target}' is none of the variables: {', '.join(names)}.", where="target", code="unknown_name"
        )
    rows, missing = _rows(names, matrix, coefficient, target, alpha)
    if not rows:
        raise NotDefined(
            "No pair has a correlation: " + "; ".join(missing.values()) + ".",
            where="data",
            code="zero_variance",
        )
    holm = adjust(np.array([row["p_value"] for row in rows]), "holm")
    for row, p in zip(rows, holm.tolist(), strict=True):
        row["p_holm"] = Quantity(p, Role.P_VALUE)
        row["r"] = Quantity(row["r"], Role.CORRELATION)
        if decimals is not None:
            row["r_rounded"] = Quantity(round(float(row["r"].value), decimals), Role.CORRELATION)
    rows.sort(key=lambda row: -abs(float(row["r"].value)))
    return Table(
        method="Correlation matrix, " + ("Pearson's r" if coefficient == "pearson" else "Spearman's ρ"),
        rows=tuple(rows),
        n=int(matrix.shape[0]),
        details={
            "strongest": {"first": rows[0]["first"], "second": rows[0]["second"], "r": rows[0]["r"]},
            "n_pairs": Quantity(len(rows), Role.COUNT),
            **({"undefined_pairs": missing} if missing else {}),
        },
        conventions=(
            "each pair uses the rows that hold both values",
            "p_holm is adjusted for the number of pairs",
        ),
    )


def _rows(
    names: tuple[str, ...], matrix: Any, coefficient: str, target: str | None, alpha: float
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """A row per pair that has a correlation, and why the others have none."""
    rows, missing = [], {}
    for first, second, x, y in _pairs(names, matrix, target):
        label = f"{first}, {second}"
        if x.size < 3:
            missing[label] = f"{label}: fewer than three rows hold both values"
            continue
        constant = [n for n, v in ((first, x), (second, y)) if float(v.min()) == float(v.max())]
        if constant:
            missing[label] = f"{label}: all values of {constant[0]} are the same"
            continue
        if coefficient == "spearman":
            x, y = rank_with_ties(x)[0], rank_with_ties(y)[0]
        found = correlate(x, y)
        df = x.size - 2
        t = found.r / math.sqrt(found.unexplained / df) if found.unexplained else None
        how = "Fisher z"
        bounds = fisher_interval(found, 1 / (x.size - 3) if x.size > 3 else None, alpha, "two-sided", how)
        rows.append(
            {
                "first": first,
                "second": second,
                "r": found.r,
                "p_value": 0.0 if t is None else p_t(t, df, "two-sided"),
                "conf_low": bounds.get("conf_low"),
                "conf_high": bounds.get("conf_high"),
                "n": int(x.size),
            }
        )
    return rows, missing


def _pairs(
    names: tuple[str, ...], matrix: Any, target: str | None
) -> Iterator[tuple[str, str, NDArray[np.float64], NDArray[np.float64]]]:
    mask = np.ma.getmaskarray(matrix)
    values = np.ma.getdata(matrix)
    for i, j in combinations(range(len(names)), 2):
        if target is not None and target not in (names[i], names[j]):
            continue
        both = ~(mask[:, i] | mask[:, j])
        yield names[i], names[j], np.ascontiguousarray(values[both, i]), np.ascontiguousarray(values[both, j])
