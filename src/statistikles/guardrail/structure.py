"""Numbers that claim nothing about the data: list marks, names, idioms, thresholds, citations. One row, one rule."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .report import Verdict
from .tokens import Kind, Token
from .words import word_set

__all__ = ["CITATIONS", "CONVENTIONS", "STRUCTURE", "STRUCTURE_DECIMAL", "Rule", "first_match"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A reading of a number from its surroundings: `before` ends at it, `after` starts behind it."""

    id: str
    verdict: Verdict
    reason: str
    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    when: Callable[[Token], bool] | None = None
    near: re.Pattern[str] | None = None  # anywhere within 70 characters on the same line
    weak: bool = False  # used only when no computed number fits
    wide: bool = True  # `before` looks further back than a couple of words
    tail: tuple[str, ...] = ()  # what the text before must end with (lower case, spaces off), tried first


def _b(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern})$", flags)


def _a(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def _integer(t: Token) -> bool:
    return t.integer and not t.percent and not t.signed and t.kind in {Kind.FIGURE, Kind.WORD}


def _small(t: Token) -> bool:
    return _integer(t) and 0 <= t.value <= 100


def _is_year(t: Token) -> bool:
    return _integer(t) and 1500 <= t.value <= 2100 and len(t.text) == 4 and t.text.isdigit()


def _one(t: Token) -> bool:
    return t.kind == Kind.WORD and t.value == 1


def _in(*values: float) -> Callable[[Token], bool]:
    wanted = frozenset(values)
    return lambda t: any(abs(t.value - v) < 1e-12 for v in wanted)


def _figure_in(*values: float) -> Callable[[Token], bool]:
    wanted = frozenset(values)
    return lambda t: t.kind == Kind.FIGURE and t.value in wanted


def _power_of_ten(t: Token) -> bool:
    return t.integer and t.value in {10, 100, 1000, 10_000, 100_000, 1_000_000}


_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|"
    r"Nov(?:ember)?|Dec(?:ember)?|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|"
    r"Januar|Februar|März|Juni|Juli|Oktober|Dezember)\.?"
)
_TIME = r"(?:years?|yrs?|months?|mo|weeks?|wks?|days?|hours?|hrs?|h|minutes?|min|seconds?|ans?|mois|semaines?|jours?|Jahren?|Monaten?|Wochen?|Tagen?|decades?|quarters?|waves?|time ?points?|visits?)"
_NAMED = (
    r"(?:steps?|tables?|figures?|figs?\.?|sections?|sec\.|§|study|studies|experiments?|models?|equations?|eqs?\.?|eqn\.|chapters?|"
    r"appendix|parts?|questions?|items?|hypothes[ie]s|phase|stage|grade|level|type|wave|round|panel|scenario|case|"
    r"option|method|rule|point|note|example|task|box|day|week|month|year|session|trial|arm|group|cluster|component|factor|"
    r"condition|cohort|quarter|class|category|rating|lag|order|rank|no\.|number|nr\.|№|#|étape|tableau|figure|étude|modèle|"
    r"schritt|tabelle|abbildung|studie|modell|teil|jour|tag|PC|drug|treatment|dose|site|set|dataset|cell|row|column|line|"
    r"version|v\.|release|block|batch|subject|participant|patient|plate|run|fold|bin|node|state|degree|tier|zone|block|dimension)"
)
_ADJECTIVE = (
    r"(?:sided|tailed|way|samples?|arm(?:ed)?|group|factor|stage|level|step|dimensional|parameter|fold(?=[ -](?:cross|CV|valid|split|resampl))|point|item|proportion|"
    r"phase|variable|predictor|by|tail|stichproben|seitig\w*|fach\w*|faktoriell\w*|component|piece|part|line|liner|sentence|"
    r"star|digit|decimal|hour|minute|day|week|month|year|yr|wk|mo|term|wave|category|class|state|cell|unit|man|person|"
    r"page|paragraph|wide|long|old|off|time|to|in|sigma|SD|factors|way)"
)

# "Fell by 7 minutes" is an amount, "by 7 minutes" a moment.
_NO_CHANGE = "".join(
    rf"(?<!{verb}[ ])"
    for verb in sorted(
        word_set(
            "reduced increased decreased shortened lengthened dropped declined lowered raised delayed extended fell rose "
            "grew cut drop fall rise longer shorter faster slower later earlier"
        )
    )
)

S, C, X = Verdict.STRUCTURAL, Verdict.CONVENTION, Verdict.CITATION

# A ratio that is expected or tested, not one that was found: "the 9:3:3:1 ratio", "close to 9:3:3:1".
_TO_RATIO = r"(?:(?<![^\W_])(?:the|to|from|against|expected|theoretical|hypothesi[sz]ed|an?)[ ]|\()"

