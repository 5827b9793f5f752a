"""Bootstrap intervals: BCa leads; percentile, basic, normal and studentised beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    Alternative,
    Choice,
    ConfLevel,
    FloatArray,
    Replicates,
    Seed,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Estimate, Quantity, Role
from statistikles.stats._distributions import norm_cdf, norm_isf, norm_ppf
from statistikles.stats._numerics import quantile
from statistikles.stats._resample import STATISTICS, draw, jackknife, on_rows

__all__ = ["bootstrap"]

_LEAST = {"skewness": 4, "kurtosis": 5, "correlation": 4, "variance": 3, "sd": 3, "cv": 3}

declare_tool(
    "bootstrap",
    title="Bootstrap interval",
    summary="Interval of a statistic by resampling the data, without assuming a distribution.",
)

Data = Annotated[FloatArray, Vector(min_n=2)]
Which = Annotated[
    str,
    Choice(
        (*STATISTICS, "correlation"),
        aliases=(
            ("std", "sd"),
            ("std_dev", "sd"),
            ("standard_deviation", "sd"),
            ("var", "variance"),
            ("average", "mean"),
            ("pearson", "correlation"),
            ("excess_kurtosis", "kurtosis"),
        ),
    ),
]


@statistic(
    tool="bootstrap",
    title="Bootstrap interval",
    use_when="an interval of a mean, median, SD, correlation or other statistic without assuming a distribution",
    utterances=(
        "bootstrap the median",
        "confidence interval by resampling",
        "BCa interval of the mean",
        "bootstrap a correlation",
    ),
    refs=(
        "Efron 1987, doi:10.1080/01621459.1987.10478410",
        "DiCiccio & Efron 1996, doi:10.1214/ss/1032280214",
    ),
    oracle="scipy.stats:bootstrap",
    formula="BCa: quantiles of θ* at Φ(z0 + (z0 + z)/(1 − a(z0 + z))); z0 from the share below θ̂, "
    "a from the jackknife",
    equivalents={
        "R": 'boot::boot.ci(boot::boot(data, function(d, i) mean(d[i]), R = 9999), type = "bca")',
        "Python": "scipy.stats.bootstrap((data,), numpy.mean, n_resamples=9999)",
    },
    example={
        "data": [4.9, 6.3, 5.1, 7.7, 5.8, 6.1, 9.2, 5.5, 4.4, 6.8, 7.1, 5.0],
        "statistic": "mean",
        "n_reps": 999,
    },
    aligned=(("data", "y"),),
)
def bootstrap(
    data: Data,
    *,
    statistic: Which = "mean",
    y: Data | None = None,
    n_reps: Replicates = 9999,
    seed: Seed = 0,
    alpha: Alpha = 0.05,
    conf_level: ConfLevel | None = None,
    alternative: Alternative = "two-sided",
) -> Estimate:
    """Bootstrap standard error, bias and intervals of a statistic of one sample (or of a correlation).

    Parameters
    ----------
    data : the sample.
    statistic : "mean", "median", "variance", "sd", "trimmed_mean" (10 % each side), "iqr", "mad", "cv",
        "skewness", "kurtosis" or "correlation" (with y).
    y : the second variable of a correlation, matched with data; pairs are resampled.
    n_reps : number of resamples (at most 100000).
    seed : seed of the random numbers, recorded in the result.
    alpha : the interval has confidence 1 - alpha.
    conf_level : confidence of the interval, instead of alpha.
    alternative : "two-sided", or "greater"/"less" for a one-sided interval (lower/upper bound only).

    Returns
    -------
    Estimate : the statistic with its BCa interval; other intervals, bias, z0 and acceleration in `also`.

    Raises
    ------
    InputError : too few values, y without correlation.
    NotDefined : constant data, or a statistic undefined in most resamples.
    """
    level = 1 - alpha if conf_level is None else conf_level
    samples, unit = _scaled(_samples(data, y, statistic), statistic)
    estimate = float(on_rows(statistic)(*(s[None, :] for s in samples))[0])
    if not math.isfinite(estimate):
        raise NotDefined(
            f"The {statistic} of these data is undefined, so it cannot be bootstrapped.",
            hint="Check for constant or extreme values.",
            where="data",
            code="not_defined",
        )
    replicates, studentised = _replicates(samples, statistic, n_reps, seed, estimate)
    usable = np.isfinite(replicates)
    n_undefined = int((~usable).sum())
    if n_undefined > n_reps / 2:
        raise NotDefined(
            f"The {statistic} is undefined in {n_undefined} of {n_reps} resamples.",
            hint="The sample is too small or has too few different values for a bootstrap.",
            where="data",
            code="degenerate_resamples",
        )
    kept = np.sort(replicates[usable])
    error = float(np.std(kept, ddof=1)) if kept.size > 1 else 0.0
    tails = _tails(level, alternative)
    bca, constants, reason = _bca(kept, estimate, samples, statistic, tails)
    also = _others(kept, estimate, error, studentised, tails, level, unit)
    also["bootstrap"] = {
        "n_reps": Quantity(n_reps, Role.COUNT),
        "n_undefined": Quantity(n_undefined, Role.COUNT),
        "bias": Quantity((float(kept.mean()) - estimate) * unit, Role.ESTIMATE),
        **constants,
    }
    return Estimate(
        method=f"Bootstrap of the {_label(statistic)}, bias-corrected and accelerated (BCa), {n_reps} resamples",
        name=_label(statistic),
        estimate=estimate * unit,
        std_error=error * unit,
        conf_low=None if bca[0] is None else bca[0] * unit,
        conf_high=None if bca[1] is None else bca[1] * unit,
        conf_level=level,
        conf_method="BCa",
        n=int(samples[0].size),
        seed=seed,
        also=also,
        undefined=_bound_reasons(bca, alternative, reason),
        conventions=(
            "resamples of the same size with replacement"
            + (", pairs kept together" if statistic == "correlation" else ""),
            "quantiles of the replicates are of type 7; replicates equal to the estimate count half in z0",
            "acceleration from the jackknife",
            "random numbers: PCG64, one stream per block of resamples, whatever the number of threads",
        ),
        warnings=_cautions(samples, statistic, n_undefined, n_reps),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _label(name: str) -> str:
    return "correlation (Pearson)" if name == "correlation" else STATISTICS[name].label


def _samples(data: FloatArray, y: FloatArray | None, name: str) -> tuple[FloatArray, ...]:
    if (y is not None) != (name == "correlation"):
        raise InputError(
            "A bootstrap of the correlation needs 'y'." if y is None else f"'y' is not used for the {name}.",
            hint='Give "y" with statistic "correlation".',
            where="y",
            code="missing_argument" if y is None else "invalid_argument",
        )
    least = _LEAST.get(name, 2)
    if data.size < least:
        raise InputError(
            f"Argument 'data' of bootstrap: the {name} needs at least {least} values, not {data.size}.",
            where="data",
            code="too_few_values",
        )
    samples = (data,) if y is None else (data, y)
    for label, sample in zip(("data", "y"), samples, strict=False):
        if float(sample.min()) == float(sample.max()):
            raise NotDefined(
                f"The bootstrap is undefined: every value of '{label}' is {sample[0]:g}, so resamples cannot vary.",
                hint="Check that the right column was used.",
                where=label,
                code="zero_variance",
            )
    return samples


def _scaled(samples: tuple[FloatArray, ...], name: str) -> tuple[tuple[FloatArray, ...], float]:
    """Samples of ordinary size, and the factor that takes the statistic back to the unit of the data."""
    exponents = [math.frexp(float(np.abs(s).max()))[1] for s in samples]
    if all(abs(e) < 100 for e in exponents):
        return samples, 1.0
    scaled = tuple(np.ldexp(s, -e) for s, e in zip(samples, exponents, strict=True))
    power = {"variance": 2, "cv": 0, "skewness": 0, "kurtosis": 0, "correlation": 0}.get(name, 1)
    return scaled, float(np.ldexp(1.0, power * exponents[0]))


def _replicates(
    samples: tuple[FloatArray, ...], name: str, n_reps: int, seed: int, estimate: float
) -> tuple[FloatArray, FloatArray | None]:
    """The replicates; for the mean also their studentised distances from it, times its standard error."""
    if name != "mean":
        known = STATISTICS.get(name)
        if known is not None and known.positions is not None:
            return draw(samples, n_reps, seed, known.positions, positions=True)[:, 0], None
        return draw(samples, n_reps, seed, on_rows(name))[:, 0], None
    n = samples[0].size
    centred = samples[0] - estimate
    unit = math.ldexp(1.0, math.frexp(float(np.abs(centred).max()))[1])
    z = centred / unit

    def mean_and_square(v: FloatArray) -> FloatArray:
        # One short dot product per row; longer ones may be split among threads, which would change the rounding.
        squares = (
            np.matmul(v[:, None, :], v[:, :, None])[:, 0, 0] if n < 8192 else np.einsum("ij,ij->i", v, v)
        )
        return np.column_stack((v.mean(axis=1), squares))

    drawn = draw((z,), n_reps, seed, mean_and_square, 2)
    shift = drawn[:, 0]
    variance = (drawn[:, 1] - n * shift**2) / (n - 1)
    fine = variance > 1e-14
    t = np.where(fine, shift / np.sqrt(np.where(fine, variance, 1.0) / n), np.nan)
    own = math.sqrt(float(z @ z) / (n - 1) / n) * unit
    return estimate + shift * unit, t[np.isfinite(t)] * own


def _tails(level: float, alternative: str) -> tuple[float | None, float | None]:
    """Probabilities of the lower and upper bound; None for an open side."""
    if alternative == "greater":
        return 1 - level, None
    if alternative == "less":
        return None, level
    return (1 - level) / 2, (1 + level) / 2


Bounds = tuple[float | None, float | None]


def _at(kept: FloatArray, tails: Bounds) -> Bounds:
    low, high = (None if p is None else quantile(kept, min(max(p, 0.0), 1.0)) for p in tails)
    return low, high


def _bca(
    kept: FloatArray, estimate: float, samples: tuple[FloatArray, ...], name: str, tails: Bounds
) -> tuple[Bounds, dict[str, Any], str]:
    """The BCa bounds with z0 and the acceleration, or the reason why they do not exist."""
    slack = 1e-12 * float(np.abs(kept).max())
    below = float((kept < estimate - slack).sum()) + 0.5 * float((np.abs(kept - estimate) <= slack).sum())
    share = below / kept.size
    z0 = norm_ppf(share) if 0 < share < 1 else None
    without = jackknife(name, *samples)
    reason = ""
    acceleration: float | None = None
    if not bool(np.isfinite(without).all()):
        reason = "the statistic is undefined when one value is left out, so there is no acceleration"
    else:
        d = without.mean() - without
        d = d / max(float(np.abs(d).max()), 5e-324)
        squares = float(d @ d)
        if squares > 0:
            acceleration = float((d**3).sum()) / (6 * squares**1.5)
        else:
            reason = "leaving out any one value changes nothing, so there is no acceleration"
    if float(kept[-1]) - float(kept[0]) <= slack:
        z0, reason = None, "the replicates do not vary"
    elif z0 is None:
        reason = "all replicates lie on one side of the estimate, so the bias correction is infinite"
    constants: dict[str, Any] = {
        "z0": None if z0 is None else Quantity(z0, Role.PARAMETER),
        "acceleration": None if acceleration is None else Quantity(acceleration, Role.PARAMETER),
    }
    if missing := {k: reason for k, v in constants.items() if v is None}:
        constants["undefined"] = missing
    if z0 is None or acceleration is None:
        return (None, None), constants, reason
    moved: list[float | None] = []
    for p in tails:
        if p is None:
            moved.append(None)
            continue
        z = z0 + norm_ppf(p)
        rest = 1 - acceleration * z
        if rest <= 0:
            return (None, None), constants, "the acceleration is too large for this confidence level"
        moved.append(norm_cdf(z0 + z / rest))
    return _at(kept, (moved[0], moved[1])), constants, ""


def _bound_reasons(bounds: Bounds, alternative: str, reason: str) -> dict[str, str]:
    open_side = f"the interval is one-sided (alternative: {alternative})"
    out = {}
    for name, value, closed in (
        ("conf_low", bounds[0], alternative == "less"),
        ("conf_high", bounds[1], alternative == "greater"),
    ):
        if value is None:
            out[name] = open_side if closed else reason
    return out


def _others(
    kept: FloatArray,
    estimate: float,
    error: float,
    studentised: FloatArray | None,
    tails: Bounds,
    level: float,
    unit: float,
) -> dict[str, Any]:
    """The intervals that stand beside BCa, times `unit`."""
    low, high = tails
    mirrored: Bounds = (None if low is None else 1 - low, None if high is None else 1 - high)
    upper, lower = _at(kept, mirrored)
    bias = float(kept.mean()) - estimate
    one_sided = "the interval is one-sided"

    def part(bounds: Bounds, reason: str = one_sided) -> Mapping[str, Any]:
        low, high = (None if b is None or not math.isfinite(b) else b * unit for b in bounds)
        missing = {
            name: reason if bound is None else "the confidence asked for has no finite bound"
            for name, bound, value in zip(("conf_low", "conf_high"), bounds, (low, high), strict=True)
            if value is None
        }
        out: dict[str, Any] = {"conf_low": low, "conf_high": high, "conf_level": level}
        return out | ({"undefined": missing} if missing else {})

    def normal(p: float | None) -> float | None:
        return None if p is None else estimate - bias - norm_isf(p) * error

    beside: dict[str, Any] = {
        "percentile": part(_at(kept, tails)),
        "basic": part(
            (
                None if upper is None else 2 * estimate - upper,
                None if lower is None else 2 * estimate - lower,
            )
        ),
        "normal": part((normal(low), normal(high))),
    }
    if studentised is None or not studentised.size:
        beside["studentized"] = part((None, None), "given for the mean only")
    else:
        upper, lower = _at(np.sort(studentised), mirrored)
        bounds = (None if upper is None else estimate - upper, None if lower is None else estimate - lower)
        beside["studentized"] = part(bounds)
    return beside


def _cautions(samples: tuple[FloatArray, ...], name: str, n_undefined: int, n_reps: int) -> tuple[str, ...]:
    out = []
    if n_undefined:
        out.append(
            f"The {name} is undefined in {n_undefined} of {n_reps} resamples (too few different values); "
            "they were left out."
        )
    if samples[0].size < 10:
        out.append(f"With {samples[0].size} values a bootstrap interval tends to be too narrow.")
    if n_reps < 1000:
        out.append("Fewer than 1,000 resamples: the bounds carry noticeable random error.")
    if name in STATISTICS and not STATISTICS[name].smooth:
        out.append(
            "The statistic is not smooth: its replicates are lumpy and the acceleration is only approximate."
        )
    return tuple(out)
