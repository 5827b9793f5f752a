"""Argument kinds that hold many values: vectors, labels, groups, columns, rows and matrices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from statistikles.registry.kinds import Kind, Where, is_reference, kind_of, shown, too_few
from statistikles.registry.summaries import CrossedLabels, NeedsValues, Summary

FloatArray = NDArray[np.float64]

__all__ = [
    "ColumnSet",
    "FloatArray",
    "GroupMap",
    "LabelVector",
    "MatrixOf",
    "RowSet",
    "Vector",
    "VectorDict",
]

# Above this not every whole number has a double.
_LARGEST_WHOLE = 2.0**53
COLUMN_REFERENCE: dict[str, Any] = {
    "type": "object",
    "properties": {"column": {"type": "string"}, "where": {"type": "string"}, "table": {"type": "string"}},
    "required": ["column"],
}
NUMBER_OR_NULL: dict[str, Any] = {"type": ["number", "null"]}
VECTOR_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"type": "array", "items": NUMBER_OR_NULL},
        {"type": "string", "description": "a column name"},
        COLUMN_REFERENCE,
    ]
}


def as_floats(value: Any, where: Where, what: str = "") -> FloatArray | np.ma.MaskedArray[Any, Any]:
    """One-dimensional float64, masked where missing."""
    prefix = f"{what} " if what else ""
    if isinstance(value, Summary):
        return cast("FloatArray", value)
    if is_reference(value):
        raise where.refuse(
            f"{prefix}refers to a column, but no data were given.",
            hint="Load a table, or send a list of numbers.",
        )
    if isinstance(value, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(value)
        data = as_floats(value.compressed(), where, what)
        full: FloatArray = np.zeros(mask.shape, dtype=np.float64)
        full[~mask] = data
        return np.ma.MaskedArray(full, mask=mask) if mask.any() else full
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise where.refuse(
            f"{prefix}must be a list of numbers, not {kind_of(value)}.",
            hint="Send a list such as [1.2, 3.4, 5.6].",
        )
    if isinstance(value, set | frozenset):
        raise where.refuse(f"{prefix}must be an ordered list of numbers, not a set.")
    if not hasattr(value, "__array__"):
        value = list(value)
        if any(isinstance(v, bool) for v in value):
            raise where.refuse(f"{prefix}contains true/false where numbers are needed.", hint="Use 1 and 0.")
    try:
        array = np.asarray(value)
    except (ValueError, TypeError):
        raise where.refuse(
            f"{prefix}must be one flat list of numbers.", hint="Send one number per row, not nested lists."
        ) from None
    if array.ndim != 1:
        raise where.refuse(f"{prefix}must be one flat list of numbers, not {array.ndim}-dimensional.")
    if array.dtype.kind in "iuf":
        return _finite(array.astype(np.float64, copy=False), where, prefix)
    if array.dtype.kind == "b":
        raise where.refuse(f"{prefix}contains true/false where numbers are needed.", hint="Use 1 and 0.")
    return _from_objects(list(value), where, prefix)


def _from_objects(items: list[Any], where: Where, prefix: str) -> FloatArray | np.ma.MaskedArray[Any, Any]:
    """Mixed items: None is missing, anything else that is not a number is refused with its place."""
    mask = np.array([item is None for item in items])
    numbers: FloatArray = np.zeros(len(items), dtype=np.float64)
    for place, item in enumerate(items):
        if item is None:
            continue
        if isinstance(item, str | bool) or not hasattr(item, "__float__"):
            raise where.refuse(
                f"{prefix}must hold numbers; item {place + 1} is {shown(item)}.",
                hint="Send numbers; null marks a missing value.",
            )
        try:
            numbers[place] = float(item)
        except (OverflowError, TypeError, ValueError):
            raise where.refuse(f"{prefix}item {place + 1} is too large for a number.") from None
    _finite(numbers, where, prefix)
    return np.ma.MaskedArray(numbers, mask=mask) if mask.any() else numbers


def _finite(array: FloatArray, where: Where, prefix: str) -> FloatArray:
    finite = np.isfinite(array)
    if not finite.all():
        place = int(np.flatnonzero(~finite)[0])
        raise where.refuse(
            f"{prefix}holds a value that is not finite (item {place + 1}: {array[place]}).",
            hint="Remove it, or send null for a missing value.",
            code="not_finite",
        )
    return array


@dataclass(frozen=True)
class Vector(Kind):
    """A list of numbers, or a column reference."""

    shape: ClassVar[str] = "vector"
    min_n: int = 1
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    binary: bool = False

    def schema(self) -> dict[str, Any]:
        return dict(VECTOR_SCHEMA)

    def check(self, value: Any, where: Where) -> Any:
        if self.binary and isinstance(value, np.ndarray):
            value = value.astype(np.int8) if value.dtype.kind == "b" else value
        elif self.binary and not is_reference(value) and isinstance(value, Sequence):
            value = [int(v) if isinstance(v, bool | np.bool_) else v for v in value]
        array = as_floats(value, where)
        if isinstance(value, Summary):
            if self.whole or self.binary:
                raise NeedsValues("whole")
            self.check_values(np.array([value.minimum, value.maximum]), where)
        else:
            self.check_values(np.ma.compressed(array), where)
        return array

    def check_values(self, values: FloatArray, where: Where) -> None:
        """Range rules on the values that are present."""
        if self.binary and not np.isin(values, (0.0, 1.0)).all():
            raise where.refuse("must hold only 0 and 1.", hint="Code the event as 1 and its absence as 0.")
        if values.size and (values.min() < self.low or values.max() > self.high):
            raise where.refuse(f"must hold values {_range_text(self.low, self.high)}.", code="out_of_range")
        if self.whole and (values != np.floor(values)).any():
            raise where.refuse("must hold whole numbers.", code="out_of_range")
        if self.whole and values.size and np.abs(values).max() > _LARGEST_WHOLE:
            raise where.refuse("holds numbers too large to be whole numbers exactly.", code="out_of_range")

    def check_size(self, values: FloatArray, where: Where) -> None:
        """Size rule, after missing values were dropped."""
        if values.shape[0] < self.min_n:
            raise too_few(values.shape[0], self.min_n, where)


def _range_text(low: float, high: float) -> str:
    if math.isinf(high):
        return f"of at least {low:g}"
    if math.isinf(low):
        return f"of at most {high:g}"
    return f"from {low:g} to {high:g}"


@dataclass(frozen=True)
class LabelVector(Kind):
    """A list of categories (text or numbers), or a column reference.

    `numeric`: numbers mean numbers (an outcome to predict, ordered codes), so a numeric column stays numeric.
    """

    shape: ClassVar[str] = "labels"
    min_n: int = 1
    numeric: bool = False

    def schema(self) -> dict[str, Any]:
        return {
            "anyOf": [
                {"type": "array", "items": {"type": ["string", "number", "boolean", "null"]}},
                {"type": "string", "description": "a column name"},
                COLUMN_REFERENCE,
            ]
        }

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, CrossedLabels):
            return value
        if is_reference(value):
            raise where.refuse(
                "refers to a column, but no data were given.", hint="Load a table, or send a list."
            )
        if isinstance(value, Mapping | bytes) or not isinstance(value, Iterable):
            raise where.refuse(f"must be a list of labels, not {kind_of(value)}.")
        # A masked array lists its missing entries as None.
        items = value.tolist() if isinstance(value, np.ndarray) else list(value)
        out = np.empty(len(items), dtype=object)
        mask = np.zeros(len(items), dtype=bool)
        for place, item in enumerate(items):
            if item is None:
                mask[place] = True
            elif isinstance(item, float) and not math.isfinite(item):
                raise where.refuse(
                    f"item {place + 1} is not finite.", hint="null marks a missing value.", code="not_finite"
                )
            elif isinstance(item, str | int | float | bool):
                out[place] = item
            else:
                raise where.refuse(f"item {place + 1} is {kind_of(item)}; labels are text or numbers.")
        return np.ma.MaskedArray(out, mask=mask) if mask.any() else out

    def check_size(self, values: NDArray[Any], where: Where) -> None:
        """Size rule, after missing values were dropped."""
        if values.shape[0] < self.min_n:
            raise too_few(values.shape[0], self.min_n, where)


@dataclass(frozen=True)
class GroupMap(Kind):
    """Named groups of numbers: {name: list}, a list of lists, or {"column": VALUE, "by": GROUP}."""

    shape: ClassVar[str] = "groups"
    min_groups: int = 2
    max_groups: int | None = None
    min_n: int = 1

    def schema(self) -> dict[str, Any]:
        reference = {
            "type": "object",
            "properties": {
                "column": {"type": "string"},
                "by": {"type": "string"},
                "where": {"type": "string"},
                "table": {"type": "string"},
            },
            "required": ["column", "by"],
        }
        numbers = {"type": "array", "items": NUMBER_OR_NULL}
        return {
            "anyOf": [
                reference,
                {"type": "array", "items": VECTOR_SCHEMA},
                {"type": "object", "additionalProperties": numbers},
            ]
        }

    def check(self, value: Any, where: Where) -> Any:
        if is_reference(value):
            raise where.refuse(
                "refers to a column, but no data were given.", hint="Load a table, or send lists."
            )
        if isinstance(value, Mapping):
            named = {str(name): part for name, part in value.items()}
        elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
            named = {f"group{i}": part for i, part in enumerate(value, start=1)}
        else:
            raise where.refuse(
                f"must be a list of lists or named lists, not {kind_of(value)}.",
                hint='Send {"name": [1, 2], "other": [3, 4]} or {"column": VALUE, "by": GROUP}.',
            )
        groups = {name: as_floats(part, where, f"group '{name}'") for name, part in named.items()}
        if len(groups) < self.min_groups:
            raise where.refuse(
                f"has {len(groups)} group{'s' if len(groups) != 1 else ''}; at least {self.min_groups} are needed.",
                hint="Give more groups, or choose a grouping column with more levels.",
                code="too_few_groups",
            )
        if self.max_groups is not None and len(groups) > self.max_groups:
            raise where.refuse(
                f"has {len(groups)} groups ({', '.join(list(groups)[:6])}); at most {self.max_groups} are allowed.",
                hint="Filter to the groups you want to compare, or use a test for several groups.",
                code="too_many_groups",
            )
        return groups

    def check_size(self, values: Mapping[str, FloatArray], where: Where) -> None:
        """Size rule per group, after missing values were dropped."""
        for name, part in values.items():
            if part.shape[0] < self.min_n:
                raise too_few(part.shape[0], self.min_n, where, f"group '{name}'")


@dataclass(frozen=True)
class ColumnSet(Kind):
    """Predictors: one vector or a list of COLUMNS; comes out as an (n, p) array."""

    shape: ClassVar[str] = "columns"
    min_n: int = 1

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "array", "items": VECTOR_SCHEMA}, *VECTOR_SCHEMA["anyOf"]]}

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, Summary):
            return value
        if type(value) is np.ndarray and value.ndim == 2 and value.dtype.kind in "iuf" and value.size:
            return self._checked_array(value, where)
        if isinstance(value, np.ndarray) and value.ndim == 2:
            columns = [value[:, j] for j in range(value.shape[1])]
        elif isinstance(value, Mapping) and value and "column" not in value:
            columns = list(value.values())
        elif isinstance(value, Sequence) and value and all(_is_column(v) for v in value):
            columns = list(value)
        else:
            columns = [value]
        if not columns:
            raise where.refuse("has no columns.", hint="Send one list of numbers per column.")
        arrays = [
            as_floats(c, where, f"column {j}" if len(columns) > 1 else "") for j, c in enumerate(columns, 1)
        ]
        return _side_by_side(arrays, where)

    @staticmethod
    def _checked_array(value: NDArray[Any], where: Where) -> FloatArray:
        """A rectangle that is already numeric needs no taking apart."""
        array = np.ascontiguousarray(value, dtype=np.float64)
        _finite(array.ravel(), where, "")
        return array

    def check_size(self, values: FloatArray, where: Where) -> None:
        """Size rule, after missing rows were dropped."""
        if values.shape[0] < self.min_n:
            raise too_few(values.shape[0], self.min_n, where)


def _is_column(value: Any) -> bool:
    return is_reference(value) or (isinstance(value, Sequence | np.ndarray) and not isinstance(value, str))


def _side_by_side(arrays: list[Any], where: Where) -> Any:
    lengths = {len(a) for a in arrays}
    if len(lengths) > 1:
        raise where.refuse(
            f"has columns of different lengths ({', '.join(str(len(a)) for a in arrays)}).",
            hint="Every column needs one value per row; null marks a missing one.",
            code="length_mismatch",
        )
    out = (
        np.ma.column_stack(arrays)
        if any(isinstance(a, np.ma.MaskedArray) for a in arrays)
        else np.column_stack(arrays)
    )
    return out if isinstance(out, np.ma.MaskedArray) else np.ascontiguousarray(out)


@dataclass(frozen=True)
class RowSet(Kind):
    """A rectangle given by ROWS (rows = subjects); comes out as an (n, k) array."""

    shape: ClassVar[str] = "rows"
    min_n: int = 1
    min_columns: int = 1

    def schema(self) -> dict[str, Any]:
        rows = {"type": "array", "items": {"type": "array", "items": NUMBER_OR_NULL}}
        columns = {
            "type": "object",
            "properties": {
                "columns": {"type": "array", "items": {"type": "string"}},
                "where": {"type": "string"},
            },
            "required": ["columns"],
        }
        return {"anyOf": [rows, columns]}

    def check(self, value: Any, where: Where) -> Any:
        if isinstance(value, np.ndarray) and value.ndim == 2:
            rows: list[Any] = list(value)
        elif isinstance(value, Mapping) or is_reference(value):
            raise where.refuse(
                "refers to columns, but no data were given.", hint="Load a table, or send rows."
            )
        elif (
            isinstance(value, Sequence) and value and all(isinstance(r, Sequence | np.ndarray) for r in value)
        ):
            rows = list(value)
        else:
            raise where.refuse(
                "must be a list of rows, each a list of numbers.", hint="One inner list per subject."
            )
        arrays = [as_floats(r, where, f"row {i}") for i, r in enumerate(rows, 1)]
        widths = {len(a) for a in arrays}
        if len(widths) > 1:
            raise where.refuse(
                f"has rows of different lengths ({min(widths)} to {max(widths)}).",
                hint="Every row needs one value per column; null marks a missing one.",
                code="length_mismatch",
            )
        masked = any(isinstance(a, np.ma.MaskedArray) for a in arrays)
        out = np.ma.vstack(arrays) if masked else np.vstack(arrays)
        if out.shape[1] < self.min_columns:
            raise where.refuse(f"has {out.shape[1]} columns; at least {self.min_columns} are needed.")
        return out

    def check_size(self, values: FloatArray, where: Where) -> None:
        """Size rule, after missing rows were dropped."""
        if values.shape[0] < self.min_n:
            raise too_few(values.shape[0], self.min_n, where, "it (complete rows)")


@dataclass(frozen=True)
class MatrixOf(Kind):
    """A matrix of numbers without missing values; `flat` also lets a plain list through as one row."""

    shape: ClassVar[str] = "table"
    square: bool = False
    symmetric: bool = False
    low: float = -math.inf
    high: float = math.inf
    whole: bool = False
    flat: bool = False

    def schema(self) -> dict[str, Any]:
        rows: dict[str, Any] = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
        crossed = {
            "type": "object",
            "description": "counts of two columns crossed",
            "properties": {
                "column": {"type": "string"},
                "by": {"type": "string"},
                "where": {"type": "string"},
            },
            "required": ["column"],
        }
        flat = [{"type": "array", "items": {"type": "number"}}] if self.flat else []
        return {"anyOf": [rows, *flat, crossed]}

    def check(self, value: Any, where: Where) -> Any:
        if is_reference(value) or isinstance(value, Mapping):
            raise where.refuse(
                "refers to columns, but no data were given.", hint="Load a table, or send rows."
            )
        if self.flat and isinstance(value, Sequence | np.ndarray) and len(value) and not _is_column(value[0]):
            return self._ranged(np.asarray(_complete(as_floats(value, where), where)), where)
        array = np.asarray(_complete(RowSet().check(value, where), where))
        if self.square and array.shape[0] != array.shape[1]:
            raise where.refuse(f"must be square, not {array.shape[0]} x {array.shape[1]}.", code="shape")
        if self.symmetric and not np.allclose(array, array.T, rtol=1e-9, atol=0.0):
            raise where.refuse("must be symmetric.", code="shape")
        return self._ranged(array, where)

    def _ranged(self, array: FloatArray, where: Where) -> FloatArray:
        Vector(low=self.low, high=self.high, whole=self.whole).check_values(array.ravel(), where)
        return array


def _complete(array: Any, where: Where) -> Any:
    if isinstance(array, np.ma.MaskedArray):
        raise where.refuse("may not contain missing values.", hint="Fill in or leave out the rows concerned.")
    return array


@dataclass(frozen=True)
class VectorDict(Kind):
    """Named columns of equal length: {name: list or column reference}."""

    shape: ClassVar[str] = "vectors"

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": VECTOR_SCHEMA}

    def check(self, value: Any, where: Where) -> Any:
        if not isinstance(value, Mapping) or not value:
            raise where.refuse(f"must be an object of named columns, not {kind_of(value)}.")
        columns = {str(k): as_floats(v, where, f"column '{k}'") for k, v in value.items()}
        if len({len(c) for c in columns.values()}) > 1:
            raise where.refuse("has columns of different lengths.", code="length_mismatch")
        return columns
