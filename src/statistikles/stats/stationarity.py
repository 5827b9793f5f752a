"""Tests of stationarity of a series: augmented Dickey–Fuller and KPSS."""

from __future__ import annotations

from typing import Annotated

from statistikles.registry.arguments import Alpha, Choice, FloatArray, ScalarNumber, Switch, Vector
from statistikles.registry.declare import statistic
from statistikles.results import SignificanceTest
from statistikles.stats._unit_root import adf, kpss

__all__ = ["augmented_dickey_fuller", "kpss_test"]

Series = Annotated[FloatArray, Vector(min_n=3)]
MaybeZeroLag = Annotated[int, ScalarNumber(low=0, whole=True)]
Trend = Annotated[str, Choice(("c", "ct"), aliases=(("constant", "c"), ("trend", "ct")))]

_SAID = "Said & Dickey 1984, doi:10.1093/biomet/71.3.599"
_MACKINNON = "MacKinnon 1994, doi:10.1080/07350015.1994.10510005"
_KPSS = "Kwiatkowski et al. 1992, doi:10.1016/0304-4076(92)90104-Y"
_HOBIJN = "Hobijn et al. 2004, doi:10.1111/j.1467-9574.2004.00272.x"
_SERIES = [112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170]


@statistic(
    tool="time_series",
    subtype="adf",
    title="Augmented Dickey–Fuller test",
    use_when="a series in time order that may have a unit root (a random walk)",
    utterances=("unit root test", "is the series stationary", "Dickey-Fuller"),
    refs=(
        "Said & Dickey 1984, doi:10.1093/biomet/71.3.599",
        "MacKinnon 1994, doi:10.1080/07350015.1994.10510005",
    ),
    formula="Δx_t = a + b·x_{t−1} + Σ c_k Δx_{t−k} + e_t; t of b",
    equivalents={
        "R": 'urca::ur.df(x, type = "drift", selectlags = "AIC")',
        "Python": "statsmodels.tsa.stattools.adfuller(x)",
    },
    example={"data": _SERIES, "max_lag": 3},
    laws=("shift_invariant", "scale_invariant"),
    aliases=("dickey_fuller",),
)
def augmented_dickey_fuller(
    data: Series,
    *,
    max_lag: MaybeZeroLag | None = None,
    trend: Annotated[str, Choice(("c", "ct", "n"))] = "c",
    autolag: Switch = True,
    alpha: Alpha = 0.05,
) -> SignificanceTest:
    """Augmented Dickey–Fuller test; the null hypothesis is a unit root.

    Parameters
    ----------
    data : the series in time order.
    max_lag : largest number of lagged differences; 12 (n/100)^(1/4) when absent.
    trend : deterministic terms: "c" constant, "ct" constant and trend, "n" none.
    autolag : choose the lag by AIC up to max_lag; false uses max_lag itself.
    alpha : significance level.

    Returns
    -------
    SignificanceTest : tau with MacKinnon's approximate p value and the critical values.

    Raises
    ------
    NotDefined : a series that is constant, too short or perfectly regular.
    """
    found = adf(data, trend=trend, max_lag=max_lag, choose=autolag)
    return SignificanceTest(
        method="Augmented Dickey–Fuller test",
        statistic_name="tau",
        statistic=found.statistic,
        p_value=found.p_value,
        alternative="less",
        alpha=alpha,
        n=data.shape[0],
        details={"lags": found.lags, "n_used": found.n_used, "critical_values": found.critical},
        conventions=(
            "null hypothesis: unit root",
            "p from MacKinnon's (1994) response surface; critical values from MacKinnon (2010)",
            f"{found.lags} lagged differences" + (" chosen by AIC" if autolag else ""),
        ),
    )


@statistic(
    tool="time_series",
    subtype="kpss",
    title="KPSS test",
    use_when="a series in time order that may be stationary around a level or trend",
    utterances=("KPSS", "test that the series is stationary", "level stationarity"),
    refs=(
        "Kwiatkowski et al. 1992, doi:10.1016/0304-4076(92)90104-Y",
        "Hobijn et al. 2004, doi:10.1111/j.1467-9574.2004.00272.x",
    ),
    formula="Σ S_t²/(n² s²), S = partial sums of the residuals, s² = Bartlett long-run variance",
    equivalents={"R": "tseries::kpss.test(x)", "Python": "statsmodels.tsa.stattools.kpss(x, nlags='auto')"},
    example={"data": _SERIES},
    laws=("shift_invariant", "scale_invariant"),
)
def kpss_test(
    data: Series, *, max_lag: MaybeZeroLag | None = None, trend: Trend = "c", alpha: Alpha = 0.05
) -> SignificanceTest:
    """KPSS test; the null hypothesis is stationarity.

    Parameters
    ----------
    data : the series in time order.
    max_lag : lags of the long-run variance; chosen from the data when absent.
    trend : "c" stationary around a level, "ct" around a linear trend.
    alpha : significance level.

    Returns
    -------
    SignificanceTest : the statistic with a p value interpolated in the published table, which spans .01 to .10.

    Raises
    ------
    NotDefined : a series that is constant or too short.
    """
    found = kpss(data, trend=trend, lags=max_lag)
    return SignificanceTest(
        method="KPSS test of stationarity",
        statistic_name="KPSS",
        statistic=found.statistic,
        p_value=found.p_value,
        alternative="greater",
        alpha=alpha,
        n=data.shape[0],
        details={"lags": found.lags, "critical_values": found.critical},
        conventions=(
            "null hypothesis: stationary around a " + ("level" if trend == "c" else "trend"),
            "p interpolated in the published table, limited to .01 and .10",
            f"{found.lags} lags" + (" (Hobijn et al.)" if max_lag is None else ""),
        ),
        warnings=(f"The p value lies {found.bound}; the limit of the table is given.",)
        if found.bound
        else (),
    )
