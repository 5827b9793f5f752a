"""Independent component analysis by symmetric FastICA: mixing and unmixing matrices, sources, their non-normality."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import ColumnSet, Components, FloatArray, NameList, Seed
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._columns import centred, column_names, refuse_constant, signs

__all__ = ["independent_components"]

_EPS = float(np.finfo(np.float64).eps)
_ITERATIONS = 2000
_TOLERANCE = 1e-13
_STARTS = 5
_LIST_LIMIT = 20_000
# E log cosh(Z) for a standard normal Z, by which negentropy is measured.
_NORMAL_LOG_COSH = 0.374567207491438

declare_tool(
    "signal_processing",
    title="Signal separation",
    summary="Separates mixed signals into the sources they are made of.",
    chooser="type",
    default="ica",
)

Signals = Annotated[FloatArray, ColumnSet(min_n=4)]
SignalNames = Annotated[tuple[str, ...], NameList(of=("x",))]


@statistic(
    tool="signal_processing",
    subtype="ica",
    title="Independent component analysis",
    use_when="several recordings are mixtures of a few independent, non-normal sources",
    utterances=(
        "separate mixed signals",
        "independent component analysis",
        "blind source separation",
        "cocktail party problem",
        "FastICA of these channels",
    ),
    refs=(
        "Hyvärinen 1999, doi:10.1109/72.761722",
        "Hyvärinen & Oja 2000, doi:10.1016/S0893-6080(00)00026-5",
    ),
    oracle="sklearn.decomposition:FastICA",
    formula="x = A s + mean, s = W (x − mean); W maximises the non-normality of s (log cosh)",
    equivalents={
        "R": "fastICA::fastICA(x, k, alg.typ = 'parallel', fun = 'logcosh', tol = 1e-12)",
        "Python": "sklearn.decomposition.FastICA(k, whiten='unit-variance', random_state=0).fit(x)",
    },
    example={
        "x": [
            [1.0, 0.4, -0.8, 1.6, 0.1, -1.3, 0.9, 0.2, -1.1, 1.4, 0.0, -0.9, 1.2, 0.3, -1.4, 0.8],
            [0.2, 1.1, -0.3, 0.6, 1.3, -1.0, 0.1, 1.0, -0.6, 0.5, 0.9, -0.2, 0.4, 1.2, -0.9, 0.0],
        ],
        "k": 2,
        "var_names": ["left", "right"],
    },
)
def independent_components(
    x: Signals, k: Components | None = None, *, var_names: SignalNames | None = None, seed: Seed = 0
) -> Measures:
    """FastICA: k independent sources behind the columns, with the matrix that mixes and the one that unmixes.

    Parameters
    ----------
    x : the recorded signals, a list of columns.
    k : number of sources; as many as there are columns when absent.
    var_names : names of the columns in the result.
    seed : seed of the starting rotations.

    Returns
    -------
    Measures : mixing and unmixing matrix, sources, their kurtosis and negentropy.

    Raises
    ------
    InputError : more sources than columns, or too few rows.
    NotDefined : constant or linearly dependent columns, or no convergence.
    """
    n, p = x.shape
    names = column_names(var_names, p)
    k = min(p, 20) if k is None else k
    _refuse(n, p, k)
    refuse_constant(x, names, "Independent component analysis")
    white = _whiten(x, k)
    rotation, iterations = _rotate(white.data, seed)
    sources = white.data @ rotation.T
    unmixing = rotation @ white.forward
    mixing = white.backward @ rotation.T
    # The scaled sizes decide order and sign, so that neither depends on the units of a column.
    order, turn = _convention(mixing, white.scaled)
    sources, mixing, unmixing = (
        sources[:, order] * turn,
        mixing[:, order] * turn,
        unmixing[order] * turn[:, None],
    )
    labels = tuple(f"IC{j + 1}" for j in range(k))
    listed = n * k <= _LIST_LIMIT
    negentropy = (np.mean(_log_cosh(sources), axis=0) - _NORMAL_LOG_COSH) ** 2
    kurtosis = np.mean(sources**4, axis=0) - 3
    return Measures(
        method=f"Independent component analysis of {p} signals, {k} source{'s' if k != 1 else ''} "
        "(symmetric FastICA, log cosh)",
        quantities={
            "n": Quantity(n, Role.COUNT),
            "n_variables": Quantity(p, Role.COUNT),
            "k": Quantity(k, Role.COUNT),
            "mixing_matrix": Quantity(_table(names, labels, mixing), Role.COEFFICIENT),
            "unmixing_matrix": Quantity(_table(labels, names, unmixing), Role.COEFFICIENT),
            "means": Quantity(dict(zip(names, white.mean.tolist(), strict=True)), Role.MEAN),
            "excess_kurtosis": Quantity(dict(zip(labels, kurtosis.tolist(), strict=True)), Role.SHAPE),
            "negentropy": Quantity(dict(zip(labels, negentropy.tolist(), strict=True)), Role.VALUE),
            "proportion_kept": Quantity(white.share, Role.PROPORTION),
            "sources": Quantity(dict(zip(labels, sources.T.tolist(), strict=True)), Role.VALUE)
            if listed
            else None,
            "n_iterations": Quantity(iterations, Role.COUNT),
            "converged": True,
        },
        undefined={} if listed else {"sources": f"not listed for more than {_LIST_LIMIT} numbers"},
        seed=seed,
        conventions=(
            "sources have mean 0 and variance 1 (divisor n) and are uncorrelated",
            "column of x = mean + mixing_matrix · sources; sources = unmixing_matrix · (x − mean)",
            "sources in order of the variance they contribute; the largest entry of each mixing column is positive",
            "negentropy by (E log cosh s − E log cosh Z)²",
        ),
        warnings=_cautions(kurtosis, n),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _refuse(n: int, p: int, k: int) -> None:
    if k > p:
        raise InputError(
            f"{k} sources cannot be found in {p} signal{'s' if p != 1 else ''}.",
            hint=f"Ask for at most {p}.",
            where="k",
            code="out_of_range",
        )
    if n <= p + 1:
        raise InputError(
            f"{n} rows are too few for {p} signals; at least {p + 2} are needed.",
            hint="Give longer signals or fewer of them.",
            where="x",
            code="too_few_values",
        )


@dataclass(frozen=True)
class _White:
    """Uncorrelated data of unit variance, with the matrices to and from the data."""

    data: FloatArray  # n x k
    forward: FloatArray  # k x p: white = forward (x - mean)
    backward: FloatArray  # p x k
    scaled: FloatArray  # size of a unit of each column
    mean: FloatArray
    share: float  # of the variance that k components keep


def _whiten(x: FloatArray, k: int) -> _White:
    n, p = x.shape
    power = np.frexp(np.abs(x).max(axis=0))[1]
    if k < p:  # the choice of k directions depends on the common scale of the columns
        power = np.full(p, int(power.max()))
    z, mean = centred(np.ldexp(x, -power))
    spread = np.sqrt(np.mean(z * z, axis=0)) if k == p else np.full(p, float(np.sqrt(np.mean(z * z))))
    z = z / spread
    u, s, vt = np.linalg.svd(z, full_matrices=False)
    if not float(s[k - 1]) > 1e-10 * float(s[0]):
        raise NotDefined(
            f"Independent component analysis is undefined: the signals span fewer than {k} dimensions.",
            hint="Ask for fewer sources, or leave out signals that are sums or multiples of others.",
            where="x",
            code="singular",
        )
    turn = signs(vt.T)[:k]
    root = math.sqrt(n)
    unit = np.ldexp(spread, power)
    forward = (vt[:k] * turn[:, None]) * (root / s[:k])[:, None] / unit
    backward = (vt[:k].T * turn) * (s[:k] / root) * unit[:, None]
    return _White(u[:, :k] * turn * root, forward, backward, unit, np.ldexp(mean, power), _share(s, k))


def _share(s: FloatArray, k: int) -> float:
    squares = s**2
    return min(1.0, float(squares[:k].sum() / squares.sum()))


def _log_cosh(v: FloatArray) -> FloatArray:
    size = np.abs(v)
    out: FloatArray = size + np.log1p(np.exp(-2 * size)) - math.log(2)
    return out


def _orthogonal(w: FloatArray) -> FloatArray:
    u, _, vt = np.linalg.svd(w)
    out: FloatArray = u @ vt
    return out


def _rotate(z: FloatArray, seed: int) -> tuple[FloatArray, int]:
    """The rotation to the most non-normal directions; of several starts the one of largest negentropy.

    Raises
    ------
    NotDefined : no start converges.
    """
    n, k = z.shape
    if k == 1:
        return np.ones((1, 1)), 0
    rng = np.random.default_rng(seed)
    found: list[tuple[float, int, FloatArray, int]] = []
    for start in range(_STARTS):
        w = np.eye(k) if start == 0 else _orthogonal(rng.normal(size=(k, k)))
        for iteration in range(1, _ITERATIONS + 1):
            slope = np.tanh(z @ w.T)
            new = _orthogonal(slope.T @ z / n - np.mean(1 - slope**2, axis=0)[:, None] * w)
            change = float(np.max(np.abs(np.abs(np.einsum("ij,ij->i", new, w)) - 1)))
            w = new
            if change < _TOLERANCE:
                gain = float(np.sum((np.mean(_log_cosh(z @ w.T), axis=0) - _NORMAL_LOG_COSH) ** 2))
                found.append((-round(gain, 12), start, w, iteration))
                break
    if not found:
        raise NotDefined(
            f"FastICA did not converge from {_STARTS} starts of {_ITERATIONS} steps.",
            hint="The sources may be normal, or too many for these rows; ask for fewer.",
            where="x",
            code="no_convergence",
        )
    best = min(found, key=lambda item: item[:2])
    return best[2], best[3]


def _convention(mixing: FloatArray, unit: FloatArray) -> tuple[Any, FloatArray]:
    """Order by contributed variance (in units of the columns' spread), and signs."""
    relative = mixing / unit[:, None]
    size = np.round(np.sum(relative**2, axis=0), 10)
    order = np.lexsort((np.arange(size.size), -size))
    return order, signs(relative[:, order])


def _table(
    rows: tuple[str, ...], columns: tuple[str, ...], values: FloatArray
) -> dict[str, dict[str, float]]:
    return {
        row: dict(zip(columns, line, strict=True)) for row, line in zip(rows, values.tolist(), strict=True)
    }


def _cautions(kurtosis: FloatArray, n: int) -> tuple[str, ...]:
    near = int((np.abs(kurtosis) < 2 * math.sqrt(24 / n)).sum())
    said = (
        f"{near} sources have the kurtosis of a normal distribution within its sampling error: normal sources "
        "cannot be told apart by any rotation."
    )
    return (said,) if near > 1 else ()
