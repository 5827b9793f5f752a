"""The arithmetic of PERMANOVA: Gower's matrix, orthonormal bases of the terms, and their permutations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Split", "Term", "arrangements", "build_terms", "gower", "listed", "permuted", "split"]

Matrix = NDArray[np.float64]
Codes = NDArray[np.int64]

# Numbers permuted at once: a batch that stays in cache.
_CELLS = 130_000
_RANK = 1e-9


@dataclass(frozen=True)
class Term:
    """A term of the model: its name and an orthonormal basis of what it adds to the terms it is adjusted for."""

    name: str
    basis: Matrix

    @property
    def df(self) -> int:
        """Degrees of freedom."""
        return int(self.basis.shape[1])


@dataclass(frozen=True)
class Split:
    """Sums of squares of the terms and of the residual."""

    terms: tuple[float, ...]
    residual: float


def gower(distances: Matrix) -> Matrix:
    """-D²/2 with rows and columns centred: inner products of the objects about their centroid."""
    a = -0.5 * distances**2
    means = a.mean(axis=0)
    out: Matrix = a - means[:, None] - means[None, :] + means.mean()
    return out


def _indicators(codes: Codes) -> Matrix:
    out: Matrix = (codes[:, None] == np.unique(codes)[None, :]).astype(np.float64)
    return out


def _extra(columns: Matrix, base: Matrix) -> Matrix:
    """Orthonormal basis of the part of `columns` outside the orthonormal `base`."""
    rest = columns - base @ (base.T @ columns)
    rest -= base @ (base.T @ rest)  # once more: orthogonal to rounding
    left, size, _ = np.linalg.svd(rest, full_matrices=False)
    scale = max(1.0, float(np.abs(columns).max())) * math.sqrt(columns.shape[0])
    out: Matrix = left[:, size > _RANK * scale]
    return out


def build_terms(factors: dict[str, Codes], *, interaction: bool) -> tuple[list[Term], list[Term], Matrix]:
    """Terms each adjusted for the others (type II), terms in sequence (type I), and a basis of the whole model.

    With `interaction`, the two-way interactions come after all factors.
    """
    n = next(iter(factors.values())).size
    one = np.full((n, 1), 1 / math.sqrt(n))
    columns = {name: _indicators(codes) for name, codes in factors.items()}
    pairs = {}
    if interaction:
        for a, b in combinations(factors, 2):
            pairs[f"{a} × {b}"] = (columns[a][:, :, None] * columns[b][:, None, :]).reshape(n, -1)
    everything = columns | pairs
    base, sequence = one, []
    for name, x in everything.items():
        term = Term(name, _extra(x, base))
        sequence.append(term)
        base = np.hstack((base, term.basis))
    partial = []
    for name, x in everything.items():
        others = [v for k, v in columns.items() if k != name]
        if name in pairs:
            others = [*columns.values(), *(v for k, v in pairs.items() if k != name)]
        rest = one
        for other in others:
            rest = np.hstack((rest, _extra(other, rest)))
        partial.append(Term(name, _extra(x, rest)))
    return partial, sequence, base


def split(g: Matrix, terms: list[Term], model: Matrix) -> Split:
    """Sums of squares of the terms, and what the whole model leaves."""
    explained = float(np.einsum("ij,ij->", model, g @ model))
    return Split(
        tuple(float(np.einsum("ij,ij->", t.basis, g @ t.basis)) for t in terms),
        float(np.trace(g)) - explained,
    )


def arrangements(cells: Codes, limit: int) -> int | None:
    """Number of different arrangements of the cell labels, or None when it exceeds `limit`."""
    count, placed = 1, 0
    for size in np.unique(cells, return_counts=True)[1].tolist():
        placed += size
        count *= math.comb(placed, size)
        if count > limit:
            return None
    return count


def listed(cells: Codes) -> Iterator[Codes]:
    """Every different arrangement of the cell labels."""
    labels, sizes = np.unique(cells, return_counts=True)

    def place(index: int, free: tuple[int, ...], out: Codes) -> Iterator[Codes]:
        if index == labels.size:
            yield out.copy()
            return
        for spots in combinations(free, int(sizes[index])):
            out[list(spots)] = labels[index]
            yield from place(index + 1, tuple(f for f in free if f not in spots), out)

    yield from place(0, tuple(range(cells.size)), np.zeros(cells.size, dtype=np.int64))


def permuted(
    g: Matrix,
    terms: list[Term],
    model: Matrix,
    cells: Codes,
    arranged: Iterator[Codes] | None,
    count: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Pseudo-F of every term under `count` arrangements of the cell labels (given, or drawn at random).

    Labels are exchanged instead of objects: the rows of a basis depend on the cell alone, so that a small table
    and one matrix product per batch give the sums of squares.
    """
    n, total = g.shape[0], float(np.trace(g))
    # One term spans the model; several do not (they overlap unless balanced), so the model's basis follows them.
    alone = len(terms) == 1
    stacked = np.hstack([t.basis for t in terms] + ([] if alone else [model[:, 1:]]))
    rows = stacked[np.unique(cells, return_index=True)[1]]
    cuts = np.cumsum([0] + [t.df for t in terms])
    df_residual = n - model.shape[1]
    batch = max(1, _CELLS // stacked.size)
    out = np.empty((count, len(terms)))
    for start in range(0, count, batch):
        size = min(batch, count - start)
        if arranged is None:
            labels = rng.permuted(np.tile(cells, (size, 1)), axis=1)
        else:
            labels = np.array([next(arranged) for _ in range(size)])
        moved = rows[labels.T].reshape(n, -1)
        squares = np.einsum("ij,ij->j", moved, g @ moved).reshape(size, -1)
        explained = squares[:, 0 if alone else cuts[-1] :].sum(axis=1)
        residual = (total - explained) / df_residual
        for k, term in enumerate(terms):
            out[start : start + size, k] = squares[:, cuts[k] : cuts[k + 1]].sum(axis=1) / term.df / residual
    return out
