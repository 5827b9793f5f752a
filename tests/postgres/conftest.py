"""A real PostgreSQL server on loopback. Collected only with STATISTIKLES_POSTGRES=1; then a missing part is a failure."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

if not os.environ.get("STATISTIKLES_POSTGRES"):
    collect_ignore_glob = ["test_*.py"]

TABLES = """
CREATE TYPE size AS ENUM ('small', 'medium', 'large');
CREATE TABLE "Odd "" table" (
    id bigint, x double precision, price numeric(10, 2), size size, ok boolean, at timestamptz, day date,
    note text, raw bytea, tags text[]
);
INSERT INTO "Odd "" table" VALUES
    (1, 1.5, 2.50, 'large', true, '2024-01-01 12:00+02', '2024-01-01', 'a', '\\x01', '{a,b}'),
    (2, NULL, 3.25, 'small', false, NULL, NULL, 'NA', NULL, NULL),
    (3, 'NaN', NULL, NULL, NULL, '2024-06-01 00:00+00', '2024-06-01', '', '\\xff', '{}');
CREATE SCHEMA lab;
CREATE TABLE lab.runs AS SELECT g AS id, 'g' || g % 3 AS grp, sin(g)::float8 AS y FROM generate_series(1, 120000) g;
CREATE VIEW lab.some_runs AS SELECT id, y FROM lab.runs WHERE id <= 10;
"""


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """The URL of the server, its tables made afresh."""
    import psycopg

    address = os.environ["STATISTIKLES_POSTGRES_URL"]
    with psycopg.connect(address, autocommit=True) as con:
        con.execute(
            'DROP TABLE IF EXISTS "Odd "" table"; DROP TYPE IF EXISTS size; DROP SCHEMA IF EXISTS lab CASCADE'
        )
        con.execute(TABLES)  # type: ignore[arg-type]
    yield address
