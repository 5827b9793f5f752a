"""Tasks in several steps: instructions carried out first, several questions, several columns; against pandas and friends."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_squared_error
from sklearn.model_selection import train_test_split

from statistikles import Session, collect_numbers
from statistikles.pipeline.references import Catalog

RNG = np.random.default_rng(2)
N = 80
FRAME = pd.DataFrame(
    {
        "plot": [f"plot {i:02d}" for i in range(N)],
        "yield_t": RNG.normal(8, 1.5, N).round(3),
        "rain_mm": RNG.gamma(4, 20, N).round(1),
        "tilt": RNG.normal(10, 3, N).round(2),
        "month": RNG.integers(4, 9, N),
        "irrigated": RNG.choice(["yes", "no"], N),
        "soil": RNG.choice(["clay", "loam", "sand"], N),
        "year": RNG.integers(2011, 2019, N),
    }
)
FRAME.loc[[4, 17, 40], "rain_mm"] = np.nan


@cache
def _catalog() -> Catalog:
    return Catalog.of({"plots": FRAME})


def _numbers(question: str) -> tuple[Any, list[float]]:
    reply = Session(data=_catalog()).ask(question)
    assert reply.audit.ok, [span for span in reply.audit.spans if span.flagged]
    assert 0 < len(reply.results) <= 4
    return reply, collect_numbers([r["result"] for r in reply.results])


def _has(numbers: list[float], *expected: float) -> bool:
    return all(any(np.isclose(x, e, rtol=1e-9, atol=1e-12) for x in numbers) for e in expected)


DRY = FRAME.dropna()
CASES: list[tuple[str, list[float]]] = [
    (
        "Drop the rows with missing rain_mm, then compute the mean yield_t.",
        [DRY.yield_t.mean()],
    ),
    (
        "Remove all rows with any missing value. How many rows remain, and what is the median tilt?",
        [len(DRY), DRY.tilt.median()],
    ),
    (
        "Remove the rows where tilt is less than 8. What is the mean of yield_t?",
        [FRAME[FRAME.tilt >= 8].yield_t.mean()],
    ),
    (
        "Fill the missing values of rain_mm with the median and compute the standard deviation of the filled column.",
        [FRAME.rain_mm.fillna(FRAME.rain_mm.median()).std()],
    ),
    (
        "What is the median of rain_mm, and how does it correlate with yield_t?",
        [FRAME.rain_mm.median(), DRY.rain_mm.corr(DRY.yield_t)],
    ),
    (
        "What are the means of yield_t, rain_mm and tilt?",
        [FRAME[c].mean() for c in ("yield_t", "rain_mm", "tilt")],
    ),
    (
        'Create a feature "steep" that is 1 if tilt is above 11 and 0 otherwise. What is the mean yield_t by "steep"?',
        [FRAME[FRAME.tilt > 11].yield_t.mean(), FRAME[FRAME.tilt <= 11].yield_t.mean()],
    ),
    (
        "What is the proportion of irrigated plots in each soil?",
        [float(x) for x in (FRAME.irrigated == "yes").groupby(FRAME.soil).mean()],
    ),
    ("What is the mean yield_t in month 5 and 7?", [FRAME[FRAME.month == m].yield_t.mean() for m in (5, 7)]),
    ("In which year was the average yield_t the highest?", [FRAME.groupby("year").yield_t.mean().max()]),
    ("Which plot has the largest yield_t?", [FRAME.yield_t.max()]),
    (
        "How many plots have a yield_t more than two standard deviations above the mean?",
        [float((scipy.stats.zscore(FRAME.yield_t, ddof=1) > 2).sum())],
    ),
    (
        "Identify the outliers of tilt by the z-score method with a threshold of 2. How many are there?",
        [float((abs(scipy.stats.zscore(FRAME.tilt, ddof=1)) > 2).sum())],
    ),
    (
        "Encode irrigated as 0 for no and 1 for yes and report the Pearson correlation of the encoded column and yield_t.",
        [(FRAME.irrigated == "yes").astype(float).corr(FRAME.yield_t)],
    ),
    (
        "Standardize yield_t, rain_mm and tilt. Report the maximum of each column.",
        [((FRAME[c] - FRAME[c].mean()) / FRAME[c].std()).max() for c in ("yield_t", "rain_mm", "tilt")],
    ),
    (
        "In how many rows is yield_t greater than tilt?",
        [float((FRAME.yield_t > FRAME.tilt).sum())],
    ),
    (
        "Which two of yield_t, rain_mm and tilt are most strongly correlated?",
        [float(FRAME[["yield_t", "rain_mm", "tilt"]].corr().iloc[i, j]) for i, j in ((0, 1), (0, 2), (1, 2))],
    ),
    (
        "What are the 5th and 90th percentiles of tilt?",
        [FRAME.tilt.quantile(0.05), FRAME.tilt.quantile(0.9)],
    ),
]


@pytest.mark.parametrize(("question", "expected"), CASES, ids=[c[0] for c in CASES])
def test_the_numbers_are_those_of_pandas(question: str, expected: list[float]) -> None:
    reply, numbers = _numbers(question)
    assert _has(numbers, *expected), (reply.reading, expected)


def test_errors_on_held_out_rows_are_those_of_scikit_learn() -> None:
    question = (
        "Split the data into 80% for training and 20% for testing with a random state of 42, fit a linear regression "
        "that predicts yield_t from tilt and rain_mm, and report the root mean squared error on the test set."
    )
    reply, numbers = _numbers(question)
    x, x_test, y, y_test = train_test_split(
        DRY[["tilt", "rain_mm"]], DRY.yield_t, test_size=0.2, random_state=42
    )
    predicted = LinearRegression().fit(x, y).predict(x_test)
    assert _has(numbers, mean_squared_error(y_test, predicted) ** 0.5)
    assert reply.results[0]["result"]["details"]["holdout"]["seed"] == 42
    assert "Held out: " in reply.text


def test_the_row_of_the_largest_value_is_named() -> None:
    reply, _ = _numbers("Which plot has the largest yield_t?")
    assert FRAME["plot"][FRAME.yield_t.idxmax()] in reply.text


def test_a_group_without_values_is_left_out() -> None:
    frame = FRAME.assign(rain_mm=FRAME.rain_mm.where(FRAME.soil != "sand"))
    reply = Session(data=frame).ask("Which soil has the highest median rain_mm?")
    expected = frame.groupby("soil").rain_mm.median().max()
    assert _has(collect_numbers([r["result"] for r in reply.results]), expected)
