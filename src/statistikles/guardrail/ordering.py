"""Names and figures matched by their order: "A, B and C had 3, 4 and 5", "A beat B (6 vs 5)", one subject for a line."""

from __future__ import annotations

import re
from bisect import bisect_left

from .binding import BARE_JOIN, Bindings
from .claims import Claim
from .tokens import Kind

__all__ = ["LONG_WORD", "Orders"]


_VERSUS = re.compile(
    r"^[^\W\d_%]{0,4}[ ]*%?[ ]*(?:vs\.?|versus|against|and|v\.?|gegen|contre)[ ]*[-−–$]?[ ]*$"
)
_HEAD_COLON = re.compile(r"[*`\"']{0,2}[ ]?(?:\([^()]{0,40}\))?[*`]{0,2}[ ]?:")
_PAREN = re.compile(r"\([^()]*\)")
_FOR_WHOM = re.compile(
    r"[ ]?%?\)?[ ](?:[^\W\d_]+[ ])?(?:for|in|on|at|among|with|of|für|bei|in|pour|dans|chez)[ ](?:the[ ])?"
)
_SHORT = re.compile(r"[ ](?:the|in|for|of|at|on)[ ]")
_WIDENS = re.compile(
    r"(?<![^\W_])(?:than|against|vs|versus|compared|others?|rest|remaining|overall|total|all|both|each|every|whereas|while|but|average|together|combined|"
    r"from|to|difference|between|without|instead|before|after|reference|baseline|control|pooled|model|test|also|and)(?![^\W_])|[;:→]",
    re.IGNORECASE,
)
LONG_WORD = re.compile(r"[^\W\d_]{3,}")


class Orders(Bindings):
    """Readings that go by the order of names and figures."""

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
        if len(LONG_WORD.findall(head)) > 2 or claim.interval or claim.in_df:
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
                chosen and not BARE_JOIN.fullmatch(_SHORT.sub(" ", self.text[end:after]))
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
            joint = BARE_JOIN if chosen else _FOR_WHOM
            if not joint.fullmatch(_SHORT.sub(" ", self.text[at:start]) if chosen else self.text[at:start]):
                break
            chosen.append(k)
            at = self.mentions[k].end
        if len(chosen) != len(run) or len({meant[k] for k in chosen}) != len(chosen):
            return None
        return meant[chosen[run.index(claim.index)]]

    def _figures_between(self, start: int, end: int) -> list[int]:
        first, last = bisect_left(self.token_starts, start), bisect_left(self.token_starts, end)
        return [
            i
            for i in range(first, last)
            if not self.claims[i].token.identifier
            and self.claims[i].token.kind in {Kind.FIGURE, Kind.FRACTION}
        ]

    def _year_of_name(self, i: int, end: int) -> bool:
        """ "Smith (2004)": the year right behind a name is part of it."""
        token = self.claims[i].token
        return (
            token.integer
            and 1500 <= token.value <= 2100
            and token.text.isdigit()
            and not self.text[end : token.start].strip(" (,")
        )
