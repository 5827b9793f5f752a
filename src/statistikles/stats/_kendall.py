"""Concordant and discordant pairs of two variables, and the rank correlations made of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from statistikles.results import EffectSize
from statistikles.stats._comoments import discordance
from statistikles.stats._numerics import Vector, tie_sizes
from statistikles.stats._rank_nulls import kendall_exact_tails
from statistikles.stats._tails import p_from_tails

__all__ = ["KendallCounts", "kendall_counts", "kendall_exact_p", "score_variance"]

_EXACT_LIMIT = 60


@dataclass(frozen=True)
class KendallCounts:
    """Pairs by kind; `tied_x` and `tied_y` include the pairs tied in both."""

    n: int
    concordant: int
    discordant: int
    tied_x: int
    tied_y: int
    tied_both: int
    levels: int
    variance: float

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return self.n * (self.n - 1) // 2

    @property
    def score(self) -> int:
        """Concordant minus discordant."""
        return self.concordant - self.discordant

    @property
    def tau_b(self) -> float:
        """Kendall's tau corrected for ties."""
        free_x, free_y = self.pairs - self.tied_x, self.pairs - self.tied_y
        if free_x == free_y:
            return self.score / free_x
        return max(-1.0, min(1.0, self.score / math.sqrt(free_x) / math.sqrt(free_y)))

    def relatives(self) -> dict[str, EffectSize]:
        """tau-a, tau-c, gamma and Somers' d of the same pairs."""
        untied = self.concordant + self.discordant
        gamma = (
            EffectSize(name="Goodman–Kruskal γ", estimate=self.score / untied)
            if untied
            else EffectSize(name="Goodman–Kruskal γ", undefined={"estimate": "every pair is tied"})
        )
        m = self.levels
        return {
            "tau_a": EffectSize(name="Kendall's τ_a", estimate=self.score / self.pairs),
            "tau_c": EffectSize(name="Stuart's τ_c", estimate=2 * self.score * m / (self.n**2 * (m - 1))),
            "gamma": gamma,
            "somers_d_yx": EffectSize(
                name="Somers' d (y depends on x)", estimate=self.score / (self.pairs - self.tied_x)
            ),
            "somers_d_xy": EffectSize(
                name="Somers' d (x depends on y)", estimate=self.score / (self.pairs - self.tied_y)
            ),
        }


def _tied_pairs(sizes: list[int]) -> int:
    return sum(t * (t - 1) // 2 for t in sizes)


def kendall_counts(x: Vector, y: Vector) -> KendallCounts:
    """Count the pairs of two vectors that are not constant, in n log n."""
    n = int(x.size)
    ties_x, ties_y = tie_sizes(x), tie_sizes(y)
    _, code_x = np.unique(x, return_inverse=True)
    _, code_y = np.unique(y, return_inverse=True)
    levels_x, levels_y = int(code_x.max()) + 1, int(code_y.max()) + 1
    both = _tied_pairs(tie_sizes((code_x.astype(np.int64) * levels_y + code_y).astype(np.float64)))
    tied_x, tied_y = _tied_pairs(ties_x), _tied_pairs(ties_y)
    discordant = discordance(x, y)
    concordant = n * (n - 1) // 2 - tied_x - tied_y + both - discordant
    return KendallCounts(
        n=n,
        concordant=concordant,
        discordant=discordant,
        tied_x=tied_x,
        tied_y=tied_y,
        tied_both=both,
        levels=min(levels_x, levels_y),
        variance=score_variance(n, ties_x, ties_y),
    )


def score_variance(n: int, ties_x: list[int], ties_y: list[int]) -> float:
    """Variance of the score under independence, corrected for ties (Kendall 1970)."""

    def triple(sizes: list[int]) -> int:
        return sum(t * (t - 1) * (2 * t + 5) for t in sizes)

    def third(sizes: list[int]) -> int:
        return sum(t * (t - 1) * (t - 2) for t in sizes)

    value = (n * (n - 1) * (2 * n + 5) - triple(ties_x) - triple(ties_y)) / 18
    value += 2 * _tied_pairs(ties_x) * _tied_pairs(ties_y) / (n * (n - 1))
    if n > 2:
        value += third(ties_x) * third(ties_y) / (9 * n * (n - 1) * (n - 2))
    return value


def kendall_exact_p(counts: KendallCounts, alternative: str) -> float | None:
    """Exact p without ties and for moderate n, otherwise None."""
    if counts.tied_x or counts.tied_y or counts.n > _EXACT_LIMIT:
        return None
    lower, upper = kendall_exact_tails(counts.concordant, counts.n)
    return p_from_tails(lower, upper, alternative)
