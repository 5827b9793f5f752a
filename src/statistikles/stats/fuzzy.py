"""Fuzzy logic: membership functions, t-norms and t-conorms, complements, and rule-based inference."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from statistikles.errors import InputError, NotDefined
from statistikles.registry.arguments import (
    FloatArray,
    NumberMap,
    Positive,
    Real,
    StructureKind,
    Vector,
)
from statistikles.registry.declare import declare_tool, statistic
from statistikles.results import Measures, Quantity, Role

__all__ = ["fuzzy_and", "fuzzy_inference", "fuzzy_membership", "fuzzy_not", "fuzzy_or"]

Degrees = Annotated[FloatArray, Vector(min_n=1, low=0.0, high=1.0)]

_ZADEH = "Zadeh 1965, doi:10.1016/S0019-9958(65)90241-X"
_KLEMENT = "Klement, Mesiar & Pap 2000, Triangular Norms, doi:10.1007/978-94-015-9540-7"
_MAMDANI = "Mamdani & Assilian 1975, doi:10.1016/S0020-7373(75)80002-2"
_SUGENO = "Takagi & Sugeno 1985, doi:10.1109/TSMC.1985.6313399"

# Points of the grid on which output sets are aggregated; odd, for Simpson's rule.
_GRID = 4001

declare_tool(
    "fuzzy_logic_analysis",
    title="Fuzzy logic",
    summary="Degrees of membership, their fuzzy combination, and inference from fuzzy rules.",
    chooser="operation",
    default="membership",
)


def _gaussian(x: Any, center: float, width: float) -> Any:
    return np.exp(-np.square((x - center) / width) / 2)


def _triangular(x: Any, center: float, width: float) -> Any:
    return np.maximum(0.0, 1 - np.abs(x - center) / width)


def _trapezoid(x: Any, center: float, width: float) -> Any:
    return np.clip(2 * (1 - np.abs(x - center) / width), 0.0, 1.0)


def _bell(x: Any, center: float, width: float) -> Any:
    return 1 / (1 + np.square(np.square((x - center) / width)))


def _sigmoid(x: Any, center: float, width: float) -> Any:
    z = np.clip((x - center) / width, -700.0, 700.0)
    return 1 / (1 + np.exp(-z))


_SHAPES: dict[str, Callable[[Any, float, float], Any]] = {
    "gaussian": _gaussian,
    "triangular": _triangular,
    "trapezoid": _trapezoid,
    "bell": _bell,
    "sigmoid": _sigmoid,
}


@statistic(
    tool="fuzzy_logic_analysis",
    subtype="membership",
    title="Fuzzy membership",
    use_when="a value and a fuzzy set given by its centre and width",
    utterances=("degree of membership", "how much does 25 belong to warm", "fuzzy set membership of a value"),
    refs=(_ZADEH,),
    formula="gaussian: exp(−(x − c)²/(2w²)); triangular: max(0, 1 − |x − c|/w)",
    equivalents={"R": "exp(-(x - c)^2 / (2 * w^2))", "Python": "np.exp(-(x - c)**2 / (2 * w**2))"},
    example={"value": 22.0, "center": 25.0, "width": 4.0},
)
def fuzzy_membership(value: Real, center: Real, width: Positive) -> Measures:
    """Degree to which a value belongs to a fuzzy set; the Gaussian form leads.

    Parameters
    ----------
    value : the value.
    center : where membership is full (the sigmoid: where it is one half).
    width : spread: standard deviation of the Gaussian, half the base of the triangle and trapezoid, half-width at
        half height of the bell, scale of the sigmoid.

    Returns
    -------
    Measures : membership (Gaussian), and beside it triangular, trapezoid, bell and sigmoid.

    Raises
    ------
    InputError : a width that is not positive.
    """
    degrees = {name: float(shape(value, center, width)) for name, shape in _SHAPES.items()}
    return Measures(
        method="Fuzzy membership (Gaussian)",
        quantities={
            "membership": Quantity(degrees.pop("gaussian"), Role.PROBABILITY),
            "also": Quantity(degrees, Role.PROBABILITY),
        },
        conventions=(
            "the Gaussian leads",
            "the trapezoid is full within half the width of the centre",
            "the bell is 1/(1 + |(x − c)/w|⁴)",
        ),
    )


@statistic(
    tool="fuzzy_logic_analysis",
    subtype="and",
    title="Fuzzy conjunction",
    use_when="degrees of membership that must hold together",
    utterances=("fuzzy and", "intersection of fuzzy sets", "t-norm"),
    refs=(_ZADEH, _KLEMENT),
    formula="minimum; product; Łukasiewicz max(0, Σx − (n − 1)); drastic",
    equivalents={"R": "min(values)", "Python": "min(values)"},
    example={"values": [0.7, 0.4, 0.9]},
    laws=("order_invariant",),
)
def fuzzy_and(values: Degrees) -> Measures:
    """Conjunction of degrees of membership; Zadeh's minimum leads.

    Parameters
    ----------
    values : degrees from 0 to 1.

    Returns
    -------
    Measures : membership (minimum), and beside it the product, Łukasiewicz and drastic t-norms.

    Raises
    ------
    InputError : degrees outside 0 to 1.
    """
    v = values.tolist()
    below_one = [x for x in v if x < 1]
    others = {
        "product": math.prod(v),
        "lukasiewicz": max(0.0, math.fsum(v) - (len(v) - 1)),
        "drastic": 1.0 if not below_one else below_one[0] if len(below_one) == 1 else 0.0,
    }
    return _combined("Fuzzy conjunction (minimum t-norm)", min(v), others, "the minimum (Zadeh, Gödel) leads")


@statistic(
    tool="fuzzy_logic_analysis",
    subtype="or",
    title="Fuzzy disjunction",
    use_when="degrees of membership of which one is enough",
    utterances=("fuzzy or", "union of fuzzy sets", "t-conorm"),
    refs=(_ZADEH, _KLEMENT),
    formula="maximum; probabilistic sum 1 − Π(1 − x); Łukasiewicz min(1, Σx); drastic",
    equivalents={"R": "max(values)", "Python": "max(values)"},
    example={"values": [0.7, 0.4, 0.2]},
    laws=("order_invariant",),
)
def fuzzy_or(values: Degrees) -> Measures:
    """Disjunction of degrees of membership; Zadeh's maximum leads.

    Parameters
    ----------
    values : degrees from 0 to 1.

    Returns
    -------
    Measures : membership (maximum), and beside it the probabilistic sum, Łukasiewicz and drastic t-conorms.

    Raises
    ------
    InputError : degrees outside 0 to 1.
    """
    v = values.tolist()
    above_zero = [x for x in v if x > 0]
    others = {
        "probabilistic_sum": 1 - math.prod(1 - x for x in v),
        "lukasiewicz": min(1.0, math.fsum(v)),
        "drastic": 0.0 if not above_zero else above_zero[0] if len(above_zero) == 1 else 1.0,
    }
    return _combined(
        "Fuzzy disjunction (maximum t-conorm)", max(v), others, "the maximum (Zadeh, Gödel) leads"
    )


@statistic(
    tool="fuzzy_logic_analysis",
    subtype="not",
    title="Fuzzy complement",
    use_when="degrees of membership to be negated",
    utterances=("fuzzy not", "complement of a fuzzy set"),
    refs=(_ZADEH,),
    formula="1 − x",
    equivalents={"R": "1 - values", "Python": "1 - values"},
    example={"values": [0.7, 0.4]},
)
def fuzzy_not(values: Degrees) -> Measures:
    """Complement of degrees of membership.

    Parameters
    ----------
    values : degrees from 0 to 1.

    Returns
    -------
    Measures : complement of each degree, in order.

    Raises
    ------
    InputError : degrees outside 0 to 1.
    """
    return Measures(
        method="Fuzzy complement (standard negation)",
        quantities={"complement": Quantity([1 - v for v in values.tolist()], Role.PROBABILITY)},
        conventions=("standard negation 1 − x",),
    )


def _combined(method: str, membership: float, others: dict[str, float], convention: str) -> Measures:
    return Measures(
        method=method,
        quantities={
            "membership": Quantity(membership, Role.PROBABILITY),
            "also": Quantity(others, Role.PROBABILITY),
        },
        conventions=(convention,),
    )


@statistic(
    tool="fuzzy_logic_analysis",
    subtype="inference",
    title="Fuzzy inference",
    use_when="crisp inputs and IF-THEN rules over fuzzy sets; a crisp output is wanted",
    utterances=("fuzzy rules", "Mamdani controller", "Sugeno inference", "infer the output from fuzzy rules"),
    refs=(_MAMDANI, _SUGENO),
    formula="Mamdani: centroid of max over rules of min(firing, output set); Sugeno: Σ firing·centre / Σ firing",
    example={
        "inputs": {"temperature": 22.0},
        "rules": [
            {"if": {"temperature": {"center": 15, "width": 6}}, "then": {"center": 20, "width": 15}},
            {"if": {"temperature": {"center": 30, "width": 6}}, "then": {"center": 80, "width": 15}},
        ],
    },
)
def fuzzy_inference(
    inputs: Annotated[Mapping[str, float], NumberMap()],
    rules: Annotated[Sequence[Any], StructureKind()],
) -> Measures:
    """Crisp output of fuzzy rules, by Mamdani (leads) and zero-order Sugeno inference.

    Parameters
    ----------
    inputs : crisp value of each input variable.
    rules : list of {"if": {variable: set, ...}, "then": set}, where a set is {"center": c, "width": w, "shape": s};
        the shape is gaussian (default), triangular, trapezoid, bell or sigmoid. Conditions of a rule are joined by AND.

    Returns
    -------
    Measures : output (centroid of the aggregated set), Sugeno's weighted mean, bisector, mean of maxima, and the
        firing strength of every rule.

    Raises
    ------
    InputError : a rule of the wrong form, or one that names an input without a value.
    NotDefined : no rule fires.
    """
    parsed = [_rule(rule, place, inputs) for place, rule in enumerate(rules, start=1)]
    if not parsed:
        raise InputError("At least one rule is needed.", where="rules")
    firing = [strength for strength, _ in parsed]
    if max(firing) <= 0:
        raise NotDefined("No rule fires for these inputs, so there is no output.", code="no_rule_fires")
    low = min(c - 4 * w for _, (_, c, w) in parsed)
    high = max(c + 4 * w for _, (_, c, w) in parsed)
    grid = np.linspace(low, high, _GRID)
    shape = np.max([np.minimum(s, _SHAPES[kind](grid, c, w)) for s, (kind, c, w) in parsed], axis=0)
    area = _simpson(shape, grid)
    if area <= 0:
        raise NotDefined("The aggregated output set is empty.", code="no_rule_fires")
    cumulative = np.concatenate(([0.0], np.cumsum((shape[1:] + shape[:-1]) / 2 * np.diff(grid))))
    peak = grid[shape >= shape.max() * (1 - 1e-9)]
    return Measures(
        method="Fuzzy inference (Mamdani, centroid)",
        quantities={
            "output": _simpson(shape * grid, grid) / area,
            "sugeno": math.fsum(s * c for s, (_, c, _) in parsed) / math.fsum(firing),
            "bisector": float(np.interp(cumulative[-1] / 2, cumulative, grid)),
            "mean_of_maxima": float((peak[0] + peak[-1]) / 2),
            "firing": Quantity(firing, Role.PROBABILITY),
            "n_rules": Quantity(len(parsed), Role.COUNT),
        },
        conventions=(
            "AND is the minimum, implication clips (minimum), aggregation is the maximum",
            f"centroid by Simpson's rule on {_GRID} points, from 4 widths below to 4 above the output centres",
            "Sugeno uses the centres of the output sets as constants",
        ),
    )


def _rule(rule: Any, place: int, inputs: Mapping[str, float]) -> tuple[float, tuple[str, float, float]]:
    """Firing strength and output set of a rule."""
    where = f"rules[{place}]"
    if not isinstance(rule, Mapping) or not isinstance(rule.get("if"), Mapping) or not rule["if"]:
        raise InputError(
            f"Rule {place} must have the form {{'if': {{variable: set}}, 'then': set}}.",
            hint="A set is {'center': c, 'width': w}.",
            where=where,
        )
    degrees = []
    for variable, description in rule["if"].items():
        if variable not in inputs:
            raise InputError(
                f"Rule {place} uses '{variable}', which has no value in 'inputs'.",
                hint=f"Inputs are: {', '.join(inputs)}.",
                where=where,
            )
        kind, center, width = _set(description, f"{where}.if.{variable}")
        degrees.append(float(_SHAPES[kind](inputs[variable], center, width)))
    return min(degrees), _set(rule.get("then"), f"{where}.then")


def _set(description: Any, where: str) -> tuple[str, float, float]:
    form = "A fuzzy set is {'center': number, 'width': positive number, 'shape': name}"
    if not isinstance(description, Mapping):
        raise InputError(f"{where}: {form}.", where=where)
    kind = description.get("shape", "gaussian")
    if kind not in _SHAPES:
        raise InputError(
            f"Unknown shape '{kind}' in {where}. Valid: {', '.join(_SHAPES)}.",
            where=where,
            code="unknown_option",
        )
    numbers = [description.get("center"), description.get("width")]
    if not all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in numbers):
        raise InputError(f"{where}: {form}.", where=where)
    center, width = (float(v) for v in numbers)  # type: ignore[arg-type]
    if width <= 0:
        raise InputError(f"{where}: the width must be positive.", where=where, code="out_of_range")
    return str(kind), center, width


def _simpson(values: FloatArray, grid: FloatArray) -> float:
    step = (grid[-1] - grid[0]) / (len(grid) - 1)
    return float(step / 3 * (values[0] + values[-1] + 4 * values[1:-1:2].sum() + 2 * values[2:-1:2].sum()))
