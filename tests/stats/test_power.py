"""Power and sample size: one-sided tails, inverses, refusals, agreement with statsmodels and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats as ss
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import (
    sample_size_anova,
    sample_size_correlation,
    sample_size_means,
    sample_size_proportions,
    sample_size_regression,
    t_test_power,
)
from statistikles.stats._power_curves import correlation_power, t_power


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_a_one_sided_test_has_only_its_own_tail(alternative: str) -> None:
    assert t_test_power(effect_size=0.0, n=20, alternative=alternative).power == pytest.approx(
        0.05, rel=1e-10
    )
    against = t_test_power(
        effect_size=-0.5 if alternative == "greater" else 0.5, n=20, alternative=alternative
    )
    assert against.power < 0.01


def test_at_no_effect_the_power_is_alpha() -> None:
    assert t_test_power(effect_size=0.0, n=20).power == pytest.approx(0.05, rel=1e-10)


@given(
    d=st.floats(0.05, 2.0),
    power=st.floats(0.2, 0.99),
    alpha=st.floats(0.001, 0.1),
    alternative=st.sampled_from(["two-sided", "greater"]),
)
@settings(max_examples=40, deadline=None)
def test_the_whole_n_is_the_smallest_that_reaches_the_power(
    d: float, power: float, alpha: float, alternative: str
) -> None:
    result = t_test_power(effect_size=d, power=power, alpha=alpha, alternative=alternative)
    assert result.achieved_power >= power * (1 - 1e-9)
    if result.n > 2:
        assert t_test_power(effect_size=d, n=result.n - 1, alpha=alpha, alternative=alternative).power < power


@given(n=st.integers(3, 400), power=st.floats(0.15, 0.99))
@settings(max_examples=30, deadline=None)
def test_solving_for_effect_and_alpha_inverts_the_power(n: int, power: float) -> None:
    d = t_test_power(n=n, power=power, alpha=0.05).effect_size
    assert t_test_power(effect_size=d, n=n, alpha=0.05).power == pytest.approx(power, rel=1e-9)
    assert t_test_power(effect_size=d, n=n, power=power).alpha == pytest.approx(0.05, rel=1e-8)


def test_agrees_with_statsmodels() -> None:
    from statsmodels.stats.power import FTestAnovaPower, TTestIndPower

    for d, n, ratio, side in ((0.3, 40, 1.0, "two-sided"), (0.8, 12, 2.5, "larger")):
        ours = t_power(
            n + n * ratio - 2, d * math.sqrt(n * ratio / (1 + ratio)), 0.05, side.replace("larger", "greater")
        )
        theirs = TTestIndPower().power(d, n, 0.05, ratio=ratio, alternative=side)
        assert ours == pytest.approx(theirs, rel=1e-8)
    for f, k in ((0.25, 3), (0.4, 6)):
        total = float(FTestAnovaPower().solve_power(f, alpha=0.05, power=0.8, k_groups=k))
        assert sample_size_anova(f, k).n_exact == pytest.approx(total / k, rel=1e-6)


def test_the_correlation_power_agrees_with_simulation() -> None:
    rng = np.random.default_rng(5)
    n, rho, reps = 20, 0.45, 40_000
    x = rng.normal(size=(reps, n))
    y = rho * x + math.sqrt(1 - rho**2) * rng.normal(size=(reps, n))
    xc, yc = x - x.mean(1, keepdims=True), y - y.mean(1, keepdims=True)
    r = (xc * yc).sum(1) / np.sqrt((xc**2).sum(1) * (yc**2).sum(1))
    critical = float(ss.t.isf(0.025, n - 2))
    t = r * np.sqrt((n - 2) / (1 - r**2))
    simulated = float((np.abs(t) > critical).mean())
    assert correlation_power(n, 0.0, 0.05, "two-sided") == pytest.approx(0.05, rel=1e-9)
    assert correlation_power(n, rho, 0.05, "two-sided") == pytest.approx(
        simulated, abs=4 * math.sqrt(0.25 / reps)
    )


def test_large_effects_need_two_and_say_so() -> None:
    result = t_test_power(effect_size=10.0, power=0.8).to_dict()
    assert result["n"] == 2
    assert result["n_exact"] is None
    assert "smallest" in result["undefined"]["n_exact"]


def test_tiny_effects_are_not_capped() -> None:
    assert t_test_power(effect_size=1e-4, power=0.8).n_exact == pytest.approx(
        2 * (1.959964 + 0.841621) ** 2 / 1e-8, rel=1e-4
    )
    with pytest.raises(NotDefined, match="More than"):
        t_test_power(effect_size=1e-9, power=0.8)


def test_what_no_n_can_reach_is_said() -> None:
    with pytest.raises(NotDefined, match="zero"):
        t_test_power(effect_size=0.0, power=0.8)
    with pytest.raises(NotDefined, match="alternative"):
        t_test_power(effect_size=-0.5, power=0.8, alternative="greater")
    with pytest.raises(InputError, match="exceed alpha"):
        t_test_power(effect_size=0.5, power=0.04, alpha=0.05)


def test_all_four_or_too_few_are_refused() -> None:
    with pytest.raises(InputError, match="leave out"):
        t_test_power(effect_size=0.5, n=20, alpha=0.05, power=0.8)
    with pytest.raises(InputError, match="at least one"):
        t_test_power(alpha=0.05, power=0.8)


def test_conventional_values_are_named() -> None:
    said = " ".join(t_test_power(effect_size=0.5).conventions)
    assert ".05" in said
    assert ".80" in said


def test_design_is_named_when_absent_or_unknown() -> None:
    assert "anova" in execute_tool("sample_size_calculator", {"effect_size": 0.5})["error"]
    unknown = execute_tool("sample_size_calculator", {"design": "magic", "effect_size": 0.5})
    assert "Unknown design 'magic'" in unknown["error"]


def test_anova_of_two_groups_is_the_t_test() -> None:
    assert sample_size_anova(0.25, 2).n_exact == pytest.approx(sample_size_means(0.5).n_exact, rel=1e-9)


def test_regression_with_one_predictor_depends_on_the_effect() -> None:
    """Rules of thumb ignore the effect size; noncentral F does not."""
    sizes = [sample_size_regression(f2, 5).n for f2 in (0.02, 0.15, 0.35)]
    assert sizes == sorted(sizes, reverse=True)
    assert sample_size_regression(0.15, 10).n > sample_size_regression(0.15, 2).n


def test_anova_depends_on_the_number_of_groups() -> None:
    assert [sample_size_anova(0.25, k).n for k in (2, 3, 5)] == [64, 53, 40]


def test_proportions_at_the_edges() -> None:
    result = sample_size_proportions(p1=1.0, p2=0.0)
    assert result.also["cohens_h"].effect_size == pytest.approx(math.pi)
    assert result.achieved_power == 1.0
    with pytest.raises(InputError, match="between 0 and 1"):
        sample_size_proportions(1.2)
    with pytest.raises(NotDefined):
        sample_size_proportions(p1=0.3, p2=0.3)


@pytest.mark.parametrize("r", [-0.999, -0.3, 0.3, 0.95])
def test_exact_and_fisher_sizes_are_close(r: float) -> None:
    result = sample_size_correlation(r)
    assert abs(result.n - result.also["exact"].n) <= 1
