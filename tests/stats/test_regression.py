"""Linear regression: exact fits, collinearity, scale, digits against rational arithmetic, agreement with statsmodels."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.strd import lre
from statistikles import collect_numbers, execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import linear_regression
from statistikles.stats._model_bounds import f_noncentrality_interval
from statistikles.stats._noncentral import nc_f_cdf


def rational_fit(
    columns: list[list[Fraction]], y: list[Fraction]
) -> tuple[list[Fraction], list[float], float]:
    """Coefficients, standard errors and R2 with an intercept, in rational arithmetic from the normal equations."""
    design = [[Fraction(1), *row] for row in zip(*columns, strict=True)]
    n, q = len(design), len(design[0])
    work = [
        [sum(r[i] * r[j] for r in design) for j in range(q)]
        + [sum(r[i] * v for r, v in zip(design, y, strict=True))]
        + [Fraction(int(i == j)) for j in range(q)]
        for i in range(q)
    ]
    for i in range(q):
        pivot = next(r for r in range(i, q) if work[r][i] != 0)
        work[i], work[pivot] = work[pivot], work[i]
        work[i] = [v / work[i][i] for v in work[i]]
        for r in range(q):
            if r != i:
                work[r] = [a - work[r][i] * b for a, b in zip(work[r], work[i], strict=True)]
    beta = [row[q] for row in work]
    rss = sum(
        (v - sum(b * c for b, c in zip(beta, r, strict=True))) ** 2 for r, v in zip(design, y, strict=True)
    )
    tss = sum((v - sum(y) / n) ** 2 for v in y)
    errors = [math.sqrt(rss / (n - q) * work[i][q + 1 + i]) for i in range(q)]
    return beta, errors, float(1 - rss / tss)


def test_longley_to_the_last_digits() -> None:
    from statsmodels.datasets import longley

    frame = longley.load_pandas()
    x, y = frame.exog.to_numpy(), frame.endog.to_numpy()
    beta, errors, r2 = rational_fit(
        [[Fraction(repr(float(v))) for v in x[:, j]] for j in range(x.shape[1])],
        [Fraction(repr(float(v))) for v in y],
    )
    for decimal in (False, True):
        result = linear_regression(list(x.T), y, decimal=decimal)
        for term, b, s in zip(result.terms.values(), beta, errors, strict=True):
            assert lre(term.estimate, float(b)) >= 13
            assert lre(term.std_error, s) >= 13
        assert lre(result.r_squared, r2) >= 13


def test_a_polynomial_of_degree_ten_to_the_last_digits() -> None:
    x = [Fraction(k, 8) - 9 for k in range(60)]
    y = [Fraction(round(1000 * math.sin(float(v))), 1000) for v in x]
    columns = [[v**k for v in x] for k in range(1, 11)]
    beta, errors, r2 = rational_fit(columns, y)
    result = linear_regression([float(v) for v in x], [float(v) for v in y], degree=10, decimal=True)
    for term, b, s in zip(result.terms.values(), beta, errors, strict=True):
        assert lre(term.estimate, float(b)) >= 13
        assert lre(term.std_error, s) >= 13
    assert lre(result.r_squared, r2) >= 13


@pytest.mark.parametrize("decimal", [False, True])
def test_an_exact_polynomial_is_recognised(decimal: bool) -> None:
    x = np.arange(21.0)
    y = sum(x**k for k in range(6))
    result = linear_regression(x, y, degree=5, decimal=decimal).to_dict()
    assert result["statistic"] is None
    assert result["p_value"] is None
    assert "exact" in result["undefined"]["statistic"]
    assert [t["estimate"] for t in result["terms"].values()] == [1.0] * 6
    assert all(t["std_error"] == 0.0 and t["statistic"] is None for t in result["terms"].values())
    assert result["r_squared"] == 1.0
    assert result["aic"] is None


@given(seed=st.integers(0, 10_000), p=st.integers(1, 4), intercept=st.booleans())
@settings(max_examples=25, deadline=None)
def test_agrees_with_statsmodels(seed: int, p: int, intercept: bool) -> None:
    import statsmodels.api as sm

    rng = np.random.default_rng(seed)
    x = rng.normal(size=(25, p)) * 10.0 ** rng.integers(-2, 3, size=p) + rng.normal(size=p)
    y = x @ rng.normal(size=p) + rng.normal(size=25)
    fit = sm.OLS(y, sm.add_constant(x) if intercept else x).fit()
    result = linear_regression(list(x.T), y, intercept=intercept)
    assert result.r_squared == pytest.approx(fit.rsquared, rel=1e-8)
    assert result.adj_r_squared == pytest.approx(fit.rsquared_adj, rel=1e-6, abs=1e-9)
    assert result.statistic == pytest.approx(fit.fvalue, rel=1e-7)
    assert result.p_value == pytest.approx(fit.f_pvalue, rel=1e-6, abs=1e-300)
    assert result.log_likelihood == pytest.approx(fit.llf, rel=1e-9)
    for term, b, s, hc in zip(result.terms.values(), fit.params, fit.bse, fit.HC3_se, strict=True):
        assert term.estimate == pytest.approx(b, rel=1e-7, abs=1e-9)
        assert term.std_error == pytest.approx(s, rel=1e-7)
        del hc
    hc3 = [t.std_error for t in result.also["hc3"]["terms"].values()]
    assert hc3 == pytest.approx(list(fit.HC3_se), rel=1e-6)


@pytest.mark.parametrize("power", [-400, -100, 100, 400])
def test_extreme_scale_changes_units_only(power: int) -> None:
    x, y = np.array([1.0, 2, 3, 5, 8, 9]), np.array([2.0, 3, 3, 7, 9, 8])
    here = linear_regression(x, y).to_dict()
    there = linear_regression(np.ldexp(x, power), y).to_dict()
    assert there["statistic"] == pytest.approx(here["statistic"], rel=1e-12)
    for name in ("statistic", "p_value", "standardized"):
        assert there["terms"]["x"][name] == pytest.approx(here["terms"]["x"][name], rel=1e-11)
    assert there["terms"]["x"]["std_error"] == pytest.approx(
        math.ldexp(here["terms"]["x"]["std_error"], -power), rel=1e-11
    )
    hc3 = [r["also"]["hc3"]["terms"]["x"]["std_error"] for r in (here, there)]
    assert hc3[1] == pytest.approx(math.ldexp(hc3[0], -power), rel=1e-11)


def test_offsets_of_a_billion_lose_nothing() -> None:
    x, y = np.array([1.0, 2, 3, 5, 8, 9]), np.array([2.0, 3, 3, 7, 9, 8])
    here, there = linear_regression(x, y), linear_regression(x + 1e9, y + 1e9)
    assert there.statistic == pytest.approx(here.statistic, rel=1e-12)
    assert there.terms["x"].std_error == pytest.approx(here.terms["x"].std_error, rel=1e-12)


def test_rank_deficiency_names_the_column() -> None:
    with pytest.raises(NotDefined, match="'double'"):
        linear_regression(
            [[1.0, 2, 3, 4, 6], [2.0, 4, 6, 8, 12]], [1.0, 3, 2, 5, 4], var_names=["single", "double"]
        )
    with pytest.raises(NotDefined, match="'flat'"):
        linear_regression([[1.0, 2, 3, 4, 6], [5.0] * 5], [1.0, 3, 2, 5, 4], var_names=["a", "flat"])


def test_too_many_predictors_are_refused() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(InputError, match="cannot determine"):
        linear_regression(list(rng.normal(size=(6, 4))), [1.0, 2, 3, 5])


def test_a_saturated_model_has_no_errors_and_says_so() -> None:
    result = linear_regression([1.0, 2.0], [3.0, 7.0]).to_dict()
    assert result["terms"]["x"]["estimate"] == 4.0
    assert result["terms"]["x"]["std_error"] is None
    assert "degrees of freedom" in result["undefined"]["adj_r_squared"]
    assert result["also"]["hc3"]["terms"] is None


def test_without_intercept_r_squared_is_uncentred_and_said_so() -> None:
    x, y = [1.0, 2, 3, 4], [10.0, 11, 12, 13.5]
    result = linear_regression(x, y, intercept=False)
    b = sum(a * c for a, c in zip(x, y, strict=True)) / sum(a * a for a in x)
    rss = sum((c - b * a) ** 2 for a, c in zip(x, y, strict=True))
    assert result.r_squared == pytest.approx(1 - rss / sum(c * c for c in y), rel=1e-12)
    assert any("uncentred" in said for said in result.conventions)


def test_degree_takes_one_predictor() -> None:
    with pytest.raises(InputError, match="one predictor"):
        linear_regression([[1.0, 2, 3, 4, 5], [2.0, 1, 4, 3, 6]], [1.0, 2, 3, 4, 6], degree=2)


def test_a_predictor_may_not_take_the_name_of_the_intercept() -> None:
    with pytest.raises(InputError, match="intercept"):
        linear_regression([1.0, 2, 4], [1.0, 3, 4], var_names=["intercept"])


def test_names_must_match_the_predictors() -> None:
    answer = execute_tool(
        "regression", {"x": [[1, 2, 3, 5], [2, 1, 2, 2]], "y": [1, 2, 3, 4], "var_names": ["a"]}
    )
    assert "names" in answer["error"]


@pytest.mark.parametrize(
    ("f", "df1", "df2"),
    [
        (70.0, 3, 40),
        (41.0, 5, 9),
        (300.0, 1, 2000),
        (5e3, 3, 40),
        (3e4, 2, 500),
        (6e4, 20, 99_979),
        (9e3, 4, 12),
    ],
)
def test_wide_noncentrality_intervals_agree_with_the_full_mixture(f: float, df1: int, df2: int) -> None:
    low, high = f_noncentrality_interval(f, df1, df2, 0.95)  # type: ignore[misc]
    assert nc_f_cdf(f, df1, df2, low) == pytest.approx(0.975, rel=1e-8)
    assert nc_f_cdf(f, df1, df2, high) == pytest.approx(0.025, rel=1e-8)


def test_the_interval_of_an_enormous_f_is_undefined_with_a_reason() -> None:
    x = np.arange(20.0)
    result = linear_regression(x, x + 1e-9 * np.sin(x)).to_dict()
    assert all(math.isfinite(v) for v in collect_numbers(result))
    assert (
        result["effect_sizes"]["r_squared"]["conf_low"] is None
        or result["effect_sizes"]["r_squared"]["conf_low"] <= 1
    )


def test_an_outlier_is_found_at_its_row() -> None:
    x = np.arange(30.0)
    y = 2 * x + np.sin(7 * x)
    y[16] += 25
    found = linear_regression(x, y).to_dict()["diagnostics"]["outlier"]
    assert found["row"] == 17
    assert found["p_value_bonferroni"] < 1e-10


def test_predictions_at_the_data_are_the_fitted_values() -> None:
    x, y = np.array([1.0, 2, 3, 5, 8, 9]), np.array([2.0, 3, 3, 7, 9, 8])
    result = linear_regression(x, y, predict_at=x).to_dict()
    residuals = y - [row["predicted"] for row in result["details"]["predictions"]]
    assert float(residuals @ residuals) == pytest.approx(result["details"]["sum_sq_residual"], rel=1e-12)
    row = result["details"]["predictions"][0]
    assert (
        row["prediction_low"] < row["conf_low"] < row["predicted"] < row["conf_high"] < row["prediction_high"]
    )


def test_extrapolation_is_warned_of() -> None:
    x, y = [1.0, 2, 3, 5], [2.0, 3, 3, 7]
    assert not any("outside" in w for w in linear_regression(x, y, predict_at=[4.0]).warnings)
    assert any("outside" in w for w in linear_regression(x, y, predict_at=[4.0, 6.0]).warnings)


def test_predictions_need_a_column_per_predictor() -> None:
    with pytest.raises(InputError, match="predict_at"):
        linear_regression([[1.0, 2, 3, 5, 4], [1.0, 0, 1, 1, 0]], [2.0, 3, 3, 7, 5], predict_at=[4.0])
