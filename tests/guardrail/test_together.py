"""Figures read together, comparisons of named things, and turns without any computation."""

# ruff: noqa: E501 - replies are data, one to a line

from __future__ import annotations

import pytest

from statistikles.guardrail import audit

GROUPS = [
    {
        "groups": {
            "north": {"n": 41, "mean": 12.31, "sd": 3.02, "ci": [11.38, 13.24], "median": 12.0},
            "south": {"n": 38, "mean": 15.87, "sd": 4.11, "ci": [14.56, 17.18], "median": 15.5},
            "east": {"n": 44, "mean": 9.46, "sd": 2.77, "ci": [8.62, 10.30], "median": 9.2},
        }
    },
    {"test": "anova", "F": 31.4, "df": [2, 120], "p": 1.1e-11},
    {"models": {"linear": {"AIC": 412.6}, "spline": {"AIC": 398.2}}, "slope": {"b": -0.41, "p": 0.003, "ci": [-0.68, -0.14]}},
]  # fmt: skip


def flagged(reply: str) -> list[str]:
    return [s.text for s in audit(reply, GROUPS, "Do the regions differ?").flagged]


@pytest.mark.parametrize(
    ("true", "false", "which"),
    [
        ("The north: M = 12.31 [11.38, 13.24].", "The north: M = 12.31 [13.24, 11.38].", "13.24"),
        ("South: M = 15.87, 95% CI 14.56 to 17.18.", "South: M = 15.87, 95% CI 14.56 to 13.24.", "13.24"),
        ("F(2, 120) = 31.4, p < .001.", "F(2, 41) = 31.4, p < .001.", "41"),
        ("The north, south and east averaged 12.31, 15.87 and 9.46.", "The north, south and east averaged 12.31, 9.46 and 15.87.", "9.46"),
        ("The south scored best.", "The north scored best.", "north"),
        ("The spline has the lower AIC (398.2 vs 412.6).", "The linear model has the lower AIC (398.2 vs 412.6).", "lower"),
        ("Dose goes with less of it (b = −0.41).", "Dose goes with more of it (b = −0.41).", "more"),
        ("The slope, −0.41 (−0.68 to −0.14), differs significantly from zero.", "The slope, −0.41 (−0.68 to −0.14), does not differ significantly from zero.", "does not differ significantly"),
        ("The interval from −0.68 to −0.14 excludes zero.", "The interval from −0.68 to −0.14 includes zero.", "includes zero"),
    ],
)  # fmt: skip
def test_what_cannot_stand_together_is_flagged(true: str, false: str, which: str) -> None:
    assert flagged(true) == []
    assert any(which in text or text in which for text in flagged(false)), flagged(false)


NOTHING = "What is the mean flipper length?"


@pytest.mark.parametrize(
    "reply",
    [
        "The t statistic came out at two point four.",
        "The effect is d = 0.5, a medium effect.",
        "The correlation is exactly 1.",
        "The null hypothesis is rejected.",
        "three clusters fit best",
        "Old Faithful erupts every 71 minutes.",
        "SD3, n30",
        "answer to 10 is unknown",
        "Group A scored highest.",
        "There is a strong positive correlation between the two.",
    ],
)
def test_a_finding_of_a_turn_without_computation_is_flagged(reply: str) -> None:
    assert not audit(reply, [], NOTHING).ok


@pytest.mark.parametrize(
    "reply",
    [
        "A d of 0.5 is conventionally called medium.",
        "If p < .05, the result is called significant.",
        "A common rule of thumb asks for 30 per group.",
        "Cohen (1988) calls d = 0.2 small, 0.5 medium and 0.8 large.",
        "The null hypothesis is rejected when p is below .05.",
        "R² lies between 0 and 1.",
        "You could compare the 3 species with an ANOVA.",
        "Power of 80% is the usual target.",
    ],
)
def test_definitions_and_conventions_stand_without_computation(reply: str) -> None:
    assert audit(reply, [], NOTHING).ok
