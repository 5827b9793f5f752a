"""Nonlinear least squares for a written formula.

Parameters that enter linearly are projected out (Golub and Pereyra 1973, in Kaufman's form) and the
rest found by Levenberg-Marquardt with exact derivatives; plain Levenberg-Marquardt on all
parameters competes, and the smaller residual sum of squares wins. The winner is polished by
Gauss-Newton steps whose residuals, derivatives and solutions are double-double, from which the
standard errors come as well.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.stats._dd_least_squares import DoubleDoubleSolution, solve_double_double
from statistikles.stats._exact import (
    DD,
    dd_add,
    dd_from_decimal,
    dd_mul,
    dd_sub,
    dd_sum_axis,
    dd_to_float,
    scale_back,
)
from statistikles.stats._formula import Expressions, Node, evaluate, evaluate_dd, names_in, parse
from statistikles.stats._marquardt import Search, levenberg_marquardt

__all__ = ["NonlinearFit", "nonlinear_least_squares"]

Matrix = NDArray[np.float64]
_POLISH_STEPS: Final = 60


@dataclass(frozen=True)
class NonlinearFit:
    """A fitted formula; parameters in the order of `start`. `None` where a quantity does not exist."""

    names: tuple[str, ...]
    parameters: Matrix
    std_errors: Matrix | None
    unscaled_covariance: Matrix | None
    linear_parameters: tuple[str, ...]
    n: int
    rss: float
    tss: float
    df_resid: int
    resid_sd: float | None
    fitted: Matrix
    residuals: Matrix
    leverage: Matrix
    condition: float
    iterations: int
    polish_steps: int
    strategy: str
    exact_fit: bool
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Problem:
    """The parsed model with its derivatives, and the data in both precisions."""

    build: Expressions
    model: Node
    gradient: tuple[Node, ...]
    names: tuple[str, ...]
    linear: tuple[int, ...]
    values: dict[str, Matrix]
    values_dd: dict[str, DD]
    y: Matrix  # divided, like the model and its derivatives, by 2**unit
    y_dd: DD
    unit: int

    def at(self, b: Matrix) -> dict[str, Matrix | float]:
        return {**self.values, **{name: float(v) for name, v in zip(self.names, b, strict=True)}}

    def model_at(self, b: Matrix) -> Matrix:
        (out,) = evaluate([self.model], self.at(b))
        return self.scaled(out)

    def jacobian_at(self, b: Matrix, which: tuple[int, ...] | None = None) -> Matrix:
        chosen = range(len(self.names)) if which is None else which
        columns = evaluate([self.gradient[j] for j in chosen], self.at(b))
        return np.column_stack([self.scaled(c) for c in columns])

    def scaled(self, value: Matrix) -> Matrix:
        """One value per observation, in the units of `y`."""
        return np.ldexp(_spread(value, self.y.size), -self.unit)


def _spread(value: Matrix, n: int) -> Matrix:
    return np.array(np.broadcast_to(value, (n,)))


def nonlinear_least_squares(
    formula: str,
    data: Mapping[str, Matrix],
    response: str,
    start: Mapping[str, float],
    *,
    decimal: bool = False,
    max_iterations: int = 2000,
) -> NonlinearFit:
    """Fit `response` (a column or a formula of columns, such as `log(y)`) by `formula` from `start`."""
    problem = _prepare(formula, data, response, start, decimal)
    first = np.array([float(v) for v in start.values()])
    if not np.isfinite(first).all():
        raise InputError("Every starting value must be a finite number.", where="start", code="not_finite")
    searches = []
    if problem.linear and len(problem.linear) < len(problem.names):
        searches.append(("variable projection", _search_projected(problem, first, max_iterations)))
    elif problem.linear:
        solved = _linear_part(problem, first)
        if solved is not None:
            first = solved[0]
    searches.append(("Levenberg-Marquardt", _search_all(problem, first, max_iterations)))
    usable = [(name, s) for name, s in searches if s is not None]
    if not usable:
        raise InputError(
            "The formula or its derivatives are not finite (or overflow) at the starting values.",
            hint="Choose other starting values.",
            where="start",
            code="bad_start",
        )
    # Equal to seven digits means the same minimum: then the earlier, more robust search is kept.
    strategy, best = usable[0]
    for name, search in usable[1:]:
        if search.rss < best.rss * (1.0 - 1e-7) or (
            search.converged and not best.converged and search.rss <= best.rss
        ):
            strategy, best = name, search
    total = sum(s.iterations for _, s in usable)
    return _polish(problem, best, strategy, total)


def _prepare(
    formula: str, data: Mapping[str, Matrix], response: str, start: Mapping[str, float], decimal: bool
) -> _Problem:
    if not start:
        raise InputError("'start' must give a starting value for every parameter.", where="start")
    clash = sorted(set(start) & set(data))
    if clash:
        raise InputError(f"'{clash[0]}' is both a column and a parameter.", where="start", code="name_clash")
    build = Expressions()
    model = parse(formula, [*data, *start], build)
    used = names_in(model)
    idle = [name for name in start if name not in used]
    if idle:
        raise InputError(
            f"The parameter '{idle[0]}' does not occur in the formula.", where="start", code="unused"
        )
    answer = parse(response, list(data), build, where="response")
    needed = (used | names_in(answer)) - set(start)
    if not names_in(answer):
        raise InputError("The response must name a column.", where="response")
    sizes = {data[name].size for name in needed}
    if len(sizes) != 1:
        raise InputError("All columns must have the same number of values.", where="data", code="shape")
    n, p = sizes.pop(), len(start)
    if n < p:
        raise InputError(
            f"{n} observations cannot determine {p} parameters.", where="data", code="too_few_values"
        )
    values = {name: np.asarray(data[name], dtype=np.float64) for name in needed}
    zero = np.zeros(n)
    values_dd: dict[str, DD] = {
        name: dd_from_decimal(v) if decimal else (v, zero) for name, v in values.items()
    }
    (y,) = evaluate([answer], values)
    if not np.isfinite(y).all():
        raise InputError(
            f"The response '{response}' is not finite for some observations.",
            where="response",
            code="not_finite",
        )
    (y_dd,) = evaluate_dd([answer], values_dd)
    unit = math.frexp(float(np.max(np.abs(y))))[1]
    y, y_dd = np.ldexp(y, -unit), (np.ldexp(y_dd[0], -unit), np.ldexp(y_dd[1], -unit))
    gradient = tuple(build.derivative(model, name) for name in start)
    linear = _linear_set(gradient, tuple(start))
    return _Problem(build, model, gradient, tuple(start), linear, values, values_dd, y, y_dd, unit)


def _linear_set(gradient: tuple[Node, ...], names: tuple[str, ...]) -> tuple[int, ...]:
    """Positions of a maximal set of parameters in which the model is jointly affine."""
    chosen: list[int] = []
    mentioned: set[str] = set()
    for j, name in enumerate(names):
        inside = names_in(gradient[j])
        taken = {names[i] for i in chosen} | {name}
        if not inside & taken and name not in mentioned:
            chosen.append(j)
            mentioned |= inside
    return tuple(chosen)


# --- searches ---------------------------------------------------------------------------------------


def _search_all(problem: _Problem, first: Matrix, limit: int) -> Search | None:
    def residual(b: Matrix) -> Matrix:
        return problem.y - problem.model_at(b)

    return levenberg_marquardt(residual, problem.jacobian_at, first, limit)


def _linear_part(problem: _Problem, b: Matrix) -> tuple[Matrix, Matrix] | None:
    """b with its linear parameters at their best for the others, and an orthonormal basis of their span."""
    basis = problem.jacobian_at(b, problem.linear)
    bare = b.copy()
    bare[list(problem.linear)] = 0.0
    target = problem.y - problem.model_at(bare)
    if not (np.isfinite(basis).all() and np.isfinite(target).all()):
        return None
    norms = np.sqrt(np.einsum("ij,ij->j", basis, basis))
    if not np.all((norms > 1e-150) & (norms < 1e150)):
        return None
    u, s, vt = np.linalg.svd(basis / norms, full_matrices=False)
    keep = s > s[0] * 1e-13
    full = b.copy()
    full[list(problem.linear)] = (vt[keep].T @ ((u[:, keep].T @ target) / s[keep])) / norms
    return full, u[:, keep]


def _search_projected(problem: _Problem, first: Matrix, limit: int) -> Search | None:
    """Search over the nonlinear parameters only; the linear ones follow."""
    others = [j for j in range(len(problem.names)) if j not in problem.linear]
    template = first.copy()

    def completed(theta: Matrix) -> tuple[Matrix, Matrix] | None:
        template[others] = theta
        return _linear_part(problem, template)

    def residual(theta: Matrix) -> Matrix:
        found = completed(theta)
        return np.full(problem.y.size, math.nan) if found is None else problem.y - problem.model_at(found[0])

    def jacobian(theta: Matrix) -> Matrix:
        found = completed(theta)
        if found is None:
            return np.full((problem.y.size, len(others)), math.nan)
        full, basis = found
        inner = problem.jacobian_at(full, tuple(others))
        out: Matrix = inner - basis @ (basis.T @ inner)
        return out

    search = levenberg_marquardt(residual, jacobian, first[others], limit)
    if search is None:
        return None
    found = completed(search.parameters)
    if found is None:
        return None
    return Search(found[0], search.rss, search.iterations, search.converged)


# --- polish -----------------------------------------------------------------------------------------


def _as_dd(problem: _Problem, v: DD) -> DD:
    return problem.scaled(np.asarray(v[0])), problem.scaled(np.asarray(v[1]))


def _local_fit(problem: _Problem, b: DD) -> tuple[DD, DoubleDoubleSolution | None, Matrix]:
    """Residuals at b, the Gauss-Newton problem there solved in double-double, and the column scales used."""
    point: dict[str, DD] = {
        **problem.values_dd,
        **{name: (b[0][j], b[1][j]) for j, name in enumerate(problem.names)},
    }
    values = [_as_dd(problem, v) for v in evaluate_dd([problem.model, *problem.gradient], point)]
    residual = dd_sub(problem.y_dd, values[0])
    high = np.column_stack([v[0] for v in values[1:]])
    low = np.column_stack([v[1] for v in values[1:]])
    if not (np.isfinite(high).all() and np.isfinite(low).all() and np.isfinite(residual[0]).all()):
        return residual, None, np.zeros(0)
    norms = np.sqrt(np.einsum("ij,ij->j", high, high))
    scales = np.exp2(-np.rint(np.log2(np.maximum(norms, 1e-300))))
    solution = solve_double_double(
        (high * scales, low * scales), residual, names=problem.names, exact=True, what="parameter"
    )
    return residual, solution, scales


def _rss(residual: DD) -> float:
    return dd_to_float(dd_sum_axis(dd_mul(residual, residual)))


def _polish(problem: _Problem, search: Search, strategy: str, iterations: int) -> NonlinearFit:
    """Gauss-Newton in double-double until nothing changes in the first 16 digits."""
    b: DD = (search.parameters.copy(), np.zeros_like(search.parameters))
    residual, solution, scales = _local_fit(problem, b)
    length = math.sqrt(float(problem.y @ problem.y))
    newton = _curvature_correction(problem, b[0], residual[0], solution, scales)
    steps, settled = 0, False
    while solution is not None and steps < _POLISH_STEPS:
        step: DD = (newton @ solution.coefficients[0] * scales, newton @ solution.coefficients[1] * scales)
        change = float(np.max(np.abs(step[0]) / np.maximum(np.abs(b[0]), 1e-20 * length * scales)))
        if change < 1e-17:
            settled = True
            break
        trial, found, moved = _shorten(problem, b, step, _rss(residual), change)
        if found is None:
            break
        b, (residual, solution, scales) = trial, found
        steps += 1
        if moved == 0.0:
            break
    if solution is None:
        raise NotDefined(
            "The derivatives of the formula are not finite at the solution.", where="formula", code="singular"
        )
    gradient_share = _explained_share(solution, residual)
    if not settled and gradient_share > 1e-6 and _rss(residual) > 1e-28 * length**2:
        raise NotDefined(
            f"The search did not converge (it stopped at a standardised gradient of {gradient_share:.2g}).",
            hint="Try other starting values, or a simpler formula.",
            where="start",
            code="no_convergence",
        )
    return _result(problem, b, residual, solution, scales, strategy, iterations, steps)


def _explained_share(solution: DoubleDoubleSolution, residual: DD) -> float:
    """The part of the residual's length that one more linear step would remove: 0 at a minimum."""
    before = _rss(residual)
    after = _rss(solution.residuals)
    return math.sqrt(max(0.0, 1.0 - after / before)) if before > 0 else 0.0


