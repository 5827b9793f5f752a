"""Filters: what they mean (against plain Python), what they refuse, and that nothing else can get through."""

from __future__ import annotations

import math
import operator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles.errors import DataError, StatistiklesError
from statistikles.pipeline import Table, load
from statistikles.pipeline.filter_syntax import parse

PENGUINS = Path(__file__).parents[2] / "examples" / "penguins.csv"


@pytest.fixture(scope="module")
def penguins() -> Table:
    return load(PENGUINS)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return pd.read_csv(PENGUINS)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("species = 'Adelie'", "species == 'Adelie'"),
        ("species == 'Adelie'", "species == 'Adelie'"),
        ("SPECIES != 'Adelie'", "species != 'Adelie'"),
        ("species <> 'Adelie' AND body_mass_g >= 5000", "species != 'Adelie' and body_mass_g >= 5000"),
        ("body_mass_g ≥ 5000", "body_mass_g >= 5000"),
        ("species in ('Adelie', 'Gentoo')", "species in ['Adelie', 'Gentoo']"),
        ("species not in ('Adelie')", "species != 'Adelie'"),
        ("year in (2007, 2009)", "year in [2007, 2009]"),
        ("bill_length_mm between 40 and 45", "40 <= bill_length_mm <= 45"),
        ("bill_length_mm not between 40 and 45", "bill_length_mm < 40 or bill_length_mm > 45"),
        ("sex is missing", "sex.isna()"),
        ("sex is not null and [year] = 2008", "sex.notna() and year == 2008"),
        ("not (species = 'Adelie' or `island` = 'Dream')", "not (species == 'Adelie' or island == 'Dream')"),
        ("bill_length_mm / bill_depth_mm > 2.5", "bill_length_mm / bill_depth_mm > 2.5"),
        ("bill_length_mm - 2*bill_depth_mm < -1e0", "bill_length_mm - 2*bill_depth_mm < -1"),
        ("3500 < \"Body Mass G\"", "body_mass_g > 3500"),
        ("species = 'Adelie' or species = 'Gentoo' and year = 2007",
         "species == 'Adelie' or (species == 'Gentoo' and year == 2007)"),
    ],
)  # fmt: skip
def test_filters_agree_with_pandas(text: str, query: str, penguins: Table, frame: pd.DataFrame) -> None:
    assert penguins.selection(text).tolist() == frame.query(query).index.tolist()


def test_missing_never_matches(penguins: Table, frame: pd.DataFrame) -> None:
    known = int(frame["sex"].notna().sum())
    assert len(penguins.selection("sex = 'male' or sex <> 'male'")) == known
    assert len(penguins.selection("not sex = 'male'")) == int((frame["sex"] == "female").sum())


def test_truth_values_and_dates(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("ok,day,n\nTRUE,2024-01-01,1\nFALSE,2024-02-01,2\nTRUE,2024-03-01,0\n", encoding="utf-8")
    table = load(path)
    assert table.selection("ok").tolist() == [0, 2]
    assert table.selection("not ok").tolist() == [1]
    assert table.selection("ok = false").tolist() == [1]
    assert table.selection("day >= '2024-02-01'").tolist() == [1, 2]
    assert table.selection("'2024-01-15' > day").tolist() == [0]
    assert table.selection("day between '2024-01-15' and '2024-02-15' and n > 1").tolist() == [1]
    assert table.selection("day in ('2024-03-01', '2024-01-01')").tolist() == [0, 2]
    assert table.selection("1 / n > 0").tolist() == [0, 1]


def test_long_integers_compare_exactly() -> None:
    table = load({"id": [2**60, 2**60 + 1, 5]})
    assert table.selection(f"id = {2**60 + 1}").tolist() == [1]
    assert table.selection("id < 5.5").tolist() == [2]


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("species = 'Adelei'", "unknown_value", "Adelie"),
        ("species <> 'Adelei'", "unknown_value", "Adelie"),
        ("species in ('Adelie', 'gentoo')", "unknown_value", "Gentoo"),
        ("'Adelei' = species", "unknown_value", "Adelie"),
        ("sex = 'NA'", "unknown_value", "is missing"),
        ("body_mass = 3", "unknown_column", "body_mass_g"),
        ('species = "Adelie"', "unknown_column", "single quotes"),
        ("body_mass_g > 99999", "no_rows", "6300"),
        ("species = 'Adelie' and species = 'Gentoo'", "no_rows", "Chinstrap"),
        ("species = 3", "bad_filter", "'3'"),
        ("body_mass_g = '3750'", "bad_filter", "without quotes"),
        ("body_mass_g = 'NA'", "bad_filter", "is missing"),
        ("species + 1 > 2", "bad_filter", ""),
        ("species", "bad_filter", "age > 30"),
        ("species and year = 2007", "bad_filter", ""),
        ("body_mass_g > 1 > 2", "bad_filter", "between"),
        ("species like 'A%'", "bad_filter", "in ('a', 'b')"),
        ("species = 'Adelie", "bad_filter", "closing"),
        ("body_mass_g > 3,5", "bad_filter", ""),
        ("body_mass_g > 3.5.5", "bad_filter", "3.5"),
        ("body_mass_g > 1e999", "bad_filter", ""),
        ("sex = null", "bad_filter", "is missing"),
        ("sex is male", "bad_filter", ""),
        ("body mass g > 3", "bad_filter", '"body mass"'),
        ("year in 2007", "bad_filter", ""),
        ("year in ()", "bad_filter", ""),
        ("year in (island)", "bad_filter", "single quotes"),
        ("", "bad_filter", "all rows"),
        ("year =", "bad_filter", ""),
        ("(year = 2007", "bad_filter", ""),
        ("year = 2007)", "bad_filter", ""),
        ("year = 2007 && sex = 'male'", "bad_filter", "and"),
        ("(" * 200 + "1" + ")" * 200, "bad_filter", "Simplify"),
        ("not " * 500 + "year = 2007", "bad_filter", "Simplify"),
        ("-" * 500 + "1 = 1", "bad_filter", "Simplify"),
        ("1" + "+1" * 3000 + " = 1", "bad_filter", "Simplify"),
        ("year = 2007 or " * 1000 + "year = 2008", "bad_filter", "Shorten"),
    ],
)
def test_unclear_filters_say_what_to_do(text: str, code: str, told: str, penguins: Table) -> None:
    with pytest.raises(DataError) as caught:
        penguins.selection(text)
    assert caught.value.code == code
    assert told in caught.value.hint
    assert caught.value.where == "where"


