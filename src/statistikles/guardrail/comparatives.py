"""Comparisons of named things: "A did best", "the lower AIC (A 3, B 4)", "goes with more", each against its numbers."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from statistikles.results.roles import Role

from .claims import Claim
from .entities import PAIR, Mention, name_words
from .evidence import Leaf
from .lexicon import find_labels, symbol_of_key
from .rankings import Rankings
from .report import Span, Verdict
from .tokens import Kind
from .words import word_set

if TYPE_CHECKING:
    pass

__all__ = ["Comparatives"]

R = Role
# Words whose direction is plain, whatever is measured.
_UP = (
    r"higher|larger|greater|bigger|heavier|longer|taller|steeper|older|warmer|hotter|more|richer|wider|deeper|louder|thicker|later|denser|broader|"
    r"höher|größer|länger|plus (?:élevée?s?|grande?s?|longue?s?|forte?s?|haute?s?)"
)
_DOWN = (
    r"lower|smaller|lighter|shorter|flatter|shallower|younger|cooler|colder|less|fewer|narrower|thinner|earlier|"
    r"niedriger|kleiner|kürzer|geringer|moins (?:élevée?s?|grande?s?|longue?s?|forte?s?|hautes?)"
)
_COMPARED = re.compile(rf"(?<![^\W_])(?:(?P<up>{_UP})|(?P<down>{_DOWN}))(?![^\W_])", re.IGNORECASE)
# "One more", "each additional": a step, no comparison.
_STEP = re.compile(
    r"(?<![^\W_])(?:one|each|every|per|a|an|two|\d+|no|any|the|once|much|what['’]s|and|or|even|far|for|some|than|is|are)[ ]$",
    re.IGNORECASE,
)
_PAIR_JOIN = re.compile(
    r"(?<![^\W_])(?:vs\.?|versus|against|compared (?:with|to)|than|gegen(?:über)?|contre|and|but|while|whereas|for|of|et|und)(?![^\W_])|/",
    re.IGNORECASE,
)
_BEST = re.compile(
    r"(?<![^\W_])(?:(?P<good>best|winner|wins|won|on top|meilleure?|beste[rsn]?)|(?P<bad>worst|loser|schlechteste[rsn]?|pire)"
    r"|(?P<up>highest|largest|greatest|biggest|heaviest|longest|steepest|tallest|oldest|widest|peak|top|(?:comes?|came|ranks?|ranked|finish\w*) first|höchste[rsn]?|größte[rsn]?|längste[rsn]?)"
    r"|(?P<down>lowest|smallest|lightest|shortest|fewest|flattest|youngest|narrowest|trough|bottom|(?:comes?|came|ranks?|ranked|finish\w*) last|niedrigste[rsn]?|kleinste[rsn]?|kürzeste[rsn]?)"
    # Any other superlative says only that the thing named stands at one end or the other.
    r"|(?P<end>(?!(?:clos|mod|hon|inter|sugg|arr|requ|for|harv|gu|inv|cont|prot|manif|lat|earli|near|furth|dig|conqu|unr|beh|bequ|temp|attest|congest|pretest|posttest)est?(?![^\W_]))[^\W\d_]{3,}(?<![tT])est(?<!test)"
    r"|(?:most|least) (?!of|squares|one|likely|people|part|cases|often|and|the|interesting|in|at|are|recent)[^\W\d_]{4,}|(?:la|le|les) plus [^\W\d_]{4,}))(?![^\W_])",
    re.IGNORECASE,
)
_LINKED = re.compile(
    r"[ *`]*(?:(?:group|method|model|arm|one|set|variety|site|condition)[ *`]*)?(?:(?:clearly|by far|again|also|then|easily)[ ])?"
    r"(?:is|was|are|were|did|does|do|had|has|have|shows?|showed|came out|comes out|performs?|performed|fits?|scores?|scored|gives?|gave|ranks?|ranked|comes?|came|a|hat|ist|war|est|était)?"
    r"[ ]?(?:(?:clearly|by far|the|the very|le|la|les|der|die|das|den|overall|out)[ ])*"
)
_NAMED_AFTER = re.compile(
    r"(?:[ ](?:[^\W\d_]+[ ]?){0,3})?(?:is|was|are|were|comes? from|came from|belongs to|went to|goes to|:|,|ist|war|est|était)[ ]*(?:the |that of |for |in |method |model |group |spray |le |la |der |die |das )*[*`]*"
)
_LESS_IS_GOOD = re.compile(
    r"aic|bic|rmse|\bmae\b|mape|mse|error|loss|brier|deviance|\bdic\b|waic|cost|residual|inertia|rank",
    re.IGNORECASE,
)
_MORE_IS_GOOD = re.compile(
    r"\br2\b|r_sq|rsq|auc|accuracy|power|sensitiv|specific|silhouette|\bf1\b|kappa|c_index|concordance|score|ari\b|loglik|likelihood",
    re.IGNORECASE,
)
_CENTRAL = frozenset(
    {
        R.MEAN,
        R.MEDIAN,
        R.PROPORTION,
        R.PERCENT,
        R.ESTIMATE,
        R.COEFFICIENT,
        R.RATIO,
        R.DETERMINATION,
        R.INFORMATION,
        R.CORRELATION,
        R.EFFECT_SIZE,
    }
)
_EFFECT = re.compile(
    r"^[^.;\n\d()]{0,44}(?:\([^()\n\d]{0,24}?|:[ ][^()\n\d]{0,12}=[ ]?|[ ](?:by|of|um|de)[ ](?:about |roughly |around |some |only )?)[-−–+]?$",
    re.IGNORECASE,
)
_AMOUNT_GAP = re.compile(r"[ ]?%?(?:[ ][^\W\d_]{1,12}(?:/[^\W\d_]+)?){0,2}[ ]")
_ON_WHOM = re.compile(
    r"[ ](?:on|in|for|among|with|under|after|at|with the|in the|on the|for the|among the)[ ]"
)
_AMOUNTS = word_set("more less fewer higher lower greater larger smaller longer shorter stronger weaker")
_VERB = re.compile(
    r"(?<![^\W_])(?:(?P<up>raises?|raised|increases?|increased|boosts?|boosted|elevates?|positively|adds)"
    r"|(?P<down>lowers|lowered|decreases?|decreased|reduces?|reduced|cuts?|negatively|protects?|subtracts))(?![^\W_])",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"(?<![^\W_])(?:are|is|was|were|go|goes|have|has|had|tend|tends|get|gets|do|does)(?![^\W_])",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"[ ](?!in |on |at |of |for |with |and |by |among |overall|here|with )[^\W\d_]{3,}")
_RATIOS = frozenset({"or", "hr", "rr", "irr"})
_BEYOND = re.compile(
    r"(?<![^\W_])(?:(?P<up>above|exceeds|over|beyond)|(?P<down>below|under|short of))(?![^\W_])",
    re.IGNORECASE,
)
_TO_MARK = re.compile(
    r"[ ](?:the |your |a )?(?:usual |conventional |customary |recommended |common |classic |required |critical |standard |target |threshold |cut-?off |of |p |at |alpha )*[=<>≥≤]?[ ]?[-−]?"
)
_ASIDE = re.compile(r"^[^()]*[)]")  # the figure before stands in brackets of its own
_IS_BEYOND = re.compile(
    r"(?:^[^\W\d_]{0,8}[ ]?,?[ ]?|(?:which|that|and)[ ](?:is|are|was|lies|remains|stays)[ ](?:[^\W\d_]+[ ])?|,[ ](?:both|all|each|well|just|far|slightly|clearly|still|comfortably)?[ ]?)$"
)
_DISPERSED = re.compile(r"(?<![^\W_])(?:(?P<up>over)|(?P<down>under))-?dispers\w+", re.IGNORECASE)
_DISPERSION = re.compile(r"dispers|per_df|over_df|chi2_df|phi|var_mean|variance_to_mean", re.IGNORECASE)


class Comparatives(Rankings):
    """Reads comparisons by the numbers of the things they name."""

    def compared(self, sentences: list[tuple[int, int]], taken: list[Span]) -> Iterator[Span]:
        """Spans of comparisons and superlatives that no narrower rule has judged."""
        done = [(s.start, s.end) for s in taken]
        for start, end in sentences:
            if self.text[start:end].rstrip().endswith("?"):
                continue
            for finder, rule in (
                (_COMPARED, self._compared),
                (_VERB, self._verb),
                (_BEST, self._superlative),
                (_DISPERSED, self._dispersed),
                (_BEYOND, self._beyond),
            ):
                for m in finder.finditer(self.text, start, end):
                    reach = 60 if finder is _BEST else 0
                    if any(a - reach < m.end() and m.start() < b + reach for a, b in done) or self._denied(
                        m, start
                    ):
                        continue
                    yield from rule(m, (start, end))

    def _denied(self, m: re.Match[str], start: int) -> bool:
        return _DENIAL.search(self.text, max(start, m.start() - 32), m.start()) is not None

    def _verdict(
        self, m: re.Match[str], wrong: bool, a: Leaf, b: Leaf | None, subject: Mention | None
    ) -> Iterator[Span]:
        reason = f"{a.address} is {a.value:.6g}" + (
            f", {b.address} is {b.value:.6g}" if b is not None else ""
        )
        yield self._span(m.start(), m.end(), wrong, reason, a.address)
        if wrong and subject is not None and not (subject.start < m.end() and m.start() < subject.end):
            yield self._span(subject.start, subject.end, True, reason, a.address)

    # -- comparatives ------------------------------------------------------------------------------------------

    def _compared(self, m: re.Match[str], sentence: tuple[int, int]) -> Iterator[Span]:
        up = m["up"] is not None
        if _STEP.search(self.text, max(sentence[0], m.start() - 12), m.start()) and m.group().casefold() in {
            "more",
            "less",
            "fewer",
        }:
            return
        figures = [c for c in self._figures(sentence) if not c.interval and not c.in_df]
        if (amount := self._amount(m, figures, up)) is not None:
            yield amount
            return
        after = [c for c in figures if c.token.start >= m.end()]
        if after and (signed := self._effect(m, after[0], up, sentence)) is not None:
            yield signed
            return
        if not after or after[0].token.start - m.end() > 70:
            return
        pair = self._pair(m, after, sentence)
        if pair is None:
            return
        a, b, subject = pair
        larger = abs(a.value) > abs(b.value) if a.value < 0 and b.value < 0 else a.value > b.value
        yield from self._verdict(m, larger != up, a, b, subject)

    def _verb(self, m: re.Match[str], sentence: tuple[int, int]) -> Iterator[Span]:
        """ "Raises them (OR 0.7)", "acts positively: OR = 0.5": the effect printed right behind."""
        after = [c for c in self._figures(sentence) if c.token.start >= m.end() and not c.interval]
        if not after or _COMPARED.search(self.text, m.end(), after[0].token.start):
            return
        gap = self.text[m.end() : after[0].token.start]
        if not _EFFECT.match(gap) or not gap.rstrip(" =")[-1:].isalpha():
            return
        leaf = self._leaf_of(after[0])
        label = after[0].label
        if leaf is None or label is None:
            return
        if leaf.role is R.RATIO and label.id in _RATIOS and leaf.value != 1:
            wrong = (leaf.value > 1) != (m["up"] is not None)
        elif leaf.role in {R.COEFFICIENT, R.ESTIMATE} and label.id in {"b", "coef"} and leaf.value:
            wrong = (leaf.value > 0) != (m["up"] is not None)
        else:
            return
        yield self._span(m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.6g}", leaf.address)

    def _amount(self, m: re.Match[str], figures: list[Claim], up: bool) -> Span | None:
        """ "7.7 higher on A" of a difference whose own name says A against B."""
        before = [c for c in figures if c.token.end <= m.start()]
        if not before or not _AMOUNT_GAP.fullmatch(self.text, before[-1].token.end, m.start()):
            return None
        leaf = self._leaf_of(before[-1])
        if leaf is None or leaf.role not in {R.ESTIMATE, R.COEFFICIENT, R.MEAN} or not leaf.value:
            return None
        part = next((p for p in reversed(leaf.path) if isinstance(p, str) and PAIR.search(p)), "")
        sides = [frozenset(name_words(x)) for x in PAIR.split(part) if x]
        if len(sides) != 2:
            return None
        behind = _ON_WHOM.match(self.text, m.end())
        words = (
            self.judge.layout.words_between(behind.end(), behind.end() + 24)[:2] if behind is not None else []
        )
        stems = {w.stem for w in words}
        at = [bool(side & stems) for side in sides]
        if at[0] == at[1]:
            return None
        wrong = ((leaf.value > 0) == at[0]) != up
        return self._span(m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.6g}", leaf.address)

    def _pair(
        self, m: re.Match[str], after: list[Claim], sentence: tuple[int, int]
    ) -> tuple[Leaf, Leaf, Mention | None] | None:
        """The number of the subject and that of what it is compared with."""
        first, x = after[0], self._spoken(after[0])
        if x is None or len(after) < 2 or x.role in {R.P_VALUE, R.DF, R.COUNT, R.CONF_BOUND, R.STATISTIC}:
            return None
        for second in after[1:4]:
            gap = self.text[first.token.end : second.token.start]
            y = self._spoken(second)
            if y is None or y.key != x.key or y.index == x.index or y.value == x.value:
                continue
            if len(gap) > 80 or not _PAIR_JOIN.search(gap):
                return None
            subject = self._subject(m, sentence)
            if subject is not None:
                owns = [self._under(leaf, subject) for leaf in (x, y)]
                if owns == [False, True]:
                    self.judge.excused.update({first.index, second.index})
                    return y, x, subject
                if owns != [True, False]:
                    return None
            elif behind := self.judge.scope.mentions_between(m.end(), first.token.start):
                if not _ON_WHOM.fullmatch(self.text, m.end(), behind[0].start):
                    return None
                owns = [self._under(leaf, behind[0]) for leaf in (x, y)]
                if owns == [False, True]:
                    self.judge.excused.update({first.index, second.index})
                    return y, x, None
                if owns != [True, False]:
                    return None
            return x, y, subject
        return None

    def _spoken(self, claim: Claim) -> Leaf | None:
        """The number behind a figure, also when only the name before it spoke against it."""
        outcome = self.judge.outcomes.get(claim.index)
        if outcome is not None and outcome.verdict is Verdict.WRONG_GROUP and outcome.leaf is not None:
            return outcome.leaf
        return self._leaf_of(claim)

    def _subject(self, m: re.Match[str], sentence: tuple[int, int]) -> Mention | None:
        """The name the comparison is said of: the last one before it in the clause."""
        left = self.judge.scope.mentions_between(max(sentence[0], m.start() - 60), m.start())
        if not left or re.search(r"[.;:,()\d]", self.text[left[-1].end : m.start()]):
            return None
        return left[-1]

    def _under(self, leaf: Leaf, mention: Mention) -> bool:
        scope = self.judge.scope
        return any(
            name in scope.children_meant(parent, mention)
            for parent, name, _ in self.judge.names.siblings_at(leaf)
        )

    def _effect(self, m: re.Match[str], c: Claim, up: bool, sentence: tuple[int, int]) -> Span | None:
        """ "Goes with more (b = −0.2)": the sign of the effect printed right behind."""
        gap = self.text[m.end() : c.token.start]
        if not _EFFECT.match(gap) or _FINITE.search(gap):
            return None
        before = [
            x for x in _COMPARED.finditer(self.text, sentence[0], c.token.start) if x.start() != m.start()
        ]
        if len(before) > 1 or (before and before[0].start() > m.start()):
            return None
        if not before and m.group().casefold() not in _AMOUNTS:
            return None
        if before:  # "the heavier, the more"
            up = up == (before[0]["up"] is not None)
        leaf = self._leaf_of(c)
        if leaf is None:
            return None
        name = symbol_of_key(leaf.key)
        said = c.label is not None and c.label.id in {"b", "coef", "r", "rho", "tau", "corr"} and "(" in gap
        if (
            leaf.role is R.RATIO
            and name in _RATIOS
            and self.text[m.end() : c.token.start]
            .rstrip()
            .endswith(("(", "=", "or", "OR", "HR", "IRR", "RR"))
        ):
            wrong = leaf.value != 1 and (leaf.value > 1) != up
        elif leaf.role in {R.COEFFICIENT, R.CORRELATION, R.ESTIMATE} and said and leaf.value:
            wrong = (leaf.value > 0) != up
        else:
            return None
        return self._span(m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.6g}", leaf.address)

    # -- superlatives --------------------------------------------------------------------------------------------

    def _superlative(self, m: re.Match[str], sentence: tuple[int, int]) -> Iterator[Span]:
        subject = self._named_before(m, sentence) or self._named_behind(m, sentence)
        if subject is None or find_labels(self.text[subject.start : subject.end] + " = 1"):
            return
        checked = list(self._ranks(m, subject, sentence))
        if not checked or any(ok for _, ok in checked):
            return
        yield from self._verdict(m, True, checked[0][0], None, subject)

    def _named_before(self, m: re.Match[str], sentence: tuple[int, int]) -> Mention | None:
        left = self.judge.scope.mentions_between(max(sentence[0], m.start() - 48), m.start())
        if left and _LINKED.fullmatch(self.text, left[-1].end, m.start()):
            return left[-1]
        return None

    def _named_behind(self, m: re.Match[str], sentence: tuple[int, int]) -> Mention | None:
        right = self.judge.scope.mentions_between(m.end(), min(sentence[1], m.end() + 60))
        for mention in right[:2]:
            if _NAMED_AFTER.fullmatch(self.text, m.end(), mention.start):
                return mention
        return None

    def _ranks(
        self, m: re.Match[str], subject: Mention, sentence: tuple[int, int]
    ) -> Iterator[tuple[Leaf, bool]]:
        """Each central quantity of the subject with whether the subject holds the place it is given."""
        leaves = list(self._quantities(subject))
        said = self._printed(m, subject, sentence) or self._quantity_said(m, sentence, leaves)
        if not said and _ATTRIBUTE.match(self.text, m.end()):
            return  # "the largest trial": largest in what is not said
        for leaf in said or leaves:
            values = self._family(leaf)
            quality = m["good"] is not None or m["bad"] is not None
            if quality and not said and leaf.role in {R.COUNT, R.STD_DEV}:
                continue
            if len(values) < 2 or len(set(values)) < 2:
                continue
            top = leaf.value == max(values)
            low = leaf.value == min(values)
            if quality:
                name = ".".join(map(str, leaf.path[1:]))
                less, more = _LESS_IS_GOOD.search(name), _MORE_IS_GOOD.search(name)
                if bool(less) == bool(more):
                    yield leaf, top or low
                    continue
                yield leaf, (low if less else top) if m["good"] is not None else (top if less else low)
            elif m["end"] is not None or leaf.value < 0 or min(values) < 0:
                yield leaf, top or low or abs(leaf.value) == max(map(abs, values))
            else:
                yield leaf, top if m["up"] is not None else low

    def _family(self, leaf: Leaf) -> list[float]:
        """The same quantity of every sibling object; of a plain table of names, all its numbers."""
        names, ev = self.judge.names, self.judge.evidence
        parent = ev.node_parent[leaf.node]
        kids = names.children(parent).values() if parent >= 0 else ()
        twins = [names.children(i).get(leaf.key) for kind, i in kids if kind == "node"]
        found = [ev.values[t[1]] for t in twins if t is not None and t[0] == "leaf"]
        return found if len(found) > 1 else self._rivals(leaf)

    def _quantities(self, subject: Mention) -> Iterator[Leaf]:
        scope, names, ev = self.judge.scope, self.judge.names, self.judge.evidence
        for parent in scope.parents_of(subject):
            meant = scope.children_meant(parent, subject)
            child = names.children(parent).get(next(iter(meant))) if len(meant) == 1 else None
            if child is None:
                continue
            if child[0] == "leaf":
                yield ev.leaf(child[1])
                continue
            for kind, index in names.children(child[1]).values():
                if (
                    kind == "leaf"
                    and index not in names.row_ids
                    and ev.leaf(index).role in _CENTRAL | {R.VALUE, R.COUNT, R.STD_DEV}
                ):
                    yield ev.leaf(index)

    def _printed(self, m: re.Match[str], subject: Mention, sentence: tuple[int, int]) -> list[Leaf]:
        """The number printed right behind the superlative, when it is the subject's own."""
        for c in self._figures(sentence):
            year = c.token.integer and 1500 <= c.token.value <= 2100
            if m.end() <= c.token.start <= m.end() + 44 and not c.interval and not year:
                leaf = self._leaf_of(c)
                return (
                    [leaf]
                    if leaf is not None and self._under(leaf, subject) and leaf.role is not R.P_VALUE
                    else []
                )
        return []

    def _quantity_said(self, m: re.Match[str], sentence: tuple[int, int], leaves: list[Leaf]) -> list[Leaf]:
        """Of the quantities of the subject, those the words behind the superlative name."""
        behind = self.text[m.end() : min(sentence[1], m.end() + 40)]
        labels = [label for _, _, label in find_labels(behind + " = 1")]
        by_label = [
            x for x in leaves if any(x.role in label.roles and x.role is not R.VALUE for label in labels)
        ]
        if by_label:
            return by_label
        near = {w.stem for w in self.judge.layout.words_between(m.end(), min(sentence[1], m.end() + 40))}
        return [x for x in leaves if any(w in near for w in name_words(x.key))]

    # -- beyond a mark ---------------------------------------------------------------------------------------------

    def _beyond(self, m: re.Match[str], sentence: tuple[int, int]) -> Iterator[Span]:
        """ "α = .60, which is above the usual .70": the figure before against the mark behind."""
        figures = [
            c
            for c in self.judge.claims_in(*sentence)
            if c.token.kind == Kind.FIGURE and not c.token.identifier
        ]
        mark = next((c for c in figures if 0 <= c.token.start - m.end() < 32), None)
        if mark is None or not _TO_MARK.fullmatch(self.text, m.end(), mark.token.start):
            return
        outcome = self.judge.outcomes.get(mark.index)
        if outcome is None or outcome.verdict not in {Verdict.CONVENTION, Verdict.USER}:
            return
        said = [
            c
            for c in figures
            if c.token.end <= m.start()
            and not _ASIDE.search(self.text, c.token.end, m.start())
            and not c.interval
            and not c.level
            and not c.in_df
            and (x := self._leaf_of(c)) is not None
            and x.role not in {R.COUNT, R.DF}
        ]
        if not said or len(self.text[said[-1].token.end : m.start()]) > 90:
            return
        c, leaf = said[-1], self._leaf_of(said[-1])
        if leaf is None or c.token.percent != mark.token.percent or c.token.value == mark.token.value:
            return
        if not _IS_BEYOND.search(self.text, c.token.end, m.start()):
            return
        wrong = (c.token.value > mark.token.value) != (m["up"] is not None)
        yield self._span(m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.4g}", leaf.address)

    # -- dispersion ------------------------------------------------------------------------------------------------

    def _dispersed(self, m: re.Match[str], sentence: tuple[int, int]) -> Iterator[Span]:
        """ "Underdispersed" beside a ratio of variance to mean above one."""
        for c in self._figures(sentence):
            leaf = self._leaf_of(c)
            if leaf is not None and _DISPERSION.search(leaf.key) and leaf.value > 0:
                wrong = (leaf.value > 1) != (m["up"] is not None)
                yield self._span(
                    m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.4g}", leaf.address
                )
                return


_DENIAL = re.compile(
    r"(?<![^\W_])(?:not|no|n['’]t|never|neither|nor|nicht|pas|kein\w*|whether|if|would|hardly|barely|could|might|may)(?![^\W_])[^.;,]{0,24}$",
    re.IGNORECASE,
)
