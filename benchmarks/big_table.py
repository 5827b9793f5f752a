"""A CSV file of ten million rows: load it, compare two groups, fit five predictors; ours beside pandas, SciPy, statsmodels.

    python benchmarks/big_table.py [--rows 10000000] [--repeat 3] [--write]

Each side runs in a process of its own and reports its time and its peak memory; they take turns, and the medians
are compared. `--write` puts the figures into docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- big table: begin -->", "<!-- big table: end -->"
PREDICTORS = ["x1", "x2", "x3", "x4", "x5"]
MOST_TIME, MOST_MEMORY = 0.5, 2.0

OURS = """
import json, resource, sys, time
start = time.perf_counter()
from statistikles.tools.workspace import Workspace
work = Workspace(sys.argv[1])
loaded = time.perf_counter()
t = work.execute("t_test", {"type": "independent", "groups": {"column": "y", "by": "group"}}).result
tested = time.perf_counter()
fit = work.execute("regression", {"x": ["x1", "x2", "x3", "x4", "x5"], "y": "y"}).result
done = time.perf_counter()
numbers = [t["statistic"], t["df"], t["estimate"], fit["r_squared"], fit["statistic"]]
for term in fit["terms"].values():
    numbers += [term["estimate"], term["std_error"], term["statistic"]]
"""
PEER = """
import json, resource, sys, time
start = time.perf_counter()
import pandas, scipy.stats, statsmodels.api
frame = pandas.read_csv(sys.argv[1])
loaded = time.perf_counter()
first, second = (frame["y"][frame["group"] == g] for g in ("control", "treated"))
t = scipy.stats.ttest_ind(first, second, equal_var=False)
tested = time.perf_counter()
fit = statsmodels.api.OLS(frame["y"], statsmodels.api.add_constant(frame[["x1", "x2", "x3", "x4", "x5"]])).fit()
fit.summary()
done = time.perf_counter()
numbers = [t.statistic, t.df, first.mean() - second.mean(), fit.rsquared, fit.fvalue]
for name in fit.params.index:
    numbers += [fit.params[name], fit.bse[name], fit.tvalues[name]]
"""
REPORT = """
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps({
    "times": [loaded - start, tested - loaded, done - tested, done - start],
    "peak": used.ru_maxrss * 1024 / 1e9,
    "processor": used.ru_utime + used.ru_stime,
    "numbers": [float(v) for v in numbers],
}))
"""


def make(path: Path, rows: int) -> None:
    """A group column, an outcome, five predictors with six decimals; the same for the same number of rows."""
    import duckdb
    import numpy as np

    rng = np.random.default_rng(20)
    columns = {name: rng.normal(0, 1, rows) for name in PREDICTORS}
    group = rng.integers(0, 2, rows)
    y = 3 + 0.2 * group + sum(0.1 * (i + 1) * columns[n] for i, n in enumerate(PREDICTORS))
    y = y + rng.normal(0, 1 + 0.3 * group)
    names = np.array(["control", "treated"], dtype=object)[group]
    source = {"group": names, "y": y.round(6), **{n: v.round(6) for n, v in columns.items()}}
    with duckdb.connect() as con:
        con.register("source", source)
        con.execute(f"COPY (SELECT * FROM source) TO '{path}' (HEADER)")


def run(code: str, path: Path) -> dict[str, list[float] | float]:
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code + REPORT, str(path)], env=env, check=True, capture_output=True, text=True
    )
    return dict(json.loads(done.stdout))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "big.csv"
        # In a process of its own, so that its memory is nobody's.
        made = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import big_table, pathlib; "
        subprocess.run(
            [sys.executable, "-c", f"{made}big_table.make(pathlib.Path({str(path)!r}), {args.rows})"],
            check=True,
        )
        size = path.stat().st_size / 1e6
        ours, peer = [], []
        for _ in range(args.repeat):
            ours.append(run(OURS, path))
            peer.append(run(PEER, path))
    text, kept = report(args.rows, size, ours, peer)
    print(text)
    if args.write:
        page = PAGE.read_text(encoding="utf-8")
        head, rest = page.split(BEGIN)
        PAGE.write_text(f"{head}{BEGIN}\n```\n{text}\n```\n{END}{rest.split(END)[1]}", encoding="utf-8")
    return 0 if kept else 1


def report(rows: int, size: float, ours: list[dict], peer: list[dict]) -> tuple[str, bool]:
    """The table of medians, and whether both limits were kept."""
    lines = [f"{rows:,} rows, {size:.0f} MB, {os.cpu_count()} cores, median of {len(ours)} runs in turn", ""]
    lines.append(f"{'':34s}{'ours, s':>10s}{'peer, s':>10s}{'ratio':>8s}")
    ratio = 0.0
    for i, name in enumerate(
        ("load", "Welch t by group", "regression on 5", "all, start of Python excluded")
    ):
        a, b = (statistics.median(r["times"][i] for r in side) for side in (ours, peer))
        ratio = a / b
        lines.append(f"{name:34s}{a:10.2f}{b:10.2f}{ratio:8.2f}")
    used = [statistics.median(r["processor"] for r in side) for side in (ours, peer)]
    lines.append(f"{'processor time, no limit':34s}{used[0]:10.2f}{used[1]:10.2f}{used[0] / used[1]:8.2f}")
    peak, other = (max(r["peak"] for r in side) for side in (ours, peer))
    worst = max(abs(a - b) / abs(b) for a, b in zip(ours[0]["numbers"], peer[0]["numbers"], strict=True))
    alike = all(r["numbers"] == ours[0]["numbers"] for r in ours)
    fast, small = ratio <= MOST_TIME, peak < MOST_MEMORY
    lines += [
        f"{'peak memory, GB':34s}{peak:10.2f}{other:10.2f}{peak / other:8.2f}",
        "",
        (
            f"time at most {MOST_TIME} of theirs: {'kept' if fast else 'MISSED'}; "
            f"memory under {MOST_MEMORY:.0f} GB: {'kept' if small else 'MISSED'}"
        ),
        (
            f"largest relative difference of {len(ours[0]['numbers'])} numbers: {worst:.1e}; "
            f"ours the same in every run: {'yes' if alike else 'NO'}"
        ),
    ]
    return "\n".join(lines), fast and small


if __name__ == "__main__":
    raise SystemExit(main())
