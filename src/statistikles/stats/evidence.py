"""Dempster–Shafer theory: combining bodies of evidence whose focal elements are sets."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Annotated

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import MassFunction, NameList
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["dempster_shafer"]

FocalSet = frozenset[str]
_MAX_ELEMENTS = 20

declare_tool(
    "dempster_shafer",
    title="Dempster–Shafer combination of evidence",
    summary="Combines two bodies of evidence by Dempster's rule and gives belief, plausibility and pignistic probability.",
)


@statistic(
    tool="dempster_shafer",
    title="Dempster's rule of combination",
    use_when="two independent sources give masses to sets of hypotheses, some of them undecided between several",
    utterances=(
        "combine two sources of evidence",
        "belief and plausibility",
        "fuse two experts' evidence",
        "Dempster's rule",
    ),
    refs=(
        "Dempster 1967, doi:10.1214/aoms/1177698950",
        "Shafer 1976, A Mathematical Theory of Evidence",
        "Smets & Kennes 1994, doi:10.1016/0004-3702(94)90026-4",
    ),
    formula="m(A) = Σ_{B∩C=A} m₁(B) m₂(C) / (1 − K), K = Σ_{B∩C=∅} m₁(B) m₂(C)",
    example={
        "evidence1": {"A": 0.6, "A,B": 0.3, "A,B,C": 0.1},
        "evidence2": {"B": 0.5, "A,B": 0.3, "A,B,C": 0.2},
    },
)
def dempster_shafer(
    evidence1: MassFunction,
    evidence2: MassFunction,
    *,
    frame: Annotated[tuple[str, ...], NameList()] | None = None,
) -> Measures:
    """Combined masses, belief, plausibility and pignistic probability of two bodies of evidence.

    Parameters
    ----------
    evidence1 : mass of each focal element; a compound element joins its members with a comma ("A,B"); masses sum to 1.
    evidence2 : masses of the second, independent source.
    frame : all possible hypotheses; those named in the evidence when absent.

    Returns
    -------
    Measures : masses after combination, conflict K, and per focal element and per hypothesis belief and plausibility.

    Raises
    ------
    InputError : masses that do not sum to 1, an empty element, or a member outside the frame.
    NotDefined : the sources are in total conflict (K = 1).
    """
    first, second = _masses(evidence1, "evidence1"), _masses(evidence2, "evidence2")
    members = frozenset().union(*first, *second)
    space = frozenset(frame) if frame is not None else members
    if outside := sorted(members - space):
        raise InputError(f"Not in the frame of hypotheses: {', '.join(outside)}.", where="frame")
    if len(space) > _MAX_ELEMENTS:
        raise InputError(
            f"The frame has {len(space)} hypotheses; at most {_MAX_ELEMENTS} are allowed.", where="frame"
        )
    products: dict[FocalSet, list[float]] = {}
    for (a, mass_a), (b, mass_b) in itertools.product(first.items(), second.items()):
        products.setdefault(a & b, []).append(mass_a * mass_b)
    joint = {focal: math.fsum(parts) for focal, parts in products.items()}
    conflict = joint.pop(frozenset(), 0.0)
    agreement = math.fsum(joint.values())
    if agreement <= 0:
        raise NotDefined(
            "The two sources are in total conflict: they have no hypothesis in common, so Dempster's rule is undefined.",
            hint="Leave some mass on larger sets (ignorance), or discount one source.",
            code="total_conflict",
        )
    combined = {focal: mass / agreement for focal, mass in joint.items() if mass > 0}
    ordered = dict(sorted(combined.items(), key=lambda item: (len(item[0]), sorted(item[0]))))
    singles = {name: frozenset((name,)) for name in sorted(space)}
    shown = {_label(focal): focal for focal in ordered}
    pignistic = {
        name: math.fsum(mass / len(focal) for focal, mass in ordered.items() if name in focal)
        for name in singles
    }
    best = max(pignistic, key=lambda name: (pignistic[name], name))
    return Measures(
        method="Dempster's rule of combination",
        quantities={
            "mass": Quantity({label: ordered[focal] for label, focal in shown.items()}, Role.PROBABILITY),
            "conflict": Quantity(min(conflict, 1.0), Role.PROBABILITY),
            "weight_of_conflict": Quantity(-math.log(agreement), Role.VALUE),
            "ignorance": Quantity(ordered.get(space, 0.0), Role.PROBABILITY),
            "belief": Quantity(_belief(ordered, {**singles, **shown}), Role.PROBABILITY),
            "plausibility": Quantity(_plausibility(ordered, {**singles, **shown}), Role.PROBABILITY),
            "pignistic": Quantity(pignistic, Role.PROBABILITY),
            "most_supported": best,
        },
        conventions=(
            "normalised Dempster rule; the sources are taken as independent",
            'focal elements are sets: "A,B" means A or B, undecided',
            "pignistic probability shares a set's mass equally among its members",
        ),
        warnings=(
            "The sources conflict strongly (K above 0.9); the normalised result can mislead (Zadeh 1979).",
        )
        if conflict > 0.9
        else (),
    )


def _masses(evidence: Mapping[str, float], where: str) -> dict[FocalSet, float]:
    out: dict[FocalSet, float] = {}
    for label, mass in evidence.items():
        focal = frozenset(part.strip() for part in label.split(",") if part.strip())
        if not focal:
            raise InputError(
                f"'{where}' has an empty focal element ('{label}').",
                hint="Mass on nothing is not allowed.",
                where=where,
            )
        out[focal] = out.get(focal, 0.0) + mass
    if not math.isclose(total := math.fsum(out.values()), 1.0, rel_tol=0, abs_tol=1e-8):
        raise InputError(
            f"The masses of '{where}' sum to {total:.6g}; they must sum to 1.",
            hint="Put what is left over on the whole frame (ignorance), for example on 'A,B,C'.",
            where=where,
        )
    return {focal: mass for focal, mass in out.items() if mass > 0}


def _label(focal: FocalSet) -> str:
    return ",".join(sorted(focal))


def _belief(masses: Mapping[FocalSet, float], sets: Mapping[str, FocalSet]) -> dict[str, float]:
    """Mass that can only be on members of the set."""
    return {k: min(1.0, math.fsum(m for f, m in masses.items() if f <= s)) for k, s in sets.items()}


def _plausibility(masses: Mapping[FocalSet, float], sets: Mapping[str, FocalSet]) -> dict[str, float]:
    """Mass that could be on members of the set."""
    return {k: min(1.0, math.fsum(m for f, m in masses.items() if f & s)) for k, s in sets.items()}
