"""Formulas said in words: the table of phrases ('the ratio of A to B', 'log of income') and what each one builds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from statistikles.neural.planner.binning import binned
from statistikles.neural.planner.columns import find_mentions, read
from statistikles.neural.planner.filters import quoted
from statistikles.neural.planner.indicators import indicated
from statistikles.neural.planner.operands import cut_phrase, ends_phrase, operand, written
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["RULES", "Made", "Rule", "derived", "formula_in"]

# The column, and where the phrase that defines it starts and ends.
Made = tuple[ColumnView, int, int]
Built = tuple[str, int] | None
Build = Callable[[re.Match[str], TableView], Built]


@dataclass(frozen=True)
class Rule:
    """One way of saying a formula; `passing`: also where the question does not say that it makes a column."""

    id: str
    pattern: str
    build: Build
    passing: bool


def derived(name: str, formula: str, table: TableView, levels: Sequence[str] = ()) -> ColumnView:
    """The view of a defined column: numbers unless it has levels."""
    kind = "category" if levels else "number"
    distinct = len(levels) if levels else max(table.n_rows, 2)
    return ColumnView(name, kind, table.n_rows, 0, distinct, tuple(levels), formula=formula)


_GROUPING = re.compile(
    r"\b(bins?|groups?|bands?|brackets?|categor\w+|intervals?|ranges?|cut|discreti\w+)\b", re.IGNORECASE
)


def formula_in(text: str, table: TableView, name: str, *, passing: bool = False) -> Made | None:
    """The first formula said in a text; `passing`: only the phrases that define a column on their own."""
    for rule in RULES:
        if passing and not rule.passing:
            continue
        for match in re.finditer(rule.pattern, text, re.IGNORECASE):
            made = rule.build(match, table)
            if made is None:
                continue
            formula, end = made
            start = match.start("whole") if "whole" in match.groupdict() else match.start()
            if rule.pattern.startswith(f"(?P<whole>{_WORDED}"):
                start += _opening(match["a"], table)
            shown = name or " ".join(re.sub(r"[\"“”]", "", text[start:end]).split()).strip(" ,.?")
            return derived(shown, formula, table), start, end
    two = indicated(text, table)
    if two is not None:
        formula, labels, words, start, end = two
        return derived(name or words, formula, table, labels), start, end
    found = binned(text, table) if not passing or _GROUPING.search(text) else None
    if found is None:
        return None
    column, levels, formula, start, end = found
    return derived(name or f"{column.name} group", formula, table, levels), start, end


def _opening(phrase: str, table: TableView) -> int:
    """Where the column begins with which a phrase ends: 'define the span as High' opens at 'High'."""
    found = [m for m in find_mentions(read(phrase), table) if m.column.numeric]
    if not found:
        return 0
    start = read(phrase).words[max(found, key=lambda m: m.last).first].start
    return start - 1 if phrase[start - 1 : start] in tuple("\"'“‘`") else start


def _two(first: str, second: str, table: TableView, form: str, at: int) -> Built:
    a = operand(first, table)
    b = operand(cut_phrase(second), table)
    if a is None or b is None or a[0].name == b[0].name:
        return None
    return form.format(written(a[0]), written(b[0])), at + b[1]


def _pairing(form: str) -> Build:
    return lambda m, table: _two(m["a"], m["b"], table, form, m.start("b"))


_PART = re.compile(
    r"(.+?)(?:,\s*and\b|,|\band\b|\bwith\b|\bto\b|\bplus\b|\+|\bby\b|\btimes\b|$)", re.IGNORECASE
)
_FIGURE = re.compile(r"\s*(?:the |a )?(one|two|\d+(?:\.\d+)?)\s*(?:\(|$|for|columns?)", re.IGNORECASE)


def _several(joiner: str, *, mean: bool = False) -> Build:
    """A list of columns and numbers joined by one operation: 'adding A, B and 1'."""

    def build(match: re.Match[str], table: TableView) -> Built:
        text = re.split(r"[?!;.](?!\d)", match["list"])[0]
        terms: list[str] = []
        end = match.start("list")
        for part in _PART.finditer(text):
            if not part[1].strip():
                continue
            number = _FIGURE.match(part[1])
            found = operand(cut_phrase(part[1]), table) if number is None else None
            if number is not None:
                terms.append({"one": "1", "two": "2"}.get(number[1].casefold(), number[1]))
                end = match.start("list") + part.start(1) + number.end(1)
            elif found is not None and written(found[0]) not in terms:
                terms.append(written(found[0]))
                end = match.start("list") + part.start(1) + found[1]
            else:
                break
            if ends_phrase(part[1]):
                break
        if len(terms) < 2 or not any(t.startswith(('"', "number")) for t in terms):
            return None
        joined = joiner.join(terms)
        return (f"({joined}) / {len(terms)}" if mean else joined), end

    return build


def _of_one(form: str) -> Build:
    def build(match: re.Match[str], table: TableView) -> Built:
        found = operand(cut_phrase(match["a"]), table)
        return None if found is None else (form.format(written(found[0])), match.start("a") + found[1])

    return build


def _log(match: re.Match[str], table: TableView) -> Built:
    found = _of_one("{}")(match, table)
    if found is None:
        return None
    base = re.search(r"10|2", match["base"] or "")
    return f"log{base[0] if base else ''}({found[0]})", found[1]


def _log1p(match: re.Match[str], table: TableView) -> Built:
    group = "b" if match["b"] else "a"
    found = operand(cut_phrase(match[group]), table)
    return None if found is None else (f"log1p({written(found[0])})", match.start(group) + found[1])


def _part_of_date(match: re.Match[str], table: TableView) -> Built:
    found = operand(cut_phrase(match["a"]), table, numeric=False)
    if found is None or found[0].numeric:
        return None
    part = match["part"].casefold()
    name = "weekday" if "week" in part else part
    return f"{name}({quoted(found[0].name)})", match.start("a") + found[1]


def _span(match: re.Match[str], table: TableView) -> Built:
    """Time from one date to another; of numbers there is no such thing."""
    a = operand(match["a"], table, numeric=False)
    b = operand(cut_phrase(match["b"]), table, numeric=False)
    if a is None or b is None or a[0].name == b[0].name or a[0].numeric or b[0].numeric:
        return None
    unit = re.search(r"\b(days|hours|minutes|seconds)\b", match.string, re.IGNORECASE)
    form = f"{unit[1].casefold() if unit else 'days'}_between"
    end = max(match.start("b") + b[1], match.start("a") + a[1])
    return f"{form}({quoted(a[0].name)}, {quoted(b[0].name)})", end


def _centred(match: re.Match[str], table: TableView) -> Built:
    found = operand(cut_phrase(match["a"]), table)
    if found is None:
        return None
    name = written(found[0])
    return f"{name} - {match['what'].casefold().replace('average', 'mean')}({name})", match.end()


_A, _B = r"(?P<a>(?:[^.?!;]|[.](?=\w)){1,70}?)", r"(?P<b>[^?!;\n]{1,80})"
# The last words before a sign that is said; a name may hold points.
_WORDED = r"(?P<a>[\"'“‘`]?[^\W\d_][\w. ]{0,60}?[\"'”’`]?)"
_LIST = r"(?P<list>[^?!;\n]{3,200})"
_REST = r"(?:the )?(?P<a>[^?!;,]{1,70})"
_STAT = (
    r"(?:mean|average|median|typical|standard deviations?|sd|std|variance|distribution|max(?:imum)?|min(?:imum)?|largest|"
    r"smallest|skewness|kurtosis|range|quartiles?|outliers?|histogram|normality)"
)
_SUBTRACTED = r"\bsubtract\w*\s+(?P<b>[^.?!;]{1,70}?)\s+from\s+"
RULES: tuple[Rule, ...] = (
    Rule(
        "centred",
        r"\bsubtract\w*\s+(?:the |its )?(?P<what>mean|average|median|min|max)(?:imum)?(?: value)? of "
        rf"{_A}\s+from\s+(?:each|every|all|the|its)\b[^.?!,]*",
        _centred,
        True,
    ),
    Rule(
        "time-between",
        r"\b(?:durations?|time elapsed|number of (?:days|hours|minutes|seconds)|days|hours|minutes|time|length of time)\s+"
        rf"(?:in \w+ )?(?:elapsed )?(?:between|from)\s+{_A}\s+(?:and|to|until|till)\s+{_B}",
        _span,
        True,
    ),
    Rule("time-subtracted", rf"{_SUBTRACTED.replace('<b>', '<a>')}{_B}", _span, True),
    Rule("subtracted", rf"\bsubtract\w*\s+{_A}\s+from\s+{_B}", _pairing("{1} - {0}"), True),
    Rule("ratio", rf"\bratios? (?:of|between)\s+{_A}\s+(?:to|and|over)\s+{_B}", _pairing("{0} / {1}"), True),
    Rule("dividing", rf"\b(?:dividing|divide)\s+{_A}\s+by\s+{_B}", _pairing("{0} / {1}"), True),
    Rule("divided", rf"\b(?P<whole>{_A}\s+divided by\s+{_B})", _pairing("{0} / {1}"), False),
    Rule("minus", rf"(?P<whole>{_WORDED}\s+minus\s+{_B})", _pairing("{0} - {1}"), True),
    Rule("plus", rf"(?P<whole>{_WORDED}\s+plus\s+{_B})", _pairing("{0} + {1}"), True),
    Rule("times", rf"(?P<whole>{_WORDED}\s+(?:times|multiplied by)\s+{_B})", _pairing("{0} * {1}"), True),
    Rule("over-name", rf"(?P<whole>{_WORDED}\s+divided by\s+{_B})", _pairing("{0} / {1}"), True),
    Rule("product", rf"\b(?:products? of|multiplying|multiply)\s+{_LIST}", _several(" * "), True),
    Rule(
        "sum",
        rf"\b(?:adding|add|summing up|summing|sums? of|total of|combining)\s+{_LIST}",
        _several(" + "),
        True,
    ),
    Rule("row-mean", rf"\b(?:average|mean) (?:of|across)\s+{_LIST}", _several(" + ", mean=True), False),
    Rule(
        "difference-of-interest",
        rf"\b{_STAT}\s+(?:(?:and|,)\s+{_STAT}\s+)?(?:of |in )?(?:the )?"
        rf"(?P<whole>differences?\s+(?:between|of)\s+{_A}\s+and\s+{_B})",
        _pairing("{0} - {1}"),
        True,
    ),
    Rule("difference", rf"\bdifferences?\s+(?:between|of)\s+{_A}\s+and\s+{_B}", _pairing("{0} - {1}"), False),
    Rule(
        "log",
        r"\b(?:natural |common )?log(?:arithms?|s)?\b(?P<base>[- ]?(?:10|2)\b)?(?:[- ]?transform(?:ed|ation)?)?"
        rf"\s*(?:of\s+|\(\s*)?(?:the )?{_A}(?=$|[,.?!;)]|\s+(?:and|with|by|for|in|is|differ\w*|between|follow\w*|normal\w*|"
        r"across|against|versus|vs|values?|column|variable|depend\w*|relat\w*|correlat\w*)\b)",
        _log,
        True,
    ),
    Rule(
        "log1p",
        r"\blog1p\s*(?:\(|of|to|on)\s*"
        + _REST
        + r"|\blog\s*\(\s*(?:x|value)\s*\+\s*1\s*\)\s+(?:to|of|on|for)\s+(?:the )?"
        r"(?P<b>[^?!;,]{1,70})",
        _log1p,
        True,
    ),
    Rule("root", rf"\bsquare roots?(?: transform\w*)?(?: of)?\s+{_REST}", _of_one("sqrt({})"), True),
    Rule("squared", rf"\bsquares? of\s+{_REST}", _of_one("square({})"), True),
    Rule(
        "to-minmax",
        rf"\b(?:normali[sz]e|rescale|min[- ]?max[- ]scale)\s+{_REST}",
        _of_one("minmax({})"),
        True,
    ),
    Rule("to-z", rf"\bstandardi[sz]e\s+{_REST}", _of_one("zscore({})"), True),
    Rule(
        "z",
        rf"\b(?:z[- ]?scores? (?:of|for)|standardi[sz](?:ed|ing))\s+{_REST}",
        _of_one("zscore({})"),
        False,
    ),
    Rule(
        "minmax",
        rf"\b(?:min[- ]?max(?:[- ]scal\w+|[- ]normali[sz]\w+)?(?: of)?|normali[sz](?:ed|ing|e))\s+{_REST}",
        _of_one("minmax({})"),
        False,
    ),
    Rule(
        "date-part",
        r"\b(?P<part>hour|month|year|weekday|day of (?:the )?week|minute|day)s?(?: of (?:the )?(?:day|year))?[^.?!]{0,60}?"
        r"\s+(?:of|from|in|for)\s+(?:the )?(?P<a>[^?!;,]{1,60})",
        _part_of_date,
        False,
    ),
    Rule(
        "percent-change",
        r"\b(?:daily |weekly |monthly |quarterly |yearly |annual )?"
        r"(?:(?:percent(?:age)?|relative|pct)[- ](?:changes?|growth|increases?|returns?)|growth rates?|"
        r"(?:daily|weekly|monthly|quarterly|yearly|annual) (?:growth|returns?)) (?:of|in|for)\s+" + _REST,
        _of_one("percent_change({0})"),
        True,
    ),
)
