"""Inverse incomplete beta function: it inverts over the whole range, also where scipy's does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special as sc

from statistikles.stats._beta_inverse import beta_lower_inverse, beta_upper_inverse
from statistikles.stats._discrete import clopper_pearson

powers = st.floats(-1, 9).map(lambda e: 10.0**e)


@pytest.mark.parametrize(
    ("a", "b", "p", "x"),
    # R 4.2.2: print(qbeta(.025, 1000, 1000000001), digits = 17); print(qbeta(.975, 1001, 1000000000), digits = 17)
    [(1000.0, 1000000001.0, 0.025, 9.3897210761742515e-07), (1001.0, 1e9, 0.975, 1.0639510380442843e-06)],
)
def test_against_r(a: float, b: float, p: float, x: float) -> None:
    assert beta_lower_inverse(a, b, p) == pytest.approx(x, rel=1e-12)
    assert beta_upper_inverse(b, a, p) == pytest.approx(1 - x, rel=1e-12)


@given(a=powers, b=powers, p=st.floats(1e-12, 1 - 1e-12))
def test_it_inverts(a: float, b: float, p: float) -> None:
    for inverse, area in ((beta_lower_inverse, sc.betainc), (beta_upper_inverse, sc.betaincc)):
        x = inverse(a, b, p)
        if 1e-300 < x < 1 - 1e-9:  # nearer to 1 the doubles are too far apart to reproduce p
            assert float(area(a, b, x)) == pytest.approx(p, rel=1e-5)


def test_an_interval_of_a_rare_event_holds_its_estimate() -> None:
    low, high = clopper_pearson(1000, 1_000_001_000)
    assert low < 1000 / 1_000_001_000 < high
