"""Dates as people write them: which order of day and month the cells of a column prove, and their ISO form.

A column becomes dates only when every cell has a date under exactly one order. Where the cells leave both orders
open, another date column of the same file may prove one; otherwise the column stays text and the order is asked.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from statistikles.pipeline.engine import literal

__all__ = ["EACH", "ORDERS", "Dated", "date_sql", "dated", "looks_dated", "says_date"]

_MONTHS = {
    "jan": 1, "ene": 1, "feb": 2, "fév": 2, "fev": 2, "mar": 3, "mär": 3, "mrz": 3, "apr": 4, "avr": 4, "abr": 4,
    "may": 5, "mai": 5, "jun": 6, "jul": 7, "aug": 8, "aoû": 8, "ago": 8, "sep": 9, "set": 9, "oct": 10, "okt": 10,
    "nov": 11, "dec": 12, "dez": 12, "déc": 12, "dic": 12,
}  # fmt: skip
_MONTH = "(" + "|".join(_MONTHS) + r")[a-zéèûä]*\.?"
_TIME = r"(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?: *([ap])\.?m\.?)?)?"
_GAP = r"[ .,/\-]*"

# Each shape: its pattern, and which group holds year, month and day under which order. The time is in the last four.
_SHAPES: Mapping[str, str] = {
    "numbers": r"(\d{1,2}) ?([./\-]) ?(\d{1,2}) ?[./\-] ?(\d{4}|\d{2})" + _TIME,
    "year first": r"(\d{4}) ?([./\-]) ?(\d{1,2}) ?[./\-] ?(\d{1,2})" + _TIME,
    "day name": r"(\d{1,2})(?:st|nd|rd|th)?" + _GAP + _MONTH + _GAP + r"(\d{4}|\d{2})" + _TIME,
    "name day": _MONTH + _GAP + r"(\d{1,2})(?:st|nd|rd|th)?[ ./\-]*,? *(\d{4})" + _TIME,
    "digits": r"(\d{4})(\d{2})(\d{2})",
}
# Numeric dates that are one by themselves: a day above 12 stands where it stands, or day and month are the same.
_BEYOND, _WITHIN, _MARK = r"(?:1[3-9]|2\d|3[01])", r"(?:0?[1-9]|1[0-2])", r" ?[./\-] ?"
_YEAR_ONLY = _MARK + r"(?:\d{4}|\d{2})" + _TIME.replace("(\\d", "(?:\\d").replace("([ap])", "[ap]")
_SAME = "|".join(f"0?{k}{_MARK}0?{k}" if k < 10 else f"{k}{_MARK}{k}" for k in range(1, 13))
_DAY_FIRST = f"(?i:(?:{_BEYOND}{_MARK}{_WITHIN}|{_SAME}){_YEAR_ONLY})"
_MONTH_FIRST = f"(?i:{_WITHIN}{_MARK}{_BEYOND}{_YEAR_ONLY})"
_DECIDED_ALONE = re.compile(f"{_DAY_FIRST}|{_MONTH_FIRST}")
_COMPILED = {name: re.compile(f"(?:{pattern})", re.IGNORECASE) for name, pattern in _SHAPES.items()}
_PLACES: Mapping[tuple[str, str], tuple[int, int, int]] = {  # (year, month, day)
    ("numbers", "dmy"): (4, 3, 1),
    ("numbers", "mdy"): (4, 1, 3),
    ("numbers", "ymd"): (1, 3, 4),
    ("year first", "ymd"): (1, 3, 4),
    ("day name", "dmy"): (3, 2, 1),
    ("name day", "mdy"): (3, 1, 2),
    ("digits", "ymd"): (1, 2, 3),
}
_FIRST_TIME = {"numbers": 5, "year first": 5, "day name": 4, "name day": 4, "digits": 0}
ORDERS = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
EACH = "each"
_SAYS_DATE = re.compile(
    r"date|datum|fecha|data\b|dates?$|_dt\b|\bdt\b|day\b|tag$|birth|dob\b|geb|time|since|until|from$|to$|start|end\b",
    re.IGNORECASE,
)
_SAYS_BIRTH = re.compile(r"birth|dob\b|born|geb|naissance|nacimiento", re.IGNORECASE)
# Two-digit years that are taken without asking: 69 to 99 are 19xx, 00 to 39 are 20xx; between them both are likely.
_PIVOT = 69
_OPEN_YEARS = range(40, 69)


def says_date(header: str) -> bool:
    """Whether a header speaks of dates or times."""
    return bool(_SAYS_DATE.search(header))


@dataclass(frozen=True, slots=True)
class Dated:
    """What the cells of a column say about their dates. `order` is "" when it stays open.

    `against` holds, for an order, a cell that is no date under it: it proves the other one. `others` are the
    cells that are no date at all. `open_century` says that two-digit years need a decision, `any_order` that the
    order makes no difference, `each` that every cell by itself is a date in one order only.
    """

    shapes: tuple[str, ...]
    order: str
    against: Mapping[str, str]
    others: tuple[str, ...]
    short_years: bool
    open_century: bool
    any_order: bool
    each: bool = False

    @property
    def proof(self) -> str:
        """A cell that proves the order, when one does."""
        return self.against.get({"dmy": "mdy", "mdy": "dmy", "ymd": "dmy"}.get(self.order, ""), "")


def _shape_of(text: str, *, digits: bool = False) -> tuple[str, re.Match[str]] | None:
    for name, pattern in _COMPILED.items():
        if (digits or name != "digits") and (found := pattern.fullmatch(text)):
            # Both marks of a numeric date must be the same: "3/4-2012" is something else.
            if name in ("numbers", "year first") and text.count(found[2]) < 2:
                continue
            return name, found
    return None


def _number(part: str) -> int:
    return _MONTHS[part.lower()] if not part.isdecimal() else int(part)


def _exists(found: re.Match[str], places: tuple[int, int, int], shape: str, pivot: int) -> bool:
    """Whether the parts, read in this order, are a date and a time of day."""
    texts = [found[place] for place in places]
    if len(texts[0]) == 2:
        year = int(texts[0]) + (2000 if int(texts[0]) < pivot else 1900)
    elif len(texts[0]) == 4:
        year = int(texts[0])
    else:
        return False
    try:
        dt.date(year, _number(texts[1]), _number(texts[2]))
    except ValueError:
        return False
    if (len(texts[1]) > 2 and texts[1].isdecimal()) or len(texts[2]) > 2:
        return False
    start = _FIRST_TIME[shape]
    if not start or found[start] is None:
        return True
    hour, minute, second = (int(found[start + i] or 0) for i in range(3))
    return minute < 60 and second < 60 and (1 <= hour <= 12 if found[start + 3] else hour < 24)


def looks_dated(values: Collection[str]) -> bool:
    """A quick look: whether the first few cells have the shape of a date."""
    few = [value for value, _ in zip(values, range(5), strict=False)]
    return sum(_shape_of(value) is not None for value in few) * 2 > len(few)


def dated(
    values: Iterable[str], header: str, *, digits: bool = False, pivot: int | None = None
) -> Dated | None:
    """What the cells say about their dates; None when they are not dates in the main.

    Parameters
    ----------
    values : the distinct cells.
    header : the name of the column.
    digits : whether eight digits count as a date.
    pivot : the first two-digit year that is 19xx, when it was decided.
    """
    cells = list(values)
    shaped: list[tuple[str, str, re.Match[str]]] = []
    others: list[str] = []
    for cell in cells:
        found = _shape_of(cell, digits=digits)
        if found is None or not any(
            _exists(found[1], places, found[0], pivot or _PIVOT)
            for (shape, _), places in _PLACES.items()
            if shape == found[0]
        ):
            others.append(cell)
        else:
            shaped.append((cell, *found))
    if not shaped or len(others) > len(cells) / 4:
        return None
    against = _evidence(shaped, pivot or _PIVOT)
    short = any(_short_year(shape, found) for _, shape, found in shaped)
    if short and not (says_date(header) or all(_padded(shape, found) for _, shape, found in shaped)):
        return None
    order = _verdict(against, short=short)
    numbers = [found for _, shape, found in shaped if shape == "numbers"]
    return Dated(
        shapes=tuple(sorted({shape for _, shape, _ in shaped})),
        order=order,
        against=against,
        others=tuple(sorted(others)),
        short_years=short,
        open_century=short and pivot is None and _open_century(shaped, order or "dmy", header),
        any_order=not numbers
        or (not order and not {"dmy", "mdy"} & set(against) and _same_either_way(shaped)),
        each=all(_DECIDED_ALONE.fullmatch(found.group()) for found in numbers),
    )


def _short_year(shape: str, found: re.Match[str]) -> bool:
    place = {"numbers": 4, "day name": 3}.get(shape)
    return place is not None and len(found[place]) == 2


def _padded(shape: str, found: re.Match[str]) -> bool:
    return shape == "day name" or (len(found[1]) == 2 and len(found[3]) == 2)


def _evidence(shaped: list[tuple[str, str, re.Match[str]]], pivot: int) -> dict[str, str]:
    """For each order that some numeric cell rules out, the first such cell."""
    against: dict[str, str] = {}
    for cell, shape, found in sorted(shaped, key=lambda item: item[0]):
        if shape != "numbers":
            continue
        for order in ORDERS:
            if order not in against and not _exists(found, _PLACES["numbers", order], shape, pivot):
                against[order] = cell
    return against


def _verdict(against: Mapping[str, str], *, short: bool) -> str:
    """The only order left; "" when none or both of the usual ones are."""
    left = [order for order in ("dmy", "mdy") if order not in against]
    if not left and short and "ymd" not in against:
        return "ymd"
    return left[0] if len(left) == 1 else ""


def _same_either_way(shaped: list[tuple[str, str, re.Match[str]]]) -> bool:
    return all(shape != "numbers" or int(found[1]) == int(found[3]) for _, shape, found in shaped)


def _open_century(shaped: list[tuple[str, str, re.Match[str]]], order: str, header: str) -> bool:
    years = {
        int(found[_PLACES.get((shape, order), _PLACES.get((shape, "dmy"), (0, 0, 0)))[0]])
        for _, shape, found in shaped
        if _short_year(shape, found)
    }
    return bool(_SAYS_BIRTH.search(header)) or any(year in _OPEN_YEARS for year in years)


def date_sql(shapes: Iterable[str], order: str, pivot: int | None) -> tuple[str, str]:
    """(pattern, SQL expression over {t}) of dates in these shapes and this order, or each in its own."""
    if order == EACH:
        others = [shape for shape in shapes if shape != "numbers"]
        pattern, rest = date_sql(others, "ymd", pivot) if others else ("", "NULL")
        day, month = (date_sql(["numbers"], one, pivot)[1] for one in ("dmy", "mdy"))
        return "|".join(filter(None, (_DAY_FIRST, _MONTH_FIRST, pattern))), (
            f"CASE WHEN regexp_full_match({{t}}, {literal(_DAY_FIRST)}) THEN {day} "
            f"WHEN regexp_full_match({{t}}, {literal(_MONTH_FIRST)}) THEN {month} ELSE {rest} END"
        )
    cases, patterns = [], []
    for shape in shapes:
        places = _PLACES.get((shape, order)) or next(p for (s, _), p in _PLACES.items() if s == shape)
        pattern = f"(?i:{_SHAPES[shape]})"
        patterns.append(pattern)
        at = [f"regexp_extract({{t}}, {literal(pattern)}, {place})" for place in places]
        year = (
            f"CASE WHEN length({at[0]}) > 2 THEN {at[0]} WHEN CAST({at[0]} AS INTEGER) < {pivot or _PIVOT} "
            f"THEN '20' || {at[0]} ELSE '19' || {at[0]} END"
        )
        months = " ".join(f"WHEN '{name}' THEN '{number:02d}'" for name, number in _MONTHS.items())
        month = f"CASE lower(left({at[1]}, 3)) {months} END" if "name" in shape else f"lpad({at[1]}, 2, '0')"
        day = f"lpad({at[2]}, 2, '0')"
        text = f"{year} || '-' || {month} || '-' || {day}{_clock(shape, pattern)}"
        cases.append(f"WHEN regexp_full_match({{t}}, {literal(pattern)}) THEN TRY_CAST({text} AS TIMESTAMP)")
    return "|".join(patterns), f"CASE {' '.join(cases)} END"


def _clock(shape: str, pattern: str) -> str:
    """SQL of the time of day behind the date: ' hh:mm:ss'."""
    start = _FIRST_TIME[shape]
    if not start:
        return ""
    hour, minute, second, half = (f"regexp_extract({{t}}, {literal(pattern)}, {start + i})" for i in range(4))
    of_day = (
        f"CASE WHEN lower({half}) = 'p' THEN CAST(CAST({hour} AS INTEGER) % 12 + 12 AS VARCHAR) "
        f"WHEN lower({half}) = 'a' THEN CAST(CAST({hour} AS INTEGER) % 12 AS VARCHAR) ELSE {hour} END"
    )
    return (
        f" || CASE WHEN {hour} = '' THEN '' ELSE ' ' || lpad({of_day}, 2, '0') || ':' || {minute} || ':' || "
        f"CASE WHEN {second} = '' THEN '00' ELSE {second} END END"
    )
