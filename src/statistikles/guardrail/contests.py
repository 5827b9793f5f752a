"""Which of several models or methods does better: every measure of quality with its contestants, and claims of who wins."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .entities import name_words
from .evidence import Leaf
from .layout import Word
from .report import Span, Verdict

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["contest_spans"]

# What a key says that judges quality, and whether less of it is better.
_MEASURES = {
    "aic": True, "aicc": True, "bic": True, "dic": True, "waic": True, "hqic": True, "rmse": True, "mae": True,
    "mape": True, "smape": True, "mase": True, "mse": True, "msep": True, "rmsep": True, "brier": True, "logloss": True,
    "loss": True, "error": True, "errors": True, "deviance": True, "accuracy": False, "acc": False, "auc": False,
    "auroc": False, "f1": False, "r2": False, "loglik": False, "llf": False, "elpd": False, "silhouette": False,
    "concordance": False, "cindex": False,
}  # fmt: skip
_SAID = re.compile(
    r"(?<![^\W_])(?:AICc?|BIC|DIC|WAIC|HQIC|S?MAPE|MASE|R?MSEP?|MAE|Brier|log-?loss|deviance|accuracy|AU(?:RO)?C|F1|R²|R2|R\^2|ELPD|silhouette|concordance|loss|errors?)(?![^\W_])",
    re.IGNORECASE,
)
_MOST = 60
_WRITTEN = re.compile(r"^\w[^\n]*[(][\d, ]+[)]")  # a name that only its spelling tells apart: ARIMA(1,0,1)
_KEY_WORD = re.compile(r"[a-z]+\d?|\d+")
_PREFERRED = re.compile(
    r"(?<![^\W_])(?:"
    r"(?P<good>(?:fits?|fitted|predicts?|predicted|does|did|performs?|performed|works?|worked|generali[sz]es?|is|was|comes? out|came out)[ ](?:\w+[ ]){0,2}?(?:better|best|ahead|superior|preferable|preferred|favou?red|on top|the winner)"
    r"|better fit|wins?|won|beats?|outperforms?|outperformed|is to be preferred|is chosen|is selected|was chosen|was selected|preferred model|better model|winner|best[ -]fitting|(?:the|by far the) best(?: model| fit)?"
    r"|l['’]emporte|passt besser|schneidet besser ab|gewinnt|est (?:préférable|préféré|meilleure?))"
    r"|(?P<bad>(?:fits?|fitted|predicts?|predicted|does|did|performs?|performed|is|was|comes? out|came out)[ ](?:\w+[ ]){0,2}?(?:worse|worst|inferior)|loses|lost|passt schlechter)"
    r")(?![^\W_])",
    re.IGNORECASE,
)
_HAS_LESS = re.compile(
    r"(?<![^\W_])(?:has|had|have|shows?|showed|gives?|gave|with|reach(?:es|ed)?|achieve[sd]?)[ ](?:the|an?)[ ](?:(?P<low>lower|lowest|smaller|smallest)|(?P<high>higher|highest|larger|largest))[ ](?:[^\W\d_]+[ -]){0,2}?(?P<what>[^\W_]+\d?²?)(?![^\W_])",
    re.IGNORECASE,
)
_ANSWER = re.compile(r"[*`_\"' ]*(?:the )?(?P<name>[^().;:\n\d,]{2,40}?)(?:[ ]model)?[*`_]*[ ]?[(,:][ ]?")
_DENIED = re.compile(
    r"(?<![^\W_])(?:not|no|n['’]t|never|neither|nor|nicht|pas|kein\w*|whether|if|would|hardly|which|could|might|may|than)(?![^\W_])[^.;,]{0,24}$",
    re.IGNORECASE,
)
_IS = re.compile(
    r"(?:[ ](?:fit|model|one|choice|method|of all|overall|here)){0,2}(?:[ ](?:is|was|belongs to|goes to|comes from|ist|war|est|était)|:|[ ]is:)[ ]?(?:the |that of the |le |la |der |die |das )?[*`_\"']*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One contestant of a measure: its number, the words of its name, and the name as the result writes it."""

    leaf: Leaf
    words: frozenset[str]
    label: str


@dataclass(frozen=True, slots=True)
class _Contest:
    """The same measure of several contestants."""

    measure: str
    less_is_better: bool
    entries: tuple[_Entry, ...]

    def leads(self, entry: _Entry, rivals: tuple[_Entry, ...], good: bool) -> bool:
        """Whether an entry is the best (or, for a loser, the worst) of these."""
        values = [e.leaf.value for e in (*rivals, entry)]
        return entry.leaf.value == (min(values) if self.less_is_better == good else max(values))


