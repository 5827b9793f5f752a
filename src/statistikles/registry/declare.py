"""The single declaration of a statistic: `@statistic` binds a function to its tool, checks and runs it.

From one declaration are derived the function-calling schema, validation with its messages, the command line,
help, the router's vocabulary, the documentation page and the generic tests.
"""

from __future__ import annotations

import functools
import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from statistikles.errors import InputError, NotDefined, did_you_mean
from statistikles.registry.arrays import ColumnSet, GroupMap, LabelVector, RowSet, Vector, VectorDict
from statistikles.registry.kinds import Kind, Where
from statistikles.registry.scalars import ScalarNumber, unknown_choice
from statistikles.registry.summaries import Summary
from statistikles.results import Result

__all__ = [
    "ARGUMENT_ALIASES",
    "TEMPLATE_SUFFIXES",
    "Parameter",
    "Statistic",
    "Tool",
    "choose",
    "declare_tool",
    "statistic",
    "tools",
]

R = TypeVar("R", bound=Result)
TEMPLATE_SUFFIXES = {"R": ".R", "Python": ".py.txt"}

# Other names under which an argument is accepted wherever it exists.
ARGUMENT_ALIASES: dict[str, tuple[str, ...]] = {
    "conf_level": ("level", "confidence", "confidence_level"),
    "alternative": ("tail",),
    "n_reps": ("n_resamples", "n_boot"),
}
# Accepted for every sub-type of a tool that has them for one, because models send them as a habit.
_HARMLESS = frozenset({"alpha", "conf_level", "seed"})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a statistic."""

    name: str
    kind: Kind
    text: str
    required: bool
    default: Any
    optional: bool

    def schema(self) -> dict[str, Any]:
        """JSON schema with the description and default."""
        out = self.kind.schema()
        out["description"] = self.text
        if not self.required and self.default is not None:
            out["default"] = list(self.default) if isinstance(self.default, tuple) else self.default
        return out


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what a model calls. Its sub-types are statistics, told apart by the argument named `chooser`."""

    name: str
    title: str
    summary: str
    chooser: str | None
    default: str | None
    statistics: dict[str, Statistic] = field(default_factory=dict)


@dataclass(frozen=True)
class Statistic:
    """A declared statistic: its function, its place among the tools and all that is said of it."""

    tool: str
    subtype: str
    title: str
    function: Callable[..., Result]
    parameters: Mapping[str, Parameter]
    use_when: str
    utterances: tuple[str, ...]
    refs: tuple[str, ...]
    laws: tuple[str, ...]
    oracle: str
    formula: str
    equivalents: Mapping[str, str]
    example: Mapping[str, Any]
    aliases: tuple[str, ...]
    aligned: tuple[tuple[str, ...], ...]
    summary: str
    from_sums: Callable[[Mapping[str, Any]], bool] | None = None

    @property
    def name(self) -> str:
        """`tool` or `tool.subtype`."""
        return f"{self.tool}.{self.subtype}" if self.subtype else self.tool

    def run(self, arguments: Mapping[str, Any]) -> Result:
        """Check the arguments, drop missing values, compute.

        Raises
        ------
        InputError : an argument is unknown, absent, or cannot be used.
        NotDefined : the quantity does not exist for these values.
        """
        checked, n_missing = self.prepared(arguments)
        try:
            # A value that is not finite is caught by the result shapes; numpy need not warn about it first.
            with np.errstate(all="ignore"):
                result = self.function(**checked)
        except (ArithmeticError, np.linalg.LinAlgError) as error:
            raise NotDefined(
                f"{self.title} could not be computed from these values: {error}.",
                hint="Check for constant, extreme or degenerate values.",
                code="numerical",
            ) from error
        if n_missing is not None and result.n_missing is None:
            object.__setattr__(result, "n_missing", n_missing)
        return result

    def prepared(self, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], int | None]:
        """The arguments as the function gets them, missing values dropped, and how many rows were dropped.

        Raises
        ------
        InputError : an argument is unknown, absent, or cannot be used.
        """
        checked = self._checked(arguments)
        n_missing = self._drop_missing(checked)
        if n_missing is not None:  # rows that belong to no group were left out before they came here
            n_missing += sum(getattr(value, "n_without_group", 0) for value in arguments.values())
        for name, value in checked.items():
            size_rule = getattr(self.parameters[name].kind, "check_size", None)
            if size_rule is not None and value is not None:
                size_rule(value, Where(self.tool, name))
        return checked, n_missing

    def template(self, language: str) -> str:
        """Code in a language ("R" or "Python") that computes the numbers from the arguments; empty when none is kept.

        It stands beside the family, in `code/NAME.R` and `code/NAME.py.txt`, and names the arguments as they are
        declared; what it prints with `say` is compared with the result in the tests.
        """
        folder = Path(inspect.getfile(self.function)).with_name("code")
        path = folder / f"{self.name}{TEMPLATE_SUFFIXES[language]}"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def _checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, value in arguments.items():
            parameter = self.parameters.get(name)
            if parameter is None:
                raise _unknown_argument(self, name)
            if value is None:
                if parameter.required:
                    raise _absent_argument(self, name)
                continue
            out[name] = parameter.kind.check(value, Where(self.tool, name))
        for name, parameter in self.parameters.items():
            if parameter.required and name not in out:
                raise _absent_argument(self, name)
        return out

    def _drop_missing(self, values: dict[str, Any]) -> int | None:
        """Drop missing rows in place, jointly within each aligned set; the number dropped, None if no vectors."""
        total: int | None = None
        done: set[str] = set()
        for names in self.aligned:
            present = [n for n in names if values.get(n) is not None]
            done.update(present)
            if present:
                total = (total or 0) + _drop_jointly(self.tool, present, values)
        for name, value in values.items():
            if name in done or not isinstance(
                self.parameters[name].kind, Vector | LabelVector | GroupMap | ColumnSet | RowSet | VectorDict
            ):
                continue
            values[name], dropped = _drop(value)
            total = (total or 0) + dropped
        return total


