"""Which p value a claim speaks of, and whether an inequality about it is true."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from statistikles.results.roles import Role, role_of_key

from .claims import Claim
from .evidence import Leaf
from .matching import Hit, Outcome
from .report import Verdict

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["PValues"]

_PLAIN_P = {"p", "p_value", "pvalue", "pval", "p_val"}
_ALL = re.compile(r"(?<![^\W_])(?:all|both|each|every|tous|toutes|alle|beide)(?![^\W_])", re.IGNORECASE)


_SIDED = re.compile(r"one-?[ ]?sided|one-?[ ]?tailed|einseitig|unilat", re.IGNORECASE)
_SIDE_KEY = re.compile(r"(?:lower|upper|left|right|less|greater)")


class PValues:
    """The p values of the results, found from the figures and names around a claim."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self._of: dict[int, list[int]] = {}
        self._every: list[int] | None = None

    def every(self) -> list[int]:
        """Indices of all p values (at most a few hundred)."""
        if self._every is None:
            ev = self.judge.evidence
            found: list[int] = []
            for indices in ev.leaf_names.values():
                found.extend(i for i in indices[:300] if ev.leaf(i).role is Role.P_VALUE)
            self._every = sorted(found)
        return self._every

    def of_leaf(self, leaf: Leaf) -> list[int]:
        """The p values that belong to a number: under its own name in a table of p values, else its object's."""
        names, ev = self.judge.names, self.judge.evidence
        for kind, index in names.children(leaf.node).values():
            if kind == "node" and role_of_key(str(ev.node_key[index])) is Role.P_VALUE:
                twin = names.children(index).get(leaf.key)
                if twin is not None and twin[0] == "leaf":
                    return [twin[1]]
        if own := self._of_same_stem(leaf):
            return own
        return self.of_object(leaf.node)

    def _of_same_stem(self, leaf: Leaf) -> list[int]:
        """The p value that stands beside a statistic under its name: Q and Qp, lr_chi2 and lr_p."""
        key = leaf.key.casefold()
        if leaf.role not in {Role.STATISTIC, Role.VALUE, Role.CORRELATION} or len(key) > 24:
            return []
        head = key.rsplit("_", 1)[0]
        wanted = {
            f"{key}p",
            f"{key}_p",
            f"p_{key}",
            f"p{key}",
            f"{key}_pval",
            f"{key}_pvalue",
            f"{key}_p_value",
        }
        if head != key:
            wanted |= {f"{head}_p", f"{head}_pval", f"{head}_pvalue", f"{head}_p_value", f"p_{head}"}
        return [
            index
            for name, (kind, index) in self.judge.names.children(leaf.node).items()
            if kind == "leaf" and name.casefold() in wanted
        ]

    def of_object(self, node: int) -> list[int]:
        """The p values that belong to an object: its own, else those of what holds it."""
        known = self._of.get(node)
        if known is not None:
            return known
        names, ev = self.judge.names, self.judge.evidence
        at = node
        found: list[int] = []
        while at >= 0 and not found:
            kids = names.children(at)
            found = [i for kind, i in kids.values() if kind == "leaf" and ev.leaf(i).role is Role.P_VALUE]
            if not found:
                for kind, i in kids.values():
                    if kind == "node" and role_of_key(str(ev.node_key[i])) is Role.P_VALUE:
                        found.extend(x for k, x in names.children(i).values() if k == "leaf")
            at = ev.node_parent[at]
        # An object's plain p value speaks for it; one-sided and corrected ones stand beside.
        found = [i for i in found if str(ev.keys[i]).casefold() in _PLAIN_P] or found
        self._of[node] = found
        return found

    def about(self, claim: Claim) -> tuple[list[int], bool]:
        """(p values the claim may speak of, whether all of them must satisfy it)."""
        judge = self.judge
        lead = judge.text[max(claim.sentence[0], claim.token.start - 50) : claim.token.start]
        everyone = _ALL.search(lead) is not None
        anchors = self._anchors(claim, everyone)
        if anchors:
            return anchors, everyone
        pool = self.every()
        fitting = [i for i in pool if judge.scope.conflict(claim, judge.evidence.leaf(i)) is None]
        fitting = [i for i in fitting if judge.scope.speaks_of(claim, judge.evidence.leaf(i))] or fitting
        if fitting and len(fitting) < len(pool):
            # Said of a whole analysis, p is the one that leads its result, not those of its parts.
            top = min(len(judge.evidence.leaf(i).path) for i in fitting)
            return [i for i in fitting if len(judge.evidence.leaf(i).path) == top], True
        return pool, False

    def _anchors(self, claim: Claim, everyone: bool) -> list[int]:
        judge = self.judge
        found: list[int] = []
        i = claim.follows
        if not everyone and (named := self._named_since(claim)):
            return named
        while i >= 0:
            prior = judge.claims[i]
            hits = judge.matcher.found.get(i, [])
            if hits and not (prior.label is not None and prior.label.id == "n"):
                of = [p for h in hits for p in self.of_leaf(h.leaf)]
                # a figure that fits several objects anchors nothing
                sets = {tuple(self.of_leaf(h.leaf)) for h in hits}
                if of and (len(sets) == 1 or prior.strength):
                    found.extend(p for p in of if p not in found)
                    if not everyone:
                        return self._by_name(claim, found)
            i = prior.follows
        return found

    def _one_sided(self, claim: Claim) -> list[int]:
        """ "Both one-sided tests p < .001": the pair of one-sided p values of the object in hand."""
        judge = self.judge
        if not _SIDED.search(judge.text, max(claim.sentence[0], claim.token.start - 50), claim.token.start):
            return []
        sided = [i for i in self.every()[:200] if _SIDE_KEY.search(str(judge.evidence.keys[i]).casefold())]
        i = claim.follows
        while i >= 0:
            roots = {h.leaf.result_id for h in judge.matcher.found.get(i, [])}
            here = [k for k in sided if judge.evidence.leaf(k).result_id in roots]
            if len(roots) == 1 and here:
                return here
            i = judge.claims[i].follows
        return sided if len(sided) == 2 else []

    def _in_bracket_behind(self, claim: Claim) -> list[int]:
        """ "stays above .05 (LM = 3.2, p = .073)": the p value in the bracket right behind a threshold."""
        judge, at = self.judge, claim.token.end
        if judge.text[at : at + 2] != " (":
            return []
        close = judge.text.find(")", at)
        for c in judge.claims_in(at, min(close, claim.sentence[1])) if close > 0 else ():
            if c.label is not None and c.label.id == "p" and not c.comparator:
                return [h.leaf.index for h in judge.matcher.hits(c) if h.leaf.role is Role.P_VALUE][:4]
        return []

    def _named_since(self, claim: Claim) -> list[int]:
        """ "..., and so is B with p < .05": the p values of what is named between the last figure and this one."""
        judge = self.judge
        if claim.follows < 0:
            return []
        after = judge.claims[claim.follows].token.end
        mentions = judge.scope.mentions_between(after, claim.token.start)
        if not mentions:
            return []
        owned = [
            i
            for i in self.every()[:200]
            if any(
                name in judge.scope.children_meant(parent, mentions[-1])
                for parent, name, _ in judge.names.siblings_at(judge.evidence.leaf(i))
            )
        ]
        plain = [i for i in owned if str(judge.evidence.keys[i]).casefold() in _PLAIN_P] or owned
        return plain if len(plain) == 1 else []

    def _by_name(self, claim: Claim, found: list[int]) -> list[int]:
        judge = self.judge
        kept = [i for i in found if judge.scope.conflict(claim, judge.evidence.leaf(i)) is None]
        return kept or found

    def inequality(self, claim: Claim) -> Outcome | None:
        """p < .001 and its kin, judged by the p values it speaks of."""
        judge, value = self.judge, claim.token.value
        below = claim.comparator == "<"
        pool, every = self.about(claim)
        if not pool:
            return None
        pool = self._one_sided(claim) or self._in_bracket_behind(claim) or pool
        leaves = [judge.evidence.leaf(i) for i in pool]
        true = [x for x in leaves if (x.value < value if below else x.value > value)]
        if true and (len(true) == len(leaves) or not every):
            return Outcome(
                Verdict.COMPUTED,
                f"{true[0].address} is {true[0].value:.3g}",
                true[0].address,
                [Hit(x, "same") for x in true[:4]],
            )
        if judge.user_match(claim.token) and re.search(
            r"(?<![^\W_])(?:target|threshold|your|you|required?|requirement|needed|goal|criterion|want\w*)(?![^\W_])",
            judge.text[max(claim.sentence[0], claim.token.start - 32) : claim.token.start],
        ):
            return Outcome(Verdict.USER, "typed by the user", "user")
        lead = judge.text[max(claim.sentence[0], claim.token.start - 60) : claim.token.start]
        tail = judge.text[claim.token.end : min(claim.sentence[1], claim.token.end + 50)].split(". ")[0]
        if re.search(
            r"\b(?:threshold|cut-?off|conventional\w*|usual|criterion|level|if|would|when|requires?|needs?)\b",
            lead + tail,
        ):
            return Outcome(Verdict.CONVENTION, "a significance level")
        wrong = next(x for x in leaves if x not in true)
        return Outcome(Verdict.FALSE_INEQUALITY, f"{wrong.address} is {wrong.value:.4g}")
