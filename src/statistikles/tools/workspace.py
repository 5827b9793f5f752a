"""A workspace: the tables a conversation may use and the ledger of what was computed from them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from statistikles.tools.ledger import Entry, Ledger

if TYPE_CHECKING:
    from statistikles.pipeline.references import Catalog
    from statistikles.registry.declare import Statistic

__all__ = ["Workspace"]


class Workspace:
    """Tables by name, and the ledger.

    Parameters
    ----------
    data : a path, a data frame, or {name: either}.
    ledger : where the ledger is kept as it grows; in memory only when absent.
    """

    def __init__(self, data: Any = None, *, ledger: str | os.PathLike[str] | None = None) -> None:
        self._catalog: Catalog | None = None
        self.ledger = Ledger(ledger)
        if data is not None:
            self.add_data(data)

    @property
    def catalog(self) -> Catalog | None:
        """The tables, None when there are none."""
        return self._catalog

    def add_data(self, data: Any) -> None:
        """Add a table, or several by name."""
        from statistikles.pipeline.references import Catalog

        added = Catalog.of(data)
        self._catalog = added if self._catalog is None else self._catalog.merged(added)
        self.ledger.sources.update(added.sources())

    def fingerprints(self) -> dict[str, str]:
        """{table: fingerprint of its content}."""
        return {} if self._catalog is None else self._catalog.fingerprints()

    def resolve(self, stat: Statistic, given: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments with their column references replaced by values, and names supplied from the references."""
        if (
            self._catalog is None
        ):  # nothing to resolve; a reference without data is refused by its argument kind
            return dict(given)
        from statistikles.pipeline.references import resolve_argument

        out = dict(given)
        names: dict[str, tuple[str, ...]] = {}
        for name, value in given.items():
            parameter = stat.parameters[name]
            resolved = resolve_argument(
                value, parameter.kind.shape, self._catalog, tool=stat.tool, argument=name
            )
            out[name] = resolved.value
            names[name] = resolved.names
        for name, parameter in stat.parameters.items():
            sources = getattr(parameter.kind, "of", ())
            if sources and out.get(name) is None:
                supplied = [n for source in sources for n in names.get(source, ())]
                if len(supplied) >= len(sources) and len(set(supplied)) == len(supplied):
                    out[name] = supplied
        return out

    def execute(self, tool: str, arguments: Mapping[str, Any]) -> Entry:
        """Run a tool and return its ledger entry."""
        from statistikles.tools.executor import execute_tool

        execute_tool(tool, arguments, session=self)
        return self.ledger.entries[-1]
