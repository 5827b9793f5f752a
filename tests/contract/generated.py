"""Hypothesis strategies for the arguments of a declared statistic: one per kind, and damaged forms of its example.

Arguments of one call share their number of rows and, mostly, their form (ties, constants, an offset of 1e9, a scale
of 2^-600 or 2^600, ...), so that most calls reach the computation rather than the length check.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from statistikles.registry.arguments import (
    Cell,
    Choice,
    ColumnSet,
    GroupMap,
    Kind,
    LabelVector,
    MatrixOf,
    NameList,
    NumberMap,
    RowSet,
    ScalarNumber,
    StructureKind,
    SwitchKind,
    TextKind,
    Vector,
    VectorDict,
)
from statistikles.registry.declare import Parameter, Statistic

Values = list[Any]
Draw = Callable[[st.SearchStrategy[Any]], Any]

# What is done to small whole numbers to make a vector; the index keeps "distinct" free of ties.
FORMS: dict[str, Callable[[int, int], float]] = {
    "ties": lambda v, _: float(v),
    "distinct": lambda v, i: v * 1.37 + 0.0123 * i,
    "constant": lambda *_: 3.7,
    "zeros": lambda *_: 0.0,
    "nearly constant": lambda v, i: 1.0 + (v * 2.0**-52 if i % 3 else 0.0),
    "offset": lambda v, i: 1e9 + v + 0.25 * i,
    "huge": lambda v, i: (v + 0.01 * i) * 2.0**600,
    "tiny": lambda v, i: (v + 0.01 * i) * 2.0**-600,
    "mixed": lambda v, i: (v + 0.5) * 2.0 ** (40 * ((7 * i + v) % 31 - 15)),
    "sorted": lambda v, i: i + 0.01 * v,
    "one far out": lambda v, i: 1e8 if i == 1 else v + 0.1 * i,
}
USUAL = ("ties", "distinct", "distinct", "sorted")
# Longest vector generated: enough for every declared minimum (the longest is a few dozen).
MOST_ROWS = 40
# Repetitions are work without new cases.
MOST_REPEATS = 40
LABELS = st.sampled_from(["a", "b", "c", "Ω", "", "a b", 1, 2.5, True])


@dataclass(frozen=True)
class Shape:
    """What the arguments of one call share."""

    rows: int
    form: str
    bounded: bool  # whether declared ranges are respected


@st.composite
def shapes(draw: Draw) -> Shape:
    rows = draw(st.one_of(st.integers(0, 4), st.integers(3, 14), st.integers(10, MOST_ROWS)))
    form = draw(st.sampled_from([*USUAL, *FORMS]))
    return Shape(rows, form, draw(st.integers(0, 9)) > 0)


def small_numbers(draw: Draw, n: int) -> list[int]:
    return draw(st.lists(st.integers(-6, 6), min_size=n, max_size=n))  # type: ignore[no-any-return]


def vector(draw: Draw, kind: Vector, shape: Shape, n: int | None = None, *, nulls: bool = True) -> Values:
    count = shape.rows if n is None else n
    form = shape.form if draw(st.integers(0, 3)) else draw(st.sampled_from([*FORMS]))
    values = [FORMS[form](v, i) for i, v in enumerate(small_numbers(draw, count))]
    if shape.bounded:
        values = [within(v, kind) for v in values]
    if nulls and count and draw(st.integers(0, 7)) == 0:
        for place in draw(st.lists(st.integers(0, count - 1), max_size=3)):
            values[place] = None
    return values


def within(value: float, kind: Vector) -> float:
    """The value moved into the range of a vector kind."""
    if kind.binary:
        return float(math.floor(value) % 2)
    if math.isfinite(kind.low) and math.isfinite(kind.high) and kind.high - kind.low < 1e9:
        value = kind.low + (kind.high - kind.low) * (abs(value) / 7.0 % 1.0)
    elif math.isfinite(kind.low) or math.isfinite(kind.high):
        value = kind.low + abs(value) if math.isfinite(kind.low) else kind.high - abs(value)
        value = min(value, kind.high)
    return float(math.floor(value)) if kind.whole else value


def labels(draw: Draw, kind: Kind, shape: Shape) -> Values:
    levels = draw(st.lists(LABELS, min_size=1, max_size=4))
    out: Values = draw(st.lists(st.sampled_from(levels), min_size=shape.rows, max_size=shape.rows))
    if shape.rows and draw(st.integers(0, 9)) == 0:
        out[0] = None
    return out


def groups(draw: Draw, kind: GroupMap, shape: Shape) -> Any:
    high = kind.max_groups or kind.min_groups + 2
    count = draw(st.integers(kind.min_groups, high))
    sizes = draw(st.lists(st.integers(0, 9), min_size=count, max_size=count))
    parts = [vector(draw, Vector(), shape, max(kind.min_n if shape.bounded else 0, n)) for n in sizes]
    return {f"g{i}": part for i, part in enumerate(parts)} if draw(st.booleans()) else parts


def columns(draw: Draw, kind: Kind, shape: Shape) -> Values:
    count = draw(st.integers(1, 3))
    return [vector(draw, Vector(), shape) for _ in range(count)]


def named_columns(draw: Draw, kind: Kind, shape: Shape) -> dict[str, Values]:
    return {f"v{i}": part for i, part in enumerate(columns(draw, kind, shape))}


def rows(draw: Draw, kind: Kind, shape: Shape) -> Values:
    least = getattr(kind, "min_columns", 1)
    count = draw(st.integers(least, least + 3))
    parts = [vector(draw, Vector(), shape) for _ in range(count)]
    return [list(row) for row in zip(*parts, strict=True)]


def matrix(draw: Draw, kind: MatrixOf, shape: Shape) -> Values:
    cell = Vector(low=kind.low, high=kind.high, whole=kind.whole)
    if kind.flat and draw(st.booleans()):
        return vector(draw, cell, shape, nulls=False)
    height = min(shape.rows, 8)
    width = height if kind.square or draw(st.booleans()) else draw(st.integers(1, 4))
    out = [vector(draw, cell, shape, width, nulls=False) for _ in range(height)]
    if kind.symmetric:
        out = [[out[min(i, j)][max(i, j)] if i != j else 0.0 for j in range(height)] for i in range(height)]
    return out


def number(draw: Draw, kind: ScalarNumber, shape: Shape) -> float:
    high = min(kind.high, max(kind.low, MOST_REPEATS)) if kind.limit else kind.high
    if kind.whole:
        low = int(kind.low) if math.isfinite(kind.low) else -50
        near = st.integers(low, int(min(high, low + 40)))
        # A single huge count is cheap where nothing is repeated that often.
        far = near if kind.limit else st.sampled_from([int(min(high, 10**k)) for k in (3, 9, 15)])
        return draw(st.one_of(near, near, near, far))  # type: ignore[no-any-return]
    if math.isfinite(kind.low) and math.isfinite(high):
        width = high - kind.low
        share = st.sampled_from([0.0, 1e-300, 1e-12, 0.05, 0.2, 0.5, 0.8, 0.95, 1.0 - 1e-12, 1.0])
        return kind.low + width * draw(share)  # type: ignore[no-any-return]
    value = draw(st.sampled_from([0.0, 1.0, 0.3, 2.5, 10.0, 1e-9, 1e9, 2.0**-600, 2.0**600, -1.0, -0.4]))
    return max(value, kind.low)  # type: ignore[no-any-return]


def number_map(draw: Draw, kind: NumberMap, shape: Shape) -> dict[str, float]:
    names = draw(st.lists(st.sampled_from(["A", "B", "C", "A,B", "A,B,C"]), min_size=1, unique=True))
    weights = [abs(v) + draw(st.sampled_from([0.0, 1.0])) for v in small_numbers(draw, len(names))]
    total = sum(weights) or 1.0
    return dict(zip(names, [w / total for w in weights], strict=True))


def structure(draw: Draw, kind: StructureKind, shape: Shape) -> Any:
    if kind.form == "object":
        return draw(st.sampled_from([{}, {"A": 1}, {"A": [0, 1, 2]}, {"x": {"y": 1}}, {"a": None}]))
    return draw(st.sampled_from([[], [0], [[1, 2], [3, 4]], [["Y", ["X"]]], ["a"], [None], [[]], [{"a": 1}]]))


STRATEGIES: dict[type[Kind], Callable[[Draw, Any, Shape], Any]] = {
    Vector: vector,
    LabelVector: labels,
    GroupMap: groups,
    ColumnSet: columns,
    VectorDict: named_columns,
    RowSet: rows,
    MatrixOf: matrix,
    ScalarNumber: number,
    Choice: lambda draw, kind, _: draw(st.sampled_from(kind.options)),
    SwitchKind: lambda draw, *_: draw(st.booleans()),
    TextKind: lambda draw, *_: draw(
        st.sampled_from(["", "a", "b1*x", "not good", "1/0", "Ünï çödé", "y ~ x"])
    ),
    NameList: lambda draw, *_: draw(st.lists(st.sampled_from(["a", "b", "c", "n", ""]), max_size=3)),
    NumberMap: number_map,
    StructureKind: structure,
    Cell: lambda draw, *_: draw(LABELS),
}
# Kinds that one family defines for itself, by the shape they declare.
BY_SHAPE: dict[str, Callable[[Draw, Any, Shape], Any]] = {
    "vector": lambda draw, _, shape: vector(draw, Vector(), shape),
    "vectors": named_columns,
    "rows": rows,
    "labels": labels,
    "columns": columns,
    "structure": lambda draw, _, shape: structure(draw, StructureKind(), shape),
}


def strategy_for(kind: Kind) -> Callable[[Draw, Any, Shape], Any]:
    """How arguments of a kind are generated."""
    for known in type(kind).__mro__:
        if known in STRATEGIES:
            return STRATEGIES[known]
    return BY_SHAPE[kind.shape]


DATA = (Vector, LabelVector, GroupMap, ColumnSet, VectorDict, RowSet, MatrixOf)
CHANGES: dict[str, Callable[[float], float]] = {
    "as it is": lambda v: v,
    "offset": lambda v: v + 1e9,
    "huge": lambda v: v * 2.0**600,
    "tiny": lambda v: v * 2.0**-600,
    "constant": lambda _: 1.0,
    "zeros": lambda _: 0.0,
    "rounded": lambda v: float(round(v)),
    "negated": lambda v: -v,
    "coarse": lambda v: float(v > 2),
}


def damaged(draw: Draw, parameter: Parameter, value: Any, change: str, keep: int) -> Any:
    """The example's value changed throughout and cut to its first rows."""
    kind = parameter.kind
    changes = isinstance(kind, DATA) or kind.shape in ("vector", "vectors", "rows", "structure")

    def deep(node: Any) -> Any:
        if isinstance(node, Mapping):
            return {k: deep(v) for k, v in node.items()}
        if isinstance(node, list | tuple):
            return [deep(v) for v in node]
        plain = isinstance(node, int | float) and not isinstance(node, bool)
        return CHANGES[change](node) if plain else node

    out = deep(value) if changes and not isinstance(kind, LabelVector) else value
    if isinstance(kind, Vector | LabelVector | RowSet) and isinstance(out, list):
        return out[:keep]
    if isinstance(kind, MatrixOf) and kind.square and isinstance(out, list):
        return [row[:keep] for row in out[:keep]]
    if isinstance(kind, ColumnSet | GroupMap | VectorDict):
        if isinstance(out, Mapping):
            return {k: v[:keep] if isinstance(v, list) else v for k, v in out.items()}
        if isinstance(out, list):
            return [v[:keep] if isinstance(v, list) else v for v in out] if nested(out) else out[:keep]
    return out


