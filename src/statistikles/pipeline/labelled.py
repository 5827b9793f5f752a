"""Files of statistical packages (SPSS, Stata, SAS): value labels become levels, declared missing codes are honoured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from statistikles.errors import DataError, MissingDependency
from statistikles.pipeline.cells import add_list
from statistikles.pipeline.engine import RawTable, unique_headers
from statistikles.pipeline.findings import Finding
from statistikles.pipeline.readers import from_arrays

__all__ = ["read_labelled"]

_READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
_TAKES_USER_MISSING = ("read_sav", "read_dta", "read_sas7bdat")
_SHOWN = 5


def read_labelled(path: Path) -> RawTable:
    """A file of SPSS, Stata or SAS, through pyreadstat."""
    try:
        import pyreadstat
    except ImportError:
        raise MissingDependency("pyreadstat", extra="stat") from None
    name = _READERS[path.suffix.lower()]
    options: dict[str, Any] = {"output_format": "dict"}
    if name in _TAKES_USER_MISSING:
        options["user_missing"] = True
    try:
        columns, meta = getattr(pyreadstat, name)(str(path), **options)
    except (pyreadstat.ReadstatError, pyreadstat.PyreadstatError, OSError, UnicodeError, ValueError) as fault:
        raise DataError(
            f"The file '{path.name}' cannot be read as a {path.suffix.lower()} file.",
            hint="Check that it is complete, or export the data as CSV.",
            where=path.name,
            code="unreadable",
        ) from fault
    if not columns:
        raise DataError(f"The file '{path.name}' has no columns.", where=path.name, code="empty_file")
    return _assemble(columns, meta)


def _assemble(columns: Mapping[str, Any], meta: Any) -> RawTable:
    """The columns with their labels, levels and missing codes as table `raw`."""
    findings: list[Finding] = []
    headers = unique_headers(list(columns), findings)
    arrays: dict[str, Any] = {}
    levels: dict[int, tuple[str, ...]] = {}
    missing: dict[str, dict[str, int]] = {}
    for i, (name, values) in enumerate(columns.items()):
        labels = dict(meta.variable_value_labels.get(name) or {})
        cells, gone = _without_missing(list(values), name, meta)
        if gone:
            counts = {_told(code, labels): count for code, count in sorted(gone.items(), key=_by_code)}
            missing[headers[i]] = counts
            findings.append(_missing_finding(headers[i], counts))
        if labels:
            cells = _labelled(cells, labels, set(gone), i, headers[i], levels, findings)
        add_list(arrays, findings, i, headers[i], cells)
    raw = from_arrays(headers, arrays, levels, findings)
    raw.verbatim.update(levels)
    raw.missing_codes.update(missing)
    described = meta.column_names_to_labels
    raw.descriptions.update({i: described[n] for i, n in enumerate(columns) if described.get(n)})
    return raw


def _without_missing(cells: list[Any], name: str, meta: Any) -> tuple[list[Any], Counter[Any]]:
    """The cells with declared missing codes taken out, and how often each code occurred."""
    ranges = meta.missing_ranges.get(name) or ()
    codes = set(meta.missing_user_values.get(name) or ())
    gone: Counter[Any] = Counter()
    if not ranges and not codes:
        return cells, gone
    out = []
    for cell in cells:
        if cell is not None and (cell in codes or any(_within(cell, r) for r in ranges)):
            gone[cell] += 1
            cell = None
        out.append(cell)
    return out, gone


def _within(cell: Any, limits: Any) -> bool:
    low, high = (limits["lo"], limits["hi"]) if isinstance(limits, Mapping) else (limits, limits)
    if isinstance(cell, str) or isinstance(low, str):
        return isinstance(cell, str) and cell.rstrip() in (str(low).rstrip(), str(high).rstrip())
    return isinstance(cell, (int, float)) and low <= cell <= high


def _by_code(item: tuple[Any, int]) -> tuple[bool, Any]:
    return isinstance(item[0], str), item[0]


def _plain(code: Any) -> str:
    return str(int(code)) if isinstance(code, float) and code.is_integer() else str(code)


def _told(code: Any, labels: Mapping[Any, str]) -> str:
    """A code with its label: "9 (refused)"."""
    return f"{_plain(code)} ({labels[code]})" if labels.get(code) else _plain(code)


def _missing_finding(header: str, counts: Mapping[str, int]) -> Finding:
    total = sum(counts.values())
    listed = ", ".join(f"{code}: {n}" for code, n in list(counts.items())[:_SHOWN])
    more = f" and {len(counts) - _SHOWN} more codes" if len(counts) > _SHOWN else ""
    return Finding(
        "user_missing",
        f"'{header}': {total} cells carry codes that the file declares as missing ({listed}{more}).",
        header,
        total,
        seen=tuple(counts)[:_SHOWN],
        done="read as missing",
    )


def _labelled(
    cells: Sequence[Any],
    labels: Mapping[Any, str],
    gone: set[Any],
    i: int,
    header: str,
    levels: dict[int, tuple[str, ...]],
    findings: list[Finding],
) -> list[Any]:
    """Labels instead of codes when every value present has one; else the codes stay as they are."""
    present = {cell for cell in cells if cell is not None and cell != ""}
    unnamed = present - set(labels)
    if unnamed:
        named = [code for code in labels if code not in gone]
        if named:
            shown = ", ".join(f"{_plain(c)} = {labels[c]}" for c in named[:_SHOWN])
            findings.append(
                Finding(
                    "partial_labels",
                    f"'{header}' has labels for some of its values only ({shown}); the values were kept.",
                    header,
                    len(unnamed),
                    seen=tuple(_plain(c) for c in list(unnamed)[:1]),
                )
            )
        return list(cells)
    codes = sorted((c for c in labels if c not in gone), key=lambda c: (isinstance(c, str), c))
    texts = Counter(labels[c] for c in codes)
    # Two codes with one label stay apart.
    names = {c: labels[c] if texts[labels[c]] == 1 else f"{labels[c]} ({_plain(c)})" for c in codes}
    levels[i] = tuple(names[c] for c in codes)
    return [None if cell is None or cell == "" else names[cell] for cell in cells]
