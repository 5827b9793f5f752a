"""The laws a statistic declares (shift, scale, swap, order), checked with generated data on the declared example."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import every_statistic
from statistikles.errors import StatistiklesError
from statistikles.registry.arguments import ColumnSet, GroupMap, Kind, RowSet, Vector
from statistikles.registry.declare import Statistic

DATA_KINDS = (Vector, GroupMap, RowSet, ColumnSet)


def _changes(kind: Kind) -> bool:
    """Whether an argument holds measurements: codes and counts have no unit."""
    return isinstance(kind, DATA_KINDS) and not (isinstance(kind, Vector) and (kind.binary or kind.whole))


def mapped(stat: Statistic, change: Callable[[float], float]) -> dict[str, Any]:
    """The example with every data value changed."""

    def deep(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: deep(v) for k, v in value.items()}
        if isinstance(value, list):
            return [deep(v) for v in value]
        return change(value) if isinstance(value, int | float) and not isinstance(value, bool) else value

    return {
        name: deep(value) if _changes(stat.parameters[name].kind) else value
        for name, value in stat.example.items()
    }


def same(left: float | None, right: float | None, rtol: float = 1e-6) -> bool:
    if left is None or right is None:
        return left is right
    return math.isclose(left, right, rel_tol=rtol, abs_tol=1e-9)


def headline(stat: Statistic, arguments: dict[str, Any]) -> tuple[float | None, float | None]:
    result = stat.run(arguments).to_dict()
    return result.get("statistic"), result.get("p_value")


def declared(law: str) -> list[Any]:
    return [pytest.param(s, id=s.name) for s in every_statistic() if law in s.laws]


KNOWN = {"shift_invariant", "scale_invariant", "swap_negates", "swap_symmetric", "order_invariant"}


def test_every_declared_law_is_one_that_is_checked() -> None:
    assert {law for s in every_statistic() for law in s.laws} <= KNOWN


@pytest.mark.parametrize("law_stat", declared("shift_invariant"))
@given(shift=st.sampled_from([-1000.0, -3.25, 0.5, 64.0, 4096.0]))
def test_a_common_shift_changes_nothing(law_stat: Statistic, shift: float) -> None:
    before, after = (
        headline(law_stat, law_stat.example),
        headline(law_stat, mapped(law_stat, lambda v: v + shift)),
    )
    assert same(before[0], after[0])
    assert same(before[1], after[1])


@pytest.mark.parametrize("law_stat", declared("scale_invariant"))
@given(power=st.integers(-100, 100))
def test_a_change_of_unit_changes_nothing(law_stat: Statistic, power: int) -> None:
    factor = 2.0**power
    arguments = mapped(law_stat, lambda v: v * factor)
    for name in ("mu0", "threshold"):
        if name in arguments:
            arguments[name] *= factor
    before, after = headline(law_stat, law_stat.example), headline(law_stat, arguments)
    assert same(before[0], after[0])
    assert same(before[1], after[1])


def swapped(stat: Statistic) -> dict[str, Any]:
    pairs = (("group1", "group2"), ("x", "y"), ("rater1", "rater2"), ("p", "q"), ("interval_a", "interval_b"))
    for first, second in pairs:
        if first in stat.example and second in stat.example:
            return {**stat.example, first: stat.example[second], second: stat.example[first]}
    raise AssertionError(f"{stat.name} declares a swap law but its example has no pair of arguments")


@pytest.mark.parametrize("law_stat", declared("swap_negates"))
def test_swapping_the_arguments_turns_the_sign(law_stat: Statistic) -> None:
    before, after = law_stat.run(law_stat.example), law_stat.run(swapped(law_stat))
    left, right = before.to_dict(), after.to_dict()
    assert same(left["p_value"], right["p_value"])
    assert same(left["estimate"], -right["estimate"])
    if "effect_size" in left:
        assert same(left["effect_size"]["estimate"], -right["effect_size"]["estimate"])


@pytest.mark.parametrize("law_stat", declared("swap_symmetric"))
def test_swapping_the_arguments_changes_nothing(law_stat: Statistic) -> None:
    left, right = law_stat.run(law_stat.example).to_dict(), law_stat.run(swapped(law_stat)).to_dict()
    for key in ("statistic", "estimate", "p_value"):
        assert same(left.get(key), right.get(key))


@pytest.mark.parametrize("law_stat", declared("order_invariant"))
@given(random=st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(law_stat: Statistic, random: Any) -> None:
    """Values are shuffled within each vector, jointly where they are matched row by row."""
    arguments = dict(law_stat.example)
    aligned = [set(names) & set(arguments) for names in law_stat.aligned]
    for name, value in law_stat.example.items():
        if not isinstance(law_stat.parameters[name].kind, DATA_KINDS) or any(
            name in names for names in aligned
        ):
            continue
        if isinstance(value, list) and value and not isinstance(value[0], list):
            arguments[name] = random.sample(value, len(value))
        elif isinstance(value, dict):
            arguments[name] = {k: random.sample(v, len(v)) for k, v in value.items()}
        elif isinstance(law_stat.parameters[name].kind, GroupMap | RowSet):
            inner = (
                [random.sample(v, len(v)) for v in value]
                if isinstance(law_stat.parameters[name].kind, GroupMap)
                else random.sample(value, len(value))
            )
            arguments[name] = inner
    for names in aligned:
        shuffle_jointly(arguments, names, random)
    before, after = headline(law_stat, law_stat.example), headline(law_stat, arguments)
    assert same(before[0], after[0], 1e-9)
    assert same(before[1], after[1], 1e-9)


def shuffle_jointly(arguments: dict[str, Any], names: set[str], random: Any) -> None:
    flat = {n for n in names if not isinstance(arguments[n][0], list)}
    n_rows = len(arguments[next(iter(flat))]) if flat else len(arguments[next(iter(names))][0])
    order = random.sample(range(n_rows), n_rows)
    for name in names:
        value = arguments[name]
        if name in flat:
            arguments[name] = [value[i] for i in order]
        else:
            arguments[name] = [[column[i] for i in order] for column in value]


def test_laws_are_checked_on_results_not_on_refusals() -> None:
    for stat in every_statistic():
        if stat.laws:
            try:
                stat.run(stat.example)
            except StatistiklesError as error:  # pragma: no cover
                raise AssertionError(f"{stat.name}: {error}") from error
