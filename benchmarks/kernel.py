"""Speed of the kernel's plain functions on NumPy arrays, beside what a user would otherwise call, in one run.

Both sides of a comparison run in turn and their medians are divided, so that a busy machine slows both. The growth
table times each at three sizes. `--cpu` counts processor seconds instead: on a machine that others use too, wall time
says more about them. pingouin and scikit-bio are needed here only.

Run: OMP_NUM_THREADS=1 python benchmarks/kernel.py [--quick] [--cpu] [NAME ...]
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
from scipy import stats as scipy_stats

import statistikles.stats as kernel

Run = Callable[[], Any]
Maker = Callable[[int, np.random.Generator], tuple[Run, Run | None]]


@dataclass(frozen=True)
class Case:
    """One comparison: what is run, at which sizes, and what must hold at the size that is asked about."""

    name: str
    asked: int
    sizes: tuple[int, int, int]
    make: Maker
    peer: str = ""
    most_ratio: float | None = None
    most_seconds: float | None = None
    repetitions: int = 7


def welch(n: int, rng: np.random.Generator) -> tuple[Run, Run]:
    import pingouin

    x, y = rng.normal(size=n), rng.normal(0.1, 1.2, size=n)
    return lambda: kernel.welch_t(x, y), lambda: pingouin.ttest(x, y, correction=True)


def mann_whitney(n: int, rng: np.random.Generator) -> tuple[Run, Run]:
    import pingouin

    x, y = rng.normal(size=n), rng.normal(0.1, 1.2, size=n)
    return lambda: kernel.mann_whitney(x, y), lambda: pingouin.mwu(x, y)


def describing(n: int, rng: np.random.Generator) -> tuple[Run, Run]:
    x = rng.normal(100.0, 15.0, size=n)

    def peer() -> Any:
        return scipy_stats.describe(x), np.percentile(x, [25, 50, 75])

    return lambda: kernel.describe(x, detail="core"), peer


def bootstrapping(n: int, rng: np.random.Generator) -> tuple[Run, Run]:
    x = rng.exponential(size=n)

    def peer() -> Any:
        return scipy_stats.bootstrap((x,), np.mean, n_resamples=10_000, method="BCa", rng=1)

    return lambda: kernel.bootstrap(x, statistic="mean", n_reps=10_000, seed=1), peer


def permuting(n: int, rng: np.random.Generator) -> tuple[Run, Run]:
    from skbio import DistanceMatrix
    from skbio.stats.distance import permanova

    points = rng.normal(size=(n, 5))
    distances = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    labels = [f"g{i % 3}" for i in range(n)]
    matrix = DistanceMatrix(distances)
    return (
        lambda: kernel.permanova(distances, group_labels=labels, n_permutations=999, seed=1),
        lambda: permanova(matrix, labels, permutations=999),
    )


def regressing(n: int, rng: np.random.Generator) -> tuple[Run, Run]:
    x = rng.normal(size=(n, 20))
    y = x @ rng.normal(size=20) + rng.normal(size=n)

    def peer() -> Any:
        return np.linalg.lstsq(np.column_stack((np.ones(n), x)), y, rcond=None)

    return lambda: kernel.linear_regression(x, y), peer


def exact_ranks(n: int, rng: np.random.Generator) -> tuple[Run, None]:
    x, y = rng.normal(size=n), rng.normal(0.4, 1.0, size=n)
    return lambda: kernel.mann_whitney(x, y, method="exact"), None


def exact_table(n: int, _: np.random.Generator) -> tuple[Run, None]:
    """The table of 3 x 4 cells whose margins are as equal as can be: it has the most companions to count."""
    table = np.full(12, n // 12)
    table[: n % 12] += 1
    table = table.reshape(3, 4)
    table[0, 0] += 1
    table[1, 0] -= 1
    return lambda: kernel.chi_square_independence(table), None


def warping(n: int, rng: np.random.Generator) -> tuple[Run, None]:
    a, b = rng.normal(size=n).cumsum(), rng.normal(size=n).cumsum()
    return lambda: kernel.dynamic_time_warping(a, b), None


CASES = (
    Case("Welch t, 2 x n", 1000, (100, 1000, 10_000), welch, "pingouin.ttest", 0.5, repetitions=51),
    Case("Mann-Whitney, 2 x n", 1000, (100, 1000, 10_000), mann_whitney, "pingouin.mwu", 0.5, repetitions=31),
    Case(
        "describe, core, n", 10_000_000, (100_000, 1_000_000, 10_000_000), describing,
        "scipy.stats.describe + np.percentile", 1.0, repetitions=5,
    ),
    Case("BCa of a mean, n, 10,000 reps", 1000, (100, 300, 1000), bootstrapping, "scipy.stats.bootstrap", 0.5),
    Case(
        "PERMANOVA, n, 999 permutations", 500, (125, 250, 500), permuting,
        "skbio.stats.distance.permanova", 0.5,
    ),
    Case("regression, n x 20", 100_000, (1000, 10_000, 100_000), regressing, "np.linalg.lstsq", 1.5),
    Case("exact Mann-Whitney, n + n", 50, (12, 25, 50), exact_ranks, most_seconds=1.0),
    Case("exact Fisher, 3 x 4, n", 40, (20, 30, 40), exact_table, most_seconds=1.0),
    Case("DTW, n x n", 2000, (500, 1000, 2000), warping, most_seconds=1.0),
)  # fmt: skip


Clock = Callable[[], float]


def seconds(run: Run, clock: Clock, calls: int) -> float:
    """Seconds of one call, on average over `calls`."""
    start = clock()
    for _ in range(calls):
        run()
    return (clock() - start) / calls


def enough(run: Run) -> int:
    """Calls that together take long enough for the clock."""
    run()
    return max(1, round(0.02 / max(1e-6, seconds(run, time.perf_counter, 1))))


def medians(ours: Run, peer: Run | None, repetitions: int, clock: Clock) -> tuple[float, float]:
    """Median seconds of both sides, run in turn after a first call that does not count."""
    mine = enough(ours)
    if peer is None:
        return statistics.median(seconds(ours, clock, mine) for _ in range(repetitions)), math.nan
    other = enough(peer)
    pairs = [(seconds(ours, clock, mine), seconds(peer, clock, other)) for _ in range(repetitions)]
    return statistics.median(p[0] for p in pairs), statistics.median(p[1] for p in pairs)


def compared(case: Case, repetitions: int, clock: Clock) -> bool:
    """Print the row of a case; whether it keeps what must hold."""
    ours, peer = case.make(case.asked, np.random.default_rng(20240501))
    mine, other = medians(ours, peer, repetitions, clock)
    if case.most_ratio is None:
        held = mine <= (case.most_seconds or math.inf)
        shown = f"{'-':>10}  {'-':>7}  <= {case.most_seconds:g} s"
    else:
        held = mine / other <= case.most_ratio
        shown = f"{1000 * other:>10.2f}  {mine / other:>7.2f}  <= {case.most_ratio:g}"
    name = f"{case.name} (n = {case.asked:,})"
    print(f"{name:52s}{1000 * mine:>10.2f}  {shown:22s} {'kept' if held else 'MISSED':7s} {case.peer}")
    return held


def growth(case: Case, repetitions: int, clock: Clock) -> None:
    times = []
    for size in case.sizes:
        ours, _ = case.make(size, np.random.default_rng(20240501))
        times.append(medians(ours, None, max(3, repetitions // 3), clock)[0])
    steps = [
        math.log(times[i + 1] / times[i]) / math.log(case.sizes[i + 1] / case.sizes[i]) for i in range(2)
    ]
    cells = "".join(f"{f'{n:,}: {1000 * t:.2f} ms':>24s}" for n, t in zip(case.sizes, times, strict=True))
    print(f"{case.name:34s}{cells}   exponents {steps[0]:.2f}, {steps[1]:.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Speed of the kernel beside its peers.")
    parser.add_argument("names", nargs="*", help="cases whose name contains one of these; all when absent")
    parser.add_argument("--quick", action="store_true", help="three repetitions each, for a look")
    parser.add_argument("--cpu", action="store_true", help="processor seconds instead of wall time")
    options = parser.parse_args()
    clock = time.process_time if options.cpu else time.perf_counter
    warnings.simplefilter("ignore")
    chosen = [
        c for c in CASES if not options.names or any(n.casefold() in c.name.casefold() for n in options.names)
    ]
    packages = ("numpy", "scipy", "pingouin", "scikit-bio", "pandas")
    print(f"Python {platform.python_version()}, {', '.join(f'{p} {version(p)}' for p in packages)}")
    counted = "processor" if options.cpu else "wall"
    threads = os.environ.get("OMP_NUM_THREADS", "not set")
    print(f"{counted} time, {os.cpu_count()} cores, OMP_NUM_THREADS={threads}\n")
    print(f"{'case':52s}{'ours, ms':>10s}  {'peer, ms':>10s}  {'ratio':>7s}  {'at most':13s}")
    held = [compared(case, 3 if options.quick else case.repetitions, clock) for case in chosen]
    print("\nHow the time grows:")
    for case in chosen:
        growth(case, 3 if options.quick else case.repetitions, clock)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