def _curvature_correction(
    problem: _Problem, b: Matrix, residual: Matrix, solution: DoubleDoubleSolution | None, scales: Matrix
) -> Matrix:
    """The matrix that turns a Gauss-Newton step into a Newton step: (I - (J'J)^-1 sum r f'')^-1.

    It is needed to a few digits only, so doubles at the end of the search do. Where the curvature is
    not that of a minimum the identity (plain Gauss-Newton) is returned.
    """
    p = len(problem.names)
    if solution is None:
        return np.eye(p)
    pairs = [(j, k) for j in range(p) for k in range(j, p)]
    nodes = [problem.build.derivative(problem.gradient[j], problem.names[k]) for j, k in pairs]
    second = np.zeros((p, p))
    for (j, k), value in zip(pairs, evaluate(nodes, problem.at(b)), strict=True):
        second[j, k] = second[k, j] = float(problem.scaled(value) @ residual)
    matrix = np.eye(p) - solution.unscaled_covariance @ (second * scales[:, None] * scales[None, :])
    if not np.isfinite(matrix).all() or float(np.min(np.linalg.eigvals(matrix).real)) < 0.05:
        return np.eye(p)
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


_Local = tuple[DD, DoubleDoubleSolution | None, Matrix]


def _shorten(
    problem: _Problem, b: DD, step: DD, rss: float, change: float
) -> tuple[DD, _Local | None, float]:
    """The longest of the step, its half, its quarter, ... that does not worsen the fit."""
    length = 1.0
    for _ in range(12):
        trial = dd_add(b, (step[0] * length, step[1] * length))
        found = _local_fit(problem, trial)
        if found[1] is not None and (_rss(found[0]) <= rss * (1.0 + 1e-28) or change < 1e-10):
            return trial, found, length
        length *= 0.5
    return b, None, 0.0


