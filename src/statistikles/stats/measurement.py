"""Measurement quality: McDonald's omega, standard error of measurement, item analysis of tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    ConfLevel,
    FloatArray,
    Fraction,
    NameList,
    Positive,
    Real,
    RowSet,
    ScalarNumber,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role, Table
from statistikles.stats._distributions import chi2_sf, norm_isf, p_normal
from statistikles.stats._fit_indices import fit_indices, srmr
from statistikles.stats._moment_matrix import Columns, centre, coefficient_alpha, column_names, correlation_of
from statistikles.stats._one_factor import LOWER, OneFactor, fit_one_factor

__all__ = ["item_analysis", "mcdonald_omega", "standard_error_of_measurement"]

ItemNames = Annotated[tuple[str, ...], NameList(of=("items",))]
_MOST_POINTS = 1e12  # more than any item gives: larger numbers are not scores

declare_tool(
    "measurement_analysis",
    title="Measurement analysis",
    summary="McDonald's omega, the standard error of measurement, and the difficulty and discrimination of items.",
    chooser="type",
)


@statistic(
    tool="measurement_analysis",
    subtype="omega",
    title="McDonald's omega",
    use_when="items with unequal loadings on one factor are added up and the reliability of the sum is asked for",
    utterances=(
        "McDonald's omega of the scale",
        "composite reliability from a one-factor model",
        "omega total",
        "reliability without equal loadings",
    ),
    refs=(
        "McDonald 1999, Test theory: a unified treatment",
        "Jöreskog 1967, Some contributions to maximum likelihood factor analysis",
        "Hu & Bentler 1999, doi:10.1080/10705519909540118",
    ),
    formula="ω = (Σλ)²/((Σλ)² + Σψ)",
    equivalents={
        "R": 'lavaan::cfa("f =~ i1 + i2 + i3", data, std.lv = TRUE); semTools::compRelSEM(fit)',
        "Python": "factor_analyzer.FactorAnalyzer(1, method='ml', rotation=None).fit(items)",
    },
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
            [4, 4, 3, 4],
            [3, 4, 4, 2],
        ],
    },
    aliases=("mcdonald_omega", "omega_total"),
)
def mcdonald_omega(
    items: Annotated[FloatArray, RowSet(min_n=3, min_columns=3)],
    *,
    item_names: ItemNames | None = None,
    conf_level: ConfLevel = 0.95,
) -> Measures:
    """McDonald's omega of a one-factor maximum-likelihood model, with loadings, uniquenesses and fit.

    Parameters
    ----------
    items : one row per subject, one column per item; rows with a missing answer are left out.
    item_names : names of the items.
    conf_level : confidence of the interval of omega.

    Returns
    -------
    Measures : `estimate` is omega of the plain sum score; omega of the standardised items beside it.

    Raises
    ------
    NotDefined : a constant item, items that determine each other, or no convergence.
    """
    columns = centre(items)
    names = column_names(item_names, columns.k, "item", "item_names")
    if flat := [name for name, c in zip(names, columns.constant, strict=True) if c]:
        raise NotDefined(
            f"The factor model is undefined: constant items ({', '.join(flat)}).",
            hint="Leave them out.",
            where="items",
            code="zero_variance",
        )
    fit = fit_one_factor(columns.correlation)
    sizes = np.sqrt(np.diag(columns.covariance) * (columns.n - 1) / columns.n)
    raw, standard = _omega(fit, sizes), _omega(fit, np.ones(columns.k))
    interval, undefined = _omega_interval(fit, sizes, raw, columns.n, conf_level)
    alpha = coefficient_alpha(columns.covariance)
    if alpha is None:
        undefined["cronbach_alpha"] = "the total does not vary"
    return Measures(
        method="McDonald's omega (one-factor model, maximum likelihood)",
        quantities={
            "estimate_name": "ω",
            "estimate": Quantity(raw, Role.ESTIMATE),
            **interval,
            "conf_level": Quantity(conf_level, Role.CONF_LEVEL),
            "omega_standardized": Quantity(standard, Role.ESTIMATE),
            "cronbach_alpha": None if alpha is None else Quantity(alpha, Role.ESTIMATE),
            "n": Quantity(columns.n, Role.COUNT),
            "n_items": Quantity(columns.k, Role.COUNT),
            "items": _loadings(fit, columns, names, sizes),
            "fit": _fit(fit, columns),
        },
        undefined=undefined,
        conventions=(
            "one factor with variance 1; covariances with divisor n",
            "omega of the sum of the raw items leads; of the standardised items beside",
            "standard errors from the expected information; interval by the delta method, normal",
            "chi-square n·F leads (as in lavaan); Bartlett's correction beside",
        ),
        warnings=_omega_warnings(fit, names, columns),
    )


def _omega(fit: OneFactor, sizes: FloatArray) -> float:
    common = float((fit.loadings * sizes).sum()) ** 2
    return common / (common + float((fit.uniquenesses * sizes**2).sum()))


def _omega_interval(
    fit: OneFactor, sizes: FloatArray, omega: float, n: int, level: float
) -> tuple[dict[str, Any], dict[str, str]]:
    """Standard error and interval by the delta method."""
    keys = ("std_error", "conf_low", "conf_high")
    if fit.covariance is None:
        reason = "a uniqueness stands at its bound" if fit.heywood else "the information matrix is singular"
        return dict.fromkeys(keys), dict.fromkeys(keys, reason)
    total = float((fit.loadings * sizes).sum())
    unique = float((fit.uniquenesses * sizes**2).sum())
    below = (total**2 + unique) ** 2
    slope = np.concatenate((2 * total * unique / below * sizes, -(total**2) / below * sizes**2))
    error = math.sqrt(max(0.0, float(slope @ fit.covariance @ slope)) / n)
    reach = norm_isf((1 - level) / 2) * error
    return {
        "std_error": Quantity(error, Role.STD_ERROR),
        "conf_low": Quantity(max(0.0, omega - reach), Role.CONF_BOUND),
        "conf_high": Quantity(min(1.0, omega + reach), Role.CONF_BOUND),
    }, {}


def _loadings(
    fit: OneFactor, columns: Columns, names: tuple[str, ...], sizes: FloatArray
) -> dict[str, dict[str, Any]]:
    out = {}
    for j, name in enumerate(names):
        loading, psi = float(fit.loadings[j]), float(fit.uniquenesses[j])
        row: dict[str, Any] = {
            "loading_standardized": loading,
            "uniqueness": psi,
            "communality": 1 - psi,
            "loading": columns.in_units(loading * float(sizes[j])),
        }
        if fit.covariance is None:
            keys = ("loading_std_error", "statistic", "p_value")
            row |= dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, "no standard errors for this fit")}
        else:
            error = math.sqrt(float(fit.covariance[j, j]) / columns.n)
            row |= {
                "loading_std_error": columns.in_units(error * float(sizes[j])),
                "statistic": loading / error,
                "p_value": p_normal(loading / error),
            }
        out[name] = row
    return out


def _fit(fit: OneFactor, columns: Columns) -> dict[str, Any]:
    """Fit indices, with Bartlett's chi-square beside."""
    n, k = columns.n, columns.k
    df, base_df = k * (k - 3) // 2, k * (k - 1) // 2
    base = -n * float(np.linalg.slogdet(columns.correlation)[1])
    out = fit_indices(
        n * fit.discrepancy, df, base, base_df, n, srmr(columns.correlation, fit.implied)
    )  # fmt: skip
    factor = n - 1 - (2 * k + 5) / 6 - 2 / 3
    if df > 0 and factor > 0:
        chi2 = factor * fit.discrepancy
        return out | {"bartlett": {"chi_square": chi2, "df": df, "p_value": chi2_sf(chi2, df)}}
    reason = "the model is saturated" if df == 0 else "there are too few rows for Bartlett's factor"
    return out | {"bartlett": {"chi_square": None, "undefined": {"chi_square": reason}}}


