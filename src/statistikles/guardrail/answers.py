"""Answers that the results give in words: "Peak month is June" against `peak_month: "December"`."""

# ruff: noqa: E501 - rules, word lists and expressions are data, one to a line

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .entities import name_words
from .report import Span, Verdict

if TYPE_CHECKING:
    from .judge import Judge

__all__ = ["answer_spans"]

_LINK = re.compile(
    r"[*_`]{0,2}[ ]?(?:is|was|:|=|falls in|fell in|lies in|ist|war|liegt im|est|était)[ ]?(?:the |an? |in |on |der |die |das |le |la |l['’])?[*_`\"'“]{0,3}(?P<said>[^\W\d_][\w-]*)",
    re.IGNORECASE,
)
_MONTHS = "january february march april may june july august september october november december"
_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_KINDS = [set(_MONTHS.split()), set(_DAYS.split()), {"spring", "summer", "autumn", "fall", "winter"}]
_MOST = 400


def _kin(judge: Judge, said: str, value: str) -> bool:
    """Whether two words are of one kind: two months, two days, or two names of the results."""
    if any(said in kind and value in kind for kind in _KINDS):
        return True
    known = judge.names.by_word
    mine, other = name_words(said), name_words(value)
    return bool(mine and other) and len(mine) == 1 and mine[0] in known and other[0] in known


def answer_spans(judge: Judge, reply: str) -> Iterator[Span]:
    """A span per answer in words that the results contradict."""
    layout, evidence = judge.layout, judge.evidence
    if not judge.computed or not any(len(name_words(key)) > 1 for _, key, _ in evidence.strings[:_MOST]):
        return
    where: dict[str, list[int]] = {}
    for k, word in enumerate(layout.words):
        where.setdefault(word.stem, []).append(k)
    keys: dict[str, list[tuple[int, str]]] = {}
    for node, key, text in evidence.strings[:_MOST]:
        keys.setdefault(key, []).append((node, text))
    for key, found in keys.items():
        wanted = name_words(key)
        if len(found) != 1 or len(wanted) < 2 or len(found[0][1]) > 40:
            continue
        value = found[0][1]
        for at in where.get(wanted[0], ()):
            run = layout.words[at : at + len(wanted)]
            if tuple(w.stem for w in run) != tuple(wanted):
                continue
            m = _LINK.match(judge.text, run[-1].end)
            if m is None or judge.text[slice(*layout.sentence(run[0].start))].rstrip().endswith("?"):
                continue
            said = m["said"].casefold()
            if (
                said in value.casefold()
                or value.casefold()[:3] == said[:3]
                or not _kin(judge, said, value.casefold())
            ):
                continue
            address = evidence.address((*evidence.path_of_node(found[0][0]), key))
            start, end = m.start("said"), m.end("said")
            yield Span(
                start,
                end,
                reply[start:end],
                str(Verdict.WRONG_VERDICT),
                True,
                f"{address} is {value!r}",
                address,
            )
