"""A workspace: the tables a conversation may use and the ledger of what was computed from them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError
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
        self._catalog = added if self._catalog is None else Catalog({**self._catalog, **added})
        self.ledger.sources.update(_paths(data, added))

    def fingerprints(self) -> dict[str, str]:
        """{table: fingerprint of its content}."""
        return (
            {}
            if self._catalog is None
            else {name: table.fingerprint for name, table in self._catalog.items()}
        )

    def resolve(self, stat: Statistic, given: Mapping[str, Any], *, values: bool = False) -> dict[str, Any]:
        """Arguments with their column references replaced by values, and names supplied from the references.

        Where a statistic can do with sums and a table is large, sums take the place of values, unless `values`.
        """
        if (
            self._catalog is None
        ):  # nothing to resolve; a reference without data is refused by its argument kind
            return dict(given)
        from statistikles.tools.resolve import resolve_arguments

        return resolve_arguments(stat, given, self._catalog, values=values)

    def execute(self, tool: str, arguments: Mapping[str, Any]) -> Entry:
        """Run a tool and return its ledger entry.

        Raises
        ------
        DataError : the ledger could not be written.
        """
        from statistikles.tools.executor import execute_tool

        before = len(self.ledger.entries)
        result = execute_tool(tool, arguments, session=self)
        if len(self.ledger.entries) == before:
            raise DataError(str(result["error"]), hint=str(result["hint"]), code=str(result["code"]))
        return self.ledger.entries[-1]

    def execute_traced(
        self, tool: str, arguments: Mapping[str, Any], user_text: str, records: Sequence[Mapping[str, Any]]
    ) -> Entry:
        """Run a model's call, or refuse it when one of its numbers has no source; its ledger entry either way."""
        from statistikles.tools.provenance import untraced

        refusal = untraced(self, tool, arguments, user_text, records)
        if refusal is None:
            return self.execute(tool, arguments)
        return self.ledger.append(tool, arguments, refusal.to_dict(), data=self.fingerprints())


def _paths(data: Any, catalog: Catalog) -> dict[str, str]:
    """{table: path} of the tables that came from files or databases, so that a replay can find them."""
    named = data if isinstance(data, Mapping) else dict.fromkeys(catalog, data)
    return {str(k): _written(os.fspath(v)) for k, v in named.items() if isinstance(v, str | os.PathLike)}


def _written(source: str) -> str:
    """A source as it may be recorded: the URL of a database without its password."""
    from statistikles.pipeline.databases import is_database_url, without_password

    return without_password(source) if is_database_url(source) else source
