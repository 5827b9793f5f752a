"""Two tables about the same cases: what agrees and differs, and precedence only as stated; against a plain model."""

from __future__ import annotations

import datetime as dt
import json
import unicodedata
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles.errors import DataError, InputError, StatistiklesError
from statistikles.pipeline import Table, load
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.stewardship import clean, compare_sources
from statistikles.pipeline.stewardship.codes import EXAMINED


def rows(table: Table) -> list[tuple[Any, ...]]:
    columns = ", ".join(table.engine_column(name)[0] for name in table.column_names)
    return table.query(f"SELECT {columns} FROM data ORDER BY rowid")


def column(table: Table, name: str) -> list[Any]:
    return [v for (v,) in table.query(f"SELECT {table.engine_column(name)[0]} FROM data ORDER BY rowid")]


def settle(first: Any, second: Any, key: Any = "id", **step: Any) -> Any:
    here = first if isinstance(first, Table) else load(first, name="here")
    there = second if isinstance(second, Table) else load(second, name="there")
    return clean(here, [{"step": "reconcile", "other": "there", "key": key, **step}], {"there": there})


def codes(findings: Any) -> dict[tuple[str, str], Finding]:
    return {(f.code, f.column): f for f in findings}


HERE = {"id": ["a", "b", "c", "d"], "x": [1.0, 2.0, None, 4.0], "when": ["2024-01-01"] * 4}
THERE = {"x": [9.0, 2.0, 3.0], "id": ["a", "b", "c"], "when": ["2024-01-02", "2023-01-01", "2024-01-01"]}


def test_without_a_precedence_nothing_that_differs_is_decided() -> None:
    here = load(HERE, name="here")
    before = here.fingerprint
    done = settle(here, THERE, fill=False)
    assert rows(done.table) == rows(here) and here.fingerprint == before
    found = codes(done.findings)
    differs = found["sources_disagree", "x"]
    assert (differs.count, differs.rows, differs.seen) == (1, (1,), ("1 / 9",))
    assert differs.severity == "problem" and not differs.done
    for rule in ("this", "other", "missing", "newest:"):
        assert f"`x={rule}" in differs.asked
    assert found["source_fills", "x"].rows == (3,) and found["source_fills", "x"].asked
    assert found["cases_only_here", ""].seen == ("d",)
    for finding in done.findings:
        assert finding.severity in EXAMINED[finding.code].severities
        assert EXAMINED[finding.code].stage == finding.stage


@pytest.mark.parametrize(
    ("rule", "x"),
    [
        ("this", [1.0, 2.0, 3.0, 4.0]),
        ("other", [9.0, 2.0, 3.0, 4.0]),
        ("missing", [None, 2.0, 3.0, 4.0]),
        ("newest:when", [9.0, 2.0, 3.0, 4.0]),
        ({"x": "other", "*": "ask"}, [9.0, 2.0, 3.0, 4.0]),
        ({"X": "missing"}, [None, 2.0, 3.0, 4.0]),
    ],
)
def test_a_stated_precedence_is_followed_and_said(rule: Any, x: list[Any]) -> None:
    done = settle(HERE, THERE, prefer=rule)
    assert column(done.table, "x") == x
    differs = codes(done.findings)["sources_disagree", "x"]
    assert differs.done and not differs.asked and differs.severity == "info"
    fitted = done.record["steps"][0]["fitted"]
    assert fitted["cases"] == {"both": 3, "only_here": 1, "only_there": 0, "without_key": 0}
    assert fitted["columns"]["x"]["settled"] == 1 == fitted["columns"]["x"]["filled"]
    assert set(done.findings) <= set(done.table.findings)


def test_where_neither_row_is_newer_it_is_asked() -> None:
    there = {**THERE, "x": [9.0, 8.0, 3.0], "when": ["2024-01-01", "2023-05-05", None]}
    done = settle(HERE, there, prefer="newest:when")
    assert column(done.table, "x") == [1.0, 2.0, 3.0, 4.0]
    told = [f for f in done.findings if f.code == "sources_disagree" and f.column == "x"]
    assert [(f.rows, bool(f.asked)) for f in told] == [((2,), False), ((1,), True)]
    assert "neither row is later" in told[1].message


def test_a_record_is_a_recipe_that_gives_the_same_table(tmp_path: Path) -> None:
    path = tmp_path / "there.csv"
    pd.DataFrame(THERE).to_csv(path, index=False)
    steps = [{"step": "reconcile", "other": str(path), "key": ["id"], "prefer": "other"}]
    first = clean(load(HERE), steps)
    again = clean(load(HERE), json.loads(json.dumps(first.record)))
    assert again.record == first.record
    assert first.record["steps"][0]["fitted"]["other"]["fingerprint"] == load(path).fingerprint


