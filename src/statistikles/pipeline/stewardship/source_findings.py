"""What is to be said about two tables of the same cases: what agrees, what differs and by which rule it was settled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship.pairing import Matched, Pair, text_key
from statistikles.pipeline.stewardship.survey import listed

__all__ = ["NEWEST", "Cases", "Counts", "Rule", "cases", "count", "keyed", "told", "used"]

NEWEST = "newest:"
_ROWS = 10
_SEEN = 5
_LONGEST = 40
_ADD_ROWS = "They are left out; --add-rows (in a recipe: add_rows) adds them."


@dataclass(frozen=True, slots=True)
class Counts:
    """How the cases that both tables have compare in one column."""

    compared: int
    agree: int
    near: int
    fillable: int
    only_here: int
    settled: int

    @property
    def differ(self) -> int:
        return self.compared - self.agree


@dataclass(frozen=True, slots=True)
class Rule:
    """What is done where two values differ: the cell that is kept, and which rows it settles, as SQL."""

    name: str
    cell: str
    settles: str
    told: str


# Counting ----------------------------------------------------------------------------------------------------


def _present(pair: Pair) -> str:
    return f"{pair.mine} IS NOT NULL AND {pair.theirs} IS NOT NULL"


def count(matched: Matched, rules: Mapping[str, Rule]) -> dict[str, Counts]:
    out = {}
    for pair in matched.pairs:
        present = _present(pair)
        asked = ", ".join(
            f"count_if({condition})"
            for condition in (
                present,
                f"{present} AND {pair.same}",
                f"{present} AND NOT {pair.same} AND {pair.near}",
                f"{pair.mine} IS NULL AND {pair.theirs} IS NOT NULL",
                f"{pair.mine} IS NOT NULL AND {pair.theirs} IS NULL",
                f"{present} AND NOT {pair.same} AND {rules[pair.column].settles}",
            )
        )
        row = matched.joined.query(f"SELECT {asked} FROM data WHERE {matched.both}")[0]  # noqa: S608
        out[pair.column] = Counts(*(int(n) for n in row))
    return out


def keyed(matched: Matched) -> str:
    """Rows of the other table alone that have a whole key, as SQL."""
    return f"{matched.here} IS NULL AND {_whole(matched.their_keys)}"


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases in both tables, only in this one, only in the other, and rows without a whole key in either."""

    both: int
    only_here: int
    only_there: int
    without_key: int


def cases(matched: Matched) -> Cases:
    """How the cases of the two tables meet."""
    alone, mine, theirs = f"{matched.there} IS NULL", _whole(matched.my_keys), _whole(matched.their_keys)
    row = matched.joined.query(
        f"SELECT count_if({matched.both}), count_if({alone} AND {mine}), count_if({keyed(matched)}), "  # noqa: S608
        f"count_if(({alone} AND NOT ({mine})) OR ({matched.here} IS NULL AND NOT ({theirs}))) FROM data"
    )[0]
    return Cases(*(int(n) for n in row))


# Findings ----------------------------------------------------------------------------------------------------


def told(
    matched: Matched,
    rules: Mapping[str, Rule],
    counted: Mapping[str, Counts],
    *,
    fill: bool,
    add_rows: bool,
    add_columns: Sequence[str],
) -> list[Finding]:
    """Everything that is to be said, the summary first."""
    here, there = matched.names
    both = cases(matched).both
    compared, agree = (sum(getattr(c, part) for c in counted.values()) for part in ("compared", "agree"))
    message = (
        f"'{here}' and '{there}' have {_many(both, 'case')} in common by {listed([a for a, _ in matched.keys])}; "
        f"{agree} of {_many(compared, 'pair')} of values agree in {_many(len(counted), 'column')} of both."
    )
    out = [_say("", "sources_compared", message, both), *matched.findings]
    for pair in matched.pairs:
        out += _of_column(matched, pair, rules[pair.column], counted[pair.column], fill=fill)
    return [*out, *_rows_alone(matched, add_rows=add_rows), *_columns_alone(matched, add_columns)]


