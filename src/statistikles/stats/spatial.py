"""Spatial statistics: Moran's I and geographically weighted regression."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Columns,
    FloatArray,
    MatrixOf,
    NameList,
    Permutations,
    RowSet,
    ScalarNumber,
    Seed,
    Switch,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role, SignificanceTest
from statistikles.stats._distributions import norm_isf, p_normal
from statistikles.stats._numerics import moments

__all__ = ["geographically_weighted_regression", "morans_i"]

Values = Annotated[FloatArray, Vector(min_n=4)]
Weights = Annotated[FloatArray, MatrixOf(square=True, low=0.0)]

_CLIFF = "Cliff & Ord 1981, Spatial Processes: Models and Applications"
_BRUNSDON = "Brunsdon, Fotheringham & Charlton 1996, doi:10.1111/j.1538-4632.1996.tb00936.x"
_HURVICH = "Hurvich, Simonoff & Tsai 1998, doi:10.1111/1467-9868.00125"

declare_tool(
    "spatial_stats",
    title="Spatial statistics",
    summary="Spatial autocorrelation of a variable, and regression whose coefficients vary over space.",
    chooser="type",
)


@statistic(
    tool="spatial_stats",
    subtype="morans_i",
    title="Moran's I",
    use_when="one variable observed at places, and a matrix of weights between places",
    utterances=("spatial autocorrelation", "Moran's I", "are neighbouring values similar"),
    refs=("Moran 1950, doi:10.1093/biomet/37.1-2.17", _CLIFF),
    formula="I = (n/S₀) Σᵢⱼ wᵢⱼ zᵢzⱼ / Σ zᵢ², z centred; E(I) = −1/(n − 1)",
    equivalents={"R": "spdep::moran.test(x, listw)", "Python": "esda.Moran(x, w)"},
    example={
        "x": [3.0, 4.0, 6.0, 7.0, 9.0],
        "w": [[0, 1, 0, 0, 0], [1, 0, 1, 0, 0], [0, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]],
    },
    aliases=("moran",),
    laws=("shift_invariant",),
)
def morans_i(
    x: Values,
    w: Weights,
    *,
    row_standardize: Switch = False,
    n_permutations: Permutations = 999,
    seed: Seed = 0,
    alpha: Alpha = 0.05,
) -> SignificanceTest:
    """Moran's I with its analytic test (randomisation leads, normality beside) and a permutation test.

    Parameters
    ----------
    x : the variable, one value per place.
    w : weights between places, one row per place; the diagonal is ignored.
    row_standardize : divide each row of weights by its sum first.
    n_permutations : number of random permutations.
    seed : seed of the permutations.
    alpha : significance level.

    Returns
    -------
    SignificanceTest : the estimate is I, with expectation and variance under both null models.

    Raises
    ------
    InputError : a matrix of other size than the variable, negative weights.
    NotDefined : constant variable, or no positive weight.
    """
    n = x.shape[0]
    z, weights, isolated = _moran_inputs(x, w, row_standardize)
    s0 = math.fsum(weights.sum(axis=1))
    factor = n / s0 / math.fsum(z * z)
    value = factor * float(z @ (weights @ z))
    expected = -1 / (n - 1)
    normal, random = _null_variances(z, weights, s0, expected)
    if random <= 0:
        raise NotDefined("Moran's I does not vary under permutation of these values.", code="zero_variance")
    score = (value - expected) / math.sqrt(random)
    permuted = _permuted(z, weights, factor, n_permutations, seed)
    beyond = int((np.abs(permuted - expected) >= abs(value - expected) * (1 - 1e-12)).sum())
    normal_score = (value - expected) / math.sqrt(normal)
    return SignificanceTest(
        method="Moran's I (variance under randomisation)",
        statistic_name="z",
        statistic=score,
        p_value=p_normal(score),
        alternative="two-sided",
        alpha=alpha,
        estimate_name="Moran's I",
        estimate=value,
        null_value=expected,
        std_error=math.sqrt(random),
        n=n,
        seed=seed,
        details={
            "expected": expected,
            "variance_randomisation": random,
            "variance_normality": normal,
            "p_value_permutation": (beyond + 1) / (n_permutations + 1),
            "n_permutations": n_permutations,
        },
        also={
            "normality": SignificanceTest(
                method="Moran's I (variance under normality)",
                statistic_name="z",
                statistic=normal_score,
                p_value=p_normal(normal_score),
                alpha=alpha,
            )
        },
        conventions=(
            "weights " + ("row-standardised" if row_standardize else "as given") + ", zero diagonal",
            "randomisation variance leads; normality beside",
            "permutation p: (b + 1)/(m + 1), two-sided around the expectation",
        ),
        warnings=(f"{isolated} places have no neighbour.",) if isolated else (),
    )


def _moran_inputs(x: FloatArray, w: FloatArray, row_standardize: bool) -> tuple[FloatArray, FloatArray, int]:
    """Centred values, weights without diagonal, and the number of places without neighbours."""
    n = x.shape[0]
    if w.shape[0] != n:
        raise InputError(
            f"'w' has {w.shape[0]} rows but 'x' has {n} values.", where="w", code="length_mismatch"
        )
    weights = w.copy()
    np.fill_diagonal(weights, 0.0)
    sums = weights.sum(axis=1)
    if row_standardize:
        weights = weights / np.where(sums > 0, sums, 1.0)[:, None]
    if not weights.any():
        raise NotDefined("Every weight between different places is zero.", code="no_neighbours")
    m = moments(x)
    if m.minimum == m.maximum:
        raise NotDefined("Moran's I is undefined: every value is the same.", code="zero_variance")
    z = x - m.mean
    z = z / np.abs(z).max()
    return z - math.fsum(z) / n, weights, int((sums == 0).sum())


def _null_variances(z: FloatArray, w: FloatArray, s0: float, expected: float) -> tuple[float, float]:
    """Variance of I under normality and under randomisation (Cliff & Ord 1981, chapter 2)."""
    n = len(z)
    s1 = 0.5 * float(((w + w.T) ** 2).sum())
    s2 = float(((w.sum(axis=1) + w.sum(axis=0)) ** 2).sum())
    normal = (n * n * s1 - n * s2 + 3 * s0 * s0) / (s0 * s0 * (n * n - 1)) - expected**2
    kurtosis = (math.fsum(z**4) / n) / (math.fsum(z**2) / n) ** 2
    first = n * ((n * n - 3 * n + 3) * s1 - n * s2 + 3 * s0 * s0)
    second = kurtosis * ((n * n - n) * s1 - 2 * n * s2 + 6 * s0 * s0)
    random = (first - second) / ((n - 1) * (n - 2) * (n - 3) * s0 * s0) - expected**2
    return normal, random


def _permuted(z: FloatArray, w: FloatArray, factor: float, n_permutations: int, seed: int) -> FloatArray:
    generator = np.random.Generator(np.random.PCG64(seed))
    out = np.empty(n_permutations)
    for start in range(0, n_permutations, 256):
        block = np.array([generator.permutation(z) for _ in range(min(256, n_permutations - start))])
        out[start : start + len(block)] = factor * np.einsum("ij,ij->i", block @ w.T, block)
    return out


@statistic(
    tool="spatial_stats",
    subtype="gwr",
    title="Geographically weighted regression",
    use_when="a numeric outcome and predictors observed at coordinates, with effects that may vary over space",
    utterances=(
        "geographically weighted regression",
        "does the effect vary over space",
        "local regression by location",
    ),
    refs=(_BRUNSDON, _HURVICH),
    formula="β(u) = (X′W(u)X)⁻¹X′W(u)y, w = exp(−d²/(2h²)); h by AICc",
    equivalents={
        "R": 'GWmodel::gwr.basic(y ~ x, data, bw, kernel = "gaussian")',
        "Python": "mgwr.gwr.GWR(coords, y, X, bw)",
    },
    example={
        "y": [2.1, 3.9, 6.2, 7.8, 10.1, 13.9, 16.2, 21.8, 24.1, 27.9, 3.2, 5.1],
        "x": [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1.5, 2.5]],
        "coords": [
            [0, 0],
            [1, 0],
            [2, 0],
            [3, 0],
            [4, 1],
            [5, 1],
            [6, 2],
            [7, 2],
            [8, 3],
            [9, 3],
            [0, 1],
            [1, 1],
        ],
    },
    aligned=(("y", "x", "coords"),),
)
def geographically_weighted_regression(
    y: Annotated[FloatArray, Vector(min_n=5)],
    x: Columns,
    coords: Annotated[FloatArray, RowSet(min_n=5)],
    *,
    bandwidth: Annotated[float, ScalarNumber(low=0.0, open_low=True)] | None = None,
    var_names: Annotated[tuple[str, ...], NameList(of=("x",))] | None = None,
    alpha: Alpha = 0.05,
) -> Measures:
    """Geographically weighted regression with a Gaussian kernel; bandwidth by AICc unless it is given.

    Parameters
    ----------
    y : outcome, one value per place.
    x : one predictor or a list of predictor columns.
    coords : coordinates, one row [east, north] per place.
    bandwidth : standard deviation of the kernel, in the unit of the coordinates.
    var_names : names of the predictors.
    alpha : intervals of the local coefficients have confidence 1 - alpha.

    Returns
    -------
    Measures : bandwidth, AICc beside that of the global model, effective parameters, R², and for each term the
        local coefficients with standard errors.

    Raises
    ------
    InputError : coordinates that are not pairs, or other numbers of names than predictors.
    NotDefined : all places coincide, too few places, or collinear predictors.
    """
    names = _term_names(x, var_names)
    design, distance, scale = _gwr_design(x, coords)
    model = _Gwr(y, design, distance)
    chosen = bandwidth if bandwidth is not None else model.best_bandwidth()
    fit = model.fit(chosen)
    everywhere = model.fit(math.inf)
    total = math.fsum((y - moments(y).mean) ** 2)
    return Measures(
        method="Geographically weighted regression (Gaussian kernel)",
        quantities={
            "bandwidth": Quantity(chosen, Role.PARAMETER),
            "aicc": Quantity(fit["aicc"], Role.INFORMATION),
            "aicc_global": Quantity(everywhere["aicc"], Role.INFORMATION),
            "effective_parameters": Quantity(fit["trace"], Role.PARAMETER),
            "residual_sum_of_squares": Quantity(fit["rss"], Role.SUM_OF_SQUARES),
            "r_squared": Quantity(1 - fit["rss"] / total, Role.DETERMINATION) if total > 0 else None,
            "terms": _local_terms(names, fit, everywhere, x.mean(axis=0), scale, alpha),
            "fitted": fit["fitted"],
            "n": Quantity(len(y), Role.COUNT),
        },
        undefined={} if total > 0 else {"r_squared": "the outcome does not vary"},
        conventions=(
            "fixed Gaussian kernel exp(−d²/(2h²))",
            "bandwidth by AICc" if bandwidth is None else "bandwidth as given",
            "local standard errors with σ² = RSS/(n − 2 tr S + tr S′S)",
        ),
        warnings=(
            "The global model has the lower AICc: there is little evidence that effects vary over space.",
        )
        if everywhere["aicc"] <= fit["aicc"] + 1e-9
        else (),
    )


def _term_names(x: FloatArray, given: tuple[str, ...] | None) -> tuple[str, ...]:
    p = x.shape[1]
    names = given or tuple(f"x{j}" for j in range(1, p + 1))
    if len(names) != p:
        raise InputError(
            f"There are {p} predictors but {len(names)} names.", where="var_names", code="length_mismatch"
        )
    return ("intercept", *names)


def _gwr_design(x: FloatArray, coords: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Standardised design with intercept, distances between places, and the spread of the predictors."""
    n, p = x.shape
    if coords.shape[1] != 2:
        raise InputError("'coords' must hold two numbers per place.", where="coords", code="shape")
    if n <= p + 3:
        raise NotDefined(f"{n} places are too few for {p} predictors.", code="too_few_values")
    distance = np.hypot(*(coords[:, None, :] - coords[None, :, :]).transpose(2, 0, 1))
    if distance.max() == 0:
        raise NotDefined("All places coincide, so nothing can vary over space.", code="constant")
    scale = np.where(x.std(axis=0) > 0, x.std(axis=0), 1.0)
    design = np.column_stack([np.ones(n), (x - x.mean(axis=0)) / scale])
    if np.linalg.matrix_rank(design) < p + 1:
        raise NotDefined("The predictors are collinear or constant.", code="singular")
    return design, distance, scale


