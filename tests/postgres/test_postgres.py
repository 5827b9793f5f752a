"""PostgreSQL as a source: whole tables, read-only, in a stable order, without telling the password."""

from __future__ import annotations

import json
import math
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import psycopg
import pytest

from statistikles.errors import DataError
from statistikles.pipeline import load
from statistikles.tools.workspace import Workspace


def test_every_type_arrives(url: str) -> None:
    table = load(url, table='Odd " table')
    assert table.name == 'Odd " table'
    assert table.numbers("id").tolist() == [1.0, 2.0, 3.0]
    assert table.numbers("x").tolist() == [1.5, None, None]
    assert table.numbers("price").tolist() == [2.5, 3.25, None]
    assert table.labels("size").tolist() == ["large", "small", None]
    assert table.column("size").levels == ("small", "medium", "large")
    assert table.numbers("ok").tolist() == [1.0, 0.0, None]
    assert table.labels("at").tolist() == ["2024-01-01 10:00:00", None, "2024-06-01"]
    assert table.labels("day").tolist() == ["2024-01-01", None, "2024-06-01"]
    assert table.labels("raw").tolist() == ["01", None, "ff"]
    assert {f.code for f in table.findings} >= {"time_zone", "binary_cells", "missing_code"}


def test_schemas_views_and_the_error_that_lists_them(url: str) -> None:
    assert load(url, table="lab.some_runs").n_rows == 10
    assert load(url + "#some_runs").n_rows == 10
    with pytest.raises(DataError) as caught:
        load(url)
    assert caught.value.code == "which_table"
    assert "lab.runs" in caught.value.hint and "pg_class" not in caught.value.hint
    with pytest.raises(DataError) as caught:
        load(url, table="runs; DROP TABLE lab.runs")
    assert caught.value.code == "unknown_table"


def test_a_large_table_keeps_its_order_and_its_fingerprint(url: str) -> None:
    first, second = load(url, table="lab.runs"), load(url, table="lab.runs")
    assert first.n_rows == 120_000
    assert first.fingerprint == second.fingerprint
    np.testing.assert_allclose(first.numbers("y")[:5], [math.sin(i) for i in range(1, 6)], rtol=1e-15)


def test_nothing_is_written(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    original = psycopg.Connection.cursor

    def spy(self: psycopg.Connection, *args: object, **kwargs: object) -> object:
        seen.append(bool(self.read_only))
        return original(self, *args, **kwargs)  # type: ignore[call-overload]

    monkeypatch.setattr(psycopg.Connection, "cursor", spy)
    load(url, table="lab.some_runs")
    assert seen and all(seen[1:])


def test_the_password_stays_out_of_errors_and_ledger(url: str, tmp_path: Path) -> None:
    password = urlsplit(url).password or ""
    assert password
    with pytest.raises(DataError) as caught:
        load(url.replace(password, password + "x"), table="lab.runs")
    assert password not in str(caught.value.to_dict())
    assert "authentication failed" in caught.value.message
    ledger = tmp_path / "ledger.jsonl"
    workspace = Workspace({"runs": f"{url}#lab.some_runs"}, ledger=ledger)
    entry = workspace.execute("descriptive_statistics", {"data": {"column": "y"}})
    assert entry.result["n"] == 10
    assert password not in ledger.read_text() and password not in repr(workspace.catalog)
    assert "lab.some_runs" in json.dumps(workspace.ledger.sources)
