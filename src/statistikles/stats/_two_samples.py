"""Two samples, given one by one or as named groups."""

from __future__ import annotations

from collections.abc import Mapping

from statistikles.errors import InputError
from statistikles.registry.arguments import FloatArray

__all__ = ["two_samples"]


def two_samples(
    group1: FloatArray | None,
    group2: FloatArray | None,
    groups: Mapping[str, FloatArray] | None,
    names: tuple[str, ...] | None,
) -> tuple[tuple[str, str], FloatArray, FloatArray]:
    """Names and values of two groups, however they were given."""
    if groups is not None:
        if group1 is not None or group2 is not None:
            raise InputError("Give either 'groups' or 'group1' and 'group2', not both.", where="groups")
        (name1, first), (name2, second) = groups.items()
        return (name1, name2), first, second
    if group1 is None or group2 is None:
        raise InputError(
            "Two groups are needed: give 'group1' and 'group2', or 'groups'.",
            hint='For example {"groups": {"column": VALUE, "by": GROUP}}.',
            where="group1" if group1 is None else "group2",
            code="missing_argument",
        )
    name1, name2 = names or ("group1", "group2")
    return (name1, name2), group1, group2
