"""The reading of one text column beyond plain numbers and ISO dates: what was decided, else what its cells prove."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from statistikles.pipeline.canonicalise import dates, notations
from statistikles.pipeline.canonicalise.codes import ask, notice, quote
from statistikles.pipeline.canonicalise.decisions import Decisions, contradicted
from statistikles.pipeline.engine import literal
from statistikles.pipeline.findings import Finding, Severity
from statistikles.pipeline.inference import (
    COMMA_READINGS,
    POINT_READINGS,
    TEXT,
    Reading,
    choose_plain,
    readings_among,
    readings_of,
)

__all__ = ["Chooser", "Chosen", "ambiguous"]

_EPOCHS = {"s": 1.0, "ms": 1e-3, "us": 1e-6}
_EXCEL_LAST = 2_958_465
_FIRST_DAY, _LAST_DAY = 7_306, 58_440  # 1920 to 2060 in a spreadsheet's days
_FEW = 3


@dataclass(frozen=True, slots=True)
class Chosen:
    """A reading, the findings it deserves each with the cells that show it, and what the values measure.

    `lenient`: entries that do not fit become missing, because it was decided.
    """

    reading: Reading
    noted: tuple[tuple[Finding, tuple[str, ...]], ...] = ()
    unit: str = ""
    lenient: bool = False
    plain: bool = False
    why: str = ""


@dataclass(slots=True)
class Chooser:
    """Chooses the reading of each text column of a table."""

    headers: list[str]
    file_decimal: str
    decisions: Decisions
    samples: Mapping[int, set[str]]
    feasible: dict[int, list[Reading]]
    _orders: dict[int, dates.Dated | None] = field(default_factory=dict)

    def choose(self, i: int, values: Collection[str]) -> Chosen:
        """The reading of column i, whose distinct cells (or a sample of them) are `values`."""
        header = self.headers[i]
        if self.decisions and (decided := self._decided(i, header, values)) is not None:
            return decided
        feasible = self.feasible.pop(i, None) or readings_of(values)
        reading, why = choose_plain(feasible, self.file_decimal)
        if reading is TEXT and values:
            special = self._signed(header, values, "") or self._dated(i, header, values)
            if special is not None:
                return special
        return Chosen(reading, plain=True, why=why)

    # --- what was decided ----------------------------------------------------------------------------------

    def _decided(self, i: int, header: str, values: Collection[str]) -> Chosen | None:
        get = self.decisions.get
        kind = get("type", header)
        if kind == "text" or get("currency", header) == "text":
            return Chosen(TEXT)
        if kind == "boolean":
            return _truth(header, values)
        if kind in ("clock", "stopwatch"):
            return _clock(header, kind, values)
        if kind == "number":
            return self._numbers_only(header, values)
        epoch = get("epoch", header)
        if epoch not in (None, "none") and self.decisions.about(header, "epoch"):
            return self._days_among_dates(i, header, str(epoch), values) or _epoch(header, str(epoch), values)
        if self.decisions.about(header, "dates"):
            return self._dated(i, header, values, told=True) or Chosen(TEXT)
        mark = get("decimal", header)
        if mark is not None and (found := self._decimal(header, mark, values)) is not None:
            return found
        return None

    def _decimal(self, header: str, mark: str, values: Collection[str]) -> Chosen | None:
        """Numbers under a decided decimal mark; a column of other things is left alone unless it was named."""
        feasible = readings_among(COMMA_READINGS if mark == "comma" else POINT_READINGS, values)
        if feasible:
            code = "decimal_comma" if mark == "comma" else "decided"
            text = f"'{header}': the {mark} was read as the decimal mark."
            return Chosen(feasible[0], ((notice(code, text, header, done="As decided."), ()),))
        if special := self._signed(header, values, mark):
            return special
        if self.decisions.about(header, "decimal"):
            odd = next(v for v in sorted(values) if not readings_among(_marked(mark), [v]))
            raise contradicted(header, "decimal", mark, f"{quote(odd)} is no number then.")
        return None

    def _numbers_only(self, header: str, values: Collection[str]) -> Chosen:
        """The entries that are numbers; the others become missing."""
        mark = self.decisions.get("decimal", header) or ""
        usual = _marked(mark)
        numbers = {v for v in values if readings_among(usual, [v])}
        zeros = (
            {v for v in values - numbers if v.lstrip("+-").isdecimal()} if isinstance(values, set) else set()
        )
        others = sorted(set(values) - numbers - zeros)
        if not numbers and not zeros:
            if special := self._signed(header, values, mark):
                return special
            raise contradicted(
                header, "type", "number", f"none of its entries, such as {quote(others[0])}, is one."
            )
        reading, _ = choose_plain(readings_among(usual, numbers) or [Reading("float")], self.file_decimal)
        if zeros:
            reading = Reading("float", r"[+-]?\d+(?:\.\d*)?|[+-]?\.\d+")
        value = reading.sql("{t}").replace("CAST(", "TRY_CAST(", 1)
        expression = f"CASE WHEN regexp_full_match({{t}}, {literal(reading.pattern)}) THEN {value} END"
        noted: list[tuple[Finding, tuple[str, ...]]] = []
        if others:
            text = f"'{header}': entries that are no numbers, such as {quote(others[0])}, are missing."
            noted.append(
                (
                    notice("numbers_made", text, header, seen=others, done="Made missing, as decided."),
                    tuple(others),
                )
            )
        elif zeros:
            text = f"'{header}': codes with leading zeros were read as numbers."
            noted.append(
                (notice("decided", text, header, seen=sorted(zeros), done="Read as numbers, as decided."), ())
            )
        return Chosen(Reading(reading.kind, reading.pattern, expr=expression), tuple(noted), lenient=True)

    # --- what the cells prove ------------------------------------------------------------------------------

    def _signed(self, header: str, values: Collection[str], mark: str) -> Chosen | None:
        """Numbers with signs around them: percent, currency, a typographic minus, brackets."""
        found = notations.signed(values)
        if found is None:
            return None
        bare = set(found.bare)
        feasible = readings_among(_marked(mark), bare)
        if not feasible:
            return None
        inner, why = choose_plain(feasible, {"comma": ",", "point": "."}.get(mark, self.file_decimal))
        percent, odd = self.decisions.get("percent", header), _odd_ones(header, found, values, self.decisions)
        if odd is not None:
            return Chosen(TEXT, (odd,))
        number = inner.sql(notations.strip_sql("{t}")).replace("CAST(", "TRY_CAST(", 1)
        kind = inner.kind
        if found.n_percent and percent == "fraction":
            number = f"CASE WHEN contains({{t}}, '%') OR contains({{t}}, '\uff05') THEN {number} / 100 ELSE {number} END"
            kind = "float"
        unit = "%" if found.n_percent and percent != "fraction" else "".join(found.currencies[:1])
        example = max(values, key=lambda v: (len(v), v))
        noted = [(_told(header, found, example, percent), (example,))]
        if why:
            noted.append((ambiguous(header, example, why), (example,)))
        return Chosen(Reading(kind, ".*", expr=number), tuple(noted), unit=unit)

    def _dated(self, i: int, header: str, values: Collection[str], *, told: bool = False) -> Chosen | None:
        """Dates in a notation other than ISO."""
        wanted = self.decisions.get("dates", header)
        if wanted == "text":
            return Chosen(TEXT)
        if not told and not dates.looks_dated(values):
            if all(notations.is_clock(v) for v in values):
                return Chosen(TEXT, (_clock_told(header, values),))
            return None
        pivot = self.decisions.get("pivot", header)
        found = dates.dated(values, header, digits=told, pivot=None if pivot is None else int(pivot))
        if found is None:
            if told:
                raise contradicted(header, "dates", str(wanted), f"{quote(min(values))} is no date.")
            return None
        return _read_dates(header, found, values, wanted, pivot, self._proof_elsewhere(i), told=told)

    def _days_among_dates(self, i: int, header: str, unit: str, values: Collection[str]) -> Chosen | None:
        """A spreadsheet's day numbers among dates as text; None when there are no such dates."""
        written = {v for v in values if not _countable(v, unit)}
        pivot = self.decisions.get("pivot", header)
        found = dates.dated(written, header, pivot=None if pivot is None else int(pivot)) if written else None
        if found is None or found.others or unit in _EPOCHS or len(written) == len(values):
            return None
        wanted = self.decisions.get("dates", header)
        read = _read_dates(header, found, written, wanted, pivot, self._proof_elsewhere(i), told=True)
        if read.reading is TEXT:
            return read
        days = _epoch(header, unit, [v for v in values if v not in written])
        number = days.reading.pattern
        expression = (
            f"CASE WHEN regexp_full_match({{t}}, {literal(number)}) THEN {days.reading.expr} "
            f"ELSE {read.reading.expr} END"
        )
        pattern = f"{number}|{read.reading.pattern}"
        return Chosen(Reading("datetime", pattern, expr=expression), (*days.noted, *read.noted))

    def _proof_elsewhere(self, i: int) -> tuple[str, str]:
        """(order, the column that proves it) from the other columns of the file, when they agree."""
        proved: dict[str, str] = {}
        for j, values in self.samples.items():
            if j == i or not values or not dates.looks_dated(values):
                continue
            if j not in self._orders:
                self._orders[j] = dates.dated(values, self.headers[j])
            other = self._orders[j]
            if other is not None and other.order in ("dmy", "mdy"):
                proved.setdefault(other.order, self.headers[j])
        return next(iter(proved.items())) if len(proved) == 1 else ("", "")


