"""Survival: agreement with lifelines, laws, and data on which the quantities do not exist."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined
from statistikles.stats.cox import cox_regression
from statistikles.stats.survival import kaplan_meier, log_rank


def sample(seed: int, n: int = 60, p: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, p))
    times = np.round(rng.exponential(np.exp(-0.5 * x[:, 0])), 1) + 0.1
    return times, (rng.random(n) < 0.7).astype(float), x


# lifelines 0.30.3 with numpy 2.4.6, on the data of the test below:
# proportional_hazard_test(CoxPHFitter().fit(frame, "t", "d"), frame, time_transform="rank").summary["test_statistic"]
LIFELINES = (
    (0.006982313564586507, 0.1944711804030916),
    (0.7760900521739872, 0.9588365895970626),
    (0.026987248738367914, 0.049834510833313514),
    (0.15475873322531603, 0.668083664566835),
)


@pytest.mark.parametrize("seed", range(4))
def test_proportional_hazards_check_agrees_with_lifelines(seed: int) -> None:
    # Without ties both programs rank alike.
    times = np.random.default_rng(seed).permutation(np.arange(1.0, 61.0))
    _, events, x = sample(seed)
    ours = cox_regression(times, events, [x[:, 0], x[:, 1]], var_names=["a", "b"]).diagnostics[
        "proportional_hazards"
    ]
    assert [ours[name].statistic for name in ("a", "b")] == pytest.approx(LIFELINES[seed], rel=1e-4)


@given(st.integers(0, 10_000))
def test_the_curve_falls_and_lies_within_its_bands(seed: int) -> None:
    times, events, _ = sample(seed, 30)
    for scale in ("log-log", "log", "plain"):
        curve = kaplan_meier(times, events, conf_type=scale).groups["all"]["curve"]
        levels = [row["survival"] for row in curve]
        assert levels == sorted(levels, reverse=True)
        for row in curve:
            if row["conf_low"] is not None:
                assert 0 <= row["conf_low"] <= row["survival"] <= row["conf_high"] <= 1


def test_without_censoring_the_curve_is_the_share_still_alive() -> None:
    curve = kaplan_meier([1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1]).groups["all"]["curve"]
    assert [row["survival"] for row in curve] == pytest.approx([0.75, 0.5, 0.25, 0.0], abs=1e-15)


def test_a_median_that_is_not_reached_is_undefined_with_its_reason() -> None:
    group = kaplan_meier([1.0, 2.0, 3.0, 4.0], [1, 0, 0, 0]).groups["all"]
    assert group["median_survival"] is None
    assert "one half" in group["undefined"]["median_survival"]


def test_all_censored_is_answered_with_a_warning() -> None:
    result = kaplan_meier([1.0, 2.0], [0, 0])
    assert result.groups["all"]["curve"] == []
    assert result.warnings


@given(st.integers(0, 10_000))
def test_swapping_group_names_inverts_the_hazard_ratio(seed: int) -> None:
    times, events, x = sample(seed, 40)
    if not events.any():
        return
    labels = ["a" if v > 0 else "b" for v in x[:, 0]]
    other = ["b" if g == "a" else "a" for g in labels]
    if len(set(labels)) < 2:
        return
    one, two = log_rank(times, events, labels), log_rank(times, events, other)
    assert one.statistic == pytest.approx(two.statistic, rel=1e-9)
    assert one.effect_size.estimate == pytest.approx(1 / two.effect_size.estimate, rel=1e-9)
    assert sum(one.details[k]["observed_events"] for k in ("a", "b")) == pytest.approx(
        sum(one.details[k]["expected_events"] for k in ("a", "b"))
    )


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
def test_the_unit_of_a_predictor_does_not_change_its_test(scale: float) -> None:
    times, events, x = sample(1)
    base = cox_regression(times, events, x[:, 0]).terms["x1"]
    scaled = cox_regression(times, events, x[:, 0] * scale + 1e3 * scale).terms["x1"]
    assert scaled.estimate * scale == pytest.approx(base.estimate, rel=1e-7)
    assert scaled.p_value == pytest.approx(base.p_value, rel=1e-7)


def test_what_cannot_be_estimated_is_said() -> None:
    times, events, x = sample(2)
    with pytest.raises(NotDefined, match="constant"):
        cox_regression(times, events, [np.ones(60), x[:, 0]], var_names=["one", "z"])
    with pytest.raises(NotDefined, match="collinear"):
        cox_regression(times, events, [x[:, 0], 2 * x[:, 0]])
    with pytest.raises(NotDefined, match="separates"):
        cox_regression([1, 2, 3, 4, 5, 6], [1] * 6, [9, 8, 7, 3, 2, 1])
    with pytest.raises(NotDefined, match="No event"):
        cox_regression(times, np.zeros(60), x[:, 0])
    with pytest.raises(InputError, match="only one group"):
        log_rank([1, 2], [1, 1], ["a", "a"])
    with pytest.raises(NotDefined, match="never at risk together"):
        log_rank([1, 2, 3, 4], [0, 0, 1, 1], ["a", "a", "b", "b"])