class _Gwr:
    """Local weighted least squares on standardised predictors."""

    def __init__(self, y: FloatArray, design: FloatArray, distance: FloatArray) -> None:
        self.y, self.design, self.distance = y, design, distance

    def fit(self, bandwidth: float) -> dict[str, Any]:
        n, k = self.design.shape
        kernel = (
            np.exp(-((self.distance / bandwidth) ** 2) / 2) if math.isfinite(bandwidth) else np.ones((n, n))
        )
        beta, spread, hat = np.empty((n, k)), np.empty((n, k, k)), np.empty((n, n))
        for i in range(n):
            root = np.sqrt(kernel[i])
            q, r = np.linalg.qr(self.design * root[:, None])
            diagonal = np.abs(np.diag(r))
            if diagonal.min() <= 1e-10 * diagonal.max():
                raise NotDefined(
                    "The bandwidth is too small: a local regression is not determined.", code="singular"
                )
            solve = np.linalg.solve(r, q.T * root)  # local coefficients are this matrix times y
            beta[i], spread[i], hat[i] = solve @ self.y, solve @ solve.T, self.design[i] @ solve
        fitted = hat @ self.y
        rss = math.fsum((self.y - fitted) ** 2)
        trace = float(np.trace(hat))
        free = n - 2 * trace + float((hat**2).sum())
        penalty = n - 2 - trace
        aicc = (
            n * math.log(max(rss / n, 1e-300)) + n * math.log(2 * math.pi) + n * (n + trace) / penalty
            if penalty > 0
            else math.inf
        )
        return {
            "beta": beta,
            "spread": spread,
            "fitted": fitted,
            "rss": rss,
            "trace": trace,
            "free": free,
            "aicc": aicc,
        }

    def best_bandwidth(self) -> float:
        """Minimum of AICc: a scan over scales, then golden-section search around the best."""
        positive = self.distance[self.distance > 0]
        grid = np.geomspace(float(np.quantile(positive, 0.05)), 3 * float(positive.max()), 24)
        scores = [self._score(float(h)) for h in grid]
        best = int(np.argmin(scores))
        if not math.isfinite(scores[best]):
            raise NotDefined("No bandwidth gives a determined local regression.", code="singular")
        return _golden(self._score, float(grid[max(0, best - 1)]), float(grid[min(len(grid) - 1, best + 1)]))

    def _score(self, bandwidth: float) -> float:
        try:
            return float(self.fit(bandwidth)["aicc"])
        except NotDefined:
            return math.inf


