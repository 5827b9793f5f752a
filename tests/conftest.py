"""Shared test set-up: Hypothesis profiles and the registry loaded once."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from statistikles.registry.declare import Statistic
from statistikles.registry.manifest import load_all

settings.register_profile(
    "default", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("deep", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def every_statistic() -> list[Statistic]:
    """All declared statistics."""
    return [s for tool in load_all().values() for s in tool.statistics.values()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "stat" in metafunc.fixturenames:
        stats = every_statistic()
        metafunc.parametrize("stat", stats, ids=[s.name for s in stats])
