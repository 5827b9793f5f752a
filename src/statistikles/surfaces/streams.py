"""Standard streams: output that survives any terminal, arguments that are a path, a literal or standard input."""

from __future__ import annotations

import codecs
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, StatistiklesError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from rich.console import Console

__all__ = [
    "UsageFault",
    "check_ledger",
    "console",
    "data_argument",
    "existing_file",
    "json_argument",
    "ledger_fault",
    "one_form_of_output",
    "prepare_streams",
    "print_error",
    "print_json",
    "print_text",
    "say_written",
    "tell_faults",
    "text_argument",
]

# What an old terminal cannot write is written in other signs; a lost minus would change a number.
_PLAIN = {
    "−": "-", "–": "-", "—": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "≤": "<=", "≥": ">=",
    "≠": "!=", "≈": "~", "×": "x", "·": "*", "²": "^2", "³": "^3", "α": "alpha", "β": "beta", "η": "eta",
    "ω": "omega", "ε": "epsilon", "χ": "chi", "φ": "phi", "ρ": "rho", "τ": "tau", "μ": "mu", "σ": "sigma",
    "λ": "lambda", "Δ": "Delta", "δ": "delta", "√": "sqrt", "∞": "inf", "±": "+/-", "→": "->", "─": "-", "│": "|",
}  # fmt: skip
_HANDLER = "statistikles-plain"
_WIDTH_WITHOUT_TERMINAL = 100
_URLS = ("postgresql://", "postgres://")


class UsageFault(Exception):
    """What was typed cannot be meant: exit code 2."""

    def __init__(self, message: str, hint: str = "", code: str = "usage") -> None:
        super().__init__(message)
        self.message, self.hint, self.code = message, hint, code


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_PLAIN.get(c, "?") for c in error.object[error.start : error.end]), error.end


def prepare_streams() -> None:
    """Let no character stop the output, whatever the terminal's encoding."""
    codecs.register_error(_HANDLER, _plain)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=_HANDLER)


def console() -> Console:
    """The terminal to draw on; a fixed width when there is none, so that files are the same everywhere."""
    from rich.console import Console

    fixed = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else _WIDTH_WITHOUT_TERMINAL
    return Console(file=sys.stdout, width=fixed, highlight=False, markup=False, emoji=False)


def print_json(content: Any, *, lines: bool = False) -> None:
    """Machine output: one JSON document (or, for a conversation, one line each)."""
    unicode = (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"
    indent = None if lines else 2
    sys.stdout.write(json.dumps(content, indent=indent, ensure_ascii=not unicode, allow_nan=False) + "\n")
    sys.stdout.flush()


def print_text(text: str) -> None:
    """Text as it is, on standard output."""
    sys.stdout.write(text)
    sys.stdout.flush()


def say_written(path: Path) -> None:
    """Where a file was written, on standard error, so that standard output stays what was asked for."""
    sys.stderr.write(f"written: {path}\n")


def one_form_of_output(args: argparse.Namespace) -> None:
    """Refuse two of `--json`, `--format` and `--code` together.

    Raises
    ------
    UsageFault : more than one is given.
    """
    given = [flag for flag in ("json", "format", "code") if getattr(args, flag, None)]
    if len(given) > 1:
        raise UsageFault(
            f"{' and '.join('--' + flag for flag in given)} are two forms of output.", "Give one of them."
        )


def print_error(message: str, hint: str = "") -> None:
    """One clear sentence on standard error, and what to do."""
    sys.stderr.write(f"statistikles: {message}\n" + (f"  {hint}\n" if hint else ""))


def tell_faults(*steps: Callable[[], None]) -> bool:
    """Take every step; what one of them lacks is said on standard error. True when none lacked anything."""
    clean = True
    for step in steps:
        try:
            step()
        except StatistiklesError as error:
            print_error(error.message, error.hint)
            clean = False
    return clean


def ledger_fault(path: str | None) -> DataError | None:
    """Why a ledger cannot be kept in this file, None when it can or none is asked for."""
    if path is None:
        return None
    file = Path(path)
    try:
        new = not file.exists()
        with file.open("ab"):
            pass
        if new:
            file.unlink()
    except OSError as error:
        return DataError(
            f"The ledger cannot be written: {error.strerror}.", hint="Choose another path.", where=path
        )
    return None


def check_ledger(path: str | None) -> None:
    """Refuse a file in which no ledger can be kept.

    Raises
    ------
    DataError : it cannot be written.
    """
    if (fault := ledger_fault(path)) is not None:
        raise fault


def existing_file(path: str) -> str:
    """The path itself; the URL of a database and "PATH#TABLE" pass as well.

    Raises
    ------
    UsageFault : there is no such file.
    """
    if path.startswith(_URLS):
        return path
    file, mark, _ = path.rpartition("#")
    if mark and _is_file(file):
        return path
    try:
        found, is_folder = Path(path).exists(), Path(path).is_dir()
    except (OSError, ValueError):
        found, is_folder = False, False
    if is_folder:
        raise UsageFault(f"'{path}' is a folder, not a file.", "Name one file in it.", "file_not_found")
    if not found:
        raise UsageFault(f"There is no file '{path}'.", "Check the path.", "file_not_found")
    return path


def data_argument(given: list[str] | None) -> Any:
    """The tables of `--data`: None, one path, or {name: path} when several are given or named (NAME=FILE)."""
    if not given:
        return None
    if len(given) == 1 and ("=" not in given[0] or Path(given[0]).exists() or given[0].startswith(_URLS)):
        return existing_file(given[0])
    tables: dict[str, str] = {}
    for item in given:
        name, _, path = item.partition("=")
        if not path or Path(item).exists() or item.startswith(_URLS):
            name, path = _table_name(item), item
        if name in tables:
            raise UsageFault(f"Two tables are called '{name}'.", "Name them: --data NAME=FILE.")
        tables[name] = existing_file(path)
    return tables


def _table_name(item: str) -> str:
    """What a table is called that was given without a name: the table after '#', else the file's stem."""
    file, mark, table = item.rpartition("#")
    if mark and (item.startswith(_URLS) or _is_file(file)):
        return table
    return "data" if item.startswith(_URLS) else Path(item).stem


def _is_file(text: str) -> bool:
    try:
        return "\n" not in text and Path(text).is_file()
    except (OSError, ValueError):
        return False


def text_argument(given: str, what: str) -> str:
    """A text given as a path, a literal, or `-` for standard input.

    Raises
    ------
    UsageFault : the file cannot be read, or the text is plainly meant as a path that does not exist.
    """
    try:
        if given == "-":
            return sys.stdin.buffer.read().decode("utf-8-sig")
        if _is_file(given):
            return Path(given).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageFault(f"{what}: '{given}' is not UTF-8 text.", "Save it as UTF-8.") from None
    except OSError as error:
        raise UsageFault(f"{what}: '{given}' cannot be read: {error.strerror}.") from None
    if given and not any(c.isspace() for c in given) and given.endswith((".txt", ".md", ".json", ".jsonl")):
        raise UsageFault(f"{what}: there is no file '{given}'.", "Check the path.", "file_not_found")
    return given


def json_argument(given: str, what: str) -> Any:
    """JSON given as a path, a literal, or `-` for standard input.

    Raises
    ------
    UsageFault : it is not JSON.
    """
    text = text_argument(given, what)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        place = (
            f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        )
        hint = "Quote it for the shell, for example: '{\"data\": [1, 2, 3]}'"
        raise UsageFault(f"{what} is neither a file nor valid JSON{place}.", hint, "invalid_json") from None
