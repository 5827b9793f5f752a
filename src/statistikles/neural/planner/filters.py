"""Conditions on rows said in words: 'among women', 'over 30', 'in 2019', 'where embarked is C'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from statistikles.neural.planner.columns import Mention, Question
from statistikles.neural.planner.levels import LevelMention
from statistikles.neural.planner.thesaurus import word_set
from statistikles.neural.planner.view import ColumnView, TableView

__all__ = [
    "ADJECTIVES",
    "COMPARISONS",
    "Condition",
    "both_ways",
    "compared",
    "conditions",
    "equals",
    "held_by_name",
    "joined",
    "quoted",
]

_LEADS = word_set("among amongst for in on within only where who just restricted limited were was being")
_VAGUE = word_set("old young rich poor tall short heavy light big small large long")
_SHARES = word_set("share proportion percentage percent fraction rate number many most all half")
_NUMBER = r"((?<![\d,])-?\d[\d,]*(?:\.\d+)?)"
# What an adjective compares: the words of a column's name.
ADJECTIVES = {
    "older": word_set("age ages"),
    "younger": word_set("age ages"),
    "heavier": word_set("weight mass"),
    "lighter": word_set("weight mass"),
    "taller": word_set("height tall"),
    "shorter": word_set("height length"),
    "longer": word_set("length duration"),
    "richer": word_set("income salary wealth"),
    "poorer": word_set("income salary wealth"),
    "cheaper": word_set("price cost"),
}
# (pattern, SQL operator); the number follows the words.
_MORE = (
    r"(?:over|above|older than|heavier than|taller than|longer than|richer than|more than|greater than|larger than|"
    r"higher than|exceeding|exceeds?|after|>)"
)
_LESS = (
    r"(?:under|below|younger than|lighter than|shorter than|poorer than|cheaper than|less than|fewer than|smaller than|"
    r"lower than|before|<)"
)
COMPARISONS = (
    (rf"(?:at least|no less than|>=|≥)\s*{_NUMBER}", ">="),
    (rf"(?:at most|no more than|up to|<=|≤)\s*{_NUMBER}", "<="),
    (rf"{_MORE}\s*{_NUMBER}", ">"),
    (rf"{_LESS}\s*{_NUMBER}", "<"),
    (rf"(?:equal(?:s)? to|equals|exactly|=|==|is)\s*{_NUMBER}", "="),
    (rf"{_NUMBER}\s*(?:years? )?(?:and|or) (?:older|above|over|more)", ">="),
    (rf"{_NUMBER}\s*(?:years? )?(?:and|or) (?:younger|below|under|less|fewer)", "<="),
)
_QUOTES = "\"'“”‘’`"
_EQUATION = re.compile(r"(?:==?|\bequals\b|\bis equal to\b)\s*(?:[\"'“‘]([^\"'”’]{1,200})[\"'”’]|([\w.\-]+))")
_WORDS = {">": "over", "<": "under", ">=": "at least", "<=": "at most", "=": "equal to"}


@dataclass(frozen=True)
class Condition:
    """A condition on rows: as an expression, and as words for the answer."""

    column: str
    expression: str
    words: str
    places: frozenset[int] = frozenset()


def quoted(name: str) -> str:
    """A column name as the filter language wants it."""
    return '"' + name.replace('"', '""') + '"'


def equals(column: ColumnView, level: str) -> str:
    """The expression that keeps one level of a column."""
    if column.numeric:
        return f"{quoted(column.name)} = {level}"
    escaped = level.replace("'", "''")
    return f"{quoted(column.name)} = '{escaped}'"


def joined(found: Sequence[Condition]) -> str:
    """Several conditions as one expression."""
    return " AND ".join(f"({c.expression})" if len(found) > 1 else c.expression for c in found)


def conditions(
    question: Question, table: TableView, mentions: Sequence[Mention], levels: Sequence[LevelMention]
) -> list[Condition]:
    """The conditions a question puts on rows; levels that are contrasted with each other are not conditions."""
    out = [_level_condition(question, one, mentions) for one in levels]
    found = [*_written(question, table), *(c for c in out if c is not None), *_codes(question, mentions)]
    found = list({c.column: c for c in reversed(found)}.values())
    taken = {c.column for c in found}
    found += [c for c in _comparisons(question, table, mentions) if c.column not in taken]
    found += [c for c in _years(question, table) if c.column not in {f.column for f in found}]
    return found


def _between(question: Question, start: int, end: int) -> frozenset[int]:
    """The positions of the words in a stretch of the text."""
    return frozenset(i for i, w in enumerate(question.words) if start <= w.start < end)


def _written(question: Question, table: TableView) -> list[Condition]:
    """Conditions written as such: Embarked = 'C', "year" == 2007."""
    out = []
    names = {c.name.strip().casefold(): c for c in table.columns}
    for match in _EQUATION.finditer(question.text):
        # The name is looked for backwards from the sign: looking forward costs the square of a long text.
        start = max(0, match.start() - 200)
        lead = question.text[start : match.start()].rstrip().rstrip(_QUOTES)
        words = re.split(r"[^\w .\-]", lead)[-1].split()
        column = next(
            (names[n] for i in range(len(words)) if (n := " ".join(words[i:]).casefold()) in names), None
        )
        value = match[1] or match[2]
        level = next((lv for lv in column.levels if lv == value), None) if column is not None else None
        if column is not None and level is not None:
            places = _between(question, start + len(lead) - len(column.name), match.end())
            out.append(Condition(column.name, equals(column, level), f"{column.name} = {level}", places))
    out += _bracketed(question, table)
    if len({c.column for c in out}) < len(out):
        return []
    return out


def _bracketed(question: Question, table: TableView) -> list[Condition]:
    """'(type prof)', '(region: West)': a column and one of its values in brackets."""
    out = []
    for match in re.finditer(r"\(\s*([^()=]{2,60})\)", question.text):
        for column in table.columns:
            name = re.escape(column.name.strip())
            said = re.fullmatch(
                rf"{name}\s*(?:is|:|"
                rf"equals)?\s*[\"'“‘]?(?P<value>[^\"'”’]+?)[\"'”’]?\s*",
                match[1],
                re.IGNORECASE,
            )
            spelled = [lv for lv in column.levels if said and lv.casefold() == said["value"].casefold()]
            level = max(spelled, key=lambda lv: lv == said["value"], default=None) if said else None
            if level is not None:
                words = f"{column.name} = {level}"
                places = _between(question, match.start(), match.end())
                out.append(Condition(column.name, equals(column, level), words, places))
    return out


def _named_beside(question: Question, one: LevelMention, mentions: Sequence[Mention]) -> bool:
    """'tumour grade III', 'species = Adelie', 'cars of Asian origin': a value beside the name of its column."""
    mine = next((m for m in mentions if m.name == one.column.name), None)
    if mine is None or mine.last == one.first:
        return False
    if mine.first == one.last + 1:
        before = question.words[one.first - 1].plain if one.first else ""
        return before in ("of", "with", "in", "for", "from", "only")
    if mine.last > one.first:
        return False
    between = question.text[question.words[mine.last].end : question.words[one.first].start]
    return re.fullmatch(r"\W*(?:is|are|was|of|equals?|being|value)?\W*", between, re.IGNORECASE) is not None


def _level_condition(
    question: Question, one: LevelMention, mentions: Sequence[Mention] = ()
) -> Condition | None:
    start = one.first
    named = {i for m in mentions for i in m.places if m.column.yes_or_no and m.name != one.column.name}
    while start - 1 in named or (
        start and question.words[start - 1].plain in _VAGUE
    ):  # 'of married (or old) women'
        start -= 1
    before = question.words[start - 1].plain if start else ""
    led = before in _LEADS or (start < one.first and before == "of")
    if before == "of" and one.first > 1 and start == one.first:
        led = question.words[one.first - 2].plain in _SHARES
    if before == "the" and one.first > 1:
        led = question.words[one.first - 2].plain in ("of", "among", "amongst")
    if (
        not led
        and one.first > 0
        and not _describes_rows(question, one)
        and not _qualifies(question, one)
        and not _named_beside(question, one, mentions)
    ):
        return None
    return Condition(
        one.column.name, equals(one.column, one.level), f"{one.column.name} = {one.level}", one.places
    )


_COUNTS = re.compile(
    r"\W*(how many|what (percent\w*|share|proportion|fraction)|count|number of|percent\w*)\b", re.IGNORECASE
)
_OF_WHOM = word_set("of for in among from within at")
_PLACES = word_set(
    "arm group branch department class region city team category centre center clinic store side"
)


def _qualifies(question: Question, one: LevelMention) -> bool:
    """'the mean weight of women', 'in the drug arm', 'the values of cultivar B': the rows described."""
    from statistikles.neural.planner.asked import statistics

    before = [w.plain for w in question.words[max(0, one.first - 2) : one.first]]
    after = question.words[one.last + 1].plain if one.last + 1 < len(question.words) else ""
    if not before or (
        before[-1] not in (*_OF_WHOM, "are", "is", "were", "was", "be")
        and before[-2:-1] != ["the"]
        and before[-1] != "the"
    ):
        return False
    if before[-1] in ("are", "is", "were", "was", "be"):
        return _COUNTS.match(question.text) is not None
    if before[-1] == "the":
        return (
            len(before) > 1
            and before[0] in _OF_WHOM
            and (after in _PLACES or bool(_summarises(question.text)))
        )
    return before[-1] in _OF_WHOM and bool(statistics(question.text) or _summarises(question.text))


def _summarises(text: str) -> bool:
    return (
        re.search(r"\b(mean|average|avg|median|describe|summar\w+|typical|how many|percent\w*)\b", text, re.I)
        is not None
    )


_NEGATED_TOO = re.compile(
    r"\b(versus|vs\.?|compared (to|with)|and|or|than|between)\b[^.?!]{0,40}"
    r"\b(not|didn't|don't|aren't|weren't|non|without|un\w+)\b",
    re.IGNORECASE,
)
_HAVING = re.compile(r"\b(with|having|have|has|had|where|when)\s+$", re.IGNORECASE)


_HOLDERS = re.compile(
    r"(?:\b(among|amongst|of|in|for)|(?:how many|count|number of)\b[^.?!]{0,60}?)\s+(the |all )?(\w+)\s+"
    r"(with|without|who have|who has|that have|having|not having|who|that)\s+(a |an |the )?((history|diagnosis|"
    r"record|presence|"
    r"case|sign|signs) of )?$",
    re.IGNORECASE,
)


def held_by_name(question: Question, mentions: Sequence[Mention]) -> list[Condition]:
    """'among people with heart disease' keeps the rows where that yes-or-no column says yes."""
    out = []
    for mention in mentions:
        if both_ways(question, mention):
            continue
        if _describes_people(question, mention):
            level = next(
                (lv for lv in mention.column.levels if lv.casefold() in ("yes", "1", "true", "y")), None
            )
            if level is not None:
                words = f"{mention.name} = {level}"
                out.append(
                    Condition(mention.name, equals(mention.column, level), words, frozenset(mention.places))
                )
                continue
        lead = _HOLDERS.search(question.text[: question.words[mention.first].start])
        if lead is None or not mention.column.yes_or_no:
            continue
        wanted = (
            ("no", "0", "false", "n")
            if lead[4].casefold() in ("without", "not having")
            else ("yes", "1", "true", "y")
        )
        level = next((lv for lv in mention.column.levels if lv.casefold() in wanted), None)
        if level is not None:
            words = f"{mention.name} = {level}"
            out.append(
                Condition(mention.name, equals(mention.column, level), words, frozenset(mention.places))
            )
    return out + _held_alike(question, mentions, out)


def _held_alike(
    question: Question, mentions: Sequence[Mention], held: Sequence[Condition]
) -> list[Condition]:
    """'How many have both a garage and a pool?': yes-or-no columns counted together."""
    text = question.text
    lead = re.search(
        r"\b(?:how many|count|number of)\b[^.?!]*?\b(?:have|has|with|had|having)\b", text, re.IGNORECASE
    )
    if lead is None:
        return []
    taken = {c.column for c in held}
    out = []
    for mention in mentions:
        column = mention.column
        start = question.words[mention.first].start
        if not column.yes_or_no or column.name in taken or start < lead.end() or both_ways(question, mention):
            continue
        said = text[lead.end() : start]
        if not re.fullmatch(
            r"(?:\W|\b(?:both|a|an|the|and|no|without|not|any|also|well|as|neither|nor|history|"
            r"of)\b|\w+)*",
            said,
        ):
            continue
        if re.search(r"[.?!]|\b(?:or|than|if|when)\b", said):
            continue
        near = said[-12:]
        no = re.search(r"\b(?:no|without|not|neither|nor)\b", near) is not None
        wanted = ("no", "0", "false", "n") if no else ("yes", "1", "true", "y")
        level = next((lv for lv in column.levels if lv.casefold() in wanted), None)
        if level is not None:
            out.append(
                Condition(
                    column.name, equals(column, level), f"{column.name} = {level}", frozenset(mention.places)
                )
            )
    return out


def both_ways(question: Question, mention: Mention) -> bool:
    """'those who survived versus those who did not survive': both values of a yes-or-no column are set side by side."""
    return _NEGATED_TOO.search(question.text) is not None and mention.column.binary


def _describes_people(question: Question, mention: Mention) -> bool:
    """'among remote workers': a yes-or-no column as an adjective of the rows."""
    if not mention.column.yes_or_no or mention.first == 0:
        return False
    if question.words[mention.first - 1].plain in ("among", "amongst") and question.words[
        mention.last
    ].plain.endswith("s"):
        return True  # 'among smokers'
    if mention.last + 1 >= len(question.words):
        return False
    before, after = question.words[mention.first - 1].plain, question.words[mention.last + 1].plain
    if before not in ("among", "amongst", "within", "only"):
        return False
    return after.endswith("s") or after in ("people", "staff", "women", "men")


def _describes_rows(question: Question, one: LevelMention) -> bool:
    """'male passengers', 'Adelie penguins': a level right before a plural noun."""
    after = question.words[one.last + 1].plain if one.last + 1 < len(question.words) else ""
    return after.endswith("s") and not after.endswith("ss") and len(after) > 3


def _comparisons(question: Question, table: TableView, mentions: Sequence[Mention]) -> list[Condition]:
    out: list[Condition] = []
    claimed: list[tuple[int, int]] = []
    for pattern, sign in COMPARISONS:
        for match in re.finditer(pattern, question.text, re.IGNORECASE):
            if any(match.start() < end and start < match.end() for start, end in claimed):
                continue
            if re.match(r"\s*(%|percent)", question.text[match.end() :]):
                continue
            column = _subject(question, table, mentions, match.start(), match.group(), match.end())
            if column is None:
                continue
            claimed.append((match.start(), match.end()))
            number = match[1].replace(",", "")
            places = _between(question, match.start(), match.end())
            out.append(
                Condition(
                    column.name,
                    f"{quoted(column.name)} {sign} {number}",
                    f"{column.name} {_WORDS[sign]} {number}",
                    places,
                )
            )
    return out


_CODES = re.compile(
    r"[\"'”’]?\)?\s*(?:is|are|=|==|equals?|equal to|of|value of|values?)?\s*(?P<list>\d+(?:\s*(?:,|and|or|,\s*and|"
    r",\s*or)\s*\d+)*)\b"
    r"(?!\s*(?:%|percent|years?|or (?:more|older|above|over|less)|and (?:over|above|older)|to\s+\d|[-–.]\s*\d|groups?))",
    re.IGNORECASE,
)


def coded(
    question: Question, mentions: Sequence[Mention]
) -> list[tuple[ColumnView, list[str], frozenset[int]]]:
    """'month 7 and 8', 'a PLOT value of 5': values of a column of few whole numbers right after its name."""
    out = []
    for mention in mentions:
        column = mention.column
        if not (column.numeric and column.whole and column.levels):
            continue
        start = question.words[mention.last].end
        match = _CODES.match(question.text, start)
        if match is None:
            continue
        values = list(dict.fromkeys(re.findall(r"\d+", match["list"])))
        known = {float(lv): lv for lv in column.levels}
        if all(float(v) in known for v in values):
            values = [known[float(v)] for v in values]
            out.append((column, values, _between(question, start, match.end())))
    return out


def _codes(question: Question, mentions: Sequence[Mention]) -> list[Condition]:
    """One value of a code keeps its rows; several are set against each other (see `levels`)."""
    return [
        Condition(column.name, equals(column, values[0]), f"{column.name} = {values[0]}", places)
        for column, values, places in coded(question, mentions)
        if len(values) == 1
    ]


def compared(question: Question) -> list[tuple[str, frozenset[int]]]:
    """Every comparison with a number that stands in a question, and the words it takes."""
    out: list[tuple[str, frozenset[int]]] = []
    for pattern, sign in COMPARISONS:
        for match in re.finditer(pattern, question.text, re.IGNORECASE) if sign != "=" else ():
            places = _between(question, match.start(), match.end())
            if not re.match(r"\s*(%|percent)", question.text[match.end() :]) and all(
                not places & p for _, p in out
            ):
                out.append((match.group(), places))
    return out


def _subject(
    question: Question, table: TableView, mentions: Sequence[Mention], start: int, words: str, end: int
) -> ColumnView | None:
    """What a comparison is about: age for 'older' and 'people over 30', else the numeric column just named."""
    numeric = [c for c in table.columns if c.numeric]
    ages = [c for c in numeric if "age" in c.words or "ages" in c.words]
    lead = question.text[max(0, start - 32) : start].casefold()
    for adjective, names in ADJECTIVES.items():
        if re.search(rf"\b{adjective}\b", words, re.IGNORECASE):
            fits = [c for c in numeric if names & set(c.words)]
            return fits[0] if len(fits) == 1 or (fits and adjective in ("older", "younger")) else None
    near = [m for m in mentions if m.column.numeric and 0 <= start - question.words[m.last].end <= 12]
    if near and re.search(r"\b(?:of|for|among|in)\s+[a-z]{4,}(?<!s)s\s+$", lead):
        near = [m for m in near if start - question.words[m.last].end <= 1]  # 'charges of smokers over 50'
    close = [m for m in mentions if m.column.numeric and 0 <= question.words[m.first].start - end <= 14]
    if close and (_HAVING.search(lead) or (_COUNTS.match(question.text) and not near)):
        return close[0].column
    if near and _COUNTS.match(question.text):
        return near[-1].column
    if near and re.search(r"\b(where|with|whose|who|having|when|if|for|among|and)\b[^,.?]*$", lead):
        return near[-1].column
    people = re.search(
        r"\b(people|those|individuals?|patients?|participants?|students?|passengers?|adults?|women|men|customers?|"
        r"aged?|subjects?|employees?|persons?|workers|respondents|"
        r"anyone)\s+(who are |that are |who were |aged |are |were )?$",
        lead,
    )
    whoever = people is not None or (
        # 'smokers over 50': whoever is meant, unless the word names a column of numbers
        re.search(r"\b[a-z]{4,}(?<!s)s\s+(who are |aged |are )?$", lead) is not None
        and not any(
            m.column.numeric and not m.column.yes_or_no and 0 <= start - question.words[m.last].end <= 1
            for m in mentions
        )
    )
    return ages[0] if whoever and ages else None


def _years(question: Question, table: TableView) -> list[Condition]:
    """'in 2019' keeps the rows of that year."""
    out = []
    for match in re.finditer(r"\b(?:in|during|for|of)\s+(?:the year\s+)?((?:18|19|20)\d\d)\b", question.text):
        year = int(match[1])
        for column in table.columns:
            holds = column.minimum is not None and column.maximum is not None and column.whole
            if "year" in column.words and holds and column.minimum <= year <= column.maximum:  # type: ignore[operator]
                places = _between(question, match.start(), match.end())
                out.append(
                    Condition(
                        column.name, f"{quoted(column.name)} = {year}", f"{column.name} = {year}", places
                    )
                )
                break
    return out
