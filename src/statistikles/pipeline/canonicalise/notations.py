"""Signs around numbers: percent, currency, a typographic minus, brackets for negatives; and clock times, truth words."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from statistikles.pipeline.engine import literal

__all__ = ["TRUTH", "Signed", "clock_sql", "is_clock", "signed", "strip_sql"]

_SIGNS = ("$", "€", "£", "¥", "₹", "₽", "₩", "₪", "₺", "₴", "฿", "₫", "kr", "zł", "R$", "Fr.", "CHF", "USD", "EUR",
          "GBP", "JPY", "CNY", "INR", "SEK", "NOK", "DKK", "PLN", "CAD", "AUD", "NZD", "BRL", "MXN", "ZAR", "RUB", "TRY",
          "US$", "C$", "A$", "HK$")  # fmt: skip
_SIGN = "(?:" + "|".join(sorted((re.escape(s) for s in _SIGNS), key=len, reverse=True)) + ")"
_BLANK = "[ \u00a0\u202f]*"
_CELL = re.compile(
    rf"(?P<open>\()?(?P<minus1>[-+\u2212\u2013])?{_BLANK}(?P<before>{_SIGN})?{_BLANK}(?P<minus2>[-+\u2212\u2013])?"
    rf"(?P<core>[0-9][0-9.,'’ \u00a0\u202f]*(?:[eE][+\-\u2212]?[0-9]+)?|[.,][0-9]+){_BLANK}(?P<after>{_SIGN})?"
    rf"{_BLANK}(?P<percent>[%\uff05])?(?P<close>\))?"
)
_CLOCK = re.compile(r"(\d{1,4}):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?: *([AaPp])\.?[Mm]\.?)?")
# Words of one meaning: what may become true or false when it is decided.
TRUTH = {
    **dict.fromkeys(
        ("true", "t", "yes", "y", "ja", "j", "wahr", "oui", "vrai", "si", "sí", "1", "on", "x"), True
    ),
    **dict.fromkeys(("false", "f", "no", "n", "nein", "falsch", "non", "faux", "0", "off"), False),
}
_BRACKETS = "()"


@dataclass(frozen=True, slots=True)
class Signed:
    """Numbers without the signs around them. `bare` are the texts left when every sign is taken off."""

    bare: tuple[str, ...]
    currencies: tuple[str, ...]
    n_percent: int
    n_signed: int
    brackets: bool
    minus: bool


def signed(values: Collection[str]) -> Signed | None:
    """The signs that all the cells carry; None when a cell is no number with signs, or no cell has any."""
    bare, currencies = [], set()
    percent = with_sign = 0
    brackets = minus = False
    for value in values:
        found = _CELL.fullmatch(value)
        if found is None or bool(found["open"]) is not bool(found["close"]):
            return None
        if (found["minus1"] and found["minus2"]) or (found["before"] and found["after"]):
            return None
        sign = found["minus1"] or found["minus2"] or ""
        if found["open"]:
            if sign:
                return None
            brackets, sign = True, "-"
        if sign and sign not in "+-":
            minus, sign = True, "-"
        if mark := found["before"] or found["after"]:
            currencies.add(mark)
            with_sign += 1
        percent += bool(found["percent"])
        bare.append(sign + found["core"].strip().replace("\u2212", "-"))
    if not (percent or with_sign or brackets or minus):
        return None
    return Signed(tuple(bare), tuple(sorted(currencies)), percent, with_sign, brackets, minus)


def strip_sql(text: str) -> str:
    """SQL that takes the signs off a number, as `signed` does."""
    signs = literal(f"{_SIGN}|[%\uff05]")
    minus = f"replace(replace({text}, '\u2212', '-'), '\u2013', '-')"
    plain = f"trim(regexp_replace({minus}, {signs}, '', 'g'), {literal(' ' + chr(160) + chr(0x202F))})"
    joined = f"regexp_replace({plain}, {literal('^([-+])[ ' + chr(160) + chr(0x202F) + ']+')}, '\\1')"
    inside = f"trim({joined}, {literal(_BRACKETS)})"
    bare = f"trim({inside}, {literal(' ' + chr(160) + chr(0x202F))})"
    return f"CASE WHEN starts_with({joined}, '(') THEN '-' || {bare} ELSE {joined} END"


def is_clock(value: str) -> bool:
    """Whether a cell is a time of day or a duration such as 12:30 or 1:05:20."""
    return _CLOCK.fullmatch(value) is not None


def clock_sql(*, stopwatch: bool) -> tuple[str, str]:
    """(pattern, SQL over {t}) of times in seconds: h:mm, h:mm:ss with am and pm; two parts are m:ss by a stopwatch."""
    pattern = _CLOCK.pattern
    first, second, third, half = (f"regexp_extract({{t}}, {literal(pattern)}, {i})" for i in range(1, 5))
    hours = (
        f"CASE lower({half}) WHEN 'p' THEN CAST({first} AS INTEGER) % 12 + 12 "
        f"WHEN 'a' THEN CAST({first} AS INTEGER) % 12 ELSE CAST({first} AS INTEGER) END"
    )
    fraction = "CAST('0' || regexp_extract({t}, '\\.\\d+') || '0' AS DOUBLE)"
    three = (
        f"({hours}) * 3600 + CAST({second} AS INTEGER) * 60 + CAST('0' || {third} AS INTEGER) + {fraction}"
    )
    if not stopwatch:
        return pattern, f"CAST({three} AS DOUBLE)"
    two = f"CAST({first} AS INTEGER) * 60 + CAST({second} AS INTEGER)"
    return pattern, f"CAST(CASE WHEN {third} = '' THEN {two} ELSE {three} END AS DOUBLE)"
