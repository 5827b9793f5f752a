"""Figures that are names, row numbers or counts of members of a result rather than results themselves."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from statistikles.results.roles import Role

from .claims import Claim
from .entities import name_words
from .layout import stem
from .matching import Hit, Outcome
from .report import DIGITS_OF_A_NAME, Verdict
from .tokens import Kind, Token
from .wordclaims import container_of

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["Naming"]

# Nouns that count the members of a design rather than observations.
_MEMBERS = re.compile(
    r"[ -](?:[^\W\d_]+[ -])?(?:groups?|levels?|conditions?|categor\w+|time ?points?|waves?|occasions?|predictors?|variables?|terms?|factors?|comparisons?|"
    r"contrasts?|pairs?|tests?|models?|arms?|clusters?|components?|items?|studies|trials?|cells?|quantiles?|parameters?|coefficients?|samples?|analyses|"
    r"subgroups?|strata|sites?|periods?|Gruppen|groupes|Studien|études)(?![^\W_])",
    re.IGNORECASE,
)
_HYPHEN_NOUN = re.compile(r"[-‐‑]([^\W\d_]{3,})")
_TIME = re.compile(
    r"[ -]?(?:years?|months?|weeks?|days?|hours?|h|minutes?|ans|mois|jours|Jahren?|Monaten?|Tagen?)(?![^\W_])"
)
_QUOTED = re.compile(r"(?:(?<!\w)'|“|\")(?P<in>[^'“”\"\n]{1,80})(?:'|”|\")")


class Naming:
    """Reads a figure as part of a name, a row number or the size of a container."""

    def __init__(self, judge: Judge) -> None:
        self.judge, self.text, self.layout = judge, judge.text, judge.layout
        self.evidence, self.names, self.scope = judge.evidence, judge.names, judge.scope
        self.labelling = judge.matcher.labelling

    def part_of_name(self, claim: Claim) -> Outcome | None:
        token = claim.token
        mention = self.scope.inside_mention(token)
        if mention is not None and (
            mention.start < token.start or mention.end > token.end or token.identifier
        ):
            return Outcome(
                Verdict.STRUCTURAL, "part of a name in the results", next(iter(sorted(mention.names)))
            )
        if mention is not None and claim.cell is not None and claim.cell[1] == 0:
            return Outcome(Verdict.STRUCTURAL, "a row label", next(iter(sorted(mention.names))))
        if mention is not None and token.decimals and not claim.strength and not token.percent:
            return Outcome(
                Verdict.STRUCTURAL, "a case named in the results", next(iter(sorted(mention.names)))
            )
        if token.integer and not token.percent and (name := self._behind_name(token)):
            return Outcome(Verdict.STRUCTURAL, "part of a name in the results", name)
        if mention is not None and token.integer and not token.percent and not claim.strength:
            if token.text in self.names.digit_keys and _TIME.match(self.text, token.end):
                return Outcome(Verdict.STRUCTURAL, "a case named in the results")
            before = self.layout.word_before(token.start)
            if (
                before is not None
                and token.start - before.end == 1
                and self.names.numbered(self.layout, before.text)
            ):
                return Outcome(Verdict.STRUCTURAL, "the number of a named item")
        if token.identifier:
            return Outcome(Verdict.STRUCTURAL, DIGITS_OF_A_NAME)
        return None

    def _behind_name(self, token: Token) -> str:
        """ "a stage of 8 or more" for a key `stage_8plus`."""
        for mention in self.scope.mentions_between(token.start - 30, token.start):
            if token.start - mention.end <= 12 and not any(
                c in self.text[mention.end : token.start] for c in "=(,;:"
            ):
                for name in mention.names:
                    if re.search(rf"(?<!\d){token.value:.0f}(?!\d)", name):
                        return name
        return ""

    def counted_noun(self, claim: Claim) -> Outcome | None:
        """ "The 10-item scale" and "peaks at lag 11" speak of n_items and peak_lag."""
        token = claim.token
        if not token.integer or token.percent or token.kind != Kind.FIGURE or token.value > 1e6:
            return None
        keys: set[str] = set()
        m = _HYPHEN_NOUN.match(self.text[token.end : token.end + 24])
        if m is not None:
            noun = stem(m[1])
            keys = {k for k in self.names.count_keys if name_words(k)[-1:] == (noun,)}
            keys |= {
                k
                for k in self.names.by_word.get(noun, ())[:12]
                if name_words(k)[-1:] == (noun,)
                and k in self.evidence.leaf_names
                and abs(self.evidence.leaf(self.evidence.leaf_names[k][0]).value) <= 400  # no calendar year
            }
        elif (wrong := self._other_noun(claim)) is not None:
            return wrong
        elif claim.label is None:
            keys = {k for k in self.labelling.key_labels(claim) if k in self.evidence.leaf_names}
        leaves = [self.evidence.leaf(i) for k in sorted(keys) for i in self.evidence.leaf_names[k][:6]]
        leaves = [x for x in leaves if x.value == round(x.value) and abs(x.value) < 1e6]
        if not leaves:
            return None
        same = next((x for x in leaves if x.value == token.value), None)
        if same is not None:
            return Outcome(
                Verdict.COMPUTED, f"{same.address} is {same.value:g}", same.address, [Hit(same, "same")]
            )
        if (m is not None and self.judge.user_match(token)) or (m is None and len(keys) > 1):
            return None
        return Outcome(Verdict.MISLABELLED, f"{leaves[0].address} is {leaves[0].value:g}", leaf=leaves[0])

    def _plain_count(self, claim: Claim, nouns: tuple[str, ...]) -> Outcome | None:
        """ "2 replicates" when the results say `replicates: 3`, "13 false positives" when they say `fp: 22`."""
        if len(nouns[-1]) < 5 or len(self.evidence.leaf_names) > 2_000:
            return None
        keys = [k for k in self.names.by_word.get(nouns[0], ()) if name_words(k) == nouns]
        leaves = [self.evidence.leaf(i) for k in keys for i in self.evidence.leaf_names.get(k, ())[:4]]
        if (
            len(leaves) != 1
            or leaves[0].value == claim.token.value
            or leaves[0].value != round(leaves[0].value)
        ):
            return None
        if leaves[0].role not in {Role.VALUE, Role.COUNT} or claim.token.value > leaves[0].value > 400:
            return None
        hits = [h.leaf for h in self.judge.matcher.hits(claim) if h.leaf.value == claim.token.value]
        if any(len(nouns) == 1 or set(name_words(h.key)) & set(nouns) == set(nouns) for h in hits):
            return None
        return Outcome(Verdict.MISLABELLED, f"{leaves[0].address} is {leaves[0].value:g}", leaf=leaves[0])

    def _other_noun(self, claim: Claim) -> Outcome | None:
        """ "48 patients" when 48 is n_obs and n_patients is 24."""
        words = self.layout.words_between(claim.token.end, claim.token.end + 28)[:2]
        if not words or self.text[claim.token.end : words[0].start] != " ":
            return None
        nouns = {w.stem for w in words if w.text.islower() and len(w.text) > 3}
        said = [k for k in self.names.count_keys if name_words(k)[-1:] and name_words(k)[-1] in nouns]
        for names in ((words[0].stem,), tuple(w.stem for w in words)):
            if (plain := self._plain_count(claim, names)) is not None:
                return plain
        leaves = [self.evidence.leaf(i) for k in said for i in self.evidence.leaf_names[k][:6]]
        if len(leaves) != 1 or leaves[0].value == claim.token.value:
            return None
        hits = [h.leaf for h in self.judge.matcher.hits(claim) if h.leaf.value == claim.token.value]
        before = {w.stem for w in self.layout.words_between(claim.sentence[0], claim.token.start)[-6:]}
        if any(name_words(h.key)[-1] in before for h in hits if name_words(h.key)):
            return None  # "with a relapse (7 patients)" is n_relapse
        if not hits or any(h.key not in self.names.count_keys or h.node != leaves[0].node for h in hits):
            return None
        return Outcome(Verdict.MISLABELLED, f"{leaves[0].address} is {leaves[0].value:g}", leaf=leaves[0])

    def members(self, token: Token) -> Outcome | None:
        """A figure that counts the groups, terms or the like of a result."""
        if not token.integer or token.percent:
            return None
        if not _MEMBERS.match(self.text[token.end : token.end + 40]) and not self._container_noun(token):
            return None
        node = container_of(self.judge, int(token.value))
        if node is None:
            return None
        address = self.evidence.address(self.evidence.path_of_node(node))
        return Outcome(Verdict.COMPUTED, f"{address} holds {token.text}", address)

    def _container_noun(self, token: Token) -> bool:
        words = self.layout.words_between(token.end, token.end + 24)[:2]
        return any(
            name in self.evidence.names for w in words for name in self.names.by_word.get(w.stem, ())[:8]
        )

    def case(self, claim: Claim) -> Outcome | None:
        """A number that a key tells a case by, beside a figure of that case: "at 80 µg/L 42.8"."""
        token = claim.token
        if token.kind not in {Kind.FIGURE, Kind.WORD} or token.text.startswith(("+", "-", "−")):
            return None
        names = self.names.cases(token.value)
        if not names:
            return None
        start, end = claim.sentence
        for other in self.judge.claims_in(max(start, token.start - 120), min(end, token.end + 120)):
            if other is claim or other.token.kind not in {Kind.FIGURE, Kind.FRACTION}:
                continue
            if any(names & set(map(str, hit.leaf.path)) for hit in self.judge.matcher.hits(other)):
                return Outcome(Verdict.STRUCTURAL, "a case named in the results", min(names))
        if token.integer and token.value >= 100:
            return Outcome(Verdict.STRUCTURAL, "a case named in the results", min(names))
        return None

    def row_number(self, claim: Claim) -> bool:
        place = self.layout.cell(claim.token.start)
        return place is not None and claim.token.integer and claim.token.value in {place[1], place[1] + 1}

    def literal(self, token: Token) -> bool:
        text = token.text.strip()
        if token.percent and token.integer and len(self.evidence.leaf_names) < 5_000:
            share = re.compile(rf"(?<!\d){token.value:.0f}_?(?:pct|percent|p(?![^\W_]))")
            if any(share.search(key) for key in self.evidence.leaf_names):
                return True
        if token.integer and len(self.evidence.leaf_names) < 5_000:
            limit = re.compile(
                rf"(?:below|under|above|over|gt|lt|ge|le|exceed\w*|least|most|within|at)_?{token.value:.0f}(?!\d)"
            )
            if any(limit.search(key) for key in self.evidence.leaf_names):
                return True
        if (
            token.percent
            and token.integer
            and any(f"{q}{token.value:.0f}" in self.evidence.names for q in "qp")
        ):
            return True
        if token.percent and token.integer and len(self.evidence.leaf_names) < 5_000:
            named = re.compile(rf"[A-Za-z]{{1,2}}_?{token.value:.0f}(?!\d)")
            if any(named.match(key) for key in self.evidence.leaf_names):
                return True
        if self._quoted(token) or self.evidence.in_refusal(self.text[max(0, token.start - 16) : token.end]):
            return True
        if self.evidence.in_method(self.text[max(0, token.start - 14) : token.end + 10]):
            return True
        if token.percent and f"{token.value / 100:g}" in self.evidence.literals:
            return True
        plain = f"{token.value:.0f}" if token.integer else text
        if text not in self.evidence.literals and plain not in self.evidence.literals:
            return False
        return (token.integer and token.value >= 100) or token.decimals > 0

    def _quoted(self, token: Token) -> bool:
        """Whether the figure stands inside quotation marks around a whole text of the results, such as a category."""
        start = max(0, token.start - 80)
        return any(
            m.start("in") + start <= token.start
            and token.end <= m.end("in") + start
            and self.evidence.has_text(m["in"])
            for m in _QUOTED.finditer(self.text[start : token.end + 80])
        )

    def quantile_named(self, token: Token) -> bool:
        """tau = 0.9 names the key q90."""
        if not (0 < token.value < 1 and token.decimals) or not re.search(
            r"(?:τ|tau|quantile|percentile|q)[ ]*=?[ ]*$", self.text[max(0, token.start - 12) : token.start]
        ):
            return False
        return any(f"{q}{100 * token.value:g}" in self.evidence.names for q in "qp")
