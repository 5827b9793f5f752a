"""Unit-root and stationarity statistics: augmented Dickey–Fuller with MacKinnon's p values, and KPSS."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from statistikles.errors import NotDefined
from statistikles.registry.arrays import FloatArray
from statistikles.stats._distributions import norm_cdf

__all__ = ["AdfResult", "KpssResult", "adf", "kpss"]

# Response surface of the Dickey–Fuller tau (one series): MacKinnon 1994, doi:10.1080/07350015.1994.10510005, tables 3
# and 4. Per trend: (tau below which p is 0, tau above which p is 1, where the lower polynomial ends, lower and upper
# polynomial in tau, lowest power first).
_TAU = {
    "n": (-19.04, math.inf, -1.04, (0.6344, 1.2378, 0.032496), (0.4797, 0.93557, -0.06999, 0.033066)),
    "c": (-18.83, 2.74, -1.61, (2.1659, 1.4412, 0.038269), (1.7339, 0.93202, -0.12745, -0.010368)),
    "ct": (-16.18, 0.70, -2.89, (3.2512, 1.6047, 0.049588), (2.5261, 0.61654, -0.37956, -0.060285)),
}
# Finite-sample critical values b0 + b1/T + b2/T² + b3/T³ at 1, 5 and 10 %: MacKinnon 2010, Queen's Economics Department
# Working Paper 1227, table 2 (N = 1).
_CRITICAL = {
    "n": (
        (-2.56574, -2.2358, -3.627, 0.0),
        (-1.94100, -0.2686, -3.365, 31.223),
        (-1.61682, 0.2656, -2.714, 25.364),
    ),
    "c": (
        (-3.43035, -6.5393, -16.786, -79.433),
        (-2.86154, -2.8903, -4.234, -40.040),
        (-2.56677, -1.5384, -2.809, 0.0),
    ),
    "ct": (
        (-3.95877, -9.0531, -28.428, -134.155),
        (-3.41049, -4.3904, -9.036, -45.374),
        (-3.12705, -2.5856, -3.925, -22.380),
    ),
}
# Upper critical values at 10, 5, 2.5 and 1 %: Kwiatkowski et al. 1992, doi:10.1016/0304-4076(92)90104-Y, table 1.
_KPSS = {"c": (0.347, 0.463, 0.574, 0.739), "ct": (0.119, 0.146, 0.176, 0.216)}
_KPSS_P = (0.10, 0.05, 0.025, 0.01)


@dataclass(frozen=True)
class AdfResult:
    """Statistic, p value, lags used, rows used and critical values of the augmented Dickey–Fuller test."""

    statistic: float
    p_value: float
    lags: int
    n_used: int
    critical: dict[str, float]


@dataclass(frozen=True)
class KpssResult:
    """Statistic, p value (limited to the table), lags and critical values of the KPSS test."""

    statistic: float
    p_value: float
    bound: str
    lags: int
    critical: dict[str, float]


def adf(x: FloatArray, *, trend: str = "c", max_lag: int | None = None, choose: bool = True) -> AdfResult:
    """Augmented Dickey–Fuller test that `x` has a unit root; the lag by AIC over 0..max_lag, or max_lag itself."""
    n = x.shape[0]
    fixed = {"n": 0, "c": 1, "ct": 2}[trend]
    if max_lag is None:
        max_lag = math.ceil(12 * (n / 100) ** 0.25)
    max_lag = min(max_lag, n // 2 - fixed - 1)
    if max_lag < 0 or n < 4 + fixed:
        raise NotDefined("The series is too short for the Dickey–Fuller test.", code="too_few_values")
    lag = max_lag
    if choose and max_lag > 0:
        # One common sample for all lags, so that their AIC can be compared.
        y, design = _dickey_fuller(x, max_lag, trend)
        scores = [_aic(y, design[:, : fixed + 1 + k]) for k in range(max_lag + 1)]
        lag = int(np.argmin(scores))
    y, design = _dickey_fuller(x, lag, trend)
    value = _t_of_level(y, design, fixed)
    rows = len(y)
    levels = dict(zip(("1%", "5%", "10%"), _CRITICAL[trend], strict=True))
    critical = {name: sum(b / rows**k for k, b in enumerate(c)) for name, c in levels.items()}
    return AdfResult(value, _tau_p(value, trend), lag, rows, critical)


def _dickey_fuller(x: FloatArray, lag: int, trend: str) -> tuple[FloatArray, FloatArray]:
    """The differenced series and the regressors: deterministic terms, the level, then lagged differences."""
    change = np.diff(x)
    y = change[lag:]
    rows = len(y)
    columns = [np.ones(rows)] if trend in ("c", "ct") else []
    if trend == "ct":
        columns.append(np.arange(1.0, rows + 1))
    columns.append(x[lag:-1])
    columns += [change[lag - k : -k] for k in range(1, lag + 1)]
    return y, np.column_stack(columns)


def _residual(y: FloatArray, design: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(coefficients, residuals, R) by QR of the column-scaled design."""
    scale = np.abs(design).max(axis=0)
    if (scale == 0).any() or len(y) <= design.shape[1]:
        raise NotDefined("The series is constant or too short for this regression.", code="constant")
    q, r = np.linalg.qr(design / scale)
    diagonal = np.abs(np.diag(r))
    if diagonal.min() <= 1e-12 * diagonal.max():
        raise NotDefined(
            "The series changes too regularly for the Dickey–Fuller regression.", code="singular"
        )
    beta = np.linalg.solve(r, q.T @ y)
    return beta / scale, y - (design / scale) @ beta, r * scale


