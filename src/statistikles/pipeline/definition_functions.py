"""The functions that a definition of a column may call: logs, scores, trimming, filling, cutting, parts of dates.

Each takes masked arrays (numbers as floats, text as objects) and constants, and returns a masked array of the same
length; a value that is not defined is missing.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

from statistikles.errors import InputError

__all__ = ["FUNCTIONS", "arithmetic"]

Array = Any


def _fail(message: str, hint: str = "") -> InputError:
    return InputError(message, hint=hint, where="define")


def _numeric(x: Any, name: str) -> Array:
    """The argument as numbers; text that can be read as numbers counts."""
    import numpy as np

    if isinstance(x, str):
        raise _fail(f"'{name}' needs a column of numbers, not the text '{x[:40]}'.")
    if np.ma.isMaskedArray(x) and x.dtype == object:
        return number(x)
    return np.ma.asarray(x, dtype=np.float64)


def _constant(x: Any, name: str) -> float:
    if isinstance(x, int | float) and not isinstance(x, bool):
        return float(x)
    raise _fail(f"'{name}' needs a number in this place.")


def _safe(values: Array) -> Array:
    """Anything not finite is missing."""
    import numpy as np

    data = np.ma.getdata(values).astype(np.float64)
    mask = np.ma.getmaskarray(values) | ~np.isfinite(data)
    return np.ma.MaskedArray(np.where(mask, 0.0, data), mask=mask)


def arithmetic(operator: str, left: Any, right: Any) -> Array:
    """The four operations; a division by zero is missing."""
    import numpy as np

    a, b = _numeric(left, operator), _numeric(right, operator)
    with np.errstate(all="ignore"):
        if operator == "+":
            return _safe(a + b)
        if operator == "-":
            return _safe(a - b)
        if operator == "*":
            return _safe(a * b)
        return _safe(np.ma.MaskedArray(np.ma.getdata(a) / np.ma.getdata(b), mask=_either(a, b)))


def _either(a: Array, b: Array) -> Array:
    import numpy as np

    return np.ma.getmaskarray(a) | np.ma.getmaskarray(b)


def _elementwise(function: str) -> Callable[..., Array]:
    def apply(x: Any) -> Array:
        import numpy as np

        values = _numeric(x, function)
        with np.errstate(all="ignore"):
            out = getattr(np, function)(np.ma.getdata(values))
        return _safe(np.ma.MaskedArray(out, mask=np.ma.getmaskarray(values)))

    return apply


def _power(x: Any, exponent: Any) -> Array:
    import numpy as np

    values = _numeric(x, "power")
    with np.errstate(all="ignore"):
        out = np.ma.getdata(values) ** _constant(exponent, "power")
    return _safe(np.ma.MaskedArray(out, mask=np.ma.getmaskarray(values)))


def _present(x: Any, name: str, least: int = 1) -> tuple[Array, Array]:
    values = _numeric(x, name)
    present = values.compressed()
    if len(present) < least:
        raise _fail(f"'{name}' needs at least {least} values that are not missing.")
    return values, present


# What a summary is called, and how it is taken over the values present.
def _summary(name: str) -> Callable[..., Array]:
    def apply(x: Any, *more: Any) -> Array:
        import numpy as np

        values, present = _present(x, name, 2 if name == "sd" else 1)
        if name == "quantile":
            found = float(np.quantile(present, _constant(more[0] if more else 0.5, name)))
        elif name == "sd":
            found = float(np.std(present, ddof=1))
        elif name == "mode":
            kinds, counts = np.unique(present, return_counts=True)
            found = float(kinds[counts.argmax()])
        else:
            found = float(getattr(np, name)(present))
        return np.ma.MaskedArray(np.full(len(values), found), mask=np.zeros(len(values), dtype=bool))

    return apply


def _zscore(x: Any, divisor: Any = 1) -> Array:
    """z-scores; the SD has the divisor n - 1, or n when 0 is given."""
    values, present = _present(x, "zscore", 2)
    sd = float(present.std(ddof=int(divisor)))
    if sd == 0:
        raise _fail("z-scores are undefined: all values are equal.")
    return _safe((values - float(present.mean())) / sd)


def _minmax(x: Any) -> Array:
    values, present = _present(x, "minmax")
    low, high = float(present.min()), float(present.max())
    if low == high:
        raise _fail("Scaling to 0..1 is undefined: all values are equal.")
    return _safe((values - low) / (high - low))


def _fences(present: Array, k: float) -> tuple[float, float]:
    import numpy as np

    q1, q3 = (float(q) for q in np.quantile(present, (0.25, 0.75)))
    return q1 - k * (q3 - q1), q3 + k * (q3 - q1)


def _keep(x: Any, rule: str, k: Any, inside: bool) -> Array:
    """The values on one side of a rule for outliers; the others are missing."""
    import numpy as np

    values, present = _present(x, rule, 3)
    limit = _constant(k, rule)
    if rule == "iqr":
        low, high = _fences(present, limit)
        ordinary = (np.ma.getdata(values) >= low) & (np.ma.getdata(values) <= high)
    else:
        # Divisor n - 1, as the outlier report has it.
        sd = float(present.std(ddof=1))
        ordinary = np.abs(np.ma.getdata(values) - float(present.mean())) <= limit * sd
    return _safe(
        np.ma.MaskedArray(np.ma.getdata(values), mask=np.ma.getmaskarray(values) | (ordinary != inside))
    )


def _within(x: Any, low: Any, high: Any) -> Array:
    """The values from one bound to the other; the others are missing."""
    import numpy as np

    values = _numeric(x, "within")
    data = np.ma.getdata(values)
    inside = (data >= _constant(low, "within")) & (data <= _constant(high, "within"))
    return np.ma.MaskedArray(data, mask=np.ma.getmaskarray(values) | ~inside)


def _fill(x: Any, value: Any) -> Array:
    """Missing values replaced by a value, or by those of another column."""
    import numpy as np

    if np.ma.isMaskedArray(x) and x.dtype == object:
        return np.ma.MaskedArray(x.filled(str(value)), mask=np.zeros(len(x), dtype=bool))
    values, other = _numeric(x, "fill"), _numeric(value, "fill")
    data = np.where(np.ma.getmaskarray(values), np.ma.getdata(other), np.ma.getdata(values))
    mask = np.ma.getmaskarray(values) & np.broadcast_to(np.ma.getmaskarray(other), data.shape)
    return np.ma.MaskedArray(data, mask=mask)


def _cut(x: Any, *edges: Any) -> Array:
    """Labels of intervals: bounds in rising order, optionally each followed by a label for what lies below it.

    `cut(age, 18, 65)` gives '< 18', '18 to < 65' and '>= 65'; `cut(age, 18, 'young', 65, 'grown', 'old')` the names.
    """
    import numpy as np

    values = _numeric(x, "cut")
    bounds = [float(e) for e in edges if isinstance(e, int | float) and not isinstance(e, bool)]
    names = [str(e) for e in edges if isinstance(e, str)]
    if not bounds or bounds != sorted(set(bounds)) or (names and len(names) != len(bounds) + 1):
        raise _fail(
            "'cut' needs bounds in rising order, and as many labels as intervals.",
            "Write cut(age, 18, 65) or cut(age, 18, 'young', 65, 'grown', 'old').",
        )
    if not names:
        shown = [f"{b:g}" for b in bounds]
        middle = [f"{a} to < {b}" for a, b in pairwise(shown)]
        names = [f"< {shown[0]}", *middle, f">= {shown[-1]}"]
    out = np.empty(len(values), dtype=object)
    out[:] = [names[i] for i in np.searchsorted(bounds, np.ma.getdata(values), side="right")]
    return np.ma.MaskedArray(out, mask=np.ma.getmaskarray(values).copy())


def _cut_closed(x: Any, *edges: Any) -> Array:
    """Like `cut`, but an interval holds its upper bound."""
    import numpy as np

    values = _numeric(x, "cut_closed")
    bounds = [float(e) for e in edges if isinstance(e, int | float) and not isinstance(e, bool)]
    names = [str(e) for e in edges if isinstance(e, str)]
    if len(names) != len(bounds) + 1 or bounds != sorted(set(bounds)):
        raise _fail("'cut_closed' needs bounds in rising order, and one label more than bounds.")
    out = np.empty(len(values), dtype=object)
    out[:] = [names[i] for i in np.searchsorted(bounds, np.ma.getdata(values), side="left")]
    return np.ma.MaskedArray(out, mask=np.ma.getmaskarray(values).copy())


def _quantile_groups(x: Any, low: Any, high: Any, *names: Any) -> Array:
    """Three groups by two quantiles: at or below the lower, between, at or above the upper."""
    import numpy as np

    values, present = _present(x, "quantile_groups")
    bounds = [float(np.quantile(present, _constant(q, "quantile_groups"))) for q in (low, high)]
    labels = [str(n) for n in names] if len(names) == 3 else ["low", "middle", "high"]
    data = np.ma.getdata(values)
    out = np.empty(len(values), dtype=object)
    out[:] = [labels[2] if v >= bounds[1] else labels[0] if v <= bounds[0] else labels[1] for v in data]
    return np.ma.MaskedArray(out, mask=np.ma.getmaskarray(values).copy())


def _previous(x: Any) -> Array:
    """The value of the row before; missing in the first row."""
    import numpy as np

    values = _numeric(x, "previous")
    data, mask = np.ma.getdata(values), np.ma.getmaskarray(values)
    return np.ma.MaskedArray(np.r_[0.0, data[:-1]], mask=np.r_[True, mask[:-1]])


def _percent_change(x: Any) -> Array:
    """The change from the row before in percent of it; missing in the first row and after a zero."""
    before = _previous(x)
    return arithmetic("*", arithmetic("/", arithmetic("-", x, before), before), 100)


def number(x: Any) -> Array:
    """Text read as numbers: signs, points and exponents count, thousands commas and other marks are left out."""
    return _from_text(x, _number_of)


@lru_cache(maxsize=65536)
def _number_of(text: str) -> float | None:
    if re.fullmatch(r"\d{1,2}:\d{2}(:\d{2})?", text):
        return _clock(text)
    bare = re.sub(r"(?<=\d),(?=\d{3}\b)|[$€£%\s]", "", text)
    return float(bare) if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", bare) else None


def _clock(text: str) -> float:
    parts = [int(p) for p in text.split(":")]
    return float(sum(p * u for p, u in zip(parts, (3600, 60, 1), strict=False)))


def _from_text(x: Any, read: Callable[[str], float | None]) -> Array:
    """Numbers read from labels; what cannot be read is missing."""
    import numpy as np

    labels: Any = np.ma.asarray(x)
    texts = labels.filled("") if labels.dtype == object else labels.astype(str).filled("")
    found = [read(str(t)) for t in texts.tolist()]
    mask = np.array([v is None for v in found]) | np.ma.getmaskarray(labels)
    return np.ma.MaskedArray(np.array([v or 0.0 for v in found], dtype=np.float64), mask=mask)


_MOMENTS = (
    r"(?P<y>\d{4})-?(?P<m>\d{2})-?(?P<d>\d{2})(?:[T _]?(?P<H>\d{1,2}):?(?P<M>\d{2}):?(?P<S>\d{2})?(?:\.\d+)?)?Z?",
    r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})(?: (?P<H>\d{1,2}):(?P<M>\d{2}))?",
    r"(?P<H>\d{1,2}):(?P<M>\d{2})(?::(?P<S>\d{2}))?\s*(?P<half>[AaPp][Mm])?",
)


_SLASHED = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(.*)", re.DOTALL)


def _order_of(texts: Iterable[str]) -> str:
    """Whether slashed dates have the month or the day first, by values above 12; refused when nothing tells."""
    pairs = [(int(m[1]), int(m[2])) for t in texts if (m := _SLASHED.fullmatch(t.strip()))]
    month_first, day_first = any(b > 12 for _, b in pairs), any(a > 12 for a, _ in pairs)
    if pairs and month_first == day_first:
        raise _fail(
            "It cannot be told whether these dates have the day or the month first.",
            "Write them as 2024-05-31.",
        )
    return "day" if day_first else "month"


def _as_iso(text: str, order: str) -> str:
    match = _SLASHED.fullmatch(text.strip())
    if match is None:
        return text
    first, second = f"{int(match[1]):02d}", f"{int(match[2]):02d}"
    return (
        f"{match[3]}-{second}-{first}{match[4]}"
        if order == "day"
        else f"{match[3]}-{first}-{second}{match[4]}"
    )


@lru_cache(maxsize=65536)
def _moment(text: str) -> dt.datetime | None:
    """A date or a time of day read from text."""
    for pattern in _MOMENTS:
        match = re.fullmatch(pattern, text.strip())
        if match is None:
            continue
        part = match.groupdict()
        hour = int(part.get("H") or 0)
        if part.get("half"):
            hour = hour % 12 + (12 if str(part["half"]).casefold() == "pm" else 0)
        try:
            return dt.datetime(
                int(part.get("y") or 1970),
                int(part.get("m") or 1),
                int(part.get("d") or 1),
                hour,
                int(part.get("M") or 0),
                int(part.get("S") or 0),
            )
        except ValueError:
            return None
    return None


def _part(read: Callable[[dt.datetime], float]) -> Callable[..., Array]:
    def apply(x: Any, *, order: str = "") -> Array:
        order = order or _order_of(_texts(x))

        def one(text: str) -> float | None:
            moment = _moment(_as_iso(text, order))
            return None if moment is None else read(moment)

        return _from_text(x, one)

    return apply


def _texts(x: Any) -> set[str]:
    """The different labels of a column."""
    import numpy as np

    return {str(t) for t in np.ma.asarray(x).compressed().tolist()}


_START = dt.datetime(1970, 1, 1)


def _between(unit: float) -> Callable[..., Array]:
    """Time from the first to the second date in a unit of seconds."""
    seconds = _part(lambda t: (t - _START).total_seconds())

    def apply(start: Any, end: Any) -> Array:
        order = _order_of([*_texts(start), *_texts(end)])
        return _safe((seconds(end, order=order) - seconds(start, order=order)) / unit)

    return apply


def _code(x: Any, *yes: Any) -> Array:
    """1 where a label is one of those given, 0 for the others."""
    return _from_text(x, lambda text: float(text in {str(y) for y in yes}))


def _choose(condition: Any, yes: Any, no: Any) -> Array:
    """One label where a condition holds and another where it does not; missing where it cannot be told."""
    import numpy as np

    if not (np.ma.isMaskedArray(condition) and condition.dtype == bool):
        raise _fail("'choose' needs a condition first.", "Write choose(age > 30, 'yes', 'no').")
    out = np.empty(len(condition), dtype=object)
    out[:] = [str(yes) if held else str(no) for held in np.ma.getdata(condition)]
    return np.ma.MaskedArray(out, mask=np.ma.getmaskarray(condition).copy())


def _crossed(first: Any, second: Any) -> Array:
    """Two labels as one, such as 'north, web'."""
    import numpy as np

    a, b = np.ma.asarray(first), np.ma.asarray(second)
    out = np.empty(len(a), dtype=object)
    out[:] = [f"{x}, {y}" for x, y in zip(np.ma.getdata(a).tolist(), np.ma.getdata(b).tolist(), strict=True)]
    return np.ma.MaskedArray(out, mask=_either(a, b))


FUNCTIONS: Mapping[str, Callable[..., Array]] = {
    **{
        name: _elementwise(name) for name in ("log", "log10", "log2", "log1p", "sqrt", "exp", "abs", "square")
    },
    "power": _power,
    **{name: _summary(name) for name in ("mean", "median", "sd", "min", "max", "sum", "mode", "quantile")},
    "zscore": _zscore,
    "minmax": _minmax,
    "within_iqr": lambda x, k=1.5: _keep(x, "iqr", k, True),
    "outside_iqr": lambda x, k=1.5: _keep(x, "iqr", k, False),
    "within_z": lambda x, k=3: _keep(x, "z", k, True),
    "outside_z": lambda x, k=3: _keep(x, "z", k, False),
    "within": _within,
    "fill": _fill,
    "cut": _cut,
    "cut_closed": _cut_closed,
    "quantile_groups": _quantile_groups,
    "previous": _previous,
    "percent_change": _percent_change,
    "number": number,
    "code": _code,
    "choose": _choose,
    "crossed": _crossed,
    "year": _part(lambda t: t.year),
    "month": _part(lambda t: t.month),
    "day": _part(lambda t: t.day),
    "weekday": _part(lambda t: t.isoweekday()),
    "hour": _part(lambda t: t.hour),
    "minute": _part(lambda t: t.minute),
    "seconds": _part(lambda t: (t - _START).total_seconds()),
    "days_between": _between(86400.0),
    "hours_between": _between(3600.0),
    "minutes_between": _between(60.0),
    "seconds_between": _between(1.0),
}
