"""A result as a reader takes it in: the leading numbers with their addresses, then tables, then cautions.

Terminal, HTML, Markdown and LaTeX all draw the same `Summary`, so that they cannot disagree; CSV lists its
`leaves`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from statistikles.results.roles import Role, role_of_key
from statistikles.results.text import format_df, format_interval, format_number, format_p, format_role

__all__ = [
    "Block",
    "Summary",
    "address_of",
    "heading_of",
    "is_plain_name",
    "leaves",
    "number_text",
    "split_unit",
    "summarise",
]

# Texts that name or qualify another field and are shown with it, or settings that the reader chose.
_WITH_OTHERS = frozenset(
    {
        "method", "conventions", "warnings", "undefined", "statistic_name", "estimate_name", "effect_size_name",
        "conf_low", "conf_high", "conf_level", "conf_method", "alpha", "alternative", "null_value", "significant",
        "magnitude", "df", "df_error", "error", "code", "hint", "where", "trace", "units",
    }
)  # fmt: skip
# Parts a quick look leaves out: second conventions and working details. `run` and the notebook show them.
_ONLY_IN_FULL = frozenset({"also", "details", "diagnostics", "effect_sizes", "pseudo_r_squared"})
# A quick look at a table of tests does without these.
_SECOND_RANK = frozenset({"std_error", "n", "n_missing", "groups"})
_INTERVAL = "(interval)"
# Names that stand bare in an address: those that every language of the scripts spells the same.
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HEADINGS = {
    "std_dev": "SD",
    "std_error": "SE",
    "p_value": "p",
    "mean": "M",
    "median": "Mdn",
    "minimum": "min",
    "maximum": "max",
    "df_error": "df (error)",
    "iqr": "IQR",
    "vif": "VIF",
}
_ROWS_IN_BRIEF = 12
_ROWS_IN_FULL = 200
_ITEMS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Block:
    """One table. The address of a cell is the block's address, its row and its column joined by dots."""

    title: str
    address: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Summary:
    """A result ready to be drawn."""

    ident: str
    title: str
    leading: tuple[tuple[str, str, str], ...]
    blocks: tuple[Block, ...]
    cautions: tuple[str, ...]
    conventions: tuple[str, ...]
    failed: bool = False


def address_of(prefix: str, key: str | int) -> str:
    """The address of a part: `r1.groups.Adelie`, `r1.rows[0]`, `r1.groups["body mass"]`."""
    if isinstance(key, int):
        return f"{prefix}[{key}]"
    if not is_plain_name(key):
        return f'{prefix}["{key}"]' if prefix else key
    return f"{prefix}.{key}" if prefix else key


def is_plain_name(key: str) -> bool:
    """Whether a name stands bare in an address, without brackets and quotes."""
    return _PLAIN_NAME.fullmatch(key) is not None


def heading_of(column: str) -> str:
    """A column's name as a table of a paper heads it: 'std_dev' -> 'SD', 'std_dev (kg)' -> 'SD (kg)'."""
    name, unit = split_unit(column)
    return _HEADINGS.get(name.replace(" ", "_"), _words(name)) + unit


def split_unit(column: str) -> tuple[str, str]:
    """A column's name and the unit behind it with its blank and brackets: ('std_dev', ' (kg)')."""
    name, bracket, unit = column.partition(" (")
    return name, bracket + unit


