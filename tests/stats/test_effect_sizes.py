"""Effect-size conversions: traps, degenerate values, round trips, and comparison with pingouin's formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError
from statistikles.stats import convert_effect_size

sizes = st.integers(2, 500)


def test_r_from_d_uses_the_group_sizes_when_they_are_known() -> None:
    equal, unequal = convert_effect_size(cohens_d=0.5), convert_effect_size(cohens_d=0.5, n1=90, n2=10)
    assert equal.a == 4.0
    assert equal.r.estimate == pytest.approx(0.5 / math.sqrt(0.25 + 4))
    assert unequal.a == pytest.approx(100**2 / 900)
    assert unequal.r.estimate < equal.r.estimate


def test_number_needed_to_treat_asks_for_the_control_event_rate() -> None:
    without = convert_effect_size(cohens_d=0.5).number_needed_to_treat
    assert without.estimate is None and "control_event_rate" in without.undefined["estimate"]
    assert convert_effect_size(cohens_d=0.5, control_event_rate=0.2).number_needed_to_treat.estimate > 1
    assert convert_effect_size(cohens_d=-0.5, control_event_rate=0.2).number_needed_to_treat.estimate < -1
    none = convert_effect_size(cohens_d=0.0, control_event_rate=0.2).number_needed_to_treat
    assert none.estimate is None and "infinite" in none.undefined["estimate"]


@pytest.mark.parametrize(
    ("odds", "label"), [(1.5, "negligible"), (2.0, "small"), (5.0, "medium"), (7.0, "large")]
)
def test_labels_of_odds_ratios_follow_chen(odds: float, label: str) -> None:
    # 1.68, 3.47 and 6.71 at a control event rate of 1 % (Chen, Cohen & Chen 2010, abstract)
    result = convert_effect_size(odds_ratio=odds)
    assert [round(v, 2) for v in result.odds_ratio_cutoffs.values()] == pytest.approx(
        [1.68, 3.47, 6.71], abs=0.011
    )
    assert result.odds_ratio.magnitude == label
    assert convert_effect_size(odds_ratio=1 / odds).odds_ratio.magnitude == label


@given(st.floats(-3, 3), sizes, sizes)
def test_conversions_go_round(d: float, n1: int, n2: int) -> None:
    forward = convert_effect_size(cohens_d=d, n1=n1, n2=n2)
    for name in ("r", "odds_ratio"):
        back = convert_effect_size(**{name: getattr(forward, name).estimate}, n1=n1, n2=n2)
        assert back.cohens_d.estimate == pytest.approx(d, rel=1e-9, abs=1e-12)
    back = convert_effect_size(eta_squared=forward.eta_squared.estimate, n1=n1, n2=n2)
    assert back.cohens_d.estimate == pytest.approx(abs(d), rel=1e-7, abs=1e-7)
    for effect in (
        forward.cohens_d,
        forward.r,
        forward.eta_squared,
        forward.overlap,
        forward.common_language,
    ):
        assert effect.conf_low <= effect.estimate + 1e-12
        assert effect.estimate <= effect.conf_high + 1e-12


@given(st.floats(-2, 2), st.sampled_from([None, (10, 30), (50, 50)]))
def test_the_sign_is_kept(d: float, n: tuple[int, int] | None) -> None:
    more = {} if n is None else {"n1": n[0], "n2": n[1]}
    one, two = convert_effect_size(cohens_d=d, **more), convert_effect_size(cohens_d=-d, **more)
    assert one.r.estimate == -two.r.estimate
    assert one.common_language.estimate == pytest.approx(1 - two.common_language.estimate)
    assert one.log_odds_ratio.estimate == -two.log_odds_ratio.estimate


# pingouin 0.7.0: pingouin.convert_effsize(d, "cohen", output, nx=30, ny=30) for d = -1.2, 0.1, 0.9
PINGOUIN = {
    "r_sample": (-0.5209191721559093, 0.05078912958081637, 0.4161733834633709),  # output "pointbiserialr"
    "eta_squared": (0.2647058823529412, 0.0024937655860349135, 0.16839916839916838),  # "eta_square"
    "common_language": (0.1980719545760371, 0.5281859888985083, 0.7377408598934618),  # "AUC"
}


@pytest.mark.parametrize("name", PINGOUIN)
def test_agrees_with_pingouin(name: str) -> None:
    found = [getattr(convert_effect_size(cohens_d=d, n1=30, n2=30), name).estimate for d in (-1.2, 0.1, 0.9)]
    assert found == pytest.approx(PINGOUIN[name], rel=1e-9)


@pytest.mark.parametrize("value", [1e308, -1e308, 1e3, 5e-324, 0.0])
def test_extreme_d_is_answered_without_infinities(value: float) -> None:
    result = execute_tool("effect_size_calculator", {"cohens_d": value, "n1": 10, "n2": 12})
    assert "error" not in result
    assert -1 <= result["r"]["estimate"] <= 1


def test_impossible_values_are_refused() -> None:
    for bad in (
        {"r": 1.0},
        {"r": -1.0},
        {"eta_squared": 1.0},
        {"odds_ratio": 0.0},
        {"cohens_d": 1, "n1": 1, "n2": 5},
    ):
        with pytest.raises(InputError):
            convert_effect_size(**bad)


def test_an_odds_ratio_has_an_interval_only_with_counts_behind_it() -> None:
    bare = convert_effect_size(odds_ratio=2.0, n1=50, n2=50).odds_ratio
    assert bare.conf_low is None and "control_event_rate" in bare.undefined["conf_low"]
    full = convert_effect_size(odds_ratio=2.0, n1=50, n2=50, control_event_rate=0.3).odds_ratio
    assert full.conf_low < 2.0 < full.conf_high


def test_correlations_too_close_to_one_and_their_bounds() -> None:
    with pytest.raises(InputError):
        convert_effect_size(r=0.9999999999999999)
    close = convert_effect_size(r=1 - 1.5e-12, n1=2, n2=2)
    assert close.r.conf_low is None and close.r.undefined["conf_high"]


def test_an_effect_too_small_for_its_reciprocal_has_no_number_needed_to_treat() -> None:
    result = convert_effect_size(r=1e-300, n1=50, n2=2, control_event_rate=1e-300)
    assert result.number_needed_to_treat.estimate is None