# Keys --------------------------------------------------------------------------------------------------------


def refused(first: Any, second: Any, key: Any = "id", **step: Any) -> StatistiklesError:
    with pytest.raises(StatistiklesError) as caught:
        settle(first, second, key, **step)
    assert caught.value.hint or isinstance(caught.value, InputError)
    return caught.value


def test_a_key_that_repeats_is_refused_with_its_rows() -> None:
    twice = {"id": ["a", "b", "a"], "x": [1, 2, 3]}
    for fault in (refused(twice, HERE), refused(HERE, twice)):
        assert isinstance(fault, DataError) and fault.code == "duplicate_key"
        assert "id = a occurs 2 times (rows 1 and 3)" in fault.message
    composed = {"id": ["e\u0301", "\u00e9"], "x": [1, 2]}
    assert refused(composed, HERE).code == "duplicate_key"


def test_leading_zeros_are_part_of_an_identifier(tmp_path: Path) -> None:
    zeros, plain = tmp_path / "zeros.csv", tmp_path / "plain.csv"
    zeros.write_text("id,x\n007,1\n012,2\n100,3\n", encoding="utf-8")
    plain.write_text("id,x\n7,1\n12,2\n100,4\n", encoding="utf-8")
    fault = refused(load(zeros), load(plain))
    assert fault.code == "key_kinds" and "'007'" in fault.message and "id:type=text" in (fault.hint or "")
    here, there = load(zeros), load(plain, decisions="id:type=text")
    done = settle(here, there)
    found = codes(done.findings)
    assert found["sources_disagree", "x"].rows == (3,)
    assert found["keys_alike", ""].count == 2
    numbers = settle(load(zeros, decisions="id:type=number"), load(plain))
    assert codes(numbers.findings)["sources_compared", ""].count == 3


def test_keys_of_accents_blanks_dates_numbers_and_several_columns() -> None:
    done = settle(
        {"id": ["Zo\u00eb", "b"], "x": [1, 2]}, {"id": ["Zoe\u0308", "c"], "x": [5, 6]}, prefer="other"
    )
    assert rows(done.table) == [("Zo\u00eb", 5), ("b", 2)]
    here = {"id": [1, 2], "day": ["2024-01-01", "2024-01-02"], "x": [1.5, 2.5]}
    there = {"id": [2.0, 1.0], "day": pd.to_datetime(["2024-01-02", "2024-01-01"]), "x": [0.5, 1.5]}
    done = settle(here, there, ["id", "day"], prefer="other")
    assert column(done.table, "x") == [1.5, 0.5]
    done = settle(
        {"id": [True, False], "x": ["p", "q"]},
        {"no": [False, True], "x": ["r", "p"]},
        {"id": "no"},
        prefer="other",
    )
    assert column(done.table, "x") == ["p", "r"]
    large = 2**60
    done = settle(
        {"id": [large, large + 1], "x": [1, 2]}, {"id": [large + 1, large], "x": [3, 1]}, prefer="other"
    )
    assert column(done.table, "x") == [1, 3]
    assert refused({"id": [large, 1], "x": [1, 2]}, {"id": [1.5, 1.0], "x": [1, 2]}).code == "key_kinds"


def test_rows_without_a_key_match_with_none() -> None:
    done = settle(
        {"id": ["a", None, None], "x": [1, 2, 3]},
        {"id": ["a", None], "x": [1, 9]},
        prefer="other",
        add_rows=True,
    )
    assert column(done.table, "x") == [1, 2, 3]
    assert codes(done.findings)["key_missing", ""].count == 3


@pytest.mark.parametrize(
    ("key", "step", "code"),
    [
        ("nope", {}, "unknown_column"),
        ([], {}, "invalid_input"),
        (["id", "ID"], {}, "invalid_input"),
        ("id", {"prefer": "others"}, "unknown_precedence"),
        ("id", {"prefer": {"x": "newer"}}, "unknown_precedence"),
        ("id", {"prefer": {"id": "this"}}, "invalid_input"),
        ("id", {"prefer": "newest:id"}, "invalid_input"),
        ("id", {"prefer": "newest:gone"}, "unknown_column"),
        ("id", {"columns": ["id"]}, "invalid_input"),
        ("id", {"columns": {"x": "gone"}}, "unknown_column"),
        ("id", {"within": "much"}, "invalid_input"),
        ("id", {"key2": 1}, "unknown_argument"),
    ],
)
def test_what_cannot_be_meant_is_refused(key: Any, step: Any, code: str) -> None:
    assert refused(HERE, THERE, key, **step).code == code


def test_nothing_in_common_is_a_mistake_to_be_told() -> None:
    assert refused(HERE, {"id": ["A", "B"], "x": [1, 2]}).code == "no_common_case"


