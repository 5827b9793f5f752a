"""When the planner is unsure: what it understood, and up to three questions it could answer, each runnable as it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from statistikles.errors import did_you_mean
from statistikles.neural.planner.columns import find_mentions, read
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.reading import Reading
from statistikles.neural.planner.view import ColumnView, TableView
from statistikles.neural.planner.words import is_common
from statistikles.neural.planner.writing import safe

__all__ = ["Offer", "offer"]

_SHOWN = 3
_NAMES_SHOWN = 20


@dataclass(frozen=True)
class Offer:
    """The reply, the questions offered, and what was understood."""

    text: str
    questions: tuple[str, ...]
    understood: str


def offer(
    text: str, readings: Sequence[Reading], tables: Sequence[TableView], runnable: Callable[[str], bool]
) -> Offer:
    """Say what was understood and offer the best readings; nothing is computed."""
    candidates = [q for r in readings for q in _questions(r)]
    mentioned = list(dict.fromkeys(c for r in readings for c in _columns(r)))
    if not mentioned:
        mentioned = [m.column for table in tables for m in find_mentions(read(text), table, least=0.25)][:4]
    for table in tables:
        candidates += _about(mentioned, table)
    questions: list[str] = []
    for candidate in dict.fromkeys(candidates):
        if len(questions) == _SHOWN:
            break
        if runnable(candidate):
            questions.append(candidate)
    understood = readings[0].described() if readings else ""
    return Offer(_text(text, mentioned, tables, questions), tuple(questions), safe(understood))


def _columns(reading: Reading) -> list[ColumnView]:
    return [*reading.outcomes, *([reading.group] if reading.group is not None else []), *reading.controls]


def _text(
    asked: str, mentioned: Sequence[ColumnView], tables: Sequence[TableView], questions: Sequence[str]
) -> str:
    if not tables and not questions:
        return (
            "No table is loaded, so nothing was computed. Give data, or ask about the size or power of a study, for "
            "example how many participants are needed to detect a medium effect."
        )
    parts = ["I am not sure what is asked, so nothing was computed."]
    if mentioned:
        parts.append(
            "I recognised the column " + " and ".join(f"'{safe(c.name)}'" for c in mentioned[:4]) + "."
        )
        parts += _close(asked, [c.name for t in tables for c in t.columns if c not in mentioned], mentioned)
    else:
        names = [c.name for t in tables for c in t.columns]
        listed = ", ".join(f"'{safe(n)}'" for n in names[:_NAMES_SHOWN])
        more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
        parts += ["I recognised no column.", *_close(asked, names), f"The columns are: {listed}{more}."]
    if questions:
        parts.append("Did you mean:")
    return " ".join(parts) + ("\n" + "\n".join(f"- {q}" for q in questions) if questions else "")


def _close(asked: str, names: Sequence[str], mentioned: Sequence[ColumnView] = ()) -> list[str]:
    """For the first word that looks like a misspelt column: which one it may be."""
    known = {w for c in mentioned for w in (c.name, *c.words)}
    for word in asked.split():
        plain = word.strip("?.,!'\"")
        if (
            len(plain) > 3
            and plain not in known
            and not is_common(plain)
            and (hint := did_you_mean(plain, names))
        ):
            return [f"There is no column '{safe(plain)}'. {hint}" if mentioned else hint]
    return []


def _questions(reading: Reading) -> list[str]:
    """A reading as a question that says it plainly."""
    names = [_named(c) for c in reading.outcomes]
    if not names:
        return []
    if reading.intent is Intent.COMPARE and reading.group is not None:
        return [f"Does {names[0]} differ between the groups of {_named(reading.group)}?"]
    if reading.intent is Intent.ASSOCIATE and len(names) == 2:
        return [f"Is there an association between {names[0]} and {names[1]}?"]
    if reading.intent is Intent.PAIRED and len(names) == 2:
        return [f"Do the paired measurements {names[0]} and {names[1]} differ?"]
    if reading.intent is Intent.FREQUENCIES:
        return [f"What are the frequencies of {names[0]}?"]
    if reading.intent is Intent.DESCRIBE and reading.group is None:
        return [f"Describe {names[0]}"]
    return []


def _named(column: ColumnView) -> str:
    name = safe(column.name)
    plain = name.replace("_", "").isalpha() and len(name) > 2
    return name if plain else f'"{name}"'


def _about(mentioned: Sequence[ColumnView], table: TableView) -> list[str]:
    """Questions about the columns recognised, or about the first usable ones."""
    mine = [c for c in mentioned if c in table.columns]
    usable = [
        c for c in table.columns if not c.identifier and not c.constant and c.kind not in ("empty", "text")
    ]
    numeric = [c for c in mine if c.numeric] or ([] if mine else [c for c in usable if c.numeric])
    groups = [c for c in mine if c.groups and not c.numeric] or [
        c for c in usable if c.groups and not c.numeric
    ]
    out = []
    for column in [c for c in mine if not c.numeric]:
        out.append(f"What are the frequencies of {_named(column)}?")
    if numeric:
        out.append(f"Describe {_named(numeric[0])}")
        if groups:
            out.append(f"Does {_named(numeric[0])} differ between the groups of {_named(groups[0])}?")
        out.append(f"Is {_named(numeric[0])} normally distributed?")
        others = [c for c in usable if c.numeric and c is not numeric[0]]
        if others:
            out.append(f"Is there an association between {_named(numeric[0])} and {_named(others[0])}?")
    if not numeric and groups:
        out.append(f"What are the frequencies of {_named(groups[0])}?")
    if not numeric and len(groups) > 1:
        out.append(f"Is there an association between {_named(groups[0])} and {_named(groups[1])}?")
    return out
