"""Values by rank without sorting a column: counts in buckets say where a rank lies, and only that bucket is sorted.

The bucket of a value never falls as the value grows, whatever the rounding of its formula, so a rank lies in the
bucket where the running count reaches it. The counts of all groups come from one pass.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from statistikles.pipeline.pushdown import number

if TYPE_CHECKING:
    from statistikles.pipeline.pushdown import Groups

__all__ = ["Buckets"]

_BUCKETS = 4096
_MOST = 100_000  # values that are fetched and sorted at once


class Buckets:
    """How many values of each group lie in each bucket."""

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self._counts: dict[str, tuple[list[int], list[int]]] | None = None
        present = [p for p in groups.parts.values() if p.n]
        self._low, high = min(p.low for p in present), max(p.high for p in present)
        self._scale = _BUCKETS / (high - self._low) if high > self._low else 0.0
        place = f"({groups.value} - {number(self._low)}) * {number(self._scale)}"
        self._bucket = f"CAST(floor({place}) AS INTEGER)"

    def values(self, label: str, ranks: Sequence[int]) -> list[float] | None:
        """The values of a group with these ranks (from 1); None when too many values share their buckets."""
        if not 0 < self._scale < math.inf:
            return None
        if self._counts is None:
            self._counts = self._count()
        buckets, running = self._counts[label]
        places = [bisect_left(running, rank) for rank in ranks]
        needed = sorted(set(places))
        before = {place: running[place - 1] if place else 0 for place in needed}
        if sum(running[place] - before[place] for place in needed) > _MOST:
            return None
        found = self._fetch(label, [buckets[place] for place in needed])
        return [
            found[buckets[place]][rank - 1 - before[place]] for place, rank in zip(places, ranks, strict=True)
        ]

    def _count(self) -> dict[str, tuple[list[int], list[int]]]:
        """Per group its buckets in order, and how many values lie up to the end of each."""
        groups = self.groups
        rows = groups.push.runner.ask(
            f"SELECT g, b, count(*) FROM (SELECT {groups.by or '1'} AS g, {self._bucket} AS b FROM data "  # noqa: S608
            f"WHERE {groups.condition} AND {groups.value} IS NOT NULL) AS t GROUP BY g, b ORDER BY b",
            groups.parameters,
        )
        counts: dict[str, list[tuple[int, int]]] = {label: [] for label in groups.parts}
        for g, b, n in rows:
            if groups.by is None or g is not None:
                counts[groups.push.label(g) if groups.by else ""].append((int(b), int(n)))
        return {
            label: ([b for b, _ in found], list(accumulate(n for _, n in found)))
            for label, found in counts.items()
        }

    def _fetch(self, label: str, buckets: Sequence[int]) -> dict[int, list[float]]:
        """The values of some buckets of a group, each sorted."""
        groups = self.groups
        chosen: list[Any] = [] if groups.by is None else [groups.parts[label].key]
        rows = groups.push.runner.ask(
            f"SELECT {self._bucket} AS b, {groups.value} FROM data WHERE {groups.condition} "  # noqa: S608
            f"AND {groups.value} IS NOT NULL AND {self._bucket} IN ({', '.join(map(str, buckets))})"
            + (f" AND {groups.by} = ?" if groups.by else ""),
            [*groups.parameters, *chosen],
        )
        found: dict[int, list[float]] = {b: [] for b in buckets}
        for b, value in rows:
            found[int(b)].append(float(value) + 0.0)
        return {b: sorted(values) for b, values in found.items()}
