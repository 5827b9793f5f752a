"""What a question can want, and what a phrase that speaks for it looks like."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Intent", "Phrase"]


class Intent(StrEnum):
    """What is asked for."""

    COMPARE = "compare groups"
    PAIRED = "compare paired measurements"
    FIXED = "compare with a fixed value"
    ASSOCIATE = "association"
    PREDICT = "predict"
    DESCRIBE = "describe"
    FREQUENCIES = "frequencies"
    NORMALITY = "normality"
    FITS = "fit of a named distribution"
    SAME_DISTRIBUTION = "compare two distributions"
    VARIANCES = "compare variances"
    OUTLIERS = "outliers"
    MISSING = "missing values"
    COUNT = "count rows"
    POWER = "power of a study"
    SAMPLE_SIZE = "sample size"
    AGREEMENT = "agreement of raters"
    RELIABILITY = "reliability of a scale"
    SURVIVAL = "time to an event"
    TIME = "change over time"


@dataclass(frozen=True, slots=True)
class Phrase:
    """One row of the table: a pattern that speaks for an intent."""

    id: str
    intent: Intent
    pattern: str
    weight: float
