"""The provenance stamp: which version computed what, from which data, when, with which seed, and where it is recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from statistikles.guardrail.report import AuditReport
from statistikles.output.protocols import doubts_of
from statistikles.results import Part
from statistikles.tools.ledger import Entry, Ledger

__all__ = ["Content", "Item", "Stamp", "content_of", "own_version"]

_DIGEST_SHOWN = 12


def own_version() -> str:
    """The version of this program."""
    from statistikles import __version__

    return __version__


@dataclass(frozen=True, slots=True)
class Stamp:
    """Where one result comes from. What is not known (a result outside any ledger) is empty."""

    version: str
    ledger_id: str = ""
    entry_hash: str = ""
    data: Mapping[str, str] = field(default_factory=dict)
    time: str = ""
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, entry: Entry) -> Stamp:
        """The stamp of a ledger entry."""
        recorded = entry.versions.get("statistikles", "")
        version = own_version() if recorded in ("", "not installed") else recorded
        return cls(version, entry.id, entry.hash, entry.data, entry.time, entry.seed, entry.versions)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON, without its empty parts (a seed of zero is none of them)."""
        parts = {
            "version": self.version,
            "ledger_id": self.ledger_id,
            "entry_hash": self.entry_hash,
            "data": dict(self.data),
            "time": self.time,
            "seed": self.seed,
            "versions": dict(self.versions),
        }
        return {name: part for name, part in parts.items() if part not in ("", {}, None)}

    def data_text(self, length: int | None = None) -> str:
        """'penguins sha256 e342f0e4…', one table after the other."""
        cut = "" if length is None else "…"
        return ", ".join(f"{name} sha256 {mark[:length]}{cut}" for name, mark in self.data.items())

    def line(self) -> str:
        """The stamp as one line."""
        parts = [f"Statistikles {self.version}"]
        if self.ledger_id:
            parts.append(f"ledger entry {self.ledger_id} ({self.entry_hash[:_DIGEST_SHOWN]}…)")
        else:
            parts.append("not recorded in a ledger")
        if self.data:
            parts.append(f"data {self.data_text(_DIGEST_SHOWN)}")
        if self.time:
            parts.append(f"computed {self.time}")
        parts.append("no random numbers" if self.seed is None else f"seed {self.seed}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Item:
    """One result with its id, its call and its stamp."""

    id: str
    tool: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]
    stamp: Stamp

    @property
    def failed(self) -> bool:
        """Whether the call was refused."""
        return "error" in self.result


@dataclass(frozen=True, slots=True)
class Content:
    """What is to be written: results, and the audited text they support when there is one."""

    items: tuple[Item, ...]
    text: str = ""
    warning: str = ""
    audit: AuditReport | None = None
    doubts: tuple[str, ...] = ()


def content_of(thing: Any) -> Content:
    """The content of a result, a result dict, a record, a ledger entry, a ledger, a reply or a list of these.

    Raises
    ------
    TypeError : it is none of these.
    """
    if isinstance(thing, Part):
        return Content((_bare("", thing.to_dict()),))
    if isinstance(thing, Entry):
        return Content((_recorded(thing),))
    if isinstance(thing, Ledger):
        return Content(tuple(_recorded(entry) for entry in thing))
    if isinstance(thing, Mapping):
        return Content((_of_mapping(thing),))
    if hasattr(thing, "results") and hasattr(thing, "audit"):
        known = {entry.id: entry for entry in getattr(thing, "ledger", None) or ()}
        items = tuple(
            _recorded(known[str(r["id"])]) if str(r["id"]) in known else _of_mapping(r) for r in thing.results
        )
        return Content(items, str(thing.text), str(thing.warning), thing.audit, doubts_of(thing))
    if isinstance(thing, Sequence) and not isinstance(thing, str):
        return Content(tuple(item for part in thing for item in content_of(part).items))
    raise TypeError(f"a {type(thing).__name__} is no result, ledger or reply")


def _recorded(entry: Entry) -> Item:
    return Item(entry.id, entry.tool, entry.arguments, entry.result, Stamp.of(entry))


def _of_mapping(thing: Mapping[str, Any]) -> Item:
    if isinstance(thing.get("result"), Mapping) and "tool" in thing:
        given = thing.get("arguments")
        arguments = given if isinstance(given, Mapping) else {}
        return _bare(str(thing.get("id", "")), thing["result"], str(thing["tool"]), arguments)
    return _bare("", thing)


def _bare(
    ident: str, result: Mapping[str, Any], tool: str = "", arguments: Mapping[str, Any] | None = None
) -> Item:
    seed = result.get("seed")
    return Item(
        ident,
        tool,
        arguments or {},
        result,
        Stamp(own_version(), seed=seed if isinstance(seed, int) else None),
    )
