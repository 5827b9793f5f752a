"""Structure and dynamics: centrality in graphs, box-counting dimension, and the Hurst exponent."""

from __future__ import annotations

import math
from collections import deque
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import ConfLevel, FloatArray, MatrixOf, NameList, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._distributions import t_isf
from statistikles.stats._numerics import moments

__all__ = ["box_counting", "centrality", "hurst_exponent"]

_MAX_NODES = 3000
_MIN_WINDOW = 8

declare_tool(
    "structured_dynamic",
    title="Graphs, fractals and long memory",
    summary="Centrality of nodes, box-counting dimension of a pattern, and long memory of a series.",
    chooser="type",
)


@statistic(
    tool="structured_dynamic",
    subtype="centrality",
    title="Node centrality",
    use_when="a graph given by its adjacency matrix",
    utterances=("which node is most central", "betweenness", "degree centrality", "network centrality"),
    refs=(
        "Freeman 1978, doi:10.1016/0378-8733(78)90021-7",
        "Brandes 2001, doi:10.1080/0022250X.2001.9990249",
    ),
    formula="degree/(n − 1); betweenness: shortest paths through a node; closeness: (r/(n−1))·r/Σd over r reachable nodes",
    equivalents={"R": "igraph::betweenness(g)", "Python": "networkx.betweenness_centrality(g)"},
    example={"adj": [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]},
)
def centrality(
    adj: Annotated[FloatArray, MatrixOf(square=True, low=0.0)],
    *,
    node_names: Annotated[tuple[str, ...], NameList()] | None = None,
) -> Measures:
    """Degree, betweenness, closeness and eigenvector centrality of every node.

    Parameters
    ----------
    adj : adjacency matrix; entry (i, j) above zero is an edge from i to j. A symmetric matrix is an undirected graph.
    node_names : names of the nodes.

    Returns
    -------
    Measures : per node degree (in- and out-degree of a directed graph), betweenness, closeness and eigenvector
        centrality, and the density of the graph.

    Raises
    ------
    InputError : fewer than two nodes, more than 3000, or other numbers of names than nodes.
    """
    n = adj.shape[0]
    if not 2 <= n <= _MAX_NODES:
        raise InputError(
            f"The graph has {n} nodes; 2 to {_MAX_NODES} are possible.", where="adj", code="out_of_range"
        )
    names = node_names or tuple(str(i) for i in range(n))
    if len(names) != n:
        raise InputError(
            f"There are {n} nodes but {len(names)} names.", where="node_names", code="length_mismatch"
        )
    edges = adj > 0
    loops = int(np.trace(edges))
    np.fill_diagonal(edges, False)
    directed = bool((edges != edges.T).any())
    neighbours = [np.flatnonzero(row).tolist() for row in edges]
    between, near = _shortest_paths(neighbours, n)
    vector, reason = _eigenvector(edges)
    nodes: dict[str, dict[str, Any]] = {}
    for i, name in enumerate(names):
        incoming, outgoing = int(edges[:, i].sum()), int(edges[i].sum())
        degree = incoming + outgoing if directed else outgoing
        entry: dict[str, Any] = {"degree": degree / (n - 1), "n_edges": degree}
        if directed:
            entry |= {"in_degree": incoming / (n - 1), "out_degree": outgoing / (n - 1)}
        entry |= {"betweenness": between[i], "closeness": near[i]}
        entry["eigenvector"] = None if vector is None else float(vector[i])
        if vector is None:
            entry["undefined"] = {"eigenvector": reason}
        nodes[name] = entry
    return Measures(
        method="Node centrality",
        quantities={
            "nodes": nodes,
            "n": Quantity(n, Role.COUNT),
            "n_edges": Quantity(int(edges.sum()) if directed else int(edges.sum()) // 2, Role.COUNT),
            "density": Quantity(float(edges.sum()) / (n * (n - 1)), Role.PROPORTION),
            "directed": directed,
        },
        conventions=(
            "edges are counted, not weighed",
            "betweenness is divided by the number of pairs of other nodes",
            "closeness uses incoming paths and is scaled by the share of nodes reachable (Wasserman–Faust)",
            "the eigenvector has length 1 and is not negative",
        ),
        warnings=(f"{loops} self-loops were ignored.",) if loops else (),
    )


def _shortest_paths(neighbours: list[list[int]], n: int) -> tuple[list[float], list[float]]:
    """Normalised betweenness (Brandes) and closeness, by breadth-first search from every node."""
    between, reached, far = [0.0] * n, [0] * n, [0] * n
    for source in range(n):
        order: list[int] = []
        before: list[list[int]] = [[] for _ in range(n)]
        paths, depth = [0] * n, [-1] * n
        paths[source], depth[source] = 1, 0
        queue = deque([source])
        while queue:
            node = queue.popleft()
            order.append(node)
            for other in neighbours[node]:
                if depth[other] < 0:
                    depth[other] = depth[node] + 1
                    queue.append(other)
                if depth[other] == depth[node] + 1:
                    paths[other] += paths[node]
                    before[other].append(node)
        for node in order[1:]:
            reached[node] += 1
            far[node] += depth[node]
        dependence = [0.0] * n
        for node in reversed(order):
            for previous in before[node]:
                dependence[previous] += paths[previous] / paths[node] * (1 + dependence[node])
            if node != source:
                between[node] += dependence[node]
    pairs = (n - 1) * (n - 2)
    close = [r / d * r / (n - 1) if d else 0.0 for r, d in zip(reached, far, strict=True)]
    # An undirected graph counts each pair from both ends, as the divisor (n − 1)(n − 2) does.
    return [b / pairs if pairs else 0.0 for b in between], close


def _eigenvector(edges: NDArray[np.bool_]) -> tuple[FloatArray | None, str]:
    """Non-negative eigenvector of the largest eigenvalue (incoming edges), None when it is not unique."""
    values, vectors = np.linalg.eig(edges.T.astype(np.float64))
    order = np.argsort(-values.real)
    top = values[order[0]].real
    if top <= 1e-9:
        return None, "the graph has no cycle of edges, so the largest eigenvalue is zero"
    if len(values) > 1 and abs(values[order[1]] - values[order[0]]) < 1e-9 * top:
        return None, "the graph falls into parts with the same largest eigenvalue"
    vector = vectors[:, order[0]].real
    vector = vector * np.sign(vector[np.abs(vector).argmax()])
    return np.where(np.abs(vector) < 1e-12, 0.0, vector) / np.linalg.norm(vector), ""


@statistic(
    tool="structured_dynamic",
    subtype="fractal",
    title="Box-counting dimension",
    use_when="a binary image (rows of 0 and 1)",
    utterances=("fractal dimension", "box counting", "how space-filling is the pattern"),
    refs=(
        "Falconer 2014, Fractal Geometry, 3rd ed.",
        "Liebovitch & Toth 1989, doi:10.1016/0375-9601(89)90854-2",
    ),
    formula="slope of log N(s) on log(1/s), s = 1, 2, 4, ...",
    example={
        "img": [
            [1, 0, 0, 0, 0, 0, 0, 1],
            [0, 1, 0, 0, 0, 0, 1, 0],
            [0, 0, 1, 0, 0, 1, 0, 0],
            [0, 0, 0, 1, 1, 0, 0, 0],
            [0, 0, 0, 1, 1, 0, 0, 0],
            [0, 0, 1, 0, 0, 1, 0, 0],
            [0, 1, 0, 0, 0, 0, 1, 0],
            [1, 0, 0, 0, 0, 0, 0, 1],
        ]
    },
    aliases=("box_counting",),
)
def box_counting(
    img: Annotated[FloatArray, MatrixOf(low=0.0, high=1.0, whole=True)], *, conf_level: ConfLevel = 0.95
) -> Measures:
    """Box-counting dimension of the ones in a binary image, by regression over box sizes.

    Parameters
    ----------
    img : rows of 0 and 1, at least 4 by 4.
    conf_level : confidence level of the interval of the slope.

    Returns
    -------
    Measures : dimension with standard error, R² of the regression, and the count at every box size.

    Raises
    ------
    InputError : an image smaller than 4 by 4, or values other than 0 and 1.
    NotDefined : no ones.
    """
    if min(img.shape) < 4:
        raise InputError(
            "The image must have at least 4 rows and 4 columns.", where="img", code="too_few_values"
        )
    filled = img > 0
    if not filled.any():
        raise NotDefined("The image holds no ones, so there is nothing to cover.", code="empty")
    sizes, counts = [], []
    size = 1
    while size <= max(img.shape) // 2:
        sizes.append(size)
        counts.append(_boxes(filled, size))
        size *= 2
    fit = _slope(-np.log(sizes), np.log(counts), conf_level)
    return Measures(
        method="Box-counting dimension",
        quantities={
            "dimension": Quantity(fit.pop("slope"), Role.ESTIMATE),
            **fit,
            "sizes": sizes,
            "counts": Quantity(counts, Role.COUNT),
            "n_ones": Quantity(int(filled.sum()), Role.COUNT),
        },
        undefined=fit.pop("undefined", {}),
        conventions=(
            "box sizes are powers of two up to half the longer side",
            "boxes at the edges are completed with zeros",
            "grid anchored at the first pixel",
        ),
        warnings=("Fewer than four box sizes: the slope is poorly determined.",) if len(sizes) < 4 else (),
    )


def _boxes(filled: NDArray[np.bool_], size: int) -> int:
    rows, columns = (math.ceil(d / size) * size for d in filled.shape)
    padded = np.zeros((rows, columns), dtype=bool)
    padded[: filled.shape[0], : filled.shape[1]] = filled
    return int(padded.reshape(rows // size, size, columns // size, size).any(axis=(1, 3)).sum())


def _slope(x: FloatArray, y: FloatArray, level: float) -> dict[str, Any]:
    """Least-squares slope with standard error, interval and R²; the error needs three points."""
    dx, dy = x - x.mean(), y - y.mean()
    sxx, syy = float(dx @ dx), float(dy @ dy)
    slope = float(dx @ dy) / sxx
    rss = float(((dy - slope * dx) ** 2).sum())
    out: dict[str, Any] = {"slope": slope}
    undefined = {}
    if syy > 0:
        out["r_squared"] = Quantity(max(0.0, 1 - rss / syy), Role.DETERMINATION)
    else:
        out["r_squared"], undefined["r_squared"] = None, "the counts do not vary"
    if len(x) > 2:
        error = math.sqrt(rss / (len(x) - 2) / sxx)
        reach = t_isf((1 - level) / 2, len(x) - 2) * error
        out |= {
            "std_error": error,
            "conf_low": slope - reach,
            "conf_high": slope + reach,
            "conf_level": level,
        }
    return out | ({"undefined": undefined} if undefined else {})


@statistic(
    tool="structured_dynamic",
    subtype="hurst",
    title="Hurst exponent",
    use_when="a stationary series in time order that may have long memory",
    utterances=(
        "Hurst exponent",
        "long memory",
        "is the series persistent",
        "detrended fluctuation analysis",
    ),
    refs=(
        "Hurst 1951, doi:10.1061/TACEAT.0006518",
        "Anis & Lloyd 1976, doi:10.1093/biomet/63.1.111",
        "Peng et al. 1994, doi:10.1103/PhysRevE.49.1685",
    ),
    formula="slope of log mean(R/S) on log window, minus that of its expectation under independence, plus ½",
    example={"data": [round(math.sin(0.7 * i * i) + 0.3 * math.cos(i), 4) for i in range(64)]},
    laws=("shift_invariant", "scale_invariant"),
)
def hurst_exponent(
    data: Annotated[FloatArray, Vector(min_n=32)], *, conf_level: ConfLevel = 0.95
) -> Measures:
    """Hurst exponent by rescaled range over many windows with the Anis–Lloyd correction (leads), and by DFA.

    Parameters
    ----------
    data : the series in time order, at least 32 values.
    conf_level : confidence level of the intervals of the regression slopes.

    Returns
    -------
    Measures : hurst (corrected R/S), the uncorrected multi-window and the one-window value, and the exponent of
        detrended fluctuation analysis; 0.5 means no memory.

    Raises
    ------
    NotDefined : a series that is constant, also within all windows of a size.
    """
    m = moments(data)
    if m.minimum == m.maximum:
        raise NotDefined("The Hurst exponent is undefined: every value is the same.", code="zero_variance")
    x = (data - m.mean) / max(abs(m.maximum - m.mean), abs(m.minimum - m.mean))
    n = len(x)
    windows = sorted({round(w) for w in np.geomspace(_MIN_WINDOW, n // 2, 12)})
    ratios = np.array([_rescaled_range(x, w) for w in windows])
    logs = np.log(np.array(windows, dtype=float))
    raw = _slope(logs, np.log(ratios), conf_level)
    expected = _slope(logs, np.log([_expected_range(w) for w in windows]), conf_level)["slope"]
    fluctuation = np.array([_fluctuation(np.cumsum(x - x.mean()), w) for w in windows])
    if (fluctuation <= 0).any():
        raise NotDefined(
            "The series is a straight line within its windows; DFA is undefined.", code="perfect_fit"
        )
    dfa = _slope(logs, np.log(fluctuation), conf_level)
    return Measures(
        method="Hurst exponent (rescaled range, Anis–Lloyd corrected)",
        quantities={
            "hurst": Quantity(raw["slope"] - expected + 0.5, Role.ESTIMATE),
            "rs_multi_window": raw["slope"],
            "rs_std_error": raw["std_error"],
            "rs_r_squared": raw["r_squared"],
            "rs_one_window": math.log(_rescaled_range(x, n)) / math.log(n),
            "dfa": dfa["slope"],
            "dfa_std_error": dfa["std_error"],
            "dfa_r_squared": dfa["r_squared"],
            "windows": windows,
            "n": Quantity(n, Role.COUNT),
        },
        conventions=(
            f"{len(windows)} window sizes from {_MIN_WINDOW} to half the series, whole windows from the start",
            "R/S with the divisor w; one-window value is log(R/S)/log(n)",
            "DFA of order 1",
        ),
        warnings=("Fewer than 256 values: the exponent is uncertain.",) if n < 256 else (),
    )


def _rescaled_range(x: FloatArray, window: int) -> float:
    pieces = x[: len(x) // window * window].reshape(-1, window)
    centred = pieces - pieces.mean(axis=1, keepdims=True)
    path = np.cumsum(centred, axis=1)
    spread = np.maximum(path.max(axis=1), 0) - np.minimum(path.min(axis=1), 0)
    sd = np.sqrt((centred**2).mean(axis=1))
    usable = sd > 1e-12
    if not usable.any():
        raise NotDefined(f"The series is constant within every window of {window}.", code="zero_variance")
    return float((spread[usable] / sd[usable]).mean())


def _expected_range(window: int) -> float:
    """E(R/S) of independent normal values (Anis & Lloyd 1976)."""
    sizes = np.arange(1, window)
    tail = math.fsum(np.sqrt((window - sizes) / sizes))
    log_ratio = math.lgamma((window - 1) / 2) - math.lgamma(window / 2)
    return math.exp(log_ratio) / math.sqrt(math.pi) * tail


def _fluctuation(profile: FloatArray, window: int) -> float:
    """Root mean square of the profile around a line fitted in each window."""
    pieces = profile[: len(profile) // window * window].reshape(-1, window)
    t = np.arange(window) - (window - 1) / 2
    centred = pieces - pieces.mean(axis=1, keepdims=True)
    slopes = centred @ t / (t @ t)
    return math.sqrt(float(((centred - slopes[:, None] * t) ** 2).mean()))
