"""What a loaded table makes one doubt: codes for missing among the values, counted times, damaged names, spellings.

Nothing is changed here; each doubt names the decision that settles it. The checks are engine queries over columns
that qualify by their range or number of different entries, so that a large table costs little.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from statistikles.pipeline.canonicalise.codes import ask, notice, quote
from statistikles.pipeline.canonicalise.dates import says_date
from statistikles.pipeline.canonicalise.decisions import TABLE
from statistikles.pipeline.canonicalise.missing import SPREADSHEET_DAMAGE
from statistikles.pipeline.canonicalise.spellings import look_alikes, variants
from statistikles.pipeline.engine import literal

if TYPE_CHECKING:
    from statistikles.pipeline.findings import Finding
    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.tables import Table

__all__ = ["hints"]

_MOST_LEVELS = 2000
_BLOCKS = 2001
_NEGATIVE = (-9, -99, -999, -9999, -99999, -999.25, -9999.25, -88, -888, -77, -777, -98, -998)
_POSITIVE = (99, 999, 9999, 99999, 999999, 98, 998, 88, 888, 8888, 77, 777, 7777)
_CODED = frozenset(map(float, (*_NEGATIVE, *_POSITIVE)))
_WORDS = frozenset(
    ("?", "??", "-", "--", "---", "…", "n.a.", "n. a.", "k.a.", "k. a.", "#div/0!", "#value!", "#ref!", "#name?",
     "#null!", "#num!", "missing", "not available", "no data", "keine angabe", "(null)", "(blank)", "[null]")
)  # fmt: skip
_COUNTS_TIME = re.compile(
    r"date|time|stamp|epoch|unix|created|updated|modified|_at\b|\bdt\b|_dt\b|\bts\b|_ts\b", re.IGNORECASE
)
_SAYS_DAY = re.compile(r"date|datum|fecha|\bdob\b|birth.?day|geburtstag", re.IGNORECASE)
_FIRST_SECOND, _LAST_SECOND = 631_152_000, 2_208_988_800  # 1990 to 2040
_FIRST_DAY, _LAST_DAY = 7_306, 58_440  # 1920 to 2060 in a spreadsheet's days
_GENE = re.compile(r"[A-Z][A-Za-z0-9]{1,9}(?:-[A-Z0-9]{1,4})?\Z")
_SAYS_GENE = re.compile(r"gene|symbol|locus|probe|transcript|protein", re.IGNORECASE)
_DAMAGED = re.compile(rf"(?:{SPREADSHEET_DAMAGE})\Z")
_MOJIBAKE = re.compile(
    "[ÃÂ][\u0080-\u00bf\u20ac\u201a-\u2122\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192]|â€|ï»¿"
)
_TWO_LETTERS = re.compile(r"[A-Z]{2}\Z")


def hints(table: Table, only: Collection[str] | None = None) -> list[Finding]:
    """Every doubt about the columns of a table, or about some of them."""
    out: list[Finding] = []
    for column in table.columns:
        if column.n == 0 or (only is not None and column.name not in only):
            continue
        look = _Look(table, column, table.engine_column(column.name)[0])
        if column.dtype in ("integer", "float"):
            out += [found for found in (_epoch(look), _digits(look), _codes(look), _thousands(look)) if found]
        elif column.dtype == "text" and column.n_unique <= _MOST_LEVELS:
            out += _texts(look)
    return out


@dataclass(frozen=True, slots=True)
class _Look:
    """One column under examination; `sql` is the engine's name of it."""

    table: Table
    column: Column
    sql: str

    @property
    def name(self) -> str:
        return self.column.name

    def decided(self, *keys: str) -> bool:
        return self.table.decisions.about(self.name, *keys)

    def rows(self, condition: str) -> tuple[int, list[int]]:
        """How many rows fulfil a condition, and the first of them."""
        found = self.table.query(
            f"SELECT count(*) OVER (), rowid + 1 FROM data WHERE {condition} ORDER BY rowid LIMIT 5"  # noqa: S608
        )
        return (int(found[0][0]), [int(row) for _, row in found]) if found else (0, [])

    def rows_with(self, cells: Iterable[object]) -> tuple[int, list[int]]:
        listed = ", ".join(literal(c) if isinstance(c, str) else repr(c) for c in cells)
        return self.rows(f"{self.sql} IN ({listed})")


