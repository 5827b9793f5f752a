"""The two ends of an interval: which is lower, which is upper, and whether they belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from statistikles.results.roles import Role

from .claims import Claim
from .evidence import Leaf
from .matching import Hit, Outcome
from .report import FAULTS, Verdict
from .words import word_set

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["Ends", "end_of", "other_end"]


R = Role
_LOW = word_set("lo low lower lcl lwr min minimum q1 q25 p25 start from ll lb left first")
_HIGH = word_set("hi high higher upper ucl upr max maximum q3 q75 p75 end to ul ub right last")
_KEY_WORD = re.compile(r"[a-z]+\d*|\d+(?:\.\d+)?")
_BOUNDED = frozenset({R.CONF_BOUND, R.RANGE, R.QUANTILE})
_BOUND_KEY = re.compile(r"ci|ki|ic|int|range|iqr|limit|bound|hdi|pi\b|band", re.IGNORECASE)
_LEVELS = 4  # how far up the results an object may hold its figures


def _key_words(key: str) -> list[str]:
    return _KEY_WORD.findall(key.casefold())


def end_of(leaf: Leaf, judge: Judge) -> int:
    """0 for a lower end, 1 for an upper end, -1 for what is no end of anything."""
    last = leaf.path[-1]
    if isinstance(last, int):
        ev = judge.evidence
        bounded = leaf.role in _BOUNDED or _BOUND_KEY.search(leaf.key) is not None
        return last if bounded and last < 2 and ev.node_size[leaf.node] == 2 else -1
    words = _key_words(last)
    if not _LOW.isdisjoint(words) or last in {"2.5%", "25%"}:
        return 0
    return 1 if not _HIGH.isdisjoint(words) or last in {"97.5%", "75%"} else -1


def other_end(leaf: Leaf, judge: Judge) -> int | None:
    """Index of the number that closes the interval a bound opens, or opens the one it closes."""
    mine = end_of(leaf, judge)
    if mine < 0:
        return None
    kids = judge.names.children(leaf.node)
    last = leaf.path[-1]
    if isinstance(last, int):
        kind, index = kids.get(str(1 - last), ("", -1))
        return index if kind == "leaf" else None
    rest = [w for w in _key_words(last) if w not in _LOW | _HIGH]
    for name, (kind, index) in kids.items():
        if kind != "leaf" or index == leaf.index:
            continue
        words = _key_words(name)
        if [w for w in words if w not in _LOW | _HIGH] == rest and len(words) == len(_key_words(last)):
            other = judge.evidence.leaf(index)
            if end_of(other, judge) == 1 - mine:
                return index
    return None


class Ends:
    """Checks intervals, and holds what all readings of neighbouring figures share."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.text, self.claims, self.evidence, self.names = (
            judge.text,
            judge.claims,
            judge.evidence,
            judge.names,
        )

    def _candidates(self, i: int) -> list[Hit]:
        """The computed numbers a figure may stand for, also when only its neighbours spoke against it."""
        outcome = self.judge.outcomes.get(i)
        return (outcome.hits or outcome.held) if outcome is not None else []

    def _flag(self, i: int, verdict: Verdict, reason: str, leaf: Leaf | None = None) -> None:
        self.judge.outcomes[i] = Outcome(verdict, reason, leaf=leaf)

    def _restore(self, i: int) -> None:
        outcome = self.judge.outcomes[i]
        if outcome.verdict in FAULTS and outcome.held:
            leaf = outcome.held[0].leaf
            self.judge.outcomes[i] = Outcome(
                Verdict.COMPUTED, f"{leaf.address} is {leaf.value:.10g}", leaf.address, outcome.held
            )

    def _above(self, node: int) -> Iterator[int]:
        for _ in range(_LEVELS):
            if node < 0:
                return
            yield node
            node = self.evidence.node_parent[node]

    def _intervals(self) -> None:
        for a in self.claims:
            if a.partner < 0 or a.is_upper or (a.from_to and not a.bracketed):
                continue
            b = self.claims[a.partner]
            low, high = self._candidates(a.index), self._candidates(b.index)
            if low and high:
                self._ends(a, b, low, high)

    def _side(self, hit: Hit) -> int:
        side = end_of(hit.leaf, self.judge)
        return 1 - side if side >= 0 and hit.form in {"neg", "pct_neg"} else side

    def _ends(self, a: Claim, b: Claim, low: list[Hit], high: list[Hit]) -> None:
        """The first figure must be a lower end, the second the upper end of the same interval."""
        mates = {h.leaf.index: other_end(h.leaf, self.judge) for h in (*low, *high)}
        if any(mates[x.leaf.index] == y.leaf.index for x in low for y in high):
            if all(self._side(x) == 1 for x in low) and a.token.value > b.token.value:
                self._flag(
                    a.index, Verdict.MISLABELLED, f"{low[0].leaf.address} is the upper end", low[0].leaf
                )
            return
        closed = [mates[h.leaf.index] for h in low]
        opened = [mates[h.leaf.index] for h in high]
        if self._spans_all(low[0].leaf, high[0].leaf):
            return
        left = all(m is not None for m in closed) and all(self._side(h) != 1 for h in low)
        right = all(m is not None for m in opened) and all(self._side(h) != 0 for h in high)
        if left and right:
            first = self._support(a, low) < self._support(b, high)
            left, right = not first, first
        if left and closed[0] is not None:
            mate = self.evidence.leaf(closed[0])
            self._flag(
                b.index, Verdict.MISLABELLED, f"{mate.address} is the other end of the interval", high[0].leaf
            )
        elif right and opened[0] is not None:
            mate = self.evidence.leaf(opened[0])
            self._flag(
                a.index, Verdict.MISLABELLED, f"{mate.address} is the other end of the interval", low[0].leaf
            )

    def _spans_all(self, low: Leaf, high: Leaf) -> bool:
        """The smallest minimum and the largest maximum of several parts bound the whole."""
        if low.role is not R.MINIMUM or high.role is not R.MAXIMUM:
            return False
        a, b = self._family(low), self._family(high)
        return bool(a) and bool(b) and low.value <= min(a) and high.value >= max(b)

    def _family(self, leaf: Leaf) -> list[float]:
        """The same quantity of every sibling."""
        parent = self.evidence.node_parent[leaf.node]
        kids = self.names.children(parent).values() if parent >= 0 else ()
        twins = [self.names.children(i).get(leaf.key) for kind, i in kids if kind == "node"]
        return [self.evidence.values[t[1]] for t in twins if t is not None and t[0] == "leaf"]

    def _support(self, claim: Claim, hits: list[Hit]) -> int:
        """How many other figures of the sentence belong to the object of this one, and whether it is named."""
        nodes = {n for h in hits for n in self._above(h.leaf.node) if self.evidence.node_parent[n] >= 0}
        count = 0
        for c in self.judge.claims_in(*claim.sentence):
            if c.index not in {claim.index, claim.partner} and any(
                h.leaf.node in nodes for h in self._candidates(c.index)
            ):
                count += 1
        named = any(self.judge.scope.speaks_of(claim, h.leaf) for h in hits)
        return count + 3 * named
