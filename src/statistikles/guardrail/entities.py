"""Which computed thing a sentence speaks of: groups, terms, variables and tests named in results, found in prose.

No word list of any subject lives here: the names are the key names and short strings of the results at hand.
"""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

from statistikles.results.roles import Role, role_of_key

from .evidence import Evidence, Leaf
from .layout import Layout, Word, stem
from .words import word_set

__all__ = ["Mention", "Names", "name_words"]

_SPLIT = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NEGATORS = {"non", "not", "without", "no", "none", "excluding", "minus", "ohne", "sans", "ex"}
_WITHOUT = {"without", "excluding", "ohne", "sans"}
_THAT = {"it", "this", "that", "them", "him", "her", "these", "those"}
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
# Strings that describe rather than name.
_SPECIAL = _NEGATORS | _BEFORE | _AFTER | {"from"}
_NOT_NAMES = word_set(
    "unit units note notes warning warnings interpretation apa text summary reason formula alternative id "
    "estimate_name statistic_name effect_size_name conf_method magnitude"  # these name a number, not the result
)
# Words too general to tell one result from another.
_STOPS = re.compile(r"[;!?:()](?![^\W_])|[.,](?!\d)")
_ARTICLE = re.compile(
    r"[ ][a-zà-ÿ]{3,}[ -][a-zà-ÿ]|[ ][A-Z][a-zà-ÿ]+[-–’'a-z]*[ ](?:test|model|analysis|ANOVA|regression)"
)
_GENERIC = frozenset(stem(w) for w in word_set("test analysis model method result results value values group groups data the of and vs by in for at on to per "
    "a an or is stat stats statistic tool table two one sample mean difference effect effects"
))  # fmt: skip
_PAIR = re.compile(r"\s*[~&|*]\s*|\s+[-–—/x×:]\s+|_?\bvs\.?\b_?|_vs_|__|\s*[>→]\s*|_minus_|\s+minus\s+")
_UNITS = frozenset({"pct", "percent", "low", "high", "upp", "valu"})
_MOST_SIZES = 5_000  # containers looked into for what they list
_MAX_CHILDREN = 400
_MAX_TIE = 40  # more names than this share the words: they name nothing
_MAX_ALIAS_NODES = 24


@lru_cache(maxsize=16384)
def _canonical(word: str, following: str = "") -> str:
    """The stem of a word, with negating and before/after words folded together."""
    low = word.casefold()
    if low in _NEGATORS:
        return "no"
    if low in _BEFORE:
        return "before"
    if low in _AFTER or (low == "from" and following.isdigit() and len(following) == 4):
        return "after"
    return stem(word)


@lru_cache(maxsize=16384)
def name_words(name: str) -> tuple[str, ...]:
    """The stems a name is made of; negating words fold into "no"."""
    words = [w for piece in _SPLIT.findall(name) for w in _CAMEL.split(piece) if w]
    stems = [_canonical(w, words[k + 1] if k + 1 < len(words) else "") for k, w in enumerate(words)]
    if len(stems) > 1:
        kept = [s for s, w in zip(stems, words, strict=True) if s not in _GENERIC or len(w) == 1]
        stems = kept or stems
    return tuple(stems)


@lru_cache(maxsize=16384)
def _acronym(name: str) -> str:
    words = _SPLIT.findall(name)
    letters = "".join(w[0] for w in words if w[0].isupper())
    return letters if len(letters) >= 2 and len(words) >= 2 else ""


@dataclass(slots=True)
class Mention:
    """A place in the prose where names of results are spoken of; several when the words fit several."""

    start: int
    end: int
    names: frozenset[str]


