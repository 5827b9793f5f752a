"""Internal consistency of a scale: Cronbach's alpha with its interval, item statistics, split half, Guttman's lambdas."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from statistikles.errors import NotDefined
from statistikles.registry.arguments import ConfLevel, FloatArray, NameList, RowSet
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._distributions import f_isf, f_ppf
from statistikles.stats._moment_matrix import (
    Columns,
    centre,
    coefficient_alpha,
    column_names,
    correlation_of,
    inverse_of,
)

__all__ = ["cronbach_alpha"]

Items = Annotated[FloatArray, RowSet(min_n=2, min_columns=2)]
ItemNames = Annotated[tuple[str, ...], NameList(of=("items",))]
_FLAT = 1e-14  # a score this small beside another is constant to rounding

declare_tool(
    "reliability_analysis",
    title="Reliability of a scale",
    summary="How consistently the items of a scale measure one thing: Cronbach's alpha, item statistics, split half.",
)


@statistic(
    tool="reliability_analysis",
    title="Cronbach's alpha",
    use_when="several items are added up to one score and their internal consistency is asked for",
    utterances=(
        "is this questionnaire reliable",
        "Cronbach's alpha of these items",
        "internal consistency of the scale",
        "which item should be dropped from the scale",
        "split-half reliability",
        "item-total correlations",
    ),
    refs=(
        "Cronbach 1951, doi:10.1007/BF02310555",
        "Feldt 1965, doi:10.1007/BF02289499",
        "Guttman 1945, A basis for analyzing test-retest reliability",
        "Duhachek & Iacobucci 2004, Alpha's standard error (ASE)",
    ),
    formula="α = k/(k − 1) · (1 − Σ s²ᵢ / s²_total)",
    equivalents={"R": "psych::alpha(items)", "Python": "pingouin.cronbach_alpha(items)"},
    oracle="pingouin:cronbach_alpha",
    example={
        "items": [
            [4, 3, 4, 5],
            [2, 2, 3, 2],
            [5, 4, 4, 4],
            [3, 3, 2, 3],
            [1, 2, 1, 2],
            [4, 5, 4, 5],
            [3, 2, 3, 3],
            [2, 3, 2, 1],
        ],
        "item_names": ["calm", "steady", "patient", "even"],
    },
)
def cronbach_alpha(
    items: Items, *, item_names: ItemNames | None = None, conf_level: ConfLevel = 0.95
) -> Measures:
    """Cronbach's alpha with Feldt's interval, standardised alpha, item statistics, split half and Guttman's lambdas.

    Parameters
    ----------
    items : one row per subject, one column per item; rows with a missing answer are left out.
    item_names : names of the items.
    conf_level : confidence of the interval.

    Returns
    -------
    Measures : `estimate` is alpha; per item its correlation with the rest and alpha without it.

    Raises
    ------
    NotDefined : the total score does not vary.
    """
    columns = centre(items)
    names = column_names(item_names, columns.k, "item", "item_names")
    alpha = coefficient_alpha(columns.covariance)
    if alpha is None:
        raise NotDefined(
            "Alpha is undefined: the total score is the same for every subject.",
            hint="Check the data; items that cancel each other may need reverse scoring.",
            where="items",
            code="zero_variance",
        )
    tail = (1 - conf_level) / 2
    df1, df2 = columns.n - 1, (columns.n - 1) * (columns.k - 1)
    flat = tuple(name for name, c in zip(names, columns.constant, strict=True) if c)
    inter, why_inter = _inter_item(columns, flat)
    undefined = dict(why_inter)
    halves, why_halves = _split_half(columns)
    undefined |= why_halves
    lambdas, why_lambdas = _guttman(columns, flat)
    undefined |= why_lambdas
    per_item = {name: _item(columns, j) for j, name in enumerate(names)}
    return Measures(
        method="Cronbach's alpha",
        quantities={
            "estimate_name": "Cronbach's α",
            "estimate": Quantity(alpha, Role.ESTIMATE),
            "std_error": Quantity(_std_error(columns), Role.STD_ERROR),
            "conf_low": Quantity(1 - (1 - alpha) * f_isf(tail, df1, df2), Role.CONF_BOUND),
            "conf_high": Quantity(1 - (1 - alpha) * f_ppf(tail, df1, df2), Role.CONF_BOUND),
            "conf_level": Quantity(conf_level, Role.CONF_LEVEL),
            "n": Quantity(columns.n, Role.COUNT),
            "n_items": Quantity(columns.k, Role.COUNT),
            **inter,
            **halves,
            **lambdas,
            "items": per_item,
        },
        undefined=undefined,
        conventions=(
            "variances with divisor n − 1",
            "interval: Feldt's F; standard error: Duhachek and Iacobucci",
            "standardised alpha from the mean inter-item correlation",
            "split half: odd against even items",
            "rest correlation: item with the sum of the others",
        ),
        warnings=_warnings(alpha, flat, per_item, columns),
    )


def _std_error(columns: Columns) -> float:
    """Duhachek and Iacobucci's standard error."""
    v, k = columns.covariance, columns.k
    total, trace = float(v.sum()), float(np.trace(v))
    square = v @ v
    inner = total * (float(np.trace(square)) + trace**2) - 2 * trace * float(square.sum())
    return math.sqrt(max(0.0, 2 * k**2 / ((k - 1) ** 2 * total**3) * inner) / columns.n)


