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
from statistikles.pipeline.canonicalise.decisions import Decisions
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship import RECORDED
from statistikles.pipeline.stewardship.steps import run_step

if TYPE_CHECKING:
    from statistikles.pipeline.tables import Table

__all__ = ["FORMAT", "Cleaned", "clean", "decisions_of", "read_content", "read_recipe", "steps_of"]

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
    return steps_of(read_content(path))


def read_content(path: str | os.PathLike[str]) -> Any:
    """The recipe or record of a JSON or TOML file, with all that it says beside its steps.

    Raises
    ------
    DataError : the file cannot be read.
    """
    source = Path(path)
    try:
        text = source.read_text(encoding="utf-8")
        return tomllib.loads(text) if source.suffix.lower() == ".toml" else json.loads(text)
    except (OSError, ValueError, RecursionError) as fault:
        raise DataError(
            f"The recipe '{source.name}' cannot be read: {str(fault).splitlines()[0][:120]}.",
            hint="Write it as JSON or TOML (.toml).",
            where=str(source),
        ) from fault


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


def decisions_of(content: Any) -> dict[str, str]:
    """The decisions about reading the table that a recipe or record holds.

    Raises
    ------
    InputError : one of them cannot be meant.
    """
    given = content.get("decisions") if isinstance(content, Mapping) else None
    return Decisions.of(given).written()


def clean(
    table: Table, steps: Any, tables: Mapping[str, Table] | None = None, *, repeats: Any = None
) -> Cleaned:
    """Run a recipe.

    Parameters
    ----------
    table : where to start; it stays as it is.
    steps : a list of steps, or a recipe or record that has one.
    tables : loaded tables that a step may name; any other name is that of a file.
    repeats : the record that is repeated, when `steps` alone does not say so; what differs from it is said.

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
    findings = [*_unlike(steps if repeats is None else repeats, table, now), *findings]
    record: dict[str, Any] = {
        "format": FORMAT,
        "source": {"table": table.name, "rows": table.n_rows, "fingerprint": table.fingerprint},
        "result": {"rows": now.n_rows, "fingerprint": now.fingerprint},
        "steps": done,
    }
    if table.decisions:
        record["decisions"] = table.decisions.written()
    return Cleaned(now, tuple(findings), record)


def _unlike(recorded: Any, table: Table, now: Table) -> list[Finding]:
    """What is not as it was when the record was made: the table, the decisions about it, or what came out."""
    if not isinstance(recorded, Mapping):
        return []
    was, came = (_fingerprint(recorded.get(part)) for part in ("source", "result"))
    lacking = {k: v for k, v in decisions_of(recorded).items() if table.decisions.written().get(k) != v}
    told = ""
    if was and was != table.fingerprint:
        told = (
            f"'{table.name}' is not the table that the record was made from "
            f"(fingerprint {table.fingerprint[:12]}, recorded {was[:12]})."
        )
    elif came and came != now.fingerprint:
        told = (
            f"The steps give another table than recorded (fingerprint {now.fingerprint[:12]}, recorded "
            f"{came[:12]}): another table that they name is not as it was."
        )
    if lacking:
        listed = ", ".join(f"`{where}={value}`" for where, value in lacking.items())
        told = f"{told} The record was made with decisions that this table was not read with: {listed}."
    if not told:
        return []
    return [Finding("record_differs", told.strip(), severity="warning", stage="cleanse")]


def _fingerprint(part: Any) -> str:
    return str(part.get("fingerprint", "")) if isinstance(part, Mapping) else ""
