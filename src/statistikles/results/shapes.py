"""The few frozen result shapes that every statistic shares, each field bound to its role."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from statistikles.results.roles import ROLE_BOUNDS, FieldRole, Role
from statistikles.results.text import format_df, format_interval, format_number, format_p, no_leading_zero

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
    "SignificanceTest",
    "Source",
    "Table",
    "Term",
    "VarianceTable",
    "number_roles",
    "plain",
]

# Bounds are enforced up to this excess, which rounding in a correct computation can produce; then clamped.
_BOUND_SLACK = 1e-9


def _role(role: Role, symbol: str = "", *, default: Any = None) -> Any:
    """A dataclass field that carries its role."""
    return field(default=default, metadata={"role": FieldRole(role, symbol)})


def plain(value: Any) -> Any:
    """Any result value as plain JSON types."""
    if isinstance(value, Part):
        return value.to_dict()
    if isinstance(value, Quantity):
        return plain(value.value)
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, float | int):
        return float(value) if isinstance(value, float) else int(value)
    if hasattr(value, "tolist"):  # numpy scalars and arrays, without importing numpy here
        return plain(value.tolist())
    if isinstance(value, Sequence | set | frozenset):
        return [plain(v) for v in value]
    raise TypeError(f"a result may not contain a {type(value).__name__}")


@dataclass(frozen=True, kw_only=True)
class Part:
    """Base of everything that serialises: fields in order, absent ones left out, undefined ones null with a reason."""

    undefined: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, role in _bound_fields(type(self)):
            value = getattr(self, name)
            if value is None:
                continue
            if type(value) is not float and isinstance(value, str | bool | Mapping | Sequence):
                continue
            object.__setattr__(self, name, _checked(name, value, role))

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON: numbers, text, lists and dicts."""
        out: dict[str, Any] = {}
        for spec in dataclasses.fields(self):
            value = getattr(self, spec.name)
            if spec.name == "undefined":
                continue
            if value is None:
                if spec.name in self.undefined:
                    out[spec.name] = None
                continue
            if isinstance(value, Mapping | tuple) and not value:
                continue
            out[spec.name] = plain(value)
        if self.undefined:
            out["undefined"] = dict(self.undefined)
        return out


# By class: (name, role) of the fields that carry a role.
_BOUND_FIELDS: dict[type, tuple[tuple[str, Role], ...]] = {}


def _bound_fields(shape: type[Part]) -> tuple[tuple[str, Role], ...]:
    if shape not in _BOUND_FIELDS:
        _BOUND_FIELDS[shape] = tuple(
            (spec.name, spec.metadata["role"].role)
            for spec in dataclasses.fields(shape)
            if "role" in spec.metadata
        )
    return _BOUND_FIELDS[shape]


def _checked(name: str, value: Any, role: Role) -> Any:
    """The number itself, refused when not finite or outside what its role allows."""
    number = value if type(value) is float else value.item() if hasattr(value, "item") else value
    if not math.isfinite(number):
        raise ArithmeticError(f"{name} is not finite")
    if (bounds := ROLE_BOUNDS.get(role)) is None:
        return number
    low, high = bounds
    slack = _BOUND_SLACK * max(1.0, abs(number))
    if number < low - slack or number > high + slack:
        raise ArithmeticError(f"{name} = {number!r} is impossible for a {role.value}")
    return min(max(number, low), high)


@dataclass(frozen=True, slots=True)
class Quantity:
    """One named number (or array of numbers) of a `Measures` result, with its role."""

    value: Any
    role: Role | None = None


@dataclass(frozen=True, kw_only=True)
class EffectSize(Part):
    """A standardised size of an effect. Its sign follows argument order."""

    name: str
    estimate: float | None = _role(Role.EFFECT_SIZE)
    std_error: float | None = _role(Role.STD_ERROR)
    conf_low: float | None = _role(Role.CONF_BOUND)
    conf_high: float | None = _role(Role.CONF_BOUND)
    conf_level: float | None = _role(Role.CONF_LEVEL)
    conf_method: str | None = None
    magnitude: str | None = None

    def apa(self) -> str:
        """'Hedges' g = 0.42, 95% CI [0.05, 0.79]'."""
        if self.estimate is None:
            return f"{self.name} undefined"
        text = f"{self.name} = {format_number(self.estimate)}"
        if self.conf_level is not None:
            text += ", " + format_interval(self.conf_low, self.conf_high, self.conf_level)
        return text


