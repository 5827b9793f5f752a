"""Agreement of raters: published values, differential tests, and data on which kappa and ICC do not exist."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats.agreement import cohens_kappa, fleiss_kappa
from statistikles.stats.agreement_icc import FORMS, bland_altman, intraclass_correlation

# Shrout & Fleiss 1979, Table 2: four judges, six targets.
SHROUT = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
# Shrout & Fleiss 1979, Table 4, to the two digits printed there.
PRINTED = dict(zip(FORMS, (0.17, 0.29, 0.71, 0.44, 0.62, 0.91), strict=True))


@pytest.mark.parametrize("form", FORMS)
def test_the_six_forms_of_shrout_and_fleiss(form: str) -> None:
    out = intraclass_correlation(SHROUT, icc_type=form)
    assert round(out.estimate, 2) == PRINTED[form]
    assert out.also[f"icc_{form[4]}_{form[6]}"].estimate == out.estimate


def test_the_one_way_form_does_not_use_the_two_way_error() -> None:
    out = intraclass_correlation(SHROUT, icc_type="ICC(1,1)")
    assert 0.16 < out.estimate < 0.17
    assert (out.df, out.df_error) == (5, 18)


@pytest.mark.parametrize("name", ["icc1", "ICC2k", "ICC(3, k)", "2,1"])
def test_other_spellings_of_the_forms(name: str) -> None:
    assert "error" not in execute_tool(
        "inter_rater_reliability", {"type": "icc", "ratings_matrix": SHROUT, "icc_type": name}
    )


def test_an_unknown_form_lists_the_valid_ones() -> None:
    out = execute_tool(
        "inter_rater_reliability", {"type": "icc", "ratings_matrix": SHROUT, "icc_type": "ICC(4,1)"}
    )
    assert "ICC(2,1)" in out["error"]


def test_perfect_agreement_has_no_f() -> None:
    x = np.repeat(np.array([[1.0], [2.0], [5.0]]), 3, axis=1)
    out = intraclass_correlation(x)
    assert out.estimate == pytest.approx(1.0)
    assert out.statistic is None and "infinite" in out.undefined["statistic"]


def test_raters_a_constant_apart_agree_in_consistency_only() -> None:
    x = np.array([[1.0, 2.0], [2.0, 3.0], [5.0, 6.0], [6.0, 7.0]])
    consistent, absolute = (intraclass_correlation(x, icc_type=f).estimate for f in ("ICC(3,1)", "ICC(2,1)"))
    assert consistent == pytest.approx(1.0)
    assert absolute < 0.99


def test_equal_subjects_leave_the_average_form_undefined() -> None:
    x = [[1.0, 2.0], [2.0, 1.0], [1.5, 1.5]]
    out = intraclass_correlation(x, icc_type="ICC(1,k)")
    assert out.estimate is None and out.undefined["estimate"]
    assert intraclass_correlation(x, icc_type="ICC(1,1)").estimate == pytest.approx(-1.0)
    with pytest.raises(NotDefined):
        intraclass_correlation([[2.0, 2.0], [2.0, 2.0]])


@given(seed=st.integers(0, 300), n=st.integers(2, 8), k=st.integers(2, 5), power=st.integers(-500, 500))
def test_icc_bounds_and_scale(seed: int, n: int, k: int, power: int) -> None:
    x = np.random.default_rng(seed).normal(size=(n, k))
    for form in FORMS:
        out, scaled = (intraclass_correlation(v, icc_type=form) for v in (x, x * 2.0**power))
        if out.estimate is None:
            assert scaled.estimate is None
            continue
        assert out.estimate == pytest.approx(scaled.estimate, rel=1e-12)
        if out.conf_low is not None and form[4] == "2":  # Satterthwaite's interval promises order only
            assert out.conf_low <= out.conf_high <= 1
        elif out.conf_low is not None:
            assert out.conf_low <= out.estimate + 1e-12
            assert out.estimate <= out.conf_high + 1e-12 <= 1 + 2e-12


@pytest.mark.parametrize("seed", range(4))
def test_kappa_agrees_with_statsmodels(seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from statsmodels.stats.inter_rater import cohens_kappa as theirs
        from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, 80)
    b = np.where(rng.random(80) < 0.5, a, rng.integers(0, 4, 80))
    table = np.zeros((4, 4))
    np.add.at(table, (a, b), 1)
    out = cohens_kappa(a.tolist(), b.tolist())
    for ours, wt in (
        (out, None),
        (out.also["linear_weighted"], "linear"),
        (out.also["quadratic_weighted"], "quadratic"),
    ):
        ref = theirs(table, wt=wt)
        assert ours.estimate == pytest.approx(ref.kappa, rel=1e-12)
        assert ours.std_error == pytest.approx(ref.std_kappa, rel=1e-10)
        assert ours.details["std_error_null"] == pytest.approx(ref.std_kappa0, rel=1e-10)
    counts = rng.multinomial(6, [0.5, 0.3, 0.2], size=15).astype(float)
    assert fleiss_kappa(counts).estimate == pytest.approx(their_fleiss(counts), rel=1e-12)


@given(a=st.lists(st.sampled_from("xyz"), min_size=3, max_size=12), seed=st.integers(0, 99))
def test_kappa_is_symmetric_and_bounded(a: list[str], seed: int) -> None:
    b = np.random.default_rng(seed).choice(list("xyz"), len(a)).tolist()
    try:
        left, right = cohens_kappa(a, b), cohens_kappa(b, a)
    except NotDefined:
        assert len(set(a) | set(b)) == 1
        return
    assert left.estimate == pytest.approx(right.estimate, abs=1e-14)
    assert -1 <= left.conf_low <= left.estimate <= left.conf_high <= 1
    assert left.estimate <= left.also["maximum_kappa"] + 1e-12


def test_identical_ratings_are_undefined_but_perfect_agreement_is_one() -> None:
    with pytest.raises(NotDefined):
        cohens_kappa(["a", "a"], ["a", "a"])
    with pytest.raises(NotDefined):
        cohens_kappa(["a", "a"], ["a", "a"], categories=["a", "b"])
    out = cohens_kappa([1, 2, 1, 2], [1, 2, 1, 2])
    assert (out.estimate, out.std_error) == (1.0, 0.0)


def test_raters_with_one_category_each_have_kappa_zero_and_no_z() -> None:
    out = cohens_kappa(["a"] * 4, ["b"] * 4)
    assert out.estimate == 0.0
    assert out.p_value is None and out.undefined["p_value"]


def test_a_rating_outside_the_categories_is_named() -> None:
    with pytest.raises(InputError, match="c"):
        cohens_kappa(["a", "c"], ["a", "b"], categories=["a", "b"])


def test_the_order_of_categories_matters_to_the_weights_only() -> None:
    a, b = ["low", "mid", "high", "mid", "low"], ["low", "high", "high", "mid", "mid"]
    sorted_, ordered = cohens_kappa(a, b), cohens_kappa(a, b, categories=["low", "mid", "high"])
    assert sorted_.estimate == pytest.approx(ordered.estimate, abs=1e-14)
    assert sorted_.also["linear_weighted"].estimate != ordered.also["linear_weighted"].estimate


def test_fleiss_refusals_and_one_subject() -> None:
    with pytest.raises(InputError):
        fleiss_kappa([[2, 1], [2, 2]])
    with pytest.raises(InputError):
        fleiss_kappa([[1, 0], [0, 1]])
    with pytest.raises(InputError):
        fleiss_kappa([[1.5, 1.5], [1, 2]])
    with pytest.raises(NotDefined):
        fleiss_kappa([[3, 0], [3, 0]])
    out = fleiss_kappa([[2, 1]])
    assert out.estimate == pytest.approx(-0.5)
    assert out.std_error is None and out.undefined["std_error"]


def test_an_unused_category_has_no_kappa_of_its_own() -> None:
    out = fleiss_kappa([[3, 0, 1], [0, 0, 4]]).to_dict()
    empty = out["details"]["categories"]["category2"]
    assert empty["estimate"] is None and empty["undefined"]["estimate"]


def test_equal_differences_have_limits_but_no_test() -> None:
    out = bland_altman([1.0, 2, 3], [2.0, 3, 4])
    assert out.estimate == -1.0
    assert out.statistic is None and out.undefined["statistic"]
    assert out.details["lower_limit"]["estimate"] == out.details["upper_limit"]["estimate"] == -1.0


@given(seed=st.integers(0, 100), power=st.integers(-500, 500))
def test_bland_altman_scale_and_coverage(seed: int, power: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(2, 12))
    out, scaled = bland_altman(a, b), bland_altman(a * 2.0**power, b * 2.0**power)
    assert out.statistic == pytest.approx(scaled.statistic, rel=1e-10)
    low, high = out.details["lower_limit"]["estimate"], out.details["upper_limit"]["estimate"]
    assert out.details["n_outside_limits"] == int(((a - b < low) | (a - b > high)).sum())
    assert math.isclose((low + high) / 2, out.estimate, abs_tol=1e-12)
