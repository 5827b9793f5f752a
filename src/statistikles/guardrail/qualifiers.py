"""Words that narrow a statistic, in prose and in keys: weighted, adjusted, HC3; and keys that are labels themselves."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise

from statistikles.results.roles import Role, role_of_key

from .claims import Claim
from .entities import Names, name_words
from .evidence import Evidence, Leaf
from .layout import Layout
from .lexicon import FILLER, Label, symbol_of_key
from .report import Verdict
from .scope import Scope
from .tokens import Kind

__all__ = ["NAMELESS", "Fault", "Qualifiers", "called"]

R = Role
_PLAIN_WORDS = frozenset({"valu", "estimat", "coef", "overall", "point"})
_CORRECTIONS = frozenset(
    {
        "adj",
        "holm",
        "bonferron",
        "bonf",
        "fdr",
        "bh",
        "by",
        "corr",
        "tuk",
        "hochberg",
        "sidak",
        "adjust",
        "correct",
    }
)
_OF_VARIANCE = re.compile(
    r"varian|spread|disper|scatter|SDs?\b|standard dev|heterosc|homosc|equal|(?<![^\W_])F(?![^\W_])",
    re.IGNORECASE,
)
_RAW = re.compile(r"(?:^|_)(?:unc\w*|raw|unadj\w*|crude|nominal)(?:_|$)", re.IGNORECASE)
_ADJUST = re.compile(r"(?:^|_)(?:adj\w*|ls|lsm\w*|emm\w*|marginal)(?:_|$)", re.IGNORECASE)
_ADJUSTING = re.compile(
    r"(?<![^\W_])(?:(?:after|with|once|when) (?:adjust\w*|control\w*|account\w*|correct\w*)"
    r"|adjusted|adjusting|controlling) for(?![^\W_])",
    re.IGNORECASE,
)
_PAUSE = re.compile(r"[,;.()\n]")
_KEY_BEFORE = re.compile(r"(?<![^\W_])([^\W\d][\w]{1,20})[ ]?(?:=|≈|is|was|of)[ ]?[-−–$]?$")
_KEY_BESIDE = re.compile(r"(?<![^\W_])([a-z]{6,20}|[A-Z]{2,6})[ ][-−–$]?$")
_SQUARES = str.maketrans({"²": "2", "₀": "0", "₁": "1", "₂": "2"})
_MOST_KEYS = 5_000
_QUALIFIED = frozenset(
    {R.P_VALUE, R.STD_ERROR, R.STD_DEV, R.RATIO, R.DETERMINATION, R.EFFECT_SIZE, R.STATISTIC, R.ESTIMATE}
)
NAMELESS = frozenset({"value", "val", "y", "x", "result", "score", "est"})


def called(role: Role) -> str:
    """A role with its article: "a mean", "an effect size"."""
    return f"{'an' if role.value[0] in 'aeio' else 'a'} {role.value}"


@dataclass(slots=True)
class Fault:
    """Why a computed number of the right value may not be called what the sentence calls it."""

    verdict: Verdict
    reason: str
    leaf: Leaf | None = None
    expected: Leaf | None = None  # the number the sentence speaks of instead
    named: bool = False  # the words give the very key of another number


class Qualifiers:
    """Tells a statistic from its narrower sibling by the words around a figure."""

    def __init__(self, text: str, layout: Layout, evidence: Evidence, names: Names, scope: Scope) -> None:
        self.scope = scope
        self.text, self.layout, self.evidence, self.names = text, layout, evidence, names
        self._keys: dict[str, list[str]] | None = None
        self._adjusting = _ADJUSTING.search(text) is not None
        self._narrower_of: dict[int, list[tuple[int, set[str], set[str]]]] = {}

    def exact_key(self, claim: Claim) -> list[Leaf]:
        """The numbers whose key is the very word before the figure: "Cpk = 1.1" for `cpk`."""
        start = max(claim.sentence[0], claim.token.start - 30)
        m = _KEY_BEFORE.search(self.text[start : claim.token.start].translate(_SQUARES))
        if m is None and claim.label is None:
            m = _KEY_BESIDE.search(self.text[start : claim.token.start])
        if m is None or m.string[m.start(1) - 1 : m.start(1)] in {"/", "÷"}:
            return []
        word = m[1].replace(" ", "_").casefold()
        if word in FILLER or role_of_key(word) is not R.VALUE or word in NAMELESS:
            return []
        if self._keys is None:
            self._keys = {}
            if len(self.evidence.leaf_names) < _MOST_KEYS:
                for name in self.evidence.leaf_names:
                    self._keys.setdefault(name.casefold(), []).append(name)
        names = self._keys.get(word, [])
        if not names and (nodes := self.evidence.names.get(word)):
            # the number of an object stands under a general key: {"asymptote": {"est": 192.7}}
            kids = [
                self.names.children(n).get(k)
                for n in nodes[:12]
                for k in ("est", "estimate", "value", "point")
            ]
            return [self.evidence.leaf(k[1]) for k in kids if k is not None and k[0] == "leaf"]
        found = [self.evidence.leaf(i) for name in names for i in self.evidence.leaf_names[name][:24]]
        if claim.token.percent:  # a count under the name is no share
            found = [x for x in found if x.value != round(x.value) or abs(x.value) <= 1]
        return found

    def _printed(self, claim: Claim, other: Leaf, words: set[str]) -> bool:
        """Whether another figure, nearer to the words, already is the number they name."""
        for c in self.scope.claims_of(claim.sentence):
            if (
                c.index == claim.index
                or c.token.kind != Kind.FIGURE
                or (
                    abs(abs(c.token.value) - abs(other.value)) > c.token.step * (1 + 1e-9)
                    and not (other.role is R.COUNT and math.ceil(other.value) == c.token.value)
                )
            ):
                continue
            places = [w.start for w in self.layout.words_between(*claim.sentence) if w.stem in words]
            if places and min(abs(p - c.token.end) for p in places) < min(
                min(abs(p - claim.token.end), abs(claim.token.start - p)) for p in places
            ):
                return True
        return False

    def _nearer_own(self, claim: Claim, own: set[str], other: set[str]) -> bool:
        """Whether a word of the number's own name stands nearer than one of the other's."""
        at: dict[bool, int] = {}
        for w in self.layout.words_between(*claim.sentence):
            if w.stem in own or w.stem in other:
                gap = min(abs(w.start - claim.token.end), abs(claim.token.start - w.end))
                at[w.stem in own] = min(gap, at.get(w.stem in own, gap))
        return True in at and at[True] < at.get(False, 10_000)

    def _symbol_elsewhere(self, leaf: Leaf, label: Label) -> bool:
        """Whether the same object holds the very statistic of the label under its own key."""
        return any(
            kind == "leaf" and index != leaf.index and symbol_of_key(name) == label.symbol
            for name, (kind, index) in self.names.children(leaf.node).items()
        )

    def _unqualified(self, claim: Claim, leaf: Leaf, label: Label) -> Leaf | None:
        """ "κ = .81" when that is the weighted kappa and a plain one stands beside it."""
        if label.symbol in {"", "p"} or claim.cell is not None:
            return None
        mine = self._qualifiers(leaf)
        if not mine:
            return None
        node = leaf.node
        for _ in range(3):
            for name, (kind, index) in self.names.children(node).items():
                if kind == "leaf" and index != leaf.index and symbol_of_key(name) == label.symbol:
                    other = self.evidence.leaf(index)
                    extra = mine - set(name_words(name)) - _PLAIN_WORDS
                    if extra and len(name_words(name)) == 1 and not self._said_near(claim, extra):
                        return other
            node = self.evidence.node_parent[node] if node >= 0 else -1
            if node < 0:
                return None
        return None

    @staticmethod
    def _qualifiers(leaf: Leaf) -> set[str]:
        """The words of the last two names of a number, when they narrow a plain statistic."""
        words: set[str] = set()
        for part in leaf.path[1:][-2:]:
            if isinstance(part, str):
                words.update(name_words(part))
        return words if len(words) > 1 else set()

    def _said_near(self, claim: Claim, words: set[str]) -> bool:
        """Whether a sentence, or the one before it, says one of these words or what they shorten."""
        start = max(0, claim.sentence[0] - 240)
        near = {w.stem for w in self.layout.words_between(start, claim.sentence[1])}
        if words & near or any(n.startswith(w[:4]) for w in words for n in near if len(w) >= 3):
            return True
        return bool(words & _CORRECTIONS) and any(n.startswith(("adjust", "correct")) for n in near)

    def other_ratio(self, claim: Claim, leaf: Leaf) -> Fault | None:
        """ "About four times as much" of a ratio of variances, where nothing speaks of variances."""
        if leaf.role is not R.RATIO or "variance" not in leaf.key.casefold():
            return None
        start = max(0, claim.sentence[0] - 80)
        if claim.cell is not None or _OF_VARIANCE.search(self.text, start, claim.sentence[1]):
            return None
        return Fault(
            Verdict.MISLABELLED, f"{leaf.address} is a ratio of variances, and nothing here says so", leaf
        )

    def adjusted_sibling(self, claim: Claim, leaf: Leaf) -> Leaf | None:
        """ "After adjustment for income A has 33.8": the adjusted number beside this one, when it is another."""
        if leaf.role not in {R.MEAN, R.ESTIMATE, R.RATIO, R.COEFFICIENT, R.PROPORTION, R.PERCENT}:
            return None
        if (
            not self._adjusting
            or _ADJUST.search(leaf.key)
            or not _ADJUSTING.search(self.text, claim.sentence[0], claim.token.start)
        ):
            return None
        for name, (kind, index) in self.names.children(leaf.node).items():
            if kind == "leaf" and _ADJUST.search(name) and set(leaf.key.split("_")) <= set(name.split("_")):
                other = self.evidence.leaf(index)
                return other if other.value != leaf.value else None
        return None

    def unadjusted(self, claim: Claim, leaf: Leaf) -> Fault | None:
        """A plain number where the sentence speaks of the adjusted one beside it."""
        own = self.adjusted_sibling(claim, leaf)
        if own is None:
            return None
        reason = f"{leaf.address} has this value; the sentence speaks of {own.address}"
        return Fault(Verdict.MISLABELLED, reason, leaf, own)

    def _adjusted(self, claim: Claim, leaf: Leaf) -> Fault | None:
        """ "Holm p" is the p value whose key says holm."""
        narrower = self._narrower(leaf)
        if not narrower:
            return None
        mine = [w for w in name_words(leaf.key) if len(w) >= 2]
        said, anywhere = self._qualifying(claim)
        if leaf.role is R.P_VALUE and (rival := self._corrected(leaf, narrower, said)) is not None:
            return rival
        for index, extra, coded in narrower:
            if (extra & said or coded & anywhere) and not any(
                w in said or any(len(w) > 4 and s.startswith(w[:5]) for s in said) for w in mine
            ):
                return Fault(
                    Verdict.MISLABELLED,
                    f"{leaf.address} has this value; the sentence speaks of {self.evidence.leaf(index).address}",
                    leaf,
                )
        return None

    def _corrected(
        self, leaf: Leaf, narrower: list[tuple[int, set[str], set[str]]], said: set[str]
    ) -> Fault | None:
        """ "A corrected p of .017" of a p value whose key says that it is uncorrected."""
        if not any(s.startswith(("correct", "adjust")) for s in said) or not _RAW.search(leaf.key):
            return None
        for index, extra, _ in narrower:
            if extra & _CORRECTIONS or any(e.startswith(("bonf", "adj", "corr")) for e in extra):
                return Fault(
                    Verdict.MISLABELLED,
                    f"{leaf.address} has this value; the sentence speaks of {self.evidence.leaf(index).address}",
                    leaf,
                )
        return None

    def _narrower(self, leaf: Leaf) -> list[tuple[int, set[str], set[str]]]:
        """Siblings of the same kind whose names hold further words: (index, those words, those with digits)."""
        known = self._narrower_of.get(leaf.index)
        if known is None:
            known = self._narrower_of[leaf.index] = []
            mine = set(name_words(leaf.key))
            kids = self.names.children(leaf.node) if leaf.role in _QUALIFIED else {}
            for name, (kind, index) in kids.items():
                if kind != "leaf" or index == leaf.index or role_of_key(name) is not leaf.role:
                    continue
                extra = {w for w in name_words(name) if len(w) >= 2} - mine
                if extra:
                    coded = {w for w in extra if any(ch.isdigit() for ch in w) and not w.isdigit()}
                    known.append((index, extra, coded))
        return known

    def _qualifying(self, claim: Claim) -> tuple[set[str], set[str]]:
        """The words that may qualify the statistic of a figure, and all words of its sentence."""
        start = max(claim.sentence[0], claim.token.start - 48)
        if claim.follows >= 0:
            start = max(start, self.scope.claims[claim.follows].token.end)
        stop = _PAUSE.search(self.text, claim.token.end, min(claim.sentence[1], claim.token.end + 30))
        end = stop.start() if stop is not None else min(claim.sentence[1], claim.token.end + 30)
        words = [
            *self.layout.words_between(start, claim.token.start)[-5:],
            *self.layout.words_between(claim.token.end, end)[:4],
        ]
        said = {w.stem for w in words if len(w.text) > 2}
        said |= {s[:4] for s in said if s[:4] in _CORRECTIONS}
        said |= {
            f"{a.text[0]}{b.text[0]}".casefold()
            for a, b in pairwise(words)
            if a.text[0].isupper() and b.text[0].isupper() and b.start - a.end == 1
        }
        return said, {w.stem for w in self.layout.words_between(*claim.sentence)}
