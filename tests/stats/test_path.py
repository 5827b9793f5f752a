"""Path analysis: fit function, effects and bootstrap against independent computations; laws and refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats._path_model import bootstrap_coefficients, fit_path_model, read_model
from statistikles.stats.path import path_analysis

CHAIN = [["M", ["X"]], ["Y", ["M"]]]


def chain(seed: int, n: int = 100) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    m = 0.6 * x + rng.normal(size=n)
    return {"X": x, "M": m, "Y": 0.5 * m + rng.normal(size=n)}


@pytest.mark.parametrize("seed", range(4))
def test_the_discrepancy_is_that_of_the_implied_matrix(seed: int) -> None:
    d = chain(seed)
    model = read_model([["M", ["X"]], ["Y", ["M"]], ["W", ["X", "Y"]]], ["X", "M", "Y", "W"])
    rng = np.random.default_rng(seed + 1000)
    d["W"] = d["Y"] - d["X"] + rng.normal(size=100)
    r = np.corrcoef([d[v] for v in model.variables])
    fit = fit_path_model(model, r)
    sigma = fit.implied
    by_definition = (
        np.linalg.slogdet(sigma)[1] + np.trace(np.linalg.solve(sigma, r)) - np.linalg.slogdet(r)[1] - len(r)
    )
    assert fit.discrepancy == pytest.approx(by_definition, abs=1e-12)
    # No other coefficients imply a closer matrix.
    for _ in range(20):
        b = fit.coefficients + 0.02 * rng.normal(size=fit.coefficients.shape) * (fit.coefficients != 0)
        t = np.linalg.inv(np.eye(len(r)) - b)
        other = t @ np.diag(fit.residual) @ t.T
        worse = (
            np.linalg.slogdet(other)[1]
            + np.trace(np.linalg.solve(other, r))
            - np.linalg.slogdet(r)[1]
            - len(r)
        )
        assert worse >= by_definition - 1e-12


@given(
    seed=st.integers(0, 40),
    powers=st.tuples(*[st.integers(-250, 250)] * 3),
    shift=st.sampled_from([0.0, 1e6]),
)
def test_units_and_origins(seed: int, powers: tuple[int, int, int], shift: float) -> None:
    d = {k: np.round(v, 4) for k, v in chain(seed, 40).items()}
    moved = {k: (v + shift) * 2.0**p for (k, v), p in zip(d.items(), powers, strict=True)}
    a, b = path_analysis(d, CHAIN, n_reps=20), path_analysis(moved, CHAIN, n_reps=20)
    assert a.statistic == pytest.approx(b.statistic, rel=1e-6, abs=1e-9)
    for name in a.terms:
        assert a.terms[name].standardized == pytest.approx(b.terms[name].standardized, rel=1e-7)
        assert a.terms[name].statistic == pytest.approx(b.terms[name].statistic, rel=1e-7)
    left, right = (o.details["indirect_effects"]["X -> M -> Y"] for o in (a, b))
    factor = 2.0 ** (powers[2] - powers[0])
    assert left["boot_conf_low"] * factor == pytest.approx(right["boot_conf_low"], rel=1e-5)


def test_effects_add_up() -> None:
    d = chain(3)
    out = path_analysis(d, [["M", ["X"]], ["Y", ["M", "X"]]], n_reps=200)
    pair = out.details["total_effects"]["X -> Y"]
    assert pair["direct"] + pair["indirect"]["estimate"] == pytest.approx(pair["total"]["estimate"])
    # In a saturated chain the total effect is the simple slope of Y on X.
    assert pair["total"]["estimate"] == pytest.approx(np.polyfit(d["X"], d["Y"], 1)[0], rel=1e-10)
    assert out.df == 0 and out.p_value is None and out.undefined["p_value"]


def test_the_sobel_error_of_a_single_mediator() -> None:
    out = path_analysis(chain(1), CHAIN, n_reps=20)
    a, b = out.terms["M ~ X"], out.terms["Y ~ M"]
    sobel = (a.estimate**2 * b.std_error**2 + b.estimate**2 * a.std_error**2) ** 0.5
    assert out.details["indirect_effects"]["X -> M -> Y"]["std_error"] == pytest.approx(sobel, rel=1e-12)


def test_bootstrap_is_seeded_and_agrees_with_resampling_rows() -> None:
    d = chain(5, 60)
    a, b, c = (path_analysis(d, CHAIN, n_reps=300, seed=s).to_dict() for s in (7, 7, 8))
    assert a == b
    assert a["seed"] == 7
    assert a["details"]["indirect_effects"] != c["details"]["indirect_effects"]
    model = read_model(CHAIN, ["X", "M", "Y"])
    z = np.column_stack([d[v] - d[v].mean() for v in model.variables])
    draws, failed = bootstrap_coefficients(model, z, 4000, 0)
    rng = np.random.default_rng(1)
    rows = [rng.integers(0, 60, 60) for _ in range(4000)]
    by_hand = np.array(
        [np.polyfit(z[r, 0], z[r, 1], 1)[0] * np.polyfit(z[r, 1], z[r, 2], 1)[0] for r in rows]
    )
    assert failed == 0
    assert draws.prod(axis=1).mean() == pytest.approx(by_hand.mean(), abs=0.02)
    assert draws.prod(axis=1).std() == pytest.approx(by_hand.std(), rel=0.07)


def test_bootstrap_does_not_depend_on_the_piece_size(monkeypatch: pytest.MonkeyPatch) -> None:
    d = chain(2, 30)
    model = read_model(CHAIN, ["X", "M", "Y"])
    z = np.column_stack([d[v] - d[v].mean() for v in model.variables])
    whole, _ = bootstrap_coefficients(model, z, 50, 3)
    monkeypatch.setattr("statistikles.stats._path_model._MEMORY", 200)
    pieces, _ = bootstrap_coefficients(model, z, 50, 3)
    assert pieces == pytest.approx(whole, rel=1e-12)


def test_equations_as_text_mean_the_same() -> None:
    d = chain(4, 40)
    a = path_analysis(d, ["M ~ X", "Y ~ M + X"], n_reps=20).to_dict()
    assert a == path_analysis(d, [["M", "X"], ["Y", ["M", "X"]]], n_reps=20).to_dict()


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ([["M", ["X"]], ["X", ["Y"]], ["Y", ["M"]]], "cycle"),
        ([["M", ["M"]]], "twice"),
        ([["M", ["X"]], ["M", ["Y"]]], "two equations"),
        ([["M", ["Z"]]], "'Z'"),
        ([["M"]], "form"),
        ([["M", []]], "predictor"),
        ([], "no equations"),
    ],
)
def test_models_that_are_refused(spec: list[object], word: str) -> None:
    with pytest.raises(InputError, match=word):
        path_analysis(chain(0), spec)


def test_data_that_are_refused() -> None:
    d = chain(0, 20)
    with pytest.raises(NotDefined, match="'M'"):
        path_analysis({**d, "M": np.ones(20)}, CHAIN)
    with pytest.raises(NotDefined, match="combinations"):
        path_analysis({**d, "M": 2 * d["X"]}, CHAIN)
    with pytest.raises(InputError, match="rows"):
        path_analysis({k: v[:3] for k, v in d.items()}, CHAIN)
    out = execute_tool("path_analysis", {"data": {"a": [1, 2, 3], "b": [1, 2]}, "model_spec": [["a", ["b"]]]})
    assert out["code"] == "length_mismatch"


def test_missing_rows_are_dropped_jointly_and_counted() -> None:
    d = {k: v.tolist() for k, v in chain(6, 30).items()}
    d["M"][4] = None
    d["Y"][9] = None
    out = path_analysis(d, CHAIN, n_reps=20)
    assert (out.n, out.n_missing) == (28, 2)


def test_a_reversed_chain_fits_worse_than_the_true_one() -> None:
    d = chain(8, 400)
    right = path_analysis(d, CHAIN, n_reps=10)
    wrong = path_analysis(d, [["M", ["X"]], ["Y", ["X"]]], n_reps=10)
    assert right.p_value > 0.01 > wrong.p_value
    assert wrong.details["fit"]["rmsea"] > right.details["fit"]["rmsea"]
