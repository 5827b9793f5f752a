"""The conditions that the rows of the decision table name, each a question to a reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading

__all__ = ["CONDITIONS"]

SMALL_TABLE = 30


def _kinds(r: Reading, kind: str) -> bool:
    return len(r.outcomes) == 2 and all(_is(kind, c) for c in r.outcomes)


def _is(kind: str, column: object) -> bool:
    return bool(getattr(column, kind))


CONDITIONS: Mapping[str, Callable[[Reading], bool]] = {
    "two groups": lambda r: r.group is not None and r.n_groups == 2,
    "three or more groups": lambda r: r.group is not None and r.n_groups > 2,
    "a grouping column": lambda r: r.group is not None,
    "two columns": lambda r: len(r.outcomes) == 2,
    "two numeric columns": lambda r: _kinds(r, "numeric"),
    "one column": lambda r: len(r.outcomes) >= 1,
    "the row of the largest or smallest value": lambda r: (
        r.source is not None and r.intent is Intent.DESCRIBE
    ),
    "five or more columns": lambda r: len(r.outcomes) >= 5,
    "two grouping columns": lambda r: len(r.outcomes) == 2 and all(c.groups for c in r.outcomes),
    "codes of a pair of values": lambda r: _kinds(r, "binary") and all(c.numeric for c in r.outcomes),
    "no coefficient asked by name": lambda r: (
        not any(w in r.question.casefold() for w in ("pearson", "correlation coefficient"))
    ),
    "one an ordered code": lambda r: _kinds(r, "numeric") and any(c.ordered for c in r.outcomes),
    "fewer than 30 rows": lambda r: r.table.n_rows < SMALL_TABLE,
    "controls": lambda r: bool(r.controls),
    "a second grouping column": lambda r: r.group is not None and r.strata is not None,
    "strata": lambda r: r.strata is not None,
    "binary outcome": lambda r: r.outcome is not None and r.outcome.zero_one,
    "outliers set apart": lambda r: r.source is not None,
    "numeric outcome": lambda r: r.outcome is not None and r.outcome.numeric,
    "Spearman asked": lambda r: "spearman" in r.question.casefold(),
    "Pearson asked": lambda r: "pearson" in r.question.casefold(),
    "Kendall asked": lambda r: "kendall" in r.question.casefold(),
    "three or more columns": lambda r: len(r.outcomes) >= 3,
    "rank test asked": lambda r: any(
        w in r.question.casefold()
        for w in ("mann", "rank", "wilcoxon", "nonparametric", "non-parametric", "kruskal")
    ),
}