def _aic(y: FloatArray, design: FloatArray) -> float:
    _, residual, _ = _residual(y, design)
    rss = float(residual @ residual)
    n = len(y)
    return n * math.log(max(rss / n, 1e-300)) + 2.0 * int(design.shape[1])


def _t_of_level(y: FloatArray, design: FloatArray, position: int) -> float:
    beta, residual, r = _residual(y, design)
    rss = float(residual @ residual)
    if rss <= 1e-28 * float(y @ y) or rss == 0:
        raise NotDefined("The series is explained without error; the test is undefined.", code="perfect_fit")
    inverse = np.linalg.inv(r)
    error = math.sqrt(rss / (len(y) - design.shape[1]) * float(inverse[position] @ inverse[position]))
    return float(beta[position]) / error


def _tau_p(tau: float, trend: str) -> float:
    low, high, star, lower, upper = _TAU[trend]
    if tau > high:
        return 1.0
    if tau < low:
        return 0.0
    return norm_cdf(math.fsum(c * tau**k for k, c in enumerate(lower if tau <= star else upper)))


def kpss(x: FloatArray, *, trend: str = "c", lags: int | None = None) -> KpssResult:
    """KPSS test that `x` is stationary around a level ("c") or a trend ("ct"); lags by Hobijn et al. when absent."""
    n = x.shape[0]
    if n < 4:
        raise NotDefined("The series is too short for the KPSS test.", code="too_few_values")
    design = np.column_stack([np.ones(n), np.arange(n) - (n - 1) / 2])[:, : 1 if trend == "c" else 2]
    residual = x - x.mean() if trend == "c" else _residual(x, design)[1]
    size = float(np.abs(residual).max())
    if size <= 1e-12 * float(np.abs(x).max()):
        raise NotDefined("The series does not vary around its trend; KPSS is undefined.", code="constant")
    residual = residual / size
    lags = min(_bandwidth(residual) if lags is None else lags, n - 1)
    variance = float(residual @ residual)
    for k in range(1, lags + 1):
        variance += 2 * (1 - k / (lags + 1)) * float(residual[k:] @ residual[:-k])
    if variance <= 0:
        raise NotDefined("The long-run variance is not positive; use fewer lags.", code="singular")
    value = float((np.cumsum(residual) ** 2).sum()) / n / variance
    table = _KPSS[trend]
    p = float(np.interp(value, table, _KPSS_P))
    bound = (
        "below the table (p < .01)"
        if value > table[-1]
        else "above the table (p > .10)"
        if value < table[0]
        else ""
    )
    return KpssResult(value, p, bound, lags, dict(zip(("10%", "5%", "2.5%", "1%"), table, strict=True)))


def _bandwidth(residual: FloatArray) -> int:
    """Bartlett-kernel bandwidth of Hobijn, Franses & Ooms (2004), doi:10.1111/j.1467-9574.2004.00272.x."""
    n = len(residual)
    reach = int(n ** (2 / 9))
    moments = [float(residual[k:] @ residual[: n - k]) / n for k in range(reach + 1)]
    s0 = moments[0] + 2 * sum(moments[1:])
    s1 = 2 * sum(k * g for k, g in enumerate(moments) if k)
    return int(1.1447 * ((s1 / s0) ** 2) ** (1 / 3) * n ** (1 / 3)) if s0 else 0
