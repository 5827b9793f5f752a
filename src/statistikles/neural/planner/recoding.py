"""Several columns recoded at once: 'normalise A, B and C', 'convert D and E to zeros and ones', then the mean of each."""

from __future__ import annotations

import re
from dataclasses import replace

from statistikles.neural.planner.columns import find_mentions, read
from statistikles.neural.planner.filters import quoted
from statistikles.neural.planner.formulas import derived
from statistikles.neural.planner.lists import runs
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["recoded"]

# An instruction: the verb opens a clause (a 'scale from 1 to 5' is a noun).
_LEAD = r"(?:^|[.;:,!?\n]\s*|\b(?:and|then|to|by|please|first)\s+)"
_LIST = r"(?P<list>(?:[^.?!;]|[.](?=\w)){3,200}?)"
_END = r"(?=[.?!;]|\n|,?\s+(?:and then|then)\b|,?\s+and\s+(?:calculate|compute|find|report|give|show|determine)\b|$)"
# (pattern, formula of a numeric column); the list of columns follows the verb.
_SCALINGS = (
    (re.compile(rf"{_LEAD}(?:standardi[sz]\w*|z-?scor\w*)\s+{_LIST}{_END}", re.IGNORECASE), "zscore({})"),
    (
        re.compile(
            rf"{_LEAD}(?:normali[sz]\w*|min-?max[- ]scal\w*|rescal\w*|scal(?:e|"
            rf"ing))\s+{_LIST}{_END}",
            re.IGNORECASE,
        ),
        "minmax({})",
    ),
    (re.compile(rf"{_LEAD}log[- ]?transform\w*\s+{_LIST}{_END}", re.IGNORECASE), "log({})"),
)
_CODING = re.compile(
    rf"{_LEAD}(?:transform|convert|encod|recod|map|turn|chang|code)\w*\s+{_LIST}\s+(?:columns?\s+)?(?:in)?to\s+(?:a\s+)?"
    r"(?:binary|numeric(?:al)?|dummy|0 and 1|zeros? and ones?|0/1|numbers|integers?)\b[^.?!;\n]*",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:each|every|all(?: the)?|these|those|the)\s+(?:(?:of the|of these|numeric|normali[sz]ed|scaled|encoded|resulting|"
    r"transformed|recoded|processed|standardi[sz]ed)\s+)*(?:columns?|variables?|features?)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*\bafter (?:the |this |all )?(?:\w+ )?(?:preprocessing|transformations?|scaling|encoding|"
    r"normali[sz]ation|steps)\b",
    re.I,
)
_YES = ("yes", "1", "true", "y", "t")


def recoded(text: str, table: TableView) -> tuple[str, TableView]:
    """The text without its recoding instructions, and the table with the recoded columns in place of the old ones.

    Only where two columns or more are recoded, and the text then asks for all of them or for some by name.
    """
    changed: dict[str, ColumnView] = {}
    cuts: list[tuple[int, int]] = []
    coding = _CODING.search(text)
    if coding is not None:
        for column in _listed(coding["list"], table):
            if column.binary and not column.numeric:
                changed[column.name] = _coded(column, table)
        cuts.append(coding.span())
    for pattern, form in _SCALINGS:
        match = pattern.search(text)
        if match is None:
            continue
        for column in _listed(match["list"], table):
            if column.numeric and not column.formula:
                changed[column.name] = derived(column.name, form.format(quoted(column.name)), table)
        cuts.append(match.span())
    if len(changed) < 2:
        return text, table
    rest = text
    for start, end in sorted(cuts, reverse=True):
        rest = f"{rest[:start]} {rest[end:]}"
    names = ", ".join(f'"{name}"' for name in changed)
    asked = next((s for s in re.split(r"(?<=[.?!\w])[.?!]?\s*\n|(?<=[.?!])\s+", rest) if _ALL.search(s)), "")
    if asked:
        rest = _AFTER.sub("", _ALL.sub(lambda _: names, asked, count=1)).strip()
    rest = re.sub(r"^\W*(?:(?:and|then|to|by)\b[,\s]*)*", "", rest)
    if not re.search(r"[^\W\d_]{3}.*[^\W\d_]{3}", rest):
        return text, table
    return rest, table.extended([replace(c, n_missing=table[name].n_missing) for name, c in changed.items()])


def _listed(text: str, table: TableView) -> list[ColumnView]:
    """The columns of a list of at least two, or the one that a phrase names."""
    question = read(text)
    found = [m for m in find_mentions(question, table) if m.score >= 0.8 or m.explicit]
    return [m.column for run in runs(question, found) for m in run]


def _coded(column: ColumnView, table: TableView) -> ColumnView:
    """Zeros and ones: yes or true is one, else the second value in the order of the alphabet."""
    yes = next((lv for lv in column.levels if lv.casefold() in _YES), sorted(column.levels)[-1])
    escaped = yes.replace("'", "''")
    return derived(column.name, f"code({quoted(column.name)}, '{escaped}')", table)
