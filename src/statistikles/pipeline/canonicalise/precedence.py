"""Columns that contradict each other: a total and its parts, a column and its twin, an age and a birth date.

The rule of precedence is fixed and said: parts before their total, the earlier column before its twin, the birth
date before the age. Nothing is changed unless it was decided. Candidates are found on the first rows; how often
they disagree is counted over the whole table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from statistikles.pipeline.canonicalise.codes import ask, notice, quote

if TYPE_CHECKING:
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.tables import Table

__all__ = ["Disagreement", "disagreements"]

_ROWS = 5000
_FEWEST = 8
_AGREE = 0.9
_TWINS = 0.95
_MOST_PARTS = 12
_AGE = re.compile(r"(?:^|[\W_])(?:age|alter|edad)(?:$|[\W_])", re.IGNORECASE)
_BIRTH = re.compile(r"birth|\bdob\b|_dob|born|geburt|geb_?(?:datum|jahr)|nacimiento", re.IGNORECASE)
_WHEN = re.compile(
    r"interview|visit|survey|exam|admission|enrol|baseline|erhebung|befragung|date|datum", re.IGNORECASE
)
_COPY = re.compile(r"[\s_.]*(?:\d+|copy|dup|bis|[xy])$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Rows in which a column contradicts another. `condition` picks them, `other` is what the other one gives."""

    code: str
    column: str
    condition: str
    other: str
    text: str
    rule: str
    settles: str


def disagreements(table: Table) -> list[Disagreement]:
    """Every pair or set of columns that agree in most rows and contradict each other in some."""
    out = [*_totals(table), *_twins(table), *_ages(table)]
    seen: set[str] = set()
    return [d for d in out if not (d.column in seen or seen.add(d.column))]  # type: ignore[func-returns-value]


def finding_of(table: Table, found: Disagreement, decided: str | None) -> Finding:
    """A disagreement as a finding: the rows, the rule of precedence, and what can be decided."""
    c = table.engine_column(found.column)[0]
    rows = table.query(
        f"SELECT count(*) OVER (), rowid + 1, {c} FROM data WHERE {found.condition} ORDER BY rowid LIMIT 5"  # noqa: S608
    )
    count = int(rows[0][0]) if rows else 0
    text = f"{found.text} in {count} row{'s' if count != 1 else ''}. {found.rule}"
    asked = "" if decided else _asked(found)
    seen = [row[2] for row in rows]
    return notice(found.code, text, found.column, count, rows=[r[1] for r in rows], seen=seen, asked=asked)


def _asked(found: Disagreement) -> str:
    options = [
        ("keep", "leave both as they are"),
        ("missing", f"those cells of '{found.column}' are missing"),
    ]
    if found.other:
        options.insert(0, ("other", found.settles))
    return ask(found.column, "disagree", *options)


def _numeric(table: Table) -> list[str]:
    return [
        c.name
        for c in table.columns
        if c.dtype in ("integer", "float") and c.kind == "numeric" and c.n >= _FEWEST and c.n_unique > 1
    ]


def _matrix(table: Table, names: Sequence[str]) -> Any:
    import numpy as np

    picked = ", ".join(table.engine_column(name)[0] for name in names)
    rows = table.query(f"SELECT {picked} FROM data ORDER BY rowid LIMIT {_ROWS}")  # noqa: S608
    values = np.array(rows, dtype=np.float64)
    values[~np.isfinite(values)] = np.nan
    return values


def _totals(table: Table) -> list[Disagreement]:
    """A column that is the sum of its neighbours in most rows."""
    import numpy as np

    names = _numeric(table)
    if len(names) < 3:
        return []
    values, out = _matrix(table, names), []
    places = [table.column_names.index(name) for name in names]
    for j, name in enumerate(names):
        for parts in _windows(places, j):
            sums, total = values[:, parts].sum(axis=1), values[:, j]
            complete = np.isfinite(sums) & np.isfinite(total)
            n = int(complete.sum())
            if n < _FEWEST:
                break
            slack = _slack(table, [name, *(names[k] for k in parts)])
            near = np.abs(sums - total) <= slack + 1e-9 * np.abs(total)
            agree = near & complete
            mixed = (values[:, parts] != 0).sum(axis=1) >= 2
            if _AGREE * n <= agree.sum() and (agree & mixed).sum() >= agree.sum() / 2:
                if agree.sum() < n or n == _ROWS:
                    out.append(_total(table, name, [names[k] for k in parts], slack))
                break
    return [found for found in out if _any(table, found.condition)]


def _windows(places: Sequence[int], j: int) -> list[list[int]]:
    """Runs of neighbouring numeric columns right before or right after column j, short ones first."""
    before = [list(range(j - k, j)) for k in range(2, min(_MOST_PARTS, j) + 1)]
    after = [list(range(j + 1, j + 1 + k)) for k in range(2, min(_MOST_PARTS, len(places) - j - 1) + 1)]
    windows = sorted([*before, *after], key=len)
    return [
        w
        for w in windows
        if max(*(places[k] for k in w), places[j]) - min(*(places[k] for k in w), places[j]) == len(w)
    ]


