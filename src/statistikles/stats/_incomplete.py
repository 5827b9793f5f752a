"""Several variables with their missing values kept, as an argument of a statistic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from statistikles.registry.arguments import Kind, RowSet, VectorDict, Where

__all__ = ["IncompleteData"]


@dataclass(frozen=True)
class IncompleteData(Kind):
    """Variables with their missing values kept: {name: column}, or rows with null where missing."""

    shape: ClassVar[str] = "vectors"

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [VectorDict().schema(), *RowSet().schema()["anyOf"]]}

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, Mapping) or not isinstance(value, Iterable):
            columns = VectorDict().check(value, where)
        else:
            rows = RowSet().check(value, where)
            columns = {f"var{j + 1}": rows[:, j] for j in range(rows.shape[1])}
        names = tuple(columns)
        return names, np.ma.column_stack([columns[name] for name in names])
