"""PERMANOVA: traps, degenerate input, laws, and its special case, the analysis of variance."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.stats import permanova
from statistikles.stats._permanova import arrangements, listed

Array = NDArray[np.float64]


def points(seed: int, n: int, shift: float = 0.0) -> tuple[Array, list[str]]:
    r = np.random.default_rng(seed)
    labels = [f"g{i % 3}" for i in range(n)]
    x = r.normal(size=(n, 4)) + shift * np.array([[float(label[1])] for label in labels])
    return euclidean(x), labels


def euclidean(x: Array) -> Array:
    d = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1))
    return (d + d.T) / 2


def test_of_one_variable_is_the_analysis_of_variance() -> None:
    from scipy import stats as sps

    r = np.random.default_rng(0)
    x = r.normal(size=(24, 1))
    labels = [f"g{i % 3}" for i in range(24)]
    groups = [x[[j for j in range(24) if labels[j] == g], 0] for g in ("g0", "g1", "g2")]
    found = permanova(euclidean(x), group_labels=labels, n_permutations=9).sources["group"]
    assert found.statistic == pytest.approx(sps.f_oneway(*groups).statistic, rel=1e-10)


def test_balanced_design_has_no_negative_sums_and_the_terms_add_up() -> None:
    x = np.random.default_rng(3).normal(size=(24, 5))
    a, b = [str(i % 2) for i in range(24)], [str(i // 2 % 3) for i in range(24)]
    result = permanova(euclidean(x), factors={"a": a, "b": b}, interaction=True, n_permutations=49)
    sums = {k: s.sum_sq for k, s in result.sources.items()}
    assert all(v is not None and v >= 0 for v in sums.values())
    assert sum(v for k, v in sums.items() if k != "total") == pytest.approx(sums["total"])  # type: ignore[misc]
    sequential = result.also["sequential"]
    for name in ("a", "b", "a × b"):  # balanced: the order does not matter
        assert sequential[name].sum_sq == pytest.approx(sums[name])


def test_adjusted_terms_do_not_depend_on_the_order_of_the_factors() -> None:
    d, a = points(4, 17, 0.4)
    b = [str(i % 2) for i in range(17)]
    one = permanova(d, factors={"a": a, "b": b}, n_permutations=19).sources
    two = permanova(d, factors={"b": b, "a": a}, n_permutations=19).sources
    for name in ("a", "b"):
        assert one[name].statistic == pytest.approx(two[name].statistic, rel=1e-9)


def test_p_values_are_exact_when_all_arrangements_can_be_listed() -> None:
    d = np.array([[0, 3, 7, 2, 1], [3, 0, 5, 4, 1], [7, 5, 0, 2, 6], [2, 4, 2, 0, 2], [1, 1, 6, 2, 0]], float)
    result = permanova(d, group_labels=["C", "C", "G1", "G2", "G2"])
    assert result.sources["group"].p_value == pytest.approx(1 / 3)
    assert result.seed is None and "exact" in result.method
    assert permanova(d, group_labels=["C", "C", "G1", "G2", "G2"], seed=99) == result


def test_random_permutations_count_the_observed_one_and_repeat_with_their_seed() -> None:
    d, labels = points(5, 30, 5.0)
    result = permanova(d, group_labels=labels, n_permutations=199, seed=3)
    assert result.sources["group"].p_value == pytest.approx(1 / 200)
    assert result.seed == 3
    assert permanova(d, group_labels=labels, n_permutations=199, seed=3) == result


def test_p_is_uniform_under_the_null() -> None:
    from scipy import stats as sps

    p = []
    for seed in range(80):
        d, labels = points(seed, 21)
        p.append(permanova(d, group_labels=labels, n_permutations=99, seed=seed).sources["group"].p_value)
    assert sps.kstest(p, "uniform").pvalue > 0.001


def test_listing_yields_each_arrangement_once() -> None:
    cells = np.array([0, 0, 1, 2, 2])
    found = {tuple(a.tolist()) for a in listed(cells)}
    assert found == set(itertools.permutations(cells.tolist()))
    assert arrangements(cells, 100) == len(found) == 30
    assert arrangements(np.repeat([0, 1], 500), 10**6) is None


def test_order_of_objects_and_unit_of_distance_change_nothing() -> None:
    d, labels = points(6, 9, 0.5)
    plain = permanova(d, group_labels=labels)
    order = np.random.default_rng(0).permutation(9)
    moved = permanova(d[np.ix_(order, order)], group_labels=[labels[i] for i in order])
    assert moved.sources["group"].p_value == plain.sources["group"].p_value
    for power in (-300, 300):
        scaled = permanova(np.ldexp(d, power), group_labels=labels)
        assert scaled.sources["group"].statistic == pytest.approx(plain.sources["group"].statistic, rel=1e-12)
        assert scaled.sources["group"].p_value == plain.sources["group"].p_value
    huge = permanova(np.ldexp(d, 600), group_labels=labels).sources["group"]
    assert huge.sum_sq is None and huge.undefined["sum_sq"]
    assert huge.p_value == plain.sources["group"].p_value


def test_unequal_dispersion_is_cautioned() -> None:
    r = np.random.default_rng(1)
    x = np.vstack((r.normal(0, 0.1, (20, 3)), r.normal(0, 5, (12, 3))))
    result = permanova(euclidean(x), group_labels=["a"] * 20 + ["b"] * 12, n_permutations=99)
    assert any("dispersion" in w for w in result.warnings)


def test_negative_sums_of_non_euclidean_distances_are_said() -> None:
    d = np.array([[0, 1, 9, 1], [1, 0, 1, 9], [9, 1, 0, 1], [1, 9, 1, 0]], float)
    try:
        result = permanova(d, group_labels=["a", "b", "a", "b"])
    except NotDefined:
        return
    for source in result.sources.values():
        assert source.sum_sq is not None or "negative" in source.undefined["sum_sq"]


@pytest.mark.parametrize(
    ("change", "error", "word"),
    [
        ({"group_labels": None}, InputError, "group_labels"),
        ({"factors": {"a": ["x", "y"] * 3}}, InputError, "not both"),
        ({"group_labels": ["a", None, "b", "b", "a", "a"]}, InputError, "usable labels"),
        (
            {"group_labels": None, "factors": {"a": ["x", "y"] * 3, "b": ["u", "v"] * 3}},
            NotDefined,
            "say the same",
        ),
        ({"group_labels": None, "factors": {}}, InputError, "empty"),
        ({"group_labels": None, "factors": {"a": "xyxyxy"}}, InputError, "list of labels"),
        ({"interaction": True}, InputError, "two factors"),
        ({"n_permutations": 100_001}, InputError, "limit"),
    ],
)
def test_what_cannot_be_used_is_named(change: dict[str, object], error: type[Exception], word: str) -> None:
    d, _ = points(1, 6)
    with pytest.raises(error, match=word):
        permanova(d, **{"group_labels": ["a", "b"] * 3, **change})


def test_degenerate_distances() -> None:
    with pytest.raises(NotDefined, match="zero"):
        permanova(np.zeros((4, 4)), group_labels=["a", "a", "b", "b"])
    apart = np.array([[0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]], float)
    with pytest.raises(NotDefined, match="residual"):
        permanova(apart, group_labels=["a", "a", "b", "b"])
    similar = np.ones((4, 4))
    with pytest.raises(InputError, match="diagonal"):
        permanova(similar, group_labels=["a", "a", "b", "b"])


def test_smallest_possible_p_is_said_when_it_exceeds_alpha() -> None:
    d, _ = points(2, 4)
    result = permanova(d, group_labels=["a", "a", "b", "b"])
    assert any("arrangements" in w for w in result.warnings)
    assert math.isclose((result.sources["group"].p_value or 0) * 6 % 1, 0, abs_tol=1e-9)
