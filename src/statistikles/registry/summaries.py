"""Samples that are known by their sums only: a statistic that can do with sums takes them in place of values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["CrossedLabels", "NeedsValues", "Summary"]


class NeedsValues(Exception):
    """The values themselves are needed after all: the caller asks again with them."""


class Summary:
    """Stands where a vector or a set of columns stands; missing values are dropped already and counted."""

    n: int
    n_missing: int
    minimum: float
    maximum: float
    n_without_group = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """As of the vector it stands for."""
        return (self.n,)

    @property
    def size(self) -> int:
        """As of the vector it stands for."""
        return self.n

    def min(self) -> float:
        """The smallest value."""
        return self.minimum

    def max(self) -> float:
        """The largest value."""
        return self.maximum

    def __getattr__(self, name: str) -> Any:
        """Whatever else is asked of a vector needs its values."""
        if name.startswith("_"):
            raise AttributeError(name)
        raise NeedsValues(name)

    def __array__(self, *_args: Any, **_kwargs: Any) -> Any:
        raise NeedsValues("array")

    def __getitem__(self, _index: Any) -> Any:
        raise NeedsValues("item")

    def __len__(self) -> int:
        return self.n


class CrossedLabels(Summary):
    """One of two columns of labels that are known by how often each pair of theirs occurs.

    Parameters
    ----------
    counts : {(label of the first, label of the second): count}; the other column has the same ones.
    place : which of the two it is, 0 or 1.
    n_missing : rows without a label in one of them.
    """

    def __init__(self, counts: Mapping[tuple[str, str], int], place: int, n_missing: int) -> None:
        self.counts, self.place, self.n_missing = counts, place, n_missing
        self.n = sum(counts.values())

    @property
    def categories(self) -> set[str]:
        """The different labels."""
        return {pair[self.place] for pair in self.counts}
