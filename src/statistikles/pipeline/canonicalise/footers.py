"""Totals at the end of a table: rows that are called a total, or whose numbers are the sums of their columns."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from statistikles.pipeline.canonicalise.codes import ask, notice
from statistikles.pipeline.canonicalise.missing import MISSING_CODES
from statistikles.pipeline.inference import Reading, choose_plain, readings_of

if TYPE_CHECKING:
    from statistikles.pipeline.engine import RawTable

__all__ = ["find_footers", "total_word"]

_LONG_NUMBER = re.compile(r"-?\d+\.\d{8,}")

_TOTAL = re.compile(
    r"\W*(?:grand\s+|sub-?\s*|column\s+)?(?:totals?|sums?|summen?|gesamt(?:summe)?|insgesamt|zwischensumme|overall|"
    r"somme|totaux|suma|totale|totaal|summa|yhteensä|razem|итого|合计|总计|合計)(?:\s*\(.*\)|\s+rows?)?\W*",
    re.IGNORECASE,
)
_MEAN = re.compile(
    r"\W*(?:means?|averages?|avg|mittelwerte?|durchschnitt|moyenne|media|promedio|median)\W*", re.IGNORECASE
)
_MOST = 3


def total_word(text: str) -> bool:
    """Whether a cell says that its row is a total or a mean."""
    return bool(_TOTAL.fullmatch(text) or _MEAN.fullmatch(text))


def find_footers(raw: RawTable, tail: Sequence[tuple[int, list[str | None]]], dropped: set[int]) -> None:
    """Leave out the last rows that are certainly totals; ask about the one that may be.

    Parameters
    ----------
    raw : the table.
    tail : its last rows (number, cells) that are still taken for data.
    dropped : the numbers of the rows that are left out; totals are added.
    """
    wanted = raw.decisions.get("footer")
    if wanted == "keep":
        return
    labelled: list[tuple[int, list[str | None]]] = []
    for number, row in reversed(tail[1:]):
        if len(labelled) == _MOST or not any(cell and total_word(cell) for cell in row):
            break
        labelled.append((number, row))
    if labelled:
        _labelled(raw, list(reversed(labelled)), wanted, dropped)
    elif len(tail) > _MOST and _stands_out(tail):
        _unlabelled(raw, tail[-1], wanted, dropped)


def _labelled(
    raw: RawTable, rows: Sequence[tuple[int, list[str | None]]], wanted: str | None, dropped: set[int]
) -> None:
    first = rows[0][0]
    for number, row in rows:
        label = next(cell for cell in row if cell and total_word(cell))
        fits = _fits(raw, first, row, dropped, mean=bool(_MEAN.fullmatch(label)))
        certain = bool(fits) and any(fits)
        if certain or wanted == "drop":
            dropped.add(number)
            text = f"The row '{label}' at the end holds totals of the columns above it."
            done = "Left out" + ("." if certain and wanted is None else ", as decided.")
            _say(raw, "footer_total", text, number, row, done=done)
        else:
            why = "its numbers are not their sums" if fits else "it has no numbers"
            text = f"A row at the end is called '{label}', but {why}; kept as data."
            _say(raw, "footer_doubt", text, number, row)


def _unlabelled(
    raw: RawTable, last: tuple[int, list[str | None]], wanted: str | None, dropped: set[int]
) -> None:
    number, row = last
    fits = _fits(raw, number, row, dropped, mean=False)
    if len(fits) < 2 or not all(fits):
        return
    text = f"The last row holds the sums of {len(fits)} columns, as a row of totals does"
    if wanted == "drop":
        dropped.add(number)
        _say(raw, "footer_total", text + ".", number, row, done="Left out, as decided.")
    else:
        _say(raw, "footer_doubt", text + "; kept as data.", number, row)


def _say(
    raw: RawTable, code: str, text: str, number: int, row: Sequence[str | None], *, done: str = ""
) -> None:
    asked = "" if done else ask("", "footer", ("drop", "it is a total"), ("keep", "it is data"))
    seen = [_shown(cell) for cell in row if cell is not None]
    raw.findings.append(notice(code, text, "", 1, rows=[number + 1], seen=seen, done=done, asked=asked))


def _shown(cell: str) -> str:
    """A cell as it is quoted: a sum of decimals without the digits that binary numbers leave over."""
    return f"{float(cell):.10g}" if _LONG_NUMBER.fullmatch(cell) else cell


def _stands_out(tail: Sequence[tuple[int, list[str | None]]]) -> bool:
    """Whether the last row is the greatest of the last rows in two columns of numbers at least, and least in none."""
    beyond = 0
    *before, (_, last) = tail
    for i, cell in enumerate(last):
        value = _plain_number(cell)
        if value is None:
            continue
        others = [v for v in (_plain_number(row[i]) for _, row in before) if v is not None]
        if not others or len(others) < len(before) / 2:
            continue
        if abs(value) < abs(math.fsum(others)):
            return False
        beyond += abs(value) > max(abs(v) for v in others)
    return beyond > 1


def _plain_number(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _fits(
    raw: RawTable, first: int, row: Sequence[str | None], dropped: set[int], *, mean: bool
) -> list[bool]:
    """For each number of a last row, whether it is the sum (or the mean) of the rows above it in its column."""
    out = []
    left_out = f" AND rowid NOT IN ({', '.join(map(str, sorted(dropped)))})" if dropped else ""
    for i, cell in enumerate(row):
        if cell is None:
            continue
        above = f"FROM raw WHERE rowid < {first}{left_out} AND c{i} IS NOT NULL"
        few = raw.con.execute(f"SELECT DISTINCT trim(CAST(c{i} AS VARCHAR)) {above} LIMIT 200").fetchall()
        values = {text for (text,) in few} - set(MISSING_CODES) - {""}
        reading, _ = choose_plain(readings_of([*values, cell]), (raw.delimiter == ";" and ",") or "")
        if reading.kind not in ("integer", "float") or not values:
            continue
        out.append(_is_sum(raw, i, reading, cell, above, mean=mean))
    return out


def _is_sum(raw: RawTable, i: int, reading: Reading, cell: str, above: str, *, mean: bool) -> bool:
    number = reading.sql("t").replace("CAST(", "TRY_CAST(", 1)
    column = f"SELECT {number} AS v FROM (SELECT trim(CAST(c{i} AS VARCHAR)) AS t {above})"  # noqa: S608
    total, average, n = raw.con.execute(f"SELECT fsum(v), favg(v), count(v) FROM ({column})").fetchall()[0]  # noqa: S608
    told = raw.con.execute(f"SELECT {number} FROM (SELECT ? AS t)", [cell]).fetchall()[0][0]  # noqa: S608
    if told is None or not n or n < 2:
        return False
    decimals = len(cell.partition(reading.decimal)[2]) if reading.decimal in cell else 0
    expected = average if mean else total
    # A total is rounded to the digits that are written.
    return bool(
        abs(told - expected)
        <= 0.5000001 * 10.0**-decimals * (1 if mean or decimals else 1e-6) + 1e-9 * abs(expected)
    )
