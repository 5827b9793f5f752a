"""Linear regression from sums: the corrected Cholesky fit, and its diagnostics, for tables too long for arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.registry.summaries import NeedsValues
from statistikles.results import Quantity, Role, Term
from statistikles.stats._distributions import chi2_sf, p_normal, p_t
from statistikles.stats._least_squares import LinearFit, fit_from_solution, plain_condition
from statistikles.stats._regression_checks import robust_from_errors
from statistikles.stats._sums import JointColumn, JointColumns, JointSums, Residuals, Weighted

__all__ = ["SumsFit", "fit_sums"]

Matrix = NDArray[np.float64]
_REFINEMENTS = 2
_SMALLEST_EIGEN = 1e-8
_FULL_LEVERAGE = 1.0 - 1e-12
_NO_ORDER = "the rows of this source have no order"


class SumsFit:
    """A fit, and what its residuals show."""

    def __init__(self, joint: JointSums, names: Sequence[str]) -> None:
        self.joint = joint
        p = len(joint.means) - 1
        cross = joint.cross
        self.gram: Matrix = np.array([[float(cross[i][j]) for j in range(p)] for i in range(p)])
        target: Matrix = np.array([float(cross[j][p]) for j in range(p)])
        self.shift: Matrix = np.array([float(m) for m in joint.means[:p]])
        tss, y_mean = float(cross[p][p]), float(joint.means[p])
        n = joint.n
        found = plain_condition(self.gram, self.shift, n, tss)
        if n <= p + 1 or found is None:
            raise NeedsValues("hard data")
        spread, correlation, condition = found
        factor: Matrix = np.linalg.inv(np.linalg.cholesky(correlation)) / spread
        inverse: Matrix = factor.T @ factor
        slopes: Matrix = inverse @ target
        for _ in range(_REFINEMENTS):  # the rest of the normal equations, exactly
            b = [Fraction(v) for v in slopes.tolist()]
            rest = [cross[j][p] - sum((cross[j][k] * b[k] for k in range(p)), Fraction(0)) for j in range(p)]
            slopes = slopes + inverse @ np.array([float(r) for r in rest])
        self.limit = 2 * (p + 1) / n
        self.residuals: Residuals = joint.engine.residuals(slopes.tolist(), factor.tolist(), self.limit)
        rss = float(self.residuals.powers.s2)
        loss = max(condition, math.sqrt(tss / rss) if rss > 0 else math.inf, abs(y_mean) * math.sqrt(n / tss))
        if loss > 1e4 or self.residuals.leverage_max >= _FULL_LEVERAGE:
            raise NeedsValues("hard data")
        cross_mean = -inverse @ self.shift
        corner = 1.0 / n + float(self.shift @ inverse @ self.shift)
        covariance = np.block([[np.array([[corner]]), cross_mean[None, :]], [cross_mean[:, None], inverse]])
        intercept = float(
            joint.means[p]
            - sum((joint.means[j] * Fraction(v) for j, v in enumerate(slopes.tolist())), Fraction(0))
        )
        self.inverse = inverse
        self.fit: LinearFit = fit_from_solution(
            names=("intercept", *names),
            n=n,
            coefficients=np.concatenate(([intercept], slopes)),
            covariance=covariance,
            vif=np.maximum(np.diag(inverse) * np.diag(self.gram), 1.0),
            rss=rss,
            tss=tss,
            y_ss=tss + n * y_mean * y_mean,
            condition=condition,
        )
        if self.fit.exact_fit:
            raise NeedsValues("exact fit")
        variance = rss / self.fit.df_resid
        self.weighted: Weighted = joint.engine.weighted(
            self.residuals.leverage_max, 4 / n * variance * len(self.fit.names)
        )

    # --- diagnostics ---------------------------------------------------------------------------------------

    def diagnostics(self) -> dict[str, Any]:
        """As of a fit of arrays; what needs an order of the rows is left out with the reason where there is none."""
        return {
            "durbin_watson": self._durbin_watson(),
            "breusch_pagan": self._breusch_pagan(),
            "residual_normality": self._normality(),
            "outlier": self._outlier(),
            "influence": self._influence(),
            "condition_number": Quantity(self._condition(), Role.RATIO),
        }

    def _durbin_watson(self) -> dict[str, Any]:
        r = self.residuals
        if r.steps is None:
            return {
                "statistic": None,
                "p_value": None,
                "undefined": dict.fromkeys(("statistic", "p_value"), _NO_ORDER),
            }
        d = float(r.steps / r.powers.s2)
        p = p_normal((d - 2.0) / math.sqrt(4.0 / self.joint.n))
        return {"statistic": d, "p_value": p, "method": "asymptotic normal, variance 4/n"}

    def _breusch_pagan(self) -> dict[str, Any]:
        r, n = self.residuals, self.joint.n
        df = len(self.fit.names) - 1
        mean = r.powers.s2 / n
        total = r.powers.s4 - n * mean * mean
        scale = float(total)
        cross = np.array([float(c) for c in r.square_cross])
        explained = float(cross @ self.inverse @ cross)
        statistic = n * min(max(explained / scale, 0.0), 1.0)
        return {
            "statistic": statistic,
            "df": df,
            "p_value": chi2_sf(statistic, df),
            "method": "Koenker's studentised form",
        }

    def _normality(self) -> dict[str, Any]:
        skew, kurt = self.residuals.powers.shape()
        jb = self.joint.n / 6 * ((skew or 0.0) ** 2 + (kurt or 0.0) ** 2 / 4)
        return {
            "statistic": jb,
            "p_value": chi2_sf(jb, 2),
            "method": "Jarque-Bera (more than 5,000 residuals)",
        }

    def _outlier(self) -> dict[str, Any]:
        r, df = self.residuals, self.fit.df_resid
        q, sign, place = max((r.q_positive, 1.0, 1), (r.q_negative, -1.0, 2))
        t = sign * math.sqrt(q * (df - 1) / (self.fit.rss - q))
        p = p_t(t, df - 1)
        return {
            "studentized_residual": Quantity(t, Role.RESIDUAL),
            **self._row("row", place),
            "p_value": p,
            "p_value_bonferroni": min(1.0, p * self.joint.n),
        }

    def _row(self, name: str, place: int) -> dict[str, Any]:
        rows = self.weighted.rows
        if rows is None:
            return {name: None, "undefined": {name: _NO_ORDER}}
        return {name: Quantity(rows[place], Role.INDEX)}

    def _influence(self) -> dict[str, Any]:
        r, w = self.residuals, self.weighted
        variance = self.fit.rss / self.fit.df_resid
        leverage, cook = self._row("leverage_max_row", 0), self._row("cooks_distance_max_row", 3)
        undefined = {**leverage.pop("undefined", {}), **cook.pop("undefined", {})}
        return {
            "leverage_max": Quantity(r.leverage_max, Role.WEIGHT),
            **leverage,
            "leverage_threshold": Quantity(self.limit, Role.WEIGHT),
            "n_high_leverage": Quantity(r.n_high_leverage, Role.COUNT),
            "cooks_distance_max": Quantity(r.cook_max / variance / len(self.fit.names), Role.DISTANCE),
            **cook,
            "n_cooks_above_4_over_n": Quantity(w.n_cook, Role.COUNT),
            **({"undefined": undefined} if undefined else {}),
        }

    def _condition(self) -> float:
        """The condition number of the columns at unit length, the intercept included (Belsley)."""
        n, m = self.joint.n, self.shift
        whole = np.block(
            [[np.array([[float(n)]]), n * m[None, :]], [n * m[:, None], self.gram + n * np.outer(m, m)]]
        )
        lengths = np.sqrt(np.diag(whole))
        values = np.linalg.eigvalsh(whole / np.outer(lengths, lengths))
        if values[0] <= _SMALLEST_EIGEN * values[-1]:
            raise NeedsValues("ill-conditioned")
        return math.sqrt(float(values[-1] / values[0]))

    def robust_terms(self, alpha: float) -> tuple[Mapping[str, Term] | None, str]:
        """Terms with HC3 standard errors."""
        p = len(self.shift)
        meat = np.array([[float(v) for v in row] for row in self.weighted.meat])
        bread = np.zeros((p + 1, p + 1))
        bread[0, 0], bread[1:, 1:] = 1.0 / self.joint.n, self.inverse
        centred = bread @ meat @ bread  # of the intercept at the means, and the slopes
        back = np.eye(p + 1)
        back[0, 1:] = -self.shift
        errors = np.sqrt(np.maximum(np.diag(back @ centred @ back.T), 0.0))
        return robust_from_errors(self.fit, errors.tolist(), alpha)


def fit_sums(x: Any, y: Any, names: Sequence[str] | None) -> SumsFit:
    """The fit of one of the jointly summed columns on others.

    Raises
    ------
    NeedsValues : the columns do not belong together, or the data are too hard for plain sums.
    """
    if not (isinstance(x, JointColumns) and isinstance(y, JointColumn) and x.joint is y.joint):
        raise NeedsValues("columns")
    joint = x.joint
    p = len(joint.means) - 1
    if x.indexes != tuple(range(p)) or y.index != p:
        raise NeedsValues("columns")
    labels = list(names) if names is not None else (["x"] if p == 1 else [f"x{i + 1}" for i in range(p)])
    if len(labels) != p:
        raise NeedsValues("names")
    return SumsFit(joint, labels)
