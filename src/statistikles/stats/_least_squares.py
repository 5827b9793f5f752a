"""Linear least squares whose effort follows the condition of the problem.

Ordinary data: centred, scaled Cholesky with one corrected step, refused above a stated condition.
Hard data (ill-conditioned, nearly exact fits, large offsets, exact powers, decimal reading): a QR
factor from LAPACK preconditions the design, and the rest is done in double-double, which leaves
about 30 digits minus those the condition number costs. Columns that add nothing to the ones before
them are named in the refusal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError
from statistikles.stats._dd_least_squares import solve_double_double
from statistikles.stats._exact import (
    DD,
    dd_div,
    dd_from_decimal,
    dd_mul,
    dd_sub,
    dd_sum_axis,
    dd_to_float,
    dd_total,
    scale_back,
)

__all__ = [
    "LinearFit",
    "fit_from_solution",
    "linear_least_squares",
    "plain_condition",
    "polynomial_columns",
]

Matrix = NDArray[np.float64]

# Decimal digits that a plain fit would lose, as a factor, up to which it is accepted. Small problems
# can afford more care: their double-double fit takes about a millisecond.
_LOSS_SMALL: Final = 20.0
_LOSS_LARGE: Final = 1e4
_SMALL: Final = 50_000  # n * q**2
_CONDITION_CHOLESKY: Final = 1e4  # of the centred, scaled columns


@dataclass(frozen=True)
class LinearFit:
    """A least-squares fit; `coefficients` start with the intercept when there is one.

    `refinement` says how it was computed: "corrected Cholesky" or "double-double". Where a quantity
    does not exist it is None and `notes` says why.
    """

    names: tuple[str, ...]
    intercept: bool
    n: int
    coefficients: Matrix
    std_errors: Matrix | None
    unscaled_covariance: Matrix | None
    fitted: Matrix
    residuals: Matrix
    leverage: Matrix
    vif: Matrix
    rss: float
    tss: float
    ess: float
    df_model: int
    df_resid: int
    resid_sd: float | None
    r2: float | None
    adj_r2: float | None
    f: float | None
    condition: float
    refinement: str
    exact_fit: bool
    notes: tuple[str, ...]

    @cached_property
    def covariance(self) -> Matrix | None:
        """Covariance matrix of the coefficients, where a double can hold it."""
        if self.resid_sd is None or self.unscaled_covariance is None:
            return None
        out: Matrix = self.unscaled_covariance * self.resid_sd * self.resid_sd
        return out

    @cached_property
    def standardised_residuals(self) -> Matrix:
        """Internally studentised residuals; nan where the leverage is 1 or the fit is exact."""
        return self._scaled(np.full(self.n, self.resid_sd or math.nan))

    @cached_property
    def studentised_residuals(self) -> Matrix:
        """Externally studentised (deleted) residuals; nan where they do not exist."""
        if self.df_resid < 2:
            return np.full(self.n, math.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            rest = self.rss - self.residuals**2 / (1.0 - self.leverage)
            sd = np.sqrt(np.where(rest > 0, rest, math.nan) / (self.df_resid - 1))
        return self._scaled(sd)

    @cached_property
    def cooks_distance(self) -> Matrix:
        """Cook's distance of each observation; nan where the leverage is 1."""
        q = len(self.names)
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = np.where(self.leverage < _FULL_LEVERAGE, self.leverage / (1.0 - self.leverage), math.nan)
        out: Matrix = self.standardised_residuals**2 * odds / q
        return out

    def _scaled(self, sd: Matrix) -> Matrix:
        with np.errstate(divide="ignore", invalid="ignore"):
            out: Matrix = self.residuals / (sd * np.sqrt(1.0 - self.leverage))
        out[self.leverage >= _FULL_LEVERAGE] = math.nan
        return out


_FULL_LEVERAGE: Final = 1.0 - 1e-12


