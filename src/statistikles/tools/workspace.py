"""A workspace: the tables a conversation may use and the ledger of what was computed from them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from statistikles.errors import DataError, InputError
from statistikles.pipeline.stewardship import RECORDED
from statistikles.tools.ledger import Entry, Ledger, plain_arguments

if TYPE_CHECKING:
    from statistikles.pipeline.references import Catalog
    from statistikles.pipeline.tables import Table
    from statistikles.registry.declare import Statistic

__all__ = ["CLEAN", "DECIDE", "Workspace"]

# The ledger's names for a recipe that was run and for decisions about reading a table; no tool has them.
CLEAN, DECIDE = "clean", "decide"


class Workspace:
    """Tables by name, and the ledger.

    Parameters
    ----------
    data : a path, a data frame, or {name: either}.
    ledger : where the ledger is kept as it grows; in memory only when absent.
    decisions : what was decided about reading the tables, as "COLUMN:KEY=VALUE" texts or {"COLUMN:KEY": VALUE}.
    """

    def __init__(
        self, data: Any = None, *, ledger: str | os.PathLike[str] | None = None, decisions: Any = None
    ) -> None:
        self._catalog: Catalog | None = None
        self._given: dict[str, Any] = {}
        self.ledger = Ledger(ledger)
        if data is not None or decisions:
            self.add_data(data, decisions)

    @property
    def catalog(self) -> Catalog | None:
        """The tables, None when there are none."""
        return self._catalog

    def add_data(self, data: Any, decisions: Any = None) -> None:
        """Add a table, or several by name; decisions about reading them join the ledger."""
        from statistikles.pipeline.references import Catalog

        if data is None and decisions:
            raise InputError(
                "Decisions are given but no table.", hint="Give the table they are about.", where="decisions"
            )
        added = Catalog.of(data, decisions)
        self._catalog = added if self._catalog is None else Catalog({**self._catalog, **added})
        given = data if isinstance(data, Mapping) and set(map(str, data)) == set(added) else None
        self._given.update({str(k): v for k, v in given.items()} if given else dict.fromkeys(added, data))
        self.ledger.sources.update(_paths(data, added))
        for name, table in added.items():
            if decisions and table.decisions:
                self._record_decisions(name, table)

    def decide(self, decisions: Any, *, table: str | None = None) -> Entry:
        """Read a table again with more decisions about it, uncleaned; the ledger entry that lets it be repeated.

        Parameters
        ----------
        decisions : as "COLUMN:KEY=VALUE" texts or {"COLUMN:KEY": VALUE}; one made before is replaced.
        table : which table; the only one when absent.

        Raises
        ------
        StatistiklesError : a decision that cannot be meant or that the data contradict; the tables stay as they are.
        """
        from statistikles.pipeline.canonicalise.decisions import Decisions
        from statistikles.pipeline.references import Catalog
        from statistikles.pipeline.sources import load

        catalog = self._catalog if self._catalog is not None else Catalog()
        old = catalog.table(table)
        name = next(key for key, known in catalog.items() if known is old)
        made = Decisions.of(decisions).resolved(old.column_names)
        new = load(self._given[name], name=name, decisions={**old.decisions.written(), **made.written()})
        self._catalog = Catalog({**catalog, name: new})
        return self._record_decisions(name, new)

    def _record_decisions(self, name: str, table: Table) -> Entry:
        result = {
            "method": "Decisions about reading a table",
            "n_rows": table.n_rows,
            "fingerprint": table.fingerprint,
        }
        return self.ledger.append(DECIDE, {"table": name, "decisions": table.decisions.written()}, result)

    def fingerprints(self) -> dict[str, str]:
        """{table: fingerprint of its content}."""
        return (
            {}
            if self._catalog is None
            else {name: table.fingerprint for name, table in self._catalog.items()}
        )

    def clean(self, steps: Any, *, table: str | None = None) -> Entry:
        """Put a table cleaned by a recipe in the place of the one loaded; the ledger entry that lets it be repeated.

        Parameters
        ----------
        steps : a recipe, as `statistikles.pipeline.stewardship.recipe` describes.
        table : which table; the only one when absent.

        Raises
        ------
        StatistiklesError : a step cannot be done; the tables stay as they are.
        """
        from statistikles.pipeline.references import Catalog
        from statistikles.pipeline.stewardship.recipe import clean

        catalog = self._catalog if self._catalog is not None else Catalog()
        before = self.fingerprints()
        old = catalog.table(table)
        name = next(key for key, known in catalog.items() if known is old)
        cleaned = clean(old, steps, catalog)
        recorded = cleaned.record["steps"]
        result = {
            "method": "Cleaning recipe",
            "n_rows_before": old.n_rows,
            "n_rows": cleaned.table.n_rows,
            "fingerprint": cleaned.table.fingerprint,
            "steps": recorded,
        }
        arguments = {
            "table": name,
            "steps": [{k: step[k] for k in step if k not in RECORDED} for step in recorded],
        }
        entry = self.ledger.append(CLEAN, arguments, result, data=before)
        self._catalog = Catalog({**catalog, name: cleaned.table})
        return entry

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

    def values(self, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The values a recorded call was computed from: references resolved, missing values dropped.

        Raises
        ------
        StatistiklesError : the call cannot be made with the tables that are loaded now.
        """
        from statistikles.registry.declare import choose
        from statistikles.registry.manifest import load

        stat, given = choose(load(tool), arguments)
        return stat.prepared(self.resolve(stat, given, values=True))[0]

    def computed(self, tool: str, arguments: Mapping[str, Any]) -> Entry:
        """The ledger entry of a call: the one already there when it was made on the same data, else a new one.

        Raises
        ------
        DataError : the ledger could not be written.
        """
        data, asked = self.fingerprints(), plain_arguments(arguments)
        for entry in self.ledger:
            if entry.tool == tool and entry.arguments == asked and entry.data == data and not entry.failed:
                return entry
        return self.execute(tool, arguments)

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
