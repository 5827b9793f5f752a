"""From what a caller sends to checked counts: tables, crossed labels, flat counts, strata of tables."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import FloatArray, MatrixOf, Where
from statistikles.registry.summaries import CrossedLabels
from statistikles.stats._tables import (
    CountTable,
    codes_of,
    count_labels,
    cross_tabulate,
    named_table,
    printed_number,
)

__all__ = ["MOST_COUNTS", "counted", "filled_table_of", "informative", "shares_of", "strata_of", "table_of"]

MOST_COUNTS = 2.0**52  # above this the counts are no longer exact as doubles


def _given_table(
    observed: FloatArray | None,
    x: Any,
    y: Any,
    row_names: tuple[str, ...] | None,
    column_names: tuple[str, ...] | None,
    argument: str,
) -> CountTable:
    """The table given or crossed; at least one count, and no more than doubles hold exactly."""
    if observed is not None and (x is not None or y is not None):
        raise InputError(f"Give either '{argument}' or 'x' and 'y', not both.", where=argument)
    if observed is None and (x is None or y is None):
        raise InputError(
            f"A table is needed: give '{argument}' (rows of counts), or 'x' and 'y'.",
            hint="For example x: first column, y: second column.",
            where=argument if x is None and y is None else "x" if x is None else "y",
            code="missing_argument",
        )
    table = cross_tabulate(x, y) if observed is None else named_table(observed, row_names, column_names)
    if not 0 < table.counts.sum() <= MOST_COUNTS:
        raise InputError(
            f"The counts add up to {float(table.counts.sum()):g}; a positive total below 2^52 is needed.",
            where=argument if observed is not None else "x",
            code="out_of_range",
        )
    return table


def _need_two(table: CountTable, where: str) -> None:
    r, c = table.counts.shape
    if min(r, c) < 2:
        raise InputError(
            f"The table has {r} row(s) and {c} column(s) to compare; at least two of each are needed.",
            hint="Both variables need two or more categories.",
            where=where,
            code="shape",
        )


def table_of(
    observed: FloatArray | None,
    x: Any,
    y: Any,
    row_names: tuple[str, ...] | None,
    column_names: tuple[str, ...] | None,
) -> CountTable:
    """The table given or crossed, with at least two rows and columns and nothing empty."""
    where = "observed" if observed is not None else "x"
    table = _given_table(observed, x, y, row_names, column_names, "observed")
    _need_two(table, where)
    for word, name in _empty(table):
        raise NotDefined(
            f"The test is undefined: the {word} '{name}' has no counts, so its expected counts are zero.",
            hint=f"Leave the empty {word} out.",
            where=where,
            code="zero_margin",
        )
    return table


def filled_table_of(
    observed: FloatArray | None,
    x: Any,
    y: Any,
    row_names: tuple[str, ...] | None,
    column_names: tuple[str, ...] | None,
    *,
    argument: str,
) -> tuple[CountTable, tuple[str, ...]]:
    """The table without its empty rows and columns, and a note on those."""
    table = _given_table(observed, x, y, row_names, column_names, argument)
    notes = tuple(f"The {word} '{name}' has no counts and was left out." for word, name in _empty(table))
    rows, columns = table.row_totals > 0, table.column_totals > 0
    kept = CountTable(
        table.counts[rows][:, columns],
        tuple(name for name, k in zip(table.rows, rows, strict=True) if k),
        tuple(name for name, k in zip(table.columns, columns, strict=True) if k),
    )
    _need_two(kept, argument if observed is not None else "x")
    for name, labels in (("x", x), ("y", y)):
        known = labels.categories if isinstance(labels, CrossedLabels) else labels
        if known is not None and len(set(known)) > 2 and any(printed_number(v) is None for v in known):
            notes += (
                f"The categories of '{name}' are in alphabetical order; ordinal measures depend on the order.",
            )
    return kept, notes


def _empty(table: CountTable) -> list[tuple[str, str]]:
    """('row' or 'column', name) of all without counts."""
    return [
        (word, name)
        for word, names, totals in (
            ("row", table.rows, table.row_totals),
            ("column", table.columns, table.column_totals),
        )
        for name, total in zip(names, totals, strict=True)
        if total == 0
    ]


def counted(
    observed: FloatArray | None, data: Any, names: tuple[str, ...] | None
) -> tuple[FloatArray, tuple[str, ...]]:
    if (observed is None) == (data is None):
        raise InputError(
            "Give the counts as 'observed', or the categories as 'data' (one of the two).",
            where="observed",
            code="missing_argument" if observed is None else "invalid_argument",
        )
    if data is not None:
        tally = count_labels(data)
        counts = np.array(list(tally.values()), dtype=np.float64)
        labels = tuple(tally) if names is None else names
    else:
        assert observed is not None
        counts = observed
        labels = names or tuple(f"category{i}" for i in range(1, counts.size + 1))
    if counts.size < 2:
        raise InputError(
            "Goodness of fit needs at least two categories.", where="data", code="too_few_values"
        )
    if len(labels) != counts.size:
        raise InputError(
            f"'names' holds {len(labels)} names for {counts.size} categories.",
            where="names",
            code="length_mismatch",
        )
    return counts, labels


def shares_of(proportions: FloatArray | None, k: int) -> tuple[FloatArray, tuple[str, ...]]:
    """Expected proportions that add up to one, with a note when they had to be rescaled."""
    if proportions is None:
        return np.full(k, 1.0 / k), ()
    if proportions.size != k:
        raise InputError(
            f"'expected_proportions' holds {proportions.size} values for {k} categories.",
            hint="Give one proportion per category, in the same order.",
            where="expected_proportions",
            code="length_mismatch",
        )
    if (proportions <= 0).any():
        raise InputError(
            "'expected_proportions' must all be above zero.",
            hint="Leave out a category that cannot occur.",
            where="expected_proportions",
            code="out_of_range",
        )
    scaled = proportions / proportions.max()
    total = math.fsum(scaled)
    if (scaled / total <= 1e-200).any():
        raise InputError(
            "'expected_proportions' differ by more than numbers can hold.",
            where="expected_proportions",
            code="out_of_range",
        )
    note: tuple[str, ...] = ()
    if abs(math.fsum(proportions) - 1) > 1e-6:
        note = ("The expected proportions did not add up to 1 and were rescaled as a ratio.",)
    return scaled / total, note


def strata_of(
    tables: Any, x: Any, y: Any, strata: Any, names: tuple[str, ...] | None
) -> tuple[list[FloatArray], tuple[str, ...]]:
    if tables is not None:
        if x is not None or y is not None or strata is not None:
            raise InputError("Give either 'tables' or 'x', 'y' and 'strata', not both.", where="tables")
        given = _checked_tables(tables)
        labels = names or tuple(f"stratum{i}" for i in range(1, len(given) + 1))
        if len(labels) != len(given):
            raise InputError(
                f"'names' holds {len(labels)} names for {len(given)} tables.",
                where="names",
                code="length_mismatch",
            )
        return given, labels
    for name, value in (("x", x), ("y", y), ("strata", strata)):
        if value is None:
            raise InputError(
                "Stratified counts are needed: give 'tables', or 'x', 'y' and 'strata'.",
                where="tables" if x is None and y is None and strata is None else name,
                code="missing_argument",
            )
    rows, columns, found = (tuple(count_labels(labels)) for labels in (x, y, strata))
    if min(len(rows), len(columns)) < 2:
        raise InputError("'x' and 'y' need two or more categories each.", where="x", code="shape")
    shape = (len(found), len(rows), len(columns))
    cells = np.ravel_multi_index((codes_of(strata, found), codes_of(x, rows), codes_of(y, columns)), shape)
    counts = np.bincount(cells, minlength=math.prod(shape)).astype(np.float64).reshape(shape)
    return list(counts), found


def _checked_tables(tables: Any) -> list[FloatArray]:
    kind = MatrixOf(low=0.0, whole=True)
    if not len(tables):
        raise InputError("'tables' is empty.", where="tables", code="too_few_values")
    out = [
        kind.check(t, Where("chi_square", "tables")) if not isinstance(t, str) else _not_a_table(t)
        for t in tables
    ]
    shapes = {t.shape for t in out}
    if len(shapes) > 1 or min(out[0].shape) < 2:
        raise InputError(
            "'tables' must hold tables of one shape, with at least two rows and two columns.",
            hint="Send [[[a, b], [c, d]], ...].",
            where="tables",
            code="shape",
        )
    if not sum(float(t.sum()) for t in out) <= MOST_COUNTS:
        raise InputError("The counts add up to more than 2^52.", where="tables", code="out_of_range")
    return out


def _not_a_table(value: Any) -> FloatArray:
    raise InputError(f"'tables' must hold tables of counts, not {value!r:.40}.", where="tables")


def informative(table: FloatArray) -> bool:
    """Whether a stratum has two filled rows and columns (and so at least two subjects)."""
    return int((table.sum(axis=1) > 0).sum()) > 1 and int((table.sum(axis=0) > 0).sum()) > 1
