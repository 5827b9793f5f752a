"""Convergent and discriminant validity of constructs: AVE, composite reliability, Fornell-Larcker, HTMT."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, ClassVar

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    FloatArray,
    Kind,
    Labels,
    MatrixOf,
    RowSet,
    StructureKind,
    Vector,
    Where,
)
from statistikles.registry.declare import statistic
from statistikles.results import Measures
from statistikles.stats._moment_matrix import centre
from statistikles.stats._one_factor import fit_one_factor
from statistikles.stats._tables import label_text

__all__ = ["construct_validity"]


@dataclass(frozen=True)
class ItemsByConstruct(Kind):
    """Item scores: {construct: rows}, or one rectangle of rows whose columns another argument assigns."""

    shape: ClassVar[str] = "rows"

    def schema(self) -> dict[str, Any]:
        rows = RowSet().schema()["anyOf"]
        return {"anyOf": [*rows, {"type": "object", "additionalProperties": {"type": "array"}}]}

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, Mapping) and "column" not in value and "columns" not in value:
            if not value:
                raise where.refuse("is empty.", hint='Send {"construct": [[row], [row]], ...}.')
            return {
                str(k): RowSet().check(v, Where(where.tool, f"{where.argument}.{k}"))
                for k, v in value.items()
            }
        return RowSet(min_columns=2).check(value, where)


@dataclass(frozen=True)
class _Construct:
    """Standardised loadings of one construct, or the reason why there are none."""

    loadings: tuple[float, ...]
    reason: str = ""

    @property
    def ave(self) -> float:
        """Average variance extracted."""
        return math.fsum(v * v for v in self.loadings) / len(self.loadings)

    @property
    def reliability(self) -> float:
        """Composite reliability."""
        common = math.fsum(self.loadings) ** 2
        return common / (common + math.fsum(1 - v * v for v in self.loadings))


@statistic(
    tool="validity_assessment",
    subtype="ave_htmt",
    title="Convergent and discriminant validity",
    use_when="several constructs are measured by items each, and it is asked whether they hold together and apart",
    utterances=(
        "average variance extracted",
        "Fornell-Larcker criterion",
        "HTMT discriminant validity",
        "convergent and discriminant validity of the constructs",
        "composite reliability from loadings",
    ),
    refs=(
        "Fornell & Larcker 1981, doi:10.2307/3151312",
        "Henseler, Ringle & Sarstedt 2015, doi:10.1007/s11747-014-0403-8",
    ),
    formula="AVE = Σλ²/k; CR = (Σλ)²/((Σλ)² + Σ(1 − λ²)); HTMT = r̄_between/sqrt(r̄_within,1 · r̄_within,2)",
    equivalents={
        "R": "semTools::AVE(fit); semTools::htmt(model, data)",
        "Python": "semopy.Model(description).fit(data)",
    },
    example={
        "loadings": {"trust": [0.82, 0.78, 0.88], "loyalty": [0.75, 0.81, 0.69, 0.72]},
        "construct_correlations": [[1.0, 0.56], [0.56, 1.0]],
    },
    aliases=("ave", "htmt", "fornell_larcker", "discriminant", "convergent"),
)
def construct_validity(
    loadings: Annotated[Any, StructureKind(form="object")] | None = None,
    items: Annotated[Any, ItemsByConstruct()] | None = None,
    *,
    constructs: Labels | None = None,
    construct_correlations: Annotated[FloatArray, MatrixOf(square=True, symmetric=True, low=-1.0, high=1.0)]
    | None = None,
) -> Measures:
    """AVE and composite reliability per construct; Fornell-Larcker and HTMT per pair of constructs.

    Parameters
    ----------
    loadings : standardised loadings by construct, {construct: [loading, ...]}.
    items : instead of loadings, item scores: {construct: rows}, or rows (rows = subjects) with `constructs`.
    constructs : the construct each column of `items` belongs to.
    construct_correlations : with loadings, the correlations of the constructs in their order.

    Returns
    -------
    Measures : per construct AVE, its root and composite reliability; per pair the two criteria.

    Raises
    ------
    InputError : neither or both of loadings and items, or values that do not fit.
    """  # fmt: skip
    if (loadings is None) == (items is None):
        raise InputError(
            "Give either 'loadings' or 'items'.",
            hint='Send loadings {"construct": [0.8, 0.7], ...} or items {"construct": rows, ...}.',
            where="loadings",
            code="missing_argument",
        )
    n, n_missing = None, None
    if loadings is not None:
        found = _given_loadings(loadings)
        pairs = _pairs_from_loadings(found, construct_correlations)
        source = "loadings as given"
    else:
        blocks, n_missing = _blocks(items, constructs)
        n = len(next(iter(blocks.values())))
        found = {name: _estimated(block) for name, block in blocks.items()}
        pairs = _pairs_from_items(found, blocks)
        source = "loadings from a one-factor maximum-likelihood fit per construct (two items: equal loadings)"
    quantities: dict[str, Any] = {
        "constructs": {name: _construct_row(c) for name, c in found.items()},
        "pairs": pairs,
    }
    if n is not None:
        quantities["n"] = n
    return Measures(
        method="Convergent and discriminant validity (AVE, Fornell-Larcker, HTMT)",
        n_missing=n_missing,
        quantities=quantities,
        conventions=(
            source,
            "Fornell-Larcker: both AVE exceed the squared correlation of the constructs",
            "HTMT with absolute correlations; limits 0.85 and 0.90 are customary",
        ),
        warnings=_cautions(found),
    )


def _given_loadings(loadings: Mapping[str, Any]) -> dict[str, _Construct]:
    where = Where("validity_assessment", "loadings")
    if not loadings:
        raise where.refuse("is empty.", hint='Send {"construct": [0.8, 0.7], ...}.')
    out = {}
    for name, values in loadings.items():
        spot = Where(where.tool, f"loadings.{name}")
        kind = Vector(min_n=1, low=-1.0, high=1.0)
        vector = kind.check(values, spot)
        if isinstance(vector, np.ma.MaskedArray):
            raise spot.refuse("may not contain missing values.")
        kind.check_size(vector, spot)
        out[str(name)] = _Construct(tuple(float(v) for v in vector))
    return out


def _blocks(items: Any, constructs: Any) -> tuple[dict[str, FloatArray], int]:
    """Item scores per construct, rows with a missing value left out everywhere."""
    where = Where("validity_assessment", "items")
    if not isinstance(items, Mapping):
        if constructs is None or len(constructs) != items.shape[1]:
            raise InputError(
                f"'constructs' must name the construct of each of the {items.shape[1]} items.",
                hint="Give one label per column, or send items as {construct: rows}.",
                where="constructs",
                code="length_mismatch",
            )
        labels = [label_text(c) for c in constructs]
        items = {
            name: items[:, [j for j, label in enumerate(labels) if label == name]]
            for name in dict.fromkeys(labels)
        }
    lengths = {len(block) for block in items.values()}
    if len(lengths) > 1:
        raise where.refuse("has a different number of rows per construct.", code="length_mismatch")
    drop = np.zeros(lengths.pop(), dtype=bool)
    for block in items.values():
        drop |= np.ma.getmaskarray(block).any(axis=1)
    kept = {name: np.asarray(np.ma.getdata(block)[~drop]) for name, block in items.items()}
    rows = int((~drop).sum())
    if rows < 3:
        raise where.refuse(f"has {rows} complete rows; at least 3 are needed.", code="too_few_values")
    for name, block in kept.items():
        if bool((block.min(axis=0) == block.max(axis=0)).any()):
            raise NotDefined(
                f"An item of construct '{name}' is constant, so it has no correlation.",
                hint="Leave it out.",
                where="items",
                code="zero_variance",
            )
    return kept, int(drop.sum())


def _estimated(block: FloatArray) -> _Construct:
    k = block.shape[1]
    if k == 1:
        return _Construct((), "one item has no loading of its own")
    r = centre(block).correlation
    if k == 2:
        if not 0 < r[0, 1] < 1:
            return _Construct((), "two items need a correlation between 0 and 1 for equal loadings")
        return _Construct((math.sqrt(float(r[0, 1])),) * 2)
    try:
        return _Construct(tuple(float(v) for v in fit_one_factor(r).loadings))
    except NotDefined as error:
        return _Construct((), error.message.rstrip("."))


def _construct_row(c: _Construct) -> dict[str, Any]:
    keys = ("ave", "root_ave", "composite_reliability")
    if not c.loadings:
        return {"n_items": 0, **dict.fromkeys(keys), "undefined": dict.fromkeys(keys, c.reason)}
    return {
        "n_items": len(c.loadings),
        "ave": c.ave,
        "root_ave": math.sqrt(c.ave),
        "composite_reliability": c.reliability,
        "convergent": c.ave >= 0.5,
        "loadings": c.loadings,
    }


def _pairs_from_loadings(found: Mapping[str, _Construct], correlations: FloatArray | None) -> dict[str, Any]:
    if correlations is None:
        return {}
    names = list(found)
    if correlations.shape[0] != len(names) or bool((np.abs(np.diag(correlations) - 1) > 1e-9).any()):
        raise InputError(
            f"'construct_correlations' must be a {len(names)} x {len(names)} matrix with ones on its diagonal.",
            where="construct_correlations",
            code="shape",
        )
    out: dict[str, Any] = {}
    for i, j in combinations(range(len(names)), 2):
        r = float(correlations[i, j])
        out[f"{names[i]} - {names[j]}"] = {
            "correlation": r,
            "squared_correlation": r * r,
            "fornell_larcker": min(found[names[i]].ave, found[names[j]].ave) > r * r,
        }
    return out


def _pairs_from_items(found: Mapping[str, _Construct], blocks: Mapping[str, FloatArray]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for a, b in combinations(blocks, 2):
        joint = centre(np.column_stack((blocks[a], blocks[b]))).correlation
        ka = blocks[a].shape[1]
        within_a, within_b, between = joint[:ka, :ka], joint[ka:, ka:], joint[:ka, ka:]
        total = (
            math.sqrt(float(within_a.sum() * within_b.sum()))
            if min(within_a.sum(), within_b.sum()) > 1e-12
            else 0
        )
        row: dict[str, Any] = {
            "correlation": None,
            "latent_correlation": None,
            "fornell_larcker": None,
            "htmt": None,
        }
        undefined: dict[str, str] = {}
        if total:
            row["correlation"] = min(1.0, max(-1.0, float(between.sum()) / total))
        else:
            undefined["correlation"] = "a sum score does not vary"
        ca, cb = found[a], found[b]
        if (
            ca.loadings
            and cb.loadings
            and row["correlation"] is not None
            and ca.reliability * cb.reliability > 1e-12
        ):
            latent = row["correlation"] / math.sqrt(ca.reliability * cb.reliability)
            row["latent_correlation"] = latent
            row["fornell_larcker"] = min(ca.ave, cb.ave) > latent * latent
        else:
            reason = ca.reason or cb.reason or "a sum score does not vary"
            undefined |= dict.fromkeys(("latent_correlation", "fornell_larcker"), reason)
        row["htmt"] = _htmt(within_a, within_b, between)
        if row["htmt"] is None:
            undefined["htmt"] = "it needs two related items in each construct"
        out[f"{a} - {b}"] = row | ({"undefined": undefined} if undefined else {})
    return out


def _htmt(within_a: FloatArray, within_b: FloatArray, between: FloatArray) -> float | None:
    """Heterotrait-monotrait ratio of absolute correlations."""
    means = []
    for block in (within_a, within_b):
        upper = np.abs(block[np.triu_indices(len(block), 1)])
        if upper.size == 0:
            return None
        means.append(float(upper.mean()))
    below = means[0] * means[1]
    return float(np.abs(between).mean()) / math.sqrt(below) if below > 1e-20 else None


def _cautions(found: Mapping[str, _Construct]) -> tuple[str, ...]:
    weak = [name for name, c in found.items() if c.loadings and c.ave < 0.5]
    lost: Sequence[str] = [name for name, c in found.items() if not c.loadings]
    out = []
    if weak:
        out.append(f"AVE below 0.5: {', '.join(weak)}.")
    if lost:
        out.append(f"No loadings could be estimated for: {', '.join(lost)}.")
    return tuple(out)
