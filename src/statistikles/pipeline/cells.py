"""Cells as Python values, from frames, workbooks, records and databases: a column of them as arrays."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from statistikles.pipeline.canonicalise.codes import notice
from statistikles.pipeline.inference import MISSING_CODES

if TYPE_CHECKING:
    import numpy as np

    from statistikles.pipeline.findings import Finding

__all__ = ["add_list"]

_WIDEST = 2**53


def add_list(
    arrays: dict[str, Any], findings: list[Finding], i: int, header: str, cells: Sequence[Any]
) -> None:
    """A column of Python values as a value array and a mask array, in the narrowest type that holds all."""
    import numpy as np

    plain = _of_one_type(cells)
    if plain is not None:
        arrays[f"v{i}"], arrays[f"m{i}"] = plain
        return
    if any(hasattr(c, "item") and not isinstance(c, (str, bytes)) for c in cells):
        cells = [c.item() if hasattr(c, "item") else c for c in cells]
    gone = [c is None or (isinstance(c, float) and math.isnan(c)) or c == "" for c in cells]
    kinds = {_kind(c) for c, missing in zip(cells, gone, strict=True) if not missing}
    mask = np.array(gone, dtype=bool)
    values: np.ndarray[Any, Any]
    if kinds and kinds <= {"integer", "float"}:
        numbers = [0 if missing else c for c, missing in zip(cells, gone, strict=True)]
        whole = all(
            isinstance(c, int) or (math.isfinite(c) and c == int(c) and abs(c) < _WIDEST) for c in numbers
        )
        if whole and all(-(2**63) <= c < 2**63 for c in numbers):
            values = np.array([int(c) for c in numbers], dtype=np.int64)
        elif any(isinstance(c, int) and abs(c) >= 2**63 for c in numbers):
            values = np.array([None if g else str(c) for c, g in zip(cells, gone, strict=True)], dtype=object)
            findings.append(
                notice("huge_integers", f"'{header}' holds integers beyond 64 bits; kept as text.", header)
            )
        else:
            values = np.array([float(c) for c in numbers], dtype=np.float64)
    elif kinds == {"boolean"}:
        values = np.array([bool(c) and not g for c, g in zip(cells, gone, strict=True)], dtype=bool)
    elif kinds == {"datetime"}:
        values = np.array(
            [None if g else _naive(c) for c, g in zip(cells, gone, strict=True)], dtype="datetime64[us]"
        )
        if any(getattr(c, "tzinfo", None) is not None for c in cells):
            text = f"The times of '{header}' are given in UTC."
            findings.append(notice("time_zone", text, header, done="Moved to UTC."))
    else:
        values = np.array([None if g else _text(c) for c, g in zip(cells, gone, strict=True)], dtype=object)
        true_kinds = (
            kinds - {"text"} if all(c in MISSING_CODES for c in cells if isinstance(c, str) and c) else kinds
        )
        if len(true_kinds - {"integer"} if "float" in true_kinds else true_kinds) > 1:
            listed = " and ".join(sorted(true_kinds))
            text = f"'{header}' mixes cells of the types {listed}; kept as text."
            findings.append(notice("mixed_types", text, header))
        elif kinds == {"nested"}:
            findings.append(notice("nested", f"'{header}' holds nested values; kept as text.", header))
    arrays[f"v{i}"], arrays[f"m{i}"] = values, mask


def _of_one_type(cells: Sequence[Any]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]] | None:
    """The same arrays, made at once, when all cells that are not missing are plain ints, floats or texts."""
    import numpy as np

    kinds = set(map(type, cells)) - {type(None)}
    if kinds == {str}:
        gone = [c is None or c == "" for c in cells]
        values: np.ndarray[Any, Any] = np.empty(len(cells), dtype=object)
        values[:] = [None if g else c for c, g in zip(cells, gone, strict=True)]
        return values, np.array(gone, dtype=bool)
    if kinds == {int}:
        mask = np.fromiter((c is None for c in cells), dtype=bool, count=len(cells))
        try:
            return np.array([0 if c is None else c for c in cells], dtype=np.int64), mask
        except OverflowError:
            return None
    if kinds != {float}:
        return None
    numbers = np.array(cells, dtype=np.float64)  # None becomes NaN
    mask = np.isnan(numbers)
    if mask.all():
        return None
    numbers[mask] = 0.0
    whole = np.isfinite(numbers) & (np.abs(numbers) < _WIDEST)
    if whole.all() and bool((np.trunc(numbers) == numbers).all()):
        return numbers.astype(np.int64), mask
    return numbers, mask


def _kind(cell: Any) -> str:
    if isinstance(cell, bool):
        return "boolean"
    if isinstance(cell, int):
        return "integer"
    if isinstance(cell, float):
        return "float"
    if isinstance(cell, (dt.datetime, dt.date)):
        return "datetime"
    if isinstance(cell, (dict, list, tuple, set)):
        return "nested"
    return "text"


def _naive(value: dt.datetime | dt.date) -> dt.datetime:
    """A date or time without zone, in UTC."""
    if not isinstance(value, dt.datetime):
        return dt.datetime(value.year, value.month, value.day)
    if value.tzinfo is not None:
        return value.astimezone(dt.UTC).replace(tzinfo=None)
    return value


def _text(cell: Any) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float) and math.isfinite(cell) and cell.is_integer() and abs(cell) < _WIDEST:
        return str(int(cell))
    if isinstance(cell, (dt.datetime, dt.date)):
        return cell.isoformat()
    if isinstance(cell, (dict, list, tuple)):
        return json.dumps(cell, ensure_ascii=False, default=str)
    return str(cell)
