"""Scales of measurement: what kind of quantity each column holds, how sure that is, and why. A hint, no decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from statistikles.pipeline.stewardship.headers import header_words, words_of
from statistikles.pipeline.stewardship.orders import order_of
from statistikles.pipeline.stewardship.units import Unit

if TYPE_CHECKING:
    from statistikles.pipeline.profile import Column
    from statistikles.pipeline.stewardship.survey import NumberFacts, Survey

__all__ = ["ColumnReport", "Scale", "detect_scale"]

Scale: TypeAlias = Literal[
    "nominal",
    "ordinal",
    "interval",
    "ratio",
    "count",
    "proportion",
    "binary",
    "date-time",
    "identifier",
    "free text",
    "constant",
    "empty",
]

_COUNT_WORDS = words_of(
    "n num number count counts children kids siblings visits calls errors runs hits doubles triples steals walks sold "
    "purchases absences failures freq frequency tally events votes population"
)
_RATING_WORDS = words_of(
    "rating rate score likert satisfaction level class grade stage rank quality severity priority agreement item "
    "scale tier education edu health"
)
_CODE_WORDS = words_of("code type category group region zone cluster kind cat msgtype actiontype")
_PROPORTION_WORDS = words_of(
    "proportion prop rate share fraction frac probability prob ratio average percentage avg saturation porosity"
)
_INTERVAL_WORDS = words_of("latitude longitude lat lon lng temp temperature date ph iq elo year")
_YEAR_WORDS = words_of("year yr years birthyear season vintage")
_AMOUNT_WORDS = words_of(
    "price cost income salary revenue sales fare weight mass height length width depth area volume distance duration "
    "age size amount charges budget open high low close volume pressure speed population gdp dose bmi humidity"
)
_MOST_CODES = 12


@dataclass(frozen=True, slots=True)
class ColumnReport:
    """One column as detected: its scale of measurement with confidence and reason, its unit and its role."""

    column: str
    scale: Scale
    confidence: float
    reason: str
    unit: str = ""
    unit_confidence: float = 0.0
    unit_reason: str = ""
    role: str = ""
    order: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The report as a plain dict, without its empty parts."""
        out: dict[str, Any] = {
            "column": self.column,
            "scale": self.scale,
            "confidence": self.confidence,
            "reason": self.reason,
        }
        if self.unit:
            out |= {
                "unit": self.unit,
                "unit_confidence": self.unit_confidence,
                "unit_reason": self.unit_reason,
            }
        if self.role:
            out["role"] = self.role
        if self.order:
            out["order"] = list(self.order)
        return out


_Judged: TypeAlias = tuple[Scale, float, str]


def detect_scale(survey: Survey, column: Column, unit: Unit | None) -> tuple[_Judged, tuple[str, ...]]:
    """The scale of a column with confidence and reason, and the order of its levels if it is ordinal text."""
    if column.n == 0:
        return ("empty", 1.0, "every value is missing"), ()
    if column.n_unique == 1:
        return ("constant", 1.0, "one value only"), ()
    if column.dtype == "datetime":
        return ("date-time", 0.99, "the values are dates or times"), ()
    if column.dtype == "boolean":
        return ("binary", 0.99, "the values are true and false"), ()
    if column.dtype == "text":
        return _text_scale(survey, column)
    return _number_scale(column, survey.numbers[column.name], unit), ()


def _text_scale(survey: Survey, column: Column) -> tuple[_Judged, tuple[str, ...]]:
    facts = survey.texts[column.name]
    if column.n_unique == 2:
        return ("binary", 0.95, "two different labels"), ()
    if column.level_order == "declared":
        return ("nominal", 0.7, "labels declared by the source; whether they are ordered is not said"), ()
    if column.levels and (ordered := order_of(column.levels)) is not None:
        labels, why = ordered
        return ("ordinal", 0.85, why), labels
    if column.kind == "identifier":
        return ("identifier", 0.9, "every entry differs"), ()
    wordy = facts.n_with_blank > 0.7 * facts.n and facts.mean_length > 25
    if wordy and column.n_unique > 0.2 * column.n:
        return ("free text", 0.9, "entries of several words that seldom repeat"), ()
    if column.n_unique > 0.9 * column.n and column.n > 20:
        return ("identifier", 0.6, "nearly every entry differs: names or codes"), ()
    sure = 0.95 if column.n_unique <= 0.2 * column.n else 0.8
    return ("nominal", sure, "labels that repeat, without a known order"), ()


