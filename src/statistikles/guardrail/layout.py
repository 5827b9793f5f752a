"""How a reply is laid out: words, sentences, clauses and tables, found once in linear time."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

__all__ = ["Layout", "Table", "Word", "stem"]

_WORD = re.compile(r"[^\W_]+")
_ABBREVIATION = re.compile(
    r"(?:\b(?:vs|e\.g|i\.e|al|pp|cf|approx|ca|no|fig|eq|resp|st|dr|z\.B|bzw|p\.ex)|\b[A-Z])\.$", re.IGNORECASE
)
_BREAK = re.compile(
    r"\n+|(?<=[.!?…])[\"”’)\]]*\s+(?=[^\sa-zß-öø-ÿ])|(?<=[.!?])\s+(?=\*?[a-z][\w\u0300-\u036f]*\*?\s*[=<])"
)
_CLAUSE = re.compile(
    r"[;:]|→|—|\s[–-]\s|,|\b(?:and|but|whereas|while|against|versus|vs\.?|compared (?:to|with)|than|et|und|contre|gegenüber|mais|aber|or|with)\b"
)
_LONGEST = 900
_SUFFIXES = ("ness", "ing", "ed", "er")


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """A crude stem: case folded, the commonest endings off, never under three letters."""
    low = word.casefold()
    if low.isdigit() or len(low) <= 3:
        return low
    if low.endswith("s") and not low.endswith("ss"):
        low = low[:-1]
    for suffix in _SUFFIXES:
        if low.endswith(suffix) and len(low) - len(suffix) >= 3:
            low = low[: -len(suffix)]
            break
    while len(low) > 3 and low[-1] in "eiy":
        low = low[:-1]
    return low


class Word(NamedTuple):
    """One word of the prose."""

    start: int
    end: int
    text: str
    stem: str


@dataclass(slots=True)
class Table:
    """A Markdown table: where it lies, its header cells and its rows of (start, end) cells."""

    start: int
    end: int
    header: list[tuple[int, int]]
    rows: list[list[tuple[int, int]]]


def _cells(text: str, start: int, end: int) -> list[tuple[int, int]]:
    line = text[start:end]
    bars = [i for i, ch in enumerate(line) if ch == "|"]
    if not line.lstrip().startswith("|"):
        bars.insert(0, -1)
    if not line.rstrip().endswith("|"):
        bars.append(len(line))
    return [(start + a + 1, start + b) for a, b in pairwise(bars)]


class Layout:
    """Words, sentence bounds and tables of one cleaned reply."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = [Word(m.start(), m.end(), m.group(), stem(m.group())) for m in _WORD.finditer(text)]
        self.word_starts = [w.start for w in self.words]
        self.breaks = self._sentences(text)
        self.tables = self._tables(text)
        self.table_starts = [t.start for t in self.tables]
        self.clauses = [0, *(m.end() for m in _CLAUSE.finditer(text))]

    @staticmethod
    def _sentences(text: str) -> list[int]:
        starts = [0]
        for m in _BREAK.finditer(text):
            if "\n" not in m.group() and _ABBREVIATION.search(text[max(0, m.start() - 8) : m.start()]):
                continue
            starts.append(m.end())
        bounded: list[int] = []
        for start, end in pairwise([*starts, len(text)]):
            # whatever has no end is cut, so that looking around within a sentence costs a bounded time
            bounded.extend(range(start, max(end, start + 1), _LONGEST))
        return bounded

    @staticmethod
    def _tables(text: str) -> list[Table]:
        if "|" not in text:
            return []
        tables: list[Table] = []
        current: Table | None = None
        at = 0
        for line in text.splitlines(keepends=True):
            bare = line.strip()
            if bare.count("|") >= 2 and bare.startswith("|"):
                cells = _cells(text, at, at + len(line.rstrip("\r\n")))
                if current is None:
                    current = Table(at, at + len(line), cells, [])
                    tables.append(current)
                elif not set(bare) <= set("|:- "):
                    current.rows.append(cells)
                current.end = at + len(line)
            else:
                current = None
            at += len(line)
        return tables

    def sentence(self, at: int) -> tuple[int, int]:
        """Bounds of the sentence (or line) that holds an offset."""
        i = bisect_right(self.breaks, at) - 1
        end = self.breaks[i + 1] if i + 1 < len(self.breaks) else len(self.text)
        return self.breaks[i], end

    def clause_start(self, at: int) -> int:
        """Where the clause that holds an offset begins."""
        return self.clauses[bisect_right(self.clauses, at) - 1]

    def word_before(self, at: int) -> Word | None:
        """The last word that ends at or before an offset."""
        i = bisect_right(self.word_starts, at - 1) - 1
        return self.words[i] if i >= 0 and self.words[i].end <= at else None

    def words_between(self, start: int, end: int) -> list[Word]:
        """The words that lie in [start, end)."""
        first = bisect_right(self.word_starts, start - 1)
        last = bisect_right(self.word_starts, end - 1)
        return self.words[first:last]

    def cell(self, at: int) -> tuple[Table, int, int] | None:
        """(table, row, column) of an offset inside a table; row -1 is the header."""
        if not self.tables:
            return None
        i = bisect_right(self.table_starts, at) - 1
        if i < 0 or at >= self.tables[i].end:
            return None
        table = self.tables[i]
        if (col := _column(table.header, at)) is not None:
            return table, -1, col
        lo, hi = 0, len(table.rows)
        while lo < hi:
            mid = (lo + hi) // 2
            if table.rows[mid] and table.rows[mid][-1][1] < at:
                lo = mid + 1
            else:
                hi = mid
        if lo < len(table.rows) and (col := _column(table.rows[lo], at)) is not None:
            return table, lo, col
        return None


def _column(cells: list[tuple[int, int]], at: int) -> int | None:
    """The cell of a row that holds an offset; of two that meet there, the first."""
    col = bisect_left(cells, at, key=lambda cell: cell[1])
    return col if col < len(cells) and cells[col][0] <= at else None