@pytest.mark.parametrize(
    "text",
    [
        "1=1; drop table data",
        "1=1; select 1",
        "read_csv('/etc/passwd')",
        "year = read_csv('/etc/passwd')",
        "year in (select year from data)",
        "(select 1) = 1",
        "exists (select 1)",
        "year = 2007 union select 1",
        "year = 2007 -- comment",
        "year = 2007 /* comment */",
        "count(year) > 1",
        "data.year = 2007",
        "c0 = 'Adelie'",
        "rowid = 1",
        "rowid",
        "year::varchar = '2007'",
        "species || 'x' = 'Adeliex'",
        "year = $1",
        "year = ?",
        "case when true then true end",
        "current_setting('threads') = '1'",
        "species = 'x' or getenv('HOME') <> ''",
        "x'); drop table data; --",
        "\"species' = 'x\"",
        "pg_catalog.pg_tables",
        "information_schema.tables is missing",
        "@version = 1",
        "\\x00",
        "year = 2007\x00",
    ],
)
def test_nothing_but_an_expression_gets_through(text: str, penguins: Table) -> None:
    with pytest.raises(DataError) as caught:
        penguins.selection(text)
    assert caught.value.code in ("bad_filter", "unknown_column")
    assert len(penguins.selection("year > 0")) == 344


def test_values_with_quotes_are_only_values(tmp_path: Path) -> None:
    odd = "x' or 1=1 --"
    table = load({"g": [odd, "b"], "n": [1, 2]})
    assert table.selection("g = 'x'' or 1=1 --'").tolist() == [0]


def test_not_text_is_refused(penguins: Table) -> None:
    for thing in (3, ["year = 2007"], {"a": 1}, True):
        with pytest.raises(StatistiklesError):
            penguins.numbers("year", thing)  # type: ignore[arg-type]


def test_a_long_list_and_many_conditions(penguins: Table) -> None:
    assert len(penguins.selection("year in (" + ", ".join(map(str, range(1900, 2100))) + ")")) == 344
    assert len(penguins.selection(" or ".join(["year = 2007"] * 300))) == 110


# --- meaning, against plain Python -------------------------------------------------------------------------

ROWS: list[dict[str, Any]] = [
    {"n": n, "x x": x, "g": g, "b": b}
    for n, x, g, b in zip(
        [1, 2, None, -3, 0, 7, 2, 5],
        [0.5, None, -2.25, 1e6, 0.0, 3.0, 2.0, None],
        ["a", "b", "é'", None, "a", "b", "a", None],
        [True, False, None, True, False, True, None, False],
        strict=True,
    )
]
TABLE = load({key: [row[key] for row in ROWS] for key in ROWS[0]})

_NUMBER = st.one_of(st.integers(-5, 8), st.sampled_from([0.5, -2.25, 1e6, 2.0, 3.75]))
_TEXT = st.sampled_from(["a", "b", "é'"])
_OPERATORS = {
    "=": operator.eq, "==": operator.eq, "<>": operator.ne, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}

# A tree is (text, meaning): meaning maps a row to a value, None standing for missing or unknown.


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _arithmetic(parts: Any) -> Any:
    (lt, lm), sign, (rt, rm) = parts

    def meaning(row: Any) -> float | None:
        a, b = lm(row), rm(row)
        return None if a is None or b is None else _ARITHMETIC[sign](float(a), float(b))

    return f"({lt} {sign} {rt})", meaning