def _golden(f: Callable[[float], float], low: float, high: float) -> float:
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    fa, fb = f(a), f(b)
    for _ in range(40):
        if fa <= fb:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = f(a)
        else:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = f(b)
    return (low + high) / 2


def _local_terms(
    names: tuple[str, ...],
    fit: dict[str, Any],
    everywhere: dict[str, Any],
    centre: FloatArray,
    scale: FloatArray,
    alpha: float,
) -> dict[str, Any]:
    """Coefficients on the original scale of the predictors."""
    k = len(names)
    back = np.eye(k)
    back[np.arange(1, k), np.arange(1, k)] = 1 / scale
    back[0, 1:] = -centre / scale
    local, overall = fit["beta"] @ back.T, everywhere["beta"][0] @ back.T
    sigma2 = fit["rss"] / fit["free"] if fit["free"] > 0 else math.nan
    variances = np.einsum("ij,njk,ik->ni", back, fit["spread"], back)
    out = {}
    for j, name in enumerate(names):
        column = local[:, j]
        entry: dict[str, Any] = {
            "global_estimate": float(overall[j]),
            "minimum": float(column.min()),
            "median": float(np.median(column)),
            "maximum": float(column.max()),
            "local_estimates": column,
        }
        if math.isfinite(sigma2):
            errors = np.sqrt(sigma2 * variances[:, j])
            reach = norm_isf(alpha / 2)
            entry["local_std_errors"] = errors
            entry["share_significant"] = float(np.mean(np.abs(column) > reach * errors))
        out[name] = entry
    return out
