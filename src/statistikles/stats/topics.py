"""Topics in a table of counts by non-negative matrix factorisation."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import ColumnSet, Components, FloatArray, NameList, Seed
from statistikles.registry.declare import statistic
from statistikles.results import Measures, Quantity, Role
from statistikles.stats._columns import column_names
from statistikles.stats._nmf import Factors, factorise

__all__ = ["topic_model"]

_LIST_LIMIT = 20_000
_TOP = 10

Counts = Annotated[FloatArray, ColumnSet(min_n=2)]
Terms = Annotated[tuple[str, ...], NameList(of=("x",))]


@statistic(
    tool="nlp_symbolic",
    subtype="topic_modeling",
    title="Topics by non-negative matrix factorisation",
    use_when="documents are given as counts of terms and a few themes behind them are wanted",
    utterances=(
        "find topics in a document-term matrix",
        "topic modeling",
        "non-negative matrix factorisation",
        "which words go together",
        "NMF with three topics",
    ),
    refs=(
        "Lee & Seung 1999, doi:10.1038/44565",
        "Boutsidis & Gallopoulos 2008, doi:10.1016/j.patcog.2007.09.010",
    ),
    oracle="sklearn.decomposition:NMF",
    formula="X ≈ W H with W, H ≥ 0, minimising ‖X − WH‖",
    equivalents={
        "R": "NMF::nmf(x, k, seed = 'nndsvd')",
        "Python": "sklearn.decomposition.NMF(k, init='nndsvda', tol=1e-10, max_iter=5000).fit_transform(x)",
    },
    example={
        "x": [[5, 4, 0, 1, 0, 6], [4, 5, 1, 0, 0, 4], [0, 1, 6, 4, 5, 0], [1, 0, 4, 5, 6, 1]],
        "k": 2,
        "var_names": ["ball", "goal", "vote", "party"],
    },
)
def topic_model(x: Counts, k: Components = 2, *, var_names: Terms | None = None, seed: Seed = 0) -> Measures:
    """Non-negative factorisation of a document-term table: topics, their leading terms, weights per document.

    Parameters
    ----------
    x : counts (or other non-negative weights), one column per term, one row per document.
    k : number of topics.
    var_names : the terms, names of the columns.
    seed : accepted and recorded; the computation uses no random numbers.

    Returns
    -------
    Measures : topics as shares of terms, weights of the documents, reconstruction error.

    Raises
    ------
    InputError : negative entries, or more topics than documents or terms.
    NotDefined : every entry is zero.
    """
    n, p = x.shape
    names = column_names(var_names, p)
    _refuse(x, k)
    power = int(np.frexp(x.max())[1])
    scaled = np.ldexp(x, -power)
    found = factorise(scaled, k)
    shares, weights = _ordered(found)
    labels = tuple(f"topic{j + 1}" for j in range(k))
    size = float(np.linalg.norm(scaled))
    sums = weights.sum(axis=0)
    listed = n * k <= _LIST_LIMIT
    of_documents = {t: np.ldexp(weights[:, j], power).tolist() for j, t in enumerate(labels)}
    return Measures(
        method=f"Non-negative matrix factorisation, {k} topic{'s' if k != 1 else ''} "
        "(NNDSVDa start, coordinate descent)",
        quantities={
            "n": Quantity(n, Role.COUNT),
            "n_terms": Quantity(p, Role.COUNT),
            "k": Quantity(k, Role.COUNT),
            "topics": Quantity(_named(labels, names, shares), Role.PROPORTION),
            "top_terms": {t: _top(names, shares[j]) for j, t in enumerate(labels)},
            "topic_shares": Quantity(dict(zip(labels, _of_total(sums), strict=True)), Role.PROPORTION),
            "document_weights": Quantity(of_documents, Role.WEIGHT) if listed else None,
            "leading_topic": [labels[j] for j in weights.argmax(axis=1)] if listed else None,
            "reconstruction_error": Quantity(math.ldexp(found.error, power), Role.DISTANCE),
            "relative_error": Quantity(found.error / size, Role.RATIO),
            "share_reproduced": Quantity(max(0.0, 1 - (found.error / size) ** 2), Role.PROPORTION),
            "n_iterations": Quantity(found.iterations, Role.COUNT),
            "converged": found.converged,
        },
        undefined={}
        if listed
        else dict.fromkeys(
            ("document_weights", "leading_topic"), f"not listed for more than {_LIST_LIMIT} numbers"
        ),
        seed=seed,
        conventions=(
            "terms of a topic add to one; document weights carry the size",
            "topics in order of their total weight",
            "reconstruction_error is the Frobenius norm of x − W·H",
            "no random numbers: the start comes from the singular value decomposition",
        ),
        warnings=() if found.converged else ("The factorisation stopped before it had settled.",),
    )


# Steps ---------------------------------------------------------------------------------------------------


def _refuse(x: FloatArray, k: int) -> None:
    n, p = x.shape
    if float(x.min()) < 0:
        raise InputError(
            "The table holds negative entries; topics are made of counts or weights of at least 0.",
            hint="Send counts, or relative frequencies.",
            where="x",
            code="out_of_range",
        )
    if k > min(n, p):
        raise InputError(
            f"{k} topics cannot be found in {n} documents of {p} term{'s' if p != 1 else ''}.",
            hint=f"Ask for at most {min(n, p)}.",
            where="k",
            code="out_of_range",
        )
    if not float(x.max()) > 0:
        raise NotDefined(
            "There are no topics: every entry is zero.",
            hint="Send a table with some counts.",
            where="x",
            code="zero_variance",
        )


def _ordered(found: Factors) -> tuple[FloatArray, FloatArray]:
    """Topics whose terms add to one, largest total first, and the weights of the documents."""
    sums = found.topics.sum(axis=1)
    shares = found.topics / np.where(sums > 0, sums, 1.0)[:, None]
    weights = found.weights * sums
    total = np.round(weights.sum(axis=0), 10)
    order = np.lexsort((np.arange(total.size), -total))
    return shares[order], weights[:, order]


def _of_total(sums: FloatArray) -> list[float]:
    total = float(sums.sum())
    return [float(v) / total if total > 0 else 0.0 for v in sums]


def _named(
    rows: tuple[str, ...], columns: tuple[str, ...], values: FloatArray
) -> dict[str, dict[str, float]]:
    return {
        row: dict(zip(columns, line, strict=True)) for row, line in zip(rows, values.tolist(), strict=True)
    }


def _top(names: tuple[str, ...], shares: FloatArray) -> list[Any]:
    order = np.lexsort((np.arange(shares.size), -np.round(shares, 10)))
    return [names[j] for j in order[:_TOP] if shares[j] > 1e-9]
