"""Recipes: a list of steps as plain data, run in order on new tables, and recorded so that it can be run again.

    {"steps": [{"step": "drop_missing", "columns": ["body_mass_g"]},
               {"step": "z_score", "column": "body_mass_g"}]}

The record adds, for each step, what was done and the numbers that were estimated (`fitted`), and the fingerprints of
the table before and after. A record is itself a recipe.
"""

from __future__ import annotations

import importlib
import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, InputError, StatistiklesError
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship import RECORDED
from statistikles.pipeline.stewardship.steps import run_step

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["FORMAT", "Cleaned", "clean", "read_recipe", "steps_of"]

FORMAT = "statistikles-recipe-1"


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A new table, what was done to get it, and the record that repeats it. The original table is as it was."""

    table: Table
    findings: tuple[Finding, ...]
    record: Mapping[str, Any]


def read_recipe(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The steps of a JSON or TOML file.

    Raises
    ------
    DataError : the file cannot be read.
    InputError : it holds no list of steps.
    """
    source = Path(path)
    try:
        text = source.read_text(encoding="utf-8")
        content: Any = tomllib.loads(text) if source.suffix.lower() == ".toml" else json.loads(text)
    except (OSError, ValueError, RecursionError) as fault:
        raise DataError(
            f"The recipe '{source.name}' cannot be read: {str(fault).splitlines()[0][:120]}.",
            hint="Write it as JSON or TOML (.toml).",
            where=str(source),
        ) from fault
    return steps_of(content)


def steps_of(content: Any) -> list[dict[str, Any]]:
    """The steps of a list, or of a recipe or record that has one.

    Raises
    ------
    InputError : there is no list of steps.
    """
    steps = content.get("steps") if isinstance(content, Mapping) else content
    if (
        not isinstance(steps, Sequence)
        or isinstance(steps, str)
        or not all(isinstance(s, Mapping) for s in steps)
    ):
        raise InputError(
            "A recipe is a list of steps.",
            hint='Write [{"step": "z_score", "column": "height"}].',
            where="steps",
            code="no_recipe",
        )
    return [dict(s) for s in steps]


def clean(table: Table, steps: Any, tables: Mapping[str, Table] | None = None) -> Cleaned:
    """Run a recipe.

    Parameters
    ----------
    table : where to start; it stays as it is.
    steps : a list of steps, or a recipe or record that has one.
    tables : loaded tables that a step may name; any other name is that of a file.

    Raises
    ------
    StatistiklesError : a step that does not exist or cannot be done; nothing is returned, and its number is named.
    """
    for module in ("transforms", "repairs", "reshape", "reconcile"):
        importlib.import_module(f"statistikles.pipeline.stewardship.{module}")
    done: list[dict[str, Any]] = []
    findings: list[Finding] = []
    now = table
    for place, given in enumerate(steps_of(steps), start=1):
        arguments = {str(k): v for k, v in given.items() if k not in ("step", *RECORDED)}
        try:
            result = run_step(now, given.get("step"), arguments, tables)
        except StatistiklesError as fault:
            fault.message = f"Step {place}: {fault.message}"
            fault.args = (fault.message,)
            raise
        now = result.table
        findings += result.findings
        entry: dict[str, Any] = {"step": given["step"], **arguments}
        if result.fitted:
            entry["fitted"] = dict(result.fitted)
        entry["findings"] = [finding.to_dict() for finding in result.findings]
        done.append(entry)
    record = {
        "format": FORMAT,
        "source": {"table": table.name, "rows": table.n_rows, "fingerprint": table.fingerprint},
        "result": {"rows": now.n_rows, "fingerprint": now.fingerprint},
        "steps": done,
    }
    return Cleaned(now, tuple(findings), record)