def _epoch(look: _Look) -> Finding | None:
    """Unix times and a spreadsheet's days under a header that speaks of time."""
    column, low, high = look.column, look.column.min, look.column.max
    if (
        look.decided("epoch", "type", "dates")
        or not isinstance(low, (int, float))
        or not isinstance(high, (int, float))
    ):
        return None
    if column.n_unique < 2:
        return None
    for unit, factor, what in (
        ("s", 1, "seconds"),
        ("ms", 1000, "milliseconds"),
        ("us", 1_000_000, "microseconds"),
    ):
        if _FIRST_SECOND * factor <= low and high <= _LAST_SECOND * factor and _COUNTS_TIME.search(look.name):
            first = dt.datetime.fromtimestamp(low / factor, dt.UTC).strftime("%Y-%m-%d %H:%M:%S")
            text = f"'{look.name}' looks like Unix time in {what}: {low:.0f} would be {first} UTC."
            asked = ask(look.name, "epoch", (unit, "they are times"), ("none", "they are numbers"))
            return notice("epoch_hint", text, look.name, column.n, seen=[f"{low:.0f}"], asked=asked)
    if low >= _FIRST_DAY and high <= _LAST_DAY and _SAYS_DAY.search(look.name):
        first = (dt.datetime(1899, 12, 30) + dt.timedelta(days=low)).strftime("%Y-%m-%d")
        text = f"'{look.name}' looks like a spreadsheet's day numbers: {low:g} would be {first}."
        asked = ask(
            look.name,
            "epoch",
            ("excel", "days since 1900"),
            ("excel1904", "days since 1904"),
            ("none", "numbers"),
        )
        return notice("epoch_hint", text, look.name, column.n, seen=[f"{low:g}"], asked=asked)
    return None


def _digits(look: _Look) -> Finding | None:
    """Whole numbers that are dates when read as YYYYMMDD, all of them."""
    column, low, high = look.column, look.column.min, look.column.max
    if column.dtype != "integer" or look.decided("dates", "type", "epoch") or column.n_unique < 2:
        return None
    if (
        not isinstance(low, (int, float))
        or not isinstance(high, (int, float))
        or low < 19000101
        or high > 21001231
    ):
        return None
    if column.n_unique < 5 and not says_date(look.name):
        return None
    condition = f"{look.sql} IS NOT NULL AND try_strptime(CAST({look.sql} AS VARCHAR), '%Y%m%d') IS NULL"
    if look.rows(condition)[0]:
        return None
    text = f"'{look.name}' holds eight digits that are dates when read as year, month and day, such as {low:.0f}."
    asked = ask(look.name, "dates", ("ymd", "they are dates"), ("text", "they are codes"))
    return notice("date_digits", text, look.name, column.n, seen=[f"{low:.0f}"], asked=asked)


def _thousands(look: _Look) -> Finding | None:
    """Numbers such as 1.234, all with three decimals, where no other column proves what the point separates."""
    table, low, high = look.table, look.column.min, look.column.max
    if (
        table.decimals.get(look.name) != 3
        or look.decided("decimal", "type")
        or "decimal" in _whole_table(table)
    ):
        return None
    if any(count in (1, 2) or count > 3 for count in table.decimals.values()):
        return None
    if any(f.column == look.name and f.code in ("ambiguous_number", "decimal_comma") for f in table.findings):
        return None
    if (
        not isinstance(low, (int, float))
        or not isinstance(high, (int, float))
        or high >= 1000
        or low <= -1000
    ):
        return None
    short = f"abs({look.sql}) < 1 OR round({look.sql} * 1000) % 10 = 0"
    if look.rows(short)[0]:  # 0.123 and 1.25 are decimals; 1.250 is left out, as its last digit is not kept
        return None
    shown = f"{low:.3f}"
    text = (
        f"'{look.name}' has values such as {quote(shown)}, all with three decimals: read as decimals; the point could "
        "separate thousands."
    )
    asked = ask(
        look.name, "decimal", ("point", "they are decimals"), ("comma", "the point separates thousands")
    )
    return notice(
        "ambiguous_number", text, look.name, look.column.n, severity="info", seen=[shown], asked=asked
    )


def _whole_table(table: Table) -> set[str]:
    """The keys that were decided for all columns."""
    return {key for column, key, _ in table.decisions if column == TABLE}


