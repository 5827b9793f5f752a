"""A local Spark cluster. Collected only with STATISTIKLES_SPARK=1; then a missing part is a failure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

if not os.environ.get("STATISTIKLES_SPARK"):
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """A session with two worker threads and no web page."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.session.timeZone", "UTC")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()