def _slack(table: Table, names: Sequence[str]) -> float:
    """How far rounding alone can move a total from the sum of its parts."""
    digits = [table.decimals.get(name, 0) for name in names]
    return 0.0 if not any(digits) else 0.5000001 * sum(10.0**-d for d in digits)


def _total(table: Table, name: str, parts: Sequence[str], slack: float) -> Disagreement:
    c = table.engine_column(name)[0]
    total = " + ".join(table.engine_column(part)[0] for part in parts)
    condition = f"abs({c} - ({total})) > {slack!r} + 1e-9 * abs({c})"
    listed = " + ".join(parts[:4]) + (" + ..." if len(parts) > 4 else "")
    text = f"'{name}' is {listed}, but differs from it"
    return Disagreement(
        "total_disagrees", name, condition, total, text, "Parts precede their total.", "the sum of the parts"
    )


def _any(table: Table, condition: str) -> bool:
    return bool(table.query(f"SELECT 1 FROM data WHERE {condition} LIMIT 1"))  # noqa: S608


def _twins(table: Table) -> list[Disagreement]:
    """Two columns that are equal in nearly every row that says anything."""
    import numpy as np

    names = [n for n in _numeric(table) if table.column(n).n_unique > 5]
    out = []
    if len(names) > 1:
        values = _matrix(table, names)
        for b in range(1, len(names)):
            for a in range(b):
                both = np.isfinite(values[:, a]) & np.isfinite(values[:, b])
                telling = both & ~(
                    (values[:, a] == _mode(values[:, a])) & (values[:, b] == _mode(values[:, b]))
                )
                n, same = int(telling.sum()), int((telling & (values[:, a] == values[:, b])).sum())
                if n >= _FEWEST and _TWINS * n <= same < n:
                    out.append(_twin(table, names[a], names[b]))
    texts = [c.name for c in table.columns if c.dtype == "text" and c.n >= _FEWEST]
    for b, later in enumerate(texts):
        for earlier in texts[:b]:
            if _COPY.sub("", later).casefold() == _COPY.sub("", earlier).casefold():
                found = _twin(table, earlier, later)
                n, odd = table.query(f"SELECT count(*), count_if({found.condition}) FROM data")[0]  # noqa: S608
                if 0 < odd <= (1 - _AGREE) * n:
                    out.append(found)
    return out


def _mode(values: Any) -> float:
    import numpy as np

    found, counts = np.unique(values[np.isfinite(values)], return_counts=True)
    return float(found[counts.argmax()]) if len(found) else 0.0


def _twin(table: Table, earlier: str, later: str) -> Disagreement:
    a, b = table.engine_column(earlier)[0], table.engine_column(later)[0]
    text = f"'{later}' repeats '{earlier}', but differs"
    rule = f"The earlier column, '{earlier}', precedes."
    return Disagreement(
        "columns_disagree", later, f"{a} <> {b}", a, text, rule, f"the value of {quote(earlier)}"
    )


def _ages(table: Table) -> list[Disagreement]:
    """An age in years beside a birth date or year."""
    ages = [
        c for c in table.columns if _AGE.search(c.name) and c.dtype in ("integer", "float") and c.n >= _FEWEST
    ]
    births = [c for c in table.columns if _BIRTH.search(c.name) and c.dtype in ("integer", "datetime")]
    if len(ages) != 1 or len(births) != 1 or ages[0].name == births[0].name:
        return []
    age, birth = (table.engine_column(c[0].name)[0] for c in (ages, births))
    if births[0].dtype == "integer" and not (
        float(births[0].min or 0) >= 1850 and float(births[0].max or 0) <= 2100
    ):
        return []
    year = birth if births[0].dtype == "integer" else f"year({birth})"
    days = [
        c
        for c in table.columns
        if c.dtype == "datetime" and c.name != births[0].name and _WHEN.search(c.name)
    ]
    if len(days) == 1:
        reference = f"year({table.engine_column(days[0].name)[0]})"
    else:
        row = table.query(f"SELECT mode(floor({age}) + {year}) FROM data")[0]  # noqa: S608
        if row[0] is None:
            return []
        reference = repr(float(row[0]))
    condition = f"abs(({reference} - {year}) - floor({age})) > 1"
    n, odd = table.query(
        f"SELECT count(*), count_if({condition}) FROM data WHERE {age} IS NOT NULL AND {year} IS NOT NULL"  # noqa: S608
    )[0]
    if not odd or n < _FEWEST or odd > 0.2 * n:
        return []
    text = f"'{ages[0].name}' does not fit '{births[0].name}'"
    rule = "The birth date precedes the age."
    return [Disagreement("age_disagrees", ages[0].name, condition, "", text, rule, "")]
