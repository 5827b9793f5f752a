"""How well a covariance model fits: chi-square, CFI, TLI, RMSEA with interval, SRMR (maximum likelihood)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from statistikles.stats._distributions import chi2_sf, nc_chi2_noncentrality, nc_chi2_sf

__all__ = ["fit_indices", "srmr"]

_SATURATED = "the model is saturated: no degrees of freedom are left"


def srmr(observed: NDArray[np.float64], implied: NDArray[np.float64]) -> float:
    """Standardised root mean square residual of two covariance (or correlation) matrices."""
    size = np.sqrt(np.diag(observed))
    rest = (observed - implied) / np.outer(size, size)
    k = len(size)
    low = rest[np.tril_indices(k)]
    return math.sqrt(math.fsum(low * low) / (k * (k + 1) / 2))


def fit_indices(
    chi2: float, df: int, base_chi2: float, base_df: int, n: int, residual: float, level: float = 0.90
) -> dict[str, Any]:
    """The indices as plain named numbers; what a saturated model leaves undefined carries its reason.

    `n` multiplies the discrepancy (the likelihood's number of rows); the RMSEA interval has confidence `level`.
    """
    out: dict[str, Any] = {
        "chi_square": chi2,
        "df": df,
        "baseline_chi_square": base_chi2,
        "baseline_df": base_df,
        "srmr": residual,
        "rmsea_conf_level": level,
    }
    excess, base_excess = max(chi2 - df, 0.0), max(base_chi2 - base_df, 0.0)
    worst = max(excess, base_excess)
    out["cfi"] = 1 - excess / worst if worst > 0 else 1.0
    if df == 0:
        keys = ("p_value", "rmsea", "rmsea_conf_low", "rmsea_conf_high", "p_close", "tli")
        return out | dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, _SATURATED)}
    tail = (1 - level) / 2
    out["p_value"] = chi2_sf(chi2, df)
    undefined = {}
    base_ratio = base_chi2 / base_df
    if base_ratio != 1:
        out["tli"] = (base_ratio - chi2 / df) / (base_ratio - 1)
    else:
        out["tli"], undefined["tli"] = None, "the baseline fits exactly as chance would"
    out["rmsea"] = math.sqrt(excess / (df * n))
    out["rmsea_conf_low"] = math.sqrt(nc_chi2_noncentrality(chi2, df, 1 - tail) / (df * n))
    out["rmsea_conf_high"] = math.sqrt(nc_chi2_noncentrality(chi2, df, tail) / (df * n))
    out["p_close"] = nc_chi2_sf(chi2, df, 0.05**2 * n * df)
    return out | ({"undefined": undefined} if undefined else {})
