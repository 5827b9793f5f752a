"""Validity: published critical values, laws, constructs that cannot be estimated, refusals."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats.validity import content_validity_index, content_validity_ratio, criterion_validity
from statistikles.stats.validity_constructs import construct_validity


@given(n=st.integers(1, 60))
def test_critical_numbers_by_exact_counting(n: int) -> None:
    tail, critical = Fraction(0), None
    for m in range(n, -1, -1):
        tail += Fraction(math.comb(n, m), 2**n)
        if tail > Fraction(1, 20):
            break
        critical = m
    assert content_validity_ratio(n, n).details["critical_n"] == critical


def test_no_made_up_value_for_a_panel_too_small() -> None:
    out = content_validity_ratio(4, 4).to_dict()
    assert out["details"]["critical_cvr"] is None
    assert "unanimity" in out["details"]["undefined"]["critical_cvr"]
    assert out["details"]["reached"] is False


@given(n=st.integers(1, 200), data=st.data())
def test_cvr_is_bounded_and_odd(n: int, data: st.DataObject) -> None:
    m = data.draw(st.integers(0, n))
    a, b = content_validity_ratio(m, n), content_validity_ratio(n - m, n)
    assert -1 <= a.conf_low <= a.estimate <= a.conf_high <= 1
    assert a.estimate == pytest.approx(-b.estimate)


def test_the_default_type_is_cvr() -> None:
    assert execute_tool("validity_assessment", {"n_essential": 8, "n_total": 10})[
        "estimate"
    ] == pytest.approx(0.6)


def test_ave_comes_from_loadings_not_from_a_diagonal() -> None:
    out = construct_validity(loadings={"a": [0.5, 0.5, 0.5]}).to_dict()
    assert out["constructs"]["a"]["ave"] == pytest.approx(0.25)
    assert out["constructs"]["a"]["convergent"] is False
    assert "a" in out["warnings"][0]


def test_items_by_columns_and_by_construct_agree() -> None:
    rng = np.random.default_rng(2)
    f = rng.normal(size=(40, 2))
    x = np.column_stack(
        [f[:, [0]] + 0.5 * rng.normal(size=(40, 3)), f[:, [1]] + 0.5 * rng.normal(size=(40, 2))]
    )
    left = construct_validity(items={"A": x[:, :3].tolist(), "B": x[:, 3:].tolist()})
    right = construct_validity(items=x.tolist(), constructs=["A", "A", "A", "B", "B"])
    assert left.to_dict() == right.to_dict()


@given(seed=st.integers(0, 50), power=st.integers(-300, 300))
def test_units_do_not_matter(seed: int, power: int) -> None:
    rng = np.random.default_rng(seed)
    f = rng.normal(size=(30, 1))
    x = f + 0.6 * rng.normal(size=(30, 6))
    names = ["A", "A", "A", "B", "B", "B"]
    a, b = (
        construct_validity(items=x, constructs=names),
        construct_validity(items=x * 2.0**power, constructs=names),
    )
    left, right = a.pairs["A - B"], b.pairs["A - B"]
    assert left["htmt"] == pytest.approx(right["htmt"], rel=1e-9)
    assert left["latent_correlation"] == pytest.approx(right["latent_correlation"], rel=1e-6)


def test_a_single_item_construct_has_no_ave() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(20, 4))
    out = construct_validity(items=x, constructs=["A", "A", "A", "solo"]).to_dict()
    assert out["constructs"]["solo"]["ave"] is None and out["constructs"]["solo"]["undefined"]["ave"]
    assert out["pairs"]["A - solo"]["htmt"] is None
    assert any("solo" in w for w in out["warnings"])


def test_refusals() -> None:
    with pytest.raises(InputError):
        construct_validity()
    with pytest.raises(InputError):
        construct_validity(loadings={"a": [1.2]})
    with pytest.raises(InputError, match="a"):
        construct_validity(loadings={"a": ["x"]})
    with pytest.raises(NotDefined, match="constant"):
        construct_validity(items={"a": [[1, 2.0], [1, 3], [1, 4]]})
    with pytest.raises(InputError):
        construct_validity(items=[[1, 2.0], [2, 3], [1, 4]], constructs=["a"])
    with pytest.raises(InputError):
        content_validity_ratio(3, 0)


def test_index_bounds() -> None:
    out = content_validity_index([[4, 4, 4], [1, 1, 1]])
    assert out.s_cvi_average == 0.5
    assert out.items["item1"]["modified_kappa"] == pytest.approx(1.0)


def test_attenuation_can_exceed_one_and_says_so() -> None:
    x = [1.0, 2, 3, 4, 5, 6]
    out = criterion_validity(x, [1.0, 2, 3, 4, 6, 5], predictor_reliability=0.5, criterion_reliability=0.5)
    assert out.also["corrected_for_attenuation"].estimate > 1
    assert out.warnings


def test_a_perfect_line_and_a_constant() -> None:
    out = criterion_validity([1.0, 2, 3, 4], [2.0, 4, 6, 8], unrestricted_sd=3.0)
    assert out.estimate == 1.0 and out.conf_low is None
    assert out.also["corrected_for_range_restriction"].estimate == pytest.approx(1.0)
    with pytest.raises(NotDefined):
        criterion_validity([1.0, 1, 1], [1.0, 2, 3])


@given(r=st.integers(0, 500), ratio=st.floats(0.01, 100))
def test_range_restriction_keeps_the_sign_and_the_bounds(r: int, ratio: float) -> None:
    rng = np.random.default_rng(r)
    x, y = rng.normal(size=(2, 12))
    out = criterion_validity(x, y, unrestricted_sd=ratio)
    value = out.also["corrected_for_range_restriction"].estimate
    assert -1 <= value <= 1
    assert value * out.estimate >= 0