def leaves(value: Any, address: str = "", key: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every single value of a result as (address, key, value), in order, unrounded."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from leaves(part, address_of(address, str(name)), str(name))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for place, part in enumerate(value):
            yield from leaves(part, address_of(address, place), key)
    else:
        yield address, key, value


def number_text(key: str, value: Any) -> str:
    """One value as its key's role is usually printed."""
    if value is None:
        return "undefined"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        role = role_of_key(key)
        if role is Role.SEED:
            return str(value)
        if role is Role.P_VALUE and 0.0 <= value <= 1.0:
            return format_p(float(value)).removeprefix("= ")
        if role is Role.DF:
            return format_df(float(value))
        return format_role(value, role) if isinstance(value, float) else format_number(value)
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return _estimate_text(value) if "estimate" in value else f"{len(value)} parts"
    if isinstance(value, Sequence):
        return _items_text(key, value)
    return str(value)


def _items_text(key: str, items: Sequence[Any]) -> str:
    shown = ", ".join(number_text(key, v) for v in items[:_ITEMS_SHOWN])
    return shown if len(items) <= _ITEMS_SHOWN else f"{shown}, … ({len(items)} values)"


def _estimate_text(part: Mapping[str, Any]) -> str:
    """'0.42, 95% CI [0.05, 0.79]'."""
    if part.get("estimate") is None:
        return "undefined"
    text = number_text("estimate", part["estimate"])
    return f"{text}, {_interval(part)}" if part.get("conf_level") is not None else text


def _interval(part: Mapping[str, Any], *, level: bool = True) -> str:
    return format_interval(
        part.get("conf_low"), part.get("conf_high"), part.get("conf_level") if level else None
    )


def _level_text(level: float | None) -> str:
    return "interval" if level is None else f"{format_number(100 * level)}% CI"


def _in_cell(key: str, value: Any) -> str:
    """A value in a table: an estimate with its interval, the level left out to save room."""
    if isinstance(value, Mapping) and _has_interval(value) and value.get("estimate") is not None:
        return f"{number_text('estimate', value['estimate'])} {_interval(value, level=False)}"
    return number_text(key, value)


def _has_interval(part: Mapping[str, Any]) -> bool:
    return part.get("conf_low") is not None or part.get("conf_high") is not None


def summarise(result: Mapping[str, Any], ident: str = "", *, full: bool = False) -> Summary:
    """The summary of a result dict.

    Parameters
    ----------
    result : what `execute_tool` returned, a failure included.
    ident : its id in the ledger; addresses start with it.
    full : everything, rather than the numbers a reader looks at first.
    """
    if "error" in result:
        hint = str(result.get("hint", ""))
        return Summary(ident, str(result["error"]), (), (), (hint,) if hint else (), (), failed=True)
    leading = [*_test_rows(result, ident)]
    if not full:
        leading += _tests_beside(result, ident)
    blocks: list[Block] = []
    for key, value in result.items():
        if key in _WITH_OTHERS or (key in _ONLY_IN_FULL and not full):
            continue
        if key in ("statistic", "p_value", "estimate", "effect_size") and not isinstance(value, str):
            continue  # already led
        label = "" if key in _ONLY_IN_FULL else _words(key)
        _place(label, key, value, address_of(ident, key), leading, blocks, full=full)
    units = dict(_units_at(result.get("units"), ident))
    if units:
        leading = [(label, _with_unit(text, units.get(where)), where) for label, text, where in leading]
        blocks = [_block_with_units(block, units) for block in blocks]
    reasons = [
        f"{_words(name)} is undefined: {why}" for name, why in dict(result.get("undefined", {})).items()
    ]
    return Summary(
        ident,
        str(result.get("method", "")),
        tuple(leading),
        tuple(blocks),
        (*(str(w) for w in result.get("warnings", ())), *reasons),
        tuple(str(c) for c in result.get("conventions", ())),
    )


def _units_at(tree: Any, prefix: str) -> Iterator[tuple[str, str]]:
    """(address, unit) of every number that has one."""
    for key, part in tree.items() if isinstance(tree, Mapping) else ():
        if isinstance(part, Mapping):
            yield from _units_at(part, address_of(prefix, key))
        else:
            yield address_of(prefix, key), str(part)


def _with_unit(text: str, unit: str | None) -> str:
    return text if unit is None or text in ("", "undefined") else f"{text} {unit}"


def _block_with_units(block: Block, units: Mapping[str, str]) -> Block:
    """A table with each unit at the head of its column, or in its cells where they differ."""
    heads, columns = [block.columns[0]], []
    for place, head in enumerate(block.columns[1:], start=1):
        key = head if not head.endswith(" CI") and head != "interval" else "conf_low"
        found = [units.get(address_of(address_of(block.address, row[0]), key)) for row in block.rows]
        cells = [row[place] for row in block.rows]
        needed = {unit for unit, cell in zip(found, cells, strict=True) if cell}
        shared = next(iter(needed)) if len(needed) == 1 else None
        heads.append(f"{head} ({shared})" if shared else head)
        columns.append(cells if shared else [_with_unit(c, u) for c, u in zip(cells, found, strict=True)])
    rows = tuple((row[0], *cells) for row, cells in zip(block.rows, zip(*columns, strict=True), strict=True))
    return Block(block.title, block.address, tuple(heads), rows if columns else block.rows, block.left_out)


def _test_rows(result: Mapping[str, Any], ident: str) -> Iterator[tuple[str, str, str]]:
    """The rows every reader looks for first: estimate, interval, statistic, p, effect size."""
    if "estimate" in result and not isinstance(result["estimate"], Mapping):
        name = str(result.get("estimate_name") or result.get("name") or "estimate")
        yield name, number_text("estimate", result["estimate"]), address_of(ident, "estimate")
    if _has_interval(result):
        level = result.get("conf_level")
        yield _level_text(level), _interval(result, level=False), address_of(ident, "conf_low")
    if "statistic" in result and not isinstance(result["statistic"], Mapping):
        dfs = [
            format_df(float(result[k])) for k in ("df", "df_error") if isinstance(result.get(k), int | float)
        ]
        name = str(result.get("statistic_name") or "statistic")
        label = f"{name}({', '.join(dfs)})" if dfs else name
        yield label, number_text("statistic", result["statistic"]), address_of(ident, "statistic")
    elif isinstance(result.get("df"), int | float):
        yield "df", format_df(float(result["df"])), address_of(ident, "df")
    if "p_value" in result and not isinstance(result["p_value"], Mapping):
        yield "p", number_text("p_value", result["p_value"]), address_of(ident, "p_value")
    effect = result.get("effect_size")
    if isinstance(effect, Mapping) and not _repeats(effect, result):
        size = f" ({effect['magnitude']})" if effect.get("magnitude") else ""
        where = address_of(address_of(ident, "effect_size"), "estimate")
        yield str(effect.get("name", "effect size")), _estimate_text(effect) + size, where
    elif isinstance(effect, int | float):
        name = str(result.get("effect_size_name") or "effect size")
        yield name, number_text("effect_size", effect), address_of(ident, "effect_size")


def _repeats(effect: Mapping[str, Any], result: Mapping[str, Any]) -> bool:
    """Whether the effect size is the estimate itself, as a correlation is."""
    return effect.get("name") == result.get("estimate_name") and effect.get("estimate") == result.get(
        "estimate"
    )


def _tests_beside(result: Mapping[str, Any], ident: str) -> Iterator[tuple[str, str, str]]:
    """The other tests of the same hypothesis, one row each."""
    also = result.get("also")
    for name, test in list(also.items())[:_ITEMS_SHOWN] if isinstance(also, Mapping) else ():
        if isinstance(test, Mapping) and isinstance(test.get("p_value"), int | float):
            address = address_of(address_of(address_of(ident, "also"), name), "p_value")
            rows = list(_test_rows(test, ""))
            shown = [f"{label} = {text}" for label, text, where in rows if where == "statistic"]
            p = format_p(float(test["p_value"]))
            yield _words(name), ", ".join([*shown, f"p {p}"]), address


def _place(
    label: str,
    key: str,
    value: Any,
    address: str,
    leading: list[tuple[str, str, str]],
    blocks: list[Block],
    *,
    full: bool,
) -> None:
    """Put one part of a result where it is read: a leading row, or a table of its own."""
    if isinstance(value, Mapping):
        if _is_table(value):
            blocks.append(_rows_block(label or _words(key), value, address, full=full))
        elif "estimate" in value and not any(isinstance(v, Mapping) for v in value.values()):
            leading.append(
                (str(value.get("name", key)), _estimate_text(value), address_of(address, "estimate"))
            )
        else:
            for inner, part in value.items():
                if inner not in _WITH_OTHERS or isinstance(part, int | float):
                    longer = f"{label} {_words(inner)}".strip()
                    _place(longer, inner, part, address_of(address, inner), leading, blocks, full=full)
    elif isinstance(value, Sequence) and not isinstance(value, str) and value:
        if all(isinstance(v, Mapping) for v in value):
            blocks.append(_rows_block(label, {str(i): v for i, v in enumerate(value)}, address, full=full))
        elif all(isinstance(v, Sequence) and not isinstance(v, str) for v in value):
            rows = {str(i): {str(j): x for j, x in enumerate(v)} for i, v in enumerate(value)}
            blocks.append(_rows_block(label, rows, address, full=full))
        else:
            leading.append((label or _words(key), number_text(key, value), address))
    elif not (key == "n_missing" and value == 0) and value != {} and value != []:
        leading.append((label or _words(key), number_text(key, value), address))


def _words(key: str) -> str:
    return key.replace("_", " ")


def _is_table(value: Mapping[str, Any]) -> bool:
    """Several things described alike: each a mapping that holds at least one plain value."""
    return bool(value) and all(
        isinstance(v, Mapping) and any(not isinstance(x, Mapping) for x in v.values()) for v in value.values()
    )


def _rows_block(title: str, rows: Mapping[str, Mapping[str, Any]], address: str, *, full: bool) -> Block:
    levels = {row.get("conf_level") for row in rows.values() if _has_interval(row)}
    shared = next(iter(levels)) if len(levels) == 1 else None
    columns = _columns(rows, full=full)
    if levels:  # the interval stands beside what it is an interval of
        columns.insert(columns.index("estimate") + 1 if "estimate" in columns else len(columns), _INTERVAL)
    limit = _ROWS_IN_FULL if full else _ROWS_IN_BRIEF
    drawn = []
    for label, row in list(rows.items())[:limit]:
        cells = [label]
        for column in columns:
            if column == _INTERVAL:
                cells.append(_interval(row, level=shared is None) if _has_interval(row) else "")
            else:
                cells.append(_in_cell(column, row[column]) if column in row else "")
        drawn.append(tuple(cells))
    heads = tuple(_level_text(shared) if column == _INTERVAL else column for column in columns)
    return Block(title, address, ("", *heads), tuple(drawn), max(0, len(rows) - limit))


def _columns(rows: Mapping[str, Mapping[str, Any]], *, full: bool) -> list[str]:
    """The fields worth a column, in the order in which they first appear."""
    names = dict.fromkeys(name for row in rows.values() for name, cell in row.items() if _fits(cell))
    columns = [name for name in names if name not in _WITH_OTHERS or name in ("df", "df_error")]
    if not full and {"estimate", "p_value"} <= set(columns):
        columns = [name for name in columns if name not in _SECOND_RANK]
    return columns


def _fits(cell: Any) -> bool:
    """Whether a value fits into one cell."""
    if isinstance(cell, Mapping):
        return "estimate" in cell
    return not isinstance(cell, Sequence) or isinstance(cell, str) or len(cell) <= _ITEMS_SHOWN