def test_a_loaded_table_cannot_be_decided_about_again() -> None:
    with pytest.raises(InputError, match="loaded already"):
        settle(HERE, THERE, decisions={"x:missing": "9"})


# Columns -----------------------------------------------------------------------------------------------------


def test_units_are_brought_together(tmp_path: Path) -> None:
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    here.write_text(
        "id,height_cm,temp (°C),dose_mg\n1,180,37.0,5\n2,165,38.5,5\n3,170,36.6,5\n", encoding="utf-8"
    )
    there.write_text(
        "id,Height (ft),temp (°F),dose_ml\n3,5.58,97.9,5\n2,5.41,99.0,5\n1,6.2,98.6,5\n", encoding="utf-8"
    )
    done = settle(load(here), load(there), prefer="other")
    found = codes(done.findings)
    # 180 cm is 5.91 ft and 38.5 °C is 101.3 °F; what rounding explains is no difference.
    assert found["sources_disagree", "height_cm"].rows == (1,)
    assert found["sources_disagree", "temp (°C)"].rows == (2,)
    assert column(done.table, "height_cm") == [pytest.approx(6.2 * 30.48), 165, 170]
    assert column(done.table, "temp (°C)") == [37.0, pytest.approx((99 - 32) / 1.8), 36.6]
    assert ("source_converted", "height_cm") in found
    assert found["columns_only_here", ""].message.endswith("dose_mg.")
    named = settle(load(here), load(there), columns={"dose_mg": "dose_ml"})
    assert codes(named.findings)["source_units", "dose_mg"].severity == "problem"
    assert column(named.table, "dose_mg") == [5, 5, 5]


def test_one_unit_left_unsaid_is_told() -> None:
    done = settle(
        {"id": [1, 2], "weight (kg)": [70.5, 80.5]},
        {"id": [1, 2], "w": [70.5, 81.5]},
        columns={"weight (kg)": "w"},
    )
    assert "Only 'here' names a unit (kg)" in codes(done.findings)["sources_disagree", "weight (kg)"].message


def test_kinds_that_differ_are_not_compared_by_their_look() -> None:
    done = settle(
        {"id": [1, 2], "x": ["1", "many"]}, {"id": [1, 2], "x": [1, 2]}, prefer="other", add_columns=True
    )
    finding = codes(done.findings)["source_kinds", "x"]
    assert finding.severity == "problem" and finding.asked
    assert column(done.table, "x") == ["1", "many"] and done.table.column_names == ("id", "x")


def test_rounding_and_case_are_named_as_what_they_are(tmp_path: Path) -> None:
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    here.write_text("id,x,s\n1,1.5,Yes\n2,2.25,no\n3,7,no\n", encoding="utf-8")
    there.write_text("id,x,s\n1,1.5,yes\n2,2.2461,no\n3,8,perhaps\n", encoding="utf-8")
    found = codes(settle(load(here), load(there)).findings)
    assert "1 of 2 only by rounding" in found["sources_disagree", "x"].message
    assert "1 of 2 only in case" in found["sources_disagree", "s"].message
    near = codes(settle(load(here), load(there), within=0.01).findings)
    assert near["sources_disagree", "x"].rows == (3,)


def test_rows_and_columns_only_there_are_added_when_asked() -> None:
    here = pd.DataFrame({"id": [3, 1], "g": pd.Categorical(["lo", "hi"], ["lo", "mid", "hi"], ordered=True)})
    there = pd.DataFrame({"g": ["top", "mid", "lo"], "id": [9, 1, 3], "more": [0.5, 1.5, 2.5]})
    done = settle(here, there, prefer="other", add_rows=True, add_columns=True)
    assert rows(done.table) == [(3, "lo", 2.5), (1, "mid", 1.5), (9, "top", 0.5)]
    assert done.table.level_order("g", {"top", "mid", "lo", "hi"}) == ["lo", "mid", "hi", "top"]
    kept = settle(here, there, prefer="this")
    assert kept.table.column_names == ("id", "g")
    assert codes(kept.findings)["cases_only_there", ""].asked
    assert kept.table.level_order("g", {"lo", "hi"}) == ["lo", "hi"]


def test_an_empty_column_is_filled_whatever_its_kind() -> None:
    done = settle(
        {"id": [1, 2], "x": [None, None], "y": [1, 2]}, {"id": [2, 1], "x": [2.5, 1.5], "y": [None, None]}
    )
    assert column(done.table, "x") == [1.5, 2.5] and column(done.table, "y") == [1, 2]


def test_looking_changes_nothing_and_says_the_same() -> None:
    here, there = load(HERE, name="here"), load(THERE, name="there")
    before = here.fingerprint, there.fingerprint
    found = compare_sources(here, there, "id")
    assert (here.fingerprint, there.fingerprint) == before and here.findings == load(HERE).findings
    assert found == list(settle(here, there, fill=False).findings)


