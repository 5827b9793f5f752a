"""Seasonal decomposition of a series (STL)."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError
from statistikles.registry.arguments import FloatArray, ScalarNumber, Switch, Vector
from statistikles.registry.declare import statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._loess_season import decompose
from statistikles.stats._numerics import moments

__all__ = ["stl_decomposition"]

Series = Annotated[FloatArray, Vector(min_n=3)]

_CLEVELAND = "Cleveland et al. 1990, Journal of Official Statistics 6:3-73"
_STRENGTH = "Wang, Smith & Hyndman 2006, doi:10.1007/s10618-005-0039-x"
_SERIES = [112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170]


@statistic(
    tool="time_series",
    subtype="stl",
    title="STL decomposition",
    use_when="a seasonal series with a known period, to be split into trend, season and remainder",
    utterances=("seasonal decomposition", "STL", "separate trend and season"),
    refs=(
        "Cleveland et al. 1990, Journal of Official Statistics 6:3-73",
        "Wang, Smith & Hyndman 2006, doi:10.1007/s10618-005-0039-x",
    ),
    formula="x = trend + seasonal + remainder by LOESS; strength = max(0, 1 − Var(rem)/Var(rem + part))",
    equivalents={
        "R": "stl(ts(x, frequency = p), s.window = 7)",
        "Python": "statsmodels.tsa.seasonal.STL(x, period=p).fit()",
    },
    example={"data": _SERIES, "period": 4},
)
def stl_decomposition(
    data: Series,
    period: Annotated[int, ScalarNumber(low=2, whole=True)],
    *,
    robust: Switch = False,
) -> Measures:
    """Seasonal-trend decomposition by LOESS.

    Parameters
    ----------
    data : the series in time order, at least two whole periods.
    period : number of values in one season (12 for months of a year).
    robust : down-weight outliers.

    Returns
    -------
    Measures : trend, seasonal and remainder, and the strengths of trend and season (0 to 1).

    Raises
    ------
    InputError : fewer than two periods.
    """
    if data.shape[0] < 2 * period:
        raise InputError(
            f"The series has {data.shape[0]} values; at least two periods ({2 * period}) are needed.",
            where="period",
            code="too_few_values",
        )
    centre = moments(data).mean  # large offsets would cost digits in the smoother
    parts = decompose(data - centre, period, robust=robust)
    trend, seasonal, rest = parts.trend, parts.seasonal, parts.remainder
    undefined: dict[str, str] = {}
    strengths: dict[str, Any] = {}
    for name, part in (("trend_strength", trend), ("seasonal_strength", seasonal)):
        total = float(np.var(part + rest))
        if total <= 1e-28 * max(1.0, float(np.abs(data).max()) ** 2):
            strengths[name], undefined[name] = None, "this part and the remainder do not vary"
        else:
            strengths[name] = Quantity(max(0.0, 1 - float(np.var(rest)) / total), Role.PROPORTION)
    return Measures(
        method="STL decomposition" + (" (robust)" if robust else ""),
        quantities={
            **strengths,
            "trend": trend + centre,
            "seasonal": seasonal,
            "remainder": Quantity(rest, Role.RESIDUAL),
            "n": Quantity(data.shape[0], Role.COUNT),
        },
        undefined=undefined,
        conventions=(
            f"period {period}",
            "seasonal window 7; straight lines for season, trend and low-pass filter",
        ),
    )
