"""What a question asks to be done to the table first: rows with missing values dropped, values filled, texts as numbers.

Each instruction is taken out of the text, so that it is not read as what is asked, and becomes a condition on rows or a
formula of a column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from statistikles.neural.planner.cleaning import filled
from statistikles.neural.planner.columns import find_mentions, read
from statistikles.neural.planner.definitions import define
from statistikles.neural.planner.filters import Condition, quoted
from statistikles.neural.planner.indicators import one_condition
from statistikles.neural.planner.recoding import recoded
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["BEFORE_TOO", "Prepared", "prepare"]


@dataclass(frozen=True)
class Prepared:
    """A question and a table after the instructions were carried out; `dropped` are conditions on the rows kept."""

    text: str
    table: TableView
    dropped: tuple[Condition, ...] = ()


def prepare(text: str, table: TableView) -> Prepared:
    """Carry out the instructions of a text, then the definitions of its columns."""
    text = _in_figures(text)
    shortened, dropped = _without_missing(text, table)
    shortened, kept = _without_rows(shortened, table)
    dropped += kept
    shortened, table = _with_filled(shortened, _with_numbers(text, table))
    shortened, table = recoded(shortened, table)
    shortened, table = define(shortened, table)
    return Prepared(shortened, table, dropped)


_FIGURES = {
    word: str(number)
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
}
_BOUND_IN_WORDS = re.compile(
    r"\b(at least|at most|more than|fewer than|less than|greater than|over|under|exactly|above|below)\s+"
    rf"({'|'.join(_FIGURES)})\b"
    r"(?!\s*(?:of|standard|sds?|sigmas?|hundred|thousand|million|groups?|columns?|variables?|levels?|categor\w+)\b)",
    re.IGNORECASE,
)


def _in_figures(text: str) -> str:
    """'at least one' as 'at least 1', so that it reads as a bound."""
    return _BOUND_IN_WORDS.sub(lambda m: f"{m[1]} {_FIGURES[m[2].casefold()]}", text)


_MISSING = r"(?:missing|null|nan|na|n/a|empty|blank|incomplete)"
_DROP = re.compile(
    r"(?:\b(?:after|by|first|please)\s+)*\b(?:remov\w+|drop\w*|delet\w+|exclud\w+|discard\w*|eliminat\w*|ignor\w+|omit\w*|"
    r"leav(?:e|ing) out|skip\w*)\s+(?:(?:all|any|every|each|the|those|only)\s+)*"
    r"(?:(?:rows?|records?|entries|entry|observations?|cases|lines?|instances?|samples?|pairs|data points?|\w+s)\s+)?"
    rf"(?:(?:that|which|where|with|having|have|has|containing|contain|in which|whose)\b[^.?!;]{{0,80}}?\b{_MISSING}\b|"
    rf"{_MISSING}\b)(?:\s+(?:values?|data|entries|fields?|cells))?"
    r"(?P<of>(?:[^.?!;,]|,\s*(?:and\s+)?[\"'“‘`\w. -]+(?=,|\sand\b|\sor\b|\s+columns?\b))*?)"
    r"(?=[.?!;]|,?\s+(?:and then|then|and|before|to)\s+(?:\w+ly\s+)?(?:calculate|compute|find|report|determine|give|show|"
    r"provide|perform|what|test|check|analy[sz]e|describe|count|compare|fit|how|calculating|computing|use|using|round|"
    r"split|train|build|create)\b|,\s+(?:what|how|is|are|calculate|compute|find|report|test|compare|fit|then)\b|$)",
    re.IGNORECASE,
)
_ANYWHERE = re.compile(
    rf"\b(?:any|at least one|one or more)\b[^.?!;]{{0,20}}\b{_MISSING}\b|"
    rf"^(?:\W|\w+\s+){{0,2}}?(?:drop|remov|delet|exclud)\w*\s+(?:all|any|every)\s+(?:the\s+)?(?:rows?|records?|observations?|entries)\s+"
    rf"(?:with|having|containing|that (?:have|contain))\s+(?:any\s+)?{_MISSING}\b|"
    rf"\b{_MISSING}\s+(?:values?|data|entries)\s+(?:in|for|of)\s+(?:any|the data|the table|at least one)\b|\bincomplete\b",
    re.IGNORECASE,
)
_ROWS = re.compile(
    r"\b(rows?|records?|observations?|cases|entries|lines?|instances?|samples?)\b", re.IGNORECASE
)


def _without_missing(text: str, table: TableView) -> tuple[str, tuple[Condition, ...]]:
    """'Drop the rows with missing income': the text without it, and the rows kept."""
    match = _DROP.search(text)
    if match is None:
        return text, ()
    said = match.group()
    named = [m.column for m in find_mentions(read(said), table) if not m.demoted and m.score >= 0.6]
    if not named and not (_ANYWHERE.search(said) and _ROWS.search(said)):
        # 'Ignore missing values' is what every statistic does by itself.
        return text, ()
    columns = named or [c for c in table.columns if c.n_missing and not c.formula]
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    rest = re.sub(r"^\W*(?:(?:and|then|before|to)\b[,\s]*)*|(?<=[.?!])\s*[,.]\s*", "", rest).strip()
    rest = re.sub(r"(?<=[.?!])\s+\W*(?:and then|then|and)\s+(?=\w)", " ", rest)
    if not re.search(r"[^\W\d_]{3}.*[^\W\d_]{3}", rest):
        return text, ()
    return rest, tuple(_present(c) for c in columns if c.n_missing)


_ROWS_WHERE = re.compile(
    r"(?:,?\s*\b(?:after|by|first|please|then)\s+)*\b(?P<verb>remov\w+|drop\w*|delet\w+|exclud\w+|discard\w*|eliminat\w*|"
    r"filter\w* out|leav(?:e|ing) out|omit\w*|keep\w*|retain\w*|filter\w*|select\w*|restrict\w*|limit\w*)\s+"
    r"(?:(?:all|any|every|each|the|those|only|to|for|data|dataset|set|table|analysis|down|just)\s+){0,5}"
    r"(?:rows?|records?|observations?|entries|cases|people|women|men|children|\w+s)\s+(?:where|in which|with|"
    r"whose|for which|that have|"
    r"having|when|who have|who "
    r"are|that are)\s+(?P<body>(?:[^.?!;,]|[.](?=\w)){3,90}?)"
    r"(?=\s*[.?!;]|\s*,|\s+(?:and then|then|and|before)\s+(?:calculate|compute|find|report|determine|give|show|"
    r"what|test|check|"
    r"describe|count|compare|fit|perform)\b|$)",
    re.IGNORECASE,
)
_ZERO = re.compile(r"\b(?:is|are|equals?|equal to|of|has|have|was)\s+(?P<n>zero|one)\b", re.IGNORECASE)


def _without_rows(text: str, table: TableView) -> tuple[str, tuple[Condition, ...]]:
    """'Remove the rows where price is zero', 'keep only cars with more than 4 seats': the text without it, the rows kept."""
    match = _ROWS_WHERE.search(text)
    if match is None or re.search(rf"\b{_MISSING}\b|\boutliers?\b", match["body"], re.IGNORECASE):
        return text, ()
    body = _ZERO.sub(
        lambda m: m.group().replace(m["n"], {"zero": "0", "one": "1"}[m["n"].casefold()]), match["body"]
    )
    found = one_condition(body, table)
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    rest = re.sub(r"^\W*(?:(?:and|then|before|to)\b[,\s]*)*|(?<=[.?!])\s*[,.]\s*", "", rest).strip()
    if found is None or not re.search(r"[^\W\d_]{3}.*[^\W\d_]{3}", rest):
        return text, ()
    expression, words, column = found
    keeps = re.match(
        r"keep|retain|filter\w*\s(?!out)|select|restrict|limit", match.group().strip(" ,"), re.IGNORECASE
    )
    if keeps or re.match(r"keep|retain|select|restrict|limit", match["verb"], re.IGNORECASE):
        return rest, (Condition(column.name, expression, words),)
    return rest, (Condition(column.name, f"NOT ({expression})", f"not {words}"),)


def _present(column: ColumnView) -> Condition:
    return Condition(column.name, f"{quoted(column.name)} IS NOT NULL", f"{column.name} is present")


_NEEDS_NUMBERS = re.compile(
    r"\b(mean|average|median|sum|total|standard deviation|outliers?|correlat\w*|pearson|regress\w*|normal\w*|skew\w*|"
    r"kurtosis|quantiles?|percentiles?|quartiles?|variance|iqr|z-?scores?|maximum|minimum|longest|shortest)\b",
    re.IGNORECASE,
)


def _with_numbers(text: str, table: TableView) -> TableView:
    """The table as a question about numbers needs it: text such as 00:01:30 is read as seconds."""
    changed = []
    for column in table.columns:
        if column.as_number and not column.numeric and _NEEDS_NUMBERS.search(text):
            distinct = max(column.n_distinct, 8)
            new = replace(
                column, kind="number", formula=column.as_number, n_distinct=distinct, levels=(), whole=False
            )
            changed.append(new)
    return table.extended(changed)


BEFORE_TOO = re.compile(
    r"\bbefore and after\b|\bboth before\b|\boriginal and (?:the )?\w*transformed\b", re.IGNORECASE
)
_FILLING = re.compile(
    r"(?:^|(?<=[.?!;]\s))\W*(?:first\W+|please\W+)?(?:fill|replac|imput|substitut)\w*\b(?:[^.?!;]|[.](?=\w)){0,160}?\b(?:means?|medians?|averages?|modes?|zero|"
    r"0)s?\b(?:\s+(?:values?|imputation))?(?:\s+(?!and\b|then\b)\w+){0,2}?(?:\s+of\s+(?:that|the|each|its|their)\s+(?:respective\s+)?columns?)?"
    r"(?:,?\s*(?:and then|then|and)\s+|[.;]\s+)",
    re.IGNORECASE,
)
_FILLED_COLUMN = re.compile(
    r"\bthe\s+(?:filled|imputed|completed|resulting|new)\s+(?:column|variable|values|data|feature)\b", re.I
)


def _with_filled(text: str, table: TableView) -> tuple[str, TableView]:
    """Columns whose missing values the text says to fill; an instruction that stands before the question is taken out."""
    match = _FILLING.search(text)
    said = match.group() if match else ""
    named = {m.name for m in find_mentions(read(said), table) if not m.demoted} if said else set()
    changed = []
    for column in table.columns:
        formula = "" if column.formula or (named and column.name not in named) else filled(text, column)
        if formula and BEFORE_TOO.search(text):
            changed.append(replace(column, name=f"{column.name} filled", formula=formula, n_missing=0))
        elif formula:
            changed.append(replace(column, formula=formula, n_missing=0))
    if changed and match and re.search(r"[^\W\d_]{3}.*[^\W\d_]{3}", text[match.end() :]):
        text = text[: match.start()] + text[match.end() :]
        if len(named) == 1:
            name = f'"{next(iter(named))}"'
            text = _FILLED_COLUMN.sub(lambda _: name, text)
    return text, table.extended(changed)
