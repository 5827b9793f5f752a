"""Second looks at pairs of figures: what stands behind a figure tells whether it was the right one."""

from __future__ import annotations

import re

from statistikles.results.roles import Role

from .claims import STRONG, Claim
from .cohesion import Cohesion
from .evidence import Leaf
from .matching import Hit, Outcome
from .report import Verdict
from .tokens import Kind

__all__ = ["Revisions"]

R = Role
_OWN_STATISTIC = re.compile(r"[^.;:()\d\n]{0,12}[(][^()\d\n]{0,14}?[=≈]?[ ]?[-−–]?")
_OWN_INTERVAL = re.compile(r"[^.;()\d\n]{0,16}[(\[][^()\n]{0,24}?")
_PARTS = re.compile(
    r"(?<![^\W_])(?:and|vs\.?|versus|against|to|but|while|than|or|from|after|before|others?|et|und)(?![^\W_])|[;\n→]",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"(?<![^\W_])(?:against|versus|vs\.?|and|compared (?:to|with)|but|gegen|contre|while|whereas|or)(?![^\W_])|,(?!\d)",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"(?<![^\W_])(?:drop\w*|rise[sn]?|rose|rising|fall\w*|fell|gr[eo]w\w*|climb\w*|declin\w*|go(?:es)?|went|chang\w*|improv\w*|decreas\w*|increas\w*|lower\w*|rais\w*|mov\w*|shift\w*|lifts?|lifted|cuts?|sinkt|sank|steigt|stieg|passe|baisse|augmente)(?![^\W_])[^.;()\n]*$",
    re.IGNORECASE,
)
_ENDS = frozenset({R.MINIMUM, R.MAXIMUM, R.CONF_BOUND, R.QUANTILE})


