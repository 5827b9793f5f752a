"""Adjustment of p values for multiple testing."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from statistikles.errors import InputError
from statistikles.registry.arguments import Alpha, Choice, FloatArray, Labels, ScalarNumber
from statistikles.registry.arguments import Vector as VectorKind
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Table
from statistikles.stats._adjust import METHODS, adjust

__all__ = ["adjust_p_values"]

declare_tool(
    "p_value_adjustment",
    title="Adjustment of p values for multiple testing",
    summary="Corrects a list of p values so that doing many tests does not produce false discoveries.",
)

PValues = Annotated[FloatArray, VectorKind(low=0.0, high=1.0)]
AdjustmentMethod = Annotated[
    str,
    Choice(
        METHODS,
        aliases=(
            ("fdr", "bh"),
            ("benjamini_hochberg", "bh"),
            ("fdr_bh", "bh"),
            ("benjamini_yekutieli", "by"),
            ("fdr_by", "by"),
            ("bonf", "bonferroni"),
            ("šidák", "sidak"),
            ("holm_bonferroni", "holm"),
        ),
    ),
]
TestCount = Annotated[int, ScalarNumber(low=1, high=1e9, whole=True)]

_CONTROLS = {
    "bonferroni": "family-wise error rate, whatever the dependence",
    "holm": "family-wise error rate, whatever the dependence (never less powerful than Bonferroni)",
    "hochberg": "family-wise error rate under independence or positive dependence",
    "hommel": "family-wise error rate under independence or positive dependence",
    "sidak": "family-wise error rate under independence",
    "bh": "false discovery rate under independence or positive dependence (Benjamini-Hochberg)",
    "by": "false discovery rate, whatever the dependence (Benjamini-Yekutieli)",
}
_TITLES = {
    "bonferroni": "Bonferroni",
    "holm": "Holm",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "sidak": "Šidák",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
}
# Hommel's method takes as many steps as the square of the number of tests.
_HOMMEL_MOST = 20_000
_ALL_MOST = 2_000


@statistic(
    tool="p_value_adjustment",
    title="p values adjusted for multiple testing",
    use_when="several tests were done and their p values are to be judged together",
    utterances=(
        "correct these p values for multiple comparisons",
        "Bonferroni correction",
        "Holm adjustment",
        "control the false discovery rate",
        "Benjamini-Hochberg",
        "which of these tests stay significant",
    ),
    refs=(
        "Holm 1979, Scandinavian Journal of Statistics 6, 65-70",
        "Hochberg 1988, doi:10.1093/biomet/75.4.800",
        "Hommel 1988, doi:10.1093/biomet/75.2.383",
        "Šidák 1967, doi:10.1080/01621459.1967.10482935",
        "Benjamini & Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x",
        "Benjamini & Yekutieli 2001, doi:10.1214/aos/1013699998",
    ),
    formula="Holm: p̃_(i) = max_{j≤i} min(1, (m − j + 1) p_(j)); BH: p̃_(i) = min_{j≥i} min(1, m p_(j)/j)",
    equivalents={
        "R": 'p.adjust(p_values, method = "holm")',
        "Python": "statsmodels.stats.multitest.multipletests(p_values, method='holm')",
    },
    example={"p_values": [0.01, 0.04, 0.03, 0.005, 0.2], "method": "holm"},
    aligned=(("p_values", "names"),),
)
def adjust_p_values(
    p_values: PValues,
    *,
    method: AdjustmentMethod = "holm",
    alpha: Alpha = 0.05,
    n_tests: TestCount | None = None,
    names: Labels | None = None,
) -> Table:
    """p values adjusted for multiple testing, in the order given.

    Parameters
    ----------
    p_values : the p values.
    method : bonferroni, holm, hochberg, hommel, sidak, bh (also called fdr) or by.
    alpha : level with which the adjusted values are compared.
    n_tests : number of tests done, when more than are listed; the others count as not significant.
    names : names of the tests, one per p value.

    Returns
    -------
    Table : one row per p value, with the adjusted value and whether it is at most alpha.

    Raises
    ------
    InputError : a value outside 0 to 1, an unknown method, fewer tests than p values, or too many for Hommel.
    """
    m = int(p_values.size)
    total = m if n_tests is None else n_tests
    if total < m:
        raise InputError(
            f"Argument 'n_tests' is {total}, fewer than the {m} p values.",
            where="n_tests",
            code="out_of_range",
        )
    if method == "hommel" and total > _HOMMEL_MOST:
        raise InputError(
            f"Hommel's method is offered for at most {_HOMMEL_MOST} tests.",
            hint="Use hochberg, which differs little, or holm.",
            where="method",
            code="limit_exceeded",
        )
    labels = [f"test{i}" for i in range(1, m + 1)] if names is None else [str(v) for v in names]
    adjusted = adjust(p_values, method, total)
    kept = adjusted <= alpha
    rows = tuple(
        {
            "name": labels[i],
            "index": i,
            "p_value": float(p_values[i]),
            "p_value_adjusted": float(adjusted[i]),
            "significant": bool(kept[i]),
        }
        for i in range(m)
    )
    details: dict[str, object] = {
        "n_tests": total,
        "alpha": alpha,
        "n_significant": int(kept.sum()),
        "n_significant_unadjusted": int((p_values <= alpha).sum()),
        "p_values_adjusted": tuple(adjusted.tolist()),
    }
    if total <= _ALL_MOST:
        details["n_significant_by_method"] = {
            name: int((adjust(p_values, name, total) <= alpha).sum()) for name in METHODS
        }
    return Table(
        method=f"{_TITLES[method]} adjustment of {total} tests",
        rows=rows,
        n=m,
        details=details,
        conventions=(
            f"controls the {_CONTROLS[method]}",
            "index counts from 0 among the values that are not missing",
        ),
        warnings=() if np.unique(p_values).size > 1 or m == 1 else ("All p values are the same.",),
    )
