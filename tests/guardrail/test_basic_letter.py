"""The basic rules against the words of their contract, clause by clause, at the edges."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest

from statistikles import extract_numeric_tokens, extract_numeric_values, validate_numeric_provenance


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (".05", ["05"]),
        ("1,234.5", ["1", "234.5"]),
        ("1e5% 2.5E-3 3e+2% 4e 5e- 6.e2", ["1e5%", "2.5E-3", "3e+2%", "4", "5", "6", "2"]),
        ("1.2.3 -4 −5 7 %", ["1.2", "3", "4", "5", "7"]),
        ("a1b2_3", ["1", "2", "3"]),
        ("٤٫٢ ４.２", ["٤", "٢", "４.２"]),
    ],
)
def test_tokens_are_the_expression_to_the_letter(text: str, tokens: list[str]) -> None:
    assert extract_numeric_tokens(text) == tokens


def test_face_values() -> None:
    assert extract_numeric_values("35% 1e3 2.50 007") == [35.0, 1000.0, 2.5, 7.0]


@pytest.mark.parametrize(
    ("token", "candidate", "legitimate"),
    [
        ("42.73", 42.7333333, True),
        ("42.74", 42.7333333, False),
        ("35%", 0.35, True),
        ("0.35", 35, True),
        ("0.87", -0.87, True),
        ("1.0", -100, False),  # the sign flip is of the candidate, not of its hundredth
        ("35.12%", 0.351234, True),
        ("13", 13.4, True),
        ("13", 12.5, False),
        ("1e-5", 1e-5, True),
        ("1.2e1", 99.0, True),
        ("1.3e1", 13.4, True),
        ("1.4e1", 13.4, False),
        ("0.0", 1e-10, True),
        ("100.00001", 100.0, True),
        ("100.0002", 100.0, False),
    ],
)
def test_one_candidate(token: str, candidate: float, legitimate: bool) -> None:
    assert validate_numeric_provenance(token, [candidate])[0] is legitimate
    assert validate_numeric_provenance(token, [], [candidate])[0] is legitimate


@pytest.mark.parametrize(
    ("token", "legitimate"), [("0", True), ("12", True), ("13", False), ("12.0", False), ("12%", True)]
)
def test_small_integers(token: str, legitimate: bool) -> None:
    assert validate_numeric_provenance(token, [])[0] is legitimate


def test_candidates_are_finite_real_numbers() -> None:
    nested = {"a": [math.nan, math.inf, True, "77", None], "b": ({88.5}, Fraction(199, 2))}
    assert validate_numeric_provenance("77 88.5 99.5 1", nested) == (False, ["77"])
    assert validate_numeric_provenance("0.25", [Decimal("0.25")]) == (False, ["0.25"])


def test_orphans_in_order_with_duplicates() -> None:
    assert validate_numeric_provenance("50.5 20.5 50.5", []) == (False, ["50.5", "20.5", "50.5"])
