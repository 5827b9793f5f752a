"""The names a set of results speaks of: its keys, short texts and row labels, and how they lie to each other.

No word list of any subject lives here: the names are the key names and short strings of the results at hand.
"""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from functools import lru_cache

from statistikles.results.roles import Role, role_of_key

from .evidence import Evidence, Leaf
from .layout import stem
from .words import word_set

__all__ = ["FOLDED", "GROUPING", "ONE", "PAIR", "SPECIAL", "UNITS", "Vocabulary", "canonical", "name_words"]

_SPLIT = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NEGATORS = {"non", "not", "without", "no", "none", "excluding", "minus", "ohne", "sans", "ex"}
_BEFORE = {"before", "pre", "prior", "avant", "vor", "pretest", "earlier"}
_AFTER = {
    "after",
    "post",
    "since",
    "following",
    "après",
    "nach",
    "posttest",
    "later",
    "afterwards",
    "afterward",
    "depuis",
}
SPECIAL = _NEGATORS | _BEFORE | _AFTER | {"from"}
# Strings that describe rather than name.
_NOT_NAMES = word_set(
    "unit units note notes warning warnings interpretation apa text summary reason formula alternative id "
    "estimate_name statistic_name effect_size_name conf_method magnitude"  # these name a number, not the result
)
# Words too general to tell one result from another.
_GENERIC = frozenset(stem(w) for w in word_set("test analysis model method result results value values group groups data the of and vs by in for at on to per "
    "a an or is stat stats statistic tool table two one sample mean difference effect effects log ln"
))  # fmt: skip
PAIR = re.compile(r"\s*[~&|*]\s*|\s+[-–—/x×:]\s+|_?\bvs\.?\b_?|_vs_|__|\s*[>→]\s*|_minus_|\s+minus\s+")


# Greek letters and clipped names of statistics, as they are spelt out.
FOLDED = {
    "τ": "tau",
    "λ": "lambda",
    "θ": "theta",
    "α": "alpha",
    "β": "beta",
    "γ": "gamma",
    "δ": "delta",
    "ω": "omega",
    "sens": "sensitivity",
    "spec": "specificity",
}
# Methods that results call by their letters and prose by their words: first word -> (how the next begins, the letters).
_LETTERED = {
    "nearest": ("neighbo", "knn"), "random": ("forest", "rf"), "gradient": ("boost", "gbm"), "naive": ("bayes", "nb"),
    "support": ("vector", "svm"), "neural": ("net", "nn"),
}  # fmt: skip
# Numbers of stages and types in Roman figures; a single letter is one only behind the word that counts them.
_ROMAN = {"II": "2", "III": "3", "IV": "4", "VI": "6", "VII": "7", "VIII": "8", "IX": "9"}
ONE = {"I": "1", "V": "5", "X": "10"}
# Words that say a number is the name of one of several.
GROUPING = frozenset(stem(w) for w in word_set("group groups level levels category categories class classes arm arms condition cluster rank stage grade type tier cohort "
    "batch stratum strata quartile tertile quintile bin number no gruppe stufe groupe niveau"
))  # fmt: skip
# Clipped keys that prose spells out.
_SPELT_OUT = {
    "tp": "true positives",
    "fp": "false positives",
    "fn": "false negatives",
    "tn": "true negatives",
}
UNITS = frozenset({"pct", "percent", "low", "high", "upp", "valu"})
_MAX_CHILDREN = 400
_MOST_SIZES = 5_000  # containers looked into for what they list
_ROW_ROLES = frozenset(
    {
        Role.VALUE,
        Role.INDEX,
        Role.TIME,
        Role.PARAMETER,
        Role.RANK,
        Role.CONF_LEVEL,
        Role.CORRELATION,
        Role.COUNT,
        Role.STATISTIC,
    }
)
_TIMED_KEY = re.compile(r"[^\W\d](?:[^\W\d]*_)?[^\W\d]{0,8}?_?(?P<at>\d{1,4})[a-z]{0,6}\Z")
_NUMBERED_PARTS = re.compile(r"(?<![^\W_])[a-z]+\d+(?![^\W_])")
_CONTAINERS = frozenset(
    stem(w)
    for w in word_set(
        "group groups by results result values data stats statistics table tables details rows models"
    )
)
_STATISTICS = frozenset({"mean", "average", "avg"})
_MAX_ALIAS_NODES = 24


