"""Arithmetic over computed numbers that the sentence's words announce, done again here."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import partial
from operator import gt, lt
from typing import TYPE_CHECKING

from statistikles.results.roles import Role, role_of_key

from .claims import Claim
from .evidence import Leaf
from .tokens import Kind

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["Deriver"]

R = Role
_FLAGS = re.IGNORECASE
_ANY = re.compile("")
_DIFFERENCE = re.compile(
    r"(?<![^\W_])(?:difference|gap|drop\w*|gain\w*|change\w*|rise|rose|fell|fall\w*|decreas\w*|increas\w*|by|lower|higher|more|less|fewer|above|below|points?|"
    r"lead|ahead|behind|extra|longer|shorter|later|earlier|heavier|lighter|improv\w*|reduc\w*|up|down|declin\w*|exceeds?|écart|gain|Unterschied|Differenz|than|"
    r"remaining|other|rest|others|lift|separat\w*|outweigh\w*|worse|better|shift\w*|grew|→)(?![^\W_])|→|=",
    _FLAGS,
)
_RATIO = re.compile(
    r"(?<![^\W_])(?:times|fold|twice|double\w*|tripl\w*|ratio|half|halv\w*|quadrupl\w*|as (?:many|much|large|high|long|big)|factor|multipl\w*|fois|mal)(?![^\W_])|-fold|×",
    _FLAGS,
)
_SUM = re.compile(
    r"(?<![^\W_])(?:total|in all|together|altogether|combined|overall|sum|both|jointly|of the|all|people|n|N|patients|participants|in total|zusammen|insgesamt|au total|of)(?![^\W_])",
    _FLAGS,
)
_REST = re.compile(
    r"(?<![^\W_])(?:others?|remaining|rest|remainder|without|not|none|never|no|übrigen|autres|unexplained)(?![^\W_])",
    _FLAGS,
)
_ROOT = re.compile(
    r"(?<![^\W_])(?:square roots?|SDs?|standard deviations?|residual SD|root|σ)(?![^\W_])|√", _FLAGS
)
_LESS = re.compile(
    r"(?<![^\W_])(?:less|fewer|lower|reduc\w*|drop\w*|fell|cut\w*|declin\w*|decreas\w*|moins|weniger)(?![^\W_])",
    _FLAGS,
)
_SQUARE = re.compile(
    r"(?<![^\W_])(?:square root|squared?|variance|R²|R2|R\^2|r²|shared|explain\w*|share)(?![^\W_])|²", _FLAGS
)
_SHARE = re.compile(r"%|(?<![^\W_])(?:percent|per cent|share|proportion|rate)(?![^\W_])", _FLAGS)
# What a unit word lets a figure be multiplied by.
_STEP = r"(?<![^\W_])(?:per|every|each|extra|additional|another|further|for|by)[ ](?:[a-z]+[ ])?"
_UNIT_FACTORS: tuple[tuple[re.Pattern[str], tuple[float, ...]], ...] = (
    (
        re.compile(
            r"(?<![^\W_])(?:kg|km|kilo\w*|thousands|ms|litres?|[nµupm]M|[nµupm]g|mV|µm|nm|mL|µL)(?![^\W_])|"
            + _STEP
            + r"(?:1,?000|thousand)(?![^\W_])",
            _FLAGS,
        ),
        (1000.0, 0.001),
    ),
    (re.compile(r"(?<![^\W_])decades?(?![^\W_])|" + _STEP + r"(?:10|ten)(?![^\W_.,])", _FLAGS), (10.0, 0.1)),
    (
        re.compile(
            r"(?<![^\W_])(?:cents?|century)(?![^\W_])|" + _STEP + r"(?:100|hundred)(?![^\W_.,])", _FLAGS
        ),
        (100.0, 0.01),
    ),
    (re.compile(r"(?<![^\W_])(?:months?|years?)(?![^\W_])", _FLAGS), (12.0, 1 / 12, 1 / 30.4375, 1 / 365.25)),
    (re.compile(r"(?<![^\W_])weeks?(?![^\W_])", _FLAGS), (7.0, 1 / 7)),
    (re.compile(r"(?<![^\W_])(?:minutes?|hours?|seconds?)(?![^\W_])", _FLAGS), (60.0, 1 / 60)),
)
_EXCEED = re.compile(
    r"^[^.;\n]{0,60}?(?<![^\W_])(?:(?P<over>exceed\w*|above|over|greater than|more than|larger than|>)|(?P<under>below|under|less than|smaller than|<))[ ](?:the[ ]|a[ ]|[±≥≤=]?)*$",
    _FLAGS,
)
_SIGNIFICANT = re.compile(
    r"^[^.;\n]{0,70}?(?<![^\W_])(?P<not>(?:not|non|no|fail\w*|n['’]t|far from)[ -](?:\w+ ){0,2})?(?:signific\w*|surviv\w*|hold\w*|reach\w* significance|p[ ]?<|comes? out|came out|matters?(?![^\W_])|mattered|stands? out|clear the bar)",
    _FLAGS,
)
_TOTAL_OF = re.compile(r"^[ ](?:of|out of)[ ](?:the[ ]|these[ ]|those[ ]|its[ ]|our[ ])?$", _FLAGS)

_NEARLY = re.compile(
    r"(?<![^\W_])(?:nearly|almost|just under|not quite|fast|knapp|presque|less than|fewer than|under|below|barely)[ ]$",
    _FLAGS,
)
_OUT_OF = re.compile(
    r"(?<![^\W_])(?:out of|of|in|per|among|von|sur)[ ](?:every[ ]|each[ ])?(?P<many>100|1[,. ]?000|10[,. ]?000|100[,. ]?000)(?![\d.,]*\d)",
    _FLAGS,
)

Named = tuple[float, str]


class Deriver:
    """Tries the arithmetic that the words around a figure announce."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge

    def figure(self, claim: Claim) -> tuple[str, str] | None:
        """(reason, source) when announced arithmetic over results gives the figure."""
        if not self.judge.computed:
            return None
        token, text = claim.token, self.judge.text
        start = max(claim.sentence[0], token.start - 80)
        window = text[start : min(claim.sentence[1], token.end + 40)]
        if claim.in_df or (claim.label is not None and claim.label.id == "df"):
            return self._first(claim, self._degrees(claim))
        if (
            claim.label is not None
            and claim.strength
            and claim.label.id in {"p", "t", "f", "z", "chi2", "sd", "se"}
        ):
            return None
        recent = self._recent(claim)
        if (
            token.integer
            and token.kind in {Kind.FIGURE, Kind.WORD}
            and claim.label is None
            and not token.percent
            and token.value >= 10
        ):
            found = self._first(claim, self._group_totals())
            if found is not None:
                return found
        found = None
        if token.kind == Kind.FRACTION:
            found = self._first(claim, self._shares(claim, recent))
            if found is not None:
                return found
        if (of := _OUT_OF.search(window)) is not None and token.kind in {Kind.FIGURE, Kind.WORD}:
            found = self._first(claim, self._frequencies(claim, float(re.sub(r"\D", "", of["many"]))))
            if found is not None:
                return found
        for cue, make in self._rules():
            if cue.search(window):
                found = self._first(claim, make(claim, recent))
                if found is not None:
                    return found
        return found

    def _frequencies(self, claim: Claim, many: float) -> Iterator[Named]:
        """ "Out of every 1,000, about 49": a share of the results times the thousand."""
        if claim.token.percent or not 0 <= claim.token.value <= many:
            return
        reach = self.judge.matcher.reach(claim)
        low, high = (claim.token.value - reach) / many, (claim.token.value + reach) / many
        for scale in (1.0, 100.0):
            for i in self.judge.evidence.between(low * scale, high * scale, 8):
                leaf = self.judge.evidence.leaf(i)
                shares = (
                    {R.PERCENT}
                    if scale == 100.0
                    else {R.PROPORTION, R.PROBABILITY, R.ESTIMATE, R.MEAN, R.VALUE}
                )
                if leaf.role in shares and self.judge.scope.conflict(claim, leaf) is None:
                    yield leaf.value / scale * many, f"{leaf.address} x {many:g}"

    def _rules(self) -> tuple[tuple[re.Pattern[str], Callable[[Claim, list[Leaf]], Iterator[Named]]], ...]:
        return (
            (_DIFFERENCE, self._differences),
            (_RATIO, self._ratios),
            (_SHARE, self._shares),
            (_SUM, self._sums),
            (_REST, self._rests),
            (_SQUARE, self._squares),
            (_ANY, self._units),
        )

    def _first(self, claim: Claim, values: Iterator[Named]) -> tuple[str, str] | None:
        token = claim.token
        nearly = False
        if token.kind in {Kind.FRACTION, Kind.MULTIPLE}:
            reach = 0.06 * abs(token.value)
            lead = self.judge.text[max(claim.sentence[0], token.start - 16) : token.start]
            nearly = _NEARLY.search(lead) is not None
        else:
            reach = self.judge.matcher.reach(claim)
            if token.kind == Kind.WORD:
                reach = max(0.5 if claim.hedged else 1e-9, 0.06 * token.value)
        targets = [token.value]
        if token.percent or token.points:
            targets = [token.value / 100, token.value]
        for value, how in values:
            if not math.isfinite(value):
                continue
            for target in targets:
                if nearly and 0.87 * target <= value <= target and not how.endswith(" - 1"):
                    return f"{how} = {value:.6g}", how
                e = reach * (abs(target / token.value) if token.value else 1.0)
                if token.signed and value * target < 0 and token.text[:1] != "+":
                    continue
                if abs(abs(value) - abs(target)) <= e + 1e-12:
                    return f"{how} = {value:.6g}", how
        return None

    def _recent(self, claim: Claim) -> list[Leaf]:
        """The computed numbers the prose spoke of last, and next in the same sentence."""
        judge, found = self.judge, []
        low = claim.sentence[0] - 400
        for i in range(claim.index - 1, max(-1, claim.index - 15), -1):
            if judge.claims[i].token.start < low:
                break
            for hit in judge.matcher.found.get(i, [])[:2]:
                if hit.leaf not in found:
                    found.append(hit.leaf)
        for c in judge.claims[claim.index + 1 : claim.index + 4]:
            if c.sentence == claim.sentence and c.token.kind == Kind.FIGURE and not c.level:
                hits = judge.matcher.hits(c)
                if 0 < len(hits) <= 2 and hits[0].leaf not in found:
                    found.append(hits[0].leaf)
        return found[:7]

    def _twins(self, recent: list[Leaf]) -> Iterator[tuple[Leaf, Leaf]]:
        """Pairs of the same quantity in two sibling places, both spoken of, or the only other sibling."""
        judge = self.judge
        seen: set[tuple[int, int]] = set()
        for i, a in enumerate(recent):
            for b in recent[i + 1 :]:
                if a.key == b.key and a.index != b.index:
                    seen.add((a.index, b.index))
                    yield a, b
        for a in recent[:4]:
            parent = judge.evidence.node_parent[a.node]
            nodes = (
                [x for kind, x in judge.names.children(parent).values() if kind == "node"]
                if parent >= 0
                else []
            )
            if len(nodes) == 2 and a.node in nodes:
                other = nodes[0] if nodes[1] == a.node else nodes[1]
                twin = judge.names.children(other).get(a.key)
                if twin is not None and twin[0] == "leaf" and (a.index, twin[1]) not in seen:
                    yield a, judge.evidence.leaf(twin[1])

    def _differences(self, claim: Claim, recent: list[Leaf]) -> Iterator[Named]:
        for a, b in self._twins(recent):
            # "by 3 %" of two shares is the relative change; their plain difference is in points
            if not claim.token.percent or a.role not in {R.PROPORTION, R.PERCENT, R.PROBABILITY}:
                yield a.value - b.value, f"{a.address} - {b.address}"
            if claim.token.percent or claim.token.kind != Kind.FIGURE:
                if b.value:
                    yield a.value / b.value - 1, f"{a.address}/{b.address} - 1"
                if a.value:
                    yield b.value / a.value - 1, f"{b.address}/{a.address} - 1"
        if claim.token.percent or claim.token.kind == Kind.FRACTION:
            for k, a in enumerate(recent):
                # further back only what is surely a ratio
                if a.role in ({R.RATIO, R.ESTIMATE, R.VALUE} if k < 3 else {R.RATIO}) and a.value > 0:
                    yield a.value - 1, f"{a.address} - 1"
        counts = [a for a in recent[:4] if a.role in {R.COUNT, R.VALUE}]
        for i, a in enumerate(counts):
            for b in counts[i + 1 :]:
                yield a.value - b.value, f"{a.address} - {b.address}"

    def _ratios(self, _claim: Claim, recent: list[Leaf]) -> Iterator[Named]:
        for a, b in self._twins(recent):
            if b.value and a.value:
                yield a.value / b.value, f"{a.address}/{b.address}"
                yield b.value / a.value, f"{b.address}/{a.address}"
        for i, a in enumerate(recent[:3]):
            for b in recent[i + 1 : 3]:
                if a.node == b.node and b.value and a.value:
                    yield a.value / b.value, f"{a.address}/{b.address}"
                    yield b.value / a.value, f"{b.address}/{a.address}"

    def _shares(self, claim: Claim, recent: list[Leaf]) -> Iterator[Named]:
        whole = self.judge.text[claim.sentence[0] : claim.sentence[1]]
        rest = _REST.search(whole) is not None or _LESS.search(whole) is not None
        counts = [a for a in recent[:4] if a.role in {R.COUNT, R.VALUE} and a.value == round(a.value)]
        for i, a in enumerate(counts):
            for b in counts[i + 1 :]:
                small, large = sorted((a, b), key=lambda x: x.value)
                if large.value > 0:
                    yield small.value / large.value, f"{small.address}/{large.address}"
                    if rest:
                        yield 1 - small.value / large.value, f"1 - {small.address}/{large.address}"

    def _sums(self, claim: Claim, recent: list[Leaf]) -> Iterator[Named]:
        judge = self.judge
        if not claim.token.integer:
            return
        pools = {a.node: a for a in recent[:4]}
        for a in list(pools.values()):
            parent = judge.evidence.node_parent[a.node]
            kids = judge.names.children(parent) if parent >= 0 else {}
            same = [
                judge.evidence.values[x[1]]
                for kind, node in kids.values()
                if kind == "node"
                and (x := judge.names.children(node).get(a.key)) is not None
                and x[0] == "leaf"
            ]
            if 2 <= len(same) <= 12 and a.role in {R.COUNT, R.VALUE}:
                yield sum(same), f"sum of {a.key} over {len(same)}"
            row = [
                judge.evidence.values[i]
                for kind, i in judge.names.children(a.node).values()
                if kind == "leaf"
            ]
            if 2 <= len(row) <= 6 and all(v == round(v) and v >= 0 for v in row):
                yield sum(row), f"sum of {judge.evidence.address(judge.evidence.path_of_node(a.node))}"
        if not recent:
            yield from self._group_totals()

    def _group_totals(self) -> Iterator[Named]:
        judge = self.judge
        for key in ("n", "nobs", "count", "n_obs"):
            indices = judge.evidence.leaf_names.get(key, ())[:40]
            by_parent: dict[int, list[float]] = {}
            for i in indices:
                by_parent.setdefault(judge.evidence.node_parent[judge.evidence.owner[i]], []).append(
                    judge.evidence.values[i]
                )
            for values in by_parent.values():
                if len(values) >= 2:
                    yield sum(values), f"sum of {key} over {len(values)}"

    def _rests(self, _claim: Claim, recent: list[Leaf]) -> Iterator[Named]:
        for a in recent[:3]:
            if 0 <= a.value <= 1 and a.role is not R.P_VALUE:
                yield 1 - a.value, f"1 - {a.address}"
        yield from self._differences(_claim, recent)

    def _squares(self, _claim: Claim, recent: list[Leaf]) -> Iterator[Named]:
        rooted = _ROOT.search(self.judge.text[_claim.sentence[0] : _claim.sentence[1]]) is not None
        for a in recent[:3]:
            if a.value >= 0 and rooted:
                yield math.sqrt(a.value), f"sqrt({a.address})"
            if a.role is R.CORRELATION:
                yield a.value * a.value, f"{a.address}^2"

    def _units(self, claim: Claim, recent: list[Leaf]) -> Iterator[Named]:
        token, text = claim.token, self.judge.text
        if token.kind != Kind.FIGURE or token.percent or token.points or token.scientific:
            return
        whole = text[claim.sentence[0] : claim.sentence[1]]
        factors = [f for cue, fs in _UNIT_FACTORS if cue.search(whole) for f in fs]
        for factor in factors:
            for a in recent:
                if a.role not in {R.P_VALUE, R.DF, R.STATISTIC, R.COUNT, R.CONF_BOUND}:
                    yield a.value * factor, f"{a.address} x {factor:.6g}"
            if token.value and len(token.body.strip("0.")) >= 2:
                low, high = sorted((token.low / factor, token.high / factor))
                for i in self.judge.evidence.between(low, high, 4):
                    a = self.judge.evidence.leaf(i)
                    if a.role in {R.COEFFICIENT, R.MEAN, R.MEDIAN, R.ESTIMATE}:
                        yield a.value * factor, f"{a.address} x {factor:g}"

    def _degrees(self, claim: Claim) -> Iterator[Named]:
        judge = self.judge
        if claim.df_symbol == "F" and (terms := self._terms()) is not None:
            yield terms
        if claim.df_symbol != "r" and judge.names.reports_df:
            return  # the results report degrees of freedom: none is made up beside them
        counts = [
            judge.evidence.leaf(i)
            for indices in judge.evidence.leaf_names.values()
            for i in indices[:12]
            if judge.evidence.leaf(i).role is R.COUNT
        ][:40]
        for a in counts:
            for less in (2,) if claim.df_symbol == "r" else (1, 2, 3):
                yield a.value - less, f"{a.address} - {less}"
        for total, how in self._group_totals():
            for less in (1, 2, 3, 4):
                yield total - less, f"{how} - {less}"

    def _terms(self) -> Named | None:
        """The number of predictors of the only model with a constant among its coefficients."""
        names, ev = self.judge.names, self.judge.evidence
        found = [
            node
            for node in range(min(len(ev.node_key), 400))
            if any(
                kind == "node" and role_of_key(name) is R.INTERCEPT
                for name, (kind, _) in names.children(node).items()
            )
        ]
        if len(found) != 1:
            return None
        return ev.node_size[found[0]] - 1.0, f"the predictors of {ev.address(ev.path_of_node(found[0]))}"

    # -- counts ------------------------------------------------------------------------------------------------

    def count(self, claim: Claim) -> tuple[str, str] | None:
        """(reason, source) when a stated condition holds for just so many members."""
        judge, token = self.judge, claim.token
        tail = judge.text[token.end : min(claim.sentence[1], token.end + 110)]
        size = self._of_how_many(claim)
        if (m := _SIGNIFICANT.match(tail)) is not None:
            return self._count_where(
                claim,
                size,
                R.P_VALUE,
                (lambda p: p >= 0.05) if m["not"] else (lambda p: p < 0.05),
                "p against .05",
            )
        for c in judge.claims[claim.index + 1 : claim.index + 4]:
            if c.sentence != claim.sentence or c.token.kind != Kind.FIGURE:
                continue
            m = _EXCEED.match(judge.text[token.end : c.token.start])
            if m is not None:
                limit = c.token.value
                test = partial(gt, limit) if m["under"] else partial(lt, limit)
                return self._count_where(claim, size, None, test, f"against {limit:g}")
        return None

    def _of_how_many(self, claim: Claim) -> int | None:
        for c in self.judge.claims[claim.index + 1 : claim.index + 2]:
            if _TOTAL_OF.match(self.judge.text[claim.token.end : c.token.start]):
                return int(c.token.value)
        return None

    def _count_where(
        self, claim: Claim, size: int | None, role: Role | None, test: Callable[[float], bool], how: str
    ) -> tuple[str, str] | None:
        ev, wanted = self.judge.evidence, claim.token.value
        families = list(self._families(role))
        if size is not None:
            families = [(k, self._without_constant(m, size)) for k, m in families]
            families = [f for f in families if len(f[1]) == size]
        if role is None or len(families) > 1:
            spoken = {leaf.index for leaf in self._recent(claim)}
            near = [f for f in families if spoken & set(f[1])]
            families = near or (families if role is not None or size is not None else [])
        for where, members in families:
            if sum(1 for i in members if test(ev.values[i])) == wanted:
                return f"{wanted:g} of {len(members)} {where} {how}", where
        return None

    def _without_constant(self, members: list[int], size: int) -> list[int]:
        """Predictors are counted without the intercept that stands among them."""
        if len(members) != size + 1:
            return members
        ev = self.judge.evidence
        names = [
            (i, str(ev.node_key[ev.owner[i]]) if ev.leaf(i).role is not R.VALUE else ev.leaf(i).key)
            for i in members
        ]
        rest = [
            i
            for i, name in names
            if role_of_key(name) is not R.INTERCEPT
            and not any(
                role_of_key(t) is R.INTERCEPT for t in self.judge.names.node_alias.get(ev.owner[i], ())
            )
        ]
        return rest if len(rest) == size else members

    def _families(self, role: Role | None) -> Iterator[tuple[str, list[int]]]:
        """The same quantity over siblings, and plain name-to-number containers."""
        ev = self.judge.evidence
        for key, indices in ev.leaf_names.items():
            by_parent: dict[int, list[int]] = {}
            for i in indices[:400]:
                by_parent.setdefault(ev.node_parent[ev.owner[i]], []).append(i)
            for members in by_parent.values():
                if len(members) >= 2 and (role is None or ev.leaf(members[0]).role is role):
                    yield key, members
        for node in range(min(len(ev.node_key), 2_000)):
            kids = [i for kind, i in self.judge.names.children(node).values() if kind == "leaf"]
            named = len(kids) >= 2 and all(role_of_key(str(ev.keys[i])) is R.VALUE for i in kids)
            if named and (role is None or ev.leaf(kids[0]).role is role):
                yield str(ev.node_key[node]), kids
