"""The same call over pandas, the embedded engine and a Spark cluster gives the same numbers, and twice the same bytes."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pipeline.test_pushdown import CALLS, frame, same
from statistikles.pipeline import load, tables
from statistikles.pipeline.spark import SparkTable
from statistikles.tools.executor import execute_tool

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    return pd.DataFrame(frame())


@pytest.fixture(scope="module")
def parquet(data: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spark") / "t.parquet"
    data.to_parquet(path, index=False)
    return path


@pytest.fixture(scope="module")
def table(spark: Any, parquet: Path) -> Any:
    return load(spark.read.parquet(str(parquet)).repartition(5), name="data")


def without_order(result: Any) -> Any:
    """A result without what only rows in order can give."""
    if isinstance(result, dict):
        return {
            k: without_order(v)
            for k, v in result.items()
            if k != "durbin_watson"
            and not k.endswith("row")
            and not (k == "undefined" and any("row" in n for n in v))
        }
    return result


@pytest.mark.parametrize("name", list(CALLS))
def test_the_same_numbers(name: str, data: pd.DataFrame, table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, arguments = CALLS[name]
    by_values = execute_tool(tool, arguments, data=data)
    monkeypatch.setattr(SparkTable, "numbers", lambda *a: pytest.fail("values were fetched"))
    began = time.perf_counter()
    on_spark = execute_tool(tool, arguments, data={"data": table})
    print(f"{name}: {time.perf_counter() - began:.2f} s on Spark")
    assert "error" not in on_spark, on_spark
    same(without_order(on_spark), without_order(by_values), rtol=1e-12)
    assert json.dumps(execute_tool(tool, arguments, data={"data": table})) == json.dumps(on_spark)
    monkeypatch.setattr(tables, "PUSHED_FROM", 0)
    embedded = execute_tool(tool, arguments, data=data)
    same(without_order(on_spark), without_order(embedded), rtol=1e-12)


def test_what_needs_values_fetches_them(data: pd.DataFrame, table: Any) -> None:
    call = ("nonparametric_test", {"type": "mann_whitney", "group1": "x1", "group2": "x3"})
    same(execute_tool(*call, data={"data": table}), execute_tool(*call, data=data), rtol=1e-12)


def test_only_the_columns_of_a_call_are_fetched(
    data: pd.DataFrame, spark: Any, parquet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one go, so that rows stay together; and the whole table where values are asked for outside a call."""
    table = load(spark.read.parquet(str(parquet)).repartition(5), name="data")
    fetched: list[tuple[str, ...]] = []
    original = SparkTable._fetched

    def spy(self: SparkTable, names: Any) -> Any:
        fetched.append(tuple(names))
        return original(self, names)

    monkeypatch.setattr(SparkTable, "_fetched", spy)
    call: tuple[str, Any] = (
        "correlation",
        {
            "method": "spearman",
            **{k: {"column": v, "where": "Two = 'it''s'"} for k, v in (("x", "X 1"), ("y", "y"))},
        },
    )
    same(execute_tool(*call, data={"data": table}), execute_tool(*call, data=data), rtol=1e-12)
    assert fetched == [("x1", "y", "two")]
    execute_tool("correlation", {"method": "spearman", "x": "x1", "y": "y"}, data={"data": table})
    assert len(fetched) == 1
    wrong = execute_tool("correlation", {"method": "spearman", "x": "x9", "y": "y"}, data={"data": table})
    assert wrong["code"] == "unknown_column" and "x4" in wrong["hint"]
    table.numbers("count")
    assert fetched[-1] == tuple(data.columns)
    again = execute_tool("correlation", {"method": "spearman", "x": "x3", "y": "x4"}, data={"data": table})
    assert "error" not in again and len(fetched) == 2


def test_the_table_describes_itself(data: pd.DataFrame, table: Any) -> None:
    assert table.n_rows == len(data)
    assert table.column("group").levels == ("a", "b", "c")
    assert table.column("y").n == int(data["y"].count())
    assert table.column("x1").max == data["x1"].max()


def test_the_fingerprint_does_not_depend_on_order(spark: Any, parquet: Path, table: Any) -> None:
    other = load(spark.read.parquet(str(parquet)).orderBy("x1"), name="data")
    assert other.fingerprint == table.fingerprint
    changed = load(spark.read.parquet(str(parquet)).selectExpr("x1 + 1 AS x1"), name="data")
    assert changed.fingerprint != table.fingerprint


def test_a_small_frame_is_fetched(spark: Any) -> None:
    rng = np.random.default_rng(2)
    small = pd.DataFrame({"a": rng.normal(size=40), "b": rng.normal(size=40)})
    call = ("regression", {"x": ["a"], "y": "b"})
    assert execute_tool(*call, data=spark.createDataFrame(small)) == execute_tool(*call, data=small)