def linear_least_squares(
    x: Matrix | Sequence[Matrix],
    y: Matrix,
    *,
    names: Sequence[str] | None = None,
    intercept: bool = True,
    degree: int = 1,
    decimal: bool = False,
) -> LinearFit:
    """Fit y on the columns of `x` (an n x p array, or a list of p columns).

    `degree` above 1 takes one column and fits its powers, formed without rounding. `decimal` reads
    every double as the shortest decimal that prints as it.
    """
    design = _as_design(x, y)
    n, p = design.shape
    q = (degree if degree > 1 else p) + int(intercept)
    labels = _labels(names, p, degree, intercept)
    if q == 0:
        raise InputError("The model has neither predictors nor an intercept.", where="x")
    if n < q:
        raise InputError(
            f"{n} observations cannot determine {q} coefficients.",
            hint="Use fewer predictors or more observations.",
            where="y",
            code="too_few_values",
        )
    if degree == 1 and not decimal:
        fit = _plain_fit(design, y, labels, intercept)
        if fit is not None:
            return fit
    columns, exponents = polynomial_columns(design, degree, decimal=decimal)
    exact = degree > 1 or decimal
    return _careful_fit(columns, exponents, y, labels, intercept=intercept, decimal=decimal, exact=exact)


def _as_design(x: Matrix | Sequence[Matrix], y: Matrix) -> Matrix:
    if isinstance(x, np.ndarray):
        design = np.asarray(x, dtype=np.float64)
        design = design[:, None] if design.ndim == 1 else design
    else:
        if any(len(column) != y.size for column in x):
            raise InputError("Every predictor must have as many values as 'y'.", where="x", code="shape")
        design = np.column_stack(x) if len(x) else np.empty((y.size, 0))
    if design.ndim != 2 or design.shape[0] != y.size:
        raise InputError("Every predictor must have as many values as 'y'.", where="x", code="shape")
    return design


def _labels(names: Sequence[str] | None, p: int, degree: int, intercept: bool) -> tuple[str, ...]:
    if degree < 1:
        raise InputError("'degree' must be at least 1.", where="degree", code="out_of_range")
    if degree > 1 and p != 1:
        raise InputError("'degree' above 1 takes exactly one predictor.", where="degree", code="shape")
    labels = list(names) if names is not None else (["x"] if p == 1 else [f"x{i + 1}" for i in range(p)])
    if len(labels) != p:
        raise InputError(
            f"{len(labels)} names were given for {p} predictors.", where="var_names", code="shape"
        )
    if degree > 1:
        labels = [labels[0], *(f"{labels[0]}^{k}" for k in range(2, degree + 1))]
    return ("intercept", *labels) if intercept else tuple(labels)


# --- ordinary data ----------------------------------------------------------------------------------


def _plain_fit(x: Matrix, y: Matrix, names: tuple[str, ...], intercept: bool) -> LinearFit | None:
    """Corrected Cholesky fit, or None when the data call for more digits than it keeps."""
    n, p = x.shape
    if p == 0:
        return None
    with np.errstate(all="ignore"):
        shift = x.mean(axis=0) if intercept else np.zeros(p)
        centred = x - shift if intercept else x
        gram = centred.T @ centred
        column_ss = np.diag(gram).copy()
        y_shift = float(y.mean()) if intercept else 0.0
        target = y - y_shift
        tss = float(target @ target)
    found = plain_condition(gram, shift, n, tss)
    if found is None:
        return None
    spread, correlation, condition = found
    factor = np.linalg.inv(np.linalg.cholesky(correlation)) / spread  # rows of L^-1, columns unscaled
    inverse = factor.T @ factor
    slopes = inverse @ (centred.T @ target)
    slopes += inverse @ (centred.T @ (target - centred @ slopes))
    residuals = target - centred @ slopes
    rss = float(residuals @ residuals)
    loss = max(
        condition,
        math.sqrt(tss / rss) if rss > 0 else math.inf,
        float(np.max(np.abs(shift) * math.sqrt(n) / spread)),
        abs(y_shift) * math.sqrt(n / tss),
    )
    if loss > (_LOSS_SMALL if n * (p + 1) ** 2 <= _SMALL else _LOSS_LARGE):
        return None
    half = centred @ factor.T
    leverage = np.einsum("ij,ij->i", half, half)
    covariance = inverse
    coefficients = slopes
    if intercept:
        leverage += 1.0 / n
        cross = -inverse @ shift
        corner = 1.0 / n + float(shift @ inverse @ shift)
        covariance = np.block([[np.array([[corner]]), cross[None, :]], [cross[:, None], inverse]])
        coefficients = np.concatenate(([y_shift - float(shift @ slopes)], slopes))
    solved = _Solved(
        names=names,
        intercept=intercept,
        coefficients=coefficients,
        covariance=covariance,
        residuals=residuals,
        leverage=np.minimum(leverage, 1.0),
        vif=np.maximum(np.diag(inverse) * column_ss, 1.0),
        rss=rss,
        tss=tss,
        ess=tss - rss,
        y_ss=float(y @ y),
        condition=condition,
        refinement="corrected Cholesky",
    )
    return _assemble(solved, y, 0, np.zeros(coefficients.size, dtype=np.int64))


