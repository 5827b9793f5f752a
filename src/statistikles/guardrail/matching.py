"""Whether a written number is one of the computed ones, under the name, sign, group and precision it is given."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from statistikles.results.roles import Role, role_of_key

from .claims import STRONG, Claim
from .entities import _PAIR, Names, name_words
from .evidence import Evidence, Leaf
from .layout import Layout
from .lexicon import FILLER, compatible, symbol_of_key
from .report import Verdict
from .scope import Scope
from .tokens import Kind

__all__ = ["MANY", "Fault", "Hit", "Matcher"]

R = Role
_RATES = frozenset({R.PROPORTION, R.PROBABILITY, R.POWER, R.DETERMINATION, R.EFFECT_SIZE, R.CONF_LEVEL, R.ALPHA, R.RATIO,
                    R.ESTIMATE, R.VALUE, R.CONF_BOUND, R.MEAN, R.COEFFICIENT, R.MEDIAN, R.STD_DEV, R.STD_ERROR, R.SHAPE,
                    R.MINIMUM, R.MAXIMUM, R.QUANTILE, R.RANGE, R.PERCENT, R.PARAMETER, R.WEIGHT})  # fmt: skip
_IN_PERCENT = frozenset({R.PERCENT, R.VALUE, R.MEAN, R.MEDIAN, R.QUANTILE, R.STD_DEV, R.STD_ERROR, R.RANGE, R.CONF_BOUND, R.MINIMUM,
                         R.MAXIMUM, R.ESTIMATE, R.COEFFICIENT, R.PROPORTION, R.SHAPE})  # fmt: skip
_BOUNDS = frozenset({R.CONF_BOUND, R.RANGE, R.QUANTILE, R.MINIMUM, R.MAXIMUM, R.VALUE})
_NOT_BARE = frozenset({R.DF, R.P_VALUE, R.SEED, R.STD_ERROR, R.EFFECT_SIZE, R.CORRELATION, R.PROBABILITY, R.PROPORTION, R.DETERMINATION,
                       R.SHAPE, R.STATISTIC})  # fmt: skip
_MAGNITUDE = re.compile(
    r"(?<![^\W_])(?:by|difference|differences|differ\w*|gap|gaps|drop\w*|declin\w*|decreas\w*|reduc\w*|fell|fall\w*|loss|lost|los\w*|below|above|less|fewer|"
    r"cut\w*|down|contrast|magnitude|absolute|deficit|change\w*|shift\w*|apart|behind|ahead|slower|lead|advantage|disadvantage|"
    r"\w+er|\w+er than|more|écart|différence|baisse|Unterschied|Differenz|Abstand|sinkt|steigt|weniger|mehr|moins|plus|size|"
    r"shrink\w*|shrank|worse|better|minus|lag\w*|trail\w*|outweigh\w*|exceed\w*|out\w+ed|puts|negative\w*|inverse\w*|savings?|separat\w*)(?![^\W_])",
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
_BOUND_WORDS = re.compile(
    r"(?<![^\W_])(?:bounds?|limits?|ends?|at least|at most|as (?:low|high|little|much|small|large|few|many)|up to|from|to|between|interval|intervals|CIs?|range\w*|lower|upper|IC|KI|HDI|"
    r"zwischen|von|bis|entre|de|à|somewhere|anywhere|plausib\w*|reach\w*|runs?|span\w*|best case|worst case|includ\w*|excl\w*|agreement)(?![^\W_])|[\[(]",
    re.IGNORECASE,
)
MANY = 24  # from here on candidates are judged only until some fit
_RELATIVE_AFTER = re.compile(r"^[ ]{0,2}(?:in |as a )?relativ", re.IGNORECASE)
_RELATIVE_BEFORE = re.compile(r"relativ\w*[ ](?:\w+[ ])?(?:of |by |is |was )?$", re.IGNORECASE)
_P_WORDS = re.compile(r"(?<![^\W_])p[- ]?(?:values?|Werte?)", re.IGNORECASE)
_SAYS_IS = re.compile(r"^[ ]*(?:=|:|is\b|was\b|of\b)")
_LOOSE = frozenset({"m", "k", "d_stat", "v", "g", "h", "u", "q"})
_CENTRE = frozenset({"q50", "p50", "median", "0.5", "50", "50%"})
_CHANGE_BEFORE = re.compile(
    r"(?<![^\W_])(?:by|prevent\w*|reduc\w*|cut\w*|lower\w*|increas\w*|rais\w*|rise of|drop of|decreas\w*|um|senk\w*|réduit\w*)[ ]"
    r"(?:(?:by|of|about|around|roughly|nearly|almost|over|just|some|approximately|only|well|a|an|the|more than|risk|odds|hazard|rate)[ ])*$",
    re.IGNORECASE,
)
_CHANGE_AFTER = re.compile(
    r"^[ -](?:relative[ ])?(?:more|less|fewer|lower|higher|larger|smaller|reduction|increase|decrease|drop|rise|gain|cut|decline)(?![^\W_])",
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


@dataclass(slots=True)
class Fault:
    """Why a computed number of the right value may not be called what the sentence calls it."""

    verdict: Verdict
    reason: str
    leaf: Leaf | None = None
    expected: Leaf | None = None  # the number the sentence speaks of instead


class Matcher:
    """Looks up written numbers in the evidence and checks what is said of them."""

    def __init__(self, text: str, layout: Layout, evidence: Evidence, names: Names, scope: Scope) -> None:
        self.text, self.layout, self.evidence, self.names, self.scope = text, layout, evidence, names, scope
        self._label_cache: dict[str, bool] = {}
        self._rival_cache: dict[int, list[tuple[int, set[str], set[str]]]] = {}
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
            e = min(e, 0.05)  # 0 and 1 do not stand for 0.4 and 0.6
        if not math.isfinite(v):
            return []
        forms: list[tuple[float, float, str]] = [(v - e, v + e, "same")]
        if v:
            forms.append((-v - e, -v + e, "neg"))
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
        if claim.label is not None:
            return self.evidence.between_roles(low, high, claim.label.roles, 8) or found[:8]
        return found[:8]

    def _scale_fits(self, claim: Claim, leaf: Leaf, form: str) -> bool:
        role, token = leaf.role, claim.token
        if form in {"pct", "pct_neg"}:
            if role is R.P_VALUE:
                return token.percent and (
                    (claim.label is not None and R.P_VALUE in claim.label.roles) or self._says_chance(claim)
                )
            if (
                token.integer
                and not token.percent
                and not token.points
                and _NOUN_NEXT.match(self.text[token.end : token.end + 14])
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
            return not (role is R.PROPORTION and abs(leaf.value) <= 1 and leaf.value != 0)
        return True

    def _says_chance(self, claim: Claim) -> bool:
        return bool(
            _CHANCE.search(self.text[max(claim.sentence[0], claim.token.start - 70) : claim.token.end + 40])
        )

    def fault(self, claim: Claim, hit: Hit) -> Fault | None:
        """What is wrong with calling this computed number what the sentence calls it."""
        leaf = hit.leaf
        if (wrong := self._label_fault(claim, leaf, hit.form)) is not None:
            return wrong
        other = self.scope.conflict(claim, leaf)
        if other is not None and not self._held_by_anchor(claim, leaf):
            expected = self.evidence.leaf(other)
            return Fault(
                Verdict.WRONG_GROUP,
                f"{leaf.address} has this value; the sentence speaks of {expected.address}",
                leaf,
                expected,
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
            and "relativ" not in leaf.key.casefold()
        ):
            return Fault(Verdict.WRONG_SCALE, f"{leaf.address} is no relative change", leaf)
        if hit.form.startswith("pct") and leaf.role is R.RATIO and self._change(claim):
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is a ratio, not a change", leaf)
        if hit.form in {"neg", "pct_neg"} and not claim.minus_before and not self._magnitude(claim, leaf):
            return Fault(Verdict.WRONG_SIGN, f"{leaf.address} is {leaf.value:.6g}: the sign differs", leaf)
        if self._contrary(claim, leaf, hit.form):
            return Fault(
                Verdict.WRONG_SIGN, f"{leaf.address} is {leaf.value:.6g}: the direction differs", leaf
            )
        return self._sibling_fault(claim, leaf)

    def _contrary(self, claim: Claim, leaf: Leaf, form: str) -> bool:
        """ "B yields 7 units more" when the coefficient of B is -7."""
        if leaf.role not in {R.COEFFICIENT, R.ESTIMATE} or claim.interval or claim.cell is not None:
            return False
        m = _MORE_LESS.match(self.text[claim.token.end : claim.token.end + 34])
        if (
            m is None
            or form in {"pct", "pct_neg"}
            or any(isinstance(p, str) and _PAIR.search(p) for p in leaf.path)
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

    def _named_sibling(self, claim: Claim, leaf: Leaf) -> Fault | None:
        """The word right before the figure is the whole key of a sibling: "specificity 81 %"."""
        start = max(claim.sentence[0], claim.token.start - 30)
        if any(ch in self.text[start : claim.token.start][-3:] for ch in ",;)("):
            return None
        words = [
            w for w in self.layout.words_between(start, claim.token.start) if w.text.casefold() not in FILLER
        ]
        if not words or len(words[-1].text) < 5 or words[-1].stem in name_words(leaf.key):
            return None
        between = self.text[words[-1].end : claim.token.start]
        after_figure = self.text[max(0, words[-1].start - 3) : words[-1].start].strip(" %")[-1:].isdigit()
        if after_figure and not _SAYS_IS.match(between):
            return None  # the noun of the figure before it
        if any(ch.isdigit() or ch in ",;()" for ch in between):
            return None
        for name, (kind, index) in self.names.children(leaf.node).items():
            if kind == "leaf" and index != leaf.index and name_words(name) == (words[-1].stem,):
                other = self.evidence.leaf(index)
                if other.role is leaf.role:
                    return Fault(
                        Verdict.MISLABELLED,
                        f"{leaf.address} has this value; the sentence speaks of {other.address}",
                        leaf,
                    )
        return None

    def _word_before(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the word right before the figure is a word of the number's own name: "seed 42"."""
        words = [
            w
            for w in self.layout.words_between(max(0, claim.token.start - 24), claim.token.start)
            if w.text.casefold() not in FILLER
        ]
        return bool(words) and words[-1].stem in name_words(leaf.key)

    def key_labels(self, claim: Claim) -> frozenset[str]:
        """Key names spelt out in the words right before the figure: "relative lift" for relative_lift_pct."""
        start = max(claim.sentence[0], claim.token.start - 48)
        gap = self.text[start : claim.token.start]
        cut = max(gap.rfind(ch) for ch in ",;.(\n")
        if cut >= 0:
            start += cut + 1
            gap = gap[cut + 1 :]
        if any(ch.isdigit() for ch in gap):
            return frozenset()
        words = [
            w for w in self.layout.words_between(start, claim.token.start) if w.text.casefold() not in FILLER
        ]
        if not words:
            return frozenset()
        near = {w.stem for w in words[-5:]}
        fits = [
            (len(have), key) for have, key in self.names.leaf_phrases.get(words[-1].stem, ()) if have <= near
        ]
        if not fits:
            return frozenset()
        top = max(n for n, _ in fits)
        return frozenset(key for n, key in fits if n == top)

    def _label_fault(self, claim: Claim, leaf: Leaf, form: str) -> Fault | None:
        label = claim.label
        if label is not None and claim.strength:
            if label.id in _LOOSE and not self._any_labelled(claim):
                return None  # a single letter that names something else here
            if label.id == "median" and _CENTRE & set(map(str, leaf.path)):
                return None
            if label.id == "p" and (rival := self._adjusted(claim, leaf)) is not None:
                return rival
            if not compatible(label, leaf.name, leaf.role) and not self._spelt_out(claim, leaf):
                if claim.strength == STRONG or self._has_labelled(claim, leaf):
                    return Fault(
                        Verdict.MISLABELLED,
                        f"{leaf.address} is a {leaf.role.value}, not what it is called here",
                        leaf,
                    )
            elif label.id == "r2" and leaf.role is R.STATISTIC:
                return Fault(Verdict.MISLABELLED, f"{leaf.address} is a {leaf.role.value}", leaf)
            return None
        if not claim.interval and claim.cell is None:
            if (rival := self._named_sibling(claim, leaf)) is not None:
                return rival
            spelt = self.key_labels(claim)
            if spelt and not (spelt & set(map(str, leaf.path))):
                return Fault(
                    Verdict.MISLABELLED,
                    f"{leaf.address} has this value; the sentence speaks of {min(spelt)}",
                    leaf,
                )
        if claim.interval:
            if leaf.role is R.P_VALUE and _P_WORDS.search(self.text, claim.sentence[0], claim.token.start):
                return None
            if leaf.role in {R.P_VALUE, R.DF, R.STATISTIC, R.SEED}:
                return Fault(
                    Verdict.MISLABELLED,
                    f"{leaf.address} is a {leaf.role.value}, not the end of an interval",
                    leaf,
                )
            return None
        token = claim.token
        if (
            leaf.role is R.CONF_BOUND
            and claim.cell is None
            and not _BOUND_WORDS.search(
                self.text[max(claim.sentence[0], token.start - 60) : min(claim.sentence[1], token.end + 30)]
            )
        ):
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is a confidence bound", leaf)
        if (
            token.integer
            and not token.percent
            and abs(token.value) <= 100
            and leaf.role in _NOT_BARE
            and claim.cell is None
            and not form.startswith("pct")
            and not self._word_before(claim, leaf)
            and not claim.plus_minus
        ):
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is a {leaf.role.value}, not a count", leaf)
        if (
            token.integer
            and abs(token.value) <= 31
            and leaf.value != token.value
            and not claim.hedged
            and not token.percent
            and leaf.role in {R.CONF_BOUND, R.COEFFICIENT, R.VALUE, R.RATIO}
            and claim.cell is None
            and not claim.percent_context
        ):
            return Fault(Verdict.ORPHAN, "no result counts this", leaf)
        if token.percent and claim.cell is None and leaf.role is R.ALPHA:
            return None
        return None

    def _any_labelled(self, claim: Claim) -> bool:
        """Whether any result at all carries the label of the claim."""
        label = claim.label
        known = self._label_cache.get(label.id) if label is not None else False
        if known is None and label is not None:
            known = any(
                (leaf := self.evidence.leaf(indices[0])).role in label.roles and leaf.role is not R.VALUE
                for indices in self.evidence.leaf_names.values()
            )
            self._label_cache[label.id] = known
        return bool(known)

    def _spelt_out(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the words before the figure spell the key: "the median difference is" for median_diff."""
        before = self.layout.words_between(max(claim.sentence[0], claim.token.start - 48), claim.token.start)
        said = [w.text.casefold() for w in before[-6:]]
        words = name_words(leaf.key)
        return len(words) >= 2 and all(any(s.startswith(w) for s in said) for w in words)

    def _adjusted(self, claim: Claim, leaf: Leaf) -> Fault | None:
        """ "Holm p" is the p value whose key says holm."""
        said = {
            w.stem
            for w in self.layout.words_between(
                max(claim.sentence[0], claim.token.start - 24), claim.token.start
            )[-4:]
        }
        mine = {w for w in name_words(leaf.key) if len(w) >= 3}
        for name, (kind, index) in self.names.children(leaf.node).items():
            extra = {w for w in name_words(name) if len(w) >= 3} - mine
            if (
                kind == "leaf"
                and index != leaf.index
                and extra & said
                and not (mine & said)
                and self.evidence.leaf(index).role is R.P_VALUE
            ):
                return Fault(
                    Verdict.MISLABELLED,
                    f"{leaf.address} has this value; the sentence speaks of {self.evidence.leaf(index).address}",
                    leaf,
                )
        return None

    def _has_labelled(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the same object holds another number that does carry the label."""
        label = claim.label
        if label is None:
            return False
        node = leaf.node
        for _ in range(3):
            for name, (kind, index) in self.names.children(node).items():
                if kind == "leaf" and not name.isdigit():
                    other = self.evidence.leaf(index)
                    if other.role in label.roles and compatible(label, other.name, other.role):
                        return True
            node = self.evidence.node_parent[node]
            if node < 0:
                break
        return False

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

    def _magnitude(self, claim: Claim, leaf: Leaf) -> bool:
        label = claim.label
        if leaf.role in {R.CORRELATION, R.STATISTIC, R.LIKELIHOOD, R.INTERCEPT}:
            return False
        if label is not None and label.signed and claim.strength == STRONG:
            return False
        if claim.cell is not None:
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
        if leaf.role is R.ESTIMATE and "diff" not in leaf.key.casefold() and self._word_before(claim, leaf):
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

    def _rivals(self, leaf: Leaf, mine: set[str]) -> list[tuple[int, set[str], set[str]]]:
        """Siblings whose names share a word with this one: (index, words only theirs, words only mine)."""
        known = self._rival_cache.get(leaf.index)
        if known is None:
            known = []
            for name, (kind, index) in self.names.children(leaf.node).items():
                if kind != "leaf" or index == leaf.index:
                    continue
                theirs = name_words(name)
                if any(len(w) >= 3 and w in mine for w in theirs) and not name.isdigit():
                    extra = set(theirs) - mine
                    if extra:
                        known.append((index, extra, mine - set(theirs)))
            self._rival_cache[leaf.index] = known
        return known

    def _sibling_fault(self, claim: Claim, leaf: Leaf) -> Fault | None:
        """A word near the figure that names a sibling of this number and not this number."""
        if claim.listed or (claim.strength == STRONG and claim.label is not None and claim.label.symbol):
            return None
        mine = set(name_words(leaf.key))
        if not mine or leaf.role in {R.CONF_BOUND, R.MINIMUM, R.MAXIMUM, R.QUANTILE}:
            return None
        rivals = self._rivals(leaf, mine)
        if not rivals:
            return None
        start = max(claim.sentence[0], claim.clause, claim.token.start - 50)
        near = {
            w.stem for w in self.layout.words_between(start, min(claim.sentence[1], claim.token.end + 22))
        }
        for index, said, own in rivals:
            if not own & near and any(role_of_key(w) is R.VALUE for w in said & near):
                other = self.evidence.leaf(index)
                return Fault(
                    Verdict.MISLABELLED,
                    f"{leaf.address} has this value; the sentence speaks of {other.address}",
                    leaf,
                )
        return None
