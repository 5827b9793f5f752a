"""The fingerprint against its definition written out plainly, and values by rank against a sorted column."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles.pipeline import Table, digests, inference, load, order_statistics, pushdown
from statistikles.pipeline import cells as cells_module
from statistikles.pipeline.canonicalise.missing import MISSING_CODES
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.pushdown import Groups

CHUNK = 7


def plainly(table: Table, chunk: int) -> str:
    """The fingerprint by its definition, cell by cell, with nothing from the module under test."""
    whole = hashlib.sha256(f"statistikles table 1\n{table.n_rows}\n".encode())
    for name in table.column_names:
        c, dtype = table.engine_column(name)
        cells = [v for (v,) in table.query(f"SELECT {c} FROM data ORDER BY rowid")]
        kind = "number" if dtype in ("integer", "float") else dtype
        missing, values = hashlib.sha256(kind.encode()), hashlib.sha256()
        for start in range(0, len(cells), chunk):
            part = cells[start : start + chunk]
            bits = "".join("1" if v is None else "0" for v in part)
            bits += "0" * (-len(bits) % 8)
            missing.update(bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)))
            values.update(_bytes([v for v in part if v is not None], dtype))
        whole.update(f"{len(name.encode())}:{name}".encode())
        whole.update(missing.digest() + values.digest())
    return whole.hexdigest()


def _bytes(present: list[Any], dtype: str) -> bytes:
    if dtype == "text":
        coded = [v.encode() for v in present]
        return b"".join(len(c).to_bytes(8, "little") for c in coded) + b"".join(coded)
    if dtype == "boolean":
        return bytes(present)
    if dtype == "datetime":
        since = [(v - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1) for v in present]
        return b"".join(v.to_bytes(8, "little", signed=True) for v in since)
    out = b"".join(np.float64(float(v) + 0.0).tobytes() for v in present)
    if dtype == "integer" and any(abs(v) > 2**53 for v in present):
        out += b"".join(v.to_bytes(8, "little", signed=True) for v in present)
    return out


_TEXTS = st.one_of(st.none(), st.sampled_from(["a", "it's", "ß", "日本", "b b", '"', "x" * 70, "\n"]))
_FEW = st.one_of(st.none(), st.sampled_from(["yes", "no", "é"]))
_MANY = st.one_of(st.none(), st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=5))
_NUMBERS = st.one_of(st.none(), st.sampled_from([0.0, -0.0, 1.5, -2.0, 1e300]))
_WHOLE = st.one_of(st.none(), st.integers(-(2**63) + 1, 2**63 - 1))
_TRUTH = st.one_of(st.none(), st.booleans())


def _column(cell: Any, size: int) -> Any:
    return st.lists(cell, min_size=size, max_size=size)


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 30))
def test_the_fingerprint_is_what_it_is_defined_as(data: Any, size: int) -> None:
    import pandas as pd

    cells = {"text": _TEXTS, "few": _FEW, "many": _MANY, "number": _NUMBERS, "whole": _WHOLE, "truth": _TRUTH}
    drawn = {name: data.draw(_column(cell, size)) for name, cell in cells.items()}
    frame = pd.DataFrame({
        **{name: pd.Series(drawn[name], dtype="string") for name in ("text", "few", "many")},
        "number": pd.Series(drawn["number"], dtype="float64"),
        "whole": pd.Series(drawn["whole"], dtype="Int64"),
        "truth": pd.Series(drawn["truth"], dtype="boolean"),
        "day": pd.Series([dt.datetime(1969, 12, 31) + dt.timedelta(hours=7 * i) for i in range(size)]),
    })  # fmt: skip
    table = load(frame)
    with patch.object(digests, "_CHUNK", CHUNK):
        assert table.fingerprint == plainly(table, CHUNK)


def test_the_fingerprint_of_a_file_is_the_one_written_down() -> None:
    """The start of it stands in the examples of `output.stamp`; fingerprints in old ledgers must stay comparable."""
    path = Path(__file__).parents[2] / "examples" / "penguins.csv"
    assert load(path).fingerprint == plainly(load(path), 1_000_000)
    assert load(path).fingerprint.startswith("e342f0e4")


def test_a_text_that_comes_late_is_no_other_way_digested(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ["a", "b", None] * 5 + ["late", "a"] + [None] * 9 + ["b"] * 4
    monkeypatch.setattr(digests, "_CHUNK", CHUNK)
    few = load({"v": cells}).fingerprint
    assert few == plainly(load({"v": cells}), CHUNK)
    monkeypatch.setattr(digests, "_FEW", 0)
    assert few == load({"v": cells}).fingerprint


# Values by rank ----------------------------------------------------------------------------------------------

_SHAPES: dict[str, Callable[[np.random.Generator, int], Any]] = {
    "normal": lambda r, n: r.normal(50, 9, n),
    "heavy": lambda r, n: r.standard_cauchy(n) ** 3,
    "ties": lambda r, n: r.integers(0, 4, n).astype(float),
    "one_far": lambda r, n: np.append(r.normal(0, 1e-9, n - 1), 1e12),
    "negative_zero": lambda r, n: np.where(r.random(n) < 0.5, -0.0, 0.25),
}


@pytest.mark.parametrize("most", [100_000, 200])
@pytest.mark.parametrize("shape", _SHAPES)
def test_values_by_rank_are_those_of_the_sorted_column(
    shape: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few rows allowed in a bucket the engine's own percentiles take over: the same values."""
    monkeypatch.setattr(pushdown, "BUCKETS_FROM", 1)
    monkeypatch.setattr(order_statistics, "_MOST", most)
    rng = np.random.default_rng(5)
    n = 3000
    values, by = _SHAPES[shape](rng, n), np.array(["a", "b?", "c'"], dtype=object)[rng.integers(0, 3, n)]
    values[rng.random(n) < 0.05] = np.nan
    by[rng.random(n) < 0.05] = None
    table = load({"v": values, "g": by})
    found = table.pushdown().grouped("c0", "c1", "c0 < ?", [1e11], "v")
    kept = np.isfinite(values) & (values < 1e11)
    for label in ("a", "b?", "c'"):
        wanted = np.sort(values[kept & (by == label)])
        ranks = [1, 2, len(wanted) // 2, len(wanted) - 3, len(wanted)]
        assert found._order(label, ranks) == [wanted[r - 1] for r in ranks]
    whole = Groups(table.pushdown(), "c0", "true", (), "v")
    whole.count()
    wanted = np.sort(values[~np.isnan(values)])
    assert whole._order("", [1, 1500, len(wanted)]) == [wanted[0], wanted[1499], wanted[-1]]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-1e200, 1e200), min_size=1, max_size=40), st.data())
