"""The declaration of `test_assumptions`, whose statistics live in two modules."""

from __future__ import annotations

from statistikles.registry.declare import declare_tool

__all__ = ["TOOL"]

TOOL = "test_assumptions"

declare_tool(
    TOOL,
    title="Checks of assumptions",
    summary="Checks what other tests assume: normality, equal variances, a named distribution, no outliers.",
    chooser="type",
)