def plain_condition(gram: Matrix, shift: Matrix, n: int, tss: float) -> tuple[Matrix, Matrix, float] | None:
    """Root sums of squares, correlations and condition of centred columns; None when they are not plain data."""
    spread = np.sqrt(np.diag(gram))
    fine = bool(np.all((spread > 1e-120) & (spread < 1e120))) and 1e-200 < tss < 1e200
    if not fine or bool(np.any(np.abs(shift) * math.sqrt(n) > _LOSS_LARGE * spread)):
        return None
    correlation = gram / np.outer(spread, spread)
    eigen = np.linalg.eigvalsh(correlation)
    if eigen[0] <= eigen[-1] / _CONDITION_CHOLESKY**2:
        return None
    return spread, correlation, math.sqrt(float(eigen[-1] / eigen[0]))


def fit_from_solution(
    *,
    names: tuple[str, ...],
    n: int,
    coefficients: Matrix,
    covariance: Matrix,
    vif: Matrix,
    rss: float,
    tss: float,
    y_ss: float,
    condition: float,
) -> LinearFit:
    """A fit with intercept whose rows stay elsewhere: it has no fitted values, residuals or leverage."""
    none = np.empty(0)
    solved = _Solved(
        names=names,
        intercept=True,
        coefficients=coefficients,
        covariance=covariance,
        residuals=none,
        leverage=none,
        vif=vif,
        rss=rss,
        tss=tss,
        ess=tss - rss,
        y_ss=y_ss,
        condition=condition,
        refinement="corrected Cholesky",
    )
    return _assemble(solved, none, 0, np.zeros(coefficients.size, dtype=np.int64), n=n)


# --- hard data --------------------------------------------------------------------------------------


def polynomial_columns(x: Matrix, degree: int, *, decimal: bool) -> tuple[DD, list[int]]:
    """Double-double columns scaled by powers of two, and the exponents that scaling took out.

    With `degree` above 1 the columns are the powers 1 to degree of the single column of `x`.
    """
    high, low = dd_from_decimal(x) if decimal else (x.copy(), np.zeros_like(x))
    exponents = [_exponent(high[:, j]) for j in range(high.shape[1])]
    scale = np.array([-e for e in exponents], dtype=np.int64)
    high, low = np.ldexp(high, scale), np.ldexp(low, scale)
    if degree == 1:
        return (high, low), exponents
    power: DD = (high[:, 0], low[:, 0])
    base, powers = power, [power]
    for _ in range(degree - 1):
        power = dd_mul(power, base)
        powers.append(power)
    stacked = (np.column_stack([v[0] for v in powers]), np.column_stack([v[1] for v in powers]))
    return stacked, [exponents[0] * k for k in range(1, degree + 1)]


def _exponent(v: Matrix) -> int:
    return math.frexp(float(np.max(np.abs(v), initial=0.0)))[1]


def _careful_fit(
    columns: DD,
    exponents: list[int],
    y: Matrix,
    names: tuple[str, ...],
    *,
    intercept: bool,
    decimal: bool,
    exact: bool,
) -> LinearFit:
    """The fit in double-double, in the scaled columns, brought back to the units of the data."""
    n = int(y.size)
    y_exponent = _exponent(y)
    y_high, y_low = dd_from_decimal(y) if decimal else (y, np.zeros_like(y))
    target: DD = (np.ldexp(y_high, -y_exponent), np.ldexp(y_low, -y_exponent))
    column_ss = _spread(columns, intercept)
    if intercept:
        columns = (
            np.column_stack((np.ones(n), columns[0])),
            np.column_stack((np.zeros(n), columns[1])),
        )
        exponents = [0, *exponents]
    solution = solve_double_double(columns, target, names=names, exact=exact)
    residuals = solution.residuals
    rss = dd_sum_axis(dd_mul(residuals, residuals))
    tss = _total_ss(target, intercept)
    y_ss = dd_total(dd_mul(target, target))
    coefficients = solution.coefficients[0]
    if dd_to_float(rss) <= y_ss * 1e-56:  # zero to 28 digits: what is left is our own rounding
        rss, residuals = (0.0, 0.0), (np.zeros(n), np.zeros(n))
        size = np.abs(coefficients) * np.sqrt(np.einsum("ij,ij->j", columns[0], columns[0]))
        coefficients = np.where(size <= 1e-26 * math.sqrt(y_ss), 0.0, coefficients)
    solved = _Solved(
        names=names,
        intercept=intercept,
        coefficients=coefficients,
        covariance=solution.unscaled_covariance,
        residuals=residuals[0],
        leverage=solution.leverage,
        vif=np.maximum(np.diag(solution.unscaled_covariance)[int(intercept) :] * column_ss, 1.0),
        rss=dd_to_float(rss),
        tss=dd_to_float(tss),
        ess=max(0.0, dd_to_float(dd_sub(tss, rss))),
        y_ss=y_ss,
        condition=solution.condition,
        refinement="double-double",
    )
    return _assemble(solved, y, y_exponent, np.array(exponents, dtype=np.int64))