@dataclass(frozen=True, kw_only=True)
class Result(Part):
    """Base of what a statistic returns: what was done, how many rows were left out, and cautions."""

    method: str
    n_missing: int | None = _role(Role.COUNT)
    seed: int | None = _role(Role.SEED)
    conventions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def apa(self) -> str:
        """The sentence a paper needs."""
        return self.method + "."


@dataclass(frozen=True, kw_only=True)
class Description(Part):
    """Summary of one variable or group. Only what was asked for is present."""

    n: int | None = _role(Role.COUNT)
    n_missing: int | None = _role(Role.COUNT)
    mean: float | None = _role(Role.MEAN)
    std_dev: float | None = _role(Role.STD_DEV)
    variance: float | None = _role(Role.VARIANCE)
    std_error: float | None = _role(Role.STD_ERROR)
    conf_low: float | None = _role(Role.CONF_BOUND)
    conf_high: float | None = _role(Role.CONF_BOUND)
    median: float | None = _role(Role.MEDIAN)
    iqr: float | None = _role(Role.RANGE)
    minimum: float | None = _role(Role.MINIMUM)
    maximum: float | None = _role(Role.MAXIMUM)
    mean_rank: float | None = _role(Role.RANK)
    sum_ranks: float | None = _role(Role.RANK)


@dataclass(frozen=True, kw_only=True)
class Estimate(Result):
    """One estimated quantity with its interval."""

    name: str
    estimate: float | None = _role(Role.ESTIMATE)
    std_error: float | None = _role(Role.STD_ERROR)
    conf_low: float | None = _role(Role.CONF_BOUND)
    conf_high: float | None = _role(Role.CONF_BOUND)
    conf_level: float | None = _role(Role.CONF_LEVEL)
    conf_method: str | None = None
    n: int | None = _role(Role.COUNT)
    also: Mapping[str, Any] = field(default_factory=dict)

    def apa(self) -> str:
        """'mean = 4.2, 95% CI [3.1, 5.3]'."""
        if self.estimate is None:
            return f"{self.name} undefined"
        text = f"{self.name} = {format_number(self.estimate)}"
        if self.conf_level is not None:
            text += ", " + format_interval(self.conf_low, self.conf_high, self.conf_level)
        return text