def _measure_of(key: str) -> str | None:
    pieces = _KEY_WORD.findall(key.casefold())
    found = [p for p in pieces if p in _MEASURES]
    if "r" in pieces and ("squared" in pieces or "2" in pieces or "sq" in pieces):
        found.append("r2")
    if {"std", "standard", "se", "ci", "low", "high", "p", "df", "delta", "diff"} & set(pieces):
        return None
    return found[0] if len(found) == 1 else None


def _contests(judge: Judge) -> Iterator[_Contest]:
    """Every measure of quality that at least two contestants have."""
    groups: dict[str, list[Leaf]] = {}
    evidence = judge.evidence
    for key, indices in list(evidence.leaf_names.items())[:4_000]:
        measure = _measure_of(key)
        if measure is not None and len(indices) <= _MOST:
            groups.setdefault(measure, []).extend(evidence.leaf(i) for i in indices)
    flat: dict[int, tuple[str, list[Leaf]]] = {}
    for indices in list(evidence.leaf_names.values())[:400]:
        for i in indices[:_MOST]:
            leaf = evidence.leaf(i)
            # {"aic": {"linear": 57.1, "quadratic": 16.5}}: the measure is the name of the table
            outer = next((p for p in reversed(leaf.path[:-1]) if isinstance(p, str)), "")
            if outer and _measure_of(leaf.key) is None and (measure := _measure_of(outer)) is not None:
                flat.setdefault(leaf.node, (measure, []))[1].append(leaf)
    for measure, leaves in [*groups.items(), *flat.values()]:
        if not 2 <= len(leaves) <= _MOST:
            continue
        named = [_identity(leaf, measure) for leaf in leaves]
        common = frozenset.intersection(*named)
        parts = [[str(p) for p in leaf.path[1:]] for leaf in leaves]
        shared = set(parts[0]).intersection(*parts)
        entries = tuple(
            _Entry(leaf, words - common, next((p for p in reversed(own) if p not in shared), ""))
            for leaf, words, own in zip(leaves, named, parts, strict=True)
        )
        if sum(1 for e in entries if e.words or _WRITTEN.search(e.label)) >= len(entries) - 1:
            yield _Contest(measure, _MEASURES[measure], entries)


def _identity(leaf: Leaf, measure: str) -> frozenset[str]:
    words = {w for part in leaf.path[1:] if isinstance(part, str) for w in name_words(part)}
    row = [str(part) for part in leaf.path[1:] if isinstance(part, int)]
    return frozenset((words - {measure}) | {f"#{r}" for r in row})


