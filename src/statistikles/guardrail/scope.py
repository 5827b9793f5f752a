"""Whom a number is said of: which named thing of the results governs each figure of a sentence."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from bisect import bisect_left

from statistikles.results.roles import Role, role_of_key

from .claims import STRONG, Claim
from .entities import PAIR, Mention, Names, name_words
from .evidence import Leaf
from .layout import Layout, Table
from .lexicon import FILLER, symbol_of_key
from .ordering import LONG_WORD, Orders
from .tokens import Token
from .vocabulary import canonical

__all__ = ["Scope"]

_ERROR_TERMS = frozenset({"residual", "residuals", "error", "within", "resid", "denominator"})
_WHOLE = re.compile(r"\d[ ]?%?[ ]?(?:/|of|out of|von|sur)[ ]?(?:the[ ]|all[ ])?$")
_COMMA = re.compile(r",(?!\d)")
_HYPHENED = re.compile(r"[^\W\d_][^-\s]*-[^\W\d_][^-\s]*")
_THE_OTHERS = re.compile(r"(?<![^\W_])(?:other|others|rest|remaining|remainder)(?![^\W_])")
_AS_COVARIATE = re.compile(
    r"[ ](?:as|being) (?:an?|the|one) (?:covariate|control|confounder|moderator)|[ ](?:held|kept) (?:constant|fixed)",
    re.IGNORECASE,
)
_PART_OF = re.compile(r"[ ](?:among|of|out of|in|from|over)(?![^\W_])")
_INTRODUCES = re.compile(
    r"^[ ]*(?:in|for|among|with|under|at|on|after|before|by|within|using|bei|in|im|pour|chez|dans|en)(?![^\W_])",
    re.IGNORECASE,
)
_NEAR = 24  # a name this near a figure is said of it
_FEW = 40
_ADJUSTED = re.compile(
    r"(?<![^\W_])(?:adjust\w*|control\w*|account\w*|allow\w*|correct\w*|holding|net of|independent\w* of|regardless of|irrespective of|conditional on|besides|model with|ajust\w*|bereinigt)(?![^\W_])[^.;:()\d]*$",
    re.IGNORECASE,
)
_SWITCH = re.compile(
    r"(?<![^\W_])(?:and|but|vs\.?|versus|against|than|to|compared|whereas|while|or|et|und|contre|from|others?)(?![^\W_])|,|→|;"
)


def _unlike(a: float, b: float) -> bool:
    """A count and a share are not two members of one list."""
    return (a == round(a) and abs(a) > 1) != (b == round(b) and abs(b) > 1)


def _far(a: float, b: float) -> bool:
    """Quantities of different kinds: a rate and the person-years it rests on."""
    small, large = sorted((abs(a), abs(b)))
    return large > 200 * small and large == round(large) and small != round(small)


class Scope(Orders):
    """Governing mentions per figure and level of the results."""

    def __init__(self, text: str, layout: Layout, names: Names, claims: list[Claim]) -> None:
        self._covariates: dict[int, bool] = {}
        self._ordered: dict[int, bool] = {}  # figures told apart by the order of names
        self._stems_of: dict[tuple[int, int], frozenset[str]] = {}
        self._relevant: dict[tuple[int, int, int], list[tuple[int, frozenset[str]]]] = {}
        self._pairs: dict[int, list[tuple[str, frozenset[str]]]] = {}
        super().__init__(text, layout, names, claims)

    def _pair_children(self, parent: int) -> list[tuple[str, frozenset[str]]]:
        known = self._pairs.get(parent)
        if known is None:
            known = [
                (name, frozenset(name_words(name)))
                for name in self.names.children(parent)
                if PAIR.search(name)
            ]
            self._pairs[parent] = known
        return known

    def parents_of(self, mention: Mention) -> list[int]:
        """The containers that hold something of the mentioned names (a few of them)."""
        ev = self.names.evidence
        nodes = [i for name in sorted(mention.names) for i in ev.names.get(name, ())[:24]]
        nodes += [i for name in sorted(mention.names) for i in self.names.alias_nodes.get(name, ())]
        return list(dict.fromkeys(ev.node_parent[i] for i in nodes))

    def speaks_of(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the sentence names something on the way to this number."""
        for parent, name, _ in self.names.siblings_at(leaf):
            allowed = self.governing(claim, parent)
            if allowed is not None and name in allowed:
                return True
        return False

    def reversed_pair(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the sentence names the two sides of a difference in the other order than the result does."""
        part = next((str(p) for p in reversed(leaf.path) if isinstance(p, str) and PAIR.search(p)), "")
        pieces = PAIR.split(part)
        if not part:
            hyphened = next(
                (p for p in reversed(leaf.path) if isinstance(p, str) and _HYPHENED.fullmatch(p)), ""
            )
            pieces = hyphened.split("-")
        sides = [frozenset(name_words(x)) for x in pieces if x]
        if len(sides) != 2:
            return False
        stems = [w.stem for w in self.layout.words_between(claim.sentence[0], claim.token.start)]
        at = [-1, -1]
        for k, side in enumerate(sides):
            for i in range(len(stems) - len(side) + 1):
                if set(stems[i : i + len(side)]) == side:
                    at[k] = i
        return -1 < at[1] < at[0]

    def named_in_sentence(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether the sentence names this very number or what holds it."""
        return any(
            name in meant
            for parent, name, _ in self.names.siblings_at(leaf)
            for _, meant in self.relevant(parent, *claim.sentence)
        )

    def children_meant(self, parent: int, mention: Mention) -> frozenset[str]:
        """Which children of a container a mention may mean."""
        children = self.names.children(parent)
        # the places of a list are no names
        meant = (
            set()
            if parent >= 0 and self.names.evidence.node_is_list[parent]
            else {n for n in mention.names if n in children}
        )
        ev = self.names.evidence
        for name in mention.names:
            for node in self.names.alias_nodes.get(name, ()):
                if ev.node_parent[node] == parent:
                    meant.add(str(ev.node_key[node]))
        if not meant:
            for name in mention.names:
                words = set(self.names.words_of.get(name, ()))
                meant.update(child for child, have in self._pair_children(parent) if words and words <= have)
        if not meant and len(children) <= _FEW:
            for name in mention.names:
                words = set(self.names.words_of.get(name, ()))
                longer = [
                    child
                    for child in children
                    if words and words < set(name_words(child)) and len(words) == 1
                ]
                if len(longer) == 1 and role_of_key(longer[0]) is Role.VALUE and len(min(words)) > 2:
                    meant.add(longer[0])  # "middle" for edu_middle
        return frozenset(meant)

    def relevant(self, parent: int, start: int, end: int) -> list[tuple[int, frozenset[str]]]:
        """Mentions in [start, end) that name children of a container."""
        key = (parent, start, end)
        known = self._relevant.get(key)
        if known is None:
            first, last = bisect_left(self.mention_starts, start), bisect_left(self.mention_starts, end)
            known = []
            for k in range(first, last):
                meant = self.children_meant(parent, self.mentions[k])
                if meant:
                    known.append((k, meant))
            self._relevant[key] = known
        return known

    def governing(self, claim: Claim, parent: int, *, flat: bool = False) -> frozenset[str] | None:
        """The children of `parent` the figure is said of; None when the sentence does not say."""
        token = claim.token
        if claim.cell is not None:
            place = self.layout.cell(token.start)
            if place is not None:
                table, row, col = place
                return self._of_cell(parent, table, row, col, token)
        rel = self.relevant(parent, *claim.sentence)
        if not rel or _THE_OTHERS.search(self.text, claim.clause, min(claim.sentence[1], token.end + 26)):
            return None
        meant = dict(rel)
        if (mine := self._respectively(claim, [k for k, _ in rel], meant)) is not None:
            self._ordered[claim.index] = True
            return mine
        behind = [
            meant[k]
            for k in self.post.get(claim.index, ())
            if k in meant and not (flat and not self._field_of(claim, k, parent))
        ]
        if behind:
            direct = [
                meant[k] for k in self.post[claim.index] if k in meant and (claim.index, k) not in self.across
            ]
            return self._with_leading(claim, rel, direct[-1] if direct and not flat else behind[-1])
        before = [
            k
            for k, _ in rel
            if self.mentions[k].end <= token.start
            and (
                self.consumed_by.get(k, claim.index) == claim.index
                or self._opens_at(k, token.start)
                or (not flat and self._runs_on(k, token.start))
            )
            and not self._is_covariate(k)
        ]
        if not before:
            return None
        if (mine := self._respectively(claim, before, meant)) is not None:
            return mine
        ordered = self._in_order(claim, [k for k, _ in rel if self.mentions[k].end <= token.start], meant)
        if ordered is not None:
            self._ordered[claim.index] = True
            return ordered
        last = before[-1]
        if not self._reaches(claim, self.mentions[last].end):
            if self._heads_line(claim, last, meant) or self._sole_subject(claim, last, meant):
                return meant[last]
            return None
        if flat and not self._table_of_names(parent):
            said = LONG_WORD.findall(self.text[self.mentions[last].end : token.start])
            if sum(1 for w in said if w.casefold() not in FILLER) > 1:
                return None  # one field of a record, named a few words back
        run, names = last, set(meant[last])
        for k in reversed(before[:-1]):
            if self._figures_between(self.mentions[k].end, self.mentions[run].start):
                break
            # "the treated group before the change": of two names that fit some rows in common, those rows
            names = (names & meant[k]) or (names | meant[k])
            run = k
        return frozenset(names)

    def _with_leading(
        self, claim: Claim, rel: list[tuple[int, frozenset[str]]], behind: frozenset[str]
    ) -> frozenset[str]:
        """ "Control units went from 31 before it": rows that fit the name in front as well, when there are any."""
        if len(behind) < 2:
            return behind
        front = [m for k, m in rel if self.mentions[k].end <= claim.token.start and not m <= behind]
        return (behind & front[-1]) or behind if front else behind

    def _of_cell(self, parent: int, table: Table, row: int, col: int, token: Token) -> frozenset[str] | None:
        """What the header and the row label of a table cell name; both, when some members fit both."""
        found: frozenset[str] | None = None
        spans = [table.header[col]] if col < len(table.header) else []
        for a, b in (*spans, table.rows[row][0]):
            if b > token.start:
                continue
            for _, meant in self.relevant(parent, a, b):
                found = meant if found is None else (found & meant) or found
        return found

    def _table_of_names(self, parent: int) -> bool:
        """Whether a container lists one quantity under names: means = {A: 1, B: 2}."""
        ev = self.names.evidence
        if parent < 0:
            return False
        if role_of_key(str(ev.node_key[parent])) is not Role.VALUE:
            return True
        members = self.names.children(parent)
        values = [abs(ev.values[i]) for kind, i in members.values() if kind == "leaf"]
        alike = len(values) == len(members) and all(role_of_key(name) is Role.VALUE for name in members)
        return alike and 0 < max(values) <= 10 * min(values) and len({v == round(v) for v in values}) == 1

    def _field_of(self, claim: Claim, k: int, parent: int) -> bool:
        """Whether a name behind a figure may be its own: "513 clicks", not "109 at the 14 sites"."""
        if (claim.index, k) in self.across:
            return False
        between = self.text[claim.token.end : self.mentions[k].start]
        return self._table_of_names(parent) or not re.search(
            r"(?<![^\W_])(?:at|in|for|on|from|with|per|of)(?![^\W_])", between
        )

    def _opens_at(self, k: int, at: int) -> bool:
        """ "6 in the south (512": the figure in brackets is the south's too, but not the part of "(98 in 100"."""
        i = bisect_left(self.token_starts, at)
        if i < len(self.claims) and _PART_OF.match(self.text, self.claims[i].token.end):
            return False
        return self.text[self.mentions[k].end : at].strip() == "("

    def _runs_on(self, k: int, at: int) -> bool:
        """ "Of 118 A units 9 failed": a name taken by the figure before it still holds in the same clause."""
        gap = self.text[self.mentions[k].end : at]
        i = self.consumed_by.get(k)
        counted = i is not None and not self.text[self.claims[i].token.end : self.mentions[k].start].strip()
        if counted and _PART_OF.match(gap):
            return False  # "171 deaths among 1,801": what was counted first
        return (
            len(gap) < 40
            and not _SWITCH.search(gap)
            and not any(ch in gap.removesuffix("(") for ch in "(){}[]:")
            and not self._figures_between(self.mentions[k].end, at)
        )

    def _is_covariate(self, k: int) -> bool:
        """Named only as held constant: "adjusting for A and B, ..."."""
        known = self._covariates.get(k)
        if known is None:
            start = self.mentions[k].start
            known = (
                _ADJUSTED.search(self.text[max(0, start - 60) : start]) is not None
                or _AS_COVARIATE.match(self.text, self.mentions[k].end) is not None
            )
            self._covariates[k] = known
        return known

    def _reaches(self, claim: Claim, end: int) -> bool:
        """Whether a name said before still governs the figure: no other figure and switch word lies between."""
        gap = self.text[end : claim.token.start]
        if ";" in gap or "→" in gap:
            return False
        if re.search(r"(?<![^\W_])(?:whereas|while|but)(?![^\W_])", gap):
            return False
        if (
            len(gap) > 40
            and len(LONG_WORD.findall((_COMMA.split(gap) or [""])[-1])) > 1
            and _COMMA.search(gap)
            and not (
                _INTRODUCES.match(self.text, claim.sentence[0])
                and len(_COMMA.findall(self.text[claim.sentence[0] : claim.token.start])) == 1
            )
        ):
            return False
        same = self._lists.get(claim.index, ())
        between = [
            i
            for i in self._figures_between(end, claim.token.start)
            if i not in same and not self._year_of_name(i, end)
        ]
        if not between or claim.partner in between:
            between = [i for i in between if i != claim.partner]
            if not between:
                return True
        opened = self.text.rfind("(", end, claim.token.start)
        if opened > end and ")" not in self.text[opened : claim.token.start]:
            outside = self.text[end:opened].rsplit(")", 1)
            if len(outside) == 2 and re.search(r"[^\W\d_]{2}", outside[1]):
                return False
        if claim.strength == STRONG or claim.plus_minus or claim.bracketed or claim.interval:
            return not re.search(
                r"(?<![^\W_])(?:whereas|while|but|against|versus|vs|than|others?)(?![^\W_])", gap
            )
        tail = self.text[self.claims[between[-1]].token.end : claim.token.start]
        return not _SWITCH.search(tail)

    @staticmethod
    def _other_kind(node: int, a: float, b: float) -> bool:
        return _far(a, b) or (
            node == -1 and (_unlike(a, b) or max(abs(a), abs(b)) > 60 * min(abs(a), abs(b)))
        )

    def error_term(self, name: str, node: int) -> bool:
        """Whether a level is the residual line of a table of variance."""
        return name.casefold() in _ERROR_TERMS or not _ERROR_TERMS.isdisjoint(
            self.names.node_alias.get(node, ())
        )

    def _is_whole(self, claim: Claim) -> bool:
        """ "Successes (46/71)": the second figure is what the first is a part of."""
        return bool(
            _WHOLE.search(self.text[max(claim.sentence[0], claim.token.start - 24) : claim.token.start])
        )

    @staticmethod
    def _says_symbol(claim: Claim, leaf: Leaf) -> bool:
        """ "Agreement: κ = 0.68": the symbol before the figure names this number, whatever else is named."""
        label = claim.label
        if label is None or claim.strength != STRONG:
            return False
        return label.symbol not in {"", "p"} and label.symbol in {
            symbol_of_key(leaf.key),
            leaf.key.casefold(),
        }

    def conflict(self, claim: Claim, leaf: Leaf) -> int | None:
        """Index of the number that the sentence speaks of instead of this one; None without a conflict."""
        ev = self.names.evidence
        if (claim.from_to and claim.index not in self.post) or claim.listed:
            return None
        path = set(map(str, leaf.path))
        if leaf.index in self.names.row_ids:
            return None  # the number that names a row
        for parent, name, node in self.names.siblings_at(leaf):
            if len(self.names.children(parent)) < 2 or (
                node == -1 and role_of_key(name) is not Role.VALUE and name not in self.names.categories
            ):
                continue
            if node == -1 and claim.plus_minus:
                continue  # the noun behind a margin is its unit
            allowed = self.governing(claim, parent, flat=node == -1)
            if allowed is None or name in allowed or (claim.in_df and self.error_term(name, node)):
                continue
            if node == -1 and (self._says_symbol(claim, leaf) or self._is_whole(claim)):
                continue
            if allowed & path:
                continue  # rows and columns of one matrix: the name said stands elsewhere in the address
            for other in sorted(allowed):
                child = self.names.children(parent).get(other)
                if child is None:
                    continue
                kind, index = child
                found = self.names.analog(
                    leaf, node, index if kind == "node" else None, index if kind == "leaf" else None
                )
                if found is not None and not self._surely_named(claim, node, name, child, other):
                    continue
                if (
                    found is not None
                    and ev.leaf(found).role is leaf.role
                    and (
                        leaf.role is Role.P_VALUE or not self._other_kind(node, leaf.value, ev.values[found])
                    )
                ):
                    return found
                if found is None and kind == "node" and len(allowed) == 1 and self._lacks(leaf, node, index):
                    return leaf.index
        return None

    def _surely_named(self, claim: Claim, node: int, name: str, child: tuple[str, int], other: str) -> bool:
        """Whether a figure is surely said of another: that name is said in full, and the own one not, or not as near."""
        if claim.cell is not None or claim.token.kind == "probe" or self._ordered.get(claim.index, False):
            return True
        said = self._stems(claim.sentence)
        own = self._called(node, name)
        if not any(self._said(n, said) for n in self._called(child[1] if child[0] == "node" else -1, other)):
            return False
        if not any(self._said(n, said) for n in own):
            return True
        token = claim.token
        opened = self.text.rfind("(", max(claim.sentence[0], token.start - 40), token.start)
        inside = opened >= 0 and ")" not in self.text[opened : token.start]
        reach = 2 * _NEAR if inside else _NEAR
        for m in self.mentions_between(*claim.sentence):
            if other not in m.names and not any(
                other in self.children_meant(p, m) for p in self.parents_of(m)
            ):
                continue
            first, last = (m.end, token.start) if m.end <= token.start else (token.end, m.start)
            gap = self.text[first:last]
            if len(gap) > reach or ";" in gap:
                continue
            if not any(ch.isdigit() for ch in gap) or (inside and not self.mentions_between(first, last)):
                return True
        return False

    def _called(self, node: int, name: str) -> list[str]:
        """What a member goes by: its key, or the texts and the number of its row."""
        aliases = sorted(self.names.node_alias.get(node, ())) if node >= 0 else []
        if node >= 0 and self.names.evidence.node_is_list[self.names.evidence.node_parent[node]]:
            rows = [alias for alias, _ in self.names.row_names(node)]
            return [*aliases, *rows] or [name]
        return [name, *aliases]

    @staticmethod
    def _said(name: str, stems: frozenset[str]) -> bool:
        """Whether every word of a name is said, also as a clear beginning of a longer word."""
        return all(
            w in stems
            or any((len(w) > 2 and s.startswith(w)) or (len(s) > 4 and w.startswith(s[:5])) for s in stems)
            for w in name_words(name)
        )

    def _stems(self, sentence: tuple[int, int]) -> frozenset[str]:
        known = self._stems_of.get(sentence)
        if known is None:
            words = self.layout.words_between(*sentence)
            known = self._stems_of[sentence] = frozenset(
                s
                for k, w in enumerate(words)
                for s in (w.stem, canonical(w.text, words[k + 1].text if k + 1 < len(words) else ""))
            )
        return known

    def _lacks(self, leaf: Leaf, node: int, other: int) -> bool:
        """Whether the sibling the sentence names has the other numbers of this object, but not this one."""
        if leaf.node != node or leaf.role not in {Role.MEDIAN, Role.CONF_BOUND}:
            return False  # only these are known to be left out where they are not reached
        mine, theirs = self.names.children(node), self.names.children(other)
        return leaf.key not in theirs and len(set(mine) & set(theirs)) >= 2