def _omega_warnings(fit: OneFactor, names: tuple[str, ...], columns: Columns) -> tuple[str, ...]:
    out = []
    if fit.heywood:
        held = ", ".join(names[i] for i in fit.heywood)
        out.append(f"Heywood case: the uniqueness of {held} stands at its bound of {LOWER:g}.")
    if negative := [name for name, v in zip(names, fit.loadings, strict=True) if v < 0]:
        out.append(f"Negative loadings (reverse-scored?): {', '.join(negative)}.")
    if columns.n < 5 * columns.k:
        out.append("Fewer than five subjects per item: the factor model is poorly determined.")
    return tuple(out)


@statistic(
    tool="measurement_analysis",
    subtype="sem",
    title="Standard error of measurement",
    use_when="the reliability and SD of a score are known and its precision for one person is asked for",
    utterances=(
        "standard error of measurement",
        "smallest detectable change",
        "how precise is one person's score",
        "confidence interval of a test score",
    ),
    refs=("Harvill 1991, Standard error of measurement", "Weir 2005, Quantifying test-retest reliability"),
    formula="SEM = SD·sqrt(1 − r); SDC = z·sqrt(2)·SEM",
    equivalents={"R": "sd * sqrt(1 - r)", "Python": "sd * math.sqrt(1 - r)"},
    example={"reliability": 0.91, "sd": 15.0, "score": 110.0, "mean": 100.0},
    aliases=("standard_error_of_measurement",),
)
def standard_error_of_measurement(
    reliability: Fraction,
    sd: Positive,
    *,
    score: Real | None = None,
    mean: Real | None = None,
    conf_level: ConfLevel = 0.95,
) -> Measures:
    """Standard error of measurement, smallest detectable change, and the interval of one score.

    Parameters
    ----------
    reliability : reliability of the score, 0 to 1.
    sd : standard deviation of the score in the reference group.
    score : observed score of one person.
    mean : mean of the reference group, for the estimated true score (regressed to the mean).
    conf_level : confidence of the intervals and of the smallest detectable change.

    Returns
    -------
    Measures : the SEM, the standard error of estimation and of a difference, the SDC, intervals of the score.
    """
    z = norm_isf((1 - conf_level) / 2)
    sem = sd * math.sqrt(1 - reliability)
    estimation = sd * math.sqrt(reliability * (1 - reliability))
    values: dict[str, Any] = {
        "sem": Quantity(sem, Role.STD_ERROR),
        "std_error_of_estimation": Quantity(estimation, Role.STD_ERROR),
        "std_error_of_difference": Quantity(sem * math.sqrt(2), Role.STD_ERROR),
        "smallest_detectable_change": Quantity(z * math.sqrt(2) * sem, Role.VALUE),
        "conf_level": Quantity(conf_level, Role.CONF_LEVEL),
        "reliability": Quantity(reliability, Role.ESTIMATE),
        "std_dev": Quantity(sd, Role.STD_DEV),
    }
    if score is not None:
        values["score"] = {"estimate": score, "conf_low": score - z * sem, "conf_high": score + z * sem}
        if mean is not None:
            true = mean + reliability * (score - mean)
            values["true_score"] = {
                "estimate": true,
                "conf_low": true - z * estimation,
                "conf_high": true + z * estimation,
            }
    return Measures(
        method="Standard error of measurement",
        quantities=values,
        conventions=(
            "SEM = SD·sqrt(1 − r); normal intervals",
            "score: observed score ± z·SEM; true_score: regressed to the mean, ± z·SD·sqrt(r(1 − r))",
        ),
    )