def _codes(look: _Look) -> Finding | None:
    """Numbers such as -999 or 99 that stand far off all others."""
    low, high = look.column.min, look.column.max
    if (
        look.decided("missing", "type", "epoch")
        or look.column.kind == "identifier"
        or look.column.n_unique < 3
    ):
        return None
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return None
    wanted = [value for value in (float(low), float(high)) if value in _CODED]
    if not wanted:
        return None
    listed = ", ".join(repr(value) for value in sorted(_CODED))
    rest = look.table.query(
        f"SELECT min({look.sql}), max({look.sql}), count(*) FROM data "  # noqa: S608
        f"WHERE {look.sql} IS NOT NULL AND {look.sql} NOT IN ({listed})"
    )[0]
    if rest[0] is None or rest[2] < look.column.n / 2:
        return None
    least, most = float(rest[0]), float(rest[1])
    spread = max(most - least, 1.0)
    odd = [v for v in sorted(_CODED) if _stands_off(v, least, most, spread)]
    count, rows = look.rows_with(odd) if odd else (0, [])
    if not count:
        return None
    found = [row[0] for row in look.table.query(
        f"SELECT DISTINCT {look.sql} FROM data WHERE {look.sql} IN ({', '.join(map(repr, odd))}) ORDER BY 1"  # noqa: S608
    )]  # fmt: skip
    shown = [f"{value:.10g}" for value in found]
    text = (
        f"'{look.name}' has {count} entr{'ies' if count > 1 else 'y'} {' and '.join(shown)}, far from the others "
        f"({least:.6g} to {most:.6g}): a code for missing?"
    )
    asked = f"Decide `{look.name}:missing={','.join(shown)}` (missing) or `{look.name}:type=number` (measured values)."
    return notice("missing_doubt", text, look.name, count, rows=rows, seen=shown, asked=asked)


def _stands_off(value: float, least: float, most: float, spread: float) -> bool:
    if value < 0:
        return value < least and (least >= 0 or least - value > 2 * spread)
    return value > most and value - most > spread


def _texts(look: _Look) -> list[Finding]:
    """Doubts about the entries of a text column."""
    cells = {
        str(cell): int(count)
        for cell, count in look.table.query(
            f"SELECT {look.sql}, count(*) FROM data WHERE {look.sql} IS NOT NULL GROUP BY 1"  # noqa: S608
        )
    }
    found = [
        _fill_down(look),
        _words(look, cells),
        _country(look, cells),
        _genes(look, cells),
        _mojibake(look, cells),
    ]
    out = [finding for finding in found if finding is not None]
    if look.column.n_unique < look.column.n and not look.decided("variants"):
        out += _spellings(look, cells)
    return out


def _fill_down(look: _Look) -> Finding | None:
    """Blanks that follow the labels regularly, as where a label is written once above its rows."""
    column, coded = look.column, look.table.missing_codes.get(look.name, {})
    if look.decided("fill", "missing") or column.n < 2 or column.n_missing < column.n or any(coded):
        return None
    # A block is a label with the blanks below it.
    blocks = look.table.query(
        f"SELECT min({look.sql}), count(*), min(rowid) FROM (SELECT rowid, {look.sql}, "  # noqa: S608
        f"count({look.sql}) OVER (ORDER BY rowid) AS block FROM data) GROUP BY block ORDER BY block LIMIT {_BLOCKS}"
    )
    labels, sizes = [row[0] for row in blocks], [int(row[1]) for row in blocks]
    # Only the last block may be short; entries that are missing here and there leave blocks of all sizes.
    if labels[0] is None or len(blocks) >= _BLOCKS or min(sizes[:-1]) < 2 or max(sizes) > 3 * min(sizes[:-1]):
        return None
    if any(first == second for first, second in itertools.pairwise(labels)):
        return None
    text = (
        f"'{look.name}' has {column.n_missing} blanks, some below each of its {column.n} entries, such as "
        f"{quote(labels[0])} with {sizes[0] - 1}: does the entry hold for them too?"
    )
    asked = ask(look.name, "fill", ("down", "the entry above holds"), ("leave", "they are missing"))
    rows = look.rows(f"{look.sql} IS NULL")[1]
    return notice("fill_down", text, look.name, column.n_missing, rows=rows, seen=labels, asked=asked)


