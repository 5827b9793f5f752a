"""Granger causality: whether the past of one series helps to predict another beyond its own past."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined, StatistiklesError
from statistikles.registry.arguments import Alpha, FloatArray, NameList, ScalarNumber, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, SignificanceTest
from statistikles.stats._distributions import chi2_sf, f_sf
from statistikles.stats._least_squares import linear_least_squares
from statistikles.stats._model_bounds import f_noncentrality_interval
from statistikles.stats._unit_root import adf, kpss

__all__ = ["granger_causality"]

Series = Annotated[FloatArray, Vector(min_n=5)]
_MOST_LAGS = 8  # lags compared by the information criteria, fewer for short series

declare_tool(
    "granger_causality",
    title="Granger causality",
    summary="Tests whether past values of one time series help to predict another beyond its own past.",
)


@statistic(
    tool="granger_causality",
    title="Granger causality test",
    use_when="two time series in step, and it is asked whether the first helps to predict the second",
    utterances=(
        "does x Granger-cause y",
        "do past sales predict advertising",
        "lead-lag relation of two time series",
        "does the first series help to forecast the second",
    ),
    refs=("Granger 1969, doi:10.2307/1912791",),
    laws=("shift_invariant", "scale_invariant"),
    oracle="statsmodels.tsa.stattools:grangercausalitytests",
    formula="F = ((RSS_r − RSS_f)/p)/(RSS_f/(T − 2p − 1)), T = n − p rows",
    equivalents={
        "R": "lmtest::grangertest(series_y ~ series_x, order = lag)",
        "Python": "statsmodels.tsa.stattools.grangercausalitytests(np.column_stack([y, x]), [lag])",
    },
    example={
        "series_x": [
            1.1,
            0.4,
            1.9,
            2.3,
            1.2,
            0.8,
            1.7,
            2.9,
            2.1,
            1.0,
            0.6,
            1.4,
            2.6,
            2.2,
            1.5,
            0.9,
            1.8,
            2.4,
        ],
        "series_y": [
            0.5,
            1.3,
            0.9,
            1.8,
            2.4,
            1.5,
            1.1,
            1.6,
            2.7,
            2.3,
            1.2,
            0.8,
            1.5,
            2.4,
            2.5,
            1.6,
            1.2,
            1.9,
        ],
        "lag": 2,
    },
    aligned=(("series_x", "series_y"),),
)
def granger_causality(
    series_x: Series,
    series_y: Series,
    lag: Annotated[int, ScalarNumber(low=1.0, high=1000.0, whole=True)] = 1,
    *,
    alpha: Alpha = 0.05,
    names: Annotated[tuple[str, ...], NameList(of=("series_x", "series_y"))] | None = None,
) -> SignificanceTest:
    """F test (leads) and chi-square tests of whether x helps to predict y, with lag choice and stationarity checks.

    Parameters
    ----------
    series_x : the series that may help.
    series_y : the series to be predicted, at the same times.
    lag : number of past values of both series in the model.
    alpha : significance level.
    names : names of the two series in the result.

    Returns
    -------
    SignificanceTest : F test of the lags of x; chi-square forms and the reverse direction under `also`.

    Raises
    ------
    InputError : a series too short for the lag.
    NotDefined : a constant series, or lags that determine each other.
    """
    n = series_x.size
    if n < 3 * lag + 2:
        raise InputError(
            f"{n} observations are too few for lag {lag}; at least {3 * lag + 2} are needed.",
            hint="Use a smaller lag or a longer series.",
            where="lag",
            code="too_few_values",
        )
    name_x, name_y = names or ("x", "y")
    x, y = _standard(series_x, "series_x"), _standard(series_y, "series_y")
    forward, backward = _compare(y, x, lag), _safe(y=x, x=y, lag=lag)
    checks = {name_x: _stationarity(x), name_y: _stationarity(y)}
    return SignificanceTest(
        method=f"Granger causality test: does {name_x} help to predict {name_y} (lag {lag})",
        statistic_name="F",
        statistic=forward["F"],
        df=lag,
        df_error=forward["df_error"],
        p_value=forward["p"],
        alpha=alpha,
        n=n,
        effect_size=_effect(forward, lag, alpha),
        details={
            "lag": lag,
            "n_used": n - lag,
            "rss_restricted_share": forward["ratio"],
            "lag_choice": _lag_choice(y, x, lag),
            "stationarity": checks,
        },
        also={"chi_square": forward["chi"], "likelihood_ratio": forward["lr"], "reverse": backward},
        conventions=(
            "both models with intercept, on the n − lag rows that have all lags; the F test leads",
            "lag choice: AIC and BIC of the model of y with lags of both, on one common set of rows",
            "stationarity: augmented Dickey-Fuller with constant, lag by AIC; KPSS for a level",
            "rows with a missing value are left out and the series closed up",
        ),
        warnings=_cautions(checks),
    )


def _standard(series: FloatArray, where: str) -> FloatArray:
    """The series about its mean with largest deviation one: the test depends on neither unit nor origin."""
    if float(series.min()) == float(series.max()):
        raise NotDefined(
            f"The test is undefined: every value of '{where}' is {series[0]:g}.",
            hint="A constant series predicts nothing and needs no prediction.",
            where=where,
            code="zero_variance",
        )
    scaled = np.ldexp(series, -math.frexp(float(np.abs(series).max()))[1])
    moved = scaled - scaled[0]
    moved = moved / float(np.abs(moved).max())
    out: FloatArray = moved - moved.mean()
    return out


def _lags(v: FloatArray, lag: int, first: int) -> list[FloatArray]:
    """Columns of v at lags 1..lag for the rows from `first` on."""
    return [v[first - k : v.size - k] for k in range(1, lag + 1)]


def _rss(y: FloatArray, columns: list[FloatArray], first: int) -> float:
    return linear_least_squares(columns, y[first:], names=[f"lag{i}" for i in range(len(columns))]).rss


def _compare(y: FloatArray, x: FloatArray, lag: int) -> dict[str, Any]:
    """The three tests of the lags of x in the model of y."""
    own, other = _lags(y, lag, lag), _lags(x, lag, lag)
    rows = y.size - lag
    df_error = rows - 2 * lag - 1
    try:
        restricted = _rss(y, own, lag)
        fit = linear_least_squares(own + other, y[lag:], names=[f"lag{i}" for i in range(2 * lag)])
    except NotDefined as error:
        raise NotDefined(
            "The test is undefined: some lags are combinations of others.",
            hint="Use a smaller lag, or check whether one series is a shifted copy of the other.",
            where="lag",
            code="singular",
        ) from error
    if fit.exact_fit or not fit.rss > 0:
        raise NotDefined(
            "The test is undefined: the lags predict the series without error.",
            hint="Check for a deterministic series.",
            where="series_y",
            code="perfect_fit",
        )
    gain = max(0.0, restricted - fit.rss)
    f = gain / lag / (fit.rss / df_error)
    chi, ratio = rows * gain / fit.rss, rows * math.log(max(1.0, restricted / fit.rss))
    return {
        "F": f,
        "p": f_sf(f, lag, df_error),
        "df_error": df_error,
        "rows": rows,
        "ratio": fit.rss / restricted,
        "chi": {"statistic": chi, "df": lag, "p_value": chi2_sf(chi, lag)},
        "lr": {"statistic": ratio, "df": lag, "p_value": chi2_sf(ratio, lag)},
    }


def _safe(y: FloatArray, x: FloatArray, lag: int) -> dict[str, Any]:
    """The reverse direction, or the reason why it is undefined."""
    try:
        found = _compare(y, x, lag)
    except StatistiklesError as error:
        keys = ("statistic", "p_value")
        return dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, error.message.rstrip("."))}
    return {"statistic": found["F"], "df": lag, "df_error": found["df_error"], "p_value": found["p"]}


def _effect(found: dict[str, Any], lag: int, alpha: float) -> EffectSize:
    """Partial R² of the lags of x, its interval from the noncentral F."""
    share = 1 - found["ratio"]
    bounds = f_noncentrality_interval(found["F"], lag, found["df_error"], 1 - alpha)
    if bounds is None:
        reason = "F is too large for its interval"
        return EffectSize(
            name="partial R²", estimate=share, undefined=dict.fromkeys(("conf_low", "conf_high"), reason)
        )
    low, high = (b / (b + found["rows"]) for b in bounds)
    return EffectSize(
        name="partial R²",
        estimate=share,
        conf_low=low,
        conf_high=high,
        conf_level=1 - alpha,
        conf_method="noncentral F",
    )


def _lag_choice(y: FloatArray, x: FloatArray, lag: int) -> dict[str, Any]:
    """AIC and BIC of lags 1..most on the rows that the longest of them leaves."""
    most = max(1, min(max(lag, _MOST_LAGS), (y.size - 3) // 4))
    rows = y.size - most
    table = []
    for p in range(1, most + 1):
        try:
            rss = _rss(y, _lags(y, p, most) + _lags(x, p, most), most)
        except StatistiklesError:
            break
        if not rss > 0:
            break
        base, count = rows * math.log(rss / rows), 2 * p + 1
        table.append((p, base + 2 * count, base + count * math.log(rows)))
    if not table:
        keys = ("aic_lag", "bic_lag")
        reason = "the series is too short or its lags are degenerate"
        return dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, reason)}
    # Differences from the smallest are what counts; they do not depend on the unit of the series.
    best_aic, best_bic = min(t[1] for t in table), min(t[2] for t in table)
    return {
        "aic_lag": min(table, key=lambda t: t[1])[0],
        "bic_lag": min(table, key=lambda t: t[2])[0],
        "n_rows": rows,
        "lags": [{"lag": p, "delta_aic": a - best_aic, "delta_bic": b - best_bic} for p, a, b in table],
    }


def _stationarity(v: FloatArray) -> dict[str, Any]:
    out: dict[str, Any] = {}
    try:
        found = adf(v)
        out["adf"] = {"statistic": found.statistic, "p_value": found.p_value, "lags": found.lags}
    except StatistiklesError as error:
        out["adf"] = _without(error)
    try:
        level = kpss(v)
        out["kpss"] = {"statistic": level.statistic, "p_value": level.p_value, "lags": level.lags}
        if level.bound:
            out["kpss"]["note"] = level.bound
    except StatistiklesError as error:
        out["kpss"] = _without(error)
    return out


def _without(error: StatistiklesError) -> dict[str, Any]:
    keys = ("statistic", "p_value")
    return dict.fromkeys(keys) | {"undefined": dict.fromkeys(keys, error.message.rstrip("."))}


def _cautions(checks: dict[str, dict[str, Any]]) -> tuple[str, ...]:
    doubtful = [
        name
        for name, c in checks.items()
        if (c["adf"]["p_value"] is not None and c["adf"]["p_value"] > 0.05)
        or (c["kpss"]["p_value"] is not None and c["kpss"]["p_value"] < 0.05)
    ]
    if not doubtful:
        return ()
    return (
        f"Stationarity is doubtful for {', '.join(doubtful)} (ADF or KPSS): difference the series first.",
    )