@lru_cache(maxsize=16384)
def canonical(word: str, following: str = "") -> str:
    """The stem of a word, with negating and before/after words folded together."""
    low = FOLDED.get(word.casefold(), word.casefold())
    if word in _ROMAN:
        return _ROMAN[word]
    if (letters := _LETTERED.get(low)) is not None and following.casefold().startswith(letters[0]):
        return letters[1]
    if low in _NEGATORS:
        return "no"
    if low in _BEFORE:
        return "before"
    if low in _AFTER or (low == "from" and following.isdigit() and len(following) == 4):
        return "after"
    return stem(low)


@lru_cache(maxsize=16384)
def name_words(name: str) -> tuple[str, ...]:
    """The stems a name is made of; negating words fold into "no"."""
    name = _SPELT_OUT.get(name.casefold(), name)
    words = [w for piece in _SPLIT.findall(name) for w in _CAMEL.split(piece) if w]
    stems = [canonical(w, words[k + 1] if k + 1 < len(words) else "") for k, w in enumerate(words)]
    stems = [
        ONE.get(w, s) if k and stems[k - 1] in GROUPING else s
        for k, (w, s) in enumerate(zip(words, stems, strict=True))
    ]
    if len(stems) > 1:
        ratio = "or" in words and " " not in name  # the odds ratio, no conjunction
        kept = [
            s
            for s, w in zip(stems, words, strict=True)
            if s not in _GENERIC or len(w) == 1 or (ratio and w == "or")
        ]
        stems = kept or stems
    return tuple(stems)


@lru_cache(maxsize=16384)
def _acronym(name: str) -> str:
    words = _SPLIT.findall(name)
    letters = "".join(w[0] for w in words if w[0].isupper())
    return letters if len(letters) >= 2 and len(words) >= 2 else ""


_MAX_CASES = 5_000
# A number of its own within a name; not the 2 of "chi2", the 1 of "x1", or a confidence level.
_CASE = re.compile(
    r"(?:(?<![A-Za-z\d.])|(?<=top)|(?<=over)|(?<=under)|(?<=age)|(?<=day)|(?<=week)|(?<=lag)|(?<=year)|(?<=month))(?<!ci_)(?<!ci)(\d{1,7}(?:\.\d+)?)(?![\d.]*\d)"
)


