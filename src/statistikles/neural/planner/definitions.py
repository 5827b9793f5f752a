"""Columns that a question defines in words: 'family size = sibsp + parch', 'the ratio of A to B', 'log of income'.

Each phrase becomes a formula over columns of the table; the phrase in the question is replaced by the new name, so
that the rest of the planner reads it like any other column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from statistikles.neural.planner.filters import quoted
from statistikles.neural.planner.formulas import derived, formula_in
from statistikles.neural.planner.operands import expression, operand
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = ["define"]

_MAKING = (
    r"(?:creat\w*|generat\w*|add\w*|engineer\w*|deriv\w*|comput\w*|calculat\w*|construct\w*|mak(?:e|ing)|build\w*|"
    r"introduc\w*|defin\w*|form\w*|produc\w*)"
)
_NAMED = re.compile(
    rf"\b{_MAKING}\s+(?:a |an |the |another )?(?:(?:new|derived|additional|extra|composite|numeric|categorical|"
    rf"binary|dummy|indicator|boolean) )*"
    r"(?:feature|column|variable|attribute|metric|field|measure)s?\b"
    r"(?:\s*[,:]?\s*(?:called|named|titled|labell?ed)?\s*(?:[\"“‘'`](?P<name>[^\"”’'`]{1,60})[\"”’'`]|"
    r"(?:called|named)\s+(?P<bare>[A-Za-z]\w*)))?",
    re.IGNORECASE,
)
_EQUATION = re.compile(
    r"(?P<name>[\"“‘'`][^\"”’'`=]{1,60}[\"”’'`]|[A-Za-z]\w*(?: [a-z]\w*){0,2})"
    r"\s*(?<![<>=!])=(?!=)\s*(?P<body>[^.;?\n=]{3,160})"
)
# What follows a definition and asks for something.
_ASKS = re.compile(
    r"[,;]?\s+(?:and|then|and then|to)\s+(?=(?:calculate|compute|find|report|determine|give|show|provide|perform|what|test|"
    r"check|analy[sz]e|describe|use it|summari[sz]e|list|count|correlate|compare|state|tell|is|are|does|do)\b)",
    re.IGNORECASE,
)
_END = re.compile(r"[?!]|(?<=[a-z0-9)\"'’”])\.(?=\s+[\"'(A-Z0-9{]|\s*$)|\n", re.DOTALL)
_ANAPHORA = re.compile(
    r"\b(?:this|the|that|each|these|those)\s+(?:(?:new|newly|derived|created|resulting|computed) )*(?:feature|column|"
    r"variable|metric|field|attribute|durations?|differences?|ratios?|rates?|sums?|values? of (?:this|the) new \w+)\b"
    r"(?!\s+(?:\"|of|between))",
    re.IGNORECASE,
)
_NEW = "new feature"
_MAKES = re.compile(r"\b(?:as a |a )?new (?:column|feature|variable)\b", re.IGNORECASE)


def define(text: str, table: TableView) -> tuple[str, TableView]:
    """The question with its definitions replaced by names, and the table with the columns they define."""
    for way in (_by_encoding, _by_dividing, _by_name, _by_equation, _by_computing, _by_noun):
        found = way(text, table)
        if found is not None:
            new, column = found
            by_it = rf"\b(?:per|by|each|every|across|for each|in each)\s+[\"]?{re.escape(column.name)}\b"
            if column.numeric and re.search(by_it, new, re.IGNORECASE):
                column = replace(column, kind="category", n_distinct=min(12, max(2, table.n_rows // 3)))
            return _anaphora(new, column.name), table.extended([column])
    return _in_passing(text, table)


_ENCODE = re.compile(
    r"\b(?:encod|recod|cod|map|convert|transform|represent|express|label)\w*\s+(?P<body>[^.?!;]{2,80}?)\s*(?:as|to|into|with|using|:|,)\s*"
    r"[^.?!;]{0,40}?(?:\(|\b)(?P<a>[01])\s*(?:for|=|if|when|representing|denoting|"
    r"meaning)\s*[\"'“‘]?(?P<la>[\w -]{1,25}?)[\"'”’]?\s*"
    r"(?:,|;|\band\b|\bor\b)+\s*(?:and\s+)?(?P<b>[01])\s*(?:for|=|if|when|representing|denoting|meaning)\s*[\"'“‘]?"
    r"(?P<lb>[\w-]{1,25})[\"'”’]?\)?",
    re.IGNORECASE,
)
_ENCODED = re.compile(
    r"\bthe\s+(?:encoded|coded|recoded|new|binary|dummy|numeric|resulting)\s+(?:column|variable|"
    r"feature|values?)\b",
    re.I,
)


def _by_encoding(text: str, table: TableView) -> tuple[str, ColumnView] | None:
    """'Encode sex as 0 for male and 1 for female and correlate it with wage': a column of zeros and ones."""
    match = _ENCODE.search(text)
    if match is None or {match["a"], match["b"]} != {"0", "1"}:
        return None
    found = operand(match["body"], table, numeric=False)
    if found is None:
        return None
    column = found[0]
    one = match["la"] if match["a"] == "1" else match["lb"]
    level = next((lv for lv in column.levels if lv.casefold() == one.strip().casefold()), None)
    if level is None:
        return None
    escaped = level.replace("'", "''")
    made = derived(f"{column.name} coded", f"code({quoted(column.name)}, '{escaped}')", table)
    end = _sentence_end(text, match.end())
    asks = _ASKS.search(text, match.end() - 1, end)
    rest = text[asks.end() if asks else end :].strip()
    if not re.search(r"[^\W\d_]{3}.*[^\W\d_]{3}", rest):
        return None
    named = _ENCODED.sub(f'"{made.name}"', rest)
    if named == rest:
        bare = rf"(?<![\w\"]){re.escape(column.name)}(?![\w\"])"
        named = re.sub(bare, f'"{made.name}"', rest, flags=re.IGNORECASE)
    return (named, made) if named != rest else None


_DIVIDE = re.compile(
    r"^\W*(?:first\W+|please\W+)?(?:divid|split|group|bin|separat|categori[sz]|partition|classif|segment|cut|discreti[sz]|sort)\w*\b",
    re.IGNORECASE,
)
_IN_GROUPS = re.compile(
    r"\b(?P<led>in|for|of|within|between|across|among|by|per)\s+(?:(?:each|every|both|all|the|these|those|two|three|four|resulting|"
    r"said|of)\s+)*(?:(?:age|such|new|of these|of the|of those)\s+)*(?:groups?|categor(?:y|ies)|bins?|bands?|"
    r"classes|class|segments?|each|"
    r"them)\b(?!\s+\w+s?\s+of\b)(?:\s+of them)?",
    re.IGNORECASE,
)


def _by_dividing(text: str, table: TableView) -> tuple[str, ColumnView] | None:
    """'Split the patients into those over 50 and the rest. Compare the mean weight of the groups.'"""
    if not _DIVIDE.match(text):
        return None
    found = formula_in(text, table, "", passing=True)
    if found is None or not found[0].levels:
        return None
    column, _, stop = found
    end = _sentence_end(text, stop)
    asks = _ASKS.search(text, max(stop - 1, 0), end)
    rest = text[asks.end() if asks else end :].strip()
    if not re.search(r"[^\W\d_]{3}.*[^\W\d_]{3}", rest):
        return None
    named = _IN_GROUPS.sub(lambda m: f'{m["led"]} each "{column.name}"', rest, count=1)
    if named == rest:
        named = _attach_to_end(rest, f'by "{column.name}"')
    return named, column


def _attach_to_end(rest: str, more: str) -> str:
    """A phrase put at the end of the first sentence, before its mark."""
    end = _sentence_end(rest, 0)
    first = rest[:end].rstrip()
    bare = first.rstrip(" .?!")
    return f"{bare} {more}{first[len(bare) :]}{rest[end:]}"


# --- a column that is given a name ----------------------------------------------------------------------------


def _by_name(text: str, table: TableView) -> tuple[str, ColumnView] | None:
    """'Create a new feature called X by adding A and B. What is its mean?'"""
    match = _NAMED.search(text)
    if match is None:
        return None
    name = (match["name"] or match["bare"] or _NEW).strip()
    end = _sentence_end(text, match.end())
    asks = _ASKS.search(text, match.end(), end)
    body_end = asks.start() if asks else end
    bodies = [(match.end(), body_end), (end, len(text)), (0, match.start())]
    equation = _equation_for(name, text, table)
    column, used = (equation[0], equation[1]) if equation else (None, None)
    for start, stop in bodies if column is None else ():
        formula = formula_in(text[start:stop], table, name)
        if formula is not None:
            column, used = formula[0], (start + formula[1], start + formula[2])
            break
    if column is None:
        return None
    cuts = [(match.start(), body_end)]
    if used is not None and used[0] >= end:
        cuts.append((_sentence_start(text, used[0]), _sentence_end(text, used[1])))
    rest = _without(text, cuts)
    shown = rf"[\"“‘\'`]?(?<!\w){re.escape(name)}(?!\w)[\"”’\'`]?"
    rest = re.sub(shown, lambda _: f'"{column.name}"', rest)
    if not re.search(r"[^\W\d_]{3}", rest):
        rest = f'Describe "{column.name}".'
    elif f'"{column.name}"' not in _anaphora(rest, column.name):
        rest = _attach(rest, column.name)
    return rest.strip(), column


def _attach(rest: str, name: str) -> str:
    """The name put after what is asked, when the question does not say of what: 'report the median'."""
    end = _sentence_end(rest, 0)
    return f'{rest[:end].rstrip(" .?")} of "{name}"{rest[end:] or "."}'


def _by_equation(text: str, table: TableView) -> tuple[str, ColumnView] | None:
    """'With bmi = weight / height, ...': the equation is taken out, its name stays."""
    for match in _EQUATION.finditer(text):
        name = match["name"].strip("\"“”‘’'` ")
        name = re.sub(
            r"^(?:where|with|if|let|as|define|use|using|and|the|of|for|is)\s+", "", name, flags=re.IGNORECASE
        )
        if any(c.name.casefold() == name.casefold() for c in table.columns):
            continue
        found = expression(match["body"], table)
        if found is None:
            continue
        formula, length = found
        if not re.search(r"[-+*/(]", formula.replace('"', "")):
            continue
        column = derived(name, formula, table)
        start, end = match.start(), match.start("body") + length
        before = re.sub(r"[\s,(]*\b(?:where|with|if|let|define|using|as)?\s*$", " ", text[:start])
        rest = before + f' "{name}" ' + re.sub(r"^\s*\)", "", text[end:])
        others = re.sub(rf'(?<![\w"]){re.escape(name)}(?![\w"])', f'"{name}"', rest)
        if len(re.findall(re.escape(f'"{name}"'), others)) > 1:
            others = (
                before
                + " "
                + re.sub(rf'(?<![\w"]){re.escape(name)}(?![\w"])', f'"{name}"', text[end:].lstrip(" ),"))
            )
        return others.strip(), column
    return None


_COMPUTING = re.compile(
    r"\b(?P<verb>calculat\w*|comput\w*|deriv\w*|obtain\w*|defin\w*|measur\w*|express\w*|convert\w*|transform\w*|get|take|taking)\s+"
    r"(?:the |a |each \w+['’]s )?(?P<name>[A-Za-z][\w ]{2,40}?)(?: (?:of|for) [^.,;?!]{1,60}?)?"
    r"(?: (?:from|to|into) \w+){0,2}(?:,? in \w+)?,?\s+(?:by|as|=|with|using)\s+(?P<body>[^?!;\n]{5,200})",
    re.IGNORECASE,
)


def _by_computing(text: str, table: TableView) -> tuple[str, ColumnView] | None:
    """'What is the average duration? Calculate the duration by subtracting start from end.'"""
    for match in _COMPUTING.finditer(text):
        name = match["name"].strip()
        verb = match["verb"].casefold()
        changes = verb.startswith(("convert", "transform"))
        same = next((c for c in table.columns if c.name.casefold() == name.casefold()), None)
        if same is not None and not changes:
            continue
        if _STATISTIC.fullmatch(name) and not verb.startswith("defin"):
            continue
        made = f"{same.name} converted" if same is not None else name
        found = formula_in(match["body"], table, made) or _signs(match["body"], table, made)
        if found is None or found[1] > 12:
            continue
        if same is not None and quoted(same.name) not in found[0].formula:
            continue
        name = made
        start, end = _sentence_start(text, match.start()), _sentence_end(text, match.start("body") + found[2])
        asks = _ASKS.search(text, match.start("body") + found[2], end)
        end = asks.end() if asks else end
        rest = _without(text, [(start, end)])
        named = re.sub(rf"(?<!\w){re.escape(name)}s?(?!\w)", f'"{name}"', rest, flags=re.IGNORECASE)
        if not re.search(r"[^\W\d_]{3}", rest):
            named = f'Describe "{name}".'
        elif named == rest:
            named = _attach(rest, name)
        return named, found[0]
    return None


def _signs(body: str, table: TableView, name: str) -> tuple[ColumnView, int, int] | None:
    """A formula written with signs at the beginning of a text."""
    found = expression(body, table)
    if found is None or not re.search(r"[-+*/(]", re.sub(r'"[^"]*"', "", found[0])):
        return None
    return derived(name, found[0], table), 0, found[1]


_NOUN = re.compile(
    r"\b(?:calculat\w*|comput\w*|deriv\w*|extract\w*|obtain\w*|get|take|find)\s+(?:the\s+)?"
    r"(?P<noun>difference|ratio|sum|product|quotient|percentage change|hour|month|year|weekday|day|minute)s?\b",
    re.IGNORECASE,
)


def _by_noun(text: str, table: TableView) -> tuple[str, ColumnView] | None:
    """'Calculate the difference between a and b for each row. Report the mean difference.'"""
    match = _NOUN.search(text)
    if match is None:
        return None
    end = _sentence_end(text, match.end())
    noun = match["noun"].casefold()
    later = text[end:]
    if not re.search(rf"\b{noun}s?\b", later, re.IGNORECASE):
        return None
    if any(c.name.casefold() == noun for c in table.columns):
        noun = f"{noun} made"
    found = formula_in(text[match.start("noun") : end], table, noun)
    if found is None or found[1] > 5:
        return None
    rest = _without(text, [(_sentence_start(text, match.start()), end)])
    return re.sub(rf"\b{match['noun']}s?\b", f'"{noun}"', rest, flags=re.IGNORECASE), found[0]


_STATISTIC = re.compile(
    r"(?:\w+ )?(?:mean|average|median|sum|total|difference|correlation|variance|number|count|iqr|range)\w*",
    re.IGNORECASE,
)


def _equation_for(name: str, text: str, table: TableView) -> tuple[ColumnView, tuple[int, int]] | None:
    match = re.search(rf"(?<!\w){re.escape(name)}[\"”’'`]?\s*=(?!=)\s*(?P<body>[^.;?\n=]{{3,160}})", text)
    if match is None:
        return None
    found = expression(match["body"], table)
    return None if found is None else (derived(name, found[0], table), (match.start(), match.end()))


def _sentence_end(text: str, at: int) -> int:
    match = _END.search(text, at)
    return match.end() if match else len(text)


def _sentence_start(text: str, at: int) -> int:
    ends = [m.end() for m in _END.finditer(text, 0, at)]
    return ends[-1] if ends else 0


def _without(text: str, cuts: Sequence[tuple[int, int]]) -> str:
    out, place = "", 0
    for start, end in sorted(cuts):
        out += text[place : max(start, place)]
        place = max(end, place)
    rest = (out + text[place:]).strip()
    return re.sub(r"^(?:[\s.,;:]|\d+\.|(?:and|then|to|by)\b)+", "", rest, flags=re.IGNORECASE)


def _anaphora(text: str, name: str) -> str:
    out = _ANAPHORA.sub(f'"{name}"', text)
    return re.sub(
        r"\b(?:its|their)\s+(mean|median|average|standard|variance|distribution|sum|max|min|skew|kurt)",
        rf'"{name}" \1',
        out,
    )


# --- a phrase that defines a column in passing -----------------------------------------------------------------


def _with_signs(text: str, table: TableView) -> tuple[str, ColumnView] | None:
    """'the mean of a + b': columns named exactly, joined by signs with blanks around them."""
    names = sorted((c.name for c in table.columns if c.numeric and len(c.name) > 1), key=len, reverse=True)
    if not re.search(r"\s[-+*/]\s", text) or not names:
        return None
    one = "[\"'`]?(?:" + "|".join(re.escape(n) for n in names) + ")[\"'`]?"
    term = rf"(?:{one}|\d+(?:\.\d+)?)"
    match = re.search(rf"(?<![\w.])\(?{one}(?:\s[-+*/]\s\(?{term}\)?)+", text, re.IGNORECASE)
    if match is None:
        return None
    found = expression(match.group(), table)
    if found is None or found[1] < len(match.group()):
        return None
    name = " ".join(re.sub(r"[\"'`]", "", match.group()).split())
    column = derived(name, found[0], table)
    return f'{text[: match.start()]}"{name}"{text[match.end() :]}', column


def _in_passing(text: str, table: TableView) -> tuple[str, TableView]:
    """'the mean ratio of weight to height': each such phrase becomes a column of that name."""
    columns: list[ColumnView] = []
    makes = _MAKES.search(text) is not None
    signed = _with_signs(text, table)
    if signed is not None:
        text, column = signed
        return text, table.extended([column])
    for _ in range(3):
        found = formula_in(text, table.extended(columns), "", passing=not makes)
        if found is None:
            break
        column, start, end = found
        columns.append(column)
        text = f'{text[:start]}"{column.name}"{text[end:]}'
    return text, table.extended(columns)
