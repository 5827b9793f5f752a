"""Decisions: how a user settles what a finding asks, as `COLUMN:KEY=VALUE` (`*` is the whole table).

The keys are the table below. A finding that asks names the exact decisions that settle it; one that cannot be
meant or that the data contradict is a typed error, never ignored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statistikles.errors import DataError, InputError, did_you_mean

__all__ = ["KEYS", "TABLE", "Decisions", "Key", "contradicted"]

TABLE = "*"
_WRITTEN = re.compile(r"(?P<column>.+):(?P<key>[A-Za-z_]+)=(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Key:
    """One thing that can be decided: for a column, for the table, or for both; and what may be said."""

    name: str
    scope: str
    choices: tuple[str, ...]
    meaning: str
    free: str = ""
    check: Callable[[str], bool] | None = None

    def accepts(self, value: str) -> bool:
        """Whether this is one of the choices, or fits the free form."""
        return value in self.choices or (self.check is not None and self.check(value))

    @property
    def told(self) -> str:
        """The choices in words."""
        return ", ".join([*self.choices, *([self.free] if self.free else [])])


def _is_year(value: str) -> bool:
    return value.isdecimal() and int(value) <= 100


def _is_codec(value: str) -> bool:
    import codecs

    try:
        return bool(getattr(codecs.lookup(value), "_is_text_encoding", True))
    except (LookupError, ValueError):
        return False


_ALL = (
    Key(
        "type",
        "column",
        ("text", "number", "boolean", "clock", "stopwatch"),
        "what the cells are: text as written; numbers (other entries become missing); truth values; times h:mm or "
        "h:mm:ss, in seconds; times m:ss, in seconds",
    ),
    Key("dates", "both", ("dmy", "mdy", "ymd", "text", "each"), "the order of day, month and year; text: "
        "no dates; each: every entry in the only order in which it is a date"),
    Key(
        "pivot",
        "both",
        (),
        "the century of two-digit years: years below this number are 20xx, the others 19xx",
        "a number from 0 to 100",
        _is_year,
    ),
    Key("decimal", "both", ("point", "comma"), "the decimal mark; the other one separates thousands"),
    Key(
        "missing",
        "both",
        ("none",),
        "entries that stand for a missing value; none: every entry is a value, 'NA' too",
        "entries separated by commas",
        lambda value: bool(value.strip()),
    ),
    Key(
        "epoch",
        "column",
        ("s", "ms", "us", "excel", "excel1904", "none"),
        "numbers that count time: Unix seconds, milli- or microseconds, a spreadsheet's days (also among dates); "
        "none: plain numbers",
    ),
    Key("percent", "both", ("face", "fraction"), "35% is 35, or 0.35"),
    Key("currency", "column", ("ignore", "text"), "cells with several currencies: drop the signs, or keep the text"),
    Key("variants", "both", ("merge", "keep"), "spellings that differ in case, blanks or look-alike letters only"),
    Key("fill", "column", ("down", "leave"), "blanks below a label: the label above holds for them, or they are missing"),
    Key("genes", "column", ("keep", "missing"), "names that a spreadsheet turned into dates or numbers"),
    Key("disagree", "column", ("keep", "missing", "other"), "cells that contradict another column: leave them, make "
        "them missing, or take the value that the other column gives"),
    Key("footer", "table", ("drop", "keep"), "rows of totals below the data"),
    Key("units_row", "table", ("drop", "keep"), "a row of units below the header"),
    Key("repeated_headers", "table", ("drop", "keep"), "rows that repeat the header"),
    Key("notes", "table", ("drop", "keep"), "lines of text below the data"),
    Key("blank_rows", "table", ("drop", "keep"), "rows without any entry"),
    Key("merged", "table", ("fill", "leave"), "merged cells of a workbook: the value in each of their rows, or the first"),
    Key("header", "table", ("first", "none"), "whether the first row holds the names of the columns"),
    Key("delimiter", "table", ("comma", "semicolon", "tab", "bar", "space"), "what separates the cells of a text file"),
    Key("encoding", "table", (), "how the letters of a text file are coded", "the name of an encoding", _is_codec),
)  # fmt: skip
KEYS: Mapping[str, Key] = {key.name: key for key in _ALL}


class Decisions:
    """What was decided about one table."""

    def __init__(self, made: Iterable[tuple[str, str, str]] = ()) -> None:
        self._made: dict[tuple[str, str], str] = {}
        for column, key, value in made:
            if self._made.setdefault((column, key), value) != value:
                raise _bad(
                    f"'{column}:{key}' is decided twice: '{self._made[column, key]}' and '{value}'.",
                    "Keep one.",
                )

    @classmethod
    def of(cls, given: Any) -> Decisions:
        """Decisions from `COLUMN:KEY=VALUE` texts, {"COLUMN:KEY": VALUE}, or {COLUMN: {KEY: VALUE}}.

        Raises
        ------
        InputError : one of them cannot be meant; the hint lists what can.
        """
        if given is None:
            return cls()
        if isinstance(given, Decisions):
            return given
        return cls([_checked(*parts) for parts in _parts(given)])

    def __bool__(self) -> bool:
        return bool(self._made)

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        return iter((column, key, value) for (column, key), value in self._made.items())

    def get(self, key: str, column: str = TABLE) -> str | None:
        """What was decided, for the column or else for the whole table; None when nothing was."""
        return self._made.get((column, key), self._made.get((TABLE, key)))

    def about(self, column: str, *keys: str) -> bool:
        """Whether any of these keys was decided for this very column."""
        return any((column, key) in self._made for key in keys)

    def written(self) -> dict[str, str]:
        """{"COLUMN:KEY": VALUE}, as a record of what was decided."""
        return {f"{column}:{key}": value for (column, key), value in self._made.items()}

    def resolved(self, headers: Sequence[str]) -> Decisions:
        """The same with the exact names of the columns.

        Raises
        ------
        DataError : there is no such column.
        """
        if not self._made:
            return self
        return Decisions([(_exact(column, headers), key, value) for column, key, value in self])

    def only(self, headers: Sequence[str]) -> Decisions:
        """Those about the table or about one of these columns."""
        known = {name.casefold() for name in headers}
        return Decisions([d for d in self if d[0] == TABLE or d[0].casefold() in known])


def _parts(given: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(given, str):
        given = [given]
    if isinstance(given, Mapping):
        for name, value in given.items():
            if isinstance(value, Mapping):
                yield from ((str(name), str(key), inner) for key, inner in value.items())
            else:
                column, _, key = str(name).rpartition(":")
                if not column:
                    raise _bad(f"The decision '{name}' names no column.", 'Write {"COLUMN:KEY": VALUE}.')
                yield column, key, value
    elif isinstance(given, Iterable):
        for text in given:
            found = _WRITTEN.fullmatch(text) if isinstance(text, str) else None
            if found is None:
                raise _bad(
                    f"The decision '{text}' cannot be read.", "Write COLUMN:KEY=VALUE, or *:KEY=VALUE."
                )
            yield found["column"], found["key"], found["value"]
    else:
        raise _bad("Decisions are not given as text or as a mapping.", 'Write {"COLUMN:KEY": VALUE}.')


def _checked(column: str, key: str, value: Any) -> tuple[str, str, str]:
    column, name = column.strip(), key.strip().lower()
    if name not in KEYS:
        hint = did_you_mean(name, KEYS) or ""
        raise _bad(
            f"Nothing called '{key}' can be decided.", f"{hint} The keys are {', '.join(KEYS)}.".strip()
        )
    known = KEYS[name]
    text = _text(value)
    if not known.accepts(text):
        raise _bad(f"'{column}:{name}' cannot be '{text}'.", f"It may be: {known.told}.")
    if known.scope == "table" and column != TABLE:
        raise _bad(f"'{name}' is decided for the whole table.", f"Write *:{name}={text}.")
    if known.scope == "column" and column == TABLE:
        raise _bad(f"'{name}' is decided for one column.", f"Write COLUMN:{name}={text}.")
    return column, name, text


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_text(item) for item in value)
    text = str(value).strip()
    return {",": "comma", ".": "point"}.get(text, text)


def _exact(column: str, headers: Sequence[str]) -> str:
    if column == TABLE or column in headers:
        return column
    hits = [name for name in headers if name.casefold() == column.casefold()]
    if len(hits) == 1:
        return hits[0]
    shown = ", ".join(headers[:20])
    raise DataError(
        f"A decision is about the column '{column}', which does not exist.",
        hint=did_you_mean(column, headers) or f"The columns are: {shown}.",
        where="decisions",
        code="unknown_column",
    )


def _bad(message: str, hint: str) -> InputError:
    return InputError(message, hint=hint, where="decisions", code="bad_decision")


def contradicted(column: str, key: str, value: str, why: str) -> DataError:
    """The refusal of a decision that the data contradict."""
    return DataError(
        f"The decision '{column}:{key}={value}' contradicts the data: {why}",
        hint=f"It may be: {KEYS[key].told}.",
        where="decisions",
        code="decision_contradicted",
    )
