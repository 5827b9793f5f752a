"""The verdict on each number, in the order of the evidence: structure, result, user, convention, citation, fault."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import math
import re
from bisect import bisect_left

from statistikles.results.roles import Role

from . import uncomputed
from .claims import STRONG, Claim
from .companions import Companions
from .derive import Deriver
from .entities import name_words
from .evidence import Leaf
from .labelling import Fault
from .layout import Layout
from .lexicon import compatible
from .matching import Hit, Matcher, Outcome
from .naming import Naming
from .pvalues import PValues
from .report import FAULTS, Span, Verdict
from .revisions import Revisions
from .structure import CITATIONS, CONVENTIONS, STRUCTURE, STRUCTURE_DECIMAL, first_match
from .tokens import Kind
from .users import UserNumbers
from .wordclaims import judge_word

__all__ = ["Judge"]

R = Role
_YOURS = re.compile(
    r"(?<![^\W_])(?:you|your|yours|target\w*|guess\w*|assum\w*|expect\w*|suppos\w*|asked|said|threshold|hypothes\w*|plan\w*|claim\w*|"
    r"instead of|rather than|not the|not|if|given|at|for|with|from|vs\.?|versus|votre|vos|vous|Ihr\w*|Sie|dein\w*|alpha|α|mentioned|"
    r"proposed|requested|specified|stated|quoted|than|plug\w*|times|of|the|on|by|×|\+|and|a)(?![^\W_])[^.;\n]{0,24}$",
    re.IGNORECASE,
)
_INPUTS = frozenset(
    {"inputs", "input", "parameters", "params_in", "settings", "options", "config", "arguments", "args"}
)
_SUPPOSED = re.compile(
    r"(?<![^\W_])(?:for|at|if|with|when|given|assuming|suppose|say|detect|of|under|using|where)[ ](?:an?[ ]|the[ ])?[^\W\d]{1,14}[ ]?[=<>≤≥:]?[ ]?$",
    re.IGNORECASE,
)

_HYPOTHESISED = frozenset(
    {
        "null",
        "null_value",
        "null_hypothesis",
        "h0",
        "mu0",
        "mu_0",
        "popmean",
        "p0",
        "test_value",
        "hypothesized",
        "hypothesised",
    }
)
_UNDER_TEST = re.compile(
    r"null|nul\b|H_? ?0|H₀|[μµp]_? ?[0₀]|hypothe\w*|against|versus|\bvs\b|\bthan\b|\bfrom\b|\byou\w*|guess\w*|claim\w*|expect\w*|"
    r"reference|benchmark|target|test\w*|assum\w*|suppos\w*|compar\w*|above|below|over|under|exceed\w*|equal\w*|outside|inside|within|"
    r"includ\w*|exclud\w*|contain\w*|gegen|als|von|que|à|de|stated|specified|norm\w*|standard|nominal",
    re.IGNORECASE,
)
_COMPARED_FIGURES = re.compile(r"[ ]?[<>≤≥][ ]?")
# Readings of an integer as a mere place in time that a computed place in time overrules.
_UNIT = re.compile(
    r"[ ]?(?:[°µ][A-Za-z]{0,3}|[A-Za-z]{1,3}/[A-Za-z]{1,3}|mg|kg|km|cm|mm|nm|ms|s|h|min|mL|ml|nM|mM|Hz|V|K|years?|days?|weeks?|months?|hours?|minutes?)(?![^\W_])"
)
_OVERRULED = frozenset({"moment", "age-of", "named"})
_PLACES = frozenset({R.MEDIAN, R.MEAN, R.TIME, R.QUANTILE, R.ESTIMATE})
_RULE_OF_P = re.compile(
    r"\b(?:threshold|cut-?off|convention\w*|criterion|rule|seuil|Schwelle)\b", re.IGNORECASE
)


class Judge(UserNumbers):
    """Decides claim after claim, remembering what the earlier ones of a sentence were matched to."""

    def __init__(
        self, text: str, layout: Layout, matcher: Matcher, claims: list[Claim], user_text: str
    ) -> None:
        super().__init__(text, matcher, user_text)
        self.layout, self.claims = layout, claims
        self.names = matcher.names
        self.scope = matcher.scope
        self.pvalues = PValues(self)
        self.deriver = Deriver(self)
        self.companions = Companions(self)
        self.naming = Naming(self)
        self.outcomes: dict[int, Outcome] = {}
        self.starts = [c.token.start for c in claims]
        self._chance: list[float] = []
        self.misnamed: list[tuple[int, int, str]] = []  # names that do not fit the figures said of them
        self.excused: set[int] = set()  # figures that are right: the comparison around them is not

    def claims_in(self, start: int, end: int) -> list[Claim]:
        """The claims that begin in [start, end)."""
        return self.claims[bisect_left(self.starts, start) : bisect_left(self.starts, end)]

    def interval_in(self, start: int, end: int) -> tuple[Leaf, Leaf] | None:
        """The bounds of the only interval printed in a sentence, when both are matched."""
        found: list[tuple[Leaf, Leaf]] = []
        for c in self.claims_in(start, end):
            if c.partner < 0 or c.is_upper:
                continue
            low, high = self.outcomes[c.index].hits, self.outcomes[c.partner].hits
            if (
                low
                and high
                and low[0].form == high[0].form == "same"
                and low[0].leaf.value < high[0].leaf.value
            ):
                found.append((low[0].leaf, high[0].leaf))
        return found[0] if len(found) == 1 else None

    def index_at(self, at: int) -> int:
        """Index of the first claim at or behind an offset."""
        return bisect_left(self.starts, at)

    # -- one claim ---------------------------------------------------------------------------------------------

    def spans(self, reply: str) -> list[Span]:
        """Every claim decided for itself, then in the light of its neighbours."""
        for claim in self.claims:
            outcome = self.decide(claim)
            self.outcomes[claim.index] = outcome
            if outcome.hits:
                self.matcher.found[claim.index] = outcome.hits
        if self.computed:
            Revisions(self).revise()
        else:
            uncomputed.revise(self)
        return [self._span(claim, reply) for claim in self.claims]

    def _span(self, claim: Claim, reply: str) -> Span:
        """The report's span of one claim."""
        token, outcome = claim.token, self.outcomes[claim.index]
        start, end = token.start, token.end
        return Span(
            start,
            end,
            reply[start:end],
            str(outcome.verdict),
            outcome.verdict in FAULTS,
            outcome.reason,
            outcome.source,
        )

    def decide(self, claim: Claim) -> Outcome:
        """Verdict of one numeric claim."""
        token = claim.token
        if token.kind == Kind.SCRIPT:
            return Outcome(Verdict.STRUCTURAL, "an exponent or index")
        if not math.isfinite(token.value):
            return Outcome(Verdict.ORPHAN, "the figure cannot be read")
        if (named := self.naming.part_of_name(claim)) is not None:
            return named
        if claim.level:
            return self._level(claim)
        if (counted := self.naming.counted_noun(claim)) is not None:
            return counted
        if claim.cell is not None and claim.cell[1] == 0 and self.naming.row_number(claim):
            return Outcome(Verdict.STRUCTURAL, "a row number")
        plain = STRUCTURE_DECIMAL if token.decimals and token.kind == Kind.FIGURE else STRUCTURE
        rule = first_match(plain, token, self.text, claim.sentence, weak=False)
        if rule is not None and not (
            claim.strength == STRONG
            and rule.id not in {"list-mark", "ordinal", "script", "calendar", "per-power"}
        ):
            if rule.id in _OVERRULED and (wrong := self._misplaced(claim)) is not None:
                return wrong
            return Outcome(rule.verdict, rule.reason)
        if token.kind != Kind.FIGURE and not token.percent:
            return judge_word(self, claim)
        if claim.comparator and (found := self._inequality(claim)) is not None:
            return found
        return self._figure(claim)

    def _misplaced(self, claim: Claim) -> Outcome | None:
        """ "The median of A lies at 82 days" when it is B's: no mere point in time."""
        if claim.token.value < 13 or not claim.token.integer:
            return None
        hits = [h for h in self.matcher.hits(claim) if h.form == "same" and h.leaf.role in _PLACES]
        faults = [self.matcher.fault(claim, h) for h in hits]
        if not hits or any(f is None or f.verdict is not Verdict.WRONG_GROUP for f in faults):
            return None
        first = faults[0]
        return Outcome(first.verdict, first.reason, leaf=first.leaf) if first is not None else None

    def _figure(self, claim: Claim) -> Outcome:
        hits = self.matcher.hits(claim)
        faults: list[Fault] = []
        good: list[Hit] = []
        held: list[Hit] = []
        for hit in hits:
            fault = self.matcher.fault(claim, hit)
            if fault is None:
                good.append(hit)
                if self.matcher.evidence_is_large and len(good) >= 3:
                    break
            else:
                faults.append(fault)
        if not good and self.matcher.evidence_is_large:
            good = self._expected(claim, faults)
        if good and claim.label is None and self.user_match(claim.token) and self.affirmed(claim):
            near = 0.02 * abs(claim.token.value)
            good = [h for h in good if h.form != "same" or abs(h.leaf.value - claim.token.value) <= near]
            good = [h for h in good if h.form != "neg" or abs(h.leaf.value + claim.token.value) <= near]
            good = (
                []
                if claim.listed
                else [h for h in good if h.leaf.role not in {R.CONF_BOUND, R.P_VALUE, R.STD_ERROR}]
            )
        echo = good and all(_INPUTS & set(map(str, h.leaf.path)) for h in good)
        if echo and any(f.verdict is Verdict.WRONG_GROUP for f in faults):
            good = []  # an echo of what went in stands for a result only when no result is spoken of
        if good and all(h.leaf.key.casefold() in _HYPOTHESISED for h in good) and not self._hypothesis(claim):
            leaf = good[0].leaf
            return Outcome(
                Verdict.MISLABELLED, f"{leaf.address} is the value that was tested, none found", leaf=leaf
            )
        if good:
            good, fault = self._by_key(claim, good)
            checked, fault = (good, fault) if fault is not None else self.companions.check(claim, good)
            if fault is None:
                return self._computed(claim, checked)
            faults.insert(0, fault)
            held = good
        explicit = next((f for f in faults if f.named), None)
        if explicit is not None and self._user(claim) is None:
            return Outcome(
                explicit.verdict, explicit.reason, leaf=explicit.leaf, expected=explicit.expected
            )  # what the words name by its key is not backed by arithmetic over others
        if (backed := self._without_result(claim)) is not None:
            return backed
        if faults:
            worst = faults[0]
            return Outcome(worst.verdict, worst.reason, leaf=worst.leaf, held=held, expected=worst.expected)
        return self._orphan(claim)

    def _by_key(self, claim: Claim, good: list[Hit]) -> tuple[list[Hit], Fault | None]:
        """A figure behind the key of a number stands for that number, not for another of the same value."""
        named = self.matcher.labelling.exact_key(claim)
        if not named or claim.interval or claim.cell is not None:
            return good, None
        kept = [h for h in good if any(h.leaf.index == x.index for x in named)]
        if kept:
            return kept, None
        words = {w for part in named[0].path[-2:] if isinstance(part, str) for w in name_words(part)}
        if any(
            words & set(name_words(part)) for h in good for part in h.leaf.path[1:] if isinstance(part, str)
        ):
            return good, None
        leaf = good[0].leaf
        if any(self.matcher.labelling.container_said(claim, h.leaf) for h in good) and not any(
            self.matcher.labelling.container_said(claim, x) for x in named
        ):
            return (
                good,
                None,
            )  # "the probability of relapse is 0.09": a probability, not the mean under `relapse`
        return good, Fault(
            Verdict.MISLABELLED,
            f"{leaf.address} has this value; the sentence speaks of {named[0].address}",
            leaf,
        )

    def _hypothesis(self, claim: Claim) -> bool:
        """Whether the words around a figure speak of the value under test."""
        start = max(claim.sentence[0], claim.token.start - 60)
        around = self.text[start : min(claim.sentence[1], claim.token.end + 40)]
        return _UNDER_TEST.search(around) is not None and not self.affirmed(claim)

    def _expected(self, claim: Claim, faults: list[Fault]) -> list[Hit]:
        """Among very many candidates: the very number the sentence names, when it fits."""
        reach = self.matcher.reach(claim)
        for fault in faults:
            leaf = fault.expected
            if leaf is not None and abs(leaf.value - claim.token.value) <= reach:
                hit = Hit(leaf, "same")
                if self.matcher.fault(claim, hit) is None:
                    return [hit]
        return []

    def _computed(self, claim: Claim, hits: list[Hit]) -> Outcome:
        best = hits[0]
        scale = {
            "pct": ", as a percentage",
            "pct_neg": ", as a percentage without its sign",
            "neg": ", without its sign",
            "down": ", as a share",
        }
        self._chance.append(self._coincidence(claim))
        return Outcome(
            Verdict.COMPUTED,
            f"{best.leaf.address} is {best.leaf.value:.10g}{scale.get(best.form, '')}",
            best.leaf.address,
            hits,
        )

    # -- beyond results ------------------------------------------------------------------------------------------

    def _without_result(self, claim: Claim) -> Outcome | None:
        token, text, line = claim.token, self.text, claim.sentence
        if (user := self._user(claim)) is not None:
            return user
        rule = first_match(CITATIONS, token, text, line, weak=True)
        if rule is not None:
            return Outcome(rule.verdict, rule.reason)
        if (case := self.naming.case(claim)) is not None:
            return case
        if self.naming.quantile_named(token):
            return Outcome(Verdict.STRUCTURAL, "names a quantile of the results")
        asserted = self._asserted(claim)
        if not asserted:
            rule = first_match(CONVENTIONS, token, text, line, weak=True)
            if rule is not None:
                return Outcome(rule.verdict, rule.reason)
            if self.naming.literal(token):
                return Outcome(Verdict.STRUCTURAL, "part of a name or text of the results")
            rule = first_match(STRUCTURE, token, text, line, weak=True)
            if rule is not None:
                return Outcome(rule.verdict, rule.reason)
            if self._cases_listed(claim) or self._case(claim):
                return Outcome(Verdict.STRUCTURAL, "cases named in the results")
            if claim.label is None and (members := self.naming.members(token)) is not None:
                return members
        if claim.in_df and token.value == 1 and not self._df_reported():
            return Outcome(Verdict.CONVENTION, "one degree of freedom by the definition of the test")
        if self.matcher.labelling.exact_key(claim) and not claim.hedged:
            return (
                None  # "precision 72 %" is no quotient that happens to be 72 % when a precision was computed
            )
        if (done := self.deriver.figure(claim)) is not None:
            return Outcome(Verdict.DERIVED, done[0], done[1])
        return None

    def _df_reported(self) -> bool:
        return any(
            self.evidence.leaf(i[0]).role is R.DF and self.evidence.leaf(i[0]).value == 1
            for i in self.evidence.leaf_names.values()
        )

    def _cases_listed(self, claim: Claim) -> bool:
        """ "Perfect for 0, 1, 2 and 5", where these are names of the results."""
        run = self.scope.enumeration(claim)
        return len(run) > 1 and all(
            self.claims[i].token.integer and f"{self.claims[i].token.value:.0f}" in self.names.digit_keys
            for i in run
        )

    def _case(self, claim: Claim) -> bool:
        """ "At 80 µg/L", where 80 names a row of the results."""
        token = claim.token
        if not token.integer or token.percent or token.signed or claim.strength == STRONG or token.value < 2:
            return False
        name = f"{token.value:.0f}"
        if name in self.names.digit_keys:
            return _UNIT.match(self.text, token.end) is not None or token.value > 12
        return (
            token.value > 12
            and name in self.evidence.literals
            and _UNIT.match(self.text, token.end) is not None
        )

    def _asserted(self, claim: Claim) -> bool:
        """Said to be a result by a label and an equals sign or a verb."""
        if claim.strength != STRONG or claim.label is None or claim.label.id in {"alpha", "n"}:
            return claim.in_df
        if _SUPPOSED.search(self.text[max(claim.sentence[0], claim.token.start - 32) : claim.token.start]):
            return False
        if claim.label.id == "p" and claim.comparator and self._threshold_named(claim):
            return False
        before = self.text[max(0, claim.token.start - 6) : claim.token.start]
        if R.EFFECT_SIZE in claim.label.roles or claim.label.id in {"power"}:
            return "=" in before and bool(self.evidence_has(claim))
        return "=" in before or claim.label.id in {"p", "t", "f", "z", "r", "sd", "se", "mean", "median"}

    def _threshold_named(self, claim: Claim) -> bool:
        """ "The usual threshold is p < .05": a rule, and no p value of its own."""
        return bool(
            _RULE_OF_P.search(self.text[max(claim.sentence[0], claim.token.start - 40) : claim.token.start])
        )

    def _inequality(self, claim: Claim) -> Outcome | None:
        token = claim.token
        if claim.label is not None and claim.label.id == "p" and not token.percent:
            return self.pvalues.inequality(claim)
        if claim.label is None and 0 < token.value <= 0.1 and self._after_p(claim):
            return self.pvalues.inequality(claim)
        v, below = token.value, claim.comparator == "<"
        if claim.follows >= 0 and _COMPARED_FIGURES.fullmatch(
            self.text[self.claims[claim.follows].token.end : token.start]
        ):
            return None  # "17.2 > 15.5": a number of its own
        scale = 100.0 if token.percent or token.points else 1.0
        spread = 0.15 * abs(v) + token.step
        low, high = (v - spread, v) if below else (v, v + spread)
        for factor, form in ((1.0, "same"), (scale, "pct")):
            if form == "pct" and scale == 1.0:
                continue
            for index in self.evidence.between(low / factor - 1e-12, high / factor + 1e-12):
                leaf = self.evidence.leaf(index)
                hit = Hit(leaf, form)
                if leaf.role in {R.P_VALUE, R.DF} and claim.label is None:
                    continue
                if leaf.role is R.PERCENT and form == "same" and scale == 1.0 and token.integer:
                    continue  # "over 9 studies" is no percentage
                slack = 0.12 if token.integer and v % 10 == 0 else 0.05
                far = abs(leaf.value * factor - v) > slack * abs(v) + token.step * (token.decimals > 0)
                if far and claim.label is None and not self._spoken_of(claim, leaf):
                    continue
                if self.matcher._scale_fits(claim, leaf, form) and self.matcher.fault(claim, hit) is None:
                    return Outcome(
                        Verdict.COMPUTED, f"{leaf.address} is {leaf.value:.6g}", leaf.address, [hit]
                    )
        return None

    def _spoken_of(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the words around a bare figure name the number it is compared with."""
        return self.matcher.labelling.key_said(claim, leaf) or self.scope.speaks_of(claim, leaf)

    def _after_p(self, claim: Claim) -> bool:
        """A bare threshold behind a p value of the same sentence: "p = .002, well under .05"."""
        i = claim.follows
        while i >= 0:
            label = self.claims[i].label
            if label is not None:
                return label.id == "p"
            i = self.claims[i].follows
        return False

    # -- faults ----------------------------------------------------------------------------------------------------

    def _orphan(self, claim: Claim) -> Outcome:
        token = claim.token
        if not self.computed:
            return Outcome(Verdict.ORPHAN, "nothing was computed that could back it")
        if claim.comparator:
            return Outcome(Verdict.FALSE_INEQUALITY, "no result makes this comparison true")
        near = self.evidence.between(token.value - 4 * token.step, token.value + 4 * token.step, 8)
        for index in near:
            leaf = self.evidence.leaf(index)
            if (
                claim.label is not None
                and compatible(claim.label, leaf.name, leaf.role)
                and not token.integer
            ):
                return Outcome(
                    Verdict.WRONG_ROUNDING, f"{leaf.address} is {leaf.value:.10g}, which does not round to it"
                )
        for factor in (10.0, 0.1, 100.0, 0.01, 1000.0, 0.001):
            e = token.step / factor
            for index in self.evidence.between(token.value / factor - e, token.value / factor + e, 8):
                leaf = self.evidence.leaf(index)
                if claim.label is not None and compatible(claim.label, leaf.name, leaf.role) and token.value:
                    return Outcome(
                        Verdict.WRONG_SCALE, f"{leaf.address} is {leaf.value:.6g}: another power of ten"
                    )
        return Outcome(Verdict.ORPHAN, "no result, user number or convention backs it")

    # -- coincidence -------------------------------------------------------------------------------------------------

    def _coincidence(self, claim: Claim) -> float:
        """Chance that a random figure of this precision and magnitude would have matched some number."""
        token = claim.token
        size = abs(token.value)
        if size == 0 or token.step <= 0:
            return 0.0
        decade = 10.0 ** math.floor(math.log10(size)) if size > 1e-300 else size
        slots = 9 * decade / (2 * token.step)
        inside = self.evidence.count_between(decade, 10 * decade) + self.evidence.count_between(
            -10 * decade, -decade
        )
        return min(1.0, inside / slots) if slots > 0 else 1.0

    def coincidence(self) -> float:
        """The mean chance over the figures that passed as computed."""
        return sum(self._chance) / len(self._chance) if self._chance else 0.0
