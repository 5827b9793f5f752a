"""Frequency tables: how often each value, word or character occurs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError
from statistikles.registry.arguments import Choice, ConfLevel, LabelVector, ScalarNumber, Where
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Table
from statistikles.stats._tables import label_order, label_text, printed_number
from statistikles.stats._two_by_two import wilson_bounds

__all__ = ["frequency_table"]

# Letters and digits of any script, with apostrophes and hyphens inside.
_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_MOST_ROWS = 1000

declare_tool(
    "frequency_analysis",
    title="Frequency table",
    summary="Counts how often each value occurs, with proportions, cumulative proportions and all modes.",
)


@dataclass(frozen=True)
class TextOrLabels(LabelVector):
    """Labels or numbers, a column reference, or a bare text whose words are counted."""

    shape: ClassVar[str] = "text_or_labels"

    def schema(self) -> dict[str, Any]:
        labels, _, column = super().schema()["anyOf"]
        return {
            "anyOf": [labels, column, {"type": "string", "description": "a text whose words are counted"}]
        }

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, str):
            return value
        return super().check(value, where)

    def check_size(self, values: Any, where: Where) -> None:
        """Size rule for labels; a text is judged by its words."""
        if not isinstance(values, str):
            super().check_size(values, where)


@statistic(
    tool="frequency_analysis",
    title="Frequency table",
    use_when="one categorical or discrete variable, or a text: how often does each value occur",
    utterances=(
        "how many of each species are there",
        "frequency table",
        "what is the most common answer",
        "count the categories",
        "percentages of each category",
        "distribution of answers",
    ),
    refs=("Wilson 1927, doi:10.1080/01621459.1927.10502953",),
    oracle="collections:Counter",
    formula="proportion = count / n; cumulative in the order of the rows",
    equivalents={"R": "sort(table(data), decreasing = TRUE)", "Python": "pandas.Series(data).value_counts()"},
    example={"data": ["Adelie", "Gentoo", "Adelie", "Chinstrap", None, "Gentoo", "Adelie"]},
)
def frequency_table(
    data: Annotated[NDArray[Any] | str, TextOrLabels()],
    *,
    order: Annotated[str, Choice(("count", "value"))] = "count",
    unit: Annotated[str, Choice(("words", "characters"))] = "words",
    bins: Annotated[int, ScalarNumber(low=1, high=200, whole=True)] | None = None,
    top: Annotated[int, ScalarNumber(low=1, whole=True)] | None = None,
    conf_level: ConfLevel = 0.95,
) -> Table:
    """Count every value, with its proportion, Wilson interval and cumulative proportion.

    Parameters
    ----------
    data : labels or numbers, or a column; a bare text is split into words, which are counted.
    order : "count" (most frequent first, then by value) or "value" (numbers by size, text by alphabet).
    unit : what is counted in a bare text: words or characters.
    bins : for numbers, count in this many intervals of equal width instead of single values.
    top : show only the first so many rows.
    conf_level : confidence of the intervals of the proportions.

    Returns
    -------
    Table : one row per value; `details` holds all modes.

    Raises
    ------
    InputError : nothing to count, or bins for values that are not numbers.
    """
    text = isinstance(data, str)
    values = _tokens(data, unit) if isinstance(data, str) else _numbers_if_printed([_plain(v) for v in data])
    if not values:
        raise InputError(
            f"The text holds no {unit}." if text else "There is nothing to count.",
            hint="Send at least one value.",
            where="data",
            code="too_few_values",
        )
    entries, warnings = _counted(values, bins, order)
    n = len(values)
    rows = _rows(entries, n, conf_level)
    shown = min(top or len(rows), _MOST_ROWS if top is None else top)
    if shown < len(rows):
        warnings += (f"Only the first {shown} of {len(rows)} rows are listed; all of them are counted.",)
    highest = max(count for _, count in entries)
    modes = [value for value, count in entries if count == highest]
    if len(modes) == len(entries) > 1:
        warnings += ("Every value occurs equally often, so every value is a mode.",)
    return Table(
        method="Frequency table" + (f" of the {unit} of a text" if text else ""),
        rows=tuple(rows[:shown]),
        n=n,
        details={
            "modes": modes[:_MOST_ROWS],
            "mode_count": highest,
            "n_modes": len(modes),
            "n_unique": len(entries),
        },
        warnings=warnings,
        conventions=(
            "most frequent first, equal counts by value" if order == "count" else "rows in order of value",
            "proportions of the values present (missing ones are counted apart)",
            f"intervals: Wilson, {100 * conf_level:g}%, each proportion by itself",
            *(
                ("words are lower-cased; letters and digits of any script",)
                if text and unit == "words"
                else ()
            ),
            *(
                ("characters are lower-cased; white space is not counted",)
                if text and unit != "words"
                else ()
            ),
        ),
    )


def _tokens(text: str, unit: str) -> list[str]:
    folded = text.lower()
    return _WORD.findall(folded) if unit == "words" else [c for c in folded if not c.isspace()]


def _plain(label: Any) -> Any:
    """Whole floats as integers; true and false as words, apart from 1 and 0."""
    if isinstance(label, bool):
        return label_text(label)
    if isinstance(label, float) and label.is_integer() and abs(label) < 2**53:
        return int(label)
    return label


def _numbers_if_printed(values: list[Any]) -> list[Any]:
    """The labels of a numeric column, which arrive as text, as numbers; other labels as they are."""
    if not all(isinstance(v, str) for v in values):
        return values
    numbers = [printed_number(v) for v in values]
    return values if None in numbers else [_plain(v) for v in numbers]


def _counted(
    values: list[Any], bins: int | None, order: str
) -> tuple[list[tuple[Any, int]], tuple[str, ...]]:
    if bins is not None:
        return _binned(values, bins, order), ()
    entries = sorted(Counter(values).items(), key=lambda e: label_order(e[0]))
    if order == "count":
        entries.sort(key=lambda e: -e[1])
    return entries, ()


def _binned(values: Iterable[Any], bins: int, order: str) -> list[tuple[Any, int]]:
    """Counts in intervals closed on the left, the last one on both sides."""
    items = list(values)
    if any(isinstance(v, str) for v in items):
        raise InputError("'bins' needs numbers; the data hold text.", hint="Leave 'bins' out.", where="bins")
    numbers = np.array(items, dtype=np.float64)
    low, high = float(numbers.min()), float(numbers.max())
    if low == high or not np.isfinite(high - low):
        raise InputError("'bins' needs numbers that differ, within a range a double can hold.", where="bins")
    edges = np.linspace(low, high, bins + 1)
    if (np.diff(edges) <= 0).any():
        raise InputError("'bins' is too large for values this close together.", where="bins")
    counts, _ = np.histogram(numbers, edges)
    entries = [
        (f"[{edges[i]:.6g}, {edges[i + 1]:.6g}{']' if i == bins - 1 else ')'}", int(c))
        for i, c in enumerate(counts)
    ]
    return sorted(entries, key=lambda e: -e[1]) if order == "count" else entries


def _rows(entries: list[tuple[Any, int]], n: int, level: float) -> list[dict[str, Any]]:
    rows = []
    running = 0
    for value, count in entries:
        running += count
        low, high = wilson_bounds(count, n, level)
        rows.append(
            {
                "value": value,
                "count": count,
                "proportion": count / n,
                "percent": 100 * count / n,
                "conf_low": low,
                "conf_high": high,
                "cumulative_count": running,
                "cumulative_proportion": running / n,
                "cumulative_percent": 100 * running / n,
            }
        )
    return rows