def _marked(mark: str) -> tuple[Reading, ...]:
    if mark == "comma":
        return COMMA_READINGS
    if mark == "point":
        return POINT_READINGS
    return tuple(dict.fromkeys((*POINT_READINGS, *COMMA_READINGS)))


def _odd_ones(
    header: str, found: notations.Signed, values: Collection[str], decisions: Decisions
) -> tuple[Finding, tuple[str, ...]] | None:
    """What keeps numbers with signs from being read: several currencies, or percent signs on some only."""
    if len(found.currencies) > 1 and decisions.get("currency", header) != "ignore":
        text = f"'{header}' has amounts in {' and '.join(found.currencies)}; kept as text."
        asked = ask(
            header, "currency", ("ignore", "one number whatever the sign"), ("text", "leave it as it is")
        )
        cells = [next(v for v in sorted(values) if mark in v) for mark in found.currencies]
        return notice("currency_mixed", text, header, seen=cells, asked=asked), tuple(cells)
    bare = [
        v for v, b in zip(values, found.bare, strict=True) if not set(b) <= set("0.,") and not _has_percent(v)
    ]
    if found.n_percent and bare and decisions.get("percent", header) is None:
        shown = (next(v for v in sorted(values) if _has_percent(v)), min(bare))
        text = (
            f"'{header}' has entries with a percent sign ({quote(shown[0])}) and without ({quote(shown[1])})."
        )
        asked = ask(
            header, "percent", ("face", "the sign says nothing"), ("fraction", "35% is 0.35, the others stay")
        )
        return notice("percent_mixed", text + " Kept as text.", header, seen=shown, asked=asked), shown
    return None


