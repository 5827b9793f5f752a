"""Recursive path models: reading the equations, estimating them from correlations, effects along paths."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined, did_you_mean

__all__ = ["PathFit", "PathModel", "bootstrap_coefficients", "fit_path_model", "read_model"]

Matrix = NDArray[np.float64]
_PATHS = 500
_MEMORY = 4_000_000  # numbers held at once by the bootstrap


@dataclass(frozen=True)
class PathModel:
    """Variables (exogenous first, then outcomes in causal order) and the predictors of each outcome."""

    variables: tuple[str, ...]
    n_exogenous: int
    parents: Mapping[int, tuple[int, ...]]

    @property
    def edges(self) -> list[tuple[int, int]]:
        """(outcome, predictor) of every coefficient."""
        return [(y, x) for y, xs in self.parents.items() for x in xs]

    def paths(self) -> list[tuple[int, ...]]:
        """All directed paths over at least one mediator, shortest first; refused above a limit."""
        children: dict[int, list[int]] = {}
        for y, x in self.edges:
            children.setdefault(x, []).append(y)
        found: list[tuple[int, ...]] = []
        open_: list[tuple[int, ...]] = [(v,) for v in range(len(self.variables))]
        while open_:
            longer = [(*path, child) for path in open_ for child in children.get(path[-1], [])]
            found += [path for path in longer if len(path) > 2]
            if len(found) > _PATHS:
                raise InputError(
                    f"The model has more than {_PATHS} indirect paths.",
                    hint="Use fewer equations.",
                    where="model_spec",
                    code="limit_exceeded",
                )
            open_ = longer
        return found


def read_model(spec: Sequence[Any], known: Sequence[str]) -> PathModel:
    """The model of [["Y", ["X1", "X2"]], ...] (or "Y ~ X1 + X2").

    Raises
    ------
    InputError : unknown names, an outcome given twice, or a cycle.
    """
    equations: dict[str, tuple[str, ...]] = {}
    for place, item in enumerate(spec, 1):
        outcome, predictors = _equation(item, place)
        for name in (outcome, *predictors):
            if name not in known:
                raise InputError(
                    f"Equation {place} names '{name}', which is not among the data.",
                    hint=did_you_mean(name, known) or f"The columns are: {', '.join(list(known)[:12])}.",
                    where="model_spec",
                    code="unknown_name",
                )
        if outcome in equations:
            raise _bad(
                f"'{outcome}' has two equations.", "Give each outcome one equation with all its predictors."
            )
        if outcome in predictors or len(set(predictors)) != len(predictors):
            raise _bad(f"The equation of '{outcome}' names a variable twice.", "List each predictor once.")
        equations[outcome] = predictors
    if not equations:
        raise _bad("The model has no equations.", 'Send [["Y", ["X1", "X2"]], ...].')
    used = list(dict.fromkeys(x for xs in equations.values() for x in xs))
    exogenous = [name for name in used if name not in equations]
    order = _causal_order(equations)
    variables = (*exogenous, *order)
    place_of = {name: i for i, name in enumerate(variables)}
    parents = {place_of[y]: tuple(place_of[x] for x in equations[y]) for y in order}
    return PathModel(variables, len(exogenous), parents)


def _bad(message: str, hint: str) -> InputError:
    return InputError(message, hint=hint, where="model_spec", code="invalid_argument")


def _equation(item: Any, place: int) -> tuple[str, tuple[str, ...]]:
    form = 'Send equations as ["Y", ["X1", "X2"]].'
    if isinstance(item, str) and item.count("~") == 1:
        left, right = item.split("~")
        item = [left.strip(), [part.strip() for part in right.split("+")]]
    if (
        isinstance(item, str)
        or not isinstance(item, Sequence)
        or len(item) != 2
        or not isinstance(item[0], str)
    ):
        raise _bad(f"Equation {place} has not the form [outcome, [predictors]].", form)
    predictors = [item[1]] if isinstance(item[1], str) else item[1]
    if (
        not isinstance(predictors, Sequence)
        or not predictors
        or not all(isinstance(p, str) for p in predictors)
    ):
        raise _bad(f"Equation {place} needs a list of predictor names.", form)
    return item[0], tuple(predictors)


def _causal_order(equations: Mapping[str, tuple[str, ...]]) -> list[str]:
    """Outcomes such that each comes after its predictors."""
    left = dict(equations)
    order: list[str] = []
    while left:
        ready = [y for y, xs in left.items() if not any(x in left for x in xs)]
        if not ready:
            raise InputError(
                f"The model has a cycle: {_cycle(left)}.",
                hint="Path analysis here takes recursive models; remove the feedback.",
                where="model_spec",
                code="cycle",
            )
        order += ready
        for y in ready:
            del left[y]
    return order


def _cycle(left: Mapping[str, tuple[str, ...]]) -> str:
    seen: list[str] = [next(iter(left))]
    while True:
        following = next(x for x in left[seen[-1]] if x in left)
        if following in seen:
            return " <- ".join([*seen[seen.index(following) :], following])
        seen.append(following)


@dataclass(frozen=True)
class PathFit:
    """A fitted model in standardised variables (divisor n).

    `coefficients[y, x]` is the standardised path from x to y, `residual[y]` the unexplained share of variance;
    `covariance` (per row: divide by n) follows the order of the model's edges.
    """

    model: PathModel
    correlation: Matrix
    coefficients: Matrix
    residual: Matrix
    covariance: Matrix

    @property
    def total(self) -> Matrix:
        """Total effects (I − B)⁻¹."""
        return _inverse(np.eye(len(self.coefficients)) - self.coefficients)

    @property
    def implied(self) -> Matrix:
        """The correlations the model implies."""
        q = self.model.n_exogenous
        psi = np.diag(self.residual)
        psi[:q, :q] = self.correlation[:q, :q]
        out: Matrix = self.total @ psi @ self.total.T
        return out

    @property
    def discrepancy(self) -> float:
        """The minimum of the maximum-likelihood discrepancy function."""
        q = self.model.n_exogenous
        value = float(np.log(self.residual[q:]).sum()) - float(np.linalg.slogdet(self.correlation)[1])
        return max(0.0, value + _log_det(self.correlation[:q, :q]))

    @property
    def baseline(self) -> float:
        """The same for outcomes unrelated to everything."""
        q = self.model.n_exogenous
        return _log_det(self.correlation[:q, :q]) - float(np.linalg.slogdet(self.correlation)[1])

    def indirect_slopes(self, y: int, x: int) -> Matrix:
        """Derivatives of the total indirect effect of x on y in the coefficients, in the order of the edges."""
        t = self.total
        return np.array([t[y, k] * t[m, x] - float((k, m) == (y, x)) for k, m in self.model.edges])

    def path_slopes(self, path: tuple[int, ...]) -> Matrix:
        """Derivatives of the product of coefficients along a path."""
        steps = [(b, a) for a, b in pairwise(path)]
        values = [float(self.coefficients[s]) for s in steps]
        out = np.zeros(len(self.model.edges))
        for i, edge in enumerate(self.model.edges):
            if edge in steps:
                at = steps.index(edge)
                out[i] = math.prod(v for j, v in enumerate(values) if j != at)
        return out


def _inverse(matrix: Matrix) -> Matrix:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def _log_det(matrix: Matrix) -> float:
    return float(np.linalg.slogdet(matrix)[1]) if len(matrix) else 0.0


def fit_path_model(model: PathModel, correlation: Matrix) -> PathFit:
    """Least squares per equation, which is maximum likelihood for a recursive model with unrelated errors.

    Raises
    ------
    NotDefined : the variables determine each other.
    """
    if not float(np.linalg.eigvalsh(correlation)[0]) > 1e-11:
        raise NotDefined(
            "The model is undefined: some variables are combinations of others.",
            hint="Remove duplicate or derived variables, or give more rows than variables.",
            where="data",
            code="singular",
        )
    p = len(correlation)
    coefficients, residual = np.zeros((p, p)), np.ones(p)
    blocks: list[Matrix] = []
    for y, xs in model.parents.items():
        inner = correlation[np.ix_(xs, xs)]
        inverse = _inverse(inner)
        beta = inverse @ correlation[list(xs), y]
        coefficients[y, list(xs)] = beta
        residual[y] = 1 - float(beta @ correlation[list(xs), y])
        blocks.append(residual[y] * inverse)
    size = sum(len(b) for b in blocks)
    covariance, at = np.zeros((size, size)), 0
    for block in blocks:
        covariance[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    return PathFit(model, correlation, coefficients, residual, covariance)


def bootstrap_coefficients(model: PathModel, z: Matrix, reps: int, seed: int) -> tuple[Matrix, int]:
    """Coefficients (in the units of the columns of `z`) of resampled rows: (kept replicates, edges), and how many failed.

    Rows are drawn as multinomial counts, so a replicate needs only weighted moments.
    """
    n, p = z.shape
    rng = np.random.default_rng(seed)
    products = (z[:, :, None] * z[:, None, :]).reshape(n, p * p)
    out, failed = [], 0
    piece = max(1, min(reps, _MEMORY // (n + p * p)))
    for start in range(0, reps, piece):
        size = min(piece, reps - start)
        weights = rng.multinomial(n, np.full(n, 1 / n), size=size) / n
        mean = weights @ z
        moments = (weights @ products).reshape(size, p, p) - mean[:, :, None] * mean[:, None, :]
        spread = np.sqrt(np.maximum(np.einsum("rii->ri", moments), 0.0))
        good = (spread > 1e-9).all(axis=1)
        unit = moments[good] / (spread[good][:, :, None] * spread[good][:, None, :])
        sound = np.linalg.eigvalsh(unit)[:, 0] > 1e-10 if len(unit) else np.zeros(0, dtype=bool)
        kept = moments[good][sound]
        failed += size - len(kept)
        columns = []
        for y, xs in model.parents.items():
            inner = kept[:, list(xs)][:, :, list(xs)]
            beta = np.linalg.solve(inner, kept[:, list(xs), y][:, :, None])[:, :, 0]
            columns.append(beta)
        out.append(np.concatenate(columns, axis=1))
    return np.concatenate(out), failed