class Names:
    """The vocabulary of an `Evidence`: grows with it, finds mentions, and knows which names are siblings."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.by_word: dict[str, list[str]] = {}
        self.by_acronym: dict[str, str] = {}
        self.words_of: dict[str, tuple[str, ...]] = {}
        self.leaf_phrases: dict[
            str, list[tuple[frozenset[str], str]]
        ] = {}  # stem -> (words, key) of long key names
        self.heads: set[str] = set()
        self.count_keys: set[str] = set()
        self.reports_df = False  # whether any result names degrees of freedom
        self.sizes: dict[int, int] = {}  # number of members -> first such container
        self.short: dict[str, str] = {}
        self.prefixes: list[str] = []
        self.alias_nodes: dict[str, list[int]] = {}
        self.node_alias: dict[int, set[str]] = {}
        self._nodes_seen_before = 0
        self._nodes_seen = self._leaves_seen = self._strings_seen = 0
        self._children: dict[int, dict[str, tuple[str, int]]] = {}
        self._nodes_of: dict[int, list[int]] | None = None
        self._leaves_of: dict[int, list[int]] | None = None
        self.grow()

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
            self._learn(name)
        for table in (ev.names, ev.leaf_names):
            if not self.reports_df:
                self.reports_df = any(
                    ("df" in name or "dof" in name or "freedom" in name) and role_of_key(name) is Role.DF
                    for name in table
                )
        for name in ev.leaf_names:
            if role_of_key(name) is Role.VALUE or name.isdigit():
                self._learn(name)
            self._learn_phrase(name)
            if name.startswith(("n_", "num_", "k_")):
                self.count_keys.add(name)
        for node, key, text in ev.strings[self._strings_seen :]:
            if key == "method":
                text = text.split("(")[0].strip()  # what stands in parentheses is how, not what
            if len(text) <= 48 and key.casefold() not in _NOT_NAMES:
                self._learn(text)
                self.node_alias.setdefault(node, set()).add(text.casefold())
                known = self.alias_nodes.setdefault(text, [])
                if len(known) < _MAX_ALIAS_NODES:
                    known.append(node)
        self._nodes_seen, self._leaves_seen, self._strings_seen = (
            len(ev.node_key),
            len(ev.values),
            len(ev.strings),
        )
        tried = range(self._nodes_seen_before, len(ev.node_size))
        self._nodes_seen_before = len(ev.node_size)
        self.heads = {w[:4] for w in self.by_word if len(w) >= 4}
        self.prefixes = sorted(w for w in self.by_word if len(w) >= 5)
        self._children.clear()
        self._nodes_of = self._leaves_of = None
        for node in tried:
            if (
                not ev.node_is_list[node]
                and ev.node_parent[node] >= 0
                and ev.node_size[node] not in self.sizes
            ):
                if node < _MOST_SIZES and not self._lists_members(node):
                    continue
                self.sizes[ev.node_size[node]] = node

    def _learn(self, name: str) -> None:
        if name in self.words_of:
            return
        words = name_words(name)
        self.words_of[name] = words
        for word in set(words):
            self.by_word.setdefault(word, []).append(name)
        if short := _acronym(name):
            self.by_acronym[short] = name

    def _learn_phrase(self, name: str) -> None:
        words = frozenset(w for w in name_words(name) if len(w) >= 3 and not w.isdigit() and w not in _UNITS)
        if len(words) >= 2:
            for word in words:
                known = self.leaf_phrases.setdefault(word, [])
                if (words, name) not in known:
                    known.append((words, name))

    def _lists_members(self, node: int) -> bool:
        """Whether a container holds things under their names, not the mean, SD and n of one thing."""
        return not any(
            kind == "leaf" and role_of_key(name) is not Role.VALUE
            for name, (kind, _) in self.children(node).items()
        )

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

    def mentions(self, layout: Layout) -> list[Mention]:
        """Every place of the prose that names something of the results, longest match first."""
        found: list[Mention] = []
        words = layout.words
        i = 0
        while i < len(words):
            if not self._may_start(words[i], layout.text[words[i].end : words[i].end + 1] == "-"):
                i += 1
                continue
            hit = self._at(layout, i)
            if hit is None:
                i += 1
                continue
            count, names = hit
            found.append(Mention(words[i].start, words[i + count - 1].end, names))
            i += count
        return found

    def _may_start(self, word: Word, joined: bool) -> bool:
        """A cheap test that throws out nearly every word."""
        if word.stem in self.by_word or word.text in self.by_acronym:
            return True
        low = word.text.casefold()
        return (
            low in _SPECIAL
            or joined
            or low[:4] in self.heads
            or low[-2:] in {"th", "st", "nd", "rd"}
            or low in {"median", "médiane"}
        )

    def _at(self, layout: Layout, i: int) -> tuple[int, frozenset[str]] | None:
        word = layout.words[i]
        if len(word.text) == 1 and not word.text.isupper() and not word.text.isdigit():
            return None
        if word.text == "A" and _ARTICLE.match(layout.text, word.end):
            return None
        if word.text.isdigit() and len(word.text) <= 2 and not self._digits_name(layout, i):
            return None
        following = layout.words[i + 1].text if i + 1 < len(layout.words) else ""
        first = _canonical(word.text, following)
        if (quantile := self._quantile(layout, i)) is not None:
            return 1, frozenset({quantile})
        if (full := self.by_acronym.get(word.text)) is not None:
            return 1, frozenset({full})
        names = self.by_word.get(first)
        if (
            word.text.casefold() in _WITHOUT
            and following.casefold() in _THAT
            and names is not None
            and len(names) == 1
        ):
            return 2, frozenset(names)
        if (
            following
            and layout.text[word.end] == "-"
            and (joined := self.by_word.get(stem(word.text + following))) is not None
            and layout.words[i + 1].start - word.end == 1
        ):
            return 2, frozenset(joined)
        if names is None:
            names = self._by_prefix(first) or self._by_short(word.text)
            if names is None or first.isdigit():
                return None
            first = self.short.get(word.text.casefold(), first)
        return self._best(layout, i, names, first)

    def _quantile(self, layout: Layout, i: int) -> str | None:
        """ "10th percentile", "the median" for keys q10, p50, 0.5."""
        word = layout.words[i]
        low = word.text.casefold()
        if low in {"median", "médiane"}:
            level = 50.0
        elif low[:-2].isdigit() and low[-2:] in {"th", "st", "nd", "rd"}:
            level = float(low[:-2])
        else:
            return None
        for name in (f"q{level:g}", f"p{level:g}", f"{level / 100:g}", f"{level:g}%"):
            if name in self.words_of:
                return name
        return None

    def _digits_name(self, layout: Layout, i: int) -> bool:
        """Whether short digits may be a name here: behind a word of the names, in a first cell, or a decimal."""
        word = layout.words[i]
        if i and word.start - layout.words[i - 1].end == 1 and layout.words[i - 1].stem in self.by_word:
            return True
        if (
            layout.text[word.end : word.end + 2].strip(" ")[:1] == "."
            and layout.text[word.end + 1 : word.end + 2].isdigit()
        ):
            return True
        place = layout.cell(word.start)
        return place is not None and place[2] == 0

    def _narrowed(self, names: list[str], stems: list[str]) -> list[str]:
        """Of very many names that share a word, those that also share the next word of the prose."""
        for other in stems[1:3]:
            rarer = self.by_word.get(other)
            if rarer is not None and len(rarer) < len(names):
                words = set(names) if len(names) < 2_000 else None
                return [
                    n
                    for n in rarer[:400]
                    if (n in words if words is not None else stems[0] in self.words_of[n])
                ][:200]
        return names[:1] if len(self.words_of[names[0]]) == 1 else []

    def _by_prefix(self, word: str) -> list[str] | None:
        if len(word) < 6 or not self.prefixes:
            return None
        head = word[:5]
        at = bisect_left(self.prefixes, head)
        hits = [w for w in self.prefixes[at : at + 4] if w.startswith(head) and len(w) >= 6]
        return self.by_word[hits[0]] if len(hits) == 1 else None

    def _by_short(self, word: str) -> list[str] | None:
        """Names that shorten the word: "supp" for supplement."""
        low = word.casefold()
        for size in range(min(len(low) - 2, 6), 3, -1):
            if (known := self.by_word.get(low[:size])) is not None:
                self.short[low] = low[:size]
                return known
        return None

    def _best(
        self, layout: Layout, i: int, names: list[str], first: str
    ) -> tuple[int, frozenset[str]] | None:
        window = layout.words[i : i + 7]
        stems = [
            _canonical(w.text, window[k + 1].text if k + 1 < len(window) else "")
            for k, w in enumerate(window)
        ]
        best: list[tuple[int, int, str]] = []
        top = (0, 0.0)
        for name in names if len(names) <= 200 else self._narrowed(names, stems):
            words = self.words_of[name]
            reach = min(len(window), len(words) + 2)
            have = {s for s in stems[:reach] if s in words} or {first}
            share = len(have) / len(set(words))
            last, seen = 0, set()
            for k in range(reach):
                if stems[k] in words and stems[k] not in seen:
                    seen.add(stems[k])
                    last = k
            if last and _STOPS.search(layout.text[window[0].end : window[last].start + 1]):
                last, seen = 0, {first}
                have, share = {first}, 1 / len(set(words))
            elif (
                window[last].end - window[0].start > 60
                or "\n" in layout.text[window[0].start : window[last].end]
            ):
                have, share, last = {first}, 1 / len(set(words)), 0
            score = (len(have), 1.0 if share == 1 else 0.0)
            if score > top:
                top, best = score, []
            if score == top:
                best.append((last + 1, len(words), name))
        if not best:
            return None
        letter = len(layout.words[i].text) == 1 and layout.words[i].text.isupper()
        if top[1] < 1 and len(first) < 3 and first != "no" and not letter:
            return None
        if top[1] < 1 and first == "no" and top[0] == 1:
            return None
        if top[1] < 1 and len(best) > 1:
            # several names fit in part: the words may mean any that share the first of them
            return (min(b[0] for b in best), frozenset(names)) if len(names) <= _MAX_TIE else None
        if first.isdigit() and len(first) < 3 and (top[0] > 1 or top[1] < 1) and "." not in best[0][2]:
            return None
        if top[1] < 1 and first.isdigit() and top[0] == 1:
            return None
        return min(b[0] for b in best), frozenset(b[2] for b in best)

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