def _inter_item(columns: Columns, flat: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, str]]:
    """Mean and range of the inter-item correlations, and standardised alpha."""
    keys = ("standardized_alpha", "mean_inter_item_correlation", "minimum_correlation", "maximum_correlation")
    if flat:
        return dict.fromkeys(keys), dict.fromkeys(
            keys, f"constant items have no correlation: {', '.join(flat)}"
        )
    k = columns.k
    pairs = columns.correlation[np.triu_indices(k, 1)]
    mean = math.fsum(pairs) / pairs.size
    low = 1 + (k - 1) * mean
    values: dict[str, Any] = {
        "standardized_alpha": Quantity(k * mean / low, Role.ESTIMATE) if low > 1e-12 else None,
        "mean_inter_item_correlation": Quantity(mean, Role.CORRELATION),
        "minimum_correlation": Quantity(float(pairs.min()), Role.CORRELATION),
        "maximum_correlation": Quantity(float(pairs.max()), Role.CORRELATION),
    }
    reason = "the standardised total does not vary"
    return values, {} if low > 1e-12 else {"standardized_alpha": reason}


def _correlation(a: FloatArray, b: FloatArray) -> float | None:
    """Correlation of two centred vectors, None when one is constant (to rounding, beside the other)."""
    top_a, top_b = float(np.abs(a).max()), float(np.abs(b).max())
    if not min(top_a, top_b) > 0 or top_b < _FLAT * top_a:
        return None
    return float(correlation_of(np.column_stack((a, b)))[0, 1])


def _split_half(columns: Columns) -> tuple[dict[str, Any], dict[str, str]]:
    """Odd against even items: correlation, Spearman-Brown (equal and unequal length), Flanagan-Rulon."""
    odd, even = columns.deviations[:, ::2].sum(axis=1), columns.deviations[:, 1::2].sum(axis=1)
    total = odd + even
    rulon = 2 * (1 - (odd @ odd + even @ even) / (total @ total))
    r = _correlation(odd, even)
    keys = ("split_half_correlation", "spearman_brown")
    out: dict[str, Any] = {"guttman_split_half": Quantity(float(rulon), Role.ESTIMATE)}
    if r is None or 1 + r < 1e-12:
        reason = "a half does not vary" if r is None else "the halves are opposite"
        return out | dict.fromkeys(keys), dict.fromkeys(keys, reason)
    p = (columns.k + 1) // 2 / columns.k
    weight = 2 * p * (1 - p)
    spearman_brown = 2 * r / (1 + r)
    if columns.k % 2:  # Horst's form for halves of unequal length
        root = math.sqrt(r * r + 2 * weight * (1 - r * r)) if r else 0.0
        spearman_brown = r * (root - r) / (weight * (1 - r * r)) if abs(r) < 1 else 1.0
    return out | {
        "split_half_correlation": Quantity(r, Role.CORRELATION),
        "spearman_brown": Quantity(spearman_brown, Role.ESTIMATE),
    }, {}


def _guttman(columns: Columns, flat: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, str]]:
    """Guttman's lambda 2 and lambda 6, the latter of the covariances and of the correlations."""
    v, k = columns.covariance, columns.k
    total = float(v.sum())
    off = float((v**2).sum() - (np.diag(v) ** 2).sum())
    lambda2 = (total - float(np.trace(v)) + math.sqrt(k / (k - 1) * max(off, 0.0))) / total
    out: dict[str, Any] = {"guttman_lambda2": Quantity(lambda2, Role.ESTIMATE)}
    keys = ("guttman_lambda6", "guttman_lambda6_standardized")
    inverse = None if flat else inverse_of(columns.correlation)
    if inverse is None:
        reason = (
            "constant items" if flat else "an item is a combination of the others (or there are too few rows)"
        )
        return out | dict.fromkeys(keys), dict.fromkeys(keys, reason)
    unexplained = 1 / np.diag(inverse)
    return out | {
        "guttman_lambda6": Quantity(1 - float(unexplained @ np.diag(v)) / total, Role.ESTIMATE),
        "guttman_lambda6_standardized": Quantity(
            1 - float(unexplained.sum() / columns.correlation.sum()), Role.ESTIMATE
        ),
    }, {}


def _item(columns: Columns, j: int) -> dict[str, Any]:
    """Mean, SD, correlations with the total and with the rest, alpha without the item."""
    own = columns.deviations[:, j]
    rest = columns.deviations.sum(axis=1) - own
    kept = np.delete(np.arange(columns.k), j)
    without = coefficient_alpha(columns.covariance[np.ix_(kept, kept)])
    item_rest, item_total = _correlation(own, rest), _correlation(own, own + rest)
    undefined: dict[str, str] = {}
    if item_rest is None or item_total is None:
        reason = (
            "the item is constant" if columns.constant[j] else "the score it is set against does not vary"
        )
        undefined |= {
            key: reason
            for key, value in (("item_rest_correlation", item_rest), ("item_total_correlation", item_total))
            if value is None
        }
    if without is None:
        undefined["alpha_if_dropped"] = (
            "one item is left" if columns.k == 2 else "the total of the others does not vary"
        )
    out: dict[str, Any] = {
        "mean": columns.means[j],
        "std_dev": columns.std_dev(j),
        "item_rest_correlation": item_rest,
        "item_total_correlation": item_total,
        "alpha_if_dropped": without,
    }
    return out | ({"undefined": undefined} if undefined else {})


def _warnings(
    alpha: float, flat: tuple[str, ...], items: Mapping[str, Mapping[str, Any]], columns: Columns
) -> tuple[str, ...]:
    out = []
    if flat:
        out.append(f"Constant items say nothing of consistency: {', '.join(flat)}.")
    if alpha < 0:
        out.append("Alpha is negative: the items covary negatively on average; check for reverse scoring.")
    reverse = [n for n, i in items.items() if (r := i["item_rest_correlation"]) is not None and r < 0]
    if reverse:
        out.append(f"Negatively related to the rest (reverse-scored?): {', '.join(reverse)}.")
    if columns.n <= columns.k:
        out.append("There are no more subjects than items.")
    return tuple(out)