def _has_percent(text: str) -> bool:
    return "%" in text or "\uff05" in text


def _told(header: str, found: notations.Signed, example: str, percent: str | None) -> Finding:
    """The finding that says which signs were taken off."""
    if found.n_percent:
        how = "35% is 0.35, as decided" if percent == "fraction" else "35% is 35"
        return notice(
            "percent", f"'{header}' holds percentages such as {quote(example)}.", header, seen=[example],
            done=f"Read as numbers: {how}.",
        )  # fmt: skip
    if found.currencies:
        marks = " and ".join(found.currencies)
        return notice(
            "currency", f"'{header}' holds amounts in {marks} such as {quote(example)}.", header, seen=[example],
            done="Read as numbers without the sign.",
        )  # fmt: skip
    what = "brackets for negative numbers" if found.brackets else "a typographic minus"
    return notice(
        "notation", f"'{header}' has {what}, as in {quote(example)}.", header, seen=[example], done="Read as numbers."
    )  # fmt: skip


def ambiguous(header: str, example: str, why: str) -> Finding:
    """A notation that another reader might take the other way."""
    text = f"'{header}' has values such as {quote(example)}: {why}."
    settled = (
        "comma"
        if why.startswith(("the comma was read as the decimal", "the point was read as a thousands"))
        else "point"
    )
    other = "point" if settled == "comma" else "comma"
    options = [(mark, f"the {mark} separates decimals") for mark in (settled, other)]
    return notice(
        "ambiguous_number",
        text,
        header,
        seen=[example],
        done="Read so.",
        asked=ask(header, "decimal", *options),
    )


def _truth(header: str, values: Collection[str]) -> Chosen:
    odd = sorted(v for v in values if v.casefold() not in notations.TRUTH)
    if odd:
        raise contradicted(header, "type", "boolean", f"{quote(odd[0])} is neither true nor false.")
    true = ", ".join(literal(word) for word, meant in notations.TRUTH.items() if meant)
    meant = {word: word.casefold() for word in sorted(values)}
    trues = [word for word, folded in meant.items() if notations.TRUTH[folded]]
    text = f"'{header}' is read as true ({', '.join(map(quote, trues[:4])) or 'none'}) and false."
    finding = notice(
        "truth_values", text, header, seen=sorted(values), done="Read as truth values, as decided."
    )
    return Chosen(Reading("boolean", ".*", expr=f"lower({{t}}) IN ({true})"), ((finding, ()),))


