"""Robust statistics of several columns: Mahalanobis distances, classical and by minimum covariance determinant."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, ColumnSet, FloatArray, NameList, Seed
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._columns import centred, column_names, refuse_constant
from statistikles.stats._distributions import chi2_isf, chi2_sf
from statistikles.stats._mcd import fast_mcd

__all__ = ["mahalanobis_distances"]

_LIST_LIMIT = 10_000
_EPS = float(np.finfo(np.float64).eps)

declare_tool(
    "robust_stats",
    title="Robust statistics",
    summary="Estimates and distances that a minority of outlying values cannot spoil.",
    chooser="type",
)

Observations = Annotated[FloatArray, ColumnSet(min_n=3)]
VariableNames = Annotated[tuple[str, ...], NameList(of=("x",))]


@statistic(
    tool="robust_stats",
    subtype="mahalanobis",
    title="Mahalanobis distances",
    use_when="rows that are unusual in the combination of several variables are to be found",
    utterances=(
        "multivariate outliers",
        "Mahalanobis distance of every row",
        "which observations are unusual across all variables",
        "robust distances with the minimum covariance determinant",
    ),
    refs=(
        "Mahalanobis 1936, On the generalised distance in statistics",
        "Rousseeuw & Van Driessen 1999, doi:10.1080/00401706.1999.10485670",
    ),
    laws=("order_invariant",),
    formula="d² = (x − m)ᵀ S⁻¹ (x − m); p = P(χ²_p ≥ d²)",
    equivalents={
        "R": "mahalanobis(x, colMeans(x), cov(x)); robustbase::covMcd(x, use.correction = FALSE)$mah",
        "Python": "sklearn.covariance.MinCovDet(random_state=0).fit(x).mahalanobis(x)",
    },
    example={
        "x": [
            [2.1, 2.4, 1.9, 2.8, 3.1, 2.2, 2.6, 2.9, 2.0, 2.5, 9.0, 2.7],
            [4.0, 4.9, 3.7, 5.5, 6.3, 4.3, 5.1, 6.0, 4.1, 4.8, 2.0, 5.4],
        ],
        "var_names": ["length", "weight"],
    },
)
def mahalanobis_distances(
    x: Observations, *, var_names: VariableNames | None = None, alpha: Alpha = 0.025, seed: Seed = 0
) -> Measures:
    """Distances of the rows from the centre in units of the joint spread: classical, and robust (MCD) beside.

    Parameters
    ----------
    x : the variables, a list of columns.
    var_names : names of the columns in the result.
    alpha : a row is flagged when its χ² tail area is below alpha.
    seed : seed of the random starting subsets of the robust estimate.

    Returns
    -------
    Measures : d and d2 with tail areas and flagged rows; the same under `robust`.

    Raises
    ------
    InputError : not more rows than columns.
    NotDefined : a column is constant, or the columns are linearly dependent.
    """
    n, p = x.shape
    names = column_names(var_names, p)
    if n <= p:
        raise InputError(
            f"{n} rows cannot give distances in {p} variables; at least {p + 1} are needed.",
            hint="Use fewer variables or more rows.",
            where="x",
            code="too_few_values",
        )
    refuse_constant(x, names, "The Mahalanobis distance")
    z, mean, size = _standard(x)
    q, r = np.linalg.qr(z)
    values = np.linalg.svd(r, compute_uv=False)
    if not float(values[-1]) > 1e-11 * float(values[0]):
        raise NotDefined(
            f"The Mahalanobis distance is undefined: the columns {', '.join(names[:6])} are linearly dependent.",
            hint="Leave out columns that are sums or multiples of others.",
            where="x",
            code="singular",
        )
    classical = np.einsum("ij,ij->i", q, q) * (n - 1)
    lead, undefined = _report(classical, p, alpha)
    return Measures(
        method="Mahalanobis distances from the mean with the sample covariance; robust distances (MCD) beside",
        quantities={
            "n": Quantity(n, Role.COUNT),
            "n_variables": Quantity(p, Role.COUNT),
            **lead,
            "cutoff": Quantity(chi2_isf(alpha, p), Role.QUANTILE),
            "alpha": Quantity(alpha, Role.ALPHA),
            "means": Quantity(dict(zip(names, mean.tolist(), strict=True)), Role.MEAN),
            "robust": _robust(z, mean, size, names, alpha, seed),
        },
        undefined=undefined,
        seed=seed,
        conventions=(
            "covariance with divisor n − 1; d is the root of d2",
            "tail areas and cut-off by χ² with as many degrees of freedom as variables",
            "indices count the complete rows from 0",
            "robust: FAST-MCD with half of the rows and consistency factors (starts on a seeded sample above 1500 rows)",
            "robust: one reweighting at the .975 quantile, no small-sample correction",
        ),
        warnings=_cautions(n, p),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _standard(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Centred columns of unit standard deviation, the means, and the standard deviations."""
    power = np.frexp(np.abs(x).max(axis=0))[1]
    z, mean = centred(np.ldexp(x, -power))
    spread = np.frexp(np.abs(z).max(axis=0))[1]
    z = np.ldexp(z, -spread)
    sd = np.sqrt(np.sum(z * z, axis=0) / (x.shape[0] - 1))
    return z / sd, np.ldexp(mean, power), np.ldexp(sd, power + spread)


