"""Sentiment and topics: Unicode, negation, bare text, non-negativity, descent to a stationary point, units."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import sentiment_score, topic_model
from statistikles.stats._nmf import factorise

LEXICON = {"good": 1.0, "bad": -1.0, "great": 2.0}


@pytest.mark.parametrize(
    ("text", "plain", "aware"),
    [
        ("good", 1, 1),
        ("not good", 1, -1),
        ("not very good", 1, -1),
        ("It isn't good, it is great", 3, 1),
        ("It isn’t good", 1, -1),
        ("not here. Good", 1, 1),
        ("never not good", 1, 1),
        ("no one two three good", 1, 1),
        ("bad without reason", -1, -1),
        ("GOOD Good gOOd", 3, 3),
        ("goodness", 0, 0),
    ],
)
def test_scores(text: str, plain: float, aware: float) -> None:
    result = sentiment_score(text, LEXICON)
    assert (result.score, result.negation_aware_score) == (plain, aware)


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert sentiment_score("scho\u0308n und SCH\u00d6N", {"sch\u00f6n": 1}).score == 2


def test_underscores_and_digits() -> None:
    assert sentiment_score("snake_case is 5 stars", {"case": 1, "5": 2}).score == 3


def test_own_negations_replace_the_english_ones() -> None:
    assert sentiment_score("nicht gut", {"gut": 1}, negations=("nicht",)).negation_aware_score == -1
    assert sentiment_score("not good", LEXICON, negations=("nicht",)).negation_aware_score == 1


def test_a_bare_string_is_text_even_when_a_column_has_its_name() -> None:
    frame = pd.DataFrame({"good": [1.0, 2.0]})
    call = {"type": "sentiment", "text": "good", "lexicon": LEXICON}
    assert execute_tool("nlp_symbolic", call, data=frame)["score"] == 1


def test_what_cannot_match_or_matches_twice_is_said() -> None:
    assert any("not bad" in w for w in sentiment_score("good", {**LEXICON, "not bad": 2}).warnings)
    assert any("No word" in w for w in sentiment_score("hello", LEXICON).warnings)
    with pytest.raises(InputError, match="twice"):
        sentiment_score("good", {"Good": 1, "good": 2})
    with pytest.raises(InputError, match="words"):
        sentiment_score("?!", LEXICON)


@given(st.text(max_size=60), st.text(max_size=60))
def test_scores_add_over_sentences(left: str, right: str) -> None:
    def score(text: str) -> float:
        try:
            return float(sentiment_score(text, LEXICON).score)
        except InputError:
            return 0.0

    assert score(left + " . " + right) == pytest.approx(score(left) + score(right))


@given(n=st.integers(3, 10), p=st.integers(2, 8), k=st.integers(1, 3), seed=st.integers(0, 10**5))
def test_factors_are_non_negative_and_stationary(n: int, p: int, k: int, seed: int) -> None:
    x = np.random.default_rng(seed).poisson(2.0, size=(n, p)).astype(float)
    k = min(k, n, p)
    if not x.any():
        return
    found = factorise(x, k)
    assert (found.weights >= 0).all()
    assert (found.topics >= 0).all()
    best_rank_k = np.sqrt(np.sum(np.linalg.svd(x, compute_uv=False)[k:] ** 2))
    assert found.error >= best_rank_k * (1 - 1e-9) - 1e-9
    assert found.error <= np.linalg.norm(x) + 1e-9
    if found.converged:
        gradient = (found.weights @ found.topics - x) @ found.topics.T
        assert (np.abs(gradient[found.weights > 1e-6]) < 1e-4).all()
        assert (gradient > -1e-4).all()


def test_two_clean_topics_are_separated() -> None:
    x = np.array([[5, 4, 0, 0], [3, 2, 0, 0], [0, 0, 2, 6], [0, 0, 1, 3]], dtype=float)
    r = topic_model(x, 2, var_names=("a", "b", "c", "d"))
    assert sorted(map(tuple, (sorted(t) for t in r.top_terms.values()))) == [("a", "b"), ("c", "d")]
    assert r.relative_error < 0.1
    assert len(set(r.leading_topic[:2])) == len(set(r.leading_topic[2:])) == 1
    assert sum(r.topic_shares.values()) == pytest.approx(1.0)
    for terms in r.topics.values():
        assert sum(terms.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("power", [-600, 600])
def test_units_of_topics(power: int) -> None:
    x = np.random.default_rng(3).poisson(2.0, size=(6, 5)).astype(float)
    plain, far = topic_model(x, 2), topic_model(np.ldexp(x, power), 2)
    assert far.topics == plain.topics
    assert far.reconstruction_error == np.ldexp(plain.reconstruction_error, power)


def test_refusals_of_topics() -> None:
    with pytest.raises(InputError, match="negative"):
        topic_model(np.array([[1.0, -1], [2, 3]]), 1)
    with pytest.raises(NotDefined):
        topic_model(np.zeros((3, 3)), 1)