def _clock(header: str, kind: str, values: Collection[str]) -> Chosen:
    odd = sorted(v for v in values if not notations.is_clock(v))
    if odd:
        raise contradicted(header, "type", kind, f"{quote(odd[0])} is no clock time.")
    pattern, sql = notations.clock_sql(stopwatch=kind == "stopwatch")
    text = f"'{header}' holds times such as {quote(min(values, default=''))}."
    finding = notice("clock_times", text, header, done="Read as seconds, as decided.")
    return Chosen(Reading("float", pattern, expr=sql), ((finding, ()),), unit="s")


def _clock_told(header: str, values: Collection[str]) -> tuple[Finding, tuple[str, ...]]:
    example = min(values)
    options = [("clock", "hours and minutes, read as seconds")]
    if all(v.count(":") == 1 and not v[-1].isalpha() for v in values):
        options.append(("stopwatch", "minutes and seconds, read as seconds"))
    text = f"'{header}' holds clock times or durations such as {quote(example)}; kept as text."
    asked = ask(header, "type", *options, ("text", "leave them as they are"))
    return notice("clock_times", text, header, seen=[example], asked=asked), (example,)


def _epoch(header: str, unit: str, values: Collection[str]) -> Chosen:
    """Numbers that count time, as times."""
    bad = sorted(v for v in values if not _countable(v, unit))
    if bad:
        raise contradicted(header, "epoch", unit, f"{quote(bad[0])} is no such number.")
    number = "CAST({t} AS DOUBLE)"
    if unit in _EPOCHS:
        micro = f"CAST({{t}} AS DECIMAL(38, 6)) * {int(_EPOCHS[unit] * 1_000_000)}"
        expression = f"make_timestamp(CAST({micro} AS BIGINT))"
    else:
        # Day 60 of the 1900 system is 29 February 1900, which never was; the days before it are off by one.
        start = "TIMESTAMP '1904-01-01'" if unit == "excel1904" else "TIMESTAMP '1899-12-30'"
        early = (
            ""
            if unit == "excel1904"
            else f" + CASE WHEN {number} < 60 THEN INTERVAL 1 DAY ELSE INTERVAL 0 DAY END"
        )
        expression = f"{start} + to_seconds(CAST(round({number} * 86400) AS BIGINT)){early}"
    example = min(values, default="")
    text = f"'{header}': numbers such as {quote(example)} are times."
    done = "Read as times, as decided." + (" In UTC." if unit in _EPOCHS else "")
    return Chosen(
        Reading("datetime", r"-?\d+(?:\.\d*)?", expr=expression),
        ((notice("epoch_read", text, header, done=done), ()),),
    )


def _is_day_number(text: str) -> bool:
    """Whether an entry among dates may be a spreadsheet's day of this or the last century."""
    return text.isdecimal() and _FIRST_DAY <= int(text) <= _LAST_DAY


def _day_of(text: str) -> str:
    return (dt.date(1899, 12, 30) + dt.timedelta(days=int(text))).isoformat()


def _countable(text: str, unit: str) -> bool:
    try:
        value = float(text)
    except ValueError:
        return False
    if unit in _EPOCHS:
        return abs(value * _EPOCHS[unit]) < 6e10
    return (0 <= value <= _EXCEL_LAST and not 60 <= value < 61) or (
        unit == "excel1904" and 0 <= value <= _EXCEL_LAST
    )


