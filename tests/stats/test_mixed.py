"""Mixed model: balanced closed forms, the boundary, extreme scales, exact derivatives, agreement with statsmodels."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import mixed_effects, one_way_anova
from statistikles.stats._random_intercept import Profile, fit_ratio


def sample(g: int, size: int, seed: int, spread: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(g), size)
    x = rng.normal(size=g * size)
    y = 2 + 0.5 * x + spread * rng.normal(size=g)[place] + rng.normal(size=g * size)
    return y, x[:, None], np.array([f"g{i:02d}" for i in place], dtype=object)


@given(g=st.integers(3, 8), size=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_balanced_data_without_predictors_give_the_anova_estimators(g: int, size: int, seed: int) -> None:
    y, _, labels = sample(g, size, seed)
    fit = mixed_effects(y, labels)
    table = one_way_anova({k: y[labels == k] for k in sorted(set(labels))})
    means = np.array([y[labels == k].mean() for k in sorted(set(labels))])
    within = sum(float(np.sum((y[labels == k] - y[labels == k].mean()) ** 2)) for k in set(labels))
    msb, msw = size * means.var(ddof=1), within / (g * size - g)
    wanted = (msb - msw) / size
    if wanted > 1e-6 * msw:
        assert fit.details["random_intercept_variance"].value == pytest.approx(wanted, rel=1e-9)
        assert fit.details["residual_variance"].value == pytest.approx(msw, rel=1e-9)
        assert fit.terms["intercept"].df == pytest.approx(g - 1, rel=1e-6)
        assert table.statistic > 1
    elif wanted < -1e-6 * msw:
        assert fit.details["random_intercept_variance"].value == 0.0
        assert fit.details["boundary"] is True
        assert any("boundary" in w for w in fit.warnings)
    assert fit.effect_size.conf_low <= fit.effect_size.estimate <= fit.effect_size.conf_high


def test_derivatives_are_those_of_the_deviance() -> None:
    y, x, labels = sample(6, 4, 3)
    profile = Profile.of(np.column_stack((np.ones(y.size), x)), y, np.unique(labels, return_inverse=True)[1])
    ratio, step = 0.7, 1e-5
    for restricted in (True, False):
        left, right = (profile.deviance(profile.at(ratio + s), restricted) for s in (-step, step))
        assert profile.slope(profile.at(ratio), restricted) == pytest.approx(
            (right - left) / (2 * step), rel=1e-6
        )
    best = fit_ratio(profile, restricted=True)
    variance = best.rss / (profile.n - profile.p)

    def full(r: float, s: float) -> float:
        point = profile.at(r)
        return point.log_det_v + point.log_det_x + (profile.n - profile.p) * math.log(s) + point.rss / s

    r, h, k = best.ratio, 1e-4, 1e-4
    second = (full(r + h, variance) - 2 * full(r, variance) + full(r - h, variance)) / h**2
    mixed = (
        full(r + h, variance + k)
        - full(r + h, variance - k)
        - full(r - h, variance + k)
        + full(r - h, variance - k)
    ) / (4 * h * k)
    h11, h12 = profile.curvature(best, variance)
    assert h11 == pytest.approx(second, rel=1e-4)
    assert h12 == pytest.approx(mixed, rel=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_statsmodels_agrees(seed: int) -> None:
    import statsmodels.api as sm

    y, x, labels = sample(8, 5, seed, 1.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = sm.MixedLM(y, sm.add_constant(x), groups=labels).fit(reml=True, gtol=1e-10)
    fit = mixed_effects(y, labels, x)
    assert fit.terms["x"].estimate == pytest.approx(float(other.fe_params[1]), rel=1e-5)
    assert fit.terms["x"].std_error == pytest.approx(float(other.bse_fe[1]), rel=5e-3)
    assert fit.details["random_intercept_variance"].value == pytest.approx(
        float(other.cov_re[0, 0]), rel=1e-3
    )
    assert fit.log_likelihood == pytest.approx(float(other.llf), rel=1e-7)


@pytest.mark.parametrize(("power_y", "power_x"), [(600, 0), (-600, 0), (0, 500), (0, -500)])
def test_extreme_scales(power_y: int, power_x: int) -> None:
    y, x, labels = sample(6, 4, 1)
    plain = mixed_effects(y, labels, x)
    arguments = {"y": np.ldexp(y, power_y), "x": np.ldexp(x, power_x), "group_ids": labels}
    far = mixed_effects(**arguments)
    assert far.details["residual_sd"].value == pytest.approx(
        math.ldexp(plain.details["residual_sd"].value, power_y)
    )
    if power_y:  # the variances leave the doubles, their roots do not
        assert far.details["residual_variance"] is None
        assert far.details["undefined"]["residual_variance"]
    assert far.terms["x"].statistic == pytest.approx(plain.terms["x"].statistic, rel=1e-10)
    assert far.effect_size.estimate == pytest.approx(plain.effect_size.estimate, rel=1e-10)


def test_an_offset_moves_only_the_intercept() -> None:
    y, x, labels = sample(6, 4, 2)
    y, x = np.round(y * 1024) / 1024, np.round(x * 1024) / 1024
    plain, far = mixed_effects(y, labels, x), mixed_effects(y + 2.0**30, labels, x + 2.0**20)
    assert far.terms["x"].estimate == pytest.approx(plain.terms["x"].estimate, rel=1e-9)
    assert far.effect_size.estimate == pytest.approx(plain.effect_size.estimate, rel=1e-8)


def test_predicted_group_effects_are_shrunk_and_sum_to_zero_in_balance() -> None:
    y, _, labels = sample(5, 4, 9, 2.0)
    effects = mixed_effects(y, labels).details["random_effects"].value
    assert sum(effects.values()) == pytest.approx(0.0, abs=1e-9)
    for name, effect in effects.items():
        raw = y[labels == name].mean() - y.mean()
        assert abs(effect) < abs(raw)
        assert effect * raw >= 0


def test_refusals_name_their_argument() -> None:
    y, x, labels = sample(4, 3, 0)
    with pytest.raises(InputError, match="single row"):
        mixed_effects(y, np.array([f"{i}" for i in range(12)], dtype=object))
    with pytest.raises(NotDefined, match="constant"):
        mixed_effects(np.full(12, 3.0), labels)
    with pytest.raises(NotDefined):
        mixed_effects(y, labels, np.column_stack((x, 2 * x)))
    result = execute_tool(
        "advanced_modeling", {"type": "mixed_effects", "y": [1, 2, 3, 5], "group_ids": ["a", "b"]}
    )
    assert result["code"] == "length_mismatch"
