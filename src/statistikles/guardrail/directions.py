"""Direction words as claims of their own: positive, rising, higher than, the highest, fits better."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from statistikles.results.roles import Role, role_of_key

from .claims import Claim
from .entities import name_words
from .evidence import Leaf
from .layout import stem
from .report import Span, Verdict
from .tokens import Kind, Token
from .words import word_set

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["judge_directions"]

R = Role
_SIGNED = frozenset({R.CORRELATION, R.COEFFICIENT, R.ESTIMATE, R.EFFECT_SIZE})
_SIGN = re.compile(
    r"(?<![^\W_])(?:(?P<pos>positive|positively|positiv\w*|directly)|(?P<neg>negative|negatively|inverse|inversely|negativ\w*|négati\w*))(?![^\W_])",
    re.IGNORECASE,
)
_RELATION = re.compile(
    r"(?:correl|associat|relat|coefficient|slope|trend|link|Zusammenhang|Korrel|corrél|connect)",
    re.IGNORECASE,
)
_UP = r"ris(?:e|es|ing)|rose|increas\w*|grow(?:s|ing|n)?|grew|climb\w*|went up|goes up|going up|upward\w*|steig\w*|stieg|augment\w*|gain\w*|improv\w*"
_DOWN = r"fall(?:s|ing|en)?|fell|decreas\w*|declin\w*|drop\w*|shr[ia]nk\w*|went down|goes down|going down|downward\w*|sink\w*|sank|diminu\w*|lower(?:s|ed)|reduc\w*"
_MOVE = re.compile(rf"(?<![^\W_])(?:(?P<up>{_UP})|(?P<down>{_DOWN}))(?![^\W_])", re.IGNORECASE)
_FROM_TO = re.compile(r"^[^.;\n\d]{0,40}?(?<![^\W_])(?:from|von|de)[ ][^.;\n\d]{0,6}$", re.IGNORECASE)
_MORE = r"higher|larger|greater|bigger|heavier|longer|taller|stronger|steeper|faster|older|warmer|hotter|more|richer|wider|deeper|louder|höher|größer|länger|plus (?:élevée?|grande?|longue?|forte?)"
_LESS = r"lower|smaller|lighter|shorter|weaker|flatter|shallower|slower|younger|cooler|colder|less|fewer|poorer|narrower|niedriger|kleiner|kürzer|moins (?:élevée?|grande?|longue?|forte?)"
_THAN = re.compile(
    rf"(?<![^\W_])(?:(?P<up>{_MORE})|(?P<down>{_LESS}))(?![^\W_])(?=[^.;:\n]{{0,60}}?(?<![^\W_])(?P<than>than|que|als)(?![^\W_]))",
    re.IGNORECASE,
)
_BEST = re.compile(
    r"(?<![^\W_])(?:(?P<up>highest|largest|greatest|biggest|heaviest|longest|strongest|steepest)|(?P<down>lowest|smallest|lightest|shortest|weakest|fewest))(?![^\W_])",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"(?<![^\W_])(?:(?P<up>most)|(?P<down>least))[ ](?P<what>[^\W\d_]{4,})(?![^\W_])", re.IGNORECASE
)
_FITS = re.compile(
    r"(?<![^\W_])(?:fits? (?:\w+ )?better|better fit|preferred|preferable|wins|superior|passt besser|meilleur\w*)(?![^\W_])",
    re.IGNORECASE,
)
_NEXT = re.compile(
    r"(?<![^\W_])(?:followed by|next (?:comes?|is|was|came)|then comes?|then came|gefolgt von|suivie? (?:de|des|par))[ ](?:the[ ])?",
    re.IGNORECASE,
)
# What a ratio above (or below) one means in words.
_RISK = re.compile(
    r"(?<![^\W_])(?:(?P<up>sooner|(?:higher|greater|increased|elevated|raised|more) (?:odds|risk|hazard|rate|chance)s?|more likely|(?:rais|increas|boost|multipl)\w+ (?:the |his |her |their )?(?:\w+ )?(?:odds|risk|hazard|rate|chance)s?)"
    r"|(?P<down>(?:lower|reduced|smaller|decreased|less) (?:odds|risk|hazard|rate|chance)s?|less likely|protect\w*|(?:reduc|lower|decreas|cut|halv)\w* (?:the |his |her |their )?(?:\w+ )?(?:odds|risk|hazard|rate|chance)s?))(?![^\W_])",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"(?<![^\W_])(?:not|no|n['’]t|never|neither|nor|nicht|pas|kein\w*|whether|if|would|hardly|barely)(?![^\W_])[^.;,]{0,24}$",
    re.IGNORECASE,
)


# First four letters of the words above.
_TRIGGERS = word_set(
    "posi dire nega inve néga rise rose risi incr grow grew clim went goes goin upwa stei stie augm gain impr fall fell decr decl drop shri shra down "
    "sink sank dimi lowe redu high larg grea bigg heav long tall stro stee fast olde warm hott more rich wide deep loud höhe größ läng plus smal "
    "ligh shor weak flat shal slow youn cool cold less fewe poor narr nied klei kürz moin fits bett pref wins supe pass meil foll ahea then gefo "
    "most leas suiv next soon elev rais mult boos prot cut halv"
)


def _calls_correlation(claim: Claim) -> bool:
    return claim.label is not None and claim.label.id in {"r", "rho", "tau"}


class _Directions:
    def __init__(self, judge: Judge, reply: str) -> None:
        self.judge, self.reply, self.text = judge, reply, judge.text

    def spans(self) -> list[Span]:
        out: list[Span] = []
        sentences = self._triggered()
        for finder, rule in (
            (_SIGN, self._sign),
            (_MOVE, self._move),
            (_THAN, self._than),
            (_BEST, self._best),
            (_MOST, self._most),
            (_FITS, self._fits),
            (_NEXT, self._next),
            (_RISK, self._risk),
        ):
            for m in self._matches(finder, sentences):
                sentence = self.judge.layout.sentence(m.start())
                if _DENIED.search(self.text[max(sentence[0], m.start() - 32) : m.start()]):
                    continue
                if self.text[sentence[0] : sentence[1]].rstrip().endswith("?"):
                    continue
                span = rule(m, sentence)
                if span is not None:
                    out.append(span)
        return out

    def _triggered(self) -> list[tuple[int, int]]:
        """The sentences that hold a word any direction can begin with."""
        layout, found, done = self.judge.layout, [], -1
        for word in layout.words:
            if word.start >= done and word.text[:4].casefold() in _TRIGGERS:
                bounds = layout.sentence(word.start)
                found.append(bounds)
                done = bounds[1]
        return found

    def _matches(self, finder: re.Pattern[str], sentences: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
        for start, end in sentences:
            yield from finder.finditer(self.text, start, end)

    def _span(self, start: int, end: int, wrong: bool, reason: str, source: str) -> Span:
        verdict = Verdict.WRONG_DIRECTION if wrong else Verdict.COMPUTED
        return Span(start, end, self.reply[start:end], str(verdict), wrong, reason, source)

    def _leaf_of(self, claim: Claim) -> Leaf | None:
        """The computed number behind a figure, also when only its sign was wrong."""
        outcome = self.judge.outcomes.get(claim.index)
        if outcome is None:
            return None
        if outcome.hits:
            return outcome.hits[0].leaf
        return outcome.leaf if outcome.verdict is Verdict.WRONG_SIGN else None

    def _figures(self, sentence: tuple[int, int]) -> list[Claim]:
        return [c for c in self.judge.claims_in(*sentence) if c.token.kind == Kind.FIGURE and not c.level]

    def _sign(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        positive = m["pos"] is not None
        if not _RELATION.search(self.text[max(sentence[0], m.start() - 40) : min(sentence[1], m.end() + 40)]):
            return None
        figures = [
            c
            for c in self._figures(sentence)
            if (x := self._leaf_of(c)) is not None
            and (x.role in _SIGNED or _calls_correlation(c))
            and not c.interval
        ]
        after = [
            c for c in figures if c.token.start > m.end() and ";" not in self.text[m.end() : c.token.start]
        ]
        before = [c for c in figures if c.token.end < m.start()]
        chosen = after[0] if after else (before[-1] if before else None)
        leaf = self._leaf_of(chosen) if chosen is not None else self._only_signed(m, sentence)
        if leaf is None or leaf.value == 0:
            return None
        wrong = (leaf.value > 0) != positive
        return self._span(m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.4g}", leaf.address)

    def _only_signed(self, m: re.Match[str], sentence: tuple[int, int]) -> Leaf | None:
        judge = self.judge
        found = [
            judge.evidence.leaf(i)
            for key, indices in judge.evidence.leaf_names.items()
            for i in indices[:40]
            if judge.evidence.leaf(i).role is R.CORRELATION and key
        ]
        probe = self._probe(m.start(), m.end(), sentence)
        if len(found) > 1:
            found = [
                x for x in found if judge.scope.speaks_of(probe, x) and judge.scope.conflict(probe, x) is None
            ]
        return found[0] if len(found) == 1 else None

    def _probe(self, start: int, end: int, sentence: tuple[int, int]) -> Claim:
        return Claim(
            self.judge.index_at(start),
            Token(start, end, "", 0.0, "probe"),
            sentence,
            self.judge.layout.clause_start(start),
        )

    def _move(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        up = m["up"] is not None
        figures = self._figures(sentence)
        after = [c for c in figures if c.token.start > m.end()]
        if len(after) >= 2 and _FROM_TO.match(self.text[m.end() : after[0].token.start]):
            a, b = after[0], after[1]
            if (
                re.search(r"(?<![^\W_])(?:to|auf|à)[ ]", self.text[a.token.end : b.token.start])
                and len(self.text[a.token.end : b.token.start]) < 40
            ):
                if a.token.value == b.token.value or a.token.percent != b.token.percent:
                    return None
                wrong = (b.token.value > a.token.value) != up
                return self._span(m.start(), m.end(), wrong, f"from {a.token.text} to {b.token.text}", "")
        if not re.search(
            r"(?<![^\W_])(?:over|with|across|tend\w*|trend|as|per|each|every|annual\w*|yearly|steadily)(?![^\W_])",
            self.text[max(sentence[0], m.start() - 40) : min(sentence[1], m.end() + 30)],
        ):
            return None
        trends = [x for c in figures if (x := self._leaf_of(c)) is not None and x.role is R.CORRELATION]
        signs = {x.value > 0 for x in trends}
        if len(signs) != 1:
            return None
        wrong = (True in signs) != up
        return (
            self._span(
                m.start(), m.end(), wrong, f"{trends[0].address} is {trends[0].value:.4g}", trends[0].address
            )
            if wrong
            else None
        )

    def _than(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        more = m["up"] is not None
        figures = [
            c
            for c in self._figures(sentence)
            if self._leaf_of(c) is not None and not c.interval and not c.plus_minus
        ]
        before = [c for c in figures if c.token.end <= m.start()]
        after = [c for c in figures if c.token.start >= m.end()]
        if before and after:
            a, b = self._leaf_of(before[-1]), self._leaf_of(after[0])
            if (
                a is not None
                and b is not None
                and a.key == b.key
                and a.index != b.index
                and a.value != b.value
                and a.role not in {R.COUNT, R.P_VALUE}
            ):
                gap = self.text[before[-1].token.end : m.start()]
                if len(gap) < 30 or not any(ch in gap for ch in ";"):
                    wrong = (abs(a.value) > abs(b.value) if a.role in _SIGNED else a.value > b.value) != more
                    return self._span(
                        m.start(),
                        m.end(),
                        wrong,
                        f"{a.address} is {a.value:.6g}, {b.address} is {b.value:.6g}",
                        a.address,
                    )
        around = [c for c in after if c.token.end <= m.start("than")]
        beyond = [c for c in after if c.token.start >= m.end("than")]
        if around and beyond and not before:
            a, b = self._leaf_of(around[0]), self._leaf_of(beyond[0])
            if (
                a is not None
                and b is not None
                and a.key == b.key
                and a.value != b.value
                and a.role not in {R.COUNT, R.P_VALUE}
            ):
                wrong = (a.value > b.value) != more
                return self._span(
                    m.start(),
                    m.end(),
                    wrong,
                    f"{a.address} is {a.value:.6g}, {b.address} is {b.value:.6g}",
                    a.address,
                )
        return self._named_than(m, sentence, more)

    def _named_than(self, m: re.Match[str], sentence: tuple[int, int], more: bool) -> Span | None:
        """Two siblings named around the comparison: their central values decide."""
        scope, names, ev = self.judge.scope, self.judge.names, self.judge.evidence
        left = scope.mentions_between(sentence[0], m.start())
        right = scope.mentions_between(m.end(), sentence[1])
        if not left or not right:
            return None
        between = self.text[m.end() : right[0].start]
        if len(between) > 40 or any(ch in between for ch in ",;("):
            return None
        verdicts = []
        for parent in scope.parents_of(left[-1]):
            a, b = scope.children_meant(parent, left[-1]), scope.children_meant(parent, right[0])
            if len(a) != 1 or len(b) != 1 or a == b:
                continue
            kids = names.children(parent)
            one, two = kids[next(iter(a))], kids[next(iter(b))]
            if one[0] != "node" or two[0] != "node":
                continue
            for name, (kind, index) in names.children(one[1]).items():
                twin = names.children(two[1]).get(name)
                if kind == "leaf" and twin is not None and twin[0] == "leaf":
                    x, y = ev.leaf(index), ev.leaf(twin[1])
                    if (
                        x.role in {R.MEAN, R.MEDIAN, R.PROPORTION, R.PERCENT, R.ESTIMATE, R.COEFFICIENT}
                        and x.value != y.value
                    ):
                        verdicts.append((x, y, (x.value > y.value) == more))
        if not verdicts:
            return None
        good = [v for v in verdicts if v[2]]
        x, y, _ = (good or verdicts)[0]
        return self._span(
            m.start(),
            m.end(),
            not good,
            f"{x.address} is {x.value:.6g}, {y.address} is {y.value:.6g}",
            x.address,
        )

    def _best(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        top = m["up"] is not None
        if (named := self._best_named(m, sentence, top)) is not None:
            return named
        after = [
            c for c in self._figures(sentence) if c.token.start >= m.end() and c.token.start - m.end() < 60
        ]
        if not after or re.search(
            r"[;,.]", self.text[m.end() : after[0].token.start].replace(", ", ",", 0)[:-1]
        ):
            return None
        leaf = self._leaf_of(after[0])
        if leaf is None or leaf.role not in {
            R.MEAN,
            R.MEDIAN,
            R.PROPORTION,
            R.PERCENT,
            R.CORRELATION,
            R.COEFFICIENT,
        }:
            return None
        values = self._rivals(leaf)
        if len(values) < 2:
            return None
        mine = abs(leaf.value) if leaf.role in _SIGNED else leaf.value
        others = [abs(v) if leaf.role in _SIGNED else v for v in values]
        wrong = mine < max(others) if top else mine > min(others)
        return self._span(
            m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.6g} among {len(values)}", leaf.address
        )

    def _most(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        """ "A is the least satisfied: 52 %": the share under that very word must be the smallest of its siblings."""
        after = [c for c in self._figures(sentence) if 0 <= c.token.start - m.end() < 60]
        leaf = self._leaf_of(after[0]) if after else None
        if leaf is None or stem(m["what"]) not in name_words(leaf.key):
            return None
        values, top = self._rivals(leaf), m["up"] is not None
        if len(values) < 2 or "," in self.text[m.end() : after[0].token.start]:
            return None
        wrong = leaf.value != (max(values) if top else min(values))
        return self._span(
            m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.6g} among {len(values)}", leaf.address
        )

    def _risk(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        """ "raises the odds (OR 0.7)": a ratio printed right behind must lie on the right side of one."""
        after = [c for c in self._figures(sentence) if c.token.start >= m.end()]
        if (
            not after
            or after[0].token.start - m.end() > 36
            or after[0].label is None
            or after[0].label.id not in {"or", "hr", "rr", "irr"}
        ):
            return None
        if not re.match(r"^[^.;,\d\n]{0,24}[(,:][^.;\d]*$", self.text[m.end() : after[0].token.start]):
            return None
        leaf = self._leaf_of(after[0])
        if leaf is None or leaf.value == 1:
            return None
        wrong = (leaf.value > 1) != (m["up"] is not None)
        return self._span(m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.4g}", leaf.address)

    def _best_named(self, m: re.Match[str], sentence: tuple[int, int], top: bool) -> Span | None:
        """ "The highest group is A": A must lead its siblings in some central value."""
        scope, names, ev = self.judge.scope, self.judge.names, self.judge.evidence
        link = re.match(
            r"[^.;,\n\d()]{0,30}?(?<![^\W_])(?:is|was|are|were)[ ](?:the[ ])?",
            self.text[m.end() : min(sentence[1], m.end() + 44)],
        )
        at = m.end() + link.end() if link is not None else -1
        right = scope.mentions_between(at, at + 1) if link is not None else []
        if not right:
            return None
        checked = []
        for parent in scope.parents_of(right[0]):
            meant = scope.children_meant(parent, right[0])
            child = names.children(parent).get(next(iter(meant))) if len(meant) == 1 else None
            if child is None or child[0] != "node":
                continue
            for kind, index in names.children(child[1]).values():
                leaf = ev.leaf(index) if kind == "leaf" else None
                if leaf is not None and leaf.role in {R.MEAN, R.MEDIAN, R.PROPORTION, R.PERCENT}:
                    values = self._rivals(leaf)
                    if len(values) > 1:
                        checked.append((leaf, leaf.value == (max(values) if top else min(values))))
        if not checked:
            return None
        good = any(ok for _, ok in checked)
        leaf = checked[0][0]
        return self._span(
            right[0].start, right[0].end, not good, f"{leaf.address} is {leaf.value:.6g}", leaf.address
        )

    def _rivals(self, leaf: Leaf) -> list[float]:
        """The same quantity of every sibling, the number itself included."""
        names, ev = self.judge.names, self.judge.evidence
        if role_of_key(leaf.key) is R.VALUE:
            return [ev.values[i] for kind, i in names.children(leaf.node).values() if kind == "leaf"]
        parent = ev.node_parent[leaf.node]
        if parent < 0:
            return []
        found = []
        for kind, index in names.children(parent).values():
            if kind == "node":
                twin = names.children(index).get(leaf.key)
                if twin is not None and twin[0] == "leaf":
                    found.append(ev.values[twin[1]])
        return found

    def _fits(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        leaves = [
            (c, x)
            for c in self._figures(sentence)
            if c.token.start > m.end() and (x := self._leaf_of(c)) is not None and x.role is R.INFORMATION
        ]
        if len(leaves) < 2:
            return None
        first, second = leaves[0][1], leaves[1][1]
        wrong = first.value > second.value
        return self._span(
            m.start(),
            m.end(),
            wrong,
            f"{first.address} is {first.value:.6g}, {second.address} is {second.value:.6g}; lower is better",
            first.address,
        )

    def _next(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        """ "A highest, followed by B": B must come next among the siblings."""
        scope, names, ev = self.judge.scope, self.judge.names, self.judge.evidence
        right = scope.mentions_between(m.end(), min(sentence[1], m.end() + 30))
        before = [c for c in self._figures(sentence) if c.token.end <= m.start()]
        leaf = self._leaf_of(before[-1]) if before else None
        if not right or leaf is None or ev.node_parent[leaf.node] < 0:
            return None
        flat = role_of_key(leaf.key) is R.VALUE
        parent = leaf.node if flat else ev.node_parent[leaf.node]
        meant = scope.children_meant(parent, right[0])
        if len(meant) != 1:
            return None
        child = names.children(parent).get(next(iter(meant)))
        twin = (
            child
            if flat
            else names.children(child[1]).get(leaf.key)
            if child is not None and child[0] == "node"
            else None
        )
        if twin is None or twin[0] != "leaf":
            return None
        values, mine = self._rivals(leaf), ev.values[twin[1]]
        ranked = sorted(values, reverse=leaf.value >= max(values))
        if leaf.value not in {max(values), min(values)}:
            return None
        wrong = len(ranked) > 1 and mine != ranked[1]
        return self._span(
            right[0].start,
            right[0].end,
            wrong,
            f"{ev.leaf(twin[1]).address} is {mine:.6g}",
            ev.leaf(twin[1]).address,
        )


def judge_directions(judge: Judge, reply: str) -> list[Span]:
    """A span per direction word that the results confirm or contradict."""
    return _Directions(judge, reply).spans() if judge.computed else []
