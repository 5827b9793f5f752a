"""Numbers printed together must belong together: p beside its statistic, bounds of one interval, SD of its mean."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from statistikles.results.roles import Role, role_of_key

from .claims import STRONG, Claim
from .entities import name_words
from .evidence import Leaf
from .labelling import Fault
from .lexicon import Label, compatible
from .matching import Hit
from .report import Verdict

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["Companions"]

R = Role
_BESIDE = frozenset({"p", "eta2", "omega2", "d", "g", "v", "t", "z", "f"})
_ADJACENT = re.compile(
    r"^[)\]\s]*[,;(]?[\s(]*(?:and )?(?:(?:with )?(?:partial|Cohen['’]s|Hedges['’]|Cramér['’]s|Cramer['’]s|adjusted|corrected|an?)[ ])*[\w²η_]{1,4}(?:[ -]?values?)?[ ]*[=≈:][ ]*$"
)
_THEN_P = re.compile(r"[)\]\s]*,?[ ]?p[ ]?[=<>≤≥≈][ ]?")
_PARALLEL = re.compile(
    r"(?<![^\W_])(?:and|vs\.?|versus|against|compared|et|und|while|whereas|contre|to)(?![^\W_])|[,;]"
)
_MARGIN = re.compile(r"moe|margin|half_?width", re.IGNORECASE)
_CI_GAP = re.compile(
    r"^[ ]*[,;]?[ ]*[(\[]?[ ]*(?:(?:with[ ])?(?:an?[ ])?\d\d(?:\.\d)?[ ]?-?%?[- ]*(?:CI|confidence interval|IC|KI)?[ ]*(?:of|from|:|=)?[ ]*)?[(\[]?[ ]*$"
)


class Companions:
    """Checks that keep, of the numbers a figure may stand for, those that belong to what stands beside it."""

    def __init__(self, judge: Judge) -> None:
        self.text, self.claims = judge.text, judge.claims
        self.evidence, self.names, self.scope = judge.evidence, judge.names, judge.scope
        self.matcher, self.pvalues = judge.matcher, judge.pvalues

    def check(self, claim: Claim, hits: list[Hit]) -> tuple[list[Hit], Fault | None]:
        for check in (
            self._p_companion,
            self._sd_companion,
            self._pair_companion,
            self._spread_companion,
            self._parallel_companion,
            self._anchor_preference,
        ):
            hits, fault = check(claim, hits)
            if fault is not None:
                return hits, fault
        return hits, None

    def _prior(self, claim: Claim) -> tuple[Claim | None, list[Hit], str]:
        i = claim.follows
        if i < 0:
            return None, [], ""
        prior = self.claims[i]
        return prior, self.matcher.found.get(i, []), self.text[prior.token.end : claim.token.start]

    def _p_companion(self, claim: Claim, hits: list[Hit]) -> tuple[list[Hit], Fault | None]:
        """A p value or effect size printed right behind a statistic belongs to the same object."""
        label = claim.label
        if label is None or claim.strength != STRONG or label.id not in _BESIDE or claim.cell is not None:
            return hits, None
        prior, before, gap = self._prior(claim)
        if (
            prior is None
            or not before
            or (prior.strength != STRONG and label.id != "p")
            or not _ADJACENT.match(gap)
        ):
            return hits, None
        if prior.label is not None and prior.label.id == "p" and label.id != "p" and prior.follows >= 0:
            middle = self.text[self.claims[prior.follows].token.end : prior.token.start]
            prior, before = self.claims[prior.follows], self.matcher.found.get(prior.follows, [])
            if prior.strength != STRONG or not before or not _THEN_P.fullmatch(middle):
                return hits, None
        if prior.label is not None and prior.label.id in {label.id, "p", "n"}:
            return hits, None
        own: set[int] = set()
        for h in before:
            if label.id == "p":
                own.update(self.pvalues.of_leaf(h.leaf))
                own.update(x.leaf.index for x in hits if x.leaf.node == h.leaf.node)  # corrected ones beside
            else:
                own.update(self._labelled_in(h.leaf.node, label))
        if not own:
            return hits, None
        kept = [h for h in hits if h.leaf.index in own]
        if kept:
            return kept, None
        address = self.evidence.leaf(min(own)).address
        return hits, Fault(
            Verdict.WRONG_GROUP,
            f"{hits[0].leaf.address} has this value; the figures beside it belong to {address}",
        )

    def _labelled_in(self, node: int, label: Label) -> list[int]:
        """The numbers an object holds under a label."""
        found = []
        for kind, index in self.names.children(node).values():
            if kind == "leaf":
                leaf = self.evidence.leaf(index)
                if (
                    leaf.role in label.roles
                    and leaf.role is not R.VALUE
                    and compatible(label, leaf.name, leaf.role)
                ):
                    found.append(index)
        return found

    def _pair_companion(self, claim: Claim, hits: list[Hit]) -> tuple[list[Hit], Fault | None]:
        if not claim.is_upper or claim.partner < 0:
            return self._interval_owner(claim, hits)
        lower = self.matcher.found.get(claim.partner, [])
        if not lower:
            return hits, None
        nodes = {h.leaf.node for h in lower}
        kept = [h for h in hits if h.leaf.node in nodes]
        if kept:
            return kept, None
        if (ends := self._other_range(claim, lower, hits)) is not None:
            return hits, ends
        bounds = [h for h in lower if h.leaf.role is R.CONF_BOUND]
        if len(bounds) == len(lower) and all(h.leaf.role is not R.CONF_BOUND or True for h in hits):
            a = lower[0].leaf.address
            return hits, Fault(
                Verdict.MISLABELLED, f"{hits[0].leaf.address} does not belong to the same interval as {a}"
            )
        return hits, None

    def _other_range(self, claim: Claim, lower: list[Hit], upper: list[Hit]) -> Fault | None:
        """ "From 299 to 479" with the minimum of one object and the maximum of its sibling."""
        if not all(h.leaf.role is R.MINIMUM for h in lower) or not all(
            h.leaf.role is R.MAXIMUM for h in upper
        ):
            return None
        for h in lower:
            twin = self.names.children(h.leaf.node).get(upper[0].leaf.key)
            if not self.scope.speaks_of(claim, h.leaf) and not self.scope.speaks_of(claim, upper[0].leaf):
                continue
            if twin is not None and twin[0] == "leaf":
                own = self.evidence.leaf(twin[1])
                return Fault(
                    Verdict.WRONG_GROUP,
                    f"{upper[0].leaf.address} has this value; the range here ends at {own.address}",
                    upper[0].leaf,
                )
        return None

    def _interval_owner(self, claim: Claim, hits: list[Hit]) -> tuple[list[Hit], Fault | None]:
        """An interval printed right behind an estimate is that estimate's own."""
        if not claim.interval or claim.is_upper:
            return hits, None
        i = claim.follows
        while i >= 0 and self.claims[i].level:
            i = self.claims[i].follows
        before = self.matcher.found.get(i, []) if i >= 0 else []
        if not before:
            return hits, None
        gap = self.text[self.claims[i].token.end : claim.token.start]
        if len(gap) > 40 or not re.match(r"^[^.;\n]{0,16}[,(\[][^.;\n]*$", gap):
            return hits, None
        nodes = {h.leaf.node for h in before}
        kept = [h for h in hits if self._under(h.leaf.node, nodes)]
        if kept or not _CI_GAP.match(gap):
            return (kept or hits), None
        owns = [self._bounds_of(node) for node in sorted(nodes)]
        own = owns[0]
        if all(owns):
            return hits, Fault(
                Verdict.WRONG_GROUP,
                f"{hits[0].leaf.address} has this value; the interval of the estimate before it is {own}",
            )
        return hits, None

    def _bounds_of(self, node: int) -> str:
        """Address of a confidence bound that an object holds, "" when none."""
        for kind, index in self.names.children(node).values():
            if kind == "leaf" and self.evidence.leaf(index).role is R.CONF_BOUND:
                return self.evidence.leaf(index).address
            if kind == "node" and role_of_key(str(self.evidence.node_key[index])) is R.CONF_BOUND:
                return self.evidence.address(self.evidence.path_of_node(index))
        return ""

    def _under(self, node: int, tops: set[int]) -> bool:
        for _ in range(3):
            if node in tops:
                return True
            node = self.evidence.node_parent[node] if node >= 0 else -1
        return False

    def _sd_companion(self, claim: Claim, hits: list[Hit]) -> tuple[list[Hit], Fault | None]:
        """The SD or SE named behind a figure is that of the same object, when it has one."""
        label = claim.label
        if (
            label is None
            or label.id not in {"sd", "se", "variance"}
            or claim.strength != STRONG
            or claim.cell is not None
        ):
            return hits, None
        _, before, gap = self._prior(claim)
        nodes = {h.leaf.node for h in before}
        inside = "(" in self.text[max(0, claim.token.start - 60) : claim.token.start].rpartition(")")[2]
        if len(nodes) != 1 or len(gap) > 48 or (";" in gap and not inside):
            return hits, None
        kept = [h for h in hits if h.leaf.node in nodes]
        if kept or any(self.scope.speaks_of(claim, h.leaf) for h in hits):
            return (kept or hits), None
        for kind, index in self.names.children(next(iter(nodes))).values():
            if kind == "leaf" and self.evidence.leaf(index).role in label.roles:
                own = self.evidence.leaf(index).address
                return hits, Fault(
                    Verdict.MISLABELLED, f"{hits[0].leaf.address} has this value; here it would be {own}"
                )
        return hits, None

    def _spread_companion(self, claim: Claim, hits: list[Hit]) -> tuple[list[Hit], Fault | None]:
        """What follows a plus-minus is a spread of the object before it, when that object has one."""
        if not claim.plus_minus or any(_MARGIN.search(h.leaf.key) for h in hits):
            return hits, None
        _, before, gap = self._prior(claim)
        if not before or len(gap) > 14:
            return hits, None
        nodes = {h.leaf.node for h in before}
        kept = [h for h in hits if h.leaf.node in nodes]
        if kept:
            return kept, None
        for node in nodes:
            for kind, index in self.names.children(node).values():
                if kind == "leaf" and self.evidence.leaf(index).role in {R.STD_DEV, R.STD_ERROR}:
                    own = self.evidence.leaf(index).address
                    return hits, Fault(
                        Verdict.MISLABELLED,
                        f"{hits[0].leaf.address} has this value; the spread here is {own}",
                    )
        return hits, None

    def _parallel_companion(self, claim: Claim, hits: list[Hit]) -> tuple[list[Hit], Fault | None]:
        """In "a median of 3 and, for B, 4" the second number is a median too."""
        prior, before, gap = self._prior(claim)
        if prior is not None and prior.label is not None and prior.label.id in {"n", "df", "p"}:
            return hits, None
        if (
            prior is None
            or claim.strength
            or not before
            or claim.cell is not None
            or claim.plus_minus
            or claim.interval
        ):
            return hits, None
        if len(gap) > 60 or "(" in gap or ")" in gap or not _PARALLEL.search(gap):
            return hits, None
        p = before[0].leaf
        kept = []
        fault: Fault | None = None
        for hit in hits:
            leaf = hit.leaf
            siblings = (
                leaf.node != p.node
                and self.evidence.node_parent[leaf.node] == self.evidence.node_parent[p.node]
                # two results of different methods are not two rows of one table
                and self.evidence.text_of(leaf.node, "method") == self.evidence.text_of(p.node, "method")
            )
            alike = prior.strength or (
                prior.token.decimals == claim.token.decimals
                and prior.token.percent == claim.token.percent
                and (claim.token.decimals > 0 or claim.token.percent)
                and not prior.interval
                and not prior.comparator
                and p.role is not R.CONF_BOUND
                and all(h.leaf.key != leaf.key for h in before)
                and self.scope.speaks_of(claim, leaf)
                and len(gap) < 40
            )
            if (
                siblings
                and leaf.key != p.key
                and (alike or self._key_before(prior, p, leaf))
                and leaf.key not in self._keys_before(prior)
                and not self._said_in(prior.token.end, claim.token.start, leaf, p)
            ):
                twin = self.names.children(leaf.node).get(p.key)
                if self.matcher.labelling.adjusted_sibling(claim, p) is not None:
                    return hits, None  # the first figure is the odd one
                if twin is not None and twin[0] == "leaf":
                    fault = Fault(
                        Verdict.MISLABELLED,
                        f"{leaf.address} has this value; the sentence speaks of {self.evidence.leaf(twin[1]).address}",
                    )
                    continue
            kept.append(hit)
        return (kept, None) if kept else (hits, fault)

    def _key_before(self, prior: Claim, p: Leaf, leaf: Leaf) -> bool:
        """ "An MAE of 62.9 against 233.2": the key of the first figure was said right before it, the other's was not."""
        near = {
            w.text.casefold()
            for w in self.scope.layout.words_between(prior.token.start - 20, prior.token.start)[-3:]
        }
        own = set(p.key.casefold().split("_")) - set(leaf.key.casefold().split("_"))
        return any(len(w) >= 3 for w in own & near)

    def _said_in(self, start: int, end: int, leaf: Leaf, p: Leaf) -> bool:
        """Whether the words between two figures name the second's key."""
        stems = {w.stem for w in self.scope.layout.words_between(start, end)}
        return bool(stems & (set(name_words(leaf.key)) - set(name_words(p.key))))

    def _keys_before(self, prior: Claim) -> set[str]:
        """ "A of 3 and B of 4, against 5 and 6": the keys of the figures before the last."""
        i = prior.follows
        return {h.leaf.key for h in self.matcher.found.get(i, [])} if i >= 0 else set()

    def _anchor_preference(self, claim: Claim, hits: list[Hit]) -> tuple[list[Hit], Fault | None]:
        """Among equals prefer the object the sentence is already speaking of, then plain forms."""
        if len(hits) < 2:
            return hits, None
        i = claim.follows
        near: set[int] = set()
        for _ in range(3):
            if i < 0:
                break
            near.update(h.leaf.node for h in self.matcher.found.get(i, [])[:4])
            i = self.claims[i].follows
        order = sorted(hits, key=lambda h: (h.form != "same", h.leaf.node not in near))
        return order, None
