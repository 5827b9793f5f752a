"""The growth law of a measured series: how time (or any cost) grows with size."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import ConfLevel, FloatArray, ScalarNumber, Seed, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._distributions import t_isf

__all__ = ["growth_law"]

Positive = Annotated[FloatArray, Vector(min_n=3, low=0.0)]

# Laws whose shape is fixed; each is fitted by one constant factor.
_LAWS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "1": lambda n: np.ones_like(n),
    "log n": lambda n: np.log(n),
    "sqrt n": lambda n: np.sqrt(n),
    "n": lambda n: n,
    "n log n": lambda n: n * np.log(n),
    "n^2": lambda n: n**2,
    "n^2 log n": lambda n: n**2 * np.log(n),
    "n^3": lambda n: n**3,
}
# A fixed law is preferred to the free power law unless the latter is better by this much AICc.
_MARGIN = 2.0

declare_tool(
    "complexity_analysis",
    title="Growth law of a cost",
    summary="Finds how a measured cost grows with size: exponent, fit of competing laws, and the best of them.",
)


@statistic(
    tool="complexity_analysis",
    title="Growth law",
    use_when="a series of sizes and the time or cost measured at each",
    utterances=(
        "time complexity of these timings",
        "does it scale as n log n",
        "growth exponent",
        "big O of this series",
    ),
    refs=(
        "McGeoch 2012, A Guide to Experimental Algorithmics, doi:10.1017/CBO9780511843747",
        "Hurvich & Tsai 1989, doi:10.1093/biomet/76.2.297",
    ),
    formula="log t = a + b log n (power law); log t − log f(n) = a for each fixed law; compared by AICc on the log scale",
    equivalents={"R": "lm(log(times) ~ log(sizes))", "Python": "np.polyfit(np.log(sizes), np.log(times), 1)"},
    example={"sizes": [100, 200, 400, 800, 1600], "times": [0.011, 0.025, 0.055, 0.121, 0.262]},
    aligned=(("sizes", "times"),),
    laws=("order_invariant",),
)
def growth_law(
    sizes: Positive | None = None,
    times: Positive | None = None,
    *,
    conf_level: ConfLevel = 0.95,
    max_size: Annotated[int, ScalarNumber(low=64, high=65536, whole=True, limit=True)] = 8192,
    seed: Seed = 0,
) -> Measures:
    """Growth exponent of a cost and the law, of several, that describes it best.

    Parameters
    ----------
    sizes : problem sizes, at least three different ones, all above 1.
    times : time or cost at each size, positive.
    conf_level : confidence level of the interval of the exponent.
    max_size : without sizes and times, the largest list that the built-in sort is run on.
    seed : without sizes and times, the seed of the lists to be sorted.

    Returns
    -------
    Measures : exponent with interval, R² on the log scale, the fit of every law, and the best law. Without sizes
        and times it is the number of comparisons of the built-in sort on shuffled lists, which is reproducible.

    Raises
    ------
    InputError : one of sizes and times without the other, sizes not above 1, or times that are not positive.
    NotDefined : fewer than three different sizes.
    """
    if (sizes is None) != (times is None):
        raise InputError("Give both 'sizes' and 'times', or neither.", where="sizes", code="missing_argument")
    conventions = ["laws are compared by AICc of the logarithms: errors are taken as relative"]
    drawn: int | None = None
    if sizes is None or times is None:
        sizes, times = _sort_comparisons(max_size, seed)
        drawn = seed
        conventions.append("the cost is the number of comparisons of the built-in sort, not a time")
    if (sizes <= 1).any() or (times <= 0).any():
        raise InputError("Sizes must be above 1 and times positive.", where="sizes", code="out_of_range")
    if np.unique(sizes).shape[0] < 3:
        raise NotDefined(
            "At least three different sizes are needed to tell growth laws apart.", code="too_few_values"
        )
    n = sizes.shape[0]
    x, y = np.log(sizes), np.log(times)
    exponent, power_rss, error = _line(x, y)
    rate, exponential_rss, _ = _line(sizes, y)
    total = float(((y - y.mean()) ** 2).sum())
    fits = {name: _fixed(y, law(sizes)) for name, law in _LAWS.items()}
    if not math.isfinite(math.fsum((*fits.values(), power_rss, exponential_rss, total))):
        raise NotDefined(
            "The growth laws are too large for double-precision numbers at these sizes.",
            hint="Give the sizes in a larger unit.",
            where="sizes",
            code="out_of_scale",
        )
    table = {name: _fit_row(rss, total, n, 1) for name, rss in fits.items()}
    table["n^b (free exponent)"] = _fit_row(power_rss, total, n, 2)
    table["c^n (exponential)"] = _fit_row(exponential_rss, total, n, 2)
    reach = t_isf((1 - conf_level) / 2, n - 2) * error
    return Measures(
        method="Growth law by least squares on the log scale",
        quantities={
            "exponent": Quantity(exponent, Role.COEFFICIENT),
            "std_error": error,
            "conf_low": exponent - reach,
            "conf_high": exponent + reach,
            "conf_level": conf_level,
            "r_squared": table["n^b (free exponent)"]["r_squared"],
            "exponential_base": Quantity(math.exp(min(rate, 700.0)), Role.RATIO),
            "best_law": _best(table),
            "laws": table,
            "n": Quantity(n, Role.COUNT),
        },
        undefined={} if total > 0 else {"r_squared": "the cost does not vary"},
        conventions=tuple(conventions),
        warnings=("The largest size is less than 8 times the smallest: laws are hard to tell apart.",)
        if sizes.max() < 8 * sizes.min()
        else (),
        seed=drawn,
    )


def _line(x: FloatArray, y: FloatArray) -> tuple[float, float, float]:
    """Slope, residual sum of squares and standard error of the slope."""
    dx, dy = x - x.mean(), y - y.mean()
    sxx = float(dx @ dx)
    slope = float(dx @ dy) / sxx
    residual = dy - slope * dx
    rss = float(residual @ residual)
    return slope, rss, math.sqrt(rss / (len(x) - 2) / sxx)


def _fixed(y: FloatArray, law: FloatArray) -> float:
    residual = y - np.log(law)
    residual = residual - residual.mean()
    return float(residual @ residual)


def _fit_row(rss: float, total: float, n: int, parameters: int) -> dict[str, Any]:
    """R² and AICc of a law; AICc counts the error variance as a parameter."""
    floor = max(rss, n * 1e-28)  # residuals below rounding are equally perfect
    k = parameters + 1
    correction = 2 * k * (k + 1) / (n - k - 1) if n > k + 1 else 0.0
    return {
        "r_squared": 1 - rss / total if total > 0 else None,
        "rmse_log": math.sqrt(rss / n),
        "aicc": n * math.log(floor / n) + 2 * k + correction,
    } | ({} if total > 0 else {"undefined": {"r_squared": "the cost does not vary"}})


def _best(table: dict[str, dict[str, Any]]) -> str:
    fixed = {k: v["aicc"] for k, v in table.items() if k in _LAWS}
    free = {k: v["aicc"] for k, v in table.items() if k not in _LAWS}
    named, other = min(fixed, key=fixed.__getitem__), min(free, key=free.__getitem__)
    return other if free[other] < fixed[named] - _MARGIN else named


class _Counted:
    """A number that counts how often it is compared."""

    __slots__ = ("tally", "value")

    def __init__(self, value: float, tally: list[int]) -> None:
        self.value, self.tally = value, tally

    def __lt__(self, other: _Counted) -> bool:
        self.tally[0] += 1
        return self.value < other.value


def _sort_comparisons(max_size: int, seed: int) -> tuple[FloatArray, FloatArray]:
    generator = random.Random(seed)  # the numbers sorted are arbitrary; only the seed matters
    sizes, counts = [], []
    size = 32
    while size <= max_size:
        tally = [0]
        sorted(_Counted(generator.random(), tally) for _ in range(size))
        sizes.append(float(size))
        counts.append(float(tally[0]))
        size *= 2
    return np.array(sizes), np.array(counts)
