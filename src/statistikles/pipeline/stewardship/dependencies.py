"""Functional dependencies (A determines B) as hints of a table that holds several kinds of things, guarded against chance.

Exact on the rows examined: one A, one B, no exception. Left sides have one or two columns, and are minimal. A left
side that is nearly a key determines everything and says nothing, so each dependency must have had enough chances to
fail: rows that share their A with another row, weighed by how often two random rows share their B.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.survey import listed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from statistikles.pipeline.stewardship.detect import ColumnReport
    from statistikles.pipeline.stewardship.survey import Survey

    Codes = NDArray[np.int64]

__all__ = ["Dependency", "dependencies", "dependency_findings"]

_MOST_ROWS = 20_000
_MOST_COLUMNS = 24
_MOST_PAIRED = 8
_FEWEST_CHANCES = 10
_CHANCE = -6.0  # log10 of the probability that unrelated columns would agree so


@dataclass(frozen=True, slots=True)
class Dependency:
    """`left` determines `right`; `both`: and the other way round."""

    left: tuple[str, ...]
    right: str
    both: bool = False


def dependency_findings(survey: Survey, reports: Sequence[ColumnReport]) -> list[Finding]:
    """One finding per left side, and one for columns that say the same."""
    names = [
        r.column
        for r in reports
        if r.scale not in ("constant", "empty", "free text")
        and survey.column(r.column).n_unique <= 0.6 * survey.table.n_rows
        and not (survey.column(r.column).dtype == "float" and survey.column(r.column).n_unique > 50)
    ]
    if len(names) < 2 or survey.table.n_rows < 20:
        return []
    found = dependencies(survey, names[:_MOST_COLUMNS])
    bounds = []
    if survey.table.n_rows > _MOST_ROWS:
        bounds.append(f"on the first {_MOST_ROWS} rows")
    if len(names) > _MOST_COLUMNS:
        bounds.append(f"among the first {_MOST_COLUMNS} columns")
    where = f" ({', '.join(bounds)})" if bounds else ""
    out = []
    for dependency in found:
        if dependency.both:
            message = f"'{dependency.left[0]}' and '{dependency.right}' say the same, one for one{where}."
            seen = (*dependency.left, dependency.right)
            out.append(Finding("same_information", message, dependency.right, stage="normalise", seen=seen))
    by_left: dict[tuple[str, ...], list[str]] = {}
    echoes = {
        d.right for d in found if d.both
    }  # what they determine, their first name has determined already
    for dependency in found:
        if not dependency.both and echoes.isdisjoint(dependency.left):
            by_left.setdefault(dependency.left, []).append(dependency.right)
    for left, right in by_left.items():
        shown = " and ".join(f"'{name}'" for name in left)
        verb = "determine" if len(left) > 1 else "determines"
        told = listed([f"'{name}'" for name in right], 6)
        message = (
            f"{shown} {verb} {told} without exception{where}: "
            f"the table holds facts about {' and '.join(left)} that repeat (not in third normal form)."
        )
        out.append(
            Finding("depends_on", message, right[0], len(right), stage="normalise", seen=(*left, *right[:4]))
        )
    return out


def dependencies(survey: Survey, names: Sequence[str]) -> list[Dependency]:
    """The minimal exact dependencies between columns, left sides of one column and then of two."""
    codes = {name: _codes(survey, name) for name in names}
    agree = {name: _agreement(code) for name, code in codes.items()}
    singles = [
        (left, right)
        for left in names
        for right in names
        if left != right and _determines(codes[left], codes[right], agree[right])
    ]
    found = []
    for left, right in singles:
        both = (right, left) in singles
        if not both or names.index(left) < names.index(right):
            found.append(Dependency((left,), right, both))
    # A chain a -> b -> c is told by its steps: a -> c is left out.
    direct = [
        d
        for d in found
        if d.both
        or not any(
            (d.left[0], m) in singles and (m, d.right) in singles and (m, d.left[0]) not in singles
            for m in names
        )
    ]
    return direct + _pairs(survey, names, codes, agree, singles)


def _pairs(
    survey: Survey,
    names: Sequence[str],
    codes: dict[str, Codes],
    agree: dict[str, float],
    singles: list[tuple[str, str]],
) -> list[Dependency]:
    """Dependencies on two columns together, where neither alone is enough and neither determines the other."""
    import numpy as np

    few = [name for name in names if survey.column(name).n_unique <= 0.2 * survey.table.n_rows][:_MOST_PAIRED]
    out = []
    for a, b in combinations(few, 2):
        if (a, b) in singles or (b, a) in singles:
            continue
        joined = codes[a] * (int(codes[b].max()) + 1) + codes[b]
        pair = np.unique(joined, return_inverse=True)[1].astype(np.int64)
        for right in names:
            if right in (a, b) or (a, right) in singles or (b, right) in singles:
                continue
            if not _determines(pair, codes[right], agree[right]):
                continue
            if all(_adds(pair, codes[part], codes[right]) for part in (a, b)):
                out.append(Dependency((a, b), right))
    return out


def _codes(survey: Survey, name: str) -> Codes:
    """The values of a column as small integers; a missing value is a value of its own."""
    import numpy as np

    c = survey.sql(name)
    rows = survey.query(f"SELECT {c} FROM data LIMIT {_MOST_ROWS}")  # noqa: S608
    numbers: dict[Any, int] = {}
    return np.fromiter((numbers.setdefault(row[0], len(numbers)) for row in rows), np.int64, len(rows))


def _agreement(code: Codes) -> float:
    """The probability that two random rows share their value."""
    import numpy as np

    shares = np.bincount(code) / len(code)
    return float(shares @ shares)


def _determines(left: Codes, right: Codes, agreement: float) -> bool:
    import numpy as np

    groups = int(left.max()) + 1
    first = np.full(groups, -1, dtype=np.int64)
    first[left[::-1]] = right[::-1]
    if not bool((first[left] == right).all()):
        return False
    # Every row after the first of its group could have disagreed.
    chances = len(left) - len(np.unique(left))
    return chances >= _FEWEST_CHANCES and chances * math.log10(max(agreement, 1e-300)) < _CHANCE


def _adds(pair: Codes, part: Codes, right: Codes) -> bool:
    """Whether a pair tells more than one of its columns does: weighed by how often rows alike in that one agree.

    Where one column alone fails by a single exception, any second column mends it; that says nothing.
    """
    import numpy as np

    sizes = np.bincount(part).astype(np.float64)
    joined, counts = np.unique(part * (int(right.max()) + 1) + right, return_counts=True)
    alike = np.bincount(joined // (int(right.max()) + 1), weights=counts.astype(np.float64) ** 2) / sizes**2
    later = np.ones(len(pair), dtype=bool)
    later[np.unique(pair, return_index=True)[1]] = False
    return float(np.log10(alike[part[later]]).sum()) < _CHANCE
