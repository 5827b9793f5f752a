"""Rough sets: lower and upper approximation of a set by indiscernible classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from statistikles.errors import InputError
from statistikles.registry.arguments import FloatArray, StructureKind, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["rough_set"]

declare_tool(
    "unconventional_frameworks",
    title="Rough sets",
    summary="Approximates a set of objects by classes of objects that cannot be told apart.",
    chooser="type",
    default="rough_set",
)


@statistic(
    tool="unconventional_frameworks",
    subtype="rough_set",
    title="Rough set approximation",
    use_when="objects described by class labels, and a set of them to be described by those classes",
    utterances=("rough set", "lower and upper approximation", "can these features define the target set"),
    refs=("Pawlak 1982, doi:10.1007/BF01001956",),
    formula="lower = ∪{classes ⊆ X}, upper = ∪{classes ∩ X ≠ ∅}, accuracy = |lower|/|upper|",
    example={"features": ["a", "a", "b", "b", "c", "c"], "target": [0, 1, 2]},
)
def rough_set(
    features: Annotated[Sequence[Any], StructureKind()],
    target: Annotated[FloatArray, Vector(min_n=0, low=0, whole=True)],
) -> Measures:
    """Lower and upper approximation, boundary, accuracy and quality of a set of objects.

    Parameters
    ----------
    features : class label of each object, or a list of attribute values per object; equal descriptions are one class.
    target : indices of the objects in the set, counted from 0.

    Returns
    -------
    Measures : the two approximations and the boundary as object indices, accuracy, roughness and quality.

    Raises
    ------
    InputError : no objects, an index beyond them, or labels that are neither text nor numbers.
    """
    labels = [_description(item, place) for place, item in enumerate(features)]
    n = len(labels)
    if n == 0:
        raise InputError(
            "'features' must describe at least one object.", where="features", code="too_few_values"
        )
    chosen = {int(i) for i in target}
    if beyond := sorted(i for i in chosen if i >= n):
        raise InputError(
            f"'target' names object {beyond[0]}, but there are only {n} objects (counted from 0).",
            where="target",
            code="out_of_range",
        )
    classes: dict[Any, list[int]] = {}
    for place, label in enumerate(labels):
        classes.setdefault(label, []).append(place)
    lower = sorted(i for members in classes.values() if chosen.issuperset(members) for i in members)
    upper = sorted(i for members in classes.values() if chosen.intersection(members) for i in members)
    undefined = {}
    if not upper:
        reason = "the target is empty, so its upper approximation is empty"
        undefined = {"accuracy": reason, "roughness": reason}
    accuracy = len(lower) / len(upper) if upper else None
    return Measures(
        method="Rough set approximation (Pawlak)",
        quantities={
            "lower": Quantity(lower, Role.INDEX),
            "upper": Quantity(upper, Role.INDEX),
            "boundary": Quantity(sorted(set(upper) - set(lower)), Role.INDEX),
            "accuracy": None if accuracy is None else Quantity(accuracy, Role.PROPORTION),
            "roughness": None if accuracy is None else Quantity(1 - accuracy, Role.PROPORTION),
            "quality": Quantity(len(lower) / n, Role.PROPORTION),
            "definable": lower == upper,
            "n": Quantity(n, Role.COUNT),
            "n_classes": Quantity(len(classes), Role.COUNT),
            "n_lower": Quantity(len(lower), Role.COUNT),
            "n_upper": Quantity(len(upper), Role.COUNT),
        },
        undefined=undefined,
        conventions=("objects are counted from 0", "quality is |lower| / number of objects"),
    )


def _description(item: Any, place: int) -> Any:
    if isinstance(item, list | tuple):
        return tuple(_description(part, place) for part in item)
    if isinstance(item, str | int | float) or item is None:
        return item
    raise InputError(
        f"Object {place} is described by neither text nor numbers.",
        hint="Send one label per object.",
        where="features",
    )
