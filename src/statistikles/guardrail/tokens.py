"""Finding every numeric expression of a prose with its span, value and the precision its author wrote."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from .words import (
    FOREIGN,
    FRACTION_WORDS,
    MULTIPLE_WORDS,
    NUMBER_STARTS,
    WORD_NUMBER,
    cardinal_value,
    nth_value,
)

__all__ = ["Kind", "Token", "clean_text", "tokenise", "uses_decimal_comma"]

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_VULGAR = {"½": 0.5, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 0.25, "¾": 0.75, "⅕": 0.2, "⅖": 0.4, "⅗": 0.6, "⅘": 0.8, "⅛": 0.125,
           "⅜": 0.375, "⅝": 0.625, "⅞": 0.875, "⅙": 1 / 6, "⅚": 5 / 6, "⅒": 0.1}  # fmt: skip
_TEN_EXP = r"(?:\^[ ]?(?:[{(][ ]?[-+−–]?\d{1,4}[ ]?[})]|[-+−–]?\d{1,4})|[⁻⁺]?[⁰¹²³⁴-⁹]+)"
_EXP = rf"(?:[eE][-+−]?\d{{1,4}}(?![\w])|[ ]{{0,8}}[×x*·⋅][ ]{{0,2}}10{_TEN_EXP})"
_PERCENT = r"(?:[ \u00a0\u202f-]?[ ]?(?:%|％|٪)|[ \u00a0-](?:percent|per[ ]cent|pct|Prozent|pour[ ]cent)\b(?![ -](?:point|age)))"
_POINTS = r"(?:[ \u00a0-](?:percentage[ -]points?|percent[ ]points?|pp\b|pts?\b|Prozentpunkte?n?|points?[ ]de[ ]pourcentage))"

# Two grammars, one pass each: figures with decimal points and figures with decimal commas.
_POINT_BODY = (
    r"\d{1,3}(?:(?:,|\{,\})\d{3})+(?![\d])(?:\.\d+)?|\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?!\d)(?:\.\d+)?"
    r"|\d{1,3}(?:['’]\d{3})+(?!\d)(?:\.\d+)?|\d+\.\d+|\.\d+|\d+·\d+(?!\d)|\d+"
)
_COMMA_BODY = (
    r"\d{1,3}(?:\.\d{3})+(?!\d)(?:,\d+)?|\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?!\d)(?:,\d+)?"
    r"|\d{1,3}(?:['’]\d{3})+(?!\d)(?:,\d+)?|\d+,\d+|\d+\.\d+|\.\d+|,\d+|\d+"
)


def _grammar(body: str) -> re.Pattern[str]:
    return re.compile(
        r"(?P<sign>(?<![\w\d)\]%.])[-−–+±](?=[.,]?\d))?"
        rf"(?:(?P<power>(?<![\d.,])10(?P<pexp>{_TEN_EXP})(?!\.\d|\d))"
        rf"|(?P<body>{body})(?P<exp>{_EXP})?)"
        rf"(?P<unit>{_POINTS}|{_PERCENT})?"
        r"|(?P<vulgar>[½⅓⅔¼¾⅕⅖⅗⅘⅛⅜⅝⅞⅙⅚⅒])"
        r"|(?P<script>[⁻⁺]?[⁰¹²³⁴-⁹₀-₉]+|[①-⒛⓪-⓿❶-➓]+)"
    )


_POINT, _COMMA = _grammar(_POINT_BODY), _grammar(_COMMA_BODY)
_STARTER = re.compile(r"[^\W\d_]+|[1-9](?=[ -](?:in|out of)[ -])")
_THOUSANDS = re.compile(r"k(?!\w)")  # 48.5k
_DF_PAIR = re.compile(r"(?<![^\W_])(?:[^\W\d_]{1,2}[\w²^]?|[^\W\d_]+[²2^]\w*)[ ]?\($|[^\W\d_]\($")
_ONE_DF = re.compile(r"(?<![^\W_])(?:t|r|z|χ²|χ2|χ\^2|chi2)[ ]?\($")
_SCALE_WORD = re.compile(
    r"[ ](thousand|million|billion|bn|Mio\.?|Mrd\.?|Millionen|Tausend|milliers?|millions?|milliards?)(?![^\W_])"
)
_SCALE_OF = {"tho": 1e3, "mil": 1e6, "bil": 1e9, "bn": 1e9, "mio": 1e6, "mrd": 1e9, "tau": 1e3}
_POINT_WORDS = re.compile(
    r"[ ]point[ ]((?:zero|one|two|three|four|five|six|seven|eight|nine)(?:[ ](?:zero|one|two|three|four|five|six|seven|eight|nine))*)(?!\w)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:st|nd|rd|th|e|er|ère|ème|ᵉ)(?![\w])")


class Kind:
    """How a numeric expression is written."""

    FIGURE = "figure"
    WORD = "word"
    FRACTION = "fraction"
    MULTIPLE = "multiple"
    ORDINAL = "ordinal"
    SCRIPT = "script"


@dataclass(slots=True)
class Token:
    """One numeric expression. `low` and `high` bound what the written figure can stand for."""

    start: int
    end: int
    text: str
    value: float
    kind: str
    step: float = 0.0  # half a unit of the last written digit
    decimals: int = 0
    percent: bool = False
    points: bool = False
    signed: bool = False
    scientific: bool = False
    integer: bool = False
    identifier: bool = False  # digits that belong to a name: CO2, miR-137
    factor: float = 1.0  # a word behind multiplies it: 10.4 million
    body: str = field(default="")

    @property
    def low(self) -> float:
        return self.value - self.step

    @property
    def high(self) -> float:
        return self.value + self.step


_MARKUP = re.compile(
    r"\\(?:chi|eta|alpha|beta|tau|rho|kappa|omega|lambda|epsilon|mu|sigma|Delta|pm|times|cdot|approx|leq?|geq?|ll)\b"
)
_LATEX = {
    "\\chi": "χ", "\\eta": "η", "\\alpha": "α", "\\beta": "β", "\\tau": "τ", "\\rho": "ρ", "\\kappa": "κ",
    "\\omega": "ω", "\\lambda": "λ", "\\epsilon": "ε", "\\mu": "μ", "\\sigma": "σ", "\\Delta": "Δ", "\\pm": "±",
    "\\times": "×", "\\cdot": "·", "\\approx": "≈", "\\le": "≤", "\\leq": "≤", "\\ge": "≥", "\\geq": "≥", "\\ll": "≪",
}  # fmt: skip
_STARS = re.compile(r"\*(?![ ]?10\^)")
# Hyphens that stand for a minus, and tags that only dress a figure up.
_HYPHEN_MINUS = re.compile(r"(?<![\w)\]%.])[‐‑](?=[ ]?[.,]?\d)")
_TAG = re.compile(
    r"</?(?:b|i|u|em|strong|span|code|td|th|tr|p|li|br|div|small|mark)(?:[ ][^<>\n]{0,60})?[ ]?/?>",
    re.IGNORECASE,
)
_BLANKS = str.maketrans(
    {
        "`": " ",
        "$": " ",
        "\\": " ",
        "€": " ",
        "£": " ",
        "~": "≈",
        "\u00a0": " ",
        "\u202f": " ",
        "\t": " ",
        "\u2009": " ",
        "\uff0d": "−",
        "\ufe63": "−",
        "\u2012": "−",
        "\u2796": "−",
    }
)


def clean_text(text: str) -> str:
    """The prose without its markup, of the same length, so that every offset still holds."""
    if "\\" in text:
        text = _MARKUP.sub(lambda m: _LATEX[m.group()].rjust(len(m.group())), text)
        text = text.replace("_{", "_ ") if "{" in text else text
    if "*" in text:
        text = _STARS.sub(" ", text)
    if "<" in text:
        text = _TAG.sub(lambda m: " " * len(m.group()), text)
    if "‑" in text or "‐" in text:
        text = _HYPHEN_MINUS.sub("−", text)
    return text.translate(_BLANKS)


_POINT_DECIMAL = re.compile(r"(?<![\w.])\d*\.\d+(?![\d.])")
_SURE_COMMA = re.compile(
    r"(?<![\d.,(\[])(?:0,\d+|\d+,\d{1,2}(?!\d)|\d{4,},\d+|\d{1,3},\d{4,})(?![\d,])"
    r"|(?<![\d.,])\d+,\d{1,2}[ \u00a0\u202f]?%"
)


def uses_decimal_comma(text: str) -> bool:
    """Whether the reply writes 0,70 for 0.70: it has sure comma decimals and more of them than points."""
    commas = len(_SURE_COMMA.findall(text))
    if not commas:
        return False
    points = sum(1 for m in _POINT_DECIMAL.finditer(text) if not re.fullmatch(r"\d{1,3}\.\d{3}", m.group()))
    return commas > points


def _number(body: str, comma: bool) -> tuple[float, int]:
    """Value and decimals of a matched figure."""
    plain = body.replace(" ", "").replace("\u00a0", "").replace("\u202f", "").replace("\u2009", "")
    plain = plain.replace("'", "").replace("’", "")
    if comma:
        if "," in plain:
            plain = plain.replace(".", "").replace(",", ".")
        elif re.fullmatch(r"\d{1,3}(?:\.\d{3})+", plain) and not plain.startswith("0"):
            plain = plain.replace(".", "")
    else:
        plain = plain.replace(",", "").replace("·", ".").replace("{", "").replace("}", "")
    if not plain.isascii():
        plain = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in plain)
    _, _, tail = plain.partition(".")
    try:
        return float(plain), len(tail)
    except (ValueError, OverflowError):
        return float("nan"), len(tail)


def _digits(text: str) -> str:
    return (
        text if text.isascii() else "".join(str(unicodedata.digit(c)) if c.isdecimal() else c for c in text)
    )


def _exponent(raw: str) -> int:
    plain = re.sub(r"[\^{}() ]", "", raw.translate(_SUPERSCRIPT)).replace("−", "-").replace("–", "-")
    return int(_digits(plain))


def _figure(match: re.Match[str], text: str, comma: bool) -> Token:
    start, end = match.span()
    while text[start] == " ":
        start += 1
    sign = match["sign"] or ""
    negative = sign in {"-", "−", "–"} and sign != ""
    exponent = 0
    if match["power"]:
        value, decimals, scientific = 1.0, 0, True
        exponent = _exponent(match["pexp"])
    else:
        value, decimals = _number(match["body"], comma)
        scientific = match["exp"] is not None
        if scientific:
            tail = match["exp"]
            exponent = _exponent(tail[1:] if tail[0] in "eE" else tail[tail.index("10") + 2 :])
    # Through the decimal text, so that 1.02e-15 is the double nearest to it.
    scaled = (
        float(f"{value!r}e{exponent}") if exponent and value == value and "e" not in repr(value) else value
    )
    step = 0.5 * 10.0 ** max(min(exponent - decimals, 300), -320)
    unit = match["unit"] or ""
    points = (
        bool(unit)
        and "%" not in unit
        and ("point" in unit.lower() or "punkt" in unit.lower() or "pp" in unit or "pt" in unit)
    )
    return Token(
        start,
        end,
        text[start:end],
        -scaled if negative else scaled,
        Kind.FIGURE,
        step=step,
        decimals=decimals,
        percent=bool(unit) and not points,
        points=points,
        signed=bool(sign) and sign != "±",
        scientific=scientific,
        integer=decimals == 0 and exponent == 0,
        body=match["body"] or match["power"],
    )


def _word(match: re.Match[str], text: str) -> Token:
    start, end = match.span()
    kind, value, step = Kind.WORD, 0.0, 0.0
    if match["in_a"]:
        kind, value = Kind.FRACTION, cardinal_value(match["in_a"]) / (cardinal_value(match["in_b"]) or 1.0)
    elif match["of_a"]:
        kind, value = Kind.FRACTION, cardinal_value(match["of_a"]) / cardinal_value(match["of_b"])
    elif match["every"]:
        kind, value = Kind.FRACTION, 1.0 / nth_value(match["nth"])
    elif match["den"]:
        kind, value = Kind.FRACTION, cardinal_value(match["num"]) * FRACTION_WORDS[match["den"].casefold()]
    elif match["card"]:
        value = cardinal_value(match["card"])
        step = 0.5
    elif match["frac"]:
        kind, value = Kind.FRACTION, FRACTION_WORDS[match["frac"].casefold()]
    else:
        kind, value = Kind.MULTIPLE, MULTIPLE_WORDS[match["mult"].casefold()]
    if kind == Kind.WORD and (spoken := _POINT_WORDS.match(text, end)) is not None:
        digits = [f"{cardinal_value(w):.0f}" for w in spoken[1].split()]
        return Token(
            start,
            spoken.end(),
            text[start : spoken.end()],
            float(f"{value:.0f}.{''.join(digits)}"),
            Kind.FIGURE,
            step=0.5 * 10.0 ** -len(digits),
            decimals=len(digits),
            body=f"{value:.0f}.{''.join(digits)}",
        )
    token = Token(start, end, text[start:end], value, kind, step=step, integer=kind == Kind.WORD)
    if re.search(r"(?<![^\W_])(?:minus|negative)[ ]$", text[max(0, start - 9) : start], re.IGNORECASE):
        token.value, token.signed = -token.value, True
    tail = re.match(r"[ -](?:percent|per cent|%)(?![ -]point)", text[end : end + 10])
    if tail and kind == Kind.WORD:
        token.percent, token.end = True, end + tail.end()
        token.text = text[start : token.end]
    elif re.match(r"[ -](?:percentage|percent) points?", text[end : end + 19]):
        token.points = True
    return token


def _split_df_pair(token: Token, text: str) -> list[Token] | None:
    """F(2,116) is two degrees of freedom, not two thousand."""
    if "," not in token.body or "." in token.body or token.signed or token.percent:
        return None
    if not (
        _DF_PAIR.search(text[max(0, token.start - 24) : token.start])
        and text[token.end : token.end + 1] == ")"
    ):
        return None
    if token.body.count(",") == 1 and _ONE_DF.search(text[max(0, token.start - 24) : token.start]):
        return None  # "t(97,0)": a comma decimal, such a test has one number of degrees of freedom
    parts, at = [], token.start
    for piece in token.body.split(","):
        parts.append(
            Token(at, at + len(piece), piece, float(piece), Kind.FIGURE, step=0.5, integer=True, body=piece)
        )
        at += len(piece) + 1
    return parts


# A figure with decimals right behind one of these is a figure: "r.45", "M4.2"; or it poses as one: "l.9", "O.04".
_GLUED = re.compile(
    r"(?<![^\W_])(?:[lIOo]|[prtdnFzMg]|SD|SE|OR|RR|HR|mean|median|average|slope|estimate|value|score|difference)[_‐‑-]?$"
)


def _mark(token: Token, text: str) -> None:
    """Ordinals and digits that are part of a name."""
    start, end = token.start, token.end
    if token.decimals and not token.signed and _GLUED.search(text[max(0, start - 12) : start]):
        return
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    if token.integer and not token.signed and _ORDINAL.match(text, end):
        token.kind = Kind.ORDINAL
        return
    if (
        before.isalpha()
        or before in "_#"
        or text[max(0, start - 2) : start] == "_ "
        or (before in "-‐‑" and start > 1 and text[start - 2].isalpha() and not token.percent)
    ):
        token.identifier = True
    elif token.integer and (before == "^" or (before == "{" and start > 1 and text[start - 2] in "^_")):
        token.kind = Kind.SCRIPT
    elif (
        token.integer
        and after in "-‐‑"
        and end + 1 < len(text)
        and text[end + 1].isupper()
        and not token.percent
    ) or (
        token.integer
        and after.isupper()
        and end + 1 < len(text)
        and text[end + 1].isalpha()
        and not token.percent
    ):
        token.identifier = True


def _word_tokens(text: str, comma: bool) -> list[Token]:
    """Numbers in words; the expensive expression is tried only where a word can begin one."""
    found: list[Token] = []
    done = 0
    for m in _STARTER.finditer(text):
        if m.start() < done or (m.group()[0].isalpha() and m.group().casefold() not in NUMBER_STARTS):
            continue
        hit = WORD_NUMBER.match(text, m.start())
        if hit is None or (not comma and not hit["of_a"] and hit.group().casefold().split()[-1] in FOREIGN):
            continue
        done = hit.end()
        found.append(_word(hit, text))
    return found


# Words that only a German or a French prose holds several of.
_FUNCTION_WORDS = re.compile(
    r"(?<![^\W_])(?:der|das|und|ist|von|mit|bei|für|nicht|eine[rnms]?|sind|auf|zu|wurden?|les|est|dans|une|pour|avec|sur|par|sont|du)(?![^\W_])"
)


def tokenise(text: str, comma: bool | None = None) -> list[Token]:
    """Every numeric expression of a cleaned prose, in order, not overlapping."""
    if comma is None:
        comma = uses_decimal_comma(text)
    found: list[Token] = []
    word_tokens = _word_tokens(text, comma or len(set(_FUNCTION_WORDS.findall(text.casefold()))) >= 3)
    taken = {t.start: t for t in word_tokens}
    blocked_until = -1
    words_at = iter(sorted(taken))
    next_word = next(words_at, None)
    for match in (_COMMA if comma else _POINT).finditer(text):
        first = match.start() + (len(match.group()) - len(match.group().lstrip()))
        while next_word is not None and next_word <= first:
            found.append(taken[next_word])
            blocked_until = taken[next_word].end
            next_word = next(words_at, None)
        if first < blocked_until:
            continue
        if match["vulgar"]:
            found.append(Token(first, match.end(), match.group(), _VULGAR[match["vulgar"]], Kind.FRACTION))
            continue
        if match["script"]:
            found.append(Token(first, match.end(), match.group(), 0.0, Kind.SCRIPT))
            continue
        token = _figure(match, text, comma)
        pair = _split_df_pair(token, text)
        if pair:
            found.extend(pair)
            continue
        _mark(token, text)
        if _THOUSANDS.match(text, token.end) and not token.percent and not token.identifier:
            token.value, token.step, token.scientific, token.integer = (
                token.value * 1e3,
                token.step * 1e3,
                True,
                False,
            )
            token.end += 1
            token.text += "k"
        if token.kind == Kind.FIGURE and not token.percent and (m := _SCALE_WORD.match(text, token.end)):
            token.factor = _SCALE_OF[m[1][:3].casefold()]
        found.append(token)
        # a figure may run over a word start such as "5 percent": words inside are part of it
        while next_word is not None and next_word < token.end:
            next_word = next(words_at, None)
    while next_word is not None:
        found.append(taken[next_word])
        next_word = next(words_at, None)
    for k, token in enumerate(found):
        if token.scientific and token.body.startswith("10") and token.start >= 2:
            _share_exponent(found, k, text)
        if k and found[k - 1].identifier and text[found[k - 1].end : token.start] == "/":
            token.identifier = True
    return [t for k, t in enumerate(found) if not (k and _is_unit_noun(found[k - 1], t))]


def _share_exponent(found: list[Token], k: int, text: str) -> None:
    """(3.47 ± 0.09) × 10^-2: both figures carry the power."""
    power = found[k]
    m = re.search(r"\([^()]{1,40}\)[ ]*[×x·*][ ]*$", text[max(0, power.start - 56) : power.start])
    if m is None:
        return
    opened = max(0, power.start - 56) + m.start()
    i = k - 1
    while i >= 0 and found[i].start > opened:
        if found[i].kind == Kind.FIGURE and not found[i].scientific:
            found[i].value *= power.value
            found[i].step *= power.value
            found[i].scientific = True
        i -= 1
    power.kind = Kind.SCRIPT


def _is_unit_noun(before: Token, token: Token) -> bool:
    """ "203 quarters": the word counts time, it is no part of a whole."""
    return (
        token.kind == Kind.FRACTION
        and token.text.casefold().endswith("s")
        and before.kind == Kind.FIGURE
        and before.integer
        and before.value > 12
        and token.start - before.end == 1
    )
