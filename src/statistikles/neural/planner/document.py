"""The planner's page of the documentation, written from its tables: `python -m statistikles.neural.planner.document`."""

from __future__ import annotations

import sys
from pathlib import Path

from statistikles.neural.planner.controls import CUES
from statistikles.neural.planner.intent import PHRASES, Intent
from statistikles.neural.planner.method import ROWS
from statistikles.neural.planner.planner import MAX_CALLS, SURE

__all__ = ["page"]

_HEAD = f"""# The built-in planner

Answers plain questions about a table without a language model. This page is generated from the planner's tables
(`python -m statistikles.neural.planner.document`); a test fails when it is stale.

## How a question becomes an answer
1. **Words**: the question is cut into words and noun phrases; brackets and quotes are kept apart.
2. **Columns**: a column is meant when its name stands in the text, or when the specific words of its name do: as
   they are, as a stem, an abbreviation, a beginning, a run-together name (`famrel` for *family relationship*), a
   synonym, a misspelling, or a list of its values. Words that many columns share count less.
   Of several columns in one noun phrase the head is meant (*the reason for choosing a school*: the reason).
3. **Rows**: levels of categories (*among women*), comparisons (*over 30*), years and written conditions become a filter.
4. **Intent**: every phrase of the first table below that occurs adds its weight to its intent.
5. **Reading**: the intents are weighed against the kinds and the number of columns: the shape of the data decides.
   Below a certainty of {SURE} nothing is computed; the planner says what it recognised and offers questions it can answer.
6. **Method**: the first row of the decision table whose conditions hold. At most {MAX_CALLS} calls are made: the leading
   method, the alternative beside it, and checks of assumptions. Checks inform the reader; they do not choose the test
   (choosing a test by a preliminary test distorts its error rate; Rasch, Kubinger & Moder 2011,
   doi:10.1007/s00362-009-0224-x).
7. **Explanation**: templates in which every number is a citation such as `{{{{r1.p_value}}}}`, filled in by code, then
   audited like any other reply. The answer comes first, then evidence, checks, the alternative, the reason, the limits.

A follow-up (*and for men?*, *what about bill depth?*) changes one part of the last reading.
"""


def page() -> str:
    """The page as Markdown."""
    parts = [_HEAD, "## Decision table\nThe first row that fits is taken.\n"]
    parts.append(
        "| id | intent | when | leads | beside it | checks | why | source |\n|---|---|---|---|---|---|---|---|"
    )
    for row in ROWS:
        cells = (
            row.id,
            row.intent.value,
            ", ".join(row.when) or "always",
            row.lead,
            ", ".join(row.beside) or "none",
            ", ".join(row.checks) or "none",
            row.reason,
            row.source,
        )
        parts.append("| " + " | ".join(_cell(c) for c in cells) + " |")
    parts.append(
        "\n## Phrases that speak for an intent\n\n| intent | id | weight | pattern |\n|---|---|---|---|"
    )
    for intent in Intent:
        for phrase in PHRASES:
            if phrase.intent is intent:
                parts.append(
                    f"| {intent.value} | {phrase.id} | {phrase.weight:g} | `{_cell(phrase.pattern)}` |"
                )
    parts.append(
        "\n## Phrases that hold a variable constant or stratify\n\n| id | the variable stands | pattern |\n|---|---|---|"
    )
    for name, pattern, side in CUES:
        parts.append(f"| {name} | {side} the phrase | `{_cell(pattern)}` |")
    return "\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/planner.md").write_text(page(), encoding="utf-8")
