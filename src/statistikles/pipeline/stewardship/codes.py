"""The code of every finding of the examination: its stage, how grave it is, and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from statistikles.pipeline.findings import Severity, Stage

__all__ = ["EXAMINED", "Meaning"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a code means. `severities` are those that it may have, the usual one first."""

    name: str
    stage: Stage
    severities: tuple[Severity, ...]
    text: str


def _of(stage: Stage, *rows: tuple[str, str, str]) -> list[Meaning]:
    known: dict[str, Severity] = {"info": "info", "warning": "warning", "problem": "problem"}
    return [Meaning(name, stage, tuple(known[s] for s in grave.split()), text) for name, grave, text in rows]


_ALL = (
    *_of(
        "units",
        ("unit_in_cells", "warning", "Every entry carries one unit, so the column is text."),
        ("unit_in_some_cells", "problem", "Some entries carry a unit and others none."),
        ("mixed_units", "problem", "One quantity is given in several units."),
        ("mixed_dimensions", "problem", "The units of one column measure different things."),
        ("feet_and_inches", "warning", "Lengths are written in feet and inches."),
        ("percent_as_fraction", "info", "A percentage is held as a fraction from 0 to 1."),
        ("unit_uncertain", "info", "A header may name a unit, but it is not sure enough to be used."),
        ("same_quantity", "info", "Two columns hold one quantity in two units and agree."),
        ("units_disagree", "problem", "Two columns claim one quantity in two units and differ."),
    ),
    *_of(
        "detect",
        ("panel", "warning", "A subject occurs at several times: rows are not independent."),
        (
            "repeated_measures",
            "warning",
            "A subject occurs under several conditions: rows are not independent.",
        ),
        ("clustered_rows", "warning", "An identifier occurs several times: its rows may be alike."),
        ("paired_columns", "info", "Two columns hold one quantity at two occasions."),
        ("wide_layout", "info", "Several columns hold one quantity at several occasions."),
        ("time_order", "info", "The rows are in the order of time."),
    ),
    *_of(
        "validate",
        ("constraints", "info", "How many declared constraints were checked and broken."),
        ("below_minimum", "problem", "Values lie below the declared minimum."),
        ("above_maximum", "problem", "Values lie above the declared maximum."),
        ("not_above", "problem", "Values do not lie above the declared bound."),
        ("not_below", "problem", "Values do not lie below the declared bound."),
        ("not_in_set", "problem", "Entries are none of those declared."),
        ("missing_value", "problem", "Entries are missing where it was declared that none is."),
        ("not_unique", "problem", "Entries repeat that were declared unique."),
        ("unlike_pattern", "problem", "Entries have another form than the one declared."),
        ("key_broken", "problem", "Rows repeat a declared key."),
        ("rule_broken", "problem", "Rows break a declared rule between columns."),
        ("foreign_key_broken", "problem", "Entries are not in the table that they are declared to refer to."),
        ("sources_compared", "info", "Two tables about the same cases were compared by a key."),
        (
            "sources_disagree",
            "problem info",
            "Two tables give different values for a case; a note once settled.",
        ),
        ("source_fills", "info", "Values missing here are given in the other table."),
        ("source_kinds", "problem", "A column holds values of different kinds in two tables."),
        ("source_units", "problem", "A column measures different things in two tables."),
        ("source_converted", "info", "A column of the other table was compared in the unit of this one."),
        ("cases_only_here", "info", "Cases are in this table and not in the other."),
        ("cases_only_there", "warning info", "Cases are in the other table and not in this one."),
        (
            "keys_alike",
            "warning",
            "Keys without a partner differ in case, blanks, marks or leading zeros only.",
        ),
        ("key_missing", "warning", "Rows have no whole key, so they match with none."),
        ("columns_only_here", "info", "Columns are in this table and not in the other."),
        ("columns_only_there", "info", "Columns are in the other table and not in this one."),
        ("below_absolute_zero", "problem", "Temperatures lie below absolute zero."),
        ("negative_amount", "problem", "A quantity that cannot be negative is."),
        ("negative_age", "problem", "Ages are negative."),
        ("percent_out_of_range", "warning", "Percentages lie outside 0 to 100."),
        ("off_the_globe", "warning", "Latitudes or longitudes lie off the globe."),
        ("far_date", "warning", "Few dates lie years away from all others."),
        ("end_before_start", "problem", "An end lies before its start."),
    ),
    *_of(
        "cleanse",
        ("record_differs", "warning", "A record was repeated on another table, or without its decisions."),
        ("outliers", "info", "Values beyond 1.5 IQR, 3 z or 3.5 modified z, counted for each rule."),
        ("isolated_value", "warning", "A value lies farther from all others than these from each other."),
        (
            "missing_values",
            "info warning",
            "How many values and rows are missing; a warning when they are many.",
        ),
        ("missing_patterns", "info", "Which columns are missing together."),
        (
            "little_test",
            "info warning",
            "Little's test of missing completely at random; a warning when it rejects.",
        ),
        ("empty_column", "info", "Columns without any value."),
        ("duplicate_rows", "warning info", "Rows repeat earlier ones; a note where chance explains it."),
        ("duplicate_identifier", "warning", "An identifier that is nearly unique repeats."),
        ("label_spellings", "warning", "Labels differ in marks, accents or case only."),
    ),
    *_of(
        "normalise",
        ("depends_on", "info", "One column follows from others in every row: a hint at a table of its own."),
        ("same_information", "info", "Two columns determine each other."),
    ),
)
EXAMINED: Mapping[str, Meaning] = {meaning.name: meaning for meaning in _ALL}
