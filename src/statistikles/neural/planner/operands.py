"""The columns and numbers of a formula: which column a phrase opens with, and formulas written with signs."""

from __future__ import annotations

import re

from statistikles.neural.planner.columns import find_mentions, read
from statistikles.neural.planner.filters import quoted
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["cut_phrase", "ends_phrase", "expression", "operand", "written"]

_STOP = re.compile(
    r"[?!;]|,(?!\d)|[.](?!\w)|\b(?:for|in each|by each|per|across|among|where|when|if|then|using|with|which|that|"
    r"differ|is|are|was|"
    r"vary|varies|over|columns?|feature|from each|together|respectively|grouped|after|before|within|between|as a new)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"""\s*(?:the |each )?["'“‘`][^"'”’`]+["'”’`]""")
_DETERMINER = r"(?:the |each |a |an |their |its |\w+['’]s? )?"


def written(column: ColumnView) -> str:
    """A column as it stands in a formula."""
    name = quoted(column.name)
    return f"number({name})" if column.as_number and not column.numeric else name


def cut_phrase(text: str) -> str:
    """A phrase up to where something else begins; a quoted name is kept whole."""
    quote = _QUOTED.match(text)
    match = _STOP.search(text, quote.end() if quote else 0)
    return text[: match.start()] if match else text


def ends_phrase(text: str) -> bool:
    """Whether something else begins within a phrase."""
    quote = _QUOTED.match(text)
    return _STOP.search(text.rstrip("\"'“”‘’` "), quote.end() if quote else 0) is not None


def operand(phrase: str, table: TableView, *, numeric: bool = True) -> tuple[ColumnView, int] | None:
    """The column a phrase means, and where its mention ends in the phrase."""
    for column in sorted(table.columns, key=lambda c: -len(c.name)):
        opens = rf"\W*{_DETERMINER}[\"'“‘`]?{re.escape(column.name)}(?!\w)[\"'”’`]?"
        found = re.match(opens, phrase, re.IGNORECASE)
        if found and (column.numeric or column.as_number or not numeric):
            return column, found.end()
    question = read(phrase)
    fits = [
        m
        for m in find_mentions(question, table)
        if (m.column.numeric or m.column.as_number or not numeric) and m.score >= 0.5
    ]
    if not fits:
        return None
    best = max(fits, key=lambda m: (m.explicit, not m.demoted, m.score, -m.first))
    end = question.words[best.last].end
    return best.column, end + (phrase[end : end + 1] in ("'", '"', "”", "’"))


_SIGN = re.compile(r"\s*([-+*/×÷−()^])\s*")
_FUNCTION = re.compile(r"\s*(log10|log2|log|ln|sqrt|exp|abs)\s*\(", re.IGNORECASE)
_PLAIN_SIGN = {"×": "*", "÷": "/", "−": "-"}


def expression(body: str, table: TableView) -> tuple[str, int] | None:
    """A formula written with signs, in which columns may be named in words: (formula, length read)."""
    out: list[str] = []
    place = depth = 0
    expecting = True
    while place < len(body) and body[place:].strip():
        rest = body[place:]
        function = _FUNCTION.match(rest) if expecting else None
        sign = _SIGN.match(rest)
        if function:
            out.append(function[1].casefold().replace("ln", "log") + "(")
            depth += 1
            place += function.end()
        elif sign and sign[1] == "(" and not expecting:
            closing = rest.find(")")  # a remark in brackets
            place += closing + 1 if closing >= 0 else len(rest)
        elif sign and _may_stand(sign[1], expecting):
            depth += (sign[1] == "(") - (sign[1] == ")")
            if depth < 0:
                break
            out.append(_PLAIN_SIGN.get(sign[1], sign[1]))
            expecting = sign[1] != ")"
            place += sign.end()
        else:
            found = _value(rest, table) if expecting else None
            if found is None:
                break
            out.append(found[0])
            place += found[1]
            expecting = False
    if expecting or depth != 0 or not out:
        return None
    return " ".join(out), place


def _may_stand(sign: str, expecting: bool) -> bool:
    """Whether a sign may stand where a value is expected, or after one."""
    return sign != "^" and (sign in "(-−" if expecting else sign != "(")


def _value(rest: str, table: TableView) -> tuple[str, int] | None:
    number = re.match(r"\s*(\d+(?:\.\d+)?)(?!\w)", rest)
    if number:
        return number[1], number.end()
    found = operand(re.split(r"(?<=\w)\s*[-+*/×÷)]|,|\band\b", rest)[0] or rest, table)
    return None if found is None else (written(found[0]), found[1])
