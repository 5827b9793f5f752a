"""Result shapes: what every computation returns, and the vocabulary of its fields."""

from statistikles.results.roles import Role, role_of_key
from statistikles.results.shapes import (
    Description,
    EffectSize,
    Estimate,
    Fit,
    Measures,
    Part,
    Power,
    Quantity,
    Result,
    SignificanceTest,
    Source,
    Table,
    Term,
    VarianceTable,
    number_roles,
)

__all__ = [
    "Description",
    "EffectSize",
    "Estimate",
    "Fit",
    "Measures",
    "Part",
    "Power",
    "Quantity",
    "Result",
    "Role",
    "SignificanceTest",
    "Source",
    "Table",
    "Term",
    "VarianceTable",
    "number_roles",
    "role_of_key",
]