@dataclass(frozen=True, kw_only=True)
class SignificanceTest(Result):
    """A test of a hypothesis: statistic, degrees of freedom, p value, estimate and effect size with intervals."""

    statistic_name: str
    statistic: float | None = _role(Role.STATISTIC)
    df: float | None = _role(Role.DF)
    df_error: float | None = _role(Role.DF)
    p_value: float | None = _role(Role.P_VALUE)
    alternative: str | None = None
    null_value: float | None = _role(Role.VALUE)
    alpha: float | None = _role(Role.ALPHA)
    significant: bool | None = None
    estimate_name: str | None = None
    estimate: float | None = _role(Role.ESTIMATE)
    std_error: float | None = _role(Role.STD_ERROR)
    conf_low: float | None = _role(Role.CONF_BOUND)
    conf_high: float | None = _role(Role.CONF_BOUND)
    conf_level: float | None = _role(Role.CONF_LEVEL)
    conf_method: str | None = None
    effect_size: EffectSize | None = None
    effect_sizes: Mapping[str, EffectSize] = field(default_factory=dict)
    n: int | None = _role(Role.COUNT)
    groups: Mapping[str, Description] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    also: Mapping[str, Any] = field(default_factory=dict)
    post_hoc: Mapping[str, Mapping[str, SignificanceTest]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.significant is None and self.p_value is not None and self.alpha is not None:
            object.__setattr__(self, "significant", self.p_value <= self.alpha)

    def apa(self) -> str:
        """'t(17.78) = −1.86, p = .079, Hedges' g = −0.80, 95% CI [−1.68, 0.10]'."""
        parts = []
        if self.statistic is not None:
            dfs = [format_df(d) for d in (self.df, self.df_error) if d is not None]
            parts.append(
                f"{self.statistic_name}{'(' + ', '.join(dfs) + ')' if dfs else ''} = {format_number(self.statistic)}"
            )
        parts.append(f"p {format_p(self.p_value)}" if self.p_value is not None else "p undefined")
        if self.effect_size is not None:
            parts.append(self.effect_size.apa())
        return ", ".join(parts)


@dataclass(frozen=True, kw_only=True)
class Source(Part):
    """One row of a variance table."""

    sum_sq: float | None = _role(Role.SUM_OF_SQUARES)
    df: float | None = _role(Role.DF)
    mean_sq: float | None = _role(Role.MEAN_SQUARE)
    statistic: float | None = _role(Role.STATISTIC)
    p_value: float | None = _role(Role.P_VALUE)
    effect_size: EffectSize | None = None
    effect_sizes: Mapping[str, EffectSize] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class VarianceTable(Result):
    """A decomposition of variation by source (multi-factor or multivariate analyses)."""

    sources: Mapping[str, Source]
    sum_of_squares_type: str | None = None
    alpha: float | None = _role(Role.ALPHA)
    n: int | None = _role(Role.COUNT)
    details: Mapping[str, Any] = field(default_factory=dict)
    also: Mapping[str, Any] = field(default_factory=dict)

    def apa(self) -> str:
        """One clause per source."""
        tested = {k: s for k, s in self.sources.items() if s.p_value is not None and s.statistic is not None}
        return "; ".join(
            f"{name}: F = {format_number(s.statistic or 0.0)}, p {format_p(s.p_value or 0.0)}"
            for name, s in tested.items()
        )


@dataclass(frozen=True, kw_only=True)
class Term(Part):
    """One coefficient of a fitted model."""

    estimate: float | None = _role(Role.COEFFICIENT)
    std_error: float | None = _role(Role.STD_ERROR)
    statistic: float | None = _role(Role.STATISTIC)
    df: float | None = _role(Role.DF)
    p_value: float | None = _role(Role.P_VALUE)
    conf_low: float | None = _role(Role.CONF_BOUND)
    conf_high: float | None = _role(Role.CONF_BOUND)
    standardized: float | None = _role(Role.COEFFICIENT, "β")
    vif: float | None = _role(Role.RATIO)
    odds_ratio: float | None = _role(Role.RATIO)
    odds_ratio_low: float | None = _role(Role.CONF_BOUND)
    odds_ratio_high: float | None = _role(Role.CONF_BOUND)
    hazard_ratio: float | None = _role(Role.RATIO)
    hazard_ratio_low: float | None = _role(Role.CONF_BOUND)
    hazard_ratio_high: float | None = _role(Role.CONF_BOUND)


@dataclass(frozen=True, kw_only=True)
class Fit(Result):
    """A fitted model: its terms, how well it fits, the overall test and diagnostics."""

    terms: Mapping[str, Term]
    statistic_name: str | None = None
    statistic: float | None = _role(Role.STATISTIC)
    df: float | None = _role(Role.DF)
    df_error: float | None = _role(Role.DF)
    p_value: float | None = _role(Role.P_VALUE)
    alpha: float | None = _role(Role.ALPHA)
    conf_level: float | None = _role(Role.CONF_LEVEL)
    r_squared: float | None = _role(Role.DETERMINATION, "R²")
    adj_r_squared: float | None = _role(Role.DETERMINATION)
    pseudo_r_squared: Mapping[str, float] = field(default_factory=dict)
    residual_std_error: float | None = _role(Role.STD_DEV)
    log_likelihood: float | None = _role(Role.LIKELIHOOD)
    aic: float | None = _role(Role.INFORMATION)
    bic: float | None = _role(Role.INFORMATION)
    effect_size: EffectSize | None = None
    effect_sizes: Mapping[str, EffectSize] = field(default_factory=dict)
    n: int | None = _role(Role.COUNT)
    details: Mapping[str, Any] = field(default_factory=dict)
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    also: Mapping[str, Any] = field(default_factory=dict)

    def apa(self) -> str:
        """'R² = .62, F(2, 97) = 79.1, p < .001'."""
        parts = []
        if self.r_squared is not None:
            parts.append(f"R² = {no_leading_zero(format_number(self.r_squared, 2))}")
        if self.statistic is not None and self.p_value is not None:
            dfs = ", ".join(format_df(d) for d in (self.df, self.df_error) if d is not None)
            parts.append(f"{self.statistic_name}({dfs}) = {format_number(self.statistic)}")
            parts.append(f"p {format_p(self.p_value)}")
        return ", ".join(parts) or self.method + "."


@dataclass(frozen=True, kw_only=True)
class Power(Result):
    """A design calculation: three of effect size, n, alpha and power give the fourth."""

    solved_for: str
    effect_size_name: str | None = None
    effect_size: float | None = _role(Role.EFFECT_SIZE)
    n: float | None = _role(Role.COUNT)
    n_per_group: float | None = _role(Role.COUNT)
    n_exact: float | None = _role(Role.COUNT)
    n_total: float | None = _role(Role.COUNT)
    alpha: float | None = _role(Role.ALPHA)
    power: float | None = _role(Role.POWER)
    achieved_power: float | None = _role(Role.POWER)
    alternative: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    also: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Table(Result):
    """Rows of named columns, such as frequencies. Row keys are the same in every row."""

    rows: tuple[Mapping[str, Any], ...]
    n: int | None = _role(Role.COUNT)
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Measures(Result):
    """A bundle of named quantities, for statistics that are neither a test nor a fit.

    `to_dict` puts each quantity under its own name beside `method`.
    """

    quantities: Mapping[str, Any]

    def __post_init__(self) -> None:
        super().__post_init__()
        reserved = {spec.name for spec in dataclasses.fields(self)}
        if clash := reserved & set(self.quantities):
            raise ArithmeticError(f"quantity names reserved for every result: {sorted(clash)}")
        for name, quantity in self.quantities.items():
            # Only a declared role binds its bounds; a role guessed from part of a name must not refuse a number.
            role = (quantity.role if isinstance(quantity, Quantity) else None) or Role.VALUE
            value = quantity.value if isinstance(quantity, Quantity) else quantity
            if isinstance(value, int | float) and not isinstance(value, bool):
                _checked(name, value, role)

    def to_dict(self) -> dict[str, Any]:
        out = super().to_dict()
        named = out.pop("quantities", {})
        undefined = out.pop("undefined", None)
        merged = {"method": out.pop("method"), **named, **out}
        if undefined:
            merged["undefined"] = undefined
        return merged

    def __getattr__(self, name: str) -> Any:
        quantities = self.__dict__.get("quantities", {})
        if name in quantities:
            value = quantities[name]
            return value.value if isinstance(value, Quantity) else value
        raise AttributeError(
            f"{type(self).__name__} has no quantity {name!r}; it has: {', '.join(quantities)}"
        )


def number_roles(part: Part, prefix: str = "") -> Iterator[tuple[str, Role]]:
    """(address, role) of every field with a declared role, nested parts included.

    Addresses are dotted from the result: `p_value`, `groups.Adelie.mean`.
    """
    for spec in dataclasses.fields(part):
        value = getattr(part, spec.name)
        if value is None:
            continue
        bound = spec.metadata.get("role")
        if bound is not None:
            yield prefix + spec.name, bound.role
        elif spec.name == "quantities":
            for name, quantity in value.items():
                if isinstance(quantity, Quantity) and quantity.role is not None:
                    yield prefix + name, quantity.role
        elif isinstance(value, Part | Mapping):
            yield from _nested_roles(value, f"{prefix}{spec.name}.")


def _nested_roles(value: Any, prefix: str) -> Iterator[tuple[str, Role]]:
    if isinstance(value, Part):
        yield from number_roles(value, prefix)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _nested_roles(inner, f"{prefix}{key}.")
