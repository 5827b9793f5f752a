"""Verdict words as claims of their own: significant, no difference, could be noise, each against its p value."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from statistikles.results.roles import Role

from .answers import answer_spans
from .claims import Claim
from .contests import contest_spans
from .directions import judge_directions
from .magnitudes import magnitude_spans
from .overshoots import equivalence_spans, overshoot_spans
from .report import Span, Verdict
from .tokens import Kind, Token
from .uncomputed import findings
from .words import word_set

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["judge_words"]

R = Role
# One pass; the alternatives that deny come first, so that "not significant" is never read as "significant".
_SIGNIFICANCE = re.compile(
    r"(?<![^\W_])(?:"
    r"(?P<no>(?:not|n['’]t|never|neither|nor|hardly|barely|far from|nowhere near|short of|no longer|loses?|lost|fail\w* to (?:reach|attain)|without(?: reaching)?|miss\w*|lack\w*|isn['’]t|wasn['’]t|aren['’]t|weren['’]t|didn['’]t|doesn['’]t|does not|did not|do not|kein\w*|nicht|pas|aucun\w*|non)"
    r"[ ](?:(?:be|been|being|statistically|quite|even|remotely|a|an|any|reach|reached|attain|achieve|show|close to|differ|different|near|mehr|longer|länger|plus|conventional|at all|the|really|clearly|une?|des?|statistiquement|statistisch|fully|yet|usual)[ ]){0,4}(?:significan\w*|signifikan\w*|significati\w*)"
    r"|(?:not|no|nicht|pas|hardly) (?:measurably |detectably |noticeably |clearly |demonstrably )?(?:different|distinguishable|verschieden|différente?s?)"
    r"|(?:no|kein\w*|aucune?)[ ](?:[^\W\d_]+[ ]){1,3}?(?:mehr[ ]|is[ ]|are[ ]|was[ ]|were[ ]|n['’]est[ ]|plus[ ]){1,2}(?:significant|signifikant\w*|significati\w*)(?:[ ]any ?more)?"
    r"|none (?:(?:of (?:them|these|which)|that)[ ])?(?:is|are|was|were)[ ](?:statistically[ ])?significant|(?:do|does|did)(?: not|n['’]t) matter|no[ ](?:(?:statistically|clear|real|such|evidence of an?|evidence for an?|other)[ ]){0,2}significant\w*"
    r"|no (?:convincing|detectable|discernible|reliable|statistical|clear|real|evident|demonstrable) (?:\w+ )?(?:difference|effect|association|evidence|relationship|change)s?"
    r"|no evidence (?:of|for) (?:an?y? |the )?(?:difference|effect|association|relation|relationship|link|correlation|trend)s?"
    r"|(?:is|was|are|were) (?:not|n['’]t) violated|no (?:sign|indication|evidence) of (?:an? |any )?(?:violation|departure|deviation|non-?normality|heteroscedasticity|autocorrelation|heterogeneity)"
    r"|non-?[ ]?significant\w*|insignificant\w*|nichtsignifikant\w*|(?:do|does|did)(?: not|n['’]t) (?:\w+ )?differ"
    r"|(?:could|may|might|can) (?:\w+ )?(?:well )?be (?:just |pure |simply |due to |random |down to |put down to |explained by )?(?:noise|chance|luck|random\w*|sampling error|coincidence)"
    r"|(?:consistent|compatible) with (?:an?|the) (?:\w+ )?(?:distribution|model|hypothesis|null)|(?:is|was) (?:not|n['’]t) (?:an issue|a problem|a concern)"
    r"|(?:normality|sphericity|homogeneity|linearity|proportional[- ]hazards|parallel[- ]\w+|independence|uniformity|stationarity|[\w-]+[- ]of[- ][\w-]+|equal[- ]\w+|constant[- ]\w+)[ ](?:assumption[ ])?(?:holds|is met|is satisfied|is tenable|is fine|was met)"
    r"|(?:consistent|compatible) with (?:pure |mere |random )?(?:chance|noise|no (?:effect|difference))"
    r"|(?:fail\w*|not|n['’]t|unable|cannot|no reason|nor|can['’]t|not able)(?: to| quite| be| been){0,2} reject\w*|(?:is|are|was|were) (?:not|n['’]t) rejected"
    r"|pas rejet\w+|nicht (?:verworfen|zu verwerfen|abgelehnt)"
    r"|(?:could|may|might) (?:well )?have arisen by chance|statistically (?:indistinguishable|equivalent)|indistinguishable from (?:zero|chance|noise))"
    r"|(?P<yes>(?:(?:remain|stay|are|is|was|were|be|become|became|highly|clearly|very|statistically|strongly|still|extremely|overwhelmingly|all|both|hoch|très|hautement|also|each|just|barely|marginally|stays|remains)\w*[ ]){0,3}?(?:significan(?:t|tly|ce)(?![^\W_])|signifikant\w*|significati\w*)"
    r"|(?:unlikely|hard|implausible|very unlikely|not plausibly|cannot|can['’]t) (?:to be |to |be |plausibly be )?(?:\w+ )?(?:due to |explained by |dismissed as |put down to |attributed to |just |mere |down to )?(?:chance|noise|luck|coincidence|random\w*)"
    r"|(?:diffèrent|diffère|unterscheiden sich|unterscheidet sich|differs?|differed)(?=[ ]\(p)|(?:is|was|are|were) violated|(?:deviates?|departs?) (?:significantly )?from normality|differ(?:s|ed)? (?:systematically|significantly|reliably|markedly)"
    r"|rejetée?s?|verworfen|abgelehnt|(?:does|do|is|are|did) too(?=[ ]\(p)|(?:confirms?|shows?|indicates?) unequal variances(?=[ ][*]?\()"
    r"|(?:does |do |did )?matter(?:s|ed)?(?=[ ]?(?:too|as well)?[ ]?[(:,][^.;]{0,24}(?<![^\W_])p[ ]?[=<>])|rejects?|rejected|(?:clearly|highly) (?:differ|different)"
    r"|(?:a|the) (?:real|genuine|statistically detectable) (?:difference|effect|association))"
    r")(?![^\W_])",
    re.IGNORECASE,
)
_TRIGGERS = word_set(
    "signi insig nonsi viola matte devia depar syste norma spher homog unifo stati issue probl conce verwo abgel too uneq unequ diffè rejet verwo unter nicht chanc noise luck rando coinc rejec diffe effec assoc evide relat chang sampl indis equiv real genui arise compa"
)
# These are part of a verdict only beside a denial or a word of reality.
_WEAK_TRIGGERS = word_set("diffe effec assoc evide relat chang sampl compa arise")
_CHARGED = re.compile(
    r"\b(?:no|not|never|real|genuine|clearly|highly|consistent|compatible|might|may|could|kein\w*|nicht|pas|aucun\w*)\b|n['’]t",
    re.IGNORECASE,
)
_NOT_VERDICT_BEFORE = re.compile(
    r"(?<![^\W_])(?:whether|if|would|should|could|might|may)[ ](?:\w+[ ])?[“\"'‘]?$|(?<![^\W_])(?:clinical\w*|practical\w*|substantive\w*|economic\w*|biological\w*|called|considered|deemed|declared?|"
    r"counts? as|for|of|to (?:be|reach|claim|call|detect|find)|more|most|any|level of|tests? of|tests? for|threshold for|the word|regarded as|as|until|unless|before|when|looks?|look|"
    r"seems?|appears?|barely|borderline|nearly|almost|marginally|suggests?|reach)[ ][“\"'‘]?$",
    re.IGNORECASE,
)
_NOT_VERDICT_AFTER = re.compile(
    r"^[ -]?(?:[”\"'’])|^[ -](?:figures?|digits?|others?|levels?|niveau|threshold|predictors?[ ](?:are|were|include)[ ](?:those|only)|testing|tests?\b|at all\?)",
    re.IGNORECASE,
)
_ALPHA = re.compile(
    r"(?:alpha|α|level|niveau|threshold|cut-?off|seuil)[ ]*(?:of|=|:|is|at|von|de|to)?[ ]*(0?[.,]\d+|\d{1,2}[ ]?%)|(0?[.,]\d+|\d{1,2}[ ]?%)[ -]?(?:significance |signifikanz)?(?:level|niveau|threshold|alpha)",
    re.IGNORECASE,
)


_EVERY = re.compile(
    r"(?<![^\W_])(?:all(?P<n>[ ](?:two|three|four|five|six|seven|eight))?|both|each|every)(?![^\W_])[^.;,\d]{0,44}$",
    re.IGNORECASE,
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_GENERIC = re.compile(
    r"(?<![^\W_])(?:usual\w*|convention\w*|generally|called|means?|define\w*|term|one|threshold|null|would|if|when|whether|could|can)(?![^\W_])",
    re.IGNORECASE,
)
_ASSERTS = re.compile(
    r"(?<![^\W_])(?:was|were|is|are|differ\w*|remain\w*|significantly)(?![^\W_])", re.IGNORECASE
)


_NEITHER = re.compile(
    r"(?<![^\W_])(?:neither|weder|ni)(?![^\W_])[^\n]*(?<![^\W_])(?:nor|noch|ni)(?![^\W_])[^\n]*$",
    re.IGNORECASE,
)


_FROM_NULL = re.compile(
    r"[^.;()\d]{0,24}?(?<![^\W_])(?:from|von|de|to)[ ](zero|null|one|eins|0|1)(?![\d.,]*\d)(?![^\W_])",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"(?<![^\W_])(?:(?P<out>exclud\w*|rules? out|ruled out|schließt)|(?P<in>includ\w*|contain\w*|cross\w*|straddl\w*|spans?|covers?|overlaps?|enthält|umfasst|inclut|contient))"
    r"[ ](?:the (?:value|null)[ ](?:value[ ])?(?:of[ ])?)?(?P<null>zero|0|1|one|null|zéro|no effect)(?![\d.,]*\d)(?![^\W_])",
    re.IGNORECASE,
)
_NO = re.compile(
    r"(?<![^\W_])(?:not|n['’]t|never|no longer|nicht|pas|without|neither|nor|does not|fails? to)(?![^\W_])[^.;,]{0,16}$",
    re.IGNORECASE,
)


def _alpha_in(text: str) -> float | None:
    m = _ALPHA.search(text)
    if m is None:
        return None
    raw = (m[1] or m[2]).replace(" ", "").replace(",", ".")
    value = float(raw.rstrip("%")) / (100 if raw.endswith("%") else 1)
    return value if 0 < value <= 0.2 else None


class _Words:
    def __init__(self, judge: Judge, reply: str) -> None:
        self.judge, self.reply, self.text = judge, reply, judge.text
        self.user_alpha = _alpha_in(judge.user_text)

    def spans(self) -> list[Span]:
        out = []
        for m in self._matches():
            denies = m["no"] is not None
            span = self._significance(m.start(), m.end(), denies)
            if span is not None:
                out.append(span)
        return out

    def _matches(self) -> Iterator[re.Match[str]]:
        """Only sentences that hold a trigger word are searched."""
        layout, done = self.judge.layout, -1
        for word in layout.words:
            if word.start >= done and word.text[:5].casefold() in _TRIGGERS:
                start, done = layout.sentence(word.start)
                if word.text[:5].casefold() in _WEAK_TRIGGERS and not _CHARGED.search(
                    self.text, max(start, word.start - 56), word.end
                ):
                    done = word.end
                    continue
                yield from _SIGNIFICANCE.finditer(self.text, start, done)

    def _significance(self, start: int, end: int, denies: bool) -> Span | None:
        judge, text = self.judge, self.text
        sentence = judge.layout.sentence(start)
        before = text[max(sentence[0], start - 30) : start]
        if (not denies and _NOT_VERDICT_BEFORE.search(before)) or _NOT_VERDICT_AFTER.match(
            text[end : end + 30]
        ):
            return None
        if text[sentence[0] : sentence[1]].rstrip().endswith("?"):
            return None
        denies = denies or _NEITHER.search(text, sentence[0], start) is not None
        if re.search(
            r"(?<![^\W_])(?:if|whether|would|unless)(?![^\W_])[^,;]*$",
            text[sentence[0] : start],
            re.IGNORECASE,
        ):
            return None
        if not judge.computed:
            whole = text[sentence[0] : sentence[1]]
            if (
                _GENERIC.search(whole)
                or not _ASSERTS.search(whole)
                or "signif" not in text[start:end].casefold()
            ):
                return None
            return self._span(start, end, Verdict.ORPHAN, True, "a verdict although nothing was computed", "")
        alpha = (
            _alpha_in(text[max(sentence[0], start - 20) : min(sentence[1], end + 60)])
            or self.user_alpha
            or 0.05
        )
        if (held := self._by_interval(start, end, sentence, denies)) is not None:
            return held
        pool = self._pvalues(start, end, sentence)
        if not pool:
            return None
        leaves = [judge.evidence.leaf(i) for i in pool]
        below = [x for x in leaves if x.value < alpha]
        every = not denies and len(leaves) > 1 and _EVERY.search(text[max(sentence[0], start - 60) : start])
        shown = ", ".join(f"{x.address} = {x.value:.3g}" for x in leaves[:3])
        wrong = len(below) == len(leaves) if denies else len(below) < (len(leaves) if every else 1)
        if wrong:
            return self._span(
                start, end, Verdict.WRONG_VERDICT, True, f"{shown} at alpha {alpha:g}", leaves[0].address
            )
        return self._span(
            start, end, Verdict.COMPUTED, False, f"{shown} at alpha {alpha:g}", leaves[0].address
        )

    def _by_interval(self, start: int, end: int, sentence: tuple[int, int], denies: bool) -> Span | None:
        """ "0.85 (0.65 to 1.05) differs significantly from 1": the interval beside it decides."""
        null = _FROM_NULL.match(self.text, end)
        if null is None:
            return None
        value = {"zero": 0.0, "null": 0.0, "one": 1.0, "eins": 1.0}.get(null[1].casefold())
        value = float(null[1]) if value is None else value
        found = self.judge.interval_in(*sentence)
        if found is None:
            return None
        low, high = found
        inside = low.value <= value <= high.value
        return self._span(
            start,
            end,
            Verdict.WRONG_VERDICT if inside != denies else Verdict.COMPUTED,
            inside != denies,
            f"{low.address} to {high.address} is {low.value:.4g} to {high.value:.4g}",
            low.address,
        )

    def holds(self) -> Iterator[Span]:
        """ "The interval excludes zero": judged by the interval printed beside it."""
        for m in _HOLDS.finditer(self.text):
            sentence = self.judge.layout.sentence(m.start())
            head = self.text[max(sentence[0], m.start() - 40) : m.start()]
            if re.search(r"(?<![^\W_])(?:if|whether|would|wenn|ob|si)(?![^\W_])", head, re.IGNORECASE):
                continue
            found = self.judge.interval_in(*sentence)
            if found is None:
                continue
            low, high = found
            value = 0.0 if m["null"].casefold() in {"0", "zero", "null", "zéro"} else 1.0
            if value == 1.0 and m["null"] != "1" and low.value > 5:
                continue
            denied = _NO.search(head) is not None
            says_in = (m["out"] is None) != denied
            inside = low.value <= value <= high.value
            yield self._span(
                m.start(),
                m.end(),
                Verdict.WRONG_VERDICT if says_in != inside else Verdict.COMPUTED,
                says_in != inside,
                f"{low.address} to {high.address} is {low.value:.4g} to {high.value:.4g}",
                low.address,
            )

    def _span(self, start: int, end: int, verdict: Verdict, flagged: bool, reason: str, source: str) -> Span:
        return Span(start, end, self.reply[start:end], str(verdict), flagged, reason, source)

    def _pvalues(self, start: int, end: int, sentence: tuple[int, int]) -> list[int]:
        """The p values a verdict word speaks of: printed beside it, of a figure beside it, of what is named, or the only one."""
        judge = self.judge
        claims = [c for c in judge.claims_in(*sentence) if c.token.kind == Kind.FIGURE]
        after = [c for c in claims if c.token.start >= end]
        before = [c for c in claims if c.token.end <= start]
        stop = next(
            (
                m.start()
                for m in re.finditer(
                    r";|(?<![^\W_])(?:but|whereas|while|though|although|however)(?![^\W_])",
                    self.text[end : sentence[1]],
                )
            ),
            None,
        )
        limit = sentence[1] if stop is None else end + stop
        named = self._named(start, end, sentence)
        behind = next((pool for c in after if c.token.start < limit and (pool := self._of_p_claim(c))), [])
        if len(named) == 1 and not (behind and self._same_breath(end, after)):
            return named
        if behind:
            return behind
        near = [
            c
            for c in after
            if c.token.start < limit
            and "(" in self.text[end : c.token.start]
            and c.token.start - end < 48
            and "," not in self.text[end : c.token.start]
        ]
        for c in near:
            if pool := self._of_figure(c):
                return pool
        if named:
            return named
        for c in reversed(before):
            if ";" in self.text[c.token.end : start]:
                break
            if pool := self._of_p_claim(c):
                return pool
        for c in [*after, *reversed(before)]:
            if c.token.start < limit and (pool := self._of_figure(c)):
                return pool
        every = judge.pvalues.every()
        said = _EVERY.search(self.text[max(sentence[0], start - 60) : start])
        counted = said is not None and len(every) == _COUNTS.get((said["n"] or "").strip().casefold(), -1)
        return every if len(every) == 1 or counted else []

    def _same_breath(self, end: int, after: list[Claim]) -> bool:
        """ "A and B did not differ at 2 mg, t = 0.05, p = .96": only statistics stand between the verdict and its p value."""
        p = next((c for c in after if c.label is not None and c.label.id == "p"), None)
        if p is None or p.token.start - end > 60:
            return False
        aside = {Verdict.STRUCTURAL, Verdict.CONVENTION, Verdict.USER}
        return all(
            c.in_df or c.strength or c.index == p.index or self.judge.outcomes[c.index].verdict in aside
            for c in after
            if c.token.start <= p.token.start
        )

    def _of_p_claim(self, claim: Claim) -> list[int]:
        if claim.label is None or claim.label.id != "p":
            return []
        outcome = self.judge.outcomes.get(claim.index)
        hits = [h.leaf.index for h in outcome.hits if h.leaf.role is R.P_VALUE] if outcome is not None else []
        if hits:
            return hits
        pool, _ = self.judge.pvalues.about(claim)
        return pool if len(pool) == 1 or claim.comparator else []

    def _of_figure(self, claim: Claim) -> list[int]:
        outcome = self.judge.outcomes.get(claim.index)
        if outcome is None or not outcome.hits or (claim.label is not None and claim.label.id in {"n", "df"}):
            return []
        sets = {tuple(self.judge.pvalues.of_leaf(h.leaf)) for h in outcome.hits}
        return list(sets.pop()) if len(sets) == 1 else []

    def _named(self, start: int, end: int, sentence: tuple[int, int]) -> list[int]:
        judge = self.judge
        probe = Claim(
            judge.index_at(start),
            Token(start, end, "", 0.0, "probe"),
            sentence,
            judge.layout.clause_start(start),
        )
        pool = []
        for i in judge.pvalues.every()[:400]:
            leaf = judge.evidence.leaf(i)
            if judge.scope.speaks_of(probe, leaf) and judge.scope.conflict(probe, leaf) is None:
                pool.append(i)
        return pool if len(pool) < len(judge.pvalues.every()) or len(pool) == 1 else []


def judge_words(judge: Judge, reply: str) -> list[Span]:
    """A span per verdict or direction word that the results confirm or contradict."""
    words = _Words(judge, reply)
    held = list(words.holds()) if judge.computed else findings(judge, reply)
    beyond = [*overshoot_spans(judge, reply), *equivalence_spans(judge, reply)]
    sizes, answers = magnitude_spans(judge, reply), list(answer_spans(judge, reply))
    return [
        *words.spans(),
        *held,
        *sizes,
        *answers,
        *beyond,
        *contest_spans(judge, reply),
        *judge_directions(judge, reply),
    ]