# Against a model ---------------------------------------------------------------------------------------------

_DAY = dt.datetime(2024, 1, 1)
_KEYS = {
    "zeros": st.integers(0, 30).map(lambda k: f"{k:03d}x"),
    "accents": st.integers(0, 30).map(lambda k: f"é{k}ß"),
    "numbers": st.integers(-30, 30),
    "days": st.integers(0, 30).map(lambda k: _DAY + dt.timedelta(days=k)),
}
_CELLS = {
    "whole": st.integers(0, 3),
    "number": st.sampled_from([0.5, 1.5, -2.25, 1e300]),
    "text": st.sampled_from(["ja", "nein", "Ä", "b b"]),
    "day": st.integers(0, 2).map(lambda k: _DAY + dt.timedelta(days=k)),
    "truth": st.booleans(),
}
_DTYPES = {
    "whole": "Int64",
    "number": "float64",
    "text": "string",
    "day": "datetime64[us]",
    "truth": "boolean",
}


def _frame(
    kind: str, keys: list[Any], data: st.DataObject, decomposed: bool
) -> tuple[pd.DataFrame, dict[Any, dict[str, Any]]]:
    cells = {k: {name: data.draw(st.one_of(st.none(), cell)) for name, cell in _CELLS.items()} for k in keys}
    shown = [unicodedata.normalize("NFD", k) if decomposed and isinstance(k, str) else k for k in keys]
    frame = pd.DataFrame({
        "id": shown,
        **{name: pd.Series([cells[k][name] for k in keys], dtype=_DTYPES[name]) for name in _CELLS},
    })  # fmt: skip
    return frame[data.draw(st.permutations(list(frame.columns)))], cells


@settings(max_examples=80, deadline=None)
@given(
    st.data(),
    st.sampled_from(sorted(_KEYS)),
    st.sampled_from(["ask", "this", "other", "missing", "newest:day"]),
    st.booleans(),
    st.booleans(),
)
def test_any_two_tables_give_what_the_model_gives(
    data: st.DataObject, kind: str, rule: str, fill: bool, add: bool
) -> None:
    shared = data.draw(st.lists(_KEYS[kind], min_size=2, max_size=6, unique=True))
    more = data.draw(st.lists(_KEYS[kind], max_size=5, unique=True))
    mine = shared + [k for k in more[::2] if k not in shared]
    theirs = data.draw(st.permutations(shared + [k for k in more[1::2] if k not in mine]))
    first, here = _frame(kind, mine, data, False)
    second, there = _frame(kind, theirs, data, True)
    # A column without any value has no kind of its own.
    names = [
        n
        for n in _CELLS
        if any(c[n] is not None for c in here.values()) and any(c[n] is not None for c in there.values())
    ]
    if rule == "newest:day" and "day" not in names:
        return
    done = settle(first[["id", *names]], second[["id", *names]], prefer=rule, fill=fill, add_rows=add)
    wanted = [_model(here[k], there.get(k), rule, names, fill) for k in mine]
    wanted += [tuple(there[k][n] for n in names) for k in theirs if k not in here] if add else []
    assert [r[1:] for r in rows(done.table)] == wanted
    counted = done.record["steps"][0]["fitted"]
    assert counted["cases"]["both"] == len(shared)
    for name in names:
        pairs = [(here[k][name], there[k][name]) for k in shared]
        both = [(a, b) for a, b in pairs if a is not None and b is not None]
        differ = sum(a != b for a, b in both)
        told = counted["columns"][name]
        assert (told["compared"], told["differ"], told["agree"]) == (len(both), differ, len(both) - differ)
        said = [f for f in done.findings if f.code == "sources_disagree" and f.column == name]
        assert sum(f.count for f in said) == differ
        assert sum(f.count for f in said if f.done) == told["settled"]
        assert all(bool(f.asked) != bool(f.done) for f in said)
    again = settle(first[["id", *names]], second[["id", *names]], prefer=rule, fill=fill, add_rows=add)
    assert again.record == done.record


def _model(
    mine: dict[str, Any], theirs: dict[str, Any] | None, rule: str, names: list[str], fill: bool
) -> tuple[Any, ...]:
    """One row by the rule as the page states it."""
    if theirs is None:
        return tuple(mine[n] for n in names)
    newer = None not in (mine["day"], theirs["day"]) and theirs["day"] > mine["day"]
    out = []
    for name in names:
        a, b = mine[name], theirs[name]
        if a is None:
            out.append(b if fill else None)
        elif b is None or a == b or rule in ("ask", "this"):
            out.append(a)
        elif rule == "missing":
            out.append(None)
        else:
            out.append(b if rule == "other" or newer else a)
    return tuple(out)
