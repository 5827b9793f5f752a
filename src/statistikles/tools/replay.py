"""Replay: recompute every call of a saved ledger and say whether every number is the same."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from statistikles.errors import DataError, ProvenanceError, StatistiklesError
from statistikles.registry.manifest import manifest
from statistikles.tools.executor import execute_tool
from statistikles.tools.ledger import Entry, Ledger, versions
from statistikles.tools.workspace import CLEAN, DECIDE, Workspace

__all__ = ["Difference", "Recomputed", "ReplayReport", "differences", "ledger_sources", "reopened", "replay"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that is not what it was."""

    address: str
    was: Any
    now: Any


@dataclass(frozen=True, slots=True)
class Recomputed:
    """One call, run again."""

    id: str
    tool: str
    numbers: int
    refused: bool
    changed_tables: tuple[str, ...]
    differences: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether everything is exactly what it was, from the same data."""
        return not self.differences and not self.changed_tables


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay found.

    `version_changes` names packages whose version differs from the one that computed; `cut_short` says that the
    file ends in the middle of an entry, which could not be checked.
    """

    calls: tuple[Recomputed, ...]
    version_changes: Mapping[str, tuple[str, str]]
    cut_short: bool

    @property
    def ok(self) -> bool:
        """Whether every number is the same and nothing was left unchecked."""
        return all(call.same for call in self.calls) and not self.cut_short

    @property
    def numbers(self) -> int:
        """How many numbers were compared."""
        return sum(call.numbers for call in self.calls)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {
            "ok": self.ok,
            "numbers": self.numbers,
            "cut_short": self.cut_short,
            "version_changes": {
                k: {"was": was, "now": now} for k, (was, now) in self.version_changes.items()
            },
            "calls": [{**asdict(call), "same": call.same} for call in self.calls],
        }


def replay(path: str | os.PathLike[str], *, data: Any = None) -> ReplayReport:
    """Recompute a ledger.

    Parameters
    ----------
    path : the ledger file.
    data : the tables it was computed from, when they are no longer where the ledger says.

    Raises
    ------
    DataError : the ledger is absent, altered or none, or its tables cannot be found.
    """
    ledger = Ledger.read(path)
    workspace = Workspace(data if data is not None else ledger_sources(ledger, Path(path)) or None)
    return ReplayReport(
        tuple(_again(entry, workspace) for entry in ledger),
        _version_changes(ledger),
        ledger.cut_short,
    )


def reopened(ledger: Ledger, path: Path, data: Any = None) -> Workspace:
    """A workspace over the tables of a ledger, as its decisions and recipes left them; its own ledger is empty.

    Parameters
    ----------
    ledger : the ledger.
    path : where it was read from.
    data : its tables, when they are no longer where it says.

    Raises
    ------
    DataError : a table is not found.
    """
    workspace = Workspace(data if data is not None else ledger_sources(ledger, path) or None)
    for entry in ledger:
        if entry.tool in (CLEAN, DECIDE) and not entry.failed:
            # Where the data have changed it may fail; the fingerprints say so to whoever compares them.
            _result_again(entry.tool, entry.arguments, workspace)
    workspace.ledger = Ledger(sources=workspace.ledger.sources)
    return workspace


def ledger_sources(ledger: Ledger, path: Path) -> dict[str, str]:
    """{table: file} of the ledger, each found as written or beside the ledger.

    Raises
    ------
    DataError : a table is at neither place.
    """
    from statistikles.pipeline.databases import is_database_url

    found: dict[str, str] = {}
    for table, whole in ledger.sources.items():
        if is_database_url(whole):  # recorded without its password, which the server may know from elsewhere
            found[table] = whole
            continue
        source, mark, inner = (
            whole.rpartition("#") if "#" in whole and not Path(whole).exists() else (whole, "", "")
        )
        for candidate in (Path(source), path.parent / source, path.parent / Path(source).name):
            if source and candidate.is_file():
                found[table] = f"{candidate}{mark}{inner}"
                break
        else:
            raise DataError(
                f"The table '{table}' of the ledger is not at '{source}'.",
                hint="Say where it is with --data.",
                where=source,
                code="file_not_found",
            )
    return found


def _again(entry: Entry, workspace: Workspace) -> Recomputed:
    arguments, fingerprints = dict(entry.arguments), workspace.fingerprints()
    if entry.seed is not None and "seed" not in arguments and _takes_seed(entry.tool):
        arguments["seed"] = entry.seed
    if entry.result.get("code") == ProvenanceError.default_code:
        # Refused before it ran, because nobody had said its numbers: there is nothing to compute again.
        return Recomputed(entry.id, entry.tool, 0, True, (), ())
    # A bare workspace would record the replayed calls; its ledger is in memory and is thrown away with it.
    now = json.loads(json.dumps(_result_again(entry.tool, arguments, workspace)))
    return Recomputed(
        id=entry.id,
        tool=entry.tool,
        numbers=_count(entry.result),
        refused=entry.failed,
        changed_tables=tuple(t for t, mark in entry.data.items() if fingerprints.get(t) != mark),
        differences=tuple(differences(_comparable(entry.result), _comparable(now), entry.id)),
    )


def _result_again(tool: str, arguments: Mapping[str, Any], workspace: Workspace) -> Mapping[str, Any]:
    """The result of a call; or of decisions or a recipe, after which the later calls find the table so made."""
    if tool not in (CLEAN, DECIDE):
        return execute_tool(tool, arguments, session=workspace)
    try:
        if tool == DECIDE:
            return workspace.decide(arguments.get("decisions"), table=arguments.get("table")).result
        return workspace.clean(arguments.get("steps"), table=arguments.get("table")).result
    except StatistiklesError as error:
        return error.to_dict()


def _takes_seed(tool: str) -> bool:
    entry = manifest()["tools"].get(tool)
    return entry is not None and "seed" in entry["schema"]["parameters"]["properties"]


def _comparable(result: Mapping[str, Any]) -> dict[str, Any]:
    """A failure is compared by its code, as its words may improve; a trace never counts."""
    return {"code": result.get("code")} if "error" in result else dict(result)


def differences(was: Any, now: Any, address: str) -> Iterator[Difference]:
    """The places where two results differ, numbers exactly."""
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for key in [*was, *(k for k in now if k not in was)]:
            yield from differences(was.get(key), now.get(key), f"{address}.{key}")
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for place, (old, new) in enumerate(zip(was, now, strict=True)):
            yield from differences(old, new, f"{address}[{place}]")
    elif was != now or isinstance(was, bool) != isinstance(now, bool):
        yield Difference(address, was, now)


def _count(value: Any) -> int:
    if isinstance(value, Mapping):
        return sum(_count(v) for v in value.values())
    if isinstance(value, list):
        return sum(_count(v) for v in value)
    return int(isinstance(value, int | float) and not isinstance(value, bool))


def _version_changes(ledger: Ledger) -> dict[str, tuple[str, str]]:
    here = versions()
    changes: dict[str, tuple[str, str]] = {}
    for entry in ledger:
        for package, was in entry.versions.items():
            if here.get(package) != was:
                changes.setdefault(package, (was, here.get(package, "not installed")))
    return changes
