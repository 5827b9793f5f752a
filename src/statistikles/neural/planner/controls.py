"""What a question holds constant or stratifies by: 'controlling for', 'when X is held constant', 'across genders'."""

from __future__ import annotations

import re
from collections.abc import Sequence

from statistikles.neural.planner.columns import Mention, Question

__all__ = ["CUES", "held_constant", "stratifying"]

# (id, pattern, side): on which side of the cue the controlled variable stands.
CUES: tuple[tuple[str, str, str], ...] = (
    (
        "controlling",
        r"\b(controll?(ing|ed)?|adjust(ing|ed|ment)?|correct(ing|ed)?|account(ing|ed)?|allow(ing|ed)?)\s+for\b",
        "after",
    ),
    (
        "taking-into-account",
        (
            r"\b(tak(ing|en|e) (into account|account of|into consideration)|consider(ing|ed)|factor(ing|ed)? (in|out)|"
            r"partial(l?ing)? out|isolating|net of|regardless of|independently of|"
            r"removing( the)? (effect|influence)s? of|given)\b"
        ),
        "after",
    ),
    (
        "into-account",
        r"\b(is|are|being|when|while)?\s*(taken|considered) (into account|into consideration|as an? \w+)\b",
        "before",
    ),
    ("taking", r"\b(tak(ing|en|e)|bring(ing)?)\b(?=[^.?!]{1,60}\binto (account|consideration)\b)", "after"),
    (
        "controlled",
        (
            r"\b(is|are|was|were|being|been|when|while)\s+(statistically )?(controlled|adjusted|accounted|corrected|"
            r"allowed) for\b"
        ),
        "before",
    ),
    ("considered", r"\b(is|are|being) (considered|included|factored in)\b(?! (as|for|to)\b)", "before"),
    ("holding", r"\bhold(ing)?\b(?=.*\b(constant|fixed)\b)", "after"),
    (
        "held",
        r"\b(is|are|was|were|being|remains?|kept|when)?\s*(held|kept|remain(s|ing)?) (constant|fixed|steady)\b",
        "before",
    ),
    (
        "influenced-by",
        (
            r"\b((influenced|modified|moderated|altered|affected|changed|shaped|mediated) by|change[sd]? (when|with|by)|"
            r"conditional on|conditioned on|in the context of|within the context of)\b"
        ),
        "after",
    ),
    (
        "modifying",
        (
            r"\b(modify|modifies|moderates?|alters?|changes?|modifying|affects?|influences?|plays? (a|any) role in)\b"
            r"(?=.{0,40}\b(relation\w*|association|correlation|link\w*|connection|impact|influence|effect)\b)"
        ),
        "before",
    ),
    (
        "depends-on",
        (
            r"\b(relation\w*|association|correlation|link|connection|effect|impact|influence)\b.{0,120}?"
            r"\b(depend\w*|differ\w*|vary|varies|contingent)\s+(up)?(on|by|with|according to|based on)\b"
        ),
        "after",
    ),
    (
        "different-categories",
        r"\b(different|various|distinct|all|each|both|varying) (categor\w+|levels?|groups?|types?|values?|segments?) of\b",
        "after",
    ),
    (
        "stratified",
        (
            r"\b(stratif\w+|strata|stratum|segment(ed|ing)?|broken down|grouped|split)\s+(by|on|based on|according to|using|"
            r"across|for)\b"
        ),
        "after",
    ),
    ("stratification", r"\b(as (a|the) )?(stratif\w+)( (factor|variable))?\b", "before"),
    (
        "across",
        (
            r"\b(across|among|amongst|within|between|over|for|by|in)( the| all| various| different| differing| each| "
            r"distinct| varying| levels? of| categor\w+ of| types? of| groups? of| segments? of| of| both)+\b"
        ),
        "after",
    ),
    ("across-plain", r"\b(across|within)\b", "after"),
    ("in-terms-of", r"\bin terms of\b", "none"),
)
_CONTROL = (
    "controlling",
    "taking-into-account",
    "into-account",
    "taking",
    "controlled",
    "considered",
    "holding",
    "held",
    "influenced-by",
    "modifying",
    "depends-on",
)


def held_constant(question: Question, mentions: Sequence[Mention], *, least_left: int = 2) -> list[Mention]:
    """The mentions that a control phrase governs, when enough others remain."""
    for cue, pattern, side in CUES:
        if cue not in _CONTROL:
            continue
        governed = _governed(question, mentions, pattern, side, all_of_list=True)
        if governed and len([m for m in mentions if m not in governed]) >= least_left:
            return governed
    return []


def stratifying(question: Question, mentions: Sequence[Mention]) -> Mention | None:
    """The mention the comparison is repeated over, if a phrase says so; otherwise the one named last."""
    for _, pattern, side in CUES:
        governed = _governed(question, mentions, pattern, side, all_of_list=False)
        if governed and len(mentions) - len(governed) >= 2:
            return governed[0]
    return max(mentions, key=lambda m: m.first, default=None)


def _governed(
    question: Question, mentions: Sequence[Mention], pattern: str, side: str, *, all_of_list: bool
) -> list[Mention]:
    if side == "none":
        return []
    for match in reversed(list(re.finditer(pattern, question.text, re.IGNORECASE | re.DOTALL))):
        if side == "after":
            later = sorted(
                (m for m in mentions if question.words[m.first].start >= match.end()), key=lambda m: m.first
            )
            later = _same_clause(question, match.end(), later)
            if later:
                return later if all_of_list else later[:1]
        else:
            earlier = sorted(
                (m for m in mentions if question.words[m.last].end <= match.start() + 1),
                key=lambda m: m.first,
            )
            if earlier:
                return earlier[-1:]
    return []


def _same_clause(question: Question, start: int, later: Sequence[Mention]) -> list[Mention]:
    """The mentions up to the end of the clause that the cue opens; commas inside brackets do not end it."""
    out: list[Mention] = []
    for mention in later:
        between = re.sub(r"\([^)]*\)", "", question.text[start : question.words[mention.first].start])
        ends = r"[?.;]|,\s*(what|how|is|are|do|does|which|can|could)\b|\b(affect\w*|between|correlat\w*|relat\w*|interact)\b"
        if re.search(ends, between) or (not out and "," in between and len(between) > 40):
            break
        out.append(mention)
    return out