def _say(column: str, code: str, message: str, count: int, **more: Any) -> Finding:
    return Finding(code, message, column, count, stage="validate", **more)


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'s' if count != 1 else ''}"


def _of_column(matched: Matched, pair: Pair, rule: Rule, counts: Counts, *, fill: bool) -> Iterable[Finding]:
    name, there = pair.column, matched.names[1]
    differ = f"{_present(pair)} AND NOT {pair.same}"
    left = counts.differ - counts.settled
    if counts.settled:
        text = f"'{name}' differs from '{there}' in {_many(counts.settled, 'cell')}.{_beside(pair, counts)}"
        rows, seen = _places(matched, pair, f"{differ} AND {rule.settles}")
        yield _say(name, "sources_disagree", text, counts.settled, rows=rows, seen=seen, done=rule.told)
    if left:
        undated = ", where neither row is later" if rule.name.startswith(NEWEST) else ""
        text = f"'{name}' differs from '{there}' in {_many(left, 'cell')}{undated}.{_beside(pair, counts)}"
        rows, seen = _places(matched, pair, f"{differ} AND NOT {rule.settles}")
        asked = _asked(matched, name)
        yield _say(
            name, "sources_disagree", text, left, severity="problem", rows=rows, seen=seen, asked=asked
        )
    if counts.fillable:
        are = "is" if counts.fillable == 1 else "are"
        text = f"{_many(counts.fillable, 'cell')} of '{name}' {are} missing here and given in '{there}'."
        rows, _ = _places(matched, pair, f"{pair.mine} IS NULL AND {pair.theirs} IS NOT NULL")
        done = f"Filled from '{there}'." if fill else ""
        asked = "" if fill else "'clean' fills them, unless told not to (--no-fill; in a recipe fill: false)."
        yield _say(name, "source_fills", text, counts.fillable, rows=rows, done=done, asked=asked)


def _beside(pair: Pair, counts: Counts) -> str:
    """How many of the differences are slight, and what else is to be known of the comparison."""
    why = "in case" if pair.kind == "text" else "by rounding"
    near = f" {counts.near} of {counts.differ} only {why}." if counts.near else ""
    return near + (f" {pair.note}" if pair.note else "")


def _asked(matched: Matched, column: str) -> str:
    here, there = matched.names
    return (
        f"State a precedence with --prefer (in a recipe: prefer): `{column}=this` (the value of '{here}'), "
        f"`{column}=other` (of '{there}'), `{column}=missing`, or `{column}=newest:COLUMN` (of the row that is later)."
    )


