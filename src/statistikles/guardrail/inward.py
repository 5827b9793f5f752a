"""Provenance inwards: a number in a tool call must come from the data, the user, a result or a convention."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from statistikles.errors import ProvenanceError
from statistikles.results.roles import Role

from .basic import _as_float
from .evidence import Evidence
from .selections import filter_numbers, misnamed, references
from .tokens import Kind, clean_text, tokenise
from .words import word_set

__all__ = ["CONVENTIONS", "DataView", "Fault", "check_arguments", "refuse"]

_VECTOR_FROM = 3  # from this many numbers on, a list is data rather than a pair of parameters

# Values an argument may take without anybody having said so, by argument name: the named conventions.
CONVENTIONS: dict[str, frozenset[float]] = {
    "alpha": frozenset({0.001, 0.005, 0.01, 0.025, 0.05, 0.1}),
    "power": frozenset({0.8, 0.85, 0.9, 0.95}),
    "conf_level": frozenset({0.8, 0.9, 0.95, 0.99}),
    "level": frozenset({0.8, 0.9, 0.95, 0.99}),
    "confidence": frozenset({0.8, 0.9, 0.95, 0.99}),
    "mu0": frozenset({0.0}),
    "proportion": frozenset({0.5}),
    "threshold": frozenset({0.5}),
    "quantiles": frozenset({0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95}),
    "trim": frozenset({0.05, 0.1, 0.2}),
    "huber_k": frozenset({1.345}),
    "n_reps": frozenset({999.0, 1000.0, 2000.0, 5000.0, 9999.0, 10000.0}),
    "n_permutations": frozenset({999.0, 1000.0, 4999.0, 5000.0, 9999.0, 10000.0}),
    "window": frozenset({3.0}),
}
# Arguments that choose how to compute and state nothing about the data; any sensible value will do.
_CHOICES = word_set(
    "seed degree lag lags max_lag n_components k data_index n_predictors ma_window max_iter n_knots n_bins decimals "
    "n_factors n_topics period nlags"
)
# Values that split a column wherever nobody has said a limit: the sign and the coding of yes and no.
_FILTER_LIMITS = frozenset({0.0, 1.0})
# Which computed numbers may be handed on as such an argument; an argument not named here takes any result.
_HANDED_ON: dict[str, frozenset[Role]] = {
    "alpha": frozenset({Role.ALPHA}),
    "power": frozenset({Role.POWER}),
    "conf_level": frozenset({Role.CONF_LEVEL}),
    "level": frozenset({Role.CONF_LEVEL}),
    "confidence": frozenset({Role.CONF_LEVEL}),
    **dict.fromkeys(("n", "n1", "n2", "n_total", "cluster_size"), frozenset({Role.COUNT, Role.VALUE})),
    **dict.fromkeys(
        ("true_positive", "false_positive", "true_negative", "false_negative", "n_essential", "b", "c"),
        frozenset({Role.COUNT, Role.VALUE}),
    ),
    "mu0": frozenset({Role.MEAN, Role.MEDIAN, Role.ESTIMATE, Role.VALUE, Role.QUANTILE}),
    "effect_size": frozenset(
        {Role.EFFECT_SIZE, Role.CORRELATION, Role.ESTIMATE, Role.DETERMINATION, Role.RATIO, Role.VALUE}
    ),
}
# Constants a formula may hold without anybody having named them.
_FORMULA_CONSTANTS = frozenset({0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 10.0, 100.0})
_CONSTANT = re.compile(r"(?<![\w.])(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_SELECTS = re.compile(
    r"(?<![^\W_])(?:first|last|only|without|except|exclud\w*|drop\w*|omit\w*|remov\w*|ignor\w*|"
    r"leav\w* out|skip\w*|ohne|sans|sauf|nur)(?![^\W_])",
    re.IGNORECASE,
)
_SAME_LIST = re.compile(r"[ \t]*[,;/|]?[ \t]*(?:(?:and|und|et|or)[ ])?[ \t]*[-−–+$]?")
_MOST_LEVELS = 2  # from this many equalities on, rows are picked one by one
# Keys below which names, filters and formulas live; filters are checked by themselves, the rest states no number.
_NOT_NUMBERS = frozenset(
    {"column", "columns", "by", "where", "name", "names", "var_names", "formula", "model_spec", "labels"}
)


class DataView(Protocol):
    """What the guardrail may ask of the loaded data; the tables of the pipeline answer it."""

    def contains_vector(self, values: Sequence[float]) -> str:
        """The name of the column whose values, missing ones left out, are exactly these in this order; "" if none."""
        ...

    def has_column(self, name: str) -> bool:
        """Whether a loaded table has a column of this name."""
        ...

    def contains_value(self, value: float) -> str:
        """The name of a column that holds this value; "" if none."""
        ...

    def nearest_vector(self, values: Sequence[float]) -> str:
        """The name of the column most of these values come from; "" if none. Used only for the hint."""
        ...


@dataclass(frozen=True, slots=True)
class Fault:
    """One number or list of an argument that has no source."""

    where: str
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class _Sources:
    user_order: tuple[float, ...]
    user_ends: frozenset[int]  # places in that order where a typed list begins or ends
    user_values: frozenset[float]
    evidence: Evidence
    data: DataView | None


def _user_numbers(text: str) -> tuple[float, ...]:
    """The numbers the user typed, in order, in figures or words, percentages also as shares."""
    return tuple(
        t.value
        for t in tokenise(clean_text(text))
        if t.kind in {Kind.FIGURE, Kind.WORD, Kind.FRACTION, Kind.ORDINAL} and t.value == t.value
    )


def _typed_rows(text: str) -> tuple[tuple[float, ...], frozenset[int]]:
    """As `_user_numbers`, figures only: the order in which data were typed, and where lists begin and end."""
    plain = clean_text(text)
    tokens = [t for t in tokenise(plain) if t.kind == Kind.FIGURE and not t.identifier]
    anywhere = _SELECTS.search(text) is not None  # a part of what was typed was asked for
    ends = {0, len(tokens)}
    for k in range(1, len(tokens)):
        gap = plain[tokens[k - 1].end : tokens[k].start]
        if anywhere or not _SAME_LIST.fullmatch(gap):
            ends.add(k)
    return tuple(t.value for t in tokens), frozenset(ends)


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-300)


def _runs_in(values: Sequence[float], order: tuple[float, ...], ends: frozenset[int]) -> bool:
    """Whether the values are whole lists of what the user typed, in this order and without a gap."""
    n = len(values)
    first = values[0]
    return any(
        i in ends
        and i + n in ends
        and _close(order[i], first)
        and all(_close(order[i + k], values[k]) for k in range(n))
        for i in range(len(order) - n + 1)
    )


def _walk(value: Any, where: str, name: str) -> Iterator[tuple[str, str, Any]]:
    """(place, argument name, number or list of numbers) of everything numeric in an argument."""
    if (number := _as_float(value)) is not None:
        yield where, name, number
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if str(key) not in _NOT_NUMBERS:
                yield from _walk(item, f"{where}.{key}", name if str(key) not in CONVENTIONS else str(key))
    elif isinstance(value, list | tuple):
        plain = [x for x in value if x is not None]
        numbers = [_as_float(x) for x in plain]
        if plain and all(x is not None for x in numbers):
            yield where, name, [x for x in numbers if x is not None]
        else:
            for i, item in enumerate(value):
                yield from _walk(item, f"{where}[{i}]", name)


_REFERENCE = 'Refer to the data instead of typing values: {"column": NAME, "where": EXPR}'


def _vector_fault(where: str, values: list[float], sources: _Sources) -> Fault | None:
    if (
        _runs_in(values, sources.user_order, sources.user_ends)
        or _in_results(values, sources.evidence)
        or _family(values, sources.evidence)
    ):
        return None
    data = sources.data
    if data is not None and (column := data.contains_vector(values)):
        called = where.rpartition(".")[2]
        if "." in where and called != column and data.has_column(called):
            return Fault(
                where,
                f"The values given under the name '{called}' are those of column '{column}'.",
                f'{_REFERENCE}, here {{"column": "{called}"}}.',
            )
        return None
    near = data.nearest_vector(values) if data is not None else ""
    if near:
        return Fault(
            where,
            f"The {len(values)} values given for '{where}' are not column '{near}' as it stands: values were changed, "
            "left out, added or reordered.",
            f'{_REFERENCE}, here {{"column": "{near}"}}, with "where" or "by" to select rows or groups.',
        )
    return Fault(
        where,
        f"The {len(values)} values given for '{where}' are in no loaded data, were not typed by the user in this "
        "order, and are no earlier result.",
        f"{_REFERENCE}, or ask the user for the values.",
    )


def _in_results(values: list[float], evidence: Evidence) -> bool:
    """Whether a list of an earlier result holds just these values in this order."""
    first = values[0]
    for index in evidence.between(first - abs(first) * 1e-12, first + abs(first) * 1e-12, 64):
        node = evidence.owner[index]
        n = len(values)
        if evidence.keys[index] == 0 and evidence.node_is_list[node] and index + n <= len(evidence.values):
            same = all(
                evidence.owner[index + k] == node and _close(evidence.values[index + k], values[k])
                for k in range(n)
            )
            if same and evidence.node_size[node] == n:
                return True
    return False


def _family(values: list[float], evidence: Evidence) -> bool:
    """Whether all values are results of one kind: the same key in sibling places, or members of one object."""
    firsts = [evidence.leaf(i) for i in _equal(values[0], evidence)]
    for first in firsts[:16]:
        if all(
            any(x.node == first.node or x.key == first.key for x in map(evidence.leaf, _equal(v, evidence)))
            for v in values[1:]
        ):
            return True
    return False


def _equal(value: float, evidence: Evidence) -> list[int]:
    reach = abs(value) * 1e-12
    return evidence.between(value - reach, value + reach, 64)


def _known(value: float, name: str, sources: _Sources, *, in_data: bool = False) -> bool:
    """Whether a single parameter has a source; `in_data` says whether any value of the data is one, as a level is."""
    if name in _CHOICES or value in CONVENTIONS.get(name, frozenset()):
        return True
    typed = sources.user_values
    if value in typed or any(_close(value, t) or _close(value, t / 100) for t in typed):
        return True
    if _handed_on(value, name, sources.evidence):
        return True
    return in_data and sources.data is not None and bool(sources.data.contains_value(value))


def _handed_on(value: float, name: str, evidence: Evidence) -> bool:
    """Whether an earlier result, of a kind this argument can take, is the value, also as it was printed."""
    reach = abs(value) * 1e-9
    found = [*evidence.between(value - reach, value + reach), *_rounded_result(value, evidence)]
    wanted = _HANDED_ON.get(name)
    return any(wanted is None or evidence.leaf(i).role in wanted for i in found)


def _short_list_fault(where: str, name: str, values: list[float], sources: _Sources) -> Fault | None:
    """One or two numbers: parameters that each have a source, or data that stand together as data."""
    if all(_known(v, name, sources, in_data=False) for v in values):
        return None
    return _vector_fault(where, values, sources)


def _selection_faults(arguments: Mapping[str, Any], sources: _Sources) -> Iterator[Fault]:
    """Filters whose limits nobody gave, and groups called by the name of another."""
    filters = [(where, str(reference.get("where") or "")) for where, reference in references(arguments)]
    if isinstance(top := arguments.get("where"), str):
        filters.append(("where", top))
    for where, text in filters:
        numbers = list(filter_numbers(text))
        # "id in (3, 8, 11)" picks rows by hand; one level or two name groups
        levels = sum(1 for number, equal in numbers if equal and number not in _FILTER_LIMITS) <= _MOST_LEVELS
        for number, equal in numbers:
            if number not in _FILTER_LIMITS and not _known(
                number, "where", sources, in_data=equal and levels
            ):
                yield Fault(
                    where,
                    f"The limit {number:g} in the filter of '{where}' has no source: the user did not say it and no "
                    "result equals it, so the rows it leaves out were chosen by nobody.",
                    "Filter only by what the user asked for, or use all rows.",
                )
    for where, name, level in misnamed(arguments):
        yield Fault(
            where,
            f"The group called '{name}' selects '{level}'.",
            'Name each group by what it selects, or let "by" name the groups.',
        )


def _formula_faults(arguments: Mapping[str, Any], sources: _Sources) -> Iterator[Fault]:
    """Constants written into a formula: each is a number that goes in."""
    for key in ("formula", "response"):
        text = arguments.get(key)
        if not isinstance(text, str):
            continue
        for m in _CONSTANT.finditer(text):
            value = float(m.group())
            if value not in _FORMULA_CONSTANTS and not _known(value, key, sources):
                yield Fault(
                    key,
                    f"The constant {value:g} in '{key}' has no source: the user did not say it and no result equals it.",
                    "Make it a parameter with a starting value, or ask the user for it.",
                )


def _rounded_result(value: float, evidence: Evidence) -> list[int]:
    """A parameter copied from a result as printed (three significant digits or more)."""
    text = repr(value)
    digits = len(re.sub(r"e.*|\D", "", text).lstrip("0"))
    if digits < 3 or "e" in text:
        return []
    step = 0.5 * 10.0 ** -len(text.partition(".")[2]) * (1 + 1e-9)
    return evidence.between(value - step, value + step)


def check_arguments(
    tool_name: str,
    arguments: Mapping[str, Any],
    *,
    user_text: str,
    evidence: Evidence | None = None,
    data: DataView | None = None,
    defaults: Mapping[str, Any] | None = None,
    conventions: Mapping[str, frozenset[float]] | None = None,
) -> list[Fault]:
    """Trace every number of a tool call to a source.

    Parameters
    ----------
    tool_name : the tool called, named in messages.
    arguments : the arguments as the model sent them, column references unresolved.
    user_text : everything the user typed so far.
    evidence : the index of earlier results.
    data : the loaded data behind the small protocol; None when nothing is loaded.
    defaults : the tool's declared defaults; a value equal to its default needs no source.
    conventions : further accepted values by argument name.

    Returns
    -------
    The numbers and lists without a source, each with a message a model can act on; empty when all have one.
    """
    typed, ends = _typed_rows(user_text)
    sources = _Sources(
        typed,
        ends,
        frozenset(_user_numbers(user_text)),
        evidence if evidence is not None else Evidence(),
        data,
    )
    faults: list[Fault] = [*_selection_faults(arguments, sources), *_formula_faults(arguments, sources)]
    for key, argument in arguments.items():
        if str(key) in _NOT_NUMBERS or (
            defaults is not None and key in defaults and defaults[key] == argument
        ):
            continue
        extra = (conventions or {}).get(str(key), frozenset())
        for where, name, value in _walk(argument, str(key), str(key)):
            if isinstance(value, list) and set(value) <= CONVENTIONS.get(name, frozenset()):
                continue
            if isinstance(value, list) and len(value) >= _VECTOR_FROM:
                fault = _vector_fault(where, value, sources)
                if fault is not None:
                    faults.append(fault)
                continue
            if isinstance(value, list):
                if (
                    not set(value) <= extra
                    and (fault := _short_list_fault(where, name, value, sources)) is not None
                ):
                    faults.append(fault)
                continue
            if value in extra or _known(value, name, sources):
                continue
            faults.append(
                Fault(
                    where,
                    f"The number {value:g} given for '{where}' of {tool_name} has no source: the user did not say it, no "
                    "result equals it, and it is no named convention.",
                    "Use a value the user gave, a computed result, or leave the argument out to take its default.",
                )
            )
    return faults


def refuse(tool_name: str, faults: Sequence[Fault]) -> ProvenanceError:
    """The error that refuses a call: one sentence naming each fault, the first hint, the first place."""
    first = faults[0]
    more = f" ({len(faults) - 1} more without a source.)" if len(faults) > 1 else ""
    return ProvenanceError(f"{tool_name}: {first.message}{more}", hint=first.hint, where=first.where)
