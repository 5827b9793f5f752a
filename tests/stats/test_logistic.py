"""Logistic regression: separation in all its forms, invariance, extreme scale, agreement with statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from statistikles import Session, execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import logistic_regression

X = np.array(
    [0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.25, 3.5, 4.0, 4.25, 4.5, 4.75]
)
Y = np.array([0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1.0])


@given(seed=st.integers(0, 10_000), p=st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_agrees_with_statsmodels(seed: int, p: int) -> None:
    import statsmodels.api as sm

    rng = np.random.default_rng(seed)
    x = rng.normal(size=(80, p)) * 10.0 ** rng.integers(-2, 3, size=p) + rng.normal(size=p)
    eta = (x - x.mean(0)) / x.std(0) @ rng.normal(scale=0.7, size=p)
    y = (rng.random(80) < 1 / (1 + np.exp(-eta))).astype(float)
    if y.min() == y.max():
        return
    result = logistic_regression(list(x.T), y)
    fit = sm.Logit(y, sm.add_constant(x)).fit(disp=0, method="newton", maxiter=200, tol=1e-12)
    assert result.log_likelihood == pytest.approx(fit.llf, rel=1e-10)
    assert result.p_value == pytest.approx(fit.llr_pvalue, rel=1e-6)
    assert result.pseudo_r_squared["mcfadden"] == pytest.approx(fit.prsquared, rel=1e-7)
    for term, b, s in zip(result.terms.values(), fit.params, fit.bse, strict=True):
        assert term.estimate == pytest.approx(b, rel=1e-6, abs=1e-8)
        assert term.std_error == pytest.approx(s, rel=1e-6)


def test_the_profile_interval_holds_the_estimate_and_differs_from_wald() -> None:
    result = logistic_regression(X, Y)
    wald, profile = result.terms["x"], result.also["profile_likelihood"]["terms"]["x"]
    assert profile.conf_low < wald.estimate < profile.conf_high
    assert profile.conf_high - wald.estimate > wald.conf_high - wald.estimate
    assert profile.statistic == pytest.approx(result.statistic, rel=1e-9)


def test_complete_separation_names_the_predictor() -> None:
    with pytest.raises(NotDefined, match=r"'dose'.*completely") as caught:
        logistic_regression([1.0, 2, 3, 4, 5, 6], [0, 0, 0, 1, 1, 1], var_names=["dose"])
    assert caught.value.code == "separation"


def test_falling_separation_is_found_too() -> None:
    with pytest.raises(NotDefined, match="separates"):
        logistic_regression([6.0, 5, 4, 3, 2, 1], [0, 0, 0, 1, 1, 1])


def test_quasi_separation_of_a_binary_predictor() -> None:
    exposed = [1.0, 1, 1, 0, 0, 0, 0, 0]
    with pytest.raises(NotDefined, match=r"'exposed'.*quasi"):
        logistic_regression(exposed, [1, 1, 1, 1, 0, 0, 1, 0], var_names=["exposed"])


def test_separation_by_a_combination_names_its_members() -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(size=(60, 3))
    y = (x[:, 0] - x[:, 1] > 0.1).astype(float)
    with pytest.raises(NotDefined, match="combination") as caught:
        logistic_regression(list(x.T), y, var_names=["a", "b", "c"])
    assert "'a'" in caught.value.message
    assert "'b'" in caught.value.message


def test_a_steep_but_finite_fit_is_answered() -> None:
    x = np.concatenate((np.arange(50.0), np.arange(50.0)))
    y = (x > 25).astype(float)
    y[25], y[26] = 1.0, 0.0
    result = logistic_regression(x, y)
    assert result.terms["x"].estimate > 1
    assert result.statistic > 100


def test_swapping_the_outcome_turns_every_sign() -> None:
    one, other = logistic_regression(X, Y), logistic_regression(X, 1 - Y)
    assert other.terms["x"].estimate == pytest.approx(-one.terms["x"].estimate, rel=1e-10)
    assert other.statistic == pytest.approx(one.statistic, rel=1e-12)


@pytest.mark.parametrize("power", [-400, -100, 100, 400])
def test_the_unit_of_a_predictor_does_not_matter(power: int) -> None:
    here, there = logistic_regression(X, Y), logistic_regression(np.ldexp(X, power), Y)
    assert there.terms["x"].statistic == pytest.approx(here.terms["x"].statistic, rel=1e-10)
    assert there.statistic == pytest.approx(here.statistic, rel=1e-12)


def test_a_large_offset_does_not_matter() -> None:
    here, there = logistic_regression(X, Y), logistic_regression(X + 1e9, Y)
    assert there.terms["x"].estimate == pytest.approx(here.terms["x"].estimate, rel=1e-9)


def test_an_uninformative_predictor_has_odds_ratio_one() -> None:
    result = logistic_regression([1.0, 2, 1, 2, 1, 2, 1, 2], [0, 0, 1, 1, 0, 0, 1, 1])
    assert result.terms["x"].odds_ratio == pytest.approx(1.0, abs=1e-12)
    assert result.p_value == pytest.approx(1.0, abs=1e-9)
    assert result.effect_size.estimate == pytest.approx(0.5)


def test_outcomes_other_than_0_and_1_are_refused() -> None:
    assert "0 and 1" in execute_tool("logistic_regression", {"x": [1, 2, 3], "y": [1, 2, 1]})["error"]
    assert execute_tool("logistic_regression", {"x": [1, 2, 3], "y": [1, 1, 1]})["code"] == "zero_variance"
    with pytest.raises(InputError):
        logistic_regression([1.0, 2, 3], [0, 1])


def test_few_events_per_predictor_are_warned_of() -> None:
    assert any("rarer outcome" in w for w in logistic_regression(X, Y).warnings)


def test_an_outcome_with_missing_values_is_fitted_on_the_rows_that_have_it() -> None:
    x = [1.0, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    y = [0, 0, 1, None, 0, 1, 1, None, 0, 1]
    kept = [(a, b) for a, b in zip(x, y, strict=True) if b is not None]
    whole = execute_tool("logistic_regression", {"x": [[a for a, _ in kept]], "y": [b for _, b in kept]})
    session = Session(data={"x": x, "y": y, "told": [None if v is None else v == 1 for v in y]})
    for name in ("y", "told"):
        found = session.run("logistic_regression", {"x": ["x"], "y": name})["result"]
        assert found["n_missing"] == 2
        assert (
            found["terms"]["x"]["estimate"]
            == whole["terms"]["x1" if "x1" in whole["terms"] else "x"]["estimate"]
        )
