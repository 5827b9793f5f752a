"""Reference values of GWR (statsmodels WLS at every place), centrality (networkx), box counting and Hurst (plain loops)."""

from __future__ import annotations

import math

import mpmath as mp
import networkx as nx
import numpy as np
import statsmodels
import statsmodels.api as sm
from _write import Cases

cases = Cases("spatial_stats", "statsmodels", statsmodels.__version__)
rng = np.random.default_rng(5)


def gwr(case_id: str, y: np.ndarray, columns: list[np.ndarray], coords: np.ndarray, bandwidth: float) -> None:
    """Weighted least squares at every place; AICc and the error variance from the hat matrix."""
    design = sm.add_constant(np.column_stack(columns))
    n = len(y)
    hat, beta = np.empty((n, n)), np.empty((n, design.shape[1]))
    unscaled = np.empty((n, design.shape[1]))
    for i in range(n):
        distance = np.hypot(*(coords - coords[i]).T)
        weight = np.exp(-((distance / bandwidth) ** 2) / 2)
        fit = sm.WLS(y, design, weights=weight).fit()
        beta[i] = fit.params
        solve = np.linalg.pinv(design * np.sqrt(weight)[:, None]) * np.sqrt(weight)
        hat[i] = design[i] @ solve
        unscaled[i] = (solve**2).sum(axis=1)
    rss = float(((y - hat @ y) ** 2).sum())
    trace = float(np.trace(hat))
    sigma2 = rss / (n - 2 * trace + float((hat**2).sum()))
    aicc = n * math.log(rss / n) + n * math.log(2 * math.pi) + n * (n + trace) / (n - 2 - trace)
    names = ["intercept"] + [f"x{j + 1}" for j in range(len(columns))]
    expect = {"aicc": aicc, "effective_parameters": trace, "residual_sum_of_squares": rss}
    ols = sm.OLS(y, design).fit()
    for j, name in enumerate(names):
        expect[f"terms.{name}.global_estimate"] = float(ols.params[j])
        for i in (0, n // 2, n - 1):
            expect[f"terms.{name}.local_estimates.{i}"] = float(beta[i, j])
            expect[f"terms.{name}.local_std_errors.{i}"] = float(math.sqrt(sigma2 * unscaled[i, j]))
    arguments = {
        "type": "gwr",
        "y": y.tolist(),
        "x": [c.tolist() for c in columns],
        "coords": coords.tolist(),
        "bandwidth": bandwidth,
    }
    cases.add(
        case_id, arguments, expect, "WLS(y, X, exp(-d^2/(2 h^2))) at each place; sums of the hat matrix", 1e-7
    )


place = np.round(rng.uniform(0, 10, (40, 2)), 3)
a, b = np.round(rng.normal(size=40), 3), np.round(rng.normal(5, 2, 40), 3)
out = np.round(2 + (0.5 + 0.2 * place[:, 0]) * a - 0.3 * b + rng.normal(0, 0.3, 40), 4)
gwr("gwr-two", out, [a, b], place, 3.0)
gwr("gwr-wide", out, [a], place, 50.0)
gwr("gwr-offset", out + 1e6, [a + 1000], place, 4.0)
cases.refuse(
    "gwr-same-place",
    {"type": "gwr", "y": [1, 2, 3, 4, 5, 6], "x": [[1, 3, 2, 5, 4, 6]], "coords": [[1, 1]] * 6},
    "constant",
    "no distance",
)
cases.refuse(
    "moran-constant",
    {"type": "morans_i", "x": [1, 1, 1, 1], "w": [[0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]},
    "zero_variance",
    "0/0",
)
cases.write("spatial_stats-gwr")

cases = Cases("structured_dynamic", "networkx", nx.__version__)


def graph(case_id: str, matrix: list[list[int]], directed: bool = False) -> None:
    g = nx.from_numpy_array(np.array(matrix), create_using=nx.DiGraph if directed else nx.Graph)
    tables = {
        "degree": nx.degree_centrality(g),
        "betweenness": nx.betweenness_centrality(g),
        "closeness": nx.closeness_centrality(g if not directed else g.reverse()),
    }
    if not directed and nx.is_connected(g):
        tables["eigenvector"] = nx.eigenvector_centrality_numpy(g)
    expect = {f"nodes.{i}.{k}": float(v[i]) for k, v in tables.items() for i in g.nodes}
    expect["density"] = float(nx.density(g))
    cases.add(
        case_id,
        {"type": "centrality", "adj": matrix},
        expect,
        "degree_, betweenness_, closeness_, eigenvector_centrality",
        1e-7,
    )


karate = nx.to_numpy_array(nx.karate_club_graph(), weight=None).astype(int).tolist()
graph("karate", karate)
graph("kite", nx.to_numpy_array(nx.krackhardt_kite_graph()).astype(int).tolist())
graph("two-parts", [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0]])
cases.write("structured_dynamic-centrality")

cases = Cases("structured_dynamic", "plain loops, mpmath", mp.__version__)


def boxes(case_id: str, img: np.ndarray) -> None:
    sizes = [2**k for k in range(12) if 2**k <= max(img.shape) // 2]
    counts = []
    for s in sizes:
        occupied = {(i // s, j // s) for i in range(img.shape[0]) for j in range(img.shape[1]) if img[i, j]}
        counts.append(len(occupied))
    fit = sm.OLS(np.log(counts), sm.add_constant(-np.log(sizes))).fit()
    expect = {"dimension": float(fit.params[1]), "r_squared": float(fit.rsquared)}
    expect |= {f"counts.{i}": c for i, c in enumerate(counts)}
    cases.add(
        case_id,
        {"type": "fractal", "img": img.tolist()},
        expect,
        "set of occupied boxes per size; OLS of the logs",
        1e-8,
    )
    cases.cases[-1]["atol"] = 1e-9


carpet = np.ones((1, 1), dtype=int)
for _ in range(3):
    carpet = np.block([[carpet, carpet, carpet], [carpet, carpet * 0, carpet], [carpet, carpet, carpet]])
boxes("sierpinski-carpet", carpet)
boxes("diagonal", np.eye(16, dtype=int))
boxes("uneven-edges", (rng.random((13, 9)) < 0.3).astype(int))
cases.refuse("empty-image", {"type": "fractal", "img": [[0] * 4] * 4}, "empty", "nothing to cover")


def hurst(case_id: str, x: list[float]) -> None:
    """R/S by explicit loops; the expectation of Anis and Lloyd in 30 digits."""
    n = len(x)
    windows = sorted({round(w) for w in np.geomspace(8, n // 2, 12)})
    profile = np.cumsum(np.asarray(x) - np.mean(x))

    def rs(w: int) -> float:
        values = []
        for start in range(0, n // w * w, w):
            piece = x[start : start + w]
            mean = math.fsum(piece) / w
            path, walk = [], 0.0
            for v in piece:
                walk += v - mean
                path.append(walk)
            values.append(
                (max(0.0, *path) - min(0.0, *path)) / math.sqrt(math.fsum((v - mean) ** 2 for v in piece) / w)
            )
        return math.fsum(values) / len(values)

    def expected(w: int) -> float:
        factor = mp.gamma(mp.mpf(w - 1) / 2) / (mp.sqrt(mp.pi) * mp.gamma(mp.mpf(w) / 2))
        return float(factor * mp.fsum(mp.sqrt(mp.mpf(w - i) / i) for i in range(1, w)))

    def fluctuation(w: int) -> float:
        squares = []
        for start in range(0, n // w * w, w):
            t = np.arange(w)
            residual = profile[start : start + w] - np.polyval(
                np.polyfit(t, profile[start : start + w], 1), t
            )
            squares += (residual**2).tolist()
        return math.sqrt(math.fsum(squares) / len(squares))

    logs = np.log(windows)
    raw = float(np.polyfit(logs, np.log([rs(w) for w in windows]), 1)[0])
    shift = float(np.polyfit(logs, np.log([expected(w) for w in windows]), 1)[0])
    expect = {
        "rs_multi_window": raw,
        "hurst": raw - shift + 0.5,
        "rs_one_window": math.log(rs(n)) / math.log(n),
        "dfa": float(np.polyfit(logs, np.log([fluctuation(w) for w in windows]), 1)[0]),
    }
    cases.add(
        case_id, {"type": "hurst", "data": x}, expect, "R/S and DFA by loops; E(R/S) of Anis & Lloyd", 1e-8
    )


hurst("noise", [round(float(v), 5) for v in rng.normal(size=512)])
hurst("walk", [round(float(v), 5) for v in np.cumsum(rng.normal(size=300))])
hurst("ties", [float(v) for v in rng.integers(0, 3, 200)])
cases.refuse("hurst-constant", {"type": "hurst", "data": [2.0] * 40}, "zero_variance", "0/0")
cases.write("structured_dynamic-fractal-hurst")
