"""The easel: one call of the ledger, the further calls its picture needs, and texts made from their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from statistikles.errors import StatistiklesError
from statistikles.output.pictures.derived import counted
from statistikles.output.pictures.source import EVERY, VALUES, follow, written
from statistikles.output.pictures.spec import Numbers, Provenance, Said, Shown
from statistikles.results.roles import Role
from statistikles.results.text import MINUS, format_number, format_p, format_role, interval_decimals

if TYPE_CHECKING:
    from statistikles.tools.workspace import Workspace

__all__ = ["EVERY", "Cited", "Easel", "Name", "count", "heads", "join", "placed", "said"]

_SHORT = 8  # signs of a fingerprint that are shown

Path = Sequence[str | int]


@dataclass(frozen=True, slots=True)
class Name:
    """A word of the data or of a method, quoted as it stands there."""

    text: str


def said(*parts: str | Shown | Name | Said) -> Said:
    """A text from words, numbers with their sources, and names."""
    text: list[str] = []
    numbers: list[Shown] = []
    names: list[str] = []
    for part in parts:
        if isinstance(part, Said):
            numbers += part.numbers
            names += part.names
        elif isinstance(part, Shown):
            numbers.append(part)
        elif isinstance(part, Name):
            names.append(part.text)
        text.append(part if isinstance(part, str) else part.token if isinstance(part, Shown) else part.text)
    return Said("".join(text), tuple(numbers), tuple(names))


def heads(*texts: str | Said) -> tuple[Said, ...]:
    """The headings of a table of numbers."""
    return tuple(said(text) for text in texts)


def count(of: Numbers) -> Shown:
    """How many there are."""
    return Shown(format_number(len(of)), float(len(of)), derived=counted(of))


def placed(one: Numbers) -> Shown:
    """One position that follows by a rule: the lag of an autocorrelation, a constant of a method."""
    value = one.finite()[0]
    return Shown(f"{value:g}", value, derived=one)


def join(between: str, texts: Sequence[Said]) -> Said:
    """Several texts with the same words between them."""
    parts: list[str | Said] = []
    for text in texts:
        parts += [between, text] if parts else [text]
    return said(*parts)


class Cited:
    """The result of one ledger entry; what is taken from it remembers its address."""

    def __init__(
        self, ident: str, tool: str, arguments: Mapping[str, Any], result: Mapping[str, Any]
    ) -> None:
        self.id, self.tool, self.arguments, self.result = ident, tool, arguments, result

    def get(self, *path: str | int) -> Any:
        """The value at a path, None where there is none."""
        try:
            return follow(self.result, path)
        except (KeyError, IndexError, TypeError):
            return None

    def numbers(self, *path: str | int, taken: Sequence[int] | None = None) -> Numbers:
        """The numbers at a path (with EVERY, all of them; or those `taken` by place)."""
        found = follow(self.result, path)
        items = list(found) if isinstance(found, list) else [found]
        kept = None if taken is None else tuple(taken)
        values = tuple(items) if kept is None else tuple(items[i] for i in kept)
        return Numbers(values, written(self.id, path), kept)

    def each(self, *path: str | int, taken: Sequence[int] | None = None) -> Callable[[str], Numbers]:
        """The columns of the rows at a path: `each("graph", "bins")("count")`."""
        return lambda key: self.numbers(*path, EVERY, key, taken=taken)

    def shown(self, *path: str | int, decimals: int | None = None, percent: bool = False) -> Shown:
        """One number as a reader wants it."""
        value = float(follow(self.result, path))
        if percent:
            token = f"{format_number(100 * value, 0 if decimals is None else decimals)}%"
        else:
            token = format_number(value, decimals)
        return Shown(token, value, written(self.id, path))

    def p_value(self, *path: str | int) -> Said:
        """'p < .001'."""
        value = float(follow(self.result, path))
        token = format_p(value).removeprefix("= ")
        sign = "" if token[0] in "<>" else "= "
        return said(f"p {sign}", Shown(token, value, written(self.id, path)))

    def interval(
        self, *path: str | int, low: str = "conf_low", high: str = "conf_high", decimals: int | None = None
    ) -> Said:
        """'[3627, 3774]', an open side as infinity."""
        found = follow(self.result, path)
        ends = (found.get(low), found.get(high))
        decimals = interval_decimals(*ends) if decimals is None else decimals
        parts: list[str | Shown] = []
        for key, value, sign in zip((low, high), ends, (MINUS, ""), strict=True):
            parts.append(f"{sign}∞" if value is None else self.shown(*path, key, decimals=decimals))
        return said("[", parts[0], ", ", parts[1], "]")

    def level(self, *path: str | int) -> Said:
        """'95%'."""
        value = float(follow(self.result, path))
        return said(Shown(f"{format_role(100 * value, Role.VALUE)}%", value, written(self.id, path)))


class Easel:
    """What a picture of one call is made with.

    Parameters
    ----------
    record : {id, tool, arguments, result} of the call.
    workspace : its tables and its ledger, where further calls are recorded.
    """

    def __init__(self, record: Mapping[str, Any], workspace: Workspace) -> None:
        self.lead = Cited(str(record["id"]), record["tool"], record["arguments"], record["result"])
        self.workspace = workspace
        self._used: list[str] = [self.lead.id]
        self._values: dict[str, Any] | None = None

    def compute(self, tool: str, arguments: Mapping[str, Any]) -> Cited | None:
        """A further result that the picture needs, through the executor and into the ledger; None when refused."""
        given = {k: v for k, v in arguments.items() if v is not None}
        entry = self.workspace.computed(tool, given)
        if entry.failed:
            return None
        if entry.id not in self._used:
            self._used.append(entry.id)
        return Cited(entry.id, entry.tool, entry.arguments, entry.result)

    def values(self, *path: str | int) -> Any:
        """The values the leading call was computed from, None where they cannot be had any more."""
        if self._values is None:
            try:
                self._values = self.workspace.values(self.lead.tool, self.lead.arguments)
            except StatistiklesError:
                self._values = {}
        try:
            return follow(self._values, path)
        except (KeyError, IndexError, TypeError):
            return None

    def data(self, *path: str | int, taken: Sequence[int] | None = None) -> Numbers:
        """Observations as they went into the leading call."""
        found = self.values(*path)
        kept = None if taken is None else tuple(int(i) for i in taken)
        items = found.tolist() if hasattr(found, "tolist") else [float(v) for v in found]
        values = tuple(items) if kept is None else tuple(items[i] for i in kept)
        return Numbers(values, written(self.lead.id, (VALUES, *path)), kept)

    def provenance(self) -> Provenance:
        """The entries used and the data they rest on."""
        marks: dict[str, str] = {}
        for ident in self._used:
            marks |= {k: v[:_SHORT] for k, v in self.workspace.ledger[ident].data.items()}
        return Provenance(tuple(self._used), tuple(sorted(marks.items())))