def _spread(columns: DD, intercept: bool) -> Matrix:
    """Sum of squares of each column, about its mean when there is an intercept."""
    out = [
        dd_to_float(_total_ss((columns[0][:, j], columns[1][:, j]), intercept))
        for j in range(columns[0].shape[1])
    ]
    return np.array(out)


def _total_ss(v: DD, about_mean: bool) -> DD:
    if about_mean:
        n = float(v[0].size)
        mean = dd_div(dd_sum_axis(v), (n, 0.0))
        v = dd_sub(v, mean)
    return dd_sum_axis(dd_mul(v, v))


# --- the result -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Solved:
    """What a solver found, in units scaled by powers of two."""

    names: tuple[str, ...]
    intercept: bool
    coefficients: Matrix
    covariance: Matrix
    residuals: Matrix
    leverage: Matrix
    vif: Matrix
    rss: float
    tss: float
    ess: float
    y_ss: float
    condition: float
    refinement: str


def _assemble(
    s: _Solved, y: Matrix, y_exponent: int, unit: NDArray[np.int64], *, n: int | None = None
) -> LinearFit:
    """Derived quantities, brought back to the units of the data (y by 2**y_exponent, columns by 2**unit)."""
    n, q = int(y.size) if n is None else n, len(s.names)
    df_model, df_resid = q - int(s.intercept), n - q
    notes = []
    exact = s.rss <= s.y_ss * 2.0**-100
    variance = s.rss / df_resid if df_resid > 0 else None
    if variance is None:
        notes.append("As many coefficients as observations: no residual variance, no standard errors.")
    r2 = adj_r2 = f = None
    if s.tss > 0:
        r2 = s.ess / s.tss
        if df_resid > 0:
            adj_r2 = 1.0 - (s.rss / df_resid) / (s.tss / (n - int(s.intercept)))
    else:
        notes.append("The response does not vary: R2 is not defined.")
    if exact and df_resid > 0:
        notes.append("The fit is exact (residuals are zero to rounding): F is not defined.")
    elif variance is not None and df_model > 0:
        f = (s.ess / df_model) / variance
    sd = None if variance is None else math.sqrt(variance)
    std_errors = None if sd is None else _rescale(np.sqrt(np.diag(s.covariance)) * sd, y_exponent - unit)
    with np.errstate(over="ignore", under="ignore"):
        covariance = np.ldexp(s.covariance, -(unit[:, None] + unit[None, :]))
    held = bool(np.isfinite(covariance).all()) and bool(np.all(np.diag(covariance) > 1e-300))
    residuals = np.ldexp(s.residuals, y_exponent)
    return LinearFit(
        names=s.names,
        intercept=s.intercept,
        n=n,
        coefficients=_rescale(s.coefficients, y_exponent - unit),
        std_errors=std_errors,
        unscaled_covariance=covariance if held else None,
        fitted=y - residuals,
        residuals=residuals,
        leverage=s.leverage,
        vif=s.vif,
        rss=scale_back(s.rss, 2 * y_exponent),
        tss=scale_back(s.tss, 2 * y_exponent),
        ess=scale_back(s.ess, 2 * y_exponent),
        df_model=df_model,
        df_resid=df_resid,
        resid_sd=None if sd is None else scale_back(sd, y_exponent),
        r2=r2,
        adj_r2=adj_r2,
        f=f,
        condition=s.condition,
        refinement=s.refinement,
        exact_fit=exact,
        notes=tuple(notes),
    )


def _rescale(values: Matrix, exponents: NDArray[np.int64]) -> Matrix:
    """values * 2**exponents, refused where a double cannot hold the result."""
    return np.array([scale_back(float(v), int(e)) for v, e in zip(values, exponents, strict=True)])
