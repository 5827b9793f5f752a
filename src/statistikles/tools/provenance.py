"""Provenance inwards, over the loaded tables: the numbers of a model's call are traced before it runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.guardrail.evidence import Evidence
from statistikles.guardrail.inward import check_arguments, refuse
from statistikles.registry.manifest import manifest

if TYPE_CHECKING:
    from statistikles.errors import ProvenanceError
    from statistikles.pipeline.references import Catalog
    from statistikles.tools.workspace import Workspace

__all__ = ["TablesView", "untraced"]

_MOST = 0.6


class TablesView:
    """The tables as the guardrail asks of them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def contains_vector(self, values: Sequence[float]) -> str:
        """The column that holds exactly these values, "" if none."""
        return self._catalog.contains_vector(list(values)) or ""

    def has_column(self, name: str) -> bool:
        """Whether a table has a column of this name."""
        return any(name in table.column_names for table in self._catalog.values())

    def contains_value(self, value: float) -> str:
        """The word for a column that holds this value, "" if none."""
        return "a column" if self._catalog.contains_value(value) else ""

    def nearest_vector(self, values: Sequence[float]) -> str:
        """The column that most of these values come from, "" if none."""
        wanted = Counter(values)
        best, share = "", _MOST
        for table in self._catalog.values():
            for name in table.column_names:
                if table.dtype(name) not in ("integer", "float"):
                    continue
                common = sum((wanted & Counter(table.values_present(name).tolist())).values()) / len(values)
                if common > share:
                    best, share = name, common
        return best


def untraced(
    workspace: Workspace,
    tool: str,
    arguments: Mapping[str, Any],
    user_text: str,
    records: Sequence[Mapping[str, Any]],
) -> ProvenanceError | None:
    """Why a call may not run: the first of its numbers that has no source; None when all have one.

    Parameters
    ----------
    workspace : the tables.
    tool : name of the tool.
    arguments : as the model sent them.
    user_text : everything the user typed so far.
    records : everything computed so far.
    """
    entry = manifest()["tools"].get(tool)
    if entry is None:
        return None  # the executor says what is wrong
    evidence = Evidence()
    for record in records:
        if "error" not in record["result"]:
            evidence.add(str(record["id"]), record["result"])
    properties = entry["schema"]["parameters"]["properties"]
    faults = check_arguments(
        tool,
        _formulas_as_filters(arguments),
        user_text=user_text,
        evidence=evidence,
        data=TablesView(workspace.catalog) if workspace.catalog is not None else None,
        defaults={name: schema["default"] for name, schema in properties.items() if "default" in schema},
    )
    return refuse(tool, faults) if faults else None


def _formulas_as_filters(value: Any) -> Any:
    """The arguments with the formulas of defined columns beside the filters, so that their numbers are traced too."""
    if isinstance(value, Mapping):
        out = {key: _formulas_as_filters(part) for key, part in value.items()}
        define = value.get("define")
        if isinstance(define, Mapping):
            from statistikles.pipeline.defined import numbers_written

            written = numbers_written({str(k): str(v) for k, v in define.items()})
            out["where"] = f"({value['where']}) and {written}" if value.get("where") else written
        return out
    return [_formulas_as_filters(part) for part in value] if isinstance(value, list) else value
