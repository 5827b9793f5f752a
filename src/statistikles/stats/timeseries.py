"""Time series: moving averages, autocorrelation and partial autocorrelation, and the Ljung–Box test."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import Alpha, Choice, FloatArray, ScalarNumber, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role, SignificanceTest
from statistikles.stats._distributions import chi2_sf, norm_isf
from statistikles.stats._numerics import moments

__all__ = [
    "autocorrelation",
    "ljung_box",
    "moving_average",
    "partial_autocorrelation",
]

Series = Annotated[FloatArray, Vector(min_n=3)]
AnySeries = Annotated[FloatArray, Vector(min_n=1)]
Lag = Annotated[int, ScalarNumber(low=1, whole=True)]
MaybeZeroLag = Annotated[int, ScalarNumber(low=0, whole=True)]
Window = Annotated[int, ScalarNumber(low=1, whole=True)]

_BOX = "Box, Jenkins, Reinsel & Ljung 2015, Time Series Analysis, 5th ed."
_SERIES = [112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170]
# Above this many products the windows are summed cumulatively instead of one by one.
_WINDOW_PRODUCTS = 50_000_000

declare_tool(
    "time_series",
    title="Time series",
    summary="Smoothing, autocorrelation, tests and decomposition of one series in time order, and alignment of two.",
    chooser="type",
)


@statistic(
    tool="time_series",
    subtype="moving_average",
    title="Moving average",
    use_when="a series in time order to be smoothed",
    utterances=(
        "moving average",
        "rolling mean",
        "smooth the series",
        "exponential smoothing of this series",
    ),
    refs=(_BOX,),
    formula="simple: mean of the last `window` values; exponential: e_t = a·x_t + (1 − a)·e_{t−1}, a = 2/(window + 1)",
    equivalents={
        "R": "stats::filter(x, rep(1/k, k), sides = 1)",
        "Python": "pandas.Series(x).rolling(k).mean()",
    },
    example={"data": _SERIES, "window": 4},
)
def moving_average(
    data: AnySeries,
    window: Window = 3,
    *,
    ma_type: Annotated[str, Choice(("simple", "exponential"))] = "simple",
) -> Measures:
    """Trailing moving average of a series.

    Parameters
    ----------
    data : the series in time order.
    window : number of values averaged; for the exponential form it sets the weight 2/(window + 1).
    ma_type : simple or exponential.

    Returns
    -------
    Measures : the averages; the first simple one belongs to position `start` (counted from 0).

    Raises
    ------
    InputError : a window longer than the series.
    """
    n = data.shape[0]
    if window > n:
        raise InputError(
            f"The window ({window}) is longer than the series ({n} values).",
            where="window",
            code="out_of_range",
        )
    if ma_type == "exponential":
        weight = 2 / (window + 1)
        values = np.empty(n)
        values[0] = level = float(data[0])
        for i, value in enumerate(data[1:].tolist(), start=1):
            level += weight * (value - level)
            values[i] = level
        start, conventions = 0, (f"exponential, weight {weight:.6g}", "starts at the first value")
    else:
        values = _rolling_mean(data, window)
        start, conventions = (
            window - 1,
            ("trailing: each average ends at its position", "complete windows only"),
        )
    return Measures(
        method=f"{ma_type.capitalize()} moving average",
        quantities={
            "values": Quantity(values, Role.MEAN),
            "start": Quantity(start, Role.INDEX),
            "window": Quantity(window, Role.COUNT),
            "n": Quantity(n, Role.COUNT),
        },
        conventions=conventions,
    )


def _rolling_mean(x: FloatArray, window: int) -> FloatArray:
    if x.shape[0] * window <= _WINDOW_PRODUCTS:
        means: FloatArray = np.lib.stride_tricks.sliding_window_view(x, window).mean(axis=1)
        return means
    centre = moments(x).mean
    sums = np.concatenate(([0.0], np.cumsum(x - centre)))
    out: FloatArray = centre + (sums[window:] - sums[:-window]) / window
    return out


def _autocorrelations(x: FloatArray, max_lag: int) -> FloatArray:
    """r_0..r_max_lag with divisor n."""
    m = moments(x)
    if m.minimum == m.maximum:
        raise NotDefined("Autocorrelation is undefined: every value is the same.", code="zero_variance")
    d = x - m.mean
    d = d / np.abs(d).max()
    d = d - d.mean()
    size = 1 << (2 * len(d) - 1).bit_length()
    if len(d) * (max_lag + 1) > 2_000_000:
        spectrum = np.fft.rfft(d, size)
        products = np.fft.irfft(spectrum * np.conj(spectrum), size)[: max_lag + 1]
    else:
        products = np.array([d[k:] @ d[: len(d) - k] for k in range(max_lag + 1)])
    out: FloatArray = products / products[0]
    return out


def _lags(n: int, max_lag: int | None, most: int) -> int:
    default = min(most, max(1, int(10 * math.log10(n))))
    lag = default if max_lag is None else max_lag
    if lag > most:
        raise InputError(
            f"max_lag ({lag}) is too large for {n} values; at most {most} is possible.",
            where="max_lag",
            code="out_of_range",
        )
    return lag


@statistic(
    tool="time_series",
    subtype="acf",
    title="Autocorrelation function",
    use_when="a series in time order whose correlation with its own past is wanted",
    utterances=("autocorrelation", "correlogram", "is the series correlated with its past", "ACF"),
    refs=(_BOX, "Bartlett 1946, doi:10.2307/2983611"),
    formula="r_k = Σ (x_t − m)(x_{t+k} − m)/Σ (x_t − m)², divisor n",
    equivalents={
        "R": "acf(x, plot = FALSE)",
        "Python": "statsmodels.tsa.stattools.acf(x, nlags=k, adjusted=False)",
    },
    example={"data": _SERIES, "max_lag": 5},
    laws=("shift_invariant", "scale_invariant"),
)
def autocorrelation(data: Series, *, max_lag: Lag | None = None, alpha: Alpha = 0.05) -> Measures:
    """Autocorrelations with white-noise bands and Bartlett standard errors.

    Parameters
    ----------
    data : the series in time order.
    max_lag : largest lag; 10 log10(n) when absent.
    alpha : the bands cover 1 - alpha under white noise.

    Returns
    -------
    Measures : acf from lag 0, the half-width of the white-noise band, Bartlett's standard errors, and the lags
        outside the band.

    Raises
    ------
    InputError : max_lag of n or more.
    NotDefined : constant series.
    """
    n = data.shape[0]
    lag = _lags(n, max_lag, n - 1)
    r = _autocorrelations(data, lag)
    band = norm_isf(alpha / 2) / math.sqrt(n)
    bartlett = (
        np.sqrt((1 + 2 * np.concatenate(([0.0], np.cumsum(r[1:-1] ** 2)))) / n) if lag else np.array([])
    )
    return _correlogram(
        "Autocorrelation function", "acf", r, band, n, alpha, {"bartlett_std_error": bartlett}
    )


@statistic(
    tool="time_series",
    subtype="pacf",
    title="Partial autocorrelation function",
    use_when="a series in time order; the correlation at each lag beyond the shorter lags is wanted",
    utterances=("partial autocorrelation", "PACF", "order of an autoregression"),
    refs=(_BOX, "Durbin 1960, doi:10.2307/1401322"),
    formula="Durbin–Levinson recursion on the autocorrelations (Yule–Walker, divisor n)",
    equivalents={
        "R": "pacf(x, plot = FALSE)",
        "Python": "statsmodels.tsa.stattools.pacf(x, nlags=k, method='ywm')",
    },
    example={"data": _SERIES, "max_lag": 5},
    laws=("shift_invariant", "scale_invariant"),
)
def partial_autocorrelation(data: Series, *, max_lag: Lag | None = None, alpha: Alpha = 0.05) -> Measures:
    """Partial autocorrelations with white-noise bands.

    Parameters
    ----------
    data : the series in time order.
    max_lag : largest lag; 10 log10(n), at most half the series, when absent.
    alpha : the bands cover 1 - alpha under white noise.

    Returns
    -------
    Measures : pacf from lag 0 (which is 1), the half-width of the band, and the lags outside it.

    Raises
    ------
    InputError : max_lag of half the series or more.
    NotDefined : constant series.
    """
    n = data.shape[0]
    lag = _lags(n, max_lag, max(1, n // 2))
    r = _autocorrelations(data, lag)
    partial, phi, error = [1.0], np.zeros(0), 1.0
    for k in range(1, lag + 1):
        value = float(r[k] - phi @ r[k - 1 : 0 : -1]) / error if k > 1 else float(r[1])
        phi = np.append(phi - value * phi[::-1], value)
        error *= 1 - value * value
        partial.append(value)
        if error <= 0:
            raise NotDefined("The series is perfectly predictable from its past.", code="perfect_fit")
    band = norm_isf(alpha / 2) / math.sqrt(n)
    return _correlogram("Partial autocorrelation function", "pacf", np.array(partial), band, n, alpha, {})


def _correlogram(
    method: str, name: str, values: FloatArray, band: float, n: int, alpha: float, more: dict[str, Any]
) -> Measures:
    outside = [k for k, v in enumerate(values.tolist()) if k and abs(v) > band]
    return Measures(
        method=method,
        quantities={
            name: Quantity(values, Role.CORRELATION),
            "band": Quantity(band, Role.CONF_BOUND),
            "conf_level": 1 - alpha,
            "lags_outside": Quantity(outside, Role.INDEX),
            **more,
            "n": Quantity(n, Role.COUNT),
        },
        conventions=("divisor n", "lag 0 first", "the band is ± z/√n, for white noise"),
    )


@statistic(
    tool="time_series",
    subtype="ljung_box",
    title="Ljung–Box test",
    use_when="a series (often residuals) in time order that should be white noise",
    utterances=("are the residuals white noise", "Ljung-Box", "test for autocorrelation up to lag 10"),
    refs=(
        "Ljung & Box 1978, doi:10.1093/biomet/65.2.297",
        "Box & Pierce 1970, doi:10.1080/01621459.1970.10481180",
    ),
    formula="Q = n(n + 2) Σ r_k²/(n − k), χ² with max_lag − n_fitted degrees of freedom",
    equivalents={
        "R": 'Box.test(x, lag = k, type = "Ljung-Box")',
        "Python": "statsmodels.stats.diagnostic.acorr_ljungbox(x, lags=[k])",
    },
    example={"data": _SERIES, "max_lag": 5},
    laws=("shift_invariant", "scale_invariant"),
)
def ljung_box(
    data: Series, *, max_lag: Lag | None = None, n_fitted: MaybeZeroLag = 0, alpha: Alpha = 0.05
) -> SignificanceTest:
    """Ljung–Box portmanteau test of no autocorrelation; Box–Pierce beside it.

    Parameters
    ----------
    data : the series in time order.
    max_lag : number of lags tested; the smaller of 10 and n/5 when absent.
    n_fitted : number of ARMA parameters fitted before, taken off the degrees of freedom.
    alpha : significance level.

    Returns
    -------
    SignificanceTest : Q with its degrees of freedom and p value.

    Raises
    ------
    InputError : max_lag of n or more, or not above n_fitted.
    NotDefined : constant series.
    """
    n = data.shape[0]
    lag = _lags(n, max(1, min(10, n // 5)) if max_lag is None else max_lag, n - 1)
    if lag <= n_fitted:
        raise InputError("max_lag must exceed n_fitted.", where="max_lag", code="out_of_range")
    r = _autocorrelations(data, lag)[1:]
    q = n * (n + 2) * math.fsum(r**2 / (n - np.arange(1, lag + 1)))
    pierce = n * math.fsum(r**2)
    df = float(lag - n_fitted)
    return SignificanceTest(
        method="Ljung–Box test",
        statistic_name="Q",
        statistic=q,
        df=df,
        p_value=chi2_sf(q, df),
        alpha=alpha,
        n=n,
        details={"max_lag": lag},
        also={
            "box_pierce": SignificanceTest(
                method="Box–Pierce test",
                statistic_name="Q",
                statistic=pierce,
                df=df,
                p_value=chi2_sf(pierce, df),
                alpha=alpha,
            )
        },
        conventions=("autocorrelations with divisor n", f"{lag} lags, {n_fitted} fitted parameters"),
    )