def _drop(value: Any) -> tuple[Any, int]:
    if isinstance(value, Summary):
        return value, value.n_missing
    if isinstance(value, Mapping):
        parts = {k: _drop(v) for k, v in value.items()}
        return {k: part for k, (part, _) in parts.items()}, sum(n for _, n in parts.values())
    if isinstance(value, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(value)
        row_mask = mask.any(axis=1) if mask.ndim == 2 else mask
        return np.ascontiguousarray(np.ma.getdata(value)[~row_mask]), int(row_mask.sum())
    return value, 0


def _drop_jointly(tool: str, names: list[str], values: dict[str, Any]) -> int:
    """Rows missing in any of the aligned arguments are dropped from all of them."""
    summed = [values[name] for name in names if isinstance(values[name], Summary)]
    if summed:  # their missing rows were dropped jointly where they were summed
        return int(summed[0].n_missing)
    vectors: list[tuple[str, str | None, Any]] = []
    for name in names:
        if isinstance(values[name], Mapping):
            vectors += [(name, key, part) for key, part in values[name].items()]
        else:
            vectors.append((name, None, values[name]))
    lengths = {len(part) for *_, part in vectors}
    if len(lengths) > 1:
        sizes = ", ".join(f"{key or name}: {len(part)}" for name, key, part in vectors)
        raise InputError(
            f"The arguments {', '.join(names)} of {tool} must have the same length ({sizes}).",
            hint="They are matched row by row; null marks a missing value.",
            where=names[0],
            code="length_mismatch",
        )
    drop = np.zeros(lengths.pop(), dtype=bool)
    for *_, part in vectors:
        if isinstance(part, np.ma.MaskedArray):
            mask = np.ma.getmaskarray(part)
            drop |= mask.any(axis=1) if mask.ndim == 2 else mask
    if not drop.any():
        return 0
    for name, key, part in vectors:
        kept = np.ascontiguousarray(np.ma.getdata(part)[~drop])
        if key is None:
            values[name] = kept
        else:
            values[name] = {**values[name], key: kept}
    return int(drop.sum())


def _unknown_argument(stat: Statistic, name: str) -> InputError:
    known = [*stat.parameters]
    return InputError(
        f"Unknown argument '{name}' for {stat.name}. Its arguments are: {', '.join(known)}.",
        hint=did_you_mean(name, known) or f"Leave '{name}' out.",
        where=name,
        code="unknown_argument",
    )


def _absent_argument(stat: Statistic, name: str) -> InputError:
    return InputError(
        f"Argument '{name}' of {stat.name} is required and was not given.",
        hint=f"{name}: {stat.parameters[name].text}",
        where=name,
        code="missing_argument",
    )


# Declaring -----------------------------------------------------------------------------------------------

_TOOLS: dict[str, Tool] = {}
# Statistics of tools that another family declares and that is not imported yet.
_WAITING: dict[str, list[Statistic]] = {}


def tools() -> Mapping[str, Tool]:
    """The tools declared by the family modules imported so far."""
    return _TOOLS


def declare_tool(
    name: str, *, title: str, summary: str, chooser: str | None = None, default: str | None = None
) -> None:
    """Declare a tool. `chooser` names the argument that selects the sub-type, `default` the one it means."""
    if name in _TOOLS:
        raise ValueError(f"tool {name!r} is declared twice")
    _TOOLS[name] = Tool(name, title, summary, chooser, default)
    for declared in _WAITING.pop(name, []):
        _place(declared)


def _place(declared: Statistic) -> None:
    owner = _TOOLS.get(declared.tool)
    if owner is None:
        _WAITING.setdefault(declared.tool, []).append(declared)
        return
    if declared.subtype in owner.statistics or bool(declared.subtype) != bool(owner.chooser):
        raise ValueError(
            f"sub-type {declared.subtype!r} of {declared.tool!r} is declared twice or has no chooser"
        )
    owner.statistics[declared.subtype] = declared


def statistic(
    *,
    tool: str,
    title: str,
    subtype: str = "",
    use_when: str,
    utterances: tuple[str, ...] = (),
    refs: tuple[str, ...] = (),
    laws: tuple[str, ...] = (),
    oracle: str = "",
    formula: str = "",
    equivalents: Mapping[str, str] | None = None,
    example: Mapping[str, Any],
    aliases: tuple[str, ...] = (),
    aligned: tuple[tuple[str, ...], ...] = (),
    from_sums: Callable[[Mapping[str, Any]], bool] | None = None,
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Declare a function as a statistic.

    Parameters
    ----------
    tool : name of the tool (see `declare_tool`).
    title : what the statistic is called, as a reader would say it.
    subtype : value of the tool's choosing argument that selects it; empty when the tool has none.
    use_when : one line: the situation it is right for.
    utterances : ways people ask for it, for the router.
    refs : sources of the method: author, year, DOI.
    laws : names of laws it obeys, each tested generically.
    oracle : independent implementation that the differential tests compare with.
    formula : definition, for the documentation page.
    equivalents : {"R": call, "Python": call} giving the same numbers elsewhere.
    example : valid arguments, for the documentation page and the generic tests.
    aliases : other accepted names of the sub-type.
    aligned : sets of arguments matched row by row: lengths must agree and missing rows are dropped jointly.
    from_sums : says of the arguments given whether sums can stand in place of values (see `registry.summaries`).
    """

    def bind(function: Callable[..., R]) -> Callable[..., R]:
        declared = Statistic(
            tool=tool,
            subtype=subtype,
            title=title,
            function=function,
            parameters=_parameters(function),
            use_when=use_when,
            utterances=utterances,
            refs=refs,
            laws=laws,
            oracle=oracle,
            formula=formula,
            equivalents=dict(equivalents or {}),
            example=dict(example),
            aliases=aliases,
            aligned=aligned,
            summary=(inspect.getdoc(function) or "").split("\n\n")[0].replace("\n", " "),
            from_sums=from_sums,
        )
        _place(declared)
        signature = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> R:
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as error:
                raise InputError(f"{declared.name}: {error}.", code="missing_argument") from None
            return typing.cast("R", declared.run(bound.arguments))

        checked.__statistic__ = declared  # type: ignore[attr-defined]
        return checked

    return bind


def _parameters(function: Callable[..., Any]) -> dict[str, Parameter]:
    hints = typing.get_type_hints(function, include_extras=True)
    texts = _documented(inspect.getdoc(function) or "")
    out = {}
    for name, spec in inspect.signature(function).parameters.items():
        kind, optional = _kind(hints[name])
        if kind is None:
            raise TypeError(f"{function.__name__}: parameter {name!r} has no argument kind")
        if name not in texts:
            raise TypeError(f"{function.__name__}: parameter {name!r} is not documented")
        required = spec.default is inspect.Parameter.empty
        out[name] = Parameter(name, kind, texts[name], required, None if required else spec.default, optional)
    return out


def _kind(hint: Any) -> tuple[Kind | None, bool]:
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        inner = [a for a in typing.get_args(hint) if a is not type(None)]
        kinds = [_kind(a)[0] for a in inner]
        return (kinds[0] if len(kinds) == 1 else None), len(inner) < len(typing.get_args(hint))
    for extra in getattr(hint, "__metadata__", ()):
        if isinstance(extra, Kind):
            return extra, False
    return None, False


def _documented(doc: str) -> dict[str, str]:
    """The `name : text` entries of the Parameters section of a docstring."""
    match = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[^\n]*\n-{3,}$|\Z)", doc, re.S | re.M)
    if not match:
        return {}
    out: dict[str, str] = {}
    names: list[str] = []
    for line in match.group(1).splitlines():
        if entry := re.match(r"(\w[\w, ]*?) : (.*)", line):
            names = [n.strip() for n in entry.group(1).split(",")]
            out.update(dict.fromkeys(names, entry.group(2).strip()))
        elif line.strip():
            out.update({n: f"{out[n]} {line.strip()}" for n in names})
    return out


# Choosing ------------------------------------------------------------------------------------------------


def choose(tool: Tool, arguments: Mapping[str, Any]) -> tuple[Statistic, dict[str, Any]]:
    """The statistic a call means, and its arguments under their own names.

    Raises
    ------
    InputError : the choosing argument is absent or unknown, or an argument belongs to no or another sub-type.
    """
    given = dict(arguments)
    stat = _chosen(tool, given)
    for name, others in ARGUMENT_ALIASES.items():
        for other in others:
            if other in given and name in stat.parameters and other not in stat.parameters:
                if given.get(name) is not None:
                    raise InputError(f"{stat.name}: give '{name}' or '{other}', not both.", where=other)
                given[name] = given.pop(other)
    _level_as_alpha(stat, given)
    for name in [n for n in given if n not in stat.parameters]:
        owners = [s.subtype for s in tool.statistics.values() if name in s.parameters]
        if given[name] is None or (owners and name in _HARMLESS):
            del given[name]
        elif owners:
            raise InputError(
                f"Argument '{name}' is not used by {stat.name}; it belongs to: {', '.join(owners)}.",
                hint=f"Leave '{name}' out, or choose another {tool.chooser}.",
                where=name,
                code="unknown_argument",
            )
        else:
            raise _unknown_argument(stat, name)
    return stat, given


def _level_as_alpha(stat: Statistic, given: dict[str, Any]) -> None:
    """A confidence level where the statistic takes alpha: it says the same, so it is accepted."""
    if "alpha" not in stat.parameters or "conf_level" in stat.parameters:
        return
    for name in ("conf_level", *ARGUMENT_ALIASES["conf_level"]):
        if name in stat.parameters or given.get(name) is None:
            continue
        if given.get("alpha") is not None:
            raise InputError(f"{stat.name}: give 'alpha' or '{name}', not both.", where=name)
        kind = ScalarNumber(low=0.0, high=1.0, open_low=True, open_high=True)
        level = kind.check(given.pop(name), Where(stat.tool, name))
        given["alpha"] = float(1 - Decimal(repr(level)))  # 0.9 means exactly 0.1


def _chosen(tool: Tool, given: dict[str, Any]) -> Statistic:
    if tool.chooser is None:
        return tool.statistics[""]
    value = given.pop(tool.chooser, None)
    options = list(tool.statistics)
    if value is None:
        if tool.default is None:
            raise InputError(
                f"{tool.name} needs the argument '{tool.chooser}'. Valid: {', '.join(options)}.",
                hint=f"Send one of: {', '.join(options)}.",
                where=tool.chooser,
                code="missing_argument",
            )
        return tool.statistics[tool.default]
    names = {o.casefold(): o for o in options}
    names |= {a.casefold(): s.subtype for s in tool.statistics.values() for a in s.aliases}
    wanted = value.strip().casefold().replace(" ", "_").replace("-", "_") if isinstance(value, str) else None
    found = names.get(wanted or "") or {k.replace("-", "_"): v for k, v in names.items()}.get(wanted or "")
    if found is None:
        raise unknown_choice(Where(tool.name, tool.chooser), value, options)
    return tool.statistics[found]
