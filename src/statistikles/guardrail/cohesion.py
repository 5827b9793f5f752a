"""Figures read together, once all are matched: ends of one interval, figures of one object, cells of one table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from statistikles.results.roles import Role

from .claims import Claim
from .ends import Ends
from .entities import Mention
from .evidence import Leaf
from .lexicon import FILLER, find_labels
from .matching import Hit
from .report import Verdict
from .tokens import Kind
from .words import word_set

if TYPE_CHECKING:
    pass

__all__ = ["Cohesion"]

R = Role

# What turns from one object to another between two figures.
_TURNS = re.compile(
    r"[;→\n]|(?<![^\W_])(?:and|vs|versus|while|whereas|but|compared|against|than|respectively|et|und|contre|gegen|from|to|among|before|after|or)(?![^\W_])",
    re.IGNORECASE,
)
_BOTH_SIDES = re.compile(
    r"(?<![^\W_])(?:to|vs\.?|versus|against|and|compared|while|whereas|auf|gegen|contre|et|und)(?![^\W_])|→"
)
_AGAIN = re.compile(
    r"(?<![^\W_])(?:same|again|also|both|equal\w*|still|too|unchanged|identical)(?![^\W_])", re.IGNORECASE
)
_RANK = re.compile(
    r"(?<![^\W_])(?:[a-z]{3,}est|most precise|best|worst)(?![^\W_])",
    re.IGNORECASE,
)
_EQUALS = re.compile(r"[ ]?\)[ ]{0,3}[=≈][ ]{0,3}")
_PER = re.compile(r"(?:per|pro|je|pour)[ ]$")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_GLUE = word_set(
    "percent confidence interval intervals credible bootstrap ppm the with both two one sided adjusted corrected exact"
)
# What is said of an object first; the other figures stand around it.
_PRIMARY = frozenset(
    {R.MEAN, R.MEDIAN, R.COEFFICIENT, R.ESTIMATE, R.RATIO, R.CORRELATION, R.PROPORTION, R.PERCENT}
)


def _unit_of(key: str) -> float:
    """What a rate is counted per by its key: per_100k, per_1000; 0 when it does not say."""
    m = re.search(r"per_?(1\d*)(k|m)?(?![^\W_])", key.casefold())
    return float(m[1]) * {"k": 1e3, "m": 1e6}.get(m[2] or "", 1.0) if m is not None else 0.0


def _both_primary(a: Claim, b: Claim) -> bool:
    return (
        a.label is not None
        and b.label is not None
        and not _PRIMARY.isdisjoint(a.label.roles)
        and not _PRIMARY.isdisjoint(b.label.roles)
    )


class Cohesion(Ends):
    """Revises the verdicts of single figures by what stands beside them."""

    def revise(self) -> None:
        """Change the outcomes that cannot stand beside their neighbours."""
        if not self.judge.computed or self.judge.matcher.evidence_is_large:
            return
        self._intervals()
        for claim in self.claims:
            if claim.in_df:
                self._degrees(claim)
            elif claim.token.integer and claim.token.value >= 100:
                self._per(claim)
        for frame in self._frames():
            self._one_object(frame)
        self._repeated()
        self._series()
        self._misnamed()
        for table in self._grids():
            self._grid(table)

    # -- shared ------------------------------------------------------------------------------------------------

    def _degrees(self, claim: Claim) -> None:
        """Degrees of freedom printed with a statistic are those of its own object, when it has some."""
        mine = self._candidates(claim.index)
        after = next((c for c in self.claims[claim.index + 1 : claim.index + 3] if not c.in_df), None)
        if not mine or after is None or after.sentence != claim.sentence or claim.df_symbol in {"r", ""}:
            return
        if not _EQUALS.fullmatch(self.text[self.claims[after.index - 1].token.end : after.token.start]):
            return
        nodes = {h.leaf.node for h in self._candidates(after.index) if h.leaf.role is R.STATISTIC}
        if len(nodes) != 1:
            return
        node = nodes.pop()
        own = [
            self.evidence.leaf(i)
            for kind, i in self.names.children(node).values()
            if kind == "leaf" and self.evidence.leaf(i).role is R.DF
        ]
        lone = claim.df_symbol in {"t", "H", "χ²", "χ2", "X2"} or len(own) > 1
        if own and lone and all(h.leaf.node != node for h in mine):
            error = any(
                self.judge.scope.error_term(str(name), at)
                for h in mine
                for _, name, at in self.names.siblings_at(h.leaf)
            )
            if not error:
                self._flag(
                    claim.index, Verdict.WRONG_GROUP, f"here it would be {own[-1].address}", mine[0].leaf
                )

    def _per(self, claim: Claim) -> None:
        """ "28.4 per 10,000" of a number under per_100k."""
        if not _PER.search(self.text, max(0, claim.token.start - 8), claim.token.start):
            return
        i = claim.follows
        if i < 0 or claim.token.start - self.claims[i].token.end > 24:
            return
        found = {_unit_of(h.leaf.key) for h in self._candidates(i)} - {0.0}
        if found and claim.token.value not in found:
            self._flag(claim.index, Verdict.WRONG_SCALE, f"the result is per {min(found):g}")

    # -- intervals -----------------------------------------------------------------------------------------------

    # -- one object ----------------------------------------------------------------------------------------------

    def _frames(self) -> Iterator[list[Claim]]:
        """Runs of figures with nothing between them that could turn to another object."""
        run: list[Claim] = []
        for c in self.claims:
            if (
                c.token.kind != Kind.FIGURE
                or c.token.identifier
                or c.level
                or c.cell is not None
                or c.in_df
                or c.from_to
            ):
                continue
            if self.text[c.token.end : c.token.end + 1] in {"'", '"', ":"}:
                continue  # a row label
            if run and not self._same_frame(run, c):
                if len(run) > 2:
                    yield run
                run = []
            run.append(c)
        if len(run) > 2:
            yield run

    def _same_frame(self, run: list[Claim], b: Claim) -> bool:
        a = run[-1]
        if a.sentence != b.sentence:
            return False
        if b.partner == a.index:
            return True
        gap = self.text[a.token.end : b.token.start]
        opened = self.text.rfind("(", a.sentence[0], a.token.start)
        inside = opened >= 0 and ")" not in self.text[opened : b.token.start]
        if len(gap) > 56 or _TURNS.search(gap.replace(";", ",") if inside else gap) or self._heads(b):
            return False
        if b.index in self.judge.scope.post or self.judge.scope.mentions_between(a.token.end, b.token.start):
            return False
        if b.label is None:
            if not b.interval:
                return False
        elif any(c.label is not None and (c.label.id == b.label.id or _both_primary(c, b)) for c in run):
            return False
        return self._only_labels(gap)

    def _heads(self, claim: Claim) -> bool:
        """Whether a figure opens what follows, as a name or number of it: "3 (p = .2)", "'3': mean 4"."""
        return self.text[claim.token.end : claim.token.end + 2].strip()[:1] in {":", "(", "'", '"'}

    def _only_labels(self, gap: str) -> bool:
        """Whether the words between two figures are all words of statistics."""
        plain = gap
        if all(w.casefold() in _GLUE or w.casefold() in FILLER for w in _LETTERS.findall(plain)):
            return True
        for start, end, _ in reversed(find_labels(gap + "= 1")):
            plain = plain[:start] + plain[end:]
        return all(w.casefold() in _GLUE or w.casefold() in FILLER for w in _LETTERS.findall(plain))

    def _one_object(self, frame: list[Claim]) -> None:
        """Of figures said of one object, the one that belongs to a sibling of it."""
        held = {c.index: self._candidates(c.index) for c in frame}
        held = {i: hits for i, hits in held.items() if hits}
        if len(held) < 3:
            return
        counts: Counter[int] = Counter()
        for hits in held.values():
            counts.update({n for h in hits for n in self._above(h.leaf.node)})
        for i, hits in held.items():
            if self.claims[i].from_to or self.claims[i].listed:
                continue
            odd = self._odd_one(hits, counts, len(held))
            if odd is not None:
                self._flag(
                    i,
                    Verdict.WRONG_GROUP,
                    f"{hits[0].leaf.address} has this value; the figures beside it belong with {odd.address}",
                    hits[0].leaf,
                )
                for j in held:
                    if j != i:
                        self._restore(j)

    def _odd_one(
        self, hits: list[Hit], counts: Counter[int], size: int, column: Counter[int] | None = None
    ) -> Leaf | None:
        """The analogous number of the object most figures belong to, when this one belongs to its sibling alone."""
        expected: Leaf | None = None
        for hit in hits:
            found = None
            for parent, _, node in self.names.siblings_at(hit.leaf):
                if node < 0 or counts[node] != 1 or self.evidence.node_is_list[node]:
                    continue
                if column is not None and column[node] > 1:
                    continue  # the whole column belongs there
                for kind, other in self.names.children(parent).values():
                    if kind != "node" or other == node or counts[other] < 2 or 2 * counts[other] <= size:
                        continue
                    index = self.names.analog(hit.leaf, node, other, None)
                    if index is not None and self.evidence.values[index] != hit.leaf.value:
                        found = self.evidence.leaf(index)
                if found is not None:
                    break
            if found is None:
                return None
            expected = expected or found
        return expected

    def _repeated(self) -> None:
        """ "From 8 to 8", "26 for A and 26 for B": one number of one object cannot be said of both."""
        for a, b in pairwise(self.claims):
            if a.sentence != b.sentence or a.token.text != b.token.text or b.token.kind != Kind.FIGURE:
                continue
            one, two = self.judge.outcomes[a.index].hits, self.judge.outcomes[b.index].hits
            said = self.judge.outcomes[b.index].verdict in {Verdict.COMPUTED, Verdict.DERIVED}
            if (
                not one
                or not said
                or len({h.leaf.index for h in (*one, *two)}) != 1
                or a.label is not b.label
            ):
                continue
            gap = self.text[a.token.end : b.token.start]
            if len(gap) < 60 and _BOTH_SIDES.search(gap) and not _AGAIN.search(gap):
                if one[0].leaf.role in {R.COUNT, R.P_VALUE, R.DF} and not a.from_to:
                    continue
                wrong = a if self._last_of_list(one[0].leaf) and self._ends_list(b) else b
                self._flag(
                    wrong.index, Verdict.WRONG_GROUP, "the same number is said of two things", one[0].leaf
                )

    def _last_of_list(self, leaf: Leaf) -> bool:
        """Whether a number stands in the last row of a list."""
        node = leaf.node
        above = self.evidence.node_parent[node]
        key = self.evidence.node_key[node]
        return above >= 0 and self.evidence.node_is_list[above] and key == self.evidence.node_size[above] - 1

    def _ends_list(self, claim: Claim) -> bool:
        run = self.judge.scope.enumeration(claim)
        return bool(run) and run[-1] == claim.index

    def _series(self) -> None:
        """ "A 2.4; B 3.1; C 3.9": figures right behind names, one quantity throughout."""
        run: list[tuple[Claim, list[Hit]]] = []
        for c in [*self.claims, None]:
            named = c is not None and c.token.kind == Kind.FIGURE and self._right_behind_name(c)
            if c is not None and named and (not run or c.sentence == run[-1][0].sentence):
                run.append((c, self.judge.outcomes[c.index].hits))
                continue
            if c is not None and run and c.sentence == run[-1][0].sentence and self._aside(c):
                continue
            self._one_quantity(run)
            run = []
            if c is not None and named:
                run.append((c, self.judge.outcomes[c.index].hits))

    def _right_behind_name(self, claim: Claim) -> bool:
        word = self.judge.layout.word_before(claim.token.start)
        if word is None or claim.label is not None:
            return False
        near = self.judge.scope.mentions_between(claim.token.start - 40, claim.token.start)
        return bool(near) and self.text[near[-1].end : claim.token.start].strip(" ,:=*`") == ""

    def _aside(self, claim: Claim) -> bool:
        """A figure in brackets, or the other end of its interval."""
        opened = self.text.rfind("(", max(claim.sentence[0], claim.token.start - 60), claim.token.start)
        return (opened >= 0 and ")" not in self.text[opened : claim.token.start]) or claim.token.identifier

    def _one_quantity(self, run: list[tuple[Claim, list[Hit]]]) -> None:
        if len(run) < 3:
            return
        keys = Counter(key for _, hits in run for key in {h.leaf.key for h in hits})
        if not keys:
            return
        key, count = keys.most_common(1)[0]
        if count < 2 or 2 * count <= len(run):
            return
        for claim, hits in run:
            if not hits or any(h.leaf.key == key for h in hits):
                continue
            twin = self.names.children(hits[0].leaf.node).get(key)
            if twin is not None and twin[0] == "leaf":
                leaf = self.evidence.leaf(twin[1])
                self._flag(
                    claim.index,
                    Verdict.MISLABELLED,
                    f"the figures beside it are of one quantity, here {leaf.address}",
                    leaf,
                )

    def _misnamed(self) -> None:
        """Several figures of a sentence that all belong to one sibling of what is named: the name is wrong, not they."""
        groups: dict[tuple[int, int], list[tuple[int, Leaf, Leaf]]] = {}
        for claim in self.claims:
            outcome = self.judge.outcomes[claim.index]
            if (
                outcome.verdict is Verdict.WRONG_GROUP
                and outcome.leaf is not None
                and outcome.expected is not None
            ):
                groups.setdefault(claim.sentence, []).append((claim.index, outcome.leaf, outcome.expected))
        for sentence, found in groups.items():
            if len(found) == 1:
                self._misranked(sentence, *found[0])
            if (
                len(found) < 2
                or len({x.node for _, x, _ in found}) != 1
                or len({y.node for _, _, y in found}) != 1
            ):
                continue
            if any(y.node == x.node for _, x, y in found):
                continue
            apart = [i for i, _, _ in found if not (self.claims[i].is_upper and self.claims[i].partner >= 0)]
            theirs = found[0][2].node
            if len(apart) < 2 or any(
                theirs in self._above(h.leaf.node)
                for c in self.judge.claims_in(*sentence)
                if not c.in_df
                for h in self.judge.outcomes[c.index].hits
            ):
                continue
            named = [
                m
                for m in self.judge.scope.mentions_between(*sentence)
                if self._means(m, found[0][2]) and not self._means(m, found[0][1])
            ]
            if len(named) != 1:
                continue
            reason = f"the figures beside it belong to {found[0][1].address}"
            self.judge.misnamed.append((named[0].start, named[0].end, reason))
            self.judge.excused.update(i for i, _, _ in found)

    def _misranked(self, sentence: tuple[int, int], i: int, leaf: Leaf, expected: Leaf) -> None:
        """ "The highest is A (5.9)" when 5.9 is B's and the highest: the name is as wrong as the figure, or alone wrong."""
        m = _RANK.search(self.text, *sentence)
        if m is None:
            return
        named = [
            x
            for x in self.judge.scope.mentions_between(*sentence)
            if self._means(x, expected) and not self._means(x, leaf)
        ]
        values = self._family(leaf)
        if len(named) != 1 or len(values) < 2 or leaf.value not in {max(values), min(values)}:
            return
        near = min(abs(named[0].start - m.end()), abs(m.start() - named[0].end))
        if near < 50 and abs(self.claims[i].token.start - m.end()) < 60:
            reason = f"the figure beside it is {leaf.address}"
            self.judge.misnamed.append((named[0].start, named[0].end, reason))
            self.judge.excused.add(i)

    def _means(self, mention: Mention, leaf: Leaf) -> bool:
        scope = self.judge.scope
        return any(
            name in scope.children_meant(parent, mention) for parent, name, _ in self.names.siblings_at(leaf)
        )

    # -- tables and lists ----------------------------------------------------------------------------------------

    def _grids(self) -> Iterator[list[list[Claim]]]:
        """Tables of the reply and lists whose lines have one shape, as rows of figures."""
        for table in self.judge.layout.tables:
            rows: list[list[Claim]] = []
            for cells in table.rows:
                row = [
                    c
                    for c in self.judge.claims_in(cells[0][0], cells[-1][1])
                    if c.token.kind == Kind.FIGURE
                    and not c.token.identifier
                    and c.cell is not None
                    and c.cell[1]
                ]
                rows.append(row)
            yield rows

    def _grid(self, rows: list[list[Claim]]) -> None:
        columns: dict[int, Counter[int]] = {}
        parts: dict[int, Counter[str]] = {}
        for row in rows:
            for c in row:
                if c.cell is not None:
                    under = {n for h in self._candidates(c.index) for n in self._above(h.leaf.node)}
                    columns.setdefault(c.cell[1], Counter()).update(under)
                    parts.setdefault(c.cell[1], Counter()).update(
                        {str(self.evidence.node_key[n]) for n in under}
                    )
        for row in rows:
            held = {c.index: hits for c in row if (hits := self._candidates(c.index))}
            if len(held) < 3:
                continue
            counts: Counter[int] = Counter()
            for hits in held.values():
                counts.update({n for h in hits for n in self._above(h.leaf.node)})
            for i, hits in held.items():
                cell = self.claims[i].cell
                if cell is not None and all(
                    parts[cell[1]][str(self.evidence.node_key[h.leaf.node])] > 1 for h in hits
                ):
                    continue  # the column is about just this part of every row
                odd = self._odd_one(hits, counts, len(held), columns[cell[1]] if cell is not None else None)
                if odd is not None:
                    self._flag(
                        i,
                        Verdict.WRONG_GROUP,
                        f"{hits[0].leaf.address} has this value; the rest of the row belongs with {odd.address}",
                        hits[0].leaf,
                    )
