"""German and French questions: the same calls as their English versions; English is left alone."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from statistikles import Session
from statistikles.neural.planner.languages import in_english
from statistikles.pipeline.references import Catalog


@cache
def _catalog() -> Catalog:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "umsatz": rng.normal(100, 15, 60).round(2),
            "kosten": rng.normal(80, 9, 60).round(2),
            "filiale": ["Nord", "Süd", "West"] * 20,
            "sexe": ["f", "m"] * 30,
        }
    )
    return Catalog.of({"laden": frame})


def _calls(question: str) -> list[tuple[str, dict[str, Any]]]:
    reply = Session(data=_catalog()).ask(question)
    assert reply.audit.ok
    return [(r["tool"], r["arguments"]) for r in reply.results]


PAIRS = [
    (
        "Gibt es einen Zusammenhang zwischen umsatz und kosten?",
        "Is there a relationship between umsatz and kosten?",
    ),
    ("Hängt umsatz mit kosten zusammen?", "Is umsatz associated with kosten?"),
    ("Unterscheidet sich der umsatz zwischen den filialen?", "Does the umsatz differ between the filiale?"),
    ("Wie hoch ist der Mittelwert von umsatz je filiale?", "What is the mean of umsatz per filiale?"),
    (
        "Wie hoch ist die Korrelation zwischen umsatz und kosten?",
        "What is the correlation between umsatz and kosten?",
    ),
    ("Was ist der Median von kosten bei Frauen?", "What is the median of kosten among women?"),
    ("Ist umsatz normalverteilt?", "Is umsatz normally distributed?"),
    ("Quelle est la moyenne de umsatz selon filiale ?", "What is the mean of umsatz by filiale?"),
    ("Y a-t-il un lien entre umsatz et kosten ?", "Is there a relationship between umsatz and kosten?"),
    ("Est-ce que le umsatz diffère selon le sexe ?", "Does umsatz differ between sexe?"),
    (
        "Quelle est la corrélation entre umsatz et kosten ?",
        "What is the correlation between umsatz and kosten?",
    ),
    ("Quel est l'écart-type de kosten ?", "What is the standard deviation of kosten?"),
    ("La variable kosten suit-elle une loi normale ?", "Is the variable kosten normally distributed?"),
]


@pytest.mark.parametrize(("foreign", "english"), PAIRS, ids=[p[0] for p in PAIRS])
def test_the_same_calls_as_in_english(foreign: str, english: str) -> None:
    assert _calls(foreign)
    assert _calls(foreign) == _calls(english)


def test_the_answer_says_how_the_question_was_read() -> None:
    reply = Session(data=_catalog()).ask("Wie hoch ist der Mittelwert von umsatz?")
    assert reply.text.endswith("Read as: what is the mean of umsatz?")


def test_names_of_columns_are_not_translated() -> None:
    read = in_english("Wie hoch ist der Mittelwert von Anzahl nach Gruppen?", ["Anzahl", "Gruppen"])
    assert "Anzahl" in read
    assert "Gruppen" in read


@pytest.mark.parametrize("text", ["Is la_rate the same in des and du?", "What is the mean of die by das?"])
def test_english_is_left_alone(text: str) -> None:
    assert in_english(text, ["la_rate", "des", "du", "die", "das"]) == text
