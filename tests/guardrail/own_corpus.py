"""Reads the hand-written labelled replies of `data/own_replies.txt` and the batches beside it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "own_replies.txt"
# Later batches, each scored before the rules were changed for it; some faults in them are still missed.
BATCHES = Path(__file__).parent / "data" / "blind_batches.txt"
# Sixteen batches by another hand, sixteen styles; what was found at first sight stands in docs/guardrail-figures.md.
WRITER = Path(__file__).parent / "data" / "writer_batches.txt"
# Batches by several hands that imitate the proportions and styles of the given corpus.
IMITATING = Path(__file__).parent / "data" / "imitating_batches.txt"
_MARK = re.compile(r"\{\{(?P<fab>[^{}|]*(?:\{[^{}|]*\}[^{}|]*)*)(?:\|(?P<kind>\w+))?\}\}|<<(?P<der>.*?)>>")


@dataclass(frozen=True)
class Case:
    """One labelled reply."""

    domain: str
    user: str
    results: list[Any]
    reply: str
    fabs: tuple[tuple[int, int, str], ...]
    derived: tuple[tuple[int, int], ...]
    line: int


def _parse(marked: str) -> tuple[str, list[tuple[int, int, str]], list[tuple[int, int]]]:
    out, at, fabs, derived = "", 0, [], []
    for m in _MARK.finditer(marked):
        out += marked[at : m.start()]
        inner = m["fab"] if m["fab"] is not None else m["der"]
        if m["fab"] is not None:
            fabs.append((len(out), len(out) + len(inner), m["kind"] or "invented"))
        else:
            derived.append((len(out), len(out) + len(inner)))
        out += inner
        at = m.end()
    return out + marked[at:], fabs, derived


def load(file: Path = FILE) -> list[Case]:
    """Every labelled reply, in file order."""
    cases: list[Case] = []
    domain = user = ""
    results: list[Any] = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        tag, _, rest = line.partition(" ")
        if tag == "@":
            domain, _, user = (part.strip() for part in rest.partition("|"))
        elif tag == "#":
            results = json.loads(rest)
        elif tag == ">":
            reply, fabs, derived = _parse(rest.replace("\\n", "\n"))
            cases.append(Case(domain, user, results, reply, tuple(fabs), tuple(derived), number))
    return cases