@statistic(
    tool="measurement_analysis",
    subtype="item_analysis",
    title="Item analysis",
    use_when="the items of a test are scored (right/wrong or in points) and good and bad items are to be found",
    utterances=(
        "item difficulty and discrimination",
        "which exam questions are too easy",
        "point-biserial of the items",
        "upper-lower discrimination index",
    ),
    refs=(
        "Kelley 1939, The selection of upper and lower groups for the validation of test items",
        "Ebel & Frisbie 1991, Essentials of educational measurement",
    ),
    formula="difficulty = mean/maximum; D = difficulty(upper 27 %) − difficulty(lower 27 %)",
    equivalents={
        "R": "psych::alpha(items)$item.stats; psychometric::item.exam(items, discrim = TRUE)",
        "Python": "items.mean(); items.corrwith(items.sum(axis=1) - items)",
    },
    example={
        "items": [
            [1, 1, 1, 0],
            [1, 0, 1, 1],
            [0, 0, 1, 0],
            [1, 1, 1, 1],
            [0, 1, 0, 0],
            [1, 1, 1, 1],
            [0, 0, 1, 0],
            [1, 0, 0, 0],
        ],
    },
    aliases=("items", "difficulty"),
)
def item_analysis(
    items: Annotated[FloatArray, RowSet(min_n=3, min_columns=2)],
    *,
    max_score: Annotated[float, ScalarNumber(low=0.0, high=_MOST_POINTS, open_low=True)] | None = None,
    group_fraction: Fraction = 0.27,
    item_names: ItemNames | None = None,
) -> Table:
    """Difficulty, corrected point-biserial correlation and upper-lower discrimination of each item.

    Parameters
    ----------
    items : one row per person, one column per item; scores from 0 to max_score.
    max_score : most points an item can give; default 1 for 0/1 items, otherwise the largest score seen.
    group_fraction : share of persons in the upper and in the lower group.
    item_names : names of the items.

    Returns
    -------
    Table : one row per item; KR-20 (alpha) and the total score under details.

    Raises
    ------
    InputError : scores below 0 or above max_score, or a share outside (0, 0.5].
    """
    top = max_score if max_score is not None else min(max(1.0, float(items.max())), _MOST_POINTS)
    if float(items.min()) < 0 or float(items.max()) > top:
        raise InputError(
            f"Item scores must lie between 0 and {top:g}.",
            hint="Score the answers first, or give max_score.",
            where="items",
            code="out_of_range",
        )
    if not 0 < group_fraction <= 0.5:
        raise InputError(
            "The share must be above 0 and at most 0.5.", where="group_fraction", code="out_of_range"
        )
    columns = centre(items)
    names = column_names(item_names, columns.k, "item", "item_names")
    upper, lower, size = _extreme_weights(items.sum(axis=1), group_fraction)
    total = columns.deviations.sum(axis=1)
    rows = []
    for j, name in enumerate(names):
        own = columns.deviations[:, j]
        row: dict[str, Any] = {
            "item": name,
            "difficulty": columns.means[j] / top,
            "std_dev": columns.std_dev(j),
            "point_biserial_corrected": _point_biserial(own, total - own),
            "discrimination_index": float((upper - lower) @ items[:, j]) / size / top,
        }
        if row["point_biserial_corrected"] is None:
            reason = "the item is constant" if columns.constant[j] else "the rest of the test does not vary"
            row["undefined"] = {"point_biserial_corrected": reason}
        rows.append(row)
    alpha = coefficient_alpha(columns.covariance)
    details: dict[str, Any] = {
        "n_items": columns.k,
        "max_score": top,
        "n_per_group": size,
        "total_mean": math.fsum(columns.means),
        "total_std_dev": columns.in_units(math.sqrt(float(total @ total) / (columns.n - 1))),
        "cronbach_alpha": alpha,
    } | ({} if alpha is not None else {"undefined": {"cronbach_alpha": "the total does not vary"}})
    return Table(
        method="Item analysis",
        rows=tuple(rows),
        n=columns.n,
        details=details,
        conventions=(
            f"upper and lower groups: the {group_fraction:.0%} with the highest and lowest totals",
            "persons tied at the edge of a group count in part",
            "point-biserial: item with the sum of the other items",
            "difficulty: mean share of the points (high = easy)",
        ),
        warnings=_item_warnings(rows),
    )


def _point_biserial(own: FloatArray, rest: FloatArray) -> float | None:
    if not (np.abs(own).max() > 0 and np.abs(rest).max() > 1e-13):
        return None
    return float(correlation_of(np.column_stack((own, rest)))[0, 1])


def _extreme_weights(total: FloatArray, share: float) -> tuple[FloatArray, FloatArray, int]:
    """Membership of each person in the upper and lower group of whole size; ties at the edge share the places."""
    n = len(total)
    size = max(1, math.floor(share * n + 0.5))

    def members(values: FloatArray) -> FloatArray:
        edge = np.sort(values)[n - size]
        above, at = values > edge, values == edge
        out: FloatArray = above + at * ((size - above.sum()) / at.sum())
        return out

    return members(total), members(-total), size


def _item_warnings(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    reverse = [
        r["item"] for r in rows if (v := r["point_biserial_corrected"]) is not None and v < 0
    ]  # fmt: skip
    flat = [r["item"] for r in rows if r["point_biserial_corrected"] is None]
    out = []
    if reverse:
        out.append(f"Better persons do worse on: {', '.join(reverse)} (wrong key?).")
    if flat:
        out.append(f"No discrimination can be computed for: {', '.join(flat)}.")
    return tuple(out)
