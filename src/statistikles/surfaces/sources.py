"""`--with OTHER --key ID`: a second table about the same cases, for `inspect` to compare and for `clean` to settle."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from statistikles.surfaces.streams import UsageFault, existing_file

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["add_source_flags", "both_tables", "given_key", "reconciling"]

_OTHER = "other"


def add_source_flags(parser: argparse.ArgumentParser, *, settle: bool) -> None:
    """The flags that name the second table; with `settle` also those that say what is done where it differs."""
    group = parser.add_argument_group("a second table about the same cases")
    group.add_argument("--with", dest=_OTHER, metavar="OTHER", help="compare with this file, case by case")
    group.add_argument(
        "--key",
        action="append",
        metavar="COLUMN",
        help="the column that names a case in both; repeat for several, HERE=THERE where the names differ",
    )
    if not settle:
        return
    group.add_argument(
        "--prefer",
        action="append",
        metavar="RULE",
        help="whose value is kept where they differ: this, other, missing, newest:COLUMN, or ask (the default); "
        "COLUMN=RULE for one column, repeat for several",
    )
    group.add_argument(
        "--no-fill", action="store_true", help="leave cells missing that only OTHER has a value for"
    )
    group.add_argument("--add-rows", action="store_true", help="add the cases that only OTHER has")
    group.add_argument("--add-columns", action="store_true", help="add the columns that only OTHER has")


def both_tables(
    args: argparse.Namespace, recorded: Mapping[str, str] | None = None
) -> tuple[Table, Table | None]:
    """The table, and the second one when there is one; a decision is for the tables that ask for it.

    Parameters
    ----------
    args : the flags.
    recorded : decisions about the first table that a record repeats; one that is given anew is replaced.

    Raises
    ------
    UsageFault : flags that need each other.
    """
    from statistikles.pipeline.references import Catalog
    from statistikles.pipeline.sources import load

    source, other = existing_file(args.file), getattr(args, _OTHER)
    if other is None:
        lonely = next(
            (f for f in ("key", "prefer", "no_fill", "add_rows", "add_columns") if getattr(args, f, None)),
            None,
        )
        if lonely is not None:
            raise UsageFault(
                f"--{lonely.replace('_', '-')} needs a second table.", "Name it with --with OTHER."
            )
        return load(source, decisions=_made(args.decide, recorded)), None
    if not args.key:
        raise UsageFault("--with needs --key: the column that names a case in both tables.")
    first, second = load(source), load(existing_file(other))
    if args.decide:
        # The names keep the two apart in the catalog; what they are called stays.
        names = first.name, second.name
        here, there = names if names[0] != names[1] else ("this", "other")
        loaded = Catalog.of({here: source, there: other}, args.decide)
        first, second = loaded[here], loaded[there]
        first.name, second.name = names
    if recorded:
        first = load(source, decisions=_made(first.decisions.written(), recorded))
    return first, second


def _made(given: Any, recorded: Mapping[str, str] | None) -> Any:
    """The decisions of now, over those that are recorded."""
    from statistikles.pipeline.canonicalise.decisions import Decisions

    return {**recorded, **Decisions.of(given).written()} if recorded else given


def given_key(args: argparse.Namespace, table: Table) -> dict[str, str]:
    """{name here: name there} of the key; a column whose name holds a '=' is taken as it is."""
    return dict(_split(text, table) if "=" in text else (text, text) for text in args.key)


def _split(text: str, table: Table) -> tuple[str, str]:
    if text in table.column_names:
        return text, text
    here, _, there = text.partition("=")
    return here.strip(), there.strip()


def reconciling(args: argparse.Namespace, table: Table, other: Table) -> dict[str, Any]:
    """The step that the flags ask for, as a recipe would write it."""
    key = given_key(args, table)
    step: dict[str, Any] = {"step": "reconcile", "other": getattr(args, _OTHER)}
    step["key"] = list(key) if all(here == there for here, there in key.items()) else key
    if args.prefer:
        step["prefer"] = _preferred(args.prefer, table)
    if args.no_fill:
        step["fill"] = False
    step |= {name: True for name in ("add_rows", "add_columns") if getattr(args, name)}
    if other.decisions:
        step["decisions"] = other.decisions.written()
    return step


def _preferred(rules: list[str], table: Table) -> str | dict[str, str]:
    """One rule for all, or {column: rule} with '*' for every other column."""
    out: dict[str, str] = {}
    for text in rules:
        column, mark, rule = text.rpartition("=")
        newest = text.startswith("newest:") and text.removeprefix("newest:") in table.column_names
        name, chosen = (column.strip(), rule.strip()) if mark and not newest else ("*", text.strip())
        if out.setdefault(name, chosen) != chosen:
            raise UsageFault(
                f"--prefer is given twice for '{name}': '{out[name]}' and '{chosen}'.", "Keep one."
            )
    return out["*"] if set(out) == {"*"} else out