def _words(look: _Look, cells: dict[str, int]) -> Finding | None:
    """Entries that mean "not known" among the labels."""
    odd = sorted(cell for cell in cells if cell.casefold() in _WORDS)
    if (
        not odd
        or len(odd) == len(cells)
        or look.decided("missing", "type")
        or any("," in cell for cell in odd)
    ):
        return None
    if any(
        f.code in ("numbers_and_text", "dates_and_text") and f.column == look.name
        for f in look.table.findings
    ):
        return None
    count, rows = look.rows_with(odd)
    text = f"'{look.name}' has {count} entr{'ies' if count > 1 else 'y'} {' and '.join(map(quote, odd))}: missing?"
    asked = f"Decide `{look.name}:missing={','.join(odd)}` (missing) or `{look.name}:type=text` (a value)."
    return notice(
        "missing_doubt", text, look.name, count, severity="warning", rows=rows, seen=odd, asked=asked
    )


def _country(look: _Look, cells: dict[str, int]) -> Finding | None:
    """'NA' among two-letter codes may be a country, a state or an element, not a missing value."""
    count = look.table.missing_codes.get(look.name, {}).get("NA", 0)
    if not count or look.decided("missing") or not all(_TWO_LETTERS.match(cell) for cell in cells):
        return None
    text = f"'{look.name}' holds two-letter codes; is 'NA' one of them?"
    asked = f"Decide `{look.name}:missing=NA` (it is missing) or `{look.name}:missing=none` (it is a code)."
    return notice("missing_doubt", text, look.name, count, seen=["NA"], done="Read as missing.", asked=asked)


def _genes(look: _Look, cells: dict[str, int]) -> Finding | None:
    """Gene names and identifiers that a spreadsheet has turned into dates or numbers."""
    if look.decided("genes", "type"):
        return None
    odd = sorted(cell for cell in cells if _DAMAGED.match(cell))
    usual = sum(1 for cell in cells if _GENE.match(cell))
    with_digit = any(char.isdigit() for cell in cells if _GENE.match(cell) for char in cell)
    if not odd or not (
        _SAYS_GENE.search(look.name) or (usual > 0.6 * (len(cells) - len(odd)) and with_digit)
    ):
        return None
    count, rows = look.rows_with(odd)
    text = (
        f"'{look.name}' has {count} entr{'ies' if count > 1 else 'y'} such as {quote(odd[0])}, which a spreadsheet makes "
        "of names like SEPT2, MARCH1 or 2310009E13; the name cannot be told from them."
    )
    asked = (
        f"Restore them from the source, or decide `{look.name}:genes=missing` (they are missing) or "
        f"`{look.name}:genes=keep` (leave them as they are)."
    )
    return notice("gene_dates", text, look.name, count, rows=rows, seen=odd, asked=asked)


def _mojibake(look: _Look, cells: dict[str, int]) -> Finding | None:
    odd = sorted(cell for cell in cells if _MOJIBAKE.search(cell))
    if not odd:
        return None
    count, rows = look.rows_with(odd)
    text = f"'{look.name}' has entries such as {quote(odd[0])}: the letters were damaged before this file was saved."
    return notice("mojibake", text, look.name, count, rows=rows, seen=odd)


def _spellings(look: _Look, cells: dict[str, int]) -> list[Finding]:
    out = []
    groups = variants(cells)
    if groups:
        odd = [cell for group in groups for cell in group[1:]]
        count, rows = look.rows_with(odd)
        told = "; ".join(" = ".join(map(quote, group)) for group in groups[:3])
        text = f"'{look.name}' spells {len(groups)} categor{'ies' if len(groups) > 1 else 'y'} in several ways: {told}."
        asked = ask(
            look.name, "variants", ("merge", "the most frequent spelling for all"), ("keep", "they differ")
        )
        seen = [cell for group in groups for cell in group]
        out.append(notice("variants", text, look.name, count, rows=rows, seen=seen, asked=asked))
    merged = {cell for group in groups for cell in group}
    strange = [cell for cell in look_alikes(cells) if cell not in merged]
    if strange:
        count, rows = look.rows_with(strange)
        text = f"'{look.name}' has words that mix letters of two alphabets, such as {quote(strange[0])}."
        out.append(notice("look_alikes", text, look.name, count, rows=rows, seen=strange))
    return out
