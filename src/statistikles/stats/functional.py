"""Functional data: mean curve and functional principal components, with the curves integrated by quadrature."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Components, FloatArray, RowSet, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._columns import centred, fit_or_none, signs

__all__ = ["functional_components"]

_DEFAULT_COMPONENTS = 20
_SCORE_LIMIT = 20_000
_EPS = float(np.finfo(np.float64).eps)

declare_tool(
    "functional_data",
    title="Functional data analysis",
    summary="Summarises curves measured on a common grid: their mean and their main modes of variation.",
)

Curves = Annotated[FloatArray, RowSet(min_n=2, min_columns=2)]
GridPoints = Annotated[FloatArray, Vector(min_n=2)]


@statistic(
    tool="functional_data",
    title="Functional principal component analysis",
    use_when="every subject is a curve (growth, temperature over a day, spectrum) and curves are to be summarised",
    utterances=(
        "mean curve and main modes of variation",
        "functional principal components",
        "analyse growth curves as functions",
        "FPCA of daily profiles",
        "how do these curves vary",
    ),
    refs=(
        "Ramsay & Silverman 2005, doi:10.1007/b98888",
        "Dauxois, Pousse & Romain 1982, Asymptotic theory for the principal component analysis of a vector random function",
    ),
    formula="∫ C(s, t) φ(t) dt = λ φ(s), ∫ φ² = 1; score = ∫ (x − mean) φ, integrals by the trapezoid rule",
    equivalents={
        "R": "prcomp(sweep(curves, 2, sqrt(w), '*')) with trapezoid weights w",
        "Python": "skfda.preprocessing.dim_reduction.FPCA(n_components=3).fit(skfda.FDataGrid(curves, grid))",
    },
    example={
        "x": [
            [1.0, 2.1, 2.9, 3.6, 4.0],
            [0.8, 1.7, 2.6, 3.0, 3.1],
            [1.2, 2.6, 3.7, 4.4, 5.1],
            [0.9, 2.0, 2.7, 3.7, 4.4],
            [1.1, 2.2, 3.3, 3.8, 3.9],
        ],
        "grid": [0, 1, 2, 4, 8],
        "n_components": 2,
    },
)
def functional_components(
    x: Curves, *, grid: GridPoints | None = None, n_components: Components | None = None
) -> Measures:
    """Mean curve and functional principal components of curves observed on one grid.

    Parameters
    ----------
    x : the curves, one list of values per curve, all on the same grid.
    grid : the places where the curves were measured, increasing; equally spaced from 0 to 1 when absent.
    n_components : how many components to report; all (at most 20) when absent.

    Returns
    -------
    Measures : mean curve, eigenvalues, shares of variance, eigenfunctions of unit norm and scores.

    Raises
    ------
    InputError : a grid that does not increase or does not fit the curves, more components than possible.
    NotDefined : all curves are the same.
    """
    n, m = x.shape
    points, reach = _grid(grid, m)
    if n_components is not None and n_components > min(n - 1, m):
        raise InputError(
            f"{n_components} components were asked for; {n} curves of {m} points have at most {min(n - 1, m)}.",
            hint=f"Ask for at most {min(n - 1, m)}.",
            where="n_components",
            code="out_of_range",
        )
    weights = _trapezoid(points)  # of the grid scaled to a length of one
    parts = _decompose(x, weights)
    s, rank, exponent = parts.singular, parts.rank, parts.exponent
    kept = min(n_components or _DEFAULT_COMPONENTS, rank)
    functions, scores = parts.functions[:kept], parts.scores[:, :kept]
    variances, undefined = _variances(s, kept, n - 1, exponent, reach)
    shares = s**2 / float(np.sum(s**2))
    listed = n * kept <= _SCORE_LIMIT
    if not listed:
        undefined["scores"] = f"not listed for more than {_SCORE_LIMIT} numbers"
    labels = tuple(f"FPC{j + 1}" for j in range(kept))
    root = math.sqrt(reach)
    return Measures(
        method=f"Functional principal component analysis of {n} curves on {m} points (trapezoid quadrature)",
        quantities={
            "n": Quantity(n, Role.COUNT),
            "n_points": Quantity(m, Role.COUNT),
            "n_components": Quantity(kept, Role.COUNT),
            "grid": Quantity((points if grid is None else grid).tolist(), Role.VALUE),
            "quadrature_weights": Quantity((weights * reach).tolist(), Role.WEIGHT),
            "mean_curve": Quantity(parts.mean.tolist(), Role.MEAN),
            "std_dev_curve": Quantity(np.ldexp(parts.deviation, exponent).tolist(), Role.STD_DEV),
            **variances,
            "proportion_explained": Quantity(shares[:kept].tolist(), Role.PROPORTION),
            "cumulative_proportion": Quantity(
                np.minimum(np.cumsum(shares), 1.0)[:kept].tolist(), Role.PROPORTION
            ),
            "eigenfunctions": Quantity(
                dict(zip(labels, (functions / root).tolist(), strict=True)), Role.COEFFICIENT
            ),
            "scores": Quantity(
                dict(zip(labels, np.ldexp(scores.T * root, exponent).tolist(), strict=True)), Role.VALUE
            )
            if listed
            else None,
        },
        undefined=undefined,
        conventions=_conventions(grid is None),
        warnings=_cautions(n_components, rank, n),
    )


# Steps ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Parts:
    """The decomposition of curves divided by 2**exponent on a grid of length one."""

    singular: FloatArray
    functions: FloatArray  # rows of unit norm in the integral
    scores: FloatArray
    mean: FloatArray  # in the units of the data
    deviation: FloatArray  # pointwise standard deviation
    rank: int
    exponent: int


def _decompose(x: FloatArray, weights: FloatArray) -> _Parts:
    n, m = x.shape
    power = int(np.frexp(np.abs(x).max())[1])
    z, mean = centred(np.ldexp(x, -power))
    top = float(np.abs(z).max())
    if not top > 0.0:
        raise NotDefined(
            "The functional components are undefined: all curves are the same.",
            hint="At least two curves must differ.",
            where="x",
            code="zero_variance",
        )
    extra = int(np.frexp(top)[1])
    z = np.ldexp(z, -extra)
    u, s, vt = np.linalg.svd(z * np.sqrt(weights), full_matrices=False)
    floor = _EPS * max(max(n, m) * float(s[0]), math.sqrt(n) * math.ldexp(1.0, -extra))
    rank = max(1, min(int((s > floor).sum()), n - 1))
    s = np.where(np.arange(s.size) < rank, s, 0.0)
    turn = signs(vt.T)
    return _Parts(
        singular=s,
        functions=vt * turn[:, None] / np.sqrt(weights),
        scores=u * s * turn,
        mean=np.ldexp(mean, power),
        deviation=np.sqrt(np.sum(z * z, axis=0) / (n - 1)),
        rank=rank,
        exponent=power + extra,
    )


def _grid(grid: FloatArray | None, m: int) -> tuple[FloatArray, float]:
    """The grid brought to start at 0 and end at 1, and its length."""
    if grid is None:
        return np.linspace(0.0, 1.0, m), 1.0
    if grid.size != m:
        raise InputError(
            f"The grid has {grid.size} points, but every curve has {m} values.",
            hint="Give one grid point per value of a curve.",
            where="grid",
            code="length_mismatch",
        )
    reach = float(grid[-1]) - float(grid[0])
    if not bool((np.diff(grid) > 0).all()) or not math.isfinite(reach):
        raise InputError(
            "The grid must increase from point to point.",
            hint="Sort the points (and the values of the curves with them) and remove repeated ones.",
            where="grid",
            code="out_of_range",
        )
    return (grid - grid[0]) / reach, reach


def _trapezoid(points: FloatArray) -> FloatArray:
    step = np.diff(points)
    out: FloatArray = (np.concatenate((step, [0.0])) + np.concatenate(([0.0], step))) / 2
    return out


def _variances(
    s: FloatArray, kept: int, df: int, exponent: int, reach: float
) -> tuple[dict[str, Any], dict[str, str]]:
    """Eigenvalues (variances of the scores) and the total variance integrated over the grid."""
    mantissa, extra = math.frexp(reach)
    scaled = [fit_or_none(v * mantissa, 2 * exponent + extra) for v in (s**2 / df).tolist()]
    total = fit_or_none(float(np.sum(s**2)) / df * mantissa, 2 * exponent + extra)
    undefined = {}
    reason = "it does not fit a double-precision number"
    if None in scaled[:kept]:
        undefined["eigenvalues"] = reason
    if total is None:
        undefined["total_variance"] = reason
    out = {
        "eigenvalues": None if "eigenvalues" in undefined else Quantity(scaled[:kept], Role.VARIANCE),
        "total_variance": None if total is None else Quantity(total, Role.VARIANCE),
    }
    return out, undefined


def _conventions(default_grid: bool) -> tuple[str, ...]:
    spacing = (
        "no grid given: points equally spaced from 0 to 1"
        if default_grid
        else "integrals over the grid as given"
    )
    return (
        spacing,
        "trapezoid weights; eigenfunctions have ∫φ² = 1 and are signed so that their largest weighted value is positive",
        "eigenvalues are variances of the scores (divisor n − 1)",
        "no smoothing; a curve with a missing value is left out",
    )


def _cautions(asked: int | None, rank: int, n: int) -> tuple[str, ...]:
    said = []
    if asked is not None and asked > rank:
        said.append(f"Only {rank} component{'s have' if rank != 1 else ' has'} any variance.")
    if n < 5:
        said.append(f"With {n} curves the components describe these curves only.")
    return tuple(said)