class Revisions(Cohesion):
    """Adds to the reading of neighbours what only shows once both figures of a pair are matched."""

    def revise(self) -> None:
        """Change the outcomes that cannot stand beside their neighbours."""
        super().revise()
        if not self.judge.computed or self.judge.matcher.evidence_is_large:
            return
        for claim in self.claims:
            if claim.token.kind == Kind.FIGURE and claim.follows >= 0 and claim.cell is None:
                self._outside(claim)
                self._one_subject(claim)
                self._statistic_behind(claim)
                self._named_behind(claim)
                self._from_to(claim)

    def _one_subject(self, claim: Claim) -> None:
        """ "Usual care: 104 patients, 46 stopped": the second figure is of a sibling that nothing names."""
        prior = self.claims[claim.follows]
        first, second = self.judge.outcomes[prior.index], self.judge.outcomes[claim.index]
        gap = self.text[prior.token.end : claim.token.start]
        if claim.in_df or prior.in_df:
            return
        if (
            not first.hits
            or not second.hits
            or claim.interval
            or prior.interval
            or len(gap) > 40
            or _PARTS.search(gap)
        ):
            return
        nodes = {h.leaf.node for h in first.hits}
        if len(nodes) != 1 or self.judge.scope.mentions_between(prior.token.end, claim.token.end + 30):
            return
        node = nodes.pop()
        parent = self.evidence.node_parent[node]
        own = self._twin(second.hits[0].leaf, node)
        if own is None or own.value == second.hits[0].leaf.value or parent < 0:
            return
        if any(h.leaf.node == node or self.evidence.node_parent[h.leaf.node] != parent for h in second.hits):
            return
        if self.judge.scope.speaks_of(claim, own) and not any(
            self.judge.scope.named_in_sentence(claim, h.leaf) and not self._same_name(h.leaf, own)
            for h in second.hits
        ):
            self._flag(
                claim.index,
                Verdict.WRONG_GROUP,
                f"{second.hits[0].leaf.address} has this value; the sentence speaks of {own.address}",
                second.hits[0].leaf,
            )

    def _same_name(self, a: Leaf, b: Leaf) -> bool:
        """Whether a sentence that names one of two numbers names the other by the same word."""
        return self.evidence.node_key[a.node] == self.evidence.node_key[b.node]

    def _outside(self, claim: Claim) -> None:
        """ "2 (95% CI 1.3 to 1.9)": a rounded estimate that its own interval excludes was rounded away."""
        if not claim.interval or claim.is_upper or claim.partner < 0:
            return
        i = claim.follows
        while i >= 0 and self.claims[i].level:
            i = self.claims[i].follows
        high = self.claims[claim.partner]
        if i < 0 or not self.judge.outcomes[i].hits or not self.judge.outcomes[claim.index].hits:
            return
        prior, hit = self.claims[i], self.judge.outcomes[i].hits[0]
        bound = self.judge.outcomes[claim.index].hits[0].leaf
        gap = self.text[prior.token.end : claim.token.start]
        if not _OWN_INTERVAL.fullmatch(gap) or hit.form != "same" or bound.role is not R.CONF_BOUND:
            return
        if prior.token.kind != Kind.FIGURE or hit.leaf.value == prior.token.value or hit.leaf.role is R.COUNT:
            return
        printed, step = prior.token.value, prior.token.step
        near = bound.node in {hit.leaf.node, *self._above(hit.leaf.node)} or hit.leaf.node in set(
            self._above(bound.node)
        )
        if (
            near
            and not claim.token.value - claim.token.step <= printed <= high.token.value + high.token.step
            and step > 10 * claim.token.step
        ):
            self._flag(
                i,
                Verdict.WRONG_ROUNDING,
                f"{hit.leaf.address} is {hit.leaf.value:.6g}, and the interval beside it excludes {prior.token.text}",
                hit.leaf,
            )

    def _statistic_behind(self, claim: Claim) -> None:
        """ "b = 0.23 (t = 18.7)": the t belongs to another object than the b, and that object has a b of its own."""
        label = claim.label
        if label is None or claim.strength != STRONG or label.id not in {"t", "z", "f", "se", "chi2"}:
            return
        prior = self.claims[claim.follows]
        if not _OWN_STATISTIC.fullmatch(self.text, prior.token.end, claim.token.start):
            return
        first, second = self.judge.outcomes[prior.index], self.judge.outcomes[claim.index]
        if not first.hits or not second.hits or first.verdict is not Verdict.COMPUTED:
            return
        near = {n for h in first.hits for n in self._above(h.leaf.node)}
        if any(h.leaf.node in near or self._apart(first.hits, h.leaf) for h in second.hits):
            return
        own = self._twin(first.hits[0].leaf, second.hits[0].leaf.node)
        if own is None or own.value == first.hits[0].leaf.value or own.role in {R.COUNT, R.P_VALUE, R.DF}:
            return
        if any(self._carries(h.leaf.node, second.hits[0].leaf.key) for h in first.hits):
            return  # then the statistic is the odd one, and judged as such
        reason = f"{first.hits[0].leaf.address} has this value; the figure behind it belongs to {own.address}"
        self._flag(prior.index, Verdict.WRONG_GROUP, reason, first.hits[0].leaf)

    def _apart(self, hits: list[Hit], leaf: Leaf) -> bool:
        """Whether one object holds the other, so that both may be said of it."""
        above = set(self._above(leaf.node))
        return any(h.leaf.node in above for h in hits)

    def _twin(self, leaf: Leaf, node: int) -> Leaf | None:
        found = self.names.children(node).get(leaf.key)
        return self.evidence.leaf(found[1]) if found is not None and found[0] == "leaf" else None

    def _carries(self, node: int, key: str) -> bool:
        found = self.names.children(node).get(key)
        return found is not None and found[0] == "leaf"

    def _named_behind(self, claim: Claim) -> None:
        """ "384 as fired against 372 polished": each figure has its name behind it."""
        prior = self.claims[claim.follows]
        if claim.sentence != prior.sentence or not self._other_group(claim.index):
            return
        between = self.text[prior.token.end : claim.token.start]
        if len(between) > 80 or not _AGAINST.search(between):
            return
        if self._is_named_behind(prior) and self._is_named_behind(claim):
            for c in (prior, claim):
                self._accept(c.index)

    def _other_group(self, i: int) -> bool:
        outcome = self.judge.outcomes[i]
        return outcome.verdict is Verdict.WRONG_GROUP and outcome.leaf is not None

    def _is_named_behind(self, claim: Claim) -> bool:
        """Whether the first name behind a figure, before the next one, is that of its number."""
        end = min(
            (c.token.start for c in self.claims[claim.index + 1 : claim.index + 2]), default=len(self.text)
        )
        behind = self.judge.scope.mentions_between(claim.token.end, min(end, claim.token.end + 40))
        outcome = self.judge.outcomes[claim.index]
        leaves = [h.leaf for h in outcome.hits] or ([outcome.leaf] if outcome.leaf is not None else [])
        return any(
            name in self.judge.scope.children_meant(parent, mention)
            for mention in behind[:2]
            for leaf in leaves
            for parent, name, _ in self.names.siblings_at(leaf)
        )

    def _accept(self, i: int) -> None:
        outcome = self.judge.outcomes[i]
        if outcome.verdict is Verdict.WRONG_GROUP and outcome.leaf is not None:
            leaf = outcome.leaf
            self.judge.outcomes[i] = Outcome(
                Verdict.COMPUTED, f"{leaf.address} is {leaf.value:.10g}", leaf.address, [Hit(leaf, "same")]
            )

    def _from_to(self, claim: Claim) -> None:
        """ "Strength drops from 412 to 399": the second is the same quantity as the first, when that exists."""
        prior = self.claims[claim.follows]
        if not (claim.from_to and prior.from_to and claim.partner == prior.index):
            return
        first, second = self.judge.outcomes[prior.index].hits, self.judge.outcomes[claim.index].hits
        if not first or not second or not _CHANGES.search(self.text, claim.sentence[0], prior.token.start):
            return
        if any(h.leaf.role in _ENDS for h in first) or {h.leaf.key for h in first} & {
            h.leaf.key for h in second
        }:
            return
        for hit in second:
            for start in first:
                node = hit.leaf.node
                for _ in range(2):
                    own = self._twin(start.leaf, node) if node >= 0 else None
                    if own is not None and own.index != start.leaf.index and own.value != hit.leaf.value:
                        self._flag(
                            claim.index,
                            Verdict.MISLABELLED,
                            f"{hit.leaf.address} has this value; the sentence speaks of {own.address}",
                            hit.leaf,
                        )
                        return
                    node = self.evidence.node_parent[node] if node >= 0 else -1
