"""Groups of a numeric column said by their bounds: 'age groups 0-12, 13-18 and over 18', 'morning (6:00 to 11:59)'."""

from __future__ import annotations

import re

from statistikles.neural.planner.columns import find_mentions, read
from statistikles.neural.planner.filters import quoted
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["binned"]

Binned = tuple[ColumnView, tuple[str, ...], str, int, int]

_LABEL = r"(?:[\"'“‘`]?(?P<label>[A-Za-z][\w ]{1,20}?)[\"'”’`]?\s*[:=(]\s*)?"
_CLOCK = re.compile(
    _LABEL + r"(?P<low>\d{1,2}):(?P<m1>\d\d)\s*(?:-|–|to|until|and)\s*(?P<high>\d{1,2}):(?P<m2>\d\d)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    _LABEL + r"(?<![\d.])(?P<low>\d+(?:\.\d+)?)\s*(?:-|–|to)\s*(?P<high>\d+(?:\.\d+)?)(?![\d.]*\s*%)",
    re.IGNORECASE,
)
_OPEN = re.compile(
    _LABEL + r"(?:(?:over|above|more than|older than|>)\s*(?P<over>\d+(?:\.\d+)?)|"
    r"(?P<from>\d+(?:\.\d+)?)\s*(?:\+|and (?:over|above|older|more|up)|or (?:over|above|older|more)))",
    re.IGNORECASE,
)
_QUANTILES = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)?\s*(?:percentile|quantile|%)[^?]{0,80}?\b(\d{1,2})(?:st|nd|rd|th)?\s*percentile",
    re.IGNORECASE,
)


def binned(text: str, table: TableView) -> Binned | None:
    """(column, labels, formula, start, end) of groups said by their bounds."""
    return _of_clock(text, table) or _of_quantiles(text, table) or _of_ranges(text, table)


def _subject(text: str, table: TableView, *, dates: bool = False) -> ColumnView | None:
    found = [
        m for m in find_mentions(read(text), table) if (not m.column.numeric if dates else m.column.numeric)
    ]
    return (
        max(found, key=lambda m: (m.explicit, not m.demoted, m.score), default=found[0]).column
        if found
        else None
    )


def _of_clock(text: str, table: TableView) -> Binned | None:
    """Parts of the day; the one that spans midnight comes last or first, however they are listed."""
    matches = list(_CLOCK.finditer(text))
    if len(matches) < 2 or not all(m["label"] for m in matches):
        return None
    column = _subject(text[: matches[0].start()], table, dates=True)
    if column is None:
        return None
    parts = sorted((int(m["low"]), m["label"].split()[-1]) for m in matches)
    bounds = [low for low, _ in parts if low > 0]
    names = [label for _, label in parts]
    if parts[0][0] > 0:
        names = [names[-1], *names]
    listed = (
        ", ".join(f"{_text(n)}, {b}" for n, b in zip(names, bounds, strict=False)) + f", {_text(names[-1])}"
    )
    formula = f"cut(hour({quoted(column.name)}), {listed})"
    return column, tuple(dict.fromkeys(names)), formula, matches[0].start(), matches[-1].end()


def _text(label: str) -> str:
    return "'" + label.strip().replace("'", "''") + "'"


def _of_quantiles(text: str, table: TableView) -> Binned | None:
    """'High' from the 75th percentile on, 'Low' up to the 25th, 'Medium' between."""
    labels = re.findall(r"['\"“‘](High|Medium|Middle|Low|Mid|Moderate)['\"”’]", text, re.IGNORECASE)
    ranks = sorted({int(n) for n in re.findall(r"\b(\d{1,2})(?:st|nd|rd|th) percentile", text)})
    if len(ranks) != 2 or len({lb.casefold() for lb in labels}) != 3:
        return None
    column = _subject(text, table)
    if column is None:
        return None
    kinds = {lb.casefold(): lb for lb in labels}
    middle = next(kinds[k] for k in kinds if k not in ("high", "low"))
    names = (kinds["low"], middle, kinds["high"])
    listed = ", ".join(_text(n) for n in names)
    formula = f"quantile_groups({quoted(column.name)}, {ranks[0] / 100:g}, {ranks[1] / 100:g}, {listed})"
    return column, names, formula, 0, len(text)


def _of_ranges(text: str, table: TableView) -> Binned | None:
    matches = list(_RANGE.finditer(text))
    last = _OPEN.search(text, matches[-1].end()) if matches else None
    if len(matches) + (last is not None) < 2 or not matches:
        return None
    lows = [float(m["low"]) for m in matches]
    highs = [float(m["high"]) for m in matches]
    if lows != sorted(set(lows)) or any(h < lo for lo, h in zip(lows, highs, strict=True)):
        return None
    if any(nxt < high for high, nxt in zip(highs, lows[1:], strict=False)):
        return None
    column = _subject(text[: matches[0].start()] or text, table) or _subject(text, table)
    if column is None:
        return None
    # Bounds that meet (0-18, 18-65) belong to the upper group; a gap (0-12, 13-18) is closed at its upper end.
    bounds = list(lows[1:])
    labels = [f"{m['low']} to {m['high']}" for m in matches]
    names = [m["label"] for m in matches]
    end = matches[-1].end()
    closed = False
    if last is not None:
        bounds.append(float(last["over"] or last["from"]))
        closed = last["over"] is not None and bounds[-1] == highs[-1]
        if closed and lows[1:2] != highs[:1]:
            bounds[-1] = highs[-1] + 1 if highs[-1].is_integer() else highs[-1]
        labels.append(f"over {last['over']}" if last["over"] else f"{last['from']} and over")
        names.append(last["label"])
        end = last.end()
    if all(names):
        labels = [str(n).strip() for n in names]
    # What lies outside the outermost bounds is in no group.
    inside = quoted(column.name)
    if last is None:
        inside = f"within({inside}, {lows[0]:g}, {highs[-1]:g})"
    listed = (
        ", ".join(f"{_text(n)}, {b:g}" for n, b in zip(labels, bounds, strict=False))
        + f", {_text(labels[-1])}"
    )
    formula = f"cut({inside}, {listed})"
    if last is not None and closed and column.whole and lows[1:2] != highs[:1]:
        # 21-30, 31-40 and over 40 in whole numbers: each group holds its upper bound.
        pairs = ", ".join(f"{_text(n)}, {b:g}" for n, b in zip(labels, highs, strict=False))
        formula = f"cut_closed({quoted(column.name)}, {pairs}, {_text(labels[-1])})"
    return column, tuple(labels), formula, matches[0].start(), end
