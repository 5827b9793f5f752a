"""Numbers in words: counts, parts and multiples, judged against counts and shares of the results."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from statistikles.results.roles import Role, role_of_key

from .claims import STRONG, Claim
from .entities import name_words
from .evidence import Leaf
from .labelling import Fault
from .lexicon import symbol_of_key
from .matching import Hit, Outcome
from .report import Verdict
from .structure import CITATIONS, CONVENTIONS, STRUCTURE, first_match
from .tokens import Kind

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["judge_word"]

R = Role
_NO_AMOUNTS = frozenset({R.P_VALUE, R.DF, R.CONF_BOUND, R.CONF_LEVEL, R.ALPHA, R.SEED})
_MOST_KEYS = 5_000
_NAMED_ROLES = frozenset({R.MINIMUM, R.MAXIMUM, R.MEDIAN})
_SHARES = frozenset(
    {
        R.PROPORTION,
        R.PROBABILITY,
        R.PERCENT,
        R.RATIO,
        R.DETERMINATION,
        R.EFFECT_SIZE,
        R.VALUE,
        R.ESTIMATE,
        R.POWER,
        R.MEAN,
        R.WEIGHT,
    }
)
_OF_THE = re.compile(
    r"^[ ](?:of|out of|von|sur|des)[ ](?:the[ ]|these[ ]|those[ ]|its[ ]|our[ ]|all[ ]|den[ ]|les[ ])?",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?<![^\W_])(?:of|all|the|these|those|both|our|your)[ ](?:the[ ]|these[ ]|those[ ]|its[ ]|other[ ])?$",
    re.IGNORECASE,
)
_JUDGED = re.compile(
    r"^[^.;,\n\d(]{0,48}?\b(?:signific\w*|surviv\w*|exceed\w*|reach\w*|improv\w*|above|below|under|over|differ\w*|benefit\w*|pass\w*|fail\w*|cross\w*)",
    re.IGNORECASE,
)
# "All ten improved" says something of each of them that a count of ten does not show.
_ALL_DID = re.compile(
    r"^[ ](?:of them[ ])?(?:improv|benefit|respond|surviv|increas|decreas|declin|recover|gain|lost|rose|fell|differ|passed|failed|agree)\w*",
    re.IGNORECASE,
)
_CASE = re.compile(r"(?<![^\W_])(?:for|with|at|bei|mit|avec|pour)[ ]$", re.IGNORECASE)
_ONE_AMONG = re.compile(
    r"(?<![^\W_])(?:one|une?|eine[rs]?)(?:[ ][^\W\d_]+){1,3}[ ](?:in|out of|sur|von)[ ]$", re.IGNORECASE
)
_SIGNIFICANT = re.compile(r"signific|surviv|signifik|significati")
_OF_FREEDOM = re.compile(r"^[ ](?:df\b|degrees? of freedom)", re.IGNORECASE)
_ALL_BUT = re.compile(r"(?<![^\W_])all but[ ]$", re.IGNORECASE)
_PAREN = re.compile(r"\([^()]*\)")
_ITEMS = re.compile(r",[ ]*(?:and[ ]|und[ ]|et[ ])?|[ ](?:and|und|et|as well as|sowie)[ ]")
_FOR = re.compile(r"(?<![^\W_])(?:for|per|every|each)[ ]$", re.IGNORECASE)
_STEP = re.compile(
    r"[ ][^\W\d_]{1,12}[ ](?:more|extra|additional|further|higher|older|longer)(?![^\W_]|[ ]than)"
)
# What counts the cases in which something came out, without saying what.
_CAME_OUT = re.compile(r"(?:^|_)(?:positive|negative|success(?:es)?|hits|events|yes|wins|true|pos|neg)$")
_CHANCES = re.compile(
    r"(?<![^\W_])(?:probabilit\w+|chances?|risks?|likely|likelihood)(?![^\W_])", re.IGNORECASE
)
_ODDS = re.compile(r"(?<![^\W_])odds(?![^\W_])", re.IGNORECASE)
_TIMES = re.compile(r"^[- ](?:times|fold|x\b|mal\b|fois\b)", re.IGNORECASE)
_UNDER = re.compile(
    r"(?:fewer than|less than|under|just under|almost|nearly|below|not quite|barely|moins de|moins d['’]une?|knapp|fast|presque|short of)[ ](?:a[ ]|one[ ])?$",
    re.IGNORECASE,
)
_LESS = re.compile(r"(?:fewer|less) than[ ](?:a[ ]|one[ ])?$", re.IGNORECASE)
_OVER = re.compile(
    r"(?:more than|over|above|at least|just over|well over|upwards of|plus de|plus d['’]une?|plus du|über|mehr als|exceed\w*)[ ](?:a[ ]|one[ ])?$",
    re.IGNORECASE,
)


_CHANGE_BEFORE = re.compile(
    r"(?<![^\W_])(?:by|um|de)[ ](?:(?:about|around|roughly|nearly|almost|over|just|more than|less than|some|approximately|only|well)[ ])*(?:a[ ]|one[ ])?$",
    re.IGNORECASE,
)
_CHANGE_AFTER = re.compile(
    r"^[ ](?:as[ ])?(?:more|less|fewer|\w+er|reduction|increase|decrease|drop|rise|gain|cut|decline)(?![^\W_])(?![ ]of)",
    re.IGNORECASE,
)


# What makes a bare number word a statement about data although nothing was computed.
_STATES_BEFORE = re.compile(
    r"(?<![^\W_])(?:about|around|roughly|nearly|approximately|almost|averag\w*|came (?:out )?(?:at|to)|equals?|totals?|totalling|reached|some)[ ]$",
    re.IGNORECASE,
)
_IS_BEFORE = re.compile(r"(?<![^\W_])(?:is|was|are|were)[ ]$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"^[ ]*(?:[.,;:!)]|$)")
_DID = re.compile(
    r"^[ ](?:[a-z]+[ ]){1,3}?(?:was|were|had|did|died|fell|rose|grew|left|lost|won|got|went|came|took|saw|made|[a-z]{2,}ed)(?![^\W_])"
)
_SPEAKS_GENERALLY = re.compile(
    r"(?<![^\W_])(?:need\w*|should|would|could|can|may|must|at least|minimum|rules?|usual\w*|general\w*|recommend\w*|if|suppose|imagine|example|e\.g|typical\w*|whether|enough|or more|want|let|please|send|give|per)(?![^\W_])",
    re.IGNORECASE,
)


def _states(judge: Judge, claim: Claim) -> bool:
    """Whether a number word of a turn without computation says something about data, and not about methods."""
    token, text = claim.token, judge.text
    if (claim.label is not None and claim.strength == STRONG) or token.signed:
        return True
    if _SPEAKS_GENERALLY.search(text[claim.sentence[0] : claim.sentence[1]]):
        return False
    before, after = (
        text[max(claim.sentence[0], token.start - 24) : token.start],
        text[token.end : token.end + 60],
    )
    if token.value >= 13 or _STATES_BEFORE.search(before):
        return True
    if _IS_BEFORE.search(before) and _SENTENCE_END.match(after):
        return True
    return token.value >= 3 and _DID.match(after) is not None


def judge_word(judge: Judge, claim: Claim) -> Outcome:
    """The verdict on a number in words or a fraction."""
    if claim.token.kind == Kind.WORD:
        return _cardinal(judge, claim)
    return _part(judge, claim)


def _outcome(verdict: Verdict, reason: str, source: str = "", hits: list[Hit] | None = None) -> Outcome:
    return Outcome(verdict, reason, source, hits)


def _other_sources(judge: Judge, claim: Claim, *, counted: bool = False) -> Outcome | None:
    token = claim.token
    if counted:
        done = judge.deriver.count(claim)
        return _outcome(Verdict.DERIVED, done[0], done[1]) if done is not None else None
    for rules in (CITATIONS, CONVENTIONS, STRUCTURE):
        rule = first_match(rules, token, judge.text, claim.sentence, weak=True)
        if rule is not None:
            return _outcome(rule.verdict, rule.reason)
    if token.kind != Kind.MULTIPLE and judge.user_match(token) and not judge.affirmed(claim):
        return _outcome(Verdict.USER, "typed by the user", "user")
    done = judge.deriver.figure(claim)
    if done is not None:
        return _outcome(Verdict.DERIVED, done[0], done[1])
    return None


def _one_among(judge: Judge, claim: Claim) -> Outcome | None:
    """ "One voter in seven": a share of the results close to one in so many."""
    token = claim.token
    lead = judge.text[max(claim.sentence[0], token.start - 30) : token.start]
    if token.value < 2 or not _ONE_AMONG.search(lead):
        return None
    share = 100 / token.value
    quantile = re.compile(rf"[a-z]_?(?:{share:.0f}|{100 - share:.0f})(?!\d)", re.IGNORECASE)
    if any(quantile.match(key) for key in list(judge.evidence.leaf_names)[:_MOST_KEYS]):
        return _outcome(Verdict.STRUCTURAL, "names a quantile of the results")
    for scale in (1.0, 100.0):
        for index in judge.evidence.between(scale * 0.92 / token.value, scale * 1.08 / token.value):
            leaf = judge.evidence.leaf(index)
            if (
                (leaf.role in _SHARES or R.PROPORTION in map(role_of_key, map(str, leaf.path)))
                and (scale == 1.0 or leaf.role is R.PERCENT)
                and judge.matcher.fault(claim, Hit(leaf, "same")) is None
            ):
                return _outcome(
                    Verdict.COMPUTED,
                    f"{leaf.address} is {leaf.value:.4g}",
                    leaf.address,
                    [Hit(leaf, "same")],
                )
    return None


def _all_but(judge: Judge, claim: Claim) -> Outcome | None:
    """ "All but one of the 15": the other 14 must be a count of the results."""
    token, text = claim.token, judge.text
    if not _ALL_BUT.search(text, max(0, token.start - 10), token.start) or not judge.computed:
        return None
    total = next(
        (
            c.token.value
            for c in judge.claims[claim.index + 1 : claim.index + 2]
            if _OF_THE.fullmatch(text[token.end : c.token.start])
        ),
        None,
    )
    if total is None:
        return None
    for index in judge.evidence.between(total - token.value, total - token.value, 12):
        leaf = judge.evidence.leaf(index)
        if leaf.role in {R.COUNT, R.VALUE}:
            return _outcome(Verdict.DERIVED, f"{total:g} less {leaf.address}", leaf.address)
    for index in judge.evidence.between(token.value, token.value, 12):
        leaf = judge.evidence.leaf(index)
        if leaf.role in {R.COUNT, R.VALUE} and judge.matcher.labelling.key_said(claim, leaf):
            return _outcome(Verdict.DERIVED, f"{leaf.address} of {total:g}", leaf.address)
    done = judge.deriver.count(claim)
    if done is not None:
        return _outcome(Verdict.DERIVED, done[0], done[1])
    return _outcome(Verdict.ORPHAN, f"no result counts the other {total - token.value:g}")


def _announces(judge: Judge, claim: Claim) -> bool:
    """ "Three predictors stand out: A (2.1), B and C": as many things follow the colon as the word says."""
    end = claim.sentence[1]
    colon = judge.text.find(":", claim.token.end, min(end, claim.token.end + 70))
    if colon < 0 or any(ch.isdigit() for ch in judge.text[claim.token.end : colon]):
        return False
    listed = judge.text[colon + 1 : end].split(";")[0].rstrip(" .!\n")
    while (plain := _PAREN.sub("", listed)) != listed:
        listed = plain
    return len([x for x in _ITEMS.split(listed) if x.strip()]) == claim.token.value > 1


def _special_count(judge: Judge, claim: Claim) -> Outcome | None:
    """What a number word says by the words around it: a share, the rest, a list, a step, a case."""
    token, text = claim.token, judge.text
    if (share := _one_among(judge, claim)) is not None:
        return share
    if (rest := _all_but(judge, claim)) is not None:
        return rest
    if judge.computed and _announces(judge, claim):
        return _outcome(Verdict.STRUCTURAL, "counts the things listed behind it")
    if _STEP.match(text, token.end) and _FOR.search(text, max(0, token.start - 8), token.start):
        return _outcome(Verdict.STRUCTURAL, "a step asked about")
    if f"{token.value:.0f}" in judge.names.digit_keys and (
        token.value > 2 or _CASE.search(text[max(0, token.start - 8) : token.start])
    ):
        return _outcome(Verdict.STRUCTURAL, "a case named in the results")
    return None


def _cardinal(judge: Judge, claim: Claim) -> Outcome:
    token, text = claim.token, judge.text
    if (special := _special_count(judge, claim)) is not None:
        return special
    right = text[token.end : token.end + 90].split("\n", 1)[0]
    total = _TOTAL.search(text[max(0, token.start - 18) : token.start])
    everyone = (
        total is not None and total.group().casefold().startswith("all") and _ALL_DID.match(right) is not None
    )
    counted = everyone or (not total and (_OF_THE.match(right) or _JUDGED.match(right)))
    named = counted and _SIGNIFICANT.search(right)
    if not _TIMES.match(right):
        for hit in judge.matcher.hits(claim):
            if (
                hit.form == "same"
                and hit.leaf.value == token.value
                and (
                    hit.leaf.role in {R.COUNT, R.VALUE, R.MINIMUM, R.MAXIMUM, R.MEDIAN, R.TIME}
                    or (hit.leaf.role is R.DF and _OF_FREEDOM.match(right))
                )
            ):
                if counted and not (
                    judge.scope.named_in_sentence(claim, hit.leaf)
                    or _part_of_whole(judge, claim, hit)
                    or (named and "signif" in hit.leaf.key.casefold())
                    or _key_tail_said(judge, claim, hit)
                    or _CAME_OUT.search(hit.leaf.key.casefold())
                ):
                    continue
                if hit.leaf.role in _NAMED_ROLES and not judge.matcher.labelling.key_said(claim, hit.leaf):
                    continue  # nobody speaks of a maximum
                if judge.matcher.fault(claim, hit) is None:
                    return _outcome(
                        Verdict.COMPUTED, f"{hit.leaf.address} is {hit.leaf.value:g}", hit.leaf.address, [hit]
                    )
        if not counted and (node := container_of(judge, int(token.value))) is not None:
            address = judge.evidence.address(judge.evidence.path_of_node(node))
            return _outcome(Verdict.COMPUTED, f"{address} holds {token.text}", address)
    if _TIMES.match(right):
        for index in judge.evidence.between(0.92 * token.value, 1.08 * token.value):
            leaf = judge.evidence.leaf(index)
            if leaf.role is R.RATIO and judge.matcher.fault(claim, Hit(leaf, "same")) is None:
                return _outcome(
                    Verdict.COMPUTED, f"{leaf.address} is {leaf.value:.4g}", leaf.address, [Hit(leaf, "same")]
                )
    if (other := _other_sources(judge, claim, counted=bool(counted))) is not None:
        return other
    if not counted and (case := judge.naming.case(claim)) is not None:
        return case
    if not judge.computed and not counted and not _TIMES.match(right) and not _states(judge, claim):
        return _outcome(Verdict.STRUCTURAL, "a number word that states no result")
    return _outcome(
        Verdict.ORPHAN,
        "no result counts this" if judge.computed else "nothing was computed that could back it",
    )


def _key_tail_said(judge: Judge, claim: Claim, hit: Hit) -> bool:
    """ "Two years stick out" for n_out: the sentence says what the key counts."""
    if hit.leaf.role is not R.COUNT:
        return False
    words = [w for w in name_words(hit.leaf.key) if len(w) >= 3]
    near = {
        w.stem
        for w in judge.layout.words_between(claim.token.end, min(claim.sentence[1], claim.token.end + 60))
    }
    return any(w in near for w in words)


def _part_of_whole(judge: Judge, claim: Claim, hit: Hit) -> bool:
    """ "Three of the 18": two counts of one object, with nothing else claimed of the three."""
    if hit.leaf.role is not R.COUNT or claim.index + 1 >= len(judge.claims):
        return False
    whole = judge.claims[claim.index + 1].token
    between = judge.text[claim.token.end : whole.start]
    if not _OF_THE.fullmatch(between) or _JUDGED.match(judge.text[whole.end : whole.end + 60]):
        return False
    counts = judge.names.children(hit.leaf.node).values()
    return any(kind == "leaf" and judge.evidence.values[i] == whole.value for kind, i in counts)


def container_of(judge: Judge, size: int) -> int | None:
    """A container of the results with this many named members, or the list of results itself."""
    if not 2 <= size <= 60:
        return None
    ev = judge.evidence
    if (node := judge.names.sizes.get(size)) is not None:
        return node
    roots = sum(1 for p in ev.node_parent[:2_000] if p < 0)
    return 0 if roots == size else None


def _one_in(judge: Judge, claim: Claim) -> Outcome | None:
    """ "1 in 21" for a p value beside it or a share of the results."""
    token = claim.token
    lead = judge.text[claim.sentence[0] : claim.sentence[1]]
    if not re.search(
        r"chance|luck|probab|random|(?<![^\W_])p[ ]?[=<(]|extreme|result|turn up|would (?:be seen|arise|happen|occur|show)|if there were no|no (?:edge|effect|difference|advantage)",
        lead,
    ):
        return None
    e = max(0.06 * token.value, token.value - 1 / (1 / token.value + 0.5))
    for index in judge.evidence.between(token.value - e, token.value + e):
        leaf = judge.evidence.leaf(index)
        if leaf.role is R.P_VALUE and judge.matcher.fault(claim, Hit(leaf, "same")) is None:
            return _outcome(
                Verdict.COMPUTED, f"{leaf.address} is {leaf.value:.3g}", leaf.address, [Hit(leaf, "same")]
            )
    return None


def _ratio_of_cases(judge: Judge, value: float) -> bool:
    """ "An eightfold dose" of results that list doses 25 to 200 by name."""
    cases = [float(name) for name in judge.names.words_of if name.isdigit() and len(name) < 7][:40]
    return any(b and abs(a / b - value) < 1e-9 for a in cases for b in cases)


def _printed_beside(judge: Judge, claim: Claim, leaf: Leaf) -> bool:
    """ "A quarter of it (x = .26)": the share in figures stands beside the one in words."""
    return any(
        any(h.leaf.index == leaf.index for h in judge.matcher.hits(c))
        for c in judge.claims[max(0, claim.index - 2) : claim.index + 3]
        if c.index != claim.index and c.sentence == claim.sentence and c.token.kind == Kind.FIGURE
    )


def _named_so(judge: Judge, said: str) -> str:
    """ "Doubling time" for `doubling_time_h`, "quarter" for `quarters`: a name of the results with this word."""
    word = said.casefold().split()[-1]
    head = word[:5]
    if len(head) < 5:
        return ""
    known = judge.names.by_word
    return next((known[w][0] for w in known if w.startswith(head) or (len(w) > 4 and word.startswith(w))), "")


def _ratio_printed(judge: Judge, claim: Claim, lead: str) -> Outcome | None:
    """ "Less than half of the other's 8.07": the ratio of two computed figures printed in the sentence."""
    value = claim.token.value
    low, high = 0.92 * value, 1.08 * value
    if _UNDER.search(lead):
        low, high = (0.6 if _LESS.search(lead) else 0.88) * value, value
    elif _OVER.search(lead):
        low, high = value, 1.5 * value
    figures = [
        (c, hits[0])
        for c in judge.claims_in(*claim.sentence)[:12]
        if c.token.kind == Kind.FIGURE
        and c.label_at != claim.token.start
        and not c.interval
        and (hits := [h for h in judge.matcher.hits(c) if h.leaf.role not in _NO_AMOUNTS])
    ]
    for a, first in figures:
        for b, second in figures:
            if a is b or not second.leaf.value or first.leaf.key != second.leaf.key:
                continue
            if low <= abs(first.leaf.value / second.leaf.value) <= high:
                return _outcome(
                    Verdict.DERIVED, f"{first.leaf.address} over {second.leaf.address}", first.leaf.address
                )
    return None


def _may_be_part(judge: Judge, claim: Claim, leaf: Leaf, factor: float) -> bool:
    """Whether a number is a share or ratio that the words may stand for."""
    percent = leaf.role is R.PERCENT or leaf.key.casefold().endswith(("pct", "percent"))
    if leaf.role not in _SHARES or (factor == 100.0) != percent:
        return False
    if leaf.role not in {R.MEAN, R.VALUE}:
        return True
    return leaf.value != round(leaf.value) and (
        judge.matcher.labelling.key_said(claim, leaf)
        or judge.scope.speaks_of(claim, leaf)
        or _printed_beside(judge, claim, leaf)
    )


def _part_fault(judge: Judge, claim: Claim, leaf: Leaf) -> Fault | None:
    token, text = claim.token, judge.text
    start = max(claim.sentence[0], token.start - 60)
    if (
        token.kind == Kind.MULTIPLE
        and symbol_of_key(leaf.key) == "or"
        and not _ODDS.search(text, start, token.end + 12)
        and _CHANCES.search(text, start, token.end + 30)
    ):
        return Fault(Verdict.MISLABELLED, f"{leaf.address} is a ratio of odds, not of probabilities", leaf)
    return judge.matcher.fault(claim, Hit(leaf, "same"))


def _part(judge: Judge, claim: Claim) -> Outcome:
    token, text = claim.token, judge.text
    lead = text[max(claim.sentence[0], token.start - 24) : token.start]
    slack = max(0.08 * token.value, min(0.02, 0.1 * token.value) if claim.hedged else 0.0)
    low, high = token.value - slack, token.value + slack
    if _UNDER.search(lead):
        low, high = 0.85 * token.value, token.value
    elif _OVER.search(lead):
        low, high = token.value, 1.2 * token.value
    if (
        claim.comparator == "<"
        and judge.pvalues.every()
        and re.search(r"chance|luck|probab|random", text[claim.sentence[0] : token.start])
    ):
        found = judge.pvalues.inequality(claim)
        if found is not None:
            return found
    if token.text[:1].isdigit() or " in " in token.text:
        found = _one_in(judge, claim)
        if found is not None:
            return found
    fault: Fault | None = None
    change = _CHANGE_BEFORE.search(lead) or _CHANGE_AFTER.match(text[token.end : token.end + 30])
    for factor in () if change else (1.0, 100.0):
        for index in judge.evidence.between(low * factor, high * factor):
            leaf = judge.evidence.leaf(index)
            if not _may_be_part(judge, claim, leaf, factor):
                continue
            wrong = _part_fault(judge, claim, leaf)
            if wrong is None:
                hit = Hit(leaf, "same")
                return _outcome(Verdict.COMPUTED, f"{leaf.address} is {leaf.value:.4g}", leaf.address, [hit])
            fault = fault or wrong
    if (other := _other_sources(judge, claim)) is not None:
        return other
    if token.kind == Kind.MULTIPLE and token.value >= 4 and _ratio_of_cases(judge, token.value):
        return _outcome(Verdict.STRUCTURAL, "the ratio of two cases named in the results")
    if fault is not None:
        return _outcome(fault.verdict, fault.reason)
    if judge.computed and (name := _named_so(judge, token.text)):
        return _outcome(Verdict.STRUCTURAL, "a word of a name in the results", name)
    if (done := _ratio_printed(judge, claim, lead)) is not None:
        return done
    reason = (
        "no share or ratio of the results is near it"
        if judge.computed
        else "nothing was computed that could back it"
    )
    return _outcome(Verdict.ORPHAN, reason)