class _Winners:
    """Judges the claims of one reply."""

    def __init__(self, judge: Judge, reply: str) -> None:
        self.judge, self.reply, self.text = judge, reply, judge.text
        self.contests = list(_contests(judge))

    def spans(self) -> Iterator[Span]:
        layout = self.judge.layout
        for m in _PREFERRED.finditer(self.text) if self.contests else ():
            start, end = layout.sentence(m.start())
            if self.text[start:end].rstrip().endswith("?") or _DENIED.search(
                self.text, max(start, m.start() - 32), m.start()
            ):
                continue
            yield from self._claimed(m.start(), m.end(), (start, end), m["good"] is not None)
        for has in _HAS_LESS.finditer(self.text) if self.contests else ():
            measure = has["what"].casefold().replace("²", "2")
            sentence = layout.sentence(has.start())
            if measure in _MEASURES and not self.text[sentence[0] : sentence[1]].rstrip().endswith("?"):
                good = (has["low"] is not None) == _MEASURES[measure]
                yield from self._claimed(has.start(), has.end(), sentence, good)
        for start in layout.breaks if self.contests else ():
            answer = _ANSWER.match(self.text, start)
            if answer is not None:
                yield from self._answered(answer, layout.sentence(start))

    def _claimed(self, start: int, end: int, sentence: tuple[int, int], good: bool) -> Iterator[Span]:
        """ "A fits better (AIC 3 vs 4)", "the best is A": A must lead in what the sentence measures by."""
        before = self.judge.layout.words_between(max(sentence[0], start - 50), start)
        behind = self.judge.layout.words_between(end, min(sentence[1], end + 50))
        checked: list[tuple[_Contest, _Entry, bool, tuple[int, int]]] = []
        for contest in self._measured(sentence):
            subject = self._last_named(contest, before)
            rival = self._first_named(contest, behind)
            if subject is None and rival is not None and _IS.fullmatch(self.text, end, rival[1][0]):
                subject, rival = rival, None
            if subject is None:
                continue
            entry, place = subject
            pool = self._rivals(contest, entry, rival, sentence)
            if pool:
                checked.append((contest, entry, contest.leads(entry, pool, good), place))
        yield from self._verdict(start, end, checked)

    def _answered(self, m: re.Match[str], sentence: tuple[int, int]) -> Iterator[Span]:
        """ "Gamma (AIC 11,778 vs 11,665 for the other)": a name at the head with two figures of one measure is the answer."""
        head = self.judge.layout.words_between(m.start("name"), m.end("name"))
        if len(head) > 3 or _PREFERRED.search(self.text, *sentence):
            return
        checked = []
        for contest in self._measured(sentence):
            printed = self._printed(contest, sentence)
            subject = self._last_named(contest, head)
            if subject is None or len(printed) != 2:
                continue
            entry, place = subject
            pool = tuple(e for e in printed if e is not entry)
            if len(pool) == 1:
                checked.append((contest, entry, contest.leads(entry, pool, True), place))
        yield from self._verdict(m.start("name"), m.end("name"), checked)

    def _measured(self, sentence: tuple[int, int]) -> list[_Contest]:
        """The contests whose measure the sentence names; all of them when it names none."""
        pieces = set(_KEY_WORD.findall(self.text[sentence[0] : sentence[1]].casefold().replace("²", "2")))
        said = [c for c in self.contests if c.measure in pieces]
        return said or [c for c in self.contests if self._printed(c, sentence)] or self.contests

    def _printed(self, contest: _Contest, sentence: tuple[int, int]) -> tuple[_Entry, ...]:
        shown = {
            h.leaf.index
            for c in self.judge.claims_in(*sentence)[:24]
            if (outcome := self.judge.outcomes.get(c.index)) is not None
            for h in (outcome.hits or ())
        } | {
            outcome.leaf.index
            for c in self.judge.claims_in(*sentence)[:24]
            if (outcome := self.judge.outcomes.get(c.index)) is not None and outcome.leaf is not None
        }
        return tuple(e for e in contest.entries if e.leaf.index in shown)

    def _rivals(
        self,
        contest: _Contest,
        entry: _Entry,
        rival: tuple[_Entry, tuple[int, int]] | None,
        sentence: tuple[int, int],
    ) -> tuple[_Entry, ...]:
        """Whom the winner is said to beat: the one named, those whose numbers are printed, or all."""
        if rival is not None and rival[0] is not entry:
            return (rival[0],)
        printed = tuple(e for e in self._printed(contest, sentence) if e is not entry)
        return printed or tuple(e for e in contest.entries if e is not entry)

    def _last_named(self, contest: _Contest, words: list[Word]) -> tuple[_Entry, tuple[int, int]] | None:
        return self._named(contest, words, last=True)

    def _first_named(self, contest: _Contest, words: list[Word]) -> tuple[_Entry, tuple[int, int]] | None:
        return self._named(contest, words, last=False)

    def _named(
        self, contest: _Contest, words: list[Word], *, last: bool
    ) -> tuple[_Entry, tuple[int, int]] | None:
        """The contestant that a run of words names, when exactly one is named at its place."""
        best: list[tuple[int, int, _Entry, tuple[int, int]]] = []
        stems = [w.stem for w in words]
        for entry in contest.entries:
            if _WRITTEN.search(entry.label) and words:
                found = self.text.find(entry.label, words[0].start, words[-1].end + 1)
                if found >= 0:
                    place = (found, found + len(entry.label))
                    best.append((99, found if last else -found, entry, place))
                continue
            wanted = [s for s in entry.words if not s.startswith("#")]
            at = [k for k, s in enumerate(stems) if s in wanted]
            if wanted and {stems[k] for k in at} == set(wanted) and at[-1] - at[0] <= len(wanted) + 1:
                best.append(
                    (len(wanted), at[-1] if last else -at[0], entry, (words[at[0]].start, words[at[-1]].end))
                )
        if not best:
            return None
        best.sort(key=lambda b: (b[1], b[0]), reverse=True)
        if len(best) > 1 and best[0][:2] == best[1][:2]:
            return None
        return best[0][2], best[0][3]

    def _verdict(
        self, start: int, end: int, checked: list[tuple[_Contest, _Entry, bool, tuple[int, int]]]
    ) -> Iterator[Span]:
        if not checked:
            return
        wrong = not any(leads for _, _, leads, _ in checked)
        contest, entry, _, place = next((c for c in checked if c[2]), checked[0])
        better = "less" if contest.less_is_better else "more"
        reason = f"{entry.leaf.address} is {entry.leaf.value:.6g}; {better} is better"
        verdict = Verdict.WRONG_DIRECTION if wrong else Verdict.COMPUTED
        places = {(start, end), place} if wrong else {(start, end)}
        for a, b in sorted(places):
            yield Span(a, b, self.reply[a:b], str(verdict), wrong, reason, entry.leaf.address)


def contest_spans(judge: Judge, reply: str) -> list[Span]:
    """A span per claim that one model or method does better than others."""
    if not judge.computed or not (_PREFERRED.search(judge.text) or _SAID.search(judge.text)):
        return []  # nothing is said of quality: no table of contestants is made
    return list(_Winners(judge, reply).spans())
