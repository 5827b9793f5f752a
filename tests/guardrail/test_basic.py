"""The contract's basic rules, to the letter."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.guardrail import (
    audit,
    collect_numbers,
    extract_numeric_tokens,
    extract_numeric_values,
    validate_numeric_provenance,
)

RESULTS = {"mean": 42.7333333, "std": 5.5, "p_value": 0.0512, "proportion": 0.35}


def test_reference_example_clean() -> None:
    text = (
        "The mean is 42.73 with SD 5.5. The p-value is 0.05, so about 35% of cases. "
        "With 3 groups the result holds."
    )
    assert validate_numeric_provenance(text, RESULTS) == (True, [])


def test_reference_example_orphans() -> None:
    text = "The mean is 42.73 but the correlation was r = 0.87 and t = 3.14159."
    assert validate_numeric_provenance(text, RESULTS) == (False, ["0.87", "3.14159"])


def test_collect_numbers_order_and_skips() -> None:
    nested = {"a": [1, True, None, "7"], "b": (2.5, {"c": 3}), "d": math.inf}
    assert collect_numbers(nested) == [1.0, 2.5, 3.0, math.inf]
    assert collect_numbers({5}) == [5.0]
    assert collect_numbers(10**400) == [math.inf]


def test_tokens_and_values() -> None:
    assert extract_numeric_tokens("p = .05, 35%, 1e-5, 1,234.5") == ["05", "35%", "1e-5", "1", "234.5"]
    assert extract_numeric_values("35% of 12") == [35.0, 12.0]


@pytest.mark.parametrize(
    ("text", "orphans"),
    [
        ("Value -42.73.", []),
        ("It is 42.7 or 43", []),
        ("5% and 12 and 13", ["13"]),
        ("0.427 as a share", []),
        ("13, again 13", ["13", "13"]),
    ],
)
def test_each_basic_rule(text: str, orphans: list[str]) -> None:
    assert validate_numeric_provenance(text, RESULTS)[1] == orphans


def test_user_numbers_count_alike() -> None:
    assert validate_numeric_provenance("You said 77.5", {}, [77.5]) == (True, [])


def test_non_finite_results_match_nothing() -> None:
    assert validate_numeric_provenance("It is 99", {"x": [math.nan, math.inf]})[1] == ["99"]


def test_self_containing_result_ends() -> None:
    loop: list[object] = [1.5]
    loop.append(loop)
    assert collect_numbers(loop) == [1.5]


@given(st.text(), st.recursive(st.floats() | st.integers() | st.text() | st.none() | st.booleans(), st.lists))
def test_never_raises(text: str, results: object) -> None:
    ok, orphans = validate_numeric_provenance(text, results)
    assert ok == (not orphans)
    assert audit(text, [results], rules="basic").ok == ok
