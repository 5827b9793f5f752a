"""The planner's page of the documentation, written from its tables: `python -m statistikles.neural.planner.document`."""

from __future__ import annotations

import sys
from pathlib import Path

from statistikles.neural.planner.controls import CUES
from statistikles.neural.planner.formulas import RULES
from statistikles.neural.planner.intent import Intent
from statistikles.neural.planner.method import ROWS
from statistikles.neural.planner.phrases import PHRASES
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

German and French questions about groups, associations, means, correlations and the like are put into English words by
the tables of `languages.py` (grammar and the words of statistics, no words of any subject); names of columns and values
stay as they are, the answer is in English and ends with the question as it was read.

A follow-up (*and for men?*, *what about bill depth?*) changes one part of the last reading. Of several questions in one text
(*drop the rows without income; what is its median, and how does it go with age?*) each is answered by its leading method
alone, in at most {MAX_CALLS} calls; so are up to {MAX_CALLS} columns asked about alike.

Instructions before the question are carried out first: rows with missing values or with a condition are dropped or kept,
missing values are filled, categories coded as zero and one, a condition made a column of two values. A linear regression
with a split (*80 % for training, random state 42*) also reports the errors on the rows held out.

## Columns that a question defines
*Family size = sibsp + parch*, *the ratio of A to B*, *the log of income*, *days between order and delivery*, *age groups
0-12, 13-18 and over 18*, *without outliers*, *missing values filled with the median*: such a phrase becomes a formula
over columns and travels with the call (`"define"` in the reference), so that a replay computes it again. The grammar is
that of row filters with calls of known functions; a tree is walked and nothing is run as code. A formula sees the rows
that the filter keeps. What is not defined (a division by zero, a log of a negative number) is missing, and counted.
A category among predictors becomes columns of zeros and ones against its first level, which the answer names; an outcome
of two texts is coded with the positive one (*yes*, *malignant*, else the second of the alphabet) as one.
"""

_TAIL = """
## What it does not do yet
- A question in which no word points to a column of the table (*Which works better?* without an outcome) is met with
  readings to choose from.
- Of two columns whose names differ only by an abbreviated word that the question does not use (workday and weekend use
  of something), the wrong one may be taken; the reading is printed, so that it can be seen.
- Conditions said without a number or a value (*days without rain*), a contrast with a group that is not said (*are
  returned orders dearer?* with the adjective before the noun), and changes said in brackets (*after minus before*).
- Held-out rows of anything but a linear regression: classifiers, regularised models, cross-validation and tuning are not
  computed, and a logistic regression is fitted to all rows.
- Two groupings asked for apart (*by A and by B, separately*): their combinations are described instead.
- Groups said by opposite bounds in two places (*among those under 21 ... compared with those of 21 or older*), a
ratio that a
  later sentence explains (*price per item ... divide price by items*), and a second definition in one text.
- How many different values occur at least so many times, values at a moment that a text names, and predictions at it.
- Words of nations and of other subjects that are not in the table (*American cars* for the value USA).
- In other languages than English only the intents that the two tables of phrases hold; answers are in English.

## How well it does on questions it has not seen
Questions written for tables that packages ship, with the numbers of pandas, scipy and statsmodels, each set scored
before any rule was changed for it. One test or statistic (S): 75 % of 40, 93 % of 30, 90 % of 30, 89 % of 19 told with
their numbers, set after set. Tasks in several sentences (D): 35 % of 40, 50 % of 30, 60 % of 30, 55 % of 20. After the
rules had been widened by kinds of question, the same sets gave 90 to 100 % (S) and 80 to 98 % (D); only the first figures
speak of new questions. On the 501 questions of two public benchmarks, which earlier rules were made with, 94 % (S) and
61 % (D) are told.

## Where an answer differs from a usual one
Benchmarks of questions with known answers hold some numbers that this planner does not lead with, or does not give:
- A Kolmogorov-Smirnov p for normality after standardising with the sample's own mean and SD: the parameters come from
  the same data, so that p is too large (Lilliefors 1967, doi:10.1080/01621459.1967.10482916). The Lilliefors p leads;
  the plain one stands beside it under its name. A Lilliefors p of .001 or .2 in other programs is the end of a table.
- A Kolmogorov-Smirnov test of exponential or gamma with default parameters (scale one) or after fitting a shifted gamma:
  it rejects almost anything. Fitted by maximum likelihood with a simulated p instead; values outside the support
  (a zero for the gamma) are refused with the reason.
- Kurtosis, skewness and correlations of a constant column given as zero: they are undefined, and that is said.
- Pearson's r of two codes of categories, or of a category and a number: their cross table or a comparison of groups leads.
- A two-sample Kolmogorov-Smirnov p that is exact only without ties: with ties it is counted out; the p without regard to
  ties stands beside it.
- Numbers of an answer that were rounded before they were published (a correlation of 0.08 for 0.084), unless the question
  says to how many places; a count of zero outliers counts as answered only where the measure allows a zero.
- A chi-square test with Yates's correction (two by two) stands beside Pearson's, as do G and Fisher's exact test.
- The mean of a rounded, normalised or recoded column where a published answer does not say how.
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
    parts.append(
        "\n## Phrases that define a column\n\n| id | also without naming it | pattern |\n|---|---|---|"
    )
    for rule in RULES:
        parts.append(f"| {rule.id} | {'yes' if rule.passing else 'no'} | `{_cell(rule.pattern)}` |")
    parts.append(_TAIL.rstrip())
    return "\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    Path(sys.argv[1] if len(sys.argv) > 1 else "docs/planner.md").write_text(page(), encoding="utf-8")
