"""James-Stein shrinkage of several means at once."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError
from statistikles.registry.arguments import FloatArray, Positive, Real, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["james_stein"]

declare_tool(
    "james_stein",
    title="James-Stein estimator",
    summary="Shrinks several independent normal means towards a common value, lowering their total squared error.",
)

Observations = Annotated[FloatArray, Vector(min_n=1)]


@statistic(
    tool="james_stein",
    title="James-Stein estimator",
    use_when="several group means of equal, known sampling variance are to be estimated together",
    utterances=(
        "shrink these means towards the grand mean",
        "James-Stein estimate",
        "improve several noisy averages at once",
        "empirical Bayes shrinkage of batting averages",
    ),
    refs=(
        "James & Stein 1961, Proc. 4th Berkeley Symposium 1, 361-379",
        "Efron & Morris 1973, doi:10.1080/01621459.1973.10481350",
        "Stein 1981, doi:10.1214/aos/1176345632",
    ),
    oracle="definition",
    formula="θ̂ = target + (1 − (p − c)·σ²/S)₊ (x − target), S = Σ(x − target)²; c = 2 for a given target, "
    "3 for the estimated mean",
    equivalents={
        "R": "m + pmax(0, 1 - (length(x) - 3) * v / sum((x - m)^2)) * (x - m)",
        "Python": "m + max(0, 1 - (len(x) - 3) * v / ((x - m) ** 2).sum()) * (x - m)",
    },
    example={"observations": [0.4, 1.2, -0.7, 2.9, 0.1, 1.8, -1.5, 0.9], "variance": 1.0},
)
def james_stein(
    observations: Observations,
    *,
    grand_mean: Real | None = None,
    variance: Positive = 1.0,
) -> Measures:
    """Positive-part James-Stein estimates of several means, towards a given value or their own mean.

    Parameters
    ----------
    observations : one observed mean per group, independent and normal with the same known variance.
    grand_mean : value to shrink towards; when absent, the mean of the observations is estimated and used.
    variance : sampling variance of each observation.

    Returns
    -------
    Measures : the shrunken estimates in order, the factor that multiplies each deviation, the risk estimate.

    Raises
    ------
    InputError : fewer than 3 observations (4 when the mean is estimated), where shrinking cannot pay.
    """
    x, p = observations, int(observations.size)
    lost = 3 if grand_mean is None else 2
    if p <= lost:
        kind = "the estimated mean" if grand_mean is None else "a given value"
        raise InputError(
            f"Argument 'observations' of james_stein: shrinking towards {kind} needs at least {lost + 1} "
            f"observations, not {p}; with fewer it does not lower the risk.",
            hint="Use the observations themselves.",
            where="observations",
            code="too_few_values",
        )
    unit = math.ldexp(1.0, math.frexp(max(float(np.abs(x).max()), abs(grand_mean or 0.0), 5e-324))[1] - 1)
    z = x / unit  # an exact scaling, so that squares neither overflow nor vanish
    target = math.fsum(z) / p if grand_mean is None else grand_mean / unit
    spread = math.fsum((z - target) ** 2)
    noise = variance / unit / unit
    undefined: dict[str, str] = {}
    plain: float | None = None
    if spread > 0:
        plain = 1 - (p - lost) * noise / spread
    if plain is None or not math.isfinite(plain):
        undefined = {"factor_plain": "every observation lies at the target, so it has no finite value"}
        plain = None
    factor = 0.0 if plain is None else max(0.0, plain)
    shrunk = (target + factor * (z - target)) * unit
    quantities: dict[str, Any] = {
        "n": p,
        "estimates": Quantity(shrunk, Role.ESTIMATE),
        "factor": Quantity(factor, Role.WEIGHT),
        "factor_plain": None if plain is None else Quantity(plain, Role.WEIGHT),
        "shrinkage": Quantity(1 - factor, Role.WEIGHT),
        "target": Quantity(target * unit, Role.MEAN),
        "sum_sq": spread * unit * unit,
        "variance": variance,
        "risk_unshrunk": Quantity(p * variance, Role.MEAN_SQUARE),
        "risk_estimate": Quantity(_risk(p, lost, noise, spread, factor) * unit * unit, Role.VALUE),
    }
    for name in ("sum_sq", "risk_unshrunk", "risk_estimate"):
        value = quantities[name].value if isinstance(quantities[name], Quantity) else quantities[name]
        if not math.isfinite(value):
            quantities[name] = None
            undefined[name] = "it does not fit a double-precision number"
    return Measures(
        method="James-Stein estimator, positive part, "
        + ("towards the estimated mean" if grand_mean is None else "towards a given value"),
        quantities=quantities,
        undefined=undefined,
        conventions=(
            f"factor = max(0, 1 − (p − {lost})·variance/S) multiplies each deviation from the target",
            "factor_plain is the factor without the maximum (it can be negative)",
            "risk is the expected sum of squared errors; risk_estimate is Stein's unbiased estimate (it may be negative)",
        ),
        warnings=("The observations vary no more than their sampling error: all are set to the target.",)
        if factor == 0.0
        else (),
    )


def _risk(p: int, lost: int, noise: float, spread: float, factor: float) -> float:
    """Stein's unbiased risk estimate of the positive-part estimator: |θ̂ − x|² − pσ² + 2σ² div θ̂."""
    kept = lost - 2  # the fitted mean is one free direction
    if factor == 0.0:
        return spread - p * noise + 2 * noise * kept
    return p * noise - (p - lost) ** 2 * noise * noise / spread