def _report(squares: FloatArray, p: int, alpha: float) -> tuple[dict[str, Any], dict[str, str]]:
    """Distances, tail areas and flagged rows."""
    tails = np.array([chi2_sf(float(v), p) for v in squares])
    flagged = np.flatnonzero(tails < alpha).tolist()
    keys = ("d", "d2", "p_values")
    ends = {
        "max_d2": Quantity(float(squares.max()), Role.MAXIMUM),
        "max_index": Quantity(int(squares.argmax()), Role.INDEX),
        "n_outliers": Quantity(len(flagged), Role.COUNT),
        "outlier_indices": Quantity(flagged, Role.INDEX),
    }
    if squares.size > _LIST_LIMIT:
        reason = f"not listed for more than {_LIST_LIMIT} rows"
        return {**dict.fromkeys(keys), **ends}, dict.fromkeys(keys, reason)
    lists = {
        "d": Quantity(np.sqrt(squares).tolist(), Role.DISTANCE),
        "d2": Quantity(squares.tolist(), Role.DISTANCE),
        "p_values": Quantity(tails.tolist(), Role.P_VALUE),
    }
    return {**lists, **ends}, {}


def _robust(
    z: FloatArray, mean: FloatArray, size: FloatArray, names: tuple[str, ...], alpha: float, seed: int
) -> dict[str, Any]:
    n, p = z.shape
    keys = (
        "d", "d2", "p_values", "max_d2", "max_index", "n_outliers", "outlier_indices", "centre", "subset_size", "n_weighted",
    )  # fmt: skip
    method = "minimum covariance determinant (FAST-MCD), reweighted"
    if n < 2 * p + 1:
        reason = f"it needs at least {2 * p + 1} rows"
        return {"method": method, **dict.fromkeys(keys), "undefined": dict.fromkeys(keys, reason)}
    found = fast_mcd(z, seed)
    if found is None:
        reason = "at least half of the rows lie on a hyperplane, where the smallest determinant is 0"
        return {"method": method, **dict.fromkeys(keys), "undefined": dict.fromkeys(keys, reason)}
    report, undefined = _report(found.distances, p, alpha)
    centre = (mean + found.centre * size).tolist()
    return {
        "method": method,
        **report,
        "centre": Quantity(dict(zip(names, centre, strict=True)), Role.MEAN),
        "subset_size": Quantity(found.subset_size, Role.COUNT),
        "n_weighted": Quantity(found.n_weighted, Role.COUNT),
        **({"undefined": undefined} if undefined else {}),
    }


def _cautions(n: int, p: int) -> tuple[str, ...]:
    most = (n - 1) ** 2 / n
    if math.isfinite(most) and most < chi2_isf(0.001, p):
        return (
            f"With {n} rows no classical d2 can exceed {most:.4g}: single outliers hide in the covariance they inflate.",
        )
    return ()
