"""A figure beside the number of a case: "50 years 590" must be the number of that case, "survival_10y" is no 20."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .claims import Claim
from .evidence import Leaf
from .qualifiers import Fault
from .report import Verdict
from .tokens import Kind

if TYPE_CHECKING:
    from .matching import Matcher

__all__ = ["case_fault"]

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# What may stand between the number of a case and its figure: a unit, "is", a bracket; no new thought.
_BETWEEN = re.compile(r"[ ]?(?:[^\W\d_/%°µ]{0,12}[/%°µ]?[^\W\d_]{0,9}[):=]?[ ]{0,2}){1,4}[(\[]?")
_TURNS = re.compile(r"(?<![^\W_])(?:and|to|or|vs|und|et|bis|auf|à|but|then|from)(?![^\W_])", re.IGNORECASE)
_CASE_AFTER = re.compile(
    r"[ ]?[%)]?[^\W\d_]{0,6}[ ](?:at|for|after|in|with|when|nach|bei|für|à|pour|mit)[ ][^\d.;,]{0,12}",
    re.IGNORECASE,
)


def _family(name: str) -> str:
    """The name without its numbers: cases of one kind share it."""
    return _NUMBER.sub("#", name)


def case_fault(matcher: Matcher, claim: Claim, leaf: Leaf) -> Fault | None:
    """The figure is of another case than the number right before it says."""
    if claim.index == 0 or claim.cell is not None or claim.interval or claim.in_df or claim.label is not None:
        return None
    before = matcher.scope.claims[claim.index - 1]
    if before.sentence != claim.sentence or before.cell is not None or before.label is not None:
        return None
    if before.token.kind != Kind.FIGURE:
        return None
    between = matcher.text[before.token.end : claim.token.start]
    if len(between) > 24 or not _BETWEEN.fullmatch(between) or _TURNS.search(between):
        return None
    after = matcher.scope.claims[claim.index + 1 : claim.index + 2]
    if after and _CASE_AFTER.fullmatch(matcher.text[claim.token.end : after[0].token.start]):
        return None  # "92 % at 1 year": the case follows its figure
    said = matcher.names.cases(before.token.value)
    if before.token.percent:
        said = said | matcher.names.cases(before.token.value / 100)
    if not said:
        return None
    parts = leaf.path[1:]
    node = leaf.node
    for depth in range(len(parts) - 1, -1, -1):
        part = parts[depth]
        if isinstance(part, str) and _NUMBER.search(part):
            if part in said:
                return None
            wanted = [
                name
                for name in matcher.names.children(node)
                if name in said and _family(name) == _family(part)
            ]
            if (
                len(wanted) == 1
                and (other := _number_of(matcher, node, wanted[0], parts[depth + 1 :])) is not None
            ):
                if abs(other.value - leaf.value) <= 1e-9 * abs(leaf.value):
                    return None
                return Fault(
                    Verdict.WRONG_GROUP,
                    f"{leaf.address} has this value; the sentence speaks of {other.address}",
                    leaf,
                    other,
                )
        node = matcher.evidence.node_parent[node]
        if node < 0:
            break
    return None


def _number_of(matcher: Matcher, node: int, name: str, rest: tuple[str | int, ...]) -> Leaf | None:
    """The number at the same place of another case."""
    for part in (name, *rest):
        kind, index = matcher.names.children(node).get(str(part), ("", -1))
        if kind == "leaf":
            return matcher.evidence.leaf(index)
        if kind != "node":
            return None
        node = index
    return None
