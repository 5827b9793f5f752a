"""The public names of the contract exist, with the promised signatures, and nothing else is public."""

from __future__ import annotations

import inspect

import pytest

import statistikles

PROMISED = {
    "get_tools": [],
    "execute_tool": ["name", "arguments", "data", "session"],
    "collect_numbers": ["obj"],
    "extract_numeric_tokens": ["text"],
    "extract_numeric_values": ["text"],
    "validate_numeric_provenance": ["text", "tool_results", "user_numbers", "rtol"],
    "audit": ["reply", "tool_results", "user_text", "rules", "conversation"],
    "Session": ["data", "model", "seed"],
}
KEYWORD_ONLY = {"execute_tool": {"data", "session"}, "audit": {"rules", "conversation"}}


@pytest.mark.parametrize("name", PROMISED)
def test_signatures(name: str) -> None:
    parameters = inspect.signature(getattr(statistikles, name)).parameters
    assert [p for p in parameters if p in PROMISED[name]] == PROMISED[name]
    for extra in parameters.keys() - set(PROMISED[name]):
        assert parameters[extra].default is not inspect.Parameter.empty, f"{extra} must be optional"
    for keyword in KEYWORD_ONLY.get(name, set()):
        assert parameters[keyword].kind is inspect.Parameter.KEYWORD_ONLY


def test_the_public_names_are_exactly_these() -> None:
    assert set(statistikles.__all__) == {*PROMISED, "Reply", "ScriptedModel", "__version__"}
    assert set(dir(statistikles)) >= set(statistikles.__all__)
    for name in statistikles.__all__:
        assert getattr(statistikles, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        statistikles.nothing  # noqa: B018


def test_every_statistic_is_a_function_of_stats() -> None:
    import statistikles.stats
    from statistikles.registry.manifest import function_modules

    for name, module in function_modules().items():
        assert getattr(statistikles.stats, name).__module__ == module
