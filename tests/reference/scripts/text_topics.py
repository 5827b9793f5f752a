"""Reference values of nlp_symbolic. Run from the project root: python tests/reference/scripts/text_topics.py

Sentiment: words split by str.split after removing punctuation by Unicode category, sums by fractions: another
tokeniser than the one under test. Topics: scikit-learn's NMF from the same kind of start, to convergence.
"""

from __future__ import annotations

import sys
import unicodedata
import warnings
from fractions import Fraction

import numpy as np
import sklearn
from _write import Cases
from sklearn.decomposition import NMF

COMMAND = "python tests/reference/scripts/text_topics.py"


def words(text: str) -> list[str]:
    kept = "".join(
        c if unicodedata.category(c)[0] in "LNM" else " " for c in unicodedata.normalize("NFC", text)
    )
    return kept.lower().split()


def sentiment(cases: Cases, name: str, text: str, lexicon: dict[str, float]) -> None:
    scores = {k.lower(): Fraction(str(v)) for k, v in lexicon.items()}
    found = [scores[w] for w in words(text) if w in scores]
    cases.add(
        f"sentiment-{name}",
        {"type": "sentiment", "text": text, "lexicon": lexicon},
        {
            "score": float(sum(found)),
            "n_tokens": len(words(text)),
            "n_matched": len(found),
            "positive_sum": float(sum(s for s in found if s > 0)),
            "negative_sum": float(sum(s for s in found if s < 0)),
            "mean_per_token": float(sum(found) / len(words(text))),
        },
        COMMAND,
        rtol=1e-12,
    )


def topics(cases: Cases, name: str, rows: list[list[float | None]], k: int) -> None:
    complete = np.array([r for r in rows if None not in r], dtype=float)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = NMF(k, init="nndsvda", tol=1e-12, max_iter=200_000, random_state=0)
        w = model.fit_transform(complete)
    h = model.components_
    sums = h.sum(axis=1)
    h, w = h / sums[:, None], w * sums
    order = np.argsort(-w.sum(axis=0))
    expect = {
        "reconstruction_error": float(np.linalg.norm(complete - w @ h)),
        "n": complete.shape[0],
        "n_missing": len(rows) - complete.shape[0],
    }
    for j, i in enumerate(order):
        for t in range(h.shape[1]):
            expect[f"topics.topic{j + 1}.x{t + 1}"] = float(h[i, t])
        for d in range(3):
            expect[f"document_weights.topic{j + 1}.{d}"] = float(w[d, i])
    columns = [[row[j] for row in rows] for j in range(len(rows[0]))]
    cases.add(f"topics-{name}", {"type": "topic_modeling", "x": columns, "k": k}, expect, COMMAND, rtol=1e-4)
    cases.cases[-1]["atol"] = 1e-6


text_cases = Cases("nlp_symbolic", "Python (str.split, fractions)", sys.version.split()[0])
sentiment(
    text_cases,
    "repeats",
    "Good food, good wine; the service was BAD. Really bad! But the view - wonderful.",
    {"good": 1.5, "bad": -2, "wonderful": 3.25, "awful": -3},
)
sentiment(
    text_cases,
    "unicode",
    "Das Essen war köstlich, die Straße LAUT und ÄRGERLICH; trotzdem schön. Ça va très bien: 5 étoiles!",
    {"Köstlich": 3, "laut": -1, "ärgerlich": -2.5, "schön": 2, "bien": 1, "étoiles": 0.5},
)
sentiment(text_cases, "no-match", "Nothing here is in the list", {"good": 1, "bad": -1})
sentiment(text_cases, "decimals", "ten one one one one one one one one one one", {"one": 0.1, "ten": -1})
text_cases.refuse(
    "sentiment-no-words",
    {"type": "sentiment", "text": " ... ", "lexicon": {"a": 1}},
    "too_few_values",
    "no words",
)
text_cases.write("nlp_symbolic-sentiment")

topic_cases = Cases(
    "nlp_symbolic", "scikit-learn NMF (nndsvda, coordinate descent, tolerance 1e-12)", sklearn.__version__
)
rng = np.random.default_rng(1)
base = np.array([[6, 5, 4, 0, 0, 1], [0, 1, 0, 5, 6, 4]])
mixed = rng.poisson(rng.dirichlet([0.4, 0.4], size=14) @ base)
topics(topic_cases, "two", mixed.tolist(), 2)
third = np.vstack((base, [1, 0, 7, 0, 1, 6]))
topics(topic_cases, "three-ties", rng.poisson(rng.dirichlet([0.3] * 3, size=20) @ third).tolist(), 3)
gaps: list[list[float | None]] = [list(map(float, row)) for row in mixed.tolist()]
gaps[3][1] = None
topics(topic_cases, "missing", gaps, 2)
call = {"type": "topic_modeling", "x": [[1, -2], [3, 4]], "k": 1}
topic_cases.refuse("topics-negative", call, "out_of_range", "the factors are not negative")
topic_cases.refuse("topics-zero", {**call, "x": [[0, 0], [0, 0]]}, "zero_variance", "nothing to factorise")
topic_cases.refuse(
    "topics-too-many", {**call, "x": [[1, 2], [3, 4]], "k": 3}, "out_of_range", "more topics than terms"
)
topic_cases.write("nlp_symbolic-topics")
