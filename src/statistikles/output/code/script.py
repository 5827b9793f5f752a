"""The script of a ledger: reading, then for each entry its arguments and the code of its statistic."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statistikles.errors import InputError, did_you_mean
from statistikles.output.code import LANGUAGES
from statistikles.output.code.binding import Binder, NoCode
from statistikles.output.code.languages import PYTHON, Language, R
from statistikles.output.code.tables import reading_of
from statistikles.output.stamp import own_version
from statistikles.pipeline.references import Catalog
from statistikles.registry.declare import Statistic, choose
from statistikles.registry.manifest import load
from statistikles.tools.workspace import CLEAN, DECIDE

if TYPE_CHECKING:
    from statistikles.tools.ledger import Entry
    from statistikles.tools.workspace import Workspace

__all__ = ["language_of", "script"]

_HELPERS = Path(__file__).with_name("helpers")
_UNLESS = re.compile(r"^# unless: (.*)\n", re.M)
_BLOCK_START = {"R": re.compile(r"^(\w+) <- function", re.M), "Python": re.compile(r"^def (\w+)\(", re.M)}
_STANDARD = {"import csv": "csv", "import json": "json", "import re": "re", "import numpy as np": "np"}
_OWN_IMPORT = "from statistikles import execute_tool"
_IMPORT = re.compile(r"^(?:import |from |library\()")


def language_of(name: str) -> Language:
    """The language meant.

    Raises
    ------
    InputError : it is neither R nor Python.
    """
    wanted = LANGUAGES.get(name.casefold())
    if wanted is None:
        raise InputError(
            f"There is no code in '{name}'. The languages are: {', '.join(LANGUAGES)}.",
            hint=did_you_mean(name, LANGUAGES),
            where="language",
        )
    return R if wanted == "R" else PYTHON


def script(workspace: Workspace, language: Language, entries: Sequence[Entry] | None = None) -> str:
    """A script that computes the entries of a workspace's ledger again and prints every number with its address.

    Parameters
    ----------
    workspace : the tables and the ledger.
    language : R or Python.
    entries : which entries; all that were computed when absent.

    Raises
    ------
    DataError : a table is needed that is not there, or is too large to be written out.
    """
    chosen = [e for e in (entries if entries is not None else workspace.ledger.entries) if not e.failed]
    catalog = workspace.catalog or Catalog()
    binder = Binder(catalog, _variables(catalog), language)
    parts = [_entry_lines(entry, binder, workspace) for entry in chosen]
    # What only Statistikles computes comes last: without it, everything else has been printed.
    parts.sort(key=lambda lines: _OWN_IMPORT in lines)
    body = [line for part in parts for line in part]
    data = _data_lines(workspace, catalog, binder)
    return _assembled(language, [e.id for e in chosen], data, body)


def _variables(catalog: Catalog) -> dict[str, str]:
    """{table: its variable}: the name as far as both languages can take it, always different."""
    out: dict[str, str] = {}
    for place, name in enumerate(catalog, 1):
        plain = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
        wanted = f"{plain}_table" if re.match(r"[a-z]", plain) else f"table{place}"
        out[name] = wanted if wanted not in out.values() else f"table{place}"
    return out


def _data_lines(workspace: Workspace, catalog: Catalog, binder: Binder) -> list[str]:
    out: list[str] = []
    for name, uses in binder.uses.items():
        source = workspace.ledger.sources.get(name, "")
        reading = reading_of(catalog[name], source, uses, binder.variables[name])
        out += ["", *reading.lines(catalog[name], uses, binder.language)]
    return out


# One entry ---------------------------------------------------------------------------------------------------


def _entry_lines(entry: Entry, binder: Binder, workspace: Workspace) -> list[str]:
    language = binder.language
    if entry.tool in (CLEAN, DECIDE):  # done already to the table that the script reads
        return ["", language.comment(f"{entry.id}: {entry.result.get('method', entry.tool)}")]
    stat, given = choose(load(entry.tool), dict(entry.arguments))
    if entry.seed is not None and "seed" in stat.parameters:
        given.setdefault("seed", entry.seed)
    rule = "-" * 20
    out = ["", language.comment(f"{entry.id}: {entry.result.get('method', stat.title)} ({stat.name}) {rule}")]
    try:
        code = _template(stat, language, given)
        lines = binder.lines(stat, given, workspace.resolve(stat, given), code)
    except NoCode as reason:
        return [*out, *_without_peer(entry, binder, workspace, stat, str(reason))]
    if re.search(r"(?<![\w.$])exact_p(?!\w)", code):
        lines.append(language.set("exact_p", language.scalar(_rests_on_exact(entry))))
    return [*out, language.set("entry", language.string(entry.id)), *lines, *code.rstrip().splitlines()]


def _rests_on_exact(entry: Entry) -> bool:
    """Whether the leading p value was counted out, and not approximated, as the method recorded says in one word."""
    said = str(entry.result.get("method", ""))
    exact, approximate = re.search(r"\bexact\b", said), re.search(r"\b(?:approximation|asymptotic)\b", said)
    if bool(exact) == bool(approximate):
        raise NoCode("the method recorded does not say whether its p value is exact")
    return bool(exact)


def _template(stat: Statistic, language: Language, given: Mapping[str, Any]) -> str:
    code = stat.template(language.name)
    if not code:
        raise NoCode(f"no function of base {language.name} or its usual packages gives these numbers")
    for names in _UNLESS.findall(code):
        for name in re.split(r",\s*", names.strip()):
            wanted, _, value = name.partition("=")
            now = given.get(wanted)
            if (
                now is not None
                and now != stat.parameters[wanted].default
                and (not value or str(now) == value)
            ):
                raise NoCode(f"'{wanted}' has no counterpart there")
    return _UNLESS.sub("", code)


def _without_peer(
    entry: Entry, binder: Binder, workspace: Workspace, stat: Statistic, reason: str
) -> list[str]:
    """What stands where no independent code does: a sentence, and in Python the call itself."""
    language = binder.language
    if language.name == "R":
        return [
            language.comment(f"No code: {reason}. The Python script computes it with Statistikles itself.")
        ]
    arguments = dict(entry.arguments)
    if entry.seed is not None and "seed" in stat.parameters:
        arguments.setdefault("seed", entry.seed)
    data = _data_argument(workspace)
    call = f"execute_tool({language.string(entry.tool)}, {_json_literal(arguments)}{data})"
    return [
        language.comment(f"No independent code: {reason}. Statistikles itself computes it again."),
        _OWN_IMPORT,
        "",
        language.set("entry", language.string(entry.id)),
        f"say_all([], {call})",
    ]


def _data_argument(workspace: Workspace) -> str:
    sources = {t: p for t, p in workspace.ledger.sources.items() if p}
    if not sources:
        return ""
    return ", data={" + ", ".join(f"{PYTHON.string(t)}: {PYTHON.string(p)}" for t, p in sources.items()) + "}"


def _json_literal(value: Any) -> str:
    """Plain JSON as a Python literal: the text of JSON, read back when the script runs."""
    return f"json.loads({PYTHON.string(json.dumps(value))})"


# Putting together --------------------------------------------------------------------------------------------


def _assembled(language: Language, ids: Sequence[str], data: list[str], body: list[str]) -> str:
    everything = "\n".join([*data, *body])
    helpers = _helpers_for(everything, language)
    lines = [*helpers.splitlines(), *data, *body]
    found = {line for line in lines if _IMPORT.match(line)} - {_OWN_IMPORT}
    if language.name == "Python":
        code = everything + helpers
        found |= {line for line, use in _STANDARD.items() if re.search(rf"(?<![\w.]){use}\.", code)}
    imports = sorted(found, key=lambda line: (line[:4] == "from", line))
    rest = "\n".join(line for line in lines if line == _OWN_IMPORT or not _IMPORT.match(line))
    run = "Rscript" if language.name == "R" else "python"
    shown = ", ".join(ids[:8]) + (", ..." if len(ids) > 8 else "")
    head = [
        language.comment(
            f"Written by Statistikles {own_version()}: computes {shown or 'nothing'} again. Run it with {run}."
        ),
        language.comment("Each line it prints is the address of a number in the result, and the number."),
        *imports,
    ]
    return "\n".join(head) + "\n" + re.sub(r"\n{3,}", "\n\n", "\n" + rest).rstrip() + "\n"


@cache
def _helpers(name: str) -> dict[str, str]:
    """{function: its code} of the small functions that scripts share."""
    suffix = {"R": "helpers.R", "Python": "helpers.py.txt"}[name]
    text = (_HELPERS / suffix).read_text(encoding="utf-8")
    blocks = [block.strip("\n") for block in re.split(r"\n\n(?=#|\w)", text) if block.strip()]
    return dict(_named_blocks(blocks, name))


def _named_blocks(blocks: Sequence[str], name: str) -> Iterator[tuple[str, str]]:
    for block in blocks:
        found = _BLOCK_START[name].search(block)
        if found is not None:
            yield found.group(1), block


def _helpers_for(code: str, language: Language) -> str:
    """The helpers that the code uses, and those that they use, in the order of the file."""
    known = _helpers(language.name)
    wanted: set[str] = set()
    waiting = code
    while True:
        more = {n for n in known if n not in wanted and re.search(rf"(?<![\w.$\"]){n}(?=[(),])", waiting)}
        if not more:
            break
        wanted |= more
        waiting = "\n".join(known[n] for n in more)
    gap = "\n\n" if language.name == "R" else "\n\n\n"
    return gap.join(known[n] for n in known if n in wanted)
