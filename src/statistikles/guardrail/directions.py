"""Direction words as claims of their own: positive, rising, higher than, the highest, fits better."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from statistikles.results.roles import Role

from .claims import Claim
from .comparatives import Comparatives
from .evidence import Leaf
from .rankings import SIGNED
from .report import Span
from .tokens import Token
from .words import word_set

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["judge_directions"]

R = Role
_SIGN = re.compile(
    r"(?<![^\W_])(?:(?P<pos>positive|positively|positiv\w*|directly)|(?P<neg>negative|negatively|inverse|inversely|negativ\w*|négati\w*)|(?P<tail>(?P<right>right)|left)(?=[ -]skew)|skew\w*[ ](?:strongly[ ]|heavily[ ]|slightly[ ])?to the (?P<side>(?P<east>right)|left))(?![^\W_])",
    re.IGNORECASE,
)
_RELATION = re.compile(
    r"(?:correl|associat|relat|coefficient|slope|trend|link|Zusammenhang|Korrel|corrél|connect)",
    re.IGNORECASE,
)
_UP = r"ris(?:e|es|ing)|rose|increas\w*|grow(?:s|ing|n)?|grew|climb\w*|went up|goes up|going up|upward\w*|steig\w*|stieg|augment\w*|gain\w*|improv\w*|rais(?:e|es|ed|ing)|boost\w*|lift(?:s|ed)"
_DOWN = r"fall(?:s|ing|en)?|fell|decreas\w*|declin\w*|drop\w*|shr[ia]nk\w*|went down|goes down|going down|downward\w*|sink\w*|sank|diminu\w*|lower(?:s|ed)|reduc\w*"
_MOVE = re.compile(rf"(?<![^\W_])(?:(?P<up>{_UP})|(?P<down>{_DOWN}))(?![^\W_])", re.IGNORECASE)
_FROM_TO = re.compile(r"^[^.;\n\d]{0,40}?(?<![^\W_])(?:from|von|de)[ ][^.;\n\d]{0,6}$", re.IGNORECASE)
_TO = re.compile(r"(?<![^\W_])(?:to|auf|à|zu)[ ](?:about |only |just |around )?$")
_SPEED = frozenset({"faster", "slower", "quicker"})
_TIME_UNIT = re.compile(
    r"[ ]?(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?)(?![^\W_])"
)
_TIME_KEY = re.compile(
    r"(?:^|[._])(?:rt|ms|sec|time|latency|duration|days|hours|minutes)(?:$|[._])", re.IGNORECASE
)
_MORE = r"higher|larger|greater|bigger|heavier|longer|taller|stronger|steeper|faster|older|warmer|hotter|more|richer|wider|deeper|louder|höher|größer|länger|plus (?:élevée?|grande?|longue?|forte?)"
_LESS = r"lower|smaller|lighter|shorter|weaker|flatter|shallower|slower|younger|cooler|colder|less|fewer|poorer|narrower|niedriger|kleiner|kürzer|moins (?:élevée?|grande?|longue?|forte?)"
_THAN = re.compile(
    rf"(?<![^\W_])(?:(?P<up>{_MORE})|(?P<down>{_LESS}))(?![^\W_])(?=(?:[^.;:\n]|\.\d){{0,60}}?(?<![^\W_])(?P<than>than|que|als)(?![^\W_]))",
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
    "left righ skew lift most leas suiv next soon elev rais mult boos prot cut halv best wors winn won over unde loui thic thin late earl dens broa taller "
    "tall come came rank fini peak trou bott geri haut bett on pire lose schl beste"
)


def _calls_correlation(claim: Claim) -> bool:
    return claim.label is not None and claim.label.id in {"r", "rho", "tau"}


class _Directions(Comparatives):
    """Reads direction words likewise."""

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
        out.extend(self.compared(sentences, out))
        return out

    def _triggered(self) -> list[tuple[int, int]]:
        """The sentences that hold a word any direction can begin with."""
        layout, found, done = self.judge.layout, [], -1
        for word in layout.words:
            if word.start >= done and (word.text[:4].casefold() in _TRIGGERS or word.text.endswith("est")):
                bounds = layout.sentence(word.start)
                found.append(bounds)
                done = bounds[1]
        return found

    def _matches(self, finder: re.Pattern[str], sentences: list[tuple[int, int]]) -> Iterator[re.Match[str]]:
        for start, end in sentences:
            yield from finder.finditer(self.text, start, end)

    def _sign(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        positive = m["pos"] is not None
        if m["tail"] is not None or m["side"] is not None:
            return self._skewed(m, sentence)
        if not _RELATION.search(self.text[max(sentence[0], m.start() - 40) : min(sentence[1], m.end() + 40)]):
            return None
        figures = [
            c
            for c in self._figures(sentence)
            if (x := self._leaf_of(c)) is not None
            and (x.role in SIGNED or _calls_correlation(c))
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

    def _skewed(self, m: re.Match[str], sentence: tuple[int, int]) -> Span | None:
        """ "Left-skewed (skewness 2.1)": the sign of the skewness beside it decides."""
        shapes = [
            x
            for c in self._figures(sentence)
            if (x := self._leaf_of(c)) is not None and "skew" in x.key.casefold()
        ]
        if len(shapes) != 1 or not shapes[0].value:
            return None
        x = shapes[0]
        return self._span(
            m.start(),
            m.end(),
            (x.value > 0) != (m["right"] is not None or m["east"] is not None),
            f"{x.address} is {x.value:.4g}",
            x.address,
        )

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
            a = after[0]
            b = next(
                (c for c in after[1:4] if _TO.search(self.text, a.token.end, c.token.start) is not None),
                after[1],
            )
            if (
                re.search(r"(?<![^\W_])(?:to|auf|à)[ ]", self.text[a.token.end : b.token.start])
                and len(self.text[a.token.end : b.token.start]) < 60
            ):
                if a.token.value == b.token.value or a.token.percent != b.token.percent:
                    return None
                wrong = (b.token.value > a.token.value) != up
                return self._span(m.start(), m.end(), wrong, f"from {a.token.text} to {b.token.text}", "")
        if (slope := self._slope(m, after, up)) is not None:
            return slope
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

    def _slope(self, m: re.Match[str], after: list[Claim], up: bool) -> Span | None:
        """ "falls by 12.4 per day" although the slope is positive."""
        if not after:
            return None
        if not re.fullmatch(
            r"[^\d.;,()\n]{0,32}[ ](?:by|um|de)[ ](?:about |roughly |around )?[-−–+]?",
            self.text[m.end() : after[0].token.start],
        ):
            return None
        leaf = self._leaf_of(after[0])
        if (
            leaf is None
            or leaf.role not in {R.COEFFICIENT, R.ESTIMATE}
            or any(
                "diff" in str(part).casefold() or "reduc" in str(part).casefold() for part in leaf.path[1:]
            )
            or not leaf.value
        ):
            return None
        wrong = (leaf.value > 0) != up
        return self._span(m.start(), m.end(), wrong, f"{leaf.address} is {leaf.value:.6g}", leaf.address)

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
                    if m.group().casefold() in _SPEED:
                        more = more != self._in_time(before[-1], a)  # the faster takes less time
                    wrong = (abs(a.value) > abs(b.value) if a.role in SIGNED else a.value > b.value) != more
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

    def _in_time(self, claim: Claim, leaf: Leaf) -> bool:
        """Whether a figure is a time, by its unit or by its name."""
        unit = _TIME_UNIT.match(self.text, claim.token.end)
        return unit is not None or _TIME_KEY.search(".".join(map(str, leaf.path[1:]))) is not None

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
                        larger = (
                            abs(x.value) > abs(y.value) if x.value < 0 and y.value < 0 else x.value > y.value
                        )
                        verdicts.append((x, y, larger == more))
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


def judge_directions(judge: Judge, reply: str) -> list[Span]:
    """A span per direction word that the results confirm or contradict."""
    return _Directions(judge, reply).spans() if judge.computed else []