def _result(
    problem: _Problem,
    b: DD,
    residual: DD,
    solution: DoubleDoubleSolution,
    scales: Matrix,
    strategy: str,
    iterations: int,
    steps: int,
) -> NonlinearFit:
    n, p = problem.y.size, len(problem.names)
    notes = []
    rss, y_ss = _rss(residual), float(problem.y @ problem.y)
    if rss <= 1e-56 * y_ss:  # zero to 28 digits: what is left is our own rounding
        rss = 0.0
    df_resid = n - p
    parameters = b[0] + b[1]
    # a parameter whose whole effect is below our own rounding is zero
    parameters[np.abs(parameters) < 1e-19 * math.sqrt(y_ss) * scales] = 0.0
    sd = math.sqrt(rss / df_resid) if df_resid > 0 else None
    with np.errstate(over="ignore", under="ignore"):
        covariance = solution.unscaled_covariance * scales[:, None] * scales[None, :]
        covariance = np.ldexp(covariance, -2 * problem.unit)
    held = bool(np.isfinite(covariance).all()) and bool(np.all(np.diag(covariance) > 1e-300))
    std_errors = None
    resid_sd = None if sd is None else scale_back(sd, problem.unit)
    if sd is None:
        notes.append("As many parameters as observations: no residual variance, no standard errors.")
    else:
        std_errors = np.sqrt(np.diag(solution.unscaled_covariance)) * sd * scales
    centred = problem.y - math.fsum(problem.y.tolist()) / n
    return NonlinearFit(
        names=problem.names,
        parameters=parameters,
        std_errors=std_errors,
        unscaled_covariance=covariance if held else None,
        linear_parameters=tuple(problem.names[j] for j in problem.linear),
        n=n,
        rss=scale_back(rss, 2 * problem.unit),
        tss=scale_back(float(centred @ centred), 2 * problem.unit),
        df_resid=df_resid,
        resid_sd=resid_sd,
        fitted=np.ldexp(problem.y - residual[0], problem.unit),
        residuals=np.ldexp(residual[0], problem.unit),
        leverage=solution.leverage,
        condition=solution.condition,
        iterations=iterations,
        polish_steps=steps,
        strategy=strategy,
        exact_fit=rss <= y_ss * 2.0**-100,
        notes=tuple(notes),
    )
