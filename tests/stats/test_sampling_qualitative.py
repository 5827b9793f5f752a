"""Sampling design and thematic saturation: laws, coverage of the unit interval, EM against a direct maximiser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats._normal_em import missing_patterns, normal_em
from statistikles.stats.qualitative import thematic_saturation
from statistikles.stats.sampling import design_effect, littles_mcar_test, margin_of_error


@given(n=st.integers(1, 3000), level=st.floats(0.5, 0.999), data=st.data())
def test_wilson_and_exact_stay_in_the_unit_interval(n: int, level: float, data: st.DataObject) -> None:
    p = data.draw(st.integers(0, n)) / n
    out = margin_of_error(
        n, p, conf_level=level, population=data.draw(st.sampled_from([None, n, n + 1, 10 * n]))
    )
    for name in ("wilson", "agresti_coull", "clopper_pearson"):
        bounds = out.intervals[name]
        assert 0 <= bounds["conf_low"] <= bounds["conf_high"] <= 1
    assert out.conf_low <= p <= out.conf_high
    assert out.margin_of_error >= 0


def test_a_census_has_no_margin() -> None:
    out = margin_of_error(50, 0.3, population=50)
    assert out.margin_of_error == 0.0
    assert (out.conf_low, out.conf_high) == (0.3, 0.3)


def test_a_rare_event_warns_about_wald() -> None:
    assert margin_of_error(20, 0.05).warnings
    assert margin_of_error(20, 0.05).intervals["wald"]["conf_low"] < 0 < margin_of_error(20, 0.05).conf_low


def test_confidence_is_accepted_under_its_contract_name() -> None:
    out = execute_tool("sampling_design", {"type": "margin_of_error", "n": 400, "confidence": 0.9})
    assert out["conf_level"] == 0.9


@given(icc=st.floats(0, 1), m=st.floats(1, 1000))
def test_design_effect_is_at_least_one_for_positive_correlation(icc: float, m: float) -> None:
    out = design_effect(icc, m, n=100)
    assert out.design_effect >= 1
    assert out.effective_n <= 100


def test_clusters_that_cancel_have_no_effective_size() -> None:
    out = design_effect(-1.0, 2, n=10).to_dict()
    assert out["design_effect"] == 0
    assert out["effective_n"] is None and out["undefined"]["effective_n"]


def holes(seed: int, n: int = 60, k: int = 3, share: float = 0.2) -> list[list[float | None]]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 1)) + rng.normal(size=(n, k))
    gone = rng.random((n, k)) < share
    return [
        [None if g else float(v) for v, g in zip(r, m, strict=True)] for r, m in zip(x, gone, strict=True)
    ]


@pytest.mark.parametrize("seed", range(4))
def test_em_reaches_the_maximum_of_the_observed_likelihood(seed: int) -> None:
    from scipy.optimize import minimize

    rows = holes(seed, 40, 2)
    x = np.array([[0.0 if v is None else v for v in r] for r in rows])
    gone = np.array([[v is None for v in r] for r in rows])
    x, gone = x[~gone.all(axis=1)], gone[~gone.all(axis=1)]
    mean, cov, _ = normal_em(missing_patterns(x, gone), np.zeros(2), np.ones(2))

    def loss(t: np.ndarray) -> float:
        low = np.array([[np.exp(t[2]), 0], [t[4], np.exp(t[3])]])
        s, total = low @ low.T, 0.0
        for row, miss in zip(x, gone, strict=True):
            o = ~miss
            d = row[o] - t[:2][o]
            total += float(np.linalg.slogdet(s[np.ix_(o, o)])[1] + d @ np.linalg.solve(s[np.ix_(o, o)], d))
        return total

    low = np.linalg.cholesky(cov)
    ours = np.array([*mean, np.log(low[0, 0]), np.log(low[1, 1]), low[1, 0]])
    other = minimize(loss, np.zeros(5), method="BFGS")
    assert loss(ours) <= other.fun + 1e-8
    assert ours == pytest.approx(other.x, abs=1e-3)


@given(seed=st.integers(0, 40), power=st.integers(-300, 300))
def test_littles_test_does_not_depend_on_units_or_order(seed: int, power: int) -> None:
    rows = holes(seed)
    a = littles_mcar_test(rows)
    scaled = [[None if v is None else v * 2.0**power + 0.0 for v in r] for r in rows]
    b = littles_mcar_test([scaled[i] for i in np.random.default_rng(seed).permutation(len(rows))])
    assert a.statistic == pytest.approx(b.statistic, rel=1e-7)
    assert 0 <= a.p_value <= 1


def test_values_missing_by_size_are_found_out() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    y = (x + 0.3 * rng.normal(size=200)).tolist()
    y = [None if u > 0.5 else v for u, v in zip(x, y, strict=True)]
    assert littles_mcar_test({"x": x.tolist(), "y": y}).p_value < 1e-6


def test_what_littles_test_cannot_use_is_refused() -> None:
    with pytest.raises(NotDefined, match="no value is missing"):
        littles_mcar_test({"a": [1.0, 2, 3], "b": [2.0, 1, 5]})
    with pytest.raises(NotDefined, match="'b'"):
        littles_mcar_test({"a": [1.0, 2, 3, None], "b": [2.0, 2, None, 2]})
    with pytest.raises(NotDefined, match="never observed together"):
        littles_mcar_test({"a": [1.0, 2, None, None], "b": [None, None, 2.0, 3]})
    with pytest.raises(InputError):
        littles_mcar_test({"a": [1.0, None, 3]})
    with pytest.raises(NotDefined):
        littles_mcar_test({"a": [1.0, 2, 3, 4, None], "b": [1.0, 2, 3, 4, 5]})


@given(x=st.lists(st.integers(0, 20), min_size=3, max_size=15), w=st.integers(1, 3))
def test_saturation_is_where_the_window_says(x: list[int], w: int) -> None:
    out = thematic_saturation(x, window=w)
    assert out.cumulative[-1] == sum(x)
    assert len(out.moving_average) == len(x) - w + 1
    at = out.saturation_interview
    if at is None:
        assert min(out.moving_average) >= 0.5
        assert out.undefined["saturation_interview"]
    else:
        assert sum(x[at - w : at]) / w < 0.5
        assert all(sum(x[i - w : i]) / w >= 0.5 for i in range(w, at))


def test_counts_must_be_whole_and_not_negative() -> None:
    for bad in ([1.5, 2], [-1, 2], []):
        with pytest.raises(InputError):
            thematic_saturation(bad, window=1)
