"""Non-classical probability: tropical products and eigenvalues, the CHSH Bell test, and the Choquet integral."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Any

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    FloatArray,
    NameList,
    NumberMap,
    ScalarNumber,
    StructureKind,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role, SignificanceTest
from statistikles.stats._distributions import norm_isf, norm_sf

__all__ = ["bell_test", "choquet_integral", "tropical_dot", "tropical_eigenvalue"]

Numbers = Annotated[FloatArray, Vector(min_n=1)]
_MAX_NODES = 400

declare_tool(
    "non_classical_prob",
    title="Non-classical probability",
    summary="Tropical (min-plus) algebra, the CHSH Bell test, and integration over non-additive capacities.",
    chooser="type",
)


@statistic(
    tool="non_classical_prob",
    subtype="tropical_dot",
    title="Tropical dot product",
    use_when="two vectors of costs, of which the cheapest pairing by position is wanted",
    utterances=("min-plus product", "tropical dot product"),
    refs=("Maclagan & Sturmfels 2015, doi:10.1090/gsm/161",),
    formula="min-plus: min(v1ᵢ + v2ᵢ); max-plus: max(v1ᵢ + v2ᵢ)",
    equivalents={"R": "min(v1 + v2)", "Python": "np.min(v1 + v2)"},
    example={"v1": [3.0, 1.0, 4.0], "v2": [2.0, 5.0, 1.0]},
    aligned=(("v1", "v2"),),
    laws=("order_invariant",),
)
def tropical_dot(v1: Numbers, v2: Numbers) -> Measures:
    """Tropical dot product of two vectors; min-plus leads, max-plus beside it.

    Parameters
    ----------
    v1 : first vector.
    v2 : second vector, of the same length.

    Returns
    -------
    Measures : min_plus with the position where it is attained, and max_plus.

    Raises
    ------
    InputError : vectors of different length.
    """
    sums = v1 + v2
    return Measures(
        method="Tropical dot product (min-plus)",
        quantities={
            "min_plus": float(sums.min()),
            "min_index": Quantity(int(sums.argmin()), Role.INDEX),
            "max_plus": float(sums.max()),
            "max_index": Quantity(int(sums.argmax()), Role.INDEX),
        },
        conventions=("min-plus leads", "positions are counted from 0"),
    )


@statistic(
    tool="non_classical_prob",
    subtype="bell_test",
    title="CHSH Bell test",
    use_when="four correlations of two parties with two settings each",
    utterances=("Bell inequality", "CHSH", "does the experiment violate local realism"),
    refs=("Clauser et al. 1969, doi:10.1103/PhysRevLett.23.880", "Cirel'son 1980, doi:10.1007/BF00417500"),
    formula="S = E(a,b) − E(a,b′) + E(a′,b) + E(a′,b′); |S| ≤ 2 classically, ≤ 2√2 in quantum mechanics; SE = √Σ(1 − E²)/n",
    example={"correlations": [0.68, -0.71, 0.69, 0.72], "n": [1000, 1000, 1000, 1000]},
    aliases=("chsh",),
)
def bell_test(
    correlations: Annotated[FloatArray, Vector(min_n=4, low=-1.0, high=1.0)],
    *,
    n: Annotated[FloatArray, Vector(min_n=1, low=2, whole=True)] | None = None,
    alpha: Alpha = 0.05,
) -> SignificanceTest:
    """CHSH statistic of four correlations, and, with the numbers of trials, its test against the classical bound.

    Parameters
    ----------
    correlations : E(a,b), E(a,b'), E(a',b), E(a',b'), in this order.
    n : number of trials of each correlation, or one number for all; without it no test is possible.
    alpha : significance level; intervals have confidence 1 - alpha.

    Returns
    -------
    SignificanceTest : the estimate is S; the statistic is z = (|S| - 2)/SE, one-sided.

    Raises
    ------
    InputError : not four correlations, a correlation outside -1..1, or another number of trial counts than 1 or 4.
    """
    if correlations.shape[0] != 4:
        raise InputError(
            f"Four correlations are needed, not {correlations.shape[0]}.",
            hint="Send E(a,b), E(a,b'), E(a',b), E(a',b').",
            where="correlations",
        )
    e = correlations.tolist()
    s = math.fsum((e[0], -e[1], e[2], e[3]))
    details = {
        "classical_bound": 2.0,
        "quantum_bound": 2 * math.sqrt(2),
        "violates_classical_bound": abs(s) > 2,
        "exceeds_quantum_bound": abs(s) > 2 * math.sqrt(2) * (1 + 1e-12),
    }
    shared: dict[str, Any] = {
        "method": "CHSH Bell test",
        "statistic_name": "z",
        "alternative": "greater",
        "null_value": 2.0,
        "alpha": alpha,
        "estimate_name": "S",
        "estimate": s,
        "details": details,
    }
    conventions = (
        "order of the correlations: E(a,b), E(a,b′), E(a′,b), E(a′,b′)",
        "null: |S| ≤ 2 (local realism)",
    )
    no_error: str | None = None
    error = 0.0
    if n is None:
        no_error = "the numbers of trials were not given, so there is no standard error"
    else:
        if n.shape[0] not in (1, 4):
            raise InputError(
                f"'n' must hold one number or four, not {n.shape[0]}.", where="n", code="length_mismatch"
            )
        trials = n.tolist() * (4 // n.shape[0])
        error = math.sqrt(math.fsum((1 - v) * (1 + v) / m for v, m in zip(e, trials, strict=True)))
        if error == 0:
            no_error = "every correlation is exactly ±1, so the estimated standard error is zero"
    if no_error is not None:
        undefined = dict.fromkeys(("statistic", "p_value", "std_error", "conf_low", "conf_high"), no_error)
        return SignificanceTest(conventions=conventions, undefined=undefined, **shared)
    assert n is not None
    z = (abs(s) - 2) / error
    reach = norm_isf(alpha / 2) * error
    return SignificanceTest(
        conventions=(*conventions, "independent trials; normal approximation"),
        statistic=z,
        p_value=norm_sf(z),
        std_error=error,
        conf_low=s - reach,
        conf_high=s + reach,
        conf_level=1 - alpha,
        n=int(sum(n.tolist() * (4 // n.shape[0]))),
        **shared,
    )


@statistic(
    tool="non_classical_prob",
    subtype="choquet",
    title="Choquet integral",
    use_when="scores on several criteria, aggregated with a capacity that lets criteria interact",
    utterances=("Choquet integral", "non-additive aggregation", "aggregate criteria that interact"),
    refs=("Choquet 1954, doi:10.5802/aif.53", "Grabisch & Labreuche 2010, doi:10.1007/s10479-009-0655-8"),
    formula="C(x) = Σ (x₍ᵢ₎ − x₍ᵢ₋₁₎) μ({criteria with score ≥ x₍ᵢ₎})",
    example={
        "values": {"speed": 0.6, "cost": 0.9},
        "capacity": {"speed": 0.4, "cost": 0.3, "speed,cost": 1.0},
    },
)
def choquet_integral(
    capacity: Annotated[Mapping[str, float], NumberMap(low=0.0)],
    values: Annotated[Mapping[str, float], NumberMap()] | None = None,
    *,
    v1: Numbers | None = None,
    names: Annotated[tuple[str, ...], NameList()] | None = None,
) -> Measures:
    """Choquet integral of scores with respect to a capacity (monotone set function).

    Parameters
    ----------
    capacity : weight of each set of criteria; members of a set are joined by a comma ("a,b"). The sets that the
        integral needs must be given, the set of all criteria among them.
    values : score of each criterion.
    v1 : scores as a list, instead of values; named x1, x2, ... or by names.
    names : names of the criteria in v1.

    Returns
    -------
    Measures : the integral, and the additive mean by the single weights (normalised) for comparison.

    Raises
    ------
    InputError : a set that is needed but absent, an unknown criterion, or a capacity that is not monotone.
    """
    scores = _scores(values, v1, names)
    sets: dict[frozenset[str], float] = {frozenset(): 0.0}
    for label, weight in capacity.items():
        members = frozenset(part.strip() for part in label.split(",") if part.strip())
        if unknown := sorted(members - set(scores)):
            raise InputError(f"The capacity names '{unknown[0]}', which has no score.", where="capacity")
        sets[members] = weight
    for small, low in sets.items():
        for large, high in sets.items():
            if small < large and low > high + 1e-12:
                raise InputError(
                    f"The capacity is not monotone: {{{', '.join(sorted(small))}}} weighs more than "
                    f"{{{', '.join(sorted(large))}}}.",
                    hint="A larger set may not weigh less.",
                    where="capacity",
                    code="not_monotone",
                )
    order = sorted(scores, key=lambda name: (scores[name], name))
    total, below = [], 0.0
    for place, name in enumerate(order):
        upper = frozenset(order[place:])
        step = scores[name] - below
        if step and upper not in sets:
            raise InputError(
                f"The capacity lacks the set '{','.join(sorted(upper))}', which these scores need.",
                hint="Add its weight.",
                where="capacity",
                code="missing_set",
            )
        total.append(step * sets.get(upper, 0.0))
        below = scores[name]
    quantities: dict[str, object] = {
        "integral": math.fsum(total),
        "n_criteria": Quantity(len(scores), Role.COUNT),
    }
    single = {name: sets[frozenset((name,))] for name in scores if frozenset((name,)) in sets}
    if len(single) == len(scores) and math.fsum(single.values()) > 0:
        weight = math.fsum(single.values())
        quantities["additive_mean"] = math.fsum(scores[k] * w for k, w in single.items()) / weight
    return Measures(
        method="Choquet integral",
        quantities=quantities,
        conventions=(
            "asymmetric (Choquet) integral: negative scores are integrated with the weight of the whole set first",
            "the capacity of the empty set is 0; it is not rescaled",
        ),
    )


def _scores(
    values: Mapping[str, float] | None, v1: FloatArray | None, names: tuple[str, ...] | None
) -> dict[str, float]:
    if (values is None) == (v1 is None):
        raise InputError(
            "Give either 'values' (named scores) or 'v1' (a list).", where="values", code="missing_argument"
        )
    if values is not None:
        return dict(values)
    assert v1 is not None
    labels = names or tuple(f"x{i}" for i in range(1, len(v1) + 1))
    if len(labels) != len(v1):
        raise InputError(
            f"There are {len(v1)} scores but {len(labels)} names.", where="names", code="length_mismatch"
        )
    return dict(zip(labels, v1.tolist(), strict=True))


@statistic(
    tool="non_classical_prob",
    subtype="tropical_eigenvalue",
    title="Tropical eigenvalue",
    use_when="a square matrix of costs between states; the smallest mean cost per step of a cycle is wanted",
    utterances=("tropical eigenvalue", "minimum cycle mean", "max-plus eigenvalue"),
    refs=("Karp 1978, doi:10.1016/0012-365X(78)90011-0", "Butkovič 2010, doi:10.1007/978-1-84996-299-5"),
    formula="min over cycles of (sum of weights)/(number of arcs), over all strongly connected components",
    example={"matrix": [[5.0, 2.0, None], [None, 4.0, 3.0], [1.0, None, 6.0]]},
)
def tropical_eigenvalue(matrix: Annotated[Sequence[Any], StructureKind()]) -> Measures:
    """Tropical eigenvalue of a square matrix: the minimum cycle mean leads, the maximum beside it.

    Parameters
    ----------
    matrix : rows of weights; null marks an absent arc (infinite cost).

    Returns
    -------
    Measures : min_plus and max_plus eigenvalues, each over all strongly connected components.

    Raises
    ------
    InputError : a matrix that is not square, or entries that are neither numbers nor null.
    NotDefined : the graph has no cycle.
    """
    weights = _arcs(matrix)
    n = len(weights)
    components = _strong_components([[j for j in range(n) if weights[i][j] is not None] for i in range(n)])
    low, high = [], []
    for members in components:
        if (mean := _karp(weights, members)) is not None:
            low.append(mean)
        flipped = [[None if w is None else -w for w in row] for row in weights]
        if (mean := _karp(flipped, members)) is not None:
            high.append(-mean)
    if not low:
        raise NotDefined(
            "The matrix has no cycle, so no tropical eigenvalue is finite.",
            hint="A cycle needs arcs that lead back to where they start.",
            code="no_cycle",
        )
    return Measures(
        method="Tropical eigenvalue (minimum cycle mean, Karp)",
        quantities={
            "min_plus": float(min(low)),
            "max_plus": float(max(high)),
            "n_components": Quantity(len(components), Role.COUNT),
            "n": Quantity(n, Role.COUNT),
        },
        conventions=(
            "min-plus leads: the minimum cycle mean",
            "all strongly connected components are searched",
        ),
    )


Arcs = list[list[Fraction | None]]


def _arcs(matrix: Sequence[Any]) -> Arcs:
    """The matrix with exact weights; arcs that are absent are None."""
    n = len(matrix)
    if n == 0 or any(isinstance(r, str) or not isinstance(r, Sequence) or len(r) != n for r in matrix):
        raise InputError(
            "'matrix' must be square: as many rows as columns.",
            hint="null marks an absent arc.",
            where="matrix",
        )
    if n > _MAX_NODES:
        raise InputError(
            f"'matrix' has {n} rows; the limit is {_MAX_NODES}.", where="matrix", code="limit_exceeded"
        )
    number = ScalarNumber()
    from statistikles.registry.arguments import Where

    where = Where("non_classical_prob", "matrix")
    return [[None if w is None else Fraction(number.check(w, where)) for w in row] for row in matrix]


def _strong_components(successors: list[list[int]]) -> list[list[int]]:
    """Strongly connected components by two passes of depth-first search (Kosaraju), without recursion."""
    n = len(successors)
    finished, seen = [], [False] * n
    for root in range(n):
        if seen[root]:
            continue
        seen[root] = True
        stack = [(root, iter(successors[root]))]
        while stack:
            node, rest = stack[-1]
            following = next((j for j in rest if not seen[j]), None)
            if following is None:
                finished.append(node)
                stack.pop()
            else:
                seen[following] = True
                stack.append((following, iter(successors[following])))
    predecessors: list[list[int]] = [[] for _ in range(n)]
    for i, targets in enumerate(successors):
        for j in targets:
            predecessors[j].append(i)
    placed, components = [False] * n, []
    for root in reversed(finished):
        if placed[root]:
            continue
        placed[root] = True
        members, todo = [], [root]
        while todo:
            node = todo.pop()
            members.append(node)
            fresh = [j for j in predecessors[node] if not placed[j]]
            for j in fresh:
                placed[j] = True
            todo += fresh
        components.append(sorted(members))
    return components


def _karp(weights: Arcs, members: list[int]) -> Fraction | None:
    """Minimum cycle mean within one strongly connected component, None when it holds no cycle."""
    size = len(members)
    inner = [
        [(b, w) for b in range(size) if (w := weights[members[a]][members[b]]) is not None]
        for a in range(size)
    ]
    walks: list[list[Fraction | None]] = [[None] * size for _ in range(size + 1)]
    walks[0][0] = Fraction(0)
    for step in range(size):
        for a in range(size):
            if (cost := walks[step][a]) is None:
                continue
            for b, w in inner[a]:
                old = walks[step + 1][b]
                if old is None or cost + w < old:
                    walks[step + 1][b] = cost + w
    means = []
    for v in range(size):
        if (last := walks[size][v]) is None:
            continue
        means.append(max((last - c) / (size - k) for k in range(size) if (c := walks[k][v]) is not None))
    return min(means) if means else None
