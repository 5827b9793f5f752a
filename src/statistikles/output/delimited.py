"""Results as CSV: one row per value at full precision, with its address and its provenance beside it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from statistikles.output.stamp import Item
from statistikles.output.summary import leaves

__all__ = ["COLUMNS", "items_csv", "safe_cell"]

COLUMNS = (
    "id", "tool", "method", "address", "quantity", "value", "version", "data", "entry_hash", "time", "seed",
)  # fmt: skip
# A spreadsheet runs a text cell that begins with one of these as a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe_cell(text: str) -> str:
    """A text cell that no spreadsheet takes for a formula: a leading apostrophe where it could be one."""
    return "'" + text if text.startswith(_FORMULA_STARTS) else text


def items_csv(items: Iterable[Item]) -> str:
    """The values of results, one per row, under the heading `COLUMNS`; an undefined value is empty."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for item in items:
        stamp = item.stamp
        before = [safe_cell(item.id), safe_cell(item.tool), safe_cell(str(item.result.get("method", "")))]
        after = [
            stamp.version,
            safe_cell(stamp.data_text()),
            stamp.entry_hash,
            stamp.time,
            "" if stamp.seed is None else str(stamp.seed),
        ]
        for address, quantity, value in leaves(item.result, item.id):
            writer.writerow([*before, safe_cell(address), safe_cell(quantity), _cell(value), *after])
    return stream.getvalue()


def _cell(value: Any) -> str:
    """A value as it is: every digit of a number, yes or no as true or false, text made safe."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, int | float) else safe_cell(str(value))
