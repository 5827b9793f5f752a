"""Whether a written number is one of the computed ones, under the name, sign, group and precision it is given."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from statistikles.results.roles import Role

from .cases import case_fault
from .claims import STRONG, Claim
from .entities import PAIR, Names
from .evidence import Evidence, Leaf
from .labelling import Fault, Labelling
from .layout import Layout
from .lexicon import may_be_chance, symbol_of_key
from .report import Verdict
from .scope import Scope
from .tokens import Kind

__all__ = ["MANY", "Hit", "Matcher", "Outcome"]

R = Role
_RATES = frozenset({R.PROPORTION, R.PROBABILITY, R.POWER, R.DETERMINATION, R.EFFECT_SIZE, R.CONF_LEVEL, R.ALPHA, R.RATIO,
                    R.ESTIMATE, R.VALUE, R.CONF_BOUND, R.MEAN, R.COEFFICIENT, R.MEDIAN, R.STD_DEV, R.STD_ERROR, R.SHAPE,
                    R.MINIMUM, R.MAXIMUM, R.QUANTILE, R.RANGE, R.PERCENT, R.PARAMETER, R.WEIGHT})  # fmt: skip
# Between 0 and 1 by nature; written with a percent sign they are a hundred times as large.
_SHARES = frozenset({R.PROPORTION, R.PROBABILITY, R.DETERMINATION, R.EFFECT_SIZE})
_IN_PERCENT = frozenset({R.PERCENT, R.VALUE, R.MEAN, R.MEDIAN, R.QUANTILE, R.STD_DEV, R.STD_ERROR, R.RANGE, R.CONF_BOUND, R.MINIMUM,
                         R.MAXIMUM, R.ESTIMATE, R.COEFFICIENT, R.PROPORTION, R.SHAPE, R.INTERCEPT})  # fmt: skip
_BOUNDS = frozenset({R.CONF_BOUND, R.RANGE, R.QUANTILE, R.MINIMUM, R.MAXIMUM, R.VALUE})
_MAGNITUDE = re.compile(
    r"(?<![^\W_])(?:by|difference|differences|differ\w*|gap|gaps|drop\w*|declin\w*|decreas\w*|reduc\w*|fell|fall\w*|loss|lost|los\w*|below|above|less|fewer|"
    r"cut\w*|down|contrast|magnitude|absolute|deficit|change\w*|shift\w*|apart|behind|ahead|slower|lead|advantage|disadvantage|"
    r"\w+er|\w+er than|more|écart|différence|baiss\w*|diminu\w*|recul\w*|chut\w*|réduit|réduction|gesunken|sank|verringer\w*|gefallen|niedriger|costs?|subtract\w*|Unterschied|Differenz|Abstand|sinkt|steigt|weniger|mehr|moins|plus|size|"
    r"shrink\w*|shrank|worse|better|minus|lag\w*|trail\w*|outweigh\w*|exceed\w*|out\w+ed|puts|negative\w*|inverse\w*|sav(?:es?|ed|ing|ings)|separat\w*)(?![^\W_])",
    re.IGNORECASE,
)
_LIKELY = re.compile(
    r"^[ ]?(?:times|x|-fold)[ ](?:(?:more|less|as)[ ](?:likely|probable)|the (?:risk|probability|chance))",
    re.IGNORECASE,
)
_NOUN_NEXT = re.compile(
    r"^[ ](?!to |and |or |vs|versus|against|for |in |of |points?|pp|percent|per cent|cents?|à |bis |et |und |%|Prozent|pour )[^\W\d_]{3,}"
)
_MORE_LESS = re.compile(
    r"^[ ](?:[^\W\d_]+[ ])?(?:(?P<up>more|higher|greater|longer|larger|heavier|above)|(?P<down>less|lower|fewer|shorter|smaller|lighter|below))(?![^\W_])",
    re.IGNORECASE,
)
_POINTS_KEY = re.compile(r"(?:^|_)(?:pp|points?|pts)(?:_|$)", re.IGNORECASE)
_RELATIVE_KEY = re.compile(r"(?:^|_)rel(?:ativ\w*)?(?:_|$)", re.IGNORECASE)
MANY = 24  # from here on candidates are judged only until some fit
_RELATIVE_AFTER = re.compile(r"^[ ]{0,2}(?:in |as a )?relativ", re.IGNORECASE)
_RELATIVE_BEFORE = re.compile(r"relativ\w*[ ](?:\w+[ ])?(?:of |by |is |was )?$", re.IGNORECASE)
_CHANGE_BEFORE = re.compile(
    r"(?<![^\W_])(?:by|prevent\w*|reduc\w*|cut\w*|lower\w*|increas\w*|rais\w*|rise of|drop of|decreas\w*|um|senk\w*|réduit\w*)[ ]"
    r"(?:(?:by|of|about|around|roughly|nearly|almost|over|just|some|approximately|only|well|a|an|the|more than|risk|odds|hazard|rate)[ ])*$",
    re.IGNORECASE,
)
_CHANGE_AFTER = re.compile(
    r"^[ -](?:relative[ ])?(?:more|less|fewer|lower|higher|larger|smaller|reduction|increase|decrease|drop|rise|gain|cut|decline)(?![^\W_])",
    re.IGNORECASE,
)
_OUT_OF = re.compile(r"(?:\d/|(?<![^\W_])(?:of|out of|von|sur)[ ])$")
_ORDINALS = {
    "first": 0,
    "second": 1,
    "third": 2,
    "fourth": 3,
    "erste": 0,
    "zweite": 1,
    "premier": 0,
    "première": 0,
}
_ORDINAL = re.compile(
    r"(?<![^\W_])(first|second|third|fourth|erste|zweite|premier|première)[ ][^\W\d_]{3,}[ ][^.;,:()\n\d]{0,40}$",
    re.IGNORECASE,
)
_CHANCE = re.compile(
    r"\b(?:chance|probability|luck|likel\w*|odds of|random|coincidence|hasard|zufall\w*)\b", re.IGNORECASE
)


@dataclass(slots=True)
class Hit:
    """A computed number that a written one may stand for; `form` says how (same, neg, pct, pct_neg, down)."""

    leaf: Leaf
    form: str


class Outcome:
    """A verdict with its reason and source, and the computed numbers behind it."""

    __slots__ = ("expected", "held", "hits", "leaf", "reason", "source", "verdict")

    def __init__(
        self,
        verdict: Verdict,
        reason: str,
        source: str = "",
        hits: list[Hit] | None = None,
        leaf: Leaf | None = None,
        held: list[Hit] | None = None,
        expected: Leaf | None = None,
    ) -> None:
        self.verdict, self.reason, self.source = verdict, reason, source
        self.hits = hits or []
        self.held = held or []  # what it would stand for if its neighbours did not speak against it
        self.expected = expected  # the one the sentence speaks of instead
        self.leaf = leaf  # the computed number a fault is about


class Matcher:
    """Looks up written numbers in the evidence and checks what is said of them."""

    def __init__(self, text: str, layout: Layout, evidence: Evidence, names: Names, scope: Scope) -> None:
        self.text, self.layout, self.evidence, self.names, self.scope = text, layout, evidence, names, scope
        self.labelling = Labelling(text, layout, evidence, names, scope)
        self.evidence_is_large = len(evidence) > 20_000
        self.found: dict[int, list[Hit]] = {}  # claim -> accepted hits

    def reach(self, claim: Claim) -> float:
        """How far the author's precision lets the true value lie from the written one."""
        token = claim.token
        step = token.step
        if claim.hedged and token.kind == Kind.FIGURE and not token.scientific:
            if token.integer and token.value >= 20:
                zeros = len(token.body) - len(token.body.rstrip("0"))
                step = max(step, min(0.5 * 10.0**zeros, 0.03 * abs(token.value)))
            elif not token.integer:
                step = max(step, min(token.step * 1.2, 0.03 * abs(token.value)))
        return step + 1e-9 * max(abs(token.value), token.step)

    def hits(self, claim: Claim) -> list[Hit]:
        """Every computed number the written one may stand for by value alone."""
        token, e = claim.token, self.reach(claim)
        v = token.value
        if token.integer and abs(v) <= 1 and not token.percent:
            e = min(
                e, 0.05 if claim.strength or claim.cell is not None or claim.hedged else 1e-9
            )  # 0 and 1 do not stand for 0.4 and 0.6
        if not math.isfinite(v):
            return []
        forms: list[tuple[float, float, str]] = [(v - e, v + e, "same")]
        if v:
            forms.append((-v - e, -v + e, "neg"))
        if token.factor != 1.0:
            for unit in {token.factor, token.factor / 1e3}:  # results may be in thousands
                forms.append(((v - e) * unit, (v + e) * unit, "same"))
        labelled = (
            claim.strength == STRONG
            and claim.label is not None
            and claim.label.symbol not in {"", "r2", "eta2", "adj_r2", "i2", "rr", "or"}
        )
        if token.percent or token.points or (claim.percent_context and not labelled):
            forms.append(((v - e) / 100, (v + e) / 100, "pct"))
            if v:
                forms.append(((-v - e) / 100, (-v + e) / 100, "pct_neg"))
        if not token.percent and 0 < abs(v) <= 1 and token.decimals >= 1:
            forms.append(((v - e) * 100, (v + e) * 100, "down"))
        found: list[Hit] = []
        if token.integer and v > 1 and not token.percent:
            for index in self.evidence.between(v - 1, v - 0.5, 6):  # a sample size is rounded up
                leaf = self.evidence.leaf(index)
                if leaf.role is R.COUNT and math.ceil(leaf.value) == v:
                    found.append(Hit(leaf, "same"))
        for low, high, form in forms:
            for index in self._between(claim, low, high):
                leaf = self.evidence.leaf(index)
                if self._scale_fits(claim, leaf, form):
                    found.append(Hit(leaf, form))
            if len(found) >= 8 and self.evidence_is_large:
                break
        return found

    def _between(self, claim: Claim, low: float, high: float) -> list[int]:
        """Candidates by value; among very many, those whose key carries the claimed role."""
        found = self.evidence.between(low, high, MANY + 1)
        if len(found) <= MANY:
            return found
        if claim.interval:  # among many confidence levels of .95: the bound
            return self.evidence.between_roles(low, high, _BOUNDS, 8) or found[:8]
        if claim.label is not None:
            return self.evidence.between_roles(low, high, claim.label.roles, 8) or found[:8]
        return found[:8]

    def _scale_fits(self, claim: Claim, leaf: Leaf, form: str) -> bool:
        role, token = leaf.role, claim.token
        if form in {"pct", "pct_neg"}:
            if role is R.CORRELATION and claim.label is None and token.percent and 0 < leaf.value <= 1:
                return len(leaf.path) > 2 and self.labelling.container_said(claim, leaf)
            if role is R.P_VALUE:
                return token.percent and (
                    any(may_be_chance(str(part)) for part in leaf.path[1:])
                    or (claim.label is not None and R.P_VALUE in claim.label.roles)
                    or self._says_chance(claim)
                )
            if (
                token.integer
                and not token.percent
                and not token.points
                and _NOUN_NEXT.match(self.text[token.end : token.end + 14])
            ):
                return False
            if (
                not token.percent
                and not token.points
                and _OUT_OF.search(self.text[max(0, token.start - 10) : token.start])
            ):
                return False
            if role is R.EFFECT_SIZE and symbol_of_key(leaf.key) not in {"eta2", "omega2", "epsilon2", ""}:
                return False
            if (
                role in {R.MEAN, R.MEDIAN, R.STD_DEV, R.STD_ERROR, R.MINIMUM, R.MAXIMUM, R.QUANTILE}
                and abs(leaf.value) > 1
            ):
                return False
            return role in _RATES and abs(leaf.value) <= 20
        if form == "down":
            return role is R.PERCENT or (role is R.VALUE and leaf.key.casefold().endswith(("pct", "percent")))
        if token.percent or token.points:
            if role not in _IN_PERCENT:
                return False
            if (
                role is R.VALUE
                and leaf.value == round(leaf.value)
                and not leaf.key.casefold().endswith(("pct", "percent"))
            ):
                return False  # a count is no percentage
            # A share below one written "0.35%" is a slip of scale unless the result itself is in percent.
            share = role in _SHARES or (claim.label is not None and not _SHARES.isdisjoint(claim.label.roles))
            return not (
                share
                and abs(leaf.value) <= 1
                and leaf.value != 0
                and not leaf.key.casefold().endswith(("pct", "percent"))
            )
        return True

    def _says_chance(self, claim: Claim) -> bool:
        return bool(
            _CHANCE.search(self.text[max(claim.sentence[0], claim.token.start - 70) : claim.token.end + 40])
        )

    def fault(self, claim: Claim, hit: Hit) -> Fault | None:
        """What is wrong with calling this computed number what the sentence calls it."""
        leaf = hit.leaf
        if (wrong := self.labelling.fault(claim, leaf, hit.form)) is not None:
            return wrong
        other = self.scope.conflict(claim, leaf)
        if other is not None and not self._stands_all_the_same(claim, leaf, other):
            expected = self.evidence.leaf(other)
            return Fault(
                Verdict.WRONG_GROUP,
                f"{leaf.address} has this value; the sentence speaks of {expected.address}",
                leaf,
                expected,
            )
        if (other_case := case_fault(self, claim, leaf)) is not None:
            return other_case
        if (rival := self._ordinal(claim, leaf)) is not None:
            return Fault(
                Verdict.WRONG_GROUP,
                f"{leaf.address} has this value; the sentence speaks of {rival.address}",
                leaf,
                rival,
            )
        if symbol_of_key(leaf.key) == "or" and _LIKELY.match(
            self.text[claim.token.end : claim.token.end + 32]
        ):
            return Fault(
                Verdict.MISLABELLED, f"{leaf.address} is a ratio of odds, not of probabilities", leaf
            )
        if (
            hit.form.startswith("pct")
            and claim.token.percent
            and self._relative(claim)
            and not _RELATIVE_KEY.search(leaf.key)
        ):
            return Fault(Verdict.WRONG_SCALE, f"{leaf.address} is no relative change", leaf)
        if claim.token.percent and _POINTS_KEY.search(leaf.key) and self._relative(claim):
            return Fault(
                Verdict.WRONG_SCALE, f"{leaf.address} is a change in points, not a relative one", leaf
            )
        if claim.token.points and _RELATIVE_KEY.search(leaf.key):
            return Fault(Verdict.WRONG_SCALE, f"{leaf.address} is a relative change, not one in points", leaf)
        if (
            hit.form.startswith("pct")
            and leaf.role is R.COEFFICIENT
            and claim.token.percent
            and self._percent_beside(leaf)
        ):
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is on another scale", leaf)
        if hit.form.startswith("pct") and leaf.role is R.RATIO and self._change(claim):
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is a ratio, not a change", leaf)
        if hit.form in {"neg", "pct_neg"} and not claim.minus_before and not self._magnitude(claim, leaf):
            return Fault(Verdict.WRONG_SIGN, f"{leaf.address} is {leaf.value:.6g}: the sign differs", leaf)
        if self._contrary(claim, leaf, hit.form):
            return Fault(
                Verdict.WRONG_SIGN, f"{leaf.address} is {leaf.value:.6g}: the direction differs", leaf
            )
        return self.labelling.sibling_fault(claim, leaf)

    def _percent_beside(self, leaf: Leaf) -> bool:
        """Whether the object of a coefficient gives its effect in percent as well."""
        return any(
            kind == "leaf" and name.casefold().endswith(("pct", "percent"))
            for name, (kind, _) in self.names.children(leaf.node).items()
        )

    def _ordinal(self, claim: Claim, leaf: Leaf) -> Leaf | None:
        """ "The first component explains 14 %": the member of a list that the ordinal names, when it is another."""
        place = leaf.path[-1]
        if (
            not isinstance(place, int)
            or leaf.role is R.CONF_BOUND
            or claim.cell is not None
            or claim.interval
        ):
            return None
        m = _ORDINAL.search(self.text, max(claim.sentence[0], claim.token.start - 60), claim.token.start)
        wanted = _ORDINALS.get(m[1].casefold()) if m is not None else None
        if wanted is None or wanted == place:
            return None
        kind, index = self.names.children(leaf.node).get(str(wanted), ("", -1))
        return (
            self.evidence.leaf(index) if kind == "leaf" and self.evidence.node_size[leaf.node] > 2 else None
        )

    def _contrary(self, claim: Claim, leaf: Leaf, form: str) -> bool:
        """ "B yields 7 units more" when the coefficient of B is -7."""
        if leaf.role not in {R.COEFFICIENT, R.ESTIMATE} or claim.interval or claim.cell is not None:
            return False
        m = _MORE_LESS.match(self.text[claim.token.end : claim.token.end + 34])
        if (
            m is None
            or form in {"pct", "pct_neg"}
            or any(isinstance(p, str) and PAIR.search(p) for p in leaf.path)
        ):
            return False
        up = m["up"] is not None
        shown = leaf.value if form == "same" else -leaf.value
        return (
            shown > 0
            and (leaf.value > 0) != up
            and "diff" not in leaf.key.casefold()
            and self.scope.speaks_of(claim, leaf)
        )

    def _held_by_anchor(self, claim: Claim, leaf: Leaf) -> bool:
        """An earlier figure of the sentence, surely of the same object, outweighs a name said before it."""
        i = claim.follows
        if i < 0:
            return False
        between = self.text[self.scope.claims[i].token.end : claim.token.start]
        if self.scope.mentions_between(self.scope.claims[i].token.end, claim.token.start):
            return False
        if len(between) > 30 or not re.match(r"^[ ]*[)\]]?[ ]*[,;(\[][^.]*$", between):
            return False
        hits = self.found.get(i, [])
        return len({h.leaf.node for h in hits}) == 1 and bool(hits) and hits[0].leaf.node == leaf.node

    def _stands_all_the_same(self, claim: Claim, leaf: Leaf, other: int) -> bool:
        """Whether what stands beside a figure outweighs a name that speaks against it."""
        return (
            self._held_by_anchor(claim, leaf)
            or self._own_interval(claim, leaf)
            or self._called_by_path(claim, leaf)
            or self._spent(claim, leaf, other)
        )

    def _spent(self, claim: Claim, leaf: Leaf, other: int) -> bool:
        """ "Cmax was 1.5 at 0.25 h": the name has had its number, and this is another quantity of the same object."""
        return self.evidence.leaf(other).node == leaf.node and any(
            h.leaf.index == other for h in self.found.get(claim.follows, [])
        )

    def _called_by_path(self, claim: Claim, leaf: Leaf) -> bool:
        """ "RR = 0.55" of a number under `relative_risk`: the symbol says more than a word that names a sibling of it."""
        label = claim.label
        if label is None or claim.strength != STRONG or label.symbol == "":
            return False
        return any(symbol_of_key(part) == label.symbol for part in leaf.path[1:-1] if isinstance(part, str))

    def _own_interval(self, claim: Claim, leaf: Leaf) -> bool:
        """ "87% of A (95% CI 80 to 92), against 81% of B": the bracket behind an estimate holds its own interval."""
        if not claim.interval or leaf.role is not R.CONF_BOUND:
            return False
        claims, i = self.scope.claims, claim.follows
        while i >= 0 and (claims[i].level or claims[i].index == claim.partner):
            i = claims[i].follows
        opened = self.text.rfind("(", claim.sentence[0], claim.token.start)
        if i < 0 or ")" in self.text[max(opened, claims[i].token.end) : claim.token.start]:
            return False
        if opened - claims[i].token.end > 48 or claim.token.start - claims[i].token.end > 80:
            return False
        above = {leaf.node, self.evidence.node_parent[leaf.node]}
        return any(h.leaf.node in above for h in self.found.get(i, []))

    def _magnitude(self, claim: Claim, leaf: Leaf) -> bool:
        label = claim.label
        if leaf.role in {R.STATISTIC, R.EFFECT_SIZE} and self.scope.reversed_pair(claim, leaf):
            return True
        if leaf.role in {R.CORRELATION, R.STATISTIC, R.LIKELIHOOD, R.INTERCEPT, R.INFORMATION, R.RESIDUAL}:
            return False
        if label is not None and label.signed and claim.strength == STRONG:
            return False
        if claim.cell is not None or claim.token.text.startswith("+"):
            return False
        if claim.interval or claim.partner >= 0:
            prior = self.found.get(claim.follows, [])
            if claim.is_upper and claim.partner >= 0:
                prior = self.found.get(claim.partner, [])
            if any(h.form in {"neg", "pct_neg"} for h in prior):
                return True
            if (
                prior
                and leaf.role is R.CONF_BOUND
                and not any(h.form == "same" and h.leaf.value != 0 for h in prior)
            ):
                return True
            near = self.scope.claims[max(0, claim.index - 4) : claim.index]
            return any(
                h.form in {"neg", "pct_neg"}
                for c in near
                if c.sentence == claim.sentence
                for h in self.found.get(c.index, [])
            )
        if self.scope.reversed_pair(claim, leaf):
            return True
        if (
            leaf.role is R.ESTIMATE
            and "diff" not in leaf.key.casefold()
            and self.labelling.word_before(claim, leaf)
        ):
            return False  # "bias 41.8" states the signed quantity itself
        start = max(claim.sentence[0], claim.token.start - 90)
        window = self.text[start : min(claim.sentence[1], claim.token.end + 45)]
        return claim.token.value > 0 and bool(_MAGNITUDE.search(window))

    def _relative(self, claim: Claim) -> bool:
        token = claim.token
        behind = self.text[token.end : min(claim.sentence[1], token.end + 24)]
        before = self.text[max(claim.sentence[0], token.start - 24) : token.start]
        return bool(_RELATIVE_AFTER.match(behind) or _RELATIVE_BEFORE.search(before))

    def _change(self, claim: Claim) -> bool:
        """Whether the words make the figure a relative change."""
        token = claim.token
        return bool(
            _CHANGE_BEFORE.search(self.text[max(claim.sentence[0], token.start - 44) : token.start])
            or _CHANGE_AFTER.match(self.text[token.end : token.end + 30])
        )