class Vocabulary:
    """Grows with an `Evidence` and knows which names are siblings."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.by_word: dict[str, list[str]] = {}
        self.by_acronym: dict[str, str] = {}
        self.words_of: dict[str, tuple[str, ...]] = {}
        self.leaf_phrases: dict[
            str, list[tuple[frozenset[str], str]]
        ] = {}  # stem -> (words, key) of long key names
        self.categories: set[str] = set()  # names of categories that read like statistics
        self.clipped: set[str] = set()  # names of which only the first word tells: support_mean
        self.heads: set[str] = set()
        self.count_keys: set[str] = set()
        self.reports_df = False  # whether any result names degrees of freedom
        self.sizes: dict[int, int] = {}  # number of members -> first such container
        self.row_ids: set[int] = set()  # numbers that tell the rows of a list apart
        self.digit_keys: set[str] = set()
        self._cases: dict[float, set[str]] | None = None  # numbers within key names -> those names
        self.short: dict[str, str] = {}
        self.text_words: set[str] = set()  # words of the texts of results
        self.timed: dict[str, list[str]] = {}  # number -> keys that end in it
        self.prefixes: list[str] = []
        self.alias_nodes: dict[str, list[int]] = {}
        self._row_aliases: dict[int, list[tuple[str, int]]] = {}
        self.node_alias: dict[int, set[str]] = {}
        self._nodes_seen_before = 0
        self._nodes_seen = self._leaves_seen = self._strings_seen = 0
        self._children: dict[int, dict[str, tuple[str, int]]] = {}
        self._nodes_of: dict[int, list[int]] | None = None
        self._leaves_of: dict[int, list[int]] | None = None
        self.grow()

    def cases(self, value: float) -> set[str]:
        """The key names that tell a case by this number: "80_ugL", "R_1000h", "survival_10y", "0-20%", "15"."""
        if self._cases is None:
            self._cases = {}
            known = {*self.evidence.names, *self.evidence.leaf_names, *self.alias_nodes}
            for name in known if len(known) <= _MAX_CASES else ():
                for m in _CASE.finditer(name):
                    self._cases.setdefault(float(m[1]), set()).add(name)
        return self._cases.get(value, set())

    def grow(self) -> None:
        """Take in what was added to the evidence since the last call."""
        ev = self.evidence
        if (len(ev.node_key), len(ev.values), len(ev.strings)) == (
            self._nodes_seen,
            self._leaves_seen,
            self._strings_seen,
        ):
            return
        for name in ev.names:
            if name.isdigit():
                self.digit_keys.add(name)
            if role_of_key(name) is not Role.CONF_BOUND:
                self._learn(name)
        for table in (ev.names, ev.leaf_names):
            if not self.reports_df:
                self.reports_df = any(
                    ("df" in name or "dof" in name or "freedom" in name) and role_of_key(name) is Role.DF
                    for name in table
                )
        for name in ev.leaf_names:
            if name.isdigit():
                self.digit_keys.add(name)
            if (category := self._category(name)) or role_of_key(name) is Role.VALUE or name.isdigit():
                self._learn(name)
                if category:
                    self.categories.add(name)
            self._learn_phrase(name)
            self._learn_timed(name)
            if name.startswith(("n_", "num_", "k_")):
                self.count_keys.add(name)
        for node, key, text in ev.strings[self._strings_seen :]:
            if key == "method":
                text = text.split("(")[0].strip()  # what stands in parentheses is how, not what
            if len(text) <= 48 and key.casefold() not in _NOT_NAMES:
                self._learn(text)
                self.text_words.update(name_words(text))
                self.node_alias.setdefault(node, set()).add(text.casefold())
                known = self.alias_nodes.setdefault(text, [])
                if len(known) < _MAX_ALIAS_NODES:
                    known.append(node)
                    root = ev.node_parent[node]
                    if root >= 0 and ev.node_parent[root] < 0 and self._only_container(root, node):
                        known.append(root)  # a result that is about one thing goes by its name
        self._learn_rows()
        self._nodes_seen, self._leaves_seen, self._strings_seen = (
            len(ev.node_key),
            len(ev.values),
            len(ev.strings),
        )
        fresh = range(self._nodes_seen_before, len(ev.node_size))
        self._nodes_seen_before = len(ev.node_size)
        self.heads = {w[:4] for w in self.by_word if len(w) >= 4}
        self.prefixes = sorted(w for w in self.by_word if len(w) >= 5)
        self._children.clear()
        self._cases = None
        self._nodes_of = self._leaves_of = None
        for node in fresh:
            if not ev.node_is_list[node] and ev.node_parent[node] >= 0:
                self._learn_size(node)

    def _category(self, name: str) -> bool:
        """Whether a key that reads like a statistic is the name of a category: N of {"Y": 0.6, "N": 0.4}."""
        ev = self.evidence
        if len(name) > 12 or len(ev.leaf_names) > _MOST_SIZES:
            return False
        return ev.leaf(ev.leaf_names[name][0]).role is not role_of_key(name)

    def _learn_size(self, node: int) -> None:
        """A container of named things may be counted in prose ("three groups"), and so may the rows it stands among."""
        ev = self.evidence
        above = ev.node_parent[node]
        if ev.node_is_list[above]:  # a row of a table
            self.sizes.setdefault(ev.node_size[above], above)
        if ev.node_size[node] not in self.sizes and (node >= _MOST_SIZES or self._lists_members(node)):
            self.sizes[ev.node_size[node]] = node
        if node < _MOST_SIZES and any(role_of_key(name) is Role.INTERCEPT for name in self.children(node)):
            self.sizes.setdefault(ev.node_size[node] - 1, node)  # predictors are counted without the constant

    def _lists_members(self, node: int) -> bool:
        """Whether a container holds things under their names, not the mean, SD and n of one thing."""
        return not any(
            kind == "leaf" and role_of_key(name) is not Role.VALUE
            for name, (kind, _) in self.children(node).items()
        )

    def _only_container(self, root: int, node: int) -> bool:
        """Whether a container is the only one right under a result."""
        ev = self.evidence
        following = range(root + 1, min(root + 12, len(ev.node_parent)))
        return [i for i in following if ev.node_parent[i] == root] == [node]

    def _learn(self, name: str) -> None:
        if name in self.words_of:
            return
        words = name_words(name)
        if _CONTAINERS.issuperset(words):
            return  # "groups", "by_group": what holds the named things is no name
        self.words_of[name] = words
        if len(words) == 1 and len(_SPLIT.findall(name)) > 1 and name.rpartition("_")[2] in _STATISTICS:
            self.clipped.add(name)
        for word in set(words):
            self.by_word.setdefault(word, []).append(name)
        if len(parts := _NUMBERED_PARTS.findall(name)) > 1:
            self.sizes.setdefault(len(parts), 0)  # "three covariates" of partial_cv1_cv2_cv3
        if short := _acronym(name):
            self.by_acronym[short] = name

    def _learn_rows(self) -> None:
        """Rows of a list that are told apart by a number: {"level": 1, ...}, {"tau": 0.5, ...}."""
        ev = self.evidence
        first_of: dict[int, int] = {}
        for index in range(self._leaves_seen, len(ev.values)):
            first_of.setdefault(ev.owner[index], index)
        rows: dict[int, list[int]] = {}
        for node in first_of:
            parent = ev.node_parent[node]
            if parent >= 0 and ev.node_is_list[parent] and not ev.node_is_list[node]:
                rows.setdefault(parent, []).append(node)
        for nodes in rows.values():
            keys = {ev.keys[first_of[node]] for node in nodes}
            values = {ev.values[first_of[node]] for node in nodes}
            if not 2 <= len(nodes) == len(values) <= _MAX_CHILDREN or len(keys) != 1:
                continue
            key = str(keys.pop())
            if role_of_key(key) not in _ROW_ROLES or any(node in self.node_alias for node in nodes):
                continue
            for node in nodes:
                value = f"{ev.values[first_of[node]]:g}"
                self.row_ids.add(first_of[node])
                for alias in (f"{key} {value}", f"={value}"):
                    self._learn(alias)
                    self.alias_nodes.setdefault(alias, []).append(node)
                    self._row_aliases.setdefault(node, []).append((alias, node))

    def _learn_timed(self, name: str) -> None:
        """Keys that end in a number ("S12", "surv_24m") are named by that number."""
        m = _TIMED_KEY.match(name)
        if m is not None:
            self.timed.setdefault(m["at"], []).append(name)

    def _learn_phrase(self, name: str) -> None:
        words = frozenset(w for w in name_words(name) if len(w) >= 3 and not w.isdigit() and w not in UNITS)
        if len(words) >= 2:
            for word in words:
                known = self.leaf_phrases.setdefault(word, [])
                if (words, name) not in known:
                    known.append((words, name))

    def row_names(self, node: int) -> list[tuple[str, int]]:
        """The aliases of a row that is told apart by a number: ("k 3", node)."""
        return [(alias, n) for alias, n in self._row_aliases.get(node, [])]

    def children(self, node: int) -> dict[str, tuple[str, int]]:
        """Named children of a container: name -> ("node" or "leaf", index). -1 is the list of results."""
        known = self._children.get(node)
        if known is not None:
            return known
        if self._nodes_of is None or self._leaves_of is None:
            self._nodes_of, self._leaves_of = {}, {}
            for i, parent in enumerate(self.evidence.node_parent):
                self._nodes_of.setdefault(parent, []).append(i)
            for i, owner in enumerate(self.evidence.owner):
                self._leaves_of.setdefault(owner, []).append(i)
        found: dict[str, tuple[str, int]] = {}
        for i in self._nodes_of.get(node, [])[:_MAX_CHILDREN]:
            found[str(self.evidence.node_key[i])] = ("node", i)
        for i in self._leaves_of.get(node, [])[:_MAX_CHILDREN]:
            found[str(self.evidence.keys[i])] = ("leaf", i)
        self._children[node] = found
        return found

    def siblings_at(self, leaf: Leaf) -> list[tuple[int, str, int]]:
        """(parent node, name, node or -1 for the leaf itself) at each level above and at a leaf."""
        ev = self.evidence
        levels: list[tuple[int, str, int]] = []
        if not isinstance(ev.keys[leaf.index], int) and len(leaf.path) > 1:
            levels.append((leaf.node, str(ev.keys[leaf.index]), -1))
        node = leaf.node
        while node >= 0:
            levels.append((ev.node_parent[node], str(ev.node_key[node]), node))
            node = ev.node_parent[node]
        return levels

    def analog(self, leaf: Leaf, level_node: int, other: int | None, other_leaf: int | None) -> int | None:
        """The number at the same place under a sibling: r1.groups.B.mean for r1.groups.A.mean."""
        if level_node == -1:
            return other_leaf
        if other is None:
            return None
        tail: list[str] = []
        ev = self.evidence
        tail.append(str(ev.keys[leaf.index]))
        node = leaf.node
        while node != level_node:
            tail.append(str(ev.node_key[node]))
            node = ev.node_parent[node]
        at = other
        for part in reversed(tail[1:]):
            step = self.children(at).get(part)
            if step is None or step[0] != "node":
                return None
            at = step[1]
        last = self.children(at).get(tail[0])
        return last[1] if last is not None and last[0] == "leaf" else None