def _division(parts: Any) -> Any:
    (lt, lm), (rt, rm) = parts

    def meaning(row: Any) -> float | None:
        a, b = lm(row), rm(row)
        if a is None or b is None or float(b) == 0.0:
            return None
        out = float(a) / float(b)
        return out if math.isfinite(out) else None

    return f"({lt} / {rt})", meaning


_numbers = st.recursive(
    st.one_of(
        st.sampled_from([("n", lambda r: r["n"]), ('"x x"', lambda r: r["x x"])]),
        _NUMBER.map(lambda v: (repr(v) if v >= 0 else f"({v!r})", lambda _r: v)),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(sorted(_ARITHMETIC)), inner).map(_arithmetic),
        st.tuples(inner, inner).map(_division),
        inner.map(lambda a: (f"-({a[0]})", lambda r: None if a[1](r) is None else -a[1](r))),
    ),
    max_leaves=4,
)


def _compare(parts: Any) -> Any:
    (lt, lm), sign, (rt, rm) = parts

    def meaning(row: Any) -> bool | None:
        a, b = lm(row), rm(row)
        return None if a is None or b is None else _OPERATORS[sign](a, b)

    return f"{lt} {sign} {rt}", meaning


def _in(parts: Any) -> Any:
    column, values, negated, text = parts

    def meaning(row: Any) -> bool | None:
        return None if row[column] is None else (row[column] in values) != negated

    return f"{text} {'not ' if negated else ''}in ({', '.join(map(_item, values))})", meaning


def _item(value: Any) -> str:
    return _quote(value) if isinstance(value, str) else repr(value)


def _between(parts: Any) -> Any:
    (t, m), (lt, lm), (ht, hm), negated = parts

    def meaning(row: Any) -> bool | None:
        value, low, high = m(row), lm(row), hm(row)
        above = None if value is None or low is None else value >= low
        below = None if value is None or high is None else value <= high
        out = _and([above, below])
        return None if out is None else out != negated

    return f"{t} {'not ' if negated else ''}between {lt} and {ht}", meaning


def _and(values: list[bool | None]) -> bool | None:
    if False in values:
        return False
    return None if None in values else True


def _or(values: list[bool | None]) -> bool | None:
    if True in values:
        return True
    return None if None in values else False


def _missing(parts: Any) -> Any:
    (t, m), negated = parts
    return f"{t} is {'not ' if negated else ''}missing", lambda r: (m(r) is None) != negated


_tests = st.one_of(
    st.tuples(_numbers, st.sampled_from(sorted(_OPERATORS)), _numbers).map(_compare),
    st.tuples(
        st.just(("g", lambda r: r["g"])),
        st.sampled_from(sorted(_OPERATORS)),
        _TEXT.map(lambda v: (_quote(v), lambda _r: v)),
    ).map(_compare),
    st.tuples(st.just("n"), st.lists(_NUMBER, min_size=1, max_size=4), st.booleans(), st.just("n")).map(_in),
    st.tuples(st.just("g"), st.lists(_TEXT, min_size=1, max_size=3), st.booleans(), st.just("[g]")).map(_in),
    st.tuples(_numbers, _numbers, _numbers, st.booleans()).map(_between),
    st.tuples(st.one_of(_numbers, st.just(("g", lambda r: r["g"]))), st.booleans()).map(_missing),
    st.just(("b", lambda r: r["b"])),
)
_conditions = st.recursive(
    _tests,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(
            lambda cs: (" and ".join(f"({t})" for t, _ in cs), lambda r: _and([m(r) for _, m in cs]))
        ),
        st.lists(inner, min_size=2, max_size=3).map(
            lambda cs: (" OR ".join(f"({t})" for t, _ in cs), lambda r: _or([m(r) for _, m in cs]))
        ),
        inner.map(lambda c: (f"not ({c[0]})", lambda r: None if c[1](r) is None else not c[1](r))),
    ),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(_conditions)
def test_a_filter_means_what_plain_python_says(condition: Any) -> None:
    text, meaning = condition
    expected = [i for i, row in enumerate(ROWS) if meaning(row) is True]
    try:
        found = TABLE.selection(text).tolist()
    except DataError as fault:
        assert fault.code == "no_rows"
        found = []
    assert found == expected, text


_WORDS = "n g b nope and or not in between is null missing true select"
_SIGNS = "( ) , = < >= <> + - * / 'a' 'zz' 1 2.5 1e400 [ ] \" ' ; -- `g` \x00 ≤ ． é"
_PIECES = st.sampled_from([*_WORDS.split(" "), *_SIGNS.split(" "), '"x x"'])


@settings(max_examples=500, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(_PIECES, max_size=25).map(" ".join),
        st.lists(_PIECES, max_size=8).map("".join),
    )
)
def test_no_text_causes_anything_but_a_clear_error(text: str) -> None:
    try:
        rows = TABLE.selection(text)
    except StatistiklesError as fault:
        assert fault.message
        return
    assert 0 < len(rows) <= len(ROWS)
    parse(text)
