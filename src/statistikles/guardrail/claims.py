"""What each number of a reply is said to be: its label, comparator, hedge, interval partner and percent context."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import pairwise

from .layout import Layout
from .lexicon import FILLER, LABELS, Label, find_labels
from .tokens import Kind, Token
from .words import word_set

__all__ = ["STRONG", "WEAK", "Claim", "read_claims"]

STRONG, WEAK = 2, 1

_COMPARATOR = re.compile(
    r"(?:(?P<lt><|≤|≪|&lt;|\b(?:less|fewer|lower|smaller|shorter|lighter) than|\bunder|\bbelow|\bup to|\bat most|\bno more than|\bnot (?:more|exceed\w*) than|\bmoins de|\bunter|\bweniger als|\bbeneath)"
    r"|(?P<gt>>|≥|≫|&gt;|\b(?:more|greater|larger|higher|bigger|longer|heavier) than|\bover|\babove|\bexceed(?:s|ed|ing)?|\bat least|\bno (?:less|fewer) than|\bplus de|\büber|\bmehr als|\bbeyond|\bupwards of)"
    r"|(?P<near>≈|~|\babout|\baround|\broughly|\bapproximately|\bapprox\.?|\bnearly|\balmost|\bsome|\bclose to|\bca\.?|\bcirca|\benviron|\betwa|\brund|\bungefähr|\bpresque|\bfast|\bjust (?:under|over|below|above|short of)|\bpractically|\bvirtually|\bessentially|\beffectively|\bsomewhere between|\bbetween|\bmore or less|\bbarely))"
    r"(?:[ ]*=)?(?:[ ](?:a|an|the|every))?[ ]*(?:[^\W\d_][ ]?=[ ]*)?$",
    re.IGNORECASE,
)
_DENIED = re.compile(r"(?<![^\W_])(?:not|n['’]t|nor|no|never|nicht|pas)[ ]$")
_PLUS_TIPS = frozenset("±-−")
_COMPARE_TIPS = frozenset("<>≤≥≪≫≈~;=")
_COMPARE_WORDS = word_set(
    "than under below to most moins de unter als beneath over above exceed exceeds exceeded exceeding least fewer plus über "
    "beyond of about around roughly approximately approx nearly almost some ca circa environ etwa rund ungefähr presque fast "
    "between less barely just a an every practically virtually essentially effectively"
)
_MINUS_BEFORE = re.compile(r"[\w})\]][ ]+[-−–][ ]*$")
_NEAR_WORD = re.compile(r"\b(?:just|slightly|only just) (?:under|over|below|above)[ ]*$")
_STAT_PAREN = re.compile(
    r"(?<![^\W_])(?P<sym>t|F|r|z|Q|H|W|U|JB|χ²|χ2|χ\^2|X²|X2|chi2|χ|r_[ ]?rm|τ|[Cc]hi-?squared?|Wald)[ ]*(?:_[ ]?\w+)?[ ]*\((?P<in>[^()\n]{1,40})\)[ ]*(?=[=<>≈])"
)
_LEVEL_AFTER = re.compile(
    r"^[ ]?-?(?:%|percent|per cent|-%)?[ -]{0,2}(?:%[ ]?)?(?:[-\w]+[ ]){0,2}?(?:CIs?|CrI|HDI|PI|IC|KI|confidence|credible|credibility|prediction|compatibility|interval|intervals|limits|Konfidenz\w*|intervalles?|conf\b|Vertrauens\w*|posterior|highest|bootstrap|family-wise|simultaneous|level|Niveau)",
    re.IGNORECASE,
)
_LEVEL_BEFORE = re.compile(
    r"(?:\bCIs?|\bIC|\bKI|confidence|credible|interval|intervals|intervalle\w*(?: de confiance)?|level|Konfidenz\w*|niveau)[ ]*(?:\(|at|of|level|de|à|von|:|=|the|are|is|,|jeweils|set|all|both|fixed|[ ])*$",
    re.IGNORECASE,
)
_LEVEL_RANGE = re.compile(r"^[ ]*[:\[(]?[ ]*[-−–]?\d[\d.,]*[ ]?(?:to|–|-|,|;|bis|à)[ ]?[-−–]?\d")
_INTERVAL = re.compile(
    r"(?:\bCIs?\b|\bCrI\b|\bHDI\b|\bIC\b|\bKI\b|\bPI\b|\bintervals?\b|\bintervalles?\b|\blimits\b|\bbounds\b|Konfidenz\w*|\bIQR\b|\brange[sd]?\b|\brang(?:ing|es)\b|\bspan\w*\b|\bfrom\b|\bbetween\b|\bentre\b|\bzwischen\b|\bvon\b|\bde\b|\bruns\b)"
)
_JOIN = re.compile(
    r"^[ ]*(?:%|[^\W\d_]{1,4}|[°€$£])?[ ]{0,2}(?:to|–|—|-|,|;|:|\.\.|/|(?P<and>and|et|und)|à|bis|through|until|→|up to)[ ]{0,2}[−–+-]?[ ]?$"
)
_BRACKET_OPEN = re.compile(r"[\[(][ ]*[−–+-]?$")
_PLUS_MINUS = re.compile(r"(?:±|\+/-|\+-|\+/−|plus or minus)[ ]*$")
_RIGHT_DF = re.compile(
    r"^[ ]*(?:(?:residual|numerator|denominator|error|model)[ ])?(?:df|dof|d\.f\.|degrees of freedom|ddl|degrés de liberté|Freiheitsgrade?n?)\b"
)
_RIGHT_LABEL = re.compile(
    r"^[ ]*(?:%[ ])?(?:(?P<power>power|Teststärke|puissance)\b|(?P<r2>(?:of|de|der) (?:the |all |all the |la |total )?(?:total )?(?:varian\w+|variation|variability|Varianz))|(?P<se>standard errors?\b(?! from| away| above| below)))|^[ ]?[^\W\d_]{0,5}[ ]?\((?:(?P<spread_sd>SDs?|standard deviation)|(?P<spread_se>SE|SEM|standard error))\)",
    re.IGNORECASE,
)
# "half of them within 27 days" speaks of a median.
_HALF_WITHIN = re.compile(
    r"(?<![^\W_])(?:(?P<half>half)|a quarter|three quarters)(?![^\W_-])[^.;,\n\d]{0,48}?(?<![^\W_])(?:within|by|by day|by week|by month|before|at least|at most|less than|more than|under|over|below|above|after)[ ](?:the first[ ]|day[ ]|week[ ]|month[ ]|year[ ]|about[ ]|hour[ ])*$",
    re.IGNORECASE,
)
_PERCENT_WORDS = word_set(
    "percent percentage percentages percents cent cents point points pp prozent prozentpunkte prozentpunkten"
)
_OUT_OF = word_set("of every in per")
_OF_VARIANCE = re.compile(r"(?:of|explained|total)[ ](?:the[ ])?$")
_GAP_PAREN = re.compile(r"\([^()]*\)")
_GAP_WORD = re.compile(r"[^\W\d_]+(?:\.[^\W\d_])*\.?")
_OTHER_SYMBOL = re.compile(r"[:,;(] ?[A-ZΑ-Ω][²+]? ?[=<>≈] ?$")
_THE = re.compile(r"(?<![^\W_])(?:the|its|their|our|a)[ ]$", re.IGNORECASE)
_THAT_CLAUSE = re.compile(
    r"(?<![^\W_])(?:probabilit(?:y|ies)|chance|likelihood|odds|probable|certain\w*|confiden\w*|share|sure)[ ](?:is[ ])?(?:that|of)(?![^\W_])[^.;,]*$",
    re.IGNORECASE,
)
_FORMULA = re.compile(r"[ ]?/[ ]?\(")  # "228/(228 + 112)": a term, not the statistic itself
_NEVER = re.compile(
    r"(?<![^\W_])(?:never|at no time|nie|jamais)(?![^\W_])"
)  # "2 on average and never more than 7"
_PER_EACH = re.compile(
    r"[ ](?:[^\W\d_]{3,}[ ])?(?:per|in each|each|apiece|pro|par|je)(?![^\W_])", re.IGNORECASE
)
_OF_WHAT = re.compile(
    r"(?<![^\W_])(?:for|of|around|on)[ ](?:the|its|this)[ ]$"
)  # "95 % CI for the mean 3 to 5"
_RESET = re.compile(r"[;]|→|(?<![A-Za-z])—|\bwhereas\b|\bbut\b|\bwhile\b|\.\s")


@dataclass(slots=True)
class Claim:
    """One number with what the prose around it claims."""

    index: int
    token: Token
    sentence: tuple[int, int]
    clause: int
    label: Label | None = None
    strength: int = 0
    label_at: int = -1
    comparator: str = ""
    hedged: bool = False
    level: bool = False  # a confidence level
    plus_minus: bool = False
    in_df: bool = False
    df_symbol: str = ""
    partner: int = -1  # the other end of an interval
    is_upper: bool = False
    interval: bool = False  # said to be the end of an interval or range
    bracketed: bool = False
    minus_before: bool = False  # a minus between two terms of a formula
    listed: bool = False  # "40 to 8", "60:40": two amounts side by side
    from_to: bool = False  # "from x to y": two amounts, not one interval
    percent_context: bool = False
    follows: int = -1  # previous figure of the same sentence
    cell: tuple[int, int] | None = None  # row, column when in a table


def _is_figure(token: Token) -> bool:
    return token.kind in {Kind.FIGURE, Kind.WORD, Kind.FRACTION} and not token.identifier


class _Reader:
    def __init__(self, text: str, tokens: list[Token], layout: Layout) -> None:
        self.text, self.tokens, self.layout = text, tokens, layout
        self.labels = find_labels(text, ((w.start, w.end, w.text) for w in layout.words))
        self.label_ends = [end for _, end, _ in self.labels]
        self.starts = [t.start for t in tokens]
        self.df_spans: list[tuple[int, int, str, int]] = [
            (m.start("in"), m.end("in"), m["sym"], m.end()) for m in _STAT_PAREN.finditer(text)
        ]
        self.df_starts = [s for s, *_ in self.df_spans]
        self.percent_at = self._percents()

    def _percents(self) -> list[int]:
        """Where the prose speaks in percent: the sign, the word, points, "out of 100"; not in levels of confidence."""
        text, words, found = self.text, self.layout.words, []
        at = text.find("%")
        while at >= 0:
            if not _LEVEL_AFTER.match(text, at):
                found.append(at)
            at = text.find("%", at + 1)
        for k, word in enumerate(words):
            if word.text == "100":
                if k and words[k - 1].text.casefold() in _OUT_OF:
                    found.append(words[k - 1].start)
            elif word.text[0] in "pPcC" and word.text.casefold() in _PERCENT_WORDS:
                found.append(word.start)
        return sorted(found)

    def claims(self) -> list[Claim]:
        out: list[Claim] = []
        previous = -1
        for i, token in enumerate(self.tokens):
            sentence = self.layout.sentence(token.start)
            claim = Claim(i, token, sentence, self.layout.clause_start(token.start))
            if previous >= 0 and self.tokens[previous].start >= sentence[0]:
                claim.follows = previous
            self._near(claim)
            self._label(claim)
            self._percent(claim)
            out.append(claim)
            if _is_figure(token):
                previous = i
        self._pairs(out)
        self._tables(out)
        return out

    def _near(self, claim: Claim) -> None:
        token, text = claim.token, self.text
        left = text[max(claim.sentence[0], token.start - 40) : token.start]
        right = text[token.end : token.end + 60].split("\n", 1)[0]
        tip = left.rstrip(" ")[-1:]
        word = self.layout.word_before(token.start)
        last = word.text.casefold() if word is not None and token.start - word.end <= 4 else ""
        if tip in _PLUS_TIPS or last == "minus" or token.text.startswith("±"):
            claim.plus_minus = _PLUS_MINUS.search(left) is not None or token.text.startswith("±")
        if tip == "=" and left.rstrip(" =")[-1:] not in _COMPARE_TIPS:
            tip = ""
        m = (
            _COMPARATOR.search(left[-28:])
            if tip in _COMPARE_TIPS or (tip and last in _COMPARE_WORDS)
            else None
        )
        if m:
            left = left[-28:]
            if m["near"] or _NEAR_WORD.search(left):
                claim.hedged = True
            else:
                denied = _DENIED.search(left[: m.start()]) is not None
                claim.comparator = "<" if (m["lt"] is not None) != denied else ">"
        if token.kind in {Kind.FIGURE, Kind.WORD} and 40 <= abs(token.value) < 100:
            tail = text[token.start : token.end]
            percent = token.percent or right.lstrip(" -").startswith(("%", "percent", "per cent", "CI"))
            claim.level = (
                percent
                and bool(
                    _LEVEL_AFTER.match(right)
                    or (token.percent and (_LEVEL_BEFORE.search(left) or _LEVEL_RANGE.match(right)))
                )
                and len(tail) < 14
            )
        if tip in "-−–" and tip:
            claim.minus_before = bool(_MINUS_BEFORE.search(left))
        claim.bracketed = (tip in "[(" and bool(tip)) or (tip in "-−–+" and bool(_BRACKET_OPEN.search(left)))

    def _label_beside(self, claim: Claim) -> bool:
        """Degrees of freedom in brackets, a label right behind the figure, "half of them within 27"."""
        token, text = claim.token, self.text
        k = bisect_right(self.df_starts, token.start) - 1
        if k >= 0:
            start, end, symbol, _ = self.df_spans[k]
            if start <= token.start and token.end <= end:
                own = text[start : token.start]
                if not re.search(r"[NnK][ ]*=[ ]*$", own):
                    claim.label, claim.strength, claim.in_df, claim.df_symbol = (
                        LABELS["df"],
                        STRONG,
                        True,
                        symbol,
                    )
                    return True
        right = text[token.end : token.end + 48].split("\n", 1)[0]
        if _RIGHT_DF.match(right):
            claim.label, claim.strength = LABELS["df"], STRONG
            return True
        if (m := _RIGHT_LABEL.match(right)) and not claim.level:
            name = m.lastgroup
            if name in {"spread_sd", "spread_se"}:
                claim.label, claim.strength = LABELS["sd" if name == "spread_sd" else "se"], STRONG
                return True
            if name in {"power", "r2"} and (token.percent or name == "power"):
                claim.label, claim.strength = (
                    LABELS["explained" if name == "r2" else "power"],
                    WEAK if name == "power" else STRONG,
                )
                return True
        lead = text[max(claim.sentence[0], token.start - 80) : token.start]
        if (
            (" half" in lead or "Half" in lead or "quarter" in lead)
            and (m := _HALF_WITHIN.search(lead)) is not None
            and not token.percent
        ):
            claim.label, claim.strength = LABELS["median" if m["half"] else "quartile"], STRONG
            return True
        return False

    def _label(self, claim: Claim) -> None:
        if self._label_beside(claim) or _FORMULA.match(self.text, claim.token.end):
            return
        if claim.bracketed and claim.token.integer and _PER_EACH.match(self.text, claim.token.end):
            return  # "Means (10 animals per cell)"
        token, text = claim.token, self.text
        j = bisect_right(self.label_ends, token.start) - 1
        if j < 0 or self.labels[j][0] < claim.sentence[0]:
            return
        start, end, label = self.labels[j]
        gap = text[end : token.start]
        if (
            j
            and text[start - 1 : start] == "("
            and text[end : end + 1] == ")"
            and text[self.labels[j - 1][1] : start].strip() == "("
            and not claim.bracketed
        ):
            start, end, label = self.labels[j - 1]  # "Means (SD): A 22.9 (11.6)"
            gap = _GAP_PAREN.sub("", gap[1:] if gap[:1] == ")" else gap)
        if _THAT_CLAUSE.search(text, max(claim.sentence[0], start - 60), start):
            return  # "the probability that the mean is positive is 95 %"
        if len(gap) > 70 or (
            label.id == "variance" and _OF_VARIANCE.search(text[max(0, start - 12) : start])
        ):
            return
        bare = _GAP_PAREN.sub(" ", gap)
        if (
            "|" in bare
            or any(ch.isdigit() for ch in bare)
            or (
                claim.follows >= 0
                and self.tokens[claim.follows].start > end
                and claim.follows not in self._inside(gap, end)
            )
        ):
            return
        words = _GAP_WORD.findall(bare)
        if _OTHER_SYMBOL.search(bare):
            return  # "tau-b (exact): S = 53": the figure belongs to a symbol of its own
        if bare.strip() == "," and label.symbol in {"", "median"} and end - start > 3:
            if self.text[token.end : token.end + 1] == "," and _THE.search(text, max(0, start - 6), start):
                claim.label, claim.strength = label, STRONG  # "the median, 26, is"
            return
        if "," in bare or _RESET.search(bare) or _NEVER.search(bare):
            return
        claim.label_at = start
        if all(w.casefold().rstrip(".") in FILLER or len(w) == 1 for w in words):
            if not (":" in bare and words):  # else a heading, with a name of its own before the figure
                claim.label, claim.strength = label, STRONG
        elif len(words) <= 5 and not any(ch in bare for ch in "():"):
            claim.label, claim.strength = label, WEAK

    def _inside(self, gap: str, offset: int) -> set[int]:
        """Figures that stand in parentheses of a gap, such as degrees of freedom."""
        inside: set[int] = set()
        for m in _GAP_PAREN.finditer(gap):
            first = bisect_left(self.starts, offset + m.start())
            last = bisect_left(self.starts, offset + m.end())
            inside.update(range(first, last))
        return inside

    def _percent(self, claim: Claim) -> None:
        at = bisect_left(self.percent_at, claim.sentence[0])
        if at < len(self.percent_at) and self.percent_at[at] < claim.sentence[1]:
            claim.percent_context = True

    def _pairs(self, claims: list[Claim]) -> None:
        for a, b in pairwise(claims):
            if a.sentence != b.sentence or a.level or b.level or a.in_df or b.in_df or a.partner >= 0:
                continue
            if a.token.kind != Kind.FIGURE or b.token.kind != Kind.FIGURE or a.token.identifier:
                continue
            between = self.text[a.token.end : b.token.start]
            joined = _JOIN.match(between) if len(between) <= 12 else None
            if joined is None or (
                a.label is not None and a.strength == STRONG and a.label.id in {"p", "n", "df"}
            ):
                continue
            lead = self.text[max(a.sentence[0], a.token.start - 60) : a.token.start]
            m = None
            for m in _INTERVAL.finditer(lead):  # noqa: B007 - the last match is the nearest
                pass
            closes = self.text[b.token.end : b.token.end + 12].lstrip(" %")[:1] in {"]", ")"}
            named = (
                m is not None
                and not re.search(r"[.;)]|[=<>][^)]*$", lead[m.end() :])
                and self._no_label_after(a, m.end() - len(lead) + a.token.start)
            )
            dash = between.strip() in {"–", "-", "—"}
            two = between.strip() in {"to", "/"} or between == ":"
            if two and not named and not (a.bracketed and closes):
                a.listed = b.listed = True
            if joined["and"] and not (
                named and m is not None and m.group() in {"between", "entre", "zwischen"}
            ):
                continue
            if named or (a.bracketed and closes) or dash:
                a.partner, b.partner, b.is_upper = b.index, a.index, True
                a.from_to = b.from_to = named and m is not None and m.group() in {"from", "von", "de"}
                a.interval = b.interval = bool(named or (a.bracketed and closes) or dash)
                if a.strength and a.label_at >= 0 and a.label is not None and a.label.id != "iqr":
                    a.label, a.strength = None, 0
                b.label, b.strength = None, 0

    def _no_label_after(self, claim: Claim, at: int) -> bool:
        return (
            claim.label_at < at
            or _OF_WHAT.search(self.text, max(0, claim.label_at - 10), claim.label_at) is not None
        )

    def _tables(self, claims: list[Claim]) -> None:
        for claim in claims:
            place = self.layout.cell(claim.token.start)
            if place is None or place[1] < 0:
                continue
            table, row, col = place
            claim.cell = (row, col)
            if claim.label is not None or claim.level:
                continue
            cells = [table.header[col]] if col < len(table.header) else []
            cells.append(table.rows[row][0])
            for a, b in cells:
                header = find_labels(self.text[a:b] + " =")
                if self.text[a:b].count("%") and col:
                    claim.percent_context = True
                if header and not claim.interval and (a, b) != table.rows[row][col]:
                    own = self.text[table.rows[row][col][0] : claim.token.start]
                    # "Mean (SD)": what stands in brackets names what stands in brackets
                    head = self.text[a:b]
                    fits = [x for x in header if ("(" in head[: x[0]]) == ("(" in own)]
                    if not fits and "(" not in head and "(" not in own:
                        fits = header
                    if fits:
                        claim.label, claim.strength, claim.label_at = fits[0][2], STRONG, a + fits[0][0]
                    break


def read_claims(text: str, tokens: list[Token], layout: Layout) -> list[Claim]:
    """The claims of a cleaned prose, one per token, in order."""
    return _Reader(text, tokens, layout).claims()
