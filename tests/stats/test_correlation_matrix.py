"""The correlation matrix against pandas and scipy, pair by pair, also where values are missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from statsmodels.stats.multitest import multipletests

from statistikles import execute_tool
from statistikles.errors import InputError, NotDefined
from statistikles.stats import correlation_matrix

RNG = np.random.default_rng(7)
FRAME = pd.DataFrame(RNG.normal(size=(40, 4)), columns=["a", "b", "c", "d"])
FRAME["d"] += FRAME["a"]
FRAME.loc[[3, 9], "b"] = np.nan
FRAME.loc[[5], "c"] = np.nan
DATA = {name: [None if pd.isna(v) else float(v) for v in FRAME[name]] for name in FRAME}


def _matrix(**more: object) -> dict[str, object]:
    return execute_tool("correlation", {"method": "matrix", "data": DATA, **more})


def test_every_pair_is_that_of_pandas() -> None:
    expected = FRAME.corr()
    result = _matrix()
    assert len(result["rows"]) == 6
    for row in result["rows"]:
        assert row["r"] == pytest.approx(expected.loc[row["first"], row["second"]], rel=1e-12)
        both = FRAME[[row["first"], row["second"]]].dropna()
        assert row["n"] == len(both)
        assert row["p_value"] == pytest.approx(
            scipy.stats.pearsonr(both.iloc[:, 0], both.iloc[:, 1]).pvalue, rel=1e-9
        )


def test_the_strongest_pair_comes_first_and_p_is_adjusted() -> None:
    result = _matrix()
    assert {result["rows"][0]["first"], result["rows"][0]["second"]} == {"a", "d"}
    plain = [row["p_value"] for row in result["rows"]]
    expected = multipletests(plain, method="holm")[1]
    assert [row["p_holm"] for row in result["rows"]] == pytest.approx(list(expected), rel=1e-12)


def test_ranks_and_a_target() -> None:
    result = _matrix(coefficient="spearman", target="a")
    expected = FRAME.corr(method="spearman")
    assert len(result["rows"]) == 3
    for row in result["rows"]:
        assert row["r"] == pytest.approx(expected.loc[row["first"], row["second"]], rel=1e-12)


def test_a_constant_column_is_named() -> None:
    result = execute_tool("correlation", {"method": "matrix", "data": {**DATA, "e": [1.0] * 40}})
    assert len(result["rows"]) == 6
    assert "all values of e are the same" in result["details"]["undefined_pairs"]["a, e"]
    with pytest.raises(NotDefined, match="all values of b are the same"):
        correlation_matrix({"a": [1.0, 2, 3], "b": [1.0, 1, 1]})


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="2 to 30 variables"):
        correlation_matrix({"a": [1.0, 2, 3]})
    with pytest.raises(InputError, match="none of the variables"):
        correlation_matrix({"a": [1.0, 2, 4], "b": [1.0, 3, 2]}, target="c")