def nested(value: list[Any]) -> bool:
    return bool(value) and isinstance(value[0], list)


@st.composite
def arguments(draw: Draw, stat: Statistic) -> dict[str, Any]:
    """Arguments of one call: generated from the kinds, or the example damaged."""
    shape = draw(shapes())
    out: dict[str, Any] = {}
    from_example = draw(st.booleans())
    change = draw(st.sampled_from(["as it is", "as it is", *CHANGES]))
    keep = draw(st.one_of(st.just(10**6), st.just(10**6), st.integers(0, 6)))
    for name, parameter in stat.parameters.items():
        example = stat.example.get(name)
        if from_example and example is not None:
            out[name] = damaged(draw, parameter, example, change, keep)
        elif from_example or not parameter.required:
            setting = isinstance(parameter.kind, ScalarNumber | Choice | SwitchKind)
            if draw(st.integers(0, 9)) < (3 if setting else 1) or (example is not None and not from_example):
                out[name] = strategy_for(parameter.kind)(draw, parameter.kind, shape)
        elif isinstance(parameter.kind, TextKind | StructureKind | NumberMap) and draw(st.integers(0, 3)):
            out[name] = example
        else:
            out[name] = strategy_for(parameter.kind)(draw, parameter.kind, shape)
        repeats = isinstance(parameter.kind, ScalarNumber) and parameter.kind.limit
        if repeats and name not in out and isinstance(parameter.default, int):
            out[name] = min(parameter.default, MOST_REPEATS)
    return out
