"""The highest, the lowest, the next: a rank among siblings as a claim of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from statistikles.results.roles import Role, role_of_key

from .claims import Claim
from .entities import name_words
from .evidence import Leaf
from .layout import stem
from .report import Span, Verdict
from .tokens import Kind

if TYPE_CHECKING:
    from .judge import Judge


__all__ = ["SIGNED", "Rankings"]

R = Role
SIGNED = frozenset({R.CORRELATION, R.COEFFICIENT, R.ESTIMATE, R.EFFECT_SIZE})


class Rankings:
    """Reads rank words against the numbers behind the figures of their sentence."""

    def __init__(self, judge: Judge, reply: str) -> None:
        self.judge, self.reply, self.text = judge, reply, judge.text

    def _span(self, start: int, end: int, wrong: bool, reason: str, source: str) -> Span:
        verdict = Verdict.WRONG_DIRECTION if wrong else Verdict.COMPUTED
        return Span(start, end, self.reply[start:end], str(verdict), wrong, reason, source)

    def _leaf_of(self, claim: Claim) -> Leaf | None:
        """The computed number behind a figure, also when only its sign was wrong."""
        outcome = self.judge.outcomes.get(claim.index)
        if outcome is None:
            return None
        if outcome.hits:
            return outcome.hits[0].leaf
        return outcome.leaf if outcome.verdict is Verdict.WRONG_SIGN else None

    def _figures(self, sentence: tuple[int, int]) -> list[Claim]:
        return [
            c
            for c in self.judge.claims_in(*sentence)
            if c.token.kind == Kind.FIGURE and not c.level and not c.token.identifier
        ]

    def _rivals(self, leaf: Leaf) -> list[float]:
        """The same quantity of every sibling, the number itself included."""
        names, ev = self.judge.names, self.judge.evidence
        if role_of_key(leaf.key) is R.VALUE:
            return [ev.values[i] for kind, i in names.children(leaf.node).values() if kind == "leaf"]
        parent = ev.node_parent[leaf.node]
        if parent < 0:
            return []
        found = []
        for kind, index in names.children(parent).values():
            if kind == "node":
                twin = names.children(index).get(leaf.key)
                if twin is not None and twin[0] == "leaf":
                    found.append(ev.values[twin[1]])
        return found

    def _best(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        top = m["up"] is not None
        if (named := self._best_named(m, sentence, top)) is not None:
            return named
        if (had := self._has_best(m, sentence, top)) is not None:
            return had
        after = [
            c for c in self._figures(sentence) if c.token.start >= m.end() and c.token.start - m.end() < 60
        ]
        if not after or re.search(
            r"[;,.]", self.text[m.end() : after[0].token.start].replace(", ", ",", 0)[:-1]
        ):
            return None
        leaf = self._leaf_of(after[0])
        if leaf is None or leaf.role not in {
            R.MEAN,
            R.MEDIAN,
            R.PROPORTION,
            R.PERCENT,
            R.CORRELATION,
            R.COEFFICIENT,
        }:
            return None
        values = self._rivals(leaf)
        if len(values) < 2:
            return None
        mine = abs(leaf.value) if leaf.role in SIGNED else leaf.value
        others = [abs(v) if leaf.role in SIGNED else v for v in values]
        wrong = mine < max(others) if top else mine > min(others)
        return self._span(
            m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.6g} among {len(values)}", leaf.address
        )

    def _most(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        """ "A is the least satisfied: 52 %": the share under that very word must be the smallest of its siblings."""
        after = [c for c in self._figures(sentence) if 0 <= c.token.start - m.end() < 60]
        leaf = self._leaf_of(after[0]) if after else None
        if leaf is None or stem(m["what"]) not in name_words(leaf.key):
            return None
        values, top = self._rivals(leaf), m["up"] is not None
        if len(values) < 2 or "," in self.text[m.end() : after[0].token.start]:
            return None
        wrong = leaf.value != (max(values) if top else min(values))
        return self._span(
            m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.6g} among {len(values)}", leaf.address
        )

    def _has_best(self, m: re.Match[str], sentence: tuple[int, int], top: bool) -> Span | None:
        """ "A has the highest median": A must lead its siblings in what the next word names."""
        scope, names, ev = self.judge.scope, self.judge.names, self.judge.evidence
        word = re.match(r"[ ]([^\W\d_]{2,})", self.text[m.end() : m.end() + 24])
        start = max(sentence[0], m.start() - 28)
        link = re.search(
            r"(?<![^\W_])(?:has|have|had|shows?|showed)[ ](?:by far[ ])?the[ ]$", self.text[start : m.start()]
        )
        if link is None or word is None:
            return None
        left = scope.mentions_between(sentence[0], start + link.start())
        if not left or self.text[left[-1].end : start + link.start()].strip(" *`group"):
            return None
        role, said = role_of_key(word[1]), stem(word[1])
        for parent in scope.parents_of(left[-1]):
            meant = scope.children_meant(parent, left[-1])
            child = names.children(parent).get(next(iter(meant))) if len(meant) == 1 else None
            if child is None or child[0] != "node":
                continue
            for kind, index in names.children(child[1]).values():
                leaf = ev.leaf(index) if kind == "leaf" else None
                if leaf is None or not (
                    said in name_words(leaf.key) or (leaf.role is role and role is not R.VALUE)
                ):
                    continue
                values = self._rivals(leaf)
                if role is R.INFORMATION and said not in name_words(leaf.key):
                    continue
                if len(values) > 1:
                    wrong = leaf.value != (max(values) if top else min(values))
                    return self._span(
                        left[-1].start, m.end(), wrong, f"{leaf.address} is {leaf.value:.6g}", leaf.address
                    )
        return None

    def _best_named(self, m: re.Match[str], sentence: tuple[int, int], top: bool) -> Span | None:
        """ "The highest group is A": A must lead its siblings in some central value."""
        scope, names, ev = self.judge.scope, self.judge.names, self.judge.evidence
        link = re.match(
            r"[^.;,\n\d()]{0,30}?(?<![^\W_])(?:is|was|are|were)[ ](?:the[ ])?",
            self.text[m.end() : min(sentence[1], m.end() + 44)],
        )
        at = m.end() + link.end() if link is not None else -1
        right = scope.mentions_between(at, at + 1) if link is not None else []
        if not right:
            return None
        checked = []
        for parent in scope.parents_of(right[0]):
            meant = scope.children_meant(parent, right[0])
            child = names.children(parent).get(next(iter(meant))) if len(meant) == 1 else None
            if child is None or child[0] != "node":
                continue
            for kind, index in names.children(child[1]).values():
                leaf = ev.leaf(index) if kind == "leaf" else None
                if leaf is not None and leaf.role in {R.MEAN, R.MEDIAN, R.PROPORTION, R.PERCENT}:
                    values = self._rivals(leaf)
                    if len(values) > 1:
                        checked.append((leaf, leaf.value == (max(values) if top else min(values))))
        if not checked:
            return None
        good = any(ok for _, ok in checked)
        leaf = checked[0][0]
        return self._span(
            right[0].start, right[0].end, not good, f"{leaf.address} is {leaf.value:.6g}", leaf.address
        )

    def _next(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        """ "A highest, followed by B": B must come next among the siblings."""
        scope, names, ev = self.judge.scope, self.judge.names, self.judge.evidence
        right = scope.mentions_between(m.end(), min(sentence[1], m.end() + 30))
        before = [c for c in self._figures(sentence) if c.token.end <= m.start()]
        leaf = self._leaf_of(before[-1]) if before else None
        if leaf is None and before:
            leaf = self.judge.outcomes[before[-1].index].leaf
        if not right or leaf is None or ev.node_parent[leaf.node] < 0:
            return None
        flat = role_of_key(leaf.key) is R.VALUE
        parent = leaf.node if flat else ev.node_parent[leaf.node]
        meant = scope.children_meant(parent, right[0])
        if len(meant) != 1:
            return None
        child = names.children(parent).get(next(iter(meant)))
        twin = (
            child
            if flat
            else names.children(child[1]).get(leaf.key)
            if child is not None and child[0] == "node"
            else None
        )
        if twin is None or twin[0] != "leaf":
            return None
        values, mine = self._rivals(leaf), ev.values[twin[1]]
        ranked = sorted(values, reverse=leaf.value >= max(values))
        if leaf.value not in {max(values), min(values)}:
            return None
        wrong = len(ranked) > 1 and mine != ranked[1]
        return self._span(
            right[0].start,
            right[0].end,
            wrong,
            f"{ev.leaf(twin[1]).address} is {mine:.6g}",
            ev.leaf(twin[1]).address,
        )