def test_any_finite_numbers_by_rank(values: list[float], data: Any) -> None:
    ranks = data.draw(st.lists(st.integers(1, len(values)), min_size=1, max_size=4))
    with patch.object(pushdown, "BUCKETS_FROM", 1):
        whole = Groups(load({"v": np.array(values)}).pushdown(), "c0", "true", (), "v")
        whole.count()
        found = whole._order("", ranks)
    assert found == [sorted(values)[r - 1] for r in ranks]


# Equal cells looked at together ------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from([*MISSING_CODES[:4], "a", " a", "a ", "b", "", " ", "7", "2020-01-01"]),
        min_size=2,
        max_size=30,
    )
)
def test_few_different_cells_are_read_like_many(cells: list[str]) -> None:
    def told() -> tuple[Any, ...]:
        table = load({"v": [*cells, "x"], "k": list(range(len(cells) + 1))})
        return table.fingerprint, table.findings, table.missing_codes

    plain = told()
    with patch.object(inference, "_LARGE", 0):
        assert told() == plain


# Cells of one type -------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        *(
            st.lists(st.one_of(st.none(), cell), min_size=1, max_size=12)
            for cell in (
                st.integers(-(2**64), 2**64),
                st.floats(),
                st.integers(-(2**54), 2**54).map(float),
                st.text(max_size=3),
                st.one_of(st.integers(0, 3), st.sampled_from([0.5, -0.0, "NA", True])),
            )
        )
    )
)
def test_cells_of_one_type_become_the_same_arrays_at_once(cells: list[Any]) -> None:
    told: list[tuple[Any, ...]] = []
    for quick in (cells_module._of_one_type, lambda _: None):
        arrays: dict[str, Any] = {}
        findings: list[Finding] = []
        with patch.object(cells_module, "_of_one_type", quick):
            cells_module.add_list(arrays, findings, 0, "v", cells)
        values, mask = arrays["v0"], arrays["m0"]
        signs = np.signbit(values[~mask]).tolist() if values.dtype == np.float64 else []
        told.append((values.dtype, mask.tolist(), values[~mask].tolist(), signs, findings))
    assert told[0] == told[1]