def _read_dates(
    header: str,
    found: dates.Dated,
    values: Collection[str],
    wanted: str | None,
    pivot: str | None,
    elsewhere: tuple[str, str],
    *,
    told: bool,
) -> Chosen:
    """Dates converted when their order is certain or decided; kept as text with a question otherwise."""
    example = max(values, key=lambda v: (len(v), v))
    if found.others:
        return _dates_and_text(header, found, wanted, told=told)
    order, why = _order(header, found, wanted, elsewhere)
    if not order:
        return Chosen(TEXT, (_open_order(header, found, example),))
    noted = []
    if found.open_century:
        text = f"'{header}' has two-digit years, as in {quote(example)}; which century is not certain. Kept as text."
        asked = ask(
            header,
            "pivot",
            ("30", "below 30 is 20xx, the others 19xx"),
            ("0", "all 19xx"),
            ("100", "all 20xx"),
        )
        severe = notice("two_digit_year", text, header, seen=[example], severity="problem", asked=asked)
        return Chosen(TEXT, ((severe, (example,)),))
    code = "date_order" if "numbers" in found.shapes else "date_format"
    text = f"'{header}' has dates such as {quote(example)}{why}."
    severity: Severity | None = "warning" if "in this file" in why else None
    asked = ""
    if severity:
        other = "mdy" if order == "dmy" else "dmy"
        asked = ask(header, "dates", (order, dates.ORDERS[order]), (other, dates.ORDERS[other]))
    shown = [found.proof or example]
    done = "Read as dates (ISO)" + (", as decided." if wanted else ".")
    finding = notice(code, text, header, seen=shown, severity=severity, done=done, asked=asked)
    noted.append((finding, (found.proof or example,)))
    if found.short_years:
        text = f"'{header}' has two-digit years, as in {quote(example)}."
        done = f"Years below {pivot or 69} are 20xx, the others 19xx" + (", as decided." if pivot else ".")
        noted.append((notice("two_digit_year", text, header, seen=[example], done=done), (example,)))
    pattern, sql = dates.date_sql(found.shapes, order, None if pivot is None else int(pivot))
    return Chosen(Reading("date", pattern, expr=sql), tuple(noted))


def _order(
    header: str, found: dates.Dated, wanted: str | None, elsewhere: tuple[str, str]
) -> tuple[str, str]:
    """(order, why); an empty order when it stays open."""
    if wanted == dates.EACH:
        if not found.each:
            raise contradicted(header, "dates", wanted, "an entry is a date in both orders.")
        return wanted, ", each in the only order in which it is a date"
    if wanted is not None:
        if wanted in found.against:
            raise contradicted(header, "dates", wanted, f"{quote(found.against[wanted])} is no date then.")
        return wanted, f", {dates.ORDERS[wanted]}"
    if found.any_order:
        return found.order or "dmy", ""
    if found.order:
        return found.order, f", {dates.ORDERS[found.order]}: {quote(found.proof)} can only be that"
    order, column = elsewhere
    if order and order not in found.against:
        return order, f", read {dates.ORDERS[order]} because '{column}' in this file is"
    return "", ""


def _open_order(header: str, found: dates.Dated, example: str) -> tuple[Finding, tuple[str, ...]]:
    if {"dmy", "mdy"} <= set(found.against):
        cells = (found.against["mdy"], found.against["dmy"])
        text = f"'{header}' has dates in both orders: {quote(cells[0])} and {quote(cells[1])}. Kept as text."
        asked = f"Correct the source, or decide `{header}:dates=text` (leave it as it is)."
        if found.each:
            apart = (dates.EACH, "every entry in the only order in which it is a date")
            asked = ask(header, "dates", apart, ("text", "leave it as it is"))
        return notice("mixed_date_orders", text, header, seen=cells, asked=asked), cells
    text = f"'{header}' has dates such as {quote(example)}: day first or month first? Kept as text."
    asked = ask(header, "dates", ("dmy", "day first"), ("mdy", "month first"), ("text", "leave it as it is"))
    return notice("ambiguous_date", text, header, seen=[example], asked=asked), (example,)


def _dates_and_text(header: str, found: dates.Dated, wanted: str | None, *, told: bool) -> Chosen:
    if told and wanted:
        raise contradicted(header, "dates", wanted, f"{quote(found.others[0])} is no date.")
    shown = ", ".join(map(quote, found.others[:_FEW]))
    text = f"'{header}' is mostly dates but has other entries such as {shown}; kept as text."
    options = [("text", "leave it as it is")]
    asked = ask(header, "dates", *options)
    if all(_is_day_number(other) for other in found.others):
        listed = ",".join(found.others)
        asked = (
            f"Decide `{header}:epoch=excel` (they are a spreadsheet's day numbers: {quote(found.others[0])} is "
            f"{_day_of(found.others[0])}), `{header}:missing={listed}` (they are missing) or "
            f"`{header}:dates=text` (leave it as it is)."
        )
    elif len(found.others) <= _FEW and not any("," in other for other in found.others):
        listed = ",".join(found.others)
        asked = f"Decide `{header}:missing={listed}` (they are missing) or `{header}:dates=text` (leave it as it is)."
    return Chosen(
        TEXT, ((notice("dates_and_text", text, header, seen=found.others, asked=asked), found.others[:5]),)
    )
