"""Dempster–Shafer, information theory and the Bayes family: laws and degenerate input."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles.errors import InputError, NotDefined
from statistikles.stats.bayes import bayes_factor_bic, bayes_update, credible_interval
from statistikles.stats.evidence import dempster_shafer
from statistikles.stats.information import kl_divergence, shannon_entropy

weights = st.lists(st.integers(1, 1000), min_size=2, max_size=6)


def normalised(values: list[int]) -> list[float]:
    return [v / sum(values) for v in values]


def test_a_subset_does_not_conflict_with_the_set_that_holds_it() -> None:
    result = dempster_shafer({"A": 1.0}, {"A,B": 1.0})
    assert result.conflict == 0.0
    assert result.mass == {"A": 1.0}


def test_element_order_and_spaces_in_a_compound_element_do_not_matter() -> None:
    assert dempster_shafer({"B, A": 1.0}, {"A,B": 1.0}).mass == {"A,B": 1.0}


@given(one=weights, two=weights)
def test_combination_is_symmetric_and_belief_never_exceeds_plausibility(
    one: list[int], two: list[int]
) -> None:
    names = ["A", "B", "A,B", "C", "B,C", "A,B,C"]
    first = dict(zip(names, normalised(one), strict=False))
    second = dict(zip(reversed(names), normalised(two), strict=False))
    left, right = dempster_shafer(first, second), dempster_shafer(second, first)
    assert left.mass == pytest.approx(right.mass, rel=1e-12)
    assert math.isclose(sum(left.mass.values()), 1.0, rel_tol=1e-12)
    assert math.isclose(sum(left.pignistic.values()), 1.0, rel_tol=1e-12)
    for name, belief in left.belief.items():
        assert belief <= left.plausibility[name] + 1e-12


def test_total_conflict_is_undefined() -> None:
    with pytest.raises(NotDefined, match="total conflict"):
        dempster_shafer({"A": 1.0}, {"B": 1.0})


@given(one=weights)
def test_entropy_is_between_zero_and_its_maximum(one: list[int]) -> None:
    result = shannon_entropy(p=normalised(one))
    assert 0 <= result.entropy_bits <= result.maximum_bits + 1e-12


def test_a_certain_outcome_has_entropy_zero_not_minus_zero() -> None:
    result = shannon_entropy(["a", "a"])
    assert math.copysign(1.0, result.entropy_bits) == 1.0
    assert result.normalized is None
    assert "normalized" in result.undefined


@given(one=weights, two=weights)
def test_divergence_is_never_negative_and_zero_only_for_equal_distributions(
    one: list[int], two: list[int]
) -> None:
    size = min(len(one), len(two))
    p, q = normalised(one[:size]), normalised(two[:size])
    result = kl_divergence(p, q)
    assert result.divergence_bits >= 0
    assert kl_divergence(p, p).divergence_bits == 0
    assert 0 <= result.jensen_shannon_bits <= 1


def test_missing_support_is_said_and_not_infinite() -> None:
    result = kl_divergence([0.5, 0.5], [1.0, 0.0])
    assert result.divergence_bits is None
    assert "infinite" in result.undefined["divergence_bits"]
    assert result.reverse_bits == pytest.approx(1.0)


@given(prior=weights, data=st.data())
def test_posterior_sums_to_one_and_follows_the_likelihood_ratio(
    prior: list[int], data: st.DataObject
) -> None:
    like = data.draw(st.lists(st.floats(0.01, 1.0), min_size=len(prior), max_size=len(prior)))
    p = normalised(prior)
    posterior = list(bayes_update(p, [[v] for v in like]).posterior.values())
    assert math.isclose(sum(posterior), 1.0, rel_tol=1e-12)
    assert math.isclose(posterior[0] / posterior[1], p[0] * like[0] / (p[1] * like[1]), rel_tol=1e-9)


def test_bayes_factor_overflow_keeps_its_logarithm() -> None:
    result = bayes_factor_bic(0.999, 0.0, 2000, 3, 1)
    assert result.bf10 is None
    assert result.log10_bf10 > 300
    assert result.probability_full == 1.0


def test_models_that_are_not_nested_are_refused() -> None:
    with pytest.raises(InputError, match="fewer parameters"):
        bayes_factor_bic(0.4, 0.3, 50, 2, 2)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=60), st.floats(0.05, 0.99))
def test_the_highest_density_interval_holds_the_level_and_is_no_wider(
    samples: list[float], level: float
) -> None:
    result = credible_interval(samples, conf_level=level)
    hdi = result.also["hdi"]
    inside = sum(hdi["conf_low"] <= s <= hdi["conf_high"] for s in samples)
    assert inside >= math.floor(level * len(samples))
    assert min(samples) <= hdi["conf_low"] <= hdi["conf_high"] <= max(samples)
