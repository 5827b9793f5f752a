"""Ready-made argument annotations, and the kinds to build others from.

A kind is attached to a parameter with `Annotated`:

    def welch_t(group1: Sample, group2: Sample, *, alpha: Alpha = 0.05) -> SignificanceTest: ...
    lag: Annotated[int, ScalarNumber(low=1, whole=True)] = 1

`check` turns what a caller or a model sent (lists, arrays, numbers) into what the function works on: float64
arrays, dicts of arrays, checked scalars. Missing values (None, or masked entries) come out as a masked array;
the declaration then drops them, jointly where rows belong together. NaN and infinities are refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from numpy.typing import NDArray

from statistikles.registry.arrays import (
    ColumnSet,
    FloatArray,
    GroupMap,
    LabelVector,
    MatrixOf,
    RowSet,
    Vector,
    VectorDict,
)
from statistikles.registry.kinds import Kind, Where
from statistikles.registry.scalars import (
    Cell,
    Choice,
    NameList,
    NumberMap,
    ScalarNumber,
    StructureKind,
    SwitchKind,
    TextKind,
    unknown_choice,
)

__all__ = [
    "Alpha",
    "Alternative",
    "Binary",
    "Cell",
    "Choice",
    "ColumnSet",
    "Columns",
    "Components",
    "ConfLevel",
    "Count",
    "Decimals",
    "FloatArray",
    "Fraction",
    "Grid",
    "GroupMap",
    "Groups",
    "Kind",
    "Label",
    "LabelVector",
    "Labels",
    "MassFunction",
    "Matrix",
    "MatrixOf",
    "NameList",
    "Names",
    "NumberMap",
    "Permutations",
    "Positive",
    "Real",
    "Replicates",
    "RowSet",
    "Rows",
    "Sample",
    "ScalarNumber",
    "Seed",
    "Structure",
    "StructureKind",
    "Switch",
    "SwitchKind",
    "Text",
    "TextKind",
    "Vector",
    "VectorDict",
    "VectorMap",
    "Where",
    "unknown_choice",
]


Sample = Annotated[FloatArray, Vector(min_n=2)]
Binary = Annotated[FloatArray, Vector(binary=True)]
Labels = Annotated[NDArray[Any], LabelVector()]
Groups = Annotated[Mapping[str, FloatArray], GroupMap()]
Columns = Annotated[FloatArray, ColumnSet(min_n=2)]
Rows = Annotated[FloatArray, RowSet(min_n=2)]
Grid = Annotated[FloatArray, MatrixOf()]
Matrix = Annotated[FloatArray, MatrixOf(square=True)]
Names = Annotated[tuple[str, ...], NameList()]
VectorMap = Annotated[Mapping[str, FloatArray], VectorDict()]
MassFunction = Annotated[Mapping[str, float], NumberMap(low=0.0, high=1.0)]
Real = Annotated[float, ScalarNumber()]
Positive = Annotated[float, ScalarNumber(low=0.0, open_low=True)]
Fraction = Annotated[float, ScalarNumber(low=0.0, high=1.0)]
Count = Annotated[int, ScalarNumber(low=0.0, whole=True)]
Alpha = Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True, open_high=True)]
ConfLevel = Annotated[float, ScalarNumber(low=0.0, high=1.0, open_low=True, open_high=True)]
Decimals = Annotated[int, ScalarNumber(low=0.0, high=12.0, whole=True)]
Seed = Annotated[int, ScalarNumber(low=0.0, high=2.0**63 - 1, whole=True)]
Replicates = Annotated[int, ScalarNumber(low=1.0, high=100_000.0, whole=True, limit=True)]
Permutations = Annotated[int, ScalarNumber(low=1.0, high=100_000.0, whole=True, limit=True)]
Components = Annotated[int, ScalarNumber(low=1.0, high=20.0, whole=True, limit=True)]
Alternative = Annotated[str, Choice(("two-sided", "greater", "less"), aliases=(("two.sided", "two-sided"),))]
Switch = Annotated[bool, SwitchKind()]
Text = Annotated[str, TextKind()]
Label = Annotated[Any, Cell()]
Structure = Annotated[Any, StructureKind()]
