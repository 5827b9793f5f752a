"""The ledger: an append-only, hash-chained record of every call, which can be saved and replayed."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import IO, Any

from statistikles.errors import DataError

__all__ = ["FORMAT", "Entry", "Ledger", "plain_arguments", "versions"]

FORMAT = "statistikles-ledger-1"
_START = "0" * 64


@cache
def versions() -> dict[str, str]:
    """Versions of everything that can change a number."""
    out = {"python": platform.python_version(), "platform": f"{platform.system()}-{platform.machine()}"}
    for package in ("statistikles", "numpy", "scipy", "duckdb"):
        try:
            out[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            out[package] = "not installed"
    return out


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One call: what was asked, of which data, with which versions, and what came out."""

    id: str
    tool: str
    arguments: Mapping[str, Any]
    data: Mapping[str, str]
    versions: Mapping[str, str]
    seed: int | None
    result: Mapping[str, Any]
    time: str
    previous: str
    hash: str

    @property
    def failed(self) -> bool:
        """Whether the call was refused."""
        return "error" in self.result

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON."""
        return {name: getattr(self, name) for name in self.__slots__}

    def record(self) -> dict[str, Any]:
        """The entry as the audit and the reader see it."""
        return {"id": self.id, "tool": self.tool, "arguments": self.arguments, "result": self.result}


def _digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(_canonical({k: v for k, v in content.items() if k != "hash"}).encode()).hexdigest()


@contextmanager
def _locked(file: IO[bytes]) -> Iterator[None]:
    """The file for ourselves, where the system knows such locks."""
    try:
        from fcntl import LOCK_EX, LOCK_UN, flock
    except ImportError:
        yield
        return
    flock(file, LOCK_EX)
    try:
        yield
    finally:
        flock(file, LOCK_UN)


class Ledger:
    """Entries in order. With a path, each one is on disk before the call's result is returned.

    The file is JSON lines: a header, then one entry a line. A last line cut short by a crash is left out when
    the file is read and reported in `cut_short`; a changed entry breaks the chain of hashes and is refused.
    """

    def __init__(
        self, path: str | os.PathLike[str] | None = None, *, sources: Mapping[str, str] | None = None
    ) -> None:
        self.entries: list[Entry] = []
        self.sources: dict[str, str] = dict(sources or {})
        self.cut_short = False
        self._size = 0  # of the file as this ledger left it
        self.path = Path(path) if path is not None else None
        if self.path is not None and self.path.exists() and self.path.stat().st_size:
            earlier = Ledger.read(self.path)
            if earlier.cut_short:
                earlier.save(self.path)
            self.entries = earlier.entries
            self._size = self.path.stat().st_size
            self.sources = {**earlier.sources, **self.sources}

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __getitem__(self, entry_id: str) -> Entry:
        for entry in self.entries:
            if entry.id == entry_id:
                return entry
        raise KeyError(entry_id)

    def append(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        result: Mapping[str, Any],
        *,
        data: Mapping[str, str] | None = None,
        seed: int | None = None,
    ) -> Entry:
        """Record a call; its entry, with the next id."""
        content: dict[str, Any] = {
            "id": f"r{len(self.entries) + 1}",
            "tool": _text(tool),
            "arguments": plain_arguments(arguments),
            "data": dict(data or {}),
            "versions": versions(),
            "seed": seed,
            "result": _writable(dict(result)),
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "previous": self.entries[-1].hash if self.entries else _START,
        }
        entry = Entry(**content, hash=_digest(content))
        if self.path is not None:
            self._write(entry)
        self.entries.append(entry)
        return entry

    def _write(self, entry: Entry) -> None:
        assert self.path is not None
        lines = [_canonical(entry.to_dict())]
        if not self._size:
            lines.insert(0, _canonical(self._header()))
        try:
            with self.path.open("ab") as file, _locked(file):
                if file.seek(0, os.SEEK_END) != self._size:
                    raise DataError(
                        "The ledger's file was changed by another program while it was in use.",
                        hint="Give each session a ledger of its own.",
                        where=str(self.path),
                        code="ledger_in_use",
                    )
                file.write(("\n".join(lines) + "\n").encode())
                file.flush()
                os.fsync(file.fileno())
                self._size = file.tell()
        except OSError as error:
            raise DataError(
                f"The ledger cannot be written: {error.strerror}.",
                hint="Choose another path.",
                where=str(self.path),
            ) from error

    def _header(self) -> dict[str, Any]:
        return {"format": FORMAT, "sources": self.sources}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the whole ledger; the file is replaced at once, never half written."""
        target = Path(path)
        lines = [_canonical(self._header()), *(_canonical(e.to_dict()) for e in self.entries)]
        draft = target.with_name(target.name + ".part")
        try:
            draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
            draft.replace(target)
        except OSError as error:
            raise DataError(
                f"The ledger cannot be written: {error.strerror}.",
                hint="Choose another path.",
                where=str(target),
            ) from error

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Ledger:
        """A saved ledger, its chain of hashes verified.

        Raises
        ------
        DataError : the file is absent, is not a ledger, or an entry was altered.
        """
        source = Path(path)
        try:
            lines = source.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(
                f"The ledger '{source.name}' cannot be read.", hint="Check the path.", where=str(source)
            ) from error
        ledger = cls()
        for number, line in enumerate(lines):
            try:
                content = json.loads(line)
            except (ValueError, RecursionError):
                if number == len(lines) - 1 and number > 0:
                    ledger.cut_short = True
                    break
                raise _not_a_ledger(source) from None
            if number == 0:
                if (
                    not isinstance(content, dict)
                    or content.get("format") != FORMAT
                    or not isinstance(content.get("sources", {}), dict)
                ):
                    raise _not_a_ledger(source)
                ledger.sources = dict(content.get("sources", {}))
                continue
            ledger.entries.append(_verified(content, ledger.entries, source))
        return ledger


def _verified(content: Any, before: list[Entry], source: Path) -> Entry:
    previous = before[-1].hash if before else _START
    try:
        entry = Entry(**content)
    except TypeError:
        raise _not_a_ledger(source) from None
    parts = (entry.arguments, entry.data, entry.versions, entry.result)
    if not all(isinstance(part, Mapping) for part in parts):
        raise _not_a_ledger(source)
    if entry.previous != previous or entry.hash != _digest(content) or entry.id != f"r{len(before) + 1}":
        raise DataError(
            f"Entry {entry.id} of the ledger was altered or moved: its hash does not fit.",
            hint="Use the ledger file as it was written.",
            where=str(source),
            code="ledger_altered",
        )
    return entry


def _not_a_ledger(source: Path) -> DataError:
    return DataError(
        f"'{source.name}' is not a Statistikles ledger.", hint="Give a file that was saved as a ledger."
    )


def plain_arguments(value: Any) -> Any:
    """Arguments as JSON, whatever array type they came in."""
    if isinstance(value, Mapping):
        return {_text(str(k)): plain_arguments(v) for k, v in value.items()}
    if hasattr(value, "tolist"):
        return plain_arguments(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_arguments(v) for v in value]
    if (isinstance(value, float) and value != value) or value in (float("inf"), float("-inf")):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, int | float | bool):
        return value
    return _text(str(value))


def _text(value: str) -> str:
    """The text with what no file can hold (half a surrogate pair) replaced."""
    return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")


def _writable(value: Any) -> Any:
    """A result whose texts a file can hold; its numbers are as they were."""
    if isinstance(value, Mapping):
        return {_text(str(k)): _writable(v) for k, v in value.items()}
    if isinstance(value, list):
        return [_writable(v) for v in value]
    return _text(value) if isinstance(value, str) else value
