"""Whom a number is said of: which named thing of the results governs each figure of a sentence."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from bisect import bisect_left

from statistikles.results.roles import Role, role_of_key

from .claims import STRONG, Claim
from .entities import PAIR, Mention, Names, name_words
from .evidence import Leaf
from .layout import Layout, Table
from .lexicon import FILLER, symbol_of_key
from .tokens import Kind, Token

__all__ = ["Scope"]

_PREP = r"(?:for|among|amongst|in|of|at|within|by|on|under|with|from|during|per|chez|bei|pour|dans|der|des|für|unter|en|sous|im|parmi|who|which|that|given|receiving|taking|getting|assigned to|allocated to|treated with)"
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
_ERROR_TERMS = frozenset({"residual", "residuals", "error", "within", "resid", "denominator"})
_VERSUS = re.compile(
    r"^[^\W\d_%]{0,4}[ ]*%?[ ]*(?:vs\.?|versus|against|and|v\.?|gegen|contre)[ ]*[-−–$]?[ ]*$"
)
_HEAD_COLON = re.compile(r"[*`\"']{0,2}[ ]?(?:\([^()]{0,40}\))?[*`]{0,2}[ ]?:")
_BARE_JOIN = re.compile(
    r"[ ]?%?(?:,|,?[ ](?:and|or|et|und|ou|oder|then))[ ](?:then[ ]|only[ ]|just[ ]|about[ ])?[-−–+$]?"
)
_WHOLE = re.compile(r"\d[ ]?%?[ ]?(?:/|of|out of|von|sur)[ ]?(?:the[ ]|all[ ])?$")
_PAREN = re.compile(r"\([^()]*\)")
_COMMA = re.compile(r",(?!\d)")
_LINE_HEAD = re.compile(r"(?:^|\n)[ ]*[-*•#]?[ ]*\(?$")
_FOR_WHOM = re.compile(
    r"[ ]?%?\)?[ ](?:[^\W\d_]+[ ])?(?:for|in|on|at|among|with|of|für|bei|in|pour|dans|chez)[ ](?:the[ ])?"
)
_SHORT = re.compile(r"[ ](?:the|in|for|of|at|on)[ ]")
_RATE_UNIT = re.compile(r"[ ]?(?:[^\W\d_]+[ ])?(?:a|an|per|each|every|/)[ ]?")
_THE_OTHERS = re.compile(r"(?<![^\W_])(?:other|others|rest|remaining|remainder)(?![^\W_])")
_AS_COVARIATE = re.compile(
    r"[ ](?:as|being) (?:an?|the|one) (?:covariate|control|confounder|moderator)|[ ](?:held|kept) (?:constant|fixed)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"[),]|(?<![^\W_])(?:with|and|mit|und|avec|et)(?![^\W_])")
_FIGURE_NEXT = re.compile(r"[ ]?=?[ ]?[-−–]?\d")
_PART_OF = re.compile(r"[ ](?:among|of|out of|in|from|over)(?![^\W_])")
_INTRODUCES = re.compile(
    r"^[ ]*(?:in|for|among|with|under|at|on|after|before|by|within|using|bei|in|im|pour|chez|dans|en)(?![^\W_])",
    re.IGNORECASE,
)
_WIDENS = re.compile(
    r"(?<![^\W_])(?:than|against|vs|versus|compared|others?|rest|remaining|overall|total|all|both|each|every|whereas|while|but|average|together|combined|"
    r"from|to|difference|between|without|instead|before|after|reference|baseline|control|pooled|model|test|also|and)(?![^\W_])|[;:→]",
    re.IGNORECASE,
)
_AT_VALUE = re.compile(r"[ ]?(?:at|for|with|in|bei|für|mit|à|pour|avec)[ ](?:a[ ])?[^\W\d_]{1,3}[ ]?=[ ]?")
_DID = re.compile(r"[ ](?:(?:were|was|got|are|became|had|remained|stayed)[ ])?")
_FEW = 40
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
_ADJUSTED = re.compile(
    r"(?<![^\W_])(?:adjust\w*|control\w*|account\w*|allow\w*|correct\w*|holding|net of|independent\w* of|regardless of|irrespective of|conditional on|besides|model with|ajust\w*|bereinigt)(?![^\W_])[^.;:()\d]*$",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"(?:before|after|since|from|with|without|in|at|avant|après|vor|nach)(?![^\W_])", re.IGNORECASE
)
_FROM_THE = re.compile(r"^[ ](?:[^\W\d_]+[ ])?(?:came |come |were |are )?from (?:the )?$")
_WERE = re.compile(r"^[ %]{1,2}(?:[^\W\d_]+[ ])?(?:were|was|are|is|had been|got|became|remained|stayed)[ ]$")
_OWN_FIGURE = re.compile(r"[^()\d;.,]{0,16}?[ =:][-−]?\d")
_POST_COUNT = re.compile(
    rf"^[^\n.;,()]{{0,24}}?(?<![^\W_]){_PREP}[ ](?:{_ARTICLE}[ ])?[\d][\d,. ]*$", re.IGNORECASE
)
_SWITCH = re.compile(
    r"(?<![^\W_])(?:and|but|vs\.?|versus|against|than|to|compared|whereas|while|or|et|und|contre|from|others?)(?![^\W_])|,|→|;"
)


def _unlike(a: float, b: float) -> bool:
    """A count and a share are not two members of one list."""
    return (a == round(a) and abs(a) > 1) != (b == round(b) and abs(b) > 1)


def _far(a: float, b: float) -> bool:
    """Quantities of different kinds: a rate and the person-years it rests on."""
    small, large = sorted((abs(a), abs(b)))
    return large > 200 * small and large == round(large) and small != round(small)


class Scope:
    """Governing mentions per figure and level of the results."""

    def __init__(self, text: str, layout: Layout, names: Names, claims: list[Claim]) -> None:
        self.text, self.layout, self.names, self.claims = text, layout, names, claims
        self.mentions = names.mentions(layout)
        self.mention_starts = [m.start for m in self.mentions]
        self.token_starts = [c.token.start for c in claims]
        self.consumed_by: dict[int, int] = {}  # mention -> token it stands behind
        self.across: set[tuple[int, int]] = set()  # bound over a count: "109 at the 14 sites"
        self.post: dict[int, list[int]] = {}  # token -> mentions that stand behind it
        self._covariates: dict[int, bool] = {}
        self._relevant: dict[tuple[int, int, int], list[tuple[int, frozenset[str]]]] = {}
        self._pairs: dict[int, list[tuple[str, frozenset[str]]]] = {}
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
                or not _BARE_JOIN.fullmatch(self.text[last.token.end : claim.token.start])
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
            if (
                claim.label is None
                or claim.label_at < 0
                or self.text[claim.label_at : claim.label_at + 2].isalpha()
            ):
                continue
            gap = self.text[claim.label_at + 1 : claim.token.start]
            if "=" not in gap and self.mentions_between(claim.label_at, claim.label_at + 1):
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

    def inside_mention(self, token: Token) -> Mention | None:
        """The mention a figure is part of ("Smith 1948"), if any."""
        k = bisect_left(self.mention_starts, token.start + 1) - 1
        if k >= 0 and self.mentions[k].end >= token.end:
            return self.mentions[k]
        return None

    def _pair_children(self, parent: int) -> list[tuple[str, frozenset[str]]]:
        known = self._pairs.get(parent)
        if known is None:
            known = [
                (name, frozenset(name_words(name)))
                for name in self.names.children(parent)
                if PAIR.search(name)
            ]
            self._pairs[parent] = known
        return known

    def claims_of(self, sentence: tuple[int, int]) -> list[Claim]:
        """The figures of a sentence."""
        return self.claims[
            bisect_left(self.token_starts, sentence[0]) : bisect_left(self.token_starts, sentence[1])
        ]

    def mentions_between(self, start: int, end: int) -> list[Mention]:
        """The mentions that begin in [start, end)."""
        return self.mentions[bisect_left(self.mention_starts, start) : bisect_left(self.mention_starts, end)]

    def parents_of(self, mention: Mention) -> list[int]:
        """The containers that hold something of the mentioned names (a few of them)."""
        ev = self.names.evidence
        nodes = [i for name in sorted(mention.names) for i in ev.names.get(name, ())[:24]]
        nodes += [i for name in sorted(mention.names) for i in self.names.alias_nodes.get(name, ())]
        return list(dict.fromkeys(ev.node_parent[i] for i in nodes))

    def speaks_of(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the sentence names something on the way to this number."""
        for parent, name, _ in self.names.siblings_at(leaf):
            allowed = self.governing(claim, parent)
            if allowed is not None and name in allowed:
                return True
        return False

    def reversed_pair(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the sentence names the two sides of a difference in the other order than the result does."""
        part = next((str(p) for p in reversed(leaf.path) if isinstance(p, str) and PAIR.search(p)), "")
        sides = [frozenset(name_words(x)) for x in PAIR.split(part) if x]
        if len(sides) != 2:
            return False
        stems = [w.stem for w in self.layout.words_between(claim.sentence[0], claim.token.start)]
        at = [-1, -1]
        for k, side in enumerate(sides):
            for i in range(len(stems) - len(side) + 1):
                if set(stems[i : i + len(side)]) == side:
                    at[k] = i
        return -1 < at[1] < at[0]

    def named_in_sentence(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the sentence names this very number or what holds it."""
        return any(
            name in meant
            for parent, name, _ in self.names.siblings_at(leaf)
            for _, meant in self.relevant(parent, *claim.sentence)
        )

    def children_meant(self, parent: int, mention: Mention) -> frozenset[str]:
        """Which children of a container a mention may mean."""
        children = self.names.children(parent)
        # the places of a list are no names
        meant = (
            set()
            if parent >= 0 and self.names.evidence.node_is_list[parent]
            else {n for n in mention.names if n in children}
        )
        ev = self.names.evidence
        for name in mention.names:
            for node in self.names.alias_nodes.get(name, ()):
                if ev.node_parent[node] == parent:
                    meant.add(str(ev.node_key[node]))
        if not meant:
            for name in mention.names:
                words = set(self.names.words_of.get(name, ()))
                meant.update(child for child, have in self._pair_children(parent) if words and words <= have)
        if not meant and len(children) <= _FEW:
            for name in mention.names:
                words = set(self.names.words_of.get(name, ()))
                longer = [
                    child
                    for child in children
                    if words and words < set(name_words(child)) and len(words) == 1
                ]
                if len(longer) == 1 and role_of_key(longer[0]) is Role.VALUE and len(min(words)) > 2:
                    meant.add(longer[0])  # "middle" for edu_middle
        return frozenset(meant)

    def relevant(self, parent: int, start: int, end: int) -> list[tuple[int, frozenset[str]]]:
        """Mentions in [start, end) that name children of a container."""
        key = (parent, start, end)
        known = self._relevant.get(key)
        if known is None:
            first, last = bisect_left(self.mention_starts, start), bisect_left(self.mention_starts, end)
            known = []
            for k in range(first, last):
                meant = self.children_meant(parent, self.mentions[k])
                if meant:
                    known.append((k, meant))
            self._relevant[key] = known
        return known

    def governing(self, claim: Claim, parent: int, *, flat: bool = False) -> frozenset[str] | None:
        """The children of `parent` the figure is said of; None when the sentence does not say."""
        token = claim.token
        if claim.cell is not None:
            place = self.layout.cell(token.start)
            if place is not None:
                table, row, col = place
                return self._of_cell(parent, table, row, col, token)
        rel = self.relevant(parent, *claim.sentence)
        if not rel or _THE_OTHERS.search(self.text, claim.clause, min(claim.sentence[1], token.end + 26)):
            return None
        meant = dict(rel)
        if (mine := self._respectively(claim, [k for k, _ in rel], meant)) is not None:
            return mine
        behind = [
            meant[k]
            for k in self.post.get(claim.index, ())
            if k in meant and not (flat and not self._field_of(claim, k, parent))
        ]
        if behind:
            direct = [
                meant[k] for k in self.post[claim.index] if k in meant and (claim.index, k) not in self.across
            ]
            return self._with_leading(claim, rel, direct[-1] if direct and not flat else behind[-1])
        before = [
            k
            for k, _ in rel
            if self.mentions[k].end <= token.start
            and (
                self.consumed_by.get(k, claim.index) == claim.index
                or self._opens_at(k, token.start)
                or (not flat and self._runs_on(k, token.start))
            )
            and not self._is_covariate(k)
        ]
        if not before:
            return None
        if (mine := self._respectively(claim, before, meant)) is not None:
            return mine
        ordered = self._in_order(claim, [k for k, _ in rel if self.mentions[k].end <= token.start], meant)
        if ordered is not None:
            return ordered
        last = before[-1]
        if not self._reaches(claim, self.mentions[last].end):
            if self._heads_line(claim, last, meant) or self._sole_subject(claim, last, meant):
                return meant[last]
            return None
        if flat and not self._table_of_names(parent):
            said = _LONG_WORD.findall(self.text[self.mentions[last].end : token.start])
            if sum(1 for w in said if w.casefold() not in FILLER) > 1:
                return None  # one field of a record, named a few words back
        run, names = last, set(meant[last])
        for k in reversed(before[:-1]):
            if self._figures_between(self.mentions[k].end, self.mentions[run].start):
                break
            # "the treated group before the change": of two names that fit some rows in common, those rows
            names = (names & meant[k]) or (names | meant[k])
            run = k
        return frozenset(names)

    def _with_leading(
        self, claim: Claim, rel: list[tuple[int, frozenset[str]]], behind: frozenset[str]
    ) -> frozenset[str]:
        """ "Control units went from 31 before it": rows that fit the name in front as well, when there are any."""
        if len(behind) < 2:
            return behind
        front = [m for k, m in rel if self.mentions[k].end <= claim.token.start and not m <= behind]
        return (behind & front[-1]) or behind if front else behind

    def _of_cell(self, parent: int, table: Table, row: int, col: int, token: Token) -> frozenset[str] | None:
        """What the header and the row label of a table cell name; both, when some members fit both."""
        found: frozenset[str] | None = None
        spans = [table.header[col]] if col < len(table.header) else []
        for a, b in (*spans, table.rows[row][0]):
            if b > token.start:
                continue
            for _, meant in self.relevant(parent, a, b):
                found = meant if found is None else (found & meant) or found
        return found

    def _heads_line(self, claim: Claim, k: int, meant: dict[int, frozenset[str]]) -> bool:
        """ "- Cluster 1 (n = 128): 212 spent, 3 visits": the name a line opens with is said of all of it."""
        if any(other != meant[k] for other in meant.values()):
            return False
        start = claim.sentence[0]
        head = self.text[start : self.mentions[k].start].strip(" -*•·|#>`\"'0123456789.)")
        behind = self.text[self.mentions[k].end : claim.token.start]
        return not head and _HEAD_COLON.match(behind) is not None and ";" not in behind

    def _sole_subject(self, claim: Claim, k: int, meant: dict[int, frozenset[str]]) -> bool:
        """ "A had 4 of these, 5 of those and 6 of the rest": nothing else is named, A is said of all of it."""
        if any(other != meant[k] for other in meant.values()) or len(meant[k]) != 1:
            return False
        start, end = claim.sentence
        head = self.text[start : self.mentions[k].start].strip(" -*•·|#>`\"'0123456789.)(")
        if len(_LONG_WORD.findall(head)) > 2 or claim.interval or claim.in_df:
            return False
        if self.text.count("=", self.mentions[k].end, claim.token.start) > 1:
            return False
        return _WIDENS.search(self.text, self.mentions[k].end, min(end, claim.token.end + 40)) is None

    def _in_order(
        self, claim: Claim, named: list[int], meant: dict[int, frozenset[str]]
    ) -> frozenset[str] | None:
        """ "A beat B (6 vs 5)": the first figure is A's, the second B's."""
        if len(named) < 2:
            return None
        one, two = named[-2], named[-1]
        bare = _PAREN.sub("", self.text[self.mentions[one].end : self.mentions[two].start])
        if meant[one] == meant[two] or any(ch.isdigit() for ch in bare):
            return None
        i = claim.index
        for first, second in ((i, i + 1), (i - 1, i)):
            if first < 0 or second >= len(self.claims):
                continue
            a, b = self.claims[first].token, self.claims[second].token
            if self.claims[first].sentence != self.claims[second].sentence or not _VERSUS.match(
                self.text[a.end : b.start]
            ):
                continue
            lead = self.text[self.mentions[two].end : a.start]
            if re.fullmatch(r"(?:[ ]+[^\W\d_]+)?[ ]*[(:][^()\d;.]{0,24}", lead):
                return meant[one] if first == i else meant[two]
        return None

    def _respectively(
        self, claim: Claim, before: list[int], meant: dict[int, frozenset[str]]
    ) -> frozenset[str] | None:
        """ "A, B and C had 3, 4 and 5": as many names as figures, in their order."""
        run = self._lists.get(claim.index, [])
        if len(run) < 2:
            return None
        if (behind := self._respectively_behind(claim, run, meant)) is not None:
            return behind
        first = self.claims[run[0]].token.start
        names = [k for k in before if self.mentions[k].end <= first]
        chosen: list[int] = []
        for k in reversed(names):
            end = self.mentions[k].end
            after = self.mentions[chosen[0]].start if chosen else first
            if self._figures_between(end, after) or (
                chosen and not _BARE_JOIN.fullmatch(_SHORT.sub(" ", self.text[end:after]))
            ):
                break
            chosen.insert(0, k)
        if len(chosen) != len(run) or len({meant[k] for k in chosen}) != len(chosen):
            return None
        return meant[chosen[run.index(claim.index)]]

    def _respectively_behind(
        self, claim: Claim, run: list[int], meant: dict[int, frozenset[str]]
    ) -> frozenset[str] | None:
        """ "3, 4 and 5 for A, B and C": the names follow the figures in their order."""
        at = self.claims[run[-1]].token.end
        chosen: list[int] = []
        for k in sorted(meant):
            start = self.mentions[k].start
            if start < at:
                continue
            joint = _BARE_JOIN if chosen else _FOR_WHOM
            if not joint.fullmatch(_SHORT.sub(" ", self.text[at:start]) if chosen else self.text[at:start]):
                break
            chosen.append(k)
            at = self.mentions[k].end
        if len(chosen) != len(run) or len({meant[k] for k in chosen}) != len(chosen):
            return None
        return meant[chosen[run.index(claim.index)]]

    def _table_of_names(self, parent: int) -> bool:
        """Whether a container lists one quantity under names: means = {A: 1, B: 2}."""
        ev = self.names.evidence
        if parent < 0:
            return False
        if role_of_key(str(ev.node_key[parent])) is not Role.VALUE:
            return True
        members = self.names.children(parent)
        values = [abs(ev.values[i]) for kind, i in members.values() if kind == "leaf"]
        alike = len(values) == len(members) and all(role_of_key(name) is Role.VALUE for name in members)
        return alike and 0 < max(values) <= 10 * min(values) and len({v == round(v) for v in values}) == 1

    def _field_of(self, claim: Claim, k: int, parent: int) -> bool:
        """Whether a name behind a figure may be its own: "513 clicks", not "109 at the 14 sites"."""
        if (claim.index, k) in self.across:
            return False
        between = self.text[claim.token.end : self.mentions[k].start]
        return self._table_of_names(parent) or not re.search(
            r"(?<![^\W_])(?:at|in|for|on|from|with|per|of)(?![^\W_])", between
        )

    def _opens_at(self, k: int, at: int) -> bool:
        """ "6 in the south (512": the figure in brackets is the south's too."""
        return self.text[self.mentions[k].end : at].strip() == "("

    def _runs_on(self, k: int, at: int) -> bool:
        """ "Of 118 A units 9 failed": a name taken by the figure before it still holds in the same clause."""
        gap = self.text[self.mentions[k].end : at]
        i = self.consumed_by.get(k)
        counted = i is not None and not self.text[self.claims[i].token.end : self.mentions[k].start].strip()
        if counted and _PART_OF.match(gap):
            return False  # "171 deaths among 1,801": what was counted first
        return (
            len(gap) < 40
            and not _SWITCH.search(gap)
            and not any(ch in gap.removesuffix("(") for ch in "(){}[]:")
            and not self._figures_between(self.mentions[k].end, at)
        )

    def _is_covariate(self, k: int) -> bool:
        """Named only as held constant: "adjusting for A and B, ..."."""
        known = self._covariates.get(k)
        if known is None:
            start = self.mentions[k].start
            known = (
                _ADJUSTED.search(self.text[max(0, start - 60) : start]) is not None
                or _AS_COVARIATE.match(self.text, self.mentions[k].end) is not None
            )
            self._covariates[k] = known
        return known

    def _figures_between(self, start: int, end: int) -> list[int]:
        first, last = bisect_left(self.token_starts, start), bisect_left(self.token_starts, end)
        return [
            i
            for i in range(first, last)
            if not self.claims[i].token.identifier
            and self.claims[i].token.kind in {Kind.FIGURE, Kind.FRACTION}
        ]

    def _reaches(self, claim: Claim, end: int) -> bool:
        """Whether a name said before still governs the figure: no other figure and switch word lies between."""
        gap = self.text[end : claim.token.start]
        if ";" in gap or "→" in gap:
            return False
        if re.search(r"(?<![^\W_])(?:whereas|while|but)(?![^\W_])", gap):
            return False
        if (
            len(gap) > 40
            and len(_LONG_WORD.findall((_COMMA.split(gap) or [""])[-1])) > 1
            and _COMMA.search(gap)
            and not (
                _INTRODUCES.match(self.text, claim.sentence[0])
                and len(_COMMA.findall(self.text[claim.sentence[0] : claim.token.start])) == 1
            )
        ):
            return False
        same = self._lists.get(claim.index, ())
        between = [
            i
            for i in self._figures_between(end, claim.token.start)
            if i not in same and not self._year_of_name(i, end)
        ]
        if not between or claim.partner in between:
            between = [i for i in between if i != claim.partner]
            if not between:
                return True
        opened = self.text.rfind("(", end, claim.token.start)
        if opened > end and ")" not in self.text[opened : claim.token.start]:
            outside = self.text[end:opened].rsplit(")", 1)
            if len(outside) == 2 and re.search(r"[^\W\d_]{2}", outside[1]):
                return False
        if claim.strength == STRONG or claim.plus_minus or claim.bracketed or claim.interval:
            return not re.search(
                r"(?<![^\W_])(?:whereas|while|but|against|versus|vs|than|others?)(?![^\W_])", gap
            )
        tail = self.text[self.claims[between[-1]].token.end : claim.token.start]
        return not _SWITCH.search(tail)

    def _year_of_name(self, i: int, end: int) -> bool:
        """ "Smith (2004)": the year right behind a name is part of it."""
        token = self.claims[i].token
        return (
            token.integer
            and 1500 <= token.value <= 2100
            and token.text.isdigit()
            and not self.text[end : token.start].strip(" (,")
        )

    @staticmethod
    def _other_kind(node: int, a: float, b: float) -> bool:
        return _far(a, b) or (
            node == -1 and (_unlike(a, b) or max(abs(a), abs(b)) > 60 * min(abs(a), abs(b)))
        )

    def error_term(self, name: str, node: int) -> bool:
        """Whether a level is the residual line of a table of variance."""
        return name.casefold() in _ERROR_TERMS or not _ERROR_TERMS.isdisjoint(
            self.names.node_alias.get(node, ())
        )

    def _is_whole(self, claim: Claim) -> bool:
        """ "Successes (46/71)": the second figure is what the first is a part of."""
        return bool(
            _WHOLE.search(self.text[max(claim.sentence[0], claim.token.start - 24) : claim.token.start])
        )

    @staticmethod
    def _says_symbol(claim: Claim, leaf: Leaf) -> bool:
        """ "Agreement: κ = 0.68": the symbol before the figure names this number, whatever else is named."""
        label = claim.label
        if label is None or claim.strength != STRONG:
            return False
        return label.symbol not in {"", "p"} and label.symbol in {
            symbol_of_key(leaf.key),
            leaf.key.casefold(),
        }

    def conflict(self, claim: Claim, leaf: Leaf) -> int | None:
        """Index of the number that the sentence speaks of instead of this one; None without a conflict."""
        ev = self.names.evidence
        if (claim.from_to and claim.index not in self.post) or claim.listed:
            return None
        path = set(map(str, leaf.path))
        if leaf.index in self.names.row_ids:
            return None  # the number that names a row
        for parent, name, node in self.names.siblings_at(leaf):
            if len(self.names.children(parent)) < 2 or (node == -1 and role_of_key(name) is not Role.VALUE):
                continue
            allowed = self.governing(claim, parent, flat=node == -1)
            if allowed is None or name in allowed or (claim.in_df and self.error_term(name, node)):
                continue
            if node == -1 and (self._says_symbol(claim, leaf) or self._is_whole(claim)):
                continue
            if allowed & path:
                continue  # rows and columns of one matrix: the name said stands elsewhere in the address
            for other in sorted(allowed):
                child = self.names.children(parent).get(other)
                if child is None:
                    continue
                kind, index = child
                found = self.names.analog(
                    leaf, node, index if kind == "node" else None, index if kind == "leaf" else None
                )
                if (
                    found is not None
                    and ev.leaf(found).role is leaf.role
                    and (
                        leaf.role is Role.P_VALUE or not self._other_kind(node, leaf.value, ev.values[found])
                    )
                ):
                    return found
                if found is None and kind == "node" and len(allowed) == 1 and self._lacks(leaf, node, index):
                    return leaf.index
        return None

    def _lacks(self, leaf: Leaf, node: int, other: int) -> bool:
        """Whether the sibling the sentence names has the other numbers of this object, but not this one."""
        if leaf.node != node:
            return False
        mine, theirs = self.names.children(node), self.names.children(other)
        return leaf.key not in theirs and len(set(mine) & set(theirs)) >= 2
