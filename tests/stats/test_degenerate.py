"""Input at the edge of what numbers can hold: found by the generated properties, kept as cases."""

from __future__ import annotations

from typing import Any

import pytest

from statistikles import execute_tool


def test_counts_too_large_to_be_whole_are_refused() -> None:
    result = execute_tool(
        "nonparametric_test", {"type": "stuart_maxwell", "data": [[4e180, 4e178], [4e180, 4e180]]}
    )
    assert result["code"] == "out_of_range"


def test_a_rare_event_in_a_thousand_million() -> None:
    result = execute_tool("algebraic_stats", {"type": "mcnemar", "b": 1000, "c": 1_000_000_000})
    assert result["conf_low"] < result["estimate"] < result["conf_high"]


def test_an_effect_in_huge_samples_keeps_its_interval() -> None:
    result = execute_tool("effect_size_calculator", {"cohens_d": -0.4, "n1": 10**9, "n2": 10**9})
    found = result["cohens_d"]
    assert found["conf_low"] == pytest.approx(-0.40009, abs=2e-6)
    assert found["conf_high"] == pytest.approx(-0.39991, abs=2e-6)


def test_one_resample_has_no_normal_interval_at_absurd_confidence() -> None:
    call = {
        "data": [2.0, -2.0, -2.0, 1.0, -2.0, -4.0],
        "n_reps": 1,
        "alpha": 1e-300,
        "alternative": "greater",
    }
    result = execute_tool("bootstrap", call)
    assert result.get("code") != "internal"


def test_hedges_g_of_two_values_is_undefined_with_its_reason() -> None:
    effect = execute_tool("t_test", {"type": "one_sample", "group1": [1.0, 2.0], "mu0": 0.0})["effect_size"]
    assert effect["estimate"] is None
    assert "2 degrees of freedom" in effect["undefined"]["estimate"]


ITEMS = [
    [1e-181, -2e180, -8.2],
    [-7e-181, 3e-48, -4.1],
    [-9e-181, -1e-48, 4.1],
    [2e-181, -4e24, -1.3],
    [2e-181, 8e-181, 0.05],
]
COX = {
    "times": [0.01, 0.97, 2.06, 3.06, 4.0],
    "events": [0, 1, 0, 1, 0],
    "x": [[4.8e-181, 9.7e-181, -4.8e-181, -4.7e-181, 4.9e-181], [-0.05, 0.98, 2.0, 3.01, 3.96]],
}
GROWTH = {"sizes": [4e182, 8e182, 1.6e183], "times": [4e178, 1e179, 2e179]}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("measurement_analysis", {"type": "omega", "items": ITEMS}),
        ("survival_analysis", {"type": "cox", **COX}),
        ("complexity_analysis", GROWTH),
    ],
)
def test_algebra_that_fails_is_a_refusal(tool: str, arguments: dict[str, Any]) -> None:
    result = execute_tool(tool, arguments)
    assert result.get("code", "ok") != "internal"


def test_a_prediction_beyond_the_doubles_is_refused() -> None:
    call = {"x": [[1.0, 2, 3, 4, 5]], "y": [1.0, 2.1, 2.9, 4.2, 5.0], "predict_at": [[4e178]]}
    assert execute_tool("regression", call)["code"] == "out_of_scale"