def _places(matched: Matched, pair: Pair, condition: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The first rows (from 1) for which a condition holds, and the two values of some of them."""
    rows = matched.joined.query(
        f"SELECT {matched.here} + 1, CAST({pair.mine} AS VARCHAR), CAST({pair.theirs} AS VARCHAR) FROM data "  # noqa: S608
        f"WHERE {matched.both} AND {condition} ORDER BY rowid LIMIT {_ROWS}"
    )
    seen = tuple(f"{_short(a)} / {_short(b)}" for _, a, b in rows[:_SEEN])
    return tuple(int(row[0]) for row in rows), seen


def _short(text: Any) -> str:
    shown = str(text).removesuffix(" 00:00:00")
    return shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…"


def _rows_alone(matched: Matched, *, add_rows: bool) -> Iterable[Finding]:
    """Cases that only one of the tables has, and rows whose key is missing."""
    here, there = matched.names
    found = cases(matched)
    if found.only_here:
        text = f"{_many(found.only_here, 'case')} only in '{here}'."
        condition = f"{matched.there} IS NULL AND {_whole(matched.my_keys)}"
        rows, seen = _keys_of(matched, condition, matched.here, matched.my_keys)
        yield _say("", "cases_only_here", text, found.only_here, rows=rows, seen=seen)
    if found.only_there:
        text = f"{_many(found.only_there, 'case')} only in '{there}' (rows of that table)."
        rows, seen = _keys_of(matched, keyed(matched), matched.there, matched.their_keys)
        more: dict[str, Any] = {"severity": "warning", "asked": _ADD_ROWS}
        if add_rows:
            more = {"done": "Added below."}
        yield _say("", "cases_only_there", text, found.only_there, rows=rows, seen=seen, **more)
    alike = _alike(matched) if found.only_here and found.only_there else 0
    if alike:
        text = f"{_many(alike, 'key')} without a partner would have one but for case, blanks, marks or leading zeros."
        asked = "Write the keys alike in both tables if they mean the same cases."
        yield _say("", "keys_alike", text, alike, severity="warning", asked=asked)
    if found.without_key:
        text = f"{_many(found.without_key, 'row')} of the two tables without a whole key: matched with none."
        yield _say("", "key_missing", text, found.without_key, severity="warning")


def _whole(keys: Sequence[str]) -> str:
    return " AND ".join(f"{c} IS NOT NULL" for c in keys)


def _keys_of(
    matched: Matched, condition: str, row: str, keys: Sequence[str]
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The first rows (from 1) of a condition, and the keys of some of them."""
    cells = " || ' | ' || ".join(f"CAST({c} AS VARCHAR)" for c in keys)
    asked = f"SELECT {row} + 1, {cells} FROM data WHERE {condition} ORDER BY rowid LIMIT {_ROWS}"  # noqa: S608
    rows = matched.joined.query(asked)
    return tuple(int(r) for r, _ in rows), tuple(_short(k) for _, k in rows[:_SEEN])


def _alike(matched: Matched) -> int:
    """How many cases without a partner have one when text keys are folded hard."""
    texts = [matched.table.dtype(a) == "text" for a, _ in matched.keys]
    if not any(texts):
        return 0

    def folded(keys: Sequence[str]) -> str:
        parts = [
            f"ltrim(regexp_replace(lower({text_key(c)}), '[\\s_\\W]+', '', 'g'), '0')"
            if text
            else f"CAST({c} AS VARCHAR)"
            for text, c in zip(texts, keys, strict=True)
        ]
        return " || '|' || ".join(parts)

    row = matched.joined.query(
        f"SELECT count(*) FROM (SELECT {folded(matched.my_keys)} AS k FROM data WHERE {matched.there} IS NULL) "  # noqa: S608
        f"WHERE k IN (SELECT {folded(matched.their_keys)} FROM data WHERE {keyed(matched)})"
    )[0]
    return int(row[0])


def _columns_alone(matched: Matched, added: Sequence[str]) -> Iterable[Finding]:
    here, there = matched.names
    mine, theirs = used(matched)
    alone = [n for n in matched.table.column_names if n not in mine]
    if alone:
        yield _say("", "columns_only_here", f"Only in '{here}': {listed(alone, 10)}.", len(alone))
    alone = [n for n in matched.other.column_names if n not in theirs]
    if alone:
        done = f"Added: {listed(list(added), 10)}." if added else ""
        asked = "" if added else "They are left out; --add-columns (in a recipe: add_columns) adds them."
        text = f"Only in '{there}': {listed(alone, 10)}."
        yield _say("", "columns_only_there", text, len(alone), done=done, asked=asked)


def used(matched: Matched) -> tuple[set[str], set[str]]:
    """Columns that are keys, compared, or could not be compared."""
    refused = {f.column for f in matched.findings if f.code in ("source_units", "source_kinds")}
    mine = {a for a, _ in matched.keys} | {p.column for p in matched.pairs} | refused
    theirs = {b for _, b in matched.keys} | {p.other for p in matched.pairs}
    theirs |= {name for name in matched.other.column_names if name in refused}
    return mine, theirs
