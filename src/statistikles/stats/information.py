"""Information theory: entropy of labels or a distribution, and Kullback–Leibler divergence."""

from __future__ import annotations

import math
from collections import Counter
from typing import Annotated

from statistikles.errors import InputError
from statistikles.registry.arguments import FloatArray, Labels, Vector
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["kl_divergence", "shannon_entropy"]

Distribution = Annotated[FloatArray, Vector(min_n=1, low=0.0)]

declare_tool(
    "information_theory",
    title="Information theory",
    summary="Entropy of a variable or distribution, and the divergence of one distribution from another.",
    chooser="type",
)


@statistic(
    tool="information_theory",
    subtype="entropy",
    title="Shannon entropy",
    use_when="categories (labels) or a probability distribution whose uncertainty is wanted",
    utterances=(
        "entropy of this variable",
        "how uncertain is the distribution",
        "diversity in bits",
        "Shannon index",
    ),
    refs=(
        "Shannon 1948, doi:10.1002/j.1538-7305.1948.tb01338.x",
        "Miller 1955, Note on the bias of information estimates",
    ),
    formula="H = −Σ p log₂ p; Miller–Madow: H + (m − 1)/(2n) nats",
    equivalents={
        "R": "p <- prop.table(table(x)); -sum(p * log2(p))",
        "Python": "scipy.stats.entropy(p, base=2)",
    },
    example={"data": ["a", "b", "a", "c", "a", "b", "d", "a"]},
    laws=("order_invariant",),
)
def shannon_entropy(data: Labels | None = None, *, p: Distribution | None = None) -> Measures:
    """Shannon entropy in bits (leads) and nats, from labels or from given probabilities.

    Parameters
    ----------
    data : labels; their relative frequencies are the probabilities.
    p : probabilities, which must sum to 1; instead of data.

    Returns
    -------
    Measures : entropy in bits and nats, its maximum for that many categories, the normalised entropy, perplexity;
        for labels also the Miller–Madow bias-corrected value.

    Raises
    ------
    InputError : both or neither argument given, or probabilities that do not sum to 1.
    """
    if (data is None) == (p is None):
        raise InputError("Give either 'data' (labels) or 'p' (probabilities).", where="data")
    if data is not None:
        counts = Counter(data.tolist())
        n = len(data)
        probabilities = [c / n for c in counts.values()]
    else:
        assert p is not None
        _require_distribution(p, "p")
        n = 0
        probabilities = p.tolist()
    positive = [q for q in probabilities if q > 0]
    nats = abs(-math.fsum(q * math.log(q) for q in positive))  # abs: minus zero for a certain outcome
    bits = nats / math.log(2)
    most = math.log2(len(probabilities))
    undefined = (
        {} if most > 0 else {"normalized": "there is only one category, so the maximum entropy is zero"}
    )
    quantities: dict[str, object] = {
        "entropy_bits": bits,
        "entropy_nats": nats,
        "maximum_bits": most,
        "normalized": bits / most if most > 0 else None,
        "perplexity": math.exp(nats),
        "n_categories": Quantity(len(probabilities), Role.COUNT),
    }
    conventions = ["bits lead, nats beside", "0 · log 0 counts as 0"]
    if n:
        quantities["n"] = Quantity(n, Role.COUNT)
        quantities["miller_madow_nats"] = nats + (len(positive) - 1) / (2 * n)
        conventions.append("plug-in estimate leads; Miller–Madow corrects its bias to first order")
    return Measures(
        method="Shannon entropy", quantities=quantities, undefined=undefined, conventions=tuple(conventions)
    )


@statistic(
    tool="information_theory",
    subtype="kl_divergence",
    title="Kullback–Leibler divergence",
    use_when="two probability distributions over the same categories",
    utterances=(
        "KL divergence",
        "relative entropy of p from q",
        "how different are these distributions in bits",
    ),
    refs=("Kullback & Leibler 1951, doi:10.1214/aoms/1177729694", "Lin 1991, doi:10.1109/18.61115"),
    formula="D(P‖Q) = Σ p log₂(p/q); JS = ½ D(P‖M) + ½ D(Q‖M), M = (P+Q)/2",
    equivalents={"R": "sum(p * log2(p / q))", "Python": "scipy.stats.entropy(p, q, base=2)"},
    example={"p": [0.5, 0.3, 0.2], "q": [0.4, 0.4, 0.2]},
    aliases=("kl", "relative_entropy"),
)
def kl_divergence(p: Distribution, q: Distribution) -> Measures:
    """Kullback–Leibler divergence of P from Q in bits (leads) and nats, with the Jensen–Shannon divergence.

    Parameters
    ----------
    p : probabilities of the first distribution; they must sum to 1.
    q : probabilities of the second, over the same categories in the same order.

    Returns
    -------
    Measures : D(P||Q) and D(Q||P) (undefined where the second lacks support), and Jensen–Shannon divergence and distance.

    Raises
    ------
    InputError : different lengths, negative values, or sums other than 1.
    """
    if p.shape != q.shape:
        raise InputError(
            f"p has {p.shape[0]} and q has {q.shape[0]} categories; they must match.",
            where="q",
            code="length_mismatch",
        )
    _require_distribution(p, "p")
    _require_distribution(q, "q")
    p, q = p / math.fsum(p), q / math.fsum(q)
    forward, backward = _divergence(p, q), _divergence(q, p)
    middle = (p + q) / 2
    js = (_divergence(p, middle) or 0.0) / 2 + (_divergence(q, middle) or 0.0) / 2
    undefined: dict[str, str] = {}
    if forward is None:
        reason = "it is infinite: p is positive where q is zero"
        undefined |= {"divergence_bits": reason, "divergence_nats": reason}
    if backward is None:
        undefined["reverse_bits"] = "it is infinite: q is positive where p is zero"
    bit = math.log(2)
    return Measures(
        method="Kullback–Leibler divergence",
        quantities={
            "divergence_bits": None if forward is None else forward / bit,
            "divergence_nats": forward,
            "reverse_bits": None if backward is None else backward / bit,
            "jensen_shannon_bits": js / bit,
            "jensen_shannon_distance": math.sqrt(js / bit),
        },
        undefined=undefined,
        conventions=(
            "divergence of P from Q, not symmetric",
            "bits lead, nats beside",
            "0 · log 0 counts as 0",
        ),
    )


def _divergence(p: FloatArray, q: FloatArray) -> float | None:
    """In nats, from terms q f(p/q) that are never negative, so that close distributions lose no digits."""
    if ((q == 0) & (p > 0)).any():
        return None
    terms = []
    for a, b in zip(p.tolist(), q.tolist(), strict=True):
        if a == 0:
            terms.append(b)
        else:
            r = (a - b) / b
            terms.append(b * ((1 + r) * math.log1p(r) - r) if abs(r) > 1e-3 else b * _near_one(r))
    # Each term is a log(a/b) − a + b; the added Σ(b − a) is zero for distributions.
    return math.fsum(terms)


def _near_one(r: float) -> float:
    """(1 + r) log(1 + r) − r for small r."""
    return r * r * (1 / 2 - r * (1 / 6 - r * (1 / 12 - r * (1 / 20 - r * (1 / 30 - r / 42)))))


def _require_distribution(p: FloatArray, where: str) -> None:
    if not math.isclose(total := math.fsum(p), 1.0, rel_tol=0, abs_tol=1e-8):
        raise InputError(
            f"The probabilities of '{where}' sum to {total:.6g}; they must sum to 1.",
            hint="Divide each by their sum, if they are counts or weights.",
            where=where,
        )
