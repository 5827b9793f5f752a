"""Properties that hold for every statistic whatever it is sent, on arguments generated from its declared kinds.

The default profile is a short look; `HYPOTHESIS_PROFILE=deep` looks long (about half an hour).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import every_statistic
from contract.generated import arguments, strategy_for
from statistikles import collect_numbers, execute_tool
from statistikles.registry.declare import Statistic
from statistikles.registry.manifest import load
from statistikles.results.roles import ROLE_BOUNDS, Role, role_of_key

# Roles whose bounds are checked by the names of keys. (The shapes enforce them on declared fields.)
BOUNDED = (Role.P_VALUE, Role.CORRELATION, Role.POWER, Role.STD_ERROR, Role.STD_DEV, Role.VARIANCE)
# Where a property does not hold, and why: (statistic, address, reason); both are patterns.
OUT_OF_BOUNDS: tuple[tuple[str, str, str], ...] = (
    (r"algebraic_stats\.modular", r"residue_of_power", "the residue of a power of a whole number"),
    (r"meta_analysis\.random", r"details\.tau", "the standard deviation of the true effects is called tau"),
    (r"pre_suite", r"error_reduction_percent\..*", "percentages, named after the measures they restate"),
)
_PIVOTED = (
    "the interval of a noncentrality starts and ends at 0 where the statistic is below its own lower bound"
)
OUTSIDE_INTERVAL: tuple[tuple[str, str, str], ...] = (
    (
        (
            r"anova|test_assumptions\.levene|chi_square\.\w+|advanced_modeling\.manova|regression|"
            r"granger_causality|machine_learning\.spline"
        ),
        r"(.*\.)?effect_sizes?(\.\w+)?\.estimate",
        _PIVOTED,
    ),
    (r"pre_suite", r"cramers_v\.estimate", _PIVOTED),
    (r"credible_intervals", r"estimate", "the mean of a skewed sample may lie outside its middle part"),
)
# Many intervals are centred by probability, not on the estimate: at low confidence they may pass it by.
USUAL_CONFIDENCE = 0.8
EXAMPLES = max(10, settings.get_profile(settings.get_current_profile_name()).max_examples // 3)


def call(stat: Statistic, given_arguments: dict[str, Any]) -> dict[str, Any]:
    chooser = load(stat.tool).chooser
    return execute_tool(stat.tool, {**given_arguments, chooser: stat.subtype} if chooser else given_arguments)


def nodes(value: Any, address: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object of a result with its address; reasons are text and left out."""
    if isinstance(value, dict):
        yield address, value
        for key, inner in value.items():
            if key != "undefined":
                yield from nodes(inner, f"{address}.{key}" if address else key)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from nodes(inner, f"{address}.{place}")


def excepted(rows: tuple[tuple[str, str, str], ...], stat: Statistic, address: str) -> bool:
    return any(re.fullmatch(who, stat.name) and re.fullmatch(where, address) for who, where, _ in rows)


def real(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def bounds_of(node: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """(what, low, high) of every interval of a node: conf_low and conf_high, or NAME_low and NAME_high."""
    for key in node:
        if key.endswith("_low") and key[:-4] + "_high" in node:
            stem = key[:-4]
            what = next((k for k in ("estimate", "mean") if k in node), "") if stem == "conf" else stem
            yield what, node[key], node[stem + "_high"]


def check(stat: Statistic, result: dict[str, Any]) -> None:
    """A success holds possible numbers only, and every null has its reason."""
    assert all(math.isfinite(number) for number in collect_numbers(result))
    assert result["method"]
    for address, node in nodes(result):
        for key, value in node.items():
            where = f"{address}.{key}" if address else key
            if value is None:
                assert node.get("undefined", {}).get(key), f"{where} is null without a reason"
            elif real(value) and (role := role_of_key(key)) in BOUNDED:
                low, high = ROLE_BOUNDS[role]
                assert low <= value <= high or excepted(OUT_OF_BOUNDS, stat, where), f"{where} = {value}"
        for what, low, high in bounds_of(node):
            where = f"{address}.{what}" if address else what
            if not (real(low) and real(high)):
                continue
            assert low <= high, f"{where}: [{low}, {high}]"
            value = node.get(what)
            if node.get("conf_level", result.get("conf_level", 0.95)) < USUAL_CONFIDENCE:
                continue
            if real(value) and not excepted(OUTSIDE_INTERVAL, stat, where):
                slack = 1e-9 * max(abs(low), abs(high))
                assert low - slack <= value <= high + slack, f"{where}: {value} outside [{low}, {high}]"


@given(data=st.data())
@settings(max_examples=EXAMPLES)
def test_whatever_is_sent_is_answered_or_refused(stat: Statistic, data: st.DataObject) -> None:
    sent = data.draw(arguments(stat))
    result = call(stat, sent)
    text = json.dumps(result, allow_nan=False)
    if "error" in result:
        assert result["code"] != "internal", result
        assert len(result["error"]) > 10
        assert "hint" in result
    else:
        check(stat, result)
    assert json.dumps(call(stat, sent), allow_nan=False) == text, "the same call gave other bytes"


def test_every_kind_has_a_strategy() -> None:
    for stat in every_statistic():
        for parameter in stat.parameters.values():
            assert strategy_for(parameter.kind)


@pytest.mark.parametrize("rows", [OUT_OF_BOUNDS, OUTSIDE_INTERVAL])
def test_every_exception_names_a_statistic_and_a_reason(rows: tuple[tuple[str, str, str], ...]) -> None:
    known = [stat.name for stat in every_statistic()]
    for who, where, reason in rows:
        assert any(re.fullmatch(who, name) for name in known), who
        assert re.compile(where)
        assert len(reason) > 20
