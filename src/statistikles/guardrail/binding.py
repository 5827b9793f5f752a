"""Which figure each name of a prose stands behind, and which figures stand in one bare list."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from bisect import bisect_left

from .claims import Claim
from .entities import Mention, Names
from .layout import Layout
from .tokens import Kind, Token

__all__ = ["BARE_JOIN", "Bindings"]


_PREP = r"(?:for|among|amongst|in|of|at|within|by|on|under|with|from|during|per|chez|bei|pour|dans|der|des|für|unter|en|sous|im|parmi|who|which|that|when|given|receiving|taking|getting|assigned to|allocated to|treated with)"
_ARTICLE = r"(?:the|all|all the|its|their|a|an|les|le|la|den|die|das|dem|der|des|both)"
_POST = re.compile(
    rf"^[ ]*[·×*]?[ ]*(?:%|°?[^\W\d_/]+(?:/[^\W\d_]+)?)?[ ]?(?:[^\W\d_]+[ ])?(?:\([ ]?(?:[^\W\d_]{{3,}}[ ])?)?(?:{_PREP}[ ](?:{_ARTICLE}[ ])?(?:[^\W\d_]+[ ])?)?(?:{_PREP}[ ](?:{_ARTICLE}[ ])?)?$",
    re.IGNORECASE,
)
_POST_NEEDS = re.compile(
    rf"(?:^[ ]*[·×*]?[ ]*(?:%[ ])?$)|(?<![^\W_]){_PREP}(?![^\W_])|\([ ]?(?:[^\W\d_]{{3,}}[ ])?$",
    re.IGNORECASE,
)
_POST_BARS = re.compile(
    r"(?<![^\W_])(?:than|above|below|over|vs|versus|and|as|to|against|or|from|but|et|und|while|is|are|was|were|has|have|had)(?![^\W_])|[=<>]",
    re.IGNORECASE,
)
BARE_JOIN = re.compile(
    r"[ ]?%?(?:,|,?[ ](?:and|or|et|und|ou|oder|then))[ ](?:then[ ]|only[ ]|just[ ]|about[ ])?[-−–+$]?"
)
_LINE_HEAD = re.compile(r"(?:^|\n)[ ]*[-*•#]?[ ]*\(?$")
_RATE_UNIT = re.compile(r"[ ]?(?:[^\W\d_]+[ ])?(?:a|an|per|each|every|/)[ ]?")
_GOES_ON = re.compile(r"[),]|(?<![^\W_])(?:with|and|mit|und|avec|et)(?![^\W_])")
_FIGURE_NEXT = re.compile(r"[ ]?=?[ ]?[-−–]?\d")
_AT_VALUE = re.compile(r"[ ]?(?:at|for|with|in|bei|für|mit|à|pour|avec)[ ](?:a[ ])?[^\W\d_]{1,3}[ ]?=[ ]?")
_DID = re.compile(r"[ ](?:(?:were|was|got|are|became|had|remained|stayed)[ ])?")
_OPENS = re.compile(
    r"(?:before|after|since|from|with|without|in|at|avant|après|vor|nach)(?![^\W_])", re.IGNORECASE
)
_FROM_THE = re.compile(r"^[ ](?:[^\W\d_]+[ ])?(?:came |come |were |are )?from (?:the )?$")
_WERE = re.compile(r"^[ %]{1,2}(?:[^\W\d_]+[ ])?(?:were|was|are|is|had been|got|became|remained|stayed)[ ]$")
_OWN_FIGURE = re.compile(r"[^()\d;.,]{0,16}?[ =:][-−]?\d")
_POST_COUNT = re.compile(
    rf"^[^\n.;,()]{{0,24}}?(?<![^\W_]){_PREP}[ ](?:{_ARTICLE}[ ])?[\d][\d,. ]*$", re.IGNORECASE
)


class Bindings:
    """The names and figures of a prose and how they are tied to each other."""

    def __init__(self, text: str, layout: Layout, names: Names, claims: list[Claim]) -> None:
        self.text, self.layout, self.names, self.claims = text, layout, names, claims
        self.mentions = names.mentions(layout)
        self.mention_starts = [m.start for m in self.mentions]
        self.token_starts = [c.token.start for c in claims]
        self.consumed_by: dict[int, int] = {}  # mention -> token it stands behind
        self.across: set[tuple[int, int]] = set()  # bound over a count: "109 at the 14 sites"
        self.post: dict[int, list[int]] = {}  # token -> mentions that stand behind it
        self._lists = self._enumerations()
        self._attach()
        self._unlabel()

    def _figure_before(self, at: int, start: int) -> int | None:
        i = bisect_left(self.token_starts, at) - 1
        while i >= 0 and self.token_starts[i] >= start:
            token = self.claims[i].token
            counts = token.kind == Kind.WORD and token.value > 1 and _DID.fullmatch(self.text, token.end, at)
            if (
                token.end <= at
                and (token.kind in {Kind.FIGURE, Kind.FRACTION} or counts)
                and not token.identifier
            ):
                return None if self._list_mark(token) else i
            i -= 1
        return None

    def _enumerations(self) -> dict[int, list[int]]:
        """Figure -> the bare list it stands in: "62, 50 and 38"."""
        found: dict[int, list[int]] = {}
        run: list[int] = []
        for i, claim in enumerate(self.claims):
            last = self.claims[run[-1]] if run else None
            if last is not None and (
                last.sentence != claim.sentence
                or not BARE_JOIN.fullmatch(self.text[last.token.end : claim.token.start])
            ):
                run = []
            if claim.token.kind != Kind.FIGURE or claim.token.identifier or claim.level or claim.in_df:
                run = []
                continue
            run = [*run, i]
            if len(run) > 1:
                found.update(dict.fromkeys(run, run))
        return found

    def enumeration(self, claim: Claim) -> list[int]:
        """The figures of the bare list a figure stands in, itself included; empty when it stands alone."""
        return self._lists.get(claim.index, [])

    def _unlabel(self) -> None:
        """ "D 0.34" where D is a group: the letter is a name here and no symbol of a statistic."""
        for claim in self.claims:
            if claim.label is None or claim.label_at < 0:
                continue
            named = self.mentions_between(claim.label_at, claim.label_at + 1)
            gap = self.text[claim.label_at + 1 : claim.token.start]
            letter = not self.text[claim.label_at : claim.label_at + 2].isalpha()
            whole = any(self.text[m.start : m.end] in m.names for m in named)
            if ("=" not in gap or claim.cell is not None) and named and (letter or whole):
                claim.label, claim.strength = None, 0

    def _list_mark(self, token: Token) -> bool:
        """ "(1) A, r = .2": the number of a list item says nothing of A."""
        return (
            token.integer
            and self.text[token.end : token.end + 1] in {".", ")"}
            and _LINE_HEAD.search(self.text, max(0, token.start - 8), token.start) is not None
        )

    def _attach(self) -> None:
        for k, mention in enumerate(self.mentions):
            start, _ = self.layout.sentence(mention.start)
            i = self._figure_before(mention.start, start)
            if i is None:
                continue
            between = self.text[self.claims[i].token.end : mention.start]
            if _RATE_UNIT.fullmatch(between) or between in {"-", "‑", "‐"}:
                self.consumed_by[k] = i  # "3.1 a year": the unit of a rate
                continue
            if _GOES_ON.search(between) and _FIGURE_NEXT.match(self.text, mention.end):
                continue  # "0.92) with cumulatively 73 %": the name opens what follows
            if self.text[mention.end : mention.end + 1] == ":":
                continue  # "A: 3 · B: 4": the name opens what follows
            behind_paren = between[:1] == ")"
            if behind_paren:
                between = between[1:]
            if "(" in between and _OWN_FIGURE.match(self.text, mention.end):
                continue  # "0.81 (trend 0.64)": the name in brackets has a figure of its own
            if len(between) <= 40 and self._stands_behind(between, self.text[mention.start : mention.end]):
                self._bind(k, i)
                if behind_paren:
                    self._bind_before_paren(k, i, start)
                if self.claims[i].plus_minus and self.claims[i].follows >= 0:
                    self._bind(k, self.claims[i].follows)
                j = self._figure_before(self.claims[i].token.start, start)
                if j is not None and self.claims[i].token.integer:
                    across = self.text[self.claims[j].token.end : mention.start]
                    if len(across) <= 48 and _POST_COUNT.match(across):
                        self._bind(k, j)
                        self.across.add((j, k))

    def _bind_before_paren(self, mention: int, token: int, start: int) -> None:
        """ "r = .08 (n = 104) for A": A is said of both figures."""
        opened = self.text.rfind("(", start, self.claims[token].token.start)
        if opened < 0:
            return
        i = token - 1
        while i >= 0 and self.claims[i].token.start > opened:
            self._bind(mention, i)
            i -= 1
        if i >= 0 and self.claims[i].token.start >= start and opened - self.claims[i].token.end <= 12:
            self._bind(mention, i)

    def _bind(self, mention: int, token: int) -> None:
        self.consumed_by.setdefault(mention, token)
        self.post.setdefault(token, []).append(mention)

    @staticmethod
    def _stands_behind(between: str, name: str) -> bool:
        return bool(
            _AT_VALUE.fullmatch(between)
            or _FROM_THE.match(between)
            or (_WERE.match(between) and name.casefold().endswith(("ed", "en", "se", "er")))
            or (
                _POST.match(between)
                and (_POST_NEEDS.search(between) or _OPENS.match(name))
                and not _POST_BARS.search(between)
            )
        )

    def claims_of(self, sentence: tuple[int, int]) -> list[Claim]:
        """The figures of a sentence."""
        return self.claims[
            bisect_left(self.token_starts, sentence[0]) : bisect_left(self.token_starts, sentence[1])
        ]

    def mentions_between(self, start: int, end: int) -> list[Mention]:
        """The mentions that begin in [start, end)."""
        return self.mentions[bisect_left(self.mention_starts, start) : bisect_left(self.mention_starts, end)]

    def inside_mention(self, token: Token) -> Mention | None:
        """The mention a figure is part of ("Smith 1948"), if any."""
        k = bisect_left(self.mention_starts, token.start + 1) - 1
        if k >= 0 and self.mentions[k].end >= token.end:
            return self.mentions[k]
        return None
