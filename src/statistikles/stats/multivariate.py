"""Principal components: variances, loadings and scores, with the tests that say whether they are worth having."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Columns, Components, FloatArray, NameList, Switch
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._columns import (
    centred,
    column_names,
    constant_columns,
    fit_or_none,
    refuse_constant,
    signs,
)
from statistikles.stats._distributions import chi2_sf

__all__ = ["pca"]

_DEFAULT_COMPONENTS = 20
_SCORE_LIMIT = 20_000
_EPS = float(np.finfo(np.float64).eps)

declare_tool(
    "pca",
    title="Principal component analysis",
    summary="Summarises several correlated numeric columns by a few uncorrelated components.",
)

VariableNames = Annotated[tuple[str, ...], NameList(of=("x",))]


@statistic(
    tool="pca",
    title="Principal component analysis",
    use_when="several numeric variables are to be reduced to a few components that keep most of the variance",
    utterances=(
        "principal components",
        "reduce these variables to fewer dimensions",
        "how much variance do the first two components explain",
        "pca of the measurements",
        "loadings and eigenvalues",
        "is the sample adequate for factor analysis (KMO, Bartlett)",
    ),
    refs=(
        "Hotelling 1933, doi:10.1037/h0071325",
        "Bartlett 1951, The effect of standardization on a chi-square approximation in factor analysis",
        "Kaiser 1974, An index of factorial simplicity",
    ),
    laws=("order_invariant",),
    oracle="sklearn.decomposition:PCA",
    formula="X − mean = U D Vᵀ; eigenvalue = d²/(n − 1); scores = U D",
    equivalents={
        "R": "prcomp(x, scale. = FALSE); psych::KMO(x); psych::cortest.bartlett(cor(x), n)",
        "Python": "sklearn.decomposition.PCA().fit(x)",
    },
    example={
        "x": [
            [2.5, 0.5, 2.2, 1.9, 3.1, 2.3, 2.0, 1.0, 1.5, 1.1],
            [2.4, 0.7, 2.9, 2.2, 3.0, 2.7, 1.6, 1.1, 1.6, 0.9],
            [1.2, 0.3, 0.9, 1.4, 1.1, 1.6, 0.8, 0.4, 1.0, 0.2],
        ],
        "var_names": ["length", "width", "height"],
    },
)
def pca(
    x: Columns,
    *,
    n_components: Components | None = None,
    scale: Switch = False,
    scores: Switch = False,
    var_names: VariableNames | None = None,
) -> Measures:
    """Principal components by singular value decomposition of the centred columns.

    Parameters
    ----------
    x : the variables, a list of columns.
    n_components : how many components to report; all (at most 20) when absent.
    scale : true to standardise the columns first (correlation matrix); the covariance matrix otherwise.
    scores : true to return the component scores of every row as well.
    var_names : names of the columns in the result.

    Returns
    -------
    Measures : eigenvalues, shares of variance, loadings, Kaiser's rule, Bartlett's sphericity test and KMO.

    Raises
    ------
    InputError : fewer than two rows, or more components asked for than there are columns.
    NotDefined : nothing varies, or a column is constant while the columns are to be standardised.
    """
    n, p = x.shape
    names = column_names(var_names, p)
    if n_components is not None and n_components > p:
        raise InputError(
            f"{n_components} components were asked for, but there are only {p} columns.",
            hint=f"Ask for at most {p}.",
            where="n_components",
            code="out_of_range",
        )
    if scale:
        refuse_constant(x, names, "PCA of standardised columns")
    parts = _decompose(x, scale)
    kept = min(n_components or _DEFAULT_COMPONENTS, parts.rank)
    if scores and n * kept > _SCORE_LIMIT:
        raise InputError(
            f"{n} rows times {kept} components are {n * kept} scores; the limit is {_SCORE_LIMIT}.",
            hint="Ask for fewer components, or leave the scores out.",
            where="scores",
            code="limit_exceeded",
        )
    adequacy, undefined = _adequacy(x, names)
    variances, reason = _variances(parts, kept)
    undefined |= reason
    quantities: dict[str, Any] = {
        "n": Quantity(n, Role.COUNT),
        "n_variables": Quantity(p, Role.COUNT),
        "n_components": Quantity(kept, Role.COUNT),
        **variances,
        **_shares(parts, kept),
        **_loadings(parts, kept, names),
        "kaiser": _kaiser(parts, p),
        **adequacy,
        "scores": _scores(parts, kept) if scores else None,
        "means": Quantity(dict(zip(names, parts.mean.tolist(), strict=True)), Role.MEAN),
    }
    if not scores:
        undefined["scores"] = "not asked for; send scores: true"
    return Measures(
        method=f"Principal component analysis of the {'correlation' if scale else 'covariance'} matrix "
        "(singular value decomposition)",
        quantities=quantities,
        undefined=undefined,
        conventions=(
            "columns are centred"
            + (" and divided by their standard deviations (n − 1)" if scale else ", not scaled"),
            "eigenvalues are variances with divisor n − 1",
            "loadings are unit eigenvectors; each is signed so that its largest entry is positive",
            "correlation_loadings are correlations of variables with components",
        ),
        warnings=_cautions(parts, n, p, n_components, scale, x),
    )


# Steps ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Parts:
    """The decomposition, of data divided by 2**exponent."""

    singular: FloatArray  # all singular values, largest first
    axes: FloatArray  # columns: unit directions with their sign fixed
    scores: FloatArray
    mean: FloatArray
    column_sd: FloatArray  # of the scaled, centred columns
    rank: int
    exponent: int
    df: int


def _decompose(x: FloatArray, scale: bool) -> _Parts:
    n, p = x.shape
    exponent = int(np.frexp(np.abs(x).max())[1])
    if scale:  # each column by its own power of two, so that none underflows
        own = np.frexp(np.abs(x).max(axis=0))[1]
        z, mean = centred(np.ldexp(x, -own))
        mean = np.ldexp(mean, own)
        # A second power of two keeps the squares of a small spread on a large offset.
        spread = np.frexp(np.abs(z).max(axis=0))[1]
        z = np.ldexp(z, -spread)
        z /= np.sqrt(np.sum(z * z, axis=0) / (n - 1))
        exponent = 0
        noise = float(np.max(np.ldexp(1.0, -spread)))
    else:
        z, mean = centred(np.ldexp(x, -exponent))
        mean = np.ldexp(mean, exponent)
        noise = 1.0
        top = float(np.abs(z).max())
        if top > 0:
            extra = int(np.frexp(top)[1])
            z, exponent, noise = np.ldexp(z, -extra), exponent + extra, math.ldexp(1.0, -extra)
    if not float(np.abs(z).max()) > 0.0:
        raise NotDefined(
            "PCA is undefined: every column is constant.",
            hint="At least one column must vary.",
            where="x",
            code="zero_variance",
        )
    u, s, vt = np.linalg.svd(z, full_matrices=False)
    floor = _EPS * max(max(n, p) * float(s[0]), math.sqrt(n * p) * noise)
    rank = max(1, min(int((s > floor).sum()), n - 1))
    turn = signs(vt.T)
    return _Parts(
        singular=np.where(np.arange(s.size) < rank, s, 0.0),
        axes=vt.T * turn,
        scores=u * s * turn,
        mean=mean,
        column_sd=np.sqrt(np.sum(z * z, axis=0) / (n - 1)),
        rank=rank,
        exponent=exponent,
        df=n - 1,
    )


def _variances(parts: _Parts, kept: int) -> tuple[dict[str, Any], dict[str, str]]:
    scaled = (parts.singular[:kept] ** 2 / parts.df).tolist()
    total = float(np.sum(parts.singular**2)) / parts.df
    eigenvalues = [fit_or_none(v, 2 * parts.exponent) for v in scaled]
    whole = fit_or_none(total, 2 * parts.exponent)
    undefined = {}
    too_large = "the variances do not fit a double-precision number; their roots are in std_devs"
    if None in eigenvalues:
        undefined["eigenvalues"] = too_large
    if whole is None:
        undefined["total_variance"] = too_large
    out = {
        "eigenvalues": None if None in eigenvalues else Quantity(eigenvalues, Role.VARIANCE),
        "std_devs": Quantity([math.ldexp(math.sqrt(v), parts.exponent) for v in scaled], Role.STD_DEV),
        "total_variance": None if whole is None else Quantity(whole, Role.VARIANCE),
    }
    return out, undefined


def _shares(parts: _Parts, kept: int) -> dict[str, Any]:
    squares = parts.singular**2
    share = squares / squares.sum()
    return {
        "proportion_explained": Quantity(share[:kept].tolist(), Role.PROPORTION),
        "cumulative_proportion": Quantity(np.minimum(np.cumsum(share), 1.0)[:kept].tolist(), Role.PROPORTION),
    }


def _loadings(parts: _Parts, kept: int, names: tuple[str, ...]) -> dict[str, Any]:
    """Unit eigenvectors, and correlations of variables with components (0 for a constant variable)."""
    deviation = parts.singular[:kept] / math.sqrt(parts.df)
    sd = np.where(parts.column_sd > 0, parts.column_sd, 1.0)
    related = np.clip(parts.axes[:, :kept] * deviation / sd[:, None], -1.0, 1.0)

    def table(values: FloatArray) -> dict[str, dict[str, float]]:
        return {f"PC{k + 1}": dict(zip(names, values[:, k].tolist(), strict=True)) for k in range(kept)}

    return {
        "loadings": Quantity(table(parts.axes[:, :kept]), Role.COEFFICIENT),
        "correlation_loadings": Quantity(table(related), Role.CORRELATION),
    }


def _kaiser(parts: _Parts, p: int) -> dict[str, Any]:
    """How many components have more than the mean variance (1 for standardised columns)."""
    squares = parts.singular**2
    return {
        "n_components": Quantity(int((squares > squares.sum() / p * (1 + 1e-12)).sum()), Role.COUNT),
        "rule": "components whose eigenvalue exceeds the mean eigenvalue (1 when standardised)",
    }


def _scores(parts: _Parts, kept: int) -> Quantity:
    return Quantity(np.ldexp(parts.scores[:, :kept], parts.exponent).tolist(), Role.VALUE)


def _adequacy(x: FloatArray, names: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, str]]:
    """Bartlett's test that all correlations are zero, and the Kaiser-Meyer-Olkin measure."""
    n, p = x.shape
    keys = ("bartlett_sphericity", "kmo")
    reason = ""
    if p < 2:
        reason = "it needs at least two variables"
    elif n <= p:
        reason = "it needs more rows than variables"
    elif constant_columns(x).any():
        reason = "a column is constant"
    else:
        z = _decompose(x, True)
        if z.rank < p:
            reason = "the correlation matrix is singular"
    if reason:
        return dict.fromkeys(keys), dict.fromkeys(keys, reason)
    variances = z.singular**2 / z.df
    statistic = max(0.0, -(n - 1 - (2 * p + 5) / 6) * float(np.sum(np.log(variances))))
    df = p * (p - 1) // 2
    correlation = (z.axes * variances) @ z.axes.T
    inverse = (z.axes / variances) @ z.axes.T
    root = np.sqrt(np.diag(inverse))
    partial = inverse / np.outer(root, root)
    off = ~np.eye(p, dtype=bool)
    r2, q2 = np.where(off, correlation**2, 0.0), np.where(off, partial**2, 0.0)
    tests: dict[str, Any] = {
        "bartlett_sphericity": {
            "statistic_name": "χ²",
            "statistic": statistic,
            "df": df,
            "p_value": chi2_sf(statistic, df),
        }
    }
    if not r2.sum() > 0.0:
        return {**tests, "kmo": None}, {"kmo": "all correlations are zero"}
    below = (r2 + q2).sum(axis=0)
    each = np.where(below > 0, r2.sum(axis=0) / np.where(below > 0, below, 1.0), 0.0)
    kmo = {
        "overall": Quantity(float(r2.sum() / (r2.sum() + q2.sum())), Role.PROPORTION),
        "per_variable": Quantity(dict(zip(names, each.tolist(), strict=True)), Role.PROPORTION),
    }
    return {**tests, "kmo": kmo}, {}


def _cautions(
    parts: _Parts, n: int, p: int, asked: int | None, scale: bool, x: FloatArray
) -> tuple[str, ...]:
    said = []
    if asked is not None and asked > parts.rank:
        said.append(
            f"Only {parts.rank} component{'s have' if parts.rank != 1 else ' has'} any variance; "
            f"{asked} were asked for."
        )
    if n <= p:
        said.append(
            f"There are not more rows ({n}) than variables ({p}): the last components are not estimable."
        )
    if not scale and p > 1:
        sd = parts.column_sd[parts.column_sd > 0]
        if sd.size and float(sd.max()) > 10 * float(sd.min()):
            said.append(
                "The spreads of the variables differ more than tenfold: the widest ones decide the components. "
                "With scale: true they count equally."
            )
    if constant_columns(x).any():
        said.append("A constant column takes no part in any component.")
    return tuple(said)
