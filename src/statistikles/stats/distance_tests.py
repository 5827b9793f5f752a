"""Permutational multivariate analysis of variance of a distance matrix, with one or several factors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    Alpha,
    FloatArray,
    Labels,
    MatrixOf,
    Permutations,
    Seed,
    StructureKind,
    Switch,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import EffectSize, SignificanceTest, Source, VarianceTable
from statistikles.stats._distributions import f_sf
from statistikles.stats._one_way import partition
from statistikles.stats._permanova import (
    Codes,
    Matrix,
    Split,
    Term,
    arrangements,
    build_terms,
    gower,
    listed,
    permuted,
    split,
)

__all__ = ["permanova"]

declare_tool(
    "permanova",
    title="Permutational multivariate analysis of variance",
    summary="Tests whether groups of objects differ in a distance matrix, by permutation.",
)

Distances = Annotated[FloatArray, MatrixOf(square=True, symmetric=True, low=0.0)]
Factors = Annotated[Mapping[str, Any], StructureKind(form="object")]

# All arrangements are listed up to this many (or up to n_permutations, when that is more).
_LISTED = 10_000
# F values this close are the same value reached by another order of adding.
_TOLERANCE = 1e-9


@statistic(
    tool="permanova",
    title="PERMANOVA",
    use_when="groups of objects described by a matrix of distances (community composition, profiles, shapes)",
    utterances=(
        "do the communities differ between sites",
        "test groups on a distance matrix",
        "permutational multivariate analysis of variance",
        "adonis",
        "does composition differ between treatments",
    ),
    refs=(
        "Anderson 2001, doi:10.1111/j.1442-9993.2001.01070.pp.x",
        "McArdle & Anderson 2001, doi:10.1890/0012-9658(2001)082[0290:FMMTCD]2.0.CO;2",
        "Anderson 2006, doi:10.1111/j.1541-0420.2005.00440.x",
    ),
    formula="F = [tr(H G)/df] / [tr((I − H_model) G)/(n − rank)], G = (I − 11'/n)(−D²/2)(I − 11'/n); R² = tr(H G)/tr(G)",
    equivalents={
        "R": "vegan::adonis2(as.dist(D) ~ group)",
        "Python": "skbio.stats.distance.permanova(D, group_labels)",
    },
    example={
        "distance_matrix": [
            [0.0, 0.4, 0.5, 0.9, 1.0, 0.8],
            [0.4, 0.0, 0.3, 0.8, 0.9, 0.9],
            [0.5, 0.3, 0.0, 1.0, 0.7, 0.8],
            [0.9, 0.8, 1.0, 0.0, 0.4, 0.3],
            [1.0, 0.9, 0.7, 0.4, 0.0, 0.5],
            [0.8, 0.9, 0.8, 0.3, 0.5, 0.0],
        ],
        "group_labels": ["reef", "reef", "reef", "sand", "sand", "sand"],
        "n_permutations": 199,
    },
)
def permanova(
    distance_matrix: Distances,
    *,
    group_labels: Labels | None = None,
    factors: Factors | None = None,
    interaction: Switch = False,
    n_permutations: Permutations = 999,
    alpha: Alpha = 0.05,
    seed: Seed = 0,
) -> VarianceTable:
    """PERMANOVA of a distance matrix, with pseudo-F, R², ω² and permutation p values for every term.

    Parameters
    ----------
    distance_matrix : symmetric distances of the objects, zero on the diagonal.
    group_labels : group of each object, in the order of the matrix.
    factors : several factors instead: {name: list of labels}, each in the order of the matrix.
    interaction : include the two-way interactions of the factors.
    n_permutations : random permutations, when not all arrangements can be listed.
    alpha : significance level.
    seed : seed of the permutations.

    Returns
    -------
    VarianceTable : one source per term, residual and total; the sequential table and a test of equal dispersion
        beside it.

    Raises
    ------
    InputError : the matrix is not one of distances, or labels and objects do not match.
    NotDefined : no residual degrees of freedom, a factor without effect on the model, or no variation.
    """
    n = distance_matrix.shape[0]
    if np.diagonal(distance_matrix).any():
        raise InputError(
            "Argument 'distance_matrix' must have zeros on its diagonal.",
            hint="Send distances, not similarities.",
            where="distance_matrix",
            code="out_of_range",
        )
    coded = _factors(group_labels, factors, n)
    if interaction and len(coded) < 2:
        raise InputError("An interaction needs at least two factors.", where="interaction")
    partial, sequence, model = build_terms({k: c for k, (c, _) in coded.items()}, interaction=interaction)
    _check_model(partial, model, n)
    top = float(distance_matrix.max())
    if top == 0.0:
        raise NotDefined("PERMANOVA is undefined: all distances are zero.", code="zero_variance")
    unit = math.ldexp(1.0, math.frexp(top)[1] - 1)
    g = gower(distance_matrix / unit)
    cells = _cells(coded)
    tests = _Tests(g, model, cells, n_permutations, seed, unit)
    leading = tests.table(partial)
    dispersion = _dispersion(g, cells, alpha)
    described = _described(coded)
    how = (
        f"exact: all {tests.count} arrangements of the labels"
        if tests.exact
        else f"{n_permutations} random permutations, seed {seed}"
    )
    return VarianceTable(
        method=f"PERMANOVA ({how})",
        sources=leading,
        sum_of_squares_type="II",
        alpha=alpha,
        n=n,
        seed=None if tests.exact else seed,
        details={
            "n_permutations": tests.count if tests.exact else n_permutations,
            "exact": tests.exact,
            "n_groups": int(np.unique(cells).size),
            "groups": described,
        },
        also={
            "sequential": leading if len(coded) == 1 else tests.table(sequence),
            "dispersion": dispersion,
        },
        conventions=(
            "projection on Gower's centred matrix (McArdle & Anderson)",
            "each term adjusted for the others (an interaction for all factors); beside it in the order given",
            "objects are exchanged freely; values as large as the observed one, up to rounding, count",
            "p = (b + 1)/(m + 1) for m random permutations, b/m over all m arrangements",
            "ω² = (SS − df MS_residual)/(SS_total + MS_residual)",
        ),
        warnings=_warnings(dispersion, cells, alpha, tests),
    )


# Reading the arguments -----------------------------------------------------------------------------------


def _factors(
    labels: NDArray[Any] | None, factors: Mapping[str, Any] | None, n: int
) -> dict[str, tuple[Codes, list[str]]]:
    """{factor: (code of each object, names of the levels)}."""
    if (labels is None) == (factors is None):
        raise InputError(
            "Give 'group_labels' (one factor) or 'factors', and not both.",
            where="group_labels",
            code="missing_argument" if labels is None else "invalid_argument",
        )
    given = {"group": labels} if labels is not None else dict(factors or {})
    if not given:
        raise InputError("Argument 'factors' is empty.", where="factors", code="missing_argument")
    if len(given) > 8:
        raise InputError("At most 8 factors are allowed.", where="factors", code="limit_exceeded")
    out = {}
    for name, values in given.items():
        where = "group_labels" if labels is not None else "factors"
        if isinstance(values, str | bytes) or not isinstance(values, Sequence | np.ndarray):
            raise InputError(f"Factor '{name}' must be a list of labels.", where=where)
        items = [None if v is None else str(v) for v in values if not isinstance(v, list | dict)]
        if len(items) != n or None in items:
            usable = sum(v is not None for v in items)
            raise InputError(
                f"Factor '{name}' has {usable} usable labels for {n} objects.",
                hint="Every row of the distance matrix needs a label; take objects without one out of the matrix.",
                where=where,
                code="length_mismatch",
            )
        if str(name) in ("residual", "total"):
            raise InputError(f"A factor may not be called '{name}'.", where=where)
        levels = list(dict.fromkeys(str(v) for v in items))
        if len(levels) < 2:
            raise InputError(f"Factor '{name}' has one level only.", where=where, code="too_few_groups")
        code = {level: i for i, level in enumerate(levels)}
        out[str(name)] = (np.array([code[str(v)] for v in items], dtype=np.int64), levels)
    return out


def _check_model(terms: list[Term], model: Matrix, n: int) -> None:
    empty = [t.name for t in terms if t.df == 0]
    if empty:
        raise NotDefined(
            f"The term {', '.join(empty)} adds nothing to the others: the factors say the same.",
            hint="Leave one of them out.",
            code="singular",
        )
    if n - model.shape[1] < 1:
        raise NotDefined(
            "No degrees of freedom are left for the residual: every object has a cell of its own.",
            hint="Give more objects per group, or leave the interaction out.",
            code="too_few_values",
        )


def _cells(coded: dict[str, tuple[Codes, list[str]]]) -> Codes:
    """One code per combination of levels."""
    joint = np.column_stack([codes for codes, _ in coded.values()])
    return np.unique(joint, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _described(coded: dict[str, tuple[Codes, list[str]]]) -> dict[str, dict[str, int]]:
    return {
        name: {level: int((codes == i).sum()) for i, level in enumerate(levels)}
        for name, (codes, levels) in coded.items()
    }


# The tests -----------------------------------------------------------------------------------------------


@dataclass
class _Tests:
    """Permutation tests of the terms of one model."""

    g: Matrix
    model: Matrix
    cells: Codes
    n_permutations: int
    seed: int
    unit: float

    def __post_init__(self) -> None:
        self.count = arrangements(self.cells, max(self.n_permutations, _LISTED))
        self.exact = self.count is not None

    def table(self, terms: list[Term]) -> dict[str, Source]:
        """The sources with their p values, residual and total."""
        observed = split(self.g, terms, self.model)
        n, total = self.g.shape[0], float(np.trace(self.g))
        df_residual = n - self.model.shape[1]
        if not observed.residual > 1e-12 * abs(total):
            raise NotDefined(
                "PERMANOVA is undefined: the distances within the groups leave no residual variation.",
                hint="Objects of the same group coincide, or the distances are far from Euclidean.",
                code="zero_variance",
            )
        f = [
            ss / t.df / (observed.residual / df_residual) for ss, t in zip(observed.terms, terms, strict=True)
        ]
        p = self._p_values(terms, f)
        out = {
            t.name: self._source(t, observed, i, f[i], p[i], total, df_residual) for i, t in enumerate(terms)
        }
        out["residual"] = self._plain(observed.residual, df_residual, observed.residual / total)
        out["total"] = self._plain(total, n - 1, 1.0)
        return out

    def _p_values(self, terms: list[Term], f: list[float]) -> list[float]:
        rng = np.random.default_rng(self.seed)
        count = self.count if self.count is not None else self.n_permutations
        arranged = listed(self.cells) if self.exact else None
        with np.errstate(all="ignore"):
            found = permuted(self.g, terms, self.model, self.cells, arranged, count, rng)
        out = []
        for k, value in enumerate(f):
            # A residual of zero gives infinity (counted) or, with nothing explained, no value (not counted).
            reached = int((found[:, k] >= value - _TOLERANCE * max(1.0, abs(value))).sum())
            out.append(reached / count if self.exact else (reached + 1) / (count + 1))
        return out

    def _natural(self, ss: float) -> tuple[float | None, str]:
        """A sum of squares in the unit of the distances, or why it cannot be given."""
        value = ss * self.unit * self.unit
        if not math.isfinite(value) or (value == 0.0 and ss > 0):
            return None, "it does not fit a double-precision number"
        if value < 0:
            if ss > -1e-12:
                return 0.0, ""
            return None, f"it is negative ({value:.6g}): the distances are not Euclidean"
        return value, ""

    def _plain(self, ss: float, df: int, share: float) -> Source:
        value, reason = self._natural(ss)
        return Source(
            sum_sq=value,
            df=df,
            mean_sq=None if value is None else value / df,
            effect_size=EffectSize(name="R²", estimate=share),
            undefined={} if value is not None else {"sum_sq": reason, "mean_sq": reason},
        )

    def _source(
        self, term: Term, observed: Split, index: int, f: float, p: float, total: float, df_residual: int
    ) -> Source:
        ss = observed.terms[index]
        value, reason = self._natural(ss)
        mean_residual = observed.residual / df_residual
        unbounded = "no interval: the only distribution assumed is that of the permutations"
        return Source(
            sum_sq=value,
            df=term.df,
            mean_sq=None if value is None else value / term.df,
            statistic=f,
            p_value=p,
            effect_size=EffectSize(
                name="R²",
                estimate=ss / total,
                undefined={"conf_low": unbounded, "conf_high": unbounded},
            ),
            effect_sizes={
                "omega_squared": EffectSize(
                    name="ω²", estimate=(ss - term.df * mean_residual) / (total + mean_residual)
                ),
                "partial_r_squared": _partial(ss, observed.residual, total),
            },
            undefined={} if value is not None else {"sum_sq": reason, "mean_sq": reason},
        )


def _partial(ss: float, residual: float, total: float) -> EffectSize:
    if not ss + residual > 1e-12 * abs(total):
        return EffectSize(
            name="partial R²", undefined={"estimate": "the sum of squares of the term is too negative"}
        )
    return EffectSize(name="partial R²", estimate=ss / (ss + residual))


def _dispersion(g: Matrix, cells: Codes, alpha: float) -> SignificanceTest:
    """Analysis of variance of the distances to the group centroids (Anderson 2006)."""
    distances: dict[str, NDArray[np.float64]] = {}
    for code in np.unique(cells):
        members = np.flatnonzero(cells == code)
        part = g[np.ix_(members, members)]
        squares = np.diagonal(part) - 2 * part.mean(axis=1) + part.mean()
        distances[str(code)] = np.sqrt(np.abs(squares))
    parts = partition(distances)
    df1, df2 = len(distances) - 1, cells.size - len(distances)
    method = "test of equal dispersion: F of the distances to the group centroids"
    spread = float(parts.ss_within)
    if df2 < 1 or spread <= 1e-20:
        reason = "the distances to the centroids do not vary within the groups"
        return SignificanceTest(
            method=method, statistic_name="F", undefined={"statistic": reason, "p_value": reason}
        )
    f = float(parts.ss_between / df1 / (parts.ss_within / df2))
    return SignificanceTest(
        method=method,
        statistic_name="F",
        statistic=f,
        df=df1,
        df_error=df2,
        p_value=f_sf(f, df1, df2),
        alpha=alpha,
    )


def _warnings(dispersion: SignificanceTest, cells: Codes, alpha: float, tests: _Tests) -> tuple[str, ...]:
    out = []
    sizes = np.unique(cells, return_counts=True)[1]
    if dispersion.p_value is not None and dispersion.p_value <= alpha:
        uneven = " and their sizes" if sizes.min() != sizes.max() else ""
        out.append(
            f"The groups differ in dispersion{uneven}: a small p may come from that rather than from their centres."
        )
    if tests.exact and tests.count is not None and 1 / tests.count > alpha:
        out.append(
            f"Only {tests.count} arrangements exist: no p below {1 / tests.count:.3g} is possible at this size."
        )
    return tuple(out)