STRUCTURE: tuple[Rule, ...] = (
    Rule("calendar", S, "the calendar", _b(r"(?<![^\W_])(?:the|all|all the|its|these)[ ]"), _a(r"[ ](?:(?:calendar[ ])?months|days|hours|weeks|quarters|minutes|seconds)[ ](?:of|in)[ ](?:the[ ](?:year|week|day|hour|minute)|an?[ ](?:year|week|day|hour|minute)|(?:1[89]|20)\d\d)"), _in(4, 7, 12, 24, 52, 60, 365)),
    Rule("list-mark", S, "a list number", _b(r"(?:^|\n)[ >]*(?:[-+•#]+[ ]*)*[ ]*[(\[]?"), _a(r"[.)\]:][)]?(?:[ ]|$|\n)"), _small, wide=False),
    Rule("keycap", S, "a list number", None, _a("\ufe0f?\u20e3"), _small),
    Rule("inline-list", S, "a list number", _b(r"(?:^|[\s;:,.])\("), _a(r"\)[ ](?=[A-Za-z])"), lambda t: _integer(t) and t.value <= 9, wide=False),
    Rule("heading", S, "a section number", _b(r"(?:^|\n)[ ]*#+[ ]*"), None, lambda t: t.value < 100 and not t.percent, wide=False),
    Rule("of-steps", S, "a step number", _b(rf"{_NAMED}[ ]\d+[ ](?:of|out of|/|von|sur)[ ]", re.IGNORECASE), None, _small, wide=False, tail=("of", "/", "von", "sur")),
    Rule("step-of", S, "a step number", _b(r"(?<![^\W_])(?:steps?|parts?|phases?|questions?|sections?|pages?|étape|schritt|teil)[ ]"), _a(r"[ ](?:of|/|von|sur)[ ]\d"), _small, wide=False),
    Rule("named", S, "the number of a named item", _b(rf"(?<![^\W_]){_NAMED}[ ]?(?:#|no\.?[ ])?"), _a(r"(?![ ]?%)(?!\w)(?![ ](?:of|out of|in|/)[ ](?:the[ ])?\d+(?![\d.,]*\d))"), _small, wide=False),
    Rule("named-and", S, "the number of a named item", _b(rf"(?<![^\W_]){_NAMED}[ ]\d+(?:,[ ]\d+)*,?[ ](?:and|or|to|vs\.?|–|-|&|und|et|ou|oder)[ ]"), _a(r"(?![ ]?%)(?!\w)"), _small, wide=False, tail=("and", "or", "to", "vs", "vs.", "–", "-", "&", "und", "et", "ou", "oder")),
    Rule("figure-range", S, "the number of a named item", _b(rf"(?<![^\W_]){_NAMED}[ ]\d+[-–]"), None, _small, wide=False, tail=("-", "–")),
    Rule("dotted-section", S, "a section number", _b(r"(?:^|\n)[ ]*(?:#+[ ]*)?\d+\.\d*"), _a(r"[ .]"), _small, wide=False),
    Rule("compound", S, "part of a word: the count names a kind of test or design", None, _a(rf"[- ‐‑]{_ADJECTIVE}(?![^\W_])", re.IGNORECASE), lambda t: t.kind == Kind.WORD and t.value <= 12 and not t.percent),
    Rule("compound-figure", S, "part of a word", None, _a(rf"[-‐‑]{_ADJECTIVE}(?![^\W_])"), lambda t: _integer(t) and t.value < 400),
    Rule("by-design", S, "the size of a design", None, _a(r"[ ]?[×x][ ]?\d(?!\d|[ ]?\^)"), lambda t: _integer(t) and t.value <= 12),
    Rule("by-design-2", S, "the size of a design", _b(r"(?<![\d.,])\d{1,2}[ ]?[×x][ ]?"), _a(r"(?![ ]?[\d=])"), lambda t: _integer(t) and t.value <= 12, wide=False),
    Rule("first-few", S, "refers back to things just named", _b(r"(?<![^\W_])(?:first|last|top|next|other|remaining)[ ]"), _a(r"(?![ ]?(?:%|percent|per cent))"), lambda t: t.kind == Kind.WORD and 2 <= t.value <= 5, wide=False),
    Rule("scenario", S, "an imagined case", _b(r"(?<![^\W_])(?:picture|imagine|suppose|consider|take|say|assume|if)[ ](?:that[ ])?(?:you (?:took|had|have)[ ])?"), _a(r"[ ][A-Za-z]"), lambda t: _integer(t) and t.value in {2, 3, 4, 5, 10, 20, 50, 100, 1000}, wide=False),
    Rule("indexed-name", S, "the index of a named measure", _b(r"(?<![^\W_])(?:[A-Z]{2,}|[A-Z][a-z]+)\((?:\d,[ ]?){0,2}", 0), _a(r"(?:,[ ]?\w){0,2}\)"), lambda t: _integer(t) and t.value <= 30, wide=False),
    Rule("model-order", S, "the order of a model", _b(r"(?<![^\W_])[A-Z]{2,}X?[ ]?\(\d,[ ]?\d,[ ]?\d\)[ ]?[×x]?[ ]?\((?:\d,[ ]?){0,2}", 0), _a(r"(?:,[ ]?\d){0,2}\)"), lambda t: _integer(t) and t.value <= 30),
    Rule("base", S, "the base of a power", None, _a(r"\^[ ]?[{(]?[-−]?\d+\.\d"), lambda t: _integer(t) and t.value in {2, 10}, wide=False),
    Rule("to-one", S, "the other side of a ratio", _b(r"\d[ ]?:[ ]?"), _a(r"(?![\d.,:]*\d)"), lambda t: _integer(t) and t.value == 1, wide=False),
    Rule("quarter-rate", S, "a unit of time", _b(r"(?:\d[ ]?%?|points?|units?)[ ](?:[^\W\d_]+[ ])?|(?<![^\W_])(?:worst|best|first|last|next|same|each|per|every|this|that|which|any|final|single|previous|following|one)[ ]"), _a(r"(?![ ](?:of|as|more|less|larger|higher|lower)(?![^\W_]))"), lambda t: t.kind == Kind.FRACTION and t.text.casefold() in {"quarter", "a quarter", "quarters"}),
    Rule("case-symbol", S, "a case the sentence asks about", _b(r"(?<![^\W_])(?:for|für|at|when|wenn|if|pour|bei|case)[ ](?![nN])[a-zA-Z][ ]?[≤=<≥>][ ]?"), _a(r"(?![\d.,]*\d)"), lambda t: _integer(t) and t.value <= 30, wide=False),
    Rule("scenario-share", S, "an imagined case", _b(r"(?<![^\W_])(?:if|suppose|assuming|imagine|were|wenn|falls|si)[ ](?:only |about |just |that |say,? )?"), None, lambda t: t.kind == Kind.FRACTION or (t.percent and t.value % 5 == 0), wide=False),
    Rule("of-ten", S, "a unit of reporting", _b(r"(?<![^\W_])(?:of|out of|in|among)[ ](?:every[ ]|each[ ])?"), _a(r"[^.;\n]{0,40}?(?<![^\W_])(?:about|some|roughly|around|only|nearly|almost|it['’]s)[ ](?:one|two|three|four|five|six|seven|eight|nine|\d)(?![^\W_])"), lambda t: t.kind == Kind.WORD and t.value in {10, 20, 100, 1000}),
    Rule("null-beyond", C, "the value under the null hypothesis", _b(r"signific\w*[^.;\d]{0,20}(?:beyond|from|than|below|above|under|over|different from)[ ]"), _a(r"(?![\d.,]*\d)"), lambda t: t.kind == Kind.FIGURE and abs(t.value) == 1 and t.integer),
    Rule("time-unit", S, "a unit of time", None, None, lambda t: t.kind == Kind.FRACTION and t.text.casefold() in {"quarters", "seconds"}),
    Rule("nth-order", S, "an ordinal", None, _a(r"[-‐‑][^\W\d_]"), lambda t: t.kind == Kind.FRACTION and t.text.casefold() in {"third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}),
    Rule("scenario-multiple", S, "an imagined step", None, _a(r"[^.;\n]{1,60}?(?<![^\W_])(?:means?|makes?|gives?|multipl\w+|raises?|increases?|adds?|leads?|corresponds?|brings?|lowers?|reduces?)(?![^\W_])"), lambda t: t.kind == Kind.MULTIPLE and (t.text.casefold().endswith("ing") or t.text.casefold() == "tenfold")),
    Rule("per-step", S, "a step of the variable", _b(r"(?<![^\W_])(?:per|each|every|chaque|tranche de|je|pro|par|additional|extra|further)[ ]"), None, lambda t: t.percent and t.value in {1, 5, 10, 20, 25, 50, 100}, wide=False),
    Rule("sd-step", S, "a case the sentence asks about", _b(r"(?<![^\W_])(?:at|low|high|mean|above|below|\(|for|and|von|bei)?[ ]?\(?"), _a(r"[ ]?(?:SDs?|σ|standard deviations?|Standardabweichung\w*|écarts?-types?)(?![^\W_])(?![ ]?[=:]?[ ]?\d)"), lambda t: t.integer and abs(t.value) in {1, 2, 3} and t.signed, wide=False),
    Rule("open-class", S, "a class of values", None, _a(r"\+(?![\d.])"), lambda t: _integer(t) and 5 <= t.value <= 120),
    Rule("moment-and", S, "a point in time the sentence asks about", _b(r"(?<![^\W_])(?:at|after|by|within|nach|bei|à|après)[ ](?:\d+(?:,|[ ](?:and|or|und|et))[ ])*"), _a(rf"(?:(?:,|[ ](?:and|or|und|et))[ ]\d+)*[ -]{_TIME}(?![^\W_])|[ ](?:and|,)[ ][^.;\n]{{0,24}}?(?<![^\W_])(?:at|after)[ ]\d+[ -]{_TIME}"), _small, wide=True),
    Rule("function-argument", S, "a case the sentence asks about", _b(r"(?<![^\W_])(?![tFrzQHWU]\()[A-Za-z]\(", 0), _a(r"[ ]?[A-Za-z]{0,6}\)[ ]?[=≈]"), lambda t: _integer(t), wide=False),
    Rule("last-digits", S, "an uncertainty in the last digits", _b(r"\d\.\d+\("), _a(r"\)"), lambda t: _integer(t) and t.value < 100, wide=False),
    Rule("half-symbol", S, "part of a symbol", _b(r"[A-Za-zτ]"), None, lambda t: t.text == "½", wide=False),
    Rule("multiplier", S, "a factor of a formula", _b(r"(?:=|[+−–*×·(])[ ]?"), _a(r"[ ]?(?:\([ ]?[-−]?[.\d]|·[ ]?[A-Za-z])"), lambda t: _integer(t) and t.value in {2, 3, 4, 100}, wide=False),
    Rule("doubling-time", S, "names a measure", None, _a(r"[ -](?:time|times|rate|period|dose|dilution)(?![^\W_])"), lambda t: t.kind == Kind.MULTIPLE),
    Rule("to-double", S, "names a measure", _b(r"(?:minutes?|hours?|days?|years?|weeks?|months?|seconds?|h|min)[ ]to[ ]"), None, lambda t: t.kind == Kind.MULTIPLE),
    Rule("some-more", S, "an imagined step", None, _a(r"[ ](?:more|extra|additional|further)[ ][^\W\d_]+"), lambda t: t.kind == Kind.WORD and t.value in {10, 20, 100, 1000}),
    Rule("half-reached", S, "half of a limit, by the meaning of the parameter", None, _a(r"[ ]of (?:it|the [^\W\d_]+|this|that)[ ](?:is|was)[ ]reached"), lambda t: t.kind == Kind.FRACTION and t.value == 0.5),
    Rule("even-odds", S, "an idiom", _b(r"(?:50[ ]?[:/–-][ ]?)?"), _a(r"(?:[ ]?[:/–-][ ]?50)?(?![\d.,]*\d)(?=[ -](?:chance|odds|temperature|dose|point|split|bet|level|mark|draw|toss))|[ ]?:[ ]?50(?!\d)"), lambda t: _integer(t) and t.value == 50, wide=False),
    Rule("decade", S, "a decade", None, _a(r"['’]?s(?![^\W_])"), lambda t: _is_year(t) and t.value % 10 == 0),
    Rule("older", S, "an imagined step", None, _a(rf"[ -](?:{_TIME})[ ](?:older|younger|earlier|later)(?![^\W_])"), lambda t: _integer(t) and t.value in {1, 2, 5, 10, 20}, weak=True),
    Rule("one", S, "the word is a pronoun or article here", None, _a(r"(?![ ](?:percent|per cent|in|out of)\b)"), lambda t: _one(t) and not t.percent),
    Rule("moment", S, "a point in time the sentence asks about", _b(rf"(?<![^\W_])(?:at|{_NO_CHANGE}by|after|within|beyond|until|past|before|à|nach|bei|every|each|per|over|first|last|next|past)[ ](?:the[ ])?(?:the[ ])?"), _a(rf"[ -]{_TIME}(?![^\W_])(?![ -]+(?:longer|more|less|shorter|later|earlier))"), lambda t: _integer(t) and t.value < 2000, wide=False),
    Rule("moment-gloss", S, "a point in time the sentence asks about", _b(rf"(?:at|by|after)[ ]\w+[ -]{_TIME}[ ]\("), _a(rf"[ ]{_TIME}\)"), _integer, wide=False),
    Rule("age-of", S, "a label of the item", _b(r"(?<![^\W_])(?:age[d]?|lag|order|day|week|month|year)[ ]"), None, _small, wide=False),
    Rule("percentile", S, "names a quantile", None, _a(r"[ -]?(?:th|st|nd|rd)?[ -](?:percentiles?|quantiles?|centiles?|deciles?|quartiles?)"), None),
    Rule("percentile-list", S, "names a quantile", None, _a(r"(?:th|st|nd|rd)?(?:%)?,?[ ](?:and|or|to|und|et)[ ](?:the[ ])?\d+(?:th|st|nd|rd|%)?[ -](?:percentiles?|quantiles?)"), None),
    Rule("quantile-symbol", S, "names a quantile", _b(r"(?<![^\W_])[pPqQτ][ ]?=?[ ]?", 0), _a(r"(?![.\d])"), lambda t: t.identifier and t.value <= 100, wide=False),
    Rule("ordinal", S, "an ordinal", None, None, lambda t: t.kind == Kind.ORDINAL),
    Rule("script", S, "an exponent or index", None, None, lambda t: t.kind == Kind.SCRIPT),
    Rule("clock", S, "a time of day", _b(r"(?:at|until|by|from|before|after|around|um|à)[ ]"), _a(r":\d\d(?!\d)"), lambda t: _integer(t) and t.value < 24, weak=True, wide=False),
    Rule("clock-2", S, "a time of day", _b(r"(?:at|until|by|from|before|after|around|um|à)[ ]\d{1,2}:"), None, lambda t: _integer(t) and t.value < 60, weak=True, wide=False),
    Rule("date-day", S, "a calendar date", None, _a(rf"(?:st|nd|rd|th|\.)?[ ]{_MONTH}(?![^\W_])"), lambda t: _integer(t) and 1 <= t.value <= 31),
    Rule("date-day-us", S, "a calendar date", _b(rf"(?<![^\W_]){_MONTH}[ ]"), _a(r"(?:st|nd|rd|th)?(?:,|[ ]\d{4}|[.)\n]|$)"), lambda t: _integer(t) and 1 <= t.value <= 31, wide=False),
    Rule("date-year", S, "a calendar date", _b(rf"(?<![^\W_])(?:\d{{1,2}}(?:st|nd|rd|th|\.)?[ ](?:of[ ])?{_MONTH}|{_MONTH}[ ]\d{{1,2}}(?:st|nd|rd|th)?,?)[ ]"), None, _is_year, wide=False),
    Rule("dotted-name", S, "the number of a named item", _b(r"(?<![^\W_])(?:sections?|chapters?|tables?|figures?|figs?\.?|§|appendix|eqs?\.?|equations?|schritt|abschnitt|tabelle|tableau)[ ]?"), None, lambda t: t.value < 100 and not t.percent and not t.signed, wide=False, tail=("section", "sections", "chapter", "chapters", "table", "tables", "figure", "figures", "fig", "fig.", "figs", "figs.", "§", "appendix", "eq", "eq.", "eqs", "eqs.", "equation", "equations", "schritt", "abschnitt", "tabelle", "tableau")),
    Rule("ordinal-word", S, "an ordinal", _b(r"(?<![^\W_])(?:the|its|their|this|that|every)[ ]"), _a(r"(?![ ]?of[ ])"), lambda t: t.kind == Kind.FRACTION and t.text.casefold() in {"third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}, wide=False),
    Rule("version", S, "a software version", _b(r"(?:\bversion|\bv\.?|\brelease|\bpackage|\blibrary)[ ]?"), None, None, wide=False, tail=("version", "v", "v.", "release", "package", "library")),
    Rule("version-name", S, "a software version", _b(r"(?:\b(?:in|with|using|used|uses|ran|running|under|on|and|via|by|package|library|avec|mit|sous)|\()[ ](?:[A-Za-z]+[ ])?[A-Z][\w+.]*[ ]", 0), _a(r"(?![ ]?%)(?:\.\d+)*(?=[ ,.;)]|$)"), lambda t: 0 < t.value < 30 and t.decimals in {1, 2} and not t.signed, wide=False),
    Rule("n-minus", S, "part of a formula", _b(r"(?<![^\W_])[nNkKpm][ ]?[-−–][ ]?"), None, lambda t: _integer(t) and t.value <= 3, wide=False),
    Rule("over-n", C, "a rule of thumb in n", None, _a(r"[ ]?/[ ]?\(?[nNk](?![^\W_])"), lambda t: _integer(t) and t.value <= 4),
    Rule("half-of", S, "defines a median or quartile", None, _a(r"[ ](?:(?:of|the|are|were|had|have|is|end\w*|last\w*|stay\w*)[ ][^.;]{0,60}?)?(?<![^\W_])(?:at least|at most|more than|less than|below|above|under|over|within|by|faster|longer|or (?:more|less|fewer)|still|before|after)(?![^\W_])"), lambda t: t.kind == Kind.FRACTION and t.value in {0.05, 0.1, 0.25, 0.5, 0.75, 0.9}, weak=True),
    Rule("one-in-ten", S, "defines a quantile", None, _a(r"[ ][^.;,\n]{0,60}?(?<![^\W_])(?:or (?:more|less|fewer|longer|higher|lower)|at least|at most|longer than|more than|less than|above|below)(?![^\W_])"), lambda t: t.kind == Kind.FRACTION and t.value in {0.05, 0.1, 0.2, 0.9}, weak=True),
    Rule("half-life", C, "half by definition", None, None, lambda t: t.kind == Kind.FRACTION and t.value == 0.5, re.compile(r"half-li(?:fe|ves)|median", re.IGNORECASE), weak=True),
    Rule("middle", S, "defines a range of quantiles", _b(r"(?<![^\W_])(?:middle|central|inner|bottom|upper|lower)[ ]"), None, lambda t: t.percent or t.kind == Kind.FRACTION, weak=True),
    Rule("half-definition", C, "half by definition", None, _a(r"[- ](?:(?:its|the|of)[ ])?(?:the[ ])?(?:max\w*|saturat\w*|life|lives|width|normal|Cauchy|time|speed|hour)"), lambda t: t.kind == Kind.FRACTION and t.value == 0.5),
    Rule("per-power", S, "a unit of reporting", _b(r"(?:per|out of|for every|in every|of every|pour|pro|je|auf)[ ][$€£¥]?"), None, _power_of_ten, wide=False),
    Rule("illustration", S, "a round number for illustration", _b(r"(?:to|for|of|with|among|in|imagine|suppose|if|took|say|every|each|at|sur)[ ](?:the[ ]next[ ]|another[ ]|say[ ]|a[ ])?|(?:extra|additional|another|further|next|each|every)[ ]"), _a(r"[ -](?!of[ ])[A-Za-z]"), lambda t: t.integer and t.value in {10, 100, 1000, 10_000, 100_000, 1_000_000} and t.kind == Kind.FIGURE, weak=True),
    Rule("discourse", S, "counts the points of the text itself", None, _a(r"[ ](?:(?:main|key|important|other|more|further|quick|small|big|short|practical|possible|separate|different)[ ])?(?:things?|points?|notes?|caveats?|reasons?|ways?|options?|steps?|questions?|remarks?|sentences?|words?|bullets?|takeaways?|messages?|findings?|issues?|concerns?|cautions?|warnings?|ideas?|suggestions?|comments?|lines?|paragraphs?|aspects?|sides?|ends?|halves|decimals?|decimal places|significant figures|digits|choses|points|raisons|dinge|punkte|gründe|hand|extremes|possibilities|explanations|facts|numbers|figures|statements|places)(?![^\W_])(?![ ](?:are|is|were|was|lie|fall|fell|stick|stuck|exceed)[ ]?|[ ](?:[^\W\d_]{2,}er|more|less|above|below|ahead|behind|worse)(?![^\W_]))"), lambda t: t.kind == Kind.WORD and t.value <= 12 and not t.percent),
    Rule("discourse-figure", S, "counts the text itself", None, _a(r"[ ](?:(?:main|key|important|other|more|short|simple)[ ])?(?:things?|notes?|caveats?|reasons?|ways?|options?|steps?|questions?|sentences?|words?|bullets?|takeaways?|decimals?|decimal places|significant figures|digits)(?![^\W_])"), lambda t: _integer(t) and t.value <= 12 and t.kind == Kind.FIGURE),
    Rule("anaphora", S, "refers back to things just named", _b(r"(?<![^\W_])(?:the|these|those|other|of the|none of the|between the|both|all|any|either|last|first|next|top|les|ces|die|diese|beiden?)[ ](?:other[ ])?"), _a(r"(?![ ]?(?:%|percent|per cent|of\b))"), lambda t: t.kind == Kind.WORD and 2 <= t.value <= 4, weak=True),
    Rule("pronoun", S, "a pronoun", _b(r"(?:the|these|those)[ ]"), _a(r"(?=[ ]*[.,;:)]|[ ](?:is|are|was|were|do|does|did|differ|have|has|can)\b)"), lambda t: t.kind == Kind.WORD and 2 <= t.value <= 4, weak=True),
    Rule("two-nouns", S, "counts what the sentence itself names", None, _a(r"[ ](?!times|fold)(?:[^\W\d_]+)(?![^.;\n]{0,40}?(?:exclud|outlier|missing|dropp|remov|signific|lost|discard|omit|(?<![^\W_])out(?![^\W_])|outside|beyond|above|below|%|percent|times|thirds|quarters))"), lambda t: t.kind == Kind.WORD and t.value == 2, weak=True),
    Rule("repeated", S, "says how often, not how much", _b(r"(?<![^\W_])(?!than|is|was|are|were|by|about|nearly|almost|roughly|over)[^\W\d_]+[ ]"), _a(r"[ ]*(?:[.,;)]|$)"), lambda t: t.kind == Kind.MULTIPLE and t.text.casefold() in {"twice", "thrice"}, weak=True),
    Rule("or-so", S, "an idiom", None, _a(r"[ ](?:or[ ](?:two|three|more)|hand|thing|way|another)(?![^\W_])"), lambda t: t.kind == Kind.WORD and t.value <= 2),
    Rule("zero-idiom", S, "an idiom", _b(r"(?:from|exactly|literally|never|not|truly|absolutely|to|than|of|is|be|near|towards?|toward|around|about|at|above|below|cross\w*|exclud\w*|includ\w*|contain\w*|clear\w*|on|over|span\w*|touch\w*|from zero|reach\w*|the|with|no)[ ](?:exactly[ ])?"), _a(r"(?![ -](?:%|percent|per cent))"), lambda t: t.kind == Kind.WORD and t.value == 0, wide=False),
    Rule("scale-low", S, "the end of a scale", None, _a(r"[ ]?(?:to|–|-)[ ]?\d{1,3}[ -]?(?:point)?[ ]?(?:scale|Likert|rating)"), lambda t: _integer(t) and t.value <= 100),
    Rule("scale-high", S, "the end of a scale", _b(r"\d[ ]?(?:to|–|-)[ ]?"), _a(r"[ -]?(?:point)?[ ]?(?:scale|Likert|rating)"), lambda t: t.integer and t.value <= 100, wide=False),
    Rule("proportions", S, "parts of a ratio", _b(_TO_RATIO + r"\d{1,3}[ ]?:[ ]?(?:\d{1,3}[ ]?:[ ]?)*"), _a(r"[ ]?:[ ]?\d{1,3}(?![\d.,]*\d)"), lambda t: _integer(t) and t.value <= 20, tail=(":",)),
    Rule("proportions-first", S, "parts of a ratio", _b(_TO_RATIO), _a(r"(?:[ ]?:[ ]?\d{1,3}){2,}(?![\d.,]*\d)"), lambda t: _integer(t) and t.value <= 20),
    Rule("proportions-last", S, "parts of a ratio", _b(_TO_RATIO + r"\d{1,3}(?:[ ]?:[ ]?\d{1,3})+[ ]?:[ ]?"), None, lambda t: _integer(t) and t.value <= 20, tail=(":",)),
    Rule("halves", S, "two parts of one thing", None, None, lambda t: t.kind == Kind.FRACTION and t.text.casefold() in {"two halves", "three thirds", "four quarters"}),
    Rule("ordinal-noun", S, "a place in an order", None, _a(r"[ -](?!of(?![^\W_]))[^\W\d_]{3,}"), lambda t: t.kind == Kind.FRACTION and t.text.casefold() in {"third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}),
    Rule("ordinal-pair", S, "a place in an order", _b(r"(?<![^\W_])(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)(?:,| and| or| to|, and)[ ](?:the[ ])?"), _a(r"(?![ ]of(?![^\W_]))"), lambda t: t.kind == Kind.FRACTION and t.value < 0.5),
    Rule("coding", S, "the code of a category", _b(r"(?<![^\W_])(?:cod(?:ed|es?|ing)|codiert|kodiert|codés?|dummy)[ ](?:as[ ]|with[ ]|mit[ ]|als[ ])?(?:[01][ ]?(?:and|or|/|und|et)[ ]?)?"), None, _in(0, 1, 2)),
    Rule("scale-ends", S, "the ends of a scale", _b(r"(?:scale|ranges?|rated|rating|scored?|coded|from|of|on a|Likert)[^.;\d]{0,24}(?:\d{1,3}[ ]?(?:to|–|-|and|=)[ ]?)?"), _a(r"(?:[ ]?(?:to|–|-)[ ]?\d{1,3}(?![\d.,]))?[ -]?(?:point)?[ ]?(?:scale|Likert)"), lambda t: _integer(t) and t.value <= 100),
)  # fmt: skip

_CUE = (
    r"\b(?:benchmarks?|conventions?|conventional\w*|thresholds?|cut-?offs?|rules? of thumb|rule|rules|usual\w*|accepted|decisive|guidelines?|criterion|criteria|"
    r"standard|recommend\w*|target|considered|counts? as|typical\w*|customary|common\w*|limits?|level|minimum of|labels?|Cohen|"
    r"small|medium|large|acceptable|adequate|seuil|conventions?|Schwelle|üblich\w*|Grenz\w*|alarm|warning|negligible|anything|weak|strong|moderate|substantial|flags?|boundary|bar|mark|nominal|desired|often|called|classic\w*|well-known|traditional\w*)\b"
)
CONVENTIONS: tuple[Rule, ...] = (
    Rule("expected-by-theory", C, "what theory leads one to expect", None, _a(r"(?:[ ](?:and|or)[ ][-−–]?[\d./]+)?[ ](?:that[ ]|which[ ])?(?:you|one|we|theory|geometry|physics)[ ](?:(?:would|might|should)[ ]expect|predicts?|implies|expects?)(?![^\W_])"), lambda t: _integer(t) and t.value <= 10, weak=True),
    Rule("alpha-symbol", C, "a significance level", _b(r"(?:\balpha|α)(?: level)?[ ]*(?:=|of|at|:|is|was|set at|set to|<|von|de)?[ ]*(?:the[ ])?"), None, _in(0.05, 0.01, 0.001, 0.1, 0.005, 0.025, 5, 1, 10)),
    Rule("alpha-level", C, "a significance level", _b(r"(?:at|the|auf|au|le|dem|usual|conventional|nominal|standard|below|under|of|than)[ ](?:the[ ]|a[ ])?(?:usual[ ]|conventional[ ]|nominal[ ]|standard[ ]|strict\w*[ ])?(?:p[ ]?[<=][ ]?)?"), _a(r"[ -]?(?:%[ -]?)?(?:significance[ ]|alpha[ ]|α[ -]?|error[ ]|signifikanz)?(?:level|threshold|cut-?off|mark|line|niveau|seuil|criterion|boundary|bar|standard|rate|false)", re.IGNORECASE), _in(0.05, 0.01, 0.001, 0.1, 0.005, 5, 1, 10)),
    Rule("alpha-at", C, "a significance level", _b(r"signifi\w*[ ](?:at|below|under)[ ](?:the[ ])?"), None, _in(0.05, 0.01, 0.001, 0.1, 5, 1, 10)),
    Rule("alpha-critical", C, "a significance level", None, _a(r"[ -]?(?:%[ ])?(?:critical|kritisch)"), _in(0.05, 0.01, 0.1, 5, 1, 10)),
    Rule("alpha-odds", C, "a significance level", None, None, lambda t: t.kind == Kind.FRACTION and t.value in {0.05, 0.01}, re.compile(r"convention|threshold|rule|level|standard|cut-?off|criterion|line|null|5[ ]?%|\.05", re.IGNORECASE), weak=True),
    Rule("best-worst", C, "the end of the measure's scale", None, _a(r"[ ]*(?:is|=|means?|being|for|would be|meaning|indicat\w*|as)?[ ](?:a[ ])?(?:chance|perfect\w*|no better|random|guess\w*|ideal|none|no effect|complete|best|total|coin)(?![^\W_])"), _in(0, 0.5, 1, 50, 100), weak=True),
    Rule("alpha-p", C, "a significance level", None, None, _in(0.05, 0.01, 0.001, 5, 0.1), re.compile(r"\b(?:threshold|cut-?off|conventional|significance level|level of significance|criterion|seuil|Signifikanzniveau|Niveau|alpha|α|would be (?:called|considered|significant))(?![^\W_])", re.IGNORECASE), weak=True),
    Rule("null-value", C, "the value under the null hypothesis", _b(r"(?:\bfrom|\bagainst|\bnot|\bexceeds?|\babove|\bbelow|\bcross\w*|\binclud\w*|\bexclud\w*|\bcontain\w*|\bclears?|\bcover\w*|\bspan\w*|\bstraddl\w*|\boverlap\w*|\bsides? of|\bof|\bthan|\bto|\bnull\w*(?: value)?(?: of| is)?|≠|\bincludes?|\bnear|\bis|\bequals?|\baround|\breach\w*|\btouch\w*|\bover|\bunder|\babout|\bmisses|\bmiss|\bat|\bde|\bnull|\bvon|['’]s|s['’])[ ](?:exactly[ ]|a[ ]|the[ ])?(?:value[ ](?:of[ ])?)?(?:zero[ ]or[ ])?"), _a(r"(?![\d.,]*\d)(?!\w)(?![ ]*(?:%|percent|per cent|to\b|–|-\d))"), lambda t: t.value in {0, 1} and t.decimals <= 1 and not t.percent and t.kind == Kind.FIGURE, weak=True),
    Rule("zero-word", C, "the value under the null hypothesis", None, None, lambda t: t.kind == Kind.WORD and t.value == 0, weak=True),
    Rule("z-196", C, "the normal quantile", None, _a(r"(?![ ](?:times|percent|points?|%))"), lambda t: abs(abs(t.value) - 1.96) < 1e-12 or abs(abs(t.value) - 1.645) < 1e-12, re.compile(r"×|±|critical|normal|SEs?\b|standard errors?|(?<![^\W_])z\b|limits|quantile|SDs?\b|standard deviations?", re.IGNORECASE), weak=True),
    Rule("benchmark-size", C, "a customary benchmark", None, _a(r"[ ]*[),]?[ ]*(?:\(?[ ]*=?[ ]*)?(?:is|as|for|counts as|=|would be|being)?[ ]*(?:a[ ])?[“\"'‘]?(?:small|medium|large|very large|moderate|weak|strong|trivial|negligible|huge|klein|mittel|groß|petit|moyen|grand)(?![^\W_])"), _in(0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 0.01, 0.06, 0.14, 0.02, 0.13, 0.26, 0.15, 0.35, 0.25, 0.4, 0.09, 0.6, 0.7), None, weak=True),
    Rule("benchmark-size-2", C, "a customary benchmark", _b(r"(?:small|medium|large|moderate|weak|strong|negligible|trivial|klein|mittel|groß|petit|moyen|grand)[”\"'’]?[ ]*(?:[(:=≥>~≈]|at|is|from|of|about|around|effect)?[ ]*(?:[(:=≥>~≈]|d|r|η²)?[ ]*(?:[=≥>≈])?[ ]*"), None, _in(0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 0.01, 0.06, 0.14, 0.02, 0.13, 0.26, 0.15, 0.35, 0.25, 0.4, 0.6, 0.7), weak=True),
    Rule("threshold", C, "a customary threshold", _b(r"(?:^|(?:of|is|are|=|at|above|below|over|under|exceeds?|exceeded|than|to|the|:|>|<|≥|≤|\w*usual|customary|±|/|about|around|near|beyond|within|is|as|\(|a|by|von|de|cut-?offs?|threshold|benchmarks?|rule|reach\w*|and|or)[ ]*|[/(±≥≤<>=,])[ ]?"), None, _figure_in(0.01, 0.05, 0.06, 0.1, 0.14, 0.2, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1, 1.33, 1.5, 1.67, 2, 2.5, 3, 3.5, 4, 5, 7, 10, 20, 25, 30, 50, 75, 80, 90, 100, 1.2), re.compile(_CUE, re.IGNORECASE), weak=True),
    Rule("band-low", C, "a customary band", None, _a(r"[ ]?(?:to|–|-|and|bis|à)[ ]?\d?[.,]?\d+\)?[ ]*(?:counts?|is|are|as|indicat\w*|means?|denotes?|would|=|being|for|range|band)(?![^\W_])(?![ ]?(?:the|our|a[ ](?:95|90|99)))", 0), _figure_in(0, 0.2, 0.21, 0.4, 0.41, 0.5, 0.6, 0.61, 0.7, 0.75, 0.8, 0.81, 0.9, 25, 50, 75, 1, 3, 10, 30), re.compile(_CUE, re.IGNORECASE), weak=True),
    Rule("band-high", C, "a customary band", _b(r"\d[ ]?(?:to|–|-|and|bis|à)[ ]?"), None, _figure_in(0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 1, 50, 75, 3, 10, 30, 100), re.compile(r"(?:counts?|considered|conventionally|labell?ed|called|read as|indicat\w*|scale|guidelines?|benchmarks?|band|taken as|regarded)(?![^\W_])", re.IGNORECASE), weak=True),
    Rule("most-of", C, "the share an interval is made to hold", None, _a(r"[ ]?%?[ ]?of (?:the |all |all the |future |such )*(?:differences|values|observations|cases|measurements|readings|studies|pairs)"), _in(68, 90, 95, 99, 0.95), re.compile(r"between|lie|fall|limits|within|expected|agreement", re.IGNORECASE), weak=True),
    Rule("top-share", S, "names a quantile", _b(r"(?<![^\W_])(?:top|bottom|upper|lower|richest|poorest|middle|highest|lowest|best|worst|central|inner|obere\w*|untere\w*)[ ]"), None, lambda t: t.percent and abs(t.value) in {1, 5, 10, 20, 25, 50, 75, 80, 90}, weak=True),
    Rule("named-mark", C, "a round mark", None, _a(r"[ ](?:[^\W\d_]+[ ])?(?:mark|threshold|limit|barrier|cut-?off|milestone)(?![^\W_])"), lambda t: t.integer and t.value >= 10 and t.value % 10 == 0, weak=True),
    Rule("sourced-threshold", C, "a threshold with its source", _b(r"(?:below|above|under|over|exceeds?|than|the)[ ](?:the[ ])?"), _a(r"[ ](?:of|by|from|suggested by|recommended by|proposed by)[ ][A-Z]", 0), _figure_in(0.05, 0.06, 0.08, 0.1, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 1, 1.33, 1.67, 2, 3, 5, 10), weak=True),
    Rule("expected-five", C, "the customary minimum of an expected count", _b(r"(?:expected|cells?|counts?|observed frequenc\w*)[^.;\d]{0,40}?(?:exceeds?|above|at least|greater than|more than|over|≥|>|below|under|less than|<|fewer than)[ ]?"), None, _in(5, 1, 10), weak=True),
    Rule("exceed-rule", C, "a customary threshold", _b(r"(?:VIFs?|inflation\w*(?:[ ]\w+)?|eigenvalues?|Cook\w*(?:['’]s)?(?:[ ]\w+)?|leverage|Durbin\w*|dispersion|kurtosis|skewness|residuals?|condition (?:number|index)|Kaiser\w*|F)[^.;\d]{0,50}?(?:exceeds?|above|over|below|under|beyond|greater than|more than|less than|>|<|of|near|within)[ ]?(?:the[ ])?[±]?[ ]?"), None, _in(1, 2, 3, 4, 5, 10, 30, 0.5, 1.5, 100, 1000), weak=True),
    Rule("ideal-dw", C, "the value under no autocorrelation", _b(r"(?:close to|near|around|about|of|to|from|ideal\w*|value)[ ](?:the[ ](?:ideal[ ]|expected[ ])?)?"), None, _in(2, 3), re.compile(r"Durbin|autocorrel|kurtosis|normal", re.IGNORECASE), weak=True),
    Rule("iqr-rule", C, "the box-plot rule", None, _a(r"[ ]?(?:×|x|times)?[ ]?(?:the[ ])?(?:IQR|interquartile)"), _in(1.5, 3), weak=True),
    Rule("power-target", C, "the customary power", None, _a(r"[ ]?(?:percent[ ]|per cent[ ])?(?:power|Teststärke|puissance)?"), _in(80, 90, 0.8, 0.9), re.compile(r"\b(?:to reach|to achieve|to get|to attain|usual|conventional\w*|customary|target|standard|typical\w*|aim\w*|desired|recommended|üblich\w*|habituel\w*)\b", re.IGNORECASE), weak=True),
    Rule("full", C, "the whole", None, _a(r"(?![\d.])"), _in(100), re.compile(r"\b(?:sum(?:s|med|ming)?|total|add\w* up|all|cannot exceed|at most|maximum|certain\w*|whole|confiden\w*|sure)\b", re.IGNORECASE), weak=True),
)  # fmt: skip

_NAME = r"[A-ZÀ-Þ][\w’'\-]*[a-zà-ÿ][\w’'\-]*"
CITATIONS: tuple[Rule, ...] = (
    Rule("author-year", X, "a citation, not checked", _b(rf"(?<![^\W_])(?!{_MONTH}[ ])(?!In[ ]|Since[ ]|From[ ]|Until[ ]|After[ ]|Before[ ]|By[ ]|During[ ])(?!{_MONTH}\d){_NAME}(?:['’]s)?(?:,?[ ](?:and|&|et|und)[ ]{_NAME})*(?:[ ]et[ ]al\.?)?,?[ ]*[(\[]?,?[ ]*", 0), _a(r"[a-z]?(?!\w)(?![ ]?%)"), _is_year),
    Rule("author-years", X, "a citation, not checked", _b(r"\b(?:1[5-9]|20)\d\d[a-z]?[;,][ ]*", 0), None, _is_year, weak=True),
    Rule("bracket-year", X, "a citation, not checked", _b(r"\([^()\n]{0,80}[;,][ ]*", 0), _a(r"[a-z]?[,;)]"), _is_year),
    Rule("paren-year", X, "a citation, not checked", _b(r"\([ ]*"), _a(r"[a-z]?\)"), _is_year),
    Rule("pages", X, "part of a citation", _b(r"\bpp?\.[ ]?(?:\d+[ ]?[–-][ ]?)?"), None, _integer),
    Rule("volume-pages", X, "part of a citation", _b(r"(?<![^\W_])\d{1,4}(?:\(\d+\))?:(?:\d+[–-])?"), _a(r"(?:[–-]\d+)?(?:[.,;)]|$)"), _integer, re.compile(r"\b(?:1[89]|20)\d\d\b")),
    Rule("volume", X, "part of a citation", None, _a(r"[ ]?\(\d{1,3}\)[,:]"), _integer),
    Rule("issue", X, "part of a citation", _b(r"\b\d{1,4}[ ]?\("), _a(r"\)[,:]"), _integer),
    Rule("pages-2", X, "part of a citation", _b(r"\b\d{1,4}[ ]?\(\d{1,3}\)[,:][ ]?(?:\w?\d+[ ]?[–-][ ]?)?"), None, _integer),
    Rule("pages-3", X, "part of a citation", _b(r"(?:\*|\b[A-Z]\w+),?[ ]\d{1,4},[ ](?:\d+[ ]?[–-][ ]?)?", 0), _a(r"[–-]\d|[.)]"), _integer, re.compile(r"\b(?:1[89]|20)\d\d\b|Journal|doi", re.IGNORECASE)),
    Rule("volume-2", X, "part of a citation", _b(r"(?:Journal|Review|Annals|Biometrika|Science|Nature|Lancet|Statistic\w*|Transactions|Proceedings|Bulletin|Letters|Research|Psychology|Medicine|Biology|Society)[^.;\n]{0,40},?[ ]", 0), _a(r",[ ]\d|\("), _integer),
    Rule("doi", X, "part of a citation", _b(r"(?:doi|https?|arXiv|ISBN|PMID)\S*[ ]?\S*"), None, None),
    Rule("follow-up", X, "the design of the study, not checked", _b(r"(?:followed|observed|tracked|monitored|watched|studied)(?:[ ]up)?[ ]for[ ]"), _a(rf"[ -]{_TIME}"), _integer, weak=True),
    Rule("history", X, "a historical date, not checked", _b(r"\b(?:begun|began|finished|built|completed|opened|introduced|proposed|published|founded|described|invented|developed|established|written|collected|erected|constructed|released|adopted|enacted|classic|original\w*|publié\w*|veröffentlicht|collected|recorded|dates? (?:back )?(?:to|from)|data (?:are |is )?from)[ ](?:[\w’']+[ ]){0,3}?(?:in|on|by|from|of|en|im|the)?[ ]*(?:the[ ])?"), None, _is_year, weak=True),
)  # fmt: skip


def _takes_decimals(rule: Rule) -> bool:
    """Whether a rule can read any figure with decimals, found by trying a spread of them."""
    if rule.when is None:
        return True
    probes = [
        Token(0, 4, "0.00", v, Kind.FIGURE, step=0.005, decimals=d, percent=p)
        for v in (0.0, 0.03, 0.05, 0.5, 0.9, 1.0, 1.5, 2.3, 3.11, 9.7, 12.34, 57.3, 1234.5)
        for d in (1, 2, 3)
        for p in (False, True)
    ]
    probes += [Token(0, 4, "0.00", v, Kind.FIGURE, decimals=2, identifier=True) for v in (0.5, 12.5)]
    return any(rule.when(t) for t in probes)


STRUCTURE_DECIMAL: tuple[Rule, ...] = tuple(rule for rule in STRUCTURE if _takes_decimals(rule))


def first_match(
    rules: tuple[Rule, ...], token: Token, text: str, line: tuple[int, int], *, weak: bool
) -> Rule | None:
    """The first rule that reads this number; `weak` rules only when asked for."""
    start, end = token.start, token.end
    left = text[max(0, start - 90) : start]
    near_left = left[-26:]
    tip = near_left.rstrip(" ").casefold()
    right = text[end : end + 90]
    for rule in rules:
        if rule.weak and not weak:
            continue
        if rule.when is not None and not rule.when(token):
            continue
        if rule.tail and not tip.endswith(rule.tail):
            continue
        if rule.after is not None and not rule.after.match(right):
            continue
        if rule.before is not None and not rule.before.search(left if rule.wide else near_left):
            continue
        if rule.near is not None:
            window = text[max(line[0], start - 80) : min(line[1], end + 70)]
            if not rule.near.search(window):
                continue
        return rule
    return None
