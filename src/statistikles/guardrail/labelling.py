"""Whether a computed number may be called what the words around the figure call it: labels, keys, siblings."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re

from statistikles.results.roles import Role, role_of_key

from .claims import STRONG, Claim
from .entities import Names, name_words
from .evidence import Evidence, Leaf
from .layout import Layout
from .lexicon import FILLER, Label, carried_by, compatible, may_be_chance, symbol_of_key
from .qualifiers import NAMELESS, Fault, Qualifiers, called
from .report import Verdict
from .scope import Scope
from .vocabulary import UNITS

__all__ = ["Fault", "Labelling"]

R = Role

_NOT_BARE = frozenset({R.DF, R.P_VALUE, R.SEED, R.STD_ERROR, R.EFFECT_SIZE, R.CORRELATION, R.PROBABILITY, R.PROPORTION, R.DETERMINATION,
                       R.SHAPE, R.STATISTIC})  # fmt: skip
_BOUND_WORDS = re.compile(
    r"(?<![^\W_])(?:bounds?|limits?|ends?|at least|at most|as (?:low|high|little|much|small|large|few|many)|up to|from|to|between|interval|intervals|CIs?|range\w*|lower|upper|IC|KI|HDI|"
    r"zwischen|von|bis|entre|de|à|somewhere|anywhere|plausib\w*|reach\w*|runs?|span\w*|best case|worst case|includ\w*|excl\w*|agreement|asymptot\w*|plateau|floor|ceiling)(?![^\W_])|[\[(]",
    re.IGNORECASE,
)
_P_WORDS = re.compile(r"(?<![^\W_])p[- ]?(?:values?|Werte?)", re.IGNORECASE)
# A short symbol right behind a figure measures: ms, kWh, MPa, mmol/L, °C.
_UNIT_BEHIND = re.compile(
    r"[ ]?(?!(?:of|in|to|and|at|is|on|by|as|or|vs|per|the|was|are|for|but|it|we|so|all|out|new|old|men|odd|one|two|six|ten|von|und|les|des|de|sur|et|ou|ans|did|had|has)(?![^\W_]))(?:[°µ]?[A-Za-z]{1,4}(?:/[A-Za-z]{1,6})?|°)(?![^\W_])"
)
_BETWEEN_NAMES = re.compile(r"[ ][-−–/][ ]|(?<![^\W_])(?:vs\.?|versus|minus)(?![^\W_])")
_SAYS_IS = re.compile(r"^[ ]*(?:=|:|is\b|was\b|of\b)")
_LOOSE = frozenset({"m", "k", "d_stat", "v", "g", "h", "u", "q"})
_CENTRE = frozenset({"q50", "p50", "median", "0.5", "50", "50%"})


# What a number says that is rarely given without its name, and the words that name it.
_SECONDARY: dict[R, re.Pattern[str]] = {
    role: re.compile(words, re.IGNORECASE)
    for role, words in {
        R.EFFECT_SIZE: r"effect|alpha|α|reliab|agree|size|η|ω|ε|varian|explain|account|attribut|share|correl|associat|relat|overlap|superior|Cohen|Hedges|Cram|large|small|medium|strong|weak|SD|standard|(?<![^\W_])[dgVrfW](?![^\W_])|φ|phi|delta|kappa|benchmark|probab|chance",
        R.STD_ERROR: r"(?<![^\W_])(?:S\.?E\.?M?s?|s\.e\.|errors?|standard\w*|uncertain\w*|precis\w*|erreur\w*|±|fehler)(?![^\W_])|±",
        R.STD_DEV: r"(?<![^\W_])(?:S\.?D\.?s?|s\.d\.|std|standard\w*|deviat\w*|spread\w*|varia\w*|scatter\w*|sigma|RMSE|error\w*|residual\w*|écart\w*|streu\w*|MAD|noise|volatil\w*|dispers\w*|heterogen\w*|miss\w*|off|typical\w*|accura\w*)(?![^\W_])|[±σ]|s[ ]?=",
        R.P_VALUE: r"(?<![^\W_])(?:p|p-?values?|signific\w*|chance|probab\w*|luck|level|tests?|signif\w*|Wert|valeur|Holm|adjust\w*|correct\w*)(?![^\W_])",
        R.LIKELIHOOD: r"likelihood|devianc|log-?lik|LL|LR",
        R.INFORMATION: r"AIC|BIC|criteri|information",
        R.SEED: r"seed|random",
    }.items()
}
_STATISTIC_KEYS = frozenset(
    {R.P_VALUE, R.DF, R.COUNT, R.STD_ERROR, R.STD_DEV, R.CONF_BOUND, R.STATISTIC, R.MEAN, R.MEDIAN}
)
_FIXED = frozenset({R.CONF_BOUND, R.P_VALUE, R.STD_ERROR, R.DF, R.CONF_LEVEL})
_SHARE_LIKE = frozenset({R.PERCENT, R.PROPORTION, R.RATIO, R.PROBABILITY, R.VALUE})
_QUANTILE = re.compile(r"[qpQP]?_?(\d{1,2})%?")
# Words that a key must hold for a label that narrows a role.
_NARROW = {"resid_se": ("resid", "sigma", "rmse", "error")}
# Labels that a number under a key of no known meaning does not get when another number has it.
_PLAIN = frozenset(
    {
        "corr",
        "mean",
        "r",
        "rho",
        "or",
        "hr",
        "rr",
        "irr",
        "sd",
        "se",
        "variance",
        "median",
        "df",
        "skew",
        "kurt",
        "r2",
        "adj_r2",
        "t",
        "f",
        "chi2",
        "aic",
        "bic",
        "explained",
    }
)


class Labelling(Qualifiers):
    """Compares the label, key and neighbouring words of a figure with what a computed number is called."""

    def __init__(self, text: str, layout: Layout, evidence: Evidence, names: Names, scope: Scope) -> None:
        super().__init__(text, layout, evidence, names, scope)
        self._label_cache: dict[str, bool] = {}
        self._rival_cache: dict[int, list[tuple[int, set[str], set[str]]]] = {}

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
        behind = self.layout.words_between(claim.token.end, claim.token.end + 16)[:1]
        if behind and behind[0].stem in name_words(leaf.key) and behind[0].start - claim.token.end <= 2:
            return None
        between = self.text[words[-1].end : claim.token.start]
        after_figure = self.text[max(0, words[-1].start - 3) : words[-1].start].strip(" %")[-1:].isdigit()
        if after_figure and not _SAYS_IS.match(between):
            return None  # the noun of the figure before it
        if any(ch.isdigit() or ch in ",;()" for ch in between):
            return None
        for name, (kind, index) in self.names.children(leaf.node).items():
            theirs = tuple(w for w in name_words(name) if w not in UNITS)
            if kind == "leaf" and index != leaf.index and theirs == (words[-1].stem,):
                other = self.evidence.leaf(index)
                if other.role is leaf.role or (
                    {other.role, leaf.role} <= _SHARE_LIKE
                    and (other.value == round(other.value)) == (leaf.value == round(leaf.value))
                ):
                    return Fault(
                        Verdict.MISLABELLED,
                        f"{leaf.address} has this value; the sentence speaks of {other.address}",
                        leaf,
                        other,
                        named=True,
                    )
        return None

    def word_before(self, claim: Claim, leaf: Leaf) -> bool:
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
        best = frozenset(key for n, key in fits if n == top)
        # "the difference Fake tree − Real tree = ...": two of them are named, the figure is of neither
        return best if len(best) == 1 or not _BETWEEN_NAMES.search(gap) else frozenset()

    def fault(self, claim: Claim, leaf: Leaf, form: str) -> Fault | None:
        """What is wrong with the name the words around the figure give this number."""
        if (other := self.other_ratio(claim, leaf) or self.unadjusted(claim, leaf)) is not None:
            return other
        if claim.label is not None and claim.strength:
            return self._labelled(claim, leaf, claim.label)
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
            return self._interval_end(claim, leaf)
        return self._bare(claim, leaf, form)

    def _labelled(self, claim: Claim, leaf: Leaf, label: Label) -> Fault | None:
        """A label that the number does not carry, or that another one carries instead."""
        if claim.interval and leaf.role is R.CONF_BOUND and label.id in {"mean", "median", "coef", "diff"}:
            return None  # "95 % CI for the mean 58.6 to 71.4"
        # rmse_mean, tau_min, sd_pct.min_var_portfolio
        named = leaf.role not in _FIXED and (
            carried_by(label.id, self._own_key(leaf)) or self._in_table_of(leaf, label)
        )
        if label.id in _LOOSE and not self._any_labelled(claim):
            return None  # a single letter that names something else here
        if label.id == "median" and _CENTRE & set(map(str, leaf.path)):
            return None
        if label.id == "quartile" and (wrong := self._other_quantile(leaf)) is not None:
            return wrong
        if (rival := self._adjusted(claim, leaf)) is not None:
            return rival
        if claim.strength == STRONG and (plain := self._unqualified(claim, leaf, label)) is not None:
            return Fault(
                Verdict.MISLABELLED,
                f"{leaf.address} has this value; without a further word the sentence speaks of {plain.address}",
                leaf,
                plain,
            )
        # a header fits its column, not each figure of a cell: what else stands there, the column tells
        loose = claim.cell is not None and leaf.role in label.roles | {
            R.VALUE,
            R.MEAN,
            R.ESTIMATE,
            R.COEFFICIENT,
            R.COUNT,
            *((R.PROPORTION, R.PERCENT) if claim.token.percent else ()),
        }
        if (
            not named
            and not loose
            and not compatible(label, leaf.name, leaf.role)
            and not self._spelt_out(claim, leaf)
        ):
            if claim.strength == STRONG or self._has_labelled(claim, leaf):
                return Fault(
                    Verdict.MISLABELLED,
                    f"{leaf.address} is {called(leaf.role)}, not what it is called here",
                    leaf,
                )
        elif claim.strength == STRONG and (own := self._bearer(claim, leaf)) is not None:
            return Fault(
                Verdict.MISLABELLED, f"{leaf.address} has this value; {own.address} is called so", leaf
            )
        elif self._unnamed(claim, leaf, label):
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is not what it is called here", leaf)
        elif label.id == "df" and leaf.role is R.VALUE and leaf.value != round(leaf.value):
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is no number of degrees of freedom", leaf)
        elif label.id == "r2" and leaf.role is R.STATISTIC:
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is {called(leaf.role)}", leaf)
        return None

    def _unnamed(self, claim: Claim, leaf: Leaf, label: Label) -> bool:
        """A number under a key of no known meaning, where another number carries the label."""
        return (
            claim.strength == STRONG
            and leaf.role is R.VALUE
            and (
                label.id in _PLAIN
                or (
                    label.symbol not in {"", "p", "alpha", "kappa", "icc"}
                    and self._symbol_elsewhere(leaf, label)
                )
            )
            and claim.cell is None
            and self._any_labelled(claim)
            and leaf.key.casefold() not in NAMELESS
            and not self.scope.speaks_of(claim, leaf)
            and not self.key_said(claim, leaf)
        )

    @staticmethod
    def _other_quantile(leaf: Leaf) -> Fault | None:
        m = _QUANTILE.fullmatch(leaf.key)
        if m is None or m[1] in {"25", "75", "1", "3"}:
            return None
        return Fault(Verdict.MISLABELLED, f"{leaf.address} is another quantile", leaf)

    @staticmethod
    def _own_key(leaf: Leaf) -> str:
        """The key of a number; of what holds it when its own says nothing ("value", "est")."""
        inside = [part for part in leaf.path[1:] if isinstance(part, str)]
        if len(inside) > 1 and inside[-1].casefold() in NAMELESS:
            return inside[-2]
        return inside[-1] if inside else ""

    @staticmethod
    def _in_table_of(leaf: Leaf, label: Label) -> bool:
        """Whether what holds the number is a table of this statistic: `sd_pct.min_var_portfolio`."""
        if (
            len(leaf.path) < 3
            or not isinstance(leaf.path[-2], str)
            or role_of_key(leaf.key) in _STATISTIC_KEYS
        ):
            return False
        above, symbol = role_of_key(leaf.path[-2]), symbol_of_key(leaf.path[-2])
        return above in label.roles and above is not R.VALUE and symbol in {"", label.symbol}

    def _interval_end(self, claim: Claim, leaf: Leaf) -> Fault | None:
        """What cannot be the end of an interval."""
        if leaf.role is R.P_VALUE and _P_WORDS.search(self.text, claim.sentence[0], claim.token.start):
            return None
        if leaf.role in {R.P_VALUE, R.DF, R.STATISTIC, R.SEED}:
            return Fault(
                Verdict.MISLABELLED,
                f"{leaf.address} is {called(leaf.role)}, not the end of an interval",
                leaf,
            )
        return None

    def _bare(self, claim: Claim, leaf: Leaf, form: str) -> Fault | None:
        """What a figure without any label cannot stand for."""
        token = claim.token
        cue = _SECONDARY.get(leaf.role)
        if (
            cue is not None
            and not any(may_be_chance(str(part)) for part in leaf.path[1:])
            and claim.cell is None
            and not claim.plus_minus
            and not claim.listed
            and not self._in_brackets(claim)
            and not cue.search(
                self.text, max(0, claim.sentence[0] - 60), min(len(self.text), claim.sentence[1])
            )
            and not self.key_said(claim, leaf)
        ):
            return Fault(
                Verdict.MISLABELLED, f"{leaf.address} is {called(leaf.role)}, and nothing here says so", leaf
            )
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
            and not self.word_before(claim, leaf)
            and not claim.plus_minus
        ):
            return Fault(Verdict.MISLABELLED, f"{leaf.address} is {called(leaf.role)}, not a count", leaf)
        if (
            token.integer
            and abs(token.value) <= 31
            and leaf.value != token.value
            and not claim.hedged
            and not token.percent
            and not _UNIT_BEHIND.match(self.text, token.end)
            and leaf.role in {R.CONF_BOUND, R.COEFFICIENT, R.VALUE, R.RATIO}
            and not (self.word_before(claim, leaf) or self.container_before(claim, leaf))
            and claim.cell is None
            and not claim.percent_context
        ):
            return Fault(Verdict.ORPHAN, "no result counts this", leaf)
        return None

    def _in_brackets(self, claim: Claim) -> bool:
        opened = self.text.rfind("(", max(claim.sentence[0], claim.token.start - 60), claim.token.start)
        return opened >= 0 and ")" not in self.text[opened : claim.token.start]

    def container_before(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the word right before the figure names what holds the number: "background 31"."""
        word = self.layout.word_before(claim.token.start)
        above = leaf.path[-2] if len(leaf.path) > 2 else ""
        return word is not None and isinstance(above, str) and word.stem in name_words(above)

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

    def _bearer(self, claim: Claim, leaf: Leaf) -> Leaf | None:
        """A sibling of the same role whose key is the very statistic of the label: sd_residual for a residual SD."""
        label = claim.label
        if (
            label is None
            or label.id not in _NARROW
            or any(w in leaf.key.casefold() for w in _NARROW[label.id])
        ):
            return None
        for name, (kind, index) in self.names.children(leaf.node).items():
            if (
                kind == "leaf"
                and index != leaf.index
                and any(w in name.casefold() for w in _NARROW[label.id])
            ):
                other = self.evidence.leaf(index)
                if other.role is leaf.role:
                    return other
        return None

    def container_said(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether a word of what holds the number stands before the figure: "reliability is 96 %"."""
        near = {w.stem for w in self.layout.words_between(claim.sentence[0], claim.token.start)}
        return any(
            w in near
            for part in leaf.path[1:-1]
            if isinstance(part, str)
            for w in name_words(part)
            if len(w) > 4
        )

    def key_said(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether any word of the number's address stands near the figure."""
        near = {
            w.stem
            for w in self.layout.words_between(
                max(claim.sentence[0], claim.token.start - 60), min(claim.sentence[1], claim.token.end + 30)
            )
        }
        return any(w in near for part in leaf.path[1:] if isinstance(part, str) for w in name_words(part))

    def _spelt_out(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the words before the figure spell the key: "the median difference is" for median_diff."""
        before = self.layout.words_between(max(claim.sentence[0], claim.token.start - 48), claim.token.start)
        said = [w.text.casefold() for w in before[-6:]]
        words = name_words(leaf.key)
        return len(words) >= 2 and all(any(s.startswith(w) for s in said) for w in words)

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

    def sibling_fault(self, claim: Claim, leaf: Leaf) -> Fault | None:
        """A word near the figure that names a sibling of this number and not this number."""
        if claim.listed or (claim.strength == STRONG and claim.label is not None and claim.label.symbol):
            return None
        mine = set(name_words(leaf.key))
        if not mine or leaf.role in {R.CONF_BOUND, R.MINIMUM, R.MAXIMUM, R.QUANTILE}:
            return None
        rivals = self._rivals(leaf, mine)
        if not rivals:
            return None
        behind = self.layout.words_between(claim.token.end, claim.token.end + 24)[:1]
        if behind and mine == {behind[0].stem} and behind[0].start - claim.token.end <= 1:
            return None  # "380 matches": the noun of the figure is the whole key
        start = max(claim.sentence[0], claim.clause, claim.token.start - 50)
        near = {
            w.stem for w in self.layout.words_between(start, min(claim.sentence[1], claim.token.end + 22))
        }
        for index, said, own in rivals:
            if leaf.role is not self.evidence.leaf(index).role and claim.token.percent:
                continue
            behind = self.layout.words_between(claim.token.end, claim.token.end + 16)[:1]
            if behind and behind[0].stem in mine and behind[0].start - claim.token.end <= 2:
                continue  # "380 matches" is no rate per match
            if (
                not own & near
                and not self._nearer_own(claim, own, said)
                and any(len(w) >= 3 and not w.isdigit() and role_of_key(w) is R.VALUE for w in said & near)
            ):
                other = self.evidence.leaf(index)
                if self._printed(claim, other, said & near):
                    continue
                return Fault(
                    Verdict.MISLABELLED,
                    f"{leaf.address} has this value; the sentence speaks of {other.address}",
                    leaf,
                )
        return None
