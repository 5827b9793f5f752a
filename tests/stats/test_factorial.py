"""Factorial and repeated-measures analysis of variance against statsmodels, and their degenerate cases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.formula.api import ols
from statsmodels.stats.anova import AnovaRM, anova_lm

from statistikles import Session, execute_tool


def table(seed: int, n: int = 40, offset: float = 0.0) -> pd.DataFrame:
    """Random rows with every combination of two factors."""
    rng = np.random.default_rng(seed)
    a = np.concatenate([np.repeat(["p", "q"], 3), rng.choice(["p", "q"], n)])
    b = np.concatenate([np.tile(["u", "v", "w"], 2), rng.choice(["u", "v", "w"], n)])
    x = rng.normal(size=a.size)
    y = offset + rng.normal(size=a.size) + (a == "p") * 0.7 + (b == "w") * x
    return pd.DataFrame({"a": a, "b": b, "x": x, "y": y})


def call(data: pd.DataFrame, **more: Any) -> dict[str, Any]:
    return execute_tool(
        "anova",
        {
            "type": "factorial",
            "y": data.y.tolist(),
            "factor_a": data.a.tolist(),
            "factor_b": data.b.tolist(),
            "var_names": ["a", "b", *(["x"] if "covariates" in more else [])],
            **more,
        },
    )


@pytest.mark.parametrize("kind", [1, 2, 3])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_the_three_types_agree_with_statsmodels(kind: int, seed: int) -> None:
    data = table(seed)
    fit = ols("y ~ x + C(a, Sum) * C(b, Sum)", data).fit()
    wanted = anova_lm(fit, typ=kind)
    found = call(data, covariates=[data.x.tolist()])
    sources = {1: found["also"]["type_i"], 2: found["sources"], 3: found["also"]["type_iii"]}[kind]
    names = {"x": "x", "C(a, Sum)": "a", "C(b, Sum)": "b", "C(a, Sum):C(b, Sum)": "a × b"}
    if kind == 1:  # the formula puts numeric terms last
        wanted = anova_lm(*[ols(f, data).fit() for f in ("y ~ x", "y ~ x + C(a)")])
        assert sources["a"]["sum_sq"] == pytest.approx(wanted.ss_diff.iloc[1], rel=1e-9)
        return
    for theirs, ours in names.items():
        assert sources[ours]["sum_sq"] == pytest.approx(wanted.sum_sq[theirs], rel=1e-8, abs=1e-12)
        assert sources[ours]["p_value"] == pytest.approx(wanted["PR(>F)"][theirs], rel=1e-7)


@given(seed=st.integers(0, 10_000), k=st.integers(2, 5), n=st.integers(6, 15))
@settings(max_examples=25, deadline=None)
def test_repeated_measures_agree_with_statsmodels(seed: int, k: int, n: int) -> None:
    wide = np.random.default_rng(seed).normal(size=(n, k)) + np.arange(n)[:, None]
    long = pd.DataFrame(
        {"y": wide.ravel(), "s": np.repeat(np.arange(n), k), "c": np.tile([f"c{j}" for j in range(k)], n)}
    )
    wanted = AnovaRM(long, "y", "s", within=["c"]).fit().anova_table.iloc[0]
    found = execute_tool("anova", {"type": "repeated_measures", "data": wide.T.tolist()})
    assert found["also"]["uncorrected"]["statistic"] == pytest.approx(wanted["F Value"], rel=1e-9)
    assert found["also"]["uncorrected"]["p_value"] == pytest.approx(wanted["Pr > F"], rel=1e-8)
    assert 1 / (k - 1) - 1e-12 <= found["details"]["epsilon"]["greenhouse_geisser"] <= 1


@pytest.mark.parametrize("power", [-600, -200, 200, 500])
def test_extreme_scales_change_no_ratio(power: int) -> None:
    data = table(3)
    scaled = data.assign(y=data.y * 2.0**power)
    one, other = call(data), call(scaled)
    for term in ("a", "b", "a × b"):
        assert other["sources"][term]["statistic"] == pytest.approx(
            one["sources"][term]["statistic"], rel=1e-12
        )
    wide = np.random.default_rng(1).normal(size=(3, 8))
    small = execute_tool("anova", {"type": "rm", "data": wide.tolist()})
    large = execute_tool("anova", {"type": "rm", "data": (wide * 2.0**power).tolist()})
    assert large["statistic"] == pytest.approx(small["statistic"], rel=1e-12)


def test_an_offset_costs_no_more_digits_than_the_values_have() -> None:
    rng = np.random.default_rng(9)
    data = table(5).assign(y=rng.integers(0, 64, 46) / 64)
    near, far = call(data), call(data.assign(y=data.y + 2.0**30))
    for term in ("a", "b", "a × b"):
        assert far["sources"][term]["sum_sq"] == pytest.approx(near["sources"][term]["sum_sq"], rel=1e-12)


def test_a_balanced_design_has_one_type() -> None:
    y = [26, 30, 54, 25, 70, 52, 18, 21, 29, 17, 12, 18, 36, 21, 24, 18, 10, 43]
    found = execute_tool(
        "anova",
        {"type": "two_way", "y": y, "factor_a": ["A"] * 9 + ["B"] * 9, "factor_b": list("LLLMMMHHH") * 2},
    )
    for term in ("factor_a", "factor_b", "factor_a × factor_b"):
        sums = [
            t[term]["sum_sq"] for t in (found["sources"], found["also"]["type_i"], found["also"]["type_iii"])
        ]
        assert sums == pytest.approx([sums[0]] * 3, rel=1e-12)
    total = sum(s["sum_sq"] for name, s in found["sources"].items() if name != "total")
    assert total == pytest.approx(found["sources"]["total"]["sum_sq"], rel=1e-12)


def test_columns_give_the_names_and_missing_rows_are_counted() -> None:
    data = table(2)
    data.loc[3, "y"] = math.nan
    data.loc[5, "x"] = math.nan
    session = Session(data=data)
    record = session.run("anova", {"type": "ancova", "y": "y", "factor_a": "a", "covariates": ["x"]})
    assert record["result"]["n_missing"] == 2
    assert list(record["result"]["sources"]) == ["x", "a", "residual", "total"]
    wide = pd.DataFrame({"before": [1.0, 2, 4, 3, 5], "after": [2.0, 2, 5, 5, 5], "later": [3.0, 1, 6, 5, 9]})
    within = Session(data=wide).run(
        "anova", {"type": "repeated_measures", "data": ["before", "after", "later"]}
    )
    assert list(within["result"]["groups"]) == ["before", "after", "later"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"type": "factorial", "y": [1, 2, 3, 5], "factor_a": [1, 2, 3, 4], "factor_b": [1, 1, 2, 2]}, "too_many_groups"),
        ({"type": "factorial", "y": [1, 2, 3, 5], "factor_a": list("aabb"), "covariates": [[2, 2, 2, 2]]}, "zero_variance"),
        ({"type": "factorial", "y": [1, 2, 3, 5], "factor_a": list("aabb"), "factor_b": list("uvuv")}, "too_few_values"),
        ({"type": "rm", "data": [[1, 2, 3], [2, 2, 5]], "var_names": ["a", "b", "c"]}, "shape"),
        ({"type": "factorial", "y": [7, 7, 7, 7, 7], "factor_a": list("aabba"), "factor_b": list("uvuvu")}, "zero_variance"),
        ({"type": "repeated_measures", "data": [[1, 1, 1], [1, 1, 1]]}, "zero_variance"),
    ],
)  # fmt: skip
def test_what_cannot_be_analysed_is_said(arguments: dict[str, Any], code: str) -> None:
    found = execute_tool("anova", arguments)
    assert found["code"] == code, found


def test_two_conditions_are_the_paired_t_test() -> None:
    before, after = [1.0, 2, 4, 3, 5], [2.0, 2, 5, 5, 5]
    found = execute_tool("anova", {"type": "repeated_measures", "data": [before, after]})
    t = execute_tool("t_test", {"type": "paired", "group1": before, "group2": after})
    assert found["statistic"] == pytest.approx(t["statistic"] ** 2, rel=1e-12)
    assert found["p_value"] == pytest.approx(t["p_value"], rel=1e-10)
    assert found["details"]["sphericity"]["undefined"]["estimate"].startswith("two conditions")
