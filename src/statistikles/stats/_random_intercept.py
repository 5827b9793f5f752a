"""Likelihood of the linear model with a random intercept, profiled to the variance ratio, with exact derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import NotDefined
from statistikles.stats._numerics import find_root

__all__ = ["Point", "Profile", "fit_ratio", "ratio_interval"]

Matrix = NDArray[np.float64]

# Variance ratios (between over within) at which the profile is scanned, besides 0.
_SCAN = np.exp2(np.arange(-40.0, 41.0))


@dataclass(frozen=True)
class Point:
    """The profiled fit at one variance ratio."""

    ratio: float
    beta: Matrix
    inverse: Matrix  # (X'V⁻¹X)⁻¹ with V = I + ratio ZZ'
    rss: float  # y'Py
    scores: Matrix  # u = Z'Py, one per group
    log_det_v: float
    log_det_x: float


@dataclass(frozen=True)
class Profile:
    """The data reduced to what the likelihood needs: within-group triangle, group means and sizes."""

    triangle: Matrix  # R of the within-group deviations of [X, y]
    means: Matrix  # group means of [X, y]
    sizes: Matrix
    n: int

    @classmethod
    def of(cls, design: Matrix, y: Matrix, place: NDArray[np.int64]) -> Profile:
        """Reduce rows; `place` says the group of each."""
        both = np.column_stack((design, y))
        sizes = np.bincount(place).astype(np.float64)
        means = np.column_stack([np.bincount(place, weights=c) for c in both.T]) / sizes[:, None]
        inside = both - means[place]
        rest = np.column_stack([np.bincount(place, weights=c) for c in inside.T]) / sizes[:, None]
        triangle = np.asarray(np.linalg.qr(inside - rest[place])[1])
        return cls(triangle, means + rest, sizes, y.size)

    @property
    def p(self) -> int:
        """Number of coefficients."""
        return int(self.means.shape[1]) - 1

    def at(self, ratio: float) -> Point:
        """Fit by generalised least squares at this ratio."""
        shrink = self.sizes / (1 + ratio * self.sizes)
        rows = np.vstack((self.triangle, self.means * np.sqrt(shrink)[:, None]))
        r = np.asarray(np.linalg.qr(rows)[1])
        p = self.p
        top = r[:p, :p]
        inverse_top = np.linalg.inv(top)
        beta = inverse_top @ r[:p, p]
        residual = self.means[:, p] - self.means[:, :p] @ beta
        return Point(
            ratio=ratio,
            beta=beta,
            inverse=inverse_top @ inverse_top.T,
            rss=float(r[p, p] ** 2) if r.shape[0] > p else 0.0,
            scores=shrink * residual,
            log_det_v=float(np.sum(np.log1p(ratio * self.sizes))),
            log_det_x=2 * float(np.sum(np.log(np.abs(np.diag(top))))),
        )

    def deviance(self, point: Point, restricted: bool) -> float:
        """-2 log likelihood, profiled over the coefficients and the residual variance."""
        free = self.n - (self.p if restricted else 0)
        extra = point.log_det_x if restricted else 0.0
        return point.log_det_v + extra + free * (1 + math.log(2 * math.pi * point.rss / free))

    def slope(self, point: Point, restricted: bool) -> float:
        """Derivative of the deviance in the ratio."""
        free = self.n - (self.p if restricted else 0)
        weights = self.sizes / (1 + point.ratio * self.sizes)
        trace = float(weights.sum())
        if restricted:
            trace -= float(np.sum(point.inverse * self._moment(weights**2)))
        return trace - free * float(point.scores @ point.scores) / point.rss

    def curvature(self, point: Point, variance: float) -> tuple[float, float]:
        """Second derivatives of the restricted deviance: in the ratio, and in ratio and residual variance."""
        weights = self.sizes / (1 + point.ratio * self.sizes)
        first, second = self._moment(weights**2), self._moment(weights**3)
        inner = point.inverse @ first
        trace = float(np.sum(weights**2) - 2 * np.sum(point.inverse * second) + np.sum(inner * inner.T))
        u = point.scores
        carried = (self.means[:, : self.p] * weights[:, None]).T @ u
        quadratic = float(np.sum(weights * u * u) - carried @ point.inverse @ carried)
        return -trace + 2 * quadratic / variance, float(u @ u) / variance**2

    def inverse_slope(self, point: Point) -> Matrix:
        """Derivative of the diagonal of (X'V⁻¹X)⁻¹ in the ratio."""
        weights = self.sizes / (1 + point.ratio * self.sizes)
        out: Matrix = np.diag(point.inverse @ self._moment(weights**2) @ point.inverse)
        return out

    def _moment(self, weights: Matrix) -> Matrix:
        x = self.means[:, : self.p]
        out: Matrix = (x * weights[:, None]).T @ x
        return out

    @cached_property
    def within_rss(self) -> float:
        """Residual sum of squares of y on X inside the groups."""
        r, p = self.triangle, self.p
        coefficients, *_ = np.linalg.lstsq(r[:, :p], r[:, p], rcond=1e-12)
        rest = r[:, p] - r[:, :p] @ coefficients
        return float(rest @ rest)


def fit_ratio(profile: Profile, *, restricted: bool) -> Point:
    """The variance ratio of least deviance: a scan, then the root of the exact derivative.

    Raises
    ------
    NotDefined : the deviance keeps falling as the ratio grows.
    """
    points = [profile.at(0.0), *(profile.at(float(r)) for r in _SCAN)]
    deviances = [profile.deviance(point, restricted) for point in points]
    best = int(np.argmin(deviances))
    if best == len(points) - 1:
        raise NotDefined(
            "The mixed model has no finite estimate: the variance between groups grows without bound.",
            hint="There are too few groups for these group-level predictors, or no variation within groups.",
            where="group_ids",
            code="no_convergence",
        )

    def slope(ratio: float) -> float:
        return profile.slope(profile.at(ratio), restricted)

    low = points[best - 1].ratio if best > 0 else 0.0
    high = points[best + 1].ratio
    if best <= 1 and slope(0.0) >= 0.0:
        return points[0]
    if not slope(low) < 0.0 < slope(high):
        return points[best]  # flat to rounding
    return profile.at(find_root(slope, low, high, rtol=1e-14))


def ratio_interval(
    profile: Profile, best: Point, drop: float, *, restricted: bool
) -> tuple[float, float | None]:
    """Ratios at which the deviance is `drop` above its least value; 0 or None where it never is."""
    least = profile.deviance(best, restricted)

    def gap(ratio: float) -> float:
        return profile.deviance(profile.at(ratio), restricted) - least - drop

    low = 0.0
    if best.ratio > 0 and gap(0.0) > 0:
        low = find_root(gap, 0.0, best.ratio, rtol=1e-12)
    return low, _upper(gap, best.ratio)


def _upper(gap: Callable[[float], float], start: float) -> float | None:
    high = max(start, 2.0**-40)
    while gap(high) <= 0:
        high *= 4
        if high > 2.0**60:
            return None
    return find_root(gap, start, high, rtol=1e-12)
