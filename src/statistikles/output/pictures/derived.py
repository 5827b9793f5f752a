"""Positions that follow from others by a stated rule, which is computed again when a picture is checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from statistikles.output.pictures.spec import Derivation, Numbers

__all__ = [
    "beside",
    "counted",
    "derive",
    "difference",
    "empty",
    "ends",
    "fixed",
    "in_order",
    "joined",
    "mean_of",
    "middle",
    "negative",
    "numbered",
    "scattered",
    "shifted",
    "stacked",
]

Parts = Sequence[Numbers]
Values = tuple[float | None, ...]
_GOLDEN = 0.6180339887498949


def derive(how: Derivation) -> Values:
    """The positions by the rule; KeyError for a rule that does not exist."""
    return _RULES[how.rule](how.parts, how.given)


def _by(rule: str, parts: Parts = (), given: Sequence[float] = (), why: str = "") -> Numbers:
    how = Derivation(rule, tuple(parts), tuple(float(v) for v in given), why)
    return Numbers(derive(how), derived=how)


# Places of the layout ----------------------------------------------------------------------------------------


def in_order(count: int, start: float = 0.0) -> Numbers:
    """The places of categories: start, start + 1, ..."""
    return _by("in order", given=(start, count))


def fixed(values: Sequence[float], why: str) -> Numbers:
    """Values known without any data, and why: 'no difference', 'all alive at the start'."""
    return _by("fixed", given=values, why=why)


def empty(count: int) -> Numbers:
    """Cells that hold no number."""
    return _by("empty", given=(count,))


def scattered(place: float, count: int, *, spread: float = 0.5) -> Numbers:
    """Places around one that look random and are the same every time: multiples of the golden ratio."""
    return _by("scattered", given=(place, count, spread))


def counted(of: Numbers) -> Numbers:
    """How many there are."""
    return _by("counted", (of,))


def numbered(of: Numbers, start: int = 1) -> Numbers:
    """The number of each item in its own list: of observations the row, of autocorrelations the lag."""
    return _by("numbered", (of,), (start,))


# From numbers with an address --------------------------------------------------------------------------------


def joined(*parts: Numbers) -> Numbers:
    """One after the other."""
    return _by("joined", parts)


def negative(part: Numbers) -> Numbers:
    """With the other sign."""
    return _by("negative", (part,))


def shifted(part: Numbers, by: float) -> Numbers:
    """Each moved by the same amount."""
    return _by("shifted", (part,), (by,))


def stacked(*parts: Numbers) -> Numbers:
    """The sums of bars put on top of each other; one that is undefined has no height."""
    return _by("stacked", parts)


def middle(base: Numbers, height: Numbers) -> Numbers:
    """Half way up a bar that stands on a base."""
    return _by("middle", (base, height))


def difference(a: Numbers, b: Numbers) -> Numbers:
    """Each of the first less each of the second."""
    return _by("difference", (a, b))


def mean_of(a: Numbers, b: Numbers) -> Numbers:
    """The means of pairs."""
    return _by("mean", (a, b))


def ends(of: Numbers) -> Numbers:
    """The least and the greatest."""
    return _by("ends", (of,))


def beside(place: float, reach: float, heights: Numbers, *tops: Numbers) -> Numbers:
    """Heights laid along the other axis from a place: the greatest of the tops reaches as far as `reach`."""
    return _by("beside", (heights, *tops), (place, reach))


def _beside(parts: Parts, given: Sequence[float]) -> Values:
    place, reach = given
    most = max(v for top in parts[1:] for v in top.finite())
    return tuple(place + reach * (v or 0.0) / most for v in parts[0].values)


def _pairs(parts: Parts) -> list[tuple[float, float]]:
    a, b = parts
    return [
        (float("nan") if x is None else x, float("nan") if y is None else y)
        for x, y in zip(a.values, b.values, strict=True)
    ]


def _numbered(parts: Parts, given: Sequence[float]) -> Values:
    kept = parts[0].taken if parts[0].taken is not None else range(len(parts[0]))
    return tuple(float(i + given[0]) for i in kept)


def _scattered(_: Parts, given: Sequence[float]) -> Values:
    place, count, spread = given
    return tuple(place + ((i * _GOLDEN) % 1.0 - 0.5) * spread for i in range(int(count)))


def _stacked(parts: Parts, _: Sequence[float]) -> Values:
    return tuple(sum(v or 0.0 for v in column) for column in zip(*(p.values for p in parts), strict=True))


def _middle(parts: Parts, _: Sequence[float]) -> Values:
    base, height = parts
    return tuple((b or 0.0) + (h or 0.0) / 2 for b, h in zip(base.values, height.values, strict=True))


_RULES: dict[str, Callable[[Parts, Sequence[float]], Values]] = {
    "in order": lambda _, given: tuple(given[0] + i for i in range(int(given[1]))),
    "fixed": lambda _, given: tuple(given),
    "empty": lambda _, given: (None,) * int(given[0]),
    "scattered": _scattered,
    "numbered": _numbered,
    "counted": lambda parts, _: (float(len(parts[0])),),
    "joined": lambda parts, _: tuple(v for part in parts for v in part.values),
    "negative": lambda parts, _: tuple(None if v is None else -v for v in parts[0].values),
    "shifted": lambda parts, given: tuple(None if v is None else v + given[0] for v in parts[0].values),
    "stacked": _stacked,
    "middle": _middle,
    "beside": _beside,
    "ends": lambda parts, _: (min(parts[0].finite()), max(parts[0].finite())),
    "difference": lambda parts, _: tuple(x - y for x, y in _pairs(parts)),
    "mean": lambda parts, _: tuple((x + y) / 2 for x, y in _pairs(parts)),
}