def _number_scale(column: Column, facts: NumberFacts, unit: Unit | None) -> _Judged:
    words = set(header_words(column.name))
    whole = facts.n_fractional == 0
    if column.kind == "identifier":
        return "identifier", 0.9, "a name of an identifier, or row numbers"
    if facts.n_unique == 2:
        coded = {facts.low, facts.high} in ({0.0, 1.0}, {1.0, 2.0}, {-1.0, 1.0})
        return "binary", 0.95 if coded else 0.7, f"two values: {facts.low:g} and {facts.high:g}"
    if whole and words & (_YEAR_WORDS | {"date"}) and facts.low >= 1000 and facts.high <= 2200:
        return "date-time", 0.9, "a name of a year, and whole numbers that can be years"
    if unit is not None and (judged := _by_unit(unit, facts)) is not None:
        return judged
    if whole:
        return _whole_scale(facts, words)
    if facts.low >= 0 and facts.high <= 1 and facts.n_unique > 2:
        sure = 0.9 if words & _PROPORTION_WORDS else 0.7
        return "proportion", sure, "fractions from 0 to 1"
    return _quantity_scale(facts, words)


def _by_unit(unit: Unit, facts: NumberFacts) -> _Judged | None:
    """What a unit says about the scale."""
    if unit.dimension == "percent":
        if facts.low >= 0 and facts.high <= 100:
            return "proportion", 0.9, "percentages from 0 to 100"
        return "ratio", 0.7, "percentages beyond 0 to 100, as of change"
    if unit.has_offset:
        return "interval", 0.95, f"{unit} has an arbitrary zero"
    if unit.dimension == "angle":
        return "interval", 0.8, "angles; directions wrap around"
    if facts.n_negative:
        return "ratio", 0.75, f"a quantity in {unit}, here with negative values, as of differences"
    return "ratio", 0.95, f"a quantity in {unit} with a natural zero"


def _whole_scale(facts: NumberFacts, words: set[str]) -> _Judged:
    """Whole numbers: counts, codes, ratings or amounts."""
    span = facts.high - facts.low
    coded = facts.n_unique <= _MOST_CODES and 0 <= facts.low <= 1 and span <= _MOST_CODES
    if words & _COUNT_WORDS and not facts.n_negative:
        return "count", 0.9, "a name of a count, and whole numbers from 0 up"
    if facts.n_unique <= 30 and words & _CODE_WORDS:
        return "nominal", 0.7, "a name of a code; the numbers are labels"
    if coded and _ends_with(words, _RATING_WORDS):
        return "ordinal", 0.8, f"a name of a rating, and whole numbers from {facts.low:g} to {facts.high:g}"
    if words & _INTERVAL_WORDS:
        return "interval", 0.7, "a name of a scale without a natural zero"
    if coded and facts.low == 1 and span == facts.n_unique - 1 and facts.n_unique <= 11:
        return "ordinal", 0.55, f"every whole number from 1 to {facts.high:g}: codes, ratings or small counts"
    if facts.n_negative:
        return "interval", 0.55, "whole numbers of both signs, as of scores or differences"
    if words & _AMOUNT_WORDS:
        return "ratio", 0.85, "a name of an amount, whole numbers from 0 up"
    if coded or facts.high <= 30:
        return "count", 0.6, "small whole numbers from 0 up: counts or codes"
    return "ratio", 0.6, "whole numbers from 0 up: amounts or counts"


def _ends_with(words: set[str], known: frozenset[str]) -> bool:
    """Whether a word is a known one, or ends with one (`pclass`)."""
    return any(word.endswith(end) for word in words for end in known if len(end) > 3 or word == end)


def _quantity_scale(facts: NumberFacts, words: set[str]) -> _Judged:
    if words & _INTERVAL_WORDS:
        return "interval", 0.75, "a name of a scale without a natural zero"
    if facts.n_negative:
        return "interval", 0.6, "numbers of both signs; whether zero means none is not known"
    return "ratio", 0.85 if words & _AMOUNT_WORDS else 0.7, "numbers that are never negative"
